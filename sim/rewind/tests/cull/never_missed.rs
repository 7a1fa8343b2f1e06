//! Culling against no culling: whoever the history of hitboxes lets a shot hit is kept.
//!
//! The history is the real one, with every cadence, teleports with and without a new epoch, hitches, samples that
//! are refused, bodies that grow, turn and change their shape, and hitboxes that are retired.

use snapback_core::{Angle, Fx, NameHash, Quat, Rng};
use snapback_rewind::cull::{
    self, Aabb, BoundsConfig, BoundsHistory, BoundsId, CullByPath, CullTally, Culler, KeepAll, PendingRewind, Window,
};
use snapback_rewind::{
    ActorId, Cadence, HitboxDesc, HitboxId, HitboxSample, MatchTeam, NetRole, Point, QueryError, QueryFilter, RewindConfig, RewindCounters,
    RewindHistory, Sampled, Shape, SourceShape, Sweep, TooOld, WorldKind,
};

use crate::cases::{are_all, cases};
use crate::{BODY, actor, at, within};

/// 4 m.
const REACH: u32 = 65_536;
const MOST: usize = 12;

struct Walker {
    id: HitboxId,
    /// Sampled at every tick, to know its bounds.
    now: HitboxId,
    bounds: BoundsId,
    body: Body,
}

#[derive(Clone, Copy)]
struct Body {
    actor: ActorId,
    place: Point,
    step: [i32; 3],
    turn: i32,
    radius_cm: i32,
    height_cm: i32,
    epoch: u32,
    /// Whether its sample of this tick cannot be recorded.
    is_refused: bool,
}

impl Body {
    fn new(rng: &mut Rng, actor: ActorId) -> Self {
        let place = crate::point(rng, REACH);
        Self { actor, place, step: [0; 3], turn: 0, radius_cm: 10, height_cm: 40, epoch: 0, is_refused: false }
    }

    fn moves(&mut self, rng: &mut Rng) {
        if rng.chance(60_000) {
            self.place = crate::point(rng, REACH);
            self.epoch += rng.below(2);
        }
        if rng.chance(100_000) {
            self.step = [within(rng, 8_000), within(rng, 2_000), within(rng, 8_000)];
        }
        if rng.chance(100_000) {
            (self.radius_cm, self.height_cm) = (5 + rng.below(60) as i32, rng.below(150) as i32);
        }
        self.turn += within(rng, 40);
        self.is_refused = rng.chance(50_000);
        let [x, y, z] = self.step;
        self.place = at(self.place.x + x, self.place.y + y, self.place.z + z);
        if self.place.to_array().iter().any(|part| part.unsigned_abs() > 2 * REACH) {
            self.step = self.step.map(|part| -part);
        }
    }

    fn sample(&self) -> HitboxSample {
        let radius = Fx::from_int(self.radius_cm);
        let source = if self.height_cm % 3 == 0 {
            SourceShape::Sphere { radius }
        } else {
            SourceShape::Capsule { radius, half_height: Fx::from_int(self.height_cm) }
        };
        HitboxSample {
            position: if self.is_refused { at(i32::MAX, 0, 0) } else { self.place },
            rotation: Quat::from_axis_angle(at(self.radius_cm, 3, 40).to_vec3(), Angle::from_degrees(self.turn)),
            shape: Shape::of(source).unwrap(),
            damageable: true,
            blocking: false,
            team: MatchTeam::NONE,
            state_flags: 0,
            epoch: self.epoch,
        }
    }

    fn desc(&self, cadence: Cadence) -> HitboxDesc {
        HitboxDesc {
            actor: self.actor,
            component: BODY,
            name: NameHash::NONE,
            region: NameHash::NONE,
            projectile: false,
            client_only: false,
            cadence,
        }
    }
}

fn cadence(rng: &mut Rng) -> Cadence {
    let hz = [10, 13, 20, 25, 30, 60, 100][rng.below(7) as usize];
    [Cadence::EveryServerTick, Cadence::FixedHz { hz }, Cadence::OwnerNetUpdateRate { hz }][rng.below(3) as usize]
}

