//! What comes out at the end. The JSON form is an interface: fields are added, not changed.

use super::client::Client;
use super::counts::Counts;
use super::proxy::Proxy;
use crate::cli::Format;
use crate::error::CliError;
use crate::out;
use crate::render::{line, row, wrapped};
use crate::report::from_thousandths;
use serde::Serialize;
use std::net::SocketAddr;

/// Everything that went through a proxy.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Report {
    /// Always `netsim`.
    mode: &'static str,
    listen: SocketAddr,
    to: SocketAddr,
    seed: u64,
    seconds: f64,
    /// What the two ways were told to do.
    up: String,
    down: String,
    /// In the order in which they came.
    clients: Vec<ClientReport>,
    /// Clients that were silent for a minute and made room for others, and what they did together.
    gone_clients: u64,
    gone_up: Counts,
    gone_down: Counts,
    /// Datagrams of addresses for which there was no room.
    turned_away: u64,
    /// Datagrams to a client's socket that did not come from the program.
    strays: u64,
    /// The last error of a socket.
    trouble: Option<String>,
}

/// What one client did.
#[derive(Clone, Debug, Serialize)]
struct ClientReport {
    /// From 1, in the order in which they came. With the seed it decides the client's links.
    number: u64,
    address: SocketAddr,
    /// Where the program sees it.
    upstream_port: u16,
    /// From its first datagram to the last one, from either side.
    seconds: f64,
    up: WayReport,
    down: WayReport,
}

/// What one way did.
#[derive(Clone, Debug, Serialize)]
struct WayReport {
    #[serde(flatten)]
    counts: Counts,
    /// What came in, each with 28 bytes of IPv4 and UDP header.
    bytes_per_second: u64,
    mean_bytes: f64,
}

impl WayReport {
    fn new(counts: Counts, active_us: u64) -> Self {
        let bytes = counts.wire_bytes_in();
        Self {
            counts,
            bytes_per_second: rounded(bytes.saturating_mul(1_000_000), active_us),
            mean_bytes: from_thousandths(rounded(bytes.saturating_mul(1_000), counts.datagrams_in)),
        }
    }
}

/// 0 where there is nothing to divide by.
fn rounded(dividend: u64, divisor: u64) -> u64 {
    dividend.saturating_add(divisor / 2).checked_div(divisor).unwrap_or(0)
}

impl ClientReport {
    fn new(client: &Client) -> Self {
        let active_us = client.active_us();
        Self {
            number: client.number,
            address: client.address,
            upstream_port: client.upstream.local_addr().port(),
            seconds: from_thousandths(active_us / 1_000),
            up: WayReport::new(client.up.counts(), active_us),
            down: WayReport::new(client.down.counts(), active_us),
        }
    }
}

impl Report {
    pub(super) fn new(proxy: &Proxy, ran_us: u64) -> Self {
        let plan = proxy.plan();
        let [gone_up, gone_down] = proxy.gone;
        Self {
            mode: "netsim",
            listen: proxy.local_addr(),
            to: plan.to,
            seed: plan.seed,
            seconds: from_thousandths(ran_us / 1_000),
            up: plan.up_text.clone(),
            down: plan.down_text.clone(),
            clients: proxy.clients.iter().map(ClientReport::new).collect(),
            gone_clients: proxy.gone_clients,
            gone_up,
            gone_down,
            turned_away: proxy.turned_away,
            strays: proxy.strays,
            trouble: proxy.trouble.clone(),
        }
    }

    /// Writes it to stdout.
    pub(super) fn print(&self, format: Format) -> Result<(), CliError> {
        out::say(match format {
            Format::Human => self.human(),
            Format::Json => serde_json::to_string_pretty(self)
                .map_err(|error| CliError::environment(format_args!("cannot write the report: {error}")))?,
        })
    }

    fn human(&self) -> String {
        let mut text = String::new();
        let Self { listen, to, seed, seconds, .. } = self;
        line(&mut text, format_args!("snapback netsim: {listen} to {to}, seed {seed}, {seconds:.1} s"));
        wrapped(&mut text, &format!("up:   {}", self.up));
        wrapped(&mut text, &format!("down: {}", self.down));
        for client in &self.clients {
            line(&mut text, "");
            ways(&mut text, client);
        }
        self.remarks(&mut text);
        text.trim_end().to_owned()
    }

    fn remarks(&self, text: &mut String) {
        let mut remark = |applies: bool, words: String| {
            if applies {
                line(text, "");
                wrapped(text, &words);
            }
        };
        let nobody = self.clients.is_empty() && self.gone_clients == 0;
        remark(nobody, format!("nobody has sent anything to {}", self.listen));
        let answers = self.clients.iter().map(|client| client.down.counts.datagrams_in).sum::<u64>() + self.gone_down.datagrams_in;
        remark(!nobody && answers == 0, format!("nothing came back from {}: check that the program listens there", self.to));
        let [sent, answered] = [self.gone_up.datagrams_in, self.gone_down.datagrams_in];
        remark(
            self.gone_clients > 0,
            format!("{} silent clients have made room for others: {sent} datagrams up, {answered} down", self.gone_clients),
        );
        remark(self.turned_away > 0, format!("{} datagrams came from addresses for which there was no room", self.turned_away));
        remark(self.strays > 0, format!("{} datagrams came from somebody other than {} and were dropped", self.strays, self.to));
        if let Some(trouble) = &self.trouble {
            remark(true, format!("the last error of a socket: {trouble}"));
        }
    }
}

