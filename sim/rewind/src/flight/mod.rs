//! A projectile under way: one tick function for catch-up and for live flight.
//!
//! # A tick
//!
//! The [`Ballistics`] step says where the body would be. The straight way there is swept against the
//! present world and, where the past is asked, against the history; the nearest contact counts, and
//! of two at the same time that of the present. Then, by [`ImpactRule`]:
//!
//! - *Stop*: it is over, where it touched.
//! - *Bounce*: what is left of the way and the velocity are thrown back about the normal of the
//!   contact, `v - n (v · n) (1 + restitution)`; the body is set off by two units (0.12 mm) along the
//!   normal, and flies the rest of the tick that way. What moved into it between two ticks sets it off
//!   as far as it must, up to 1 m, on the nearer side: so nothing should move by more than half of its
//!   thickness in a tick. Pawns and actors of the past that it bounced off
//!   are passed from then on; the world stays solid.
//! - *Pierce*: what was met is passed from then on, and it flies on.
//!
//! A tick has at most [`MAX_CONTACTS_PER_TICK`] contacts; then the rest of it is dropped, where the
//! body is, so that nothing is ever tunnelled. After [`ProjectileSpec::max_impacts`] it is over.
//!
//! ```
//! use snapback_core::{Fx, Vec3};
//! use snapback_rewind::flight::{Flight, FlightCounters, FlightOwner, ImpactRule, ProjectileSpec, Shot, Verdict};
//! use snapback_rewind::live::{ColliderDesc, ColliderKind, Scene, Solid};
//! use snapback_rewind::{ActorId, MatchTeam, Point};
//!
//! let mut scene = Scene::new(4);
//! let floor = Solid::half_space(Vec3::Y)?;
//! scene.add(ColliderDesc {
//!     actor: ActorId(0),
//!     kind: ColliderKind::WorldStatic,
//!     team: MatchTeam::NONE,
//!     damageable: false,
//!     lag_comp_ignore: false,
//!     solid: floor,
//!     place: Point::ORIGIN,
//! })?;
//! let spec = ProjectileSpec {
//!     gravity: Vec3::from_ints(0, -981, 0),
//!     max_impacts: 20,
//!     on_impact: ImpactRule::Bounce { restitution: Fx::ratio(1, 2) },
//!     ..ProjectileSpec::default()
//! };
//! let shot = Shot { shooter: ActorId(1), sequence: 1, muzzle: Vec3::from_ints(0, 100, 0), velocity: Vec3::X, fire_us: 0 };
//! let mut flight = Flight::new(FlightOwner::LocalDummy, spec, spec.ballistics(), shot, 16_667)?;
//! let mut counters = FlightCounters::default();
//! while flight.impacts() == 0 {
//!     flight.tick_live(&scene, None, &mut counters, &mut (), &mut |impact| {
//!         assert_eq!((impact.normal, impact.damage), (Vec3::Y, false));
//!         Ok::<_, ()>(Verdict::GoOn)
//!     }).unwrap();
//! }
//! assert!(flight.body().velocity.y > Fx::ZERO);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod body;
mod contact;
mod counters;
mod impact;
mod ledger;
mod observe;
mod policy;
mod spec;
mod tick;

pub use body::{Ballistics, Body, Gravity};
pub use contact::{MAX_PIECES_PER_TICK, Met};
pub use counters::FlightCounters;
pub use impact::{Impact, ImpactTarget};
pub use ledger::HitLedger;
pub use observe::{FlightObserver, PathSegment};
pub use policy::AfterCatchUp;
pub use spec::{ImpactRule, MAX_EXCEPT, MAX_IMPACTS, MIN_BOUNCE_RADIUS, ProjectileSpec, SpecError};
pub use tick::{MAX_CONTACTS_PER_TICK, TickError, Verdict};

use core::fmt;
use snapback_core::Vec3;

use crate::live::{LiveFilter, LiveHit};
use crate::replicate::DamageRight;
use crate::{ActorId, ActorSet, ColliderSet, NetRole, NotAuthority, OutOfWorld, QueryError, QueryFilter, WorldKind};

/// The shortest tick, in microseconds: 1,000 ticks a second.
pub const MIN_TICK_US: u32 = 1_000;
/// The longest tick, in microseconds.
pub const MAX_TICK_US: u32 = 100_000;

/// Whose projectile it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FlightOwner {
    /// The one that decides: see [`authority`](Self::authority).
    Authority(DamageRight),
    /// What a client shows its player at once. It never damages.
    LocalDummy,
}

