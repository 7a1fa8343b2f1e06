//! [`ReplayDivergence`]: the first frame that is not what was recorded, and what about it.

use super::{PlayError, Run, Verdict};
use crate::format::{FieldChange, FieldTable, ReplayMeta};
use crate::{FrameBlock, GoldenReplay};
use core::fmt;
use snapback_core::state::Value;
use snapback_core::{Command, Frame, Simulation, StateHash};

/// How many frames of inputs are shown before and after the divergence.
const INPUTS_AROUND_FRAMES: i64 = 5;

/// How many fields the text shows.
const SHOWN_FIELDS: usize = 12;

/// What a divergence says about fields rests on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Evidence {
    /// The recorded state of the very frame.
    State,
    /// The recording has no state of the frame, but there is one field, and only one, that could
    /// explain the two hashes alone: the rest of the state is as computed.
    Hash,
    /// The next recorded state is that of a later frame: these fields differ there.
    LaterSnapshot(Frame),
    /// There is no recorded state of the frame or after it.
    Nothing,
}

/// What everybody pressed in one frame.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputLine {
    /// The frame.
    pub frame: Frame,
    /// For each player the input and the command, as text.
    pub players: Vec<String>,
}

/// The first frame whose state is not the recorded one.
#[derive(Clone, PartialEq, Debug)]
pub struct ReplayDivergence {
    /// The frame. The one before the first frame means that the match already starts differently.
    pub frame: Frame,
    /// The recorded hash.
    pub expected: StateHash,
    /// The hash that was computed.
    pub actual: StateHash,
    /// What `fields` rests on.
    pub evidence: Evidence,
    /// Every field that differs, in the order of the state.
    pub fields: Vec<FieldChange>,
    /// The inputs around the frame.
    pub inputs: Vec<InputLine>,
    /// Every field of the state before the frame, which is as recorded.
    pub state_before: Vec<(String, Value)>,
}

/// Plays a second time, up to `frame`, which gave `first`.
pub(super) fn explain<S: Simulation>(
    replay: &GoldenReplay,
    make: &mut impl FnMut(&ReplayMeta) -> Result<S, String>,
    frame: Frame,
    first: StateHash,
) -> Result<Verdict, PlayError> {
    let mut run = Run::new(replay, make)?;
    let table = FieldTable::of(&run.simulation.layout());
    let mut state_before = Vec::new();
    step_to(replay, &mut run, frame, |run| state_before = table.values(&run.canonical()))?;
    let actual = run.hash();
    if actual != first {
        return Ok(Verdict::Unstable { frame, first, second: actual });
    }
    let expected = replay.hash(frame).or_else(|| start_hash(replay, &run.simulation, frame)).unwrap_or(actual);
    let (evidence, fields) = fields(replay, &table, &mut run, expected)?;
    let inputs = inputs_around(replay, frame)?;
    Ok(Verdict::Diverged(Box::new(ReplayDivergence { frame, expected, actual, evidence, fields, inputs, state_before })))
}

/// Steps up to `frame`, and shows the run before its last step.
fn step_to<S: Simulation>(
    replay: &GoldenReplay,
    run: &mut Run<S>,
    frame: Frame,
    mut before_last: impl FnMut(&Run<S>),
) -> Result<(), PlayError> {
    let Some(mut number) = replay.block_of(run.frame.next()) else { return Ok(()) };
    let mut block = FrameBlock::new();
    while run.frame < frame && replay.read_block(number, &mut block)? {
        let skipped = replay.block_start(number).map_or(0, |start| run.frame.next().number() - start.number());
        number += 1;
        for (inputs, _) in block.frames().skip(usize::try_from(skipped).unwrap_or(0)) {
            if run.frame >= frame {
                break;
            }
            if run.frame.next() == frame {
                before_last(run);
            }
            run.step(inputs);
        }
    }
    Ok(())
}

