//! A scene from its seed.

use super::actors::{Actor, Place};
use super::data::{Sample, Scene, Tick};
use super::draw::Draw;
use super::questions::Known;
use super::{clock, questions, shots};

/// How much is asked in a scene.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Load {
    /// Questions after each tick.
    pub questions_per_tick: usize,
    /// Shots after each tick.
    pub shots_per_tick: usize,
}

impl Scene {
    /// The scene of `seed`. The load changes neither actors nor ticks.
    #[must_use]
    pub fn of(seed: u64, load: Load) -> Self {
        let mut draw = Draw::new(seed, 1);
        let mut asking = Draw::new(seed, 2);
        let mut firing = Draw::new(seed, 3);
        let place = place(&mut draw);
        let ticks_us = clock::ticks_us(&mut draw);
        let mut scene = Self { walls: shots::walls(&mut draw, place), ..Self::default() };
        let count = draw.one_of(&[1, 3, 6, 12]);
        let mut actors: Vec<Actor> =
            (0..count).map(|number| Actor::draw(&mut draw, number, place, ticks_us.len(), &mut scene.hitboxes)).collect();
        let mut samples = Vec::new();
        for (number, time_us) in ticks_us.iter().copied().enumerate() {
            let passed_us = number.checked_sub(1).map_or(0, |before| time_us - ticks_us[before]);
            let mut tick = Tick { time_us, ..Tick::default() };
            for actor in &mut actors {
                live(actor, &mut draw, number, passed_us, &mut tick);
            }
            tick.samples.sort_by_key(|(hitbox, _)| *hitbox);
            samples.extend(tick.samples.iter().map(|(hitbox, sample)| (time_us, *hitbox, *sample)));
            let known = Known { samples: &samples, ticks_us: &ticks_us[..=number], hitboxes: scene.hitboxes.len(), actors: count };
            if !known.samples.is_empty() {
                tick.questions = (0..load.questions_per_tick).map(|_| questions::question(&mut asking, &known)).collect();
                tick.shots = (0..load.shots_per_tick).map(|_| shots::shot(&mut firing, &known)).collect();
            }
            scene.ticks.push(tick);
        }
        scene
    }
}

fn place(draw: &mut Draw) -> Place {
    let area_cm = draw.one_of(&[150, 400, 1_000, 4_000]);
    // Now and then at the edge of what a position can be.
    let home = if draw.percent(20) { [6_200_000, -6_200_000, 6_200_000] } else { [0; 3] };
    Place { home, area_cm }
}

fn live(actor: &mut Actor, draw: &mut Draw, number: usize, passed_us: u64, tick: &mut Tick) {
    if number < actor.born_tick || number > actor.dies_tick {
        return;
    }
    if number == actor.dies_tick {
        tick.retired.extend(actor.parts.iter().map(|part| part.hitbox));
        return;
    }
    actor.step(draw, passed_us);
    for part in 0..actor.parts.len() {
        let hitbox = actor.parts[part].hitbox;
        let is_born = number == actor.born_tick;
        if is_born {
            actor.parts[part].begin();
            tick.born.push(hitbox);
        }
        if is_born || actor.parts[part].is_due() {
            let sample: Sample = actor.sample(part);
            tick.samples.push((hitbox, sample));
        }
    }
}
