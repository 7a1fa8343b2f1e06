//! `snapback duel`, real and fast.

use crate::support::{recording, snapback};
use serde_json::Value;

fn hashes(report: &Value) -> Vec<String> {
    let peers = report["peers"].as_array().unwrap();
    peers.iter().map(|peer| peer["confirmed_hash"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn two_processes_agree_over_real_udp() {
    let run = snapback(&["duel", "--seconds", "3", "--format", "json"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let report = run.json();
    assert_eq!((report["agree"].as_bool(), report["frames"].as_u64(), report["encrypted"].as_bool()), (Some(true), Some(180), Some(true)));
    assert!(report["results"].is_array());
    assert_eq!(report["standing"]["fighters"][1]["full_health"], 1_000);
    let hz = report["achieved_hz"].as_f64().unwrap();
    assert!((55.0..62.0).contains(&hz), "{hz}");
    let peers = report["peers"].as_array().unwrap();
    assert_eq!(peers.len(), 2);
    for peer in peers {
        let hash = peer["confirmed_hash"].as_str().unwrap();
        assert!(hash.len() == 8 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()), "{hash}");
        assert_eq!(peer["confirmed_frames"], 180);
        let number = |name: &str| peer[name].as_u64().unwrap_or_else(|| panic!("{name}"));
        assert!(number("rollbacks") > 0 && number("resimulated_frames") >= number("rollbacks"));
        assert!((1..=8).contains(&number("max_depth")) && peer["mean_depth"].as_f64().unwrap() >= 1.0);
        assert!(number("packets_sent") >= 180 && number("bytes_sent") > number("packets_sent"));
        assert!(number("packets_received") > 100 && number("bytes_received") > number("packets_received"));
        assert_eq!(peer["depth_histogram"].as_array().unwrap().iter().filter_map(Value::as_u64).sum::<u64>(), number("rollbacks"));
        assert!(peer["stalled_frames"].is_u64());
        assert!((60.0..200.0).contains(&peer["rtt_ms"].as_f64().unwrap()), "{}", peer["rtt_ms"]);
    }
    assert_eq!(hashes(&report)[0], hashes(&report)[1]);
}

#[test]
fn four_processes_agree_over_real_udp() {
    let run = snapback(&["duel", "--players", "4", "--seconds", "1", "--rtt", "40", "--format", "json"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let hashes = hashes(&run.json());
    assert!(hashes.len() == 4 && hashes.windows(2).all(|pair| pair[0] == pair[1]), "{hashes:?}");
}

/// Which peer gets which seat is up to the network; what is shown goes by player.
#[test]
fn everything_is_shown_by_player() {
    for (way, seed) in [(&["--fast"][..], "1"), (&["--fast"], "2"), (&["--fast"], "3"), (&[], "4")] {
        let mut args = vec!["duel", "--players", "4", "--seconds", "2", "--plant-desync", "50", "--format", "json", "--seed", seed];
        args.extend(way);
        let run = snapback(&args);
        assert_eq!(run.code, Some(1), "{}", run.err);
        let report = run.json();
        let players: Vec<u64> = report["peers"].as_array().unwrap().iter().map(|peer| peer["player"].as_u64().unwrap()).collect();
        assert_eq!(players, [0, 1, 2, 3]);
        let player = report["divergence"]["player"].as_u64().unwrap();
        assert!(run.error().ends_with(&format!(" at player {player}")), "{}", run.err);
    }
}

#[test]
fn the_report_of_four_players_fits_eighty_columns() {
    let link = ["--rtt", "1234.5", "--jitter", "100.5", "--loss", "2.5", "--reorder", "0.25", "--duplicate", "0.125"];
    let run = snapback(&[&["duel", "--fast", "--players", "4", "--seconds", "60"], &link[..]].concat());
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.contains("player 3: health "), "{}", run.out);
    for line in run.out.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

#[test]
fn a_fast_duel_is_the_same_on_every_run() {
    for players in ["2", "3", "4"] {
        let link = ["--rtt", "90.5", "--jitter", "15", "--loss", "7.5", "--reorder", "3", "--duplicate", "2"];
        let mut args = vec!["duel", "--fast", "--seconds", "30", "--players", players, "--delay", "1", "--seed", "9", "--format", "json"];
        args.extend(link);
        let [one, other] = [(); 2].map(|()| snapback(&args));
        assert_eq!(one.code, Some(0), "{}", one.err);
        assert_eq!(one.json()["frames"], 1_800);
        assert_eq!(one.out, other.out);
    }
}

#[test]
fn ten_minutes_on_a_bad_link_agree() {
    let run = snapback(&["duel", "--fast", "--seconds", "600", "--loss", "10", "--rtt", "120", "--format", "json"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let report = run.json();
    assert_eq!(report["frames"], 36_000);
    let results = report["results"].as_array().unwrap();
    assert!(results.iter().any(|round| round["match_winner"].is_string()), "{results:?}");
    assert_eq!((results[0]["match"].as_u64(), results[0]["round"].as_u64()), (Some(1), Some(1)));
}

#[test]
fn a_planted_disagreement_names_frame_and_field() {
    for way in [&["--fast"][..], &["--loss", "0"]] {
        let mut args = vec!["duel", "--seconds", "5", "--plant-desync", "40", "--format", "json"];
        args.extend(way);
        let run = snapback(&args);
        assert_eq!(run.code, Some(1), "{}", run.err);
        let report = run.json();
        assert_eq!(report["agree"], false);
        let divergence = &report["divergence"];
        assert_eq!((divergence["frame"].as_i64(), divergence["player"].as_i64()), (Some(40), Some(1)));
        assert_eq!(divergence["field"], "fighter[1].motion.position[0]");
        assert_ne!(divergence["expected"], divergence["actual"]);
        assert!(run.error().starts_with("error: the peers disagree: frame 40 is the first that differs: fighter[1]"), "{}", run.err);
    }
}

/// Recorded inputs do not look at the world, so nothing that a link does may change what comes out.
#[test]
fn recorded_inputs_give_the_same_match_on_every_link() {
    let recording = recording("every_link.fg");
    let play = |more: &[&str]| {
        let mut args = vec!["duel", "--seconds", "3", "--inputs", &recording, "--format", "json"];
        args.extend(more);
        let run = snapback(&args);
        assert_eq!(run.code, Some(0), "{}", run.err);
        hashes(&run.json()).remove(0)
    };
    let clean = play(&["--fast", "--rtt", "0", "--jitter", "0", "--loss", "0"]);
    assert_eq!(play(&["--fast", "--rtt", "150", "--jitter", "30", "--loss", "20", "--reorder", "5"]), clean);
    assert_eq!(play(&[]), clean, "in real time");
    assert_eq!(play(&["--fast", "--port", "2", "--port", "5"]), clean);
    assert_ne!(play(&["--fast", "--port", "5", "--port", "2"]), clean);
    // A delayed input still belongs to its frame; the first three are lost in the round's introduction.
    assert_eq!(play(&["--fast", "--delay", "3"]), clean);
}

#[test]
fn human_inputs_hold_real_time() {
    let Ok(data) = std::env::var("SNAPBACK_DATA") else {
        println!("skipped: human_inputs_hold_real_time");
        return;
    };
    let path = format!("{data}/inputs/m000.fg");
    let play = |more: &[&str]| {
        let mut args = vec!["duel", "--seconds", "5", "--inputs", &path, "--format", "json"];
        args.extend(more);
        let run = snapback(&args);
        assert_eq!(run.code, Some(0), "{}", run.err);
        run.json()
    };
    let clean = hashes(&play(&["--fast"]));
    let mut try_once = || {
        let real = play(&[]);
        assert_eq!(hashes(&real), clean);
        real["achieved_hz"].as_f64().unwrap()
    };
    // Other programs on the machine may disturb one run; a duel that cannot hold real time never does.
    let tries: Vec<f64> = std::iter::repeat_with(&mut try_once).take(5).take_while(|hz| *hz < 59.5).collect();
    assert!(tries.len() < 5, "{tries:?}");
}

#[test]
fn a_recorded_link_is_followed() {
    let trace = crate::support::file("link.csv", b"t_ms,rtt_ms\n0,30\n500,LOST\n520,90.5\n1000,30\n");
    let run = snapback(&["duel", "--fast", "--seconds", "5", "--link-trace", &trace, "--format", "json"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let rtt_ms = run.json()["peers"][0]["rtt_ms"].as_f64().unwrap();
    assert!((28.0..100.0).contains(&rtt_ms), "{rtt_ms}");
}
