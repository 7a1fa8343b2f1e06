//! The trail of a projectile that others see for the first time when it is caught up already.
//!
//! Without a mask it would appear in the air. So its trail starts inactive, is advanced from the muzzle along the
//! way that catch-up took, and the same trail is then attached to the projectile and lives on. A
//! trail's handle moves from state to state, so there is no second one:
//!
//! | state | event | next state |
//! |---|---|---|
//! | `Inactive` | advance | `Advanced` |
//! | `Advanced` | attach | `Attached` |
//! | `Inactive` of a local dummy | activate | `Attached` |
//! | `None` | any | `None` |
//!
//! Everything else is no transition, and no method. How a trail begins:
//!
//! | copy | has a trail | opted in | begins |
//! |---|---|---|---|
//! | server's projectile | any | any | `None`: nothing is drawn |
//! | local dummy | yes | yes | `Attached`, activated at once |
//! | remote copy | yes | yes | `Inactive`, to be masked |
//! | any | no | any | `None` |
//! | any | yes | no | `None`: the host's own trail is left alone |
//!
//! It is all for the eyes: nothing here is read by catch-up, hits or damage.

use core::fmt;
use snapback_core::Vec3;

use crate::replicate::ProjectileRole;

/// The greatest number of points of a [`TrailMask`], muzzle and end included.
pub const MAX_TRAIL_POINTS: usize = 16;

/// What a remote viewer needs to draw a trail that it did not see grow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TrailMask {
    points: [Vec3; MAX_TRAIL_POINTS],
    count: u8,
    elapsed_us: u32,
}

impl TrailMask {
    /// The mask of a way from the muzzle, its first point, to where the projectile is caught up, its last, which took
    /// `elapsed_us`. Of a longer way, points in between are left out evenly. Nothing if there is no
    /// point.
    ///
    /// ```
    /// use snapback_core::Vec3;
    /// use snapback_rewind::trail::TrailMask;
    /// let way = [Vec3::ZERO, Vec3::from_ints(0, 10, 500), Vec3::from_ints(0, 0, 1_000)];
    /// let mask = TrailMask::of(&way, 100_000).unwrap();
    /// assert_eq!((mask.muzzle(), mask.caught_up()), (way[0], way[2]));
    /// ```
    #[must_use]
    pub fn of(way: &[Vec3], elapsed_us: u32) -> Option<Self> {
        let last = way.len().checked_sub(1)?;
        let count = way.len().min(MAX_TRAIL_POINTS);
        let mut points = [way[last]; MAX_TRAIL_POINTS];
        for (at, point) in points[..count].iter_mut().enumerate() {
            *point = way[(at * last).checked_div(count - 1).unwrap_or(0)];
        }
        Some(Self { points, count: count as u8, elapsed_us })
    }

    /// The way, from the muzzle on.
    #[must_use]
    pub fn points(&self) -> &[Vec3] {
        &self.points[..usize::from(self.count)]
    }

    /// Where it was fired.
    #[must_use]
    pub const fn muzzle(&self) -> Vec3 {
        self.points[0]
    }

    /// Where the projectile is.
    #[must_use]
    pub const fn caught_up(&self) -> Vec3 {
        self.points[self.count as usize - 1]
    }

    /// How long the way took: what the trail is older than it looks.
    #[must_use]
    pub const fn elapsed_us(&self) -> u32 {
        self.elapsed_us
    }
}

/// A trail of the host, such as a particle system of the projectile.
pub trait TrailHandle {
    /// Whether it runs already. A trail that is masked must not start by itself.
    fn is_active(&self) -> bool;
    /// Starts it, on the projectile.
    fn activate(&mut self);
    /// Starts it at the muzzle and brings it along the mask to its end, as if `elapsed_us` had passed.
    fn advance(&mut self, mask: &TrailMask);
    /// Hangs it on the projectile. It lives on with the particles that it has.
    fn attach(&mut self);
}

/// A trail that starts by itself cannot be masked: it would be seen twice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TrailStartsActive;

impl fmt::Display for TrailStartsActive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the trail starts by itself, so it cannot be masked: turn its automatic activation off")
    }
}

impl std::error::Error for TrailStartsActive {}

