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

    /// Whether nothing more is said in any of them. What is over here may still have to be told there.
    pub(crate) fn are_over(&self) -> bool {
        self.lines.iter().all(|line| line.inquiry.state().is_over() && line.waiting.is_none() && !line.inquiry.has_message())
    }

    /// The one that was begun first.
    pub(crate) fn first(&self) -> Option<&DesyncInquiry> {
        self.lines.first().map(|line| &line.inquiry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pilots::Pilots;
    use crate::plant::PlantedWorld;
    use snapback::Frame;
    use snapback::desync::InquiryState;
    use snapback::sim::WorldData;
    use snapback_harness::cluster::{Cluster, ClusterSettings};
    use std::sync::Arc;

    /// Both sides of a match in which player 1 computed a bit wrongly.
    fn fallen_out() -> [DesyncInquiry; 2] {
        let data = Arc::new(WorldData::default());
        let made = core::cell::Cell::new(0);
        let world = || PlantedWorld::new(&data, (made.replace(made.get() + 1) == 1).then_some(Frame::new(50)));
        let pilots = Pilots::default();
        let pilot = move |player| Box::new(pilots.pilot(8, player, player)) as Box<_>;
        let mut cluster = Cluster::new(&ClusterSettings::new(8, 2, 600), world, pilot).unwrap();
        // The peers are left to find out.
        cluster.set_unjudged();
        while !cluster.is_over() {
            cluster.advance().unwrap();
        }
        [0, 1].map(|peer| cluster.nodes()[peer].peer.inquiry().unwrap())
    }

    #[test]
    fn what_comes_at_once_is_answered_before_it_is_over() {
        let player = PlayerHandle::new;
        let [ours, theirs] = fallen_out();
        let (mut here, mut there) = (Inquiries::default(), Inquiries::default());
        here.begin(player(1), ours);
        there.begin(player(0), theirs);
        let say = |from: &mut Inquiries, to: usize| {
            let mut said = Vec::new();
            from.give(PlayerHandle::new(to as u8), |message| {
                said.push(message.to_vec());
                Ok(said.len() as u64)
            });
            said
        };
        let [to_there, to_here] = [say(&mut here, 1), say(&mut there, 0)];
        to_there.iter().for_each(|message| assert!(there.hear(player(0), message)));
        to_here.iter().for_each(|message| assert!(here.hear(player(1), message)));
        // Their sections and their values come in one turn: ours are told only after both are read.
        say(&mut here, 1).iter().for_each(|message| assert!(there.hear(player(0), message)));
        let at_once = say(&mut there, 0);
        assert_eq!(at_once.len(), 2);
        at_once.iter().for_each(|message| assert!(here.hear(player(1), message)));
        assert_eq!(here.first().unwrap().state(), InquiryState::Done);
        assert!(!here.are_over(), "the other side still waits for our values");
        say(&mut here, 1).iter().for_each(|message| assert!(there.hear(player(0), message)));
        assert!(here.are_over() && there.are_over());
        for side in [&here, &there] {
            assert_eq!(side.first().unwrap().report().finding, "complete");
        }
    }
}
