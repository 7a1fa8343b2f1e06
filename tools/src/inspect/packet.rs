//! `snapback inspect packet`: from hex digits or a capture to what is shown.

use super::capture::{self, CaptureError, Frame};
use super::hex;
use super::options::PacketOptions;
use super::show::{self, Seen};
use super::wire::{self, Other};
use crate::cli::Format;
use crate::error::{CliError, Code};
use crate::out;
use snapback::transport::ConnectionKey;
use snapback::transport::explain::{Context, explain};
use snapback::transport::packet::Welcome;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, stdin};
use std::net::SocketAddr;
use std::path::Path;

/// Connections of a capture that are remembered; what comes later is explained without.
const MAX_CONNECTIONS: usize = 1_024;

pub(super) fn run(options: &PacketOptions) -> Result<Code, CliError> {
    if let [name] = &options.subject[..] {
        if name == "-" {
            return of_capture(stdin(), "stdin", options);
        }
        let path = Path::new(name);
        if path.exists() {
            let cannot = |error| CliError::environment(format_args!("cannot read the capture {name}: {error}; check the path"));
            if path.is_dir() {
                return Err(CliError::usage(format_args!("{name} is a folder: name a capture in it")));
            }
            return of_capture(File::open(path).map_err(cannot)?, name, options);
        }
    }
    let bytes = hex::bytes(&options.subject)?;
    let explained = explain(&bytes, &context(options));
    match options.format {
        Format::Human => out::say(show::full(&bytes, &explained))?,
        Format::Json => out::say(show::json(&bytes, &explained, None))?,
    }
    Ok(Code::Agreed)
}

fn context(options: &PacketOptions) -> Context {
    Context { is_decrypted: options.decrypted, key: None, input_bytes: options.input_bytes.into(), player_count: options.players.into() }
}

fn of_capture(source: impl Read + Send, name: &str, options: &PacketOptions) -> Result<Code, CliError> {
    let mut reader =
        CaptureReader { options, connections: Connections::default(), seen: 0, shown: 0, first_ns: None, other: OtherCounts::default() };
    let read = capture::frames(source, |frame| reader.frame(frame));
    let failure = match read {
        Ok(done) => done.map(|()| None)?,
        Err(error) => Some(error),
    };
    if failure == Some(CaptureError::NotACapture) {
        return Err(CliError::usage(format_args!("{name} is no capture: give a pcap or pcapng file, such as `tcpdump -w FILE` writes")));
    }
    if let (None, Some(number)) = (&failure, options.packet)
        && reader.shown == 0
    {
        return Err(CliError::usage(format_args!("{name} has {} datagrams: there is no number {number}", reader.seen)));
    }
    if options.packet.is_none() {
        reader.tell_rest();
    }
    let told = |what: &str| format!("{name}: {what}; the {} datagrams before it are shown", reader.shown);
    match failure {
        None => Ok(Code::Agreed),
        Some(CaptureError::Unreadable) => Err(CliError::environment(told("the system cannot read on"))),
        Some(CaptureError::Cut) => Err(CliError::new(Code::Corrupt, told("the capture ends in the middle of a block"))),
        Some(_) => Err(CliError::new(Code::Corrupt, told("a block of the capture is damaged"))),
    }
}

/// Goes through a capture.
struct CaptureReader<'a> {
    options: &'a PacketOptions,
    connections: Connections,
    /// Datagrams that fit the filter, so far.
    seen: u64,
    shown: u64,
    first_ns: Option<u64>,
    other: OtherCounts,
}

/// Frames that are not looked into.
#[derive(Default)]
struct OtherCounts {
    not_udp: u64,
    fragments: u64,
    unknown_links: u64,
    link: i32,
}

