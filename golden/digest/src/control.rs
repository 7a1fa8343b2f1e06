//! Controls: digests that do differ from machine to machine. A comparison that has never seen a
//! difference proves nothing.

use snapback_core::{Command, Frame, InputStatus, PlayerInput};
use snapback_golden::StraightReplay;
use snapback_sim::{PadInput, World, WorldData};

/// How many frames a control plays.
const FRAMES: u16 = 4_000;

/// A small simulation in floats: what the project does without. Whoever writes the sine decides its
/// last bit, and every frame builds on the one before.
#[must_use]
#[allow(clippy::float_arithmetic, reason = "it is the control: it shows what floats do")]
pub fn float() -> u32 {
    let mut state = [0.5_f32, 0.25, 0.75, 1.5];
    let mut hasher = crc32fast::Hasher::new();
    for frame in 0..FRAMES {
        let time = core::hint::black_box(f32::from(frame) * 0.0137);
        let [angle, speed, height, turn] = state;
        let speed = (speed.abs() + 0.1).powf(1.05 + height * 0.1).min(8.0);
        let height = (-speed).exp();
        let turn = (angle - turn).atan2(height + 0.5);
        let angle = turn.mul_add(2.5, (speed + time).sin() * 1.7);
        state = [angle, angle.mul_add(0.5, turn), height, turn];
        for value in state {
            hasher.update(&value.to_bits().to_le_bytes());
        }
    }
    hasher.finalize()
}

/// The memory of a match as it lies there, in this machine's byte order: what a hash must not be
/// made of. The match itself is the same everywhere. (`None`: the world does not start.)
#[must_use]
pub fn memory() -> Option<u32> {
    let mut replay = StraightReplay::new(World::new(WorldData::default()), 7, 2, Frame::ZERO).ok()?;
    for frame in 0..FRAMES {
        let press = |turn: u16| PadInput::new((frame / 6).wrapping_mul(turn)).cleaned();
        let confirmed = |input| PlayerInput { input, command: Command::NONE, status: InputStatus::Confirmed };
        let _ = replay.step(&[77, 131].map(press).map(confirmed));
    }
    Some(crc32fast::hash(replay.snapshot()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_control_is_at_least_the_same_on_one_machine() {
        assert_eq!(float(), float());
        assert_eq!(memory(), memory());
        assert!(memory().is_some());
    }
}
