//! What goes to stderr: notes, and the progress that is written over.
//!
//! Whoever reads stderr may stop: a pipe that nobody empties, a terminal that is halted with ^S. A match
//! must not stand still for that, nor for what a stranger says. So once it has [`start`]ed a thread writes,
//! from a bounded queue: what does not fit is left out, progress first.

use core::mem;
use std::collections::VecDeque;
use std::env;
use std::io::{self, IsTerminal, Write, stderr};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use terminal_size::{Width, terminal_size_of};

/// Parts that wait to be written.
const MAX_WAITING: usize = 256;

/// The longest wait for a reader, before the report and at the end of the program.
const SETTLE: Duration = Duration::from_secs(1);

/// One thing to write.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// A line that stays.
    Note(String),
    /// Lines that are written over by the next ones, one below the other.
    Over(Vec<String>),
    /// A line that another one follows.
    Plain(String),
    /// Nothing is written over any more; what follows starts on another line.
    Leave,
}

static SCREEN: Mutex<Screen> = Mutex::new(Screen { line_count: 0 });
static QUEUE: OnceLock<Queue> = OnceLock::new();

/// From now on nobody waits for the reader of stderr.
pub(crate) fn start() {
    let mut is_first = false;
    let queue = QUEUE.get_or_init(|| {
        is_first = true;
        Queue::default()
    });
    if is_first {
        #[expect(clippy::disallowed_methods, reason = "only a thread can wait for a reader; what it writes is decided in one place")]
        std::thread::spawn(|| queue.write_all());
    }
}

/// Writes `part`, or has it written.
pub(crate) fn show(part: Part) {
    match QUEUE.get() {
        Some(queue) => queue.push(part),
        None => locked(&SCREEN).write(&part),
    }
}

/// Waits until everything is written, but not for long: what comes on stdout belongs below it.
pub(crate) fn settle() {
    if let Some(queue) = QUEUE.get() {
        queue.settle();
    }
}

/// Whether stderr is a terminal that understands how to move the cursor.
pub(crate) fn can_write_over() -> bool {
    let is_dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
    let is_old_console = cfg!(windows) && env::var_os("WT_SESSION").is_none();
    stderr().is_terminal() && !is_dumb && !is_old_console
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What stands on stderr.
struct Screen {
    /// Lines of a terminal that are to be written over.
    line_count: usize,
}

impl Screen {
    fn write(&mut self, part: &Part) {
        let mut out = stderr().lock();
        let width = terminal_size_of(&out).map_or(usize::MAX, |(Width(width), _)| width.into());
        // Whoever does not want to hear of it is no reason to end a match.
        let _ = self.write_to(&mut out, width, part);
    }

    fn write_to(&mut self, out: &mut impl Write, width: usize, part: &Part) -> io::Result<()> {
        let text = match part {
            Part::Over(lines) => {
                let text = written_over(self.line_count, lines, width);
                self.line_count = lines.len();
                text
            }
            Part::Note(line) | Part::Plain(line) => format!("{}{line}\n", self.left()),
            Part::Leave => self.left().to_owned(),
        };
        out.write_all(text.as_bytes()).and_then(|()| out.flush())
    }

    /// What leads to another line.
    fn left(&mut self) -> &'static str {
        if mem::take(&mut self.line_count) > 0 { "\n" } else { "" }
    }
}

/// Goes back to the first of `line_count` lines and writes `lines` there, each to the end of its row.
/// A line that does not fit is cut: if it took two rows, the way back would be longer.
fn written_over(line_count: usize, lines: &[String], width: usize) -> String {
    let up = line_count.saturating_sub(1);
    let back = if up > 0 { format!("\r\x1b[{up}A") } else { "\r".to_owned() };
    let rows: Vec<String> = lines.iter().map(|line| format!("{}\x1b[K", cut(line, width))).collect();
    format!("{back}{}", rows.join("\n"))
}

/// The beginning of `line` that leaves the last column free, where some terminals already wrap.
fn cut(line: &str, width: usize) -> &str {
    let end = line.char_indices().nth(width.saturating_sub(1)).map_or(line.len(), |(end, _)| end);
    line.get(..end).unwrap_or(line)
}

/// What is to be written, and the thread that does.
#[derive(Default)]
struct Queue {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

impl Queue {
    fn push(&self, part: Part) {
        locked(&self.waiting).push(part);
        self.changed.notify_all();
    }

    fn write_all(&self) {
        loop {
            let waiting = locked(&self.waiting);
            let mut waiting = self.changed.wait_while(waiting, |waiting| waiting.is_empty()).unwrap_or_else(PoisonError::into_inner);
            let part = waiting.take();
            waiting.is_writing = true;
            drop(waiting);
            if let Some(part) = part {
                locked(&SCREEN).write(&part);
            }
            let mut waiting = locked(&self.waiting);
            (waiting.is_writing, waiting.is_stuck) = (false, false);
            drop(waiting);
            self.changed.notify_all();
        }
    }

