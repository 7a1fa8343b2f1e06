//! Two endpoints and a liar: what a packet with a right checksum may say, and what it may not.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "support/params.rs"]
mod params;

use params::params;
use snapback_core::{Command, Frame, PlayerHandle, PlayerSet, Rng, RollbackConfig};
use snapback_transport::endpoint::{LinkEvent, PeerLag, ReceivedCheck};
use snapback_transport::packet::{
    BarrierState, Hello, InputDigests, InputFlags, InputHeader, Refusal, RefusalReason, SeedPart, SeedSecret, Welcome,
};
use snapback_transport::{ConnectionKey, Endpoint, EndpointSettings, Handled, LinkState, PeerParams, Reject};
use std::net::SocketAddr;

const MATCH: u64 = 77;
const DIALER_NONCE: u64 = 0xAAAA_0000_FFFE;
const LISTENER_NONCE: u64 = 0xBBBB_0000_0005;

fn settings(nonce: u64, players: PlayerSet) -> EndpointSettings {
    EndpointSettings::new(MATCH, nonce, params(), players, &RollbackConfig::default())
}

fn address(port: u16) -> SocketAddr {
    SocketAddr::from(([10, 0, 0, 1], port))
}

/// A dialler (player 1) and a listener (player 0), connected and playing.
fn playing() -> (Endpoint, Endpoint) {
    playing_with_floor(8)
}

fn playing_with_floor(resend_floor_frames: u32) -> (Endpoint, Endpoint) {
    let (mut dialer, mut listener) = waiting(resend_floor_frames);
    for endpoint in [&mut dialer, &mut listener] {
        endpoint.on(LinkEvent::Started);
        assert_eq!(endpoint.state(), LinkState::Playing);
    }
    (dialer, listener)
}

/// The same two, connected and at the barrier.
fn waiting(resend_floor_frames: u32) -> (Endpoint, Endpoint) {
    waiting_as(resend_floor_frames, PlayerSet::from_bits(2), PlayerSet::from_bits(1))
}

fn waiting_as(resend_floor_frames: u32, dialer_players: PlayerSet, listener_players: PlayerSet) -> (Endpoint, Endpoint) {
    let player_count = (dialer_players.len() + listener_players.len()) as u8;
    let params = PeerParams { player_count, ..params() };
    let settings = |nonce, players| EndpointSettings { resend_floor_frames, params, ..settings(nonce, players) };
    let mut out = [0; 1_200];
    let mut dialer = Endpoint::dial(address(1), settings(DIALER_NONCE, PlayerSet::EMPTY), 0);
    let len = dialer.write_hello(dialer_players.len() as u8, &mut out);
    let hello = Hello::read(&out[..len], ConnectionKey::GREETING).unwrap();
    let welcome = Welcome {
        match_id: MATCH,
        nonce: hello.nonce,
        listener_nonce: LISTENER_NONCE,
        dialer_players,
        listener_players,
        params,
        first_frame: Frame::ZERO,
        last_frame: None,
    };
    let mut listener = Endpoint::accept(address(2), settings(LISTENER_NONCE, listener_players), &hello, &welcome, 0);
    let len = listener.write_welcome(&welcome, &mut out);
    assert_eq!(dialer.handle(0, &out[..len]), Ok(Handled::Welcomed(welcome)));
    (dialer, listener)
}

fn write(endpoint: &mut Endpoint, now_us: u64, newest: i64) -> Vec<u8> {
    let mut out = [0; 1_200];
    let len = endpoint.write_inputs(now_us, Frame::new(newest), &mut out, |frame, player, bytes| {
        bytes.copy_from_slice(&(frame.number() as u16 * 3 + player.index() as u16).to_le_bytes());
        Command::NONE
    });
    out[..len].to_vec()
}

