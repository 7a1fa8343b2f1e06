//! [`Fighter`]: the state of one fighter, section by section.

mod act;
mod body;
mod gauge;
mod input;
mod kit;
mod projectile;

pub use act::Act;
pub use body::{ActionState, Animation, Hitboxes, Motion, Vitals};
pub use gauge::{Heat, Hold, Juggle, KiCharge, PowerCrush, Rage, Stance};
pub use input::{FrameInput, INPUT_FRAMES, InputMemory};
pub(crate) use kit::Attribute;
pub use kit::{ABILITY_SLOTS, ATTRIBUTES, Abilities, AbilitySlot, Attributes, STATUS_SLOTS, StatusEffects, StatusSlot};
pub use projectile::{PROJECTILE_SLOTS, Projectile};

use bytemuck::{Pod, Zeroable};
use snapback_core::{Fx, NameHash, Rng, SimState};

/// The bits of [`FrameInput::taps`].
pub mod taps {
    /// Forward, for the second time.
    pub const FORWARD: u8 = 1;
    /// Back, for the second time.
    pub const BACK: u8 = 2;
    /// Up, for the second time.
    pub const UP: u8 = 4;
    /// Down, for the second time.
    pub const DOWN: u8 = 8;
}

/// Who a fighter is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct Identity {
    /// Which character of the frame data.
    #[sim(range = 0..=15)]
    pub character: u8,
    /// For which team it fights.
    #[sim(range = 0..=3)]
    pub team: u8,
    /// The how manieth of its team it is, from 0.
    #[sim(range = 0..=7)]
    pub place: u8,
    #[sim(range = 0..=0)]
    pub(crate) reserved: [u8; 5],
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
    /// What is drawn.
    #[sim(section = "animation")]
    pub animation: Animation,
    /// What can hit.
    #[sim(section = "hitboxes")]
    pub hitboxes: Hitboxes,
    /// Heat.
    #[sim(section = "heat")]
    pub heat: Heat,
    /// The abilities that were used.
    #[sim(section = "abilities")]
    pub abilities: Abilities,
    /// Status effects.
    #[sim(section = "status")]
    pub status: StatusEffects,
    /// What data, status effects, Heat and Rage change.
    #[sim(section = "attributes")]
    pub attributes: Attributes,
    /// The combo that it is in.
    #[sim(section = "juggle")]
    pub juggle: Juggle,
    /// Rage.
    #[sim(section = "rage")]
    pub rage: Rage,
    /// Ki Charge.
    #[sim(section = "ki_charge")]
    pub ki: KiCharge,
    /// Armour.
    #[sim(section = "power_crush")]
    pub power_crush: PowerCrush,
    /// The stance.
    #[sim(section = "stance")]
    pub stance: Stance,
    /// Who holds whom.
    #[sim(section = "hold")]
    pub hold: Hold,
    /// What its player presses in this frame.
    #[sim(section = "frame_input")]
    pub pad: FrameInput,
    /// What its player pressed before.
    #[sim(section = "input_buffer")]
    pub input: InputMemory,
    /// Chance. It decides nothing but what is seen.
    #[sim(section = "rng")]
    pub rng: Rng,
    /// What it has sent on its way.
    #[sim(section = "projectiles")]
    pub projectiles: [Projectile; PROJECTILE_SLOTS],
    /// Who it is.
    #[sim(section = "identity")]
    pub identity: Identity,
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

    /// Its feet, into the depth from the middle.
    #[must_use]
    pub const fn z(&self) -> Fx {
        self.motion.position[Z]
    }

    /// For which team it fights.
    #[must_use]
    pub const fn team(&self) -> u8 {
        self.identity.team
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

    /// Begins `act`, even if it is the one that is going on. What a move had running ends.
    pub(crate) fn begin(&mut self, act: Act, frames: u16) {
        self.action.act = act as u8;
        self.action.elapsed_frames = 0;
        self.action.left_frames = frames;
        self.action.contact = 0;
        if !matches!(act, Act::Attack | Act::Throwing) {
            self.action.move_name = NameHash::NONE;
        }
        self.hitboxes = Hitboxes::zeroed();
        self.power_crush.hits_left = 0;
        self.hold = Hold::zeroed();
        self.show(CLIPS[act as usize % CLIPS.len()], BLEND_FRAMES);
    }

    /// Stance and Ki Charge end: it was hit or got hold of.
    pub(crate) fn lose_poise(&mut self) {
        self.ki.left_frames = 0;
        self.stance = Stance::zeroed();
    }

    /// Goes on with `act`, or begins it.
    pub(crate) fn keep(&mut self, act: Act) {
        if self.act() != act {
            self.begin(act, 0);
        }
    }

    /// Begins an animation.
    pub(crate) fn show(&mut self, clip: NameHash, blend_frames: u8) {
        self.animation.clip = clip;
        self.animation.clip_frames = 0;
        self.animation.blend_frames = blend_frames;
    }
}

const BLEND_FRAMES: u8 = 4;

/// The animations of the acts, by number.
const CLIPS: [NameHash; Act::LAST as usize + 1] = [
    NameHash::constant("stand"),
    NameHash::constant("walk.forward"),
    NameHash::constant("walk.back"),
    NameHash::constant("crouch"),
    NameHash::constant("guard"),
    NameHash::constant("jump.start"),
    NameHash::constant("air"),
    NameHash::constant("landing"),
    NameHash::constant("attack"),
    NameHash::constant("hit"),
    NameHash::constant("block"),
    NameHash::constant("launched"),
    NameHash::constant("down"),
    NameHash::constant("out"),
    NameHash::constant("dash"),
    NameHash::constant("backdash"),
    NameHash::constant("sidestep"),
    NameHash::constant("wall.splat"),
    NameHash::constant("throwing"),
    NameHash::constant("thrown"),
];
