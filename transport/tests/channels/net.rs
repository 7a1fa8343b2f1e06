//! [`Net`]: hubs on one virtual clock, whose only other alarm is their own `poll_timeout`, with a
//! `LinkConditioner` for each direction of each pair.

use snapback_core::{PlayerHandle, PlayerSet};
pub(crate) use snapback_transport::channel::Channel;
use snapback_transport::channel::{ChannelHub, HubEvent, HubRole, HubSecurity, HubSettings, Received};
use snapback_transport::link::{LinkConditioner, LinkSettings, Loss};
use std::collections::BTreeMap;
use std::net::SocketAddr;

pub(crate) const MATCH_ID: u64 = 7;
pub(crate) const SECOND_US: u64 = 1_000_000;

/// Every channel that a hub carries.
pub(crate) const CHANNELS: [Channel; 5] =
    [Channel::MatchState, Channel::ChatPresence, Channel::Spectator, Channel::Telemetry, Channel::Lobby];

pub(crate) fn player(seat: usize) -> PlayerHandle {
    PlayerHandle::new(seat as u8)
}

pub(crate) fn address(seat: usize) -> SocketAddr {
    SocketAddr::from(([10, 0, 0, 1 + seat as u8], 7_001))
}

pub(crate) fn elsewhere(n: u16) -> SocketAddr {
    SocketAddr::from(([10, 9, 9, 9], 9_000 + n))
}

/// Which of the two profiles the hubs of a test run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Profile {
    Plain,
    #[cfg(feature = "dtls")]
    Encrypted,
}

impl Profile {
    pub(crate) const ALL: &[Self] = &[
        Self::Plain,
        #[cfg(feature = "dtls")]
        Self::Encrypted,
    ];
}

/// What the hubs of one match share.
pub(crate) struct Match {
    pub(crate) profile: Profile,
    pub(crate) player_count: u8,
    #[cfg(feature = "dtls")]
    certificates: Vec<snapback_transport::secure::Certificate>,
}

impl Match {
    pub(crate) fn new(profile: Profile, player_count: u8) -> Self {
        Self {
            profile,
            player_count,
            #[cfg(feature = "dtls")]
            certificates: (0..player_count).map(|_| snapback_transport::secure::Certificate::generate().unwrap()).collect(),
        }
    }

    /// The settings of the hub in a seat; another `start` is the same program started anew.
    pub(crate) fn settings(&self, seat: usize, start: u64) -> HubSettings {
        let role = if seat == 0 { HubRole::Host } else { HubRole::Join { host: address(0) } };
        let nonce = 1_000 * (seat as u64 + 1) + start;
        HubSettings::new(MATCH_ID, player(seat), self.player_count, nonce, role, self.security(seat))
    }

    pub(crate) fn security(&self, #[allow(unused_variables, reason = "only encryption knows who it is")] seat: usize) -> HubSecurity {
        match self.profile {
            Profile::Plain => HubSecurity::InsecureLan,
            #[cfg(feature = "dtls")]
            Profile::Encrypted => {
                use snapback_transport::channel::HubInvitation;
                let invitation = match seat {
                    0 => HubInvitation::Issued(SECRET),
                    _ => HubInvitation::Held { secret: SECRET.seat(seat as u8), host: self.certificates[0].fingerprint() },
                };
                HubSecurity::Encrypted { settings: Box::new(self.secure(seat)), invitation }
            }
        }
    }

    #[cfg(feature = "dtls")]
    pub(crate) fn secure(&self, seat: usize) -> snapback_transport::secure::SecureSettings {
        let byte = 1 + seat as u8;
        let identity = snapback_transport::secure::Identity::from_seed(&[byte; 32]);
        let certificate = self.certificates[seat].clone();
        snapback_transport::secure::SecureSettings::new(MATCH_ID, certificate, identity, [100 + byte; 32])
    }
}

#[cfg(feature = "dtls")]
pub(crate) const SECRET: snapback_transport::secure::MatchSecret = snapback_transport::secure::MatchSecret([9; 32]);

pub(crate) struct Node {
    pub(crate) hub: ChannelHub,
    pub(crate) address: SocketAddr,
    pub(crate) events: Vec<(u64, HubEvent)>,
    pub(crate) got: Vec<Received>,
    /// Whether it takes what comes in.
    pub(crate) reads: bool,
}

type Hook = Box<dyn FnMut(&mut Passing) -> bool>;

