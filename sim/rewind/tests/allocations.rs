//! All memory is taken when a history is made: what a running server does with it allocates nothing.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use snapback_core::{Fx, NameHash, Quat, Rng, Vec3};
use snapback_rewind::{
    ActorId, Cadence, ComponentId, HitboxDesc, HitboxId, HitboxSample, MatchTeam, NetRole, Point, QueryFilter, RewindConfig,
    RewindCounters, RewindHistory, Sampled, Shape, SourceShape, Sweep, TooOld, WorldKind,
};

mod counting;

const HITBOXES: u64 = 300;

fn sample(rng: &mut Rng, epoch: u32) -> HitboxSample {
    let mut at = || rng.below(4_000) as i32;
    HitboxSample {
        position: Point::of(Vec3::from_ints(at(), 100, at())).unwrap(),
        rotation: Quat::IDENTITY,
        shape: Shape::of(SourceShape::Capsule { radius: Fx::from_int(30), half_height: Fx::from_int(90) }).unwrap(),
        damageable: true,
        blocking: false,
        team: MatchTeam::NONE,
        state_flags: 0,
        epoch,
    }
}

/// Every third in a body, every other with a slow cadence.
fn desc(number: u64) -> HitboxDesc {
    HitboxDesc {
        actor: ActorId(if number.is_multiple_of(3) { number / 30 } else { 1_000 + number }),
        component: ComponentId(number),
        name: NameHash::of("body"),
        region: NameHash::of("torso"),
        projectile: false,
        client_only: false,
        cadence: if number.is_multiple_of(2) { Cadence::EveryServerTick } else { Cadence::FixedHz { hz: 20 } },
    }
}

#[test]
fn registering_recording_asking_and_unregistering_allocate_nothing() {
    let config = RewindConfig { max_hitboxes: HITBOXES as usize, max_ticks: 16, ..RewindConfig::default() };
    let mut history = RewindHistory::new(config, WorldKind::Game, NetRole::Authority).unwrap();
    let (mut rng, mut counters) = (Rng::new(8, 8), RewindCounters::default());
    let mut ids: [Option<HitboxId>; HITBOXES as usize] = [None; HITBOXES as usize];
    let mut hits = 0;
    let before = counting::so_far();
    for tick in 0..60u64 {
        let now_us = 1_000_000 + tick * 16_667;
        // Everybody is somewhere else at each tick; every eighth tick all are teleported.
        let epoch = (tick / 8) as u32;
        history.record_tick(now_us, &mut |_, _: &HitboxDesc| Sampled::Here(sample(&mut rng, epoch))).unwrap();
        for number in 0..HITBOXES {
            let id = &mut ids[number as usize];
            match *id {
                None => *id = Some(history.register(desc(number), sample(&mut rng, epoch)).unwrap()),
                Some(gone) if rng.below(20) == 0 => {
                    history.unregister(gone);
                    *id = None;
                }
                Some(_) => {}
            }
        }
        for query in 0..40u64 {
            let mut at = || Point { x: rng.below(655_360) as i32, y: 16_384, z: rng.below(655_360) as i32 };
            let (from, to) = (at(), at());
            let from_us = now_us - query * 5_000;
            let sweep = Sweep { from, to, radius_units: 1_600, from_us, to_us: from_us + query % 3 * 9_000, too_old: TooOld::Clamp };
            let found = history.sweep(&sweep, &QueryFilter::default(), &mut counters);
            hits += u32::from(matches!(found, Ok(Some(_))));
        }
    }
    assert_eq!(counting::so_far() - before, 0);
    assert!(hits > 500, "{hits}");
    // The counter counts.
    drop(std::hint::black_box(vec![0; 9]));
    assert!(counting::so_far() > before);
}
