//! [`Peer`]: a session and its connections, sans-IO.

mod acks;
#[cfg(feature = "channels")]
mod channels;
mod checks;
mod event;
mod farewell;
mod gather;
mod incoming;
mod link;
mod offset;
mod outgoing;
mod phase;
mod play;
mod pump;
mod recording;
mod security;
mod seed;
mod settings;
mod stall;
pub mod time_sync;
#[cfg(feature = "dtls")]
mod wire;
#[cfg(not(feature = "dtls"))]
mod wire_off;

pub use event::{FinalState, Outcome, PeerEvent};
pub use phase::{PHASES, PeerPhase, PhaseEvent};
pub use security::Security;
#[cfg(feature = "dtls")]
pub use security::{Credentials, Invitation};
pub use settings::{MatchFacts, PeerSettings, Role};

use crate::desync::comparison::LinkChecks;
use crate::desync::history::CheckHistory;
use crate::rollback::{InputPredictor, RepeatLast, RollbackSession, SessionError, SessionSettings};
use link::Link;
use recording::Recording;
use seed::SeedAgreement;
use snapback_core::limits::{LAST_FRAME, MAX_INPUT_DELAY_FRAMES, MAX_PLAYERS};
use snapback_core::{Frame, NameHash, PlayerSet, Simulation, StateHash};
use snapback_transport::credentials::SecureFailure;
use snapback_transport::endpoint::Expected;
use snapback_transport::packet::{
    DATAGRAM_BUDGET_BYTES, DatagramDescriptor, LeaveReason, Refusal, RefusalReason, Reject, RejectCounts, most_packet_bytes,
};
#[cfg(feature = "dtls")]
use snapback_transport::secure::{SecureSocket, packet_budget_bytes};
use snapback_transport::{EndpointSettings, EndpointStats, PeerParams};
use stall::Stalls;
use std::collections::VecDeque;
use std::net::SocketAddr;
use time_sync::SyncView;
#[cfg(not(feature = "dtls"))]
use wire_off::{Invitation, SecureSocket, packet_budget_bytes};

/// Answers to strangers that wait to be sent; more are not kept.
const MAX_PENDING_REFUSALS: usize = 8;

/// Events that wait to be polled.
const EVENT_CAPACITY: usize = 64;

/// Where to send the bytes that [`Peer::poll_transmit`] wrote.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Transmit {
    /// The address.
    pub to: SocketAddr,
    /// How many bytes of the buffer.
    pub len: usize,
    /// What was done to them.
    pub descriptor: DatagramDescriptor,
}

/// One peer of a match: a [`RollbackSession`] and a connection to every other peer. It reads no
/// clock and no socket.
///
/// The host program owns a socket and a clock (microseconds that never go back) and, in this order:
/// 1. hands every datagram to [`handle`](Self::handle);
/// 2. once the match is loaded, calls [`set_loaded`](Self::set_loaded);
/// 3. from the time that [`start_at_us`](Self::start_at_us) gives, calls [`tick`](Self::tick)
///    [`simulation_hz`](snapback_core::RollbackConfig::simulation_hz) times a second, a little slower
///    while [`time_sync`](Self::time_sync) says so: a [`Pacer`](crate::Pacer) says when;
/// 4. sends whatever [`poll_transmit`](Self::poll_transmit) writes until it returns `None`, after
///    every datagram, tick and timeout;
/// 5. reads [`poll_event`](Self::poll_event) until it returns `None`;
/// 6. waits until the next tick, the next datagram or [`poll_timeout`](Self::poll_timeout).
///
/// One packet goes to each peer for each tick. While the host program does not tick, packets go out
/// by `poll_timeout`, so that pausing or loading does not cost the connection. Time in which the
/// program was suspended, and called nothing, is not counted as the others' silence.
///
/// A complete program is `session/examples/own_game.rs`.
pub struct Peer<S: Simulation, P = RepeatLast> {
    settings: PeerSettings,
    params: PeerParams,
    phase: PeerPhase,
    /// Taken by the session once the seats are known.
    waiting: Option<(S, P)>,
    session: Option<RollbackSession<S, P>>,
    facts: Option<MatchFacts>,
    seed: SeedAgreement,
    loaded: bool,
    start_at_us: Option<u64>,
    /// The encryption; none in the plaintext profile.
    wire: Option<SecureSocket>,
    invitation: Option<Invitation>,
    host_address: Option<SocketAddr>,
    packet: Vec<u8>,
    links: Vec<Link>,
    refusals: Vec<(SocketAddr, Refusal)>,
    strangers: RejectCounts,
    last_turned_away: Option<(SocketAddr, RefusalReason)>,
    /// The second of the last, and how many in it.
    turned_away_in: (u64, u32),
    events: VecDeque<PeerEvent>,
    next_confirmed: Frame,
    digest: u32,
    last_confirmed_hash: StateHash,
    /// What was computed for the confirmed frames, once there is a session.
    history: Option<CheckHistory>,
    /// The newest confirmed frame that the others are told of.
    check_frame: Option<Frame>,
    /// No frame before this one is the next that they are told of.
    next_check_frame: Frame,
    /// What this peer computed up to the frame that ended the match.
    disputed: Option<FinalState>,
    leave_reason: LeaveReason,
    lost: PlayerSet,
    outcome: Option<Outcome>,
    farewell_since_us: u64,
    /// By when the host program was asked to poll again.
    expected_us: Option<u64>,
    /// When it called last.
    called_us: u64,
    time_sync: SyncView,
    stalls: Stalls,
    /// What is recorded, if anything is.
    recording: Option<Box<Recording>>,
}

