//! Addresses that nobody knows: they cost nothing until they show that they receive, and little then.

use super::net::{DEADLINE_US, HOST, Net, SEAT, address, elsewhere, secret, settings};
use super::rogue::Rogue;
use snapback_core::{PlayerSet, Rng};
use snapback_transport::PeerParams;
use snapback_transport::packet::{ConnectionKey, Cookie, Hello, Knock, Opener, PROTOCOL_VERSION, Reject};
use snapback_transport::secure::{CookieJar, MAX_HANDSHAKES, SecureSocket};

/// One flood of 10,000 datagrams of each kind, each from another address.
#[test]
fn ten_thousand_strangers_get_no_more_than_they_send_and_hold_nothing() {
    let mut recorded = Net::pair(1);
    assert!(recorded.run_until_established(DEADLINE_US));
    let client_hello = recorded.heard.iter().find(|datagram| datagram.bytes[0] == 10).unwrap().bytes[25..].to_vec();
    let mut rng = Rng::new(1, 1);
    for kind in 0..6 {
        let mut net = Net::pair(1);
        net.nodes[1].socket.hang_up(address(HOST));
        let (mut bytes_in, mut bytes_out, mut answers) = (0, 0, 0);
        for n in 0..10_000 {
            let datagram = lie(kind, n, &client_hello, &mut rng);
            bytes_in += datagram.len();
            let _ = net.give(HOST, elsewhere(n), &datagram);
            // Some are read one by one, some in heaps.
            if n % 700 < 350 || n % 700 == 699 {
                let mut out = [0; 1_200];
                while let Some((_, len)) = net.nodes[HOST].socket.poll_transmit(net.now_us, &mut out) {
                    bytes_out += len;
                    answers += 1;
                }
                assert!(bytes_out <= bytes_in, "kind {kind}: {bytes_out} bytes for {bytes_in}");
            }
            assert_eq!(net.nodes[HOST].socket.pending_handshakes(), 0, "kind {kind}");
            net.now_us += 100;
        }
        assert!(answers <= 10_000);
        // Only a Knock and a Hello of ours are answered at all.
        assert_eq!(answers > 0, kind < 2, "kind {kind}: {answers} answers");
        net.invite();
        assert!(net.run_until_established(net.now_us + DEADLINE_US) && net.talk_both_ways(), "kind {kind}");
    }
}

fn lie(kind: u32, n: u32, client_hello: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut out = [0; 1_200];
    let len = match kind {
        0 => Knock { version: PROTOCOL_VERSION + (n % 2) as u16, nonce: n.into() }.write(&mut out),
        1 => hello(n, &mut out),
        2 => Opener { nonce: n.into(), cookie: [n as u8; 16], record: client_hello }.write(&mut out),
        3 => {
            out[..client_hello.len()].copy_from_slice(client_hello);
            client_hello.len()
        }
        4 => {
            // Sealed by the look of it.
            out.fill_with(|| rng.next_u32() as u8);
            (out[0], out[3], out[4]) = (0x2F, 0, 60);
            65
        }
        _ => {
            out.fill_with(|| rng.next_u32() as u8);
            // No Knock by chance.
            out[1] = 0;
            rng.below(1_200) as usize
        }
    };
    out[..len].to_vec()
}

fn hello(n: u32, out: &mut [u8]) -> usize {
    let params = PeerParams {
        simulation_name: 0,
        simulation_version: 0,
        layout_fingerprint: 0,
        config_hash: 0,
        simulation_hz: 60,
        input_bytes: 2,
        player_count: 2,
        window_max_frames: 8,
        delay_max_frames: 10,
    };
    let hello = Hello { version: PROTOCOL_VERSION, match_id: 7, nonce: n.into(), players: PlayerSet::EMPTY, player_count: 1, params };
    hello.write(ConnectionKey::GREETING, out)
}

/// A cookie from one address is worth nothing at another, and nothing with another nonce.
#[test]
fn a_cookie_cannot_be_carried_elsewhere() {
    let mut host = SecureSocket::new(settings(HOST)).unwrap();
    host.expect(SEAT, secret(SEAT), None);
    let mut out = [0; 1_200];
    let len = Knock { version: PROTOCOL_VERSION, nonce: 5 }.write(&mut out);
    host.handle(0, elsewhere(1), &out[..len]).unwrap();
    let (to, len) = host.poll_transmit(0, &mut out).unwrap();
    assert_eq!(to, elsewhere(1));
    let cookie = Cookie::read(&out[..len]).unwrap().cookie;
    for (from, nonce, is_right) in [(elsewhere(2), 5, false), (elsewhere(1), 6, false), (elsewhere(1), 5, true)] {
        let len = Opener { nonce, cookie, record: &[22, 254, 253] }.write(&mut out);
        let handled = host.handle(1, from, &out[..len]);
        assert_eq!(handled, if is_right { Ok(()) } else { Err(Reject::BadCookie) });
        assert_eq!(host.pending_handshakes(), usize::from(is_right));
    }
    // One's own key is the only one.
    assert!(!CookieJar::new([1; 32]).is_ours(0, elsewhere(1), 5, &cookie));
}

