//! Pause, surrender, takeover, mode: what everybody must do at the same frame.
//!
//! Each is a [`Command`](crate::Command) in a player's input for frame f and takes effect at frame
//! f + [`delay_frames`](ControlRules::delay_frames). It is confirmed like any input, so it needs no
//! agreement; it is never predicted, so a guess never pauses a match. A game embeds a [`MatchControl`] in its
//! own state and asks it at the beginning of every step: it is then rolled back, hashed and recorded with
//! everything else.
//!
//! ```
//! use bytemuck::{Pod, Zeroable};
//! use snapback_core::control::{ControlCommand, ControlRules, MatchControl};
//! use snapback_core::{FrameInputs, InputStatus, PlayerHandle, PlayerInput, SimState};
//!
//! #[derive(Clone, Copy, Pod, Zeroable, SimState)]
//! #[repr(C)]
//! struct Game {
//!     points: [u32; 2],
//!     control: MatchControl,
//! }
//!
//! fn step(game: &mut Game, rules: &ControlRules, inputs: &FrameInputs<'_, u8>) {
//!     let orders = game.control.step(rules, inputs);
//!     if orders.is_paused {
//!         return; // Frames and inputs go on, the world does not.
//!     }
//!     for seat in 0..2 {
//!         // Nothing is pressed for a seat that a bot plays: that is the game's to decide.
//!         let pressed = orders.input(PlayerHandle::new(seat), inputs).unwrap_or(1);
//!         game.points[usize::from(seat)] += u32::from(pressed);
//!     }
//! }
//!
//! let rules = ControlRules { delay_frames: 0, ..ControlRules::default() };
//! let mut game = Game::zeroed();
//! let mut players = [PlayerInput { input: 5, ..PlayerInput::neutral(InputStatus::Confirmed) }; 2];
//! step(&mut game, &rules, &FrameInputs::new(&players));
//! players[1].command = ControlCommand::Pause.into();
//! step(&mut game, &rules, &FrameInputs::new(&players));
//! assert_eq!(game.points, [5, 5]);
//! assert_eq!(game.control.paused_by(), Some(PlayerHandle::new(1)));
//! ```
//!
//! | file | what it holds |
//! |---|---|
//! | `command` | [`ControlCommand`], the commands as they travel |
//! | `mode` | [`NetMode`] |
//! | `feed` | [`Feed`], whose input plays a seat |
//! | `rules` | [`ControlRules`], what the game allows |
//! | `pending` | what was said and has not taken effect |
//! | `states` | [`PauseState`] and [`SeatState`] as tables |
//! | `orders` | [`Orders`], what a frame must do |
//! | `control` | [`MatchControl`] itself |

mod command;
#[expect(clippy::module_inception, reason = "the type that the module is named after")]
mod control;
mod feed;
mod mode;
mod orders;
mod pending;
mod rules;
mod states;

pub use command::ControlCommand;
pub use control::{MatchControl, SeatControl};
pub use feed::Feed;
pub use mode::NetMode;
pub use orders::Orders;
pub use pending::{PENDING_PER_PLAYER, PendingCommand};
pub use rules::{ControlRules, MAX_DELAY_FRAMES};
pub use states::{PAUSE_STATES, PauseEvent, PauseState, SEAT_STATES, SeatEvent, SeatState};
