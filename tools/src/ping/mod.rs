//! `snapback ping`: how far away a host is, and what a match with it will be like.

mod grade;
mod round_trips;

use crate::cli::Format;
use crate::clock::Clock;
use crate::decimal::{self, shown, whole};
use crate::error::{CliError, Code};
use crate::remote::address::sender_for;
use crate::{entropy, interrupt, out};
use clap::Args;
use grade::Grade;
use round_trips::RoundTrips;
use serde_json::json;
use snapback::transport::packet::{ConnectionKey, Cookie, Knock, PROTOCOL_VERSION, Refusal, RefusalReason};
use snapback::transport::udp::{SendOutcome, UdpEndpoint};
use snapback::transport::{Ticket, TicketSecurity};
use std::collections::VecDeque;
use std::net::{SocketAddr, ToSocketAddrs};

/// The size of a Knock.
const KNOCK_BYTES: usize = 96;

/// Between two looks at the socket: what an answer may seem late.
const LOOK_US: u64 = 100;

/// `snapback ping`.
#[derive(Args, Clone, Debug)]
pub(crate) struct PingOptions {
    /// The host's address and port, or its ticket
    #[arg(value_name = "HOST:PORT|TICKET")]
    host: String,

    /// How often to knock; 0 knocks until Ctrl-C
    #[arg(long, value_name = "N", default_value_t = 25, allow_negative_numbers = true, value_parser = whole::<u32>(0..=1_000_000))]
    count: u32,

    /// How long between two knocks, in milliseconds; 1 at least
    #[arg(long, value_name = "MS", default_value = "100", allow_negative_numbers = true, value_parser = interval)]
    interval: u64,

    /// How long to wait for each answer, in seconds
    #[arg(long, value_name = "S", default_value = "1", allow_negative_numbers = true, value_parser = patience)]
    wait: u64,

    /// How the report on stdout looks
    #[arg(long, value_enum, default_value_t = Format::Human, hide_possible_values = false)]
    pub(crate) format: Format,
}

pub(crate) const HELP: &str = "\
Examples:
  snapback ping 192.168.1.20:7000
  snapback ping TICKET --count 100 --interval 16.667   as many as a match sends, for a more exact figure

The grade at the end is that of a match with the usual settings:
  Good        the round trip is at most 100 ms and less than 4 % is lost
  Borderline  the round trip is at most 150 ms and less than 8 % is lost
  Poor        anything worse

What is lost is lost on one of the two ways; which one cannot be told.

Exit codes:
  0    the host answered
  2    the address or the ticket is wrong
  4    nobody answered, or the network does not let anything out
  130  ended with Ctrl-C
  143  ended with SIGTERM";

fn interval(text: &str) -> Result<u64, String> {
    decimal::milliseconds(text).and_then(|us| if us < 1_000 { Err("write 1 or more".to_owned()) } else { Ok(us) })
}

fn patience(text: &str) -> Result<u64, String> {
    decimal::seconds(text).and_then(|us| if us == 0 { Err("write 0.001 or more".to_owned()) } else { Ok(us) })
}

pub(crate) fn run(options: &PingOptions) -> Result<Code, CliError> {
    let (host, security) = host_of(&options.host)?;
    let socket = UdpEndpoint::bind(sender_for(host, None)?).map_err(CliError::environment)?;
    interrupt::listen()?;
    let mut ping = Ping {
        options,
        host,
        socket,
        clock: Clock::start(),
        waiting: VecDeque::new(),
        trips: RoundTrips::default(),
        answerer: None,
        send_error: None,
    };
    if options.format == Format::Human {
        let count = if options.count == 0 { "knocks".to_owned() } else { format!("{} knocks", options.count) };
        out::say(format_args!("{host}: {count} of {KNOCK_BYTES} bytes, {} ms apart", shown(options.interval, 3)))?;
    }
    ping.knock_all()?;
    ping.report(security)
}

/// Where the host is, and what the ticket says of its encryption, if it is one.
fn host_of(text: &str) -> Result<(SocketAddr, Option<TicketSecurity>), CliError> {
    if text.contains(',') || text.starts_with("snapback") {
        let ticket: Ticket = text.parse().map_err(CliError::usage)?;
        return Ok((ticket.address, Some(ticket.security)));
    }
    let write = "write an address and a port such as 192.168.1.20:7000 or [2001:db8::20]:7000, or give a ticket";
    if text.rsplit_once(':').is_none_or(|(_, port)| port.parse::<u16>().is_err()) {
        return Err(CliError::usage(format_args!("{text:?} has no port: {write}")));
    }
    let mut addresses =
        text.to_socket_addrs().map_err(|error| CliError::environment(format_args!("nobody knows where {text} is: {error}")))?;
    let address = addresses.next().ok_or_else(|| CliError::environment(format_args!("nobody knows where {text} is")))?;
    let is_somewhere = address.port() != 0 && !address.ip().is_unspecified() && !address.ip().is_multicast();
    if is_somewhere { Ok((address, None)) } else { Err(CliError::usage(format_args!("nobody can be at {address}: {write}"))) }
}

