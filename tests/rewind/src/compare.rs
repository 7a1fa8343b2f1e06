//! [`Engine`], and [`compare`], which puts one beside the reference and stops at the first
//! difference.

use crate::reference::Reference;
use crate::reference::catch_up::{self, Outcome};
use crate::reference::history::{Hit, Settings};
use crate::reference::lookup::Absence;
use crate::reference::pose::TickPose;
use crate::scene::{Cast, HitboxSpec, Load, Lookup, Question, Sample, Scene, Shot, Sweep, Wall};
use core::fmt;

/// What the comparison wants of a history.
pub trait Engine {
    /// Forgets everything.
    fn reset(&mut self, settings: &Settings);
    /// Begins the tick at `time_us`, later than all before it.
    fn begin_tick(&mut self, time_us: u64);
    /// Registers `hitbox` at this tick, with its first sample. Returns its place: ties of two hits
    /// go to the smaller one.
    fn register(&mut self, hitbox: usize, spec: &HitboxSpec, first: &Sample) -> u32;
    /// Ends the tick: these are due, the newly registered ones not among them.
    fn record(&mut self, samples: &[(usize, Sample)]);
    /// Unregisters `hitbox`, before the next tick begins.
    fn retire(&mut self, hitbox: usize);
    /// One hitbox at one time.
    ///
    /// # Errors
    /// Why it has no pose then.
    fn look_up(&mut self, lookup: &Lookup) -> Result<TickPose, Absence>;
    /// Frozen targets.
    fn cast(&mut self, cast: &Cast) -> Option<Hit>;
    /// Moving targets.
    fn sweep(&mut self, sweep: &Sweep) -> Option<Hit>;
    /// A shot, caught up.
    fn catch_up(&mut self, shot: &Shot, walls: &[Wall]) -> Outcome;
}

/// What was compared, so that a test can insist that it was worth comparing.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Tally {
    /// Lookups that found a pose, and that did not.
    pub looked_up: [u64; 2],
    /// Lookups without a pose, by reason, in the order of [`Absence`].
    pub absent: [u64; 6],
    /// Casts that hit, and that did not.
    pub cast: [u64; 2],
    /// Sweeps that hit, and that did not.
    pub swept: [u64; 2],
    /// Hits at the start of a piece.
    pub at_once: u64,
    /// Hits of sweeps that are not in their first piece.
    pub in_later_pieces: u64,
    /// Shots that hit somebody, that hit a wall, and that fly on.
    pub shots: [u64; 3],
}

impl Tally {
    /// How many questions were asked.
    #[must_use]
    pub fn questions(&self) -> u64 {
        [self.looked_up, self.cast, self.swept].iter().flatten().sum()
    }

    /// How many shots were fired.
    #[must_use]
    pub fn shots(&self) -> u64 {
        self.shots.iter().sum()
    }

    /// Adds what another comparison counted.
    pub fn add(&mut self, other: &Self) {
        let pairs = [
            (&mut self.looked_up[..], &other.looked_up[..]),
            (&mut self.absent[..], &other.absent[..]),
            (&mut self.cast[..], &other.cast[..]),
            (&mut self.swept[..], &other.swept[..]),
            (&mut self.shots[..], &other.shots[..]),
        ];
        for (into, from) in pairs {
            for (into, from) in into.iter_mut().zip(from) {
                *into += from;
            }
        }
        self.at_once += other.at_once;
        self.in_later_pieces += other.in_later_pieces;
    }
}

/// The first answer that differs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// Of which scene.
    pub seed: u64,
    /// How much is asked in it.
    pub load: Load,
    /// After which tick of it.
    pub tick: usize,
    /// Which question or shot after that tick.
    pub number: usize,
    /// The question or shot.
    pub question: String,
    /// What the engine says.
    pub answer: String,
    /// What the reference says.
    pub expected: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Load { questions_per_tick, shots_per_tick } = self.load;
        writeln!(f, "seed {}, tick {}, number {}: {}", self.seed, self.tick, self.number, self.question)?;
        writeln!(f, "  answered {}", self.answer)?;
        writeln!(f, "  expected {}", self.expected)?;
        write!(
            f,
            "again: cargo run --release -p snapback-rewind-tests --example differential -- --seed {} --scenes 1 \
             --questions-per-tick {questions_per_tick} --shots-per-tick {shots_per_tick}",
            self.seed
        )
    }
}

/// Puts `engine` beside the reference through the scene of `seed`.
///
/// # Errors
/// The first difference.
pub fn compare(seed: u64, load: Load, engine: &mut impl Engine) -> Result<Tally, Box<Difference>> {
    compare_scene(seed, load, &Scene::of(seed, load), engine)
}

