//! [`SnapshotRing`]: the states of the last frames, in memory that is allocated once.

use crate::frame::Frame;
use crate::state::StateHash;
use core::fmt;

/// A state larger than its budget.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BudgetExceeded {
    /// The size of one snapshot.
    pub snapshot_bytes: usize,
    /// How many fighters it is divided by.
    pub fighter_count: usize,
    /// What that makes per fighter, rounded up.
    pub bytes_per_fighter: usize,
    /// What is allowed per fighter.
    pub budget_bytes_per_fighter: usize,
}

impl fmt::Display for BudgetExceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { snapshot_bytes, fighter_count, bytes_per_fighter, budget_bytes_per_fighter } = self;
        write!(
            f,
            "a snapshot of {snapshot_bytes} bytes for {fighter_count} fighters is {bytes_per_fighter} bytes per fighter, over the budget of \
             {budget_bytes_per_fighter}; make the state smaller, or say how many fighters it holds in Simulation::fighter_count"
        )
    }
}

impl std::error::Error for BudgetExceeded {}

/// Whether a snapshot of `snapshot_bytes` fits `budget_bytes_per_fighter`: total divided by
/// fighters, rounded up. No fighters count as one.
///
/// # Errors
/// With both numbers, if it does not fit.
pub fn check_budget(snapshot_bytes: usize, fighter_count: usize, budget_bytes_per_fighter: usize) -> Result<(), BudgetExceeded> {
    let fighter_count = fighter_count.max(1);
    let bytes_per_fighter = snapshot_bytes.div_ceil(fighter_count);
    if bytes_per_fighter <= budget_bytes_per_fighter {
        Ok(())
    } else {
        Err(BudgetExceeded { snapshot_bytes, fighter_count, bytes_per_fighter, budget_bytes_per_fighter })
    }
}

#[derive(Clone, Copy)]
struct Slot {
    frame: Option<Frame>,
    hash: Option<StateHash>,
}

const VACANT: Slot = Slot { frame: None, hash: None };

/// The states after each of the last frames, one copy each, with the hash once it is known.
///
/// The state *after* frame `f` is kept under `f`, so that frame 0 has a predecessor
/// ([`Frame::INITIAL`], the state before the match). A new frame takes the place of the one
/// `frame_count` frames before it.
///
/// ```
/// use snapback_core::{Frame, SnapshotRing};
/// let mut ring = SnapshotRing::new(90, 4);
/// ring.save(Frame::INITIAL, |out| out.copy_from_slice(&[1, 2, 3, 4]));
/// assert_eq!(ring.get(Frame::INITIAL), Some(&[1, 2, 3, 4][..]));
/// assert_eq!(ring.get(Frame::ZERO), None);
/// ```
pub struct SnapshotRing {
    slots: Vec<Slot>,
    bytes: Vec<u8>,
    snapshot_bytes: usize,
    /// The frame that was saved last, and its slot: what is asked for is near, and its slot is found
    /// without a division, which takes as long as the copy of a small state.
    newest: (Frame, usize),
}

impl SnapshotRing {
    /// Room for `frame_count` snapshots (at least 1) of `snapshot_bytes` each.
    #[must_use]
    pub fn new(frame_count: usize, snapshot_bytes: usize) -> Self {
        let frame_count = frame_count.max(1);
        Self {
            slots: vec![VACANT; frame_count],
            bytes: vec![0; frame_count.saturating_mul(snapshot_bytes)],
            snapshot_bytes,
            newest: (Frame::ZERO, 0),
        }
    }

    /// The size of one snapshot.
    #[must_use]
    pub fn snapshot_bytes(&self) -> usize {
        self.snapshot_bytes
    }

    /// How many snapshots there is room for.
    #[must_use]
    pub fn frame_count(&self) -> usize {
        self.slots.len()
    }

    /// Has `capture` write the state after `frame`, in place. Its hash is not known yet.
    pub fn save(&mut self, frame: Frame, capture: impl FnOnce(&mut [u8])) {
        let index = self.slot(frame);
        self.newest = (frame, index);
        self.slots[index] = Slot { frame: Some(frame), hash: None };
        let start = index * self.snapshot_bytes;
        capture(&mut self.bytes[start..start + self.snapshot_bytes]);
    }

    /// The state after `frame`, if it is still here.
    #[must_use]
    pub fn get(&self, frame: Frame) -> Option<&[u8]> {
        let index = self.index_of(frame)?;
        let start = index * self.snapshot_bytes;
        self.bytes.get(start..start + self.snapshot_bytes)
    }

