//! [`TinyGame`]: a game whose step and snapshot cost next to nothing, so that what is left is the
//! netcode.

use snapback::state::pod;
use snapback::{Effects, Frame, FrameInputs, InvalidState, PlayerHandle, ResetError, Simulation, SimulationId, StateLayout};

/// Two players fold what they press into eight bytes. Order matters, so the state remembers every
/// input of every frame.
#[derive(Clone, Default)]
pub struct TinyGame {
    state: u64,
    steps: u64,
}

impl TinyGame {
    /// The state, all of it.
    #[must_use]
    pub fn state(&self) -> u64 {
        self.state
    }

    /// Takes a state that [`state`](Self::state) gave.
    pub fn set_state(&mut self, state: u64) {
        self.state = state;
    }

    /// How many steps were made, repeated ones included. Not part of the state.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// One frame.
    #[inline]
    pub fn fold(&mut self, inputs: [u16; 2]) {
        let pressed = u64::from(inputs[0]) | u64::from(inputs[1]) << 16;
        self.state = (self.state.rotate_left(9) ^ pressed).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.steps += 1;
    }
}

impl Simulation for TinyGame {
    type Input = u16;

    fn id(&self) -> SimulationId {
        SimulationId { name: "tiny", version: 1 }
    }

    fn layout(&self) -> StateLayout {
        StateLayout::of::<u64>()
    }

    fn reset(&mut self, _seed: u64, _players: usize) -> Result<(), ResetError> {
        self.state = 0;
        Ok(())
    }

    fn step(&mut self, _frame: Frame, inputs: &FrameInputs<'_, u16>, _effects: &mut Effects) {
        self.fold([inputs.input(PlayerHandle::new(0)), inputs.input(PlayerHandle::new(1))]);
    }

    fn capture(&self, out: &mut [u8]) {
        pod::capture(&self.state, out);
    }

    fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> {
        pod::restore(&mut self.state, snapshot)
    }
}
