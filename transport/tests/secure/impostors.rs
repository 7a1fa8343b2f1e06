//! Whoever has the wrong certificate, secret, seat, match or identity gets nowhere.

use super::net::{DATA, DEADLINE_US, GUEST, HOST, MATCH_ID, Net, SEAT, address, elsewhere, secret, settings};
use super::rogue::Rogue;
use snapback_transport::packet::{Path, Proof, Reject};
use snapback_transport::secure::{Identity, MatchSecret, SecureEvent, SecureFailure, SecureSettings, SecureSocket};

const NOW_US: u64 = 5_000;

fn host() -> SecureSocket {
    let mut host = SecureSocket::new(settings(HOST)).unwrap();
    host.expect(SEAT, secret(SEAT), None);
    host
}

/// The dialler says why it does not get through, and does get through once the right one is there.
#[test]
fn another_certificate_is_tried_again_until_it_is_the_right_one() {
    let mut net = Net::pair(1);
    let mut right = SecureSocket::new(settings(HOST)).unwrap();
    right.expect(SEAT, secret(SEAT), None);
    net.nodes[GUEST].socket.dial(net.now_us, address(HOST), SEAT, secret(SEAT), right.fingerprint(), 99);
    assert!(!net.run_until_established(5_000_000));
    assert_eq!(net.nodes[GUEST].socket.failure(address(HOST)), Some(SecureFailure::OtherCertificate));
    let restarted = net.nodes[GUEST].socket.stats().restarted;
    // An answer that was late, from the attempt before, may hold one up for three seconds.
    assert!((2..=10).contains(&restarted), "{restarted} restarts in 5 s");
    assert_eq!((net.nodes[HOST].socket.stats().established, net.nodes[GUEST].socket.stats().established), (0, 0));
    net.nodes[HOST].socket = right;
    assert!(net.run_until_established(10_000_000) && net.talk_both_ways());
    assert_eq!(net.nodes[GUEST].socket.failure(address(HOST)), None);
}

/// A ticket of another seat, another match, another host's secret.
#[test]
fn a_wrong_secret_seat_or_match_is_never_let_in() {
    let other_match = |index| SecureSettings { match_id: MATCH_ID + 1, ..settings(index) };
    let wrongs = [
        ("secret", settings(GUEST), SEAT, MatchSecret([8; 32]).seat(SEAT)),
        ("seat", settings(GUEST), SEAT + 1, secret(SEAT)),
        ("seat and its secret", settings(GUEST), SEAT + 1, secret(SEAT + 1)),
        ("the secret of another seat", settings(GUEST), SEAT, secret(SEAT + 1)),
        ("match", other_match(GUEST), SEAT, secret(SEAT)),
    ];
    for (what, guest, seat, secret) in wrongs {
        let mut net = Net::new(1, vec![settings(HOST), guest]);
        net.invite();
        let fingerprint = net.nodes[HOST].socket.fingerprint();
        net.nodes[GUEST].socket.dial(net.now_us, address(HOST), seat, secret, fingerprint, 99);
        assert!(!net.run_until_established(5_000_000), "{what}");
        assert_eq!((net.nodes[HOST].socket.stats().established, net.nodes[GUEST].socket.stats().established), (0, 0), "{what}");
        assert!(net.nodes[HOST].events.contains(&SecureEvent::Unproven { address: address(GUEST) }), "{what}");
        assert!(net.nodes[HOST].socket.rejects().of(Reject::BadProof) > 0, "{what}");
        assert_eq!(net.nodes[GUEST].socket.failure(address(HOST)), Some(SecureFailure::NoTicket), "{what}");
    }
}

/// The certificate that the host's roster names, and no other.
#[test]
fn an_expected_certificate_is_required() {
    for is_right in [true, false] {
        let mut net = Net::pair(1);
        let right = net.nodes[GUEST].socket.fingerprint();
        let expected = if is_right { right } else { net.nodes[HOST].socket.fingerprint() };
        net.nodes[HOST].socket.expect(SEAT, secret(SEAT), Some(expected));
        assert_eq!(net.run_until_established(5_000_000), is_right);
    }
}

