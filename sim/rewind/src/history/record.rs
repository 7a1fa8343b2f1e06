//! A tick is recorded: who is due is sampled, everyone else is held until their next sample.

use bytemuck::Zeroable;
use core::fmt;
use core::ops::Range;

use super::row::{TickMeta, TickPose, flags, presence};
use super::{RewindHistory, Slot};
use snapback_core::NameHash;

use crate::{Cadence, HitboxId, HitboxSample, HitboxSource, NotAuthority, Notice, Sampled, ShapeKind, motion, units};

/// Why a tick was not recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordError {
    /// Not on authority.
    NotAuthority(NotAuthority),
    /// Not after the newest tick.
    NotAfter {
        /// The newest tick's time.
        newest_us: u64,
        /// What was given.
        now_us: u64,
    },
    /// After [`MAX_TIME_US`].
    TooLate {
        /// What was given.
        now_us: u64,
    },
}

/// Why a sample cannot be recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SampleError {
    /// A coordinate is further than 65.5 km from the origin.
    OutOfWorld,
    /// The rotation is not of length one, by more than 2^-12.
    BadRotation,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAuthority(reason) => reason.fmt(f),
            Self::NotAfter { newest_us, now_us } => {
                write!(f, "the tick at {now_us} us is not after the newest at {newest_us} us: ticks go forward")
            }
            Self::TooLate { now_us } => write!(f, "the tick at {now_us} us is after {MAX_TIME_US} us: count from a later epoch"),
        }
    }
}

impl fmt::Display for SampleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OutOfWorld => "the position is more than 65.5 km from the origin: move the origin nearer",
            Self::BadRotation => "the rotation is not of length one: normalise it",
        })
    }
}

impl std::error::Error for RecordError {}
impl std::error::Error for SampleError {}

/// The latest time that a tick can have: half of what fits, 292,000 years.
pub const MAX_TIME_US: u64 = u64::MAX / 2;

/// What recording a tick did.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RecordReport {
    /// Hitboxes that were sampled.
    pub sampled: u32,
    /// Hitboxes whose source was gone.
    pub pruned: u32,
    /// Hitboxes whose sample could not be recorded.
    pub refused: u32,
    /// Hitboxes whose shape has no snapshots, and that were not reported before.
    pub unsupported: u32,
}

/// The tick that is being recorded.
#[derive(Clone, Copy)]
struct Tick {
    number: u64,
    row: usize,
    now_us: u64,
    passed_us: u64,
    /// Whether it is too far from the tick before.
    is_gap: bool,
}

/// Why [`RewindHistory::sample_steady`] ended.
enum Stop {
    /// All were sampled.
    Done,
    /// The next has another cadence, or had no sample at the tick before.
    Other,
    /// The next had no sample that can be recorded.
    Without(Lack),
}

/// Why somebody who is due has no sample.
enum Lack {
    Refused(SampleError),
    Gone,
    Unsupported(NameHash),
}

/// So many are sampled, and then collected for the index: what is written first is near by then, and each loop has
/// registers of its own.
const AT_ONCE: usize = 32;

impl RewindHistory {
    /// Records the tick at `now_us`: samples every hitbox that is due, and holds everyone else. What
    /// cannot be sampled is told to `source` by [`HitboxSource::notice`].
    ///
    /// # Errors
    /// If this is not authority, or the time is not after the newest tick, or over [`MAX_TIME_US`]. Nothing has changed then.
    pub fn record_tick(&mut self, now_us: u64, source: &mut impl HitboxSource) -> Result<RecordReport, RecordError> {
        self.authority.map_err(RecordError::NotAuthority)?;
        if now_us > MAX_TIME_US {
            return Err(RecordError::TooLate { now_us });
        }
        let newest_us = self.now_us();
        if let Some(newest_us) = newest_us.filter(|&newest_us| now_us <= newest_us) {
            return Err(RecordError::NotAfter { newest_us, now_us });
        }
        let number = self.ticks;
        let row = (number % self.rows.len() as u64) as usize;
        let passed_us = newest_us.map_or(0, |newest_us| now_us - newest_us);
        let tick = Tick { number, row, now_us, passed_us, is_gap: passed_us > self.config.max_interpolation_gap_us };
        self.ticks += 1;
        self.rows[row].time_us = now_us;
        let mut report = RecordReport::default();
        self.index.begin(number, now_us);
        let mut next = 0;
        while next < self.used {
            let end = self.used.min(next + AT_ONCE);
            let (index, stop) = self.sample_steady(next..end, &tick, source, &mut report.sampled);
            self.collect(next..index, &tick);
            next = index;
            let is_there = match stop {
                Stop::Done => continue,
                Stop::Other => self.record_slot(index, &tick, source, &mut report),
                Stop::Without(lack) => self.go_without(index, &tick, &lack, source, &mut report),
            };
            next += 1;
            if is_there {
                self.collect(index..next, &tick);
            }
        }
        self.index.finish(&self.rows, self.oldest_tick(), number, self.config.max_interpolation_gap_us);
        Ok(report)
    }

