//! [`LinkTrace`]: a recorded RTT series, read from text without a float.

use core::fmt;
use std::sync::Arc;

/// Most samples in one trace.
pub const MAX_TRACE_SAMPLES: usize = 10_000_000;

/// Longest RTT and latest time that a line may hold, in microseconds: an hour, and 31 years.
const MAX_RTT_US: u64 = 3_600_000_000;
const MAX_TIME_US: u64 = 1_000_000_000_000_000;

/// How long the only sample of a trace lasts before the trace starts over, in microseconds.
const LONE_SAMPLE_US: u64 = 1_000_000;

const EXPECTED_PAIR: &str = "`t_ms,rtt_ms`, such as `11.4,25.61` or `22.8,LOST`";
const EXPECTED_TIME: &str = "a time in milliseconds before the comma, 0..=1000000000000";
const EXPECTED_LATER: &str = "a time later than that of the line before";
const EXPECTED_RTT: &str = "`LOST` or an RTT in milliseconds after the comma, 0..=3600000";
const EXPECTED_FEWER: &str = "at most 10000000 samples";

/// A recorded RTT series. Clones share the samples, so two directions cost no more than one.
///
/// # Format
/// Text. Lines that start with `#` and blank lines are ignored; so is one header line
/// `t_ms,rtt_ms`. Every other line is a send time and an RTT, both in milliseconds, or `LOST` in
/// place of the RTT. Decimals are read as integer microseconds, exactly; digits after the third say
/// less than a microsecond and are dropped. Times strictly increase. The first one is the origin.
///
/// ```
/// use snapback_transport::link::LinkTrace;
/// let trace = LinkTrace::parse("# ping\nt_ms,rtt_ms\n0,20.5\n10.25,LOST\n20.5,22\n")?;
/// assert_eq!(trace.sample_count(), 3);
/// assert_eq!(trace.median_rtt_us(), 20_500);
/// assert_eq!(trace.duration_us(), 30_750);
/// # Ok::<(), snapback_transport::link::TraceError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct LinkTrace {
    samples: Arc<[TraceSample]>,
    duration_us: u64,
    median_rtt_us: u32,
}

/// One line of a trace. A lost sample holds the RTT of the one before it (of the first that has
/// one, at the start), for the direction that did not lose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TraceSample {
    pub(super) at_us: u64,
    pub(super) rtt_us: u32,
    pub(super) lost: bool,
}

impl LinkTrace {
    /// Reads a trace; see the format above.
    ///
    /// # Errors
    /// The first line that is not in the format, or a text without a single RTT.
    pub fn parse(text: &str) -> Result<Self, TraceError> {
        let mut samples: Vec<TraceSample> = Vec::new();
        let mut rtts: Vec<u32> = Vec::new();
        let mut origin_us = 0;
        let mut header_allowed = true;
        for (index, raw) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            let line = raw.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if core::mem::take(&mut header_allowed) && line == "t_ms,rtt_ms" {
                continue;
            }
            let fail = |expected| TraceError::at(index, raw, expected);
            let (time, rtt) = line.split_once(',').ok_or_else(|| fail(EXPECTED_PAIR))?;
            let time_us = parse_ms(time.trim(), MAX_TIME_US).ok_or_else(|| fail(EXPECTED_TIME))?;
            if samples.is_empty() {
                origin_us = time_us;
            }
            let at_us = time_us.checked_sub(origin_us).ok_or_else(|| fail(EXPECTED_LATER))?;
            if samples.last().is_some_and(|before| before.at_us >= at_us) {
                return Err(fail(EXPECTED_LATER));
            }
            if samples.len() == MAX_TRACE_SAMPLES {
                return Err(fail(EXPECTED_FEWER));
            }
            let rtt = rtt.trim();
            let lost = rtt == "LOST";
            if !lost {
                let rtt_us = parse_ms(rtt, MAX_RTT_US).and_then(|us| u32::try_from(us).ok());
                rtts.push(rtt_us.ok_or_else(|| fail(EXPECTED_RTT))?);
            }
            samples.push(TraceSample { at_us, rtt_us: rtts.last().copied().unwrap_or_default(), lost });
        }

