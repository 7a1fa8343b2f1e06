//! What one message of a peer does to ggrs, and does not do behind our socket.

use crate::ledger::{Ledger, SEED};
use crate::net::{Net, Socket};
use crate::rogue::{BareLane, BareSocket, Body, EncryptedLane, Lane, Rogue, inputs};
use ggrs::{NonBlockingSocket, P2PSession, PlayerType, SessionBuilder, SessionState};
use snapback::Rng;
use snapback::interop::{GgrsConfig, GgrsGame, GgrsPeer, GgrsRules, InputBlock, RefusedMessage};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

type Config = GgrsConfig<Ledger>;

const RULES: GgrsRules = GgrsRules { player_count: 2, input_bytes: InputBlock::<u16>::BYTES, checksums: false };
const NEVER: Duration = Duration::from_secs(86_400);

/// Frames that both play in peace before the message comes.
const PEACEFUL_FRAMES: i32 = 20;

/// A message, when it comes, whether release builds panic too, and why we keep it from ggrs.
struct Attack {
    name: &'static str,
    at_frame: i32,
    body: fn(next_frame: i32) -> Body,
    panics_in_release: bool,
    reason: RefusedMessage,
}

/// The input of the next frame, with everything right but what `change` does.
fn changed(next_frame: i32, change: fn(&mut [(bool, i32)], &mut Vec<u8>)) -> Body {
    let Body::Input { mut statuses, disconnect_requested, start_frame, ack_frame, mut bytes } = inputs(next_frame, 1) else {
        panic!("inputs are inputs");
    };
    change(&mut statuses, &mut bytes);
    Body::Input { statuses, disconnect_requested, start_frame, ack_frame, bytes }
}

const ATTACKS: &[Attack] = &[
    Attack {
        name: "a length that does not end",
        at_frame: PEACEFUL_FRAMES,
        body: |next| changed(next, |_, bytes| *bytes = vec![0x80]),
        panics_in_release: true,
        reason: RefusedMessage::Inputs,
    },
    Attack {
        name: "a first frame far ahead",
        at_frame: 0,
        body: |_| inputs(1_000, 1),
        panics_in_release: true,
        reason: RefusedMessage::Frames,
    },
    Attack {
        name: "more inputs than it keeps",
        at_frame: PEACEFUL_FRAMES,
        body: |next| inputs(next, 129),
        panics_in_release: true,
        reason: RefusedMessage::Frames,
    },
    Attack {
        name: "gone since before the first frame",
        at_frame: PEACEFUL_FRAMES,
        body: |next| changed(next, |statuses, _| statuses[1] = (true, -1)),
        panics_in_release: true,
        reason: RefusedMessage::Disconnect,
    },
    Attack {
        name: "a ping of fifty years",
        at_frame: PEACEFUL_FRAMES,
        body: |_| Body::QualityReply(0),
        panics_in_release: false,
        reason: RefusedMessage::Echo,
    },
    Attack {
        name: "a checksum where none are exchanged",
        at_frame: PEACEFUL_FRAMES,
        body: |_| Body::ChecksumReport(1, 10),
        panics_in_release: false,
        reason: RefusedMessage::Checksum,
    },
];

/// A ggrs session at seat 0 that is attacked from seat 1.
struct Victim {
    session: P2PSession<Config>,
    game: GgrsGame<Ledger>,
}

impl Victim {
    fn new(attacker: PlayerType<u8>, socket: impl NonBlockingSocket<u8> + 'static) -> Self {
        let is_watcher = matches!(attacker, PlayerType::Spectator(_));
        let mut builder = SessionBuilder::new().with_disconnect_timeout(NEVER).with_disconnect_notify_delay(NEVER);
        builder = builder.add_player(PlayerType::Local, 0).unwrap();
        if is_watcher {
            builder = builder.add_player(PlayerType::Local, 1).unwrap();
        }
        let builder = builder.add_player(attacker, if is_watcher { 2 } else { 1 }).unwrap();
        Self { session: builder.start_p2p_session(socket).unwrap(), game: GgrsGame::new(Ledger::default(), SEED, 2).unwrap() }
    }

    fn tick(&mut self) {
        self.session.poll_remote_clients();
        self.session.events().for_each(drop);
        if self.session.current_state() == SessionState::Running {
            for seat in self.session.local_player_handles() {
                self.session.add_local_input(seat, InputBlock::new(1)).unwrap();
            }
            self.game.fulfil(self.session.advance_frame().unwrap()).unwrap();
        }
    }

    fn frame(&self) -> i32 {
        self.session.current_frame()
    }
}

