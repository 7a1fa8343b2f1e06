//! [`ScenarioError`]: what is wrong with a scenario, where, and what to write instead.

use core::fmt;

/// A scenario that cannot be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScenarioError {
    /// The file, as the caller named it.
    pub file: Box<str>,
    /// The line in it, from 1.
    pub line: usize,
    /// The table, such as `actor "bert"`.
    pub place: String,
    /// The key, or nothing.
    pub field: String,
    /// What is wrong.
    pub problem: String,
    /// What to do.
    pub action: String,
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, place, field, problem, action } = self;
        let space = if field.is_empty() { "" } else { " " };
        write!(f, "{file}:{line}: {place}: {field}{space}{problem}; {action}")
    }
}

impl std::error::Error for ScenarioError {}
