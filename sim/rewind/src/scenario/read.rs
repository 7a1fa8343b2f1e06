//! [`Node`]: one table of a scenario, read key by key, so that an error can name line, table and key.

use super::ScenarioError;
use snapback_core::{Fx, Vec3};
use std::borrow::Cow;
use toml::de::{DeTable, DeValue};

/// What errors call the outermost table.
pub(super) const WHOLE: &str = "the scenario";
/// The longest name.
const MAX_NAME_LETTERS: usize = 60;
/// So many wrong letters are a slip.
const SLIP: usize = 2;

pub(super) type Read<T> = Result<T, ScenarioError>;

/// The text that everything was read from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'a> {
    pub(super) file: &'a str,
    pub(super) text: &'a str,
}

impl Source<'_> {
    pub(super) fn line(&self, byte: usize) -> usize {
        self.text.bytes().take(byte).filter(|&byte| byte == b'\n').count() + 1
    }
}

/// A table that is being read. Every key that nobody asks for is an error.
#[derive(Debug)]
pub(super) struct Node<'a> {
    source: Source<'a>,
    place: String,
    /// Where the table begins.
    byte: usize,
    table: &'a DeTable<'a>,
    asked: Vec<String>,
}

impl<'a> Node<'a> {
    pub(super) fn new(source: Source<'a>, place: String, byte: usize, table: &'a DeTable<'a>) -> Self {
        Self { source, place, byte, table, asked: Vec::new() }
    }

    fn ask(&mut self, key: &str) {
        if !self.asked.iter().any(|asked| asked == key) {
            self.asked.push(key.to_owned());
        }
    }

    /// Whether a key that may be left out is there.
    pub(super) fn has(&mut self, key: &str) -> bool {
        self.ask(key);
        self.table.contains_key(key)
    }

    pub(super) fn error(&self, key: &str, problem: impl Into<String>, action: impl Into<String>) -> ScenarioError {
        let byte = self.table.get_key_value(key).map_or(self.byte, |(key, _)| key.span().start);
        ScenarioError {
            file: self.source.file.into(),
            line: self.source.line(byte),
            place: self.place.clone(),
            field: short(key),
            problem: problem.into(),
            action: action.into(),
        }
    }

    /// The name of the table itself: errors say it from here on.
    pub(super) fn own_name(&mut self, kind: &str) -> Read<String> {
        let name = self.text("name")?;
        let of = self.place.split_once(" of ").map_or("", |(_, of)| of);
        let of = if of.is_empty() || of == WHOLE { String::new() } else { format!(" of {of}") };
        self.place = format!("{kind} \"{name}\"{of}");
        Ok(name)
    }

    /// `wanted` says what belongs there, for the error.
    fn get(&mut self, key: &str, wanted: &str) -> Read<&'a DeValue<'a>> {
        self.ask(key);
        let table = self.table;
        table.get(key).map(|value| value.get_ref()).ok_or_else(|| self.missing(key, wanted))
    }

    fn missing(&self, key: &str, wanted: &str) -> ScenarioError {
        let unknown = self.table.keys().filter(|other| !self.asked.iter().any(|asked| asked == other.get_ref()));
        let slip = unknown.min_by_key(|other| distance(other.get_ref(), key)).filter(|other| distance(other.get_ref(), key) <= SLIP);
        match slip {
            Some(slip) => self.error(slip.get_ref(), "is not known here", format!("write {key}: {wanted}")),
            None => self.error(key, "is missing", format!("add it: {wanted}")),
        }
    }

    pub(super) fn whole(&mut self, key: &str, min: i64, max: i64) -> Read<i64> {
        let wanted = format!("a whole number from {min} to {max}");
        let value = self.get(key, &wanted)?;
        let DeValue::Integer(number) = value else {
            return Err(self.error(key, format!("is {}", kind(value)), format!("give {wanted}")));
        };
        let parsed = i64::from_str_radix(&plain(number.as_str()), number.radix()).ok();
        parsed
            .filter(|number| (min..=max).contains(number))
            .ok_or_else(|| self.error(key, format!("is {}", short(number.as_str())), format!("give {wanted}")))
    }

