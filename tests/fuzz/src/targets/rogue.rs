//! [`Rogue`]: somebody with the keys of a seat, down to the wire. It speaks the wire as it should, so that
//! it is met, and above it whatever it is told to.

use crate::targets::handshake::certificate;
use snapback_transport::channel::{HubInvitation, HubRole, HubSecurity, HubSettings};
use snapback_transport::packet::{ConnectionKey, PlainChannel};
use snapback_transport::secure::{Fingerprint, Identity, MatchSecret, SecureEvent, SecureSettings, SecureSocket};
use std::net::SocketAddr;

pub(super) const MATCH_ID: u64 = 7;
const SECRET: MatchSecret = MatchSecret([9; 32]);

/// What laminar puts before a packet that it only carries.
pub(super) const PACKET: [u8; 5] = [0x54, 0x09, 0, 0, 0];
/// Its sign of life.
pub(super) const HEARTBEAT: [u8; 5] = [0x54, 0x09, 2, 0, 0];

/// Where the player of a seat is.
pub(super) fn address(seat: u8) -> SocketAddr {
    SocketAddr::from(([10, 0, 0, 1 + seat], 7_001))
}

fn secure(seat: u8) -> SecureSettings {
    let seed = [seat + 1; 32];
    SecureSettings::new(MATCH_ID, certificate(seat.into()), Identity::from_seed(&seed), seed)
}

fn fingerprint(seat: u8) -> Fingerprint {
    certificate(seat.into()).fingerprint()
}

/// Settings of an honest hub.
pub(super) fn settings(seat: u8, is_encrypted: bool) -> HubSettings {
    let role = if seat == 0 { HubRole::Host } else { HubRole::Join { host: address(0) } };
    let invitation = match seat {
        0 => HubInvitation::Issued(SECRET),
        _ => HubInvitation::Held { secret: SECRET.seat(seat), host: fingerprint(0) },
    };
    let security =
        if is_encrypted { HubSecurity::Encrypted { settings: Box::new(secure(seat)), invitation } } else { HubSecurity::InsecureLan };
    HubSettings::new(MATCH_ID, snapback_core::PlayerHandle::new(seat), 3, 50 + u64::from(seat), role, security)
}

enum Wire {
    /// Its nonce, the victim's once it is known, and when to knock.
    Plain {
        nonce: u32,
        echo: u32,
        knock_us: u64,
    },
    Sealed(Box<SecureSocket>),
}

/// See the module.
pub(super) struct Rogue {
    pub(super) seat: u8,
    victim: u8,
    wire: Wire,
    attempts: u32,
    out: Vec<Vec<u8>>,
}

impl Rogue {
    /// Somebody in a seat, who wants to get at the victim in another one. The lower seat listens.
    pub(super) fn new(seat: u8, victim: u8, is_encrypted: bool) -> Self {
        let socket = || SecureSocket::new(secure(seat)).expect("the library takes the usual settings");
        let wire = if is_encrypted { Wire::Sealed(Box::new(socket())) } else { Wire::Plain { nonce: 1, echo: 0, knock_us: 0 } };
        let mut rogue = Self { seat, victim, wire, attempts: 0, out: Vec::new() };
        rogue.begin(0);
        rogue
    }

    fn is_dialer(&self) -> bool {
        self.seat > self.victim
    }

    /// Begins a new connection, as a program that was started anew.
    pub(super) fn begin(&mut self, now_us: u64) {
        self.attempts += 1;
        let (seat, victim, attempts, is_dialer) = (self.seat, self.victim, self.attempts, self.is_dialer());
        match &mut self.wire {
            Wire::Plain { nonce, echo, knock_us } => (*nonce, *echo, *knock_us) = (attempts, 0, now_us),
            Wire::Sealed(socket) if is_dialer => {
                socket.hang_up(address(victim));
                socket.dial(now_us, address(victim), seat, SECRET.seat(seat).for_channels(), fingerprint(victim), attempts.into());
            }
            Wire::Sealed(socket) => socket.expect(victim, SECRET.seat(victim).for_channels(), None),
        }
    }

