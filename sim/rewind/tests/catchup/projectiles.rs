//! Projectile against projectile.

use super::rig::{Host, Mover, World, body, bullet, cm, sample};
use snapback_core::{Angle, Fx, NameHash, Quat, Vec3};
use snapback_rewind::catchup::{Launched, Spawn};
use snapback_rewind::flight::{AfterCatchUp, FlightCounters, Gravity, ImpactRule, ProjectileSpec, Verdict};
use snapback_rewind::live::ColliderKind;
use snapback_rewind::*;

const FOE: MatchTeam = MatchTeam::new(2);

fn projectile(actor: u64, z_cm: i32) -> Mover {
    Mover { projectile: true, radius: 10, half_height: 10, ..body(actor, FOE, move |_| [0, 0, z_cm]) }
}

fn against() -> ProjectileSpec {
    ProjectileSpec { filter: QueryFilter { include_projectiles: true, ..QueryFilter::default() }, ..bullet() }
}

#[test]
fn projectiles_are_met_only_if_the_spec_says_so() {
    let mut world = World::new(10_000, 30, &[projectile(20, 400)]);
    assert!(world.victims(&world.shot(200_000, 0, bullet())).is_empty());
    assert_eq!(world.victims(&world.shot(200_000, 0, against())), [20]);
}

#[test]
fn a_projectile_never_meets_its_own_hitbox() {
    let mut world = World::new(10_000, 30, &[projectile(20, 0), projectile(21, 400)]);
    let mut host = Host { own_actor: Some(ActorId(20)), ..Host::default() };
    world.launch_with(&world.shot(200_000, 0, against()), &mut host).unwrap();
    assert_eq!(host.victims(), [21]);
    assert_eq!(world.victims(&world.shot(200_000, 0, against())), [20]);
}

#[test]
fn one_without_a_hitbox_catches_up_all_the_same() {
    let mut world = World::new(10_000, 30, &[body(7, FOE, |_| [0, 0, 400])]);
    let host = world.launch(&world.shot(200_000, 0, bullet())).1;
    assert_eq!((host.own_actor, host.victims()), (None, vec![7]));
}

#[test]
fn one_that_was_accepted_later_changes_nothing() {
    let mut world = World::new(10_000, 30, &[]);
    let shot = world.shot(200_000, 10_000, against());
    let before = world.launch(&shot);
    // It is right in the way, and its history begins now.
    let late = world.history.register(desc(20), sample(cm(0, 0, 400), FOE, 0)).unwrap();
    let after = world.launch(&shot);
    assert_eq!((before.0.flight, before.1.impacts), (after.0.flight, after.1.impacts));
    // Of a shot that is accepted later than it, it is a target.
    let stays = HitboxSample { ..sample(cm(0, 0, 400), FOE, 0) };
    for _ in 0..20 {
        world.now_us += 10_000;
        world.history.record_tick(world.now_us, &mut |_, _: &HitboxDesc| Sampled::Here(stays)).unwrap();
    }
    assert_eq!(world.victims(&world.shot(150_000, 10_000, against())), [20]);
    // Also after it is destroyed, where it was then.
    assert!(world.history.retire(late));
    assert_eq!(world.victims(&world.shot(150_000, 10_000, against())), [20]);
}

fn desc(actor: u64) -> HitboxDesc {
    HitboxDesc {
        actor: ActorId(actor),
        component: ComponentId(1),
        name: NameHash::of("ball"),
        region: NameHash::NONE,
        projectile: true,
        client_only: false,
        cadence: Cadence::EveryServerTick,
    }
}

/// A ball of 10 cm.
fn ball(position: Point, epoch: u32) -> HitboxSample {
    let shape = Shape::of(SourceShape::Sphere { radius: Fx::from_int(10) }).unwrap();
    HitboxSample { shape, ..sample(position, FOE, epoch) }
}

/// A host whose projectile is a target, as this actor.
fn registering(actor: u64, muzzle: Vec3) -> Host {
    Host { registers: Some((desc(actor), ball(Point::of(muzzle).unwrap(), 0))), ..Host::default() }
}

/// Flies it a tick further and records it there. How often it met something.
fn fly(world: &mut World, launched: &mut Launched<u32, Gravity>, epoch: u32) -> u64 {
    let mut counters = FlightCounters::default();
    let go_on = &mut |_: &flight::Impact| Ok::<_, ()>(Verdict::GoOn);
    launched.flight.tick_live(&world.scene, Some(&world.history), &mut counters, &mut (), go_on).unwrap();
    let here = ball(Point::of(launched.flight.body().position).unwrap(), epoch);
    world.now_us += u64::from(world.tick_us);
    world.history.record_tick(world.now_us, &mut |_, _: &HitboxDesc| Sampled::Here(here)).unwrap();
    counters.impacts
}

/// A 64th of a second, which an `Fx` has exactly: at 100 m a second 156.25 cm.
const EXACT_US: u32 = 15_625;

