//! [`LinkSettings`]: what one direction of a path does to datagrams, and the ranges of it.

use core::fmt;

use super::{Loss, MAX_OUTAGE_US, Outage};

/// Largest delay and largest jitter of a link, in microseconds (one minute).
pub const MAX_DELAY_US: u64 = 60_000_000;

/// Highest rate of a link, in bits per second.
pub const MAX_RATE: u64 = 1_000_000_000_000;

/// Largest bottleneck queue of a link, in bytes.
pub const MAX_QUEUE_BYTES: u64 = 1 << 30;

const MILLION: u64 = 1_000_000;

/// What one direction of a path does to datagrams. The default does nothing: no delay, no loss.
///
/// ```
/// use snapback_transport::link::{LinkSettings, Loss};
/// let dsl = LinkSettings {
///     delay_us: 25_000,
///     jitter_us: 4_000,
///     loss: Loss::bursts(20_000, 4),
///     ..LinkSettings::default()
/// };
/// assert!(dsl.is_valid().is_ok());
/// let typo = LinkSettings { reorder_per_million: 2_000_000, ..dsl };
/// assert_eq!(
///     typo.is_valid().unwrap_err().to_string(),
///     "link setting `reorder_per_million` is 2000000: it must lie in 0..=1000000",
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LinkSettings {
    /// One-way delay, in microseconds, 0..=[`MAX_DELAY_US`]. A recorded trace comes on top of it.
    pub delay_us: u64,
    /// Half-width of the uniform spread around the delay, in microseconds, 0..=[`MAX_DELAY_US`].
    /// A delay that would be negative is 0.
    pub jitter_us: u64,
    /// Which datagrams vanish.
    pub loss: Loss,
    /// Chance that a datagram is held back 20 to 60 ms while later ones pass it, in millionths.
    /// Most is reordered near a half; where all are held, at 1,000,000, few pass one another.
    pub reorder_per_million: u32,
    /// Chance that a second copy arrives, with a delay of its own, in millionths.
    pub duplicate_per_million: u32,
    /// Rate of the bottleneck, in bits per second of datagram payload, 1..=[`MAX_RATE`]; `None` is
    /// unlimited.
    pub rate_bits_per_second: Option<u64>,
    /// Bytes that may wait at the bottleneck, 0..=[`MAX_QUEUE_BYTES`]; what does not fit is
    /// dropped. Means nothing without a rate.
    pub queue_bytes: u64,
    /// When the link is dead for a moment; `None` is never. What is sent meanwhile counts as lost.
    pub outage: Option<Outage>,
}

impl Default for LinkSettings {
    fn default() -> Self {
        Self {
            delay_us: 0,
            jitter_us: 0,
            loss: Loss::None,
            reorder_per_million: 0,
            duplicate_per_million: 0,
            rate_bits_per_second: None,
            queue_bytes: 65_536,
            outage: None,
        }
    }
}

impl LinkSettings {
    /// Whether every field lies in its range.
    ///
    /// # Errors
    /// The first field that does not, with its value and its range.
    pub fn is_valid(&self) -> Result<(), InvalidLink> {
        within("delay_us", self.delay_us, 0, MAX_DELAY_US)?;
        within("jitter_us", self.jitter_us, 0, MAX_DELAY_US)?;
        match self.loss {
            Loss::None => {}
            Loss::Independent { per_million } => chance("loss.per_million", per_million)?,
            Loss::GilbertElliott { good_to_bad_per_million, bad_to_good_per_million, loss_good_per_million, loss_bad_per_million } => {
                chance("loss.good_to_bad_per_million", good_to_bad_per_million)?;
                chance("loss.bad_to_good_per_million", bad_to_good_per_million)?;
                chance("loss.loss_good_per_million", loss_good_per_million)?;
                chance("loss.loss_bad_per_million", loss_bad_per_million)?;
            }
        }
        chance("reorder_per_million", self.reorder_per_million)?;
        chance("duplicate_per_million", self.duplicate_per_million)?;
        if let Some(rate) = self.rate_bits_per_second {
            within("rate_bits_per_second", rate, 1, MAX_RATE)?;
        }
        within("queue_bytes", self.queue_bytes, 0, MAX_QUEUE_BYTES)?;
        if let Some(Outage { every_us, lasts_us }) = self.outage {
            within("outage.every_us", every_us, 1, MAX_OUTAGE_US)?;
            within("outage.lasts_us", lasts_us, 0, every_us)?;
        }
        Ok(())
    }

