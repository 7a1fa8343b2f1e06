//! [`Holds`]: inputs that change as often as people's do.

use snapback::Rng;

/// Twenty hold lengths with the shape of recorded ones: median 4 frames, mean 6.1, nine in ten at
/// most 13 or so; 16 % of frames change.
const HOLD_FRAMES: [u32; 20] = [1, 1, 2, 2, 3, 3, 3, 4, 4, 4, 4, 5, 5, 6, 7, 8, 10, 12, 14, 24];

/// Buttons that are held for as long as people hold them, drawn from a seed. It looks at nothing
/// else: the n-th call gives the same buttons in every run.
#[derive(Clone, Debug)]
pub struct Holds {
    rng: Rng,
    buttons: u16,
    left_frames: u32,
}

impl Holds {
    /// The stream of `player` in the match of `seed`.
    #[must_use]
    pub fn new(seed: u64, player: usize) -> Self {
        Self { rng: Rng::new(seed, 0x686F_6C64 + player as u64), buttons: 0, left_frames: 0 }
    }

    /// The buttons of the next frame; `choose` gives new ones when the old ones are let go.
    pub fn next_with(&mut self, choose: impl FnOnce(&mut Rng) -> u16) -> u16 {
        if self.left_frames == 0 {
            let drawn = self.rng.below(HOLD_FRAMES.len() as u32) as usize;
            self.left_frames = HOLD_FRAMES.get(drawn).copied().unwrap_or(1);
            self.buttons = choose(&mut self.rng);
        }
        self.left_frames -= 1;
        self.buttons
    }

    /// The buttons of the next frame: any of the ten, a direction and a button at most.
    pub fn next_any(&mut self) -> u16 {
        self.next_with(|rng| {
            let direction = [0, 0, 1, 2, 4, 4, 8, 8, 6, 10][rng.below(10) as usize];
            let button = if rng.chance(450_000) { 1 << (4 + rng.below(6)) } else { 0 };
            direction | button
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lengths_have_the_documented_shape() {
        let mut sorted = HOLD_FRAMES;
        sorted.sort_unstable();
        assert_eq!(sorted[9], 4);
        assert_eq!(sorted.iter().sum::<u32>(), 122);
        assert_eq!(sorted[17], 12);
    }

    #[test]
    fn two_runs_of_one_seed_are_the_same_and_two_players_are_not() {
        let run = |seed, player| {
            let mut holds = Holds::new(seed, player);
            (0..500).map(|_| holds.next_any()).collect::<Vec<_>>()
        };
        assert_eq!(run(3, 0), run(3, 0));
        assert_ne!(run(3, 0), run(3, 1));
        assert_ne!(run(3, 0), run(4, 0));
    }
}
