//! [`GgrsGame`]: fulfils the requests of a ggrs session with a [`Simulation`].

use super::block::{InputBlock, RepeatInput};
use core::fmt;
use core::hash::Hash;
use core::marker::PhantomData;
use ggrs::GgrsRequest;
use snapback_core::limits::MAX_INPUT_BYTES;
use snapback_core::{
    Effect, Effects, Frame, FrameInputs, InputStatus, InvalidState, PlayerInput, ResetError, SideEffectPolicy, Simulation, StateHash,
    StateLayout,
};

/// How many effects of one call are kept for the host.
const EFFECT_CAPACITY: usize = 256;

/// The types with which ggrs plays a simulation. `A` is how its sockets name a peer: by the seat, as
/// [`EncryptedSocket`](super::EncryptedSocket) does, or whatever another socket wants.
pub struct GgrsConfig<S, A = u8>(PhantomData<fn() -> (S, A)>);

impl<S, A> fmt::Debug for GgrsConfig<S, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GgrsConfig")
    }
}

impl<S, A> ggrs::Config for GgrsConfig<S, A>
where
    S: Simulation + 'static,
    A: Clone + PartialEq + Eq + Hash + fmt::Debug + 'static,
{
    type Input = InputBlock<S::Input>;
    type InputPredictor = RepeatInput;
    /// A snapshot.
    type State = Vec<u8>;
    type Address = A;
}

/// Plays a [`Simulation`] as a ggrs session asks: a `P2PSession`, a `SpectatorSession` or a
/// `SyncTestSession`, whose requests are all of the same kind.
///
/// The checksum that ggrs compares is the [`StateHash`] of Snapback, so that the same match can be
/// compared with one that Snapback plays. ggrs saves *before* a frame: what it calls the state of frame 5 is
/// the state after frame 4 here.
///
/// ```
/// # use snapback::*;
/// # use snapback::state::pod;
/// use ggrs::SessionBuilder;
/// use snapback::interop::{GgrsConfig, GgrsGame, InputBlock};
/// # struct Sum(u64);
/// # impl Simulation for Sum {
/// #     type Input = u8;
/// #     fn id(&self) -> SimulationId { SimulationId { name: "sum", version: 1 } }
/// #     fn layout(&self) -> StateLayout { StateLayout::of::<u64>() }
/// #     fn reset(&mut self, _: u64, _: usize) -> Result<(), ResetError> { self.0 = 0; Ok(()) }
/// #     fn step(&mut self, _: Frame, inputs: &FrameInputs<'_, u8>, _: &mut Effects) {
/// #         self.0 = self.0.wrapping_mul(31).wrapping_add(inputs.input(PlayerHandle::new(1)).into());
/// #     }
/// #     fn capture(&self, out: &mut [u8]) { pod::capture(&self.0, out) }
/// #     fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> { pod::restore(&mut self.0, snapshot) }
/// # }
/// let mut session = SessionBuilder::<GgrsConfig<Sum>>::new().with_check_distance(7).start_synctest_session()?;
/// let mut game = GgrsGame::new(Sum(0), 7, 2)?;
/// for frame in 0..100 {
///     for seat in 0..2 {
///         session.add_local_input(seat, InputBlock::new(frame))?;
///     }
///     let fulfilled = game.fulfil(session.advance_frame()?)?;
///     assert!(fulfilled.advanced);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct GgrsGame<S: Simulation> {
    simulation: S,
    seed: u64,
    layout: StateLayout,
    /// The frame that is played next.
    next: i32,
    /// The first frame that was never played.
    unplayed: i32,
    inputs: Vec<PlayerInput<S::Input>>,
    effects: Effects,
    saved: Vec<(Frame, StateHash)>,
}

/// What a call of [`GgrsGame::fulfil`] did.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Fulfilled {
    /// Whether a frame was played for the first time. If not, ggrs stands at its prediction threshold.
    pub advanced: bool,
    /// How many frames back ggrs went; 0 if it did not.
    pub rollback_frames: u32,
}

/// Why the requests of ggrs could not be fulfilled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GgrsGameError {
    /// The simulation does not start.
    Start(ResetError),
    /// The input type is empty or too large.
    InputSize {
        /// How large it is.
        input_bytes: usize,
    },
    /// ggrs asked for another frame than the one that is there: requests of an earlier call were left
    /// out.
    OutOfOrder {
        /// The frame, as ggrs counts.
        asked: i32,
        /// The frame that the game is at.
        at: i32,
    },
    /// ggrs wants a state that was not saved.
    NothingSaved {
        /// The frame, as ggrs counts.
        frame: i32,
    },
    /// The simulation refuses a state that it has captured.
    Restore {
        /// The frame, as ggrs counts.
        frame: i32,
        /// Why.
        error: InvalidState,
    },
}

impl fmt::Display for GgrsGameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(error) => error.fmt(f),
            Self::InputSize { input_bytes } => write!(f, "an input has {input_bytes} bytes; use 1 to {MAX_INPUT_BYTES}"),
            Self::OutOfOrder { asked, at } => {
                write!(f, "ggrs asks for frame {asked} and the game is at {at}: fulfil all requests of every call, in order")
            }
            Self::NothingSaved { frame } => write!(f, "ggrs wants frame {frame} back, which was not saved"),
            Self::Restore { frame, error } => write!(f, "the state of frame {frame} cannot be restored: {error}"),
        }
    }
}

impl std::error::Error for GgrsGameError {}

