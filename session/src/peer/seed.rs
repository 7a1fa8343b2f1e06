//! [`SeedAgreement`]: the peers commit themselves to their shares of the seed, then reveal them.
//!
//! The host alone says which round it is. It begins a new one when somebody commits itself after the reveal:
//! that one could have fitted its share to ours. Whoever wants other rounds than the host is not followed, and
//! a host that begins them without end is named.

use snapback_core::PlayerSet;
use snapback_transport::packet::{SeedCommitment, SeedHeard, SeedPart, SeedSecret};

/// So many peers may be started anew after the reveal before the match is given up.
const MAX_ROUNDS: u32 = 8;

/// How far the agreement of a round is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SeedPhase {
    /// Our share stays hidden until everybody has committed itself.
    Committing,
    /// Everybody has; we say our share and wait for the others'.
    Revealing,
    /// Everybody's share is known and is what it was said to be.
    Agreed {
        /// The seed.
        seed: u64,
    },
}

/// What one of the others has said.
#[derive(Clone, Copy, Debug)]
pub(super) struct Said<'a> {
    /// Who it is.
    pub(super) players: PlayerSet,
    /// What it has said; nothing yet if none.
    pub(super) part: Option<&'a SeedPart>,
    /// Whether it is the host.
    pub(super) is_host: bool,
}

/// Who broke the rules of the agreement, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SeedFault {
    /// Its share is not the one that it had committed itself to, it begins rounds without end, or it says of
    /// itself or of us what is not true.
    Forged(PlayerSet),
    /// It has committed itself to different shares before different peers, as the second one says.
    TwoFaced(PlayerSet, PlayerSet),
}

/// This peer's part in finding the seed.
pub(super) struct SeedAgreement {
    secret: SeedSecret,
    match_id: u64,
    round: u32,
    phase: SeedPhase,
    /// Who had committed itself to what when we revealed our share.
    heard: Vec<(PlayerSet, SeedCommitment)>,
}

impl SeedAgreement {
    pub(super) fn new(secret: SeedSecret, match_id: u64) -> Self {
        Self { secret, match_id, round: 0, phase: SeedPhase::Committing, heard: Vec::new() }
    }

    /// The seed, once everybody's share is known.
    pub(super) fn seed(&self) -> Option<u64> {
        match self.phase {
            SeedPhase::Agreed { seed } => Some(seed),
            SeedPhase::Committing | SeedPhase::Revealing => None,
        }
    }

    /// What this peer says, as the one with these players.
    pub(super) fn part(&self, here: PlayerSet) -> SeedPart {
        let mut heard = SeedHeard::NOTHING;
        // Of two peers each knows what the other has heard.
        if self.heard.len() > 1 {
            self.heard.iter().for_each(|(players, commitment)| heard.note(*players, commitment));
        }
        let is_revealed = self.phase != SeedPhase::Committing;
        SeedPart { heard, ..SeedPart::new(&self.secret, self.match_id, here, self.round, is_revealed) }
    }

    /// Goes on with what the others have said so far; `is_everybody` if those are all.
    ///
    /// # Errors
    /// Names whoever broke the rules.
    pub(super) fn follow<'a, T>(&mut self, here: PlayerSet, others: T, is_everybody: bool) -> Result<(), SeedFault>
    where
        T: Iterator<Item = Said<'a>> + Clone,
    {
        match others.clone().find(|said| said.is_host) {
            Some(Said { players, part: Some(part), .. }) if part.round > self.round => {
                // Of two peers only one could have been started anew, and it is this one that stands.
                let is_needless = self.phase != SeedPhase::Committing && self.heard.len() == 1;
                if part.round > MAX_ROUNDS || is_needless {
                    return Err(SeedFault::Forged(players));
                }
                self.begin(part.round);
            }
            Some(_) => {}
            None => {
                if let Some(late) = self.late(others.clone()) {
                    if self.round >= MAX_ROUNDS {
                        return Err(SeedFault::Forged(late));
                    }
                    self.begin(self.round + 1);
                }
            }
        }
        let current = |said: Said<'a>| Some((said.players, said.part.filter(|part| part.round == self.round)?));
        let Some(parts) = others.map(current).collect::<Option<Vec<_>>>().filter(|_| is_everybody) else { return Ok(()) };
        if self.phase == SeedPhase::Committing {
            self.heard = parts.iter().map(|(players, part)| (*players, part.commitment)).collect();
            self.phase = SeedPhase::Revealing;
        }
        if parts.iter().any(|(players, part)| !self.heard.contains(&(*players, part.commitment))) {
            // Somebody is new; the host has still to say which round that makes it.
            return Ok(());
        }
        self.compare(here, &parts)?;
        if self.phase == SeedPhase::Revealing {
            self.reveal(&parts)?;
        }
        Ok(())
    }

