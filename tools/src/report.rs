//! [`Report`]: what comes out at the end. Its JSON form is an interface: fields are added, not changed.

use crate::plant::PlantedWorld;
use crate::pulse::Pulse;
use crate::results::{CommandLine, RoundLine};
use crate::side_channels::chat::ChatLine;
use crate::side_channels::report::ChannelsReport;
use crate::standing::Standing;
use serde::{Deserialize, Serialize};
use snapback::desync::DesyncReport;
use snapback::{Divergence, Frame, Peer, PlayerSet};
use snapback_harness::Fault;
use std::collections::BTreeMap;

/// Everything about a match that was played.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Report {
    /// Every frame is confirmed by every peer, and all hashes are the same. In a duel also those of
    /// a straight replay.
    pub(crate) agree: bool,
    /// Nobody disagrees, but not all frames were played: somebody left, or the connection was lost.
    pub(crate) ended_early: bool,
    /// The same for people, in one line.
    pub(crate) outcome: String,
    /// `duel`, `duel --fast`, `host` or `join`.
    pub(crate) mode: &'static str,
    pub(crate) players: u8,
    pub(crate) seed: u64,
    /// What the link was told to do.
    pub(crate) link: String,
    /// Whether nobody on the way could read or change anything.
    pub(crate) encrypted: bool,
    /// Frames that every peer of the report has confirmed.
    pub(crate) frames: u64,
    /// How many there should be; none for an endless match.
    pub(crate) frames_wanted: Option<u64>,
    /// Frames a second while not frozen, of the slowest peer.
    pub(crate) achieved_hz: f64,
    pub(crate) results: Vec<RoundLine>,
    /// What players commanded; nothing most of the time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) commands: Vec<CommandLine>,
    /// How the round stands at the end.
    pub(crate) standing: Option<Standing>,
    /// By player.
    pub(crate) peers: Vec<PeerReport>,
    /// What arrived of chat: the first 256 lines.
    pub(crate) chat: Vec<ChatLine>,
    /// Lines that arrived after those.
    pub(crate) chat_left_out: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) divergence: Option<DivergenceReport>,
    /// What two peers found out about where their states differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) desync: Option<DesyncReport>,
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
    /// Frozen ticks by cause, such as `their_loss`; only causes that froze any.
    pub(crate) stalls: BTreeMap<String, u64>,
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
    /// None if the match has no second socket.
    pub(crate) channels: Option<ChannelsReport>,
    /// The samples of the net graph, if one was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) net: Vec<serde_json::Value>,
}

/// Where peers came apart.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct DivergenceReport {
    /// The first frame that differs.
    pub(crate) frame: i64,
    /// The player whose peer differs from what the inputs give.
    pub(crate) player: usize,
    /// The first field that differs.
    pub(crate) field: String,
    /// What the field should be.
    pub(crate) expected: String,
    /// What that player has there.
    pub(crate) actual: String,
    pub(crate) expected_hash: Option<String>,
    pub(crate) actual_hash: Option<String>,
}

impl DivergenceReport {
    /// A state that is not what the inputs give.
    pub(crate) fn of_state(player: usize, divergence: &Divergence) -> Self {
        let Divergence { frame, expected, actual, field } = divergence;
        let (path, left, right) = match field {
            Some(field) => (field.path.clone(), field.left.to_string(), field.right.to_string()),
            None => ("the state hash".to_owned(), expected.to_string(), actual.to_string()),
        };
        Self {
            frame: frame.number(),
            player,
            field: path,
            expected: left,
            actual: right,
            expected_hash: Some(expected.to_string()),
            actual_hash: Some(actual.to_string()),
        }
    }

    /// What the judge of a cluster found. `player_at` is the player at a peer.
    pub(crate) fn of_fault(fault: &Fault, player_at: impl Fn(usize) -> usize) -> Self {
        match fault {
            Fault::State { peer, divergence } => Self::of_state(player_at(*peer), divergence),
            Fault::Input { peer, frame, player, expected, actual } => {
                Self::of_input(player_at(*peer), frame.number(), player.index(), expected.clone(), actual.clone())
            }
            Fault::Skipped { peer, expected, actual } => Self::of_gap(player_at(*peer), *expected, *actual),
        }
    }

    /// A peer that left out a frame.
    pub(crate) fn of_gap(player: usize, expected: Frame, actual: Frame) -> Self {
        let field = "the number of the confirmed frame".to_owned();
        let [frame, expected, actual] = [expected.number(), expected.number(), actual.number()];
        Self { frame, player, field, expected: expected.to_string(), actual: actual.to_string(), expected_hash: None, actual_hash: None }
    }

    /// Two peers that confirmed different inputs of the player `of`.
    pub(crate) fn of_input(player: usize, frame: i64, of: usize, expected: String, actual: String) -> Self {
        Self { frame, player, field: format!("the input of player {of}"), expected, actual, expected_hash: None, actual_hash: None }
    }

    /// In one line.
    pub(crate) fn line(&self) -> String {
        let Self { frame, player, field, expected, actual, .. } = self;
        format!("frame {frame} is the first that differs: {field} should be {expected} and is {actual} at player {player}")
    }
}

impl PeerReport {
    /// Adds the samples of the net graph.
    pub(crate) fn take_samples(&mut self, peer: &Peer<PlantedWorld>) {
        self.net = peer.net_samples(0).filter_map(|sample| serde_json::from_str(&sample.to_json()).ok()).collect();
    }

    /// What `peer` has done so far.
    pub(crate) fn of(peer: &Peer<PlantedWorld>, pulse: &Pulse) -> Self {
        let confirmed = peer.confirmed_state();
        let first = peer.facts().map_or(0, |facts| facts.first_frame.number());
        let stats = peer.session().map(|session| *session.stats()).unwrap_or_default();
        let mut report = Self {
            player: player_at(peer).unwrap_or(0),
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
            stalls: peer.stalls().iter().map(|(cause, ticks)| (cause.name().to_owned(), ticks)).collect(),
            packets_sent: 0,
            bytes_sent: 0,
            packets_received: 0,
            bytes_received: 0,
            packets_lost: 0,
            rtt_ms: 0.0,
            jitter_ms: 0.0,
            rejected: peer.rejects().map(|(_, count)| count).sum(),
            input_delay_frames: peer.session().map_or(0, |session| session.settings().input_delay_frames),
            channels: None,
            net: Vec::new(),
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

/// Who plays at `peer`, once it has a seat.
pub(crate) fn player_at(peer: &Peer<PlantedWorld>) -> Option<usize> {
    Some(peer.facts()?.local_players.iter().next()?.index())
}

/// Players, for people.
pub(crate) fn named(players: PlayerSet) -> String {
    match players.len() {
        0 => "nobody".to_owned(),
        1 => format!("player {players}"),
        _ => format!("players {players}"),
    }
}

/// For display only: nothing is decided by it.
#[expect(clippy::float_arithmetic, reason = "display only")]
pub(crate) fn from_thousandths(thousandths: u64) -> f64 {
    thousandths as f64 / 1_000.0
}

/// The rate of the slowest peer.
pub(crate) fn slowest_hz(peers: &[PeerReport]) -> f64 {
    peers.iter().map(|peer| peer.achieved_hz).reduce(f64::min).unwrap_or(0.0)
}
