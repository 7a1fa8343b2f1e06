//! The request: what must be in it, what may not, and its bytes.

use super::shot;
use snapback_core::{Quat, Rng};
use snapback_rewind::fire::{FIRE_REQUEST_BYTES, FireField, FireFields, FireRequest, FireRequestError, presence};

fn fields() -> FireFields {
    FireFields { sequence: Some(1), rotation: Some(Quat::IDENTITY), fire_us: Some(900_000), view_delay_us: Some(100_000) }
}

#[test]
fn spawning_from_target_data_fails_when_fire_time_or_rotation_is_missing() {
    let missing = |fields: FireFields| FireRequest::try_from(fields).unwrap_err();
    assert_eq!(missing(FireFields { fire_us: None, ..fields() }), FireRequestError::Missing(FireField::FireTime));
    assert_eq!(missing(FireFields { rotation: None, ..fields() }), FireRequestError::Missing(FireField::Rotation));
    assert_eq!(missing(FireFields { sequence: None, ..fields() }), FireRequestError::Missing(FireField::Sequence));
    assert_eq!(missing(FireFields { view_delay_us: None, ..fields() }), FireRequestError::Missing(FireField::ViewDelay));
    assert_eq!(missing(FireFields::default()), FireRequestError::Missing(FireField::Sequence));
    assert!(FireRequest::try_from(fields()).is_ok());
}

#[test]
fn every_missing_field_of_the_wire_form_is_named() {
    let bytes = shot(1, 900_000, 100_000).encode();
    let named = [
        (presence::SEQUENCE, FireField::Sequence),
        (presence::ROTATION, FireField::Rotation),
        (presence::FIRE_TIME, FireField::FireTime),
        (presence::VIEW_DELAY, FireField::ViewDelay),
    ];
    for (bit, field) in named {
        let mut bytes = bytes;
        bytes[0] &= !bit;
        assert_eq!(FireRequest::decode(&bytes), Err(FireRequestError::Missing(field)));
        assert!(FireRequestError::Missing(field).to_string().contains(field.name()));
    }
}

#[test]
fn a_fire_transform_is_refused_by_name() {
    let mut bytes = shot(1, 900_000, 100_000).encode().to_vec();
    bytes[0] |= presence::TRANSFORM;
    for extra in [0, 12, 28] {
        bytes.resize(FIRE_REQUEST_BYTES + extra, 0);
        let refused = FireRequest::decode(&bytes).unwrap_err();
        assert_eq!(refused, FireRequestError::Forbidden(FireField::Transform));
        assert!(refused.to_string().contains("transform"));
    }
}

#[test]
fn unknown_bits_wrong_lengths_and_rotations_that_are_none_are_refused() {
    let good = shot(1, 900_000, 100_000).encode();
    for bit in [32, 64, 128] {
        let mut bytes = good;
        bytes[0] |= bit;
        assert_eq!(FireRequest::decode(&bytes), Err(FireRequestError::UnknownBits { bits: bit }));
    }
    let mut long = good.to_vec();
    long.push(0);
    for length in (0..FIRE_REQUEST_BYTES).chain([FIRE_REQUEST_BYTES + 1]) {
        let expected = FireRequestError::Length { bytes: length, expected_bytes: FIRE_REQUEST_BYTES };
        assert_eq!(FireRequest::decode(&long[..length]), Err(expected));
    }
    for bits in [[0; 4], [i32::MIN; 4], [i32::MAX, 0, 0, 0], [0, 0, 0, (1 << 30) + (1 << 19)], [0, 0, 0, (1 << 30) - (1 << 19)]] {
        let mut bytes = good;
        for (at, part) in bits.into_iter().enumerate() {
            bytes[5 + 4 * at..9 + 4 * at].copy_from_slice(&i32::to_le_bytes(part));
        }
        assert_eq!(FireRequest::decode(&bytes), Err(FireRequestError::BadRotation { bits }));
    }
}

#[test]
fn the_bytes_are_these() {
    let request = FireRequest::new(0x0403_0201, Quat::IDENTITY, 0x0807_0605_0403_0201, 0x0d0c_0b0a).unwrap();
    let expected = [15, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13];
    assert_eq!(request.encode(), expected);
}

#[test]
fn what_decodes_encodes_to_the_same_bytes_whatever_the_bytes() {
    let mut rng = Rng::new(8_101, 1);
    let mut decoded = 0;
    for _ in 0..100_000 {
        let mut bytes = shot(rng.next_u32(), u64::from(rng.next_u32()), rng.next_u32()).encode();
        for _ in 0..rng.below(3) {
            bytes[rng.below(FIRE_REQUEST_BYTES as u32) as usize] = rng.next_u32() as u8;
        }
        if let Ok(request) = FireRequest::decode(&bytes) {
            assert_eq!(request.encode(), bytes);
            decoded += 1;
        }
        let length = rng.below(FIRE_REQUEST_BYTES as u32) as usize;
        assert!(FireRequest::decode(&bytes[..length]).is_err());
    }
    assert!(decoded > 30_000, "{decoded}");
}
