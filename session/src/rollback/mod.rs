//! [`RollbackSession`]: predict, rewind, resimulate. Pure: no clock, no network.

mod effects;
mod error;
mod moving_stick;
mod overlay;
mod predictor;
mod queue;
mod recorded;
mod report;
mod session;
mod settings;
mod state;
mod stats;
mod sync_test;
mod used;

pub use effects::{EffectEvent, SAME_EFFECT_FRAMES};
pub use error::SessionError;
pub use moving_stick::{MovingStick, StickInput};
pub use predictor::{InputPast, InputPredictor, Neutral, RepeatLast};
pub use report::{FreezeReason, TickReport};
pub use session::{ConfirmedFrame, RollbackSession};
pub(crate) use settings::check_local;
pub use settings::{LocalInput, SessionSettings};
pub use state::{SESSION_STATES, SessionEvent, SessionState};
pub use stats::SessionStats;
pub use sync_test::{CAPTURE_CHECK_FRAMES, SyncTestError, SyncTestSession, SyncTestTrace, TraceDifference};
