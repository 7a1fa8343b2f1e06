//! [`RewindEngine`]: the real engine behind the trait that the comparison asks.

mod convert;
mod fly;

use crate::compare::Engine;
use crate::reference::flight::Flown;
use crate::reference::frames::Frame;
use crate::reference::history::{Hit, Settings};
use crate::reference::lookup::Absence;
use crate::scene::{Cast, Census, HitboxSpec, Kind, Lookup, Sample, Seen, Shot, Sweep, Wall};
use convert::Names;
use snapback_core::NameHash;
use snapback_rewind::{
    ActorId, ComponentId, HitboxDesc, HitboxId, NetRole, RewindConfig, RewindCounters, RewindHistory, Sampled, TooOld, WorldKind,
};

/// A history of `snapback-rewind`.
#[derive(Debug)]
pub struct RewindEngine {
    history: RewindHistory,
    counters: RewindCounters,
    names: Names,
    late_us: i32,
}

fn history(settings: &Settings) -> RewindHistory {
    // Few ticks, so that rows are used again: the shortest ticks of the scenes need 39.
    let config = RewindConfig {
        max_hitboxes: 512,
        max_ticks: 48,
        max_rewind_us: settings.max_rewind_us,
        max_future_tolerance_us: settings.max_future_tolerance_us,
        max_interpolation_gap_us: settings.max_interpolation_gap_us,
    };
    RewindHistory::new(config, WorldKind::Game, NetRole::Authority).expect("a good configuration")
}

impl RewindEngine {
    /// One with a planted fault: the view delay of every shot is longer by so much.
    #[must_use]
    pub fn with_late_shots(late_us: i32) -> Self {
        Self { late_us, ..Self::default() }
    }
}

impl Default for RewindEngine {
    fn default() -> Self {
        let (counters, names) = (RewindCounters::default(), Names::default());
        Self { history: history(&Settings::default()), counters, names, late_us: 0 }
    }
}

impl Engine for RewindEngine {
    fn reset(&mut self, settings: &Settings) {
        *self = Self { history: history(settings), late_us: self.late_us, ..Self::default() };
    }

    fn tick(&mut self, time_us: u64, seen: &[(usize, Seen)]) {
        let names = &self.names;
        let mut source = |id: HitboxId, _: &HitboxDesc| {
            let hitbox = names.hitbox(id);
            let at = seen.binary_search_by_key(&hitbox, |(hitbox, _)| *hitbox).expect("who is registered is seen");
            match &seen[at].1 {
                Seen::Here(sample) => Sampled::Here(convert::sample(sample)),
                Seen::Unsupported => Sampled::Unsupported(NameHash::of("box")),
                Seen::Gone => Sampled::Gone,
            }
        };
        self.history.record_tick(time_us, &mut source).expect("ticks go forward");
    }

    fn register(&mut self, hitbox: usize, spec: &HitboxSpec, first: Option<&Sample>) -> u32 {
        let desc = HitboxDesc {
            actor: ActorId(spec.actor),
            component: ComponentId(spec.component),
            name: spec.name,
            region: spec.region,
            projectile: spec.kind == Kind::Projectile,
            client_only: false,
            cadence: convert::cadence(spec.pace),
        };
        let id = match first {
            Some(first) => self.history.register(desc, convert::sample(first)),
            None => self.history.register_from(desc, &mut |_, _: &HitboxDesc| Sampled::Unsupported(NameHash::of("box"))),
        };
        let id = id.expect("there is room, and it is new");
        self.names.insert(hitbox, id);
        id.index()
    }

    fn retire(&mut self, hitbox: usize) {
        let id = self.names.id(hitbox).expect("it was registered");
        assert!(self.history.retire(id), "it is there");
    }

    fn unregister(&mut self, hitbox: usize) {
        let id = self.names.id(hitbox).expect("it was registered");
        assert!(self.history.unregister(id), "it is there");
    }

    fn look_up(&mut self, lookup: &Lookup) -> Result<Frame, Absence> {
        let id = self.names.id(lookup.hitbox).ok_or(Absence::Unknown)?;
        let found = self.history.frame_at(id, lookup.time_us, &mut self.counters);
        found.map(|frame| convert::frame(&self.names, &frame)).map_err(convert::absence)
    }

    fn census(&mut self, census: &Census) -> Result<Vec<Frame>, Absence> {
        let mut frames = Vec::new();
        let filter = convert::filter(&census.filter);
        let done = match &census.near {
            None => self.history.frames_at(census.time_us, &filter, &mut frames, &mut self.counters),
            Some(near) => self.history.candidates(census.time_us, &filter, &convert::bounds(near), &mut frames, &mut self.counters),
        };
        done.map_err(|reason| convert::absence(reason.into()))?;
        Ok(frames.iter().map(|frame| convert::frame(&self.names, frame)).collect())
    }

    fn cast(&mut self, cast: &Cast) -> Result<Option<Hit>, Absence> {
        let sweep = snapback_rewind::Sweep {
            from: convert::point(cast.from),
            to: convert::point(cast.to),
            radius_units: cast.radius.into(),
            from_us: cast.time_us,
            to_us: cast.time_us,
            too_old: if cast.clamp { TooOld::Clamp } else { TooOld::Fail },
        };
        let filter = convert::filter(&cast.filter);
        let answer = self.history.sweep(&sweep, &filter, &mut self.counters);
        if !cast.clamp {
            // The same question in the other way.
            let at = self.history.at(cast.time_us, &mut self.counters).map_err(snapback_rewind::QueryError::from);
            let (from, to, radius_units) = (sweep.from, sweep.to, sweep.radius_units);
            let other = at.and_then(|past| past.cast(&snapback_rewind::Cast { from, to, radius_units }, &filter, &mut self.counters));
            assert_eq!(answer, other, "{cast:?}");
        }
        convert::answer(&self.names, answer)
    }

    fn sweep(&mut self, sweep: &Sweep) -> Result<Option<Hit>, Absence> {
        let asked = snapback_rewind::Sweep {
            from: convert::point(sweep.from),
            to: convert::point(sweep.to),
            radius_units: sweep.radius.into(),
            from_us: sweep.start_us,
            to_us: sweep.end_us,
            too_old: if sweep.clamp { TooOld::Clamp } else { TooOld::Fail },
        };
        convert::answer(&self.names, self.history.sweep(&asked, &convert::filter(&sweep.filter), &mut self.counters))
    }

    fn fly(&mut self, shot: &Shot, walls: &[Wall]) -> Flown {
        fly::fly(&mut self.history, &self.names, shot, walls, self.late_us)
    }
}
