//! The recorded pad, and the ways to make it canonical.

use bytemuck::{Pod, Zeroable};
use snapback::canonical::{AxisSettings, ButtonMap, PadCanonicaliser, PadSettings, RawPad, TriggerSettings};
use snapback::{SimState, StickInput};

/// A GameCube pad as it is recorded, after the game's own dead zone: sticks from -80 to 80, triggers from 0 to
/// 140.
#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable, SimState)]
#[sim(crate = "snapback")]
#[repr(C)]
pub(crate) struct Pad {
    buttons: u16,
    stick: [i8; 2],
    c_stick: [i8; 2],
    triggers: [u8; 2],
}

const UP: u32 = 0x8;
const Z: u32 = 0x10;
const SHIELD: u32 = 0x40;
const R_OR_L: u32 = 0x60;
const A: u32 = 0x100;
const B: u32 = 0x200;
const JUMP: u32 = 0x400;
const X_OR_Y: u32 = 0xC00;

/// The rim of a stick.
pub(crate) const RANGE: i16 = 80;
const STEP: i16 = 8;
pub(crate) const HYSTERESIS: i16 = 2;
/// Where the digital recordings have it, and two thirds of that.
const TRIGGER: TriggerSettings = TriggerSettings { press: 43, release: 30 };

/// What the game can tell apart: X and Y jump, L, R and both triggers shield; of the d-pad only the taunt does
/// anything, and Start is off in tournaments.
const GAME_BUTTONS: ButtonMap = ButtonMap { kept: UP | Z | A | B, merged: &[(X_OR_Y, JUMP), (R_OR_L, SHIELD)] };

impl StickInput for Pad {
    const STICKS: usize = 2;

    fn stick(&self, at: usize) -> [i16; 2] {
        if at == 0 { self.stick } else { self.c_stick }.map(i16::from)
    }

    fn set_stick(&mut self, at: usize, axes: [i16; 2]) {
        let axes = axes.map(|axis| axis as i8);
        *(if at == 0 { &mut self.stick } else { &mut self.c_stick }) = axes;
    }
}

/// Sticks in steps of a tenth; the rest as it was.
pub(crate) fn sticks_in_steps(streams: &[Vec<Pad>]) -> Vec<Vec<Pad>> {
    let of = |raw: &Pad, canonical: Pad| Pad { buttons: raw.buttons, triggers: raw.triggers, ..canonical };
    each(streams, HYSTERESIS, [0; 2], ButtonMap::ALL, of)
}

/// The same, and each trigger a button of its own.
pub(crate) fn triggers_as_buttons(streams: &[Vec<Pad>]) -> Vec<Vec<Pad>> {
    each(streams, HYSTERESIS, [0x2000, 0x4000], ButtonMap::ALL, |_, canonical| canonical)
}

/// The same, and no two buttons that do the same, nor any that does nothing.
pub(crate) fn canonical(streams: &[Vec<Pad>], hysteresis: i16) -> Vec<Vec<Pad>> {
    each(streams, hysteresis, [SHIELD; 2], GAME_BUTTONS, |_, canonical| canonical)
}

fn each(
    streams: &[Vec<Pad>],
    hysteresis: i16,
    trigger_buttons: [u32; 2],
    buttons: ButtonMap,
    of: impl Fn(&Pad, Pad) -> Pad,
) -> Vec<Vec<Pad>> {
    let axis = AxisSettings { step: STEP, dead_zone: 0, hysteresis, range: RANGE };
    let settings = PadSettings { sticks: [axis; 2], triggers: [TRIGGER; 2], trigger_buttons, buttons };
    let one = |stream: &Vec<Pad>| {
        let mut canonicaliser = PadCanonicaliser::new(settings).unwrap();
        let mut sample = |raw: &Pad| {
            let [stick, c_stick] = [raw.stick, raw.c_stick].map(|axes| axes.map(i16::from));
            let sampled = canonicaliser.sample(&RawPad {
                buttons: raw.buttons.into(),
                sticks: [stick, c_stick],
                triggers: raw.triggers.map(i16::from),
            });
            let [stick, c_stick] = sampled.sticks.map(|axes| axes.map(|axis| axis as i8));
            of(raw, Pad { buttons: sampled.buttons as u16, stick, c_stick, triggers: [0; 2] })
        };
        stream.iter().map(&mut sample).collect()
    };
    streams.iter().map(one).collect()
}
