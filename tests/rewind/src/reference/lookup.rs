//! One hitbox at one time, or the reason why it has no pose then.

use super::history::Reference;
use super::pose::TickPose;
use super::track::Track;
use super::units;
use crate::scene::Lookup;

/// Why there is nothing at a time. If several are true, the first in this order is given.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Absence {
    /// It is not registered, or no longer, or was forgotten since it was retired.
    Unknown,
    /// The time is more than `max_rewind` before now.
    TooLongAgo,
    /// The time is before its first sample, or before the first tick.
    BeforeOldest,
    /// It was retired before that.
    Gone,
    /// The time is more than `max_future_tolerance` after its newest sample, or after the newest tick.
    AfterNewest,
    /// It was never sampled.
    Never,
    /// The samples around the time are further apart than `max_interpolation_gap`.
    Gap,
}

impl Absence {
    /// How many there are.
    pub const COUNT: usize = 7;
}

impl Reference {
    /// What `lookup` finds.
    ///
    /// # Errors
    /// The reason why there is no pose.
    pub fn look_up(&self, lookup: &Lookup) -> Result<TickPose, Absence> {
        let track = self.tracks.get(lookup.hitbox).and_then(Option::as_ref).ok_or(Absence::Unknown)?;
        self.look_at(track, lookup.time_us)
    }

    pub(super) fn look_at(&self, track: &Track, time_us: u64) -> Result<TickPose, Absence> {
        let (ticks_us, settings) = (&self.ticks_us, &self.settings);
        let first_tick = if track.is_sampled() { track.first_tick } else { 0 };
        if time_us < self.earliest_us() {
            return Err(Absence::TooLongAgo);
        }
        if time_us < ticks_us[first_tick] {
            return Err(Absence::BeforeOldest);
        }
        if track.retired_tick.is_some_and(|tick| time_us > ticks_us[tick - 1]) {
            return Err(Absence::Gone);
        }
        if time_us > self.now_us() + settings.max_future_tolerance_us {
            return Err(Absence::AfterNewest);
        }
        if !track.is_sampled() {
            return Err(Absence::Never);
        }
        if time_us > ticks_us[track.newest_tick] {
            if time_us > track.until_us(ticks_us, settings) {
                return Err(Absence::AfterNewest);
            }
            return track.pose(track.newest_tick).ok_or(Absence::Gap);
        }
        let tick = self.tick_at(time_us).ok_or(Absence::BeforeOldest)?;
        if ticks_us[tick] == time_us {
            return track.pose(tick).ok_or(Absence::Gap);
        }
        let motion = track.motion(tick, ticks_us, settings).ok_or(Absence::Gap)?;
        Ok(motion.at(units::fraction(time_us, ticks_us[tick], ticks_us[tick + 1])))
    }

    /// Why nobody can be asked for at `time_us`, if so.
    ///
    /// # Errors
    /// The reason.
    pub fn check_time(&self, time_us: u64) -> Result<(), Absence> {
        let first_us = *self.ticks_us.first().ok_or(Absence::Never)?;
        if time_us > self.now_us() + self.settings.max_future_tolerance_us {
            return Err(Absence::AfterNewest);
        }
        if time_us < self.earliest_us() {
            return Err(Absence::TooLongAgo);
        }
        if time_us < first_us { Err(Absence::BeforeOldest) } else { Ok(()) }
    }
}
