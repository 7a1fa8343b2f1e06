//! [`Transport`]: the one thing that a host with a network of its own implements.

use std::net::SocketAddr;

/// What became of a datagram that was sent without an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SendOutcome {
    /// The system took it.
    Sent,
    /// The system had no room; it is gone, as if lost on the way.
    Dropped,
    /// There is no route just now; it is gone, as if lost on the way.
    Unreachable,
}

/// Something that carries datagrams: UDP ([`UdpEndpoint`](crate::udp::UdpEndpoint)), or the network
/// of a platform such as Steam, EOS or a console. Everything above it (encryption, handshake, match)
/// is the same.
///
/// It may lose, repeat and reorder datagrams; it delivers each whole or not at all. It never blocks.
/// Where peers have no IP address, make one up for each, such as `fd00::` with the platform's id in
/// its last 8 bytes: the layers above compare addresses and do nothing else with them. What carries
/// the datagrams need not be trusted, unless the match is played without encryption.
pub trait Transport {
    /// Why a datagram could not be sent, where sending again would not mend it.
    type Error;

    /// Starts a poll. A transport that bounds how many datagrams one poll takes begins to count anew.
    fn begin_poll(&mut self) {}

    /// The next waiting datagram: its sender, and its length in `buffer`. `None` when nothing waits or
    /// this poll has taken its share.
    fn receive(&mut self, buffer: &mut [u8]) -> Option<(SocketAddr, usize)>;

    /// Sends a datagram, now or not at all.
    ///
    /// # Errors
    /// What sending again would not mend.
    fn send(&mut self, to: SocketAddr, datagram: &[u8]) -> Result<SendOutcome, Self::Error>;
}
