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

/// The world that is drawn: the pictures of two frames, and how far the display is between them.
///
/// It receives pictures and never gives anything back, so presenting cannot change a state hash.
/// All times are microseconds of one clock of the host's that never goes back. How far the display
/// is follows from the time at which the newest frame was due and the time at which it is drawn, and
/// from nothing that was drawn before: no display rate drifts, and a frame that was simulated late,
/// or is drawn early, does not change the speed of what moves. The picture is one frame behind the
/// simulation.
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
/// // Frame 6 of a match that began at 500 µs: due a tenth of a second after that.
/// shown.submit(Frame::new(6), 100_500, Some(Ball { x: 0 }), Ball { x: 100 });
/// assert_eq!(shown.picture(100_500 + 8_334).unwrap().x, 50);
/// ```
#[derive(Clone, Debug)]
pub struct PresentWorld<S> {
    simulation_hz: u32,
    shown: Option<Shown<S>>,
    overlay: Option<Overlay>,
}

#[derive(Clone, Debug)]
struct Shown<S> {
    frame: Frame,
    due_us: u64,
    previous: Option<S>,
    newest: S,
}

impl<S: Present> PresentWorld<S> {
    /// For a simulation of `simulation_hz` steps a second (at least 1).
    #[must_use]
    pub fn new(simulation_hz: u32) -> Self {
        Self { simulation_hz: simulation_hz.max(1), shown: None, overlay: None }
    }

    /// Takes the picture after `frame` and, if there is one, that of the frame before it.
    ///
    /// `due_us` is when the frame *should* have been stepped, such as start + ticks * 1,000,000 / 60,
    /// and not when it was. If the newest frame comes again, because the simulation is frozen or a
    /// rewind corrected it, its pictures are replaced and its time stays: the way between them goes
    /// on. So a host submits after every tick, and has both pictures from states as they are *now*: a
    /// rewind has corrected the previous frame as well.
    pub fn submit(&mut self, frame: Frame, due_us: u64, previous: Option<S>, newest: S) {
        let due_us = match &self.shown {
            Some(shown) if shown.frame == frame => shown.due_us,
            _ => due_us,
        };
        self.shown = Some(Shown { frame, due_us, previous, newest });
    }

    /// How far the display is between the two pictures.
    #[must_use]
    pub fn blend(&self, now_us: u64) -> Blend {
        let Some(Shown { due_us, previous: Some(_), .. }) = &self.shown else { return Blend::NEWEST };
        let late_us = u128::from(now_us.saturating_sub(*due_us));
        let bits = late_us * u128::from(self.simulation_hz) * u128::from(Blend::NEWEST.0) / 1_000_000;
        Blend::from_bits(u32::try_from(bits).unwrap_or(u32::MAX))
    }

    /// What to draw at `now_us`; `None` before the first frame.
    #[must_use]
    pub fn picture(&self, now_us: u64) -> Option<S> {
        let Shown { previous, newest, .. } = self.shown.as_ref()?;
        Some(match previous {
            Some(previous) => S::blend(previous, newest, self.blend(now_us)),
            None => newest.clone(),
        })
    }

