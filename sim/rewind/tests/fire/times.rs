//! Projectiles as targets of projectiles: only what was accepted before, only while it was there.

use super::counting::allocations;
use snapback_core::{Fx, NameHash, Quat, Vec3};
use snapback_rewind::fire::{AcceptedFire, ProjectileRecords, ProjectileTimes, TimesError, Unseen};
use snapback_rewind::{
    ActorId, Cadence, ComponentId, HitboxDesc, HitboxId, HitboxSample, MatchTeam, NetRole, Point, QueryFilter, RewindConfig,
    RewindCounters, RewindHistory, Sampled, Shape, SourceShape, Sweep, TooOld, WorldKind,
};

fn accepted(shooter: u64, fire_us: u64, accepted_us: u64) -> AcceptedFire {
    AcceptedFire { shooter: ActorId(shooter), sequence: 1, rotation: Quat::IDENTITY, fire_us, view_delay_us: 0, accepted_us }
}

const A: ActorId = ActorId(100);
const B: ActorId = ActorId(200);

#[test]
fn a_query_sees_only_what_was_accepted_before_it_and_only_while_it_was_there() {
    let mut records = ProjectileRecords::new(4).unwrap();
    let made_by_a = records.accept(A, &accepted(1, 900, 1_000)).unwrap();
    let made_by_b = records.accept(B, &accepted(2, 800, 1_000)).unwrap();
    // Each of itself, and A of B, which was fired earlier and came later.
    assert_eq!(records.check(A, made_by_a, 1_000), Err(Unseen::AcceptedLater));
    assert_eq!(records.check(B, made_by_a, 1_000), Err(Unseen::AcceptedLater));
    assert_eq!(records.check(B, made_by_b, 1_000), Err(Unseen::AcceptedLater));
    let times = ProjectileTimes { fired_us: 900, accepted_us: 1_000, destroyed_us: None };
    assert_eq!(records.check(A, made_by_b, 1_000), Ok(times));
    assert_eq!(records.check(A, made_by_b, 999), Err(Unseen::BeforeAccepted));
    assert!(records.destroyed(A, 1_200));
    assert!(!records.destroyed(A, 1_300));
    assert_eq!(records.check(A, made_by_b, 1_200).unwrap().destroyed_us, Some(1_200));
    assert_eq!(records.check(A, made_by_b, 1_201), Err(Unseen::AfterDestroyed));
    assert_eq!(records.check(ActorId(3), made_by_b, 1_000), Err(Unseen::Unknown));
}

#[test]
fn spawn_fire_and_destroyed_times_are_stored_in_bounded_memory() {
    let mut records = ProjectileRecords::new(2).unwrap();
    let count = allocations(|| {
        for round in 0..100u64 {
            let now_us = 1_000_000 * (round + 1);
            records.accept(A, &accepted(1, now_us - 10, now_us)).unwrap();
            records.accept(B, &accepted(2, now_us - 20, now_us)).unwrap();
            assert_eq!(records.accept(A, &accepted(1, 0, now_us)), Err(TimesError::AlreadyRecorded));
            assert_eq!(records.accept(ActorId(9), &accepted(1, 0, now_us)), Err(TimesError::Full { max_projectiles: 2 }));
            records.destroyed(A, now_us + 10);
            records.prune(now_us + 250_010, 250_000);
            assert_eq!(records.len(), 2);
            records.destroyed(B, now_us + 10);
            records.prune(now_us + 250_011, 250_000);
            assert!(records.is_empty());
        }
    });
    assert_eq!(count, 0);
}

#[test]
fn more_projectiles_than_there_can_be_are_refused() {
    assert!(ProjectileRecords::new(1 << 20).is_ok());
    for max_projectiles in [(1 << 20) + 1, usize::MAX] {
        let refused = ProjectileRecords::new(max_projectiles).map(|_| ()).unwrap_err();
        assert_eq!((refused.field, refused.value, refused.max), ("max_projectiles", max_projectiles as u64, 1 << 20));
    }
}

/// A server with two projectiles that fly towards each other along x, 1 m per tick of 10 ms.
struct Server {
    history: RewindHistory,
    records: ProjectileRecords,
    now_us: u64,
    alive: Vec<(ActorId, HitboxId, u64, i32)>,
}

const TICK_US: u64 = 10_000;

fn ball(x_cm: i32) -> HitboxSample {
    HitboxSample {
        position: Point::of(Vec3::from_ints(x_cm, 0, 0)).unwrap(),
        rotation: Quat::IDENTITY,
        shape: Shape::of(SourceShape::Sphere { radius: Fx::from_int(20) }).unwrap(),
        damageable: true,
        blocking: false,
        team: MatchTeam::NONE,
        state_flags: 0,
        epoch: 0,
    }
}

impl Server {
    fn new() -> Self {
        let mut history = RewindHistory::new(RewindConfig::default(), WorldKind::Game, NetRole::Authority).unwrap();
        history.record_tick(1_000_000, &mut |_, _: &HitboxDesc| Sampled::Gone).unwrap();
        Self { history, records: ProjectileRecords::new(8).unwrap(), now_us: 1_000_000, alive: Vec::new() }
    }

