//! A history and a pool of proxies take their memory when they are made and never again.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use snapback_core::{NameHash, Quat};
use snapback_rewind::proxy::{ProxyConfig, ProxyHit, ProxyPool};
use snapback_rewind::*;

mod counting;

const HITBOXES: usize = 200;

fn sample(x: i32, round: bool) -> HitboxSample {
    let (radius, half_height) = (units::fx(4_915), units::fx(14_746));
    let source = if round { SourceShape::Sphere { radius } } else { SourceShape::Capsule { radius, half_height } };
    HitboxSample {
        position: Point { x, y: 0, z: 0 },
        rotation: Quat::IDENTITY,
        shape: Shape::of(source).unwrap(),
        damageable: true,
        blocking: false,
        team: MatchTeam::NONE,
        state_flags: 0,
        epoch: 0,
    }
}

fn desc(number: u64) -> HitboxDesc {
    HitboxDesc {
        actor: ActorId(number),
        component: ComponentId(number),
        name: NameHash::NONE,
        region: NameHash::NONE,
        projectile: false,
        client_only: false,
        cadence: if number.is_multiple_of(2) { Cadence::EveryServerTick } else { Cadence::FixedHz { hz: 20 } },
    }
}

struct Everything {
    history: RewindHistory,
    pool: ProxyPool,
    frames: Vec<HitboxFrame>,
    hits: Vec<ProxyHit>,
    counters: RewindCounters,
    now_us: u64,
}

impl Everything {
    fn new() -> Self {
        let config = RewindConfig { max_hitboxes: HITBOXES, ..RewindConfig::default() };
        let mut history = RewindHistory::new(config, WorldKind::Game, NetRole::Authority).unwrap();
        history.record_tick(0, &mut |_, _: &HitboxDesc| Sampled::Gone).unwrap();
        let pool = ProxyPool::new(ProxyConfig { spheres: HITBOXES, capsules: HITBOXES });
        let (frames, hits) = (Vec::with_capacity(HITBOXES), Vec::with_capacity(HITBOXES));
        Self { history, pool, frames, hits, counters: RewindCounters::default(), now_us: 0 }
    }

    /// All that a server does in a tick: some come, some go, everybody is recorded, and shots are asked.
    fn tick(&mut self, number: u64) {
        let Self { history, pool, frames, hits, counters, .. } = self;
        self.now_us += 10_000;
        let mut gone = 0;
        let notice = |notice: &Notice| gone += u64::from(matches!(notice, Notice::Pruned { .. }));
        let is_gone = |actor: u64| actor % 16 == 9 && actor + 12 < number;
        let source = |_, desc: &HitboxDesc| match desc.actor.0 {
            actor if is_gone(actor) => Sampled::Gone,
            actor => Sampled::Here(sample((actor % 50) as i32 * 20_000 + number as i32 * 70, actor.is_multiple_of(3))),
        };
        history.record_tick(self.now_us, &mut (source, notice)).unwrap();
        let id = history.register(desc(number), sample(0, number.is_multiple_of(3))).unwrap();
        if let Some(old) = number.checked_sub(100) {
            let old = history.find(ActorId(old), ComponentId(old), NameHash::NONE);
            let _ = old.map(|old| if number.is_multiple_of(2) { history.retire(old) } else { history.unregister(old) });
        }
        let time_us = self.now_us.saturating_sub(93_000);
        let filter = QueryFilter::default();
        let way = Segment::new(Point { x: -9_000, y: 0, z: 0 }, Point { x: 900_000, y: 0, z: 0 }, 500).unwrap();
        let bounds = QueryBounds::along(way);
        history.frame_at(id, self.now_us, counters).unwrap();
        history.frames_at(time_us, &filter, frames, counters).unwrap();
        history.candidates(time_us, &filter, &bounds, frames, counters).unwrap();
        pool.build(history, time_us, &filter, &bounds, counters).unwrap();
        pool.sweep_all(&way, hits, counters);
        assert_eq!(pool.sweep(&way, counters).as_ref(), hits.first());
    }
}

#[test]
fn a_server_that_runs_allocates_nothing() {
    let mut everything = Everything::new();
    for number in 0..300 {
        everything.tick(number);
    }
    let before = counting::so_far();
    for number in 300..900 {
        everything.tick(number);
    }
    assert_eq!(counting::so_far() - before, 0);
    assert!(everything.counters.activations > 10_000 && everything.hits.len() > 10, "{:?}", everything.counters);
}