    fn digits(&self, key: &str, value: &'a DeValue<'a>, wanted: &str) -> Read<Cow<'a, str>> {
        match value {
            DeValue::String(text) => Ok(Cow::Borrowed(text)),
            DeValue::Integer(number) if number.radix() == 10 => Ok(Cow::Owned(plain(number.as_str()))),
            DeValue::Float(number) => Ok(Cow::Owned(plain(number.as_str()))),
            other => Err(self.error(key, format!("is {}", kind(other)), format!("give {wanted}"))),
        }
    }

    fn fixed(&self, key: &str, value: &'a DeValue<'a>, min: Fx, max: Fx, wanted: &str) -> Read<Fx> {
        let digits = self.digits(key, value, wanted)?;
        digits
            .parse::<Fx>()
            .ok()
            .filter(|number| (min..=max).contains(number))
            .ok_or_else(|| self.error(key, format!("is {}", short(&digits)), format!("give {wanted}")))
    }

    /// A decimal, from the digits that stand there: no float on the way.
    pub(super) fn decimal(&mut self, key: &str, min: Fx, max: Fx) -> Read<Fx> {
        let wanted = format!("a decimal from \"{min}\" to \"{max}\"");
        let value = self.get(key, &wanted)?;
        self.fixed(key, value, min, max, &wanted)
    }

    pub(super) fn decimal_or(&mut self, key: &str, min: Fx, max: Fx, default: Fx) -> Read<Fx> {
        if self.has(key) { self.decimal(key, min, max) } else { Ok(default) }
    }

    /// x, y and z.
    pub(super) fn vector(&mut self, key: &str, limit: Fx) -> Read<Vec3> {
        let wanted = format!("three decimals [x, y, z], each from \"-{limit}\" to \"{limit}\"");
        let value = self.get(key, &wanted)?;
        let parts: Option<[_; 3]> = match value {
            DeValue::Array(list) => list.iter().map(|part| part.get_ref()).collect::<Vec<_>>().try_into().ok(),
            _ => None,
        };
        let Some([x, y, z]) = parts else {
            return Err(self.error(key, format!("is {}", kind(value)), format!("give {wanted}")));
        };
        let part = |value| self.fixed(key, value, -limit, limit, &wanted);
        Ok(Vec3::new(part(x)?, part(y)?, part(z)?))
    }

    pub(super) fn vector_or(&mut self, key: &str, limit: Fx, default: Vec3) -> Read<Vec3> {
        if self.has(key) { self.vector(key, limit) } else { Ok(default) }
    }

    /// A time as `KEY_ms`, a decimal, or as `KEY_us`. Nothing if neither is there.
    pub(super) fn time(&mut self, key: &str, max_us: u64) -> Read<Option<u64>> {
        let (ms, us) = (format!("{key}_ms"), format!("{key}_us"));
        let (has_ms, has_us) = (self.has(&ms), self.has(&us));
        if has_ms && has_us {
            return Err(self.error(&us, format!("is given, and so is {ms}"), "give one of them"));
        }
        if has_us {
            return self.whole(&us, 0, max_us as i64).map(|us| Some(us as u64));
        }
        if !has_ms {
            return Ok(None);
        }
        let wanted = format!("milliseconds from 0 to {}, with at most three digits after the point", max_us / 1_000);
        let value = self.get(&ms, &wanted)?;
        let digits = self.digits(&ms, value, &wanted)?;
        let time_us = micros(&digits).filter(|&time_us| time_us <= max_us);
        time_us.map(Some).ok_or_else(|| self.error(&ms, format!("is {}", short(&digits)), format!("give {wanted}")))
    }

    pub(super) fn must_time(&mut self, key: &str, max_us: u64) -> Read<u64> {
        match self.time(key, max_us)? {
            Some(time_us) => Ok(time_us),
            None => Err(self.missing(&format!("{key}_ms"), &format!("milliseconds from 0 to {}", max_us / 1_000))),
        }
    }

    fn words(&mut self, key: &str, max_letters: usize) -> Read<String> {
        let wanted = format!("a text in quotes of 1 to {max_letters} letters");
        match self.get(key, &wanted)? {
            DeValue::String(text) if !text.is_empty() && text.chars().count() <= max_letters => Ok(text.to_string()),
            DeValue::String(text) if text.is_empty() => Err(self.error(key, "is empty", format!("give {wanted}"))),
            DeValue::String(_) => Err(self.error(key, "is too long", format!("give {wanted}"))),
            other => Err(self.error(key, format!("is {}", kind(other)), format!("give {wanted}"))),
        }
    }

    /// What is not seen, or changes how other letters are seen, has no place in a text.
    fn visible(&self, key: &str, text: &str) -> Read<()> {
        let Some(letter) = text.chars().find(|&letter| is_unseen(letter)) else { return Ok(()) };
        let what = if letter.is_control() { "a control character" } else { "an invisible character" };
        Err(self.error(key, format!("has {what} in it, U+{:04X}", u32::from(letter)), "leave it out"))
    }

    /// A name.
    pub(super) fn text(&mut self, key: &str) -> Read<String> {
        let text = self.words(key, MAX_NAME_LETTERS)?;
        self.visible(key, &text)?;
        Ok(text)
    }

    pub(super) fn text_or(&mut self, key: &str, default: &str) -> Read<String> {
        if self.has(key) { self.text(key) } else { Ok(default.to_owned()) }
    }

    pub(super) fn maybe_text(&mut self, key: &str) -> Read<Option<String>> {
        if self.has(key) { self.text(key).map(Some) } else { Ok(None) }
    }

    /// Some sentences, with their line breaks as spaces.
    pub(super) fn story(&mut self, key: &str, max_letters: usize) -> Read<String> {
        if !self.has(key) {
            return Ok(String::new());
        }
        let text = self.words(key, max_letters)?;
        self.visible(key, &text.replace(['\n', '\r', '\t'], " "))?;
        Ok(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Names in a list.
    pub(super) fn texts(&mut self, key: &str, max: usize) -> Read<Vec<String>> {
        let wanted = format!("a list of at most {max} texts in quotes");
        let value = self.get(key, &wanted)?;
        let texts: Option<Vec<String>> = match value {
            DeValue::Array(list) if list.len() <= max => list.iter().map(|text| text.get_ref().as_str().map(str::to_owned)).collect(),
            _ => None,
        };
        let texts = texts.ok_or_else(|| self.error(key, format!("is {}", kind(value)), format!("give {wanted}")))?;
        texts.iter().try_for_each(|text| self.visible(key, text))?;
        Ok(texts)
    }

    pub(super) fn choice<T: Copy>(&mut self, key: &str, choices: &[(&str, T)]) -> Read<T> {
        let names: Vec<String> = choices.iter().map(|(name, _)| format!("\"{name}\"")).collect();
        let wanted = format!("one of {}", names.join(", "));
        self.get(key, &wanted)?;
        let text = self.text(key)?;
        let found = choices.iter().find(|(name, _)| *name == text);
        found.map(|(_, value)| *value).ok_or_else(|| self.error(key, format!("is \"{text}\""), format!("give {wanted}")))
    }

    pub(super) fn choice_or<T: Copy>(&mut self, key: &str, choices: &[(&str, T)], default: T) -> Read<T> {
        if self.has(key) { self.choice(key, choices) } else { Ok(default) }
    }

    pub(super) fn truth_or(&mut self, key: &str, default: bool) -> Read<bool> {
        if !self.has(key) {
            return Ok(default);
        }
        match self.get(key, "true or false")? {
            DeValue::Boolean(value) => Ok(*value),
            other => Err(self.error(key, format!("is {}", kind(other)), "give true or false")),
        }
    }

    /// A truth value for which only `true` has a meaning.
    pub(super) fn must_be_true(&mut self, key: &str) -> Read<()> {
        if self.truth_or(key, true)? { Ok(()) } else { Err(self.error(key, "is false", "give true, or leave it out")) }
    }

    fn part(&self, place: String, byte: usize, table: &'a DeTable<'a>) -> Self {
        Self::new(self.source, place, byte, table)
    }

    /// A table that may be left out.
    pub(super) fn table(&mut self, key: &str) -> Read<Option<Self>> {
        self.ask(key);
        let table = self.table;
        match table.get(key).map(|value| (value.span().start, value.get_ref())) {
            None => Ok(None),
            Some((byte, DeValue::Table(table))) => Ok(Some(self.part(format!("{key} of {}", self.place), byte, table))),
            Some((_, other)) => Err(self.error(key, format!("is {}", kind(other)), format!("make it a table: [{key}]"))),
        }
    }

    /// The tables of a list that has from `min` to `max` of them. One that may be empty may be left out.
    pub(super) fn tables(&mut self, key: &str, min: usize, max: usize) -> Read<Vec<Self>> {
        let wanted = format!("{min} to {max} tables, each under [[{key}]]");
        if min == 0 && !self.has(key) {
            return Ok(Vec::new());
        }
        let value = self.get(key, &wanted)?;
        let DeValue::Array(list) = value else {
            return Err(self.error(key, format!("is {}", kind(value)), format!("give {wanted}")));
        };
        if !(min..=max).contains(&list.len()) {
            return Err(self.error(key, format!("has {} entries", list.len()), format!("give {wanted}")));
        }
        let mut nodes = Vec::new();
        for (number, value) in list.iter().enumerate() {
            let DeValue::Table(table) = value.get_ref() else {
                return Err(self.error(key, format!("has {} as entry {}", kind(value.get_ref()), number + 1), format!("give {wanted}")));
            };
            nodes.push(self.part(format!("{key} {} of {}", number + 1, self.place), value.span().start, table));
        }
        Ok(nodes)
    }

    /// To be called when everything was read.
    pub(super) fn finish(self) -> Read<()> {
        let Some((unknown, _)) = self.table.iter().find(|(key, _)| !self.asked.iter().any(|asked| asked == key.get_ref())) else {
            return Ok(());
        };
        let unknown = unknown.get_ref().as_ref();
        let wrong = |known: &String| distance(unknown, known);
        let near = self.asked.iter().filter(|known| wrong(known) <= SLIP || unknown == known.trim_end_matches(unit(known)));
        let action = near
            .min_by_key(|known| wrong(known))
            .map_or_else(|| format!("use only {}", self.asked.join(", ")), |near| format!("write {near}"));
        Err(ScenarioError { field: short(unknown), ..self.error(unknown, "is not known here", action) })
    }
}

/// The unit at the end of a key, with its line.
fn unit(key: &str) -> &str {
    ["_degrees", "_cm_s2", "_cm_s", "_percent", "_cm", "_ms", "_us", "_hz"].into_iter().find(|unit| key.ends_with(unit)).unwrap_or("")
}

/// Digits as they are parsed: no lines between them, no plus.
fn plain(number: &str) -> String {
    number.trim_start_matches('+').chars().filter(|&letter| letter != '_').collect()
}

/// Letters that are not seen as themselves: control, format and bidirectional marks, breaks of lines and paragraphs.
pub(super) fn is_unseen(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}' | '\u{891}' | '\u{8e2}' | '\u{180e}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}'
            | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// At most 40 letters of what stands in the file, without what cannot be seen.
