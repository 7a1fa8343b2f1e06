//! [`Blow`]: what one contact does, worked out from the state before any was applied.

use snapback_core::{Fx, NameHash};

/// What one contact does.
#[derive(Clone, Copy)]
pub(super) struct Blow {
    pub(super) is_blocked: bool,
    pub(super) is_counter: bool,
    /// Whether armour takes it, if enough of it is left.
    pub(super) meets_armour: bool,
    pub(super) damage: i32,
    pub(super) stun_frames: u16,
    /// Speed along x, with its sign.
    pub(super) pushback: Fx,
    /// Whether a wall behind the defender hands the pushback to the attacker.
    pub(super) is_cornered: bool,
    pub(super) launch_up: Fx,
    pub(super) knockdown: bool,
    pub(super) wall_splat: bool,
    pub(super) juggle_cost: u16,
    pub(super) gravity_gain: u16,
    pub(super) scaling: u16,
    pub(super) status: NameHash,
    /// Meter for the attacker.
    pub(super) meter: i32,
}
