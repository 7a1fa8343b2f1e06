//! How many random cases a test tries. The world's tests include this file by its path.
//!
//! `SNAPBACK_CASES_PERCENT` is a whole percentage of the usual number, 1 or more; without it, 100.
//! Emulators try fewer and a search for rare cases more. Whatever compares with stored hashes or
//! bits does not ask here: it is always done in full.

#![allow(clippy::expect_used, reason = "a test fails by panicking")]

/// This share of what is usual, at least 1.
pub(crate) fn cases(usual: u32) -> u32 {
    (u64::from(usual) * u64::from(percent()) / 100).clamp(1, u32::MAX.into()) as u32
}

/// Whether as many cases are tried as usual, so that a test may demand that rare things came up.
#[allow(dead_code, reason = "not every crate that includes this asks")]
pub(crate) fn are_all() -> bool {
    percent() >= 100
}

fn percent() -> u32 {
    match std::env::var("SNAPBACK_CASES_PERCENT") {
        Ok(text) => text
            .parse()
            .ok()
            .filter(|percent| *percent > 0)
            .expect("SNAPBACK_CASES_PERCENT is a whole percentage, 1 or more, without a sign"),
        Err(_) => 100,
    }
}