/// The box of a hitbox as it truly is now.
fn bounds(present: &RewindHistory, id: HitboxId) -> Aabb {
    let frame = present.newest_frame(id, &mut RewindCounters::default()).unwrap();
    let radius_units = (frame.radius.to_bits() / 400) as u32;
    Aabb::around(frame.centre, frame.half_axis.map(|end| end.unsigned_abs() + radius_units))
}

/// Everybody whom a sweep meets, one after another.
fn met(history: &RewindHistory, sweep: &Sweep, instigator: Option<ActorId>) -> Result<Vec<(HitboxId, u64)>, QueryError> {
    let mut filter = QueryFilter { ignore_actor: instigator, ..QueryFilter::default() };
    let mut met = Vec::new();
    while let Some(hit) = history.sweep(sweep, &filter, &mut RewindCounters::default())? {
        met.push((hit.hitbox, hit.target_us));
        if !filter.except.insert(hit.actor) {
            break;
        }
    }
    Ok(met)
}

type Cull<'a> = dyn FnMut(&mut Culler, &BoundsHistory, &PendingRewind<'_>, &mut Vec<BoundsId>) -> CullTally + 'a;

/// Plays a match of `seed` and says in which tick culling lost a hit, if in any. `slack` makes of a history's
/// configuration what its bounds are given.
fn lost(seed: u64, cull: &mut Cull<'_>, slack: fn(&RewindConfig) -> u64, of_use: &mut Usefulness) -> Option<String> {
    let mut rng = Rng::new(seed, 77);
    let config = RewindConfig {
        max_hitboxes: MOST,
        max_ticks: 96,
        max_interpolation_gap_us: 60_000 + u64::from(rng.below(2)) * 40_000,
        max_future_tolerance_us: [25_000, 110_000][rng.below(2) as usize],
        ..RewindConfig::default()
    };
    let new = || RewindHistory::new(config, WorldKind::Game, NetRole::Authority).unwrap();
    let (mut history, mut present) = (new(), new());
    // Sometimes the ring is too short for the window.
    let ticks = if rng.chance(200_000) { 2 + rng.below(20) } else { 96 };
    let slack_us = slack(&config) as u32;
    let mut boxes = BoundsHistory::new(BoundsConfig { max_components: MOST as u32, ticks, slack_us }).unwrap();
    let mut culler = Culler::new(boxes.config());
    let (mut walkers, mut gone) = (Vec::<Walker>::new(), Vec::<(HitboxId, BoundsId)>::new());
    let (mut now_us, mut names) = (u64::from(rng.below(1_000_000)), 0);
    let tick_us = [10_000, 16_667, 30_000][rng.below(3) as usize];
    for tick in 0..60 {
        now_us += if rng.chance(30_000) { 130_000 } else { u64::from(tick_us + rng.below(2_000)) };
        for walker in &mut walkers {
            walker.body.moves(&mut rng);
        }
        let mut source = |_: HitboxId, desc: &HitboxDesc| {
            let walker = walkers.iter().find(|walker| walker.body.actor == desc.actor);
            walker.map_or(Sampled::Gone, |walker| Sampled::Here(walker.body.sample()))
        };
        history.record_tick(now_us, &mut source).unwrap();
        present.record_tick(now_us, &mut source).unwrap();
        boxes.forget_retired(now_us, config.max_rewind_us);
        for walker in walkers.iter().filter(|walker| !walker.body.is_refused) {
            boxes.record(now_us, walker.bounds, bounds(&present, walker.now)).unwrap();
        }
        if !walkers.is_empty() && rng.chance(60_000) {
            let walker = walkers.swap_remove(rng.below(walkers.len() as u32) as usize);
            assert!(present.unregister(walker.now));
            if rng.chance(700_000) {
                assert!(history.retire(walker.id) && boxes.retire(now_us, walker.bounds));
                gone.push((walker.id, walker.bounds));
            } else {
                assert!(history.unregister(walker.id) && boxes.unregister(walker.bounds));
            }
        }
        if let Some(walker) = walkers.first().filter(|_| rng.chance(20_000)) {
            let cadence = cadence(&mut rng);
            assert!(history.set_cadence(walker.id, cadence) && boxes.set_cadence(walker.bounds, cadence));
        }
        if history.len() < MOST && (tick == 0 || rng.chance(200_000)) {
            let (body, cadence) = (Body::new(&mut rng, actor(names)), cadence(&mut rng));
            let id = history.register(body.desc(cadence), body.sample()).unwrap();
            let now = present.register(body.desc(Cadence::EveryServerTick), body.sample()).unwrap();
            let bounds = boxes.register(now_us, body.actor, BODY, cadence, bounds(&present, now)).unwrap();
            walkers.push(Walker { id, now, bounds, body });
            names += 1;
        }
        for question in 0..4 {
            let until_us = now_us + u64::from(rng.below(2)) * u64::from(rng.below(config.max_future_tolerance_us as u32 + 1));
            let earliest_us = now_us.saturating_sub(config.max_rewind_us);
            let from_us = earliest_us + u64::from(rng.below((until_us - earliest_us) as u32 + 1));
            // Half of them at one time.
            let length_us = if question % 2 == 0 { 0 } else { rng.below((until_us - from_us).min(120_000) as u32 + 1) };
            let to_us = from_us + u64::from(length_us);
            // Right through somebody as they are shown, or nearly so.
            let ids: Vec<HitboxId> = history.hitboxes().collect();
            let aim = ids.get(rng.below(ids.len() as u32 + 1) as usize);
            let aim = aim.and_then(|&id| history.frame_at(id, from_us, &mut RewindCounters::default()).ok());
            let aim = aim.map_or(Point::ORIGIN, |frame| frame.centre);
            let (off, way) = (crate::point(&mut rng, 8_000), crate::point(&mut rng, REACH));
            let middle = at(aim.x + off.x, aim.y + off.y, aim.z + off.z);
            let from = at(middle.x - way.x, middle.y - way.y, middle.z - way.z);
            let to = at(middle.x + way.x, middle.y + way.y, middle.z + way.z);
            let radius_units = rng.below(2) as i32 * rng.below(2_000) as i32;
            let sweep = Sweep { from, to, radius_units, from_us, to_us, too_old: TooOld::Fail };
            let instigator = rng.chance(300_000).then(|| actor(u64::from(rng.below(names as u32))));
            let Ok(met) = met(&history, &sweep, instigator) else { continue };

            let path = [cull::Sweep::ball(from, to, radius_units as u32).unwrap()];
            // Mostly as narrow as can be.
            let wider_us = if rng.chance(300_000) { u64::from(rng.below(100_000)) } else { 0 };
            let pending =
                PendingRewind { window: Window::new(from_us.saturating_sub(wider_us), to_us + wider_us), instigator, path: &path };
            let (mut everyone, mut kept) = (Vec::new(), Vec::new());
            culler.cull(&boxes, &pending, &mut KeepAll, &mut everyone);
            of_use.add(cull(&mut culler, &boxes, &pending, &mut kept));
            assert!(kept.iter().all(|id| everyone.contains(id)), "seed {seed}, tick {tick}: somebody is kept who is no target");
            for (id, target_us) in met {
                of_use.hits += 1;
                let walking = walkers.iter().find(|walker| walker.id == id).map(|walker| walker.bounds);
                let bounds = walking.or_else(|| {
                    of_use.retired_hits += 1;
                    gone.iter().find(|(retired, _)| *retired == id).map(|(_, bounds)| *bounds)
                });
                if !bounds.is_some_and(|bounds| kept.contains(&bounds)) {
                    let cadence = history.desc(id).map(|desc| desc.cadence);
                    return Some(format!("tick {tick}: {id:?} ({cadence:?}) is hit at {target_us} us by {sweep:?} and was culled"));
                }
            }
        }
    }
    None
}

