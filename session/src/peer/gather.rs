//! Connecting to everybody, and waiting at the start barrier.

use super::event::{Outcome, PeerEvent};
use super::link::Link;
use super::phase::{PeerPhase, PhaseEvent};
use super::seed::{Said, SeedFault};
use super::settings::{MatchFacts, Role};
use super::{EVENT_CAPACITY, MAX_PENDING_REFUSALS, Peer};
use crate::rollback::InputPredictor;
use snapback_core::{PlayerHandle, PlayerSet, Simulation};
use snapback_transport::endpoint::answer_hello;
use snapback_transport::packet::{
    BarrierState, ConnectionKey, Hello, Knock, LeaveReason, Pairing, Refusal, RefusalReason, Reject, RosterEntry, Welcome,
};
use snapback_transport::{Endpoint, LinkState};
use std::net::SocketAddr;

/// How long a seat is kept for an address that has not shown that it receives our answers, if
/// somebody else wants it.
const UNPROVEN_US: u64 = 2_000_000;

/// Of those who are turned away, how many a person is told of in a second.
const MOST_TURNED_AWAY: u32 = 3;

/// Round trips to measure before a peer is ready.
const RTT_SAMPLES: u32 = 5;

/// How long before the first frame the start is fixed, on top of the longest round trip: time for
/// several packets that say when.
const COUNTDOWN_US: u64 = 200_000;

impl<S: Simulation, P: InputPredictor<S::Input>> Peer<S, P> {
    /// Dials a peer; `players` are its players if they are known.
    pub(super) fn dial(&mut self, address: SocketAddr, players: PlayerSet, pairing: Option<Pairing>, now_us: u64) {
        let settings = self.endpoint_settings(players);
        let endpoint = Endpoint::dial(address, settings, now_us);
        self.dial_secure(address, pairing, settings.nonce, now_us);
        self.links.push(Link::new(endpoint, None, self.first_frame(), now_us));
    }

    /// The connection to the host, for a joiner.
    fn host_link(&self) -> Option<&Link> {
        let host = self.host_address?;
        self.links.iter().find(|link| link.endpoint.address() == host)
    }

    /// Our dialling was answered.
    pub(super) fn welcomed(&mut self, from: SocketAddr, welcome: &Welcome) {
        if self.host_address == Some(from) {
            let facts = MatchFacts {
                seed: None,
                first_frame: welcome.first_frame,
                last_frame: welcome.last_frame,
                local_players: welcome.dialer_players,
            };
            self.sit_down(facts);
        }
        self.push_event(PeerEvent::Connected { players: welcome.listener_players });
    }

    /// Somebody dials us.
    pub(super) fn hello(&mut self, from: SocketAddr, datagram: &[u8], now_us: u64) -> Result<(), Reject> {
        let hello = Hello::read(datagram, if self.wire.is_some() { ConnectionKey::AEAD } else { ConnectionKey::GREETING })?;
        if let Err(reason) = answer_hello(&hello, self.settings.match_id, &self.params) {
            self.refuse(from, &hello, reason);
            return Ok(());
        }
        if let Some(at) = self.links.iter().position(|link| link.endpoint.address() == from) {
            let link = &mut self.links[at];
            if link.welcome.is_some() && link.endpoint.remote_nonce() == hello.nonce {
                link.welcome_due = true;
                if let Some(wire) = &mut self.wire {
                    wire.claim(from);
                }
                return Ok(());
            }
            // The same address with another nonce is a program that was started anew.
            if link.welcome.is_none() || link.endpoint.state() != LinkState::Waiting || self.phase != PeerPhase::Gathering {
                return Err(Reject::WrongNonce);
            }
            self.links.remove(at);
        }
        self.drop_predecessor(from);
        if matches!(self.seats_for(from, &hello), Err(RefusalReason::Full | RefusalReason::SeatTaken)) {
            self.drop_unproven(now_us);
        }
        match self.seats_for(from, &hello) {
            Ok(Some(players)) => self.accept(from, &hello, players, now_us),
            Ok(None) => return Err(Reject::WrongState),
            Err(reason) => self.refuse(from, &hello, reason),
        }
        Ok(())
    }

    /// Frees the seats of addresses that have had the time to show that they receive our answers, and
    /// did not: only now, because somebody else wants one. A joiner whose first packets are lost
    /// keeps its seat otherwise.
    fn drop_unproven(&mut self, now_us: u64) {
        for at in (0..self.links.len()).rev() {
            let endpoint = &self.links[at].endpoint;
            let silent_us = now_us.saturating_sub(endpoint.last_heard_us());
            let players = endpoint.remote_players();
            if !endpoint.is_proven() && silent_us >= UNPROVEN_US && self.drop_link(at) {
                self.gone(players);
            }
        }
    }

