//! Ids that never dangle, and pasts that end or stay.

use crate::world::*;
use snapback_core::NameHash;
use snapback_rewind::*;

#[test]
fn a_destroyed_source_is_pruned_with_its_past() {
    let mut world = World::new();
    let (gone, other) = (world.add(desc(1), body(0, 0, 0)), world.add(desc(2), body(50_000, 0, 0)));
    world.tick();
    world.components.remove(&1);
    assert_eq!(world.tick(), RecordReport { sampled: 1, pruned: 1, ..RecordReport::default() });
    assert_eq!(world.notices, [Notice::Pruned { hitbox: gone, desc: desc(1) }]);
    for time_us in [START_US, world.now_us] {
        assert_eq!(world.at(gone, time_us), Err(LookupError::Unknown));
        assert!(world.at(other, time_us).is_ok());
        let hit = world.history.sweep(&shot(0, 0, 0, time_us), &QueryFilter::default(), &mut RewindCounters::default());
        assert_eq!(hit, Ok(None));
    }
    assert_eq!(world.history.find(ActorId(1), ComponentId(1), NameHash::of("body")), None);
    assert_eq!(world.history.desc(gone), None);
    assert_eq!([world.history.unregister(gone), world.history.retire(gone)], [false; 2]);
}

#[test]
fn an_id_never_names_who_came_later_and_a_place_shows_no_old_past() {
    let mut world = World::new();
    let old = world.add(desc(1), body(0, 0, 0));
    for _ in 0..5 {
        world.tick();
    }
    assert!(world.history.unregister(old));
    let new = world.add(desc(2), body(50_000, 0, 0));
    assert_eq!((new.index(), new.generation()), (old.index(), old.generation() + 1));
    world.tick();
    let now_us = world.now_us;
    assert_eq!(world.at(old, now_us), Err(LookupError::Unknown));
    let mut out = Vec::new();
    for time_us in (START_US..=now_us).step_by(2_500) {
        let expected = if time_us < now_us - TICK_US { Err(TimeError::OlderThanOldest.into()) } else { Ok(50_000) };
        assert_eq!(world.x_at(new, time_us), expected, "{time_us}");
        let old_place = world.history.sweep(&shot(0, 0, 0, time_us), &QueryFilter::default(), &mut RewindCounters::default());
        assert_eq!(old_place, Ok(None), "{time_us}");
        world.history.frames_at(time_us, &QueryFilter::default(), &mut out, &mut world.counters).unwrap();
        assert_eq!(out.len(), usize::from(expected.is_ok()));
    }
}

#[test]
fn an_old_past_stays_hidden_when_the_rows_have_wrapped() {
    let mut world = World::with(RewindConfig { max_hitboxes: 2, max_ticks: 4, ..RewindConfig::default() });
    for _ in 0..7 {
        world.tick();
    }
    let old = world.add(desc(1), body(0, 0, 0));
    for _ in 0..6 {
        world.tick();
    }
    world.history.unregister(old);
    for _ in 0..2 {
        world.tick();
    }
    let new = world.add(desc(2), body(9, 0, 0));
    for _ in 0..3 {
        let now_us = world.now_us;
        let oldest_us = world.history.oldest_us().unwrap();
        for time_us in oldest_us..=now_us {
            if let Ok(x) = world.x_at(new, time_us) {
                assert_eq!(x, 9);
            }
        }
        world.set(2, body(9, 0, 0));
        world.tick();
    }
    let oldest_us = world.history.oldest_us().unwrap();
    assert_eq!(world.x_at(new, oldest_us), Ok(9));
    assert_eq!(world.history.span(new).unwrap().oldest_us, oldest_us);
}

