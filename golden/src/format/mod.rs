//! The `.snbk` file: everything that is needed to play a match again and to know what must come out.
//!
//! All numbers are little-endian. A file is `SNBK`, the format version (u16), two zero bytes, then
//! blocks. A block is a kind (u8), three zero bytes, the length of its payload (u32), a CRC-32
//! (u32) over the block's number from 0 (u32), kind, length and payload, then the payload.
//!
//! | kind | block | payload |
//! |---|---|---|
//! | 1 | meta | [`ReplayMeta`] by postcard |
//! | 2 | fields | [`FieldTables`] by postcard, packed: what the bytes of a state and of an input are called |
//! | 3 | frames | up to 60 consecutive frames, see below |
//! | 4 | snapshot | frame (i64), packed canonical state after it |
//! | 5 | acceptance | [`Acceptance`] by postcard: somebody has accepted a change |
//! | 6 | end | [`Summary`] by postcard |
//! | 7 | signature | ed25519 public key (32 bytes) and signature (64) of the file up to this block |
//!
//! Their order is meta, fields, the snapshot before the first frame, then frames and snapshots,
//! acceptances, end, and at most one signature. No block of frames stands 600 frames or more after
//! the newest snapshot. *Packed* is the length before packing (u32) and the bytes by deflate.
//!
//! A block of frames: count (u8), bit 0 says whether there is a trace (u8), length of the inputs
//! (u32), the inputs of one player after another by the [encoder of the wire](snapback_core::codec),
//! a state hash for every frame (u32), and the trace: for every byte of the state its change from
//! frame to frame (exclusive or), packed, all frames of the first byte first. Frames have no
//! numbers: they follow on each other from the first frame in the meta.
//!
//! Nothing in a file is believed. Reading holds at most 5 bytes for each byte of the file and 32 MiB,
//! and whatever is done with it then at most 64 MiB more, whatever the file promises; the work is
//! that of unpacking it once, and deflate makes at most 1,032 bytes of one.

pub(crate) mod acceptance;
pub(crate) mod block;
pub(crate) mod chunk;
mod error;
mod fields;
mod meta;
pub(crate) mod packed;
pub(crate) mod reading;
mod text;

pub use acceptance::{Acceptance, Summary};
pub use error::ReplayFileError;
pub use fields::{FieldChange, FieldEntry, FieldTable, FieldTables};
pub use meta::{Provenance, ReplayMeta, Source};

/// The version that is written.
pub const FORMAT_VERSION: u16 = 1;

/// What a file begins with.
pub(crate) const MAGIC: [u8; 4] = *b"SNBK";

/// The most bytes of state in one replay.
pub const MAX_STATE_BYTES: usize = 1 << 20;

/// The most frames in one block: a crash loses no more than these.
pub const MAX_CHUNK_FRAMES: usize = 60;

/// Frames between two snapshots; the first block of frames that comes to as many ends with one.
pub const SNAPSHOT_INTERVAL_FRAMES: usize = 600;

/// The most frames between two snapshots, and so the most steps of a seek.
pub const MAX_FRAMES_WITHOUT_SNAPSHOT: usize = SNAPSHOT_INTERVAL_FRAMES + MAX_CHUNK_FRAMES - 1;

/// The most bytes that a trace of one block unpacks to.
pub(crate) const MAX_TRACE_BYTES: usize = 4 << 20;

/// How many frames one block holds, for states of this size: fewer if the trace would be too large.
#[must_use]
pub(crate) const fn chunk_frames(state_bytes: usize) -> usize {
    let fit = MAX_TRACE_BYTES / if state_bytes == 0 { 1 } else { state_bytes };
    if fit < MAX_CHUNK_FRAMES { fit } else { MAX_CHUNK_FRAMES }
}
