//! Whoever lies about others ends the match, and not with the name of somebody else on it.

use crate::game::Game;
use crate::play::{cluster, play};
use snapback::transport::packet::{Bye, Check, ConnectionKey, PacketType, Welcome};
use snapback::{Outcome, PlayerHandle, PlayerSet};
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
