//! Whether nobody is there who could look at what a check writes.

/// Whether a value of the environment variable `CI` means that this is CI: set, and not empty,
/// `false` or `0`.
#[must_use]
pub fn is_ci(value: Option<&str>) -> bool {
    !matches!(value.map(str::trim), None | Some("" | "false" | "0"))
}

/// Whether this process runs in CI.
#[must_use]
pub fn in_ci() -> bool {
    is_ci(std::env::var_os("CI").map(|value| value.to_string_lossy().into_owned()).as_deref())
}
