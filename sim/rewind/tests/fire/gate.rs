//! The gate: sequences, orders, bounds, one by one.

use super::counting::allocations;
use super::{SHOOTER, gate, shot};
use snapback_rewind::fire::{
    AcceptedFire, AdmitError, FireClamp, FireGate, FirePolicy, FireRefusal, FireRequest, FireRequestError, OnClamp, Steadiness, WINDOW,
};
use snapback_rewind::{
    ActorId, HitboxDesc, NetRole, Point, QueryFilter, RewindConfig, RewindCounters, RewindHistory, Sampled, Sweep, TooOld, WorldKind,
};

const NOW_US: u64 = 10_000_000;

/// A policy that believes every lag and view delay that is within bounds.
fn unsteady() -> FirePolicy {
    let any = Steadiness { allowance_us: 10_000_000, rise_us_per_s: 0 };
    FirePolicy { lag: any, view_delay: any, ..FirePolicy::default() }
}

#[test]
fn a_duplicate_makes_no_second_projectile() {
    let mut gate = gate(FirePolicy::default());
    let first = gate.accept(NOW_US, SHOOTER, &shot(5, NOW_US - 60_000, 0)).unwrap();
    assert_eq!((first.sequence, first.fire_us, first.accepted_us), (5, NOW_US - 60_000, NOW_US));
    for fire_us in [NOW_US - 60_000, NOW_US, 0, u64::MAX] {
        let again = gate.accept(NOW_US + 1, SHOOTER, &shot(5, fire_us, 0));
        assert_eq!(again, Err(FireRefusal::Duplicate { sequence: 5 }));
    }
    assert_eq!((gate.counters().accepted, gate.counters().refusals(FireRefusal::Duplicate { sequence: 0 })), (1, 4));
}

#[test]
fn late_arrivals_are_one_projectile_each_with_the_same_path_in_either_order() {
    let requests = [shot(1, NOW_US - 60_000, 100_000), shot(2, NOW_US - 40_000, 100_000)];
    let run = |order: [usize; 2]| {
        let mut gate = gate(FirePolicy::default());
        let mut accepted: Vec<AcceptedFire> = order.iter().map(|&at| gate.accept(NOW_US, SHOOTER, &requests[at]).unwrap()).collect();
        accepted.sort_by_key(|fire| fire.sequence);
        (accepted, gate.counters().late)
    };
    let ((in_order, none_late), (late, one_late)) = (run([0, 1]), run([1, 0]));
    assert_eq!(in_order, late);
    assert_eq!((none_late, one_late), (0, 1));
}

#[test]
fn any_order_of_honest_arrivals_gives_the_same_shots() {
    // All of 5 shots, within the allowance of each other, in all 120 orders.
    let requests: Vec<_> = (0..5).map(|at| shot(10 + at, NOW_US - 89_000 + u64::from(at) * 19_000, 90_000 + at * 10_000)).collect();
    let mut orders = vec![vec![]];
    for at in 0..5 {
        orders = orders
            .into_iter()
            .flat_map(|order: Vec<usize>| {
                (0..=at).map(move |place| {
                    let mut order = order.clone();
                    order.insert(place, at);
                    order
                })
            })
            .collect();
    }
    assert_eq!(orders.len(), 120);
    for order in orders {
        let mut gate = gate(FirePolicy::default());
        for (passed, &at) in order.iter().enumerate() {
            let accepted = gate.accept(NOW_US + passed as u64, SHOOTER, &requests[at]).unwrap();
            let claimed = &requests[at];
            assert_eq!((accepted.fire_us, accepted.view_delay_us), (claimed.fire_us(), claimed.view_delay_us()), "{order:?}");
            assert_eq!(accepted.rotation, claimed.rotation().normalise());
        }
    }
}

/// The shots that come of two requests, by sequence, in either order of arrival.
fn in_either_order(requests: [FireRequest; 2]) -> [Vec<(u64, u32)>; 2] {
    [[0, 1], [1, 0]].map(|order| {
        let mut gate = gate(FirePolicy::default());
        let mut accepted: Vec<AcceptedFire> = order.iter().filter_map(|&at| gate.accept(NOW_US, SHOOTER, &requests[at]).ok()).collect();
        accepted.sort_by_key(|fire| fire.sequence);
        accepted.iter().map(|fire| (fire.fire_us, fire.view_delay_us)).collect()
    })
}

