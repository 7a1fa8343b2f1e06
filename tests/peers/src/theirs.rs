//! [`TheirMatch`]: two ggrs sessions on the same link.
//!
//! ggrs reads the wall clock: for its retries, its quality reports (five a second) and its
//! timeouts. The link's clock is virtual, so a match can run as fast as it can, and then nearly
//! none of those is due; whoever wants them paces the ticks.

use crate::link::{Link, LinkEnd};
use crate::pad::Pad;
use crate::tiny_game::TinyGame;
use crate::{ADDRESSES, tick_us};
use ggrs::{GgrsError, GgrsRequest, Message, NonBlockingSocket, P2PSession, PlayerType, PredictRepeatLast, SessionBuilder, SessionState};
use std::net::SocketAddr;
use std::time::Duration;

/// Ticks within which two sessions must have met.
pub(crate) const MEETING_TICKS: u64 = 6_000;

/// Longer than any run: no test may depend on how busy the machine is.
pub(crate) const NEVER: Duration = Duration::from_secs(86_400);

/// The types of the tiny game.
#[derive(Debug)]
pub struct TinyConfig;

impl ggrs::Config for TinyConfig {
    type Input = u16;
    type InputPredictor = PredictRepeatLast;
    type State = u64;
    type Address = SocketAddr;
}

/// A link's end as ggrs wants it. Messages become bytes and come back as in ggrs's own UDP socket.
struct LinkSocket {
    end: LinkEnd,
    remote: SocketAddr,
}

impl NonBlockingSocket<SocketAddr> for LinkSocket {
    fn send_to(&mut self, message: &Message, _: &SocketAddr) {
        // As ggrs's own UDP socket does it, which hands these bytes to the system.
        let bytes = bincode::serialize(message).expect("a message of ggrs can be serialized");
        self.end.send(|out| {
            out[..bytes.len()].copy_from_slice(&bytes);
            bytes.len()
        });
    }

    fn receive_all_messages(&mut self) -> Vec<(SocketAddr, Message)> {
        let mut received = Vec::new();
        self.end.receive(|datagram| {
            if let Ok(message) = bincode::deserialize(datagram) {
                received.push((self.remote, message));
            }
        });
        received
    }
}

/// How a frame polls the network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Polling {
    /// As the main loop in the documentation of ggrs: `poll_remote_clients`, then `advance_frame`,
    /// which polls again.
    Documented,
    /// Only what `advance_frame` does by itself: the least that works.
    Once,
}

/// A saved state: the peer's seat, the frame *before* which it was saved, and the state.
pub type Saved = (usize, i32, u64);

/// Two sessions and the link between them.
pub struct TheirMatch {
    sessions: [P2PSession<TinyConfig>; 2],
    games: [TinyGame; 2],
    link: Link,
    pad: Pad,
    polling: Polling,
    tick: u64,
}

impl TheirMatch {
    /// A match of the tiny game that has just begun: the sessions are synchronized.
    ///
    /// # Panics
    /// If the two do not meet.
    #[must_use]
    pub fn start(one_way_us: u64, pad: Pad, polling: Polling) -> Self {
        let link = Link::new(one_way_us);
        let sessions = [0, 1].map(|seat| {
            let remote = ADDRESSES[1 - seat];
            SessionBuilder::<TinyConfig>::new()
                .with_disconnect_timeout(NEVER)
                .with_disconnect_notify_delay(NEVER)
                .add_player(PlayerType::Local, seat)
                .and_then(|builder| builder.add_player(PlayerType::Remote(remote), 1 - seat))
                .and_then(|builder| builder.start_p2p_session(LinkSocket { end: link.end(seat), remote }))
                .expect("these settings are possible")
        });
        let mut started = Self { sessions, games: Default::default(), link, pad, polling, tick: 0 };
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

    /// One tick of both peers: what a user's program does in a frame. Returns who advanced.
    pub fn tick(&mut self) -> [bool; 2] {
        self.tick_and_watch(|_| {})
    }

    /// As [`tick`](Self::tick), and shows every state that is saved.
    ///
    /// # Panics
    /// If a session fails.
    pub fn tick_and_watch(&mut self, mut watch: impl FnMut(Saved)) -> [bool; 2] {
        self.next_tick();
        [0, 1].map(|seat| {
            let (session, game) = (&mut self.sessions[seat], &mut self.games[seat]);
            if self.polling == Polling::Documented {
                session.poll_remote_clients();
            }
            session.events().for_each(drop);
            let input = (self.pad)(seat, session.current_frame().into());
            session.add_local_input(seat, input).expect("the seat is local");
            let requests = match session.advance_frame() {
                Ok(requests) => requests,
                Err(GgrsError::PredictionThreshold) => return false,
                Err(error) => panic!("a match between peers that keep the rules goes on: {error}"),
            };
            for request in requests {
                match request {
                    GgrsRequest::SaveGameState { cell, frame } => {
                        cell.save(frame, Some(game.state()), None);
                        watch((seat, frame, game.state()));
                    }
                    GgrsRequest::LoadGameState { cell, .. } => game.set_state(cell.load().expect("ggrs loads what was saved")),
                    GgrsRequest::AdvanceFrame { inputs } => game.fold([inputs[0].0, inputs[1].0]),
                }
            }
            true
        })
    }

    /// The sessions, in seat order.
    #[must_use]
    pub fn sessions(&self) -> &[P2PSession<TinyConfig>; 2] {
        &self.sessions
    }

    /// How many steps each peer's game has made, repeated ones included.
    #[must_use]
    pub fn steps(&self) -> [u64; 2] {
        [self.games[0].steps(), self.games[1].steps()]
    }

    /// The link between them.
    #[must_use]
    pub fn link(&self) -> &Link {
        &self.link
    }
}