    /// A peer is gone whose seat is free again; who never sat down is not missed.
    pub(super) fn gone(&mut self, players: PlayerSet) {
        if !players.is_empty() {
            self.push_event(PeerEvent::Gone { players });
        }
    }

    /// Has an answer sent, and remembers nothing. In a flood some answers are left out.
    fn refuse(&mut self, to: SocketAddr, hello: &Hello, reason: RefusalReason) {
        if self.refusals.len() < MAX_PENDING_REFUSALS {
            self.refusals.push((to, Refusal { match_id: hello.match_id, nonce: hello.nonce, reason }));
            self.turned_away(to, reason);
        }
    }

    /// For people who wonder why nobody comes: once for each who comes again and again, and a few a second.
    /// A flood must not push other events out.
    pub(super) fn turned_away(&mut self, address: SocketAddr, reason: RefusalReason) {
        let second = self.called_us / 1_000_000;
        let (last, count) = self.turned_away_in;
        let count = if last == second { count + 1 } else { 1 };
        self.turned_away_in = (second, count);
        let is_new = self.last_turned_away.replace((address, reason)) != Some((address, reason));
        if is_new && count <= MOST_TURNED_AWAY && self.events.len() < EVENT_CAPACITY / 2 {
            self.push_event(PeerEvent::TurnedAway { address, reason });
        }
    }

    /// Somebody without encryption here, who wants it.
    pub(super) fn knock(&mut self, from: SocketAddr, datagram: &[u8]) -> Result<(), Reject> {
        let knock = Knock::read(datagram)?;
        if !self.is_host() {
            return Err(Reject::WrongState);
        }
        if self.refusals.len() < MAX_PENDING_REFUSALS {
            self.refusals.push((from, Refusal { match_id: 0, nonce: knock.nonce, reason: RefusalReason::NotEncrypted }));
        }
        Ok(())
    }

    /// The program of a peer was started anew and comes from another port: with the same ticket and
    /// the same identity it takes its seat again.
    fn drop_predecessor(&mut self, from: SocketAddr) {
        let Some(proved) = self.wire.as_ref().and_then(|wire| wire.proved(from)) else { return };
        let same = |link: &Link| {
            let address = link.endpoint.address();
            let theirs = self.wire.as_ref().and_then(|wire| wire.proved(address));
            address != from && theirs.is_some_and(|theirs| (theirs.seat, theirs.identity) == (proved.seat, proved.identity))
        };
        if let Some(at) = self.links.iter().position(same) {
            let players = self.links[at].endpoint.remote_players();
            if self.drop_link(at) {
                self.gone(players);
            }
        }
    }

    /// The seats for the sender of a Hello of this match; `None` while it cannot be told yet.
    fn seats_for(&self, from: SocketAddr, hello: &Hello) -> Result<Option<PlayerSet>, RefusalReason> {
        match self.phase {
            PeerPhase::Gathering => {}
            PeerPhase::Countdown | PeerPhase::Playing => return Err(RefusalReason::Started),
            // Whoever leaves has nothing more to say to newcomers.
            PeerPhase::Farewell | PeerPhase::Over => return Ok(None),
        }
        let Some(facts) = self.facts else { return Ok(None) };
        if let Role::Host { .. } = self.settings.role {
            let taken = self.links.iter().fold(facts.local_players, |taken, link| taken.union(link.endpoint.remote_players()));
            // With encryption a ticket is for one seat; who brings more players takes the next ones.
            let first = self.wire.as_ref().and_then(|wire| wire.proved(from)).map_or(0, |proved| usize::from(proved.seat));
            let all = PlayerSet::first(self.settings.player_count.into());
            let free: PlayerSet = all.minus(taken).iter().filter(|p| p.index() >= first).take(hello.player_count.into()).collect();
            // Nobody takes a seat with another's ticket.
            if usize::from(hello.player_count) > self.settings.security.players_per_ticket() {
                return Err(RefusalReason::Full);
            }
            if self.wire.is_some() && free.iter().next().is_none_or(|p| p.index() != first) {
                return Err(RefusalReason::SeatTaken);
            }
            return if free.len() == usize::from(hello.player_count) { Ok(Some(free)) } else { Err(RefusalReason::Full) };
        }
        // Of two joiners the one with the lower seats listens, once the host has said who is who.
        let known = self.host_link().is_some_and(|host| host.endpoint.barrier().roster.iter().any(|entry| entry.players == hello.players));
        let connected = self.links.iter().any(|link| link.endpoint.remote_players() == hello.players);
        let lower = facts.local_players.iter().next() < hello.players.iter().next();
        let is_itself = match self.wire.as_ref() {
            Some(wire) => {
                wire.proved(from).is_some_and(|proved| hello.players.iter().next().is_some_and(|p| p.index() == usize::from(proved.seat)))
            }
            None => true,
        };
        Ok((known && lower && is_itself && !connected).then_some(hello.players))
    }

