//! The one tick of a projectile, in catch-up and after it.

use core::fmt;
use snapback_core::{Fx, NameHash, Vec3};

use super::contact::{Past, Way};
use super::{
    Ballistics, Flight, FlightCounters, FlightEnd, FlightError, FlightObserver, FlightOwner, Impact, ImpactRule, ImpactTarget, Met,
};
use crate::id_set::MAX_IDS;
use crate::live::{ColliderKind, LiveFilter, LiveHit, LiveSweep, LiveWorld};
use crate::{Point, RewindHistory, SweepHit, Toi};

/// The most contacts of a tick.
pub const MAX_CONTACTS_PER_TICK: u32 = 8;

/// From how far a way out of a collider is looked for that moved into the projectile: 1 m.
const WAY_OUT: Fx = Fx::from_int(100);

/// How far a bounce sets the body off: two units. Rounding moves it by less.
const SET_OFF: Fx = Fx::from_bits(2 * crate::units::DELTAS_PER_UNIT);

/// What the host wishes after an impact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The projectile goes on as its rule says.
    GoOn,
    /// It is over.
    End,
}

/// Why a tick failed. The flight is over then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TickError<E> {
    /// It cannot be computed.
    Flight(FlightError),
    /// The host could not handle an impact.
    Host(E),
}

impl<E: fmt::Display> fmt::Display for TickError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flight(error) => error.fmt(f),
            Self::Host(error) => write!(f, "the host did not handle an impact: {error}"),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for TickError<E> {}

/// Whether a hit of the present is one of an actor that is resolved once, rather than of a wall.
pub(super) const fn counts_once(hit: &LiveHit) -> bool {
    hit.damageable || is_mobile(hit) || matches!(hit.kind, ColliderKind::Destructible)
}

pub(super) const fn is_mobile(hit: &LiveHit) -> bool {
    matches!(hit.kind, ColliderKind::Pawn | ColliderKind::Projectile)
}

/// What is left of `way` after a wall with this normal.
fn thrown_back(way: Vec3, normal: Vec3, restitution: Fx) -> Vec3 {
    let along = way.dot(normal);
    if along >= Fx::ZERO { way } else { way - normal * (along * (Fx::ONE + restitution)) }
}

/// The time at `done` 2^-30ths of an interval.
fn part_of(from_us: u64, to_us: u64, done: u64) -> u64 {
    from_us + ((u128::from(to_us.saturating_sub(from_us)) * u128::from(done)) >> 30) as u64
}

impl<B: Ballistics> Flight<B> {
    /// The next tick of live flight: the past is asked as long as the policy has a delay, at the time
    /// minus the delay; without `history`, never, as on a client. Then, and without a delay, pawns and
    /// projectiles are met in the present.
    ///
    /// `on_impact` hears of each impact, in order; who counts what flights do brings `counters`.
    ///
    /// # Errors
    /// If the tick cannot be computed, or `on_impact` fails. The flight is over then.
    pub fn tick_live<L: LiveWorld + ?Sized, O: FlightObserver, E>(
        &mut self,
        live: &L,
        history: Option<&RewindHistory>,
        counters: &mut FlightCounters,
        observer: &mut O,
        on_impact: &mut impl FnMut(&Impact) -> Result<Verdict, E>,
    ) -> Result<(), TickError<E>> {
        let (from_us, to_us) = (self.time_us, self.time_us.saturating_add(self.tick_us.into()));
        let (delay_us, next_delay_us) = (self.delay_us(from_us), self.delay_us(to_us));
        let past = history.filter(|_| delay_us > 0).map(|history| Past {
            history,
            from_us: from_us.saturating_sub(delay_us.into()),
            to_us: to_us.saturating_sub(next_delay_us.into()),
        });
        self.tick(live, false, past, counters, observer, on_impact)
    }

