//! parry3d answers rewind queries, frozen and moving, as the engine does, or it is clear why not.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use snapback_peers::second_opinion::{Target, Verdict, by_parry, exactly, judge};
use snapback_rewind_tests::compare::Engine;
use snapback_rewind_tests::engine::RewindEngine;
use snapback_rewind_tests::reference::Reference;
use snapback_rewind_tests::reference::admit::admits;
use snapback_rewind_tests::reference::history::{Hit, Settings, Target as Hitbox};
use snapback_rewind_tests::reference::pose::Pose;
use snapback_rewind_tests::scene::{Cast, Load, Lookup, Question, Scene, Seen, Sweep};
use std::collections::BTreeMap;

/// Everything that `cast` could hit, as it stood then.
fn targets(reference: &Reference, scene: &Scene, cast: &Cast) -> Vec<Target> {
    let hitboxes = scene.hitboxes.iter().enumerate();
    let time_us = if cast.clamp { cast.time_us.max(reference.earliest_us()) } else { cast.time_us };
    let targets = hitboxes.filter_map(|(hitbox, spec)| {
        let at = reference.look_up(&Lookup { hitbox, time_us }).ok()?;
        admits(&cast.filter, spec, &at.attributes, &at.pose).then_some(Target { hitbox, pose: at.pose, by: [0; 3] })
    });
    targets.collect()
}

/// Every cast of the scene of `seed` that can be asked and every piece of a sweep, with what was in its
/// way, and what the engine says.
fn each_cast(seed: u64, mut visit: impl FnMut(&Cast, &[Target], Option<Hit>)) {
    let scene = Scene::of(seed, Load { questions_per_tick: 40, shots_per_tick: 0 });
    let mut reference = Reference::new(Settings::default());
    let mut engine = RewindEngine::default();
    for tick in &scene.ticks {
        for hitbox in &tick.retired {
            reference.retire(*hitbox);
            engine.retire(*hitbox);
        }
        for hitbox in &tick.unregistered {
            reference.unregister(*hitbox);
            engine.unregister(*hitbox);
        }
        reference.tick(tick.time_us);
        engine.tick(tick.time_us, &tick.seen);
        for (hitbox, seen) in tick.seen.iter().filter(|(hitbox, _)| !tick.born.contains(hitbox)) {
            reference.see(*hitbox, seen);
        }
        for (hitbox, seen) in tick.seen.iter().filter(|(hitbox, _)| tick.born.contains(hitbox)) {
            let first = if let Seen::Here(sample) = seen { Some(sample) } else { None };
            let spec = scene.hitboxes[*hitbox];
            let place = engine.register(*hitbox, &spec, first);
            reference.register(*hitbox, spec, place, first);
        }
        for question in &tick.questions {
            match question {
                Question::Cast(cast) => {
                    if let Ok(answer) = engine.cast(cast) {
                        visit(cast, &targets(&reference, &scene, cast), answer);
                    }
                }
                Question::Sweep(sweep) => {
                    if let Ok(answer) = engine.sweep(sweep) {
                        each_piece(&reference, sweep, answer, &mut visit);
                    }
                }
                _ => {}
            }
        }
    }
}

/// The pieces of a sweep as casts among targets that move, up to that of the hit. A piece in which
/// somebody is held is left out: parry3d knows no tolerance.
fn each_piece(reference: &Reference, sweep: &Sweep, answer: Option<Hit>, visit: &mut impl FnMut(&Cast, &[Target], Option<Hit>)) {
    let narrow = |point: [i64; 3]| point.map(|it| i32::try_from(it).unwrap());
    for (number, piece) in reference.pieces(sweep.start_us, sweep.end_us).into_iter().enumerate() {
        let found = reference.targets(sweep, piece);
        let hit = answer.filter(|hit| hit.piece as usize == number);
        if found.iter().all(|(_, target)| target.until_us.is_none()) {
            let (from, to) = (Reference::position(sweep, piece.0), Reference::position(sweep, piece.1));
            let (from, to, radius, filter) = (narrow(from), narrow(to), sweep.radius, sweep.filter);
            let cast = Cast { from, to, radius, time_us: piece.0, clamp: true, filter };
            let moving = found.iter().map(|(hitbox, target)| {
                let Hitbox { from: centre, by, half_axis, reach: radius, .. } = *target;
                Target { hitbox: *hitbox, pose: Pose { centre, half_axis, radius, half_height: radius }, by }
            });
            visit(&cast, &moving.collect::<Vec<_>>(), hit);
        }
        if hit.is_some() {
            return;
        }
    }
}

#[test]
fn every_disagreement_with_parry_is_explained() {
    let mut verdicts: BTreeMap<Verdict, u64> = BTreeMap::new();
    let mut hits = 0;
    for seed in 0..20 {
        each_cast(seed, |cast, targets, engine| {
            // Of two at the same time the engine's places decide, which are not known here.
            let exact = exactly(cast, targets);
            assert_eq!(exact.map(|(_, n)| n), engine.map(|hit| hit.n), "seed {seed}: {cast:?}");
            let agreed = judge(cast, targets, engine.map(|hit| (hit.hitbox, hit.n)));
            assert!(matches!(agreed, Verdict::Same | Verdict::NearTie), "seed {seed}: {cast:?}");
            let answer = by_parry(cast, targets);
            let verdict = judge(cast, targets, answer);
            assert_ne!(verdict, Verdict::Unexplained, "seed {seed}: {cast:?} {targets:?}: {answer:?} and not {exact:?}");
            *verdicts.entry(verdict).or_default() += 1;
            hits += u64::from(exact.is_some());
        });
    }
    println!("{hits} hits: {verdicts:?}");
    let count = |verdict| verdicts.get(&verdict).copied().unwrap_or_default();
    let all: u64 = verdicts.values().sum();
    assert!(hits > 3_000 && count(Verdict::Same) * 100 > all * 98, "{verdicts:?}");
    assert!(count(Verdict::Contradiction) * 500 < all, "{verdicts:?}");
}

#[test]
fn an_answer_that_is_wrong_is_no_agreement() {
    let mut wrong = [0_u64; 3];
    let mut all = 0;
    for seed in 0..5 {
        each_cast(seed, |cast, targets, _| {
            let Some((hitbox, n)) = exactly(cast, targets) else { return };
            all += 1;
            // Nothing, nobody that is there, and a 256th of the way too late.
            for (answer, count) in [None, Some((usize::MAX, n)), Some((hitbox, n + (1 << 22)))].into_iter().zip(&mut wrong) {
                *count += u64::from(judge(cast, targets, answer) >= Verdict::Inexact);
            }
        });
    }
    // The others only graze, or go no further than a hand, as many pieces do.
    assert!(all > 500 && wrong.iter().all(|count| count * 100 > all * 90), "{wrong:?} of {all}");
}
