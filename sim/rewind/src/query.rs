//! What can be asked about the past, and what comes back.

use core::fmt;
use snapback_core::{Fx, Vec3};

use crate::{ActorId, HitboxId, Point, units};

/// The greatest length of a query: 2^24 units, 1,024 m, and of each of its components.
pub const MAX_LENGTH_UNITS: i64 = 1 << 24;
/// The greatest radius of a query: 65,535 units, 4 m.
pub const MAX_QUERY_RADIUS_UNITS: i32 = 65_535;

/// A time of impact in 2^-30ths of the way, 0 to 2^30.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Toi(pub(crate) u32);

impl Toi {
    /// At the start.
    pub const START: Self = Self(0);
    /// At the end.
    pub const END: Self = Self(1 << 30);

    /// 2^-30ths of the way.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }
}

/// A ball on its way from one point to another while its targets move, or stand still if both times
/// are the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sweep {
    /// Where it begins.
    pub from: Point,
    /// Where it ends.
    pub to: Point,
    /// Its radius in units, 0 to [`MAX_QUERY_RADIUS_UNITS`].
    pub radius_units: i32,
    /// When the targets are where they are at the start.
    pub from_us: u64,
    /// And at the end; not before `from_us`.
    pub to_us: u64,
    /// What happens to times that are too long ago.
    pub too_old: TooOld,
}

/// What happens to times before now minus the greatest rewind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TooOld {
    /// The query fails: raw lookups.
    Fail,
    /// The targets are where they were at the earliest allowed time: requests of players.
    Clamp,
}

/// What a query met first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SweepHit {
    /// What was hit.
    pub hitbox: HitboxId,
    /// Whose it is.
    pub actor: ActorId,
    /// When on the whole way of the query.
    pub at: Toi,
    /// When in the piece between two ticks: what decided who was first.
    pub at_in_piece: Toi,
    /// Which piece, from 0.
    pub piece: u32,
    /// The time at which the target was there.
    pub target_us: u64,
    /// From the nearest point of the target's axis to the middle of the ball, in units; zero if the
    /// middle of the ball is on the axis.
    pub offset: [i32; 3],
}

impl SweepHit {
    /// Away from the target, of length one; nothing if the ball's middle was on its axis.
    #[must_use]
    pub fn normal(&self) -> Option<Vec3> {
        let [x, y, z] = self.offset.map(units::fx);
        Vec3::new(x, y, z).normalise()
    }
}

/// A query that cannot be answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QueryError {
    /// It is longer than 1,024 m.
    TooLong,
    /// Its radius is negative or over 4 m.
    BadRadius {
        /// What was given.
        radius_units: i32,
    },
    /// It ends before it begins.
    BackwardTime,
    /// Its time cannot be answered.
    Time(TimeError),
}

/// Why there is nothing at a time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TimeError {
    /// Nothing was recorded yet.
    Empty,
    /// Before the oldest snapshot.
    OlderThanOldest,
    /// Before now minus the greatest rewind.
    OlderThanMaxRewind,
    /// Too far after the newest snapshot.
    NewerThanNewest,
    /// Between two snapshots that are too far apart.
    Gap,
}

impl fmt::Display for TimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "nothing was recorded yet",
            Self::OlderThanOldest => "the time is before the oldest snapshot",
            Self::OlderThanMaxRewind => "the time is longer ago than a rewind may go",
            Self::NewerThanNewest => "the time is too far after the newest snapshot",
            Self::Gap => "the snapshots around the time are too far apart",
        })
    }
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => write!(f, "the query is longer than 1,024 m: split it"),
            Self::BadRadius { radius_units } => {
                write!(f, "the query's radius is {radius_units} units, and must be from 0 to {MAX_QUERY_RADIUS_UNITS}")
            }
            Self::BackwardTime => write!(f, "the query ends before it begins"),
            Self::Time(reason) => reason.fmt(f),
        }
    }
}

impl std::error::Error for TimeError {}
impl std::error::Error for QueryError {}

impl From<TimeError> for QueryError {
    fn from(reason: TimeError) -> Self {
        Self::Time(reason)
    }
}

/// A length in `Fx` as the radius of a query.
///
/// # Errors
/// If it is negative or over 4 m.
pub fn query_radius_units(radius: Fx) -> Result<i32, QueryError> {
    let radius_units = units::units(radius).unwrap_or(-1);
    if (0..=MAX_QUERY_RADIUS_UNITS).contains(&radius_units) { Ok(radius_units) } else { Err(QueryError::BadRadius { radius_units }) }
}
