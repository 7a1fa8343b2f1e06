//! [`SignedResult`]: a statement and the signature of everybody who played.

use super::statement::{MatchStatement, StatementError};
use core::fmt;
use snapback_core::PlayerHandle;

const MAGIC: &[u8; 4] = b"SNBS";
const VERSION: u8 = 1;

/// What identities sign a statement for; no signature for another purpose is one of a statement.
pub(super) const PURPOSE: &str = "snapback match statement";

/// A statement that every player has signed: what a service asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignedResult {
    /// What was played and what came of it.
    pub statement: MatchStatement,
    /// An ed25519 signature for each seat.
    pub signatures: Vec<[u8; 64]>,
}

/// Why a signed result is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SignedResultError {
    /// The bytes are no signed result of this version.
    NoSignedResult,
    /// They end too early, or more follow.
    WrongLength,
    /// What is signed is no statement.
    Statement(StatementError),
    /// A player has not signed this statement with the identity that it names.
    NotSignedBy {
        /// The player.
        player: PlayerHandle,
    },
}

impl fmt::Display for SignedResultError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSignedResult => f.write_str("this is no signed result of a match, or one of another version"),
            Self::WrongLength => f.write_str("the signed result is cut off, or something follows it"),
            Self::Statement(error) => error.fmt(f),
            Self::NotSignedBy { player } => {
                write!(f, "player {player} has not signed this statement: it was changed, or the signature is another's")
            }
        }
    }
}

impl core::error::Error for SignedResultError {}

impl SignedResult {
    /// Whether every player has signed the statement. Whether the identities are those of whom they should be
    /// is for the caller to say: anybody can make some.
    ///
    /// # Errors
    /// Names the first player who has not.
    pub fn verify(&self) -> Result<(), SignedResultError> {
        let bytes = self.statement.to_bytes();
        for (seat, key) in self.statement.players.iter().enumerate() {
            let player = PlayerHandle::new(seat as u8);
            if !self.signatures.get(seat).is_some_and(|signature| key.has_signed(signature, PURPOSE, &[&bytes])) {
                return Err(SignedResultError::NotSignedBy { player });
            }
        }
        if self.signatures.len() == self.statement.players.len() { Ok(()) } else { Err(SignedResultError::WrongLength) }
    }

    /// As a file or a message: `SNBS`, version 1, bytes of the statement 2 (little-endian), the statement, and 64 bytes
    /// for each seat.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let statement = self.statement.to_bytes();
        let mut out = MAGIC.to_vec();
        out.push(VERSION);
        out.extend((statement.len() as u16).to_le_bytes());
        out.extend(statement);
        self.signatures.iter().for_each(|signature| out.extend(signature));
        out
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote. The signatures are not looked at.
    ///
    /// # Errors
    /// If the bytes are none.
    pub fn read(bytes: &[u8]) -> Result<Self, SignedResultError> {
        let Some((head, rest)) = bytes.split_first_chunk::<7>() else { return Err(SignedResultError::NoSignedResult) };
        let [magic @ .., version, low, high] = head;
        if magic != MAGIC || *version != VERSION {
            return Err(SignedResultError::NoSignedResult);
        }
        let len = usize::from(u16::from_le_bytes([*low, *high]));
        let (statement, signatures) = rest.split_at_checked(len).ok_or(SignedResultError::WrongLength)?;
        let statement = MatchStatement::read(statement).map_err(SignedResultError::Statement)?;
        let (signatures, more) = signatures.as_chunks::<64>();
        if signatures.len() != statement.players.len() || !more.is_empty() {
            return Err(SignedResultError::WrongLength);
        }
        Ok(Self { statement, signatures: signatures.to_vec() })
    }
}
