//! Candidates as colliders, for a host that sweeps with a collision engine of its own.
//!
//! A [`ProxyPool`] has a fixed number of spheres and of capsules. [`build`](ProxyPool::build)
//! activates one for each candidate of a query and for nobody else; [`clear`](ProxyPool::clear) puts all of
//! them back and destroys none. The host makes one collider for each [place](ProxyKey::place) once,
//! sets pose and size from the frame of whatever is [active](ProxyPool::active), sweeps on
//! [`Channel::LAG_COMP_HITBOX`], and gets the actor back by the collider's [`ProxyKey`].
//!
//! Whoever walks over all colliders for another reason asks [`ProxyPool::visit`], which answers
//! queries on the proxies' channel only: gameplay channels, collision, overlap events, replication
//! and drawing never see a proxy.
//!
//! A host without an engine asks [`RewindHistory::sweep`], which needs no proxies, or
//! [`ProxyPool::sweep`], which gives the same answer as a frozen sweep of the history.

mod channel;
mod sweep;

pub use channel::{Channel, ChannelSet, Purpose};
pub use sweep::ProxyHit;

use core::fmt;
use snapback_core::{Fx, NameHash, Quat};

use crate::shape::MAX_RADIUS_UNITS;
use crate::{
    ActorId, ComponentId, HitboxFrame, HitboxId, MatchTeam, NotAuthority, Point, QueryBounds, QueryFilter, RewindCounters, RewindHistory,
    ShapeKind, TimeError, units,
};

/// How many proxies there are. 0 of a kind is allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProxyConfig {
    /// Spheres, at most 65,536: more are cut off.
    pub spheres: usize,
    /// Capsules, at most 65,536: more are cut off.
    pub capsules: usize,
}

impl Default for ProxyConfig {
    fn default() -> Self {
        Self { spheres: 64, capsules: 64 }
    }
}

const MAX_OF_A_KIND: usize = 1 << 16;

/// A proxy that was activated. Never names another than the one it was given for: after a
/// [`clear`](ProxyPool::clear) it names nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ProxyKey {
    kind: ShapeKind,
    index: u32,
    generation: u64,
}

impl ProxyKey {
    /// Sphere or capsule: which of the two pools.
    #[must_use]
    pub const fn kind(self) -> ShapeKind {
        self.kind
    }

    /// Its place in its pool, from 0: the host's collider with this number.
    #[must_use]
    pub const fn place(self) -> u32 {
        self.index
    }

    /// How often the pool was cleared before.
    #[must_use]
    pub const fn generation(self) -> u64 {
        self.generation
    }
}

/// Why there are no proxies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BuildError {
    /// Not on authority.
    NotAuthority(NotAuthority),
    /// The time cannot be answered.
    Time(TimeError),
    /// There are more candidates than proxies.
    Exhausted(Exhausted),
}

/// There are fewer proxies of a kind than are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exhausted {
    /// Which kind.
    pub kind: ShapeKind,
    /// How many there are.
    pub capacity: usize,
    /// How many were wanted.
    pub wanted: usize,
}

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, capacity, wanted } = self;
        write!(f, "{wanted} proxies of kind {kind:?} are wanted and there are {capacity}: narrow the bounds or make a larger pool")
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAuthority(reason) => reason.fmt(f),
            Self::Time(reason) => reason.fmt(f),
            Self::Exhausted(reason) => reason.fmt(f),
        }
    }
}

impl std::error::Error for Exhausted {}
impl std::error::Error for BuildError {}

/// Why a proxy was not activated for a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ActivateError {
    /// There is none left of its kind.
    Exhausted(Exhausted),
    /// Its centre is more than [`MAX_COORDINATE`](units::MAX_COORDINATE) from the origin.
    Centre(Point),
    /// Its radius is under a unit, or over [`MAX_RADIUS_UNITS`].
    Radius(Fx),
    /// Its half axis is longer than that of any [`Shape`](crate::Shape), or one of a sphere and not zero.
    HalfAxis([i32; 3]),
}

impl fmt::Display for ActivateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exhausted(reason) => reason.fmt(f),
            Self::Centre(Point { x, y, z }) => write!(f, "the centre ({x}, {y}, {z}) of the frame is over 2^30 units from the origin"),
            Self::Radius(radius) => write!(f, "the radius of the frame is {radius} cm, and must be from a unit to 399 cm"),
            Self::HalfAxis(axis) => {
                write!(f, "the half axis of the frame is {axis:?} units, and must be zero for a sphere and at most 2 m long for a capsule")
            }
        }
    }
}

