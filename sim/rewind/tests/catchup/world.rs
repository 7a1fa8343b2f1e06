//! The present world in the window: walls, destructibles, tags, wrappers, ties.

use super::rig::{World, body, bullet, cm};
use snapback_core::{Fx, Vec3};
use snapback_rewind::catchup::Outcome;
use snapback_rewind::flight::{FlightCounters, FlightEnd, ImpactRule, ImpactTarget, ProjectileSpec, Verdict};
use snapback_rewind::live::{ColliderDesc, ColliderKind, Solid};
use snapback_rewind::*;

const FOE: MatchTeam = MatchTeam::new(2);

#[test]
fn a_wall_in_the_window_stops_it() {
    for kind in [ColliderKind::WorldStatic, ColliderKind::WorldDynamic] {
        let mut world = World::new(10_000, 30, &[body(7, FOE, |_| [0, 0, 1_000])]);
        assert_eq!(world.victims(&world.shot(200_000, 0, bullet())), [7]);
        world.wall(50, kind, 600);
        let (launched, host) = world.launch(&world.shot(200_000, 0, bullet()));
        assert!(host.victims().is_empty());
        assert_eq!(launched.report.outcome, Outcome::Over(FlightEnd::Stopped));
        let ImpactTarget::Collider(hit) = host.impacts[0].target else { panic!() };
        assert_eq!((hit.actor, hit.kind, host.impacts[0].normal), (ActorId(50), kind, -Vec3::Z));
        // It touched the wall: 600 - 5 of the wall - 5 of its own.
        assert!((host.impacts[0].position.z - Fx::from_int(590)).abs() < Fx::ratio(1, 50), "{:?}", host.impacts[0].position);
    }
}

#[test]
fn a_wall_behind_the_target_does_not() {
    let mut world = World::new(10_000, 30, &[body(7, FOE, |_| [0, 0, 500])]);
    world.wall(50, ColliderKind::WorldStatic, 600);
    assert_eq!(world.victims(&world.shot(200_000, 0, bullet())), [7]);
}

#[test]
fn a_neutral_destructible_is_damaged_by_any_team() {
    let filter = QueryFilter { ignore_same_team: true, ..QueryFilter::default() };
    for (team, kind) in [(1, ColliderKind::Destructible), (2, ColliderKind::Destructible), (u16::MAX, ColliderKind::Destructible)] {
        let mut world = World::new(10_000, 30, &[]);
        let building = world.wall(50, kind, 600);
        assert_eq!(world.scene.get(building).unwrap().team, MatchTeam::NONE);
        let spec = ProjectileSpec { team: MatchTeam::new(team), filter, ..bullet() };
        assert_eq!(world.victims(&world.shot(200_000, 0, spec)), [50]);
    }
}

#[test]
fn a_destructible_of_a_team_stops_its_own_and_is_damaged_by_others_only() {
    for (ignore_same_team, ignore_team, own, damaged) in [
        (true, MatchTeam::NONE, 1, 0),
        (true, MatchTeam::NONE, 2, 1),
        (true, MatchTeam::NONE, u16::MAX, 1),
        (false, MatchTeam::NONE, 1, 1),
        (false, MatchTeam::new(1), 2, 0),
        (false, MatchTeam::new(2), 2, 1),
    ] {
        let mut world = World::new(10_000, 30, &[]);
        let building = world.wall(50, ColliderKind::Destructible, 600);
        world.scene.set_team(building, MatchTeam::new(1)).unwrap();
        let filter = QueryFilter { ignore_same_team, ignore_team, ..QueryFilter::default() };
        let spec = ProjectileSpec { team: MatchTeam::new(own), filter, ..bullet() };
        let (launched, _) = world.launch(&world.shot(200_000, 0, spec));
        assert_eq!((launched.report.impacts, launched.report.hits), (1, damaged), "{filter:?} {own}");
    }
}

#[test]
fn a_blocker_of_an_ignored_team_blocks_and_is_not_damaged() {
    let mut world = World::new(10_000, 30, &[]);
    let shield = world.wall(50, ColliderKind::WorldDynamic, 600);
    world.scene.set_team(shield, FOE).unwrap();
    world.scene.set_damageable(shield, true).unwrap();
    let mut hits = |ignore_team: MatchTeam| {
        let filter = QueryFilter { ignore_team, ..QueryFilter::default() };
        let (launched, _) = world.launch(&world.shot(200_000, 0, ProjectileSpec { filter, ..bullet() }));
        (launched.report.impacts, launched.report.hits)
    };
    assert_eq!((hits(FOE), hits(MatchTeam::NONE)), ((1, 0), (1, 1)));
}

