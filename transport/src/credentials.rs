//! [`Fingerprint`], [`SeatSecret`] and [`IdentityKey`]: 32 bytes each, as they stand in tickets and
//! packets. What is done with them is in `secure`, a feature.

use core::fmt;
use core::str::FromStr;

/// What was no 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotHex;

impl fmt::Display for NotHex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not 64 hexadecimal digits")
    }
}

impl core::error::Error for NotHex {}

/// The bits in which two strings of the same length differ, all bytes together. Each byte is looked
/// at, wherever the first difference is; the compiler may not know that nothing can come back to 0.
pub(crate) fn differing_bits(a: &[u8], b: &[u8]) -> u8 {
    a.iter().zip(b).fold(0, |differ, (a, b)| core::hint::black_box(differ | (a ^ b)))
}

macro_rules! thirty_two_bytes {
    ($(#[$doc:meta])* $name:ident, $debug:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name(pub [u8; 32]);

        /// In constant time.
        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                differing_bits(&self.0, &other.0) == 0
            }
        }

        impl Eq for $name {}

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&base16ct::lower::encode_string(&self.0))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let show: fn(&Self) -> String = $debug;
                write!(f, concat!(stringify!($name), "({})"), show(self))
            }
        }

        impl FromStr for $name {
            type Err = NotHex;

            fn from_str(text: &str) -> Result<Self, NotHex> {
                let mut bytes = [0; 32];
                match base16ct::lower::decode(text, &mut bytes) {
                    Ok(decoded) if decoded.len() == 32 => Ok(Self(bytes)),
                    _ => Err(NotHex),
                }
            }
        }
    };
}

thirty_two_bytes! {
    /// The SHA-256 of a certificate: by it a dialler knows that it talks to whom it means.
    Fingerprint, |fingerprint| fingerprint.to_string()
}

thirty_two_bytes! {
    /// What lets one peer take one seat. It stands in the ticket of that seat: give it to nobody else.
    /// `Debug` hides it.
    SeatSecret, |_| "hidden".to_owned()
}

thirty_two_bytes! {
    /// The public half of a peer's identity (ed25519).
    IdentityKey, |key| key.to_string()
}

/// Why a connection could not be secured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SecureFailure {
    /// The other side answered, but the handshake did not come to an end.
    Handshake,
    /// The other side has another certificate than the ticket says.
    OtherCertificate,
    /// The other side does not know the seat's secret, or its identity's signature is wrong.
    BadProof,
    /// The other side has another identity than the one who was there before, or than the match says.
    OtherIdentity,
    /// The other side, who is the right one, says that our ticket is none of its own.
    NoTicket,
    /// The other side speaks another protocol version.
    Version(u16),
    /// The other side plays without encryption.
    NotEncrypted,
}

impl fmt::Display for SecureFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Handshake => f.write_str("the encrypted handshake did not come to an end: something on the way keeps breaking it"),
            Self::OtherCertificate => {
                f.write_str("whoever answers is not the one who made the ticket: its certificate is another; ask for a new ticket")
            }
            Self::BadProof => f.write_str("whoever answers does not know the ticket's secret; ask for a new ticket"),
            Self::OtherIdentity => f.write_str("whoever answers has another identity than the player has in the match"),
            Self::NoTicket => f.write_str("the ticket is not for this match; ask for a new ticket"),
            Self::NotEncrypted => f.write_str("whoever answers plays without encryption"),
            Self::Version(theirs) => write!(
                f,
                "the other side speaks protocol version {theirs} and this program {}: use the same version on both sides",
                crate::packet::PROTOCOL_VERSION
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_read_what_they_write_and_nothing_else() {
        let secret = SeatSecret([0xAB; 32]);
        assert_eq!(secret.to_string().parse(), Ok(secret));
        assert_eq!(format!("{secret:?}"), "SeatSecret(hidden)");
        assert_eq!(format!("{:?}", Fingerprint([1; 32])), format!("Fingerprint({})", "01".repeat(32)));
        for text in ["", "ab", &"ab".repeat(31), &"ab".repeat(33), &"AB".repeat(32), &"zz".repeat(32)] {
            assert_eq!(text.parse::<SeatSecret>(), Err(NotHex), "{text}");
        }
        for bit in 0..256 {
            let mut other = secret;
            other.0[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(secret, other, "bit {bit}");
        }
    }
}
