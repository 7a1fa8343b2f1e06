//! [`attest`]: a signed result, checked by playing the match again.

use super::evidence::{Evidence, EvidenceError, InputDigest};
use super::feed::{ResultError, ResultFeed};
use super::signed::{SignedResult, SignedResultError};
use super::source::ResultSource;
use core::fmt;
use snapback_core::{Effects, Frame, FrameInputs, ResetError, SideEffectPolicy, StateHash};
use snapback_golden::{FrameBlock, GoldenReplay, ReplayFileError};

/// What was found to be so.
#[derive(Clone, PartialEq, Debug)]
pub struct Attested<R> {
    /// Frames that were played again.
    pub frames: u64,
    /// Every result of the match, with its frame.
    pub results: Vec<super::MatchResult<R>>,
}

/// Why a signed result is not believed.
#[derive(Clone, PartialEq, Debug)]
pub enum AttestError {
    /// It is not signed by everybody.
    Signed(SignedResultError),
    /// The replay is damaged.
    Replay(ReplayFileError),
    /// The replay, or the simulation that should play it, is of another match than the statement.
    OtherMatch {
        /// In what they differ.
        field: &'static str,
        /// What the statement says.
        stated: String,
        /// What the replay or the simulation is.
        found: String,
    },
    /// Somebody pressed or commanded something else than was signed.
    OtherInputs {
        /// The digest in the statement.
        stated: InputDigest,
        /// The digest of the replay.
        found: InputDigest,
    },
    /// The simulation does not start.
    Reset(ResetError),
    /// The inputs give another state than was signed.
    OtherState {
        /// The last frame.
        frame: Frame,
        /// The hash in the statement.
        stated: StateHash,
        /// The hash that was computed.
        computed: StateHash,
    },
    /// The inputs give another result than was signed.
    OtherResult {
        /// The bytes in the statement.
        stated: Vec<u8>,
        /// The bytes that were computed.
        computed: Vec<u8>,
    },
    /// The frames of the replay are none of such a match.
    Evidence(EvidenceError),
    /// The simulation's results are not what they should be.
    Results(ResultError),
}

impl fmt::Display for AttestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        match self {
            Self::Signed(error) => error.fmt(f),
            Self::Replay(error) => error.fmt(f),
            Self::OtherMatch { field, stated, found } => {
                write!(f, "this is another match: the {field} is {stated} in the statement and {found} here")
            }
            Self::OtherInputs { stated, found } => {
                write!(f, "the inputs are not those that were signed: their digest is {found}, and should be {stated}")
            }
            Self::Reset(error) => error.fmt(f),
            Self::OtherState { frame, stated, computed } => {
                write!(
                    f,
                    "the inputs do not give what was signed: after frame {frame} the state has the hash {computed}, and should have {stated}"
                )
            }
            Self::OtherResult { stated, computed } => {
                write!(f, "the inputs do not give the result that was signed: it is {}, and should be {}", hex(computed), hex(stated))
            }
            Self::Evidence(error) => error.fmt(f),
            Self::Results(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for AttestError {}

impl From<ReplayFileError> for AttestError {
    fn from(error: ReplayFileError) -> Self {
        Self::Replay(error)
    }
}

/// Checks a signed result without having seen the match: every signature, that the inputs in `replay` are those
/// that were signed, and that `simulation` makes of them the state and the result that were signed. The
/// hashes and states that the replay has are not believed, nor looked at.
///
/// Whose identities they are is for the caller to say: see [`SignedResult::verify`].
///
/// # Errors
/// The first thing that is not so.
pub fn attest<S: ResultSource>(
    mut simulation: S,
    replay: &GoldenReplay,
    signed: &SignedResult,
) -> Result<Attested<S::Result>, AttestError> {
    signed.verify().map_err(AttestError::Signed)?;
    same_match(&simulation, replay, signed)?;
    let statement = &signed.statement;
    // Before a frame is played: a digest costs less than a match.
    let mut evidence = Evidence::new(replay.meta().players, replay.meta().input_bytes, statement.first_frame);
    for block in 0..replay.block_count() {
        for raw in replay.raw_block(block)? {
            evidence.take_raw(raw.frame, &raw.inputs, &raw.commands, raw.hash).map_err(AttestError::Evidence)?;
        }
    }
    if evidence.digest() != statement.input_digest {
        return Err(AttestError::OtherInputs { stated: statement.input_digest, found: evidence.digest() });
    }
    simulation.reset(statement.seed, statement.players.len()).map_err(AttestError::Reset)?;
    let mut snapshot = vec![0; simulation.layout().size_bytes()];
    let mut effects = Effects::with_capacity(0);
    let mut feed = ResultFeed::<S>::new(statement.first_frame);
    let mut results = Vec::new();
    let mut frames = FrameBlock::new();
    for block in 0..replay.block_count() {
        replay.read_block(block, &mut frames)?;
        for (inputs, _) in frames.frames() {
            let frame = feed.next_frame();
            effects.begin(frame, SideEffectPolicy::TelemetryOnly);
            simulation.step(frame, &FrameInputs::new(inputs), &mut effects);
            simulation.capture(&mut snapshot);
            results.extend(feed.look(frame, &snapshot).map_err(AttestError::Results)?);
        }
    }
    let computed = simulation.hash(statement.seed, statement.last_frame, &snapshot);
    if computed != statement.final_state {
        return Err(AttestError::OtherState { frame: statement.last_frame, stated: statement.final_state, computed });
    }
    let computed = feed.to_bytes();
    if computed != statement.result {
        return Err(AttestError::OtherResult { stated: statement.result.clone(), computed });
    }
    Ok(Attested { frames: replay.frame_count(), results })
}

fn same_match<S: ResultSource>(simulation: &S, replay: &GoldenReplay, signed: &SignedResult) -> Result<(), AttestError> {
    let (stated, meta, id) = (&signed.statement, replay.meta(), simulation.id());
    let hex = |number: u32| format!("{number:08x}");
    let rows = [
        ("simulation", stated.simulation.clone(), meta.simulation.clone()),
        ("simulation", stated.simulation.clone(), id.name.to_owned()),
        ("simulation's version", stated.simulation_version.to_string(), meta.simulation_version.to_string()),
        ("simulation's version", stated.simulation_version.to_string(), id.version.to_string()),
        ("config hash", hex(stated.config_hash), hex(meta.config_hash)),
        ("config hash", hex(stated.config_hash), hex(simulation.config_hash())),
        ("state layout", hex(stated.layout_fingerprint), hex(meta.layout_fingerprint)),
        ("seed", stated.seed.to_string(), meta.seed.to_string()),
        ("number of players", stated.players.len().to_string(), meta.players.to_string()),
        ("bytes of an input", stated.input_bytes.to_string(), meta.input_bytes.to_string()),
        ("bytes of an input", stated.input_bytes.to_string(), size_of::<S::Input>().to_string()),
        ("first frame", stated.first_frame.to_string(), meta.first_frame().to_string()),
        ("last frame", stated.last_frame.to_string(), replay.last_frame().to_string()),
    ];
    match rows.into_iter().find(|(_, stated, found)| stated != found) {
        Some((field, stated, found)) => Err(AttestError::OtherMatch { field, stated, found }),
        None => Ok(()),
    }
}
