//! [`Onlooker`]: tells a person what happens in a match, and listens for Ctrl-C.

use super::Mode;
use crate::decimal::shown;
use crate::desync::MatchLog;
use crate::error::CliError;
use crate::golden::live::LiveRecording;
use crate::match_loop::{Seat, Watcher};
use crate::progress::ProgressLine;
use crate::report::named;
use crate::results::ResultLog;
use crate::side_channels::ChannelNews;
use crate::{interrupt, out};
use snapback::sim::{PadInput, WorldData};
use snapback::transport::Ticket;
use snapback::transport::packet::LeaveReason;
use snapback::{ConfirmedFrame, PeerEvent, PeerPhase, PlayerSet};
use std::sync::Arc;

/// Tells a person what happens in a match.
pub(super) struct Onlooker<'a> {
    mode: &'a Mode<'a>,
    ticket: &'a Ticket,
    connected: PlayerSet,
    pub(super) progress: ProgressLine,
    pub(super) results: ResultLog,
    data: &'a Arc<WorldData>,
    pub(super) recording: Option<LiveRecording>,
    /// In case that the peers fall out.
    pub(super) log: Option<MatchLog>,
    is_leaving: bool,
    /// The host did not answer in time.
    pub(super) gave_up: bool,
}

impl<'a> Onlooker<'a> {
    pub(super) fn new(mode: &'a Mode<'a>, ticket: &'a Ticket, data: &'a Arc<WorldData>, is_stdin_read: bool) -> Self {
        Self {
            mode,
            ticket,
            connected: PlayerSet::EMPTY,
            progress: ProgressLine::new().beside_typing(is_stdin_read).with_graph(mode.play.telemetry.net_graph),
            results: ResultLog::default(),
            data,
            recording: None,
            log: None,
            is_leaving: false,
            gave_up: false,
        }
    }

    /// Whether somebody who has not come yet is still waited for.
    pub(super) fn may_wait(&self, now_us: u64) -> bool {
        self.mode.wait_us == 0 || now_us < self.mode.wait_us
    }

    fn gathering(&mut self, now_us: u64) -> Result<(), CliError> {
        let (here, all) = (self.connected.len() + 1, self.ticket.player_count);
        let waits_for_host = !self.mode.is_host() && self.connected.is_empty();
        if !self.may_wait(now_us) {
            if waits_for_host {
                self.gave_up = true;
                return Err(CliError::environment("no answer"));
            }
            if self.mode.is_host() {
                let waited = shown(self.mode.wait_us, 6);
                let message = format!("only {here} of {all} players are here after {waited} s; start again, or wait longer with --wait");
                return Err(CliError::environment(message));
            }
        }
        if waits_for_host {
            self.progress.show(&[format!("waiting for the host at {}", self.ticket.address)]);
        } else {
            self.progress.show(&[format!("waiting for players: {here} of {all} are here")]);
        }
        Ok(())
    }
}

impl Watcher for Onlooker<'_> {
    fn confirmed(&mut self, frame: &ConfirmedFrame<'_, PadInput>) -> Result<(), CliError> {
        self.results.look(frame.snapshot);
        if let Some(log) = &mut self.log {
            log.take(frame).map_err(CliError::environment)?;
        }
        match &mut self.recording {
            Some(recording) => recording.take(frame.frame, frame.inputs, frame.state_hash, frame.snapshot),
            None => Ok(()),
        }
    }

    fn event(&mut self, event: &PeerEvent) {
        let line = match event {
            PeerEvent::Seated { players } => format!("you are {}", named(*players)),
            PeerEvent::Connected { players } => {
                self.connected = self.connected.union(*players);
                format!("{} is here", named(*players))
            }
            PeerEvent::StartFixed { .. } => "everybody is ready".to_owned(),
            PeerEvent::Interrupted { players } => format!("nothing is heard from {}", named(*players)),
            PeerEvent::Resumed { players } => format!("{} is heard again", named(*players)),
            PeerEvent::Left { reason: LeaveReason::Finished, .. } => return,
            PeerEvent::Left { players, .. } | PeerEvent::Gone { players } => {
                self.connected = self.connected.minus(*players);
                format!("{} is gone", named(*players))
            }
            PeerEvent::TurnedAway { address, reason } => format!("somebody at {address} was turned away: {reason}"),
            _ => return,
        };
        out::note(line);
    }

    fn channel_news(&mut self, news: ChannelNews) -> Result<(), CliError> {
        match news {
            ChannelNews::Chat(line) => out::note(format_args!("player {}: {}", line.from, line.text)),
            ChannelNews::Note(line) => out::note(line),
        }
        Ok(())
    }

    fn look(&mut self, now_us: u64, seat: &mut Seat) -> Result<(), CliError> {
        // The seed is found some time before the first tick.
        if let Some(seed) = seat.peer.facts().and_then(|facts| facts.seed)
            && self.log.is_none()
        {
            self.log = Some(MatchLog::start(self.data, seed, self.ticket.player_count.into())?);
            self.recording = LiveRecording::start(&self.mode.play.live, self.data, seed, self.ticket.player_count.into())?;
        }
        if interrupt::asked().is_some() && !self.is_leaving {
            self.is_leaving = true;
            seat.peer.leave(now_us);
        }
        match seat.peer.phase() {
            PeerPhase::Gathering => self.gathering(now_us)?,
            PeerPhase::Playing if self.progress.is_due() => {
                let frames = self.ticket.frame_count.map_or_else(String::new, |frames| format!("/{frames}"));
                let confirmed = seat.peer.confirmed_state().frame.next();
                let live = seat.live();
                let live = if self.mode.play.telemetry.net_graph { live.with_graph(&seat.peer) } else { live };
                self.progress.show_lives(format!("{confirmed}{frames} confirmed"), core::iter::once(&live));
            }
            _ => {}
        }
        Ok(())
    }
}
