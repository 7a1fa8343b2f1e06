//! Random numbers from the operating system: match ids and nonces.

use crate::error::CliError;
use snapback::SeedSecret;

/// A number that nobody can guess.
pub(crate) fn random() -> Result<u64, CliError> {
    getrandom::u64().map_err(|error| CliError::environment(format_args!("the system gives no random numbers: {error}")))
}

/// This peer's share of a match's seed.
pub(crate) fn seed_secret() -> Result<SeedSecret, CliError> {
    bytes().map(SeedSecret::new)
}

/// Bytes that nobody can guess: 32 for a key.
pub(crate) fn bytes<const N: usize>() -> Result<[u8; N], CliError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| CliError::environment(format_args!("the system gives no random numbers: {error}")))?;
    Ok(bytes)
}

/// A seed that a person can type.
pub(crate) fn random_seed() -> Result<u64, CliError> {
    random().map(|number| number & 0xFF_FFFF)
}
