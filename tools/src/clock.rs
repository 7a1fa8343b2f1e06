//! [`Clock`]: the one place that knows what time it is.

use std::time::Duration;

/// Microseconds since the clock was made, and the waiting that goes with them.
pub(crate) struct Clock {
    #[expect(clippy::disallowed_types, reason = "a command owns the clock that libraries are given")]
    origin: std::time::Instant,
}

impl Clock {
    pub(crate) fn start() -> Self {
        #[expect(clippy::disallowed_types, reason = "a command owns the clock that libraries are given")]
        let origin = std::time::Instant::now();
        Self { origin }
    }

    pub(crate) fn now_us(&self) -> u64 {
        u64::try_from(self.origin.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    /// Waits for `us`, or a little longer.
    pub(crate) fn wait_us(us: u64) {
        #[expect(clippy::disallowed_methods, reason = "a command may wait")]
        std::thread::sleep(Duration::from_micros(us));
    }
}
