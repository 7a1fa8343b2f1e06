//! The net graph, what stalls were due to, and post-mortems.

use crate::support::snapback;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A file that is not there yet, and those of two players of a duel.
fn files(name: &str) -> (String, [PathBuf; 2]) {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name).display().to_string();
    let of_players = [0, 1].map(|player| PathBuf::from(format!("{file}.player{player}")));
    of_players.iter().for_each(|file| drop(std::fs::remove_file(file)));
    (file, of_players)
}

fn lines(file: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

fn of_kind<'a>(lines: &'a [Value], kind: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["kind"] == kind).collect()
}

#[test]
fn the_report_says_what_stalls_were_due_to_and_has_the_samples() {
    let run =
        snapback(&["duel", "--fast", "--seconds", "10", "--rtt", "320", "--jitter", "0", "--loss", "0", "--format", "json", "--net-graph"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    for peer in run.json()["peers"].as_array().unwrap() {
        let causes = peer["stalls"].as_object().unwrap();
        let sum: u64 = causes.values().filter_map(Value::as_u64).sum();
        let link = causes.get("link").and_then(Value::as_u64).unwrap_or(0);
        assert_eq!(Some(sum), peer["stalled_frames"].as_u64());
        assert!(sum > 50 && 10 * link > 9 * sum, "{causes:?}");
        let net = peer["net"].as_array().unwrap();
        // Half a second each.
        assert!((18..60).contains(&net.len()), "{}", net.len());
        assert!(net.iter().skip(4).all(|sample| (300_000..345_000).contains(&sample["rtt_us"].as_u64().unwrap())), "{net:?}");
        assert!(net.iter().any(|sample| sample["stalls"]["link"].as_u64() > Some(0)));
    }
    let human = snapback(&["duel", "--fast", "--seconds", "5", "--rtt", "320", "--jitter", "0", "--loss", "0"]);
    assert!(human.out.lines().any(|line| line.starts_with("  the link ")), "{}", human.out);
}

#[test]
fn a_match_that_ends_badly_leaves_a_post_mortem() {
    for way in [&["--fast"][..], &[]] {
        let (file, of_players) = files(if way.is_empty() { "bad-real.jsonl" } else { "bad-fast.jsonl" });
        let mut args = vec!["duel", "--seconds", "3", "--postmortem", &file];
        args.extend(way);
        assert_eq!(snapback(&args).code, Some(0));
        assert!(of_players.iter().all(|file| !file.exists()), "there is nothing to look into");
        args.extend(["--plant-desync", "100"]);
        assert_eq!(snapback(&args).code, Some(1));
        for file in &of_players {
            let lines = lines(file);
            assert_eq!(lines[0]["kind"], "match");
            assert!(!of_kind(&lines, "rollback").is_empty(), "{}", file.display());
            assert!(!of_kind(&lines, "sample").is_empty(), "{}", file.display());
        }
    }
}

#[test]
fn without_a_terminal_the_net_graph_is_a_line_a_second() {
    let (file, of_players) = files("always.jsonl");
    let run = snapback(&["duel", "--seconds", "4", "--net-graph", "--postmortem", &file, "--postmortem-always", "--format", "json"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let graphs: Vec<&str> = run.err.lines().filter(|line| line.contains(" raw ")).collect();
    assert!((2..=8).contains(&graphs.len()), "{}", run.err);
    for line in &graphs {
        assert!(
            ["P0 frame ", "P1 frame ", " rtt ", " loss ", " rollback ", " ahead ", " stalls ", " in ", " out "]
                .iter()
                .all(|part| line.contains(part)),
            "{line}"
        );
    }
    for (player, file) in of_players.iter().enumerate() {
        let lines = lines(file);
        let report = run.json();
        let peer = &report["peers"][player];
        let events: Vec<&Value> = of_kind(&lines, "rollback");
        assert_eq!(events.len() as u64, peer["rollbacks"].as_u64().unwrap());
        assert!(events.iter().all(|event| event["before_hash"].as_str().is_some_and(|hash| hash.len() == 8)));
        assert_eq!(of_kind(&lines, "sample").len(), peer["net"].as_array().unwrap().len());
    }
}
