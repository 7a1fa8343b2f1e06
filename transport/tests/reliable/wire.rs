//! Two connections and the link between them.

use snapback_transport::channel::{Channel, ChannelConnection, ConnectionSettings};
use snapback_transport::link::{LinkConditioner, LinkSettings};

pub(crate) const PACKET_BYTES: usize = 1_100;

/// Every channel that is not the inputs' own.
pub(crate) const CHANNELS: [Channel; 5] =
    [Channel::MatchState, Channel::ChatPresence, Channel::Spectator, Channel::Telemetry, Channel::Lobby];

/// Two connections, the link between them, and the time.
pub(crate) struct Wire {
    pub(crate) ends: [ChannelConnection; 2],
    /// By sender.
    pub(crate) links: [LinkConditioner; 2],
    pub(crate) now_us: u64,
    pub(crate) rejects: u64,
    /// Packets that each end has sent.
    pub(crate) packets: [u64; 2],
}

impl Wire {
    pub(crate) fn new(link: &LinkSettings, seed: u64) -> Self {
        Self::of(&ConnectionSettings::new(PACKET_BYTES), link, seed)
    }

    pub(crate) fn of(settings: &ConnectionSettings, link: &LinkSettings, seed: u64) -> Self {
        let end = || ChannelConnection::new(settings.clone());
        let line = |stream| LinkConditioner::new(*link, seed, stream);
        Self { ends: [end(), end()], links: [line(0), line(1)], now_us: 0, rejects: 0, packets: [0; 2] }
    }

    /// From now on another link.
    pub(crate) fn relink(&mut self, link: &LinkSettings, seed: u64) {
        self.links = [0, 1].map(|stream| LinkConditioner::new(*link, seed, stream));
    }

    /// Hands over what has arrived and sends what is due. Nothing else is done before the time that
    /// [`next_us`](Self::next_us) says.
    pub(crate) fn exchange(&mut self) {
        let mut buffer = [0; 1_200];
        for end in 0..2 {
            while let Some(packet) = self.links[1 - end].receive(self.now_us) {
                if self.ends[end].handle(self.now_us, packet).is_err() {
                    self.rejects += 1;
                }
            }
        }
        for end in 0..2 {
            let mut turns = 0;
            while let Some(len) = self.ends[end].poll_transmit(self.now_us, &mut buffer) {
                assert!(len <= PACKET_BYTES);
                self.links[end].send(self.now_us, &buffer[..len]);
                self.packets[end] += 1;
                turns += 1;
                assert!(turns < 1_000, "it never stops sending at {} us", self.now_us);
            }
        }
    }

    pub(crate) fn next_us(&self) -> u64 {
        let due = self.ends.iter().filter_map(ChannelConnection::poll_timeout);
        let arrivals = self.links.iter().filter_map(LinkConditioner::next_delivery_us);
        due.chain(arrivals).min().unwrap_or(u64::MAX)
    }

    /// Runs until a time, driven by nothing but arrivals and `poll_timeout`; `look` is shown the wire
    /// after every step.
    pub(crate) fn run_until(&mut self, until_us: u64, mut look: impl FnMut(&mut Self)) {
        let mut steps_at = (0, 0);
        loop {
            self.exchange();
            look(self);
            let next_us = self.next_us();
            if next_us > until_us {
                self.now_us = until_us;
                self.exchange();
                look(self);
                return;
            }
            steps_at = if next_us <= self.now_us { (self.now_us, steps_at.1 + 1) } else { (next_us, 0) };
            assert!(
                steps_at.1 < 100,
                "poll_timeout stands still at {} us: {:?}",
                self.now_us,
                self.ends.each_ref().map(|end| end.poll_timeout())
            );
            self.now_us = self.now_us.max(next_us);
        }
    }
}

/// A message that says who it is.
pub(crate) fn message(channel: Channel, number: u64, len: usize) -> Vec<u8> {
    let mut bytes = vec![channel as u8];
    bytes.extend(number.to_le_bytes());
    let from = bytes.len();
    bytes.extend((from..len.max(from)).map(|at| (at as u64 * 31 + number * 7) as u8));
    bytes
}

/// The number of a message, if it is whole.
pub(crate) fn number_of(channel: Channel, bytes: &[u8]) -> u64 {
    let number = u64::from_le_bytes(bytes[1..9].try_into().unwrap());
    assert_eq!(bytes, message(channel, number, bytes.len()), "a message is not what was sent");
    number
}
