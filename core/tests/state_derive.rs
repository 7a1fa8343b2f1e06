//! The contract of `#[derive(SimState)]`: every byte of a state has a name, and the canonical
//! bytes, the hash and the text made of it are the same on every machine.
//!
//! Vectors are over bytes written out here, never over what the code under test produced.

#[path = "../src/cases.rs"]
mod cases;

use bytemuck::{Pod, Zeroable};
use cases::cases;
use snapback_core::state::{Scalar, TypeKind, Value, pod};
use snapback_core::{Frame, Fx, InvalidState, NameHash, Rng, SimState, StateHash, StateLayout};

#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable, SimState)]
#[repr(transparent)]
struct Meter(u16);

#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable, SimState)]
#[repr(transparent)]
struct Stance(#[sim(range = 0..=Self::LAST)] u8);

impl Stance {
    const LAST: u8 = 3;
}

#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable, SimState)]
#[repr(C)]
struct Body {
    position: [Fx; 2],
    #[sim(range = -100..=100)]
    drift: [i16; 2],
    #[sim(section = "meta")]
    r#move: NameHash,
}

const MAX_HEALTH: i32 = 1_000;

#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable, SimState)]
#[repr(C)]
#[sim(section = "combat")]
struct Fighter {
    #[sim(section = "movement")]
    body: Body,
    #[sim(range = 0..=MAX_HEALTH)]
    health: i32,
    meter: Meter,
    stance: Stance,
    #[sim(bool)]
    airborne: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable, SimState)]
#[repr(C)]
struct Clock {
    remaining: u32,
    round: i8,
    reserved: [u8; 3],
}

#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable, SimState)]
#[repr(C)]
struct Match {
    clock: Clock,
    fighter: [Fighter; 2],
}

const FIXED: StateLayout = StateLayout::of::<Match>();
const TAILED: StateLayout = StateLayout::with_tail::<Clock, Fighter>("fighter", 2);

fn fighter(health: i32) -> Fighter {
    Fighter {
        body: Body {
            position: [Fx::from_bits(0x0001_8000), Fx::from_bits(-1)],
            drift: [-2, 100],
            r#move: NameHash::from_bits(0xcbf4_3926),
        },
        health,
        meter: Meter(0x0102),
        stance: Stance(3),
        airborne: 1,
    }
}

fn started() -> Match {
    let clock = Clock { remaining: 5_940, round: -1, reserved: [0; 3] };
    Match { clock, fighter: [fighter(1_000), fighter(7)] }
}

/// [`started`], by hand.
fn canonical() -> Vec<u8> {
    let mut bytes = Vec::new();
    bytes.extend_from_slice(&[0x34, 0x17, 0, 0, 0xff, 0, 0, 0]);
    for health in [[0xe8, 0x03, 0, 0], [7, 0, 0, 0]] {
        bytes.extend_from_slice(&[0x00, 0x80, 0x01, 0, 0, 0, 0, 0]);
        bytes.extend_from_slice(&[0xff; 8]);
        bytes.extend_from_slice(&[0xfe, 0xff, 100, 0]);
        bytes.extend_from_slice(&[0x26, 0x39, 0xf4, 0xcb]);
        bytes.extend_from_slice(&health);
        bytes.extend_from_slice(&[0x02, 0x01, 3, 1]);
    }
    bytes
}

#[test]
fn the_encoding_is_the_bytes_written_by_hand_and_comes_back() {
    let state = started();
    for layout in [FIXED, TAILED] {
        assert_eq!(layout.size_bytes(), 72);
        let mut encoded = [0; 72];
        layout.encode(bytemuck::bytes_of(&state), &mut encoded).unwrap();
        assert_eq!(encoded.as_slice(), canonical());
        let mut back = Match::zeroed();
        layout.decode(&encoded, bytemuck::bytes_of_mut(&mut back)).unwrap();
        assert_eq!(back, state);
    }
}

#[test]
fn the_hash_is_a_crc_over_seed_frame_and_those_bytes() {
    let mut hashed = vec![0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11];
    hashed.extend_from_slice(&[0xff; 8]);
    hashed.extend_from_slice(&canonical());
    let found = FIXED.hash(0x1122_3344_5566_7788, Frame::INITIAL, bytemuck::bytes_of(&started()));
    assert_eq!(found.bits(), bit_by_bit_crc32(&hashed));
    // The same number in every build, on every machine, for good.
    assert_eq!(found, StateHash::from_bits(0xc925_d01f));
}

