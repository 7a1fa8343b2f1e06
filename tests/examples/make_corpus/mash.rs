//! [`Masher`]: a player who blindly holds some buttons for a while and then others, any bits at all.

use snapback::Rng;
use snapback::sim::PadInput;

const DIRECTIONS: [u16; 9] = {
    use PadInput as P;
    [0, P::LEFT, P::RIGHT, P::UP, P::DOWN, P::DOWN | P::LEFT, P::DOWN | P::RIGHT, P::UP | P::LEFT, P::UP | P::RIGHT]
};

/// A player who looks at nothing.
pub(crate) struct Masher {
    rng: Rng,
    held: u16,
    left_frames: u32,
}

impl Masher {
    pub(crate) fn new(seed: u64, seat: usize) -> Self {
        Self { rng: Rng::new(seed, 0x6D61_7368 + seat as u64), held: 0, left_frames: 0 }
    }

    pub(crate) fn next(&mut self) -> u16 {
        if self.left_frames == 0 {
            let rng = &mut self.rng;
            let direction = DIRECTIONS[rng.below(DIRECTIONS.len() as u32) as usize];
            self.held = match rng.below(10) {
                0 => rng.next_u32() as u16,
                1 => u16::MAX,
                2 => 0,
                3..6 => direction,
                _ => direction | 1 << (4 + rng.below(6)),
            };
            let longest = if rng.below(3) == 0 { 20 } else { 5 };
            self.left_frames = 1 + rng.below(longest);
        }
        self.left_frames -= 1;
        self.held
    }
}
