//! What two peers promise each other beyond the inputs: packets while frozen, a bound on what is owed,
//! a verdict at the end.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use bytemuck::{Pod, Zeroable};
use snapback::state::pod;
use snapback::transport::endpoint::most_owed_frames;
use snapback::transport::packet::{BarrierState, PacketType, SeedPart};
use snapback::transport::{Endpoint, EndpointSettings, Handled, LinkSettings, PeerParams};
use snapback::*;
use snapback_harness::ClusterSettings;
use snapback_harness::plan::world_cluster;
use std::cell::RefCell;
use std::net::SocketAddr;
use std::rc::Rc;

/// One direction is dead for a second and a half. The side that hears nothing is frozen at its
/// ceiling, and goes on sending a packet a tick all the same: the other side needs them.
#[test]
fn a_frozen_tick_still_sends() {
    let link = LinkSettings { delay_us: 20_000, ..LinkSettings::default() };
    let mut cluster = world_cluster(&ClusterSettings { link, ..ClusterSettings::new(3, 2, 600) }).unwrap();
    let sent: Rc<RefCell<Vec<u64>>> = Rc::default();
    let sent_in = Rc::clone(&sent);
    let outage = 3_000_000..4_500_000;
    let outage_in = outage.clone();
    cluster.set_filter(move |passing| {
        let dead = outage_in.contains(&passing.now_us);
        if dead && passing.from == 0 && PacketType::of(passing.bytes) == Ok(PacketType::Input) {
            sent_in.borrow_mut().push(passing.now_us);
        }
        !(dead && passing.from == 1)
    });
    cluster.run_until(4_400_000).unwrap();
    assert!(cluster.nodes()[0].last_report.unwrap().simulation_frozen);
    cluster.run(60_000_000).unwrap();
    // 1.5 s are 90 ticks, nearly all of them frozen; a keepalive alone would send 15.
    assert!((86..=92).contains(&sent.borrow().len()), "{}", sent.borrow().len());
}

/// Adds up what it is given; a peer whose `lie` is set adds one more at frame 40.
#[derive(Clone, Copy)]
struct Sum {
    total: u64,
    lie: bool,
}

#[derive(Clone, Copy, Pod, Zeroable, SimState)]
#[sim(crate = "snapback")]
#[repr(C)]
struct Total(u64);

impl Simulation for Sum {
    type Input = u8;
    fn id(&self) -> SimulationId {
        SimulationId { name: "sum", version: 1 }
    }
    fn layout(&self) -> StateLayout {
        StateLayout::of::<Total>()
    }
    fn reset(&mut self, seed: u64, _: usize) -> Result<(), ResetError> {
        self.total = seed;
        Ok(())
    }
    fn step(&mut self, frame: Frame, inputs: &FrameInputs<'_, u8>, _: &mut Effects) {
        for seat in 0..inputs.player_count() {
            self.total = self.total.wrapping_mul(31).wrapping_add(inputs.input(PlayerHandle::new(seat as u8)).into());
        }
        self.total = self.total.wrapping_add(u64::from(self.lie && frame == Frame::new(40)));
    }
    fn capture(&self, out: &mut [u8]) {
        pod::capture(&Total(self.total), out);
    }
    fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> {
        let mut total = Total(0);
        pod::restore(&mut total, snapshot)?;
        self.total = total.0;
        Ok(())
    }
}

const ADDRESSES: [SocketAddr; 2] = [
    SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 1)), 1),
    SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 2)), 1),
];

fn peer(me: usize, lie: bool, last: i64) -> Peer<Sum> {
    let host = Role::Host { first_frame: Frame::ZERO, last_frame: Some(Frame::new(last)) };
    let role = if me == 0 { host } else { Role::Join { host: ADDRESSES[0] } };
    let config = RollbackConfig { require_encrypted_transport: false, ..RollbackConfig::default() };
    let nonce = 0x1_0000 * (me as u64 + 1);
    let settings = PeerSettings {
        role,
        match_id: 9,
        nonce,
        seed_secret: SeedSecret::fixed(4 * u64::from(me == 0)),
        player_count: 2,
        local_player_count: 1,
        config,
        input_delay_frames: 0,
        security: Security::InsecureLan,
    };
    let mut peer = Peer::new(Sum { total: 0, lie }, settings, 0).unwrap();
    peer.set_loaded();
    peer
}

/// Plays two peers to their end on a link without delay, a tick every 10 ms.
fn play(peers: &mut [Peer<Sum>; 2]) {
    let mut buffer = [0; TRANSMIT_BUFFER_BYTES];
    for now_us in (0..20_000_000).step_by(10_000) {
        for me in 0..2 {
            if peers[me].start_at_us().is_some_and(|start| now_us >= start) && peers[me].phase() != PeerPhase::Over {
                let input = LocalInput::new(PlayerHandle::new(me as u8), (now_us / 70_000) as u8);
                peers[me].tick(now_us, &[input]).unwrap();
            }
            while let Some(transmit) = peers[me].poll_transmit(now_us, &mut buffer) {
                peers[1 - me].handle(now_us, ADDRESSES[me], &buffer[..transmit.len]);
            }
        }
    }
}

