//! [`DesyncReport`]: what two peers found out about where their states differ.

use super::evidence::{Evidence, PressedBytes};
use super::inquiry::InquiryError;
use super::message::Hashes;
use super::state::InquiryState;
use core::fmt;
use serde::Serialize;
use snapback_core::{Frame, PlayerSet, StateHash};

/// Fields that are named; how many more there are is told.
const MAX_FIELDS: usize = 256;

/// Frames before and after the one that differs whose inputs are told.
const INPUT_FRAMES: i64 = 8;

/// Fields that the page for people shows.
const SHOWN_FIELDS: usize = 16;

/// What the peer has told.
#[derive(Default)]
pub(super) struct Told {
    /// The frames that both had hashes of.
    pub(super) compared: Option<(Frame, Frame)>,
    /// The first frame that differs, our hash and theirs.
    pub(super) first: Option<(Frame, u32, u32)>,
    /// What it says are its hashes.
    pub(super) theirs: Option<Hashes>,
    /// The first frame up to which other inputs were pressed.
    pub(super) inputs_frame: Option<Frame>,
    /// The frame whose values are told.
    pub(super) state_frame: Option<Frame>,
    /// What it says is the hash of that.
    pub(super) their_hash: u32,
    /// The sections that differ.
    pub(super) sections: Vec<&'static str>,
    /// Its state of that frame, in canonical bytes.
    pub(super) their_state: Option<Vec<u8>>,
    /// Why it ended early.
    pub(super) error: Option<InquiryError>,
}

/// Where the states of two peers differ, as far as it was found out. Its JSON form is an interface: fields
/// are added, not changed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DesyncReport {
    /// The game.
    pub simulation: String,
    /// Its version.
    pub simulation_version: u32,
    /// The fingerprint of its state's layout, as eight hexadecimal digits.
    pub layout_fingerprint: String,
    /// The seed of the match.
    pub seed: u64,
    /// The players here.
    pub here: Vec<usize>,
    /// The players of the other peer.
    pub there: Vec<usize>,
    /// The last frame on which both are known to agree; the one before the first if there is none.
    pub verified_frame: i64,
    /// The frame that was compared when the desync was found.
    pub found_at_frame: i64,
    /// The first frame that differs; none if that is not known.
    pub frame: Option<i64>,
    /// Our hash of it.
    pub our_hash: Option<StateHash>,
    /// Theirs.
    pub their_hash: Option<StateHash>,
    /// The first frame by which the two peers know other inputs: then it is no wonder that the states differ.
    pub inputs_frame: Option<i64>,
    /// The frame whose fields are compared: [`frame`](Self::frame), or the first after it whose state both
    /// still have.
    pub state_frame: Option<i64>,
    /// The sections of the state that differ.
    pub sections: Vec<String>,
    /// The fields that differ, in the order of memory: the first 256.
    pub fields: Vec<FieldReport>,
    /// How many more there are.
    pub more_fields: u64,
    /// What was pressed around the first frame that differs, as far as it is remembered.
    pub inputs: Vec<InputsReport>,
    /// Whether everything was found out, and if not, what stands in the way.
    pub finding: String,
}

/// A field that differs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FieldReport {
    /// Such as `fighter[1].position[0]`.
    pub path: String,
    /// What it is here.
    pub ours: String,
    /// What the other peer says that it is there.
    pub theirs: String,
}

/// What was pressed in one frame.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct InputsReport {
    /// The frame.
    pub frame: i64,
    /// By player: the canonical bytes as hexadecimal digits, and the command if there is one.
    pub players: Vec<String>,
}

impl DesyncReport {
    pub(super) fn of(evidence: &Evidence, told: &Told, state: InquiryState) -> Self {
        let players = |set: PlayerSet| set.iter().map(|player| player.index()).collect();
        let (fields, more_fields, is_honest) = fields(evidence, told);
        let around = told.first.map_or(evidence.found_at, |(frame, _, _)| frame);
        let near = evidence.inputs.iter().filter(|(frame, _)| (*frame - around).abs() <= INPUT_FRAMES);
        Self {
            simulation: evidence.simulation.to_owned(),
            simulation_version: evidence.simulation_version,
            layout_fingerprint: format!("{:08x}", evidence.layout.fingerprint()),
            seed: evidence.seed,
            here: players(evidence.here),
            there: players(evidence.there),
            verified_frame: evidence.verified.number(),
            found_at_frame: evidence.found_at.number(),
            frame: told.first.map(|(frame, _, _)| frame.number()),
            our_hash: told.first.map(|(_, ours, _)| StateHash::from_bits(ours)),
            their_hash: told.first.map(|(_, _, theirs)| StateHash::from_bits(theirs)),
            inputs_frame: told.inputs_frame.map(Frame::number),
            state_frame: told.state_frame.map(Frame::number),
            sections: told.sections.iter().map(|name| (*name).to_owned()).collect(),
            fields,
            more_fields,
            inputs: near
                .map(|(frame, pressed)| InputsReport { frame: frame.number(), players: pressed.iter().map(shown).collect() })
                .collect(),
            finding: finding(told, state, is_honest),
        }
    }

    /// The first field that differs.
    #[must_use]
    pub fn first_field(&self) -> Option<&FieldReport> {
        self.fields.first()
    }
}

