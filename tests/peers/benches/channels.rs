//! What a bad link does to reliable messages: ours, laminar's and those of renet's core.
//!
//! `cargo bench -p snapback-peers --bench channels` takes some minutes, `-- --quick` a fraction of it. All
//! of it is virtual time: the tables are the same on every machine. Lines that begin with `figure` are for
//! programs. How the comparison is kept fair stands in `src/channels/mod.rs`.

#![allow(clippy::float_arithmetic, clippy::cast_precision_loss, reason = "means and ratios are printed, nothing is simulated with them")]
#![allow(clippy::expect_used, reason = "a comparison that cannot run has nothing better to do than to stop")]

use snapback::transport::channel::Channel;
use snapback::transport::link::{LinkSettings, Loss};
use snapback_peers::channels::tally::Tally;
use snapback_peers::channels::trial::{Bulk, Pattern, bulk, messages};
use snapback_peers::channels::{Contender, Polling, bare_laminar, bare_renet, ours};

/// 60 ms of round trip.
const ONE_WAY_US: u64 = 30_000;

const SECONDS: u64 = 60;

/// What renet's core is tried with: what waits at least for a round trip, as ours does, ...
const RENET_RESEND_MS: [u64; 5] = [bare_renet::DEFAULT_RESEND_MS, 150, 100, 80, 66];

/// ... and what sends everything twice and more without waiting for an answer: at half a round trip, and
/// at every tick. Of ours nothing goes out again before it must be lost.
const RENET_BLIND_RESEND_MS: [u64; 2] = [33, 1];

const MIB: usize = 1 << 20;

fn main() {
    let asked = |option: &str| std::env::args().any(|argument| argument == option);
    // `cargo bench` passes --bench; `cargo test --all-targets` does not, and only wants to see it run.
    let seeds = if asked("--quick") || !asked("--bench") { 3 } else { 20 };
    println!("{seeds} seeds of {SECONDS} s and 10 s of drain, 60 ms of round trip, messages of 40 bytes");
    println!("latency from send to receive in ms; packets and bytes of both ends, headers included, per message");
    let rows = at_ten_percent(seeds);
    other_links(seeds);
    figures(&rows);
    large(seeds);
}

fn figure(name: &str, value: f64, unit: &str) {
    println!("figure {name} {value:.3} {unit}");
}

fn link(loss: Loss, jitter_us: u64) -> LinkSettings {
    LinkSettings { delay_us: ONE_WAY_US, jitter_us, loss, ..LinkSettings::default() }
}

fn percent(percent: u32) -> Loss {
    if percent == 0 { Loss::None } else { Loss::Independent { per_million: percent * 10_000 } }
}

/// One contender in one pattern.
struct Row {
    name: String,
    is_ours: bool,
    pattern: Pattern,
    tally: Tally,
}

fn row(contender: &Contender, pattern: Pattern, settings: LinkSettings, seeds: u64) -> Row {
    let mut tally = Tally::default();
    for seed in 0..seeds {
        tally.add(&messages(contender, pattern, settings, seed, SECONDS));
    }
    if contender.is_ours {
        assert!(tally.is_clean(), "{}: order, duplicates or bytes are wrong: {tally:?}", contender.name);
    }
    let row = Row { name: contender.name.clone(), is_ours: contender.is_ours, pattern, tally };
    println!("{}", row.text());
    row
}

fn heading(what: &str) {
    println!();
    println!(
        "{what:<44}{:>8}{:>10}{:>6}{:>5}{:>8}{:>8}{:>8}{:>10}{:>8}{:>8}",
        "sent", "delivered", "order", "dup", "p50", "p99", "max", "last p99", "packets", "bytes"
    );
}

