//! [`HitboxSample`]: what a hitbox is at one tick, as the host tells it.

use snapback_core::{NameHash, Quat};

use crate::{ActorId, Cadence, ComponentId, HitboxId, MatchTeam, Point, SampleError, Shape};

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
    /// Whether it blocks, as a shield does. One that is not damageable either is met only by a filter with
    /// `only_damageable: false`.
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

/// What a history tells about a hitbox that it could not sample.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notice {
    /// Its shape has no snapshots. Told once for a hitbox.
    Unsupported {
        /// Which.
        hitbox: HitboxId,
        /// What was registered.
        desc: HitboxDesc,
        /// What the shape is.
        kind: NameHash,
    },
    /// Its source was gone: it and its past have left the history, and its id names nothing now.
    Pruned {
        /// Which.
        hitbox: HitboxId,
        /// What was registered.
        desc: HitboxDesc,
    },
    /// Its sample cannot be recorded: it stays where it was, as if there had been none. Told every
    /// time.
    Refused {
        /// Which.
        hitbox: HitboxId,
        /// What was registered.
        desc: HitboxDesc,
        /// What is wrong with the sample.
        reason: SampleError,
    },
}

/// Where samples come from: the host's world.
///
/// A closure is one; a pair of closures also hears what could not be sampled:
///
/// ```
/// use snapback_core::NameHash;
/// use snapback_rewind::*;
/// let mut history = RewindHistory::new(RewindConfig::default(), WorldKind::Game, NetRole::Authority).unwrap();
/// history.record_tick(0, &mut |_, _: &HitboxDesc| Sampled::Gone).unwrap();
/// let crate_of_wood = HitboxDesc {
///     actor: ActorId(1),
///     component: ComponentId(1),
///     name: NameHash::of("crate"),
///     region: NameHash::NONE,
///     projectile: false,
///     client_only: false,
///     cadence: Cadence::default(),
/// };
/// let mut told = 0;
/// let sample = |_, _: &HitboxDesc| Sampled::Unsupported(NameHash::of("box"));
/// let notice = |notice: &Notice| told += i32::from(matches!(notice, Notice::Unsupported { .. }));
/// let mut source = (sample, notice);
/// history.register_from(crate_of_wood, &mut source).unwrap();
/// history.record_tick(16_667, &mut source).unwrap();
/// assert_eq!(told, 1);
/// ```
pub trait HitboxSource {
    /// The hitbox `id` of `desc` as it is now.
    fn sample(&mut self, id: HitboxId, desc: &HitboxDesc) -> Sampled;

    /// Hears of a hitbox that could not be sampled.
    fn notice(&mut self, notice: &Notice) {
        let _ = notice;
    }
}

impl<F: FnMut(HitboxId, &HitboxDesc) -> Sampled> HitboxSource for F {
    fn sample(&mut self, id: HitboxId, desc: &HitboxDesc) -> Sampled {
        self(id, desc)
    }
}

impl<F: FnMut(HitboxId, &HitboxDesc) -> Sampled, N: FnMut(&Notice)> HitboxSource for (F, N) {
    fn sample(&mut self, id: HitboxId, desc: &HitboxDesc) -> Sampled {
        self.0(id, desc)
    }

    fn notice(&mut self, notice: &Notice) {
        self.1(notice);
    }
}
