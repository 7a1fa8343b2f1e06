//! How many cases a test tries. Tests outside this crate's sources include this file by its path.
//!
//! `SNAPBACK_CASES_PERCENT` is a whole percentage of the usual number, 1 or more; without it, 100.
//! Emulators try fewer and a search for rare cases more. Whatever compares with stored hashes or
//! bits does not ask here: it is always done in full.

#![allow(dead_code, reason = "not everybody who includes this needs all of it")]
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

/// This share of a usual number of cases, at least 1.
pub(crate) fn cases(usual: u32) -> u32 {
    (u64::from(usual) * u64::from(percent()) / 100).clamp(1, u32::MAX.into()) as u32
}

/// The step of a sweep that usually takes every `usual`th value: odd, so that it meets odd and even ones.
pub(crate) fn stride(usual: usize) -> usize {
    (usual * 100 / percent() as usize) | 1
}

/// Whether at least as many cases are tried as usual: then a test may demand that rare things came up.
pub(crate) fn are_all() -> bool {
    percent() >= 100
}

fn percent() -> u32 {
    let Ok(text) = std::env::var("SNAPBACK_CASES_PERCENT") else { return 100 };
    text.parse().ok().filter(|percent| *percent > 0).expect("SNAPBACK_CASES_PERCENT is a whole percentage, 1 or more")
}
