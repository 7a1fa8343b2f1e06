//! [`Link`]: what a hub has to do with one player.

use super::carrier::{Carrier, HEADER_BYTES};
use super::event::Undelivered;
use super::introduction::{Control, Greeting, MAX_BYTES};
use super::left_over::LeftOver;
use super::state::{LinkEvent, LinkState};
use super::wire::Target;
use crate::channel::{Channel, ChannelConnection, ConnectionSettings, SendError, Topology, UsedRates, Violation};
use crate::credentials::SecureFailure;
use crate::packet::{DATAGRAM_BUDGET_BYTES, Reject, RejectCounts};
use snapback_core::{PlayerHandle, PlayerSet};
use std::net::SocketAddr;

/// What is the same for every connection of a hub.
#[derive(Clone, Debug)]
pub(super) struct LiveSettings {
    pub(super) topology: Topology,
    /// The largest packet that the wire takes.
    pub(super) packet_bytes: usize,
    pub(super) interrupt_us: u64,
    pub(super) give_up_us: u64,
}

/// A connection, from the moment that the player was met.
pub(super) struct Live {
    pub(super) carrier: Carrier,
    pub(super) connection: ChannelConnection,
    /// What the other end said of itself.
    pub(super) greeting: Option<Greeting>,
    pub(super) heard_us: u64,
    /// Of an ending one: when nothing more is said or read.
    pub(super) ends_us: u64,
    /// Of one that this end leaves: whether what does not arrive is still to be told.
    pub(super) owes_account: bool,
    /// The host's: whom the player is to be told of.
    pub(super) introduce: PlayerSet,
}

impl Live {
    pub(super) fn new(seat: u8, settings: &LiveSettings, now_us: u64) -> Self {
        let connection = ConnectionSettings {
            topology: settings.topology.clone(),
            ..ConnectionSettings::new(settings.packet_bytes.saturating_sub(HEADER_BYTES))
        };
        Self {
            carrier: Carrier::new(seat, settings.packet_bytes, settings.interrupt_us, now_us),
            connection: ChannelConnection::new(connection),
            greeting: None,
            heard_us: now_us,
            ends_us: u64::MAX,
            owes_account: false,
            introduce: PlayerSet::EMPTY,
        }
    }

    pub(super) fn tell(&mut self, control: &Control) -> Result<(), SendError> {
        let mut message = [0; MAX_BYTES];
        let len = control.write(&mut message);
        self.connection.send_control(message.get(..len).unwrap_or_default())
    }

    /// Takes a packet of the player, that the wire has checked.
    pub(super) fn take(&mut self, now_us: u64, packet: &[u8], rejects: &mut RejectCounts) {
        match self.carrier.take(now_us, packet) {
            Ok(()) => self.heard_us = now_us,
            Err(reject) => rejects.count(reject),
        }
        while let Some(packet) = self.carrier.next_packet() {
            if let Err(reject) = self.connection.handle(now_us, packet.payload()) {
                rejects.count(reject);
            }
        }
    }

    /// The next packet for the wire.
    pub(super) fn transmit(&mut self, now_us: u64) -> Option<Vec<u8>> {
        if !self.carrier.has_datagram() {
            let mut packet = [0; DATAGRAM_BUDGET_BYTES];
            let len = self.connection.poll_transmit(now_us, &mut packet)?;
            self.carrier.send(now_us, packet.get(..len).unwrap_or_default());
        }
        self.carrier.next_datagram()
    }

    /// What was sent and is not known to have arrived.
    pub(super) fn undelivered(&self, topology: &Topology) -> Vec<Undelivered> {
        let reliable = topology.rows().iter().filter(|row| row.is_reliable).map(|row| row.channel);
        reliable
            .map(|channel| Undelivered { channel, ids: self.connection.delivered(channel)..self.connection.sent(channel) })
            .filter(|undelivered| !undelivered.ids.is_empty())
            .collect()
    }
}

/// A connection in whose place the player began another.
#[derive(Clone, Debug)]
pub(super) struct Before {
    /// Which program of the player's it was with.
    pub(super) instance: Option<u32>,
    pub(super) undelivered: Vec<Undelivered>,
}

/// Knocking at the door of a player who has not been met.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Knocking {
    /// When a refusal is believed: the host may be about to tell the player of this end.
    pub(super) believe_us: u64,
    /// Why the player cannot be reached, as it was told.
    pub(super) refused: Option<SecureFailure>,
    /// When a player that refuses is dialled again.
    pub(super) again_us: Option<u64>,
}