#[test]
fn peers_that_computed_the_same_say_so_and_those_that_did_not_say_that() {
    let mut honest = [peer(0, false, 99), peer(1, false, 99)];
    play(&mut honest);
    assert_eq!(honest.each_ref().map(|peer| peer.outcome()), [Some(&Outcome::Agreed); 2]);

    // Too short for a check that finds it: the goodbyes do.
    let mut differing = [peer(0, false, 59), peer(1, true, 59)];
    play(&mut differing);
    for (me, peer) in differing.iter().enumerate() {
        let Some(Outcome::Disagreed { players, ours, theirs }) = peer.outcome() else { panic!("{:?}", peer.outcome()) };
        assert!(players.contains(PlayerHandle::new(1 - me as u8)));
        assert_eq!((ours.frame, theirs.frame), (Frame::new(59), Frame::new(59)));
        assert_ne!(ours.digest, theirs.digest);
    }
    let mut longer = [peer(0, false, 99), peer(1, true, 99)];
    play(&mut longer);
    assert!(longer.iter().all(|peer| matches!(peer.outcome(), Some(Outcome::Desynced { .. }))));
}

/// A peer that plays on and never acknowledges: what it is owed stays within both sides' maxima.
#[test]
fn a_peer_that_acknowledges_nothing_is_waited_for_by_a_type() {
    let mut host = peer(0, false, 5_000);
    let params = PeerParams {
        simulation_name: NameHash::of("sum").bits(),
        simulation_version: 1,
        layout_fingerprint: StateLayout::of::<Total>().fingerprint(),
        config_hash: 0,
        simulation_hz: 60,
        input_bytes: 1,
        player_count: 2,
        window_max_frames: 8,
        delay_max_frames: 30,
    };
    let settings = EndpointSettings::new(9, 77, params, PlayerSet::EMPTY, &RollbackConfig::default());
    let mut joiner = Endpoint::dial(ADDRESSES[0], settings, 0);
    let seed = SeedPart::new(&SeedSecret::fixed(0), 9, PlayerSet::from_bits(2), 0, true);
    let (mut buffer, mut out) = ([0; TRANSMIT_BUFFER_BYTES], [0; TRANSMIT_BUFFER_BYTES]);
    let (mut frame, mut last_report) = (0i64, None);
    for now_us in (0..6_000_000).step_by(10_000) {
        let started = host.phase() >= PeerPhase::Playing;
        let len = match joiner.state() {
            snapback::transport::LinkState::Dialing => joiner.write_hello(1, &mut out),
            _ if !started => joiner.write_sync(now_us, BarrierState::Ready, None, &seed, &[], &mut out),
            _ => {
                joiner.on(snapback::transport::endpoint::LinkEvent::Started);
                // As far ahead of the host as it may be. Its own packets are never read again.
                let newest = host.session().unwrap().current_frame().number() + 5;
                frame = frame.max(newest);
                joiner.write_inputs(now_us, Frame::new(frame), &mut out, |_, _, _| Command::NONE)
            }
        };
        host.handle(now_us, ADDRESSES[1], &out[..len]);
        if host.start_at_us().is_some_and(|start| now_us >= start) {
            last_report = Some(host.tick(now_us, &[LocalInput::new(PlayerHandle::new(0), 1)]).unwrap());
        }
        while let Some(transmit) = host.poll_transmit(now_us, &mut buffer) {
            if !started {
                let handled = joiner.handle(now_us, &buffer[..transmit.len]).unwrap();
                assert!(matches!(handled, Handled::Welcomed(_) | Handled::Waiting | Handled::Inputs(_)));
            }
        }
    }
    let most = most_owed_frames(&params, &PeerParams { delay_max_frames: 10, ..params }) as i64;
    let report = last_report.unwrap();
    let Some(FreezeReason::ResendWindowFull { acked_frame, .. }) = report.reason else { panic!("{report:?}") };
    assert_eq!((report.frame - acked_frame, most), (most, 8 + 8 + 10 + 30));
}

/// A peer that waits for everybody's share and then says another one than it had committed itself to.
#[test]
fn a_peer_that_tries_to_choose_the_seed_is_named() {
    let mut host = peer(0, false, 100);
    let params = PeerParams {
        simulation_name: NameHash::of("sum").bits(),
        simulation_version: 1,
        layout_fingerprint: StateLayout::of::<Total>().fingerprint(),
        config_hash: 0,
        simulation_hz: 60,
        input_bytes: 1,
        player_count: 2,
        window_max_frames: 8,
        delay_max_frames: 10,
    };
    let settings = EndpointSettings::new(9, 77, params, PlayerSet::EMPTY, &RollbackConfig::default());
    let mut joiner = Endpoint::dial(ADDRESSES[0], settings, 0);
    let (mut buffer, mut out) = ([0; TRANSMIT_BUFFER_BYTES], [0; TRANSMIT_BUFFER_BYTES]);
    let here = PlayerSet::from_bits(2);
    for now_us in (0..1_000_000).step_by(10_000) {
        let honest = SeedPart::new(&SeedSecret::fixed(3), 9, here, 0, false);
        let theirs = joiner.barrier().seed.and_then(|part| part.share);
        let share = theirs.map(|share| SeedSecret::fixed(share.seed() ^ 0xC0FFEE).share(0));
        let len = match joiner.state() {
            snapback::transport::LinkState::Dialing => joiner.write_hello(1, &mut out),
            _ => joiner.write_sync(now_us, BarrierState::Loaded, None, &SeedPart { share, ..honest }, &[], &mut out),
        };
        host.handle(now_us, ADDRESSES[1], &out[..len]);
        while let Some(transmit) = host.poll_transmit(now_us, &mut buffer) {
            let _ = joiner.handle(now_us, &buffer[..transmit.len]);
        }
    }
    assert_eq!(host.outcome(), Some(&Outcome::SeedForged { players: here, told_by: PlayerSet::EMPTY }));
    assert_eq!(host.facts().and_then(|facts| facts.seed), None);
}
