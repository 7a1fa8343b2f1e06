//! [`Composite`]: everything that a component was in a window of time, as one box.

use super::Aabb;
use super::bounds::Seen;
use crate::Point;

/// By how much a composite is greater than the boxes in it: 0.5 mm.
///
/// A hitbox is rounded part by part (centre, axis, radius), each by half a unit at most: when it is recorded,
/// when a slower cadence is interpolated, and when it is asked between two ticks. That adds up to less than 5
/// units, by which it can be beyond what its bounds of both ticks say.
pub const COMPOSITE_MARGIN_UNITS: u32 = 8;

/// From the time that a rewind goes back to, to the present; both ends belong to it. Microseconds.
///
/// These are times at which targets are asked about: view delay taken off, and not before the greatest
/// rewind, if the query clamps to that.
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

/// Of the ticks in the window with `slack_us` to both sides, of the last tick before that and of the first after
/// it: between two ticks a component is on its way from one box to the other.
///
/// A moving query freezes sizes at the middle of its piece, while the centre goes all the way. So it is
/// centres and sizes that are put together, each for itself: a box that grows on its way can be beyond both.
pub(super) fn of<'a>(
    mut newest_first: impl Iterator<Item = &'a Seen>,
    has_forgotten: bool,
    window: Window,
    slack_us: u64,
) -> Option<Composite> {
    let (start_us, end_us) = (window.start_us.saturating_sub(slack_us), window.now_us.saturating_add(slack_us));
    let mut after: Option<Hull> = None;
    let mut all: Option<Hull> = None;
    let mut was_there = false;
    let reaches_back = newest_first.any(|seen| {
        was_there |= seen.at_us <= window.now_us;
        let own = Hull::of(seen.bounds);
        match &mut all {
            Some(all) => *all = all.and(own),
            None if seen.at_us > end_us => after = Some(own),
            // A box at the very end is all there is of the end.
            None if seen.at_us == end_us => all = Some(own),
            None => all = Some(after.map_or(own, |after| after.and(own))),
        }
        seen.at_us <= start_us
    });
    match all {
        _ if has_forgotten && !reaches_back => Some(Composite::Unknown),
        Some(all) if was_there => Some(Composite::Known(all.bounds().grown(COMPOSITE_MARGIN_UNITS))),
        _ => None,
    }
}

/// Where the centres of boxes are, and how large the largest is along each axis. All doubled, so that centres are whole.
#[derive(Clone, Copy)]
struct Hull {
    low: [i64; 3],
    high: [i64; 3],
    width: [i64; 3],
}

impl Hull {
    fn of(bounds: Aabb) -> Self {
        let (min, max) = (bounds.min().to_array().map(i64::from), bounds.max().to_array().map(i64::from));
        let centre = [0, 1, 2].map(|axis| min[axis] + max[axis]);
        Self { low: centre, high: centre, width: [0, 1, 2].map(|axis| max[axis] - min[axis]) }
    }

    fn and(self, other: Self) -> Self {
        let each = |pick: fn(i64, i64) -> i64, a: [i64; 3], b: [i64; 3]| [0, 1, 2].map(|axis| pick(a[axis], b[axis]));
        Self {
            low: each(i64::min, self.low, other.low),
            high: each(i64::max, self.high, other.high),
            width: each(i64::max, self.width, other.width),
        }
    }

    /// It ends where `i32` does, as [`Aabb::around`].
    fn bounds(self) -> Aabb {
        let coordinate = |doubled: i64| doubled.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        let min = [0, 1, 2].map(|axis| coordinate((self.low[axis] - self.width[axis]).div_euclid(2)));
        let max = [0, 1, 2].map(|axis| coordinate((self.high[axis] + self.width[axis] + 1).div_euclid(2)));
        Aabb::spanning(Point::from_array(min), Point::from_array(max))
    }
}
