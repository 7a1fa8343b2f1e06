//! [`Duel`]: a whole [`Peer`], which is the victim, and one that plays with it honestly, behind which
//! somebody malicious speaks too who has all its keys.
//!
//! The honest one always plays without encryption. If the victim encrypts, a tunnel does it for the
//! honest one: packets are the same under both profiles but for the checksum at their end.

use crate::checksum::{GREETING_SEED, connection_seed, sealed};
use crate::game::{Abacus, Push};
use crate::targets::handshake::certificate;
use snapback::transport::secure::{AddressPolicy, Identity, MatchSecret, SecureSettings, SecureSocket};
use snapback::{
    Credentials, Frame, Invitation, LocalInput, Peer, PeerPhase, PeerSettings, PlayerHandle, Role, RollbackConfig, Security, SeedSecret,
    TRANSMIT_BUFFER_BYTES,
};
use std::collections::BTreeSet;
use std::net::SocketAddr;

const MATCH: u64 = 5;
const HOST_NONCE: u64 = 0x00AA_0000_0000_FFF0;
const JOINER_NONCE: u64 = 0x00BB_0000_0000_0009;
const LAST_FRAME: i64 = 400;
const FRAME_US: u64 = 16_667;

/// How a duel is set up.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Whether the victim encrypts.
    pub is_encrypted: bool,
    /// Whether the victim is the joiner and not the host.
    pub is_joiner: bool,
    /// Two, or three of whom the third never comes.
    pub player_count: u8,
}

/// See the module.
pub struct Duel {
    victim: Peer<Abacus>,
    honest: Peer<Abacus>,
    tunnel: Option<SecureSocket>,
    shape: Shape,
    now_us: u64,
    /// Datagrams that the victim was given.
    pub datagrams: u64,
    /// What the honest one said last in a packet of inputs, checksum left out.
    newest_inputs: Vec<u8>,
    /// What was on the wire from the honest one to the victim.
    seen: Vec<Vec<u8>>,
    /// Who spoke to the victim since everything was last sent.
    spoke: BTreeSet<SocketAddr>,
    /// Where it sent something since then, unasked.
    bothered: BTreeSet<SocketAddr>,
}

/// A victim speaks unasked to the peers of its match, and to one of them where it was before.
const MAX_BOTHERED: usize = 4;

/// Which way is cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cut {
    /// None.
    None,
    /// The victim hears nothing.
    ToVictim,
    /// The victim is not heard.
    FromVictim,
}

/// Where the honest one is.
#[must_use]
pub fn honest_address() -> SocketAddr {
    SocketAddr::from(([10, 0, 0, 2], 7_000))
}

fn victim_address() -> SocketAddr {
    SocketAddr::from(([10, 0, 0, 1], 7_000))
}

