//! A shot stepped from its fire time to now, against the past and against what never moves.

use super::history::{Hit, Reference};
use super::impact;
use super::units::{self, Units};
use crate::scene::{Shot, Sweep, Wall};
use snapback_core::{Fx, Vec3};

/// A projectile in flight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flight {
    /// Where it is, in centimetres.
    pub position: Vec3,
    /// How fast, in centimetres a second.
    pub velocity: Vec3,
}

/// One step of the simulation: what a shot's flight is after `shot.step_us`.
pub type Step = fn(&Shot, Flight) -> Flight;

/// Semi-implicit Euler: the velocity first, then the position with it.
#[must_use]
pub fn euler(shot: &Shot, flight: Flight) -> Flight {
    let seconds = Fx::from_int(i32::try_from(shot.step_us).expect("short")) / Fx::from_int(1_000_000);
    let scaled = |it: Vec3| Vec3::new(it.x * seconds, it.y * seconds, it.z * seconds);
    let velocity = flight.velocity + scaled(shot.gravity);
    Flight { position: flight.position + scaled(velocity), velocity }
}

/// What became of a shot by now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It hit somebody in the past.
    Target {
        /// In which step, from 0.
        step: u32,
        /// Whom and when, in the time that the shooter saw.
        hit: Hit,
    },
    /// It hit a wall.
    Wall {
        /// In which step, from 0.
        step: u32,
        /// The time of impact, in 2^30ths of the step.
        n: u32,
        /// Which wall of the scene.
        wall: usize,
    },
    /// It flies on.
    Flying(Flight),
}

impl Reference {
    /// Catches `shot` up to now. In each step what is nearest in time is hit; somebody before a
    /// wall, if both are met at the same time.
    #[must_use]
    pub fn catch_up(&self, shot: &Shot, walls: &[Wall], step: Step) -> Outcome {
        let mut flight = Flight { position: shot.position, velocity: shot.velocity };
        for number in 0..shot.steps {
            let next = step(shot, flight);
            if let Some(outcome) = self.in_step(shot, walls, number, flight, next) {
                return outcome;
            }
            flight = next;
        }
        Outcome::Flying(flight)
    }

    fn in_step(&self, shot: &Shot, walls: &[Wall], step: u32, from: Flight, to: Flight) -> Option<Outcome> {
        let [from, to] = [from, to].map(|flight| units::quantise_point(flight.position));
        let start_us = shot.fire_us + shot.step_us * u64::from(step) - shot.view_delay_us;
        let narrow = |point: Units| point.map(|it| i32::try_from(it).expect("within the world"));
        let sweep = Sweep {
            from: narrow(from),
            to: narrow(to),
            radius: shot.radius,
            start_us,
            end_us: start_us + shot.step_us,
            now_us: shot.now_us,
            filter: shot.filter,
        };
        let target = self.sweep(&sweep);
        let wall = walls.iter().enumerate().filter_map(|(wall, it)| Some((first(it, from, to, shot.radius.into())?, wall))).min();
        // Both as parts of 2^30 of a microsecond since the step began.
        let one = u128::from(impact::ONE);
        let target_at = target.map(|hit| {
            let length_us = u128::from(hit.piece_end_us - hit.piece_start_us);
            u128::from(hit.piece_start_us - start_us) * one + length_us * u128::from(hit.n)
        });
        let wall_at = wall.map(|(n, _)| u128::from(shot.step_us) * u128::from(n));
        match (target, wall) {
            (Some(hit), None) => Some(Outcome::Target { step, hit }),
            (Some(hit), Some(_)) if target_at <= wall_at => Some(Outcome::Target { step, hit }),
            (_, Some((n, wall))) => Some(Outcome::Wall { step, n, wall }),
            (None, None) => None,
        }
    }
}

fn first(wall: &Wall, from: Units, to: Units, reach: i64) -> Option<u32> {
    let by = std::array::from_fn(|axis| to[axis] - from[axis]);
    match wall {
        Wall::Box { low, high } => impact::with_box(from, by, low.map(i64::from), high.map(i64::from), reach),
        Wall::HalfSpace { normal, offset } => impact::with_half_space(from, by, normal.map(i64::from), *offset, reach),
    }
}
