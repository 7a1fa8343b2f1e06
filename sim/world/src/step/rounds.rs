//! Rounds and matches: who is out, when time is over, what comes next.

use super::conditions;
use crate::cues;
use crate::data::{Mechanic, WorldData};
use crate::fighter::{Act, Fighter, Identity, X, Z};
use crate::header::{Phase, ResultsState};
use crate::result::{RoundEnd, Winner};
use crate::roster::Roster;
use crate::view::WorldView;
use crate::{MAX_FIGHTERS, MAX_TEAMS};
use bytemuck::Zeroable;
use core::cmp::Ordering;
use snapback_core::{EffectId, Effects, Fx, NameHash, PlayerHandle, Rng};

const STAGE_VARIATIONS: u32 = 4;

/// The streams of the match seed that the fighters draw from, by place in the team.
const FIGHTER_STREAM: u64 = 2;

/// How deep the fighters of one side start, from the middle outwards.
const START_DEPTHS: [Fx; 4] = [Fx::ZERO, Fx::from_int(30), Fx::from_int(-30), Fx::from_int(60)];

pub(super) fn begin_match(data: &WorldData, state: &mut WorldView) {
    let rounds = &mut state.header.rounds;
    rounds.match_number = rounds.match_number.saturating_add(1);
    rounds.round_number = 0;
    rounds.wins = [0; MAX_TEAMS];
    state.header.control.begin_match();
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
    header.clock.hitstop_frames = 0;
    let mut ranks = [0; MAX_FIGHTERS];
    for (rank_of, fighter) in ranks.iter_mut().zip(state.fighters()) {
        *rank_of = rank(state.fighters(), &fighter.identity);
    }
    for (rank, fighter) in ranks.into_iter().zip(state.fighters_mut()) {
        place(data, rank, fighter);
    }
}

/// Who sits where, before the first match.
pub(super) fn take_seats(roster: &Roster, seed: u64, state: &mut WorldView) {
    for (seat, fighter) in state.fighters_mut().iter_mut().enumerate() {
        let chosen = roster.seats().get(seat).copied().unwrap_or_default();
        let place = roster.place(seat);
        fighter.identity = Identity { character: chosen.character, team: chosen.team, place, reserved: [0; 5] };
        // The same stream for the same place of every team: a mirrored match draws the same.
        fighter.rng = Rng::new(seed, FIGHTER_STREAM + u64::from(place));
    }
}

/// The how manieth from the middle on its side each fighter starts.
fn rank(fighters: &[Fighter], own: &Identity) -> i32 {
    let key = |who: &Identity| (who.place, who.team / 2);
    let nearer = fighters.iter().filter(|f| f.identity.team % 2 == own.team % 2 && key(&f.identity) < key(own));
    nearer.count().min(MAX_FIGHTERS) as i32
}

/// Puts a fighter at its start, whole. It keeps its meter, and a button that is still held is no
/// new press.
fn place(data: &WorldData, rank: i32, fighter: &mut Fighter) {
    let before = *fighter;
    *fighter = Fighter::zeroed();
    fighter.identity = before.identity;
    fighter.rng = before.rng;
    fighter.vitals.meter = before.vitals.meter;
    fighter.pad = before.pad;
    fighter.input = before.input;
    for (now, before) in fighter.projectiles.iter_mut().zip(before.projectiles) {
        now.serial = before.serial;
    }
    if let Some(character) = data.character(before.identity.character) {
        fighter.vitals.health = character.health;
        fighter.attributes.current = conditions::base_attributes(character);
    }
    // Of a side with more fighters than there is room for, the last ones start at the wall.
    let (half_width, half_depth) = (data.stage.half_width, data.stage.half_depth);
    let distance = (data.stage.start_near + data.stage.start_spacing * Fx::from_int(rank)).min(half_width);
    let is_left = before.identity.team.is_multiple_of(2);
    fighter.motion.position[X] = if is_left { -distance } else { distance };
    let depth = START_DEPTHS.get(rank as usize % START_DEPTHS.len()).copied().unwrap_or(Fx::ZERO);
    fighter.motion.position[Z] = depth.clamp_to(-half_depth, half_depth);
    fighter.motion.facing = if is_left { 1 } else { -1 };
    fighter.motion.cuts = before.motion.cuts.wrapping_add(1);
    fighter.begin(Act::Stand, 0);
}

