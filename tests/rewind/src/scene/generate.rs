//! A scene from its seed.

use super::actors::{Actor, Death, Place};
use super::data::{Scene, Seen, Tick};
use super::draw::Draw;
use super::questions::Known;
use super::{clock, fire, questions};

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
        let count = draw.one_of(&[1, 3, 6, 12, 1, 3, 6, 40]);
        let mut scene = Self { walls: fire::walls(&mut draw, place, count), ..Self::default() };
        let mut actors = Vec::new();
        for number in 0..count {
            let mut actor = Actor::draw(&mut draw, number, place, ticks_us.len(), None, &mut scene.hitboxes);
            // Who dies may live again: at once, or later, when their places are free.
            while actor.dies_tick < ticks_us.len() && draw.percent(60) {
                let born_tick = actor.dies_tick + if draw.percent(50) { 0 } else { draw.index(30) };
                // Who is not known to be dead cannot be born again.
                if actor.death == Death::Unnoticed {
                    break;
                }
                actors.push(actor);
                actor = Actor::draw(&mut draw, number, place, ticks_us.len(), Some(born_tick), &mut scene.hitboxes);
            }
            actors.push(actor);
        }
        let mut samples = Vec::new();
        for (number, time_us) in ticks_us.iter().copied().enumerate() {
            let passed_us = number.checked_sub(1).map_or(0, |before| time_us - ticks_us[before]);
            let mut tick = Tick { time_us, ..Tick::default() };
            for actor in &mut actors {
                live(actor, &mut draw, number, passed_us, &mut tick);
            }
            tick.seen.sort_by_key(|(hitbox, _)| *hitbox);
            samples.extend(tick.seen.iter().filter_map(|(hitbox, seen)| match seen {
                Seen::Here(sample) => Some((time_us, *hitbox, *sample)),
                _ => None,
            }));
            let known = Known { samples: &samples, ticks_us: &ticks_us[..=number], hitboxes: scene.hitboxes.len(), actors: count };
            if !known.samples.is_empty() {
                tick.questions = (0..load.questions_per_tick).map(|_| questions::question(&mut asking, &known)).collect();
                tick.shots = (0..load.shots_per_tick).map(|_| fire::shot(&mut firing, &known)).collect();
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
    let hitboxes: Vec<usize> = actor.parts.iter().map(|part| part.hitbox).collect();
    if number < actor.born_tick {
        return;
    }
    if number >= actor.dies_tick {
        match actor.death {
            Death::Retired if number == actor.dies_tick => tick.retired.extend(hitboxes),
            Death::Unregistered if number == actor.dies_tick => tick.unregistered.extend(hitboxes),
            Death::Unnoticed => tick.seen.extend(hitboxes.into_iter().map(|hitbox| (hitbox, Seen::Gone))),
            _ => {}
        }
        return;
    }
    actor.step(draw, passed_us);
    if number == actor.born_tick {
        tick.born.extend(hitboxes);
    }
    tick.seen.extend((0..actor.parts.len()).map(|part| (actor.parts[part].hitbox, actor.seen(part))));
}
