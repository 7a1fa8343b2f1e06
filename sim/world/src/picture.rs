//! [`Picture`]: what is drawn between two frames.

use crate::MAX_FIGHTERS;
use crate::fighter::{Act, Fighter};
use crate::header::Phase;
use crate::view::WorldView;
use snapback_core::Fx;
use snapback_core::present::{Blend, Present};

/// One fighter, as it is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FighterPicture {
    /// To the right of the middle.
    pub x: Fx,
    /// Above the ground.
    pub y: Fx,
    /// 1 looks right, -1 looks left.
    pub facing: i8,
    /// What it is doing.
    pub act: Act,
    /// Which move, while attacking.
    pub move_index: u8,
    /// Frames since the act began.
    pub elapsed_frames: u16,
    /// Health left.
    pub health: i32,
    /// Meter.
    pub meter: i32,
}

/// The world, as it is drawn.
///
/// Positions glide from one frame to the next. Everything else, and every position when a round
/// begins, is that of the newest frame.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    fighters: [FighterPicture; MAX_FIGHTERS],
    fighter_count: usize,
    /// The match, from 1.
    pub match_number: u32,
    /// The round of the match, from 1.
    pub round_number: u32,
    /// What the world is doing.
    pub phase: Phase,
    /// How many frames of fight the round still has.
    pub timer_frames: u32,
    /// Rounds won by each team.
    pub wins: [u8; 2],
    /// Which of four variations of the stage to draw.
    pub stage_variation: u8,
}

const NOBODY: FighterPicture =
    FighterPicture { x: Fx::ZERO, y: Fx::ZERO, facing: 1, act: Act::Stand, move_index: 0, elapsed_frames: 0, health: 0, meter: 0 };

impl Picture {
    /// The picture of a state.
    #[must_use]
    pub fn of(view: &WorldView) -> Self {
        let mut fighters = [NOBODY; MAX_FIGHTERS];
        for (drawn, fighter) in fighters.iter_mut().zip(view.fighters()) {
            *drawn = FighterPicture::of(fighter);
        }
        let header = view.header();
        Self {
            fighters,
            fighter_count: view.fighters().len(),
            match_number: header.rounds.match_number,
            round_number: header.rounds.round_number,
            phase: header.phase(),
            timer_frames: header.clock.timer_frames,
            wins: header.rounds.wins,
            stage_variation: header.rounds.stage_variation,
        }
    }

    /// The fighters, by seat.
    #[must_use]
    pub fn fighters(&self) -> &[FighterPicture] {
        &self.fighters[..self.fighter_count]
    }

    fn is_of_the_same_round(&self, other: &Self) -> bool {
        (self.match_number, self.round_number) == (other.match_number, other.round_number)
    }
}

impl FighterPicture {
    fn of(fighter: &Fighter) -> Self {
        Self {
            x: fighter.x(),
            y: fighter.y(),
            facing: fighter.facing(),
            act: fighter.act(),
            move_index: fighter.action.move_index,
            elapsed_frames: fighter.action.elapsed_frames,
            health: fighter.vitals.health,
            meter: fighter.vitals.meter,
        }
    }
}

impl Present for Picture {
    fn blend(previous: &Self, newest: &Self, blend: Blend) -> Self {
        let mut shown = newest.clone();
        if previous.is_of_the_same_round(newest) {
            for (drawn, before) in shown.fighters.iter_mut().zip(&previous.fighters) {
                drawn.x = glide(before.x, drawn.x, blend);
                drawn.y = glide(before.y, drawn.y, blend);
            }
        }
        shown
    }
}

fn glide(previous: Fx, newest: Fx, blend: Blend) -> Fx {
    Fx::from_bits(blend.between(previous.to_bits(), newest.to_bits()))
}
