//! [`ChannelHub`]: the channels to all other players of a match, on one socket. Sans-IO.
//!
//! | layer | what it adds | file |
//! |---|---|---|
//! | hub | greets, introduces, gives up, dials again | `turn.rs`, `mesh.rs`, the table in `state.rs` |
//! | connection | what arrives once, whole and in order | [`ChannelConnection`] |
//! | carrier | who is there; laminar | `carrier.rs` |
//! | wire | who it is: DTLS, or seats and nonces | `wire.rs`, `sealed.rs`, `plain.rs` |

mod carrier;
mod event;
mod introduction;
mod left_over;
mod link;
mod mesh;
mod path;
mod pipe;
mod plain;
#[cfg(feature = "dtls")]
mod sealed;
mod settings;
mod state;
#[cfg(test)]
mod tests;
mod turn;
mod wire;

pub use event::{HubEvent, LostReason, Received, Undelivered};
#[cfg(feature = "dtls")]
pub use settings::HubInvitation;
pub use settings::{HubError, HubRole, HubSecurity, HubSettings};

use super::{Channel, ChannelConnection, SendError};
use crate::credentials::{IdentityKey, SecureFailure};
use crate::packet::{Reject, RejectCounts};
use link::{Link, LiveSettings};
use snapback_core::{PlayerHandle, PlayerSet, Rng};
use state::LinkState;
use std::collections::VecDeque;
use std::net::SocketAddr;
use wire::{Wire, Word};

/// Events that wait to be polled.
const MAX_EVENTS: usize = 256;

/// How long a hub that closes tries to say so.
const LEAVING_US: u64 = 2_000_000;

/// The channels to all other players of a match, on one socket. Sans-IO.
///
/// Joiners dial the host. The host introduces them to each other, and the later seat dials the earlier.
/// A connection survives a change of address and every silence that is shorter than
/// [`give_up_after_us`](HubSettings::give_up_after_us); then it is lost, with the numbers of what did not
/// arrive, and whoever dialled it dials again: a new connection follows, whose messages begin at number 0.
///
/// Call order: [`handle`](Self::handle) every datagram; [`poll_event`](Self::poll_event) and
/// [`receive`](Self::receive) until they return `None`; [`send`](Self::send); then
/// [`poll_transmit`](Self::poll_transmit) until it returns `None`, and again once
/// [`poll_timeout`](Self::poll_timeout) has come. Every call takes the same clock, in microseconds; a
/// time before the latest counts as the latest.
///
/// Memory: some 2 MB for laminar with each connected player, nothing for anybody else; queues and what was
/// received are bounded by the table of channels.
///
/// ```
/// use snapback_core::PlayerHandle;
/// use snapback_transport::channel::{Channel, ChannelHub, HubRole, HubSecurity, HubSettings};
/// let (host_at, guest_at) = ("10.0.0.1:7001".parse()?, "10.0.0.2:7001".parse()?);
/// let (host, guest) = (PlayerHandle::new(0), PlayerHandle::new(1));
/// let settings = |player, nonce, role| HubSettings::new(7, player, 2, nonce, role, HubSecurity::InsecureLan);
/// let mut alice = ChannelHub::new(settings(host, 11, HubRole::Host), 0)?;
/// let mut bob = ChannelHub::new(settings(guest, 12, HubRole::Join { host: host_at }), 0)?;
///
/// let mut buffer = [0; 1_200];
/// let mut heard = None;
/// for now_us in (0..1_000_000).step_by(1_000) {
///     if now_us == 500_000 {
///         bob.send(now_us, host, Channel::ChatPresence, b"good luck")?;
///     }
///     while let Some((_, len)) = bob.poll_transmit(now_us, &mut buffer) {
///         alice.handle(now_us, guest_at, &buffer[..len]);
///     }
///     while let Some((_, len)) = alice.poll_transmit(now_us, &mut buffer) {
///         bob.handle(now_us, host_at, &buffer[..len]);
///     }
///     heard = heard.or(alice.receive(now_us));
/// }
/// let heard = heard.ok_or("nothing came")?;
/// assert_eq!((heard.from, heard.channel, heard.message), (guest, Channel::ChatPresence, b"good luck".to_vec()));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub struct ChannelHub {
    role: HubRole,
    own_seat: u8,
    /// Tells this hub from others that were in the same seat before.
    instance: u32,
    live: LiveSettings,
    wire: Wire,
    /// One for each other player, by seat.
    links: Vec<Link>,
    events: VecDeque<HubEvent>,
    rejects: RejectCounts,
    now_us: u64,
    is_closed: bool,
    /// Whose turn it is to send, and to be received from.
    next_to_send: usize,
    next_to_receive: usize,
}