#[test]
fn the_order_of_arrival_is_nothing_up_to_the_allowance_of_lag_and_counts_beyond_it() {
    let shots = |apart_us: u64| [shot(1, NOW_US - 20_000 - apart_us, 100_000), shot(2, NOW_US - 20_000, 100_000)];
    let [in_order, late] = in_either_order(shots(80_000));
    assert_eq!((in_order.as_slice(), &in_order), ([(NOW_US - 100_000, 100_000), (NOW_US - 20_000, 100_000)].as_slice(), &late));
    // A microsecond more: the later one tells of a lag of 20 ms, with which 100 ms are not believed any more.
    let [in_order, late] = in_either_order(shots(80_001));
    assert_eq!(in_order, [(NOW_US - 100_001, 100_000), (NOW_US - 20_000, 100_000)]);
    assert_eq!(late, [(NOW_US - 100_000, 100_000), (NOW_US - 20_000, 100_000)]);
}

#[test]
fn the_order_of_arrival_is_nothing_up_to_the_allowance_of_view_delay_and_counts_beyond_it() {
    let shots = |apart_us: u32| [shot(1, NOW_US - 30_000, 100_000 + apart_us), shot(2, NOW_US - 20_000, 100_000)];
    let [in_order, late] = in_either_order(shots(50_000));
    assert_eq!((in_order.as_slice(), &in_order), ([(NOW_US - 30_000, 150_000), (NOW_US - 20_000, 100_000)].as_slice(), &late));
    let [in_order, late] = in_either_order(shots(50_001));
    assert_eq!(in_order, [(NOW_US - 30_000, 150_001), (NOW_US - 20_000, 100_000)]);
    assert_eq!(late, [(NOW_US - 30_000, 150_000), (NOW_US - 20_000, 100_000)]);
}

#[test]
fn sequences_below_the_window_and_far_over_it_are_refused() {
    let mut gate = gate(unsteady());
    let highest = 1_000;
    gate.accept(NOW_US, SHOOTER, &shot(highest, NOW_US, 0)).unwrap();
    let below = highest - WINDOW;
    assert_eq!(gate.accept(NOW_US, SHOOTER, &shot(below, NOW_US, 0)), Err(FireRefusal::SequenceTooOld { sequence: below, highest }));
    assert!(gate.accept(NOW_US, SHOOTER, &shot(below + 1, NOW_US, 0)).is_ok());
    let over = highest + 1_025;
    assert_eq!(gate.accept(NOW_US, SHOOTER, &shot(over, NOW_US, 0)), Err(FireRefusal::SequenceJump { sequence: over, highest }));
    assert!(gate.accept(NOW_US, SHOOTER, &shot(over - 1, NOW_US, 0)).is_ok());
    // What was seen is below the window now.
    assert!(matches!(gate.accept(NOW_US, SHOOTER, &shot(highest, NOW_US, 0)), Err(FireRefusal::SequenceTooOld { .. })));
}

#[test]
fn a_time_of_the_future_becomes_now_and_is_counted() {
    for (ahead_us, refused) in [(1, false), (25_000, false), (25_001, true), (u64::MAX - NOW_US, true)] {
        let mut clamping = gate(FirePolicy::default());
        assert_eq!(clamping.accept(NOW_US, SHOOTER, &shot(1, NOW_US + ahead_us, 0)).unwrap().fire_us, NOW_US);
        assert_eq!(clamping.counters().clamps(FireClamp::Future), 1);
        let mut refusing = gate(FirePolicy::default().with(FireClamp::Future, OnClamp::Refuse));
        assert_eq!(refusing.accept(NOW_US, SHOOTER, &shot(1, NOW_US + ahead_us, 0)).is_err(), refused, "{ahead_us}");
    }
}

#[test]
fn a_time_before_the_greatest_rewind_becomes_the_earliest_and_is_counted() {
    for fire_us in [0, NOW_US - 250_001] {
        let mut gate = gate(FirePolicy::default());
        assert_eq!(gate.accept(NOW_US, SHOOTER, &shot(1, fire_us, 0)).unwrap().fire_us, NOW_US - 250_000);
        assert_eq!(gate.counters().clamps(FireClamp::Old), 1);
    }
    let mut gate = gate(FirePolicy::default());
    assert_eq!(gate.accept(NOW_US, SHOOTER, &shot(1, NOW_US - 250_000, 0)).unwrap().fire_us, NOW_US - 250_000);
    assert_eq!(gate.counters().clamps(FireClamp::Old), 0);
}

