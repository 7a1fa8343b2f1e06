//! The input delay, which is local and may change at any time.

use crate::game::*;
use snapback::*;

/// Presses 1, 2, 3, ... and changes the delay at some ticks; what each frame used.
fn used(delays: &[(u8, usize)], known: impl Fn(i64) -> Vec<InputSample<u8>>) -> Vec<u8> {
    let settings = SessionSettings { input_delay_frames: delays[0].0, ..two_players() };
    let mut session = RollbackSession::new(Game::new(), settings).unwrap();
    let mut pressed = 0;
    for (delay, ticks) in delays {
        session.set_input_delay(*delay).unwrap();
        for _ in 0..*ticks {
            pressed += 1;
            let frame = session.current_frame().number();
            let report = session.tick(&[LocalInput::new(ME, pressed)], &known(frame)).unwrap();
            assert!(!report.simulation_frozen);
            assert!(session.newest_local_frame() >= session.current_frame() + i64::from(*delay));
        }
    }
    (0..=session.current_frame().number()).map(|frame| session.inputs(Frame::new(frame)).unwrap()[0].input).collect()
}

/// The other's inputs as they happen, or each three frames late and never what was guessed.
fn at_once(frame: i64) -> Vec<InputSample<u8>> {
    vec![confirmed(frame + 1, 3)]
}

fn late(frame: i64) -> Vec<InputSample<u8>> {
    if frame < 3 { Vec::new() } else { vec![confirmed(frame - 3, (frame % 7) as u8)] }
}

#[test]
fn two_then_none_then_five_gives_every_frame_one_input() {
    let expected = [
        // Two frames late; the first two have none.
        0, 0, 1, 2, 3, 4, // The delay goes: 7 and 8 are left out, the two on their way come first.
        5, 6, 9, 10, 11, // It grows to five: the last one is held.
        11, 11, 11, 11, 11, 12, 13, 14,
    ];
    let delays = [(2, 6), (0, 5), (5, 8)];
    assert_eq!(used(&delays, at_once), expected);
    // The same while every tick rolls back.
    assert_eq!(used(&delays, late), expected);
}

/// A peer that changes its delay at random, and the other one, which is told what it sends: both see the
/// same inputs.
#[test]
fn both_ends_see_the_same_whatever_the_delay_does() {
    for seed in 0..100 {
        let mut rng = Rng::new(seed, 0);
        let mut here = RollbackSession::new(Game::new(), two_players()).unwrap();
        let swapped = SessionSettings { local_players: PlayerSet::EMPTY.with(OTHER), ..two_players() };
        let mut there = RollbackSession::new(Game::new(), swapped).unwrap();
        let (mut sent, mut answered) = (Frame::INITIAL, Frame::INITIAL);
        while here.confirmed_frame() < Frame::new(300) {
            if rng.chance(100_000) {
                here.set_input_delay(rng.below(11) as u8).unwrap();
            }
            if rng.chance(600_000) {
                let mut known = Vec::new();
                while answered < there.newest_local_frame() {
                    answered = answered.next();
                    known.push(InputSample::new(answered, OTHER, there.inputs(answered).unwrap()[1].input));
                }
                here.tick(&[LocalInput::new(ME, rng.below(200) as u8)], &known).unwrap();
            }
            if rng.chance(600_000) {
                let mut known = Vec::new();
                // Inputs of frames that are not played yet are told by what the queue holds.
                while sent < here.current_frame() {
                    sent = sent.next();
                    known.push(InputSample::new(sent, ME, here.inputs(sent).unwrap()[0].input));
                }
                there.tick(&[LocalInput::new(OTHER, rng.below(3) as u8)], &known).unwrap();
            }
        }
        let both = here.confirmed_frame().min(there.confirmed_frame());
        for frame in (both.number() - 60..=both.number()).map(Frame::new) {
            assert_eq!(here.inputs(frame), there.inputs(frame), "seed {seed}, frame {frame}");
            assert_eq!(here.state_hash(frame), there.state_hash(frame), "seed {seed}, frame {frame}");
        }
    }
}

#[test]
fn a_shrinking_delay_says_when_an_input_is_left_out() {
    let mut session = RollbackSession::new(Game::new(), SessionSettings { input_delay_frames: 3, ..two_players() }).unwrap();
    session.set_input_delay(1).unwrap();
    let mut takes = Vec::new();
    for frame in 0..5 {
        takes.push(session.takes_input());
        session.tick(&[LocalInput::new(ME, 1)], &[confirmed(frame, 0)]).unwrap();
    }
    assert_eq!(takes, [false, false, true, true, true]);
    insta::assert_snapshot!(session.set_input_delay(31).unwrap_err(), @"an input delay of 31 frames is too long; use 0 to 30");
}
