//! [`ProjectileHost`]: the actor that a projectile is in the host's world.

use super::Spawn;
use crate::flight::{Body, FlightEnd, Impact, Verdict};
use crate::{ActorId, RewindHistory};

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

    /// Puts the actor into the world, at its muzzle. If its class is a target of other projectiles, its hitbox is
    /// [registered](RewindHistory::register) in `history` now, and its past begins at the newest tick; the actor that is
    /// returned then keeps the projectile from meeting itself. The catch-up that follows asks this history.
    ///
    /// # Errors
    /// If it cannot, or the projectile did not survive it. A hitbox that was registered is the host's to take out, here or
    /// in [`destroy`](Self::destroy).
    fn finish_spawn(&mut self, projectile: Self::Projectile, history: &mut RewindHistory) -> Result<Option<ActorId>, Self::Error>;

    /// The projectile met something on its way to now.
    ///
    /// # Errors
    /// If the host cannot go on. The projectile is destroyed.
    fn impact(&mut self, projectile: Self::Projectile, impact: &Impact) -> Result<Verdict, Self::Error>;

    /// Puts the projectile where it is at `time_us`, and lets it fly on.
    ///
    /// If it has a hitbox, the continuity epoch of its samples is raised here: the first sample is of the muzzle, the next
    /// one of this place or beyond, and with the same epoch it would be met between the two, where it never was.
    ///
    /// # Errors
    /// If it cannot. The projectile is destroyed.
    fn place(&mut self, projectile: Self::Projectile, body: &Body, time_us: u64) -> Result<(), Self::Error>;

    /// Takes the projectile out of the world.
    fn destroy(&mut self, projectile: Self::Projectile, why: Destroyed);
}
