//! [`Actor`]: who is there, of what hitboxes, and where they are at any time of the scenario.

use super::read::{Node, Read};
use crate::{Cadence, HitboxSample, MatchTeam, Point, Shape, ShapeKind, SourceShape};
use snapback_core::{Angle, Fx, NameHash, Quat, Vec3};

/// No coordinate in a scenario is greater, either way: 500 m.
pub(super) const MAX_COORDINATE: Fx = Fx::from_int(50_000);
/// No length of a shape is greater.
pub(super) const MAX_SIZE: Fx = Fx::from_int(50_000);
/// The greatest radius of a hitbox, and how far half of its height may go beyond: what a [`Shape`] can be, in whole centimetres.
const MAX_RADIUS: Fx = Fx::from_int(399);
const MAX_BEYOND_RADIUS: Fx = Fx::from_int(199);
const MAX_HITBOXES: usize = 16;
const MAX_KEYS: usize = 64;
const HUNDRED: Fx = Fx::from_int(100);

/// Someone or something with hitboxes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Actor {
    /// Its name, unlike any other's.
    pub name: String,
    /// Its team at the beginning.
    pub team: MatchTeam,
    /// Where its shots begin, seen from its position, turned with it.
    pub muzzle: Vec3,
    /// Its hitboxes, in the order of the file.
    pub hitboxes: Vec<Hitbox>,
    /// Where it is, when; the first says when it appears.
    pub keys: Vec<Key>,
}

/// A part of an actor that can be hit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hitbox {
    /// Its name, unlike any other's of the same actor.
    pub name: String,
    /// What damage rules call it.
    pub region: String,
    /// Sphere or capsule, standing upright.
    pub shape: SourceShape,
    /// Its centre, seen from the actor's position.
    pub offset: Vec3,
    /// How often the server records it.
    pub cadence: Cadence,
    /// Whether it can be damaged.
    pub damageable: bool,
    /// Whether it blocks.
    pub blocking: bool,
    /// Whether it is a projectile's.
    pub projectile: bool,
}

/// Where an actor is at a time. Between two keys it moves in a straight line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Key {
    /// The time.
    pub time_us: u64,
    /// Where it stands.
    pub position: Vec3,
    /// Turned about y, in degrees; 0 looks along z, 90 along x.
    pub yaw_degrees: Fx,
    /// Then tilted forward, in degrees.
    pub pitch_degrees: Fx,
    /// How tall it is, in percent: less than 100 is a crouch.
    pub height_percent: Fx,
    /// It was not on the way here: it jumped.
    pub teleport: bool,
    /// It ends here.
    pub dies: bool,
    /// Its team from here on.
    pub team: MatchTeam,
}

/// An actor at one time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stand {
    pub(super) position: Vec3,
    pub(super) rotation: Quat,
    height_percent: Fx,
    team: MatchTeam,
    epoch: u32,
}

impl Actor {
    pub(super) fn read(mut node: Node<'_>, duration_us: u64) -> Read<Self> {
        let name = node.own_name("actor")?;
        if name.contains('/') {
            return Err(node.error("name", "has a / in it", "leave it out: \"actor/hitbox\" is how a shot is aimed"));
        }
        let team = read_team(&mut node)?.unwrap_or(MatchTeam::NONE);
        let muzzle = node.vector_or("muzzle_cm", Fx::from_int(1_000), Vec3::ZERO)?;
        let mut hitboxes: Vec<Hitbox> = Vec::new();
        for part in node.tables("hitbox", 0, MAX_HITBOXES)? {
            let line = part.error("name", "is that of another hitbox of this actor", "give each a name of its own");
            let hitbox = Hitbox::read(part)?;
            if hitboxes.iter().any(|other| other.name == hitbox.name) {
                return Err(line);
            }
            hitboxes.push(hitbox);
        }
        let mut keys: Vec<Key> = Vec::new();
        for part in node.tables("key", 1, MAX_KEYS)? {
            let key = Key::read(part, keys.last(), team, duration_us)?;
            keys.push(key);
        }
        node.finish()?;
        Ok(Self { name, team, muzzle, hitboxes, keys })
    }

    /// When it appears.
    pub(super) fn born_us(&self) -> u64 {
        self.keys.first().map_or(0, |key| key.time_us)
    }

    /// When it dies, if it does.
    pub(super) fn dies_us(&self) -> Option<u64> {
        self.keys.iter().find(|key| key.dies).map(|key| key.time_us)
    }

    /// Where it is; nothing before it appears. After its end it stays where it died.
    pub(super) fn stand(&self, time_us: u64) -> Option<Stand> {
        let at = self.keys.iter().rposition(|key| key.time_us <= time_us)?;
        let from = &self.keys[at];
        let epoch = self.keys.iter().take(at + 1).filter(|key| key.teleport).count() as u32;
        let to = self.keys.get(at + 1).filter(|to| !to.teleport).unwrap_or(from);
        let (passed, whole) = (time_us - from.time_us, to.time_us.saturating_sub(from.time_us).max(1));
        let between = |from: Fx, to: Fx| {
            let way = i128::from(to.to_bits() - from.to_bits()) * i128::from(passed);
            if from == to { from } else { from + Fx::from_bits(way.div_euclid(i128::from(whole)) as i64) }
        };
        let position = Vec3::new(
            between(from.position.x, to.position.x),
            between(from.position.y, to.position.y),
            between(from.position.z, to.position.z),
        );
        let yaw = angle(between(from.yaw_degrees, to.yaw_degrees));
        let pitch = angle(between(from.pitch_degrees, to.pitch_degrees));
        let rotation = (Quat::from_axis_angle(Vec3::Y, yaw) * Quat::from_axis_angle(Vec3::X, pitch)).normalise();
        Some(Stand { position, rotation, height_percent: between(from.height_percent, to.height_percent), team: from.team, epoch })
    }
}

