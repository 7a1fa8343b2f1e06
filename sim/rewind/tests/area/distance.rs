//! Edges of the radius and of the falloff, to the unit.

use super::*;
use snapback_rewind::area::Falloff;

/// What is left of the damage at a distance from the surface of a ball, in units.
fn left(weapon: &AreaWeapon, distance_units: i32) -> Option<(u32, Falloff)> {
    let shape = ball(Point::ORIGIN, 50);
    let radius_units = snapback_rewind::units::units(Fx::from_int(50)).unwrap();
    let at = Point { x: 0, y: -distance_units - radius_units, z: 0 };
    let (history, _) = history(&[stands(TARGET, HitboxSample { position: at, ..shape })]);
    let hits = resolve(weapon, &blast(), &history, &OPEN).unwrap();
    hits.first().map(|hit| (hit.distance_256ths, hit.falloff))
}

#[test]
fn the_falloff_is_an_exact_ratio_from_the_edge_of_full_damage_to_that_of_the_radius() {
    let weapon = AreaWeapon { radius_units: 1_000, full_units: 400, ..weapon(AreaTime::Historical) };
    for (distance_units, share) in [(0, 600), (400, 600), (401, 599), (700, 300), (999, 1), (1_000, 0)] {
        let (distance_256ths, falloff) = left(&weapon, distance_units).unwrap();
        assert_eq!(distance_256ths, distance_units as u32 * 256);
        // The same ratio, whatever its terms.
        assert_eq!(u64::from(falloff.numerator) * 600, share * u64::from(falloff.denominator), "{distance_units}");
        assert_eq!(falloff.of(6_000), share as i32 * 10);
    }
    assert_eq!(left(&weapon, 1_001), None);
}

#[test]
fn a_centre_inside_of_a_hitbox_is_at_distance_zero() {
    let weapon = weapon(AreaTime::Historical);
    assert_eq!(left(&weapon, -100), Some((0, Falloff { numerator: 1, denominator: 1 })));
}

#[test]
fn all_of_a_radius_can_be_full_damage() {
    let weapon = AreaWeapon { radius_units: 1_000, full_units: 1_000, ..weapon(AreaTime::Historical) };
    assert_eq!(left(&weapon, 1_000), Some((256_000, Falloff { numerator: 1, denominator: 1 })));
    assert_eq!(left(&weapon, 1_001), None);
    let point = AreaWeapon { radius_units: 0, full_units: 0, ..weapon };
    assert_eq!(left(&point, 0).map(|(distance, _)| distance), Some(0));
    assert_eq!(left(&point, 1), None);
}
