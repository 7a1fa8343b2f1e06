//! [`ParityRecovery`]: the receiver's side, which makes the one packet again that a group misses.

use super::memory::{Kept, PacketMemory};
use super::parity::Parity;
use crate::packet::Reject;

/// How many parities may wait for packets of their groups.
pub const WAITING_PARITIES: usize = 8;

/// Makes the packet again that is missing from `others`, which are all other packets of the group,
/// in any order. Writes it to `out`, which must be as long as the longest packet of the group, and
/// returns its length.
///
/// # Errors
/// [`Reject::BadParity`] if `others` are too few or too many, or if the parity cannot be the XOR of
/// them and of one more packet; [`Reject::TooLong`] if `out` is too short.
pub fn recover<'a>(parity: &Parity<'_>, others: impl IntoIterator<Item = &'a [u8]>, out: &mut [u8]) -> Result<usize, Reject> {
    let longest_bytes = parity.bytes.len();
    let out = out.get_mut(..longest_bytes).ok_or(Reject::TooLong)?;
    out.copy_from_slice(parity.bytes);
    let (mut length, mut missing, mut reached) = (parity.length_xor, parity.packet_count, false);
    for other in others {
        if other.is_empty() || other.len() > longest_bytes || missing == 1 {
            return Err(Reject::BadParity);
        }
        for (sum, byte) in out.iter_mut().zip(other) {
            *sum ^= byte;
        }
        length ^= other.len() as u16;
        missing -= 1;
        reached |= other.len() == longest_bytes;
    }
    let len = usize::from(length);
    let fill = out.get(len..).ok_or(Reject::BadParity)?;
    // The longest packet has the parity's length: if no other one has, it is this one.
    let is_longest_there = reached || len == longest_bytes;
    if missing != 1 || len == 0 || !is_longest_there || fill.iter().any(|byte| *byte != 0) {
        return Err(Reject::BadParity);
    }
    Ok(len)
}

/// A packet that was lost, as it was sent but for the checksum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recovered<'a> {
    /// Its sequence. That in its own header must be the same, or the parity lied.
    pub sequence: u64,
    /// Its bytes.
    pub bytes: &'a [u8],
}

/// A parity whose group misses more than it can give back, as yet.
#[derive(Clone, Debug)]
struct Waiting {
    /// Zero if the place is free.
    packet_count: u8,
    base: u64,
    length_xor: u16,
    bytes: Kept,
    /// How many parities came before it.
    number: u64,
}

impl Waiting {
    const FREE: Self = Self { packet_count: 0, base: 0, length_xor: 0, bytes: Kept::EMPTY, number: 0 };

    fn parity(&self) -> Option<Parity<'_>> {
        let Self { packet_count, base, length_xor, ref bytes, .. } = *self;
        (packet_count > 0).then_some(Parity { base, packet_count, length_xor, bytes: bytes.get() })
    }
}

/// The receiver's side. It remembers the newest [`MEMORY_PACKETS`](super::MEMORY_PACKETS) packets and the newest
/// [`WAITING_PARITIES`] parities that wait, in memory of a fixed size (48 KB), which it allocates
/// when it is made.
///
/// Call order: [`received`](Self::received) for every data packet that was checked and taken,
/// [`parity`](Self::parity) for every parity; after either,
/// [`next_recovered`](Self::next_recovered) until it returns `None`.
///
/// A packet is given back once. If it arrives after all, it comes like any late packet.
///
/// ```
/// use snapback_transport::fec::{ParityGroup, ParityRecovery};
/// let (mut group, mut recovery) = (ParityGroup::new(2), ParityRecovery::new());
/// group.push(70, b"lost");
/// let parity = group.push(71, b"late").unwrap();
/// recovery.parity(&parity)?;
/// assert!(recovery.next_recovered().is_none());
/// recovery.received(71, b"late");
/// let recovered = recovery.next_recovered().unwrap()?;
/// assert_eq!((recovered.sequence, recovered.bytes), (70, &b"lost"[..]));
/// # Ok::<(), snapback_transport::Reject>(())
/// ```
#[derive(Clone, Debug)]
pub struct ParityRecovery {
    memory: PacketMemory,
    waiting: Box<[Waiting]>,
    /// Whether any place may be taken. On a link that loses nothing none is, and to look at each of them
    /// after every packet costs more than the packet.
    any_waiting: bool,
    parity_count: u64,
    made: Box<Kept>,
}

impl Default for ParityRecovery {
    fn default() -> Self {
        Self::new()
    }
}

