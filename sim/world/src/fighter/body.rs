//! What a body is and does: place, health, act, animation, boxes.

use super::act::Act;
use bytemuck::{Pod, Zeroable};
use snapback_core::{Fx, NameHash, SimState};

/// Where a fighter is and how it moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct Motion {
    /// Feet: x to the right of the middle, y above the ground, z into the depth.
    pub position: [Fx; 3],
    /// Own speed a frame.
    pub velocity: [Fx; 3],
    /// Speed along x that a hit gave; friction takes it away.
    pub pushback: Fx,
    /// 1 looks right, -1 looks left.
    #[sim(range = -1..=1)]
    pub facing: i8,
    /// Where the jump that is being started goes: -1 left, 0 up, 1 right.
    #[sim(range = -1..=1)]
    pub jump_direction: i8,
    /// 1 if the jump that is being started is called off by letting go of up.
    #[sim(bool)]
    pub jump_by_up: u8,
    /// 1 steps into the depth, -1 out of it.
    #[sim(range = -1..=1)]
    pub step_direction: i8,
    /// Counts the jumps in place that no motion explains, such as a teleport: nothing is drawn
    /// between the two.
    pub cuts: u32,
}

/// What a fighter has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct Vitals {
    /// Health left; 0 is out.
    #[sim(range = 0..=10000)]
    pub health: i32,
    /// What landing and taking attacks fills, and supers cost.
    #[sim(range = 0..=10000)]
    pub meter: i32,
}

/// What a fighter is doing, and since when.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct ActionState {
    /// Which move of the character, by the hash of its name, while attacking or throwing.
    pub move_name: NameHash,
    /// Frames since the act began. Stands still during hitstop.
    pub elapsed_frames: u16,
    /// Frames until the act ends, for acts of a set length.
    pub left_frames: u16,
    /// An [`Act`] by number.
    #[sim(range = 0..=Act::LAST as i128)]
    pub act: u8,
    /// 1 while the body is low.
    #[sim(bool)]
    pub crouching: u8,
    /// What the move has touched: 0 nothing, 1 a guard, 2 a body. It decides the cancels.
    #[sim(range = 0..=2)]
    pub contact: u8,
    #[sim(range = 0..=0)]
    pub(crate) reserved: u8,
}

/// What is drawn, and since when.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct Animation {
    /// The animation: a move's cue, or the name of an act.
    pub clip: NameHash,
    /// Frames since it began.
    pub clip_frames: u16,
    /// How many more frames it is mixed with the one before.
    #[sim(range = 0..=30)]
    pub blend_frames: u8,
    /// Which of four ways of reeling from a hit is shown; chance decides.
    #[sim(range = 0..=3)]
    pub variant: u8,
}

/// Which of the move's boxes can hit now, and whom they have reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct Hitboxes {
    /// The hit of the move whose boxes are out, from 1; 0 for none.
    #[sim(range = 0..=15)]
    pub active_hit: u8,
    /// The seats that this hit has reached, as bits: a hit reaches each fighter once.
    pub reached: u8,
    /// How many hits the move has landed or had guarded.
    pub contacts: u8,
    #[sim(range = 0..=0)]
    pub(crate) reserved: u8,
}
