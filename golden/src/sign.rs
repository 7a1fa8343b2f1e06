//! Signatures (feature `sign`): who vouches for a replay. Ed25519, over every byte of the file.

use crate::format::block::{self, BlockKind, Blocks};
use crate::{GoldenReplay, ReplayFileError};
use core::fmt;
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};

/// Why a replay is not signed, or not by whom it should be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SignatureError {
    /// What is to be signed is no whole replay.
    File(ReplayFileError),
    /// What is to be signed is signed already.
    AlreadySigned,
    /// The public key in the file is none.
    BadKey,
    /// The signature is not over these bytes by the key that the file names.
    Mismatch {
        /// The public key that the file names.
        key: [u8; 32],
    },
    /// The replay is not signed at all.
    Unsigned,
    /// The replay is signed, by somebody else.
    OtherKey {
        /// The public key of whom should have signed.
        expected: [u8; 32],
        /// The public key of who has.
        found: [u8; 32],
    },
}

impl fmt::Display for SignatureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::AlreadySigned => f.write_str("the replay is signed already; sign the recording that it was made from"),
            Self::BadKey => f.write_str("the signature names a public key that is none; take another copy of the file"),
            Self::Mismatch { key } => {
                write!(f, "the signature is not by the key {} over this replay: one of them was changed", Hex(key))
            }
            Self::Unsigned => f.write_str("the replay is not signed; ask whoever recorded it to sign it"),
            Self::OtherKey { expected, found } => write!(f, "the replay is signed by {}, and must be by {}", Hex(found), Hex(expected)),
        }
    }
}

impl std::error::Error for SignatureError {}

impl From<ReplayFileError> for SignatureError {
    fn from(error: ReplayFileError) -> Self {
        Self::File(error)
    }
}

struct Hex<'a>(&'a [u8; 32]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The public key (32 bytes) that belongs to a secret key.
#[must_use]
pub fn public_key(secret_key: &[u8; 32]) -> [u8; 32] {
    SigningKey::from_bytes(secret_key).verifying_key().to_bytes()
}

/// The bytes of a whole replay file, with a signature at its end.
///
/// # Errors
/// If the bytes are no whole replay, or signed already.
pub fn sign(file: &[u8], secret_key: &[u8; 32]) -> Result<Vec<u8>, SignatureError> {
    let replay = GoldenReplay::read(file)?;
    if replay.contents().signature.is_some() {
        return Err(SignatureError::AlreadySigned);
    }
    let mut blocks = Blocks::new(file)?;
    while blocks.next()?.is_some() {}
    let key = SigningKey::from_bytes(secret_key);
    let payload = [&key.verifying_key().to_bytes()[..], &key.sign(file).to_bytes()].concat();
    let mut signed = file.to_vec();
    block::write(blocks.number(), BlockKind::Signature, &payload, &mut signed);
    Ok(signed)
}

/// The public key by which `replay` is signed; `None` if it is not.
///
/// Anybody can sign anything: whether the key is one to trust is for the caller to say, or for
/// [`verify_signed_by`].
///
/// # Errors
/// If the signature is not over this replay by the key that it names.
///
/// ```
/// # use snapback_core::*;
/// # use snapback_core::state::pod;
/// # struct Race(u64);
/// # impl Simulation for Race {
/// #     type Input = u8;
/// #     fn id(&self) -> SimulationId { SimulationId { name: "race", version: 1 } }
/// #     fn layout(&self) -> StateLayout { StateLayout::of::<u64>() }
/// #     fn reset(&mut self, _: u64, _: usize) -> Result<(), ResetError> { self.0 = 0; Ok(()) }
/// #     fn step(&mut self, _: Frame, inputs: &FrameInputs<'_, u8>, _: &mut Effects) {
/// #         self.0 = self.0.wrapping_add(inputs.input(PlayerHandle::new(0)).into());
/// #     }
/// #     fn capture(&self, out: &mut [u8]) { pod::capture(&self.0, out) }
/// #     fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> { pod::restore(&mut self.0, snapshot) }
/// # }
/// use snapback_golden::sign::{public_key, sign, verify_signature};
/// use snapback_golden::{GoldenReplay, RecordSettings, record};
///
/// let file = record(&mut Race(0), RecordSettings::generated(7, 1), (0..60).map(|_| vec![1])).unwrap();
/// let secret_key = [9; 32];
/// let replay = GoldenReplay::read(sign(&file, &secret_key).unwrap()).unwrap();
/// assert_eq!(verify_signature(&replay), Ok(Some(public_key(&secret_key))));
/// ```
pub fn verify_signature(replay: &GoldenReplay) -> Result<Option<[u8; 32]>, SignatureError> {
    let Some(place) = replay.contents().signature else { return Ok(None) };
    let payload = replay.bytes().get(place.payload()).unwrap_or_default();
    let signed = replay.bytes().get(..place.offset_bytes).unwrap_or_default();
    let Some((key, signature)) = payload.split_first_chunk::<32>() else { return Err(SignatureError::BadKey) };
    let mismatch = |_| SignatureError::Mismatch { key: *key };
    let verifying = VerifyingKey::from_bytes(key).map_err(|_| SignatureError::BadKey)?;
    let signature = Signature::from_slice(signature).map_err(mismatch)?;
    // Strict: a weak key would make one signature hold for many files.
    verifying.verify_strict(signed, &signature).map_err(mismatch)?;
    Ok(Some(*key))
}

/// Whether `replay` is signed with the secret key that belongs to `public_key`.
///
/// # Errors
/// If it is not signed, by another key, or over other bytes.
pub fn verify_signed_by(replay: &GoldenReplay, public_key: &[u8; 32]) -> Result<(), SignatureError> {
    match verify_signature(replay)? {
        Some(found) if found == *public_key => Ok(()),
        Some(found) => Err(SignatureError::OtherKey { expected: *public_key, found }),
        None => Err(SignatureError::Unsigned),
    }
}
