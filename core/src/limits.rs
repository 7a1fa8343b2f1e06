//! The numbers that bound memory and work, in one place.

/// Most players in one session.
pub const MAX_PLAYERS: usize = 8;

/// Largest input of one player for one frame, in bytes.
pub const MAX_INPUT_BYTES: usize = 64;

/// Largest payload of a [`Command`](crate::Command), in bytes.
pub const MAX_COMMAND_BYTES: usize = 7;

/// Largest number of frames in one encoded run of inputs. A resend window never needs more
/// (two prediction windows and two input delays, each at most 30), and a file is a chain of runs.
pub const MAX_RUN_FRAMES: usize = 255;

/// The last frame that a session may ever reach: 580 years at 60 Hz. Far from where frame
/// arithmetic saturates.
pub const LAST_FRAME: i64 = 1 << 40;

/// Largest floor of the resend window, in frames. Peers do not tell each other their floors, so each
/// allows the other this one.
pub const MAX_RESEND_FLOOR_FRAMES: u32 = 60;

/// Largest local input delay, in frames.
pub const MAX_INPUT_DELAY_FRAMES: u8 = 30;
