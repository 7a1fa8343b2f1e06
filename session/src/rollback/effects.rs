//! [`EffectJournal`]: what the host has been told of effects, and what it must be told now.
//!
//! A step raises effects; a rewind raises them again, or not, or others. The journal compares what every
//! frame raises now with what the host was told before, and tells it the difference only.

use snapback_core::{Effect, EffectId, Frame};
use std::collections::VecDeque;

/// An effect that a rewind moves by so many frames is still the same one.
pub const SAME_EFFECT_FRAMES: i64 = 2;

/// What a host should do about an effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EffectEvent {
    /// It is new: show it. It belongs to the current frame, or to an earlier one if a rewind brought it to
    /// light: [`Effect::frame`] says which, and a host may begin a sound that much into it.
    Raised(Effect),
    /// It is so long ago that showing it now would only confuse: it was raised by a rewind and is older
    /// than [`late_effect_frames`](snapback_core::RollbackConfig::late_effect_frames). Nothing to do, unless
    /// the host keeps count.
    Elided(Effect),
    /// It was told as raised or elided, and did not happen: take it back, or let it fade.
    Retracted(Effect),
    /// It happened, for good. Told once for every effect that was told and not retracted.
    Confirmed(Effect),
}

impl EffectEvent {
    /// Which effect.
    #[must_use]
    pub fn effect(&self) -> &Effect {
        match self {
            Self::Raised(effect) | Self::Elided(effect) | Self::Retracted(effect) | Self::Confirmed(effect) => effect,
        }
    }
}

/// An effect that the host was told of and that is not confirmed yet.
#[derive(Clone, Copy, Debug)]
struct Entry {
    effect: Effect,
    /// Whether the frame it was raised by has been simulated again without it. It may still come a little
    /// later, and then it is the same one.
    is_missing: bool,
}

/// What the host has been told, and what it must be told now. Allocates at construction only.
#[derive(Debug)]
pub(super) struct EffectJournal {
    /// By frame.
    told: VecDeque<Entry>,
    capacity: usize,
    events: Vec<EffectEvent>,
    late_frames: i64,
    dropped: u64,
}

impl EffectJournal {
    /// A journal that keeps so many unconfirmed effects.
    pub(super) fn new(capacity: usize, late_frames: u32) -> Self {
        Self {
            told: VecDeque::with_capacity(capacity),
            capacity,
            events: Vec::with_capacity(4 * capacity),
            late_frames: late_frames.into(),
            dropped: 0,
        }
    }

    /// A tick begins: what it told the host before is known now.
    pub(super) fn begin_tick(&mut self) {
        self.events.clear();
    }

    /// Every frame from `first` on will be simulated again, in this tick or in the next ones.
    pub(super) fn begin_rewind(&mut self, first: Frame) {
        for entry in &mut self.told {
            if entry.effect.frame >= first {
                entry.is_missing = true;
            }
        }
    }

    /// A step raised an effect; `present` is the frame that the host shows.
    pub(super) fn raise(&mut self, effect: Effect, present: Frame) {
        if let Some(at) = self.nearest_missing(&effect.id, effect.frame) {
            // The same as before: the host has shown it.
            let same = Entry { effect, is_missing: false };
            match self.told.get_mut(at) {
                Some(entry) if entry.effect.frame == effect.frame => *entry = same,
                _ => {
                    self.told.remove(at);
                    self.put(same);
                }
            }
            return;
        }
        if self.told.len() == self.capacity {
            self.dropped += 1;
            return;
        }
        self.put(Entry { effect, is_missing: false });
        let is_late = present - effect.frame > self.late_frames;
        self.tell(if is_late { EffectEvent::Elided(effect) } else { EffectEvent::Raised(effect) });
    }

    /// Puts an entry behind those of its frame.
    fn put(&mut self, entry: Entry) {
        let at = self.told.partition_point(|other| other.effect.frame <= entry.effect.frame);
        self.told.insert(at, entry);
    }

    fn nearest_missing(&self, id: &EffectId, frame: Frame) -> Option<usize> {
        let distance = |entry: &Entry| (entry.effect.frame - frame).abs();
        self.told
            .iter()
            .enumerate()
            .filter(|(_, entry)| entry.is_missing && entry.effect.id == *id && distance(entry) <= SAME_EFFECT_FRAMES)
            .min_by_key(|(_, entry)| distance(entry))
            .map(|(at, _)| at)
    }

    /// Whether every effect that was told is confirmed or taken back.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.told.is_empty()
    }

    /// The tick ends with every frame up to `simulated` as it is known now and every frame up to `confirmed`
    /// final. After `is_last` there are no frames any more.
    pub(super) fn end_tick(&mut self, simulated: Frame, confirmed: Frame, is_last: bool) {
        let mut at = 0;
        while let Some(entry) = self.told.get(at).copied() {
            let frame = entry.effect.frame;
            // It could still come within the next frames, and be the same one.
            let is_gone = entry.is_missing && (is_last || frame + SAME_EFFECT_FRAMES <= simulated);
            let is_final = !entry.is_missing && frame <= confirmed;
            if is_gone || is_final {
                self.told.remove(at);
                self.tell(if is_gone { EffectEvent::Retracted(entry.effect) } else { EffectEvent::Confirmed(entry.effect) });
            } else {
                at += 1;
            }
        }
    }

    fn tell(&mut self, event: EffectEvent) {
        if self.events.len() < self.events.capacity() {
            self.events.push(event);
        } else {
            self.dropped += 1;
        }
    }

    /// What the host must be told after this tick, in order.
    pub(super) fn events(&self) -> &[EffectEvent] {
        &self.events
    }

    /// Effects that found no room.
    pub(super) fn dropped(&self) -> u64 {
        self.dropped
    }
}
