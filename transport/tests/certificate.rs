//! Certificates as others see them: the DTLS library at both ends of a handshake, and OpenSSL.
#![cfg(feature = "dtls")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use snapback_transport::secure::{Certificate, DtlsOutput, DtlsRole, DtlsSession, DtlsSettings, Fingerprint};
use std::io::{ErrorKind, Write};
use std::process::{Command, Stdio};

const STEP_US: u64 = 10_000;
const PATIENCE_STEPS: u64 = 500;

/// One end of a link that loses nothing.
struct End {
    session: DtlsSession,
    peer: Option<Fingerprint>,
    is_connected: bool,
    received: Vec<Vec<u8>>,
}

impl End {
    fn new(certificate: &Certificate, role: DtlsRole) -> Self {
        let settings = DtlsSettings::new(certificate, 1_200, 10_000_000).unwrap();
        Self { session: DtlsSession::new(&settings, role, 0).unwrap(), peer: None, is_connected: false, received: Vec::new() }
    }

    fn drain(&mut self) -> Vec<Vec<u8>> {
        let mut datagrams = Vec::new();
        let mut buffer = [0; 2_048];
        loop {
            match self.session.poll(&mut buffer) {
                DtlsOutput::Datagram(len) => datagrams.push(buffer[..len].to_vec()),
                DtlsOutput::Packet(len) => self.received.push(buffer[..len].to_vec()),
                DtlsOutput::Peer(fingerprint) => self.peer = Some(fingerprint),
                DtlsOutput::Connected => self.is_connected = true,
                DtlsOutput::Idle { .. } => return datagrams,
                other => panic!("{other:?}"),
            }
        }
    }
}

fn run(client: &mut End, server: &mut End, until: impl Fn(&End, &End) -> bool) {
    for step in 0..PATIENCE_STEPS {
        for datagram in client.drain() {
            server.session.handle(&datagram).unwrap();
        }
        for datagram in server.drain() {
            client.session.handle(&datagram).unwrap();
        }
        if until(client, server) {
            return;
        }
        for end in [&mut *client, &mut *server] {
            end.session.tick(step * STEP_US).unwrap();
        }
    }
    panic!("connected {} and {}, peers {:?} and {:?}", client.is_connected, server.is_connected, client.peer, server.peer);
}

fn shake_hands(client_role: DtlsRole, server_role: DtlsRole) {
    let (client_certificate, server_certificate) = (Certificate::generate().unwrap(), Certificate::generate().unwrap());
    let (mut client, mut server) = (End::new(&client_certificate, client_role), End::new(&server_certificate, server_role));
    run(&mut client, &mut server, |client, server| client.is_connected && server.is_connected);
    assert_eq!(client.peer, Some(server_certificate.fingerprint()));
    assert_eq!(server.peer, Some(client_certificate.fingerprint()));

    client.session.send(b"from the client").unwrap();
    server.session.send(b"from the server").unwrap();
    run(&mut client, &mut server, |client, server| !client.received.is_empty() && !server.received.is_empty());
    assert_eq!(server.received, [b"from the client"]);
    assert_eq!(client.received, [b"from the server"]);
}

#[test]
fn both_ends_accept_each_others_certificate_in_dtls_1_3() {
    shake_hands(DtlsRole::Client13, DtlsRole::Server13);
}

#[test]
fn both_ends_accept_each_others_certificate_in_dtls_1_2() {
    shake_hands(DtlsRole::Client12, DtlsRole::Server12);
}

/// What `openssl` says to `input`; `None` if there is none here.
fn openssl(args: &[&str], input: &[u8]) -> Option<String> {
    let spawned = Command::new("openssl").args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = match spawned {
        Err(error) if error.kind() == ErrorKind::NotFound => return None,
        spawned => spawned.unwrap(),
    };
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8_lossy(&output.stderr).into_owned());
    assert!(output.status.success(), "openssl {args:?}: {out}{err}");
    Some(out)
}

#[test]
fn openssl_reads_it() {
    let certificate = Certificate::generate().unwrap();
    let Some(text) = openssl(&["x509", "-inform", "DER", "-noout", "-text"], certificate.der()) else {
        println!("skipped: openssl_reads_it");
        return;
    };
    for part in [
        "Version: 3",
        "Issuer: CN=Snapback peer",
        "Subject: CN=Snapback peer",
        "Not Before: Jan  1 00:00:00 1970 GMT",
        "Not After : Dec 31 23:59:59 9999 GMT",
        "NIST CURVE: P-256",
        "CA:FALSE",
        "Signature Algorithm: ecdsa-with-SHA256",
    ] {
        // Releases differ in the spaces around a name's equals sign.
        assert!(text.replace("CN = ", "CN=").contains(part), "{part:?} is not in {text}");
    }
    let printed = openssl(&["x509", "-inform", "DER", "-noout", "-fingerprint", "-sha256"], certificate.der()).unwrap();
    let digits = printed.trim().rsplit_once('=').unwrap().1.replace(':', "").to_lowercase();
    assert_eq!(digits.parse(), Ok(certificate.fingerprint()));

    openssl(&["pkey", "-inform", "DER", "-noout", "-check"], certificate.private_key_der()).unwrap();
    let of_the_certificate = openssl(&["x509", "-inform", "DER", "-noout", "-pubkey"], certificate.der());
    assert_eq!(of_the_certificate, openssl(&["pkey", "-inform", "DER", "-pubout"], certificate.private_key_der()));
}

/// The signature is its own key's: OpenSSL takes it as its own trust anchor and checks it all the same.
#[test]
fn openssl_verifies_its_signature() {
    let der = Certificate::generate().unwrap().der().to_vec();
    let mut changed = der.clone();
    *changed.last_mut().unwrap() ^= 1;
    for (der, is_right) in [(der, true), (changed, false)] {
        let Some(pem) = openssl(&["x509", "-inform", "DER"], &der) else {
            println!("skipped: openssl_verifies_its_signature");
            return;
        };
        let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("own-anchor-{is_right}.pem"));
        std::fs::write(&path, pem).unwrap();
        let path = path.to_str().unwrap();
        let output = Command::new("openssl").args(["verify", "-check_ss_sig", "-CAfile", path, path]).output().unwrap();
        assert_eq!(output.status.success(), is_right, "{}", String::from_utf8_lossy(&output.stderr));
    }
}
