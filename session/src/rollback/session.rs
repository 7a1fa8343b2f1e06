//! The session itself.

use super::effects::{EffectEvent, EffectJournal};
use super::error::SessionError;
use super::overlay::RecoveryOverlay;
use super::predictor::{InputPast, InputPredictor, RepeatLast};
use super::queue::{InputQueue, Place, Pressed};
use super::report::{FreezeReason, TickReport};
use super::settings::{LocalInput, SessionSettings, check_local};
use super::state::{SessionEvent, SessionState, transition};
use super::stats::SessionStats;
use super::used::UsedInputs;
use crate::telemetry::RollbackLog;
use bytemuck::Zeroable;
use snapback_core::limits::MAX_INPUT_BYTES;
use snapback_core::present::RECOVERING_CONNECTION;
use snapback_core::snapshot::check_budget;
use snapback_core::{
    Command, Effect, Effects, Frame, FrameInputs, InputSample, InputStatus, PlayerHandle, PlayerInput, SideEffectPolicy, Simulation,
    SnapshotRing, StateHash, StateLayout,
};

/// How far ahead of the session confirmed inputs may come and still be kept, in frames. More than
/// two prediction windows and two input delays.
const LOOKAHEAD_FRAMES: usize = 128;

/// How many effects of one tick are kept for the host.
const EFFECT_CAPACITY: usize = 256;

/// A frame whose inputs are all confirmed and that has been simulated with them: it never changes.
#[derive(Clone, Copy, Debug)]
pub struct ConfirmedFrame<'a, I> {
    /// The frame.
    pub frame: Frame,
    /// Every player's input, by seat.
    pub inputs: &'a [PlayerInput<I>],
    /// The hash of the state after it.
    pub state_hash: StateHash,
    /// The state after it.
    pub snapshot: &'a [u8],
}

/// A rollback session: advances a [`Simulation`] with predicted inputs and corrects it when the
/// real ones come.
///
/// Call [`tick`](Self::tick) once a frame with the local inputs and whatever confirmed remote
/// inputs have arrived. One tick drains those, corrects what they prove wrong (restores the state
/// before the earliest wrong frame and steps to the present again, silently), checks the prediction
/// ceiling, and then always advances unless frozen. A correction of more than
/// [`max_rollback_frames`](snapback_core::RollbackConfig::max_rollback_frames) takes several ticks, in
/// which nothing new is played; what is shown meanwhile is what was shown before. Nothing here reads a clock or a socket;
/// [`Peer`](crate::Peer) drives a session over a network.
///
/// After construction a session allocates nothing.
///
/// ```
/// # use bytemuck::{Pod, Zeroable};
/// # use snapback::*;
/// # use snapback::state::pod;
/// # struct Race(u64);
/// # impl Simulation for Race {
/// #     type Input = u8;
/// #     fn id(&self) -> SimulationId { SimulationId { name: "race", version: 1 } }
/// #     fn layout(&self) -> StateLayout { StateLayout::of::<u64>() }
/// #     fn reset(&mut self, _: u64, _: usize) -> Result<(), ResetError> { self.0 = 0; Ok(()) }
/// #     fn step(&mut self, _: Frame, inputs: &FrameInputs<'_, u8>, _: &mut Effects) {
/// #         self.0 = self.0.wrapping_mul(31).wrapping_add(inputs.input(PlayerHandle::new(1)).into());
/// #     }
/// #     fn capture(&self, out: &mut [u8]) { pod::capture(&self.0, out) }
/// #     fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> { pod::restore(&mut self.0, snapshot) }
/// # }
/// let (me, other) = (PlayerHandle::new(0), PlayerHandle::new(1));
/// let mut session = RollbackSession::new(Race(0), SessionSettings::new(7, 2, PlayerSet::first(1)))?;
/// for _ in 0..4 {
///     session.tick(&[LocalInput::new(me, 1)], &[])?;
/// }
/// // The other player's inputs come late, and frame 1 is not what was guessed.
/// let late = [0, 9].iter().zip(0..).map(|(input, n)| InputSample::new(Frame::new(n), other, *input));
/// let report = session.tick(&[LocalInput::new(me, 1)], &late.collect::<Vec<_>>())?;
/// assert_eq!((report.frame, report.rollback_frames), (Frame::new(4), 3));
/// # Ok::<(), SessionError>(())
/// ```
pub struct RollbackSession<S: Simulation, P = RepeatLast> {
    simulation: S,
    predictor: P,
    settings: SessionSettings,
    layout: StateLayout,
    queues: Vec<InputQueue<S::Input>>,
    pub(super) used: UsedInputs<S::Input>,
    ring: SnapshotRing,
    current: Frame,
    earliest_wrong: Option<Frame>,
    state: SessionState,
    /// Whether the last correction has not come to the present yet.
    is_catching_up: bool,
    /// Why the session cannot go on.
    fault: Option<SessionError>,
    overlay: RecoveryOverlay,
    journal: EffectJournal,
    pub(super) effects: Effects,
    /// Effects are counted, and none is kept.
    pub(super) is_telemetry_only: bool,
    /// The last corrections, if they are recorded.
    pub(super) log: Option<Box<RollbackLog>>,
    stats: SessionStats,
}

