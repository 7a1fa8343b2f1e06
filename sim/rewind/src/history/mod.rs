//! [`RewindHistory`]: where every hitbox was, tick by tick.

mod lookup;
mod past;
mod record;
mod register;
mod row;
mod sweep;
mod target;

pub use past::{Cast, Past};
pub use record::{RecordError, RecordReport, SampleError};
pub use register::RegisterError;

use crate::index::Index;
use crate::{HitboxDesc, HitboxId, InvalidRewindConfig, NetRole, NotAuthority, RewindConfig, WorldKind, host};
pub(crate) use row::{Row, TickMeta, TickPose, flags, presence};
pub(crate) use target::Piece;

/// Where every hitbox was, tick by tick, for a quarter of a second.
///
/// On authority only, and outside of any snapshot: it is asked about, never rolled back. All memory
/// is taken when it is made; registering, recording and asking allocate nothing.
///
/// Order of calls: once per tick [`record_tick`](Self::record_tick), then anything else. What is
/// registered between two ticks has its first snapshot at the tick before.
#[derive(Debug)]
pub struct RewindHistory {
    config: RewindConfig,
    authority: Result<(), NotAuthority>,
    slots: Vec<Slot>,
    free: Vec<u32>,
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
    /// When it was registered, and when it was destroyed.
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
            free: (0..config.max_hitboxes as u32).rev().collect(),
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

    /// The time of the newest tick.
    #[must_use]
    pub fn now_us(&self) -> Option<u64> {
        Some(self.row(self.ticks.checked_sub(1)?).time_us)
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
