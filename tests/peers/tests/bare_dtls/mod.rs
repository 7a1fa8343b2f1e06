//! Two connections of the DTLS library by itself, to compare with.

#![allow(clippy::disallowed_types, reason = "the library counts in instants")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use dimpl::{Config, Dtls, DtlsCertificate, Output};
use snapback::transport::secure::Certificate;
use std::sync::Arc;
use std::time::Instant;

/// A server and a client that are connected.
pub(crate) struct BareDtls {
    ends: [Dtls; 2],
    /// What each has sealed last, and its length.
    sealed: [([u8; 2_048], usize); 2],
    opened: [u8; 2_048],
}

impl BareDtls {
    /// A whole handshake with certificates on both sides, as ours is.
    pub(crate) fn connect() -> Self {
        let config = Arc::new(Config::builder().use_server_cookie(false).require_client_certificate(true).build().unwrap());
        let now = Instant::now();
        let mut ends = [false, true].map(|is_client| {
            let certificate = Certificate::generate().unwrap();
            let certificate =
                DtlsCertificate { certificate: certificate.der().to_vec(), private_key: certificate.private_key_der().to_vec() };
            let mut end = Dtls::new_13(Arc::clone(&config), certificate, now);
            end.set_active(is_client);
            end.handle_timeout(now).unwrap();
            end
        });
        let mut datagram = [0; 2_048];
        let mut connected = [false; 2];
        while connected != [true; 2] {
            for from in [1, 0] {
                loop {
                    let [a, b] = &mut ends;
                    let (from_end, to_end) = if from == 0 { (a, b) } else { (b, a) };
                    match from_end.poll_output(&mut datagram) {
                        Output::Packet(bytes) => to_end.handle_packet(bytes).unwrap(),
                        Output::Connected => connected[from] = true,
                        Output::Timeout(_) => break,
                        _ => {}
                    }
                }
            }
        }
        Self { ends, sealed: [([0; 2_048], 0); 2], opened: [0; 2_048] }
    }

    /// Each end seals the packet.
    pub(crate) fn seal(&mut self, packet: &[u8]) {
        for (end, (datagram, len)) in self.ends.iter_mut().zip(&mut self.sealed) {
            end.send_application_data(packet).unwrap();
            *len = match end.poll_output(datagram) {
                Output::Packet(sealed) => sealed.len(),
                _ => 0,
            };
        }
    }

    /// Each end opens what the other has sealed.
    pub(crate) fn open(&mut self) {
        for from in 0..2 {
            let (datagram, len) = &self.sealed[from];
            let to = &mut self.ends[1 - from];
            to.handle_packet(&datagram[..*len]).unwrap();
            let mut opened = 0;
            loop {
                match to.poll_output(&mut self.opened) {
                    Output::ApplicationData(bytes) => opened += bytes.len(),
                    Output::Timeout(_) => break,
                    _ => {}
                }
            }
            assert!(opened > 0);
        }
    }

    /// Each end seals the packet and the other opens it.
    pub(crate) fn exchange(&mut self, packet: &[u8]) {
        self.seal(packet);
        self.open();
    }
}
