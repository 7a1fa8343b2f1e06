//! Hitboxes come and go.

use core::cmp::Reverse;
use core::fmt;

use super::row::{TickMeta, TickPose, presence};
use super::{RewindHistory, record};
use crate::{ActorId, Cadence, ComponentId, HitboxDesc, HitboxId, HitboxSample, HitboxSource, NotAuthority, Notice, Sampled};
use snapback_core::NameHash;

/// Why a hitbox is not registered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegisterError {
    /// Not on authority.
    NotAuthority(NotAuthority),
    /// It exists on clients only.
    ClientOnly,
    /// The component has a hitbox of this name already.
    AlreadyRegistered(HitboxId),
    /// There is no room.
    Full {
        /// How many are registered.
        max_hitboxes: usize,
    },
    /// The first tick was not recorded yet, so there is no time for the first snapshot.
    NoTick,
    /// The first snapshot cannot be.
    BadSample(record::SampleError),
    /// Its actor or component is gone already.
    SourceGone,
}

impl fmt::Display for RegisterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAuthority(reason) => reason.fmt(f),
            Self::ClientOnly => write!(f, "a visual that exists on clients only is no target: register the server's actor"),
            Self::AlreadyRegistered(id) => write!(f, "the component has a hitbox already, at place {}", id.index()),
            Self::Full { max_hitboxes } => {
                write!(f, "{max_hitboxes} hitboxes are registered, which is all: raise max_hitboxes")
            }
            Self::NoTick => write!(f, "no tick was recorded yet: call record_tick first"),
            Self::BadSample(reason) => reason.fmt(f),
            Self::SourceGone => write!(f, "the actor or component is gone already"),
        }
    }
}

impl std::error::Error for RegisterError {}

/// What a hitbox is known by: one component may have several, by name.
type Key = (ActorId, ComponentId, NameHash);

const fn key(desc: &HitboxDesc) -> Key {
    (desc.actor, desc.component, desc.name)
}

impl RewindHistory {
    /// Registers a hitbox, with its first snapshot at the time of the newest tick.
    ///
    /// # Errors
    /// If this is not authority, the hitbox is a client's visual, its component has one of this name
    /// already, there is no room, or its first snapshot cannot be. Nothing has changed then.
    pub fn register(&mut self, desc: HitboxDesc, first: HitboxSample) -> Result<HitboxId, RegisterError> {
        let id = self.admit(&desc)?;
        let first = record::quantise(&first, desc.projectile).map_err(RegisterError::BadSample)?;
        self.place(id, desc, Some(first));
        Ok(id)
    }

    /// Registers a hitbox and asks `source` for its first snapshot, once. One with an unsupported shape is
    /// registered too: `source` hears of it by [`Notice::Unsupported`], once, and it has no
    /// snapshots, so no query meets it, until a later sample has a shape that is supported.
    ///
    /// # Errors
    /// As [`register`](Self::register), or if the source is gone.
    pub fn register_from(&mut self, desc: HitboxDesc, source: &mut impl HitboxSource) -> Result<HitboxId, RegisterError> {
        let id = self.admit(&desc)?;
        match source.sample(id, &desc) {
            Sampled::Here(first) => {
                let first = record::quantise(&first, desc.projectile).map_err(RegisterError::BadSample)?;
                self.place(id, desc, Some(first));
            }
            Sampled::Unsupported(kind) => {
                self.place(id, desc, None);
                self.slots[id.index as usize].unsupported_reported = true;
                source.notice(&Notice::Unsupported { hitbox: id, desc, kind });
            }
            Sampled::Gone => return Err(RegisterError::SourceGone),
        }
        Ok(id)
    }

    /// The id that `desc` would have.
    fn admit(&self, desc: &HitboxDesc) -> Result<HitboxId, RegisterError> {
        self.authority.map_err(RegisterError::NotAuthority)?;
        if desc.client_only {
            return Err(RegisterError::ClientOnly);
        }
        self.now_us().ok_or(RegisterError::NoTick)?;
        if let Some(id) = self.find(desc.actor, desc.component, desc.name) {
            return Err(RegisterError::AlreadyRegistered(id));
        }
        let &Reverse(index) = self.free.peek().ok_or(RegisterError::Full { max_hitboxes: self.config.max_hitboxes })?;
        Ok(HitboxId { index, generation: self.slots[index as usize].generation })
    }

