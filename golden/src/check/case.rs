//! [`Case`]: what came of one replay, as text and numbers only. Every report is made of these, and a
//! part of a sharded check is a file of them. The names of their fields are an interface: fields are
//! added, not changed.

use super::pending::PendingState;
use super::run::{Checked, Outcome};
use crate::format::{FieldChange, Provenance};
use crate::{Evidence, ReplayDivergence, ReplayFileError};
use serde::{Deserialize, Serialize};
use snapback_core::state::Value;
use std::collections::BTreeMap;

/// What became of a replay, in one word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CaseOutcome {
    /// Every hash is the recorded one.
    Same,
    /// The file cannot be read at all.
    Unreadable,
    /// The simulation at hand cannot play it.
    Unsupported,
    /// The file is not a whole replay.
    Corrupt,
    /// The simulation panicked.
    Panicked,
    /// The same inputs gave one state and then another one.
    Unstable,
    /// A frame is not what was recorded.
    Diverged,
}

impl CaseOutcome {
    /// As in a report.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Unreadable => "unreadable",
            Self::Unsupported => "unsupported",
            Self::Corrupt => "corrupt",
            Self::Panicked => "panicked",
            Self::Unstable => "unstable",
            Self::Diverged => "diverged",
        }
    }

    /// The exit code of a check whose worst outcome this is.
    #[must_use]
    pub const fn exit_code(self) -> u8 {
        match self {
            Self::Same => 0,
            Self::Panicked | Self::Unstable | Self::Diverged => 1,
            Self::Unsupported | Self::Corrupt => 3,
            Self::Unreadable => 4,
        }
    }
}

/// What came of one replay.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Case {
    /// Its name: the path below the folder that was checked, without the ending.
    pub name: String,
    /// The file.
    pub file: String,
    /// What became of it.
    pub outcome: CaseOutcome,
    /// The same in one line; empty if there is nothing to say.
    pub message: String,
    /// How many frames gave the recorded hash.
    pub frames: u64,
    /// How many frames the file has.
    pub frame_count: u64,
    /// CRC-32 over the hashes that were computed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub digest: Option<String>,
    /// What is different about the game since the recording.
    pub changes: Vec<String>,
    /// The build and the machine that recorded, if they are not those that checked.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub recorded_by: Option<String>,
    /// Where it diverged.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub divergence: Option<DivergenceCase>,
    /// The pending file, and what is about it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pending: Option<PendingCase>,
    /// The command that shows this case again.
    pub reproduce: String,
}

/// The first frame whose state is not the recorded one.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DivergenceCase {
    /// The frame.
    pub frame: i64,
    /// The recorded hash.
    pub expected_hash: String,
    /// The computed hash.
    pub actual_hash: String,
    /// What the fields rest on: `state`, `hash`, `later_snapshot` or `nothing`.
    pub evidence: String,
    /// The frame of the later snapshot.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub evidence_frame: Option<i64>,
    /// Every field that differs.
    pub fields: Vec<ChangeCase>,
    /// The inputs around the frame.
    pub inputs: Vec<InputCase>,
    /// Every field of the state before the frame.
    pub state_before: Vec<FieldCase>,
}

/// A field that differs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ChangeCase {
    /// The field.
    pub path: String,
    /// Its section.
    pub section: String,
    /// What it should hold; none if there was no such field.
    pub expected: Option<ValueCase>,
    /// What it holds; none if there is no such field any more.
    pub actual: Option<ValueCase>,
    /// What it held in the frame before.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub before: Option<ValueCase>,
}

/// A field and its value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FieldCase {
    /// The field.
    pub path: String,
    /// Its section.
    pub section: String,
    /// Its value.
    pub value: ValueCase,
}

/// A number, in both ways.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ValueCase {
    /// In decimal.
    pub decimal: String,
    /// Its bits.
    pub hex: String,
}

/// What everybody pressed in one frame.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct InputCase {
    /// The frame.
    pub frame: i64,
    /// By player.
    pub players: Vec<String>,
}

/// A pending file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PendingCase {
    /// The file.
    pub file: String,
    /// `written`, `failed` or `stale`.
    pub state: String,
    /// Why it failed; empty otherwise.
    pub reason: String,
}

impl core::fmt::Display for ValueCase {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} ({})", self.decimal, self.hex)
    }
}

impl ValueCase {
    fn of(value: Value) -> Self {
        let text = value.to_string();
        match text.split_once(" (") {
            Some((decimal, hex)) => Self { decimal: decimal.to_owned(), hex: hex.trim_end_matches(')').to_owned() },
            // The hash of a name is only shown as its bits.
            None => Self { decimal: value.number().to_string(), hex: text },
        }
    }
}

impl ChangeCase {
    pub(super) fn of(change: &FieldChange, before: &[(String, Value)]) -> Self {
        let before = before.iter().find(|(path, _)| *path == change.path).map(|(_, value)| ValueCase::of(*value));
        let FieldChange { path, section, expected, actual } = change.clone();
        Self { path, section, expected: expected.map(ValueCase::of), actual: actual.map(ValueCase::of), before }
    }
}

