//! [`Change`]: what a user wants of one direction otherwise than the preset has it.

use crate::decimal::{megabits, milliseconds, outage, percent, shown, whole};
use core::fmt::{Display, Write};
use snapback::transport::LinkSettings;
use snapback::transport::link::{Loss, Outage};

/// Bytes of a KiB.
const KIB: u64 = 1_024;

/// What `--up` and `--down` know.
const KEYS: &str = "delay, jitter, loss, burst, reorder, duplicate, rate, queue or outage";

/// Settings of one direction; none where the preset decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Change {
    pub(super) delay_us: Option<u64>,
    pub(super) jitter_us: Option<u64>,
    pub(super) loss_per_million: Option<u32>,
    /// Mean length of a run of losses.
    pub(super) burst_packets: Option<u32>,
    pub(super) reorder_per_million: Option<u32>,
    pub(super) duplicate_per_million: Option<u32>,
    /// 0 is unlimited.
    pub(super) rate_bits_per_second: Option<u64>,
    pub(super) queue_kib: Option<u64>,
    pub(super) outage: Option<Option<Outage>>,
}

impl Change {
    /// This, and `other` where this says nothing.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            delay_us: self.delay_us.or(other.delay_us),
            jitter_us: self.jitter_us.or(other.jitter_us),
            loss_per_million: self.loss_per_million.or(other.loss_per_million),
            burst_packets: self.burst_packets.or(other.burst_packets),
            reorder_per_million: self.reorder_per_million.or(other.reorder_per_million),
            duplicate_per_million: self.duplicate_per_million.or(other.duplicate_per_million),
            rate_bits_per_second: self.rate_bits_per_second.or(other.rate_bits_per_second),
            queue_kib: self.queue_kib.or(other.queue_kib),
            outage: self.outage.or(other.outage),
        }
    }

    /// These settings, changed.
    pub(super) fn of(&self, before: LinkSettings) -> LinkSettings {
        let (lost, burst) = shape(before.loss);
        let loss = match (self.loss_per_million, self.burst_packets) {
            (None, None) => before.loss,
            (wanted_lost, wanted_burst) => lossy(wanted_lost.unwrap_or(lost), wanted_burst.unwrap_or(burst)),
        };
        LinkSettings {
            delay_us: self.delay_us.unwrap_or(before.delay_us),
            jitter_us: self.jitter_us.unwrap_or(before.jitter_us),
            loss,
            reorder_per_million: self.reorder_per_million.unwrap_or(before.reorder_per_million),
            duplicate_per_million: self.duplicate_per_million.unwrap_or(before.duplicate_per_million),
            rate_bits_per_second: self.rate_bits_per_second.map_or(before.rate_bits_per_second, |rate| (rate > 0).then_some(rate)),
            queue_bytes: self.queue_kib.map_or(before.queue_bytes, |queue| queue * KIB),
            outage: self.outage.unwrap_or(before.outage),
        }
    }

    /// What is asked for and does nothing where `after` is what comes of it, and what it needs.
    pub(super) fn idle(&self, after: &LinkSettings) -> Option<(&'static str, &'static str)> {
        if self.burst_packets.is_some() && after.loss == Loss::None {
            Some(("burst", "loss"))
        } else if self.queue_kib.is_some() && after.rate_bits_per_second.is_none() {
            Some(("queue", "rate"))
        } else {
            None
        }
    }
}

