//! The contract: what is computed from mirrored arguments is the mirror image of what is computed
//! from the arguments, to the last bit. `Fx::MIN` has no mirror image and is left out.

use super::*;

#[test]
fn the_plane_mirrors() {
    let mut samples = Samples::new();
    for _ in 0..cases(200_000) {
        let (a, b) = (samples.vec2(63), samples.vec2(63));
        let (angle, t, factor) = (samples.angle(), samples.fraction(), samples.fx(40));
        let (ma, mb) = (a.mirrored_x(), b.mirrored_x());
        assert_eq!(ma.mirrored_x(), a);
        assert_eq!(ma.dot(mb), a.dot(b));
        assert_eq!(ma.length(), a.length());
        assert_eq!(ma.length_squared(), a.length_squared());
        assert_eq!(ma.distance(mb), a.distance(b));
        assert_eq!(ma.normalise(), a.normalise().map(Vec2::mirrored_x));
        assert_eq!(ma.lerp(mb, t), a.lerp(b, t).mirrored_x());
        assert_eq!(ma.clamp_length(factor), a.clamp_length(factor).mirrored_x());
        assert_eq!(Vec2::from_angle(angle.mirrored_x()), Vec2::from_angle(angle).mirrored_x());
        if a != Vec2::ZERO {
            assert_eq!(ma.angle(), a.angle().mirrored_x());
        }
        if is_inside(&[a.cross(b)]) {
            assert_eq!(ma.cross(mb), -a.cross(b));
        }
        if is_inside(&[(a + b).x]) {
            assert_eq!(ma + mb, (a + b).mirrored_x());
        }
        if is_inside(&[(a * factor).x]) {
            assert_eq!(ma * factor, (a * factor).mirrored_x());
        }
        let turned = a.rotate(angle);
        if is_inside(&[turned.x, turned.y]) {
            assert_eq!(ma.rotate(-angle), turned.mirrored_x());
            assert_eq!((-a).rotate(angle), -turned);
        }
    }
}

#[test]
fn space_mirrors() {
    let mut samples = Samples::new();
    for _ in 0..cases(100_000) {
        let (a, b) = (samples.vec3(63), samples.vec3(63));
        let (t, factor) = (samples.fraction(), samples.fx(40));
        let (ma, mb) = (a.mirrored_x(), b.mirrored_x());
        assert_eq!(ma.dot(mb), a.dot(b));
        assert_eq!(ma.length(), a.length());
        assert_eq!(ma.length_squared(), a.length_squared());
        assert_eq!(ma.distance(mb), a.distance(b));
        assert_eq!(ma.distance_squared(mb), a.distance_squared(b));
        assert_eq!(ma.normalise(), a.normalise().map(Vec3::mirrored_x));
        assert_eq!(ma.lerp(mb, t), a.lerp(b, t).mirrored_x());
        assert_eq!(ma.clamp_length(factor), a.clamp_length(factor).mirrored_x());
        let cross = a.cross(b);
        if is_inside(&[cross.x, cross.y, cross.z]) {
            // A cross product turns round in a mirror.
            assert_eq!(ma.cross(mb), -cross.mirrored_x());
        }
    }
}

#[test]
fn rotations_mirror() {
    let mut samples = Samples::new();
    for _ in 0..cases(100_000) {
        let (p, q) = (samples.quat(), samples.quat());
        let (v, angle, t) = (samples.vec3(63), samples.angle(), samples.fraction());
        let (mp, mq) = (p.mirrored_x(), q.mirrored_x());
        assert_eq!(mp * mq, (p * q).mirrored_x());
        assert_eq!(mp.dot(mq), p.dot(q));
        assert_eq!(mp.normalise(), p.normalise().mirrored_x());
        assert_eq!(mp.nlerp(mq, t), p.nlerp(q, t).mirrored_x());
        assert_eq!(mp.slerp(mq, t), p.slerp(q, t).mirrored_x());
        let turned = p.rotate(v);
        if is_inside(&[turned.x, turned.y, turned.z]) {
            assert_eq!(mp.rotate(v.mirrored_x()), turned.mirrored_x());
            assert_eq!((-p).rotate(v), turned);
        }
        if angle != Angle::HALF {
            assert_eq!(Quat::from_axis_angle(v.mirrored_x(), -angle), Quat::from_axis_angle(v, angle).mirrored_x());
        }
        assert_eq!(Quat::from_axis_angle(-v.mirrored_x(), angle), Quat::from_axis_angle(v, angle).mirrored_x());
    }
}

/// Whether none is saturated: the lower end has no mirror image.
fn is_inside(lanes: &[Fx]) -> bool {
    lanes.iter().all(|it| *it != Fx::MIN && *it != Fx::MAX)
}
