//! Which candidates are worth their bytes: a few show as much as all of them.

use snapback::golden::GoldenReplay;
use snapback::golden::coverage::{Goal, WorldSurveyor};
use snapback::sim::WorldData;
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
        let half = replays.len().div_ceil(2).max(1);
        let survey = |replay: &GoldenReplay| surveyor.survey(replay).map(|survey| survey.goals).map_err(|error| error.to_string());
        std::thread::scope(|scope| {
            let parts: Vec<_> =
                replays.chunks(half).map(|part| scope.spawn(move || part.iter().map(survey).collect::<Result<Vec<_>, _>>())).collect();
            let mut all = Vec::new();
            for part in parts {
                all.extend(part.join().map_err(|_| "a survey failed")??);
            }
            Ok(all)
        })
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
