//! [`Hearsay`]: whether the others say of the match what this peer has confirmed itself.

use super::said::Said;
use serde::{Deserialize, Serialize};
use snapback::limits::MAX_PLAYERS;
use snapback::peer::FinalState;
use snapback::sim::{PadInput, World};
use snapback::{ConfirmedFrame, Frame, PlayerHandle};
use std::collections::VecDeque;

/// What another player may say of frames that are not confirmed here yet. A peer is some frames ahead at
/// most, and a round takes longer.
const MAX_PENDING: usize = 16;

/// What was heard of a player's results, for the report.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct HeardReport {
    pub(crate) from: usize,
    /// Round results that are the same as here.
    pub(crate) rounds: u32,
    /// Whether the result of the whole match was heard too.
    pub(crate) is_final: bool,
    /// Whether nothing was heard that is not so here.
    pub(crate) agrees: bool,
}

/// Compares what the others say with what is confirmed here, at the same frame.
#[derive(Default)]
pub(crate) struct Hearsay {
    rounds: Vec<Said>,
    end: Option<Said>,
    newest: Option<Frame>,
    heard: [Heard; MAX_PLAYERS],
}

/// What one player said.
#[derive(Clone, Default)]
struct Heard {
    rounds: u32,
    is_final: bool,
    differs: bool,
    newest: Option<Frame>,
    pending: VecDeque<Said>,
}

impl Hearsay {
    /// Takes the next confirmed frame; what is to be said of it, if a round is decided in it.
    pub(crate) fn confirmed(&mut self, frame: &ConfirmedFrame<'_, PadInput>) -> Option<Said> {
        self.newest = Some(frame.frame);
        let results = World::results_of(frame.snapshot)?;
        if results.count as usize <= self.rounds.len() {
            return None;
        }
        let said = Said::Round { frame: frame.frame, state_hash: frame.state_hash, result: results.last? };
        self.rounds.push(said);
        Some(said)
    }

    /// Everything is confirmed; what is to be said of that, once.
    pub(crate) fn finish(&mut self, state: FinalState) -> Option<Said> {
        if self.end.is_some() {
            return None;
        }
        self.newest = Some(state.frame);
        self.end = Some(Said::End { state, rounds: self.rounds.len() as u32 });
        self.end
    }

    /// Takes what `player` says. A line for people, if it is not so.
    pub(crate) fn hear(&mut self, player: PlayerHandle, message: &[u8]) -> Option<String> {
        let heard = self.heard.get_mut(player.index())?;
        let said = Said::read(message);
        let is_in_order = said.is_some_and(|said| match (said, heard.newest) {
            _ if heard.is_final => false,
            (_, None) => true,
            (Said::Round { frame, .. }, Some(newest)) => frame > newest,
            (Said::End { state, .. }, Some(newest)) => state.frame >= newest,
        });
        let Some(said) = said.filter(|_| is_in_order && heard.pending.len() < MAX_PENDING) else {
            return heard.differs(player, "sends results that no peer of this version sends");
        };
        heard.newest = Some(said.frame());
        heard.is_final = matches!(said, Said::End { .. });
        heard.pending.push_back(said);
        self.settle(player)
    }

    /// Compares what can be compared by now. A line for people about the first that is not so.
    pub(crate) fn settle(&mut self, player: PlayerHandle) -> Option<String> {
        let Self { rounds, end, newest, heard } = self;
        let heard = heard.get_mut(player.index())?;
        while let Some(said) = heard.pending.front().copied() {
            let is_known = newest.is_some_and(|newest| said.frame() <= newest);
            let here = match said {
                _ if end.is_none() && !is_known => return None,
                Said::Round { frame, .. } => rounds.binary_search_by_key(&frame, Said::frame).ok().and_then(|at| rounds.get(at)).copied(),
                Said::End { .. } if end.is_none() => return None,
                Said::End { .. } => *end,
            };
            heard.pending.pop_front();
            if here != Some(said) {
                let here = here.map_or_else(|| "no end of a round".to_owned(), |here| here.to_string());
                return heard.differs(player, &format!("says {said}; here it is {here}"));
            }
            match said {
                Said::Round { .. } => heard.rounds += 1,
                // Each round of which it says that there were so many was to be told.
                Said::End { rounds, .. } if heard.rounds != rounds => {
                    let told = heard.rounds;
                    return heard.differs(player, &format!("told of {told} of {rounds} rounds"));
                }
                Said::End { .. } => {}
            }
        }
        None
    }

    /// Whether `player` has said how it all ended.
    pub(crate) fn has_ended(&self, player: PlayerHandle) -> bool {
        self.heard.get(player.index()).is_some_and(|heard| heard.is_final || heard.differs)
    }

    /// Whether everything is confirmed here, and `player` has not said how it all ended.
    pub(crate) fn misses(&self, player: PlayerHandle) -> bool {
        self.end.is_some() && !self.has_ended(player)
    }

    /// Whether everything that was heard is so.
    pub(crate) fn agrees(&self) -> bool {
        self.heard.iter().all(|heard| !heard.differs)
    }

    /// There is a new connection to `player`, who tells everything anew. What was not so stays known.
    pub(crate) fn start_over(&mut self, player: PlayerHandle) {
        if let Some(heard) = self.heard.get_mut(player.index()) {
            *heard = Heard { differs: heard.differs, ..Heard::default() };
        }
    }