/// As [`compare`], through a scene that was made in another way; `seed` and `load` only name it.
///
/// # Errors
/// The first difference.
pub fn compare_scene(seed: u64, load: Load, scene: &Scene, engine: &mut impl Engine) -> Result<Tally, Box<Difference>> {
    let settings = Settings::default();
    let mut reference = Reference::new(settings);
    engine.reset(&settings);
    let mut tally = Tally::default();
    for (number, tick) in scene.ticks.iter().enumerate() {
        for hitbox in tick.retired.iter().copied() {
            reference.retire(hitbox);
            engine.retire(hitbox);
        }
        engine.begin_tick(tick.time_us);
        reference.tick(tick.time_us);
        let (first, due): (Vec<_>, Vec<_>) = tick.samples.iter().copied().partition(|(hitbox, _)| tick.born.contains(hitbox));
        for (hitbox, sample) in first {
            let spec = &scene.hitboxes[hitbox];
            let place = engine.register(hitbox, spec, &sample);
            reference.register(hitbox, *spec, place, &sample);
        }
        engine.record(&due);
        for (hitbox, sample) in &due {
            reference.sample(*hitbox, sample);
        }
        let at = |number_of, question: &dyn fmt::Debug, answer: &dyn fmt::Debug, expected: &dyn fmt::Debug| {
            let [question, answer, expected] = [question, answer, expected].map(|it| format!("{it:?}"));
            Box::new(Difference { seed, load, tick: number, number: number_of, question, answer, expected })
        };
        for (asked, question) in tick.questions.iter().enumerate() {
            match question {
                Question::Lookup(lookup) => {
                    let (answer, expected) = (engine.look_up(lookup), reference.look_up(lookup));
                    if answer != expected {
                        return Err(at(asked, lookup, &answer, &expected));
                    }
                    tally.looked_up[usize::from(expected.is_err())] += 1;
                    if let Err(absence) = expected {
                        tally.absent[absence as usize] += 1;
                    }
                }
                Question::Cast(cast) => {
                    let (answer, expected) = (engine.cast(cast), reference.cast(cast));
                    if answer != expected {
                        return Err(at(asked, cast, &answer, &expected));
                    }
                    tally.cast[usize::from(expected.is_none())] += 1;
                }
                Question::Sweep(sweep) => {
                    let (answer, expected) = (engine.sweep(sweep), reference.sweep(sweep));
                    if answer != expected {
                        return Err(at(asked, sweep, &answer, &expected));
                    }
                    tally.swept[usize::from(expected.is_none())] += 1;
                    if let Some(hit) = expected {
                        tally.at_once += u64::from(hit.n == 0);
                        tally.in_later_pieces += u64::from(hit.piece_start_us > sweep.start_us);
                    }
                }
            }
        }
        for (fired, shot) in tick.shots.iter().enumerate() {
            let answer = engine.catch_up(shot, &scene.walls);
            let expected = reference.catch_up(shot, &scene.walls, catch_up::euler);
            if answer != expected {
                return Err(at(fired, shot, &answer, &expected));
            }
            tally.shots[match expected {
                Outcome::Target { .. } => 0,
                Outcome::Wall { .. } => 1,
                Outcome::Flying(_) => 2,
            }] += 1;
        }
    }
    Ok(tally)
}

/// The reference as an engine: to measure it, and to plant faults into it.
#[derive(Clone, Debug, Default)]
pub struct ReferenceEngine(pub Reference);

impl Engine for ReferenceEngine {
    fn reset(&mut self, settings: &Settings) {
        self.0 = Reference::new(*settings);
    }

    fn begin_tick(&mut self, time_us: u64) {
        self.0.tick(time_us);
    }

    fn register(&mut self, hitbox: usize, spec: &HitboxSpec, first: &Sample) -> u32 {
        let place = u32::try_from(hitbox).unwrap_or(u32::MAX);
        self.0.register(hitbox, *spec, place, first);
        place
    }

    fn record(&mut self, samples: &[(usize, Sample)]) {
        for (hitbox, sample) in samples {
            self.0.sample(*hitbox, sample);
        }
    }

    fn retire(&mut self, hitbox: usize) {
        self.0.retire(hitbox);
    }

    fn look_up(&mut self, lookup: &Lookup) -> Result<TickPose, Absence> {
        self.0.look_up(lookup)
    }

    fn cast(&mut self, cast: &Cast) -> Option<Hit> {
        self.0.cast(cast)
    }

    fn sweep(&mut self, sweep: &Sweep) -> Option<Hit> {
        self.0.sweep(sweep)
    }

    fn catch_up(&mut self, shot: &Shot, walls: &[Wall]) -> Outcome {
        self.0.catch_up(shot, walls, catch_up::euler)
    }
}
