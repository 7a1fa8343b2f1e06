//! Effects: what a step wants shown or heard, addressed so that resimulation cannot renumber it.

use crate::frame::Frame;
use crate::name::NameHash;

/// What becomes of the effects of a step. The step runs the same code under every policy and
/// cannot see which one is in force, so the policy cannot change the state.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum SideEffectPolicy {
    /// Keep effects for the host to show.
    #[default]
    Emit,
    /// Keep effects apart, to be compared with those that were shown: a rewind is silent.
    SuppressCosmetics,
    /// Count effects and keep none, for measuring a run that nobody watches.
    TelemetryOnly,
}

/// Who an effect is, apart from when: the same cause has the same identity in every resimulation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EffectId {
    /// What caused it: a fighter, a projectile, the stage.
    pub source: u32,
    /// What it is: the hash of a name such as `"hit.heavy"`.
    pub kind: NameHash,
    /// The game's own key, which tells two effects of one kind and source apart.
    pub key: u32,
}

/// One effect of one frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effect {
    /// The frame whose step raised it.
    pub frame: Frame,
    /// Who it is.
    pub id: EffectId,
    /// What the host needs to show it, such as a position; not part of the identity.
    pub data: [i32; 4],
}

/// Collects the effects of a step under a policy, in a buffer that never grows.
///
/// An effect over the capacity is dropped and counted; the state does not depend on it.
#[derive(Debug)]
pub struct Effects {
    policy: SideEffectPolicy,
    frame: Frame,
    kept: Vec<Effect>,
    silent: Vec<Effect>,
    /// How many of `kept` were there when the step began.
    kept_before: usize,
    raised_count: u64,
    dropped_count: u64,
}

impl Effects {
    /// A buffer for at most `capacity` effects, allocated here and never again.
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Self {
        Self {
            policy: SideEffectPolicy::Emit,
            frame: Frame::INITIAL,
            kept: Vec::with_capacity(capacity),
            silent: Vec::with_capacity(capacity),
            kept_before: 0,
            raised_count: 0,
            dropped_count: 0,
        }
    }

    /// Prepares for the step of `frame` under `policy`. What was kept stays until [`Self::clear`].
    pub fn begin(&mut self, frame: Frame, policy: SideEffectPolicy) {
        self.frame = frame;
        self.policy = policy;
        self.silent.clear();
        self.kept_before = self.kept.len();
    }

    /// Forgets what was kept.
    pub fn clear(&mut self) {
        self.kept.clear();
        self.kept_before = 0;
    }

    /// Raises an effect from a step.
    pub fn emit(&mut self, id: EffectId, data: [i32; 4]) {
        self.raised_count = self.raised_count.saturating_add(1);
        let buffer = match self.policy {
            SideEffectPolicy::Emit => &mut self.kept,
            SideEffectPolicy::SuppressCosmetics => &mut self.silent,
            SideEffectPolicy::TelemetryOnly => return,
        };
        if buffer.len() == buffer.capacity() {
            self.dropped_count = self.dropped_count.saturating_add(1);
            return;
        }
        buffer.push(Effect { frame: self.frame, id, data });
    }

    /// The effects of the step that was prepared last, whether they are to be shown or not; none under
    /// [`SideEffectPolicy::TelemetryOnly`].
    #[must_use]
    pub fn of_step(&self) -> &[Effect] {
        match self.policy {
            SideEffectPolicy::Emit => self.kept.get(self.kept_before..).unwrap_or_default(),
            SideEffectPolicy::SuppressCosmetics => &self.silent,
            SideEffectPolicy::TelemetryOnly => &[],
        }
    }

    /// The effects to show, in the order in which they were raised.
    #[must_use]
    pub fn kept(&self) -> &[Effect] {
        &self.kept
    }

    /// How many effects were raised under any policy since the start.
    #[must_use]
    pub fn raised_count(&self) -> u64 {
        self.raised_count
    }

    /// How many effects were lost because the buffer was full.
    #[must_use]
    pub fn dropped_count(&self) -> u64 {
        self.dropped_count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(key: u32) -> EffectId {
        EffectId { source: 1, kind: NameHash::of("hit"), key }
    }

    #[test]
    fn only_emit_keeps_effects_and_all_policies_count_them() {
        let mut effects = Effects::with_capacity(8);
        for (n, policy) in
            [SideEffectPolicy::Emit, SideEffectPolicy::SuppressCosmetics, SideEffectPolicy::TelemetryOnly].into_iter().enumerate()
        {
            effects.begin(Frame::new(7), policy);
            effects.emit(id(n as u32), [0; 4]);
            let expected = (policy != SideEffectPolicy::TelemetryOnly).then_some(id(n as u32));
            assert_eq!(effects.of_step().iter().map(|effect| effect.id).next(), expected);
        }
        assert_eq!(effects.of_step(), []);
        assert_eq!(effects.kept(), [Effect { frame: Frame::new(7), id: id(0), data: [0; 4] }]);
        assert_eq!(effects.raised_count(), 3);
    }

    #[test]
    fn a_full_buffer_counts_what_it_drops() {
        let mut effects = Effects::with_capacity(0);
        effects.begin(Frame::ZERO, SideEffectPolicy::Emit);
        effects.emit(id(0), [0; 4]);
        assert_eq!((effects.kept().len(), effects.dropped_count()), (0, 1));
        effects.clear();
        assert_eq!(effects.raised_count(), 1);
    }
}
