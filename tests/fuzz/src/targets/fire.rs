//! Fire requests of clients, and the gate of a server that believes their times within bounds. A step
//! is one request as it comes in: its action says who sends it, how much later than the one before,
//! and whether the rotation is put right.

use crate::case::{Case, Step};
use snapback_core::{Angle, Quat, Vec3};
use snapback_rewind::ActorId;
use snapback_rewind::fire::{FireGate, FirePolicy, FireRequest};

/// Shooters, one of whom the gate does not know.
const SHOOTERS: u64 = 4;

/// See the module.
#[must_use]
pub fn fuzz(input: &[u8]) -> u64 {
    let steps = Case::read(input).steps;
    let policy = FirePolicy::default();
    let mut gate = FireGate::new(policy, 8).unwrap();
    for shooter in 1..SHOOTERS {
        gate.admit(ActorId(shooter), (shooter == 1).then_some(40_000), 1_000_000).unwrap();
    }
    let mut now_us = 1_000_000u64;
    for step in &steps {
        now_us += [0, 1, 16_667, 400_000][usize::from(step.action >> 2 & 3)];
        let mut bytes = step.bytes.clone();
        if step.action & 16 != 0
            && let Some(rotation) = bytes.get_mut(5..21)
        {
            let part = |at: usize| i32::from_le_bytes([rotation[at], rotation[at + 1], rotation[at + 2], rotation[at + 3]]);
            let whole = Quat::from_bits([part(0), part(4), part(8), part(12)]).normalise().to_bits();
            for (at, part) in whole.into_iter().enumerate() {
                rotation[4 * at..4 * at + 4].copy_from_slice(&part.to_le_bytes());
            }
        }
        if let Ok(request) = FireRequest::decode(&bytes) {
            assert_eq!(request.encode()[..], bytes, "a request has one form only");
        }
        let shooter = ActorId(u64::from(step.action & 3));
        match gate.accept_bytes(now_us, shooter, &bytes) {
            Ok(shot) => {
                assert_ne!(shooter, ActorId(0), "a stranger fired");
                assert!(shot.fire_us <= now_us && shot.fire_us + policy.max_rewind_us >= now_us, "{shot:?} at {now_us}");
                assert!(shot.view_delay_us <= policy.max_view_delay_us, "{shot:?}");
                let again = gate.accept_bytes(now_us, shooter, &bytes);
                assert!(again.is_err(), "fired twice: {again:?}");
            }
            Err(refusal) => assert!(refusal.to_string().len() < 300, "{refusal}"),
        }
    }
    steps.len() as u64
}

/// Three honest shooters.
#[must_use]
pub fn seeds() -> Vec<(String, Case)> {
    let mut steps = Vec::new();
    let mut now_us = 1_000_000u64;
    for number in 0..48u32 {
        now_us += 16_667;
        let shooter = u8::try_from(1 + number % 3).unwrap();
        let rotation = Quat::from_axis_angle(Vec3::Y, Angle::from_degrees(number as i32 * 7));
        let lag_us = 40_000 + u64::from(number % 5) * 3_000;
        let request = FireRequest::new(1 + number / 3, rotation, now_us - lag_us, 60_000 + number * 10).unwrap();
        steps.push(Step::new(shooter | 2 << 2, request.encode()));
    }
    vec![("honest".to_owned(), Case { steps })]
}
