//! `snapback inspect packet`: packets from hex digits, and captures whose bytes are made here.

use crate::support::{Run, command, file, snapback};
use serde_json::Value;
use snapback::transport::PeerParams;
use snapback::transport::credentials::{Fingerprint, SeatSecret};
use snapback::transport::packet::{
    BarrierState, Bye, Check, ConnectionKey, Cookie, Hello, InputDigests, InputFlags, InputHeader, Knock, LeaveReason, Opener,
    PROTOCOL_VERSION, Pairing, ParityView, Path, Proof, Refusal, RefusalReason, RosterEntry, SeedPart, SeedSecret, Sync, Welcome,
};
use snapback::{Frame, PlayerSet, StateHash};
use std::io::Write;
use std::process::Stdio;

const PARAMS: PeerParams = PeerParams {
    simulation_name: 0x0A0B_0C0D,
    simulation_version: 3,
    layout_fingerprint: 0x1122_3344,
    config_hash: 0x5566_7788,
    simulation_hz: 60,
    input_bytes: 2,
    player_count: 2,
    window_max_frames: 8,
    delay_max_frames: 10,
};

fn written(write: impl FnOnce(&mut [u8]) -> usize) -> Vec<u8> {
    let mut out = vec![0; 1_200];
    let len = write(&mut out);
    assert!(len > 0);
    out.truncate(len);
    out
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn key() -> ConnectionKey {
    ConnectionKey::new(7, 8, 9)
}

fn knock() -> Vec<u8> {
    written(|out| Knock { version: PROTOCOL_VERSION, nonce: 8 }.write(out))
}

fn welcome() -> Vec<u8> {
    let welcome = Welcome {
        match_id: 7,
        nonce: 8,
        listener_nonce: 9,
        dialer_players: PlayerSet::from_bits(0b110),
        listener_players: PlayerSet::from_bits(1),
        params: PeerParams { player_count: 3, ..PARAMS },
        first_frame: Frame::ZERO,
        last_frame: Some(Frame::new(1_199)),
    };
    written(|out| welcome.write(ConnectionKey::GREETING, out))
}

/// A run of three frames: neutral, then bit 3 for two of them. In bits, the low one first: `0`; `1 0`, `1100` for the
/// place, `0` for no more; `0`.
fn input(key: ConnectionKey) -> Vec<u8> {
    let header = InputHeader {
        flags: InputFlags { every_frame_send: true, batch_resend: true, has_ack: true, all_acked: false },
        sequence: 300,
        ack: 298,
        ack_bits: 0xFFFF_FFF5,
        newest_frame: 302,
        frame_count: 3,
        input_ack: 299,
        ack_delay_units: 2,
        lag_frames: -3,
    };
    written(|out| {
        out[header.bytes()] = 0b0001_1010;
        header.finish(key, 2, out)
    })
}

/// A packet of every type, as it is on the wire or, if only there, inside a connection.
fn every_packet() -> Vec<(&'static str, Vec<u8>, bool)> {
    let greeting = ConnectionKey::GREETING;
    let hello = Hello { version: PROTOCOL_VERSION, match_id: 7, nonce: 8, players: PlayerSet::EMPTY, player_count: 1, params: PARAMS };
    let mismatch = PeerParams::compare(&PARAMS, &PeerParams { config_hash: 5, ..PARAMS }).unwrap_err();
    let refusal = Refusal { match_id: 7, nonce: 8, reason: RefusalReason::Mismatch(mismatch) };
    let pairing = Pairing { fingerprint: Fingerprint([3; 32]), secret: SeatSecret([0x5E; 32]) };
    let entry = |bits, address: Option<&str>, pairing| RosterEntry {
        players: PlayerSet::from_bits(bits),
        address: address.map(|text| text.parse().unwrap()),
        instance: 5,
        pairing,
    };
    let sync = Sync {
        state: BarrierState::Go,
        sent_us: 123,
        echo: Some((456, 789)),
        start_in_us: 1_000,
        seed: SeedPart::new(&SeedSecret::fixed(7), 7, PlayerSet::from_bits(1), 0, true),
        roster: vec![entry(1, None, None), entry(2, Some("10.0.0.2:7000"), Some(pairing))],
    };
    let bye = Bye {
        reason: LeaveReason::Finished,
        confirmed_frame: Frame::new(1_199),
        confirmed_hash: StateHash::from_bits(0xAABB_CCDD),
        digest: 0x0102_0304,
        lost: PlayerSet::EMPTY,
    };
    let mut input_digests = InputDigests::new(2);
    input_digests.as_mut_slice().copy_from_slice(&[0xA0, 0xB0]);
    let check = Check { frame: 0xFFFE, states_digest: 7, input_digests };
    let parity = ParityView { base: 0xFFFE, packet_count: 4, length_xor: 17, bytes: &[1, 2, 3, 4] };
    let cookie = Cookie { version: PROTOCOL_VERSION, nonce: 8, cookie: [0xC0; 16] };
    let record = [&[22, 0xFE, 0xFD, 0, 0, 0, 0, 0, 0, 0, 0, 0, 16, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 4][..], &[9; 4]].concat();
    let opener = Opener { nonce: 8, cookie: [0xC0; 16], record: &record };
    let proof = Proof { seat: 1, is_answer: false, secret_proof: [1; 32], identity: [2; 32], signature: [3; 64] };
    let sealed = [&[0x2F, 1, 2, 0, 24][..], &[9; 24]].concat();
    vec![
        ("Hello", written(|out| hello.write(greeting, out)), false),
        ("Welcome", welcome(), false),
        ("Refusal", written(|out| refusal.write(greeting, out)), false),
        ("Sync", written(|out| sync.write(ConnectionKey::AEAD, out)), true),
        ("Input", input(key()), false),
        ("Bye", written(|out| bye.write(key(), out)), false),
        ("Check", written(|out| check.write(key(), out)), false),
        ("Knock", knock(), false),
        ("Parity", written(|out| parity.write(key(), out)), false),
        ("Cookie", written(|out| cookie.write(out)), false),
        ("Opener", written(|out| opener.write(out)), false),
        ("Proof", written(|out| proof.write(out)), true),
        ("Path", written(|out| Path { is_answer: true, token: 5 }.write(out)), true),
        ("DTLS", [sealed, vec![21, 0xFE, 0xFD, 0, 0, 0, 0, 0, 0, 0, 3, 0, 2, 2, 40]].concat(), false),
    ]
}

#[test]
fn every_packet_from_its_digits() {
    let mut all = String::new();
    for (name, bytes, is_inside) in every_packet() {
        let digits = hex(&bytes);
        let run = snapback(&[&["inspect", "packet", &digits][..], if is_inside { &["--decrypted"] } else { &[] }].concat());
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{name}");
        assert!(run.out.starts_with(&format!("{name}, {} bytes", bytes.len())), "{}", run.out);
        assert!(!run.out.contains("damaged") && !run.out.contains("5e5e5e"), "{}", run.out);
        all += &format!("{}\n", run.out);
    }
    insta::assert_snapshot!("every_packet", all);
}

#[test]
fn damage_is_explained_and_named_by_the_reason_for_which_it_is_dropped() {
    let mut all = String::new();
    let mut flipped = welcome();
    flipped[40] ^= 1;
    let mut magic = knock();
    magic[2] = b'X';
    for bytes in [&knock()[..10], &knock()[..95], &flipped, &magic, &input(key())[..9], &[0x0F, 1, 2], &[12, 2, 0, 0, 0, 0, 0, 0, 0, 0]] {
        let run = snapback(&["inspect", "packet", &hex(bytes)]);
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
        all += &format!("{}\n", run.out);
    }
    insta::assert_snapshot!("damaged_packets", all);
}

#[test]
fn digits_may_be_grouped_and_what_is_no_digit_is_a_usage_error() {
    let grouped = snapback(&["inspect", "packet", "0x0c,", "01", "05:00:00:00 00 00 00-00"]);
    assert_eq!(grouped.out.lines().next(), Some("Path, 10 bytes: answer"), "{}", grouped.err);
    for (digits, message) in [
        ("0c0", "3 digits are not whole bytes: a digit is missing, and there is no file of this name: write"),
        ("nowhere.pcap", "'n' is no hexadecimal digit, and there is no file of this name: write"),
        ("", "there are no bytes: write"),
    ] {
        let run = snapback(&["inspect", "packet", digits]);
        assert_eq!(run.code, Some(2));
        assert!(run.error().starts_with(&format!("error: {message}")), "{}", run.err);
    }
}

#[test]
fn the_number_of_players_and_the_size_of_their_inputs_decide_what_the_inputs_are() {
    let digits = hex(&input(key()));
    let one = snapback(&["inspect", "packet", &digits, "--format", "json"]).json();
    let frames: Vec<_> = one["inputs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["frame"].as_u64().unwrap(), it["input"].as_str().unwrap().to_owned(), it["changed"].as_bool().unwrap()))
        .collect();
    assert_eq!(frames, [(300, "0000".to_owned(), false), (301, "0800".to_owned(), true), (302, "0800".to_owned(), false)]);
    assert_eq!(one["notes"][0], "received: ######## ######## ######## ####.#.# #");
    // Behind the first run there is room for two more of neutral inputs.
    let three = snapback(&["inspect", "packet", &digits, "--players", "3", "--format", "json"]).json();
    assert_eq!(three["inputs"].as_array().map(Vec::len), Some(9));
    let four = snapback(&["inspect", "packet", &digits, "--players", "4"]);
    assert!(four.out.contains("The inputs do not decode as those of 4 players with 2 bytes each: "), "{}", four.out);
    let wide = snapback(&["inspect", "packet", &digits, "--input-bytes", "1"]);
    assert_ne!(wide.out, snapback(&["inspect", "packet", &digits]).out);
}

// Captures.

fn ipv4(payload: &[u8], fragment: u16) -> Vec<u8> {
    let len = (28 + payload.len()) as u16;
    let [[l0, l1], [f0, f1]] = [len.to_be_bytes(), fragment.to_be_bytes()];
    [&[0x45, 0, l0, l1, 0, 9, f0, f1, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2][..], &udp(payload)].concat()
}

fn ipv6(payload: &[u8]) -> Vec<u8> {
    let [l0, l1] = (8 + payload.len() as u16).to_be_bytes();
    let address = |last| [0x20, 1, 0x0D, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last];
    [&[0x60, 0, 0, 0, l0, l1, 17, 64][..], &address(1), &address(2), &udp(payload)].concat()
}

fn udp(payload: &[u8]) -> Vec<u8> {
    let [[a, b], [c, d], [e, f]] = [7_000_u16, 7_001, (8 + payload.len()) as u16].map(u16::to_be_bytes);
    [&[a, b, c, d, e, f, 0, 0][..], payload].concat()
}

/// Back from the other end.
fn swapped(mut ip: Vec<u8>) -> Vec<u8> {
    for at in 0..4 {
        ip.swap(12 + at, 16 + at);
    }
    ip.swap(20, 22);
    ip.swap(21, 23);
    ip
}

fn ethernet(ip: &[u8]) -> Vec<u8> {
    let kind = if ip[0] >> 4 == 4 { [8, 0] } else { [0x86, 0xDD] };
    [&[2; 12][..], &kind, ip].concat()
}

/// A file of the classic format. Times are seconds, and as many units as the frame has a number.
fn pcap(link: u32, is_big: bool, magic: u32, frames: &[Vec<u8>]) -> Vec<u8> {
    let number = |value: u32| if is_big { value.to_be_bytes() } else { value.to_le_bytes() };
    let version = if is_big { [0, 2, 0, 4] } else { [2, 0, 4, 0] };
    let mut bytes = [number(magic), version, number(0), number(0), number(65_535), number(link)].concat();
    for (at, frame) in frames.iter().enumerate() {
        let len = number(frame.len() as u32);
        bytes.extend([number(1_000 + at as u32), number(500), len, len].concat());
        bytes.extend(frame);
    }
    bytes
}

fn pcapng(link: u16, is_big: bool, frames: &[Vec<u8>]) -> Vec<u8> {
    let short = |value: u16| if is_big { value.to_be_bytes() } else { value.to_le_bytes() };
    let number = |value: u32| if is_big { value.to_be_bytes() } else { value.to_le_bytes() };
    let block = |kind: u32, mut body: Vec<u8>| {
        body.resize(body.len().next_multiple_of(4), 0);
        let len = number(body.len() as u32 + 12);
        [&number(kind)[..], &len, &body, &len].concat()
    };
    let header = [&number(0x1A2B_3C4D)[..], &short(1), &short(0), &[0xFF; 8]].concat();
    // Its clock counts nanoseconds: option 9, one byte.
    let interface = [&short(link)[..], &short(0), &number(0), &short(9), &short(1), &[9, 0, 0, 0], &[0; 4]].concat();
    let mut bytes = [block(0x0A0D_0D0A, header), block(1, interface)].concat();
    for (at, frame) in frames.iter().enumerate() {
        let time = (1_000 + at as u64) * 1_000_000_000 + 500_000;
        let len = number(frame.len() as u32);
        let fields = [number(0), number((time >> 32) as u32), number(time as u32), len, len].concat();
        bytes.extend(block(6, [fields, frame.clone()].concat()));
        // Statistics, which say nothing here.
        bytes.extend(block(5, [number(0), number(0), number(0)].concat()));
    }
    bytes
}

fn inspected(name: &str, bytes: &[u8], options: &[&str]) -> Run {
    snapback(&[&["inspect", "packet", &file(name, bytes)][..], options].concat())
}

const MICRO: u32 = 0xA1B2_C3D4;
const NANO: u32 = 0xA1B2_3C4D;

#[test]
fn every_link_both_byte_orders_and_both_formats() {
    let (four, six) = (ipv4(&knock(), 0), ipv6(&knock()));
    let with = |header: &[u8], ip: &[u8]| [header, ip].concat();
    let vlan = |ip: &[u8]| [&[2; 12][..], &[0x81, 0, 0, 5, 8, 0], ip].concat();
    let sll = |kind: [u8; 2], ip: &[u8]| with(&[&[0; 14][..], &kind].concat(), ip);
    let sll2 = |kind: [u8; 2], ip: &[u8]| with(&[&kind[..], &[0; 18]].concat(), ip);
    let links: [(u32, Vec<u8>, Vec<u8>); 8] = [
        (1, ethernet(&four), ethernet(&six)),
        (1, vlan(&four), ethernet(&six)),
        (113, sll([8, 0], &four), sll([0x86, 0xDD], &six)),
        (276, sll2([8, 0], &four), sll2([0x86, 0xDD], &six)),
        (101, four.clone(), six.clone()),
        (12, four.clone(), six.clone()),
        (0, with(&[2, 0, 0, 0], &four), with(&[30, 0, 0, 0], &six)),
        (108, with(&[0, 0, 0, 2], &four), with(&[0, 0, 0, 30], &six)),
    ];
    let expected = "    1    0.000000  10.0.0.1:7000 > 10.0.0.2:7001    96 B  Knock   version 4, nonce 0000000000000008\n    \
                    2    1.000000  [2001:db8::1]:7000 > [2001:db8::2]:7001    96 B  Knock   version 4, nonce 0000000000000008\n";
    for (number, (link, four, six)) in links.into_iter().enumerate() {
        let frames = [four, six];
        for is_big in [false, true] {
            let classic = [MICRO, NANO].map(|magic| pcap(link, is_big, magic, &frames));
            for (kind, bytes) in classic.into_iter().chain([pcapng(link as u16, is_big, &frames)]).enumerate() {
                let run = inspected(&format!("link_{number}_{is_big}_{kind}.pcap"), &bytes, &[]);
                assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (Some(0), expected, ""), "link {link}, {is_big}, {kind}");
            }
        }
    }
}

#[test]
fn times_are_exact_in_every_unit() {
    let frame = [ethernet(&ipv4(&knock(), 0))];
    let time = |bytes: &[u8]| inspected("times.pcap", bytes, &["--format", "json"]).json()["time_ns"].as_u64();
    assert_eq!(time(&pcap(1, false, MICRO, &frame)), Some(1_000_000_500_000));
    assert_eq!(time(&pcap(1, true, NANO, &frame)), Some(1_000_000_000_500));
    assert_eq!(time(&pcapng(1, true, &frame)), Some(1_000_000_500_000));
}

/// A plaintext match: the Welcome says with what the checksums that follow are seeded.
fn a_match() -> Vec<u8> {
    let there = |payload: &[u8]| ethernet(&ipv4(payload, 0));
    let back = |payload: &[u8]| ethernet(&swapped(ipv4(payload, 0)));
    let mut wrong = input(key());
    wrong[17] ^= 1;
    let arp = [&[2; 12][..], &[8, 6], &[0; 28]].concat();
    pcap(1, false, MICRO, &[there(&knock()), arp, back(&welcome()), there(&input(key())), back(&wrong)])
}

#[test]
fn a_capture_of_a_match_one_line_for_each_datagram() {
    let run = inspected("match.pcap", &a_match(), &[]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), "not shown: 1 frames are not UDP\n"));
    insta::assert_snapshot!("capture_lines", run.out);
}

