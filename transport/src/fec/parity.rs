//! [`ParityGroup`]: the XOR of a group of packets, made while they are sent.

use crate::packet::{ParityView, Reject};

/// Fewest packets in a group.
pub const MIN_GROUP_PACKETS: u8 = 2;

/// Most packets in a group.
pub const MAX_GROUP_PACKETS: u8 = 16;

/// Longest packet that a parity covers, in bytes: what is left of a datagram under the encryption.
pub const MAX_COVERED_BYTES: usize = 1178;

/// No XOR of lengths up to [`MAX_COVERED_BYTES`] has a higher bit.
const LENGTH_BITS: u16 = (MAX_COVERED_BYTES.next_power_of_two() - 1) as u16;

/// The parity of a group whose numbers have been checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parity<'a> {
    pub(super) base: u64,
    pub(super) packet_count: u8,
    pub(super) length_xor: u16,
    pub(super) bytes: &'a [u8],
}

impl<'a> Parity<'a> {
    /// Checks everything that can be known without the packets of the group. `base` is the sequence
    /// that the base of the view [expands](crate::ack::AckWindow::expand) to.
    ///
    /// # Errors
    /// [`Reject::BadField`] for a group of none, of one or of more than [`MAX_GROUP_PACKETS`], for
    /// lengths that no packets have, and for a base whose group would pass the last sequence;
    /// [`Reject::TooShort`] without a byte; [`Reject::TooLong`] with more than
    /// [`MAX_COVERED_BYTES`].
    pub fn check(view: &ParityView<'a>, base: u64) -> Result<Self, Reject> {
        let ParityView { packet_count, length_xor, bytes, .. } = *view;
        let group_fits = (MIN_GROUP_PACKETS..=MAX_GROUP_PACKETS).contains(&packet_count);
        if !group_fits || length_xor > LENGTH_BITS || base.checked_add(packet_count.into()).is_none() || base as u16 != view.base {
            return Err(Reject::BadField);
        }
        if bytes.is_empty() {
            return Err(Reject::TooShort);
        }
        if bytes.len() > MAX_COVERED_BYTES {
            return Err(Reject::TooLong);
        }
        Ok(Self { base, packet_count, length_xor, bytes })
    }

    /// The sequence of the first packet of the group.
    #[must_use]
    pub const fn base(&self) -> u64 {
        self.base
    }

    /// How many packets the group has: [`MIN_GROUP_PACKETS`] to [`MAX_GROUP_PACKETS`].
    #[must_use]
    pub const fn packet_count(&self) -> u8 {
        self.packet_count
    }

    pub(super) fn sequences(&self) -> impl Iterator<Item = u64> + use<> {
        self.base..self.base.saturating_add(self.packet_count.into())
    }

    /// As it goes on the wire.
    #[must_use]
    pub const fn view(&self) -> ParityView<'a> {
        ParityView { base: self.base as u16, packet_count: self.packet_count, length_xor: self.length_xor, bytes: self.bytes }
    }
}

/// The sender's side. It is told every data packet, in the order in which they are sent, and gives a
/// parity after each full group. It allocates when it is made and never again.
///
/// ```
/// use snapback_transport::fec::{ParityGroup, recover};
/// let mut group = ParityGroup::new(3);
/// assert_eq!(group.push(70, b"left"), None);
/// assert_eq!(group.push(71, b"up"), None);
/// let parity = group.push(72, b"right").unwrap();
/// assert_eq!((parity.base(), parity.packet_count()), (70, 3));
///
/// let mut lost = [0; 16];
/// let len = recover(&parity, [&b"right"[..], b"left"], &mut lost)?;
/// assert_eq!(&lost[..len], b"up");
/// # Ok::<(), snapback_transport::Reject>(())
/// ```
#[derive(Clone, Debug)]
pub struct ParityGroup {
    group_packets: u8,
    base: u64,
    packet_count: u8,
    length_xor: u16,
    longest_bytes: usize,
    /// Zero from `longest_bytes` on.
    bytes: Box<[u8]>,
}

impl ParityGroup {
    /// Groups of this many packets; of the nearest number that may be, if it may not.
    #[must_use]
    pub fn new(group_packets: u8) -> Self {
        Self {
            group_packets: group_packets.clamp(MIN_GROUP_PACKETS, MAX_GROUP_PACKETS),
            base: 0,
            packet_count: 0,
            length_xor: 0,
            longest_bytes: 0,
            bytes: vec![0; MAX_COVERED_BYTES].into(),
        }
    }

