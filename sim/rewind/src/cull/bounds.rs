//! [`BoundsHistory`]: the box of each component at each tick, in memory that is allocated once.

use core::fmt;

use super::{Aabb, Composite, Window, composite};
use crate::{ActorId, ComponentId};

/// How much a [`BoundsHistory`] has room for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoundsConfig {
    /// Most components at a time.
    pub max_components: u32,
    /// Boxes that are kept of each component; at least 1. A rewind that reaches further back than
    /// they do culls nobody.
    pub ticks: u32,
}

impl BoundsConfig {
    /// Room for `max_components`, for rewinds of up to `window_us`, if each is recorded at least every
    /// `tick_us`: the ticks of the window, and the one before it.
    ///
    /// ```
    /// use snapback_rewind::cull::BoundsConfig;
    /// assert_eq!(BoundsConfig::covering(100, 250_000, 50_000).ticks, 7);
    /// ```
    #[must_use]
    pub const fn covering(max_components: u32, window_us: u32, tick_us: u32) -> Self {
        let tick_us = if tick_us == 0 { 1 } else { tick_us };
        Self { max_components, ticks: (window_us / tick_us).saturating_add(2) }
    }

    /// What the boxes take, in bytes.
    ///
    /// ```
    /// use snapback_rewind::cull::BoundsConfig;
    /// assert_eq!(BoundsConfig::default().size_bytes(), 1_024 * 17 * 32);
    /// ```
    #[must_use]
    pub const fn size_bytes(self) -> usize {
        size_of::<Seen>().saturating_mul(self.max_components as usize).saturating_mul(self.ticks as usize)
    }
}

/// 1,024 components, 250 ms at 60 ticks a second.
impl Default for BoundsConfig {
    fn default() -> Self {
        Self::covering(1_024, 250_000, 16_666)
    }
}

/// A component in a [`BoundsHistory`]. Never names another one than it was given for: the place of one
/// that is gone is used again under another generation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BoundsId {
    index: u32,
    generation: u32,
}

impl BoundsId {
    /// Its place: unique among the components that are in the history now.
    #[must_use]
    pub const fn index(self) -> u32 {
        self.index
    }

    /// How often its place was used before.
    #[must_use]
    pub const fn generation(self) -> u32 {
        self.generation
    }
}

/// Why bounds are not recorded. The history is then as before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoundsError {
    /// There are [`BoundsConfig::max_components`] already.
    Full {
        /// That many.
        max_components: u32,
    },
    /// The component is registered.
    AlreadyRegistered {
        /// As this.
        id: BoundsId,
    },
    /// The component was unregistered or pruned.
    Gone {
        /// What was asked for.
        id: BoundsId,
    },
    /// A later box is recorded already.
    OutOfOrder {
        /// The time of the newest one.
        newest_us: u64,
        /// What was given.
        now_us: u64,
    },
}

impl fmt::Display for BoundsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full { max_components } => {
                write!(f, "all {max_components} places for components are taken: raise max_components, or prune what is destroyed")
            }
            Self::AlreadyRegistered { id } => {
                write!(f, "the component is registered as {} (generation {}): record under that id", id.index, id.generation)
            }
            Self::Gone { id } => {
                write!(f, "the component {} (generation {}) was unregistered: register it again", id.index, id.generation)
            }
            Self::OutOfOrder { newest_us, now_us } => {
                write!(f, "bounds of {now_us} us come after those of {newest_us} us: record in the order of time")
            }
        }
    }
}

impl std::error::Error for BoundsError {}

/// A component's box at one time.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Seen {
    pub(super) at_us: u64,
    pub(super) bounds: Aabb,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    generation: u32,
    is_used: bool,
    /// Whether a box was dropped, so that the oldest is not where the component began.
    has_forgotten: bool,
    actor: ActorId,
    component: ComponentId,
    /// The place of its newest box among its own, and how many there are.
    newest: u32,
    len: u32,
}

const VACANT: Slot =
    Slot { generation: 0, is_used: false, has_forgotten: false, actor: ActorId(0), component: ComponentId(0), newest: 0, len: 0 };

/// The boxes of all components in the last ticks.
///
/// Times are microseconds of the host's simulation and go up. Once at every tick, record each
/// component; one that is left out at some ticks is taken to be between what it was before and after.
/// A component exists from its registration on and holds its newest box. Nothing is allocated after
/// [`new`](Self::new).
#[derive(Debug)]
pub struct BoundsHistory {
    config: BoundsConfig,
    slots: Vec<Slot>,
    /// Boxes of component 0, of component 1, ...: `ticks` of each.
    seen: Vec<Seen>,
    free: Vec<u32>,
    /// The places of all components, in the order of actor and component.
    order: Vec<u32>,
}

impl BoundsHistory {
    /// An empty history.
    #[must_use]
    pub fn new(config: BoundsConfig) -> Self {
        let config = BoundsConfig { ticks: config.ticks.max(1), ..config };
        let components = config.max_components as usize;
        Self {
            config,
            slots: vec![VACANT; components],
            seen: vec![Seen::default(); components.saturating_mul(config.ticks as usize)],
            free: (0..config.max_components).rev().collect(),
            order: Vec::with_capacity(components),
        }
    }

    /// What it has room for.
    #[must_use]
    pub const fn config(&self) -> BoundsConfig {
        self.config
    }

