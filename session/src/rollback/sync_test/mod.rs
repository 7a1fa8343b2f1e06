//! [`SyncTestSession`]: rolls back on every frame, and names what does not come back the same.

mod captures;
mod error;
mod trace;

pub use error::SyncTestError;
pub use trace::{SyncTestTrace, TraceDifference};

use super::error::SessionError;
use super::settings::LocalInput;
use captures::CaptureCheck;
use snapback_core::snapshot::check_budget;
use snapback_core::{
    Divergence, Effects, Frame, FrameInputs, InputStatus, PlayerHandle, PlayerInput, RollbackConfig, SideEffectPolicy, Simulation,
    SnapshotRing, StateHash, StateLayout,
};

/// Of the frames between the first and the last one in so many is compared.
const COMPARED_BETWEEN: i64 = 7;

/// Frames between two looks at the captures themselves.
pub const CAPTURE_CHECK_FRAMES: u32 = 32;

/// A session without a network that plays every frame, goes back `distance_frames`, plays them
/// again and compares what comes with the first time, byte by byte.
///
/// What it finds is a state that [`capture`](Simulation::capture) leaves out, or a step that reads
/// something other than the state and the inputs. Run it while developing, before two players can
/// meet the fault.
///
/// What is compared, every tick: the first of the frames that are played again, where what was not
/// restored shows; the last, where all that went wrong has added up; and of those between one in seven,
/// others in every tick, so that a difference that comes at one distance only is found six ticks later at
/// most. What is missed is one that happens once, between, and leaves no trace in the frames after it:
/// [`compare_every_frame`](Self::compare_every_frame) finds those too, but takes more time: to compare a
/// large state takes longer than to copy it.
///
/// Every [`CAPTURE_CHECK_FRAMES`] frames, the first included, the captures themselves are looked at:
/// whether they write every byte, are the same twice in a row, and after a restore. A difference that was
/// found otherwise is looked at in this way before it is told.
///
/// What another process makes of the same inputs is compared by their traces: see [`SyncTestTrace`].
///
/// ```
/// # use bytemuck::{Pod, Zeroable};
/// # use snapback::*;
/// # use snapback::state::pod;
/// /// Counts in the state, and wrongly beside it.
/// #[derive(Default)]
/// struct Forgetful { points: u64, left_out: u64 }
///
/// impl Simulation for Forgetful {
///     type Input = u8;
///     fn id(&self) -> SimulationId { SimulationId { name: "forgetful", version: 1 } }
///     fn layout(&self) -> StateLayout { StateLayout::of::<u64>() }
///     fn reset(&mut self, _: u64, _: usize) -> Result<(), ResetError> { *self = Self::default(); Ok(()) }
///     fn step(&mut self, _: Frame, _: &FrameInputs<'_, u8>, _: &mut Effects) {
///         self.left_out += 1;
///         self.points += self.left_out;
///     }
///     fn capture(&self, out: &mut [u8]) { pod::capture(&self.points, out) }
///     fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> { pod::restore(&mut self.points, snapshot) }
/// }
/// let mut test = SyncTestSession::new(Forgetful::default(), 0, 1, 2, RollbackConfig::default())?;
/// let input = [LocalInput::new(PlayerHandle::new(0), 0)];
/// let found = (0..10).find_map(|_| test.tick(&input).err()).unwrap();
/// assert!(matches!(found, SyncTestError::Diverged(divergence) if divergence.frame == Frame::ZERO));
/// # Ok::<(), SessionError>(())
/// ```
pub struct SyncTestSession<S: Simulation> {
    simulation: S,
    layout: StateLayout,
    seed: u64,
    player_count: usize,
    distance_frames: u32,
    ring: SnapshotRing,
    inputs: Vec<PlayerInput<S::Input>>,
    again: Vec<u8>,
    captures: CaptureCheck,
    compares_all: bool,
    current: Frame,
    effects: Effects,
    trace: Option<SyncTestTrace>,
}

