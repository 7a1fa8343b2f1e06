//! Catch-up: a projectile that was fired in the past is flown to now before anything else happens to
//! it.
//!
//! A shot comes late. The server spawns its projectile at the muzzle, flies it from the time of fire
//! to now in whole ticks of the simulation ([`flight`](crate::flight)), and sweeps each straight part
//! of the way against
//!
//! - the present world, for walls, blockers and destructibles, which stand still; what is tagged
//!   `lag_comp_ignore` is passed here and nowhere else;
//! - the [`RewindHistory`], in which targets move as the shooter saw them: at the time of the
//!   projectile minus the view delay. Every stored pair of ticks is visited, and what moves is swept
//!   against what moves.
//!
//! Only the world's kinds of the present are swept: a pawn or projectile that has no hitbox in the history is passed in
//! catch-up.
//!
//! So who only crossed the way in the meantime is hit, and who is there only now is not. If nothing
//! ends it, it is placed where it is and flies on ([`AfterCatchUp`](crate::flight::AfterCatchUp)).
//! Step `i` covers `fire_us + i * tick_us` and the tick after that; the rest of the time to now, under
//! a tick, belongs to the first live tick.
//!
//! # A lag of under a tick
//!
//! Under [`Collapse`](crate::flight::AfterCatchUp::Collapse), the default, only the time that is caught up is compensated.
//! If that is less than a tick, there is none: no past is asked, and the shot meets everybody where they are now, a whole view
//! delay after its shooter saw them. For a low lag with a long view delay choose `ConstantDelay` or `RampToZero`: both begin
//! with the whole view delay, also after a catch-up that was skipped.
//!
//! # A whole shot
//!
//! ```
//! use snapback_core::{Fx, NameHash, Quat, Vec3};
//! use snapback_rewind::catchup::{CatchUpWorld, Destroyed, Outcome, ProjectileCatchUp, ProjectileHost, Spawn};
//! use snapback_rewind::fire::{FireGate, FirePolicy, FireRequest};
//! use snapback_rewind::flight::{Body, FlightCounters, FlightEnd, Impact, ProjectileSpec, Verdict};
//! use snapback_rewind::live::Scene;
//! use snapback_rewind::*;
//!
//! // A runner crosses the line of fire at 10 m a second. 20 ticks of 10 ms.
//! let runner = |x_cm: i32| HitboxSample {
//!     position: Point::of(Vec3::from_ints(x_cm, 0, 1_000)).unwrap(),
//!     rotation: Quat::IDENTITY,
//!     shape: Shape::of(SourceShape::Capsule { radius: Fx::from_int(30), half_height: Fx::from_int(90) }).unwrap(),
//!     damageable: true,
//!     blocking: false,
//!     team: MatchTeam::new(2),
//!     state_flags: 0,
//!     epoch: 0,
//! };
//! let mut history = RewindHistory::new(RewindConfig::default(), WorldKind::Game, NetRole::Authority)?;
//! history.record_tick(1_000_000, &mut |_, _: &HitboxDesc| Sampled::Gone)?;
//! let desc = HitboxDesc {
//!     actor: ActorId(7),
//!     component: ComponentId(1),
//!     name: NameHash::of("body"),
//!     region: NameHash::of("torso"),
//!     projectile: false,
//!     client_only: false,
//!     cadence: Cadence::EveryServerTick,
//! };
//! history.register(desc, runner(-100))?;
//! for tick in 1..=20 {
//!     history.record_tick(1_000_000 + tick * 10_000, &mut |_, _: &HitboxDesc| Sampled::Here(runner(-100 + tick as i32 * 10)))?;
//! }
//!
//! // What the server makes of a projectile.
//! #[derive(Default)]
//! struct Host {
//!     overlap: bool,
//!     damaged: Vec<ActorId>,
//!     destroyed: bool,
//! }
//! impl ProjectileHost for Host {
//!     type Projectile = u32;
//!     type Error = ();
//!     fn begin_spawn(&mut self, _: &Spawn) -> Result<u32, ()> { Ok(1) }
//!     fn set_overlap(&mut self, _: u32, handled: bool) { self.overlap = handled; }
//!     fn finish_spawn(&mut self, _: u32, _: &mut RewindHistory) -> Result<Option<ActorId>, ()> { Ok(None) }
//!     fn impact(&mut self, _: u32, impact: &Impact) -> Result<Verdict, ()> {
//!         assert!(!self.overlap);
//!         if impact.damage {
//!             self.damaged.push(impact.target.actor());
//!         }
//!         Ok(Verdict::GoOn)
//!     }
//!     fn place(&mut self, _: u32, _: &Body, _: u64) -> Result<(), ()> { Ok(()) }
//!     fn destroy(&mut self, _: u32, _: Destroyed) { self.destroyed = true; }
//! }
//!
//! // The shot: fired 120 ms ago by someone who saw the others 70 ms late. The ball flies 100 m a second.
//! let mut gate = FireGate::new(FirePolicy::of(history.config()), 64)?;
//! gate.admit(ActorId(1), Some(120_000), 1_200_000)?;
//! let request = FireRequest::new(1, Quat::IDENTITY, 1_080_000, 70_000)?.encode();
//! let fire = gate.accept_bytes(1_200_000, ActorId(1), &request)?;
//! let spec = ProjectileSpec { team: MatchTeam::new(1), ..ProjectileSpec::default() };
//! let mut world = CatchUpWorld { history: &mut history, live: &Scene::new(0), kind: WorldKind::Game, role: NetRole::Authority, now_us: 1_200_000 };
//! let catch_up = ProjectileCatchUp::new(10_000)?;
//! let (mut host, mut counters) = (Host::default(), FlightCounters::default());
//! let spawn = Spawn { fire, muzzle: Vec3::ZERO, spec };
//! let shot = catch_up.launch(&mut world, &spawn, spec.ballistics(), &mut host, &mut counters, &mut ()).unwrap();
//!
//! // It was there after 97 ms; 70 ms before that the runner was in the line of fire. Now he is 1 m past it.
//! assert_eq!(shot.report.outcome, Outcome::Over(FlightEnd::Stopped));
//! assert_eq!(shot.report.steps, 10);
//! assert_eq!((host.damaged, host.destroyed, host.overlap), (vec![ActorId(7)], true, true));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod host;
mod observe;
mod report;
mod scope;
mod substeps;

