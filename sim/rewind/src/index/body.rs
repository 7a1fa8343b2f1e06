//! A way through the hitboxes of a body.
//!
//! Who can be met is found first, and met then in the order in which the way comes by: the first hit
//! spares most of the others the exact test.

use super::entry::Entry;
use super::probe::{Search, Seen};
use crate::narrow::{V, dot, length_at_most};
use core::ops::Range;

/// So many are put in order at once.
const AT_ONCE: usize = 16;

/// The heights at which a way can be inside of a body's ball.
#[derive(Clone, Copy)]
struct Heights {
    middle: i64,
    half: i64,
}

impl Search<'_> {
    /// `m` is from the middle of the body to the way's start.
    #[inline(never)]
    pub(super) fn meet_body<const MOVING: bool, const LONG: bool>(&self, body: &Entry, m: V, flat_length: i64, seen: &mut Seen<'_>) {
        let Range { start, end } = self.slab.body(body);
        let flat_length = if MOVING || LONG { flat_length } else { length_at_most(self.way.way[0], self.way.way[2]) };
        // It passes the body in the plane.
        let flat_reach = i64::from(body.flat_reach()) + self.way.radius;
        if !MOVING && (m[0] * self.way.way[2] - m[2] * self.way.way[0]).abs() > flat_reach * flat_length {
            return;
        }
        let heights = self.heights::<MOVING, LONG>(body, m);
        let mut first = start;
        while first < end {
            let next = end.min(first + AT_ONCE as u32);
            self.meet_some::<MOVING>(first..next, heights, flat_length, seen);
            first = next;
        }
    }

    #[inline(always)]
    fn heights<const MOVING: bool, const LONG: bool>(&self, body: &Entry, m: V) -> Heights {
        let (from, way) = (self.way.from[1], self.way.way);
        // Under 2^17.1.
        let reach = i64::from(body.reach) + self.way.radius;
        if MOVING || !LONG || way[1].abs() <= reach || self.way_squared < 1 << 30 {
            return Heights { middle: from + (way[1] >> 1), half: (way[1].abs() >> 1) + 1 };
        }
        // The point nearest to the middle of the ball, in 2^-20ths of the way, off by less than 2^-18. Both
        // under 2^48.4 before they are cut.
        let (passed, whole) = (-dot(m, way), self.way_squared);
        let nearest = (((passed.max(0) >> 8) << 20) / (whole >> 8)).min(1 << 20);
        // Inside of the ball the way is not further than `reach` from there.
        let greatest = way[0].abs().max(way[1].abs()).max(way[2].abs());
        Heights { middle: from + ((way[1] * nearest) >> 20), half: reach * way[1].abs() / greatest + 66 }
    }

    /// Meets those who can be met, whom the way comes by first first.
    #[inline(always)]
    fn meet_some<const MOVING: bool>(&self, range: Range<u32>, heights: Heights, flat_length: i64, seen: &mut Seen<'_>) {
        // How far along the way each is, and which.
        let mut ahead = [(0i64, 0u32); AT_ONCE];
        let mut count = 0;
        for (entry, at) in self.slab.entries(range.clone()).iter().zip(range.start..) {
            // Of a body that is met, most are too high or too low.
            let reach = i64::from(entry.reach) + self.way.radius;
            if !MOVING && (heights.middle - entry.at(1, self.piece.s0)).abs() > reach + heights.half {
                continue;
            }
            if let Some((m, d)) = self.meets_ball::<MOVING, true, true>(entry, flat_length, seen.n) {
                ahead[count % AT_ONCE] = (-dot(m, d), at);
                count += 1;
            }
        }
        let mut left = ahead.get_mut(..count).unwrap_or_default();
        while let Some((last, others)) = left.split_last_mut() {
            for other in &mut *others {
                if *other < *last {
                    core::mem::swap(other, last);
                }
            }
            let at = last.1;
            let entry = self.slab.entry(at);
            if let Some((m, d)) = self.meets_ball::<MOVING, false, true>(entry, 0, seen.n) {
                self.meet(entry, at, m, d, seen);
            }
            left = others;
        }
    }
}