impl<S: Simulation> SyncTestSession<S> {
    /// A test that goes back `distance_frames` on every frame, at least 1 and at most the
    /// configured history minus 2.
    ///
    /// # Errors
    /// If the simulation does not start, its state is over budget or the distance is impossible.
    pub fn new(
        mut simulation: S,
        seed: u64,
        player_count: usize,
        distance_frames: u32,
        config: RollbackConfig,
    ) -> Result<Self, SessionError> {
        config.is_valid()?;
        let most = config.snapshot_history_frames - 2;
        if !(1..=most).contains(&distance_frames) {
            let reason = format!("a sync test cannot go back {distance_frames} frames; use 1 to {most}");
            return Err(SessionError::Settings { reason });
        }
        simulation.reset(seed, player_count)?;
        let layout = simulation.layout();
        check_budget(layout.size_bytes(), simulation.fighter_count(), config.snapshot_budget_bytes_per_fighter as usize)?;
        let history = distance_frames as usize + 2;
        let mut ring = SnapshotRing::new(history, layout.size_bytes());
        ring.save(Frame::INITIAL, |out| simulation.capture(out));
        let neutral = PlayerInput::neutral(InputStatus::Confirmed);
        Ok(Self {
            simulation,
            layout,
            seed,
            player_count,
            distance_frames,
            ring,
            inputs: vec![neutral; history * player_count],
            again: vec![0; layout.size_bytes()],
            captures: CaptureCheck::new(layout.size_bytes()),
            compares_all: false,
            current: Frame::INITIAL,
            effects: Effects::with_capacity(0),
            trace: None,
        })
    }

    /// Whether every frame that is played again is compared, and not only those that the
    /// [type](Self) names.
    #[must_use]
    pub fn compare_every_frame(mut self, every: bool) -> Self {
        self.compares_all = every;
        self
    }

    /// Looks at the captures themselves every so many frames, 0 being never. [`CAPTURE_CHECK_FRAMES`] if
    /// it is not called. A look takes two captures, two fills and two comparisons, and one more capture and
    /// comparison after the restore.
    #[must_use]
    pub fn check_captures_every(mut self, frames: u32) -> Self {
        self.captures.every_frames = frames;
        self
    }

    /// Notes what every tick from now on gives, to be compared with another process: see
    /// [`SyncTestTrace`]. Takes memory for every frame.
    #[must_use]
    pub fn keep_trace(mut self) -> Self {
        let first = self.ring.get(self.current).unwrap_or_default();
        self.trace = Some(SyncTestTrace::new(self.layout, self.simulation.id(), self.seed, first));
        self
    }

    /// What has been noted, if it was asked for.
    #[must_use]
    pub fn trace(&self) -> Option<&SyncTestTrace> {
        self.trace.as_ref()
    }

    /// Plays the next frame, then the last `distance_frames` once more. Players without an input
    /// are neutral.
    ///
    /// # Errors
    /// Names the first frame and field that did not come back the same.
    pub fn tick(&mut self, inputs: &[LocalInput<S::Input>]) -> Result<(), SyncTestError> {
        let frame = self.current.next();
        let row = self.row(frame);
        self.inputs[row.clone()].fill(PlayerInput::neutral(InputStatus::Confirmed));
        for LocalInput { player, input, command } in inputs {
            match self.inputs.get_mut(row.start + player.index()) {
                Some(place) if player.index() < self.player_count => {
                    *place = PlayerInput { input: *input, command: *command, status: InputStatus::Confirmed };
                }
                _ => return Err(SyncTestError::Session(SessionError::LocalInputs { player: *player })),
            }
        }
        self.step(frame);
        self.ring.save(frame, |out| self.simulation.capture(out));
        self.current = frame;
        if self.captures.is_due(frame) {
            let captured = self.ring.get(frame).unwrap_or_default();
            self.captures.check(&self.simulation, &self.layout, frame, captured)?;
        }
        let from = (frame - i64::from(self.distance_frames)).max(Frame::INITIAL);
        self.go_back(from)?;
        if self.captures.is_due(frame) {
            self.check_restored(from)?;
        }
        for again in from.number() + 1..=frame.number() {
            let again = Frame::new(again);
            self.step(again);
            if self.is_compared(from, again) {
                self.compare(from, again)?;
            }
        }
        if let Some(trace) = &mut self.trace {
            let captured = self.ring.get(frame).unwrap_or_default();
            trace.note(frame, self.simulation.hash(self.seed, frame, captured), captured);
        }
        Ok(())
    }

