//! Matches that real sessions play over bad links: what all peers confirmed is what is recorded.

use crate::sparring::{Sparring, Style};
use crate::stage::Take;
use snapback::sim::{PadInput, Roster, World, WorldData};
use snapback::transport::LinkSettings;
use snapback::transport::link::Loss;
use snapback::{Frame, PlayerInput};
use snapback_harness::bot::Bot;
use snapback_harness::{Cluster, ClusterSettings};
use std::sync::Arc;

/// A match and its link.
struct Plan {
    name: &'static str,
    players: usize,
    frames: u32,
    delay_ms: u64,
    jitter_ms: u64,
    loss: Loss,
    bots: bool,
}

const fn plan(name: &'static str, players: usize, frames: u32, delay_ms: u64, jitter_ms: u64, loss_percent: u32) -> Plan {
    let loss = Loss::Independent { per_million: loss_percent * 10_000 };
    Plan { name, players, frames, delay_ms, jitter_ms, loss, bots: false }
}

const PLANS: [Plan; 10] = [
    plan("near", 2, 1_500, 20, 4, 1),
    plan("far", 2, 1_500, 60, 8, 2),
    plan("very-far", 2, 1_200, 85, 10, 3),
    plan("jittery", 2, 1_500, 35, 25, 2),
    plan("lossy", 2, 1_500, 40, 6, 15),
    plan("three-players", 3, 1_500, 40, 10, 4),
    plan("four-players", 4, 1_500, 40, 10, 4),
    Plan { loss: Loss::None, bots: true, ..plan("bots", 2, 2_400, 50, 12, 0) },
    Plan { bots: true, ..plan("four-bots", 4, 1_800, 45, 15, 5) },
    Plan { bots: true, ..plan("long-set", 2, 9_000, 45, 10, 3) },
];

/// Much more than any of them takes.
const LIMIT_US: u64 = 600_000_000;

pub(crate) fn takes(data: &Arc<WorldData>) -> Result<Vec<Take>, String> {
    PLANS.iter().enumerate().map(|(number, plan)| take(data, number as u64, plan)).collect()
}

fn take(data: &Arc<WorldData>, number: u64, plan: &Plan) -> Result<Take, String> {
    let seed = 0x1157_0000 + number;
    let link =
        LinkSettings { delay_us: plan.delay_ms * 1_000, jitter_us: plan.jitter_ms * 1_000, loss: plan.loss, ..LinkSettings::default() };
    let settings = ClusterSettings { link, ..ClusterSettings::new(seed, plan.players, plan.frames) };
    let roster = Roster::standard(data);
    let world = World::with_roster(Arc::clone(data), roster);
    let bots = plan.bots;
    let mut cluster: Cluster<World> = Cluster::new(
        &settings,
        || world.clone(),
        move |player| {
            let (_, style) = Style::ALL[player % Style::ALL.len()];
            if bots { Box::new(Bot::new(seed, player)) } else { Box::new(Sparring::new(seed, player, style)) }
        },
    )
    .map_err(|error| format!("{}: {error}", plan.name))?;
    cluster.run(LIMIT_US).map_err(|error| format!("{}: {error}", plan.name))?;
    let last_frame = settings.last_frame;
    if cluster.judge().confirmed_by_all() != last_frame {
        return Err(format!("{}: not everything was confirmed", plan.name));
    }
    let frames = (0..=last_frame.number()).map(Frame::new);
    let pads = |inputs: &[PlayerInput<PadInput>]| inputs.iter().map(|input| input.input).collect();
    let pads = frames.map(|frame| cluster.judge().inputs(frame).map(pads).unwrap_or_default()).collect();
    let stats = cluster.nodes().first().and_then(|node| node.peer.session()).map(|session| session.stats());
    let (rollbacks, deepest) = stats.map_or((0, 0), |stats| (stats.rollbacks, stats.max_depth));
    let loss = if let Loss::Independent { per_million } = plan.loss { per_million / 10_000 } else { 0 };
    let note = format!(
        "{} players in a session over a link of {} ms with {} ms jitter and {loss} % loss; the host went through {rollbacks} rollbacks of up to {deepest} frames.",
        plan.players, plan.delay_ms, plan.jitter_ms
    );
    Ok(Take {
        name: format!("live-{}", plan.name),
        note,
        seed,
        roster,
        players: plan.players,
        pads,
        commands: Vec::new(),
        trace: plan.frames < 2_000,
        live: Some((rollbacks, deepest)),
    })
}
