//! [`diff`]: everything that differs between two replays. No simulation is needed.

use super::case::ChangeCase;
use crate::format::{ReplayFileError, Source};
use crate::{GoldenReplay, RawFrame};
use serde::Serialize;
use snapback_core::Frame;

/// What differs between two replays.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Diff {
    /// Whether nothing at all differs but who recorded.
    pub same: bool,
    /// What the meta blocks say.
    pub meta: Vec<Difference>,
    /// Who recorded and how it ended.
    pub provenance: Vec<Difference>,
    /// How many frames both have.
    pub common_frames: u64,
    /// The inputs of those frames.
    pub inputs: InputChanges,
    /// The state hashes of those frames.
    pub hashes: HashChanges,
    /// The fields at the first frame whose hash differs, if both recordings have its state.
    pub fields: Option<Vec<ChangeCase>>,
}

/// Something that is one thing here and another one there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Difference {
    /// What.
    pub what: &'static str,
    /// In the first replay.
    pub a: String,
    /// In the second one.
    pub b: String,
}

/// How the inputs of two replays differ.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct InputChanges {
    /// In how many frames.
    pub frames: u64,
    /// The first of them.
    pub first: Option<InputChange>,
}

/// A player who pressed something else.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct InputChange {
    /// When.
    pub frame: i64,
    /// Who.
    pub player: usize,
    /// What the first replay has.
    pub a: String,
    /// What the second one has.
    pub b: String,
}

/// How the state hashes of two replays differ.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct HashChanges {
    /// In how many frames.
    pub frames: u64,
    /// The first of them.
    pub first: Option<HashChange>,
    /// The last common frame, if it differs there.
    pub last: Option<HashChange>,
}

/// A frame with another hash.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct HashChange {
    /// The frame.
    pub frame: i64,
    /// The hash in the first replay.
    pub a: String,
    /// The hash in the second one.
    pub b: String,
}

/// Compares two replays.
///
/// # Errors
/// If one of them does not hold what it promised.
pub fn diff(a: &GoldenReplay, b: &GoldenReplay) -> Result<Diff, ReplayFileError> {
    let (meta, provenance) = (meta(a, b), provenance(a, b));
    let (inputs, hashes) = (input_changes(a, b)?, hash_changes(a, b));
    let fields = match &hashes.first {
        Some(first) => fields_at(a, b, Frame::new(first.frame))?,
        None => None,
    };
    let same = meta.is_empty() && inputs.frames == 0 && hashes.frames == 0;
    Ok(Diff { same, meta, provenance, common_frames: common(a, b).count() as u64, inputs, hashes, fields })
}

/// What differs in a frame, if both recordings have its state.
pub(super) fn fields_at(a: &GoldenReplay, b: &GoldenReplay, frame: Frame) -> Result<Option<Vec<ChangeCase>>, ReplayFileError> {
    let (Some(ours), Some(theirs)) = (a.state(frame)?, b.state(frame)?) else { return Ok(None) };
    let changes = a.fields().state.changes(&ours, &b.fields().state, &theirs);
    Ok(Some(changes.iter().map(|change| ChangeCase::of(change, &[])).collect()))
}

/// The frames that both replays have.
fn common(a: &GoldenReplay, b: &GoldenReplay) -> impl Iterator<Item = Frame> {
    let first = a.meta().first_frame().max(b.meta().first_frame());
    let last = a.last_frame().min(b.last_frame());
    (first.number()..=last.number()).map(Frame::new)
}

/// The first frame that has two hashes.
pub(super) fn first_hash_difference(a: &GoldenReplay, b: &GoldenReplay) -> Option<Frame> {
    common(a, b).find(|frame| a.hash(*frame) != b.hash(*frame))
}

fn hash_changes(a: &GoldenReplay, b: &GoldenReplay) -> HashChanges {
    let mut changes = HashChanges::default();
    let text = |replay: &GoldenReplay, frame| replay.hash(frame).map_or_else(String::new, |hash| hash.to_string());
    for frame in common(a, b) {
        changes.last = None;
        if a.hash(frame) != b.hash(frame) {
            let change = HashChange { frame: frame.number(), a: text(a, frame), b: text(b, frame) };
            changes.frames += 1;
            changes.first.get_or_insert_with(|| change.clone());
            changes.last = Some(change);
        }
    }
    changes
}

/// The raw frames of a replay from one on, a block at a time.
struct Frames<'a> {
    replay: &'a GoldenReplay,
    block: Option<usize>,
    ready: std::vec::IntoIter<RawFrame>,
}

impl<'a> Frames<'a> {
    fn from(replay: &'a GoldenReplay, first: Frame) -> Result<Self, ReplayFileError> {
        let mut frames = Self { replay, block: replay.block_of(first), ready: Vec::new().into_iter() };
        let skipped = frames.block.and_then(|block| replay.block_start(block)).map_or(0, |start| first - start);
        for _ in 0..skipped {
            frames.next()?;
        }
        Ok(frames)
    }

