//! [`Dummy`]: records what a player does, and does it again.

use crate::rollback::LocalInput;
use snapback_core::SimInput;

/// The longest recording, in frames: a minute at 60 Hz.
pub const RECORDING_FRAMES: usize = 3_600;

/// When a recording is played back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Playback {
    /// Now, once.
    Once,
    /// Now, again and again.
    Loop,
    /// Once whenever a state is loaded.
    OnLoad,
}

/// What a dummy is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DummyState {
    /// What its pad says.
    Idle,
    /// What its pad says, which is recorded.
    Recording,
    /// What was recorded; `next` is the place of the next frame in the recording.
    Playing {
        /// When.
        playback: Playback,
        /// 0 to the length of the recording; at its end the dummy does what its pad says.
        next: usize,
    },
}

/// The recording and what is done with it. Allocates at construction only.
pub(super) struct Dummy<I> {
    recording: Vec<LocalInput<I>>,
    state: DummyState,
}

impl<I: SimInput> Dummy<I> {
    pub(super) fn new() -> Self {
        Self { recording: Vec::with_capacity(RECORDING_FRAMES), state: DummyState::Idle }
    }

    pub(super) fn state(&self) -> DummyState {
        self.state
    }

    pub(super) fn recorded_frames(&self) -> usize {
        self.recording.len()
    }

    pub(super) fn record(&mut self) {
        self.recording.clear();
        self.state = DummyState::Recording;
    }

    pub(super) fn play(&mut self, playback: Playback) {
        // What is played on load waits for it.
        let next = if playback == Playback::OnLoad { self.recording.len() } else { 0 };
        self.state = if self.recording.is_empty() { DummyState::Idle } else { DummyState::Playing { playback, next } };
    }

    pub(super) fn stop(&mut self) {
        self.state = DummyState::Idle;
    }

    /// A state was loaded.
    pub(super) fn loaded(&mut self) {
        if let DummyState::Playing { playback: Playback::OnLoad, next } = &mut self.state {
            *next = 0;
        }
    }

    /// A frame is played: notes what the pad says, or replaces it.
    pub(super) fn act(&mut self, pressed: &mut LocalInput<I>) {
        match &mut self.state {
            DummyState::Idle => {}
            DummyState::Recording => {
                self.recording.push(*pressed);
                if self.recording.len() == RECORDING_FRAMES {
                    self.state = DummyState::Idle;
                }
            }
            DummyState::Playing { playback, next } => {
                let Some(recorded) = self.recording.get(*next) else { return };
                *pressed = *recorded;
                *next += 1;
                let is_over = *next == self.recording.len();
                match playback {
                    Playback::Loop if is_over => *next = 0,
                    Playback::Once if is_over => self.state = DummyState::Idle,
                    _ => {}
                }
            }
        }
    }
}
