//! The shortest way through: register, record, ask.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use snapback_core::{Fx, NameHash, Quat, Vec3};
use snapback_rewind::{
    ActorId, Cadence, ComponentId, HitboxDesc, HitboxSample, MatchTeam, NetRole, Point, QueryFilter, RewindConfig, RewindCounters,
    RewindHistory, Sampled, Shape, SourceShape, Sweep, TooOld, WorldKind,
};

fn sample(x_cm: i32) -> HitboxSample {
    HitboxSample {
        position: Point::of(Vec3::from_ints(x_cm, 0, 0)).unwrap(),
        rotation: Quat::IDENTITY,
        shape: Shape::of(SourceShape::Capsule { radius: Fx::from_int(30), half_height: Fx::from_int(90) }).unwrap(),
        damageable: true,
        blocking: false,
        team: MatchTeam::NONE,
        state_flags: 0,
        epoch: 0,
    }
}

/// A target that runs 5 m a second along x, and a history of ten ticks of 10 ms.
fn runner() -> RewindHistory {
    let mut history = RewindHistory::new(RewindConfig::default(), WorldKind::Game, NetRole::Authority).unwrap();
    let desc = HitboxDesc {
        actor: ActorId(7),
        component: ComponentId(1),
        name: NameHash::of("body"),
        region: NameHash::of("torso"),
        projectile: false,
        client_only: false,
        cadence: Cadence::EveryServerTick,
    };
    history.record_tick(1_000_000, &mut |_, _: &HitboxDesc| Sampled::Gone).unwrap();
    history.register(desc, sample(0)).unwrap();
    for tick in 1..10u64 {
        history.record_tick(1_000_000 + tick * 10_000, &mut |_, _: &HitboxDesc| Sampled::Here(sample(tick as i32 * 5))).unwrap();
    }
    history
}

#[test]
fn a_target_is_hit_where_it_was() {
    let history = runner();
    let mut counters = RewindCounters::default();
    let shot = |x_cm: i32, time_us: u64| Sweep {
        from: Point::of(Vec3::from_ints(x_cm, 0, -500)).unwrap(),
        to: Point::of(Vec3::from_ints(x_cm, 0, 500)).unwrap(),
        radius_units: 0,
        from_us: time_us,
        to_us: time_us,
        too_old: TooOld::Fail,
    };
    let mut hits = |x_cm: i32, time_us: u64| history.sweep(&shot(x_cm, time_us), &QueryFilter::default(), &mut counters).unwrap();
    assert!(hits(-28, 1_000_000).is_some());
    assert!(hits(-28, 1_010_000).is_none());
    let hit = hits(22, 1_050_000).unwrap();
    assert_eq!(hit.actor, ActorId(7));
    assert!(hit.at.bits() < 1 << 29);
}

#[test]
fn a_moving_ball_meets_a_moving_target() {
    let history = runner();
    let sweep = Sweep {
        from: Point::of(Vec3::from_ints(-400, 0, 0)).unwrap(),
        to: Point::of(Vec3::from_ints(400, 0, 0)).unwrap(),
        radius_units: 1_000,
        from_us: 1_000_000,
        to_us: 1_090_000,
        too_old: TooOld::Fail,
    };
    let hit = history.sweep(&sweep, &QueryFilter::default(), &mut RewindCounters::default()).unwrap().unwrap();
    // 364 cm of a gap that closes with 800/9 - 5 cm a tick.
    assert_eq!(hit.piece, 4);
    assert!(hit.target_us > 1_043_000 && hit.target_us < 1_043_500, "{}", hit.target_us);
    assert!(hit.normal().unwrap().x < Fx::ZERO);
}