    /// The hash of the state after `frame`, computed by `hash` the first time it is asked for.
    pub fn hash(&mut self, frame: Frame, hash: impl FnOnce(&[u8]) -> StateHash) -> Option<StateHash> {
        let index = self.index_of(frame)?;
        if let Some(known) = self.slots[index].hash {
            return Some(known);
        }
        let start = index * self.snapshot_bytes;
        let computed = hash(self.bytes.get(start..start + self.snapshot_bytes)?);
        self.slots[index].hash = Some(computed);
        Some(computed)
    }

    /// Whether the state after `frame` is still here.
    #[must_use]
    pub fn contains(&self, frame: Frame) -> bool {
        self.index_of(frame).is_some()
    }

    /// Forgets every state.
    pub fn clear(&mut self) {
        self.slots.fill(VACANT);
    }

    /// What [`Frame::slot`] says.
    #[inline]
    fn slot(&self, frame: Frame) -> usize {
        let (newest, slot) = self.newest;
        let len = self.slots.len() as i64;
        match frame.number().checked_sub(newest.number()) {
            Some(ahead) if -len <= ahead && ahead <= len => {
                let at = slot as i64 + ahead;
                (if at < 0 {
                    at + len
                } else if at >= len {
                    at - len
                } else {
                    at
                }) as usize
            }
            _ => frame.slot(self.slots.len()),
        }
    }

    #[inline]
    fn index_of(&self, frame: Frame) -> Option<usize> {
        let index = self.slot(frame);
        (self.slots[index].frame == Some(frame)).then_some(index)
    }
}

impl fmt::Debug for SnapshotRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SnapshotRing")
            .field("frame_count", &self.slots.len())
            .field("snapshot_bytes", &self.snapshot_bytes)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use std::collections::BTreeMap;

    #[test]
    fn behaves_like_a_map_that_forgets_old_frames() {
        let mut rng = Rng::new(3, 3);
        for frame_count in [1, 2, 7, 90] {
            let mut ring = SnapshotRing::new(frame_count, 8);
            let mut model: BTreeMap<i64, u64> = BTreeMap::new();
            let mut newest = -1i64;
            for _ in 0..2_000 {
                // Forward by one, or back into the history as a correction does.
                newest = if rng.chance(800_000) { newest + 1 } else { (newest - i64::from(rng.below(5))).max(-1) };
                let value = u64::from(rng.next_u32());
                ring.save(Frame::new(newest), |out| out.copy_from_slice(&value.to_le_bytes()));
                model.retain(|frame, _| (frame - newest) % frame_count as i64 != 0);
                model.insert(newest, value);
                for frame in newest - 2 * frame_count as i64..newest + 2 * frame_count as i64 {
                    let kept = model.get(&frame).map(|v| v.to_le_bytes().to_vec());
                    assert_eq!(ring.get(Frame::new(frame)).map(<[u8]>::to_vec), kept, "frame {frame}");
                }
            }
        }
    }

    #[test]
    fn every_frame_has_the_slot_of_its_number() {
        let mut rng = Rng::new(5, 5);
        for frame_count in [1, 2, 7, 91] {
            let mut ring = SnapshotRing::new(frame_count, 1);
            for _ in 0..500 {
                let newest = Frame::new(i64::from(rng.below(1_000)) - 1);
                ring.save(newest, |_| ());
                for ahead in -200..200 {
                    assert_eq!(ring.slot(newest + ahead), (newest + ahead).slot(frame_count), "{newest} and {ahead}");
                }
                for far in [i64::MIN, i64::MAX] {
                    assert_eq!(ring.slot(Frame::new(far)), Frame::new(far).slot(frame_count));
                }
            }
        }
    }

    #[test]
    fn a_hash_is_computed_once_and_forgotten_when_the_state_changes() {
        let mut ring = SnapshotRing::new(4, 1);
        ring.save(Frame::ZERO, |out| out[0] = 7);
        let first = |bytes: &[u8]| StateHash::from_bits(bytes[0].into());
        assert_eq!(ring.hash(Frame::ZERO, first), Some(StateHash::from_bits(7)));
        assert_eq!(ring.hash(Frame::ZERO, |_| StateHash::from_bits(99)), Some(StateHash::from_bits(7)));
        ring.save(Frame::ZERO, |out| out[0] = 8);
        assert_eq!(ring.hash(Frame::ZERO, first), Some(StateHash::from_bits(8)));
        assert_eq!(ring.hash(Frame::new(4), first), None);
    }

    #[test]
    fn the_budget_is_per_fighter_rounded_up_and_both_verdicts_are_said() {
        assert!(check_budget(16_384, 2, 8_192).is_ok());
        insta::assert_snapshot!(check_budget(16_385, 2, 8_192).unwrap_err(), @"a snapshot of 16385 bytes for 2 fighters is 8193 bytes per fighter, over the budget of 8192; make the state smaller, or say how many fighters it holds in Simulation::fighter_count");
        assert!(check_budget(512, 0, 512).is_ok());
    }
}
