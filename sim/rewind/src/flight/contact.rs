//! What a straight way meets first: of the past and of the present.

use snapback_core::{Fx, Vec3};

use super::{FlightCounters, FlightError, FlightObserver, PathSegment};
use crate::live::{LiveFilter, LiveHit, LiveSweep, LiveWorld};
use crate::query::MAX_LENGTH_UNITS;
use crate::{Point, QueryError, QueryFilter, RewindHistory, Sweep, SweepHit, Toi, TooOld};

/// A tick of a projectile is swept in pieces of at most 1,024 m, at most this many.
pub const MAX_PIECES_PER_TICK: u32 = 16;

/// The past, as long as it is asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Past<'a> {
    pub history: &'a RewindHistory,
    /// Where targets are at the start of the way, and at its end.
    pub from_us: u64,
    pub to_us: u64,
}

/// A straight way of the projectile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub from: Vec3,
    pub to: Vec3,
    pub radius_units: i32,
    /// When the projectile is at both ends.
    pub from_us: u64,
    pub to_us: u64,
}

/// Who was met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Met {
    /// Someone of the past.
    Past(SweepHit),
    /// Something of the present.
    Live(LiveHit),
}

/// The first contact of a way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contact {
    /// When on the whole way.
    pub at: Toi,
    pub met: Met,
    pub normal: Vec3,
}

impl Way {
    /// A place on it, in [`Fx`].
    pub(crate) fn at(&self, at: Toi) -> Vec3 {
        let part = |from: Fx, to: Fx| {
            let (from, to) = (i128::from(from.to_bits()), i128::from(to.to_bits()));
            Fx::from_bits((from + (((to - from) * i128::from(at.bits())) >> 30)) as i64)
        };
        Vec3::new(part(self.from.x, self.to.x), part(self.from.y, self.to.y), part(self.from.z, self.to.z))
    }

    /// What it meets first. A tie goes to the present.
    pub(crate) fn first_contact<L: LiveWorld + ?Sized, O: FlightObserver>(
        &self,
        live: &L,
        live_filter: &LiveFilter,
        past: Option<Past<'_>>,
        past_filter: &QueryFilter,
        counters: &mut FlightCounters,
        observer: &mut O,
    ) -> Result<Option<Contact>, FlightError> {
        let (from, to) = (Point::of(self.from)?, Point::of(self.to)?);
        let pieces = pieces(from, to)?;
        for piece in 0..pieces {
            let point = |number: u32| {
                let part = |a: i32, b: i32| {
                    let way = i64::from(b) - i64::from(a);
                    (i64::from(a) + (way * i64::from(number)).div_euclid(i64::from(pieces))) as i32
                };
                Point { x: part(from.x, to.x), y: part(from.y, to.y), z: part(from.z, to.z) }
            };
            let time = |from_us: u64, to_us: u64, number: u32| {
                from_us + (u128::from(to_us.saturating_sub(from_us)) * u128::from(number) / u128::from(pieces)) as u64
            };
            let target = past.map(|past| (time(past.from_us, past.to_us, piece), time(past.from_us, past.to_us, piece + 1)));
            let segment = PathSegment {
                from: point(piece),
                to: point(piece + 1),
                radius_units: self.radius_units,
                from_us: time(self.from_us, self.to_us, piece),
                to_us: time(self.from_us, self.to_us, piece + 1),
                target_us: target,
            };
            observer.segment(&segment);
            counters.live_sweeps += 1;
            let sweep = LiveSweep { from: segment.from, to: segment.to, radius_units: self.radius_units };
            let blocker = live.sweep(&sweep, live_filter);
            let someone = match past {
                Some(past) => segment.someone(past.history, past_filter, counters, observer)?,
                None => None,
            };
            let (at, met) = match (someone, blocker) {
                (Some(someone), Some(blocker)) if someone.at < blocker.at => (someone.at, Met::Past(someone)),
                (_, Some(blocker)) => (blocker.at, Met::Live(blocker)),
                (Some(someone), None) => (someone.at, Met::Past(someone)),
                (None, None) => continue,
            };
            observer.met(&segment, someone.as_ref(), blocker.as_ref());
            let back = (self.from - self.to).normalise().unwrap_or(Vec3::Y);
            let normal = match met {
                Met::Past(hit) => hit.normal().unwrap_or(back),
                Met::Live(hit) => hit.normal,
            };
            let at = Toi((((u64::from(piece) << 30) + u64::from(at.bits())) / u64::from(pieces)) as u32);
            return Ok(Some(Contact { at, met, normal }));
        }
        Ok(None)
    }
}

impl PathSegment {
    /// Who of the past is met. If the times cannot be answered, nobody.
    fn someone<O: FlightObserver>(
        &self,
        history: &RewindHistory,
        filter: &QueryFilter,
        counters: &mut FlightCounters,
        observer: &mut O,
    ) -> Result<Option<SweepHit>, FlightError> {
        let Some((from_us, to_us)) = self.target_us else { return Ok(None) };
        let Self { from, to, radius_units, .. } = *self;
        counters.past_sweeps += 1;
        let sweep = Sweep { from, to, radius_units, from_us, to_us, too_old: TooOld::Clamp };
        match history.sweep(&sweep, filter, &mut counters.rewind) {
            Ok(someone) => Ok(someone),
            Err(QueryError::Time(reason)) => {
                counters.unanswered += 1;
                observer.unanswered(self, reason);
                Ok(None)
            }
            Err(error) => Err(FlightError::Query(error)),
        }
    }
}

/// In how many pieces a way must be swept.
fn pieces(from: Point, to: Point) -> Result<u32, FlightError> {
    let squared: i128 =
        from.to_array().iter().zip(to.to_array()).map(|(&a, b)| i128::from(i64::from(b) - i64::from(a))).map(|part| part * part).sum();
    // Rounding down lengthens a piece by under one unit an axis.
    let most = i128::from(MAX_LENGTH_UNITS - 2);
    let mut pieces = 1u32;
    while i128::from(pieces * pieces) * most * most < squared {
        pieces += 1;
        if pieces > MAX_PIECES_PER_TICK {
            return Err(FlightError::TooFast);
        }
    }
    Ok(pieces)
}
