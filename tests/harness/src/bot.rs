//! [`Bot`]: a pilot for the fighting world that looks at it.

use crate::holds::Holds;
use crate::pilot::Pilot;
use snapback::sim::{Fighter, PadInput, World};
use snapback::{Frame, Fx, PlayerHandle};

/// How near a bot must be before it would rather hit than walk, in centimetres.
const REACH: Fx = Fx::from_int(120);

/// How long each pad of a motion is held.
const MOTION_FRAMES: usize = 2;

const UP: u16 = PadInput::UP;
const DOWN: u16 = PadInput::DOWN;
const AHEAD: u16 = PadInput::RIGHT;
const AWAY: u16 = PadInput::LEFT;
const LIGHT: u16 = PadInput::LIGHT;
const HEAVY: u16 = PadInput::HEAVY;
const GRAB: u16 = PadInput::GRAB;
const SPECIAL: u16 = PadInput::SPECIAL;
const GUARD: u16 = PadInput::GUARD;

/// What it does near an enemy, for one who looks right.
const NEAR: [u16; 16] = [
    LIGHT,
    LIGHT,
    LIGHT | AHEAD,
    HEAVY,
    DOWN | LIGHT,
    DOWN | HEAVY,
    HEAVY | AHEAD,
    GRAB,
    SPECIAL,
    LIGHT | HEAVY,
    HEAVY | SPECIAL,
    LIGHT | SPECIAL,
    AWAY,
    GUARD,
    DOWN | AWAY,
    0,
];

/// What it does further away.
const FAR: [u16; 10] = [AHEAD, AHEAD, AHEAD, AHEAD, AHEAD, UP | AHEAD, HEAVY, AWAY, GUARD, 0];

/// Motions, dashes and sidesteps: one pad after another.
const MOTIONS: [&[u16]; 9] = [
    &[DOWN, DOWN | AHEAD, AHEAD | LIGHT],
    &[DOWN, DOWN | AHEAD, AHEAD | HEAVY],
    &[AHEAD, DOWN, DOWN | AHEAD | HEAVY],
    &[DOWN, DOWN | AWAY, AWAY | LIGHT],
    &[DOWN, DOWN | AHEAD, AHEAD | LIGHT | HEAVY],
    &[AHEAD, 0, AHEAD],
    &[AWAY, 0, AWAY],
    &[GUARD, GUARD | UP, 0, LIGHT],
    &[DOWN | SPECIAL, 0, 0, LIGHT],
];

/// Fights like a person who is new to it: walks up, hits, tries a special or a throw, guards and
/// steps aside now and then, and holds every button for as long as people do. What it sees is its
/// own player's world, prediction and all, as a person would: what it presses depends on the link.
#[derive(Clone, Debug)]
pub struct Bot {
    holds: Holds,
    motion: &'static [u16],
    motion_frame: usize,
}

impl Bot {
    /// The bot of `player` in the match of `seed`.
    #[must_use]
    pub fn new(seed: u64, player: usize) -> Self {
        Self { holds: Holds::new(seed, player), motion: &[], motion_frame: 0 }
    }
}

impl Pilot<World> for Bot {
    fn press(&mut self, _frame: Frame, player: PlayerHandle, world: &World) -> PadInput {
        let fighters = world.view().fighters();
        let distance = fighters.get(player.index()).and_then(|me| nearest_enemy(me, fighters));
        let looks_right = distance.is_none_or(|distance| distance > Fx::ZERO);
        let turned = |buttons| if looks_right { PadInput::new(buttons) } else { PadInput::new(buttons).mirrored() };
        if let Some(pad) = self.motion.get(self.motion_frame / MOTION_FRAMES) {
            self.motion_frame += 1;
            return turned(*pad);
        }
        let mut motion: &'static [u16] = &[];
        let buttons = self.holds.next_with(|rng| {
            let Some(distance) = distance else { return 0 };
            if rng.below(5) == 0 {
                motion = MOTIONS[rng.below(MOTIONS.len() as u32) as usize];
            }
            let choices: &[u16] = if distance.abs() < REACH { &NEAR } else { &FAR };
            turned(choices[rng.below(choices.len() as u32) as usize]).buttons
        });
        // The motion comes first, and what was chosen is held after it.
        (self.motion, self.motion_frame) = (motion, 0);
        PadInput::new(buttons)
    }
}

/// How far to the right the nearest living enemy is.
fn nearest_enemy(me: &Fighter, fighters: &[Fighter]) -> Option<Fx> {
    fighters
        .iter()
        .filter(|fighter| fighter.team() != me.team() && fighter.is_alive())
        .map(|fighter| fighter.x() - me.x())
        .min_by_key(|distance| distance.abs())
}