    fn step(&mut self, frame: Frame) {
        let row = self.row(frame);
        self.effects.begin(frame, SideEffectPolicy::TelemetryOnly);
        self.simulation.step(frame, &FrameInputs::new(&self.inputs[row]), &mut self.effects);
    }

    fn go_back(&mut self, frame: Frame) -> Result<(), SyncTestError> {
        let Some(snapshot) = self.ring.get(frame) else { return Ok(()) };
        let restored = self.simulation.restore(snapshot);
        restored.map_err(|error| SyncTestError::Session(SessionError::RestoreFailed { frame, error }))
    }

    /// Whether the state after `frame`, which was just restored, is captured as what it was.
    fn check_restored(&mut self, frame: Frame) -> Result<(), SyncTestError> {
        self.simulation.capture(&mut self.again);
        match self.ring.get(frame) {
            Some(restored) if restored != self.again => {
                Err(SyncTestError::NotRestored { frame, field: self.layout.first_difference(restored, &self.again) })
            }
            _ => Ok(()),
        }
    }

    /// Whether a frame is compared when it is played again from the state after `from`: see the
    /// [type](Self). Each distance has its turn once in so many ticks. From tick to tick a frame comes one
    /// nearer to where it is played from, so what decides changes by two for a frame, and the number is odd:
    /// most frames are compared between too.
    fn is_compared(&self, from: Frame, again: Frame) -> bool {
        let is_end = again == self.current || again == from.next();
        is_end || self.compares_all || ((again - from) - self.current.number()).rem_euclid(COMPARED_BETWEEN) == 0
    }

    fn compare(&mut self, from: Frame, frame: Frame) -> Result<(), SyncTestError> {
        self.simulation.capture(&mut self.again);
        match self.ring.get(frame) {
            Some(first) if first != self.again => Err(self.explain(from, frame)),
            _ => Ok(()),
        }
    }

    /// What is wrong with a frame that came out otherwise when it was played again from the state after
    /// `from`.
    #[cold]
    fn explain(&mut self, from: Frame, frame: Frame) -> SyncTestError {
        // A capture that is not to be trusted is the cause of all else.
        if let Err(error) = self.captures.check(&self.simulation, &self.layout, frame, &self.again) {
            return error;
        }
        let found = self.divergence(frame);
        if self.go_back(from).is_ok() {
            if let Err(error) = self.check_restored(from) {
                return error;
            }
            // Frames before it may have been the first to differ, and were not compared.
            for earlier in from.number() + 1..frame.number() {
                let earlier = Frame::new(earlier);
                self.step(earlier);
                self.simulation.capture(&mut self.again);
                if self.ring.get(earlier).is_some_and(|first| first != self.again) {
                    return SyncTestError::Diverged(self.divergence(earlier));
                }
            }
        }
        SyncTestError::Diverged(found)
    }

    fn divergence(&self, frame: Frame) -> Divergence {
        Divergence::between(&self.layout, self.seed, frame, self.ring.get(frame).unwrap_or_default(), &self.again)
    }

    fn row(&self, frame: Frame) -> core::ops::Range<usize> {
        let start = frame.slot(self.ring.frame_count()) * self.player_count;
        start..start + self.player_count
    }

    /// The hash of the state after the last frame that was played.
    pub fn state_hash(&mut self) -> StateHash {
        let (simulation, seed, current) = (&self.simulation, self.seed, self.current);
        // The present is always in the ring.
        self.ring.hash(current, |bytes| simulation.hash(seed, current, bytes)).unwrap_or(StateHash::from_bits(0))
    }

    /// The last frame that was played.
    pub fn current_frame(&self) -> Frame {
        self.current
    }

    /// The simulation after that frame.
    pub fn simulation(&self) -> &S {
        &self.simulation
    }

    /// How many players there are.
    pub fn players(&self) -> impl Iterator<Item = PlayerHandle> {
        (0..self.player_count as u8).map(PlayerHandle::new)
    }
}
