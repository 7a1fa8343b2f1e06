//! [`Endpoint`]: one connection to one peer. Sans-IO: bytes and `now_us` in, bytes and facts out.

mod audit;
mod barrier;
mod heard;
mod incoming;
mod outgoing;
mod repair;
mod settings;
mod state;
mod stats;
mod window;

pub use barrier::BarrierView;
pub use heard::Heard;
pub use incoming::{Handled, ReceivedCheck, ReceivedInputs};
pub use repair::RepairPolicy;
pub use settings::{EndpointSettings, Expected, answer_hello};
pub use state::{LinkEvent, LinkState, TRANSITIONS};
pub use stats::EndpointStats;
pub use window::{InputWindow, cap_frames, most_owed_frames};

use crate::ack::{AckWindow, SentWindow};
use crate::packet::{ConnectionKey, Hello, PeerParams, RejectCounts, Welcome};
use crate::rtt::RttEstimator;
use audit::AckAudit;
use barrier::Barrier;
use repair::Repair;
use snapback_core::codec::RunLog;
use snapback_core::{Frame, PlayerHandle, PlayerSet};
use stats::ReceivedLoss;
use std::net::SocketAddr;

/// One connection to one peer.
///
/// Call order: [`handle`](Self::handle) every datagram from [`address`](Self::address);
/// [`check_silence`](Self::check_silence) now and then; the `write_*` call that belongs to
/// [`state`](Self::state) when it is time to send. Every call takes the same clock, in microseconds
/// that never go back.
pub struct Endpoint {
    address: SocketAddr,
    settings: EndpointSettings,
    state: LinkState,
    /// The nonce by which a repeated Hello of the same dialler is known.
    remote_nonce: u64,
    remote_params: PeerParams,
    remote_players: PlayerSet,
    key: ConnectionKey,
    first_frame: Frame,
    /// Of both sides' parameters: asked for with every packet.
    cap_frames: usize,

    received: AckWindow,
    newest_received_at_us: u64,
    received_loss: ReceivedLoss,
    received_frame: Frame,
    /// The newest frame that the peer sent a check of.
    checked_frame: Option<Frame>,
    peer_lag: Option<PeerLag>,
    /// What each player of the peer pressed, in seat order.
    received_logs: Vec<(PlayerHandle, RunLog)>,
    /// When the newest packet came that brought a frame on time.
    beat_at_us: u64,

    /// What each of our players pressed, in seat order.
    sent_logs: Vec<(PlayerHandle, RunLog)>,
    sent: SentWindow,
    next_sequence: u64,
    newest_acked_sequence: u64,
    newest_acked_sent_us: Option<u64>,
    sent_frame: Frame,
    acked_frame: Frame,
    audit: AckAudit,
    lag_frames: i8,
    /// Which of the newest packets were no copies: bit n is the one n before the newest.
    on_beat: u64,

    /// Whether a packet came that only the peer at that address can have made.
    proven: bool,
    barrier: Barrier,
    repair: Repair,
    parity_covers_last: bool,
    rtt: RttEstimator,
    last_heard_us: u64,
    interrupted: bool,
    stats: EndpointStats,
    rejects: RejectCounts,
}

impl Endpoint {
    /// A connection that has yet to be answered: send [`write_hello`](Self::write_hello).
    #[must_use]
    pub fn dial(address: SocketAddr, settings: EndpointSettings, now_us: u64) -> Self {
        let nobody = PeerParams { player_count: 0, ..settings.params };
        let key = settings.connection_key(settings.nonce, 0);
        Self::new(address, settings, LinkState::Dialing, nobody, PlayerSet::EMPTY, 0, key, Frame::ZERO, now_us)
    }

    /// A connection that a Hello opened: answer with `welcome`, which says who has which seats.
    #[must_use]
    pub fn accept(address: SocketAddr, settings: EndpointSettings, hello: &Hello, welcome: &Welcome, now_us: u64) -> Self {
        let key = settings.connection_key(hello.nonce, settings.nonce);
        let players = welcome.dialer_players;
        Self::new(address, settings, LinkState::Waiting, hello.params, players, hello.nonce, key, welcome.first_frame, now_us)
    }