    /// The frame of the newest picture.
    #[must_use]
    pub fn frame(&self) -> Option<Frame> {
        self.shown.as_ref().map(|shown| shown.frame)
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
    use crate::rng::Rng;

    #[derive(Clone, PartialEq, Debug)]
    struct X(i64);

    impl Present for X {
        fn blend(previous: &Self, newest: &Self, blend: Blend) -> Self {
            Self(blend.between(previous.0, newest.0))
        }
    }

    const SECOND_US: u64 = 1_000_000;
    const START_US: u64 = 123_457;

    /// A host that steps what is due whenever it draws, in a world that moves at one speed: 1,000,000
    /// a frame, 60 frames a second.
    struct Host {
        world: PresentWorld<X>,
        ticks: u64,
    }

    impl Host {
        fn new() -> Self {
            Self { world: PresentWorld::new(60), ticks: 0 }
        }

        fn draw(&mut self, now_us: u64) -> i64 {
            loop {
                let due_us = START_US + self.ticks * SECOND_US / 60;
                if due_us > now_us {
                    return self.world.picture(now_us).map_or(0, |X(x)| x);
                }
                let x = self.ticks as i64 * 1_000_000;
                self.world.submit(Frame::new(self.ticks as i64), due_us, Some(X(x - 1_000_000)), X(x));
                self.ticks += 1;
            }
        }

        /// Where the world is at this time, one frame ago.
        fn truth(now_us: u64) -> i64 {
            (now_us - START_US) as i64 * 60 - 1_000_000
        }
    }

    /// A microsecond of the world, for the rounding of a due time down, and a step of the blend.
    const TOLERANCE: i64 = 60 + 1_000_000 / 65_536 + 1;

    #[test]
    fn every_display_rate_walks_at_one_speed_and_is_right_after_ten_minutes() {
        for display_hz in [60u64, 120, 144, 165] {
            // Also with a display whose phase is just before, at and after that of the simulation.
            for phase_us in [0, 1, 16_666, 5_000] {
                let mut host = Host::new();
                let mut last = i64::MIN;
                for drawn in 0..600 * display_hz {
                    let now_us = START_US + phase_us + drawn * SECOND_US / display_hz;
                    let x = host.draw(now_us);
                    assert!(x >= last, "{display_hz} Hz goes back from {last} to {x}");
                    assert!((x - Host::truth(now_us)).abs() <= TOLERANCE, "{display_hz} Hz: {x} and not {}", Host::truth(now_us));
                    last = x;
                }
            }
        }
    }

    #[test]
    fn a_display_out_of_step_shows_each_moment_as_it_is() {
        for display_hz in [60u64, 144, 165] {
            let (mut host, mut rng) = (Host::new(), Rng::new(display_hz, 1));
            let mut last = i64::MIN;
            for drawn in 1..60 * display_hz {
                // Each picture comes up to 3 ms early or late, and some are left out.
                let now_us = START_US + drawn * SECOND_US / display_hz + u64::from(rng.below(6_000)) - 3_000;
                if rng.below(10) == 0 {
                    continue;
                }
                let x = host.draw(now_us);
                assert!((x - Host::truth(now_us)).abs() <= TOLERANCE);
                last = last.max(x);
            }
            assert!(last > 58 * 60 * 1_000_000);
        }
    }

    #[test]
    fn a_late_simulation_is_waited_for_and_never_run_past() {
        let mut world = PresentWorld::new(60);
        assert_eq!(world.picture(0), None);
        world.submit(Frame::new(1), 16_666, Some(X(0)), X(100));
        assert_eq!(world.picture(10_000), Some(X(0)), "early");
        assert_eq!(world.picture(16_666 + 8_334), Some(X(50)));
        assert_eq!(world.picture(u64::MAX), Some(X(100)), "late");
        // Frame 2 comes 10 ms late: it is drawn as far along as it should be.
        world.submit(Frame::new(2), 33_333, Some(X(100)), X(200));
        assert_eq!(world.picture(43_333), Some(X(159)));
    }

    #[test]
    fn the_same_frame_again_is_corrected_on_its_way() {
        let mut world = PresentWorld::new(60);
        world.submit(Frame::new(6), 100_000, Some(X(10)), X(20));
        world.submit(Frame::new(6), 116_667, Some(X(110)), X(120));
        assert_eq!(world.picture(100_000 + 8_334), Some(X(115)), "the time of the first submission");
        // Without a frame before it nothing is on a way.
        world.submit(Frame::new(70), 200_000, None, X(7));
        assert_eq!((world.picture(200_000), world.blend(200_000)), (Some(X(7)), Blend::NEWEST));
    }

    #[test]
    fn blending_is_total_at_the_ends() {
        for blend in [Blend::PREVIOUS, Blend::from_bits(1), Blend::NEWEST, Blend::from_bits(u32::MAX)] {
            let value = blend.between(i64::MIN, i64::MAX);
            assert!(blend != Blend::NEWEST || value == i64::MAX);
            assert!(blend != Blend::PREVIOUS || value == i64::MIN);
        }
        let mut world = PresentWorld::new(u32::MAX);
        world.submit(Frame::ZERO, 0, Some(X(i64::MIN)), X(i64::MAX));
        assert_eq!((world.blend(0), world.blend(u64::MAX)), (Blend::PREVIOUS, Blend::NEWEST));
    }

    #[test]
    fn the_overlay_is_shown_and_hidden_with_its_key_and_text() {
        let mut world: PresentWorld<X> = PresentWorld::new(60);
        assert_eq!(world.overlay(), None);
        world.show_overlay(RECOVERING_CONNECTION);
        assert_eq!(world.overlay(), Some(Overlay { key: "Netcode.RecoveringConnection", text: "Recovering Connection…" }));
        world.clear_overlay();
        assert_eq!(world.overlay(), None);
    }
}
