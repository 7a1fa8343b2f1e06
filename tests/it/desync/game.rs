//! [`Game`]: a state of every kind of field, in sections and out of them, and one planted bit.

use bytemuck::{Pod, Zeroable};
use snapback::state::pod;
use snapback::{Effects, Frame, FrameInputs, Fx, InvalidState, PlayerHandle, ResetError, SimState, Simulation, SimulationId, StateLayout};

#[derive(Clone, Copy, Pod, Zeroable, SimState)]
#[sim(crate = "snapback")]
#[repr(C)]
struct Fighter {
    #[sim(section = "movement")]
    position: [Fx; 2],
    #[sim(section = "combat")]
    health: i32,
    #[sim(section = "combat")]
    stun: u16,
    last_pressed: u16,
}

#[derive(Clone, Copy, Pod, Zeroable, SimState)]
#[sim(crate = "snapback")]
#[repr(C)]
pub(crate) struct State {
    mixed: u64,
    fighters: [Fighter; 3],
    #[sim(section = "clock")]
    steps: u32,
    #[sim(section = "clock")]
    players: u32,
}

/// A bit of the state that one peer gets wrong when it steps a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fault {
    pub(crate) frame: Frame,
    pub(crate) byte: usize,
    pub(crate) mask: u8,
}

pub(crate) struct Game {
    state: State,
    fault: Option<Fault>,
}

impl Game {
    pub(crate) fn new(fault: Option<Fault>) -> Self {
        Self { state: State::zeroed(), fault }
    }
}

impl Simulation for Game {
    type Input = u16;

    fn id(&self) -> SimulationId {
        SimulationId { name: "faulty", version: 3 }
    }

    fn layout(&self) -> StateLayout {
        StateLayout::of::<State>()
    }

    fn reset(&mut self, seed: u64, players: usize) -> Result<(), ResetError> {
        self.state = State { mixed: seed, players: players as u32, ..State::zeroed() };
        Ok(())
    }

    fn step(&mut self, frame: Frame, inputs: &FrameInputs<'_, u16>, _: &mut Effects) {
        let State { mixed, fighters, steps, players } = &mut self.state;
        for (fighter, seat) in fighters.iter_mut().zip(0..*players as u8) {
            let pressed = inputs.input(PlayerHandle::new(seat));
            let kind = inputs.command(PlayerHandle::new(seat)).kind();
            *mixed = (*mixed ^ u64::from(pressed) ^ u64::from(kind) << 16).wrapping_mul(0x100_0000_01b3).rotate_left(7);
            fighter.position[0] += Fx::from_bits(i64::from(pressed));
            fighter.position[1] -= Fx::from_bits(i64::from(pressed >> 3));
            fighter.health = fighter.health.wrapping_sub(i32::from(pressed & 3));
            fighter.stun = fighter.stun.rotate_left(1) ^ pressed;
            fighter.last_pressed = pressed;
        }
        *steps = steps.wrapping_add(1);
        if let Some(Fault { byte, mask, .. }) = self.fault.filter(|fault| fault.frame == frame)
            && let Some(byte) = bytemuck::bytes_of_mut(&mut self.state).get_mut(byte)
        {
            *byte ^= mask;
        }
    }

    fn capture(&self, out: &mut [u8]) {
        pod::capture(&self.state, out);
    }

    fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> {
        pod::restore(&mut self.state, snapshot)
    }
}
