//! What came of the shots, for a terminal.

use core::fmt::Write;
use snapback_rewind::scenario::{Considered, End, Played, Refusal, Scenario, ShotKind, ShotOutcome, Why, cm, ms};
use std::path::Path;

/// So many hitboxes are named for each shot; the page and the JSON have all.
const SHOWN: usize = 8;

pub(super) fn text(scenario: &Scenario, played: &Played, chosen: &[usize], page: Option<&Path>) -> String {
    let mut out = format!("{}\n", scenario.name);
    // Writing to a text cannot fail.
    if !scenario.story.is_empty() {
        let _ = writeln!(out, "{}", scenario.story);
    }
    for outcome in chosen.iter().filter_map(|&shot| played.outcome.shots.get(shot)) {
        out.push('\n');
        shot(scenario, outcome, &mut out);
    }
    let _ = write!(out, "\nresult hash {:#010x}", played.outcome.hash());
    if let Some(page) = page {
        let _ = write!(out, "\nthe page is {}: open it in a browser", page.display());
    }
    out
}

fn shot(scenario: &Scenario, outcome: &ShotOutcome, out: &mut String) {
    let Some(shot) = scenario.shots.get(outcome.shot) else { return };
    let kind = if matches!(shot.kind, ShotKind::Hitscan { .. }) { "hitscan" } else { "projectile" };
    let _ = writeln!(out, "shot {} \"{}\" ({kind})", outcome.shot + 1, shot.name);
    let _ = writeln!(out, "  {}", scenario.verdict(outcome));
    let (fired, delay, at) = (ms(outcome.fire_us), ms(outcome.view_delay_us), ms(outcome.accepted_us));
    let _ = match outcome.end {
        End::Refused(_) => writeln!(out, "  fired {fired}, view delay {delay}, refused at {at}"),
        _ => writeln!(
            out,
            "  fired {fired}, view delay {delay}, taken {at}, targets as of {}{}",
            ms(outcome.target_us),
            if outcome.clamped { " (clamped)" } else { "" }
        ),
    };
    if !outcome.clamps.is_empty() {
        let claims: Vec<&str> = outcome.clamps.iter().map(|&claim| Refusal::claim_name(claim)).collect();
        let _ = writeln!(out, "  not believed as it was claimed: {}", claims.join(", "));
    }
    let mut considered: Vec<&Considered> = outcome.considered.iter().collect();
    considered.sort_by_key(|one| (one.why != Why::Hit, one.nearest.map_or(i64::MAX, |nearest| nearest.gap_units)));
    for one in considered.iter().take(SHOWN) {
        let mark = if one.why == Why::Hit { "HIT" } else { " - " };
        let gap = one
            .nearest
            .filter(|nearest| one.why != Why::Hit && nearest.gap_units > 0)
            .map_or_else(String::new, |nearest| format!(", {} away", cm(nearest.gap_units)));
        let _ = writeln!(out, "  {mark} {:<24} {}{gap}", scenario.hitbox_name(one.hitbox), one.why.name());
    }
    if considered.len() > SHOWN {
        let _ = writeln!(out, "      and {} more", considered.len() - SHOWN);
    }
    match (&shot.expect, scenario.surprises(outcome)) {
        (None, surprises) if surprises.is_empty() => {}
        (Some(_), surprises) if surprises.is_empty() => out.push_str("  as expected\n"),
        (_, surprises) => surprises.iter().for_each(|surprise| _ = writeln!(out, "  NOT AS EXPECTED: {surprise}")),
    }
}