    fn accept(&mut self, from: SocketAddr, hello: &Hello, players: PlayerSet, now_us: u64) {
        let Some(facts) = self.facts else { return };
        let settings = self.endpoint_settings(players);
        let welcome = Welcome {
            match_id: self.settings.match_id,
            nonce: hello.nonce,
            listener_nonce: settings.nonce,
            dialer_players: players,
            listener_players: facts.local_players,
            params: self.params,
            first_frame: facts.first_frame,
            last_frame: facts.last_frame,
        };
        if let Some(wire) = &mut self.wire {
            wire.claim(from);
        }
        let endpoint = Endpoint::accept(from, settings, hello, &welcome, now_us);
        self.links.push(Link::new(endpoint, Some(welcome), self.first_frame(), now_us));
        self.push_event(PeerEvent::Connected { players });
    }

    /// A joiner has gone before the start: the host has its seat free again, another joiner waits for
    /// the host's next word. Whether that is all there is to it.
    pub(super) fn drop_link(&mut self, at: usize) -> bool {
        let may = self.links.get(at).is_some_and(|link| self.may_drop(link));
        if may {
            let gone = self.links.remove(at);
            self.hang_up(gone.endpoint.address());
        }
        may
    }

    /// Whether the match can still do without the peer at the other end: it has not begun, and that
    /// peer is not the host.
    pub(super) fn may_drop(&self, link: &Link) -> bool {
        let is_to_host = self.host_address == Some(link.endpoint.address());
        self.phase == PeerPhase::Gathering && !is_to_host
    }

    pub(super) fn is_host(&self) -> bool {
        matches!(self.settings.role, Role::Host { .. })
    }

    /// Does what the barrier is waiting for, as far as it is this peer's turn.
    #[inline]
    pub(super) fn gather(&mut self, now_us: u64) {
        // Called several times a tick, long after the barrier has fallen.
        if self.phase == PeerPhase::Gathering {
            self.gather_now(now_us);
        }
    }

    #[cold]
    fn gather_now(&mut self, now_us: u64) {
        self.dial_roster(now_us);
        self.agree_on_seed(now_us);
        if self.phase != PeerPhase::Gathering {
            return;
        }
        let start_at_us = match self.settings.role {
            Role::Host { .. } if self.barrier_state() == BarrierState::Ready && self.everybody_is(BarrierState::Ready) => {
                let longest_us = self.links.iter().filter_map(|link| link.endpoint.stats().rtt_us).max().unwrap_or(0);
                Some(now_us.saturating_add(COUNTDOWN_US).saturating_add(longest_us))
            }
            Role::Host { .. } => None,
            // The host's word is for those who are ready; who has lost a connection meanwhile is not.
            Role::Join { .. } if self.barrier_state() < BarrierState::Ready => None,
            Role::Join { .. } => self.host_link().and_then(|host| host.endpoint.barrier().start_at_us),
        };
        if let Some(start_at_us) = start_at_us {
            self.fix_start(start_at_us);
        }
    }

    /// Goes on with commitments and shares, and prepares the session once they are complete.
    fn agree_on_seed(&mut self, now_us: u64) {
        let is_everybody = self.is_connected();
        let Some(facts) = self.facts else { return };
        let others = self.links.iter().map(|link| Said {
            players: link.endpoint.remote_players(),
            part: link.endpoint.barrier().seed,
            is_host: self.host_address == Some(link.endpoint.address()),
        });
        if let Err(fault) = self.seed.follow(facts.local_players, others, is_everybody) {
            self.leave_reason = LeaveReason::Violation;
            let (players, told_by) = match fault {
                SeedFault::Forged(players) => (players, PlayerSet::EMPTY),
                SeedFault::TwoFaced(players, teller) => (players, teller),
            };
            self.end(Outcome::SeedForged { players, told_by }, PhaseEvent::Ended, now_us);
        } else if is_everybody && let Err(error) = self.prepare_session() {
            self.leave_reason = LeaveReason::Quit;
            self.end(Outcome::Session(error), PhaseEvent::Ended, now_us);
        }
    }

    /// Takes the newest word of the host on when to start, while it can still be heeded.
    pub(super) fn refine_start(&mut self, now_us: u64) {
        if self.phase != PeerPhase::Countdown || self.start_at_us.is_none_or(|start| start <= now_us) {
            return;
        }
        if let Some(start_at_us) = self.host_link().and_then(|host| host.endpoint.barrier().start_at_us) {
            self.start_at_us = Some(start_at_us);
        }
    }

