//! The reference itself, on cases whose answers were computed by hand from the motion model.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use snapback_core::{Angle, Fx, Quat, Vec3};
use snapback_rewind_tests::reference::Reference;
use snapback_rewind_tests::reference::catch_up::{Outcome, euler};
use snapback_rewind_tests::reference::history::{Hit, Settings};
use snapback_rewind_tests::reference::lookup::Absence;
use snapback_rewind_tests::scene::{Attributes, Cast, Circle, Filter, HitboxSpec, Kind, Lookup, Sample, Shape, Shot, Sweep, Wall};

const HALF: u32 = 1 << 29;
/// Ticks are this far apart, and begin at a second.
const TICK_US: u64 = 16_384;
const START_US: u64 = 1_000_000;

fn units(units: i32) -> Fx {
    Fx::from_bits(i64::from(units) * 400)
}

fn at(position: [i32; 3]) -> Sample {
    Sample {
        position: Vec3::new(units(position[0]), units(position[1]), units(position[2])),
        rotation: Quat::IDENTITY,
        shape: Shape::Sphere { radius: units(100) },
        attributes: Attributes { damageable: true, blocking: false, team: None, flags: 0 },
        epoch: 0,
    }
}

fn tick_us(tick: usize) -> u64 {
    START_US + tick as u64 * TICK_US
}

fn spec(actor: u64) -> HitboxSpec {
    HitboxSpec { actor, component: 0, kind: Kind::Actor, interval_us: 0 }
}

/// Hitboxes that are sampled where there is a sample, from the first on.
fn history(tracks: &[&[Option<Sample>]]) -> Reference {
    let mut reference = Reference::new(Settings::default());
    let ticks = tracks.iter().map(|track| track.len()).max().unwrap();
    for tick in 0..ticks {
        reference.tick(tick_us(tick));
        for (hitbox, track) in tracks.iter().enumerate() {
            let Some(Some(sample)) = track.get(tick) else { continue };
            if track[..tick].iter().all(Option::is_none) {
                reference.register(hitbox, spec(hitbox as u64), u32::try_from(hitbox).unwrap(), sample);
            } else {
                reference.sample(hitbox, sample);
            }
        }
    }
    reference
}

fn sweep(from: [i32; 3], to: [i32; 3], start_us: u64, end_us: u64) -> Sweep {
    Sweep { from, to, radius: 0, start_us, end_us, now_us: tick_us(1), filter: Filter::default() }
}

fn cast(from: [i32; 3], to: [i32; 3], time_us: u64) -> Cast {
    Cast { from, to, radius: 0, time_us, now_us: tick_us(1), filter: Filter::default() }
}

fn x_at(reference: &Reference, time_us: u64, now_us: u64) -> Result<i64, Absence> {
    reference.look_up(&Lookup { hitbox: 0, time_us, now_us }).map(|at| at.pose.centre[0])
}

#[test]
fn a_ball_at_a_standing_ball() {
    let reference = history(&[&[Some(at([0; 3])), Some(at([0; 3]))]]);
    // 300 of 400 units of way until 100 are left.
    let hit = reference.sweep(&sweep([-400, 0, 0], [0, 0, 0], tick_us(0), tick_us(1))).unwrap();
    assert_eq!(hit, Hit { hitbox: 0, piece_start_us: tick_us(0), piece_end_us: tick_us(1), n: HALF / 2 * 3 });
    assert_eq!(hit.time_us(), tick_us(0) + TICK_US / 4 * 3);
    let hit = reference.cast(&cast([-200, 0, 0], [0, 0, 0], tick_us(1))).unwrap();
    assert_eq!((hit.n, hit.time_us()), (HALF, tick_us(1)));
    assert_eq!(reference.cast(&cast([-200, 101, 0], [200, 101, 0], tick_us(1))), None);
    assert_eq!(reference.cast(&Cast { radius: 1, ..cast([-200, 101, 0], [200, 101, 0], tick_us(1)) }).unwrap().n, HALF);
}

#[test]
fn a_target_that_only_crossed_inside_the_window_is_hit() {
    // 40,000 units in a tick, across a query that stands still: neither end touches it.
    let reference = history(&[&[Some(at([-20_000, 0, 0])), Some(at([20_000, 0, 0]))]]);
    let hit = reference.sweep(&sweep([0; 3], [0; 3], tick_us(0), tick_us(1))).unwrap();
    // 19,900 of 40,000.
    assert_eq!(u64::from(hit.n), (19_900_u64 * (1 << 30)).div_ceil(40_000));
    for time_us in [tick_us(0), tick_us(1)] {
        assert_eq!(reference.cast(&cast([0; 3], [0; 3], time_us)), None);
    }
    // It passes in the middle of the tick.
    assert_eq!(reference.cast(&cast([0; 3], [0; 3], tick_us(0) + TICK_US / 2)).unwrap().n, 0);
}

