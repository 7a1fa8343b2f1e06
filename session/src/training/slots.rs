//! [`SaveSlots`]: states that are kept, and their form as bytes.
//!
//! | bytes | field, little-endian |
//! |---|---|
//! | 4 | `V2TS` |
//! | 2 | version of this form: 1 |
//! | 1 | number of players |
//! | 1 | 0 |
//! | 4 | hash of the simulation's name |
//! | 4 | its version |
//! | 4 | fingerprint of the layout |
//! | 4 | hash of the configuration |
//! | 8 | seed |
//! | 8 | frame |
//! | n | the state, canonical |
//! | 4 | CRC-32 of all before |

use super::error::TrainingError;
use crate::rollback::RollbackSession;
use snapback_core::limits::LAST_FRAME;
use snapback_core::{Frame, NameHash, Simulation, crc32};

/// How many states can be saved.
pub const SAVE_SLOTS: usize = 8;

const MAGIC: [u8; 4] = *b"V2TS";
const VERSION: u16 = 1;

/// Bytes before the state.
const HEADER_BYTES: usize = 40;

/// A state that was saved.
#[derive(Clone, Copy)]
pub(super) struct SavedState<'a> {
    pub(super) frame: Frame,
    pub(super) snapshot: &'a [u8],
}

/// All slots, in memory that is allocated once.
pub(super) struct SaveSlots {
    frames: [Option<Frame>; SAVE_SLOTS],
    bytes: Vec<u8>,
    snapshot_bytes: usize,
}

impl SaveSlots {
    pub(super) fn new(snapshot_bytes: usize) -> Self {
        Self { frames: [None; SAVE_SLOTS], bytes: vec![0; SAVE_SLOTS * snapshot_bytes], snapshot_bytes }
    }

    fn place(&self, slot: usize) -> core::ops::Range<usize> {
        let start = slot.min(SAVE_SLOTS) * self.snapshot_bytes;
        start..start + self.snapshot_bytes
    }

    pub(super) fn save(&mut self, slot: usize, frame: Frame, snapshot: &[u8]) -> Result<(), TrainingError> {
        let place = self.place(slot);
        match (self.frames.get_mut(slot), self.bytes.get_mut(place)) {
            (Some(saved), Some(bytes)) if bytes.len() == snapshot.len() => {
                *saved = Some(frame);
                bytes.copy_from_slice(snapshot);
                Ok(())
            }
            _ => Err(TrainingError::NoSuchSlot { slot }),
        }
    }

    pub(super) fn get(&self, slot: usize) -> Result<SavedState<'_>, TrainingError> {
        let saved = self.frames.get(slot).ok_or(TrainingError::NoSuchSlot { slot })?;
        let frame = saved.ok_or(TrainingError::EmptySlot { slot })?;
        Ok(SavedState { frame, snapshot: self.bytes.get(self.place(slot)).unwrap_or_default() })
    }

    pub(super) fn export<S: Simulation>(&self, slot: usize, session: &RollbackSession<S>) -> Result<Vec<u8>, TrainingError> {
        let SavedState { frame, snapshot } = self.get(slot)?;
        let mut out = header(session);
        out.extend(frame.number().to_le_bytes());
        out.resize(HEADER_BYTES + snapshot.len(), 0);
        let encoded = session.layout().encode(snapshot, out.get_mut(HEADER_BYTES..).unwrap_or_default());
        encoded.map_err(TrainingError::InvalidState)?;
        let crc = crc32(0, &out);
        out.extend(crc.to_le_bytes());
        Ok(out)
    }

    pub(super) fn import<S: Simulation>(&mut self, slot: usize, bytes: &[u8], session: &RollbackSession<S>) -> Result<(), TrainingError> {
        let (body, crc) = bytes.split_last_chunk::<4>().ok_or(TrainingError::NotAState)?;
        if crc32(0, body) != u32::from_le_bytes(*crc) {
            return Err(TrainingError::NotAState);
        }
        let (theirs, canonical) = body.split_at_checked(HEADER_BYTES).ok_or(TrainingError::NotAState)?;
        let (theirs, frame) = theirs.split_last_chunk::<8>().ok_or(TrainingError::NotAState)?;
        if theirs.get(..6) != header(session).get(..6) {
            return Err(TrainingError::NotAState);
        }
        for (what, field) in FIELDS {
            if theirs.get(field.clone()) != header(session).get(field.clone()) {
                return Err(TrainingError::OtherMatch { what });
            }
        }
        let frame = i64::from_le_bytes(*frame);
        if !(Frame::INITIAL.number()..LAST_FRAME).contains(&frame) {
            return Err(TrainingError::NotAState);
        }
        let mut snapshot = vec![0; self.snapshot_bytes];
        session.layout().decode(canonical, &mut snapshot).map_err(TrainingError::InvalidState)?;
        session.simulation().validate(&snapshot).map_err(TrainingError::InvalidState)?;
        self.save(slot, Frame::new(frame), &snapshot)
    }
}

/// Where in the header stands what must be alike.
const FIELDS: [(&str, core::ops::Range<usize>); 6] = [
    ("number of players", 6..8),
    ("game", 8..12),
    ("version of the game", 12..16),
    ("layout of its state", 16..20),
    ("configuration", 20..24),
    ("seed", 24..32),
];

/// Everything before the frame.
fn header<S: Simulation>(session: &RollbackSession<S>) -> Vec<u8> {
    let (simulation, settings) = (session.simulation(), session.settings());
    let mut out = Vec::with_capacity(HEADER_BYTES);
    out.extend(MAGIC);
    out.extend(VERSION.to_le_bytes());
    out.extend([settings.player_count as u8, 0]);
    out.extend(NameHash::of(simulation.id().name).bits().to_le_bytes());
    out.extend(simulation.id().version.to_le_bytes());
    out.extend(session.layout().fingerprint().to_le_bytes());
    out.extend(simulation.config_hash().to_le_bytes());
    out.extend(settings.seed.to_le_bytes());
    out
}
