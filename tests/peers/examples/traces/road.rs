//! [`Road`]: both directions of a path that plays a recording.

use snapback::transport::link::{Direction, LinkConditioner, LinkSettings, LinkTrace};
use std::cell::RefCell;
use std::rc::Rc;

/// Both directions of a path. Clones are the same path.
///
/// A fate is a function of direction and time: nothing is drawn for a datagram, so two roads with the same
/// arguments treat two libraries alike although they send differently.
#[derive(Clone)]
pub(crate) struct Road(Rc<RefCell<[LinkConditioner; 2]>>);

impl Road {
    pub(crate) fn new(trace: &LinkTrace, seed: u64, base_rtt_us: u64) -> Self {
        let settings = LinkSettings { delay_us: base_rtt_us / 2, ..LinkSettings::default() };
        let mut stream = 0;
        let ends = [Direction::Forward, Direction::Reverse].map(|direction| {
            stream += 1;
            LinkConditioner::new(settings, seed, stream).with_trace(trace.clone(), direction)
        });
        Self(Rc::new(RefCell::new(ends)))
    }

    /// Sends a datagram of the peer of `seat`.
    pub(crate) fn send(&self, seat: usize, at_us: u64, datagram: &[u8]) {
        self.0.borrow_mut()[seat].send(at_us, datagram);
    }

    /// Shows every datagram that has arrived at the peer of `seat`.
    pub(crate) fn receive(&self, seat: usize, at_us: u64, mut visit: impl FnMut(&[u8])) {
        let mut ends = self.0.borrow_mut();
        while let Some(datagram) = ends[1 - seat].receive(at_us) {
            visit(datagram);
        }
    }
}
