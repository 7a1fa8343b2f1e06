//! Golden replays: proof that a simulation still gives the same bits.

#[cfg(feature = "corpus")]
pub mod check;
pub mod coverage;
mod ending;
pub mod format;
#[cfg(feature = "harness")]
pub mod harness;
mod player;
mod recorder;
mod replay;
mod rerecord;
#[cfg(feature = "sign")]
pub mod sign;
mod straight;
mod verify;
#[cfg(feature = "world")]
pub mod world;

pub use format::ReplayFileError;
#[cfg(feature = "harness")]
pub use harness::check_replay;
pub use player::{GameChanged, Playback, PlayedFrame, ReplayPlayer, SeekError, Speed};
pub use recorder::{RecordError, RecordSettings, Recorder, record};
pub use replay::{FrameBlock, GoldenReplay, RawFrame};
pub use rerecord::{RerecordError, rerecord};
pub use straight::{ReplayError, StraightReplay};
pub use verify::{Change, Evidence, InputLine, PlayError, ReplayDivergence, Verdict, Verified, verify};
