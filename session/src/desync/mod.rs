//! Desync.

pub(crate) mod comparison;
pub(crate) mod history;
