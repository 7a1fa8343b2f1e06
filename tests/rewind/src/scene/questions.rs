//! What is asked after a tick: single hitboxes, frozen casts and moving sweeps; short, long, aimed
//! at somebody, past somebody, at exact ticks, in between, in the future and too far back; and everybody at a time.

use super::data::{Cast, Census, Circle, Filter, Lookup, Near, Question, Sample, Sweep};
use super::draw::{Draw, METRE};
use crate::reference::units;
use snapback_core::Fx;

/// What is known when something is asked.
#[derive(Clone, Debug)]
pub struct Known<'scene> {
    /// Everything that was to see until now: its time, its hitbox and itself.
    pub samples: &'scene [(u64, usize, Sample)],
    /// Every tick until now.
    pub ticks_us: &'scene [u64],
    /// How many hitboxes have ever been.
    pub hitboxes: usize,
    /// How many actors there are.
    pub actors: u64,
}

impl Known<'_> {
    /// The newest tick.
    #[must_use]
    pub fn newest_us(&self) -> u64 {
        self.ticks_us[self.ticks_us.len() - 1]
    }

    /// A sample that is not much older than the history.
    pub fn recent(&self, draw: &mut Draw, now_us: u64) -> (u64, usize, Sample) {
        let oldest = self.samples.partition_point(|(time_us, ..)| time_us + 300_000 < now_us);
        let oldest = oldest.min(self.samples.len() - 1);
        self.samples[oldest + draw.index(self.samples.len() - oldest)]
    }

    /// The first tick after `time_us`, or somewhat later than that.
    fn next_tick_us(&self, time_us: u64) -> u64 {
        self.ticks_us.iter().copied().find(|tick_us| *tick_us > time_us).unwrap_or(time_us + 1_000)
    }

    /// A time that somebody could ask for: around the sample, at a tick, or anywhere.
    fn time_us(&self, draw: &mut Draw, now_us: u64, sample_us: u64) -> u64 {
        match draw.index(8) {
            0 | 1 => sample_us,
            2 => sample_us + draw.time_us(0, 2) - 1,
            3 => draw.one_of(self.ticks_us),
            4 => now_us - 250_000 + draw.time_us(0, 2) - 1,
            5 => now_us + draw.time_us(0, 60_000),
            6 => now_us - 320_000 + draw.time_us(0, 340_000),
            _ => sample_us + draw.time_us(0, 60_000) - 30_000,
        }
    }
}

/// Any question.
pub fn question(draw: &mut Draw, known: &Known<'_>) -> Question {
    match draw.index(8) {
        0 => lookup(draw, known),
        1 if draw.percent(50) => census(draw, known),
        1 | 2 => cast(draw, known),
        _ => sweep(draw, known),
    }
}

fn lookup(draw: &mut Draw, known: &Known<'_>) -> Question {
    let now_us = known.newest_us();
    let (sample_us, sampled, _) = known.recent(draw, now_us);
    let hitbox = if draw.percent(80) { sampled } else { draw.index(known.hitboxes) };
    let time_us = known.time_us(draw, now_us, sample_us);
    Question::Lookup(Lookup { hitbox, time_us })
}

fn census(draw: &mut Draw, known: &Known<'_>) -> Question {
    let now_us = known.newest_us();
    let (sample_us, _, sample) = known.recent(draw, now_us);
    let time_us = known.time_us(draw, now_us, sample_us);
    let near = draw.percent(60).then(|| {
        let radius = radius(draw);
        let parts = draw.between(0, 1_000);
        let (from, to) = line(draw, &sample, parts, radius);
        let kind = draw.index(3);
        Near { segment: (kind != 0).then_some((from, to, radius)), circle: (kind != 1).then(|| circle(draw, &sample)) }
    });
    Question::Census(Census { time_us, filter: filter(draw, known, &sample), near })
}

fn cast(draw: &mut Draw, known: &Known<'_>) -> Question {
    let now_us = known.newest_us();
    let (sample_us, _, sample) = known.recent(draw, now_us);
    let time_us = known.time_us(draw, now_us, sample_us);
    let radius = radius(draw);
    let parts = draw.between(0, 1_000);
    let (from, to) = line(draw, &sample, parts, radius);
    Question::Cast(Cast { from, to, radius, time_us, clamp: draw.percent(50), filter: filter(draw, known, &sample) })
}