impl<S: Simulation> RollbackSession<S> {
    /// A session that predicts by repeating the last confirmed input.
    ///
    /// # Errors
    /// If the settings are impossible, the simulation does not start, or its state is over budget.
    pub fn new(simulation: S, settings: SessionSettings) -> Result<Self, SessionError> {
        Self::with_predictor(simulation, settings, RepeatLast)
    }
}

impl<S: Simulation, P: InputPredictor<S::Input>> RollbackSession<S, P> {
    /// A session with a predictor of the host's choice.
    ///
    /// # Errors
    /// As [`new`](RollbackSession::new).
    pub fn with_predictor(mut simulation: S, settings: SessionSettings, predictor: P) -> Result<Self, SessionError> {
        let layout = Self::check(&mut simulation, &settings)?;
        let history = settings.config.snapshot_history_frames as usize;
        let before_first = settings.first_frame.previous();
        let kept_frames = settings.kept_frames();
        let mut ring = SnapshotRing::new(kept_frames, layout.size_bytes());
        ring.save(before_first, |out| simulation.capture(out));
        let mut queues: Vec<_> =
            (0..settings.player_count).map(|_| InputQueue::new(history + LOOKAHEAD_FRAMES, settings.first_frame)).collect();
        for player in settings.local_players.iter() {
            for _ in 0..settings.input_delay_frames {
                queues[player.index()].push(Pressed { input: S::Input::zeroed(), command: Command::NONE });
            }
        }
        Ok(Self {
            simulation,
            predictor,
            settings,
            layout,
            queues,
            used: UsedInputs::new(kept_frames, settings.player_count),
            ring,
            current: before_first,
            earliest_wrong: None,
            state: SessionState::default(),
            is_catching_up: false,
            fault: None,
            overlay: RecoveryOverlay::default(),
            journal: EffectJournal::new(EFFECT_CAPACITY, settings.config.late_effect_frames),
            effects: Effects::with_capacity(EFFECT_CAPACITY),
            is_telemetry_only: false,
            log: None,
            stats: SessionStats::default(),
        })
    }

    /// Starts the simulation, if it can be played like this.
    pub(crate) fn check(simulation: &mut S, settings: &SessionSettings) -> Result<StateLayout, SessionError> {
        settings.check()?;
        let input_bytes = size_of::<S::Input>();
        if !(1..=MAX_INPUT_BYTES).contains(&input_bytes) {
            return Err(SessionError::InputSize { input_bytes });
        }
        simulation.reset(settings.seed, settings.player_count)?;
        let layout = simulation.layout();
        let budget = settings.config.snapshot_budget_bytes_per_fighter as usize;
        check_budget(layout.size_bytes(), simulation.fighter_count(), budget)?;
        Ok(layout)
    }

