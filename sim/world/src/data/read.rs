//! [`Node`]: one table of the text, read field by field, so that an error can name all three.

use super::DataError;
use snapback_core::Fx;
use toml::{Table, Value};

/// A table that is being read. Every field that nobody asks for is an error.
pub(super) struct Node<'a> {
    file: &'a str,
    place: String,
    /// Whose part it is, for the place of a part with a name.
    owner: String,
    table: &'a Table,
    asked: Vec<&'a str>,
}

impl<'a> Node<'a> {
    pub(super) fn new(file: &'a str, place: String, table: &'a Table) -> Self {
        Self { file, place, owner: String::new(), table, asked: Vec::new() }
    }

    /// Whether a field that may be left out is there.
    pub(super) fn has(&mut self, field: &'a str) -> bool {
        if !self.asked.contains(&field) {
            self.asked.push(field);
        }
        self.table.contains_key(field)
    }

    pub(super) fn error(&self, field: &str, problem: impl Into<String>, action: impl Into<String>) -> DataError {
        DataError { file: self.file.into(), place: self.place.clone(), field: field.into(), problem: problem.into(), action: action.into() }
    }

    /// Errors call it by its own name from here on.
    pub(super) fn rename(&mut self, kind: &str, name: &str) {
        let of = if self.owner.is_empty() { String::new() } else { format!(" of {}", self.owner) };
        self.place = format!("{kind} \"{name}\"{of}");
        self.owner = format!("\"{name}\"");
    }

    fn part(&self, place: String, table: &'a Table) -> Self {
        Self { owner: self.owner.clone(), ..Self::new(self.file, place, table) }
    }

