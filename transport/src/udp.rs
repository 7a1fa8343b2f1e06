//! [`UdpEndpoint`]: the only file that touches a socket.

pub use crate::transport::SendOutcome;
use crate::transport::Transport;
use core::fmt;
use std::io::{self, ErrorKind};
use std::net::{SocketAddr, UdpSocket};

/// Datagrams taken from the socket in one poll, unless set otherwise: far above what peers send in
/// a tick, and little enough that a flood cannot stall one.
pub const DEFAULT_POLL_CAP: u32 = 256;

/// Attempts at one send that a signal or a stale ICMP error interrupts.
const SEND_ATTEMPTS: u32 = 8;

/// More than any datagram holds, so that none is cut short without notice.
const SCRATCH_BYTES: usize = 65_536;

/// The send queue of the interface is full. The standard library has no name for it.
const NO_BUFFER_SPACE: i32 = if cfg!(windows) {
    10_055
} else if cfg!(any(target_os = "linux", target_os = "android")) {
    105
} else {
    55
};

/// What went through a [`UdpEndpoint`], and what did not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct UdpCounters {
    /// Datagrams handed to the system.
    pub packets_sent: u64,
    /// Bytes of them, without headers.
    pub bytes_sent: u64,
    /// Datagrams handed to the caller.
    pub packets_received: u64,
    /// Bytes of them, without headers.
    pub bytes_received: u64,
    /// Datagrams not sent because the system had no room.
    pub send_dropped: u64,
    /// Datagrams not sent because there was no route.
    pub send_unreachable: u64,
    /// Datagrams not sent for another reason, each of which was returned as an error.
    pub send_errors: u64,
    /// Datagrams that did not fit the caller's buffer.
    pub oversize_dropped: u64,
    /// ICMP errors about an earlier datagram, met while sending or receiving.
    pub icmp_errors: u64,
    /// Other errors met while receiving.
    pub receive_errors: u64,
    /// Polls that used up their budget: more may have been waiting.
    pub polls_capped: u64,
}

/// A UDP socket that never blocks.
///
/// Call order, each tick: [`begin_poll`](Self::begin_poll), then [`receive`](Self::receive) until
/// it returns `None`, then any number of [`send`](Self::send).
///
/// ```
/// use snapback_transport::udp::UdpEndpoint;
/// let mut host = UdpEndpoint::bind("127.0.0.1:0".parse()?)?;
/// let mut guest = UdpEndpoint::bind("127.0.0.1:0".parse()?)?;
/// guest.send(host.local_addr(), b"hello")?;
/// let mut buffer = [0; 1_200];
/// host.begin_poll();
/// while let Some((from, length)) = host.receive(&mut buffer) {
///     assert_eq!((from, &buffer[..length]), (guest.local_addr(), b"hello".as_slice()));
/// }
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct UdpEndpoint {
    socket: UdpSocket,
    local: SocketAddr,
    scratch: Vec<u8>,
    poll_cap: u32,
    budget: u32,
    counters: UdpCounters,
}

impl UdpEndpoint {
    /// Binds `address`. Port 0 lets the system choose: see [`local_addr`](Self::local_addr).
    ///
    /// # Errors
    /// The address is in use, not permitted, not of this machine, or the system refuses otherwise.
    pub fn bind(address: SocketAddr) -> Result<Self, UdpError> {
        let fail = |source| UdpError::bind(address, source);
        let socket = UdpSocket::bind(address).map_err(fail)?;
        socket.set_nonblocking(true).map_err(fail)?;
        let local = socket.local_addr().map_err(fail)?;
        Ok(Self {
            socket,
            local,
            scratch: vec![0; SCRATCH_BYTES],
            poll_cap: DEFAULT_POLL_CAP,
            budget: DEFAULT_POLL_CAP,
            counters: UdpCounters::default(),
        })
    }

    /// Takes at most `datagrams` from the socket in one poll; 0 counts as 1.
    #[must_use]
    pub fn with_poll_cap(mut self, datagrams: u32) -> Self {
        self.poll_cap = datagrams.max(1);
        self.budget = self.poll_cap;
        self
    }

    /// The address the socket is bound to.
    #[must_use]
    pub const fn local_addr(&self) -> SocketAddr {
        self.local
    }