    #[expect(clippy::too_many_arguments, reason = "the one place where the two ways to begin meet")]
    fn new(
        address: SocketAddr,
        settings: EndpointSettings,
        state: LinkState,
        remote_params: PeerParams,
        remote_players: PlayerSet,
        remote_nonce: u64,
        key: ConnectionKey,
        first_frame: Frame,
        now_us: u64,
    ) -> Self {
        let mut endpoint = Self {
            address,
            settings,
            state,
            remote_nonce,
            remote_params,
            remote_players,
            key,
            first_frame,
            cap_frames: 0,
            received: AckWindow::new(first_sequence(remote_nonce)),
            newest_received_at_us: now_us,
            received_loss: ReceivedLoss::default(),
            received_frame: first_frame.previous(),
            checked_frame: None,
            peer_lag: None,
            received_logs: Vec::new(),
            sent_logs: Vec::new(),
            beat_at_us: now_us,
            sent: SentWindow::new(first_sequence(settings.nonce)),
            next_sequence: first_sequence(settings.nonce),
            newest_acked_sequence: first_sequence(settings.nonce) - 1,
            newest_acked_sent_us: None,
            sent_frame: first_frame.previous(),
            acked_frame: first_frame.previous(),
            audit: AckAudit::new(),
            lag_frames: 0,
            on_beat: 0,
            proven: settings.is_encrypted,
            barrier: Barrier::default(),
            repair: Repair::new(settings.repair, settings.fec_group_size, settings.params.simulation_hz, settings.packet_budget_bytes),
            parity_covers_last: false,
            rtt: RttEstimator::default(),
            last_heard_us: now_us,
            interrupted: false,
            stats: EndpointStats::default(),
            rejects: RejectCounts::default(),
        };
        endpoint.make_logs();
        endpoint
    }

    /// What a Welcome settles: everything about the other side.
    fn settle(&mut self, welcome: &Welcome) {
        self.remote_nonce = welcome.listener_nonce;
        self.remote_params = welcome.params;
        self.remote_players = welcome.listener_players;
        self.settings.local_players = welcome.dialer_players;
        self.key = self.settings.connection_key(self.settings.nonce, welcome.listener_nonce);
        self.first_frame = welcome.first_frame;
        self.received = AckWindow::new(first_sequence(welcome.listener_nonce));
        self.received_frame = welcome.first_frame.previous();
        self.sent_frame = welcome.first_frame.previous();
        self.acked_frame = welcome.first_frame.previous();
        self.make_logs();
    }

    /// Room for the longest window of each player.
    fn make_logs(&mut self) {
        self.cap_frames = cap_frames(&self.settings.params, &self.remote_params);
        let (input_bytes, frames) = (self.settings.params.input_bytes.into(), self.cap_frames);
        let logs = |players: PlayerSet| players.iter().map(|player| (player, RunLog::new(input_bytes, frames))).collect();
        self.received_logs = logs(self.remote_players);
        self.sent_logs = logs(self.settings.local_players);
    }

    /// Where the peer is.
    #[must_use]
    #[inline]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The peer has moved, and has proved it.
    pub fn set_address(&mut self, address: SocketAddr) {
        self.address = address;
    }

    /// Where the connection stands.
    #[must_use]
    #[inline]
    pub fn state(&self) -> LinkState {
        self.state
    }

    /// Moves the connection on; an event that means nothing in its state changes nothing.
    #[inline]
    pub fn on(&mut self, event: LinkEvent) {
        self.state = self.state.after(event);
    }

    /// The players at the other end; nobody until the handshake is over.
    #[must_use]
    #[inline]
    pub fn remote_players(&self) -> PlayerSet {
        self.remote_players
    }

    /// The players at this end.
    #[must_use]
    pub fn local_players(&self) -> PlayerSet {
        self.settings.local_players
    }

    /// What the peer said of itself.
    #[must_use]
    #[inline]
    pub fn remote_params(&self) -> PeerParams {
        self.remote_params
    }

    /// The nonce that the other end chose.
    #[must_use]
    pub fn remote_nonce(&self) -> u64 {
        self.remote_nonce
    }

    /// The last frame up to which every input of the peer has arrived.
    #[must_use]
    #[inline]
    pub fn received_frame(&self) -> Frame {
        self.received_frame
    }

    /// The last frame of our inputs that was sent to the peer: it can have confirmed none after it.
    #[must_use]
    pub fn sent_frame(&self) -> Frame {
        self.sent_frame
    }

    /// The last frame up to which the peer has every input of ours.
    #[must_use]
    #[inline]
    pub fn acked_frame(&self) -> Frame {
        self.acked_frame
    }

    /// How far the peer said last that its simulation is ahead of our inputs. Nobody has checked it.
    #[must_use]
    #[inline]
    pub fn peer_lag(&self) -> Option<PeerLag> {
        self.peer_lag
    }

    /// When the newest packet came that was sent with the peer's tick and brought a new frame: not a copy.
    #[must_use]
    pub fn beat_at_us(&self) -> u64 {
        self.beat_at_us
    }

    /// What the next packets say of how far our simulation is ahead of the peer's inputs.
    #[inline]
    pub fn set_lag(&mut self, frames: i8) {
        self.lag_frames = frames;
    }

    /// The most frames of input that may be in one packet, which is above everything that two
    /// peers that keep the rules can owe each other.
    #[must_use]
    #[inline]
    pub fn cap_frames(&self) -> usize {
        self.cap_frames
    }