#[derive(Default, Debug)]
struct Usefulness {
    targets: u64,
    kept: u64,
    unknown: u64,
    hits: u64,
    retired_hits: u64,
}

impl Usefulness {
    fn add(&mut self, tally: CullTally) {
        let CullTally { targets, instigator, already_listed, box_missed, complex_missed, kept, left, unknown, .. } = tally;
        assert_eq!(instigator + already_listed + box_missed + complex_missed + kept + left, targets);
        assert_eq!(complex_missed + left, 0);
        self.targets += u64::from(targets - instigator);
        self.kept += u64::from(kept);
        self.unknown += u64::from(unknown);
    }
}

/// As the documentation says.
fn slack_us(config: &RewindConfig) -> u64 {
    config.max_interpolation_gap_us.max(config.max_future_tolerance_us)
}

fn by_path(culler: &mut Culler, history: &BoundsHistory, pending: &PendingRewind<'_>, out: &mut Vec<BoundsId>) -> CullTally {
    culler.cull(history, pending, &mut CullByPath, out)
}

fn check(seed: u64, of_use: &mut Usefulness) {
    if let Some(lost) = lost(seed, &mut by_path, slack_us, of_use) {
        panic!("seed {seed}: {lost}; replay with SNAPBACK_SEED={seed} cargo test -p snapback-rewind --test cull one_seed");
    }
}

