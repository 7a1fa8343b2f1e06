//! [`Abacus`]: a game so small that a step costs next to nothing, with inputs that can be invalid.

use bytemuck::{Pod, Zeroable};
use snapback_core::state::pod;
use snapback_core::{Effects, Frame, FrameInputs, InvalidState, PlayerHandle, ResetError, SimState, Simulation, SimulationId, StateLayout};

/// What a player pushes.
#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct Push {
    /// Which bead.
    #[sim(range = 0..=15)]
    pub bead: u8,
    /// How far.
    #[sim(range = -100..=100)]
    pub distance: i8,
}

#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
struct Beads {
    places: [i32; 16],
    #[sim(range = 0..=4)]
    players: u32,
    steps: u32,
}

/// The game: two to four players push sixteen beads.
#[derive(Clone, Debug)]
pub struct Abacus(Beads);

impl Default for Abacus {
    fn default() -> Self {
        Self(Beads::zeroed())
    }
}

impl Simulation for Abacus {
    type Input = Push;

    fn id(&self) -> SimulationId {
        SimulationId { name: "abacus", version: 1 }
    }

    fn layout(&self) -> StateLayout {
        StateLayout::of::<Beads>()
    }

    fn reset(&mut self, seed: u64, players: usize) -> Result<(), ResetError> {
        if !(2..=4).contains(&players) {
            return Err(ResetError { reason: format!("{players} players; use 2 to 4") });
        }
        self.0 = Beads { places: [seed as i32; 16], players: players as u32, steps: 0 };
        Ok(())
    }

    fn step(&mut self, _: Frame, inputs: &FrameInputs<'_, Push>, _: &mut Effects) {
        for player in 0..inputs.player_count() {
            let push = inputs.input(PlayerHandle::new(player as u8));
            let place = &mut self.0.places[usize::from(push.bead)];
            *place = place.wrapping_mul(3).wrapping_add(push.distance.into());
        }
        self.0.steps = self.0.steps.wrapping_add(1);
    }

    fn capture(&self, out: &mut [u8]) {
        pod::capture(&self.0, out);
    }

    fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> {
        pod::restore(&mut self.0, snapshot)
    }
}
