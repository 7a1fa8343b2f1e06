//! Lag: honest networks are believed, a switch in the cable gains nothing.

use std::path::Path;

use super::{SHOOTER, gate, shot};
use snapback_core::Rng;
use snapback_rewind::fire::{FireClamp, FireGate, FirePolicy, OnClamp};

const START_US: u64 = 10_000_000;

/// Fires at `now_us` with a claimed lag, and returns the lag that was believed.
fn believed_us(gate: &mut FireGate, sequence: u32, now_us: u64, lag_us: u64) -> u64 {
    now_us - gate.accept(now_us, SHOOTER, &shot(sequence, now_us - lag_us, 0)).unwrap().fire_us
}

#[test]
fn lag_that_switches_between_0_and_240_ms_gains_no_more_than_honest_jitter() {
    for period_us in [50_000, 100_000, 500_000, 2_000_000, 60_000_000] {
        let mut gate = gate(FirePolicy::default());
        for at in 0..400u32 {
            let now_us = START_US + u64::from(at) * period_us;
            let claimed_us = if at % 2 == 0 { 0 } else { 240_000 };
            let believed_us = believed_us(&mut gate, at, now_us, claimed_us);
            // Nor before the shot that had no lag.
            assert_eq!(believed_us, claimed_us.min(80_000).min(period_us), "shot {at} every {period_us} us");
        }
        assert_eq!(gate.counters().clamps(FireClamp::Unsteady), 200);
    }
}

#[test]
fn lag_that_switches_in_blocks_gains_no_more_than_a_network_that_grew_as_slowly() {
    // Within two seconds of a low lag, a high one is believed to 80 ms and 50 ms for each second.
    let mut rng = Rng::new(8_102, 1);
    for _ in 0..200 {
        let mut gate = gate(FirePolicy::default());
        let (block, period_us) = (1 + rng.below(20), u64::from(20_000 + rng.below(300_000)));
        let mut low_us = None;
        for at in 0..400u32 {
            let now_us = START_US + u64::from(at) * period_us;
            let high = at / block % 2 == 1;
            let believed_us = believed_us(&mut gate, at, now_us, if high { 240_000 } else { 0 });
            if !high {
                low_us = Some(now_us);
            } else if let Some(low_us) = low_us {
                assert!(believed_us <= 80_000 + (now_us - low_us) / 20, "shot {at}, {block} every {period_us} us");
            }
        }
    }
}

#[test]
fn who_truly_has_240_ms_gets_them() {
    let mut gate = gate(FirePolicy::default());
    for at in 0..100 {
        assert_eq!(believed_us(&mut gate, at, START_US + u64::from(at) * 100_000, 240_000), 240_000);
    }
}

#[test]
fn a_lag_that_grew_for_good_is_believed_after_a_moment() {
    let mut gate = gate(FirePolicy::default());
    believed_us(&mut gate, 0, START_US, 30_000);
    let mut when_us = None;
    for at in 1..40 {
        let passed_us = u64::from(at) * 50_000;
        if believed_us(&mut gate, at, START_US + passed_us, 150_000) == 150_000 {
            when_us = when_us.or(Some(passed_us));
        } else {
            assert_eq!(when_us, None);
        }
    }
    // 40 ms beyond the allowance at 50 ms a second.
    assert!(when_us.is_some_and(|when_us| when_us <= 900_000), "{when_us:?}");
}

#[test]
fn other_messages_tell_about_lag_before_the_next_shot() {
    let mut gate = gate(FirePolicy::default());
    believed_us(&mut gate, 0, START_US, 30_000);
    for at in 1..=100 {
        let now_us = START_US + at * 20_000;
        gate.observe(SHOOTER, now_us - 150_000, now_us);
    }
    assert_eq!(believed_us(&mut gate, 1, START_US + 2_020_000, 150_000), 150_000);
}