#[test]
fn whatever_is_hit_without_culling_is_kept() {
    let mut of_use = Usefulness::default();
    for seed in 0..u64::from(cases(1_500)) {
        check(seed, &mut of_use);
    }
    println!("{of_use:?}");
    if are_all() {
        assert!(of_use.hits > 30_000, "{of_use:?}: hardly anything is hit");
        assert!(of_use.retired_hits > 300, "{of_use:?}: hardly anything is hit that is retired");
        assert!(of_use.unknown > 10_000, "{of_use:?}: rings are hardly ever too short");
        assert!(of_use.kept * 2 < of_use.targets, "{of_use:?}: culling is of no use");
    }
}

#[test]
fn one_seed() {
    let Ok(seed) = std::env::var("SNAPBACK_SEED") else { return };
    check(seed.parse().unwrap(), &mut Usefulness::default());
}

/// Culls by composites that are put together here, of what is recorded and `counts`.
fn planted(history: &BoundsHistory, pending: &PendingRewind<'_>, out: &mut Vec<BoundsId>, counts: fn(usize, u64, Window) -> bool) {
    let targets = history.ids().filter(|id| history.composite(*id, pending.window).is_some());
    for id in targets.filter(|id| history.owner(*id).map(|(actor, _)| actor) != pending.instigator) {
        let boxes = history.recorded(id).enumerate().filter(|(age, (at_us, _))| counts(*age, *at_us, pending.window));
        let composite = boxes.map(|(_, (_, bounds))| bounds).reduce(Aabb::union);
        if composite.is_some_and(|bounds| pending.path.iter().any(|sweep| sweep.touches(bounds))) {
            out.push(id);
        }
    }
}

#[test]
fn a_composite_without_its_last_frame_or_the_one_before_its_first_is_seen() {
    let is_seen = |counts: fn(usize, u64, Window) -> bool| {
        let mut cull = |_: &mut Culler, history: &BoundsHistory, pending: &PendingRewind<'_>, out: &mut Vec<BoundsId>| {
            planted(history, pending, out, counts);
            CullTally::default()
        };
        (0..40).any(|seed| lost(seed, &mut cull, slack_us, &mut Usefulness::default()).is_some())
    };
    assert!(is_seen(|age, _, _| age > 0));
    assert!(is_seen(|_, at_us, window| at_us >= window.start_us()));
    assert!(is_seen(|_, at_us, window| at_us <= window.now_us()));
}

#[test]
fn a_slack_that_is_too_short_is_seen() {
    let is_seen =
        |slack: fn(&RewindConfig) -> u64| (0..40).any(|seed| lost(seed, &mut by_path, slack, &mut Usefulness::default()).is_some());
    assert!(is_seen(|_| 0));
    assert!(is_seen(|config| slack_us(config) / 2));
}
