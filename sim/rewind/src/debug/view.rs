//! [`DebugView`]: one query against the past with everything that speaks for and against.

use snapback_core::NameHash;

use super::Verdict;
use crate::history::Against;
use crate::proxy::ProxyPool;
use crate::{HitboxFrame, HitboxId, NotAuthority, QueryBounds, QueryFilter, RewindCounters, RewindHistory, ShapeKind, TimeError, units};

/// One query against the past, to be drawn. Lengths and positions are in units of 1/16,384 m, times
/// in microseconds of the server, names are hashes: the host knows what they are of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DebugView {
    /// The time that was asked for.
    pub time_us: u64,
    /// Why that time has no answer for anybody.
    pub failure: Option<TimeError>,
    /// The oldest tick that is kept.
    pub oldest_us: Option<u64>,
    /// The newest tick.
    pub newest_us: Option<u64>,
    /// The way of the query, if its bounds have one.
    pub way: Option<Way>,
    /// The circles of bounds and filter.
    pub circles: Vec<Circle>,
    /// Every hitbox of the history, in the order of places.
    pub hitboxes: Vec<HitboxView>,
    /// The proxies that are active, once [`add_proxies`](Self::add_proxies) was called.
    pub proxies: Vec<ProxyView>,
}

/// The way of a ball.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Way {
    /// Where it begins.
    pub from: [i32; 3],
    /// Where it ends.
    pub to: [i32; 3],
    /// The radius of the ball.
    pub radius_units: i32,
}

/// A circle in the plane of x and z.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Circle {
    /// x and z of its centre.
    pub centre: [i32; 2],
    /// Its radius, rounded to the nearest unit; the greatest number if it is greater.
    pub radius_units: i32,
}

/// A hitbox, and what spoke against it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HitboxView {
    /// Which.
    pub hitbox: HitboxId,
    /// Its actor's number.
    pub actor: u64,
    /// Its component's number.
    pub component: u64,
    /// Its name.
    pub name: NameHash,
    /// The tag of its region.
    pub region: NameHash,
    /// Whether it is a projectile's.
    pub projectile: bool,
    /// The oldest tick at which it has a pose.
    pub oldest_us: Option<u64>,
    /// Its newest snapshot.
    pub newest_us: Option<u64>,
    /// When it was retired.
    pub gone_us: Option<u64>,
    /// Where it was at that time, whether it was a candidate or not.
    pub body: Option<Body>,
    /// Whether it was a candidate.
    pub verdict: Verdict,
}

/// A sphere or a capsule at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Body {
    /// Sphere or capsule.
    pub kind: ShapeKind,
    /// Its centre. A capsule reaches from `centre - half_axis` to `centre + half_axis`.
    pub centre: [i32; 3],
    /// Zero for a sphere.
    pub half_axis: [i32; 3],
    /// Its radius.
    pub radius_units: i32,
    /// Half of its height with the caps.
    pub half_height_units: i32,
    /// The circle that the broadphase tests.
    pub broadphase: Circle,
    /// Its team, if it has one.
    pub team: Option<u16>,
    /// Whether it can be damaged.
    pub damageable: bool,
    /// Whether it blocks.
    pub blocking: bool,
    /// What the game noted.
    pub state_flags: u32,
    /// Its continuity epoch.
    pub epoch: u32,
    /// Which ticks the pose is from.
    pub times: TimesUsed,
}

/// Which ticks a pose is from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimesUsed {
    /// The earlier tick, or the only one.
    pub from_us: u64,
    /// The later tick, or the same.
    pub to_us: u64,
    /// How far between the two, in 65,536ths; 0 if there is one.
    pub fraction: u32,
}

/// A proxy that is active.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProxyView {
    /// Sphere or capsule: which pool.
    pub kind: ShapeKind,
    /// Its place in the pool.
    pub place: u32,
    /// The hitbox that it stands for.
    pub hitbox: HitboxId,
    /// The actor's number.
    pub actor: u64,
    /// The time that it is of.
    pub time_us: u64,
    /// Its centre.
    pub centre: [i32; 3],
    /// Zero for a sphere.
    pub half_axis: [i32; 3],
    /// Its radius.
    pub radius_units: i32,
}

impl Circle {
    fn around(frame: &HitboxFrame) -> Self {
        Self { centre: [frame.centre.x, frame.centre.z], radius_units: frame.broadphase_units() as i32 }
    }
}

