//! [`HitboxSample`]: what a hitbox is at one tick, as the host tells it.

use snapback_core::{NameHash, Quat};

use crate::{ActorId, Cadence, ComponentId, HitboxId, MatchTeam, Point, Shape};

/// What does not change while a hitbox is registered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HitboxDesc {
    /// Whose it is. One actor may have several.
    pub actor: ActorId,
    /// What it follows.
    pub component: ComponentId,
    /// Its name, such as `"head"`.
    pub name: NameHash,
    /// The tag of its region, for damage rules.
    pub region: NameHash,
    /// Whether it is a projectile's. Decides what a filter includes and nothing else.
    pub projectile: bool,
    /// Whether it exists on clients only, as a predicted visual does. Such are refused.
    pub client_only: bool,
    /// How often it is sampled.
    pub cadence: Cadence,
}

/// A hitbox at one time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HitboxSample {
    /// Its centre.
    pub position: Point,
    /// Its rotation, of length one.
    pub rotation: Quat,
    /// Its shape.
    pub shape: Shape,
    /// Whether it can be damaged.
    pub damageable: bool,
    /// Whether it blocks.
    pub blocking: bool,
    /// Its team now. A change shows in later samples only.
    pub team: MatchTeam,
    /// What the game wants to know again.
    pub state_flags: u32,
    /// Raised by the host at a teleport, a death, a respawn: never interpolated across.
    pub epoch: u32,
}

/// What a source says about a hitbox.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sampled {
    /// It is here.
    Here(HitboxSample),
    /// Its shape is one that has no snapshots. Reported once.
    Unsupported(NameHash),
    /// Its actor or component is gone: it is pruned.
    Gone,
}

/// Where samples come from: the host's world.
pub trait HitboxSource {
    /// The hitbox `id` of `desc` as it is now.
    fn sample(&mut self, id: HitboxId, desc: &HitboxDesc) -> Sampled;
}

impl<F: FnMut(HitboxId, &HitboxDesc) -> Sampled> HitboxSource for F {
    fn sample(&mut self, id: HitboxId, desc: &HitboxDesc) -> Sampled {
        self(id, desc)
    }
}
