//! All hitboxes, and the queries against them: frozen at one time, or moving.

use super::admit::admits;
use super::impact;
use super::lookup::Absence;
use super::track::{Motion, Track};
use super::units::{self, Units};
use crate::scene::{Cast, HitboxSpec, Sample, Seen, Sweep};

/// The times of the motion model, in microseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// How far back anything may be asked.
    pub max_rewind_us: u64,
    /// How long a hitbox is held after its newest sample.
    pub max_future_tolerance_us: u64,
    /// Samples that are further apart than this have nothing in between.
    pub max_interpolation_gap_us: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { max_rewind_us: 250_000, max_future_tolerance_us: 25_000, max_interpolation_gap_us: 100_000 }
    }
}

/// What a query met first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hit {
    /// Which hitbox.
    pub hitbox: usize,
    /// In which piece, from 0.
    pub piece: u32,
    /// The time of impact, in 2^30ths of the piece.
    pub n: u32,
    /// The same, in 2^30ths of the whole way.
    pub at: u32,
    /// When the target was there.
    pub time_us: u64,
    /// From the nearest point of the target's axis to the middle of the sphere, in units.
    pub offset: Units,
}

fn time_us(start_us: u64, end_us: u64, n: u32) -> u64 {
    let passed = u128::from(end_us - start_us) * u128::from(n) / u128::from(impact::ONE);
    start_us + u64::try_from(passed).expect("no more than the piece")
}

/// All hitboxes of a scene, as far as they are known.
#[derive(Clone, Debug, Default)]
pub struct Reference {
    pub(super) settings: Settings,
    pub(super) ticks_us: Vec<u64>,
    pub(super) tracks: Vec<Option<Track>>,
}

/// A target in a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    /// Where its centre is first.
    pub from: Units,
    /// How it moves in the piece.
    pub by: Units,
    /// Its half axis, all the time.
    pub half_axis: Units,
    /// Its radius, all the time.
    pub reach: i64,
    /// If it is held, the last microsecond in which it is there.
    pub until_us: Option<u64>,
}

impl Reference {
    /// Nothing yet.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// Begins a tick, later than all others. Who was retired too long ago is forgotten.
    pub fn tick(&mut self, time_us: u64) {
        for track in &mut self.tracks {
            let gone = track.as_ref().and_then(|track| track.retired_tick);
            if gone.is_some_and(|tick| time_us - self.ticks_us[tick - 1] > self.settings.max_rewind_us) {
                *track = None;
            }
        }
        self.ticks_us.push(time_us);
    }

    /// Registers `hitbox` at the newest tick. One that has no sample yet has no pose.
    pub fn register(&mut self, hitbox: usize, spec: HitboxSpec, place: u32, first: Option<&Sample>) {
        if self.tracks.len() <= hitbox {
            self.tracks.resize(hitbox + 1, None);
        }
        assert!(self.known().all(|(_, track)| track.place != place), "place {place} is taken");
        let mut track = Track::new(spec, place, &self.ticks_us);
        if let Some(first) = first {
            track.sample(self.ticks_us.len() - 1, first, &self.ticks_us, &self.settings);
        }
        self.tracks[hitbox] = Some(track);
    }

    /// Shows what there is of `hitbox` at the newest tick. Whoever is due is looked at.
    pub fn see(&mut self, hitbox: usize, seen: &Seen) {
        let tick = self.ticks_us.len() - 1;
        let Some(Some(track)) = self.tracks.get_mut(hitbox) else { return };
        if track.retired_tick.is_some() {
            return;
        }
        let passed_us = self.ticks_us[tick] - self.ticks_us[tick - 1];
        let newest_us = self.ticks_us[track.newest_tick];
        if !track.cadence.is_due(self.ticks_us[tick], passed_us, newest_us, &self.settings) {
            return;
        }
        match seen {
            Seen::Here(sample) => track.sample(tick, sample, &self.ticks_us, &self.settings),
            Seen::Unsupported => {}
            Seen::Gone => self.tracks[hitbox] = None,
        }
    }

    /// Takes a sample at the newest tick, due or not.
    pub fn sample(&mut self, hitbox: usize, sample: &Sample) {
        let tick = self.ticks_us.len() - 1;
        if let Some(Some(track)) = self.tracks.get_mut(hitbox) {
            track.sample(tick, sample, &self.ticks_us, &self.settings);
        }
    }

