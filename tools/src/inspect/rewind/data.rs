//! A played scenario as JSON: the report, and all that the page draws. Lengths and places are in units of 1/16,384 m, times in
//! microseconds of the server; every number is the engine's.

use serde_json::{Value, json};
use snapback_rewind::cull::Verdict;
use snapback_rewind::scenario::{
    Considered, Culled, End, Nearest, Obstacle, ObstacleKind, ObstacleShape, Played, Refusal, Scenario, ShotKind, ShotOutcome, Strike,
    StruckThing, Why, cm,
};
use snapback_rewind::{HitboxFrame, Point, Rejection, units};

/// The report of `--format json`: one object without the poses of every tick.
pub(super) fn report(file: &str, scenario: &Scenario, played: &Played, chosen: &[usize]) -> String {
    let shots: Vec<Value> = chosen.iter().filter_map(|&at| played.outcome.shots.get(at)).map(|outcome| shot(scenario, outcome)).collect();
    let value = json!({
        "file": file,
        "name": scenario.name,
        "hash": format!("{:#010x}", played.outcome.hash()),
        "as_expected": chosen.iter().filter_map(|&at| played.outcome.shots.get(at)).all(|outcome| scenario.surprises(outcome).is_empty()),
        "shots": shots,
    });
    // Texts and numbers always can be written.
    serde_json::to_string_pretty(&value).unwrap_or_default()
}

/// All that the page draws.
pub(super) fn drawn(file: &str, scenario: &Scenario, played: &Played, chosen: &[usize]) -> Value {
    let hitboxes: Vec<Value> = scenario
        .hitboxes()
        .map(|(at, actor, hitbox)| json!({ "actor": at, "name": format!("{}/{}", actor.name, hitbox.name), "projectile": hitbox.projectile }))
        .collect();
    let shots: Vec<Value> = chosen
        .iter()
        .filter_map(|&at| Some((played.outcome.shots.get(at)?, played.ghosts.get(at)?)))
        .map(|(outcome, ghosts)| {
            let mut value = shot(scenario, outcome);
            let at: Vec<Value> = ghosts.at.iter().map(|all| all.iter().map(|frame| pose(frame.as_ref())).collect()).collect();
            value["ghosts"] = at.into();
            value["culling"] = ghosts.culling.iter().map(culled).collect();
            value["recorded"] =
                ghosts.recorded.iter().map(|span| span.map_or(Value::Null, |(oldest, newest)| json!([oldest, newest]))).collect();
            value["proxies"] = ghosts.proxies.iter().map(|&place| scenario.hitbox_name(place)).collect();
            let counters = &ghosts.counters;
            value["counters"] = json!({
            "queries": counters.queries,
            "pieces between two ticks": counters.pieces,
            "candidates": counters.candidates,
            "exact tests": counters.sweeps
            });
            value["rejections"] = Rejection::ALL
                .iter()
                .filter(|&&reason| counters.rejections(reason) > 0)
                .map(|&reason| json!([format!("{reason:?}"), counters.rejections(reason)]))
                .collect();
            value
        })
        .collect();
    let ticks: Vec<Value> = played
        .film
        .ticks
        .iter()
        .map(|(time_us, frames)| json!([time_us, frames.iter().map(|frame| pose(frame.as_ref())).collect::<Vec<_>>()]))
        .collect();
    json!({
        "file": file,
        "name": scenario.name,
        "story": scenario.story,
        "hash": format!("{:#010x}", played.outcome.hash()),
        "tick_us": scenario.tick_us,
        "duration_us": scenario.duration_us,
        "max_rewind_us": scenario.max_rewind_us,
        "actors": scenario.actors.iter().map(|actor| json!({ "name": actor.name, "team": actor.team.number() })).collect::<Vec<_>>(),
        "hitboxes": hitboxes,
        "obstacles": scenario.obstacles.iter().map(obstacle).collect::<Vec<_>>(),
        "ticks": ticks,
        "shots": shots,
    })
}

