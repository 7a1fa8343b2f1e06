//! Who is hit, and how often: once, by authority, and nobody whom the teams protect.

use super::rig::{Range, TICK_US, ball, cm, cuboid, flight};
use snapback_core::{Fx, Vec3};
use snapback_rewind::flight::{Flight, FlightCounters, FlightEnd, FlightOwner, ImpactRule, ProjectileSpec, Shot, TickError, Verdict};
use snapback_rewind::live::{ColliderId, ColliderKind, LiveHit, Solid};
use snapback_rewind::{ActorId, MatchTeam, NetRole, QueryFilter, Toi, WorldKind};

fn pierce(max_impacts: u32) -> ProjectileSpec {
    ProjectileSpec { max_impacts, on_impact: ImpactRule::Pierce, ..ProjectileSpec::default() }
}

fn pawns(range: &mut Range, actors: core::ops::Range<u64>, team: u16) {
    for actor in actors {
        let body = Solid::capsule(Fx::from_int(30), Fx::from_int(90)).unwrap();
        range.add(actor, ColliderKind::Pawn, team, body, cm(0, 0, 100 * (actor as i32 - 9)));
    }
}

fn shoot(range: &mut Range, spec: ProjectileSpec) -> Flight {
    let mut bullet = flight(spec, Vec3::ZERO, Vec3::from_ints(0, 0, 10_000));
    range.ticks(&mut bullet, 30);
    bullet
}

fn overlap(actor: u64, kind: ColliderKind, damageable: bool) -> LiveHit {
    let (collider, actor) = (ColliderId(900 + actor), ActorId(actor));
    LiveHit { at: Toi::START, collider, actor, kind, team: MatchTeam::new(2), damageable, normal: Vec3::Z }
}

#[test]
fn one_that_pierces_hits_each_once_in_their_order() {
    let mut range = Range::new();
    pawns(&mut range, 10..20, 2);
    range.wall(cuboid(100, 100, 2), cm(0, 0, 150));
    let bullet = shoot(&mut range, pierce(255));
    assert_eq!(range.victims(), (10..20).collect::<Vec<_>>());
    assert_eq!((range.impacts.len(), bullet.end()), (11, None));
    assert!(range.impacts.iter().zip(1..).all(|(impact, number)| impact.number == number));
}

#[test]
fn after_its_impacts_nothing_is_handled_neither_by_flight_nor_by_overlap() {
    let mut range = Range::new();
    pawns(&mut range, 10..20, 2);
    let mut bullet = shoot(&mut range, pierce(4));
    assert_eq!((range.victims(), bullet.end()), (vec![10, 11, 12, 13], Some(FlightEnd::ImpactsUsed)));
    let mut counters = FlightCounters::default();
    assert_eq!(bullet.overlap(&overlap(19, ColliderKind::Pawn, true), &mut counters), None);
    assert_eq!((counters.overlaps_refused, counters.impacts), (1, 0));
}

#[test]
fn a_shot_that_is_through_with_too_many_is_over() {
    let mut range = Range::new();
    pawns(&mut range, 10..40, 2);
    let bullet = shoot(&mut range, pierce(255));
    // Sixteen, of which the shooter is one.
    assert_eq!((range.victims().len(), bullet.end()), (15, Some(FlightEnd::TargetsUsed)));
}

#[test]
fn an_overlap_and_a_sweep_share_one_ledger() {
    let mut range = Range::new();
    pawns(&mut range, 10..13, 2);
    let mut bullet = flight(pierce(255), Vec3::ZERO, Vec3::from_ints(0, 0, 10_000));
    let mut counters = FlightCounters::default();
    let first = bullet.overlap(&overlap(11, ColliderKind::Pawn, true), &mut counters).unwrap();
    assert!(first.damage && bullet.ledger().is_resolved(ActorId(11)));
    range.ticks(&mut bullet, 30);
    assert_eq!(range.victims(), [10, 12]);
    for actor in 10..13 {
        assert_eq!(bullet.overlap(&overlap(actor, ColliderKind::Pawn, true), &mut counters), None);
    }
    assert_eq!(counters.overlaps_refused, 3);
}

