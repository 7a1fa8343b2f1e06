//! The contract: the state after a frame is a function of the state before it and the pads.
//! Nothing else: not the history, not the policy for effects, not the room for them, not drawing.

use crate::rig::{Mashers, Rig, parts, whole};
use snapback_core::{Rng, SideEffectPolicy, Simulation, StateHash};
use snapback_sim::{Fighter, PadInput, WorldHeader, WorldView};

#[test]
fn a_scripted_match_has_the_hash_that_it_always_had() {
    let mut rig = Rig::new(0x5EED, 2);
    let mut mashers = Mashers::new(1);
    let mut hashes = Vec::new();
    for frame in 0..600 {
        // The first 240 frames are written out so that no generator decides what they cover.
        let pads = match frame {
            0..120 => [PadInput::RIGHT, PadInput::LEFT, 0, 0],
            120..126 => [PadInput::LIGHT, 0, 0, 0],
            126..160 => [0, PadInput::GUARD, 0, 0],
            160..166 => [PadInput::HEAVY, PadInput::DOWN | PadInput::LIGHT, 0, 0],
            166..240 => [PadInput::UP | PadInput::RIGHT, PadInput::RIGHT, 0, 0],
            _ => mashers.next(rig.fighters()),
        };
        rig.step(&pads);
        if frame % 100 == 99 {
            hashes.push(format!("{:08x}", rig.hash().bits()));
        }
    }
    // Changes only together with the version in `World::id`.
    insta::assert_snapshot!(hashes.join(" "), @"a6b1686a a635762b fac07cce 02b15d3d b29665cd 8e857b1f");
    insta::assert_snapshot!(format!("{:08x}", rig.world.config_hash()), @"ea06eb2d");
}

#[test]
fn restoring_brings_back_exactly_what_was_captured_and_the_same_future() {
    for players in 2..=4 {
        let mut rig = Rig::new(11, players);
        let mut mashers = Mashers::new(players as u64);
        let mut pads = Vec::new();
        let mut history = vec![(rig.frame, rig.snapshot())];
        for _ in 0..6_000 {
            pads.push(mashers.next(rig.fighters()));
            rig.step(&pads[pads.len() - 1]);
            history.push((rig.frame, rig.snapshot()));
        }
        let mut rng = Rng::new(1, players as u64);
        for _ in 0..200 {
            let start = rng.below(5_970) as usize;
            let (frame, bytes) = &history[start];
            rig.world.restore(bytes).unwrap();
            rig.frame = *frame;
            assert_eq!(&rig.snapshot(), bytes);
            for (pads, (_, expected)) in pads[start..].iter().zip(&history[start + 1..]).take(30) {
                rig.step(pads);
                let layout = rig.world.layout();
                assert_eq!(layout.first_difference(expected, &rig.snapshot()), None, "{:?}", rig.frame);
            }
        }
    }
}

#[test]
fn every_byte_of_the_state_is_captured_and_restored() {
    let mut rig = Rig::fighting(4);
    let original = rig.snapshot();
    let mut accepted = 0;
    for at in 0..original.len() {
        let mut changed = original.clone();
        changed[at] ^= 1;
        if rig.take(&changed).is_ok() {
            assert_eq!(rig.snapshot(), changed, "byte {at}");
            assert_ne!(rig.world.layout().hash(1, rig.frame, &changed), rig.world.layout().hash(1, rig.frame, &original));
            accepted += 1;
        }
        rig.world.restore(&original).unwrap();
    }
    assert!(accepted > original.len() * 3 / 4, "{accepted} of {}", original.len());
}

#[test]
fn a_refused_state_leaves_the_world_as_it_was() {
    let mut rig = Rig::fighting(2);
    let before = rig.snapshot();
    for bytes in [vec![], vec![0; before.len() - 1], vec![0; before.len() + 1], vec![0xFF; before.len()]] {
        assert!(rig.take(&bytes).is_err());
        assert_eq!(rig.snapshot(), before);
        assert_eq!(WorldView::read(&bytes), None);
    }
    let (header, mut fighters) = parts(&before);
    fighters[1].vitals.health = 10_001;
    let error = rig.take(&whole(&header, &fighters)).unwrap_err();
    insta::assert_snapshot!(error, @"fighter[1].vitals.health is 10001 (0x00002711), and must be from 0 to 10000");
}

#[test]
fn policy_capacity_and_drawing_do_not_touch_the_state() {
    let run = |policy, capacity, draw: bool| -> Vec<StateHash> {
        let mut rig = Rig::new(5, 4).with_capacity(capacity);
        rig.policy = policy;
        let mut mashers = Mashers::new(5);
        (0..3_000)
            .map(|_| {
                let pads = mashers.next(rig.fighters());
                rig.step(&pads);
                if draw {
                    let _ = rig.world.picture();
                }
                rig.hash()
            })
            .collect()
    };
    let reference = run(SideEffectPolicy::Emit, 64, false);
    assert_eq!(run(SideEffectPolicy::SuppressCosmetics, 64, false), reference);
    assert_eq!(run(SideEffectPolicy::TelemetryOnly, 64, true), reference);
    assert_eq!(run(SideEffectPolicy::Emit, 0, true), reference);
}