fn ways(text: &mut String, client: &ClientReport) {
    let ClientReport { number, address, seconds, up, down, .. } = client;
    line(text, format_args!("client {number} at {address}, {seconds:.1} s"));
    row(text, "", format_args!("{:>12}{:>12}", "up", "down"));
    let mut cells = |name: &str, cell: &dyn Fn(&WayReport) -> String| {
        row(text, name, format_args!("{:>12}{:>12}", cell(up), cell(down)));
    };
    cells("datagrams in", &|way| way.counts.datagrams_in.to_string());
    cells("datagrams out", &|way| way.counts.datagrams_out.to_string());
    cells("lost", &|way| way.counts.lost.to_string());
    cells("duplicated", &|way| way.counts.duplicated.to_string());
    cells("reordered", &|way| way.counts.reordered.to_string());
    cells("dropped by a queue", &|way| way.counts.queue_dropped.to_string());
    let counts = [up.counts, down.counts];
    if counts.iter().any(|counts| counts.unsent > 0) {
        cells("could not be sent", &|way| way.counts.unsent.to_string());
    }
    if counts.iter().any(|counts| counts.under_way > 0) {
        cells("still under way", &|way| way.counts.under_way.to_string());
    }
    cells("bytes in", &|way| way.counts.bytes_in.to_string());
    cells("bytes out", &|way| way.counts.bytes_out.to_string());
    cells("in, bytes a second *", &|way| way.bytes_per_second.to_string());
    cells("in, mean bytes *", &|way| format!("{:.1}", way.mean_bytes));
    line(text, "* with 28 bytes of IPv4 and UDP header each");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn way(datagrams_in: u64, lost: u64) -> WayReport {
        let counts = Counts {
            datagrams_in,
            datagrams_out: datagrams_in - lost,
            lost,
            bytes_in: datagrams_in * 24,
            bytes_out: (datagrams_in - lost) * 24,
            ..Counts::default()
        };
        WayReport::new(counts, 10_000_000)
    }

    fn report(clients: Vec<ClientReport>) -> Report {
        Report {
            mode: "netsim",
            listen: "127.0.0.1:7001".parse().unwrap(),
            to: "127.0.0.1:7000".parse().unwrap(),
            seed: 1,
            seconds: 12.34,
            up: "30 ms ±15 ms, 4 % lost in runs of 4, 0.5 % reordered, 0.1 % twice, 5 Mbit/s with a queue of 128 KiB".to_owned(),
            down: "nothing added".to_owned(),
            clients,
            gone_clients: 0,
            gone_up: Counts::default(),
            gone_down: Counts::default(),
            turned_away: 0,
            strays: 0,
            trouble: None,
        }
    }

    #[test]
    fn the_report_for_people() {
        let client = ClientReport {
            number: 1,
            address: "127.0.0.1:54321".parse().unwrap(),
            upstream_port: 40_000,
            seconds: 10.0,
            up: way(600, 24),
            down: way(600, 0),
        };
        insta::assert_snapshot!(report(vec![client]).human(), @r"
        snapback netsim: 127.0.0.1:7001 to 127.0.0.1:7000, seed 1, 12.3 s
        up:   30 ms ±15 ms, 4 % lost in runs of 4, 0.5 % reordered, 0.1 % twice, 5
            Mbit/s with a queue of 128 KiB
        down: nothing added

        client 1 at 127.0.0.1:54321, 10.0 s
                                        up        down
        datagrams in                   600         600
        datagrams out                  576         600
        lost                            24           0
        duplicated                       0           0
        reordered                        0           0
        dropped by a queue               0           0
        bytes in                     14400       14400
        bytes out                    13824       14400
        in, bytes a second *          3120        3120
        in, mean bytes *              52.0        52.0
        * with 28 bytes of IPv4 and UDP header each
        ");
    }

    #[test]
    fn a_report_of_nobody_and_of_trouble() {
        assert!(report(Vec::new()).human().ends_with("\n\nnobody has sent anything to 127.0.0.1:7001"));
        let gone_up = Counts { datagrams_in: 5, ..Counts::default() };
        let gone = Report {
            gone_clients: 2,
            gone_up,
            turned_away: 7,
            strays: 1,
            trouble: Some("cannot send 5 bytes".to_owned()),
            ..report(Vec::new())
        };
        insta::assert_snapshot!(gone.human(), @r"
        snapback netsim: 127.0.0.1:7001 to 127.0.0.1:7000, seed 1, 12.3 s
        up:   30 ms ±15 ms, 4 % lost in runs of 4, 0.5 % reordered, 0.1 % twice, 5
            Mbit/s with a queue of 128 KiB
        down: nothing added

        nothing came back from 127.0.0.1:7000: check that the program listens there

        2 silent clients have made room for others: 5 datagrams up, 0 down

        7 datagrams came from addresses for which there was no room

        1 datagrams came from somebody other than 127.0.0.1:7000 and were dropped

        the last error of a socket: cannot send 5 bytes
        ");
    }

    #[test]
    fn rates_are_of_what_came_in_with_headers() {
        let report = way(600, 24);
        assert_eq!((report.bytes_per_second, report.mean_bytes), (600 * 52 / 10, 52.0));
        let nothing = WayReport::new(Counts::default(), 0);
        assert_eq!((nothing.bytes_per_second, nothing.mean_bytes), (0, 0.0));
    }
}
