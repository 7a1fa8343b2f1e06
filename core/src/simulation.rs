//! [`Simulation`]: what a game gives to be rolled back.

use crate::effects::Effects;
use crate::frame::Frame;
use crate::input::{FrameInputs, SimInput};
use crate::state::{InvalidState, StateHash, StateLayout};
use core::fmt;

/// What a simulation is, so that peers and files of another game or version are refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SimulationId {
    /// The game's name, such as `"duel"`.
    pub name: &'static str,
    /// Raised whenever the same inputs would give another state.
    pub version: u32,
}

/// Why a simulation cannot start a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResetError {
    /// What was asked for and what is possible, in one line.
    pub reason: String,
}

impl fmt::Display for ResetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the simulation cannot start: {}", self.reason)
    }
}

impl std::error::Error for ResetError {}

/// A deterministic game: the same seed and the same inputs give the same bytes on every machine.
///
/// The duties of an implementation:
/// 1. [`step`](Self::step) reads nothing but the state and its arguments: no clock, no random
///    source, no iteration over a hash map, no float.
/// 2. [`capture`](Self::capture) writes *all* of the state, and [`restore`](Self::restore) brings
///    exactly it back.
/// 3. [`layout`](Self::layout) describes those bytes, so that a difference can be named.
///
/// A state that is one `Pod` block uses [`pod::capture`](crate::state::pod::capture) and
/// [`pod::restore`](crate::state::pod::restore); any other writes its own bytes under
/// [`StateLayout::opaque`]. The size of the state is a value and not a type parameter, so that it may
/// depend on the number of players or on a host written in another language.
///
/// ```
/// use bytemuck::{Pod, Zeroable};
/// use snapback_core::{Effects, Frame, FrameInputs, InvalidState, PlayerHandle, ResetError, SimState,
///     Simulation, SimulationId, StateLayout, state::pod};
///
/// #[derive(Clone, Copy, Pod, Zeroable, SimState)]
/// #[repr(C)]
/// struct Score { points: [i32; 2] }
///
/// struct Race(Score);
///
/// impl Simulation for Race {
///     type Input = u8;
///     fn id(&self) -> SimulationId { SimulationId { name: "race", version: 1 } }
///     fn layout(&self) -> StateLayout { StateLayout::of::<Score>() }
///     fn reset(&mut self, _seed: u64, _players: usize) -> Result<(), ResetError> {
///         self.0 = Score::zeroed();
///         Ok(())
///     }
///     fn step(&mut self, _: Frame, inputs: &FrameInputs<'_, u8>, _: &mut Effects) {
///         for seat in 0..2 {
///             let pressed = i32::from(inputs.input(PlayerHandle::new(seat)));
///             let points = &mut self.0.points[usize::from(seat)];
///             *points = points.wrapping_add(pressed);
///         }
///     }
///     fn capture(&self, out: &mut [u8]) { pod::capture(&self.0, out) }
///     fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> { pod::restore(&mut self.0, snapshot) }
/// }
/// ```
pub trait Simulation {
    /// What a player can press in one frame.
    type Input: SimInput;

    /// What this simulation is.
    fn id(&self) -> SimulationId;

    /// A hash over everything outside the state that decides what a step does, such as loaded
    /// frame data. Peers with different hashes refuse each other. The default is 0: nothing.
    fn config_hash(&self) -> u32 {
        0
    }

    /// What [`capture`](Self::capture) writes. Must not change between two calls of
    /// [`reset`](Self::reset).
    fn layout(&self) -> StateLayout;

    /// How many fighters the snapshot budget
    /// ([`snapshot_budget_bytes_per_fighter`](crate::RollbackConfig::snapshot_budget_bytes_per_fighter),
    /// 8,192 bytes unless set lower) is divided by; at least 1. The default is 1.
    fn fighter_count(&self) -> usize {
        1
    }

    /// Starts a match of `players` players from `seed`.
    ///
    /// # Errors
    /// If the simulation cannot be played by that many players.
    fn reset(&mut self, seed: u64, players: usize) -> Result<(), ResetError>;

    /// Advances the state by one frame.
    fn step(&mut self, frame: Frame, inputs: &FrameInputs<'_, Self::Input>, effects: &mut Effects);

    /// Writes the whole state into `out`, which is `layout().size_bytes()` long.
    fn capture(&self, out: &mut [u8]);

    /// Takes the whole state from `snapshot`, which [`capture`](Self::capture) wrote or
    /// [`validate`](Self::validate) has accepted: whoever has bytes from a file or a network
    /// validates first. On the path of every rewind, so it should be no more than a copy.
    ///
    /// # Errors
    /// If the bytes cannot be a state, such as for their length; the state is then unchanged.
    fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState>;

    /// The hash that peers compare: over seed, frame and the canonical bytes of a snapshot.
    fn hash(&self, seed: u64, frame: Frame, snapshot: &[u8]) -> StateHash {
        self.layout().hash(seed, frame, snapshot)
    }

    /// Whether a snapshot could have come from [`capture`](Self::capture): its length and the
    /// ranges that the layout gives.
    ///
    /// # Errors
    /// Names the first field that is out of range.
    fn validate(&self, snapshot: &[u8]) -> Result<(), InvalidState> {
        self.layout().validate(snapshot)
    }
}
