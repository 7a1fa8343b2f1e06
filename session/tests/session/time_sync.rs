//! Time sync on a model: two clocks, a link and nothing else. What it must do is compared with plain arithmetic.

use snapback::time_sync::{Lag, LagReport, MAX_STRETCH_PPM, TimeSync};
use snapback::{Pacer, Rng};

/// Between the first measurement and the time when everything has settled.
const SETTLING_US: u64 = 60_000_000;

/// What a peer says of itself instead of the truth: its lag, and the round trip that it makes us measure.
type Lie = fn(us: u64, truth: i8, rtt_us: u64) -> (i8, u64);

const HONEST: Lie = |_, truth, rtt_us| (truth, rtt_us);

/// One end: a pacer on a clock that is a little off, and what it knows of the other end.
struct End {
    rate_millihertz: u64,
    start_us: u64,
    delay_frames: i64,
    delay_max_frames: u8,
    lie: Lie,
    /// Whether it waits for the other end.
    is_synced: bool,
    pacer: Pacer,
    frame: i64,
    newest: i64,
    newest_at_us: u64,
    report: Option<(u64, Lag, u64)>,
    sync: TimeSync,
    stretch_ppm: u32,
}

impl End {
    fn new(rate_millihertz: u64, start_us: u64) -> Self {
        Self {
            rate_millihertz,
            start_us,
            delay_frames: 0,
            delay_max_frames: 10,
            lie: HONEST,
            is_synced: true,
            pacer: Pacer::new(0, 60),
            frame: -1,
            newest: -1,
            newest_at_us: 0,
            report: None,
            sync: TimeSync::default(),
            stretch_ppm: 0,
        }
    }

    fn due_us(&self) -> u64 {
        self.start_us + (self.pacer.due_us() * 60_000).div_ceil(self.rate_millihertz)
    }

    fn lag(&self) -> i64 {
        self.frame - self.newest
    }

    fn lag_at(&self, now_us: u64) -> Lag {
        Lag::new(self.lag(), now_us - self.newest_at_us, 60)
    }
}

/// A packet on its way.
struct Packet {
    at_us: u64,
    number: u64,
    to: usize,
    newest: i64,
    lag: Lag,
    rtt_us: u64,
}

struct Model {
    ends: [End; 2],
    packets: Vec<Packet>,
    rng: Rng,
    delay_us: u64,
    jitter_us: u32,
    loss_per_million: u32,
    now_us: u64,
    numbers: u64,
    remote_delay_max_frames: [u8; 2],
}

impl Model {
    fn new(ends: [End; 2], delay_us: u64, jitter_us: u32, loss_per_million: u32, seed: u64) -> Self {
        let remote_delay_max_frames = [ends[1].delay_max_frames, ends[0].delay_max_frames];
        Self {
            ends,
            packets: Vec::new(),
            rng: Rng::new(seed, 0),
            delay_us,
            jitter_us,
            loss_per_million,
            now_us: 0,
            numbers: 0,
            remote_delay_max_frames,
        }
    }

    /// The next tick of either end. Says whose.
    fn tick(&mut self) -> usize {
        let me = usize::from(self.ends[1].due_us() < self.ends[0].due_us());
        self.now_us = self.ends[me].due_us();
        for packet in self.packets.extract_if(.., |packet| packet.at_us <= self.now_us) {
            let end = &mut self.ends[packet.to];
            if packet.newest > end.newest {
                (end.newest, end.newest_at_us) = (packet.newest, packet.at_us.max(end.newest_at_us));
            }
            if end.report.is_none_or(|(number, ..)| number < packet.number) {
                end.report = Some((packet.number, packet.lag, packet.rtt_us));
            }
        }
        let end = &mut self.ends[me];
        assert!(end.pacer.take(end.pacer.due_us(), end.stretch_ppm));
        end.frame += 1;
        let report = end.report.map(|(_, lag, rtt_us)| LagReport {
            lag,
            rtt_us,
            simulation_hz: 60,
            local_delay_frames: end.delay_frames,
            remote_delay_max_frames: self.remote_delay_max_frames[me],
        });
        end.sync.tick(end.lag_at(self.now_us), report.as_ref(), end.stretch_ppm);
        end.stretch_ppm = if end.is_synced { end.sync.stretch_ppm() } else { 0 };
        let truth = end.lag_at(self.now_us);
        let (frames, rtt_us) = (end.lie)(self.now_us, truth.frames, 2 * self.delay_us + u64::from(self.jitter_us));
        let lag = Lag { frames, ..truth };
        let newest = end.frame + end.delay_frames;
        self.numbers += 1;
        if !self.rng.chance(self.loss_per_million) {
            let at_us = self.now_us + self.delay_us + u64::from(self.rng.below(self.jitter_us + 1));
            self.packets.push(Packet { at_us, number: self.numbers, to: 1 - me, newest, lag, rtt_us });
        }
        me
    }