    /// What the session was made of, for another one.
    pub(crate) fn into_parts(self) -> (S, P) {
        (self.simulation, self.predictor)
    }

    /// One tick: drain, correct, check the ceiling, advance unless frozen.
    ///
    /// `local` has exactly one input for every local player; a frozen tick does not consume it.
    /// `confirmed` are inputs of remote players that have become known, each player's in order.
    ///
    /// # Errors
    /// If the inputs are not as described. Confirmed inputs before the offending one are kept. If a state
    /// to rewind to is missing or broken the session stops for good, in
    /// [`SessionState::FallbackOffered`], and every later call returns the same error.
    pub fn tick(&mut self, local: &[LocalInput<S::Input>], confirmed: &[InputSample<S::Input>]) -> Result<TickReport, SessionError> {
        self.check_fault()?;
        check_local(self.settings.local_players, local)?;
        for sample in confirmed {
            self.confirm(sample)?;
        }
        self.tick_checked(local)
    }

    /// A tick whose local inputs are as they should be, and whose remote ones are drained.
    pub(crate) fn tick_checked(&mut self, local: &[LocalInput<S::Input>]) -> Result<TickReport, SessionError> {
        self.check_fault()?;
        let rollback_frames = self.correct()?;
        if self.is_catching_up {
            self.on(SessionEvent::BudgetExceeded);
            let remaining_frames = self.remaining_frames();
            return Ok(self.report_frozen(rollback_frames, FreezeReason::CatchingUp { remaining_frames }));
        }
        if let Some(reason) = self.ceiling() {
            self.on(SessionEvent::CeilingReached);
            return Ok(self.report_frozen(rollback_frames, reason));
        }
        self.take_local(local);
        self.advance();
        // No need to look it up in the table: in every other tick nothing was wrong.
        if self.state != SessionState::Running {
            self.on(SessionEvent::Advanced);
        }
        Ok(self.report(rollback_frames, None))
    }

    /// A session whose history is broken says so in every call.
    #[inline]
    fn check_fault(&self) -> Result<(), SessionError> {
        self.fault.as_ref().map_or(Ok(()), |fault| Err(fault.clone()))
    }

    /// Frames that must still be simulated again.
    fn remaining_frames(&self) -> u32 {
        self.earliest_wrong.map_or(0, |wrong| u32::try_from(self.current - wrong + 1).unwrap_or(0))
    }

    /// A tick that must not advance for a reason outside the session: it drains and corrects only.
    ///
    /// # Errors
    /// If a rewind is impossible.
    pub fn tick_frozen(&mut self, reason: FreezeReason) -> Result<TickReport, SessionError> {
        self.check_fault()?;
        let rollback_frames = self.correct()?;
        if self.is_catching_up {
            self.on(SessionEvent::BudgetExceeded);
        }
        Ok(self.report_frozen(rollback_frames, reason))
    }

    /// Takes a confirmed input of a remote player, without simulating anything: the next tick
    /// corrects what it proves wrong. An input that is known already is ignored.
    ///
    /// # Errors
    /// If it is not the next one of a remote player, or contradicts one that is known.
    pub fn confirm(&mut self, sample: &InputSample<S::Input>) -> Result<(), SessionError> {
        let InputSample { frame, player, input, command } = *sample;
        if player.index() >= self.settings.player_count || self.settings.local_players.contains(player) {
            return Err(SessionError::NotRemote { player });
        }
        let pressed = Pressed { input, command };
        let queue = &mut self.queues[player.index()];
        match queue.place(frame, &pressed) {
            Place::Known | Place::Forgotten => return Ok(()),
            Place::Changed => return Err(SessionError::ConfirmedInputChanged { player, frame }),
            Place::Gap => {
                let expected_frame = queue.confirmed_frame().next();
                return Err(SessionError::InputGap { player, frame, expected_frame });
            }
            Place::Next if frame - self.current > LOOKAHEAD_FRAMES as i64 => return Err(SessionError::TooFarAhead { player, frame }),
            Place::Next => queue.push(pressed),
        }
        if frame <= self.current {
            let used = self.used.get_mut(frame, player);
            if used.input == input && used.command == command {
                used.status = InputStatus::Confirmed;
            } else {
                self.earliest_wrong = Some(self.earliest_wrong.map_or(frame, |earliest| earliest.min(frame)));
            }
        }
        Ok(())
    }