/// A hitbox that can be damaged up to the tick at which the seventh step of the ball begins.
fn armoured_late(only_damageable: bool) -> Vec<(u64, bool)> {
    let until_us = super::rig::T0 + 170_000;
    let at = move |time_us| Sampled::Here(HitboxSample { damageable: time_us <= until_us, ..super::rig::sample(cm(0, 0, 810), FOE, 0) });
    let mut world = World::new(10_000, 30, &[super::rig::Mover { at: Box::new(at), ..body(7, FOE, |_| [0; 3]) }]);
    let filter = QueryFilter { only_damageable, ..QueryFilter::default() };
    let (_, host) = world.launch(&world.shot(200_000, 0, ProjectileSpec { filter, ..bullet() }));
    host.impacts.iter().map(|impact| (impact.time_us - super::rig::T0, impact.damage)).collect()
}

#[test]
fn what_a_filter_let_through_as_damageable_is_damaged() {
    // It touches at three quarters of a piece: the nearer tick says no, the middle of the piece, by which it was let through, yes.
    let with = armoured_late(true);
    assert!(matches!(with[..], [(176_000..=178_999, true)]), "{with:?}");
    // Who wants also what cannot be damaged believes the nearer tick.
    let without = armoured_late(false);
    assert_eq!(without, [(with[0].0, false)]);
}

#[test]
fn a_shield_stops_a_shot_that_asks_for_more_than_what_can_be_damaged() {
    let shield = |_: u64| Sampled::Here(HitboxSample { damageable: false, blocking: true, ..super::rig::sample(cm(0, 0, 500), FOE, 0) });
    let shield = super::rig::Mover { at: Box::new(shield), ..body(8, FOE, |_| [0; 3]) };
    let mut world = World::new(10_000, 30, &[body(7, FOE, |_| [0, 0, 900]), shield]);
    // The default asks for what can be damaged, and a shield cannot.
    assert_eq!(world.victims(&world.shot(200_000, 0, bullet())), [7]);
    let filter = QueryFilter { only_damageable: false, ..QueryFilter::default() };
    let (launched, host) = world.launch(&world.shot(200_000, 0, ProjectileSpec { filter, ..bullet() }));
    assert_eq!(launched.report.outcome, Outcome::Over(FlightEnd::Stopped));
    let met: Vec<_> = host.impacts.iter().map(|impact| (impact.target.actor(), impact.damage)).collect();
    assert_eq!(met, [(ActorId(8), false)]);
    // One that leaves out what blocks passes it.
    let filter = QueryFilter { only_damageable: false, include_blocking: false, ..QueryFilter::default() };
    assert_eq!(world.victims(&world.shot(200_000, 0, ProjectileSpec { filter, ..bullet() })), [7]);
}

#[test]
fn room_is_kept_for_the_collider_that_a_bounce_leaves() {
    let mut world = World::new(10_000, 30, &[]);
    for wall in 0..20 {
        world.wall(50 + wall, ColliderKind::WorldStatic, 100 + wall as i32 * 50);
    }
    let spec = ProjectileSpec { on_impact: ImpactRule::Pierce, max_impacts: 100, ..bullet() };
    let (launched, host) = world.launch(&world.shot(200_000, 0, spec));
    // 16 colliders have room, one of which is kept.
    assert_eq!((launched.report.outcome, host.impacts.len()), (Outcome::Over(FlightEnd::TargetsUsed), 15));
}

#[test]
fn a_blocker_of_the_own_team_blocks_and_is_not_damaged() {
    let filter = QueryFilter { ignore_same_team: true, ..QueryFilter::default() };
    let mut world = World::new(10_000, 30, &[]);
    let shield = world.wall(50, ColliderKind::WorldDynamic, 600);
    world.scene.set_team(shield, MatchTeam::new(1)).unwrap();
    world.scene.set_damageable(shield, true).unwrap();
    let mut hits = |own: u16| {
        let (launched, _) = world.launch(&world.shot(200_000, 0, ProjectileSpec { team: MatchTeam::new(own), filter, ..bullet() }));
        (launched.report.impacts, launched.report.hits)
    };
    assert_eq!((hits(1), hits(2)), ((1, 0), (1, 1)));
}

