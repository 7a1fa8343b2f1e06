//! Who is hit in the window: where targets were, and not where they are.

use super::rig::{Call, Host, Mover, SHOOTER, T0, World, body, bullet, cm, sample};
use snapback_core::{NameHash, Vec3};
use snapback_rewind::catchup::{Outcome, Spawn};
use snapback_rewind::flight::{FlightCounters, FlightEnd, ImpactRule, ImpactTarget, ProjectileSpec};
use snapback_rewind::live::{ColliderKind, LiveHit, Solid};
use snapback_rewind::*;

const FOE: MatchTeam = MatchTeam::new(2);

/// Crosses the line of fire at 10 m, from left to right at 20 m a second, through it at `at_us`.
fn crosser(actor: u64, at_us: u64) -> Mover {
    body(actor, FOE, move |time_us| [((time_us as i64 - at_us as i64) / 500) as i32, 0, 1_000])
}

#[test]
fn who_only_crossed_inside_the_window_is_hit() {
    // The ball is at 10 m after 97 ms, 153 ms ago.
    let mut world = World::new(10_000, 50, &[crosser(7, T0 + 347_000)]);
    let (launched, host) = world.launch(&world.shot(250_000, 0, bullet()));
    assert_eq!(host.victims(), [7]);
    let impact = host.impacts[0];
    let ImpactTarget::Hitbox { actor, region, historical_us, .. } = impact.target else { panic!("{impact:?}") };
    assert_eq!((actor, region), (ActorId(7), NameHash::of("torso")));
    assert!(historical_us.abs_diff(T0 + 346_500) < 600, "{historical_us}");
    assert!(historical_us.abs_diff(impact.time_us) <= 1, "{historical_us} {}", impact.time_us);
    assert_eq!((impact.shooter, impact.sequence, impact.source, impact.number), (SHOOTER, 3, 77, 1));
    assert_eq!(launched.report.steps, 10);
    // Neither at the fire nor now anybody is there.
    assert!(world.victims(&world.shot(110_000, 0, bullet())).is_empty());
}

#[test]
fn who_is_there_only_now_is_not_hit() {
    let mut world = World::new(10_000, 50, &[body(7, FOE, |time_us| if time_us > T0 + 490_000 { [0, 0, 1_000] } else { [900, 0, 1_000] })]);
    world.add(7, ColliderKind::Pawn, Solid::ball(30.into_fx()).unwrap(), cm(0, 0, 1_000));
    let (launched, host) = world.launch(&world.shot(250_000, 0, bullet()));
    assert!(host.impacts.is_empty());
    assert_eq!(launched.report.outcome, Outcome::Missed);
}

trait IntoFx {
    fn into_fx(self) -> snapback_core::Fx;
}

impl IntoFx for i32 {
    fn into_fx(self) -> snapback_core::Fx {
        snapback_core::Fx::from_int(self)
    }
}

#[test]
fn a_view_delay_that_is_off_by_one_tick_changes_the_result() {
    // 35 cm is in reach, 20 m a second are 20 cm a tick: 40 cm are not.
    let mut world = World::new(10_000, 50, &[crosser(7, T0 + 299_000)]);
    let mut victims = |delay_us: u32| world.victims(&world.shot(250_000, delay_us, bullet()));
    assert_eq!(victims(50_000), [7]);
    assert_eq!(victims(60_000), [7]);
    assert!(victims(70_000).is_empty());
    assert_eq!(victims(40_000), [7]);
    assert!(victims(20_000).is_empty());
}

#[test]
fn fast_targets_are_swept_against_the_moving_ball() {
    // 100 m a second across: 4 m in a tick of 40 ms, several times its width.
    let mut world = World::new(40_000, 10, &[body(7, FOE, |time_us| [((time_us - T0) as i64 / 100) as i32 - 2_470, 0, 1_000])]);
    // It is at x = 0 at T0 + 247 ms; the ball is at z = 1,000 at 100 ms after the fire.
    assert_eq!(world.victims(&world.shot(250_000, 0, bullet())), [7]);
    assert!(world.victims(&world.shot(240_000, 0, bullet())).is_empty());
}

