//! A game that remembers everything it saw, so that any wrong step shows in its state.

use bytemuck::{Pod, Zeroable};
use snapback::state::pod;
use snapback::*;

/// The stick of the worked example.
pub(crate) const FORWARD: u8 = 1;
pub(crate) const CROUCH: u8 = 2;

#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub(crate) struct Memory {
    pub(crate) steps: u64,
    pub(crate) digest: u64,
    pub(crate) last: [u8; 8],
}

pub(crate) struct Game {
    pub(crate) memory: Memory,
    /// Everything the session asked of the game, in order; not state.
    pub(crate) log: Vec<String>,
}

impl Game {
    pub(crate) fn new() -> Self {
        Self { memory: Memory::zeroed(), log: Vec::new() }
    }
}

impl Simulation for Game {
    type Input = u8;

    fn id(&self) -> SimulationId {
        SimulationId { name: "memory", version: 1 }
    }

    fn layout(&self) -> StateLayout {
        StateLayout::of::<Memory>()
    }

    fn reset(&mut self, seed: u64, players: usize) -> Result<(), ResetError> {
        if players > 4 {
            return Err(ResetError { reason: format!("at most 4 players, not {players}") });
        }
        self.memory = Memory { digest: seed, ..Memory::zeroed() };
        Ok(())
    }

    fn step(&mut self, frame: Frame, inputs: &FrameInputs<'_, u8>, effects: &mut Effects) {
        let Memory { steps, digest, last } = &mut self.memory;
        *steps += 1;
        for (seat, last) in last.iter_mut().enumerate().take(inputs.player_count()) {
            let player = PlayerHandle::new(seat as u8);
            *last = inputs.input(player);
            let command = inputs.command(player);
            *digest = (*digest ^ u64::from(*last) ^ u64::from(command.kind()) << 8).wrapping_mul(0x100_0000_01b3);
        }
        effects.emit(EffectId { source: 0, kind: NameHash::constant("step"), key: frame.number() as u32 }, [0; 4]);
        self.log.push(format!("step {frame}"));
    }

    fn capture(&self, out: &mut [u8]) {
        pod::capture(&self.memory, out);
    }

    fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> {
        pod::restore(&mut self.memory, snapshot)?;
        self.log.push(format!("restore after {} steps", self.memory.steps));
        Ok(())
    }
}

pub(crate) const ME: PlayerHandle = PlayerHandle::new(0);
pub(crate) const OTHER: PlayerHandle = PlayerHandle::new(1);

pub(crate) fn two_players() -> SessionSettings {
    SessionSettings::new(7, 2, PlayerSet::first(1))
}

pub(crate) fn confirmed(frame: i64, input: u8) -> InputSample<u8> {
    InputSample::new(Frame::new(frame), OTHER, input)
}

/// The state that these inputs of both players give without any rollback.
pub(crate) fn straight(seed: u64, inputs: &[[u8; 2]]) -> Vec<Memory> {
    let mut game = Game::new();
    game.reset(seed, 2).unwrap();
    let mut effects = Effects::with_capacity(0);
    inputs
        .iter()
        .zip(0..)
        .map(|(pressed, frame)| {
            let players = pressed.map(|input| PlayerInput { input, command: Command::NONE, status: InputStatus::Confirmed });
            game.step(Frame::new(frame), &FrameInputs::new(&players), &mut effects);
            game.memory
        })
        .collect()
}