    /// Gives each local input to the frame that the delay says. After a change of the delay the frames in
    /// between repeat the last input, or the input is left out: every frame has exactly one.
    fn take_local(&mut self, local: &[LocalInput<S::Input>]) {
        let due = self.current.next() + i64::from(self.settings.input_delay_frames);
        for LocalInput { player, input, command } in local {
            let queue = &mut self.queues[player.index()];
            while queue.confirmed_frame().next() < due {
                let held = queue.newest().map_or_else(S::Input::zeroed, |newest| newest.input);
                queue.push(Pressed { input: held, command: Command::NONE });
            }
            if queue.confirmed_frame() < due {
                queue.push(Pressed { input: *input, command: *command });
            }
        }
    }

    /// Delays local inputs by so many frames from the next tick on. While the delay grows the last input is
    /// repeated for the frames in between; while it shrinks one input is left out for each frame, and with
    /// it its command: see [`takes_input`](Self::takes_input). Local: the other peers need not know. Under a
    /// [`Peer`](crate::Peer), use [its own](crate::Peer::set_input_delay): it goes up to 10 unless it began with more.
    ///
    /// # Errors
    /// If it is more than 30 frames.
    pub fn set_input_delay(&mut self, frames: u8) -> Result<(), SessionError> {
        SessionSettings { input_delay_frames: frames, ..self.settings }.check()?;
        self.settings.input_delay_frames = frames;
        Ok(())
    }

    /// Whether the next tick that advances uses its local inputs. It does not for as many ticks as the
    /// input delay has shrunk by: a command is better given afterwards.
    #[must_use]
    pub fn takes_input(&self) -> bool {
        self.newest_local_frame() < self.current.next() + i64::from(self.settings.input_delay_frames)
    }

    /// Restores the state before the earliest wrong frame and steps towards the present again, as far as
    /// one tick may. Returns how far it went back.
    fn correct(&mut self) -> Result<u32, SessionError> {
        self.effects.clear();
        self.journal.begin_tick();
        let Some(wrong) = self.earliest_wrong else { return Ok(0) };
        let (present, restored) = (self.current, wrong.previous());
        self.record_begin(wrong, present, self.is_catching_up);
        self.restore(restored)?;
        let silent = self.settings.config.suppress_cosmetics_during_resim;
        let policy = if silent { SideEffectPolicy::SuppressCosmetics } else { SideEffectPolicy::Emit };
        let until = present.min(restored + i64::from(self.settings.config.max_rollback_frames));
        self.journal.begin_rewind(wrong);
        self.current = restored;
        while self.current < until {
            let before = self.record_before();
            self.step(policy, present, true);
            self.record_replayed(before);
        }
        self.current = present;
        self.record_end(until == present);
        let depth = u32::try_from(present - restored).unwrap_or(u32::MAX);
        self.stats.count_rollback(depth, u32::try_from(until - restored).unwrap_or(u32::MAX), self.is_catching_up);
        self.is_catching_up = until < present;
        if self.is_catching_up {
            // The rest comes in the next ticks, from here or from before. Until then everybody sees what
            // they saw: a world halfway to the present is none that ever was.
            self.earliest_wrong = Some(until.next());
            self.restore(present)?;
        } else {
            self.earliest_wrong = None;
        }
        Ok(depth)
    }

