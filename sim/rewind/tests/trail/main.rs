//! Trails of projectiles that appear caught up: for the eyes only, one trail, never the shooter's.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use core::convert::Infallible;
use snapback_core::{Fx, NameHash, Quat, Vec3};
use snapback_rewind::catchup::{
    CatchUpObserver, CatchUpReport, CatchUpWorld, Destroyed, Launched, ProjectileCatchUp, ProjectileHost, Spawn,
};
use snapback_rewind::fire::AcceptedFire;
use snapback_rewind::flight::{Body, FlightCounters, FlightObserver, Gravity, Impact, ImpactRule, ProjectileSpec, Verdict};
use snapback_rewind::live::{ColliderDesc, ColliderKind, Scene, Solid};
use snapback_rewind::replicate::{ProjectileReplication, ProjectileRole};
use snapback_rewind::trail::{MAX_TRAIL_POINTS, Trail, TrailHandle, TrailMask, TrailStartsActive, TrailState};
use snapback_rewind::{
    ActorId, Cadence, ComponentId, HitboxDesc, HitboxSample, MatchTeam, NetRole, Point, RewindConfig, RewindHistory, Sampled, Shape,
    SourceShape, WorldKind,
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

/// A world of one who crosses the line of fire, with a wall behind. 20 ticks of 10 ms.
fn range() -> (RewindHistory, Scene) {
    let mut history = RewindHistory::new(RewindConfig::default(), WorldKind::Game, NetRole::Authority).unwrap();
    let runner = |tick: u64| HitboxSample {
        position: Point::of(Vec3::from_ints(tick as i32 * 10 - 100, 0, 600)).unwrap(),
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
    history.record_tick(START_US, &mut |_, _: &HitboxDesc| Sampled::Gone).unwrap();
    history.register(desc, runner(0)).unwrap();
    for tick in 1..=20u64 {
        history.record_tick(START_US + tick * 10_000, &mut |_, _: &HitboxDesc| Sampled::Here(runner(tick))).unwrap();
    }
    let mut scene = Scene::new(1);
    let (actor, kind, team) = (ActorId(50), ColliderKind::WorldStatic, MatchTeam::NONE);
    let (solid, place) = (Solid::half_space(-Vec3::Z).unwrap(), Point::of(Vec3::from_ints(0, 0, 900)).unwrap());
    scene.add(ColliderDesc { actor, kind, team, damageable: false, lag_comp_ignore: false, solid, place }).unwrap();
    (history, scene)
}

const START_US: u64 = 1_000_000;
const NOW_US: u64 = START_US + 200_000;

/// What a server does for remote viewers while a shot catches up: it notes the way, and masks their trail with it.
struct Masking {
    way: Vec<Vec3>,
    trail: Option<Trail<Smoke>>,
}

impl FlightObserver for Masking {
    fn impact(&mut self, impact: &Impact) {
        self.way.push(impact.position);
        self.mask(impact.time_us);
    }

    fn ticked(&mut self, time_us: u64, body: &Body) {
        self.way.push(body.position);
        self.mask(time_us);
    }
}

impl CatchUpObserver for Masking {
    fn decided(&mut self, report: &CatchUpReport) {
        assert!(report.steps > 0);
        self.mask(NOW_US);
    }
}

impl Masking {
    fn mask(&mut self, time_us: u64) {
        let mask = TrailMask::of(&self.way, (time_us - START_US) as u32).unwrap();
        self.trail = self.trail.take().map(|trail| trail.mask(&mask));
    }
}

#[derive(Default, PartialEq, Debug)]
struct Host {
    impacts: Vec<Impact>,
    placed: Option<(Body, u64)>,
    destroyed: Option<Destroyed>,
}

impl ProjectileHost for Host {
    type Projectile = ();
    type Error = Infallible;

    fn begin_spawn(&mut self, _: &Spawn) -> Result<(), Infallible> {
        Ok(())
    }

    fn set_overlap(&mut self, (): (), _: bool) {}

    fn finish_spawn(&mut self, (): (), _: &mut RewindHistory) -> Result<Option<ActorId>, Infallible> {
        Ok(None)
    }

    fn impact(&mut self, (): (), impact: &Impact) -> Result<Verdict, Infallible> {
        self.impacts.push(*impact);
        Ok(Verdict::GoOn)
    }

    fn place(&mut self, (): (), body: &Body, time_us: u64) -> Result<(), Infallible> {
        self.placed = Some((*body, time_us));
        Ok(())
    }

    fn destroy(&mut self, (): (), why: Destroyed) {
        self.destroyed = Some(why);
    }
}

/// Fires along z, `ago_us` ago.
fn fire<O: CatchUpObserver>(ago_us: u64, on_impact: ImpactRule, observer: &mut O) -> (Host, Launched<(), Gravity>, FlightCounters) {
    let (mut history, scene) = range();
    let (mut host, mut counters) = (Host::default(), FlightCounters::default());
    let fire = AcceptedFire {
        shooter: SHOOTER,
        sequence: 1,
        rotation: Quat::IDENTITY,
        fire_us: NOW_US - ago_us,
        view_delay_us: 40_000,
        accepted_us: NOW_US,
    };
    let spec = ProjectileSpec { on_impact, max_impacts: 10, ..ProjectileSpec::default() };
    let spawn = Spawn { fire, muzzle: Vec3::ZERO, spec };
    let mut world = CatchUpWorld { history: &mut history, live: &scene, kind: WorldKind::Game, role: NetRole::Authority, now_us: NOW_US };
    let catch_up = ProjectileCatchUp::new(10_000).unwrap();
    let launched = catch_up.launch(&mut world, &spawn, spec.ballistics(), &mut host, &mut counters, observer).unwrap();
    (host, launched, counters)
}

#[test]
fn hits_are_unchanged_by_the_mask() {
    let bounce = ImpactRule::Bounce { restitution: Fx::ratio(1, 2) };
    for (ago_us, rule, impacts) in [
        (150_000, ImpactRule::Stop, 1),
        (150_000, ImpactRule::Pierce, 2),
        (150_000, bounce, 2),
        (180_000, ImpactRule::Pierce, 1),
        (50_000, ImpactRule::Stop, 0),
    ] {
        let without = fire(ago_us, rule, &mut ());
        let trail = Trail::begin(ProjectileRole::RemoteCopy, true, Some(Smoke::new(1))).unwrap();
        let mut masking = Masking { way: vec![Vec3::ZERO], trail: Some(trail) };
        let with = fire(ago_us, rule, &mut masking);
        assert_eq!(without, with);
        assert_eq!(with.0.impacts.len(), impacts, "{ago_us} {rule:?}");
        let trail = masking.trail.unwrap();
        assert_eq!((trail.state(), masking.way.len() > 1), (TrailState::Attached, true));
    }
}
