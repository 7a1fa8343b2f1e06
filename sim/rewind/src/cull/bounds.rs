//! [`BoundsHistory`]: the box of each component at each tick, in memory that is allocated once.

use core::fmt;

use super::{Aabb, Composite, Window, composite};
use crate::config::MAX_POSES;
use crate::{ActorId, Cadence, ComponentId, InvalidRewindConfig};

/// The greatest number of components, 1,048,576: as many as a history of hitboxes has.
pub const MAX_COMPONENTS: u32 = 1 << 20;

/// How much a [`BoundsHistory`] has room for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoundsConfig {
    /// Most components at a time, 0 to [`MAX_COMPONENTS`].
    pub max_components: u32,
    /// Boxes that are kept of each component, 1 to 4,096. Components times ticks are at most
    /// [`MAX_POSES`]. A rewind that reaches further back than they do culls nobody.
    pub ticks: u32,
    /// How far from a time the samples may lie that a hitbox is shown from at that time, 0 to 1,000,000: the
    /// greater of [`max_interpolation_gap_us`](crate::RewindConfig::max_interpolation_gap_us) and
    /// [`max_future_tolerance_us`](crate::RewindConfig::max_future_tolerance_us). Only what is not sampled at
    /// every tick is given it.
    pub slack_us: u32,
}

/// [`BoundsConfig::slack_us`] for a history of hitboxes with its defaults.
const DEFAULT_SLACK_US: u32 = 100_000;

impl BoundsConfig {
    /// Room for `max_components`, for rewinds of up to `window_us` in a history of hitboxes with its default gap
    /// and tolerance, if each is recorded at least every `tick_us`: the ticks of the window and of the slack to both
    /// sides, and the one before.
    ///
    /// ```
    /// use snapback_rewind::cull::BoundsConfig;
    /// assert_eq!(BoundsConfig::covering(100, 250_000, 50_000).ticks, 11);
    /// ```
    #[must_use]
    pub const fn covering(max_components: u32, window_us: u32, tick_us: u32) -> Self {
        let tick_us = if tick_us == 0 { 1 } else { tick_us };
        let whole_us = window_us.saturating_add(2 * DEFAULT_SLACK_US);
        Self { max_components, ticks: (whole_us / tick_us).saturating_add(2), slack_us: DEFAULT_SLACK_US }
    }

    /// What the boxes take, in bytes.
    ///
    /// ```
    /// use snapback_rewind::cull::BoundsConfig;
    /// assert_eq!(BoundsConfig::default().size_bytes(), 1_024 * 29 * 32);
    /// ```
    #[must_use]
    pub const fn size_bytes(self) -> usize {
        size_of::<Seen>().saturating_mul(self.max_components as usize).saturating_mul(self.ticks as usize)
    }

    /// Checks every number.
    ///
    /// # Errors
    /// Names the first that is out of range.
    pub fn validate(&self) -> Result<(), InvalidRewindConfig> {
        let boxes = u64::from(self.max_components) * u64::from(self.ticks);
        let numbers = [
            ("max_components", self.max_components.into(), 0, MAX_COMPONENTS.into()),
            ("ticks", self.ticks.into(), 1, 4_096),
            ("max_components * ticks", boxes, 0, MAX_POSES),
            ("slack_us", self.slack_us.into(), 0, 1_000_000),
        ];
        match numbers.into_iter().find(|(_, value, min, max)| !(min..=max).contains(&value)) {
            None => Ok(()),
            Some((field, value, min, max)) => Err(InvalidRewindConfig { field, value, min, max }),
        }
    }
}

/// 1,024 components, 250 ms and the slack to both sides at 60 ticks a second.
impl Default for BoundsConfig {
    fn default() -> Self {
        Self::covering(1_024, 250_000, 16_666)
    }
}

/// A component in a [`BoundsHistory`]. Never names another one than it was given for: the place of one
/// that is gone is used again under another generation, and not at all once those are used up.
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
    /// The component was unregistered, pruned or retired.
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
                write!(f, "the component {} (generation {}) is gone: register it again", id.index, id.generation)
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
    /// Whether it was ever sampled at some ticks only.
    has_slack: bool,
    /// When it was destroyed.
    gone_us: Option<u64>,
    actor: ActorId,
    component: ComponentId,
    /// The place of its newest box among its own, and how many there are.
    newest: u32,
    len: u32,
}