pub(super) fn advance(data: &WorldData, state: &mut WorldView, effects: &mut Effects) {
    if matches!(state.phase(), Phase::Intro | Phase::Fight)
        && let Some(winner) = left_by_surrender(state)
    {
        end_round(data, state, winner, RoundEnd::Surrender, effects);
        return;
    }
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

/// Who is left, once all players of all other teams have given the match up.
fn left_by_surrender(state: &WorldView) -> Option<Winner> {
    if state.header.control.surrendered().is_empty() {
        return None;
    }
    let mut fighting = [false; MAX_TEAMS];
    for (seat, fighter) in state.fighters().iter().enumerate() {
        if !has_surrendered(state, seat)
            && let Some(team) = fighting.get_mut(usize::from(fighter.team()))
        {
            *team = true;
        }
    }
    let mut left = (0..).zip(fighting).filter(|(_, is_fighting)| *is_fighting).map(|(team, _)| team);
    match (left.next(), left.next()) {
        (None, _) => Some(Winner::Draw),
        (Some(team), None) => Some(Winner::Team(team)),
        _ => None,
    }
}

fn has_surrendered(state: &WorldView, seat: usize) -> bool {
    state.header.control.surrendered().contains(PlayerHandle::new(seat as u8))
}

/// The strength of one team.
#[derive(Clone, Copy, Default)]
struct Team {
    alive: u32,
    health: i64,
    health_full: i64,
}

impl Team {
    /// By share and not by sum: teams may be of different sizes.
    fn cmp(&self, other: &Self) -> Ordering {
        (self.health * other.health_full).cmp(&(other.health * self.health_full))
    }
}

fn verdict(data: &WorldData, state: &WorldView) -> Option<(Winner, RoundEnd)> {
    if state.timer_frames() > 0 && is_undecided(state.fighters()) {
        return None;
    }
    let mut teams = [Team::default(); MAX_TEAMS];
    for fighter in state.fighters() {
        if let Some(team) = teams.get_mut(usize::from(fighter.team())) {
            team.alive += u32::from(fighter.is_alive());
            team.health += i64::from(fighter.vitals.health);
            team.health_full += data.character(fighter.identity.character).map_or(0, |c| i64::from(c.health));
        }
    }
    let mut standing = (0..).zip(teams).filter(|(_, team)| team.alive > 0);
    match (standing.next(), standing.next()) {
        (None, _) => Some((Winner::Draw, RoundEnd::DoubleKnockOut)),
        (Some((team, _)), None) => Some((Winner::Team(team), RoundEnd::KnockOut)),
        _ if state.timer_frames() > 0 || !data.has(Mechanic::TimeOver) => None,
        (Some(first), Some(second)) => Some((healthiest(first, second, standing), RoundEnd::TimeOver)),
    }
}

/// Whether two teams have somebody left: the frame's usual answer, found fast.
fn is_undecided(fighters: &[Fighter]) -> bool {
    let mut alive = fighters.iter().filter(|f| f.is_alive()).map(Fighter::team);
    alive.next().is_some_and(|first| alive.any(|team| team != first))
}

/// The team with the greatest share of its health; a draw if two have it.
fn healthiest(first: (u8, Team), second: (u8, Team), rest: impl Iterator<Item = (u8, Team)>) -> Winner {
    let (mut best, mut winner) = (first.1, Winner::Team(first.0));
    for (team, strength) in core::iter::once(second).chain(rest) {
        match strength.cmp(&best) {
            Ordering::Less => {}
            Ordering::Equal => winner = Winner::Draw,
            Ordering::Greater => (best, winner) = (strength, Winner::Team(team)),
        }
    }
    winner
}

fn end_round(data: &WorldData, state: &mut WorldView, winner: Winner, end: RoundEnd, effects: &mut Effects) {
    let header = &mut state.header;
    if let Winner::Team(team) = winner {
        let wins = &mut header.rounds.wins[usize::from(team) % MAX_TEAMS];
        *wins = wins.saturating_add(1).min(data.rules.rounds_to_win);
    }
    let match_winner = match end {
        RoundEnd::Surrender => Some(winner),
        _ => match_verdict(data, header.rounds.wins, header.rounds.round_number),
    };
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

fn match_verdict(data: &WorldData, wins: [u8; MAX_TEAMS], round_number: u32) -> Option<Winner> {
    let most = wins.iter().copied().max().unwrap_or(0);
    let is_over = most >= data.rules.rounds_to_win || round_number >= data.rules.max_rounds;
    let mut leaders = (0..).zip(wins).filter(|(_, won)| *won == most).map(|(team, _)| team);
    is_over.then(|| match (leaders.next(), leaders.next()) {
        (Some(team), None) => Winner::Team(team),
        _ => Winner::Draw,
    })
}

fn announce(state: &WorldView, kind: NameHash, what: i32, effects: &mut Effects) {
    let rounds = &state.header.rounds;
    let key = if kind == cues::MATCH_END { rounds.match_number } else { rounds.round_number };
    let id = EffectId { source: cues::STAGE, kind, key };
    effects.emit(id, [rounds.match_number.cast_signed(), rounds.round_number.cast_signed(), what, 0]);
}
