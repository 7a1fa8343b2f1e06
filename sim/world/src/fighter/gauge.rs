//! What a fighter builds up and spends: juggles, Heat, Rage, Ki Charge, armour, stances, holds.

use bytemuck::{Pod, Zeroable};
use snapback_core::{NameHash, SimState};

/// The combo that a fighter is in, as the one who is hit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct Juggle {
    /// Damage of the combo so far.
    #[sim(range = 0..=1000000)]
    pub combo_damage: i32,
    /// Hits of the combo so far.
    pub combo_hits: u16,
    /// What the next hit does, in thousandths; 0 outside a combo, which means all of it.
    #[sim(range = 0..=1000)]
    pub scaling: u16,
    /// How much faster it falls, in thousandths over the normal.
    #[sim(range = 0..=9000)]
    pub gravity_gained: u16,
    /// Juggle points used up: over the limit of the rules no hit on one who is off the ground or
    /// lies there connects.
    #[sim(range = 0..=1000)]
    pub points: u16,
    /// How often it stuck to a wall in this combo.
    #[sim(range = 0..=9)]
    pub wall_splats: u8,
    /// 1 if it will stick to the wall it is thrown against.
    #[sim(bool)]
    pub splats_next: u8,
    #[sim(range = 0..=0)]
    pub(crate) reserved: [u8; 2],
}

/// Heat: once a round, for a while, stronger attacks; a smash ends it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct Heat {
    /// Frames left; 0 for off.
    pub left_frames: u16,
    /// 1 once it was used in this round.
    #[sim(bool)]
    pub used: u8,
    /// 1 once the smash was used in this round.
    #[sim(bool)]
    pub smashed: u8,
}

/// Rage: once a round, from a share of health down, stronger attacks; a Rage art spends it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct Rage {
    /// 1 while it lasts.
    #[sim(bool)]
    pub active: u8,
    /// 1 once it came in this round.
    #[sim(bool)]
    pub used: u8,
    #[sim(range = 0..=0)]
    pub(crate) reserved: [u8; 2],
}

/// Ki Charge: for a while every own hit is a counter hit, and there is no guard.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct KiCharge {
    /// Frames left; 0 for off.
    pub left_frames: u16,
    /// How often it was charged in this round.
    pub charges: u16,
}

/// Power Crush: a move goes on through so many hits that are not low.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct PowerCrush {
    /// Hits that the move still takes.
    #[sim(range = 0..=15)]
    pub hits_left: u8,
    /// Hits that it has taken.
    pub absorbed: u8,
    #[sim(range = 0..=0)]
    pub(crate) reserved: [u8; 2],
}

/// The stance that a fighter is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct Stance {
    /// By the hash of its name; 0 for none.
    pub name: NameHash,
    /// Frames left.
    pub left_frames: u16,
    #[sim(range = 0..=0)]
    pub(crate) reserved: [u8; 2],
}

/// Who holds whom in a throw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct Hold {
    /// The seat of the other one, from 1; 0 for nobody.
    #[sim(range = 0..=8)]
    pub partner: u8,
    #[sim(range = 0..=0)]
    pub(crate) reserved: [u8; 3],
}
