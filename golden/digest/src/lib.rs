//! Replays of the fighting world, played on this machine and summed up to one digest, which must be
//! the same on every machine; and [`control`]s, which must not.

pub mod control;
mod line;
mod list;

pub use line::{Line, Outcome};
pub use list::List;
