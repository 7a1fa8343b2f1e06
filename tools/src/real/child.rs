//! One player of a duel, in a process of its own.

use super::pipe::{self, Note};
use crate::clock::Clock;
use crate::duel::explained;
use crate::entropy;
use crate::error::{CliError, Code};
use crate::frame_data;
use crate::interrupt;
use crate::keys::{self, Invitations, KeyOptions};
use crate::link_options::LinkSpec;
use crate::match_loop::{MatchLoop, RecordingPlace, Seat, Watcher, session_failed};
use crate::pilots::InputOptions;
use crate::plant::PlantedWorld;
use crate::progress::Live;
use crate::report::player_at;
use crate::results::write_signed;
use crate::script::ScriptOptions;
use crate::side_channels::typed::{self, Typed};
use crate::side_channels::{ChannelNews, ChannelPlan, SideChannels, TURN_DATAGRAMS};
use crate::telemetry::TelemetryOptions;
use crate::telemetry::kept::Teller;
use crate::wires::Wires;
use serde::{Deserialize, Serialize};
use snapback::sim::PadInput;
use snapback::transport::Ticket;
use snapback::transport::channel::HubRole;
use snapback::{ConfirmedFrame, Frame, Outcome, Peer, PeerEvent, PeerSettings, Role, RollbackConfig, SeedSecret};
use std::io::{self, BufRead, BufReader, BufWriter, StdoutLock, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

/// Between two progress messages.
const PROGRESS_US: u64 = 250_000;

/// What a player's process is told, as one line of JSON on its stdin. After it come the lines that it is
/// to say. The process ends when its stdin does, so that no player outlives the duel however that ends.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Job {
    /// Which process; 0 hosts.
    pub(crate) process: usize,
    /// None for the host.
    pub(crate) ticket: Option<String>,
    pub(crate) players: u8,
    pub(crate) frames: u64,
    pub(crate) seed: u64,
    pub(crate) delay: u8,
    pub(crate) link: LinkSpec,
    pub(crate) inputs: InputOptions,
    pub(crate) frame_data: Option<PathBuf>,
    pub(crate) plant: Option<i64>,
    pub(crate) insecure_lan: bool,
    pub(crate) no_channels: bool,
    pub(crate) telemetry: TelemetryOptions,
    pub(crate) script: ScriptOptions,
    /// Where the signed result goes, for the host.
    pub(crate) result: Option<PathBuf>,
}

/// Runs the process.
pub(crate) fn run() -> Result<Code, CliError> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let played = interrupt::ignore_ctrl_c().and_then(|()| read_job()).and_then(|(job, typed)| play(&job, typed, &mut out));
    if let Err(error) = &played {
        // The duel shows it. If it is gone, so is the reader of any message.
        let note = Note::Failed { code: error.code().number(), message: error.to_string() };
        let _ = pipe::write_note(&mut out, &note);
        return Ok(error.code());
    }
    Ok(Code::Agreed)
}

fn read_job() -> Result<(Job, Typed), CliError> {
    let mut input = BufReader::new(io::stdin());
    let mut line = String::new();
    let read = input.read_line(&mut line).map_err(io::Error::other).and_then(|_| serde_json::from_str(&line).map_err(io::Error::from));
    let job = read.map_err(|error| CliError::usage(format_args!("this command is started by `snapback duel` only ({error})")))?;
    let (hand, typed) = Typed::pair();
    #[expect(clippy::disallowed_methods, reason = "nothing but chat and the end of the process depends on this thread")]
    std::thread::spawn(move || {
        let _ = typed::read_all(&mut input, |entry| {
            hand.give(entry);
            true
        });
        std::process::exit(Code::Environment.number().into());
    });
    Ok((job, typed))
}

