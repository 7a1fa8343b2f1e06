//! What only the fighting world has: moves, mechanics, edge cases.

mod contacts;
mod edges;
mod mechanics;
mod summary;
mod surveyor;

pub use summary::{RoundLine, WorldSummary};
pub use surveyor::WorldSurveyor;
