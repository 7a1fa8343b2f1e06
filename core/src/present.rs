//! [`PresentWorld`]: what the player sees, drawn between two simulated frames.

use crate::frame::Frame;

/// How far between the previous frame and the newest one the picture is, in 1/65,536ths: 0 is the
/// previous frame, 65,536 the newest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Blend(u32);

impl Blend {
    /// The previous frame.
    pub const PREVIOUS: Self = Self(0);
    /// The newest frame.
    pub const NEWEST: Self = Self(1 << 16);

    /// In 1/65,536ths; greater values are [`Blend::NEWEST`].
    #[must_use]
    pub const fn from_bits(bits: u32) -> Self {
        if bits > Self::NEWEST.0 { Self::NEWEST } else { Self(bits) }
    }

    /// In 1/65,536ths, 0 to 65,536.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The value this far from `previous` to `newest`. Total: every pair of values is allowed.
    #[must_use]
    pub const fn between(self, previous: i64, newest: i64) -> i64 {
        let step = (newest as i128 - previous as i128) * self.0 as i128 / Self::NEWEST.0 as i128;
        (previous as i128 + step) as i64
    }
}

/// A picture of the state that can be drawn between two frames.
///
/// Whatever must not glide (a teleport, a spawn, a counter) is taken from `newest` as it is.
pub trait Present: Clone {
    /// The picture `blend` of the way from `previous` to `newest`.
    #[must_use]
    fn blend(previous: &Self, newest: &Self, blend: Blend) -> Self;
}

/// The text and key of the overlay that a freeze shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overlay {
    /// What a host looks a translation up by.
    pub key: &'static str,
    /// The English text.
    pub text: &'static str,
}

/// The overlay of a session that waits for the network.
pub const RECOVERING_CONNECTION: Overlay = Overlay { key: "Netcode.RecoveringConnection", text: "Recovering Connection…" };

/// The world that is drawn: two pictures and how far the display is between them.
///
/// It receives pictures and never gives anything back, so presenting cannot change a state hash.
/// A display of any rate calls [`tick`](Self::tick) with the time since its last frame.
///
/// ```
/// use snapback_core::{Frame, PresentWorld, present::{Blend, Present}};
///
/// #[derive(Clone)]
/// struct Ball { x: i64 }
/// impl Present for Ball {
///     fn blend(previous: &Self, newest: &Self, blend: Blend) -> Self {
///         Ball { x: blend.between(previous.x, newest.x) }
///     }
/// }
/// let mut shown = PresentWorld::new(60);
/// shown.submit(Frame::new(0), Ball { x: 0 });
/// shown.submit(Frame::new(1), Ball { x: 100 });
/// shown.tick(8_333);
/// assert_eq!(shown.picture().unwrap().x, 50);
/// ```
#[derive(Clone, Debug)]
pub struct PresentWorld<S> {
    step_us: u64,
    since_submit_us: u64,
    previous: Option<S>,
    newest: Option<(Frame, S)>,
    overlay: Option<Overlay>,
}

impl<S: Present> PresentWorld<S> {
    /// For a simulation of `simulation_hz` steps a second (at least 1).
    #[must_use]
    pub fn new(simulation_hz: u32) -> Self {
        let step_us = 1_000_000 / u64::from(simulation_hz.max(1));
        Self { step_us, since_submit_us: 0, previous: None, newest: None, overlay: None }
    }

    /// Takes the picture after `frame`.
    ///
    /// The next frame moves the pair on. The same frame again (a rewind corrected it) replaces the
    /// newest picture without restarting the way to it. Any other frame starts anew: nothing glides
    /// across a jump.
    pub fn submit(&mut self, frame: Frame, picture: S) {
        match self.newest.take() {
            Some((newest, old)) if newest.next() == frame => {
                self.previous = Some(old);
                self.since_submit_us = 0;
            }
            Some((newest, _)) if newest == frame => {}
            _ => {
                self.previous = None;
                self.since_submit_us = 0;
            }
        }
        self.newest = Some((frame, picture));
    }

    /// Corrects the previous picture after a rewind, so that the way to the newest starts from
    /// what really happened.
    pub fn correct_previous(&mut self, picture: S) {
        if self.previous.is_some() {
            self.previous = Some(picture);
        }
    }

    /// Moves the display on by `display_delta_us`.
    pub fn tick(&mut self, display_delta_us: u64) {
        self.since_submit_us = self.since_submit_us.saturating_add(display_delta_us).min(self.step_us);
    }

    /// How far the display is between the two pictures.
    #[must_use]
    pub fn blend(&self) -> Blend {
        if self.previous.is_none() {
            return Blend::NEWEST;
        }
        Blend::from_bits(u32::try_from(self.since_submit_us * u64::from(Blend::NEWEST.0) / self.step_us.max(1)).unwrap_or(u32::MAX))
    }

    /// What to draw now; `None` before the first frame.
    #[must_use]
    pub fn picture(&self) -> Option<S> {
        let (_, newest) = self.newest.as_ref()?;
        Some(match &self.previous {
            Some(previous) => S::blend(previous, newest, self.blend()),
            None => newest.clone(),
        })
    }

    /// The frame of the newest picture.
    #[must_use]
    pub fn frame(&self) -> Option<Frame> {
        self.newest.as_ref().map(|(frame, _)| *frame)
    }

    /// Shows an overlay, such as [`RECOVERING_CONNECTION`].
    pub fn show_overlay(&mut self, overlay: Overlay) {
        self.overlay = Some(overlay);
    }

    /// Takes the overlay away.
    pub fn clear_overlay(&mut self) {
        self.overlay = None;
    }

    /// The overlay to draw, if any.
    #[must_use]
    pub fn overlay(&self) -> Option<Overlay> {
        self.overlay
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, PartialEq, Debug)]
    struct X(i64);

    impl Present for X {
        fn blend(previous: &Self, newest: &Self, blend: Blend) -> Self {
            Self(blend.between(previous.0, newest.0))
        }
    }

    #[test]
    fn a_faster_display_walks_evenly_and_never_past_the_newest_frame() {
        for display_hz in [60u64, 120, 144, 165] {
            let mut world = PresentWorld::new(60);
            world.submit(Frame::new(0), X(0));
            world.submit(Frame::new(1), X(1_000_000));
            let mut last = 0;
            for _ in 0..10 * display_hz {
                world.tick(1_000_000 / display_hz);
                let X(x) = world.picture().unwrap();
                assert!(x >= last && x <= 1_000_000);
                last = x;
            }
            assert_eq!(last, 1_000_000);
        }
    }

    #[test]
    fn jumps_are_not_interpolated_and_corrections_do_not_restart_the_way() {
        let mut world = PresentWorld::new(60);
        assert_eq!(world.picture(), None);
        world.submit(Frame::new(5), X(10));
        assert_eq!(world.picture(), Some(X(10)));
        world.submit(Frame::new(6), X(20));
        world.tick(8_333);
        let blend = world.blend();
        world.submit(Frame::new(6), X(40));
        assert_eq!(world.blend(), blend);
        world.submit(Frame::new(9), X(70));
        assert_eq!(world.picture(), Some(X(70)));
    }

    #[test]
    fn blending_is_total_at_the_ends() {
        for blend in [Blend::PREVIOUS, Blend::from_bits(1), Blend::NEWEST, Blend::from_bits(u32::MAX)] {
            let value = blend.between(i64::MIN, i64::MAX);
            assert!(blend != Blend::NEWEST || value == i64::MAX);
            assert!(blend != Blend::PREVIOUS || value == i64::MIN);
        }
    }
}
