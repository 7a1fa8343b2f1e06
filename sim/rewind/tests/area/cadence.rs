//! Hitboxes that are not sampled at every tick: at present they are where their newest sample is.

use super::*;
use snapback_rewind::LookupError;

const TICK_60_US: u64 = 16_667;
const SLOW: Cadence = Cadence::FixedHz { hz: 10 };

fn desc(actor: ActorId, cadence: Cadence) -> HitboxDesc {
    HitboxDesc {
        actor,
        component: ComponentId(actor.0),
        name: NameHash::of("body"),
        region: NameHash::of("torso"),
        projectile: false,
        client_only: false,
        cadence,
    }
}

fn empty() -> RewindHistory {
    let mut history = RewindHistory::new(RewindConfig::default(), WorldKind::Game, NetRole::Authority).unwrap();
    history.record_tick(FIRST_US, &mut |_, _: &HitboxDesc| Sampled::Gone).unwrap();
    history
}

/// What `actors` that stand in the centre of a blast suffer of each policy, over 120 ticks, if each shot looks 200 ms back.
fn hits(actor: ActorId, own: OwnBody) -> [usize; 3] {
    let mut history = empty();
    history.register(desc(actor, SLOW), body(Point::ORIGIN)).unwrap();
    let mut hits = [0; 3];
    for tick in 1..=140 {
        let now_us = FIRST_US + tick * TICK_60_US;
        history.record_tick(now_us, &mut |_, _: &HitboxDesc| Sampled::Here(body(Point::ORIGIN))).unwrap();
        if tick <= 20 {
            continue;
        }
        for (hits, time) in hits.iter_mut().zip(TIMES) {
            let blast = AreaBlast { target_us: now_us - 200_000, time_us: now_us, ..blast() };
            *hits += resolve(&AreaWeapon { own, ..weapon(time) }, &blast, &history, &OPEN).unwrap().len();
        }
    }
    hits
}

#[test]
fn who_stands_in_the_centre_is_met_at_every_tick_whatever_their_cadence() {
    assert_eq!(hits(TARGET, OwnBody::Spared), [120; 3]);
}

#[test]
fn shooters_who_stand_in_the_centre_hurt_themselves_at_every_tick_whatever_their_cadence() {
    assert_eq!(hits(SHOOTER, OwnBody::Hurt), [120; 3]);
    assert_eq!(hits(SHOOTER, OwnBody::Spared), [0; 3]);
}

/// Somebody with a slow cadence who walks, and whose newest sample is older than the tolerance.
struct Walk {
    history: RewindHistory,
    id: HitboxId,
    now_us: u64,
}

/// From the origin, 10 cm per tick.
fn walk(actor: ActorId) -> Walk {
    let mut history = empty();
    let id = history.register(desc(actor, SLOW), body(Point::ORIGIN)).unwrap();
    let mut now_us = FIRST_US;
    for tick in 1.. {
        now_us += TICK_60_US;
        history.record_tick(now_us, &mut |_, _: &HitboxDesc| Sampled::Here(body(cm(10 * tick, 0, 0)))).unwrap();
        if tick > 16 && history.frame_at(id, now_us, &mut RewindCounters::default()) == Err(LookupError::Time(TimeError::NewerThanNewest)) {
            break;
        }
    }
    Walk { history, id, now_us }
}

#[test]
fn the_centre_moves_along_with_who_is_sampled_slowly() {
    let Walk { history, id, now_us } = walk(TARGET);
    let newest = history.newest_frame(id, &mut RewindCounters::default()).unwrap();
    assert!(now_us - newest.time_us > 25_000);
    let seen = history.frame_at(id, now_us - 200_000, &mut RewindCounters::default()).unwrap();
    assert!(newest.centre.x > seen.centre.x);
    let stuck = AreaBlast { on: Some(id), target_us: now_us - 200_000, centre: seen.centre, ..blast() };
    let weapon = AreaWeapon { centre: CentreRule::WithTarget, radius_units: 0, ..weapon(AreaTime::Present) };
    let hits = resolve(&weapon, &stuck, &history, &OPEN).unwrap();
    // In the middle of them, as it was when it stuck.
    assert_eq!(hits.iter().map(|hit| (hit.nearest, hit.frame)).collect::<Vec<_>>(), [(newest.centre, newest)]);
}

#[test]
fn own_bodies_are_where_they_were_at_the_explosion_and_at_their_newest_sample_after_it() {
    let Walk { history, id, now_us } = walk(SHOOTER);
    let mut counters = RewindCounters::default();
    let newest = history.newest_frame(id, &mut counters).unwrap();
    let hurts = AreaWeapon { own: OwnBody::Hurt, radius_units: MAX_RADIUS, ..weapon(AreaTime::Historical) };
    let own = |time_us: u64| {
        let blast = AreaBlast { time_us, target_us: now_us - 200_000, ..blast() };
        let hits = resolve(&hurts, &blast, &history, &OPEN).unwrap();
        hits.iter().map(|hit| (hit.frame.time_us, hit.frame.centre)).collect::<Vec<_>>()
    };
    assert_eq!(own(now_us), [(newest.time_us, newest.centre)]);
    for time_us in [newest.time_us, newest.time_us + 25_000] {
        assert_eq!(own(time_us), [(time_us, newest.centre)]);
    }
    let before = history.frame_at(id, newest.time_us - 1_000, &mut counters).unwrap();
    assert!(before.centre.x < newest.centre.x);
    assert_eq!(own(newest.time_us - 1_000), [(newest.time_us - 1_000, before.centre)]);
}

const MAX_RADIUS: i32 = 10 * UNITS_PER_METRE;

#[test]
fn of_own_hitboxes_that_are_equally_near_the_smallest_index_counts_whatever_their_cadence() {
    let mut history = empty();
    let slow = history.register(desc(SHOOTER, SLOW), body(Point::ORIGIN)).unwrap();
    let quick = HitboxDesc { component: ComponentId(9), ..desc(SHOOTER, Cadence::EveryServerTick) };
    history.register(quick, body(Point::ORIGIN)).unwrap();
    for tick in 1..=4 {
        history.record_tick(FIRST_US + tick * TICK_60_US, &mut |_, _: &HitboxDesc| Sampled::Here(body(Point::ORIGIN))).unwrap();
    }
    let now_us = history.now_us().unwrap();
    let hurts = AreaWeapon { own: OwnBody::Hurt, ..weapon(AreaTime::Historical) };
    let hits = resolve(&hurts, &AreaBlast { time_us: now_us, target_us: now_us, ..blast() }, &history, &OPEN).unwrap();
    assert_eq!(hits.iter().map(|hit| hit.frame.hitbox).collect::<Vec<_>>(), [slow]);
}

#[test]
fn who_is_retired_is_not_there_at_present() {
    let mut history = empty();
    let id = history.register(desc(TARGET, Cadence::EveryServerTick), body(Point::ORIGIN)).unwrap();
    for tick in 1..=5 {
        history.record_tick(FIRST_US + tick * TICK_US, &mut |_, _: &HitboxDesc| Sampled::Here(body(Point::ORIGIN))).unwrap();
    }
    let now_us = history.now_us().unwrap();
    assert!(history.retire(id));
    let blast = AreaBlast { time_us: now_us, target_us: now_us - 20_000, ..blast() };
    let met = TIMES.map(|time| resolve(&weapon(time), &blast, &history, &OPEN).unwrap().len());
    assert_eq!(met, [1, 0, 0]);
}
