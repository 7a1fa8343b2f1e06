//! Historical, present, hybrid: who left, who came, who took cover, who lives again.

use super::*;

const NONE: [u64; 0] = [];

#[test]
fn who_stays_is_met_under_every_policy() {
    assert_eq!(met(&[stands(TARGET, body(cm(200, 0, 0)))], &OPEN), [[2], [2], [2]]);
    assert_eq!(met(&[stands(TARGET, body(cm(331, 0, 0)))], &OPEN), [NONE, NONE, NONE]);
}

#[test]
fn who_left_is_met_in_the_past_only() {
    let [historical, present, hybrid] = met(&[goes(TARGET, cm(200, 0, 0), cm(900, 0, 0))], &OPEN);
    assert_eq!((historical.as_slice(), present.as_slice(), hybrid.as_slice()), (&[2][..], &[][..], &[][..]));
}

#[test]
fn who_left_by_a_step_got_not_away_under_hybrid() {
    // 4 m of radius and grace and 30 cm of body: the edge.
    for (x_cm, expected) in [(360, &[2][..]), (430, &[2][..]), (431, &[][..])] {
        let [historical, present, hybrid] = met(&[goes(TARGET, cm(200, 0, 0), cm(x_cm, 0, 0))], &OPEN);
        assert_eq!((historical.as_slice(), present.as_slice()), (&[2][..], &[][..]), "{x_cm}");
        assert_eq!(hybrid, expected, "{x_cm}");
    }
}

#[test]
fn who_came_is_met_at_present_only() {
    let [historical, present, hybrid] = met(&[goes(TARGET, cm(900, 0, 0), cm(200, 0, 0))], &OPEN);
    assert_eq!((historical.as_slice(), present.as_slice(), hybrid.as_slice()), (&[][..], &[2][..], &[][..]));
}

#[test]
fn a_wall_between_protects_in_the_poses_that_are_used() {
    // Inside of the radius all the time, first in the open at x -150, then behind the wall at x 100.
    let wall = Wall(Some((100, 500)));
    let [historical, present, hybrid] = met(&[goes(TARGET, cm(-150, 0, 0), cm(150, 0, 0))], &wall);
    assert_eq!((historical.as_slice(), present.as_slice(), hybrid.as_slice()), (&[2][..], &[][..], &[][..]));
    // And the other way round: behind it when the shooter looked.
    let [historical, present, hybrid] = met(&[goes(TARGET, cm(150, 0, 0), cm(-150, 0, 0))], &wall);
    assert_eq!((historical.as_slice(), present.as_slice(), hybrid.as_slice()), (&[][..], &[2][..], &[][..]));
    assert_eq!(met(&[stands(TARGET, body(cm(150, 0, 0)))], &wall), [NONE, NONE, NONE]);
}

#[test]
fn a_weapon_that_goes_through_walls_asks_for_no_sight() {
    let (history, _) = history(&[stands(TARGET, body(cm(150, 0, 0)))]);
    for time in TIMES {
        let through = AreaWeapon { sight: SightRule::Through, ..weapon(time) };
        assert_eq!(resolve(&through, &blast(), &history, &Wall(Some((100, 500)))).unwrap().len(), 1);
    }
}

#[test]
fn who_died_or_teleported_since_is_let_off_under_hybrid() {
    let gone = mover(TARGET, |tick| (tick < 10).then(|| body(cm(200, 0, 0))));
    assert_eq!(met(&[gone], &OPEN)[2], NONE);
    let again = mover(TARGET, |tick| Some(HitboxSample { epoch: u32::from(tick > 10), ..body(cm(200, 0, 0)) }));
    let [historical, present, hybrid] = met(&[again], &OPEN);
    assert_eq!((historical.as_slice(), present.as_slice(), hybrid.as_slice()), (&[2][..], &[2][..], &[][..]));
}

#[test]
fn who_cannot_be_damaged_any_more_is_let_off_under_hybrid() {
    let shielded = mover(TARGET, |tick| Some(HitboxSample { damageable: tick < 10, ..body(cm(200, 0, 0)) }));
    let [historical, present, hybrid] = met(&[shielded], &OPEN);
    assert_eq!((historical.as_slice(), present.as_slice(), hybrid.as_slice()), (&[2][..], &[][..], &[][..]));
}

#[test]
fn under_hybrid_any_hitbox_that_is_still_there_holds_its_actor() {
    let leaves = goes(TARGET, cm(200, 0, 0), cm(900, 0, 0));
    let stays = stands(TARGET, body(cm(250, 0, 0)));
    let (history, ids) = history(&[leaves, stays]);
    let hits = resolve(&weapon(HYBRID), &blast(), &history, &OPEN).unwrap();
    assert_eq!((hits.len(), hits[0].frame.hitbox), (1, ids[0]), "the past decides which is the nearest");
}

#[test]
fn the_centre_moves_along_with_what_was_hit_if_the_weapon_says_so() {
    // A grenade that sticks to somebody, who runs to a third.
    let carrier = goes(TARGET, cm(0, 0, 0), cm(1_000, 0, 0));
    let third = stands(ActorId(3), body(cm(1_200, 0, 0)));
    let (history, ids) = history(&[carrier, third]);
    let stuck = AreaBlast { on: Some(ids[0]), ..blast() };
    let actors =
        |weapon: AreaWeapon| resolve(&weapon, &stuck, &history, &OPEN).unwrap().iter().map(|hit| hit.frame.actor.0).collect::<Vec<_>>();
    let with_target = |time: AreaTime| AreaWeapon { centre: CentreRule::WithTarget, ..weapon(time) };
    assert_eq!(actors(with_target(AreaTime::Present)), [2, 3]);
    assert_eq!(actors(weapon(AreaTime::Present)), NONE);
    assert_eq!(actors(with_target(AreaTime::Historical)), [2]);
    // They could not get away from what they carry.
    assert_eq!(actors(with_target(HYBRID)), [2]);
    assert_eq!(actors(weapon(HYBRID)), NONE);
}

