//! [`Divergence`]: the first frame at which two runs of one match differ, and the field.

use crate::frame::Frame;
use crate::state::{FieldDifference, StateHash, StateLayout};
use core::fmt;

/// Two states that should have been one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Divergence {
    /// The first frame that differs.
    pub frame: Frame,
    /// What the frame should have given.
    pub expected: StateHash,
    /// What it gave.
    pub actual: StateHash,
    /// The first field that differs, expected value first. None if the states are not at hand, or
    /// differ in nothing that the layout describes.
    pub field: Option<FieldDifference>,
}

impl Divergence {
    /// The divergence between two snapshots of one frame.
    #[must_use]
    pub fn between(layout: &StateLayout, seed: u64, frame: Frame, expected: &[u8], actual: &[u8]) -> Self {
        Self {
            frame,
            expected: layout.hash(seed, frame, expected),
            actual: layout.hash(seed, frame, actual),
            field: layout.first_difference(expected, actual),
        }
    }
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { frame, expected, actual, field } = self;
        write!(f, "frame {frame} differs: hash {expected} against {actual}")?;
        match field {
            Some(field) => write!(f, "; first field {field}"),
            None => f.write_str("; the states are not at hand"),
        }
    }
}

impl std::error::Error for Divergence {}
