//! What the players press: a function of seat and frame, so that both libraries get the same.

/// A pad: what the player of a seat presses at a frame.
pub type Pad = fn(seat: usize, frame: i64) -> u16;

/// Presses something else at every frame, so that every prediction is wrong.
#[must_use]
pub fn restless(seat: usize, frame: i64) -> u16 {
    // An odd multiplier makes it a permutation: neighbours always differ.
    ((frame as u64).wrapping_mul(0x9E37) as u16) ^ (seat as u16)
}

/// Holds everything for six frames, the mean of human players: one of eight directions or none in
/// the low nibble, and one of six buttons or none above.
#[must_use]
pub fn holding(seat: usize, frame: i64) -> u16 {
    const DIRECTIONS: [u16; 9] = [0b0000, 0b0001, 0b0101, 0b0100, 0b0110, 0b0010, 0b1010, 0b1000, 0b1001];
    let drawn = scramble((frame / 6) as u64 ^ (seat as u64) << 32);
    let button = (drawn >> 32) % 8;
    let pressed = if button < 6 { 1 << (4 + button) } else { 0 };
    DIRECTIONS[(drawn % 9) as usize] | pressed
}

/// The finisher of SplitMix64: every bit of the result depends on every bit of `x`.
fn scramble(x: u64) -> u64 {
    let x = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_restless_pad_never_holds_and_the_other_holds_six_frames() {
        for seat in 0..2 {
            assert!((0..100_000).all(|frame| restless(seat, frame) != restless(seat, frame + 1)));
            let changes = (0..6_000).filter(|frame| holding(seat, *frame) != holding(seat, frame + 1));
            assert!(changes.clone().all(|frame| frame % 6 == 5));
            assert!(changes.count() > 900);
        }
    }
}
