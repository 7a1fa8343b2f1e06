//! [`Standing`]: how the round stands, so that a match in which nothing was decided shows something.

use serde::Serialize;
use snapback::sim::{Phase, WorldView};

/// How the round stands after the last confirmed frame.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Standing {
    #[serde(rename = "match")]
    pub(crate) match_number: u32,
    #[serde(rename = "round")]
    pub(crate) round_number: u32,
    /// `intro`, `fight`, `round end` or `match end`.
    pub(crate) phase: &'static str,
    /// Frames of fight that the round still has.
    pub(crate) timer_frames: u32,
    pub(crate) fighters: Vec<FighterLine>,
}

/// One fighter.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct FighterLine {
    pub(crate) player: usize,
    pub(crate) health: i32,
    /// What it began with.
    pub(crate) full_health: i32,
    /// Hits that cost somebody health, in all rounds so far.
    pub(crate) hits_landed: u64,
}

/// Follows the confirmed states, each of which must be shown, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scorer {
    last: Option<WorldView>,
    full_health: Vec<i32>,
    hits_landed: Vec<u64>,
}

impl Scorer {
    /// Takes the next confirmed state.
    pub(crate) fn look(&mut self, view: WorldView) {
        let fighters = view.fighters();
        if let Some(last) = self.last.replace(view) {
            let before = last.fighters();
            for (hits, (now, then)) in self.hits_landed.iter_mut().zip(fighters.iter().zip(before)) {
                let reached = now.hitboxes.reached & !then.hitboxes.reached;
                let is_hurt = |seat: &usize| match (fighters.get(*seat), before.get(*seat)) {
                    (Some(now), Some(then)) => reached >> seat & 1 == 1 && now.vitals.health < then.vitals.health,
                    _ => false,
                };
                *hits += (0..fighters.len()).filter(is_hurt).count() as u64;
            }
        } else {
            self.full_health = fighters.iter().map(|fighter| fighter.vitals.health).collect();
            self.hits_landed = vec![0; fighters.len()];
        }
    }

    /// How it stands; none before the first state.
    pub(crate) fn standing(&self) -> Option<Standing> {
        let view = self.last.as_ref()?;
        let fighters = view.fighters().iter().zip(self.full_health.iter().zip(&self.hits_landed)).enumerate();
        Some(Standing {
            match_number: view.header().rounds.match_number,
            round_number: view.header().rounds.round_number,
            phase: match view.phase() {
                Phase::Intro => "intro",
                Phase::Fight => "fight",
                Phase::RoundEnd => "round end",
                Phase::MatchEnd => "match end",
            },
            timer_frames: view.timer_frames(),
            fighters: fighters
                .map(|(player, (fighter, (full_health, hits_landed)))| FighterLine {
                    player,
                    health: fighter.vitals.health,
                    full_health: *full_health,
                    hits_landed: *hits_landed,
                })
                .collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapback::sim::{PadInput, World, WorldData};
    use snapback::{Effects, Frame, FrameInputs, InputStatus, PlayerInput, Simulation};

    #[test]
    fn hits_are_counted_and_guarded_ones_are_not() {
        let hits_against = |defence: u16| {
            let mut world = World::new(WorldData::default());
            world.reset(7, 2).unwrap();
            let (mut scorer, mut effects) = (Scorer::default(), Effects::with_capacity(64));
            assert_eq!(scorer.standing(), None);
            let mut players = [PlayerInput::<PadInput>::neutral(InputStatus::Confirmed); 2];
            for frame in 0..400 {
                // Walks up for a second of fight, then presses again and again.
                let light = if frame % 20 == 0 { PadInput::LIGHT } else { 0 };
                players[0].input = PadInput::new(if frame < 120 { PadInput::RIGHT } else { light });
                players[1].input = PadInput::new(if frame < 120 { 0 } else { defence });
                world.step(Frame::new(frame), &FrameInputs::new(&players), &mut effects);
                scorer.look(*world.view());
            }
            let standing = scorer.standing().unwrap();
            assert_eq!((standing.match_number, standing.round_number, standing.phase), (1, 1, "fight"));
            assert_eq!(standing.fighters[1].hits_landed, 0);
            let lost = standing.fighters[1].full_health - standing.fighters[1].health;
            (standing.fighters[0].hits_landed, lost)
        };
        let (hits, lost) = hits_against(0);
        assert!(hits > 1 && lost > 10 * hits as i32, "{hits} hits cost {lost}");
        assert_eq!(hits_against(PadInput::GUARD), (0, 0));
    }
}