#[test]
fn the_centre_does_not_jump_along_with_who_teleports() {
    let jumper = mover(TARGET, |tick| {
        let (x_cm, epoch) = if tick <= 7 { (0, 0) } else { (1_000, 1) };
        Some(HitboxSample { epoch, ..body(cm(x_cm, 0, 0)) })
    });
    let (history, ids) = history(&[jumper, stands(ActorId(3), body(cm(100, 0, 0)))]);
    let stuck = AreaBlast { on: Some(ids[0]), ..blast() };
    let weapon = AreaWeapon { centre: CentreRule::WithTarget, ..weapon(AreaTime::Present) };
    let hits = resolve(&weapon, &stuck, &history, &OPEN).unwrap();
    assert_eq!(hits.iter().map(|hit| hit.frame.actor.0).collect::<Vec<_>>(), [3]);
}

#[test]
fn the_past_is_the_time_that_the_shooter_saw_clamped_and_counted() {
    let (history, _) = history(&[goes(TARGET, cm(200, 0, 0), cm(900, 0, 0))]);
    let ask = |target_us: u64, time: AreaTime| {
        let (mut out, mut counters) = (Vec::new(), RewindCounters::default());
        let blast = AreaBlast { target_us, ..blast() };
        let asked = weapon(time).resolve(&blast, &history, &OPEN, &mut AreaScratch::default(), &mut out, &mut counters);
        asked.map(|()| (out.len(), counters.clamped_times))
    };
    assert_eq!(ask(SEEN_US, AreaTime::Historical), Ok((1, 0)));
    assert_eq!(ask(NOW_US, AreaTime::Historical), Ok((0, 0)));
    // The history is 200 ms long: a clamped time is before its oldest tick.
    assert_eq!(ask(0, AreaTime::Historical), Err(TimeError::OlderThanOldest));
    assert_eq!(ask(FIRST_US, AreaTime::Historical), Ok((1, 0)));
    assert_eq!(ask(NOW_US + 25_001, AreaTime::Historical), Err(TimeError::NewerThanNewest));
    assert_eq!(ask(0, AreaTime::Present), Ok((0, 0)));
}

#[test]
fn a_time_before_the_greatest_rewind_counts_as_that() {
    let config = RewindConfig { max_rewind_us: 100_000, ..RewindConfig::default() };
    let mut history = RewindHistory::new(config, WorldKind::Game, NetRole::Authority).unwrap();
    let desc = HitboxDesc {
        actor: TARGET,
        component: ComponentId(1),
        name: NameHash::of("body"),
        region: NameHash::of("torso"),
        projectile: false,
        client_only: false,
        cadence: Cadence::EveryServerTick,
    };
    history.record_tick(FIRST_US, &mut |_, _: &HitboxDesc| Sampled::Gone).unwrap();
    history.register(desc, body(cm(900, 0, 0))).unwrap();
    for tick in 1..=20u64 {
        let at = if (10..12).contains(&tick) { cm(100, 0, 0) } else { cm(900, 0, 0) };
        history.record_tick(FIRST_US + tick * TICK_US, &mut |_, _: &HitboxDesc| Sampled::Here(body(at))).unwrap();
    }
    let (mut out, mut counters) = (Vec::new(), RewindCounters::default());
    for target_us in [0, NOW_US - 100_001] {
        let blast = AreaBlast { target_us, ..blast() };
        weapon(AreaTime::Historical).resolve(&blast, &history, &OPEN, &mut AreaScratch::default(), &mut out, &mut counters).unwrap();
        assert_eq!((out.len(), out[0].frame.time_us), (1, NOW_US - 100_000));
    }
    assert_eq!(counters.clamped_times, 2);
}

#[test]
fn a_time_of_exactly_the_greatest_rewind_is_not_clamped() {
    let mut history = RewindHistory::new(RewindConfig::default(), WorldKind::Game, NetRole::Authority).unwrap();
    history.record_tick(FIRST_US, &mut |_, _: &HitboxDesc| Sampled::Gone).unwrap();
    for tick in 1..=40u64 {
        history.record_tick(FIRST_US + tick * TICK_US, &mut |_, _: &HitboxDesc| Sampled::Gone).unwrap();
    }
    let now_us = history.now_us().unwrap();
    for (ago_us, clamped_times) in [(249_999, 0), (250_000, 0), (250_001, 1)] {
        // Both times of a blast are clamped, each for itself.
        for (target_us, time_us) in [(now_us - ago_us, now_us), (now_us, now_us - ago_us)] {
            let (mut out, mut counters) = (Vec::new(), RewindCounters::default());
            let weapon = AreaWeapon { own: OwnBody::Hurt, ..weapon(AreaTime::Historical) };
            let blast = AreaBlast { target_us, time_us, ..blast() };
            weapon.resolve(&blast, &history, &OPEN, &mut AreaScratch::default(), &mut out, &mut counters).unwrap();
            assert_eq!(counters.clamped_times, clamped_times, "{ago_us}");
        }
    }
}

#[test]
fn an_empty_history_has_no_answer() {
    let history = RewindHistory::new(RewindConfig::default(), WorldKind::Game, NetRole::Authority).unwrap();
    for time in TIMES {
        assert_eq!(resolve(&weapon(time), &blast(), &history, &OPEN), Err(TimeError::Empty));
    }
}
