//! What one would write first: each hitbox has a ring of frames of its own; a query looks for the two
//! frames around its time in each, interpolates them, rejects by the bounding sphere, and computes
//! the rest exactly enough, in f32.

use crate::scene::Crowd;
use snapback_rewind::{Point, ShapeKind, units};
use std::collections::VecDeque;

type V = [f32; 3];

#[derive(Clone, Copy)]
struct Frame {
    time_us: u64,
    centre: V,
    half_axis: V,
    radius: f32,
    bounding_radius: f32,
}

/// Of one hitbox, oldest first.
struct Ring {
    frames: VecDeque<Frame>,
}

#[derive(Default)]
pub struct Rings {
    rings: Vec<Ring>,
}

fn metres(point: Point) -> V {
    point.to_array().map(|units| units as f32 / units::UNITS_PER_METRE as f32)
}

fn dot(a: V, b: V) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn sub(a: V, b: V) -> V {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn lerp(a: V, b: V, s: f32) -> V {
    [0, 1, 2].map(|axis| a[axis] + (b[axis] - a[axis]) * s)
}

impl Rings {
    /// Keeps the crowd as it is now.
    pub fn record(&mut self, crowd: &Crowd, time_us: u64, max_frames: usize) {
        self.rings.resize_with(crowd.walkers.len(), || Ring { frames: VecDeque::with_capacity(max_frames) });
        for (ring, walker) in self.rings.iter_mut().zip(&crowd.walkers) {
            let shape = walker.sample.shape;
            let in_metres = |length: snapback_core::Fx| length.to_bits() as f32 / 6_553_600.0;
            let along = f32::from(shape.half_axis_units()) / units::UNITS_PER_METRE as f32;
            let [x, y, z, w] = walker.sample.rotation.to_bits().map(|bits| bits as f32 / (1u32 << 30) as f32);
            let up = [2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)];
            let half_axis = if shape.kind() == ShapeKind::Sphere { [0.0; 3] } else { up.map(|part| part * along) };
            if ring.frames.len() == max_frames {
                ring.frames.pop_front();
            }
            ring.frames.push_back(Frame {
                time_us,
                centre: metres(walker.sample.position),
                half_axis,
                radius: in_metres(shape.radius()),
                bounding_radius: in_metres(shape.broadphase_radius()),
            });
        }
    }

    /// The first hit of a ball on its way at a time: time of impact and who.
    pub fn cast(&self, from: Point, to: Point, radius: f32, time_us: u64) -> Option<(f32, usize)> {
        self.first(from, to, radius, time_us, time_us, |ring| ring.around(time_us))
    }

    /// The same, if someone saw that all rings have the same times: the frames are found in one.
    pub fn cast_found_once(&self, from: Point, to: Point, radius: f32, time_us: u64) -> Option<(f32, usize)> {
        let later = self.rings.first()?.frames.iter().position(|frame| frame.time_us > time_us)?;
        self.first(from, to, radius, time_us, time_us, |ring| Some((&ring.frames[later - 1], &ring.frames[later])))
    }

    /// While targets move; both times between the same two ticks.
    pub fn sweep(&self, from: Point, to: Point, radius: f32, from_us: u64, to_us: u64) -> Option<(f32, usize)> {
        self.first(from, to, radius, from_us, to_us, |ring| ring.around(from_us))
    }

    #[inline(always)]
    fn first<'a>(
        &'a self,
        from: Point,
        to: Point,
        radius: f32,
        from_us: u64,
        to_us: u64,
        around: impl Fn(&'a Ring) -> Option<(&'a Frame, &'a Frame)>,
    ) -> Option<(f32, usize)> {
        let (from, to) = (metres(from), metres(to));
        let way = sub(to, from);
        let mut first: Option<(f32, usize)> = None;
        for (number, ring) in self.rings.iter().enumerate() {
            let Some((a, b)) = around(ring) else { continue };
            let whole_us = (b.time_us - a.time_us) as f32;
            let share = |time_us: u64| (time_us - a.time_us) as f32 / whole_us;
            let (s0, s1) = (share(from_us), share(to_us));
            let centre = lerp(a.centre, b.centre, s0);
            let m = sub(from, centre);
            let d = sub(way, sub(lerp(a.centre, b.centre, s1), centre));
            let bounds = a.bounding_radius.max(b.bounding_radius) + radius;
            if ball(m, d, bounds).is_none() {
                continue;
            }
            let middle = (s0 + s1) / 2.0;
            let axis = lerp(a.half_axis, b.half_axis, middle);
            let reach = a.radius + (b.radius - a.radius) * middle + radius;
            let hit = if dot(axis, axis) == 0.0 { ball(m, d, reach) } else { capsule(m, d, axis, reach) };
            if let Some(at) = hit.filter(|&at| first.is_none_or(|(first, _)| at < first)) {
                first = Some((at, number));
            }
        }
        first
    }
}

impl Ring {
    /// The frames around a time: they are few, and the newest are asked for most.
    fn around(&self, time_us: u64) -> Option<(&Frame, &Frame)> {
        let mut later = self.frames.back()?;
        for frame in self.frames.iter().rev().skip(1) {
            if frame.time_us <= time_us {
                return Some((frame, later));
            }
            later = frame;
        }
        None
    }
}

fn ball(m: V, d: V, r: f32) -> Option<f32> {
    let c = dot(m, m) - r * r;
    if c <= 0.0 {
        return Some(0.0);
    }
    let (a, b) = (dot(d, d), dot(m, d));
    let disc = b * b - a * c;
    if b >= 0.0 || disc < 0.0 {
        return None;
    }
    let at = (-b - disc.sqrt()) / a;
    (at <= 1.0).then_some(at)
}

/// The axis goes from `-e` to `e`.
fn capsule(m: V, d: V, e: V, r: f32) -> Option<f32> {
    let (ee, em, ed) = (dot(e, e), dot(e, m), dot(e, d));
    let a = ee * dot(d, d) - ed * ed;
    let b = ee * dot(m, d) - em * ed;
    let c = ee * (dot(m, m) - r * r) - em * em;
    let end = |sign: f32| ball([0, 1, 2].map(|axis| m[axis] - sign * e[axis]), d, r);
    if c <= 0.0 {
        return if em.abs() <= ee { Some(0.0) } else { end(em.signum()) };
    }
    let disc = b * b - a * c;
    if b >= 0.0 || disc < 0.0 {
        return None;
    }
    let at = (-b - disc.sqrt()) / a;
    let along = em + ed * at;
    if along.abs() > ee { end(along.signum()) } else { (at <= 1.0).then_some(at) }
}