pub use host::{Destroyed, ProjectileHost};
pub use observe::CatchUpObserver;
pub use report::{CatchUpReport, Outcome};
pub use scope::with_overlap_suppressed;
pub use substeps::{MAX_SUBSTEPS, Substep, substeps};

use core::fmt;
use snapback_core::{Fx, Vec3};

use crate::fire::AcceptedFire;
use crate::flight::{
    BadFlight, Ballistics, Flight, FlightCounters, FlightError, FlightOwner, MAX_TICK_US, MIN_TICK_US, ProjectileSpec, Shot, TickError,
};
use crate::live::LiveWorld;
use crate::{NetRole, NotAuthority, RewindConfig, RewindHistory, WorldKind};

/// The longest time to catch up, in microseconds: ten seconds, as the greatest rewind.
pub const MAX_WINDOW_US: u64 = 10_000_000;

/// How projectiles catch up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProjectileCatchUp {
    tick_us: u32,
    min_window_us: u64,
    max_window_us: u64,
}

/// A number of [`ProjectileCatchUp`] that cannot be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InvalidCatchUp {
    /// Which.
    pub field: &'static str,
    /// What was given.
    pub value: u64,
    /// The least that is accepted.
    pub min: u64,
    /// The greatest that is accepted.
    pub max: u64,
}

impl fmt::Display for InvalidCatchUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {}, and must be from {} to {}", self.field, self.value, self.min, self.max)
    }
}

impl std::error::Error for InvalidCatchUp {}

/// What a projectile is spawned for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spawn {
    /// The shot, as it was accepted.
    pub fire: AcceptedFire,
    /// Where it begins: the server's own place for it, never the client's.
    pub muzzle: Vec3,
    /// What it is.
    pub spec: ProjectileSpec,
}

/// The world in which projectiles catch up.
#[derive(Debug)]
pub struct CatchUpWorld<'a, L: ?Sized> {
    /// The past. The host may register the projectile's own hitbox in it: see [`ProjectileHost::finish_spawn`].
    pub history: &'a mut RewindHistory,
    /// The present.
    pub live: &'a L,
    /// What the world is for.
    pub kind: WorldKind,
    /// Who decides in it.
    pub role: NetRole,
    /// The server's time.
    pub now_us: u64,
}