#[test]
fn one_datagram_of_a_capture_with_every_field() {
    let run = inspected("match_one.pcap", &a_match(), &["--packet", "3"]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    insta::assert_snapshot!("capture_packet", run.out);
    let none = inspected("match_one.pcap", &a_match(), &["--packet", "5"]);
    assert_eq!(none.code, Some(2));
    assert!(none.error().ends_with("match_one.pcap has 4 datagrams: there is no number 5"), "{}", none.err);
    let full = inspected("match_one.pcap", &a_match(), &["--full"]);
    assert_eq!(full.out.matches("  at  len  field").count(), 4);
}

#[test]
fn a_program_reads_one_object_a_line() {
    let run = inspected("match_json.pcap", &a_match(), &["--format", "json"]);
    let objects: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let types: Vec<&str> = objects.iter().map(|object| object["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["Knock", "Welcome", "Input", "Input"]);
    assert_eq!((objects[1]["from"].as_str(), objects[1]["to"].as_str()), (Some("10.0.0.2:7001"), Some("10.0.0.1:7000")));
    // The dialler has two players, the listener one.
    let [dialer, listener] = [2, 3].map(|at: usize| objects[at]["inputs"].as_array().map(Vec::len));
    assert_eq!((dialer, listener), (Some(6), Some(3)));
    assert_eq!((objects[2]["reject"].as_str(), objects[3]["reject"].as_str()), (None, Some("BadCrc")));
    for object in objects {
        let len: u64 = object["fields"].as_array().unwrap().iter().map(|field| field["len"].as_u64().unwrap()).sum();
        assert_eq!(Some(len), object["bytes"].as_u64());
    }
}

#[test]
fn only_one_port() {
    let other = |payload: &[u8]| {
        let mut ip = ipv4(payload, 0);
        ip[20..24].copy_from_slice(&[0, 53, 0, 54]);
        ethernet(&ip)
    };
    let bytes = pcap(1, false, MICRO, &[other(b"dns"), ethernet(&ipv4(&knock(), 0)), other(b"dns")]);
    let lines = |port: &str| inspected("ports.pcap", &bytes, &["--port", port]).out.lines().count();
    assert_eq!((lines("7000"), lines("7001"), lines("53"), lines("54"), lines("9")), (1, 1, 2, 2, 0));
}

#[test]
fn what_was_not_captured_whole_is_marked() {
    let mut short = ethernet(&ipv4(&knock(), 0));
    short.truncate(60);
    let first = ethernet(&ipv4(&knock(), 0x2000));
    let later = ethernet(&ipv4(&knock(), 0x2001));
    let run = inspected("cut_frames.pcap", &pcap(1, false, MICRO, &[short, first, later]), &[]);
    assert_eq!(run.err, "not shown: 1 are later fragments of a datagram\n");
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(
        lines[0].contains("  18 B  Knock   version 4, nonce 0000000000000008  [not captured whole]  [damaged: it ends"),
        "{}",
        lines[0]
    );
    assert!(lines[1].ends_with("[not captured whole]"), "{}", lines[1]);
}

#[test]
fn a_capture_that_is_damaged_is_shown_as_far_as_it_goes() {
    let frame = || ethernet(&ipv4(&knock(), 0));
    for (kind, bytes) in [("classic", pcap(1, false, MICRO, &[frame(), frame()])), ("ng", pcapng(1, false, &[frame(), frame()]))] {
        let run = inspected(&format!("cut_{kind}.pcap"), &bytes[..bytes.len() - 40], &[]);
        assert_eq!((run.code, run.out.lines().count()), (Some(3), 1), "{}", run.err);
        assert!(run.error().ends_with("the capture ends in the middle of a block; the 1 datagrams before it are shown"), "{}", run.err);
    }
    let mut huge = pcap(1, false, MICRO, &[frame(), frame()]);
    let at = 24 + 16 + frame().len() + 8;
    huge[at..at + 4].copy_from_slice(&[0xFF; 4]);
    let run = inspected("huge.pcap", &huge, &["--format", "json"]);
    assert_eq!(run.code, Some(3));
    assert!(run.error().ends_with("a block of the capture is damaged; the 1 datagrams before it are shown"), "{}", run.err);
    let none = inspected("none.pcap", b"PK and something else that is no capture", &[]);
    assert_eq!(none.code, Some(2));
    assert!(
        none.error().ends_with("none.pcap is no capture: give a pcap or pcapng file, such as `tcpdump -w FILE` writes"),
        "{}",
        none.err
    );
    assert_eq!(inspected("empty.pcap", b"", &[]).code, Some(2));
    let folder = snapback(&["inspect", "packet", env!("CARGO_TARGET_TMPDIR")]);
    assert_eq!(folder.code, Some(2));
}

/// Any byte of a capture may be wrong: it ends with one of the four codes, and never with a panic.
#[test]
fn a_capture_with_wrong_bytes_never_panics() {
    let frame = || ethernet(&ipv4(&knock(), 0));
    let mut rng = snapback::Rng::new(9, 0);
    for (kind, bytes) in [pcap(1, true, NANO, &[frame(), frame()]), pcapng(113, false, &[frame(), frame()])].into_iter().enumerate() {
        for round in 0..60 {
            let mut changed = bytes.clone();
            for _ in 0..=round % 4 {
                let at = rng.next_u32() as usize % changed.len().min(220);
                changed[at] = rng.next_u32() as u8;
            }
            let run = inspected(&format!("wrong_{kind}.pcap"), &changed, &[]);
            assert!(matches!(run.code, Some(0 | 2 | 3)), "{kind} {round}: {:?} {}", run.code, run.err);
            assert!(!run.err.contains("panicked"), "{}", run.err);
        }
    }
}

/// A capture of a quarter of a gigabyte on stdin, by a program that may have half as much memory.
#[cfg(target_os = "linux")]
#[test]
fn a_large_capture_is_never_in_memory_at_once() {
    let mut limited = std::process::Command::new("sh");
    limited.args(["-c", "ulimit -v 131072; exec \"$0\" inspect packet - --port 7000", env!("CARGO_BIN_EXE_snapback")]);
    let mut run = limited.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = run.stdin.take().unwrap();
    let feeding = std::thread::spawn(move || {
        let filler = vec![0; 1 << 18];
        stdin.write_all(&pcap(1, false, MICRO, &[])).unwrap();
        for _ in 0..1_024 {
            stdin.write_all(&pcap(1, false, MICRO, std::slice::from_ref(&filler))[24..]).unwrap();
        }
        stdin.write_all(&pcap(1, false, MICRO, &[ethernet(&ipv4(&knock(), 0))])[24..]).unwrap();
    });
    let output = run.wait_with_output().unwrap();
    feeding.join().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), err.as_str()), (Some(0), "not shown: 1024 frames are not UDP\n"));
    assert!(String::from_utf8(output.stdout).unwrap().contains(" Knock "));
}

#[test]
fn a_reader_that_goes_away_is_no_error_to_speak_of() {
    let path = file("gone.pcap", &pcap(1, false, MICRO, &vec![ethernet(&ipv4(&knock(), 0)); 20_000]));
    let mut run = command(&["inspect", "packet", &path]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(run.stdout.take());
    let output = run.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(4), &b""[..]));
}