/// Lets both play until each has sent its input of frame `until` and heard of the other's.
fn play(dialer: &mut Endpoint, listener: &mut Endpoint, until: i64) {
    for frame in dialer.received_frame().number() + 1..=until {
        let now_us = 16_667 * (frame as u64 + 1);
        let (a, b) = (write(dialer, now_us, frame), write(listener, now_us, frame));
        listener.handle(now_us, &a).unwrap();
        dialer.handle(now_us, &b).unwrap();
    }
}

#[test]
fn inputs_arrive_once_each_in_order_and_acknowledgements_trim_the_window() {
    let (mut dialer, mut listener) = playing();
    play(&mut dialer, &mut listener, 200);
    let packet = write(&mut dialer, 4_000_000, 201);
    let Ok(Handled::Inputs(received)) = listener.handle(4_000_000, &packet) else { panic!() };
    assert!(received.any_new);
    assert_eq!((received.window.first, received.window.last()), (Frame::new(193), Frame::new(201)));
    let mut seen = Vec::new();
    listener.received_inputs(|frame, player, bytes, command| seen.push((frame.number(), player, bytes.to_vec(), command)));
    let expected: Vec<_> =
        (193..=201).map(|frame: i64| (frame, PlayerHandle::new(1), (frame as u16 * 3 + 1).to_le_bytes().to_vec(), Command::NONE)).collect();
    assert_eq!(seen, expected);
    assert_eq!(dialer.acked_frame(), Frame::new(199));
    assert_eq!(listener.handle(4_000_000, &packet), Err(Reject::Duplicate));
}

/// The newest packet counts, by its number, however late an older one comes. What lies over a connection
/// cannot be refused by its value: every one is possible.
#[test]
fn the_lag_of_the_newest_packet_is_what_is_known() {
    let known = |lag: PeerLag| (lag.frames, lag.at_us);
    let (mut dialer, mut listener) = playing();
    assert_eq!(listener.peer_lag(), None);
    play(&mut dialer, &mut listener, 20);
    assert_eq!(listener.peer_lag().map(known), Some((0, 16_667 * 21)));
    dialer.set_lag(i8::MAX);
    let early = write(&mut dialer, 400_000, 21);
    dialer.set_lag(-3);
    let late = write(&mut dialer, 400_001, 22);
    listener.handle(410_000, &late).unwrap();
    listener.handle(420_000, &early).unwrap();
    assert_eq!(listener.peer_lag().map(known), Some((-3, 410_000)));
    assert!(listener.handle(430_000, &early).is_err());
    assert_eq!(listener.peer_lag().map(known), Some((-3, 410_000)));
}

/// What the peer says that our inputs waited for its tick. A copy was not written at a tick: what was known before
/// it stays. And if a copy of ours was the newest that it had, the first had come half a frame before.
#[test]
fn how_long_an_input_waited_is_known_unless_a_copy_says_it() {
    let (mut dialer, mut listener) = playing();
    play(&mut dialer, &mut listener, 20);
    let waited_us = |listener: &Endpoint| listener.peer_lag().and_then(|lag| lag.waited_us);
    let first = write(&mut listener, 400_000, 21);
    dialer.handle(405_000, &first).unwrap();
    let answer = write(&mut dialer, 410_120, 21);
    listener.handle(415_000, &answer).unwrap();
    assert_eq!(waited_us(&listener), Some(5_120));
    let at_us = listener.beat_at_us();
    // The same frame once more.
    let copy = write(&mut dialer, 418_000, 21);
    listener.handle(423_000, &copy).unwrap();
    assert_eq!((waited_us(&listener), listener.beat_at_us()), (Some(5_120), at_us));
    // A copy of ours comes, and the answer to it.
    let copy = write(&mut listener, 408_333, 21);
    dialer.handle(425_000, &copy).unwrap();
    let answer = write(&mut dialer, 427_560, 22);
    listener.handle(430_000, &answer).unwrap();
    assert_eq!(waited_us(&listener), Some(2_560 + 8_333));
}

