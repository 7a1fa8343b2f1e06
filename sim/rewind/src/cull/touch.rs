//! A moving box or ball against a box that stands, exactly and without a division.
//!
//! Bits: a coordinate has 31 and a sign, so a box is up to 2^32 wide; a sweep is at most 2^28 long along
//! an axis, a volume reaches at most 2^27.

use super::Aabb;
use crate::Point;

/// Whether a box that reaches `half_extents` from its centre touches `target` on its way from `start` to `end`.
///
/// Two convex bodies are apart if and only if an axis separates them; for a segment and a box these are
/// the three axes and their cross products with the segment. The moving box is taken off the segment
/// and given to `target`. All lengths are doubled, so that centres are whole.
pub(super) fn box_on_segment(start: Point, end: Point, half_extents: [u32; 3], target: Aabb) -> bool {
    let (start, end) = (start.to_array().map(i64::from), end.to_array().map(i64::from));
    let (min, max) = (target.min().to_array().map(i64::from), target.max().to_array().map(i64::from));
    let middle: [i64; 3] = core::array::from_fn(|axis| start[axis] + end[axis] - min[axis] - max[axis]);
    let way: [i64; 3] = core::array::from_fn(|axis| end[axis] - start[axis]);
    let length = way.map(i64::abs);
    let reach: [i64; 3] = core::array::from_fn(|axis| max[axis] - min[axis] + 2 * i64::from(half_extents[axis]));
    if (0..3).any(|axis| middle[axis].abs() > reach[axis] + length[axis]) {
        return false;
    }
    // What is left of `middle` has at most 33 bits: products have 61, their sums 62.
    [(0, 1), (1, 2), (2, 0)].iter().all(|(a, b)| {
        let (a, b) = (*a, *b);
        (middle[a] * way[b] - middle[b] * way[a]).abs() <= reach[a] * length[b] + reach[b] * length[a]
    })
}

/// Whether a ball of `radius` touches `target` on its way from `start` to `end`.
///
/// What its centre must meet is the box with round edges: the box grown along one axis (three of
/// these), a cylinder around each edge and a ball around each corner. A square has up to 66 bits, a square
/// of the sweep 58, their product of sums 126.
pub(super) fn ball_on_segment(start: Point, end: Point, radius: u32, target: Aabb) -> bool {
    if !box_on_segment(start, end, [radius; 3], target) {
        return false;
    }
    if [[radius, 0, 0], [0, radius, 0], [0, 0, radius]].iter().any(|grown| box_on_segment(start, end, *grown, target)) {
        return true;
    }
    let (start, end) = (start.to_array().map(i128::from), end.to_array().map(i128::from));
    let ends = [target.min().to_array().map(i128::from), target.max().to_array().map(i128::from)];
    let radius_squared = i128::from(radius) * i128::from(radius);
    corners(ends).any(|corner| corner_in_reach(start, end, corner, radius_squared))
        || corners(ends).any(|corner| (0..3).any(|axis| edge_in_reach(start, end, corner, axis, ends, radius_squared)))
}

fn corners(ends: [[i128; 3]; 2]) -> impl Iterator<Item = [i128; 3]> {
    (0..8).map(move |corner| core::array::from_fn(|axis| ends[corner >> axis & 1][axis]))
}

/// Whether the segment comes within the radius of `corner`.
fn corner_in_reach(start: [i128; 3], end: [i128; 3], corner: [i128; 3], radius_squared: i128) -> bool {
    let to: [i128; 3] = core::array::from_fn(|axis| corner[axis] - start[axis]);
    let way: [i128; 3] = core::array::from_fn(|axis| end[axis] - start[axis]);
    let (along, length_squared) = (dot(to, way), dot(way, way));
    if along <= 0 {
        return dot(to, to) <= radius_squared;
    }
    if along >= length_squared {
        let to: [i128; 3] = core::array::from_fn(|axis| corner[axis] - end[axis]);
        return dot(to, to) <= radius_squared;
    }
    dot(to, to) * length_squared - along * along <= radius_squared * length_squared
}

/// Whether the segment comes within the radius of the edge along `axis` through `corner`, where it is
/// nearest to the line of that edge. Where it is nearer elsewhere, it is nearest to a corner, or its
/// ends are, which are in one of the grown boxes or nearest to an end of the edge.
fn edge_in_reach(start: [i128; 3], end: [i128; 3], corner: [i128; 3], axis: usize, ends: [[i128; 3]; 2], radius_squared: i128) -> bool {
    let (b, c) = ((axis + 1) % 3, (axis + 2) % 3);
    // Each edge has two corners: the lower one speaks for it.
    if corner[axis] != ends[0][axis] {
        return false;
    }
    let (to_b, to_c) = (corner[b] - start[b], corner[c] - start[c]);
    let (way_b, way_c) = (end[b] - start[b], end[c] - start[c]);
    let length_squared = way_b * way_b + way_c * way_c;
    if length_squared == 0 {
        // Along the edge, always as far from it.
        let (low, high) = (start[axis].min(end[axis]), start[axis].max(end[axis]));
        return low <= ends[1][axis] && high >= ends[0][axis] && to_b * to_b + to_c * to_c <= radius_squared;
    }
    let along = (to_b * way_b + to_c * way_c).clamp(0, length_squared);
    let height = start[axis] * length_squared + (end[axis] - start[axis]) * along;
    if height < ends[0][axis] * length_squared || height > ends[1][axis] * length_squared {
        return false;
    }
    if along == 0 || along == length_squared {
        let near = if along == 0 { start } else { end };
        let (to_b, to_c) = (corner[b] - near[b], corner[c] - near[c]);
        return to_b * to_b + to_c * to_c <= radius_squared;
    }
    let across = to_b * way_c - to_c * way_b;
    across * across <= radius_squared * length_squared
}

fn dot(a: [i128; 3], b: [i128; 3]) -> i128 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
