//! The reference itself, on cases whose answers were computed by hand from the motion model.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use snapback_core::{Angle, Fx, NameHash, Quat, Vec3};
use snapback_rewind_tests::reference::Reference;
use snapback_rewind_tests::reference::flight::{End, Flown, Impact, Target};
use snapback_rewind_tests::reference::history::{Hit, Settings};
use snapback_rewind_tests::reference::lookup::Absence;
use snapback_rewind_tests::scene::{
    After, Attributes, Cast, Circle, Filter, HitboxSpec, Kind, Lookup, Pace, Rule, Sample, Shape, Shot, Solid, Stuff, Sweep, Wall,
};

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
    HitboxSpec { actor, component: 0, name: NameHash::NONE, region: NameHash::NONE, kind: Kind::Actor, pace: Pace::EveryTick }
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
                reference.register(hitbox, spec(hitbox as u64), u32::try_from(hitbox).unwrap(), Some(sample));
            } else {
                reference.sample(hitbox, sample);
            }
        }
    }
    reference
}

fn sweep(from: [i32; 3], to: [i32; 3], start_us: u64, end_us: u64) -> Sweep {
    Sweep { from, to, radius: 0, start_us, end_us, clamp: true, filter: Filter::default() }
}

fn cast(from: [i32; 3], to: [i32; 3], time_us: u64) -> Cast {
    Cast { from, to, radius: 0, time_us, clamp: false, filter: Filter::default() }
}

fn swept(reference: &Reference, sweep: &Sweep) -> Option<Hit> {
    reference.sweep(sweep).unwrap()
}

fn cast_at(reference: &Reference, cast: &Cast) -> Option<Hit> {
    reference.cast(cast).unwrap()
}

fn x_at(reference: &Reference, time_us: u64, now_us: u64) -> Result<i64, Absence> {
    let mut then = reference.clone();
    if now_us > then.now_us() {
        then.tick(now_us);
    }
    then.look_up(&Lookup { hitbox: 0, time_us }).map(|at| at.pose.centre[0])
}

#[test]
fn a_ball_at_a_standing_ball() {
    let reference = history(&[&[Some(at([0; 3])), Some(at([0; 3]))]]);
    // 300 of 400 units of way until 100 are left.
    let hit = swept(&reference, &sweep([-400, 0, 0], [0, 0, 0], tick_us(0), tick_us(1))).unwrap();
    let n = HALF / 2 * 3;
    assert_eq!(hit, Hit { hitbox: 0, piece: 0, n, at: n, time_us: tick_us(0) + TICK_US / 4 * 3, offset: [-100, 0, 0] });
    let hit = cast_at(&reference, &cast([-200, 0, 0], [0, 0, 0], tick_us(1))).unwrap();
    assert_eq!((hit.n, hit.time_us), (HALF, tick_us(1)));
    assert_eq!(cast_at(&reference, &cast([-200, 101, 0], [200, 101, 0], tick_us(1))), None);
    assert_eq!(cast_at(&reference, &Cast { radius: 1, ..cast([-200, 101, 0], [200, 101, 0], tick_us(1)) }).unwrap().n, HALF);
}

#[test]
fn a_target_that_only_crossed_inside_the_window_is_hit() {
    // 40,000 units in a tick, across a query that stands still: neither end touches it.
    let reference = history(&[&[Some(at([-20_000, 0, 0])), Some(at([20_000, 0, 0]))]]);
    let hit = swept(&reference, &sweep([0; 3], [0; 3], tick_us(0), tick_us(1))).unwrap();
    // 19,900 of 40,000.
    assert_eq!(u64::from(hit.n), (19_900_u64 * (1 << 30)).div_ceil(40_000));
    for time_us in [tick_us(0), tick_us(1)] {
        assert_eq!(cast_at(&reference, &cast([0; 3], [0; 3], time_us)), None);
    }
    // It passes in the middle of the tick.
    assert_eq!(cast_at(&reference, &cast([0; 3], [0; 3], tick_us(0) + TICK_US / 2)).unwrap().n, 0);
}

