//! Nobody but a rewind query sees a proxy: a tiny world with colliders of its own beside the pool.

use crate::*;
use snapback_core::{Fx, Vec3};
use snapback_rewind::flight::{
    Flight, FlightCounters, FlightObserver, FlightOwner, Gravity, Impact, ImpactRule, PathSegment, ProjectileSpec, Shot, Verdict,
};
use snapback_rewind::live::{ColliderDesc, ColliderKind, KindSet, LiveFilter, LiveHit, LiveSweep, LiveWorld, Scene, Solid};
use snapback_rewind::proxy::*;

/// Something solid that the game knows.
struct Collider {
    name: &'static str,
    channel: Channel,
    centre: Point,
}

/// A host's world. Everything that walks over colliders goes through [`World::visit`].
struct World {
    colliders: Vec<Collider>,
    pool: ProxyPool,
}

impl World {
    /// A pawn, a wall and a projectile at the origin, and two active proxies of the past at the same
    /// place.
    fn new() -> Self {
        let channel = |number| Channel::gameplay(number).unwrap();
        let colliders = [("wall", 0), ("pawn", 2), ("shell", 30)]
            .map(|(name, number)| Collider { name, channel: channel(number), centre: Point::ORIGIN })
            .into();
        let history = history(&[sample(ball(500), 0, 0, 0), sample(capsule(500, 900), 0, 0, 0)]);
        let mut pool = ProxyPool::new(ProxyConfig::default());
        let bounds = QueryBounds::along(along_z());
        let built = pool.build(&history, NOW_US, &QueryFilter::default(), &bounds, &mut RewindCounters::default());
        assert_eq!(built, Ok(2));
        Self { colliders, pool }
    }

    fn visit(&self, purpose: Purpose, channels: ChannelSet) -> Vec<(&'static str, Point)> {
        let real = self.colliders.iter().filter(|collider| channels.contains(collider.channel));
        let proxies = self.pool.visit(purpose, channels).map(|(_, frame)| ("proxy", frame.centre));
        real.map(|collider| (collider.name, collider.centre)).chain(proxies).collect()
    }

    fn names(&self, purpose: Purpose, channels: ChannelSet) -> Vec<&'static str> {
        self.visit(purpose, channels).into_iter().map(|(name, _)| name).collect()
    }

    /// Pairs of colliders that touch, as a game would tell its actors.
    fn overlap_events(&self) -> Vec<(&'static str, &'static str)> {
        let all = self.visit(Purpose::OverlapEvents, everything());
        let pairs = all.iter().enumerate().flat_map(|(at, a)| all[at + 1..].iter().map(move |b| (a, b)));
        pairs.filter(|((_, a), (_, b))| a == b).map(|((a, _), (b, _))| (*a, *b)).collect()
    }
}

/// The set that a careless host would ask about.
fn everything() -> ChannelSet {
    ChannelSet::ALL_GAMEPLAY.with(Channel::LAG_COMP_HITBOX)
}

#[test]
fn only_a_rewind_query_sees_a_proxy() {
    let world = World::new();
    for purpose in Purpose::ALL {
        // Whatever is done on gameplay channels, all of them together or one by one.
        assert_eq!(world.names(purpose, ChannelSet::ALL_GAMEPLAY), ["wall", "pawn", "shell"], "{purpose:?}");
        for number in 0..31 {
            let one = ChannelSet::EMPTY.with(Channel::gameplay(number).unwrap());
            assert!(!world.names(purpose, one).contains(&"proxy"), "{purpose:?} {number}");
        }
        // Collision, overlap events, replication and drawing not even if they ask for the proxies' channel.
        for channels in [ChannelSet::LAG_COMP_HITBOX, everything()] {
            let proxies = world.names(purpose, channels).iter().filter(|name| **name == "proxy").count();
            assert_eq!(proxies, if purpose == Purpose::Query { 2 } else { 0 }, "{purpose:?}");
        }
    }
    assert_eq!(world.names(Purpose::Query, ChannelSet::LAG_COMP_HITBOX), ["proxy", "proxy"]);
}

#[test]
fn a_proxy_at_the_same_place_makes_no_overlap_event() {
    let world = World::new();
    assert_eq!(world.overlap_events(), [("wall", "pawn"), ("wall", "shell"), ("pawn", "shell")]);
}

#[test]
fn an_inactive_proxy_is_seen_by_nobody() {
    let mut world = World::new();
    world.pool.clear();
    for purpose in Purpose::ALL {
        assert_eq!(world.names(purpose, everything()), ["wall", "pawn", "shell"]);
    }
}

