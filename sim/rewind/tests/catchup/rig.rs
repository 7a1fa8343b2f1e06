//! Worlds with a past, and a host that writes down what it is told.

use snapback_core::{Fx, NameHash, Quat, Vec3};
use snapback_rewind::catchup::{CatchUpWorld, Destroyed, LaunchError, Launched, ProjectileCatchUp, ProjectileHost, Spawn};
use snapback_rewind::fire::AcceptedFire;
use snapback_rewind::flight::{Body, FlightCounters, Gravity, Impact, ProjectileSpec, Verdict};
use snapback_rewind::live::{ColliderDesc, ColliderId, ColliderKind, Scene, Solid};
use snapback_rewind::*;
use std::collections::BTreeMap;

/// The first tick of every world.
pub(crate) const T0: u64 = 1_000_000;
pub(crate) const SHOOTER: ActorId = ActorId(1);

pub(crate) fn cm(x: i32, y: i32, z: i32) -> Point {
    Point::of(Vec3::from_ints(x, y, z)).unwrap()
}

/// A target with a past.
pub(crate) struct Mover {
    pub(crate) actor: u64,
    pub(crate) component: u64,
    pub(crate) radius: i32,
    pub(crate) half_height: i32,
    pub(crate) projectile: bool,
    /// What it is at a time.
    pub(crate) at: Box<dyn Fn(u64) -> Sampled>,
}

/// A sample of someone who can be damaged.
pub(crate) fn sample(position: Point, team: MatchTeam, epoch: u32) -> HitboxSample {
    HitboxSample {
        position,
        rotation: Quat::IDENTITY,
        shape: Shape::of(SourceShape::Sphere { radius: Fx::ONE }).unwrap(),
        damageable: true,
        blocking: false,
        team,
        state_flags: 0,
        epoch,
    }
}

/// A body of a team that is at `place` of each time, in centimetres.
pub(crate) fn body(actor: u64, team: MatchTeam, place: impl Fn(u64) -> [i32; 3] + 'static) -> Mover {
    let at = move |time_us| {
        let [x, y, z] = place(time_us);
        Sampled::Here(sample(cm(x, y, z), team, 0))
    };
    Mover { actor, component: 1, radius: 30, half_height: 90, projectile: false, at: Box::new(at) }
}

/// A world whose past is `ticks` ticks long.
pub(crate) struct World {
    pub(crate) history: RewindHistory,
    pub(crate) scene: Scene,
    pub(crate) tick_us: u32,
    pub(crate) now_us: u64,
    pub(crate) role: NetRole,
}

impl Mover {
    fn sample(&self, time_us: u64) -> Sampled {
        let shape = if self.half_height > self.radius {
            SourceShape::Capsule { radius: Fx::from_int(self.radius), half_height: Fx::from_int(self.half_height) }
        } else {
            SourceShape::Sphere { radius: Fx::from_int(self.radius) }
        };
        match (self.at)(time_us) {
            Sampled::Here(sample) => Sampled::Here(HitboxSample { shape: Shape::of(shape).unwrap(), ..sample }),
            other => other,
        }
    }

    fn desc(&self) -> HitboxDesc {
        HitboxDesc {
            actor: ActorId(self.actor),
            component: ComponentId(self.component),
            name: NameHash::of("body"),
            region: NameHash::of("torso"),
            projectile: self.projectile,
            client_only: false,
            cadence: Cadence::EveryServerTick,
        }
    }
}

impl World {
    pub(crate) fn new(tick_us: u32, ticks: u64, movers: &[Mover]) -> Self {
        let config = RewindConfig { max_hitboxes: movers.len().max(1) + 2, max_ticks: 320, ..RewindConfig::default() };
        let mut history = RewindHistory::new(config, WorldKind::Game, NetRole::Authority).unwrap();
        history.record_tick(T0, &mut |_, _: &HitboxDesc| Sampled::Gone).unwrap();
        for mover in movers {
            if let Sampled::Here(first) = mover.sample(T0) {
                history.register(mover.desc(), first).unwrap();
            }
        }
        let now_us = T0 + ticks * u64::from(tick_us);
        let mut world = Self { history, scene: Scene::new(64), tick_us, now_us: T0, role: NetRole::Authority };
        while world.now_us < now_us {
            world.record(movers);
        }
        world
    }

    /// The next tick.
    pub(crate) fn record(&mut self, movers: &[Mover]) {
        self.now_us += u64::from(self.tick_us);
        let now_us = self.now_us;
        let find = |desc: &HitboxDesc| movers.iter().find(|mover| mover.desc() == *desc);
        let mut source = |_: HitboxId, desc: &HitboxDesc| find(desc).map_or(Sampled::Gone, |mover| mover.sample(now_us));
        self.history.record_tick(now_us, &mut source).unwrap();
    }

    pub(crate) fn add(&mut self, actor: u64, kind: ColliderKind, solid: Solid, place: Point) -> ColliderId {
        let damageable = matches!(kind, ColliderKind::Destructible | ColliderKind::Pawn);
        let actor = ActorId(actor);
        self.scene.add(ColliderDesc { actor, kind, team: MatchTeam::NONE, damageable, lag_comp_ignore: false, solid, place }).unwrap()
    }

    pub(crate) fn wall(&mut self, actor: u64, kind: ColliderKind, z_cm: i32) -> ColliderId {
        self.add(actor, kind, Solid::cuboid(Vec3::from_ints(300, 300, 5)).unwrap(), cm(0, 0, z_cm))
    }

