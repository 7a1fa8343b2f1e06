//! [`WorldHeader`]: the part of the state that belongs to no fighter.

use crate::MAX_TEAMS;
use bytemuck::{Pod, Zeroable};
use snapback_core::control::MatchControl;
use snapback_core::{Rng, SimState};

/// What the world is doing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// The fighters stand ready and cannot act.
    Intro,
    /// The fighters fight and the timer runs.
    Fight,
    /// The round is decided.
    RoundEnd,
    /// The match is decided; the next one follows.
    MatchEnd,
}

impl Phase {
    const fn from_state(state: u8) -> Self {
        match state {
            0 => Self::Intro,
            1 => Self::Fight,
            2 => Self::RoundEnd,
            _ => Self::MatchEnd,
        }
    }
}

/// Where the world is in time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct Clock {
    /// Steps since the simulation was reset.
    pub frame_count: u64,
    /// How many frames the phase still lasts. Unused while fighting.
    #[sim(range = 0..=36000)]
    pub phase_frames_left: u32,
    /// How many frames of fight the round still has.
    #[sim(range = 0..=36000)]
    pub timer_frames: u32,
    /// A [`Phase`] by number.
    #[sim(range = 0..=3)]
    pub phase: u8,
    #[sim(range = 0..=0)]
    reserved: [u8; 5],
    /// How many more frames everything stands still because an attack landed. Pads are read on.
    #[sim(section = "hitstop")]
    pub hitstop_frames: u16,
}

/// Where the match is, and what varies from round to round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct Rounds {
    /// The match, from 1.
    pub match_number: u32,
    /// The round of the match, from 1.
    pub round_number: u32,
    /// Rounds won by each team in this match.
    #[sim(range = 0..=9)]
    pub wins: [u8; MAX_TEAMS],
    /// Which of four variations of the stage is drawn.
    #[sim(range = 0..=3)]
    pub stage_variation: u8,
    /// Which of eight sparks the hits of the last frame with hits show.
    #[sim(range = 0..=7)]
    pub spark: u8,
    #[sim(range = 0..=0)]
    reserved: [u8; 2],
}

/// The newest result; read it as [`Results`](crate::Results).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct ResultsState {
    /// How many rounds have been decided.
    pub count: u32,
    /// The match of the newest result.
    pub match_number: u32,
    /// The round of the newest result.
    pub round_number: u32,
    /// 0 before the first result, 1 for a draw, 2 to 5 for the teams.
    #[sim(range = 0..=5)]
    pub winner: u8,
    /// How the round ended.
    #[sim(range = 0..=3)]
    pub end: u8,
    /// 0 if the round did not decide the match, else like `winner`.
    #[sim(range = 0..=5)]
    pub match_winner: u8,
    #[sim(range = 0..=0)]
    pub(crate) reserved: u8,
}

/// The part of the state that belongs to no fighter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct WorldHeader {
    /// Where the world is in time.
    #[sim(section = "clock")]
    pub clock: Clock,
    /// What the simulation was reset with.
    #[sim(section = "rng")]
    pub match_seed: u64,
    /// Chance. It decides nothing but what is seen.
    #[sim(section = "rng")]
    pub rng: Rng,
    /// Where the match is.
    #[sim(section = "rounds")]
    pub rounds: Rounds,
    /// The newest result.
    #[sim(section = "results")]
    pub results: ResultsState,
    /// What players have commanded.
    #[sim(section = "control")]
    pub control: MatchControl,
}

/// The stream of the match seed that the world draws from.
const RNG_STREAM: u64 = 1;

impl WorldHeader {
    /// Before the first match of `seed`.
    pub(crate) fn new(seed: u64) -> Self {
        Self { match_seed: seed, rng: Rng::new(seed, RNG_STREAM), ..Self::zeroed() }
    }

    /// What the world is doing.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        Phase::from_state(self.clock.phase)
    }

    pub(crate) fn enter(&mut self, phase: Phase, frames: u32) {
        self.clock.phase = phase as u8;
        self.clock.phase_frames_left = frames;
    }
}
