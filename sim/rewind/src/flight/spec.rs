//! [`ProjectileSpec`]: what a projectile is, checked once.

use core::fmt;
use snapback_core::{Fx, Vec3};

use super::{AfterCatchUp, Gravity};
use crate::query::query_radius_units;
use crate::{MatchTeam, QueryFilter};

/// The least radius of what bounces: 1 mm. A bounce sets it off by less, so that it never jumps a wall.
pub const MIN_BOUNCE_RADIUS: Fx = Fx::ratio(1, 10);
/// The most impacts a projectile can have.
pub const MAX_IMPACTS: u32 = 255;
/// The most actors that the filter of a projectile may except from the start.
pub const MAX_EXCEPT: usize = 4;

/// What a projectile is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProjectileSpec {
    /// Of its ball, in centimetres, 0 to 399; of one that bounces, at least [`MIN_BOUNCE_RADIUS`].
    pub radius: Fx,
    /// In centimetres a second, zero or more.
    pub muzzle_speed: Fx,
    /// For [`ballistics`](Self::ballistics), in centimetres a second, each second.
    pub gravity: Vec3,
    /// After this many impacts it is over, 1 to [`MAX_IMPACTS`].
    pub max_impacts: u32,
    /// The team of who fires: the `own_team` of its filter.
    pub team: MatchTeam,
    /// Whom it may meet. `include_projectiles` makes it meet other projectiles. Shields need `only_damageable: false`;
    /// the impact then has no damage.
    pub filter: QueryFilter,
    /// What an impact does to it.
    pub on_impact: ImpactRule,
    /// Whether it damages what can be damaged.
    pub damages: bool,
    /// Where in time it meets others after catch-up. See [`AfterCatchUp`] for shooters with a low lag and a long
    /// view delay.
    pub after: AfterCatchUp,
    /// With what the shooter fired: the host's number, for the credit.
    pub source: u64,
}

/// What an impact does to a projectile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ImpactRule {
    /// It is over.
    Stop,
    /// It is thrown back about the normal of the contact.
    Bounce {
        /// What is left of the speed along the normal, 0 to 1.
        restitution: Fx,
    },
    /// It goes on.
    Pierce,
}

/// A projectile that cannot be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpecError {
    /// A radius that is negative, over 4 m, or too small to bounce.
    Radius(Fx),
    /// A negative speed.
    MuzzleSpeed(Fx),
    /// No impact, or more than [`MAX_IMPACTS`].
    MaxImpacts(u32),
    /// A restitution that is negative or over one.
    Restitution(Fx),
    /// A filter with more than [`MAX_EXCEPT`] exceptions.
    Except(usize),
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Radius(radius) => write!(f, "a projectile's radius is {radius} cm, and must be from 0 to 399, and 0.1 or more to bounce"),
            Self::MuzzleSpeed(speed) => write!(f, "a projectile's speed is {speed} cm/s, and must be zero or more"),
            Self::MaxImpacts(impacts) => write!(f, "a projectile has {impacts} impacts, and must have 1 to {MAX_IMPACTS}"),
            Self::Except(actors) => {
                write!(f, "a projectile's filter excepts {actors} actors, and may {MAX_EXCEPT}: the rest is for whom it passes")
            }
            Self::Restitution(restitution) => write!(f, "a projectile's restitution is {restitution}, and must be from 0 to 1"),
        }
    }
}

impl std::error::Error for SpecError {}

impl Default for ProjectileSpec {
    /// A bullet: 5 cm, 100 m/s, no gravity, one impact.
    fn default() -> Self {
        Self {
            radius: Fx::from_int(5),
            muzzle_speed: Fx::from_int(10_000),
            gravity: Vec3::ZERO,
            max_impacts: 1,
            team: MatchTeam::NONE,
            filter: QueryFilter::default(),
            on_impact: ImpactRule::Stop,
            damages: true,
            after: AfterCatchUp::Collapse,
            source: 0,
        }
    }
}

impl ProjectileSpec {
    /// Checks every number; the radius in units.
    ///
    /// # Errors
    /// Names the first that is out of range.
    pub fn validate(&self) -> Result<i32, SpecError> {
        if self.muzzle_speed < Fx::ZERO {
            return Err(SpecError::MuzzleSpeed(self.muzzle_speed));
        }
        if !(1..=MAX_IMPACTS).contains(&self.max_impacts) {
            return Err(SpecError::MaxImpacts(self.max_impacts));
        }
        if self.filter.except.len() > MAX_EXCEPT {
            return Err(SpecError::Except(self.filter.except.len()));
        }
        match self.on_impact {
            ImpactRule::Bounce { .. } if self.radius < MIN_BOUNCE_RADIUS => Err(SpecError::Radius(self.radius)),
            ImpactRule::Bounce { restitution } if !(Fx::ZERO..=Fx::ONE).contains(&restitution) => Err(SpecError::Restitution(restitution)),
            _ => query_radius_units(self.radius).map_err(|_| SpecError::Radius(self.radius)),
        }
    }

    /// Its default tick step.
    #[must_use]
    pub const fn ballistics(&self) -> Gravity {
        Gravity { acceleration: self.gravity }
    }
}