#[test]
fn a_seed_decides_what_varies_and_nothing_else() {
    let run = |seed| {
        let mut rig = Rig::new(seed, 2);
        let mut mashers = Mashers::new(1);
        let mut seen = Vec::new();
        for _ in 0..6_000 {
            let pads = mashers.next(rig.fighters());
            rig.step(&pads);
            let rounds = rig.world.view().header().rounds;
            seen.push((rounds.stage_variation, rounds.spark));
        }
        (seen, rig.fighters().to_vec(), rig.world.view().header().rng.cursor())
    };
    let (first, second) = (run(1), run(2));
    assert_eq!(first, run(1));
    assert_ne!(first.0, second.0);
    assert_eq!((&first.1, first.2), (&second.1, second.2));
    assert!(first.2 > 10);
}

/// Any value inside the ranges may come from a file or another machine: nothing may panic on it.
#[test]
fn states_that_are_hostile_but_in_range_can_be_stepped() {
    let mut rng = Rng::new(9, 9);
    let mut accepted = [0; 5];
    for round in 0..40_000 {
        let players = 2 + round % 3;
        let mut rig_bytes = random_state(&mut rng, players);
        if round % 2 == 0 {
            extreme_numbers(&mut rng, &mut rig_bytes);
        }
        let mut rig = Rig::new(1, players);
        if rig.take(&rig_bytes).is_err() {
            continue;
        }
        accepted[players] += 1;
        for _ in 0..8 {
            rig.step(&core::array::from_fn::<u16, 4, _>(|_| rng.next_u32() as u16));
            let snapshot = rig.snapshot();
            assert!(rig.world.validate(&snapshot).is_ok(), "{:?}", rig.world.validate(&snapshot));
            assert!(WorldView::read(&snapshot).is_some());
            let _ = rig.world.picture();
        }
    }
    assert!(accepted[2..].iter().all(|n| *n > 10_000), "{accepted:?}");
}

fn random_state(rng: &mut Rng, players: usize) -> Vec<u8> {
    let rig = Rig::new(u64::from(rng.next_u32()), players);
    let (mut header, mut fighters) = parts(&rig.snapshot());
    header.clock.phase = rng.below(4) as u8;
    header.clock.phase_frames_left = rng.below(36_001);
    header.clock.timer_frames = rng.below(3);
    header.rounds.wins = [rng.below(10) as u8, rng.below(10) as u8];
    header.results.winner = rng.below(4) as u8;
    header.results.match_winner = rng.below(4) as u8;
    header.results.end = rng.below(3) as u8;
    for f in &mut fighters {
        for value in f.motion.position.iter_mut().chain(&mut f.motion.velocity).chain([&mut f.motion.pushback]) {
            *value = snapback_core::Fx::from_bits((u64::from(rng.next_u32()) << 32 >> rng.below(40)) as i64);
        }
        f.motion.facing = rng.below(3) as i8 - 1;
        f.motion.jump_direction = rng.below(3) as i8 - 1;
        f.vitals.health = rng.below(10_001) as i32;
        f.vitals.meter = rng.below(10_001) as i32;
        f.action.act = rng.below(14) as u8;
        f.action.move_index = rng.below(16) as u8;
        f.action.reached = rng.below(16) as u8;
        f.action.crouching = rng.below(2) as u8;
        f.action.elapsed_frames = if rng.below(2) == 0 { rng.below(40) as u16 } else { rng.next_u32() as u16 };
        f.action.left_frames = rng.next_u32() as u16;
        f.input.held = PadInput::new(rng.next_u32() as u16);
        f.input.waiting = PadInput::new(rng.next_u32() as u16);
        f.input.waiting_frames = rng.next_u32() as u8;
        f.character = rng.below(16) as u8;
    }
    whole(&header, &fighters)
}

fn extreme_numbers(rng: &mut Rng, bytes: &mut [u8]) {
    use snapback_core::Fx;
    let (mut header, mut fighters): (WorldHeader, Vec<Fighter>) = parts(bytes);
    header.clock.frame_count = u64::MAX;
    header.rounds.match_number = u32::MAX;
    header.rounds.round_number = u32::MAX;
    header.results.count = u32::MAX;
    for f in &mut fighters {
        for value in f.motion.position.iter_mut().chain(&mut f.motion.velocity).chain([&mut f.motion.pushback]) {
            *value = [Fx::MIN, Fx::MAX, Fx::ZERO, Fx::DELTA][rng.below(4) as usize];
        }
        f.action.elapsed_frames = u16::MAX;
    }
    bytes.copy_from_slice(&whole(&header, &fighters));
}
