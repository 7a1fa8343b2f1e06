//! [`ButtonMap`]: equivalent buttons as one, and none that the game does not use.

/// Which buttons a game can tell apart.
///
/// It has no state. Applying it twice is the same as once if [`kept`](Self::kept) has the buttons that
/// [`merged`](Self::merged) presses.
///
/// ```
/// use snapback_core::canonical::ButtonMap;
/// // X and Y both jump; A and B are themselves; Start and the rest do nothing in a match.
/// const START: u32 = 0x1000;
/// const A_OR_B: u32 = 0x300;
/// const X_OR_Y: u32 = 0xC00;
/// const JUMP: u32 = 0x400;
/// let map = ButtonMap { kept: A_OR_B, merged: &[(X_OR_Y, JUMP)] };
/// let (b, x, y) = (0x200, 0x400, 0x800);
/// assert_eq!(map.apply(y | b | START), JUMP | b);
/// assert_eq!(map.apply(x | b), JUMP | b);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ButtonMap {
    /// Buttons that stay what they are. All others are masked.
    pub kept: u32,
    /// Rows of equivalent buttons: if any of the first is pressed, all of the second are.
    pub merged: &'static [(u32, u32)],
}

impl ButtonMap {
    /// Every button as it is.
    pub const ALL: Self = Self { kept: u32::MAX, merged: &[] };

    /// The canonical buttons of these.
    #[must_use]
    pub fn apply(&self, raw: u32) -> u32 {
        self.merged.iter().fold(raw & self.kept, |buttons, (any, pressed)| if raw & any == 0 { buttons } else { buttons | pressed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_is_what_its_rows_say() {
        let map = ButtonMap { kept: 0b0000_0011, merged: &[(0b0000_1100, 0b0001), (0b0001_0000, 0b0110_0000)] };
        for raw in 0..=0xFFu32 {
            let has = |bit: u32| raw >> bit & 1;
            let expected = (has(0) | has(2) | has(3)) | has(1) << 1 | has(4) << 5 | has(4) << 6;
            assert_eq!(map.apply(raw), expected, "{raw:#b}");
            assert_eq!(ButtonMap::ALL.apply(raw), raw);
        }
    }

    #[test]
    fn applied_twice_is_applied_once_if_what_is_pressed_is_kept() {
        let map = ButtonMap { kept: 0x0340, merged: &[(0x0C00, 0x0200), (0x0060, 0x0040)] };
        for raw in 0..=0xFFFFu32 {
            assert_eq!(map.apply(map.apply(raw)), map.apply(raw), "{raw:#x}");
        }
    }
}
