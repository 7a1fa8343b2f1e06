//! [`Sparring`]: a player who knows every move, and tries all of them in all situations.

use crate::stage::{keys, words};
use snapback::sim::{Act, Fighter, PadInput, World};
use snapback::{Frame, Fx, PlayerHandle, Rng};
use snapback_harness::Pilot;
use std::collections::VecDeque;

/// Every way to press a move.
const MOVES: [&str; 44] = [
    "L",
    "H",
    "S",
    "Z",
    "2L",
    "2H",
    "6L",
    "4L",
    "6H",
    "4H",
    "LH",
    "HS",
    "LS",
    "6LS",
    "LHS",
    "ZS",
    "6Z",
    "4S",
    "2 3 6L",
    "2 3 6H",
    "2 3 6S",
    "2 1 4L",
    "2 1 4S",
    "2 1 4Z",
    "6 2 3H",
    "6 2 3L",
    "2 3 6LH",
    "4*32 6H",
    "4*32 6S",
    "1*31 5*4 3H",
    "2S",
    "L H",
    "L 5 H",
    "H S",
    "6L S",
    "2L*2 5 2H",
    "LHSZ",
    "2 2 3 3 6 6L",
    "4 5*3 6 6H",
    "6 5 2 5 3L",
    "L S",
    "Z S",
    "1*30 6H",
    "4*31 5*8 6S",
];

/// What follows when a move has touched somebody.
const CANCELS: [&str; 14] =
    ["L", "2L", "H", "2H", "2 3 6L", "2 3 6H", "2 1 4L", "6 2 3H", "6 2 3L", "2 3 6LH", "S", "2 3 6S", "2 1 4S", "5*3 H"];

/// Ways to get about.
const STEPS: [&str; 20] = [
    "6 5 6",
    "4 5 4",
    "8 5 8",
    "2 5 2",
    "G G8",
    "G GJ",
    "J",
    "9*6",
    "7*6",
    "8*6",
    "8*2",
    "6J",
    "4J",
    "6 5 6 5*4 L",
    "6 5 6 5*6 2H",
    "8 5 8 5*5 H",
    "4 5 4 5*9 6L",
    "6 5*8 6",
    "6 5*12 6",
    "2 5 5 2 5*4 Z",
];

/// Ways to stay out of trouble.
const GUARDS: [&str; 12] = ["G*12", "G2*14", "4*16", "1*16", "G*3", "2*10", "4*5 1*5", "1*5 4*5", "6*7", "5*9", "L", "G4*6 5*2"];

/// What is pressed in the air.
const IN_THE_AIR: [&str; 6] = ["L", "H", "5*8 L", "5*14 H", "L 5*4 H", "5*20 H"];

/// Out of a stance.
const OUT_OF_STANCE: [&str; 8] = ["L", "H", "S", "G", "J", "5*20 L", "6*9 S", "4*30"];

/// What a player would rather do than something else.
#[derive(Clone, Copy)]
pub(crate) struct Style {
    attack: u32,
    step: u32,
    guard: u32,
    /// In centimetres.
    reach: u32,
}

impl Style {
    pub(crate) const ALL: [(&'static str, Self); 5] = [
        ("rushdown", Self { attack: 12, step: 3, guard: 2, reach: 110 }),
        ("careful", Self { attack: 6, step: 3, guard: 8, reach: 140 }),
        ("zoning", Self { attack: 10, step: 4, guard: 4, reach: 320 }),
        ("footsies", Self { attack: 8, step: 8, guard: 4, reach: 130 }),
        ("close", Self { attack: 10, step: 2, guard: 4, reach: 60 }),
    ];
}

/// A player who knows every move.
pub(crate) struct Sparring {
    rng: Rng,
    style: Style,
    queue: VecDeque<&'static str>,
    last_act: Act,
}

impl Sparring {
    pub(crate) fn new(seed: u64, seat: usize, style: Style) -> Self {
        Self { rng: Rng::new(seed, 0x7370_6172 + seat as u64), style, queue: VecDeque::new(), last_act: Act::Stand }
    }

    fn pick(&mut self, from: &[&'static str]) -> &'static str {
        from[self.rng.below(from.len() as u32) as usize]
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.rng.below(100) < percent
    }

    fn queue(&mut self, from: &[&'static str]) {
        let text = self.pick(from);
        self.queue.extend(words(text));
    }

    fn rest(&mut self, most: u32) {
        let frames = self.rng.below(most);
        self.queue.extend((0..frames).map(|_| "5"));
    }

    pub(crate) fn next(&mut self, seat: usize, world: &World) -> u16 {
        let fighters = world.view().fighters();
        let Some(own) = fighters.get(seat) else { return 0 };
        if own.act() != self.last_act {
            self.last_act = own.act();
            self.notice(own);
        }
        if self.queue.is_empty() {
            self.decide(own, fighters);
        }
        keys(self.queue.pop_front().unwrap_or("5"), own.facing() > 0)
    }

    /// What has just begun may call for an answer at once.
    fn notice(&mut self, own: &Fighter) {
        match own.act() {
            Act::Thrown if self.chance(60) => {
                self.queue.clear();
                self.rest(13);
                self.queue(&["Z", "H", "L", "HZ", "S"]);
            }
            Act::HitStun | Act::BlockStun | Act::Down if self.chance(40) => {
                self.queue.clear();
                self.queue(&GUARDS);
                if self.chance(50) {
                    self.queue(&MOVES);
                }
            }
            Act::Air if self.chance(70) => {
                self.queue.clear();
                self.rest(16);
                self.queue(&IN_THE_AIR);
            }
            _ => {}
        }
    }

    fn decide(&mut self, own: &Fighter, fighters: &[Fighter]) {
        if own.act() == Act::Attack && own.action.contact > 0 && self.chance(60) {
            self.queue(&CANCELS);
            return;
        }
        if own.stance.left_frames > 0 && self.chance(80) {
            self.queue(&OUT_OF_STANCE);
            return;
        }
        if own.rage.active != 0 && self.chance(25) {
            self.queue.extend(["ZS", "5"]);
            return;
        }
        if own.vitals.meter >= 500 && self.chance(15) {
            self.queue.extend(words("2 3 6LH"));
            return;
        }
        if own.heat.left_frames > 0 && self.chance(8) {
            self.queue.extend(["6LS", "5"]);
            return;
        }
        let distance = nearest_enemy(own, fighters);
        if distance > Fx::from_int(self.style.reach as i32) && self.chance(70) {
            let frames = 1 + self.rng.below(14);
            let word = self.pick(&["6", "6", "6", "6", "3", "9"]);
            self.queue.extend((0..frames).map(|_| word));
            return;
        }
        let Style { attack, step, guard, .. } = self.style;
        let drawn = self.rng.below(attack + step + guard);
        if drawn < attack {
            self.queue(&MOVES);
            self.rest(12);
        } else if drawn < attack + step {
            self.queue(&STEPS);
            self.rest(8);
        } else {
            self.queue(&GUARDS);
        }
    }
}

fn nearest_enemy(own: &Fighter, fighters: &[Fighter]) -> Fx {
    let enemies = fighters.iter().filter(|other| other.team() != own.team() && other.is_alive());
    enemies.map(|other| (other.x() - own.x()).abs()).min().unwrap_or(Fx::ZERO)
}

impl Pilot<World> for Sparring {
    fn press(&mut self, _: Frame, player: PlayerHandle, world: &World) -> PadInput {
        PadInput::new(self.next(player.index(), world))
    }
}