#[test]
fn who_crouches_between_two_ticks_is_lower_by_half_in_the_middle() {
    let tall = Sample { shape: Shape::Capsule { radius: units(100), half_height: units(500) }, ..at([0; 3]) };
    let low = Sample { shape: Shape::Capsule { radius: units(100), half_height: units(300) }, ..at([0, -200, 0]) };
    let reference = history(&[&[Some(tall), Some(low)]]);
    let middle_us = tick_us(0) + TICK_US / 2;
    let found = reference.look_up(&Lookup { hitbox: 0, time_us: middle_us }).unwrap().pose;
    assert_eq!((found.centre, found.half_axis, found.half_height), ([0, -100, 0], [0, 300, 0], 400));
    // Its top is at 300 then: 500 at first, 100 at last.
    let above = |y, time_us| cast_at(&reference, &cast([-400, y, 0], [400, y, 0], time_us)).is_some();
    assert!(above(300, middle_us) && !above(301, middle_us));
    assert!(above(500, tick_us(0)) && !above(501, tick_us(0)));
    assert!(above(100, tick_us(1)) && !above(101, tick_us(1)));
    // In a moving piece the axis is that of the middle, while the centre sinks.
    let mut down = sweep([0, 500, 0], [0, 500, 0], tick_us(0), tick_us(1));
    assert_eq!(swept(&reference, &down), None, "300 and 100 of axis and cap over a centre at 0");
    down.from = [0, 400, 0];
    assert_eq!(swept(&reference, &down).unwrap().n, 0);
}

#[test]
fn a_teleport_is_not_a_way() {
    let there = Sample { epoch: 1, ..at([20_000, 0, 0]) };
    let reference = history(&[&[Some(at([0; 3])), Some(there)]]);
    let way = sweep([10_000, 0, 0], [10_000, 0, 0], tick_us(0), tick_us(1));
    assert_eq!(swept(&reference, &way), None);
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
        swept(&reference, &sweep([-100 - way, 0, 0], [-100 - way + 16_384, 0, 0], tick_us(1), tick_us(1) + piece_us))
    };
    assert_eq!(arrives(25_000 - TICK_US).unwrap().time_us, START_US + 25_000);
    assert_eq!(arrives(25_001 - TICK_US), None);
}

#[test]
fn a_slower_hitbox_has_poses_between_its_samples_once_the_later_one_is_known() {
    let flags = |flags, x| Sample { attributes: Attributes { flags, ..at([0; 3]).attributes }, ..at([x, 0, 0]) };
    let found = |reference: &Reference, time_us| reference.look_up(&Lookup { hitbox: 0, time_us });
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
    reference.register(0, spec(0), 0, Some(&at([0; 3])));
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
    assert_eq!(reference.look_up(&Lookup { hitbox: 1, time_us: now_us }), Err(Absence::Unknown));
    // Samples that are exactly 100 ms apart are bridged.
    let mut reference = Reference::new(Settings::default());
    reference.tick(START_US);
    reference.register(0, spec(0), 0, Some(&at([0; 3])));
    reference.tick(START_US + 100_000);
    reference.sample(0, &at([100, 0, 0]));
    assert_eq!(x(&reference, 50_000, START_US + 100_000), Ok(50));
}

#[test]
fn before_the_clamp_targets_stand_as_they_stood_there() {
    let mut reference = history(&[&[Some(at([0; 3])), Some(at([16_384, 0, 0]))]]);
    // The clamp is in the middle of the tick: the target stands at 8,192 before it.
    let now_us = tick_us(0) + TICK_US / 2 + 250_000;
    reference.tick(now_us);
    let waiting = |x, start_us| swept(&reference, &sweep([x, 0, 0], [x, 0, 0], start_us, tick_us(1)));
    let hit = waiting(8_192, tick_us(0) - 50_000).unwrap();
    assert_eq!((hit.n, hit.piece, hit.time_us), (0, 0, tick_us(0) + TICK_US / 2));
    assert_eq!(waiting(1_000, tick_us(0)), None, "it was there before that");
    let hit = waiting(8_192 + 4_196, tick_us(0)).unwrap();
    assert_eq!((hit.n, hit.piece, hit.at), (HALF, 1, HALF / 2 * 3));
}

