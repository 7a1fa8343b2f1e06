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

    /// Ours and theirs, in a measure of which less is better.
    fn measured(&self, measure: Measure) -> [f64; 2] {
        [&self.ours, &self.theirs].map(|tally| match measure {
            Measure::Stalls => self.stalls_per_minute(tally),
            Measure::Frozen => tally.frozen_us as f64 / 2_000.0 / self.minutes,
            Measure::Deep => tally.deep_rollbacks as f64 / (2.0 * self.minutes),
            Measure::DepthOfFrame => tally.mean_depth_of_frame(),
            Measure::DepthOfRollback => tally.mean_depth(),
        })
    }
}

#[derive(Clone, Copy)]
enum Measure {
    Stalls,
    /// The time that those took: a tick of who slows down is longer.
    Frozen,
    /// Rollbacks that a player sees as a jump.
    Deep,
    /// Of every frame, rollback or not: what was played again for it.
    DepthOfFrame,
    /// Of rollbacks alone. Who is spared the shallow ones has deeper ones on average.
    DepthOfRollback,
}

const MEASURES: [(Measure, &str); 5] = [
    (Measure::Stalls, "stalled ticks a minute"),
    (Measure::Frozen, "frozen milliseconds a minute"),
    (Measure::DepthOfFrame, "mean depth of a frame"),
    (Measure::Deep, "rollbacks of 4 frames and more a minute"),
    (Measure::DepthOfRollback, "mean depth of a rollback"),
];

/// On which recordings ours is worse in a measure, with both numbers.
fn worse(rows: &[Row], measure: Measure) -> Vec<String> {
    let pairs = rows.iter().map(|row| (row, row.measured(measure))).filter(|(_, [ours, theirs])| ours > theirs);
    pairs.map(|(row, [ours, theirs])| format!("{} from {} s ({ours:.2} against {theirs:.2})", row.trace, row.from_s)).collect()
}

pub(crate) fn print(rows: &[Row], options: &Options, lateness: &Lateness) {
    let heads = [
        "stalls/min",
        "frozen ms/min",
        "depth of a frame",
        "of a rollback",
        "deepest",
        "rollbacks/min",
        "4 and deeper",
        "apart",
        "slowed/min",
        "frames/s",
    ];
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
            both(&|tally| tally.frozen_us as f64 / 2_000.0 / row.minutes, 0),
            both(&Tally::mean_depth_of_frame, 3),
            both(&Tally::mean_depth, 2),
            both(&|tally| tally.deepest_frames.into(), 0),
            both(&|tally| rate(tally.rollbacks), 0),
            both(&|tally| rate(tally.deep_rollbacks), 1),
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
        "Windows: ours 8 and ggrs's {}, which is {} frames beyond the last confirmed one at most, against {}.",
        options.their_window,
        crate::section::WINDOW_FRAMES,
        options.their_window - 1
    );
    println!(
        "Turns of the loops: {}, late by over 8 ms: {}, at most {:.1} ms.",
        lateness.turns,
        lateness.late_turns,
        lateness.most_us as f64 / 1_000.0
    );
    for (measure, name) in MEASURES.into_iter().filter(|_| !options.ours_only) {
        let worse = worse(rows, measure);
        println!("Ours is worse in {name} on: {}", if worse.is_empty() { "none".to_owned() } else { worse.join("; ") });
    }
}

pub(crate) fn json(rows: &[Row], options: &Options, lateness: &Lateness) -> String {
    let worse: std::collections::BTreeMap<_, _> = MEASURES.iter().map(|(measure, name)| (*name, worse(rows, *measure))).collect();
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
