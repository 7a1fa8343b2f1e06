//! What a ball meets of the proxies, beside what it meets of the history.

use crate::*;
use snapback_core::{Angle, Quat, Rng, Vec3};
use snapback_rewind::proxy::*;

fn spread(rng: &mut Rng, range: u32) -> i32 {
    rng.below(2 * range + 1) as i32 - range as i32
}

fn random_sample(rng: &mut Rng) -> HitboxSample {
    let radius = 1 + rng.below(1_500) as i32;
    let shape = if rng.chance(300_000) { ball(radius) } else { capsule(radius, radius + rng.below(4_000) as i32) };
    let axis = Vec3::from_ints(spread(rng, 9), spread(rng, 9), spread(rng, 9));
    HitboxSample {
        rotation: Quat::from_axis_angle(axis, Angle::from_degrees(spread(rng, 180))),
        team: MatchTeam::new(rng.below(3) as u16),
        damageable: rng.chance(900_000),
        ..sample(shape, spread(rng, 9_000), spread(rng, 9_000), spread(rng, 9_000))
    }
}

/// Builds and sweeps at a random time, and sweeps the history frozen at it. Whether something was hit.
fn same_answer(seed: u64) -> bool {
    let mut rng = Rng::new(seed, 4);
    let count = 2 + rng.below(40) as usize;
    let mut history = history(&(0..count).map(|_| random_sample(&mut rng)).collect::<Vec<_>>());
    history.record_tick(NOW_US + 10_000, &mut |_, _: &HitboxDesc| Sampled::Here(random_sample(&mut rng))).unwrap();
    let point = |rng: &mut Rng| Point { x: spread(rng, 12_000), y: spread(rng, 12_000), z: spread(rng, 12_000) };
    let (from, to) = (point(&mut rng), point(&mut rng));
    let time_us = NOW_US + u64::from(rng.below(12_000));
    let radius_units = rng.below(800) as i32;
    let sweep = Sweep { from, to, radius_units, from_us: time_us, to_us: time_us, too_old: TooOld::Fail };
    let filter = QueryFilter { ignore_team: MatchTeam::new(1), ..QueryFilter::default() };
    let mut counters = RewindCounters::default();
    let mut pool = ProxyPool::new(ProxyConfig::default());
    pool.build(&history, time_us, &filter, &QueryBounds::of_sweep(&sweep).unwrap(), &mut counters).unwrap();
    let way = Segment::new(from, to, radius_units).unwrap();
    let proxy = pool.sweep(&way, &mut counters);
    let direct = history.sweep(&sweep, &filter, &mut counters).unwrap();
    let seen = proxy.map(|hit| (hit.hitbox, hit.actor, hit.at, hit.offset));
    let expected = direct.map(|hit| (hit.hitbox, hit.actor, hit.at, hit.offset));
    assert_eq!(seen, expected, "seed {seed}\nSNAPBACK_SEED={seed} cargo test -p snapback-rewind --test proxies sweep::one_seed");
    let mut all = Vec::new();
    pool.sweep_all(&way, &mut all, &mut counters);
    assert_eq!(all.first(), proxy.as_ref());
    assert!(all.is_sorted_by_key(|hit| (hit.at, hit.hitbox.index())));
    if let Some(hit) = proxy {
        assert_eq!(pool.frame(hit.proxy).map(|frame| (frame.hitbox, frame.time_us)), Some((hit.hitbox, time_us)));
        assert_eq!(hit.normal(), direct.unwrap().normal());
    }
    proxy.is_some()
}

#[test]
fn proxies_answer_as_the_history_frozen_at_their_time() {
    let hits = (0..3_000).filter(|seed| same_answer(*seed)).count();
    assert!((500..2_500).contains(&hits), "{hits}");
}

#[test]
fn one_seed() {
    same_answer(std::env::var("SNAPBACK_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0));
}

#[test]
fn of_several_at_once_the_smallest_hitbox_is_first_whatever_its_pool() {
    // The capsule has the smaller index, and spheres are looked at first.
    let history = history(&[sample(capsule(500, 900), 0, 0, 0), sample(ball(500), 0, 0, 0)]);
    let mut pool = ProxyPool::new(ProxyConfig::default());
    let mut counters = RewindCounters::default();
    pool.build(&history, NOW_US, &QueryFilter::default(), &QueryBounds::along(along_z()), &mut counters).unwrap();
    assert_eq!(pool.sweep(&along_z(), &mut counters).unwrap().actor, ActorId(0));
    let mut all = Vec::new();
    pool.sweep_all(&along_z(), &mut all, &mut counters);
    assert_eq!(all.iter().map(|hit| hit.actor.0).collect::<Vec<_>>(), [0, 1]);
}

#[test]
fn a_way_without_a_length_is_an_overlap_test() {
    let history = history(&[sample(ball(500), 0, 0, 0), sample(ball(500), 601, 0, 0)]);
    let mut pool = ProxyPool::new(ProxyConfig::default());
    let here = Segment::new(Point::ORIGIN, Point::ORIGIN, 100).unwrap();
    let mut counters = RewindCounters::default();
    let wide = Segment::new(Point::ORIGIN, Point::ORIGIN, 1_000).unwrap();
    pool.build(&history, NOW_US, &QueryFilter::default(), &QueryBounds::along(wide), &mut counters).unwrap();
    let mut all = Vec::new();
    pool.sweep_all(&here, &mut all, &mut counters);
    assert_eq!(all.iter().map(|hit| (hit.actor.0, hit.at)).collect::<Vec<_>>(), [(0, Toi::START)]);
}
