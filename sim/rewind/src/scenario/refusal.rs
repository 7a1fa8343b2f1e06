//! [`Refusal`]: why the server did not take a shot.

use crate::catchup::LaunchError;
use crate::fire::{FireClamp, FireRefusal, FireRequestError};
use core::convert::Infallible;
use core::fmt;

/// Why the server did not take a shot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The scenario was over before the tick that would have taken it.
    Over,
    /// It could not even be asked for.
    Request(FireRequestError),
    /// The gate refused it.
    Gate(FireRefusal),
    /// It was accepted, and its projectile could not be launched.
    Launch(LaunchError<Infallible>),
}

impl Refusal {
    /// What files and pages call them, in the order of their numbers.
    pub const NAMES: [&'static str; 15] = [
        "scenario over",
        "no request",
        "unknown shooter",
        "duplicate",
        "sequence too old",
        "sequence jump",
        "future",
        "old",
        "unsteady",
        "before earlier",
        "after later",
        "overtaken",
        "long view delay",
        "unsteady view delay",
        "no launch",
    ];

    /// What files and pages call it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        Self::NAMES[self.number() as usize]
    }

    /// Its number in the bytes of an outcome.
    pub(super) const fn number(self) -> u8 {
        match self {
            Self::Over => 0,
            Self::Request(_) | Self::Gate(FireRefusal::Malformed(_)) => 1,
            Self::Gate(FireRefusal::UnknownShooter) => 2,
            Self::Gate(FireRefusal::Duplicate { .. }) => 3,
            Self::Gate(FireRefusal::SequenceTooOld { .. }) => 4,
            Self::Gate(FireRefusal::SequenceJump { .. }) => 5,
            Self::Gate(FireRefusal::Claim(claim)) => 6 + claim as u8,
            Self::Launch(_) => 6 + FireClamp::ALL.len() as u8,
        }
    }

    /// What files and pages call a claim that was brought within bounds, or that a shot was refused for.
    #[must_use]
    pub const fn claim_name(claim: FireClamp) -> &'static str {
        Self::Gate(FireRefusal::Claim(claim)).name()
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.name())?;
        match self {
            Self::Over => write!(f, "the scenario ends before the tick that would take it"),
            Self::Request(reason) => reason.fmt(f),
            Self::Gate(FireRefusal::Claim(FireClamp::Overtaken)) => {
                write!(f, "it came so long after a later shot of its shooter that no fire time between the two can be believed")
            }
            Self::Gate(reason) => reason.fmt(f),
            Self::Launch(reason) => reason.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_claim_has_a_name_of_its_own() {
        let names: Vec<&str> = FireClamp::ALL.into_iter().map(Refusal::claim_name).collect();
        assert_eq!(names, Refusal::NAMES[6..14]);
        assert_eq!(
            (Refusal::claim_name(FireClamp::Future), Refusal::claim_name(FireClamp::UnsteadyViewDelay)),
            ("future", "unsteady view delay")
        );
    }
}
