//! A game that is not part of Snapback: two riders joust.

use bytemuck::{Pod, Zeroable};
use snapback_core::state::pod;
use snapback_core::{
    Effects, Frame, FrameInputs, InvalidState, PlayerHandle, ResetError, Rng, SimState, Simulation, SimulationId, StateLayout,
};

pub const SPUR: u8 = 1;
pub const BRACE: u8 = 2;
pub const STRIKE: u8 = 4;

const TRACK: i32 = 4_000;
const REACH: i32 = 300;

#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct Rider {
    #[sim(section = "movement", range = 0..=TRACK)]
    pub position: i32,
    #[sim(section = "movement", range = 0..=90)]
    pub speed: u16,
    #[sim(section = "combat", range = 0..=1_000)]
    pub stamina: u16,
    #[sim(section = "combat", range = 0..=300)]
    pub meter: u16,
    #[sim(section = "combat", range = 0..=20)]
    pub recovery: u16,
}

#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct Joust {
    pub rng: Rng,
    pub rider: [Rider; 2],
}

/// What a step goes by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// What a rider gains who hits a braced one.
    pub meter_for_braced_hit: u16,
}

impl Default for Rules {
    fn default() -> Self {
        Self { meter_for_braced_hit: 5 }
    }
}

pub struct Game {
    rules: Rules,
    joust: Joust,
}

impl Game {
    pub fn new(rules: Rules) -> Self {
        Self { rules, joust: Joust::zeroed() }
    }
}

impl Simulation for Game {
    type Input = u8;

    fn id(&self) -> SimulationId {
        SimulationId { name: "joust", version: 1 }
    }

    fn layout(&self) -> StateLayout {
        StateLayout::of::<Joust>()
    }

    fn reset(&mut self, seed: u64, players: usize) -> Result<(), ResetError> {
        if players != 2 {
            return Err(ResetError { reason: format!("{players} riders; it takes two") });
        }
        let rider = Rider { stamina: 1_000, ..Rider::zeroed() };
        self.joust = Joust { rng: Rng::new(seed, 1), rider: [rider, Rider { position: TRACK, ..rider }] };
        Ok(())
    }

    fn step(&mut self, _: Frame, inputs: &FrameInputs<'_, u8>, _: &mut Effects) {
        let Joust { rng, rider: riders } = &mut self.joust;
        let pressed = [0, 1].map(|seat| inputs.input(PlayerHandle::new(seat)));
        for ((rider, pressed), forward) in riders.iter_mut().zip(pressed).zip([1, -1]) {
            rider.speed = if pressed & SPUR != 0 { (rider.speed + 3).min(90) } else { rider.speed.saturating_sub(1) };
            rider.position = (rider.position + forward * i32::from(rider.speed)).clamp(0, TRACK);
            rider.recovery = rider.recovery.saturating_sub(1);
        }
        let [left, right] = *riders;
        let is_close = (left.position - right.position).abs() <= REACH;
        for (striker, struck) in [(0, 1), (1, 0)] {
            if !is_close || pressed[striker] & STRIKE == 0 || riders[striker].recovery > 0 {
                continue;
            }
            riders[striker].recovery = 20;
            let is_braced = pressed[struck] & BRACE != 0;
            let damage = if is_braced { 10 } else { 40 + rng.below(20) as u16 + riders[striker].speed };
            riders[struck].stamina = riders[struck].stamina.saturating_sub(damage);
            let gain = if is_braced { self.rules.meter_for_braced_hit } else { 20 };
            riders[striker].meter = (riders[striker].meter + gain).min(300);
        }
        // Past the end of the track both turn around.
        if left.position == TRACK && right.position == 0 {
            riders[0].position = 0;
            riders[1].position = TRACK;
        }
    }

    fn capture(&self, out: &mut [u8]) {
        pod::capture(&self.joust, out);
    }

    fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> {
        pod::restore(&mut self.joust, snapshot)
    }
}
