//! What a character is: speeds, bodies, stances, moves.

use super::boxes::{BodyBox, ByPosture, ByPostures};
use super::moves::MoveTable;
use super::rules::{MAX_SHARE, MAX_SPEED, MAX_TIMER_FRAMES};
use super::table::{Name, decimal, list, one, or, own_name, table, truth, whole};
use snapback_core::Fx;

const MAX_ACT_FRAMES: i64 = 600;
pub(super) const MAX_VITALS: i64 = 10_000;
const MAX_STANCES: usize = 8;
pub(super) const MAX_MOVES: usize = 64;

table! {
    struct CharacterTable {
        name: Name = own_name("character"),
        health: i32 = whole(1, MAX_VITALS),
        meter_max: i32 = whole(0, MAX_VITALS),
        /// Damage dealt, damage taken, speed and meter gained, in thousandths.
        damage_share: u16 = or(1_000, whole(0, MAX_SHARE)),
        damage_taken_share: u16 = or(1_000, whole(0, MAX_SHARE)),
        speed_share: u16 = or(1_000, whole(0, MAX_SHARE)),
        meter_share: u16 = or(1_000, whole(0, MAX_SHARE)),
        walk_forward: Fx = decimal(0, MAX_SPEED),
        walk_back: Fx = decimal(0, MAX_SPEED),
        /// How fast walking forward brings the fighter to the depth of its enemy.
        align_speed: Fx = decimal(0, MAX_SPEED),
        dash_speed: Fx = decimal(0, MAX_SPEED),
        dash_frames: u16 = whole(1, MAX_ACT_FRAMES),
        backdash_speed: Fx = decimal(0, MAX_SPEED),
        backdash_frames: u16 = whole(1, MAX_ACT_FRAMES),
        sidestep_speed: Fx = decimal(0, MAX_SPEED),
        sidestep_frames: u16 = whole(1, MAX_ACT_FRAMES),
        jump_start_frames: u16 = whole(1, MAX_ACT_FRAMES),
        jump_up: Fx = decimal(1, MAX_SPEED),
        jump_forward: Fx = decimal(0, MAX_SPEED),
        jump_back: Fx = decimal(0, MAX_SPEED),
        gravity: Fx = decimal(0, MAX_SPEED),
        landing_frames: u16 = whole(1, MAX_ACT_FRAMES),
        down_frames: u16 = whole(1, MAX_ACT_FRAMES),
        /// How fast a pushback dies away.
        friction: Fx = decimal(0, MAX_SPEED),
        push_box: ByPosture<BodyBox> = one(ByPosture::<BodyBox>::read),
        hurt_boxes: ByPostures = one(ByPostures::read),
        stance: Vec<StanceTable> = list(0, MAX_STANCES, StanceTable::read),
        r#move: Vec<MoveTable> = list(1, MAX_MOVES, MoveTable::read),
    }
}

table! {
    struct StanceTable {
        name: Name = own_name("stance"),
        /// How long it lasts.
        frames: u16 = whole(1, MAX_TIMER_FRAMES),
        can_guard: bool = or(false, truth()),
        crouching: bool = or(false, truth()),
        /// Speed forward while in it.
        speed: Fx = or(Fx::ZERO, decimal(-MAX_SPEED, MAX_SPEED)),
    }
}