impl<S: Simulation> Peer<S> {
    /// A peer whose session predicts by repeating the last confirmed input.
    ///
    /// # Errors
    /// If the settings are impossible, or the simulation does not start.
    pub fn new(simulation: S, settings: PeerSettings, now_us: u64) -> Result<Self, SessionError> {
        Self::with_predictor(simulation, settings, RepeatLast, now_us)
    }
}

impl<S: Simulation, P: InputPredictor<S::Input>> Peer<S, P> {
    /// A peer with a predictor of the host's choice.
    ///
    /// # Errors
    /// As [`new`](Peer::new).
    pub fn with_predictor(mut simulation: S, settings: PeerSettings, predictor: P, now_us: u64) -> Result<Self, SessionError> {
        check(&settings)?;
        let params = params_of(&simulation, &settings)?;
        let (wire, invitation) = settings.security.open(&settings)?;
        check_budget(&settings, &params)?;
        RollbackSession::<S, P>::check(&mut simulation, &session_settings(&settings, 0, Frame::ZERO, PlayerSet::first(1)))?;
        let (seed_secret, match_id) = (settings.seed_secret, settings.match_id);
        let role = settings.role;
        let stalls = Stalls::new(settings.config.simulation_hz);
        let mut peer = Self {
            wire,
            invitation,
            host_address: match role {
                Role::Join { host } => Some(host),
                Role::Host { .. } => None,
            },
            packet: vec![0; DATAGRAM_BUDGET_BYTES],
            settings,
            params,
            phase: PeerPhase::Gathering,
            waiting: Some((simulation, predictor)),
            session: None,
            facts: None,
            seed: SeedAgreement::new(seed_secret, match_id),
            loaded: false,
            start_at_us: None,
            links: Vec::with_capacity(MAX_PLAYERS),
            refusals: Vec::with_capacity(MAX_PENDING_REFUSALS),
            strangers: RejectCounts::default(),
            last_turned_away: None,
            turned_away_in: (0, 0),
            events: VecDeque::with_capacity(EVENT_CAPACITY),
            next_confirmed: Frame::ZERO,
            digest: 0,
            last_confirmed_hash: StateHash::from_bits(0),
            history: None,
            check_frame: None,
            next_check_frame: Frame::ZERO,
            disputed: None,
            leave_reason: LeaveReason::Finished,
            lost: PlayerSet::EMPTY,
            outcome: None,
            farewell_since_us: 0,
            expected_us: Some(now_us),
            called_us: now_us,
            time_sync: SyncView::default(),
            stalls,
            recording: None,
        };
        match role {
            Role::Host { first_frame, last_frame } => {
                let local_players = PlayerSet::first(peer.settings.local_player_count.into());
                peer.sit_down(MatchFacts { seed: None, first_frame, last_frame, local_players });
                peer.issue_invitations();
            }
            Role::Join { host } => peer.dial(host, PlayerSet::EMPTY, None, now_us),
        }
        Ok(peer)
    }

