//! Which cells a search visits, and in which order.

use super::entry::{Axes, Entry};
use super::probe::Search;
use super::slab::CELL_BITS;
use crate::narrow::{ONE, TOI_BITS, V, ceil_sqrt, wide};

/// Up to this many cells each way are visited without further thought.
const FEW: i64 = 4;
/// Cells of a row that are visited at once.
const AT_ONCE: i64 = 4;

impl Search<'_> {
    /// Visits everyone in the slab who can be met.
    #[inline(always)]
    pub(super) fn run<const MOVING: bool>(&mut self) {
        if self.slab.in_grid > 0 {
            let around = self.piece.radius + i64::from(self.slab.extent) + 1;
            let end = self.end();
            let cells = |axis: usize| {
                let (low, high) = (self.from[axis].min(end[axis]) - around, self.from[axis].max(end[axis]) + around);
                (low >> CELL_BITS, high >> CELL_BITS)
            };
            let ((left, right), (near, far)) = (cells(0), cells(2));
            if right - left < FEW && far - near < FEW {
                for row in near..=far {
                    self.row::<MOVING, false>(row, left, right);
                }
            } else {
                self.run_long::<MOVING>(around);
            }
        }
        if self.slab.loose > 0 {
            self.visit_loose::<MOVING>();
        }
    }

    #[inline(always)]
    fn end(&self) -> V {
        [0, 1, 2].map(|axis| self.from[axis] + self.way[axis])
    }

    #[inline(never)]
    fn visit_loose<const MOVING: bool>(&mut self) {
        self.visit::<MOVING, false>(self.slab.loose());
    }

    #[inline(always)]
    fn row<const MOVING: bool, const LONG: bool>(&mut self, row: i64, left: i64, right: i64) {
        let [part, rest] = self.slab.cells(row as i32, left as i32, right as i32);
        self.visit::<MOVING, LONG>(part);
        if !rest.0.is_empty() {
            self.visit_rest::<MOVING, LONG>(rest);
        }
    }

    #[cold]
    #[inline(never)]
    fn visit_rest<const MOVING: bool, const LONG: bool>(&mut self, rest: (&[Entry], &[Axes])) {
        self.visit::<MOVING, LONG>(rest);
    }

    /// The part of the way on which anyone can be met, in 2^-30ths, rounded outwards.
    fn clip(&self, around: i64) -> Option<(i64, i64)> {
        let (mut first, mut last) = (0, ONE);
        for axis in [1, 0, 2] {
            let (low, high) = (i64::from(self.slab.low[axis]) - around, i64::from(self.slab.high[axis]) + around);
            let (start, way) = (self.from[axis], self.way[axis]);
            let end = start + way;
            if start.min(end) >= low && start.max(end) <= high {
                continue;
            }
            if start.max(end) < low || start.min(end) > high {
                return None;
            }
            // The way is not zero here. What is left of it is under 2^24.
            let (enters, leaves) = if way > 0 { (low - start, high - start) } else { (start - high, start - low) };
            let length = way.abs();
            if enters > 0 {
                first = first.max((enters << TOI_BITS) / length);
            }
            if leaves < length {
                last = last.min((leaves << TOI_BITS) / length + 1);
            }
            if first > last {
                return None;
            }
        }
        Some((first, last))
    }

    #[inline(never)]
    fn run_long<const MOVING: bool>(&mut self, around: i64) {
        let Some((first, last)) = self.clip(around) else { return };
        let (from, way, whole) = (self.from, self.way, self.end());
        let at = |axis: usize, n: i64| from[axis] + ((way[axis] * n) >> TOI_BITS);
        let range = |axis: usize| {
            let start = if first == 0 { from[axis] } else { at(axis, first) };
            let end = if last == ONE { whole[axis] } else { at(axis, last) };
            ((start.min(end) - around - 1) >> CELL_BITS, (start.max(end) + around + 1) >> CELL_BITS)
        };
        let ((left, right), (near, far)) = (range(0), range(2));
        let flat_squared = way[0] * way[0] + way[2] * way[2];
        self.flat_length = ceil_sqrt(flat_squared.unsigned_abs());
        if right - left < FEW && far - near < FEW {
            for row in near..=far {
                self.row::<MOVING, true>(row, left, right);
            }
            return;
        }
        let (length_x, length_z) = (way[0].abs(), way[2].abs());
        // Only ways that cross rows have a slope.
        let is_steep = length_z >= 1 << CELL_BITS;
        let slope = if is_steep { (way[0] << 20) / way[2] } else { 0 };
        // The half width of the way along x: around * length / length_z, with a length that is not too short; the
        // slope is off by less than 2^-20, on less than 2^25.5 units.
        let width = if is_steep {
            let length = length_x.max(length_z) + length_x.min(length_z) / 2;
            (around * length) / length_z + 64
        } else {
            0
        };
        // If most of the cells would be seen, so can be everyone.
        let columns =
            if is_steep { (((2 * width) >> CELL_BITS) + (slope.abs() >> 20) + 2).min(right - left + 1) } else { right - left + 1 };
        if columns.saturating_mul(far - near + 1) > 2 * self.slab.in_grid as i64 + 16 {
            self.visit::<MOVING, true>(self.slab.grid());
            return;
        }
        let (is_to_far, is_to_right) = (way[2] >= 0, way[0] >= 0);
        for step in 0..=far - near {
            let row = if is_to_far { near + step } else { far - step };
            let (low, high) = ((row << CELL_BITS) - from[2], ((row + 1) << CELL_BITS) - from[2]);
            if self.is_after_hit(if is_to_far { low } else { -high } - around, length_z) {
                break;
            }
            let (mut begin, mut end) = (left, right);
            if is_steep {
                let (one, other) = (from[0] + ((low * slope) >> 20), from[0] + ((high * slope) >> 20));
                begin = begin.max((one.min(other) - width) >> CELL_BITS);
                end = end.min((one.max(other) + width) >> CELL_BITS);
            }
            let count = end - begin + 1;
            let mut done = 0;
            while done < count {
                let now = AT_ONCE.min(count - done);
                let cell = if is_to_right { begin + done } else { end - done - now + 1 };
                let edge = if is_to_right { (cell << CELL_BITS) - from[0] } else { from[0] - ((cell + now) << CELL_BITS) } - around;
                if self.is_after_hit(edge, length_x) {
                    break;
                }
                self.row::<MOVING, true>(row, cell, cell + now - 1);
                done += now;
            }
        }
    }

    /// Whether the way comes to `edge` on an axis only after the first hit so far.
    #[inline(always)]
    fn is_after_hit(&self, edge: i64, length: i64) -> bool {
        self.found.n <= ONE && edge > 0 && i128::from(edge) << TOI_BITS > wide(self.found.n, length)
    }
}
