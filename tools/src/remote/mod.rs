//! `snapback host` and `snapback join`: a match between machines.

pub(crate) mod address;
mod ending;
mod onlooker;

use crate::cli::{Format, HostOptions, JoinOptions, PlayOptions};
use crate::clock::Clock;
use crate::desync::{self, DesyncOptions};
use crate::duel::HZ;
use crate::error::{CliError, Code};
use crate::keys::Invitations;
use crate::match_loop::{MatchLoop, RecordingPlace, Seat, session_failed};
use crate::pilots::Pilots;
use crate::plant::PlantedWorld;
use crate::report::Report;
use crate::results::ResultLog;
use crate::side_channels::typed::Typed;
use crate::side_channels::{ChannelPlan, SideChannels, TURN_DATAGRAMS};
use crate::telemetry::kept;
use crate::wires::Wires;
use crate::{entropy, frame_data, interrupt, keys, out, outputs, plant, render, screen};
use address::{channels_beside, channels_sender_for, public_address, public_channels, sender_for};
use ending::{code_of, explained, is_early, no_answer};
use onlooker::Onlooker;
use snapback::desync::DesyncReport;
use snapback::sim::WorldData;
use snapback::transport::Ticket;
use snapback::transport::channel::HubRole;
use snapback::{Frame, Outcome, Peer, PeerSettings, PlayerHandle, Role, RollbackConfig, Security, SeedSecret};
use std::net::SocketAddr;
use std::sync::Arc;

const NOT_ENCRYPTED: &str = "The link is not encrypted: whoever is on the way can read and change it.";

/// The goodbyes agree, and yet somebody says otherwise.
const DOUBTED: &str = "every frame is confirmed, but the results that a player tells on the channels are not those of this peer";

/// `snapback host`.
pub(crate) fn host(options: &HostOptions) -> Result<Code, CliError> {
    let seed = options.seed.map_or_else(entropy::random_seed, Ok)?;
    let frame_count = (options.seconds > 0).then(|| u64::from(options.seconds) * u64::from(HZ));
    let prepared = Prepared::new(&options.play, &options.desync, frame_count, options.listen, seed, 0)?;
    let invitations = Invitations::new(&options.play.keys)?;
    let address = public_address(options, prepared.wires.local_addr())?;
    let (channels, channel_wires) = if options.play.channels.no_channels {
        (None, None)
    } else {
        let wires = prepared.bind_host_channels(options, seed)?;
        (Some(public_channels(options, wires.local_addr())?), Some(wires))
    };
    let ticket = Ticket {
        address,
        channels,
        match_id: entropy::random()?,
        player_count: options.players,
        simulation_hz: u16::try_from(HZ).unwrap_or(u16::MAX),
        frame_count,
        security: invitations.of_seat(1),
    };
    let last_frame = frame_count.map(|frames| Frame::new(i64::try_from(frames).unwrap_or(i64::MAX)).previous());
    let seed_secret = options.seed.map_or_else(entropy::seed_secret, |seed| Ok(SeedSecret::fixed(seed)))?;
    let role = Role::Host { first_frame: Frame::ZERO, last_frame };
    let mode =
        Mode { name: "host", host: ticket.address, wait_us: options.wait, seed, seed_secret, play: &options.play, desync: &options.desync };
    let tickets = invitations.tickets(ticket);
    for (player, ticket) in (1..).zip(&tickets) {
        match options.play.format {
            Format::Human => out::say(ticket)?,
            Format::Json if tickets.len() == 1 => out::note(format_args!("ticket: {ticket}")),
            Format::Json => out::note(format_args!("ticket of player {player}: {ticket}")),
        }
    }
    out::note(match (tickets.len(), options.play.keys.insecure_lan) {
        (1, false) => "This is the ticket: the other plays with `snapback join TICKET`. Show it to nobody else.",
        (_, false) => "These are the tickets, one for each player: they play with `snapback join TICKET`. Show each to nobody else.",
        (_, true) => "This is the ticket: the others play with `snapback join TICKET --insecure-lan`.",
    });
    let channels = channel_wires.map(|wires| (wires, HubRole::Host));
    prepared.play(&mode, &ticket, role, invitations.security(), channels)
}

