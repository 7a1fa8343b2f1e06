//! When ticks are: a rate, jitter, and hitches that leave gaps.

use super::draw::Draw;

/// Where time begins, so that the oldest question has a time.
const FIRST_US: u64 = 10_000_000;

/// The times of the ticks of a scene: somewhat more than the history is long.
#[must_use]
pub fn ticks_us(draw: &mut Draw) -> Vec<u64> {
    let interval_us = draw.one_of(&[8_333, 15_625, 16_666, 16_667, 33_333, 50_000]);
    let jitter_us = if draw.percent(50) { interval_us / 5 } else { 0 };
    let hitch_percent = draw.one_of(&[0, 0, 3, 10]);
    let mut now_us = FIRST_US + draw.time_us(0, 1_000_000);
    let count = 20 + 450_000 / interval_us;
    (0..count)
        .map(|_| {
            let at_us = now_us;
            now_us += draw.time_us(interval_us - jitter_us, interval_us + jitter_us);
            if draw.percent(hitch_percent) {
                // 100 ms is the longest gap that is bridged: exactly that, just over, and far over.
                let gap_us = draw.one_of(&[100_000, 100_001, 0]);
                now_us = if gap_us == 0 { now_us + draw.time_us(30_000, 300_000) } else { at_us + gap_us };
            }
            at_us
        })
        .collect()
}
