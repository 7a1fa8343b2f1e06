//! Who registers, and who is refused.

use crate::world::*;
use snapback_core::{Fx, NameHash};
use snapback_rewind::*;

#[test]
fn a_capsule_registers_by_its_component() {
    let mut world = World::new();
    let id = world.add(desc(7), body(0, 0, 0));
    assert_eq!(world.history.find(ActorId(7), ComponentId(7), NameHash::of("body")), Some(id));
    assert_eq!(world.history.find(ActorId(7), ComponentId(8), NameHash::of("body")), None);
    assert_eq!(world.history.desc(id), Some(&desc(7)));
    assert_eq!(world.history.len(), 1);
    assert_eq!(world.history.lifetime(id), Some(history::Lifetime { born_us: START_US, gone_us: None }));
}

#[test]
fn a_source_registers_with_what_it_says_itself() {
    let mut world = World::new();
    world.set(7, body(5, 6, 7));
    let id = world.add_from(desc(7)).unwrap();
    assert_eq!(world.at(id, START_US).unwrap().centre, Point { x: 5, y: 6, z: 7 });
    assert_eq!(world.add_from(desc(8)), Err(RegisterError::SourceGone));
    assert_eq!(world.history.len(), 1);
}

#[test]
fn only_a_running_game_on_authority_registers_and_ticks() {
    use {NetRole::*, WorldKind::*};
    for kind in [Game, PlayInEditor, Editor, EditorPreview, Inactive, Invalid] {
        for role in [Authority, Client] {
            let mut history = RewindHistory::new(RewindConfig::default(), kind, role).unwrap();
            let allowed = matches!(kind, Game | PlayInEditor) && role == Authority;
            let reason = if matches!(kind, Game | PlayInEditor) { NotAuthority::Client } else { NotAuthority::World(kind) };
            let ticked = history.record_tick(0, &mut |_, _: &HitboxDesc| Sampled::Gone);
            let registered = history.register(desc(1), body(0, 0, 0));
            if allowed {
                assert!(ticked.is_ok() && registered.is_ok());
            } else {
                assert_eq!(ticked, Err(history::RecordError::NotAuthority(reason)));
                assert_eq!(registered, Err(RegisterError::NotAuthority(reason)));
                assert_eq!((history.now_us(), history.len()), (None, 0));
            }
        }
    }
}

#[test]
fn a_world_that_is_no_longer_ours_changes_nothing_and_still_cleans_up() {
    let mut world = World::new();
    let (stays, goes) = (world.add(desc(1), body(0, 0, 0)), world.add(desc(2), body(0, 0, 0)));
    world.history.set_world(WorldKind::Inactive, NetRole::Authority);
    let reason = NotAuthority::World(WorldKind::Inactive);
    let ticked = world.history.record_tick(START_US + TICK_US, &mut |_, _: &HitboxDesc| panic!("asked for a sample"));
    assert_eq!(ticked, Err(RecordError::NotAuthority(reason)));
    assert_eq!(world.history.register(desc(3), body(0, 0, 0)), Err(RegisterError::NotAuthority(reason)));
    assert_eq!(world.history.now_us(), Some(START_US));
    assert!(world.history.unregister(goes));
    world.history.set_world(WorldKind::Game, NetRole::Authority);
    world.tick();
    assert_eq!(world.history.hitboxes().collect::<Vec<_>>(), [stays]);
}

#[test]
fn a_visual_of_clients_never_registers() {
    let mut world = World::new();
    let visual = HitboxDesc { client_only: true, ..desc(1) };
    assert_eq!(world.history.register(visual, body(0, 0, 0)), Err(RegisterError::ClientOnly));
    world.set(1, body(0, 0, 0));
    assert_eq!(world.add_from(visual), Err(RegisterError::ClientOnly));
    assert!(world.history.is_empty());
}

