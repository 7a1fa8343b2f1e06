//! [`Theirs`]: two ggrs sessions, each driven as its documentation says.

use crate::road::Road;
use crate::tally::{DEEP_FRAMES, SEED, Tally};
use ggrs::{Message, NonBlockingSocket, P2PSession, PlayerType, SessionBuilder, SessionState};
use snapback::interop::{GgrsConfig, GgrsGame, InputBlock};
use snapback::{Frame, StateHash};
use snapback_peers::tiny_game::TinyGame;
use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;
use std::time::Duration;

type Config = GgrsConfig<TinyGame>;

/// Longer than any run.
const NEVER: Duration = Duration::from_secs(86_400);

/// Messages become bytes as in ggrs's own UDP socket.
struct RoadSocket {
    road: Road,
    seat: usize,
    trace_us: Rc<Cell<u64>>,
}

impl NonBlockingSocket<u8> for RoadSocket {
    fn send_to(&mut self, message: &Message, _: &u8) {
        let bytes = bincode::serialize(message).expect("a message of ggrs can be serialized");
        self.road.send(self.seat, self.trace_us.get(), &bytes);
    }

    fn receive_all_messages(&mut self) -> Vec<(u8, Message)> {
        let mut received = Vec::new();
        self.road.receive(self.seat, self.trace_us.get(), |datagram| {
            if let Ok(message) = bincode::deserialize(datagram) {
                received.push((1 - self.seat as u8, message));
            }
        });
        received
    }
}

struct Side {
    session: P2PSession<Config>,
    game: GgrsGame<TinyGame>,
    /// Time that has not been played yet, in nanoseconds, and when it was last added to.
    accumulated_ns: u64,
    updated_us: u64,
    /// Hashes of frames, by frame, while they may still be corrected.
    hashes: Vec<(Frame, StateHash)>,
    /// The last frame that the last tick knew to be confirmed, and has corrected.
    confirmed: Frame,
    next_confirmed: Frame,
    tally: Tally,
}

pub(crate) struct Theirs {
    sides: [Side; 2],
    trace_us: Rc<Cell<u64>>,
    counts: bool,
}

impl Theirs {
    pub(crate) fn new(road: &Road, window_frames: usize, delay_frames: usize, launch_us: u64) -> Self {
        let trace_us = Rc::new(Cell::new(0));
        let sides = [0, 1].map(|seat| {
            let socket = RoadSocket { road: road.clone(), seat, trace_us: Rc::clone(&trace_us) };
            let session = SessionBuilder::<Config>::new()
                .with_max_prediction_window(window_frames)
                .with_input_delay(delay_frames)
                .with_disconnect_timeout(NEVER)
                .with_disconnect_notify_delay(NEVER)
                .add_player(PlayerType::Local, seat)
                .and_then(|builder| builder.add_player(PlayerType::Remote(1 - seat as u8), 1 - seat))
                .and_then(|builder| builder.start_p2p_session(socket))
                .expect("these settings are possible");
            let game = GgrsGame::new(TinyGame::default(), SEED, 2).expect("the game starts");
            Side {
                session,
                game,
                accumulated_ns: 0,
                // The ticks of a program follow from when it was started.
                updated_us: if seat == 0 { 0 } else { launch_us },
                hashes: Vec::new(),
                confirmed: Frame::INITIAL,
                next_confirmed: Frame::ZERO,
                tally: Tally::default(),
            }
        });
        Self { sides, trace_us, counts: false }
    }

    pub(crate) fn is_playing(&self) -> bool {
        self.sides.iter().all(|side| side.session.current_state() == SessionState::Running)
    }

    /// One turn of the main loops of these seats: that of ggrs's example, with a clock of whole numbers.
    pub(crate) fn turn(&mut self, seats: Range<usize>, now_us: u64, trace_us: u64, pressed: impl Fn(usize, i64) -> u16) {
        self.trace_us.set(trace_us);
        for seat in seats {
            let side = &mut self.sides[seat];
            side.session.poll_remote_clients();
            side.session.events().for_each(drop);
            // Who is ahead runs a little slower.
            let frame_ns = if side.session.frames_ahead() > 0 { 18_333_333 } else { 16_666_667 };
            side.accumulated_ns += (now_us - side.updated_us) * 1_000;
            side.updated_us = now_us;
            while side.accumulated_ns > frame_ns {
                side.accumulated_ns -= frame_ns;
                if side.session.current_state() == SessionState::Running {
                    side.tick(seat, self.counts, frame_ns, &pressed);
                }
            }
        }
    }

    /// Shows every frame that has become confirmed since the last call.
    pub(crate) fn confirmed(&mut self, mut visit: impl FnMut(usize, Frame, StateHash)) {
        for (seat, side) in self.sides.iter_mut().enumerate() {
            while side.next_confirmed <= side.confirmed {
                let Some(at) = side.hashes.iter().position(|(frame, _)| *frame == side.next_confirmed) else { break };
                visit(seat, side.next_confirmed, side.hashes[at].1);
                side.hashes.drain(..=at);
                side.next_confirmed = side.next_confirmed.next();
            }
        }
    }

    /// The frames that they play.
    pub(crate) fn frames(&self) -> [i64; 2] {
        self.sides.each_ref().map(|side| side.session.current_frame().into())
    }

    /// From now on it counts.
    pub(crate) fn begin(&mut self) {
        self.counts = true;
    }

    /// What each peer has done since it counts.
    pub(crate) fn tallies(&self) -> [Tally; 2] {
        self.sides.each_ref().map(|side| side.tally)
    }
}

impl Side {
    fn tick(&mut self, seat: usize, counts: bool, frame_ns: u64, pressed: &impl Fn(usize, i64) -> u16) {
        let input = InputBlock::new(pressed(seat, self.session.current_frame().into()));
        self.session.add_local_input(seat, input).expect("the seat is local");
        let requests = self.session.advance_frame().expect("a match between peers that keep the rules goes on");
        self.confirmed = Frame::new(self.session.confirmed_frame().into());
        let fulfilled = self.game.fulfil(requests).expect("ggrs asks for what it saved");
        for (frame, hash) in self.game.saved() {
            match self.hashes.iter_mut().find(|(saved, _)| saved == frame) {
                Some(place) => place.1 = *hash,
                None => self.hashes.push((*frame, *hash)),
            }
        }
        if counts {
            let depth = fulfilled.rollback_frames;
            self.tally.frames += u64::from(fulfilled.advanced);
            self.tally.stalled_ticks += u64::from(!fulfilled.advanced);
            self.tally.frozen_us += if fulfilled.advanced { 0 } else { (frame_ns + 500) / 1_000 };
            self.tally.rollbacks += u64::from(depth > 0);
            self.tally.deep_rollbacks += u64::from(depth >= DEEP_FRAMES);
            self.tally.resimulated_frames += u64::from(depth);
            self.tally.deepest_frames = self.tally.deepest_frames.max(depth);
        }
    }
}