/// The hash that the recorded state before the first frame has. A game may hash in its own way; where
/// the layout is another one now, it is the standard hash of the bytes as they stand in the file.
fn start_hash<S: Simulation>(replay: &GoldenReplay, simulation: &S, frame: Frame) -> Option<StateHash> {
    let state = replay.state(frame).ok()??;
    let seed = replay.meta().seed;
    let mut memory = vec![0; state.len()];
    if simulation.layout().decode(&state, &mut memory).is_ok() {
        return Some(simulation.hash(seed, frame, &memory));
    }
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&seed.to_le_bytes());
    hasher.update(&frame.number().to_le_bytes());
    hasher.update(&state);
    Some(StateHash::from_bits(hasher.finalize()))
}

fn fields<S: Simulation>(
    replay: &GoldenReplay,
    table: &FieldTable,
    run: &mut Run<S>,
    expected: StateHash,
) -> Result<(Evidence, Vec<FieldChange>), PlayError> {
    let frame = run.frame;
    let recorded = &replay.fields().state;
    let actual = run.canonical();
    if let Some(state) = replay.state(frame)? {
        return Ok((Evidence::State, recorded.changes(&state, table, &actual)));
    }
    if let Some(change) = only_explanation(run, table, expected) {
        return Ok((Evidence::Hash, vec![change]));
    }
    let Some(later) = replay.snapshot_frames().find(|later| *later > frame) else {
        return Ok((Evidence::Nothing, Vec::new()));
    };
    step_to(replay, run, later, |_| {})?;
    let (_, state) = replay.snapshot_before(later)?;
    Ok((Evidence::LaterSnapshot(later), recorded.changes(&state, table, &run.canonical())))
}

/// The one field whose value alone turns the computed hash into the recorded one.
///
/// A CRC is linear: at each place of the state one change of up to 32 bits does it. It is believed
/// if it stays within one field, leaves it in its range and near what was computed, and if no other
/// field has one. (A number of 64 bits is only tried in its lower half.)
fn only_explanation<S: Simulation>(run: &Run<S>, table: &FieldTable, expected: StateHash) -> Option<FieldChange> {
    let layout = run.simulation.layout();
    let actual = run.canonical();
    let solved = solve(actual.len(), run.hash().bits() ^ expected.bits());
    let mut found = None;
    for (entry, place) in table.entries().iter().zip(layout.fields()) {
        let value = entry.value(&actual)?;
        let flips = *solved.get(place.offset_bytes)?;
        let size_bytes = place.scalar.size_bytes();
        if size_bytes < 4 && flips >> (8 * size_bytes) != 0 {
            continue;
        }
        let candidate = Value::from_bits(place.scalar, value.bits() ^ u64::from(flips));
        let is_in_range = place.range.is_none_or(|range| (range.min..=range.max).contains(&candidate.number()));
        if !is_in_range || candidate.number().abs_diff(value.number()) > NEAR {
            continue;
        }
        if found.is_some() {
            return None;
        }
        found = Some((entry, place.offset_bytes, flips, candidate, value));
    }
    let (entry, offset_bytes, flips, candidate, value) = found?;
    // A game may hash its state in its own way: then nothing of this holds.
    let mut explained = actual;
    explained.get_mut(offset_bytes..)?.iter_mut().zip(flips.to_le_bytes()).for_each(|(byte, flip)| *byte ^= flip);
    let mut memory = vec![0; explained.len()];
    layout.decode(&explained, &mut memory).ok()?;
    let holds = run.simulation.hash(run.seed, run.frame, &memory) == expected;
    let (path, section) = (entry.path.clone(), entry.section.clone());
    holds.then_some(FieldChange { path, section, expected: Some(candidate), actual: Some(value) })
}

/// How far apart two values may be to be taken for two values of one field.
const NEAR: u128 = 1 << 16;

/// For every place in `len_bytes` bytes, which bits flipped from there change a CRC-32 by
/// `difference`.
fn solve(len_bytes: usize, difference: u32) -> Vec<u32> {
    // Flipped bits at a place go through the shift register once for every byte from there to the
    // end: so backwards from the end, a byte at a time.
    let mut register = difference;
    let mut solved: Vec<u32> = (0..len_bytes)
        .map(|_| {
            register = unshift(register);
            register
        })
        .collect();
    solved.reverse();
    solved
}