#[test]
fn every_refusal_has_a_type_and_changes_nothing() {
    let mut early = RewindHistory::new(RewindConfig::default(), WorldKind::Game, NetRole::Authority).unwrap();
    assert_eq!(early.register(desc(1), body(0, 0, 0)), Err(RegisterError::NoTick));

    let mut world = World::with(RewindConfig { max_hitboxes: 2, ..RewindConfig::default() });
    let id = world.add(desc(1), body(0, 0, 0));
    assert_eq!(world.history.register(desc(1), body(0, 0, 0)), Err(RegisterError::AlreadyRegistered(id)));
    let far = HitboxSample { position: Point { x: i32::MAX, y: 0, z: 0 }, ..body(0, 0, 0) };
    assert_eq!(world.history.register(desc(2), far), Err(RegisterError::BadSample(SampleError::OutOfWorld)));
    let bent = HitboxSample { rotation: snapback_core::Quat::from_bits([1 << 30; 4]), ..body(0, 0, 0) };
    assert_eq!(world.history.register(desc(2), bent), Err(RegisterError::BadSample(SampleError::BadRotation)));
    let zero = HitboxSample { rotation: snapback_core::Quat::from_bits([0; 4]), ..body(0, 0, 0) };
    assert_eq!(world.history.register(desc(2), zero), Err(RegisterError::BadSample(SampleError::BadRotation)));
    world.set(2, far);
    assert_eq!(world.add_from(desc(2)), Err(RegisterError::BadSample(SampleError::OutOfWorld)));
    assert_eq!(world.history.len(), 1);
    world.add(desc(2), body(0, 0, 0));
    assert_eq!(world.history.register(desc(3), body(0, 0, 0)), Err(RegisterError::Full { max_hitboxes: 2 }));
    assert_eq!(world.history.find(ActorId(3), ComponentId(3), NameHash::of("body")), None);
    for error in [RegisterError::NoTick, RegisterError::ClientOnly, RegisterError::SourceGone, RegisterError::Full { max_hitboxes: 2 }] {
        assert!(!error.to_string().contains('\n'));
    }
}

#[test]
fn the_first_snapshot_is_there_at_once() {
    let mut world = World::new();
    world.tick();
    // Slower than anything else here: it does not wait for its cadence.
    let slow = HitboxDesc { cadence: Cadence::FixedHz { hz: 1 }, ..desc(1) };
    let id = world.add(slow, body(123, 4, 5));
    let now_us = world.now_us;
    let frame = world.at(id, now_us).unwrap();
    assert_eq!((frame.time_us, frame.centre), (now_us, Point { x: 123, y: 4, z: 5 }));
    assert!(world.history.sweep(&shot(123, 4, 0, now_us), &QueryFilter::default(), &mut RewindCounters::default()).unwrap().is_some());
    assert_eq!(world.at(id, now_us - 1), Err(TimeError::OlderThanOldest.into()));
}

#[test]
fn one_actor_has_several_hitboxes() {
    let mut world = World::new();
    let named = |name, component| HitboxDesc { name: NameHash::of(name), component: ComponentId(component), ..desc(1) };
    // Two components, and two hitboxes that follow one of them.
    let ids = [
        world.add(named("head", 1), body(0, 0, 0)),
        world.add(named("body", 2), body(100_000, 0, 0)),
        world.add(named("shield", 2), body(200_000, 0, 0)),
    ];
    for (id, x) in ids.into_iter().zip([0, 100_000, 200_000]) {
        assert_eq!(world.x_at(id, START_US), Ok(x));
        let hit = world.history.sweep(&shot(x, 0, 0, START_US), &QueryFilter::default(), &mut RewindCounters::default()).unwrap().unwrap();
        assert_eq!((hit.hitbox, hit.actor), (id, ActorId(1)));
    }
    assert_eq!(world.history.find(ActorId(1), ComponentId(2), NameHash::of("shield")), Some(ids[2]));
}

#[test]
fn unsupported_shapes_are_reported_once_each_and_have_no_snapshots() {
    let mut world = World::new();
    let kind = NameHash::of("box");
    // One from the start, two that change later, at the same tick.
    world.components.insert(1, Sampled::Unsupported(kind));
    let from_start = world.add_from(desc(1)).unwrap();
    let later = [world.add(desc(2), body(0, 0, 0)), world.add(desc(3), body(0, 0, 0))];
    assert_eq!(world.notices, [Notice::Unsupported { hitbox: from_start, desc: desc(1), kind }]);
    assert_eq!(world.at(from_start, START_US), Err(TimeError::Empty.into()));
    assert_eq!((world.history.lifetime(from_start), world.history.span(from_start)), (None, None));

    world.components.insert(2, Sampled::Unsupported(kind));
    world.components.insert(3, Sampled::Unsupported(kind));
    let report = world.tick();
    assert_eq!((report.sampled, report.unsupported), (0, 2));
    for (at, id) in later.into_iter().enumerate() {
        assert!(matches!(world.notices[at + 1], Notice::Unsupported { hitbox, .. } if hitbox == id));
    }
    for _ in 0..20 {
        assert_eq!(world.tick().unsupported, 0);
    }
    assert_eq!(world.notices.len(), 3);
    let now_us = world.now_us;
    let mut out = Vec::new();
    world.history.frames_at(now_us, &QueryFilter::default(), &mut out, &mut world.counters).unwrap();
    assert!(out.is_empty());

    // A shape that is supported later has snapshots from then on.
    world.set(1, body(9, 0, 0));
    world.tick();
    let now_us = world.now_us;
    assert_eq!(world.x_at(from_start, now_us), Ok(9));
    assert_eq!(world.at(from_start, now_us - 1), Err(TimeError::OlderThanOldest.into()));
    assert_eq!(world.history.lifetime(from_start).map(|life| life.born_us), Some(now_us));
    assert_eq!(Shape::of(SourceShape::Unsupported { kind }), Err(shape::ShapeError::Unsupported { kind }));
}

