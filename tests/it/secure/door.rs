//! Who must not get in, and what both sides are told.

use super::table::{MATCH_ID, SECRET, Table, address, host_credentials, identity, settings, ticket};
use snapback::sim::{World, WorldData};
use snapback::transport::packet::{Cookie, Knock, PROTOCOL_VERSION, RefusalReason};
use snapback::transport::secure::{MatchSecret, SecureFailure};
use snapback::{Credentials, Outcome, Peer, PeerEvent, PeerPhase, RollbackConfig, Security, TRANSMIT_BUFFER_BYTES};

const SECOND_US: u64 = 1_000_000;

fn turned_away(table: &Table) -> Vec<RefusalReason> {
    let reason = |event: &PeerEvent| match event {
        PeerEvent::TurnedAway { reason, .. } => Some(*reason),
        _ => None,
    };
    table.chairs[0].events.iter().filter_map(reason).collect()
}

fn assert_refused(table: &Table, reason: RefusalReason) {
    let outcome = table.chairs[1].peer.outcome().unwrap();
    assert_eq!(outcome, &Outcome::Refused(reason));
    let line = outcome.to_string();
    assert!(!line.contains('\n') && line.contains(": "), "{line}");
    assert_eq!(table.chairs[0].peer.phase(), PeerPhase::Gathering);
    assert_eq!(table.chairs[0].peer.connections().count(), 0);
}

#[test]
fn a_plaintext_joiner_is_told_that_encryption_is_required() {
    let mut table = Table::default();
    let (host, fingerprint) = host_credentials();
    table.seat(address(0), settings(0, 2, 1, host.into()));
    table.seat(address(1), settings(1, 2, 2, Security::InsecureLan));
    table.run(SECOND_US);
    assert_refused(&table, RefusalReason::EncryptionRequired);
    assert_eq!(turned_away(&table)[0], RefusalReason::EncryptionRequired);
    // Whoever has a ticket comes in all the same.
    table.chairs.remove(1);
    table.seat(address(1), settings(1, 2, 3, ticket(1, SECRET, fingerprint).into()));
    table.must_agree(table.now_us + 20 * SECOND_US);
}

#[test]
fn an_encrypted_joiner_does_not_play_with_a_plaintext_host() {
    let mut table = Table::default();
    table.seat(address(0), settings(0, 2, 1, Security::InsecureLan));
    table.seat(address(1), settings(1, 2, 2, ticket(1, SECRET, host_credentials().1).into()));
    // Anybody on the way may say so: it takes a second to believe.
    table.run(SECOND_US);
    assert_eq!(table.chairs[1].peer.outcome(), None);
    table.run(2 * SECOND_US);
    assert_refused(&table, RefusalReason::NotEncrypted);
    // Whoever knocks may only want to measure the round trip: the host is not bothered.
    assert_eq!(turned_away(&table), []);
}

#[test]
fn plaintext_by_mistake_is_refused_up_front() {
    let mut wrong = settings(0, 2, 1, Security::InsecureLan);
    assert!(RollbackConfig::default().require_encrypted_transport);
    wrong.config.require_encrypted_transport = true;
    let error = Peer::new(World::new(WorldData::default()), wrong, 0).err().unwrap().to_string();
    assert!(error.contains("require_encrypted_transport") && !error.contains('\n'), "{error}");
}

#[test]
fn another_version_is_named() {
    let mut joiner = Table::default();
    joiner.seat(address(1), settings(1, 2, 2, ticket(1, SECRET, host_credentials().1).into()));
    let peer = &mut joiner.chairs[0].peer;
    let mut out = [0; TRANSMIT_BUFFER_BYTES];
    let transmit = peer.poll_transmit(1, &mut out).unwrap();
    let nonce = Knock::read(&out[..transmit.len]).unwrap().nonce;
    // A stranger who does not know the nonce changes nothing.
    let len = Cookie { version: PROTOCOL_VERSION + 1, nonce: nonce ^ 1, cookie: [0; 16] }.write(&mut out);
    peer.handle(2, address(0), &out[..len]);
    assert_eq!(peer.outcome(), None);
    let len = Cookie { version: PROTOCOL_VERSION + 1, nonce, cookie: [0; 16] }.write(&mut out);
    peer.handle(2, address(9), &out[..len]);
    assert_eq!(peer.outcome(), None);
    peer.handle(2, address(0), &out[..len]);
    assert_eq!(peer.outcome(), None, "anybody on the way may have said so");
    let _ = peer.poll_transmit(SECOND_US + 2, &mut out);
    assert_eq!(peer.outcome(), Some(&Outcome::Refused(RefusalReason::Version(PROTOCOL_VERSION + 1))));
    assert!(peer.outcome().unwrap().to_string().contains(&format!("version {}", PROTOCOL_VERSION + 1)));
}

/// Tickets of another host, another seat, another match: the joiner is told at once.
#[test]
fn a_wrong_ticket_is_named() {
    let (host, fingerprint) = host_credentials();
    let other_secret = ticket(1, MatchSecret([78; 32]), fingerprint);
    let other_seat = Credentials::join(identity(1), [101; 32], 1, SECRET.seat(2), fingerprint).unwrap();
    let no_seat = ticket(9, SECRET, fingerprint);
    for (what, credentials, match_id) in [
        ("secret", other_secret, MATCH_ID),
        ("seat", other_seat, MATCH_ID),
        ("no such seat", no_seat, MATCH_ID),
        ("match", ticket(1, SECRET, fingerprint), MATCH_ID + 1),
    ] {
        let mut table = Table::default();
        table.seat(address(0), settings(0, 2, 1, host.clone().into()));
        let mut joiner = settings(1, 2, 2, credentials.into());
        joiner.match_id = match_id;
        table.seat(address(1), joiner);
        table.run(2 * SECOND_US);
        assert_refused(&table, RefusalReason::NoTicket);
        assert_eq!(turned_away(&table), [RefusalReason::NoTicket], "{what}");
    }
}

