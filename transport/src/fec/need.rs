//! [`RepairNeed`]: whether the link loses enough to pay for repair.

/// Loss from which on repair is needed, in millionths.
pub const ON_AT_PER_MILLION: u32 = 20_000;

/// Loss down to which repair stays on, in millionths.
pub const OFF_AT_PER_MILLION: u32 = 2_500;

/// Packets over which loss is averaged: a newer packet counts more, one that is this many packets
/// old a third of the newest. At 60 a second about 4 seconds.
const AVERAGED_PACKETS: u64 = 256;

const MILLION: u64 = 1_000_000;

/// Whether repair is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NeedState {
    /// The link is clean enough.
    Off,
    /// The link loses packets.
    On,
}

/// What the measured loss says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NeedEvent {
    /// It is at or over [`ON_AT_PER_MILLION`].
    Lossy,
    /// It is at or under [`OFF_AT_PER_MILLION`].
    Clean,
}

/// Every transition there is. An event in a state that has no row changes nothing; between the two
/// thresholds there is no event.
pub const TRANSITIONS: &[(NeedState, NeedEvent, NeedState)] =
    &[(NeedState::Off, NeedEvent::Lossy, NeedState::On), (NeedState::On, NeedEvent::Clean, NeedState::Off)];

impl NeedState {
    /// The state after `event`; the same one if the event means nothing in it.
    #[must_use]
    pub fn after(self, event: NeedEvent) -> Self {
        TRANSITIONS.iter().find(|(from, on, _)| (*from, *on) == (self, event)).map_or(self, |(_, _, to)| *to)
    }
}

/// Measures loss before repair and says when repair is worth its bytes. Integers only: equal counts
/// give equal answers.
///
/// The counts are those of the [`SentWindow`](crate::ack::SentWindow). A packet that the peer made
/// again must not be acknowledged, or the measured loss would fall because repair works, and repair
/// would go on and off for ever.
///
/// ```
/// use snapback_transport::fec::{NeedState, RepairNeed};
/// let mut need = RepairNeed::new();
/// assert_eq!(need.update(900, 0), NeedState::Off);
/// assert_eq!(need.update(950, 10), NeedState::On);
/// assert_eq!(need.update(1_100, 10), NeedState::On);
/// assert_eq!(need.update(3_000, 10), NeedState::Off);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RepairNeed {
    state: NeedState,
    acked: u64,
    lost: u64,
    /// The smoothed loss in millionths, times [`AVERAGED_PACKETS`], so that no rounding adds up.
    smoothed: u64,
}

impl Default for RepairNeed {
    fn default() -> Self {
        Self::new()
    }
}

impl RepairNeed {
    /// A link of which nothing is known: repair is off.
    #[must_use]
    pub const fn new() -> Self {
        Self { state: NeedState::Off, acked: 0, lost: 0, smoothed: 0 }
    }

    /// Takes in how many packets were acknowledged and lost since the connection began, and says
    /// what to do. Call it as often as you like, such as before each packet.
    pub fn update(&mut self, acked_count: u64, lost_count: u64) -> NeedState {
        let acked = acked_count.saturating_sub(self.acked);
        let lost = lost_count.saturating_sub(self.lost);
        let packets = acked.saturating_add(lost);
        if packets == 0 {
            return self.state;
        }
        self.acked = self.acked.max(acked_count);
        self.lost = self.lost.max(lost_count);
        // So many at once say all there is to say; fewer count for as many as they are.
        let weight = packets.min(AVERAGED_PACKETS);
        // A division of 128 bits takes as long as the rest of this.
        let loss_per_million = match lost.checked_mul(MILLION) {
            // One at a time is the rule, and needs no division.
            Some(millions) if packets == 1 => millions,
            Some(millions) => millions / packets,
            None => (u128::from(lost) * u128::from(MILLION) / u128::from(packets)) as u64,
        };
        self.smoothed = self.smoothed - weight * self.smoothed / AVERAGED_PACKETS + weight * loss_per_million;
        let event = match self.loss_per_million() {
            loss if loss >= ON_AT_PER_MILLION => NeedEvent::Lossy,
            loss if loss <= OFF_AT_PER_MILLION => NeedEvent::Clean,
            _ => return self.state,
        };
        self.state = self.state.after(event);
        self.state
    }

