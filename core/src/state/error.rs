//! [`InvalidState`]: why bytes are not a state.

use super::value::{Decimal, Value};
use core::fmt;

/// Why bytes are not a state of this simulation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InvalidState {
    /// The number of bytes is not the layout's.
    WrongLength {
        /// The layout's, in bytes.
        expected: usize,
        /// What was handed over, in bytes.
        found: usize,
    },
    /// A field has a value that its range excludes.
    OutOfRange {
        /// Where, such as `fighter[1].health`.
        path: String,
        /// What it is.
        value: Value,
        /// The least that it may be.
        min: Value,
        /// The greatest that it may be.
        max: Value,
    },
    /// A simulation that checks its own bytes refused them.
    Custom {
        /// What is wrong, in one line.
        reason: String,
    },
}

impl fmt::Display for InvalidState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongLength { expected, found } => write!(
                f,
                "the state has {found} bytes and its layout {expected}: \
                 it is of another build or another number of players"
            ),
            Self::OutOfRange { path, value, min, max } => {
                let (min, max) = (Decimal(*min), Decimal(*max));
                write!(f, "{path} is {value}, and must be from {min} to {max}")
            }
            Self::Custom { reason } => write!(f, "the state is not valid: {reason}"),
        }
    }
}

impl std::error::Error for InvalidState {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Scalar;

    #[test]
    fn every_error_is_one_line() {
        let value = |bits| Value::from_bits(Scalar::U8, bits);
        insta::assert_snapshot!(
            InvalidState::WrongLength { expected: 16, found: 12 },
            @"the state has 12 bytes and its layout 16: it is of another build or another number of players"
        );
        insta::assert_snapshot!(
            InvalidState::OutOfRange {
                path: "fighter[1].jumps".to_owned(),
                value: value(7),
                min: value(0),
                max: value(3),
            },
            @"fighter[1].jumps is 7 (0x07), and must be from 0 to 3"
        );
        insta::assert_snapshot!(
            InvalidState::Custom { reason: "two balls".to_owned() },
            @"the state is not valid: two balls"
        );
    }
}
