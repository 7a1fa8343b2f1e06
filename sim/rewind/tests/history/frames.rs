//! What a frame holds.

use crate::world::*;
use snapback_core::{Angle, Fx, NameHash, Quat, Vec3};
use snapback_rewind::*;

#[test]
fn a_capsule_snapshot_has_place_rotation_sizes_and_broadphase() {
    let mut world = World::new();
    let lying = Quat::from_axis_angle(Vec3::Z, Angle::QUARTER);
    let sample = HitboxSample { rotation: lying, shape: capsule(5_000, 15_000), ..body(11, -22, 33) };
    let id = world.add(desc(1), sample);
    let frame = world.at(id, START_US).unwrap();
    assert_eq!((frame.kind, frame.centre, frame.rotation), (ShapeKind::Capsule, Point { x: 11, y: -22, z: 33 }, lying));
    assert_eq!((frame.radius, frame.half_height), (units::fx(5_000), units::fx(15_000)));
    // The axis is y of its own rotation, to the centres of the caps.
    assert_eq!(frame.half_axis, [-10_000, 0, 0]);
    // In the plane and in space: around the centre, as far as its half height with the caps.
    assert_eq!(frame.broadphase_radius, units::fx(15_000));
}

#[test]
fn a_sphere_snapshot_has_place_and_radius() {
    let mut world = World::new();
    let id = world.add(desc(1), HitboxSample { shape: ball(4_321), ..body(11, -22, 33) });
    let frame = world.at(id, START_US).unwrap();
    assert_eq!((frame.kind, frame.centre, frame.half_axis), (ShapeKind::Sphere, Point { x: 11, y: -22, z: 33 }, [0; 3]));
    assert_eq!([frame.radius, frame.half_height, frame.broadphase_radius], [units::fx(4_321); 3]);
}

#[test]
fn a_flat_capsule_is_a_ball() {
    let flat = Shape::of(SourceShape::Capsule { radius: Fx::from_int(50), half_height: Fx::from_int(10) }).unwrap();
    assert_eq!((flat.half_axis_units(), flat.broadphase_radius(), flat.kind()), (0, flat.radius(), ShapeKind::Capsule));
}

#[test]
fn a_frame_says_whose_it_is_and_what_the_game_noted() {
    let mut world = World::new();
    let what = HitboxDesc {
        actor: ActorId(70),
        component: ComponentId(71),
        name: NameHash::of("left arm"),
        region: NameHash::of("limb"),
        projectile: true,
        ..desc(0)
    };
    let sample =
        HitboxSample { damageable: false, blocking: true, team: MatchTeam::new(3), state_flags: 0xDEAD_BEEF, epoch: 9, ..body(0, 0, 0) };
    let id = world.add(what, sample);
    let frame = world.at(id, START_US + 7).unwrap();
    assert_eq!((frame.hitbox, frame.actor, frame.component, frame.time_us), (id, what.actor, what.component, START_US + 7));
    assert_eq!((frame.name, frame.region), (NameHash::of("left arm"), NameHash::of("limb")));
    assert_eq!((frame.damageable, frame.blocking, frame.projectile), (false, true, true));
    assert_eq!((frame.team, frame.state_flags, frame.epoch), (MatchTeam::new(3), 0xDEAD_BEEF, 9));
}

#[test]
fn a_team_change_shows_in_later_frames_only() {
    let mut world = World::new();
    let red = HitboxSample { team: MatchTeam::new(1), ..body(0, 0, 0) };
    let id = world.add(desc(1), red);
    world.tick();
    let last_red_us = world.now_us;
    // The host's data changes now; no frame does until the next is recorded.
    world.set(1, HitboxSample { team: MatchTeam::new(2), ..red });
    assert_eq!(world.at(id, last_red_us).unwrap().team, MatchTeam::new(1));
    world.tick();
    let now_us = world.now_us;
    for (time_us, team) in [(START_US, 1), (last_red_us, 1), (last_red_us + 4_999, 1), (last_red_us + 5_001, 2), (now_us, 2)] {
        assert_eq!(world.at(id, time_us).unwrap().team, MatchTeam::new(team), "{time_us}");
    }
}

/// What is at each quarter of a tick from the first sample to the second.
fn across(first: HitboxSample, second: HitboxSample) -> Vec<HitboxFrame> {
    let mut world = World::new();
    let id = world.add(desc(1), first);
    world.set(1, second);
    world.tick();
    (0..=4).map(|quarter| world.at(id, START_US + quarter * TICK_US / 4).unwrap()).collect()
}

fn xs(frames: &[HitboxFrame]) -> Vec<i32> {
    frames.iter().map(|frame| frame.centre.x).collect()
}

#[test]
fn nothing_is_interpolated_across_an_epoch() {
    let (here, there) = (body(0, 0, 0), body(400, 0, 0));
    assert_eq!(xs(&across(here, there)), [0, 100, 200, 300, 400]);
    // A teleport, a death and a respawn are the host's epoch.
    let frames = across(here, HitboxSample { epoch: 1, rotation: Quat::from_axis_angle(Vec3::X, Angle::HALF), ..there });
    assert_eq!(xs(&frames), [0, 0, 0, 0, 400]);
    assert!(frames[..4].iter().all(|frame| frame.rotation == Quat::IDENTITY && frame.epoch == 0));
    assert_eq!(frames[4].epoch, 1);
}

#[test]
fn a_shape_change_is_never_interpolated() {
    let (tall, round) = (body(0, 0, 0), HitboxSample { shape: ball(1_000), damageable: false, ..body(400, 0, 0) });
    let frames = across(tall, round);
    assert_eq!(xs(&frames), [0, 0, 0, 0, 400]);
    assert!(frames[..4].iter().all(|frame| frame.kind == ShapeKind::Capsule && frame.radius == tall.shape.radius()));
    assert_eq!((frames[4].kind, frames[4].radius), (ShapeKind::Sphere, units::fx(1_000)));
    // What is no geometry goes by the nearer tick all the same.
    assert_eq!(frames.iter().map(|frame| frame.damageable).collect::<Vec<_>>(), [true, true, true, false, false]);
}

#[test]
fn more_than_64_m_between_two_snapshots_is_a_jump() {
    let limit = 1 << 20;
    assert_eq!(xs(&across(body(0, 0, 0), body(limit, 0, 0))), [0, limit / 4, limit / 2, limit / 4 * 3, limit]);
    assert_eq!(xs(&across(body(0, 0, 0), body(limit + 1, 0, 0))), [0, 0, 0, 0, limit + 1]);
    assert_eq!(xs(&across(body(0, 0, 0), body(400, -limit - 1, 0))), [0, 0, 0, 0, 400]);
}

#[test]
fn ticks_between_two_samples_do_not_cross_an_epoch_either() {
    let mut world = World::new();
    let slow = HitboxDesc { cadence: Cadence::FixedHz { hz: 20 }, ..desc(1) };
    let id = world.add(slow, body(0, 0, 0));
    world.set(1, HitboxSample { epoch: 1, ..body(500, 0, 0) });
    for _ in 0..5 {
        world.tick();
    }
    let seen: Vec<i32> = (0..=10).map(|half| world.x_at(id, START_US + half * TICK_US / 2).unwrap()).collect();
    assert_eq!(seen, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 500]);
}
