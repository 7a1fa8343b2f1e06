//! [`Impact`]: what a projectile met, and whose merit that is.

use snapback_core::{NameHash, Vec3};

use crate::live::LiveHit;
use crate::{ActorId, HitboxId};

/// What was met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ImpactTarget {
    /// A hitbox of the past.
    Hitbox {
        /// Which.
        id: HitboxId,
        /// Whose.
        actor: ActorId,
        /// The tag of its region.
        region: NameHash,
        /// The time at which it was there.
        historical_us: u64,
        /// Whether it could be damaged then.
        damageable: bool,
    },
    /// A collider of the present, as it is: never a child that someone guessed.
    Collider(LiveHit),
}

impl ImpactTarget {
    /// Whose it is.
    #[must_use]
    pub const fn actor(&self) -> ActorId {
        match self {
            Self::Hitbox { actor, .. } => *actor,
            Self::Collider(hit) => hit.actor,
        }
    }
}

/// A projectile met something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Impact {
    /// When, for the projectile, in the server's time.
    pub time_us: u64,
    /// Where its middle was.
    pub position: Vec3,
    /// Its velocity before.
    pub velocity: Vec3,
    /// Away from what it met, of length one.
    pub normal: Vec3,
    /// What it met.
    pub target: ImpactTarget,
    /// Who gets the credit.
    pub shooter: ActorId,
    /// For which shot.
    pub sequence: u32,
    /// With what: the host's number, such as that of an ability.
    pub source: u64,
    /// Which impact of the shot it is, from 1.
    pub number: u32,
    /// Whether the host is to damage the target: on authority only, each target once, and nobody whom
    /// the teams protect.
    pub damage: bool,
}
