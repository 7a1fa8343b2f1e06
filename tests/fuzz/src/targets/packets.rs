//! Every packet type. A step is one datagram; the low half of its action says which decoder reads it,
//! the high half by which key. What reads is written again, and must read as the same.

use crate::case::{Case, Step};
use crate::checksum::{GREETING_SEED, connection_seed, sealed};
use snapback_core::{Frame, PlayerSet, StateHash};
use snapback_transport::PeerParams;
use snapback_transport::credentials::{Fingerprint, SeatSecret};
use snapback_transport::packet::{
    BarrierState, Bye, Check, ConnectionKey, Cookie, DATAGRAM_BUDGET_BYTES, DatagramDescriptor, Hello, InputDigests, InputFlags,
    InputHeader, InputView, Knock, LeaveReason, Opener, PROTOCOL_VERSION, PacketType, Pairing, ParityView, Path, PlainChannel, Proof,
    Refusal, RefusalReason, RosterEntry, SeedPart, SeedSecret, Sync, Welcome,
};

const MATCH: (u64, u64, u64) = (1, 2, 3);

/// A step by the first byte of its datagram: the decoder is the one of its type.
const BY_TYPE: u8 = 15;

/// See the module.
#[must_use]
pub fn fuzz(input: &[u8]) -> u64 {
    let steps = Case::read(input).steps;
    for step in &steps {
        let (match_id, dialer, listener) = MATCH;
        let connection = ConnectionKey::new(match_id, dialer, listener);
        let (key, datagram) = match step.action >> 4 & 3 {
            0 => (ConnectionKey::GREETING, sealed(GREETING_SEED, &step.bytes)),
            1 => (connection, sealed(connection_seed(match_id, dialer, listener), &step.bytes)),
            2 => (ConnectionKey::AEAD, step.bytes.clone()),
            _ => (connection, step.bytes.clone()),
        };
        let _ = DatagramDescriptor::of_handshake(&datagram).socket_profile();
        let descriptor = DatagramDescriptor::of_packet(&datagram, step.action >> 7 == 1, (step.action >> 6 & 1 == 1).then_some(&datagram));
        let _ = (descriptor.is_sequence_numbered(), descriptor.is_ack_piggybacked(), descriptor.is_encrypted());
        let kind = match step.action & 0x0F {
            BY_TYPE => PacketType::of(&datagram).map_or(0, |kind| kind as u8),
            named => named,
        };
        read(kind, &datagram, key);
    }
    steps.len() as u64
}

fn read(kind: u8, datagram: &[u8], key: ConnectionKey) {
    let mut out = [0; 2 * DATAGRAM_BUDGET_BYTES];
    macro_rules! again {
        ($type:ty, $value:expr, $len:expr $(, $key:expr)?) => {{
            let (value, len) = ($value, $len);
            assert!(len > 0, "{value:?} reads and does not fit");
            assert_eq!(<$type>::read(&out[..len] $(, $key)?), Ok(value));
        }};
    }
    match kind {
        1 => {
            if let Ok(value) = Hello::read(datagram, key) {
                again!(Hello, value, value.write(key, &mut out), key);
            }
        }
        2 => {
            if let Ok(value) = Welcome::read(datagram, key) {
                again!(Welcome, value, value.write(key, &mut out), key);
            }
        }
        3 => match Refusal::read(datagram, key) {
            // What another version says is not said again.
            Ok(Refusal { reason: RefusalReason::Version(_), .. }) | Err(_) => {}
            Ok(value) => {
                assert!(!value.reason.to_string().is_empty());
                again!(Refusal, value, value.write(key, &mut out), key);
            }
        },
        4 => {
            if let Ok(value) = Sync::read(datagram, key) {
                let len = value.write(key, &mut out);
                again!(Sync, value, len, key);
            }
        }
        5 => {
            if let Ok(view) = InputView::read(datagram, key) {
                let (header, inputs) = (view.header, view.inputs);
                out[header.bytes()..][..inputs.len()].copy_from_slice(inputs);
                let len = header.finish(key, inputs.len(), &mut out);
                assert_eq!(&out[..len], datagram);
            }
        }
        6 => {
            if let Ok(value) = Bye::read(datagram, key) {
                again!(Bye, value, value.write(key, &mut out), key);
            }
        }
        7 => {
            if let Ok(value) = Knock::read(datagram) {
                again!(Knock, value, value.write(&mut out));
            }
        }
        8 => {
            if let Ok(value) = ParityView::read(datagram, key) {
                let len = value.write(key, &mut out);
                assert_eq!(&out[..len], datagram);
            }
        }
        9 => {
            if let Ok(value) = Cookie::read(datagram) {
                again!(Cookie, value, value.write(&mut out));
            }
        }
        10 => {
            if let Ok(value) = Opener::read(datagram) {
                let len = value.write(&mut out);
                assert!(len == 0 || &out[..len] == datagram, "an opener changed");
            }
        }
        11 => {
            if let Ok(value) = Proof::read(datagram) {
                again!(Proof, value, value.write(&mut out));
            }
        }
        12 => {
            if let Ok(value) = Path::read(datagram) {
                again!(Path, value, value.write(&mut out));
            }
        }
        13 => {
            let _ = PlainChannel::claimed_seat(datagram);
            if let Ok(value) = PlainChannel::read(datagram, key) {
                let len = value.write(key, &mut out);
                assert_eq!(&out[..len], datagram);
            }
        }
        14 => {
            if let Ok(value) = Check::read(datagram, key) {
                again!(Check, value, value.write(key, &mut out), key);
            }
        }
        _ => {}
    }
}

