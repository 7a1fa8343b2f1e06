//! The contract of the mathematics: the same bits on every machine, in every profile, in every
//! later version. Each function runs over a dense sweep, over extremes and over bits that no caller
//! should have (where it must not panic, either), and the crc32 of its results is stored here.
//!
//! A changed number means that old replays no longer play: a new `SimulationId::version`.

use bytemuck::Zeroable;
use snapback_core::{Angle, Fx, Quat, Rng, Vec2, Vec3};

const COUNT: u32 = 50_000;

#[derive(Default)]
struct Crc(crc32fast::Hasher);

impl Crc {
    fn fx(&mut self, values: &[Fx]) {
        values.iter().for_each(|it| self.0.update(&it.to_bits().to_le_bytes()));
    }

    fn angle(&mut self, angle: Angle) {
        self.0.update(&angle.to_bits().to_le_bytes());
    }

    fn vec2(&mut self, v: Vec2) {
        self.fx(&[v.x, v.y]);
    }

    fn vec3(&mut self, v: Vec3) {
        self.fx(&[v.x, v.y, v.z]);
    }

    fn quat(&mut self, q: Quat) {
        q.to_bits().iter().for_each(|it| self.0.update(&it.to_le_bytes()));
    }
}

struct Source(Rng);

impl Source {
    fn bits(&mut self) -> u64 {
        u64::from(self.0.next_u32()) << 32 | u64::from(self.0.next_u32())
    }

    /// Every order of magnitude, and one in eight at an extreme.
    fn fx(&mut self) -> Fx {
        const EXTREMES: [i64; 8] = [0, 1, -1, 65_536, i64::MAX, i64::MIN, i64::MIN + 1, 1 << 47];
        let choice = self.0.next_u32();
        let shift = choice >> 3 & 63;
        Fx::from_bits(if choice.is_multiple_of(8) { EXTREMES[(choice >> 9 & 7) as usize] } else { self.bits() as i64 >> shift })
    }

    fn angle(&mut self) -> Angle {
        let bits = self.0.next_u32();
        Angle::from_bits(if bits & 15 == 0 { bits & 0xE000_0000 } else { bits })
    }

    fn vec2(&mut self) -> Vec2 {
        Vec2::new(self.fx(), self.fx())
    }

    fn vec3(&mut self) -> Vec3 {
        Vec3::new(self.fx(), self.fx(), self.fx())
    }

    /// Mostly a rotation; one in eight is any bits, zero or four times the least.
    fn quat(&mut self) -> Quat {
        let lanes = [(); 4].map(|()| self.0.next_u32() as i32);
        match self.0.next_u32() & 31 {
            0 => Quat::zeroed(),
            1 => Quat::from_bits([i32::MIN; 4]),
            2 | 3 => Quat::from_bits(lanes),
            _ => Quat::from_bits(lanes).normalise(),
        }
    }
}

fn same(what: &str, stored: u32, mut each: impl FnMut(&mut Crc, &mut Source, u32)) {
    let (mut crc, mut source) = (Crc::default(), Source(Rng::new(20, 26)));
    for index in 0..COUNT {
        each(&mut crc, &mut source, index);
    }
    let found = crc.0.finalize();
    assert_eq!(found, stored, "{what}: {found:#010x} is not the stored {stored:#010x}");
}

#[test]
fn angles_have_the_stored_bits() {
    let sweep = |index: u32| Angle::from_bits(index.wrapping_mul(u32::MAX / COUNT));
    same("sin", 0x4a8b_a565, |crc, _, index| crc.fx(&[sweep(index).sin()]));
    same("cos", 0xbcde_8f9d, |crc, _, index| crc.fx(&[sweep(index).cos()]));
    same("atan2", 0xcf32_36ec, |crc, source, _| crc.angle(Angle::atan2(source.fx(), source.fx())));
    same("angle lerp", 0x80a4_a824, |crc, source, _| crc.angle(source.angle().lerp(source.angle(), source.fx())));
    same("from_turns", 0x6da3_23b7, |crc, source, _| crc.angle(Angle::from_turns(source.bits() as i32, source.bits() as i32)));
    same("mirrored angle", 0xc02d_2016, |crc, source, _| crc.angle(source.vec2().angle().mirrored_x()));
}

