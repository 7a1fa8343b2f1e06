//! [`Act`]: what a fighter is doing.

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
    /// Has just landed, or recovers from a throw.
    Landing,
    /// Carries out a move.
    Attack,
    /// Reels from a hit.
    HitStun,
    /// Holds the guard under an attack.
    BlockStun,
    /// Was hit off the ground and falls.
    Launched,
    /// Lies on the ground, out of reach of most attacks.
    Down,
    /// Has no health left.
    KnockedOut,
    /// Dashes forward.
    Dash,
    /// Dashes back, out of reach of throws.
    Backdash,
    /// Steps into the depth, or out of it.
    Sidestep,
    /// Sticks to the wall.
    WallSplat,
    /// Holds an enemy.
    Throwing,
    /// Is held by an enemy.
    Thrown,
}

impl Act {
    /// Everything that a fighter can be doing, by number.
    pub const ALL: [Self; 20] = [
        Self::Stand,
        Self::WalkForward,
        Self::WalkBack,
        Self::Crouch,
        Self::Guard,
        Self::JumpStart,
        Self::Air,
        Self::Landing,
        Self::Attack,
        Self::HitStun,
        Self::BlockStun,
        Self::Launched,
        Self::Down,
        Self::KnockedOut,
        Self::Dash,
        Self::Backdash,
        Self::Sidestep,
        Self::WallSplat,
        Self::Throwing,
        Self::Thrown,
    ];

    /// The greatest number of an act.
    pub(crate) const LAST: u8 = Self::ALL.len() as u8 - 1;

    pub(crate) const fn from_state(state: u8) -> Self {
        if state <= Self::LAST { Self::ALL[state as usize] } else { Self::Stand }
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

    /// Whether ordinary attacks reach the fighter.
    #[must_use]
    pub const fn is_vulnerable(self) -> bool {
        !matches!(self, Self::Down | Self::KnockedOut | Self::Throwing | Self::Thrown)
    }

    /// Whether a throw gets hold of the fighter.
    #[must_use]
    pub const fn can_be_thrown(self) -> bool {
        self.is_free() || matches!(self, Self::Attack | Self::Dash | Self::Sidestep | Self::Landing)
    }

    /// Whether the fighter has yet to recover from a hit: what hits it now is the same combo.
    #[must_use]
    pub const fn is_reeling(self) -> bool {
        matches!(self, Self::HitStun | Self::Launched | Self::WallSplat | Self::Down | Self::Thrown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_act_comes_back_from_its_number() {
        for (number, act) in (0..).zip(Act::ALL) {
            assert_eq!((act as u8, Act::from_state(number)), (number, act));
        }
        assert_eq!(Act::from_state(Act::LAST + 1), Act::Stand);
    }
}
