//! [`Ballistics`]: the simulation's own tick step, and gravity as the default.

use snapback_core::{Fx, Vec3};

/// A projectile under way.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Body {
    /// Its middle, in centimetres.
    pub position: Vec3,
    /// In centimetres a second.
    pub velocity: Vec3,
}

/// One tick of a projectile that meets nothing: the simulation's own step. Catch-up and live flight
/// make the same steps, so that a projectile that caught up is where one would be that had been there
/// all the time.
pub trait Ballistics {
    /// Moves `body` by a tick of `tick_us` microseconds.
    fn step(&self, body: &mut Body, tick_us: u32);
}

/// A constant pull: `v += a * dt`, then `p += v * dt`, `dt` being the tick in seconds, rounded to
/// [`Fx`] once.
///
/// ```
/// use snapback_core::{Fx, Vec3};
/// use snapback_rewind::flight::{Ballistics, Body, Gravity};
/// let mut body = Body { position: Vec3::ZERO, velocity: Vec3::from_ints(0, 0, 1_000) };
/// Gravity { acceleration: Vec3::from_ints(0, -1_000, 0) }.step(&mut body, 500_000);
/// assert_eq!(body.velocity, Vec3::from_ints(0, -500, 1_000));
/// assert_eq!(body.position, Vec3::from_ints(0, -250, 500));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Gravity {
    /// In centimetres a second, each second. Down is -y.
    pub acceleration: Vec3,
}

impl Ballistics for Gravity {
    fn step(&self, body: &mut Body, tick_us: u32) {
        let tick_s = Fx::ratio(i32::try_from(tick_us).unwrap_or(i32::MAX), 1_000_000);
        body.velocity += self.acceleration * tick_s;
        body.position += body.velocity * tick_s;
    }
}

impl<B: Ballistics + ?Sized> Ballistics for &B {
    fn step(&self, body: &mut Body, tick_us: u32) {
        (**self).step(body, tick_us);
    }
}
