//! DTLS 1.2 with other people's programs: `openssl s_client` and `openssl s_server`, over loopback UDP.
//! Both sides show certificates and check them, and a line goes each way.
#![cfg(feature = "dtls")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use snapback_transport::secure::{Certificate, DtlsError, DtlsOutput, DtlsRole, DtlsSession, DtlsSettings, Fingerprint};
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

#[allow(clippy::disallowed_types, reason = "a test with real sockets owns a clock")]
type Clock = std::time::Instant;

/// The handshake takes milliseconds; a machine under load may take long.
const PATIENCE: Duration = Duration::from_secs(60);

const TO_US: &str = "a line from the other program";
const FROM_US: &str = "a line from this one";

/// A certificate on both sides, in files as `openssl` wants them.
struct Files {
    folder: PathBuf,
    ours: Certificate,
    theirs: Certificate,
}

impl Files {
    /// `None` if there is no `openssl` here.
    fn new(name: &str) -> Option<Self> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let files = Self { folder, ours: Certificate::generate().unwrap(), theirs: Certificate::generate().unwrap() };
        files.pem(&["x509", "-inform", "DER"], files.ours.der(), "ours.pem")?;
        files.pem(&["x509", "-inform", "DER"], files.theirs.der(), "theirs.pem")?;
        files.pem(&["pkey", "-inform", "DER"], files.theirs.private_key_der(), "their-key.pem")?;
        Some(files)
    }

    fn pem(&self, args: &[&str], der: &[u8], name: &str) -> Option<()> {
        let spawned = Command::new("openssl").args(args).arg("-out").arg(self.folder.join(name)).stdin(Stdio::piped()).spawn();
        let mut child = match spawned {
            Err(error) if error.kind() == ErrorKind::NotFound => return None,
            spawned => spawned.unwrap(),
        };
        child.stdin.take().unwrap().write_all(der).unwrap();
        assert!(child.wait().unwrap().success(), "openssl {args:?}");
        Some(())
    }
}

/// The other program; it ends with the test.
struct Openssl {
    child: Child,
    out: PathBuf,
    err: PathBuf,
}

impl Openssl {
    /// It trusts our certificate and no other.
    fn start(files: &Files, args: &[&str]) -> Self {
        let (out, err) = (files.folder.join("out"), files.folder.join("err"));
        let child = Command::new("openssl")
            .args(args)
            .args(["-dtls1_2", "-verify_return_error", "-cert", "theirs.pem", "-key", "their-key.pem", "-CAfile", "ours.pem"])
            .current_dir(&files.folder)
            .stdin(Stdio::piped())
            .stdout(File::create(&out).unwrap())
            .stderr(File::create(&err).unwrap())
            .spawn()
            .unwrap();
        Self { child, out, err }
    }

    fn say(&mut self, line: &str) {
        let stdin = self.child.stdin.as_mut().unwrap();
        writeln!(stdin, "{line}").unwrap();
        stdin.flush().unwrap();
    }

    fn has_printed(&self, line: &str) -> bool {
        std::fs::read_to_string(&self.out).unwrap_or_default().contains(line)
    }

    fn story(&self) -> String {
        let read = |path: &Path| String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned();
        format!("out: {}\nerr: {}", read(&self.out), read(&self.err))
    }
}

impl Drop for Openssl {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// This side: a session and a socket.
struct Here {
    session: DtlsSession,
    socket: UdpSocket,
    other: Option<SocketAddr>,
    since: Clock,
    peer: Option<Fingerprint>,
    is_connected: bool,
    received: Vec<u8>,
}

impl Here {
    fn new(files: &Files, role: DtlsRole, socket: UdpSocket, other: Option<SocketAddr>) -> Self {
        socket.set_read_timeout(Some(Duration::from_millis(10))).unwrap();
        let settings = DtlsSettings::new(&files.ours, 1_200, PATIENCE.as_micros() as u64).unwrap();
        let session = DtlsSession::new(&settings, role, 0).unwrap();
        #[allow(clippy::disallowed_methods, reason = "a test with real sockets owns a clock")]
        let since = Clock::now();
        Self { session, socket, other, since, peer: None, is_connected: false, received: Vec::new() }
    }