    /// What went through so far.
    #[must_use]
    pub const fn counters(&self) -> UdpCounters {
        self.counters
    }

    /// Sends a datagram, now or not at all.
    ///
    /// # Errors
    /// What sending again would not mend: `bytes` are too many for a datagram, `to` is of another
    /// address family, a firewall forbids it.
    pub fn send(&mut self, to: SocketAddr, bytes: &[u8]) -> Result<SendOutcome, UdpError> {
        let Self { socket, counters, .. } = self;
        send_with(|| socket.send_to(bytes, to), counters, to, bytes.len())
    }

    /// Starts a poll: [`receive`](Self::receive) may again take as many as the cap allows.
    pub const fn begin_poll(&mut self) {
        self.budget = self.poll_cap;
    }

    /// The next waiting datagram: its sender, and its length in `buffer`. `None` when nothing waits
    /// or this poll has taken its share.
    ///
    /// Errors and datagrams larger than `buffer` are counted, use up the budget as a datagram does,
    /// and never keep the good ones behind them waiting.
    pub fn receive(&mut self, buffer: &mut [u8]) -> Option<(SocketAddr, usize)> {
        let Self { socket, scratch, budget, counters, .. } = self;
        receive_with(|scratch| socket.recv_from(scratch), scratch, budget, counters, buffer)
    }
}

impl Transport for UdpEndpoint {
    type Error = UdpError;

    fn begin_poll(&mut self) {
        Self::begin_poll(self);
    }

    fn receive(&mut self, buffer: &mut [u8]) -> Option<(SocketAddr, usize)> {
        Self::receive(self, buffer)
    }

    fn send(&mut self, to: SocketAddr, datagram: &[u8]) -> Result<SendOutcome, UdpError> {
        Self::send(self, to, datagram)
    }
}

fn receive_with(
    mut receive: impl FnMut(&mut [u8]) -> io::Result<(usize, SocketAddr)>,
    scratch: &mut [u8],
    budget: &mut u32,
    counters: &mut UdpCounters,
    buffer: &mut [u8],
) -> Option<(SocketAddr, usize)> {
    while *budget > 0 {
        let received = receive(scratch);
        if !matches!(&received, Err(error) if fault(error) == Fault::NoRoom) {
            *budget -= 1;
            counters.polls_capped += u64::from(*budget == 0);
        }
        let error = match received {
            Ok((length, from)) => {
                let Some((target, datagram)) = buffer.get_mut(..length).zip(scratch.get(..length)) else {
                    counters.oversize_dropped += 1;
                    continue;
                };
                target.copy_from_slice(datagram);
                counters.packets_received += 1;
                counters.bytes_received += length as u64;
                return Some((from, length));
            }
            Err(error) => error,
        };
        match fault(&error) {
            Fault::NoRoom => return None,
            Fault::Interrupted => {}
            Fault::Icmp | Fault::NoRoute => counters.icmp_errors += 1,
            Fault::Other => counters.receive_errors += 1,
        }
    }
    None
}

fn send_with(
    mut send: impl FnMut() -> io::Result<usize>,
    counters: &mut UdpCounters,
    to: SocketAddr,
    bytes: usize,
) -> Result<SendOutcome, UdpError> {
    for _ in 0..SEND_ATTEMPTS {
        let error = match send() {
            Ok(_) => {
                counters.packets_sent += 1;
                counters.bytes_sent += bytes as u64;
                return Ok(SendOutcome::Sent);
            }
            Err(error) => error,
        };
        match fault(&error) {
            Fault::Interrupted => {}
            // It tells of an earlier datagram; this one has not been tried yet.
            Fault::Icmp => counters.icmp_errors += 1,
            Fault::NoRoom => break,
            Fault::NoRoute => {
                counters.send_unreachable += 1;
                return Ok(SendOutcome::Unreachable);
            }
            Fault::Other => {
                counters.send_errors += 1;
                return Err(UdpError::Send { to, bytes, source: error });
            }
        }
    }
    counters.send_dropped += 1;
    Ok(SendOutcome::Dropped)
}

/// What an error of the socket means here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    Interrupted,
    Icmp,
    NoRoom,
    NoRoute,
    Other,
}

