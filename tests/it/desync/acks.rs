//! Who plays on and does not acknowledge inputs is not waited for; and what cannot be kept is not acknowledged.

use crate::game::Game;
use crate::play::{cluster, play};
use snapback::transport::packet::{ConnectionKey, InputFlags, InputHeader, InputView, LeaveReason, PacketType, Reject, Welcome};
use snapback::{Command, Frame, Outcome, PlayerSet};
use snapback_core::codec::{BitWriter, RunLog};
use snapback_harness::cluster::{Cluster, ClusterSettings, Passing};
use std::collections::BTreeMap;

const LIAR: usize = 1;
const MINUTES_US: u64 = 600_000_000;
const FRAMES: u32 = 600;

/// The keys of the plaintext connections, and how their dialler and listener began.
#[derive(Default)]
struct Keys {
    keys: BTreeMap<(usize, usize), ConnectionKey>,
    listener_nonce: u64,
}

impl Keys {
    fn look(&mut self, passing: &Passing<'_>) {
        if let Ok(welcome) = Welcome::read(passing.bytes, ConnectionKey::GREETING) {
            let key = ConnectionKey::new(welcome.match_id, welcome.nonce, welcome.listener_nonce);
            self.keys.insert((passing.from, passing.to), key);
            self.keys.insert((passing.to, passing.from), key);
            self.listener_nonce = welcome.listener_nonce;
        }
    }

    fn of(&self, passing: &Passing<'_>) -> Option<ConnectionKey> {
        self.keys.get(&(passing.from, passing.to)).copied()
    }
}

fn packet(header: InputHeader, inputs: &[u8], key: ConnectionKey) -> Vec<u8> {
    let mut out = vec![0; 1_200];
    out[header.bytes()..][..inputs.len()].copy_from_slice(inputs);
    let len = header.finish(key, inputs.len(), &mut out);
    out.truncate(len);
    out
}

/// A match in which what [`LIAR`] says of our inputs goes no further than `from`, and in which it may say
/// that it has no packet at all.
fn withheld(from: i64, says_packets: bool) -> (Cluster<Game>, Vec<Option<Outcome>>) {
    let mut settings = ClusterSettings::new(9, 2, FRAMES);
    settings.link.delay_us = 20_000;
    let mut cluster = cluster(&settings, None);
    cluster.set_unjudged();
    let mut keys = Keys::default();
    cluster.set_rewrite(move |passing| {
        keys.look(&passing);
        if passing.from != LIAR || PacketType::of(passing.bytes) != Ok(PacketType::Input) {
            return None;
        }
        let key = keys.of(&passing)?;
        let InputView { mut header, inputs } = InputView::read(passing.bytes, key).ok()?;
        if Frame::from_wire(header.input_ack, Frame::ZERO) < Frame::new(from) {
            return None;
        }
        header.input_ack = Frame::new(from).to_wire();
        if !says_packets {
            header.flags = InputFlags { has_ack: false, all_acked: false, ..header.flags };
        }
        Some(packet(header, inputs, key))
    });
    let outcomes = play(&mut cluster, MINUTES_US);
    (cluster, outcomes)
}

#[test]
fn a_peer_that_denies_inputs_holds_nobody_up_for_longer_than_the_timeout() {
    let (cluster, outcomes) = withheld(100, true);
    let [honest, liar] = [0, LIAR].map(|peer| cluster.nodes()[peer].peer.facts().unwrap().local_players);
    let Some(Outcome::AcksWithheld { players, after, until }) = outcomes[0] else { panic!("{outcomes:?}") };
    assert_eq!((players, after), (liar, Frame::new(100)));
    assert!((110..160).contains(&until.number()), "{until}");
    assert_eq!(outcomes[LIAR], Some(Outcome::Abandoned { players: honest, reason: LeaveReason::Violation }));
    assert!(cluster.now_us() < 20_000_000, "it took {} us", cluster.now_us());
}

#[test]
fn a_peer_that_says_that_nothing_comes_is_lost() {
    let (cluster, outcomes) = withheld(100, false);
    let liar = cluster.nodes()[LIAR].peer.facts().unwrap().local_players;
    assert_eq!(outcomes[0], Some(Outcome::Lost { players: liar, told_by: PlayerSet::EMPTY }));
    assert!(cluster.now_us() < 20_000_000, "it took {} us", cluster.now_us());
}

#[test]
fn who_has_everything_does_not_wait_for_a_peer_that_acknowledges_nothing_more() {
    for says_packets in [true, false] {
        let mut settings = ClusterSettings::new(9, 2, FRAMES);
        settings.link.delay_us = 20_000;
        let mut cluster = cluster(&settings, None);
        cluster.set_unjudged();
        let mut keys = Keys::default();
        // Neither acknowledges the last frames, so that neither says goodbye.
        cluster.set_rewrite(move |passing| {
            keys.look(&passing);
            if PacketType::of(passing.bytes) != Ok(PacketType::Input) {
                return None;
            }
            let key = keys.of(&passing)?;
            let InputView { mut header, inputs } = InputView::read(passing.bytes, key).ok()?;
            let most = Frame::new(i64::from(FRAMES) - 6);
            if Frame::from_wire(header.input_ack, Frame::ZERO) < most {
                return None;
            }
            header.input_ack = most.to_wire();
            if !says_packets {
                header.flags = InputFlags { has_ack: false, all_acked: false, ..header.flags };
            }
            Some(packet(header, inputs, key))
        });
        let outcomes = play(&mut cluster, MINUTES_US);
        // Who says goodbye first is believed by the other, which then says its own.
        assert!(outcomes.iter().all(|outcome| matches!(outcome, Some(Outcome::Agreed | Outcome::Unverified { .. }))), "{outcomes:?}");
        assert!(cluster.now_us() < 40_000_000, "it took {} us", cluster.now_us());
    }
}

#[test]
fn inputs_before_there_is_a_session_are_refused_and_not_acknowledged() {
    let mut settings = ClusterSettings::new(9, 2, 120);
    settings.link.delay_us = 20_000;
    let mut cluster = cluster(&settings, None);
    let mut keys = Keys::default();
    let mut is_sent = false;
    cluster.set_rewrite(move |passing| {
        keys.look(&passing);
        if is_sent || passing.from != 0 || PacketType::of(passing.bytes) != Ok(PacketType::Sync) {
            return None;
        }
        is_sent = true;
        let mut log = RunLog::new(size_of::<u16>(), 8);
        let mut inputs = [0; 64];
        let mut writer = BitWriter::new(&mut inputs);
        log.encode(&mut writer, Frame::ZERO, 1, |_, _| Command::NONE);
        let len = writer.finish().unwrap();
        let nothing = Frame::INITIAL.to_wire();
        // The first that the host will use.
        let sequence = keys.listener_nonce as u16;
        let header = InputHeader { sequence, newest_frame: 0, frame_count: 1, input_ack: nothing, ..InputHeader::default() };
        Some(packet(header, &inputs[..len], keys.of(&passing)?))
    });
    let outcomes = play(&mut cluster, MINUTES_US);
    assert_eq!(outcomes, [Some(Outcome::Agreed), Some(Outcome::Agreed)]);
    let refused: Vec<_> = cluster.nodes()[1].peer.rejects().collect();
    assert_eq!(refused, [(Reject::WrongState, 1)]);
}