#[test]
fn who_crouches_between_two_ticks_is_lower_by_half_in_the_middle() {
    let tall = Sample { shape: Shape::Capsule { radius: units(100), half_height: units(500) }, ..at([0; 3]) };
    let low = Sample { shape: Shape::Capsule { radius: units(100), half_height: units(300) }, ..at([0, -200, 0]) };
    let reference = history(&[&[Some(tall), Some(low)]]);
    let middle_us = tick_us(0) + TICK_US / 2;
    let found = reference.look_up(&Lookup { hitbox: 0, time_us: middle_us, now_us: tick_us(1) }).unwrap().pose;
    assert_eq!((found.centre, found.half_axis, found.half_height), ([0, -100, 0], [0, 300, 0], 400));
    // Its top is at 300 then: 500 at first, 100 at last.
    let above = |y, time_us| reference.cast(&cast([-400, y, 0], [400, y, 0], time_us)).is_some();
    assert!(above(300, middle_us) && !above(301, middle_us));
    assert!(above(500, tick_us(0)) && !above(501, tick_us(0)));
    assert!(above(100, tick_us(1)) && !above(101, tick_us(1)));
    // In a moving piece the axis is that of the middle, while the centre sinks.
    let mut down = sweep([0, 500, 0], [0, 500, 0], tick_us(0), tick_us(1));
    assert_eq!(reference.sweep(&down), None, "300 and 100 of axis and cap over a centre at 0");
    down.from = [0, 400, 0];
    assert_eq!(reference.sweep(&down).unwrap().n, 0);
}

#[test]
fn a_teleport_is_not_a_way() {
    let there = Sample { epoch: 1, ..at([20_000, 0, 0]) };
    let reference = history(&[&[Some(at([0; 3])), Some(there)]]);
    let way = sweep([10_000, 0, 0], [10_000, 0, 0], tick_us(0), tick_us(1));
    assert_eq!(reference.sweep(&way), None);
    assert_eq!(x_at(&reference, tick_us(1) - 1, tick_us(1)), Ok(0));
    assert_eq!(x_at(&reference, tick_us(1), tick_us(1)), Ok(20_000));
    // The same for a change of shape.
    let other = Sample { shape: Shape::Capsule { radius: units(100), half_height: units(100) }, ..at([20_000, 0, 0]) };
    let reference = history(&[&[Some(at([0; 3])), Some(other)]]);
    assert_eq!(x_at(&reference, tick_us(1) - 1, tick_us(1)), Ok(0));
}

#[test]
fn what_is_not_sampled_any_more_is_held_for_25_ms() {
    let reference = history(&[&[Some(at([0; 3]))], &[Some(at([9_000, 0, 0])), Some(at([9_000, 0, 0])), Some(at([9_000, 0, 0]))]]);
    let now_us = tick_us(2);
    assert_eq!(x_at(&reference, START_US + 25_000, now_us), Ok(0));
    assert_eq!(x_at(&reference, START_US + 25_001, now_us), Err(Absence::AfterNewest));
    // A query that arrives there exactly at the end of the tolerance, and one that arrives later.
    let piece_us = 2 * TICK_US - 16_384;
    let arrives = |parts: u64| {
        let way = i32::try_from(parts).unwrap();
        reference.sweep(&sweep([-100 - way, 0, 0], [-100 - way + 16_384, 0, 0], tick_us(1), tick_us(1) + piece_us))
    };
    assert_eq!(arrives(25_000 - TICK_US).unwrap().time_us(), START_US + 25_000);
    assert_eq!(arrives(25_001 - TICK_US), None);
}

#[test]
fn a_slower_hitbox_has_poses_between_its_samples_once_the_later_one_is_known() {
    let flags = |flags, x| Sample { attributes: Attributes { flags, ..at([0; 3]).attributes }, ..at([x, 0, 0]) };
    let found = |reference: &Reference, time_us| reference.look_up(&Lookup { hitbox: 0, time_us, now_us: tick_us(4) });
    let samples = [Some(flags(1, 0)), None, None, None, Some(flags(2, 400))];
    let reference = history(&[&samples]);
    for (tick, x, flags) in [(0, 0, 1), (1, 100, 1), (2, 200, 1), (3, 300, 2), (4, 400, 2)] {
        let pose = found(&reference, tick_us(tick)).unwrap();
        assert_eq!((pose.pose.centre[0], pose.attributes.flags), (x, flags), "{tick}");
    }
    // 3/4 of the way from tick 2 to tick 3: the flags are those of tick 3, which are the later ones.
    let pose = found(&reference, tick_us(2) + TICK_US / 4 * 3).unwrap();
    assert_eq!((pose.pose.centre[0], pose.attributes.flags), (275, 2));
    // Just before the later sample was known, the first one was held, and then nothing.
    let early = history(&[&samples[..4], &[Some(at([0; 3])); 4]]);
    assert_eq!(x_at(&early, tick_us(1), tick_us(3)), Ok(0));
    assert_eq!(x_at(&early, tick_us(3), tick_us(3)), Err(Absence::AfterNewest));
}

