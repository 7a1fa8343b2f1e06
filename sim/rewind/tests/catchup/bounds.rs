//! How much a catch-up asks: at most eight times for candidates, and everything inside of that.

use super::rig::{Host, Mover, T0, World, body, bullet, cm, sample};
use snapback_core::{Fx, Vec3};
use snapback_rewind::catchup::{CatchUpObserver, CatchUpReport, MAX_SUBSTEPS, Outcome, ProjectileCatchUp, Substep};
use snapback_rewind::flight::{FlightCounters, FlightObserver, PathSegment, ProjectileSpec};
use snapback_rewind::*;

const FOE: MatchTeam = MatchTeam::new(2);

#[derive(Default)]
struct Notes {
    segments: Vec<PathSegment>,
    substeps: Vec<(Substep, u64, u64)>,
    decided: Vec<CatchUpReport>,
}

impl FlightObserver for Notes {
    fn segment(&mut self, segment: &PathSegment) {
        self.segments.push(*segment);
    }
}

impl CatchUpObserver for Notes {
    fn substep(&mut self, substep: &Substep, before: &RewindCounters, after: &RewindCounters) {
        let apart = |counters: &RewindCounters| counters.rejections(Rejection::Apart);
        self.substeps.push((*substep, after.pieces - before.pieces, apart(after) - apart(before)));
    }

    fn decided(&mut self, report: &CatchUpReport) {
        self.decided.push(*report);
    }
}

#[test]
fn at_240_hz_a_quarter_of_a_second_takes_eight_queries_for_candidates() {
    let mut world = World::new(4_167, 130, &[body(7, FOE, |_| [900, 0, 1_000])]);
    let catch_up = ProjectileCatchUp::new(4_167).unwrap();
    let (mut notes, mut counters) = (Notes::default(), FlightCounters::default());
    let spawn = world.shot(250_000, 0, bullet());
    let launched =
        catch_up.launch(&mut world.view(), &spawn, spawn.spec.ballistics(), &mut Host::default(), &mut counters, &mut notes).unwrap();
    let report = launched.report;
    assert_eq!((report.steps, report.substeps, report.candidate_queries), (59, MAX_SUBSTEPS, MAX_SUBSTEPS));
    assert_eq!((report.live_sweeps, report.past_sweeps), (59, 59));
    // What was seen is what was counted, without a hole.
    assert_eq!((notes.substeps.len(), notes.segments.len()), (8, 59));
    assert_eq!(notes.decided, [report]);
    assert!(
        notes.segments.windows(2).all(|pair| pair[0].to == pair[1].from && pair[0].target_us.unwrap().1 == pair[1].target_us.unwrap().0)
    );
    // The target is rejected once in every piece.
    assert_eq!(notes.substeps.iter().map(|&(_, _, apart)| apart).sum::<u64>(), counters.rewind.pieces);
}

#[test]
fn no_window_and_no_tick_takes_more_than_eight() {
    let mut world = World::new(4_000, 130, &[]);
    for tick_us in [1_000, 1_001, 4_000, 8_333, 16_667, 33_333, 100_000] {
        for window_us in (0..=250_000).step_by(3_571).chain([tick_us - 1, tick_us]) {
            let catch_up = ProjectileCatchUp::new(tick_us as u32).unwrap();
            let spawn = world.shot(window_us, 0, bullet());
            let (mut host, mut counters) = (Host::default(), FlightCounters::default());
            let report =
                catch_up.launch(&mut world.view(), &spawn, spawn.spec.ballistics(), &mut host, &mut counters, &mut ()).unwrap().report;
            assert!(report.candidate_queries <= 8, "{tick_us} {window_us}: {report:?}");
            assert_eq!(u64::from(report.steps), window_us / tick_us);
            assert!(report.candidate_queries <= report.steps && (report.steps == 0) == (report.outcome == Outcome::Skipped));
        }
    }
}

#[test]
fn inside_every_query_every_stored_pair_of_ticks_is_visited() {
    // A ball that stands still, and someone who is at its place at one tick only.
    let spec = ProjectileSpec { muzzle_speed: Fx::ZERO, ..bullet() };
    let ticks = 100u64;
    for visit in ticks - 59..ticks {
        let at = move |time_us: u64| {
            let tick = (time_us - T0) / 4_167;
            let (position, epoch) = if tick == visit { (cm(0, 0, 0), 1) } else { (cm(0, 0, 900), if tick < visit { 0 } else { 2 }) };
            Sampled::Here(sample(position, FOE, epoch))
        };
        let mut world = World::new(4_167, ticks, &[Mover { at: Box::new(at), ..body(7, FOE, |_| [0; 3]) }]);
        let (launched, host) = world.launch(&world.shot(59 * 4_167, 0, spec));
        assert_eq!(host.victims(), [7], "tick {visit}");
        assert!(launched.report.candidate_queries <= 8);
    }
}

