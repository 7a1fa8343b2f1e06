//! [`IdSet`]: a few ids in place, for what a shot is through with.

use core::marker::PhantomData;

use crate::{ActorId, live::ColliderId};

/// How many ids a set holds.
pub const MAX_IDS: usize = 16;

/// An id that sets can hold.
pub trait Id: Copy + PartialEq {
    /// Its number.
    fn number(self) -> u64;
}

impl Id for ActorId {
    fn number(self) -> u64 {
        self.0
    }
}

impl Id for ColliderId {
    fn number(self) -> u64 {
        self.0
    }
}

/// Up to [`MAX_IDS`] ids, without memory of its own.
///
/// ```
/// use snapback_rewind::{ActorId, ActorSet};
/// let mut set = ActorSet::default();
/// assert!(set.insert(ActorId(7)));
/// assert!(set.contains(ActorId(7)) && !set.contains(ActorId(8)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IdSet<T> {
    ids: [u64; MAX_IDS],
    len: u8,
    of: PhantomData<T>,
}

/// A few actors.
pub type ActorSet = IdSet<ActorId>;
/// A few colliders.
pub type ColliderSet = IdSet<ColliderId>;

impl<T> Default for IdSet<T> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<T> IdSet<T> {
    /// Nothing.
    pub const EMPTY: Self = Self { ids: [0; MAX_IDS], len: 0, of: PhantomData };

    /// How many it holds.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether it holds none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether there is no room for another.
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.len() == MAX_IDS
    }
}

impl<T: Id> IdSet<T> {
    /// Whether it holds `id`.
    #[must_use]
    pub fn contains(&self, id: T) -> bool {
        self.ids.iter().take(self.len()).any(|&held| held == id.number())
    }

    /// Puts `id` in. Whether it is held now: not if there was no room.
    pub fn insert(&mut self, id: T) -> bool {
        if self.contains(id) {
            return true;
        }
        let Some(place) = self.ids.get_mut(usize::from(self.len)) else { return false };
        *place = id.number();
        self.len += 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_when_it_is_full_and_forgets_nobody() {
        let mut set = ActorSet::EMPTY;
        assert!((0..16).all(|id| set.insert(ActorId(id))));
        assert!(set.is_full() && !set.insert(ActorId(16)) && set.insert(ActorId(15)));
        assert!((0..16).all(|id| set.contains(ActorId(id))) && !set.contains(ActorId(16)));
    }
}
