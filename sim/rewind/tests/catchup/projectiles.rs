//! Projectile against projectile.

use super::rig::{Host, Mover, World, body, bullet, cm, sample};
use snapback_core::NameHash;
use snapback_rewind::flight::ProjectileSpec;
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
    let world = World::new(10_000, 30, &[projectile(20, 400)]);
    assert!(world.victims(&world.shot(200_000, 0, bullet())).is_empty());
    assert_eq!(world.victims(&world.shot(200_000, 0, against())), [20]);
}

#[test]
fn a_projectile_never_meets_its_own_hitbox() {
    let world = World::new(10_000, 30, &[projectile(20, 0), projectile(21, 400)]);
    let mut host = Host { own_actor: Some(ActorId(20)), ..Host::default() };
    world.launch_with(&world.shot(200_000, 0, against()), &mut host).unwrap();
    assert_eq!(host.victims(), [21]);
    assert_eq!(world.victims(&world.shot(200_000, 0, against())), [20]);
}

#[test]
fn one_without_a_hitbox_catches_up_all_the_same() {
    let world = World::new(10_000, 30, &[body(7, FOE, |_| [0, 0, 400])]);
    let host = world.launch(&world.shot(200_000, 0, bullet())).1;
    assert_eq!((host.own_actor, host.victims()), (None, vec![7]));
}

#[test]
fn one_that_was_accepted_later_changes_nothing() {
    let mut world = World::new(10_000, 30, &[]);
    let shot = world.shot(200_000, 10_000, against());
    let before = world.launch(&shot);
    let desc = HitboxDesc {
        actor: ActorId(20),
        component: ComponentId(1),
        name: NameHash::of("ball"),
        region: NameHash::NONE,
        projectile: true,
        client_only: false,
        cadence: Cadence::EveryServerTick,
    };
    // It is right in the way, and its history begins now.
    let late = world.history.register(desc, sample(cm(0, 0, 400), FOE, 0)).unwrap();
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
