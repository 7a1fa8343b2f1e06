//! Filter, own body, one hit per actor, and no allocation.

use super::counting::allocations;
use super::*;

fn team(number: u16, sample: HitboxSample) -> HitboxSample {
    HitboxSample { team: MatchTeam::new(number), ..sample }
}

#[test]
fn the_filter_decides_who_can_be_met() {
    let (history, _) = history(&[
        stands(ActorId(2), team(1, body(cm(100, 0, 0)))),
        stands(ActorId(3), team(2, body(cm(-100, 0, 0)))),
        stands(ActorId(4), body(cm(0, 0, 100))),
        stands(ActorId(5), HitboxSample { damageable: false, ..body(cm(0, 0, -100)) }),
    ]);
    for time in TIMES {
        let actors = |filter: QueryFilter| {
            let hits = resolve(&AreaWeapon { filter, ..weapon(time) }, &blast(), &history, &OPEN).unwrap();
            hits.iter().map(|hit| hit.frame.actor.0).collect::<Vec<_>>()
        };
        assert_eq!(actors(QueryFilter::default()), [2, 3, 4]);
        assert_eq!(actors(QueryFilter { own_team: MatchTeam::new(1), ignore_same_team: true, ..QueryFilter::default() }), [3, 4]);
        assert_eq!(actors(QueryFilter { ignore_same_team: true, ..QueryFilter::default() }), [2, 3, 4]);
        assert_eq!(actors(QueryFilter { ignore_actor: Some(ActorId(3)), only_damageable: false, ..QueryFilter::default() }), [2, 4, 5]);
    }
}

/// At the time of the explosion the shooter had jumped back into the blast, and is in it again now.
fn jumper() -> Mover {
    let is_inside = |tick| tick <= 7 || (14..17).contains(&tick) || tick >= 19;
    mover(SHOOTER, move |tick| Some(team(1, body(cm(if is_inside(tick) { 100 } else { 900 }, 0, 0)))))
}

#[test]
fn shooters_hurt_themselves_only_if_the_weapon_says_so_and_where_they_are_without_view_delay() {
    let (history, _) = history(&[jumper()]);
    for time in TIMES {
        // Nothing but the weapon's own rule spares them.
        assert_eq!(resolve(&weapon(time), &blast(), &history, &OPEN), Ok(Vec::new()), "{time:?}");
        let hurts = AreaWeapon { own: OwnBody::Hurt, ..weapon(time) };
        let times: Vec<u64> = resolve(&hurts, &blast(), &history, &OPEN).unwrap().iter().map(|hit| hit.frame.time_us).collect();
        assert_eq!(times, [if time == AreaTime::Present { NOW_US } else { NOW_US - 50_000 }], "{time:?}");
    }
}

#[test]
fn no_rule_of_actors_and_teams_protects_shooters_from_themselves() {
    let (history, _) = history(&[jumper()]);
    let own = MatchTeam::new(1);
    for filter in [
        QueryFilter { ignore_actor: Some(SHOOTER), ..QueryFilter::default() },
        QueryFilter { ignore_team: own, ..QueryFilter::default() },
        QueryFilter { own_team: own, ignore_same_team: true, ..QueryFilter::default() },
    ] {
        for time in TIMES {
            let hurts = AreaWeapon { filter, own: OwnBody::Hurt, ..weapon(time) };
            assert_eq!(resolve(&hurts, &blast(), &history, &OPEN).unwrap().len(), 1, "{filter:?} {time:?}");
        }
    }
}

#[test]
fn one_hit_per_actor_by_its_nearest_hitbox() {
    let (history, ids) = history(&[
        stands(ActorId(9), ball(cm(200, 0, 0), 20)),
        stands(ActorId(9), ball(cm(150, 0, 0), 20)),
        stands(ActorId(9), ball(cm(160, 0, 0), 40)),
        stands(ActorId(3), ball(cm(0, 0, 100), 20)),
    ]);
    let hits = resolve(&weapon(AreaTime::Historical), &blast(), &history, &OPEN).unwrap();
    // In the order of actors. The third ball's surface is nearer than the second's, its centre is not.
    assert_eq!(hits.iter().map(|hit| hit.frame.hitbox).collect::<Vec<_>>(), [ids[3], ids[2]]);
}

