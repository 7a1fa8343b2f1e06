//! Area damage: who is within a radius of a point, and in which time.
//!
//! Each weapon says in which time its victims are looked for ([`AreaTime`]):
//!
//! | policy | inside | favours | good for |
//! |---|---|---|---|
//! | [`Historical`](AreaTime::Historical) | where they were when the shooter saw it | the shooter | what explodes on impact of a well aimed shot |
//! | [`Present`](AreaTime::Present) | where they are | the victim | grenades with a fuse, mines, fields: things that everybody sees and can leave |
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
//! under Present where they are now. Team rules do not protect them from themselves.
//!
//! # Numbers
//!
//! With `m` from the hitbox's centre to the blast's and `e` its half axis, the squared distance to the axis is a ratio
//! `n / d` of integers (`d` is `e·e` between the caps, else 1). *Inside* is exact:
//! `n <= (radius + r)^2 * d`. The distance to the surface, which orders hitboxes and makes the
//! falloff, is `max(floor(sqrt(n * 2^16 / d)) - 256 r, 0)` in 256ths of a unit.

mod distance;
mod resolve;
mod weapon;

pub use resolve::{AreaBlast, AreaHit, AreaScratch, LineOfSight};
pub use weapon::{AreaTime, AreaWeapon, CentreRule, Falloff, MAX_AREA_RADIUS_UNITS, OwnBody, SightRule};
