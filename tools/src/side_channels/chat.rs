//! [`ChatLine`]: what players say to each other, as it travels and as it is shown.
//!
//! What comes in was written by a stranger, and goes to a terminal: nothing of it may move the cursor,
//! change a colour, or turn the direction of what stands around it.

use core::iter::Peekable;
use core::str::Chars;
use serde::{Deserialize, Serialize};

/// The longest line. What is accepted is also shown.
pub(crate) const MAX_LINE_BYTES: usize = 1_000;

/// What the first byte of a message says that it is. There may be others, which mean nothing here.
const LINE: u8 = 1;

/// A line of chat that arrived, for the report.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct ChatLine {
    /// Who said it.
    pub(crate) from: usize,
    /// Who heard it.
    pub(crate) to: usize,
    /// Without anything that a terminal would obey.
    pub(crate) text: String,
}

/// A line as a message.
pub(crate) fn encode(line: &str) -> Vec<u8> {
    let mut message = Vec::with_capacity(1 + line.len());
    message.push(LINE);
    message.extend_from_slice(line.as_bytes());
    message
}

/// The text of a message; none if it is no line, or nothing of it is left.
pub(crate) fn decode(message: &[u8]) -> Option<String> {
    let (&LINE, text) = message.split_first()? else { return None };
    let bounded = text.get(..MAX_LINE_BYTES);
    let mut shown = cleaned(&String::from_utf8_lossy(bounded.unwrap_or(text)));
    // Nobody says so much with this program.
    if text.len() > MAX_LINE_BYTES {
        shown.push('…');
    }
    (!shown.is_empty()).then_some(shown)
}

/// What of a text may go to a terminal: no escape sequences, no control characters, nothing that turns
/// the direction of writing, and one line.
fn cleaned(text: &str) -> String {
    let mut shown = String::new();
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        let char = match char {
            '\u{1b}' => {
                skip_escape(&mut chars);
                continue;
            }
            '\u{9b}' => {
                skip_parameters(&mut chars);
                continue;
            }
            // These begin a text that ends with a terminator.
            '\u{90}' | '\u{98}' | '\u{9d}' | '\u{9e}' | '\u{9f}' => {
                skip_text(&mut chars);
                continue;
            }
            '\t' | '\n' | '\r' | '\u{2028}' | '\u{2029}' => ' ',
            char if char.is_control() || is_direction(char) => continue,
            char => char,
        };
        shown.push(char);
    }
    shown.trim().to_owned()
}

/// Marks that change how what follows is written, and others that nobody sees.
fn is_direction(char: char) -> bool {
    matches!(char, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

/// What belongs to the escape character before it.
fn skip_escape(chars: &mut Peekable<Chars<'_>>) {
    match chars.peek() {
        Some('[') => {
            chars.next();
            skip_parameters(chars);
        }
        Some(']' | 'P' | 'X' | '^' | '_') => {
            chars.next();
            skip_text(chars);
        }
        // Intermediate characters, then a final one.
        Some(' '..='/') => {
            while chars.next_if(|char| matches!(char, ' '..='/')).is_some() {}
            chars.next_if(|char| matches!(char, '0'..='~'));
        }
        _ => {
            chars.next_if(|char| matches!(char, '0'..='~'));
        }
    }
}

/// Parameters, intermediate characters and the final one of a control sequence.
fn skip_parameters(chars: &mut Peekable<Chars<'_>>) {
    while chars.next_if(|char| matches!(char, ' '..='?')).is_some() {}
    chars.next_if(|char| matches!(char, '@'..='~'));
}

/// A text up to its terminator. Without one it goes to the end, as a terminal would take it.
fn skip_text(chars: &mut Peekable<Chars<'_>>) {
    while let Some(char) = chars.next() {
        let is_end = match char {
            '\u{7}' | '\u{9c}' => true,
            '\u{1b}' => chars.next_if_eq(&'\\').is_some(),
            _ => false,
        };
        if is_end {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_arrives_as_it_was_typed() {
        let longest = [&"x".repeat(MAX_LINE_BYTES)[..], &"日".repeat(MAX_LINE_BYTES / 3)];
        for line in longest.into_iter().chain(["hello", "how are you? 100 % fine", "grüße, 你好, שלום, 👩‍💻", "a [31m that is no escape"])
        {
            assert_eq!(decode(&encode(line)).as_deref(), Some(line));
        }
    }

    #[test]
    fn nothing_that_a_terminal_obeys_is_left() {
        for (said, shown) in [
            ("\x1b[31mred\x1b[0m", "red"),
            ("\x1b[2J\x1b[1;1Hgone", "gone"),
            ("\u{9b}31mred", "red"),
            ("\x1b]0;title\x07text", "text"),
            ("\x1b]52;c;aGVsbG8=\x1b\\text", "text"),
            ("\x1bPq#0\x1b\\text\u{9d}more\u{9c}!", "text!"),
            ("\x1b(0lqk\x1b(B", "lqk"),
            ("\x1bcreset", "reset"),
            ("a\x08\x7f\0b\u{85}c", "abc"),
            ("line\nplayer 0: forged\rover", "line player 0: forged over"),
            ("abc\u{202e}fed\u{2066}x\u{200f}", "abcfedx"),
            ("\x1b", ""),
            ("\x1b[", ""),
            ("\x1b]never ends", ""),
            ("a\x1b[999999999999999999999999;;;;~b", "ab"),
            // One that is interrupted by another.
            ("\x1b[3\x1b[31mx", "x"),
            ("\x1b\x1b[31mx", "x"),
            ("  \t ", ""),
        ] {
            assert_eq!(cleaned(said), shown, "{said:?}");
            assert!(!cleaned(said).chars().any(char::is_control));
        }
    }

    #[test]
    fn whatever_comes_in_is_short_and_harmless_or_nothing() {
        assert_eq!(decode(&[]), None);
        assert_eq!(decode(b"\x02hello"), None);
        assert_eq!(decode(b"\x01"), None);
        assert_eq!(decode(b"\x01\x1b[0m"), None);
        assert_eq!(decode(b"\x01a\xffb").as_deref(), Some("a\u{fffd}b"));
        let long = decode(&encode(&"ab".repeat(100_000))).unwrap();
        assert_eq!(long.chars().count(), MAX_LINE_BYTES + 1);
        assert!(long.ends_with('…'));
        let mut rng = snapback_core::Rng::new(6, 1);
        for _ in 0..20_000 {
            // Mostly what sequences are made of.
            let bytes: Vec<u8> = (0..rng.below(24)).map(|_| *rng_choice(&mut rng)).collect();
            let said = [&[LINE][..], &bytes].concat();
            if let Some(shown) = decode(&said) {
                assert!(!shown.chars().any(|char| char.is_control() || is_direction(char)), "{bytes:?}");
                assert_eq!(cleaned(&shown), shown, "{bytes:?}");
            }
        }
    }

    fn rng_choice(rng: &mut snapback_core::Rng) -> &'static u8 {
        const BYTES: &[u8] = b"\x1b\x1b\x1b[]P\\0;m(\x07\x9b\xc2\x9c\x9d\x90\xe2\x80\xae a\n\x7f\xff";
        &BYTES[rng.below(BYTES.len() as u32) as usize]
    }
}
