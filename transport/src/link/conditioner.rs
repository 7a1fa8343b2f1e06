//! [`LinkConditioner`]: draws a fate for each datagram and delivers those that live.

use snapback_core::Rng;

use super::bottleneck::Bottleneck;
use super::flight::Flight;
use super::loss::LossProcess;
use super::outage::OutagePhase;
use super::playback::Playback;
use super::{Direction, LinkSettings, LinkTrace};

/// Most datagrams under way on one link; more are dropped and counted.
pub const MAX_QUEUED_DATAGRAMS: usize = 65_536;

/// Most bytes under way on one link; more are dropped and counted.
pub const MAX_QUEUED_BYTES: usize = 64 << 20;

/// Largest datagram, in bytes: what UDP over IPv4 can carry. Larger ones are dropped and counted.
pub const MAX_DATAGRAM_BYTES: usize = 65_507;

/// How long a reordered datagram is held back, in microseconds. At 60 datagrams a second the
/// shortest is longer than the 16.7 ms between two of them, so that one passes it.
const HOLD_MIN_US: u64 = 20_000;
const HOLD_SPREAD_US: u32 = 40_000;

/// What a link did so far. Copies made by the link count as delivered but not as offered, so
/// `offered + duplicated == delivered + lost + queue_dropped + queued` at all times.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LinkStats {
    /// Datagrams given to [`LinkConditioner::send`].
    pub offered: u64,
    /// Datagrams handed out by [`LinkConditioner::receive`], copies included.
    pub delivered: u64,
    /// Datagrams that vanished, by the loss model, the trace or an outage.
    pub lost: u64,
    /// Copies made.
    pub duplicated: u64,
    /// Datagrams delivered after one that was sent later.
    pub reordered: u64,
    /// Datagrams dropped for lack of room: at the bottleneck, or beyond what the emulator holds.
    pub queue_dropped: u64,
    /// Bytes given to [`LinkConditioner::send`].
    pub bytes_offered: u64,
    /// Bytes handed out by [`LinkConditioner::receive`].
    pub bytes_delivered: u64,
}

/// A seeded emulator of one direction of a network path. It has no clock and no socket: the caller
/// says what time it is, in microseconds since an origin of its own that never runs backwards.
///
/// A datagram passes these stages: loss (model, trace and outage), the bottleneck, the delay with its
/// jitter, and duplication. A datagram is never delivered before an earlier one, as on a path whose
/// queues are first in, first out, unless it is chosen for reordering: then it lands 20 to 60 ms
/// later than it would have, and those behind it do not wait for it.
///
/// Every purpose draws from a generator of its own, once for each datagram offered: turning
/// duplication on leaves which datagrams are lost as it was.
///
/// Call order: any number of [`send`](Self::send), then [`receive`](Self::receive) until it returns
/// `None`; nothing more lands before [`next_delivery_us`](Self::next_delivery_us). Once its buffers
/// have grown to the traffic it does not allocate.
///
/// ```
/// use snapback_transport::link::{LinkConditioner, LinkSettings};
/// let settings = LinkSettings { delay_us: 20_000, ..LinkSettings::default() };
/// let mut link = LinkConditioner::new(settings, 7, 0);
/// link.send(1_000, b"hello");
/// assert_eq!(link.next_delivery_us(), Some(21_000));
/// assert_eq!(link.receive(20_999), None);
/// assert_eq!(link.receive(21_000), Some(b"hello".as_slice()));
/// ```
#[derive(Clone, Debug)]
pub struct LinkConditioner {
    settings: LinkSettings,
    playback: Option<Playback>,
    seed: u64,
    loss: LossProcess,
    outage: OutagePhase,
    jitter: Rng,
    reorder: Rng,
    duplicate: Rng,
    copy_jitter: Rng,
    bottleneck: Bottleneck,
    flight: Flight,
    /// No datagram in order lands before this.
    in_order_us: u64,
    /// One more than the highest number delivered.
    delivered_to: u64,
    stats: LinkStats,
}

impl LinkConditioner {
    /// A link with these settings. Equal arguments give equal links; the two directions of a path
    /// share a seed and differ in the stream.
    ///
    /// A setting outside its range counts as the nearest in it: ask [`LinkSettings::is_valid`]
    /// before, where settings come from a user.
    #[must_use]
    pub fn new(settings: LinkSettings, seed: u64, stream: u64) -> Self {
        let rng = |purpose| Rng::new(seed, stream.wrapping_mul(8).wrapping_add(purpose));
        Self {
            settings: settings.clamped(),
            playback: None,
            seed,
            loss: LossProcess::new(rng(0)),
            outage: OutagePhase::new(seed),
            jitter: rng(1),
            reorder: rng(2),
            duplicate: rng(3),
            copy_jitter: rng(4),
            bottleneck: Bottleneck::default(),
            flight: Flight::new(MAX_QUEUED_DATAGRAMS, MAX_QUEUED_BYTES),
            in_order_us: 0,
            delivered_to: 0,
            stats: LinkStats::default(),
        }
    }

