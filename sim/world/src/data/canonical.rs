//! One text for one set of values: what peers compare by its hash.
//!
//! Every struct is taken apart by name, so that a field that is added later does not compile until
//! it is part of the text.

use super::{BoxData, ByPosture, CharacterData, MoveData, RulesData, StageData, WorldData};
use core::fmt::{Display, Write};
use snapback_core::Fx;

struct Lines(String);

impl Lines {
    fn line(&mut self, name: &str, value: impl Display) {
        // Writing to a text cannot fail.
        let _ = writeln!(self.0, "{name}={value}");
    }

    fn fx(&mut self, name: &str, value: Fx) {
        self.line(name, value.to_bits());
    }

    fn rectangle(&mut self, name: &str, value: &BoxData) {
        let BoxData { back, front, bottom, top } = value;
        self.line(name, format_args!("{},{},{},{}", back.to_bits(), front.to_bits(), bottom.to_bits(), top.to_bits()));
    }

    fn boxes(&mut self, name: &str, values: &[BoxData]) {
        self.line(name, values.len());
        for value in values {
            self.rectangle(name, value);
        }
    }
}

pub(super) fn text(data: &WorldData) -> String {
    let WorldData { stage, rules, characters } = data;
    let mut out = Lines(String::new());
    let StageData { half_width, start_near, start_far } = stage;
    out.fx("half_width", *half_width);
    out.fx("start_near", *start_near);
    out.fx("start_far", *start_far);
    let RulesData { round_frames, intro_frames, round_end_frames, match_end_frames, rounds_to_win, max_rounds, buffer_frames } = rules;
    out.line("round_frames", round_frames);
    out.line("intro_frames", intro_frames);
    out.line("round_end_frames", round_end_frames);
    out.line("match_end_frames", match_end_frames);
    out.line("rounds_to_win", rounds_to_win);
    out.line("max_rounds", max_rounds);
    out.line("buffer_frames", buffer_frames);
    out.line("characters", characters.len());
    for value in characters {
        character(&mut out, value);
    }
    out.0
}

fn character(out: &mut Lines, data: &CharacterData) {
    let CharacterData {
        name,
        health,
        meter_max,
        walk_forward,
        walk_back,
        jump_start_frames,
        jump_up,
        jump_forward,
        jump_back,
        gravity,
        landing_frames,
        down_frames,
        friction,
        push_box,
        hurt_boxes,
        moves,
    } = data;
    out.line("character", format_args!("{name:?}"));
    out.line("health", health);
    out.line("meter_max", meter_max);
    out.fx("walk_forward", *walk_forward);
    out.fx("walk_back", *walk_back);
    out.line("jump_start_frames", jump_start_frames);
    out.fx("jump_up", *jump_up);
    out.fx("jump_forward", *jump_forward);
    out.fx("jump_back", *jump_back);
    out.fx("gravity", *gravity);
    out.line("landing_frames", landing_frames);
    out.line("down_frames", down_frames);
    out.fx("friction", *friction);
    let ByPosture { standing, crouching, air } = push_box;
    out.rectangle("push_standing", standing);
    out.rectangle("push_crouching", crouching);
    out.rectangle("push_air", air);
    let ByPosture { standing, crouching, air } = hurt_boxes;
    out.boxes("hurt_standing", standing);
    out.boxes("hurt_crouching", crouching);
    out.boxes("hurt_air", air);
    out.line("moves", moves.len());
    for value in moves {
        attack(out, value);
    }
}

fn attack(out: &mut Lines, data: &MoveData) {
    let MoveData {
        name,
        button,
        posture,
        guard,
        startup_frames,
        active_frames,
        recovery_frames,
        damage,
        block_damage,
        hitstun_frames,
        blockstun_frames,
        hit_pushback,
        block_pushback,
        launch_up,
        meter_on_hit,
        meter_on_block,
        hit_boxes,
        hurt_boxes,
        // Follow from the name.
        cues: _,
    } = data;
    out.line("move", format_args!("{name:?}"));
    out.line("button", button);
    out.line("posture", *posture as u8);
    out.line("guard", *guard as u8);
    out.line("startup_frames", startup_frames);
    out.line("active_frames", active_frames);
    out.line("recovery_frames", recovery_frames);
    out.line("damage", damage);
    out.line("block_damage", block_damage);
    out.line("hitstun_frames", hitstun_frames);
    out.line("blockstun_frames", blockstun_frames);
    out.fx("hit_pushback", *hit_pushback);
    out.fx("block_pushback", *block_pushback);
    out.fx("launch_up", *launch_up);
    out.line("meter_on_hit", meter_on_hit);
    out.line("meter_on_block", meter_on_block);
    out.boxes("hit_boxes", hit_boxes);
    out.boxes("move_hurt_boxes", hurt_boxes);
}
