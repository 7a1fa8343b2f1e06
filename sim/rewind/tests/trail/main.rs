//! Trails of projectiles that appear caught up: for the eyes only, one trail, never the shooter's.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use snapback_core::{Fx, NameHash, Quat, Vec3};
use snapback_rewind::replicate::{ProjectileReplication, ProjectileRole};
use snapback_rewind::trail::{MAX_TRAIL_POINTS, Trail, TrailHandle, TrailMask, TrailStartsActive, TrailState};
use snapback_rewind::{
    ActorId, Cadence, ComponentId, HitboxDesc, HitboxSample, MatchTeam, NetRole, Point, QueryFilter, RewindConfig, RewindCounters,
    RewindHistory, Sampled, Shape, SourceShape, Sweep, SweepHit, TooOld, WorldKind,
};

/// A trail that remembers what was done to it. Not `Clone`: there is one.
#[derive(PartialEq, Eq, Debug)]
struct Smoke {
    serial: u32,
    active: bool,
    done: Vec<String>,
}

impl Smoke {
    fn new(serial: u32) -> Self {
        Self { serial, active: false, done: Vec::new() }
    }
}

impl TrailHandle for Smoke {
    fn is_active(&self) -> bool {
        self.active
    }

    fn activate(&mut self) {
        self.active = true;
        self.done.push("activate".into());
    }

    fn advance(&mut self, mask: &TrailMask) {
        self.active = true;
        self.done.push(format!("advance {} to {} in {} us", mask.muzzle().z, mask.caught_up().z, mask.elapsed_us()));
    }

    fn attach(&mut self) {
        self.done.push("attach".into());
    }
}

const SHOOTER: ActorId = ActorId(1);
const VIEWER: ActorId = ActorId(2);

fn way(points: i32) -> Vec<Vec3> {
    (0..points).map(|at| Vec3::from_ints(0, 0, at * 100)).collect()
}

fn mask() -> TrailMask {
    TrailMask::of(&way(11), 100_000).unwrap()
}

#[test]
fn a_remote_trail_starts_inactive_is_advanced_and_the_same_one_is_attached() {
    let role = ProjectileReplication::Projectile.copy_for(SHOOTER, Some(VIEWER)).unwrap();
    let Trail::Inactive(trail) = Trail::begin(role, true, Some(Smoke::new(42))).unwrap() else { panic!("not inactive") };
    let attached = trail.advance(&mask()).attach();
    assert_eq!(attached.handle().serial, 42);
    assert_eq!(attached.into_handle().done, ["advance 0 to 1000 in 100000 us", "attach"]);
}

#[test]
fn the_table_of_states() {
    let begin = |role: ProjectileRole, opted_in: bool, has: bool| Trail::begin(role, opted_in, has.then(|| Smoke::new(1))).unwrap();
    use ProjectileRole::{AuthorityProjectile, LocalDummy, RemoteCopy};
    for (role, opted_in, has, begins, masked) in [
        (AuthorityProjectile, true, true, TrailState::None, TrailState::None),
        (AuthorityProjectile, false, false, TrailState::None, TrailState::None),
        (LocalDummy, true, true, TrailState::Attached, TrailState::Attached),
        (LocalDummy, true, false, TrailState::None, TrailState::None),
        (LocalDummy, false, true, TrailState::None, TrailState::None),
        (RemoteCopy, true, true, TrailState::Inactive, TrailState::Attached),
        (RemoteCopy, true, false, TrailState::None, TrailState::None),
        (RemoteCopy, false, true, TrailState::None, TrailState::None),
        (RemoteCopy, false, false, TrailState::None, TrailState::None),
    ] {
        let trail = begin(role, opted_in, has);
        assert_eq!(trail.state(), begins, "{role:?} {opted_in} {has}");
        let trail = trail.mask(&mask());
        assert_eq!(trail.state(), masked, "{role:?} {opted_in} {has}");
        // A second mask changes nothing.
        let before = format!("{trail:?}");
        assert_eq!(format!("{:?}", trail.mask(&mask())), before);
    }
    let Trail::Inactive(trail) = begin(RemoteCopy, true, true) else { panic!("not inactive") };
    let advanced = Trail::Advanced(trail.advance(&mask()));
    assert_eq!(advanced.state(), TrailState::Advanced);
    assert_eq!(advanced.mask(&mask()).state(), TrailState::Attached);
}

