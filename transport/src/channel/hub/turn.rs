//! What time and datagrams bring: players are met, fall silent, come back and are lost.

use super::carrier::CarrierEvent;
use super::event::{HubEvent, LostReason};
use super::link::{Before, Knocking, NO_LINK};
use super::state::{LinkEvent, LinkState};
use super::{ChannelHub, MAX_EVENTS};
use crate::channel::Violation;
use snapback_core::PlayerHandle;

/// How long the connection to a player who left is still read, and what it says acknowledged.
const PARTING_US: u64 = 3_000_000;

/// For how long somebody who is dialled may refuse before it is believed.
const BELIEVE_US: u64 = 3_000_000;

/// How long somebody who refuses is left alone.
const KNOCK_AGAIN_US: u64 = 4_000_000;

impl ChannelHub {
    /// Takes over what the wire has.
    pub(super) fn absorb(&mut self, now_us: u64) {
        while let Some(seat) = self.wire.next_met() {
            self.meet(seat, now_us);
        }
        while let Some((seat, packet)) = self.wire.next_packet() {
            let link = self.links.iter_mut().find(|link| link.seat == seat);
            match link.and_then(|link| link.live.as_mut()) {
                Some(live) => live.take(now_us, packet, &mut self.rejects),
                None => self.rejects.count(NO_LINK),
            }
        }
    }

    /// Does everything that is due but sending.
    pub(super) fn turn(&mut self, now_us: u64) {
        self.absorb(now_us);
        for at in 0..self.links.len() {
            self.turn_of(at, now_us);
        }
    }

    fn turn_of(&mut self, at: usize, now_us: u64) {
        self.knock(at, now_us);
        let Some(live) = self.links.get_mut(at).and_then(|link| link.live.as_mut()) else { return };
        live.carrier.tick(now_us);
        while let Some(event) = self.links.get_mut(at).and_then(|link| link.live.as_mut()).and_then(|live| live.carrier.poll_event()) {
            self.on_carrier(at, event, now_us);
        }
        self.hear_control(at, now_us);
        self.open_if_greeted(at);
        self.end_if_due(at, now_us);
        self.tell_introductions(at);
    }

    /// Whoever refuses is left alone for a while.
    fn knock(&mut self, at: usize, now_us: u64) {
        let Some(link) = self.links.get_mut(at) else { return };
        if link.state == LinkState::Waiting && link.knocking.again_us.is_some_and(|again_us| again_us <= now_us) {
            return self.dial_if_free(at, now_us);
        }
        let Some(failure) = self.wire.refusal(now_us, link.seat).filter(|_| link.state == LinkState::Dialing) else { return };
        if link.knocking.refused.is_none() && now_us < link.knocking.believe_us {
            return;
        }
        let is_news = link.knocking.refused.replace(failure) != Some(failure);
        link.knocking.again_us = Some(now_us.saturating_add(KNOCK_AGAIN_US));
        link.on(LinkEvent::Dropped);
        let (seat, player) = (link.seat, link.player());
        self.wire.hang_up(seat);
        if is_news {
            self.push_event(HubEvent::Refused { player, failure });
        }
    }

    /// A player has shown who it is, on a connection of its own.
    fn meet(&mut self, seat: u8, now_us: u64) {
        let Some(at) = self.index_of(PlayerHandle::new(seat)) else { return self.wire.hang_up(seat) };
        let Some(link) = self.links.get_mut(at) else { return };
        if self.is_closed || matches!(link.state, LinkState::Leaving | LinkState::Over) {
            self.wire.hang_up(seat);
            return;
        }
        // Why is known once it has greeted.
        if let Some(live) = link.live.as_ref().filter(|_| link.state.is_connected()) {
            let instance = live.greeting.map(|greeting| greeting.instance);
            link.before = Some(Before { instance, undelivered: live.undelivered(&self.live.topology) });
        }
        link.let_go(now_us);
        link.begin(&self.live, now_us);
        link.on(LinkEvent::Met);
        self.greet(at);
    }

    fn on_carrier(&mut self, at: usize, event: CarrierEvent, now_us: u64) {
        let Some(link) = self.links.get_mut(at) else { return };
        let player = link.player();
        if let Some(live) = &mut link.live {
            live.connection.pause_unreliable(event == CarrierEvent::FellSilent);
        }
        match (event, link.state) {
            (CarrierEvent::FellSilent, LinkState::Open) => {
                link.on(LinkEvent::FellSilent);
                self.push_event(HubEvent::Interrupted { player });
            }
            (CarrierEvent::Connected, LinkState::Silent) => {
                link.on(LinkEvent::Heard);
                self.push_event(HubEvent::Resumed { player });
            }
            // Whoever was met is not there any more, or believes itself to be with another. Only who dials can
            // mend that; who was dialled waits, since for the other end the connection may stand already.
            (CarrierEvent::FellSilent, LinkState::Greeting) if link.target.is_some() => {
                self.drop_connection(at, now_us);
                self.dial_if_free(at, now_us);
            }
            _ => {}
        }
    }

    fn hear_control(&mut self, at: usize, now_us: u64) {
        while let Some(live) = self.links.get_mut(at).and_then(|link| link.live.as_mut()) {
            let message = live.connection.receive_control(now_us);
            let violation = live.connection.violation().map(LostReason::Violation);
            let ending = match &message {
                Some(message) if violation.is_none() => self.take_control(at, now_us, message),
                _ => violation,
            };
            if let Some(reason) = ending {
                return self.lose(at, reason, now_us);
            }
            if message.is_none() {
                return;
            }
        }
    }

