//! Nobody but a rewind query sees a proxy: a tiny world with colliders of its own beside the pool.

use crate::*;
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
