//! [`FireRequest`]: what a client says about a shot, complete and of sound form.

use core::fmt;
use snapback_core::Quat;

/// What a client says about a shot: complete, with a rotation that is one. Its times are claims.
///
/// There is no transform: the authority takes the muzzle from its own world.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FireRequest {
    sequence: u32,
    rotation: Quat,
    fire_us: u64,
    view_delay_us: u32,
}

/// A field of a request.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FireField {
    /// Which shot.
    Sequence,
    /// Where it is aimed.
    Rotation,
    /// When it was fired.
    FireTime,
    /// How far behind others were seen.
    ViewDelay,
    /// From where it was fired: never accepted.
    Transform,
}

/// The fields of a request as a host's own messages have them, each perhaps missing.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct FireFields {
    /// Counts the shots of this shooter up by one each.
    pub sequence: Option<u32>,
    /// Where it is aimed; local +z is forward. Of length one.
    pub rotation: Option<Quat>,
    /// When it was fired, in the server's time.
    pub fire_us: Option<u64>,
    /// How far behind the shooter saw others: the delay of interpolation.
    pub view_delay_us: Option<u32>,
}

/// Why something is no request.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FireRequestError {
    /// A required field is missing.
    Missing(FireField),
    /// A field that clients may not send.
    Forbidden(FireField),
    /// Presence bits that mean nothing.
    UnknownBits {
        /// These.
        bits: u8,
    },
    /// Too short or too long.
    Length {
        /// How long it is.
        bytes: usize,
        /// How long it should be.
        expected_bytes: usize,
    },
    /// The rotation's length is not one, by more than 2^-12.
    BadRotation {
        /// Its x, y, z and w in 2^-30ths.
        bits: [i32; 4],
    },
}

impl FireField {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sequence => "sequence",
            Self::Rotation => "rotation",
            Self::FireTime => "fire_us",
            Self::ViewDelay => "view_delay_us",
            Self::Transform => "transform",
        }
    }
}

impl fmt::Display for FireRequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(field) => write!(f, "the fire request has no {}: send it", field.name()),
            Self::Forbidden(field) => write!(f, "the fire request has a {}, which the server derives itself: leave it out", field.name()),
            Self::UnknownBits { bits } => {
                write!(f, "the fire request has the unknown presence bits {bits:#010b}: send what this version knows")
            }
            Self::Length { bytes, expected_bytes } => write!(f, "the fire request is {bytes} bytes long, and must be {expected_bytes}"),
            Self::BadRotation { bits } => write!(f, "the rotation {bits:?} is not of length one: normalise it"),
        }
    }
}

impl std::error::Error for FireRequestError {}

impl FireRequest {
    /// A request.
    ///
    /// # Errors
    /// If the rotation is not of length one.
    pub fn new(sequence: u32, rotation: Quat, fire_us: u64, view_delay_us: u32) -> Result<Self, FireRequestError> {
        let bits = rotation.to_bits();
        let length_squared: i128 = bits.iter().map(|&part| i128::from(part) * i128::from(part)).sum();
        if (length_squared - (1 << 60)).abs() > 1 << 49 {
            return Err(FireRequestError::BadRotation { bits });
        }
        Ok(Self { sequence, rotation, fire_us, view_delay_us })
    }

    /// Which shot.
    #[must_use]
    pub const fn sequence(&self) -> u32 {
        self.sequence
    }

    /// Where it is aimed.
    #[must_use]
    pub const fn rotation(&self) -> Quat {
        self.rotation
    }

    /// When it was fired, as the client says.
    #[must_use]
    pub const fn fire_us(&self) -> u64 {
        self.fire_us
    }

    /// How far behind others were seen, as the client says.
    #[must_use]
    pub const fn view_delay_us(&self) -> u32 {
        self.view_delay_us
    }
}

impl TryFrom<FireFields> for FireRequest {
    type Error = FireRequestError;

    /// Refuses the first field that is missing, in their order.
    ///
    /// ```
    /// use snapback_rewind::fire::{FireField, FireFields, FireRequest, FireRequestError};
    /// let fields = FireFields { sequence: Some(3), ..FireFields::default() };
    /// assert_eq!(FireRequest::try_from(fields), Err(FireRequestError::Missing(FireField::Rotation)));
    /// ```
    fn try_from(fields: FireFields) -> Result<Self, FireRequestError> {
        Self::new(
            fields.sequence.ok_or(FireRequestError::Missing(FireField::Sequence))?,
            fields.rotation.ok_or(FireRequestError::Missing(FireField::Rotation))?,
            fields.fire_us.ok_or(FireRequestError::Missing(FireField::FireTime))?,
            fields.view_delay_us.ok_or(FireRequestError::Missing(FireField::ViewDelay))?,
        )
    }
}
