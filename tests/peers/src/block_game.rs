//! [`BlockGame`]: a game whose state is one block of a given size, to measure what a sync test costs
//! beside the copies and the steps that it cannot do without.

use snapback::state::pod;
use snapback::{Effects, Frame, FrameInputs, InvalidState, PlayerHandle, ResetError, Simulation, SimulationId, StateLayout};

/// Bytes of state that belong to one object of the game: a cache line.
const OBJECT_WORDS: usize = 8;

/// Two players, and `WORDS` times eight bytes of state in objects of 64 bytes. A step reads and writes
/// one word of every object, as a game that moves all that it has.
#[derive(Clone)]
pub struct BlockGame<const WORDS: usize>(pub Box<[u64; WORDS]>);

impl<const WORDS: usize> Default for BlockGame<WORDS> {
    fn default() -> Self {
        Self(Box::new([0; WORDS]))
    }
}

impl<const WORDS: usize> BlockGame<WORDS> {
    /// One frame.
    #[inline]
    pub fn fold(&mut self, inputs: [u16; 2]) {
        let mut pressed = u64::from(inputs[0]) | u64::from(inputs[1]) << 16;
        for object in self.0.as_chunks_mut::<OBJECT_WORDS>().0 {
            object[0] = (object[0].rotate_left(9) ^ pressed).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            pressed = pressed.wrapping_add(1);
        }
    }

    /// What ggrs and its fork compare, since they see no state: the hash of ours.
    #[must_use]
    pub fn checksum(&self) -> u128 {
        self.layout().hash(0, Frame::ZERO, bytemuck::bytes_of(&*self.0)).bits().into()
    }
}

impl<const WORDS: usize> Simulation for BlockGame<WORDS> {
    type Input = u16;

    fn id(&self) -> SimulationId {
        SimulationId { name: "block", version: 1 }
    }

    fn layout(&self) -> StateLayout {
        StateLayout::of::<[u64; WORDS]>()
    }

    fn fighter_count(&self) -> usize {
        2
    }

    fn reset(&mut self, _seed: u64, _players: usize) -> Result<(), ResetError> {
        self.0.fill(0);
        Ok(())
    }

    fn step(&mut self, _frame: Frame, inputs: &FrameInputs<'_, u16>, _effects: &mut Effects) {
        self.fold([inputs.input(PlayerHandle::new(0)), inputs.input(PlayerHandle::new(1))]);
    }

    fn capture(&self, out: &mut [u8]) {
        pod::capture(&*self.0, out);
    }

    fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> {
        pod::restore(&mut *self.0, snapshot)
    }
}