    /// Gives `desc` the place that [`admit`](Self::admit) found. A place that nobody has is absent
    /// in every row.
    fn place(&mut self, id: HitboxId, desc: HitboxDesc, first: Option<(TickPose, TickMeta)>) {
        self.free.pop();
        let at = self.by_component.partition_point(|&other| self.slots[other as usize].desc.as_ref().map(key) < Some(key(&desc)));
        self.by_component.insert(at, id.index);
        let index = id.index as usize;
        self.used = self.used.max(index + 1);
        let (tick, now_us) = (self.ticks.saturating_sub(1), self.now_us().unwrap_or(0));
        let slot = &mut self.slots[index];
        (slot.desc, slot.sampled) = (Some(desc), first.is_some());
        (slot.born_us, slot.gone_us) = (now_us, None);
        (slot.last_tick, slot.last_us, slot.accumulated_us) = (tick, now_us, 0);
        slot.unsupported_reported = false;
        if let Some((pose, meta)) = first {
            let row = self.row_mut(tick);
            (row.poses[index], row.metas[index]) = (pose, meta);
        }
        let newest = (tick % self.rows.len() as u64) as usize;
        self.index.arrive(id.index, desc.actor, &self.rows[newest]);
    }

    /// The hitbox that is registered by this name for this component, unless it is retired.
    #[must_use]
    pub fn find(&self, actor: ActorId, component: ComponentId, name: NameHash) -> Option<HitboxId> {
        let index = self.by_component[self.listed_at((actor, component, name)).ok()?];
        Some(HitboxId { index, generation: self.slots[index as usize].generation })
    }

    fn listed_at(&self, wanted: Key) -> Result<usize, usize> {
        self.by_component.binary_search_by_key(&Some(wanted), |&index| self.slots[index as usize].desc.as_ref().map(key))
    }

    /// Takes a hitbox and its past out of the history. Whether it was there.
    ///
    /// Allowed in every world: one that is torn down still cleans up.
    pub fn unregister(&mut self, id: HitboxId) -> bool {
        let Some((_, desc)) = self.slot(id) else { return false };
        self.index.depart(id.index, desc.actor);
        self.unlist(id);
        let slot = &mut self.slots[id.index as usize];
        slot.desc = None;
        // A place whose generations are used up is given to nobody again, or an old id would name a
        // new hitbox.
        if let Some(next) = slot.generation.checked_add(1) {
            slot.generation = next;
            self.free.push(Reverse(id.index));
        }
        for row in &mut self.rows {
            row.poses[id.index as usize].presence = presence::ABSENT;
        }
        while self.used.checked_sub(1).is_some_and(|last| self.slots[last].desc.is_none()) {
            self.used -= 1;
        }
        true
    }

    /// Notes that a hitbox was destroyed now, and keeps its past until it is too old: a projectile
    /// that is gone can still be met where it was. Whether it was there. Its component may have
    /// another hitbox at once.
    pub fn retire(&mut self, id: HitboxId) -> bool {
        let Some(now_us) = self.now_us() else { return false };
        if self.slot(id).is_none_or(|(slot, _)| slot.gone_us.is_some()) {
            return false;
        }
        self.unlist(id);
        self.slots[id.index as usize].gone_us = Some(now_us);
        true
    }

    fn unlist(&mut self, id: HitboxId) {
        let wanted = self.slot(id).filter(|(slot, _)| slot.gone_us.is_none()).map(|(_, desc)| key(desc));
        if let Some(Ok(at)) = wanted.map(|wanted| self.listed_at(wanted)) {
            self.by_component.remove(at);
        }
    }

    /// Has a hitbox sampled at another cadence from the next tick on, as when the rate of its owner's
    /// updates changes. Whether it was there.
    pub fn set_cadence(&mut self, id: HitboxId, cadence: Cadence) -> bool {
        if self.slot(id).is_none() {
            return false;
        }
        if let Some(desc) = &mut self.slots[id.index as usize].desc {
            desc.cadence = cadence;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MatchTeam, NetRole, Point, RewindConfig, Shape, SourceShape, WorldKind};
    use snapback_core::{Fx, Quat};

    #[test]
    fn a_place_whose_generations_are_used_up_is_given_to_nobody_again() {
        let config = RewindConfig { max_hitboxes: 1, ..RewindConfig::default() };
        let mut history = RewindHistory::new(config, WorldKind::Game, NetRole::Authority).unwrap();
        history.record_tick(0, &mut |_, _: &HitboxDesc| Sampled::Gone).unwrap();
        let desc = HitboxDesc {
            actor: ActorId(1),
            component: ComponentId(1),
            name: NameHash::NONE,
            region: NameHash::NONE,
            projectile: false,
            client_only: false,
            cadence: Cadence::EveryServerTick,
        };
        let first = HitboxSample {
            position: Point::ORIGIN,
            rotation: Quat::IDENTITY,
            shape: Shape::of(SourceShape::Sphere { radius: Fx::ONE }).unwrap(),
            damageable: true,
            blocking: false,
            team: MatchTeam::NONE,
            state_flags: 0,
            epoch: 0,
        };
        history.slots[0].generation = u32::MAX - 1;
        for generation in [u32::MAX - 1, u32::MAX] {
            let id = history.register(desc, first).unwrap();
            assert_eq!(id.generation(), generation);
            assert!(history.unregister(id));
            assert!(!history.unregister(id));
        }
        assert_eq!(history.register(desc, first), Err(RegisterError::Full { max_hitboxes: 1 }));
        assert!(history.is_empty());
    }
}