/// A datagram on its way.
pub(crate) struct Passing {
    pub(crate) from: SocketAddr,
    pub(crate) to: SocketAddr,
    bytes: Vec<u8>,
}

impl Passing {
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

pub(crate) struct Net {
    pub(crate) now_us: u64,
    pub(crate) nodes: Vec<Node>,
    pub(crate) link: LinkSettings,
    seed: u64,
    /// By sender and receiver. A datagram carries the sender's address before its bytes.
    links: BTreeMap<(usize, usize), LinkConditioner>,
    hook: Option<Hook>,
    pub(crate) sent: u64,
    steps: u64,
}

impl Net {
    pub(crate) fn new(seed: u64) -> Self {
        let link = LinkSettings { delay_us: 20_000, ..LinkSettings::default() };
        Self { now_us: 1_000, nodes: Vec::new(), link, seed, links: BTreeMap::new(), hook: None, sent: 0, steps: 0 }
    }

    /// A whole match: hubs for every seat.
    pub(crate) fn full(seed: u64, of: &Match) -> Self {
        let mut net = Self::new(seed);
        for seat in 0..usize::from(of.player_count) {
            net.add(of.settings(seat, 0), address(seat));
        }
        net
    }

    /// Everybody connected with everybody.
    pub(crate) fn connected(seed: u64, of: &Match) -> Self {
        let mut net = Self::full(seed, of);
        assert!(net.run_until(10 * SECOND_US, Self::is_mesh), "{:?}: no mesh, {:?}", of.profile, net.connections());
        net
    }

    pub(crate) fn add(&mut self, settings: HubSettings, address: SocketAddr) -> usize {
        let hub = ChannelHub::new(settings, self.now_us).unwrap();
        self.nodes.push(Node { hub, address, events: Vec::new(), got: Vec::new(), reads: true });
        self.nodes.len() - 1
    }

    /// Starts the program of a node anew.
    pub(crate) fn restart(&mut self, at: usize, settings: HubSettings) {
        let hub = ChannelHub::new(settings, self.now_us).unwrap();
        self.nodes[at] = Node { hub, address: self.nodes[at].address, events: Vec::new(), got: Vec::new(), reads: true };
    }

    /// Shows every datagram before it goes out; those for which it says no are lost.
    pub(crate) fn set_hook(&mut self, hook: impl FnMut(&mut Passing) -> bool + 'static) {
        self.hook = Some(Box::new(hook));
    }

    pub(crate) fn clear_hook(&mut self) {
        self.hook = None;
    }

    /// The same for all links from now on.
    pub(crate) fn set_link(&mut self, settings: LinkSettings) {
        self.link = settings;
        for link in self.links.values_mut() {
            link.set_settings(settings);
        }
    }

    pub(crate) fn set_loss(&mut self, per_million: u32) {
        self.set_link(LinkSettings { loss: Loss::Independent { per_million }, ..self.link });
    }

    pub(crate) fn connections(&self) -> Vec<PlayerSet> {
        self.nodes.iter().map(|node| node.hub.connected()).collect()
    }

    pub(crate) fn is_mesh(&self) -> bool {
        self.nodes.iter().all(|node| node.hub.connected().len() + 1 == self.nodes.len())
    }

    pub(crate) fn run_until(&mut self, for_us: u64, mut is_done: impl FnMut(&Self) -> bool) -> bool {
        let until_us = self.now_us + for_us;
        while !is_done(self) && self.now_us < until_us {
            self.step(until_us);
        }
        is_done(self)
    }

    pub(crate) fn run(&mut self, for_us: u64) {
        self.run_until(for_us, |_| false);
    }

    /// Goes to the next thing that happens, or to `until_us`. A hub is called when a datagram arrives and
    /// when its `poll_timeout` has come, and never else.
    pub(crate) fn step(&mut self, until_us: u64) {
        self.steps += 1;
        assert!(self.steps < 10_000 + self.now_us / 100, "a hub spins: {} steps until {}", self.steps, self.now_us);
        for at in 0..self.nodes.len() {
            if self.nodes[at].hub.poll_timeout().is_some_and(|due_us| due_us <= self.now_us) {
                self.pump(at);
            }
        }
        let timeouts = self.nodes.iter().filter_map(|node| node.hub.poll_timeout());
        let arrivals = self.links.values().filter_map(LinkConditioner::next_delivery_us);
        let next_us = timeouts.chain(arrivals).min().unwrap_or(until_us);
        self.now_us = next_us.max(self.now_us).min(until_us.max(self.now_us));
        let mut arrived = Vec::new();
        for ((_, to), link) in &mut self.links {
            while let Some(bytes) = link.receive(self.now_us) {
                arrived.push((*to, bytes.to_vec()));
            }
        }
        for (to, bytes) in arrived {
            let (from, datagram) = bytes.split_at(6);
            let from = SocketAddr::from(([from[0], from[1], from[2], from[3]], u16::from_le_bytes([from[4], from[5]])));
            self.give(to, from, datagram);
        }
    }