#[test]
fn a_time_before_the_last_accepted_fire_becomes_that_one_and_is_counted() {
    let mut gate = gate(unsteady());
    gate.accept(NOW_US, SHOOTER, &shot(1, NOW_US - 50_000, 0)).unwrap();
    let earlier = gate.accept(NOW_US, SHOOTER, &shot(2, NOW_US - 51_000, 0)).unwrap();
    assert_eq!((earlier.fire_us, gate.counters().clamps(FireClamp::BeforeEarlier)), (NOW_US - 50_000, 1));
}

#[test]
fn a_late_one_is_not_fired_after_its_successor() {
    let mut gate = gate(unsteady());
    gate.accept(NOW_US, SHOOTER, &shot(3, NOW_US - 50_000, 0)).unwrap();
    let late = gate.accept(NOW_US, SHOOTER, &shot(1, NOW_US, 0)).unwrap();
    assert_eq!((late.fire_us, gate.counters().clamps(FireClamp::AfterLater)), (NOW_US - 50_000, 1));
    // And one in between has no choice left.
    let between = gate.accept(NOW_US, SHOOTER, &shot(2, NOW_US - 90_000, 0)).unwrap();
    assert_eq!(between.fire_us, NOW_US - 50_000);
}

#[test]
fn the_order_holds_for_shots_that_left_the_window() {
    let mut gate = gate(unsteady());
    gate.accept(NOW_US, SHOOTER, &shot(1, NOW_US, 0)).unwrap();
    let far = gate.accept(NOW_US, SHOOTER, &shot(500, NOW_US - 100_000, 0)).unwrap();
    assert_eq!(far.fire_us, NOW_US);
    let late = gate.accept(NOW_US, SHOOTER, &shot(450, NOW_US - 100_000, 0)).unwrap();
    assert_eq!(late.fire_us, NOW_US);
}

#[test]
fn a_shot_that_is_held_back_until_its_successor_is_long_gone_is_refused() {
    let mut gate = gate(FirePolicy::default());
    gate.accept(NOW_US, SHOOTER, &shot(2, NOW_US - 20_000, 0)).unwrap();
    let overtaken = Err(FireRefusal::Claim(FireClamp::Overtaken));
    // 121 ms of lag where 20 are usual.
    assert_eq!(gate.accept(NOW_US + 101_000, SHOOTER, &shot(1, NOW_US - 20_000, 0)), overtaken);
    assert_eq!(gate.counters().refusals(FireRefusal::Claim(FireClamp::Overtaken)), 1);

    // A game that would rather have the shot says so, but no rewind goes further than the greatest.
    let mut lenient = super::gate(FirePolicy::default().with(FireClamp::Overtaken, OnClamp::Clamp));
    lenient.accept(NOW_US, SHOOTER, &shot(2, NOW_US - 20_000, 0)).unwrap();
    assert_eq!(lenient.accept(NOW_US + 230_001, SHOOTER, &shot(1, NOW_US - 20_000, 0)), overtaken);
    assert_eq!(lenient.accept(NOW_US + 230_001, SHOOTER, &shot(1, NOW_US + 200_000, 0)), overtaken);
    assert_eq!(lenient.accept(NOW_US + 230_001, SHOOTER, &shot(3, 0, 0)).unwrap().fire_us, NOW_US + 230_001 - 110_001);
}

#[test]
fn an_overtaken_shot_takes_its_successors_time_if_the_game_wants_it() {
    let mut gate = gate(FirePolicy::default().with(FireClamp::Overtaken, OnClamp::Clamp));
    gate.accept(NOW_US, SHOOTER, &shot(2, NOW_US - 20_000, 0)).unwrap();
    let late = gate.accept(NOW_US + 200_000, SHOOTER, &shot(1, NOW_US - 30_000, 0)).unwrap();
    assert_eq!((late.fire_us, gate.counters().clamps(FireClamp::Overtaken)), (NOW_US - 20_000, 1));
}