#[test]
fn scalars_and_vectors_have_the_stored_bits() {
    same("sqrt", 0x81c6_cc38, |crc, source, _| crc.fx(&[source.fx().sqrt()]));
    same("lerp", 0x9716_a648, |crc, source, _| crc.fx(&[source.fx().lerp(source.fx(), source.fx())]));
    same("sums of products, 2D", 0xe244_3a3d, |crc, source, _| {
        let (a, b) = (source.vec2(), source.vec2());
        crc.fx(&[a.dot(b), a.cross(b), a.length(), a.length_squared(), a.distance(b), a.distance_squared(b)]);
    });
    same("sums of products, 3D", 0xcf6d_3e6a, |crc, source, _| {
        let (a, b) = (source.vec3(), source.vec3());
        crc.fx(&[a.dot(b), a.length(), a.length_squared(), a.distance(b), a.distance_squared(b)]);
        crc.vec3(a.cross(b));
    });
    same("normalise, 2D", 0x8a45_ab44, |crc, source, _| crc.vec2(source.vec2().normalise().unwrap_or_default()));
    same("normalise, 3D", 0x919a_c4d8, |crc, source, _| crc.vec3(source.vec3().normalise().unwrap_or_default()));
    same("clamp_length, 2D", 0xe633_999d, |crc, source, _| crc.vec2(source.vec2().clamp_length(source.fx())));
    same("clamp_length, 3D", 0x7be2_84cb, |crc, source, _| crc.vec3(source.vec3().clamp_length(source.fx())));
    same("lerp, 2D", 0x969e_0a5c, |crc, source, _| crc.vec2(source.vec2().lerp(source.vec2(), source.fx())));
    same("lerp, 3D", 0x5dc1_79c4, |crc, source, _| crc.vec3(source.vec3().lerp(source.vec3(), source.fx())));
    same("rotate, 2D", 0xa901_fd0a, |crc, source, _| crc.vec2(source.vec2().rotate(source.angle())));
    same("lanes, 2D", 0x6072_2ab4, |crc, source, _| {
        let (a, b, factor) = (source.vec2(), source.vec2(), source.fx());
        for it in [a + b, a - b, -a, a * factor, a.perp(), a.mirrored_x(), a.min(b), a.max(b), a.abs()] {
            crc.vec2(it);
        }
    });
    same("lanes, 3D", 0xf88b_4d86, |crc, source, _| {
        let (a, b, factor) = (source.vec3(), source.vec3(), source.fx());
        for it in [a + b, a - b, -a, a * factor, a.mirrored_x(), a.min(b), a.max(b), a.abs()] {
            crc.vec3(it);
        }
    });
}

#[test]
fn rotations_have_the_stored_bits() {
    same("from_axis_angle", 0xe8e0_c605, |crc, source, _| crc.quat(Quat::from_axis_angle(source.vec3(), source.angle())));
    same("product", 0x32d2_aaa7, |crc, source, _| crc.quat(source.quat() * source.quat()));
    same("normalise", 0x7e93_7a65, |crc, source, _| crc.quat(source.quat().normalise()));
    same("dot", 0xa6c1_469f, |crc, source, _| crc.fx(&[source.quat().dot(source.quat())]));
    same("rotate, 3D", 0x17b4_f77d, |crc, source, _| crc.vec3(source.quat().rotate(source.vec3())));
    same("nlerp", 0x301e_4460, |crc, source, _| crc.quat(source.quat().nlerp(source.quat(), Fx::from_bits(source.bits() as i64 & 0xFFFF))));
    same("slerp", 0x1bd8_7302, |crc, source, _| crc.quat(source.quat().slerp(source.quat(), Fx::from_bits(source.bits() as i64 & 0xFFFF))));
    same("slerp of short arcs", 0x6f04_3e39, |crc, source, _| {
        // Near each other, where the arc is a line.
        let from = source.quat();
        let step = Quat::from_axis_angle(source.vec3(), Angle::from_bits(source.0.next_u32() >> 8));
        crc.quat(from.slerp(step * from, source.fx()));
    });
    same("signs", 0x98df_9e05, |crc, source, _| {
        let q = source.quat();
        for it in [q.conjugate(), q.mirrored_x(), -q] {
            crc.quat(it);
        }
    });
}
