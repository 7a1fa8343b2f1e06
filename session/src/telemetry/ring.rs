//! [`Ring`]: the newest of something, in memory that is taken once.

/// The newest `capacity` of what was pushed, each at a number that counts from 0.
#[derive(Clone, Debug)]
pub(crate) struct Ring<T> {
    /// All slots are there from the beginning.
    slots: Vec<T>,
    pushed: u64,
}

impl<T> Ring<T> {
    pub(crate) fn new(capacity: usize, vacant: impl FnMut() -> T) -> Self {
        Self { slots: core::iter::repeat_with(vacant).take(capacity).collect(), pushed: 0 }
    }

    /// How many were pushed.
    pub(crate) fn pushed(&self) -> u64 {
        self.pushed
    }

    fn slot_of(&self, number: u64) -> Option<usize> {
        usize::try_from(number.checked_rem(self.slots.len() as u64)?).ok()
    }

    /// The slot of the next one, which counts as pushed: whatever is in it is to be overwritten. None if there
    /// is no room for any.
    pub(crate) fn push(&mut self) -> Option<&mut T> {
        let slot = self.slot_of(self.pushed)?;
        self.pushed += 1;
        self.slots.get_mut(slot)
    }

    /// The newest one.
    pub(crate) fn newest_mut(&mut self) -> Option<&mut T> {
        let slot = self.slot_of(self.pushed.checked_sub(1)?)?;
        self.slots.get_mut(slot)
    }

    /// The number of the oldest one that is still here.
    pub(crate) fn oldest(&self) -> u64 {
        self.pushed.saturating_sub(self.slots.len() as u64)
    }

    /// Those from `number` on that are still here, the oldest first.
    pub(crate) fn since(&self, number: u64) -> impl DoubleEndedIterator<Item = &T> + '_ {
        (number.max(self.oldest())..self.pushed).filter_map(|number| self.slots.get(self.slot_of(number)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_are_kept_in_order() {
        let mut ring = Ring::new(3, || 0);
        for n in 0..5_u64 {
            assert_eq!(ring.oldest(), n.saturating_sub(3));
            *ring.push().unwrap() = n;
        }
        assert_eq!(ring.since(0).copied().collect::<Vec<_>>(), [2, 3, 4]);
        assert_eq!(ring.since(4).copied().collect::<Vec<_>>(), [4]);
        assert_eq!((ring.since(9).count(), ring.newest_mut().copied(), ring.pushed()), (0, Some(4), 5));
        let mut none = Ring::new(0, || 0);
        assert!(none.push().is_none() && none.newest_mut().is_none());
        assert_eq!(none.since(0).count(), 0);
    }
}
