//! Whom the teams keep out of the way of a live projectile.

use super::rig::{Range, cm, cuboid, flight};
use snapback_core::{Fx, Vec3};
use snapback_rewind::flight::ProjectileSpec;
use snapback_rewind::live::{ColliderKind, Solid};
use snapback_rewind::{MatchTeam, QueryFilter};

#[test]
fn who_is_of_an_ignored_team_is_passed_and_its_walls_are_not() {
    for (ignored, victims, impacts) in [(2, vec![], 1), (3, vec![7], 1)] {
        let mut range = Range::new();
        range.add(7, ColliderKind::Pawn, 2, Solid::ball(Fx::from_int(30)).unwrap(), cm(0, 0, 200));
        range.add(8, ColliderKind::WorldDynamic, 2, cuboid(100, 100, 5), cm(0, 0, 400));
        let filter = QueryFilter { ignore_team: MatchTeam::new(ignored), ..QueryFilter::default() };
        let mut flight = flight(ProjectileSpec { filter, ..ProjectileSpec::default() }, Vec3::ZERO, Vec3::from_ints(0, 0, 10_000));
        range.ticks(&mut flight, 6);
        assert_eq!((range.victims(), range.impacts.len()), (victims, impacts), "{ignored}");
    }
}
