//! A simulation with a fault in it: what a check is there to find.

use snapback_core::*;

/// What is wrong with it.
pub(crate) enum Fault<I> {
    /// One field is greater by 1 after this frame.
    Field(Frame, &'static str),
    /// One player's input of this frame is taken for another one.
    Input(Frame, usize, fn(I) -> I),
}

/// A copy of a simulation, with a fault.
pub(crate) struct Planted<S: Simulation> {
    pub(crate) inner: S,
    pub(crate) fault: Fault<S::Input>,
}

impl<S: Simulation> Simulation for Planted<S> {
    type Input = S::Input;

    fn id(&self) -> SimulationId {
        self.inner.id()
    }

    fn config_hash(&self) -> u32 {
        self.inner.config_hash()
    }

    fn layout(&self) -> StateLayout {
        self.inner.layout()
    }

    fn fighter_count(&self) -> usize {
        self.inner.fighter_count()
    }

    fn reset(&mut self, seed: u64, players: usize) -> Result<(), ResetError> {
        self.inner.reset(seed, players)
    }

    fn step(&mut self, frame: Frame, inputs: &FrameInputs<'_, S::Input>, effects: &mut Effects) {
        match self.fault {
            Fault::Input(at, player, change) if at == frame => {
                let seen = |seat| PlayerInput {
                    input: inputs.input(PlayerHandle::new(seat)),
                    command: inputs.command(PlayerHandle::new(seat)),
                    status: InputStatus::Confirmed,
                };
                let mut changed: Vec<PlayerInput<S::Input>> = (0..).take(inputs.player_count()).map(seen).collect();
                changed[player].input = change(changed[player].input);
                self.inner.step(frame, &FrameInputs::new(&changed), effects);
            }
            Fault::Field(at, path) if at == frame => {
                self.inner.step(frame, inputs, effects);
                let layout = self.inner.layout();
                let field = layout.fields().into_iter().find(|field| field.path == path).unwrap_or_else(|| panic!("no field {path}"));
                let (mut state, mut canonical) = (vec![0; layout.size_bytes()], vec![0; layout.size_bytes()]);
                self.inner.capture(&mut state);
                layout.encode(&state, &mut canonical).unwrap();
                canonical[field.offset_bytes] = canonical[field.offset_bytes].wrapping_add(1);
                layout.decode(&canonical, &mut state).unwrap();
                self.inner.restore(&state).unwrap();
            }
            _ => self.inner.step(frame, inputs, effects),
        }
    }

    fn capture(&self, out: &mut [u8]) {
        self.inner.capture(out);
    }

    fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> {
        self.inner.restore(snapshot)
    }
}
