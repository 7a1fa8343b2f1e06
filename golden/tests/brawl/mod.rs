//! A game of somebody else: small, but with fighters, a meter and sections.

use bytemuck::{Pod, Zeroable};
use snapback_core::state::pod;
use snapback_core::*;
use snapback_golden::{RecordSettings, record};
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, Pod, Zeroable, SimState)]
#[repr(C)]
pub(crate) struct Fighter {
    #[sim(section = "gauges")]
    pub(crate) meter: u32,
    #[sim(section = "gauges")]
    pub(crate) guard: u32,
    #[sim(section = "body")]
    pub(crate) health: i32,
}

#[derive(Clone, Copy, Pod, Zeroable, SimState)]
#[repr(C)]
pub(crate) struct State {
    pub(crate) clock: u32,
    pub(crate) fighter: [Fighter; 2],
}

pub(crate) struct Brawl(pub(crate) State);

impl Simulation for Brawl {
    type Input = u8;

    fn id(&self) -> SimulationId {
        SimulationId { name: "brawl", version: 3 }
    }

    fn layout(&self) -> StateLayout {
        StateLayout::of::<State>()
    }

    fn reset(&mut self, seed: u64, players: usize) -> Result<(), ResetError> {
        if players != 2 {
            return Err(ResetError { reason: "a brawl has two players".into() });
        }
        let fighter = Fighter { meter: seed as u32, guard: 60, health: 1_000 };
        self.0 = State { clock: 0, fighter: [fighter; 2] };
        Ok(())
    }

    fn step(&mut self, _: Frame, inputs: &FrameInputs<'_, u8>, _: &mut Effects) {
        self.0.clock += 1;
        for (fighter, seat) in self.0.fighter.iter_mut().zip(0..) {
            let pressed = inputs.input(PlayerHandle::new(seat));
            fighter.meter = fighter.meter.wrapping_add(u32::from(pressed & 0x0F));
            fighter.health -= i32::from(pressed >> 7);
        }
    }

    fn capture(&self, out: &mut [u8]) {
        pod::capture(&self.0, out);
    }

    fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> {
        pod::restore(&mut self.0, snapshot)
    }
}

pub(crate) fn brawl() -> Brawl {
    Brawl(State::zeroed())
}

/// What is pressed in a frame.
pub(crate) fn pressed(frame: u32) -> Vec<u8> {
    vec![(frame / 7) as u8, (frame / 5) as u8 | 0x80]
}

/// A replay of `frames` frames, played on `simulation`.
pub(crate) fn recording<S: Simulation<Input = u8>>(simulation: &mut S, seed: u64, frames: u32, trace: bool) -> Vec<u8> {
    let settings = RecordSettings { trace, ..RecordSettings::generated(seed, 2) };
    record(simulation, settings, (0..frames).map(pressed)).unwrap()
}

/// An empty folder for the test `name`.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Everything below a folder, with its bytes.
pub(crate) fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { all.extend(contents(&path)) } else { all.push((path.clone(), std::fs::read(&path).unwrap())) }
    }
    all.sort();
    all
}
