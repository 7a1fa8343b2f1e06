//! Verifies a replay of the fighting world in a browser.
//!
//! [`report`] is what there is to it; [`exports`] is how a page calls it.

mod divergence;
pub mod exports;
mod meta;
mod report;

pub use divergence::{Field, Inputs, WhereItDiverged};
pub use meta::Meta;
pub use report::{Report, Status, report};
