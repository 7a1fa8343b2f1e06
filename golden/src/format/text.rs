//! Texts in files: short, and nothing that a terminal would obey.

/// The longest text, in bytes.
pub(super) const MAX_TEXT_BYTES: usize = 4_096;

/// Why `text` cannot be in a replay, if it cannot.
pub(super) fn check(what: &str, text: &str) -> Result<(), String> {
    if text.len() > MAX_TEXT_BYTES {
        return Err(format!("the {what} has {} bytes; at most {MAX_TEXT_BYTES} are allowed", text.len()));
    }
    // Nearly all are plain, and a table has hundreds.
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return Ok(());
    }
    match text.chars().find(|c| c.is_control() || is_formatting(*c)) {
        Some(found) => Err(format!("the {what} has the control character U+{:04X}", found as u32)),
        None => Ok(()),
    }
}

/// Characters that break a line or turn the direction of what follows, so that a reader sees
/// another text than there is.
const fn is_formatting(c: char) -> bool {
    matches!(c, '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}