/// `snapback join`.
pub(crate) fn join(options: &JoinOptions) -> Result<Code, CliError> {
    let ticket: Ticket = given_ticket(&options.ticket)?.parse().map_err(CliError::usage)?;
    let security = keys::of_joiner(&ticket, &options.play.keys)?;
    let seed = options.seed.map_or_else(entropy::random_seed, Ok)?;
    let listen = sender_for(ticket.address, options.listen)?;
    let prepared = Prepared::new(&options.play, &options.desync, ticket.frame_count, listen, seed, 1)?;
    let channels = join_channels(options, &ticket, seed)?;
    let role = Role::Join { host: ticket.address };
    // A match whose peers are all told a seed has the host's.
    let seed_secret = options.seed.map_or_else(entropy::seed_secret, |_| Ok(SeedSecret::fixed(0)))?;
    let mode =
        Mode { name: "join", host: ticket.address, wait_us: options.wait, seed, seed_secret, play: &options.play, desync: &options.desync };
    prepared.play(&mode, &ticket, role, security, channels)
}

/// The second socket of a joiner, if the match has one and it wants to.
fn join_channels(options: &JoinOptions, ticket: &Ticket, seed: u64) -> Result<Option<(Wires, HubRole)>, CliError> {
    let JoinOptions { channels, play, .. } = options;
    let Some(host) = ticket.channels else {
        let given = [("--chat", play.channels.chat), ("--channels-listen", channels.listen.is_some())];
        return match given.iter().find(|(_, is_given)| *is_given) {
            None => Ok(None),
            Some((name, _)) => Err(CliError::usage(format_args!(
                "this ticket is for a match without channels: leave {name} out, or ask for a match that has them"
            ))),
        };
    };
    if play.channels.no_channels {
        return Ok(None);
    }
    let listen = channels_sender_for(host, options)?;
    let wires = Wires::bind_channels(listen, &play.link.of_remote(), seed, 1, TURN_DATAGRAMS)?;
    Ok(Some((wires, HubRole::Join { host })))
}

/// Far above any ticket.
const MAX_TICKET_BYTES: u64 = 1_024;

/// The ticket as it was given, or the first line of stdin.
fn given_ticket(given: &str) -> Result<String, CliError> {
    if given != "-" {
        return Ok(given.to_owned());
    }
    let mut line = String::new();
    // What comes after it may be chat.
    let mut stdin = std::io::Read::take(std::io::stdin().lock(), MAX_TICKET_BYTES);
    std::io::BufRead::read_line(&mut stdin, &mut line)
        .map_err(|error| CliError::usage(format_args!("no ticket can be read from stdin: {error}")))?;
    Ok(line)
}

/// What the two commands do differently.
struct Mode<'a> {
    name: &'static str,
    host: SocketAddr,
    wait_us: u64,
    seed: u64,
    seed_secret: SeedSecret,
    play: &'a PlayOptions,
    desync: &'a DesyncOptions,
}

impl Mode<'_> {
    fn is_host(&self) -> bool {
        self.name == "host"
    }
}

/// Everything that can be found wrong before anything is sent.
struct Prepared {
    data: Arc<WorldData>,
    pilots: Pilots,
    wires: Wires,
}

impl Prepared {
    /// `frames` is how long the match is, if it has an end.
    fn new(
        play: &PlayOptions,
        desync: &DesyncOptions,
        frames: Option<u64>,
        listen: SocketAddr,
        seed: u64,
        place: usize,
    ) -> Result<Self, CliError> {
        plant::check(desync.plant, frames)?;
        let data = frame_data::load(play.frame_data.as_deref())?;
        play.script.check(&data.control_rules(), frames)?;
        let pilots = play.inputs.load(1)?.with_script(&play.script);
        outputs::check(play, desync.desync_dir.as_deref(), play.telemetry.postmortem.as_slice())?;
        let wires = Wires::bind(listen, &play.link.of_remote(), seed, place)?;
        interrupt::listen()?;
        Ok(Self { data, pilots, wires })
    }

