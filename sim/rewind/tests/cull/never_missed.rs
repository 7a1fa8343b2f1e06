//! Culling against no culling: what a shot hits if everyone is rewound, it hits if only those are who
//! were kept.

use snapback_core::Rng;
use snapback_rewind::cull::{
    Aabb, BoundsConfig, BoundsHistory, BoundsId, CullByPath, CullTally, Culler, KeepAll, PendingRewind, Sweep, Volume, Window,
};
use snapback_rewind::{ActorId, ComponentId, Point};

use crate::cases::{are_all, cases};
use crate::exact::reference;
use crate::{actor, at, within};

const REACH: u32 = 2_500;

/// A component as it truly was, at every time at which it was recorded, since the beginning.
struct Truth {
    id: BoundsId,
    owner: (ActorId, ComponentId),
    centre: Point,
    half: [u32; 3],
    velocity: [i32; 3],
    /// Nothing is forgotten here.
    boxes: Vec<(u64, Aabb)>,
}

impl Truth {
    /// Its box at a time, on its way from the one before to the one after; the newest is held.
    fn at(&self, at_us: u64) -> Option<Aabb> {
        let (from_us, from) = *self.boxes.iter().rev().find(|(time_us, _)| *time_us <= at_us)?;
        let Some((to_us, to)) = self.boxes.iter().find(|(time_us, _)| *time_us > at_us).copied() else { return Some(from) };
        let fraction = i64::try_from((at_us - from_us) * 65_536 / (to_us - from_us)).unwrap();
        let lerp = |p: i32, q: i32| (i64::from(p) + (((i64::from(q) - i64::from(p)) * fraction + (1 << 15)) >> 16)) as i32;
        let each = |p: Point, q: Point| at(lerp(p.x, q.x), lerp(p.y, q.y), lerp(p.z, q.z));
        Some(Aabb::new(each(from.min(), to.min()), each(from.max(), to.max())).unwrap())
    }

    fn moves(&mut self, rng: &mut Rng) -> Aabb {
        if rng.chance(30_000) {
            self.centre = crate::point(rng, REACH);
        }
        if rng.chance(100_000) {
            self.velocity = [within(rng, 120), within(rng, 60), within(rng, 120)];
        }
        if rng.chance(50_000) {
            self.half = [10 + rng.below(400), 10 + rng.below(400), 10 + rng.below(400)];
        }
        let [x, y, z] = self.velocity;
        self.centre = at(self.centre.x + x, self.centre.y + y, self.centre.z + z);
        Aabb::around(self.centre, self.half)
    }
}

fn path(rng: &mut Rng) -> Vec<Sweep> {
    let mut from = crate::point(rng, REACH);
    let volume = match rng.below(3) {
        0 => Volume::Point,
        1 => Volume::Ball(rng.below(200)),
        _ => Volume::Box([rng.below(200), rng.below(200), rng.below(200)]),
    };
    (0..1 + rng.below(3))
        .map(|_| {
            let to = crate::point(rng, REACH);
            let sweep = Sweep::new(from, to, volume).unwrap();
            from = to;
            sweep
        })
        .collect()
}

/// Whether the boxes around both meet: the reference is slow.
fn is_near(sweep: Sweep, target: Aabb) -> bool {
    let reach = match sweep.volume() {
        Volume::Point => [0; 3],
        Volume::Ball(radius) => [radius; 3],
        Volume::Box(half_extents) => half_extents,
    };
    let (start, end) = (sweep.start().to_array(), sweep.end().to_array());
    let (low, high) = (target.min().to_array(), target.max().to_array());
    (0..3).all(|axis| {
        let (from, to) = (start[axis].min(end[axis]), start[axis].max(end[axis]));
        from - reach[axis] as i32 <= high[axis] && to + reach[axis] as i32 >= low[axis]
    })
}

type Cull<'a> = dyn FnMut(&mut Culler, &BoundsHistory, &PendingRewind<'_>, &mut Vec<BoundsId>) -> CullTally + 'a;

