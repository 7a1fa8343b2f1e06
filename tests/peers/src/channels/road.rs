//! [`Road`]: both directions of a link between two ends, and what was put on it.

use crate::wire::WireCount;
use snapback::transport::link::{LinkConditioner, LinkSettings};

/// Two seeded directions. Each end sends into the one of its number and receives from the other.
pub struct Road {
    /// By sender.
    directions: [LinkConditioner; 2],
    sent: [WireCount; 2],
}

impl Road {
    /// A road on which both directions have these settings and fates of their own.
    #[must_use]
    pub fn new(settings: LinkSettings, seed: u64) -> Self {
        Self { directions: [0, 1].map(|stream| LinkConditioner::new(settings, seed, stream)), sent: Default::default() }
    }

    /// What is sent from now on meets these settings.
    pub fn set_settings(&mut self, settings: LinkSettings) {
        for direction in &mut self.directions {
            direction.set_settings(settings);
        }
    }

    /// Puts a datagram of one end on the road.
    pub fn send(&mut self, end: usize, now_us: u64, datagram: &[u8]) {
        self.sent[end].count(datagram.len());
        self.directions[end].send(now_us, datagram);
    }

    /// The next datagram that has landed at an end.
    pub fn receive(&mut self, end: usize, now_us: u64) -> Option<&[u8]> {
        self.directions[1 - end].receive(now_us)
    }

    /// What both ends have sent since the count began, lost or not.
    #[must_use]
    pub fn sent(&self) -> WireCount {
        WireCount::sum(self.sent)
    }

    /// Counts from zero again.
    pub fn reset_counts(&mut self) {
        self.sent = Default::default();
    }
}
