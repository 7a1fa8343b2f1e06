//! [`Shot`]: who fires what, when and where, and what the file says will come of it.

use super::actor::MAX_COORDINATE;
use super::read::{Node, Read};
use crate::flight::MIN_BOUNCE_RADIUS;
use snapback_core::{Fx, Vec3};

/// The farthest that a hitscan shot reaches: 1,000 m.
const MAX_RANGE: Fx = Fx::from_int(100_000);
const MAX_SPEED: Fx = Fx::from_int(200_000);

/// A shot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shot {
    /// Its name, unlike any other's.
    pub name: String,
    /// Whose it is: a place in the list of actors.
    pub shooter: usize,
    /// When it is fired, in the server's time.
    pub fire_us: u64,
    /// When the server has the request.
    pub arrives_us: u64,
    /// How far behind the shooter sees others.
    pub view_delay_us: u64,
    /// Where it is aimed.
    pub aim: Aim,
    /// A ray or a projectile.
    pub kind: ShotKind,
    /// Its radius.
    pub radius: Fx,
    /// Whether it meets the shooter's own team.
    pub friendly_fire: bool,
    /// Whether it meets projectiles.
    pub hits_projectiles: bool,
    /// Whether it meets what cannot be damaged.
    pub hits_undamageable: bool,
    /// What the file says will come of it.
    pub expect: Option<Expect>,
}

/// Where a shot is aimed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Aim {
    /// At a point.
    Point(Vec3),
    /// In a direction of any length.
    Direction(Vec3),
    /// At the middle of a hitbox as the shooter sees it: places in the lists of actors and of its hitboxes.
    Seen {
        /// The actor.
        actor: usize,
        /// Its hitbox.
        hitbox: usize,
        /// So far beside the middle.
        offset: Vec3,
    },
}

/// A ray or a projectile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShotKind {
    /// It is everywhere on its way at once.
    Hitscan {
        /// How far it reaches.
        range: Fx,
    },
    /// It takes its time.
    Projectile(Flight),
}

/// How a projectile flies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flight {
    /// How fast it leaves the muzzle, in cm a second.
    pub speed: Fx,
    /// How fast it falls faster, in cm a second each second.
    pub gravity: Fx,
    /// What it does when it meets something.
    pub impact: ImpactRule,
    /// So many impacts end it.
    pub max_impacts: u32,
    /// What becomes of the view delay after the catch-up.
    pub after: After,
    /// How far its explosion reaches, if it has one.
    pub blast: Option<Blast>,
}

/// What a projectile does when it meets something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ImpactRule {
    /// It ends.
    Stop,
    /// It bounces.
    Bounce {
        /// How much of the speed across the surface remains, 0 to 1.
        restitution: Fx,
    },
    /// It goes on.
    Pierce,
}

/// What becomes of the view delay after the catch-up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum After {
    /// From then on it meets the present only.
    Collapse,
    /// It goes on meeting the past.
    Constant,
    /// It meets a past that comes nearer to the present.
    Ramp {
        /// Over so much time.
        over_us: u64,
    },
}

/// An explosion where a projectile ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Blast {
    /// How far it reaches.
    pub radius: Fx,
    /// Whose positions count.
    pub policy: BlastPolicy,
}

/// Whose positions count in an explosion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlastPolicy {
    /// Where targets were.
    Historical,
    /// Where they are.
    Present,
    /// Either.
    Hybrid,
}

/// What a file says will come of a shot. What is left out may be anything.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expect {
    /// What comes of it.
    pub what: Expected,
    /// The time of the target at the first hit, to the millisecond.
    pub target_ms: Option<u64>,
    /// Whether the request asked for too long ago.
    pub clamped: Option<bool>,
    /// All actors that were hit, in order.
    pub hits: Option<Vec<String>>,
    /// Where it stands in the file.
    pub line: usize,
}

/// What comes of a shot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expected {
    /// This actor is hit first.
    Hit {
        /// Its name.
        actor: String,
        /// In this region.
        region: Option<String>,
    },
    /// It ends at this obstacle, and nobody is hit.
    BlockedBy(String),
    /// This actor is not hit.
    Miss {
        /// Its name.
        actor: String,
        /// One of the [reasons](super::Why).
        because: Option<String>,
    },
    /// Nobody is hit.
    Nobody,
    /// The server does not take it.
    Refused {
        /// One of the [reasons](super::Refusal::NAMES).
        because: Option<String>,
    },
}

/// Names that a shot may speak of.
pub(super) struct Names<'a> {
    pub(super) actors: &'a [super::Actor],
    pub(super) obstacles: &'a [super::Obstacle],
}

