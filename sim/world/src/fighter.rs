//! [`Fighter`]: the state of one fighter, section by section.

use crate::pad::PadInput;
use bytemuck::{Pod, Zeroable};
use snapback_core::{Fx, SimState};

/// What a fighter is doing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Act {
    /// Stands, free to act.
    Stand,
    /// Walks towards the enemy, free to act.
    WalkForward,
    /// Walks away from the enemy, free to act.
    WalkBack,
    /// Crouches, free to act.
    Crouch,
    /// Stands behind the guard button, free to act.
    Guard,
    /// Bends the knees before a jump.
    JumpStart,
    /// Jumps.
    Air,
    /// Has just landed.
    Landing,
    /// Carries out a move.
    Attack,
    /// Reels from a hit.
    HitStun,
    /// Holds the guard under an attack.
    BlockStun,
    /// Was hit off the ground and falls.
    Launched,
    /// Lies on the ground, out of reach of any attack.
    Down,
    /// Has no health left.
    KnockedOut,
}

impl Act {
    const fn from_state(state: u8) -> Self {
        match state {
            1 => Self::WalkForward,
            2 => Self::WalkBack,
            3 => Self::Crouch,
            4 => Self::Guard,
            5 => Self::JumpStart,
            6 => Self::Air,
            7 => Self::Landing,
            8 => Self::Attack,
            9 => Self::HitStun,
            10 => Self::BlockStun,
            11 => Self::Launched,
            12 => Self::Down,
            13 => Self::KnockedOut,
            _ => Self::Stand,
        }
    }

    /// Whether the player decides what comes next.
    #[must_use]
    pub const fn is_free(self) -> bool {
        matches!(self, Self::Stand | Self::WalkForward | Self::WalkBack | Self::Crouch | Self::Guard)
    }

    /// Whether a held guard stops an attack.
    #[must_use]
    pub const fn can_guard(self) -> bool {
        self.is_free() || matches!(self, Self::BlockStun)
    }

    /// Whether attacks reach the fighter.
    #[must_use]
    pub const fn is_vulnerable(self) -> bool {
        !matches!(self, Self::Down | Self::KnockedOut)
    }
}

/// Where a fighter is and how it moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct Motion {
    /// Feet: x to the right of the middle, y above the ground, z into the depth. The world has no
    /// depth as yet: z is 0 after every step.
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
    #[sim(range = 0..=0)]
    reserved: [u8; 6],
}

/// What a fighter has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct Vitals {
    /// Health left; 0 is out.
    #[sim(range = 0..=10000)]
    pub health: i32,
    /// What landing attacks fills.
    #[sim(range = 0..=10000)]
    pub meter: i32,
}

/// What a fighter is doing, and since when.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct ActionState {
    /// An [`Act`] by number.
    #[sim(range = 0..=13)]
    pub act: u8,
    /// Which move of the character, while attacking.
    #[sim(range = 0..=15)]
    pub move_index: u8,
    /// The seats that this move has reached: a move reaches each fighter once.
    #[sim(range = 0..=15)]
    pub reached: u8,
    /// 1 while the body is low.
    #[sim(range = 0..=1)]
    pub crouching: u8,
    /// Frames since the act began.
    pub elapsed_frames: u16,
    /// Frames until the act ends, for acts of a set length.
    pub left_frames: u16,
}

/// What the player pressed, as far as the next frames need to know.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct InputMemory {
    /// Held in the last frame.
    pub held: PadInput,
    /// Attack buttons pressed and not yet used.
    pub waiting: PadInput,
    /// How much longer they wait.
    pub waiting_frames: u8,
    #[sim(range = 0..=0)]
    reserved: [u8; 3],
}

/// One fighter. A world captures as many as there are players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct Fighter {
    /// Where it is and how it moves.
    #[sim(section = "motion")]
    pub motion: Motion,
    /// What it has.
    #[sim(section = "vitals")]
    pub vitals: Vitals,
    /// What it is doing.
    #[sim(section = "action")]
    pub action: ActionState,
    /// What its player pressed.
    #[sim(section = "input_buffer")]
    pub input: InputMemory,
    /// Which character of the frame data it is.
    #[sim(section = "identity", range = 0..=15)]
    pub character: u8,
    #[sim(section = "identity", range = 0..=0)]
    reserved: [u8; 7],
}

pub(crate) const X: usize = 0;
pub(crate) const Y: usize = 1;
pub(crate) const Z: usize = 2;

impl Fighter {
    /// What it is doing.
    #[must_use]
    pub const fn act(&self) -> Act {
        Act::from_state(self.action.act)
    }

    /// Its feet, to the right of the middle of the stage.
    #[must_use]
    pub const fn x(&self) -> Fx {
        self.motion.position[X]
    }

    /// Its feet, above the ground.
    #[must_use]
    pub const fn y(&self) -> Fx {
        self.motion.position[Y]
    }

    /// Whether it still fights.
    #[must_use]
    pub const fn is_alive(&self) -> bool {
        !matches!(self.act(), Act::KnockedOut)
    }

    /// 1 if it looks right, -1 if it looks left.
    #[must_use]
    pub const fn facing(&self) -> i8 {
        if self.motion.facing < 0 { -1 } else { 1 }
    }

    /// Whether its feet are off the ground.
    #[must_use]
    pub fn is_airborne(&self) -> bool {
        self.y() > Fx::ZERO || matches!(self.act(), Act::Air | Act::Launched)
    }

    /// `length` along x, in the direction in which the fighter looks.
    pub(crate) fn forward(&self, length: Fx) -> Fx {
        if self.facing() < 0 { -length } else { length }
    }

    /// Begins `act`, even if it is the one that is going on.
    pub(crate) fn begin(&mut self, act: Act, frames: u16) {
        self.action.act = act as u8;
        self.action.elapsed_frames = 0;
        self.action.left_frames = frames;
    }

    /// Goes on with `act`, or begins it.
    pub(crate) fn keep(&mut self, act: Act) {
        if self.act() != act {
            self.begin(act, 0);
        }
    }
}