#[test]
fn the_window_grows_to_everything_that_is_owed_and_both_flags_say_so() {
    let (mut dialer, mut listener) = playing();
    play(&mut dialer, &mut listener, 20);
    // The listener hears nothing any more, so it acknowledges nothing.
    let mut last = Vec::new();
    for frame in 21..=38 {
        last = write(&mut dialer, 16_667 * frame as u64, frame);
    }
    assert_eq!(last[0] >> 4 & 3, 3, "every-frame and batch-resend");
    let Ok(Handled::Inputs(received)) = listener.handle(900_000, &last) else { panic!() };
    assert_eq!((received.window.first, received.window.last()), (Frame::new(20), Frame::new(38)));
    assert_eq!(listener.received_frame(), Frame::new(38));
    // The same frame again is current, but not one that was never sent.
    let again = write(&mut dialer, 900_000, 38);
    assert_eq!(again[0] >> 4 & 3, 2, "batch-resend alone");
}

/// Inputs that are held, commands in the middle of a hold, two players at one end: whatever of it the
/// codec says once, what comes out is each frame of each player as it was pressed, once.
#[test]
fn what_comes_out_is_what_was_pressed() {
    let (dialer_players, listener_players) = (PlayerSet::from_bits(0b110), PlayerSet::from_bits(1));
    let (mut dialer, mut listener) = waiting_as(8, dialer_players, listener_players);
    let mut rng = Rng::new(11, 0);
    let mut pressed: Vec<[(u16, Command); 3]> = Vec::new();
    // The first frame that the listener and the dialer have not seen.
    let mut unseen = [Frame::ZERO; 2];
    for frame in 0..2_000 {
        let before = pressed.last().map_or([0; 3], |all| all.map(|(input, _)| input));
        pressed.push(before.map(|input| {
            let input = if rng.chance(160_000) { rng.next_u32() as u16 } else { input };
            let payload = [rng.next_u32() as u8; 2];
            let command = if rng.chance(50_000) { Command::new(1, &payload[..rng.below(3) as usize]).unwrap() } else { Command::NONE };
            (input, command)
        }));
        let now_us = 16_667 * (frame + 1);
        for endpoint in [&mut dialer, &mut listener] {
            endpoint.on(LinkEvent::Started);
        }
        let write = |endpoint: &mut Endpoint| {
            let mut out = [0; 1_200];
            let len = endpoint.write_inputs(now_us, Frame::new(frame as i64), &mut out, |frame, player, bytes| {
                let (input, command) = pressed[frame.number() as usize][player.index()];
                bytes.copy_from_slice(&input.to_le_bytes());
                command
            });
            out[..len].to_vec()
        };
        let (a, b) = (write(&mut dialer), write(&mut listener));
        let ways = [(a, &mut listener, dialer_players), (b, &mut dialer, listener_players)];
        for ((packet, to, players), unseen) in ways.into_iter().zip(&mut unseen) {
            // One in five is lost: the next brings more.
            if rng.chance(200_000) {
                continue;
            }
            let Ok(Handled::Inputs(received)) = to.handle(now_us, &packet) else { panic!() };
            let mut came = Vec::new();
            to.received_inputs(|frame, player, bytes, command| came.push((frame, player, bytes.to_vec(), command)));
            let (first, end) = (*unseen, received.window.last().next());
            let frames = || (first.number()..end.number()).map(Frame::new);
            *unseen = end;
            let expected: Vec<_> = players
                .iter()
                .flat_map(|player| frames().map(move |frame| (frame, player)))
                .map(|(frame, player)| {
                    let (input, command) = pressed[frame.number() as usize][player.index()];
                    (frame, player, input.to_le_bytes().to_vec(), command)
                })
                .collect();
            assert_eq!(came, expected, "frame {frame}");
        }
    }
}