#[test]
fn a_later_piece_and_the_way_to_it() {
    let ticks: Vec<_> = (0..4).map(|_| Some(at([0; 3]))).collect();
    let reference = history(&[&ticks]);
    // 1,000 units in 3 ticks; at the splits it is at the floor of 333.3 and 666.7.
    let hit = swept(&reference, &sweep([-900, 0, 0], [100, 0, 0], tick_us(0), tick_us(3))).unwrap();
    // From -234 to 100: 134 of 334.
    assert_eq!(hit.piece, 2);
    assert_eq!(u64::from(hit.n), (134_u64 << 30).div_ceil(334));
}

#[test]
fn equal_times_go_to_the_smaller_place() {
    let mut reference = Reference::new(Settings::default());
    reference.tick(START_US);
    reference.register(0, spec(0), 7, Some(&at([0; 3])));
    reference.register(1, spec(1), 3, Some(&at([0; 3])));
    assert_eq!(cast_at(&reference, &cast([-200, 0, 0], [200, 0, 0], START_US)).unwrap().hitbox, 1);
}

#[test]
fn the_filter_keeps_out_whom_it_names() {
    let member = |team| Sample { attributes: Attributes { team, ..at([0; 3]).attributes }, ..at([0; 3]) };
    let is_hit = |sample: Sample, filter: Filter| {
        let reference = history(&[&[Some(sample)]]);
        cast_at(&reference, &Cast { filter, ..cast([-200, 0, 0], [200, 0, 0], START_US) }).is_some()
    };
    let any = Filter::default();
    assert!(is_hit(member(None), any) && is_hit(member(Some(1)), any));
    assert!(!is_hit(member(None), Filter { ignored_actor: Some(0), ..any }));
    for filter in [Filter { ignored_team: Some(1), ..any }, Filter { own_team: Some(1), spare_own_team: true, ..any }] {
        assert!(!is_hit(member(Some(1)), filter));
        assert!(is_hit(member(Some(2)), filter) && is_hit(member(None), filter));
    }
    assert!(!is_hit(member(None), Filter { actors: false, projectiles: true, ..any }));
    let with = |damageable, blocking| Sample { attributes: Attributes { damageable, blocking, team: None, flags: 0 }, ..at([0; 3]) };
    assert!(!is_hit(with(false, false), any) && is_hit(with(false, false), Filter { only_damageable: false, ..any }));
    assert!(is_hit(with(true, true), any) && !is_hit(with(true, true), Filter { blocking: false, ..any }));
    // 3, 4, 5 times 100: the ball's own circle of 100 touches one of 400.
    let circle = |radius| Filter { circle: Some(Circle { x: 300, z: 400, radius: units(radius) }), ..any };
    assert!(is_hit(member(None), circle(400)) && !is_hit(member(None), circle(399)));
}

#[test]
fn a_body_that_turns_is_frozen_in_the_middle_of_a_piece() {
    let shape = Shape::Capsule { radius: units(100), half_height: units(1_100) };
    let lying = Quat::from_axis_angle(Vec3::from_ints(0, 0, 1), -Angle::QUARTER);
    let standing = Sample { shape, ..at([0; 3]) };
    let reference = history(&[&[Some(standing), Some(Sample { rotation: lying, ..standing })]]);
    let found = reference.look_up(&Lookup { hitbox: 0, time_us: tick_us(0) + TICK_US / 2 }).unwrap();
    assert_eq!(found.pose.half_axis, [500, 500, 0], "the middle of the chord, not of the arc");
    // Along the diagonal from far out: 500 * sqrt(2) + 100 = 807 from the centre.
    let hit = swept(&reference, &sweep([2_000, 2_000, 0], [0, 0, 0], tick_us(0), tick_us(1))).unwrap();
    // 807.1 / sqrt(2) = 570.7 of 2,000 are left.
    assert_eq!((2_000 * u64::from((1 << 30) - hit.n)) >> 30, 570);
}

