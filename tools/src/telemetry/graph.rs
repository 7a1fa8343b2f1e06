//! The net graph: a picture of the last seconds, in text. Pure: samples in, lines out.

use crate::decimal::shown;
use snapback::telemetry::{NetSample, StallStats};

/// Samples that are drawn.
pub(crate) const COLUMNS: usize = 14;

/// Of a value with its name, at the left and at the right.
const VALUE_WIDTHS: [usize; 2] = [20, 25];

const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Something that is drawn: its value in a sample, and what is at the top if nothing is higher.
struct Curve {
    of: fn(&NetSample) -> u64,
    least_top: u64,
}

const RTT: Curve = Curve { of: |sample| sample.rtt_us.unwrap_or(0), least_top: 50_000 };
const JITTER: Curve = Curve { of: |sample| sample.jitter_us, least_top: 10_000 };
const LOSS: Curve = Curve { of: |sample| sample.loss_per_million().into(), least_top: 50_000 };
const DEPTH: Curve = Curve { of: |sample| sample.depth_frames.into(), least_top: 8 };
const STALLS: Curve = Curve { of: |sample| sample.stalls.total(), least_top: 15 };
const RECEIVED: Curve = Curve { of: NetSample::received_bits_per_second, least_top: 64_000 };
const SENT: Curve = Curve { of: NetSample::sent_bits_per_second, least_top: 64_000 };
/// Four frames behind are at the bottom, four ahead at the top.
const AHEAD: Curve = Curve { of: |sample| (sample.advantage_milliframes + 4_000).clamp(0, 8_000).cast_unsigned(), least_top: 8_000 };

/// Draws the newest of `samples`, the newest at the right, in four lines of less than 80 columns. Names a
/// stall by the cause that froze most of what is shown.
pub(crate) fn draw(player: usize, samples: &[NetSample]) -> Vec<String> {
    let shown = samples.get(samples.len().saturating_sub(COLUMNS)..).unwrap_or_default();
    let now = shown.last().copied().unwrap_or(NetSample::EMPTY);
    let frozen = recent_stalls(shown);
    let stalls = frozen.worst().map_or_else(|| "stalls 0".to_owned(), |cause| format!("stalls {} {cause}", frozen.total()));
    let rows = [
        [(rtt(&now), RTT), (format!("jitter {} ms", tenths(now.jitter_us / 100)), JITTER)],
        [
            (format!("loss {} %", tenths(u64::from(now.loss_per_million()) / 1_000)), LOSS),
            (format!("rollback {}", now.depth_frames), DEPTH),
        ],
        [(ahead(&now), AHEAD), (stalls, STALLS)],
        [(bandwidth("in", now.received_bits_per_second()), RECEIVED), (bandwidth("out", now.sent_bits_per_second()), SENT)],
    ];
    let side = |(value, curve): (String, Curve), width: usize| format!("{value:<width$} {}", sparkline(shown, &curve));
    let [left_width, right_width] = VALUE_WIDTHS;
    rows.into_iter()
        .enumerate()
        .map(|(row, [left, right])| {
            let name = if row == 0 { format!("P{player}") } else { String::new() };
            format!("{name:<3}{} {}", side(left, left_width), side(right, right_width)).trim_end().to_owned()
        })
        .collect()
}

/// The same as one line, for whoever reads a file. Stalls are those of the last second.
pub(crate) fn line(player: usize, samples: &[NetSample]) -> String {
    let now = samples.last().copied().unwrap_or(NetSample::EMPTY);
    let second = samples.get(samples.len().saturating_sub(1_000 / super::SAMPLE_MS as usize)..).unwrap_or_default();
    let frozen = recent_stalls(second);
    let causes: Vec<String> = frozen.iter().map(|(cause, ticks)| format!("{cause} {ticks}")).collect();
    let causes = if causes.is_empty() { String::new() } else { format!(" ({})", causes.join(", ")) };
    format!(
        "P{player} frame {} {} jitter {} ms loss {} % rollback {} {} stalls {}{causes} {} {}",
        now.frame,
        rtt(&now),
        tenths(now.jitter_us / 100),
        tenths(u64::from(now.loss_per_million()) / 1_000),
        second.iter().map(|sample| sample.depth_frames).max().unwrap_or(0),
        ahead(&now),
        frozen.total(),
        bandwidth("in", now.received_bits_per_second()),
        bandwidth("out", now.sent_bits_per_second())
    )
}

fn recent_stalls(samples: &[NetSample]) -> StallStats {
    samples.iter().fold(StallStats::NONE, |sum, sample| sum.plus(&sample.stalls))
}

fn rtt(now: &NetSample) -> String {
    now.rtt_us.map_or_else(|| "rtt -".to_owned(), |rtt_us| format!("rtt {} ms", tenths(rtt_us / 100)))
}