/// What a liar with the right key can try, one lie at a time.
#[test]
fn every_lie_is_refused_and_changes_nothing() {
    let (mut dialer, mut listener) = playing();
    play(&mut dialer, &mut listener, 99);
    let key = ConnectionKey::new(MATCH, DIALER_NONCE, LISTENER_NONCE);
    let honest = InputHeader {
        flags: InputFlags { has_ack: true, ..InputFlags::default() },
        // 100 packets were sent, from the nonce's low bits on.
        sequence: 0xFFFEu16.wrapping_add(100),
        ack: 5 + 99,
        ack_bits: u32::MAX >> 1,
        newest_frame: 100,
        frame_count: 1,
        input_ack: 99,
        ack_delay_units: 0,
        lag_frames: 0,
    };
    let send = |header: InputHeader, inputs: &[u8]| {
        let mut out = [0; 1_200];
        out[InputHeader::MAX_BYTES..InputHeader::MAX_BYTES + inputs.len()].copy_from_slice(inputs);
        let len = header.finish(key, inputs.len(), &mut out);
        out[..len].to_vec()
    };
    let lies: Vec<(&str, Reject, Vec<u8>)> = vec![
        ("a far sequence", Reject::SequenceJump, send(InputHeader { sequence: honest.sequence.wrapping_add(1_025), ..honest }, &[0])),
        ("an old sequence", Reject::Stale, send(InputHeader { sequence: honest.sequence.wrapping_sub(60), ..honest }, &[0])),
        ("a sequence again", Reject::Duplicate, send(InputHeader { sequence: honest.sequence.wrapping_sub(1), ..honest }, &[0])),
        ("an ack of what was never sent", Reject::AckOfUnsent, send(InputHeader { ack: 5 + 100, ..honest }, &[0])),
        ("an ack of the far future", Reject::AckOfUnsent, send(InputHeader { ack: 40_000, ..honest }, &[0])),
        ("an input ack of the future", Reject::InputAckOfUnsent, send(InputHeader { input_ack: 100, ..honest }, &[0])),
        (
            "a frame beyond the horizon",
            Reject::BeyondHorizon,
            send(InputHeader { newest_frame: 118, frame_count: 19, ..honest }, &[0, 0, 0]),
        ),
        ("a frame half a cycle away", Reject::BeyondHorizon, send(InputHeader { newest_frame: 100 + 32_000, ..honest }, &[0])),
        ("a frame before the first", Reject::BadWindow, send(InputHeader { newest_frame: 0xFFFF, ..honest }, &[0])),
        ("a window across the first", Reject::BadWindow, send(InputHeader { newest_frame: 3, frame_count: 9, ..honest }, &[0, 0])),
        ("more frames than can be owed", Reject::BadWindow, send(InputHeader { frame_count: 255, ..honest }, &[0; 32])),
        ("a gap", Reject::Gap, send(InputHeader { newest_frame: 101, ..honest }, &[0])),
        ("no inputs at all", Reject::BadInputs, send(honest, &[])),
        ("more inputs than frames", Reject::BadInputs, send(honest, &[0, 0])),
        ("a reserved form", Reject::BadInputs, send(honest, &[0x0F])),
    ];
    for (name, reject, packet) in lies {
        let before = (listener.received_frame(), listener.acked_frame(), listener.stats());
        assert_eq!(listener.handle(2_000_000, &packet), Err(reject), "{name}");
        assert_eq!((listener.received_frame(), listener.acked_frame(), listener.stats()), before, "{name}");
    }
    assert_eq!(listener.handle(2_000_000, &[]), Err(Reject::TooShort));
    assert_eq!(listener.handle(2_000_000, &[5; 1_201]), Err(Reject::TooLong));
    // The honest packet is still welcome.
    assert!(matches!(listener.handle(2_000_000, &send(honest, &[0])), Ok(Handled::Inputs(_))));
}