fn fault(error: &io::Error) -> Fault {
    match error.kind() {
        ErrorKind::Interrupted => Fault::Interrupted,
        ErrorKind::WouldBlock => Fault::NoRoom,
        ErrorKind::ConnectionReset | ErrorKind::ConnectionRefused => Fault::Icmp,
        ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable | ErrorKind::NetworkDown => Fault::NoRoute,
        _ if error.raw_os_error() == Some(NO_BUFFER_SPACE) => Fault::NoRoom,
        _ => Fault::Other,
    }
}

/// Why a socket could not be bound or a datagram could not be sent.
#[derive(Debug)]
#[non_exhaustive]
pub enum UdpError {
    /// Another socket has the address.
    AddressInUse {
        /// The address that was asked for.
        address: SocketAddr,
    },
    /// The system does not let this process bind the address.
    PermissionDenied {
        /// The address that was asked for.
        address: SocketAddr,
    },
    /// The address is not one of this machine.
    NotLocal {
        /// The address that was asked for.
        address: SocketAddr,
    },
    /// The socket could not be set up for another reason.
    Bind {
        /// The address that was asked for.
        address: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
    /// A datagram could not be sent.
    Send {
        /// Where to.
        to: SocketAddr,
        /// Its length.
        bytes: usize,
        /// What the system said.
        source: io::Error,
    },
}

impl UdpError {
    fn bind(address: SocketAddr, source: io::Error) -> Self {
        match source.kind() {
            ErrorKind::AddrInUse => Self::AddressInUse { address },
            ErrorKind::PermissionDenied => Self::PermissionDenied { address },
            ErrorKind::AddrNotAvailable => Self::NotLocal { address },
            _ => Self::Bind { address, source },
        }
    }
}

impl fmt::Display for UdpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AddressInUse { address } => {
                let (port, ip) = (address.port(), address.ip());
                write!(f, "port {port} on {ip} is in use: choose another, or 0 for any free one")
            }
            Self::PermissionDenied { address } => write!(
                f,
                "not permitted to listen on {address}: choose a port from 1024 up, or allow this \
                 one for the program"
            ),
            Self::NotLocal { address } => {
                write!(f, "{} is no address of this machine: choose one that is, or 0.0.0.0 for all", address.ip())
            }
            Self::Bind { address, source } => write!(f, "cannot listen on {address}: {source}"),
            Self::Send { to, bytes, source } => {
                write!(f, "cannot send {bytes} bytes to {to}: {source}")
            }
        }
    }
}