#[test]
fn a_forged_view_delay_is_brought_within_bounds_and_counted() {
    let mut gate = gate(FirePolicy::default());
    let mut view_delay_us = |sequence: u32, claimed_us: u32| {
        let accepted = gate.accept(NOW_US + u64::from(sequence) * 1_000, SHOOTER, &shot(sequence, NOW_US, claimed_us)).unwrap();
        let clamps = [FireClamp::LongViewDelay, FireClamp::UnsteadyViewDelay].map(|claim| gate.counters().clamps(claim));
        (accepted.view_delay_us, clamps)
    };
    assert_eq!(view_delay_us(1, u32::MAX), (200_000, [1, 0]));
    assert_eq!(view_delay_us(2, 100_000), (100_000, [1, 0]));
    assert_eq!(view_delay_us(3, 150_000), (150_000, [1, 0]));
    // 100 ms, and what a millisecond of rise at 50 ms/s gave.
    assert_eq!(view_delay_us(4, 151_000), (150_050, [1, 1]));
    assert_eq!(view_delay_us(5, 0), (0, [1, 1]));
    assert_eq!(view_delay_us(6, 100_000), (50_000, [1, 2]));
    assert_eq!(view_delay_us(7, u32::MAX), (50_050, [2, 3]));
}

#[test]
fn what_a_policy_refuses_leaves_its_sequence_free_and_is_counted() {
    for claim in FireClamp::ALL {
        let mut gate = gate(unsteady().with(claim, OnClamp::Refuse));
        let bad = match claim {
            FireClamp::Future => shot(4, u64::MAX, 0),
            FireClamp::Old => shot(4, 1, 0),
            FireClamp::BeforeEarlier => shot(4, NOW_US - 100_000, 0),
            FireClamp::AfterLater => shot(2, NOW_US, 0),
            FireClamp::LongViewDelay => shot(4, NOW_US, u32::MAX),
            // These need a history of lag, and have tests of their own.
            FireClamp::Unsteady | FireClamp::Overtaken | FireClamp::UnsteadyViewDelay => continue,
        };
        gate.accept(NOW_US, SHOOTER, &shot(3, NOW_US - 50_000, 0)).unwrap();
        assert_eq!(gate.accept(NOW_US, SHOOTER, &bad), Err(FireRefusal::Claim(claim)));
        assert_eq!((gate.counters().refusals(FireRefusal::Claim(claim)), gate.counters().refused()), (1, 1));
        assert!(gate.accept(NOW_US, SHOOTER, &shot(bad.sequence(), NOW_US - 50_000, 0)).is_ok());
    }
}

#[test]
fn the_target_time_is_the_fire_time_minus_the_view_delay_clamped_and_counted() {
    let policy = FirePolicy::of(&RewindConfig::default());
    let mut gate = gate(policy);
    let accepted = gate.accept(NOW_US, SHOOTER, &shot(1, NOW_US - 100_000, 100_000)).unwrap();
    assert_eq!([accepted.fire_us, NOW_US].map(|time_us| accepted.target_us(time_us)), [NOW_US - 200_000, NOW_US - 100_000]);
    // A sweep clamps it, a lookup refuses it.
    let mut history = RewindHistory::new(RewindConfig::default(), WorldKind::Game, NetRole::Authority).unwrap();
    for back_us in [300_000, 150_000, 0] {
        history.record_tick(NOW_US - back_us, &mut |_, _: &HitboxDesc| Sampled::Gone).unwrap();
    }
    for (time_us, clamped) in [(NOW_US - 150_000, 0), (NOW_US - 150_001, 1)] {
        let (target_us, mut counters) = (accepted.target_us(time_us), RewindCounters::default());
        let (from, to, radius_units) = (Point::ORIGIN, Point::ORIGIN, 0);
        let sweep = Sweep { from, to, radius_units, from_us: target_us, to_us: target_us, too_old: TooOld::Clamp };
        assert_eq!(history.sweep(&sweep, &QueryFilter::default(), &mut counters), Ok(None));
        assert_eq!(counters.clamped_times, clamped);
        let raw = history.sweep(&Sweep { too_old: TooOld::Fail, ..sweep }, &QueryFilter::default(), &mut counters);
        assert_eq!(raw.is_err(), clamped == 1);
    }
}