#[test]
fn each_absence_has_its_reason() {
    let mut reference = Reference::new(Settings::default());
    reference.tick(START_US);
    reference.tick(START_US + 10_000);
    reference.register(0, spec(0), 0, &at([0; 3]));
    reference.tick(START_US + 110_001);
    reference.sample(0, &at([100, 0, 0]));
    let now_us = START_US + 110_001;
    let x = |reference: &Reference, after_us, now_us| x_at(reference, START_US + after_us, now_us);
    assert_eq!(x(&reference, 9_999, now_us), Err(Absence::BeforeOldest));
    assert_eq!(x(&reference, 10_000, now_us), Ok(0));
    assert_eq!(x(&reference, 10_001, now_us), Err(Absence::Gap), "the samples are 100,001 us apart");
    assert_eq!(x(&reference, 135_001, now_us), Ok(100));
    assert_eq!(x(&reference, 135_002, now_us), Err(Absence::AfterNewest));
    assert_eq!(x(&reference, 10_000, START_US + 260_000), Ok(0));
    assert_eq!(x(&reference, 10_000, START_US + 260_001), Err(Absence::TooLongAgo));
    reference.retire(0);
    reference.tick(START_US + 120_000);
    assert_eq!(x(&reference, 110_001, now_us), Ok(100));
    assert_eq!(x(&reference, 110_002, now_us), Err(Absence::Gone));
    assert_eq!(reference.look_up(&Lookup { hitbox: 1, time_us: now_us, now_us }), Err(Absence::Unknown));
    // Samples that are exactly 100 ms apart are bridged.
    let mut reference = Reference::new(Settings::default());
    reference.tick(START_US);
    reference.register(0, spec(0), 0, &at([0; 3]));
    reference.tick(START_US + 100_000);
    reference.sample(0, &at([100, 0, 0]));
    assert_eq!(x(&reference, 50_000, START_US + 100_000), Ok(50));
}

#[test]
fn before_the_clamp_targets_stand_as_they_stood_there() {
    let reference = history(&[&[Some(at([0; 3])), Some(at([16_384, 0, 0]))]]);
    // The clamp is in the middle of the tick: the target stands at 8,192 before it.
    let now_us = tick_us(0) + TICK_US / 2 + 250_000;
    let waiting = |x, start_us| reference.sweep(&Sweep { now_us, ..sweep([x, 0, 0], [x, 0, 0], start_us, tick_us(1)) });
    let hit = waiting(8_192, tick_us(0) - 50_000).unwrap();
    assert_eq!((hit.n, hit.piece_start_us, hit.piece_end_us), (0, tick_us(0) - 50_000, tick_us(0) + TICK_US / 2));
    assert_eq!(waiting(1_000, tick_us(0)), None, "it was there before that");
    let hit = waiting(8_192 + 4_196, tick_us(0)).unwrap();
    assert_eq!((hit.n, hit.piece_start_us), (HALF, tick_us(0) + TICK_US / 2));
}

#[test]
fn a_later_piece_and_the_way_to_it() {
    let ticks: Vec<_> = (0..4).map(|_| Some(at([0; 3]))).collect();
    let reference = history(&[&ticks]);
    // 1,000 units in 3 ticks; at the splits it is at the floor of 333.3 and 666.7.
    let hit = reference.sweep(&sweep([-900, 0, 0], [100, 0, 0], tick_us(0), tick_us(3))).unwrap();
    // From -234 to 100: 134 of 334.
    assert_eq!(hit.piece_start_us, tick_us(2));
    assert_eq!(u64::from(hit.n), (134_u64 << 30).div_ceil(334));
}

#[test]
fn equal_times_go_to_the_smaller_place() {
    let mut reference = Reference::new(Settings::default());
    reference.tick(START_US);
    reference.register(0, spec(0), 7, &at([0; 3]));
    reference.register(1, spec(1), 3, &at([0; 3]));
    assert_eq!(reference.cast(&cast([-200, 0, 0], [200, 0, 0], START_US)).unwrap().hitbox, 1);
}

