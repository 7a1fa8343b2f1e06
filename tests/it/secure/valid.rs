//! A peer that has a ticket, a seat and the keys, and lies in every field.

use super::table::{MATCH_ID, SECRET, address, host_credentials, identity, settings};
use snapback::limits::MAX_INPUT_DELAY_FRAMES;
use snapback::sim::{PadInput, World, WorldData};
use snapback::transport::endpoint::LinkEvent;
use snapback::transport::packet::{
    BarrierState, Bye, ConnectionKey, InputFlags, InputHeader, LeaveReason, Path, Proof, Reject, SeedPart, Sync,
};
use snapback::transport::secure::{Certificate, SecureSettings, SecureSocket};
use snapback::transport::{Endpoint, EndpointSettings, LinkState, PeerParams};
use snapback::{
    Command, Frame, LocalInput, NameHash, Peer, PeerPhase, PlayerHandle, PlayerSet, Rng, RollbackConfig, SeedSecret, Simulation, StateHash,
    TRANSMIT_BUFFER_BYTES,
};

const STEP_US: u64 = 16_667;

/// A host and somebody who holds the other end of an encrypted connection to it.
struct Duel {
    now_us: u64,
    host: Peer<World>,
    socket: SecureSocket,
    endpoint: Endpoint,
    frame: i64,
}

fn params(world: &World, config: &RollbackConfig) -> PeerParams {
    PeerParams {
        simulation_name: NameHash::of(world.id().name).bits(),
        simulation_version: world.id().version,
        layout_fingerprint: world.layout().fingerprint(),
        config_hash: world.config_hash(),
        simulation_hz: config.simulation_hz as u16,
        input_bytes: size_of::<PadInput>() as u8,
        player_count: 2,
        window_max_frames: config.prediction_window_frames as u8,
        delay_max_frames: MAX_INPUT_DELAY_FRAMES.min(10),
    }
}

impl Duel {
    fn new(nonce: u64) -> Self {
        let (credentials, fingerprint) = host_credentials();
        let host = Peer::new(World::new(WorldData::default()), settings(0, 2, 1_000, credentials.into()), 0);
        let mut host = host.unwrap();
        host.set_loaded();
        let secure = SecureSettings::new(MATCH_ID, Certificate::generate().unwrap(), identity(1), [9; 32]);
        let mut socket = SecureSocket::new(secure).unwrap();
        socket.dial(0, address(0), 1, SECRET.seat(1), fingerprint, 4);
        let config = RollbackConfig::default();
        let params = params(&World::new(WorldData::default()), &config);
        let endpoint_settings = EndpointSettings {
            is_encrypted: true,
            packet_budget_bytes: socket.packet_budget_bytes(),
            ..EndpointSettings::new(MATCH_ID, nonce, params, PlayerSet::EMPTY, &config)
        };
        let endpoint = Endpoint::dial(address(0), endpoint_settings, 0);
        Self { now_us: 0, host, socket, endpoint, frame: -1 }
    }

    /// Plays honestly until the match has run for a while.
    fn playing(nonce: u64) -> Self {
        let mut duel = Self::new(nonce);
        for _ in 0..200 {
            duel.step();
        }
        assert_eq!(duel.host.phase(), PeerPhase::Playing);
        assert!(duel.confirmed() > 20, "{}", duel.confirmed());
        duel
    }

    fn confirmed(&self) -> i64 {
        self.host.confirmed_state().frame.number()
    }

    /// One turn in which both keep the rules.
    fn step(&mut self) {
        self.now_us += STEP_US;
        self.tick_host();
        let mut out = [0; TRANSMIT_BUFFER_BYTES];
        let open = self.socket.proved(address(0)).is_some();
        let len = match self.endpoint.state() {
            _ if !open => 0,
            LinkState::Dialing => self.endpoint.write_hello(1, &mut out),
            LinkState::Waiting => self.endpoint.write_sync(self.now_us, BarrierState::Ready, None, &seed_part(), &[], &mut out),
            _ => {
                self.frame += 1;
                let frame = self.frame;
                self.endpoint.write_inputs(self.now_us, Frame::new(frame), &mut out, |_, _, bytes| {
                    bytes.fill(0);
                    Command::NONE
                })
            }
        };
        if len > 0 {
            self.say(&out[..len]);
        }
        self.carry();
        if self.host.phase() == PeerPhase::Playing {
            self.endpoint.on(LinkEvent::Started);
        }
    }