/// The address answers, with another certificate than the ticket says.
#[test]
fn another_host_at_the_address_is_named() {
    let mut table = Table::default();
    table.seat(address(0), settings(0, 2, 1, host_credentials().0.into()));
    table.seat(address(1), settings(1, 2, 2, ticket(1, SECRET, host_credentials().1).into()));
    table.run(12 * SECOND_US);
    let outcome = table.chairs[1].peer.outcome().unwrap();
    assert_eq!(outcome, &Outcome::NotSecured { failure: SecureFailure::OtherCertificate });
    assert!(outcome.to_string().contains("ask for a new ticket"));
    assert_eq!(table.chairs[0].peer.connections().count(), 0);
}

/// Four peers; one of the joiners is started anew at every stage before the start, from its old port
/// or from another, with the same ticket and identity and a fresh certificate.
#[test]
fn a_joiner_is_started_anew_while_all_gather() {
    for at_us in [5_000, 20_000, 30_000, 45_000, 60_000, 80_000, 120_000, 200_000, 250_000] {
        for other_port in [false, true] {
            for who in [1, 2, 3] {
                let (mut table, fingerprint) = Table::encrypted(4);
                table.run(at_us);
                if table.chairs.iter().any(|chair| chair.peer.phase() != PeerPhase::Gathering) {
                    continue;
                }
                table.chairs.remove(who);
                let mut home = address(who);
                home.set_port(home.port() + u16::from(other_port));
                table.seat(home, settings(who, 4, 9_000 << 16, ticket(who, SECRET, fingerprint).into()));
                table.run(60 * SECOND_US);
                for (phase, outcome) in table.outcomes() {
                    let what = format!("{who} anew after {at_us} us, other port: {other_port}: {:?}", table.outcomes());
                    assert_eq!((phase, outcome), (PeerPhase::Over, Some(Outcome::Agreed)), "{what}");
                }
            }
        }
    }
}

/// A second person with a copy of the ticket finds the seat taken, and disturbs nobody.
#[test]
fn a_copied_ticket_takes_no_seat_that_is_taken() {
    let (mut table, fingerprint) = Table::encrypted(2);
    table.run_until(SECOND_US, |table| table.chairs[0].peer.connections().count() == 1);
    let copy = Credentials::join(identity(66), [9; 32], 1, SECRET.seat(1), fingerprint).unwrap();
    table.seat(address(5), settings(1, 2, 77 << 16, copy.into()));
    table.run(30 * SECOND_US);
    let outcomes: Vec<_> = table.outcomes().into_iter().map(|(_, outcome)| outcome.unwrap()).collect();
    assert_eq!(outcomes[..2], [Outcome::Agreed, Outcome::Agreed]);
    assert!(matches!(outcomes[2], Outcome::Refused(RefusalReason::SeatTaken | RefusalReason::Started)), "{:?}", outcomes[2]);
}

/// Ten seconds of polling without a tick: the connection stands, and the match goes on.
#[test]
fn polling_without_ticking_keeps_the_connection() {
    for is_encrypted in [true, false] {
        let mut table = if is_encrypted {
            Table::encrypted(2).0
        } else {
            let mut table = Table::default();
            for index in 0..2 {
                table.seat(address(index), settings(index, 2, 1 + index as u64, Security::InsecureLan));
            }
            table
        };
        table.run(4 * SECOND_US);
        table.is_paused = true;
        table.run(16 * SECOND_US);
        assert!(table.outcomes().iter().all(|(phase, _)| *phase == PeerPhase::Playing), "{:?}", table.outcomes());
        table.is_paused = false;
        table.must_agree(60 * SECOND_US);
        assert!(!table.chairs[0].events.iter().any(|event| matches!(event, PeerEvent::Interrupted { .. })));
    }
}

/// A ticket is for one player, whatever its holder says.
#[test]
fn one_ticket_seats_one_player() {
    let mut table = Table::default();
    let (host, fingerprint) = host_credentials();
    table.seat(address(0), settings(0, 3, 1, host.into()));
    let mut greedy = settings(1, 3, 2, ticket(1, SECRET, fingerprint).into());
    greedy.local_player_count = 2;
    table.seat(address(1), greedy);
    table.run(SECOND_US);
    assert_eq!(table.chairs[1].peer.outcome(), Some(&Outcome::Refused(RefusalReason::Full)));
    // Unless the host says so.
    let mut table = Table::default();
    let (mut host, fingerprint) = host_credentials();
    host.players_per_ticket = 2;
    table.seat(address(0), settings(0, 3, 1, host.into()));
    let mut two = settings(1, 3, 2, ticket(1, SECRET, fingerprint).into());
    two.local_player_count = 2;
    table.seat(address(1), two);
    table.run(SECOND_US);
    assert_eq!(table.chairs[0].peer.connections().next().map(|(players, _)| players.len()), Some(2));
}
