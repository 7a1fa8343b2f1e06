//! Golden replays: proof that a simulation still gives the same bits.

pub mod coverage;
pub mod format;
mod recorder;
mod replay;
mod straight;
mod verify;
#[cfg(feature = "world")]
pub mod world;

pub use format::ReplayFileError;
pub use recorder::{RecordError, RecordSettings, Recorder, record};
pub use replay::{FrameBlock, GoldenReplay, RawFrame};
pub use straight::{ReplayError, StraightReplay};
pub use verify::{Change, Evidence, InputLine, PlayError, ReplayDivergence, Verdict, Verified, verify};