#[test]
fn a_projectile_registers_at_its_muzzle_and_is_met_where_it_caught_up_to_and_not_between() {
    for raises_epoch in [true, false] {
        let mut world = World::new(EXACT_US, 30, &[]);
        let mut host = registering(20, Vec3::ZERO);
        let mut launched = world.launch_with(&world.shot(250_000, 0, against()), &mut host).unwrap();
        assert!(host.is_clear() && host.impacts.is_empty());
        let first = world.history.frame_at(host.hitbox.unwrap(), world.now_us, &mut RewindCounters::default()).unwrap();
        assert_eq!((first.centre, first.epoch), (Point::ORIGIN, 0));
        // It caught up to 25 m, and its next sample is 1.5 m further.
        assert_eq!(host.placed.unwrap().0.position, Vec3::from_ints(0, 0, 2_500));
        let epoch = if raises_epoch { host.epoch } else { 0 };
        for _ in 0..3 {
            assert_eq!(fly(&mut world, &mut launched, epoch), 0);
        }
        // Somebody else's projectiles, which stand still since the first one caught up.
        let mut met_at = |z_cm: i32| {
            let spec = ProjectileSpec { muzzle_speed: Fx::ZERO, ..against() };
            let spawn = Spawn { muzzle: Vec3::from_ints(0, 0, z_cm), ..world.shot(46_875, 0, spec) };
            world.victims(&spawn)
        };
        assert_eq!(met_at(0), [20]);
        assert_eq!(met_at(2_700), [20]);
        assert_eq!(met_at(3_050), [0; 0]);
        // Without a new epoch it would have flown 26 m in a tick.
        assert_eq!(met_at(1_000), if raises_epoch { vec![] } else { vec![20] });
    }
}

#[test]
fn one_that_follows_its_own_past_meets_it_only_if_the_host_does_not_say_who_it_is() {
    for is_nameless in [false, true] {
        let mut world = World::new(10_000, 30, &[]);
        let mut host = Host { is_nameless, ..registering(20, Vec3::ZERO) };
        // 10 cm a tick, so that it touches the place where it was two ticks ago.
        let spec = ProjectileSpec { muzzle_speed: Fx::from_int(1_000), after: AfterCatchUp::ConstantDelay, ..against() };
        let mut launched = world.launch_with(&world.shot(100_000, 10_000, spec), &mut host).unwrap();
        let met: u64 = (0..10).map(|_| fly(&mut world, &mut launched, host.epoch)).sum();
        assert_eq!(met, u64::from(is_nameless));
    }
}

/// Two projectiles that fly 25 m towards each other: the last step of each ends on the muzzle of the other.
fn duel(first: usize, spec: ProjectileSpec, walls: impl Fn(&mut World)) -> (World, [(Vec3, u64, usize); 2]) {
    let mut world = World::new(EXACT_US, 30, &[]);
    walls(&mut world);
    let back = Quat::from_axis_angle(Vec3::Y, Angle::from_degrees(180));
    let sides = [(20, Vec3::ZERO, Quat::IDENTITY), (21, Vec3::from_ints(0, 0, 2_500), back)];
    let mut done = [(Vec3::ZERO, 0, 0); 2];
    for side in [first, 1 - first] {
        let (actor, muzzle, rotation) = sides[side];
        let mut spawn = Spawn { muzzle, ..world.shot(250_000, 0, spec) };
        spawn.fire.rotation = rotation;
        let mut host = registering(actor, muzzle);
        let launched = world.launch_with(&spawn, &mut host).unwrap();
        done[side] = (launched.flight.body().position, launched.report.past_sweeps, host.impacts.len());
    }
    (world, done)
}

#[test]
fn what_is_accepted_later_changes_nothing_in_either_order_of_arrival() {
    let [(mut world, one), (_, other)] = [0, 1].map(|first| duel(first, against(), |_| ()));
    assert_eq!(one, other);
    // 16 steps and no impact each, and both are on the other's muzzle, where its hitbox is now.
    assert_eq!(one[0], (Vec3::from_ints(0, 0, 2_500), 16, 0));
    assert_eq!((one[1].1, one[1].2), (16, 0));
    assert!((one[1].0).length() < Fx::ONE, "{:?}", one[1].0);
    // The same way a tick later ends on a hitbox that was accepted before.
    let stays = ball(cm(0, 0, 2_500), 0);
    world.now_us += u64::from(EXACT_US);
    let mut source = |_, desc: &HitboxDesc| if desc.actor == ActorId(21) { Sampled::Here(stays) } else { Sampled::Gone };
    world.history.record_tick(world.now_us, &mut source).unwrap();
    assert_eq!(world.victims(&world.shot(250_000, 0, against())), [21]);
}

#[test]
fn nor_does_it_if_a_wall_is_met_at_the_very_end() {
    // The wall is touched at the last 2^30th of the last step, so that no time is left for the rest of the way.
    let spec = ProjectileSpec { on_impact: ImpactRule::Pierce, max_impacts: 9, ..against() };
    let wall = |world: &mut World| {
        world.wall(50, ColliderKind::WorldStatic, 2_510);
    };
    let [(_, one), (_, other)] = [0, 1].map(|first| duel(first, spec, wall));
    assert_eq!(one, other);
    assert_eq!((one[0].0, one[0].2), (Vec3::from_ints(0, 0, 2_500), 1));
}
