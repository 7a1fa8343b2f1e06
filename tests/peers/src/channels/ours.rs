//! Ours: [`ConnectionEnd`], which is our reliability by itself.

use super::{Contender, End, Polling};
use snapback::transport::channel::{Channel, ChannelConnection, ConnectionSettings};
use snapback::transport::packet::DATAGRAM_BUDGET_BYTES;

/// What laminar and DTLS take of a datagram is not the connection's.
const PACKET_BUDGET_BYTES: usize = 1_160;

/// The connection by itself: what it writes is a datagram.
pub struct ConnectionEnd {
    connection: ChannelConnection,
    channel: Channel,
    buffer: Vec<u8>,
}

impl ConnectionEnd {
    /// An end that talks on one channel.
    #[must_use]
    pub fn new(channel: Channel) -> Self {
        let connection = ChannelConnection::new(ConnectionSettings::new(PACKET_BUDGET_BYTES));
        Self { connection, channel, buffer: vec![0; DATAGRAM_BUDGET_BYTES] }
    }
}

impl End for ConnectionEnd {
    fn send(&mut self, now_us: u64, message: &[u8]) {
        self.connection.send(now_us, self.channel, message).expect("there is room for this message");
    }

    fn handle(&mut self, now_us: u64, datagram: &[u8]) {
        self.connection.handle(now_us, datagram).expect("the other end is honest");
    }

    fn step(&mut self, now_us: u64, out: &mut dyn FnMut(&[u8])) {
        while let Some(len) = self.connection.poll_transmit(now_us, &mut self.buffer) {
            out(&self.buffer[..len]);
        }
    }

    fn receive(&mut self, now_us: u64) -> Option<Vec<u8>> {
        self.connection.receive_on(now_us, self.channel)
    }

    fn is_connected(&self) -> bool {
        true
    }
}

fn ours(name: &str, polling: Polling, make: impl Fn(u64) -> [Box<dyn End>; 2] + 'static) -> Contender {
    let polled = if polling == Polling::Ticks { ", at 60 Hz" } else { "" };
    Contender { is_ours: true, ..Contender::new(format!("{name}{polled}"), polling, make) }
}

/// Our connection by itself.
#[must_use]
pub fn connection(channel: Channel, polling: Polling) -> Contender {
    ours("our connection", polling, move |_| [(); 2].map(|()| Box::new(ConnectionEnd::new(channel)) as Box<dyn End>))
}
