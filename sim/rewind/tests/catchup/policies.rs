//! Where in time a projectile meets others after catch-up.

use super::rig::{Mover, T0, World, body, bullet, cm};
use snapback_core::{Fx, Vec3};
use snapback_rewind::catchup::{Launched, Outcome};
use snapback_rewind::flight::{AfterCatchUp, FlightCounters, FlightObserver, Gravity, PathSegment, ProjectileSpec, Verdict};
use snapback_rewind::live::{ColliderDesc, ColliderId, ColliderKind, LiveHit, Solid};
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
    let mut world = World::new(TICK_US, 40, movers);
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

/// What the host's physics says of a body of today that the projectile is in.
fn overlapped(kind: ColliderKind) -> LiveHit {
    let (collider, actor) = (ColliderId(90), ActorId(7));
    LiveHit { at: Toi::START, collider, actor, kind, team: FOE, damageable: true, normal: -Vec3::Z }
}

#[test]
fn an_overlap_with_a_body_of_today_is_refused_as_long_as_there_is_a_delay() {
    let movers = [body(7, FOE, |_| [900, 0, 0])];
    let ramp = AfterCatchUp::RampToZero { over_us: 50_000 };
    for (after, refused_ticks) in [(AfterCatchUp::Collapse, 0), (AfterCatchUp::ConstantDelay, 20), (ramp, 5)] {
        for kind in [ColliderKind::Pawn, ColliderKind::Projectile, ColliderKind::Destructible, ColliderKind::WorldDynamic] {
            let (mut world, mut launched) = launch_at_all(after, &movers);
            for tick in 0..20 {
                let mut flight = launched.flight;
                let mut counters = FlightCounters::default();
                let impact = flight.overlap(&overlapped(kind), &mut counters);
                let is_met = !matches!(kind, ColliderKind::Pawn | ColliderKind::Projectile) || tick >= refused_ticks;
                assert_eq!(impact.map(|impact| impact.damage), is_met.then_some(true), "{after:?} {kind:?} {tick}");
                assert_eq!((counters.overlaps_refused, flight.end().is_none()), (u64::from(!is_met), !is_met));
                fly(&mut world, &movers, &mut launched, 1);
            }
        }
    }
}

/// One that also meets projectiles.
fn launch_at_all(after: AfterCatchUp, movers: &[Mover]) -> (World, Launched<u32, Gravity>) {
    let mut world = World::new(TICK_US, 40, movers);
    let filter = QueryFilter { include_projectiles: true, ..QueryFilter::default() };
    let spec = ProjectileSpec { muzzle_speed: Fx::from_int(1_000), after, filter, ..bullet() };
    let (launched, _) = world.launch(&world.shot(100_000, 100_000, spec));
    (world, launched)
}

#[test]
fn a_catch_up_that_is_skipped_keeps_the_delay_of_the_shooter() {
    for (after, delays_us) in [
        (AfterCatchUp::Collapse, [0, 0]),
        (AfterCatchUp::ConstantDelay, [100_000, 100_000]),
        (AfterCatchUp::RampToZero { over_us: 200_000 }, [100_000, 50_000]),
    ] {
        // Somebody who was in the way until 50 ms ago: seen there by who fires.
        let gone_us = T0 + 350_000;
        let movers = [body(7, FOE, move |time_us| if time_us < gone_us { [0, 0, 60] } else { [900, 0, 60] })];
        let mut world = World::new(TICK_US, 40, &movers);
        let spec = ProjectileSpec { muzzle_speed: Fx::from_int(1_000), after, ..bullet() };
        let (mut launched, host) = world.launch(&world.shot(9_999, 100_000, spec));
        assert_eq!((launched.report.outcome, launched.report.past_sweeps, host.impacts.len()), (Outcome::Skipped, 0, 0));
        let flight = &launched.flight;
        assert_eq!([0, 100_000].map(|after_us| flight.delay_us(world.now_us + after_us)), delays_us, "{after:?}");
        let (victims, _) = fly(&mut world, &movers, &mut launched, 4);
        assert_eq!(victims, if after == AfterCatchUp::Collapse { vec![] } else { vec![7] }, "{after:?}");
    }
}

#[test]
fn a_delay_counts_down_from_the_time_of_the_projectile_not_of_the_world() {
    let movers = [body(7, FOE, |_| [900, 0, 0])];
    let mut world = World::new(TICK_US, 40, &movers);
    let spec = ProjectileSpec { after: AfterCatchUp::RampToZero { over_us: 100_000 }, ..bullet() };
    // 10 ticks, and 6 ms that belong to the first live one.
    let (launched, _) = world.launch(&world.shot(106_000, 100_000, spec));
    let time_us = launched.flight.time_us();
    assert_eq!(time_us, world.now_us - 6_000);
    assert_eq!([0, 6_000, 10_000, 100_000].map(|us| launched.flight.delay_us(time_us + us)), [100_000, 94_000, 90_000, 0]);
}

/// Where in time the ways of a flight meet others.
#[derive(Default)]
struct Targets(Vec<Option<(u64, u64)>>);

impl FlightObserver for Targets {
    fn segment(&mut self, segment: &PathSegment) {
        self.0.push(segment.target_us);
    }
}

#[test]
fn a_tick_of_a_ramp_has_the_delays_of_both_its_ends() {
    let movers = [body(7, FOE, |_| [900, 0, 0])];
    let (mut world, mut launched) = launch(AfterCatchUp::RampToZero { over_us: 30_000 }, &movers);
    let mut targets = Targets::default();
    let start_us = launched.flight.time_us();
    for _ in 0..4 {
        world.record(&movers);
        let go_on = &mut |_: &flight::Impact| Ok::<_, ()>(Verdict::GoOn);
        launched.flight.tick_live(&world.scene, Some(&world.history), &mut FlightCounters::default(), &mut targets, go_on).unwrap();
    }
    let at = |us: u64, delay_us: u64| start_us + us - delay_us;
    let expected = [
        Some((at(0, 100_000), at(10_000, 66_666))),
        Some((at(10_000, 66_666), at(20_000, 33_333))),
        Some((at(20_000, 33_333), at(30_000, 0))),
        None,
    ];
    assert_eq!(targets.0, expected);
}

#[test]
fn the_tag_lag_comp_ignore_is_nothing_to_live_ticks_that_ask_the_past() {
    let movers = [body(7, FOE, |_| [900, 0, 0])];
    let (mut world, mut launched) = launch(AfterCatchUp::ConstantDelay, &movers);
    let solid = Solid::cuboid(Vec3::from_ints(300, 300, 5)).unwrap();
    let (actor, kind, team, place) = (ActorId(50), ColliderKind::WorldDynamic, MatchTeam::NONE, cm(0, 0, 150));
    world.scene.add(ColliderDesc { actor, kind, team, damageable: false, lag_comp_ignore: true, solid, place }).unwrap();
    let (victims, counters) = fly(&mut world, &movers, &mut launched, 10);
    assert_eq!(victims, [50]);
    assert!(counters.past_sweeps > 0);
}
