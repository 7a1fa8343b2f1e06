//! Bounds on what the wire may say, in one place.

/// A frame further ahead of the newest authenticated one than this is refused, as a sequence is.
pub(crate) const FRAME_JUMP_FRAMES: i64 = 1_024;

/// A round trip at the barrier longer than this is not one: the echo is of something else.
pub(crate) const MAX_SYNC_ROUND_TRIP_US: u64 = 10_000_000;
