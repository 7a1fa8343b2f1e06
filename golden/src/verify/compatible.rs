//! Whether a simulation can play a replay, and what is different if it can.

use crate::{GoldenReplay, ReplayFileError};
use core::fmt;
use snapback_core::{ResetError, Simulation};

/// Why a replay cannot be played at all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayError {
    /// The replay is of another game.
    OtherSimulation {
        /// The game of the replay.
        recorded: String,
        /// The game at hand.
        given: String,
    },
    /// Inputs are of another size than then.
    OtherInput {
        /// Their size in the replay, in bytes.
        recorded: usize,
        /// Their size now.
        given: usize,
    },
    /// The game cannot be set up as the replay says.
    Setup {
        /// Why not.
        reason: String,
    },
    /// The game does not start.
    Reset(ResetError),
    /// The file does not hold what it promised.
    File(ReplayFileError),
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherSimulation { recorded, given } => {
                write!(f, "the replay is of \"{recorded}\", and this is \"{given}\"; verify it with the game that it is of")
            }
            Self::OtherInput { recorded, given } => {
                write!(f, "inputs had {recorded} bytes when this was recorded and have {given} now; record the replay anew")
            }
            Self::Setup { reason } => write!(f, "the match of the replay cannot be set up: {reason}"),
            Self::Reset(error) => error.fmt(f),
            Self::File(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PlayError {}

impl From<ReplayFileError> for PlayError {
    fn from(error: ReplayFileError) -> Self {
        Self::File(error)
    }
}

/// What is different about a game since a replay was recorded. None of it is a divergence in
/// itself: the states decide.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// Its version.
    Version {
        /// Then.
        recorded: u32,
        /// Now.
        now: u32,
    },
    /// The hash over its data.
    Config {
        /// Then.
        recorded: u32,
        /// Now.
        now: u32,
    },
    /// The layout of its state.
    Layout {
        /// The fingerprint then.
        recorded: u32,
        /// The fingerprint now.
        now: u32,
    },
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version { recorded, now } => write!(f, "the simulation's version was {recorded} and is {now}"),
            Self::Config { recorded, now } => write!(f, "the config hash was {recorded:08x} and is {now:08x}: the game's data changed"),
            Self::Layout { recorded, now } => write!(f, "the layout's fingerprint was {recorded:08x} and is {now:08x}: fields changed"),
        }
    }
}

/// Starts `simulation` for the match of `replay`, and says what is different about it.
pub(crate) fn start<S: Simulation>(replay: &GoldenReplay, simulation: &mut S) -> Result<Vec<Change>, PlayError> {
    let (meta, id) = (replay.meta(), simulation.id());
    if meta.simulation != id.name {
        return Err(PlayError::OtherSimulation { recorded: meta.simulation.clone(), given: id.name.to_owned() });
    }
    let (recorded, given) = (usize::from(meta.input_bytes), size_of::<S::Input>());
    if recorded != given {
        return Err(PlayError::OtherInput { recorded, given });
    }
    simulation.reset(meta.seed, meta.players.into()).map_err(PlayError::Reset)?;
    let mut changes = Vec::new();
    if meta.simulation_version != id.version {
        changes.push(Change::Version { recorded: meta.simulation_version, now: id.version });
    }
    let now = simulation.config_hash();
    if meta.config_hash != now {
        changes.push(Change::Config { recorded: meta.config_hash, now });
    }
    let now = simulation.layout().fingerprint();
    if meta.layout_fingerprint != now {
        changes.push(Change::Layout { recorded: meta.layout_fingerprint, now });
    }
    Ok(changes)
}
