//! The same inputs through our session and through ggrs's, each over the same encrypted link.

use crate::ledger::{Ledger, SEED, said, straight};
use crate::net::{Net, Socket, address};
use ggrs::{DesyncDetection, GgrsEvent, P2PSession, PlayerType, SessionBuilder, SessionState, SpectatorSession};
use snapback::interop::{GgrsConfig, GgrsGame, GgrsPeer, GgrsRules, InputBlock};
use snapback::{Frame, LocalInput, Peer, PeerPhase, PeerSettings, PlayerHandle, Role, RollbackConfig, StateHash};
use snapback_peers::pad::{Pad, holding, restless};
use snapback_peers::security::encrypted;
use std::time::Duration;

type Config = GgrsConfig<Ledger>;

const NEVER: Duration = Duration::from_secs(86_400);
const TICK_US: u64 = 16_667;
const FRAMES: usize = 1_000;
const RULES: GgrsRules = GgrsRules { player_count: 2, input_bytes: InputBlock::<u16>::BYTES, checksums: true };

/// Hashes of one peer, by frame from 0 on.
type Hashes = Vec<StateHash>;

/// What both of our peers confirm.
fn ours(net: &Net, pad: Pad) -> [Hashes; 2] {
    let mut roles = [Role::Host { first_frame: Frame::ZERO, last_frame: None }, Role::Join { host: address(0) }].into_iter();
    let mut nonce = 1;
    let mut peers = encrypted().map(|security| {
        nonce += 1;
        let settings = PeerSettings {
            role: roles.next().unwrap(),
            match_id: 9,
            nonce,
            seed_secret: snapback::SeedSecret::fixed(if nonce == 2 { SEED } else { 0 }),
            player_count: 2,
            local_player_count: 1,
            config: RollbackConfig::default(),
            input_delay_frames: 0,
            security,
        };
        let mut peer = Peer::new(Ledger::default(), settings, 0).unwrap();
        peer.set_loaded();
        peer
    });
    let mut ends = [net.end(0), net.end(1)];
    let mut hashes = [Hashes::new(), Hashes::new()];
    for _ in 0..20_000 {
        net.pass_us(TICK_US);
        for seat in 0..2 {
            let (peer, now_us) = (&mut peers[seat], net.now_us());
            peer.receive_from(now_us, &mut ends[seat]);
            if peer.start_at_us().is_some_and(|start_us| start_us <= now_us) || peer.phase() >= PeerPhase::Playing {
                let frame = peer.session().unwrap().current_frame().next().number();
                let local = LocalInput { player: PlayerHandle::new(seat as u8), input: pad(seat, frame), command: said(seat, frame) };
                peer.tick(now_us, &[local]).unwrap();
            }
            peer.send_to(now_us, &mut ends[seat]).unwrap();
            let Some(session) = peer.session_mut() else { continue };
            while let Some(confirmed) = session.confirmed(Frame::new(hashes[seat].len() as i64)) {
                hashes[seat].push(confirmed.state_hash);
            }
        }
        if hashes.iter().all(|hashes| hashes.len() >= FRAMES) {
            return hashes;
        }
    }
    panic!("ours confirmed only {:?} frames", hashes.map(|hashes| hashes.len()));
}

/// Hashes of which the newest may still be guesses.
#[derive(Default)]
struct Settling {
    hashes: Hashes,
    settled: usize,
}

impl Settling {
    /// Takes states as they are saved; those up to `confirmed` are final from now on.
    fn take(&mut self, saved: &[(Frame, StateHash)], confirmed: i64) {
        for (after, hash) in saved.iter().filter(|(after, _)| *after >= Frame::ZERO) {
            let at = after.number() as usize;
            assert!(at >= self.settled || self.hashes[at] == *hash, "frame {after} has changed after it was confirmed");
            assert!(at <= self.hashes.len(), "frame {after} comes after a gap");
            self.hashes.truncate(at);
            self.hashes.push(*hash);
        }
        self.settled = self.settled.max(self.hashes.len().min((confirmed + 1).max(0) as usize));
    }
}

/// Two ggrs sessions and, at seat 2, a spectator of the first.
struct Theirs {
    net: Net,
    players: [P2PSession<Config>; 2],
    games: [GgrsGame<Ledger>; 2],
    spectator: SpectatorSession<Config>,
    watched: GgrsGame<Ledger>,
    hashes: [Settling; 3],
    rollbacks: u64,
}

