//! [`RewindHistory`]: where every hitbox was, tick by tick.

mod candidates;
mod lookup;
mod past;
mod record;
mod register;
mod row;
mod sweep;
mod target;

pub(crate) use candidates::Against;
pub use lookup::{Lifetime, Span};
pub use past::{Cast, Past};
pub use record::{MAX_TIME_US, RecordError, RecordReport, SampleError};
pub use register::RegisterError;

use crate::index::Index;
use crate::{HitboxDesc, HitboxId, InvalidRewindConfig, NetRole, NotAuthority, RewindConfig, WorldKind, host};
use core::cmp::Reverse;
pub(crate) use row::{Row, TickMeta, TickPose, flags, presence};
use std::collections::BinaryHeap;
pub(crate) use target::{Piece, Way};

/// Where every hitbox was, tick by tick, for a quarter of a second.
///
/// On authority only, and outside of any snapshot: it is asked about, never rolled back. All memory
/// is taken when it is made; registering, recording and asking allocate nothing.
///
/// Order of calls: once per tick [`record_tick`](Self::record_tick), then anything else. What is
/// registered between two ticks has its first snapshot at the tick before.
///
/// ```
/// use snapback_core::{Fx, NameHash, Quat, Vec3};
/// use snapback_rewind::*;
///
/// let mut history = RewindHistory::new(RewindConfig::default(), WorldKind::Game, NetRole::Authority)?;
/// let shape = Shape::of(SourceShape::Capsule { radius: Fx::from_int(30), half_height: Fx::from_int(90) })?;
/// let runner_at = |x_cm: i32| HitboxSample {
///     position: Point::of(Vec3::from_ints(x_cm, 90, 0)).unwrap(),
///     rotation: Quat::IDENTITY,
///     shape,
///     damageable: true,
///     blocking: false,
///     team: MatchTeam::new(1),
///     state_flags: 0,
///     epoch: 0,
/// };
/// let desc = HitboxDesc {
///     actor: ActorId(7),
///     component: ComponentId(1),
///     name: NameHash::of("body"),
///     region: NameHash::of("torso"),
///     projectile: false,
///     client_only: false,
///     cadence: Cadence::EveryServerTick,
/// };
/// history.record_tick(1_000_000, &mut |_, _: &HitboxDesc| Sampled::Gone)?;
/// let runner = history.register(desc, runner_at(0))?;
/// history.record_tick(1_016_000, &mut |_, _: &HitboxDesc| Sampled::Here(runner_at(8)))?;
///
/// let then = history.frame_at(runner, 1_008_000, &mut RewindCounters::default())?;
/// assert_eq!(then.centre.to_vec3().x.round(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RewindHistory {
    config: RewindConfig,
    authority: Result<(), NotAuthority>,
    slots: Vec<Slot>,
    /// Places that nobody has, the smallest first, so that those in use lie together.
    free: BinaryHeap<Reverse<u32>>,
    /// One more than the highest place in use. Nothing above it is looked at.
    used: usize,
    /// The places of hitboxes that are not retired, in the order of what they are known by.
    by_component: Vec<u32>,
    rows: Vec<Row>,
    /// How many ticks were recorded ever. Tick `n` lies in row `n % rows.len()`.
    ticks: u64,
    index: Index,
}

/// A place for a hitbox.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    generation: u32,
    desc: Option<HitboxDesc>,
    /// Whether it ever had a sample. One with an unsupported shape has none yet.
    sampled: bool,
    /// When it had its first sample, and when it was destroyed.
    born_us: u64,
    gone_us: Option<u64>,
    /// The tick of its newest sample, counted like [`RewindHistory::ticks`].
    last_tick: u64,
    last_us: u64,
    /// Time since its newest sample was due.
    accumulated_us: u64,
    unsupported_reported: bool,
}

impl RewindHistory {
    /// A history of an empty world.
    ///
    /// # Errors
    /// If a number is out of range. A world that is not ours to judge is no error here: everything
    /// that would change the history is refused instead.
    pub fn new(config: RewindConfig, kind: WorldKind, role: NetRole) -> Result<Self, InvalidRewindConfig> {
        config.validate()?;
        let empty = Slot {
            generation: 0,
            desc: None,
            sampled: false,
            born_us: 0,
            gone_us: None,
            last_tick: 0,
            last_us: 0,
            accumulated_us: 0,
            unsupported_reported: false,
        };
        Ok(Self {
            config,
            authority: host::check_authority(kind, role),
            slots: vec![empty; config.max_hitboxes],
            free: (0..config.max_hitboxes as u32).map(Reverse).collect(),
            used: 0,
            by_component: Vec::with_capacity(config.max_hitboxes),
            rows: (0..config.max_ticks).map(|_| Row::new(config.max_hitboxes)).collect(),
            ticks: 0,
            index: Index::new(config.max_hitboxes, config.max_ticks),
        })
    }

    /// The numbers it was made with.
    #[must_use]
    pub const fn config(&self) -> &RewindConfig {
        &self.config
    }

    /// Says that the world is another kind now, such as inactive.
    pub const fn set_world(&mut self, kind: WorldKind, role: NetRole) {
        self.authority = host::check_authority(kind, role);
    }

    /// Whether this world may keep a history now.
    ///
    /// # Errors
    /// If it may not, and why.
    pub const fn authority(&self) -> Result<(), NotAuthority> {
        self.authority
    }

    /// The time of the newest tick.
    #[must_use]
    pub fn now_us(&self) -> Option<u64> {
        Some(self.row(self.ticks.checked_sub(1)?).time_us)
    }

    /// The time of the oldest tick that is still kept.
    #[must_use]
    pub fn oldest_us(&self) -> Option<u64> {
        self.now_us().map(|_| self.row(self.oldest_tick()).time_us)
    }

    /// Hitboxes in the history, with those that are retired and not too old yet.
    #[must_use]
    pub fn len(&self) -> usize {
        self.hitboxes().count()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// All hitboxes in the order of their places.
    pub fn hitboxes(&self) -> impl Iterator<Item = HitboxId> + '_ {
        self.described().map(|(id, _)| id)
    }

    fn described(&self) -> impl Iterator<Item = (HitboxId, &HitboxDesc)> + '_ {
        self.slots[..self.used].iter().enumerate().filter_map(|(index, slot)| {
            let id = HitboxId { index: index as u32, generation: slot.generation };
            slot.desc.as_ref().map(|desc| (id, desc))
        })
    }

    fn row(&self, tick: u64) -> &Row {
        &self.rows[(tick % self.rows.len() as u64) as usize]
    }

    fn row_mut(&mut self, tick: u64) -> &mut Row {
        let at = (tick % self.rows.len() as u64) as usize;
        &mut self.rows[at]
    }

    pub(crate) const fn index(&self) -> &Index {
        &self.index
    }

    fn oldest_tick(&self) -> u64 {
        self.ticks.saturating_sub(self.rows.len() as u64)
    }

    fn slot(&self, id: HitboxId) -> Option<(&Slot, &HitboxDesc)> {
        let slot = self.slots.get(id.index as usize).filter(|slot| slot.generation == id.generation)?;
        Some((slot, slot.desc.as_ref()?))
    }
}