#[test]
fn who_was_teleported_is_not_hit_in_between() {
    let jump = |epoch: bool| {
        let at = move |time_us: u64| {
            let after = time_us >= T0 + 360_000;
            let position = if after { cm(300, 0, 1_000) } else { cm(-300, 0, 1_000) };
            Sampled::Here(sample(position, FOE, u32::from(epoch && after)))
        };
        World::new(10_000, 50, &[Mover { at: Box::new(at), ..body(7, FOE, |_| [0; 3]) }])
    };
    // In the middle of the jump, 5 ms before 360, the ball is at 9.8 m.
    let mut continuous = jump(false);
    let shot = continuous.shot(243_000, 0, bullet());
    assert_eq!(continuous.victims(&shot), [7]);
    assert!(jump(true).victims(&shot).is_empty());
}

#[test]
fn the_own_team_is_passed_and_nobody_shares_no_team() {
    let filter = QueryFilter { ignore_same_team: true, ..QueryFilter::default() };
    for (team, own, hit) in [(1, 1, false), (2, 1, true), (u16::MAX, u16::MAX, true)] {
        let mut world = World::new(10_000, 30, &[body(7, MatchTeam::new(team), |_| [0, 0, 500])]);
        let spec = ProjectileSpec { team: MatchTeam::new(own), filter, ..bullet() };
        assert_eq!(world.victims(&world.shot(200_000, 0, spec)), if hit { vec![7] } else { vec![] }, "{team} {own}");
    }
}

#[test]
fn the_team_is_the_one_of_then() {
    let filter = QueryFilter { ignore_same_team: true, ..QueryFilter::default() };
    let turncoat = |friend_from_us: u64| {
        let at = move |time_us: u64| {
            let team = if time_us >= friend_from_us { MatchTeam::new(1) } else { FOE };
            Sampled::Here(sample(cm(0, 0, 500), team, 0))
        };
        World::new(10_000, 30, &[Mover { at: Box::new(at), ..body(7, FOE, |_| [0; 3]) }])
    };
    // The ball is at 5 m about 47 ms after the fire at 200 ms.
    let spec = ProjectileSpec { filter, ..bullet() };
    for (friend_from_us, hit) in [(T0 + 300_000, true), (T0 + 260_000, true), (T0 + 230_000, false)] {
        let mut world = turncoat(friend_from_us);
        assert_eq!(!world.victims(&world.shot(100_000, 0, spec)).is_empty(), hit, "{friend_from_us}");
    }
}

#[test]
fn the_shooter_is_never_hit() {
    let mut world = World::new(10_000, 30, &[body(SHOOTER.0, MatchTeam::NONE, |_| [0; 3]), body(7, FOE, |_| [0, 0, 500])]);
    assert_eq!(world.victims(&world.shot(200_000, 0, bullet())), [7]);
}

#[test]
fn at_close_range_the_first_step_hits_at_its_start() {
    let mut world = World::new(10_000, 30, &[body(7, FOE, |_| [0, 0, 20])]);
    let (launched, host) = world.launch(&world.shot(200_000, 0, bullet()));
    assert_eq!(host.victims(), [7]);
    assert_eq!((launched.report.steps, host.impacts[0].time_us, host.impacts[0].position), (1, world.now_us - 200_000, Vec3::ZERO));
}

/// What the host's own physics would report.
fn overlap_of(actor: u64) -> LiveHit {
    LiveHit {
        at: Toi::START,
        collider: live::ColliderId(99),
        actor: ActorId(actor),
        kind: ColliderKind::Pawn,
        team: FOE,
        damageable: true,
        normal: -Vec3::Z,
    }
}

#[test]
fn a_spawn_overlap_never_hits_twice() {
    // In the catch-up's first step and as an overlap right after it, for one that stops and one that
    // goes on.
    let mut world = World::new(10_000, 30, &[body(7, FOE, |_| [0, 0, 20])]);
    for on_impact in [ImpactRule::Stop, ImpactRule::Pierce, ImpactRule::Bounce { restitution: 1.into_fx() }] {
        let spec = ProjectileSpec { on_impact, max_impacts: 5, ..bullet() };
        let (mut launched, host) = world.launch(&world.shot(200_000, 0, spec));
        assert_eq!(host.victims(), [7], "{on_impact:?}");
        let mut counters = FlightCounters::default();
        assert_eq!(launched.flight.overlap(&overlap_of(7), &mut counters), None, "{on_impact:?}");
        assert_eq!(counters.overlaps_refused, 1);
    }
}

