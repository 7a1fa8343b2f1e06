//! [`Table`]: peers around one table, with a clock of theirs and a network that delivers at once.

use snapback::sim::{PadInput, World, WorldData};
use snapback::transport::secure::{Fingerprint, Identity, MatchSecret};
use snapback::{
    Credentials, Frame, LocalInput, Outcome, Peer, PeerEvent, PeerPhase, PeerSettings, Role, RollbackConfig, Security, SeedSecret,
    TRANSMIT_BUFFER_BYTES,
};
use std::net::SocketAddr;

pub(crate) const MATCH_ID: u64 = 5;
pub(crate) const SECRET: MatchSecret = MatchSecret([77; 32]);

const STEP_US: u64 = 5_000;

pub(crate) fn address(index: usize) -> SocketAddr {
    SocketAddr::from(([10, 0, 0, 1 + index as u8], 7_000))
}

pub(crate) fn identity(index: usize) -> Identity {
    Identity::from_seed(&[1 + index as u8; 32])
}

/// The host's credentials and the fingerprint that stands in its tickets.
pub(crate) fn host_credentials() -> (Credentials, Fingerprint) {
    let credentials = Credentials::host(identity(0), [100; 32], SECRET).unwrap();
    let fingerprint = credentials.certificate.fingerprint();
    (credentials, fingerprint)
}

pub(crate) fn ticket(index: usize, secret: MatchSecret, host: Fingerprint) -> Credentials {
    Credentials::join(identity(index), [100 + index as u8; 32], index as u8, secret.seat(index as u8), host).unwrap()
}

/// A host if `index` is 0, else a joiner, in a match of 600 frames.
pub(crate) fn settings(index: usize, player_count: u8, nonce: u64, security: Security) -> PeerSettings {
    let role = match index {
        0 => Role::Host { first_frame: Frame::ZERO, last_frame: Some(Frame::new(599)) },
        _ => Role::Join { host: address(0) },
    };
    let require_encrypted_transport = matches!(security, Security::Encrypted(_));
    PeerSettings {
        role,
        match_id: MATCH_ID,
        nonce,
        seed_secret: SeedSecret::fixed(3),
        player_count,
        local_player_count: 1,
        config: RollbackConfig { require_encrypted_transport, ..RollbackConfig::default() },
        input_delay_frames: 0,
        security,
    }
}

pub(crate) struct Chair {
    pub(crate) peer: Peer<World>,
    pub(crate) address: SocketAddr,
    pub(crate) events: Vec<PeerEvent>,
    ticks: u64,
    presses: u64,
}

#[derive(Default)]
pub(crate) struct Table {
    pub(crate) now_us: u64,
    pub(crate) chairs: Vec<Chair>,
    /// While it holds, everybody polls and nobody ticks.
    pub(crate) is_paused: bool,
    /// From here to there nothing gets through.
    pub(crate) blocked: Option<(SocketAddr, SocketAddr)>,
}

impl Table {
    pub(crate) fn seat(&mut self, address: SocketAddr, settings: PeerSettings) {
        let mut peer = Peer::new(World::new(WorldData::default()), settings, self.now_us).unwrap();
        peer.set_loaded();
        self.chairs.push(Chair { peer, address, events: Vec::new(), ticks: 0, presses: 0 });
    }

    /// A host and its joiners, encrypted, with one ticket each.
    pub(crate) fn encrypted(player_count: u8) -> (Self, Fingerprint) {
        let mut table = Self::default();
        let (credentials, fingerprint) = host_credentials();
        table.seat(address(0), settings(0, player_count, 1_000, credentials.into()));
        for index in 1..usize::from(player_count) {
            let credentials = ticket(index, SECRET, fingerprint);
            table.seat(address(index), settings(index, player_count, 1_000 + index as u64, credentials.into()));
        }
        (table, fingerprint)
    }

    pub(crate) fn run(&mut self, until_us: u64) {
        while self.now_us < until_us && !self.chairs.iter().all(|chair| chair.peer.phase() == PeerPhase::Over) {
            self.step();
        }
    }

    pub(crate) fn run_until(&mut self, limit_us: u64, is_so: impl Fn(&Self) -> bool) {
        while !is_so(self) {
            assert!(self.now_us < limit_us, "it never happens: {:?}", self.outcomes());
            self.step();
        }
    }

    pub(crate) fn outcomes(&self) -> Vec<(PeerPhase, Option<Outcome>)> {
        self.chairs.iter().map(|chair| (chair.peer.phase(), chair.peer.outcome().cloned())).collect()
    }

    /// To the end, which must be that everybody agrees.
    pub(crate) fn must_agree(&mut self, limit_us: u64) {
        self.run(limit_us);
        for (phase, outcome) in self.outcomes() {
            assert_eq!((phase, outcome), (PeerPhase::Over, Some(Outcome::Agreed)), "at {} us: {:?}", self.now_us, self.outcomes());
        }
    }

    pub(crate) fn step(&mut self) {
        let now_us = self.now_us;
        let mut letters = Vec::new();
        let mut buffer = [0; TRANSMIT_BUFFER_BYTES];
        for chair in &mut self.chairs {
            if !self.is_paused {
                chair.tick(now_us);
            }
            let mut count = 0;
            while let Some(transmit) = chair.peer.poll_transmit(now_us, &mut buffer) {
                count += 1;
                assert!(count < 1_000, "it sends without end");
                letters.push((chair.address, transmit.to, buffer[..transmit.len].to_vec()));
            }
            while let Some(event) = chair.peer.poll_event() {
                chair.events.push(event);
            }
        }
        letters.retain(|(from, to, _)| self.blocked != Some((*from, *to)));
        for (from, to, bytes) in letters {
            if let Some(chair) = self.chairs.iter_mut().find(|chair| chair.address == to) {
                chair.peer.handle(now_us, from, &bytes);
            }
        }
        self.now_us += STEP_US;
    }
}

impl Chair {
    fn tick(&mut self, now_us: u64) {
        let Some(start_us) = self.peer.start_at_us() else { return };
        let Some(facts) = self.peer.facts() else { return };
        let due_us = start_us + self.ticks * 1_000_000 / 60;
        if self.peer.phase() == PeerPhase::Over || now_us < due_us {
            return;
        }
        self.ticks = (now_us - start_us) * 60 / 1_000_000 + 1;
        let press = |player| LocalInput::new(player, PadInput::new((self.presses / 6 % 256) as u16));
        let pressed: Vec<_> = facts.local_players.iter().map(press).collect();
        let report = self.peer.tick(now_us, &pressed).unwrap();
        self.presses += u64::from(!report.simulation_frozen);
    }
}
