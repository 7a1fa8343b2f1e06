//! State from anywhere: ranges name what is wrong, and no bits make a function panic or loop.

use snapback_core::{Rng, StateLayout};
use snapback_rewind::ActorRewind;
use snapback_rewind::actor::{AnimationPose, AnimationRewind, RewindRefused, RewindState};

use crate::cases::cases;
use crate::{any_body, any_u64, body_at, faster, recorded, rules};

type Rewind = ActorRewind<5>;
const LAYOUT: StateLayout = StateLayout::of::<Rewind>();

/// A state in the middle of a rewind.
fn rewinding() -> Rewind {
    let mut rewind = recorded(30);
    rewind.begin(&body_at(300_000)).unwrap();
    rewind.step_back(&rules(), 90_000).unwrap();
    rewind
}

/// Noise, or a true state of which some bytes are noise or all bits.
fn hostile(rng: &mut Rng) -> Rewind {
    let mut rewind = if rng.chance(500_000) { rewinding() } else { recorded(rng.below(60).into()) };
    let bytes = bytemuck::bytes_of_mut(&mut rewind);
    if rng.chance(300_000) {
        bytes.fill_with(|| rng.next_u32() as u8);
    } else {
        for _ in 0..1 + rng.below(40) {
            let at = rng.below(bytes.len() as u32) as usize;
            bytes[at] = if rng.chance(300_000) { 0xff } else { rng.next_u32() as u8 };
        }
        // Where the ring says how it stands.
        let tail = bytes.len() - 8;
        if rng.chance(300_000) {
            bytes[tail..].fill_with(|| rng.next_u32() as u8);
        }
    }
    rewind
}

fn check(rewind: &Rewind) {
    assert!(rewind.len() <= 5 && rewind.samples().count() == rewind.len());
    assert!(rewind.latest_index().is_none_or(|index| index < 5));
    let _ = (rewind.validate(), rewind.oldest(), rewind.newest(), rewind.since_last_us(), format!("{rewind:?}"));
    match rewind.shown() {
        Ok(shown) => assert!(shown.time_us <= rewind.time_us()),
        Err(refused) => assert_eq!(refused, RewindRefused::NotRewinding),
    }
}

#[test]
fn no_bits_make_a_function_panic_or_loop() {
    let mut rng = Rng::new(31, 1);
    let mut refused = 0;
    for _ in 0..cases(20_000) {
        let mut rewind = hostile(&mut rng);
        refused += u32::from(LAYOUT.validate(bytemuck::bytes_of(&rewind)).and_then(|()| rewind.validate()).is_err());
        check(&rewind);
        for _ in 0..8 {
            match rng.below(6) {
                0 => drop(rewind.record(&rules(), rng.next_u32(), &any_body(&mut rng))),
                1 => drop(rewind.begin(&any_body(&mut rng))),
                2 | 3 => drop(rewind.step_back(&faster(1 + rng.below(9) as u16, 1 + rng.below(9) as u16), rng.next_u32())),
                4 => drop(rewind.resume()),
                _ => rewind.clear(),
            }
            check(&rewind);
        }
    }
    assert!(refused * 2 > cases(20_000), "{refused} are refused");
}

#[test]
fn no_bits_make_an_animation_panic_or_loop() {
    let mut rng = Rng::new(31, 2);
    for _ in 0..cases(5_000) {
        let mut animation = AnimationRewind::<3>::new();
        bytemuck::bytes_of_mut(&mut animation).fill_with(|| if rng.chance(200_000) { 0xff } else { rng.next_u32() as u8 });
        assert!(animation.len() <= 3);
        let _ = (animation.at(any_u64(&mut rng)), animation.validate(any_u64(&mut rng)), animation.samples().count());
        animation.begin(any_u64(&mut rng), AnimationPose::default());
        let _ = (animation.at(any_u64(&mut rng)), animation.resume(any_u64(&mut rng)));
        animation.record(Default::default(), AnimationPose::default());
        assert!((1..=3).contains(&animation.len()));
    }
}

#[test]
fn every_state_that_play_leads_to_is_valid() {
    for rewind in [Rewind::new(), recorded(1), recorded(60), rewinding()] {
        assert_eq!(LAYOUT.validate(bytemuck::bytes_of(&rewind)), Ok(()));
        assert_eq!(rewind.validate(), Ok(()));
    }
    assert_eq!(rewinding().state(), RewindState::Rewinding);
}

#[test]
fn an_index_a_length_or_a_state_out_of_range_is_named() {
    let size = Rewind::size_bytes();
    let refused = |at: usize, value: u8| {
        let mut rewind = rewinding();
        // The last byte of an integer, whichever end that is: it cannot be small.
        bytemuck::bytes_of_mut(&mut rewind)[at] = value;
        LAYOUT.validate(bytemuck::bytes_of(&rewind)).unwrap_err().to_string()
    };
    // All four bytes of `latest` and `len` in the middle: out of range in both byte orders.
    assert!(refused(size - 7, 1).starts_with("latest is "));
    assert!(refused(size - 3, 1).starts_with("len is "));
    insta::assert_snapshot!([refused(18, 2), refused(20, 1)].join("\n"), @"
    head.rewinding is 2 (0x02), and must be from 0 to 1
    head.reserved[1] is 1 (0x01), and must be from 0 to 0
    ");
}

#[test]
fn what_no_range_can_say_is_refused_by_the_rewind_itself() {
    let with = |change: &dyn Fn(&mut [u8])| {
        let mut rewind = rewinding();
        change(bytemuck::bytes_of_mut(&mut rewind));
        assert_eq!(LAYOUT.validate(bytemuck::bytes_of(&rewind)), Ok(()));
        rewind.validate().unwrap_err().to_string()
    };
    let reasons = [
        // Time before the samples; a place that was not recorded; a present without a rewind.
        with(&|bytes| bytes[..8].fill(0)),
        with(&|bytes| bytes[8..16].fill(0xff)),
        with(&|bytes| bytes[18] = 0),
        with(&|bytes| {
            let len = bytes.len();
            bytes[len - 4..].fill(0);
        }),
    ];
    insta::assert_snapshot!(reasons.join("\n"), @"
    the state is not valid: a sample of 130000 us stands after None us, at 0 us
    the state is not valid: a rewind outside of what was recorded
    the state is not valid: a rewind that is off and has a place
    the state is not valid: a rewind outside of what was recorded
    ");
}
