//! [`HitLedger`]: whom a shot is through with, so that nobody is resolved twice.

use crate::id_set::MAX_IDS;
use crate::{ActorId, ActorSet};

/// Whom a shot is through with: each actor once, whichever of its hitboxes or colliders was met, in
/// catch-up or by an overlap of the present.
///
/// It has room for [`MAX_IDS`]. A shot that fills it is over.
///
/// ```
/// use snapback_rewind::ActorId;
/// use snapback_rewind::flight::HitLedger;
/// let mut ledger = HitLedger::default();
/// assert!(ledger.resolve(ActorId(7)));
/// assert!(!ledger.resolve(ActorId(7)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct HitLedger {
    resolved: ActorSet,
}

impl HitLedger {
    /// Notes an actor. Whether it is new and was noted.
    pub fn resolve(&mut self, actor: ActorId) -> bool {
        !self.resolved.contains(actor) && self.resolved.insert(actor)
    }

    /// Whether an actor was noted.
    #[must_use]
    pub fn is_resolved(&self, actor: ActorId) -> bool {
        self.resolved.contains(actor)
    }

    /// Whether it has no room for another.
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.resolved.len() >= MAX_IDS
    }
}
