//! Random numbers from the operating system: match ids and nonces.

use crate::error::CliError;

/// A number that nobody can guess.
pub(crate) fn random() -> Result<u64, CliError> {
    getrandom::u64().map_err(|error| CliError::environment(format_args!("the system gives no random numbers: {error}")))
}

/// 32 bytes that nobody can guess, for a key.
pub(crate) fn bytes() -> Result<[u8; 32], CliError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| CliError::environment(format_args!("the system gives no random numbers: {error}")))?;
    Ok(bytes)
}

/// A seed that a person can type.
pub(crate) fn random_seed() -> Result<u64, CliError> {
    random().map(|number| number & 0xFF_FFFF)
}