impl core::error::Error for UdpError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Bind { source, .. } | Self::Send { source, .. } => Some(source),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    // Loopback sockets on ports that the system chooses.
    use super::*;

    fn endpoint() -> UdpEndpoint {
        UdpEndpoint::bind("127.0.0.1:0".parse().unwrap()).unwrap()
    }

    /// Polls until `count` datagrams came in; loopback is not instant on every system.
    fn collect(to: &mut UdpEndpoint, count: usize) -> Vec<(SocketAddr, Vec<u8>)> {
        let mut buffer = [0; 1_200];
        let mut received = Vec::new();
        for _ in 0..1_000_000 {
            to.begin_poll();
            while let Some((from, length)) = to.receive(&mut buffer) {
                received.push((from, buffer[..length].to_vec()));
            }
            if received.len() >= count {
                break;
            }
            std::thread::yield_now();
        }
        received
    }

    #[test]
    fn datagrams_arrive_as_they_were_sent() {
        let (mut from, mut to) = (endpoint(), endpoint());
        let mut bytes_sent = 0;
        for length in [0, 1, 40, 1_199, 1_200] {
            let datagram: Vec<u8> = (0..length).map(|byte| byte as u8).collect();
            assert_eq!(from.send(to.local_addr(), &datagram).unwrap(), SendOutcome::Sent);
            assert_eq!(collect(&mut to, 1), [(from.local_addr(), datagram)]);
            bytes_sent += length as u64;
        }
        let (sent, received) = (from.counters(), to.counters());
        assert_eq!((sent.packets_sent, sent.bytes_sent), (5, bytes_sent));
        assert_eq!((received.packets_received, received.bytes_received), (5, bytes_sent));
        assert_eq!((sent.packets_received, received.packets_sent), (0, 0));
    }

    #[test]
    fn a_poll_takes_no_more_than_its_cap() {
        let (mut from, mut to) = (endpoint(), endpoint().with_poll_cap(16));
        for number in 0..40u8 {
            from.send(to.local_addr(), &[number]).unwrap();
        }
        let mut buffer = [0; 8];
        let mut seen = Vec::new();
        let mut largest = 0;
        for _ in 0..1_000_000 {
            to.begin_poll();
            let before = seen.len();
            while to.receive(&mut buffer).is_some() {
                seen.push(buffer[0]);
            }
            assert_eq!(to.receive(&mut buffer), None);
            largest = largest.max(seen.len() - before);
            if seen.len() == 40 {
                break;
            }
        }
        assert_eq!(seen, (0..40).collect::<Vec<u8>>());
        assert!(largest <= 16, "{largest} in one poll");
        assert_eq!(endpoint().with_poll_cap(0).poll_cap, 1);
    }

    #[test]
    fn oversize_datagrams_are_dropped_and_do_not_end_the_drain() {
        let (mut from, mut to) = (endpoint(), endpoint());
        for length in [1_201, 9_000, 10] {
            assert_eq!(from.send(to.local_addr(), &vec![7; length]).unwrap(), SendOutcome::Sent);
        }
        // Linux has delivered on loopback by now: one poll must do.
        if cfg!(target_os = "linux") {
            assert_eq!(to.receive(&mut [0; 1_200]), Some((from.local_addr(), 10)));
        } else {
            assert_eq!(collect(&mut to, 1), [(from.local_addr(), vec![7; 10])]);
        }
        assert_eq!(to.counters().oversize_dropped, 2);
        assert_eq!(to.counters().bytes_received, 10);
    }

    #[test]
    fn a_peer_that_went_away_is_no_error() {
        let (mut from, mut third) = (endpoint(), endpoint());
        let gone = endpoint().local_addr();
        for _ in 0..20 {
            from.send(gone, b"anyone there?").unwrap();
        }
        third.send(from.local_addr(), b"here").unwrap();
        assert_eq!(collect(&mut from, 1), [(third.local_addr(), b"here".to_vec())]);
    }

    #[test]
    fn what_no_retry_mends_is_an_error_that_names_its_values() {
        let mut from = endpoint();
        let to = from.local_addr();
        let error = from.send(to, &vec![0; 70_000]).unwrap_err();
        let text = error.to_string();
        assert!(text.starts_with(&format!("cannot send 70000 bytes to {to}: ")), "{text}");
        assert_eq!(from.counters().send_errors, 1);
        assert_eq!(from.counters().packets_sent, 0);
    }

    #[test]
    fn an_address_in_use_says_what_to_do() {
        let first = endpoint();
        let error = UdpEndpoint::bind(first.local_addr()).unwrap_err();
        let port = first.local_addr().port();
        assert_eq!(error.to_string(), format!("port {port} on 127.0.0.1 is in use: choose another, or 0 for any free one"));
    }

    #[test]
    fn every_refusal_to_bind_is_one_line() {
        let address: SocketAddr = "192.0.2.1:80".parse().unwrap();
        let kinds = [ErrorKind::AddrInUse, ErrorKind::PermissionDenied, ErrorKind::AddrNotAvailable, ErrorKind::OutOfMemory];
        for kind in kinds {
            let text = UdpError::bind(address, io::Error::from(kind)).to_string();
            assert!(text.contains("192.0.2.1") && !text.contains('\n') && !text.contains("  "), "{text}");
        }
        let elsewhere = UdpEndpoint::bind(address).unwrap_err();
        assert!(matches!(elsewhere, UdpError::NotLocal { .. }), "{elsewhere}");
    }

    /// What a signal, a peer that went away and a full queue do, which loopback does not do on demand.
    #[test]
    fn errors_between_good_datagrams_do_not_end_the_drain() {
        let from: SocketAddr = "192.0.2.1:80".parse().unwrap();
        let good = |byte: u8| Ok((1, byte));
        let bad = |kind: ErrorKind| Err(io::Error::from(kind));
        let mut script = std::collections::VecDeque::from([
            good(1),
            bad(ErrorKind::ConnectionReset),
            bad(ErrorKind::Interrupted),
            good(2),
            bad(ErrorKind::ConnectionRefused),
            bad(ErrorKind::HostUnreachable),
            bad(ErrorKind::OutOfMemory),
            good(3),
            bad(ErrorKind::WouldBlock),
            good(4),
        ]);
        let (mut scratch, mut buffer) = ([0; 8], [0; 8]);
        let mut counters = UdpCounters::default();
        let mut poll = |mut budget: u32| {
            let mut seen = Vec::new();
            let mut receive = |scratch: &mut [u8]| match script.pop_front().unwrap_or_else(|| bad(ErrorKind::WouldBlock)) {
                Ok((length, byte)) => {
                    scratch[0] = byte;
                    Ok((length, from))
                }
                Err(error) => Err(error),
            };
            while receive_with(&mut receive, &mut scratch, &mut budget, &mut counters, &mut buffer).is_some() {
                seen.push(buffer[0]);
            }
            (seen, counters)
        };
        assert_eq!(poll(256).0, [1, 2, 3]);
        let (seen, counters) = poll(256);
        assert_eq!((seen, counters.icmp_errors, counters.receive_errors, counters.polls_capped), (vec![4], 3, 1, 0));
        // Nothing but errors uses the budget up, too.
        let mut script = 0;
        let mut budget = 16;
        let mut counters = UdpCounters::default();
        let endless = |_: &mut [u8]| {
            script += 1;
            bad(ErrorKind::ConnectionReset).map(|(length, _): (usize, u8)| (length, from))
        };
        assert_eq!(receive_with(endless, &mut scratch, &mut budget, &mut counters, &mut buffer), None);
        assert_eq!((script, counters.icmp_errors, counters.polls_capped), (16, 16, 1));
    }

    #[test]
    fn a_send_is_tried_again_after_what_is_not_its_own() {
        let to: SocketAddr = "192.0.2.1:80".parse().unwrap();
        let send = |kinds: &[ErrorKind]| {
            let mut kinds = kinds.iter();
            let mut counters = UdpCounters::default();
            let mut tries = 0;
            let outcome = send_with(
                || {
                    tries += 1;
                    kinds.next().map_or(Ok(3), |kind| Err(io::Error::from(*kind)))
                },
                &mut counters,
                to,
                3,
            );
            (outcome.ok(), tries, counters)
        };
        let (outcome, tries, counters) = send(&[ErrorKind::Interrupted, ErrorKind::ConnectionReset, ErrorKind::ConnectionRefused]);
        assert_eq!((outcome, tries, counters.icmp_errors, counters.bytes_sent), (Some(SendOutcome::Sent), 4, 2, 3));
        let (outcome, tries, counters) = send(&[ErrorKind::WouldBlock]);
        assert_eq!((outcome, tries, counters.send_dropped), (Some(SendOutcome::Dropped), 1, 1));
        let (outcome, tries, _) = send(&[ErrorKind::Interrupted; 100]);
        assert_eq!((outcome, tries), (Some(SendOutcome::Dropped), SEND_ATTEMPTS));
        assert_eq!(send(&[ErrorKind::NetworkUnreachable]).0, Some(SendOutcome::Unreachable));
        assert_eq!(send(&[ErrorKind::PermissionDenied]).2.send_errors, 1);
    }

    #[test]
    fn faults_are_told_apart() {
        let by_kind = |kind| fault(&io::Error::from(kind));
        assert_eq!(by_kind(ErrorKind::WouldBlock), Fault::NoRoom);
        assert_eq!(by_kind(ErrorKind::Interrupted), Fault::Interrupted);
        assert_eq!(by_kind(ErrorKind::ConnectionReset), Fault::Icmp);
        assert_eq!(by_kind(ErrorKind::ConnectionRefused), Fault::Icmp);
        assert_eq!(by_kind(ErrorKind::NetworkUnreachable), Fault::NoRoute);
        assert_eq!(by_kind(ErrorKind::PermissionDenied), Fault::Other);
        assert_eq!(fault(&io::Error::from_raw_os_error(NO_BUFFER_SPACE)), Fault::NoRoom);
    }
}
