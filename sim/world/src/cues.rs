//! The names of the effects that the world raises, for a host that shows or plays them.
//!
//! An effect's identity is its frame, its source, its kind and its key. The source is the seat of
//! a fighter, or [`STAGE`]. Nothing in it depends on the order in which a frame is worked through.

use snapback_core::NameHash;

/// The source of what no fighter causes.
pub const STAGE: u32 = u32::MAX;

/// A fighter leaves the ground. Data: x, y.
pub const JUMP: NameHash = NameHash::constant("jump");
/// A fighter touches the ground. Data: x, y.
pub const LAND: NameHash = NameHash::constant("land");
/// A fighter has no health left. Data: x, y.
pub const KNOCK_OUT: NameHash = NameHash::constant("ko");
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

/// A move begins. Data: x, y. `swing("light")` for the move `light`.
#[must_use]
pub fn swing(move_name: &str) -> NameHash {
    NameHash::of(&format!("swing.{move_name}"))
}

/// A move lands. The source is the attacker, the key the seat of the defender. Data: x, y of the
/// defender, damage, and a number that varies the spark. `hit("light")` for the move `light`.
#[must_use]
pub fn hit(move_name: &str) -> NameHash {
    NameHash::of(&format!("hit.{move_name}"))
}

/// A move is guarded. Like [`hit`].
#[must_use]
pub fn block(move_name: &str) -> NameHash {
    NameHash::of(&format!("block.{move_name}"))
}
