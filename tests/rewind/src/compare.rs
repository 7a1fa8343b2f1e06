//! [`Engine`], and [`compare`], which puts one beside the reference and stops at the first
//! difference.

use crate::reference::Reference;
use crate::reference::flight::{Flown, Target};
use crate::reference::frames::Frame;
use crate::reference::history::{Hit, Settings};
use crate::reference::lookup::Absence;
use crate::scene::{Cast, Census, HitboxSpec, Load, Lookup, Question, Rule, Sample, Scene, Seen, Shot, Sweep, Wall};
use core::fmt;

/// What the comparison wants of a history.
pub trait Engine {
    /// Forgets everything.
    fn reset(&mut self, settings: &Settings);
    /// Records the tick at `time_us`, later than all before it. Who is due is looked at: `seen` is what
    /// there is to see of everyone, in ascending order.
    fn tick(&mut self, time_us: u64, seen: &[(usize, Seen)]);
    /// Registers `hitbox` at the newest tick, with its first sample if its shape has any. Returns its
    /// place: ties of two hits go to the smaller one.
    fn register(&mut self, hitbox: usize, spec: &HitboxSpec, first: Option<&Sample>) -> u32;
    /// Retires `hitbox`, before the next tick.
    fn retire(&mut self, hitbox: usize);
    /// Unregisters `hitbox`, before the next tick.
    fn unregister(&mut self, hitbox: usize);
    /// One hitbox at one time.
    ///
    /// # Errors
    /// Why it has no pose then.
    fn look_up(&mut self, lookup: &Lookup) -> Result<Frame, Absence>;
    /// Everybody at one time, in the order of places.
    ///
    /// # Errors
    /// Why nobody can be asked for then.
    fn census(&mut self, census: &Census) -> Result<Vec<Frame>, Absence>;
    /// Frozen targets.
    ///
    /// # Errors
    /// Why nobody can be asked for then.
    fn cast(&mut self, cast: &Cast) -> Result<Option<Hit>, Absence>;
    /// Moving targets.
    ///
    /// # Errors
    /// Why nobody can be asked for then.
    fn sweep(&mut self, sweep: &Sweep) -> Result<Option<Hit>, Absence>;
    /// A shot, caught up and followed.
    fn fly(&mut self, shot: &Shot, walls: &[Wall]) -> Flown;
}

/// What was compared, so that a test can insist that it was worth comparing.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Tally {
    /// Lookups that found a pose, and that did not.
    pub looked_up: [u64; 2],
    /// Lookups without a pose, by reason, in the order of [`Absence`].
    pub absent: [u64; Absence::COUNT],
    /// Questions for everybody, and frames that were found.
    pub census: [u64; 2],
    /// Casts that hit, that did not, and that could not be asked.
    pub cast: [u64; 3],
    /// Sweeps that hit, that did not, and that could not be asked.
    pub swept: [u64; 3],
    /// Hits at the start of a piece.
    pub at_once: u64,
    /// Hits of sweeps that are not in their first piece.
    pub in_later_pieces: u64,
    /// Shots that met something, that did not, and that were lost.
    pub shots: [u64; 3],
    /// Impacts on somebody of the past, and on something of the present.
    pub impacts: [u64; 2],
    /// Bounces off somebody, and off something.
    pub bounces: [u64; 2],
}

impl Tally {
    /// How many questions were asked.
    #[must_use]
    pub fn questions(&self) -> u64 {
        let all = self.looked_up.iter().chain(&self.cast).chain(&self.swept);
        self.census[0] + all.sum::<u64>()
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
            (&mut self.census[..], &other.census[..]),
            (&mut self.cast[..], &other.cast[..]),
            (&mut self.swept[..], &other.swept[..]),
            (&mut self.shots[..], &other.shots[..]),
            (&mut self.impacts[..], &other.impacts[..]),
            (&mut self.bounces[..], &other.bounces[..]),
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
        for hitbox in tick.unregistered.iter().copied() {
            reference.unregister(hitbox);
            engine.unregister(hitbox);
        }
        reference.tick(tick.time_us);
        engine.tick(tick.time_us, &tick.seen);
        let (first, others): (Vec<_>, Vec<_>) = tick.seen.iter().copied().partition(|(hitbox, _)| tick.born.contains(hitbox));
        for (hitbox, seen) in &others {
            reference.see(*hitbox, seen);
        }
        for (hitbox, seen) in &first {
            let spec = &scene.hitboxes[*hitbox];
            let first = if let Seen::Here(sample) = seen { Some(sample) } else { None };
            let place = engine.register(*hitbox, spec, first);
            reference.register(*hitbox, *spec, place, first);
        }
        let differ = |number_of, question: &dyn fmt::Debug, answer: &dyn fmt::Debug, expected: &dyn fmt::Debug| {
            let [question, answer, expected] = [question, answer, expected].map(|it| format!("{it:?}"));
            Box::new(Difference { seed, load, tick: number, number: number_of, question, answer, expected })
        };
        for (asked, question) in tick.questions.iter().enumerate() {
            ask(&reference, engine, question, &mut tally)
                .map_err(|(answer, expected)| differ(asked, question, &answer.as_str(), &expected.as_str()))?;
        }
        for (fired, shot) in tick.shots.iter().enumerate() {
            let (answer, expected) = (engine.fly(shot, &scene.walls), reference.fly(shot, &scene.walls));
            if answer != expected {
                return Err(differ(fired, shot, &answer, &expected));
            }
            tally.count_shot(shot, &expected);
        }
    }
    Ok(tally)
}

