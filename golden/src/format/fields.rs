//! [`FieldTable`]: what the bytes of a state are called, so that a replay can be read without the
//! program that wrote it.

use super::text;
use core::fmt;
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use snapback_core::StateLayout;
use snapback_core::state::{Scalar, Value};
use std::borrow::Cow;

/// The most fields of one table.
const MAX_FIELDS: usize = 1 << 16;

/// Takes no more entries than a table may have: a few bytes of a file stand for very many.
fn bounded<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<FieldEntry>, D::Error> {
    struct Entries;
    impl<'de> Visitor<'de> for Entries {
        type Value = Vec<FieldEntry>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "at most {MAX_FIELDS} fields")
        }
        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
            let mut entries = Vec::new();
            while let Some(entry) = seq.next_element()? {
                if entries.len() == MAX_FIELDS {
                    return Err(A::Error::custom("too many fields"));
                }
                entries.push(entry);
            }
            Ok(entries)
        }
    }
    deserializer.deserialize_seq(Entries)
}

/// One scalar: its name and place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FieldEntry {
    /// Its path, such as `fighter[1].meter`.
    pub path: String,
    /// Its place in the canonical bytes.
    pub offset_bytes: u32,
    /// The [tag](Scalar::tag) of its scalar.
    pub scalar: u8,
    /// The section that it belongs to; empty for none.
    pub section: String,
}

impl FieldEntry {
    /// Its value in canonical bytes; `None` if they are too short.
    #[must_use]
    pub fn value(&self, canonical: &[u8]) -> Option<Value> {
        let scalar = Scalar::from_tag(self.scalar)?;
        let raw = canonical.get(self.offset_bytes as usize..)?.get(..scalar.size_bytes())?;
        let mut bits = [0; 8];
        bits.get_mut(..raw.len())?.copy_from_slice(raw);
        Some(Value::from_bits(scalar, u64::from_le_bytes(bits)))
    }
}

/// One field that differs between two states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldChange {
    /// The field.
    pub path: String,
    /// The section that it belongs to; empty for none.
    pub section: String,
    /// What the state should hold; `None` if it has no such field.
    pub expected: Option<Value>,
    /// What it holds; `None` if it has no such field.
    pub actual: Option<Value>,
}

/// The fields of a state or an input, in the order of its canonical bytes.
///
/// A table without entries stands for bytes that nobody has described.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct FieldTable {
    #[serde(deserialize_with = "bounded")]
    entries: Vec<FieldEntry>,
}

/// What the bytes of a state and of an input are called.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct FieldTables {
    /// The state.
    pub state: FieldTable,
    /// The input of one player.
    pub input: FieldTable,
}

impl FieldTables {
    pub(crate) fn check(&self, state_bytes: usize, input_bytes: usize) -> Result<(), String> {
        self.state.check(state_bytes)?;
        self.input.check(input_bytes)
    }
}

impl FieldTable {
    /// The fields of `layout`.
    #[must_use]
    pub fn of(layout: &StateLayout) -> Self {
        if *layout == StateLayout::opaque(layout.size_bytes()) {
            return Self::default();
        }
        let entry = |field: snapback_core::state::FieldPlace| FieldEntry {
            path: field.path,
            offset_bytes: u32::try_from(field.offset_bytes).unwrap_or(u32::MAX),
            scalar: field.scalar.tag(),
            section: field.section.unwrap_or_default().to_owned(),
        };
        Self { entries: layout.fields().into_iter().take(MAX_FIELDS).map(entry).collect() }
    }

    /// The fields.
    #[must_use]
    pub fn entries(&self) -> &[FieldEntry] {
        &self.entries
    }

    fn check(&self, size_bytes: usize) -> Result<(), String> {
        let mut end = 0;
        for entry in &self.entries {
            text::check("path of a field", &entry.path)?;
            text::check("section of a field", &entry.section)?;
            let Some(scalar) = Scalar::from_tag(entry.scalar) else {
                return Err(format!("{} is of kind {}, which there is not", entry.path, entry.scalar));
            };
            if u64::from(entry.offset_bytes) < end {
                return Err(format!("{} overlaps the field before it", entry.path));
            }
            end = u64::from(entry.offset_bytes) + scalar.size_bytes() as u64;
        }
        if end > size_bytes as u64 { Err(format!("the fields end at byte {end} of {size_bytes}")) } else { Ok(()) }
    }

    /// What the bytes are looked at as: these fields, or one for each byte.
    fn for_bytes(&self, len_bytes: usize) -> Cow<'_, [FieldEntry]> {
        if !self.entries.is_empty() {
            return Cow::Borrowed(&self.entries);
        }
        (0..len_bytes.min(MAX_FIELDS)).map(byte).collect()
    }

    /// Every field with its value.
    #[must_use]
    pub fn values(&self, canonical: &[u8]) -> Vec<(String, Value)> {
        let with_value = |entry: &FieldEntry| Some((entry.path.clone(), entry.value(canonical)?));
        self.for_bytes(canonical.len()).iter().filter_map(with_value).collect()
    }

    /// Every field that differs between two states that these two tables describe, in the order of
    /// the expected one; fields that only one of them has stand at the end.
    #[must_use]
    pub fn changes(&self, expected: &[u8], other: &Self, actual: &[u8]) -> Vec<FieldChange> {
        if self.entries.is_empty() && other.entries.is_empty() && expected.len() == actual.len() {
            // A state may have more bytes than a table has entries: only those that differ are named.
            let differing = expected.iter().zip(actual).enumerate().filter(|(_, (expected, actual))| expected != actual);
            let entries = differing.take(MAX_FIELDS).map(|(at, _)| byte(at));
            return entries.map(|entry| change(&entry, entry.value(expected), entry.value(actual))).collect();
        }
        let (ours, theirs) = (self.for_bytes(expected.len()), other.for_bytes(actual.len()));
        if self == other && expected.len() == actual.len() {
            let pairs = ours.iter().map(|entry| (entry, entry.value(expected), entry.value(actual)));
            return pairs.filter(|(_, expected, actual)| expected != actual).map(|(entry, e, a)| change(entry, e, a)).collect();
        }
        let by_path = |entries: &[FieldEntry]| -> std::collections::BTreeMap<String, FieldEntry> {
            entries.iter().map(|entry| (entry.path.clone(), entry.clone())).collect()
        };
        let (known, found) = (by_path(&ours), by_path(&theirs));
        let mut changes = Vec::new();
        for entry in ours.iter() {
            let value = found.get(&entry.path).and_then(|there| there.value(actual));
            if found.contains_key(&entry.path) && entry.value(expected) != value {
                changes.push(change(entry, entry.value(expected), value));
            }
        }
        changes.extend(ours.iter().filter(|e| !found.contains_key(&e.path)).map(|e| change(e, e.value(expected), None)));
        changes.extend(theirs.iter().filter(|e| !known.contains_key(&e.path)).map(|e| change(e, None, e.value(actual))));
        changes
    }
}

/// A byte that nobody has described.
fn byte(at: usize) -> FieldEntry {
    FieldEntry {
        path: format!("byte[{at}]"),
        offset_bytes: u32::try_from(at).unwrap_or(u32::MAX),
        scalar: Scalar::U8.tag(),
        section: String::new(),
    }
}

fn change(entry: &FieldEntry, expected: Option<Value>, actual: Option<Value>) -> FieldChange {
    FieldChange { path: entry.path.clone(), section: entry.section.clone(), expected, actual }
}