    fn tick_host(&mut self) {
        if self.host.start_at_us().is_some_and(|start| start <= self.now_us) && self.host.phase() != PeerPhase::Over {
            self.host.tick(self.now_us, &[LocalInput::new(PlayerHandle::new(0), PadInput::new(0))]).unwrap();
        }
    }

    /// Carries everything that is due, in both directions.
    fn carry(&mut self) {
        let mut out = [0; TRANSMIT_BUFFER_BYTES];
        for _ in 0..10 {
            while let Some((_, len)) = self.socket.poll_transmit(self.now_us, &mut out) {
                self.host.handle(self.now_us, address(1), &out[..len]);
            }
            while let Some(transmit) = self.host.poll_transmit(self.now_us, &mut out) {
                let _ = self.socket.handle(self.now_us, address(0), &out[..transmit.len]);
                while let Some((_, packet)) = self.socket.next_packet() {
                    let _ = self.endpoint.handle(self.now_us, packet);
                }
            }
        }
    }

    /// Seals a packet, whatever it is, and hands it to the host.
    fn say(&mut self, packet: &[u8]) {
        let mut out = [0; TRANSMIT_BUFFER_BYTES];
        let len = self.socket.seal(address(0), packet, &mut out);
        self.host.handle(self.now_us, address(1), &out[..len]);
    }

    fn rejects(&self, reject: Reject) -> u64 {
        self.host.rejects().find(|(it, _)| *it == reject).map_or(0, |(_, count)| count)
    }

    /// Says something that must be refused for this reason, and change nothing.
    fn refused(&mut self, packet: &[u8], reject: Reject) {
        let (before, confirmed) = (self.rejects(reject), self.host.confirmed_state());
        self.say(packet);
        assert_eq!(self.rejects(reject), before + 1, "{reject}: {packet:02x?}, {:?}", self.host.rejects().collect::<Vec<_>>());
        assert_eq!((self.host.confirmed_state(), self.host.phase()), (confirmed, PeerPhase::Playing));
    }

    fn goes_on(&mut self) {
        let before = self.confirmed();
        for _ in 0..30 {
            self.step();
        }
        assert!(self.confirmed() >= before + 25, "the match stands still at {before}: {:?}", self.host.outcome());
    }

    /// A header that is right so far: nothing new, and nothing acknowledged.
    fn header(&self, ahead: u16) -> InputHeader {
        let sequence = (NONCE as u16).wrapping_add(self.inputs_sent() as u16).wrapping_add(ahead);
        InputHeader {
            sequence,
            newest_frame: Frame::new(self.frame).to_wire(),
            input_ack: Frame::new(self.endpoint.received_frame().number()).to_wire(),
            ..InputHeader::default()
        }
    }

    fn inputs_sent(&self) -> i64 {
        self.frame + 1
    }
}

const NONCE: u64 = 7 << 16 | 500;

fn written(header: InputHeader, inputs: &[u8]) -> Vec<u8> {
    let mut out = [0; TRANSMIT_BUFFER_BYTES];
    let start = header.bytes();
    out[start..start + inputs.len()].copy_from_slice(inputs);
    let len = header.finish(ConnectionKey::AEAD, inputs.len(), &mut out);
    out[..len].to_vec()
}

#[test]
fn an_honest_one_plays() {
    let mut duel = Duel::playing(NONCE);
    duel.goes_on();
    let good = written(duel.header(0), &[]);
    let received = duel.endpoint.stats().packets_sent;
    duel.say(&good);
    assert!(received > 0);
    assert_eq!(duel.rejects(Reject::SequenceJump) + duel.rejects(Reject::BadWindow) + duel.rejects(Reject::Duplicate), 0);
}