impl Stand {
    /// One of its actor's hitboxes.
    pub(super) fn sample(&self, hitbox: &Hitbox) -> Option<HitboxSample> {
        let tall = |length: Fx| length * self.height_percent / HUNDRED;
        let shape = match hitbox.shape {
            SourceShape::Capsule { radius, half_height } => SourceShape::Capsule { radius, half_height: tall(half_height) },
            other => other,
        };
        let offset = Vec3::new(hitbox.offset.x, tall(hitbox.offset.y), hitbox.offset.z);
        Some(HitboxSample {
            position: Point::of(self.position + self.rotation.rotate(offset)).ok()?,
            rotation: self.rotation,
            shape: Shape::of(shape).ok()?,
            damageable: hitbox.damageable,
            blocking: hitbox.blocking,
            team: self.team,
            state_flags: 0,
            epoch: self.epoch,
        })
    }

    /// Where shots of `actor` begin.
    pub(super) fn muzzle(&self, actor: &Actor) -> Vec3 {
        let muzzle = Vec3::new(actor.muzzle.x, actor.muzzle.y * self.height_percent / HUNDRED, actor.muzzle.z);
        self.position + self.rotation.rotate(muzzle)
    }
}

impl Hitbox {
    fn read(mut node: Node<'_>) -> Read<Self> {
        let name = node.own_name("hitbox")?;
        let region = node.text_or("region", &name)?;
        let radius = node.decimal("radius_cm", Fx::ratio(1, 10), MAX_RADIUS)?;
        let kind = node.choice("shape", &[("sphere", ShapeKind::Sphere), ("capsule", ShapeKind::Capsule)])?;
        let (shape, size) = match kind {
            ShapeKind::Sphere => (SourceShape::Sphere { radius }, "radius_cm"),
            ShapeKind::Capsule => {
                let half_height = node.decimal("half_height_cm", Fx::ratio(1, 10), radius + MAX_BEYOND_RADIUS)?;
                (SourceShape::Capsule { radius, half_height }, "half_height_cm")
            }
        };
        if let Err(error) = Shape::of(shape) {
            return Err(node.error(size, "is too great", error.to_string()));
        }
        let offset = node.vector_or("offset_cm", Fx::from_int(1_000), Vec3::ZERO)?;
        let cadence = match node.has("cadence_hz") {
            true => Cadence::FixedHz { hz: node.whole("cadence_hz", 1, 240)? as u16 },
            false => Cadence::EveryServerTick,
        };
        let damageable = node.truth_or("damageable", true)?;
        let blocking = node.truth_or("blocking", false)?;
        let projectile = node.truth_or("projectile", false)?;
        node.finish()?;
        Ok(Self { name, region, shape, offset, cadence, damageable, blocking, projectile })
    }

    /// The hash of its name.
    #[must_use]
    pub fn name_hash(&self) -> NameHash {
        NameHash::of(&self.name)
    }
}

impl Key {
    fn read(mut node: Node<'_>, before: Option<&Self>, team: MatchTeam, duration_us: u64) -> Read<Self> {
        let time_us = node.must_time("at", duration_us)?;
        if let Some(before) = before.filter(|before| time_us <= before.time_us) {
            let problem = format!("is not after the {} us of the key before", before.time_us);
            let key = if node.has("at_ms") { "at_ms" } else { "at_us" };
            return Err(node.error(key, problem, "put the keys in the order of their times"));
        }
        if before.is_some_and(|before| before.dies) {
            return Err(node.error("", "comes after the actor has died", "leave it out, or add another actor for its next life"));
        }
        let degrees = |node: &mut Node<'_>, key: &str, before: Option<Fx>| {
            node.decimal_or(key, Fx::from_int(-3_600), Fx::from_int(3_600), before.unwrap_or(Fx::ZERO))
        };
        let position = match before {
            Some(before) => node.vector_or("position_cm", MAX_COORDINATE, before.position)?,
            None => node.vector("position_cm", MAX_COORDINATE)?,
        };
        let yaw_degrees = degrees(&mut node, "yaw_degrees", before.map(|before| before.yaw_degrees))?;
        let pitch_degrees = degrees(&mut node, "pitch_degrees", before.map(|before| before.pitch_degrees))?;
        let tall = before.map_or(HUNDRED, |before| before.height_percent);
        let height_percent = node.decimal_or("height_percent", Fx::from_int(10), HUNDRED, tall)?;
        let teleport = node.truth_or("teleport", false)?;
        let dies = node.truth_or("dies", false)?;
        let team = read_team(&mut node)?.unwrap_or(before.map_or(team, |before| before.team));
        node.finish()?;
        Ok(Self { time_us, position, yaw_degrees, pitch_degrees, height_percent, teleport, dies, team })
    }
}

/// A team by its number.
pub(super) fn read_team(node: &mut Node<'_>) -> Read<Option<MatchTeam>> {
    if node.has("team") { node.whole("team", 0, 1_000).map(|team| Some(MatchTeam::new(team as u16))) } else { Ok(None) }
}

fn angle(degrees: Fx) -> Angle {
    let bits = (i128::from(degrees.to_bits()) << 32).div_euclid(360 << 16);
    Angle::from_bits(bits as u32)
}