    /// Takes in a packet that is being sent, without its checksum, and gives the parity of the group
    /// that it fills. Only packets that follow each other make a group: after a gap a new one begins.
    /// So it does after a packet that is empty or longer than [`MAX_COVERED_BYTES`], which no
    /// parity covers.
    pub fn push(&mut self, sequence: u64, bytes: &[u8]) -> Option<Parity<'_>> {
        let next = self.base.checked_add(self.packet_count.into());
        if self.packet_count == self.group_packets || next != Some(sequence) {
            self.restart();
        }
        if bytes.is_empty() || bytes.len() > MAX_COVERED_BYTES {
            self.restart();
            return None;
        }
        if self.packet_count == 0 {
            self.base = sequence;
        }
        for (sum, byte) in self.bytes.iter_mut().zip(bytes) {
            *sum ^= byte;
        }
        self.length_xor ^= bytes.len() as u16;
        self.longest_bytes = self.longest_bytes.max(bytes.len());
        self.packet_count += 1;
        self.full()
    }

    /// The parity of the group that the last packet filled, until the next packet. For a sender that
    /// writes it later than the packet.
    #[must_use]
    pub fn full(&self) -> Option<Parity<'_>> {
        if self.packet_count < self.group_packets {
            return None;
        }
        let bytes = self.bytes.get(..self.longest_bytes)?;
        Some(Parity { base: self.base, packet_count: self.packet_count, length_xor: self.length_xor, bytes })
    }

    /// Forgets the group that is not full: the next packet begins a new one. For a sender that
    /// stopped telling packets for a while.
    pub fn restart(&mut self) {
        if let Some(used) = self.bytes.get_mut(..self.longest_bytes) {
            used.fill(0);
        }
        self.packet_count = 0;
        self.length_xor = 0;
        self.longest_bytes = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_a_restart_and_an_endless_packet_begin_a_new_group() {
        let mut group = ParityGroup::new(2);
        assert_eq!(group.push(5, b"a"), None);
        assert_eq!(group.push(7, b"bb"), None);
        assert_eq!(group.push(8, b"c").map(|parity| (parity.base, parity.length_xor, parity.bytes.to_vec())), Some((7, 3, vec![1, b'b'])));
        assert_eq!(group.push(9, b"d"), None);
        group.restart();
        assert_eq!(group.push(10, b"e"), None);
        assert_eq!(group.push(11, &[1; MAX_COVERED_BYTES + 1]), None);
        assert_eq!(group.push(12, b"f"), None);
        assert_eq!(group.push(13, b""), None);
        assert_eq!(group.push(14, b"g"), None);
        assert_eq!(group.push(14, b"g"), None, "the same sequence again is no successor");
        assert_eq!(group.push(15, b"h").map(|parity| parity.base), Some(14));
        assert_eq!(group.push(u64::MAX, b"i"), None);
        assert_eq!(group.push(0, b"j"), None, "a sequence does not wrap");
    }

    #[test]
    fn numbers_that_cannot_be_are_refused_with_their_reason() {
        let good = ParityView { base: 9, packet_count: 4, length_xor: 2_047, bytes: &[1] };
        let base = (7 << 16) + 9;
        assert_eq!(Parity::check(&good, base).map(|parity| parity.view()), Ok(good));
        for packet_count in [0, 1, 17, 255] {
            assert_eq!(Parity::check(&ParityView { packet_count, ..good }, base), Err(Reject::BadField), "{packet_count}");
        }
        assert_eq!(Parity::check(&ParityView { length_xor: 2_048, ..good }, base), Err(Reject::BadField));
        assert_eq!(Parity::check(&good, base + 1), Err(Reject::BadField));
        assert_eq!(Parity::check(&ParityView { base: 0xFFFD, ..good }, u64::MAX - 2), Err(Reject::BadField));
        assert_eq!(Parity::check(&ParityView { bytes: &[], ..good }, base), Err(Reject::TooShort));
        assert_eq!(Parity::check(&ParityView { bytes: &[0; MAX_COVERED_BYTES + 1], ..good }, base), Err(Reject::TooLong));
    }

    #[test]
    fn a_group_size_that_may_not_be_is_the_nearest_that_may() {
        for (asked, packets) in [(0, 2), (1, 2), (2, 2), (16, 16), (17, 16), (255, 16)] {
            let mut group = ParityGroup::new(asked);
            let full = (1..=20).find(|sequence| group.push(*sequence, b"x").is_some());
            assert_eq!(full, Some(packets));
            assert_eq!(group.full().map(|parity| parity.base), Some(1));
            assert_eq!(group.push(packets + 1, b"x"), None);
            assert_eq!(group.full(), None);
        }
    }
}
