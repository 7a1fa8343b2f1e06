//! [`DatagramDescriptor`]: what was done to a datagram.

use super::{InputFlags, PacketType};

/// What was done to a datagram, read off its bytes: there is no other way to make one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DatagramDescriptor {
    is_encrypted: bool,
    is_sequence_numbered: bool,
    is_ack_piggybacked: bool,
    is_parity_protected: bool,
}

impl DatagramDescriptor {
    /// Of a datagram of the encryption's own: a handshake.
    #[must_use]
    pub fn of_handshake(datagram: &[u8]) -> Self {
        Self { is_encrypted: is_sealed(datagram), is_sequence_numbered: false, is_ack_piggybacked: false, is_parity_protected: false }
    }

    /// Of a packet, whether it went into a parity group
    /// ([`Endpoint::is_last_protected`](crate::Endpoint::is_last_protected)) and, if it was sealed,
    /// the datagram that came of it.
    #[must_use]
    pub fn of_packet(packet: &[u8], is_in_group: bool, sealed: Option<&[u8]>) -> Self {
        let kind = PacketType::of(packet).ok();
        let is_input = kind == Some(PacketType::Input);
        let flags = packet.first().and_then(|first| InputFlags::from_bits(*first).ok()).filter(|_| is_input).unwrap_or_default();
        Self {
            is_encrypted: sealed.is_some_and(is_sealed),
            is_sequence_numbered: is_input,
            is_ack_piggybacked: flags.has_ack,
            is_parity_protected: is_input && is_in_group,
        }
    }

    /// The name of what carries it: `V2.Rollback.UDP.DTLS`, or `V2.Rollback.UDP` in the clear.
    #[must_use]
    pub fn socket_profile(&self) -> &'static str {
        if self.is_encrypted { "V2.Rollback.UDP.DTLS" } else { "V2.Rollback.UDP" }
    }

    /// Whether it is a DTLS record with keys.
    #[must_use]
    pub fn is_encrypted(&self) -> bool {
        self.is_encrypted
    }

    /// Whether its packet has a sequence of its own.
    #[must_use]
    pub fn is_sequence_numbered(&self) -> bool {
        self.is_sequence_numbered
    }

    /// Whether an acknowledgement rides on it.
    #[must_use]
    pub fn is_ack_piggybacked(&self) -> bool {
        self.is_ack_piggybacked
    }

    /// Whether a parity packet covers it.
    #[must_use]
    pub fn is_parity_protected(&self) -> bool {
        self.is_parity_protected
    }
}

/// The first byte of a DTLS 1.3 record with keys has the form `001xxxxx` (RFC 9147, section 4).
fn is_sealed(datagram: &[u8]) -> bool {
    datagram.first().is_some_and(|first| first & 0xE0 == 0x20)
}