/// What time sync goes by, and the raw diagnostic.
fn ahead(now: &NetSample) -> String {
    let frames = now.advantage_milliframes.unsigned_abs();
    let sign = if now.advantage_milliframes <= -100 { '-' } else { '+' };
    format!("ahead {sign}{} raw {:+}", tenths(frames / 100), now.raw_advantage_frames)
}

fn bandwidth(name: &str, bits_per_second: u64) -> String {
    format!("{name} {} kbit/s", tenths(bits_per_second / 100))
}

fn tenths(tenths: u64) -> String {
    if tenths.is_multiple_of(10) { format!("{}.0", tenths / 10) } else { shown(tenths, 1) }
}

fn sparkline(samples: &[NetSample], curve: &Curve) -> String {
    let values = || samples.iter().map(curve.of);
    let top = values().max().unwrap_or(0).max(curve.least_top).max(1);
    let level = |value: u64| LEVELS.get((value.saturating_mul(LEVELS.len() as u64 - 1) / top) as usize).copied().unwrap_or('█');
    let drawn: String = values().map(level).collect();
    format!("{drawn:>COLUMNS$}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapback::{Frame, StallCause};

    fn sample(n: u64) -> NetSample {
        let mut stalls = StallStats::NONE;
        (0..[8, 0, 0, 2, 0, 0, 0][n as usize % 7]).for_each(|_| stalls.count(StallCause::ALL[n as usize % 3]));
        NetSample {
            at_us: n * 250_000,
            span_us: 250_000,
            frame: Frame::new(15 * n.cast_signed()),
            frames: 15,
            rtt_us: Some(80_000 + 3_000 * (n % 8)),
            jitter_us: 500 * n,
            loss_sent_per_million: 2_500 * (n as u32),
            depth_frames: (n % 9) as u32,
            advantage_milliframes: 400 * n.cast_signed() - 4_000,
            raw_advantage_frames: 3 - n.cast_signed() % 7,
            stalls,
            sent_bytes: 700 + 10 * n,
            received_bytes: 1_000 + 40 * n,
            ..NetSample::EMPTY
        }
    }

    #[test]
    fn the_picture_stays() {
        let samples: Vec<NetSample> = (0..20).map(sample).collect();
        insta::assert_snapshot!(draw(0, &samples).join("\n"), @"
        P0 rtt 89.0 ms          ▇█▆▆▆▇▇▇▇█▆▆▆▇ jitter 9.5 ms             ▃▃▃▄▄▄▅▅▅▆▆▆▇▇
           loss 4.7 %           ▃▃▃▄▄▄▅▅▅▆▆▆▇▇ rollback 1                ▆▇█▁▁▂▃▄▅▆▇█▁▁
           ahead +3.6 raw -2    ▃▃▃▄▄▄▅▅▅▆▆▆▇▇ stalls 20 their slowness  ▁▄▁▁▁▁▁▁▄▁▁▁▁▁
           in 56.3 kbit/s       ▅▅▅▅▅▆▆▆▆▆▆▆▇▇ out 28.4 kbit/s           ▃▃▃▃▃▃▃▃▃▃▄▄▄▄
        ");
        insta::assert_snapshot!(draw(1, &samples[..3]).join("\n"), @"
        P1 rtt 86.0 ms                     ▇▇█ jitter 1.0 ms                        ▁▁▁
           loss 0.5 %                      ▁▁▁ rollback 2                           ▁▁▂
           ahead -3.2 raw +1               ▁▁▁ stalls 8 their loss                  ▄▁▁
           in 34.5 kbit/s                  ▄▄▄ out 23.0 kbit/s                      ▃▃▃
        ");
        insta::assert_snapshot!(draw(1, &[]).join("\n"), @"
        P1 rtt -                               jitter 0.0 ms
           loss 0.0 %                          rollback 0
           ahead +0.0 raw +0                   stalls 0
           in 0.0 kbit/s                       out 0.0 kbit/s
        ");
        insta::assert_snapshot!(line(1, &samples), @"P1 frame 285 rtt 89.0 ms jitter 9.5 ms loss 4.7 % rollback 1 ahead +3.6 raw -2 stalls 0 in 56.3 kbit/s out 28.4 kbit/s");
    }

    #[test]
    fn a_row_fits_any_terminal() {
        let mut stalls = StallStats::NONE;
        (0..30).for_each(|_| stalls.count(StallCause::TheirSlowness));
        let samples: Vec<NetSample> =
            (0..40).map(|n| NetSample { rtt_us: Some(9_999_999), raw_advantage_frames: -99, stalls, ..sample(n) }).collect();
        for row in draw(7, &samples) {
            assert!(row.chars().count() < 80, "{row}");
        }
    }
}