impl Row {
    fn text(&self) -> String {
        let tally = &self.tally;
        let of_message = |count: u64| count as f64 / tally.sent as f64;
        format!(
            "{:<44}{:>8}{:>9.3}%{:>6}{:>5}{:>8}{:>8}{:>8}{:>10}{:>8.2}{:>8.1}",
            format!("{}, {}", self.name, self.pattern.name()),
            tally.sent,
            100.0 * of_message(tally.delivered),
            tally.out_of_order,
            tally.duplicates,
            ms(tally.latency_us(500)),
            ms(tally.latency_us(990)),
            ms(tally.latency_us(1_000)),
            if self.pattern == Pattern::Bursts { ms(tally.last_latency_us(990)) } else { "-".to_owned() },
            of_message(tally.wire.packets),
            of_message(tally.wire.bytes),
        )
    }

    fn ms(&self, per_thousand: u64) -> f64 {
        self.tally.latency_us(per_thousand).map_or(f64::INFINITY, |us| us as f64 / 1_000.0)
    }
}

fn ms(latency_us: Option<u64>) -> String {
    latency_us.map_or_else(|| "never".to_owned(), |us| format!("{}", us / 1_000))
}

/// Whom the figures are of.
fn ours() -> Contender {
    ours::encrypted(Channel::Lobby, Polling::Milliseconds)
}

/// The same on a channel that takes large messages.
fn ours_large() -> Contender {
    ours::encrypted(Channel::MatchState, Polling::Milliseconds)
}

fn everybody() -> Vec<Contender> {
    let mut all = vec![
        ours(),
        ours::encrypted(Channel::Lobby, Polling::Ticks),
        ours::plaintext(Channel::Lobby, Polling::Milliseconds),
        ours::connection(Channel::Lobby, Polling::Milliseconds),
    ];
    all.extend(RENET_RESEND_MS.into_iter().chain(RENET_BLIND_RESEND_MS).map(bare_renet::contender));
    all.push(bare_laminar::contender());
    all
}

fn at_ten_percent(seeds: u64) -> Vec<Row> {
    let mut rows = Vec::new();
    for pattern in [Pattern::Steady, Pattern::OneWay, Pattern::Bursts] {
        heading(&format!("10 % loss, {}", pattern.name()));
        for contender in everybody() {
            rows.push(row(&contender, pattern, link(percent(10), 0), seeds));
        }
    }
    rows
}

fn other_links(seeds: u64) {
    let links = [
        ("no loss", link(Loss::None, 0)),
        ("2 % loss", link(percent(2), 0)),
        ("10 % loss in bursts of 4", link(Loss::bursts(100_000, 4), 0)),
        ("20 % loss", link(percent(20), 0)),
        ("10 % loss, 10 ms of jitter", link(percent(10), 10_000)),
    ];
    for (name, settings) in links {
        heading(name);
        for contender in [ours(), bare_renet::contender(300), bare_renet::contender(80), bare_laminar::contender()] {
            row(&contender, Pattern::Steady, settings, seeds);
        }
    }
}