    pub(super) fn fix_start(&mut self, start_at_us: u64) {
        self.start_at_us = Some(start_at_us);
        self.on(PhaseEvent::StartFixed);
        self.push_event(PeerEvent::StartFixed { start_at_us });
    }

    /// Dials the joiners with lower seats, once the host has said where everybody is.
    fn dial_roster(&mut self, now_us: u64) {
        let Some(facts) = self.facts else { return };
        let Some(host) = self.host_link() else { return };
        let roster = host.endpoint.barrier().roster.to_vec();
        let seated = roster.iter().fold(PlayerSet::EMPTY, |seated, entry| seated.union(entry.players));
        if seated != PlayerSet::first(self.settings.player_count.into()) {
            return;
        }
        self.expect_joiners(&roster);
        let is_lower = |players: PlayerSet| players.iter().next() < facts.local_players.iter().next();
        // One that has moved is where we have followed it to, whatever the host has heard so far.
        let is_dialed = |entry: &RosterEntry| {
            let same = |dialed: RosterEntry, at| {
                dialed == *entry
                    || dialed.pairing.is_some() && dialed == RosterEntry { address: dialed.address, ..*entry } && self.is_open(at)
            };
            self.links.iter().any(|link| link.dialed.is_some_and(|dialed| same(dialed, link.endpoint.address())))
        };
        let to_dial: Vec<RosterEntry> =
            roster.iter().filter(|entry| is_lower(entry.players) && entry.address.is_some() && !is_dialed(entry)).copied().collect();
        for entry in to_dial {
            let Some(address) = entry.address else { continue };
            // Whoever sat there before, or the same program before it was started anew.
            let sat = |link: &Link| link.dialed.is_some_and(|dialed| dialed.players.minus(entry.players) != dialed.players);
            while let Some(at) = self.links.iter().position(sat) {
                let gone = self.links.remove(at);
                self.hang_up(gone.endpoint.address());
            }
            self.dial(address, entry.players, entry.pairing, now_us);
            if let Some(link) = self.links.last_mut() {
                link.dialed = Some(entry);
            }
        }
    }

    /// How far this peer is.
    pub(super) fn barrier_state(&self) -> BarrierState {
        if self.phase > PeerPhase::Gathering {
            return if self.is_host() { BarrierState::Go } else { BarrierState::Ready };
        }
        if !self.loaded || self.facts.is_none() {
            return BarrierState::Loading;
        }
        let is_prepared = self.facts.is_some_and(|facts| facts.seed.is_some() && facts.seed == self.seed.seed()) && self.session.is_some();
        let measured = self.links.iter().all(|link| link.endpoint.barrier().rtt_samples >= RTT_SAMPLES);
        if self.is_connected() && is_prepared && measured && self.everybody_is(BarrierState::Loaded) {
            BarrierState::Ready
        } else {
            BarrierState::Loaded
        }
    }

    fn everybody_is(&self, state: BarrierState) -> bool {
        self.links.iter().all(|link| link.endpoint.barrier().remote >= state)
    }

    /// Whether every player of the match is here or at the end of a standing connection.
    fn is_connected(&self) -> bool {
        let standing = |link: &&Link| matches!(link.endpoint.state(), LinkState::Waiting | LinkState::Playing) && link.endpoint.is_proven();
        let here = self.facts.map_or(PlayerSet::EMPTY, |facts| facts.local_players);
        let all = self.links.iter().filter(standing).fold(here, |all, link| all.union(link.endpoint.remote_players()));
        all == PlayerSet::first(self.settings.player_count.into())
    }

    /// Where everybody is, as the host tells it once all seats are taken.
    pub(super) fn roster(&self, receiver: PlayerSet) -> Vec<RosterEntry> {
        let (Role::Host { .. }, Some(facts)) = (self.settings.role, self.facts) else { return Vec::new() };
        if self.links.len() < 2 || !self.is_connected() {
            return Vec::new();
        }
        let joiners = self.links.iter().map(|link| RosterEntry {
            players: link.endpoint.remote_players(),
            address: Some(link.endpoint.address()),
            // The low bits are where sequences begin.
            instance: (link.endpoint.remote_nonce() >> 16) as u32,
            pairing: self.pairing(&receiver, &link.endpoint.remote_players(), link.endpoint.address()),
        });
        core::iter::once(RosterEntry { players: facts.local_players, address: None, instance: 0, pairing: None }).chain(joiners).collect()
    }

    /// A player of the connection's other end, for messages.
    pub(super) fn first_player(link: &Link) -> PlayerHandle {
        link.endpoint.remote_players().iter().next().unwrap_or(PlayerHandle::new(0))
    }
}