#[test]
fn an_overlap_after_a_miss_hits_once_and_keeps_the_credit() {
    let mut world = World::new(10_000, 30, &[]);
    let (mut launched, _) =
        world.launch(&world.shot(100_000, 0, ProjectileSpec { on_impact: ImpactRule::Pierce, max_impacts: 5, ..bullet() }));
    let mut counters = FlightCounters::default();
    let impact = launched.flight.overlap(&overlap_of(7), &mut counters).unwrap();
    assert!(impact.damage);
    assert_eq!((impact.shooter, impact.sequence, impact.source), (SHOOTER, 3, 77));
    assert_eq!(launched.flight.overlap(&overlap_of(7), &mut counters), None);
    assert_eq!(launched.flight.overlap(&overlap_of(SHOOTER.0), &mut counters), None);
}

#[test]
fn after_its_impacts_nothing_more_is_handled() {
    let bodies = [300, 400, 500, 600].map(|z| body(z as u64, FOE, move |_| [0, 0, z]));
    let mut world = World::new(10_000, 30, &bodies);
    let spec = ProjectileSpec { on_impact: ImpactRule::Pierce, max_impacts: 3, ..bullet() };
    let (mut launched, host) = world.launch(&world.shot(200_000, 0, spec));
    assert_eq!(host.victims(), [300, 400, 500]);
    assert_eq!(launched.flight.end(), Some(FlightEnd::ImpactsUsed));
    assert_eq!(launched.flight.overlap(&overlap_of(600), &mut FlightCounters::default()), None);
}

#[test]
fn an_actor_with_many_hitboxes_is_hit_once() {
    let parts: Vec<Mover> =
        (0..16).map(|part| Mover { component: part, ..body(7, FOE, move |_| [0, 0, 300 + part as i32 * 20]) }).collect();
    let mut world = World::new(10_000, 30, &parts);
    let spec = ProjectileSpec { on_impact: ImpactRule::Pierce, max_impacts: 200, ..bullet() };
    let (_, host) = world.launch(&world.shot(200_000, 0, spec));
    assert_eq!((host.victims(), host.impacts.len()), (vec![7], 1));
}

#[test]
fn of_two_hitboxes_at_the_same_time_the_smaller_id_is_hit() {
    let mut world = World::new(10_000, 30, &[body(8, FOE, |_| [0, 0, 500]), body(7, FOE, |_| [0, 0, 500])]);
    let (_, host) = world.launch(&world.shot(200_000, 0, bullet()));
    assert_eq!(host.victims(), [8]);
    let ImpactTarget::Hitbox { id, .. } = host.impacts[0].target else { panic!() };
    assert_eq!(id.index(), 0);
}

#[test]
fn a_dead_end_of_the_history_meets_nobody_and_says_so() {
    // The history begins 50 ms ago; the shot is 200 ms old.
    let mut world = World::new(10_000, 5, &[body(7, FOE, |_| [0, 0, 300])]);
    let (launched, host) = world.launch(&Spawn { muzzle: Vec3::from_ints(0, 0, -100), ..world.shot(200_000, 0, bullet()) });
    assert!(host.impacts.is_empty());
    assert_eq!((launched.report.unanswered, launched.report.past_sweeps), (15, 20));
    assert!(!host.calls.contains(&Call::Impact));
}

#[test]
fn what_cannot_be_damaged_is_only_met_if_the_filter_says_so_and_is_not_damaged() {
    let at = |_: u64| Sampled::Here(HitboxSample { damageable: false, blocking: true, ..sample(cm(0, 0, 300), FOE, 0) });
    let mut world = World::new(10_000, 30, &[Mover { at: Box::new(at), ..body(7, FOE, |_| [0; 3]) }]);
    assert!(world.launch(&world.shot(200_000, 0, bullet())).1.impacts.is_empty());
    let filter = QueryFilter { only_damageable: false, ..QueryFilter::default() };
    let (launched, host): (_, Host) = world.launch(&world.shot(200_000, 0, ProjectileSpec { filter, ..bullet() }));
    assert_eq!((host.impacts.len(), host.victims().len()), (1, 0));
    assert_eq!(launched.report.hits, 0);
}
