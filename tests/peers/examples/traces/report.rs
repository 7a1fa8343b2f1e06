//! [`Row`]: what is told about one recording, as a table and as JSON.

use crate::Lateness;
use crate::options::Options;
use crate::tally::Tally;

/// One recording, both peers of each library together.
#[derive(serde::Serialize)]
pub(crate) struct Row {
    pub(crate) trace: String,
    pub(crate) from_s: u64,
    pub(crate) minutes: f64,
    pub(crate) ours: Tally,
    pub(crate) theirs: Tally,
}

impl Row {
    /// Whether any confirmed frame was wrong.
    pub(crate) fn disagrees(&self) -> bool {
        self.ours.disagreements + self.theirs.disagreements > 0
    }

    /// Stalled ticks of one peer in a minute.
    fn stalls_per_minute(&self, tally: &Tally) -> f64 {
        tally.stalled_ticks as f64 / (2.0 * self.minutes)
    }

    /// What of ours is worse, if anything is.
    fn worse(&self) -> Option<String> {
        let stalls = [&self.ours, &self.theirs].map(|tally| self.stalls_per_minute(tally));
        let depths = [&self.ours, &self.theirs].map(Tally::mean_depth);
        let worse = [("stalls", stalls), ("depth", depths)].into_iter().filter(|(_, [ours, theirs])| ours > theirs);
        let worse: Vec<String> = worse.map(|(what, [ours, theirs])| format!("{what} {ours:.2} against {theirs:.2}")).collect();
        if worse.is_empty() { None } else { Some(format!("{} from {} s ({})", self.trace, self.from_s, worse.join(", "))) }
    }
}

pub(crate) fn print(rows: &[Row], options: &Options, lateness: &Lateness) {
    let heads = ["stalls/min", "mean depth", "deepest", "rollbacks/min", "played again/min", "apart", "slowed/min", "frames/s"];
    println!("| trace | from s | {} wrong |", heads.map(|head| format!("{head} ours | ggrs |")).join(" "));
    println!("|---|--:{}|--:|", "|--:|--:".repeat(heads.len()));
    for row in rows {
        let both = |cell: &dyn Fn(&Tally) -> f64, digits: usize| {
            let [ours, theirs] = [&row.ours, &row.theirs].map(cell);
            format!(" {ours:.digits$} | {theirs:.digits$} |")
        };
        let rate = |count: u64| count as f64 / (2.0 * row.minutes);
        let cells = [
            both(&|tally| rate(tally.stalled_ticks), 1),
            both(&Tally::mean_depth, 2),
            both(&|tally| tally.deepest_frames.into(), 0),
            both(&|tally| rate(tally.rollbacks), 0),
            both(&|tally| rate(tally.resimulated_frames), 0),
            both(&Tally::mean_apart, 2),
            // What a minute has more than were tried: time that was stretched, or skipped after a hiccup.
            both(&|tally| 3_600.0 - rate(tally.frames + tally.stalled_ticks), 0),
            both(&|tally| rate(tally.frames) / 60.0, 2),
        ];
        println!("| {} | {} |{} {} |", row.trace, row.from_s, cells.concat(), row.ours.disagreements + row.theirs.disagreements);
    }
    let compared: u64 = rows.iter().map(|row| row.ours.confirmed_frames + row.theirs.confirmed_frames).sum();
    let wrong = rows.iter().filter(|row| row.disagrees()).count();
    println!();
    println!(
        "Each peer over {} s of each; {compared} confirmed frames compared with the inputs played without a network, wrong in {wrong} recordings.",
        options.seconds
    );
    println!(
        "Turns of the loops: {}, late by over 8 ms: {}, at most {:.1} ms.",
        lateness.turns,
        lateness.late_turns,
        lateness.most_us as f64 / 1_000.0
    );
    let worse: Vec<String> = rows.iter().filter_map(Row::worse).collect();
    println!("Ours is worse on: {}", if worse.is_empty() { "none".to_owned() } else { worse.join("; ") });
}

pub(crate) fn json(rows: &[Row], options: &Options, lateness: &Lateness) -> String {
    let worse: Vec<String> = rows.iter().filter_map(Row::worse).collect();
    let value = serde_json::json!({
        "seconds": options.seconds,
        "their_window": options.their_window,
        "base_ms": options.base_ms,
        "late_turns": lateness.late_turns,
        "latest_us": lateness.most_us,
        "rows": rows,
        "worse": worse,
    });
    value.to_string()
}