impl ChannelHub {
    /// A hub that knows nobody yet. A joiner begins to dial.
    ///
    /// # Errors
    /// If the settings make no sense, or the DTLS library refuses them.
    pub fn new(settings: HubSettings, now_us: u64) -> Result<Self, HubError> {
        settings.check()?;
        let (wire, host) = Wire::new(&settings)?;
        let own_seat = settings.player.index() as u8;
        let others = (0..settings.player_count).filter(|seat| *seat != own_seat);
        let mut hub = Self {
            role: settings.role,
            own_seat,
            instance: Rng::new(settings.nonce, 0x6875_6273).next_u32(),
            live: LiveSettings {
                topology: settings.topology,
                packet_bytes: wire.packet_budget_bytes(),
                interrupt_us: settings.interrupt_after_us,
                give_up_us: settings.give_up_after_us,
            },
            wire,
            links: others.map(|seat| Link::new(seat, host.filter(|_| seat == 0))).collect(),
            events: VecDeque::new(),
            rejects: RejectCounts::default(),
            now_us,
            is_closed: false,
            next_to_send: 0,
            next_to_receive: 0,
        };
        for at in 0..hub.links.len() {
            hub.dial_if_free(at, now_us);
        }
        Ok(hub)
    }

    fn advance(&mut self, now_us: u64) -> u64 {
        self.now_us = self.now_us.max(now_us);
        self.now_us
    }

    fn index_of(&self, player: PlayerHandle) -> Option<usize> {
        self.links.iter().position(|link| link.player() == player)
    }

    /// Takes a datagram. What is dropped is counted in [`rejects`](Self::rejects).
    pub fn handle(&mut self, now_us: u64, from: SocketAddr, datagram: &[u8]) {
        let now_us = self.advance(now_us);
        if self.is_over() {
            return;
        }
        self.wire.handle(now_us, from, datagram);
        self.turn(now_us);
    }

    /// Writes the next datagram that is due, and says where to. `None` when nothing is due. `out` is at
    /// least as long as the datagram budget.
    pub fn poll_transmit(&mut self, now_us: u64, out: &mut [u8]) -> Option<(SocketAddr, usize)> {
        let now_us = self.advance(now_us);
        self.turn(now_us);
        if self.is_over() {
            return None;
        }
        if let Some(transmit) = self.wire.poll_transmit(now_us, out) {
            return Some(transmit);
        }
        self.absorb(now_us);
        for step in 0..self.links.len() {
            let at = (self.next_to_send + step) % self.links.len();
            let Some(link) = self.links.get_mut(at) else { continue };
            let seat = link.seat;
            while let Some(packet) = link.live.as_mut().and_then(|live| live.transmit(now_us)) {
                if let Some(transmit) = self.wire.write(seat, &packet, out) {
                    self.next_to_send = at + 1;
                    return Some(transmit);
                }
            }
        }
        None
    }