#[test]
fn a_policy_that_refuses_does_not_lock_a_growing_lag_out_for_good() {
    let mut gate = gate(FirePolicy::default().with(FireClamp::Unsteady, OnClamp::Refuse));
    let mut fire = |at: u32, lag_us: u64| {
        let now_us = START_US + u64::from(at) * 100_000;
        gate.accept(now_us, SHOOTER, &shot(at, now_us - lag_us, 0)).is_ok()
    };
    assert!(fire(0, 30_000));
    assert!(!fire(1, 200_000));
    assert!((2..30).any(|at| fire(at, 200_000)));
}

#[test]
fn jitter_within_the_allowance_is_never_clamped_in_any_order_of_arrival() {
    for seed in 0..500 {
        let mut rng = Rng::new(seed, 5);
        let base_us = rng.below(150_000);
        // Fire time and arrival of each shot.
        let mut fire_us = START_US;
        let mut shots: Vec<(u32, u64, u64)> = (0..60)
            .map(|sequence| {
                fire_us += u64::from(5_000 + rng.below(20_000));
                (sequence, fire_us, fire_us + u64::from(base_us + rng.below(80_001)))
            })
            .collect();
        shots.sort_by_key(|&(_, _, arrival_us)| arrival_us);
        let mut gate = gate(FirePolicy::default());
        for (sequence, fire_us, arrival_us) in shots {
            let accepted = gate.accept(arrival_us, SHOOTER, &shot(sequence, fire_us, 100_000)).unwrap();
            assert_eq!(accepted.fire_us, fire_us, "seed {seed} shot {sequence}");
        }
        assert!(gate.counters().late > 0, "seed {seed} kept the order");
    }
}

/// The shares of shots, in thousandths of a percent, that were clamped as unsteady on a recorded network.
fn clamped_per_100k(path: &Path, every_us: u64) -> u64 {
    let text = std::fs::read_to_string(path).unwrap();
    let mut gate = gate(FirePolicy::default());
    let (mut next_us, mut sequence) = (0, 0);
    for line in text.lines().filter(|line| !line.starts_with(['#', 't']) && !line.ends_with("LOST")) {
        let (t_ms, rtt_ms) = line.split_once(',').unwrap();
        // Milliseconds with three digits.
        let us = |text: &str| text.replace('.', "").parse::<u64>().unwrap();
        let (sent_us, lag_us) = (START_US + us(t_ms), us(rtt_ms) / 2);
        if sent_us >= next_us {
            next_us = sent_us + every_us;
            // An order of arrival that is that of the shots: of lag alone is the question.
            let arrival_us = sent_us + lag_us;
            let _ = gate.accept(arrival_us, SHOOTER, &shot(sequence, sent_us, 100_000));
            sequence += 1;
        }
    }
    let counters = gate.counters();
    (counters.clamps(FireClamp::Unsteady) + counters.refused()) * 100_000 / u64::from(sequence)
}

#[test]
fn recorded_networks_are_believed() {
    let Some(data) = std::env::var_os("SNAPBACK_DATA") else {
        println!("skipped: recorded_networks_are_believed");
        return;
    };
    let mut files: Vec<_> = std::fs::read_dir(Path::new(&data).join("net")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut seen = 0;
    for path in files.iter().filter(|path| path.extension().is_some_and(|end| end == "csv") && !path.ends_with("index.csv")) {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let [every_packet, ten_a_second] = [0, 100_000].map(|every_us| clamped_per_100k(path, every_us));
        println!("{name}: {every_packet} and {ten_a_second} of 100,000");
        // The derived ones were recorded on links that were kept full: seconds of lag.
        let limit = match name {
            _ if name.starts_with("wired") || name.starts_with("wan") => 0,
            _ if name.starts_with("lte") || name.starts_with("umts") => 25_000,
            _ => 1_000,
        };
        assert!(every_packet.max(ten_a_second) <= limit, "{name}: {every_packet} {ten_a_second}");
        seen += 1;
    }
    assert!(seen >= 10, "{seen} files");
}
