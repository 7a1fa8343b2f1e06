//! An explained datagram, for people and for programs.

use core::fmt::Write;
use serde_json::{Value, json};
use snapback::transport::explain::{Explanation, FrameInput};
use std::net::SocketAddr;

/// Where a datagram of a capture was seen.
pub(super) struct Seen {
    pub(super) number: u64,
    /// Since 1970.
    pub(super) at_ns: u64,
    /// Since the first datagram that is looked at.
    pub(super) after_us: i64,
    pub(super) from: SocketAddr,
    pub(super) to: SocketAddr,
    pub(super) is_cut: bool,
}

/// One line: number, time, from, to, length, type, facts.
pub(super) fn line(datagram: &[u8], explained: &Explanation, seen: &Seen) -> String {
    let Seen { number, after_us, from, to, .. } = seen;
    let sign = if *after_us < 0 { "-" } else { "" };
    let (seconds, fraction) = (after_us.unsigned_abs() / 1_000_000, after_us.unsigned_abs() % 1_000_000);
    let time = format!("{sign}{seconds}.{fraction:06}");
    let mut line = format!("{number:>5} {time:>11}  {from} > {to}  {:>4} B  {:<7}", datagram.len(), explained.name);
    if !explained.summary.is_empty() {
        let _ = write!(line, " {}", explained.summary);
    }
    if seen.is_cut {
        line.push_str("  [not captured whole]");
    }
    if let Some(damage) = &explained.damage {
        let _ = write!(line, "  [damaged: {damage}]");
    }
    line.trim_end().to_owned()
}

/// Every field.
pub(super) fn full(datagram: &[u8], explained: &Explanation) -> String {
    let mut text = format!("{}, {} bytes", explained.name, datagram.len());
    if !explained.summary.is_empty() {
        let _ = write!(text, ": {}", explained.summary);
    }
    let width = |of: fn(&snapback::transport::explain::Field) -> usize, least: usize| {
        explained.fields.iter().map(of).fold(least, |widest, width| widest.max(width).min(40))
    };
    let (names, values) = (width(|field| field.name.chars().count(), 5), width(|field| field.value.chars().count(), 5));
    if !explained.fields.is_empty() {
        let _ = write!(text, "\n  at  len  {:<names$}  {:<values$}  meaning", "field", "value");
    }
    for field in &explained.fields {
        let row = format!("{:>4} {:>4}  {:<names$}  {:<values$}  {}", field.offset, field.len, field.name, field.value, field.meaning);
        let _ = write!(text, "\n{}", row.trim_end());
    }
    for note in &explained.notes {
        let _ = write!(text, "\n{note}");
    }
    frames(&mut text, &explained.frames);
    if let Some(damage) = &explained.damage {
        let _ = write!(text, "\ndamaged: {damage}");
    }
    if let Some(reject) = explained.reject {
        let _ = write!(text, "\nan endpoint drops it as {reject:?}: {reject}");
    }
    text
}

fn frames(text: &mut String, frames: &[FrameInput]) {
    let mut player = None;
    for frame in frames {
        if player != Some(frame.player) {
            player = Some(frame.player);
            let _ = write!(text, "\nthe sender's player {} (* has changed):", frame.player);
        }
        let mark = if frame.is_changed { " *" } else { "" };
        let _ = write!(text, "\n  frame {:>5}  {}{mark}", frame.frame, digits(&frame.input));
        if !frame.command.is_none() {
            let _ = write!(text, "  command {} {}", frame.command.kind(), digits(frame.command.payload()));
        }
    }
}

fn digits(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// One object, on one line.
pub(super) fn json(datagram: &[u8], explained: &Explanation, seen: Option<&Seen>) -> Value {
    let fields: Vec<Value> = explained
        .fields
        .iter()
        .map(|field| {
            let end = field.offset + field.len;
            let bytes = datagram.get(field.offset..end).filter(|_| field.value != "not shown").map(digits);
            json!({ "offset": field.offset, "len": field.len, "name": field.name, "value": field.value, "meaning": field.meaning, "bytes": bytes })
        })
        .collect();
    let inputs: Vec<Value> = explained
        .frames
        .iter()
        .map(|frame| {
            let command = (!frame.command.is_none())
                .then(|| json!({ "kind": frame.command.kind(), "payload": digits(frame.command.payload()) }));
            json!({ "player": frame.player, "frame": frame.frame, "input": digits(&frame.input), "changed": frame.is_changed, "command": command })
        })
        .collect();
    let mut object = json!({
        "type": explained.name,
        "bytes": datagram.len(),
        "summary": explained.summary,
        "damage": explained.damage,
        "reject": explained.reject.map(|reject| format!("{reject:?}")),
        "fields": fields,
        "inputs": inputs,
        "notes": explained.notes,
    });
    if let (Some(seen), Value::Object(object)) = (seen, &mut object) {
        object.insert("number".to_owned(), seen.number.into());
        object.insert("time_ns".to_owned(), seen.at_ns.into());
        object.insert("from".to_owned(), seen.from.to_string().into());
        object.insert("to".to_owned(), seen.to.to_string().into());
        object.insert("captured_whole".to_owned(), (!seen.is_cut).into());
    }
    object
}
