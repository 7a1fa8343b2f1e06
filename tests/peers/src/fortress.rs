//! [`FortressMatch`]: two fortress-rollback sessions on the same link.
//!
//! fortress-rollback is a fork of ggrs and reads the wall clock as it does: see [`theirs`](crate::theirs).
//! Its comparison of checksums, which is on by default, is off here: ggrs's is off by default. Its
//! messages go through the codec that its own UDP socket uses, in place where that is possible.

use crate::link::{Link, LinkEnd};
use crate::pad::Pad;
use crate::theirs::{MEETING_TICKS, NEVER};
use crate::tiny_game::TinyGame;
use crate::{ADDRESSES, tick_us};
use fortress_rollback::network::codec;
use fortress_rollback::{
    DesyncDetection, FortressError, FortressRequest, Message, NonBlockingSocket, P2PSession, PlayerHandle, SessionBuilder, SessionState,
};
use std::net::SocketAddr;

/// The types of the tiny game.
#[derive(Debug)]
pub struct TinyConfig;

impl fortress_rollback::Config for TinyConfig {
    type Input = u16;
    type State = u64;
    type Address = SocketAddr;
}

struct LinkSocket {
    end: LinkEnd,
    remote: SocketAddr,
}

impl NonBlockingSocket<SocketAddr> for LinkSocket {
    fn send_to(&mut self, message: &Message, _: &SocketAddr) {
        self.end.send(|out| codec::encode_into(message, out).expect("a message of fortress-rollback fits a datagram"));
    }

    fn receive_all_messages(&mut self) -> Vec<(SocketAddr, Message)> {
        let mut received = Vec::new();
        self.end.receive(|datagram| {
            if let Ok((message, _)) = codec::decode_message(datagram) {
                received.push((self.remote, message));
            }
        });
        received
    }
}

/// Two sessions and the link between them.
pub struct FortressMatch {
    sessions: [P2PSession<TinyConfig>; 2],
    games: [TinyGame; 2],
    link: Link,
    pad: Pad,
    tick: u64,
}

impl FortressMatch {
    /// A match of the tiny game that has just begun: the sessions are synchronized.
    ///
    /// # Panics
    /// If the two do not meet.
    #[must_use]
    pub fn start(one_way_us: u64, pad: Pad) -> Self {
        let link = Link::new(one_way_us);
        let sessions = [0, 1].map(|seat| {
            let remote = ADDRESSES[1 - seat];
            SessionBuilder::<TinyConfig>::new()
                .with_disconnect_timeout(NEVER)
                .with_disconnect_notify_delay(NEVER)
                .with_desync_detection_mode(DesyncDetection::Off)
                .add_local_player(seat)
                .and_then(|builder| builder.add_remote_player(1 - seat, remote))
                .and_then(|builder| builder.start_p2p_session(LinkSocket { end: link.end(seat), remote }))
                .expect("these settings are possible")
        });
        let mut started = Self { sessions, games: Default::default(), link, pad, tick: 0 };
        while started.sessions.iter().any(|session| session.current_state() != SessionState::Running) {
            assert!(started.tick < MEETING_TICKS, "the sessions did not meet");
            started.next_tick();
            for session in &mut started.sessions {
                session.poll_remote_clients();
                session.events().for_each(drop);
            }
        }
        started
    }

    fn next_tick(&mut self) {
        self.tick += 1;
        self.link.set_clock_us(tick_us(self.tick));
    }

    /// One tick of both peers, as the main loop in the documentation has it: poll, then advance.
    /// Returns who advanced.
    ///
    /// # Panics
    /// If a session fails.
    pub fn tick(&mut self) -> [bool; 2] {
        self.next_tick();
        [0, 1].map(|seat| {
            let (session, game) = (&mut self.sessions[seat], &mut self.games[seat]);
            session.poll_remote_clients();
            session.events().for_each(drop);
            let input = (self.pad)(seat, session.current_frame().as_i32().into());
            session.add_local_input(PlayerHandle::new(seat), input).expect("the seat is local");
            let requests = match session.advance_frame() {
                Ok(requests) => requests,
                Err(FortressError::PredictionThreshold) => return false,
                Err(error) => panic!("a match between peers that keep the rules goes on: {error}"),
            };
            for request in requests {
                match request {
                    FortressRequest::SaveGameState { cell, frame } => {
                        cell.save(frame, Some(game.state()), None);
                    }
                    FortressRequest::LoadGameState { cell, .. } => game.set_state(cell.load().expect("a saved state loads")),
                    FortressRequest::AdvanceFrame { inputs } => game.fold([inputs[0].0, inputs[1].0]),
                }
            }
            true
        })
    }

    /// How many steps each peer's game has made, repeated ones included.
    #[must_use]
    pub fn steps(&self) -> [u64; 2] {
        [self.games[0].steps(), self.games[1].steps()]
    }

    /// The states of both games now.
    #[must_use]
    pub fn states(&self) -> [u64; 2] {
        [self.games[0].state(), self.games[1].state()]
    }
}
