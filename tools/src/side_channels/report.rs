//! [`ChannelsReport`]: what went over the channels of one peer.

use super::hearsay::HeardReport;
use crate::report::from_thousandths;
use serde::{Deserialize, Serialize};
use snapback::PlayerHandle;
use snapback::transport::channel::ChannelConnection;

/// What went over the channels of one peer.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct ChannelsReport {
    /// By player; nobody who was never reached.
    pub(crate) connections: Vec<ConnectionReport>,
    /// By player.
    pub(crate) results_heard: Vec<HeardReport>,
}

/// What went over the connection to one other player.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct ConnectionReport {
    pub(crate) player: usize,
    /// Messages.
    pub(crate) sent: u64,
    /// Messages that have arrived there.
    pub(crate) delivered: u64,
    /// Messages.
    pub(crate) received: u64,
    /// Pieces of messages that had to be sent again.
    pub(crate) resent: u64,
    pub(crate) rtt_ms: f64,
}

impl ConnectionReport {
    pub(super) fn of(player: PlayerHandle, connection: &ChannelConnection) -> Self {
        let stats = connection.stats();
        let sum = |count: fn(&snapback::transport::channel::ChannelStats) -> u64| stats.channels.iter().map(count).sum();
        Self {
            player: player.index(),
            sent: sum(|of| of.sent_messages),
            delivered: sum(|of| of.delivered_messages),
            received: sum(|of| of.received_messages),
            resent: sum(|of| of.pieces_resent),
            rtt_ms: from_thousandths(stats.rtt_us.unwrap_or(0)),
        }
    }
}

impl ChannelsReport {
    /// Whether everything that was heard of results is so here too.
    pub(crate) fn agrees(&self) -> bool {
        self.results_heard.iter().all(|heard| heard.agrees)
    }

    /// In one line, for all peers together.
    pub(crate) fn line(all: &[&Self]) -> String {
        let connections = || all.iter().flat_map(|report| &report.connections);
        let sum = |count: fn(&ConnectionReport) -> u64| connections().map(count).sum::<u64>();
        let (sent, delivered) = (sum(|of| of.sent), sum(|of| of.delivered));
        let (received, resent) = (sum(|of| of.received), sum(|of| of.resent));
        let heard: Vec<&HeardReport> = all.iter().flat_map(|report| &report.results_heard).collect();
        let heard = match (heard.iter().filter(|heard| heard.is_final).count(), heard.iter().all(|heard| heard.agrees)) {
            (_, false) => "results DIFFER".to_owned(),
            (0, true) => "no results heard".to_owned(),
            (count, true) => format!("results heard {count} times, all the same"),
        };
        format!("channels: sent {sent}, delivered {delivered}, received {received}, sent again {resent}; {heard}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_says_it_for_all() {
        let connection = ConnectionReport { player: 1, sent: 3, delivered: 3, received: 2, resent: 1, rtt_ms: 80.0 };
        let heard = |agrees| HeardReport { from: 1, rounds: 2, is_final: true, agrees };
        let report = |agrees| ChannelsReport { connections: vec![connection.clone()], results_heard: vec![heard(agrees)] };
        let line = |reports: &[ChannelsReport]| ChannelsReport::line(&reports.iter().collect::<Vec<_>>());
        assert_eq!(
            line(&[report(true), report(true)]),
            "channels: sent 6, delivered 6, received 4, sent again 2; results heard 2 times, all the same"
        );
        assert_eq!(line(&[report(true), report(false)]), "channels: sent 6, delivered 6, received 4, sent again 2; results DIFFER");
        assert_eq!(line(&[ChannelsReport::default()]), "channels: sent 0, delivered 0, received 0, sent again 0; no results heard");
    }
}