    /// Retires `hitbox`: it is not there after the newest tick, and its past stays.
    pub fn retire(&mut self, hitbox: usize) {
        let tick = self.ticks_us.len();
        if let Some(Some(track)) = self.tracks.get_mut(hitbox) {
            track.retired_tick.get_or_insert(tick);
        }
    }

    /// Unregisters `hitbox`, with its past.
    pub fn unregister(&mut self, hitbox: usize) {
        if let Some(track) = self.tracks.get_mut(hitbox) {
            *track = None;
        }
    }

    /// Now: the newest tick.
    #[must_use]
    pub fn now_us(&self) -> u64 {
        self.ticks_us[self.ticks_us.len() - 1]
    }

    /// Nothing is older than this.
    #[must_use]
    pub fn earliest_us(&self) -> u64 {
        self.now_us().saturating_sub(self.settings.max_rewind_us)
    }

    /// The newest tick that is not after `time_us`.
    #[must_use]
    pub fn tick_at(&self, time_us: u64) -> Option<usize> {
        self.ticks_us.partition_point(|tick_us| *tick_us <= time_us).checked_sub(1)
    }

    /// What `cast` meets first: among equal times of impact the smallest place.
    ///
    /// # Errors
    /// If its time cannot be asked for.
    pub fn cast(&self, cast: &Cast) -> Result<Option<Hit>, Absence> {
        self.cast_past(cast, &[])
    }

    fn cast_past(&self, cast: &Cast, passed: &[u64]) -> Result<Option<Hit>, Absence> {
        let time_us = if cast.clamp { cast.time_us.max(self.earliest_us()) } else { cast.time_us };
        self.check_time(time_us)?;
        let (from, to) = (cast.from.map(i64::from), cast.to.map(i64::from));
        let hits = self.known().filter(|(_, track)| !passed.contains(&track.spec.actor)).filter_map(|(hitbox, track)| {
            let at = self.look_at(track, time_us).ok()?;
            if !admits(&cast.filter, &track.spec, &at.attributes, &at.pose) {
                return None;
            }
            let reach = at.pose.radius + i64::from(cast.radius);
            let m = minus(from, at.pose.centre);
            let n = impact::with_segment(m, minus(to, from), at.pose.half_axis, reach)?;
            let offset = impact::offset(m, minus(to, from), at.pose.half_axis, n);
            Some((n, track.place, hitbox, offset))
        });
        Ok(hits.min().map(|(n, _, hitbox, offset)| Hit { hitbox, piece: 0, n, at: n, time_us, offset }))
    }

    /// What `sweep` meets first: the earliest piece, then the smallest time of impact, then the
    /// smallest place.
    ///
    /// # Errors
    /// If one of its times cannot be asked for: that of its end, or that of its start.
    pub fn sweep(&self, sweep: &Sweep) -> Result<Option<Hit>, Absence> {
        self.sweep_past(sweep, &[])
    }

    /// The same, past all hitboxes of these actors. One that takes no time is a cast.
    ///
    /// # Errors
    /// If one of its times cannot be asked for.
    pub fn sweep_past(&self, sweep: &Sweep, passed: &[u64]) -> Result<Option<Hit>, Absence> {
        let Sweep { from, to, radius, start_us, end_us, clamp, filter } = *sweep;
        if start_us == end_us {
            return self.cast_past(&Cast { from, to, radius, time_us: end_us, clamp, filter }, passed);
        }
        let earliest_us = if sweep.clamp { self.earliest_us() } else { 0 };
        self.check_time(sweep.end_us.max(earliest_us))?;
        self.check_time(sweep.start_us.max(earliest_us))?;
        let pieces = self.pieces(sweep.start_us, sweep.end_us).into_iter().enumerate();
        Ok(pieces.into_iter().find_map(|(number, piece)| self.first_in(sweep, passed, number, piece)))
    }

    /// The pieces of a sweep: split at every tick, except that what is before the clamp is one.
    #[must_use]
    pub fn pieces(&self, start_us: u64, end_us: u64) -> Vec<(u64, u64)> {
        let earliest_us = self.earliest_us();
        let ticks = self.ticks_us.iter().copied().filter(|tick_us| *tick_us > earliest_us);
        let mut splits: Vec<u64> = ticks.chain([earliest_us]).filter(|it| (start_us + 1..end_us).contains(it)).collect();
        splits.extend([start_us, end_us]);
        splits.sort_unstable();
        splits.windows(2).map(|pair| (pair[0], pair[1])).collect()
    }