impl std::error::Error for ActivateError {}

/// The longest half axis of a frame: [`MAX_HALF_AXIS_UNITS`](crate::shape::MAX_HALF_AXIS_UNITS), turned by a quaternion that is off
/// by 2^-11 and rounded twice. What sweeps compute with is bounded by this (`narrow`).
const MAX_FRAME_AXIS_UNITS: i128 = 32_803;

/// Whether sweeps can compute with it: every frame of a history is so, one of a host's own may not be.
fn check(frame: &HitboxFrame) -> Result<(), ActivateError> {
    if frame.centre.to_array().iter().any(|part| part.unsigned_abs() > units::MAX_COORDINATE.unsigned_abs()) {
        return Err(ActivateError::Centre(frame.centre));
    }
    if !(1..=i64::from(MAX_RADIUS_UNITS)).contains(&frame.radius_units()) {
        return Err(ActivateError::Radius(frame.radius));
    }
    let longest = if frame.kind == ShapeKind::Sphere { 0 } else { MAX_FRAME_AXIS_UNITS };
    let squared: i128 = frame.half_axis.iter().map(|&part| i128::from(part) * i128::from(part)).sum();
    if squared > longest * longest {
        return Err(ActivateError::HalfAxis(frame.half_axis));
    }
    Ok(())
}

/// Proxies of one kind. The first `active` of them are active.
#[derive(Debug)]
struct Pool {
    kind: ShapeKind,
    frames: Vec<HitboxFrame>,
    active: usize,
}

impl Pool {
    fn new(kind: ShapeKind, capacity: usize) -> Self {
        Self { kind, frames: vec![nothing(kind); capacity.min(MAX_OF_A_KIND)], active: 0 }
    }

    fn clear(&mut self) {
        self.frames[..self.active].fill(nothing(self.kind));
        self.active = 0;
    }

    fn activate(&mut self, frame: &HitboxFrame) -> Result<u32, Exhausted> {
        let capacity = self.frames.len();
        let Some(free) = self.frames.get_mut(self.active) else {
            return Err(Exhausted { kind: self.kind, capacity, wanted: self.active + 1 });
        };
        *free = *frame;
        self.active += 1;
        Ok(self.active as u32 - 1)
    }

    fn active(&self, generation: u64) -> impl Iterator<Item = (ProxyKey, &HitboxFrame)> + '_ {
        let kind = self.kind;
        let frames = self.frames[..self.active].iter().enumerate();
        frames.map(move |(index, frame)| (ProxyKey { kind, index: index as u32, generation }, frame))
    }
}

/// What an inactive proxy holds: nobody's data.
const fn nothing(kind: ShapeKind) -> HitboxFrame {
    HitboxFrame {
        time_us: 0,
        hitbox: HitboxId { index: u32::MAX, generation: u32::MAX },
        actor: ActorId(u64::MAX),
        component: ComponentId(u64::MAX),
        name: NameHash::NONE,
        region: NameHash::NONE,
        kind,
        centre: Point::ORIGIN,
        rotation: Quat::IDENTITY,
        half_axis: [0; 3],
        radius: Fx::ZERO,
        half_height: Fx::ZERO,
        broadphase_radius: Fx::ZERO,
        damageable: false,
        blocking: false,
        projectile: false,
        team: MatchTeam::NONE,
        state_flags: 0,
        epoch: 0,
    }
}

/// Colliders of the past. All memory is taken when it is made.
///
/// ```
/// use snapback_rewind::proxy::*;
/// use snapback_rewind::*;
/// # let history = RewindHistory::new(RewindConfig::default(), WorldKind::Game, NetRole::Authority).unwrap();
/// let mut pool = ProxyPool::new(ProxyConfig { spheres: 16, capsules: 64 });
/// let way = Segment::new(Point::ORIGIN, Point { x: 0, y: 0, z: 16_384 }, 800)?;
/// let mut counters = RewindCounters::default();
/// match pool.build(&history, 1_000, &QueryFilter::default(), &QueryBounds::along(way), &mut counters) {
///     Ok(_) => {
///         if let Some(hit) = pool.sweep(&way, &mut counters) {
///             println!("hit {:?}", pool.frame(hit.proxy).map(|frame| frame.region));
///         }
///     }
///     Err(reason) => println!("{reason}"),
/// }
/// pool.clear();
/// # Ok::<(), QueryError>(())
/// ```
#[derive(Debug)]
pub struct ProxyPool {
    spheres: Pool,
    capsules: Pool,
    generation: u64,
}

