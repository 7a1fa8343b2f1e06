//! What a player presses: held, pressed, tapped twice, the motions before a button, charges.

use crate::data::{Mechanic, MotionInput, WorldData};
use crate::fighter::{Act, Fighter, FrameInput, InputMemory, taps};
use crate::pad::PadInput;

const ATTACK_BUTTONS: u16 = PadInput::LIGHT | PadInput::HEAVY | PadInput::GRAB | PadInput::SPECIAL;

/// When a pad is read.
pub(super) struct Moment {
    pub(super) is_fight: bool,
    /// Everything stands still.
    pub(super) is_still: bool,
    /// The side of the nearest enemy, as [`Sight::towards`](super::sight::Sight) has it.
    pub(super) towards: i8,
}

/// The side to which the fighter will look when it obeys: one who lies, reels, lands or has missed
/// turns first, and its player means the side on which the enemy is by then. A jump and a move that
/// can be cancelled keep their direction.
fn facing(fighter: &Fighter, towards: i8) -> i8 {
    let keeps = match fighter.act() {
        Act::Air | Act::JumpStart | Act::Throwing => true,
        Act::Attack => fighter.action.contact != 0 || fighter.is_airborne(),
        _ => false,
    };
    if keeps || towards == 0 { fighter.facing() } else { towards }
}

/// Takes note of the pad, and keeps fresh presses of attack buttons for a while: a player presses
/// before the fighter is free. Nobody is free while everything stands still, so a press does not
/// grow old then. Outside the fight no press is kept.
pub(super) fn remember(data: &WorldData, fighter: &mut Fighter, pad: PadInput, moment: &Moment) {
    let is_fight = moment.is_fight;
    let rules = &data.rules;
    let facing = facing(fighter, moment.towards);
    let before = fighter.pad.held;
    let memory = &mut fighter.input;
    memory.push(pad);
    let pressed = PadInput::new(pad.buttons & !before.buttons);
    let taps = if pressed.holds(PadInput::UP | PadInput::DOWN | PadInput::LEFT | PadInput::RIGHT) {
        second_taps(memory, pad, facing, rules.double_tap_frames)
    } else {
        0
    };
    let released = PadInput::new(before.buttons & !pad.buttons);
    fighter.pad = FrameInput { held: pad, pressed, released, taps, reserved: 0 };
    charge(memory, pad, facing, rules.charge_frames, rules.charge_kept_frames);

    memory.press_age = memory.press_age.saturating_add(1);
    memory.waiting_frames = memory.waiting_frames.saturating_sub(u8::from(!moment.is_still));
    let fresh = pressed.buttons & ATTACK_BUTTONS;
    if fresh != 0 && is_fight {
        let together = data.has(Mechanic::Plinks) && memory.press_age <= rules.plink_frames && memory.last_press.buttons != 0;
        let motions = if data.has(Mechanic::Motions) { motions(data, memory, pad, facing) } else { 0 };
        if together {
            memory.last_press.buttons |= fresh;
            memory.waiting_motions |= motions;
        } else {
            memory.last_press = PadInput::new(fresh);
            memory.press_age = 0;
            memory.waiting_motions = motions;
        }
        memory.plinked = u8::from(together);
        memory.waiting = memory.last_press;
        memory.waiting_direction = pad.keypad(facing);
        memory.waiting_frames = if data.has(Mechanic::Buffer) { rules.buffer_frames } else { 1 };
    } else if memory.waiting_frames == 0 || !is_fight {
        memory.forget_press();
    }
}

/// Back held long enough stays charged for a moment after it is let go.
fn charge(memory: &mut InputMemory, pad: PadInput, facing: i8, needed: u8, kept: u8) {
    if matches!(pad.keypad(facing), 1 | 4 | 7) {
        memory.charge_frames = memory.charge_frames.saturating_add(1);
        memory.charged_frames = if memory.charge_frames >= needed { kept } else { 0 };
    } else {
        memory.charge_frames = 0;
        memory.charged_frames = memory.charged_frames.saturating_sub(1);
    }
}

/// The directions that were tapped, let go and are tapped again, without another one in between.
fn second_taps(memory: &InputMemory, pad: PadInput, facing: i8, window_frames: u8) -> u8 {
    let direction = pad.keypad(facing);
    let tap = match direction {
        6 => taps::FORWARD,
        4 => taps::BACK,
        8 => taps::UP,
        2 => taps::DOWN,
        _ => return 0,
    };
    let mut was_let_go = false;
    for frames_ago in 1..=usize::from(window_frames) {
        match memory.ago(frames_ago).keypad(facing) {
            5 => was_let_go = true,
            before if before == direction && was_let_go => return tap,
            _ => return 0,
        }
    }
    0
}

/// The directions of each motion on the keypad, the last one first.
const SEQUENCES: [(MotionInput, [u8; 3]); 3] =
    [(MotionInput::Quarter, [6, 3, 2]), (MotionInput::QuarterBack, [4, 1, 2]), (MotionInput::Dragon, [3, 2, 6])];

/// The motions that are complete: each of its directions was held, in this order, within the time
/// that the rules give. Others may lie between them.
fn motions(data: &WorldData, memory: &InputMemory, pad: PadInput, facing: i8) -> u8 {
    let mut found = [0_usize; SEQUENCES.len()];
    for frames_ago in 0..usize::from(data.rules.motion_frames) {
        let direction = memory.ago(frames_ago).keypad(facing);
        for ((_, sequence), found) in SEQUENCES.iter().zip(&mut found) {
            *found += usize::from(sequence.get(*found) == Some(&direction));
        }
    }
    let mut complete = 0;
    for ((motion, sequence), found) in SEQUENCES.iter().zip(found) {
        if found == sequence.len() {
            complete |= *motion as u8;
        }
    }
    let is_charged = memory.charged_frames > 0 && data.has(Mechanic::Charge);
    if is_charged && matches!(pad.keypad(facing), 3 | 6 | 9) {
        complete |= MotionInput::Charge as u8;
    }
    complete
}