    /// Puts the session, all of whose players are local, to the state after `frame`, as if it had begun
    /// there. Nothing changes if the state is refused.
    pub(crate) fn begin_at(&mut self, frame: Frame, snapshot: &[u8]) -> Result<(), SessionError> {
        self.check_fault()?;
        self.simulation.restore(snapshot).map_err(|error| SessionError::RestoreFailed { frame, error })?;
        self.ring.clear();
        self.ring.save(frame, |out| out.copy_from_slice(snapshot));
        for queue in &mut self.queues {
            queue.begin_after(frame);
        }
        self.used.clear();
        self.settings.first_frame = frame.next();
        self.current = frame;
        self.earliest_wrong = None;
        self.effects.clear();
        self.journal.begin_tick();
        Ok(())
    }

    fn restore(&mut self, frame: Frame) -> Result<(), SessionError> {
        let restored = match self.ring.get(frame) {
            Some(snapshot) => self.simulation.restore(snapshot).map_err(|error| SessionError::RestoreFailed { frame, error }),
            None => Err(SessionError::SnapshotMissing { frame }),
        };
        if let Err(error) = &restored {
            self.fault = Some(error.clone());
            self.on(SessionEvent::RestoreFailed);
        }
        restored
    }

    fn on(&mut self, event: SessionEvent) {
        if let Some(row) = transition(self.state, event) {
            self.stats.count_transition(row);
            self.state = self.state.after(event);
        }
    }

    /// Why the next frame must not be simulated yet.
    fn ceiling(&self) -> Option<FreezeReason> {
        let next = self.current.next();
        let window = i64::from(self.settings.config.prediction_window_frames);
        let (waiting_for, confirmed_frame) = self.slowest_remote()?;
        (next - confirmed_frame > window).then_some(FreezeReason::PredictionCeiling { waiting_for, confirmed_frame })
    }

    fn slowest_remote(&self) -> Option<(PlayerHandle, Frame)> {
        // A loop over the queues and not over a set of handles: this is on the path of every tick.
        let mut slowest: Option<(PlayerHandle, Frame)> = None;
        for (seat, queue) in self.queues.iter().enumerate() {
            let (player, confirmed) = (PlayerHandle::new(seat as u8), queue.confirmed_frame());
            if !self.settings.local_players.contains(player) && slowest.is_none_or(|(_, least)| confirmed < least) {
                slowest = Some((player, confirmed));
            }
        }
        slowest
    }

    fn advance(&mut self) {
        self.step(SideEffectPolicy::Emit, self.current.next(), false);
        self.stats.frames += 1;
    }

    /// Steps the next frame; `present` is the one that is shown, `again` says whether it was stepped before.
    // Always: a correction makes it once a frame, and what all of its frames share is looked up once.
    #[inline(always)]
    fn step(&mut self, policy: SideEffectPolicy, present: Frame, again: bool) {
        let frame = self.current.next();
        let neutral = S::Input::zeroed();
        for (seat, queue) in self.queues.iter().enumerate() {
            let player = PlayerHandle::new(seat as u8);
            // What a frame was stepped with and is confirmed stays.
            if again && self.used.get(frame, player).status == InputStatus::Confirmed {
                continue;
            }
            let input = match queue.get(frame) {
                Some(known) => PlayerInput { input: known.input, command: known.command, status: InputStatus::Confirmed },
                None => {
                    let newest = queue.newest().map(|newest| (queue.confirmed_frame(), &newest.input));
                    let past = InputPast { newest, used: [1, 2].map(|back| self.used.input(frame - back, player).unwrap_or(&neutral)) };
                    PlayerInput { input: self.predictor.predict(player, frame, &past), ..PlayerInput::neutral(InputStatus::Predicted) }
                }
            };
            *self.used.get_mut(frame, player) = input;
        }
        self.effects.begin(frame, if self.is_telemetry_only { SideEffectPolicy::TelemetryOnly } else { policy });
        self.simulation.step(frame, &FrameInputs::new(self.used.frame(frame)), &mut self.effects);
        for effect in self.effects.of_step() {
            self.journal.raise(*effect, present);
        }
        self.ring.save(frame, |out| self.simulation.capture(out));
        self.current = frame;
    }