    fn turn(&mut self) -> Result<(), DtlsError> {
        let mut buffer = [0; 2_048];
        if let Ok((len, from)) = self.socket.recv_from(&mut buffer) {
            self.other = Some(from);
            self.session.handle(&buffer[..len])?;
        }
        self.session.tick(self.since.elapsed().as_micros() as u64)?;
        loop {
            match self.session.poll(&mut buffer) {
                DtlsOutput::Datagram(len) => {
                    // A listener has nothing to say before it has heard from somebody.
                    let _ = self.socket.send_to(&buffer[..len], self.other.unwrap());
                }
                DtlsOutput::Packet(len) => self.received.extend_from_slice(&buffer[..len]),
                DtlsOutput::Peer(fingerprint) => self.peer = Some(fingerprint),
                DtlsOutput::Connected => self.is_connected = true,
                DtlsOutput::Closed | DtlsOutput::Idle { .. } => return Ok(()),
                DtlsOutput::BufferTooSmall { needed } => panic!("{needed} bytes"),
            }
        }
    }

    fn turn_until(&mut self, what: &str, openssl: &Openssl, is_done: impl Fn(&Self) -> bool) {
        let until = self.since.elapsed() + PATIENCE;
        while !is_done(self) {
            assert!(self.since.elapsed() < until, "{what} never happened; connected: {}\n{}", self.is_connected, openssl.story());
            self.turn().unwrap();
        }
    }

    fn talk(&mut self, openssl: &mut Openssl, theirs: Fingerprint) {
        self.turn_until("the handshake", openssl, |here| here.is_connected);
        assert_eq!(self.peer, Some(theirs));
        openssl.say(TO_US);
        self.turn_until("a line to us", openssl, |here| String::from_utf8_lossy(&here.received).contains(TO_US));
        self.session.send(format!("{FROM_US}\n").as_bytes()).unwrap();
        self.turn_until("a line from us", openssl, |_| openssl.has_printed(FROM_US));
    }
}

fn loopback() -> UdpSocket {
    UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap()
}

#[test]
fn s_client_dials_us() {
    let Some(files) = Files::new("s_client") else {
        println!("skipped: dtls12_openssl");
        return;
    };
    let socket = loopback();
    let port = socket.local_addr().unwrap().port();
    let mut here = Here::new(&files, DtlsRole::Server12, socket, None);
    let to = format!("127.0.0.1:{port}");
    let mut openssl = Openssl::start(&files, &["s_client", "-quiet", "-connect", &to]);
    here.talk(&mut openssl, files.theirs.fingerprint());
}

#[test]
fn we_dial_s_server() {
    let Some(files) = Files::new("s_server") else {
        println!("skipped: dtls12_openssl");
        return;
    };
    // A port that was free a moment ago.
    let port = loopback().local_addr().unwrap().port();
    let at = format!("127.0.0.1:{port}");
    let mut openssl = Openssl::start(&files, &["s_server", "-quiet", "-Verify", "1", "-accept", &at]);
    let mut here = Here::new(&files, DtlsRole::Client12, loopback(), Some(at.parse().unwrap()));
    here.talk(&mut openssl, files.theirs.fingerprint());
}

/// The other program looks at our certificate: one that it does not trust ends the handshake.
#[test]
fn s_server_refuses_a_certificate_that_it_does_not_trust() {
    let Some(mut files) = Files::new("s_server_refuses") else {
        println!("skipped: dtls12_openssl");
        return;
    };
    files.ours = Certificate::generate().unwrap();
    let port = loopback().local_addr().unwrap().port();
    let at = format!("127.0.0.1:{port}");
    let openssl = Openssl::start(&files, &["s_server", "-quiet", "-Verify", "1", "-accept", &at]);
    let mut here = Here::new(&files, DtlsRole::Client12, loopback(), Some(at.parse().unwrap()));
    let error = loop {
        assert!(here.since.elapsed() < PATIENCE, "no refusal came\n{}", openssl.story());
        if let Err(error) = here.turn() {
            break error;
        }
    };
    assert!(!here.is_connected && error.to_string().contains("alert"), "{error}\n{}", openssl.story());
}