    /// A tick of catch-up: whoever has a history is met `view_delay_us` before.
    pub(crate) fn tick_catch_up<L: LiveWorld + ?Sized, O: FlightObserver, E>(
        &mut self,
        live: &L,
        history: &RewindHistory,
        view_delay_us: u32,
        counters: &mut FlightCounters,
        observer: &mut O,
        on_impact: &mut impl FnMut(&Impact) -> Result<Verdict, E>,
    ) -> Result<(), TickError<E>> {
        let target_us = |time_us: u64| time_us.saturating_sub(view_delay_us.into());
        let past = Past { history, from_us: target_us(self.time_us), to_us: target_us(self.time_us.saturating_add(self.tick_us.into())) };
        self.tick(live, true, Some(past), counters, observer, on_impact)
    }

    fn tick<L: LiveWorld + ?Sized, O: FlightObserver, E>(
        &mut self,
        live: &L,
        catch_up: bool,
        past: Option<Past<'_>>,
        counters: &mut FlightCounters,
        observer: &mut O,
        on_impact: &mut impl FnMut(&Impact) -> Result<Verdict, E>,
    ) -> Result<(), TickError<E>> {
        if self.is_over() {
            return Ok(());
        }
        counters.ticks += 1;
        let (start_us, end_us) = (self.time_us, self.time_us.saturating_add(self.tick_us.into()));
        let mut stepped = self.body;
        self.ballistics.step(&mut stepped, self.tick_us);
        let mut to = stepped.position;
        self.body.velocity = stepped.velocity;
        let mut done = 0;
        let mut leaving = None;
        for contacts in 1..=MAX_CONTACTS_PER_TICK {
            let way = Way {
                from: self.body.position,
                to,
                radius_units: self.radius_units,
                from_us: part_of(start_us, end_us, done),
                to_us: end_us,
            };
            let past = past.map(|past| Past { from_us: part_of(past.from_us, past.to_us, done), ..past });
            let mut live_filter = self.live_filter(past.is_some());
            live_filter.skip_lag_comp_ignore = catch_up;
            if let Some(collider) = leaving {
                live_filter.except_colliders.insert(collider);
            }
            let contact = match way.first_contact(live, &live_filter, past, &self.past_filter(), counters, observer) {
                Ok(Some(contact)) => contact,
                Ok(None) => {
                    self.body.position = to;
                    break;
                }
                Err(error) => {
                    self.end = Some(FlightEnd::Lost(error));
                    return Err(TickError::Flight(error));
                }
            };
            done += ((u64::from(Toi::END.bits()) - done) * u64::from(contact.at.bits())) >> 30;
            self.time_us = part_of(start_us, end_us, done);
            self.body.position = way.at(contact.at);
            let target = match contact.met {
                Met::Live(hit) => ImpactTarget::Collider(hit),
                Met::Past(hit) => self.identify(&hit, past.map(|past| past.history), counters),
            };
            let impact = self.resolve(target, contact.normal, counters);
            observer.impact(&impact);
            match on_impact(&impact) {
                Ok(Verdict::GoOn) => {}
                Ok(Verdict::End) => self.end_now(),
                Err(error) => {
                    self.end_now();
                    return Err(TickError::Host(error));
                }
            }
            if self.end.is_some() {
                return Ok(());
            }
            leaving = None;
            match self.spec.on_impact {
                ImpactRule::Stop => {}
                ImpactRule::Pierce => self.pass(&target),
                ImpactRule::Bounce { restitution } => {
                    match target {
                        ImpactTarget::Collider(hit) if hit.at == Toi::START && !is_mobile(&hit) => {
                            match self.way_out(live, &live_filter, &hit, counters) {
                                Some(place) => self.body.position = place,
                                None => leaving = Some(hit.collider),
                            }
                        }
                        ImpactTarget::Collider(hit) if !is_mobile(&hit) => {}
                        _ => self.pass(&target),
                    }
                    let rest = thrown_back(to - way.at(contact.at), contact.normal, restitution);
                    self.body.velocity = thrown_back(self.body.velocity, contact.normal, restitution);
                    self.body.position += contact.normal * SET_OFF;
                    to = self.body.position + rest;
                }
            }
            if self.end.is_some() {
                return Ok(());
            }
            // Without time there is no way. Asked frozen at its end, the last tick to now would meet who came at that moment.
            if done == u64::from(Toi::END.bits()) {
                break;
            }
            if contacts == MAX_CONTACTS_PER_TICK {
                counters.crowded_ticks += 1;
            }
        }
        self.time_us = end_us;
        observer.ticked(end_us, &self.body);
        Ok(())
    }

