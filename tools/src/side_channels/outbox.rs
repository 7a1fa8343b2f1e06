//! [`Outbox`]: messages for everybody, also for those who come later or have no room now.

use snapback::limits::MAX_PLAYERS;
use snapback::transport::channel::SendError;
use snapback::{PlayerHandle, PlayerSet};
use std::collections::VecDeque;

/// Messages that go to every other player, in order. Who connects later gets those that are still kept.
pub(crate) struct Outbox {
    kept: VecDeque<Vec<u8>>,
    most_kept: usize,
    /// The number of the first one that is kept.
    first: u64,
    /// The next one for each player; one that is kept, or the end.
    next: [u64; MAX_PLAYERS],
    /// Messages that each player was to get and that are not kept any more.
    missed: [u64; MAX_PLAYERS],
}

impl Outbox {
    /// Keeps at most so many messages.
    pub(crate) fn new(most_kept: usize) -> Self {
        Self { kept: VecDeque::new(), most_kept: most_kept.max(1), first: 0, next: [0; MAX_PLAYERS], missed: [0; MAX_PLAYERS] }
    }

    fn end(&self) -> u64 {
        self.first + self.kept.len() as u64
    }

    /// Whether another message would be kept until one of `connected` has got all others, or beside all
    /// that nobody got yet if nobody is. Who is further behind than others loses the oldest ones.
    pub(crate) fn has_room(&self, connected: PlayerSet) -> bool {
        let least_behind = connected.iter().map(|player| self.behind(player)).min().unwrap_or_else(|| self.unsent());
        least_behind < self.most_kept as u64
    }

    /// Adds a message. If there is no room, the oldest one goes.
    pub(crate) fn push(&mut self, message: Vec<u8>) {
        if self.kept.len() == self.most_kept {
            self.kept.pop_front();
            self.first += 1;
            for (next, missed) in self.next.iter_mut().zip(&mut self.missed).filter(|(next, _)| **next < self.first) {
                *next = self.first;
                *missed += 1;
            }
        }
        self.kept.push_back(message);
    }

    /// Whether there never was a message.
    pub(crate) fn is_unused(&self) -> bool {
        self.end() == 0
    }

    /// Messages that went to nobody.
    pub(crate) fn unsent(&self) -> u64 {
        self.end() - self.next.iter().copied().max().unwrap_or(0)
    }

    /// Messages that `player` is still to get.
    pub(crate) fn behind(&self, player: PlayerHandle) -> u64 {
        self.next.get(player.index()).map_or(0, |next| self.end() - next)
    }

    /// Messages that `player` was to get and never will.
    pub(crate) fn missed(&self, player: PlayerHandle) -> u64 {
        self.missed.get(player.index()).copied().unwrap_or(0)
    }

    /// Hands over what `player` has not got, for as long as `send` takes it.
    pub(crate) fn give(&mut self, player: PlayerHandle, mut send: impl FnMut(&[u8]) -> Result<u64, SendError>) {
        let end = self.end();
        let Some(next) = self.next.get_mut(player.index()) else { return };
        while *next < end {
            let Some(message) = self.kept.get((*next - self.first) as usize) else { return };
            match send(message) {
                // It never will be taken.
                Ok(_) | Err(SendError::TooLarge { .. } | SendError::WrongSocket { .. }) => *next += 1,
                Err(_) => return,
            }
        }
    }

    /// The last `messages` that went to `player` may not have arrived, and go once more.
    pub(crate) fn step_back(&mut self, player: PlayerHandle, messages: u64) {
        if let (Some(next), Some(missed)) = (self.next.get_mut(player.index()), self.missed.get_mut(player.index())) {
            let kept = messages.min(*next - self.first);
            *next -= kept;
            *missed += messages - kept;
        }
    }