        let first_rtt_us = *rtts.first().ok_or(TraceError::NoRtt)?;
        for sample in samples.iter_mut().take_while(|sample| sample.lost) {
            sample.rtt_us = first_rtt_us;
        }
        let duration_us = match samples.as_slice() {
            [.., before, last] => last.at_us + (last.at_us - before.at_us),
            _ => LONE_SAMPLE_US,
        };
        let middle = (rtts.len() - 1) / 2;
        let median_rtt_us = *rtts.select_nth_unstable(middle).1;
        Ok(Self { samples: samples.into(), duration_us, median_rtt_us })
    }

    /// Time from the first sample until playback starts over, in microseconds. The last sample
    /// lasts as long as the one before it; a lone one lasts a second.
    #[must_use]
    pub const fn duration_us(&self) -> u64 {
        self.duration_us
    }

    /// Number of samples, lost ones included: 1..=[`MAX_TRACE_SAMPLES`].
    #[must_use]
    pub fn sample_count(&self) -> usize {
        self.samples.len()
    }

    /// Median RTT of the samples that were not lost, in microseconds; the lower of two middles.
    #[must_use]
    pub fn median_rtt_us(&self) -> u64 {
        u64::from(self.median_rtt_us)
    }

    /// The last sample at or before `offset_us` after the first, and its index.
    pub(super) fn sample_at(&self, offset_us: u64) -> (usize, TraceSample) {
        let after = self.samples.partition_point(|sample| sample.at_us <= offset_us);
        let index = after.saturating_sub(1);
        let none = TraceSample { at_us: 0, rtt_us: 0, lost: false };
        (index, self.samples.get(index).copied().unwrap_or(none))
    }

    #[cfg(test)]
    pub(super) fn samples(&self) -> &[TraceSample] {
        &self.samples
    }
}

// Ten million samples are of no use in a message.
impl fmt::Debug for LinkTrace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LinkTrace")
            .field("sample_count", &self.samples.len())
            .field("duration_us", &self.duration_us)
            .field("median_rtt_us", &self.median_rtt_us)
            .finish()
    }
}

/// Microseconds in a decimal number of milliseconds, if it is one and at most `max_us`.
fn parse_ms(text: &str, max_us: u64) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(fraction) {
        return None;
    }
    let mut us = whole.parse::<u64>().ok()?;
    for place in 0..3 {
        let digit = fraction.as_bytes().get(place).map_or(0, |byte| u64::from(byte - b'0'));
        us = us.checked_mul(10)?.checked_add(digit)?;
    }
    (us <= max_us).then_some(us)
}

/// Why a text is not a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TraceError {
    /// A line that is not in the format.
    Line {
        /// Its number, from 1.
        number: usize,
        /// The line, or the first 80 characters of it.
        text: String,
        /// What should stand there.
        expected: &'static str,
    },
    /// Not one sample has an RTT.
    NoRtt,
}

impl TraceError {
    fn at(index: usize, line: &str, expected: &'static str) -> Self {
        Self::Line { number: index + 1, text: line.chars().take(80).collect(), expected }
    }
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line { number, text, expected } => {
                write!(f, "trace line {number} is {text:?}: expected {expected}")
            }
            Self::NoRtt => write!(f, "the trace has no RTT: expected lines of {EXPECTED_PAIR}"),
        }
    }
}

impl core::error::Error for TraceError {}

#[cfg(test)]
mod tests {
    use super::*;
    use snapback_core::Rng;

    /// Writes microseconds as milliseconds in one of the ways people do.
    fn write_ms(us: u64, rng: &mut Rng) -> String {
        let (whole, fraction) = (us / 1_000, us % 1_000);
        match (fraction, rng.below(3)) {
            (0, 0) => format!("{whole}"),
            (_, 1) => format!("{whole}.{fraction:03}{}", rng.below(1_000_000)),
            _ => format!("{whole}.{fraction:03}"),
        }
    }