    fn open_if_greeted(&mut self, at: usize) {
        let Some(link) = self.links.get_mut(at) else { return };
        let greeting = link.live.as_ref().filter(|live| live.carrier.is_connected()).and_then(|live| live.greeting);
        if let Some(greeting) = greeting.filter(|_| link.state == LinkState::Greeting) {
            link.on(LinkEvent::Greeted);
            link.knocking = Knocking::default();
            let player = link.player();
            if let Some(Before { instance, undelivered }) = link.before.take() {
                let is_same = instance == Some(greeting.instance);
                let reason = if is_same { LostReason::Silent } else { LostReason::Replaced };
                self.push_event(HubEvent::Lost { player, reason, undelivered });
            }
            self.push_event(HubEvent::Connected { player });
            self.introduce(at);
        }
    }

    fn end_if_due(&mut self, at: usize, now_us: u64) {
        let give_up_us = self.live.give_up_us;
        let Some(link) = self.links.get_mut(at) else { return };
        let Some(live) = &mut link.live else { return };
        if link.state.may_be_given_up() && now_us >= live.heard_us.saturating_add(give_up_us) {
            return self.lose(at, LostReason::Silent, now_us);
        }
        let is_said = self.is_closed && live.connection.is_flushed() && !live.carrier.has_datagram();
        if link.state.is_ending() && (now_us >= live.ends_us || is_said) {
            // Told only by who has left.
            self.lose(at, LostReason::Closed, now_us);
        }
    }

    /// The connection to a player is over.
    pub(super) fn lose(&mut self, at: usize, reason: LostReason, now_us: u64) {
        self.report_lost(at, reason);
        let Some(link) = self.links.get_mut(at) else { return };
        let is_dialer = link.target.is_some();
        match reason {
            LostReason::Violation(violation) => self.forbid(at, violation, now_us),
            LostReason::Silent | LostReason::Replaced | LostReason::OtherIdentity | LostReason::Closed => {
                self.drop_connection(at, now_us);
                self.dial_if_free(at, now_us);
            }
            // Ours does not change, and a host that left is not awaited.
            LostReason::OtherTopology if is_dialer => self.part(at, LinkEvent::Left, now_us),
            LostReason::Left if link.seat == 0 => self.part(at, LinkEvent::Left, now_us),
            LostReason::OtherTopology | LostReason::Left => self.part(at, LinkEvent::Parted, now_us),
        }
    }

    fn part(&mut self, at: usize, event: LinkEvent, now_us: u64) {
        let Some(link) = self.links.get_mut(at) else { return };
        if let Some(live) = link.live.as_mut().filter(|live| live.ends_us == u64::MAX) {
            live.ends_us = now_us.saturating_add(PARTING_US);
        }
        // Until the host introduces it anew there is nobody to dial.
        link.target = None;
        link.on(event);
    }

    fn forbid(&mut self, at: usize, violation: Violation, now_us: u64) {
        let Some(link) = self.links.get_mut(at) else { return };
        link.let_go(now_us);
        link.target = None;
        link.violation = Some(violation);
        link.on(LinkEvent::Ended);
        let seat = link.seat;
        self.wire.hang_up(seat);
    }

    /// Tells that a connection is over, if it was one or never can be.
    pub(super) fn report_lost(&mut self, at: usize, reason: LostReason) {
        let Some(link) = self.links.get_mut(at) else { return };
        let before = link.before.take();
        let has_before = before.is_some();
        let owes_account = link.live.as_ref().is_some_and(|live| live.owes_account);
        let undelivered = match (before, &link.live) {
            (Some(before), _) => before.undelivered,
            (None, Some(live)) if link.state.is_connected() || owes_account => live.undelivered(&self.live.topology),
            _ => Vec::new(),
        };
        let is_told = has_before
            || match reason {
                // Whoever left knows that it did, and learns only what it does not know.
                LostReason::Closed => owes_account && !undelivered.is_empty(),
                LostReason::Violation(_) if owes_account => !undelivered.is_empty(),
                LostReason::Silent | LostReason::Replaced => link.state.is_connected(),
                LostReason::Left | LostReason::Violation(_) | LostReason::OtherTopology | LostReason::OtherIdentity => {
                    link.state.is_connected() || link.state == LinkState::Greeting
                }
            };
        if !is_told {
            return;
        }
        let player = link.player();
        self.push_event(HubEvent::Lost { player, reason, undelivered });
    }

    /// Lets a connection go, here and on the wire.
    pub(super) fn drop_connection(&mut self, at: usize, now_us: u64) {
        let Some(link) = self.links.get_mut(at) else { return };
        // Whoever moved is dialled where it was last.
        if let Some((target, address)) = link.target.as_mut().zip(self.wire.address(link.seat)) {
            target.address = address;
        }
        link.let_go(now_us);
        link.on(LinkEvent::Dropped);
        self.wire.hang_up(link.seat);
    }

    /// Dials a player to whom there is nothing, if it is us who dial.
    pub(super) fn dial_if_free(&mut self, at: usize, now_us: u64) {
        let Some(link) = self.links.get_mut(at).filter(|link| link.state == LinkState::Waiting) else { return };
        link.knocking.again_us = None;
        if let Some(target) = link.target {
            link.knocking.believe_us = now_us.saturating_add(BELIEVE_US);
            link.on(LinkEvent::Dialed);
            self.wire.dial(now_us, link.seat, target);
        }
    }

    /// Whoever asks for events too seldom loses the oldest.
    pub(super) fn push_event(&mut self, event: HubEvent) {
        if self.events.len() >= MAX_EVENTS {
            self.events.pop_front();
        }
        self.events.push_back(event);
    }
}
