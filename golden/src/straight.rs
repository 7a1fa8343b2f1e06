//! [`StraightReplay`]: one step a frame, no prediction, no rewind.

use core::fmt;
use snapback_core::{
    Divergence, Effects, Frame, FrameInputs, PlayerInput, ResetError, SideEffectPolicy, Simulation, StateHash, StateLayout,
};

/// Steps a simulation once a frame with inputs that are known, and knows the hash of every frame.
///
/// ```
/// # use bytemuck::{Pod, Zeroable};
/// # use snapback_core::*;
/// # use snapback_core::state::pod;
/// # struct Race(u64);
/// # impl Simulation for Race {
/// #     type Input = u8;
/// #     fn id(&self) -> SimulationId { SimulationId { name: "race", version: 1 } }
/// #     fn layout(&self) -> StateLayout { StateLayout::of::<u64>() }
/// #     fn reset(&mut self, _: u64, _: usize) -> Result<(), ResetError> { self.0 = 0; Ok(()) }
/// #     fn step(&mut self, _: Frame, inputs: &FrameInputs<'_, u8>, _: &mut Effects) {
/// #         self.0 = self.0.wrapping_add(inputs.input(PlayerHandle::new(0)).into());
/// #     }
/// #     fn capture(&self, out: &mut [u8]) { pod::capture(&self.0, out) }
/// #     fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> { pod::restore(&mut self.0, snapshot) }
/// # }
/// use snapback_golden::StraightReplay;
///
/// let mut replay = StraightReplay::new(Race(0), 7, 1, Frame::ZERO).unwrap();
/// let pressed = PlayerInput { input: 1u8, command: Command::NONE, status: InputStatus::Confirmed };
/// let hash = replay.step(&[pressed]);
/// assert_eq!(replay.frame(), Frame::ZERO);
/// assert_eq!(replay.check(Frame::ZERO, hash, None), Ok(()));
/// ```
pub struct StraightReplay<S: Simulation> {
    simulation: S,
    layout: StateLayout,
    seed: u64,
    players: usize,
    frame: Frame,
    snapshot: Vec<u8>,
    effects: Effects,
}

/// Why a claim about a frame is not what the straight replay computed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplayError {
    /// The claim is about another frame than the one that the replay has reached.
    OutOfOrder {
        /// The frame of the claim.
        claimed: Frame,
        /// The frame that the replay has reached.
        reached: Frame,
    },
    /// The states differ.
    Diverged(Divergence),
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfOrder { claimed, reached } => {
                write!(f, "frame {claimed} was claimed while the replay is at frame {reached}; claim each frame right after its step")
            }
            Self::Diverged(divergence) => divergence.fmt(f),
        }
    }
}

impl std::error::Error for ReplayError {}

impl<S: Simulation> StraightReplay<S> {
    /// A replay of a match of `players` players whose first step is `first_frame`.
    ///
    /// # Errors
    /// If the simulation cannot be played by that many players.
    pub fn new(mut simulation: S, seed: u64, players: usize, first_frame: Frame) -> Result<Self, ResetError> {
        simulation.reset(seed, players)?;
        let layout = simulation.layout();
        let mut snapshot = vec![0; layout.size_bytes()];
        simulation.capture(&mut snapshot);
        Ok(Self { simulation, layout, seed, players, frame: first_frame.previous(), snapshot, effects: Effects::with_capacity(0) })
    }

    /// Steps the next frame and returns its hash. Seats that `inputs` lacks are neutral.
    pub fn step(&mut self, inputs: &[PlayerInput<S::Input>]) -> StateHash {
        self.frame = self.frame.next();
        self.effects.begin(self.frame, SideEffectPolicy::TelemetryOnly);
        let inputs = FrameInputs::new(inputs.get(..self.players).unwrap_or(inputs));
        self.simulation.step(self.frame, &inputs, &mut self.effects);
        self.simulation.capture(&mut self.snapshot);
        self.simulation.hash(self.seed, self.frame, &self.snapshot)
    }

    /// The last frame that was stepped.
    pub fn frame(&self) -> Frame {
        self.frame
    }

    /// The state after that frame.
    pub fn snapshot(&self) -> &[u8] {
        &self.snapshot
    }

    /// What the snapshot consists of.
    pub fn layout(&self) -> StateLayout {
        self.layout
    }

    /// Compares what somebody claims about the frame just stepped with what it really gives.
    ///
    /// # Errors
    /// Names the frame and, if the claimed state is given, the first field that differs.
    pub fn check(&self, frame: Frame, hash: StateHash, snapshot: Option<&[u8]>) -> Result<(), ReplayError> {
        if frame != self.frame {
            return Err(ReplayError::OutOfOrder { claimed: frame, reached: self.frame });
        }
        let expected = self.simulation.hash(self.seed, self.frame, &self.snapshot);
        if hash == expected && snapshot.is_none_or(|claimed| claimed == self.snapshot) {
            return Ok(());
        }
        let field = snapshot.and_then(|claimed| self.layout.first_difference(&self.snapshot, claimed));
        Err(ReplayError::Diverged(Divergence { frame, expected, actual: hash, field }))
    }
}