/// CRC-32 from its definition, so that the vector does not rest on the crate that computes it.
fn bit_by_bit_crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    !crc
}

#[test]
fn sections_are_inherited_and_overridden() {
    assert_eq!(FIXED.sections(), ["movement", "meta", "combat"]);
    assert_eq!(TAILED.sections(), FIXED.sections());
    let before = started();
    let mut after = before;
    after.fighter[1].body.r#move = NameHash::NONE;
    let changed =
        |section| FIXED.section_hash(section, bytemuck::bytes_of(&before)) != FIXED.section_hash(section, bytemuck::bytes_of(&after));
    assert_eq!(["movement", "meta", "combat"].map(changed), [false, true, false]);
}

#[test]
fn a_section_hash_is_a_crc_over_its_own_bytes() {
    let meta = [0x26, 0x39, 0xf4, 0xcb, 0x26, 0x39, 0xf4, 0xcb];
    let found = FIXED.section_hash("meta", bytemuck::bytes_of(&started()));
    assert_eq!(found.bits(), bit_by_bit_crc32(&meta));
    assert_eq!(FIXED.section_hash("absent", bytemuck::bytes_of(&started())).bits(), 0);
}

#[test]
fn every_range_is_held_at_both_ends_and_refused_beyond() {
    type Change = fn(&mut Fighter);
    let accepted: [Change; 6] = [
        |it| it.health = 0,
        |it| it.health = 1_000,
        |it| it.body.drift = [-100, 100],
        |it| it.stance = Stance(0),
        |it| it.airborne = 0,
        |it| it.meter = Meter(u16::MAX),
    ];
    let refused: [(Change, &str); 6] = [
        (|it| it.health = -1, "fighter[1].health"),
        (|it| it.health = 1_001, "fighter[1].health"),
        (|it| it.body.drift = [-101, 0], "fighter[1].body.drift[0]"),
        (|it| it.body.drift = [0, 101], "fighter[1].body.drift[1]"),
        (|it| it.stance = Stance(4), "fighter[1].stance.0"),
        (|it| it.airborne = 2, "fighter[1].airborne"),
    ];
    for layout in [FIXED, TAILED] {
        for change in accepted {
            let mut state = started();
            change(&mut state.fighter[1]);
            assert_eq!(layout.validate(bytemuck::bytes_of(&state)), Ok(()));
        }
        for (change, expected) in refused {
            let mut state = started();
            change(&mut state.fighter[1]);
            match layout.validate(bytemuck::bytes_of(&state)) {
                Err(InvalidState::OutOfRange { path, .. }) => assert_eq!(path, expected),
                other => panic!("{expected} was not refused: {other:?}"),
            }
        }
    }
}

#[test]
fn a_refused_snapshot_leaves_the_state_alone() {
    let mut bad = started();
    bad.fighter[0].health = 1_001;
    let mut state = started();
    let error = StateLayout::of::<Match>().validate(bytemuck::bytes_of(&bad)).unwrap_err();
    insta::assert_snapshot!(
        error,
        @"fighter[0].health is 1001 (0x000003e9), and must be from 0 to 1000"
    );
    let short = bytemuck::bytes_of(&bad).get(..71).unwrap();
    let wrong_length = InvalidState::WrongLength { expected: 72, found: 71 };
    assert_eq!(pod::restore(&mut state, short), Err(wrong_length));
    assert_eq!(state, started());
}

