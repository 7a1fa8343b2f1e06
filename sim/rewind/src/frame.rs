//! [`HitboxFrame`]: a hitbox at a time of the past, with everything that a host may want to know.

use core::fmt;
use snapback_core::{Fx, NameHash, Quat};

use crate::{ActorId, ComponentId, HitboxId, MatchTeam, Point, ShapeKind, TimeError, units};

/// A hitbox at a time of the past.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HitboxFrame {
    /// The time.
    pub time_us: u64,
    /// The hitbox.
    pub hitbox: HitboxId,
    /// Whose it is.
    pub actor: ActorId,
    /// What it follows.
    pub component: ComponentId,
    /// Its name.
    pub name: NameHash,
    /// The tag of its region.
    pub region: NameHash,
    /// Sphere or capsule.
    pub kind: ShapeKind,
    /// Its centre. Also the centre of both broadphases.
    pub centre: Point,
    /// Its rotation, by slerp between two snapshots.
    pub rotation: Quat,
    /// From its centre to the upper end of its axis, in units: what sweeps use. Zero for a sphere.
    pub half_axis: [i32; 3],
    /// Its radius.
    pub radius: Fx,
    /// Half of its height with the caps; of a sphere, its radius.
    pub half_height: Fx,
    /// The radius of the ball around it, and of the circle in the plane of x and z: of a sphere its
    /// radius, of a capsule the greater of radius and half height.
    pub broadphase_radius: Fx,
    /// Whether it can be damaged.
    pub damageable: bool,
    /// Whether it blocks.
    pub blocking: bool,
    /// Whether it is a projectile's.
    pub projectile: bool,
    /// Its team then.
    pub team: MatchTeam,
    /// What the game noted.
    pub state_flags: u32,
    /// Its continuity epoch.
    pub epoch: u32,
}

impl HitboxFrame {
    pub(crate) fn broadphase_units(&self) -> u32 {
        (self.broadphase_radius.to_bits() / units::DELTAS_PER_UNIT).clamp(0, i64::from(u32::MAX)) as u32
    }

    pub(crate) fn radius_units(&self) -> i64 {
        self.radius.to_bits() / units::DELTAS_PER_UNIT
    }
}

/// Why there is no frame of a hitbox.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LookupError {
    /// It is not registered, or not any more.
    Unknown,
    /// It was gone by then.
    Gone,
    /// The time is one that it has no snapshot for.
    Time(TimeError),
}

impl fmt::Display for LookupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => write!(f, "the hitbox is not registered"),
            Self::Gone => write!(f, "the hitbox was gone by then"),
            Self::Time(reason) => reason.fmt(f),
        }
    }
}

impl std::error::Error for LookupError {}

impl From<TimeError> for LookupError {
    fn from(reason: TimeError) -> Self {
        Self::Time(reason)
    }
}