/// The trail of one copy of a projectile.
#[derive(PartialEq, Eq, Debug)]
pub enum Trail<T> {
    /// Nothing to mask.
    None,
    /// Not started.
    Inactive(InactiveTrail<T>),
    /// At the end of the mask, not yet on the projectile.
    Advanced(AdvancedTrail<T>),
    /// On the projectile.
    Attached(AttachedTrail<T>),
}

/// A trail that is not started. Not copied, so that it is the same one later.
#[derive(PartialEq, Eq, Debug)]
pub struct InactiveTrail<T>(T);

/// A trail at the end of the mask.
#[derive(PartialEq, Eq, Debug)]
pub struct AdvancedTrail<T>(T);

/// A trail on the projectile.
///
/// Nothing but a trail that was advanced or activated becomes one:
///
/// ```compile_fail
/// # use snapback_rewind::trail::{InactiveTrail, TrailHandle};
/// fn skip<T: TrailHandle>(trail: InactiveTrail<T>) { trail.attach(); }
/// ```
///
/// and a trail is attached once:
///
/// ```compile_fail
/// # use snapback_rewind::trail::{AdvancedTrail, TrailHandle};
/// fn twice<T: TrailHandle>(trail: AdvancedTrail<T>) { trail.attach(); trail.attach(); }
/// ```
#[derive(PartialEq, Eq, Debug)]
pub struct AttachedTrail<T>(T);

/// The state of a [`Trail`] without its handle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TrailState {
    /// Nothing to mask.
    None,
    /// Not started.
    Inactive,
    /// At the end of the mask.
    Advanced,
    /// On the projectile.
    Attached,
}

impl<T: TrailHandle> Trail<T> {
    /// The trail of a copy in this role. `handle` is the trail that the projectile selects, if it
    /// has one and opted in.
    ///
    /// # Errors
    /// If the trail of a dummy or a remote copy runs already.
    pub fn begin(role: ProjectileRole, opted_in: bool, handle: Option<T>) -> Result<Self, TrailStartsActive> {
        let Some(handle) = handle.filter(|_| opted_in && role != ProjectileRole::AuthorityProjectile) else { return Ok(Self::None) };
        if handle.is_active() {
            return Err(TrailStartsActive);
        }
        let trail = InactiveTrail(handle);
        Ok(if role == ProjectileRole::LocalDummy { Self::Attached(trail.activate()) } else { Self::Inactive(trail) })
    }

    /// Masks the trail of a remote copy: advances it and attaches the same. Leaves every other as it is.
    #[must_use]
    pub fn mask(self, mask: &TrailMask) -> Self {
        match self {
            Self::Inactive(trail) => Self::Attached(trail.advance(mask).attach()),
            Self::Advanced(trail) => Self::Attached(trail.attach()),
            done => done,
        }
    }

    /// Its state.
    #[must_use]
    pub const fn state(&self) -> TrailState {
        match self {
            Self::None => TrailState::None,
            Self::Inactive(_) => TrailState::Inactive,
            Self::Advanced(_) => TrailState::Advanced,
            Self::Attached(_) => TrailState::Attached,
        }
    }
}

impl<T: TrailHandle> InactiveTrail<T> {
    /// Starts it at the muzzle and brings it to where the projectile is.
    #[must_use]
    pub fn advance(mut self, mask: &TrailMask) -> AdvancedTrail<T> {
        self.0.advance(mask);
        AdvancedTrail(self.0)
    }

    /// Starts it on a dummy, which was there from the muzzle on.
    fn activate(mut self) -> AttachedTrail<T> {
        self.0.activate();
        AttachedTrail(self.0)
    }
}

impl<T: TrailHandle> AdvancedTrail<T> {
    /// Hangs it on the projectile.
    #[must_use]
    pub fn attach(mut self) -> AttachedTrail<T> {
        self.0.attach();
        AttachedTrail(self.0)
    }
}

impl<T> AttachedTrail<T> {
    /// The trail.
    pub const fn handle(&self) -> &T {
        &self.0
    }

    /// Gives the trail back, for instance when the projectile ends.
    #[must_use]
    pub fn into_handle(self) -> T {
        self.0
    }
}
