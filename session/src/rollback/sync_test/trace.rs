//! [`SyncTestTrace`]: what a run gave, as text that a run in another process is compared with.

use super::error::SyncTestError;
use core::fmt;
use snapback_core::{Frame, SimulationId, StateHash, StateLayout};

/// What every frame of a run gave: its hash, and the fields that changed, by name. Two processes that play
/// the same inputs from the same seed give the same text; if not, the first line that differs names the
/// frame, and the first name in it the field.
///
/// A process finds what one run cannot: addresses of memory, environment variables, the locale, the order
/// of a hash map. A test starts its own program once more, with another environment, and has it print its
/// trace: `session/tests/session/sync_test_processes.rs` is one.
#[derive(Clone, Debug)]
pub struct SyncTestTrace {
    layout: StateLayout,
    before: Vec<u8>,
    text: String,
}

/// Where two traces part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceDifference {
    /// The first frame that differs; none if the runs are not of one match.
    pub frame: Option<Frame>,
    /// The first field that differs, such as `fighter[1].meter`; empty if there is none that the layout
    /// describes.
    pub field: String,
    /// What stands in the first trace: the field's value, or the whole line without a field.
    pub ours: String,
    /// What stands in the other.
    pub theirs: String,
}

impl fmt::Display for TraceDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { frame, field, ours, theirs } = self;
        match frame {
            Some(frame) => write!(f, "in another process frame {frame} differs")?,
            None => f.write_str("the other process plays another match")?,
        }
        if !field.is_empty() {
            write!(f, "; first field {field}")?;
        }
        write!(f, ": {ours} against {theirs}")
    }
}

/// Stands for a field that a frame left as it was.
const UNCHANGED: &str = "unchanged";

/// Stands for a line that is not there.
const ENDED: &str = "nothing: it ended";

impl SyncTestTrace {
    pub(super) fn new(layout: StateLayout, id: SimulationId, seed: u64, first: &[u8]) -> Self {
        let text = format!("sync test of {} version {} seed {seed}\n", id.name, id.version);
        Self { layout, before: first.to_vec(), text }
    }

    pub(super) fn note(&mut self, frame: Frame, hash: StateHash, snapshot: &[u8]) {
        let mut line = format!("frame {frame} hash {hash}");
        for change in self.layout.differences(&self.before, snapshot) {
            line.push_str(&format!("\t{}={}", change.path, change.right));
        }
        self.text.push_str(&line);
        self.text.push('\n');
        self.before.clear();
        self.before.extend_from_slice(snapshot);
    }

    /// The trace as text, one line a frame.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Compares with the text of another trace.
    ///
    /// # Errors
    /// Names the first frame and field that differ.
    pub fn compare(&self, other: &str) -> Result<(), SyncTestError> {
        let (mut ours, mut theirs) = (self.text.lines(), other.lines());
        for number in 0.. {
            match (ours.next(), theirs.next()) {
                (None, None) => break,
                (ours, theirs) if ours == theirs => {}
                (ours, theirs) => {
                    let frame = (number > 0).then(|| Frame::new(number - 1));
                    return Err(SyncTestError::OtherProcess(part(frame, ours.unwrap_or(ENDED), theirs.unwrap_or(ENDED))));
                }
            }
        }
        Ok(())
    }
}

/// Names the first field in which two lines differ.
fn part(frame: Option<Frame>, ours: &str, theirs: &str) -> TraceDifference {
    let fields = |line: &str| -> Vec<(String, String)> {
        line.split('\t')
            .skip(1)
            .filter_map(|field| field.split_once('='))
            .map(|(path, value)| (path.to_owned(), value.to_owned()))
            .collect()
    };
    let (our_fields, their_fields) = (fields(ours), fields(theirs));
    let value = |fields: &[(String, String)], path: &str| {
        fields.iter().find(|(other, _)| other == path).map_or(UNCHANGED.to_owned(), |(_, value)| value.clone())
    };
    // Fields come in the order of memory, so whichever stands alone is the earlier one.
    let mut pairs = our_fields.iter().zip(their_fields.iter().map(Some).chain(core::iter::repeat(None)));
    let first = pairs.find(|(ours, theirs)| Some(*ours) != *theirs);
    let path = match first {
        Some(((path, _), Some((other, _)))) if path == other || !their_fields.iter().any(|(their, _)| their == path) => Some(path),
        Some((_, Some((other, _)))) => Some(other),
        Some(((path, _), None)) => Some(path),
        None => their_fields.get(our_fields.len()).map(|(path, _)| path),
    };
    match path {
        Some(path) => TraceDifference { frame, field: path.clone(), ours: value(&our_fields, path), theirs: value(&their_fields, path) },
        None => TraceDifference { frame, field: String::new(), ours: ours.to_owned(), theirs: theirs.to_owned() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parted(ours: &str, theirs: &str) -> String {
        part(Some(Frame::new(3)), ours, theirs).to_string()
    }

    #[test]
    fn the_first_field_is_named_whoever_has_it() {
        let line = "frame 3 hash 0\ta=1\tb=2";
        assert_eq!(parted(line, "frame 3 hash 1\ta=1\tb=3"), "in another process frame 3 differs; first field b: 2 against 3");
        assert_eq!(parted(line, "frame 3 hash 1\tb=2"), "in another process frame 3 differs; first field a: 1 against unchanged");
        assert_eq!(parted("frame 3 hash 1\tb=2", line), "in another process frame 3 differs; first field a: unchanged against 1");
        assert_eq!(parted(line, "frame 3 hash 1\ta=1"), "in another process frame 3 differs; first field b: 2 against unchanged");
        assert_eq!(parted("frame 3 hash 1\ta=1", line), "in another process frame 3 differs; first field b: unchanged against 2");
        assert_eq!(parted(line, ENDED), "in another process frame 3 differs; first field a: 1 against unchanged");
        assert_eq!(parted("frame 3 hash 0", "frame 3 hash 1"), "in another process frame 3 differs: frame 3 hash 0 against frame 3 hash 1");
    }
}
