//! [`Outcome`]: what came of every shot, as bytes that are the same on every machine.

use super::refusal::Refusal;
use crate::fire::FireClamp;
use crate::{HitboxFrame, LookupError, Point, Rejection, TimeError, Toi};
use snapback_core::crc32;

/// What came of every shot of a scenario.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outcome {
    /// In the order of the file.
    pub shots: Vec<ShotOutcome>,
}

/// What came of a shot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShotOutcome {
    /// Its place in the file.
    pub shot: usize,
    /// When the server took it to be fired.
    pub fire_us: u64,
    /// How far behind the server took the shooter to see others.
    pub view_delay_us: u64,
    /// The tick at which the server took it, or refused it.
    pub accepted_us: u64,
    /// Where targets were looked for, when it left the muzzle.
    pub target_us: u64,
    /// What the request asked for was too long ago, and was brought to what is allowed.
    pub clamped: bool,
    /// Claims of the request that were brought within bounds.
    pub clamps: Vec<FireClamp>,
    /// Its way: where it was, when.
    pub path: Vec<PathPoint>,
    /// How much of the way the server computed at once when it took the shot: points of the path. The rest was flown tick by
    /// tick.
    pub caught_up_points: usize,
    /// What it met, in order.
    pub strikes: Vec<Strike>,
    /// Its explosion, if there was one: where, and how far it reaches in units.
    pub blast: Option<(Point, i32)>,
    /// How it ended.
    pub end: End,
    /// Every hitbox that was registered, in the order of the file.
    pub considered: Vec<Considered>,
    /// What it would have met first if nobody had looked into the past: the targets where they were when the server took it.
    pub without_rewind: Option<StruckThing>,
}

/// A shot at one time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PathPoint {
    /// The shot's time.
    pub time_us: u64,
    /// Where the targets are that it may meet there: at this time.
    pub target_us: u64,
    /// Where it is.
    pub position: Point,
}

/// What a shot met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StruckThing {
    /// A hitbox, counted over all actors.
    Hitbox(usize),
    /// An obstacle.
    Obstacle(usize),
}

/// A shot meets something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strike {
    /// What it met.
    pub thing: StruckThing,
    /// The shot's time.
    pub time_us: u64,
    /// The target's time; the present for an obstacle.
    pub target_us: u64,
    /// When on its piece of the way.
    pub at: Toi,
    /// Where the middle of the shot was.
    pub position: Point,
    /// Whether it does damage.
    pub damages: bool,
    /// Whether the explosion did it, not the shot itself.
    pub by_blast: bool,
}

/// How a shot ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// At the last thing that it met.
    Struck,
    /// At the end of its range.
    OutOfRange,
    /// It still flew when the scenario was over.
    StillFlying,
    /// The server did not take it, for this reason.
    Refused(Refusal),
}

/// What became of one hitbox in the eyes of a shot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Considered {
    /// Which, counted over all actors.
    pub hitbox: usize,
    /// Hit, or why not.
    pub why: Why,
    /// Where the two were nearest.
    pub nearest: Option<Nearest>,
}

/// Where a shot and a hitbox were nearest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Nearest {
    /// From surface to surface, in units; not over zero if they touch.
    pub gap_units: i64,
    /// The shot's time.
    pub time_us: u64,
    /// Where the shot was.
    pub position: Point,
    /// Where the hitbox was.
    pub frame: HitboxFrame,
}

/// Hit, or why not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// It was hit.
    Hit,
    /// The shot came near, was tested exactly, and passed.
    Passed,
    /// The shot did not come near: the ball around the hitbox was never met.
    Apart,
    /// It stood in the way, behind something that stopped the shot.
    BehindObstacle,
    /// It stood in the way, behind another that was hit.
    BehindAnother,
    /// The explosion reached it, but something stood in between.
    Sheltered,
    /// It is the shooter's own.
    Shooter,
    /// It is of the shooter's team.
    SameTeam,
    /// It cannot be damaged.
    NotDamageable,
    /// It blocks, and such are left out.
    Blocking,
    /// It is a projectile, and such are left out.
    Projectile,
    /// It is no projectile, and such are left out.
    NotProjectile,
    /// There was nothing recorded of it yet.
    NotYet,
    /// It was dead or gone.
    Gone,
    /// Nothing is known of it at that time.
    Unknown,
}

impl Why {
    /// What files and pages call them.
    pub const NAMES: [&'static str; 15] = [
        "hit",
        "passed",
        "too far",
        "behind an obstacle",
        "behind another",
        "sheltered",
        "the shooter",
        "same team",
        "not damageable",
        "blocking",
        "a projectile",
        "not a projectile",
        "not there yet",
        "gone",
        "no record",
    ];

