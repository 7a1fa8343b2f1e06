//! The comparison: it is worth something, and it finds what is planted.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use snapback_rewind_tests::compare::{Difference, Engine, ReferenceEngine, Tally, compare};
use snapback_rewind_tests::reference::catch_up::Outcome;
use snapback_rewind_tests::reference::history::{Hit, Settings};
use snapback_rewind_tests::reference::lookup::Absence;
use snapback_rewind_tests::reference::pose::TickPose;
use snapback_rewind_tests::scene::{Cast, HitboxSpec, Load, Lookup, Sample, Shot, Sweep, Wall};

const LOAD: Load = Load { questions_per_tick: 20, shots_per_tick: 2 };

/// Every kind of answer occurs, and often: a comparison of misses proves nothing.
#[test]
fn the_scenes_have_every_kind_of_answer() {
    let mut tally = Tally::default();
    for seed in 0..40 {
        tally.add(&compare(seed, LOAD, &mut ReferenceEngine::default()).unwrap());
    }
    let share = |parts: [u64; 2]| parts[0] * 100 / (parts[0] + parts[1]);
    assert!((30..80).contains(&share(tally.looked_up)), "{tally:?}");
    assert!(share(tally.cast) >= 15 && share(tally.swept) >= 20, "{tally:?}");
    assert!(tally.absent.iter().all(|count| *count >= 30), "{tally:?}");
    assert!(tally.at_once >= 500 && tally.in_later_pieces >= 500, "{tally:?}");
    assert!(tally.shots.iter().all(|count| *count >= 300), "{tally:?}");
}

/// A fault that a comparison must find.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    None,
    /// A view delay that is one microsecond too long.
    ViewDelay,
    /// A piece ends a microsecond late.
    End,
    /// The filter is asked a microsecond later.
    CastTime,
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
    /// Nobody is ever unregistered.
    Retirement,
}

/// The reference with a fault.
struct Faulty {
    inner: ReferenceEngine,
    fault: Fault,
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

    fn begin_tick(&mut self, time_us: u64) {
        self.inner.begin_tick(time_us);
    }

    fn register(&mut self, hitbox: usize, spec: &HitboxSpec, first: &Sample) -> u32 {
        let place = self.inner.register(hitbox, spec, &self.with_fault(first));
        // The reference is told of the reverse order, and the engine keeps its own.
        if self.fault == Fault::Ties { u32::MAX - place } else { place }
    }

    fn record(&mut self, samples: &[(usize, Sample)]) {
        let samples: Vec<_> = samples.iter().map(|(hitbox, sample)| (*hitbox, self.with_fault(sample))).collect();
        self.inner.record(&samples);
    }

    fn retire(&mut self, hitbox: usize) {
        if self.fault != Fault::Retirement {
            self.inner.retire(hitbox);
        }
    }

    fn look_up(&mut self, lookup: &Lookup) -> Result<TickPose, Absence> {
        let found = self.inner.look_up(lookup);
        // Only queries are to find a planted teleport.
        found.map(|at| if self.fault == Fault::Epoch { TickPose { epoch: 0, ..at } } else { at })
    }

    fn cast(&mut self, cast: &Cast) -> Option<Hit> {
        let late = u64::from(self.fault == Fault::CastTime);
        let hit = self.inner.cast(&Cast { time_us: cast.time_us + late, ..*cast })?;
        Some(Hit { piece_start_us: cast.time_us, piece_end_us: cast.time_us, ..hit })
    }

    fn sweep(&mut self, sweep: &Sweep) -> Option<Hit> {
        let late = u64::from(self.fault == Fault::End);
        let hit = self.inner.sweep(&Sweep { end_us: sweep.end_us + late, ..*sweep })?;
        let inexact = u32::from(self.fault == Fault::Impact && hit.n % 2 == 1);
        Some(Hit { n: hit.n + inexact, ..hit })
    }

    fn catch_up(&mut self, shot: &Shot, walls: &[Wall]) -> Outcome {
        if self.fault != Fault::ViewDelay {
            return self.inner.catch_up(shot, walls);
        }
        let late = Shot { view_delay_us: shot.view_delay_us + 1, ..shot.clone() };
        let outcome = self.inner.catch_up(&late, walls);
        let Outcome::Target { step, hit } = outcome else { return outcome };
        // It does not tell on itself: what is a microsecond early only because of the delay is set right.
        let start_us = shot.fire_us + shot.step_us * u64::from(step) - shot.view_delay_us;
        let right = |time_us: u64| time_us + u64::from(time_us + 1 == start_us || time_us + 1 == start_us + shot.step_us);
        let hit = Hit { piece_start_us: right(hit.piece_start_us), piece_end_us: right(hit.piece_end_us), ..hit };
        Outcome::Target { step, hit }
    }
}

impl Faulty {
    fn with_fault(&self, sample: &Sample) -> Sample {
        let mut sample = *sample;
        if self.fault == Fault::Epoch {
            sample.epoch = 0;
        }
        sample
    }
}

fn search(fault: Fault, seeds: u64) -> Option<Box<Difference>> {
    let mut engine = Faulty { inner: ReferenceEngine::default(), fault };
    (0..seeds).find_map(|seed| compare(seed, LOAD, &mut engine).err())
}

#[test]
fn a_planted_view_delay_that_is_off_by_one_is_caught() {
    let difference = search(Fault::ViewDelay, 40).expect("a shot that differs");
    let text = difference.to_string();
    assert!(difference.question.starts_with("Shot"), "{text}");
    assert!(text.contains(&format!("--seed {}", difference.seed)), "{text}");
    // The seed alone shows it again.
    let mut engine = Faulty { inner: ReferenceEngine::default(), fault: Fault::ViewDelay };
    assert_eq!(compare(difference.seed, LOAD, &mut engine), Err(difference));
}

#[test]
fn every_other_planted_fault_is_caught() {
    for fault in [
        Fault::End,
        Fault::CastTime,
        Fault::Impact,
        Fault::Ties,
        Fault::Tolerance,
        Fault::Gap,
        Fault::Rewind,
        Fault::Epoch,
        Fault::Retirement,
    ] {
        assert!(search(fault, 100).is_some(), "{fault:?}");
    }
    assert!(search(Fault::None, 2).is_none());
}
