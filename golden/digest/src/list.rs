//! [`List`]: what came of many replays, as one digest and one exit code.

use crate::{Line, Outcome};
use core::fmt;

/// What came of many replays.
#[derive(Clone, Debug, Default)]
pub struct List {
    replays: usize,
    frames: u64,
    digest: crc32fast::Hasher,
    code: u8,
}

impl List {
    /// Adds a replay. The order counts.
    pub fn add(&mut self, line: &Line) {
        self.replays += 1;
        self.frames += line.frames;
        self.digest.update(format!("{} {:08x}\n", line.name, line.digest).as_bytes());
        let code = match line.outcome {
            Outcome::Same => 0,
            Outcome::Diverged(_) | Outcome::Unstable(_) => 1,
            Outcome::Refused(_) => 3,
        };
        self.code = self.code.max(code);
    }

    /// 0 if every replay gave the recorded bits, 1 if one did not, 2 if there was none, 3 if one is
    /// damaged or not for this build.
    #[must_use]
    pub const fn code(&self) -> u8 {
        if self.replays == 0 { 2 } else { self.code }
    }
}

impl fmt::Display for List {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = match self.code() {
            0 => "same",
            1 => "diverged",
            2 => "empty",
            _ => "refused",
        };
        write!(f, "total {} {} {:08x} {verdict}", self.replays, self.frames, self.digest.clone().finalize())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn nothing_and_nonsense_are_no_success() {
        let mut list = List::default();
        assert_eq!(list.code(), 2);
        let line = Line::of("nonsense", b"nonsense".to_vec(), &Arc::default());
        list.add(&line);
        assert_eq!(list.code(), 3);
        assert_eq!(line.to_string(), "nonsense 0 00000000 refused: this is no replay: it does not begin with SNBK");
        // The name is part of the digest: a replay that takes another one's place is seen.
        assert_eq!(list.to_string(), format!("total 1 0 {:08x} refused", crc32fast::hash(b"nonsense 00000000\n")));
    }
}
