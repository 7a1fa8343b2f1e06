//! [`FirePolicy`]: which claims are believed, and what happens to the others.

use super::Steadiness;
use crate::{InvalidRewindConfig, RewindConfig};

/// A claim that is not believed as it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FireClamp {
    /// Fired after now. Becomes now; refused only if it is over the tolerance after now.
    Future,
    /// Fired longer ago than a rewind goes. Becomes the earliest time that a rewind reaches.
    Old,
    /// The lag jumped up. Becomes the usual lag and the allowance.
    Unsteady,
    /// Fired before a shot with an earlier sequence. Becomes the time of that shot.
    BeforeEarlier,
    /// Came after a shot with a later sequence and claims to be fired after it. Becomes the time of
    /// that shot.
    AfterLater,
    /// Came after a shot with a later sequence, and so long after it that its lag would have to be
    /// one that is not believed. Becomes the time of that shot; refused even so if that is longer
    /// ago than a rewind goes. Believing it would let a shooter send a shot of the past when they
    /// know how it ends, so the default is to refuse.
    Overtaken,
    /// A view delay over the limit. Becomes the limit.
    LongViewDelay,
    /// The view delay jumped up. Becomes the usual one and the allowance.
    UnsteadyViewDelay,
}

/// What happens to a claim that is not believed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnClamp {
    /// It is brought within bounds.
    Clamp,
    /// The shot is refused.
    Refuse,
}

/// Which claims are believed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FirePolicy {
    /// How long ago a shot may have been fired. That of the history.
    pub max_rewind_us: u64,
    /// How far after now a fire time may lie and still not be refused: clocks are not exact.
    pub future_tolerance_us: u64,
    /// The greatest view delay.
    pub max_view_delay_us: u32,
    /// How far over the highest sequence the next may be.
    pub max_sequence_jump: u32,
    /// How steady lag has to be.
    pub lag: Steadiness,
    /// How steady the view delay has to be.
    pub view_delay: Steadiness,
    /// What happens to each kind of claim, in the order of [`FireClamp::ALL`]: see [`with`](Self::with).
    pub on_clamp: [OnClamp; FireClamp::ALL.len()],
}

impl FireClamp {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Future,
        Self::Old,
        Self::Unsteady,
        Self::BeforeEarlier,
        Self::AfterLater,
        Self::Overtaken,
        Self::LongViewDelay,
        Self::UnsteadyViewDelay,
    ];
}

impl Default for FirePolicy {
    fn default() -> Self {
        let history = RewindConfig::default();
        Self {
            max_rewind_us: history.max_rewind_us,
            future_tolerance_us: history.max_future_tolerance_us,
            max_view_delay_us: 200_000,
            max_sequence_jump: 1_024,
            lag: Steadiness { allowance_us: 80_000, rise_us_per_s: 50_000 },
            view_delay: Steadiness { allowance_us: 50_000, rise_us_per_s: 50_000 },
            on_clamp: [OnClamp::Clamp; FireClamp::ALL.len()],
        }
        .with(FireClamp::Overtaken, OnClamp::Refuse)
    }
}

impl FirePolicy {
    /// The default for a history with these numbers.
    #[must_use]
    pub fn of(history: &RewindConfig) -> Self {
        Self { max_rewind_us: history.max_rewind_us, future_tolerance_us: history.max_future_tolerance_us, ..Self::default() }
    }

    /// The same but for what happens to one kind of claim.
    #[must_use]
    pub const fn with(mut self, claim: FireClamp, on: OnClamp) -> Self {
        self.on_clamp[claim as usize] = on;
        self
    }

    /// What happens to a kind of claim.
    #[must_use]
    pub const fn on(&self, claim: FireClamp) -> OnClamp {
        self.on_clamp[claim as usize]
    }

    /// Checks every number.
    ///
    /// # Errors
    /// Names the first that is out of range.
    pub fn validate(&self) -> Result<(), InvalidRewindConfig> {
        let numbers = [
            ("max_rewind_us", self.max_rewind_us, 1, 10_000_000),
            ("future_tolerance_us", self.future_tolerance_us, 0, 1_000_000),
            ("max_view_delay_us", self.max_view_delay_us.into(), 0, 10_000_000),
            ("max_sequence_jump", self.max_sequence_jump.into(), 1, 1 << 20),
            ("lag.allowance_us", self.lag.allowance_us.into(), 0, 10_000_000),
            ("lag.rise_us_per_s", self.lag.rise_us_per_s.into(), 0, 10_000_000),
            ("view_delay.allowance_us", self.view_delay.allowance_us.into(), 0, 10_000_000),
            ("view_delay.rise_us_per_s", self.view_delay.rise_us_per_s.into(), 0, 10_000_000),
        ];
        match numbers.into_iter().find(|&(_, value, min, max)| !(min..=max).contains(&value)) {
            None => Ok(()),
            Some((field, value, min, max)) => Err(InvalidRewindConfig { field, value, min, max }),
        }
    }
}
