//! [`SeedAgreement`]: the peers commit themselves to their shares of the seed, then reveal them.

use snapback_core::PlayerSet;
use snapback_transport::packet::{SeedCommitment, SeedPart, SeedShare};

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

/// This peer's part in finding the seed.
pub(super) struct SeedAgreement {
    share: SeedShare,
    match_id: u64,
    round: u32,
    phase: SeedPhase,
    /// Who had committed itself to what when we revealed our share.
    heard: Vec<(PlayerSet, SeedCommitment)>,
}

impl SeedAgreement {
    pub(super) fn new(share: SeedShare, match_id: u64) -> Self {
        Self { share, match_id, round: 0, phase: SeedPhase::Committing, heard: Vec::new() }
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
        SeedPart::new(&self.share, self.match_id, here, self.round, self.phase != SeedPhase::Committing)
    }

    /// Goes on with what the others have said so far; `is_everybody` if those are all.
    ///
    /// Whoever commits itself after we have revealed our share could have fitted its own to it, so a new
    /// round begins, with new shares.
    ///
    /// # Errors
    /// Names the peer whose share is not the one that it had committed itself to.
    pub(super) fn follow<'a, T>(&mut self, others: T, is_everybody: bool) -> Result<(), PlayerSet>
    where
        T: Iterator<Item = (PlayerSet, Option<&'a SeedPart>)> + Clone,
    {
        let newest = others.clone().filter_map(|(_, part)| part).map(|part| part.round).max().unwrap_or(0);
        if newest > self.round {
            self.begin(newest);
        }
        let mut of_round = others.clone().filter_map(|(players, part)| part.map(|part| (players, part)));
        let round = self.round;
        let is_late = |(players, part): (PlayerSet, &SeedPart)| part.round == round && !self.heard.contains(&(players, part.commitment));
        if self.phase != SeedPhase::Committing
            && let Some(late) = of_round.find(|other| is_late(*other))
        {
            // Rounds without end are somebody's who does not want to play.
            self.begin(self.round.checked_add(1).ok_or(late.0)?);
        }
        let current = |(players, part): (PlayerSet, Option<&'a SeedPart>)| Some((players, part.filter(|part| part.round == self.round)?));
        let Some(parts) = others.map(current).collect::<Option<Vec<_>>>().filter(|_| is_everybody) else { return Ok(()) };
        if self.phase == SeedPhase::Committing {
            self.heard = parts.iter().map(|(players, part)| (*players, part.commitment)).collect();
            self.phase = SeedPhase::Revealing;
        }
        if self.phase == SeedPhase::Revealing {
            self.reveal(&parts)?;
        }
        Ok(())
    }

    fn begin(&mut self, round: u32) {
        self.round = round;
        self.phase = SeedPhase::Committing;
        self.heard.clear();
    }

    fn reveal(&mut self, parts: &[(PlayerSet, &SeedPart)]) -> Result<(), PlayerSet> {
        let mut seed = self.share.of_round(self.round).seed();
        for (players, part) in parts {
            let Some(share) = part.share else { return Ok(()) };
            if share.commitment(self.match_id, *players, self.round) != part.commitment {
                return Err(*players);
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

    const MATCH: u64 = 9;

    fn players(seat: u8) -> PlayerSet {
        PlayerSet::from_bits(1 << seat)
    }

    /// Peers who hear each other's last word in any order.
    struct Table(Vec<SeedAgreement>);

    impl Table {
        fn new(count: u8) -> Self {
            Self((0..count).map(|seat| SeedAgreement::new(SeedShare::new([seat + 1; 24]), MATCH)).collect())
        }

        fn tell(&mut self, to: usize) -> Result<(), PlayerSet> {
            let said: Vec<_> = (0..self.0.len()).map(|from| (players(from as u8), self.0[from].part(players(from as u8)))).collect();
            let others = said.iter().enumerate().filter(|(from, _)| *from != to).map(|(_, (players, part))| (*players, Some(part)));
            self.0[to].follow(others, true)
        }
    }

    #[test]
    fn everybody_finds_the_seed_of_all_shares() {
        for count in 1..=8 {
            let mut table = Table::new(count);
            for turn in 0..3 * usize::from(count) {
                table.tell(turn % usize::from(count)).unwrap();
            }
            let expected = (0..count).fold(0, |seed, seat| seed ^ SeedShare::new([seat + 1; 24]).seed());
            assert!(table.0.iter().all(|peer| peer.seed() == Some(expected)), "{count} peers");
        }
    }

    #[test]
    fn nothing_is_revealed_before_everybody_has_committed() {
        let mut peer = SeedAgreement::new(SeedShare::fixed(1), MATCH);
        let theirs = SeedAgreement::new(SeedShare::fixed(2), MATCH).part(players(1));
        for (others, everybody) in
            [(vec![(players(1), Some(&theirs)), (players(2), None)], true), (vec![(players(1), Some(&theirs))], false)]
        {
            peer.follow(others.into_iter(), everybody).unwrap();
            assert_eq!(peer.part(players(0)).share, None);
        }
        peer.follow([(players(1), Some(&theirs))].into_iter(), true).unwrap();
        assert_eq!((peer.part(players(0)).share, peer.seed()), (Some(SeedShare::fixed(1)), None));
    }

    #[test]
    fn a_share_that_was_not_committed_is_named() {
        let mut peer = SeedAgreement::new(SeedShare::fixed(1), MATCH);
        let honest = SeedAgreement::new(SeedShare::fixed(2), MATCH).part(players(1));
        let wanted = SeedPart { share: Some(SeedShare::fixed(3)), ..honest };
        assert_eq!(peer.follow([(players(1), Some(&wanted))].into_iter(), true), Err(players(1)));
        // A copy of what another has said is none of one's own.
        let copied = SeedPart { share: Some(SeedShare::fixed(1)), ..peer.part(players(0)) };
        let mut peer = SeedAgreement::new(SeedShare::fixed(1), MATCH);
        assert_eq!(peer.follow([(players(1), Some(&copied))].into_iter(), true), Err(players(1)));
    }

    #[test]
    fn whoever_commits_after_the_reveal_begins_a_new_round_with_new_shares() {
        let mut peer = SeedAgreement::new(SeedShare::fixed(1), MATCH);
        let first = SeedAgreement::new(SeedShare::fixed(2), MATCH);
        peer.follow([(players(1), Some(&first.part(players(1))))].into_iter(), true).unwrap();
        let known = peer.part(players(0)).share.unwrap();
        // The program was started anew and knows our share.
        let mut second = SeedAgreement::new(SeedShare::fixed(7), MATCH);
        for _ in 0..3 {
            peer.follow([(players(1), Some(&second.part(players(1))))].into_iter(), true).unwrap();
            second.follow([(players(0), Some(&peer.part(players(0))))].into_iter(), true).unwrap();
        }
        assert_eq!(peer.seed(), second.seed());
        assert_ne!(peer.seed(), None);
        assert_eq!(peer.part(players(0)).round, 1);
        assert_ne!(peer.part(players(0)).share, Some(known));
    }

    #[test]
    fn rounds_without_end_are_refused() {
        let mut peer = SeedAgreement::new(SeedShare::fixed(1), MATCH);
        let last = |share: u64| {
            let share = SeedShare::fixed(share);
            SeedPart { round: u32::MAX, commitment: share.commitment(MATCH, players(1), u32::MAX), share: None }
        };
        peer.follow([(players(1), Some(&last(1)))].into_iter(), true).unwrap();
        assert_eq!(peer.follow([(players(1), Some(&last(2)))].into_iter(), true), Err(players(1)));
    }
}
