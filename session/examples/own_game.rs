//! Your own game on Snapback: two players, a lossy link, one result.
//!
//! Run it with `cargo run --release -p snapback --example own_game`.

use bytemuck::{Pod, Zeroable};
use core::error::Error;
use snapback::state::pod;
use snapback::transport::secure::{Identity, MatchSecret};
use snapback::transport::{LinkConditioner, LinkSettings, link::Loss};
use snapback::*;
use std::net::SocketAddr;

/// The whole state of the game: one flat block. `SimState` gives every field a name.
#[derive(Clone, Copy, Pod, Zeroable, SimState)]
#[sim(crate = "snapback")]
#[repr(C)]
struct Ring {
    position_cm: [Fx; 2],
    speed: [Fx; 2],
    falls: [u32; 2],
}

/// Two wrestlers push each other off a platform of four metres.
struct Sumo(Ring);

const RIGHT: u8 = 1;
const LEFT: u8 = 2;

impl Simulation for Sumo {
    type Input = u8;

    fn id(&self) -> SimulationId {
        SimulationId { name: "sumo", version: 1 }
    }

    fn layout(&self) -> StateLayout {
        StateLayout::of::<Ring>()
    }

    fn reset(&mut self, _seed: u64, players: usize) -> Result<(), ResetError> {
        if players != 2 {
            return Err(ResetError { reason: format!("sumo is for 2 players, not {players}") });
        }
        self.0 = Ring { position_cm: [Fx::from_int(-100), Fx::from_int(100)], ..Ring::zeroed() };
        Ok(())
    }

    fn step(&mut self, _frame: Frame, inputs: &FrameInputs<'_, u8>, effects: &mut Effects) {
        let ring = &mut self.0;
        for seat in 0..2 {
            let pressed = inputs.input(PlayerHandle::new(seat as u8));
            let push = i32::from(pressed & RIGHT != 0) - i32::from(pressed & LEFT != 0);
            ring.speed[seat] = ring.speed[seat] * Fx::ratio(9, 10) + Fx::from_int(push);
            ring.position_cm[seat] += ring.speed[seat];
        }
        if ring.position_cm[0] > ring.position_cm[1] - Fx::from_int(60) {
            ring.speed.swap(0, 1);
            effects.emit(EffectId { source: 0, kind: NameHash::constant("bump"), key: 0 }, [0; 4]);
        }
        for seat in 0..2 {
            if ring.position_cm[seat].abs() > Fx::from_int(200) {
                ring.falls[seat] += 1;
                ring.position_cm = [Fx::from_int(-100), Fx::from_int(100)];
                ring.speed = [Fx::ZERO; 2];
            }
        }
    }

    fn capture(&self, out: &mut [u8]) {
        pod::capture(&self.0, out);
    }

    fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> {
        pod::restore(&mut self.0, snapshot)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    // A link of 40 ms each way that loses 10 % of all packets, on a clock that is only a number.
    let addresses = [SocketAddr::from(([10, 0, 0, 1], 7000)), SocketAddr::from(([10, 0, 0, 2], 7000))];
    let settings =
        LinkSettings { delay_us: 40_000, jitter_us: 5_000, loss: Loss::Independent { per_million: 100_000 }, ..LinkSettings::default() };
    let mut links = [0, 1].map(|direction| LinkConditioner::new(settings, 7, direction));
    let host = Role::Host { first_frame: Frame::ZERO, last_frame: Some(Frame::new(1_199)) };
    let mut peers = Vec::new();
    // In a real program these 32 bytes, the nonces and the shares of the seed come from the system's random source. The host's
    // fingerprint, the seat and its secret reach the joiner in a ticket.
    let secret = MatchSecret([3; 32]);
    let host_credentials = Credentials::host(Identity::from_seed(&[1; 32]), [1; 32], secret)?;
    let fingerprint = host_credentials.certificate.fingerprint();
    let joiner_credentials = Credentials::join(Identity::from_seed(&[2; 32]), [2; 32], 1, secret.seat(1), fingerprint)?;
    for (nonce, role, credentials) in [(11, host, host_credentials), (22, Role::Join { host: addresses[0] }, joiner_credentials)] {
        let config = RollbackConfig::default();
        let local_player_count = 1;
        let settings = PeerSettings {
            role,
            match_id: 5,
            nonce,
            // Also from the random source: neither peer can choose the seed.
            seed_secret: SeedSecret::fixed(nonce),
            player_count: 2,
            local_player_count,
            config,
            input_delay_frames: 1,
            security: credentials.into(),
        };
        let mut peer = Peer::new(Sumo(Ring::zeroed()), settings, 0)?;
        peer.set_loaded();
        peers.push(peer);
    }

    // One turn of this loop is a millisecond. In a real program it is your main loop: datagrams come
    // from a socket, `now_us` from a clock, and `thumb` from a pad.
    let (mut buffer, mut pacers) = ([0; TRANSMIT_BUFFER_BYTES], [None; 2]);
    for now_us in (0..60_000_000).step_by(1_000) {
        for me in 0..2 {
            let (other, peer) = (1 - me, &mut peers[me]);
            while let Some(datagram) = links[other].receive(now_us) {
                peer.handle(now_us, addresses[other], datagram);
            }
            // Before the first tick the time of the start may still be refined.
            if peer.phase() < PeerPhase::Playing {
                pacers[me] = peer.start_at_us().map(|start_us| Pacer::new(start_us, 60));
            }
            let stretch_ppm = peer.time_sync().stretch_ppm;
            let due = pacers[me].as_mut().is_some_and(|pacer| pacer.take(now_us, stretch_ppm));
            if let (true, Some(seat)) = (due, peer.facts().and_then(|facts| facts.local_players.iter().next())) {
                peer.tick(now_us, &[LocalInput::new(seat, thumb(seat, now_us))])?;
            }
            while let Some(Transmit { len, .. }) = peer.poll_transmit(now_us, &mut buffer) {
                links[me].send(now_us, &buffer[..len]);
            }
        }
        if peers.iter().all(|peer| peer.phase() == PeerPhase::Over) {
            break;
        }
    }
    for peer in &peers {
        let (Some(outcome), Some(session)) = (peer.outcome(), peer.session()) else { continue };
        let (stats, hash) = (session.stats(), peer.confirmed_state().state_hash);
        println!(
            "{} frames, {} rollbacks, falls {:?}, hash {hash}: {outcome}",
            stats.frames,
            stats.rollbacks,
            session.simulation().0.falls
        );
    }
    Ok(())
}

/// What a player presses: a new direction every 100 ms or so.
fn thumb(seat: PlayerHandle, now_us: u64) -> u8 {
    let mut dice = Rng::new(now_us / 100_000, seat.index() as u64);
    [0, RIGHT, RIGHT, LEFT][dice.below(4) as usize]
}
