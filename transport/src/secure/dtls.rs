//! [`DtlsSession`]: one DTLS connection of the library, on a clock that the caller owns.

#![expect(clippy::disallowed_types, reason = "the library counts in instants; ours are an origin and the caller's `now_us`")]

use super::certificate::{Certificate, fingerprint_of};
use crate::credentials::Fingerprint;
use core::fmt;
use core::time::Duration;
use dimpl::{Config, Dtls, DtlsCertificate, Output};
use std::sync::Arc;
use std::time::Instant;

/// Between a handshake flight and its first repetition. The library's own second makes a handshake
/// over a lossy link slow.
const FLIGHT_START_RTO: Duration = Duration::from_millis(150);

/// Repetitions of a flight, each after twice the time. So many never come: what ends a handshake is our
/// own deadline, and the last flight of one that is done may be repeated without end, where every
/// acknowledgement of it is lost.
const FLIGHT_RETRIES: usize = 30;

/// Which version and which end of DTLS.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DtlsRole {
    /// DTLS 1.3, dialling.
    Client13,
    /// DTLS 1.3, listening.
    Server13,
    /// DTLS 1.2, dialling: for other people's programs, our own peers never use it.
    Client12,
    /// DTLS 1.2, listening.
    Server12,
}

/// What a [`DtlsSession`] has to say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DtlsOutput {
    /// A datagram to send, of so many bytes at the start of the buffer.
    Datagram(usize),
    /// A packet that the other side sent, of so many bytes at the start of the buffer.
    Packet(usize),
    /// The other side's certificate.
    Peer(Fingerprint),
    /// The handshake is done.
    Connected,
    /// The other side closed the connection.
    Closed,
    /// The buffer is too small for what comes next.
    BufferTooSmall {
        /// How many bytes it takes.
        needed: usize,
    },
    /// Nothing more until this time, or until a datagram comes.
    Idle {
        /// On the caller's clock.
        next_us: u64,
    },
}

/// The connection is broken for good.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DtlsError(String);

impl fmt::Display for DtlsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for DtlsError {}

impl From<dimpl::Error> for DtlsError {
    fn from(error: dimpl::Error) -> Self {
        Self(error.to_string())
    }
}

/// What all connections of one program share.
#[derive(Clone)]
pub struct DtlsSettings {
    config: Arc<Config>,
    certificate: DtlsCertificate,
    /// An instant that stands for 0 µs. The library wants instants; it reads no clock.
    origin: Instant,
}

impl DtlsSettings {
    /// Settings with this certificate, for datagrams of at most `datagram_budget_bytes`.
    ///
    /// # Errors
    /// If the library refuses them.
    pub fn new(certificate: &Certificate, datagram_budget_bytes: usize, handshake_timeout_us: u64) -> Result<Self, DtlsError> {
        let config = Config::builder()
            .mtu(datagram_budget_bytes)
            // Ours stands in front and is bound to the address.
            .use_server_cookie(false)
            .require_client_certificate(true)
            .flight_start_rto(FLIGHT_START_RTO)
            .flight_retries(FLIGHT_RETRIES)
            .handshake_timeout(Duration::from_micros(handshake_timeout_us.max(1)))
            .build()?;
        // Where it stands does not matter: only the caller's clock is ever added to it.
        let origin = Instant::now();
        Ok(Self { config: Arc::new(config), certificate: certificate.to_dtls(), origin })
    }

    fn instant(&self, now_us: u64) -> Instant {
        self.origin.checked_add(Duration::from_micros(now_us)).unwrap_or(self.origin)
    }
}

/// One DTLS connection.
///
/// Call order: [`handle`](Self::handle) every datagram, then [`poll`](Self::poll) until it is
/// [`DtlsOutput::Idle`]; [`tick`](Self::tick) and poll again once that time has come. After an error
/// there is nothing more to do with it.
pub struct DtlsSession {
    dtls: Dtls,
    settings: DtlsSettings,
}

impl fmt::Debug for DtlsSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DtlsSession")
    }
}

impl DtlsSession {
    /// A connection that begins at `now_us`. A dialling one has its first flight to send.
    ///
    /// # Errors
    /// If the library cannot begin.
    pub fn new(settings: &DtlsSettings, role: DtlsRole, now_us: u64) -> Result<Self, DtlsError> {
        let now = settings.instant(now_us);
        let (config, certificate) = (Arc::clone(&settings.config), settings.certificate.clone());
        let mut dtls = match role {
            DtlsRole::Client13 | DtlsRole::Server13 => Dtls::new_13(config, certificate, now),
            DtlsRole::Client12 | DtlsRole::Server12 => Dtls::new_12(config, certificate, now),
        };
        dtls.set_active(matches!(role, DtlsRole::Client13 | DtlsRole::Client12));
        dtls.handle_timeout(now)?;
        Ok(Self { dtls, settings: settings.clone() })
    }

    /// Takes a datagram from the other side, or from somebody who pretends to be.
    ///
    /// # Errors
    /// The connection is broken. One that is established breaks by nothing but its own end.
    pub fn handle(&mut self, datagram: &[u8]) -> Result<(), DtlsError> {
        Ok(self.dtls.handle_packet(datagram)?)
    }

    /// Tells the time: repetitions of flights are due.
    ///
    /// # Errors
    /// The handshake took too long.
    pub fn tick(&mut self, now_us: u64) -> Result<(), DtlsError> {
        let now = self.settings.instant(now_us);
        Ok(self.dtls.handle_timeout(now)?)
    }

    /// Seals a packet; the next [`poll`](Self::poll) has it.
    ///
    /// # Errors
    /// The connection is closed.
    pub fn send(&mut self, packet: &[u8]) -> Result<(), DtlsError> {
        Ok(self.dtls.send_application_data(packet).map(|_| ())?)
    }

    /// The next thing it has to say. Packets that came in are told before datagrams that go out.
    pub fn poll(&mut self, buffer: &mut [u8]) -> DtlsOutput {
        loop {
            return match self.dtls.poll_output(buffer) {
                Output::Packet(bytes) => DtlsOutput::Datagram(bytes.len()),
                Output::ApplicationData(bytes) => DtlsOutput::Packet(bytes.len()),
                Output::PeerCert(der) => DtlsOutput::Peer(fingerprint_of(der)),
                Output::Connected => DtlsOutput::Connected,
                Output::CloseNotify => DtlsOutput::Closed,
                Output::Timeout(at) => {
                    let next = at.saturating_duration_since(self.settings.origin).as_micros();
                    DtlsOutput::Idle { next_us: u64::try_from(next).unwrap_or(u64::MAX) }
                }
                Output::BufferTooSmall { needed } => DtlsOutput::BufferTooSmall { needed },
                // Keys for media, which nobody here uses, and what a later version may add.
                _ => continue,
            };
        }
    }
}
