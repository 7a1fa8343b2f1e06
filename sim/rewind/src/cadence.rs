//! [`Cadence`]: how often a hitbox is sampled.

/// The default of [`Cadence::FixedHz`].
pub const DEFAULT_FIXED_HZ: u16 = 60;
/// The rate of [`Cadence::default`].
pub const DEFAULT_NET_UPDATE_HZ: u16 = 100;
/// No interval is shorter: 240 samples a second.
pub const MIN_INTERVAL_US: u64 = 1_000_000 / 240;
/// No interval is longer: two samples must stay within the interpolation gap, with room for a late
/// tick. Where ticks are so slow that one more would leave a gap, a hitbox is sampled early.
pub const MAX_INTERVAL_US: u64 = 80_000;

/// How often a hitbox is sampled. Between its samples it is interpolated.
///
/// After its newest sample it is held for
/// [`max_future_tolerance_us`](crate::RewindConfig::max_future_tolerance_us), 25 ms. At less than 40 Hz, or wherever the
/// interval and a tick are longer than that, it ends before the next sample: at times near now in between it has no
/// pose, and no query meets it, until the next sample is there. Area damage at present is not concerned: it asks for newest samples.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cadence {
    /// As often as the owner is sent to clients. Not tied to when it really is sent.
    OwnerNetUpdateRate {
        /// Updates per second.
        hz: u16,
    },
    /// At a rate of its own.
    FixedHz {
        /// Samples per second.
        hz: u16,
    },
    /// At every tick.
    EveryServerTick,
}

impl Default for Cadence {
    /// As often as an owner that is updated 100 times a second.
    fn default() -> Self {
        Self::OwnerNetUpdateRate { hz: DEFAULT_NET_UPDATE_HZ }
    }
}

impl Cadence {
    /// [`Cadence::FixedHz`] with its default of 60.
    pub const FIXED_60: Self = Self::FixedHz { hz: DEFAULT_FIXED_HZ };

    /// Time between two samples, from [`MIN_INTERVAL_US`] to [`MAX_INTERVAL_US`] whatever the rate says;
    /// 0 for every tick.
    #[must_use]
    pub const fn interval_us(self) -> u64 {
        let hz = match self {
            Self::EveryServerTick => return 0,
            Self::OwnerNetUpdateRate { hz } | Self::FixedHz { hz } => hz,
        };
        if hz == 0 {
            return MAX_INTERVAL_US;
        }
        let interval_us = 1_000_000 / hz as u64;
        if interval_us < MIN_INTERVAL_US {
            MIN_INTERVAL_US
        } else if interval_us > MAX_INTERVAL_US {
            MAX_INTERVAL_US
        } else {
            interval_us
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_clamped_whatever_the_rate_says() {
        let interval = |hz| [Cadence::FixedHz { hz }.interval_us(), Cadence::OwnerNetUpdateRate { hz }.interval_us()];
        for (hz, expected) in
            [(0, 80_000), (1, 80_000), (12, 80_000), (13, 76_923), (60, 16_666), (240, 4_166), (241, 4_166), (65_535, 4_166)]
        {
            assert_eq!(interval(hz), [expected; 2], "{hz} Hz");
        }
        assert_eq!(Cadence::EveryServerTick.interval_us(), 0);
        assert_eq!(Cadence::FIXED_60, Cadence::FixedHz { hz: 60 });
    }
}
