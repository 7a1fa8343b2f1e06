//! The channels beside the match: chat, and what everybody says of the results.
//!
//! | module | what it holds |
//! |---|---|
//! | `options` | the options of the second socket |
//! | `chat` | a line as it travels, and what of it may be shown |
//! | `typed` | lines from stdin |
//! | `outbox` | messages for everybody, also for who comes later |
//! | `said` | what a peer says of its results |
//! | `hearsay` | whether that is so |
//! | `inquiries` | where the states differ, once they do |
//! | `signing` | the result, signed by everybody |
//! | `silence` | what is told of connections that go dark |
//! | `report` | what went over them |

pub(crate) mod chat;
pub(crate) mod hearsay;
mod inquiries;
pub(crate) mod options;
mod outbox;
pub(crate) mod report;
mod said;
pub(crate) mod signing;
mod silence;
pub(crate) mod typed;

use crate::error::CliError;
use crate::wires::Wires;
use chat::ChatLine;
use hearsay::Hearsay;
use inquiries::Inquiries;
use outbox::Outbox;
use report::{ChannelsReport, ConnectionReport};
use serde::{Deserialize, Serialize};
use signing::{Signer, Signing};
use silence::Silence;
use snapback::desync::DesyncInquiry;
use snapback::limits::MAX_PLAYERS;
use snapback::peer::FinalState;
use snapback::results::SignedResult;
use snapback::sim::{PadInput, World};
use snapback::transport::channel::{Channel, ChannelHub, HubEvent, HubRole, HubSecurity, HubSettings, LostReason, Received};
use snapback::transport::credentials::IdentityKey;
use snapback::transport::secure::Identity;
use snapback::{ConfirmedFrame, PlayerHandle, PlayerSet, TRANSMIT_BUFFER_BYTES};
use std::net::SocketAddr;
use typed::{Entry, Typed};

/// Datagrams that are taken from the socket and sent in one turn of the match: whatever comes, the next
/// tick is due before long.
pub(crate) const TURN_DATAGRAMS: u32 = 32;

/// Lines that are kept for who comes later, and results.
const KEPT_LINES: usize = 64;
const KEPT_RESULTS: usize = 4_096;

/// Lines of chat in the report.
pub(crate) const REPORTED_LINES: usize = 256;

/// Something that a person should know.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum ChannelNews {
    /// Somebody said something.
    Chat(ChatLine),
    /// One line about anything else.
    Note(String),
}

/// What the hub needs once it is known who plays here.
pub(crate) struct ChannelPlan {
    pub(crate) match_id: u64,
    pub(crate) player_count: u8,
    pub(crate) nonce: u64,
    pub(crate) role: HubRole,
    pub(crate) security: HubSecurity,
}

/// The second socket and everything that is said over it.
pub(crate) struct SideChannels {
    wires: Wires,
    /// Taken by the hub.
    plan: Option<ChannelPlan>,
    hub: Option<ChannelHub>,
    player: PlayerHandle,
    /// Everybody else.
    others: PlayerSet,
    player_count: u8,
    /// Where the host's channels are, if it is another.
    host: Option<SocketAddr>,
    typed: Option<Typed>,
    chat: Outbox,
    results: Outbox,
    hearsay: Hearsay,
    inquiries: Inquiries,
    silence: Silence,
    signing: Signing,
    match_id: u64,
    /// Who the others are, as the match found out and the hub knows.
    identities: [Option<IdentityKey>; MAX_PLAYERS],
    /// To whom it was said why there are no channels.
    refused: PlayerSet,
    /// Whether somebody asked to chat.
    is_wanted: bool,
    /// Lines that arrived.
    lines: Vec<ChatLine>,
    /// Lines that arrived after those.
    lines_left_out: u64,
    connections: [Option<ConnectionReport>; MAX_PLAYERS],
    news: Vec<ChannelNews>,
    is_ending: bool,
    /// Who was still there when this peer said goodbye.
    last_connected: PlayerSet,
    buffer: Vec<u8>,
}

