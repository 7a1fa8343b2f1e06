//! Hitboxes come and go.

use core::fmt;

use super::{RewindHistory, record};
use crate::{HitboxDesc, HitboxId, HitboxSample, NotAuthority};

/// Why a hitbox is not registered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegisterError {
    /// Not on authority.
    NotAuthority(NotAuthority),
    /// It exists on clients only.
    ClientOnly,
    /// The component has a hitbox already.
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
        }
    }
}

impl std::error::Error for RegisterError {}

impl RewindHistory {
    /// Registers a hitbox, with its first snapshot at the time of the newest tick.
    ///
    /// # Errors
    /// If this is not authority, the hitbox is a client's visual, its component has one already, there is no
    /// room, or its first snapshot cannot be.
    pub fn register(&mut self, desc: HitboxDesc, first: HitboxSample) -> Result<HitboxId, RegisterError> {
        self.authority.map_err(RegisterError::NotAuthority)?;
        if desc.client_only {
            return Err(RegisterError::ClientOnly);
        }
        let now_us = self.now_us().ok_or(RegisterError::NoTick)?;
        if let Some(id) = self.find(&desc) {
            return Err(RegisterError::AlreadyRegistered(id));
        }
        let (pose, meta) = record::quantise(&first, desc.projectile).map_err(RegisterError::BadSample)?;
        let index = self.free.pop().ok_or(RegisterError::Full { max_hitboxes: self.config.max_hitboxes })?;
        let tick = self.ticks - 1;
        for row in &mut self.rows {
            row.poses[index as usize].presence = super::row::presence::ABSENT;
        }
        let slot = &mut self.slots[index as usize];
        slot.desc = Some(desc);
        (slot.born_us, slot.gone_us) = (now_us, None);
        (slot.last_tick, slot.last_us, slot.accumulated_us) = (tick, now_us, 0);
        slot.unsupported_reported = false;
        let generation = slot.generation;
        let row = self.row_mut(tick);
        row.poses[index as usize] = pose;
        row.metas[index as usize] = meta;
        let at = (tick % self.rows.len() as u64) as usize;
        self.index.arrive(index, desc.actor, &self.rows[at]);
        Ok(HitboxId { index, generation })
    }

    fn find(&self, desc: &HitboxDesc) -> Option<HitboxId> {
        self.slots.iter().enumerate().find_map(|(index, slot)| {
            let same = slot.gone_us.is_none()
                && slot.desc.is_some_and(|other| (other.actor, other.component, other.name) == (desc.actor, desc.component, desc.name));
            same.then_some(HitboxId { index: index as u32, generation: slot.generation })
        })
    }

    /// Takes a hitbox and its past out of the history. Whether it was there.
    pub fn unregister(&mut self, id: HitboxId) -> bool {
        let Some((_, desc)) = self.slot(id) else { return false };
        self.index.depart(id.index, desc.actor);
        let slot = &mut self.slots[id.index as usize];
        slot.desc = None;
        slot.generation = slot.generation.wrapping_add(1);
        self.free.push(id.index);
        for row in &mut self.rows {
            row.poses[id.index as usize].presence = super::row::presence::ABSENT;
        }
        true
    }

    /// Notes that a hitbox was destroyed now, and keeps its past until it is too old: a projectile
    /// that is gone can still be met where it was. Whether it was there.
    pub fn retire(&mut self, id: HitboxId) -> bool {
        let Some(now_us) = self.now_us() else { return false };
        if self.slot(id).is_none_or(|(slot, _)| slot.gone_us.is_some()) {
            return false;
        }
        self.slots[id.index as usize].gone_us = Some(now_us);
        true
    }
}
