//! [`Bot`]: a pilot for the fighting world that looks at it.

use crate::holds::Holds;
use crate::pilot::Pilot;
use snapback::sim::{Fighter, PadInput, World, team_of};
use snapback::{Frame, Fx, PlayerHandle};

/// How near a bot must be before it would rather hit than walk, in centimetres.
const REACH: Fx = Fx::from_int(120);

/// Fights like a person who is new to it: walks up, hits, guards now and then, and holds every
/// button for as long as people do. What it sees is its own player's world, prediction and all, as
/// a person would: what it presses depends on the link.
#[derive(Clone, Debug)]
pub struct Bot {
    holds: Holds,
}

impl Bot {
    /// The bot of `player` in the match of `seed`.
    #[must_use]
    pub fn new(seed: u64, player: usize) -> Self {
        Self { holds: Holds::new(seed, player) }
    }
}

impl Pilot<World> for Bot {
    fn press(&mut self, _frame: Frame, player: PlayerHandle, world: &World) -> PadInput {
        let fighters = world.view().fighters();
        let distance = fighters.get(player.index()).and_then(|me| nearest_enemy(me, player.index(), fighters));
        let buttons = self.holds.next_with(|rng| {
            let Some(distance) = distance else { return 0 };
            let (towards, away) = if distance > Fx::ZERO { (PadInput::RIGHT, PadInput::LEFT) } else { (PadInput::LEFT, PadInput::RIGHT) };
            let near = distance.abs() < REACH;
            let choices: [u16; 10] = if near {
                let (light, heavy, down) = (PadInput::LIGHT, PadInput::HEAVY, PadInput::DOWN);
                [light, light, light | towards, heavy, heavy, down | light, away, PadInput::GUARD, down | away, 0]
            } else {
                let jump = PadInput::UP | towards;
                [towards, towards, towards, towards, towards, jump, PadInput::HEAVY, away, PadInput::GUARD, 0]
            };
            choices[rng.below(10) as usize]
        });
        PadInput::new(buttons)
    }
}

/// How far to the right the nearest living enemy is.
fn nearest_enemy(me: &Fighter, seat: usize, fighters: &[Fighter]) -> Option<Fx> {
    fighters
        .iter()
        .enumerate()
        .filter(|(other, fighter)| team_of(*other) != team_of(seat) && fighter.is_alive())
        .map(|(_, fighter)| fighter.x() - me.x())
        .min_by_key(|distance| distance.abs())
}