#[test]
fn frames_that_cannot_be_are_refused() {
    let mut duel = Duel::playing(NONCE);
    // Far enough that a window of 255 frames begins after the first.
    for _ in 0..200 {
        duel.step();
    }
    let here = duel.frame;
    assert!(here > 300);
    let far = |frame: i64| Frame::new(frame.max(0)).to_wire();
    for (newest, count, reject) in [
        // Frame -1, and what a signed number of 16 or 32 bits would make of its ends.
        (0xFFFF, 1, Reject::BadWindow),
        (0xFFFF, 255, Reject::BadWindow),
        (0x8000, 1, Reject::BeyondHorizon),
        (far(here + 1_000), 1, Reject::BeyondHorizon),
        (far(here + 20_000), 8, Reject::BeyondHorizon),
        (far(here + 32_000), 1, Reject::BeyondHorizon),
        (far(here), 255, Reject::BadWindow),
        (far(here + 5), 1, Reject::Gap),
        (far(3), 10, Reject::BadWindow),
    ] {
        let header = InputHeader { newest_frame: newest, frame_count: count, ..duel.header(0) };
        duel.refused(&written(header, &[0; 4]), reject);
    }
    let header = InputHeader { newest_frame: far(here + 5_000), frame_count: 1, ..duel.header(0) };
    duel.refused(&written(header, &[0; 4]), Reject::BeyondHorizon);
    let header = InputHeader { frame_count: 255, ..duel.header(0) };
    duel.refused(&written(header, &[0; 4]), Reject::BadWindow);
    duel.goes_on();
}

#[test]
fn acknowledgements_of_what_was_never_sent_are_refused() {
    let mut duel = Duel::playing(NONCE);
    let received = duel.endpoint.received_frame();
    for ahead in [100, 1_000, 30_000] {
        let header = InputHeader { input_ack: (received + ahead).to_wire(), ..duel.header(0) };
        duel.refused(&written(header, &[]), Reject::InputAckOfUnsent);
    }
    let flags = InputFlags { has_ack: true, ..InputFlags::default() };
    for ack in (0..=u16::MAX).step_by(257) {
        let header = InputHeader { flags, ack, ack_bits: u32::MAX - 1, ..duel.header(0) };
        let before = duel.host.confirmed_state();
        duel.say(&written(header, &[]));
        assert_eq!(duel.host.confirmed_state(), before);
    }
    assert!(duel.rejects(Reject::AckOfUnsent) > 100, "{:?}", duel.host.rejects().collect::<Vec<_>>());
    duel.goes_on();
}

#[test]
fn a_leap_of_the_sequence_is_refused_and_harms_nothing() {
    let mut duel = Duel::playing(NONCE);
    for ahead in [1_100, 5_000, 32_000] {
        duel.refused(&written(duel.header(ahead), &[]), Reject::SequenceJump);
    }
    duel.goes_on();
}

/// A few bytes that claim to be the inputs of as many frames as there may be, and more.
#[test]
fn runs_that_swell_are_bounded() {
    let mut duel = Duel::playing(NONCE);
    let mut rng = Rng::new(1, 1);
    for count in 0..=255u8 {
        for body in 0..4usize {
            let inputs: Vec<u8> = (0..body * 300).map(|_| if body == 1 { 0xFF } else { rng.next_u32() as u8 }).collect();
            let header = InputHeader { frame_count: count, ..duel.header(0) };
            let before = duel.host.confirmed_state();
            // Flipped in its own honest past, an input is a breach that ends the match: so nothing that
            // decodes may touch it.
            if count > 0 && body == 0 || count > 60 {
                duel.say(&written(header, &inputs));
                assert_eq!(duel.host.confirmed_state(), before);
                assert_eq!(duel.host.phase(), PeerPhase::Playing);
            }
        }
    }
    duel.goes_on();
}