    #[test]
    fn what_is_written_is_read_back_to_the_microsecond() {
        for seed in 0..200 {
            let mut rng = Rng::new(seed, 0);
            let mut text = String::from("# a comment\n\n");
            let (mut written, mut at_us) = (Vec::new(), 0);
            let origin_us = u64::from(rng.below(5_000_000));
            for line in 0..=rng.below(40) {
                let rtt_us = (line == 3 || !rng.chance(300_000)).then(|| rng.below(3_000_000));
                let time = write_ms(origin_us + at_us, &mut rng);
                let rtt = rtt_us.map_or_else(|| "LOST".into(), |us| write_ms(u64::from(us), &mut rng));
                let end = if rng.chance(500_000) { "\r\n" } else { "\n" };
                text += &format!("{time},{rtt}{end}");
                written.push((at_us, rtt_us));
                at_us += 1 + u64::from(rng.below(100_000));
            }
            let mut known: Vec<u32> = written.iter().filter_map(|(_, rtt)| *rtt).collect();
            let parsed = LinkTrace::parse(&text);
            if known.is_empty() {
                assert_eq!(parsed, Err(TraceError::NoRtt));
                continue;
            }
            let trace = parsed.unwrap();
            let read: Vec<_> = trace.samples().iter().map(|sample| (sample.at_us, (!sample.lost).then_some(sample.rtt_us))).collect();
            assert_eq!(read, written, "seed {seed}");
            assert!(trace.samples().iter().all(|sample| known.contains(&sample.rtt_us)));
            known.sort_unstable();
            assert_eq!(trace.median_rtt_us(), u64::from(known[(known.len() - 1) / 2]));
        }
    }

    #[test]
    fn a_bad_line_is_named_with_what_was_expected() {
        let cases = [
            ("0,1\n5\n", 2, "5", EXPECTED_PAIR),
            ("0,1\n5;3\n", 2, "5;3", EXPECTED_PAIR),
            ("-1,3\n", 1, "-1,3", EXPECTED_TIME),
            ("#\n\n1e3,3\n", 3, "1e3,3", EXPECTED_TIME),
            ("99999999999999999999,3\n", 1, "99999999999999999999,3", EXPECTED_TIME),
            ("5,1\n5,1\n", 2, "5,1", EXPECTED_LATER),
            ("5,1\n4.999,1\n", 2, "4.999,1", EXPECTED_LATER),
            ("0,1\n1,lost\n", 2, "1,lost", EXPECTED_RTT),
            ("0,1\n1,NaN\n", 2, "1,NaN", EXPECTED_RTT),
            ("0,1\n1,2,3\n", 2, "1,2,3", EXPECTED_RTT),
            ("0,.5\n", 1, "0,.5", EXPECTED_RTT),
            ("0,5.\n", 1, "0,5.", EXPECTED_RTT),
            ("0,3600000.001\n", 1, "0,3600000.001", EXPECTED_RTT),
            // A header belongs before the first sample, once.
            ("0,1\nt_ms,rtt_ms\n", 2, "t_ms,rtt_ms", EXPECTED_TIME),
        ];
        for (text, number, line, expected) in cases {
            let error = LinkTrace::parse(text).unwrap_err();
            assert_eq!(error, TraceError::Line { number, text: line.into(), expected });
            assert!(error.to_string().starts_with(&format!("trace line {number} is \"")));
        }
        for text in ["", "# only a comment\n", "t_ms,rtt_ms\n", "0,LOST\n1,LOST\n"] {
            assert_eq!(LinkTrace::parse(text), Err(TraceError::NoRtt));
        }
        let long = "é".repeat(10_000);
        let Err(TraceError::Line { text, .. }) = LinkTrace::parse(&long) else { panic!() };
        assert_eq!(text.chars().count(), 80);
    }

    #[test]
    fn sample_at_is_the_last_one_not_after_the_time() {
        let mut rng = Rng::new(3, 0);
        let mut text = String::new();
        let mut at_us = 0;
        for index in 0..500 {
            text += &format!("{}.{:03},{index}\n", at_us / 1_000, at_us % 1_000);
            at_us += 1 + u64::from(rng.below(30));
        }
        let trace = LinkTrace::parse(&text).unwrap();
        for offset_us in 0..trace.duration_us() {
            let naive = trace.samples().iter().rposition(|sample| sample.at_us <= offset_us);
            assert_eq!(Some(trace.sample_at(offset_us).0), naive);
        }
    }
}