    /// These settings with the numbers that size a computation moved into their ranges. Chances
    /// stay as they are: above a million is always, as a million is.
    pub(super) fn clamped(self) -> Self {
        Self {
            delay_us: self.delay_us.min(MAX_DELAY_US),
            jitter_us: self.jitter_us.min(MAX_DELAY_US),
            rate_bits_per_second: self.rate_bits_per_second.map(|rate| rate.clamp(1, MAX_RATE)),
            queue_bytes: self.queue_bytes.min(MAX_QUEUE_BYTES),
            outage: self.outage.map(Outage::clamped),
            ..self
        }
    }
}

fn chance(field: &'static str, per_million: u32) -> Result<(), InvalidLink> {
    within(field, u64::from(per_million), 0, MILLION)
}

fn within(field: &'static str, value: u64, min: u64, max: u64) -> Result<(), InvalidLink> {
    if (min..=max).contains(&value) { Ok(()) } else { Err(InvalidLink { field, value, min, max }) }
}

/// A field of [`LinkSettings`] outside its range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InvalidLink {
    /// The field, as it is written in Rust.
    pub field: &'static str,
    /// Its value.
    pub value: u64,
    /// The smallest allowed value.
    pub min: u64,
    /// The largest allowed value.
    pub max: u64,
}

impl fmt::Display for InvalidLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { field, value, min, max } = self;
        write!(f, "link setting `{field}` is {value}: it must lie in {min}..={max}")
    }
}

impl core::error::Error for InvalidLink {}

#[cfg(test)]
mod tests {
    use super::*;

    type Set = fn(&mut LinkSettings, u64);

    fn elliott(settings: &mut LinkSettings, place: usize, value: u64) {
        let mut chances = [0; 4];
        chances[place] = value as u32;
        settings.loss = Loss::GilbertElliott {
            good_to_bad_per_million: chances[0],
            bad_to_good_per_million: chances[1],
            loss_good_per_million: chances[2],
            loss_bad_per_million: chances[3],
        };
    }

    #[test]
    fn both_ends_of_each_range_are_valid_and_the_next_value_is_named() {
        let fields: [(&str, u64, u64, Set); 13] = [
            ("delay_us", 0, MAX_DELAY_US, |s, v| s.delay_us = v),
            ("jitter_us", 0, MAX_DELAY_US, |s, v| s.jitter_us = v),
            ("loss.per_million", 0, MILLION, |s, v| {
                s.loss = Loss::Independent { per_million: v as u32 };
            }),
            ("loss.good_to_bad_per_million", 0, MILLION, |s, v| elliott(s, 0, v)),
            ("loss.bad_to_good_per_million", 0, MILLION, |s, v| elliott(s, 1, v)),
            ("loss.loss_good_per_million", 0, MILLION, |s, v| elliott(s, 2, v)),
            ("loss.loss_bad_per_million", 0, MILLION, |s, v| elliott(s, 3, v)),
            ("reorder_per_million", 0, MILLION, |s, v| s.reorder_per_million = v as u32),
            ("duplicate_per_million", 0, MILLION, |s, v| s.duplicate_per_million = v as u32),
            ("rate_bits_per_second", 1, MAX_RATE, |s, v| s.rate_bits_per_second = Some(v)),
            ("queue_bytes", 0, MAX_QUEUE_BYTES, |s, v| s.queue_bytes = v),
            ("outage.every_us", 1, MAX_OUTAGE_US, |s, v| s.outage = Some(Outage { every_us: v, lasts_us: 1 })),
            ("outage.lasts_us", 0, 5_000, |s, v| s.outage = Some(Outage { every_us: 5_000, lasts_us: v })),
        ];
        for (field, min, max, set) in fields {
            let mut settings = LinkSettings::default();
            for value in [min, max] {
                set(&mut settings, value);
                assert_eq!(settings.is_valid(), Ok(()), "{field} = {value}");
            }
            for value in [min.checked_sub(1), Some(max + 1)].into_iter().flatten() {
                set(&mut settings, value);
                assert_eq!(settings.is_valid(), Err(InvalidLink { field, value, min, max }));
            }
        }
    }

    #[test]
    fn the_default_and_everything_clamped_are_valid() {
        assert_eq!(LinkSettings::default().is_valid(), Ok(()));
        let wild = LinkSettings {
            delay_us: u64::MAX,
            jitter_us: u64::MAX,
            rate_bits_per_second: Some(0),
            queue_bytes: u64::MAX,
            outage: Some(Outage { every_us: 0, lasts_us: u64::MAX }),
            ..LinkSettings::default()
        };
        assert_eq!(wild.clamped().is_valid(), Ok(()));
    }
}