fn figures(rows: &[Row]) {
    println!();
    let of = |name: &str, pattern: Pattern| {
        rows.iter().find(|row| row.name == name && row.pattern == pattern).expect("everybody was tried in every pattern")
    };
    let name = ours().name;
    let worst = |per_thousand| of(&name, Pattern::Steady).ms(per_thousand).max(of(&name, Pattern::OneWay).ms(per_thousand));
    figure("reliable_p50_ms_at_10_loss", worst(500), "ms");
    figure("reliable_p99_ms_at_10_loss", worst(990), "ms");
    let last = of(&name, Pattern::Bursts).tally.last_latency_us(990);
    figure("reliable_last_of_burst_p99_ms_at_10_loss", last.map_or(f64::INFINITY, |us| us as f64 / 1_000.0), "ms");
    let delivered = |row: &Row| 100.0 * row.tally.delivered as f64 / row.tally.sent as f64;
    figure("reliable_delivered_percent", rows.iter().filter(|row| row.is_ours).map(delivered).fold(100.0, f64::min), "percent");
    let is_laminar = |row: &&Row| row.name == bare_laminar::contender().name;
    figure("reliable_delivered_percent_laminar", rows.iter().filter(is_laminar).map(delivered).fold(100.0, f64::min), "percent");

    let best_of = |resend_ms: &[u64]| {
        let tried = resend_ms.iter().map(|resend_ms| of(&bare_renet::contender(*resend_ms).name, Pattern::Steady));
        tried.min_by(|a, b| a.ms(990).total_cmp(&b.ms(990))).expect("renet was tried")
    };
    let default = best_of(&[bare_renet::DEFAULT_RESEND_MS]);
    let (best, blind) = (best_of(&RENET_RESEND_MS), best_of(&RENET_BLIND_RESEND_MS));
    println!("renet's best p99 is that of \"{}\"; sending again without waiting for an answer, of \"{}\"", best.name, blind.name);
    let ours = of(&name, Pattern::Steady);
    let bytes = |row: &Row| row.tally.wire.bytes as f64 / row.tally.sent as f64;
    figure("reliable_p99_ms_renet", best.ms(990), "ms");
    for (suffix, renet) in [("", best), ("_default", default), ("_blind", blind)] {
        figure(&format!("reliable_p99_ratio_vs_renet{suffix}"), ours.ms(990) / renet.ms(990), "ratio");
        figure(&format!("reliable_bytes_ratio_vs_renet{suffix}"), bytes(ours) / bytes(renet), "ratio");
    }
}

/// A message of 1 MiB from one end to the other.
fn large(seeds: u64) {
    println!();
    println!("{:<44}{:>10}{:>10}{:>10}{:>14}", "1 MiB in one message", "arrived", "mean s", "longest s", "bytes sent/it");
    let links = [("no loss", link(Loss::None, 0)), ("2 % loss", link(percent(2), 0)), ("10 % loss", link(percent(10), 0))];
    let narrow = LinkSettings { rate_bits_per_second: Some(20_000_000), queue_bytes: 100_000, ..link(percent(2), 0) };
    let mut at_ten = Vec::new();
    for (name, settings) in links.into_iter().chain([("2 % loss, 20 Mbit/s", narrow)]) {
        let renets = [bare_renet::contender(300), bare_renet::contender(80)];
        for contender in [ours_large()].into_iter().chain(renets).chain([bare_laminar::contender()]) {
            let arrived: Vec<Bulk> = (0..seeds).filter_map(|seed| bulk(&contender, MIB, settings, seed)).collect();
            let count = arrived.len() as f64;
            let seconds = |bulk: &Bulk| bulk.took_us as f64 / 1e6;
            let mean = arrived.iter().map(seconds).sum::<f64>() / count;
            let longest = arrived.iter().map(seconds).fold(0.0, f64::max);
            let overhead = arrived.iter().map(|bulk| bulk.wire_bytes as f64 / MIB as f64).sum::<f64>() / count;
            let percent = 100.0 * count / seeds as f64;
            let what = format!("{name}: {}", contender.name);
            if arrived.is_empty() {
                println!("{what:<44}{percent:>9.0}%{:>10}{:>10}{:>14}", "-", "-", "-");
            } else {
                println!("{what:<44}{percent:>9.0}%{mean:>10.3}{longest:>10.3}{overhead:>14.3}");
            }
            if contender.is_ours {
                assert_eq!(arrived.len() as u64, seeds, "a large message of ours did not arrive");
            }
            if name == "10 % loss" {
                at_ten.push((contender, longest));
            }
        }
    }
    println!("(laminar counts a message's bytes in 16 bits, takes 1 MiB for 0, and hands its socket all of it at once)");
    for (contender, longest) in at_ten {
        if contender.is_ours {
            figure("reliable_mebibyte_seconds_at_10_loss", longest, "s");
        } else if contender.name == bare_renet::contender(bare_renet::DEFAULT_RESEND_MS).name {
            figure("reliable_mebibyte_seconds_at_10_loss_renet", longest, "s");
        }
    }
}
