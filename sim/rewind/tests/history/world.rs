//! A host's world: components that are somewhere, and a history that is told.

use snapback_core::{Fx, NameHash, Quat};
use snapback_rewind::*;
use std::collections::BTreeMap;

pub(crate) const TICK_US: u64 = 10_000;
pub(crate) const START_US: u64 = 1_000_000;

pub(crate) fn ball(radius_units: i32) -> Shape {
    Shape::of(SourceShape::Sphere { radius: units::fx(radius_units) }).unwrap()
}

pub(crate) fn capsule(radius_units: i32, half_height_units: i32) -> Shape {
    Shape::of(SourceShape::Capsule { radius: units::fx(radius_units), half_height: units::fx(half_height_units) }).unwrap()
}

/// A body of 30 cm and 90 cm at a place.
pub(crate) fn body(x: i32, y: i32, z: i32) -> HitboxSample {
    HitboxSample {
        position: Point { x, y, z },
        rotation: Quat::IDENTITY,
        shape: Shape::of(SourceShape::Capsule { radius: Fx::from_int(30), half_height: Fx::from_int(90) }).unwrap(),
        damageable: true,
        blocking: false,
        team: MatchTeam::NONE,
        state_flags: 0,
        epoch: 0,
    }
}

/// The hitbox of component `number`, of the actor of the same number, at every tick.
pub(crate) fn desc(number: u64) -> HitboxDesc {
    HitboxDesc {
        actor: ActorId(number),
        component: ComponentId(number),
        name: NameHash::of("body"),
        region: NameHash::of("torso"),
        projectile: false,
        client_only: false,
        cadence: Cadence::EveryServerTick,
    }
}

pub(crate) struct World {
    pub(crate) history: RewindHistory,
    /// What each component is now. One that is missing is gone.
    pub(crate) components: BTreeMap<u64, Sampled>,
    /// Who was sampled at the newest tick.
    pub(crate) sampled: Vec<HitboxId>,
    pub(crate) notices: Vec<Notice>,
    pub(crate) counters: RewindCounters,
    pub(crate) now_us: u64,
}

impl World {
    pub(crate) fn new() -> Self {
        Self::with(RewindConfig { max_hitboxes: 64, ..RewindConfig::default() })
    }

    /// A world whose first tick is recorded.
    pub(crate) fn with(config: RewindConfig) -> Self {
        let history = RewindHistory::new(config, WorldKind::Game, NetRole::Authority).unwrap();
        let (components, counters) = (BTreeMap::new(), RewindCounters::default());
        let mut world = Self { history, components, sampled: Vec::new(), notices: Vec::new(), counters, now_us: START_US };
        world.history.record_tick(START_US, &mut |_, _: &HitboxDesc| Sampled::Gone).unwrap();
        world
    }

    pub(crate) fn add(&mut self, desc: HitboxDesc, first: HitboxSample) -> HitboxId {
        self.components.insert(desc.component.0, Sampled::Here(first));
        self.history.register(desc, first).unwrap()
    }

    pub(crate) fn add_from(&mut self, desc: HitboxDesc) -> Result<HitboxId, RegisterError> {
        let (components, notices) = (&self.components, &mut self.notices);
        let sample = |_, desc: &HitboxDesc| components.get(&desc.component.0).copied().unwrap_or(Sampled::Gone);
        self.history.register_from(desc, &mut (sample, |notice: &Notice| notices.push(*notice)))
    }

    pub(crate) fn set(&mut self, component: u64, sample: HitboxSample) {
        self.components.insert(component, Sampled::Here(sample));
    }

    pub(crate) fn tick_after(&mut self, passed_us: u64) -> RecordReport {
        self.now_us += passed_us;
        self.sampled.clear();
        let (components, sampled, notices) = (&self.components, &mut self.sampled, &mut self.notices);
        let sample = |id, desc: &HitboxDesc| {
            sampled.push(id);
            components.get(&desc.component.0).copied().unwrap_or(Sampled::Gone)
        };
        self.history.record_tick(self.now_us, &mut (sample, |notice: &Notice| notices.push(*notice))).unwrap()
    }

    pub(crate) fn tick(&mut self) -> RecordReport {
        self.tick_after(TICK_US)
    }

    pub(crate) fn at(&mut self, id: HitboxId, time_us: u64) -> Result<HitboxFrame, LookupError> {
        self.history.frame_at(id, time_us, &mut self.counters)
    }

    pub(crate) fn x_at(&mut self, id: HitboxId, time_us: u64) -> Result<i32, LookupError> {
        self.at(id, time_us).map(|frame| frame.centre.x)
    }
}

/// A ball of `radius_units` that goes 10 m along z through (x, y).
pub(crate) fn shot(x: i32, y: i32, radius_units: i32, time_us: u64) -> Sweep {
    let (from, to) = (Point { x, y, z: -81_920 }, Point { x, y, z: 81_920 });
    Sweep { from, to, radius_units, from_us: time_us, to_us: time_us, too_old: TooOld::Fail }
}
