//! [`Cluster`]: peers and links on one virtual clock.

use crate::judge::{Fault, Judge};
use crate::pilot::Pilot;
use core::fmt;
use snapback::transport::link::{Direction, LinkTrace};
use snapback::transport::secure::{AddressPolicy, Fingerprint, Identity, MatchSecret};
use snapback::transport::{LinkConditioner, LinkSettings};
use snapback::{
    Credentials, Frame, LocalInput, Outcome, Pacer, Peer, PeerEvent, PeerPhase, PeerSettings, PlayerHandle, Rng, Role, RollbackConfig,
    Security, SeedSecret, SessionError, Simulation, TRANSMIT_BUFFER_BYTES, TickReport,
};
use std::net::{Ipv4Addr, SocketAddr};

/// One peer of a cluster.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PeerShape {
    /// How many players play at it.
    pub local_player_count: u8,
    /// The numbers that tune its session.
    pub config: RollbackConfig,
    /// By how many frames it delays its inputs.
    pub input_delay_frames: u8,
    /// How often it really ticks, in thousandths of a hertz, if not as often as it should: its clock or its
    /// display is a little off, or its machine too slow.
    pub rate_millihertz: Option<u32>,
    /// How long after the agreed time its first tick comes: the others have a head start.
    pub late_us: u64,
    /// Whether it paces its ticks as [`Peer::time_sync`] says.
    pub is_synced: bool,
    /// How long it takes to load the match, from the beginning of the virtual time.
    pub load_us: u64,
}

impl Default for PeerShape {
    fn default() -> Self {
        Self {
            local_player_count: 1,
            config: RollbackConfig::default(),
            input_delay_frames: 0,
            rate_millihertz: None,
            late_us: 0,
            is_synced: false,
            load_us: 0,
        }
    }
}

/// How a cluster is set up: everybody is connected to everybody.
#[derive(Clone, Debug)]
pub struct ClusterSettings {
    /// Decides everything that is drawn: the match, the links, the nonces, the clocks.
    pub seed: u64,
    /// The peers, the host first.
    pub peers: Vec<PeerShape>,
    /// The first frame.
    pub first_frame: Frame,
    /// The last frame.
    pub last_frame: Frame,
    /// Every link, in each direction.
    pub link: LinkSettings,
    /// A recorded series of round trips that every link follows, on top of its settings.
    pub trace: Option<LinkTrace>,
    /// The low 16 bits of every nonce, which is where sequences begin; drawn if not given.
    pub first_sequence: Option<u16>,
    /// Whether the peers encrypt. Keys come from the operating system, so that such a cluster does not
    /// repeat itself byte for byte.
    pub is_encrypted: bool,
    /// What becomes of a peer whose address changes, if they encrypt.
    pub address_policy: AddressPolicy,
}

impl ClusterSettings {
    /// `frame_count` frames from frame 0 on a perfect link, each player at a peer of its own.
    #[must_use]
    pub fn new(seed: u64, player_count: usize, frame_count: u32) -> Self {
        Self {
            seed,
            peers: vec![PeerShape::default(); player_count],
            first_frame: Frame::ZERO,
            last_frame: Frame::new(i64::from(frame_count.max(1)) - 1),
            link: LinkSettings::default(),
            trace: None,
            first_sequence: None,
            is_encrypted: false,
            address_policy: AddressPolicy::default(),
        }
    }

    /// Gives every peer this configuration.
    pub fn set_config(&mut self, config: RollbackConfig) {
        for peer in &mut self.peers {
            peer.config = config;
        }
    }

    /// Delays the inputs of the first peers by these numbers of frames.
    pub fn set_delays(&mut self, delay_frames: &[u8]) {
        for (peer, delay) in self.peers.iter_mut().zip(delay_frames) {
            peer.input_delay_frames = *delay;
        }
    }

    /// How many players there are at all peers together.
    #[must_use]
    pub fn player_count(&self) -> usize {
        self.peers.iter().map(|peer| usize::from(peer.local_player_count)).sum()
    }
}

