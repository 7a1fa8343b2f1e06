//! A player whose program plays the match as it is and says of its results what it likes.

use crate::support::{Host, Run};
use serde_json::json;
use snapback::sim::{PadInput, World, WorldData};
use snapback::transport::channel::{Channel, ChannelHub, HubRole, HubSettings};
use snapback::transport::secure::Identity;
use snapback::transport::udp::UdpEndpoint;
use snapback::transport::{Ticket, TicketSecurity};
use snapback::{
    Credentials, LocalInput, Peer, PeerPhase, PeerSettings, PlayerHandle, Role, RollbackConfig, Security, SeedSecret, TRANSMIT_BUFFER_BYTES,
};

const HOST: PlayerHandle = PlayerHandle::new(0);
const LIAR: PlayerHandle = PlayerHandle::new(1);

/// What a player says of the results, and when.
enum Says<'a> {
    /// These messages, as soon as somebody listens.
    AtOnce(&'a [&'a [u8]]),
    /// The truth, a good while after it has said goodbye to the match.
    TheTruthLate,
}

/// How late the truth is, and how long after it the player stays.
const LATE_US: u64 = 800_000;

/// Joins by `ticket`, plays to the end without pressing anything, and says of the results what it likes.
#[expect(clippy::disallowed_types, reason = "a program owns its clock")]
fn play_and_say(ticket: &str, says: &Says<'_>) {
    let ticket: Ticket = ticket.parse().unwrap();
    let TicketSecurity::Encrypted { fingerprint, seat, secret } = ticket.security else { panic!("encrypted") };
    let security = Security::from(Credentials::join(Identity::from_seed(&[5; 32]), [6; 32], seat, secret, fingerprint).unwrap());
    let config = RollbackConfig::default();
    let settings = PeerSettings {
        role: Role::Join { host: ticket.address },
        match_id: ticket.match_id,
        nonce: 8,
        seed_secret: SeedSecret::fixed(0),
        player_count: 2,
        local_player_count: 1,
        config,
        input_delay_frames: 0,
        security: security.clone(),
    };
    let mut peer = Peer::new(World::new(WorldData::default()), settings, 0).unwrap();
    peer.set_loaded();
    let role = HubRole::Join { host: ticket.channels.unwrap() };
    let settings = HubSettings::new(ticket.match_id, LIAR, 2, 9, role, security.of_channels(ticket.match_id, &config));
    let mut hub = ChannelHub::new(settings, 0).unwrap();
    let [mut socket, mut beside] = [(); 2].map(|()| UdpEndpoint::bind("127.0.0.1:0".parse().unwrap()).unwrap());
    let mut buffer = [0; TRANSMIT_BUFFER_BYTES];
    let mut unsaid: Vec<Vec<u8>> = match says {
        Says::AtOnce(messages) => messages.iter().rev().map(|message| message.to_vec()).collect(),
        Says::TheTruthLate => Vec::new(),
    };
    let (clock, mut ticks, mut over_us, mut has_told) = (std::time::Instant::now(), 0, None, false);
    loop {
        let now_us = clock.elapsed().as_micros() as u64;
        if peer.phase() == PeerPhase::Over {
            let over_us = *over_us.get_or_insert(now_us);
            match says {
                Says::TheTruthLate if now_us > over_us + 2 * LATE_US => break,
                Says::TheTruthLate if now_us > over_us + LATE_US && !has_told => {
                    has_told = true;
                    unsaid = vec![truth(&peer)];
                }
                Says::TheTruthLate => {}
                Says::AtOnce(_) => break,
            }
        }
        peer.receive_from(now_us, &mut socket);
        if over_us.is_none() && peer.start_at_us().is_some_and(|start_us| now_us >= start_us + ticks * 1_000_000 / 60) {
            ticks += 1;
            let _ = peer.tick(now_us, &[LocalInput::new(LIAR, PadInput::new(0))]);
        }
        peer.send_to(now_us, &mut socket).unwrap();
        beside.begin_poll();
        while let Some((from, len)) = beside.receive(&mut buffer) {
            hub.handle(now_us, from, &buffer[..len]);
        }
        if hub.connected().contains(HOST)
            && let Some(message) = unsaid.pop()
        {
            hub.send(now_us, HOST, Channel::MatchState, &message).unwrap();
        }
        while let Some((to, len)) = hub.poll_transmit(now_us, &mut buffer) {
            beside.send(to, &buffer[..len]).unwrap();
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    assert_eq!(unsaid.len(), 0);
}

/// The end of the match as it was, in which no round is decided.
fn truth(peer: &Peer<World>) -> Vec<u8> {
    let last = peer.confirmed_state();
    let mut message = vec![2];
    message.extend(last.frame.number().to_le_bytes());
    message.extend(last.state_hash.bits().to_le_bytes());
    message.extend(last.digest.to_le_bytes());
    message.extend(0_u32.to_le_bytes());
    message
}

fn hosted(says: &Says<'_>) -> Run {
    let host = Host::start(&["--seconds", "1", "--format", "json"]);
    play_and_say(&host.ticket, says);
    host.finish()
}

#[test]
fn a_result_that_was_not_played_is_named() {
    // Of frame 30, with some hash: team 0 won round 1 of match 1 by knock-out.
    let forged = [1, 30, 0, 0, 0, 0, 0, 0, 0, 0xEF, 0xBE, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0];
    let run = hosted(&Says::AtOnce(&[&forged]));
    assert_eq!(run.code, Some(1), "{}", run.err);
    let named = "warning: player 1 says match 1 round 1 decided at frame 30 (team 0 by knock-out, hash 0000beef); here it is no end \
                 of a round: one of the two computed another match, or does not tell the truth\n";
    assert!(run.err.contains(named), "{}", run.err);
    let report = run.json();
    assert_eq!((&report["agree"], &report["ended_early"]), (&json!(false), &json!(false)));
    assert_eq!(report["peers"][0]["channels"]["results_heard"], json!([{ "from": 1, "rounds": 0, "is_final": false, "agrees": false }]));
    assert_eq!(
        report["outcome"],
        "every frame is confirmed, but the results that a player tells on the channels are not those of this peer"
    );
}

#[test]
fn what_is_no_result_at_all_is_named_once() {
    let run = hosted(&Says::AtOnce(&[b"hello", &[0xFF; 60_000]]));
    assert_eq!(run.code, Some(1), "{}", run.err);
    assert_eq!(run.err.matches("warning: player 1 sends results that no peer of this version sends").count(), 1, "{}", run.err);
}

/// It costs the host two seconds, and nothing else.
#[test]
fn who_says_nothing_does_not_hold_the_end_up_for_ever() {
    let run = hosted(&Says::AtOnce(&[]));
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(run.json()["peers"][0]["channels"]["results_heard"], json!([]));
}

#[test]
fn who_says_it_late_is_still_heard() {
    let run = hosted(&Says::TheTruthLate);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let heard = json!([{ "from": 1, "rounds": 0, "is_final": true, "agrees": true }]);
    assert_eq!(run.json()["peers"][0]["channels"]["results_heard"], heard);
}
