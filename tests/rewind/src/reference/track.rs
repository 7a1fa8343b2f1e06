//! One hitbox over time: cadences, gaps, holding, retirement.

use super::cadence::Cadence;
use super::history::Settings;
use super::pose::{Pose, TickPose};
use super::units;
use crate::scene::{Attributes, HitboxSpec, Sample};

/// A hitbox and its poses at ticks.
#[derive(Clone, Debug)]
pub struct Track {
    /// What never changes about it.
    pub spec: HitboxSpec,
    /// Ties of two hits go to the smaller place.
    pub place: u32,
    /// When it is due.
    pub cadence: Cadence,
    /// The tick of its first sample, or of its registration until it has one.
    pub first_tick: usize,
    /// The tick of its newest sample, or of its registration until it has one.
    pub newest_tick: usize,
    /// The first tick without it, once it is retired.
    pub retired_tick: Option<usize>,
    /// What it was at the ticks from the first sample to the newest; nothing within too large a gap.
    poses: Vec<Option<TickPose>>,
}

/// What a hitbox does from a tick until just before the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Motion {
    /// It goes from the first to the second.
    Between(TickPose, TickPose),
    /// It stays as it was at its newest sample, until then.
    Held {
        /// What it was.
        pose: TickPose,
        /// The last microsecond in which it is there.
        until_us: u64,
    },
}

impl Motion {
    /// All that is known at `fraction` of the way.
    #[must_use]
    pub fn at(&self, fraction: i64) -> TickPose {
        match self {
            Self::Between(from, to) => from.towards(to, fraction, is_later(fraction)),
            Self::Held { pose, .. } => *pose,
        }
    }

    /// What is swept at `fraction` of the way.
    #[must_use]
    pub fn pose_at(&self, fraction: i64) -> Pose {
        match self {
            Self::Between(from, to) => from.pose_towards(to, fraction),
            Self::Held { pose, .. } => pose.pose,
        }
    }

    /// What is not geometry, at `fraction` of the way.
    #[must_use]
    pub fn attributes_at(&self, fraction: i64) -> Attributes {
        match self {
            Self::Between(from, to) => {
                if is_later(fraction) {
                    to.attributes
                } else {
                    from.attributes
                }
            }
            Self::Held { pose, .. } => pose.attributes,
        }
    }
}

/// Whether the later of two ticks is the nearer one.
fn is_later(fraction: i64) -> bool {
    fraction > 1 << 15
}

impl Track {
    /// A hitbox that is registered at the newest tick, and was never sampled.
    #[must_use]
    pub fn new(spec: HitboxSpec, place: u32, ticks_us: &[u64]) -> Self {
        let tick = ticks_us.len() - 1;
        let cadence = Cadence::new(spec.pace, ticks_us[tick]);
        Self { spec, place, cadence, first_tick: tick, newest_tick: tick, retired_tick: None, poses: Vec::new() }
    }

    /// Whether it was ever sampled.
    #[must_use]
    pub fn is_sampled(&self) -> bool {
        !self.poses.is_empty()
    }

    /// Takes the sample of tick `tick`, later than the newest, and fills in the ticks between.
    pub fn sample(&mut self, tick: usize, sample: &Sample, ticks_us: &[u64], settings: &Settings) {
        let after = TickPose::of(sample);
        let Some(before) = self.pose(self.newest_tick) else {
            (self.first_tick, self.newest_tick) = (tick, tick);
            self.poses.push(Some(after));
            return;
        };
        let (start_us, end_us) = (ticks_us[self.newest_tick], ticks_us[tick]);
        let is_bridged = end_us - start_us <= settings.max_interpolation_gap_us;
        for time_us in ticks_us[self.newest_tick + 1..tick].iter().copied() {
            let is_later_nearer = end_us - time_us < time_us - start_us;
            let pose = before.towards(&after, units::fraction(time_us, start_us, end_us), is_later_nearer);
            self.poses.push(is_bridged.then_some(pose));
        }
        self.poses.push(Some(after));
        self.newest_tick = tick;
    }

    /// What it was at tick `tick`, if that is not later than its newest sample.
    #[must_use]
    pub fn pose(&self, tick: usize) -> Option<TickPose> {
        *self.poses.get(tick.checked_sub(self.first_tick)?)?
    }

    /// The last microsecond in which it is there.
    #[must_use]
    pub fn until_us(&self, ticks_us: &[u64], settings: &Settings) -> u64 {
        let held_us = ticks_us[self.newest_tick] + settings.max_future_tolerance_us;
        self.retired_tick.map_or(held_us, |tick| held_us.min(ticks_us[tick - 1]))
    }

    /// What it does between tick `tick` and the next one, if it is there in between.
    #[must_use]
    pub fn motion(&self, tick: usize, ticks_us: &[u64], settings: &Settings) -> Option<Motion> {
        if self.retired_tick.is_some_and(|retired| tick + 1 >= retired) {
            return None;
        }
        if tick >= self.newest_tick {
            let pose = self.pose(self.newest_tick)?;
            return Some(Motion::Held { pose, until_us: self.until_us(ticks_us, settings) });
        }
        if ticks_us[tick + 1] - ticks_us[tick] > settings.max_interpolation_gap_us {
            return None;
        }
        Some(Motion::Between(self.pose(tick)?, self.pose(tick + 1)?))
    }
}
