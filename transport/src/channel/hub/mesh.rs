//! Who knows whom: greetings, the host's introductions of joiners to each other, and farewells.

use super::event::LostReason;
use super::introduction::{Control, Greeting, Introduction};
use super::link::Link;
use super::state::{LinkEvent, LinkState};
use super::wire::{Target, Word};
use super::{ChannelHub, HubRole};
use crate::channel::Violation;
use crate::packet::Reject;
use snapback_core::{PlayerHandle, PlayerSet};

/// What a message from hub to hub leads to, if it ends the connection.
type Ending = Option<LostReason>;

const BAD_CONTROL: Ending = Some(LostReason::Violation(Violation::BadControl));

impl ChannelHub {
    /// Says who we are; the first thing on every connection.
    pub(super) fn greet(&mut self, at: usize) {
        let greeting = Greeting { digest: Some(self.live.topology.digest()), seat: self.own_seat, instance: self.instance };
        if let Some(live) = self.links.get_mut(at).and_then(|link| link.live.as_mut()) {
            // The stream is empty.
            let _ = live.tell(&Control::Greeting(greeting));
        }
    }

    /// Takes what a hub says.
    pub(super) fn take_control(&mut self, at: usize, now_us: u64, message: &[u8]) -> Ending {
        let Ok(control) = Control::read(message) else { return BAD_CONTROL };
        let digest = self.live.topology.digest();
        let link = self.links.get_mut(at)?;
        let (seat, live) = (link.seat, link.live.as_mut()?);
        match (control, live.greeting) {
            (Control::Greeting(greeting), None) if greeting.digest != Some(digest) => Some(LostReason::OtherTopology),
            (Control::Greeting(greeting), None) if greeting.seat == seat => {
                live.greeting = Some(greeting);
                None
            }
            (Control::Introduce(introduction), Some(_)) => self.take_introduction(seat, introduction, now_us),
            (Control::Leaving, Some(_)) => Some(LostReason::Left),
            _ => BAD_CONTROL,
        }
    }

    /// The host tells where another joiner is.
    fn take_introduction(&mut self, teller: u8, introduction: Introduction, now_us: u64) -> Ending {
        let Introduction { seat, instance, address, known } = introduction;
        let is_host = teller == 0 && self.role != HubRole::Host;
        let is_other = seat != 0 && seat != self.own_seat;
        let at = self.index_of(PlayerHandle::new(seat)).filter(|_| is_other);
        let (Some(at), true, true) = (at, is_host, known.is_some() == self.wire.is_sealed()) else { return BAD_CONTROL };
        let link = self.links.get_mut(at)?;
        if self.is_closed || link.state == LinkState::Over {
            return None;
        }
        // Whoever is dialled where another one is would take its place on the wire.
        let is_taken = |link: &Link| link.seat != seat && (self.wire.address(link.seat) == Some(address) || link.is_dialing(address));
        if self.links.iter().any(is_taken) {
            self.rejects.count(Reject::BadField);
            return None;
        }
        if let Some(known) = known {
            if self.wire.pin(seat, known.identity, Word::Host) {
                self.lose(at, LostReason::OtherIdentity, now_us);
            }
            // The host may have been taken in by somebody whom the program knows better.
            if self.wire.pinned(seat) != Some(known.identity) {
                return None;
            }
        }
        let pairing = known.map(|known| known.pairing);
        let link = self.links.get_mut(at)?;
        // The later seat dials the earlier one.
        if seat > self.own_seat {
            self.wire.expect(seat, pairing);
            return None;
        }
        let target = Target { address, pairing };
        let met = link.live.as_ref().and_then(|live| live.greeting).map(|greeting| greeting.instance);
        let is_same = met == Some(instance) || (met.is_none() && link.introduced == Some(instance));
        match link.state {
            // It has just left. Only if it is started anew it is dialled again.
            LinkState::Parting if is_same => return None,
            LinkState::Dialing if is_same && link.target == Some(target) => return None,
            _ => {}
        }
        link.introduced = Some(instance);
        link.target = Some(target);
        if is_same && link.live.is_some() {
            return None;
        }
        self.report_lost(at, LostReason::Replaced);
        self.drop_connection(at, now_us);
        // What the connection knew of the address is older.
        if let Some(link) = self.links.get_mut(at) {
            link.target = Some(target);
        }
        self.dial_if_free(at, now_us);
        None
    }

    /// The host: a joiner is connected, and everybody else is to know.
    pub(super) fn introduce(&mut self, newcomer: usize) {
        let Some(seat) = self.links.get(newcomer).filter(|_| self.role == HubRole::Host).map(|link| link.seat) else { return };
        let newcomer = PlayerHandle::new(seat);
        let others = self.connected().without(newcomer);
        for link in &mut self.links {
            let (player, is_connected) = (link.player(), link.state.is_connected());
            if let Some(live) = link.live.as_mut().filter(|_| is_connected) {
                live.introduce = if player == newcomer { live.introduce.union(others) } else { live.introduce.with(newcomer) };
            }
        }
    }

    /// Tells a joiner of those it is to be told of, as far as there is room.
    pub(super) fn tell_introductions(&mut self, at: usize) {
        let Some(link) = self.links.get(at) else { return };
        let receiver = link.seat;
        let due = link.live.as_ref().map_or(PlayerSet::EMPTY, |live| live.introduce);
        for other in due.iter() {
            let introduction = self.introduction(receiver, other);
            let Some(live) = self.links.get_mut(at).and_then(|link| link.live.as_mut()) else { return };
            if introduction.is_none_or(|introduction| live.tell(&Control::Introduce(introduction)).is_ok()) {
                live.introduce = live.introduce.without(other);
            }
        }
    }

    /// How a joiner is told of another one; none if that one is gone.
    fn introduction(&self, receiver: u8, other: PlayerHandle) -> Option<Introduction> {
        let link = self.links.get(self.index_of(other)?).filter(|link| link.state.is_connected())?;
        let instance = link.live.as_ref()?.greeting?.instance;
        let known = self.wire.known(receiver, link.seat);
        if known.is_some() != self.wire.is_sealed() {
            return None;
        }
        Some(Introduction { seat: link.seat, instance, address: self.wire.address(link.seat)?, known })
    }

    /// Says goodbye to a player, if there is a connection to say it on.
    pub(super) fn leave(&mut self, at: usize, until_us: u64) {
        let Some(link) = self.links.get_mut(at) else { return };
        match (&mut link.live, link.state) {
            (Some(live), LinkState::Greeting | LinkState::Open | LinkState::Silent) => {
                // A stream without room is one to a peer that does not read: it hears silence.
                let _ = live.tell(&Control::Leaving);
                live.ends_us = until_us;
                live.owes_account = link.state.is_connected();
                link.on(LinkEvent::Left);
            }
            (Some(_), _) => link.on(LinkEvent::Left),
            (None, _) => {
                let seat = link.seat;
                link.on(LinkEvent::Ended);
                self.wire.hang_up(seat);
            }
        }
    }
}
