//! Requests of somebody who wants the impossible, beside a slow and obvious model.

use std::collections::BTreeMap;

use super::SHOOTER;
use snapback_core::{Quat, Rng};
use snapback_rewind::fire::{AcceptedFire, FireClamp, FireClock, FireCounters, FirePolicy, FireRefusal, FireRequest, OnClamp, Steadiness};

/// Everything that was ever accepted, and the rules as one would write them down.
#[derive(Default)]
struct Model {
    fires_us: BTreeMap<u32, u64>,
    now_us: u64,
    /// Usual value and since when, of lag and of view delay.
    usual: [Option<(u64, u64)>; 2],
}

impl Model {
    fn limit_us(&self, which: usize, rules: Steadiness) -> u64 {
        self.usual[which].map_or(u64::MAX, |(usual_us, _)| usual_us + u64::from(rules.allowance_us))
    }

    fn observe(&mut self, which: usize, value_us: u64, rules: Steadiness) {
        let usual = &mut self.usual[which];
        match *usual {
            Some((usual_us, since_us)) if value_us > usual_us => {
                let rise_us = (self.now_us - since_us).min(500_000) * u64::from(rules.rise_us_per_s) / 1_000_000;
                if rise_us > 0 {
                    *usual = Some((value_us.min(usual_us + rise_us), self.now_us));
                }
            }
            _ => *usual = Some((value_us, self.now_us)),
        }
    }

    fn accept(&mut self, now_us: u64, request: &FireRequest, policy: &FirePolicy) -> Result<(u64, u32), FireRefusal> {
        let sequence = request.sequence();
        if let Some((&highest, _)) = self.fires_us.last_key_value() {
            if i64::from(sequence) - i64::from(highest) > i64::from(policy.max_sequence_jump) {
                return Err(FireRefusal::SequenceJump { sequence, highest });
            }
            if i64::from(highest) - i64::from(sequence) >= 64 {
                return Err(FireRefusal::SequenceTooOld { sequence, highest });
            }
        }
        if self.fires_us.contains_key(&sequence) {
            return Err(FireRefusal::Duplicate { sequence });
        }
        self.now_us = self.now_us.max(now_us);
        let judged = self.judge(request, policy);
        let lag_us = self.now_us.saturating_sub(request.fire_us()).min(policy.max_rewind_us);
        self.observe(0, lag_us, policy.lag);
        self.observe(1, request.view_delay_us().into(), policy.view_delay);
        if let Ok((fire_us, _)) = judged {
            self.fires_us.insert(sequence, fire_us);
        }
        judged
    }

    fn judge(&self, request: &FireRequest, policy: &FirePolicy) -> Result<(u64, u32), FireRefusal> {
        let now_us = self.now_us;
        let refused = |claim: FireClamp| policy.on(claim) == OnClamp::Refuse;
        let (sequence, claimed_us) = (request.sequence(), request.fire_us());
        if claimed_us > now_us.saturating_add(policy.future_tolerance_us) && refused(FireClamp::Future) {
            return Err(FireRefusal::Claim(FireClamp::Future));
        }
        let oldest_us = now_us.saturating_sub(policy.max_rewind_us);
        let steady_us = now_us.saturating_sub(self.limit_us(0, policy.lag));
        let earlier_us = self.fires_us.range(..sequence).map(|(_, &fire_us)| fire_us).max().unwrap_or(0);
        let later_us = self.fires_us.range(sequence..).map(|(_, &fire_us)| fire_us).min().unwrap_or(u64::MAX);
        let mut fire_us = claimed_us.min(now_us);
        for (bound_us, claim) in [(oldest_us, FireClamp::Old), (steady_us, FireClamp::Unsteady), (earlier_us, FireClamp::BeforeEarlier)] {
            if fire_us < bound_us && refused(claim) {
                return Err(FireRefusal::Claim(claim));
            }
            fire_us = fire_us.max(bound_us);
        }
        if fire_us > later_us {
            let claim = if later_us < steady_us { FireClamp::Overtaken } else { FireClamp::AfterLater };
            if later_us < oldest_us {
                return Err(FireRefusal::Claim(FireClamp::Overtaken));
            }
            if refused(claim) {
                return Err(FireRefusal::Claim(claim));
            }
            fire_us = later_us;
        }
        let mut view_delay_us = u64::from(request.view_delay_us());
        for (bound_us, claim) in [
            (u64::from(policy.max_view_delay_us), FireClamp::LongViewDelay),
            (self.limit_us(1, policy.view_delay), FireClamp::UnsteadyViewDelay),
        ] {
            if view_delay_us > bound_us && refused(claim) {
                return Err(FireRefusal::Claim(claim));
            }
            view_delay_us = view_delay_us.min(bound_us);
        }
        Ok((fire_us, view_delay_us as u32))
    }
}

fn policy(rng: &mut Rng) -> FirePolicy {
    let mut policy = FirePolicy { max_sequence_jump: 1 + rng.below(200), ..FirePolicy::default() };
    for claim in FireClamp::ALL {
        policy = policy.with(claim, if rng.chance(300_000) { OnClamp::Refuse } else { OnClamp::Clamp });
    }
    policy
}

