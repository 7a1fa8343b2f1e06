//! [`Picture`]: what is drawn between two frames.

use crate::fighter::{Act, Fighter, PROJECTILE_SLOTS, Projectile};
use crate::header::Phase;
use crate::view::WorldView;
use crate::{MAX_FIGHTERS, MAX_TEAMS};
use bytemuck::Zeroable;
use snapback_core::present::{Blend, Present};
use snapback_core::{Fx, NameHash};

/// One projectile, as it is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProjectilePicture {
    /// To the right of the middle.
    pub x: Fx,
    /// Above the ground.
    pub y: Fx,
    /// Into the depth.
    pub z: Fx,
    /// 1 flies right, -1 flies left.
    pub facing: i8,
    /// The move that sent it, by the hash of its name; [`NameHash::NONE`] if there is none.
    pub move_name: NameHash,
    /// Which one of those that were sent from its place.
    pub serial: u16,
}

/// One fighter, as it is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FighterPicture {
    /// To the right of the middle.
    pub x: Fx,
    /// Above the ground.
    pub y: Fx,
    /// Into the depth.
    pub z: Fx,
    /// 1 looks right, -1 looks left.
    pub facing: i8,
    /// For which team it fights.
    pub team: u8,
    /// Which character it is.
    pub character: u8,
    /// What it is doing.
    pub act: Act,
    /// Which move, while attacking, by the hash of its name.
    pub move_name: NameHash,
    /// The animation, by the hash of its name.
    pub clip: NameHash,
    /// Frames since the animation began.
    pub clip_frames: u16,
    /// Frames since the act began.
    pub elapsed_frames: u16,
    /// Health left.
    pub health: i32,
    /// Meter.
    pub meter: i32,
    /// Hits of the combo that it is in.
    pub combo_hits: u16,
    /// What it has sent on its way.
    pub projectiles: [ProjectilePicture; PROJECTILE_SLOTS],
    /// Counts the jumps in place that are not to be glided over.
    cuts: u32,
}

/// The world, as it is drawn.
///
/// Positions glide from one frame to the next. Everything else is that of the newest frame, and so
/// is the position of one who was put somewhere, such as by a teleport or a new round, and of a
/// projectile that has just appeared.
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
    pub wins: [u8; MAX_TEAMS],
    /// Which of four variations of the stage to draw.
    pub stage_variation: u8,
}

impl Picture {
    /// The picture of a state.
    #[must_use]
    pub fn of(view: &WorldView) -> Self {
        // Those who are not there are not shown: [`Picture::fighters`] leaves them out.
        let mut fighters = [FighterPicture::of(&Fighter::zeroed()); MAX_FIGHTERS];
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

    /// The picture of captured bytes, such as those that a session keeps of an earlier frame; `None`
    /// if they are no valid state of a world.
    #[must_use]
    pub fn read(snapshot: &[u8]) -> Option<Self> {
        WorldView::read(snapshot).as_ref().map(Self::of)
    }

    /// The fighters, by seat.
    #[must_use]
    pub fn fighters(&self) -> &[FighterPicture] {
        &self.fighters[..self.fighter_count]
    }
}

impl FighterPicture {
    fn of(fighter: &Fighter) -> Self {
        let projectile = |of: &Projectile| ProjectilePicture {
            x: of.position[0],
            y: of.position[1],
            z: of.position[2],
            facing: if of.facing < 0 { -1 } else { 1 },
            move_name: of.move_name,
            serial: of.serial,
        };
        Self {
            x: fighter.x(),
            y: fighter.y(),
            z: fighter.z(),
            facing: fighter.facing(),
            team: fighter.team(),
            character: fighter.identity.character,
            act: fighter.act(),
            move_name: fighter.action.move_name,
            clip: fighter.animation.clip,
            clip_frames: fighter.animation.clip_frames,
            elapsed_frames: fighter.action.elapsed_frames,
            health: fighter.vitals.health,
            meter: fighter.vitals.meter,
            combo_hits: fighter.juggle.combo_hits,
            projectiles: core::array::from_fn(|slot| projectile(&fighter.projectiles[slot])),
            cuts: fighter.motion.cuts,
        }
    }

    /// Its projectiles that are on their way.
    pub fn projectiles(&self) -> impl Iterator<Item = &ProjectilePicture> {
        self.projectiles.iter().filter(|p| p.move_name != NameHash::NONE)
    }
}

impl Present for Picture {
    fn blend(previous: &Self, newest: &Self, blend: Blend) -> Self {
        let mut shown = newest.clone();
        for (drawn, before) in shown.fighters.iter_mut().zip(&previous.fighters) {
            if drawn.cuts == before.cuts {
                drawn.x = glide(before.x, drawn.x, blend);
                drawn.y = glide(before.y, drawn.y, blend);
                drawn.z = glide(before.z, drawn.z, blend);
            }
            for (drawn, before) in drawn.projectiles.iter_mut().zip(&before.projectiles) {
                if (drawn.serial, drawn.move_name) == (before.serial, before.move_name) {
                    drawn.x = glide(before.x, drawn.x, blend);
                    drawn.y = glide(before.y, drawn.y, blend);
                    drawn.z = glide(before.z, drawn.z, blend);
                }
            }
        }
        shown
    }
}

fn glide(previous: Fx, newest: Fx, blend: Blend) -> Fx {
    Fx::from_bits(blend.between(previous.to_bits(), newest.to_bits()))
}
