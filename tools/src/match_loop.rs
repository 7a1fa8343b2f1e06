//! [`MatchLoop`]: one peer, its socket and its clock, from the first Hello to the last goodbye.

use crate::clock::Clock;
use crate::error::CliError;
use crate::pilots::{DuelPilot, Pilots};
use crate::plant::PlantedWorld;
use crate::progress::Live;
use crate::pulse::Pulse;
use crate::report::PeerReport;
use crate::side_channels::{ChannelNews, SideChannels};
use crate::wires::Wires;
use snapback::sim::PadInput;
use snapback::{
    ConfirmedFrame, Frame, LocalInput, Outcome, Pacer, Peer, PeerEvent, PeerPhase, SessionError, TRANSMIT_BUFFER_BYTES, TickReport,
};

/// The longest wait between two looks at the socket.
const MAX_WAIT_US: u64 = 1_000;

/// How long after the end datagrams may still be on their way out.
const DRAIN_US: u64 = 1_000_000;

/// The most time for goodbyes after an error.
const LEAVE_US: u64 = 300_000;

/// The longest wait for what the others still have to say once everything is confirmed.
const HEAR_OUT_US: u64 = 2_000_000;

/// The longest that two peers find out where their states differ.
const INQUIRE_US: u64 = 3_000_000;

/// Sees what happens in a match. An error ends it.
pub(crate) trait Watcher {
    /// A frame is confirmed; each one comes, in order.
    fn confirmed(&mut self, frame: &ConfirmedFrame<'_, PadInput>) -> Result<(), CliError>;

    /// Something happened.
    fn event(&mut self, event: &PeerEvent);

    /// Something came over the channels, or happened to them.
    fn channel_news(&mut self, news: ChannelNews) -> Result<(), CliError>;

    /// Called about once a millisecond.
    fn look(&mut self, now_us: u64, seat: &mut Seat) -> Result<(), CliError>;
}

/// A peer and everything that is measured of it.
pub(crate) struct Seat {
    pub(crate) peer: Peer<PlantedWorld>,
    pub(crate) pulse: Pulse,
    /// What is said beside the match.
    pub(crate) channels: Option<SideChannels>,
    /// The deepest rollback since somebody looked.
    deepest: u32,
}

impl Seat {
    /// What the progress line shows; the depth starts anew.
    pub(crate) fn live(&mut self) -> Live {
        Live::of(&self.peer, core::mem::take(&mut self.deepest))
    }

    pub(crate) fn report(&self) -> PeerReport {
        let channels = self.channels.as_ref().map(SideChannels::report);
        PeerReport { channels, ..PeerReport::of(&self.peer, &self.pulse) }
    }
}

/// Which recording a peer's player takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RecordingPlace {
    /// The one with the number of its seat: all players share a list.
    Seat,
    /// The first one: the list is for this player alone.
    First,
}

/// One peer, its socket and its clock.
pub(crate) struct MatchLoop {
    pub(crate) clock: Clock,
    pub(crate) wires: Wires,
    pub(crate) seat: Seat,
    pilots: Pilots,
    recording_place: RecordingPlace,
    seed: u64,
    pilot: Option<DuelPilot>,
    /// The input of a frozen tick, which was not consumed.
    pending: Option<LocalInput<PadInput>>,
    pacer: Option<Pacer>,
    next_confirmed: Option<Frame>,
    buffer: Vec<u8>,
}

impl MatchLoop {
    /// A match that is ready to run. `seed` decides the bot.
    pub(crate) fn new(
        clock: Clock,
        wires: Wires,
        mut peer: Peer<PlantedWorld>,
        channels: Option<SideChannels>,
        pilots: Pilots,
        recording_place: RecordingPlace,
        seed: u64,
    ) -> Self {
        peer.set_loaded();
        Self {
            clock,
            wires,
            seat: Seat { peer, pulse: Pulse::default(), channels, deepest: 0 },
            pilots,
            recording_place,
            seed,
            pilot: None,
            pending: None,
            pacer: None,
            next_confirmed: None,
            buffer: vec![0; TRANSMIT_BUFFER_BYTES],
        }
    }

    /// Starts over with another peer: nothing has been played yet.
    pub(crate) fn replace_peer(&mut self, mut peer: Peer<PlantedWorld>) {
        peer.set_loaded();
        self.seat.peer = peer;
    }

    /// Runs until the match is over for this peer, and says how it ended.
    pub(crate) fn run(&mut self, watcher: &mut impl Watcher) -> Result<Outcome, CliError> {
        let played = self.play(watcher);
        if played.is_err() {
            self.leave();
        }
        let heard = self.hear_out(watcher);
        self.drain();
        played.and_then(|outcome| heard.map(|()| outcome))
    }