    /// What to do.
    #[must_use]
    pub const fn state(&self) -> NeedState {
        self.state
    }

    /// The loss before repair, smoothed: 0 to 1,000,000.
    #[must_use]
    pub const fn loss_per_million(&self) -> u32 {
        (self.smoothed / AVERAGED_PACKETS) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::{LinkConditioner, LinkSettings, Loss};

    #[test]
    fn the_graph() {
        let rows: Vec<String> = TRANSITIONS.iter().map(|(from, on, to)| format!("{from:?} --{on:?}--> {to:?}")).collect();
        insta::assert_snapshot!(rows.join("\n"), @r"
        Off --Lossy--> On
        On --Clean--> Off
        ");
    }

    /// Sends so many packets over a link and returns how often the state changed, and where it ended.
    fn changes(need: &mut RepairNeed, counts: &mut (u64, u64), loss: Loss, packets: u64, seed: u64) -> (u64, NeedState) {
        let mut link = LinkConditioner::new(LinkSettings { loss, ..LinkSettings::default() }, seed, 0);
        let mut changed = 0;
        for now_us in 0..packets {
            link.send(now_us, b"x");
            if link.receive(now_us).is_some() {
                counts.0 += 1
            } else {
                counts.1 += 1
            }
            let before = need.state();
            changed += u64::from(need.update(counts.0, counts.1) != before);
        }
        (changed, need.state())
    }

    #[test]
    fn it_goes_on_once_under_loss_and_off_once_after_it() {
        let lossy = [Loss::Independent { per_million: 50_000 }, Loss::Independent { per_million: 100_000 }, Loss::bursts(100_000, 4)];
        for loss in lossy {
            for seed in 0..8 {
                let (mut need, mut counts) = (RepairNeed::new(), (0, 0));
                assert_eq!(changes(&mut need, &mut counts, Loss::None, 10_000, seed), (0, NeedState::Off));
                assert_eq!(changes(&mut need, &mut counts, loss, 30_000, seed), (1, NeedState::On), "{loss:?}, seed {seed}");
                assert_eq!(changes(&mut need, &mut counts, Loss::None, 10_000, seed), (1, NeedState::Off), "{loss:?}, seed {seed}");
            }
        }
    }

    /// Where bursts are rare there are quiet times of a quarter of a minute. Those may end it.
    #[test]
    fn rare_bursts_switch_seldom() {
        let mut changed = 0;
        for seed in 0..8 {
            let (mut need, mut counts) = (RepairNeed::new(), (0, 0));
            changed += changes(&mut need, &mut counts, Loss::bursts(50_000, 4), 30_000, seed).0;
        }
        assert!((8..16).contains(&changed), "{changed} changes in 67 minutes");
    }

    #[test]
    fn a_rare_loss_is_no_need() {
        for seed in 0..8 {
            let (mut need, mut counts) = (RepairNeed::new(), (0, 0));
            let rare = Loss::Independent { per_million: 2_000 };
            assert_eq!(changes(&mut need, &mut counts, rare, 100_000, seed), (0, NeedState::Off), "seed {seed}");
        }
    }

    /// The measure settles at the loss there is, and stays within its range whatever it is told.
    #[test]
    fn the_measure_is_the_loss_and_stays_in_range() {
        for (lost_in_100, expected) in [(0, 0), (1, 10_000), (10, 100_000), (50, 500_000), (100, 1_000_000)] {
            let mut need = RepairNeed::new();
            for hundreds in 1..200 {
                need.update(hundreds * (100 - lost_in_100), hundreds * lost_in_100);
            }
            assert!(need.loss_per_million().abs_diff(expected) <= 1, "{lost_in_100}: {}", need.loss_per_million());
        }
        let mut need = RepairNeed::new();
        for (acked, lost) in [(0, u64::MAX), (u64::MAX, u64::MAX), (3, 3), (0, 0), (u64::MAX, 1)] {
            need.update(acked, lost);
            assert!(need.loss_per_million() <= 1_000_000);
        }
    }
}
