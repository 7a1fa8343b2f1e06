//! Which seeds to play, and what a failing one says.

use core::ops::Range;
use snapback::Outcome;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

const VARIABLE: &str = "SNAPBACK_STORM_SEEDS";

/// How often a match ended in each way, over all seeds and peers.
pub(crate) type Tally = BTreeMap<&'static str, u32>;

/// The seeds that the environment asks for, as a count or as a range.
fn asked_for(text: &str) -> Option<Range<u64>> {
    match text.split_once("..") {
        Some((first, end)) => Some(first.parse().ok()?..end.parse().ok()?),
        None => Some(0..text.parse().ok()?),
    }
}

/// Plays every seed, and panics with those that fail and the command that replays each. The tally
/// is `None` if the environment asked for less than `default_count` seeds, which prove little.
pub(crate) fn play_seeds(test: &str, default_count: u64, play: impl Fn(u64, &mut Tally) -> Result<(), String>) -> Option<Tally> {
    let asked = std::env::var(VARIABLE).ok();
    let seeds = asked.map_or(0..default_count, |text| asked_for(&text).unwrap_or_else(|| panic!("{VARIABLE}={text} is no count or range")));
    let is_enough = seeds.end.saturating_sub(seeds.start) >= default_count;
    let mut tally = Tally::new();
    let mut failures = Vec::new();
    for seed in seeds {
        let played = catch_unwind(AssertUnwindSafe(|| play(seed, &mut tally))).unwrap_or_else(|_| Err("it panics, see above".to_owned()));
        if let Err(error) = played {
            let command = format!("{VARIABLE}={seed}..{} cargo test -p snapback-tests --test storm {test}", seed + 1);
            failures.push(format!("replay with {command}\n{error}"));
        }
    }
    let shown = failures.iter().take(4).map(String::as_str).collect::<Vec<_>>().join("\n");
    assert!(failures.is_empty(), "{} seeds fail; the first of them:\n{shown}", failures.len());
    is_enough.then_some(tally)
}

/// The name of an outcome, to be counted by.
pub(crate) fn name(outcome: Option<&Outcome>) -> &'static str {
    match outcome {
        None => "none",
        Some(Outcome::Agreed) => "agreed",
        Some(Outcome::Unverified { .. }) => "unverified",
        Some(Outcome::Disagreed { .. }) => "disagreed",
        Some(Outcome::Quit) => "quit",
        Some(Outcome::Refused(_)) => "refused",
        Some(Outcome::Lost { .. }) => "lost",
        Some(Outcome::NotSecured { .. }) => "not secured",
        Some(Outcome::SeedForged { .. }) => "seed forged",
        Some(Outcome::Abandoned { .. }) => "abandoned",
        Some(Outcome::InvalidInput { .. }) => "invalid input",
        Some(Outcome::Desynced { .. }) => "desynced",
        Some(Outcome::InputsDiffer { .. }) => "inputs differ",
        Some(Outcome::ChecksWithheld { .. }) => "checks withheld",
        Some(Outcome::AcksWithheld { .. }) => "acks withheld",
        Some(Outcome::Session(_)) => "session error",
    }
}

/// Whether an outcome blames somebody, which is wrong among peers that keep the rules.
pub(crate) fn blames(outcome: Option<&Outcome>) -> bool {
    matches!(
        outcome,
        Some(
            Outcome::Disagreed { .. }
                | Outcome::Desynced { .. }
                | Outcome::InputsDiffer { .. }
                | Outcome::ChecksWithheld { .. }
                | Outcome::AcksWithheld { .. }
                | Outcome::InvalidInput { .. }
                | Outcome::Session(_)
        )
    )
}

#[test]
fn a_count_and_a_range_are_understood() {
    assert_eq!(asked_for("300"), Some(0..300));
    assert_eq!(asked_for("17..18"), Some(17..18));
    assert_eq!((asked_for("many"), asked_for("1..")), (None, None));
}
