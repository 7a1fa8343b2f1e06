//! [`StateHash`]: what peers compare to know that they still play the same match.

use super::layout::StateLayout;
use super::order::Order;
use crate::crc::crc32;
use crate::frame::Frame;
use core::fmt;
use core::ops::ControlFlow;

/// CRC-32 (IEEE) of seed, frame and the canonical encoding of a state.
///
/// It finds accidents, not attacks: whoever can write the state can also make any hash of it.
/// Shown and serialized as eight hexadecimal digits.
///
/// ```
/// use snapback_core::StateHash;
/// assert_eq!(StateHash::from_bits(0xbeef).to_string(), "0000beef");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateHash(u32);

impl StateHash {
    /// The hash with this value.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// The value.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }
}

impl fmt::Display for StateHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}", self.0)
    }
}

impl fmt::Debug for StateHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StateHash({self})")
    }
}

impl serde::Serialize for StateHash {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for StateHash {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(EightDigits)
    }
}

struct EightDigits;

impl serde::de::Visitor<'_> for EightDigits {
    type Value = StateHash;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a state hash of eight hexadecimal digits")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<StateHash, E> {
        // Parsing alone would take a sign and any number of leading zeros.
        if text.len() == 8
            && text.bytes().all(|digit| digit.is_ascii_hexdigit())
            && let Ok(bits) = u32::from_str_radix(text, 16)
        {
            return Ok(StateHash(bits));
        }
        Err(E::invalid_value(serde::de::Unexpected::Str(text), &self))
    }
}

impl StateLayout {
    /// The hash of the state whose memory is `bytes`, as it is after `frame` of the match `seed`.
    ///
    /// CRC-32 over the seed and the frame number (eight little-endian bytes each) and the canonical
    /// encoding. On a little-endian machine that is one pass over the bytes. It allocates nothing.
    ///
    /// ```
    /// use snapback_core::{Frame, StateLayout};
    /// let layout = StateLayout::of::<[u8; 4]>();
    /// let hash = layout.hash(0, Frame::ZERO, &[0; 4]);
    /// assert_ne!(hash, layout.hash(1, Frame::ZERO, &[0; 4]));
    /// assert_ne!(hash, layout.hash(0, Frame::new(1), &[0; 4]));
    /// ```
    #[must_use]
    pub fn hash(&self, seed: u64, frame: Frame, bytes: &[u8]) -> StateHash {
        self.hash_memory(seed, frame, bytes, Order::NATIVE)
    }

    /// The hash of the canonical encoding of the scalars of one section, without seed and frame:
    /// which part of the state differs, when whole hashes do.
    ///
    /// A section that does not exist, and any section of bytes of the wrong length, hashes as empty:
    /// `00000000`. It allocates nothing.
    ///
    /// ```
    /// use bytemuck::{Pod, Zeroable};
    /// use snapback_core::{SimState, StateLayout};
    ///
    /// #[derive(Clone, Copy, Pod, Zeroable, SimState)]
    /// #[repr(C)]
    /// struct Fighter {
    ///     #[sim(section = "movement")]
    ///     position: [i32; 2],
    ///     #[sim(section = "combat")]
    ///     health: i32,
    /// }
    /// let layout = StateLayout::of::<Fighter>();
    /// let hash = |health| {
    ///     let fighter = Fighter { position: [1, 2], health };
    ///     let hash_of = |section| layout.section_hash(section, bytemuck::bytes_of(&fighter));
    ///     [hash_of("movement"), hash_of("combat")]
    /// };
    /// assert_eq!(hash(10)[0], hash(9)[0]);
    /// assert_ne!(hash(10)[1], hash(9)[1]);
    /// ```
    #[must_use]
    pub fn section_hash(&self, section: &str, bytes: &[u8]) -> StateHash {
        let mut canonical = Canonical::new(crc32fast::Hasher::new());
        let layout = self.or_opaque(bytes.len());
        let _: ControlFlow<()> = layout.walk(|leaf| {
            if leaf.place.section == Some(section)
                && let Some(raw) = leaf.raw(bytes)
            {
                canonical.push(raw, Order::NATIVE);
            }
            ControlFlow::Continue(())
        });
        canonical.finish()
    }

    fn hash_memory(&self, seed: u64, frame: Frame, bytes: &[u8], memory: Order) -> StateHash {
        let (seed, frame) = (seed.to_le_bytes(), frame.number().to_le_bytes());
        let mut prefix = [0; 16];
        prefix[..8].copy_from_slice(&seed);
        prefix[8..].copy_from_slice(&frame);
        let prefix = crc32(0, &prefix);
        if memory == Order::Little {
            return StateHash(crc32(prefix, bytes));
        }
        let mut canonical = Canonical::new(crc32fast::Hasher::new_with_initial(prefix));
        let layout = self.or_opaque(bytes.len());
        let _: ControlFlow<()> = layout.walk(|leaf| {
            if let Some(raw) = leaf.raw(bytes) {
                canonical.push(raw, memory);
            }
            ControlFlow::Continue(())
        });
        canonical.finish()
    }
}

