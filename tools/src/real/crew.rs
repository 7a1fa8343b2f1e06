//! [`Crew`]: the processes of a duel's players. None of them outlives it.

use super::child::Job;
use super::pipe::{self, Message};
use crate::error::CliError;
use std::io::{BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

/// Messages that wait to be looked at; a player that is too far ahead waits at its pipe.
const MAX_WAITING: usize = 256;

/// The longest wait for news, after which the duel looks up.
const MAX_WAIT: Duration = Duration::from_millis(50);

/// Something that a process said; nothing more will come from it if there is no message.
pub(super) struct News {
    pub(super) process: usize,
    pub(super) message: Option<Message>,
}

/// The processes of a duel's players. Which player sits at which is up to the network.
pub(super) struct Crew {
    members: Vec<(Child, Option<ChildStdin>)>,
    news: Receiver<News>,
}

impl Crew {
    /// Starts as many processes of this program.
    pub(super) fn start(players: usize) -> Result<Self, CliError> {
        let (sender, news) = sync_channel(MAX_WAITING);
        let mut crew = Self { members: Vec::with_capacity(players), news };
        let program = std::env::current_exe().map_err(|error| cannot_start(&error))?;
        for process in 0..players {
            let mut child = Command::new(&program)
                .arg("duel-peer")
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .map_err(|error| cannot_start(&error))?;
            let stdin = child.stdin.take();
            if let Some(stdout) = child.stdout.take() {
                listen(process, stdout, sender.clone());
            }
            crew.members.push((child, stdin));
        }
        Ok(crew)
    }

    /// Tells a process what to do.
    pub(super) fn give(&mut self, process: usize, job: &Job) -> Result<(), CliError> {
        let Some((_, Some(stdin))) = self.members.get_mut(process) else { return Ok(()) };
        let given = serde_json::to_string(job).map_err(std::io::Error::from).and_then(|json| writeln!(stdin, "{json}"));
        // A player that is gone is noticed by the end of what it says.
        let _ = given.and_then(|()| stdin.flush());
        Ok(())
    }

    /// Gives a process a line to say.
    pub(super) fn say(&mut self, process: usize, line: &str) {
        if let Some((_, Some(stdin))) = self.members.get_mut(process) {
            // One that is gone is noticed elsewhere.
            let _ = writeln!(stdin, "{line}").and_then(|()| stdin.flush());
        }
    }

    /// Waits for the next thing that any process says, but not for long.
    pub(super) fn next(&self) -> Result<Option<News>, CliError> {
        match self.news.recv_timeout(MAX_WAIT) {
            Ok(news) => Ok(Some(news)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(CliError::environment("all players are gone; start the duel again")),
        }
    }

    /// What to say of a process that ended too early; `name` is its player's.
    pub(super) fn early_end(&mut self, process: usize, name: &str) -> CliError {
        let status = self.members.get_mut(process).and_then(|(child, _)| child.wait().ok());
        let how = status.map_or_else(|| "no status".to_owned(), |status| status.to_string());
        CliError::environment(format_args!("{name} ended before the match was over ({how}); the duel is stopped"))
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        for (child, stdin) in &mut self.members {
            drop(stdin.take());
            let _ = child.kill();
        }
        for (child, _) in &mut self.members {
            let _ = child.wait();
        }
    }
}

fn cannot_start(error: &std::io::Error) -> CliError {
    CliError::environment(format_args!("cannot start the players' processes: {error}"))
}

fn listen(process: usize, stdout: std::process::ChildStdout, sender: SyncSender<News>) {
    #[expect(clippy::disallowed_methods, reason = "a pipe is read by a thread; what it reads is handled in one place")]
    std::thread::spawn(move || {
        let mut input = BufReader::new(stdout);
        loop {
            // What cannot be read is the end, too.
            let message = pipe::read(&mut input).ok().flatten();
            let is_last = message.is_none();
            if sender.send(News { process, message }).is_err() || is_last {
                return;
            }
        }
    });
}