#[test]
fn local_dummies_activate_their_trail_at_once_and_are_never_masked() {
    for replication in [ProjectileReplication::EffectsOnly, ProjectileReplication::Projectile] {
        let role = replication.copy_for(SHOOTER, Some(SHOOTER)).unwrap();
        let trail = Trail::begin(role, true, Some(Smoke::new(3))).unwrap().mask(&mask());
        let Trail::Attached(trail) = trail else { panic!("{trail:?}") };
        assert_eq!(trail.into_handle().done, ["activate"]);
    }
}

#[test]
fn a_trail_that_starts_by_itself_is_refused_for_masking() {
    for role in [ProjectileRole::LocalDummy, ProjectileRole::RemoteCopy] {
        let running = Smoke { active: true, ..Smoke::new(1) };
        assert_eq!(Trail::begin(role, true, Some(running)), Err(TrailStartsActive));
    }
    // Who did not opt in may start as they like.
    let running = Smoke { active: true, ..Smoke::new(1) };
    assert_eq!(Trail::begin(ProjectileRole::RemoteCopy, false, Some(running)), Ok(Trail::None));
}

#[test]
fn a_mask_goes_from_the_muzzle_to_the_caught_up_position_whatever_the_length() {
    assert_eq!(TrailMask::of(&[], 0), None);
    for points in 1..200 {
        let way = way(points);
        let mask = TrailMask::of(&way, 7).unwrap();
        assert_eq!((mask.muzzle(), mask.caught_up(), mask.elapsed_us()), (way[0], way[way.len() - 1], 7));
        assert_eq!(mask.points().len(), way.len().min(MAX_TRAIL_POINTS));
        assert!(mask.points().windows(2).all(|pair| pair[0].z < pair[1].z));
        if way.len() <= MAX_TRAIL_POINTS {
            assert_eq!(mask.points(), way);
        }
    }
}

/// A target that stands for ten ticks, and what a shot along z meets.
fn hit(between: impl FnOnce(&SweepHit)) -> SweepHit {
    let mut history = RewindHistory::new(RewindConfig::default(), WorldKind::Game, NetRole::Authority).unwrap();
    let sample = HitboxSample {
        position: Point::of(Vec3::from_ints(0, 0, 600)).unwrap(),
        rotation: Quat::IDENTITY,
        shape: Shape::of(SourceShape::Capsule { radius: Fx::from_int(30), half_height: Fx::from_int(90) }).unwrap(),
        damageable: true,
        blocking: false,
        team: MatchTeam::NONE,
        state_flags: 0,
        epoch: 0,
    };
    let desc = HitboxDesc {
        actor: VIEWER,
        component: ComponentId(1),
        name: NameHash::of("body"),
        region: NameHash::of("torso"),
        projectile: false,
        client_only: false,
        cadence: Cadence::EveryServerTick,
    };
    history.record_tick(1_000_000, &mut |_, _: &HitboxDesc| Sampled::Gone).unwrap();
    history.register(desc, sample).unwrap();
    for tick in 1..10u64 {
        history.record_tick(1_000_000 + tick * 10_000, &mut |_, _: &HitboxDesc| Sampled::Here(sample)).unwrap();
    }
    let sweep = Sweep {
        from: Point::ORIGIN,
        to: Point::of(Vec3::from_ints(0, 0, 1_000)).unwrap(),
        radius_units: 100,
        from_us: 1_000_000,
        to_us: 1_090_000,
        too_old: TooOld::Clamp,
    };
    let ask = || history.sweep(&sweep, &QueryFilter::default(), &mut RewindCounters::default()).unwrap().unwrap();
    between(&ask());
    ask()
}

#[test]
fn hits_are_unchanged_by_the_mask() {
    let without = hit(|_| assert_eq!(Trail::<Smoke>::begin(ProjectileRole::RemoteCopy, true, None), Ok(Trail::None)));
    let with = hit(|_| {
        let trail = Trail::begin(ProjectileRole::RemoteCopy, true, Some(Smoke::new(1))).unwrap().mask(&mask());
        assert_eq!(trail.state(), TrailState::Attached);
    });
    assert_eq!(without, with);
}