    /// Whether it can say something.
    #[cfg(test)]
    pub(super) fn is_met(&self) -> bool {
        match &self.wire {
            Wire::Plain { echo, .. } => *echo != 0,
            Wire::Sealed(socket) => socket.proved(address(self.victim)).is_some(),
        }
    }

    /// What a payload is on the wire; nothing before it is met.
    pub(super) fn seal(&mut self, payload: &[u8]) -> Option<Vec<u8>> {
        let mut datagram = [0; 1_200];
        let len = match &mut self.wire {
            Wire::Plain { echo: 0, .. } => 0,
            Wire::Plain { nonce, echo, .. } => {
                let packet = PlainChannel { seat: self.seat, nonce: *nonce, echo: *echo, payload };
                packet.write(ConnectionKey::channels(MATCH_ID, self.seat, self.victim), &mut datagram)
            }
            Wire::Sealed(socket) => socket.seal(address(self.victim), payload, &mut datagram),
        };
        (len > 0).then(|| datagram[..len].to_vec())
    }

    /// Takes a datagram of the victim, and says what it carried.
    pub(super) fn hear(&mut self, now_us: u64, datagram: &[u8]) -> Vec<Vec<u8>> {
        let is_dialer = self.is_dialer();
        let mut payloads = Vec::new();
        match &mut self.wire {
            Wire::Plain { nonce, echo, .. } => {
                let key = ConnectionKey::channels(MATCH_ID, self.victim, self.seat);
                let Ok(packet) = PlainChannel::read(datagram, key) else { return payloads };
                if packet.echo == 0 && !is_dialer {
                    // A knock: the answer shows that it was heard.
                    let answer = PlainChannel { seat: self.seat, nonce: *nonce, echo: packet.nonce, payload: &[] };
                    let mut out = [0; PlainChannel::OVERHEAD_BYTES];
                    answer.write(ConnectionKey::channels(MATCH_ID, self.seat, self.victim), &mut out);
                    self.out.push(out.to_vec());
                } else if packet.echo == *nonce {
                    *echo = packet.nonce;
                    // A question whether it is where it seems to be.
                    if let [1, token @ ..] = packet.payload
                        && token.len() == 4
                    {
                        let answer = [&[2], token].concat();
                        let packet = PlainChannel { seat: self.seat, nonce: *nonce, echo: *echo, payload: &answer };
                        let mut out = [0; PlainChannel::OVERHEAD_BYTES + 5];
                        packet.write(ConnectionKey::channels(MATCH_ID, self.seat, self.victim), &mut out);
                        self.out.push(out.to_vec());
                    } else {
                        payloads.push(packet.payload.to_vec());
                    }
                }
            }
            Wire::Sealed(socket) => {
                let _ = socket.handle(now_us, address(self.victim), datagram);
                while let Some((_, payload)) = socket.next_packet() {
                    payloads.push(payload.to_vec());
                }
            }
        }
        payloads
    }

    /// The datagrams that the wire has to send by itself.
    pub(super) fn poll(&mut self, now_us: u64) -> Vec<Vec<u8>> {
        let mut out = std::mem::take(&mut self.out);
        let is_dialer = self.is_dialer();
        match &mut self.wire {
            Wire::Plain { nonce, echo: 0, knock_us } if is_dialer && *knock_us <= now_us => {
                *knock_us = now_us + 150_000;
                let knock = PlainChannel { seat: self.seat, nonce: *nonce, echo: 0, payload: &[] };
                let mut datagram = [0; PlainChannel::OVERHEAD_BYTES];
                knock.write(ConnectionKey::channels(MATCH_ID, self.seat, self.victim), &mut datagram);
                out.push(datagram.to_vec());
            }
            Wire::Plain { .. } => {}
            Wire::Sealed(socket) => {
                while let Some(event) = socket.poll_event() {
                    if let SecureEvent::Established { address, .. } = event {
                        socket.claim(address);
                    }
                }
                let mut datagram = [0; 1_200];
                while let Some((_, len)) = socket.poll_transmit(now_us, &mut datagram) {
                    out.push(datagram[..len].to_vec());
                }
            }
        }
        out
    }
}