/// Brings both together and lets them play in peace until `frame`.
fn play<L: Lane>(victim: &mut Victim, rogue: &mut Rogue<L>, net: &Net, frame: i32) {
    for _ in 0..20_000 {
        if victim.session.current_state() == SessionState::Running && victim.frame() >= frame {
            return;
        }
        net.pass_us(1_000);
        rogue.answer();
        if victim.session.current_state() == SessionState::Running && frame > 0 {
            rogue.play();
        }
        if frame > 0 || victim.session.current_state() != SessionState::Running {
            victim.tick();
        }
    }
    panic!("the two never came to frame {frame}");
}

/// A socket and a rogue that it has let in: it had a ticket.
fn meet(net: &Net, peer: GgrsPeer) -> (Socket, EncryptedLane) {
    let (mut socket, mut lane) = (net.socket(0, &[(1, peer)], RULES), EncryptedLane::new(net));
    let facts = socket.facts();
    while !facts.is_connected(1) || !lane.is_connected() {
        assert!(net.now_us() < 5_000_000, "they did not meet");
        net.pass_us(1_000);
        lane.receive();
        socket.poll();
    }
    (socket, lane)
}

/// A session with ggrs's own kind of socket after one hostile message: whether it panics.
fn bare_panics(attack: &Attack) -> bool {
    let (lane, net) = (BareLane::default(), Net::new(0));
    let (mut victim, mut rogue) = (Victim::new(PlayerType::Remote(1), BareSocket(lane.clone())), Rogue::new(lane));
    play(&mut victim, &mut rogue, &net, attack.at_frame);
    rogue.say((attack.body)(rogue.next_frame()));
    catch_unwind(AssertUnwindSafe(|| (0..10).for_each(|_| victim.tick()))).is_err()
}

#[test]
fn one_message_ends_a_bare_session() {
    for attack in ATTACKS {
        let expected = attack.panics_in_release || cfg!(debug_assertions);
        assert_eq!(bare_panics(attack), expected, "{}", attack.name);
    }
}

/// Inputs for frames that come in turn are no attack.
#[test]
fn a_rogue_that_behaves_ends_nothing() {
    let peaceful = Attack {
        name: "",
        at_frame: PEACEFUL_FRAMES,
        body: |next| inputs(next, 5),
        panics_in_release: false,
        reason: RefusedMessage::Inputs,
    };
    assert!(!bare_panics(&peaceful));
}

#[test]
fn our_socket_keeps_it_away_and_the_match_goes_on() {
    for attack in ATTACKS {
        let net = Net::new(0);
        let (socket, lane) = meet(&net, GgrsPeer::Player { players: 1 });
        let facts = socket.facts();
        let (mut victim, mut rogue) = (Victim::new(PlayerType::Remote(1), socket), Rogue::new(lane));
        play(&mut victim, &mut rogue, &net, attack.at_frame);
        assert!(facts.is_connected(1));
        assert_eq!(facts.refused(attack.reason), 0, "{}", attack.name);
        rogue.say((attack.body)(rogue.next_frame()));
        (0..10).for_each(|_| victim.tick());
        assert_eq!(facts.refused(attack.reason), 1, "{}", attack.name);
        let frame = victim.frame() + 50;
        play(&mut victim, &mut rogue, &net, frame);
    }
}