    fn next(&mut self) -> Result<Option<RawFrame>, ReplayFileError> {
        if let Some(frame) = self.ready.next() {
            return Ok(Some(frame));
        }
        let Some(block) = self.block else { return Ok(None) };
        self.block = Some(block + 1);
        self.ready = self.replay.raw_block(block)?.into_iter();
        Ok(self.ready.next())
    }
}

/// How the inputs of the common frames differ.
pub(super) fn input_changes(a: &GoldenReplay, b: &GoldenReplay) -> Result<InputChanges, ReplayFileError> {
    let mut changes = InputChanges::default();
    let Some(first) = common(a, b).next() else { return Ok(changes) };
    let (mut ours, mut theirs) = (Frames::from(a, first)?, Frames::from(b, first)?);
    while let (Some(ours), Some(theirs)) = (ours.next()?, theirs.next()?) {
        let pressed = |frame: &RawFrame, player: usize| Some((frame.inputs.get(player)?.clone(), *frame.commands.get(player)?));
        let players = ours.inputs.len().max(theirs.inputs.len());
        let Some(player) = (0..players).find(|player| pressed(&ours, *player) != pressed(&theirs, *player)) else { continue };
        changes.frames += 1;
        changes.first.get_or_insert_with(|| InputChange {
            frame: ours.frame.number(),
            player,
            a: input_text(a, &ours, player),
            b: input_text(b, &theirs, player),
        });
    }
    Ok(changes)
}

/// What a player pressed, in decimal and hexadecimal.
fn input_text(replay: &GoldenReplay, frame: &RawFrame, player: usize) -> String {
    let (Some(input), Some(command)) = (frame.inputs.get(player), frame.commands.get(player)) else { return "no such player".to_owned() };
    let values = replay.fields().input.values(input);
    let mut text = values.iter().map(|(_, value)| value.to_string()).collect::<Vec<_>>().join(" ");
    if !command.is_none() {
        text.push_str(&format!(" {command:?}"));
    }
    text
}

pub(super) fn meta(a: &GoldenReplay, b: &GoldenReplay) -> Vec<Difference> {
    let (ours, theirs) = (a.meta(), b.meta());
    let hex = |number: u32| format!("{number:08x}");
    let rows = [
        ("simulation", ours.simulation.clone(), theirs.simulation.clone()),
        ("simulation version", ours.simulation_version.to_string(), theirs.simulation_version.to_string()),
        ("config hash", hex(ours.config_hash), hex(theirs.config_hash)),
        ("layout fingerprint", hex(ours.layout_fingerprint), hex(theirs.layout_fingerprint)),
        ("seed", ours.seed.to_string(), theirs.seed.to_string()),
        ("players", ours.players.to_string(), theirs.players.to_string()),
        ("first frame", ours.first_frame.to_string(), theirs.first_frame.to_string()),
        ("frames", a.frame_count().to_string(), b.frame_count().to_string()),
        ("frames a second", ours.frame_hz.to_string(), theirs.frame_hz.to_string()),
        ("bytes of an input", ours.input_bytes.to_string(), theirs.input_bytes.to_string()),
        ("bytes of a state", ours.state_bytes.to_string(), theirs.state_bytes.to_string()),
        ("trace", yes_no(ours.has_trace), yes_no(theirs.has_trace)),
        ("setup", ours.setup.clone(), theirs.setup.clone()),
    ];
    differing(rows)
}

fn provenance(a: &GoldenReplay, b: &GoldenReplay) -> Vec<Difference> {
    let (ours, theirs) = (&a.meta().provenance, &b.meta().provenance);
    let source = |source: Source| match source {
        Source::Live => "live".to_owned(),
        Source::Generated => "generated".to_owned(),
    };
    let summary = |replay: &GoldenReplay| match replay.summary() {
        Some(summary) => format!("{}, the deepest of {} frames", summary.rollbacks, summary.max_rollback_frames),
        None => "unknown: it was cut off".to_owned(),
    };
    let rows = [
        ("source", source(ours.source), source(theirs.source)),
        ("build", ours.build.clone(), theirs.build.clone()),
        ("platform", ours.platform.clone(), theirs.platform.clone()),
        ("note", ours.note.clone(), theirs.note.clone()),
        ("rollbacks", summary(a), summary(b)),
        ("acceptances", a.acceptances().len().to_string(), b.acceptances().len().to_string()),
        ("signed", yes_no(a.is_signed()), yes_no(b.is_signed())),
    ];
    differing(rows)
}

fn yes_no(yes: bool) -> String {
    if yes { "yes".to_owned() } else { "no".to_owned() }
}

fn differing<const N: usize>(rows: [(&'static str, String, String); N]) -> Vec<Difference> {
    rows.into_iter().filter(|(_, a, b)| a != b).map(|(what, a, b)| Difference { what, a, b }).collect()
}
