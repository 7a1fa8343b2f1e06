//! [`Beat`]: whether our own program ticks when it should.

/// Ticks without a tick from which a program was late.
const LATE_TICKS: u64 = 3;

/// Ticks that a program may be ahead of its clock; a [`Pacer`](crate::Pacer) makes up for less at once.
const HURRY_TICKS: u64 = 3;

/// Of the time that a program is ahead of its clock, how much is forgotten each tick: a clock that is a
/// little fast is no fault.
const FORGET_SHIFT: u32 = 6;

/// Whether our own program ticks when it should: it was *late* if no tick came for more than three ticks,
/// and *hurries* if it has ticked three times more often than its clock says, as one does that makes up for
/// what it missed. Either can freeze a tick of which nobody else is to blame.
///
/// ```
/// use snapback::telemetry::Beat;
/// let (mut beat, tick_us) = (Beat::default(), 16_667);
/// for tick in 0..60 {
///     beat.tick(tick * tick_us, tick_us);
/// }
/// assert!(!beat.was_late(60 * tick_us, 100_000) && !beat.hurries(tick_us));
/// // Nothing for half a second. What it makes others wait for lasts a round trip.
/// beat.tick(90 * tick_us, tick_us);
/// assert!(beat.was_late(92 * tick_us, 100_000) && !beat.was_late(99 * tick_us, 100_000));
/// // It makes up for it in a burst.
/// (0..5).for_each(|_| beat.tick(99 * tick_us, tick_us));
/// assert!(beat.hurries(tick_us));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Beat {
    ticked_us: Option<u64>,
    late_us: Option<u64>,
    /// How far the ticks are ahead of the clock.
    ahead_us: u64,
}

impl Beat {
    /// A tick comes, of which each should take `tick_us`.
    pub fn tick(&mut self, now_us: u64, tick_us: u64) {
        let passed_us = self.ticked_us.replace(now_us).map_or(tick_us, |before| now_us.saturating_sub(before));
        if passed_us > LATE_TICKS * tick_us {
            self.late_us = Some(now_us);
        }
        self.ahead_us -= self.ahead_us >> FORGET_SHIFT;
        self.ahead_us = self.ahead_us.saturating_sub(passed_us).saturating_add(tick_us);
    }

    /// Whether a late tick came within the last `aftermath_us`.
    #[must_use]
    pub fn was_late(&self, now_us: u64, aftermath_us: u64) -> bool {
        self.late_us.is_some_and(|late_us| now_us.saturating_sub(late_us) <= aftermath_us)
    }

    /// Whether the program ticks more often than its clock says.
    #[must_use]
    pub fn hurries(&self, tick_us: u64) -> bool {
        self.ahead_us > (HURRY_TICKS + 1) * tick_us - tick_us / 2
    }
}
