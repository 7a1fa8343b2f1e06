//! Where in time a projectile meets others after catch-up.

use super::rig::{Mover, T0, World, body, bullet, cm};
use snapback_core::Fx;
use snapback_rewind::catchup::{Launched, Outcome};
use snapback_rewind::flight::{AfterCatchUp, FlightCounters, Gravity, ProjectileSpec, Verdict};
use snapback_rewind::live::{ColliderKind, Solid};
use snapback_rewind::*;

const FOE: MatchTeam = MatchTeam::new(2);
const TICK_US: u32 = 10_000;

/// Whom the projectile damages in this many more ticks, each recorded first, and what that asked.
fn fly(world: &mut World, movers: &[Mover], launched: &mut Launched<u32, Gravity>, ticks: u32) -> (Vec<u64>, FlightCounters) {
    let (mut victims, mut counters) = (Vec::new(), FlightCounters::default());
    for _ in 0..ticks {
        world.record(movers);
        let note = &mut |impact: &flight::Impact| {
            victims.push(impact.target.actor().0);
            Ok::<_, ()>(Verdict::GoOn)
        };
        launched.flight.tick_live(&world.scene, Some(&world.history), &mut counters, &mut (), note).unwrap();
    }
    (victims, counters)
}

fn launch(after: AfterCatchUp, movers: &[Mover]) -> (World, Launched<u32, Gravity>) {
    let world = World::new(TICK_US, 40, movers);
    let spec = ProjectileSpec { muzzle_speed: Fx::from_int(1_000), after, ..bullet() };
    let (launched, _) = world.launch(&world.shot(100_000, 100_000, spec));
    assert_eq!(launched.report.outcome, Outcome::Missed);
    (world, launched)
}

#[test]
fn under_collapse_no_query_of_the_past_is_ever_made_again() {
    let movers = [body(7, FOE, |_| [900, 0, 0])];
    let (mut world, mut launched) = launch(AfterCatchUp::Collapse, &movers);
    assert_eq!(launched.report.past_sweeps, 10);
    let (_, counters) = fly(&mut world, &movers, &mut launched, 100);
    assert_eq!((counters.past_sweeps, counters.rewind), (0, RewindCounters::default()));
    assert_eq!(counters.live_sweeps, 100);
}

#[test]
fn a_constant_delay_keeps_asking() {
    let movers = [body(7, FOE, |_| [900, 0, 0])];
    let (mut world, mut launched) = launch(AfterCatchUp::ConstantDelay, &movers);
    let (_, counters) = fly(&mut world, &movers, &mut launched, 100);
    assert_eq!((counters.past_sweeps, counters.rewind.queries, counters.unanswered), (100, 100, 0));
}

#[test]
fn the_queries_of_a_ramp_end_with_the_delay() {
    for (over_us, queries) in [(0, 0), (1, 1), (100_000, 10), (105_000, 11), (300_000, 30)] {
        let movers = [body(7, FOE, |_| [900, 0, 0])];
        let (mut world, mut launched) = launch(AfterCatchUp::RampToZero { over_us }, &movers);
        let (_, counters) = fly(&mut world, &movers, &mut launched, 100);
        assert_eq!((counters.past_sweeps, counters.unanswered), (queries, 0), "{over_us}");
    }
}

/// Someone who steps out of the way of the ball 50 ms after catch-up, where the ball is 20 ms later.
#[test]
fn each_policy_meets_the_target_of_its_own_time() {
    let aside_us = T0 + 450_000;
    for (after, hit) in [
        (AfterCatchUp::Collapse, false),
        (AfterCatchUp::ConstantDelay, true),
        (AfterCatchUp::RampToZero { over_us: 1_000_000 }, true),
        (AfterCatchUp::RampToZero { over_us: 60_000 }, false),
    ] {
        // 70 ms after catch-up the ball has flown 170 ms and 170 cm; 35 cm before that it touches.
        let movers = [body(7, FOE, move |time_us| if time_us < aside_us { [0, 0, 205] } else { [900, 0, 205] })];
        let (mut world, mut launched) = launch(after, &movers);
        // The present world has the same body, as a pawn.
        let pawn = world.add(7, ColliderKind::Pawn, Solid::capsule(Fx::from_int(30), Fx::from_int(90)).unwrap(), cm(0, 0, 205));
        let (before, _) = fly(&mut world, &movers, &mut launched, 5);
        assert!(before.is_empty());
        world.scene.place(pawn, cm(900, 0, 205)).unwrap();
        let (victims, _) = fly(&mut world, &movers, &mut launched, 10);
        assert_eq!(victims, if hit { vec![7] } else { vec![] }, "{after:?}");
    }
}

#[test]
fn under_collapse_the_present_body_is_hit_once_whatever_its_past() {
    let movers = [body(7, FOE, |_| [0, 0, 205])];
    let (mut world, mut launched) = launch(AfterCatchUp::Collapse, &movers);
    world.add(7, ColliderKind::Pawn, Solid::capsule(Fx::from_int(30), Fx::from_int(90)).unwrap(), cm(0, 0, 205));
    assert_eq!(fly(&mut world, &movers, &mut launched, 50).0, [7]);
}

#[test]
fn while_the_past_is_asked_the_present_body_is_not_met() {
    let movers = [body(7, FOE, |_| [900, 0, 205])];
    let (mut world, mut launched) = launch(AfterCatchUp::ConstantDelay, &movers);
    world.add(7, ColliderKind::Pawn, Solid::ball(Fx::from_int(30)).unwrap(), cm(0, 0, 205));
    assert!(fly(&mut world, &movers, &mut launched, 50).0.is_empty());
}