    /// Where the body touches a collider that it is in, along the normal, if nothing else is in between.
    fn way_out<L: LiveWorld + ?Sized>(&self, live: &L, filter: &LiveFilter, hit: &LiveHit, counters: &mut FlightCounters) -> Option<Vec3> {
        let (position, radius_units) = (self.body.position, self.radius_units);
        let way = Way { from: position + hit.normal * WAY_OUT, to: position, radius_units, from_us: self.time_us, to_us: self.time_us };
        counters.live_sweeps += 1;
        let sweep = LiveSweep { from: Point::of(way.from).ok()?, to: Point::of(way.to).ok()?, radius_units };
        let touch = live.sweep(&sweep, filter)?;
        (touch.collider == hit.collider && touch.at > Toi::START).then(|| way.at(touch.at))
    }

    /// Handles an impact where the body is.
    pub(super) fn resolve(&mut self, target: ImpactTarget, normal: Vec3, counters: &mut FlightCounters) -> Impact {
        self.impacts += 1;
        counters.impacts += 1;
        let (once, damageable) = match &target {
            ImpactTarget::Hitbox { damageable, .. } => (true, *damageable),
            ImpactTarget::Collider(hit) => (counts_once(hit), self.may_damage(hit)),
        };
        let new = once && self.ledger.resolve(target.actor());
        let on_authority = matches!(self.owner, FlightOwner::Authority(_));
        let damage = new && damageable && on_authority && self.spec.damages;
        counters.damaging += u64::from(damage);
        self.end = match self.spec.on_impact {
            ImpactRule::Stop => Some(FlightEnd::Stopped),
            _ if self.impacts >= self.spec.max_impacts => Some(FlightEnd::ImpactsUsed),
            _ if self.ledger.is_full() => Some(FlightEnd::TargetsUsed),
            _ => None,
        };
        Impact {
            time_us: self.time_us,
            position: self.body.position,
            velocity: self.body.velocity,
            normal,
            target,
            shooter: self.shooter,
            sequence: self.sequence,
            source: self.spec.source,
            number: self.impacts,
            damage,
        }
    }

    /// Whether the teams let a collider of the present be damaged: a destructible of a team like
    /// everybody of that team. What has no team is anybody's.
    fn may_damage(&self, hit: &LiveHit) -> bool {
        let filter = &self.spec.filter;
        let protected = filter.ignore_same_team && self.spec.team.is_same(hit.team) || filter.ignore_team.is_same(hit.team);
        hit.damageable && !protected
    }

    /// Takes a target out of the way for the rest of the flight. There is always room for one more
    /// collider, for what a bounce leaves.
    pub(super) fn pass(&mut self, target: &ImpactTarget) {
        match target {
            ImpactTarget::Collider(hit) if !is_mobile(hit) => self.passed_colliders.insert(hit.collider),
            _ => self.passed.insert(target.actor()),
        };
        if self.passed.is_full() || self.passed_colliders.len() + 1 >= MAX_IDS {
            self.end = self.end.or(Some(FlightEnd::TargetsUsed));
        }
    }

    /// What hitbox was hit, with what only its frame knows. A filter that wants what can be damaged has
    /// seen to that.
    fn identify(&self, hit: &SweepHit, history: Option<&RewindHistory>, counters: &mut FlightCounters) -> ImpactTarget {
        let SweepHit { hitbox: id, actor, target_us: historical_us, .. } = *hit;
        let frame = history.and_then(|history| history.frame_at(id, historical_us, &mut counters.rewind).ok());
        let (region, damageable) = frame.map_or((NameHash::NONE, false), |frame| (frame.region, frame.damageable));
        ImpactTarget::Hitbox { id, actor, region, historical_us, damageable: damageable || self.spec.filter.only_damageable }
    }
}