/// Reads a list such as `delay=30,loss=2`.
pub(super) fn list(text: &str) -> Result<Change, String> {
    let mut change = Change::default();
    for item in text.split(',') {
        let Some((key, value)) = item.split_once('=') else {
            return Err(format!("write KEY=VALUE with commas between, such as delay=30,loss=2; the keys are {KEYS}"));
        };
        let (key, value) = (key.trim(), value.trim());
        let is_new = match key {
            "delay" => set(&mut change.delay_us, milliseconds(value)),
            "jitter" => set(&mut change.jitter_us, milliseconds(value)),
            "loss" => set(&mut change.loss_per_million, percent(value)),
            "burst" => set(&mut change.burst_packets, burst(value)),
            "reorder" => set(&mut change.reorder_per_million, percent(value)),
            "duplicate" => set(&mut change.duplicate_per_million, percent(value)),
            "rate" => set(&mut change.rate_bits_per_second, megabits(value)),
            "queue" => set(&mut change.queue_kib, queue(value)),
            "outage" => set(&mut change.outage, outage(value)),
            _ => return Err(format!("there is no `{key}`: write {KEYS}")),
        };
        if !is_new.map_err(|error| format!("{key}: {error}"))? {
            return Err(format!("`{key}` is there twice: write it once"));
        }
    }
    Ok(change)
}

/// Mean length of a run of losses.
pub(super) fn burst(text: &str) -> Result<u32, String> {
    whole(1..=1_000)(text)
}

/// A queue in KiB: at most a gibibyte.
pub(super) fn queue(text: &str) -> Result<u64, String> {
    whole(0..=KIB * KIB)(text)
}

/// Puts a value where none was; false if there was one.
fn set<T>(place: &mut Option<T>, value: Result<T, String>) -> Result<bool, String> {
    value.map(|value| place.replace(value).is_none())
}

/// Loss of this mean, in runs of this mean length.
fn lossy(per_million: u32, burst_packets: u32) -> Loss {
    match (per_million, burst_packets) {
        (0, _) => Loss::None,
        (per_million, 1) => Loss::Independent { per_million },
        (per_million, burst_packets) => Loss::bursts(per_million, burst_packets),
    }
}

/// The other way round, to a hundredth of a percent: chances of turning are rounded.
fn shape(loss: Loss) -> (u32, u32) {
    match loss {
        Loss::None => (0, 1),
        Loss::Independent { per_million } => (per_million, 1),
        Loss::GilbertElliott { good_to_bad_per_million: to_bad, bad_to_good_per_million: to_good, .. } => {
            let [to_bad, to_good] = [to_bad, to_good].map(u64::from);
            let turns = (to_bad + to_good).max(1);
            let hundredths = (to_bad * 10_000 + turns / 2) / turns;
            let burst = (1_000_000 + to_good / 2).checked_div(to_good).unwrap_or(1);
            (hundredths as u32 * 100, burst as u32)
        }
    }
}

/// What one direction does, for people.
pub(super) fn described(settings: &LinkSettings) -> String {
    let mut parts = Vec::new();
    if settings.delay_us > 0 || settings.jitter_us > 0 {
        parts.push(format!("{} ms ±{} ms", shown(settings.delay_us, 3), shown(settings.jitter_us, 3)));
    }
    let (lost, burst) = shape(settings.loss);
    if lost > 0 {
        let runs = if burst > 1 { format!(" in runs of {burst}") } else { String::new() };
        parts.push(format!("{} % lost{runs}", shown(lost.into(), 4)));
    }
    for (per_million, what) in [(settings.reorder_per_million, "reordered"), (settings.duplicate_per_million, "twice")] {
        if per_million > 0 {
            parts.push(format!("{} % {what}", shown(per_million.into(), 4)));
        }
    }
    if let Some(rate) = settings.rate_bits_per_second {
        parts.push(format!("{} Mbit/s with a queue of {} KiB", shown(rate, 6), settings.queue_bytes / KIB));
    }
    if let Some(Outage { every_us, lasts_us }) = settings.outage {
        parts.push(format!("dead {} ms every {} ms", shown(lasts_us, 3), shown(every_us, 3)));
    }
    if parts.is_empty() { "nothing added".to_owned() } else { joined(&parts) }
}

