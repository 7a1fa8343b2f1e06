//! `snapback host` and `snapback join`: a match between machines.

mod onlooker;

use crate::cli::{Format, HostOptions, JoinOptions, PlayOptions};
use crate::clock::Clock;
use crate::decimal::shown;
use crate::duel::HZ;
use crate::error::{CliError, Code};
use crate::match_loop::{MatchLoop, RecordingPlace, Seat, session_failed};
use crate::pilots::Pilots;
use crate::plant::PlantedWorld;
use crate::report::Report;
use crate::results::ResultLog;
use crate::wires::Wires;
use crate::{entropy, frame_data, interrupt, out, render};
use onlooker::{Onlooker, named};
use snapback::sim::WorldData;
use snapback::transport::Ticket;
use snapback::transport::packet::LeaveReason;
use snapback::{Frame, Outcome, Peer, PeerSettings, Role, RollbackConfig};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

const NOT_ENCRYPTED: &str = "The link is not encrypted yet: whoever is on the way can read and change it.";

/// `snapback host`.
pub(crate) fn host(options: &HostOptions) -> Result<Code, CliError> {
    let seed = options.seed.map_or_else(entropy::random_seed, Ok)?;
    let prepared = Prepared::new(&options.play, options.listen, seed, 0)?;
    let frame_count = (options.seconds > 0).then(|| u64::from(options.seconds) * u64::from(HZ));
    let ticket = Ticket {
        address: public_address(options, prepared.wires.local_addr())?,
        match_id: entropy::random()?,
        player_count: options.players,
        simulation_hz: u16::try_from(HZ).unwrap_or(u16::MAX),
        frame_count,
    };
    let last_frame = frame_count.map(|frames| Frame::new(i64::try_from(frames).unwrap_or(i64::MAX)).previous());
    let role = Role::Host { seed, first_frame: Frame::ZERO, last_frame };
    let mode = Mode { name: "host", host: ticket.address, wait_us: options.wait, seed, play: &options.play };
    out::say(ticket);
    out::note("This is the ticket: the others play with `snapback join TICKET`.");
    prepared.play(&mode, &ticket, role)
}

/// `snapback join`.
pub(crate) fn join(options: &JoinOptions) -> Result<Code, CliError> {
    let ticket: Ticket = options.ticket.parse().map_err(CliError::usage)?;
    let seed = options.seed.map_or_else(entropy::random_seed, Ok)?;
    let listen = options.listen.unwrap_or_else(|| sender_for(ticket.address));
    let prepared = Prepared::new(&options.play, listen, seed, 1)?;
    let role = Role::Join { host: ticket.address };
    let mode = Mode { name: "join", host: ticket.address, wait_us: options.wait, seed, play: &options.play };
    prepared.play(&mode, &ticket, role)
}

/// The address that goes into the ticket.
fn public_address(options: &HostOptions, bound: SocketAddr) -> Result<SocketAddr, CliError> {
    let mut address = options.advertise.unwrap_or(bound);
    if address.port() == 0 {
        address.set_port(bound.port());
    }
    if address.ip().is_unspecified() {
        let message =
            format!("{} is no address that others can send to: add --advertise with the one that they reach you at", address.ip());
        return Err(CliError::usage(message));
    }
    Ok(address)
}

/// Where a joiner sends from, unless told otherwise.
fn sender_for(host: SocketAddr) -> SocketAddr {
    let ip = match host.ip() {
        IpAddr::V4(ip) if ip.is_loopback() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V4(_) => IpAddr::V4(Ipv4Addr::UNSPECIFIED),
        IpAddr::V6(ip) if ip.is_loopback() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        IpAddr::V6(_) => IpAddr::V6(Ipv6Addr::UNSPECIFIED),
    };
    SocketAddr::new(ip, 0)
}

