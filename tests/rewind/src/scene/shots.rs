//! Projectiles and what stands in their way, as plain data.

use super::data::Filter;
use snapback_core::{Fx, Quat, Vec3};

/// The shape of something that does not move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Solid {
    /// A box along the axes, with these half extents in units.
    Box([i32; 3]),
    /// A ball with this radius in units.
    Ball(i32),
    /// An upright capsule: radius, and half of the height with the caps, in units.
    Capsule(i32, i32),
    /// Everything below a plane through its place. This points out of it, and is of any length.
    HalfSpace(Vec3),
}

/// What something is that does not move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stuff {
    /// Never moves.
    Static,
    /// Could move.
    Dynamic,
    /// Can be destroyed.
    Destructible,
    /// A character of the present.
    Pawn,
    /// A projectile of the present.
    Projectile,
}

/// Something of the present. The scene's list is in the order of ids.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wall {
    /// Its shape.
    pub solid: Solid,
    /// Its middle, in units.
    pub place: [i32; 3],
    /// Whose it is.
    pub actor: u64,
    /// What it is.
    pub stuff: Stuff,
    /// Its team, or none.
    pub team: Option<u16>,
    /// Whether it can be damaged.
    pub damageable: bool,
    /// Whether catch-up passes it.
    pub ignored_in_catch_up: bool,
}

/// What an impact does to a projectile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// It is over.
    Stop,
    /// It is thrown back, and keeps this part of the speed along the normal.
    Bounce(Fx),
    /// It goes on.
    Pierce,
}

/// Where in time a projectile meets others once it has caught up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum After {
    /// In the present.
    Collapse,
    /// As late as the shooter saw it.
    Constant,
    /// Later and later, until it is in the present after so many microseconds.
    Ramp(u32),
}

/// A projectile that was fired in the past and is caught up to now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shot {
    /// Who fired.
    pub shooter: u64,
    /// The actor that the projectile itself is, if it is one.
    pub own_actor: Option<u64>,
    /// Where it left the muzzle, in centimetres.
    pub muzzle: Vec3,
    /// Where it is aimed: z of this rotation.
    pub rotation: Quat,
    /// How fast, in centimetres a second.
    pub speed: Fx,
    /// What pulls it, in centimetres a second squared.
    pub gravity: Vec3,
    /// Its radius, in units.
    pub radius: u16,
    /// When it was fired.
    pub fire_us: u64,
    /// How long one step of the simulation is.
    pub step_us: u32,
    /// How much older than the clock what the shooter saw was.
    pub view_delay_us: u32,
    /// Caught up when.
    pub now_us: u64,
    /// Its shooter's team.
    pub team: Option<u16>,
    /// Who may be hit. Its `own_team` is not used.
    pub filter: Filter,
    /// What an impact does to it.
    pub rule: Rule,
    /// It is over after so many.
    pub max_impacts: u32,
    /// Whether it damages.
    pub damages: bool,
    /// What it does after it has caught up.
    pub after: After,
    /// How many steps it is followed after that.
    pub live_steps: u32,
}