/// Scalars on their way into the hash. Collected first: a CRC is fast only over many bytes at once.
struct Canonical {
    hasher: crc32fast::Hasher,
    waiting: [u8; 256],
    len: usize,
}

impl Canonical {
    fn new(hasher: crc32fast::Hasher) -> Self {
        Self { hasher, waiting: [0; 256], len: 0 }
    }

    fn push(&mut self, raw: &[u8], memory: Order) {
        if self.len + raw.len() > self.waiting.len() {
            self.flush();
        }
        let end = self.len + raw.len();
        let Some(slot) = self.waiting.get_mut(self.len..end) else { return };
        slot.copy_from_slice(raw);
        if memory == Order::Big {
            slot.reverse();
        }
        self.len = end;
    }

    fn flush(&mut self) {
        if let Some(waiting) = self.waiting.get(..self.len) {
            self.hasher.update(waiting);
        }
        self.len = 0;
    }

    fn finish(mut self) -> StateHash {
        self.flush();
        StateHash(self.hasher.finalize())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Fx, NameHash, Rng, SimState};
    use bytemuck::{Pod, Zeroable};

    #[derive(Clone, Copy, Pod, Zeroable, SimState)]
    #[repr(C)]
    struct Fighter {
        #[sim(section = "place")]
        position: [Fx; 3],
        rng: Rng,
        name: NameHash,
        health: i32,
        flags: [u16; 3],
        facing: i8,
        jumps: u8,
    }

    // Two fighters and 40 words: more than one flush, and a boundary that no scalar ends on.
    type Match = [Fighter; 2];
    const LAYOUT: StateLayout = StateLayout::with_tail::<Match, [u8; 9]>("note", 40);

    fn memory() -> Vec<u8> {
        let mut rng = Rng::new(1, 2);
        (0..LAYOUT.size_bytes()).map(|_| rng.next_u32() as u8).collect()
    }

    fn reversed(memory: &[u8]) -> Vec<u8> {
        let mut out = vec![0; memory.len()];
        LAYOUT.reorder(memory, &mut out, Order::Big).unwrap();
        out
    }

    #[test]
    fn a_machine_of_the_other_byte_order_gets_the_same_hash() {
        let little = memory();
        let big = reversed(&little);
        assert_ne!(little, big);
        assert_eq!(LAYOUT.hash_memory(5, Frame::new(9), &little, Order::Little), LAYOUT.hash_memory(5, Frame::new(9), &big, Order::Big),);
    }

    #[test]
    fn bytes_of_a_wrong_length_hash_as_bytes_in_both_orders() {
        let short = [1, 2, 3, 4, 5];
        assert_eq!(LAYOUT.hash_memory(5, Frame::new(9), &short, Order::Little), LAYOUT.hash_memory(5, Frame::new(9), &short, Order::Big),);
        assert_eq!(LAYOUT.section_hash("place", &short).bits(), 0);
    }

    #[test]
    fn a_section_hash_covers_the_section_and_nothing_else() {
        let mut bytes = memory();
        let fighter_size = size_of::<Fighter>();
        let mut expected = crc32fast::Hasher::new();
        expected.update(bytes.get(..24).unwrap());
        expected.update(bytes.get(fighter_size..fighter_size + 24).unwrap());
        let expected = StateHash(expected.finalize());
        // The vector is over little-endian bytes; this holds in memory only on such a machine.
        if Order::NATIVE == Order::Little {
            assert_eq!(LAYOUT.section_hash("place", &bytes), expected);
        }
        let before = LAYOUT.section_hash("place", &bytes);
        *bytes.get_mut(24).unwrap() ^= 1;
        assert_eq!(LAYOUT.section_hash("place", &bytes), before);
        *bytes.get_mut(23).unwrap() ^= 1;
        assert_ne!(LAYOUT.section_hash("place", &bytes), before);
    }

    #[test]
    fn serialized_as_text_and_nothing_else_is_read() {
        let hash = StateHash::from_bits(0x00c0_ffee);
        assert_eq!(serde_json::to_string(&hash).unwrap(), "\"00c0ffee\"");
        assert_eq!(serde_json::from_str::<StateHash>("\"00c0ffee\"").unwrap(), hash);
        for refused in ["\"c0ffee\"", "\"+0c0ffee\"", "\"000c0ffee\"", "\"00c0ffeg\"", "12648430"] {
            assert!(serde_json::from_str::<StateHash>(refused).is_err(), "{refused}");
        }
    }
}