#[test]
fn equally_near_hitboxes_are_decided_by_the_smaller_index() {
    let (history, ids) = history(&[
        stands(TARGET, ball(cm(0, 0, -100), 20)),
        stands(TARGET, ball(cm(100, 0, 0), 20)),
        stands(TARGET, ball(cm(0, 100, 0), 20)),
    ]);
    let smallest = ids.iter().min_by_key(|id| id.index()).unwrap();
    let hits = resolve(&weapon(AreaTime::Present), &blast(), &history, &OPEN).unwrap();
    assert_eq!((hits.len(), hits[0].frame.hitbox), (1, *smallest));
}

#[test]
fn a_hitbox_behind_a_wall_does_not_hide_another_that_is_in_sight() {
    let (history, ids) = history(&[stands(TARGET, ball(cm(150, 0, 0), 20)), stands(TARGET, ball(cm(-200, 0, 0), 20))]);
    let hits = resolve(&weapon(AreaTime::Historical), &blast(), &history, &Wall(Some((100, 500)))).unwrap();
    assert_eq!((hits.len(), hits[0].frame.hitbox), (1, ids[1]));
}

#[test]
fn sight_goes_to_the_centre_or_to_the_nearest_point_as_the_weapon_says() {
    // An explosion 1.5 m up: over a wall of 1 m it sees the upper end of somebody whose centre is
    // hidden.
    let (history, _) = history(&[stands(TARGET, body(cm(200, 50, 0)))]);
    let high = AreaBlast { centre: cm(0, 120, 0), ..blast() };
    let wall = Wall(Some((100, 100)));
    let hits = |sight: SightRule| resolve(&AreaWeapon { sight, ..weapon(AreaTime::Historical) }, &high, &history, &wall).unwrap().len();
    assert_eq!((hits(SightRule::ToCentre), hits(SightRule::ToNearest), hits(SightRule::Through)), (0, 1, 1));
}

#[test]
fn exploding_allocates_nothing_after_the_first_time() {
    let movers: Vec<Mover> = (0..40).map(|at| stands(ActorId(at), body(cm(at as i32 * 10, 0, 0)))).collect();
    let (history, ids) = history(&movers);
    let (mut scratch, mut out, mut counters) = (AreaScratch::with_capacity(64), Vec::with_capacity(64), RewindCounters::default());
    for time in TIMES {
        let weapon = AreaWeapon { own: OwnBody::Hurt, centre: CentreRule::WithTarget, ..weapon(time) };
        let blast = AreaBlast { on: Some(ids[0]), ..blast() };
        let count = allocations(|| weapon.resolve(&blast, &history, &OPEN, &mut scratch, &mut out, &mut counters).unwrap());
        assert_eq!((count, out.len()), (0, 34), "{time:?}");
    }
}

#[test]
fn memory_for_more_hitboxes_than_there_can_be_is_that_for_as_many_as_there_can_be() {
    let (history, _) = history(&[stands(TARGET, body(cm(100, 0, 0)))]);
    let (mut scratch, mut out) = (AreaScratch::with_capacity(usize::MAX), Vec::new());
    weapon(HYBRID).resolve(&blast(), &history, &OPEN, &mut scratch, &mut out, &mut RewindCounters::default()).unwrap();
    assert_eq!(out.len(), 1);
}

#[test]
fn a_weapon_with_a_number_out_of_range_is_named_and_brought_into_range() {
    let bad = |weapon: AreaWeapon| weapon.validate().unwrap_err().field;
    assert_eq!(bad(AreaWeapon { radius_units: -1, ..weapon(HYBRID) }), "radius_units");
    assert_eq!(bad(AreaWeapon { full_units: 3 * UNITS_PER_METRE + 1, ..weapon(HYBRID) }), "full_units");
    assert_eq!(bad(weapon(AreaTime::Hybrid { grace_units: i32::MAX })), "grace_units");
    let (history, _) = history(&[stands(TARGET, body(cm(100, 0, 0)))]);
    for radius_units in [i32::MIN, i32::MAX] {
        let wild = AreaWeapon { radius_units, full_units: i32::MAX, ..weapon(AreaTime::Hybrid { grace_units: i32::MAX }) };
        let mut out = Vec::new();
        wild.resolve(&blast(), &history, &OPEN, &mut AreaScratch::default(), &mut out, &mut RewindCounters::default()).unwrap();
        assert_eq!(out.len(), usize::from(radius_units > 0));
    }
}
