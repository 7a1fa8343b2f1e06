//! What is recorded of corrections, and a session that tells nobody of effects.

use crate::game::{Game, ME, OTHER, confirmed, straight, two_players};
use snapback::telemetry::RollbackEvent;
use snapback::*;

fn script(seed: u64, frames: usize) -> Vec<[u8; 2]> {
    let mut rng = Rng::new(seed, 0);
    let mut held = [0_u8; 2];
    let press = |held: &mut u8, rng: &mut Rng| {
        if rng.chance(300_000) {
            *held = rng.below(4) as u8;
        }
    };
    (0..frames)
        .map(|_| {
            held.iter_mut().for_each(|held| press(held, &mut rng));
            held
        })
        .collect()
}

/// Plays a script whose other player is up to seven frames late, and shows every tick.
fn play(
    session: &mut RollbackSession<Game>,
    inputs: &[[u8; 2]],
    seed: u64,
    mut see: impl FnMut(&mut RollbackSession<Game>, &TickReport, Frame),
) {
    let mut rng = Rng::new(seed, 1);
    let (mut known, all) = (0, inputs.len() as i64);
    while session.confirmed_frame() < Frame::new(all - 1) {
        let next = session.current_frame().next().number();
        let reached = if next < all { (next - i64::from(rng.below(8))).clamp(known, all) } else { all };
        let came: Vec<_> = (known..reached).map(|frame| confirmed(frame, inputs[frame as usize][1])).collect();
        known = reached;
        let before = session.current_frame();
        let mine = inputs.get(next as usize).map_or(0, |pressed| pressed[0]);
        let report = session.tick(&[LocalInput::new(ME, mine)], &came).unwrap();
        see(session, &report, before);
    }
}

/// Every correction has one event, whose hashes are those of a straight replay wherever the inputs were all
/// confirmed, and whose present was what the tick before reported.
#[test]
fn every_correction_is_recorded_as_it_was() {
    let mut seen = 0;
    for seed in 0..20 {
        let inputs = script(seed, 400);
        let states = straight(7, &inputs);
        let hash_of = |frame: Frame| {
            let game = Game { memory: states[frame.number() as usize], log: Vec::new() };
            let mut bytes = vec![0; game.layout().size_bytes()];
            game.capture(&mut bytes);
            game.hash(7, frame, &bytes)
        };
        let mut session = RollbackSession::new(Game::new(), two_players()).unwrap();
        session.record_rollbacks(1_000);
        let (mut last_hash, mut after, mut count) = (None, Vec::new(), 0);
        play(&mut session, &inputs, seed, |session, report, before| {
            let new: Vec<RollbackEvent> = session.rollback_events(count).cloned().collect();
            assert_eq!(new.len(), usize::from(report.recovered), "seed {seed}");
            count += new.len() as u64;
            for event in new {
                assert_eq!((event.present_frame, Some(event.before_hash)), (before, last_hash), "seed {seed}");
                assert_eq!((event.depth_frames, event.goes_on), (report.rollback_frames, false));
                assert_eq!(event.restored_frame, event.corrected_frame.previous());
                assert_eq!(event.cause, Some(OTHER));
                let frames: Vec<i64> = event.replayed().iter().map(|replayed| replayed.frame.number()).collect();
                assert_eq!(frames, (event.corrected_frame.number()..=before.number()).collect::<Vec<_>>());
                assert!(event.replayed()[0].changed.contains(OTHER) && !event.replayed()[0].changed.contains(ME));
                for replayed in event.replayed() {
                    assert!(replayed.confirmed.contains(ME));
                    let are_all_known = replayed.frame <= session.confirmed_frame();
                    assert_eq!(replayed.confirmed.contains(OTHER), are_all_known, "seed {seed}");
                    assert!(!are_all_known || replayed.hash == hash_of(replayed.frame), "seed {seed}");
                }
                assert_eq!(event.after_hash, event.replayed().last().map(|replayed| replayed.hash));
                after.push(event);
            }
            last_hash = session.snapshot(report.frame).map(|state| session.simulation().hash(session.settings().seed, report.frame, state));
        });
        assert_eq!(after.len() as u64, session.stats().rollbacks, "seed {seed}");
        assert!(after.iter().all(RollbackEvent::changed_the_present), "this game forgets nothing");
        seen += after.len();
    }
    assert!(seen > 500, "{seen}");
}

