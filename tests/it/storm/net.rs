//! [`Net`]: peers on one virtual clock, and a network between them that loses, doubles and delays.

use crate::game::{Game, INPUT_BYTES};
use crate::node::{Node, Shape, address};
use snapback::{Frame, Outcome, Peer, PeerPhase, PeerSettings, Rng, Role, RollbackConfig, Security, SeedSecret, TRANSMIT_BUFFER_BYTES};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The match that everybody plays.
pub(crate) const MATCH_ID: u64 = 77;

/// Long enough, on the virtual clock, for every match over a network that works.
pub(crate) const MINUTE_US: u64 = 60_000_000;

/// A peer that writes more datagrams than this at one moment would never stop.
const MOST_AT_ONCE: u32 = 1_000;

/// A match that takes more steps than this turns in a circle.
const MOST_STEPS: u64 = 3_000_000;

/// What the network does to datagrams.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weather {
    pub(crate) loss_per_million: u32,
    pub(crate) doubled_per_million: u32,
    /// How long each datagram takes at least, and how much longer at most.
    pub(crate) delay_us: u64,
    pub(crate) jitter_us: u32,
}

/// A datagram that a peer has just sent.
pub(crate) struct Passing<'a> {
    pub(crate) now_us: u64,
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) bytes: &'a [u8],
}

struct Flight {
    from: usize,
    to: usize,
    bytes: Vec<u8>,
}

