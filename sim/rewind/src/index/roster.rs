//! [`Roster`]: who is registered, actor by actor.

use crate::ActorId;

/// Registered places in the order of their actors, so that the hitboxes of one actor lie side by side.
#[derive(Debug)]
pub(super) struct Roster {
    members: Vec<(ActorId, u32)>,
    /// By place: whether the actor has several.
    in_body: Vec<bool>,
    /// Hitboxes of such actors.
    in_bodies: usize,
}

impl Roster {
    pub(super) fn new(max_hitboxes: usize) -> Self {
        Self { members: Vec::with_capacity(max_hitboxes), in_body: vec![false; max_hitboxes], in_bodies: 0 }
    }

    pub(super) fn add(&mut self, actor: ActorId, place: u32) {
        if let Err(at) = self.members.binary_search(&(actor, place)) {
            self.members.insert(at, (actor, place));
            self.note_neighbours(actor, at);
        }
    }

    /// Whether one is left of its actor's body, which is none then.
    pub(super) fn remove(&mut self, actor: ActorId, place: u32) -> bool {
        let Ok(at) = self.members.binary_search(&(actor, place)) else { return false };
        self.members.remove(at);
        let was_in_body = core::mem::take(&mut self.in_body[place as usize]);
        self.in_bodies -= usize::from(was_in_body);
        was_in_body && self.note_neighbours(actor, at)
    }

    /// Notes whether the hitboxes of an actor around `at`, where one came or was, are several. Whether there is one only.
    fn note_neighbours(&mut self, actor: ActorId, at: usize) -> bool {
        // All others know already.
        let (begin, end) = (at.saturating_sub(2), self.members.len().min(at + 3));
        let near = self.members[begin..end].iter().filter(|(other, _)| *other == actor);
        let count = near.clone().count();
        for &(_, place) in near {
            let was = core::mem::replace(&mut self.in_body[place as usize], count > 1);
            self.in_bodies = self.in_bodies + usize::from(count > 1) - usize::from(was);
        }
        count == 1
    }

    /// By place: whether its actor has several hitboxes.
    pub(super) fn in_body(&self) -> &[bool] {
        &self.in_body
    }

    pub(super) const fn has_bodies(&self) -> bool {
        self.in_bodies > 0
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
