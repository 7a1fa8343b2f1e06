//! [`TrainingSession`]: the session of a training mode, offline.

mod dummy;
mod error;
mod slots;

pub use dummy::{DummyState, Playback, RECORDING_FRAMES};
pub use error::TrainingError;
pub use slots::SAVE_SLOTS;

use crate::rollback::{LocalInput, RollbackSession, SessionError, SessionSettings, TickReport, check_local};
use bytemuck::Zeroable;
use dummy::Dummy;
use slots::{SaveSlots, SavedState};
use snapback_core::{Frame, PlayerHandle, PlayerSet, RollbackConfig, Simulation, StateHash};

/// How a training session is set up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TrainingSettings {
    /// The numbers that tune the session; those about prediction and networks do nothing here.
    pub config: RollbackConfig,
    /// The seed of the match.
    pub seed: u64,
    /// How many players there are, 2 to 8.
    pub player_count: usize,
    /// Who trains.
    pub trainee: PlayerHandle,
    /// Who is recorded and played back.
    pub dummy: PlayerHandle,
}

impl TrainingSettings {
    /// The first player trains against the second.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { config: RollbackConfig::default(), seed, player_count: 2, trainee: PlayerHandle::new(0), dummy: PlayerHandle::new(1) }
    }
}

/// A match without a network in which time can be stopped and taken back: states are saved and loaded, frames
/// stepped one by one, a dummy recorded and played back.
///
/// It is the same [`RollbackSession`] that plays over a network, with every player local: what is seen here
/// is what will be there. After a state is loaded the session is at the frame at which it was saved, and the
/// same inputs give the same hashes again.
///
/// Call [`tick`](Self::tick) for every frame of real time; everything else between two ticks. After
/// construction nothing allocates but [`export_slot`](Self::export_slot) and errors.
///
/// ```
/// # use bytemuck::{Pod, Zeroable};
/// # use snapback::*;
/// # use snapback::state::pod;
/// # struct Race([u32; 2]);
/// # impl Simulation for Race {
/// #     type Input = u8;
/// #     fn id(&self) -> SimulationId { SimulationId { name: "race", version: 1 } }
/// #     fn layout(&self) -> StateLayout { StateLayout::of::<[u32; 2]>() }
/// #     fn reset(&mut self, _: u64, _: usize) -> Result<(), ResetError> { self.0 = [0; 2]; Ok(()) }
/// #     fn step(&mut self, _: Frame, inputs: &FrameInputs<'_, u8>, _: &mut Effects) {
/// #         for seat in 0..2 { self.0[usize::from(seat)] += u32::from(inputs.input(PlayerHandle::new(seat))); }
/// #     }
/// #     fn capture(&self, out: &mut [u8]) { pod::capture(&self.0, out) }
/// #     fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> { pod::restore(&mut self.0, snapshot) }
/// # }
/// use snapback::training::{Playback, TrainingSession, TrainingSettings};
/// let me = PlayerHandle::new(0);
/// let mut training = TrainingSession::new(Race([0; 2]), TrainingSettings::new(7))?;
/// training.save_slot(0)?;
///
/// // Show the dummy what to do: meanwhile my pad is its pad.
/// training.set_swapped(true);
/// training.record();
/// for pressed in [1, 2, 3] {
///     training.tick(&[LocalInput::new(me, pressed)])?;
/// }
/// training.stop();
/// training.set_swapped(false);
///
/// // From the start again: it does so whenever the state is loaded.
/// training.play(Playback::OnLoad);
/// training.load_slot(0)?;
/// for _ in 0..4 {
///     training.tick(&[LocalInput::new(me, 10)])?;
/// }
/// assert_eq!(training.session().simulation().0, [40, 6]);
///
/// // One frame at a time.
/// training.pause();
/// assert_eq!(training.tick(&[])?, None);
/// training.step_frame();
/// assert!(training.tick(&[])?.is_some());
/// # Ok::<(), training::TrainingError>(())
/// ```
pub struct TrainingSession<S: Simulation> {
    session: RollbackSession<S>,
    settings: TrainingSettings,
    slots: SaveSlots,
    dummy: Dummy<S::Input>,
    is_swapped: bool,
    is_paused: bool,
    /// Frames that are played although the session is paused.
    steps: u32,
    /// What every player presses, by seat.
    pressed: Vec<LocalInput<S::Input>>,
}

impl<S: Simulation> TrainingSession<S> {
    /// A session before its first frame.
    ///
    /// # Errors
    /// If the settings are impossible, the simulation does not start, or its state is over budget.
    pub fn new(simulation: S, settings: TrainingSettings) -> Result<Self, TrainingError> {
        let TrainingSettings { config, seed, player_count, trainee, dummy } = settings;
        let everybody = PlayerSet::first(player_count);
        if trainee == dummy || !everybody.contains(trainee) || !everybody.contains(dummy) {
            let reason = format!("{trainee} cannot train against {dummy} among {player_count} players; use two different players");
            return Err(SessionError::Settings { reason }.into());
        }
        let of_match = SessionSettings { config, ..SessionSettings::new(seed, player_count, everybody) };
        let session = RollbackSession::new(simulation, of_match)?;
        Ok(Self {
            slots: SaveSlots::new(session.layout().size_bytes()),
            session,
            settings,
            dummy: Dummy::new(),
            is_swapped: false,
            is_paused: false,
            steps: 0,
            pressed: Vec::with_capacity(player_count),
        })
    }

