//! [`Rogue`]: somebody who speaks DTLS and the packets of the door, and keeps no other rule.

use super::net::{MATCH_ID, secret};
use snapback_transport::packet::{Cookie, Knock, Opener, PROTOCOL_VERSION, PacketType, Proof};
use snapback_transport::secure::{Certificate, DtlsOutput, DtlsRole, DtlsSession, DtlsSettings, Fingerprint, Identity, SecureSocket};
use std::net::SocketAddr;

pub(crate) struct Rogue {
    pub(crate) address: SocketAddr,
    pub(crate) certificate: Certificate,
    pub(crate) is_connected: bool,
    /// What it was told inside the connection.
    pub(crate) heard: Vec<Vec<u8>>,
    /// The certificate at the other end.
    pub(crate) peer: Option<Fingerprint>,
    dtls: DtlsSession,
    is_dialer: bool,
    nonce: u64,
    cookie: Option<[u8; 16]>,
    letters: Vec<Vec<u8>>,
}

impl Rogue {
    pub(crate) fn dialer(address: SocketAddr, nonce: u64) -> Self {
        Self::new(address, nonce, DtlsRole::Client13)
    }

    pub(crate) fn listener(address: SocketAddr) -> Self {
        Self::new(address, 0, DtlsRole::Server13)
    }

    fn new(address: SocketAddr, nonce: u64, role: DtlsRole) -> Self {
        let certificate = Certificate::generate().unwrap();
        let settings = DtlsSettings::new(&certificate, 1_100, 10_000_000).unwrap();
        let is_dialer = role == DtlsRole::Client13;
        let mut knock = [0; 128];
        let len = Knock { version: PROTOCOL_VERSION, nonce }.write(&mut knock);
        Self {
            address,
            dtls: DtlsSession::new(&settings, role, 0).unwrap(),
            certificate,
            is_connected: false,
            heard: Vec::new(),
            peer: None,
            is_dialer,
            nonce,
            cookie: None,
            letters: if is_dialer { vec![knock[..len].to_vec()] } else { Vec::new() },
        }
    }

    /// Everything that the two have to say to each other at this moment.
    pub(crate) fn exchange(&mut self, socket: &mut SecureSocket, now_us: u64) {
        let mut buffer = [0; 1_200];
        for _ in 0..100 {
            let mut quiet = true;
            while let Some((to, len)) = socket.poll_transmit(now_us, &mut buffer) {
                if to == self.address {
                    self.take(&buffer[..len]);
                    quiet = false;
                }
            }
            for letter in self.out() {
                let _ = socket.handle(now_us, self.address, &letter);
                quiet = false;
            }
            if quiet {
                return;
            }
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        match PacketType::of(bytes) {
            Ok(PacketType::Knock) if bytes[0] == 7 => {
                let mut out = [0; 64];
                let nonce = Knock::read(bytes).unwrap().nonce;
                let len = Cookie { version: PROTOCOL_VERSION, nonce, cookie: [1; 16] }.write(&mut out);
                self.letters.push(out[..len].to_vec());
            }
            Ok(PacketType::Cookie) if bytes[0] == 9 => self.cookie = Some(Cookie::read(bytes).unwrap().cookie),
            Ok(PacketType::Opener) if bytes[0] == 10 => self.dtls.handle(Opener::read(bytes).unwrap().record).unwrap(),
            _ => self.dtls.handle(bytes).unwrap(),
        }
    }

    fn out(&mut self) -> Vec<Vec<u8>> {
        let mut letters = core::mem::take(&mut self.letters);
        if self.is_dialer && self.cookie.is_none() {
            return letters;
        }
        let mut buffer = [0; 2_048];
        loop {
            match self.dtls.poll(&mut buffer) {
                DtlsOutput::Datagram(len) if self.is_dialer && buffer[0] == 22 => {
                    let opener = Opener { nonce: self.nonce, cookie: self.cookie.unwrap(), record: &buffer[..len] };
                    let mut out = [0; 1_200];
                    let len = opener.write(&mut out);
                    letters.push(out[..len].to_vec());
                }
                DtlsOutput::Datagram(len) => letters.push(buffer[..len].to_vec()),
                DtlsOutput::Packet(len) => self.heard.push(buffer[..len].to_vec()),
                DtlsOutput::Peer(fingerprint) => self.peer = Some(fingerprint),
                DtlsOutput::Connected => self.is_connected = true,
                DtlsOutput::Idle { .. } => return letters,
                other => panic!("{other:?}"),
            }
        }
    }

    /// Says something inside the connection, whatever it is.
    pub(crate) fn say(&mut self, socket: &mut SecureSocket, now_us: u64, packet: &[u8]) {
        self.dtls.send(packet).unwrap();
        self.exchange(socket, now_us);
    }

    /// The proof that would be right.
    pub(crate) fn proof(&self, seat: u8, identity: &Identity) -> Proof {
        let (own, peer) = (self.certificate.fingerprint(), self.peer.unwrap());
        Proof {
            seat,
            is_answer: !self.is_dialer,
            secret_proof: secret(seat).prove(MATCH_ID, &own, &peer),
            identity: identity.key().0,
            signature: identity.bind(MATCH_ID, &own, &peer),
        }
    }

    pub(crate) fn prove(&mut self, socket: &mut SecureSocket, now_us: u64, proof: &Proof) {
        let mut out = [0; Proof::BYTES];
        proof.write(&mut out);
        self.say(socket, now_us, &out);
    }
}