/// A correction over several ticks: one event each, and no hash of what is half done.
#[test]
fn a_correction_over_several_ticks_says_that_it_goes_on() {
    let config = RollbackConfig { prediction_window_frames: 20, max_rollback_frames: 8, ..RollbackConfig::default() };
    let mut session = RollbackSession::new(Game::new(), SessionSettings { config, ..two_players() }).unwrap();
    session.record_rollbacks(8);
    for _ in 0..20 {
        session.tick(&[LocalInput::new(ME, 0)], &[]).unwrap();
    }
    session.confirm(&confirmed(0, 3)).unwrap();
    for _ in 0..3 {
        session.tick(&[LocalInput::new(ME, 0)], &[]).unwrap();
    }
    let seen: Vec<_> = session
        .rollback_events(0)
        .map(|event| (event.corrected_frame.number(), event.replayed().len(), event.goes_on, event.after_hash.is_some(), event.cause))
        .collect();
    assert_eq!(seen, [(0, 8, false, false, Some(OTHER)), (8, 8, true, false, None), (16, 4, true, true, None)]);
    assert_eq!(session.stats().rollbacks, 1);
}

/// What is off costs nothing: no state is hashed that is not hashed anyway, and nothing is kept.
#[test]
fn nothing_is_recorded_unless_asked_for() {
    let mut session = RollbackSession::new(Game::new(), two_players()).unwrap();
    play(&mut session, &script(1, 200), 1, |session, _, _| assert_eq!(session.rollback_events(0).count(), 0));
    session.record_rollbacks(0);
    assert!(session.stats().rollbacks > 10);
    // The ring keeps the newest.
    let mut session = RollbackSession::new(Game::new(), two_players()).unwrap();
    session.record_rollbacks(4);
    play(&mut session, &script(1, 200), 1, |_, _, _| {});
    let numbers: Vec<u64> = session.rollback_events(0).map(|event| event.number).collect();
    let last = session.stats().rollbacks - 1;
    assert_eq!(numbers, [last - 3, last - 2, last - 1, last]);
}

/// The same match with effects and without: nobody hears of any, and everything else is the same.
#[test]
fn telemetry_only_tells_no_effect_and_changes_nothing_else() {
    for seed in 0..10 {
        let inputs = script(seed, 300);
        let run = |is_telemetry_only: bool| {
            let mut session = RollbackSession::new(Game::new(), two_players()).unwrap();
            session.record_rollbacks(1_000);
            if is_telemetry_only {
                session.set_telemetry_only().unwrap();
            }
            let (mut reports, mut told) = (Vec::new(), 0);
            play(&mut session, &inputs, seed, |session, report, _| {
                reports.push(*report);
                told += session.effects().len() + session.effect_events().len();
            });
            let events: Vec<RollbackEvent> = session.rollback_events(0).cloned().collect();
            (reports, events, *session.stats(), session.raised_effects(), session.dropped_effects(), told)
        };
        let (emitting, silent) = (run(false), run(true));
        assert_eq!((&emitting.0, &emitting.1, emitting.2, emitting.3, emitting.4), (&silent.0, &silent.1, silent.2, silent.3, silent.4));
        assert_eq!(silent.5, 0, "seed {seed}: an effect reached the host");
        assert!(emitting.5 > 600 && emitting.3 > 400, "seed {seed}: there was something to tell");
    }
}

#[test]
fn effects_cannot_be_left_out_of_a_match_that_has_begun() {
    let mut session = RollbackSession::new(Game::new(), two_players()).unwrap();
    session.tick(&[LocalInput::new(ME, 0)], &[]).unwrap();
    insta::assert_snapshot!(
        session.set_telemetry_only().unwrap_err(),
        @"effects cannot be left out of a match that has begun; say so before the first tick"
    );
}