fn short(text: &str) -> String {
    text.chars().take(40).map(|letter| if is_unseen(letter) { ' ' } else { letter }).collect()
}

/// Milliseconds with up to three digits after the point, as microseconds.
fn micros(digits: &str) -> Option<u64> {
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || whole.len() > 12 || part.len() > 3 || !are_digits(whole) || !are_digits(part) {
        return None;
    }
    let ms: u64 = whole.parse().ok()?;
    let us: u64 = format!("{part:0<3}").parse().ok()?;
    ms.checked_mul(1_000)?.checked_add(us)
}

/// How many letters of `typed` are wrong, missing or too many to be `meant`.
fn distance(typed: &str, meant: &str) -> usize {
    let meant: Vec<char> = meant.chars().collect();
    let mut row: Vec<usize> = (0..=meant.len()).collect();
    for (number, letter) in typed.chars().take(MAX_NAME_LETTERS).enumerate() {
        let mut before = core::mem::replace(&mut row[0], number + 1);
        for (at, other) in meant.iter().enumerate() {
            let replaced = before + usize::from(letter != *other);
            before = row[at + 1];
            row[at + 1] = replaced.min(before + 1).min(row[at] + 1);
        }
    }
    row.last().copied().unwrap_or(0)
}

fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a decimal",
        DeValue::Boolean(_) => "a truth value",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "another list",
        DeValue::Table(_) => "a table",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn milliseconds_become_microseconds_without_a_float() {
        let cases = [
            ("0", Some(0)),
            ("16.667", Some(16_667)),
            ("1.5", Some(1_500)),
            ("7.", Some(7_000)),
            ("1.0001", None),
            ("-1", None),
            ("1e3", None),
            (".5", None),
            ("", None),
        ];
        for (digits, expected) in cases {
            assert_eq!(micros(digits), expected, "{digits}");
        }
    }
}
