//! [`ProjectileHost`]: the actor that a projectile is in the host's world.

use super::Spawn;
use crate::ActorId;
use crate::flight::{Body, FlightEnd, Impact, Verdict};

/// Why the host is to take a projectile out of its world.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Destroyed {
    /// Its flight is over.
    Over(FlightEnd),
    /// Its catch-up failed.
    Failed,
}

/// The host's side of a projectile's first moments. The calls, in order:
///
/// ```text
/// begin_spawn  set_overlap(false)  finish_spawn  impact*  (place | destroy)  set_overlap(true)
/// ```
///
/// The last one comes whatever happens in between, errors and panics of the host included.
pub trait ProjectileHost {
    /// What the host calls a projectile.
    type Projectile: Copy;
    /// What can go wrong in the host.
    type Error;

    /// Makes an actor that is not in the world yet: no collision, no overlap, no begin of play.
    ///
    /// # Errors
    /// If there is none. Nothing else is called then.
    fn begin_spawn(&mut self, spawn: &Spawn) -> Result<Self::Projectile, Self::Error>;

    /// Whether the projectile's own overlap and hit events are handled. May come for one that was
    /// destroyed, and does nothing then. Events that begin when they are handled again go to
    /// [`Flight::overlap`](crate::flight::Flight::overlap).
    fn set_overlap(&mut self, projectile: Self::Projectile, handled: bool);

    /// Puts the actor into the world. If its class is a target of other projectiles, its hitbox is
    /// registered now; its actor then keeps the projectile from meeting itself.
    ///
    /// # Errors
    /// If it cannot, or the projectile did not survive it.
    fn finish_spawn(&mut self, projectile: Self::Projectile) -> Result<Option<ActorId>, Self::Error>;

    /// The projectile met something on its way to now.
    ///
    /// # Errors
    /// If the host cannot go on. The projectile is destroyed.
    fn impact(&mut self, projectile: Self::Projectile, impact: &Impact) -> Result<Verdict, Self::Error>;

    /// Puts the projectile where it is at `time_us`, and lets it fly on.
    ///
    /// # Errors
    /// If it cannot. The projectile is destroyed.
    fn place(&mut self, projectile: Self::Projectile, body: &Body, time_us: u64) -> Result<(), Self::Error>;

    /// Takes the projectile out of the world.
    fn destroy(&mut self, projectile: Self::Projectile, why: Destroyed);
}
