//! [`Mechanic`]: the parts of the game that the rules can switch off.

/// A part of the game. The rules list those that are off, so that a designer can look at a fight
/// without one, and a test can show that each matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs, reason = "each has the name of the mechanic")]
pub enum Mechanic {
    Armour,
    Attributes,
    Backdash,
    Blocking,
    Buffer,
    Cancels,
    Charge,
    Chip,
    Cooldowns,
    CounterHits,
    DamageScaling,
    Dash,
    GravityScaling,
    Heat,
    Hitstop,
    JuggleLimit,
    KiCharge,
    Knockdown,
    Launch,
    Meter,
    Motions,
    Plinks,
    ProjectileClash,
    Projectiles,
    PushBoxes,
    Pushback,
    Rage,
    Sidestep,
    Stances,
    Status,
    Teleport,
    ThrowTech,
    Throws,
    TimeOver,
    Tracking,
    WallSplat,
}

use Mechanic as M;

impl Mechanic {
    /// Every mechanic, with the name by which the rules switch it off.
    pub const ALL: [(&'static str, Self); 36] = [
        ("armour", M::Armour),
        ("attributes", M::Attributes),
        ("backdash", M::Backdash),
        ("blocking", M::Blocking),
        ("buffer", M::Buffer),
        ("cancels", M::Cancels),
        ("charge", M::Charge),
        ("chip", M::Chip),
        ("cooldowns", M::Cooldowns),
        ("counter_hits", M::CounterHits),
        ("damage_scaling", M::DamageScaling),
        ("dash", M::Dash),
        ("gravity_scaling", M::GravityScaling),
        ("heat", M::Heat),
        ("hitstop", M::Hitstop),
        ("juggle_limit", M::JuggleLimit),
        ("ki_charge", M::KiCharge),
        ("knockdown", M::Knockdown),
        ("launch", M::Launch),
        ("meter", M::Meter),
        ("motions", M::Motions),
        ("plinks", M::Plinks),
        ("projectile_clash", M::ProjectileClash),
        ("projectiles", M::Projectiles),
        ("push_boxes", M::PushBoxes),
        ("pushback", M::Pushback),
        ("rage", M::Rage),
        ("sidestep", M::Sidestep),
        ("stances", M::Stances),
        ("status", M::Status),
        ("teleport", M::Teleport),
        ("throw_tech", M::ThrowTech),
        ("throws", M::Throws),
        ("time_over", M::TimeOver),
        ("tracking", M::Tracking),
        ("wall_splat", M::WallSplat),
    ];
}

/// Which mechanics are on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mechanics(u64);

impl Mechanics {
    pub(crate) const ALL_ON: Self = Self(u64::MAX);

    pub(crate) const fn has(self, mechanic: Mechanic) -> bool {
        self.0 & (1 << mechanic as u8) != 0
    }

    pub(crate) const fn without(self, mechanic: Mechanic) -> Self {
        Self(self.0 & !(1 << mechanic as u8))
    }

    /// As the canonical text has it.
    pub(crate) const fn bits(self) -> u64 {
        self.0
    }
}