impl Names<'_> {
    fn actor(&self, node: &Node<'_>, key: &str, name: &str) -> Read<usize> {
        let names = || self.actors.iter().map(|actor| format!("\"{}\"", actor.name)).collect::<Vec<_>>().join(", ");
        let found = self.actors.iter().position(|actor| actor.name == name);
        found.ok_or_else(|| node.error(key, format!("is \"{name}\", and no actor is called so"), format!("give one of {}", names())))
    }

    /// A hitbox as `"actor"`, its first, or `"actor/hitbox"`.
    fn hitbox(&self, node: &Node<'_>, key: &str, name: &str) -> Read<(usize, usize)> {
        let (actor, hitbox) = name.split_once('/').map_or((name, None), |(actor, hitbox)| (actor, Some(hitbox)));
        let at = self.actor(node, key, actor)?;
        let hitboxes = &self.actors[at].hitboxes;
        let found = hitbox.map_or((!hitboxes.is_empty()).then_some(0), |hitbox| hitboxes.iter().position(|other| other.name == hitbox));
        let found = found.ok_or_else(|| node.error(key, format!("is \"{name}\", and there is no such hitbox"), "give \"actor/hitbox\""))?;
        Ok((at, found))
    }
}

impl Shot {
    /// Where in time the request asks for targets.
    #[must_use]
    pub fn asked_us(&self) -> u64 {
        self.fire_us.saturating_sub(self.view_delay_us)
    }

    pub(super) fn read(mut node: Node<'_>, names: &Names<'_>, duration_us: u64) -> Read<Self> {
        let name = node.own_name("shot")?;
        let shooter = node.text("shooter")?;
        let shooter = names.actor(&node, "shooter", &shooter)?;
        let fire_us = node.must_time("fire", duration_us)?;
        let arrives_us = node.must_time("arrives", duration_us)?;
        if arrives_us < fire_us {
            return Err(node.error("arrives_ms", "is before the shot is fired", "give a time that is not before fire_ms"));
        }
        let view_delay_us = node.time("view_delay", 1_000_000)?.unwrap_or(0);
        let aim = Aim::read(&mut node, names)?;
        let kind = node.choice("kind", &[("hitscan", true), ("projectile", false)])?;
        let kind = match kind {
            true => ShotKind::Hitscan { range: node.decimal_or("range_cm", Fx::ONE, MAX_RANGE, Fx::from_int(5_000))? },
            false => ShotKind::Projectile(Flight::read(&mut node)?),
        };
        let radius = node.decimal_or("radius_cm", Fx::ZERO, Fx::from_int(390), Fx::ZERO)?;
        let bounces = matches!(kind, ShotKind::Projectile(Flight { impact: ImpactRule::Bounce { .. }, .. }));
        if bounces && radius < MIN_BOUNCE_RADIUS {
            return Err(node.error("radius_cm", format!("is {radius}"), "a bouncing shot needs 0.1 or more"));
        }
        let friendly_fire = node.truth_or("friendly_fire", false)?;
        let hits_projectiles = node.truth_or("hits_projectiles", false)?;
        let hits_undamageable = node.truth_or("hits_undamageable", false)?;
        let expect = node.table("expect")?.map(|expect| Expect::read(expect, names)).transpose()?;
        node.finish()?;
        Ok(Self {
            name,
            shooter,
            fire_us,
            arrives_us,
            view_delay_us,
            aim,
            kind,
            radius,
            friendly_fire,
            hits_projectiles,
            hits_undamageable,
            expect,
        })
    }
}

impl Aim {
    fn read(node: &mut Node<'_>, names: &Names<'_>) -> Read<Self> {
        let ways = ["aim_at", "aim_at_cm", "direction"];
        let given: Vec<&str> = ways.into_iter().filter(|way| node.has(way)).collect();
        if let [first, second, ..] = given.as_slice() {
            return Err(node.error(second, format!("is given, and so is {first}"), "aim in one way"));
        }
        match given.first() {
            Some(&"aim_at") => {
                let name = node.text("aim_at")?;
                let (actor, hitbox) = names.hitbox(node, "aim_at", &name)?;
                let offset = node.vector_or("aim_offset_cm", Fx::from_int(10_000), Vec3::ZERO)?;
                Ok(Self::Seen { actor, hitbox, offset })
            }
            Some(&"aim_at_cm") => node.vector("aim_at_cm", MAX_COORDINATE).map(Self::Point),
            Some(_) => {
                let direction = node.vector("direction", Fx::from_int(1_000))?;
                if direction.normalise().is_none() {
                    return Err(node.error("direction", "is zero", "give where the shot goes, such as [0, 0, 1]"));
                }
                Ok(Self::Direction(direction))
            }
            None => {
                let action = "add one of aim_at = \"actor/hitbox\", aim_at_cm = [x, y, z], direction = [x, y, z]";
                Err(node.error("aim_at", "is missing", action))
            }
        }
    }
}

