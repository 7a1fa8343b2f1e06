//! [`ResultExchange`]: what the peers send each other to have everybody's signature.

use super::signed::{PURPOSE, SignedResult};
use super::statement::{MatchStatement, StatementDifference, StatementError};
use core::fmt;
use snapback_core::{PlayerHandle, PlayerSet};
use snapback_transport::secure::Identity;

const MAGIC: &[u8; 4] = b"SNBX";
const VERSION: u8 = 1;

/// Why there is nothing to exchange.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExchangeError {
    /// The statement names another identity for one of this peer's own players, or has no such seat.
    NotOurs {
        /// The player.
        player: PlayerHandle,
    },
}

impl fmt::Display for ExchangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::NotOurs { player } = self;
        write!(f, "the statement has another identity for player {player}, who plays here: name this peer's own")
    }
}

impl core::error::Error for ExchangeError {}

/// Why what a player says is not taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HeardError {
    /// It is no message of this version.
    NoMessage,
    /// What it signs is no statement.
    Statement(StatementError),
    /// There is no such player in the statement.
    NoSuchPlayer {
        /// The player.
        player: PlayerHandle,
    },
    /// The signature is not by the identity of that player over what it sends.
    BadSignature {
        /// The player.
        player: PlayerHandle,
    },
    /// The player has really signed something else: it played, or claims to have played, another match.
    OtherStatement {
        /// The player.
        player: PlayerHandle,
        /// The first thing that differs.
        difference: StatementDifference,
    },
}

impl fmt::Display for HeardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMessage => f.write_str("this is no signature of a result, or one of another version"),
            Self::Statement(error) => error.fmt(f),
            Self::NoSuchPlayer { player } => write!(f, "player {player} is not in this match"),
            Self::BadSignature { player } => write!(f, "the signature is not player {player}'s"),
            Self::OtherStatement { player, difference } => write!(f, "player {player} has signed another statement: {difference}"),
        }
    }
}

impl core::error::Error for HeardError {}

/// One peer's side: it sends [`message`](Self::message) to every other peer over a reliable channel, gives what
/// arrives to [`hear`](Self::hear), and has the result once nobody is [`missing`](Self::missing).
///
/// ```
/// use snapback::results::{Evidence, MatchStatement, ResultExchange, SignedResult};
/// # use snapback::results::InputDigest;
/// use snapback::transport::secure::Identity;
/// use snapback::{Frame, PlayerHandle, PlayerSet, StateHash};
///
/// let identities = [Identity::from_seed(&[1; 32]), Identity::from_seed(&[2; 32])];
/// // Usually of `MatchStatement::new`.
/// # let statement = MatchStatement {
/// #     match_id: 1, seed: 2, simulation: "race".to_owned(), simulation_version: 1, config_hash: 0, layout_fingerprint: 0,
/// #     input_bytes: 1, players: identities.iter().map(Identity::key).collect(), first_frame: Frame::ZERO,
/// #     last_frame: Frame::new(9), input_digest: InputDigest([0; 32]), final_state: StateHash::from_bits(5), result: vec![],
/// # };
/// let players = [PlayerHandle::new(0), PlayerHandle::new(1)];
/// let one = |at: usize| ResultExchange::new(statement.clone(), &identities[at], PlayerSet::EMPTY.with(players[at]));
/// let (mut here, there) = (one(0)?, one(1)?);
/// here.hear(players[1], there.message())?;
/// let signed: SignedResult = here.signed().unwrap();
/// signed.verify()?;
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ResultExchange {
    statement: MatchStatement,
    message: Vec<u8>,
    signatures: Vec<Option<[u8; 64]>>,
}

impl ResultExchange {
    /// Signs the statement for the players of this peer.
    ///
    /// # Errors
    /// If the statement has another identity for one of them.
    pub fn new(statement: MatchStatement, identity: &Identity, local_players: PlayerSet) -> Result<Self, ExchangeError> {
        let key = identity.key();
        if let Some(player) = local_players.iter().find(|player| statement.players.get(player.index()) != Some(&key)) {
            return Err(ExchangeError::NotOurs { player });
        }
        let bytes = statement.to_bytes();
        let signature = identity.sign(PURPOSE, &[&bytes]);
        let message = [&MAGIC[..], &[VERSION], &signature, &bytes].concat();
        let signatures = statement.players.iter().map(|player| (*player == key).then_some(signature)).collect();
        Ok(Self { statement, message, signatures })
    }

    /// What every other peer must get. At most 64 and 5 bytes more than a statement.
    #[must_use]
    pub fn message(&self) -> &[u8] {
        &self.message
    }

    /// Whether bytes look like such a message, for a channel that carries others too.
    #[must_use]
    pub fn is_message(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Takes what came from the peer of `player`. Hearing the same again changes nothing.
    ///
    /// # Errors
    /// If it is not that player's signature on this statement; nothing has changed then.
    pub fn hear(&mut self, player: PlayerHandle, message: &[u8]) -> Result<(), HeardError> {
        let key = *self.statement.players.get(player.index()).ok_or(HeardError::NoSuchPlayer { player })?;
        let rest = message.strip_prefix(MAGIC).and_then(|rest| rest.strip_prefix(&[VERSION])).ok_or(HeardError::NoMessage)?;
        let (signature, bytes) = rest.split_first_chunk::<64>().ok_or(HeardError::NoMessage)?;
        let theirs = MatchStatement::read(bytes).map_err(HeardError::Statement)?;
        if !key.has_signed(signature, PURPOSE, &[bytes]) {
            return Err(HeardError::BadSignature { player });
        }
        if let Some(difference) = self.statement.difference(&theirs) {
            return Err(HeardError::OtherStatement { player, difference });
        }
        for (slot, known) in self.signatures.iter_mut().zip(&self.statement.players) {
            if *known == key {
                *slot = Some(*signature);
            }
        }
        Ok(())
    }

    /// Whose signature is still to come.
    #[must_use]
    pub fn missing(&self) -> PlayerSet {
        let seats = self.signatures.iter().enumerate().filter(|(_, signature)| signature.is_none());
        seats.map(|(seat, _)| PlayerHandle::new(seat as u8)).collect()
    }

    /// The result with everybody's signature; `None` while somebody's is missing.
    #[must_use]
    pub fn signed(&self) -> Option<SignedResult> {
        let signatures = self.signatures.iter().copied().collect::<Option<_>>()?;
        Some(SignedResult { statement: self.statement.clone(), signatures })
    }

    /// What this peer has signed.
    #[must_use]
    pub fn statement(&self) -> &MatchStatement {
        &self.statement
    }
}

#[cfg(test)]
mod tests {
    use super::super::statement::tests::statement;
    use super::*;
    use crate::results::SignedResultError;
    use snapback_core::Frame;