/// A knock that waits for its answer.
struct Waiting {
    number: u64,
    nonce: u64,
    sent_us: u64,
}

/// What an answer says of the host.
#[derive(Clone, Copy)]
struct Answerer {
    version: u16,
    is_encrypted: bool,
}

struct Ping<'a> {
    options: &'a PingOptions,
    host: SocketAddr,
    socket: UdpEndpoint,
    clock: Clock,
    waiting: VecDeque<Waiting>,
    trips: RoundTrips,
    answerer: Option<Answerer>,
    send_error: Option<String>,
}

impl Ping<'_> {
    fn knock_all(&mut self) -> Result<(), CliError> {
        let mut next_us = self.clock.now_us();
        loop {
            let now_us = self.clock.now_us();
            let is_last_out = self.options.count > 0 && self.trips.sent() >= u64::from(self.options.count);
            if !is_last_out && now_us >= next_us {
                self.knock()?;
                next_us = (next_us + self.options.interval).max(now_us.saturating_sub(self.options.interval));
            }
            self.listen()?;
            self.give_up()?;
            if interrupt::asked().is_some() || (is_last_out && self.waiting.is_empty()) {
                return Ok(());
            }
            Clock::wait_us(LOOK_US);
        }
    }

    fn knock(&mut self) -> Result<(), CliError> {
        let nonce = entropy::random()?;
        let mut datagram = [0; KNOCK_BYTES];
        let len = Knock { version: PROTOCOL_VERSION, nonce }.write(&mut datagram);
        let number = self.trips.send();
        self.waiting.push_back(Waiting { number, nonce, sent_us: self.clock.now_us() });
        match self.socket.send(self.host, datagram.get(..len).unwrap_or_default()) {
            Ok(SendOutcome::Unreachable) => self.send_error = Some("this machine has no way there; check its network".to_owned()),
            Ok(_) => {}
            Err(error) => self.send_error = Some(error.to_string()),
        }
        Ok(())
    }

    /// Takes every answer that has come. What comes from elsewhere, or answers no knock of ours that still waits, is a
    /// stray.
    fn listen(&mut self) -> Result<(), CliError> {
        let mut buffer = [0; 2_048];
        self.socket.begin_poll();
        while let Some((from, len)) = self.socket.receive(&mut buffer) {
            let now_us = self.clock.now_us();
            // The address alone: what a system adds to one of IPv6 (flow, scope) need not be what was asked for.
            let is_host = (from.ip(), from.port()) == (self.host.ip(), self.host.port());
            let answer = buffer.get(..len).and_then(answer).filter(|_| is_host);
            let Some((nonce, answerer)) = answer else { continue };
            let Some(at) = self.waiting.iter().position(|waiting| waiting.nonce == nonce) else { continue };
            let Some(Waiting { number, sent_us, .. }) = self.waiting.remove(at) else { continue };
            let round_trip_us = now_us.saturating_sub(sent_us);
            self.trips.answer(round_trip_us);
            self.answerer = Some(answerer);
            self.tell(format_args!("{number:>4}  {} ms", shown(round_trip_us, 3)))?;
        }
        Ok(())
    }

    fn give_up(&mut self) -> Result<(), CliError> {
        let now_us = self.clock.now_us();
        while let Some(Waiting { number, .. }) =
            self.waiting.pop_front_if(|first| now_us.saturating_sub(first.sent_us) >= self.options.wait)
        {
            self.tell(format_args!("{number:>4}  no answer within {} s", shown(self.options.wait, 6)))?;
        }
        Ok(())
    }

    fn tell(&self, line: impl core::fmt::Display) -> Result<(), CliError> {
        if self.options.format == Format::Human { out::say(line) } else { Ok(()) }
    }

    fn report(&self, security: Option<TicketSecurity>) -> Result<Code, CliError> {
        let code = interrupt::asked().unwrap_or(Code::Agreed);
        // What was still under way when Ctrl-C came counts for nothing.
        let trips = self.trips.without(self.waiting.len() as u64);
        let (Some(answerer), Some(summary)) = (self.answerer, trips.summary()) else { return self.unanswered(trips.sent()) };
        let grade = Grade::of(summary.mean_us, summary.lost_millionths);
        let Answerer { version, is_encrypted } = answerer;
        match self.options.format {
            Format::Json => {
                let round_trip =
                    json!({ "min": summary.min_us, "mean": summary.mean_us, "max": summary.max_us, "jitter": summary.jitter_us });
                let report = json!({
                    "host": self.host.to_string(),
                    "protocol_version": version,
                    "same_version": version == PROTOCOL_VERSION,
                    "encrypted": is_encrypted,
                    "sent": trips.sent(),
                    "answered": trips.answered(),
                    "lost": trips.lost(),
                    "lost_millionths": summary.lost_millionths,
                    "round_trip_us": round_trip,
                    "grade": grade.name(),
                });
                out::say(format_args!("{report:#}"))?;
            }
            Format::Human => {
                let percent = shown(summary.lost_millionths / 1_000, 1);
                out::say(format_args!("{} sent, {} answered, {} lost ({percent} %)", trips.sent(), trips.answered(), trips.lost()))?;
                let [min, mean, max, jitter] = [summary.min_us, summary.mean_us, summary.max_us, summary.jitter_us].map(|us| shown(us, 3));
                out::say(format_args!("round trip: {min} ms at least, {mean} ms mean, {max} ms at most, jitter {jitter} ms"))?;
                let encryption = if is_encrypted { "encrypted" } else { "without encryption" };
                out::say(format_args!("host: protocol version {version}, {encryption}"))?;
                out::say(grade)?;
            }
        }
        if version != PROTOCOL_VERSION {
            out::note(format_args!("this program speaks protocol version {PROTOCOL_VERSION}: use the same version on both sides"));
        }
        match security {
            Some(TicketSecurity::Encrypted { .. }) if !is_encrypted => {
                out::note("the ticket is for an encrypted match, and whoever answers plays without encryption: ask for a new ticket");
            }
            Some(TicketSecurity::InsecureLan) if is_encrypted => {
                out::note("the ticket is for a match without encryption, and whoever answers plays with it: ask for a new ticket");
            }
            _ => {}
        }
        Ok(code)
    }

    fn unanswered(&self, sent: u64) -> Result<Code, CliError> {
        let host = self.host;
        if let Some(code) = interrupt::asked() {
            return Err(CliError::new(code, format_args!("no answer from {host} so far")));
        }
        Err(match &self.send_error {
            Some(error) => CliError::environment(format_args!("nothing can be sent to {host}: {error}")),
            None => CliError::environment(format_args!(
                "no answer from {host} to {sent} knocks: check the address and the port, that the host is still running, and that both \
                 firewalls let UDP through"
            )),
        })
    }
}

