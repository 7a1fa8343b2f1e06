//! [`AreaWeapon`]: the rules of one weapon's explosion.

use crate::{InvalidRewindConfig, QueryFilter};

/// The greatest radius, and the greatest grace: 2^21 units, 128 m.
pub const MAX_AREA_RADIUS_UNITS: i32 = 1 << 21;

/// In which time victims are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AreaTime {
    /// Where they were when the shooter saw it.
    Historical,
    /// Where they are at present: at the newest sample of their hitboxes, however old their cadence lets it be.
    Present,
    /// Where they were, unless they really got away since.
    Hybrid {
        /// How far out of the radius they must be at present to have got away, in units, 0 to [`MAX_AREA_RADIUS_UNITS`].
        grace_units: i32,
    },
}

/// What must be in sight of the centre, in the poses that are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SightRule {
    /// Nothing: it goes through walls.
    Through,
    /// The centre of the hitbox.
    ToCentre,
    /// The point of the hitbox's surface that is nearest. A centre inside of the hitbox sees it.
    ToNearest,
}

/// Whether shooters hurt themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OwnBody {
    /// They do not.
    Spared,
    /// They do, where they were themselves at the time of the explosion.
    Hurt,
}

/// Where the centre is at present. In the past it is the point of impact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CentreRule {
    /// The same point.
    Impact,
    /// It moved along with the hitbox that was hit, as far as that had a pose then, is still there and did not
    /// jump; else the same point.
    WithTarget,
}

/// The rules of one weapon's explosion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AreaWeapon {
    /// How far it reaches, in units, 0 to [`MAX_AREA_RADIUS_UNITS`].
    pub radius_units: i32,
    /// How far it does all of its damage, in units, 0 to the radius.
    pub full_units: i32,
    /// In which time.
    pub time: AreaTime,
    /// Where its centre is at present.
    pub centre: CentreRule,
    /// What must be in sight.
    pub sight: SightRule,
    /// Whom it can meet. Its [`near`](QueryFilter::near) is not read.
    pub filter: QueryFilter,
    /// Whether shooters hurt themselves.
    pub own: OwnBody,
}

impl AreaWeapon {
    /// Checks every number.
    ///
    /// # Errors
    /// Names the first that is out of range.
    pub fn validate(&self) -> Result<(), InvalidRewindConfig> {
        let grace_units = if let AreaTime::Hybrid { grace_units } = self.time { grace_units } else { 0 };
        let numbers = [
            ("radius_units", self.radius_units, MAX_AREA_RADIUS_UNITS),
            ("full_units", self.full_units, self.radius_units),
            ("grace_units", grace_units, MAX_AREA_RADIUS_UNITS),
        ];
        match numbers.into_iter().find(|&(_, value, max)| !(0..=max).contains(&value)) {
            None => Ok(()),
            // A negative number shows as one that is far too great.
            Some((field, value, max)) => Err(InvalidRewindConfig { field, value: value as u64, min: 0, max: max as u64 }),
        }
    }

    /// What is left at a distance in 256ths of a unit, which is at most the radius.
    pub(super) fn falloff(&self, distance_256ths: u32) -> Falloff {
        let (radius, full) = ((self.radius_units as u32) << 8, (self.full_units as u32) << 8);
        match radius.saturating_sub(full) {
            _ if distance_256ths <= full => Falloff { numerator: 1, denominator: 1 },
            0 => Falloff { numerator: 0, denominator: 1 },
            denominator => Falloff { numerator: radius.saturating_sub(distance_256ths), denominator },
        }
    }
}

/// What is left of the damage: an exact ratio from 0 to 1, which falls evenly from the edge of full damage to that of the radius.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Falloff {
    /// Above the line.
    pub numerator: u32,
    /// Below, one or more.
    pub denominator: u32,
}

impl Falloff {
    /// This share of an amount, rounded towards zero.
    ///
    /// ```
    /// use snapback_rewind::area::Falloff;
    /// assert_eq!(Falloff { numerator: 2, denominator: 3 }.of(100), 66);
    /// ```
    #[must_use]
    pub fn of(self, amount: i32) -> i32 {
        (i64::from(amount) * i64::from(self.numerator)).checked_div(self.denominator.into()).unwrap_or(0) as i32
    }
}