/// See the module.
pub(super) struct Link {
    pub(super) seat: u8,
    pub(super) state: LinkState,
    /// Where this end dials; none where the other one does.
    pub(super) target: Option<Target>,
    /// Which instance of the player's program the target belongs to, as the host says.
    pub(super) introduced: Option<u32>,
    pub(super) live: Option<Live>,
    /// The connection before, whose end is told once it is known who replaced it.
    pub(super) before: Option<Before>,
    /// What the connections before brought.
    left_over: LeftOver,
    /// What they used of the channels' rates.
    used_rates: Option<UsedRates>,
    /// What is known of whom this end dials in vain.
    pub(super) knocking: Knocking,
    /// How the player's program broke the protocol, if it did.
    pub(super) violation: Option<Violation>,
}

impl Link {
    pub(super) fn new(seat: u8, target: Option<Target>) -> Self {
        Self {
            seat,
            state: LinkState::Waiting,
            target,
            introduced: None,
            live: None,
            before: None,
            left_over: LeftOver::default(),
            used_rates: None,
            knocking: Knocking::default(),
            violation: None,
        }
    }

    pub(super) fn player(&self) -> PlayerHandle {
        PlayerHandle::new(self.seat)
    }

    /// Whether this end knocks at an address.
    pub(super) fn is_dialing(&self, address: SocketAddr) -> bool {
        self.state == LinkState::Dialing && self.target.is_some_and(|target| target.address == address)
    }

    pub(super) fn on(&mut self, event: LinkEvent) {
        self.state = self.state.after(event);
    }

    /// The player was met, on a new connection.
    pub(super) fn begin(&mut self, settings: &LiveSettings, now_us: u64) {
        let mut live = Live::new(self.seat, settings, now_us);
        self.left_over.tell(&mut live.connection);
        if let Some(used_rates) = self.used_rates.take() {
            live.connection.go_on_from(used_rates);
        }
        self.live = Some(live);
    }

    /// Lets the connection go. What it brought can still be received.
    pub(super) fn let_go(&mut self, now_us: u64) {
        // A player that is greeted may believe already that messages flow, and what has come was acknowledged.
        let is_readable = self.is_readable() || self.state == LinkState::Greeting;
        let Some(mut live) = self.live.take() else { return };
        self.used_rates = Some(live.connection.used_rates());
        if !is_readable {
            return;
        }
        self.left_over.take_from(&mut live.connection, now_us);
    }

    fn is_readable(&self) -> bool {
        self.state.is_connected() || self.state.is_ending() && self.live.as_ref().is_some_and(|live| live.greeting.is_some())
    }

    pub(super) fn receive(&mut self, now_us: u64, on: Option<Channel>) -> Option<(Channel, Vec<u8>)> {
        if let Some(message) = self.left_over.next(on) {
            if let Some(live) = &mut self.live {
                self.left_over.tell(&mut live.connection);
            }
            return Some(message);
        }
        if !self.is_readable() {
            return None;
        }
        let connection = &mut self.live.as_mut()?.connection;
        match on {
            None => connection.receive(now_us),
            Some(channel) => connection.receive_on(now_us, channel).map(|message| (channel, message)),
        }
    }

    /// The connection, if messages can be sent on it.
    pub(super) fn connected(&self) -> Option<&ChannelConnection> {
        self.live.as_ref().filter(|_| self.state.is_connected()).map(|live| &live.connection)
    }

    /// The same, or why not.
    pub(super) fn sending(&mut self) -> Result<&mut ChannelConnection, SendError> {
        let (player, is_connected, violation) = (self.player(), self.state.is_connected(), self.violation);
        let refusal = violation.map_or(SendError::NotConnected { player }, SendError::Over);
        self.live.as_mut().filter(|_| is_connected).map(|live| &mut live.connection).ok_or(refusal)
    }

    /// When something is due.
    pub(super) fn due_us(&self, settings: &LiveSettings) -> Option<u64> {
        let Some(live) = &self.live else { return self.knocking.again_us };
        let is_broken = live.connection.violation().is_some();
        let give_up = self.state.may_be_given_up().then(|| live.heard_us.saturating_add(settings.give_up_us));
        let ends = self.state.is_ending().then_some(live.ends_us);
        [Some(live.carrier.due_us()), live.connection.poll_timeout(), give_up, ends, is_broken.then_some(0)].into_iter().flatten().min()
    }
}

/// What came from a player with whom there is no connection.
pub(super) const NO_LINK: Reject = Reject::UnknownSender;