    /// The mean lag of both ends from now until then, in thousandths of a frame.
    fn mean_lags(&mut self, until_us: u64) -> [i64; 2] {
        let (mut sums, mut counts) = ([0; 2], [0; 2]);
        while self.now_us < until_us {
            let me = self.tick();
            sums[me] += 1_000 * self.ends[me].lag();
            counts[me] += 1;
        }
        [sums[0] / counts[0].max(1), sums[1] / counts[1].max(1)]
    }
}

/// Whatever the start, the clocks, the way and the delays: after a minute both lags are the same within a frame. Not
/// nearer: on a way that hardly varies they are whole frames, and may be one apart when the ticks are a quarter apart.
#[test]
fn it_converges_from_any_start() {
    let mut furthest = 0;
    for seed in 0..200 {
        let mut rng = Rng::new(seed, 1);
        let end = |rng: &mut Rng| End {
            delay_frames: rng.below(4).into(),
            // From 57 to 60 frames a second, and starts up to half a second apart.
            ..End::new(u64::from(57_000 + rng.below(3_001)), u64::from(rng.below(500_000)))
        };
        let ends = [end(&mut rng), end(&mut rng)];
        let (delay_us, jitter_us, loss) = (u64::from(rng.below(150_000)), rng.below(30_000), rng.below(100_000));
        let mut model = Model::new(ends, delay_us, jitter_us, loss, seed);
        model.mean_lags(SETTLING_US);
        let lags = model.mean_lags(2 * SETTLING_US);
        furthest = furthest.max(lags[0].abs_diff(lags[1]));
        assert!(lags[0].abs_diff(lags[1]) <= 1_000, "seed {seed}: {lags:?}");
    }
    println!("at most {furthest} thousandths of a frame apart");
}

/// One of two equal ends stands still for six ticks, as after a loss in one direction. The other waits for it; and
/// then neither goes on being slow because the other is.
#[test]
fn after_a_hiccup_nobody_stays_slow() {
    for seed in 0..50 {
        let jitter_us = 4_000 * (seed as u32 % 5);
        let mut model = Model::new([End::new(60_000, 0), End::new(60_000, 2_000)], 50_000, jitter_us, 20_000, seed);
        model.mean_lags(10_000_000);
        model.ends[seed as usize % 2].start_us += 100_000;
        model.mean_lags(12_000_000);
        let stretches = model.ends.each_ref().map(|end| end.stretch_ppm);
        assert!(stretches.iter().any(|ppm| *ppm > 5_000), "seed {seed}: nobody has waited, {stretches:?}");
        let lags = model.mean_lags(35_000_000);
        assert!(lags[0].abs_diff(lags[1]) < 1_500, "seed {seed}: {lags:?}");
        let mut slow_ppm = 0;
        let (from_us, mut ticks) = (model.now_us, 0);
        while model.now_us < from_us + 10_000_000 {
            let me = model.tick();
            slow_ppm += u64::from(model.ends[me].stretch_ppm);
            ticks += 1;
        }
        assert!(slow_ppm / ticks < 3_000, "seed {seed}: still {} ppm slow", slow_ppm / ticks);
    }
}

/// The controller once more, as it stands in the module's text, in numbers with a point.
#[derive(Default)]
#[allow(clippy::float_arithmetic, reason = "the reference")]
struct Plain {
    advantage: f64,
    drift: f64,
    mean_measured: f64,
    ticks: f64,
}

