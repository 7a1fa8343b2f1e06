//! [`RollbackSession`]: predict, rewind, resimulate. Pure: no clock, no network.

mod error;
mod predictor;
mod queue;
mod report;
mod session;
mod stats;
mod sync_test;

pub use error::SessionError;
pub use predictor::{InputPredictor, RepeatLast};
pub use report::{FreezeReason, TickReport};
pub use session::{ConfirmedFrame, LocalInput, RollbackSession, SessionSettings};
pub use stats::SessionStats;
pub use sync_test::{SyncTestError, SyncTestSession};
