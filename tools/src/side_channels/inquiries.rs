//! [`Inquiries`]: when peers have fallen out, they find out over the channels where.

use snapback::PlayerHandle;
use snapback::desync::DesyncInquiry;
use snapback::limits::MAX_PLAYERS;
use snapback::transport::channel::SendError;

/// An inquiry with a player, and the message that waits for room.
struct Line {
    player: PlayerHandle,
    inquiry: DesyncInquiry,
    waiting: Option<Vec<u8>>,
}

/// Inquiries with those who have another state than we.
#[derive(Default)]
pub(crate) struct Inquiries {
    lines: Vec<Line>,
    /// What came of a player before this peer knew of anything: the first message, for it sends no other
    /// without an answer.
    early: [Option<Vec<u8>>; MAX_PLAYERS],
}

impl Inquiries {
    /// Begins one with a player, if there is none yet.
    pub(crate) fn begin(&mut self, player: PlayerHandle, mut inquiry: DesyncInquiry) {
        if self.lines.len() >= MAX_PLAYERS || self.lines.iter().any(|line| line.player == player) {
            return;
        }
        if let Some(message) = self.early.get_mut(player.index()).and_then(Option::take) {
            // What is wrong with it stands in the report.
            let _ = inquiry.handle(&message);
        }
        self.lines.push(Line { player, inquiry, waiting: None });
    }

    /// Who has asked, and has no answer yet.
    pub(crate) fn asked(&self) -> Vec<PlayerHandle> {
        (0..MAX_PLAYERS as u8).map(PlayerHandle::new).filter(|player| self.early.get(player.index()).is_some_and(Option::is_some)).collect()
    }

    /// Takes a message; `false` if it is none of an inquiry.
    pub(crate) fn hear(&mut self, player: PlayerHandle, message: &[u8]) -> bool {
        if !DesyncInquiry::is_message(message) {
            return false;
        }
        match (self.lines.iter_mut().find(|line| line.player == player), self.early.get_mut(player.index())) {
            (Some(line), _) => {
                let _ = line.inquiry.handle(message);
            }
            (None, Some(early)) => {
                if message.len() <= snapback::desync::MAX_INQUIRY_BYTES {
                    early.get_or_insert_with(|| message.to_vec());
                }
            }
            (None, None) => {}
        }
        true
    }

    /// Hands over what is for `player`, for as long as `send` takes it.
    pub(crate) fn give(&mut self, player: PlayerHandle, mut send: impl FnMut(&[u8]) -> Result<u64, SendError>) {
        for line in self.lines.iter_mut().filter(|line| line.player == player) {
            while let Some(message) = line.waiting.take().or_else(|| line.inquiry.poll_message()) {
                if send(&message).is_err() {
                    line.waiting = Some(message);
                    break;
                }
            }
        }
    }

    /// Whether nothing more is said in any of them.
    pub(crate) fn are_over(&self) -> bool {
        self.lines.iter().all(|line| line.inquiry.state().is_over() && line.waiting.is_none())
    }

    /// The one that was begun first.
    pub(crate) fn first(&self) -> Option<&DesyncInquiry> {
        self.lines.first().map(|line| &line.inquiry)
    }
}
