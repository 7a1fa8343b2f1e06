//! What players command: pause, surrender, and who plays which seat.

use crate::rig::{DEFAULT_DATA, Mashers, Rig};
use snapback_core::PlayerHandle;
use snapback_core::control::{ControlCommand, Feed};
use snapback_sim::{Phase, RoundEnd, RoundResult, Winner, cues};
use std::sync::Arc;

/// From a command to its effect, in frames.
const DELAY: usize = 8;

const PAUSE: ControlCommand = ControlCommand::Pause;
const RESUME: ControlCommand = ControlCommand::Resume;
const SURRENDER: ControlCommand = ControlCommand::Surrender;

fn give(to: usize) -> ControlCommand {
    ControlCommand::HandOver(Feed::Player(PlayerHandle::new(to as u8)))
}

/// A command, and everything up to its effect but the frame of it.
fn say(rig: &mut Rig, seat: usize, command: ControlCommand) {
    rig.command(&[], &[(seat, command)]);
    rig.steps(DELAY - 1, &[]);
}

#[test]
fn a_paused_world_stands_still_whatever_is_pressed_and_goes_on_as_if_nothing_had_been() {
    let mut straight = Rig::fighting(2);
    let mut rig = Rig::fighting(2);
    let mut mashers = [Mashers::new(4), Mashers::new(4)];
    let mut step = |rig: &mut Rig, which: usize, commands: &[_]| {
        let pads = mashers[which].next(rig.fighters());
        rig.command(&pads, commands);
    };
    for frame in 0..40 {
        step(&mut straight, 0, &[]);
        step(&mut rig, 1, if frame == 32 { &[(1, PAUSE)] } else { &[] });
    }
    let before = rig.fighters().to_vec();
    rig.command(&[0xFFFF, 0xFFFF], &[]);
    assert_eq!((rig.raised(cues::PAUSE), rig.effects().len()), (1, 1));
    for _ in 0..200 {
        rig.command(&[0xFFFF, 0x0F0F], &[(0, RESUME), (0, PAUSE)]);
        assert_eq!((rig.fighters(), rig.effects().len()), (&before[..], 0));
    }
    rig.command(&[1, 2], &[(1, RESUME)]);
    rig.steps(DELAY - 1, &[3, 4]);
    for frame in 0..300 {
        step(&mut straight, 0, &[]);
        step(&mut rig, 1, &[]);
        assert_eq!(rig.raised(cues::RESUME), usize::from(frame == 0));
        assert_eq!(rig.fighters(), straight.fighters());
        assert_eq!((rig.world.view().header().clock, rig.world.view().header().rounds), {
            let header = straight.world.view().header();
            (header.clock, header.rounds)
        });
    }
}

#[test]
fn a_pause_ends_when_its_player_has_used_all_its_frames() {
    let mut rig = Rig::fighting(2);
    say(&mut rig, 0, PAUSE);
    let frames = usize::from(rig.world.data().control_rules().pause_frames_per_player);
    let timer = rig.world.view().timer_frames();
    rig.steps(frames, &[]);
    assert_eq!(rig.world.view().timer_frames(), timer);
    rig.step(&[]);
    assert_eq!((rig.world.view().timer_frames(), rig.raised(cues::RESUME)), (timer - 1, 1));
    say(&mut rig, 0, PAUSE);
    rig.step(&[]);
    assert_eq!(rig.world.view().header().control.paused_by(), None);
}

#[test]
fn a_surrender_gives_the_match_to_the_other_team_and_the_next_match_begins_anew() {
    for (phase, frames) in [(Phase::Intro, 0), (Phase::Fight, 100)] {
        let mut rig = Rig::new(7, 2);
        rig.skip_to(phase);
        rig.steps(frames, &[]);
        say(&mut rig, 0, SURRENDER);
        assert_eq!(rig.world.view().results().count, 0);
        rig.step(&[]);
        let winner = Winner::Team(1);
        let expected = RoundResult { match_number: 1, round_number: 1, winner, end: RoundEnd::Surrender, match_winner: Some(winner) };
        assert_eq!((rig.world.view().results().count, rig.world.view().results().last), (1, Some(expected)));
        assert_eq!([cues::SURRENDER, cues::ROUND_END, cues::MATCH_END].map(|kind| rig.raised(kind)), [1, 1, 1]);
        rig.skip_to(Phase::MatchEnd);
        // It is decided already.
        say(&mut rig, 1, SURRENDER);
        rig.skip_to(Phase::Intro);
        assert!(rig.world.view().header().control.surrendered().is_empty());
        assert_eq!((rig.world.view().header().rounds.match_number, rig.world.view().results().count), (2, 1));
        rig.skip_to(Phase::Fight);
        rig.steps(20, &[]);
        assert_eq!(rig.world.view().results().count, 1);
    }
}

#[test]
fn a_team_has_surrendered_when_all_its_players_have_and_the_rest_fights_on() {
    let seats = [("duelist", 0), ("duelist", 1), ("duelist", 0), ("duelist", 2)];
    let mut rig = Rig::with_roster(Arc::clone(&DEFAULT_DATA), &seats, 7, 4);
    rig.skip_to(Phase::Fight);
    for seat in [0, 1] {
        say(&mut rig, seat, SURRENDER);
        rig.steps(5, &[]);
        assert_eq!((rig.world.view().results().count, rig.world.view().phase()), (0, Phase::Fight));
    }
    say(&mut rig, 2, SURRENDER);
    rig.step(&[]);
    assert_eq!(rig.world.view().results().last.unwrap().winner, Winner::Team(2));
    let mut rig = Rig::fighting(2);
    rig.command(&[], &[(0, SURRENDER), (1, SURRENDER)]);
    rig.steps(DELAY, &[]);
    let last = rig.world.view().results().last.unwrap();
    assert_eq!((last.winner, last.match_winner, last.end), (Winner::Draw, Some(Winner::Draw), RoundEnd::Surrender));
}

#[test]
fn a_seat_that_was_handed_over_obeys_the_other_player_and_then_its_own_again() {
    let mut rig = Rig::fighting(2);
    let x = |rig: &Rig| rig.fighters()[0].x();
    say(&mut rig, 0, give(1));
    let start = x(&rig);
    rig.step(&[0, snapback_sim::PadInput::LEFT]);
    assert_eq!(rig.raised(cues::TAKEOVER), 1);
    rig.steps(20, &[snapback_sim::PadInput::RIGHT, snapback_sim::PadInput::LEFT]);
    assert!(x(&rig) < start);
    // Only its own player can give it back or on.
    say(&mut rig, 1, give(1));
    let before = x(&rig);
    rig.steps(20, &[0, snapback_sim::PadInput::LEFT]);
    assert!(x(&rig) < before);
    say(&mut rig, 0, give(0));
    let before = x(&rig);
    rig.steps(20, &[snapback_sim::PadInput::RIGHT, 0]);
    assert!(x(&rig) > before);
}

#[test]
fn the_bot_walks_up_and_hits() {
    let mut rig = Rig::fighting(2);
    say(&mut rig, 1, ControlCommand::HandOver(Feed::Bot));
    rig.steps(600, &[]);
    assert!(rig.health()[0] < 1_000 && rig.health()[1] == 1_000, "{:?}", rig.health());
}