/// The parameters of a match of this many players.
#[must_use]
pub fn params(player_count: u8) -> PeerParams {
    PeerParams {
        simulation_name: 0x1111_1111,
        simulation_version: 2,
        layout_fingerprint: 0x3333_3333,
        config_hash: 4,
        simulation_hz: 60,
        input_bytes: 2,
        player_count,
        window_max_frames: 8,
        delay_max_frames: 10,
    }
}

/// One of each, by every key.
#[must_use]
pub fn seeds() -> Vec<(String, Case)> {
    let key = ConnectionKey::AEAD;
    let bodies = bodies(key);
    let of_key = |high: u8| Case { steps: bodies.iter().map(|(kind, body)| Step::new(kind | high << 4, body.clone())).collect() };
    let by_type = Case { steps: bodies.iter().map(|(_, body)| Step::new(BY_TYPE | 2 << 4, body.clone())).collect() };
    [("greeting", of_key(0)), ("connection", of_key(1)), ("aead", of_key(2)), ("by-type", by_type)]
        .into_iter()
        .map(|(name, case)| (name.to_owned(), case))
        .collect()
}

fn bodies(key: ConnectionKey) -> Vec<(u8, Vec<u8>)> {
    let mut out = [0; DATAGRAM_BUDGET_BYTES];
    let mut all = Vec::new();
    let mut add = |kind: PacketType, write: &mut dyn FnMut(&mut [u8]) -> usize| {
        out.fill(0);
        let len = write(&mut out);
        assert!(len > 0, "{kind:?} was not written");
        all.push((kind as u8, out[..len].to_vec()));
    };
    let hello = Hello { version: PROTOCOL_VERSION, match_id: 1, nonce: 2, players: PlayerSet::EMPTY, player_count: 1, params: params(4) };
    add(PacketType::Hello, &mut |out| hello.write(key, out));
    add(PacketType::Hello, &mut |out| Hello { version: 9, ..hello }.write(key, out));
    let welcome = Welcome {
        match_id: 1,
        nonce: 2,
        listener_nonce: 3,
        dialer_players: PlayerSet::from_bits(2),
        listener_players: PlayerSet::from_bits(1),
        params: params(4),
        first_frame: Frame::ZERO,
        last_frame: Some(Frame::new(600)),
    };
    add(PacketType::Welcome, &mut |out| welcome.write(key, out));
    let mismatch = PeerParams::compare(&params(2), &params(4)).unwrap_err();
    for reason in [RefusalReason::Full, RefusalReason::Mismatch(mismatch), RefusalReason::NotEncrypted] {
        add(PacketType::Refuse, &mut |out| Refusal { match_id: 1, nonce: 2, reason }.write(key, out));
    }
    let entry = |bits, address: Option<&str>, pairing| RosterEntry {
        players: PlayerSet::from_bits(bits),
        address: address.map(|text| text.parse().unwrap()),
        instance: 7,
        pairing,
    };
    let pairing = Some(Pairing { fingerprint: Fingerprint([1; 32]), secret: SeatSecret([2; 32]) });
    let roster = vec![entry(1, None, None), entry(2, Some("10.0.0.1:7000"), pairing), entry(12, Some("[::1]:7001"), None)];
    let seed = |is_revealed| SeedPart::new(&SeedSecret::fixed(3), 1, PlayerSet::from_bits(2), 4, is_revealed);
    for (state, echo, roster) in [(BarrierState::Loading, None, Vec::new()), (BarrierState::Go, Some((8, 9)), roster)] {
        let sync = Sync { state, sent_us: 5, echo, start_in_us: 6, seed: seed(echo.is_some()), roster };
        add(PacketType::Sync, &mut |out| sync.write(key, out));
    }
    for all_acked in [false, true] {
        let flags = InputFlags { every_frame_send: true, batch_resend: true, has_ack: true, all_acked };
        let header = InputHeader {
            flags,
            sequence: 9,
            ack: 8,
            ack_bits: u32::MAX,
            newest_frame: 7,
            frame_count: 8,
            input_ack: 6,
            ack_delay_units: 5,
            lag_frames: -1,
        };
        add(PacketType::Input, &mut |out| header.finish(key, 12, out));
    }
    let bye = Bye {
        reason: LeaveReason::PeerLost,
        confirmed_frame: Frame::new(599),
        confirmed_hash: StateHash::from_bits(1),
        digest: 2,
        lost: PlayerSet::from_bits(4),
    };
    add(PacketType::Bye, &mut |out| bye.write(key, out));
    let check = Check { frame: 30, states_digest: 1, input_digests: InputDigests::new(2) };
    add(PacketType::Check, &mut |out| check.write(key, out));
    add(PacketType::Knock, &mut |out| Knock { version: PROTOCOL_VERSION, nonce: 2 }.write(out));
    add(PacketType::Parity, &mut |out| ParityView { base: 3, packet_count: 4, length_xor: 5, bytes: &[6; 30] }.write(key, out));
    add(PacketType::Cookie, &mut |out| Cookie { version: PROTOCOL_VERSION, nonce: 2, cookie: [4; 16] }.write(out));
    add(PacketType::Opener, &mut |out| Opener { nonce: 2, cookie: [4; 16], record: &[22, 254, 253, 0, 0] }.write(out));
    let proof = Proof { seat: 1, is_answer: true, secret_proof: [1; 32], identity: [2; 32], signature: [3; 64] };
    add(PacketType::Proof, &mut |out| proof.write(out));
    add(PacketType::Path, &mut |out| Path { is_answer: false, token: 5 }.write(out));
    add(PacketType::PlainChannel, &mut |out| PlainChannel { seat: 1, nonce: 2, echo: 3, payload: &[0x54, 9, 0, 0, 0, 1] }.write(key, out));
    all
}
