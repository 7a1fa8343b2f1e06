//! Key material from the operating system: the one place where a library of this project draws
//! anything at random. Everything else that must be unguessable is a parameter.

use core::fmt;

/// The operating system gives no random bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoRandomness(String);

impl fmt::Display for NoRandomness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the operating system gives no random bytes for a key: {}", self.0)
    }
}

impl core::error::Error for NoRandomness {}

pub(super) fn random<const N: usize>() -> Result<[u8; N], NoRandomness> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| NoRandomness(error.to_string()))?;
    Ok(bytes)
}
