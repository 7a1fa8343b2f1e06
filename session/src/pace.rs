//! [`Pacer`]: when each tick is due in real time.

/// Ticks that may follow each other without a pause, to catch up.
///
/// A program that is late by a hiccup (a page fault, another window) must make up for it, or it falls
/// behind the others for good and they wait for it. Four ticks are more than any usual hiccup, still less
/// than the prediction window, so that nobody stood still meanwhile, and few enough that the jump is hardly
/// seen. More than that is not caught up: the player would see the game in fast motion, and would have pressed
/// nothing in frames that nobody showed. That time is skipped, and [time sync](crate::time_sync) lets the
/// others wait.
const MOST_LATE_TICKS: u64 = 4;

/// Says when each tick is due. Sans-IO: the host program owns the clock.
///
/// Every tick is due a period after the one before it was *due*, whenever it really came, so that no error
/// adds up: 60 periods are a second to the microsecond. The period is longer by the stretch that is given.
///
/// ```
/// use snapback::Pacer;
/// let mut pacer = Pacer::new(1_000, 60);
/// assert!(!pacer.take(999, 0));
/// assert!(pacer.take(1_000, 0));
/// // Nothing to do until the next one: sleep until then, or draw.
/// assert_eq!(pacer.due_us(), 17_666);
/// // Ahead of the others: 1.5 % longer.
/// assert!(pacer.take(17_700, 15_000));
/// assert_eq!(pacer.due_us(), 34_583);
/// ```
///
/// The loop of a host program, which ticks a [`Peer`](crate::Peer) that is already playing:
///
/// ```no_run
/// # use snapback::{InputPredictor, LocalInput, Pacer, Peer, PlayerHandle, Simulation};
/// # fn now_us() -> u64 { 0 }
/// # fn sleep_until_us(_: u64) {}
/// # fn read_pad() -> u8 { 0 }
/// # fn receive_and_send<S: Simulation>(_: &mut Peer<S>, _: u64) {}
/// fn play<S: Simulation<Input = u8>>(peer: &mut Peer<S>, start_us: u64) -> Result<(), snapback::SessionError> {
///     let mut pacer = Pacer::new(start_us, 60);
///     while peer.outcome().is_none() {
///         receive_and_send(peer, now_us());
///         while pacer.take(now_us(), peer.time_sync().stretch_ppm) {
///             peer.tick(now_us(), &[LocalInput::new(PlayerHandle::new(0), read_pad())])?;
///             receive_and_send(peer, now_us());
///         }
///         sleep_until_us(pacer.due_us().min(peer.poll_timeout().unwrap_or(u64::MAX)));
///     }
///     Ok(())
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pacer {
    due_us: u64,
    /// What is due beyond that, in parts of a microsecond of which there are `hz`.
    rest: u64,
    hz: u64,
}

impl Pacer {
    /// The first tick is due at `start_us`, the others at `hz` a second; 0 counts as 1.
    #[must_use]
    pub fn new(start_us: u64, hz: u32) -> Self {
        Self { due_us: start_us, rest: 0, hz: u64::from(hz.max(1)) }
    }

    /// When the next tick is due.
    #[must_use]
    pub fn due_us(&self) -> u64 {
        self.due_us
    }

    /// Whether a tick is due; it then counts as done, and the next one is due a period later, which is
    /// `stretch_ppm` millionths longer than the nominal one.
    ///
    /// Who is late catches up by at most four ticks at once; what is lost beyond that is skipped.
    pub fn take(&mut self, now_us: u64, stretch_ppm: u32) -> bool {
        let Some(late_us) = now_us.checked_sub(self.due_us) else { return false };
        if late_us > MOST_LATE_TICKS * 1_000_000 / self.hz {
            (self.due_us, self.rest) = (now_us, 0);
        }
        let parts = self.rest + 1_000_000 + u64::from(stretch_ppm);
        self.due_us = self.due_us.saturating_add(parts / self.hz);
        self.rest = parts % self.hz;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapback_core::Rng;

    #[test]
    fn sixty_ticks_take_a_second_to_the_microsecond() {
        for hz in [1, 7, 30, 59, 60, 144, 240] {
            let mut pacer = Pacer::new(500, hz);
            for tick in 0..10 * u64::from(hz) {
                assert_eq!(pacer.due_us(), 500 + tick * 1_000_000 / u64::from(hz));
                assert!(!pacer.take(pacer.due_us() - 1, 0));
                assert!(pacer.take(pacer.due_us(), 0));
            }
            assert_eq!(pacer.due_us(), 10_000_500);
        }
    }

    /// A host that oversleeps by up to three ticks each time, for ten hours.
    #[test]
    fn what_is_late_does_not_add_up() {
        let (mut pacer, mut rng) = (Pacer::new(0, 60), Rng::new(1, 0));
        let (mut now_us, mut ticks) = (0, 0u64);
        while ticks < 60 * 36_000 {
            now_us = now_us.max(pacer.due_us()) + u64::from(rng.below(50_000));
            while pacer.take(now_us, 0) {
                ticks += 1;
            }
        }
        assert_eq!(pacer.due_us(), ticks * 1_000_000 / 60);
    }

    /// The reference is one division of whole numbers: so many periods, and so much more for each stretch.
    #[test]
    fn a_stretch_is_exact_however_it_changes() {
        let (mut pacer, mut rng) = (Pacer::new(0, 60), Rng::new(2, 0));
        let mut parts = 0u128;
        for _ in 0..100_000 {
            let stretch_ppm = rng.below(60_001);
            assert!(pacer.take(pacer.due_us(), stretch_ppm));
            parts += 1_000_000 + u128::from(stretch_ppm);
            assert_eq!(u128::from(pacer.due_us()), parts / 60);
        }
    }

    #[test]
    fn a_long_pause_is_skipped_and_a_short_one_caught_up() {
        let ticks_at = |pacer: &mut Pacer, now_us| core::iter::from_fn(|| pacer.take(now_us, 0).then_some(())).count();
        let mut pacer = Pacer::new(0, 60);
        assert_eq!(ticks_at(&mut pacer, 0), 1);
        // Suspended for five seconds: one tick, and on from there.
        assert_eq!(ticks_at(&mut pacer, 5_000_000), 1);
        assert_eq!(pacer.due_us(), 5_016_666);
        // Late by three ticks and a bit: those, and the one that is due.
        assert_eq!(ticks_at(&mut pacer, 5_016_666 + 60_000), 4);
        assert!(pacer.due_us() > 5_016_666 + 60_000);
        // However late, never more than five at once.
        for late_us in (0..200_000).step_by(1_000) {
            let mut pacer = Pacer::new(1_000_000, 60);
            let ticks = ticks_at(&mut pacer, 1_000_000 + late_us);
            assert_eq!(ticks as u64, if late_us > 66_666 { 1 } else { 1 + late_us * 60 / 1_000_000 }, "{late_us}");
        }
    }

    #[test]
    fn extremes_neither_panic_nor_stand_still() {
        let mut pacer = Pacer::new(u64::MAX - 5, 0);
        assert!(!pacer.take(0, u32::MAX));
        assert!(pacer.take(u64::MAX, u32::MAX));
        assert_eq!(pacer.due_us(), u64::MAX);
        let mut pacer = Pacer::new(0, u32::MAX);
        assert!(pacer.take(0, u32::MAX));
        assert!(pacer.take(u64::MAX, 0));
    }
}
