//! [`AfterCatchUp`]: how far in the past a projectile meets others once it has caught up.

/// How far in the past a projectile that has caught up still meets others.
///
/// | policy | delay at `t` after catch-up | queries of the past |
/// |---|---|---|
/// | `Collapse` | 0 | none, ever |
/// | `ConstantDelay` | the view delay of the shot | every tick |
/// | `RampToZero { over_us }` | the view delay, times what is left of `over_us` | until the delay is zero |
///
/// As long as there is a delay, who has a history is met there and nowhere else, neither by a sweep nor by an overlap; the
/// world that has none is always met now. A pawn or projectile without a hitbox in the history is therefore met by nobody
/// until the delay ends.
///
/// # A long view delay and a low lag
///
/// Catch-up meets others where the shooter saw them, but only for the time that it catches up. Under `Collapse` the view
/// delay ends with it. A shot that came within a tick has nothing to catch up: no past is asked, and it meets everybody where
/// they are now, `view_delay` further on than its shooter saw them. For a low lag with a long view delay choose
/// `ConstantDelay` or `RampToZero`: they begin with the whole view delay, also after a catch-up that was skipped.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum AfterCatchUp {
    /// At once in the present.
    #[default]
    Collapse,
    /// As far in the past as the shooter saw it, to the end.
    ConstantDelay,
    /// The delay shrinks evenly to zero.
    RampToZero {
        /// In this time.
        over_us: u32,
    },
}

impl AfterCatchUp {
    /// The delay at `after_us` after catch-up, of a shot whose shooter saw others `view_delay_us` late.
    ///
    /// ```
    /// use snapback_rewind::flight::AfterCatchUp;
    /// let ramp = AfterCatchUp::RampToZero { over_us: 200_000 };
    /// assert_eq!(ramp.delay_us(100_000, 0), 100_000);
    /// assert_eq!(ramp.delay_us(100_000, 150_000), 25_000);
    /// assert_eq!(ramp.delay_us(100_000, 900_000), 0);
    /// ```
    #[must_use]
    pub fn delay_us(self, view_delay_us: u32, after_us: u64) -> u32 {
        match self {
            Self::Collapse => 0,
            Self::ConstantDelay => view_delay_us,
            Self::RampToZero { over_us } => {
                let left_us = u64::from(over_us).saturating_sub(after_us);
                (u64::from(view_delay_us) * left_us).checked_div(u64::from(over_us)).unwrap_or(0) as u32
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ramp_never_turns_time_back_and_ends() {
        for (over_us, view_delay_us) in [(0, 100_000), (1, 100_000), (50_000, 250_000), (u32::MAX, u32::MAX)] {
            let ramp = AfterCatchUp::RampToZero { over_us };
            let mut target_us = 0;
            for tick in 0..200u64 {
                let next_us = 10_000_000_000 + tick * 4_000 - u64::from(ramp.delay_us(view_delay_us, tick * 4_000));
                assert!(next_us >= target_us);
                target_us = next_us;
            }
            assert_eq!(ramp.delay_us(view_delay_us, u64::from(over_us)), 0);
        }
    }
}
