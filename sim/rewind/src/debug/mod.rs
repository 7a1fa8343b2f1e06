//! What was asked and why it was answered so, as data to draw; a hitbox's past as text.
//!
//! Only the server has a history, so only the server can look: everything here is refused elsewhere.
//! Nothing here changes the history, is sent to anybody, or counts as a query.

mod dump;
mod verdict;
mod view;

pub use dump::DumpError;
pub use verdict::Verdict;
pub use view::{Body, Circle, DebugView, HitboxView, ProxyView, TimesUsed, Way};
