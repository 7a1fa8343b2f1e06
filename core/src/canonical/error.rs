//! [`InvalidPad`]: settings that make no sense.

use core::fmt;

/// A setting that is out of its range, or does not fit another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InvalidPad {
    /// Which.
    pub field: &'static str,
    /// What it is.
    pub value: i32,
    /// The least that it may be beside the others.
    pub low: i32,
    /// The most that it may be beside the others.
    pub high: i32,
}

impl InvalidPad {
    pub(super) fn check(field: &'static str, value: i16, low: i32, high: i32) -> Result<(), Self> {
        let value = i32::from(value);
        if (low..=high).contains(&value) { Ok(()) } else { Err(Self { field, value, low, high }) }
    }
}

impl fmt::Display for InvalidPad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { field, value, low, high } = self;
        if low > high {
            return write!(f, "{field} is {value} and nothing fits the other settings: make the range larger or the dead zone smaller");
        }
        write!(f, "{field} is {value}; with the other settings it must be {low} to {high}")
    }
}

impl std::error::Error for InvalidPad {}