#[test]
fn an_overlap_ends_one_that_stops_and_walls_are_no_business_of_a_bouncing_one() {
    let mut counters = FlightCounters::default();
    let mut stopping = flight(ProjectileSpec::default(), Vec3::ZERO, Vec3::Z);
    assert!(stopping.overlap(&overlap(10, ColliderKind::Destructible, true), &mut counters).unwrap().damage);
    assert_eq!(stopping.end(), Some(FlightEnd::Stopped));
    let mut bouncing = flight(ball(Fx::ONE), Vec3::ZERO, Vec3::Z);
    assert_eq!(bouncing.overlap(&overlap(10, ColliderKind::WorldStatic, false), &mut counters), None);
    assert!(bouncing.overlap(&overlap(10, ColliderKind::Destructible, true), &mut counters).is_some());
    assert_eq!(bouncing.overlap(&overlap(10, ColliderKind::Destructible, true), &mut counters), None);
    // The building stays in its way.
    let mut range = Range::new();
    range.add(10, ColliderKind::Destructible, 2, cuboid(50, 50, 5), cm(0, 0, 60));
    let mut bouncing = flight(ball(Fx::ONE), Vec3::ZERO, Vec3::from_ints(0, 0, 10_000));
    assert!(bouncing.overlap(&overlap(10, ColliderKind::Destructible, true), &mut counters).is_some());
    range.ticks(&mut bouncing, 1);
    assert_eq!((bouncing.impacts(), range.victims().len()), (2, 0));
}

#[test]
fn a_local_dummy_never_damages_and_a_client_is_no_authority() {
    assert!(FlightOwner::authority(WorldKind::Game, NetRole::Client).is_err());
    assert!(FlightOwner::authority(WorldKind::EditorPreview, NetRole::Authority).is_err());
    let mut range = Range::new();
    pawns(&mut range, 10..13, 2);
    range.add(20, ColliderKind::Destructible, u16::MAX, cuboid(100, 100, 2), cm(0, 0, 800));
    let shot = Shot { shooter: ActorId(1), sequence: 5, muzzle: Vec3::ZERO, velocity: Vec3::from_ints(0, 0, 10_000), fire_us: 0 };
    let mut dummy = Flight::new(FlightOwner::LocalDummy, pierce(255), pierce(255).ballistics(), shot, TICK_US).unwrap();
    range.ticks(&mut dummy, 30);
    // It shows the same impacts.
    assert_eq!((range.impacts.len(), range.victims().len()), (4, 0));
    assert!(!dummy.overlap(&overlap(30, ColliderKind::Pawn, true), &mut FlightCounters::default()).unwrap().damage);
}

#[test]
fn one_that_does_not_damage_hits_all_the_same() {
    let mut range = Range::new();
    pawns(&mut range, 10..13, 2);
    shoot(&mut range, ProjectileSpec { damages: false, ..pierce(255) });
    assert_eq!((range.impacts.len(), range.victims().len()), (3, 0));
}

#[test]
fn pawns_of_the_own_team_are_passed_if_the_filter_says_so() {
    let filter = QueryFilter { ignore_same_team: true, ..QueryFilter::default() };
    for (team, ignored, victims) in [(1, true, 0), (1, false, 3), (2, true, 3), (u16::MAX, true, 3)] {
        let mut range = Range::new();
        pawns(&mut range, 10..13, team);
        let filter = if ignored { filter } else { QueryFilter::default() };
        shoot(&mut range, ProjectileSpec { filter, ..pierce(255) });
        assert_eq!((range.impacts.len(), range.victims().len()), (victims, victims), "{team} {ignored}");
    }
}

#[test]
fn projectiles_of_the_present_are_met_only_if_the_spec_says_so() {
    for include in [false, true] {
        let mut range = Range::new();
        range.add(30, ColliderKind::Projectile, 2, Solid::ball(Fx::from_int(5)).unwrap(), cm(0, 0, 300));
        let filter = QueryFilter { include_projectiles: include, ..QueryFilter::default() };
        shoot(&mut range, ProjectileSpec { filter, ..pierce(255) });
        assert_eq!(range.victims().len(), usize::from(include));
    }
}

#[test]
fn an_impact_that_the_host_fails_to_handle_ends_the_flight_and_is_not_handled_again() {
    let mut range = Range::new();
    pawns(&mut range, 10..13, 2);
    let mut bullet = flight(pierce(255), Vec3::ZERO, Vec3::from_ints(0, 0, 10_000));
    let mut calls = 0;
    for tick in 0..30 {
        let fail = &mut |_: &_| {
            calls += 1;
            Err::<Verdict, _>("no")
        };
        let ticked = bullet.tick_live(&range.scene, None, &mut range.counters, &mut (), fail);
        assert!(ticked == Ok(()) || ticked == Err(TickError::Host("no")), "tick {tick}");
    }
    assert_eq!((calls, bullet.end()), (1, Some(FlightEnd::Ended)));
}
