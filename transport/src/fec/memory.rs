//! [`PacketMemory`]: the bytes of the newest packets, in memory of a fixed size.

use super::parity::{MAX_COVERED_BYTES, MAX_GROUP_PACKETS};
use crate::ack::MAX_SEQUENCE_JUMP;

/// How many of the newest packets are remembered.
pub const MEMORY_PACKETS: u64 = 2 * MAX_GROUP_PACKETS as u64;

/// The bytes of a packet or of a parity, at rest.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub(super) len: usize,
    pub(super) bytes: [u8; MAX_COVERED_BYTES],
}

impl Kept {
    pub(super) const EMPTY: Self = Self { len: 0, bytes: [0; MAX_COVERED_BYTES] };

    pub(super) fn keep(&mut self, bytes: &[u8]) {
        if let Some(place) = self.bytes.get_mut(..bytes.len()) {
            place.copy_from_slice(bytes);
            self.len = bytes.len();
        }
    }

    pub(super) fn get(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }
}

/// The packet with sequence s stands at s modulo [`MEMORY_PACKETS`].
#[derive(Clone, Debug)]
pub(super) struct PacketMemory {
    sequences: [Option<u64>; MEMORY_PACKETS as usize],
    packets: Box<[Kept]>,
    highest: Option<u64>,
}

impl PacketMemory {
    pub(super) fn new() -> Self {
        let packets = vec![Kept::EMPTY; MEMORY_PACKETS as usize].into();
        Self { sequences: [None; MEMORY_PACKETS as usize], packets, highest: None }
    }

    pub(super) fn keep(&mut self, sequence: u64, bytes: &[u8]) {
        if bytes.is_empty() || bytes.len() > MAX_COVERED_BYTES || self.is_forgotten(sequence) {
            return;
        }
        self.highest = self.highest.max(Some(sequence));
        let place = place(sequence);
        if let (Some(at), Some(packet)) = (self.sequences.get_mut(place), self.packets.get_mut(place)) {
            *at = Some(sequence);
            packet.keep(bytes);
        }
    }

    pub(super) fn get(&self, sequence: u64) -> Option<&[u8]> {
        let at = self.sequences.get(place(sequence))?;
        if *at == Some(sequence) { self.packets.get(place(sequence)).map(Kept::get) } else { None }
    }

    /// Whether it can no longer be told if the packet arrived.
    pub(super) fn is_forgotten(&self, sequence: u64) -> bool {
        self.highest.is_some_and(|highest| sequence.saturating_add(MEMORY_PACKETS) <= highest)
    }

    /// Whether a sequence lies farther ahead than any that is believed.
    pub(super) fn is_out_of_reach(&self, sequence: u64) -> bool {
        self.highest.is_some_and(|highest| sequence > highest.saturating_add(MAX_SEQUENCE_JUMP))
    }
}

fn place(sequence: u64) -> usize {
    (sequence % MEMORY_PACKETS) as usize
}
