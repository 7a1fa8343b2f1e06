//! The present world: when a ball touches something that stands still, and the normal there.

use super::impact::{self, ONE};
use super::units::Units;
use crate::scene::{Solid, Wall};
use snapback_core::{Fx, Vec3};

/// The first touch of a ball on its way, in 2^30ths of it, and the normal there.
#[must_use]
pub fn touch(wall: &Wall, from: Units, to: Units, radius: i64) -> Option<(u32, Vec3)> {
    let place = wall.place.map(i64::from);
    let from: Units = std::array::from_fn(|axis| from[axis] - place[axis]);
    let by: Units = std::array::from_fn(|axis| to[axis] - place[axis] - from[axis]);
    let (half, own) = match wall.solid {
        // What has no thickness is two units thick.
        Solid::Box(half) => (half.map(|it| i64::from(it.max(1))), 0),
        Solid::Ball(radius) => ([0; 3], i64::from(radius)),
        Solid::Capsule(radius, half_height) => ([0, i64::from((half_height - radius).max(0)), 0], i64::from(radius)),
        Solid::HalfSpace(normal) => {
            let normal = normal.normalise().expect("a slope has a normal");
            let bits = [normal.x, normal.y, normal.z].map(Fx::to_bits);
            return Some((impact::with_half_space(from, by, bits, 0, radius)?, normal));
        }
    };
    let n = impact::with_box(from, by, half.map(|it| -it), half, own + radius)?;
    Some((n, normal(from, by, half, n)))
}

/// Away from the nearest point of a box, or by the shortest way out of it. Of two ways that are as
/// short, y goes before x and x before z.
fn normal(from: Units, by: Units, half: Units, n: u32) -> Vec3 {
    // Times 2^30, exactly.
    let one = i128::from(ONE);
    let point: [i128; 3] = std::array::from_fn(|axis| i128::from(from[axis]) * one + i128::from(by[axis]) * i128::from(n));
    let half = half.map(|it| i128::from(it) * one);
    let out: [i128; 3] = std::array::from_fn(|axis| point[axis] - point[axis].clamp(-half[axis], half[axis]));
    if out != [0; 3] {
        // Only the direction counts, so that these may be bits of anything.
        let [x, y, z] = out.map(|it| Fx::from_bits(i64::try_from(it).expect("near by")));
        return Vec3::new(x, y, z).normalise().expect("it is not zero");
    }
    let depth = |axis: usize| half[axis] - point[axis].abs();
    let mut axis = 1;
    for other in [0, 2] {
        if depth(other) < depth(axis) {
            axis = other;
        }
    }
    let side = Fx::from_int(if point[axis] < 0 { -1 } else { 1 });
    let part = |of: usize| if of == axis { side } else { Fx::ZERO };
    Vec3::new(part(0), part(1), part(2))
}
