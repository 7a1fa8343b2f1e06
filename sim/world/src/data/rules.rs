//! The rules, the stage and the status effects: what is the same for every character.

use super::DataError;
use super::canonical::{Canonical, Lines};
use super::mechanics::{Mechanic, Mechanics};
use super::read::Node;
use super::table::{Name, decimal, or, own_name, table, whole};
use snapback_core::Fx;
use snapback_core::control::{ControlRules, MAX_DELAY_FRAMES};

/// Longest a round or a pause may last.
const MAX_PHASE_FRAMES: i64 = 36_000;
/// Longest a timer of a fighter may run.
pub(super) const MAX_TIMER_FRAMES: i64 = 3_600;
pub(super) const MAX_SPEED: i32 = 100;
/// Greatest share that is given in thousandths.
pub(super) const MAX_SHARE: i64 = 5_000;

table! {
    struct StageTable {
        /// From the middle to each wall.
        half_width: Fx = decimal(100, 10_000),
        /// From the middle into the depth and out of it.
        half_depth: Fx = decimal(20, 2_000),
        /// How far from the middle the first fighter of each side starts.
        start_near: Fx = decimal(1, 10_000),
        /// How much further out each fighter after the first one starts.
        start_spacing: Fx = decimal(1, 10_000),
    }
}

table! {
    struct RulesTable {
        round_frames: u32 = whole(1, MAX_PHASE_FRAMES),
        intro_frames: u32 = whole(1, MAX_PHASE_FRAMES),
        round_end_frames: u32 = whole(1, MAX_PHASE_FRAMES),
        match_end_frames: u32 = whole(1, MAX_PHASE_FRAMES),
        rounds_to_win: u8 = whole(1, 9),
        max_rounds: u32 = whole(1, 99),
        buffer_frames: u8 = whole(1, 60),
        plink_frames: u8 = whole(0, 10),
        motion_frames: u8 = whole(3, 31),
        double_tap_frames: u8 = whole(2, 31),
        charge_frames: u8 = whole(1, 250),
        charge_kept_frames: u8 = whole(1, 60),
        step_lock_frames: u16 = whole(1, 60),
        juggle_limit: u16 = whole(1, 1_000),
        gravity_gained_max: u16 = whole(0, 9_000),
        scaling_min: u16 = whole(0, 1_000),
        air_hit_up: Fx = decimal(0, MAX_SPEED),
        wall_splat_frames: u16 = whole(1, 600),
        wall_splats_max: u8 = whole(0, 9),
        throw_tech_frames: u16 = whole(0, 600),
        throw_tech_pushback: Fx = decimal(0, MAX_SPEED),
        meter_taken_share: i32 = whole(0, MAX_SHARE),
        armour_damage_share: i32 = whole(0, MAX_SHARE),
        rage_health_share: i32 = whole(0, 1_000),
        rage_damage_gain: i16 = whole(0, MAX_SHARE),
        heat_frames: u16 = whole(1, MAX_TIMER_FRAMES),
        heat_damage_gain: i16 = whole(0, MAX_SHARE),
        heat_chip_share: i32 = whole(0, MAX_SHARE),
        ki_frames: u16 = whole(1, MAX_TIMER_FRAMES),
        /// How many frames after it was given a command takes effect.
        command_delay_frames: u8 = or(ControlRules::default().delay_frames, whole(0, i64::from(MAX_DELAY_FRAMES))),
        /// How often each player may pause in a match.
        pauses_per_player: u8 = or(ControlRules::default().pauses_per_player, whole(0, 99)),
        /// How long all pauses of a player may last together.
        pause_frames_per_player: u16 = or(ControlRules::default().pause_frames_per_player, whole(0, MAX_PHASE_FRAMES)),
        disabled: Mechanics = or(Mechanics::ALL_ON, mechanics),
    }
}

impl RulesTable {
    /// What players may command.
    pub(crate) const fn control(&self) -> ControlRules {
        ControlRules {
            delay_frames: self.command_delay_frames,
            pauses_per_player: self.pauses_per_player,
            pause_frames_per_player: self.pause_frames_per_player,
        }
    }
}

/// The list of those that are off.
fn mechanics(node: &mut Node<'_>, field: &'static str) -> Result<Mechanics, DataError> {
    let mut on = Mechanics::ALL_ON;
    for text in node.texts(field, Mechanic::ALL.len())? {
        let Some((_, mechanic)) = Mechanic::ALL.iter().find(|(name, _)| *name == text) else {
            let known: Vec<&str> = Mechanic::ALL.iter().map(|(name, _)| *name).collect();
            return Err(node.error(field, format!("has \"{text}\""), format!("use only {}", known.join(", "))));
        };
        on = on.without(*mechanic);
    }
    Ok(on)
}

impl Canonical for Mechanics {
    fn write(&self, out: &mut Lines, name: &str) {
        out.line(name, self.bits());
    }
}

table! {
    struct StatusTable {
        name: Name = own_name("status"),
        /// How long it lasts.
        frames: u16 = whole(1, MAX_TIMER_FRAMES),
        /// What it adds to the damage that its owner deals, in thousandths.
        damage_gain: i16 = or(0, whole(-MAX_SHARE, MAX_SHARE)),
        /// What it adds to the damage that its owner takes, in thousandths.
        damage_taken_gain: i16 = or(0, whole(-MAX_SHARE, MAX_SHARE)),
        speed_gain: i16 = or(0, whole(-MAX_SHARE, MAX_SHARE)),
        meter_gain: i16 = or(0, whole(-MAX_SHARE, MAX_SHARE)),
        /// Health lost every `every_frames` frames; it leaves 1.
        health_loss: i32 = or(0, whole(0, 10_000)),
        every_frames: u16 = or(60, whole(1, MAX_TIMER_FRAMES)),
    }
}