fn wall(solid: Solid, place: [i32; 3]) -> Wall {
    Wall { solid, place, actor: 100, stuff: Stuff::Static, team: None, damageable: false, ignored_in_catch_up: false }
}

/// Along x with this speed in units a second, from 400 units before the origin; two steps, seen a tick late.
fn shot(speed: i32) -> Shot {
    Shot {
        shooter: 99,
        own_actor: None,
        muzzle: Vec3::new(units(-400), Fx::ZERO, Fx::ZERO),
        rotation: Quat::from_axis_angle(Vec3::Y, Angle::QUARTER),
        speed: units(speed),
        gravity: Vec3::default(),
        radius: 0,
        fire_us: tick_us(1),
        step_us: 16_384,
        view_delay_us: 16_384,
        now_us: tick_us(3),
        team: None,
        filter: Filter::default(),
        rule: Rule::Stop,
        max_impacts: 8,
        damages: true,
        after: After::Collapse,
        live_steps: 0,
    }
}

/// Who stands still at the origin for four ticks.
fn standing() -> Reference {
    let ticks: Vec<_> = (0..4).map(|_| Some(at([0; 3]))).collect();
    history(&[&ticks])
}

#[test]
fn a_shot_falls_and_hits_what_was_there_or_the_wall_before_it() {
    let reference = standing();
    // About 200 units a step: 300 units are reached at half of the second one, seen at that of tick 1.
    let shot = shot(200 * 61);
    let flown = reference.fly(&shot, &[]);
    assert_eq!((flown.end, flown.steps, flown.impacts.len()), (Some(End::Stopped), Some(2), 1));
    let Target::Hitbox { hitbox: 0, time_us, .. } = flown.impacts[0].target else { panic!("{flown:?}") };
    assert!(time_us.abs_diff(tick_us(1) + TICK_US / 2) < 64 && flown.impacts[0].damage);
    assert_eq!((flown.impacts[0].normal, flown.impacts[0].time_us), (-Vec3::X, time_us + TICK_US));
    let block = |x: i32| wall(Solid::Box([5, 50, 50]), [x, 0, 0]);
    let target = |flown: Flown| flown.impacts.first().map(|impact| impact.target);
    assert!(matches!(target(reference.fly(&shot, &[block(-145)])), Some(Target::Wall { wall: 0, .. })));
    assert!(matches!(target(reference.fly(&shot, &[block(-45)])), Some(Target::Hitbox { .. })));
    // At the same time, the wall.
    assert!(matches!(target(reference.fly(&shot, &[block(-95)])), Some(Target::Wall { .. })));
    // Fast enough down, it passes under.
    let falling = Shot { gravity: Vec3::new(Fx::ZERO, units(-1_000_000), Fx::ZERO), ..shot };
    let flown = reference.fly(&falling, &[]);
    let (body, time_us) = flown.state.unwrap();
    assert!(flown.end.is_none() && time_us == tick_us(3));
    assert!(body.position.y < units(-700) && body.velocity.y < units(-32_000));
    let floor = wall(Solid::HalfSpace(Vec3::from_ints(0, 2, 0)), [0, -400, 0]);
    assert!(matches!(target(reference.fly(&falling, &[floor])), Some(Target::Wall { .. })));
}