    /// Plays one direction of a recording, on top of the settings: its delay adds to theirs and a
    /// datagram must survive both. [`Direction`] says what a recording means for one direction.
    #[must_use]
    pub fn with_trace(mut self, trace: LinkTrace, direction: Direction) -> Self {
        self.playback = Some(Playback::new(trace, direction, self.seed));
        self
    }

    /// Changes the settings for datagrams sent from now on. Those under way keep their fate.
    pub fn set_settings(&mut self, settings: LinkSettings) {
        self.settings = settings.clamped();
    }

    /// The settings, each within its range.
    #[must_use]
    pub const fn settings(&self) -> &LinkSettings {
        &self.settings
    }

    /// Puts a datagram on the link at `now_us`.
    pub fn send(&mut self, now_us: u64, bytes: &[u8]) {
        let settings = self.settings;
        let number = self.stats.offered;
        self.stats.offered += 1;
        self.stats.bytes_offered += bytes.len() as u64;

        // All draws come first, so that each purpose draws as often whatever becomes of this one.
        let mut lost = self.loss.next_is_lost(settings.loss);
        lost |= settings.outage.is_some_and(|outage| self.outage.is_dead(now_us, outage));
        let mut base_us = settings.delay_us;
        if let Some(playback) = &self.playback {
            let fate = playback.fate(now_us);
            lost |= fate.lost;
            base_us += fate.one_way_us;
        }
        let delay_us = jittered(base_us, settings.jitter_us, &mut self.jitter);
        let copy_delay_us = jittered(base_us, settings.jitter_us, &mut self.copy_jitter);
        let held = self.reorder.chance(settings.reorder_per_million);
        let hold_us = HOLD_MIN_US + u64::from(self.reorder.below(HOLD_SPREAD_US + 1));
        let copied = self.duplicate.chance(settings.duplicate_per_million);

        if lost {
            self.stats.lost += 1;
            return;
        }
        let leaves_us = if bytes.len() > MAX_DATAGRAM_BYTES {
            None
        } else {
            self.bottleneck.admit(now_us, bytes.len(), settings.rate_bits_per_second, settings.queue_bytes)
        };
        let Some(leaves_us) = leaves_us else {
            self.stats.queue_dropped += 1;
            return;
        };

        let in_order_us = self.in_order_us.max(leaves_us.saturating_add(delay_us));
        let lands_us = if held { in_order_us.saturating_add(hold_us) } else { in_order_us };
        if !self.flight.take_off(lands_us, number, bytes) {
            self.stats.queue_dropped += 1;
            return;
        }
        if !held {
            self.in_order_us = in_order_us;
        }
        if copied {
            let copy_us = self.in_order_us.max(leaves_us.saturating_add(copy_delay_us));
            if self.flight.take_off(copy_us, number, bytes) {
                self.in_order_us = copy_us;
                self.stats.duplicated += 1;
            }
        }
    }

    /// The next datagram that has landed by `now_us`, valid until the next call.
    pub fn receive(&mut self, now_us: u64) -> Option<&[u8]> {
        let (number, bytes) = self.flight.land(now_us)?;
        self.stats.delivered += 1;
        self.stats.bytes_delivered += bytes.len() as u64;
        if number + 1 < self.delivered_to {
            self.stats.reordered += 1;
        }
        self.delivered_to = self.delivered_to.max(number + 1);
        Some(bytes)
    }

    /// When the next datagram lands, in microseconds; `None` if none is under way.
    #[must_use]
    pub fn next_delivery_us(&self) -> Option<u64> {
        self.flight.next_us()
    }

    /// Number of datagrams under way, copies included: 0..=[`MAX_QUEUED_DATAGRAMS`].
    #[must_use]
    pub fn queued(&self) -> usize {
        self.flight.len()
    }

    /// Bytes of the datagrams under way, copies included: 0..=[`MAX_QUEUED_BYTES`].
    #[must_use]
    pub const fn queued_bytes(&self) -> usize {
        self.flight.bytes()
    }

    /// What the link did so far.
    #[must_use]
    pub const fn stats(&self) -> LinkStats {
        self.stats
    }

    #[cfg(test)]
    fn capacity_bytes(&self) -> usize {
        self.flight.capacity_bytes()
    }
}

/// A delay drawn uniformly from `base_us` plus or minus `jitter_us`; 0 where that is negative.
const fn jittered(base_us: u64, jitter_us: u64, rng: &mut Rng) -> u64 {
    // At most 120,000,001: settings bound the jitter to a minute.
    let drawn_us = rng.below((2 * jitter_us + 1) as u32) as u64;
    (base_us + drawn_us).saturating_sub(jitter_us)
}

#[cfg(test)]
mod tests;
