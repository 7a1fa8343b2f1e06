//! A small game of its own for the tests of files: two ferries, their cargo and the weather.
//!
//! `versions/v1.snbk` holds a match of it for ever, so its rules never change.

#![allow(dead_code, unreachable_pub, reason = "no test needs all of it, and each compiles its own")]

pub mod blocks;
pub mod exercise;
pub mod hostile;

use bytemuck::{Pod, Zeroable};
use snapback_core::state::pod;
use snapback_core::*;
use snapback_golden::format::Acceptance;
use snapback_golden::{RecordSettings, Recorder};

/// What the ferries' crews can do, drawn from `rng`: mostly what they did before.
pub fn helm(rng: &mut Rng, before: Helm) -> Helm {
    if rng.below(6) > 0 {
        return before;
    }
    Helm { throttle: rng.below(7) as i8 - 3, loads: rng.below(2) as u8 }
}

#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct Helm {
    #[sim(range = -3..=3)]
    pub throttle: i8,
    #[sim(bool)]
    pub loads: u8,
}

#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct Ferry {
    #[sim(section = "movement", range = -4_000..=4_000)]
    pub position: i32,
    #[sim(section = "movement", range = -60..=60)]
    pub speed: i16,
    #[sim(section = "cargo", range = 0..=200)]
    pub cargo: u8,
    #[sim(section = "cargo", bool)]
    pub is_docked: u8,
}

#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct Harbour {
    pub rng: Rng,
    pub ferry: [Ferry; 2],
    #[sim(section = "weather", range = -9..=9)]
    pub wind: i32,
    pub toots: u32,
}

/// The game. `wind_shift` is a rule: any other than 0 is another game under the same name.
pub struct Crossing {
    pub harbour: Harbour,
    pub wind_shift: i32,
}

impl Crossing {
    pub fn new() -> Self {
        Self { harbour: Harbour::zeroed(), wind_shift: 0 }
    }
}

impl Simulation for Crossing {
    type Input = Helm;

    fn id(&self) -> SimulationId {
        SimulationId { name: "crossing", version: 1 }
    }

    fn config_hash(&self) -> u32 {
        0xC405_5126
    }

    fn layout(&self) -> StateLayout {
        StateLayout::of::<Harbour>()
    }

    fn reset(&mut self, seed: u64, players: usize) -> Result<(), ResetError> {
        if players != 2 {
            return Err(ResetError { reason: format!("{players} ferries; there are two") });
        }
        self.harbour = Harbour { rng: Rng::new(seed, 3), ..Harbour::zeroed() };
        Ok(())
    }

    fn step(&mut self, frame: Frame, inputs: &FrameInputs<'_, Helm>, _: &mut Effects) {
        let Harbour { rng, ferry, wind, toots } = &mut self.harbour;
        if rng.below(30) == 0 {
            *wind = (rng.below(19) as i32 - 9 + self.wind_shift).clamp(-9, 9);
        }
        for (ferry, seat) in ferry.iter_mut().zip(0..) {
            let helm = inputs.input(PlayerHandle::new(seat));
            let speed = i32::from(ferry.speed) + i32::from(helm.throttle) + *wind / 4;
            ferry.speed = speed.clamp(-60, 60) as i16;
            ferry.position = (ferry.position + i32::from(ferry.speed)).clamp(-4_000, 4_000);
            ferry.is_docked = u8::from(ferry.position.abs() == 4_000);
            if ferry.is_docked == 1 && helm.loads == 1 {
                ferry.cargo = if ferry.position > 0 { (ferry.cargo + 1).min(200) } else { ferry.cargo.saturating_sub(1) };
            }
            if !inputs.command(PlayerHandle::new(seat)).is_none() {
                *toots = toots.wrapping_add(frame.number() as u32);
            }
        }
    }

    fn capture(&self, out: &mut [u8]) {
        pod::capture(&self.harbour, out);
    }

    fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> {
        pod::restore(&mut self.harbour, snapshot)
    }
}

/// A match of `frames` frames with commands, recorded by `settings`.
pub fn crossing(settings: RecordSettings, frames: u64, acceptances: &[Acceptance]) -> Vec<u8> {
    let (seed, first_frame) = (settings.seed, settings.first_frame);
    let mut game = Crossing::new();
    game.reset(seed, 2).unwrap();
    let mut recorder = Recorder::new(Vec::new(), &game, settings).unwrap();
    let (mut rng, mut effects) = (Rng::new(seed, 99), Effects::with_capacity(0));
    let mut snapshot = vec![0; size_of::<Harbour>()];
    let mut pressed = [PlayerInput::neutral(InputStatus::Confirmed); 2];
    let mut frame = first_frame;
    for _ in 0..frames {
        for player in &mut pressed {
            player.input = helm(&mut rng, player.input);
            let toots = rng.below(100) == 0;
            player.command = if toots { Command::new(64, &[rng.below(250) as u8, 7]).unwrap() } else { Command::NONE };
        }
        effects.begin(frame, SideEffectPolicy::TelemetryOnly);
        game.step(frame, &FrameInputs::new(&pressed), &mut effects);
        game.capture(&mut snapshot);
        recorder.record(frame, &pressed, game.hash(seed, frame, &snapshot), &snapshot).unwrap();
        frame = frame.next();
    }
    recorder.note_rollbacks(12, 7);
    recorder.finish_accepted(acceptances).unwrap()
}

pub fn settings(trace: bool) -> RecordSettings {
    RecordSettings { trace, setup: "calm".into(), ..RecordSettings::generated(0x5EA, 2) }
}