    /// Of everybody who said something.
    pub(crate) fn report(&self) -> Vec<HeardReport> {
        let heard = self.heard.iter().enumerate().filter(|(_, heard)| heard.newest.is_some() || heard.differs);
        heard
            .map(|(from, heard)| HeardReport {
                from,
                rounds: heard.rounds,
                is_final: heard.is_final && heard.pending.is_empty(),
                agrees: !heard.differs,
            })
            .collect()
    }
}

impl Heard {
    /// The first difference is told; what follows from it is not.
    fn differs(&mut self, player: PlayerHandle, what: &str) -> Option<String> {
        let is_first = !core::mem::replace(&mut self.differs, true);
        self.pending.clear();
        is_first.then(|| format!("player {player} {what}: one of the two computed another match, or does not tell the truth"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::said::tests::{end, round};
    use super::*;

    const ONE: PlayerHandle = PlayerHandle::new(1);

    /// A peer that has confirmed rounds at frames 100 and 200, and everything up to `newest`.
    fn hearsay(newest: i64) -> Hearsay {
        let rounds = [round(100, 1), round(200, 2)].into_iter().filter(|said| said.frame() <= Frame::new(newest)).collect();
        Hearsay { rounds, newest: Some(Frame::new(newest)), ..Hearsay::default() }
    }

    fn said(hearsay: &mut Hearsay, all: &[Said]) -> Vec<String> {
        all.iter().filter_map(|said| hearsay.hear(ONE, &said.write())).collect()
    }

    fn finished() -> Hearsay {
        let mut hearsay = hearsay(300);
        let Said::End { state, .. } = end(300, 2) else { panic!("an end") };
        assert_eq!(hearsay.finish(state), Some(end(300, 2)));
        assert_eq!(hearsay.finish(state), None);
        hearsay
    }

    #[test]
    fn what_is_so_here_too_agrees_whoever_confirms_it_first() {
        let mut late = finished();
        assert_eq!(said(&mut late, &[round(100, 1), round(200, 2), end(300, 2)]), Vec::<String>::new());
        let expected = [HeardReport { from: 1, rounds: 2, is_final: true, agrees: true }];
        assert_eq!(late.report(), expected);
        assert!(late.has_ended(ONE) && late.agrees());

        let mut early = hearsay(99);
        assert_eq!(said(&mut early, &[round(100, 1), round(200, 2), end(300, 2)]), Vec::<String>::new());
        assert_eq!(early.report()[0].rounds, 0);
        early.rounds = vec![round(100, 1)];
        early.newest = Some(Frame::new(150));
        assert_eq!(early.settle(ONE), None);
        assert_eq!(early.report(), [HeardReport { from: 1, rounds: 1, is_final: false, agrees: true }]);
        early.rounds.push(round(200, 2));
        let Said::End { state, .. } = end(300, 2) else { panic!("an end") };
        early.finish(state);
        assert_eq!(early.settle(ONE), None);
        assert_eq!(early.report(), expected);
    }

    #[test]
    fn what_is_not_so_here_is_told_once() {
        for (all, part) in [
            (&[round(100, 2)][..], "says match 1 round 2 decided at frame 100"),
            (&[round(101, 1)], "here it is no end of a round"),
            (&[round(100, 1), round(200, 2), end(300, 3)], "here it is the end at frame 300 (hash 00000005, digest 00000006, rounds 2)"),
            (&[round(100, 1), round(200, 2), end(299, 2)], "says the end at frame 299"),
            (&[round(200, 2), end(300, 2)], "told of 1 of 2 rounds"),
            (&[round(100, 1), round(100, 1)], "no peer of this version"),
            (&[round(200, 2), round(100, 1)], "no peer of this version"),
            (&[round(100, 1), round(200, 2), end(300, 2), end(300, 2)], "no peer of this version"),
            (&[round(100, 1), round(200, 2), round(301, 3)], "here it is no end of a round"),
        ] {
            let mut hearsay = finished();
            let told = said(&mut hearsay, all);
            assert!(told.len() == 1 && told[0].starts_with("player 1 ") && told[0].contains(part), "{told:?}");
            assert!(!hearsay.agrees() && !hearsay.report()[0].agrees && hearsay.has_ended(ONE));
            assert_eq!(said(&mut hearsay, &[round(100, 9)]), Vec::<String>::new());
        }
        let mut hearsay = finished();
        assert!(hearsay.hear(ONE, b"\x01hello").is_some());
        hearsay.start_over(ONE);
        assert!(!hearsay.agrees());

        let mut hearsay = finished();
        assert_eq!(said(&mut hearsay, &[round(100, 1)]), Vec::<String>::new());
        hearsay.start_over(ONE);
        assert!(hearsay.report().is_empty());
        assert_eq!(said(&mut hearsay, &[round(100, 1), round(200, 2), end(300, 2)]), Vec::<String>::new());
        assert!(hearsay.report()[0].is_final && hearsay.agrees());
    }

    #[test]
    fn whoever_tells_of_a_future_without_end_is_stopped() {
        let mut hearsay = hearsay(50);
        let told = (0..100_000).filter_map(|n| hearsay.hear(ONE, &round(100 + n, 1).write())).count();
        assert_eq!(told, 1);
        assert!(hearsay.heard[1].pending.len() <= MAX_PENDING);
    }
}