impl Body {
    fn of(frame: &HitboxFrame, times: TimesUsed) -> Self {
        Self {
            kind: frame.kind,
            centre: frame.centre.to_array(),
            half_axis: frame.half_axis,
            radius_units: frame.radius_units() as i32,
            half_height_units: units::units(frame.half_height).unwrap_or(i32::MAX),
            broadphase: Circle::around(frame),
            team: frame.team.number(),
            damageable: frame.damageable,
            blocking: frame.blocking,
            state_flags: frame.state_flags,
            epoch: frame.epoch,
            times,
        }
    }
}

impl RewindHistory {
    /// A search for candidates at `time_us` with everything that speaks for and against. Allocates:
    /// it is for looking, not for playing.
    ///
    /// # Errors
    /// If this is not authority.
    ///
    /// ```
    /// use snapback_rewind::*;
    /// let history = RewindHistory::new(RewindConfig::default(), WorldKind::Game, NetRole::Authority).unwrap();
    /// let bounds = QueryBounds::segment(Point::ORIGIN, Point { x: 0, y: 0, z: 16_384 }, 800)?;
    /// let view = history.debug_view(1_000, &QueryFilter::default(), &bounds).unwrap();
    /// assert_eq!(view.failure, Some(TimeError::Empty));
    ///
    /// let client = RewindHistory::new(RewindConfig::default(), WorldKind::Game, NetRole::Client).unwrap();
    /// assert!(client.debug_view(1_000, &QueryFilter::default(), &bounds).is_err());
    /// # Ok::<(), QueryError>(())
    /// ```
    pub fn debug_view(&self, time_us: u64, filter: &QueryFilter, bounds: &QueryBounds) -> Result<DebugView, NotAuthority> {
        self.authority()?;
        let mut hitboxes = Vec::new();
        // What is only looked at is not counted.
        let mut uncounted = RewindCounters::default();
        let visited = self.visit(time_us, filter, Some(bounds), &mut uncounted, |(id, _), judged| {
            let verdict = match judged {
                Ok(_) => Verdict::Candidate,
                Err(Against::NoPose(reason)) => Verdict::NoPose(reason),
                Err(Against::Rejected(reason)) => Verdict::Rejected(reason),
            };
            hitboxes.extend(self.hitbox_view(id, time_us, verdict));
        });
        if let Err(reason) = visited {
            let verdict = Verdict::NoPose(reason.into());
            hitboxes.extend(self.hitboxes().filter_map(|id| self.hitbox_view(id, time_us, verdict)));
        }
        let circles = [bounds.near().copied(), filter.near]
            .into_iter()
            .flatten()
            .map(|near| Circle { centre: [near.centre.x, near.centre.z], radius_units: units::units(near.radius).unwrap_or(i32::MAX) });
        Ok(DebugView {
            time_us,
            failure: visited.err(),
            oldest_us: self.oldest_us(),
            newest_us: self.now_us(),
            way: bounds.way().map(|way| Way { from: way.from().to_array(), to: way.to().to_array(), radius_units: way.radius_units() }),
            circles: circles.collect(),
            hitboxes,
            proxies: Vec::new(),
        })
    }

    fn hitbox_view(&self, hitbox: HitboxId, time_us: u64, verdict: Verdict) -> Option<HitboxView> {
        let desc = self.desc(hitbox)?;
        let span = self.span(hitbox);
        let frame = self.look_up(hitbox, time_us).ok();
        Some(HitboxView {
            hitbox,
            actor: desc.actor.0,
            component: desc.component.0,
            name: desc.name,
            region: desc.region,
            projectile: desc.projectile,
            oldest_us: span.map(|span| span.oldest_us),
            newest_us: span.map(|span| span.newest_us),
            gone_us: self.lifetime(hitbox).and_then(|life| life.gone_us),
            body: frame.and_then(|frame| Some(Body::of(&frame, self.times_used(hitbox, time_us)?))),
            verdict,
        })
    }
}

impl DebugView {
    /// Adds the proxies that are active.
    pub fn add_proxies(&mut self, pool: &ProxyPool) {
        self.proxies.extend(pool.active().map(|(key, frame)| ProxyView {
            kind: key.kind(),
            place: key.place(),
            hitbox: frame.hitbox,
            actor: frame.actor.0,
            time_us: frame.time_us,
            centre: frame.centre.to_array(),
            half_axis: frame.half_axis,
            radius_units: frame.radius_units() as i32,
        }));
    }
}
