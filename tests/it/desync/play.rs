//! Playing matches of [`Game`] whose peers find faults themselves, and inquiries between them.

use crate::game::{Fault, Game};
use snapback::desync::{DesyncInquiry, DesyncReport, InquiryState};
use snapback::{Command, Frame, Outcome, PlayerHandle, Rng};
use snapback_harness::cluster::{Cluster, ClusterSettings};
use snapback_harness::pilot::Pilot;
use std::cell::Cell;

/// The peer whose simulation is broken, if one is.
pub(crate) const BROKEN: usize = 1;

struct Script {
    rng: Rng,
}

impl Pilot<Game> for Script {
    fn press(&mut self, _: Frame, _: PlayerHandle, _: &Game) -> u16 {
        // Another input on most frames: most predictions are wrong.
        self.rng.below(1 << 12) as u16
    }

    fn command(&mut self, frame: Frame, _: PlayerHandle) -> Command {
        let payload = frame.number().to_le_bytes();
        if self.rng.chance(20_000) { Command::new(64, &payload[..4]).unwrap_or(Command::NONE) } else { Command::NONE }
    }
}

/// A match whose peer [`BROKEN`] has this fault; everybody is left to find out.
pub(crate) fn cluster(settings: &ClusterSettings, fault: Option<Fault>) -> Cluster<Game> {
    let made = Cell::new(0);
    let game = || {
        let place = made.replace(made.get() + 1);
        Game::new(fault.filter(|_| place == BROKEN))
    };
    let seed = settings.seed;
    let mut cluster = Cluster::new(settings, game, move |player| Box::new(Script { rng: Rng::new(seed, 900 + player as u64) })).unwrap();
    if fault.is_some() {
        cluster.set_unjudged();
    }
    cluster
}

/// Plays until everybody's match is over, or the time is.
pub(crate) fn play(cluster: &mut Cluster<Game>, limit_us: u64) -> Vec<Option<Outcome>> {
    while !cluster.is_over() && cluster.now_us() < limit_us {
        cluster.advance().unwrap();
    }
    cluster.nodes().iter().map(|node| node.peer.outcome().cloned()).collect()
}

/// Lets two inquiries talk until nobody says anything more.
pub(crate) fn inquire(a: &mut DesyncInquiry, b: &mut DesyncInquiry) -> [DesyncReport; 2] {
    loop {
        let mut is_quiet = true;
        while let Some(message) = a.poll_message() {
            is_quiet = false;
            assert!(message.len() <= snapback::desync::MAX_INQUIRY_BYTES);
            b.handle(&message).unwrap();
        }
        while let Some(message) = b.poll_message() {
            is_quiet = false;
            a.handle(&message).unwrap();
        }
        if is_quiet {
            break;
        }
    }
    assert_eq!([a.state(), b.state()], [InquiryState::Done; 2]);
    [a.report(), b.report()]
}
