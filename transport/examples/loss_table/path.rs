//! What one direction of the link does to packets.

use snapback_core::Rng;
use snapback_transport::link::{LinkConditioner, LinkSettings, Loss};

pub const DELAY_US: u64 = 30_000;
pub const JITTER_US: u64 = 2_000;

/// How packets vanish.
#[derive(Clone, Copy)]
pub enum Vanish {
    /// By the conditioner's own model, which draws for each packet.
    ByPacket(Loss),
    /// Everything that is sent in certain spans of time, however much that is.
    Outages { loss_per_million: u64, shortest_us: u32, longest_us: u32 },
}

pub struct Path {
    pub name: &'static str,
    pub vanish: Vanish,
}

const fn independent(name: &'static str, per_million: u32) -> Path {
    Path { name, vanish: Vanish::ByPacket(Loss::Independent { per_million }) }
}

const fn bursts(name: &'static str, per_million: u32, packets: u32) -> Path {
    Path { name, vanish: Vanish::ByPacket(Loss::bursts(per_million, packets)) }
}

pub const PATHS: &[Path] = &[
    independent("no loss", 0),
    independent("5 % independent", 50_000),
    independent("10 % independent", 100_000),
    independent("20 % independent", 200_000),
    independent("30 % independent", 300_000),
    bursts("5 % in bursts of 4 packets", 50_000, 4),
    bursts("10 % in bursts of 4 packets", 100_000, 4),
    bursts("10 % in bursts of 8 packets", 100_000, 8),
    Path {
        name: "5 % in outages of 50 to 100 ms",
        vanish: Vanish::Outages { loss_per_million: 50_000, shortest_us: 50_000, longest_us: 100_000 },
    },
    Path {
        name: "10 % in outages of 20 to 200 ms",
        vanish: Vanish::Outages { loss_per_million: 100_000, shortest_us: 20_000, longest_us: 200_000 },
    },
];

/// One direction.
pub struct Way {
    pub link: LinkConditioner,
    vanish: Vanish,
    rng: Rng,
    outage_from_us: u64,
    outage_to_us: u64,
}

fn settings(loss: Loss) -> LinkSettings {
    LinkSettings { delay_us: DELAY_US, jitter_us: JITTER_US, loss, ..LinkSettings::default() }
}

impl Way {
    pub fn new(vanish: Vanish, seed: u64, stream: u64) -> Self {
        let loss = match vanish {
            Vanish::ByPacket(loss) => loss,
            Vanish::Outages { .. } => Loss::None,
        };
        let link = LinkConditioner::new(settings(loss), seed, stream);
        Self { link, vanish, rng: Rng::new(seed, 100 + stream), outage_from_us: 0, outage_to_us: 0 }
    }

    pub fn send(&mut self, now_us: u64, datagram: &[u8]) {
        if let Vanish::Outages { loss_per_million, shortest_us, longest_us } = self.vanish {
            while self.outage_to_us <= now_us {
                let mean_us = u64::from(shortest_us + longest_us) / 2;
                let mean_gap_us = mean_us * (1_000_000 - loss_per_million) / loss_per_million;
                self.outage_from_us = self.outage_to_us + u64::from(self.rng.below(2 * mean_gap_us as u32));
                self.outage_to_us = self.outage_from_us + u64::from(shortest_us + self.rng.below(longest_us - shortest_us + 1));
            }
            let out = (self.outage_from_us..self.outage_to_us).contains(&now_us);
            self.link.set_settings(settings(if out { Loss::Independent { per_million: 1_000_000 } } else { Loss::None }));
        }
        self.link.send(now_us, datagram);
    }
}