    /// Where the sphere of a sweep is at a time.
    #[must_use]
    pub fn position(sweep: &Sweep, time_us: u64) -> Units {
        let (passed, whole) = (i128::from(time_us - sweep.start_us), i128::from(sweep.end_us - sweep.start_us));
        std::array::from_fn(|axis| {
            let (from, to) = (i64::from(sweep.from[axis]), i64::from(sweep.to[axis]));
            from + i64::try_from((i128::from(to - from) * passed).div_euclid(whole)).expect("no more than the way")
        })
    }

    /// What `sweep` meets first in one piece of it.
    fn first_in(&self, sweep: &Sweep, passed: &[u64], number: usize, (start_us, end_us): (u64, u64)) -> Option<Hit> {
        let (from, to) = (Self::position(sweep, start_us), Self::position(sweep, end_us));
        // Targets are in the past, but not further than that.
        let [target_start_us, target_end_us] = [start_us, end_us].map(|time_us| time_us.max(self.earliest_us()));
        let hits = self.known().filter(|(_, track)| !passed.contains(&track.spec.actor)).filter_map(|(hitbox, track)| {
            let target = self.target(track, sweep, (start_us, end_us))?;
            let (m, d) = (minus(from, target.from), minus(minus(to, from), target.by));
            let reach = target.reach + i64::from(sweep.radius);
            let n = impact::with_segment(m, d, target.half_axis, reach)?;
            let time_us = time_us(target_start_us, target_end_us, n);
            let offset = impact::offset(m, d, target.half_axis, n);
            target.until_us.is_none_or(|until_us| time_us <= until_us).then_some((n, track.place, hitbox, time_us, offset))
        });
        let (n, _, hitbox, time_us, offset) = hits.min()?;
        let whole_us = u128::from(sweep.end_us - sweep.start_us);
        let [begin, end] = [start_us, end_us].map(|it| u64::try_from((u128::from(it - sweep.start_us) << 30) / whole_us).expect("a part"));
        let at = u32::try_from(begin + (((end - begin) * u64::from(n)) >> 30)).expect("a part");
        Some(Hit { hitbox, piece: u32::try_from(number).expect("few"), n, at, time_us, offset })
    }

    /// Everybody whom `sweep` may hit in a piece of it.
    #[must_use]
    pub fn targets(&self, sweep: &Sweep, piece: (u64, u64)) -> Vec<(usize, Target)> {
        self.known().filter_map(|(hitbox, track)| Some((hitbox, self.target(track, sweep, piece)?))).collect()
    }

    /// How a hitbox moves in a piece, if it is there and `sweep` may hit it.
    fn target(&self, track: &Track, sweep: &Sweep, (start_us, end_us): (u64, u64)) -> Option<Target> {
        let earliest_us = self.earliest_us();
        if end_us <= earliest_us {
            let at = self.look_at(track, earliest_us).ok()?;
            let pose = at.pose;
            return admits(&sweep.filter, &track.spec, &at.attributes, &pose).then_some(Target {
                from: pose.centre,
                by: [0; 3],
                half_axis: pose.half_axis,
                reach: pose.radius,
                until_us: None,
            });
        }
        let tick = self.tick_at(start_us)?;
        let motion = track.motion(tick, &self.ticks_us, &self.settings)?;
        let (first, last, until_us) = match motion {
            Motion::Between(..) => {
                let (tick_us, next_us) = (self.ticks_us[tick], self.ticks_us[tick + 1]);
                (units::fraction(start_us, tick_us, next_us), units::fraction(end_us, tick_us, next_us), None)
            }
            Motion::Held { until_us, .. } => (0, 0, Some(until_us)),
        };
        let middle = (first + last) >> 1;
        let [start, frozen, end] = [first, middle, last].map(|fraction| motion.pose_at(fraction));
        admits(&sweep.filter, &track.spec, &motion.attributes_at(middle), &frozen).then_some(Target {
            from: start.centre,
            by: minus(end.centre, start.centre),
            half_axis: frozen.half_axis,
            reach: frozen.radius,
            until_us,
        })
    }

    pub(super) fn known(&self) -> impl Iterator<Item = (usize, &Track)> {
        self.tracks.iter().enumerate().filter_map(|(hitbox, track)| Some((hitbox, track.as_ref()?)))
    }
}

fn minus(a: Units, b: Units) -> Units {
    std::array::from_fn(|axis| a[axis] - b[axis])
}
