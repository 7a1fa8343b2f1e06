//! [`Roster`]: who is registered, actor by actor.

use crate::ActorId;

/// Registered places in the order of their actors, so that the hitboxes of one actor lie side by side.
#[derive(Debug)]
pub(super) struct Roster {
    members: Vec<(ActorId, u32)>,
}

impl Roster {
    pub(super) fn new(max_hitboxes: usize) -> Self {
        Self { members: Vec::with_capacity(max_hitboxes) }
    }

    pub(super) fn add(&mut self, actor: ActorId, place: u32) {
        if let Err(at) = self.members.binary_search(&(actor, place)) {
            self.members.insert(at, (actor, place));
        }
    }

    pub(super) fn remove(&mut self, actor: ActorId, place: u32) {
        if let Ok(at) = self.members.binary_search(&(actor, place)) {
            self.members.remove(at);
        }
    }

    /// The hitboxes of each actor.
    #[inline(always)]
    pub(super) fn bodies(&self) -> impl Iterator<Item = &[(ActorId, u32)]> {
        self.members.chunk_by(|(one, _), (other, _)| one == other)
    }

    pub(super) fn len(&self) -> usize {
        self.members.len()
    }
}