type Filter = Box<dyn FnMut(&Passing<'_>) -> bool>;

/// Peers on one virtual clock. Everything follows from the seed.
///
/// Time jumps to the next moment at which a datagram arrives, a program ticks or a peer asks to be
/// polled, so a silent hour costs nothing and a peer that asks for nothing is left alone.
pub(crate) struct Net {
    pub(crate) now_us: u64,
    pub(crate) nodes: Vec<Node>,
    pub(crate) weather: Weather,
    /// How many bytes of each input are drawn; all of them at first.
    pub(crate) noisy_bytes: usize,
    /// How often a peer that had nothing to send asked to be polled at once. A program that obeys
    /// would never sleep.
    pub(crate) spins: u32,
    /// A checksum over every datagram that was sent and its time.
    pub(crate) tape: u64,
    shapes: Vec<Shape>,
    seed: u64,
    /// What a joiner that is started now adds to the seed.
    pub(crate) joiners_share: u64,
    last_frame: Frame,
    in_flight: BTreeMap<(u64, u64), Flight>,
    flights: u64,
    luck: Rng,
    noise: Rng,
    filter: Option<Filter>,
}

impl Net {
    /// A match of these peers, the host first, up to and including `last_frame`. All have loaded.
    pub(crate) fn new(shapes: &[Shape], last_frame: i64, seed: u64) -> Self {
        let mut net = Self {
            now_us: 0,
            nodes: Vec::new(),
            weather: Weather { loss_per_million: 0, doubled_per_million: 0, delay_us: 5_000, jitter_us: 0 },
            noisy_bytes: INPUT_BYTES,
            spins: 0,
            tape: 0,
            shapes: shapes.to_vec(),
            seed,
            joiners_share: 0,
            last_frame: Frame::new(last_frame),
            in_flight: BTreeMap::new(),
            flights: 0,
            luck: Rng::new(seed, 1),
            noise: Rng::new(seed, 2),
            filter: None,
        };
        for index in 0..shapes.len() {
            let mut node = net.fresh_node(index, Game::default());
            node.peer.set_loaded();
            net.nodes.push(node);
        }
        net
    }

    /// The program of a peer, started now; it has not loaded yet.
    pub(crate) fn fresh_node(&mut self, index: usize, game: Game) -> Node {
        let role = match index {
            0 => Role::Host { first_frame: Frame::ZERO, last_frame: Some(self.last_frame) },
            _ => Role::Join { host: address(0) },
        };
        let shape = self.shapes[index];
        let settings = PeerSettings {
            role,
            match_id: MATCH_ID,
            nonce: u64::from(self.luck.next_u32()) << 32 | u64::from(self.luck.next_u32()),
            seed_secret: SeedSecret::fixed(if index == 0 { self.seed } else { self.joiners_share }),
            player_count: self.shapes.iter().map(|shape| shape.local_player_count).sum(),
            local_player_count: shape.local_player_count,
            config: RollbackConfig { require_encrypted_transport: false, ..shape.config },
            input_delay_frames: shape.input_delay_frames,
            security: Security::InsecureLan,
        };
        Node::new(Peer::new(game, settings, self.now_us).unwrap())
    }

    /// Lets only those datagrams pass for which `filter` says so.
    pub(crate) fn set_filter(&mut self, filter: impl FnMut(&Passing<'_>) -> bool + 'static) {
        self.filter = Some(Box::new(filter));
    }

    /// Keeps a copy of every datagram that `is_wanted`.
    pub(crate) fn overhear(&mut self, is_wanted: impl Fn(&Passing<'_>) -> bool + 'static) -> Rc<RefCell<Vec<Vec<u8>>>> {
        let heard: Rc<RefCell<Vec<Vec<u8>>>> = Rc::default();
        let copy = Rc::clone(&heard);
        self.set_filter(move |passing| {
            if is_wanted(passing) {
                copy.borrow_mut().push(passing.bytes.to_vec());
            }
            true
        });
        heard
    }

    /// Runs until every living peer is over. Whether that was before `until_us`.
    pub(crate) fn run(&mut self, until_us: u64) -> bool {
        let mut steps = 0;
        while !self.is_over() && self.now_us < until_us {
            self.step();
            steps += 1;
            assert!(steps < MOST_STEPS, "{steps} steps and no end\n{self}");
        }
        self.is_over()
    }

    /// Runs until `is_so`, which must come within a minute.
    pub(crate) fn run_until(&mut self, is_so: impl Fn(&Self) -> bool) {
        let end_us = self.now_us + MINUTE_US;
        while !is_so(self) {
            assert!(self.now_us < end_us && !self.is_over(), "it never happens\n{self}");
            self.step();
        }
    }

    /// Runs to the end, which must be that everybody agrees.
    pub(crate) fn must_agree(&mut self, until_us: u64) {
        let is_over = self.run(until_us);
        let all_agree = self.nodes.iter().all(|node| node.peer.outcome() == Some(&Outcome::Agreed));
        assert!(is_over && all_agree && self.spins == 0, "{self}");
    }

    pub(crate) fn is_over(&self) -> bool {
        self.nodes.iter().all(Node::is_over)
    }

    pub(crate) fn phase(&self, index: usize) -> PeerPhase {
        self.nodes[index].peer.phase()
    }

    /// The last frame that this peer simulated; the one before the first if it has no seat yet.
    pub(crate) fn frame(&self, index: usize) -> i64 {
        self.nodes[index].peer.session().map_or(-1, |session| session.current_frame().number())
    }

    /// Moves to the next moment at which something happens, and lets it happen.
    pub(crate) fn step(&mut self) {
        // When nobody waits for anything, time passes all the same.
        self.now_us = self.next_us().map_or(self.now_us + 1_000_000, |next| next.max(self.now_us));
        while let Some(arrival) = self.in_flight.first_entry().filter(|arrival| arrival.key().0 <= self.now_us) {
            let Flight { from, to, bytes } = arrival.remove();
            if !self.nodes[to].is_dead {
                self.nodes[to].peer.handle(self.now_us, address(from), &bytes);
                self.send_what_is_due(to);
            }
        }
        for index in 0..self.nodes.len() {
            let node = &mut self.nodes[index];
            if node.is_dead {
                continue;
            }
            if node.tick_due_us().is_some_and(|due| due <= self.now_us) {
                node.tick(self.now_us, &mut self.noise, self.noisy_bytes);
            }
            self.send_what_is_due(index);
            let peer = &mut self.nodes[index].peer;
            while peer.poll_event().is_some() {}
            self.spins += u32::from(peer.poll_timeout().is_some_and(|timeout| timeout <= self.now_us));
        }
    }

    fn next_us(&self) -> Option<u64> {
        let living = self.nodes.iter().filter(|node| !node.is_dead);
        let wishes = living.flat_map(|node| [node.peer.poll_timeout(), node.tick_due_us()]);
        let arrival = self.in_flight.keys().next().map(|(at_us, _)| *at_us);
        wishes.flatten().chain(arrival).min()
    }

    fn send_what_is_due(&mut self, from: usize) {
        let mut buffer = [0; TRANSMIT_BUFFER_BYTES];
        let mut count = 0;
        while let Some(transmit) = self.nodes[from].peer.poll_transmit(self.now_us, &mut buffer) {
            count += 1;
            assert!(count < MOST_AT_ONCE, "peer {from} sends without end\n{self}");
            let bytes = &buffer[..transmit.len];
            let checksum = bytes.iter().fold(self.now_us, |sum, byte| sum.wrapping_mul(257).wrapping_add(u64::from(*byte)));
            self.tape = self.tape.wrapping_mul(31).wrapping_add(checksum);
            if let Some(to) = (0..self.nodes.len()).find(|index| address(*index) == transmit.to) {
                self.pass(from, to, bytes);
            }
        }
    }

    fn pass(&mut self, from: usize, to: usize, bytes: &[u8]) {
        let passing = Passing { now_us: self.now_us, from, to, bytes };
        let passes = self.filter.as_mut().is_none_or(|filter| filter(&passing));
        if !passes || self.luck.chance(self.weather.loss_per_million) {
            return;
        }
        let copies = 1 + u32::from(self.luck.chance(self.weather.doubled_per_million));
        for _ in 0..copies {
            let delay_us = self.weather.delay_us + u64::from(self.luck.below(self.weather.jitter_us + 1));
            self.flights += 1;
            self.in_flight.insert((self.now_us + delay_us, self.flights), Flight { from, to, bytes: bytes.to_vec() });
        }
    }
}

/// Where everybody is, for the message of a failing test.
impl core::fmt::Display for Net {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        writeln!(f, "at {} us, {} spins", self.now_us, self.spins)?;
        for (index, node) in self.nodes.iter().enumerate() {
            let Node { peer, is_dead, .. } = node;
            let dead = if *is_dead { "dead, " } else { "" };
            let rejects: Vec<_> = peer.rejects().collect();
            writeln!(f, "peer {index}: {dead}{:?}, frame {}, {:?}, rejects {rejects:?}", peer.phase(), self.frame(index), peer.outcome())?;
        }
        Ok(())
    }
}