/// Random headers with a right checksum: never a panic, and what is accepted is within bounds.
#[test]
fn random_headers_with_a_right_checksum() {
    let (mut dialer, mut listener) = playing();
    play(&mut dialer, &mut listener, 99);
    let key = ConnectionKey::new(MATCH, DIALER_NONCE, LISTENER_NONCE);
    let mut rng = Rng::new(8, 8);
    let mut accepted = 0;
    for round in 0..300_000u32 {
        let near = |rng: &mut Rng, base: u16| {
            if rng.chance(700_000) { base.wrapping_add(rng.below(40) as u16).wrapping_sub(20) } else { rng.next_u32() as u16 }
        };
        let header = InputHeader {
            flags: InputFlags { has_ack: rng.chance(500_000), ..InputFlags::default() },
            sequence: near(&mut rng, 0xFFFEu16.wrapping_add(100)),
            ack: near(&mut rng, 104),
            ack_bits: rng.next_u32(),
            newest_frame: near(&mut rng, listener.received_frame().to_wire()),
            frame_count: rng.below(12) as u8,
            input_ack: near(&mut rng, 99),
            ack_delay_units: rng.next_u32() as u8,
            lag_frames: rng.next_u32() as i8,
        };
        let mut out = [0; 256];
        let inputs = rng.below(6) as usize;
        for byte in &mut out[InputHeader::MAX_BYTES..InputHeader::MAX_BYTES + inputs] {
            *byte = (rng.next_u32() & rng.next_u32() & rng.next_u32()) as u8;
        }
        let len = header.finish(key, inputs, &mut out);
        let before = listener.received_frame();
        if listener.handle(2_000_000 + u64::from(round), &out[..len]).is_ok() {
            accepted += 1;
            assert!(listener.received_frame() >= before && listener.received_frame() - before <= 12);
            assert!(listener.received_frame() <= Frame::new(99 + 18) && listener.acked_frame() <= Frame::new(99));
        } else {
            assert_eq!(listener.received_frame(), before);
        }
    }
    assert!(accepted > 5, "only {accepted} were accepted: the test has no reach");
}

#[test]
fn a_refusal_ends_dialling_and_strangers_do_not() {
    let mut out = [0; 96];
    let mut dialer = Endpoint::dial(address(1), settings(DIALER_NONCE, PlayerSet::EMPTY), 0);
    let refusal = |nonce| Refusal { match_id: MATCH, nonce, reason: RefusalReason::Full };
    let len = refusal(DIALER_NONCE + 1).write(ConnectionKey::GREETING, &mut out);
    assert_eq!(dialer.handle(0, &out[..len]), Err(Reject::WrongNonce));
    let len = refusal(DIALER_NONCE).write(ConnectionKey::GREETING, &mut out);
    assert_eq!(dialer.handle(0, &out[..len]), Ok(Handled::Refused(RefusalReason::Full)));
    assert_eq!(dialer.state(), LinkState::Refused);
    assert_eq!(dialer.rejects().of(Reject::WrongNonce), 1);
}

/// The frame of a check is one that the peer can have confirmed, and each is taken once.
#[test]
fn a_check_is_of_a_frame_whose_inputs_were_sent_and_is_taken_once() {
    let (mut dialer, mut listener) = playing();
    let digests = InputDigests::new(2);
    let hash = 7;
    let mut out = [0; 1_200];
    let mut tell = |dialer: &mut Endpoint, listener: &mut Endpoint, frame: i64| {
        let len = dialer.write_check(Frame::new(frame), hash, &digests, &mut out);
        listener.handle(0, &out[..len])
    };
    let known = |frame| Ok(Handled::Check(Some(ReceivedCheck { frame: Frame::new(frame), states_digest: hash, input_digests: digests })));
    assert_eq!(tell(&mut dialer, &mut listener, 0), Err(Reject::BeyondHorizon), "the listener has sent nothing");
    for newest in 0..40 {
        let inputs = write(&mut listener, 0, newest);
        dialer.handle(0, &inputs).unwrap();
        let inputs = write(&mut dialer, 0, newest);
        listener.handle(0, &inputs).unwrap();
    }
    assert_eq!(tell(&mut dialer, &mut listener, 40), Err(Reject::BeyondHorizon));
    assert_eq!(tell(&mut dialer, &mut listener, -1), Err(Reject::BadWindow));
    assert_eq!(tell(&mut dialer, &mut listener, 30), known(30));
    for again in [30, 29, 0] {
        assert_eq!(tell(&mut dialer, &mut listener, again), Ok(Handled::Check(None)));
    }
    assert_eq!(tell(&mut dialer, &mut listener, 39), known(39));
    // Of a match of another size.
    let len = dialer.write_check(Frame::new(39), hash, &InputDigests::new(3), &mut out);
    assert_eq!(listener.handle(0, &out[..len]), Err(Reject::BadField));
}

