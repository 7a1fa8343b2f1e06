//! Which cells a search visits, and in which order.

use super::probe::{Search, Seen};
use super::slab::Slab;
use crate::history::Way;
use crate::narrow::{ONE, TOI_BITS, V, add, length_at_most};
use core::ops::Range;

/// Up to this many cells each way are visited without further thought.
const FEW: i64 = 4;
/// Cells of a row that are visited at once.
const AT_ONCE: i64 = 4;
/// Up to so many cells of each row, a row is visited at once.
const STEEP: i64 = 16;

/// The entries near a way, if its cells are few.
pub(super) struct Near {
    rows: [Range<u32>; FEW as usize],
    /// How many of `rows` count.
    count: usize,
    /// Whether there is anybody at all.
    pub(super) is_empty: bool,
}

/// Who is near a way, before anything else is known of it: what is in memory far away is asked for first.
/// Nothing if the cells are many, or lie where the buckets begin again.
#[inline(always)]
pub(super) fn near(slab: &Slab, way: &Way) -> Option<Near> {
    let around = reach(slab, way);
    let cells = |axis: usize| {
        let (start, end) = (way.from[axis], way.from[axis] + way.way[axis]);
        ((start.min(end) - around) >> slab.cell_bits, (start.max(end) + around) >> slab.cell_bits)
    };
    let ((left, right), (first, last)) = (cells(0), cells(2));
    if right - left >= FEW || last - first >= FEW || slab.in_grid == 0 {
        return None;
    }
    let mut near = Near { rows: [0..0, 0..0, 0..0, 0..0], count: 0, is_empty: true };
    for row in first..=last {
        let range = slab.unbroken_cells(row as i32, left as i32, right as i32)?;
        near.is_empty &= range.is_empty();
        near.rows[near.count % FEW as usize] = range;
        near.count += 1;
    }
    Some(near)
}

