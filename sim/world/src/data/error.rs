//! [`DataError`]: what is wrong with frame data, and what to write instead.

use core::fmt;

/// Frame data that cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataError {
    /// The file, as the caller named it.
    pub file: String,
    /// Where in it: a table such as `move "light" of "duelist"`, or a line.
    pub place: String,
    /// The field, or nothing.
    pub field: String,
    /// What is wrong.
    pub problem: String,
    /// What to do.
    pub action: String,
}

impl DataError {
    pub(super) fn new(file: &str, place: &str, field: &str, problem: impl Into<String>, action: impl Into<String>) -> Self {
        Self { file: file.into(), place: place.into(), field: field.into(), problem: problem.into(), action: action.into() }
    }
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, place, field, problem, action } = self;
        let space = if field.is_empty() { "" } else { " " };
        write!(f, "{file}: {place}: {field}{space}{problem}; {action}")
    }
}

impl std::error::Error for DataError {}