#[test]
fn no_gameplay_channel_is_the_proxies_one() {
    for number in 0..=u8::MAX {
        let channel = Channel::gameplay(number);
        assert_eq!(channel.is_some(), number < 31);
        assert_ne!(channel, Some(Channel::LAG_COMP_HITBOX));
        assert!(channel.is_none_or(|channel| ChannelSet::ALL_GAMEPLAY.contains(channel) && channel.number() == number));
    }
    assert!(!ChannelSet::ALL_GAMEPLAY.contains(Channel::LAG_COMP_HITBOX));
    assert!(!ChannelSet::LAG_COMP_HITBOX.contains(Channel::gameplay(0).unwrap()));
    assert_eq!(ChannelSet::default(), ChannelSet::EMPTY);
}

/// What a scene answers, and what flies through it does.
#[derive(PartialEq, Debug)]
struct Present {
    sweeps: Vec<Option<LiveHit>>,
    sights: Vec<bool>,
    flights: Vec<(Flight<Gravity>, Vec<Impact>)>,
    counters: FlightCounters,
}

/// Whether a sweep of the past is told of.
#[derive(Default)]
struct Asked(bool);

impl FlightObserver for Asked {
    fn segment(&mut self, segment: &PathSegment) {
        self.0 |= segment.target_us.is_some();
    }
}

/// Sweeps and flies through a scene with a pawn at the origin and a wall behind it.
fn present() -> Present {
    let mut scene = Scene::new(2);
    let solids = [
        (ColliderKind::Pawn, Solid::ball(units::fx(300)).unwrap(), Point { x: 0, y: 0, z: 2_000 }),
        (ColliderKind::WorldStatic, Solid::half_space(-Vec3::Z).unwrap(), Point { x: 0, y: 0, z: 40_000 }),
    ];
    for (number, (kind, solid, place)) in solids.into_iter().enumerate() {
        let (actor, team) = (ActorId(70 + number as u64), MatchTeam::NONE);
        scene.add(ColliderDesc { actor, kind, team, damageable: true, lag_comp_ignore: false, solid, place }).unwrap();
    }
    let all = LiveFilter { kinds: KindSet::ALL, ..LiveFilter::default() };
    let mut done = Present { sweeps: Vec::new(), sights: Vec::new(), flights: Vec::new(), counters: FlightCounters::default() };
    for x in (-1_000..=1_000).step_by(250) {
        let (from, to) = (Point { x, y: 0, z: -20_000 }, Point { x, y: 0, z: 20_000 });
        for radius_units in [0, 100, 800] {
            done.sweeps.push(scene.sweep(&LiveSweep { from, to, radius_units }, &all));
        }
        done.sights.push(scene.line_of_sight(from.to_vec3(), to.to_vec3(), &all));
        for on_impact in [ImpactRule::Stop, ImpactRule::Pierce, ImpactRule::Bounce { restitution: Fx::ONE }] {
            let spec = ProjectileSpec { on_impact, max_impacts: 20, ..ProjectileSpec::default() };
            let owner = FlightOwner::authority(WorldKind::Game, NetRole::Authority).unwrap();
            let velocity = Vec3::from_ints(0, 0, 5_000);
            let shot = Shot { shooter: ActorId(1), sequence: 1, muzzle: from.to_vec3(), velocity, fire_us: NOW_US };
            let mut flight = Flight::new(owner, spec, spec.ballistics(), shot, 10_000).unwrap();
            let (mut impacts, mut asked) = (Vec::new(), Asked::default());
            for _ in 0..20 {
                let note = &mut |impact: &Impact| {
                    impacts.push(*impact);
                    Ok::<_, ()>(Verdict::GoOn)
                };
                flight.tick_live(&scene, None, &mut done.counters, &mut asked, note).unwrap();
            }
            assert!(!asked.0);
            done.flights.push((flight, impacts));
        }
    }
    done
}

#[test]
fn sweeps_and_flights_of_the_present_pass_active_proxies_at_the_same_place() {
    let history = history(&[sample(ball(500), 0, 0, 0), sample(capsule(500, 900), 0, 0, 0)]);
    let mut pool = ProxyPool::new(ProxyConfig::default());
    let without = present();
    let built = pool.build(&history, NOW_US, &QueryFilter::default(), &QueryBounds::along(along_z()), &mut RewindCounters::default());
    assert_eq!((built, pool.sweep(&along_z(), &mut RewindCounters::default()).is_some()), (Ok(2), true));
    assert_eq!(without, present());
    // They are nearer than the pawn, which is what was met.
    let straight = without.sweeps[4 * 3].unwrap();
    assert_eq!((straight.actor, without.sights[4]), (ActorId(70), false));
    assert!(without.flights[4 * 3].1.iter().all(|impact| impact.target.actor() == ActorId(70)) && without.flights[4 * 3].1.len() == 1);
    assert!(pool.active_count(ShapeKind::Sphere) == 1 && pool.active_count(ShapeKind::Capsule) == 1);
}