    /// Samples one after the other, until one is not of the usual kind, which nearly everyone is: sampled at every tick,
    /// at the one before, and now. Where it ended.
    #[inline(never)]
    fn sample_steady(&mut self, range: Range<usize>, tick: &Tick, source: &mut impl HitboxSource, sampled: &mut u32) -> (usize, Stop) {
        let row = &mut self.rows[tick.row];
        let slots = self.slots[range.clone()].iter_mut();
        let places = row.poses[range.clone()].iter_mut().zip(&mut row.metas[range.clone()]);
        let mut holes = 0;
        let mut index = range.start;
        let stop = 'all: {
            for (slot, (pose, meta)) in slots.zip(places) {
                let Some(desc) = &slot.desc else {
                    (index, holes) = (index + 1, holes + 1);
                    continue;
                };
                if (desc.cadence != Cadence::EveryServerTick) | !slot.sampled | slot.gone_us.is_some() | (slot.last_tick + 1 != tick.number)
                {
                    break 'all Stop::Other;
                }
                let id = HitboxId { index: index as u32, generation: slot.generation };
                // It is due, whatever is said: what another cadence had left is used up.
                slot.accumulated_us = 0;
                // By reference, as what it says is not small.
                if let Err(lack) = said(&source.sample(id, desc), desc.projectile, pose, meta) {
                    break 'all Stop::Without(lack);
                }
                (slot.last_tick, slot.last_us) = (tick.number, tick.now_us);
                index += 1;
            }
            Stop::Done
        };
        *sampled += (index - range.start - holes) as u32;
        (index, stop)
    }

    /// Collects for the index who is at these places.
    fn collect(&mut self, range: Range<usize>, tick: &Tick) {
        let before = if tick.row == 0 { self.rows.len() - 1 } else { tick.row - 1 };
        let (from, to) = (&self.rows[before].poses, &self.rows[tick.row].poses);
        let mut next = range.start;
        while next < range.end {
            if !tick.is_gap {
                next += self.index.collect_steady(next, &from[next..range.end], &to[next..range.end]);
            }
            if next < range.end {
                self.index.collect(next as u32, &from[next], &to[next], tick.is_gap);
                next += 1;
            }
        }
    }

    /// Records any hitbox. Whether it is still registered.
    #[inline(never)]
    fn record_slot(&mut self, index: usize, tick: &Tick, source: &mut impl HitboxSource, report: &mut RecordReport) -> bool {
        let slot = &mut self.slots[index];
        let Some(desc) = &slot.desc else { return false };
        let id = HitboxId { index: index as u32, generation: slot.generation };
        if let Some(gone_us) = slot.gone_us {
            self.rows[tick.row].poses[index].presence = presence::ABSENT;
            return tick.now_us - gone_us <= self.config.max_rewind_us || !self.unregister(id);
        }
        let interval_us = desc.cadence.interval_us();
        if slot.is_due(interval_us, self.config.max_interpolation_gap_us, tick)
            && let Some(desc) = &slot.desc
        {
            let (mut pose, mut meta) = (TickPose::zeroed(), TickMeta::zeroed());
            return match said(&source.sample(id, desc), desc.projectile, &mut pose, &mut meta) {
                Ok(()) => {
                    report.sampled += 1;
                    self.write_sample(index, tick, pose, meta);
                    true
                }
                Err(lack) => self.go_without(index, tick, &lack, source, report),
            };
        }
        self.hold(index, tick);
        true
    }

    /// Has one that is due go without a sample. Whether it is still registered.
    #[cold]
    fn go_without(&mut self, index: usize, tick: &Tick, lack: &Lack, source: &mut impl HitboxSource, report: &mut RecordReport) -> bool {
        let Slot { desc: Some(desc), generation, .. } = self.slots[index] else { return false };
        let hitbox = HitboxId { index: index as u32, generation };
        match *lack {
            Lack::Refused(reason) => {
                report.refused += 1;
                source.notice(&Notice::Refused { hitbox, desc, reason });
            }
            Lack::Gone => {
                report.pruned += 1;
                self.unregister(hitbox);
                source.notice(&Notice::Pruned { hitbox, desc });
                return false;
            }
            Lack::Unsupported(kind) => {
                let is_reported = core::mem::replace(&mut self.slots[index].unsupported_reported, true);
                if !is_reported {
                    report.unsupported += 1;
                    source.notice(&Notice::Unsupported { hitbox, desc, kind });
                }
            }
        }
        self.hold(index, tick);
        true
    }

    #[inline(always)]
    fn write_sample(&mut self, index: usize, tick: &Tick, pose: TickPose, meta: TickMeta) {
        let row = &mut self.rows[tick.row];
        (row.poses[index], row.metas[index]) = (pose, meta);
        if self.slots[index].sampled && self.slots[index].last_tick + 1 < tick.number {
            self.fill_between(index, tick);
        }
        let slot = &mut self.slots[index];
        if !core::mem::replace(&mut slot.sampled, true) {
            slot.born_us = tick.now_us;
        }
        (slot.last_tick, slot.last_us) = (tick.number, tick.now_us);
    }

    /// Has a hitbox stay as it was. Whoever had a sample was sampled or held at the tick before.
    fn hold(&mut self, index: usize, tick: &Tick) {
        if !self.slots[index].sampled {
            self.rows[tick.row].poses[index].presence = presence::ABSENT;
            return;
        }
        let before = self.row(tick.number - 1);
        let (pose, meta) = (before.poses[index], before.metas[index]);
        let row = &mut self.rows[tick.row];
        (row.poses[index], row.metas[index]) = (TickPose { presence: presence::HELD, ..pose }, meta);
    }

    /// Gives the ticks between a hitbox's last sample and the one of `tick` their poses.
    #[cold]
    fn fill_between(&mut self, index: usize, tick: &Tick) {
        let (to, to_meta) = (self.rows[tick.row].poses[index], self.rows[tick.row].metas[index]);
        let Slot { last_tick, last_us, .. } = self.slots[index];
        self.index.change_since(last_tick);
        // Held: as the last sample was, which may have left the rows.
        let before = self.row(tick.number - 1);
        let (from, from_meta) = (before.poses[index], before.metas[index]);
        let now_us = tick.now_us;
        let is_gap = now_us - last_us > self.config.max_interpolation_gap_us;
        for between in (last_tick + 1).max(self.oldest_tick())..tick.number {
            let row = self.row_mut(between);
            if is_gap {
                row.poses[index].presence = presence::ABSENT;
                continue;
            }
            let s = motion::fraction(row.time_us, last_us, now_us);
            let is_later_nearer = now_us - row.time_us < row.time_us - last_us;
            let (pose, meta) = motion::mix(&from, &from_meta, &to, &to_meta, s, is_later_nearer);
            (row.poses[index], row.metas[index]) = (TickPose { presence: presence::BETWEEN, ..pose }, meta);
        }
    }
}

