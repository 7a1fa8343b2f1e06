//! What plays a seat that its player has given to the bot: it walks up, strikes, and guards when it is struck at.
//!
//! It looks at the state alone and at nothing that a mirror would change, like everything in a step.

use super::sight::Sight;
use crate::fighter::{Act, Fighter};
use crate::pad::PadInput;
use snapback_core::Fx;

/// From which distance on it walks.
const REACH: Fx = Fx::from_int(85);

/// How long it takes to go through its attacks once.
const ROUTINE_FRAMES: u64 = 40;

pub(super) fn press(fighters: &[Fighter], own: &Fighter, sight: &Sight, frame_count: u64) -> PadInput {
    let enemies = || fighters.iter().filter(|other| other.team() != own.team() && other.is_alive());
    let Some(distance) = enemies().map(|enemy| (enemy.x() - own.x()).abs()).min() else { return PadInput::default() };
    let forward = match sight.towards {
        0 => 0,
        1.. => PadInput::RIGHT,
        _ => PadInput::LEFT,
    };
    if distance > REACH {
        return PadInput::new(forward);
    }
    let is_struck_at = enemies().any(|enemy| enemy.act() == Act::Attack && (enemy.x() - own.x()).abs() <= REACH);
    PadInput::new(match frame_count % ROUTINE_FRAMES {
        _ if is_struck_at && own.act() != Act::Attack => PadInput::GUARD,
        0 | 1 => PadInput::LIGHT,
        12 | 13 => forward | PadInput::HEAVY,
        26 | 27 => PadInput::GRAB,
        _ => 0,
    })
}