impl FlightOwner {
    /// A projectile that decides.
    ///
    /// # Errors
    /// If this world does not decide.
    ///
    /// ```
    /// use snapback_rewind::flight::FlightOwner;
    /// use snapback_rewind::{NetRole, WorldKind};
    /// assert!(FlightOwner::authority(WorldKind::Game, NetRole::Authority).is_ok());
    /// assert!(FlightOwner::authority(WorldKind::Game, NetRole::Client).is_err());
    /// ```
    pub fn authority(kind: WorldKind, role: NetRole) -> Result<Self, NotAuthority> {
        DamageRight::of_authority(kind, role).map(Self::Authority)
    }
}

/// Where a projectile begins, and to whose credit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shot {
    /// Who fired.
    pub shooter: ActorId,
    /// Which shot of this shooter.
    pub sequence: u32,
    /// Where it begins: the server's own place for it.
    pub muzzle: Vec3,
    /// How it begins, in centimetres a second.
    pub velocity: Vec3,
    /// When it begins, in the server's time.
    pub fire_us: u64,
}

/// Why a projectile is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FlightEnd {
    /// An impact stopped it.
    Stopped,
    /// It had all its impacts.
    ImpactsUsed,
    /// It is through with as many targets as it can remember.
    TargetsUsed,
    /// The host ended it.
    Ended,
    /// It flew where nothing can be computed.
    Lost(FlightError),
}

/// Why a tick cannot be flown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FlightError {
    /// It leaves the world.
    OutOfWorld(OutOfWorld),
    /// It would fly over [`MAX_PIECES_PER_TICK`] times 1,024 m in a tick.
    TooFast,
    /// A query that cannot be.
    Query(QueryError),
}

impl fmt::Display for FlightError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfWorld(error) => error.fmt(f),
            Self::TooFast => write!(f, "the projectile flies over {MAX_PIECES_PER_TICK} km in a tick: use a shorter tick or a line"),
            Self::Query(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for FlightError {}

impl From<OutOfWorld> for FlightError {
    fn from(error: OutOfWorld) -> Self {
        Self::OutOfWorld(error)
    }
}

/// Why there is no such flight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadFlight {
    /// Its spec cannot be.
    Spec(SpecError),
    /// Its muzzle is not in the world.
    Muzzle(OutOfWorld),
    /// A tick that is shorter than [`MIN_TICK_US`] or longer than [`MAX_TICK_US`].
    Tick {
        /// What was given.
        tick_us: u32,
    },
}

impl fmt::Display for BadFlight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spec(error) => error.fmt(f),
            Self::Muzzle(error) => error.fmt(f),
            Self::Tick { tick_us } => write!(f, "a tick is {tick_us} us, and must be from {MIN_TICK_US} to {MAX_TICK_US}"),
        }
    }
}

impl std::error::Error for BadFlight {}

/// A projectile under way.
///
/// Order of calls: [`tick_live`](Self::tick_live) once per tick of the world, and
/// [`overlap`](Self::overlap) for what the host's own physics reports. After its end both do nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flight<B = Gravity> {
    owner: FlightOwner,
    spec: ProjectileSpec,
    ballistics: B,
    shooter: ActorId,
    sequence: u32,
    radius_units: i32,
    tick_us: u32,
    time_us: u64,
    body: Body,
    impacts: u32,
    ledger: HitLedger,
    /// Who is not in its way: shooter, the projectile itself, and whom it passed.
    passed: ActorSet,
    passed_colliders: ColliderSet,
    /// How far in the past its shooter saw others, and since when that counts down.
    view_delay_us: u32,
    caught_up_us: u64,
    end: Option<FlightEnd>,
}

impl<B: Ballistics> Flight<B> {
    /// A projectile at its muzzle.
    ///
    /// # Errors
    /// If its spec, muzzle or tick cannot be.
    pub fn new(owner: FlightOwner, spec: ProjectileSpec, ballistics: B, shot: Shot, tick_us: u32) -> Result<Self, BadFlight> {
        if !(MIN_TICK_US..=MAX_TICK_US).contains(&tick_us) {
            return Err(BadFlight::Tick { tick_us });
        }
        let radius_units = spec.validate().map_err(BadFlight::Spec)?;
        crate::Point::of(shot.muzzle).map_err(BadFlight::Muzzle)?;
        let mut passed = spec.filter.except;
        passed.insert(shot.shooter);
        Ok(Self {
            owner,
            spec,
            ballistics,
            shooter: shot.shooter,
            sequence: shot.sequence,
            radius_units,
            tick_us,
            time_us: shot.fire_us,
            body: Body { position: shot.muzzle, velocity: shot.velocity },
            impacts: 0,
            ledger: HitLedger::default(),
            passed,
            passed_colliders: ColliderSet::EMPTY,
            view_delay_us: 0,
            caught_up_us: shot.fire_us,
            end: None,
        })
    }

