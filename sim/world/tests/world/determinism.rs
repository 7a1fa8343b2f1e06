//! The contract: the state after a frame is a function of the state before it and the pads.
//! Nothing else: not the history, not the policy for effects, not the room for them, not drawing.

use crate::cases::cases;
use crate::leaves::{Leaf, leaves};
use crate::rig::{Mashers, Rig, parts, whole};
use snapback_core::{NameHash, Rng, SideEffectPolicy, Simulation, StateHash};
use snapback_sim::{MAX_FIGHTERS, PadInput, WorldView};

#[test]
fn a_scripted_match_has_the_hash_that_it_always_had() {
    let mut rig = Rig::new(0x5EED, 2);
    let mut mashers = Mashers::new(1);
    let mut hashes = Vec::new();
    for frame in 0..600 {
        // The first 240 frames are written out so that no generator decides what they cover.
        let pads = match frame {
            0..120 => vec![PadInput::RIGHT, PadInput::LEFT],
            120..126 => vec![PadInput::LIGHT, 0],
            126..160 => vec![0, PadInput::GUARD],
            160..166 => vec![PadInput::HEAVY, PadInput::DOWN | PadInput::LIGHT],
            166..240 => vec![PadInput::UP | PadInput::RIGHT, PadInput::RIGHT],
            _ => mashers.next(rig.fighters()).to_vec(),
        };
        rig.step(&pads);
        if frame % 100 == 99 {
            hashes.push(format!("{:08x}", rig.hash().bits()));
        }
    }
    // Changes only together with the version in `World::id`.
    insta::assert_snapshot!(hashes.join(" "), @"125dae44 26f29557 b296555a c21080a1 ab64c5f9 7603788e");
    insta::assert_snapshot!(format!("{:08x}", rig.world.config_hash()), @"142378d1");
}

#[test]
fn restoring_brings_back_exactly_what_was_captured_and_the_same_future() {
    for players in [2, 3, 8] {
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
        for _ in 0..cases(200) {
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
    let mut rig = Rig::fighting(3);
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
        let mut rig = Rig::mixed(5, 4).with_capacity(capacity);
        rig.policy = policy;
        let mut mashers = Mashers::new(5);
        (0..cases(3_000))
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
        let mut fighters = rig.fighters().to_vec();
        for f in &mut fighters {
            seen.push((f.animation.variant, f.rng.cursor() as u8));
            (f.animation.variant, f.rng) = (0, Rng::new(0, 0));
        }
        (seen, fighters, rig.world.view().header().rng.cursor())
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
    // Found once: the walk over a layout takes longer than the steps.
    let leaves: Vec<Vec<Leaf>> = (0..=MAX_FIGHTERS).map(leaves).collect();
    for round in 0..cases(20_000) as usize {
        let players = 2 + round % 7;
        let mut rig = Rig::mixed(u64::from(rng.next_u32()), players);
        let layout = rig.world.layout();
        let mut bytes = random_state(&mut rng, &rig, &leaves[players]);
        // Half of them keep the phase, or most would not fight.
        if round % 2 == 0 {
            bytes = fighting(&bytes);
        }
        rig.take(&bytes).unwrap();
        for _ in 0..8 {
            rig.step(&core::array::from_fn::<u16, 8, _>(|_| rng.next_u32() as u16));
            let snapshot = rig.snapshot();
            assert!(WorldView::read(&snapshot).is_some(), "{:?}", layout.validate(&snapshot));
            let _ = rig.world.picture();
        }
    }
}

fn fighting(bytes: &[u8]) -> Vec<u8> {
    let (mut header, mut fighters) = parts(bytes);
    header.clock.phase = 1;
    header.clock.timer_frames = header.clock.timer_frames.max(20);
    header.clock.hitstop_frames %= 2;
    for f in &mut fighters {
        // Near each other, so that they meet.
        for position in &mut f.motion.position {
            *position = snapback_core::Fx::from_bits(position.to_bits() % (100 << 16));
        }
        f.action.elapsed_frames %= 30;
    }
    whole(&header, &fighters)
}

/// Every scalar of the state at random within its range, with real names of moves, stances and
/// statuses now and then.
pub(crate) fn random_state(rng: &mut Rng, rig: &Rig, leaves: &[Leaf]) -> Vec<u8> {
    let mut bytes = rig.snapshot();
    for leaf in leaves {
        leaf.set(&mut bytes, leaf.random(rng));
    }
    let (header, mut fighters) = parts(&bytes);
    let data = rig.world.data();
    let known = (0..2).flat_map(|c| data.move_names(c)).chain(["lotus", "bulwark", ""]).map(NameHash::of);
    let names: Vec<NameHash> = known.chain([NameHash::from_bits(rng.next_u32())]).collect();
    for f in &mut fighters {
        f.action.move_name = names[rng.below(names.len() as u32) as usize];
        f.stance.name = names[rng.below(names.len() as u32) as usize];
        f.status.slots[0].effect = NameHash::of("burn");
        f.projectiles[0].move_name = NameHash::of(["fireball", "ice_shard", "light"][rng.below(3) as usize]);
    }
    whole(&header, &fighters)
}