    fn report_frozen(&mut self, rollback_frames: u32, reason: FreezeReason) -> TickReport {
        if !matches!(reason, FreezeReason::NotStarted | FreezeReason::MatchOver) {
            self.stats.stalled_frames += 1;
        }
        self.report(rollback_frames, Some(reason))
    }

    fn report(&mut self, rollback_frames: u32, reason: Option<FreezeReason>) -> TickReport {
        if !self.journal.is_empty() {
            // While it catches up the frames behind the cursor are still those of before.
            let simulated = self.earliest_wrong.map_or(self.current, Frame::previous);
            let is_last = reason == Some(FreezeReason::MatchOver) && !self.is_catching_up;
            self.journal.end_tick(simulated, self.confirmed_frame(), is_last);
        }
        let is_standing_still = reason.is_some_and(|reason| reason.is_recovery());
        let is_overlay_shown = self.overlay.tick(is_standing_still, self.settings.config.recovery_overlay_frames);
        TickReport {
            frame: self.current,
            rollback_frames,
            recovered: rollback_frames > 0,
            simulation_frozen: reason.is_some(),
            reason,
            stall: None,
            state: self.state,
            overlay: is_overlay_shown.then_some(RECOVERING_CONNECTION),
        }
    }

    /// Whether the session plays, waits or catches up.
    #[must_use]
    pub fn state(&self) -> SessionState {
        self.state
    }

    /// The hash of the state after `frame`, while it is in the history. Of a frame that is not
    /// confirmed yet, this is the hash of a guess.
    pub fn state_hash(&mut self, frame: Frame) -> Option<StateHash> {
        let (simulation, seed) = (&self.simulation, self.settings.seed);
        self.ring.hash(frame, |bytes| simulation.hash(seed, frame, bytes))
    }

    /// The last frame whose inputs are all confirmed and that has been simulated with them. The one
    /// before the first frame if there is none.
    #[must_use]
    pub fn confirmed_frame(&self) -> Frame {
        let simulated = self.earliest_wrong.map_or(self.current, |wrong| wrong.previous().min(self.current));
        self.queues.iter().map(InputQueue::confirmed_frame).min().map_or(simulated, |known| known.min(simulated))
    }

    /// The last frame of `player` that is confirmed here, simulated or not; `None` for a player
    /// who does not exist.
    #[must_use]
    pub fn confirmed_frame_of(&self, player: PlayerHandle) -> Option<Frame> {
        self.queues.get(player.index()).map(InputQueue::confirmed_frame)
    }