    /// A shot from the origin along z, fired `ago_us` ago by someone who saw others `delay_us` late.
    pub(crate) fn shot(&self, ago_us: u64, delay_us: u32, spec: ProjectileSpec) -> Spawn {
        let fire = AcceptedFire {
            shooter: SHOOTER,
            sequence: 3,
            rotation: Quat::IDENTITY,
            fire_us: self.now_us - ago_us,
            view_delay_us: delay_us,
            accepted_us: self.now_us,
        };
        Spawn { fire, muzzle: Vec3::ZERO, spec }
    }

    pub(crate) fn view(&mut self) -> CatchUpWorld<'_, Scene> {
        CatchUpWorld { history: &mut self.history, live: &self.scene, kind: WorldKind::Game, role: self.role, now_us: self.now_us }
    }

    pub(crate) fn launch_with(&mut self, spawn: &Spawn, host: &mut Host) -> Result<Launched<u32, Gravity>, LaunchError<Fault>> {
        let catch_up = ProjectileCatchUp::new(self.tick_us).unwrap();
        catch_up.launch(&mut self.view(), spawn, spawn.spec.ballistics(), host, &mut FlightCounters::default(), &mut ())
    }

    pub(crate) fn launch(&mut self, spawn: &Spawn) -> (Launched<u32, Gravity>, Host) {
        let mut host = Host::default();
        let launched = self.launch_with(spawn, &mut host).unwrap();
        assert!(host.is_clear(), "{:?}", host.calls);
        (launched, host)
    }

    /// Whom the shot damaged.
    pub(crate) fn victims(&mut self, spawn: &Spawn) -> Vec<u64> {
        self.launch(spawn).1.victims()
    }
}

/// A ball of 5 cm that flies 100 m a second, of team 1.
pub(crate) fn bullet() -> ProjectileSpec {
    ProjectileSpec { team: MatchTeam::new(1), source: 77, ..ProjectileSpec::default() }
}

/// A call of a host.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Call {
    Begin,
    Overlap(bool),
    Finish,
    Impact,
    Place,
    Destroy,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Fault(pub(crate) Call);

/// Writes down what it is told, and fails or panics where it is told to.
#[derive(Default)]
pub(crate) struct Host {
    pub(crate) calls: Vec<Call>,
    pub(crate) impacts: Vec<Impact>,
    pub(crate) placed: Option<(Body, u64)>,
    pub(crate) destroyed: Option<Destroyed>,
    pub(crate) fail_at: Option<Call>,
    pub(crate) panic_at: Option<Call>,
    pub(crate) end_at_impact: bool,
    pub(crate) own_actor: Option<ActorId>,
    /// The hitbox that the projectile is to have, and its first sample.
    pub(crate) registers: Option<(HitboxDesc, HitboxSample)>,
    /// The one that it has, and the epoch of its samples.
    pub(crate) hitbox: Option<HitboxId>,
    pub(crate) epoch: u32,
    /// Does not say which actor it is.
    pub(crate) is_nameless: bool,
}

impl Host {
    fn call(&mut self, call: Call) -> Result<(), Fault> {
        self.calls.push(call);
        assert!(self.panic_at != Some(call), "the host panics as planned");
        if self.fail_at == Some(call) { Err(Fault(call)) } else { Ok(()) }
    }

    /// Whether overlap handling was off from before the spawn was finished, until everything else was
    /// over, and is on now.
    pub(crate) fn is_clear(&self) -> bool {
        let inner = |call: &Call| !matches!(call, Call::Overlap(_));
        match self.calls.as_slice() {
            [Call::Begin] => true,
            [Call::Begin, Call::Overlap(false), rest @ .., Call::Overlap(true)] => rest.iter().all(inner),
            _ => false,
        }
    }

    pub(crate) fn victims(&self) -> Vec<u64> {
        self.impacts.iter().filter(|impact| impact.damage).map(|impact| impact.target.actor().0).collect()
    }

    /// How often each actor was damaged.
    pub(crate) fn damage(&self) -> BTreeMap<u64, usize> {
        let mut damage = BTreeMap::new();
        for victim in self.victims() {
            *damage.entry(victim).or_default() += 1;
        }
        damage
    }
}

impl ProjectileHost for Host {
    type Projectile = u32;
    type Error = Fault;

    fn begin_spawn(&mut self, _: &Spawn) -> Result<u32, Fault> {
        self.call(Call::Begin).map(|()| 9)
    }

    fn set_overlap(&mut self, projectile: u32, handled: bool) {
        assert_eq!(projectile, 9);
        self.calls.push(Call::Overlap(handled));
    }

    fn finish_spawn(&mut self, _: u32, history: &mut RewindHistory) -> Result<Option<ActorId>, Fault> {
        self.call(Call::Finish)?;
        if let Some((desc, first)) = self.registers {
            self.hitbox = Some(history.register(desc, first).unwrap());
            return Ok(Some(desc.actor).filter(|_| !self.is_nameless));
        }
        Ok(self.own_actor)
    }

    fn impact(&mut self, _: u32, impact: &Impact) -> Result<Verdict, Fault> {
        self.impacts.push(*impact);
        self.call(Call::Impact)?;
        Ok(if self.end_at_impact { Verdict::End } else { Verdict::GoOn })
    }

    fn place(&mut self, _: u32, body: &Body, time_us: u64) -> Result<(), Fault> {
        self.placed = Some((*body, time_us));
        self.epoch += 1;
        self.call(Call::Place)
    }

    fn destroy(&mut self, _: u32, why: Destroyed) {
        self.destroyed = Some(why);
        let _ = self.call(Call::Destroy);
    }
}
