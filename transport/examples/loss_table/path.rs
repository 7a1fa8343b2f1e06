//! What one direction of the link does to packets.

use snapback_core::Rng;
use snapback_transport::link::{LinkConditioner, LinkSettings, Loss};

pub(crate) const DELAY_US: u64 = 30_000;
pub(crate) const JITTER_US: u64 = 2_000;

/// How packets vanish.
#[derive(Clone, Copy)]
pub(crate) enum Vanish {
    /// By the conditioner's own model, which draws for each packet.
    ByPacket(Loss),
    /// Everything that is sent in certain spans of time, however much that is.
    Outages { loss_per_million: u64, lasts: Lasts },
}

/// How long an outage lasts.
#[derive(Clone, Copy)]
pub(crate) enum Lasts {
    Between(u32, u32),
    /// It is as likely to end in any millisecond, however long it lasts.
    OnAverage(u32),
}

impl Lasts {
    fn mean_us(self) -> u64 {
        u64::from(match self {
            Self::Between(shortest_us, longest_us) => (shortest_us + longest_us) / 2,
            Self::OnAverage(mean_us) => mean_us,
        })
    }

    fn draw_us(self, rng: &mut Rng) -> u64 {
        match self {
            Self::Between(shortest_us, longest_us) => u64::from(shortest_us + rng.below(longest_us - shortest_us + 1)),
            Self::OnAverage(mean_us) => {
                let mut lasts_us = 1_000;
                while !rng.chance(1_000_000_000 / mean_us) {
                    lasts_us += 1_000;
                }
                lasts_us
            }
        }
    }
}

pub(crate) struct Path {
    pub(crate) name: &'static str,
    pub(crate) vanish: Vanish,
}

const fn independent(name: &'static str, per_million: u32) -> Path {
    Path { name, vanish: Vanish::ByPacket(Loss::Independent { per_million }) }
}

const fn bursts(name: &'static str, per_million: u32, packets: u32) -> Path {
    Path { name, vanish: Vanish::ByPacket(Loss::bursts(per_million, packets)) }
}

pub(crate) const PATHS: &[Path] = &[
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
        vanish: Vanish::Outages { loss_per_million: 50_000, lasts: Lasts::Between(50_000, 100_000) },
    },
    Path {
        name: "5 % in outages of 67 ms on average",
        vanish: Vanish::Outages { loss_per_million: 50_000, lasts: Lasts::OnAverage(66_667) },
    },
    Path {
        name: "10 % in outages of 67 ms on average",
        vanish: Vanish::Outages { loss_per_million: 100_000, lasts: Lasts::OnAverage(66_667) },
    },
];

/// One direction.
pub(crate) struct Way {
    pub(crate) link: LinkConditioner,
    vanish: Vanish,
    rng: Rng,
    outage_from_us: u64,
    outage_to_us: u64,
}

fn settings(loss: Loss) -> LinkSettings {
    LinkSettings { delay_us: DELAY_US, jitter_us: JITTER_US, loss, ..LinkSettings::default() }
}

impl Way {
    pub(crate) fn new(vanish: Vanish, seed: u64, stream: u64) -> Self {
        let loss = match vanish {
            Vanish::ByPacket(loss) => loss,
            Vanish::Outages { .. } => Loss::None,
        };
        let link = LinkConditioner::new(settings(loss), seed, stream);
        Self { link, vanish, rng: Rng::new(seed, 100 + stream), outage_from_us: 0, outage_to_us: 0 }
    }

    pub(crate) fn send(&mut self, now_us: u64, datagram: &[u8]) {
        if let Vanish::Outages { loss_per_million, lasts } = self.vanish {
            while self.outage_to_us <= now_us {
                let gap_us = lasts.mean_us() * (1_000_000 - loss_per_million) / loss_per_million;
                self.outage_from_us = self.outage_to_us + Lasts::OnAverage(gap_us as u32).draw_us(&mut self.rng);
                self.outage_to_us = self.outage_from_us + lasts.draw_us(&mut self.rng);
            }
            let out = (self.outage_from_us..self.outage_to_us).contains(&now_us);
            self.link.set_settings(settings(if out { Loss::Independent { per_million: 1_000_000 } } else { Loss::None }));
        }
        self.link.send(now_us, datagram);
    }
}
