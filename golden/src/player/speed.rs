//! [`Speed`]: how much faster than life, as a ratio, so that no time is rounded away.

use core::fmt;

/// How fast a replay plays, as a ratio of whole numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Speed {
    numerator: u16,
    denominator: u16,
}

impl Speed {
    /// A quarter.
    pub const QUARTER: Self = Self { numerator: 1, denominator: 4 };
    /// Half.
    pub const HALF: Self = Self { numerator: 1, denominator: 2 };
    /// As it was played.
    pub const NORMAL: Self = Self { numerator: 1, denominator: 1 };
    /// Twice.
    pub const DOUBLE: Self = Self { numerator: 2, denominator: 1 };
    /// Four times.
    pub const QUADRUPLE: Self = Self { numerator: 4, denominator: 1 };

    /// `numerator / denominator` times as fast; `None` if one of them is 0 (to stand still, pause).
    ///
    /// ```
    /// use snapback_golden::Speed;
    /// assert_eq!(Speed::new(3, 2).unwrap().to_string(), "3/2");
    /// assert_eq!(Speed::new(0, 1), None);
    /// ```
    #[must_use]
    pub const fn new(numerator: u16, denominator: u16) -> Option<Self> {
        if numerator == 0 || denominator == 0 { None } else { Some(Self { numerator, denominator }) }
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => self.numerator.fmt(f),
            denominator => write!(f, "{}/{denominator}", self.numerator),
        }
    }
}

const SECOND_US: u128 = 1_000_000;

/// Turns time into frames.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    frame_hz: u16,
    speed: Speed,
    /// What has passed of the next frame, in `1 / (1_000_000 × denominator)` of a frame.
    passed: u128,
}

impl Clock {
    pub(super) const fn new(frame_hz: u16) -> Self {
        Self { frame_hz, speed: Speed::NORMAL, passed: 0 }
    }

    pub(super) const fn speed(&self) -> Speed {
        self.speed
    }

    pub(super) const fn set_speed(&mut self, speed: Speed) {
        // Rounds down, by less than a microsecond.
        self.passed = self.passed * speed.denominator as u128 / self.speed.denominator as u128;
        self.speed = speed;
    }

    /// Nothing has passed of the next frame.
    pub(super) const fn start_frame(&mut self) {
        self.passed = 0;
    }

    /// How many frames become due.
    pub(super) fn advance(&mut self, delta_us: u64) -> u64 {
        let frame = SECOND_US * u128::from(self.speed.denominator);
        let passed = self.passed + u128::from(delta_us) * u128::from(self.frame_hz) * u128::from(self.speed.numerator);
        self.passed = passed % frame;
        u64::try_from(passed / frame).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(frame_hz: u16, speed: Speed, ticks: u64, delta_us: u64) -> u64 {
        let mut clock = Clock::new(frame_hz);
        clock.set_speed(speed);
        (0..ticks).map(|_| clock.advance(delta_us)).sum()
    }

    #[test]
    fn an_hour_of_odd_ticks_is_an_hour_of_frames() {
        // 16,667 us a tick is 216,004.32 frames of 1/60 s in 216,000 ticks: the third of a
        // microsecond too much adds up and must not be rounded away.
        assert_eq!(frames(60, Speed::NORMAL, 216_000, 16_667), 216_004);
        assert_eq!(frames(60, Speed::QUARTER, 216_000, 16_667), 54_001);
        assert_eq!(frames(60, Speed::QUADRUPLE, 216_000, 16_667), 864_017);
        assert_eq!(frames(60, Speed { numerator: 1, denominator: 3 }, 3_600_000_000 / 7 + 1, 7), 72_000);
        assert_eq!(frames(50, Speed::HALF, 1_000_000, 1), 25);
    }

    #[test]
    fn what_has_passed_of_a_frame_survives_a_change_of_speed() {
        let mut clock = Clock::new(50);
        assert_eq!(clock.advance(19_999), 0);
        clock.set_speed(Speed::QUARTER);
        assert_eq!((clock.advance(3), clock.advance(1)), (0, 1));
    }

    #[test]
    fn the_longest_tick_does_not_overflow() {
        assert_eq!(frames(u16::MAX, Speed { numerator: u16::MAX, denominator: 1 }, 1, u64::MAX), u64::MAX);
    }
}
