//! Which candidates are worth their bytes: a few show as much as all of them.

use snapback::golden::GoldenReplay;
use snapback::golden::coverage::{Goal, WorldSurveyor};
use snapback::sim::WorldData;
use snapback_golden::check::on_all_cores;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How many replays should show each goal, if so many can: a goal that one replay shows in one
/// situation is hardly tried.
const WANTED: usize = 4;

/// At most so many bytes are chosen.
const MOST_BYTES: usize = 2_000_000;

/// The places of the candidates that are chosen: always the one that adds most for its bytes, to
/// what the fixed replays and those before it show.
pub(crate) fn chosen(data: &Arc<WorldData>, fixed: &[GoldenReplay], candidates: &[GoldenReplay]) -> Result<BTreeSet<usize>, String> {
    let surveyor = WorldSurveyor::new(data);
    let goals = |replays: &[GoldenReplay]| -> Result<Vec<BTreeSet<Goal>>, String> {
        let survey = |replay: &GoldenReplay| surveyor.survey(replay).map(|survey| survey.goals).map_err(|error| error.to_string());
        on_all_cores(replays, None, survey, |_| ()).into_iter().collect()
    };
    let mut shown: BTreeMap<Goal, usize> = BTreeMap::new();
    for goal in goals(fixed)?.into_iter().flatten() {
        *shown.entry(goal).or_default() += 1;
    }
    let offers = goals(candidates)?;
    let (mut chosen, mut bytes) = (BTreeSet::new(), 0);
    while bytes < MOST_BYTES {
        let gain =
            |at: usize| offers[at].iter().map(|goal| WANTED.saturating_sub(shown.get(goal).copied().unwrap_or(0)).pow(2)).sum::<usize>();
        let size = |at: usize| candidates[at].bytes().len();
        let open = (0..candidates.len()).filter(|at| !chosen.contains(at));
        let best = open.map(|at| (gain(at) * 1_000_000 / size(at), at)).max_by_key(|(worth, at)| (*worth, usize::MAX - at));
        let Some((worth, at)) = best else { break };
        if worth == 0 {
            break;
        }
        for goal in &offers[at] {
            *shown.entry(goal.clone()).or_default() += 1;
        }
        chosen.insert(at);
        bytes += size(at);
    }
    Ok(chosen)
}