    /// Somebody else sits in the seat of `player` now, and has heard nothing.
    pub(crate) fn start_over(&mut self, player: PlayerHandle) {
        if let Some(next) = self.next.get_mut(player.index()) {
            *next = self.first;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapback::transport::channel::Channel;

    const ONE: PlayerHandle = PlayerHandle::new(1);
    const TWO: PlayerHandle = PlayerHandle::new(2);

    fn give(outbox: &mut Outbox, player: PlayerHandle, mut room: usize) -> Vec<u8> {
        let mut got = Vec::new();
        outbox.give(player, |message| {
            if room == 0 {
                return Err(SendError::Full { channel: Channel::ChatPresence, bytes: message.len(), room_bytes: 0 });
            }
            room -= 1;
            got.extend(message);
            Ok(0)
        });
        got
    }

    #[test]
    fn everybody_gets_everything_once_and_in_order_whenever_there_is_room() {
        let mut outbox = Outbox::new(4);
        let both = [ONE, TWO].into_iter().collect::<PlayerSet>();
        for message in 0..4 {
            assert!(outbox.has_room(PlayerSet::EMPTY));
            outbox.push(vec![message]);
        }
        assert!(!outbox.has_room(PlayerSet::EMPTY));
        assert_eq!(outbox.unsent(), 4);
        assert_eq!(give(&mut outbox, ONE, 3), [0, 1, 2]);
        assert_eq!((outbox.unsent(), outbox.behind(ONE), outbox.behind(TWO)), (1, 1, 4));
        // One who hears nothing does not stop what the other one hears.
        assert!(outbox.has_room(both) && !outbox.has_room(PlayerSet::EMPTY.with(TWO)));
        assert_eq!(give(&mut outbox, ONE, 9), [3]);
        outbox.push(vec![4]);
        // The first one is kept no longer.
        assert_eq!((outbox.missed(ONE), outbox.missed(TWO), outbox.behind(TWO)), (0, 1, 4));
        assert_eq!(give(&mut outbox, TWO, 9), [1, 2, 3, 4]);
        assert_eq!(give(&mut outbox, ONE, 9), [4]);
        assert_eq!(give(&mut outbox, ONE, 9), Vec::<u8>::new());
        assert!(outbox.has_room(both) && outbox.unsent() == 0);
        outbox.step_back(ONE, 2);
        assert_eq!(give(&mut outbox, ONE, 9), [3, 4]);
        outbox.start_over(ONE);
        assert_eq!(give(&mut outbox, ONE, 9), [1, 2, 3, 4]);
        // All five may not have arrived, and one of them is not kept.
        outbox.step_back(ONE, 5);
        assert_eq!((outbox.missed(ONE), outbox.behind(ONE)), (1, 4));
    }

    #[test]
    fn who_hears_nothing_loses_the_oldest_and_the_others_hear_everything() {
        let mut outbox = Outbox::new(4);
        let both = [ONE, TWO].into_iter().collect::<PlayerSet>();
        for message in 0..100 {
            assert!(outbox.has_room(both));
            outbox.push(vec![message]);
            assert_eq!(give(&mut outbox, ONE, 9), [message]);
        }
        assert_eq!((outbox.missed(ONE), outbox.missed(TWO)), (0, 96));
        assert_eq!(give(&mut outbox, TWO, 9), [96, 97, 98, 99]);
        assert_eq!((outbox.missed(TWO), outbox.behind(TWO)), (96, 0));
    }

    #[test]
    fn what_is_never_taken_holds_nothing_up() {
        let mut outbox = Outbox::new(4);
        outbox.push(vec![0; 9]);
        outbox.push(vec![7]);
        let mut got = Vec::new();
        outbox.give(ONE, |message| {
            if message.len() > 1 {
                return Err(SendError::TooLarge { channel: Channel::ChatPresence, bytes: message.len(), most_bytes: 1 });
            }
            got.extend(message);
            Ok(0)
        });
        assert_eq!((got, outbox.behind(ONE)), (vec![7], 0));
    }
}