impl Slot {
    /// Whether it is sampled now. Time beyond its interval counts towards the next sample; intervals that
    /// passed whole, as in a hitch, give no samples of their own.
    fn is_due(&mut self, interval_us: u64, gap_us: u64, tick: &Tick) -> bool {
        self.accumulated_us = self.accumulated_us.saturating_add(tick.passed_us);
        let waited_us = tick.now_us - self.last_us;
        let is_last_chance = waited_us <= gap_us && waited_us + tick.passed_us > gap_us;
        if self.accumulated_us < interval_us && !is_last_chance {
            return false;
        }
        self.accumulated_us = self.accumulated_us.checked_rem(interval_us).unwrap_or(0);
        true
    }
}

/// What a source said, as rows keep it.
#[inline(always)]
fn said(said: &Sampled, projectile: bool, pose: &mut TickPose, meta: &mut TickMeta) -> Result<(), Lack> {
    match said {
        Sampled::Here(sample) => quantise_into(sample, projectile, pose, meta).map_err(Lack::Refused),
        Sampled::Gone => Err(Lack::Gone),
        &Sampled::Unsupported(kind) => Err(Lack::Unsupported(kind)),
    }
}

/// A sample as rows keep it.
pub(super) fn quantise(sample: &HitboxSample, projectile: bool) -> Result<(TickPose, TickMeta), SampleError> {
    let (mut pose, mut meta) = (TickPose::zeroed(), TickMeta::zeroed());
    quantise_into(sample, projectile, &mut pose, &mut meta)?;
    Ok((pose, meta))
}