fn shot(scenario: &Scenario, outcome: &ShotOutcome) -> Value {
    let Some(shot) = scenario.shots.get(outcome.shot) else { return Value::Null };
    let hits = outcome.strikes.iter().filter(|strike| matches!(strike.thing, StruckThing::Hitbox(_))).count();
    json!({
        "number": outcome.shot + 1,
        "name": shot.name,
        "shooter": scenario.actors.get(shot.shooter).map(|actor| &actor.name),
        "shooter_actor": shot.shooter,
        "kind": if matches!(shot.kind, ShotKind::Hitscan { .. }) { "hitscan" } else { "projectile" },
        "radius": units::units(shot.radius),
        "verdict": scenario.verdict(outcome),
        "hit": hits > 0,
        "hits": hits,
        "end": match outcome.end {
            End::Struck => "struck",
            End::OutOfRange => "out of range",
            End::StillFlying => "still flying",
            End::Refused(_) => "refused",
        },
        "refusal": refusal(outcome.end),
        "fire_us": outcome.fire_us,
        "arrives_us": shot.arrives_us,
        "accepted_us": outcome.accepted_us,
        "view_delay_us": outcome.view_delay_us,
        "asked_us": shot.asked_us(),
        "target_us": outcome.target_us,
        "clamped": outcome.clamped,
        "clamps": outcome.clamps.iter().map(|&claim| Refusal::claim_name(claim)).collect::<Vec<_>>(),
        "path": outcome.path.iter().map(|point| json!([point.time_us, point.target_us, place(point.position)])).collect::<Vec<_>>(),
        "blast": outcome.blast.map(|(centre, radius_units)| json!([place(centre), radius_units])),
        "caught_up_points": outcome.caught_up_points,
        "strikes": outcome.strikes.iter().map(|one| strike(scenario, one)).collect::<Vec<_>>(),
        "considered": outcome.considered.iter().map(|one| considered(scenario, one)).collect::<Vec<_>>(),
        "without_rewind": outcome.without_rewind.map(|thing| scenario.thing_name(thing)),
        "expected": shot.expect.is_some(),
        "surprises": scenario.surprises(outcome),
    })
}

fn refusal(end: End) -> Value {
    let End::Refused(reason) = end else { return Value::Null };
    json!({ "reason": reason.name(), "text": reason.to_string() })
}

fn strike(scenario: &Scenario, strike: &Strike) -> Value {
    let (kind, index) = match strike.thing {
        StruckThing::Hitbox(index) => ("hitbox", index),
        StruckThing::Obstacle(index) => ("obstacle", index),
    };
    json!({
        "kind": kind,
        "index": index,
        "name": scenario.thing_name(strike.thing),
        "time_us": strike.time_us,
        "target_us": strike.target_us,
        "toi": strike.at.bits(),
        "at": place(strike.position),
        "damages": strike.damages,
        "by_blast": strike.by_blast,
    })
}

fn considered(scenario: &Scenario, one: &Considered) -> Value {
    json!({
        "hitbox": one.hitbox,
        "name": scenario.hitbox_name(one.hitbox),
        "why": one.why.name(),
        "hit": one.why == Why::Hit,
        "candidate": one.why.is_candidate(),
        "sentence": scenario.why_sentence(one),
        "stale": scenario.stale_sentence(one),
        "nearest": one.nearest.as_ref().map(nearest),
    })
}

fn nearest(nearest: &Nearest) -> Value {
    json!({
        "gap": nearest.gap_units,
        "gap_text": cm(nearest.gap_units),
        "time_us": nearest.time_us,
        "target_us": nearest.frame.time_us,
        "when_text": nearest.when(),
        "at": place(nearest.position),
        "pose": pose(Some(&nearest.frame)),
    })
}

fn obstacle(obstacle: &Obstacle) -> Value {
    let vector = |vector| place(Point::of(vector).unwrap_or_default());
    let shape = match obstacle.shape {
        ObstacleShape::Box { centre, half } => json!({ "box": [vector(centre), vector(half)] }),
        ObstacleShape::Ball { centre, radius } => json!({ "ball": [vector(centre), units::units(radius)] }),
        // A direction is all that is wanted of the normal.
        ObstacleShape::HalfSpace { point, normal } => json!({ "half_space": [vector(point), vector(normal)] }),
    };
    json!({
        "name": obstacle.name,
        "shape": shape,
        "kind": match obstacle.kind {
            ObstacleKind::Static => "static",
            ObstacleKind::Dynamic => "dynamic",
            ObstacleKind::Destructible => "destructible",
        },
        "lag_comp_ignore": obstacle.lag_comp_ignore,
    })
}

/// The corners of the box from then to now, and whether it would be rewound.
fn culled(culled: &Option<Culled>) -> Value {
    let Some(Culled { bounds, verdict }) = culled else { return Value::Null };
    json!({
        "bounds": bounds.map(|(low, high)| [place(low), place(high)]),
        "kept": *verdict == Verdict::Kept,
        "verdict": verdict.to_string(),
    })
}

fn place(point: Point) -> Value {
    json!(point.to_array())
}

/// Centre, half axis, radius, radius of the broadphase, epoch.
fn pose(frame: Option<&HitboxFrame>) -> Value {
    let Some(frame) = frame else { return Value::Null };
    let [x, y, z] = frame.centre.to_array();
    let [a, b, c] = frame.half_axis;
    let radius = units::units(frame.radius).unwrap_or(0);
    let around = units::units(frame.broadphase_radius).unwrap_or(0);
    json!([x, y, z, a, b, c, radius, around, frame.epoch])
}
