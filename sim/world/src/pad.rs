//! [`PadInput`]: what a player presses in one frame.

use bytemuck::{Pod, Zeroable};
use snapback_core::SimState;

/// The buttons that are held in one frame.
///
/// The world ignores bits above [`PadInput::SPECIAL`] and takes opposite directions as neither.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct PadInput {
    /// One bit for each button.
    pub buttons: u16,
}

impl PadInput {
    /// Jumps if it is held; twice, or with guard, it is a sidestep into the depth.
    pub const UP: u16 = 1 << 0;
    /// Crouches; twice, it is a sidestep out of the depth.
    pub const DOWN: u16 = 1 << 1;
    /// Walks left; guards against an attack that comes from the right.
    pub const LEFT: u16 = 1 << 2;
    /// Walks right; guards against an attack that comes from the left.
    pub const RIGHT: u16 = 1 << 3;
    /// The light attack (A).
    pub const LIGHT: u16 = 1 << 4;
    /// The heavy attack (B).
    pub const HEAVY: u16 = 1 << 5;
    /// Throws, and escapes from throws (Z).
    pub const GRAB: u16 = 1 << 6;
    /// Jumps (X or Y); with guard, it is a sidestep out of the depth.
    pub const JUMP: u16 = 1 << 7;
    /// Guards against attacks from either side (shield).
    pub const GUARD: u16 = 1 << 8;
    /// The special button (C-stick).
    pub const SPECIAL: u16 = 1 << 9;
    /// Every button that exists.
    pub const ALL: u16 = (1 << 10) - 1;

    /// These buttons held.
    #[must_use]
    pub const fn new(buttons: u16) -> Self {
        Self { buttons }
    }

    /// What the world makes of it: no unknown bits, no opposite directions.
    #[must_use]
    pub const fn cleaned(self) -> Self {
        let mut buttons = self.buttons & Self::ALL;
        if buttons & (Self::LEFT | Self::RIGHT) == Self::LEFT | Self::RIGHT {
            buttons &= !(Self::LEFT | Self::RIGHT);
        }
        if buttons & (Self::UP | Self::DOWN) == Self::UP | Self::DOWN {
            buttons &= !(Self::UP | Self::DOWN);
        }
        Self { buttons }
    }

    /// Whether any of `buttons` is held.
    #[must_use]
    pub const fn holds(self, buttons: u16) -> bool {
        self.buttons & buttons != 0
    }

    /// -1 for left, 1 for right, 0 for neither or both.
    #[must_use]
    pub const fn direction(self) -> i8 {
        self.holds(Self::RIGHT) as i8 - self.holds(Self::LEFT) as i8
    }

    /// The direction as on a numeric keypad, for one who looks to `facing`: 6 is forward, 2 down.
    #[must_use]
    pub const fn keypad(self, facing: i8) -> u8 {
        let along = if facing < 0 { -self.direction() } else { self.direction() };
        let up = self.holds(Self::UP) as i8 - self.holds(Self::DOWN) as i8;
        (5 + along + 3 * up) as u8
    }

    /// The press that a word means, for one who looks to the right: a direction as on a numeric
    /// keypad, then buttons by letter (L light, H heavy, Z grab, S special, G guard, J jump). `6` is
    /// forward, `5` nothing, `2L` down and light. `None` if a character is neither.
    ///
    /// ```
    /// use snapback_sim::PadInput;
    /// assert_eq!(PadInput::from_notation("3H"), Some(PadInput::new(PadInput::DOWN | PadInput::RIGHT | PadInput::HEAVY)));
    /// assert_eq!(PadInput::from_notation("x"), None);
    /// ```
    #[must_use]
    pub fn from_notation(word: &str) -> Option<Self> {
        let mut buttons = 0;
        for key in word.chars() {
            buttons |= match key {
                '1' => Self::DOWN | Self::LEFT,
                '2' => Self::DOWN,
                '3' => Self::DOWN | Self::RIGHT,
                '4' => Self::LEFT,
                '5' => 0,
                '6' => Self::RIGHT,
                '7' => Self::UP | Self::LEFT,
                '8' => Self::UP,
                '9' => Self::UP | Self::RIGHT,
                'L' => Self::LIGHT,
                'H' => Self::HEAVY,
                'Z' => Self::GRAB,
                'S' => Self::SPECIAL,
                'G' => Self::GUARD,
                'J' => Self::JUMP,
                _ => return None,
            };
        }
        Some(Self { buttons })
    }

    /// The same press seen in a mirror: left and right exchanged.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        let sides = Self::LEFT | Self::RIGHT;
        let left = if self.holds(Self::RIGHT) { Self::LEFT } else { 0 };
        let right = if self.holds(Self::LEFT) { Self::RIGHT } else { 0 };
        Self { buttons: self.buttons & !sides | left | right }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cleaning_is_final_and_mirroring_its_own_inverse() {
        for buttons in 0..=u16::MAX {
            let pad = PadInput::new(buttons);
            let clean = pad.cleaned();
            assert_eq!(clean.cleaned(), clean);
            assert_eq!(clean.direction(), pad.direction());
            assert_eq!(clean.buttons & !PadInput::ALL, 0);
            assert_eq!(pad.mirrored().mirrored(), pad);
            assert_eq!(pad.mirrored().direction(), -pad.direction());
        }
        assert_eq!(PadInput::new(u16::MAX).cleaned().buttons, PadInput::ALL & !0b1111);
    }
}