/// Every field of a proof, changed by somebody who speaks DTLS perfectly.
#[test]
fn a_proof_with_one_wrong_field_proves_nothing() {
    let (identity, other) = (Identity::from_seed(&[2; 32]), Identity::from_seed(&[66; 32]));
    type Change<'a> = &'a dyn Fn(&Rogue, &mut Proof);
    let changes: [(&str, bool, Change<'_>); 9] = [
        ("nothing", true, &|_, _| {}),
        ("another identity's own signature", true, &|rogue, proof| *proof = rogue.proof(SEAT, &other)),
        ("seat", false, &|_, proof| proof.seat += 1),
        ("answer", false, &|_, proof| proof.is_answer = true),
        ("secret", false, &|_, proof| proof.secret_proof[31] ^= 1),
        ("identity", false, &|_, proof| proof.identity = other.key().0),
        ("signature", false, &|_, proof| proof.signature[0] ^= 1),
        ("direction", false, &|rogue, proof| {
            let (own, peer) = (rogue.certificate.fingerprint(), rogue.peer.unwrap());
            proof.secret_proof = secret(SEAT).prove(MATCH_ID, &peer, &own);
        }),
        ("signature of another match", false, &|rogue, proof| {
            proof.signature = identity.bind(MATCH_ID + 1, &rogue.certificate.fingerprint(), &rogue.peer.unwrap());
        }),
    ];
    for (what, is_right, change) in changes {
        let mut host = host();
        let mut rogue = Rogue::dialer(address(GUEST), 5);
        rogue.exchange(&mut host, NOW_US);
        assert!(rogue.is_connected, "{what}");
        assert_eq!(host.stats().established, 0);
        let mut proof = rogue.proof(SEAT, &identity);
        change(&rogue, &mut proof);
        rogue.prove(&mut host, NOW_US, &proof);
        assert_eq!(host.proved(address(GUEST)).is_some(), is_right, "{what}");
        rogue.say(&mut host, NOW_US, &[DATA, 1]);
        assert_eq!(host.next_packet().is_some(), is_right, "{what}");
    }
}

/// A proof that an honest guest gave to one host, shown to another by that host or by a listener.
#[test]
fn a_proof_is_worth_nothing_to_another_listener() {
    let mut thief = Rogue::listener(address(HOST));
    let mut guest = SecureSocket::new(settings(GUEST)).unwrap();
    guest.dial(NOW_US, address(HOST), SEAT, secret(SEAT), thief.certificate.fingerprint(), 1);
    thief.exchange(&mut guest, NOW_US);
    let stolen = thief.heard.iter().find_map(|packet| Proof::read(packet).ok()).unwrap();
    let mut host = host();
    let mut rogue = Rogue::dialer(elsewhere(1), 5);
    rogue.exchange(&mut host, NOW_US);
    rogue.prove(&mut host, NOW_US, &stolen);
    assert_eq!(host.stats().established, 0);
    assert_eq!(host.rejects().of(Reject::BadProof), 1);
}

/// A host that does not know the secret sends the guest's own proof back.
#[test]
fn a_reflected_proof_proves_nothing() {
    let identity = Identity::from_seed(&[66; 32]);
    for how in 0..4 {
        let mut thief = Rogue::listener(address(HOST));
        let mut guest = SecureSocket::new(settings(GUEST)).unwrap();
        guest.dial(NOW_US, address(HOST), SEAT, secret(SEAT), thief.certificate.fingerprint(), 1);
        thief.exchange(&mut guest, NOW_US);
        let stolen = thief.heard.iter().find_map(|packet| Proof::read(packet).ok()).unwrap();
        let own = thief.proof(SEAT, &identity);
        let shown = match how {
            0 => stolen,
            1 => Proof { is_answer: true, ..stolen },
            2 => Proof { secret_proof: stolen.secret_proof, ..own },
            _ => own,
        };
        thief.prove(&mut guest, NOW_US, &shown);
        assert_eq!(guest.proved(address(HOST)).is_some(), how == 3, "way {how}");
        if how < 3 {
            assert_eq!(guest.failure(address(HOST)), Some(SecureFailure::BadProof), "way {how}");
        }
    }
}

/// Proofs, paths and other packets at times when they mean nothing.
#[test]
fn packets_of_the_handshake_at_wrong_times_change_nothing() {
    let identity = Identity::from_seed(&[2; 32]);
    let mut host = host();
    let mut rogue = Rogue::dialer(address(GUEST), 5);
    rogue.exchange(&mut host, NOW_US);
    let mut path = [0; Path::BYTES];
    Path { is_answer: true, token: 7 }.write(&mut path);
    for early in [&path[..], &[DATA, 1], &[0xFF; 40], &[11], &[12]] {
        rogue.say(&mut host, NOW_US, early);
    }
    assert_eq!((host.proved(address(GUEST)), host.next_packet()), (None, None));
    let proof = rogue.proof(SEAT, &identity);
    rogue.prove(&mut host, NOW_US, &proof);
    let proved = host.proved(address(GUEST)).unwrap();
    // Another identity, another seat, a wrong secret: the connection stays what it is.
    let others = [
        rogue.proof(SEAT, &Identity::from_seed(&[66; 32])),
        rogue.proof(SEAT + 1, &identity),
        Proof { secret_proof: [0; 32], ..proof },
        Proof { is_answer: true, ..proof },
    ];
    for other in others {
        rogue.prove(&mut host, NOW_US, &other);
        assert_eq!(host.proved(address(GUEST)), Some(proved));
    }
    // An answer to a question that nobody asked moves nothing.
    rogue.say(&mut host, NOW_US, &path);
    assert_eq!((host.stats().moved, host.stats().established), (0, 1));
    rogue.say(&mut host, NOW_US, &[DATA, 2]);
    assert_eq!(host.next_packet(), Some((address(GUEST), &[DATA, 2][..])));
    // Questions are answered, one for each burst.
    rogue.heard.clear();
    for token in 0..100 {
        Path { is_answer: false, token }.write(&mut path);
        rogue.say(&mut host, NOW_US, &path);
    }
    assert!(rogue.heard.iter().all(|packet| Path::read(packet).is_ok_and(|path| path.is_answer)));
    assert!((1..=100).contains(&rogue.heard.len()));
}

/// Two tickets' worth of people with one ticket: who is in and in use stays.
#[test]
fn a_second_identity_with_the_same_ticket_pushes_nobody_out() {
    let mut net = Net::standing(3);
    let proved = net.proved(HOST, address(GUEST)).unwrap();
    // From elsewhere: it may come in as far as the session above lets it, beside the first.
    let mut rogue = Rogue::dialer(elsewhere(1), 5);
    let host = &mut net.nodes[HOST].socket;
    rogue.exchange(host, net.now_us);
    let proof = rogue.proof(SEAT, &Identity::from_seed(&[66; 32]));
    rogue.prove(host, net.now_us, &proof);
    assert!(host.proved(elsewhere(1)).is_some());
    // From the very same address: not at all.
    let mut rogue = Rogue::dialer(address(GUEST), 6);
    rogue.exchange(host, net.now_us);
    let proof = rogue.proof(SEAT, &Identity::from_seed(&[66; 32]));
    rogue.prove(host, net.now_us, &proof);
    assert_eq!(host.proved(address(GUEST)), Some(proved));
    assert!(net.talk_both_ways());
    net.run(net.now_us + 2 * DEADLINE_US);
    assert_eq!(net.proved(HOST, elsewhere(1)), None, "nobody uses it, so it ends");
    assert!(net.talk_both_ways());
}
