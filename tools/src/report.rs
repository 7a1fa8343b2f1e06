//! [`Report`]: what comes out at the end. Its JSON form is an interface: fields are added, not changed.

use crate::pace::Pulse;
use crate::plant::PlantedWorld;
use crate::results::RoundLine;
use serde::{Deserialize, Serialize};
use snapback::{Divergence, Peer};
use snapback_harness::Fault;

/// Everything about a match that was played.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Report {
    /// Every frame is confirmed by every peer, and all hashes are the same. In a duel also those of
    /// a straight replay.
    pub(crate) agree: bool,
    /// The same for people, in one line.
    pub(crate) outcome: String,
    /// `duel`, `duel --fast`, `host` or `join`.
    pub(crate) mode: &'static str,
    pub(crate) players: u8,
    pub(crate) seed: u64,
    /// What the link was told to do.
    pub(crate) link: String,
    /// Always false: encryption is yet to come.
    pub(crate) encrypted: bool,
    /// Frames that every peer of the report has confirmed.
    pub(crate) frames: u64,
    /// How many there should be; none for an endless match.
    pub(crate) frames_wanted: Option<u64>,
    /// Frames a second while not frozen, of the slowest peer.
    pub(crate) achieved_hz: f64,
    pub(crate) results: Vec<RoundLine>,
    pub(crate) peers: Vec<PeerReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) divergence: Option<DivergenceReport>,
}

/// What one peer did.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PeerReport {
    pub(crate) player: usize,
    pub(crate) confirmed_hash: String,
    pub(crate) confirmed_frames: u64,
    /// Over the hashes of all confirmed frames.
    pub(crate) digest: String,
    pub(crate) achieved_hz: f64,
    pub(crate) rollbacks: u64,
    pub(crate) max_depth: u32,
    pub(crate) mean_depth: f64,
    /// How many rollbacks were n frames deep, at place n.
    pub(crate) depth_histogram: Vec<u64>,
    pub(crate) resimulated_frames: u64,
    pub(crate) stalled_frames: u64,
    pub(crate) packets_sent: u64,
    pub(crate) bytes_sent: u64,
    pub(crate) packets_received: u64,
    pub(crate) bytes_received: u64,
    /// Packets that were never acknowledged.
    pub(crate) packets_lost: u64,
    /// Of the worst connection.
    pub(crate) rtt_ms: f64,
    pub(crate) jitter_ms: f64,
    /// Datagrams that were dropped because something was wrong with them, duplicates among them.
    pub(crate) rejected: u64,
    pub(crate) input_delay_frames: u8,
}

/// Where peers came apart.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct DivergenceReport {
    /// The first frame that differs.
    pub(crate) frame: i64,
    /// The peer that differs from what its inputs give, by its place in `peers`.
    pub(crate) peer: usize,
    /// The first field that differs.
    pub(crate) field: String,
    /// What the field should be.
    pub(crate) expected: String,
    /// What that peer has there.
    pub(crate) actual: String,
    pub(crate) expected_hash: Option<String>,
    pub(crate) actual_hash: Option<String>,
}

impl DivergenceReport {
    /// A state that is not what the inputs give.
    pub(crate) fn of_state(peer: usize, divergence: &Divergence) -> Self {
        let Divergence { frame, expected, actual, field } = divergence;
        let (path, left, right) = match field {
            Some(field) => (field.path.clone(), field.left.to_string(), field.right.to_string()),
            None => ("the state hash".to_owned(), expected.to_string(), actual.to_string()),
        };
        Self {
            frame: frame.number(),
            peer,
            field: path,
            expected: left,
            actual: right,
            expected_hash: Some(expected.to_string()),
            actual_hash: Some(actual.to_string()),
        }
    }

    /// What the judge of a cluster found.
    pub(crate) fn of_fault(fault: &Fault) -> Self {
        match fault {
            Fault::State { peer, divergence } => Self::of_state(*peer, divergence),
            Fault::Input { peer, frame, player, expected, actual } => {
                Self::of_input(*peer, frame.number(), player.index(), expected.clone(), actual.clone())
            }
            Fault::Skipped { peer, expected, actual } => Self {
                frame: expected.number(),
                peer: *peer,
                field: "the number of the confirmed frame".to_owned(),
                expected: expected.to_string(),
                actual: actual.to_string(),
                expected_hash: None,
                actual_hash: None,
            },
        }
    }

    /// Two peers that confirmed different inputs.
    pub(crate) fn of_input(peer: usize, frame: i64, player: usize, expected: String, actual: String) -> Self {
        Self { frame, peer, field: format!("the input of player {player}"), expected, actual, expected_hash: None, actual_hash: None }
    }

    /// In one line.
    pub(crate) fn line(&self) -> String {
        let Self { frame, peer, field, expected, actual, .. } = self;
        format!("frame {frame} is the first that differs: {field} should be {expected} and is {actual} at peer {peer}")
    }
}

impl PeerReport {
    /// What `peer` has done so far.
    pub(crate) fn of(peer: &Peer<PlantedWorld>, pulse: &Pulse) -> Self {
        let confirmed = peer.confirmed_state();
        let first = peer.facts().map_or(0, |facts| facts.first_frame.number());
        let stats = peer.session().map(|session| *session.stats()).unwrap_or_default();
        let mut report = Self {
            player: peer.facts().and_then(|facts| facts.local_players.iter().next()).map_or(0, |player| player.index()),
            confirmed_hash: confirmed.state_hash.to_string(),
            confirmed_frames: u64::try_from(confirmed.frame.next().number() - first).unwrap_or(0),
            digest: format!("{:08x}", confirmed.digest),
            achieved_hz: from_thousandths(pulse.millihertz()),
            rollbacks: stats.rollbacks,
            max_depth: stats.max_depth,
            mean_depth: from_thousandths(stats.mean_depth_thousandths()),
            depth_histogram: stats.depth_counts().to_vec(),
            resimulated_frames: stats.resimulated_frames,
            stalled_frames: stats.stalled_frames,
            packets_sent: 0,
            bytes_sent: 0,
            packets_received: 0,
            bytes_received: 0,
            packets_lost: 0,
            rtt_ms: 0.0,
            jitter_ms: 0.0,
            rejected: peer.rejects().map(|(_, count)| count).sum(),
            input_delay_frames: peer.session().map_or(0, |session| session.settings().input_delay_frames),
        };
        let (mut rtt_us, mut jitter_us) = (0, 0);
        for (_, stats) in peer.connections() {
            report.packets_sent += stats.packets_sent;
            report.bytes_sent += stats.bytes_sent;
            report.packets_received += stats.packets_received;
            report.bytes_received += stats.bytes_received;
            report.packets_lost += stats.packets_lost;
            rtt_us = rtt_us.max(stats.rtt_us.unwrap_or(0));
            jitter_us = jitter_us.max(stats.jitter_us);
        }
        report.rtt_ms = from_thousandths(rtt_us);
        report.jitter_ms = from_thousandths(jitter_us);
        report
    }
}

/// For display only: nothing is decided by it.
#[expect(clippy::float_arithmetic, reason = "display only")]
fn from_thousandths(thousandths: u64) -> f64 {
    thousandths as f64 / 1_000.0
}

/// The rate of the slowest peer.
pub(crate) fn slowest_hz(peers: &[PeerReport]) -> f64 {
    peers.iter().map(|peer| peer.achieved_hz).reduce(f64::min).unwrap_or(0.0)
}
