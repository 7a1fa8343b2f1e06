//! A projectile, step by step, from its fire time to now and beyond.

mod contact;
mod step;

use super::history::Reference;
use crate::scene::{After, Shot, Wall};
use snapback_core::{Fx, NameHash, Vec3};

/// No fire time counts that is longer ago.
pub const LONGEST_US: u64 = 250_000;
/// No shot remembers more actors, nor more colliders.
pub const MOST: usize = 16;

/// Where a projectile is and how fast.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Body {
    /// In centimetres.
    pub position: Vec3,
    /// In centimetres a second.
    pub velocity: Vec3,
}

/// What was met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// Somebody of the past.
    Hitbox {
        /// Which.
        hitbox: usize,
        /// The tag of its region.
        region: NameHash,
        /// When it was there.
        time_us: u64,
    },
    /// Something of the present.
    Wall {
        /// Which.
        wall: usize,
        /// When on the swept way.
        n: u32,
    },
}

/// A projectile met something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Impact {
    /// When, for the projectile.
    pub time_us: u64,
    /// Where it was, and how fast until then.
    pub body: Body,
    /// Away from what it met.
    pub normal: Vec3,
    /// What it met.
    pub target: Target,
    /// Which impact it is, from 1.
    pub number: u32,
    /// Whether it damages.
    pub damage: bool,
}

/// Why a projectile is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// An impact stopped it.
    Stopped,
    /// It had all its impacts.
    ImpactsUsed,
    /// It is through with as many as it can remember.
    TargetsUsed,
    /// It left the world.
    OutOfWorld,
    /// It would fly too far in a step.
    TooFast,
}

/// What became of a shot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flown {
    /// What it met, in order.
    pub impacts: Vec<Impact>,
    /// Why it is over, if it is.
    pub end: Option<End>,
    /// Where it is, and at what time; nothing if it was lost while it caught up.
    pub state: Option<(Body, u64)>,
    /// How many steps it caught up; nothing if it was lost.
    pub steps: Option<u32>,
    /// Whether its fire time did not count as it was.
    pub is_clamped: bool,
    /// Whether the time to catch up was too short.
    pub is_skipped: bool,
}

/// A projectile under way.
pub(super) struct Flight<'a> {
    reference: &'a Reference,
    shot: &'a Shot,
    walls: &'a [Wall],
    body: Body,
    time_us: u64,
    end: Option<End>,
    impacts: Vec<Impact>,
    /// Actors that were met: each is damaged once.
    resolved: Vec<u64>,
    passed_actors: Vec<u64>,
    passed_walls: Vec<usize>,
}

/// When those of the past are met, at the start of a step and at its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Past {
    start_us: u64,
    end_us: u64,
}

impl Reference {
    /// Catches `shot` up to its now, and follows it after that.
    #[must_use]
    pub fn fly(&self, shot: &Shot, walls: &[Wall]) -> Flown {
        let start_us = shot.fire_us.clamp(shot.now_us.saturating_sub(LONGEST_US), shot.now_us);
        let mut flight = Flight::new(self, shot, walls, start_us);
        let steps = (shot.now_us - start_us) / u64::from(shot.step_us);
        let delay_us = u64::from(shot.view_delay_us);
        let mut flown = 0;
        while flown < steps && flight.end.is_none() {
            flown += 1;
            let start_us = flight.time_us - delay_us;
            flight.step(true, Some(Past { start_us, end_us: start_us + u64::from(shot.step_us) }));
        }
        if steps == 0 {
            flight.time_us = shot.now_us;
        }
        let is_lost = matches!(flight.end, Some(End::OutOfWorld | End::TooFast));
        let caught_up_us = flight.time_us;
        for _ in 0..shot.live_steps {
            if flight.end.is_some() {
                break;
            }
            let (now_us, next_us) = (flight.time_us, flight.time_us + u64::from(shot.step_us));
            let [delay_us, next_delay_us] = [now_us, next_us].map(|it| flight.delay_us(it - caught_up_us));
            let past = Past { start_us: now_us - delay_us, end_us: next_us - next_delay_us };
            flight.step(false, (delay_us > 0).then_some(past));
        }
        Flown {
            impacts: flight.impacts,
            end: flight.end,
            state: (!is_lost).then_some((flight.body, flight.time_us)),
            steps: (!is_lost).then(|| u32::try_from(flown).expect("few")),
            is_clamped: start_us != shot.fire_us,
            is_skipped: steps == 0,
        }
    }
}

impl<'a> Flight<'a> {
    fn new(reference: &'a Reference, shot: &'a Shot, walls: &'a [Wall], time_us: u64) -> Self {
        let velocity = shot.rotation.rotate(Vec3::new(Fx::ZERO, Fx::ZERO, shot.speed));
        let mut passed_actors = Vec::new();
        for actor in [shot.filter.except, Some(shot.shooter), shot.own_actor].into_iter().flatten() {
            if !passed_actors.contains(&actor) {
                passed_actors.push(actor);
            }
        }
        Self {
            reference,
            shot,
            walls,
            body: Body { position: shot.muzzle, velocity },
            time_us,
            end: None,
            impacts: Vec::new(),
            resolved: Vec::new(),
            passed_actors,
            passed_walls: Vec::new(),
        }
    }

    /// How late it meets others, so long after it caught up.
    fn delay_us(&self, after_us: u64) -> u64 {
        let delay_us = u64::from(self.shot.view_delay_us);
        match self.shot.after {
            After::Collapse => 0,
            After::Constant => delay_us,
            After::Ramp(over_us) if after_us >= u64::from(over_us) => 0,
            After::Ramp(over_us) => delay_us * (u64::from(over_us) - after_us) / u64::from(over_us),
        }
    }
}
