//! [`Rogue`]: a peer of ggrs that writes its messages by hand.

use crate::net::{MATCH, Net, NetEnd, address, certificate};
use ggrs::{Message, NonBlockingSocket};
use serde::{Deserialize, Serialize};
use snapback::interop::InputBlock;
use snapback::transport::Transport;
use snapback::transport::secure::{Identity, SecureSettings, SecureSocket};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// A message of ggrs, in ggrs's order: every codec without names reads one as the other.
#[derive(Clone, Serialize, Deserialize, PartialEq, Debug)]
pub(crate) struct Wire {
    pub(crate) magic: u16,
    pub(crate) body: Body,
}

#[derive(Clone, Serialize, Deserialize, PartialEq, Debug)]
pub(crate) enum Body {
    SyncRequest(u32),
    SyncReply(u32),
    Input { statuses: Vec<(bool, i32)>, disconnect_requested: bool, start_frame: i32, ack_frame: i32, bytes: Vec<u8> },
    InputAck(i32),
    QualityReport(i16, u128),
    QualityReply(u128),
    ChecksumReport(u128, i32),
    KeepAlive,
}

const INPUT_BYTES: usize = InputBlock::<u16>::BYTES;

/// Neutral inputs for frames from `start_frame` on, of one player.
pub(crate) fn inputs(start_frame: i32, count: usize) -> Body {
    // The low byte of the length as it is; its high byte and the input as a run of zeros.
    let record = [1 << 1, INPUT_BYTES as u8, ((INPUT_BYTES + 1) << 2) as u8 | 1];
    let bytes = record.repeat(count);
    // It never says how far it is itself.
    Body::Input { statuses: vec![(false, -1); 2], disconnect_requested: false, start_frame, ack_frame: -1, bytes }
}

/// How messages go to the session that is attacked.
pub(crate) trait Lane {
    fn send(&mut self, wire: &Wire);
    fn receive(&mut self) -> Vec<Wire>;
}

type Queue = Rc<RefCell<VecDeque<Vec<u8>>>>;

/// Bytes as in ggrs's own UDP socket, and nothing between.
#[derive(Clone, Default)]
pub(crate) struct BareLane {
    to_session: Queue,
    to_rogue: Queue,
}

impl Lane for BareLane {
    fn send(&mut self, wire: &Wire) {
        self.to_session.borrow_mut().push_back(bincode::serialize(wire).unwrap());
    }

    fn receive(&mut self) -> Vec<Wire> {
        self.to_rogue.borrow_mut().drain(..).map(|bytes| bincode::deserialize(&bytes).unwrap()).collect()
    }
}

/// The session's side of it.
pub(crate) struct BareSocket(pub(crate) BareLane);

impl NonBlockingSocket<u8> for BareSocket {
    fn send_to(&mut self, message: &Message, _: &u8) {
        self.0.to_rogue.borrow_mut().push_back(bincode::serialize(message).unwrap());
    }

    fn receive_all_messages(&mut self) -> Vec<(u8, Message)> {
        self.0.to_session.borrow_mut().drain(..).filter_map(|bytes| Some((1, bincode::deserialize(&bytes).ok()?))).collect()
    }
}

/// Through the encryption: the rogue has a ticket, so it is let in.
pub(crate) struct EncryptedLane {
    secure: SecureSocket,
    end: NetEnd,
    net: Net,
    heard: Vec<Wire>,
}

impl EncryptedLane {
    pub(crate) fn new(net: &Net) -> Self {
        Self::at(net, 1)
    }

    /// At this seat.
    pub(crate) fn at(net: &Net, seat: u8) -> Self {
        let settings = SecureSettings::new(9, certificate(seat), Identity::from_seed(&[seat; 32]), [seat; 32]);
        let mut secure = SecureSocket::new(settings).unwrap();
        secure.dial(net.now_us(), address(0), seat, MATCH.seat(seat), certificate(0).fingerprint(), 5 + u64::from(seat));
        Self { secure, end: net.end(seat), net: net.clone(), heard: Vec::new() }
    }

    pub(crate) fn is_connected(&self) -> bool {
        self.secure.proved(address(0)).is_some()
    }

    /// Any bytes at all, sealed.
    pub(crate) fn send_raw(&mut self, packet: &[u8]) {
        let mut datagram = [0; 1_200];
        let len = self.secure.seal(address(0), packet, &mut datagram);
        if len > 0 {
            self.end.send(address(0), &datagram[..len]).unwrap();
        }
    }
}

impl Lane for EncryptedLane {
    fn send(&mut self, wire: &Wire) {
        let mut packet = vec![b'g'];
        packet.extend(postcard::to_allocvec(wire).unwrap());
        self.send_raw(&packet);
    }

    fn receive(&mut self) -> Vec<Wire> {
        let (now_us, mut buffer) = (self.net.now_us(), [0; 2_048]);
        while let Some((from, len)) = self.end.receive(&mut buffer) {
            let _ = self.secure.handle(now_us, from, &buffer[..len]);
            while self.secure.poll_event().is_some() {}
            while let Some((_, packet)) = self.secure.next_packet() {
                self.heard.push(postcard::from_bytes(packet.strip_prefix(b"g").unwrap()).unwrap());
            }
        }
        while let Some((to, len)) = self.secure.poll_transmit(now_us, &mut buffer) {
            self.end.send(to, &buffer[..len]).unwrap();
        }
        std::mem::take(&mut self.heard)
    }
}

/// Answers what it must, so that the session plays with it.
pub(crate) struct Rogue<L> {
    pub(crate) lane: L,
    next_frame: i32,
}

impl<L: Lane> Rogue<L> {
    pub(crate) fn new(lane: L) -> Self {
        Self { lane, next_frame: 0 }
    }

    pub(crate) fn say(&mut self, body: Body) {
        self.lane.send(&Wire { magic: 77, body });
    }

    pub(crate) fn next_frame(&self) -> i32 {
        self.next_frame
    }

    /// Answers requests; nothing else.
    pub(crate) fn answer(&mut self) {
        for heard in self.lane.receive() {
            if let Body::SyncRequest(random) = heard.body {
                self.say(Body::SyncReply(random));
            }
        }
    }

    /// An input for its next frame.
    pub(crate) fn play(&mut self) {
        self.say(inputs(self.next_frame, 1));
        self.next_frame += 1;
    }
}