#[test]
fn what_is_not_registered_is_never_met() {
    let mut world = World::new();
    world.set(1, body(0, 0, 0));
    world.tick();
    assert!(world.sampled.is_empty());
    let now_us = world.now_us;
    let hit = world.history.sweep(&shot(0, 0, 0, now_us), &QueryFilter::default(), &mut RewindCounters::default());
    assert_eq!(hit, Ok(None));
}

#[test]
fn a_projectile_registers_when_its_spawn_is_finished() {
    let mut world = World::new();
    world.tick();
    // Between begin and end of a deferred spawn the host sets the team; only then it registers.
    let mut spawning = HitboxSample { shape: ball(1_638), ..body(0, 0, 0) };
    assert!(world.history.is_empty());
    spawning.team = MatchTeam::new(2);
    world.set(9, spawning);
    let id = world.add_from(HitboxDesc { projectile: true, ..desc(9) }).unwrap();
    let now_us = world.now_us;
    let frame = world.at(id, now_us).unwrap();
    assert_eq!((frame.team, frame.kind, frame.radius), (MatchTeam::new(2), ShapeKind::Sphere, units::fx(1_638)));
    // A fast one is met by another that asks before the next snapshot.
    let filter = QueryFilter { include_projectiles: true, ..QueryFilter::default() };
    assert!(world.history.sweep(&shot(0, 0, 100, now_us), &filter, &mut RewindCounters::default()).unwrap().is_some());
}

#[test]
fn a_projectile_needs_no_hitbox_to_ask() {
    let mut world = World::new();
    let target = world.add(desc(1), body(0, 0, 0));
    for _ in 0..5 {
        world.tick();
    }
    let radius_units = query::query_radius_units(Fx::from_int(10)).unwrap();
    let sweep = Sweep { from_us: START_US, to_us: world.now_us, ..shot(0, 0, radius_units, START_US) };
    let hit = world.history.sweep(&sweep, &QueryFilter::default(), &mut RewindCounters::default()).unwrap().unwrap();
    assert_eq!((hit.hitbox, world.history.len()), (target, 1));
}

#[test]
fn registering_thousands_takes_the_lowest_free_place_and_finds_each() {
    let count = 5_000u64;
    let mut world = World::with(RewindConfig { max_hitboxes: count as usize, max_ticks: 2, ..RewindConfig::default() });
    // In an order that is neither up nor down.
    let numbers = (0..count).map(|number| number * 2_741 % count);
    let ids: Vec<HitboxId> = numbers.clone().map(|number| world.history.register(desc(number), body(0, 0, 0)).unwrap()).collect();
    assert!(ids.iter().enumerate().all(|(place, id)| id.index() as usize == place));
    let known_by = |number| (ActorId(number), ComponentId(number), NameHash::of("body"));
    for (number, id) in numbers.clone().zip(&ids) {
        let (actor, component, name) = known_by(number);
        assert_eq!(world.history.find(actor, component, name), Some(*id));
    }
    for id in ids.iter().skip(1).step_by(2) {
        assert!(world.history.unregister(*id));
    }
    for (place, (number, id)) in numbers.zip(&ids).enumerate() {
        let (actor, component, name) = known_by(number);
        assert_eq!(world.history.find(actor, component, name), (place % 2 == 0).then_some(*id));
    }
    let again = world.history.register(desc(count), body(0, 0, 0)).unwrap();
    assert_eq!((again.index(), again.generation()), (1, 1));
}

#[test]
fn an_unsupported_shape_is_reported_anew_for_whoever_has_the_place_next() {
    let mut world = World::new();
    let kind = NameHash::of("box");
    world.components.insert(1, Sampled::Unsupported(kind));
    let first = world.add_from(desc(1)).unwrap();
    assert!(world.history.unregister(first));
    let next = world.add(desc(2), body(0, 0, 0));
    assert_eq!(next.index(), first.index());
    world.components.insert(2, Sampled::Unsupported(kind));
    assert_eq!(world.tick().unsupported, 1);
    assert_eq!(world.notices.last(), Some(&Notice::Unsupported { hitbox: next, desc: desc(2), kind }));
}
