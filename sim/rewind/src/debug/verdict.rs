//! [`Verdict`]: whether a hitbox was a candidate, and if not, why.

use crate::{LookupError, Rejection, TimeError};

/// Whether a hitbox was a candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It was.
    Candidate,
    /// The filter or the bounds spoke against it.
    Rejected(Rejection),
    /// It had no pose at that time.
    NoPose(LookupError),
}

impl Verdict {
    /// A word for it that stays the same, such as `"candidate"`, `"apart"` or `"no_pose_gap"`.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Candidate => "candidate",
            Self::Rejected(reason) => match reason {
                Rejection::IgnoredActor => "ignored_actor",
                Rejection::IgnoredTeam => "ignored_team",
                Rejection::SameTeam => "same_team",
                Rejection::NotDamageable => "not_damageable",
                Rejection::Blocking => "blocking",
                Rejection::Projectile => "projectile",
                Rejection::NotProjectile => "not_projectile",
                Rejection::NotNear => "not_near",
                Rejection::Apart => "apart",
                Rejection::NoPose => "no_pose",
            },
            Self::NoPose(reason) => match reason {
                LookupError::Unknown => "no_pose_unknown",
                LookupError::Gone => "no_pose_gone",
                LookupError::Time(TimeError::Empty) => "no_pose_empty",
                LookupError::Time(TimeError::OlderThanOldest) => "no_pose_older_than_oldest",
                LookupError::Time(TimeError::OlderThanMaxRewind) => "no_pose_older_than_max_rewind",
                LookupError::Time(TimeError::NewerThanNewest) => "no_pose_newer_than_newest",
                LookupError::Time(TimeError::Gap) => "no_pose_gap",
            },
        }
    }
}
