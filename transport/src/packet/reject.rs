//! [`Reject`]: why a datagram was dropped.

use core::fmt;

macro_rules! rejects {
    ($( $(#[$doc:meta])* $variant:ident = $text:literal, )*) => {
        /// Why a datagram was dropped. It changed nothing.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub enum Reject {
            $( $(#[$doc])* $variant, )*
        }

        impl Reject {
            /// Every reason, in the order of [`RejectCounts`].
            pub const ALL: &'static [Self] = &[$( Self::$variant, )*];
        }

        impl fmt::Display for Reject {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $( Self::$variant => $text, )* })
            }
        }
    };
}

rejects! {
    /// It ends before its fields do.
    TooShort = "too short",
    /// It is larger than [`DATAGRAM_BUDGET_BYTES`](super::DATAGRAM_BUDGET_BYTES).
    TooLong = "too long",
    /// Bytes follow its last field.
    TrailingBytes = "trailing bytes",
    /// Its type does not exist.
    UnknownType = "unknown type",
    /// It does not start with `V2RB`.
    BadMagic = "not a Snapback packet",
    /// Its checksum is wrong: damage, another match, or another connection.
    BadCrc = "bad checksum",
    /// A field has a value that does not exist.
    BadField = "impossible field",
    /// It comes from nobody we play with.
    UnknownSender = "unknown sender",
    /// It is not encrypted, and everything here is.
    NotEncrypted = "not encrypted",
    /// It is encrypted, and nothing here is.
    Encrypted = "encrypted",
    /// Its cookie is not one of ours for that address, or too old.
    BadCookie = "wrong cookie",
    /// Too many handshakes are under way already.
    HandshakesFull = "too many handshakes",
    /// It does not decrypt with a key of ours, or was received before.
    Undecryptable = "does not decrypt",
    /// It proves no seat's secret, or its signature is not its identity's.
    BadProof = "wrong proof",
    /// It cannot be meant now.
    WrongState = "not expected now",
    /// It echoes a nonce that is not ours.
    WrongNonce = "wrong nonce",
    /// It was received before.
    Duplicate = "duplicate",
    /// It is too old to be told from a duplicate.
    Stale = "stale",
    /// Its sequence is more than 1,024 away from the newest.
    SequenceJump = "sequence jump",
    /// It acknowledges a packet that was never sent.
    AckOfUnsent = "acknowledges a packet never sent",
    /// It acknowledges inputs that were never sent.
    InputAckOfUnsent = "acknowledges inputs never sent",
    /// Its newest frame is one that the peer cannot have reached.
    BeyondHorizon = "frame beyond the horizon",
    /// It leaves out frames between what we have and what it brings.
    Gap = "leaves out frames",
    /// It brings more frames than the peer can owe, or frames before the first.
    BadWindow = "impossible window",
    /// Its inputs do not decode.
    BadInputs = "inputs do not decode",
    /// It is a parity that the packets of its group contradict.
    BadParity = "parity contradicts its group",
}

impl std::error::Error for Reject {}

/// How many datagrams were dropped for each reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RejectCounts([u64; Reject::ALL.len()]);

impl Default for RejectCounts {
    fn default() -> Self {
        Self([0; Reject::ALL.len()])
    }
}

impl RejectCounts {
    /// Counts one.
    pub fn count(&mut self, reject: Reject) {
        let count = &mut self.0[reject as usize];
        *count = count.saturating_add(1);
    }

    /// How many were dropped for this reason.
    #[must_use]
    pub fn of(&self, reject: Reject) -> u64 {
        self.0[reject as usize]
    }

    /// How many were dropped in all.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.iter().fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// The reasons that occurred, with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (Reject, u64)> + '_ {
        Reject::ALL.iter().copied().zip(self.0).filter(|(_, count)| *count > 0)
    }
}