#[allow(clippy::float_arithmetic, reason = "the reference")]
impl Plain {
    fn tick(&mut self, measured: f64, stretched: f64) -> f64 {
        self.advantage += self.drift - stretched;
        self.ticks = (self.ticks + 1.0).min(64.0);
        let is_settled = self.ticks >= 64.0;
        self.mean_measured += (measured - self.mean_measured) / if is_settled { 32.0 } else { self.ticks };
        let error = measured - self.advantage;
        if self.ticks < 64.0 {
            self.advantage += error / self.ticks;
        } else {
            self.advantage += error / 32.0;
            self.drift += error / 16_384.0;
            if self.drift > 0.0 {
                let leak = self.drift * (-self.mean_measured).clamp(0.0, 1.0 / 16.0) / 16.0;
                self.drift = (self.drift - leak.max(1.0 / 64.0 / 16_384.0)).max(0.0);
            }
            self.drift = self.drift.clamp(-0.06, 0.06);
        }
        let pull = if self.advantage > 0.0 { (self.advantage - 0.0625).max(0.0) } else { self.advantage } / 128.0
            + (self.advantage - 0.5).max(0.0) / 16.0;
        let wanted = if self.ticks < 16.0 { 0.0 } else { (self.drift + pull).max(0.0) };
        let is_far = self.advantage + 128.0 * self.drift > 2.0;
        wanted.min(if is_far { 0.06 } else { 0.015 })
    }
}

#[test]
#[allow(clippy::float_arithmetic, reason = "the reference")]
fn it_computes_what_plain_arithmetic_does() {
    for seed in 0..50 {
        let (mut rng, mut plain, mut sync) = (Rng::new(seed, 2), Plain::default(), TimeSync::default());
        let mut stretched = 0.0;
        let (mut lag, mut frames) = (0, 0);
        for tick in 0..5_000 {
            if tick % 500 == 0 {
                (lag, frames) = (i64::from(rng.below(12)) - 2, rng.below(12) as i8 - 2);
            }
            // A way on which every report can be true.
            let noisy = lag + i64::from(rng.below(3));
            let report = LagReport {
                lag: Lag { frames, waited: 0 },
                rtt_us: 100_000,
                simulation_hz: 60,
                local_delay_frames: 0,
                remote_delay_max_frames: 100,
            };
            let high = 6 + 3 - noisy.min(lag);
            let frames = frames.min(high as i8 - 3);
            let report = LagReport { lag: Lag { frames, waited: 0 }, ..report };
            let stretched_ppm = sync.stretch_ppm();
            sync.tick(Lag::new(noisy, 0, 60), Some(&report), stretched_ppm);
            let wanted = plain.tick((noisy as f64 - f64::from(frames)) / 2.0, stretched);
            assert!((plain.advantage * 1_000.0 - sync.advantage_milliframes() as f64).abs() < 2.0, "seed {seed}, tick {tick}");
            // Where the larger limit opens, the last digit decides.
            let is_at_limit = (plain.advantage + 128.0 * plain.drift - 2.0).abs() < 0.002;
            let is_same = (wanted * 1e6 - f64::from(sync.stretch_ppm())).abs() < 20.0;
            assert!(is_same || is_at_limit, "seed {seed}, tick {tick}: {wanted}");
            // Both are told what was used, so that a digit decides nothing later.
            stretched = f64::from(sync.stretch_ppm()) / 1e6;
        }
    }
}

/// How many frames we are behind an end that keeps the nominal rate after ten minutes, if it says this.
fn lost_to(lie: Lie) -> i64 {
    let liar = End { lie, is_synced: false, ..End::new(60_000, 0) };
    let mut model = Model::new([End::new(60_000, 0), liar], 40_000, 10_000, 0, 1);
    model.mean_lags(600_000_000);
    model.ends[1].frame - model.ends[0].frame
}

