//! [`Prompter`]: takes what somebody types and gives it to the player who is to say it.

use super::crew::Crew;
use crate::clock::Clock;
use crate::out;
use crate::side_channels::options::ChannelOptions;
use crate::side_channels::typed::{ENDLESS, Entry, TOO_LONG, Typed};

/// Between two lines: no faster than the channel carries them.
const PAUSE_US: u64 = 100_000;

/// Takes what somebody types and gives it to the player who is to say it.
pub(super) struct Prompter {
    typed: Typed,
    players: usize,
    clock: Clock,
    next_us: u64,
}

impl Prompter {
    /// None if nothing is to be read.
    pub(super) fn new(options: &ChannelOptions, players: usize) -> Option<Self> {
        if options.no_channels {
            return None;
        }
        Some(Self { typed: Typed::stdin(options.chat)?, players, clock: Clock::start(), next_us: 0 })
    }

    /// The duel is over: tells what nobody said.
    pub(super) fn end(&self) {
        if let Some(unsaid) = self.typed.rest() {
            out::note(unsaid);
        }
    }

    /// Hands the next line on, if there is one and everybody has a seat. `seats` are the players at each
    /// process.
    pub(super) fn poll(&mut self, seats: &[Option<usize>], crew: &mut Crew) {
        let now_us = self.clock.now_us();
        if now_us < self.next_us || seats.iter().any(Option::is_none) {
            return;
        }
        let Some(entry) = self.typed.next() else { return };
        self.next_us = now_us + PAUSE_US;
        let line = match entry {
            Entry::Line(line) => line,
            Entry::TooLong => return out::note(TOO_LONG),
            Entry::Endless => return out::note(ENDLESS),
        };
        let (player, line) = speaker(&line);
        match seats.iter().position(|seat| *seat == Some(player)) {
            Some(process) if !line.is_empty() => crew.say(process, line),
            Some(_) => {}
            None => {
                out::note(format_args!("there is no player {player} who could say that: begin a line with 0: to {}:", self.players - 1))
            }
        }
    }
}

/// Who says a line, and what. Player 0, unless it begins with another one's number.
fn speaker(line: &str) -> (usize, &str) {
    let numbered = line.split_once(':').and_then(|(number, rest)| match number.as_bytes() {
        [digit @ b'0'..=b'9'] => Some((usize::from(digit - b'0'), rest.trim())),
        _ => None,
    });
    numbered.unwrap_or((0, line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_in_front_says_who_speaks() {
        for (line, expected) in [
            ("hello", (0, "hello")),
            ("1: hello", (1, "hello")),
            ("7:a: b", (7, "a: b")),
            ("0: 1: x", (0, "1: x")),
            ("12: x", (0, "12: x")),
            ("me: x", (0, "me: x")),
            (": x", (0, ": x")),
            ("1:", (1, "")),
        ] {
            assert_eq!(speaker(line), expected, "{line}");
        }
    }
}
