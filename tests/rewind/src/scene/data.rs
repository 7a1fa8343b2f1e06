//! Hitboxes, samples, ticks and questions as plain data. A hitbox is named by its place in
//! [`Scene::hitboxes`] wherever it occurs.

use super::shots::{Shot, Wall};
use snapback_core::{Fx, NameHash, Quat, Vec3};

/// A sphere or a capsule, in centimetres.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A ball.
    Sphere {
        /// Its radius.
        radius: Fx,
    },
    /// A capsule along y of its rotation.
    Capsule {
        /// Its radius.
        radius: Fx,
        /// Half of its height, with the caps.
        half_height: Fx,
    },
}

/// What is not geometry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attributes {
    /// Whether it takes damage.
    pub damageable: bool,
    /// Whether it stops a shot.
    pub blocking: bool,
    /// Its team, or none.
    pub team: Option<u16>,
    /// State flags of the game.
    pub flags: u32,
}

/// What a hitbox is at one tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// Its centre, in centimetres.
    pub position: Vec3,
    /// Its rotation.
    pub rotation: Quat,
    /// Its shape.
    pub shape: Shape,
    /// What is not geometry.
    pub attributes: Attributes,
    /// Changes where nothing may be interpolated.
    pub epoch: u32,
}

/// What is seen of a hitbox by who looks at it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seen {
    /// It is here.
    Here(Sample),
    /// Its shape is one that has no samples.
    Unsupported,
    /// What it follows is gone.
    Gone,
}

/// What a hitbox belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// An actor's body.
    Actor,
    /// A projectile that others can hit.
    Projectile,
}

/// How often a hitbox is sampled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// At every tick.
    EveryTick,
    /// As often as its owner is sent, in Hz.
    Owner(u16),
    /// At a rate of its own, in Hz.
    Fixed(u16),
}

/// What never changes about a hitbox.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HitboxSpec {
    /// Whose it is.
    pub actor: u64,
    /// Which one of that actor's.
    pub component: u64,
    /// Its name.
    pub name: NameHash,
    /// The tag of its region.
    pub region: NameHash,
    /// Of what.
    pub kind: Kind,
    /// How often it is sampled.
    pub pace: Pace,
}

/// What happens at one tick, and what is asked after it.
#[derive(Clone, Debug, Default)]
pub struct Tick {
    /// When.
    pub time_us: u64,
    /// Hitboxes that are retired before this tick: the tick before was their last.
    pub retired: Vec<usize>,
    /// Hitboxes that are unregistered before this tick, with their past.
    pub unregistered: Vec<usize>,
    /// Hitboxes that are registered at this tick. What is seen of them first is among `seen`.
    pub born: Vec<usize>,
    /// What there is to see of everyone who lives, in ascending order. Only who is due is looked at.
    pub seen: Vec<(usize, Seen)>,
    /// What is asked before the next tick.
    pub questions: Vec<Question>,
    /// What is fired before the next tick.
    pub shots: Vec<Shot>,
}

/// A whole scene.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// Every hitbox that ever lives in it.
    pub hitboxes: Vec<HitboxSpec>,
    /// What happens, in order of time.
    pub ticks: Vec<Tick>,
    /// The present world, which stands still.
    pub walls: Vec<Wall>,
}

/// A circle in the plane of x and z.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Circle {
    /// Its centre's x, in units.
    pub x: i32,
    /// Its centre's z, in units.
    pub z: i32,
    /// Its radius, in centimetres.
    pub radius: Fx,
}

/// Who may be hit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Filter {
    /// Nothing of this actor.
    pub ignored_actor: Option<u64>,
    /// Nothing of this actor either.
    pub except: Option<u64>,
    /// Nobody in this team.
    pub ignored_team: Option<u16>,
    /// The team of who asks.
    pub own_team: Option<u16>,
    /// Nobody in the team of who asks.
    pub spare_own_team: bool,
    /// Only what takes damage.
    pub only_damageable: bool,
    /// Also what blocks.
    pub blocking: bool,
    /// Also projectiles.
    pub projectiles: bool,
    /// Also actors.
    pub actors: bool,
    /// Only what touches this circle with the circle around itself.
    pub circle: Option<Circle>,
}

impl Default for Filter {
    fn default() -> Self {
        Self {
            ignored_actor: None,
            except: None,
            ignored_team: None,
            own_team: None,
            spare_own_team: false,
            only_damageable: true,
            blocking: true,
            projectiles: false,
            actors: true,
            circle: None,
        }
    }
}

/// One hitbox at one time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lookup {
    /// Which.
    pub hitbox: usize,
    /// When.
    pub time_us: u64,
}

/// Everybody at one time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Census {
    /// When.
    pub time_us: u64,
    /// Who.
    pub filter: Filter,
    /// Near what, or anywhere.
    pub near: Option<Near>,
}

/// Where candidates are looked for: near a segment, in a circle, or both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Near {
    /// From, to, and a radius in units.
    pub segment: Option<([i32; 3], [i32; 3], u16)>,
    /// A circle.
    pub circle: Option<Circle>,
}

/// A sphere that moves through what stood at one time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cast {
    /// From here, in units.
    pub from: [i32; 3],
    /// To here.
    pub to: [i32; 3],
    /// The sphere's radius, in units.
    pub radius: u16,
    /// When everything stood as it is asked for.
    pub time_us: u64,
    /// Whether a time that is too long ago counts as the earliest that is not.
    pub clamp: bool,
    /// Who may be hit.
    pub filter: Filter,
}

/// A sphere that moves while everything moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sweep {
    /// From here, in units.
    pub from: [i32; 3],
    /// To here.
    pub to: [i32; 3],
    /// The sphere's radius, in units.
    pub radius: u16,
    /// It starts when.
    pub start_us: u64,
    /// It ends when, later than that.
    pub end_us: u64,
    /// Whether times that are too long ago count as the earliest that is not.
    pub clamp: bool,
    /// Who may be hit.
    pub filter: Filter,
}

/// A question about the past.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// One hitbox at one time.
    Lookup(Lookup),
    /// Everybody at one time.
    Census(Census),
    /// Frozen targets.
    Cast(Cast),
    /// Moving targets.
    Sweep(Sweep),
}
