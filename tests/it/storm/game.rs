//! [`Game`]: inputs as large as they may be, and a state that depends on every bit of them.

use bytemuck::{Pod, Zeroable};
use snapback::state::pod;
use snapback::{Effects, Frame, FrameInputs, InvalidState, PlayerHandle, ResetError, SimState, Simulation, SimulationId, StateLayout};

/// The bytes of an input.
pub(crate) const INPUT_BYTES: usize = snapback::limits::MAX_INPUT_BYTES;

/// The largest input there may be.
#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable, SimState)]
#[sim(crate = "snapback")]
#[repr(C)]
pub(crate) struct Big {
    pub(crate) bytes: [u8; INPUT_BYTES],
}

#[derive(Clone, Copy, Default, Pod, Zeroable, SimState)]
#[sim(crate = "snapback")]
#[repr(C)]
struct State {
    mixed: u64,
    player_count: u64,
}

/// Mixes every byte of every input into one number: a single wrong bit shows in all later frames.
#[derive(Default)]
pub(crate) struct Game {
    state: State,
    /// A planted fault: this frame is simulated wrongly.
    wrong_at: Option<Frame>,
}

impl Game {
    pub(crate) fn wrong_at(frame: i64) -> Self {
        Self { wrong_at: Some(Frame::new(frame)), ..Self::default() }
    }
}

impl Simulation for Game {
    type Input = Big;

    fn id(&self) -> SimulationId {
        SimulationId { name: "storm", version: 1 }
    }

    fn layout(&self) -> StateLayout {
        StateLayout::of::<State>()
    }

    fn reset(&mut self, seed: u64, player_count: usize) -> Result<(), ResetError> {
        self.state = State { mixed: seed, player_count: player_count as u64 };
        Ok(())
    }

    fn step(&mut self, frame: Frame, inputs: &FrameInputs<'_, Big>, _: &mut Effects) {
        for seat in 0..self.state.player_count {
            for byte in inputs.input(PlayerHandle::new(seat as u8)).bytes {
                self.state.mixed = (self.state.mixed ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3).rotate_left(7);
            }
        }
        self.state.mixed ^= u64::from(self.wrong_at == Some(frame));
    }

    fn capture(&self, out: &mut [u8]) {
        pod::capture(&self.state, out);
    }

    fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> {
        pod::restore(&mut self.state, snapshot)
    }
}