/// Why a cluster stopped before its match was over.
#[derive(Clone, PartialEq, Debug)]
pub enum ClusterError {
    /// Peers do not agree with each other or with the straight replay.
    Fault(Fault),
    /// A peer's match ended otherwise than it should.
    Ended {
        /// The peer.
        peer: usize,
        /// How.
        outcome: Outcome,
    },
    /// A peer could not be set up.
    Session(SessionError),
    /// A peer has nothing to send and asks to be polled at once: a program that obeys never sleeps.
    Restless {
        /// The peer.
        peer: usize,
    },
    /// Nothing more happens, or the time is up.
    TimedOut {
        /// The virtual time.
        now_us: u64,
        /// The last frame that every peer confirmed.
        confirmed: Frame,
    },
}

impl fmt::Display for ClusterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fault(fault) => fault.fmt(f),
            Self::Ended { peer, outcome } => write!(f, "peer {peer}: {outcome}"),
            Self::Session(error) => error.fmt(f),
            Self::Restless { peer } => write!(f, "peer {peer} has nothing to send and asks to be polled at once"),
            Self::TimedOut { now_us, confirmed } => {
                write!(f, "after {} ms of virtual time only frame {confirmed} is confirmed by all", now_us / 1_000)
            }
        }
    }
}

impl std::error::Error for ClusterError {}

/// When a peer's program ticks: a pacer on a clock of its own, which runs slow or fast.
#[derive(Clone, Copy)]
struct Pace {
    since_us: u64,
    pacer: Pacer,
    rate_millihertz: u64,
    nominal_millihertz: u64,
}

impl Pace {
    fn new(since_us: u64, simulation_hz: u32, shape: &PeerShape) -> Self {
        let nominal_millihertz = 1_000 * u64::from(simulation_hz);
        let rate_millihertz = shape.rate_millihertz.map_or(nominal_millihertz, u64::from).max(1);
        Self { since_us, pacer: Pacer::new(0, simulation_hz), rate_millihertz, nominal_millihertz }
    }

    fn next_us(self) -> u64 {
        self.since_us + (self.pacer.due_us() * self.nominal_millihertz).div_ceil(self.rate_millihertz)
    }

    /// Whether a tick is due; it then counts as done.
    fn take(&mut self, now_us: u64, stretch_ppm: u32) -> bool {
        now_us
            .checked_sub(self.since_us)
            .is_some_and(|passed_us| self.pacer.take(passed_us * self.rate_millihertz / self.nominal_millihertz, stretch_ppm))
    }
}

/// One peer with its clock and its pilot.
pub struct Node<S: Simulation> {
    /// The peer.
    pub peer: Peer<S>,
    address: SocketAddr,
    /// Steer the players that turned out to sit here.
    pilots: Vec<(PlayerHandle, Box<dyn Pilot<S>>)>,
    /// The inputs of a frozen tick, which were not consumed.
    pending: Vec<LocalInput<S::Input>>,
    clock_offset_us: u64,
    shape: PeerShape,
    pace: Option<Pace>,
    /// While it is asleep nothing reaches it and it sends nothing.
    asleep: bool,
    /// While it is unfocused it does not tick; it still sends and receives.
    unfocused: bool,
    /// Ticks that advanced, from the first frame on.
    pub last_report: Option<TickReport>,
    /// Datagrams this peer sent.
    pub packets_sent: u64,
    /// Their bytes, without headers.
    pub bytes_sent: u64,
}