impl Duel {
    /// Before the first datagram.
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        let secret = MatchSecret([9; 32]);
        let mut tunnel = shape.is_encrypted.then(|| {
            let settings = SecureSettings::new(MATCH, certificate(1), Identity::from_seed(&[2; 32]), [2; 32]);
            SecureSocket::new(settings).expect("the library takes the usual settings")
        });
        let security = match &mut tunnel {
            None => Security::InsecureLan,
            Some(tunnel) => {
                let invitation = if shape.is_joiner {
                    tunnel.expect(1, secret.seat(1), None);
                    Invitation::Held { seat: 1, secret: secret.seat(1), host: tunnel.fingerprint() }
                } else {
                    tunnel.dial(0, victim_address(), 1, secret.seat(1), certificate(0).fingerprint(), 3);
                    Invitation::Issued(secret)
                };
                let identity = Identity::from_seed(&[1; 32]);
                let address_policy = AddressPolicy::default();
                Credentials {
                    certificate: certificate(0),
                    identity,
                    cookie_key: [1; 32],
                    invitation,
                    address_policy,
                    players_per_ticket: 1,
                }
                .into()
            }
        };
        let peer = |is_joiner: bool, host: SocketAddr, security: Security| {
            let role = if is_joiner {
                Role::Join { host }
            } else {
                Role::Host { first_frame: Frame::ZERO, last_frame: Some(Frame::new(LAST_FRAME)) }
            };
            let config = RollbackConfig { require_encrypted_transport: false, ..RollbackConfig::default() };
            let settings = PeerSettings {
                role,
                match_id: MATCH,
                nonce: if is_joiner { JOINER_NONCE } else { HOST_NONCE },
                seed_secret: SeedSecret::fixed(if is_joiner { 0 } else { 7 }),
                player_count: shape.player_count,
                local_player_count: 1,
                config,
                input_delay_frames: 1,
                security,
            };
            let mut peer = Peer::new(Abacus::default(), settings, 0).expect("the settings are possible ones");
            peer.set_loaded();
            peer
        };
        Self {
            victim: peer(shape.is_joiner, honest_address(), security),
            honest: peer(!shape.is_joiner, victim_address(), Security::InsecureLan),
            tunnel,
            shape,
            now_us: 0,
            datagrams: 0,
            newest_inputs: Vec::new(),
            seen: Vec::new(),
            spoke: BTreeSet::new(),
            bothered: BTreeSet::new(),
        }
    }

    fn connection_seed(&self) -> u32 {
        // The host's end of a connection has a nonce of its own, made from the joiner's players.
        connection_seed(MATCH, JOINER_NONCE, HOST_NONCE ^ 2 << 56)
    }

    /// As a packet goes on the wire that the honest one could have made, from its bytes without a
    /// checksum.
    fn as_honest(&mut self, body: &[u8]) -> Vec<u8> {
        let Some(tunnel) = &mut self.tunnel else {
            let is_greeting = body.first().is_some_and(|first| (1..=3).contains(&(first & 0x0F)));
            return sealed(if is_greeting { GREETING_SEED } else { self.connection_seed() }, body);
        };
        let mut out = [0; 2 * TRANSMIT_BUFFER_BYTES];
        let len = tunnel.seal(victim_address(), body, &mut out);
        out[..len].to_vec()
    }

    /// Gives the victim a packet that has all its keys.
    pub fn lie(&mut self, body: &[u8]) {
        let datagram = self.as_honest(body.get(..TRANSMIT_BUFFER_BYTES).unwrap_or(body));
        self.give(honest_address(), &datagram);
    }

    /// Gives the victim a greeting in the clear.
    pub fn greet(&mut self, from: SocketAddr, body: &[u8]) {
        self.give(from, &sealed(GREETING_SEED, body));
    }

    /// Gives the victim a datagram.
    pub fn give(&mut self, from: SocketAddr, datagram: &[u8]) {
        self.datagrams += 1;
        self.spoke.insert(from);
        self.victim.handle(self.now_us, from, datagram);
    }

    /// Gives the victim again what the honest one once said.
    pub fn repeat(&mut self, nth: usize, from: SocketAddr) {
        if let Some(datagram) = self.seen.get(nth % self.seen.len().max(1)).cloned() {
            self.give(from, &datagram);
        }
    }

    /// A packet of inputs like the newest honest one, changed from `offset` on, and its sequence moved.
    pub fn forge(&mut self, sequence: i8, offset: usize, mask: &[u8]) {
        let mut body = self.newest_inputs.clone();
        if let Some(place) = body.get_mut(1..).and_then(<[u8]>::first_chunk_mut::<2>) {
            *place = u16::from_le_bytes(*place).wrapping_add_signed(sequence.into()).to_le_bytes();
        }
        body.iter_mut().skip(offset).zip(mask).for_each(|(byte, mask)| *byte ^= mask);
        body.extend(mask.get(body.len().saturating_sub(offset)..).unwrap_or_default());
        self.lie(&body);
    }

    /// The victim's program ends the match.
    pub fn leave(&mut self) {
        self.victim.leave(self.now_us);
    }

    /// Time passes without anybody doing anything.
    pub fn wait(&mut self, us: u64) {
        self.now_us += us;
    }

    /// One frame of the match.
    pub fn tick(&mut self, cut: Cut) {
        self.now_us += FRAME_US;
        for (peer, seat) in [(&mut self.victim, u8::from(self.shape.is_joiner)), (&mut self.honest, u8::from(!self.shape.is_joiner))] {
            if peer.phase() != PeerPhase::Over {
                // A malicious Welcome may have given it another seat.
                let players = peer.facts().map(|facts| facts.local_players);
                let player = players.and_then(|players| players.iter().next()).unwrap_or(PlayerHandle::new(seat));
                let input = Push { bead: (self.now_us / (7 * FRAME_US)) as u8 % 16, distance: seat as i8 };
                let _ = peer.tick(self.now_us, &[LocalInput::new(player, input)]);
            }
        }
        self.settle(cut);
    }

    /// Everything that is to be sent is sent and arrives.
    pub fn settle(&mut self, cut: Cut) {
        let mut sent = 0;
        loop {
            let before = sent;
            sent += self.honest_speaks(cut) + self.victim_speaks(cut);
            assert!(sent < 2_000, "the two have no end of datagrams");
            if sent == before {
                break;
            }
        }
        assert!(self.bothered.len() <= MAX_BOTHERED, "the victim speaks to strangers: {:?}", self.bothered);
        self.spoke.clear();
        self.bothered.clear();
        let mut events = 0;
        while self.victim.poll_event().is_some() {
            events += 1;
            assert!(events <= 64, "more events than are kept");
        }
        while self.honest.poll_event().is_some() {}
        // Who asks to be polled at once may do so a few times in a row, and not for ever.
        let is_due = |victim: &Peer<Abacus>, now_us: u64| victim.poll_timeout().is_some_and(|next| next <= now_us);
        let mut rounds = 0;
        while is_due(&self.victim, self.now_us) {
            self.victim_speaks(cut);
            rounds += 1;
            assert!(rounds < 4, "nothing to send at {}, and polling is asked for at {:?}", self.now_us, self.victim.poll_timeout());
        }
        assert!(self.victim.connections().count() <= 8, "more connections than players");
    }

    fn honest_speaks(&mut self, cut: Cut) -> usize {
        let mut out = [0; TRANSMIT_BUFFER_BYTES];
        let mut sent = 0;
        let mut datagrams = Vec::new();
        // Before the tunnel stands, the honest one's packets are lost, as on any bad network.
        while let Some(transmit) = self.honest.poll_transmit(self.now_us, &mut out) {
            sent += 1;
            let body = &out[..transmit.len - 4];
            if body[0] & 0x0F == 5 {
                self.newest_inputs = body.to_vec();
            }
            datagrams.push(self.as_honest(body));
        }
        if let Some(tunnel) = &mut self.tunnel {
            while let Some((_, len)) = tunnel.poll_transmit(self.now_us, &mut out) {
                sent += 1;
                assert!(sent < 2_000, "a tunnel without end");
                datagrams.push(out[..len].to_vec());
            }
        }
        for datagram in datagrams.into_iter().filter(|datagram| !datagram.is_empty()) {
            if cut != Cut::ToVictim {
                self.give(honest_address(), &datagram);
            }
            if self.seen.len() < 256 {
                self.seen.push(datagram);
            }
        }
        sent
    }

    fn victim_speaks(&mut self, cut: Cut) -> usize {
        let mut out = [0; TRANSMIT_BUFFER_BYTES];
        let mut sent = 0;
        let connection_seed = self.connection_seed();
        while let Some(transmit) = self.victim.poll_transmit(self.now_us, &mut out) {
            sent += 1;
            assert!(sent < 1_000, "the victim sends without end");
            assert!(transmit.len > 0 && transmit.len <= TRANSMIT_BUFFER_BYTES);
            if !self.spoke.contains(&transmit.to) {
                self.bothered.insert(transmit.to);
            }
            if cut == Cut::FromVictim || transmit.to != honest_address() {
                continue;
            }
            let datagram = &out[..transmit.len];
            match &mut self.tunnel {
                None => self.honest.handle(self.now_us, victim_address(), datagram),
                Some(tunnel) => {
                    let _ = tunnel.handle(self.now_us, victim_address(), datagram);
                    while let Some((_, packet)) = tunnel.next_packet() {
                        let is_greeting = (1..=3).contains(&(packet[0] & 0x0F));
                        let packet = sealed(if is_greeting { GREETING_SEED } else { connection_seed }, packet);
                        self.honest.handle(self.now_us, victim_address(), &packet);
                    }
                    while tunnel.poll_event().is_some() {}
                }
            }
        }
        sent
    }

    /// Where the victim is in its match.
    #[must_use]
    pub fn phase(&self) -> PeerPhase {
        self.victim.phase()
    }

    /// Where the honest one is.
    #[must_use]
    pub fn honest_phase(&self) -> PeerPhase {
        self.honest.phase()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Undisturbed, both come to the end in every shape: the targets begin from a match that works.
    #[test]
    fn an_undisturbed_match_comes_to_its_end() {
        for (is_encrypted, is_joiner) in [(false, false), (false, true), (true, false), (true, true)] {
            let mut duel = Duel::new(Shape { is_encrypted, is_joiner, player_count: 2 });
            for _ in 0..700 {
                duel.tick(Cut::None);
            }
            assert_eq!((duel.phase(), duel.honest_phase()), (PeerPhase::Over, PeerPhase::Over), "{is_encrypted} {is_joiner}");
            assert!(duel.datagrams > 400, "{}", duel.datagrams);
        }
    }
}