#[test]
fn the_filter_keeps_out_whom_it_names() {
    let member = |team| Sample { attributes: Attributes { team, ..at([0; 3]).attributes }, ..at([0; 3]) };
    let is_hit = |sample: Sample, filter: Filter| {
        let reference = history(&[&[Some(sample)]]);
        reference.cast(&Cast { filter, ..cast([-200, 0, 0], [200, 0, 0], START_US) }).is_some()
    };
    let any = Filter::default();
    assert!(is_hit(member(None), any) && is_hit(member(Some(1)), any));
    assert!(!is_hit(member(None), Filter { ignored_actor: Some(0), ..any }));
    for filter in [Filter { ignored_team: Some(1), ..any }, Filter { friends: Some(1), ..any }] {
        assert!(!is_hit(member(Some(1)), filter));
        assert!(is_hit(member(Some(2)), filter) && is_hit(member(None), filter));
    }
    assert!(!is_hit(member(None), Filter { actors: false, projectiles: true, ..any }));
    let with = |damageable, blocking| Sample { attributes: Attributes { damageable, blocking, team: None, flags: 0 }, ..at([0; 3]) };
    assert!(!is_hit(with(false, false), any) && is_hit(with(false, false), Filter { only_damageable: false, ..any }));
    assert!(is_hit(with(true, true), any) && !is_hit(with(true, true), Filter { blocking: false, ..any }));
    // 3, 4, 5 times 100: the ball's own circle of 100 touches one of 400.
    let circle = |radius| Filter { circle: Some(Circle { x: 300, z: 400, radius }), ..any };
    assert!(is_hit(member(None), circle(400)) && !is_hit(member(None), circle(399)));
}

#[test]
fn a_body_that_turns_is_frozen_in_the_middle_of_a_piece() {
    let shape = Shape::Capsule { radius: units(100), half_height: units(1_100) };
    let lying = Quat::from_axis_angle(Vec3::from_ints(0, 0, 1), -Angle::QUARTER);
    let standing = Sample { shape, ..at([0; 3]) };
    let reference = history(&[&[Some(standing), Some(Sample { rotation: lying, ..standing })]]);
    let found = reference.look_up(&Lookup { hitbox: 0, time_us: tick_us(0) + TICK_US / 2, now_us: tick_us(1) }).unwrap();
    assert_eq!(found.pose.half_axis, [500, 500, 0], "the middle of the chord, not of the arc");
    // Along the diagonal from far out: 500 * sqrt(2) + 100 = 807 from the centre.
    let hit = reference.sweep(&sweep([2_000, 2_000, 0], [0, 0, 0], tick_us(0), tick_us(1))).unwrap();
    // 807.1 / sqrt(2) = 570.7 of 2,000 are left.
    assert_eq!((2_000 * u64::from((1 << 30) - hit.n)) >> 30, 570);
}

#[test]
fn a_shot_falls_and_hits_what_was_there_or_the_wall_before_it() {
    let reference = history(&[&[Some(at([0; 3])), Some(at([0; 3])), Some(at([0; 3]))]]);
    // 62.5 steps a second, about 160 units a step in one second; seen a tick late.
    let shot = Shot {
        position: Vec3::new(units(-400), Fx::ZERO, Fx::ZERO),
        velocity: Vec3::new(units(200 * 61), Fx::ZERO, Fx::ZERO),
        gravity: Vec3::default(),
        radius: 0,
        fire_us: tick_us(1),
        step_us: TICK_US,
        steps: 2,
        view_delay_us: TICK_US,
        now_us: tick_us(3),
        filter: Filter::default(),
    };
    let Outcome::Target { step: 1, hit } = reference.catch_up(&shot, &[], euler) else { panic!("not hit in the second step") };
    // 199.9 units a step: 300 units are reached at half of the second one, seen at that of tick 1.
    assert_eq!((hit.hitbox, hit.piece_start_us, hit.n.abs_diff(HALF) < (1 << 22)), (0, tick_us(1), true));
    let wall = Wall::Box { low: [-150, -50, -50], high: [-140, 50, 50] };
    assert!(matches!(reference.catch_up(&shot, &[wall], euler), Outcome::Wall { step: 1, wall: 0, .. }));
    let behind = Wall::Box { low: [-50, -50, -50], high: [-40, 50, 50] };
    assert!(matches!(reference.catch_up(&shot, &[behind], euler), Outcome::Target { .. }));
    // Fast enough down, it passes under.
    let falling = Shot { gravity: Vec3::new(Fx::ZERO, units(-1_000_000), Fx::ZERO), ..shot };
    let Outcome::Flying(flight) = reference.catch_up(&falling, &[], euler) else { panic!("hit") };
    assert!(flight.position.y < units(-700) && flight.velocity.y < units(-32_000));
    let floor = Wall::HalfSpace { normal: [0, 2, 0], offset: -800 };
    assert!(matches!(reference.catch_up(&falling, &[floor], euler), Outcome::Wall { step: 1, wall: 0, .. }));
}
