//! [`Typed`]: the lines that somebody types, or that come through a pipe.

use super::chat::MAX_LINE_BYTES;
use crate::clock::Clock;
use std::io::{self, BufRead, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::time::Duration;

/// Lines that wait to be said. A pipe that brings more waits itself.
const MAX_WAITING: usize = 16;

/// How much of a line that is too long is read to find its end.
const MAX_SKIPPED_BYTES: usize = 4 << 20;

/// How long lines that were typed and never taken are counted, and how long the next one is waited for.
const COUNT_US: u64 = 100_000;
const COUNT_WAIT: Duration = Duration::from_millis(5);

/// What is said of a line that is too long.
pub(crate) const TOO_LONG: &str = "a line of more than 1000 bytes was not said: say it in parts";

/// What is said of one that has no end.
pub(crate) const ENDLESS: &str = "a line without an end was not said: nothing more is read from stdin";

/// Something that was typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Entry {
    /// A line, without its end.
    Line(String),
    /// A line that is too long, and is not said.
    TooLong,
    /// One whose end was not found. Nothing comes after it.
    Endless,
}

impl Entry {
    /// Whether somebody wanted to say something.
    fn is_said(&self) -> bool {
        !matches!(self, Self::Line(line) if line.is_empty())
    }
}

/// Lines that come as somebody types them.
pub(crate) struct Typed {
    entries: Receiver<Entry>,
    lost: Arc<AtomicU64>,
}

impl Typed {
    /// Reads stdin from now on, if somebody may type there: it is a terminal, or the user says so.
    pub(crate) fn stdin(is_asked_for: bool) -> Option<Self> {
        if !is_asked_for && !io::stdin().is_terminal() {
            return None;
        }
        let (sender, entries) = sync_channel(MAX_WAITING);
        #[expect(clippy::disallowed_methods, reason = "nothing else can read a terminal and go on; what it reads is handled in one place")]
        std::thread::spawn(move || {
            foreground::wait();
            // The end of the input, and whatever else is wrong with it, is no reason to end a match.
            let _ = read_all(&mut io::stdin().lock(), |entry| sender.send(entry).is_ok());
        });
        Some(Self { entries, lost: Arc::default() })
    }

    /// Lines that another thread has read, and hands over.
    pub(crate) fn pair() -> (Hand, Self) {
        let (sender, entries) = sync_channel(MAX_WAITING);
        let lost = Arc::default();
        (Hand { sender, lost: Arc::clone(&lost) }, Self { entries, lost })
    }

    /// The next one, if there is one already.
    pub(crate) fn next(&self) -> Option<Entry> {
        self.entries.try_recv().ok()
    }

    /// How many there are that were never taken, for people; none if there are none. What waits in a pipe
    /// counts too.
    pub(crate) fn rest(&self) -> Option<String> {
        let clock = Clock::start();
        let (mut count, mut is_all) = (0_u64, true);
        while is_all && let Ok(entry) = self.entries.recv_timeout(COUNT_WAIT) {
            count += u64::from(entry.is_said());
            is_all = clock.now_us() < COUNT_US;
        }
        let lines = match (count, is_all) {
            (0, _) => return None,
            (1, true) => "1 line of chat was".to_owned(),
            (count, true) => format!("{count} lines of chat were"),
            (count, false) => format!("{count} lines of chat or more were"),
        };
        Some(format!("{lines} not said before the end: at most 10 lines a second are"))
    }

    /// How many were lost since the last call.
    pub(crate) fn take_lost(&self) -> u64 {
        self.lost.swap(0, Ordering::Relaxed)
    }
}

/// The other end of [`Typed`].
pub(crate) struct Hand {
    sender: SyncSender<Entry>,
    lost: Arc<AtomicU64>,
}

