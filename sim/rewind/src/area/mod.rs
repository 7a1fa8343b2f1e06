//! Area damage: who is within a radius of a point, and in which time.
//!
//! Each weapon says in which time its victims are looked for ([`AreaTime`]):
//!
//! | policy | inside | favours | good for |
//! |---|---|---|---|
//! | [`Historical`](AreaTime::Historical) | where they were when the shooter saw it | the shooter | what explodes on impact of a well aimed shot |
//! | [`Present`](AreaTime::Present) | where their newest sample is, however old | the victim | grenades with a fuse, mines, fields: things that everybody sees and can leave |
//! | [`Hybrid`](AreaTime::Hybrid) | where they were, unless they really got away since | both | rockets with a large radius |
//!
//! *Hybrid*: somebody is met who was inside and in sight in the past. They are let off if at present
//! no hitbox of theirs is within radius plus grace of the centre, in sight of it, and lets itself be
//! damaged; a hitbox with another continuity epoch (a teleport, a new life) does not count as
//! theirs. Distance and falloff are the past's: what the shooter saw. So nobody is met who
//! came only afterwards, as under Present, and nobody dies behind a wall that they had reached on
//! the server, as under Historical. Within the grace the shooter is right, because a quarter of a
//! second of walking is no escape.
//!
//! The shooter's own body is not seen late by the shooter: if they can hurt themselves
//! ([`OwnBody`]), they are where they were at the time of the explosion, without view delay, and
//! under Present where they are now. If that is after their newest sample, they are where that is. Team
//! rules do not protect them from themselves.
//!
//! Who is inside is decided exactly; the numbers are in the crate's motion model, under *Areas*.

mod distance;
mod resolve;
mod weapon;

pub use resolve::{AreaBlast, AreaHit, AreaScratch, LineOfSight};
pub use weapon::{AreaTime, AreaWeapon, CentreRule, Falloff, MAX_AREA_RADIUS_UNITS, OwnBody, SightRule};
