//! Hitboxes, samples, ticks, queries and shots as plain data. A hitbox is named by its place in
//! [`Scene::hitboxes`] wherever it occurs.

use snapback_core::{Fx, Quat, Vec3};

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

/// What a hitbox belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// An actor's body.
    Actor,
    /// A projectile that others can hit.
    Projectile,
}

/// What never changes about a hitbox.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HitboxSpec {
    /// Whose it is.
    pub actor: u64,
    /// Which one of that actor's.
    pub component: u64,
    /// Of what.
    pub kind: Kind,
    /// Microseconds between its samples; 0 is every tick.
    pub interval_us: u64,
}

/// What happens at one tick, and what is asked after it.
#[derive(Clone, Debug, Default)]
pub struct Tick {
    /// When.
    pub time_us: u64,
    /// Hitboxes that are unregistered before this tick is recorded: the tick before was their last.
    pub retired: Vec<usize>,
    /// Hitboxes that are registered at this tick. Their first sample is among the samples.
    pub born: Vec<usize>,
    /// Who is due, in ascending order, and what it is.
    pub samples: Vec<(usize, Sample)>,
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
    /// What never moves and is only hit by shots.
    pub walls: Vec<Wall>,
}

/// A circle in the plane of x and z, in units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Circle {
    /// Its centre's x.
    pub x: i32,
    /// Its centre's z.
    pub z: i32,
    /// Its radius.
    pub radius: u32,
}

/// Who may be hit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Filter {
    /// Nothing of this actor.
    pub ignored_actor: Option<u64>,
    /// Nobody in this team.
    pub ignored_team: Option<u16>,
    /// Nobody in the team of who asks, which is this; nothing if friends are hit.
    pub friends: Option<u16>,
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
            ignored_team: None,
            friends: None,
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
    /// Asked when.
    pub now_us: u64,
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
    /// Asked when.
    pub now_us: u64,
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
    /// Asked when.
    pub now_us: u64,
    /// Who may be hit.
    pub filter: Filter,
}

/// A question about the past.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// One hitbox at one time.
    Lookup(Lookup),
    /// Frozen targets.
    Cast(Cast),
    /// Moving targets.
    Sweep(Sweep),
}

/// What never moves, in units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wall {
    /// A box along the axes.
    Box {
        /// Its least corner.
        low: [i32; 3],
        /// Its greatest corner.
        high: [i32; 3],
    },
    /// Everything at or below a plane through the point `normal * offset / |normal|²`.
    HalfSpace {
        /// Points out of it; of any length.
        normal: [i32; 3],
        /// Points of the plane have this dot product with the normal.
        offset: i64,
    },
}

/// A projectile that was fired in the past and is caught up to now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shot {
    /// Where it left the muzzle, in centimetres.
    pub position: Vec3,
    /// How fast, in centimetres a second.
    pub velocity: Vec3,
    /// What pulls it, in centimetres a second squared.
    pub gravity: Vec3,
    /// Its radius, in units.
    pub radius: u16,
    /// When it was fired.
    pub fire_us: u64,
    /// How long one step of the simulation is.
    pub step_us: u64,
    /// How many whole steps it is caught up.
    pub steps: u32,
    /// How much older than the clock what the shooter saw was.
    pub view_delay_us: u64,
    /// Asked when.
    pub now_us: u64,
    /// Who may be hit.
    pub filter: Filter,
}
