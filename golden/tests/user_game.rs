//! The golden test of a game that is not part of Snapback: this one line is all of it.

#![allow(unreachable_pub, reason = "a game is public where it is a crate of its own")]

#[path = "user_game/game.rs"]
#[allow(dead_code, reason = "who records presses the buttons")]
mod game;

snapback_golden::replay_tests!("tests/user_game", |_| Ok(game::Game::new(game::Rules::default())));