#[test]
fn a_dump_names_every_scalar() {
    let mut state = [0; 40];
    let layout = StateLayout::with_tail::<Clock, Fighter>("fighter", 1);
    state.copy_from_slice(bytemuck::bytes_of(&started()).get(..40).unwrap());
    insta::assert_snapshot!(layout.dump(&state), @"
    remaining = 5940 (0x00001734)
    round = -1 (0xff)
    reserved[0] = 0 (0x00)
    reserved[1] = 0 (0x00)
    reserved[2] = 0 (0x00)
    fighter[0].body.position[0] = 1.5 (0x0000000000018000)
    fighter[0].body.position[1] = -0.0000152587890625 (0xffffffffffffffff)
    fighter[0].body.drift[0] = -2 (0xfffe)
    fighter[0].body.drift[1] = 100 (0x0064)
    fighter[0].body.move = 0xcbf43926
    fighter[0].health = 1000 (0x000003e8)
    fighter[0].meter = 258 (0x0102)
    fighter[0].stance.0 = 3 (0x03)
    fighter[0].airborne = 1 (0x01)
    ");
}

#[test]
fn a_difference_names_the_field_and_both_values() {
    let left = started();
    let mut right = left;
    right.fighter[1].body.position[0] = Fx::from_bits(0x0001_4000);
    right.fighter[1].meter = Meter(12);
    for layout in [FIXED, TAILED] {
        let found = layout.differences(bytemuck::bytes_of(&left), bytemuck::bytes_of(&right));
        let text: Vec<_> = found.iter().map(ToString::to_string).collect();
        insta::allow_duplicates! {
            insta::assert_snapshot!(text.join("\n"), @"
            fighter[1].body.position[0]: 1.5 (0x0000000000018000) against 1.25 (0x0000000000014000)
            fighter[1].meter: 258 (0x0102) against 12 (0x000c)
            ");
        }
        let first = layout.first_difference(bytemuck::bytes_of(&left), bytemuck::bytes_of(&right)).unwrap();
        assert_eq!(Some(&first), found.first());
        assert_eq!(first.offset_bytes, 40);
        assert_eq!(first.left, Value::from_bits(Scalar::Fx, 0x0001_8000));
    }
}

#[test]
fn an_opaque_state_is_bytes() {
    let layout = StateLayout::opaque(3);
    let first = layout.first_difference(&[1, 2, 3], &[1, 2, 4]).unwrap();
    insta::assert_snapshot!(first, @"byte[2]: 3 (0x03) against 4 (0x04)");
    assert!(layout.sections().is_empty());
    assert_eq!(layout.fingerprint(), StateLayout::opaque(900).fingerprint());
}

#[test]
fn a_newtype_is_what_it_wraps() {
    assert_eq!(Meter::LAYOUT.kind, u16::LAYOUT.kind);
    assert_eq!(Meter::LAYOUT.name, "Meter");
    assert!(matches!(Stance::LAYOUT.kind, TypeKind::Struct { fields: [field] } if field.name == "0"));
    assert!(!Meter::LAYOUT.has_ranges());
    assert!(Fighter::LAYOUT.has_ranges() && Match::LAYOUT.has_ranges());
}

#[test]
fn the_fingerprint_is_stored() {
    // Peers of different builds compare it: it changes only with the layout above.
    assert_eq!(FIXED.fingerprint(), 0xf34e_94b3);
}

mod facade {
    pub(crate) mod core_api {
        pub(crate) use snapback_core::*;
    }
}

#[test]
fn a_facade_can_stand_for_the_crate() {
    #[derive(Clone, Copy, Pod, Zeroable, SimState)]
    #[repr(C)]
    #[sim(crate = "crate::facade::core_api")]
    struct Fighter {
        health: i32,
    }
    assert_eq!(StateLayout::of::<Fighter>().size_bytes(), 4);
    assert_eq!(Fighter::zeroed().health, 0);
}

#[test]
fn no_bytes_of_any_length_panic() {
    let mut rng = Rng::new(3, 1);
    let layouts = [FIXED, TAILED, StateLayout::opaque(72), StateLayout::of::<Rng>()];
    for round in 0..cases(2_000) {
        let mut random = |len: u32| -> Vec<u8> { (0..len).map(|_| rng.next_u32() as u8).collect() };
        let len = if round % 2 == 0 { 72 } else { round % 90 };
        let (left, right) = (random(len), random(len.max(1) - round % 2));
        for layout in layouts {
            let _ = layout.validate(&left);
            let _ = layout.hash(1, Frame::ZERO, &left);
            let _ = layout.section_hash("movement", &left);
            let _ = layout.dump(&left).to_string();
            let _ = layout.differences(&left, &right);
            let mut out = right.clone();
            let _ = layout.encode(&left, &mut out);
            let _ = layout.decode(&left, &mut out);
        }
    }
}