/// A request that sits on the edges.
fn request(rng: &mut Rng, now_us: u64, highest: u32) -> FireRequest {
    let near = |rng: &mut Rng, centre: u64, width: u32| centre.wrapping_add(u64::from(rng.below(2 * width + 1))).wrapping_sub(width.into());
    let fire_us = match rng.below(8) {
        0 => [0, 1, u64::MAX, u64::MAX - 1, 1 << 63][rng.below(5) as usize],
        1 => near(rng, now_us, 2),
        2 => near(rng, now_us.saturating_sub(250_000), 2),
        3 => near(rng, now_us.saturating_sub(250_000), 100_000),
        4 => near(rng, now_us + 25_000, 2),
        _ => now_us.saturating_sub(rng.below(200_000).into()),
    };
    let sequence = match rng.below(10) {
        0 => rng.next_u32(),
        1 => highest.wrapping_add(rng.below(400)).wrapping_sub(200),
        2 | 3 => highest.saturating_sub(rng.below(66)),
        4 => highest.saturating_add(64 + rng.below(3)).saturating_sub(1),
        _ => highest.saturating_add(rng.below(4)),
    };
    let view_delay_us = match rng.below(6) {
        0 => rng.next_u32(),
        1 => [0, u32::MAX, 200_000, 200_001][rng.below(4) as usize],
        _ => 90_000 + rng.below(60_000),
    };
    FireRequest::new(sequence, Quat::IDENTITY, fire_us, view_delay_us).unwrap()
}

/// One shooter's life against the model. Returns how many shots were accepted.
fn life(seed: u64) -> u64 {
    let mut rng = Rng::new(seed, 3);
    let replay = format!("replay with SNAPBACK_SEED={seed} cargo test -p snapback-rewind --test fire hostile");
    let policy = policy(&mut rng);
    let (mut clock, mut model, mut counters) = (FireClock::default(), Model::default(), FireCounters::default());
    let mut now_us = [0u64, 100_000, 10_000_000, 1 << 62][rng.below(4) as usize];
    let mut accepted: Vec<AcceptedFire> = Vec::new();
    for asked in 1..=400 {
        now_us = match rng.below(12) {
            0 => now_us.saturating_sub(rng.below(50_000).into()),
            1 => now_us + u64::from(rng.below(3_000_000)),
            2 | 3 => now_us,
            _ => now_us + u64::from(rng.below(20_000)),
        };
        let highest = model.fires_us.last_key_value().map_or(1_000, |(&highest, _)| highest);
        let request = request(&mut rng, now_us, highest);
        let got = clock.accept(now_us, SHOOTER, &request, &policy, &mut counters);
        let expected = model.accept(now_us, &request, &policy);
        assert_eq!(got.map(|fire| (fire.fire_us, fire.view_delay_us)), expected, "{replay}\n{request:?} {policy:?}");
        assert_eq!(counters.accepted + counters.refused(), asked, "{replay}");
        let Ok(fire) = got else { continue };
        let now_us = model.now_us;
        let oldest_us = now_us.saturating_sub(policy.max_rewind_us);
        assert_eq!(fire.accepted_us, now_us, "{replay}");
        assert!((oldest_us..=now_us).contains(&fire.fire_us), "{replay}\n{fire:?}");
        assert!(fire.view_delay_us <= policy.max_view_delay_us, "{replay}\n{fire:?}");
        for time_us in [fire.fire_us, now_us] {
            let target_us = fire.target_us(time_us);
            assert!(target_us <= time_us && time_us - target_us <= u64::from(policy.max_view_delay_us), "{replay}\n{fire:?}");
        }
        accepted.push(fire);
    }
    accepted.sort_by_key(|fire| fire.sequence);
    for pair in accepted.windows(2) {
        assert!(pair[0].sequence < pair[1].sequence && pair[0].fire_us <= pair[1].fire_us, "{replay}\n{pair:?}");
    }
    counters.accepted
}

#[test]
fn no_sequence_of_hostile_requests_gets_out_of_bounds_and_a_model_agrees() {
    let only = std::env::var("SNAPBACK_SEED").ok().map(|seed| seed.parse().unwrap());
    let seeds = only.map_or(0..2_000, |seed: u64| seed..seed + 1);
    let lives = seeds.clone().count() as u64;
    let accepted: u64 = seeds.map(life).sum();
    assert!(accepted > lives * 20, "hardly any shot was accepted: {accepted}");
}

#[test]
fn the_greatest_numbers_do_not_overflow() {
    let (mut clock, policy, mut counters) = (FireClock::default(), FirePolicy::default(), FireCounters::default());
    let mut accept = |now_us: u64, sequence: u32, fire_us: u64, view_delay_us: u32| {
        let request = FireRequest::new(sequence, Quat::IDENTITY, fire_us, view_delay_us).unwrap();
        clock.accept(now_us, SHOOTER, &request, &policy, &mut counters).map(|fire| fire.fire_us)
    };
    assert_eq!(accept(u64::MAX, u32::MAX, u64::MAX, u32::MAX), Ok(u64::MAX));
    assert_eq!(accept(u64::MAX, u32::MAX - 1, 0, u32::MAX), Ok(u64::MAX - 80_000));
    assert_eq!(accept(0, u32::MAX - 63, u64::MAX, 0), Ok(u64::MAX - 80_000));
    assert_eq!(accept(0, u32::MAX, 0, 0), Err(FireRefusal::Duplicate { sequence: u32::MAX }));
    assert!(matches!(accept(0, 0, 0, 0), Err(FireRefusal::SequenceTooOld { .. })));
}
