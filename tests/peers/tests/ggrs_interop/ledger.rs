//! [`Ledger`]: a game that remembers every input and every command of every frame.

use snapback::state::pod;
use snapback::{
    Command, Effects, Frame, FrameInputs, InvalidState, PlayerHandle, ResetError, Simulation, SimulationId, StateHash, StateLayout,
};

pub(crate) const SEED: u64 = 7;

/// Folds what two players press and say into eight bytes, in order.
#[derive(Clone, Default)]
pub(crate) struct Ledger(u64);

impl Ledger {
    fn fold(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(9) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

impl Simulation for Ledger {
    type Input = u16;

    fn id(&self) -> SimulationId {
        SimulationId { name: "ledger", version: 1 }
    }

    fn layout(&self) -> StateLayout {
        StateLayout::of::<u64>()
    }

    fn reset(&mut self, seed: u64, _players: usize) -> Result<(), ResetError> {
        self.0 = seed;
        Ok(())
    }

    fn step(&mut self, frame: Frame, inputs: &FrameInputs<'_, u16>, _effects: &mut Effects) {
        self.fold(frame.number() as u64);
        for player in (0..2).map(PlayerHandle::new) {
            self.fold(inputs.input(player).into());
            let command = inputs.command(player);
            for byte in command.payload() {
                self.fold(u64::from(command.kind()) << 8 | u64::from(*byte));
            }
        }
    }

    fn capture(&self, out: &mut [u8]) {
        pod::capture(&self.0, out);
    }

    fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> {
        pod::restore(&mut self.0, snapshot)
    }
}

/// Now and then a player says something.
pub(crate) fn said(seat: usize, frame: i64) -> Command {
    if frame % 50 == 17 + seat as i64 { Command::new(64, &[frame as u8, seat as u8 + 1]).unwrap() } else { Command::NONE }
}

/// What the inputs give without netcode: the hash after each frame.
pub(crate) fn straight(pad: impl Fn(usize, i64) -> u16, frames: i64) -> Vec<StateHash> {
    let mut ledger = Ledger::default();
    ledger.reset(SEED, 2).unwrap();
    let mut effects = Effects::with_capacity(0);
    let hashes = (0..frames).map(|number| {
        let frame = Frame::new(number);
        let inputs = [0, 1].map(|seat| snapback::PlayerInput {
            input: pad(seat, number),
            command: said(seat, number),
            status: snapback::InputStatus::Confirmed,
        });
        ledger.step(frame, &FrameInputs::new(&inputs), &mut effects);
        let mut snapshot = [0; 8];
        ledger.capture(&mut snapshot);
        ledger.hash(SEED, frame, &snapshot)
    });
    hashes.collect()
}
