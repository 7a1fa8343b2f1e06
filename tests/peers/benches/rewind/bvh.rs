//! The same history by parry3d: for each pair of ticks a BVH over the boxes that hitboxes sweep, and the frames of
//! all ticks, in f32.
//!
//! A ball of any radius is cast as parry casts shapes at composite ones: `Bvh::find_best`, where a node costs when the
//! ray meets its box, made greater by the radius. The box test here is leaner than theirs, as it computes the
//! inverse of the direction once, and at the leaves is their ray against a ball or a capsule of both radii, which is much
//! faster than their general shape cast. Trees are built by both of parry's strategies, and the faster one counts in each
//! row.
//!
//! `cast_one_radius` is faster still and answers less: `Bvh::cast_ray`, which has a path of its own for SIMD, over trees whose
//! boxes were made greater by the one radius that can be asked for then. Its times are printed for comparison.

use crate::scene::{Crowd, START_US, TICK_US};
use parry3d::bounding_volume::Aabb;
use parry3d::math::Vector;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use parry3d::query::{Ray, RayCast};
use parry3d::shape::{Ball, Capsule};
use snapback_rewind::{Point, ShapeKind, units};

#[derive(Clone, Copy)]
pub struct Frame {
    centre: Vector,
    half_axis: Vector,
    radius: f32,
}

/// A tick: where everyone is.
pub type Frames = Vec<Frame>;

pub struct BvhHistory {
    frames: Vec<Frames>,
    /// Of ticks k and k + 1.
    trees: Vec<Bvh>,
    radius: f32,
}

pub fn metres(point: Point) -> Vector {
    let [x, y, z] = point.to_array().map(|units| units as f32 / units::UNITS_PER_METRE as f32);
    Vector::new(x, y, z)
}

pub fn frames(crowd: &Crowd) -> Frames {
    let frame = |sample: &snapback_rewind::HitboxSample| {
        let along = f32::from(sample.shape.half_axis_units()) / units::UNITS_PER_METRE as f32;
        let [x, y, z, w] = sample.rotation.to_bits().map(|bits| bits as f32 / (1u32 << 30) as f32);
        let up = Vector::new(2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x));
        let half_axis = if sample.shape.kind() == ShapeKind::Sphere { Vector::ZERO } else { up * along };
        Frame { centre: metres(sample.position), half_axis, radius: sample.shape.radius().to_bits() as f32 / 6_553_600.0 }
    };
    crowd.walkers.iter().map(|walker| frame(&walker.sample)).collect()
}

/// The boxes that hitboxes sweep between two ticks, greater by the radius of queries.
pub fn boxes(from: &Frames, to: &Frames, radius: f32, out: &mut Vec<Aabb>) {
    out.clear();
    out.extend(from.iter().zip(to).map(|(a, b)| {
        let around = |frame: &Frame| frame.half_axis.abs() + Vector::splat(frame.radius + radius);
        let (first, last) = (around(a), around(b));
        Aabb::new((a.centre - first).min(b.centre - last), (a.centre + first).max(b.centre + last))
    }));
}

/// The boxes of a tick and the tree over them.
pub fn build(from: &Frames, to: &Frames, radius: f32, strategy: BvhBuildStrategy, scratch: &mut Vec<Aabb>) -> Bvh {
    boxes(from, to, radius, scratch);
    Bvh::from_leaves(strategy, scratch)
}

/// The tree over these boxes, in one that is there already.
pub fn rebuild(tree: &mut Bvh, workspace: &mut BvhWorkspace, boxes: &[Aabb]) {
    for (leaf, aabb) in boxes.iter().enumerate() {
        tree.insert_or_update_partially(*aabb, leaf as u32, 0.0);
    }
    tree.rebuild(workspace, BvhBuildStrategy::Binned);
}

impl BvhHistory {
    pub fn new(frames: Vec<Frames>, radius: f32, strategy: BvhBuildStrategy) -> Self {
        let mut scratch = Vec::new();
        let trees = frames.windows(2).map(|pair| build(&pair[0], &pair[1], radius, strategy, &mut scratch)).collect();
        Self { frames, trees, radius }
    }

    /// A time: ticks since the start, and the share of the next one.
    pub fn time(time_us: u64) -> (usize, f32) {
        let passed_us = time_us - START_US;
        ((passed_us / TICK_US) as usize, (passed_us % TICK_US) as f32 / TICK_US as f32)
    }

    /// The first that a ball meets on its way at a time: who, and time of impact.
    pub fn cast(&self, from: Point, to: Point, radius: f32, (tick, s): (usize, f32)) -> Option<(u32, f32)> {
        let from = metres(from);
        let ray = Ray::new(from, metres(to) - from);
        let inverse = Vector::ONE / ray.dir;
        let around = Vector::splat(radius);
        self.trees[tick].find_best(
            1.0,
            |node, _| {
                let (one, other) = ((node.mins() - around - from) * inverse, (node.maxs() + around - from) * inverse);
                let (enters, leaves) = (one.min(other).max_element(), one.max(other).min_element());
                if leaves >= enters && leaves >= 0.0 { enters } else { f32::MAX }
            },
            |leaf, best| self.hit(&ray, leaf as usize, tick, s, radius, best),
        )
    }

    /// The same for the radius that the boxes were made for.
    pub fn cast_one_radius(&self, from: Point, to: Point, (tick, s): (usize, f32)) -> Option<(u32, f32)> {
        let from = metres(from);
        let ray = Ray::new(from, metres(to) - from);
        self.trees[tick].cast_ray(&ray, 1.0, |leaf, best| self.hit(&ray, leaf as usize, tick, s, self.radius, best))
    }

    #[inline(always)]
    fn hit(&self, ray: &Ray, leaf: usize, tick: usize, s: f32, radius: f32, best: f32) -> Option<f32> {
        let (a, b) = (&self.frames[tick][leaf], &self.frames[tick + 1][leaf]);
        let radius = a.radius + (b.radius - a.radius) * s + radius;
        let ray = Ray::new(ray.origin - a.centre.lerp(b.centre, s), ray.dir);
        let axis = a.half_axis.lerp(b.half_axis, s);
        if axis == Vector::ZERO {
            Ball::new(radius).cast_local_ray(&ray, best, true)
        } else {
            Capsule::new(-axis, axis, radius).cast_local_ray(&ray, best, true)
        }
    }
}
