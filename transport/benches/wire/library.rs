//! The yardstick: two connections of the DTLS library by itself, set up as ours are.

use dimpl::{Config, Dtls, DtlsCertificate, Output};
use snapback_transport::packet::{DATAGRAM_BUDGET_BYTES, OPENER_HEADER_BYTES};
use snapback_transport::secure::Certificate;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What both ends are made from, as [`SecureSocket`](snapback_transport::secure::SecureSocket) has it.
pub(crate) struct Bare {
    config: Arc<Config>,
    certificates: [DtlsCertificate; 2],
    now: Instant,
}

impl Bare {
    pub(crate) fn new(certificates: [&Certificate; 2]) -> Self {
        let config = Config::builder()
            .mtu(DATAGRAM_BUDGET_BYTES - OPENER_HEADER_BYTES)
            .use_server_cookie(false)
            .require_client_certificate(true)
            .flight_start_rto(Duration::from_millis(150))
            .flight_retries(6)
            .handshake_timeout(Duration::from_secs(10))
            .build()
            .unwrap();
        let certificates =
            certificates.map(|one| DtlsCertificate { certificate: one.der().to_vec(), private_key: one.private_key_der().to_vec() });
        Self { config: Arc::new(config), certificates, now: Instant::now() }
    }

    /// A whole handshake: the first is the server.
    pub(crate) fn connect(&self) -> Connected {
        let mut ends =
            self.certificates.each_ref().map(|certificate| Dtls::new_13(Arc::clone(&self.config), certificate.clone(), self.now));
        for (end, is_client) in ends.iter_mut().zip([false, true]) {
            end.set_active(is_client);
            end.handle_timeout(self.now).unwrap();
        }
        let [mut server, mut client] = ends;
        let mut connected = [false; 2];
        let mut datagram = [0; 2_048];
        while connected != [true; 2] {
            hand_over(&mut client, &mut server, &mut connected[1], &mut datagram);
            hand_over(&mut server, &mut client, &mut connected[0], &mut datagram);
        }
        Connected { ends: [server, client], datagrams: [[0; 2_048]; 2], opened: [0; 2_048] }
    }
}

/// Everything that one end has to say, to the other.
fn hand_over(from: &mut Dtls, to: &mut Dtls, is_connected: &mut bool, datagram: &mut [u8]) {
    loop {
        match from.poll_output(datagram) {
            Output::Packet(bytes) => to.handle_packet(bytes).unwrap(),
            Output::Connected => *is_connected = true,
            Output::Timeout(_) => return,
            _ => {}
        }
    }
}

/// Two ends that are connected.
pub(crate) struct Connected {
    ends: [Dtls; 2],
    datagrams: [[u8; 2_048]; 2],
    opened: [u8; 2_048],
}

impl Connected {
    /// Each end seals a packet, then each opens the other's. The bytes that came out, all together.
    pub(crate) fn exchange(&mut self, packets: [&[u8]; 2]) -> usize {
        let lens = [0, 1].map(|from| self.seal(from, packets[from]));
        lens.into_iter().enumerate().map(|(from, len)| self.open(1 - from, len)).sum()
    }

    fn seal(&mut self, from: usize, packet: &[u8]) -> usize {
        self.ends[from].send_application_data(packet).unwrap();
        match self.ends[from].poll_output(&mut self.datagrams[from]) {
            Output::Packet(bytes) => bytes.len(),
            _ => 0,
        }
    }

    fn open(&mut self, to: usize, len: usize) -> usize {
        let end = &mut self.ends[to];
        end.handle_packet(&self.datagrams[1 - to][..len]).unwrap();
        let mut opened = 0;
        loop {
            match end.poll_output(&mut self.opened) {
                Output::ApplicationData(bytes) => opened += bytes.len(),
                Output::Timeout(_) => return opened,
                _ => {}
            }
        }
    }
}
