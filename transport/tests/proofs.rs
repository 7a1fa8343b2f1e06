//! Proofs inside the encrypted channel: they repeat until they are answered, and a connection that
//! stands is not shaken by wrong ones.
#![cfg(feature = "dtls")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use snapback_transport::packet::{Proof, Reject};
use snapback_transport::secure::{Certificate, Identity, MatchSecret, SecureEvent, SecureSettings, SecureSocket};
use std::net::SocketAddr;

fn socket(seed: u8) -> SecureSocket {
    SecureSocket::new(SecureSettings::new(7, Certificate::generate().unwrap(), Identity::from_seed(&[seed; 32]), [seed; 32])).unwrap()
}

fn address(last: u8) -> SocketAddr {
    SocketAddr::from(([10, 0, 0, last], 7_000))
}

const SECRET: MatchSecret = MatchSecret([9; 32]);

/// A host and a guest who dials it.
fn dialing() -> (SecureSocket, SecureSocket) {
    let (mut host, mut guest) = (socket(1), socket(2));
    let secret = SECRET.seat(1);
    host.expect(1, secret, None);
    guest.dial(0, address(1), 1, secret, host.fingerprint(), 1_234);
    (host, guest)
}

/// Lets both say everything they have to say. Whether the host's datagrams arrive is up to `arrives`.
fn talk(host: &mut SecureSocket, guest: &mut SecureSocket, now_us: u64, arrives: impl Fn(&SecureSocket) -> bool) {
    let mut buffer = [0; 1_200];
    loop {
        let mut said = false;
        while let Some((_, len)) = guest.poll_transmit(now_us, &mut buffer) {
            said = true;
            // A repeated flight brings no packet to a connection that stands, which counts it.
            if let Err(reject) = host.handle(now_us, address(2), &buffer[..len]) {
                assert_eq!(reject, Reject::Undecryptable);
            }
        }
        while let Some((_, len)) = host.poll_transmit(now_us, &mut buffer) {
            said = true;
            if arrives(host) {
                guest.handle(now_us, address(1), &buffer[..len]).unwrap();
            }
        }
        if !said {
            return;
        }
    }
}

fn established(socket: &mut SecureSocket) -> usize {
    core::iter::from_fn(|| socket.poll_event()).filter(|event| matches!(event, SecureEvent::Established { .. })).count()
}

#[test]
fn a_proof_whose_answer_is_lost_is_repeated_and_answered_again() {
    let (mut host, mut guest) = dialing();
    // From the moment that the host is satisfied, what it says is lost.
    let before = |host: &SecureSocket| host.proved(address(2)).is_none();
    talk(&mut host, &mut guest, 0, before);
    assert_eq!((established(&mut host), established(&mut guest)), (1, 0));
    for repeat in 1..5 {
        talk(&mut host, &mut guest, 100_000 * repeat, before);
        assert_eq!((established(&mut host), established(&mut guest)), (0, 0));
    }
    talk(&mut host, &mut guest, 500_000, |_| true);
    assert_eq!((established(&mut host), established(&mut guest)), (0, 1));
    assert_eq!(host.proved(address(2)).unwrap().identity, guest.identity().key());
}

#[test]
fn a_wrong_proof_after_the_right_one_is_refused_and_the_connection_stands() {
    let (mut host, mut guest) = dialing();
    talk(&mut host, &mut guest, 0, |_| true);
    assert_eq!((established(&mut host), established(&mut guest)), (1, 1));
    let proved = host.proved(address(2));
    let other = Identity::from_seed(&[3; 32]);
    let (own, theirs) = (guest.fingerprint(), host.fingerprint());
    let right = Proof {
        seat: 1,
        is_answer: false,
        secret_proof: SECRET.seat(1).prove(7, &own, &theirs),
        identity: guest.identity().key().0,
        signature: guest.identity().bind(7, &own, &theirs),
    };
    let mut wrong = [right; 5];
    wrong[0].seat = 2;
    wrong[1].is_answer = true;
    wrong[2].secret_proof[0] ^= 1;
    wrong[3].identity = other.key().0;
    wrong[4].signature[63] ^= 1;
    let (mut packet, mut buffer) = ([0; Proof::BYTES], [0; 1_200]);
    for (count, proof) in wrong.iter().enumerate() {
        proof.write(&mut packet);
        let len = guest.seal(address(1), &packet, &mut buffer);
        host.handle(1_000, address(2), &buffer[..len]).unwrap();
        assert_eq!(host.rejects().of(Reject::BadProof), count as u64 + 1, "{proof:?}");
        assert_eq!(host.poll_transmit(1_000, &mut buffer), None, "a wrong proof is answered");
    }
    assert_eq!(host.proved(address(2)), proved);
    // The right one again is answered.
    right.write(&mut packet);
    let len = guest.seal(address(1), &packet, &mut buffer);
    host.handle(1_000, address(2), &buffer[..len]).unwrap();
    assert!(host.poll_transmit(1_000, &mut buffer).is_some());
    let len = guest.seal(address(1), b"\x05 hello", &mut buffer);
    host.handle(1_000, address(2), &buffer[..len]).unwrap();
    assert_eq!(host.next_packet(), Some((address(2), b"\x05 hello".as_slice())));
}