/// A shorter axis has 16 bits however it leans: a part of it is longer by 2^-10 at most, as the rotation is.
const LONG_AXIS_UNITS: i64 = 32_700;

/// The same in its place, of which nothing is left if it is refused. What is only copied is first, so that it is in
/// no register afterwards.
#[inline(always)]
fn quantise_into(sample: &HitboxSample, projectile: bool, pose: &mut TickPose, meta: &mut TickMeta) -> Result<(), SampleError> {
    *meta = TickMeta { rotation: sample.rotation, state_flags: sample.state_flags };
    let bit = |set: bool, bit: u8| u8::from(set) * bit;
    *pose = TickPose {
        c: sample.position.to_array(),
        e: [0; 3],
        radius: sample.shape.radius,
        half_height: sample.shape.half_height,
        epoch: sample.epoch,
        team: sample.team.0,
        flags: bit(sample.damageable, flags::DAMAGEABLE)
            | bit(sample.blocking, flags::BLOCKING)
            | bit(projectile, flags::PROJECTILE)
            | bit(sample.shape.kind == ShapeKind::Capsule, flags::CAPSULE),
        presence: presence::SAMPLED,
    };
    let c = sample.position.to_array();
    // First all but the very last unit, with one comparison.
    let is_inside = |coordinate: i32| coordinate.wrapping_add(units::MAX_COORDINATE) as u32;
    if (is_inside(c[0]) | is_inside(c[1]) | is_inside(c[2])) >> 31 != 0
        && c.iter().any(|coordinate| coordinate.unsigned_abs() > units::MAX_COORDINATE as u32)
    {
        return Err(SampleError::OutOfWorld);
    }
    let [x, y, z, w] = sample.rotation.to_bits().map(i64::from);
    // Four times 2^62 would wrap to zero, which is refused as well.
    let length_squared = [x, y, z, w].iter().fold(0, |sum: u64, &part| sum.wrapping_add((part * part) as u64));
    if length_squared.abs_diff(1 << 60) > 1 << 49 {
        return Err(SampleError::BadRotation);
    }
    // Without a branch: spheres and capsules come in any order.
    let along = i64::from(sample.shape.half_axis_units());
    // Each product is at most 2^60.1, each part at most 2^62.1.
    let axis = [2 * (x * y - w * z), (1 << 60) - 2 * (x * x + z * z), 2 * (y * z + w * x)];
    let mut e = axis.map(|part| {
        // Sixteen times as much, so that the result is the upper half. Halves away from zero: of a negative
        // product, just under a half is added.
        let half = (1u64 << 63).wrapping_add(((part >> 63) << 4) as u64);
        ((i128::from(part) * i128::from(along << 4) + i128::from(half)) >> 64) as i32
    });
    if along > LONG_AXIS_UNITS {
        e = e.map(|part| part.clamp(-i32::from(i16::MAX), i16::MAX.into()));
    }
    pose.e = e.map(|part| part as i16);
    Ok(())
}