/// A projectile that caught up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Launched<P, B> {
    /// What the host calls it. Destroyed, if its flight is over.
    pub projectile: P,
    /// Its flight, to go on with.
    pub flight: Flight<B>,
    /// What catch-up did.
    pub report: CatchUpReport,
}

/// Why there is no projectile. If one was spawned, it was destroyed, and its overlap handling is on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LaunchError<E> {
    /// Not on authority.
    NotAuthority(NotAuthority),
    /// There is no such flight.
    BadFlight(BadFlight),
    /// It flew where nothing can be computed.
    Flight(FlightError),
    /// The host failed.
    Host(E),
}

impl<E: fmt::Display> fmt::Display for LaunchError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAuthority(reason) => reason.fmt(f),
            Self::BadFlight(reason) => reason.fmt(f),
            Self::Flight(error) => error.fmt(f),
            Self::Host(error) => write!(f, "the host did not launch the projectile: {error}"),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for LaunchError<E> {}

impl ProjectileCatchUp {
    /// With the simulation's tick. Less than a tick is skipped; more than 250 ms is cut off.
    ///
    /// # Errors
    /// If the tick is not from 1 to 100 ms.
    pub fn new(tick_us: u32) -> Result<Self, InvalidCatchUp> {
        Self::with_windows(tick_us, 0, 250_000)
    }

    /// With the simulation's tick, and a window as long as this history's rewind.
    ///
    /// # Errors
    /// If the tick is not from 1 to 100 ms.
    ///
    /// ```
    /// use snapback_rewind::{RewindConfig, catchup::ProjectileCatchUp};
    /// let config = RewindConfig { max_rewind_us: 400_000, ..RewindConfig::default() };
    /// assert_eq!(ProjectileCatchUp::of(16_667, &config).unwrap().max_window_us(), 400_000);
    /// ```
    pub fn of(tick_us: u32, history: &RewindConfig) -> Result<Self, InvalidCatchUp> {
        Self::with_windows(tick_us, 0, history.max_rewind_us)
    }

    /// Also says how short a time is skipped and how long a time is cut off, at its beginning.
    ///
    /// # Errors
    /// If a number is out of range.
    pub fn with_windows(tick_us: u32, min_window_us: u64, max_window_us: u64) -> Result<Self, InvalidCatchUp> {
        let numbers = [
            ("tick_us", tick_us.into(), MIN_TICK_US.into(), MAX_TICK_US.into()),
            ("max_window_us", max_window_us, 0, MAX_WINDOW_US),
            ("min_window_us", min_window_us, 0, max_window_us),
        ];
        for (field, value, min, max) in numbers {
            if !(min..=max).contains(&value) {
                return Err(InvalidCatchUp { field, value, min, max });
            }
        }
        Ok(Self { tick_us, min_window_us, max_window_us })
    }

    /// The simulation's tick.
    #[must_use]
    pub const fn tick_us(&self) -> u32 {
        self.tick_us
    }

    /// A longer time ago nothing was fired.
    #[must_use]
    pub const fn max_window_us(&self) -> u64 {
        self.max_window_us
    }

    /// Spawns the projectile of an accepted shot, flies it to now, and places or destroys it. Its
    /// overlap handling is off meanwhile, and on when this returns.
    ///
    /// # Errors
    /// If this is not authority, the shot has no flight, or the host fails.
    pub fn launch<L: LiveWorld + ?Sized, B: Ballistics, H: ProjectileHost, O: CatchUpObserver>(
        &self,
        world: &mut CatchUpWorld<'_, L>,
        spawn: &Spawn,
        ballistics: B,
        host: &mut H,
        counters: &mut FlightCounters,
        observer: &mut O,
    ) -> Result<Launched<H::Projectile, B>, LaunchError<H::Error>> {
        let owner = FlightOwner::authority(world.kind, world.role).map_err(LaunchError::NotAuthority)?;
        let Spawn { fire, muzzle, spec } = spawn;
        let start_us = fire.fire_us.clamp(world.now_us.saturating_sub(self.max_window_us), world.now_us);
        let velocity = fire.rotation.rotate(Vec3::new(Fx::ZERO, Fx::ZERO, spec.muzzle_speed));
        let shot = Shot { shooter: fire.shooter, sequence: fire.sequence, muzzle: *muzzle, velocity, fire_us: start_us };
        let flight = Flight::new(owner, *spec, ballistics, shot, self.tick_us).map_err(LaunchError::BadFlight)?;
        with_overlap_suppressed(host, spawn, |host, projectile| {
            let mut run = Run { catch_up: self, world, spawn, flight, counters: FlightCounters::default() };
            let launched = run.fly(host, projectile, start_us, observer);
            counters.add(&run.counters);
            match launched {
                Ok(report) => {
                    observer.decided(&report);
                    Ok(Launched { projectile, flight: run.flight, report })
                }
                Err(error) => {
                    host.destroy(projectile, Destroyed::Failed);
                    Err(error)
                }
            }
        })
        .map_err(LaunchError::Host)?
    }
}

