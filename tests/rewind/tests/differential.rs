//! The comparison: the real engine answers as the reference does, the comparison is worth something,
//! and it finds what is planted.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use snapback_core::Fx;
use snapback_rewind_tests::compare::{Difference, Digesting, Engine, Tally, compare};
use snapback_rewind_tests::engine::RewindEngine;
use snapback_rewind_tests::reference::flight::Flown;
use snapback_rewind_tests::reference::frames::Frame;
use snapback_rewind_tests::reference::history::{Hit, Settings};
use snapback_rewind_tests::reference::lookup::Absence;
use snapback_rewind_tests::scene::{Cast, Census, HitboxSpec, Load, Lookup, Pace, Rule, Sample, Seen, Shot, Sweep, Wall};

const LOAD: Load = Load { questions_per_tick: 20, shots_per_tick: 2 };
/// One command runs the whole of it: see `examples/differential.rs`.
const SCENES: u64 = 150;

/// Bit for bit, whatever is asked; and every kind of answer occurs, and often: a comparison of misses
/// proves nothing.
#[test]
fn the_engine_answers_as_the_reference_does() {
    let mut tally = Tally::default();
    let mut engine = Digesting { engine: RewindEngine::default(), crc: 0 };
    for seed in 0..SCENES {
        tally.add(&compare(seed, LOAD, &mut engine).unwrap_or_else(|difference| panic!("{difference}")));
        if seed == 19 {
            // The same in every profile. It changes with the scenes.
            assert_eq!(format!("{:08x}", engine.crc), "f9770633");
        }
    }
    let share = |parts: &[u64]| parts[0] * 100 / parts.iter().sum::<u64>();
    assert!((30..80).contains(&share(&tally.looked_up)), "{tally:?}");
    assert!(share(&tally.cast) >= 15 && share(&tally.swept) >= 15 && tally.census[1] > tally.census[0], "{tally:?}");
    assert!(tally.absent.iter().all(|count| *count >= 5), "{tally:?}");
    assert!(tally.at_once >= 500 && tally.in_later_pieces >= 500, "{tally:?}");
    assert!(tally.shots[0] >= 1_000 && tally.shots[1] >= 1_000 && tally.shots[2] >= 20, "{tally:?}");
    assert!(tally.impacts.iter().chain(&tally.bounces).all(|count| *count >= 500), "{tally:?}");
}

/// A fault that a comparison must find.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    None,
    /// A piece ends a microsecond late.
    End,
    /// The time of a cast is a microsecond late.
    CastTime,
    /// So is that of everybody.
    CensusTime,
    /// A time of impact that is rounded up by one part of 2^30.
    Impact,
    /// Ties go to the greater place.
    Ties,
    /// 25 ms are 26.
    Tolerance,
    /// 100 ms are 101.
    Gap,
    /// The history is a millisecond longer.
    Rewind,
    /// Nobody teleports.
    Epoch,
    /// Who is retired loses the past too.
    Retirement,
    /// Everybody is sampled at every tick.
    Cadence,
    /// A bounce keeps a 65,536th more.
    Bounce,
    /// Gravity is stronger by 0.002 cm/s²: one step of `Fx` in a tick or two.
    Gravity,
    /// The radius of a projectile is a unit smaller.
    Radius,
    /// A wall that catch-up should pass.
    IgnoredWall,
    /// One impact too many.
    Impacts,
}

/// The real engine with a fault.
struct Faulty {
    inner: RewindEngine,
    fault: Fault,
}

impl Faulty {
    fn is(&self, fault: Fault) -> bool {
        self.fault == fault
    }

    fn with_fault(&self, sample: &Sample) -> Sample {
        Sample { epoch: if self.is(Fault::Epoch) { 0 } else { sample.epoch }, ..*sample }
    }
}

impl Engine for Faulty {
    fn reset(&mut self, settings: &Settings) {
        let mut settings = *settings;
        match self.fault {
            Fault::Tolerance => settings.max_future_tolerance_us += 1_000,
            Fault::Gap => settings.max_interpolation_gap_us += 1_000,
            Fault::Rewind => settings.max_rewind_us += 1_000,
            _ => {}
        }
        self.inner.reset(&settings);
    }

    fn tick(&mut self, time_us: u64, seen: &[(usize, Seen)]) {
        let with_fault = |seen: &Seen| if let Seen::Here(sample) = seen { Seen::Here(self.with_fault(sample)) } else { *seen };
        let seen: Vec<_> = seen.iter().map(|(hitbox, seen)| (*hitbox, with_fault(seen))).collect();
        self.inner.tick(time_us, &seen);
    }

