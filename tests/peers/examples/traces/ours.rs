//! [`Ours`]: two Snapback peers, each driven as its documentation says.

use crate::road::Road;
use crate::tally::{DEEP_FRAMES, SEED, Tally};
use snapback::{
    Frame, LocalInput, Pacer, Peer, PeerPhase, PeerSettings, PlayerHandle, Role, RollbackConfig, SeedSecret, SessionStats, StateHash,
    TRANSMIT_BUFFER_BYTES,
};
use snapback_peers::ADDRESSES;
use snapback_peers::security::encrypted;
use snapback_peers::tiny_game::TinyGame;
use std::ops::Range;

pub(crate) struct Ours {
    peers: [Peer<TinyGame>; 2],
    pacers: [Option<Pacer>; 2],
    next_confirmed: [Frame; 2],
    /// How long the frozen ticks of each were, since it plays.
    frozen_us: [u64; 2],
    /// The counters when measuring began.
    before: Option<([SessionStats; 2], [u64; 2])>,
}

impl Ours {
    pub(crate) fn new(window_frames: u32, delay_frames: u8) -> Self {
        let config = RollbackConfig {
            prediction_window_frames: window_frames,
            disconnect_notify_ms: 60_000,
            disconnect_timeout_ms: 120_000,
            ..RollbackConfig::default()
        };
        let mut roles = [Role::Host { first_frame: Frame::ZERO, last_frame: None }, Role::Join { host: ADDRESSES[0] }].into_iter();
        let mut nonce = 0x5EED_0000;
        let peers = encrypted().map(|security| {
            nonce += 1;
            let settings = PeerSettings {
                role: roles.next().expect("two peers have two roles"),
                match_id: 0xA11CE,
                nonce,
                seed_secret: SeedSecret::fixed(if nonce == 0x5EED_0001 { SEED } else { 0 }),
                player_count: 2,
                local_player_count: 1,
                config,
                input_delay_frames: delay_frames,
                security,
            };
            let mut peer = Peer::new(TinyGame::default(), settings, 0).expect("these settings are possible");
            peer.set_loaded();
            peer
        });
        Self { peers, pacers: [None; 2], next_confirmed: [Frame::ZERO; 2], frozen_us: [0; 2], before: None }
    }

    pub(crate) fn is_playing(&self) -> bool {
        self.peers.iter().all(|peer| peer.phase() == PeerPhase::Playing)
    }

    /// One turn of the main loops of these seats. `trace_us` is the time of the recording.
    pub(crate) fn turn(&mut self, seats: Range<usize>, now_us: u64, trace_us: u64, road: &Road, pressed: impl Fn(usize, i64) -> u16) {
        let mut buffer = [0; TRANSMIT_BUFFER_BYTES];
        for seat in seats {
            let peer = &mut self.peers[seat];
            road.receive(seat, trace_us, |datagram| peer.handle(now_us, ADDRESSES[1 - seat], datagram));
            if peer.phase() < PeerPhase::Playing {
                self.pacers[seat] = peer.start_at_us().map(|start_us| Pacer::new(start_us, 60));
            }
            let due_us = |pacers: &[Option<Pacer>; 2]| pacers[seat].map_or(0, |pacer| pacer.due_us());
            let mut since_us = due_us(&self.pacers);
            while self.pacers[seat].as_mut().is_some_and(|pacer| pacer.take(now_us, peer.time_sync().stretch_ppm)) {
                let frame = peer.session().map_or(0, |session| session.current_frame().next().number());
                let local = LocalInput::new(PlayerHandle::new(seat as u8), pressed(seat, frame));
                let report = peer.tick(now_us, &[local]).expect("a match between peers that keep the rules goes on");
                let until_us = due_us(&self.pacers);
                self.frozen_us[seat] += if report.simulation_frozen { until_us - since_us } else { 0 };
                since_us = until_us;
                flush(peer, seat, now_us, trace_us, road, &mut buffer);
            }
            flush(peer, seat, now_us, trace_us, road, &mut buffer);
            while peer.poll_event().is_some() {}
        }
    }

    /// Shows every frame that has become confirmed since the last call.
    pub(crate) fn confirmed(&mut self, mut visit: impl FnMut(usize, Frame, StateHash)) {
        for seat in 0..2 {
            let Some(session) = self.peers[seat].session_mut() else { continue };
            while let Some(confirmed) = session.confirmed(self.next_confirmed[seat]) {
                visit(seat, confirmed.frame, confirmed.state_hash);
                self.next_confirmed[seat] = self.next_confirmed[seat].next();
            }
        }
    }

    /// The frames that they play.
    pub(crate) fn frames(&self) -> [i64; 2] {
        self.peers.each_ref().map(|peer| peer.session().map_or(0, |session| session.current_frame().number()))
    }

    /// From now on it counts.
    pub(crate) fn begin(&mut self) {
        self.before = Some((self.stats(), self.frozen_us));
    }

    fn stats(&self) -> [SessionStats; 2] {
        self.peers.each_ref().map(|peer| peer.session().map(|session| *session.stats()).unwrap_or_default())
    }

    /// What each peer has done since it counts.
    pub(crate) fn tallies(&self) -> [Tally; 2] {
        let ((before, frozen_before), after) = (self.before.unwrap_or_default(), self.stats());
        [0, 1].map(|seat| {
            let (before, after) = (&before[seat], &after[seat]);
            let depths = after.depth_counts().iter().zip(before.depth_counts().iter().chain(std::iter::repeat(&0)));
            let counts: Vec<(u32, u64)> = depths.enumerate().map(|(depth, (now, then))| (depth as u32, now - then)).collect();
            Tally {
                frames: after.frames - before.frames,
                stalled_ticks: after.stalled_frames - before.stalled_frames,
                frozen_us: self.frozen_us[seat] - frozen_before[seat],
                rollbacks: after.rollbacks - before.rollbacks,
                resimulated_frames: after.resimulated_frames - before.resimulated_frames,
                deep_rollbacks: counts.iter().filter(|(depth, _)| *depth >= DEEP_FRAMES).map(|(_, count)| count).sum(),
                deepest_frames: counts.iter().filter(|(_, count)| *count > 0).map(|(depth, _)| *depth).max().unwrap_or(0),
                ..Tally::default()
            }
        })
    }
}

fn flush(peer: &mut Peer<TinyGame>, seat: usize, now_us: u64, trace_us: u64, road: &Road, buffer: &mut [u8]) {
    while let Some(transmit) = peer.poll_transmit(now_us, buffer) {
        road.send(seat, trace_us, &buffer[..transmit.len]);
    }
}
