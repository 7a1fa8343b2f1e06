//! The bytes of a [`FireRequest`].
//!
//! | offset | bytes | what |
//! |---|---|---|
//! | 0 | 1 | [`presence`] bits; all of [`presence::REQUIRED`] and no other |
//! | 1 | 4 | sequence |
//! | 5 | 16 | x, y, z and w of the rotation in 2^-30ths, signed |
//! | 21 | 8 | fire time in microseconds of the server |
//! | 29 | 4 | view delay in microseconds |
//!
//! All little-endian. A request has one form only: what is decoded encodes to the same bytes.

use snapback_core::Quat;

use super::{FireField, FireRequest, FireRequestError};

/// The length of a request.
pub const FIRE_REQUEST_BYTES: usize = 33;

/// The bits of the first byte.
pub mod presence {
    /// There is a sequence.
    pub const SEQUENCE: u8 = 1;
    /// There is a rotation.
    pub const ROTATION: u8 = 2;
    /// There is a fire time.
    pub const FIRE_TIME: u8 = 4;
    /// There is a view delay.
    pub const VIEW_DELAY: u8 = 8;
    /// There is a transform. A request that has one is refused.
    pub const TRANSFORM: u8 = 16;
    /// What every request has.
    pub const REQUIRED: u8 = SEQUENCE | ROTATION | FIRE_TIME | VIEW_DELAY;
}

const FIELDS: [(u8, FireField); 4] = [
    (presence::SEQUENCE, FireField::Sequence),
    (presence::ROTATION, FireField::Rotation),
    (presence::FIRE_TIME, FireField::FireTime),
    (presence::VIEW_DELAY, FireField::ViewDelay),
];

impl FireRequest {
    /// Its bytes.
    ///
    /// ```
    /// use snapback_core::Quat;
    /// use snapback_rewind::fire::FireRequest;
    /// let request = FireRequest::new(3, Quat::IDENTITY, 1_000_000, 100_000).unwrap();
    /// assert_eq!(FireRequest::decode(&request.encode()), Ok(request));
    /// ```
    #[must_use]
    pub fn encode(&self) -> [u8; FIRE_REQUEST_BYTES] {
        let mut bytes = [0; FIRE_REQUEST_BYTES];
        bytes[0] = presence::REQUIRED;
        bytes[1..5].copy_from_slice(&self.sequence().to_le_bytes());
        for (at, part) in self.rotation().to_bits().into_iter().enumerate() {
            bytes[5 + 4 * at..9 + 4 * at].copy_from_slice(&part.to_le_bytes());
        }
        bytes[21..29].copy_from_slice(&self.fire_us().to_le_bytes());
        bytes[29..33].copy_from_slice(&self.view_delay_us().to_le_bytes());
        bytes
    }

    /// The request of these bytes, which may be anything.
    ///
    /// # Errors
    /// In this order: no byte at all, bits that are unknown, a transform, a missing field, a wrong
    /// length, a rotation that is none.
    pub fn decode(bytes: &[u8]) -> Result<Self, FireRequestError> {
        let length = FireRequestError::Length { bytes: bytes.len(), expected_bytes: FIRE_REQUEST_BYTES };
        let &[bits, ..] = bytes else { return Err(length) };
        let unknown = bits & !(presence::REQUIRED | presence::TRANSFORM);
        if unknown != 0 {
            return Err(FireRequestError::UnknownBits { bits: unknown });
        }
        if bits & presence::TRANSFORM != 0 {
            return Err(FireRequestError::Forbidden(FireField::Transform));
        }
        if let Some(&(_, field)) = FIELDS.iter().find(|(bit, _)| bits & bit == 0) {
            return Err(FireRequestError::Missing(field));
        }
        let bytes: &[u8; FIRE_REQUEST_BYTES] = bytes.try_into().map_err(|_| length)?;
        let word = |at: usize| [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
        let [low, high] = [word(21), word(25)].map(u32::from_le_bytes).map(u64::from);
        let rotation = Quat::from_bits([5, 9, 13, 17].map(|at| i32::from_le_bytes(word(at))));
        Self::new(u32::from_le_bytes(word(1)), rotation, low | high << 32, u32::from_le_bytes(word(29)))
    }
}