    /// Takes a component in, with what its box is now.
    ///
    /// # Errors
    /// [`BoundsError::Full`] or [`BoundsError::AlreadyRegistered`].
    pub fn register(&mut self, now_us: u64, actor: ActorId, component: ComponentId, bounds: Aabb) -> Result<BoundsId, BoundsError> {
        let place = match self.place(actor, component) {
            Ok(at) => {
                let index = self.order[at];
                return Err(BoundsError::AlreadyRegistered { id: self.id_at(index) });
            }
            Err(place) => place,
        };
        let index = self.free.pop().ok_or(BoundsError::Full { max_components: self.config.max_components })?;
        self.order.insert(place, index);
        let generation = self.slots[index as usize].generation;
        self.slots[index as usize] = Slot { generation, is_used: true, has_forgotten: false, actor, component, newest: 0, len: 1 };
        self.seen[index as usize * self.config.ticks as usize] = Seen { at_us: now_us, bounds };
        Ok(BoundsId { index, generation })
    }

    /// Records the box of a component at `now_us`. Of two at one time, both count.
    ///
    /// # Errors
    /// [`BoundsError::Gone`] or [`BoundsError::OutOfOrder`].
    pub fn record(&mut self, now_us: u64, id: BoundsId, bounds: Aabb) -> Result<(), BoundsError> {
        if !self.contains(id) {
            return Err(BoundsError::Gone { id });
        }
        let ticks = self.config.ticks;
        let slot = &mut self.slots[id.index as usize];
        let first = id.index as usize * ticks as usize;
        let newest = &mut self.seen[first + slot.newest as usize];
        if now_us < newest.at_us {
            return Err(BoundsError::OutOfOrder { newest_us: newest.at_us, now_us });
        }
        if now_us == newest.at_us {
            newest.bounds = newest.bounds.union(bounds);
            return Ok(());
        }
        slot.newest = if slot.newest + 1 == ticks { 0 } else { slot.newest + 1 };
        slot.has_forgotten |= slot.len == ticks;
        slot.len = (slot.len + 1).min(ticks);
        self.seen[first + slot.newest as usize] = Seen { at_us: now_us, bounds };
        Ok(())
    }

    /// Forgets a component. Whether it was there.
    pub fn unregister(&mut self, id: BoundsId) -> bool {
        let Some(slot) = self.slot(id) else { return false };
        if let Ok(place) = self.place(slot.actor, slot.component) {
            self.order.remove(place);
        }
        let slot = &mut self.slots[id.index as usize];
        slot.is_used = false;
        slot.generation = slot.generation.wrapping_add(1);
        self.free.push(id.index);
        true
    }

    /// Forgets every component of which `is_alive` says that it is not. How many those were.
    pub fn prune(&mut self, mut is_alive: impl FnMut(ActorId, ComponentId) -> bool) -> usize {
        let before = self.order.len();
        let (slots, free) = (&mut self.slots, &mut self.free);
        self.order.retain(|index| {
            let slot = &mut slots[*index as usize];
            let stays = is_alive(slot.actor, slot.component);
            if !stays {
                slot.is_used = false;
                slot.generation = slot.generation.wrapping_add(1);
                free.push(*index);
            }
            stays
        });
        before - self.order.len()
    }

    /// Forgets every component of `actor`. How many those were.
    pub fn prune_actor(&mut self, actor: ActorId) -> usize {
        self.prune(|of, _| of != actor)
    }

    /// How many components there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Whether this component is still there.
    #[must_use]
    pub fn contains(&self, id: BoundsId) -> bool {
        self.slot(id).is_some()
    }

    /// What a component is registered as.
    #[must_use]
    pub fn find(&self, actor: ActorId, component: ComponentId) -> Option<BoundsId> {
        self.place(actor, component).ok().map(|at| self.id_at(self.order[at]))
    }

    /// Whose component it is, and which; none if it is gone.
    #[must_use]
    pub fn owner(&self, id: BoundsId) -> Option<(ActorId, ComponentId)> {
        self.slot(id).map(|slot| (slot.actor, slot.component))
    }

    /// All components, in the order of actor and component.
    pub fn ids(&self) -> impl Iterator<Item = BoundsId> + '_ {
        self.order.iter().map(|index| self.id_at(*index))
    }

    /// The time and box of each tick that is kept of a component, the newest first; nothing if it is gone.
    pub fn recorded(&self, id: BoundsId) -> impl Iterator<Item = (u64, Aabb)> + '_ {
        self.newest_first(id).map(|seen| (seen.at_us, seen.bounds))
    }

    /// All that a component can have been in `window`; none if it was not there yet or is gone.
    #[must_use]
    pub fn composite(&self, id: BoundsId, window: Window) -> Option<Composite> {
        let slot = self.slot(id)?;
        composite::of(self.newest_first(id), slot.has_forgotten, window)
    }

    fn newest_first(&self, id: BoundsId) -> impl Iterator<Item = &Seen> {
        let (newest, len) = self.slot(id).map_or((0, 0), |slot| (slot.newest as usize, slot.len as usize));
        let first = id.index as usize * self.config.ticks as usize;
        // Until it is full, nothing stands after the newest.
        let own = self.seen.get(first..first + len).unwrap_or_default();
        let (before, after) = own.split_at((newest + 1).min(own.len()));
        before.iter().rev().chain(after.iter().rev())
    }

    fn slot(&self, id: BoundsId) -> Option<&Slot> {
        self.slots.get(id.index as usize).filter(|slot| slot.is_used && slot.generation == id.generation)
    }

    fn id_at(&self, index: u32) -> BoundsId {
        BoundsId { index, generation: self.slots[index as usize].generation }
    }

    /// Where it stands in `order`, or would.
    fn place(&self, actor: ActorId, component: ComponentId) -> Result<usize, usize> {
        self.order.binary_search_by_key(&(actor, component), |index| {
            let slot = &self.slots[*index as usize];
            (slot.actor, slot.component)
        })
    }
}