    /// Who has committed itself after we revealed our share.
    fn late<'a>(&self, mut others: impl Iterator<Item = Said<'a>>) -> Option<PlayerSet> {
        if self.phase == SeedPhase::Committing {
            return None;
        }
        let is_late = |said: &Said<'_>| {
            said.part.is_some_and(|part| part.round <= self.round && !self.heard.contains(&(said.players, part.commitment)))
        };
        others.find(is_late).map(|said| said.players)
    }

    fn begin(&mut self, round: u32) {
        self.round = round;
        self.phase = SeedPhase::Committing;
        self.heard.clear();
    }

    /// Whether everybody has heard the same commitments.
    fn compare(&self, here: PlayerSet, parts: &[(PlayerSet, &SeedPart)]) -> Result<(), SeedFault> {
        let ours = self.secret.share(self.round).commitment(self.match_id, here, self.round);
        for (teller, told) in parts {
            if !told.heard.agrees(here, &ours) {
                return Err(SeedFault::Forged(*teller));
            }
            let differs = |(players, commitment): &&(PlayerSet, SeedCommitment)| !told.heard.agrees(*players, commitment);
            if let Some((players, _)) = self.heard.iter().find(differs) {
                return Err(if players == teller { SeedFault::Forged(*teller) } else { SeedFault::TwoFaced(*players, *teller) });
            }
        }
        Ok(())
    }

    fn reveal(&mut self, parts: &[(PlayerSet, &SeedPart)]) -> Result<(), SeedFault> {
        let mut seed = self.secret.share(self.round).seed();
        for (players, part) in parts {
            let Some(share) = part.share else { return Ok(()) };
            if share.commitment(self.match_id, *players, self.round) != part.commitment {
                return Err(SeedFault::Forged(*players));
            }
            // Whoever reveals its share has heard everybody; until it has said of whom, we wait.
            if parts.len() > 1 && parts.iter().any(|(other, _)| other != players && part.heard.of(*other).is_none()) {
                return Ok(());
            }
            seed ^= share.seed();
        }
        self.phase = SeedPhase::Agreed { seed };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapback_transport::packet::SeedShare;

    const MATCH: u64 = 9;

    fn players(seat: usize) -> PlayerSet {
        PlayerSet::from_bits(1 << seat)
    }

    fn secret(seat: usize) -> SeedSecret {
        SeedSecret::new([seat as u8 + 1; 32])
    }

    fn said(seat: usize, part: &SeedPart) -> Said<'_> {
        Said { players: players(seat), part: Some(part), is_host: seat == 0 }
    }

    /// Peers who hear each other's last word in any order; the first is the host.
    struct Table(Vec<SeedAgreement>);

    impl Table {
        fn new(count: usize) -> Self {
            Self((0..count).map(|seat| SeedAgreement::new(secret(seat), MATCH)).collect())
        }

        fn tell(&mut self, to: usize) -> Result<(), SeedFault> {
            let parts: Vec<_> = (0..self.0.len()).map(|from| self.0[from].part(players(from))).collect();
            let others: Vec<_> = (0..parts.len()).filter(|from| *from != to).map(|from| said(from, &parts[from])).collect();
            self.0[to].follow(players(to), others.into_iter(), true)
        }

        fn seeds(&self) -> Vec<Option<u64>> {
            self.0.iter().map(SeedAgreement::seed).collect()
        }
    }

    #[test]
    fn everybody_finds_the_seed_of_all_shares() {
        for count in 1..=8 {
            let mut table = Table::new(count);
            for turn in 0..4 * count {
                table.tell(turn % count).unwrap();
            }
            let expected = (0..count).fold(0, |seed, seat| seed ^ secret(seat).share(0).seed());
            assert_eq!(table.seeds(), vec![Some(expected); count]);
        }
    }

    #[test]
    fn nothing_is_revealed_before_everybody_has_committed() {
        let mut peer = SeedAgreement::new(secret(0), MATCH);
        let theirs = SeedAgreement::new(secret(1), MATCH).part(players(1));
        let silent = Said { players: players(2), part: None, is_host: false };
        for (others, everybody) in [(vec![said(1, &theirs), silent], true), (vec![said(1, &theirs)], false)] {
            peer.follow(players(0), others.into_iter(), everybody).unwrap();
            assert_eq!(peer.part(players(0)).share, None);
        }
        peer.follow(players(0), [said(1, &theirs)].into_iter(), true).unwrap();
        assert_eq!((peer.part(players(0)).share, peer.seed()), (Some(secret(0).share(0)), None));
    }

    #[test]
    fn a_share_that_was_not_committed_is_named() {
        let honest = SeedAgreement::new(secret(1), MATCH).part(players(1));
        let fresh = || SeedAgreement::new(secret(0), MATCH);
        let wanted = SeedPart { share: Some(SeedSecret::fixed(3).share(0)), ..honest };
        let mut peer = fresh();
        assert_eq!(peer.follow(players(0), [said(1, &wanted)].into_iter(), true), Err(SeedFault::Forged(players(1))));
        // A copy of what another has said is none of one's own.
        let copied = SeedPart { share: Some(secret(0).share(0)), ..fresh().part(players(0)) };
        let mut peer = fresh();
        assert_eq!(peer.follow(players(0), [said(1, &copied)].into_iter(), true), Err(SeedFault::Forged(players(1))));
    }

    /// Whoever is started anew knows the share that was revealed, and whatever follows from it.
    #[test]
    fn whoever_commits_after_the_reveal_begins_a_new_round_with_shares_that_nobody_can_know() {
        let mut table = Table::new(2);
        for turn in 0..6 {
            table.tell(turn % 2).unwrap();
        }
        let known = table.0[0].part(players(0)).share.unwrap();
        let first = table.seeds()[0];
        table.0[1] = SeedAgreement::new(SeedSecret::new([77; 32]), MATCH);
        for turn in 0..8 {
            table.tell(turn % 2).unwrap();
        }
        let part = table.0[0].part(players(0));
        assert_eq!((part.round, table.seeds()[0]), (1, table.seeds()[1]));
        assert!(table.seeds()[0].is_some_and(|seed| Some(seed) != first));
        let fitted: Vec<SeedShare> =
            (0..4).map(|round| SeedSecret::new(core::array::from_fn(|_| known.seed() as u8)).share(round)).collect();
        assert!(part.share.is_some_and(|share| share != known && !fitted.contains(&share)));
    }

    /// A joiner that sees our share and wants another round is not heard; a host is named.
    #[test]
    fn nobody_tries_rounds_until_it_likes_the_seed() {
        let later = |seat: usize, round| SeedPart::new(&secret(seat), MATCH, players(seat), round, false);
        let mut host = SeedAgreement::new(secret(0), MATCH);
        host.follow(players(0), [said(1, &later(1, 0))].into_iter(), true).unwrap();
        for round in 1..100 {
            host.follow(players(0), [said(1, &later(1, round))].into_iter(), true).unwrap();
            assert_eq!(host.part(players(0)).round, 0);
        }
        let mut joiner = SeedAgreement::new(secret(1), MATCH);
        joiner.follow(players(1), [said(0, &later(0, 0))].into_iter(), true).unwrap();
        assert_eq!(joiner.follow(players(1), [said(0, &later(0, 1))].into_iter(), true), Err(SeedFault::Forged(players(0))));
        let mut joiner = SeedAgreement::new(secret(1), MATCH);
        let endless = later(0, MAX_ROUNDS + 1);
        assert_eq!(joiner.follow(players(1), [said(0, &endless)].into_iter(), true), Err(SeedFault::Forged(players(0))));
    }

    /// One of three commits itself to one share before the host and to another before the third.
    #[test]
    fn two_faces_are_named_by_both_who_saw_them() {
        let faces = [SeedSecret::new([50; 32]), SeedSecret::new([51; 32])];
        let mut honest = [SeedAgreement::new(secret(0), MATCH), SeedAgreement::new(secret(2), MATCH)];
        let seats = [0, 2];
        let mut found = [None, None];
        for _ in 0..4 {
            for me in 0..2 {
                let other = honest[1 - me].part(players(seats[1 - me]));
                let mut lie = SeedPart::new(&faces[me], MATCH, players(1), 0, true);
                // It tells each what that one knows.
                lie.heard.note(players(seats[me]), &honest[me].part(players(seats[me])).commitment);
                lie.heard.note(players(seats[1 - me]), &other.commitment);
                let others = [said(seats[1 - me], &other), said(1, &lie)];
                if let Err(fault) = honest[me].follow(players(seats[me]), others.into_iter(), true) {
                    found[me] = found[me].or(Some(fault));
                }
            }
        }
        assert_eq!(found, [Some(SeedFault::TwoFaced(players(1), players(2))), Some(SeedFault::TwoFaced(players(1), players(0)))]);
    }
}
