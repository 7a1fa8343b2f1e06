//! The names of the effects that the world raises, for a host that shows or plays them.
//!
//! An effect's identity is its frame, its source, its kind and its key. The source is the seat of
//! a fighter, or [`STAGE`]. Nothing in it depends on the order in which a frame is worked through.

use crate::fighter::PROJECTILE_SLOTS;
use snapback_core::NameHash;

/// The source of what no fighter causes.
pub const STAGE: u32 = u32::MAX;

/// The source of what a projectile causes: the one in `slot` of the fighter at `seat`.
#[must_use]
pub const fn projectile(seat: usize, slot: usize) -> u32 {
    (16 + seat * PROJECTILE_SLOTS + slot) as u32
}

/// A fighter leaves the ground. Data: x, y.
pub const JUMP: NameHash = NameHash::constant("jump");
/// A fighter touches the ground. Data: x, y.
pub const LAND: NameHash = NameHash::constant("land");
/// A fighter has no health left. Data: x, y.
pub const KNOCK_OUT: NameHash = NameHash::constant("ko");
/// A fighter dashes or backdashes. Data: x, y.
pub const DASH: NameHash = NameHash::constant("dash");
/// A fighter steps aside. Data: x, y, and 1 into the depth or -1 out of it.
pub const SIDESTEP: NameHash = NameHash::constant("sidestep");
/// A fighter sticks to a wall. Data: x, y.
pub const WALL_SPLAT: NameHash = NameHash::constant("wall.splat");
/// A hit is absorbed by armour. The source is the one with the armour. Data: x, y, damage.
pub const ARMOUR: NameHash = NameHash::constant("armour");
/// A throw gets hold. The key is the seat of the one who is held. Data: x, y.
pub const GRAB: NameHash = NameHash::constant("grab");
/// A throw is escaped from: one effect for each of those who come free. Data: x, y.
pub const TECH: NameHash = NameHash::constant("tech");
/// A projectile meets another one and loses hits. Data: x, y.
pub const CLASH: NameHash = NameHash::constant("clash");
/// A fighter is suddenly somewhere else. Data: x, y.
pub const TELEPORT: NameHash = NameHash::constant("teleport");
/// Heat begins. Data: x, y.
pub const HEAT: NameHash = NameHash::constant("heat");
/// Rage begins. Data: x, y.
pub const RAGE: NameHash = NameHash::constant("rage");
/// Ki Charge begins. Data: x, y.
pub const KI_CHARGE: NameHash = NameHash::constant("ki.charge");
/// The fighters stand ready. Key: the round number. Data: match number, round number, variation of
/// the stage.
pub const ROUND_START: NameHash = NameHash::constant("round.start");
/// The fighters may act. Key: the round number. Data: match number, round number.
pub const ROUND_FIGHT: NameHash = NameHash::constant("round.fight");
/// A round is decided. Key: the round number. Data: match number, round number, and the winner:
/// -1 for a draw, else the team.
pub const ROUND_END: NameHash = NameHash::constant("round.end");
/// A match is decided. Key: the match number. Data: match number, round number, and the winner:
/// -1 for a draw, else the team.
pub const MATCH_END: NameHash = NameHash::constant("match.end");

/// A pause begins. Data: the seat of who paused.
pub const PAUSE: NameHash = NameHash::constant("pause");
/// A pause is over. Data: the seat of who paused.
pub const RESUME: NameHash = NameHash::constant("resume");
/// A player gives the match up. Data: x, y.
pub const SURRENDER: NameHash = NameHash::constant("surrender");
/// Somebody else plays a fighter from now on, or its own player again. Data: x, y, and who plays it: -1 for the
/// bot, else the seat.
pub const TAKEOVER: NameHash = NameHash::constant("takeover");

/// A move begins. Data: x, y. `swing("light")` for the move `light`.
#[must_use]
pub fn swing(move_name: &str) -> NameHash {
    NameHash::of(&format!("swing.{move_name}"))
}

/// A move lands. The source is the attacker, the key the seat of the defender, plus 16 times the
/// number of the move's hit. Data: x, y of the
/// defender, damage, and a number that varies the spark, plus 8 for a counter hit. `hit("light")` for the move `light`.
#[must_use]
pub fn hit(move_name: &str) -> NameHash {
    NameHash::of(&format!("hit.{move_name}"))
}

/// A move is guarded. Like [`hit`].
#[must_use]
pub fn block(move_name: &str) -> NameHash {
    NameHash::of(&format!("block.{move_name}"))
}