/// The register that one zero byte turns into `register`.
fn unshift(register: u32) -> u32 {
    const POLYNOMIAL: u32 = 0xEDB8_8320;
    (0..8).fold(register, |register, _| if register >> 31 == 1 { (register ^ POLYNOMIAL) << 1 | 1 } else { register << 1 })
}

fn inputs_around(replay: &GoldenReplay, frame: Frame) -> Result<Vec<InputLine>, PlayError> {
    let table = &replay.fields().input;
    let mut lines = Vec::new();
    for number in frame.number().saturating_sub(INPUTS_AROUND_FRAMES)..=frame.number().saturating_add(INPUTS_AROUND_FRAMES) {
        let Some(raw) = replay.raw_frame(Frame::new(number))? else { continue };
        let text = |(input, command): (&Vec<u8>, &Command)| {
            let mut text = table.values(input).iter().map(|(_, value)| hex(*value)).collect::<Vec<_>>().join(" ");
            if !command.is_none() {
                text.push_str(&format!(" {command:?}"));
            }
            text
        };
        lines.push(InputLine { frame: raw.frame, players: raw.inputs.iter().zip(&raw.commands).map(text).collect() });
    }
    Ok(lines)
}

fn hex(value: Value) -> String {
    format!("{:0digits$x}", value.bits(), digits = 2 * value.scalar().size_bytes())
}

impl fmt::Display for FieldChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path)?;
        match (self.expected, self.actual) {
            (Some(expected), Some(actual)) => write!(f, "expected {expected}, got {actual}"),
            (Some(expected), None) => write!(f, "expected {expected}, and there is no such field any more"),
            (None, Some(actual)) => write!(f, "new, with {actual}"),
            (None, None) => f.write_str("unknown"),
        }
    }
}

impl fmt::Display for ReplayDivergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { frame, expected, actual, evidence, fields, .. } = self;
        writeln!(f, "frame {frame} is the first that differs: expected hash {expected}, got {actual}")?;
        match evidence {
            Evidence::State if fields.is_empty() => writeln!(
                f,
                "  (no field differs from the recorded state: the game hashes it in another way now, or the recording contradicts itself)"
            )?,
            Evidence::State => {}
            Evidence::Hash => writeln!(f, "  (from the hash: the one field that explains it)")?,
            Evidence::LaterSnapshot(later) if fields.is_empty() => writeln!(
                f,
                "  (no field differs in the next recorded state, that of frame {later}: record with a trace to have the field named)"
            )?,
            Evidence::LaterSnapshot(later) => writeln!(f, "  (from the state recorded at frame {later}, which is later)")?,
            Evidence::Nothing => writeln!(f, "  (no recorded state is at hand: record with a trace to have the field named)")?,
        }
        for change in fields.iter().take(SHOWN_FIELDS) {
            write!(f, "  {change}")?;
            match self.state_before.iter().find(|(path, _)| *path == change.path) {
                Some((_, before)) => writeln!(f, " (before: {before})")?,
                None => writeln!(f)?,
            }
        }
        if fields.len() > SHOWN_FIELDS {
            writeln!(f, "  and {} more fields", fields.len() - SHOWN_FIELDS)?;
        }
        if self.inputs.is_empty() {
            return Ok(());
        }
        writeln!(f, "inputs, by player:")?;
        for line in &self.inputs {
            let mark = if line.frame == *frame { ">" } else { " " };
            writeln!(f, "{mark} {:>8}  {}", line.frame.to_string(), line.players.join("  "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flipped_bits_are_found_from_two_checksums_alone() {
        let before: Vec<u8> = (0..61u8).map(|n| n.wrapping_mul(37)).collect();
        for at in 0..before.len() {
            let mut after = before.clone();
            let width = (before.len() - at).min(4);
            after.iter_mut().skip(at).take(width).for_each(|byte| *byte ^= 0x5A);
            let solved = solve(before.len(), crc32fast::hash(&before) ^ crc32fast::hash(&after));
            assert_eq!(solved.get(at).copied(), Some(0x5A5A_5A5A_u32 >> (8 * (4 - width))), "{at}");
        }
    }
}
