//! A tick is recorded: who is due is sampled, everyone else is held until their next sample.

use core::fmt;
use snapback_core::NameHash;

use super::RewindHistory;
use super::row::{TickMeta, TickPose, flags, presence};
use crate::{HitboxId, HitboxSample, HitboxSource, NotAuthority, Sampled, ShapeKind, units};

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

/// What recording a tick did.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RecordReport {
    /// Hitboxes that were sampled.
    pub sampled: u32,
    /// Hitboxes whose source was gone.
    pub pruned: u32,
    /// Hitboxes whose sample could not be recorded.
    pub refused: u32,
    /// A shape without snapshots that was not reported before.
    pub unsupported: Option<(HitboxId, NameHash)>,
}

impl RewindHistory {
    /// Records the tick at `now_us`: samples every hitbox that is due.
    ///
    /// # Errors
    /// If this is not authority, or the time is not after the newest tick.
    pub fn record_tick(&mut self, now_us: u64, source: &mut impl HitboxSource) -> Result<RecordReport, RecordError> {
        self.authority.map_err(RecordError::NotAuthority)?;
        let newest_us = self.now_us();
        if let Some(newest_us) = newest_us.filter(|&newest_us| now_us <= newest_us) {
            return Err(RecordError::NotAfter { newest_us, now_us });
        }
        let passed_us = newest_us.map_or(0, |newest_us| now_us - newest_us);
        let tick = self.ticks;
        self.ticks += 1;
        self.row_mut(tick).time_us = now_us;
        let mut report = RecordReport::default();
        for index in 0..self.slots.len() {
            self.record_slot(index, tick, now_us, passed_us, source, &mut report);
        }
        self.index.record(&self.rows, self.oldest_tick(), tick, self.config.max_interpolation_gap_us);
        Ok(report)
    }

    fn record_slot(
        &mut self,
        index: usize,
        tick: u64,
        now_us: u64,
        passed_us: u64,
        source: &mut impl HitboxSource,
        report: &mut RecordReport,
    ) {
        self.row_mut(tick).poses[index].presence = presence::ABSENT;
        let slot = &mut self.slots[index];
        let Some(desc) = slot.desc else { return };
        let id = HitboxId { index: index as u32, generation: slot.generation };
        if let Some(gone_us) = slot.gone_us {
            if now_us - gone_us > self.config.max_rewind_us {
                self.unregister(id);
            }
            return;
        }
        let interval_us = desc.cadence.interval_us();
        slot.accumulated_us = slot.accumulated_us.saturating_add(passed_us);
        if slot.accumulated_us >= interval_us {
            slot.accumulated_us = slot.accumulated_us.checked_rem(interval_us).unwrap_or(0);
            match source.sample(id, &desc) {
                Sampled::Gone => {
                    report.pruned += 1;
                    self.unregister(id);
                    return;
                }
                Sampled::Unsupported(kind) => {
                    if !core::mem::replace(&mut self.slots[index].unsupported_reported, true) {
                        report.unsupported.get_or_insert((id, kind));
                    }
                }
                Sampled::Here(sample) => match quantise(&sample, desc.projectile) {
                    Err(_) => report.refused += 1,
                    Ok((pose, meta)) => {
                        report.sampled += 1;
                        let row = self.row_mut(tick);
                        (row.poses[index], row.metas[index]) = (pose, meta);
                        self.fill_between(index, tick, now_us);
                        let slot = &mut self.slots[index];
                        (slot.last_tick, slot.last_us) = (tick, now_us);
                        return;
                    }
                },
            }
        }
        let last_tick = self.slots[index].last_tick;
        if last_tick < self.oldest_tick() {
            return;
        }
        let last = self.row(last_tick);
        let (mut pose, meta) = (last.poses[index], last.metas[index]);
        pose.presence = presence::HELD;
        let row = self.row_mut(tick);
        (row.poses[index], row.metas[index]) = (pose, meta);
    }

    /// Gives the ticks between a hitbox's last sample and the one of `tick` their poses.
    fn fill_between(&mut self, index: usize, tick: u64, now_us: u64) {
        let (last_tick, last_us, gap_us) = (self.slots[index].last_tick, self.slots[index].last_us, self.config.max_interpolation_gap_us);
        self.index.change_since(last_tick);
        let first = (last_tick + 1).max(self.oldest_tick());
        if last_tick < self.oldest_tick() {
            for between in first..tick {
                self.row_mut(between).poses[index].presence = presence::ABSENT;
            }
            return;
        }
        let (from, to) = (self.row(last_tick).poses[index], self.row(tick).poses[index]);
        let (from_meta, to_meta) = (self.row(last_tick).metas[index], self.row(tick).metas[index]);
        for between in first..tick {
            let row = self.row_mut(between);
            if now_us - last_us > gap_us {
                row.poses[index].presence = presence::ABSENT;
                continue;
            }
            let s = crate::motion::fraction(row.time_us, last_us, now_us);
            (row.poses[index], row.metas[index]) = crate::motion::between(&from, &from_meta, &to, &to_meta, s);
            row.poses[index].presence = presence::BETWEEN;
        }
    }
}

/// A sample as rows keep it.
pub(super) fn quantise(sample: &HitboxSample, projectile: bool) -> Result<(TickPose, TickMeta), SampleError> {
    let c = sample.position.to_array();
    if c.iter().any(|coordinate| coordinate.unsigned_abs() > units::MAX_COORDINATE as u32) {
        return Err(SampleError::OutOfWorld);
    }
    let [x, y, z, w] = sample.rotation.to_bits().map(i64::from);
    let length_squared: i128 = [x, y, z, w].iter().map(|&part| i128::from(part) * i128::from(part)).sum();
    if (length_squared - (1 << 60)).abs() > 1 << 49 {
        return Err(SampleError::BadRotation);
    }
    let along = i64::from(sample.shape.half_axis_units());
    let axis = [
        2 * (i128::from(x * y) - i128::from(w * z)),
        (1 << 60) - 2 * (i128::from(x * x) + i128::from(z * z)),
        2 * (i128::from(y * z) + i128::from(w * x)),
    ];
    let e = axis.map(|part| {
        let scaled = part * i128::from(along);
        let magnitude = ((scaled.unsigned_abs() + (1 << 59)) >> 60) as i64;
        (if scaled < 0 { -magnitude } else { magnitude }).clamp(-i64::from(i16::MAX), i64::from(i16::MAX)) as i16
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
