//! One hitbox at one time, or the reason why it has no pose then.

use super::history::Reference;
use super::pose::TickPose;
use super::units;
use crate::scene::Lookup;

/// Why a hitbox has no pose at a time. If several are true, the first in this order is given.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Absence {
    /// It was not registered yet when the question was asked, or is no longer known.
    Unknown,
    /// The time is more than `max_rewind` before now.
    TooLongAgo,
    /// The time is before its first sample.
    BeforeOldest,
    /// It was unregistered before that.
    Gone,
    /// The time is more than `max_future_tolerance` after its newest sample.
    AfterNewest,
    /// The samples around the time are further apart than `max_interpolation_gap`.
    Gap,
}

impl Reference {
    /// What `lookup` finds.
    ///
    /// # Errors
    /// The reason why there is no pose.
    pub fn look_up(&self, lookup: &Lookup) -> Result<TickPose, Absence> {
        let Lookup { hitbox, time_us, now_us } = *lookup;
        let track = self.tracks.get(hitbox).and_then(Option::as_ref).ok_or(Absence::Unknown)?;
        let (ticks_us, settings) = (&self.ticks_us, &self.settings);
        if time_us < now_us.saturating_sub(settings.max_rewind_us) {
            return Err(Absence::TooLongAgo);
        }
        if time_us < ticks_us[track.first_tick] {
            return Err(Absence::BeforeOldest);
        }
        if track.retired_tick.is_some_and(|tick| time_us > ticks_us[tick - 1]) {
            return Err(Absence::Gone);
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
}