/// A thousand addresses that do receive what is sent to them: never more handshakes than there is
/// room for, and whoever is honest comes in all the same.
#[test]
fn a_thousand_open_handshakes_leave_room_for_an_honest_one() {
    let mut net = Net::pair(1);
    net.nodes[1].socket.hang_up(address(HOST));
    let mut rogues: Vec<Rogue> = (0..1_000).map(|n| Rogue::dialer(elsewhere(n), n.into())).collect();
    let mut most = 0;
    for round in 0..3 {
        for (n, rogue) in rogues.iter_mut().enumerate() {
            // They come as far as the proof that they cannot give.
            rogue.exchange(&mut net.nodes[HOST].socket, net.now_us);
            most = most.max(net.nodes[HOST].socket.pending_handshakes());
            net.now_us += 2_000;
            if (round, n) == (1, 0) {
                net.invite();
            }
            if round > 0 && !net.is_established() {
                net.step(net.now_us + 1_000);
            }
        }
    }
    assert_eq!(most, MAX_HANDSHAKES);
    assert!(net.nodes[HOST].socket.rejects().of(Reject::HandshakesFull) > 0);
    assert!(net.is_established() && net.talk_both_ways());
}

/// A hundred thousand sealed-looking datagrams from nowhere: few are tried, none does anything.
#[test]
fn trial_decryption_is_rationed() {
    let mut net = Net::standing(1);
    let mut genuine = net.sealed(1, address(HOST), b"x");
    let last = genuine.len() - 1;
    genuine[last] ^= 1;
    let began_us = net.now_us;
    for n in 0..100_000 {
        assert_eq!(net.give(HOST, elsewhere(n), &genuine), Err(Reject::UnknownSender));
        net.now_us += 10;
    }
    let seconds = (net.now_us - began_us) / 1_000_000;
    let trials = net.nodes[HOST].socket.stats().trials;
    assert!(trials > 0 && trials <= 32 + 101 * seconds, "{trials} trials in {seconds} s");
    assert!(net.talk_both_ways());
}

/// A first record as somebody's own dialler makes it, behind a right cookie for `from`.
fn openers(net: &mut Net, from: std::net::SocketAddr, count: usize) -> Vec<Vec<u8>> {
    let mut out = [0; 1_200];
    let recorded = {
        let mut other = Net::pair(9);
        assert!(other.run_until_established(DEADLINE_US));
        other.heard.iter().find(|datagram| datagram.bytes[0] == 10).unwrap().bytes[25..].to_vec()
    };
    (0..count as u64)
        .map(|nonce| {
            let len = Knock { version: PROTOCOL_VERSION, nonce }.write(&mut out);
            net.give(HOST, from, &out[..len]).unwrap();
            let (_, len) = net.nodes[HOST].socket.poll_transmit(net.now_us, &mut out).unwrap();
            let cookie = Cookie::read(&out[..len]).unwrap().cookie;
            let len = Opener { nonce, cookie, record: &recorded }.write(&mut out);
            out[..len].to_vec()
        })
        .collect()
}

/// Each handshake costs a millisecond: who alternates between two of them gets no more than who begins
/// one after the other.
#[test]
fn handshakes_of_one_network_are_rationed() {
    let mut net = Net::pair(1);
    net.nodes[1].socket.hang_up(address(HOST));
    let begun = net.nodes[HOST].socket.stats().begun;
    let openers = openers(&mut net, elsewhere(1), 2);
    for n in 0..500 {
        let _ = net.give(HOST, elsewhere(1), &openers[n % 2]);
        net.now_us += 2_000;
    }
    let begun = net.nodes[HOST].socket.stats().begun - begun;
    assert!((10..=20).contains(&begun), "{begun} handshakes in a second");
}

/// One machine with forty ports and right cookies for all of them does not keep a guest out.
#[test]
fn one_network_leaves_room_for_the_others() {
    let mut net = Net::pair(1);
    let ports: Vec<_> = (0..40u16).map(|n| std::net::SocketAddr::new(elsewhere(1).ip(), 5_000 + n)).collect();
    let openers: Vec<Vec<u8>> = ports.iter().map(|port| openers(&mut net, *port, 1).remove(0)).collect();
    for n in 0..1_000 {
        let _ = net.give(HOST, ports[n % 40], &openers[n % 40]);
        let until_us = net.now_us + 500;
        net.run(until_us);
        assert!(net.nodes[HOST].socket.pending_handshakes() <= MAX_HANDSHAKES / 2 + 1);
    }
    assert!(net.run_until_established(net.now_us + 1_000_000));
}