type MakePilot<S> = Box<dyn FnMut(usize) -> Box<dyn Pilot<S>>>;
type Filter = Box<dyn FnMut(Passing<'_>) -> bool>;
type Rewrite = Box<dyn FnMut(Passing<'_>) -> Option<Vec<u8>>>;
type OnEvent = Box<dyn FnMut(usize, &PeerEvent)>;

/// Peers and links on one virtual clock. Each peer's own clock has another origin.
pub struct Cluster<S: Simulation> {
    now_us: u64,
    simulation_hz: u32,
    nodes: Vec<Node<S>>,
    /// The link from peer a to peer b is at a * count + b.
    links: Vec<LinkConditioner>,
    judge: Judge<S>,
    make_pilot: MakePilot<S>,
    filter: Option<Filter>,
    rewrite: Option<Rewrite>,
    is_judged: bool,
    on_event: Option<OnEvent>,
    buffer: Vec<u8>,
}

/// A datagram on its way into a link.
#[derive(Clone, Copy, Debug)]
pub struct Passing<'a> {
    /// The virtual time.
    pub now_us: u64,
    /// The peer that sends.
    pub from: usize,
    /// The peer that it is for.
    pub to: usize,
    /// The datagram.
    pub bytes: &'a [u8],
}

impl<S: Simulation> Cluster<S> {
    /// A cluster whose peers are made by `simulation` (the host first, then the others, then one for
    /// the judge) and steered by what `pilot` makes for each
    /// player. Which peer gets which seat is up to the network, as with people.
    ///
    /// # Errors
    /// If the settings are impossible.
    pub fn new(
        settings: &ClusterSettings,
        simulation: impl Fn() -> S,
        pilot: impl FnMut(usize) -> Box<dyn Pilot<S>> + 'static,
    ) -> Result<Self, ClusterError> {
        let mut rng = Rng::new(settings.seed, 0x636C_7573);
        let match_id = u64::from(rng.next_u32()) << 32 | u64::from(rng.next_u32());
        let (count, player_count) = (settings.peers.len(), settings.player_count());
        let host = address_of(0);
        // Everybody but the host draws a share; the host's is what is missing to the seed of the settings.
        let mut luck = Rng::new(settings.seed, 0x7368_6172);
        let drawn: Vec<u64> = (1..count).map(|_| u64::from(luck.next_u32()) << 32 | u64::from(luck.next_u32())).collect();
        let of_host = drawn.iter().fold(settings.seed, |rest, share| rest ^ share);
        let mut shares: Vec<_> = drawn.into_iter().chain([of_host]).map(SeedSecret::fixed).collect();
        let mut host_fingerprint = None;
        let mut nodes = Vec::with_capacity(count);
        for (index, shape) in settings.peers.iter().enumerate() {
            let nonce = u64::from(rng.next_u32()) << 24 | u64::from(rng.next_u32());
            let nonce = settings.first_sequence.map_or(nonce, |low| nonce & !0xFFFF | u64::from(low));
            let clock_offset_us = u64::from(rng.next_u32());
            let seed_secret = shares.pop().unwrap_or(SeedSecret::fixed(0));
            let role = if index == 0 {
                Role::Host { first_frame: settings.first_frame, last_frame: Some(settings.last_frame) }
            } else {
                Role::Join { host }
            };
            let first_player: u8 = settings.peers.iter().take(index).map(|peer| peer.local_player_count).sum();
            let security = if settings.is_encrypted {
                let credentials = credentials(index as u8, first_player, &mut host_fingerprint)?;
                Credentials { address_policy: settings.address_policy, ..credentials }.into()
            } else {
                Security::InsecureLan
            };
            let peer_settings = PeerSettings {
                role,
                match_id,
                nonce,
                seed_secret,
                player_count: player_count as u8,
                local_player_count: shape.local_player_count,
                config: RollbackConfig { require_encrypted_transport: settings.is_encrypted, ..shape.config },
                input_delay_frames: shape.input_delay_frames,
                security,
            };
            let mut peer = Peer::new(simulation(), peer_settings, clock_offset_us).map_err(ClusterError::Session)?;
            if shape.load_us == 0 {
                peer.set_loaded();
            }
            nodes.push(Node {
                peer,
                address: address_of(index),
                pilots: Vec::new(),
                pending: Vec::new(),
                clock_offset_us,
                shape: *shape,
                pace: None,
                asleep: false,
                unfocused: false,
                last_report: None,
                packets_sent: 0,
                bytes_sent: 0,
            });
        }
        let links = (0..count * count).map(|place| link(settings, place / count, place % count)).collect();
        let judge = Judge::new(simulation(), settings.seed, player_count, settings.first_frame, count)
            .map_err(|error| ClusterError::Session(error.into()))?;
        Ok(Self {
            now_us: 0,
            simulation_hz: settings.peers.first().map_or(60, |peer| peer.config.simulation_hz).max(1),
            nodes,
            links,
            judge,
            make_pilot: Box::new(pilot),
            filter: None,
            rewrite: None,
            is_judged: true,
            on_event: None,
            buffer: vec![0; TRANSMIT_BUFFER_BYTES],
        })
    }

    /// Lets only those datagrams into the links for which `keep` says so.
    pub fn set_filter(&mut self, keep: impl FnMut(Passing<'_>) -> bool + 'static) {
        self.filter = Some(Box::new(keep));
    }

    /// Puts another datagram in the place of one, wherever `rewrite` gives one: somebody on the way who has
    /// the keys, or a peer that shows each other one another face.
    pub fn set_rewrite(&mut self, rewrite: impl FnMut(Passing<'_>) -> Option<Vec<u8>> + 'static) {
        self.rewrite = Some(Box::new(rewrite));
    }

    /// Lets peers confirm what is wrong, so that they find out themselves.
    pub fn set_unjudged(&mut self) {
        self.is_judged = false;
    }

    /// Shows every event of every peer.
    pub fn set_on_event(&mut self, on_event: impl FnMut(usize, &PeerEvent) + 'static) {
        self.on_event = Some(Box::new(on_event));
    }

    /// Changes the link from one peer to another; what is on its way stays.
    pub fn set_link(&mut self, from: usize, to: usize, settings: LinkSettings) {
        let place = from * self.nodes.len() + to;
        if let Some(link) = self.links.get_mut(place) {
            link.set_settings(settings);
        }
    }

    /// Suspends or wakes a peer's whole program. What is sent to it meanwhile waits in its socket.
    pub fn set_asleep(&mut self, peer: usize, asleep: bool) {
        if let Some(node) = self.nodes.get_mut(peer) {
            node.asleep = asleep;
        }
    }

    /// Stops or starts a peer's ticks, as a program does that is in the background: it polls on.
    pub fn set_unfocused(&mut self, peer: usize, unfocused: bool) {
        if let Some(node) = self.nodes.get_mut(peer) {
            node.unfocused = unfocused;
        }
    }

    /// Gives a peer another address; it does not learn of it. What is sent to the old one goes nowhere.
    pub fn set_address(&mut self, peer: usize, address: SocketAddr) {
        if let Some(node) = self.nodes.get_mut(peer) {
            node.address = address;
        }
    }

    /// Lets a peer's own clock leap forward.
    pub fn leap(&mut self, peer: usize, us: u64) {
        if let Some(node) = self.nodes.get_mut(peer) {
            node.clock_offset_us += us;
        }
    }

    /// The virtual time.
    pub fn now_us(&self) -> u64 {
        self.now_us
    }

    /// The peers, by player.
    pub fn nodes(&self) -> &[Node<S>] {
        &self.nodes
    }

    /// The peers, to meddle with.
    pub fn nodes_mut(&mut self) -> &mut [Node<S>] {
        &mut self.nodes
    }

    /// What has been confirmed.
    pub fn judge(&self) -> &Judge<S> {
        &self.judge
    }

    /// What became of the datagrams from one peer to another.
    pub fn link_stats(&self, from: usize, to: usize) -> snapback::transport::link::LinkStats {
        self.links.get(from * self.nodes.len() + to).map(LinkConditioner::stats).unwrap_or_default()
    }

    /// Runs until every peer's match is over, and all agree.
    ///
    /// # Errors
    /// At the first thing that is not as it must be, or when `limit_us` of virtual time are over.
    pub fn run(&mut self, limit_us: u64) -> Result<(), ClusterError> {
        while !self.is_over() {
            if self.now_us > limit_us {
                return Err(self.timed_out());
            }
            self.advance()?;
        }
        for (peer, node) in self.nodes.iter().enumerate() {
            match node.peer.outcome() {
                Some(Outcome::Agreed | Outcome::Unverified { .. }) => {}
                Some(outcome) => return Err(ClusterError::Ended { peer, outcome: outcome.clone() }),
                None => return Err(self.timed_out()),
            }
        }
        Ok(())
    }

    /// Lets everything happen that happens until the virtual time is `until_us`.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_until(&mut self, until_us: u64) -> Result<(), ClusterError> {
        while !self.is_over() && self.next_us().is_some_and(|next| next <= until_us) {
            self.advance()?;
        }
        self.now_us = self.now_us.max(until_us);
        Ok(())
    }

    /// Whether every peer's match is over.
    pub fn is_over(&self) -> bool {
        self.nodes.iter().all(|node| node.peer.phase() == PeerPhase::Over)
    }

    fn timed_out(&self) -> ClusterError {
        ClusterError::TimedOut { now_us: self.now_us, confirmed: self.judge.confirmed_by_all() }
    }

    /// Goes to the next thing that happens and lets it happen.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn advance(&mut self) -> Result<(), ClusterError> {
        let Some(next_us) = self.next_us() else { return Err(self.timed_out()) };
        self.now_us = self.now_us.max(next_us);
        self.deliver();
        for index in 0..self.nodes.len() {
            self.tick(index)?;
            self.transmit(index)?;
            self.tell_events(index);
        }
        Ok(())
    }

    fn next_us(&self) -> Option<u64> {
        let deliveries = self.links.iter().enumerate().filter_map(|(place, link)| {
            let asleep = self.nodes.get(place % self.nodes.len()).is_some_and(|node| node.asleep);
            link.next_delivery_us().filter(|_| !asleep)
        });
        let nodes = self.nodes.iter().filter(|node| !node.asleep).flat_map(|node| {
            let ticks = node.pace.filter(|_| node.peer.phase() != PeerPhase::Over && !node.unfocused).map(|pace| pace.next_us());
            [ticks, node.peer.poll_timeout().map(|local| local.saturating_sub(node.clock_offset_us))]
        });
        deliveries.chain(nodes.flatten()).min().map(|next| next.max(self.now_us))
    }

    fn deliver(&mut self) {
        let count = self.nodes.len();
        let addresses: Vec<SocketAddr> = self.nodes.iter().map(|node| node.address).collect();
        for (place, link) in self.links.iter_mut().enumerate() {
            let Some(from) = addresses.get(place / count).copied() else { continue };
            let Some(node) = self.nodes.get_mut(place % count) else { continue };
            if node.asleep {
                continue;
            }
            while let Some(datagram) = link.receive(self.now_us) {
                node.peer.handle(self.now_us + node.clock_offset_us, from, datagram);
            }
        }
    }

    fn tick(&mut self, index: usize) -> Result<(), ClusterError> {
        let Some(node) = self.nodes.get_mut(index) else { return Ok(()) };
        if node.asleep {
            return Ok(());
        }
        if node.shape.load_us > 0 && self.now_us >= node.shape.load_us {
            node.peer.set_loaded();
        }
        if node.unfocused {
            return Ok(());
        }
        // Until the first frame is due, when that is may still be refined.
        if node.peer.phase() < PeerPhase::Playing {
            let start_us = node.peer.start_at_us().map(|start| start.saturating_sub(node.clock_offset_us));
            node.pace = start_us.map(|start_us| Pace::new(start_us + node.shape.late_us, self.simulation_hz, &node.shape));
        }
        let local_us = self.now_us + node.clock_offset_us;
        let stretch_ppm = if node.shape.is_synced { node.peer.time_sync().stretch_ppm } else { 0 };
        if !node.pace.as_mut().is_some_and(|pace| pace.take(self.now_us, stretch_ppm)) {
            return Ok(());
        }
        if node.pending.is_empty() {
            let Some(session) = node.peer.session() else { return Ok(()) };
            if node.pilots.is_empty() {
                let players = session.settings().local_players;
                node.pilots.extend(players.iter().map(|player| (player, (self.make_pilot)(player.index()))));
            }
            let frame = session.newest_local_frame().next();
            for (player, pilot) in &mut node.pilots {
                let input = pilot.press(frame, *player, session.simulation());
                node.pending.push(LocalInput { player: *player, input, command: pilot.command(frame, *player) });
            }
        }
        let report = node.peer.tick(local_us, &node.pending).map_err(ClusterError::Session)?;
        if !report.simulation_frozen {
            node.pending.clear();
        }
        node.last_report = Some(report);
        if let Some(session) = node.peer.session_mut().filter(|_| self.is_judged) {
            while let Some(claim) = session.confirmed(self.judge.next_frame(index)) {
                self.judge.confirm(index, &claim).map_err(ClusterError::Fault)?;
            }
        }
        Ok(())
    }

    fn transmit(&mut self, index: usize) -> Result<(), ClusterError> {
        let count = self.nodes.len();
        let addresses: Vec<SocketAddr> = self.nodes.iter().map(|node| node.address).collect();
        let Some(node) = self.nodes.get_mut(index) else { return Ok(()) };
        if node.asleep {
            return Ok(());
        }
        while let Some(transmit) = node.peer.poll_transmit(self.now_us + node.clock_offset_us, &mut self.buffer) {
            let bytes = &self.buffer[..transmit.len];
            node.packets_sent += 1;
            node.bytes_sent += bytes.len() as u64;
            let Some(to) = addresses.iter().position(|address| *address == transmit.to) else { continue };
            let passing = Passing { now_us: self.now_us, from: index, to, bytes };
            if self.filter.as_mut().is_none_or(|keep| keep(passing)) {
                let rewritten = self.rewrite.as_mut().and_then(|rewrite| rewrite(passing));
                self.links[index * count + to].send(self.now_us, rewritten.as_deref().unwrap_or(bytes));
            }
        }
        let restless = node.peer.poll_timeout().is_some_and(|timeout| timeout <= self.now_us + node.clock_offset_us);
        if restless { Err(ClusterError::Restless { peer: index }) } else { Ok(()) }
    }

    fn tell_events(&mut self, index: usize) {
        let Some(node) = self.nodes.get_mut(index) else { return };
        while let Some(event) = node.peer.poll_event() {
            if let Some(on_event) = &mut self.on_event {
                on_event(index, &event);
            }
        }
    }
}

impl<S: Simulation> Node<S> {
    /// Where the peer is.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// How far its clock is ahead of the virtual time.
    pub fn clock_offset_us(&self) -> u64 {
        self.clock_offset_us
    }
}

/// What the peer shows the others. The host's tickets reach everybody.
fn credentials(index: u8, first_player: u8, host: &mut Option<Fingerprint>) -> Result<Credentials, ClusterError> {
    let (identity, cookie_key, secret) = (Identity::from_seed(&[index + 1; 32]), [index + 101; 32], MatchSecret([77; 32]));
    let made = match host {
        None => Credentials::host(identity, cookie_key, secret),
        Some(host) => Credentials::join(identity, cookie_key, first_player, secret.seat(first_player), *host),
    };
    let made = made.map_err(|error| ClusterError::Session(SessionError::Settings { reason: error.to_string() }))?;
    host.get_or_insert_with(|| made.certificate.fingerprint());
    Ok(made)
}

/// Peer addresses are made up: 10.0.0.1 and so on.
fn address_of(index: usize) -> SocketAddr {
    SocketAddr::from((Ipv4Addr::new(10, 0, 0, 1 + index as u8), 7_000))
}

fn link(settings: &ClusterSettings, from: usize, to: usize) -> LinkConditioner {
    // Both directions of a pair share a seed, so that a trace loses each packet in one of them.
    let pair = (from.min(to) * 8 + from.max(to)) as u64;
    let stream = 2 * pair + u64::from(from > to);
    let link = LinkConditioner::new(settings.link, settings.seed, stream);
    let direction = if from < to { Direction::Forward } else { Direction::Reverse };
    match &settings.trace {
        Some(trace) => link.with_trace(trace.clone(), direction),
        None => link,
    }
}