    /// What files and pages call it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Whether the exact test was made.
    #[must_use]
    pub const fn is_candidate(self) -> bool {
        matches!(self, Self::Hit | Self::Passed)
    }

    pub(super) const fn of_rejection(reason: Rejection) -> Self {
        match reason {
            Rejection::IgnoredActor => Self::Shooter,
            Rejection::IgnoredTeam | Rejection::SameTeam => Self::SameTeam,
            Rejection::NotDamageable => Self::NotDamageable,
            Rejection::Blocking => Self::Blocking,
            Rejection::Projectile => Self::Projectile,
            Rejection::NotProjectile => Self::NotProjectile,
            Rejection::NotNear | Rejection::Apart => Self::Apart,
            Rejection::NoPose => Self::Unknown,
        }
    }

    pub(super) const fn of_lookup(reason: LookupError) -> Self {
        match reason {
            LookupError::Gone => Self::Gone,
            LookupError::Time(TimeError::OlderThanOldest) => Self::NotYet,
            LookupError::Unknown | LookupError::Time(_) => Self::Unknown,
        }
    }
}

/// Little-endian bytes.
struct Bytes(Vec<u8>);

impl Bytes {
    fn small(&mut self, value: u8) {
        self.0.push(value);
    }

    fn place(&mut self, value: usize) {
        self.0.extend((value as u32).to_le_bytes());
    }

    fn time(&mut self, value: u64) {
        self.0.extend(value.to_le_bytes());
    }

    fn point(&mut self, point: Point) {
        point.to_array().iter().for_each(|part| self.0.extend(part.to_le_bytes()));
    }

    fn thing(&mut self, thing: Option<StruckThing>) {
        let (kind, place) = match thing {
            None => (0, 0),
            Some(StruckThing::Hitbox(place)) => (1, place),
            Some(StruckThing::Obstacle(place)) => (2, place),
        };
        self.small(kind);
        self.place(place);
    }
}

impl Outcome {
    /// All of it as bytes, every number little-endian and of fixed size: the same on every machine.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Bytes(Vec::new());
        out.place(self.shots.len());
        self.shots.iter().for_each(|shot| shot.encode(&mut out));
        out.0
    }

    /// CRC-32 of [`encode`](Self::encode).
    #[must_use]
    pub fn hash(&self) -> u32 {
        crc32(0, &self.encode())
    }
}

impl ShotOutcome {
    fn encode(&self, out: &mut Bytes) {
        let Self {
            shot,
            fire_us,
            view_delay_us,
            accepted_us,
            target_us,
            clamped,
            clamps,
            path,
            caught_up_points,
            strikes,
            blast,
            end,
            considered,
            without_rewind,
        } = self;
        out.place(*shot);
        [*fire_us, *view_delay_us, *accepted_us, *target_us].into_iter().for_each(|time_us| out.time(time_us));
        out.small(u8::from(*clamped));
        out.small(clamps.iter().fold(0, |bits, &claim| bits | 1 << claim as u8));
        out.place(path.len());
        for point in path {
            out.time(point.time_us);
            out.time(point.target_us);
            out.point(point.position);
        }
        out.place(*caught_up_points);
        out.place(strikes.len());
        for strike in strikes {
            out.thing(Some(strike.thing));
            out.time(strike.time_us);
            out.time(strike.target_us);
            out.0.extend(strike.at.bits().to_le_bytes());
            out.point(strike.position);
            out.small(u8::from(strike.damages));
            out.small(u8::from(strike.by_blast));
        }
        out.small(u8::from(blast.is_some()));
        if let Some((centre, radius_units)) = blast {
            out.point(*centre);
            out.0.extend(radius_units.to_le_bytes());
        }
        match end {
            End::Struck => out.small(0),
            End::OutOfRange => out.small(1),
            End::StillFlying => out.small(2),
            End::Refused(refusal) => {
                out.small(3);
                out.small(refusal.number());
            }
        }
        out.place(considered.len());
        for considered in considered {
            out.place(considered.hitbox);
            out.small(considered.why as u8);
            let Some(nearest) = &considered.nearest else {
                out.small(0);
                continue;
            };
            out.small(1);
            out.0.extend(nearest.gap_units.to_le_bytes());
            out.time(nearest.time_us);
            out.time(nearest.frame.time_us);
            out.point(nearest.position);
            out.point(nearest.frame.centre);
        }
        out.thing(*without_rewind);
    }
}
