//! [`WhereItDiverged`]: the frame and the fields, for people.

use serde::Serialize;
use snapback_golden::format::FieldChange;
use snapback_golden::{Evidence, ReplayDivergence};

/// The most fields that are told; how many there are is told anyway.
const MAX_FIELDS: usize = 64;

/// The first frame that is not what was recorded.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WhereItDiverged {
    /// The frame.
    pub frame: i64,
    /// The recorded hash.
    pub expected: String,
    /// The computed hash.
    pub actual: String,
    /// What the fields rest on.
    pub evidence: String,
    /// The fields that differ.
    pub fields: Vec<Field>,
    /// How many there are.
    pub field_count: usize,
    /// The inputs around the frame.
    pub inputs: Vec<Inputs>,
}

/// One field that differs. A value is missing if that side has no such field.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Field {
    /// Its path.
    pub path: String,
    /// Its value one frame earlier.
    pub before: Option<String>,
    /// The recorded value.
    pub expected: Option<String>,
    /// The computed value.
    pub actual: Option<String>,
}

/// What everybody pressed in one frame.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Inputs {
    /// The frame.
    pub frame: i64,
    /// By player.
    pub players: Vec<String>,
}

impl WhereItDiverged {
    pub(crate) fn of(divergence: ReplayDivergence) -> Self {
        let evidence = match divergence.evidence {
            Evidence::State => "the state recorded after this frame".to_owned(),
            Evidence::Hash => "the two hashes: this is the one field that explains them".to_owned(),
            Evidence::LaterSnapshot(later) => format!("the state recorded after frame {later}, which is later"),
            Evidence::Nothing => "nothing: the replay was recorded without a trace, and has no later state".to_owned(),
        };
        let state_before = divergence.state_before;
        let before = |path: &str| Some(state_before.iter().find(|(at, _)| at == path)?.1.to_string());
        let field = |change: &FieldChange| Field {
            path: change.path.clone(),
            before: before(&change.path),
            expected: change.expected.map(|value| value.to_string()),
            actual: change.actual.map(|value| value.to_string()),
        };
        Self {
            frame: divergence.frame.number(),
            expected: divergence.expected.to_string(),
            actual: divergence.actual.to_string(),
            evidence,
            fields: divergence.fields.iter().take(MAX_FIELDS).map(field).collect(),
            field_count: divergence.fields.len(),
            inputs: divergence.inputs.into_iter().map(|line| Inputs { frame: line.frame.number(), players: line.players }).collect(),
        }
    }
}
