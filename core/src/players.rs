//! [`PlayerHandle`] and [`PlayerSet`]: who plays.

use crate::limits::MAX_PLAYERS;
use core::fmt;

/// A player's seat in the session, from 0. The same on every peer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct PlayerHandle(u8);

impl PlayerHandle {
    /// The handle of seat `index`. Valid sessions have at most [`MAX_PLAYERS`] seats.
    #[must_use]
    pub const fn new(index: u8) -> Self {
        Self(index)
    }

    /// The seat as an index into per-player arrays.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for PlayerHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for PlayerHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "P{}", self.0)
    }
}

/// A set of players, iterated in seat order.
///
/// ```
/// use snapback_core::{PlayerHandle, PlayerSet};
/// let set = PlayerSet::first(2).with(PlayerHandle::new(5));
/// assert_eq!(set.iter().map(|p| p.index()).collect::<Vec<_>>(), [0, 1, 5]);
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct PlayerSet(u8);

const _: () = assert!(MAX_PLAYERS == u8::BITS as usize);

impl PlayerSet {
    /// Nobody.
    pub const EMPTY: Self = Self(0);

    /// Seats `0..count`. Counts over [`MAX_PLAYERS`] give every seat.
    #[must_use]
    pub const fn first(count: usize) -> Self {
        if count >= MAX_PLAYERS { Self(u8::MAX) } else { Self((1u8 << count) - 1) }
    }

    /// The set whose bit `n` is seat `n`.
    #[must_use]
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    /// Bit `n` is seat `n`.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// This set and `player`. A handle outside [`MAX_PLAYERS`] changes nothing.
    #[must_use]
    pub const fn with(self, player: PlayerHandle) -> Self {
        if player.index() >= MAX_PLAYERS { self } else { Self(self.0 | (1 << player.0)) }
    }

    /// This set without `player`.
    #[must_use]
    pub const fn without(self, player: PlayerHandle) -> Self {
        if player.index() >= MAX_PLAYERS { self } else { Self(self.0 & !(1 << player.0)) }
    }

    /// Everybody who is in this set or in `other`.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Everybody in this set who is not in `other`.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The players who are in both sets.
    #[must_use]
    pub const fn common(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether `player` is in the set.
    #[must_use]
    pub const fn contains(self, player: PlayerHandle) -> bool {
        player.index() < MAX_PLAYERS && self.0 & (1 << player.0) != 0
    }

    /// How many players.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The players in seat order.
    #[inline]
    pub fn iter(self) -> impl DoubleEndedIterator<Item = PlayerHandle> + Clone {
        Players(self.0)
    }
}

/// The players that are left.
#[derive(Clone)]
struct Players(u8);

impl Iterator for Players {
    type Item = PlayerHandle;

    #[inline]
    fn next(&mut self) -> Option<PlayerHandle> {
        let first = self.0.trailing_zeros() as u8;
        self.0 &= self.0.wrapping_sub(1);
        (first < u8::BITS as u8).then_some(PlayerHandle(first))
    }
}

impl DoubleEndedIterator for Players {
    #[inline]
    fn next_back(&mut self) -> Option<PlayerHandle> {
        let last = self.0.checked_ilog2()? as u8;
        self.0 &= !(1 << last);
        Some(PlayerHandle(last))
    }
}

impl FromIterator<PlayerHandle> for PlayerSet {
    fn from_iter<T: IntoIterator<Item = PlayerHandle>>(players: T) -> Self {
        players.into_iter().fold(Self::EMPTY, Self::with)
    }
}

/// The seats, such as `0, 1 and 3`; `nobody` for the empty set.
impl fmt::Display for PlayerSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.len();
        if count == 0 {
            return f.write_str("nobody");
        }
        for (nth, player) in self.iter().enumerate() {
            let between = match nth {
                0 => "",
                _ if nth + 1 == count => " and ",
                _ => ", ",
            };
            write!(f, "{between}{player}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for PlayerSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_ignore_seats_that_cannot_exist() {
        let ghost = PlayerHandle::new(200);
        assert!(!PlayerSet::first(99).contains(ghost));
        assert_eq!(PlayerSet::EMPTY.with(ghost), PlayerSet::EMPTY);
        assert_eq!(PlayerSet::first(99).len(), MAX_PLAYERS);
        assert_eq!(PlayerSet::first(3).without(PlayerHandle::new(1)).bits(), 0b101);
    }

    #[test]
    fn players_come_in_seat_order_from_both_ends() {
        for bits in 0..=u8::MAX {
            let set = PlayerSet::from_bits(bits);
            let expected: Vec<_> = (0..8).map(PlayerHandle).filter(|player| set.contains(*player)).collect();
            assert_eq!(set.iter().collect::<Vec<_>>(), expected);
            assert_eq!(set.iter().rev().collect::<Vec<_>>(), expected.into_iter().rev().collect::<Vec<_>>());
        }
    }

    #[test]
    fn sets_read_well() {
        let texts = [0b0, 0b1, 0b11, 0b1011].map(|bits| PlayerSet::from_bits(bits).to_string());
        assert_eq!(texts, ["nobody", "0", "0 and 1", "0, 1 and 3"]);
    }
}