#[test]
fn a_window_under_a_tick_is_skipped_and_so_is_one_under_the_minimum() {
    let mut world = World::new(10_000, 30, &[body(7, FOE, |_| [0, 0, 30])]);
    let now_us = world.now_us;
    let mut run = |catch_up: ProjectileCatchUp, ago_us: u64| {
        let (mut host, mut counters) = (Host::default(), FlightCounters::default());
        let spawn = world.shot(ago_us, 0, bullet());
        let launched = catch_up.launch(&mut world.view(), &spawn, spawn.spec.ballistics(), &mut host, &mut counters, &mut ()).unwrap();
        (launched, host, counters)
    };
    let (skipped, host, counters) = run(ProjectileCatchUp::new(10_000).unwrap(), 9_999);
    assert_eq!((skipped.report.outcome, skipped.report.candidate_queries), (Outcome::Skipped, 0));
    assert_eq!(counters, FlightCounters::default());
    assert_eq!(host.placed.map(|(body, time_us)| (body.position, time_us)), Some((Vec3::ZERO, now_us)));
    let waiting = ProjectileCatchUp::with_windows(10_000, 30_000, 250_000).unwrap();
    assert_eq!(run(waiting, 29_999).0.report.outcome, Outcome::Skipped);
    assert_ne!(run(waiting, 30_000).0.report.outcome, Outcome::Skipped);
}

#[test]
fn times_of_fire_out_of_the_window_are_cut_off_and_counted() {
    let mut world = World::new(10_000, 60, &[]);
    let mut spawn = world.shot(250_000, 0, bullet());
    let mut report = |spawn: &catchup::Spawn| world.launch(spawn).0.report;
    assert!(!report(&spawn).clamped_start);
    spawn.fire.fire_us -= 1;
    assert_eq!((report(&spawn).clamped_start, report(&spawn).window_us), (true, 250_000));
    spawn.fire.fire_us = 0;
    assert_eq!((report(&spawn).clamped_start, report(&spawn).steps), (true, 25));
    spawn.fire.fire_us = u64::MAX;
    assert_eq!((report(&spawn).clamped_start, report(&spawn).outcome), (true, Outcome::Skipped));
}

#[test]
fn a_view_delay_beyond_the_history_is_clamped_and_counted() {
    let mut world = World::new(10_000, 60, &[body(7, FOE, |time_us| if time_us < T0 + 351_000 { [0, 0, 300] } else { [900, 0, 300] })]);
    let (launched, host) = world.launch(&world.shot(100_000, 240_000, bullet()));
    // Whatever was longer ago than 250 ms is as it was 250 ms ago.
    assert!(launched.report.clamped_times > 0);
    assert_eq!(host.victims(), [7]);
}

#[test]
fn numbers_that_cannot_be_are_refused() {
    for (tick_us, min_us, max_us) in [(999, 0, 1), (100_001, 0, 1), (10_000, 5, 4), (10_000, 0, 10_000_001)] {
        assert!(ProjectileCatchUp::with_windows(tick_us, min_us, max_us).is_err());
    }
}

#[test]
fn the_window_of_a_history_is_its_rewind() {
    for max_rewind_us in [1, 100_000, 250_000] {
        let config = RewindConfig { max_rewind_us, ..RewindConfig::default() };
        let catch_up = ProjectileCatchUp::of(10_000, &config).unwrap();
        assert_eq!((catch_up.tick_us(), catch_up.max_window_us()), (10_000, max_rewind_us));
        // A shot of longer ago is flown from there on.
        let mut world = World::new(10_000, 30, &[]);
        let spawn = world.shot(280_000, 0, bullet());
        let mut counters = FlightCounters::default();
        let launched = catch_up.launch(&mut world.view(), &spawn, spawn.spec.ballistics(), &mut Host::default(), &mut counters, &mut ());
        assert_eq!(u64::from(launched.unwrap().report.steps), max_rewind_us / 10_000);
    }
    assert!(ProjectileCatchUp::of(999, &RewindConfig::default()).is_err());
}
