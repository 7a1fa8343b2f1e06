//! Beside a model: a list of everything that was recorded, and no ring.

use snapback_core::{Fx, Rng};
use snapback_rewind::ActorRewind;
use snapback_rewind::actor::{Body, RewindRefused, RewindState};

use crate::cases::{are_all, cases};
use crate::{any_body, faster};

/// What an actor's past is, written down as one would say it.
#[derive(Default)]
struct Model {
    capacity: usize,
    now_us: u64,
    /// Time, time since the one before, body.
    samples: Vec<(u64, u64, Body)>,
    /// What it was when the rewind began, how many of the denominator's parts of a microsecond it has gone
    /// back since, and where it is.
    rewind: Option<(Body, u64)>,
    parts: u64,
}

impl Model {
    fn record(&mut self, interval_us: u64, step_us: u64, body: Body) -> bool {
        if self.rewind.is_some() {
            return false;
        }
        self.now_us += step_us;
        let last_us = self.samples.last().map_or(0, |last| last.0);
        if !self.samples.is_empty() && self.now_us - last_us < interval_us {
            return false;
        }
        self.samples.push((self.now_us, self.now_us - last_us, body));
        if self.samples.len() > self.capacity {
            self.samples.remove(0);
        }
        true
    }

    fn at(&self, time_us: u64) -> Body {
        let mut known: Vec<(u64, Body)> = self.samples.iter().map(|(at_us, _, body)| (*at_us, *body)).collect();
        if let Some((present, _)) = self.rewind
            && self.now_us > known.last().unwrap().0
        {
            known.push((self.now_us, present));
        }
        if let Some((_, exact)) = known.iter().find(|(at_us, _)| *at_us == time_us) {
            return *exact;
        }
        let pair = known.windows(2).find(|pair| pair[0].0 < time_us && time_us < pair[1].0).unwrap();
        let ((from_us, from), (to_us, to)) = (pair[0], pair[1]);
        let t = Fx::from_bits(((time_us - from_us) * 65_536 / (to_us - from_us)) as i64);
        Body {
            position: from.position.lerp(to.position, t),
            rotation: from.rotation.slerp(to.rotation, t),
            linear_velocity: from.linear_velocity.lerp(to.linear_velocity, t),
            angular_velocity: from.angular_velocity.lerp(to.angular_velocity, t),
            input_velocity: from.input_velocity.lerp(to.input_velocity, t),
            mode: from.mode,
        }
    }
}

fn play<const N: usize>(seed: u64, counts: &mut [u32; 5]) {
    let mut rng = Rng::new(seed, 5);
    let mut rewind = ActorRewind::<N>::new();
    let mut model = Model { capacity: N, ..Model::default() };
    let (numerator, denominator) = (1 + rng.below(6) as u16, 1 + rng.below(6) as u16);
    let rules = faster(numerator, denominator);
    let mut body = any_body(&mut rng);
    for operation in 0..400 {
        let says = format!("operation {operation}; replay with SNAPBACK_SEED={seed} cargo test -p snapback-rewind --test actor one_seed");
        let step_us = if rng.chance(20_000) { rng.below(500_000) } else { rng.below(20_000) };
        if rng.chance(300_000) {
            body = any_body(&mut rng);
        }
        match rng.below(20) {
            0 => {
                let expected = if model.rewind.is_some() {
                    Err(RewindRefused::AlreadyRewinding)
                } else if model.samples.is_empty() {
                    Err(RewindRefused::Empty)
                } else {
                    model.rewind = Some((body, model.now_us));
                    model.parts = 0;
                    Ok((body, model.now_us))
                };
                let found = rewind.begin(&body).map(|shown| (shown.body, shown.time_us));
                // What is sampled now is what it is now, if both are said to be different.
                let exact = model.samples.last().is_some_and(|last| last.0 == model.now_us);
                if let (Ok((_, at_us)), true) = (expected, exact) {
                    assert_eq!(found, Ok((model.at(at_us), at_us)), "{says}");
                } else {
                    assert_eq!(found, expected, "{says}");
                }
                counts[0] += u32::from(found.is_ok());
            }
            1 => {
                let found = rewind.resume();
                let Some((_, at_us)) = model.rewind else {
                    assert_eq!(found, Err(RewindRefused::NotRewinding), "{says}");
                    continue;
                };
                let resumed = found.unwrap();
                assert_eq!((resumed.body, resumed.time_us), (model.at(at_us), at_us), "{says}");
                let before = model.samples.len();
                model.samples.retain(|sample| sample.0 <= at_us);
                assert_eq!(resumed.dropped, before - model.samples.len(), "{says}");
                counts[1] += resumed.dropped as u32;
                model.now_us = at_us;
                model.rewind = None;
                body = resumed.body;
            }
            2 if rng.chance(20_000) => {
                rewind.clear();
                model = Model { capacity: N, ..Model::default() };
            }
            3..10 => {
                let found = rewind.step_back(&rules, step_us);
                let oldest_us = model.samples.first().map_or(0, |oldest| oldest.0);
                let now_us = model.now_us;
                let Some((_, at_us)) = &mut model.rewind else {
                    assert_eq!(found, Err(RewindRefused::NotRewinding), "{says}");
                    continue;
                };
                // All of the way back since the beginning at once: nothing is rounded twice.
                model.parts += u64::from(step_us) * u64::from(numerator);
                let back_us = model.parts / u64::from(denominator);
                *at_us = now_us.saturating_sub(back_us).max(oldest_us);
                let at_us = *at_us;
                let shown = found.unwrap();
                assert_eq!((shown.time_us, shown.back_us), (at_us, now_us - at_us), "{says}");
                assert_eq!(shown.body, model.at(at_us), "{says}");
                assert_eq!(shown.is_oldest, at_us == oldest_us, "{says}");
                counts[2] += 1;
                counts[3] += u32::from(shown.is_oldest);
            }
            _ => {
                let taken = rewind.record(&rules, step_us, &body);
                assert_eq!(taken.is_some(), model.record(40_000, step_us.into(), body), "{says}");
                counts[4] += u32::from(taken.is_some() && model.samples.len() == N);
            }
        }
        let samples = rewind.samples().map(|sample| (sample.time().time_us, u64::from(sample.time().since_last_us), sample.body()));
        assert!(samples.eq(model.samples.iter().copied()), "{says}");
        assert_eq!(rewind.time_us(), model.now_us, "{says}");
        assert_eq!(rewind.state() == RewindState::Rewinding, model.rewind.is_some(), "{says}");
        assert_eq!(rewind.validate(), Ok(()), "{says}");
    }
}

fn check(seed: u64, counts: &mut [u32; 5]) {
    match seed % 4 {
        0 => play::<1>(seed, counts),
        1 => play::<2>(seed, counts),
        2 => play::<7>(seed, counts),
        _ => play::<32>(seed, counts),
    }
}

#[test]
fn the_ring_is_the_model_over_any_order_of_calls() {
    let mut counts = [0; 5];
    for seed in 0..u64::from(cases(600)) {
        check(seed, &mut counts);
    }
    println!("begun, dropped, steps back, at the oldest, sampled into a full ring: {counts:?}");
    assert!(!are_all() || counts.iter().all(|count| *count > 400), "{counts:?}");
}

#[test]
fn one_seed() {
    let Ok(seed) = std::env::var("SNAPBACK_SEED") else { return };
    check(seed.parse().unwrap(), &mut [0; 5]);
}
