//! One self-contained page: the data of the engine, and what draws it. It loads nothing from anywhere.

use super::data;
use snapback_rewind::scenario::{Played, Scenario};

const FRAME: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

pub(super) fn page(file: &str, scenario: &Scenario, played: &Played, chosen: &[usize]) -> String {
    let data = inert(&data::drawn(file, scenario, played, chosen).to_string());
    // The data last: what stands in it is no place for anything.
    let title = escaped(&scenario.name);
    let mut page = String::new();
    let mut rest = FRAME;
    for (mark, text) in [("{{title}}", title.as_str()), ("{{style}}", STYLE), ("{{data}}", data.as_str()), ("{{script}}", SCRIPT)] {
        if let Some((before, after)) = rest.split_once(mark) {
            page.push_str(before);
            page.push_str(text);
            rest = after;
        }
    }
    page + rest
}

/// JSON that cannot end its element, begin another or a comment: such letters stand only in its texts.
fn inert(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for letter in json.chars() {
        match letter {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => out.push_str(&format!("\\u{:04x}", u32::from(letter))),
            _ => out.push(letter),
        }
    }
    out
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