    fn x_cm(&self, born_us: u64, side: i32) -> i32 {
        side * (500 - ((self.now_us - born_us) / TICK_US) as i32 * 100)
    }

    /// Accepts a projectile now, and sweeps it through the whole past, a rewind long.
    fn accept(&mut self, projectile: ActorId, side: i32) -> Result<bool, ()> {
        let made = self.records.accept(projectile, &accepted(1, self.now_us - 100_000, self.now_us)).map_err(drop)?;
        let met = self.meets(projectile, made, self.now_us);
        let desc = HitboxDesc {
            actor: projectile,
            component: ComponentId(1),
            name: NameHash::of("shell"),
            region: NameHash::of("shell"),
            projectile: true,
            client_only: false,
            cadence: Cadence::EveryServerTick,
        };
        let id = self.history.register(desc, ball(self.x_cm(self.now_us, side))).map_err(drop)?;
        self.alive.push((projectile, id, self.now_us, side));
        Ok(met)
    }

    /// What a query that was made then sees, asked now.
    fn meets(&self, own: ActorId, made: snapback_rewind::fire::QueryOrder, to_us: u64) -> bool {
        let at = |x_cm: i32| Point::of(Vec3::from_ints(x_cm, 0, 0)).unwrap();
        let sweep = Sweep {
            from: at(-1_000),
            to: at(1_000),
            radius_units: 1_000,
            from_us: to_us.saturating_sub(100_000).max(1_000_000),
            to_us,
            too_old: TooOld::Clamp,
        };
        let filter = QueryFilter { include_projectiles: true, include_actors: false, ignore_actor: Some(own), ..QueryFilter::default() };
        let hit = self.history.sweep(&sweep, &filter, &mut RewindCounters::default()).unwrap();
        hit.is_some_and(|hit| self.records.check(hit.actor, made, hit.target_us).is_ok())
    }

    fn tick(&mut self) {
        self.now_us += TICK_US;
        let (alive, now_us) = (self.alive.clone(), self.now_us);
        let source = &mut |id: HitboxId, _: &HitboxDesc| {
            let found = alive.iter().find(|(_, theirs, _, _)| *theirs == id);
            found.map_or(Sampled::Gone, |&(_, _, born_us, side)| {
                Sampled::Here(ball(side * (500 - ((now_us - born_us) / TICK_US) as i32 * 100)))
            })
        };
        self.history.record_tick(now_us, source).unwrap();
    }

    fn destroy(&mut self, projectile: ActorId) {
        let at = self.alive.iter().position(|(theirs, ..)| *theirs == projectile).unwrap();
        let (_, id, ..) = self.alive.remove(at);
        assert!(self.history.retire(id));
        assert!(self.records.destroyed(projectile, self.now_us));
    }
}

#[test]
fn a_late_arrival_meets_what_was_accepted_and_never_changes_what_was_validated() {
    for (first, second) in [(A, B), (B, A)] {
        let mut server = Server::new();
        server.tick();
        let made = server.records.now();
        let asked_us = server.now_us;
        assert_eq!(server.accept(first, 1), Ok(false), "nobody is there yet");
        for _ in 0..4 {
            server.tick();
        }
        // Whoever comes second was fired at a time when the first was in flight, and meets it.
        assert_eq!(server.accept(second, -1), Ok(true));
        server.tick();
        assert!(!server.meets(first, made, asked_us), "the first is as it was, asked again");
        assert!(!server.meets(first, made, server.now_us), "even asked about times at which the second was there");
    }
}

#[test]
fn two_that_arrive_in_one_tick_do_not_undo_each_other() {
    for (first, second) in [(A, B), (B, A)] {
        let mut server = Server::new();
        server.tick();
        let made = server.records.now();
        assert_eq!(server.accept(first, 1), Ok(false));
        server.accept(second, -1).unwrap();
        assert!(!server.meets(first, made, server.now_us));
    }
}

#[test]
fn a_destroyed_projectile_is_met_where_it_was_and_not_afterwards() {
    let mut server = Server::new();
    server.tick();
    server.accept(A, 1).unwrap();
    for _ in 0..3 {
        server.tick();
    }
    server.destroy(A);
    let destroyed_us = server.now_us;
    for _ in 0..3 {
        server.tick();
    }
    let made = server.records.now();
    assert!(server.meets(B, made, destroyed_us));
    let after = Sweep {
        from: Point::of(Vec3::from_ints(-1_000, 0, 0)).unwrap(),
        to: Point::of(Vec3::from_ints(1_000, 0, 0)).unwrap(),
        radius_units: 1_000,
        from_us: destroyed_us + 1,
        to_us: server.now_us,
        too_old: TooOld::Clamp,
    };
    let filter = QueryFilter { include_projectiles: true, ..QueryFilter::default() };
    assert_eq!(server.history.sweep(&after, &filter, &mut RewindCounters::default()), Ok(None));
    assert_eq!(server.records.check(A, made, destroyed_us + 1), Err(Unseen::AfterDestroyed));
}
