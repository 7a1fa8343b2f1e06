//! [`RewindConfig`]: how much is kept, and how far back anyone may ask.

use core::fmt;

/// The numbers of a [`RewindHistory`](crate::RewindHistory).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RewindConfig {
    /// How many hitboxes can be registered at once, 1 to 1,048,576.
    pub max_hitboxes: usize,
    /// How many ticks are kept, 2 to 1,024. 64 cover 250 ms up to 252 ticks a second. Hitboxes times
    /// ticks are at most [`MAX_POSES`].
    pub max_ticks: usize,
    /// How far before now a time may lie.
    pub max_rewind_us: u64,
    /// How far after the newest snapshot a time may lie, and is answered with the newest.
    pub max_future_tolerance_us: u64,
    /// Two snapshots that are further apart have nothing between them.
    pub max_interpolation_gap_us: u64,
}

impl Default for RewindConfig {
    fn default() -> Self {
        Self {
            max_hitboxes: 1_024,
            max_ticks: 64,
            max_rewind_us: 250_000,
            max_future_tolerance_us: 25_000,
            max_interpolation_gap_us: 100_000,
        }
    }
}

/// The greatest number of hitboxes.
pub const MAX_HITBOXES: usize = 1 << 20;

/// The greatest product of hitboxes and ticks, 2^26, for which 3.5 GB are taken.
pub const MAX_POSES: u64 = 1 << 26;

/// A configuration that cannot be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InvalidRewindConfig {
    /// Which number.
    pub field: &'static str,
    /// What was given.
    pub value: u64,
    /// The least that is accepted.
    pub min: u64,
    /// The greatest that is accepted.
    pub max: u64,
}

impl fmt::Display for InvalidRewindConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {}, and must be from {} to {}", self.field, self.value, self.min, self.max)
    }
}

impl std::error::Error for InvalidRewindConfig {}

impl RewindConfig {
    /// Checks every number.
    ///
    /// # Errors
    /// Names the first that is out of range.
    pub fn validate(&self) -> Result<(), InvalidRewindConfig> {
        let numbers = [
            ("max_hitboxes", self.max_hitboxes as u64, 1, MAX_HITBOXES as u64),
            ("max_ticks", self.max_ticks as u64, 2, 1_024),
            ("max_hitboxes * max_ticks", (self.max_hitboxes as u64).saturating_mul(self.max_ticks as u64), 2, MAX_POSES),
            ("max_rewind_us", self.max_rewind_us, 1, 10_000_000),
            ("max_future_tolerance_us", self.max_future_tolerance_us, 0, 1_000_000),
            ("max_interpolation_gap_us", self.max_interpolation_gap_us, 1, 1_000_000),
        ];
        for (field, value, min, max) in numbers {
            if !(min..=max).contains(&value) {
                return Err(InvalidRewindConfig { field, value, min, max });
            }
        }
        Ok(())
    }
}
