//! [`Projectile`]: what a fighter has sent on its way.

use bytemuck::{Pod, Zeroable};
use snapback_core::{Fx, NameHash, SimState};

/// How many projectiles of one fighter can be on their way. Each fighter has places of its own, so
/// that no seat is first at a place that two want.
pub const PROJECTILE_SLOTS: usize = 2;

/// One place for a projectile.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct Projectile {
    /// Its middle.
    pub position: [Fx; 3],
    /// Its speed along x and z.
    pub velocity: [Fx; 2],
    /// The move that sent it, by the hash of its name; 0 for an empty place.
    pub move_name: NameHash,
    /// Counts what was sent from this place, so that two are never taken for one.
    pub serial: u16,
    /// Frames left.
    pub left_frames: u16,
    /// Hits left.
    #[sim(range = 0..=15)]
    pub hits_left: u8,
    /// Frames until it can hit again.
    pub pause_frames: u8,
    /// 1 flies right, -1 flies left.
    #[sim(range = -1..=1)]
    pub facing: i8,
    #[sim(range = 0..=0)]
    pub(crate) reserved: [u8; 5],
}

impl Projectile {
    /// Whether it is on its way.
    #[must_use]
    pub fn is_live(&self) -> bool {
        self.move_name != NameHash::NONE
    }

    /// It is gone; only its count stays.
    pub(crate) fn end(&mut self) {
        *self = Self { serial: self.serial, ..Self::zeroed() };
    }
}