impl core::fmt::Display for ChangeCase {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match (&self.expected, &self.actual) {
            (Some(expected), Some(actual)) => write!(f, "{}: expected {expected}, got {actual}", self.path),
            (Some(expected), None) => write!(f, "{}: expected {expected}, and there is no such field any more", self.path),
            (None, Some(actual)) => write!(f, "{}: new, with {actual}", self.path),
            (None, None) => write!(f, "{}: unknown", self.path),
        }
    }
}

impl DivergenceCase {
    /// What a divergence says; `sections` has the section of each field.
    #[must_use]
    pub fn of(divergence: &ReplayDivergence, sections: &BTreeMap<String, String>) -> Self {
        let (evidence, evidence_frame) = match divergence.evidence {
            Evidence::State => ("state", None),
            Evidence::Hash => ("hash", None),
            Evidence::LaterSnapshot(frame) => ("later_snapshot", Some(frame.number())),
            Evidence::Nothing => ("nothing", None),
        };
        let field = |(path, value): &(String, Value)| FieldCase {
            path: path.clone(),
            section: sections.get(path).cloned().unwrap_or_default(),
            value: ValueCase::of(*value),
        };
        Self {
            frame: divergence.frame.number(),
            expected_hash: divergence.expected.to_string(),
            actual_hash: divergence.actual.to_string(),
            evidence: evidence.to_owned(),
            evidence_frame,
            fields: divergence.fields.iter().map(|change| ChangeCase::of(change, &divergence.state_before)).collect(),
            inputs: divergence.inputs.iter().map(|line| InputCase { frame: line.frame.number(), players: line.players.clone() }).collect(),
            state_before: divergence.state_before.iter().map(field).collect(),
        }
    }

    /// In one line.
    #[must_use]
    pub fn line(&self) -> String {
        let Self { frame, expected_hash, actual_hash, fields, .. } = self;
        match fields.as_slice() {
            [] => format!("frame {frame} is the first that differs: expected hash {expected_hash}, got {actual_hash}"),
            [first] => format!("frame {frame} is the first that differs: {first}"),
            [first, rest @ ..] => format!("frame {frame} is the first that differs: {first}; and {} more fields", rest.len()),
        }
    }
}

impl Case {
    /// What came of a replay. `reproduce` is the command that shows it again, with `{file}` in the
    /// place of the file.
    #[must_use]
    pub fn of(checked: &Checked, reproduce: &str) -> Self {
        let file = shown(&checked.replay.path);
        let mut divergence = None;
        let (outcome, message) = match &checked.outcome {
            Outcome::Same => (CaseOutcome::Same, String::new()),
            Outcome::Diverged { divergence: found, sections } => {
                let case = DivergenceCase::of(found, sections);
                let line = case.line();
                divergence = Some(case);
                (CaseOutcome::Diverged, line)
            }
            Outcome::Unstable { frame, first, second } => {
                let message = format!(
                    "frame {frame} gave hash {first} and then {second} with the same inputs: the step reads something that is \
                     neither state nor input"
                );
                (CaseOutcome::Unstable, message)
            }
            Outcome::Panicked(message) => (CaseOutcome::Panicked, format!("the simulation panicked: {}", one_line(message))),
            Outcome::Corrupt(error @ ReplayFileError::Truncated { frames: 1.., .. }) => {
                (CaseOutcome::Corrupt, format!("{error}; `snapback golden repair` keeps them"))
            }
            Outcome::Corrupt(error) => (CaseOutcome::Corrupt, error.to_string()),
            Outcome::Unsupported(error) => (CaseOutcome::Unsupported, error.to_string()),
            Outcome::Unreadable(error) => (CaseOutcome::Unreadable, format!("it cannot be read: {error}")),
        };
        let pending = checked.pending.as_ref().map(|pending| match pending {
            PendingState::Written(path) => PendingCase { file: shown(path), state: "written".to_owned(), reason: String::new() },
            PendingState::Failed { path, reason } => PendingCase { file: shown(path), state: "failed".to_owned(), reason: reason.clone() },
            PendingState::Stale(path) => PendingCase { file: shown(path), state: "stale".to_owned(), reason: String::new() },
        });
        Self {
            name: checked.replay.name.clone(),
            outcome,
            message,
            frames: checked.frames,
            frame_count: checked.frame_count,
            digest: checked.digest.map(|digest| format!("{digest:08x}")),
            changes: checked.changes.iter().map(ToString::to_string).collect(),
            recorded_by: checked.provenance.as_ref().and_then(elsewhere),
            divergence,
            pending,
            reproduce: reproduce.replace("{file}", &quoted(&file)),
            file,
        }
    }
}

/// Who recorded, if it was another build or machine than this.
fn elsewhere(provenance: &Provenance) -> Option<String> {
    let here = Provenance::here(provenance.source, "");
    let is_here = (&here.build, &here.platform) == (&provenance.build, &provenance.platform);
    (!is_here).then(|| format!("{} on {}", provenance.build, provenance.platform))
}

/// A path with `/`, on every machine.
fn shown(path: &std::path::Path) -> String {
    let text = path.strip_prefix(".").unwrap_or(path).display().to_string();
    if std::path::MAIN_SEPARATOR == '\\' { text.replace('\\', "/") } else { text }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// As a shell takes it for one word.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:,@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}
