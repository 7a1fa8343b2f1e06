//! [`AcceptedFire`]: a shot that the server has taken, with times that it believes.

use snapback_core::Quat;

use crate::ActorId;

/// A shot that the server has taken. Its times are within policy, whatever the client said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AcceptedFire {
    /// Who fired.
    pub shooter: ActorId,
    /// Which shot of this shooter it is.
    pub sequence: u32,
    /// Where it is aimed; local +z is forward.
    pub rotation: Quat,
    /// When it was fired, in the server's time, clamped.
    pub fire_us: u64,
    /// How far behind the shooter saw others, clamped.
    pub view_delay_us: u32,
    /// When the server accepted it.
    pub accepted_us: u64,
}

impl AcceptedFire {
    /// The time at which the shooter saw others when it was `time_us` for the projectile. It may be too old: a sweep
    /// with [`TooOld::Clamp`](crate::TooOld::Clamp) brings it to the earliest allowed time and counts that, a raw lookup
    /// fails.
    ///
    /// ```
    /// use snapback_core::Quat;
    /// use snapback_rewind::{ActorId, fire::AcceptedFire};
    /// let shot = AcceptedFire {
    ///     shooter: ActorId(1),
    ///     sequence: 0,
    ///     rotation: Quat::IDENTITY,
    ///     fire_us: 900_000,
    ///     view_delay_us: 100_000,
    ///     accepted_us: 1_000_000,
    /// };
    /// assert_eq!(shot.target_us(shot.fire_us), 800_000);
    /// ```
    #[must_use]
    pub fn target_us(&self, time_us: u64) -> u64 {
        time_us.saturating_sub(self.view_delay_us.into())
    }
}
