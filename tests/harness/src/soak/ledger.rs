//! [`Ledger`]: a small game whose state depends on every bit of every input.

use bytemuck::{Pod, Zeroable};
use snapback::control::{ControlRules, MatchControl};
use snapback::state::pod;
use snapback::{
    EffectId, Effects, Frame, FrameInputs, InvalidState, NameHash, PlayerHandle, ResetError, SimState, Simulation, SimulationId,
    StateLayout,
};
use std::cell::Cell;

/// What a player holds.
#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable, SimState)]
#[sim(crate = "snapback")]
#[repr(C)]
pub struct Buttons {
    /// One bit for each button.
    pub held: u16,
}

#[derive(Clone, Copy, Pod, Zeroable, SimState)]
#[sim(crate = "snapback")]
#[repr(C)]
struct Page {
    /// A single wrong bit of an input shows in it for ever.
    mixed: u64,
    steps: u64,
    player_count: u64,
    /// What each player has pressed so far.
    presses: [u64; 8],
    control: MatchControl,
}

/// The game. It can be told to break.
#[derive(Clone, Debug)]
pub struct Ledger {
    page: Page,
    /// A state is taken back so many times more before one is refused; never if none.
    restores_left: Option<Cell<u32>>,
}

impl core::fmt::Debug for Page {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{:016x} after {} steps", self.mixed, self.steps)
    }
}

impl Default for Ledger {
    fn default() -> Self {
        Self { page: Page::zeroed(), restores_left: None }
    }
}

impl Ledger {
    /// The same, except that the state is refused after it was taken back so many times.
    #[must_use]
    pub fn that_breaks_after(self, restores: u32) -> Self {
        Self { restores_left: Some(Cell::new(restores)), ..self }
    }
}

impl Simulation for Ledger {
    type Input = Buttons;

    fn id(&self) -> SimulationId {
        SimulationId { name: "ledger", version: 1 }
    }

    fn layout(&self) -> StateLayout {
        StateLayout::of::<Page>()
    }

    fn reset(&mut self, seed: u64, player_count: usize) -> Result<(), ResetError> {
        self.page = Page { mixed: seed, player_count: player_count as u64, ..Page::zeroed() };
        Ok(())
    }

    fn step(&mut self, _: Frame, inputs: &FrameInputs<'_, Buttons>, effects: &mut Effects) {
        let page = &mut self.page;
        let orders = page.control.step(&ControlRules::default(), inputs);
        page.steps = page.steps.wrapping_add(1);
        if orders.is_paused {
            return;
        }
        for (seat, presses) in page.presses.iter_mut().enumerate().take(page.player_count as usize) {
            let player = PlayerHandle::new(seat as u8);
            let (held, command) = (inputs.input(player).held, inputs.command(player));
            *presses = presses.wrapping_add(held.count_ones().into());
            let told = command.payload().iter().fold(u64::from(command.kind()), |told, byte| told << 7 ^ u64::from(*byte));
            page.mixed = (page.mixed ^ u64::from(held) ^ told << 16).wrapping_mul(0x100_0000_01b3).rotate_left(7);
        }
        if page.mixed.is_multiple_of(23) {
            effects.emit(EffectId { source: 0, kind: NameHash::of("spark"), key: 0 }, [0; 4]);
        }
    }

    fn capture(&self, out: &mut [u8]) {
        pod::capture(&self.page, out);
    }

    fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> {
        if let Some(left) = &self.restores_left {
            match left.get().checked_sub(1) {
                Some(fewer) => left.set(fewer),
                None => return Err(InvalidState::Custom { reason: "the page is torn out".to_owned() }),
            }
        }
        pod::restore(&mut self.page, snapshot)
    }
}