    fn settle(&self) {
        let is_busy = |waiting: &mut Waiting| !waiting.is_stuck && (waiting.is_writing || !waiting.is_empty());
        let settled = self.changed.wait_timeout_while(locked(&self.waiting), SETTLE, is_busy);
        let (mut waiting, timeout) = settled.unwrap_or_else(PoisonError::into_inner);
        // Whoever has not read for so long is not waited for again.
        waiting.is_stuck |= timeout.timed_out();
    }
}

/// What is to be written, within bounds.
#[derive(Default)]
struct Waiting {
    parts: VecDeque<Part>,
    /// Notes for which there was no room. While there are any, what follows them is left out too, so that
    /// the place in the order where they are missing is one.
    left_out: u64,
    is_writing: bool,
    /// Nobody has read for too long.
    is_stuck: bool,
}

impl Waiting {
    fn is_empty(&self) -> bool {
        self.parts.is_empty() && self.left_out == 0
    }

    fn push(&mut self, part: Part) {
        let is_note = matches!(part, Part::Note(_));
        if matches!(part, Part::Over(_) | Part::Plain(_)) {
            // Nobody wants to know how it went before.
            self.drop_progress();
        } else if is_note && self.parts.len() >= MAX_WAITING {
            self.drop_progress();
        }
        if self.left_out == 0 && self.parts.len() < MAX_WAITING {
            self.parts.push_back(part);
        } else if is_note {
            self.left_out += 1;
        }
    }

    fn drop_progress(&mut self) {
        self.parts.retain(|part| !matches!(part, Part::Over(_) | Part::Plain(_)));
    }

    fn take(&mut self) -> Option<Part> {
        if let Some(part) = self.parts.pop_front() {
            return Some(part);
        }
        match mem::take(&mut self.left_out) {
            0 => None,
            1 => Some(Part::Note("1 line of notes was left out".to_owned())),
            count => Some(Part::Note(format!("{count} lines of notes were left out"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_fits_any_terminal_and_replaces_the_one_before() {
        let rows = ["a".to_owned(), "b".to_owned()];
        assert_eq!(written_over(0, &rows, 80), "\ra\x1b[K\nb\x1b[K");
        assert_eq!(written_over(2, &rows, 80), "\r\x1b[1Aa\x1b[K\nb\x1b[K");
        assert_eq!(written_over(0, &["a long line".to_owned()], 7), "\ra long\x1b[K");
        assert_eq!(written_over(0, &["±±±".to_owned()], 3), "\r±±\x1b[K");
    }

    fn written(parts: &[Part]) -> String {
        let (mut screen, mut out) = (Screen { line_count: 0 }, Vec::new());
        for part in parts {
            screen.write_to(&mut out, 80, part).unwrap();
        }
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_note_comes_below_the_progress_and_the_next_progress_below_the_note() {
        let over = |line: &str| Part::Over(vec![line.to_owned(), "x".to_owned()]);
        let note = Part::Note("note".to_owned());
        assert_eq!(written(&[note.clone(), Part::Leave, note.clone()]), "note\nnote\n");
        assert_eq!(
            written(&[over("a"), over("b"), note, over("c"), Part::Leave]),
            "\ra\x1b[K\nx\x1b[K\r\x1b[1Ab\x1b[K\nx\x1b[K\nnote\n\rc\x1b[K\nx\x1b[K\n"
        );
    }

    fn note(number: usize) -> Part {
        Part::Note(number.to_string())
    }

    fn taken(waiting: &mut Waiting) -> Vec<Part> {
        core::iter::from_fn(|| waiting.take()).collect()
    }

    #[test]
    fn of_progress_only_the_newest_waits_and_notes_stay_in_order() {
        let plain = |line: &str| Part::Plain(line.to_owned());
        let mut waiting = Waiting::default();
        for part in [plain("a"), note(1), plain("b"), note(2), plain("c")] {
            waiting.push(part);
        }
        assert_eq!(taken(&mut waiting), [note(1), note(2), plain("c")]);
        assert!(waiting.is_empty());
    }

    #[test]
    fn what_has_no_room_is_progress_first_and_then_counted() {
        let mut waiting = Waiting::default();
        for number in 0..MAX_WAITING - 1 {
            waiting.push(note(number));
        }
        waiting.push(Part::Plain("progress".to_owned()));
        waiting.push(note(MAX_WAITING - 1));
        assert_eq!(waiting.left_out, 0);
        for number in 0..100_000 {
            waiting.push(note(number));
            waiting.push(Part::Plain("progress".to_owned()));
            waiting.push(Part::Leave);
        }
        assert_eq!(waiting.parts.len(), MAX_WAITING);
        // One that would have room now is not taken before those that had none.
        assert_eq!(waiting.take(), Some(note(0)));
        waiting.push(note(7));
        let mut expected: Vec<Part> = (1..MAX_WAITING).map(note).collect();
        expected.push(Part::Note("100001 lines of notes were left out".to_owned()));
        assert_eq!(taken(&mut waiting), expected);
        waiting.push(note(8));
        assert_eq!(taken(&mut waiting), [note(8)]);
    }
}
