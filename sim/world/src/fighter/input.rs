//! What a player pressed, as far as the next frames need to know.

use crate::pad::PadInput;
use bytemuck::{Pod, Zeroable};
use snapback_core::SimState;

/// How many frames of pads are kept.
pub const INPUT_FRAMES: usize = 32;

/// The inputs of the frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct FrameInput {
    /// Held.
    pub held: PadInput,
    /// Held now and not in the frame before.
    pub pressed: PadInput,
    /// Held in the frame before and not now.
    pub released: PadInput,
    /// Directions tapped for the second time: see [`Taps`](crate::fighter::taps).
    #[sim(range = 0..=15)]
    pub taps: u8,
    #[sim(range = 0..=0)]
    pub(crate) reserved: u8,
}

/// What the player pressed before.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct InputMemory {
    /// The pads of the last frames, in a ring.
    pub ring: [PadInput; INPUT_FRAMES],
    /// Attack buttons pressed and not yet used.
    pub waiting: PadInput,
    /// The attack buttons that were pressed last, together.
    pub last_press: PadInput,
    /// Where in the ring the newest frame is.
    #[sim(range = 0..=(INPUT_FRAMES - 1) as i128)]
    pub newest: u8,
    /// How much longer the press waits.
    pub waiting_frames: u8,
    /// The motions that were complete when it was pressed, as bits.
    #[sim(range = 0..=15)]
    pub waiting_motions: u8,
    /// The direction that was held then, as on a numeric keypad of one who looks right; 0 if none
    /// was ever.
    #[sim(range = 0..=9)]
    pub waiting_direction: u8,
    /// Frames since the last press.
    pub press_age: u8,
    /// How long back has been held.
    pub charge_frames: u8,
    /// How much longer a full charge lasts after back was let go.
    pub charged_frames: u8,
    /// 1 if the waiting buttons came in two frames and counted as one press.
    #[sim(bool)]
    pub plinked: u8,
}

impl InputMemory {
    /// The pad of `frames_ago` frames ago; 0 is the newest. Older ones than there are wrap around.
    #[must_use]
    pub const fn ago(&self, frames_ago: usize) -> PadInput {
        let newest = self.newest as usize + INPUT_FRAMES;
        self.ring[newest.wrapping_sub(frames_ago % INPUT_FRAMES) % INPUT_FRAMES]
    }

    pub(crate) const fn push(&mut self, pad: PadInput) {
        self.newest = (self.newest + 1) % INPUT_FRAMES as u8;
        self.ring[self.newest as usize % INPUT_FRAMES] = pad;
    }

    pub(crate) fn forget_press(&mut self) {
        self.waiting = PadInput::default();
        self.waiting_frames = 0;
        self.waiting_motions = 0;
        self.plinked = 0;
    }
}
