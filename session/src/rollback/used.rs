//! [`UsedInputs`]: what the frames of the history were stepped with, guesses and all.

use snapback_core::{Frame, InputStatus, PlayerHandle, PlayerInput, SimInput};

/// The inputs that each frame of the history was stepped with. The two before a frame that is guessed are
/// always among them: the prediction window is shorter than the history by two.
pub(super) struct UsedInputs<I> {
    inputs: Vec<PlayerInput<I>>,
    player_count: usize,
    frame_mask: usize,
}

impl<I: SimInput> UsedInputs<I> {
    pub(super) fn new(frame_count: usize, player_count: usize) -> Self {
        let frame_count = frame_count.max(1).next_power_of_two();
        let neutral = PlayerInput::neutral(InputStatus::Predicted);
        Self { inputs: vec![neutral; frame_count * player_count], player_count, frame_mask: frame_count - 1 }
    }

    /// Forgets everything: every frame was stepped with neutral inputs.
    pub(super) fn clear(&mut self) {
        self.inputs.fill(PlayerInput::neutral(InputStatus::Predicted));
    }

    fn start(&self, frame: Frame) -> usize {
        (frame.number() as usize & self.frame_mask) * self.player_count
    }

    pub(super) fn frame(&self, frame: Frame) -> &[PlayerInput<I>] {
        let start = self.start(frame);
        &self.inputs[start..start + self.player_count]
    }

    pub(super) fn get(&self, frame: Frame, player: PlayerHandle) -> &PlayerInput<I> {
        &self.inputs[self.start(frame) + player.index()]
    }

    /// What a player is taken to have pressed. No panic, so that a predictor that does not look at it costs nothing.
    #[inline]
    pub(super) fn input(&self, frame: Frame, player: PlayerHandle) -> Option<&I> {
        self.inputs.get(self.start(frame) + player.index()).map(|used| &used.input)
    }

    pub(super) fn get_mut(&mut self, frame: Frame, player: PlayerHandle) -> &mut PlayerInput<I> {
        let start = self.start(frame);
        &mut self.inputs[start + player.index()]
    }
}
