//! Seeded matches on virtual time: every confirmed frame of every peer is what a straight replay of
//! the same inputs gives.

#![allow(clippy::panic, reason = "a test fails by panicking")]

use snapback_harness::plan::Plan;

/// Long enough for the worst link that a plan draws.
const LIMIT_US: u64 = 240_000_000;

fn play(seed: u64, frame_count: u32) -> Result<u64, String> {
    let plan = Plan::draw(seed, frame_count);
    let replay = || format!("replay with SNAPBACK_SEED={seed} cargo test -p snapback-tests --test matches one_seed; the plan: {plan:?}");
    let mut cluster = plan.cluster().map_err(|error| format!("{error}; {}", replay()))?;
    cluster.run(LIMIT_US).map_err(|error| format!("seed {seed}: {error}; {}", replay()))?;
    let rollbacks = cluster.nodes().iter().filter_map(|node| node.peer.session()).map(|session| session.stats().rollbacks).sum();
    let confirmed = cluster.judge().confirmed_by_all();
    if confirmed != plan.settings.last_frame {
        return Err(format!("seed {seed}: only frame {confirmed} is confirmed by all; {}", replay()));
    }
    Ok(rollbacks)
}

/// 250 of the 1,000 matches of 600 frames under mixed conditions, two to four players. Four tests, so
/// that they share the cores.
fn quarter(first_seed: u64) {
    let rollbacks: u64 = (first_seed..first_seed + 250).map(|seed| play(seed, 600).unwrap_or_else(|error| panic!("{error}"))).sum();
    assert!(rollbacks > 25_000, "only {rollbacks} rollbacks: the conditions were too kind to prove anything");
}

#[test]
fn a_thousand_matches_agree_with_the_straight_replay_1() {
    quarter(0);
}

#[test]
fn a_thousand_matches_agree_with_the_straight_replay_2() {
    quarter(250);
}

#[test]
fn a_thousand_matches_agree_with_the_straight_replay_3() {
    quarter(500);
}

#[test]
fn a_thousand_matches_agree_with_the_straight_replay_4() {
    quarter(750);
}

/// Replays one seed: the command that a failing seed prints.
#[test]
fn one_seed() {
    let seed = std::env::var("SNAPBACK_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1_000);
    play(seed, 600).unwrap_or_else(|error| panic!("{error}"));
}