    /// The smoothed round trip; none before the first measurement.
    #[must_use]
    #[inline]
    pub fn rtt_us(&self) -> Option<u64> {
        self.rtt.smoothed_us()
    }

    /// Round trip, jitter, and what went over the connection.
    #[must_use]
    pub fn stats(&self) -> EndpointStats {
        EndpointStats {
            rtt_us: self.rtt.smoothed_us(),
            jitter_us: self.rtt.jitter_us().unwrap_or(0),
            packets_lost: self.sent.lost_count(),
            packets_acked: self.sent.acked_count(),
            loss_sent_per_million: self.repair.loss_per_million(),
            loss_received_per_million: self.received_loss.per_million(),
            resend_depth_frames: u32::try_from(self.sent_frame - self.acked_frame).unwrap_or(0),
            ..self.stats
        }
    }

    /// What was dropped, by reason.
    #[must_use]
    pub fn rejects(&self) -> &RejectCounts {
        &self.rejects
    }

    /// Whether the peer has been silent for longer than the notice and was not heard since.
    #[must_use]
    #[inline]
    pub fn is_interrupted(&self) -> bool {
        self.interrupted
    }

    /// Whether a packet came that only somebody who receives at the peer's address can have made.
    /// Until then nothing but answers should go there.
    #[must_use]
    #[inline]
    pub fn is_proven(&self) -> bool {
        self.proven
    }

    /// Whether the last packet of inputs belongs to a parity group.
    #[must_use]
    #[inline]
    pub fn is_last_protected(&self) -> bool {
        self.parity_covers_last
    }

    /// Whether so many packets are unacknowledged that fewer should be sent: a sequence that runs too
    /// far ahead of what the peer has heard would be refused when it hears us again.
    #[must_use]
    #[inline]
    pub fn is_backlogged(&self) -> bool {
        self.next_sequence - self.newest_acked_sequence > BACKLOG_PACKETS
    }

    /// When something was last heard from the peer.
    #[must_use]
    #[inline]
    pub fn last_heard_us(&self) -> u64 {
        self.last_heard_us
    }

    /// Notices silence: tells the first time it lasts longer than the notice, and ends the
    /// connection when it lasts longer than the timeout.
    pub fn check_silence(&mut self, now_us: u64) -> Option<Silence> {
        if self.state.is_over() {
            return None;
        }
        let silent_us = now_us.saturating_sub(self.last_heard_us);
        if silent_us >= self.settings.timeout_us {
            self.on(LinkEvent::Silence);
            return Some(Silence::Lost);
        }
        if silent_us >= self.settings.notify_us && !self.interrupted && self.state == LinkState::Playing {
            self.interrupted = true;
            return Some(Silence::Interrupted);
        }
        None
    }

    /// Nobody listened for so long: that time is not the peer's silence.
    pub fn excuse(&mut self, now_us: u64, deaf_us: u64) {
        self.last_heard_us = self.last_heard_us.saturating_add(deaf_us).min(now_us);
    }

    /// When [`check_silence`](Self::check_silence) would next notice something.
    #[must_use]
    pub fn silence_timeout_us(&self) -> Option<u64> {
        if self.state.is_over() {
            return None;
        }
        let after_us =
            if self.interrupted || self.state != LinkState::Playing { self.settings.timeout_us } else { self.settings.notify_us };
        Some(self.last_heard_us.saturating_add(after_us))
    }
}

/// Unacknowledged packets after which fewer are sent: at 60 a second eight seconds, so that after a blackout
/// shorter than that the first packet comes at once. With a packet every
/// [`BACKLOG_INTERVAL_US`] for the longest timeout there is, the sequence stays within
/// [`MAX_SEQUENCE_JUMP`](crate::ack::MAX_SEQUENCE_JUMP).
const BACKLOG_PACKETS: u64 = 512;

/// Between two packets while there is a backlog.
pub const BACKLOG_INTERVAL_US: u64 = 250_000;

const _: () = assert!(BACKLOG_PACKETS + 120_000_000 / BACKLOG_INTERVAL_US < crate::ack::MAX_SEQUENCE_JUMP);

/// What the peer's newest packet said of its simulation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PeerLag {
    /// How many frames it is ahead of the newest input that it has from us.
    pub frames: i8,
    /// When the packet came, on our clock.
    pub at_us: u64,
    /// How long our newest input had been there when the tick began that the lag was measured at, as far as that
    /// is known. Nobody has checked that either.
    pub waited_us: Option<u64>,
}

/// What silence means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Silence {
    /// It lasts long enough that the player should be told.
    Interrupted,
    /// It lasts so long that the peer counts as gone.
    Lost,
}

/// The sequence of a peer's first packet: the low bits of its nonce, so that every match starts
/// somewhere else and a wrap is nothing special. High enough that nothing comes before zero.
fn first_sequence(nonce: u64) -> u64 {
    (1 << 16) + (nonce & 0xFFFF)
}