    /// The seats are known.
    fn sit_down(&mut self, facts: MatchFacts) {
        if self.facts.is_none() {
            self.next_confirmed = facts.first_frame;
            // A joiner has dialled its host before it learns of the match.
            self.links.iter_mut().for_each(|link| link.checks = LinkChecks::new(facts.first_frame));
            self.facts = Some(facts);
            self.push_event(PeerEvent::Seated { players: facts.local_players });
        }
    }

    /// Starts the session, now that the seed is known; anew if somebody came late and it is another one.
    fn prepare_session(&mut self) -> Result<(), SessionError> {
        let (Some(facts), Some(seed)) = (&mut self.facts, self.seed.seed()) else { return Ok(()) };
        if facts.seed == Some(seed) && self.session.is_some() {
            return Ok(());
        }
        facts.seed = Some(seed);
        if let Some(session) = self.session.take() {
            self.waiting = Some(session.into_parts());
        }
        let Some((simulation, predictor)) = self.waiting.take() else { return Ok(()) };
        let settings = session_settings(&self.settings, seed, facts.first_frame, facts.local_players);
        self.session = Some(RollbackSession::with_predictor(simulation, settings, predictor)?);
        self.history = Some(CheckHistory::new(self.settings.player_count.into(), facts.first_frame));
        self.record_session()?;
        Ok(())
    }

    fn endpoint_settings(&self, remote_players: PlayerSet) -> EndpointSettings {
        // Each connection has a nonce of its own; the low half, where sequences begin, stays.
        let nonce = self.settings.nonce ^ u64::from(remote_players.bits()) << 56;
        let local_players = self.facts.map_or(PlayerSet::EMPTY, |facts| facts.local_players);
        let expected = Expected {
            local_player_count: self.settings.local_player_count,
            remote_players,
            first_frame: self.facts.map(|facts| facts.first_frame),
        };
        EndpointSettings {
            expected,
            is_encrypted: self.wire.is_some(),
            packet_budget_bytes: self.packet_budget_bytes(),
            ..EndpointSettings::new(self.settings.match_id, nonce, self.params, local_players, &self.settings.config)
        }
    }

    /// The largest packet, what seals it aside.
    fn packet_budget_bytes(&self) -> usize {
        let datagram_budget_bytes = self.settings.config.datagram_budget_bytes as usize;
        if self.wire.is_some() { packet_budget_bytes(datagram_budget_bytes) } else { datagram_budget_bytes }
    }

    fn on(&mut self, event: PhaseEvent) {
        self.phase = self.phase.after(event);
    }

    fn end(&mut self, outcome: Outcome, event: PhaseEvent, now_us: u64) {
        if self.outcome.is_some() {
            return;
        }
        self.outcome = Some(outcome);
        self.farewell_since_us = now_us;
        for link in &mut self.links {
            link.next_send_us = now_us;
        }
        self.on(event);
        self.tell_when_over();
    }

    fn tell_when_over(&mut self) {
        if self.phase == PeerPhase::Over
            && let Some(outcome) = &self.outcome
        {
            let event = PeerEvent::Over(outcome.clone());
            if self.events.back() != Some(&event) {
                self.push_event(event);
            }
        }
    }

    /// Events are few; a host program that never polls keeps the newest 64.
    fn push_event(&mut self, event: PeerEvent) {
        if self.events.len() == EVENT_CAPACITY {
            self.events.pop_front();
        }
        self.events.push_back(event);
    }

    /// The next thing that the host program should know.
    pub fn poll_event(&mut self) -> Option<PeerEvent> {
        self.events.pop_front()
    }

    /// Tells the others that this peer has loaded the match. The start waits for everybody.
    pub fn set_loaded(&mut self) {
        self.loaded = true;
    }

