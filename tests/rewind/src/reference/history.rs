//! All hitboxes, and the queries against them: frozen at one time, or moving.

use super::admit::admits;
use super::impact;
use super::track::{Motion, Track};
use super::units::{self, Units};
use crate::scene::{Cast, HitboxSpec, Lookup, Sample, Sweep};

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
    /// The piece begins then.
    pub piece_start_us: u64,
    /// It ends then. A cast's piece has no length.
    pub piece_end_us: u64,
    /// The time of impact, in 2^30ths of the piece.
    pub n: u32,
}

impl Hit {
    /// When it was hit, rounded down.
    #[must_use]
    pub fn time_us(&self) -> u64 {
        time_us(self.piece_start_us, self.piece_end_us, self.n)
    }
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
struct Target {
    from: Units,
    by: Units,
    half_axis: Units,
    reach: i64,
    until_us: Option<u64>,
}

impl Reference {
    /// Nothing yet.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// Begins a tick, later than all others.
    pub fn tick(&mut self, time_us: u64) {
        self.ticks_us.push(time_us);
    }

    /// Registers `hitbox` at the newest tick.
    pub fn register(&mut self, hitbox: usize, spec: HitboxSpec, place: u32, first: &Sample) {
        if self.tracks.len() <= hitbox {
            self.tracks.resize(hitbox + 1, None);
        }
        self.tracks[hitbox] = Some(Track::new(spec, place, self.ticks_us.len() - 1, first));
    }

    /// Takes a sample at the newest tick.
    pub fn sample(&mut self, hitbox: usize, sample: &Sample) {
        let tick = self.ticks_us.len() - 1;
        if let Some(Some(track)) = self.tracks.get_mut(hitbox) {
            track.sample(tick, sample, &self.ticks_us, &self.settings);
        }
    }

    /// Unregisters `hitbox`: it is not there at the next tick to begin.
    pub fn retire(&mut self, hitbox: usize) {
        let tick = self.ticks_us.len();
        if let Some(Some(track)) = self.tracks.get_mut(hitbox) {
            track.retired_tick = Some(tick);
        }
    }

    /// The newest tick that is not after `time_us`.
    #[must_use]
    pub fn tick_at(&self, time_us: u64) -> Option<usize> {
        self.ticks_us.partition_point(|tick_us| *tick_us <= time_us).checked_sub(1)
    }

    /// What `cast` meets first: among equal times of impact the smallest place.
    #[must_use]
    pub fn cast(&self, cast: &Cast) -> Option<Hit> {
        let (from, to) = (cast.from.map(i64::from), cast.to.map(i64::from));
        let hits = self.known().filter_map(|(hitbox, track)| {
            let at = self.look_up(&Lookup { hitbox, time_us: cast.time_us, now_us: cast.now_us }).ok()?;
            if !admits(&cast.filter, &track.spec, &at.attributes, &at.pose) {
                return None;
            }
            let reach = at.pose.radius + i64::from(cast.radius);
            let n = impact::with_segment(minus(from, at.pose.centre), minus(to, from), at.pose.half_axis, reach)?;
            Some((n, track.place, hitbox))
        });
        let (n, _, hitbox) = hits.min()?;
        Some(Hit { hitbox, piece_start_us: cast.time_us, piece_end_us: cast.time_us, n })
    }

    /// What `sweep` meets first: the earliest piece, then the smallest time of impact, then the
    /// smallest place.
    #[must_use]
    pub fn sweep(&self, sweep: &Sweep) -> Option<Hit> {
        self.pieces(sweep.start_us, sweep.end_us, sweep.now_us).into_iter().find_map(|piece| self.first_in(sweep, piece))
    }

    /// The pieces of a sweep: split at every tick, except that what is before the clamp is one.
    #[must_use]
    pub fn pieces(&self, start_us: u64, end_us: u64, now_us: u64) -> Vec<(u64, u64)> {
        let clamp_us = self.clamp_us(now_us);
        let ticks = self.ticks_us.iter().copied().filter(|tick_us| *tick_us > clamp_us);
        let mut splits: Vec<u64> = ticks.chain([clamp_us]).filter(|it| (start_us + 1..end_us).contains(it)).collect();
        splits.extend([start_us, end_us]);
        splits.sort_unstable();
        splits.windows(2).map(|pair| (pair[0], pair[1])).collect()
    }

    /// Nothing is older than this.
    #[must_use]
    pub fn clamp_us(&self, now_us: u64) -> u64 {
        now_us.saturating_sub(self.settings.max_rewind_us)
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
    #[must_use]
    pub fn first_in(&self, sweep: &Sweep, (start_us, end_us): (u64, u64)) -> Option<Hit> {
        let (from, to) = (Self::position(sweep, start_us), Self::position(sweep, end_us));
        let hits = self.known().filter_map(|(hitbox, track)| {
            let target = self.target(hitbox, track, sweep, (start_us, end_us))?;
            let by = minus(minus(to, from), target.by);
            let reach = target.reach + i64::from(sweep.radius);
            let n = impact::with_segment(minus(from, target.from), by, target.half_axis, reach)?;
            let in_time = target.until_us.is_none_or(|until_us| time_us(start_us, end_us, n) <= until_us);
            in_time.then_some((n, track.place, hitbox))
        });
        let (n, _, hitbox) = hits.min()?;
        Some(Hit { hitbox, piece_start_us: start_us, piece_end_us: end_us, n })
    }

    /// How `hitbox` moves in a piece, if it is there and `sweep` may hit it.
    fn target(&self, hitbox: usize, track: &Track, sweep: &Sweep, (start_us, end_us): (u64, u64)) -> Option<Target> {
        let clamp_us = self.clamp_us(sweep.now_us);
        if end_us <= clamp_us {
            let at = self.look_up(&Lookup { hitbox, time_us: clamp_us, now_us: sweep.now_us }).ok()?;
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

    fn known(&self) -> impl Iterator<Item = (usize, &Track)> {
        self.tracks.iter().enumerate().filter_map(|(hitbox, track)| Some((hitbox, track.as_ref()?)))
    }
}

fn minus(a: Units, b: Units) -> Units {
    std::array::from_fn(|axis| a[axis] - b[axis])
}
