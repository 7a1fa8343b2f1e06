//! [`Track`]: samples in a ring of constant size, and between them.

use bytemuck::{Pod, Zeroable};
use core::mem::offset_of;
use snapback_core::state::{Field, Range, TypeLayout};
use snapback_core::{Fx, InvalidState, SimState};

use super::SampleTime;

/// What a [`Track`] consists of.
pub(super) trait Moment: SimState {
    fn time(&self) -> SampleTime;

    /// What was between this and a later moment, at `t` from 0 (this) to 1.
    fn between(&self, later: &Self, t: Fx, at: SampleTime) -> Self;
}

/// Up to `N` samples, the oldest dropped for a new one, and behind the newest the present, from which a
/// rewind starts. `H` is what else its owner has to keep: the compiler lets one packed struct not borrow
/// another.
///
/// Packed, because only then `Pod` can be derived for any `N`; no field has a gap before it in any case.
/// Every function takes any bits: an index is brought into the ring, a length into `N`, and times may be in
/// any order.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, packed)]
pub(super) struct Track<H, T, const N: usize>
where
    H: SimState,
    T: Moment,
{
    pub(super) head: H,
    samples: [T; N],
    /// Zero unless a rewind is on.
    present: T,
    latest: u32,
    len: u32,
}

impl<H: SimState, T: Moment, const N: usize> SimState for Track<H, T, N> {
    const LAYOUT: TypeLayout = {
        assert!(N >= 1 && N <= u32::MAX as usize, "a rewind needs room for at least one sample");
        let layout = TypeLayout::structure(
            "Track",
            size_of::<Self>(),
            const {
                let plain = Field { name: "head", offset_bytes: 0, layout: const { &H::LAYOUT }, section: None, range: None };
                &[
                    plain,
                    Field { name: "samples", offset_bytes: offset_of!(Self, samples), layout: const { &<[T; N]>::LAYOUT }, ..plain },
                    Field { name: "present", offset_bytes: offset_of!(Self, present), layout: const { &T::LAYOUT }, ..plain },
                    Field {
                        name: "latest",
                        offset_bytes: offset_of!(Self, latest),
                        layout: const { &u32::LAYOUT },
                        range: Some(Range { min: 0, max: N as i128 - 1 }),
                        ..plain
                    },
                    Field {
                        name: "len",
                        offset_bytes: offset_of!(Self, len),
                        layout: const { &u32::LAYOUT },
                        range: Some(Range { min: 0, max: N as i128 }),
                        ..plain
                    },
                ]
            },
        );
        assert!(layout.is_gapless(), "a track has padding");
        layout
    };
}

impl<H: SimState, T: Moment, const N: usize> Track<H, T, N> {
    pub(super) const fn len(&self) -> usize {
        let len = self.len as usize;
        if len < N { len } else { N }
    }

    /// Where the newest sample is.
    pub(super) const fn latest_index(&self) -> Option<usize> {
        self.index(0)
    }

    /// Where the sample is that `age` others are newer than.
    const fn index(&self, age: usize) -> Option<usize> {
        const { assert!(N >= 1 && N <= u32::MAX as usize, "a rewind needs room for at least one sample") };
        if age >= self.len() {
            return None;
        }
        let latest = self.latest as usize % N;
        Some(if age <= latest { latest - age } else { latest + (N - age) })
    }

    pub(super) fn get(&self, age: usize) -> Option<T> {
        self.index(age).map(|index| self.samples[index])
    }

    pub(super) fn newest(&self) -> Option<T> {
        self.get(0)
    }

    pub(super) fn oldest(&self) -> Option<T> {
        self.get(self.len().checked_sub(1)?)
    }

    pub(super) fn oldest_first(&self) -> impl DoubleEndedIterator<Item = T> + '_ {
        (0..self.len()).rev().filter_map(|age| self.get(age))
    }

    pub(super) fn push(&mut self, sample: T) {
        let index = self.latest_index().map_or(0, |latest| (latest + 1) % N);
        self.samples[index] = sample;
        self.latest = index as u32;
        self.len = (self.len() + 1).min(N) as u32;
    }

    /// Forgets every sample after `time_us`, and the present. How many samples those were.
    pub(super) fn forget_after(&mut self, time_us: u64) -> usize {
        let before = self.len();
        while let Some(index) = self.latest_index()
            && { self.samples[index] }.time().time_us > time_us
        {
            // What is forgotten leaves nothing in the state.
            self.samples[index] = T::zeroed();
            self.latest = (if index == 0 { N - 1 } else { index - 1 }) as u32;
            self.len = (self.len() - 1) as u32;
        }
        self.present = T::zeroed();
        before - self.len()
    }

    pub(super) fn present(&self) -> T {
        self.present
    }

    pub(super) fn set_present(&mut self, present: T) {
        self.present = present;
    }

    /// What was at `time_us`: a sample exactly, or what is between two of them or between the newest and the
    /// present. Before the oldest sample it is that one, after everything the newest thing there is. None
    /// without a sample.
    pub(super) fn at(&self, time_us: u64) -> Option<T> {
        let newest = self.newest()?;
        let mut later = Some(self.present()).filter(|present| present.time().time_us > newest.time().time_us);
        for age in 0..self.len() {
            let Some(sample) = self.get(age) else { break };
            if sample.time().time_us <= time_us {
                return Some(later.map_or(sample, |later| between(&sample, &later, time_us)));
            }
            later = Some(sample);
        }
        later
    }

    /// Whether the times are in order: what [`TypeLayout`] cannot say.
    pub(super) fn validate(&self, now_us: u64) -> Result<(), InvalidState> {
        let mut last_us = None;
        for time in self.oldest_first().map(|sample| sample.time()) {
            if last_us.is_some_and(|last| last >= time.time_us) || time.time_us > now_us {
                let reason = format!("a sample of {} us stands after {last_us:?} us, at {now_us} us", time.time_us);
                return Err(InvalidState::Custom { reason });
            }
            last_us = Some(time.time_us);
        }
        Ok(())
    }
}

/// `sample` is not after `time_us`.
fn between<T: Moment>(sample: &T, later: &T, time_us: u64) -> T {
    let (from_us, to_us) = (sample.time().time_us, later.time().time_us);
    if time_us == from_us {
        return *sample;
    }
    if time_us >= to_us {
        return *later;
    }
    let (gone, whole) = (u128::from(time_us - from_us), u128::from(to_us - from_us));
    let since_last_us = u32::try_from(gone).unwrap_or(u32::MAX);
    sample.between(later, Fx::from_bits((gone * 65_536 / whole) as i64), SampleTime { time_us, since_last_us })
}
