//! [`Offset`]: whether two peers should tick at the same moment, or almost half a frame apart.
//!
//! A packet waits for the tick that uses it. If it is on its way for 2.2 frames, and both peers tick at the same
//! moment, it waits for the rest of the third: both are three frames behind each other. With their ticks a third of
//! a frame apart one is still three frames behind, and the other, whose packets have a little less to go, two.
//! Nobody is worse off. After 2.8 frames it is the other way round: at the same moment both wait for the third
//! frame, and apart one of them waits for the fourth.
//!
//! So what counts is what is left of a frame when a packet comes that is late. Each packet is a sample: the lag,
//! less how long the input has waited, less what we are ahead. Where the way varies by a frame or more the samples
//! cancel out, and nobody is moved.
//!
//! Both peers see the samples of both directions, and so come to the same end at about the same time. The one with
//! the lower seat then falls three eighths of a frame behind, the other lets it: it does
//! so a little sooner and longer than the first asks for it, so that they do not both wait. Their mean rewinds are then at most
//! three quarters of a frame apart.

use super::time_sync::{Aim, Lag, ONE};

/// By how much the ticks are apart.
const APART: i64 = ONE * 3 / 8;

/// Over so many samples the gain is averaged: 2^8.
const GAIN_SHIFT: u32 = 8;

/// Gain, in frames for both peers together, from which on it is worth it; and under which it is no more.
const WORTH: [i64; 2] = [ONE / 4, ONE / 8];

/// The same for the one that only has to let it happen.
const BEARABLE: [i64; 2] = [ONE / 8, 0];

/// What the ticks of one peer and of another gain by being apart.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Offset {
    gain: i64,
    is_worth: bool,
    is_bearable: bool,
}

impl Offset {
    /// Takes in how late an input came: by how much the lag would have been more than none had both ticked at the
    /// same moment, without rounding up.
    pub(super) fn sample(&mut self, lag: Lag, advantage: i64) {
        let late = lag.parts() - advantage;
        let frames = |late: i64| if late > 0 { (late + ONE - 1) >> 32 } else { 0 };
        let gain = (2 * frames(late) - frames(late + APART) - frames(late - APART)) * ONE;
        self.gain += (gain - self.gain) >> GAIN_SHIFT;
        self.is_worth = self.gain > WORTH[usize::from(self.is_worth)];
        self.is_bearable = self.gain > BEARABLE[usize::from(self.is_bearable)];
    }

    /// Where the peer with the lower seat aims, and the other.
    pub(super) fn aim(&self, is_lower: bool) -> Aim {
        match is_lower {
            true if self.is_worth => Aim::Behind,
            false if self.is_bearable => Aim::Ahead,
            _ => Aim::Level,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What both aim at after ten seconds on a way of so many hundredths of a frame, beyond the delay.
    fn aims(way: impl Fn(u32) -> u64) -> [Aim; 2] {
        let mut offset = Offset::default();
        for tick in 0..600 {
            let us = way(tick) * 10_000;
            let frames = us.div_ceil(1_000_000);
            offset.sample(Lag::new(frames as i64, frames * 1_000_000 - us, 1), 0);
        }
        [offset.aim(true), offset.aim(false)]
    }

    #[test]
    fn ticks_stand_apart_where_that_saves_a_frame() {
        for (hundredths, expected) in [
            (110, [Aim::Behind, Aim::Ahead]),
            (130, [Aim::Behind, Aim::Ahead]),
            (150, [Aim::Level; 2]),
            (190, [Aim::Level; 2]),
            (320, [Aim::Behind, Aim::Ahead]),
        ] {
            assert_eq!(aims(|_| hundredths), expected, "{hundredths}");
        }
        // As often this as that: nothing to gain. And an input that is there in time costs nothing either way.
        assert_eq!(aims(|tick| if tick % 2 == 0 { 120 } else { 180 }), [Aim::Level; 2]);
        assert_eq!(aims(|_| 0), [Aim::Level; 2]);
    }
}
