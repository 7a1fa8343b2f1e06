//! Post-mortems on their way to a file.

use super::ROLLBACK_EVENTS;
use crate::error::CliError;
use crate::plant::PlantedWorld;
use serde::{Deserialize, Serialize};
use snapback::Peer;
use snapback::telemetry::PostMortem;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};

/// Lines that are kept of each player: all that its rings hold.
const MOST_LINES: usize = ROLLBACK_EVENTS + 600;

/// What is new in the rings of a player's process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct NewLines {
    /// The first line of a post-mortem as it is now.
    head: String,
    lines: Vec<String>,
}

/// Sees what is new in the rings of a peer.
#[derive(Default)]
pub(crate) struct Teller {
    next_rollback: u64,
    next_sample: u64,
}

impl Teller {
    pub(crate) fn tell(&mut self, peer: &Peer<PlantedWorld>) -> NewLines {
        let head = PostMortem { samples: Vec::new(), rollbacks: Vec::new(), ..peer.post_mortem() }.to_string();
        let mut lines: Vec<String> = peer.net_samples(self.next_sample).map(|sample| sample.to_json()).collect();
        self.next_sample = peer.net_sample_count();
        for event in peer.session().into_iter().flat_map(|session| session.rollback_events(self.next_rollback)) {
            lines.push(event.to_json());
        }
        self.next_rollback = peer.session().map_or(0, |session| session.rollback_events(0).last().map_or(0, |event| event.number + 1));
        NewLines { head, lines }
    }
}

/// What a player's process has told: it may be killed before it can write anything itself.
#[derive(Clone, Default)]
pub(crate) struct KeptLines {
    head: String,
    lines: VecDeque<String>,
}

impl KeptLines {
    pub(crate) fn take(&mut self, new: NewLines) {
        self.head = new.head;
        for line in new.lines {
            if self.lines.len() == MOST_LINES {
                self.lines.pop_front();
            }
            self.lines.push_back(line);
        }
    }

    pub(crate) fn text(&self) -> String {
        self.lines.iter().fold(self.head.clone(), |text, line| text + line + "\n")
    }
}

/// The file of one player of a duel.
pub(crate) fn of_player(file: &Path, player: usize) -> PathBuf {
    let mut name = file.file_name().map(std::ffi::OsStr::to_os_string).unwrap_or_default();
    name.push(format!(".player{player}"));
    file.with_file_name(name)
}

/// Writes a post-mortem.
pub(crate) fn write(file: &Path, text: &str) -> Result<(), CliError> {
    std::fs::write(file, text).map_err(|error| {
        CliError::environment(format_args!("cannot write the post-mortem {}: {error}; check the path and its permissions", file.display()))
    })
}