/// The nonce that an answer repeats, and what it says of the host.
fn answer(datagram: &[u8]) -> Option<(u64, Answerer)> {
    if let Ok(cookie) = Cookie::read(datagram) {
        return Some((cookie.nonce, Answerer { version: cookie.version, is_encrypted: true }));
    }
    let refusal = Refusal::read(datagram, ConnectionKey::GREETING).ok()?;
    let version = match refusal.reason {
        RefusalReason::Version(version) => version,
        _ => PROTOCOL_VERSION,
    };
    Some((refusal.nonce, Answerer { version, is_encrypted: false }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_an_address_a_name_or_a_ticket() {
        let address = |text: &str| host_of(text).map(|(address, _)| address.to_string()).map_err(|error| error.to_string());
        assert_eq!(address("127.0.0.1:7000").as_deref(), Ok("127.0.0.1:7000"));
        assert_eq!(address("[::1]:7000").as_deref(), Ok("[::1]:7000"));
        let ticket = Ticket {
            address: "10.1.2.3:7000".parse().unwrap(),
            channels: None,
            match_id: 7,
            player_count: 2,
            simulation_hz: 60,
            frame_count: None,
            security: TicketSecurity::InsecureLan,
        };
        assert_eq!(address(&ticket.to_string()).as_deref(), Ok("10.1.2.3:7000"));
        for (text, start) in [
            ("127.0.0.1", "\"127.0.0.1\" has no port: write an address"),
            ("here", "\"here\" has no port"),
            ("127.0.0.1:70000", "\"127.0.0.1:70000\" has no port"),
            ("127.0.0.1:0", "nobody can be at 127.0.0.1:0"),
            ("0.0.0.0:7000", "nobody can be at 0.0.0.0:7000"),
            ("224.0.0.1:7000", "nobody can be at 224.0.0.1:7000"),
            ("snapback2,addr=x", "this ticket"),
        ] {
            assert!(address(text).unwrap_err().starts_with(start), "{text}: {:?}", address(text));
        }
    }

    #[test]
    fn an_answer_says_its_nonce_its_version_and_its_encryption() {
        let mut out = [0; 128];
        let read = |bytes: &[u8]| answer(bytes).map(|(nonce, it)| (nonce, it.version, it.is_encrypted));
        let len = Cookie { version: 9, nonce: 5, cookie: [1; 16] }.write(&mut out);
        assert_eq!(read(&out[..len]), Some((5, 9, true)));
        let refusal = Refusal { match_id: 0, nonce: 6, reason: RefusalReason::NotEncrypted };
        let len = refusal.write(ConnectionKey::GREETING, &mut out);
        assert_eq!(read(&out[..len]), Some((6, PROTOCOL_VERSION, false)));
        out[len - 1] ^= 1;
        assert_eq!(read(&out[..len]), None);
    }
}
