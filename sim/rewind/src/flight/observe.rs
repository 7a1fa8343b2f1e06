//! [`FlightObserver`]: who wants to see why a projectile hit or missed.

use super::{Body, Impact};
use crate::live::LiveHit;
use crate::{Point, SweepHit, TimeError};

/// A straight part of the way of a projectile, as it was swept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PathSegment {
    /// Where it begins.
    pub from: Point,
    /// Where it ends.
    pub to: Point,
    /// The radius of the projectile, in units.
    pub radius_units: i32,
    /// When the projectile is at its start.
    pub from_us: u64,
    /// And at its end.
    pub to_us: u64,
    /// Where in time those who have a history were met, at both ends; nothing if they were not asked for.
    pub target_us: Option<(u64, u64)>,
}

/// Sees what a flight does. All methods do nothing by default; `()` sees nothing and costs nothing.
pub trait FlightObserver {
    /// A part of the way is swept next.
    fn segment(&mut self, segment: &PathSegment) {
        let _ = segment;
    }

    /// What was met on it: the first of the past and the first of the present. The nearer one counts,
    /// and of two at the same time that of the present.
    fn met(&mut self, segment: &PathSegment, past: Option<&SweepHit>, live: Option<&LiveHit>) {
        let _ = (segment, past, live);
    }

    /// The history had no answer, so nobody of the past was met.
    fn unanswered(&mut self, segment: &PathSegment, reason: TimeError) {
        let _ = (segment, reason);
    }

    /// A contact was handled.
    fn impact(&mut self, impact: &Impact) {
        let _ = impact;
    }

    /// A tick was flown.
    fn ticked(&mut self, time_us: u64, body: &Body) {
        let _ = (time_us, body);
    }
}

impl FlightObserver for () {}
