//! [`Wire`]: what lies between a hub and its datagrams. Players are told by seat, whatever their address.

use super::introduction::Known;
use super::plain::Plain;
#[cfg(feature = "dtls")]
use super::sealed::Sealed;
use super::settings::{HubError, HubRole, HubSecurity, HubSettings};
use crate::credentials::{IdentityKey, SecureFailure};
use crate::packet::{Pairing, RejectCounts};
use snapback_core::Rng;
use std::net::SocketAddr;

/// Where a player listens, and how one knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Target {
    pub(super) address: SocketAddr,
    /// Its certificate, and the secret that proves us to it; none without encryption.
    pub(super) pairing: Option<Pairing>,
}

/// Whose word it is who has a seat. A later one counts more than those before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Word {
    /// Nobody's: whoever came first.
    #[cfg(feature = "dtls")]
    Own,
    /// The host's, who introduces joiners to each other.
    Host,
    /// The program's, which knows the players from the match.
    Program,
}

enum Kind {
    #[cfg(feature = "dtls")]
    Sealed(Box<Sealed>),
    Plain(Box<Plain>),
}

/// Both kinds are called by the same names.
macro_rules! either {
    ($kind:expr, $wire:ident => $call:expr) => {
        match $kind {
            #[cfg(feature = "dtls")]
            Kind::Sealed($wire) => $call,
            Kind::Plain($wire) => $call,
        }
    };
}

/// See the module.
pub(super) struct Wire {
    kind: Kind,
    /// Where the nonces of dials come from.
    nonces: Rng,
}

impl Wire {
    /// The wire of a hub, and where the host is if this is a joiner. A host expects every other seat.
    pub(super) fn new(settings: &HubSettings) -> Result<(Self, Option<Target>), HubError> {
        let mut nonces = Rng::new(settings.nonce, 0x7769_7265);
        let (kind, pairing) = match &settings.security {
            #[cfg(feature = "dtls")]
            HubSecurity::Encrypted { settings: secure, invitation } => {
                let (sealed, pairing) = Sealed::new(settings, secure, invitation)?;
                (Kind::Sealed(Box::new(sealed)), pairing)
            }
            HubSecurity::InsecureLan => (Kind::Plain(Box::new(Plain::new(settings, next_u64(&mut nonces)))), None),
        };
        let mut wire = Self { kind, nonces };
        let HubRole::Join { host } = settings.role else {
            for seat in 1..settings.player_count {
                either!(&mut wire.kind, it => it.invite(seat));
            }
            return Ok((wire, None));
        };
        Ok((wire, Some(Target { address: host, pairing })))
    }

    /// Whether packets are encrypted.
    pub(super) fn is_sealed(&self) -> bool {
        !matches!(self.kind, Kind::Plain(_))
    }

    /// How the other joiner is known to the receiver, as the host tells it; none without encryption.
    pub(super) fn known(&self, receiver: u8, other: u8) -> Option<Known> {
        either!(&self.kind, it => it.known(receiver, other))
    }

    /// Lets another joiner dial.
    pub(super) fn expect(&mut self, seat: u8, pairing: Option<Pairing>) {
        either!(&mut self.kind, it => it.expect(seat, pairing));
    }

    /// Who the player of a seat is, if that was proved.
    pub(super) fn identity(&self, seat: u8) -> Option<IdentityKey> {
        either!(&self.kind, it => it.identity(seat))
    }

    /// Who alone may have a seat.
    pub(super) fn pinned(&self, seat: u8) -> Option<IdentityKey> {
        either!(&self.kind, it => it.pinned(seat))
    }

    /// Says who alone may have a seat. Whether somebody else has it.
    pub(super) fn pin(&mut self, seat: u8, identity: IdentityKey, word: Word) -> bool {
        either!(&mut self.kind, it => it.pin(seat, identity, word))
    }

    /// Knocks at a player's door until it is met or hung up on.
    pub(super) fn dial(&mut self, now_us: u64, seat: u8, target: Target) {
        let nonce = next_u64(&mut self.nonces);
        either!(&mut self.kind, it => it.dial(now_us, seat, target, nonce));
    }

    /// Ends what there is with a player. Who may dial may dial again.
    pub(super) fn hang_up(&mut self, seat: u8) {
        either!(&mut self.kind, it => it.hang_up(seat));
    }

    /// Where a player is, once met.
    pub(super) fn address(&self, seat: u8) -> Option<SocketAddr> {
        either!(&self.kind, it => it.address(seat))
    }

    /// Why a player who was dialled is not met, if more is known than silence.
    pub(super) fn failure(&self, seat: u8) -> Option<SecureFailure> {
        either!(&self.kind, it => it.failure(seat))
    }

    /// Why knocking any longer at the door of a player is of little use.
    pub(super) fn refusal(&self, now_us: u64, seat: u8) -> Option<SecureFailure> {
        either!(&self.kind, it => it.refusal(now_us, seat))
    }

    /// Takes a datagram; what is dropped is counted.
    pub(super) fn handle(&mut self, now_us: u64, from: SocketAddr, datagram: &[u8]) {
        either!(&mut self.kind, it => it.handle(now_us, from, datagram));
    }

    pub(super) fn rejects(&self) -> &RejectCounts {
        either!(&self.kind, it => it.rejects())
    }

    /// Who was met since the last call, perhaps not for the first time.
    pub(super) fn next_met(&mut self) -> Option<u8> {
        either!(&mut self.kind, it => it.next_met())
    }

    /// The next packet that came in, and from which seat; valid until the next call.
    pub(super) fn next_packet(&mut self) -> Option<(u8, &[u8])> {
        either!(&mut self.kind, it => it.next_packet())
    }

    /// Writes a packet for a player who was met, and says where to.
    pub(super) fn write(&mut self, to: u8, packet: &[u8], out: &mut [u8]) -> Option<(SocketAddr, usize)> {
        either!(&mut self.kind, it => it.write(to, packet, out))
    }

    /// What the wire itself has to send.
    pub(super) fn poll_transmit(&mut self, now_us: u64, out: &mut [u8]) -> Option<(SocketAddr, usize)> {
        either!(&mut self.kind, it => it.poll_transmit(now_us, out))
    }

    pub(super) fn poll_timeout(&self) -> Option<u64> {
        either!(&self.kind, it => it.poll_timeout())
    }

    /// The largest packet that fits into a datagram.
    pub(super) fn packet_budget_bytes(&self) -> usize {
        either!(&self.kind, it => it.packet_budget_bytes())
    }
}

fn next_u64(nonces: &mut Rng) -> u64 {
    u64::from(nonces.next_u32()) << 32 | u64::from(nonces.next_u32())
}