    /// Hands a datagram to a node at once, from wherever, and does what comes of it.
    pub(crate) fn give(&mut self, to: usize, from: SocketAddr, datagram: &[u8]) {
        self.nodes[to].hub.handle(self.now_us, from, datagram);
        self.pump(to);
    }

    /// What a host program does: takes everything that is there, and sends what is due.
    pub(crate) fn pump(&mut self, at: usize) {
        let node = &mut self.nodes[at];
        let mut buffer = [0; 1_200];
        let mut sent = Vec::new();
        loop {
            while let Some(event) = node.hub.poll_event() {
                node.events.push((self.now_us, event));
            }
            let mut any = false;
            while node.reads
                && let Some(received) = node.hub.receive(self.now_us)
            {
                node.got.push(received);
                any = true;
            }
            while let Some((to, len)) = node.hub.poll_transmit(self.now_us, &mut buffer) {
                sent.push((to, buffer[..len].to_vec()));
                assert!(sent.len() < 10_000, "node {at} sends without end");
            }
            if !any {
                break;
            }
        }
        while let Some(event) = node.hub.poll_event() {
            node.events.push((self.now_us, event));
        }
        let timeout_us = node.hub.poll_timeout();
        assert!(timeout_us.is_none_or(|timeout| timeout > self.now_us), "node {at} spins at {}: {timeout_us:?}", self.now_us);
        let from = node.address;
        for (to, bytes) in sent {
            self.post(at, Passing { from, to, bytes });
        }
    }

    fn post(&mut self, at: usize, mut passing: Passing) {
        self.sent += 1;
        if self.hook.as_mut().is_some_and(|hook| !hook(&mut passing)) {
            return;
        }
        let Some(to) = self.nodes.iter().position(|node| node.address == passing.to) else { return };
        let SocketAddr::V4(from) = passing.from else { panic!("the net is IPv4") };
        let bytes = [&from.ip().octets()[..], &from.port().to_le_bytes(), &passing.bytes].concat();
        let (settings, seed) = (self.link, self.seed);
        let link = self.links.entry((at, to)).or_insert_with(|| LinkConditioner::new(settings, seed, (at * 16 + to) as u64));
        link.send(self.now_us, &bytes);
    }

    /// Queues a message and sends what is due.
    pub(crate) fn send(&mut self, from: usize, to: usize, channel: Channel, message: &[u8]) -> u64 {
        let id = self.nodes[from].hub.send(self.now_us, player(to), channel, message).unwrap();
        self.pump(from);
        id
    }

    /// The messages that a node received of another one on a channel.
    pub(crate) fn got(&self, at: usize, from: usize, channel: Channel) -> Vec<&[u8]> {
        let of = self.nodes[at].got.iter().filter(|received| received.from == player(from) && received.channel == channel);
        of.map(|received| received.message.as_slice()).collect()
    }

    /// What happened at a node, without when.
    pub(crate) fn events(&self, at: usize) -> Vec<HubEvent> {
        self.nodes[at].events.iter().map(|(_, event)| event.clone()).collect()
    }

    /// Everybody says something to everybody on every channel, and hears it.
    pub(crate) fn assert_talk(&mut self, what: &str) {
        let count = self.nodes.len();
        let says = |from: usize, to: usize, channel: Channel| format!("{what} {from} to {to} on {channel}").into_bytes();
        for (from, to) in pairs(count) {
            for channel in CHANNELS {
                self.send(from, to, channel, &says(from, to, channel));
            }
        }
        self.run(3 * SECOND_US);
        for (from, to) in pairs(count) {
            for channel in CHANNELS {
                let (expected, got) = (says(from, to, channel), self.got(to, from, channel));
                assert!(got.contains(&expected.as_slice()), "{what}: {from} to {to} on {channel}: {} came", got.len());
            }
        }
    }
}

/// Every ordered pair of so many.
pub(crate) fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |from| (0..count).map(move |to| (from, to))).filter(|(from, to)| from != to)
}