    fn play(&mut self, watcher: &mut impl Watcher) -> Result<Outcome, CliError> {
        while self.seat.peer.phase() != PeerPhase::Over {
            let now_us = self.clock.now_us();
            self.receive(now_us);
            self.tick(now_us, watcher)?;
            self.transmit(now_us);
            while let Some(event) = self.seat.peer.poll_event() {
                watcher.event(&event);
            }
            watcher.look(now_us, &mut self.seat)?;
            // After the tick, and never much at once: what is said beside the match holds up nothing of it.
            self.poll_channels(now_us, watcher)?;
            self.wait();
        }
        // Over without an outcome does not happen.
        Ok(self.seat.peer.outcome().cloned().unwrap_or(Outcome::Quit))
    }

    fn receive(&mut self, now_us: u64) {
        self.wires.begin_poll();
        while let Some((from, len)) = self.wires.receive(&mut self.buffer) {
            self.seat.peer.handle(now_us, from, self.buffer.get(..len).unwrap_or_default());
        }
    }

    fn tick(&mut self, now_us: u64, watcher: &mut impl Watcher) -> Result<(), CliError> {
        let Some(start_us) = self.seat.peer.start_at_us() else { return Ok(()) };
        let Some(session) = self.seat.peer.session() else { return Ok(()) };
        let hz = session.settings().config.simulation_hz;
        let stretch_ppm = self.seat.peer.time_sync().stretch_ppm;
        if !self.pacer.get_or_insert_with(|| Pacer::new(start_us, hz)).take(now_us, stretch_ppm) {
            return Ok(());
        }
        let Some(input) = self.input() else { return Ok(()) };
        match self.seat.peer.tick(now_us, &[input]) {
            Ok(report) => self.ticked(now_us, input, &report),
            // The peer ends with an outcome that says more.
            Err(error) if self.seat.peer.outcome().is_some() => drop(error),
            Err(error) => return Err(session_failed(&error)),
        }
        self.confirm(watcher)
    }

    /// What the player presses, or pressed already in a tick that was frozen.
    fn input(&mut self) -> Option<LocalInput<PadInput>> {
        if let Some(input) = self.pending.take() {
            return Some(input);
        }
        let session = self.seat.peer.session()?;
        let player = session.settings().local_players.iter().next()?;
        let place = if self.recording_place == RecordingPlace::Seat { player.index() } else { 0 };
        let pilot = self.pilot.get_or_insert_with(|| self.pilots.pilot(self.seed, player.index(), place));
        let frame = session.newest_local_frame().next();
        let input = pilot.press(frame, player, session.simulation().world());
        Some(LocalInput { command: pilot.command(frame), ..LocalInput::new(player, input) })
    }

    fn ticked(&mut self, now_us: u64, input: LocalInput<PadInput>, report: &TickReport) {
        if report.simulation_frozen {
            self.pending = Some(input);
        }
        self.seat.deepest = self.seat.deepest.max(report.rollback_frames);
        self.seat.pulse.tick(now_us, report);
    }

    fn confirm(&mut self, watcher: &mut impl Watcher) -> Result<(), CliError> {
        let Some(facts) = self.seat.peer.facts() else { return Ok(()) };
        let mut next = self.next_confirmed.unwrap_or(facts.first_frame);
        let Seat { peer, channels, .. } = &mut self.seat;
        if let Some(session) = peer.session_mut() {
            while let Some(frame) = session.confirmed(next) {
                watcher.confirmed(&frame)?;
                if let Some(channels) = channels {
                    channels.confirmed(&frame);
                }
                next = next.next();
            }
        }
        self.next_confirmed = Some(next);
        Ok(())
    }

    fn transmit(&mut self, now_us: u64) {
        while let Some(transmit) = self.seat.peer.poll_transmit(now_us, &mut self.buffer) {
            self.wires.send(now_us, transmit.to, self.buffer.get(..transmit.len).unwrap_or_default());
        }
        self.wires.flush(now_us);
    }

    fn poll_channels(&mut self, now_us: u64, watcher: &mut impl Watcher) -> Result<(), CliError> {
        let Seat { peer, channels: Some(channels), .. } = &mut self.seat else { return Ok(()) };
        if let Some(facts) = peer.facts() {
            if let Some(player) = facts.local_players.iter().next() {
                channels.sit_down(player, now_us)?;
            }
            for (players, identity) in peer.identities() {
                players.iter().for_each(|player| channels.know(player, identity));
            }
            let confirmed = peer.confirmed_state();
            // Not before its last frame was shown.
            if facts.last_frame == Some(confirmed.frame) && self.next_confirmed > facts.last_frame {
                channels.finish(confirmed);
                if let (Some(seed), Some(session), Some(identity)) = (facts.seed, peer.session(), peer.identity()) {
                    let world = session.simulation().world();
                    channels.sign(seed, world, identity, facts.local_players);
                }
            }
        }
        channels.poll(now_us);
        channels.news().into_iter().try_for_each(|news| watcher.channel_news(news))
    }