impl ParityRecovery {
    /// Remembers nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            memory: PacketMemory::new(),
            waiting: vec![Waiting::FREE; WAITING_PARITIES].into(),
            any_waiting: false,
            parity_count: 0,
            made: Box::new(Kept::EMPTY),
        }
    }

    /// Remembers a data packet, without its checksum. One that is too old, empty or longer than
    /// [`MAX_COVERED_BYTES`](super::MAX_COVERED_BYTES) is not needed: no parity that is taken covers
    /// it.
    pub fn received(&mut self, sequence: u64, bytes: &[u8]) {
        self.memory.keep(sequence, bytes);
    }

    /// Takes a parity, which may come before packets of its group. If too many wait, it takes the
    /// place of the one that came first.
    ///
    /// # Errors
    /// [`Reject::Stale`] if its group begins before what is remembered; [`Reject::SequenceJump`] if
    /// it begins more than [`MAX_SEQUENCE_JUMP`](crate::ack::MAX_SEQUENCE_JUMP) after the newest
    /// packet; [`Reject::Duplicate`] if one with this base waits already. Then nothing changes.
    pub fn parity(&mut self, parity: &Parity<'_>) -> Result<(), Reject> {
        if self.memory.is_forgotten(parity.base) {
            return Err(Reject::Stale);
        }
        if self.memory.is_out_of_reach(parity.base) {
            return Err(Reject::SequenceJump);
        }
        if self.waiting.iter().filter_map(Waiting::parity).any(|waiting| waiting.base == parity.base) {
            return Err(Reject::Duplicate);
        }
        if let Some(place) = self.waiting.iter_mut().min_by_key(|waiting| (waiting.packet_count > 0, waiting.number)) {
            place.packet_count = parity.packet_count;
            place.base = parity.base;
            place.length_xor = parity.length_xor;
            place.bytes.keep(parity.bytes);
            self.any_waiting = true;
            place.number = self.parity_count;
            self.parity_count = self.parity_count.saturating_add(1);
        }
        Ok(())
    }

    /// The next packet that can be made again, if there is one. The parity that gave it is spent.
    ///
    /// # Errors
    /// [`Reject::BadParity`] for a parity that its group contradicts. It is spent too, and nothing
    /// else has changed.
    #[inline]
    pub fn next_recovered(&mut self) -> Option<Result<Recovered<'_>, Reject>> {
        if !self.any_waiting {
            return None;
        }
        for waiting in &mut self.waiting {
            let Some(parity) = waiting.parity() else { continue };
            let mut missing = parity.sequences().filter(|sequence| self.memory.get(*sequence).is_none());
            let sequence = match (missing.next(), missing.next()) {
                // What is forgotten may have arrived: the group has had its time.
                _ if self.memory.is_forgotten(parity.base) => None,
                (Some(_), Some(_)) => continue,
                (only, _) => only,
            };
            let Some(sequence) = sequence else {
                waiting.packet_count = 0;
                continue;
            };
            let others = parity.sequences().filter_map(|other| self.memory.get(other));
            let len = recover(&parity, others, &mut self.made.bytes);
            waiting.packet_count = 0;
            return Some(len.map(|len| {
                self.made.len = len;
                // Remembered like one that arrived, so that it is not made a second time.
                self.memory.keep(sequence, self.made.get());
                Recovered { sequence, bytes: self.made.get() }
            }));
        }
        self.any_waiting = self.waiting.iter().any(|waiting| waiting.packet_count > 0);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ack::MAX_SEQUENCE_JUMP;
    use crate::fec::{MAX_COVERED_BYTES, MEMORY_PACKETS, ParityGroup};
    use crate::packet::ParityView;

    fn parity_of<'a>(group: &'a mut ParityGroup, base: u64, packets: &[&[u8]]) -> Parity<'a> {
        let (last, others) = packets.split_last().unwrap();
        for (index, packet) in others.iter().enumerate() {
            assert_eq!(group.push(base + index as u64, packet), None);
        }
        group.push(base + others.len() as u64, last).unwrap()
    }

    fn all(recovery: &mut ParityRecovery) -> Vec<Result<(u64, Vec<u8>), Reject>> {
        core::iter::from_fn(|| recovery.next_recovered().map(|made| made.map(|made| (made.sequence, made.bytes.to_vec())))).collect()
    }

    #[test]
    fn a_packet_is_given_back_once_however_often_its_parity_comes() {
        let mut group = ParityGroup::new(3);
        let parity = parity_of(&mut group, 10, &[b"one", b"three", b"two"]);
        let mut recovery = ParityRecovery::new();
        recovery.received(10, b"one");
        assert_eq!(recovery.parity(&parity), Ok(()));
        assert_eq!(recovery.parity(&parity), Err(Reject::Duplicate));
        assert_eq!(all(&mut recovery), []);
        recovery.received(12, b"two");
        assert_eq!(all(&mut recovery), [Ok((11, b"three".to_vec()))]);
        assert_eq!(recovery.parity(&parity), Ok(()));
        assert_eq!(all(&mut recovery), []);
        recovery.received(11, b"three");
        assert_eq!(all(&mut recovery), []);
    }

    #[test]
    fn groups_that_are_out_of_reach_are_refused_and_forgotten() {
        let mut group = ParityGroup::new(2);
        let parity = parity_of(&mut group, 5_100, &[b"a", b"b"]);
        let mut recovery = ParityRecovery::new();
        recovery.received(5_100 - MAX_SEQUENCE_JUMP - 1, b"x");
        assert_eq!(recovery.parity(&parity), Err(Reject::SequenceJump));
        recovery.received(5_100 - MAX_SEQUENCE_JUMP, b"x");
        assert_eq!(recovery.parity(&parity), Ok(()));
        recovery.received(5_100, b"a");
        assert_eq!(all(&mut recovery), [Ok((5_101, b"b".to_vec()))]);

        // Packet 5,100 is forgotten: nobody can tell any more whether it arrived.
        let mut recovery = ParityRecovery::new();
        assert_eq!(recovery.parity(&parity), Ok(()));
        recovery.received(5_100 + MEMORY_PACKETS, b"x");
        recovery.received(5_101, b"b");
        assert_eq!(all(&mut recovery), []);
        assert_eq!(recovery.parity(&parity), Err(Reject::Stale));
        let mut recovery = ParityRecovery::new();
        assert_eq!(recovery.parity(&parity), Ok(()));
        recovery.received(5_099 + MEMORY_PACKETS, b"x");
        recovery.received(5_101, b"b");
        assert_eq!(all(&mut recovery), [Ok((5_100, b"a".to_vec()))]);
    }

    #[test]
    fn the_parities_that_came_first_give_way() {
        let mut recovery = ParityRecovery::new();
        let mut group = ParityGroup::new(2);
        let base = |nth: u64| 10 + 2 * nth;
        for nth in 0..WAITING_PARITIES as u64 + 2 {
            assert_eq!(recovery.parity(&parity_of(&mut group, base(nth), &[b"a", b"bc"])), Ok(()));
        }
        for nth in 0..WAITING_PARITIES as u64 + 2 {
            recovery.received(base(nth), b"a");
        }
        let mut made: Vec<u64> = all(&mut recovery).into_iter().map(|made| made.unwrap().0).collect();
        made.sort_unstable();
        assert_eq!(made, (2..WAITING_PARITIES as u64 + 2).map(|nth| base(nth) + 1).collect::<Vec<_>>());
    }

    #[test]
    fn a_parity_that_lies_is_refused_where_its_group_shows_it() {
        let mut group = ParityGroup::new(3);
        let honest = parity_of(&mut group, 7, &[b"ab", b"abcd", b"xyz"]).view();
        let bytes = honest.bytes.to_vec();
        let with = |length_xor, bytes: &'static [u8]| ParityView { length_xor, bytes, ..honest };
        let lies = [
            ("a missing packet of no bytes", ParityView { length_xor: 2 ^ 3, bytes: &bytes, ..honest }),
            ("one longer than the parity", ParityView { length_xor: 2 ^ 3 ^ 5, bytes: &bytes, ..honest }),
            ("one longer than any datagram", ParityView { length_xor: 2 ^ 3 ^ 2_000, bytes: &bytes, ..honest }),
            ("one shorter than the parity, which no other one reaches", ParityView { length_xor: 2 ^ 3 ^ 3, bytes: &bytes, ..honest }),
            ("a parity shorter than a packet of its group", with(honest.length_xor, b"ab")),
            ("a parity longer than all of its packets", with(2 ^ 3 ^ 4, &[0; 9])),
        ];
        for (name, view) in lies {
            let mut recovery = ParityRecovery::new();
            recovery.received(7, b"ab");
            recovery.received(9, b"xyz");
            let lie = Parity::check(&view, 7).unwrap();
            assert_eq!(recovery.parity(&lie), Ok(()), "{name}");
            assert_eq!(all(&mut recovery), [Err(Reject::BadParity)], "{name}");
            // It is spent, and the truth is still welcome.
            assert_eq!(recovery.parity(&Parity::check(&honest, 7).unwrap()), Ok(()), "{name}");
            assert_eq!(all(&mut recovery), [Ok((8, b"abcd".to_vec()))], "{name}");
        }
    }

    #[test]
    fn recover_wants_every_other_packet_and_room() {
        let mut group = ParityGroup::new(3);
        let parity = parity_of(&mut group, 7, &[b"ab", b"abcd", b"xyz"]);
        let mut out = [9; 8];
        let try_with = |others: &[&[u8]], out: &mut [u8]| recover(&parity, others.iter().copied(), out);
        assert_eq!(try_with(&[b"xyz", b"ab"], &mut out), Ok(4));
        assert_eq!(out, *b"abcd\x09\x09\x09\x09", "the rest of the buffer is left alone");
        assert_eq!(try_with(&[b"ab"], &mut out), Err(Reject::BadParity));
        assert_eq!(try_with(&[b"ab", b"abcd", b"xyz"], &mut out), Err(Reject::BadParity));
        assert_eq!(try_with(&[b"ab", b""], &mut out), Err(Reject::BadParity));
        assert_eq!(try_with(&[b"xyz", b"ab"], &mut out[..3]), Err(Reject::TooLong));
    }

    #[test]
    fn packets_that_no_parity_covers_are_not_remembered() {
        let mut recovery = ParityRecovery::new();
        recovery.received(5, &[]);
        recovery.received(6, &[1; MAX_COVERED_BYTES + 1]);
        recovery.received(u64::MAX, b"last");
        let mut group = ParityGroup::new(2);
        assert_eq!(recovery.parity(&parity_of(&mut group, 5, &[b"a", b"b"])), Err(Reject::Stale));
        assert_eq!(all(&mut recovery), []);
    }
}
