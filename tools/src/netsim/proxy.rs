//! [`Proxy`]: the socket that clients send to, and the clients.

use super::client::Client;
use super::counts::Counts;
use super::options::Plan;
use crate::error::CliError;
use snapback::transport::link::MAX_DATAGRAM_BYTES;
use snapback::transport::udp::UdpEndpoint;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// Clients at a time. When one more comes, the one that has been silent for the longest makes room.
pub(super) const MAX_CLIENTS: usize = 64;

/// How long a client must have been silent to make room for another.
pub(super) const IDLE_US: u64 = 60_000_000;

/// Most bytes on all links together; what comes in beyond that is dropped and counted.
const MAX_UNDER_WAY_BYTES: usize = 256 << 20;

/// Listens for clients and gives each one a link of its own to the program.
pub(super) struct Proxy {
    plan: Plan,
    front: UdpEndpoint,
    pub(super) clients: Vec<Client>,
    clients_made: u64,
    /// Up and down of those that made room.
    pub(super) gone: [Counts; 2],
    pub(super) gone_clients: u64,
    /// Datagrams of addresses for which there was no room.
    pub(super) turned_away: u64,
    /// Datagrams to a client's socket that did not come from the program.
    pub(super) strays: u64,
    /// The last error of a socket.
    pub(super) trouble: Option<String>,
    buffer: Vec<u8>,
}

impl Proxy {
    /// Listens.
    pub(super) fn bind(plan: Plan) -> Result<Self, CliError> {
        check(plan.listen, plan.to)?;
        let front = UdpEndpoint::bind(plan.listen).map_err(CliError::environment)?;
        check(front.local_addr(), plan.to)?;
        Ok(Self {
            plan,
            front,
            clients: Vec::new(),
            clients_made: 0,
            gone: [Counts::default(); 2],
            gone_clients: 0,
            turned_away: 0,
            strays: 0,
            trouble: None,
            buffer: vec![0; MAX_DATAGRAM_BYTES],
        })
    }

    pub(super) fn local_addr(&self) -> SocketAddr {
        self.front.local_addr()
    }

    pub(super) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Takes what has arrived and hands on what is due.
    pub(super) fn turn(&mut self, now_us: u64) {
        self.take_from_clients(now_us);
        self.take_from_program(now_us);
        for client in &mut self.clients {
            if let Err(error) = client.give(now_us, &mut self.front, self.plan.to) {
                self.trouble = Some(error.to_string());
            }
        }
    }

    /// When the next datagram is due.
    pub(super) fn next_us(&self) -> Option<u64> {
        self.clients.iter().filter_map(Client::next_us).min()
    }

    fn take_from_clients(&mut self, now_us: u64) {
        self.front.begin_poll();
        while let Some((from, length)) = self.front.receive(&mut self.buffer) {
            let Some(at) = self.place_of(from, now_us) else {
                self.turned_away += 1;
                continue;
            };
            let has_room = has_room(&self.clients, length);
            if let (Some(client), Some(bytes)) = (self.clients.get_mut(at), self.buffer.get(..length)) {
                client.take_up(now_us, bytes, has_room);
            }
        }
    }

    fn take_from_program(&mut self, now_us: u64) {
        for at in 0..self.clients.len() {
            if let Some(client) = self.clients.get_mut(at) {
                client.upstream.begin_poll();
            }
            while let Some((from, length)) = self.clients.get_mut(at).and_then(|client| client.upstream.receive(&mut self.buffer)) {
                if from != self.plan.to {
                    self.strays += 1;
                    continue;
                }
                let has_room = has_room(&self.clients, length);
                if let (Some(client), Some(bytes)) = (self.clients.get_mut(at), self.buffer.get(..length)) {
                    client.take_down(now_us, bytes, has_room);
                }
            }
        }
    }

    /// Where the client at this address stands; one that is new gets a place if there is any.
    fn place_of(&mut self, address: SocketAddr, now_us: u64) -> Option<usize> {
        if let Some(at) = self.clients.iter().position(|client| client.address == address) {
            return Some(at);
        }
        if self.clients.len() >= MAX_CLIENTS {
            let idle = self.clients.iter().enumerate().max_by_key(|(_, client)| client.silent_us(now_us));
            let (at, _) = idle.filter(|(_, client)| client.silent_us(now_us) >= IDLE_US)?;
            let gone = self.clients.remove(at);
            self.gone[0] += gone.up.counts();
            self.gone[1] += gone.down.counts();
            self.gone_clients += 1;
        }
        match Client::new(&self.plan, self.clients_made + 1, address, now_us) {
            Ok(client) => {
                self.clients_made += 1;
                self.clients.push(client);
                Some(self.clients.len() - 1)
            }
            Err(error) => {
                self.trouble = Some(error.to_string());
                None
            }
        }
    }
}

fn has_room(clients: &[Client], bytes: usize) -> bool {
    clients.iter().map(Client::queued_bytes).sum::<usize>() + bytes <= MAX_UNDER_WAY_BYTES
}