    /// A confirmed frame that is still in the history: what recordings, results and comparisons
    /// are made of. A host that wants them all asks for the next one until there is none, after
    /// every tick.
    pub fn confirmed(&mut self, frame: Frame) -> Option<ConfirmedFrame<'_, S::Input>> {
        if frame > self.confirmed_frame() || frame < self.settings.first_frame {
            return None;
        }
        let state_hash = self.state_hash(frame)?;
        Some(ConfirmedFrame { frame, inputs: self.used.frame(frame), state_hash, snapshot: self.ring.get(frame)? })
    }

    /// The last frame for which every local player's input is known: the current one and the input
    /// delay. The one before the first frame if nobody plays here.
    #[must_use]
    pub fn newest_local_frame(&self) -> Frame {
        let local = self.settings.local_players.iter().map(|player| self.queues[player.index()].confirmed_frame());
        local.min().unwrap_or(self.settings.first_frame.previous())
    }

    /// The last confirmed frame of player 0 minus that of player 1: who is ahead, as seen from here.
    /// 0 if there is only one player.
    #[must_use]
    pub fn frame_advantage(&self) -> i64 {
        match self.queues.as_slice() {
            [first, second, ..] => first.confirmed_frame() - second.confirmed_frame(),
            _ => 0,
        }
    }

    /// What a local or remote player's confirmed input for `frame` is, while it is remembered.
    pub(crate) fn pressed(&self, frame: Frame, player: PlayerHandle) -> Option<&Pressed<S::Input>> {
        self.queues.get(player.index())?.get(frame)
    }

    /// The inputs that the step of `frame` used, while they are in the history.
    #[must_use]
    pub fn inputs(&self, frame: Frame) -> Option<&[PlayerInput<S::Input>]> {
        (frame >= self.settings.first_frame && frame <= self.current && self.ring.contains(frame)).then(|| self.used.frame(frame))
    }

    /// The state after `frame`, while it is in the history.
    #[must_use]
    pub fn snapshot(&self, frame: Frame) -> Option<&[u8]> {
        self.ring.get(frame)
    }

    /// The last frame that was simulated.
    #[must_use]
    pub fn current_frame(&self) -> Frame {
        self.current
    }

    /// The effects that the last tick raised, as they are: those of the frame that it played for the
    /// first time. What a host shows is better taken from [`effect_events`](Self::effect_events). Frames that it played again are silent, unless
    /// [`suppress_cosmetics_during_resim`](snapback_core::RollbackConfig::suppress_cosmetics_during_resim)
    /// is off; then their effects come again, and the host tells repetitions by frame and identity.
    #[must_use]
    pub fn effects(&self) -> &[Effect] {
        self.effects.kept()
    }

    /// What the last tick changed about effects, in order: what to show, what to take back, what has
    /// happened for good. Over a match, what is told as raised or elided and not retracted is what really
    /// happened, each effect once, and each of those is told as confirmed once.
    ///
    /// ```
    /// # use snapback::{Effect, EffectEvent};
    /// # struct Sounds; impl Sounds { fn play(&mut self, _: &Effect, _: i64) {} fn fade(&mut self, _: &Effect) {} }
    /// # struct Particles; impl Particles { fn burst(&mut self, _: &Effect) {} fn remove(&mut self, _: &Effect) {} }
    /// fn after_a_tick(events: &[EffectEvent], frame: i64, sounds: &mut Sounds, particles: &mut Particles) {
    ///     for event in events {
    ///         match event {
    ///             EffectEvent::Raised(effect) => {
    ///                 // A sound that comes late begins where it would be by now.
    ///                 sounds.play(effect, frame - effect.frame.number());
    ///                 particles.burst(effect);
    ///             }
    ///             EffectEvent::Retracted(effect) => {
    ///                 sounds.fade(effect);
    ///                 particles.remove(effect);
    ///             }
    ///             // A counter of hits, a rumble, an achievement: only what is certain.
    ///             EffectEvent::Confirmed(_) | EffectEvent::Elided(_) => {}
    ///         }
    ///     }
    /// }
    /// ```
    #[must_use]
    pub fn effect_events(&self) -> &[EffectEvent] {
        self.journal.events()
    }

    /// Effects that were not told because there were too many at once.
    #[must_use]
    pub fn dropped_effects(&self) -> u64 {
        self.journal.dropped()
    }

    /// The simulation as it is after the current frame, to be drawn.
    #[must_use]
    pub fn simulation(&self) -> &S {
        &self.simulation
    }

    /// How the session was set up.
    #[must_use]
    pub fn settings(&self) -> &SessionSettings {
        &self.settings
    }

    /// What a snapshot consists of.
    #[must_use]
    pub fn layout(&self) -> StateLayout {
        self.layout
    }

    /// What the session has done so far.
    #[must_use]
    pub fn stats(&self) -> &SessionStats {
        &self.stats
    }
}
