//! [`AcceptedFire`]: a shot that the server has taken, with times that it believes.

use snapback_core::Quat;

use crate::{ActorId, RewindCounters};

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
    /// The time at which the shooter saw others when it was `time_us` for the projectile.
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

    /// [`target_us`](Self::target_us), or `now - max_rewind` if that is earlier; that is counted in
    /// [`RewindCounters::clamped_times`].
    ///
    /// ```
    /// # use snapback_core::Quat;
    /// # use snapback_rewind::{ActorId, RewindCounters, fire::AcceptedFire};
    /// # let shot = AcceptedFire {
    /// #     shooter: ActorId(1), sequence: 0, rotation: Quat::IDENTITY,
    /// #     fire_us: 800_000, view_delay_us: 100_000, accepted_us: 1_000_000,
    /// # };
    /// let mut counters = RewindCounters::default();
    /// assert_eq!(shot.clamped_target_us(800_000, 1_000_000, 250_000, &mut counters), 750_000);
    /// assert_eq!(counters.clamped_times, 1);
    /// ```
    #[must_use]
    pub fn clamped_target_us(&self, time_us: u64, now_us: u64, max_rewind_us: u64, counters: &mut RewindCounters) -> u64 {
        let (target_us, oldest_us) = (self.target_us(time_us), now_us.saturating_sub(max_rewind_us));
        if target_us < oldest_us {
            counters.clamped_times = counters.clamped_times.saturating_add(1);
        }
        target_us.max(oldest_us)
    }
}
