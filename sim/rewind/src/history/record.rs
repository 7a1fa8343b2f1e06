//! A tick is recorded: who is due is sampled, everyone else is held until their next sample.

use core::fmt;

use super::row::{TickMeta, TickPose, flags, presence};
use super::{RewindHistory, Slot};
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

/// Where [`RewindHistory::record_steady`] met somebody who is not.
enum Stop {
    /// Who is to be looked at.
    At(usize),
    /// Who said this.
    Said(usize, Sampled),
    /// Who was written, and is to be collected.
    Written(usize),
}

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
            next = 1 + match self.record_steady(next, &tick, source, &mut report) {
                Stop::At(index) if index == self.used => break,
                Stop::At(index) => {
                    if self.record_slot(index, &tick, source, &mut report) {
                        self.collect(index, &tick);
                    }
                    index
                }
                Stop::Said(index, said) => {
                    if self.hear(index, &tick, &said, source, &mut report) {
                        self.collect(index, &tick);
                    }
                    index
                }
                Stop::Written(index) => {
                    self.collect(index, &tick);
                    index
                }
            };
        }
        self.index.finish(&self.rows, self.oldest_tick(), number, self.config.max_interpolation_gap_us);
        Ok(report)
    }

    /// Records one after the other from `first` on, until one is not steady: sampled at the tick before and now, at
    /// every tick, and between the two without a jump. This is what nearly everyone is nearly always.
    fn record_steady(&mut self, first: usize, tick: &Tick, source: &mut impl HitboxSource, report: &mut RecordReport) -> Stop {
        let (before, used) = (self.before(tick), self.used);
        let Ok([from, to]) = self.rows.get_disjoint_mut([before, tick.row]) else { return Stop::At(first) };
        let (mut collecting, in_body) = self.index.collecting();
        let slots = self.slots[first..used].iter_mut().zip(&in_body[first..used]);
        let poses = from.poses[first..used].iter().zip(&mut to.poses[first..used]).zip(&mut to.metas[first..used]);
        let mut stop = Stop::At(used);
        let mut index = first;
        for ((slot, in_body), ((from, to), meta)) in slots.zip(poses) {
            let Some(desc) = &slot.desc else {
                index += 1;
                continue;
            };
            if (desc.cadence != Cadence::EveryServerTick) | !slot.sampled | slot.gone_us.is_some() | (slot.last_tick + 1 != tick.number) {
                stop = Stop::At(index);
                break;
            }
            let said = source.sample(HitboxId { index: index as u32, generation: slot.generation }, desc);
            // By reference, as what it says is not small.
            let quantised = match &said {
                Sampled::Here(sample) => quantise(sample, desc.projectile).ok(),
                _ => None,
            };
            let Some((pose, sampled_meta)) = quantised else {
                stop = Stop::Said(index, said);
                break;
            };
            (*to, *meta) = (pose, sampled_meta);
            (slot.last_tick, slot.last_us, slot.accumulated_us) = (tick.number, tick.now_us, 0);
            report.sampled += 1;
            if !*in_body && (tick.is_gap || !collecting.add_steady(index as u32, from, &pose)) {
                stop = Stop::Written(index);
                break;
            }
            index += 1;
        }
        let progress = collecting.end();
        self.index.resume(&progress);
        stop
    }

    /// The row of the tick before.
    const fn before(&self, tick: &Tick) -> usize {
        if tick.row == 0 { self.rows.len() - 1 } else { tick.row - 1 }
    }

    #[inline(never)]
    fn collect(&mut self, index: usize, tick: &Tick) {
        let (from, to) = (&self.rows[self.before(tick)].poses[index], &self.rows[tick.row].poses[index]);
        self.index.collect(index as u32, from, to, tick.is_gap);
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
            let said = source.sample(id, desc);
            return self.hear(index, tick, &said, source, report);
        }
        self.hold(index, tick);
        true
    }

    /// Records what the source says of a hitbox that is due. Whether it is still registered.
    fn hear(&mut self, index: usize, tick: &Tick, said: &Sampled, source: &mut impl HitboxSource, report: &mut RecordReport) -> bool {
        let Slot { desc: Some(desc), generation, .. } = self.slots[index] else { return false };
        let id = HitboxId { index: index as u32, generation };
        match said {
            Sampled::Here(sample) => match quantise(sample, desc.projectile) {
                Ok((pose, meta)) => {
                    report.sampled += 1;
                    self.write_sample(index, tick, pose, meta);
                    return true;
                }
                Err(reason) => {
                    report.refused += 1;
                    source.notice(&Notice::Refused { hitbox: id, desc, reason });
                }
            },
            Sampled::Gone => {
                report.pruned += 1;
                self.unregister(id);
                source.notice(&Notice::Pruned { hitbox: id, desc });
                return false;
            }
            &Sampled::Unsupported(kind) => {
                let is_reported = core::mem::replace(&mut self.slots[index].unsupported_reported, true);
                if !is_reported {
                    report.unsupported += 1;
                    source.notice(&Notice::Unsupported { hitbox: id, desc, kind });
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

/// A sample as rows keep it.
#[inline(always)]
pub(super) fn quantise(sample: &HitboxSample, projectile: bool) -> Result<(TickPose, TickMeta), SampleError> {
    let c = sample.position.to_array();
    let farthest = c[0].unsigned_abs().max(c[1].unsigned_abs()).max(c[2].unsigned_abs());
    if farthest > units::MAX_COORDINATE as u32 {
        return Err(SampleError::OutOfWorld);
    }
    let [x, y, z, w] = sample.rotation.to_bits().map(i64::from);
    // Four times 2^62 would wrap to zero, which is refused as well.
    let length_squared = [x, y, z, w].iter().fold(0, |sum: u64, &part| sum.wrapping_add((part * part) as u64));
    if length_squared.abs_diff(1 << 60) > 1 << 49 {
        return Err(SampleError::BadRotation);
    }
    // Without a branch: spheres and capsules come in any order.
    let along = u64::from(sample.shape.half_axis_units());
    // Each product is at most 2^60.1, each part at most 2^62.1.
    let axis = [2 * (x * y - w * z), (1 << 60) - 2 * (x * x + z * z), 2 * (y * z + w * x)];
    let e = axis.map(|part| {
        let magnitude = (u128::from(part.unsigned_abs()) * u128::from(along) + (1 << 59)) >> 60;
        let magnitude = (magnitude as i64).min(i64::from(i16::MAX));
        let sign = part >> 63;
        ((magnitude ^ sign) - sign) as i16
    });
    let bit = |set: bool, bit: u8| if set { bit } else { 0 };
    let pose = TickPose {
        c,
        e,
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
    Ok((pose, TickMeta { rotation: sample.rotation, state_flags: sample.state_flags }))
}