/// What the two commands do differently.
struct Mode<'a> {
    name: &'static str,
    host: SocketAddr,
    wait_us: u64,
    seed: u64,
    play: &'a PlayOptions,
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
    fn new(play: &PlayOptions, listen: SocketAddr, seed: u64, place: usize) -> Result<Self, CliError> {
        let data = frame_data::load(play.frame_data.as_deref())?;
        let pilots = play.inputs.load()?;
        let wires = Wires::bind(listen, &play.link.of_remote(), seed, place)?;
        interrupt::listen()?;
        Ok(Self { data, pilots, wires })
    }

    fn play(self, mode: &Mode<'_>, ticket: &Ticket, role: Role) -> Result<Code, CliError> {
        let Self { data, pilots, wires } = self;
        out::note(NOT_ENCRYPTED);
        let clock = Clock::start();
        let new_peer = |now_us| {
            let settings = PeerSettings {
                role,
                match_id: ticket.match_id,
                nonce: entropy::random()?,
                player_count: ticket.player_count,
                local_player_count: 1,
                config: RollbackConfig { simulation_hz: ticket.simulation_hz.into(), ..RollbackConfig::default() },
                input_delay_frames: mode.play.delay,
            };
            Peer::new(PlantedWorld::new(&data, None), settings, now_us).map_err(|error| session_failed(&error))
        };
        let peer = new_peer(clock.now_us())?;
        let mut played = MatchLoop::new(clock, wires, peer, pilots, RecordingPlace::First, mode.seed);
        let mut watcher = Onlooker::new(mode, ticket);
        let outcome = loop {
            match played.run(&mut watcher) {
                // The peer gives up before we do.
                Ok(Outcome::Lost { players }) if players.is_empty() && watcher.may_wait(played.clock.now_us()) => {
                    let peer = new_peer(played.clock.now_us())?;
                    played.replace_peer(peer);
                }
                Ok(Outcome::Lost { players }) if players.is_empty() => return Err(no_answer(mode, &played.wires)),
                Err(_) if watcher.gave_up => return Err(no_answer(mode, &played.wires)),
                outcome => break outcome?,
            }
        };
        watcher.progress.leave();
        let is_played = played.seat.peer.confirmed_state().frame >= Frame::ZERO;
        if is_played {
            print(mode, ticket, &played.seat, &watcher.results, &outcome)?;
        }
        let code = match outcome {
            Outcome::Agreed => return Ok(Code::Agreed),
            Outcome::Disagreed { .. } => Code::Disagreed,
            Outcome::Quit if interrupt::is_asked() => Code::Interrupted,
            _ => Code::Environment,
        };
        Err(CliError::new(code, explained(&outcome)))
    }
}

fn no_answer(mode: &Mode<'_>, wires: &Wires) -> CliError {
    let Mode { host, wait_us, .. } = mode;
    let seconds = shown(*wait_us, 6);
    match wires.send_error() {
        Some(error) => CliError::environment(format_args!("nothing can be sent to {host}: {error}")),
        None => CliError::environment(format_args!(
            "no answer from {host} within {seconds} s: check that the host is still running and that UDP gets through; --wait S waits longer"
        )),
    }
}

/// How it ended, and what to do now.
fn explained(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Lost { players } => format!("{} is gone: nothing was heard for too long; start another match", named(*players)),
        Outcome::Abandoned { players, reason: LeaveReason::Quit } => {
            format!("{} left before the end; start another match", named(*players))
        }
        outcome => outcome.to_string(),
    }
}

fn print(mode: &Mode<'_>, ticket: &Ticket, seat: &Seat, results: &ResultLog, outcome: &Outcome) -> Result<(), CliError> {
    let peer = seat.report();
    let report = Report {
        agree: *outcome == Outcome::Agreed,
        outcome: outcome.to_string(),
        mode: mode.name,
        players: ticket.player_count,
        seed: seat.peer.facts().map_or(mode.seed, |facts| facts.seed),
        link: mode.play.link.of_remote().to_string(),
        encrypted: false,
        frames: peer.confirmed_frames,
        frames_wanted: ticket.frame_count,
        achieved_hz: peer.achieved_hz,
        results: results.rounds().to_vec(),
        peers: vec![peer],
        divergence: None,
    };
    match mode.play.format {
        Format::Human => out::say(render::human(&report)),
        Format::Json => out::say(render::json(&report)?),
    }
    Ok(())
}
