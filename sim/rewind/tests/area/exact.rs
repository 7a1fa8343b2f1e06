//! Random blasts against a reference that computes another way: cross products for the middle of a
//! capsule, whole numbers only.

use super::*;
use snapback_core::{Angle, Rng};

fn random_point(rng: &mut Rng, width: u32) -> Point {
    Point::from_array([(); 3].map(|()| rng.below(2 * width + 1) as i32 - width as i32))
}

/// Whether a point is within `reach` of the segment from `-e` to `e` about `c`.
fn is_within(point: Point, centre: Point, e: [i32; 3], reach: i128) -> bool {
    let m: Vec<i128> = (0..3).map(|at| i128::from(point.to_array()[at]) - i128::from(centre.to_array()[at])).collect();
    let e = e.map(i128::from);
    let square = |v: [i128; 3]| v.iter().map(|part| part * part).sum::<i128>();
    let ends = [1, -1].map(|sign| square([0, 1, 2].map(|at| m[at] - sign * e[at])));
    if ends.iter().any(|&end| end <= reach * reach) {
        return true;
    }
    let along: i128 = (0..3).map(|at| m[at] * e[at]).sum();
    let cross = [m[1] * e[2] - m[2] * e[1], m[2] * e[0] - m[0] * e[2], m[0] * e[1] - m[1] * e[0]];
    along.abs() < square(e) && square(cross) <= reach * reach * square(e)
}

#[test]
fn who_is_inside_is_exact() {
    let only = std::env::var("SNAPBACK_SEED").ok().map(|seed| seed.parse().unwrap());
    let (mut inside, mut outside) = (0, 0);
    for seed in only.map_or(0..400, |seed: u64| seed..seed + 1) {
        let replay = format!("replay with SNAPBACK_SEED={seed} cargo test -p snapback-rewind --test area exact");
        let mut rng = Rng::new(seed, 9);
        let width = [40_000, 1_000_000][rng.below(2) as usize];
        let samples: Vec<HitboxSample> = (0..30)
            .map(|_| {
                let axis = random_point(&mut rng, 1_000).to_vec3();
                HitboxSample {
                    rotation: Quat::from_axis_angle(axis, Angle::from_degrees(rng.below(360) as i32)),
                    ..if rng.chance(300_000) { ball(random_point(&mut rng, width), 40) } else { body(random_point(&mut rng, width)) }
                }
            })
            .collect();
        let movers: Vec<Mover> = samples.iter().enumerate().map(|(at, sample)| stands(ActorId(100 + at as u64), *sample)).collect();
        let (history, ids) = history(&movers);
        for _ in 0..10 {
            let centre = random_point(&mut rng, width);
            // Half of the radii end exactly at, or a unit before, somebody's end of the axis.
            let radius_units = (width as i32 / 4 + rng.below(width) as i32).min(1 << 21);
            let blast = AreaBlast { centre, ..blast() };
            let weapon = AreaWeapon { radius_units, sight: SightRule::Through, ..weapon(AreaTime::Historical) };
            let hits = resolve(&weapon, &blast, &history, &OPEN).unwrap();
            for (id, actor) in ids.iter().zip(100..) {
                let frame = history.frame_at(*id, SEEN_US, &mut RewindCounters::default()).unwrap();
                let radius = i128::from(frame.radius.to_bits() / 400);
                let expected = is_within(centre, frame.centre, frame.half_axis, i128::from(radius_units) + radius);
                let hit = hits.iter().find(|hit| hit.frame.actor == ActorId(actor));
                assert_eq!(hit.is_some(), expected, "{replay}");
                *if expected { &mut inside } else { &mut outside } += 1;
                let Some(hit) = hit else { continue };
                // The distance is the greatest 256th at which the surface is not yet within reach.
                let distance = i128::from(hit.distance_256ths);
                let scale = |point: Point| Point::from_array(point.to_array().map(|part| part.wrapping_mul(256)));
                if width == 40_000 {
                    let e = frame.half_axis.map(|part| part * 256);
                    let at = |distance: i128| is_within(scale(centre), scale(frame.centre), e, distance + radius * 256);
                    assert!(at(distance + 1), "{replay}");
                    assert!(distance == 0 || !at(distance - 1), "{replay}");
                    // And the nearest point is as far away, to a few units.
                    let apart: i128 =
                        centre.to_array().iter().zip(hit.nearest.to_array()).map(|(&a, b)| (i128::from(a) - i128::from(b)).pow(2)).sum();
                    assert!((apart.isqrt() - distance / 256).abs() <= 4, "{replay}");
                }
            }
        }
    }
    assert!(only.is_some() || (inside > 10_000 && outside > 10_000), "{inside} {outside}");
}