/// Packets of every type and length with nothing in them, and packets that mean nothing now.
#[test]
fn empty_unknown_and_misplaced_packets_are_refused() {
    let mut duel = Duel::playing(NONCE);
    for first in 0..=255u8 {
        for len in [1, 2, 3, 10, 15, 96, 131, 1_000] {
            // A goodbye ends the match, rightly, if all its fields are possible; so does a check that says
            // something else than is true.
            if ![6, 14].contains(&(first & 0x0F)) {
                let mut packet = vec![0; len];
                packet[0] = first;
                let before = duel.host.confirmed_state();
                duel.say(&packet);
                assert_eq!((duel.host.confirmed_state(), duel.host.phase()), (before, PeerPhase::Playing), "{first} and {len}");
            }
        }
    }
    let mut out = [0; TRANSMIT_BUFFER_BYTES];
    let proof = Proof { seat: 1, is_answer: false, secret_proof: [1; 32], identity: [2; 32], signature: [3; 64] };
    proof.write(&mut out);
    duel.refused(&out[..Proof::BYTES], Reject::BadProof);
    Path { is_answer: true, token: 5 }.write(&mut out);
    duel.refused(&out[..Path::BYTES], Reject::WrongState);
    let sync =
        Sync { state: BarrierState::Ready, sent_us: 0, echo: Some((0, 0)), start_in_us: u32::MAX, seed: seed_part(), roster: Vec::new() };
    let len = sync.write(ConnectionKey::AEAD, &mut out);
    duel.refused(&out[..len], Reject::WrongState);
    // A parity group of one, of none, and of packets that never were.
    for n in 0..200u32 {
        let mut packet: Vec<u8> = (0..20 + n).map(|byte| (byte * n) as u8).collect();
        packet[0] = 8;
        packet[3] = (n % 4) as u8;
        duel.say(&packet);
    }
    assert_eq!(duel.host.phase(), PeerPhase::Playing);
    duel.goes_on();
}

/// A goodbye with impossible frames and hashes ends the match by a type and nothing else.
#[test]
fn a_lying_goodbye_ends_the_match_by_a_type() {
    for confirmed_frame in [Frame::INITIAL, Frame::new(1 << 40), Frame::new(599), Frame::ZERO] {
        for reason in [LeaveReason::Finished, LeaveReason::Quit, LeaveReason::PeerLost, LeaveReason::Violation] {
            let mut duel = Duel::playing(NONCE);
            let bye = Bye { reason, confirmed_frame, confirmed_hash: StateHash::from_bits(1), digest: 2, lost: PlayerSet::first(8) };
            let mut out = [0; TRANSMIT_BUFFER_BYTES];
            let len = bye.write(ConnectionKey::AEAD, &mut out);
            duel.say(&out[..len]);
            for _ in 0..1_000 {
                duel.step();
            }
            assert_eq!(duel.host.phase(), PeerPhase::Over, "{bye:?}");
            let line = duel.host.outcome().unwrap().to_string();
            assert!(!line.contains("every peer agrees"), "{line}");
            assert_ne!(duel.host.outcome(), Some(&snapback::Outcome::Agreed), "{bye:?}");
        }
    }
}

/// Everything at random, sealed by a valid peer: no panic, no more than a typed end.
#[test]
fn random_packets_of_a_valid_peer_never_panic() {
    for seed in 0..20 {
        let mut duel = Duel::playing(NONCE);
        let mut rng = Rng::new(seed, 1);
        for _ in 0..2_000 {
            let mut packet: Vec<u8> = (0..1 + rng.below(200)).map(|_| rng.next_u32() as u8).collect();
            if rng.chance(700_000) {
                let near = written(duel.header(rng.below(4) as u16), &packet);
                packet = near;
                let at = rng.below(16.min(packet.len() as u32)) as usize;
                packet[at] = rng.next_u32() as u8;
            }
            duel.say(&packet);
        }
        for _ in 0..1_500 {
            duel.step();
        }
        assert_eq!(duel.host.phase(), PeerPhase::Over, "seed {seed}");
    }
}

/// What the joiner, who has nothing to hide, says about the seed.
fn seed_part() -> SeedPart {
    SeedPart::new(&SeedSecret::fixed(0), MATCH_ID, PlayerSet::from_bits(2), 0, true)
}