/// The barrier measures the round trip and says when to start, on a clock of its own.
#[test]
fn the_barrier_measures_and_agrees_on_a_start() {
    let (mut dialer, mut listener) = waiting(8);
    let mut out = [0; 1_200];
    let seed = SeedPart::new(&SeedSecret::fixed(1), MATCH, PlayerSet::from_bits(1), 0, false);
    // 30 ms each way; the dialler's clock is 5 s ahead, near the wrap of its 32 bits.
    let skew = u64::from(u32::MAX) - 100_000;
    for n in 0..20 {
        let now_us = 100_000 * n;
        let len = listener.write_sync(now_us, BarrierState::Ready, None, &seed, &[], &mut out);
        dialer.handle(now_us + 30_000 + skew, &out[..len]).unwrap();
        let len = dialer.write_sync(now_us + 35_000 + skew, BarrierState::Loaded, None, &seed, &[], &mut out);
        listener.handle(now_us + 65_000, &out[..len]).unwrap();
    }
    assert_eq!((listener.barrier().remote, dialer.barrier().remote), (BarrierState::Loaded, BarrierState::Ready));
    assert_eq!((listener.stats().rtt_us, dialer.barrier().start_at_us), (Some(60_000), None));
    let start_us = 2_500_000;
    for n in 20..25 {
        let now_us = 100_000 * n;
        let len = listener.write_sync(now_us, BarrierState::Go, Some(start_us), &seed, &[], &mut out);
        dialer.handle(now_us + 30_000 + skew, &out[..len]).unwrap();
    }
    assert_eq!(dialer.barrier().start_at_us, Some(start_us + skew));
}

/// Every fourth packet is lost. The newest ack names one packet; that the others arrived as well is
/// only in the bits.
#[test]
fn the_ack_bits_tell_which_of_the_older_packets_arrived() {
    let (mut dialer, mut listener) = playing();
    for frame in 0..400i64 {
        let now_us = 16_667 * (frame as u64 + 1);
        let packet = write(&mut dialer, now_us, frame);
        if frame % 4 != 3 {
            listener.handle(now_us, &packet).unwrap();
        }
        // Acknowledgements come back only now and then: each must speak for several packets.
        let answer = write(&mut listener, now_us, frame);
        if frame % 6 == 5 {
            dialer.handle(now_us, &answer).unwrap();
        }
    }
    let stats = dialer.stats();
    assert!(stats.packets_acked > 285, "{stats:?}");
    assert!((80..=100).contains(&stats.packets_lost), "{stats:?}");
}

#[test]
fn a_window_of_one_frame_is_no_batch() {
    let (mut dialer, mut listener) = playing_with_floor(0);
    play(&mut dialer, &mut listener, 20);
    // Both have everything up to frame 20 but for the last acknowledgement.
    let last = write(&mut listener, 400_000, 20);
    dialer.handle(400_000, &last).unwrap();
    let packet = write(&mut dialer, 400_000, 21);
    assert_eq!(packet[0] >> 4 & 3, 1, "every-frame alone");
    let again = write(&mut dialer, 400_000, 21);
    assert_eq!(again[0] >> 4 & 3, 0, "neither: sent before, and alone");
}

/// What may be owed counts the other side's maxima too.
#[test]
fn the_maxima_of_both_sides_count() {
    use snapback_transport::endpoint::most_owed_frames;
    let other = PeerParams { window_max_frames: 30, delay_max_frames: 25, ..params() };
    assert_eq!(most_owed_frames(&params(), &other), 8 + 10 + 30 + 25);
    assert_eq!(most_owed_frames(&other, &params()), 8 + 10 + 30 + 25);
}