    /// Delays this peer's inputs by so many frames from the next tick on: see
    /// [`RollbackSession::set_input_delay`]. The other peers need not know.
    ///
    /// The range is 0 to 10 frames. A peer that is to go further, up to 30, as in delay mode, must begin with
    /// the most that it will use as [`input_delay_frames`](PeerSettings::input_delay_frames), and may go down
    /// from there and up again: a peer announces 10 frames to the others when it greets them, or what it
    /// begins with if that is more, and what they keep and accept of its inputs follows from that.
    ///
    /// # Errors
    /// If it is more than this peer has announced.
    pub fn set_input_delay(&mut self, frames: u8) -> Result<(), SessionError> {
        let most_frames = self.params.delay_max_frames;
        if frames > most_frames {
            let reason = format!("an input delay of {frames} frames is more than this peer has announced; use 0 to {most_frames}");
            return Err(SessionError::Settings { reason });
        }
        let settings = PeerSettings { input_delay_frames: frames, ..self.settings.clone() };
        check(&settings)?;
        if let Some(session) = &mut self.session {
            session.set_input_delay(frames)?;
        }
        self.settings = settings;
        Ok(())
    }

    /// Where the peer is in the match.
    #[must_use]
    pub fn phase(&self) -> PeerPhase {
        self.phase
    }

    /// How the match ended, once it has.
    #[must_use]
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// When the first frame is due on this peer's clock, once that is fixed. A joiner refines it
    /// with every packet that says it anew, until it has come.
    #[must_use]
    pub fn start_at_us(&self) -> Option<u64> {
        self.start_at_us
    }

    /// How far this peer is ahead of the others, and by how much the next tick is to be longer for it: give
    /// [`stretch_ppm`](SyncView::stretch_ppm) to a [`Pacer`](crate::Pacer), or lengthen the wait by it.
    #[must_use]
    pub fn time_sync(&self) -> SyncView {
        self.time_sync
    }

    /// What is known of the match, once this peer has a seat.
    #[must_use]
    pub fn facts(&self) -> Option<&MatchFacts> {
        self.facts.as_ref()
    }

    /// The session, once this peer has a seat and the seed of the match is known.
    #[must_use]
    pub fn session(&self) -> Option<&RollbackSession<S, P>> {
        self.session.as_ref()
    }

    /// The session, to look at confirmed frames.
    pub fn session_mut(&mut self) -> Option<&mut RollbackSession<S, P>> {
        self.session.as_mut()
    }

    /// What this peer has confirmed so far: frame, hash, digest.
    #[must_use]
    pub fn confirmed_state(&self) -> FinalState {
        FinalState { frame: self.next_confirmed.previous(), state_hash: self.last_confirmed_hash, digest: self.digest }
    }

    /// Every connection: the players at its other end and what went over it.
    pub fn connections(&self) -> impl Iterator<Item = (PlayerSet, EndpointStats)> + '_ {
        self.links.iter().map(|link| (link.endpoint.remote_players(), link.endpoint.stats()))
    }

    /// Why the host cannot be reached, as far as this joiner knows: it answers, but is not who the ticket
    /// says, or something breaks the handshake.
    #[must_use]
    pub fn dial_failure(&self) -> Option<SecureFailure> {
        self.host_address.and_then(|host| self.failure_of(host))
    }

    /// What was dropped, by reason, on all connections and from strangers.
    pub fn rejects(&self) -> impl Iterator<Item = (Reject, u64)> + '_ {
        Reject::ALL.iter().copied().filter_map(|reject| {
            let known: u64 = self.links.iter().map(|link| link.endpoint.rejects().of(reject)).sum();
            let below = self.wire.as_ref().map_or(0, |wire| wire.rejects().of(reject));
            let count = known + self.strangers.of(reject) + below;
            (count > 0).then_some((reject, count))
        })
    }

    /// Ends the match on this side: says goodbye, then [`PeerPhase::Over`].
    pub fn leave(&mut self, now_us: u64) {
        if self.phase < PeerPhase::Farewell {
            self.leave_reason = LeaveReason::Quit;
            self.end(Outcome::Quit, PhaseEvent::Ended, now_us);
        }
    }
}