const VACANT: Slot = Slot {
    generation: 0,
    is_used: false,
    has_forgotten: false,
    has_slack: false,
    gone_us: None,
    actor: ActorId(0),
    component: ComponentId(0),
    newest: 0,
    len: 0,
};

/// Components come in the order of actor and component; of the same, first the one that is alive, as 0, then those
/// that are retired, by place.
type Key = (ActorId, ComponentId, u32);

impl Slot {
    const fn key(&self, index: u32) -> Key {
        (self.actor, self.component, if self.gone_us.is_some() { index + 1 } else { 0 })
    }

    /// Gives its place back, unless an old id would then name a new component.
    fn release(&mut self, index: u32, free: &mut Vec<u32>) {
        self.is_used = false;
        if let Some(next) = self.generation.checked_add(1) {
            self.generation = next;
            free.push(index);
        }
    }
}

/// The boxes of all components in the last ticks.
///
/// Times are microseconds of the host's simulation and go up. Once at every tick, record each
/// component, whatever its cadence; one that is left out at some ticks is taken to be between what it was before
/// and after. So leave out a tick at which the history of hitboxes refused its sample.
///
/// A box of a hitbox has the hitbox's centre in its middle: `Aabb::around(centre, |half axis| + radius)`.
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
    /// An empty history. All its memory is taken now.
    ///
    /// # Errors
    /// If a number is out of range.
    pub fn new(config: BoundsConfig) -> Result<Self, InvalidRewindConfig> {
        config.validate()?;
        let components = config.max_components as usize;
        Ok(Self {
            config,
            slots: vec![VACANT; components],
            seen: vec![Seen::default(); components * config.ticks as usize],
            free: (0..config.max_components).rev().collect(),
            order: Vec::with_capacity(components),
        })
    }

    /// What it has room for.
    #[must_use]
    pub const fn config(&self) -> BoundsConfig {
        self.config
    }

    /// Takes a component in, with what its box is now. `cadence` is that of its hitbox: what is not sampled at
    /// every tick is shown on its way from one sample to the next, so that its place at a tick can be one
    /// between ticks that are [`BoundsConfig::slack_us`] away.
    ///
    /// # Errors
    /// [`BoundsError::Full`] or [`BoundsError::AlreadyRegistered`].
    pub fn register(
        &mut self,
        now_us: u64,
        actor: ActorId,
        component: ComponentId,
        cadence: Cadence,
        bounds: Aabb,
    ) -> Result<BoundsId, BoundsError> {
        let place = match self.place((actor, component, 0)) {
            Ok(at) => {
                let index = self.order[at];
                return Err(BoundsError::AlreadyRegistered { id: self.id_at(index) });
            }
            Err(place) => place,
        };
        let index = self.free.pop().ok_or(BoundsError::Full { max_components: self.config.max_components })?;
        self.order.insert(place, index);
        let generation = self.slots[index as usize].generation;
        let has_slack = cadence != Cadence::EveryServerTick;
        self.slots[index as usize] = Slot { generation, is_used: true, has_slack, actor, component, len: 1, ..VACANT };
        self.seen[index as usize * self.config.ticks as usize] = Seen { at_us: now_us, bounds };
        Ok(BoundsId { index, generation })
    }

    /// Gives a component another cadence, as its hitbox has one now. What was ever sampled at some ticks only
    /// keeps its slack: its past was. Whether it was there.
    pub fn set_cadence(&mut self, id: BoundsId, cadence: Cadence) -> bool {
        let is_there = self.contains(id);
        if is_there {
            self.slots[id.index as usize].has_slack |= cadence != Cadence::EveryServerTick;
        }
        is_there
    }

    /// Records the box of a component at `now_us`. Of two at one time, both count.
    ///
    /// # Errors
    /// [`BoundsError::Gone`] or [`BoundsError::OutOfOrder`].
    pub fn record(&mut self, now_us: u64, id: BoundsId, bounds: Aabb) -> Result<(), BoundsError> {
        if self.slot(id).is_none_or(|slot| slot.gone_us.is_some()) {
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

    /// Forgets a component and its past. Whether it was there.
    pub fn unregister(&mut self, id: BoundsId) -> bool {
        let Some(slot) = self.slot(id) else { return false };
        if let Ok(place) = self.place(slot.key(id.index)) {
            self.order.remove(place);
        }
        self.slots[id.index as usize].release(id.index, &mut self.free);
        true
    }

    /// Notes that a component was destroyed at `now_us`, and keeps its past, as that of its hitbox is kept,
    /// until [`forget_retired`](Self::forget_retired). Whether it was there. It may be registered anew at once.
    pub fn retire(&mut self, now_us: u64, id: BoundsId) -> bool {
        let Some(slot) = self.slot(id).filter(|slot| slot.gone_us.is_none()) else { return false };
        if let Ok(place) = self.place(slot.key(id.index)) {
            self.order.remove(place);
        }
        let newest_us = self.newest_first(id).next().map_or(0, |seen| seen.at_us);
        let slot = &mut self.slots[id.index as usize];
        slot.gone_us = Some(now_us.max(newest_us));
        let key = slot.key(id.index);
        if let Err(place) = self.place(key) {
            self.order.insert(place, id.index);
        }
        true
    }

    /// Forgets every component that was retired more than `max_rewind_us` before `now_us`: no rewind goes back
    /// there. How many those were. Call it once a tick.
    pub fn forget_retired(&mut self, now_us: u64, max_rewind_us: u64) -> usize {
        let oldest_us = now_us.saturating_sub(max_rewind_us);
        self.keep(|slot| slot.gone_us.is_none_or(|gone_us| gone_us >= oldest_us))
    }

    /// Forgets every component of which `is_alive` says that it is not, and its past. How many those were. What is
    /// retired is not asked about.
    pub fn prune(&mut self, mut is_alive: impl FnMut(ActorId, ComponentId) -> bool) -> usize {
        self.keep(|slot| slot.gone_us.is_some() || is_alive(slot.actor, slot.component))
    }

    fn keep(&mut self, mut stays: impl FnMut(&Slot) -> bool) -> usize {
        let before = self.order.len();
        let (slots, free) = (&mut self.slots, &mut self.free);
        self.order.retain(|index| {
            let slot = &mut slots[*index as usize];
            let stays = stays(slot);
            if !stays {
                slot.release(*index, free);
            }
            stays
        });
        before - self.order.len()
    }

    /// Forgets every component of `actor` that is not retired. How many those were.
    pub fn prune_actor(&mut self, actor: ActorId) -> usize {
        self.prune(|of, _| of != actor)
    }

    /// How many components there are, with those that are retired.
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

    /// What a component is registered as, unless it is retired.
    #[must_use]
    pub fn find(&self, actor: ActorId, component: ComponentId) -> Option<BoundsId> {
        self.place((actor, component, 0)).ok().map(|at| self.id_at(self.order[at]))
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

    /// All that a component can have been in `window`; none if it was not there yet, or no more.
    #[must_use]
    pub fn composite(&self, id: BoundsId, window: Window) -> Option<Composite> {
        let slot = self.slot(id).filter(|slot| slot.gone_us.is_none_or(|gone_us| gone_us >= window.start_us()))?;
        let slack_us = if slot.has_slack { self.config.slack_us.into() } else { 0 };
        composite::of(self.newest_first(id), slot.has_forgotten, window, slack_us)
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
    fn place(&self, key: Key) -> Result<usize, usize> {
        self.order.binary_search_by_key(&key, |&index| self.slots[index as usize].key(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Point;

    #[test]
    fn a_place_whose_generations_are_used_up_is_given_to_nobody_again() {
        for forget in [
            |history: &mut BoundsHistory, id| history.unregister(id),
            |history: &mut BoundsHistory, _| history.prune_actor(ActorId(1)) == 1,
            |history: &mut BoundsHistory, id| history.retire(0, id) && history.forget_retired(9, 8) == 1,
        ] {
            let config = BoundsConfig { max_components: 1, ..BoundsConfig::default() };
            let mut history = BoundsHistory::new(config).unwrap();
            let here = Aabb::around(Point::ORIGIN, [9; 3]);
            let register = |history: &mut BoundsHistory| history.register(0, ActorId(1), ComponentId(1), Cadence::EveryServerTick, here);
            history.slots[0].generation = u32::MAX - 1;
            for generation in [u32::MAX - 1, u32::MAX] {
                let id = register(&mut history).unwrap();
                assert_eq!(id.generation(), generation);
                assert!(forget(&mut history, id));
                assert!(!history.contains(id) && !history.unregister(id));
            }
            assert_eq!(register(&mut history), Err(BoundsError::Full { max_components: 1 }));
            assert!(history.is_empty());
        }
    }
}