fn sweep(draw: &mut Draw, known: &Known<'_>) -> Question {
    let now_us = known.newest_us();
    let (sample_us, _, sample) = known.recent(draw, now_us);
    let longest_us = draw.one_of(&[100, 16_667, 50_000, 330_000]);
    let length_us = draw.time_us(1, longest_us);
    // The sphere passes the sample when the sample was true, or it does not.
    let met_us = if draw.percent(80) { sample_us } else { known.time_us(draw, now_us, sample_us) };
    let parts = draw.between(0, 1_000);
    let start_us = match draw.index(4) {
        0 => known.time_us(draw, now_us, sample_us),
        1 => draw.one_of(known.ticks_us),
        _ => met_us - length_us * parts.unsigned_abs() / 1_000,
    };
    let end_us = if draw.percent(10) { known.next_tick_us(start_us) } else { start_us + length_us };
    let radius = radius(draw);
    let (from, to) = line(draw, &sample, parts, radius);
    Question::Sweep(Sweep { from, to, radius, start_us, end_us, clamp: draw.percent(80), filter: filter(draw, known, &sample) })
}

/// Of a query's sphere, in units.
pub fn radius(draw: &mut Draw) -> u16 {
    let most = draw.one_of(&[0, 1, METRE / 10, METRE / 10, METRE / 2]);
    u16::try_from(draw.between(0, most)).expect("at most half a metre")
}

/// A line that passes near `sample` after so many thousandths of its length.
fn line(draw: &mut Draw, sample: &Sample, parts: i64, radius: u16) -> ([i32; 3], [i32; 3]) {
    let length = draw.one_of(&[0, METRE / 10, 2 * METRE, 2 * METRE, 20 * METRE, 100 * METRE, 590 * METRE]);
    let way = draw.direction(length);
    // Through it, near its surface, or somewhere else.
    let surface = METRE / 4 + i64::from(radius);
    let aside = match draw.index(6) {
        0 => 0,
        1 => 2 * METRE,
        _ => draw.between(0, surface * 2),
    };
    let aside = draw.direction(aside);
    let centre = units::quantise_point(sample.position);
    let from: [i64; 3] = std::array::from_fn(|axis| centre[axis] + aside[axis] - way[axis] * parts / 1_000);
    let to: [i64; 3] = std::array::from_fn(|axis| from[axis] + way[axis]);
    let narrow = |it: i64| i32::try_from(it).expect("within the world");
    (from.map(narrow), to.map(narrow))
}

/// Who may be hit: mostly enemies, now and then anything else.
pub fn filter(draw: &mut Draw, known: &Known<'_>, sample: &Sample) -> Filter {
    let open = Filter { only_damageable: false, projectiles: true, ..Filter::default() };
    match draw.index(10) {
        0..=2 => Filter::default(),
        3..=6 => open,
        7 => Filter { circle: Some(circle(draw, sample)), ..open },
        _ => {
            let teams = [None, Some(0), Some(1), Some(2)];
            Filter {
                ignored_actor: draw.percent(30).then(|| u64::from(draw.bits()) % known.actors),
                except: draw.percent(20).then(|| u64::from(draw.bits()) % known.actors),
                ignored_team: draw.one_of(&teams),
                own_team: draw.one_of(&teams),
                spare_own_team: draw.percent(60),
                only_damageable: draw.percent(50),
                blocking: draw.percent(70),
                projectiles: draw.percent(50),
                actors: draw.percent(80),
                circle: draw.percent(20).then(|| circle(draw, sample)),
            }
        }
    }
}

fn circle(draw: &mut Draw, sample: &Sample) -> Circle {
    let [x, _, z] = units::quantise_point(sample.position);
    let radius = draw.between(0, 3 * METRE);
    let aside = draw.between(0, radius + METRE);
    let [dx, _, dz] = draw.direction(aside);
    let narrow = |it: i64| i32::try_from(it).expect("within the world");
    // Not in whole units, and now and then negative: such a circle takes from that of the hitbox.
    let part = i64::from(draw.bits() % 400);
    let radius = if draw.percent(10) { -(radius % 800) } else { radius };
    Circle { x: narrow(x + dx), z: narrow(z + dz), radius: Fx::from_bits(radius * 400 + part) }
}