    /// Hears what the others still have to say on the channels, for a while, and says goodbye there.
    fn hear_out(&mut self, watcher: &mut impl Watcher) -> Result<(), CliError> {
        // Who has no seat yet may try again, and say then what was typed.
        let Some(channels) = self.seat.channels.as_mut().filter(|channels| channels.is_seated()) else { return Ok(()) };
        channels.end();
        let inquiry = self.seat.peer.inquiry();
        if let Some((player, inquiry)) = inquiry.and_then(|inquiry| Some((inquiry.players().iter().next()?, inquiry))) {
            channels.inquire(player, inquiry);
            return self.inquire(watcher);
        }
        let is_finished =
            matches!(self.seat.peer.outcome(), Some(Outcome::Agreed | Outcome::Unverified { .. } | Outcome::Disagreed { .. }));
        let until_us = self.clock.now_us().saturating_add(if is_finished { HEAR_OUT_US } else { LEAVE_US });
        loop {
            let now_us = self.clock.now_us();
            self.poll_channels(now_us, watcher)?;
            let is_done = self.seat.channels.as_ref().is_none_or(SideChannels::is_done);
            if is_done || now_us >= until_us {
                break;
            }
            Clock::wait_us(MAX_WAIT_US);
        }
        self.close_channels(watcher)
    }

    fn close_channels(&mut self, watcher: &mut impl Watcher) -> Result<(), CliError> {
        let Some(channels) = &mut self.seat.channels else { return Ok(()) };
        channels.close(self.clock.now_us());
        channels.news().into_iter().try_for_each(|news| watcher.channel_news(news))
    }

    /// Finds out with whoever has another state where it differs.
    fn inquire(&mut self, watcher: &mut impl Watcher) -> Result<(), CliError> {
        let until_us = self.clock.now_us().saturating_add(INQUIRE_US);
        loop {
            let now_us = self.clock.now_us();
            self.poll_channels(now_us, watcher)?;
            let Seat { peer, channels: Some(channels), .. } = &mut self.seat else { break };
            for player in channels.inquirers() {
                if let Some(inquiry) = peer.inquiry_with(player) {
                    channels.inquire(player, inquiry);
                }
            }
            if channels.is_inquired() || now_us >= until_us {
                break;
            }
            Clock::wait_us(MAX_WAIT_US);
        }
        self.close_channels(watcher)
    }

    /// Waits for whatever comes first, but never long: a datagram may come at any time.
    fn wait(&self) {
        let beside = self.seat.channels.as_ref().and_then(SideChannels::next_us);
        let due = self.pacer.as_ref().map(Pacer::due_us).into_iter().chain(self.wires.next_us()).chain(beside).min();
        let now_us = self.clock.now_us();
        let wait_us = due.map_or(MAX_WAIT_US, |due| due.saturating_sub(now_us).min(MAX_WAIT_US));
        if wait_us > 0 {
            Clock::wait_us(wait_us);
        }
    }

    /// Says goodbye to whoever is there, so that nobody has to wait for the silence to be too long.
    fn leave(&mut self) {
        let mut now_us = self.clock.now_us();
        let until_us = now_us.saturating_add(LEAVE_US);
        self.seat.peer.leave(now_us);
        while self.seat.peer.phase() != PeerPhase::Over && now_us < until_us {
            self.receive(now_us);
            self.transmit(now_us);
            Clock::wait_us(MAX_WAIT_US);
            now_us = self.clock.now_us();
        }
    }

    /// Lets the last goodbyes leave their links.
    fn drain(&mut self) {
        let until_us = self.clock.now_us().saturating_add(DRAIN_US);
        loop {
            let now_us = self.clock.now_us();
            self.wires.flush(now_us);
            let beside = self.seat.channels.as_mut().is_some_and(|channels| channels.flush(now_us));
            if now_us > until_us || !(beside || self.wires.next_us().is_some()) {
                return;
            }
            Clock::wait_us(MAX_WAIT_US);
        }
    }
}

/// A session that cannot start or go on.
pub(crate) fn session_failed(error: &SessionError) -> CliError {
    match error {
        SessionError::Settings { .. } | SessionError::Config(_) | SessionError::Reset(_) => CliError::usage(error),
        _ => CliError::environment(error),
    }
}