impl Theirs {
    fn new(net: &Net) -> Self {
        let player = GgrsPeer::Player { players: 1 };
        let roles = [(0, vec![(1, player), (2, GgrsPeer::Spectator)]), (1, vec![(0, player)]), (2, vec![(0, GgrsPeer::Host)])];
        let mut sockets = roles.map(|(seat, peers)| net.socket(seat, &peers, RULES));
        let facts = sockets.each_ref().map(Socket::facts);
        while !(facts[0].is_connected(1) && facts[0].is_connected(2) && facts[1].is_connected(0) && facts[2].is_connected(0)) {
            assert!(net.now_us() < 10_000_000, "they did not meet");
            net.pass_us(5_000);
            sockets.iter_mut().for_each(Socket::poll);
        }
        let mut sockets = sockets.into_iter();
        let players = [0, 1].map(|seat| {
            let mut builder = builder()
                .with_desync_detection_mode(DesyncDetection::On { interval: 10 })
                .add_player(PlayerType::Local, seat)
                .and_then(|builder| builder.add_player(PlayerType::Remote(1 - seat as u8), 1 - seat))
                .unwrap();
            if seat == 0 {
                builder = builder.add_player(PlayerType::Spectator(2), 2).unwrap();
            }
            builder.start_p2p_session(sockets.next().unwrap()).unwrap()
        });
        let spectator = builder().start_spectator_session(0, sockets.next().unwrap());
        let game = || GgrsGame::new(Ledger::default(), SEED, 2).unwrap();
        let hashes = Default::default();
        Self { net: net.clone(), players, games: [game(), game()], spectator, watched: game(), hashes, rollbacks: 0 }
    }

    /// One tick of everybody. Whether any player advanced.
    fn tick(&mut self, pad: Pad) -> bool {
        self.net.pass_us(TICK_US);
        let mut has_advanced = false;
        for seat in 0..2 {
            let (session, game) = (&mut self.players[seat], &mut self.games[seat]);
            session.poll_remote_clients();
            for event in session.events() {
                assert!(!matches!(event, GgrsEvent::DesyncDetected { .. } | GgrsEvent::Disconnected { .. }), "{event:?}");
            }
            if session.current_state() != SessionState::Running {
                continue;
            }
            let frame = session.current_frame().into();
            session.add_local_input(seat, InputBlock { input: pad(seat, frame), command: said(seat, frame) }).unwrap();
            let requests = session.advance_frame().unwrap();
            let confirmed = session.confirmed_frame();
            let fulfilled = game.fulfil(requests).unwrap();
            has_advanced |= fulfilled.advanced;
            self.rollbacks += u64::from(fulfilled.rollback_frames > 0);
            self.hashes[seat].take(game.saved(), confirmed.into());
        }
        match self.spectator.advance_frame() {
            Ok(requests) => {
                self.watched.fulfil(requests).unwrap();
                let frame = self.watched.frame();
                self.hashes[2].take(&[(frame, self.watched.state_hash())], frame.number());
            }
            Err(ggrs::GgrsError::NotSynchronized | ggrs::GgrsError::PredictionThreshold) => {}
            Err(error) => panic!("{error}"),
        }
        has_advanced
    }
}

fn builder() -> SessionBuilder<Config> {
    SessionBuilder::new().with_disconnect_timeout(NEVER).with_disconnect_notify_delay(NEVER)
}

/// What the players and the spectator confirm. A ggrs session that waits for inputs sends none but by the wall
/// clock, so with loss this may take a fifth of a second now and then.
#[expect(clippy::disallowed_methods, reason = "ggrs reads the wall clock")]
fn theirs(net: &Net, pad: Pad) -> ([Hashes; 3], u64) {
    let mut theirs = Theirs::new(net);
    for _ in 0..20_000 {
        if !theirs.tick(pad) {
            std::thread::sleep(Duration::from_millis(2));
        }
        if theirs.hashes.iter().all(|hashes| hashes.settled >= FRAMES) {
            let hashes = theirs.hashes.map(|Settling { mut hashes, settled }| {
                hashes.truncate(settled);
                hashes
            });
            return (hashes, theirs.rollbacks);
        }
    }
    panic!("ggrs confirmed only {:?} frames", theirs.hashes.map(|hashes| hashes.settled));
}

fn compare(one_way_us: u64, loss_per_million: u32, pad: Pad) {
    let net = || {
        let net = Net::new(one_way_us);
        net.lose(5, loss_per_million);
        net
    };
    let expected = straight(pad, FRAMES as i64);
    let ours = ours(&net(), pad);
    let (theirs, rollbacks) = theirs(&net(), pad);
    assert!(rollbacks > 100, "ggrs has corrected only {rollbacks} times: this compares nothing");
    let named = ["ours 0", "ours 1", "ggrs 0", "ggrs 1", "spectator"].into_iter().zip(ours.iter().chain(&theirs));
    for (who, hashes) in named {
        let differs = (0..FRAMES).find(|frame| hashes[*frame] != expected[*frame]);
        assert_eq!(differs, None, "the first frame with another hash, {who}");
    }
}

#[test]
fn the_hashes_are_the_same_when_every_prediction_is_wrong() {
    compare(60_000, 0, restless);
}

#[test]
fn the_hashes_are_the_same_when_inputs_are_held() {
    compare(40_000, 0, holding);
}

#[test]
fn the_hashes_are_the_same_when_a_tenth_is_lost() {
    compare(20_000, 100_000, holding);
}