/// The size of a buffer that every datagram fits in.
pub const TRANSMIT_BUFFER_BYTES: usize = DATAGRAM_BUDGET_BYTES;

fn session_settings(settings: &PeerSettings, seed: u64, first_frame: Frame, local_players: PlayerSet) -> SessionSettings {
    SessionSettings {
        config: settings.config,
        seed,
        player_count: settings.player_count.into(),
        local_players,
        input_delay_frames: settings.input_delay_frames,
        first_frame,
    }
}

fn check(settings: &PeerSettings) -> Result<(), SessionError> {
    settings.config.is_valid()?;
    let (local, all) = (settings.local_player_count, settings.player_count);
    if !(1..=MAX_PLAYERS).contains(&usize::from(all)) || local == 0 || local > all {
        let reason = format!("{local} local players of {all} are impossible; use 1 to {MAX_PLAYERS} players, at least one of them local");
        return Err(SessionError::Settings { reason });
    }
    if settings.input_delay_frames > MAX_INPUT_DELAY_FRAMES {
        let reason = format!("an input delay of {} frames is too long; use 0 to {MAX_INPUT_DELAY_FRAMES}", settings.input_delay_frames);
        return Err(SessionError::Settings { reason });
    }
    if settings.config.prediction_window_frames == 0 && settings.input_delay_frames == 0 && local < all {
        let reason = "without a prediction window and without an input delay two peers wait for each other's first input for ever; give at \
                      least one of prediction_window_frames and input_delay_frames 1 or more";
        return Err(SessionError::Settings { reason: reason.to_owned() });
    }
    if let Role::Host { last_frame: Some(last), first_frame, .. } = settings.role {
        if last < first_frame {
            return Err(SessionError::Settings {
                reason: format!("a match cannot end with frame {last} before its first frame {first_frame}"),
            });
        }
        if last.number() > LAST_FRAME {
            return Err(SessionError::Settings { reason: format!("a match cannot end with frame {last}; use {LAST_FRAME} at most") });
        }
    }
    Ok(())
}

/// Refuses settings under which a packet could not fit into a datagram.
fn check_budget(settings: &PeerSettings, params: &PeerParams) -> Result<(), SessionError> {
    let budget_bytes = settings.config.datagram_budget_bytes as usize;
    let is_encrypted = !matches!(settings.security, Security::InsecureLan);
    let room_bytes = if is_encrypted { packet_budget_bytes(budget_bytes) } else { budget_bytes };
    let most_bytes = most_packet_bytes(params.input_bytes.into(), settings.player_count.into(), settings.local_player_count.into());
    if most_bytes <= room_bytes {
        return Ok(());
    }
    let reason = format!(
        "datagram_budget_bytes is {budget_bytes}, which leaves {room_bytes} for a packet, and {} players with inputs of {} bytes need up to \
         {most_bytes}; give at least {}",
        settings.player_count,
        params.input_bytes,
        budget_bytes + most_bytes - room_bytes
    );
    Err(SessionError::Settings { reason })
}

fn params_of<S: Simulation>(simulation: &S, settings: &PeerSettings) -> Result<PeerParams, SessionError> {
    let input_bytes = size_of::<S::Input>();
    let too_large = SessionError::InputSize { input_bytes };
    Ok(PeerParams {
        simulation_name: NameHash::of(simulation.id().name).bits(),
        simulation_version: simulation.id().version,
        layout_fingerprint: simulation.layout().fingerprint(),
        config_hash: simulation.config_hash(),
        simulation_hz: u16::try_from(settings.config.simulation_hz).unwrap_or(u16::MAX),
        input_bytes: u8::try_from(input_bytes).map_err(|_| too_large)?,
        player_count: settings.player_count,
        window_max_frames: settings.config.prediction_window_frames as u8,
        delay_max_frames: settings.input_delay_frames.max(DELAY_MAX_FRAMES),
    })
}

/// The input delay that a peer says it may reach, even if it starts with less.
const DELAY_MAX_FRAMES: u8 = 10;
