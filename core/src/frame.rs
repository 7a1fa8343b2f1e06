//! [`Frame`]: the time of the simulation.

use core::fmt;

/// A frame number. Frame 0 is the first step; [`Frame::INITIAL`] (-1) names the state before it.
///
/// Range: 64 bits, so a frame never wraps; only its 16-bit form on the wire does. Arithmetic
/// saturates, in debug and release alike.
///
/// ```
/// use snapback_core::Frame;
/// assert_eq!(Frame::new(0).previous(), Frame::INITIAL);
/// assert_eq!(Frame::new(100) - Frame::new(96), 4);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
#[repr(transparent)]
pub struct Frame(i64);

impl Frame {
    /// The state before frame 0.
    pub const INITIAL: Self = Self(-1);
    /// The first frame.
    pub const ZERO: Self = Self(0);

    /// The frame with this number.
    #[must_use]
    pub const fn new(number: i64) -> Self {
        Self(number)
    }

    /// The number of this frame.
    #[must_use]
    pub const fn number(self) -> i64 {
        self.0
    }

    /// The frame after this one.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// The frame before this one.
    #[must_use]
    pub const fn previous(self) -> Self {
        Self(self.0.saturating_sub(1))
    }

    /// This frame's place in a ring of `len` slots. Negative frames have a place too.
    ///
    /// A `len` of 0 gives 0.
    #[must_use]
    pub const fn slot(self, len: usize) -> usize {
        if len == 0 {
            return 0;
        }
        self.0.rem_euclid(len as i64) as usize
    }

    /// The low 16 bits, which is all the wire carries.
    #[must_use]
    pub const fn to_wire(self) -> u16 {
        self.0 as u16
    }

    /// The frame nearest to `near` whose low 16 bits are `wire`.
    ///
    /// Exactly half a cycle away (32,768 frames) resolves to the earlier frame. The caller bounds
    /// the distance: this never fails.
    #[must_use]
    pub const fn from_wire(wire: u16, near: Self) -> Self {
        let ahead = wire.wrapping_sub(near.to_wire()) as i16;
        Self(near.0.saturating_add(ahead as i64))
    }
}

impl core::ops::Add<i64> for Frame {
    type Output = Self;
    fn add(self, frames: i64) -> Self {
        Self(self.0.saturating_add(frames))
    }
}

impl core::ops::Sub<i64> for Frame {
    type Output = Self;
    fn sub(self, frames: i64) -> Self {
        Self(self.0.saturating_sub(frames))
    }
}

/// The distance in frames.
impl core::ops::Sub for Frame {
    type Output = i64;
    fn sub(self, other: Self) -> i64 {
        self.0.saturating_sub(other.0)
    }
}

impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Frame({})", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wire_form_round_trips_around_every_wrap() {
        for base in [-1, 0, 1, 65_534, 65_535, 65_536, 65_537, 1 << 40] {
            for distance in [-32_768, -1_024, -1, 0, 1, 1_024, 32_767] {
                let (near, frame) = (Frame::new(base), Frame::new(base + distance));
                assert_eq!(Frame::from_wire(frame.to_wire(), near), frame);
            }
        }
    }

    #[test]
    fn arithmetic_saturates_at_both_ends() {
        assert_eq!(Frame::new(i64::MAX).next(), Frame::new(i64::MAX));
        assert_eq!(Frame::new(i64::MIN).previous(), Frame::new(i64::MIN));
        assert_eq!(Frame::new(i64::MAX) - Frame::new(i64::MIN), i64::MAX);
        assert_eq!(Frame::new(i64::MIN).slot(0), 0);
        assert_eq!(Frame::INITIAL.slot(90), 89);
    }
}