impl Search<'_> {
    /// Visits everyone in the slab who can be met. `near` is the slab's answer for the way.
    #[inline(always)]
    pub(super) fn run<const MOVING: bool>(self, near: Option<Near>, seen: &mut Seen<'_>) {
        if let Some(near) = near {
            for range in near.rows.into_iter().take(near.count) {
                self.visit::<MOVING, false>(range, 0, seen);
            }
        } else if self.slab.in_grid > 0 {
            self.copied().run_long::<MOVING>(seen);
        }
        if self.slab.loose > 0 {
            self.copied().visit_apart::<MOVING, false>(self.slab.loose(), 0, seen);
        }
    }

    #[inline(always)]
    fn end(self) -> V {
        add(self.way.from, self.way.way)
    }

    #[inline(never)]
    fn row<const MOVING: bool>(&self, row: i64, left: i64, right: i64, flat_length: i64, seen: &mut Seen<'_>) {
        let (row, left, right) = (row as i32, left as i32, right as i32);
        if let Some(part) = self.slab.unbroken_cells(row, left, right) {
            self.visit::<MOVING, true>(part, flat_length, seen);
        } else {
            self.visit_broken::<MOVING>(row, left, right, flat_length, seen);
        }
    }

    /// What is rarely visited.
    #[cold]
    #[inline(never)]
    fn visit_apart<const MOVING: bool, const LONG: bool>(&self, range: Range<u32>, flat_length: i64, seen: &mut Seen<'_>) {
        self.visit::<MOVING, LONG>(range, flat_length, seen);
    }

    /// The part of the way on which anyone can be met, in 2^-30ths, rounded outwards. Only heights cut it, as the cells are
    /// cut to those of the crowd by less than a division.
    fn clip(self, around: i64) -> Option<(i64, i64)> {
        let (mut first, mut last) = (0, ONE);
        for axis in [1, 0, 2] {
            let (low, high) = (i64::from(self.slab.low[axis]) - around, i64::from(self.slab.high[axis]) + around);
            let (start, way) = (self.way.from[axis], self.way.way[axis]);
            let end = start + way;
            if start.max(end) < low || start.min(end) > high {
                return None;
            }
            if axis != 1 || start.min(end) >= low && start.max(end) <= high {
                continue;
            }
            // The way is not zero here. What is left of it is under 2^24.
            let (enters, leaves) = if way > 0 { (low - start, high - start) } else { (start - high, start - low) };
            let length = way.abs();
            if enters > 0 {
                first = (enters << TOI_BITS) / length;
            }
            if leaves < length {
                last = (leaves << TOI_BITS) / length + 1;
            }
        }
        Some((first, last))
    }

    /// Row by row, each at once.
    #[inline(always)]
    fn run_steep<const MOVING: bool>(&self, steep: &Steep, flat_length: i64, seen: &mut Seen<'_>) {
        let &Steep { slope, width, columns: (left, right), rows: (near, far), around, length_z } = steep;
        let (from, cell_bits) = (self.way.from, self.slab.cell_bits);
        let is_to_far = self.way.way[2] >= 0;
        let (first, step) = if is_to_far { (near, 1) } else { (far, -1) };
        let low = (first << cell_bits) - from[2];
        // In 2^-20ths, at the lower edge of the row. The slope is under 2^24, and a row under 2^25.5 units from the start.
        let mut x = (from[0] << 20) + low * slope;
        let next_x = slope << cell_bits;
        // The width is under 2^23, as is half of `STEEP` cells.
        let (before, after) = (next_x.min(0) - (width << 20), next_x.max(0) + (width << 20));
        let mut edge = if is_to_far { low } else { -low - (1 << cell_bits) };
        let mut row = first;
        let mut until = Until::new(around, 0, length_z, seen.n);
        for _ in near..=far {
            if edge > until.z {
                break;
            }
            let begin = left.max((x + before) >> (20 + cell_bits)) as i32;
            let end = right.min((x + after) >> (20 + cell_bits)) as i32;
            if begin <= end {
                if let Some(part) = self.slab.unbroken_cells(row as i32, begin, end) {
                    self.visit::<MOVING, true>(part, flat_length, seen);
                } else {
                    self.visit_broken::<MOVING>(row as i32, begin, end, flat_length, seen);
                }
                if seen.n != until.n {
                    until = Until::new(around, 0, length_z, seen.n);
                }
            }
            edge += 1 << cell_bits;
            x += step * next_x;
            row += step;
        }
    }

    #[cold]
    #[inline(never)]
    fn visit_broken<const MOVING: bool>(&self, row: i32, left: i32, right: i32, flat_length: i64, seen: &mut Seen<'_>) {
        for part in self.slab.broken_cells(row, left, right) {
            self.visit_apart::<MOVING, true>(part, flat_length, seen);
        }
    }

    #[inline(never)]
    fn run_long<const MOVING: bool>(&self, seen: &mut Seen<'_>) {
        let around = reach(self.slab, &self.way);
        let Some((first, last)) = self.clip(around) else { return };
        let cell_bits = self.slab.cell_bits;
        let (Way { from, way, .. }, whole) = (self.way, self.end());
        let at = |axis: usize, n: i64| from[axis] + ((way[axis] * n) >> TOI_BITS);
        let range = |axis: usize| {
            let start = if first == 0 { from[axis] } else { at(axis, first) };
            let end = if last == ONE { whole[axis] } else { at(axis, last) };
            let (low, high) = (start.min(end) - around - 1, start.max(end) + around + 1);
            (low.max(self.slab.low[axis].into()) >> cell_bits, high.min(self.slab.high[axis].into()) >> cell_bits)
        };
        let ((left, right), (near, far)) = (range(0), range(2));
        let flat_length = length_at_most(way[0], way[2]);
        let (length_x, length_z) = (way[0].abs(), way[2].abs());
        // Only ways that cross rows have a slope.
        let is_steep = length_z >= 1 << cell_bits;
        let slope = if is_steep { (way[0] << 20) / way[2] } else { 0 };
        // The half width of the way along x: a corner of the square that reaches `around` is as far. The slope is off by less
        // than 2^-20, on less than 2^25.5 units and on `around`, under 2^23.
        let width = if is_steep { around + ((around * slope.abs()) >> 20) + 128 } else { 0 };
        // If most of the cells would be seen, so can be everyone.
        let across = if is_steep { ((2 * width) >> cell_bits) + (slope.abs() >> 20) + 2 } else { i64::MAX };
        let columns = across.min(right - left + 1);
        if columns.saturating_mul(far - near + 1) > 2 * self.slab.in_grid as i64 + 16 {
            self.visit::<MOVING, true>(self.slab.grid(), flat_length, seen);
            return;
        }
        let (is_to_far, is_to_right) = (way[2] >= 0, way[0] >= 0);
        if across <= STEEP {
            let steep = Steep { slope, width, columns: (left, right), rows: (near, far), around, length_z };
            self.run_steep::<MOVING>(&steep, flat_length, seen);
            return;
        }
        let mut until = Until::new(around, length_x, length_z, seen.n);
        for step in 0..=far - near {
            let row = if is_to_far { near + step } else { far - step };
            let (low, high) = ((row << cell_bits) - from[2], ((row + 1) << cell_bits) - from[2]);
            if (if is_to_far { low } else { -high }) > until.z {
                break;
            }
            let (mut begin, mut end) = (left, right);
            if is_steep {
                let (one, other) = (from[0] + ((low * slope) >> 20), from[0] + ((high * slope) >> 20));
                begin = begin.max((one.min(other) - width) >> cell_bits);
                end = end.min((one.max(other) + width) >> cell_bits);
            }
            let mut count = end - begin + 1;
            while count > 0 {
                let now = AT_ONCE.min(count);
                let cell = if is_to_right { end - count + 1 } else { begin + count - now };
                let edge = if is_to_right { (cell << cell_bits) - from[0] } else { from[0] - ((cell + now) << cell_bits) };
                if edge > until.x {
                    break;
                }
                self.row::<MOVING>(row, cell, cell + now - 1, flat_length, seen);
                if seen.n != until.n {
                    until = Until::new(around, length_x, length_z, seen.n);
                }
                count -= now;
            }
        }
    }
}

/// A long way through rows of which it crosses few cells each.
struct Steep {
    /// Along x for one along z, in 2^-20ths.
    slope: i64,
    /// How far from the way it looks, along x.
    width: i64,
    columns: (i64, i64),
    rows: (i64, i64),
    around: i64,
    length_z: i64,
}

/// How far along both axes anyone can be who is met not after the first hit so far.
struct Until {
    n: i64,
    x: i64,
    z: i64,
}

impl Until {
    fn new(around: i64, length_x: i64, length_z: i64, n: i64) -> Self {
        // Under 2^24.2 * 2^30.
        let along = |length: i64| if n > ONE { i64::MAX } else { ((length * n) >> TOI_BITS) + 1 + around };
        Self { n, x: along(length_x), z: along(length_z) }
    }
}

/// Whoever is met has its centre at the earlier tick no further from the way, on any axis.
#[inline(always)]
fn reach(slab: &Slab, way: &Way) -> i64 {
    way.radius + i64::from(slab.extent) + 1
}