/// Plays a match of `seed` and says in which tick culling lost a hit, if in any.
fn lost(seed: u64, cull: &mut Cull<'_>, of_use: &mut Usefulness) -> Option<String> {
    let mut rng = Rng::new(seed, 77);
    let window_us = 50_000 + u64::from(rng.below(250_000));
    // Sometimes the ring is too short for the window.
    let ticks = 2 + rng.below(24);
    let config = BoundsConfig { max_components: 24, ticks };
    let mut history = BoundsHistory::new(config);
    let mut culler = Culler::new(config);
    let mut truths: Vec<Truth> = Vec::new();
    let (mut now_us, mut names) = (u64::from(rng.below(1_000_000)), 0);
    for tick in 0..50 {
        now_us += 1 + u64::from(rng.below(33_000));
        if truths.len() < 24 && (tick == 0 || rng.chance(300_000)) {
            for component in 0..1 + u64::from(rng.below(3)) {
                let owner = (actor(names), ComponentId(component));
                let (centre, half) = (crate::point(&mut rng, REACH), [30 + rng.below(100), 90, 30]);
                let bounds = Aabb::around(centre, half);
                let Ok(id) = history.register(now_us, owner.0, owner.1, bounds) else { break };
                truths.push(Truth { id, owner, centre, half, velocity: [0; 3], boxes: vec![(now_us, bounds)] });
            }
            names += 1;
        }
        if rng.chance(20_000) {
            let dead = actor(u64::from(rng.below(names as u32 + 1)));
            history.prune_actor(dead);
            truths.retain(|truth| truth.owner.0 != dead);
        }
        for truth in &mut truths {
            let bounds = truth.moves(&mut rng);
            // Some ticks are left out.
            if truth.boxes.last().is_some_and(|(at_us, _)| *at_us < now_us) && rng.chance(850_000) {
                history.record(now_us, truth.id, bounds).unwrap();
                truth.boxes.push((now_us, bounds));
            }
        }
        let path = path(&mut rng);
        let instigator = Some(actor(u64::from(rng.below(names as u32 + 1))));
        // Now may be after the newest tick, or before it.
        let end_us = (now_us + u64::from(rng.below(20_000))).saturating_sub(u64::from(rng.below(40_000)));
        let window = Window::back(end_us, window_us);
        let pending = PendingRewind { window, instigator, path: &path };
        let (mut everyone, mut kept) = (Vec::new(), Vec::new());
        culler.cull(&history, &pending, &mut KeepAll, &mut everyone);
        of_use.add(cull(&mut culler, &history, &pending, &mut kept));
        assert!(kept.iter().all(|id| everyone.contains(id)), "seed {seed}, tick {tick}: somebody is kept who is no target");

        let length_us = window.now_us() - window.start_us();
        let between = |rng: &mut Rng| window.start_us() + u64::from(rng.below(length_us as u32 + 1));
        let mut times_us: Vec<u64> = (0..4).map(|_| between(&mut rng)).chain([window.start_us(), window.now_us()]).collect();
        for truth in truths.iter().filter(|truth| Some(truth.owner.0) != instigator) {
            let own = truth.boxes.iter().map(|(at_us, _)| *at_us).filter(|at_us| (window.start_us()..=window.now_us()).contains(at_us));
            times_us.truncate(6);
            times_us.extend(own);
            let hit_at = |at_us: &u64| {
                truth.at(*at_us).is_some_and(|bounds| path.iter().any(|sweep| is_near(*sweep, bounds) && reference(*sweep, bounds)))
            };
            if let Some(at_us) = times_us.iter().find(|at_us| hit_at(at_us)) {
                of_use.hits += 1;
                if !kept.contains(&truth.id) {
                    return Some(format!("tick {tick}: {:?} is hit at {at_us} us in {window:?} and was culled", truth.owner));
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

fn check(seed: u64, of_use: &mut Usefulness) {
    let mut cull = |culler: &mut Culler, history: &BoundsHistory, pending: &PendingRewind<'_>, out: &mut Vec<BoundsId>| {
        culler.cull(history, pending, &mut CullByPath, out)
    };
    if let Some(lost) = lost(seed, &mut cull, of_use) {
        panic!("seed {seed}: {lost}; replay with SNAPBACK_SEED={seed} cargo test -p snapback-rewind --test cull one_seed");
    }
}

#[test]
fn whatever_is_hit_without_culling_is_kept() {
    let mut of_use = Usefulness::default();
    for seed in 0..u64::from(cases(2_000)) {
        check(seed, &mut of_use);
    }
    println!("{of_use:?}");
    if are_all() {
        assert!(of_use.hits > 30_000, "{of_use:?}: hardly anything is hit");
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
        (0..20).any(|seed| lost(seed, &mut cull, &mut Usefulness::default()).is_some())
    };
    assert!(is_seen(|age, _, _| age > 0));
    assert!(is_seen(|_, at_us, window| at_us >= window.start_us()));
    assert!(is_seen(|_, at_us, window| at_us <= window.now_us()));
}