    /// Beside the other socket, unless told otherwise.
    fn bind_host_channels(&self, options: &HostOptions, seed: u64) -> Result<Wires, CliError> {
        let bind = |address| Wires::bind_channels(address, &options.play.link.of_remote(), seed, 0, TURN_DATAGRAMS);
        match options.channels.listen {
            Some(address) => bind(address),
            None => {
                let [next, any] = channels_beside(options, self.wires.local_addr());
                bind(next).or_else(|_| {
                    let wires = bind(any)?;
                    let port = wires.local_addr().port();
                    out::note(format_args!(
                        "port {} is in use: chat and results are on port {port}, which must be reachable too",
                        next.port()
                    ));
                    Ok(wires)
                })
            }
        }
    }

    fn play(
        self,
        mode: &Mode<'_>,
        ticket: &Ticket,
        role: Role,
        security: Security,
        channels: Option<(Wires, HubRole)>,
    ) -> Result<Code, CliError> {
        let Self { data, pilots, wires } = self;
        screen::start();
        if mode.play.keys.insecure_lan {
            out::note(NOT_ENCRYPTED);
        }
        let clock = Clock::start();
        let config = RollbackConfig {
            simulation_hz: ticket.simulation_hz.into(),
            require_encrypted_transport: !mode.play.keys.insecure_lan,
            ..RollbackConfig::default()
        };
        let channels = channels.map(|(wires, role)| {
            let plan = ChannelPlan {
                match_id: ticket.match_id,
                player_count: ticket.player_count,
                nonce: entropy::random()?,
                role,
                security: security.of_channels(ticket.match_id, &config),
            };
            Ok(SideChannels::new(wires, plan, Typed::stdin(mode.play.channels.chat), mode.play.channels.chat))
        });
        let channels = channels.transpose()?;
        let new_peer = |now_us| -> Result<Peer<PlantedWorld>, CliError> {
            let settings = PeerSettings {
                role,
                match_id: ticket.match_id,
                nonce: entropy::random()?,
                seed_secret: mode.seed_secret,
                player_count: ticket.player_count,
                local_player_count: 1,
                config,
                input_delay_frames: mode.play.delay,
                security: security.clone(),
            };
            let mut peer = Peer::new(PlantedWorld::new(&data, mode.desync.plant.map(Frame::new)), settings, now_us)
                .map_err(|error| session_failed(&error))?;
            mode.play.telemetry.record(&mut peer)?;
            Ok(peer)
        };
        let peer = new_peer(clock.now_us())?;
        let is_stdin_read = channels.is_some();
        let mut played = MatchLoop::new(clock, wires, peer, channels, pilots, RecordingPlace::First, mode.seed);
        let mut watcher = Onlooker::new(mode, ticket, &data, is_stdin_read);
        let outcome = loop {
            match played.run(&mut watcher) {
                // The peer gives up before we do.
                Ok(Outcome::Lost { players, .. }) if players.is_empty() && watcher.may_wait(played.clock.now_us()) => {
                    let peer = new_peer(played.clock.now_us())?;
                    played.replace_peer(peer);
                }
                Ok(Outcome::Lost { players, .. }) if players.is_empty() => {
                    return Err(no_answer(mode, &played.wires, played.seat.peer.dial_failure()));
                }
                Err(_) if watcher.gave_up => return Err(no_answer(mode, &played.wires, played.seat.peer.dial_failure())),
                Err(error) => {
                    // What went wrong first is what to say.
                    let _ = bury(mode, &played.seat, true);
                    return Err(error);
                }
                Ok(outcome) => break outcome,
            }
        };
        watcher.progress.leave();
        // The match was played: whatever of it cannot be written, it is reported first.
        let mut unwritten: Vec<CliError> = Vec::new();
        if let Some(recording) = watcher.recording.take() {
            let report = played.seat.report();
            unwritten.extend(recording.finish(report.rollbacks, report.max_depth).err());
        }
        // Without channels it is what this peer knows.
        let inquired = played.seat.channels.as_ref().and_then(SideChannels::inquiry);
        let alone = if inquired.is_none() { played.seat.peer.inquiry() } else { None };
        let found = inquired.or(alone.as_ref());
        let desync = found.map(|inquiry| desync::report(inquiry, played.seat.channels.as_ref()));
        if let (Some(inquiry), Some(report)) = (found, &desync) {
            let player = played.seat.peer.facts().and_then(|facts| facts.local_players.iter().next()).map_or(0, PlayerHandle::index);
            desync::tell(inquiry, report, watcher.log.take(), &data, &mode.desync.folder(ticket.match_id, player));
        }
        if let Some(path) = &mode.play.live.result {
            match crate::results::write_signed(path, played.seat.channels.as_ref()) {
                Ok(why_not) => why_not.into_iter().for_each(out::note),
                Err(error) => unwritten.push(error),
            }
        }
        let doubted = played.seat.channels.as_ref().is_some_and(|channels| !channels.agrees());
        let code = if doubted && outcome == Outcome::Agreed { Code::Disagreed } else { code_of(&outcome) };
        unwritten.extend(bury(mode, &played.seat, code != Code::Agreed).err());
        let explained = if code == Code::Disagreed && doubted { DOUBTED.to_owned() } else { explained(&outcome) };
        if played.seat.peer.confirmed_state().frame < Frame::ZERO {
            return Err(CliError::new(outputs::tell(code, &unwritten), explained));
        }
        print(mode, ticket, &played.seat, &watcher.results, &outcome, &explained, desync)?;
        if code != Code::Agreed && !(mode.play.format == Format::Human && out::is_one_screen()) {
            out::note(format_args!("error: {explained}"));
        }
        Ok(outputs::tell(code, &unwritten))
    }
}

