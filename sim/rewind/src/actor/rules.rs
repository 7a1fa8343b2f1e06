//! [`RewindRules`]: how often samples are taken and how fast they are played back.

use core::fmt;
use snapback_core::crc32;

/// How fast time runs backwards, as a ratio.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RewindSpeed {
    numerator: u16,
    denominator: u16,
}

/// How an actor is sampled and rewound. Not state: the same on all peers, so its
/// [`hash`](Self::config_hash) belongs into [`Simulation::config_hash`](snapback_core::Simulation::config_hash).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RewindRules {
    interval_us: u32,
    speed: RewindSpeed,
}

/// Why rules are refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InvalidRules {
    /// The interval is zero.
    NoInterval,
    /// The numerator or the denominator of the speed is zero.
    NoSpeed {
        /// What was given.
        numerator: u16,
        /// What was given.
        denominator: u16,
    },
}

impl fmt::Display for InvalidRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoInterval => f.write_str("an interval between samples of 0 us: give 1 or more, such as 100,000"),
            Self::NoSpeed { numerator, denominator } => {
                write!(f, "a rewind at a speed of {numerator}/{denominator} never ends: give numbers over zero, such as 2/1")
            }
        }
    }
}

impl std::error::Error for InvalidRules {}

impl RewindSpeed {
    /// As fast as it was.
    pub const SAME: Self = Self { numerator: 1, denominator: 1 };

    /// `numerator / denominator` as fast as it was.
    ///
    /// # Errors
    /// If either is zero.
    pub const fn new(numerator: u16, denominator: u16) -> Result<Self, InvalidRules> {
        if numerator == 0 || denominator == 0 {
            return Err(InvalidRules::NoSpeed { numerator, denominator });
        }
        Ok(Self { numerator, denominator })
    }

    /// How far `step_us` goes back, and what is left of a microsecond, in parts of the denominator;
    /// `carry` was left the last time.
    pub(super) fn back(self, step_us: u32, carry: u16) -> (u64, u16) {
        let parts = u64::from(step_us) * u64::from(self.numerator) + u64::from(carry);
        let denominator = u64::from(self.denominator);
        (parts / denominator, (parts % denominator) as u16)
    }
}

impl RewindRules {
    /// A sample each `interval_us` (at the first tick that is not before that), played back at `speed`.
    ///
    /// # Errors
    /// If the interval is zero.
    pub const fn new(interval_us: u32, speed: RewindSpeed) -> Result<Self, InvalidRules> {
        if interval_us == 0 { Err(InvalidRules::NoInterval) } else { Ok(Self { interval_us, speed }) }
    }

    /// The least time between two samples.
    #[must_use]
    pub const fn interval_us(&self) -> u32 {
        self.interval_us
    }

    /// How fast time runs backwards.
    #[must_use]
    pub const fn speed(&self) -> RewindSpeed {
        self.speed
    }

    /// The same on two peers that have the same rules.
    #[must_use]
    pub fn config_hash(&self) -> u32 {
        let mut bytes = [0; 8];
        bytes[..4].copy_from_slice(&self.interval_us.to_le_bytes());
        bytes[4..6].copy_from_slice(&self.speed.numerator.to_le_bytes());
        bytes[6..].copy_from_slice(&self.speed.denominator.to_le_bytes());
        crc32(0, &bytes)
    }
}

/// Ten samples a second, played back as fast as it was.
impl Default for RewindRules {
    fn default() -> Self {
        Self { interval_us: 100_000, speed: RewindSpeed::SAME }
    }
}
