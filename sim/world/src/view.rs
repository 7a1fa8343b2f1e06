//! [`WorldView`]: the whole state, typed.

use crate::fighter::Fighter;
use crate::header::{Phase, WorldHeader};
use crate::result::Results;
use crate::{MAX_FIGHTERS, MIN_FIGHTERS};
use bytemuck::Zeroable;
use snapback_core::{InvalidState, StateLayout};

/// The state of a world: what it is made of, and what captured bytes are read as.
///
/// ```
/// use snapback_core::Simulation;
/// use snapback_sim::{World, WorldData, WorldView};
///
/// let world = World::new(WorldData::default());
/// let mut snapshot = vec![0; world.layout().size_bytes()];
/// world.capture(&mut snapshot);
/// let view = WorldView::read(&snapshot).unwrap();
/// assert_eq!(view.fighters().len(), 2);
/// assert_eq!(view.results().count, 0);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WorldView {
    pub(crate) header: WorldHeader,
    fighters: [Fighter; MAX_FIGHTERS],
    fighter_count: usize,
}

impl WorldView {
    /// A world without a match, for `fighter_count` fighters, which is brought into
    /// 2..=8.
    pub(crate) fn new(header: WorldHeader, fighter_count: usize) -> Self {
        let fighter_count = fighter_count.clamp(MIN_FIGHTERS, MAX_FIGHTERS);
        Self { header, fighters: [Fighter::zeroed(); MAX_FIGHTERS], fighter_count }
    }

    /// The state in captured bytes; `None` if they are no valid state of a world.
    #[must_use]
    pub fn read(snapshot: &[u8]) -> Option<Self> {
        let tail_bytes = snapshot.len().checked_sub(size_of::<WorldHeader>())?;
        let fighter_count = tail_bytes / size_of::<Fighter>();
        if !(MIN_FIGHTERS..=MAX_FIGHTERS).contains(&fighter_count) {
            return None;
        }
        Self::layout_for(fighter_count).validate(snapshot).ok()?;
        let mut view = Self::new(WorldHeader::zeroed(), fighter_count);
        view.restore(snapshot).ok()?;
        Some(view)
    }

    /// What the bytes of a state of `fighter_count` fighters are.
    pub(crate) const fn layout_for(fighter_count: usize) -> StateLayout {
        StateLayout::with_tail::<WorldHeader, Fighter>("fighter", fighter_count)
    }

    pub(crate) const fn layout(&self) -> StateLayout {
        Self::layout_for(self.fighter_count)
    }

    pub(crate) fn capture(&self, out: &mut [u8]) {
        let size_bytes = self.layout().size_bytes();
        debug_assert_eq!(out.len(), size_bytes, "capture into a buffer of another size");
        if out.len() == size_bytes {
            let (head, tail) = out.split_at_mut(size_of::<WorldHeader>());
            head.copy_from_slice(bytemuck::bytes_of(&self.header));
            tail.copy_from_slice(bytemuck::cast_slice(self.fighters()));
        }
    }

    pub(crate) fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> {
        let expected = self.layout().size_bytes();
        if snapshot.len() != expected {
            return Err(InvalidState::WrongLength { expected, found: snapshot.len() });
        }
        let (head, tail) = snapshot.split_at(size_of::<WorldHeader>());
        bytemuck::bytes_of_mut(&mut self.header).copy_from_slice(head);
        bytemuck::cast_slice_mut(self.fighters_mut()).copy_from_slice(tail);
        Ok(())
    }

    /// What belongs to no fighter.
    #[must_use]
    pub const fn header(&self) -> &WorldHeader {
        &self.header
    }

    /// The fighters, by seat.
    #[must_use]
    pub fn fighters(&self) -> &[Fighter] {
        &self.fighters[..self.fighter_count]
    }

    pub(crate) fn fighters_mut(&mut self) -> &mut [Fighter] {
        &mut self.fighters[..self.fighter_count]
    }

    /// What the world is doing.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.header.phase()
    }

    /// How many frames of fight the round still has.
    #[must_use]
    pub const fn timer_frames(&self) -> u32 {
        self.header.clock.timer_frames
    }

    /// The newest result and how many there were.
    #[must_use]
    pub fn results(&self) -> Results {
        Results::from(&self.header.results)
    }
}