impl ProxyPool {
    /// A pool with nothing active.
    #[must_use]
    pub fn new(config: ProxyConfig) -> Self {
        let pool = |kind, capacity| Pool::new(kind, capacity);
        Self { spheres: pool(ShapeKind::Sphere, config.spheres), capsules: pool(ShapeKind::Capsule, config.capsules), generation: 0 }
    }

    /// How many proxies of a kind there are, active or not.
    #[must_use]
    pub const fn capacity(&self, kind: ShapeKind) -> usize {
        self.pool(kind).frames.len()
    }

    /// How many of a kind are active.
    #[must_use]
    pub const fn active_count(&self, kind: ShapeKind) -> usize {
        self.pool(kind).active
    }

    const fn pool(&self, kind: ShapeKind) -> &Pool {
        match kind {
            ShapeKind::Sphere => &self.spheres,
            ShapeKind::Capsule => &self.capsules,
        }
    }

    /// Clears the pool and activates a proxy for each candidate of `history` at `time_us`. How many.
    ///
    /// # Errors
    /// If this is not authority, the time cannot be answered, or there are more candidates than
    /// proxies, which says how many. Nothing is active then: a part of them would be a wrong answer.
    pub fn build(
        &mut self,
        history: &RewindHistory,
        time_us: u64,
        filter: &QueryFilter,
        bounds: &QueryBounds,
        counters: &mut RewindCounters,
    ) -> Result<usize, BuildError> {
        self.clear();
        history.authority().map_err(BuildError::NotAuthority)?;
        let mut exhausted: Option<Exhausted> = None;
        let visited = history.visit_candidates(time_us, filter, bounds, counters, |frame| {
            let Err(reason) = self.put(&frame) else { return };
            let first = exhausted.get_or_insert(Exhausted { wanted: reason.capacity, ..reason });
            first.wanted += usize::from(first.kind == reason.kind);
        });
        if let Some(reason) = exhausted {
            self.clear();
            return Err(BuildError::Exhausted(reason));
        }
        visited.map_err(BuildError::Time)?;
        let active = self.spheres.active + self.capsules.active;
        counters.activations += active as u64;
        Ok(active)
    }

    /// Activates a proxy for a frame, for hosts that look for candidates themselves.
    ///
    /// # Errors
    /// If there is none left of its kind, or if centre, radius or half axis are such as no history has. Those that
    /// are active stay so.
    pub fn activate(&mut self, frame: &HitboxFrame) -> Result<ProxyKey, ActivateError> {
        check(frame)?;
        self.put(frame).map_err(ActivateError::Exhausted)
    }

    fn put(&mut self, frame: &HitboxFrame) -> Result<ProxyKey, Exhausted> {
        let generation = self.generation;
        let pool = match frame.kind {
            ShapeKind::Sphere => &mut self.spheres,
            ShapeKind::Capsule => &mut self.capsules,
        };
        Ok(ProxyKey { kind: frame.kind, index: pool.activate(frame)?, generation })
    }

    /// Has nothing active. Keys from before name nothing from now on; no proxy is destroyed.
    pub fn clear(&mut self) {
        self.spheres.clear();
        self.capsules.clear();
        self.generation += 1;
    }

    /// What a proxy stands for: pose and size, actor, component, hitbox, region, historical time,
    /// shape, damageable, blocking, team. Nothing for a key from before the last clear.
    #[must_use]
    pub fn frame(&self, key: ProxyKey) -> Option<&HitboxFrame> {
        let pool = self.pool(key.kind);
        if key.generation != self.generation {
            return None;
        }
        pool.frames[..pool.active].get(key.index as usize)
    }

    /// What is active: spheres, then capsules, each in the order of their places.
    pub fn active(&self) -> impl Iterator<Item = (ProxyKey, &HitboxFrame)> + '_ {
        self.spheres.active(self.generation).chain(self.capsules.active(self.generation))
    }

    /// The proxies that somebody sees who visits colliders on `channels` for `purpose`: those that are
    /// active for a query on [`Channel::LAG_COMP_HITBOX`], and none for any other.
    pub fn visit(&self, purpose: Purpose, channels: ChannelSet) -> impl Iterator<Item = (ProxyKey, &HitboxFrame)> + '_ {
        let seen = purpose == Purpose::Query && channels.contains(Channel::LAG_COMP_HITBOX);
        self.active().take_while(move |_| seen)
    }
}