#[test]
fn the_tag_lag_comp_ignore_is_for_the_sweep_of_catch_up_only() {
    // A tagged wall, and a tagged actor that also has a history: the tag is the collider's alone.
    let mut world = World::new(10_000, 30, &[body(60, FOE, |_| [0, 0, 900])]);
    let solid = Solid::cuboid(Vec3::from_ints(300, 300, 5)).unwrap();
    let tagged = |actor: u64, z: i32| ColliderDesc {
        actor: ActorId(actor),
        kind: ColliderKind::WorldDynamic,
        team: MatchTeam::NONE,
        damageable: false,
        lag_comp_ignore: true,
        solid,
        place: cm(0, 0, z),
    };
    world.scene.add(tagged(50, 400)).unwrap();
    world.scene.add(tagged(60, 500)).unwrap();
    assert_eq!(world.victims(&world.shot(200_000, 0, bullet())), [60]);

    // The same wall is met in live flight.
    let (mut launched, _) = world.launch(&world.shot(30_000, 0, bullet()));
    let mut met = Vec::new();
    let mut counters = FlightCounters::default();
    for _ in 0..5 {
        let note = &mut |impact: &flight::Impact| {
            met.push(impact.target.actor());
            Ok::<_, ()>(Verdict::GoOn)
        };
        launched.flight.tick_live(&world.scene, None, &mut counters, &mut (), note).unwrap();
    }
    assert_eq!(met, [ActorId(50)]);
}

#[test]
fn a_wrapper_is_hit_as_itself() {
    // A placement actor around a building: its box is met first, and no child is looked for.
    let mut world = World::new(10_000, 30, &[]);
    world.wall(51, ColliderKind::Destructible, 610);
    let wrapper = world.wall(50, ColliderKind::WorldDynamic, 600);
    let (_, host) = world.launch(&world.shot(200_000, 0, bullet()));
    let ImpactTarget::Collider(hit) = host.impacts[0].target else { panic!() };
    assert_eq!((hit.collider, hit.actor, host.victims().len()), (wrapper, ActorId(50), 0));
}

#[test]
fn ties_go_to_the_present_and_then_to_the_smaller_collider() {
    // A ball of 30 cm stands where a capsule of 30 cm stands. Along z both begin at the same place.
    let mut world = World::new(10_000, 30, &[body(7, FOE, |_| [0, 0, 500])]);
    let ball = Solid::ball(Fx::from_int(30)).unwrap();
    let first = world.add(50, ColliderKind::WorldDynamic, ball, cm(0, 0, 500));
    world.add(51, ColliderKind::WorldDynamic, ball, cm(0, 0, 500));
    let (_, host) = world.launch(&world.shot(200_000, 0, bullet()));
    let ImpactTarget::Collider(hit) = host.impacts[0].target else { panic!("{:?}", host.impacts[0].target) };
    assert_eq!(hit.collider, first);
    // Nearer by the least bit, the past wins.
    for collider in [live::ColliderId(0), live::ColliderId(1)] {
        world.scene.place(collider, Point { z: cm(0, 0, 500).z + 1, ..Point::ORIGIN }).unwrap();
    }
    assert_eq!(world.victims(&world.shot(200_000, 0, bullet())), [7]);
}

#[test]
fn spawned_inside_a_building_it_hits_once_and_at_once() {
    let mut world = World::new(10_000, 30, &[]);
    world.wall(50, ColliderKind::Destructible, 3);
    let spec = ProjectileSpec { on_impact: ImpactRule::Pierce, max_impacts: 9, ..bullet() };
    let (mut launched, host) = world.launch(&world.shot(200_000, 0, spec));
    assert_eq!(host.victims(), [50]);
    assert_eq!(host.impacts[0].time_us, world.now_us - 200_000);
    // Then its overlap begins.
    let ImpactTarget::Collider(hit) = host.impacts[0].target else { panic!() };
    assert_eq!(launched.flight.overlap(&hit, &mut FlightCounters::default()), None);
}

#[test]
fn a_bounce_off_a_building_damages_once_and_the_building_stays_solid() {
    let mut world = World::new(10_000, 30, &[]);
    world.wall(50, ColliderKind::Destructible, 600);
    world.wall(51, ColliderKind::WorldStatic, -200);
    let spec = ProjectileSpec { on_impact: ImpactRule::Bounce { restitution: Fx::ONE }, max_impacts: 200, ..bullet() };
    let (mut launched, host) = world.launch(&world.shot(250_000, 0, spec));
    // 25 m of way between walls that are 7.8 m apart.
    let actors: Vec<u64> = host.impacts.iter().map(|impact| impact.target.actor().0).collect();
    assert_eq!((actors, host.victims()), (vec![50, 51, 50], vec![50]));
    assert_eq!(launched.report.outcome, Outcome::Missed);
    // Nor does an overlap that the host reports late.
    let ImpactTarget::Collider(hit) = host.impacts[0].target else { panic!() };
    let mut counters = FlightCounters::default();
    assert_eq!((launched.flight.overlap(&hit, &mut counters), counters.overlaps_refused), (None, 1));
    assert_eq!(launched.flight.impacts(), 3);
}