impl Hand {
    /// Hands a line over, without ever waiting. If too many wait already, it is lost and counted.
    pub(crate) fn give(&self, entry: Entry) {
        if matches!(self.sender.try_send(entry), Err(TrySendError::Full(_))) {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Reads lines to the end of `input`, or until `take` wants no more.
pub(crate) fn read_all(input: &mut impl BufRead, mut take: impl FnMut(Entry) -> bool) -> io::Result<()> {
    while let Some(entry) = read_entry(input)? {
        let is_last = entry == Entry::Endless;
        if !take(entry) || is_last {
            break;
        }
    }
    Ok(())
}

/// The next line; none at the end. Of a line that is too long no more is kept than of others, and no more
/// than a bound is read: what never ends would be read for as long as the match lasts.
fn read_entry(input: &mut impl BufRead) -> io::Result<Option<Entry>> {
    let mut line = Vec::new();
    let mut is_too_long = false;
    let mut read_bytes = 0;
    let mut is_end = true;
    loop {
        let buffer = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        if buffer.is_empty() {
            break;
        }
        is_end = false;
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let part = buffer.get(..end.unwrap_or(buffer.len())).unwrap_or_default();
        is_too_long |= line.len() + part.len() > MAX_LINE_BYTES;
        if !is_too_long {
            line.extend_from_slice(part);
        }
        read_bytes += part.len();
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            break;
        }
        if read_bytes > MAX_SKIPPED_BYTES {
            return Ok(Some(Entry::Endless));
        }
    }
    Ok(match (is_end, is_too_long) {
        (true, _) => None,
        (_, true) => Some(Entry::TooLong),
        _ => Some(Entry::Line(String::from_utf8_lossy(&line).trim().to_owned())),
    })
}

/// A program in the background that reads its terminal is stopped for it. It may come to the front later.
#[cfg(unix)]
mod foreground {
    use crate::clock::Clock;
    use rustix::process::getpgrp;
    use rustix::termios::tcgetpgrp;
    use std::io;

    /// Between two looks.
    const LOOK_US: u64 = 500_000;

    pub(super) fn wait() {
        // What has no foreground is no terminal.
        while tcgetpgrp(io::stdin()).is_ok_and(|group| group != getpgrp()) {
            Clock::wait_us(LOOK_US);
        }
    }
}

#[cfg(not(unix))]
mod foreground {
    pub(super) fn wait() {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], buffer_bytes: usize) -> Vec<Entry> {
        let mut entries = Vec::new();
        let mut input = io::BufReader::with_capacity(buffer_bytes, bytes);
        read_all(&mut input, |entry| {
            entries.push(entry);
            true
        })
        .unwrap();
        entries
    }

    #[test]
    fn lines_come_one_by_one_and_one_that_is_too_long_costs_only_itself() {
        let line = |text: &str| Entry::Line(text.to_owned());
        let longest = "x".repeat(MAX_LINE_BYTES);
        let bytes = format!("hello\r\n\n{longest}\nx{longest}\n{}\n  last ", longest.repeat(5)).into_bytes();
        let expected = [line("hello"), line(""), line(&longest), Entry::TooLong, Entry::TooLong, line("last")];
        for buffer_bytes in [1, 7, 1_000, 100_000] {
            assert_eq!(read(&bytes, buffer_bytes), expected, "{buffer_bytes}");
        }
        for text in [TOO_LONG, &crate::help::host(), &crate::help::duel()] {
            assert!(text.contains(&format!("{MAX_LINE_BYTES} bytes")), "{text}");
        }
        assert_eq!(read(b"", 8), []);
        assert_eq!(read(b"a\xff\n", 8), [line("a\u{fffd}")]);
    }

    #[test]
    fn what_never_ends_is_not_read_for_ever() {
        let mut input = io::BufReader::new(io::repeat(0));
        let mut entries = Vec::new();
        read_all(&mut input, |entry| {
            entries.push(entry);
            true
        })
        .unwrap();
        assert_eq!(entries, [Entry::Endless]);
    }

    #[test]
    fn what_was_never_taken_is_counted() {
        let (hand, typed) = Typed::pair();
        for text in ["a", "", "b"] {
            hand.give(Entry::Line(text.to_owned()));
        }
        assert_eq!(typed.rest().as_deref(), Some("2 lines of chat were not said before the end: at most 10 lines a second are"));
        assert_eq!(typed.rest(), None);
    }

    #[test]
    fn what_is_handed_over_too_fast_is_counted() {
        let (hand, typed) = Typed::pair();
        for n in 0..MAX_WAITING + 2 {
            hand.give(Entry::Line(n.to_string()));
        }
        assert_eq!((typed.take_lost(), typed.take_lost()), (2, 0));
        assert_eq!(typed.next(), Some(Entry::Line("0".to_owned())));
        hand.give(Entry::TooLong);
        assert_eq!(core::iter::from_fn(|| typed.next()).count(), MAX_WAITING);
        assert_eq!(typed.take_lost(), 0);
    }
}