impl<S: Simulation + 'static> GgrsGame<S> {
    /// A match of `player_count` players from `seed`, before its first frame. Both are the same on every
    /// peer: ggrs exchanges neither.
    ///
    /// # Errors
    /// If the simulation does not start, or its inputs are empty or too large.
    pub fn new(mut simulation: S, seed: u64, player_count: usize) -> Result<Self, GgrsGameError> {
        let input_bytes = size_of::<S::Input>();
        if !(1..=MAX_INPUT_BYTES).contains(&input_bytes) {
            return Err(GgrsGameError::InputSize { input_bytes });
        }
        simulation.reset(seed, player_count).map_err(GgrsGameError::Start)?;
        Ok(Self {
            layout: simulation.layout(),
            simulation,
            seed,
            next: 0,
            unplayed: 0,
            inputs: Vec::with_capacity(player_count),
            effects: Effects::with_capacity(EFFECT_CAPACITY),
            saved: Vec::new(),
        })
    }

    /// Fulfils what `advance_frame` of a ggrs session returned: all of it, in order, after every call.
    ///
    /// # Errors
    /// If that is impossible; the match cannot go on.
    pub fn fulfil<A>(&mut self, requests: Vec<GgrsRequest<GgrsConfig<S, A>>>) -> Result<Fulfilled, GgrsGameError>
    where
        A: Clone + PartialEq + Eq + Hash + fmt::Debug + 'static,
    {
        self.effects.clear();
        self.saved.clear();
        let (before, mut rollback_frames) = (self.unplayed, 0);
        for request in requests {
            match request {
                GgrsRequest::SaveGameState { cell, frame } => self.save(&cell, frame)?,
                GgrsRequest::LoadGameState { cell, frame } => {
                    self.load(&cell, frame)?;
                    rollback_frames = rollback_frames.max(before.saturating_sub(frame).unsigned_abs());
                }
                GgrsRequest::AdvanceFrame { inputs } => self.advance(&inputs),
            }
        }
        Ok(Fulfilled { advanced: self.unplayed > before, rollback_frames })
    }

    fn save(&mut self, cell: &ggrs::GameStateCell<Vec<u8>>, frame: i32) -> Result<(), GgrsGameError> {
        if frame != self.next {
            return Err(GgrsGameError::OutOfOrder { asked: frame, at: self.next });
        }
        // The cell is used again and again: so is its memory.
        let mut snapshot = cell.data().map(|mut data| core::mem::take(data.as_mut_dangerous())).unwrap_or_default();
        snapshot.resize(self.layout.size_bytes(), 0);
        self.simulation.capture(&mut snapshot);
        let after = Frame::new(i64::from(frame) - 1);
        let hash = self.simulation.hash(self.seed, after, &snapshot);
        self.saved.push((after, hash));
        cell.save(frame, Some(snapshot), Some(hash.bits().into()));
        Ok(())
    }

    fn load(&mut self, cell: &ggrs::GameStateCell<Vec<u8>>, frame: i32) -> Result<(), GgrsGameError> {
        let snapshot = cell.data().ok_or(GgrsGameError::NothingSaved { frame })?;
        self.simulation.restore(&snapshot).map_err(|error| GgrsGameError::Restore { frame, error })?;
        self.next = frame;
        Ok(())
    }

    fn advance(&mut self, inputs: &[(InputBlock<S::Input>, ggrs::InputStatus)]) {
        self.inputs.clear();
        self.inputs.extend(inputs.iter().map(|(InputBlock { input, command }, status)| match status {
            ggrs::InputStatus::Confirmed => PlayerInput { input: *input, command: *command, status: InputStatus::Confirmed },
            ggrs::InputStatus::Predicted => PlayerInput { input: *input, command: *command, status: InputStatus::Predicted },
            ggrs::InputStatus::Disconnected => PlayerInput::neutral(InputStatus::Disconnected),
        }));
        let is_new = self.next >= self.unplayed;
        let policy = if is_new { SideEffectPolicy::Emit } else { SideEffectPolicy::SuppressCosmetics };
        let frame = Frame::new(self.next.into());
        self.effects.begin(frame, policy);
        self.simulation.step(frame, &FrameInputs::new(&self.inputs), &mut self.effects);
        self.next += 1;
        self.unplayed = self.unplayed.max(self.next);
    }

    /// The states that the last call of [`fulfil`](Self::fulfil) saved: after which frame, and its hash. A
    /// frame may come again, corrected. Frames up to `confirmed_frame()` of the session are final once its
    /// requests are fulfilled.
    #[must_use]
    pub fn saved(&self) -> &[(Frame, StateHash)] {
        &self.saved
    }

    /// The effects of the frames that the last call played for the first time. What a correction
    /// changes about them is not told: [`RollbackSession::effect_events`](crate::RollbackSession::effect_events)
    /// does that.
    #[must_use]
    pub fn effects(&self) -> &[Effect] {
        self.effects.kept()
    }

    /// The last frame that was played; the one before the first if there is none.
    #[must_use]
    pub fn frame(&self) -> Frame {
        Frame::new(i64::from(self.next) - 1)
    }

    /// The simulation after that frame.
    #[must_use]
    pub fn simulation(&self) -> &S {
        &self.simulation
    }

    /// The hash of the state after that frame.
    #[must_use]
    pub fn state_hash(&self) -> StateHash {
        let mut snapshot = vec![0; self.layout.size_bytes()];
        self.simulation.capture(&mut snapshot);
        self.simulation.hash(self.seed, self.frame(), &snapshot)
    }
}
