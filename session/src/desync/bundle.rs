//! [`bundle`]: a desync as files that a developer opens: the report, and the match as both peers have it.

use super::inquiry::DesyncInquiry;
use core::fmt;
use snapback_core::{Frame, PlayerInput, Simulation, StateHash};
use snapback_golden::{FrameBlock, GoldenReplay, RecordError, RecordSettings, Recorder, ReplayFileError};

/// The name of the recording as this peer has the match.
pub const OURS: &str = "ours.snbk";

/// The name of the recording as the other peer says that it has it.
pub const THEIRS: &str = "theirs.snbk";

/// A file of a bundle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BundleFile {
    /// Its name.
    pub name: &'static str,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// Why there are no recordings in a bundle. The report does not need them.
#[derive(Debug)]
pub enum BundleError {
    /// The recording is not of this match, or does not reach the frame that differs.
    NotOfThisMatch {
        /// What is wrong with it.
        reason: String,
    },
    /// The recording cannot be read.
    File(ReplayFileError),
    /// A frame cannot be recorded.
    Record(RecordError),
}

impl fmt::Display for BundleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotOfThisMatch { reason } => write!(f, "the recording is not of the frames in dispute: {reason}"),
            Self::File(error) => error.fmt(f),
            Self::Record(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BundleError {}

impl From<ReplayFileError> for BundleError {
    fn from(error: ReplayFileError) -> Self {
        Self::File(error)
    }
}

impl From<RecordError> for BundleError {
    fn from(error: RecordError) -> Self {
        Self::Record(error)
    }
}

/// The files of a bundle: `report.txt` and `report.json` always; and, if the inquiry came to the values and
/// there is a recording of the match from its first frame on, [`OURS`] and [`THEIRS`], which end with the
/// frame whose fields differ. `snapback golden bisect FOLDER` names that frame and those fields.
///
/// `recording` is what a [`Recorder`] has written of this peer's confirmed frames, and
/// [`GoldenReplay::recover`] read back: it needs no end and no trace. `simulation` is a fresh one, set up as
/// that of the match; it is reset.
///
/// Both recordings have the inputs that we know. The hashes and the state of the other one are what the peer
/// told.
///
/// # Errors
/// Beside the files: why the recordings are not among them.
pub fn bundle<S: Simulation>(
    inquiry: &DesyncInquiry,
    recording: Option<&GoldenReplay>,
    simulation: &mut S,
) -> (Vec<BundleFile>, Option<BundleError>) {
    let report = inquiry.report();
    // Texts and numbers always can be written.
    let json = serde_json::to_vec_pretty(&report).unwrap_or_default();
    let mut files =
        vec![BundleFile { name: "report.txt", bytes: report.to_string().into_bytes() }, BundleFile { name: "report.json", bytes: json }];
    let Some(recording) = recording else { return (files, None) };
    match recordings(inquiry, recording, simulation) {
        Ok(Some([ours, theirs])) => {
            files.push(BundleFile { name: OURS, bytes: ours });
            files.push(BundleFile { name: THEIRS, bytes: theirs });
            (files, None)
        }
        Ok(None) => (files, None),
        Err(error) => (files, Some(error)),
    }
}

/// One side of the match.
struct Side<'a> {
    state: &'a [u8],
    hash: &'a dyn Fn(Frame) -> Option<StateHash>,
    note: &'static str,
}

fn recordings<S: Simulation>(
    inquiry: &DesyncInquiry,
    recording: &GoldenReplay,
    simulation: &mut S,
) -> Result<Option<[Vec<u8>; 2]>, BundleError> {
    let (evidence, told) = inquiry.known();
    let (Some(last), Some(canonical), Some(hashes)) = (told.state_frame, &told.their_state, &told.theirs) else { return Ok(None) };
    let Some(ours) = evidence.state(last) else { return Ok(None) };
    let mut theirs = vec![0; ours.len()];
    if evidence.layout.decode(canonical, &mut theirs).is_err() {
        return Ok(None);
    }
    check(recording, inquiry, last)?;
    let their_hash = |frame: Frame| hashes.of(frame).map(|[hash, _]| StateHash::from_bits(hash));
    let sides = [
        Side { state: ours, hash: &|_| None, note: "a desync, as this peer has it" },
        Side { state: &theirs, hash: &their_hash, note: "a desync, as the other peer says that it has it" },
    ];
    let [ours, theirs] = sides.map(|side| record(recording, simulation, last, &side));
    Ok(Some([ours?, theirs?]))
}

/// Whether the recording is of this match and goes far enough.
fn check(recording: &GoldenReplay, inquiry: &DesyncInquiry, last: Frame) -> Result<(), BundleError> {
    let (evidence, _) = inquiry.known();
    let meta = recording.meta();
    let reason = if meta.seed != evidence.seed || meta.simulation != evidence.simulation {
        format!("it is of {} with seed {}", meta.simulation, meta.seed)
    } else if meta.layout_fingerprint != evidence.layout.fingerprint() {
        "its states have another layout".to_owned()
    } else if meta.first_frame() != evidence.first_frame {
        format!("it begins with frame {}, and the match with {}", meta.first_frame, evidence.first_frame)
    } else if recording.last_frame() < last {
        format!("it ends with frame {}, and frame {last} differs", recording.last_frame())
    } else {
        return Ok(());
    };
    Err(BundleError::NotOfThisMatch { reason })
}

fn record<S: Simulation>(recording: &GoldenReplay, simulation: &mut S, last: Frame, side: &Side<'_>) -> Result<Vec<u8>, BundleError> {
    let meta = recording.meta();
    let players = usize::from(meta.players);
    simulation.reset(meta.seed, players).map_err(|error| BundleError::NotOfThisMatch { reason: error.to_string() })?;
    let layout = simulation.layout();
    let mut provenance = meta.provenance.clone();
    provenance.note = side.note.to_owned();
    let settings = RecordSettings {
        seed: meta.seed,
        players,
        first_frame: meta.first_frame(),
        frame_hz: meta.frame_hz,
        trace: false,
        setup: meta.setup.clone(),
        provenance,
    };
    let mut recorder = Recorder::<S::Input, _>::new(Vec::new(), simulation, settings)?;
    let mut state = vec![0; layout.size_bytes()];
    let mut kept = recording.snapshot_frames().filter(|frame| *frame >= meta.first_frame()).peekable();
    let mut block = FrameBlock::<S::Input>::new();
    for number in 0..recording.block_count() {
        recording.read_block(number, &mut block)?;
        let frames: Vec<(&[PlayerInput<S::Input>], StateHash)> = block.frames().collect();
        for (inputs, hash) in frames {
            let frame = recorder.next_frame();
            if frame > last {
                break;
            }
            // The states that the recorder keeps now and then are those that were kept before.
            if kept.next_if_eq(&frame).is_some() && layout.decode(&recording.snapshot_before(frame)?.1, &mut state).is_err() {
                return Err(BundleError::NotOfThisMatch { reason: format!("its state of frame {frame} has another size") });
            }
            let shown = if frame == last { side.state } else { &state };
            recorder.record(frame, inputs, (side.hash)(frame).unwrap_or(hash), shown)?;
        }
    }
    recorder.keep_state()?;
    Ok(recorder.finish()?)
}