#[test]
fn a_bounce_gives_back_a_part_and_passes_whom_it_met() {
    let reference = standing();
    let bouncing = Shot { rule: Rule::Bounce(Fx::ratio(1, 2)), radius: 20, ..shot(400 * 61) };
    let flown = reference.fly(&bouncing, &[]);
    // It meets the ball 120 units before its middle, once, and flies back with half of its speed: two
    // units off, and half of what was left of 800.
    assert_eq!((flown.impacts.len(), flown.end), (1, None));
    let (body, _) = flown.state.unwrap();
    assert!((body.velocity.x + units(200 * 61)).abs() < units(4), "{flown:?}");
    assert!((body.position.x - units(-122 - 259)).abs() < units(2), "{flown:?}");
    // Between two walls it bounces until nothing is left of the step.
    let walls = [-300, -500].map(|x| wall(Solid::Box([5, 500, 500]), [x, 0, 0]));
    let flown = reference.fly(&Shot { rule: Rule::Bounce(Fx::ONE), max_impacts: 255, ..bouncing }, &walls);
    assert!(flown.impacts.len() >= 4 && flown.impacts.iter().all(|impact| !impact.damage), "{flown:?}");
    let turns: Vec<_> = flown.impacts.iter().map(|impact| impact.normal.x).collect();
    assert!(turns.windows(2).all(|pair| pair[0] == -pair[1]), "{turns:?}");
}

#[test]
fn what_pierces_meets_everybody_once_and_ends_after_its_impacts() {
    let mut reference = Reference::new(Settings::default());
    let places = [0, 10, 20];
    for tick in 0..4 {
        reference.tick(tick_us(tick));
        for (hitbox, x) in places.into_iter().enumerate() {
            if tick == 0 {
                reference.register(hitbox, spec(hitbox as u64 / 2), u32::try_from(hitbox).unwrap(), Some(&at([x, 0, 0])));
            } else {
                reference.sample(hitbox, &at([x, 0, 0]));
            }
        }
    }
    let piercing = Shot { rule: Rule::Pierce, ..shot(400 * 61) };
    let met = |shot: &Shot| -> (Vec<usize>, Option<End>) {
        let flown = reference.fly(shot, &[]);
        let hitboxes = flown.impacts.iter().map(|impact| match impact.target {
            Target::Hitbox { hitbox, .. } => hitbox,
            Target::Wall { .. } => panic!("there is no wall"),
        });
        (hitboxes.collect(), flown.end)
    };
    // The first two are hitboxes of one actor.
    assert_eq!(met(&piercing), (vec![0, 2], None));
    assert_eq!(met(&Shot { max_impacts: 1, ..piercing }), (vec![0], Some(End::ImpactsUsed)));
    assert_eq!(met(&Shot { own_actor: Some(0), ..piercing }), (vec![2], None));
}

#[test]
fn a_destructible_is_spared_by_its_own_team_and_one_of_nobody_by_none() {
    let reference = standing();
    let damaged = |of: Option<u16>, filter: Filter, shooters: Option<u16>| {
        let block = Wall { stuff: Stuff::Destructible, damageable: true, team: of, ..wall(Solid::Box([5, 50, 50]), [-200, 0, 0]) };
        let flown = reference.fly(&Shot { filter, team: shooters, ..shot(200 * 61) }, &[block]);
        assert!(matches!(flown.impacts[..], [Impact { target: Target::Wall { .. }, .. }]), "{flown:?}");
        flown.impacts[0].damage
    };
    let sparing = Filter { spare_own_team: true, ..Filter::default() };
    for (of, filter, shooters, expected) in [
        (Some(1), sparing, Some(1), false),
        (Some(1), sparing, Some(2), true),
        (Some(1), sparing, None, true),
        (None, sparing, None, true),
        (None, sparing, Some(1), true),
        (Some(1), Filter { spare_own_team: false, ..sparing }, Some(1), true),
        (Some(1), Filter { ignored_team: Some(1), ..Filter::default() }, Some(2), false),
    ] {
        assert_eq!(damaged(of, filter, shooters), expected, "{of:?} {shooters:?}");
    }
}