impl CaptureReader<'_> {
    /// Whether to go on.
    fn frame(&mut self, frame: &Frame<'_>) -> Result<bool, CliError> {
        let datagram = match wire::datagram(frame.link, frame.bytes) {
            Ok(datagram) => datagram,
            Err(other) => {
                match other {
                    Other::NotUdp => self.other.not_udp += 1,
                    Other::Fragment => self.other.fragments += 1,
                    Other::UnknownLink(link) => {
                        self.other.unknown_links += 1;
                        self.other.link = link;
                    }
                }
                return Ok(true);
            }
        };
        self.connections.learn(datagram.from, datagram.to, datagram.payload);
        let options = self.options;
        if options.port.is_some_and(|port| port != datagram.from.port() && port != datagram.to.port()) {
            return Ok(true);
        }
        self.seen += 1;
        let first_ns = *self.first_ns.get_or_insert(frame.at_ns);
        if options.packet.is_some_and(|number| number != self.seen) {
            return Ok(true);
        }
        let context = self.connections.context(datagram.from, datagram.to, context(options));
        let explained = explain(datagram.payload, &context);
        let seen = Seen {
            number: self.seen,
            at_ns: frame.at_ns,
            after_us: i64::try_from(frame.at_ns).unwrap_or(i64::MAX).saturating_sub(i64::try_from(first_ns).unwrap_or(i64::MAX)) / 1_000,
            from: datagram.from,
            to: datagram.to,
            is_cut: datagram.is_cut,
        };
        self.shown += 1;
        match options.format {
            Format::Json => out::say(show::json(datagram.payload, &explained, Some(&seen)))?,
            Format::Human if options.full || options.packet.is_some() => {
                out::say(format_args!(
                    "{}\n{}\n",
                    show::line(datagram.payload, &explained, &seen),
                    show::full(datagram.payload, &explained)
                ))?;
            }
            Format::Human => out::say(show::line(datagram.payload, &explained, &seen))?,
        }
        Ok(options.packet.is_none())
    }

    fn tell_rest(&self) {
        let OtherCounts { not_udp, fragments, unknown_links, link } = self.other;
        let mut rest = Vec::new();
        if not_udp > 0 {
            rest.push(format!("{not_udp} frames are not UDP"));
        }
        if fragments > 0 {
            rest.push(format!("{fragments} are later fragments of a datagram"));
        }
        if unknown_links > 0 {
            rest.push(format!("{unknown_links} are of link type {link}, which is not known here"));
        }
        if !rest.is_empty() {
            out::note(format_args!("not shown: {}", rest.join(", ")));
        }
        if self.shown == 0 {
            out::note("no UDP datagram that fits is in the capture");
        }
    }
}

/// What a capture says of its plaintext connections.
#[derive(Default)]
struct Connections(BTreeMap<[SocketAddr; 2], Connection>);

/// A plaintext connection, as its Welcome set it up.
#[derive(Clone, Copy)]
struct Connection {
    key: ConnectionKey,
    input_bytes: u8,
    dialer: SocketAddr,
    dialer_players: usize,
    listener_players: usize,
}

fn pair(a: SocketAddr, b: SocketAddr) -> [SocketAddr; 2] {
    [a.min(b), a.max(b)]
}

impl Connections {
    fn learn(&mut self, from: SocketAddr, to: SocketAddr, datagram: &[u8]) {
        let Ok(welcome) = Welcome::read(datagram, ConnectionKey::GREETING) else { return };
        let place = pair(from, to);
        if self.0.len() >= MAX_CONNECTIONS && !self.0.contains_key(&place) {
            return;
        }
        let connection = Connection {
            key: ConnectionKey::new(welcome.match_id, welcome.nonce, welcome.listener_nonce),
            input_bytes: welcome.params.input_bytes,
            dialer: to,
            dialer_players: welcome.dialer_players.len(),
            listener_players: welcome.listener_players.len(),
        };
        self.0.insert(place, connection);
    }

    fn context(&self, from: SocketAddr, to: SocketAddr, given: Context) -> Context {
        let Some(known) = self.0.get(&pair(from, to)) else { return given };
        let player_count = if from == known.dialer { known.dialer_players } else { known.listener_players };
        Context { key: Some(known.key), input_bytes: known.input_bytes.into(), player_count, ..given }
    }
}