/// Whether a proxy that listens here can send there.
fn check(listen: SocketAddr, to: SocketAddr) -> Result<(), CliError> {
    let ip = to.ip();
    if to.port() == 0 {
        return Err(CliError::usage(format_args!("--to {to} has no port: give the one that the program listens on, such as {ip}:7000")));
    }
    if ip.is_unspecified() {
        return Err(CliError::usage(format_args!("--to {to} is no address that can be sent to: give one such as 127.0.0.1:{}", to.port())));
    }
    if ip.is_multicast() || ip == IpAddr::V4(Ipv4Addr::BROADCAST) {
        return Err(CliError::usage(format_args!("--to {to} is the address of many machines: give one of a single one")));
    }
    // Whoever listens on every address listens on those of this machine, and only these can be bound.
    let is_here = listen.ip() == ip || listen.ip().is_unspecified() && UdpEndpoint::bind(SocketAddr::new(ip, 0)).is_ok();
    if listen.port() == to.port() && is_here {
        return Err(CliError::usage(format_args!("--to {to} is where this command itself listens: give the address of the other program")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    // Loopback sockets on ports that the system chooses; time is given.
    use super::*;
    use snapback::transport::LinkSettings;

    fn proxy(to: SocketAddr) -> Proxy {
        Proxy::bind(Plan {
            listen: "127.0.0.1:0".parse().unwrap(),
            to,
            seconds: 0,
            seed: 1,
            up: LinkSettings { delay_us: 1_000, ..LinkSettings::default() },
            down: LinkSettings::default(),
            trace: None,
            up_text: String::new(),
            down_text: String::new(),
        })
        .unwrap()
    }

    fn numbered(port: u16) -> SocketAddr {
        SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port)
    }

    #[test]
    fn a_full_house_makes_room_only_for_who_comes_after_a_long_silence() {
        let mut proxy = proxy(numbered(9));
        for port in 1..=MAX_CLIENTS as u16 {
            assert_eq!(proxy.place_of(numbered(port), u64::from(port)), Some(usize::from(port) - 1));
        }
        // Client 1 is heard again; that makes 2 the one to go.
        proxy.clients[0].take_up(100, b"again", true);
        assert_eq!(proxy.place_of(numbered(1), 100), Some(0));
        assert_eq!(proxy.place_of(numbered(1_000), IDLE_US + 1), None);
        assert_eq!(proxy.clients.len(), MAX_CLIENTS);
        assert_eq!(proxy.place_of(numbered(1_000), IDLE_US + 2), Some(MAX_CLIENTS - 1));
        assert_eq!(proxy.clients.len(), MAX_CLIENTS);
        assert!(proxy.clients.iter().all(|client| client.address != numbered(2)));
        assert!(proxy.clients.iter().any(|client| client.address == numbered(1)));
        assert_eq!((proxy.gone_clients, proxy.clients[MAX_CLIENTS - 1].number), (1, MAX_CLIENTS as u64 + 1));
        // Who is gone and comes back is another client.
        assert_eq!(proxy.place_of(numbered(2), IDLE_US + 2), None);
    }

    #[test]
    fn what_finds_the_memory_full_is_dropped_and_counted() {
        let mut proxy = proxy(numbered(9));
        proxy.place_of(numbered(1), 50).unwrap();
        proxy.clients[0].take_up(50, &[0; 100], true);
        proxy.clients[0].take_up(60, &[0; 10], false);
        let counts = proxy.clients[0].up.counts();
        assert_eq!((counts.datagrams_in, counts.queue_dropped, counts.under_way, counts.bytes_in), (2, 1, 1, 110));
        assert_eq!(proxy.next_us(), Some(1_050));
        assert!(has_room(&proxy.clients, MAX_UNDER_WAY_BYTES - 100));
        assert!(!has_room(&proxy.clients, MAX_UNDER_WAY_BYTES - 99));
    }

    #[test]
    fn strays_do_not_reach_a_client() {
        let mut program = UdpEndpoint::bind(numbered(0)).unwrap();
        let (mut client, mut stranger) = (UdpEndpoint::bind(numbered(0)).unwrap(), UdpEndpoint::bind(numbered(0)).unwrap());
        let mut proxy = proxy(program.local_addr());
        client.send(proxy.local_addr(), b"hello").unwrap();
        let (mut now_us, mut buffer) = (0, [0; 64]);
        let upstream = loop {
            proxy.turn(now_us);
            now_us += 100;
            program.begin_poll();
            if let Some((from, 5)) = program.receive(&mut buffer) {
                break from;
            }
        };
        assert!(now_us > 1_000);
        stranger.send(upstream, b"let me in").unwrap();
        program.send(upstream, b"hello yourself").unwrap();
        let answer = loop {
            proxy.turn(now_us);
            client.begin_poll();
            if let Some((_, length)) = client.receive(&mut buffer) {
                break &buffer[..length];
            }
        };
        assert_eq!((answer, proxy.strays), (b"hello yourself".as_slice(), 1));
    }
}