/// Writes the post-mortem, if there is to be one.
fn bury(mode: &Mode<'_>, seat: &Seat, is_bad: bool) -> Result<(), CliError> {
    match mode.play.telemetry.post_mortem_file(is_bad) {
        Some(file) => kept::write(file, &seat.peer.post_mortem().to_string()),
        None => Ok(()),
    }
}

fn print(
    mode: &Mode<'_>,
    ticket: &Ticket,
    seat: &Seat,
    results: &ResultLog,
    outcome: &Outcome,
    explained: &str,
    desync: Option<DesyncReport>,
) -> Result<(), CliError> {
    let mut peer = seat.report();
    if mode.play.telemetry.net_graph {
        peer.take_samples(&seat.peer);
    }
    let (chat, chat_left_out) = seat.channels.as_ref().map_or((&[][..], 0), SideChannels::lines);
    let report = Report {
        agree: *outcome == Outcome::Agreed && seat.channels.as_ref().is_none_or(SideChannels::agrees),
        ended_early: is_early(outcome),
        outcome: explained.to_owned(),
        mode: mode.name,
        players: ticket.player_count,
        seed: seat.peer.facts().and_then(|facts| facts.seed).unwrap_or(mode.seed),
        link: mode.play.link.of_remote().to_string(),
        encrypted: !mode.play.keys.insecure_lan,
        frames: peer.confirmed_frames,
        frames_wanted: ticket.frame_count,
        achieved_hz: peer.achieved_hz,
        results: results.rounds().to_vec(),
        commands: results.commands().to_vec(),
        standing: results.standing(),
        peers: vec![peer],
        chat: chat.to_vec(),
        chat_left_out,
        divergence: None,
        desync,
    };
    render::print(&report, mode.play.format)
}