fn joined(parts: &[impl Display]) -> String {
    let mut text = String::new();
    for (place, part) in parts.iter().enumerate() {
        // Writing to a text cannot fail.
        let _ = write!(text, "{}{part}", if place == 0 { "" } else { ", " });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapback::transport::link::LinkPreset;

    #[test]
    fn a_list_changes_what_it_names_and_nothing_else() {
        let wifi = LinkPreset::WifiBad.forward();
        assert_eq!(Change::default().of(wifi), wifi);
        let changed = list("delay=40.5, loss=2,queue=64").unwrap().of(wifi);
        assert_eq!(changed, LinkSettings { delay_us: 40_500, loss: Loss::bursts(20_000, 4), queue_bytes: 65_536, ..wifi });
        let all = "delay=1,jitter=2,loss=3,burst=1,reorder=4,duplicate=5,rate=0.5,queue=6,outage=7/8";
        assert_eq!(
            list(all).unwrap().of(wifi),
            LinkSettings {
                delay_us: 1_000,
                jitter_us: 2_000,
                loss: Loss::Independent { per_million: 30_000 },
                reorder_per_million: 40_000,
                duplicate_per_million: 50_000,
                rate_bits_per_second: Some(500_000),
                queue_bytes: 6_144,
                outage: Some(Outage { every_us: 8_000, lasts_us: 7_000 }),
            }
        );
        let none = list("delay=0,jitter=0,loss=0,reorder=0,duplicate=0,rate=0,outage=none").unwrap();
        assert_eq!(described(&none.of(LinkPreset::Blackout.forward())), "nothing added");
    }

    /// Also of every preset: neither loss nor the length of runs is lost in the chances.
    #[test]
    fn loss_keeps_its_runs_and_runs_their_loss() {
        for (loss, burst) in [(100, 1), (1_000, 3), (5_000, 2), (40_000, 4), (300_000, 8), (990_000, 1_000)] {
            assert_eq!(shape(lossy(loss, burst)), (loss, burst));
        }
        let wifi = LinkPreset::WifiBad.reverse();
        assert_eq!(list("burst=7").unwrap().of(wifi).loss, Loss::bursts(30_000, 7));
        assert_eq!(list("loss=100").unwrap().of(wifi).loss, Loss::bursts(1_000_000, 3));
        assert_eq!(shape(Loss::bursts(1_000_000, 3)), (1_000_000, 1));
        assert_eq!(
            described(&LinkPreset::WifiBad.forward()),
            "30 ms ±15 ms, 4 % lost in runs of 4, 0.5 % reordered, 0.1 % twice, 5 Mbit/s with a queue of 128 KiB"
        );
        assert_eq!(
            described(&LinkPreset::Blackout.reverse()),
            "15 ms ±0.5 ms, 200 Mbit/s with a queue of 256 KiB, dead 400 ms every 5000 ms"
        );
    }

    #[test]
    fn a_list_that_is_none_says_what_to_write() {
        let pairs = "write KEY=VALUE with commas between, such as delay=30,loss=2; the keys are \
                     delay, jitter, loss, burst, reorder, duplicate, rate, queue or outage";
        for (text, message) in [
            ("", pairs),
            ("delay", pairs),
            ("delay=3,", pairs),
            ("los=2", "there is no `los`: write delay, jitter, loss, burst, reorder, duplicate, rate, queue or outage"),
            ("loss=2,loss=3", "`loss` is there twice: write it once"),
            ("loss=200", "loss: write a number of percent from 0 to 100, such as 2 or 0.5"),
            ("burst=0", "burst: write a whole number from 1 to 1000"),
            ("outage=400", "outage: write how long it lasts and how often it comes, in ms, such as 400/5000, or none"),
            ("outage=6/5", "outage: write how long it lasts and how often it comes, in ms, such as 400/5000, or none"),
        ] {
            assert_eq!(list(text), Err(message.to_owned()), "{text}");
        }
    }

    #[test]
    fn what_would_do_nothing_is_named() {
        let clean = LinkSettings::default();
        let idle = |text| list(text).map(|change| change.idle(&change.of(clean))).unwrap();
        assert_eq!(idle("burst=3"), Some(("burst", "loss")));
        assert_eq!(idle("queue=3"), Some(("queue", "rate")));
        assert_eq!(idle("queue=3,rate=1,burst=2,loss=1"), None);
    }
}
