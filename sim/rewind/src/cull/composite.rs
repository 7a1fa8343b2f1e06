//! [`Composite`]: everything that a component was in a window of time, as one box.

use super::Aabb;
use super::bounds::Seen;

/// By how much a composite is greater than the boxes in it: 0.5 mm.
///
/// A hitbox is rounded part by part (centre, axis, radius), each by half a unit at most: when it is recorded,
/// when a slower cadence is interpolated, and when it is asked between two ticks. That adds up to less than 5
/// units, by which it can be beyond its bounds of both ticks.
pub const COMPOSITE_MARGIN_UNITS: u32 = 8;

/// From the time that a rewind goes back to, to the present; both ends belong to it. Microseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    start_us: u64,
    now_us: u64,
}

impl Window {
    /// From `start_us` to `now_us`. A start after `now_us` counts as `now_us`.
    #[must_use]
    pub const fn new(start_us: u64, now_us: u64) -> Self {
        Self { start_us: if start_us < now_us { start_us } else { now_us }, now_us }
    }

    /// The last `length_us` before `now_us`, not further back than 0.
    ///
    /// ```
    /// use snapback_rewind::cull::Window;
    /// assert_eq!(Window::back(1_000_000, 250_000), Window::new(750_000, 1_000_000));
    /// ```
    #[must_use]
    pub const fn back(now_us: u64, length_us: u64) -> Self {
        Self { start_us: now_us.saturating_sub(length_us), now_us }
    }

    /// Where it begins.
    #[must_use]
    pub const fn start_us(self) -> u64 {
        self.start_us
    }

    /// Where it ends.
    #[must_use]
    pub const fn now_us(self) -> u64 {
        self.now_us
    }
}

/// All that a component can have been in a [`Window`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Composite {
    /// It was always within this box, with [`COMPOSITE_MARGIN_UNITS`].
    Known(Aabb),
    /// It was there before the oldest box that is kept, and the window reaches further back: it can have
    /// been anywhere.
    Unknown,
}

/// The boxes of the ticks in the window, of the last tick before it and of the first after it: between
/// two ticks a component is on its way from one box to the other, within both together and the margin.
pub(super) fn of<'a>(mut newest_first: impl Iterator<Item = &'a Seen>, has_forgotten: bool, window: Window) -> Option<Composite> {
    let mut after: Option<Aabb> = None;
    let mut all: Option<Aabb> = None;
    let reaches_back = newest_first.any(|seen| {
        match &mut all {
            Some(all) => *all = all.union(seen.bounds),
            None if seen.at_us > window.now_us => after = Some(seen.bounds),
            // A box at the very end is all there is of the end.
            None if seen.at_us == window.now_us => all = Some(seen.bounds),
            None => all = Some(after.map_or(seen.bounds, |after| after.union(seen.bounds))),
        }
        seen.at_us <= window.start_us
    });
    if has_forgotten && !reaches_back { Some(Composite::Unknown) } else { all.map(known) }
}

fn known(all: Aabb) -> Composite {
    Composite::Known(all.grown(COMPOSITE_MARGIN_UNITS))
}