impl Flight {
    fn read(node: &mut Node<'_>) -> Read<Self> {
        #[derive(Clone, Copy)]
        enum Rule {
            Stop,
            Bounce,
            Pierce,
        }
        let speed = node.decimal("speed_cm_s", Fx::ONE, MAX_SPEED)?;
        let gravity = node.decimal_or("gravity_cm_s2", Fx::ZERO, Fx::from_int(10_000), Fx::ZERO)?;
        let rule = node.choice_or("impact", &[("stop", Rule::Stop), ("bounce", Rule::Bounce), ("pierce", Rule::Pierce)], Rule::Stop)?;
        let impact = match rule {
            Rule::Stop => ImpactRule::Stop,
            Rule::Bounce => ImpactRule::Bounce { restitution: node.decimal_or("restitution", Fx::ZERO, Fx::ONE, Fx::ratio(1, 2))? },
            Rule::Pierce => ImpactRule::Pierce,
        };
        let max_impacts = if node.has("max_impacts") { node.whole("max_impacts", 1, 32)? as u32 } else { 8 };
        let after = node.choice_or("after", &[("collapse", 0), ("constant", 1), ("ramp", 2)], 0)?;
        let after = match after {
            0 => After::Collapse,
            1 => After::Constant,
            _ => After::Ramp { over_us: node.time("ramp", 10_000_000)?.unwrap_or(500_000) },
        };
        let blast = if node.has("blast_radius_cm") {
            let radius = node.decimal("blast_radius_cm", Fx::ONE, Fx::from_int(10_000))?;
            let policies = [("historical", BlastPolicy::Historical), ("present", BlastPolicy::Present), ("hybrid", BlastPolicy::Hybrid)];
            Some(Blast { radius, policy: node.choice_or("blast_policy", &policies, BlastPolicy::Historical)? })
        } else {
            None
        };
        Ok(Self { speed, gravity, impact, max_impacts, after, blast })
    }
}

impl Expect {
    fn read(mut node: Node<'_>, names: &Names<'_>) -> Read<Self> {
        let line = node.error("", "", "").line;
        let ways = ["hit", "blocked_by", "miss", "nobody", "refused"];
        let given: Vec<&str> = ways.into_iter().filter(|way| node.has(way)).collect();
        if let [first, second, ..] = given.as_slice() {
            return Err(node.error(second, format!("is given, and so is {first}"), "expect one of them"));
        }
        let what = match given.first() {
            Some(&"hit") => {
                let actor = node.text("hit")?;
                names.actor(&node, "hit", &actor)?;
                Expected::Hit { actor, region: node.maybe_text("region")? }
            }
            Some(&"blocked_by") => {
                let name = node.text("blocked_by")?;
                if !names.obstacles.iter().any(|obstacle| obstacle.name == name) {
                    return Err(node.error(
                        "blocked_by",
                        format!("is \"{name}\", and no obstacle is called so"),
                        "give the name of an obstacle",
                    ));
                }
                Expected::BlockedBy(name)
            }
            Some(&"miss") => {
                let actor = node.text("miss")?;
                names.actor(&node, "miss", &actor)?;
                let reasons: Vec<(&str, &str)> = super::Why::NAMES.iter().map(|&name| (name, name)).collect();
                let because = if node.has("because") { Some(node.choice("because", &reasons)?.to_owned()) } else { None };
                Expected::Miss { actor, because }
            }
            Some(&"nobody") => {
                node.must_be_true("nobody")?;
                Expected::Nobody
            }
            Some(_) => {
                node.must_be_true("refused")?;
                let reasons: Vec<(&str, &str)> = super::Refusal::NAMES.iter().map(|&name| (name, name)).collect();
                let because = if node.has("because") { Some(node.choice("because", &reasons)?.to_owned()) } else { None };
                Expected::Refused { because }
            }
            None => return Err(node.error("", "says nothing", "add one of hit, blocked_by, miss, nobody = true, refused = true")),
        };
        let target_ms = if node.has("target_ms") { Some(node.whole("target_ms", 0, 1_000_000)? as u64) } else { None };
        let clamped = if node.has("clamped") { Some(node.truth_or("clamped", false)?) } else { None };
        let hits = if node.has("hits") { Some(node.texts("hits", 32)?) } else { None };
        node.finish()?;
        Ok(Self { what, target_ms, clamped, hits, line })
    }
}
