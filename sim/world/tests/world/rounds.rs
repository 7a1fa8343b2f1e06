//! Knock-outs, time, rounds and matches.

use crate::rig::{DEFAULT_DATA, Rig};
use snapback_core::Simulation;
use snapback_sim::{Act, PadInput, Phase, Roster, RoundEnd, RoundResult, Winner, World, WorldData, WorldView, cues};
use std::sync::Arc;

const LIGHT: u16 = PadInput::LIGHT;

/// Two fighters in reach with this much health.
fn weak(left: i32, right: i32) -> Rig {
    let mut rig = Rig::apart(80);
    rig.edit(|_, fighters| {
        fighters[0].vitals.health = left;
        fighters[1].vitals.health = right;
    });
    rig
}

fn light(rig: &mut Rig, seats: [bool; 2]) {
    rig.step(&seats.map(|s| if s { LIGHT } else { 0 }));
    rig.steps(5, &[]);
}

#[test]
fn nobody_acts_before_the_round_begins() {
    let mut rig = Rig::new(7, 2);
    let start: Vec<_> = rig.fighters().iter().map(|f| f.motion).collect();
    rig.step(&[PadInput::RIGHT | LIGHT, PadInput::UP]);
    assert_eq!(rig.raised(cues::ROUND_START), 1);
    rig.steps(58, &[PadInput::RIGHT | LIGHT, PadInput::UP]);
    assert_eq!(rig.world.view().phase(), Phase::Intro);
    rig.step(&[PadInput::RIGHT | LIGHT, PadInput::UP]);
    assert_eq!((rig.world.view().phase(), rig.raised(cues::ROUND_FIGHT)), (Phase::Fight, 1));
    assert_eq!(rig.fighters().iter().map(|f| f.motion).collect::<Vec<_>>(), start);
    assert_eq!(rig.world.view().timer_frames(), 3600);
    // Still held: no new press.
    rig.step(&[LIGHT]);
    assert_eq!((rig.fighters()[0].act(), rig.world.view().timer_frames()), (Act::Stand, 3599));
}

#[test]
fn a_fighter_without_health_is_out_and_the_round_is_decided() {
    let mut rig = weak(1000, 40);
    light(&mut rig, [true, false]);
    assert_eq!((rig.health(), rig.fighters()[1].act()), (vec![1000, 0], Act::KnockedOut));
    assert_eq!((rig.raised(cues::KNOCK_OUT), rig.raised(cues::ROUND_END)), (1, 1));
    let view = WorldView::read(&rig.snapshot()).unwrap();
    assert_eq!((view.phase(), view.header().rounds.wins), (Phase::RoundEnd, [1, 0, 0, 0]));
    let expected = RoundResult { match_number: 1, round_number: 1, winner: Winner::Team(0), end: RoundEnd::KnockOut, match_winner: None };
    assert_eq!(view.results().last, Some(expected));
    rig.steps(90, &[]);
    let view = rig.world.view();
    assert_eq!((view.phase(), view.header().rounds.round_number), (Phase::Intro, 2));
    assert_eq!(rig.health(), [1000, 1000]);
    assert_eq!(rig.fighters()[0].vitals.meter, 30, "the meter stays for the match");
}

#[test]
fn one_point_of_health_is_enough_to_go_on() {
    let mut rig = weak(1000, 41);
    light(&mut rig, [true, false]);
    assert_eq!((rig.health()[1], rig.world.view().phase()), (1, Phase::Fight));
}

#[test]
fn both_out_in_one_frame_is_a_draw() {
    let mut rig = weak(40, 40);
    light(&mut rig, [true, true]);
    assert_eq!(rig.health(), [0, 0]);
    let result = rig.world.view().results().last.unwrap();
    assert_eq!((result.winner, result.end), (Winner::Draw, RoundEnd::DoubleKnockOut));
    assert_eq!(rig.world.view().header().rounds.wins, [0; 4]);
}

#[test]
fn when_time_is_over_the_greater_share_of_health_wins() {
    for (health, winner) in [([1000, 999], Winner::Team(0)), ([500, 501], Winner::Team(1)), ([700, 700], Winner::Draw)] {
        let mut rig = Rig::apart(300);
        rig.edit(|header, fighters| {
            header.clock.timer_frames = 2;
            fighters.iter_mut().zip(health).for_each(|(f, h)| f.vitals.health = h);
        });
        rig.step(&[]);
        assert_eq!(rig.world.view().results().count, 0);
        rig.step(&[]);
        let result = rig.world.view().results().last.unwrap();
        assert_eq!((result.winner, result.end), (winner, RoundEnd::TimeOver));
    }
}

#[test]
fn a_team_of_two_does_not_win_on_time_by_being_two() {
    let mut rig = Rig::fighting(3);
    rig.edit(|header, fighters| {
        header.clock.timer_frames = 1;
        fighters[0].vitals.health = 900;
        fighters[2].vitals.health = 900;
        fighters[1].vitals.health = 950;
    });
    rig.step(&[]);
    assert_eq!(rig.world.view().results().last.unwrap().winner, Winner::Team(1));
}

#[test]
fn a_knock_out_in_the_last_frame_is_no_time_over() {
    let mut rig = weak(10, 40);
    rig.step(&[LIGHT]);
    rig.edit(|header, _| header.clock.timer_frames = 5);
    rig.steps(5, &[]);
    let result = rig.world.view().results().last.unwrap();
    assert_eq!((result.winner, result.end), (Winner::Team(0), RoundEnd::KnockOut));
}

