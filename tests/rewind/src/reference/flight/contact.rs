//! What a straight part of a flight meets first.

use super::{End, Flight, Past, Target};
use crate::reference::units::{self, Units};
use crate::reference::walls;
use crate::scene::{Stuff, Sweep, Wall};
use snapback_core::{Fx, Vec3};

/// A coordinate of the world is at most this many units.
pub(super) const EDGE: i64 = 1 << 30;
/// A way is swept in parts that are at most so long, in units, and at most so many.
const LONGEST: i128 = (1 << 24) - 2;
const MOST_PARTS: i64 = 16;

/// The first contact of a way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    /// When on the whole way, in 2^30ths.
    pub at: u64,
    pub target: Target,
    pub normal: Vec3,
}

/// A straight way of a projectile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub from: Vec3,
    pub to: Vec3,
}

impl Way {
    /// A place on it, rounded down.
    pub(super) fn place(&self, at: u64) -> Vec3 {
        let part = |from: Fx, to: Fx| {
            let way = i128::from(to.to_bits()) - i128::from(from.to_bits());
            let gone = (way * i128::from(at)).div_euclid(1 << 30);
            Fx::from_bits(from.to_bits() + i64::try_from(gone).expect("a part of the way"))
        };
        Vec3::new(part(self.from.x, self.to.x), part(self.from.y, self.to.y), part(self.from.z, self.to.z))
    }
}

impl Flight<'_> {
    /// What is met first on `way`: what is nearest on it, and of the past and the present at the same
    /// time the present. A wall that is being left is not met.
    pub(super) fn first_contact(
        &self,
        way: Way,
        is_catch_up: bool,
        past: Option<Past>,
        leaving: Option<usize>,
    ) -> Result<Option<Contact>, End> {
        let [from, to] = [way.from, way.to].map(units::quantise_point);
        if from.iter().chain(&to).any(|it| it.abs() > EDGE) {
            return Err(End::OutOfWorld);
        }
        let squared: i128 = (0..3).map(|axis| i128::from(to[axis] - from[axis]).pow(2)).sum();
        let parts = (1..=MOST_PARTS).find(|parts| (i128::from(*parts) * LONGEST).pow(2) >= squared).ok_or(End::TooFast)?;
        let place =
            |number: i64| -> Units { std::array::from_fn(|axis| from[axis] + ((to[axis] - from[axis]) * number).div_euclid(parts)) };
        for number in 0..parts {
            let (start, end) = (place(number), place(number + 1));
            let wall = self.first_wall(start, end, is_catch_up, past.is_some(), leaving);
            let someone = past.and_then(|past| {
                let whole_us = past.end_us - past.start_us;
                let [start_us, end_us] = [number, number + 1].map(|it| past.start_us + whole_us * it.unsigned_abs() / parts.unsigned_abs());
                self.someone(start, end, start_us, end_us)
            });
            let first = match (someone, wall) {
                (Some(someone), Some(wall)) if someone.at < wall.at => someone,
                (_, Some(wall)) => wall,
                (Some(someone), None) => someone,
                (None, None) => continue,
            };
            let back = (way.from - way.to).normalise().unwrap_or(Vec3::Y);
            let normal = if first.normal == Vec3::default() { back } else { first.normal };
            let at = ((number.unsigned_abs() << 30) + first.at) / parts.unsigned_abs();
            return Ok(Some(Contact { at, normal, ..first }));
        }
        Ok(None)
    }

    /// Who of the past is met. If nobody can be asked for then, nobody.
    fn someone(&self, from: Units, to: Units, start_us: u64, end_us: u64) -> Option<Contact> {
        let narrow = |point: Units| point.map(|it| i32::try_from(it).expect("within the world"));
        let mut filter = self.shot.filter;
        filter.own_team = self.shot.team;
        let (from, to, radius) = (narrow(from), narrow(to), self.shot.radius);
        let sweep = Sweep { from, to, radius, start_us, end_us, clamp: true, filter };
        let hit = self.reference.sweep_past(&sweep, &self.passed_actors).ok()??;
        let region = self.reference.tracks[hit.hitbox].as_ref().expect("it was hit").spec.region;
        let [x, y, z] = hit.offset.map(|it| Fx::from_bits(it * 400));
        Some(Contact {
            at: u64::from(hit.at),
            target: Target::Hitbox { hitbox: hit.hitbox, region, time_us: hit.time_us },
            normal: Vec3::new(x, y, z).normalise().unwrap_or_default(),
        })
    }

    pub(super) fn first_wall(
        &self,
        from: Units,
        to: Units,
        is_catch_up: bool,
        is_past_asked: bool,
        leaving: Option<usize>,
    ) -> Option<Contact> {
        let walls = self.walls.iter().enumerate().filter(|(number, wall)| {
            Some(*number) != leaving && !self.passed_walls.contains(number) && self.may_meet(wall, is_catch_up, is_past_asked)
        });
        let touched = walls.filter_map(|(number, wall)| {
            let (n, normal) = walls::touch(wall, from, to, self.shot.radius.into())?;
            Some((n, number, normal))
        });
        let (n, wall, normal) = touched.min_by_key(|(n, number, _)| (*n, *number))?;
        Some(Contact { at: u64::from(n), target: Target::Wall { wall, n }, normal })
    }

    /// Whether something of the present is in the way. Who has a history is met there, as long as the past is
    /// asked.
    fn may_meet(&self, wall: &Wall, is_catch_up: bool, is_past_asked: bool) -> bool {
        let filter = &self.shot.filter;
        if filter.ignored_actor == Some(wall.actor) || self.passed_actors.contains(&wall.actor) {
            return false;
        }
        if is_catch_up && wall.ignored_in_catch_up {
            return false;
        }
        let is_wanted = match wall.stuff {
            Stuff::Static | Stuff::Dynamic | Stuff::Destructible => return true,
            Stuff::Pawn => filter.actors,
            Stuff::Projectile => filter.projectiles,
        };
        let is_in = |team: Option<u16>| team.is_some() && team == wall.team;
        let is_spared = is_in(filter.ignored_team) || filter.spare_own_team && is_in(self.shot.team);
        is_wanted && !is_past_asked && !is_spared && (wall.damageable || !filter.only_damageable)
    }
}