impl SideChannels {
    /// Channels that are set up once this peer has a seat. If they are wanted it is said who had none.
    pub(crate) fn new(wires: Wires, plan: ChannelPlan, typed: Option<Typed>, is_wanted: bool) -> Self {
        Self {
            wires,
            plan: Some(plan),
            hub: None,
            player: PlayerHandle::new(0),
            others: PlayerSet::EMPTY,
            player_count: 0,
            host: None,
            typed,
            chat: Outbox::new(KEPT_LINES),
            results: Outbox::new(KEPT_RESULTS),
            hearsay: Hearsay::default(),
            inquiries: Inquiries::default(),
            silence: Silence::default(),
            signing: Signing::default(),
            match_id: 0,
            identities: [None; MAX_PLAYERS],
            refused: PlayerSet::EMPTY,
            is_wanted,
            lines: Vec::new(),
            lines_left_out: 0,
            connections: [const { None }; MAX_PLAYERS],
            news: Vec::new(),
            is_ending: false,
            last_connected: PlayerSet::EMPTY,
            buffer: vec![0; TRANSMIT_BUFFER_BYTES],
        }
    }

    /// `player` plays here from now on.
    pub(crate) fn sit_down(&mut self, player: PlayerHandle, now_us: u64) -> Result<(), CliError> {
        let Some(ChannelPlan { match_id, player_count, nonce, role, security }) = self.plan.take() else { return Ok(()) };
        let settings = HubSettings::new(match_id, player, player_count, nonce, role, security);
        self.hub = Some(ChannelHub::new(settings, now_us).map_err(CliError::environment)?);
        self.player = player;
        self.match_id = match_id;
        self.others = PlayerSet::first(player_count.into()).without(player);
        self.player_count = player_count;
        self.host = match role {
            HubRole::Host => None,
            HubRole::Join { host } => Some(host),
        };
        Ok(())
    }

    /// The match knows who a player is: nobody else is to have its seat here.
    pub(crate) fn know(&mut self, player: PlayerHandle, identity: IdentityKey) {
        let (Some(hub), Some(known)) = (&mut self.hub, self.identities.get_mut(player.index())) else { return };
        if known.replace(identity) != Some(identity) {
            hub.expect_identity(player, identity);
        }
    }

    /// Takes a confirmed frame; each one must be shown, in order.
    pub(crate) fn confirmed(&mut self, frame: &ConfirmedFrame<'_, PadInput>) {
        let broken = self.signing.confirmed(frame);
        self.news.extend(broken.map(ChannelNews::Note));
        if let Some(said) = self.hearsay.confirmed(frame) {
            self.results.push(said.write());
        }
    }

    /// Everything is confirmed.
    pub(crate) fn finish(&mut self, state: FinalState) {
        if let Some(said) = self.hearsay.finish(state) {
            self.results.push(said.write());
        }
    }

    /// Signs the result, once everything is confirmed. What is signed is told as the other results are.
    pub(crate) fn sign(&mut self, seed: u64, world: &World, identity: &Identity, local_players: PlayerSet) {
        let signer = Signer { match_id: self.match_id, seed, world, identity, local_players };
        match self.signing.finish(&signer, &self.identities) {
            Ok(message) => message.into_iter().for_each(|message| self.results.push(message)),
            Err(note) => self.news.push(ChannelNews::Note(note)),
        }
    }

    /// The result with everybody's signature.
    pub(crate) fn signed(&self) -> Option<SignedResult> {
        self.signing.signed()
    }

    /// Why there is no such result, at the end.
    pub(crate) fn why_unsigned(&self) -> String {
        let missing: Vec<String> = self
            .signing
            .missing()
            .iter()
            .map(|player| format!("player {player} has not signed it ({})", self.why_silent(player).unwrap_or("it was there to the end")))
            .collect();
        if missing.is_empty() { "the match did not come to its end".to_owned() } else { missing.join(" and ") }
    }

