//! [`Grade`]: what a player may expect of a link, by the thresholds of the usual configuration.

use core::fmt;
use snapback::RollbackConfig;

/// What a player may expect of a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Grade {
    Good,
    Borderline,
    Poor,
}

impl Grade {
    /// Of a round trip and of how much is lost.
    pub(super) fn of(round_trip_us: u64, lost_millionths: u64) -> Self {
        let config = RollbackConfig::default();
        let us = |ms: u32| u64::from(ms) * 1_000;
        // Half of what is poor is the beginning of it.
        let poor_loss = u64::from(config.poor_packet_loss_percent) * 10_000;
        if round_trip_us > us(config.delay_fallback_rtt_threshold_ms) || lost_millionths >= poor_loss {
            Self::Poor
        } else if round_trip_us > us(config.hybrid_rtt_threshold_ms) || lost_millionths >= poor_loss / 2 {
            Self::Borderline
        } else {
            Self::Good
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Borderline => "borderline",
            Self::Poor => "poor",
        }
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Good => "Good: a match over this link feels direct; corrections are short",
            Self::Borderline => {
                "Borderline: a match works, with corrections that can be seen; --delay 2 or 3 on both sides makes them shorter"
            }
            Self::Poor => "Poor: expect stalls and long corrections; use a cable instead of Wi-Fi, or a host that is nearer",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_thresholds_are_those_of_the_configuration() {
        for (round_trip_us, lost_millionths, expected) in [
            (0, 0, Grade::Good),
            (100_000, 39_999, Grade::Good),
            (100_001, 0, Grade::Borderline),
            (0, 40_000, Grade::Borderline),
            (150_000, 79_999, Grade::Borderline),
            (150_001, 0, Grade::Poor),
            (0, 80_000, Grade::Poor),
        ] {
            assert_eq!(Grade::of(round_trip_us, lost_millionths), expected, "{round_trip_us} {lost_millionths}");
        }
    }
}