#[test]
fn a_team_is_out_with_its_last_member() {
    let mut rig = Rig::fighting(4);
    rig.edit(|_, fighters| fighters[1].action.act = Act::KnockedOut as u8);
    rig.steps(30, &[]);
    assert_eq!(rig.world.view().phase(), Phase::Fight);
    rig.edit(|_, fighters| fighters[3].action.act = Act::KnockedOut as u8);
    rig.step(&[]);
    assert_eq!(rig.world.view().results().last.unwrap().winner, Winner::Team(0));
}

/// A knock-out for `winner` as soon as the round begins.
fn finish_round(rig: &mut Rig, winner: usize) {
    rig.skip_to(Phase::Fight);
    rig.edit(|_, fighters| fighters[1 - winner].action.act = Act::KnockedOut as u8);
    rig.step(&[]);
}

#[test]
fn two_rounds_win_a_match_and_matches_go_on_for_ever() {
    let mut rig = Rig::new(7, 2);
    let mut results = Vec::new();
    for match_number in 1..=5 {
        for winner in [0, 1, 1] {
            finish_round(&mut rig, winner);
            results.push(World::results_of(&rig.snapshot()).unwrap());
        }
        let last = results.last().unwrap().last.unwrap();
        assert_eq!((last.match_number, last.round_number), (match_number, 3));
        assert_eq!(last.match_winner, Some(Winner::Team(1)));
        assert_eq!(rig.raised(cues::MATCH_END), 1);
        rig.steps(90, &[]);
        assert_eq!(rig.world.view().phase(), Phase::MatchEnd);
        rig.steps(180, &[]);
        let rounds = rig.world.view().header().rounds;
        assert_eq!((rounds.match_number, rounds.round_number, rounds.wins), (match_number + 1, 1, [0; 4]));
    }
    assert_eq!(results.iter().map(|r| r.count).collect::<Vec<_>>(), (1..=15).collect::<Vec<_>>());
}

#[test]
fn draws_do_not_keep_a_match_alive() {
    let mut rig = Rig::new(7, 2);
    for round in 1..=5 {
        rig.skip_to(Phase::Fight);
        rig.edit(|header, _| header.clock.timer_frames = 1);
        rig.step(&[]);
        let result = rig.world.view().results().last.unwrap();
        assert_eq!((result.round_number, result.winner), (round, Winner::Draw));
        assert_eq!(result.match_winner, (round == 5).then_some(Winner::Draw));
    }
}

#[test]
fn two_to_eight_can_play() {
    let mut rig = Rig::new(7, 4);
    let before = rig.snapshot();
    for players in [0, 1, 9, usize::MAX] {
        let error = rig.world.reset(1, players).unwrap_err();
        assert!(error.reason.contains("2 to 8"), "{error}");
    }
    assert_eq!(rig.snapshot(), before);
    for players in 2..=8 {
        rig.world.reset(1, players).unwrap();
        assert_eq!((rig.world.fighter_count(), rig.fighters().len()), (players, players));
    }
}

#[test]
fn four_teams_fight_until_one_is_left() {
    let seats = [("duelist", 0), ("warden", 1), ("duelist", 2), ("warden", 3)];
    let mut rig = Rig::with_roster(Arc::clone(&DEFAULT_DATA), &seats, 7, 4);
    rig.skip_to(Phase::Fight);
    let out = |rig: &mut Rig, seat: usize| {
        rig.edit(|_, fighters| fighters[seat].action.act = Act::KnockedOut as u8);
        rig.step(&[]);
        rig.world.view().results().last
    };
    assert_eq!((out(&mut rig, 0), out(&mut rig, 3)), (None, None));
    let result = out(&mut rig, 1).unwrap();
    assert_eq!((result.winner, result.end), (Winner::Team(2), RoundEnd::KnockOut));
    assert_eq!(rig.world.view().header().rounds.wins, [0, 0, 1, 0]);
}

#[test]
fn of_four_teams_the_healthiest_wins_on_time_and_two_of_them_draw() {
    let seats = [("duelist", 0), ("warden", 1), ("duelist", 2), ("warden", 3)];
    for (health, winner) in [([5, 6, 9, 8], Winner::Team(2)), ([5, 9, 3, 9], Winner::Draw), ([9, 9, 1, 10], Winner::Team(3))] {
        let mut rig = Rig::with_roster(Arc::clone(&DEFAULT_DATA), &seats, 7, 4);
        rig.skip_to(Phase::Fight);
        rig.edit(|header, fighters| {
            header.clock.timer_frames = 1;
            fighters.iter_mut().zip(health).for_each(|(f, h)| f.vitals.health = 90 * h);
        });
        rig.step(&[]);
        assert_eq!(rig.world.view().results().last.unwrap().winner, winner, "{health:?}");
    }
}

#[test]
fn a_roster_that_cannot_be_played_says_why() {
    let data = WorldData::default();
    let refused = |seats: &[(&str, u8)]| Roster::new(&data, seats).unwrap_err().to_string();
    insta::assert_snapshot!(refused(&[("duelist", 4)]), @"team 4 was given; give a team from 0 to 3");
    insta::assert_snapshot!(refused(&[("dualist", 0)]), @r#"no character is called "dualist"; give one of duelist, warden"#);
    insta::assert_snapshot!(refused(&[("duelist", 0); 9]), @"a roster of 9 seats was given; give at most 8");
    let roster = Roster::new(&data, &[("duelist", 1), ("warden", 1), ("warden", 0)]).unwrap();
    let mut world = World::with_roster(data, roster);
    insta::assert_snapshot!(world.reset(1, 2).unwrap_err(), @"the simulation cannot start: the first 2 seats of the roster are all team 1; mix the teams");
    insta::assert_snapshot!(world.reset(1, 4).unwrap_err(), @"the simulation cannot start: 4 players were asked for; the roster has 3 seats");
    assert!(world.reset(1, 3).is_ok());
}