    /// What kept a player from saying more over the channels, as it was at the end.
    pub(crate) fn why_silent(&self, player: PlayerHandle) -> Option<&'static str> {
        let is_reached = self.connections.get(player.index()).is_some_and(Option::is_some);
        match (is_reached, self.last_connected.contains(player)) {
            (false, _) => Some("there were no channels to it"),
            (true, false) => Some("it is gone"),
            (true, true) => None,
        }
    }

    /// One turn: takes what has come and sends what is due, both within bounds.
    pub(crate) fn poll(&mut self, now_us: u64) {
        self.receive(now_us);
        self.take_typed();
        // A connection is told of before anything goes over it, and before what came over it is read.
        self.take_events();
        if !self.is_ending {
            self.news.extend(self.silence.tell(now_us).into_iter().map(ChannelNews::Note));
        }
        self.hand_over(now_us);
        self.read(now_us);
        self.transmit(now_us);
        self.look();
    }

    fn receive(&mut self, now_us: u64) {
        let Self { wires, hub: Some(hub), buffer, .. } = self else { return };
        wires.begin_poll();
        while let Some((from, len)) = wires.receive(buffer) {
            hub.handle(now_us, from, buffer.get(..len).unwrap_or_default());
        }
    }

    /// Takes a line only if it costs no other one that somebody who hears us has not got.
    fn take_typed(&mut self) {
        let Some(typed) = &mut self.typed else { return };
        if !self.is_ending && self.chat.has_room(self.hub.as_ref().map_or(PlayerSet::EMPTY, ChannelHub::connected)) {
            match typed.next() {
                Some(Entry::Line(line)) if !line.is_empty() => self.chat.push(chat::encode(&line)),
                Some(Entry::TooLong) => self.news.push(ChannelNews::Note(typed::TOO_LONG.to_owned())),
                Some(Entry::Endless) => self.news.push(ChannelNews::Note(typed::ENDLESS.to_owned())),
                _ => {}
            }
        }
        let lost = typed.take_lost();
        if lost > 0 {
            self.news.push(ChannelNews::Note(format!("{lost} lines came too fast and were not said: say them again")));
        }
    }

    fn hand_over(&mut self, now_us: u64) {
        let Self { hub: Some(hub), chat, results, inquiries, .. } = self else { return };
        for player in hub.connected().iter() {
            for (outbox, channel) in [(&mut *results, Channel::MatchState), (&mut *chat, Channel::ChatPresence)] {
                outbox.give(player, |message| hub.send(now_us, player, channel, message));
            }
            inquiries.give(player, |message| hub.send(now_us, player, Channel::MatchState, message));
        }
    }

    /// Reads every channel: one that nobody reads would stop its sender.
    fn read(&mut self, now_us: u64) {
        for _ in 0..TURN_DATAGRAMS {
            let Some(Received { from, channel, message }) = self.hub.as_mut().and_then(|hub| hub.receive(now_us)) else { return };
            match channel {
                Channel::ChatPresence => self.hear_line(from, &message),
                Channel::MatchState if self.inquiries.hear(from, &message) => {}
                Channel::MatchState if self.signing.hear(from, &message) => {}
                Channel::MatchState => {
                    let news = self.hearsay.hear(from, &message);
                    self.alarm(news);
                }
                _ => {}
            }
        }
    }

    fn hear_line(&mut self, from: PlayerHandle, message: &[u8]) {
        let Some(text) = chat::decode(message) else { return };
        let line = ChatLine { from: from.index(), to: self.player.index(), text };
        if self.lines.len() < REPORTED_LINES {
            self.lines.push(line.clone());
        } else {
            self.lines_left_out += 1;
        }
        self.news.push(ChannelNews::Chat(line));
    }

    fn alarm(&mut self, differs: Option<String>) {
        self.news.extend(differs.map(|line| ChannelNews::Note(format!("warning: {line}"))));
    }

    fn take_events(&mut self) {
        while let Some(event) = self.hub.as_mut().and_then(ChannelHub::poll_event) {
            match event {
                // What was told before is told anew, from the beginning.
                HubEvent::Connected { player } => {
                    self.hearsay.start_over(player);
                    self.silence.set(player, false);
                }
                HubEvent::Lost { player, reason, undelivered } => {
                    self.results.start_over(player);
                    let unheard = undelivered.iter().filter(|lost| lost.channel == Channel::ChatPresence);
                    match reason {
                        LostReason::Replaced => self.chat.start_over(player),
                        _ => self.chat.step_back(player, unheard.map(|lost| lost.ids.end.saturating_sub(lost.ids.start)).sum()),
                    }
                    match reason {
                        // Another one follows, if there is a way.
                        LostReason::Silent => self.silence.set(player, true),
                        LostReason::Replaced | LostReason::Closed => {}
                        LostReason::Left => self.silence.forget(player),
                        LostReason::Violation(_) | LostReason::OtherTopology | LostReason::OtherIdentity => {
                            self.silence.forget(player);
                            if !self.is_ending {
                                self.news.push(ChannelNews::Note(format!("the channels to player {player} are gone: {reason}")));
                            }
                        }
                    }
                }
                HubEvent::Interrupted { player } => self.silence.set(player, true),
                HubEvent::Resumed { player } => self.silence.set(player, false),
                HubEvent::Refused { player, failure } => {
                    self.refused = self.refused.with(player);
                    self.news.push(ChannelNews::Note(format!("the channels of player {player} cannot be reached: {failure}")));
                }
            }
        }
    }

    fn transmit(&mut self, now_us: u64) {
        let Self { wires, hub, buffer, .. } = self;
        if let Some(hub) = hub {
            for _ in 0..TURN_DATAGRAMS {
                let Some((to, len)) = hub.poll_transmit(now_us, buffer) else { break };
                wires.send(now_us, to, buffer.get(..len).unwrap_or_default());
            }
        }
        wires.flush(now_us);
    }

    /// Compares what can be compared by now, and remembers what went over each connection.
    fn look(&mut self) {
        for wrong in self.signing.settle() {
            self.alarm(Some(wrong));
        }
        for index in 0..MAX_PLAYERS {
            let player = PlayerHandle::new(index as u8);
            let news = self.hearsay.settle(player);
            self.alarm(news);
            let report =
                self.hub.as_ref().and_then(|hub| hub.connection(player)).map(|connection| ConnectionReport::of(player, connection));
            if let (Some(report), Some(slot)) = (report, self.connections.get_mut(index)) {
                *slot = Some(report);
            }
        }
    }

    /// What a person should know; each thing once.
    pub(crate) fn news(&mut self) -> Vec<ChannelNews> {
        core::mem::take(&mut self.news)
    }

    /// When the next datagram comes through its link.
    pub(crate) fn next_us(&self) -> Option<u64> {
        let due = self.hub.as_ref().and_then(ChannelHub::poll_timeout);
        self.wires.next_us().into_iter().chain(due).min()
    }

    /// Whether everybody who is still there has heard everything from here, and has said how it ended.
    pub(crate) fn is_done(&self) -> bool {
        let Some(hub) = &self.hub else { return true };
        let connected = hub.connected();
        let is_given = connected.iter().all(|player| self.results.behind(player) == 0 && self.chat.behind(player) == 0);
        let is_signed = self.signing.is_done() || connected.iter().all(|player| !self.signing.missing().contains(player));
        is_given && is_signed && hub.is_flushed() && connected.iter().all(|player| self.hearsay.has_ended(player))
    }

    /// This peer and another have fallen out.
    pub(crate) fn inquire(&mut self, player: PlayerHandle, inquiry: DesyncInquiry) {
        self.inquiries.begin(player, inquiry);
    }

    /// Who inquires, and has no answer yet.
    pub(crate) fn inquirers(&self) -> Vec<PlayerHandle> {
        self.inquiries.asked()
    }

    /// The inquiry that was begun first.
    pub(crate) fn inquiry(&self) -> Option<&DesyncInquiry> {
        self.inquiries.first()
    }

    /// Whether all inquiries are over, for the others too.
    pub(crate) fn is_inquired(&self) -> bool {
        self.inquiries.are_over() && self.hub.as_ref().is_none_or(ChannelHub::is_flushed)
    }

    /// The match is over: nothing that is typed from now on is said.
    pub(crate) fn end(&mut self) {
        self.is_ending = true;
    }

    /// Tells what did not reach whom, in either direction.
    fn tell_losses(&mut self) {
        let unsaid = self.typed.as_ref().and_then(Typed::rest);
        self.news.extend(unsaid.map(ChannelNews::Note));
        for player in self.others.iter() {
            let lines = match self.unreached(player) {
                0 => continue,
                1 => "1 line".to_owned(),
                count => format!("{count} lines"),
            };
            self.news.push(ChannelNews::Note(format!("{lines} of chat did not reach player {player}")));
        }
        for player in self.others.iter().filter(|player| self.hearsay.misses(*player)) {
            // Of who was never there nothing was to be expected.
            if self.connections.get(player.index()).is_some_and(Option::is_some) {
                self.news.push(ChannelNews::Note(format!("what player {player} says of the results was not heard to the end")));
            }
        }
    }

    /// Lines from here that are not known to have arrived at `player`.
    fn unreached(&self, player: PlayerHandle) -> u64 {
        let hub = self.hub.as_ref().filter(|hub| hub.connected().contains(player));
        // Of a connection that is over they are counted among those that are to go once more.
        let under_way = hub.and_then(|hub| hub.connection(player)).map_or(0, |connection| {
            let stats = connection.stats();
            let chat = stats.of(Channel::ChatPresence);
            chat.sent_messages.saturating_sub(chat.delivered_messages)
        });
        self.chat.missed(player) + self.chat.behind(player) + under_way
    }

    /// Says goodbye. What is on its way out leaves with [`flush`](Self::flush).
    pub(crate) fn close(&mut self, now_us: u64) {
        self.tell_losses();
        self.look();
        self.tell_missing();
        if let Some(hub) = &mut self.hub {
            self.last_connected = hub.connected();
            hub.close(now_us);
        }
        self.transmit(now_us);
    }

    /// Who never had channels, if anybody here wanted them.
    fn tell_missing(&mut self) {
        if self.hub.is_none() || !self.is_wanted && self.chat.is_unused() {
            return;
        }
        let is_reached = |player: &PlayerHandle| self.connections.get(player.index()).is_some_and(Option::is_some);
        let missing = (0..self.player_count)
            .map(PlayerHandle::new)
            .filter(|player| *player != self.player && !is_reached(player) && !self.refused.contains(*player));
        let notes = missing.map(|player| {
            let why = match self.host.filter(|_| player.index() == 0) {
                Some(address) => format!("nobody answered at {address}"),
                None => "it was never there".to_owned(),
            };
            ChannelNews::Note(format!("no channels to player {player}: {why} (it may play without)"))
        });
        self.news.extend(notes.collect::<Vec<_>>());
    }

    /// Lets out what has come through its link; true if more is to come.
    pub(crate) fn flush(&mut self, now_us: u64) -> bool {
        self.transmit(now_us);
        self.wires.next_us().is_some()
    }

    /// Whether everything that was heard of results is so here too.
    pub(crate) fn agrees(&self) -> bool {
        self.hearsay.agrees()
    }

    /// What arrived of chat: the first lines, and how many came after them.
    pub(crate) fn lines(&self) -> (&[ChatLine], u64) {
        (&self.lines, self.lines_left_out)
    }

    /// Whether it is known who plays here.
    pub(crate) fn is_seated(&self) -> bool {
        self.hub.is_some()
    }

    /// What went over the channels so far.
    pub(crate) fn report(&self) -> ChannelsReport {
        ChannelsReport { connections: self.connections.iter().flatten().cloned().collect(), results_heard: self.hearsay.report() }
    }
}