/// A peer that lies pulls us back until its inputs come as early as they would with the longest delay that
/// it announced: half of 10 frames and the tolerance, and half a frame because the beat is not exact.
/// What the estimates overshoot is at most four frames more. If it makes us believe that there is no way
/// at all, that is another half of a round trip. It costs that once, however it varies what it says.
#[test]
fn a_liar_slows_us_by_a_bounded_number_of_frames() {
    const MOST: i64 = 10;
    const MOST_WITHOUT_A_WAY: i64 = 13;
    const LIES: [(&str, Lie, i64); 9] = [
        ("always in front of us", |_, _, rtt_us| (i8::MIN, rtt_us), MOST),
        ("always far behind us", |_, _, rtt_us| (i8::MAX, rtt_us), 0),
        ("now this, now that", |us, _, rtt_us| (if us / 1_000_000 % 2 == 0 { i8::MIN } else { i8::MAX }, rtt_us), MOST),
        ("the same more slowly", |us, _, rtt_us| (if us / 20_000_000 % 2 == 0 { i8::MIN } else { i8::MAX }, rtt_us), MOST),
        ("every packet another", |us, _, rtt_us| (((us / 16_667).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as i8, rtt_us), MOST),
        ("57 frames a second, over and over", |us, truth, rtt_us| (truth.saturating_sub((us / 333_333 % 60) as i8), rtt_us), MOST),
        ("four frames better than it is", |_, truth, rtt_us| (truth.saturating_sub(8), rtt_us), MOST),
        ("in front of us, and no way at all", |_, _, _| (i8::MIN, 0), MOST_WITHOUT_A_WAY),
        ("now this, now that, and no way", |us, _, _| (if us / 5_000_000 % 4 == 0 { i8::MIN } else { i8::MAX }, 0), MOST_WITHOUT_A_WAY),
    ];
    for (name, lie, most) in LIES {
        let lost = lost_to(lie);
        println!("{name}: {lost} frames");
        assert!(lost <= most, "{name}: {lost} frames");
    }
    // These do slow us: the bound is not one that nothing comes near to.
    assert!(lost_to(LIES[3].1) >= MOST - 3 && lost_to(LIES[7].1) >= MOST - 1);
}

/// Both believe for a while that the other is slow. What each does about it is what the other would see if it
/// were: that must not go on for ever.
#[test]
fn two_that_slow_each_other_down_stop_it() {
    let lie: Lie = |us, truth, rtt_us| (if us < 8_000_000 { truth.saturating_sub((us / 600_000) as i8) } else { truth }, rtt_us);
    let ends = [0, 0].map(|start_us| End { lie, ..End::new(60_000, start_us) });
    let mut model = Model::new(ends, 40_000, 10_000, 0, 1);
    model.mean_lags(10_000_000);
    let both = |model: &Model| model.ends.each_ref().map(|end| end.stretch_ppm);
    assert!(both(&model).iter().all(|ppm| *ppm > 5_000), "{:?}", both(&model));
    model.mean_lags(300_000_000);
    assert!(both(&model).iter().all(|ppm| *ppm < 1_000), "{:?}", both(&model));
}

/// The clocks are equal and the way is not: nobody is slowed by what is only noise.
#[test]
fn jitter_does_not_make_it_hunt() {
    for seed in 0..10 {
        let mut model = Model::new([End::new(60_000, 0), End::new(60_000, 5_000)], 40_000, 20_000, 20_000, seed);
        model.mean_lags(20_000_000);
        let (mut most_ppm, mut most_advantage) = (0, 0);
        while model.now_us < 600_000_000 {
            let me = model.tick();
            most_ppm = most_ppm.max(model.ends[me].stretch_ppm);
            most_advantage = most_advantage.max(model.ends[me].sync.advantage_milliframes().abs());
        }
        let lost = 36_000 - model.ends[0].frame.min(model.ends[1].frame);
        println!("seed {seed}: at most {most_ppm} ppm, {most_advantage} thousandths of a frame, {lost} frames");
        assert!(most_ppm < 2_000 && most_advantage < 400 && lost < 5, "seed {seed}: {most_ppm} ppm, {most_advantage}, {lost} frames");
    }
}

#[test]
fn extremes_stay_within_the_limits() {
    let lags = [i64::MIN, -300, -1, 0, 1, 8, 300, i64::MAX];
    let mut rng = Rng::new(4, 0);
    let mut pick = |from: &[i64]| from[rng.below(from.len() as u32) as usize];
    let mut sync = TimeSync::default();
    for _ in 0..200_000 {
        let report = LagReport {
            lag: Lag { frames: pick(&[-128, -1, 0, 1, 127]) as i8, waited: pick(&[0, 255]) as u8 },
            rtt_us: pick(&[0, 1, 80_000, i64::MAX, -1]) as u64,
            simulation_hz: pick(&[0, 1, 60, 240, i64::from(u32::MAX)]) as u32,
            local_delay_frames: pick(&lags),
            remote_delay_max_frames: pick(&[0, 10, 255]) as u8,
        };
        let stretched_ppm = pick(&[0, 60_000, i64::from(u32::MAX)]) as u32;
        match pick(&[0, 1, 2, 3]) {
            0 => sync.freeze(),
            1 => sync.tick(Lag::new(pick(&lags), 0, 60), None, stretched_ppm),
            _ => sync.tick(Lag::new(pick(&lags), u64::MAX, u32::MAX), Some(&report), stretched_ppm),
        }
        assert!(sync.stretch_ppm() <= MAX_STRETCH_PPM);
        assert!(sync.advantage_milliframes().abs() <= 256_000 && sync.drift_ppm().abs() <= 60_001);
    }
}