/// The fields that differ, how many more there are, and whether the values give the hash that was told.
fn fields(evidence: &Evidence, told: &Told) -> (Vec<FieldReport>, u64, bool) {
    let (Some(frame), Some(canonical)) = (told.state_frame, &told.their_state) else { return (Vec::new(), 0, true) };
    let Some(ours) = evidence.state(frame) else { return (Vec::new(), 0, true) };
    let layout = &evidence.layout;
    let mut theirs = vec![0; canonical.len()];
    if layout.decode(canonical, &mut theirs).is_err() {
        return (Vec::new(), 0, true);
    }
    let mut all = layout.differences(ours, &theirs);
    let more = all.len().saturating_sub(MAX_FIELDS);
    all.truncate(MAX_FIELDS);
    let field =
        |it: snapback_core::state::FieldDifference| FieldReport { path: it.path, ours: it.left.to_string(), theirs: it.right.to_string() };
    // A game may hash in a way of its own: then there is nothing to compare with.
    let ours_bits = evidence.records.get(usize::try_from(frame - evidence.first).unwrap_or(usize::MAX)).map(|record| record.state_hash);
    let is_usual = ours_bits == Some(layout.hash(evidence.seed, frame, ours));
    let is_honest = !is_usual || layout.hash(evidence.seed, frame, &theirs).bits() == told.their_hash;
    (all.into_iter().map(field).collect(), more as u64, is_honest)
}

fn finding(told: &Told, state: InquiryState, is_honest: bool) -> String {
    if let Some(error) = told.error {
        return format!("the inquiry ended early: {error}");
    }
    match (state, told.first, told.state_frame) {
        (InquiryState::Done, Some(_), Some(_)) if told.sections.is_empty() => {
            "every section has the same hash although the whole state has not: the game hashes more than its layout says, or the peer lies"
                .to_owned()
        }
        (InquiryState::Done, Some(_), Some(_)) if !is_honest => {
            "the values that the peer told do not give the hash that it told: it lies, or its memory is broken".to_owned()
        }
        (InquiryState::Done, Some((frame, _, _)), Some(shown)) if shown > frame => {
            format!("the state of frame {frame} is forgotten; the fields are those of frame {shown}, the first that both still have")
        }
        (InquiryState::Done, Some(_), Some(_)) => "complete".to_owned(),
        (InquiryState::Done, Some((frame, _, _)), None) => {
            format!(
                "no state from frame {frame} on is remembered by both peers: only the hashes are known; raise snapshot_history_frames or lower check_interval_frames"
            )
        }
        (InquiryState::Done, None, _) => match told.compared {
            Some((from, until)) => {
                format!("the peer now tells the same hashes as we have for frames {from} to {until}: it contradicts itself")
            }
            None => "there is no frame of which both peers still know the hash".to_owned(),
        },
        (state, _, _) => format!("the inquiry was not finished: {state}"),
    }
}

fn shown((bytes, command): &PressedBytes) -> String {
    let mut text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    if !command.is_none() {
        text.push_str(&format!(" ({command:?})"));
    }
    text
}

fn named(players: &[usize]) -> String {
    let all: Vec<String> = players.iter().map(ToString::to_string).collect();
    format!("{} {}", if players.len() == 1 { "player" } else { "players" }, all.join(" and "))
}

impl fmt::Display for DesyncReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.inputs_frame {
            Some(frame) => writeln!(f, "desync: the two peers know different inputs by frame {frame}")?,
            None => writeln!(f, "desync: the same inputs gave two states")?,
        }
        writeln!(f, "  peers        {} here, {} there", named(&self.here), named(&self.there))?;
        let Self { simulation, simulation_version, layout_fingerprint, seed, verified_frame, found_at_frame, .. } = self;
        writeln!(f, "  match        {simulation} version {simulation_version}, layout {layout_fingerprint}, seed {seed}")?;
        writeln!(f, "  verified     up to frame {verified_frame}; found by comparing frame {found_at_frame}")?;
        if let (Some(frame), Some(ours), Some(theirs)) = (self.frame, self.our_hash, self.their_hash) {
            writeln!(f, "  first frame  {frame}: hash {ours} here, {theirs} there")?;
        }
        if let Some(FieldReport { path, ours, theirs }) = self.first_field() {
            writeln!(f, "  first field  {path}: {ours} here, {theirs} there")?;
        }
        if !self.sections.is_empty() {
            writeln!(f, "  sections     {}", self.sections.join(", "))?;
        }
        writeln!(f, "  finding      {}", self.finding)?;
        if self.fields.len() > 1 {
            writeln!(f, "  fields that differ, here | there:")?;
            for FieldReport { path, ours, theirs } in self.fields.iter().take(SHOWN_FIELDS) {
                writeln!(f, "    {path}: {ours} | {theirs}")?;
            }
            let more = self.more_fields + self.fields.len().saturating_sub(SHOWN_FIELDS) as u64;
            if more > 0 {
                writeln!(f, "    and {more} more")?;
            }
        }
        if !self.inputs.is_empty() {
            writeln!(f, "  inputs by player, as they are in packets:")?;
        }
        for InputsReport { frame, players } in &self.inputs {
            let mark = if Some(*frame) == self.frame { " <" } else { "" };
            writeln!(f, "    frame {frame}: {}{mark}", players.join(" | "))?;
        }
        Ok(())
    }
}
