use super::*;
use crate::credentials::{Fingerprint, SeatSecret};
use crate::packet::{
    BarrierState, Check, InputDigests, InputFlags, InputHeader, LeaveReason, PROTOCOL_VERSION, Pairing, PeerParams, RefusalReason,
    RosterEntry, SeedCommitment, SeedHeard, SeedPart, SeedSecret,
};
use snapback_core::codec::{BitWriter, encode_run};
use snapback_core::{Command, Frame, PlayerSet, Rng, StateHash};

const PARAMS: PeerParams = PeerParams {
    simulation_name: 0x11,
    simulation_version: 12,
    layout_fingerprint: 0x13,
    config_hash: 0x14,
    simulation_hz: 60,
    input_bytes: 2,
    player_count: 4,
    window_max_frames: 8,
    delay_max_frames: 10,
};

/// A packet as it was written, and some of the fields that must come back.
struct Sample {
    name: &'static str,
    bytes: Vec<u8>,
    context: Context,
    expected: Vec<(&'static str, String)>,
}

fn written(write: impl FnOnce(&mut [u8]) -> usize) -> Vec<u8> {
    let mut out = vec![0; DATAGRAM_BUDGET_BYTES];
    let len = write(&mut out);
    assert!(len > 0);
    out.truncate(len);
    out
}

fn welcome() -> Welcome {
    Welcome {
        match_id: 7,
        nonce: 8,
        listener_nonce: 9,
        dialer_players: PlayerSet::from_bits(0b1010),
        listener_players: PlayerSet::from_bits(0b0101),
        params: PARAMS,
        first_frame: Frame::ZERO,
        last_frame: None,
    }
}

fn heard() -> SeedHeard {
    let mut heard = SeedHeard::NOTHING;
    heard.note(PlayerSet::from_bits(2), &SeedCommitment([0xEE; 32]));
    heard
}

fn sync() -> Sync {
    let entry = |bits, address: Option<&str>, pairing| RosterEntry {
        players: PlayerSet::from_bits(bits),
        address: address.map(|text| text.parse().unwrap()),
        instance: 5,
        pairing,
    };
    let pairing = Pairing { fingerprint: Fingerprint([3; 32]), secret: SeatSecret([0x5E; 32]) };
    Sync {
        state: BarrierState::Go,
        sent_us: 123,
        echo: Some((456, 789)),
        start_in_us: 1_000,
        seed: SeedPart {
            round: 2,
            commitment: SeedCommitment([0xC0; 32]),
            share: Some(SeedSecret::fixed(0xABCD).share(0)),
            heard: heard(),
        },
        roster: vec![entry(1, None, None), entry(2, Some("10.0.0.2:7000"), Some(pairing)), entry(4, Some("[2001:db8::7]:7001"), None)],
    }
}

fn input(key: ConnectionKey, all_acked: bool) -> Vec<u8> {
    let header = InputHeader {
        flags: InputFlags { every_frame_send: true, batch_resend: true, has_ack: true, all_acked },
        sequence: 0xFFFF,
        ack: 2,
        ack_bits: if all_acked { u32::MAX } else { 0x8000_000F },
        newest_frame: 1,
        frame_count: 3,
        input_ack: 40,
        ack_delay_units: 2,
        lag_frames: -3,
    };
    written(|out| {
        let mut encoded = [0; 64];
        let mut writer = BitWriter::new(&mut encoded);
        for player in 0..2u8 {
            encode_run(&mut writer, 2, 3, |frame, input| {
                input.copy_from_slice(if frame == 0 { &[0, 0] } else { &[8, 0] });
                if player == 1 && frame == 2 { Command::new(64, &[7]).unwrap() } else { Command::NONE }
            });
        }
        let len = writer.finish().unwrap();
        out[header.bytes()..][..len].copy_from_slice(&encoded[..len]);
        header.finish(key, len, out)
    })
}

/// At least one packet of every type, in the clear and as it is inside an encrypted connection.
fn samples() -> Vec<Sample> {
    let key = ConnectionKey::new(7, 8, 9);
    let plain = Context { key: Some(key), player_count: 2, ..Context::default() };
    let unknown = Context { key: None, ..plain };
    let inside = Context { is_decrypted: true, ..unknown };
    let mut samples = Vec::new();
    let mut add = |name, context: Context, bytes, expected: &[(&'static str, &str)]| {
        let expected = expected.iter().map(|(field, value)| (*field, (*value).to_owned())).collect();
        samples.push(Sample { name, bytes, context, expected });
    };
    for (context, greeting, key) in
        [(plain, ConnectionKey::GREETING, key), (unknown, ConnectionKey::GREETING, key), (inside, ConnectionKey::AEAD, ConnectionKey::AEAD)]
    {
        let hello =
            Hello { version: PROTOCOL_VERSION, match_id: 7, nonce: 8, players: PlayerSet::from_bits(6), player_count: 2, params: PARAMS };
        let params = [("simulation name", "0x00000011"), ("simulation version", "12"), ("simulation hz", "60"), ("delay max frames", "10")];
        let expected = [&[("match", "0x0000000000000007"), ("players", "0b00000110"), ("player count", "2")][..], &params].concat();
        add("Hello", context, written(|out| hello.write(greeting, out)), &expected);
        let foreign = written(|out| Hello { version: 99, ..hello }.write(greeting, out));
        add("Hello", context, foreign, &[("version", "99")]);
        let ours = [("listener nonce", "0x0000000000000009"), ("dialler's players", "0b00001010"), ("listener's players", "0b00000101")];
        add("Welcome", context, written(|out| welcome().write(greeting, out)), &[&ours[..], &params].concat());
        let mismatch = PeerParams::compare(&PARAMS, &PeerParams { config_hash: 5, ..PARAMS }).unwrap_err();
        for (reason, code) in [(RefusalReason::Full, "2"), (RefusalReason::Mismatch(mismatch), "4"), (RefusalReason::NoTicket, "7")] {
            let refusal = Refusal { match_id: 7, nonce: 8, reason };
            let expected = [("reason", code), ("dialler's value", if code == "4" { "20" } else { "0" })];
            add("Refusal", context, written(|out| refusal.write(greeting, out)), &expected);
        }
        let expected = [
            ("state", "0x83 go"),
            ("sent at", "123"),
            ("echo", "456"),
            ("held for", "789"),
            ("start in", "1000"),
            ("seed round", "2"),
            ("seed revealed", "1"),
            ("peer 2 ip", "10.0.0.2"),
            ("peer 2 secret", "not shown"),
            ("peer 3 ip", "2001:db8::7"),
            ("peer 3 port", "7001"),
        ];
        add("Sync", context, written(|out| sync().write(key, out)), &expected);
        let waiting =
            Sync { state: BarrierState::Loading, echo: None, seed: SeedPart { share: None, ..sync().seed }, roster: Vec::new(), ..sync() };
        add("Sync", context, written(|out| waiting.write(key, out)), &[("state", "0x00 loading"), ("roster", "0")]);
        let expected = [("sequence", "65535"), ("ack", "2"), ("newest frame", "1"), ("frame count", "3"), ("input ack", "40")];
        let bits = [&expected[..], &[("ack bits", "0x8000000f")]].concat();
        add("Input", context, input(key, false), &bits);
        add("Input", context, input(key, true), &expected);
        let bye = Bye {
            reason: LeaveReason::PeerLost,
            confirmed_frame: Frame::new(-1),
            confirmed_hash: StateHash::from_bits(0xAA),
            digest: 0xBB,
            lost: PlayerSet::from_bits(2),
        };
        let expected = [("reason", "3"), ("confirmed frame", "-1"), ("digest", "0x000000bb"), ("lost", "0b00000010")];
        add("Bye", context, written(|out| bye.write(key, out)), &expected);
        let mut input_digests = InputDigests::new(2);
        input_digests.as_mut_slice().copy_from_slice(&[0xA0, 0xB0]);
        let check = Check { frame: 0xFFFE, states_digest: 7, input_digests };
        let expected = [("frame", "65534"), ("states digest", "0x00000007"), ("player 1 inputs digest", "0x000000b0")];
        add("Check", context, written(|out| check.write(key, out)), &expected);
        let parity = ParityView { base: 0xFFFE, packet_count: 4, length_xor: 17, bytes: &[1, 2, 3] };
        let expected = [("base", "65534"), ("packet count", "4"), ("length XOR", "17"), ("bytes XOR", "010203")];
        add("Parity", context, written(|out| parity.write(key, out)), &expected);
        let nonce = ("nonce", "0x0000000000000008");
        for version in [PROTOCOL_VERSION, 99] {
            add("Knock", context, written(|out| Knock { version, nonce: 8 }.write(out)), &[nonce]);
            let cookie = Cookie { version, nonce: 8, cookie: [0xC0; 16] };
            add("Cookie", context, written(|out| cookie.write(out)), &[nonce, ("cookie", &"c0".repeat(16))]);
        }
        let proof = Proof { seat: 1, is_answer: true, secret_proof: [1; 32], identity: [2; 32], signature: [3; 64] };
        add("Proof", context, written(|out| proof.write(out)), &[("seat", "1"), ("answer", "1"), ("identity", &"02".repeat(32))]);
        let path = Path { is_answer: false, token: 5 };
        add("Path", context, written(|out| path.write(out)), &[("answer", "0"), ("token", "0x0000000000000005")]);
        let channel = PlainChannel { seat: 3, nonce: 7, echo: 9, payload: &[0x54, 9, 0, 0, 0, 1] };
        let expected = [("seat", "3"), ("nonce", "7"), ("echo", "9"), ("payload", "540900000001")];
        add("Channel", context, written(|out| channel.write(key, out)), &expected);
        let knock = PlainChannel { echo: 0, payload: &[], ..channel };
        add("Channel", context, written(|out| knock.write(key, out)), &[("echo", "0")]);
    }
    let opener = Opener { nonce: 8, cookie: [0xC0; 16], record: &client_hello() };
    let expected = [("nonce", "0x0000000000000008"), ("handshake type", "1"), ("random", &"aa".repeat(32))];
    add("Opener", plain, written(|out| opener.write(out)), &expected);
    samples
}

/// The first part of a ClientHello in one record, as RFC 9147 lays it out.
fn client_hello() -> Vec<u8> {
    let body = [&[0xFE, 0xFD][..], &[0xAA; 32], &[0, 0, 0, 2, 0x13, 0x01, 1, 0]].concat();
    let message = [&[1, 0, 0, body.len() as u8, 0, 0, 0, 0, 0, 0, 0, body.len() as u8][..], &body].concat();
    record(22, 0, &message)
}

fn record(kind: u8, epoch: u8, fragment: &[u8]) -> Vec<u8> {
    [&[kind, 0xFE, 0xFD, 0, epoch, 0, 0, 0, 0, 0, 9, 0, fragment.len() as u8][..], fragment].concat()
}

/// Every byte belongs to exactly one field, in order.
fn assert_tiles(datagram: &[u8], explained: &Explanation) {
    let mut at = 0;
    for field in &explained.fields {
        assert_eq!(field.offset, at, "{field:?}");
        assert!(field.len > 0, "{field:?}");
        at += field.len;
    }
    assert_eq!(at, datagram.len(), "{explained:?}");
}

#[test]
fn every_packet_is_explained_to_the_last_byte_as_its_reader_has_it() {
    let samples = samples();
    for Sample { name, bytes, context, expected } in &samples {
        let explained = explain(bytes, context);
        assert_eq!((explained.name, &explained.damage, explained.reject), (*name, &None, None));
        assert_tiles(bytes, &explained);
        for (field, value) in expected {
            let found = explained.fields.iter().find(|it| it.name == *field).unwrap_or_else(|| panic!("{name} has no {field}"));
            assert_eq!(&found.value, value, "{name}: {field}");
        }
        if let Some(crc) = explained.fields.iter().find(|field| field.name == "checksum") {
            let is_known = context.key.is_some() || matches!(*name, "Hello" | "Welcome" | "Refusal");
            assert_eq!(crc.meaning.ends_with(": right"), is_known, "{}", crc.meaning);
        }
        assert!(!format!("{explained:?}").contains("5e5e"), "a secret is shown");
    }
    for kind in 1..=13 {
        let name = name_of(PacketType::of(&[kind]).unwrap());
        assert!(samples.iter().any(|sample| sample.name == name), "no sample of {name}");
    }
}

#[test]
fn a_packet_that_was_cut_is_named_damaged_wherever_the_cut_is() {
    for Sample { name, bytes, context, .. } in samples() {
        for len in 0..bytes.len() {
            let cut = &bytes[..len];
            let explained = explain(cut, &context);
            assert_tiles(cut, &explained);
            let has_rest = matches!(name, "Input" | "Parity" | "Channel") || (name == "Cookie" && len > 31);
            assert!(has_rest || explained.damage.is_some(), "{name} cut to {len}");
            // Its reader leaves the record to the DTLS library.
            assert!(name == "Opener" || explained.damage.is_some() == explained.reject.is_some(), "{name} {len}: {explained:?}");
        }
    }
    let knock = written(|out| Knock { version: PROTOCOL_VERSION, nonce: 8 }.write(out));
    let explained = explain(&knock[..10], &Context::default());
    assert_eq!(explained.damage.as_deref(), Some("it ends in the middle of \"nonce\", after 3 of 8 bytes"));
    assert_eq!(explained.reject, Some(Reject::TooShort));
}

/// The walk and the reader are two programs: neither may find fault where the other finds none.
#[test]
fn whatever_is_changed_the_explanation_agrees_with_the_reader() {
    let mut rng = Rng::new(5, 0);
    let (mut sound, mut faulty) = (0, 0);
    for Sample { bytes, context, .. } in samples() {
        for _ in 0..400 {
            let mut changed = bytes.clone();
            for _ in 0..=rng.next_u32() % 3 {
                let at = rng.next_u32() as usize % changed.len();
                changed[at] = rng.next_u32() as u8;
            }
            if rng.next_u32().is_multiple_of(4) {
                changed.truncate(rng.next_u32() as usize % changed.len());
            }
            if rng.next_u32().is_multiple_of(8) {
                changed.extend([rng.next_u32() as u8, 0]);
            }
            let explained = explain(&changed, &context);
            assert_tiles(&changed, &explained);
            if !matches!(explained.name, "DTLS" | "Opener") {
                assert_eq!(explained.reject.is_some(), explained.damage.is_some(), "{explained:#?}");
            }
            *(if explained.damage.is_some() { &mut faulty } else { &mut sound }) += 1;
        }
    }
    assert!(sound > 1_000 && faulty > 1_000, "{sound} {faulty}");
}

#[test]
fn arbitrary_bytes_are_explained_and_nothing_panics() {
    let mut rng = Rng::new(6, 0);
    for round in 0..20_000 {
        let len = rng.next_u32() as usize % if round % 100 == 0 { 3_000 } else { 80 };
        let mut bytes: Vec<u8> = (0..len).map(|_| rng.next_u32() as u8).collect();
        if let [first, second, third, ..] = &mut bytes[..]
            && rng.next_u32().is_multiple_of(2)
        {
            (*first, *second, *third) = (20 + *first % 24, 0xFE, 0xFD);
        }
        let context = Context {
            is_decrypted: rng.next_u32().is_multiple_of(4),
            key: None,
            input_bytes: rng.next_u32() as usize % 70,
            player_count: rng.next_u32() as usize % 10,
        };
        let explained = explain(&bytes, &context);
        assert_tiles(&bytes, &explained);
        assert!(explained.frames.len() <= 8 * 255);
    }
}

#[test]
fn the_frames_are_those_that_were_pressed_across_the_wrap_of_their_number() {
    let context = Context { is_decrypted: true, player_count: 2, ..Context::default() };
    let explained = explain(&input(ConnectionKey::AEAD, false), &context);
    let frames: Vec<_> = explained.frames.iter().map(|it| (it.player, it.frame, it.input[0], it.is_changed, it.command.kind())).collect();
    let expected = [
        (0, 65535, 0, false, 0),
        (0, 0, 8, true, 0),
        (0, 1, 8, false, 0),
        (1, 65535, 0, false, 0),
        (1, 0, 8, true, 0),
        (1, 1, 8, false, 64),
    ];
    assert_eq!(frames, expected);
    assert_eq!(explained.notes[0], "received: #....... ........ ........ ....#### #");
    assert_eq!(explained.notes[1], "          packets 65506 to 1, and 2; # has come, . has not");
    let other = explain(&input(ConnectionKey::AEAD, false), &Context { input_bytes: 3, ..context });
    assert!(other.frames.is_empty() && other.notes[2].starts_with("The inputs do not decode as those of 2 players with 3 bytes"));
}

#[test]
fn records_of_dtls_are_told_apart_and_named() {
    let summary = |bytes: &[u8]| {
        let explained = explain(bytes, &Context::default());
        assert_tiles(bytes, &explained);
        (explained.name, explained.summary, explained.damage)
    };
    let whole = |text: &str| ("DTLS", text.to_owned(), None);
    assert_eq!(summary(&client_hello()), whole("ClientHello"));
    assert_eq!(summary(&record(21, 0, &[2, 40])), whole("alert handshake_failure"));
    assert_eq!(summary(&record(26, 0, &[0, 16, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1])), whole("ACK of 1 records"));
    let several = [record(20, 0, &[1]), record(22, 1, &[7; 40]), record(23, 1, &[7; 40])].concat();
    assert_eq!(summary(&several), whole("ChangeCipherSpec, handshake (sealed, epoch 1), application data (sealed, epoch 1)"));
    let part = record(22, 0, &[&[11, 0, 1, 0, 0, 2, 0, 0, 100, 0, 0, 4][..], &[9; 4]].concat());
    assert_eq!(summary(&part), whole("Certificate [100..104/256]"));
    let sealed = |first: u8| [&[first, 1, 2, 0, 20][..], &[9; 20]].concat();
    assert_eq!(summary(&sealed(0x2F)), whole("sealed (packets of the connection)"));
    assert_eq!(summary(&[sealed(0x2E), sealed(0x2F)].concat()), whole("sealed (handshake), sealed (packets of the connection)"));
    assert_eq!(summary(&[0x23, 1, 9, 9, 9]), whole("sealed (packets of the connection)"));
    let (_, _, damage) = summary(&sealed(0x2F)[..10]);
    assert_eq!(damage.as_deref(), Some("it ends in the middle of \"sealed content\", after 5 of 20 bytes"));
    let (_, _, damage) = summary(&[&client_hello()[..], &[7]].concat());
    assert_eq!(damage.as_deref(), Some("no DTLS record begins with 0x07"));
    let longer = record(22, 0, &[1, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 9, 1]);
    assert_eq!(summary(&longer).2.as_deref(), Some("a handshake message is longer than its record"));
}

/// The first packets of a plaintext match, before anything is acknowledged, begin like records.
#[test]
fn an_input_packet_is_not_taken_for_a_record() {
    for (every_frame_send, batch_resend) in [(true, false), (false, true), (true, true)] {
        let flags = InputFlags { every_frame_send, batch_resend, ..InputFlags::default() };
        for sequence in 0..=u16::MAX {
            let header = InputHeader { flags, sequence, ..InputHeader::default() };
            let mut out = [0; 32];
            let len = header.finish(ConnectionKey::new(1, 2, 3), 0, &mut out);
            // What stands where a record has its version.
            if sequence == 0xFDFE || sequence == 0xFFFE || sequence == 0xFCFE {
                continue;
            }
            assert!(!dtls::is_record(&out[..len]), "{flags:?} {sequence}");
        }
    }
}

/// What two of our own ends really say to each other.
#[cfg(feature = "dtls")]
#[test]
fn a_real_connection_has_no_datagram_that_is_not_understood() {
    use crate::secure::{Certificate, Identity, MatchSecret, SecureSettings, SecureSocket};
    let peer = |seed: u8| {
        SecureSocket::new(SecureSettings::new(7, Certificate::generate().unwrap(), Identity::from_seed(&[seed; 32]), [seed; 32])).unwrap()
    };
    let (mut host, mut guest) = (peer(1), peer(2));
    let (host_at, guest_at) = ("10.0.0.1:7000".parse().unwrap(), "10.0.0.2:7000".parse().unwrap());
    let secret = MatchSecret([9; 32]).seat(1);
    host.expect(1, secret, None);
    guest.dial(0, host_at, 1, secret, host.fingerprint(), 1234);
    let mut buffer = [0; 1_200];
    let mut seen = Vec::new();
    for now_us in (0..1_000_000).step_by(1_000) {
        while let Some((_, len)) = guest.poll_transmit(now_us, &mut buffer) {
            seen.push(buffer[..len].to_vec());
            host.handle(now_us, guest_at, &buffer[..len]).unwrap();
        }
        while let Some((_, len)) = host.poll_transmit(now_us, &mut buffer) {
            seen.push(buffer[..len].to_vec());
            guest.handle(now_us, host_at, &buffer[..len]).unwrap();
        }
    }
    let len = guest.seal(host_at, b"hello", &mut buffer);
    seen.push(buffer[..len].to_vec());
    let explained: Vec<Explanation> = seen.iter().map(|datagram| explain(datagram, &Context::default())).collect();
    for (datagram, explained) in seen.iter().zip(&explained) {
        assert_tiles(datagram, explained);
        assert_eq!((&explained.damage, explained.reject), (&None, None), "{explained:#?}");
    }
    let names: Vec<&str> = explained.iter().map(|it| it.name).collect();
    assert_eq!(&names[..3], ["Knock", "Cookie", "Opener"]);
    let text: String = explained.iter().map(|it| format!("{}\n", it.summary)).collect();
    for part in ["ClientHello", "ServerHello", "sealed (handshake)", "sealed (packets of the connection)"] {
        assert!(text.contains(part), "no {part}:\n{text}");
    }
}
