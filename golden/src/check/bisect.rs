//! [`bisect`]: the first frame where two recordings part, and whether inputs or states do.

use super::case::ChangeCase;
use super::diff::{Difference, InputChange, fields_at, first_hash_difference, input_changes, meta};
use crate::format::{FieldTable, ReplayMeta};
use crate::verify::Run;
use crate::{FrameBlock, GoldenReplay, PlayError};
use serde::Serialize;
use snapback_core::{Frame, Simulation};

/// Where two recordings part.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Parting {
    /// What makes them two matches: then it says nothing about a build that their states differ.
    pub other_match: Vec<Difference>,
    /// How many frames both have.
    pub common_frames: u64,
    /// What parts first.
    pub first: PartedBy,
    /// The first frame with other inputs.
    pub inputs: Option<InputChange>,
    /// The first frame with another state; the one before the first frame if already the start is
    /// another one.
    pub state_frame: Option<i64>,
    /// The fields that differ in that frame.
    pub fields: Vec<ChangeCase>,
    /// Where the fields are from, or what is missing to name them.
    pub evidence: String,
}

/// What parts first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PartedBy {
    /// Nothing, as far as both go.
    Nothing,
    /// Somebody pressed something else; a state differs then or later.
    Inputs,
    /// The same inputs gave another state: the two builds do not compute the same.
    State,
}

/// Finds where two recordings part. `make` gives a simulation to name the fields with if the
/// recordings have no states at that frame.
///
/// # Errors
/// If one of the recordings does not hold what it promised.
pub fn bisect<S: Simulation>(
    a: &GoldenReplay,
    b: &GoldenReplay,
    make: impl Fn(&ReplayMeta) -> Result<S, String>,
) -> Result<Parting, PlayError> {
    let inputs = input_changes(a, b)?.first;
    let common_frames = common_frames(a, b);
    let state = starts_differ(a, b)?.or_else(|| first_hash_difference(a, b));
    let first = match (&inputs, state) {
        (None, None) => PartedBy::Nothing,
        (Some(input), Some(state)) if state.number() < input.frame => PartedBy::State,
        (Some(_), _) => PartedBy::Inputs,
        (None, Some(_)) => PartedBy::State,
    };
    let (fields, evidence) = match state {
        Some(frame) => fields(a, b, frame, &make)?,
        None => (Vec::new(), String::new()),
    };
    Ok(Parting { other_match: other_match(a, b), common_frames, first, inputs, state_frame: state.map(Frame::number), fields, evidence })
}

fn common_frames(a: &GoldenReplay, b: &GoldenReplay) -> u64 {
    let first = a.meta().first_frame().max(b.meta().first_frame());
    u64::try_from(a.last_frame().min(b.last_frame()).next() - first).unwrap_or(0)
}

fn other_match(a: &GoldenReplay, b: &GoldenReplay) -> Vec<Difference> {
    let is_of_the_match = |difference: &Difference| match difference.what {
        "simulation" | "seed" | "players" | "first frame" => true,
        // No setup is the usual one of the game, which may be the one that the other writes out.
        "setup" => !difference.a.is_empty() && !difference.b.is_empty(),
        _ => false,
    };
    meta(a, b).into_iter().filter(is_of_the_match).collect()
}

/// The frame before the first, if the two do not start alike there.
fn starts_differ(a: &GoldenReplay, b: &GoldenReplay) -> Result<Option<Frame>, PlayError> {
    let before = a.meta().first_frame().previous();
    if a.meta().first_frame != b.meta().first_frame {
        return Ok(None);
    }
    Ok((a.snapshot_before(before)? != b.snapshot_before(before)?).then_some(before))
}

fn fields<S: Simulation>(
    a: &GoldenReplay,
    b: &GoldenReplay,
    frame: Frame,
    make: &impl Fn(&ReplayMeta) -> Result<S, String>,
) -> Result<(Vec<ChangeCase>, String), PlayError> {
    if let Some(fields) = fields_at(a, b, frame)? {
        return Ok((fields, "from the recorded states".to_owned()));
    }
    let mut states = Vec::new();
    for (name, replay) in [("the first", a), ("the second", b)] {
        if let Some(state) = replay.state(frame)? {
            states.push((replay.fields().state.clone(), state));
            continue;
        }
        match replayed(replay, frame, make) {
            Ok(state) => states.push(state),
            Err(reason) => {
                let text =
                    format!("{name} recording has no state of frame {frame}, and {reason}; record with a trace to have the fields named");
                return Ok((Vec::new(), text));
            }
        }
    }
    let [(table, state), (other_table, other)] = states.as_slice() else { return Ok((Vec::new(), String::new())) };
    let changes = table.changes(state, other_table, other);
    Ok((changes.iter().map(|change| ChangeCase::of(change, &[])).collect(), "from playing the inputs again with this build".to_owned()))
}

/// The state after `frame` as this build plays it, if that is what was recorded.
fn replayed<S: Simulation>(
    replay: &GoldenReplay,
    frame: Frame,
    make: &impl Fn(&ReplayMeta) -> Result<S, String>,
) -> Result<(FieldTable, Vec<u8>), String> {
    let text = |error: PlayError| format!("this build cannot play it: {error}");
    let mut make = |meta: &ReplayMeta| make(meta);
    let mut run = Run::new(replay, &mut make).map_err(text)?;
    let mut block = FrameBlock::new();
    for number in 0..replay.block_count() {
        replay.read_block(number, &mut block).map_err(|error| text(PlayError::File(error)))?;
        for (inputs, hash) in block.frames() {
            if run.frame >= frame {
                break;
            }
            if run.step(inputs) != hash {
                return Err(format!("this build comes to another state at frame {}", run.frame));
            }
        }
    }
    Ok((FieldTable::of(&run.simulation.layout()), run.canonical()))
}
