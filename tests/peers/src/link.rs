//! [`Link`]: two delay lines, a virtual clock, and a count of what goes over them.

use crate::delay_line::DelayLine;
use crate::wire::WireCount;
use snapback::Rng;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

struct Shared {
    clock_us: Cell<u64>,
    /// By sender.
    lines: [RefCell<DelayLine>; 2],
    sent: [Cell<WireCount>; 2],
}

/// Both directions of a link between two peers, on a clock that whoever owns the match sets.
#[derive(Clone)]
pub struct Link(Rc<Shared>);

impl Link {
    /// A link on which every datagram takes `one_way_us`.
    #[must_use]
    pub fn new(one_way_us: u64) -> Self {
        let line = || RefCell::new(DelayLine::new(one_way_us));
        Self(Rc::new(Shared { clock_us: Cell::new(0), lines: [line(), line()], sent: Default::default() }))
    }

    /// From now on loses this many of a million datagrams in each direction.
    pub fn lose(&self, seed: u64, per_million: u32) {
        for (line, stream) in self.0.lines.iter().zip(0..) {
            line.borrow_mut().lose(Rng::new(seed, stream), per_million);
        }
    }

    /// Sets the clock.
    pub fn set_clock_us(&self, now_us: u64) {
        self.0.clock_us.set(now_us);
    }

    /// The end at which the peer of `seat` sits, 0 or 1.
    #[must_use]
    pub fn end(&self, seat: usize) -> LinkEnd {
        LinkEnd { link: self.clone(), seat }
    }

    /// What each peer has sent so far, lost or not.
    #[must_use]
    pub fn sent(&self) -> [WireCount; 2] {
        [self.0.sent[0].get(), self.0.sent[1].get()]
    }

    /// Counts from zero again.
    pub fn reset_counts(&self) {
        for sent in &self.0.sent {
            sent.set(WireCount::default());
        }
    }
}

/// What a peer has instead of a socket.
pub struct LinkEnd {
    link: Link,
    seat: usize,
}

impl LinkEnd {
    /// Sends what `write` writes; nothing if it returns 0. Returns what it returned.
    pub fn send(&self, write: impl FnOnce(&mut [u8]) -> usize) -> usize {
        let shared = &self.link.0;
        let len = shared.lines[self.seat].borrow_mut().send(shared.clock_us.get(), write);
        if len > 0 {
            let mut sent = shared.sent[self.seat].get();
            sent.count(len);
            shared.sent[self.seat].set(sent);
        }
        len
    }

    /// Shows every datagram that has arrived.
    pub fn receive(&self, mut visit: impl FnMut(&[u8])) {
        let shared = &self.link.0;
        let mut line = shared.lines[1 - self.seat].borrow_mut();
        while let Some(datagram) = line.receive(shared.clock_us.get()) {
            visit(datagram);
        }
    }
}