    /// Names the actor that the projectile itself is, so that it never meets its own hitbox.
    pub fn set_own_actor(&mut self, actor: ActorId) {
        self.passed.insert(actor);
    }

    /// From `caught_up_us` on it meets those who have a history `view_delay_us` late, by its policy.
    pub(crate) const fn begin_delay(&mut self, view_delay_us: u32, caught_up_us: u64) {
        (self.view_delay_us, self.caught_up_us) = (view_delay_us, caught_up_us);
    }

    /// Skips time at the muzzle.
    pub(crate) const fn wait_until(&mut self, time_us: u64) {
        self.time_us = time_us;
    }

    /// Where it is.
    #[must_use]
    pub const fn body(&self) -> &Body {
        &self.body
    }

    /// The time it is at: up to a tick before the world's.
    #[must_use]
    pub const fn time_us(&self) -> u64 {
        self.time_us
    }

    /// How many impacts it had.
    #[must_use]
    pub const fn impacts(&self) -> u32 {
        self.impacts
    }

    /// Why it is over, if it is.
    #[must_use]
    pub const fn end(&self) -> Option<FlightEnd> {
        self.end
    }

    /// What it was made from.
    #[must_use]
    pub const fn spec(&self) -> &ProjectileSpec {
        &self.spec
    }

    /// Whom it is through with.
    #[must_use]
    pub const fn ledger(&self) -> &HitLedger {
        &self.ledger
    }

    /// How far in the past it meets others at `time_us`.
    #[must_use]
    pub fn delay_us(&self, time_us: u64) -> u32 {
        self.spec.after.delay_us(self.view_delay_us, time_us.saturating_sub(self.caught_up_us))
    }

    /// Ends it, as the host wishes. Nothing is handled after that.
    pub const fn end_now(&mut self) {
        if self.end.is_none() {
            self.end = Some(FlightEnd::Ended);
        }
    }

    /// An overlap that the host's own physics reports. The impact to handle, or nothing: if it is over
    /// or had all its impacts, if it is through with the target, if the target is not in its way, if
    /// a wall is reported to a bouncing one, whose sweeps see to walls, or if a pawn or projectile is
    /// reported while there is a [delay](Self::delay_us): they are met in the past then and nowhere else.
    pub fn overlap(&mut self, hit: &LiveHit, counters: &mut FlightCounters) -> Option<Impact> {
        let tags = crate::live::ColliderTags {
            collider: hit.collider,
            actor: hit.actor,
            kind: hit.kind,
            team: hit.team,
            damageable: hit.damageable,
            lag_comp_ignore: false,
        };
        let once = tick::counts_once(hit);
        let refused = self.is_over()
            || !self.live_filter(self.delay_us(self.time_us) > 0).lets(&tags)
            || once && self.ledger.is_resolved(hit.actor)
            || !once && matches!(self.spec.on_impact, ImpactRule::Bounce { .. });
        if refused {
            counters.overlaps_refused += 1;
            return None;
        }
        let impact = self.resolve(ImpactTarget::Collider(*hit), hit.normal, counters);
        if self.spec.on_impact == ImpactRule::Pierce || tick::is_mobile(hit) {
            self.pass(&impact.target);
        }
        Some(impact)
    }

    /// Whether it handles nothing more.
    fn is_over(&self) -> bool {
        self.end.is_some() || self.impacts >= self.spec.max_impacts
    }

    /// Whom of the past it may meet.
    fn past_filter(&self) -> QueryFilter {
        QueryFilter { own_team: self.spec.team, except: self.passed, ..self.spec.filter }
    }

    /// Whom of the present it may meet: in `catch_up`, or as long as the past is asked, only what has
    /// no history.
    fn live_filter(&self, past_is_asked: bool) -> LiveFilter {
        let filter = LiveFilter::like(&self.past_filter());
        let kinds = if past_is_asked { crate::live::KindSet::WORLD } else { filter.kinds };
        LiveFilter { kinds, except_colliders: self.passed_colliders, ..filter }
    }
}