#[test]
fn strangers_cost_nothing_and_a_shooter_is_forgotten_when_its_actor_goes() {
    let mut gate = FireGate::new(FirePolicy::default(), 2).unwrap();
    assert_eq!(gate.accept(NOW_US, SHOOTER, &shot(1, NOW_US, 0)), Err(FireRefusal::UnknownShooter));
    assert_eq!((gate.shooters(), gate.counters().refusals(FireRefusal::UnknownShooter)), (0, 1));
    gate.admit(SHOOTER, Some(40_000), NOW_US).unwrap();
    gate.admit(ActorId(1), None, NOW_US).unwrap();
    assert_eq!(gate.admit(SHOOTER, None, NOW_US), Err(AdmitError::AlreadyAdmitted));
    assert_eq!(gate.admit(ActorId(9), None, NOW_US), Err(AdmitError::Full { max_shooters: 2 }));
    assert_eq!(gate.clock(SHOOTER).unwrap().usual_lag_us(), Some(40_000));
    gate.accept(NOW_US, SHOOTER, &shot(1, NOW_US, 0)).unwrap();
    assert!(gate.remove(SHOOTER));
    assert!(!gate.remove(SHOOTER));
    assert_eq!(gate.accept(NOW_US, SHOOTER, &shot(2, NOW_US, 0)), Err(FireRefusal::UnknownShooter));
    assert!(gate.accept(NOW_US, ActorId(1), &shot(1, NOW_US, 0)).is_ok());
    gate.admit(ActorId(9), None, NOW_US).unwrap();
}

#[test]
fn bytes_that_are_no_request_are_counted() {
    let mut gate = gate(FirePolicy::default());
    let length = FireRequestError::Length { bytes: 0, expected_bytes: 33 };
    assert_eq!(gate.accept_bytes(NOW_US, SHOOTER, &[]), Err(FireRefusal::Malformed(length)));
    assert_eq!(gate.counters().refusals(FireRefusal::Malformed(length)), 1);
    assert!(gate.accept_bytes(NOW_US, SHOOTER, &shot(1, NOW_US, 0).encode()).is_ok());
}

#[test]
fn a_policy_with_a_number_out_of_range_is_refused_with_its_name() {
    let policy = FirePolicy { max_rewind_us: 0, ..FirePolicy::default() };
    assert_eq!(FireGate::new(policy, 1).unwrap_err().field, "max_rewind_us");
    assert_eq!(FireGate::new(FirePolicy::default(), 0).unwrap_err().field, "max_shooters");
}

#[test]
fn accepting_and_refusing_allocate_nothing() {
    let mut gate = gate(FirePolicy::default());
    let count = allocations(|| {
        for sequence in 0..1_000 {
            let now_us = NOW_US + u64::from(sequence) * 10_000;
            let bytes = shot(sequence, now_us - 50_000, 100_000).encode();
            assert!(gate.accept_bytes(now_us, SHOOTER, &bytes).is_ok());
            assert!(gate.accept_bytes(now_us, SHOOTER, &bytes).is_err());
            assert!(gate.accept_bytes(now_us, SHOOTER, &bytes[1..]).is_err());
        }
    });
    assert_eq!(count, 0);
}

#[test]
fn counters_of_several_places_add_up_and_the_memory_of_a_shooter_is_fixed() {
    let mut gate = gate(FirePolicy::default());
    gate.accept(NOW_US, SHOOTER, &shot(2, NOW_US + 1, u32::MAX)).unwrap();
    gate.accept(NOW_US, SHOOTER, &shot(1, NOW_US, 0)).unwrap();
    gate.accept(NOW_US, SHOOTER, &shot(1, NOW_US, 0)).unwrap_err();
    let mut sum = *gate.counters();
    sum.add(gate.counters());
    assert_eq!((sum.accepted, sum.late, sum.refused()), (4, 2, 2));
    assert_eq!((sum.clamps(FireClamp::Future), sum.clamps(FireClamp::LongViewDelay)), (2, 2));
    assert!(size_of::<snapback_rewind::fire::FireClock>() <= 640);
}

#[test]
fn a_rotation_within_the_tolerance_is_brought_to_length_one() {
    let long = snapback_core::Quat::from_bits([0, 0, 0, (1 << 30) + (1 << 17)]);
    let request = FireRequest::new(1, long, NOW_US, 0).unwrap();
    let accepted = gate(FirePolicy::default()).accept(NOW_US, SHOOTER, &request).unwrap();
    assert_eq!(accepted.rotation, snapback_core::Quat::IDENTITY);
}