/// Asks both, and counts. If the answers differ: that of the engine, and that of the reference.
fn ask(reference: &Reference, engine: &mut impl Engine, question: &Question, tally: &mut Tally) -> Result<(), (String, String)> {
    fn equal<T: PartialEq + fmt::Debug>(answer: T, expected: T) -> Result<T, (String, String)> {
        if answer == expected { Ok(expected) } else { Err((format!("{answer:?}"), format!("{expected:?}"))) }
    }
    let kind = |answer: &Result<Option<Hit>, Absence>| match answer {
        Ok(Some(_)) => 0,
        Ok(None) => 1,
        Err(_) => 2,
    };
    match question {
        Question::Lookup(lookup) => {
            let found = equal(engine.look_up(lookup), reference.frame(lookup))?;
            tally.looked_up[usize::from(found.is_err())] += 1;
            if let Err(absence) = found {
                tally.absent[absence as usize] += 1;
            }
        }
        Question::Census(census) => {
            let found = equal(engine.census(census), reference.census(census))?;
            tally.census[0] += 1;
            tally.census[1] += found.map_or(0, |found| found.len() as u64);
        }
        Question::Cast(cast) => tally.cast[kind(&equal(engine.cast(cast), reference.cast(cast))?)] += 1,
        Question::Sweep(sweep) => {
            let hit = equal(engine.sweep(sweep), reference.sweep(sweep))?;
            tally.swept[kind(&hit)] += 1;
            if let Ok(Some(hit)) = hit {
                tally.at_once += u64::from(hit.n == 0);
                tally.in_later_pieces += u64::from(hit.piece > 0);
            }
        }
    }
    Ok(())
}

impl Tally {
    fn count_shot(&mut self, shot: &Shot, flown: &Flown) {
        let lost = flown.state.is_none();
        self.shots[if lost { 2 } else { usize::from(flown.impacts.is_empty()) }] += 1;
        for impact in &flown.impacts {
            let of = usize::from(matches!(impact.target, Target::Wall { .. }));
            self.impacts[of] += 1;
            self.bounces[of] += u64::from(matches!(shot.rule, Rule::Bounce(_)));
        }
    }
}

/// The reference as an engine: to measure it, and to plant faults into it.
#[derive(Clone, Debug, Default)]
pub struct ReferenceEngine(pub Reference);

impl Engine for ReferenceEngine {
    fn reset(&mut self, settings: &Settings) {
        self.0 = Reference::new(*settings);
    }

    fn tick(&mut self, time_us: u64, seen: &[(usize, Seen)]) {
        self.0.tick(time_us);
        for (hitbox, seen) in seen {
            self.0.see(*hitbox, seen);
        }
    }

    fn register(&mut self, hitbox: usize, spec: &HitboxSpec, first: Option<&Sample>) -> u32 {
        let place = u32::try_from(hitbox).unwrap_or(u32::MAX);
        self.0.register(hitbox, *spec, place, first);
        place
    }

    fn retire(&mut self, hitbox: usize) {
        self.0.retire(hitbox);
    }

    fn unregister(&mut self, hitbox: usize) {
        self.0.unregister(hitbox);
    }

    fn look_up(&mut self, lookup: &Lookup) -> Result<Frame, Absence> {
        self.0.frame(lookup)
    }

    fn census(&mut self, census: &Census) -> Result<Vec<Frame>, Absence> {
        self.0.census(census)
    }

    fn cast(&mut self, cast: &Cast) -> Result<Option<Hit>, Absence> {
        self.0.cast(cast)
    }

    fn sweep(&mut self, sweep: &Sweep) -> Result<Option<Hit>, Absence> {
        self.0.sweep(sweep)
    }

    fn fly(&mut self, shot: &Shot, walls: &[Wall]) -> Flown {
        self.0.fly(shot, walls)
    }
}

/// An engine, and the CRC-32 of all that it answered.
#[derive(Clone, Debug, Default)]
pub struct Digesting<E> {
    /// Who answers.
    pub engine: E,
    /// The CRC-32 of the answers until now, as text.
    pub crc: u32,
}

impl<E> Digesting<E> {
    fn note<T: fmt::Debug>(&mut self, answer: T) -> T {
        self.crc = snapback_core::crc32(self.crc, format!("{answer:?}").as_bytes());
        answer
    }
}

impl<E: Engine> Engine for Digesting<E> {
    fn reset(&mut self, settings: &Settings) {
        self.engine.reset(settings);
    }

    fn tick(&mut self, time_us: u64, seen: &[(usize, Seen)]) {
        self.engine.tick(time_us, seen);
    }

    fn register(&mut self, hitbox: usize, spec: &HitboxSpec, first: Option<&Sample>) -> u32 {
        self.engine.register(hitbox, spec, first)
    }

    fn retire(&mut self, hitbox: usize) {
        self.engine.retire(hitbox);
    }

    fn unregister(&mut self, hitbox: usize) {
        self.engine.unregister(hitbox);
    }

    fn look_up(&mut self, lookup: &Lookup) -> Result<Frame, Absence> {
        let answer = self.engine.look_up(lookup);
        self.note(answer)
    }

    fn census(&mut self, census: &Census) -> Result<Vec<Frame>, Absence> {
        let answer = self.engine.census(census);
        self.note(answer)
    }

    fn cast(&mut self, cast: &Cast) -> Result<Option<Hit>, Absence> {
        let answer = self.engine.cast(cast);
        self.note(answer)
    }

    fn sweep(&mut self, sweep: &Sweep) -> Result<Option<Hit>, Absence> {
        let answer = self.engine.sweep(sweep);
        self.note(answer)
    }

    fn fly(&mut self, shot: &Shot, walls: &[Wall]) -> Flown {
        let answer = self.engine.fly(shot, walls);
        self.note(answer)
    }
}