#[test]
fn a_retired_hitbox_is_met_where_it_was_until_it_is_too_old() {
    let mut world = World::new();
    let id = world.add(desc(1), body(0, 0, 0));
    world.tick();
    world.tick();
    let gone_us = world.now_us;
    assert!(world.history.retire(id));
    assert!(!world.history.retire(id));
    assert_eq!(world.history.lifetime(id), Some(Lifetime { born_us: START_US, gone_us: Some(gone_us) }));
    // Its component may have another at once.
    let second = world.add(desc(1), body(70_000, 0, 0));
    assert_ne!(id.index(), second.index());
    loop {
        let now_us = world.now_us;
        if now_us > gone_us + 250_000 {
            break;
        }
        assert_eq!(world.x_at(id, gone_us), Ok(0));
        assert_eq!(world.x_at(id, gone_us + 1), Err(LookupError::Gone));
        let meets =
            |time_us| world.history.sweep(&shot(0, 0, 0, time_us), &QueryFilter::default(), &mut RewindCounters::default()).unwrap();
        assert_eq!(meets(gone_us).map(|hit| hit.hitbox), Some(id));
        assert_eq!(meets((gone_us + 1).min(now_us + 1)), None);
        world.tick();
        assert!(world.sampled.iter().all(|sampled| *sampled == second));
    }
    assert_eq!(world.at(id, gone_us), Err(LookupError::Unknown));
    assert_eq!(world.history.len(), 1);
    assert!(world.history.retire(second));
}

#[test]
fn a_cadence_can_change_while_it_is_registered() {
    let mut world = World::new();
    let id = world.add(desc(1), body(0, 0, 0));
    assert!(world.history.set_cadence(id, Cadence::FixedHz { hz: 20 }));
    let sampled: Vec<bool> = (0..10).map(|_| world.tick().sampled == 1).collect();
    assert_eq!(sampled, [false, false, false, false, true, false, false, false, false, true]);
    world.history.unregister(id);
    assert!(!world.history.set_cadence(id, Cadence::EveryServerTick));
}

#[test]
fn recording_asks_nobody_who_left() {
    let mut world = World::new();
    let ids: Vec<HitboxId> = (0..40).map(|number| world.add(desc(number), body(0, 0, 0))).collect();
    for id in &ids[3..] {
        world.history.unregister(*id);
    }
    world.tick();
    assert_eq!(world.sampled, ids[..3]);
    assert_eq!(world.history.hitboxes().collect::<Vec<_>>(), ids[..3]);
}

#[test]
fn an_unsupported_hitbox_in_a_used_place_is_nowhere_until_it_is_sampled() {
    let mut world = World::new();
    let old = world.add(desc(1), body(0, 0, 0));
    world.tick();
    world.history.unregister(old);
    world.components.insert(2, Sampled::Unsupported(NameHash::of("box")));
    let new = world.add_from(desc(2)).unwrap();
    assert_eq!(new.index(), old.index());
    let met = |world: &World, time_us| {
        let hit = world.history.sweep(&shot(0, 0, 0, time_us), &QueryFilter::default(), &mut RewindCounters::default()).unwrap();
        hit.map(|hit| hit.hitbox)
    };
    for _ in 0..3 {
        for time_us in (START_US..=world.now_us).step_by(2_500) {
            assert_eq!(met(&world, time_us), None);
        }
        world.tick();
    }
    world.set(2, body(0, 0, 0));
    world.tick();
    assert_eq!([met(&world, world.now_us - 1), met(&world, world.now_us)], [None, Some(new)]);
    // As anybody else: interpolated, retired, and met where it was.
    world.tick();
    world.history.retire(new);
    world.tick();
    assert_eq!([met(&world, world.now_us - 15_000), met(&world, world.now_us - 5_000)], [Some(new), None]);
}

#[test]
fn who_was_retired_after_its_tolerance_is_not_met_at_its_last_tick() {
    let mut world = World::new();
    let slow = world.add(HitboxDesc { cadence: Cadence::FixedHz { hz: 12 }, ..desc(1) }, body(0, 0, 0));
    for _ in 0..3 {
        world.tick();
    }
    let last_us = world.now_us;
    assert!(world.history.retire(slow));
    world.tick();
    // Held for 25 ms, and retired after 30.
    assert_eq!(world.at(slow, last_us), Err(TimeError::NewerThanNewest.into()));
    for (time_us, is_met) in [(last_us - TICK_US, true), (last_us, false)] {
        let met = world.history.sweep(&shot(0, 0, 0, time_us), &QueryFilter::default(), &mut RewindCounters::default());
        assert_eq!(met.unwrap().is_some(), is_met, "{time_us}");
    }
}
