//! One turn of a host program's loop over a [`Transport`].

use super::{Peer, TRANSMIT_BUFFER_BYTES};
use crate::rollback::InputPredictor;
use snapback_core::Simulation;
use snapback_transport::Transport;

impl<S: Simulation, P: InputPredictor<S::Input>> Peer<S, P> {
    /// Takes everything that has arrived: call it before each [`tick`](Self::tick), and whenever
    /// something may have come.
    pub fn receive_from<T: Transport>(&mut self, now_us: u64, transport: &mut T) {
        let mut buffer = [0; TRANSMIT_BUFFER_BYTES];
        transport.begin_poll();
        while let Some((from, len)) = transport.receive(&mut buffer) {
            self.handle(now_us, from, buffer.get(..len).unwrap_or_default());
        }
    }

    /// Sends everything that is due: call it after each [`tick`](Self::tick), after
    /// [`receive_from`](Self::receive_from), and at [`poll_timeout`](Self::poll_timeout).
    ///
    /// # Errors
    /// The first that the transport tells; everything else was sent nevertheless.
    pub fn send_to<T: Transport>(&mut self, now_us: u64, transport: &mut T) -> Result<(), T::Error> {
        let mut buffer = [0; TRANSMIT_BUFFER_BYTES];
        let mut first = Ok(());
        while let Some(transmit) = self.poll_transmit(now_us, &mut buffer) {
            let sent = transport.send(transmit.to, buffer.get(..transmit.len).unwrap_or_default());
            if let (Ok(()), Err(error)) = (&first, sent) {
                first = Err(error);
            }
        }
        first
    }
}
