//! [`RenetEnd`]: renet's core on virtual time. Nothing encrypts it and nothing connects it: its own
//! transports tell it that it is connected, and so is it told here.
//!
//! It acknowledges each tick whatever it has heard of, acknowledgements too: 60 packets a second and
//! direction, however little is said. It measures the round trip and does not use it: what is not
//! acknowledged goes out again every `resend_time`, 300 ms by default.

use super::{Contender, End, Polling};
use renet::{ChannelConfig, ConnectionConfig, RenetClient, SendType};
use std::time::Duration;

/// The default of renet's own channels.
pub const DEFAULT_RESEND_MS: u64 = 300;

const CHANNEL: u8 = 0;

/// One end.
pub struct RenetEnd {
    client: RenetClient,
    now_us: u64,
}

impl RenetEnd {
    /// An end which sends again after `resend_ms`. The other one is the same: their channels are.
    #[must_use]
    pub fn new(resend_ms: u64) -> Self {
        let channels = || {
            let send_type = SendType::ReliableOrdered { resend_time: Duration::from_millis(resend_ms) };
            vec![ChannelConfig { channel_id: CHANNEL, max_memory_usage_bytes: 5 << 20, send_type }]
        };
        let config =
            ConnectionConfig { server_channels_config: channels(), client_channels_config: channels(), ..ConnectionConfig::default() };
        let mut client = RenetClient::new(config);
        client.set_connected();
        Self { client, now_us: 0 }
    }

    fn advance(&mut self, now_us: u64) {
        if now_us > self.now_us {
            self.client.update(Duration::from_micros(now_us - self.now_us));
            self.now_us = now_us;
        }
    }
}

impl End for RenetEnd {
    fn send(&mut self, now_us: u64, message: &[u8]) {
        self.advance(now_us);
        self.client.send_message(CHANNEL, message.to_vec());
    }

    fn handle(&mut self, now_us: u64, datagram: &[u8]) {
        self.advance(now_us);
        self.client.process_packet(datagram);
    }

    fn step(&mut self, now_us: u64, out: &mut dyn FnMut(&[u8])) {
        self.advance(now_us);
        for datagram in self.client.get_packets_to_send() {
            out(&datagram);
        }
    }

    fn receive(&mut self, _: u64) -> Option<Vec<u8>> {
        self.client.receive_message(CHANNEL).map(Vec::from)
    }

    fn is_connected(&self) -> bool {
        self.client.is_connected()
    }
}

/// renet at 60 Hz, as its documentation has it, with this `resend_time`.
#[must_use]
pub fn contender(resend_ms: u64) -> Contender {
    let name = if resend_ms == DEFAULT_RESEND_MS { "renet 2".to_owned() } else { format!("renet 2, {resend_ms} ms") };
    Contender::new(name, Polling::Ticks, move |_| [(); 2].map(|()| Box::new(RenetEnd::new(resend_ms)) as Box<dyn End>))
}
