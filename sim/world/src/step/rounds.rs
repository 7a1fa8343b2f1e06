//! Rounds and matches: who is out, when time is over, what comes next.

use crate::cues;
use crate::data::WorldData;
use crate::fighter::{Act, Fighter, X};
use crate::header::{Phase, ResultsState};
use crate::result::{RoundEnd, Winner};
use crate::team_of;
use crate::view::WorldView;
use bytemuck::Zeroable;
use snapback_core::{EffectId, Effects, NameHash};

const STAGE_VARIATIONS: u32 = 4;

pub(super) fn begin_match(data: &WorldData, state: &mut WorldView) {
    let rounds = &mut state.header.rounds;
    rounds.match_number = rounds.match_number.saturating_add(1);
    rounds.round_number = 0;
    rounds.wins = [0; 2];
    for fighter in state.fighters_mut() {
        fighter.vitals.meter = 0;
    }
    begin_round(data, state);
}

fn begin_round(data: &WorldData, state: &mut WorldView) {
    let header = &mut state.header;
    header.rounds.round_number = header.rounds.round_number.saturating_add(1);
    header.rounds.stage_variation = header.rng.below(STAGE_VARIATIONS) as u8;
    header.clock.timer_frames = data.rules.round_frames;
    header.enter(Phase::Intro, data.rules.intro_frames);
    for (seat, fighter) in state.fighters_mut().iter_mut().enumerate() {
        place(data, seat, fighter);
    }
}

/// Puts a fighter at its start, whole. It keeps its meter, and a button that is still held is no
/// new press.
fn place(data: &WorldData, seat: usize, fighter: &mut Fighter) {
    let before = *fighter;
    *fighter = Fighter::zeroed();
    fighter.character = before.character;
    fighter.vitals.meter = before.vitals.meter;
    fighter.input = before.input;
    fighter.vitals.health = data.character(before.character).map_or(0, |c| c.health);
    let distance = if seat < 2 { data.stage.start_near } else { data.stage.start_far };
    let is_left = team_of(seat) == 0;
    fighter.motion.position[X] = if is_left { -distance } else { distance };
    fighter.motion.facing = if is_left { 1 } else { -1 };
    fighter.begin(Act::Stand, 0);
}

pub(super) fn advance(data: &WorldData, state: &mut WorldView, effects: &mut Effects) {
    if state.phase() == Phase::Fight {
        let clock = &mut state.header.clock;
        clock.timer_frames = clock.timer_frames.saturating_sub(1);
        if let Some((winner, end)) = verdict(data, state) {
            end_round(data, state, winner, end, effects);
        }
        return;
    }
    if state.phase() == Phase::Intro && state.header.clock.phase_frames_left == data.rules.intro_frames {
        announce(state, cues::ROUND_START, i32::from(state.header.rounds.stage_variation), effects);
    }
    let clock = &mut state.header.clock;
    clock.phase_frames_left = clock.phase_frames_left.saturating_sub(1);
    if clock.phase_frames_left > 0 {
        return;
    }
    match state.phase() {
        Phase::Intro => {
            state.header.enter(Phase::Fight, 0);
            announce(state, cues::ROUND_FIGHT, 0, effects);
        }
        Phase::RoundEnd if state.header.results.match_winner != 0 => {
            state.header.enter(Phase::MatchEnd, data.rules.match_end_frames);
        }
        Phase::RoundEnd => begin_round(data, state),
        Phase::MatchEnd | Phase::Fight => begin_match(data, state),
    }
}

/// The strength of one team.
#[derive(Clone, Copy, Default)]
struct Team {
    alive: u32,
    health: i64,
    health_full: i64,
}

fn verdict(data: &WorldData, state: &WorldView) -> Option<(Winner, RoundEnd)> {
    let mut teams = [Team::default(); 2];
    for (seat, fighter) in state.fighters().iter().enumerate() {
        let team = &mut teams[usize::from(team_of(seat))];
        team.alive += u32::from(fighter.is_alive());
        team.health += i64::from(fighter.vitals.health);
        team.health_full += data.character(fighter.character).map_or(0, |c| i64::from(c.health));
    }
    let [left, right] = teams;
    match (left.alive, right.alive) {
        (0, 0) => Some((Winner::Draw, RoundEnd::DoubleKnockOut)),
        (0, _) => Some((Winner::Team(1), RoundEnd::KnockOut)),
        (_, 0) => Some((Winner::Team(0), RoundEnd::KnockOut)),
        _ if state.timer_frames() > 0 => None,
        // By share and not by sum: teams may be of different sizes.
        _ => Some(match (left.health * right.health_full).cmp(&(right.health * left.health_full)) {
            core::cmp::Ordering::Less => (Winner::Team(1), RoundEnd::TimeOver),
            core::cmp::Ordering::Equal => (Winner::Draw, RoundEnd::TimeOver),
            core::cmp::Ordering::Greater => (Winner::Team(0), RoundEnd::TimeOver),
        }),
    }
}

fn end_round(data: &WorldData, state: &mut WorldView, winner: Winner, end: RoundEnd, effects: &mut Effects) {
    let header = &mut state.header;
    if let Winner::Team(team) = winner {
        let wins = &mut header.rounds.wins[usize::from(team % 2)];
        *wins = wins.saturating_add(1).min(data.rules.rounds_to_win);
    }
    let match_winner = match_verdict(data, header.rounds.wins, header.rounds.round_number);
    header.results = ResultsState {
        count: header.results.count.saturating_add(1),
        match_number: header.rounds.match_number,
        round_number: header.rounds.round_number,
        winner: winner.to_state(),
        end: end.to_state(),
        match_winner: match_winner.map_or(0, Winner::to_state),
        reserved: 0,
    };
    header.enter(Phase::RoundEnd, data.rules.round_end_frames);
    announce(state, cues::ROUND_END, winner.to_cue(), effects);
    if let Some(winner) = match_winner {
        announce(state, cues::MATCH_END, winner.to_cue(), effects);
    }
}

fn match_verdict(data: &WorldData, [left, right]: [u8; 2], round_number: u32) -> Option<Winner> {
    let is_over = left.max(right) >= data.rules.rounds_to_win || round_number >= data.rules.max_rounds;
    is_over.then(|| match left.cmp(&right) {
        core::cmp::Ordering::Less => Winner::Team(1),
        core::cmp::Ordering::Equal => Winner::Draw,
        core::cmp::Ordering::Greater => Winner::Team(0),
    })
}

fn announce(state: &WorldView, kind: NameHash, what: i32, effects: &mut Effects) {
    let rounds = &state.header.rounds;
    let key = if kind == cues::MATCH_END { rounds.match_number } else { rounds.round_number };
    let id = EffectId { source: cues::STAGE, kind, key };
    effects.emit(id, [rounds.match_number.cast_signed(), rounds.round_number.cast_signed(), what, 0]);
}