    fn identity(seat: usize) -> Identity {
        Identity::from_seed(&[seat as u8 + 1; 32])
    }

    fn of(statement: &MatchStatement, seats: &[u8]) -> ResultExchange {
        let players = seats.iter().copied().map(PlayerHandle::new).collect();
        ResultExchange::new(statement.clone(), &identity(seats[0].into()), players).unwrap()
    }

    /// Seats 1 and 2 are of one peer.
    fn three() -> MatchStatement {
        statement(vec![identity(0).key(), identity(1).key(), identity(1).key()])
    }

    #[test]
    fn everybody_ends_with_the_same_bytes() {
        let statement = three();
        let (mut host, mut join) = (of(&statement, &[0]), of(&statement, &[1, 2]));
        assert_eq!((host.missing(), host.signed()), ([1, 2].map(PlayerHandle::new).into_iter().collect(), None));
        host.hear(PlayerHandle::new(2), join.message()).unwrap();
        host.hear(PlayerHandle::new(1), join.message()).unwrap();
        join.hear(PlayerHandle::new(0), host.message()).unwrap();
        let signed = host.signed().unwrap();
        assert_eq!(signed.verify(), Ok(()));
        assert_eq!(signed.to_bytes(), join.signed().unwrap().to_bytes());
        assert_eq!(SignedResult::read(&signed.to_bytes()), Ok(signed));
    }

    #[test]
    fn what_is_not_this_players_signature_on_this_statement_is_refused_with_a_reason() {
        let ours = three();
        let mut host = of(&ours, &[0]);
        let player = PlayerHandle::new(1);
        let whole = of(&ours, &[1, 2]).message().to_vec();
        for len in 0..whole.len() {
            assert!(matches!(host.hear(player, &whole[..len]), Err(HeardError::NoMessage | HeardError::Statement(_))), "{len}");
        }
        for at in 0..whole.len() {
            let mut forged = whole.clone();
            forged[at] ^= 4;
            assert!(host.hear(player, &forged).is_err(), "{at}");
        }
        assert_eq!(host.hear(PlayerHandle::new(0), &whole), Err(HeardError::BadSignature { player: PlayerHandle::new(0) }));
        assert_eq!(host.hear(PlayerHandle::new(3), &whole), Err(HeardError::NoSuchPlayer { player: PlayerHandle::new(3) }));
        let others = [
            (MatchStatement { match_id: 1, ..ours.clone() }, "match"),
            (MatchStatement { last_frame: Frame::new(9), ..ours.clone() }, "last frame"),
            (MatchStatement { input_digest: super::super::InputDigest([1; 32]), ..ours.clone() }, "digest of the inputs"),
            (MatchStatement { result: vec![2], ..ours.clone() }, "result"),
        ];
        for (other, field) in others {
            let said = host.hear(player, of(&other, &[1, 2]).message()).unwrap_err();
            assert!(matches!(&said, HeardError::OtherStatement { difference, .. } if difference.field == field), "{said}");
        }
        // For another purpose, and of another match.
        let mut stolen = whole.clone();
        stolen[5..69].copy_from_slice(&identity(1).sign("snapback identity", &[&ours.to_bytes()]));
        assert_eq!(host.hear(player, &stolen), Err(HeardError::BadSignature { player }));
        assert_eq!(host.missing().len(), 2);
        let text = host.hear(player, of(&MatchStatement { seed: 10, ..ours.clone() }, &[1]).message()).unwrap_err().to_string();
        insta::assert_snapshot!(text, @"player 1 has signed another statement: the seed is 9 here and 10 there");
        assert!(matches!(ResultExchange::new(ours, &identity(5), PlayerSet::first(1)), Err(ExchangeError::NotOurs { .. })));
    }

    #[test]
    fn a_signed_result_with_anything_changed_is_none() {
        let ours = three();
        let mut host = of(&ours, &[0]);
        host.hear(PlayerHandle::new(1), of(&ours, &[1, 2]).message()).unwrap();
        let signed = host.signed().unwrap();
        let bytes = signed.to_bytes();
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert!(SignedResult::read(&changed).and_then(|changed| changed.verify()).is_err(), "{at}");
            assert!(SignedResult::read(&bytes[..at]).is_err());
        }
        let mut swapped = signed.clone();
        swapped.signatures.swap(0, 1);
        assert_eq!(swapped.verify(), Err(SignedResultError::NotSignedBy { player: PlayerHandle::new(0) }));
        let mut missing = signed;
        missing.signatures.pop();
        assert_eq!(missing.verify(), Err(SignedResultError::NotSignedBy { player: PlayerHandle::new(2) }));
    }
}
