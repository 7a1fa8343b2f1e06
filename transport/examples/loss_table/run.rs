//! Two sides and the link between, and what is counted.

use super::path::{DELAY_US, JITTER_US, Path};
use super::scheme::Scheme;
use super::side::{FRAME_US, Side};

/// Eight frames at 60 Hz: after that a session that predicts eight frames freezes.
pub(crate) const DEADLINE_US: u32 = 133_333;

/// More than a copy in the middle between two frames is late, less than the next frame is.
pub(crate) const HITCH_US: u32 = 10_000;

/// What a run came to, over both directions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Outcome {
    /// Inputs that were pressed.
    pub(crate) inputs: u64,
    /// Inputs that came more than [`DEADLINE_US`] after they were pressed.
    pub(crate) late: u64,
    /// Inputs that came later than they would have without loss.
    pub(crate) delayed: u64,
    /// Inputs that came more than [`HITCH_US`] later than that.
    pub(crate) hitches: u64,
    /// The time that one input in a thousand exceeds.
    pub(crate) p999_us: u32,
    /// With the headers of IP and UDP.
    pub(crate) bytes: u64,
    /// Frames of which a packet of their own came, or was made again.
    pub(crate) payloads: u64,
    /// Packets that were made again.
    pub(crate) recovered: u64,
}

/// Frames at the end that do not count, because their packets may still be under way.
const TAIL_FRAMES: usize = 64;

pub(crate) fn run(path: &Path, scheme: Scheme, frames: usize, seed: u64) -> Outcome {
    let mut sides = [0, 1].map(|stream| Side::new(scheme, path.vanish, seed, stream, frames + TAIL_FRAMES));
    for frame in 0..(frames + TAIL_FRAMES) as u64 {
        let at_us = frame * FRAME_US;
        for (who, after_us, half) in [(0, 0, false), (1, 5_000, false), (0, FRAME_US / 2, true), (1, 5_000 + FRAME_US / 2, true)] {
            let now_us = at_us + after_us;
            deliver(&mut sides, now_us);
            if half {
                sides[who].half_tick(now_us);
            } else {
                sides[who].tick(now_us);
            }
        }
    }
    let mut outcome = Outcome::default();
    let mut took_us: Vec<u32> = Vec::new();
    for side in &sides {
        assert!(side.took_us.len() >= frames, "the link ate the end of the match");
        took_us.extend(&side.took_us[..frames]);
        outcome.bytes += side.sent_bytes;
        outcome.recovered += side.recovered_count;
        outcome.payloads += side.payloads[..frames].iter().filter(|came| **came).count() as u64;
    }
    outcome.inputs = took_us.len() as u64;
    outcome.late = took_us.iter().filter(|took| **took > DEADLINE_US).count() as u64;
    let unlost_us = (DELAY_US + JITTER_US) as u32;
    outcome.delayed = took_us.iter().filter(|took| **took > unlost_us).count() as u64;
    outcome.hitches = took_us.iter().filter(|took| **took > unlost_us + HITCH_US).count() as u64;
    let place = took_us.len() - 1 - took_us.len() / 1_000;
    outcome.p999_us = *took_us.select_nth_unstable(place).1;
    outcome
}

/// Hands over everything that lands by `now_us`, each at its time.
fn deliver(sides: &mut [Side; 2], now_us: u64) {
    let [a, b] = sides;
    let mut datagram = Vec::new();
    loop {
        let next = |side: &Side| side.way.link.next_delivery_us().filter(|at| *at <= now_us);
        let (from, to, at_us) = match (next(a), next(b)) {
            (Some(at), other) if other.is_none_or(|other| at <= other) => (&mut *a, &mut *b, at),
            (_, Some(at)) => (&mut *b, &mut *a, at),
            _ => return,
        };
        datagram.clear();
        datagram.extend_from_slice(from.way.link.receive(at_us).unwrap_or_default());
        to.receive(at_us, &datagram, from);
    }
}
