//! Whoever lies about others ends the match, and not with the name of somebody else on it.

use crate::game::Game;
use crate::play::{cluster, play};
use snapback::transport::packet::{Bye, Check, ConnectionKey, LeaveReason, PacketType, Welcome};
use snapback::{Frame, Outcome, PlayerHandle, PlayerSet};
use snapback_harness::cluster::{Cluster, ClusterSettings, Passing};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

const LIMIT_US: u64 = 60_000_000;

/// Reads along for the keys of all connections.
#[derive(Default)]
struct Keys {
    keys: BTreeMap<(usize, usize), ConnectionKey>,
}

impl Keys {
    fn of(&mut self, passing: &Passing<'_>) -> Option<ConnectionKey> {
        if let Ok(welcome) = Welcome::read(passing.bytes, ConnectionKey::GREETING) {
            let key = ConnectionKey::new(welcome.match_id, welcome.nonce, welcome.listener_nonce);
            self.keys.insert((passing.from, passing.to), key);
            self.keys.insert((passing.to, passing.from), key);
        }
        self.keys.get(&(passing.from, passing.to)).copied()
    }
}

/// The goodbyes that went over the links, with who sent them.
type Goodbyes = Rc<RefCell<Vec<(usize, Bye)>>>;

/// A match whose last peer changes what it sends: `lie` gives another datagram for one to a peer.
fn cluster_with_liar(
    count: usize,
    mut lie: impl FnMut(Passing<'_>, ConnectionKey) -> Option<Vec<u8>> + 'static,
) -> (Cluster<Game>, Goodbyes) {
    let mut settings = ClusterSettings::new(9, count, 900);
    settings.link.delay_us = 20_000;
    let mut cluster = cluster(&settings, None);
    cluster.set_unjudged();
    let (goodbyes, mut keys) = (Goodbyes::default(), Keys::default());
    let heard = Rc::clone(&goodbyes);
    cluster.set_rewrite(move |passing| {
        let key = keys.of(&passing)?;
        let said = (passing.from == count - 1).then(|| lie(passing, key)).flatten();
        if let Ok(bye) = Bye::read(said.as_deref().unwrap_or(passing.bytes), key) {
            heard.borrow_mut().push((passing.from, bye));
        }
        said
    });
    (cluster, goodbyes)
}

fn players_of(cluster: &Cluster<Game>, peer: usize) -> PlayerSet {
    cluster.nodes()[peer].peer.facts().unwrap().local_players
}

fn written(write: impl FnOnce(&mut [u8]) -> usize) -> Vec<u8> {
    let mut out = vec![0; 200];
    let len = write(&mut out);
    out.truncate(len);
    out
}

/// The last peer tells another one that it was shown other inputs of that one than that one pressed.
#[test]
fn who_lies_about_the_inputs_of_another_is_named_by_that_one() {
    for count in [2, 3] {
        let (liar, victim) = (count - 1, count - 2);
        let (mut cluster, goodbyes) = cluster_with_liar(count, move |passing, key| {
            if passing.to != victim || PacketType::of(passing.bytes) != Ok(PacketType::Check) || passing.now_us < 4_000_000 {
                return None;
            }
            let mut check = Check::read(passing.bytes, key).ok()?;
            check.input_digests.as_mut_slice()[victim] ^= 1;
            Some(written(|out| check.write(key, out)))
        });
        let outcomes = play(&mut cluster, LIMIT_US);
        assert_eq!(players_of(&cluster, victim), PlayerSet::EMPTY.with(PlayerHandle::new(victim as u8)));
        for (peer, outcome) in outcomes.iter().enumerate().take(liar) {
            let Some(Outcome::InputsDiffer { player, peer: told, .. }) = outcome else { panic!("{outcomes:?}") };
            assert!(players_of(&cluster, liar).contains(*player), "peer {peer}: {outcomes:?}");
            assert_eq!(*told, players_of(&cluster, if peer == victim { liar } else { victim }), "{outcomes:?}");
        }
        let text = outcomes[victim].as_ref().unwrap().to_string();
        assert!(
            text.starts_with(&format!("the peer of player {liar} tells of other inputs than it and we have sent each other")),
            "{text}"
        );
        assert!(!goodbyes.borrow().is_empty());
        for (from, bye) in goodbyes.borrow().iter().filter(|(from, _)| *from != liar) {
            let own = players_of(&cluster, *from);
            assert!(bye.lost.iter().all(|player| !own.contains(player)), "{from}: {bye:?}");
        }
    }
}

/// What the last peer says when it leaves in the middle: this reason, of these players and of this frame.
fn goodbye(count: usize, reason: LeaveReason, lost: u8, at: Disputed) -> (Cluster<Game>, Vec<Outcome>) {
    let liar = count - 1;
    let mut newest = (Frame::ZERO, 0);
    let (mut cluster, _) = cluster_with_liar(count, move |passing, key| {
        if let Ok(check) = Check::read(passing.bytes, key) {
            newest = (Frame::new(check.frame.into()), check.states_digest);
        }
        let bye = Bye::read(passing.bytes, key).ok()?;
        let (confirmed_frame, digest) = match at {
            Disputed::Checked => newest,
            // No wish to be found out by the digest: we have none of that frame.
            Disputed::Frame(frame) => (frame, bye.digest),
        };
        let bye = Bye { reason, lost: PlayerSet::from_bits(lost), confirmed_frame, digest, ..bye };
        Some(written(|out| bye.write(key, out)))
    });
    cluster.run_until(6_000_000).unwrap();
    let now_us = cluster.now_us();
    let node = &mut cluster.nodes_mut()[liar];
    let here_us = now_us + node.clock_offset_us();
    node.peer.leave(here_us);
    let mut outcomes = play(&mut cluster, LIMIT_US);
    outcomes.truncate(liar);
    (cluster, outcomes.into_iter().map(Option::unwrap).collect())
}

#[derive(Clone, Copy)]
enum Disputed {
    /// The last one that it sent a check of, with the true digest.
    Checked,
    Frame(Frame),
}

const FAR: [Disputed; 3] =
    [Disputed::Frame(Frame::new(i64::MAX)), Disputed::Frame(Frame::new(i64::MIN)), Disputed::Frame(Frame::new(60_000))];

/// Nobody who is no third party is blamed on anybody's word: the peer has left, and that is all.
#[test]
fn a_goodbye_that_blames_nobody_of_the_match_is_a_peer_that_left() {
    for count in [2, 3] {
        let sender = 1 << (count - 1);
        for reason in [LeaveReason::PeerLost, LeaveReason::Desynced, LeaveReason::InputsDiffer] {
            for lost in [0, 0x80, sender, 0x80 | sender] {
                let (cluster, outcomes) = goodbye(count, reason, lost, Disputed::Checked);
                let players = players_of(&cluster, count - 1);
                assert_eq!(outcomes[0], Outcome::Abandoned { players, reason }, "{count} {lost:b}: {outcomes:?}");
            }
        }
    }
    // Of us it says what we know better.
    for reason in [LeaveReason::Desynced, LeaveReason::InputsDiffer] {
        let (cluster, outcomes) = goodbye(2, reason, 1, Disputed::Checked);
        assert_eq!(outcomes[0], Outcome::Abandoned { players: players_of(&cluster, 1), reason });
    }
    // That it does not hear us it knows better, and it says no more than that.
    let (cluster, outcomes) = goodbye(2, LeaveReason::PeerLost, 1, Disputed::Checked);
    let players = players_of(&cluster, 1);
    assert_eq!(outcomes[0], Outcome::Lost { players, told_by: players });
}

#[test]
fn a_dispute_of_a_frame_that_its_sender_cannot_have_confirmed_is_none() {
    for at in FAR {
        for (count, lost) in [(2, 1), (3, 0b011)] {
            for reason in [LeaveReason::Desynced, LeaveReason::InputsDiffer] {
                let (cluster, outcomes) = goodbye(count, reason, lost, at);
                let players = players_of(&cluster, count - 1);
                assert_eq!(outcomes[0], Outcome::Abandoned { players, reason });
                assert!(!outcomes[0].to_string().contains("9223372036854775"), "{}", outcomes[0]);
            }
        }
    }
}

/// An innocent third one: what is said of it is said, by whom too.
#[test]
fn who_blames_a_third_one_is_named_with_what_it_says() {
    let (blamed, seat) = (PlayerSet::from_bits(0b010), PlayerHandle::new(1));
    for reason in [LeaveReason::PeerLost, LeaveReason::Desynced, LeaveReason::InputsDiffer] {
        let (cluster, outcomes) = goodbye(3, reason, 0b010, Disputed::Checked);
        let liar = players_of(&cluster, 2);
        match &outcomes[0] {
            Outcome::Lost { players, told_by } if reason == LeaveReason::PeerLost => assert_eq!((*players, *told_by), (blamed, liar)),
            Outcome::Desynced { players, theirs: None, told_by, .. } if reason == LeaveReason::Desynced => {
                assert_eq!((*players, *told_by), (blamed, liar));
            }
            Outcome::InputsDiffer { player, peer, after, until, told_by } if reason == LeaveReason::InputsDiffer => {
                assert_eq!((*player, *peer, *told_by), (seat, liar, liar));
                assert!(after < until, "{outcomes:?}");
            }
            _ => panic!("{outcomes:?}"),
        }
        let text = outcomes[0].to_string();
        assert!(text.contains("the peer of player 2 ") && text.contains("says that") && text.contains("player 1"), "{text}");
        // The blamed one keeps its own name out of it.
        let names_itself = match &outcomes[1] {
            Outcome::Lost { players, .. } | Outcome::Desynced { players, .. } => !players.common(blamed).is_empty(),
            Outcome::InputsDiffer { player, .. } => *player == seat,
            _ => false,
        };
        assert!(!names_itself, "{outcomes:?}");
    }
}