/// The same with three players, where a peer could know that a third is gone. It never owned up to any frame of the
/// third, so ggrs would go back to the beginning.
#[test]
fn a_third_player_is_gone_when_our_own_connection_says_so() {
    for last_frame in [-1, 5, i32::MAX, i32::MIN] {
        let rules = GgrsRules { player_count: 3, ..RULES };
        let net = Net::new(0);
        let peer = GgrsPeer::Player { players: 1 };
        let mut socket = net.socket(0, &[(1, peer), (2, peer)], rules);
        let mut lanes = [1, 2].map(|seat| EncryptedLane::at(&net, seat));
        let facts = socket.facts();
        while !(facts.is_connected(1) && facts.is_connected(2) && lanes.iter().all(EncryptedLane::is_connected)) {
            assert!(net.now_us() < 5_000_000, "they did not meet");
            net.pass_us(1_000);
            for lane in &mut lanes {
                lane.receive();
            }
            socket.poll();
        }
        let mut others = lanes.map(Rogue::new);
        let builder = SessionBuilder::new().with_num_players(3).unwrap();
        let mut builder = builder.with_disconnect_timeout(NEVER).with_disconnect_notify_delay(NEVER);
        for (seat, player) in [PlayerType::Local, PlayerType::Remote(1), PlayerType::Remote(2)].into_iter().enumerate() {
            builder = builder.add_player(player, seat).unwrap();
        }
        let session = builder.start_p2p_session(socket).unwrap();
        let mut victim = Victim { session, game: GgrsGame::new(Ledger::default(), SEED, 3).unwrap() };
        let three = |next_frame: i32, third: (bool, i32)| {
            let Body::Input { start_frame, ack_frame, disconnect_requested, bytes, .. } = inputs(next_frame, 1) else {
                panic!("inputs are inputs");
            };
            Body::Input { statuses: vec![(false, -1), (false, -1), third], disconnect_requested, start_frame, ack_frame, bytes }
        };
        let mut next_frame = 0;
        let mut play = |victim: &mut Victim, until: i32, third: (bool, i32)| {
            while victim.session.current_state() != SessionState::Running || victim.frame() < until {
                assert!(net.now_us() < 20_000_000, "they never came to frame {until}: gone {third:?}");
                net.pass_us(1_000);
                others.iter_mut().for_each(Rogue::answer);
                if victim.session.current_state() == SessionState::Running {
                    others[0].say(three(next_frame, third));
                    others[1].say(three(next_frame, (false, -1)));
                    next_frame += 1;
                }
                victim.tick();
            }
        };
        play(&mut victim, 30, (false, -1));
        assert_eq!(facts.refused(RefusedMessage::Disconnect), 0);
        // From now on it says so with every input, as ggrs does, and its inputs still count.
        play(&mut victim, 60, (true, last_frame));
        assert!(facts.refused(RefusedMessage::Disconnect) > 20);
    }
}

#[test]
fn a_spectator_has_no_inputs() {
    let (lane, net) = (BareLane::default(), Net::new(0));
    let mut victim = Victim::new(PlayerType::Spectator(1), BareSocket(lane.clone()));
    let mut rogue = Rogue::new(lane);
    play(&mut victim, &mut rogue, &net, 0);
    rogue.say(inputs(0, 1));
    assert!(catch_unwind(AssertUnwindSafe(|| victim.tick())).is_err());

    let net = Net::new(0);
    let (socket, lane) = meet(&net, GgrsPeer::Spectator);
    let facts = socket.facts();
    let (mut victim, mut rogue) = (Victim::new(PlayerType::Spectator(1), socket), Rogue::new(lane));
    play(&mut victim, &mut rogue, &net, 0);
    rogue.say(inputs(0, 1));
    (0..10).for_each(|_| victim.tick());
    assert_eq!(facts.refused(RefusedMessage::NotAPlayer), 1);
}

/// Honest messages with bytes changed, and bytes that are none, a hundred thousand of them.
#[test]
fn no_bytes_end_the_program() {
    let mut rng = Rng::new(8, 0);
    let net = Net::new(0);
    let (socket, lane) = meet(&net, GgrsPeer::Player { players: 1 });
    let facts = socket.facts();
    let (mut victim, mut rogue) = (Victim::new(PlayerType::Remote(1), socket), Rogue::new(lane));
    play(&mut victim, &mut rogue, &net, PEACEFUL_FRAMES);
    for n in 0..20_000u32 {
        let frame = victim.frame() + rng.below(20) as i32 - 10;
        let bodies = [
            inputs(frame.max(0), 1 + rng.below(8) as usize),
            Body::InputAck(rng.next_u32().cast_signed()),
            Body::QualityReport(rng.next_u32() as i16, rng.next_u32().into()),
            Body::QualityReply(rng.next_u32().into()),
            Body::ChecksumReport(1, frame),
        ];
        let body = bodies[rng.below(bodies.len() as u32) as usize].clone();
        let mut packet = vec![b'g'];
        packet.extend(postcard::to_allocvec(&crate::rogue::Wire { magic: 77, body }).unwrap());
        for _ in 0..rng.below(4) {
            let at = rng.below(packet.len() as u32) as usize;
            packet[at] = rng.next_u32() as u8;
        }
        packet.truncate(1 + rng.below(packet.len() as u32 + 20) as usize);
        rogue.lane.send_raw(&packet);
        rogue.answer();
        net.pass_us(1_000);
        if n % 4 == 0 {
            victim.tick();
        }
    }
    let refused = |reason| facts.refused(reason);
    for reason in
        [RefusedMessage::Malformed, RefusedMessage::Acknowledgement, RefusedMessage::Inputs, RefusedMessage::Echo, RefusedMessage::Checksum]
    {
        assert!(refused(reason) > 100, "{reason:?}: {}", refused(reason));
    }
}