fn play(job: &Job, typed: Typed, out: &mut BufWriter<StdoutLock<'static>>) -> Result<(), CliError> {
    let data = frame_data::load(job.frame_data.as_deref())?;
    let pilots = job.inputs.load(job.players.into())?.with_script(&job.script);
    let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let wires = Wires::bind(listen, &job.link, job.seed, job.process)?;
    let channel_wires =
        (!job.no_channels).then(|| Wires::bind_channels(listen, &job.link, job.seed, job.process, TURN_DATAGRAMS)).transpose()?;
    let channels_at = channel_wires.as_ref().map(Wires::local_addr);
    let config = RollbackConfig { require_encrypted_transport: !job.insecure_lan, ..RollbackConfig::default() };
    let keys = KeyOptions { insecure_lan: job.insecure_lan, identity: None };
    let (role, channels_of_host, match_id, security) = match &job.ticket {
        Some(ticket) => {
            let ticket: Ticket = ticket.parse().map_err(CliError::usage)?;
            (Role::Join { host: ticket.address }, ticket.channels, ticket.match_id, keys::of_joiner(&ticket, &keys)?)
        }
        None => {
            let last = Frame::new(i64::try_from(job.frames).unwrap_or(i64::MAX)).previous();
            let role = Role::Host { first_frame: Frame::ZERO, last_frame: Some(last) };
            let match_id = entropy::random()?;
            let invitations = Invitations::new(&keys)?;
            let ticket = Ticket {
                address: wires.local_addr(),
                channels: channels_at,
                match_id,
                player_count: job.players,
                simulation_hz: u16::try_from(config.simulation_hz).unwrap_or(u16::MAX),
                frame_count: Some(job.frames),
                security: invitations.of_seat(1),
            };
            let tickets = invitations.tickets(ticket).iter().map(ToString::to_string).collect();
            tell(out, &Note::Ready { tickets })?;
            (role, None, match_id, invitations.security())
        }
    };
    let channels = channel_wires.map(|wires| {
        let plan = ChannelPlan {
            match_id,
            player_count: job.players,
            nonce: entropy::random()?,
            role: channels_of_host.map_or(HubRole::Host, |host| HubRole::Join { host }),
            security: security.of_channels(match_id, &config),
        };
        Ok(SideChannels::new(wires, plan, Some(typed), false))
    });
    let channels = channels.transpose()?;
    let settings = PeerSettings {
        role,
        match_id,
        nonce: entropy::random()?,
        // The processes are one person's: what is asked for is played.
        seed_secret: SeedSecret::fixed(if job.process == 0 { job.seed } else { 0 }),
        player_count: job.players,
        local_player_count: 1,
        config,
        input_delay_frames: job.delay,
        security,
    };
    let clock = Clock::start();
    let world = PlantedWorld::new(&data, job.plant.map(Frame::new));
    let mut peer = Peer::new(world, settings, clock.now_us()).map_err(|error| session_failed(&error))?;
    job.telemetry.record(&mut peer)?;
    let mut played = MatchLoop::new(clock, wires, peer, channels, pilots, RecordingPlace::Seat, job.seed);
    let options = &job.telemetry;
    let mut streamer = Streamer { out, player: None, next_us: 0, options, teller: Teller::default() };
    let ended = played.run(&mut streamer);
    streamer.tell_recorded(&played.seat)?;
    let outcome = ended?;
    if let Some(path) = &job.result {
        match write_signed(path, played.seat.channels.as_ref()) {
            Ok(why_not) => why_not.map_or(Ok(()), |line| tell(streamer.out, &Note::Channels(ChannelNews::Note(line))))?,
            Err(error) => tell(streamer.out, &Note::Unwritten { message: error.to_string() })?,
        }
    }
    match outcome {
        // The duel compares every frame itself.
        Outcome::Agreed
        | Outcome::Unverified { .. }
        | Outcome::Disagreed { .. }
        | Outcome::Desynced { .. }
        | Outcome::InputsDiffer { .. } => {
            let mut report = Box::new(played.seat.report());
            if options.net_graph {
                report.take_samples(&played.seat.peer);
            }
            let live = live(&mut played.seat, options);
            tell(out, &Note::Done { live, report })
        }
        outcome => Err(CliError::environment(explained(&outcome))),
    }
}

fn tell(out: &mut impl Write, note: &Note) -> Result<(), CliError> {
    pipe::write_note(out, note).map_err(|error| duel_gone(&error))
}

fn duel_gone(error: &io::Error) -> CliError {
    CliError::environment(format_args!("the duel does not listen any more: {error}"))
}

/// Tells the duel everything.
struct Streamer<'a> {
    out: &'a mut BufWriter<StdoutLock<'static>>,
    /// Told once it is known.
    player: Option<usize>,
    next_us: u64,
    options: &'a TelemetryOptions,
    teller: Teller,
}

impl Streamer<'_> {
    /// Tells what is new for a post-mortem.
    fn tell_recorded(&mut self, seat: &Seat) -> Result<(), CliError> {
        if self.options.postmortem.is_none() {
            return Ok(());
        }
        tell(self.out, &Note::Recorded(self.teller.tell(&seat.peer)))
    }
}

fn live(seat: &mut Seat, options: &TelemetryOptions) -> Live {
    let live = seat.live();
    if options.net_graph { live.with_graph(&seat.peer) } else { live }
}

impl Watcher for Streamer<'_> {
    fn confirmed(&mut self, frame: &ConfirmedFrame<'_, PadInput>) -> Result<(), CliError> {
        pipe::write_frame(self.out, frame).map_err(|error| duel_gone(&error))
    }

    fn event(&mut self, _: &PeerEvent) {}

    fn channel_news(&mut self, news: ChannelNews) -> Result<(), CliError> {
        tell(self.out, &Note::Channels(news))
    }

    fn look(&mut self, now_us: u64, seat: &mut Seat) -> Result<(), CliError> {
        if self.player.is_none() {
            self.player = player_at(&seat.peer);
            if let Some(player) = self.player {
                tell(self.out, &Note::Seated { player })?;
            }
        }
        if now_us >= self.next_us {
            self.next_us = now_us + PROGRESS_US;
            let live = live(seat, self.options);
            tell(self.out, &Note::Progress { live, report: Box::new(seat.report()) })?;
            self.tell_recorded(seat)?;
        }
        Ok(())
    }
}