    fn register(&mut self, hitbox: usize, spec: &HitboxSpec, first: Option<&Sample>) -> u32 {
        let first = first.map(|first| self.with_fault(first));
        let pace = if self.is(Fault::Cadence) { Pace::EveryTick } else { spec.pace };
        let place = self.inner.register(hitbox, &HitboxSpec { pace, ..*spec }, first.as_ref());
        // The reference is told of the reverse order, and the engine keeps its own.
        if self.is(Fault::Ties) { u32::MAX - place } else { place }
    }

    fn retire(&mut self, hitbox: usize) {
        if self.is(Fault::Retirement) { self.inner.unregister(hitbox) } else { self.inner.retire(hitbox) }
    }

    fn unregister(&mut self, hitbox: usize) {
        self.inner.unregister(hitbox);
    }

    fn look_up(&mut self, lookup: &Lookup) -> Result<Frame, Absence> {
        self.inner.look_up(lookup)
    }

    fn census(&mut self, census: &Census) -> Result<Vec<Frame>, Absence> {
        let late = u64::from(self.is(Fault::CensusTime));
        let found = self.inner.census(&Census { time_us: census.time_us + late, ..*census })?;
        Ok(found.into_iter().map(|frame| Frame { time_us: census.time_us, ..frame }).collect())
    }

    fn cast(&mut self, cast: &Cast) -> Result<Option<Hit>, Absence> {
        let late = u64::from(self.is(Fault::CastTime));
        let hit = self.inner.cast(&Cast { time_us: cast.time_us + late, ..*cast })?;
        // It does not tell on itself.
        Ok(hit.map(|hit| Hit { time_us: hit.time_us - if hit.time_us == cast.time_us + late { late } else { 0 }, ..hit }))
    }

    fn sweep(&mut self, sweep: &Sweep) -> Result<Option<Hit>, Absence> {
        let late = u64::from(self.is(Fault::End));
        let hit = self.inner.sweep(&Sweep { end_us: sweep.end_us + late, ..*sweep })?;
        let inexact = |hit: &Hit| u32::from(self.is(Fault::Impact) && hit.n % 2 == 1);
        Ok(hit.map(|hit| Hit { n: hit.n + inexact(&hit), ..hit }))
    }

    fn fly(&mut self, shot: &Shot, walls: &[Wall]) -> Flown {
        let (mut shot, mut walls) = (*shot, walls.to_vec());
        let step = Fx::DELTA;
        match (self.fault, shot.rule) {
            (Fault::Bounce, Rule::Bounce(kept)) if kept < Fx::ONE => {
                shot.rule = Rule::Bounce(kept + step);
            }
            (Fault::Gravity, _) => shot.gravity.y -= Fx::from_bits(128),
            (Fault::Radius, _) => shot.radius = shot.radius.saturating_sub(1).max(17),
            (Fault::Impacts, _) => shot.max_impacts = (shot.max_impacts + 1).min(255),
            (Fault::IgnoredWall, _) => walls.iter_mut().for_each(|wall| wall.ignored_in_catch_up = false),
            _ => {}
        }
        self.inner.fly(&shot, &walls)
    }
}

fn search(engine: &mut impl Engine, seeds: u64) -> Option<Box<Difference>> {
    (0..seeds).find_map(|seed| compare(seed, LOAD, engine).err())
}

/// By a tick of the server, and by a microsecond.
#[test]
fn a_planted_view_delay_that_is_off_by_one_is_caught() {
    for late_us in [16_667, 1, -1] {
        let mut engine = RewindEngine::with_late_shots(late_us);
        let difference = search(&mut engine, 40).expect("a shot that differs");
        let text = difference.to_string();
        assert!(difference.question.starts_with("Shot"), "{text}");
        assert!(text.contains(&format!("--seed {}", difference.seed)), "{text}");
        // The seed alone shows it again.
        assert_eq!(compare(difference.seed, LOAD, &mut engine), Err(difference));
    }
}

#[test]
fn every_other_planted_fault_is_caught() {
    for fault in [
        Fault::End,
        Fault::CastTime,
        Fault::CensusTime,
        Fault::Impact,
        Fault::Ties,
        Fault::Tolerance,
        Fault::Gap,
        Fault::Rewind,
        Fault::Epoch,
        Fault::Retirement,
        Fault::Cadence,
        Fault::Bounce,
        Fault::Gravity,
        Fault::Radius,
        Fault::IgnoredWall,
        Fault::Impacts,
    ] {
        assert!(search(&mut Faulty { inner: RewindEngine::default(), fault }, 100).is_some(), "{fault:?}");
    }
    assert!(search(&mut Faulty { inner: RewindEngine::default(), fault: Fault::None }, 2).is_none());
}
