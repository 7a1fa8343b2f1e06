//! [`InputQueue`]: one player's confirmed inputs, as far back as the history goes.

use snapback_core::{Command, Frame, SimInput};

/// An input with the command that rides in it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Pressed<I> {
    pub(crate) input: I,
    pub(crate) command: Command,
}

/// Confirmed inputs of consecutive frames, in a ring that is allocated once.
pub(crate) struct InputQueue<I> {
    ring: Vec<Pressed<I>>,
    last: Frame,
    /// How many frames up to the last are remembered.
    kept: u64,
}

/// Where a confirmed input belongs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// It is the next one.
    Next,
    /// It is known and the same.
    Known,
    /// It is known to be another.
    Changed,
    /// It is older than the history; what it was is forgotten.
    Forgotten,
    /// The inputs before it are missing.
    Gap,
}

impl<I: SimInput> InputQueue<I> {
    /// Room for `capacity` frames, from `first` on.
    pub(crate) fn new(capacity: usize, first: Frame) -> Self {
        let neutral = Pressed { input: I::zeroed(), command: Command::NONE };
        Self { ring: vec![neutral; capacity.max(1).next_power_of_two()], last: first.previous(), kept: 0 }
    }

    /// The last frame up to which every input is confirmed; the one before the first if none is.
    pub(crate) fn confirmed_frame(&self) -> Frame {
        self.last
    }

    /// The input of `frame`, if it is confirmed and not forgotten.
    #[inline]
    pub(crate) fn get(&self, frame: Frame) -> Option<&Pressed<I>> {
        // One comparison, since this is asked for every player of every step: what lies ahead is far behind.
        let back = self.last.number().wrapping_sub(frame.number()) as u64;
        if back < self.kept { self.ring.get(self.slot(frame)) } else { None }
    }

    /// The newest confirmed input, which a prediction repeats.
    pub(crate) fn newest(&self) -> Option<&Pressed<I>> {
        self.get(self.last)
    }

    /// Where this input belongs; nothing changes.
    pub(crate) fn place(&self, frame: Frame, pressed: &Pressed<I>) -> Place {
        if frame == self.last.next() {
            return Place::Next;
        }
        if frame > self.last {
            return Place::Gap;
        }
        match self.get(frame) {
            None => Place::Forgotten,
            Some(known) if known == pressed => Place::Known,
            Some(_) => Place::Changed,
        }
    }

    /// Appends the input of the next frame.
    pub(crate) fn push(&mut self, pressed: Pressed<I>) {
        self.last = self.last.next();
        self.kept = (self.kept + 1).min(self.ring.len() as u64);
        let slot = self.slot(self.last);
        if let Some(place) = self.ring.get_mut(slot) {
            *place = pressed;
        }
    }

    /// Forgets everything: the next input is that of the frame after `frame`.
    pub(crate) fn begin_after(&mut self, frame: Frame) {
        self.last = frame;
        self.kept = 0;
    }

    /// A mask, because the ring's length is a power of two: this is on every path.
    fn slot(&self, frame: Frame) -> usize {
        frame.number() as usize & (self.ring.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pressed(input: u8) -> Pressed<u8> {
        Pressed { input, command: Command::NONE }
    }

    #[test]
    fn every_place_is_told_apart() {
        let mut queue = InputQueue::new(4, Frame::ZERO);
        assert_eq!(queue.place(Frame::new(1), &pressed(0)), Place::Gap);
        for n in 0..10 {
            assert_eq!(queue.place(Frame::new(n.into()), &pressed(n)), Place::Next);
            queue.push(pressed(n));
        }
        assert_eq!(queue.confirmed_frame(), Frame::new(9));
        assert_eq!(queue.place(Frame::new(8), &pressed(8)), Place::Known);
        assert_eq!(queue.place(Frame::new(8), &pressed(7)), Place::Changed);
        assert_eq!(queue.place(Frame::new(5), &pressed(5)), Place::Forgotten);
        assert_eq!(queue.get(Frame::new(6)), Some(&pressed(6)));
        assert_eq!(queue.get(Frame::INITIAL), None);
    }

    #[test]
    fn a_match_that_starts_late_has_nothing_before_its_first_frame() {
        let mut queue = InputQueue::new(8, Frame::new(65_530));
        assert_eq!((queue.confirmed_frame(), queue.newest()), (Frame::new(65_529), None));
        queue.push(pressed(3));
        assert_eq!(queue.newest(), Some(&pressed(3)));
        assert_eq!(queue.place(Frame::new(65_529), &pressed(0)), Place::Forgotten);
    }
}