    /// `wanted` says what belongs there, for the error.
    fn get(&mut self, field: &'a str, wanted: &str) -> Result<&'a Value, DataError> {
        if !self.asked.contains(&field) {
            self.asked.push(field);
        }
        self.table.get(field).ok_or_else(|| self.error(field, "is missing", format!("add it: {wanted}")))
    }

    pub(super) fn whole(&mut self, field: &'a str, min: i64, max: i64) -> Result<i64, DataError> {
        let wanted = format!("a whole number from {min} to {max}");
        match self.get(field, &wanted)? {
            Value::Integer(n) if (min..=max).contains(n) => Ok(*n),
            Value::Integer(n) => Err(self.error(field, format!("is {n}"), format!("give {wanted}"))),
            other => Err(self.error(field, format!("is {}", kind(other)), format!("give {wanted}"))),
        }
    }

    pub(super) fn decimal(&mut self, field: &'a str, min: i32, max: i32) -> Result<Fx, DataError> {
        let wanted = format!("a decimal in quotes from \"{min}\" to \"{max}\"");
        let value = match self.get(field, &wanted)? {
            Value::String(text) => text.parse::<Fx>().map_err(|_| self.error(field, format!("is \"{text}\""), format!("give {wanted}")))?,
            Value::Integer(n) => i32::try_from(*n).map(Fx::from_int).unwrap_or(Fx::MAX),
            Value::Float(n) => {
                return Err(self.error(field, format!("is the float {n}"), format!("write it in quotes, such as \"{n}\"")));
            }
            other => {
                return Err(self.error(field, format!("is {}", kind(other)), format!("give {wanted}")));
            }
        };
        if (Fx::from_int(min)..=Fx::from_int(max)).contains(&value) {
            Ok(value)
        } else {
            Err(self.error(field, format!("is {value}"), format!("give {wanted}")))
        }
    }

    pub(super) fn text(&mut self, field: &'a str) -> Result<&'a str, DataError> {
        match self.get(field, "a text in quotes")? {
            Value::String(text) if !text.is_empty() => Ok(text),
            Value::String(_) => Err(self.error(field, "is empty", "give a text in quotes")),
            other => Err(self.error(field, format!("is {}", kind(other)), "give a text in quotes")),
        }
    }

    pub(super) fn choice<T: Copy>(&mut self, field: &'a str, choices: &[(&str, T)]) -> Result<T, DataError> {
        let names: Vec<String> = choices.iter().map(|(name, _)| format!("\"{name}\"")).collect();
        let wanted = format!("one of {}", names.join(", "));
        self.get(field, &wanted)?;
        let text = self.text(field)?;
        let found = choices.iter().find(|(name, _)| *name == text);
        found.map(|(_, value)| *value).ok_or_else(|| self.error(field, format!("is \"{text}\""), format!("give {wanted}")))
    }

    pub(super) fn truth(&mut self, field: &'a str) -> Result<bool, DataError> {
        match self.get(field, "true or false")? {
            Value::Boolean(value) => Ok(*value),
            other => Err(self.error(field, format!("is {}", kind(other)), "give true or false")),
        }
    }

    /// A list of at most `max` texts.
    pub(super) fn texts(&mut self, field: &'a str, max: usize) -> Result<Vec<&'a str>, DataError> {
        let wanted = format!("a list of at most {max} texts in quotes");
        let Value::Array(list) = self.get(field, &wanted)? else {
            return Err(self.error(field, "is not a list", format!("give {wanted}")));
        };
        if list.len() > max {
            return Err(self.error(field, format!("has {} entries", list.len()), format!("give {wanted}")));
        }
        let text = |value: &'a Value| match value {
            Value::String(text) if !text.is_empty() => Ok(text.as_str()),
            other => Err(self.error(field, format!("has {} in it", kind(other)), format!("give {wanted}"))),
        };
        list.iter().map(text).collect()
    }

    pub(super) fn table(&mut self, field: &'a str) -> Result<Node<'a>, DataError> {
        match self.get(field, "a table")? {
            Value::Table(table) => Ok(self.part(format!("{field} of {}", self.place), table)),
            other => Err(self.error(field, format!("is {}", kind(other)), "make it a table")),
        }
    }

    /// The tables of a list that has from `min` to `max` of them. A list that may be empty may be
    /// left out.
    pub(super) fn tables(&mut self, field: &'a str, min: usize, max: usize) -> Result<Vec<Node<'a>>, DataError> {
        let wanted = format!("a list of {min} to {max} tables");
        if min == 0 && !self.has(field) {
            return Ok(Vec::new());
        }
        let Value::Array(list) = self.get(field, &wanted)? else {
            return Err(self.error(field, "is not a list", format!("give {wanted}")));
        };
        if !(min..=max).contains(&list.len()) {
            return Err(self.error(field, format!("has {} entries", list.len()), format!("give {wanted}")));
        }
        let mut nodes = Vec::new();
        for (number, value) in list.iter().enumerate() {
            let Value::Table(table) = value else {
                return Err(self.error(field, format!("has {} as entry {}", kind(value), number + 1), format!("give {wanted}")));
            };
            nodes.push(self.part(format!("{field} {} of {}", number + 1, self.place), table));
        }
        Ok(nodes)
    }

    /// To be called when everything was read.
    pub(super) fn finish(self) -> Result<(), DataError> {
        let Some(unknown) = self.table.keys().find(|key| !self.asked.contains(&key.as_str())) else {
            return Ok(());
        };
        let near = self.asked.iter().min_by_key(|known| distance(unknown, known)).filter(|known| distance(unknown, known) <= SLIP);
        let action = near.map_or_else(|| format!("use only {}", self.asked.join(", ")), |near| format!("write {near}"));
        Err(self.error(unknown, "is not known here", action))
    }
}

/// So many wrong letters are a slip.
const SLIP: usize = 2;

/// How many letters of `typed` are wrong, missing or too many to be `meant`.
fn distance(typed: &str, meant: &str) -> usize {
    let meant: Vec<char> = meant.chars().collect();
    // One row of the table of edit distances after another.
    let mut row: Vec<usize> = (0..=meant.len()).collect();
    for (number, letter) in typed.chars().enumerate() {
        let mut before = core::mem::replace(&mut row[0], number + 1);
        for (at, other) in meant.iter().enumerate() {
            let replaced = before + usize::from(letter != *other);
            before = row[at + 1];
            row[at + 1] = replaced.min(before + 1).min(row[at] + 1);
        }
    }
    row.last().copied().unwrap_or(0)
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "a text",
        Value::Integer(_) => "a whole number",
        Value::Float(_) => "a float",
        Value::Boolean(_) => "a truth value",
        Value::Datetime(_) => "a date",
        Value::Array(_) => "a list",
        Value::Table(_) => "a table",
    }
}
