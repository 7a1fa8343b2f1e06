//! [`SyncTestSession`]: rolls back on every frame, and names what does not come back the same.

use super::error::SessionError;
use super::settings::LocalInput;
use core::fmt;
use snapback_core::snapshot::check_budget;
use snapback_core::{
    Divergence, Effects, Frame, FrameInputs, InputStatus, PlayerHandle, PlayerInput, RollbackConfig, SideEffectPolicy, Simulation,
    SnapshotRing, StateHash, StateLayout,
};

/// A session without a network that plays every frame, goes back `distance_frames`, plays them
/// again and compares each state byte by byte with the first time.
///
/// What it finds is a state that [`capture`](Simulation::capture) leaves out, or a step that reads
/// something other than the state and the inputs. Run it while developing, before two players can
/// meet the fault.
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
    current: Frame,
    effects: Effects,
}

/// What a sync test found.
#[derive(Clone, PartialEq, Debug)]
pub enum SyncTestError {
    /// A frame played again gave another state.
    Diverged(Divergence),
    /// The session cannot run.
    Session(SessionError),
}

impl fmt::Display for SyncTestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Diverged(divergence) => {
                write!(f, "played again, {divergence}; the step reads something that capture leaves out, or that is not state")
            }
            Self::Session(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SyncTestError {}

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
            current: Frame::INITIAL,
            effects: Effects::with_capacity(0),
        })
    }

    /// Plays the next frame, then the last `distance_frames` once more. Players without an input
    /// are neutral. Returns the hash of the new state.
    ///
    /// # Errors
    /// Names the first frame and field that did not come back the same.
    pub fn tick(&mut self, inputs: &[LocalInput<S::Input>]) -> Result<StateHash, SyncTestError> {
        let frame = self.current.next();
        let mut row = self.row(frame);
        self.inputs[row.clone()].fill(PlayerInput::neutral(InputStatus::Confirmed));
        for LocalInput { player, input, command } in inputs {
            match self.inputs.get_mut(row.start + player.index()) {
                Some(place) if player.index() < self.player_count => {
                    *place = PlayerInput { input: *input, command: *command, status: InputStatus::Confirmed };
                }
                _ => return Err(SyncTestError::Session(SessionError::LocalInputs { player: *player })),
            }
        }
        self.effects.begin(frame, SideEffectPolicy::TelemetryOnly);
        self.simulation.step(frame, &FrameInputs::new(&self.inputs[row.clone()]), &mut self.effects);
        self.ring.save(frame, |out| self.simulation.capture(out));
        self.current = frame;

        let mut again = (frame - i64::from(self.distance_frames)).max(Frame::INITIAL);
        if let Some(snapshot) = self.ring.get(again) {
            let restored = self.simulation.restore(snapshot);
            restored.map_err(|error| SyncTestError::Session(SessionError::RestoreFailed { frame: again, error }))?;
        }
        self.compare(again)?;
        while again < frame {
            again = again.next();
            row = self.row(again);
            self.effects.begin(again, SideEffectPolicy::TelemetryOnly);
            self.simulation.step(again, &FrameInputs::new(&self.inputs[row.clone()]), &mut self.effects);
            self.compare(again)?;
        }
        Ok(self.simulation.hash(self.seed, frame, &self.again))
    }

    fn compare(&mut self, frame: Frame) -> Result<(), SyncTestError> {
        self.simulation.capture(&mut self.again);
        match self.ring.get(frame) {
            Some(first) if first != self.again => {
                Err(SyncTestError::Diverged(Divergence::between(&self.layout, self.seed, frame, first, &self.again)))
            }
            _ => Ok(()),
        }
    }

    fn row(&self, frame: Frame) -> core::ops::Range<usize> {
        let start = frame.slot(self.ring.frame_count()) * self.player_count;
        start..start + self.player_count
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