    /// One frame of real time: plays the next frame, unless the session is paused; then `None`.
    ///
    /// `given` are the pads, by the player that each belongs to; who has none is neutral. While the control
    /// is swapped the pads of the trainee and of the dummy are exchanged. What is played back takes the
    /// place of what the dummy's pad says.
    ///
    /// # Errors
    /// If a pad belongs to nobody, two belong to one player, or an input is out of its range. Then nothing
    /// was played.
    pub fn tick(&mut self, given: &[LocalInput<S::Input>]) -> Result<Option<TickReport>, TrainingError> {
        if self.is_paused && self.steps == 0 {
            return Ok(None);
        }
        self.press(given)?;
        check_local(self.session.settings().local_players, &self.pressed)?;
        let dummy = self.settings.dummy.index();
        if let Some(pressed) = self.pressed.get_mut(dummy) {
            self.dummy.act(pressed);
        }
        let report = self.session.tick(&self.pressed, &[])?;
        self.steps = self.steps.saturating_sub(1);
        Ok(Some(report))
    }

    /// What every player presses, without what is played back.
    fn press(&mut self, given: &[LocalInput<S::Input>]) -> Result<(), TrainingError> {
        self.pressed.clear();
        let everybody = (0..self.settings.player_count as u8).map(PlayerHandle::new);
        self.pressed.extend(everybody.map(|player| LocalInput::new(player, S::Input::zeroed())));
        let mut seen = PlayerSet::EMPTY;
        for LocalInput { player, input, command } in given {
            let seat = self.seat_of(*player);
            match self.pressed.get_mut(seat.index()) {
                Some(place) if !seen.contains(seat) => *place = LocalInput { player: seat, input: *input, command: *command },
                _ => return Err(SessionError::LocalInputs { player: *player }.into()),
            }
            seen = seen.with(seat);
        }
        Ok(())
    }

    /// Whom the pad of a player moves.
    fn seat_of(&self, player: PlayerHandle) -> PlayerHandle {
        let TrainingSettings { trainee, dummy, .. } = self.settings;
        match player {
            _ if !self.is_swapped => player,
            _ if player == trainee => dummy,
            _ if player == dummy => trainee,
            _ => player,
        }
    }

    /// Stops time.
    pub fn pause(&mut self) {
        self.is_paused = true;
        self.steps = 0;
    }

    /// Lets time go on.
    pub fn resume(&mut self) {
        self.is_paused = false;
        self.steps = 0;
    }

    /// Whether time stands still.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// Has the next tick play a frame although the session is paused. Pauses it if it is not; called
    /// several times, so many ticks.
    pub fn step_frame(&mut self) {
        self.is_paused = true;
        self.steps = self.steps.saturating_add(1);
    }

    /// Exchanges the pads of the trainee and of the dummy, or gives them back.
    pub fn set_swapped(&mut self, is_swapped: bool) {
        self.is_swapped = is_swapped;
    }

    /// Whether the trainee's pad moves the dummy.
    #[must_use]
    pub fn is_swapped(&self) -> bool {
        self.is_swapped
    }

    /// Records what the dummy does from the next frame on, in place of what was recorded before, until
    /// [`stop`](Self::stop) or for [`RECORDING_FRAMES`].
    pub fn record(&mut self) {
        self.dummy.record();
    }

    /// Has the dummy do what was recorded. Nothing happens if nothing was.
    pub fn play(&mut self, playback: Playback) {
        self.dummy.play(playback);
    }

    /// Ends recording and playing back: the dummy does what its pad says.
    pub fn stop(&mut self) {
        self.dummy.stop();
    }

    /// What the dummy is doing.
    #[must_use]
    pub fn dummy_state(&self) -> DummyState {
        self.dummy.state()
    }

    /// How many frames are recorded.
    #[must_use]
    pub fn recorded_frames(&self) -> usize {
        self.dummy.recorded_frames()
    }

    /// Saves the state as it is now, in place of what the slot had.
    ///
    /// # Errors
    /// If there is no such slot.
    pub fn save_slot(&mut self, slot: usize) -> Result<(), TrainingError> {
        let frame = self.session.current_frame();
        // The present is always in the history.
        let snapshot = self.session.snapshot(frame).unwrap_or_default();
        self.slots.save(slot, frame, snapshot)
    }

    /// Goes back to the state of a slot: to its frame, with neutral inputs before it. A dummy that plays
    /// back on load begins anew; what it records goes on.
    ///
    /// # Errors
    /// If there is no such slot, or it is empty. Then nothing changed.
    pub fn load_slot(&mut self, slot: usize) -> Result<(), TrainingError> {
        let SavedState { frame, snapshot } = self.slots.get(slot)?;
        self.session.begin_at(frame, snapshot)?;
        self.dummy.loaded();
        Ok(())
    }

    /// The state of a slot as bytes, for a file.
    ///
    /// # Errors
    /// If there is no such slot, or it is empty.
    pub fn export_slot(&self, slot: usize) -> Result<Vec<u8>, TrainingError> {
        self.slots.export(slot, &self.session)
    }

    /// Takes the state of a slot from bytes that [`export_slot`](Self::export_slot) gave, somewhere. Nothing
    /// in them is believed: the game, its version and data, the seed and the number of players must be
    /// those of this session, and the state must be [valid](Simulation::validate).
    ///
    /// # Errors
    /// Says what is wrong. Then nothing changed.
    pub fn import_slot(&mut self, slot: usize, bytes: &[u8]) -> Result<(), TrainingError> {
        self.slots.import(slot, bytes, &self.session)
    }

    /// The session, to be drawn and listened to.
    #[must_use]
    pub fn session(&self) -> &RollbackSession<S> {
        &self.session
    }

    /// The hash of the state after `frame`, while it is in the history.
    pub fn state_hash(&mut self, frame: Frame) -> Option<StateHash> {
        self.session.state_hash(frame)
    }

    /// How the session was set up.
    #[must_use]
    pub fn settings(&self) -> &TrainingSettings {
        &self.settings
    }
}
