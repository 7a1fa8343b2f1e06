//! Real sockets on loopback, with a clock of the test's own.

use super::table::{SECRET, host_credentials, settings, ticket};
use snapback::sim::{PadInput, World, WorldData};
use snapback::transport::packet::Reject;
use snapback::transport::udp::UdpEndpoint;
use snapback::{LocalInput, Outcome, Peer, PeerPhase, Rng, Role};

const HZ: u64 = 60;
const JUNK_PER_SECOND: u64 = 50_000;
/// A program waits for its socket and looks at it several times in a tick.
const POLLS_PER_TICK: u64 = 4;

/// 50,000 datagrams of junk for each second of the match: from a stranger, in every disguise, and from
/// the address of the peer itself.
#[test]
fn real_a_match_goes_on_under_a_flood() {
    let bind = || UdpEndpoint::bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let mut sockets = [bind(), bind()];
    let mut stranger = bind();
    let home = sockets[0].local_addr();
    let (credentials, fingerprint) = host_credentials();
    let mut joiner = settings(1, 2, 2, ticket(1, SECRET, fingerprint).into());
    joiner.role = Role::Join { host: home };
    let peer = |settings| {
        let mut peer = Peer::new(World::new(WorldData::default()), settings, 0).unwrap();
        peer.set_loaded();
        peer
    };
    let mut peers = [peer(settings(0, 2, 1, credentials.into())), peer(joiner)];
    let mut rng = Rng::new(1, 1);
    let mut presses = [0u64; 2];
    let mut junk_sent = 0;
    for turn in 0..60 * HZ * POLLS_PER_TICK {
        let now_us = turn * 1_000_000 / (HZ * POLLS_PER_TICK);
        for at in [1, 0] {
            // Before and after what the guest sends.
            for _ in 0..JUNK_PER_SECOND / (HZ * POLLS_PER_TICK) / 2 {
                let junk = junk(&mut rng);
                let from = if rng.chance(200_000) { &mut sockets[1] } else { &mut stranger };
                junk_sent += u64::from(from.send(home, &junk).is_ok());
            }
            // A program that is busy now and then finds more than one poll takes.
            if at == 0 && turn % 16 < 2 {
                continue;
            }
            let (peer, socket) = (&mut peers[at], &mut sockets[at]);
            peer.receive_from(now_us, socket);
            let is_due = turn % POLLS_PER_TICK == 2 && peer.start_at_us().is_some_and(|start| start <= now_us);
            if is_due && peer.phase() != PeerPhase::Over {
                let players = peer.facts().unwrap().local_players;
                let press = |player| LocalInput::new(player, PadInput::new((presses[at] / 6 % 256) as u16));
                let pressed: Vec<_> = players.iter().map(press).collect();
                presses[at] += u64::from(!peer.tick(now_us, &pressed).unwrap().simulation_frozen);
            }
            peer.send_to(now_us, socket).unwrap();
        }
        if peers.iter().all(|peer| peer.phase() == PeerPhase::Over) {
            break;
        }
    }
    for peer in &peers {
        assert!(matches!(peer.outcome(), Some(Outcome::Agreed | Outcome::Unverified { .. })), "{:?}", peer.outcome());
    }
    assert_eq!(peers[0].confirmed_state(), peers[1].confirmed_state());
    assert_eq!(peers[0].confirmed_state().frame.number(), 599);
    let counters = sockets[0].counters();
    let rejects: u64 = peers[0].rejects().map(|(_, count)| count).sum();
    println!("{junk_sent} of junk, {} came in, {rejects} refused, {} polls capped", counters.packets_received, counters.polls_capped);
    assert!(junk_sent > 500_000 && rejects > junk_sent / 4 && counters.polls_capped > 20);
    for expected in [Reject::UnknownSender, Reject::Undecryptable, Reject::NotEncrypted, Reject::BadCookie] {
        assert!(peers[0].rejects().any(|(reject, _)| reject == expected), "{expected} never happened");
    }
}

fn junk(rng: &mut Rng) -> Vec<u8> {
    let mut junk: Vec<u8> = (0..1 + rng.below(120)).map(|_| rng.next_u32() as u8).collect();
    match rng.below(4) {
        // Sealed by the look of it.
        0 if junk.len() > 30 => (junk[0], junk[3], junk[4]) = (0x2F, 0, (junk.len() - 5) as u8),
        1 => junk[0] = 22,
        2 => junk[0] = 10,
        _ => {}
    }
    junk
}