/// A catch-up under way.
struct Run<'a, 'w, L: ?Sized, B> {
    catch_up: &'a ProjectileCatchUp,
    world: &'a mut CatchUpWorld<'w, L>,
    spawn: &'a Spawn,
    flight: Flight<B>,
    counters: FlightCounters,
}

impl<L: LiveWorld + ?Sized, B: Ballistics> Run<'_, '_, L, B> {
    fn fly<H: ProjectileHost, O: CatchUpObserver>(
        &mut self,
        host: &mut H,
        projectile: H::Projectile,
        start_us: u64,
        observer: &mut O,
    ) -> Result<CatchUpReport, LaunchError<H::Error>> {
        if let Some(actor) = host.finish_spawn(projectile, self.world.history).map_err(LaunchError::Host)? {
            self.flight.set_own_actor(actor);
        }
        let (now_us, tick_us) = (self.world.now_us, self.catch_up.tick_us);
        let window_us = now_us - start_us;
        let (view_delay_us, clamped_start) = (self.spawn.fire.view_delay_us, self.spawn.fire.fire_us != start_us);
        let skipped = window_us < self.catch_up.min_window_us.max(u64::from(tick_us));
        let (mut flown, mut queries) = (0, 0);
        if skipped {
            self.flight.wait_until(now_us);
        } else {
            let steps = (window_us / u64::from(tick_us)) as u32;
            for substep in substeps(start_us, tick_us, steps) {
                queries += 1;
                let before = self.counters.rewind;
                let ended = self.fly_substep(&substep, host, projectile, &mut flown, observer);
                observer.substep(&substep, &before, &self.counters.rewind);
                ended?;
                if self.flight.end().is_some() {
                    break;
                }
            }
        }
        self.flight.begin_delay(view_delay_us, self.flight.time_us());
        let outcome = match self.flight.end() {
            Some(end) => {
                host.destroy(projectile, Destroyed::Over(end));
                Outcome::Over(end)
            }
            None => {
                host.place(projectile, self.flight.body(), self.flight.time_us()).map_err(LaunchError::Host)?;
                if skipped { Outcome::Skipped } else { Outcome::Missed }
            }
        };
        let counted = &self.counters;
        Ok(CatchUpReport {
            window_us,
            clamped_start,
            steps: flown,
            substeps: queries,
            candidate_queries: queries,
            live_sweeps: counted.live_sweeps,
            past_sweeps: counted.past_sweeps,
            clamped_times: counted.rewind.clamped_times,
            unanswered: counted.unanswered,
            impacts: counted.impacts,
            hits: counted.damaging,
            outcome,
        })
    }

    /// The ticks of one query for candidates, until the flight ends.
    fn fly_substep<H: ProjectileHost, O: CatchUpObserver>(
        &mut self,
        substep: &Substep,
        host: &mut H,
        projectile: H::Projectile,
        flown: &mut u32,
        observer: &mut O,
    ) -> Result<(), LaunchError<H::Error>> {
        let (live, history) = (self.world.live, &*self.world.history);
        let view_delay_us = self.spawn.fire.view_delay_us;
        for _ in 0..substep.ticks {
            *flown += 1;
            let mut handle = |impact: &_| host.impact(projectile, impact);
            self.flight.tick_catch_up(live, history, view_delay_us, &mut self.counters, observer, &mut handle).map_err(
                |error| match error {
                    TickError::Flight(error) => LaunchError::Flight(error),
                    TickError::Host(error) => LaunchError::Host(error),
                },
            )?;
            if self.flight.end().is_some() {
                break;
            }
        }
        Ok(())
    }
}