    /// When [`poll_transmit`](Self::poll_transmit) should be called next even if nothing arrives and nothing
    /// is sent.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<u64> {
        if self.is_over() {
            return None;
        }
        self.links.iter().filter_map(|link| link.due_us(&self.live)).chain(self.wire.poll_timeout()).min()
    }

    /// What happened. Of 256 that nobody asks for the oldest are forgotten.
    pub fn poll_event(&mut self) -> Option<HubEvent> {
        self.events.pop_front()
    }

    /// Queues a message for a player. The first of a connection and channel is number 0, the next 1.
    ///
    /// # Errors
    /// Nothing was queued, and the error says why.
    pub fn send(&mut self, now_us: u64, to: PlayerHandle, channel: Channel, message: &[u8]) -> Result<u64, SendError> {
        self.advance(now_us);
        let at = self.index_of(to).ok_or(SendError::NotConnected { player: to })?;
        match self.links.get_mut(at) {
            Some(link) => link.sending()?.send(channel, message),
            None => Err(SendError::NotConnected { player: to }),
        }
    }

    /// Queues a message for everybody who is connected, and says who that is.
    ///
    /// # Errors
    /// If nobody is, or one of them cannot be sent it now: then it goes to none.
    pub fn send_to_all(&mut self, now_us: u64, channel: Channel, message: &[u8]) -> Result<PlayerSet, SendError> {
        self.advance(now_us);
        let receivers = self.connected();
        let nobody = SendError::NotConnected { player: PlayerHandle::new(u8::from(self.own_seat == 0)) };
        if receivers.is_empty() {
            return Err(nobody);
        }
        for connection in self.links.iter().filter_map(Link::connected) {
            connection.check_send(channel, message.len())?;
        }
        for link in self.links.iter_mut().filter(|link| receivers.contains(link.player())) {
            link.sending()?.send(channel, message)?;
        }
        Ok(receivers)
    }

    /// The next message that came in, from any player on any channel. After it there may be something to
    /// [transmit](Self::poll_transmit): the sender learns that there is room.
    pub fn receive(&mut self, now_us: u64) -> Option<Received> {
        self.receive_of(now_us, None)
    }

    /// The next message that came in on one channel. Whoever does not receive on a channel stops those who
    /// send on it, and nothing else.
    pub fn receive_on(&mut self, now_us: u64, channel: Channel) -> Option<Received> {
        self.receive_of(now_us, Some(channel))
    }

    fn receive_of(&mut self, now_us: u64, on: Option<Channel>) -> Option<Received> {
        let now_us = self.advance(now_us);
        for step in 0..self.links.len() {
            let at = (self.next_to_receive + step) % self.links.len();
            let Some(link) = self.links.get_mut(at) else { continue };
            if let Some((channel, message)) = link.receive(now_us, on) {
                let from = link.player();
                self.next_to_receive = at + 1;
                return Some(Received { from, channel, message });
            }
        }
        None
    }

    /// To whom there are connections, interrupted ones included.
    #[must_use]
    pub fn connected(&self) -> PlayerSet {
        self.links.iter().filter(|link| link.state.is_connected()).map(Link::player).collect()
    }

    /// The connection to a player, while there is one: what was delivered, room, round trip, counters.
    #[must_use]
    pub fn connection(&self, player: PlayerHandle) -> Option<&ChannelConnection> {
        self.links.get(self.index_of(player)?)?.connected()
    }

    /// Why a player whom this hub dials cannot be reached, as far as it knows: somebody answers, but is not
    /// who the ticket says, or something breaks the handshake.
    #[must_use]
    pub fn dial_failure(&self, player: PlayerHandle) -> Option<SecureFailure> {
        let link = self.links.get(self.index_of(player)?)?;
        self.wire.failure(link.seat).or(link.knocking.refused)
    }

    /// Who a player is, as it proved when its connection was made; none without encryption. A seat keeps the
    /// identity of the first who takes it: whoever comes with the same ticket and is somebody else is refused.
    #[must_use]
    pub fn identity(&self, player: PlayerHandle) -> Option<IdentityKey> {
        self.wire.identity(player.index() as u8)
    }

    /// Says who a player is, as the rollback socket found out; without encryption this changes nothing. If
    /// somebody else has taken the seat here, that connection is lost with [`LostReason::OtherIdentity`].
    /// From then on nobody else is let in, whatever the host of the channels says.
    pub fn expect_identity(&mut self, player: PlayerHandle, identity: IdentityKey) {
        let Some(at) = self.index_of(player) else { return };
        let now_us = self.now_us;
        if self.wire.pin(player.index() as u8, identity, Word::Program) {
            self.lose(at, LostReason::OtherIdentity, now_us);
        }
    }

    /// Whether nothing waits to be sent or acknowledged, to anybody. After [`close`](Self::close) this says
    /// that the others know, or cannot be told; what they did not get until then is in the
    /// [events](Self::poll_event).
    #[must_use]
    pub fn is_flushed(&self) -> bool {
        self.links.iter().filter_map(|link| link.live.as_ref()).all(|live| live.connection.is_flushed())
    }

    /// Leaves. The others are told, which takes some calls of [`poll_transmit`](Self::poll_transmit) and
    /// [`handle`](Self::handle) until [`is_flushed`](Self::is_flushed), or for two seconds at most. What
    /// still waits goes out with it, as far as the channels' rates let it in that time; what did not arrive
    /// by then is told by [`HubEvent::Lost`] with [`LostReason::Closed`]. To be sure that all arrives, wait
    /// for `is_flushed` before.
    pub fn close(&mut self, now_us: u64) {
        let now_us = self.advance(now_us);
        self.is_closed = true;
        for at in 0..self.links.len() {
            self.leave(at, now_us.saturating_add(LEAVING_US));
        }
    }

    /// Whether nothing will ever come in or go out any more.
    fn is_over(&self) -> bool {
        self.is_closed && self.links.iter().all(|link| link.state == LinkState::Over)
    }

    /// How many datagrams and packets were dropped, by reason; only those that occurred.
    pub fn rejects(&self) -> impl Iterator<Item = (Reject, u64)> {
        let of = |reject: &Reject| (*reject, self.rejects.of(*reject).saturating_add(self.wire.rejects().of(*reject)));
        Reject::ALL.iter().map(of).filter(|(_, count)| *count > 0)
    }
}
