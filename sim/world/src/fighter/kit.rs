//! What a fighter carries: abilities, status effects and the values that both change.

use bytemuck::{Pod, Zeroable};
use snapback_core::{NameHash, SimState};

/// How many abilities with a limit a character may have.
pub const ABILITY_SLOTS: usize = 6;
/// How many status effects a fighter may have at once.
pub const STATUS_SLOTS: usize = 4;
/// How many values of a fighter can be changed.
pub const ATTRIBUTES: usize = 4;

/// A move that has a cooldown or may be used so many times a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct AbilitySlot {
    /// The move, by the hash of its name; 0 for an empty slot.
    pub ability: NameHash,
    /// How often it was used in this round.
    pub activations: u16,
    /// Frames until it can be used again.
    pub cooldown_frames: u16,
}

/// The abilities that were used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct Abilities {
    /// Those with a limit.
    pub slots: [AbilitySlot; ABILITY_SLOTS],
    /// The last move that was begun, by the hash of its name.
    pub last: NameHash,
    /// How many moves were begun in this round.
    pub activations: u32,
}

/// A status effect that a fighter has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct StatusSlot {
    /// The effect, by the hash of its name; 0 for an empty slot.
    pub effect: NameHash,
    /// Frames until it ends.
    pub left_frames: u16,
    /// How often it was put on.
    pub stacks: u16,
}

/// The status effects of a fighter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct StatusEffects {
    /// In no order.
    pub slots: [StatusSlot; STATUS_SLOTS],
}

/// The values of a fighter that data, status effects, Heat and Rage change, in thousandths: damage
/// dealt, damage taken, speed, meter gained.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct Attributes {
    /// What holds in this frame.
    #[sim(range = 0..=10000)]
    pub current: [u16; ATTRIBUTES],
    /// What moves have added in this round.
    #[sim(range = -5000..=5000)]
    pub gained: [i16; ATTRIBUTES],
}

/// Which of the [`Attributes`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Attribute {
    Damage,
    Defence,
    Speed,
    Meter,
}

impl Attributes {
    /// A value in thousandths.
    pub(crate) fn of(&self, which: Attribute) -> i32 {
        i32::from(self.current[which as usize])
    }
}
