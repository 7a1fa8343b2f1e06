//! [`Runs`]: the run-length code of ggrs's inputs, decoded within bounds.

/// No length in an honest packet needs more bytes than this: 35 bits.
const MAX_VARINT_BYTES: usize = 5;

/// Decodes the inputs of a ggrs packet, to find out whether ggrs may: its own decoder reads beyond the end of
/// what is cut off, and allocates whatever a length says.
#[derive(Debug, Default)]
pub(super) struct Runs {
    decoded: Vec<u8>,
}

impl Runs {
    /// How many inputs of `record_bytes` each are encoded, if nothing else is: at most `most_records`. ggrs puts
    /// two bytes of length before each.
    pub(super) fn count(&mut self, encoded: &[u8], record_bytes: usize, most_records: usize) -> Option<usize> {
        let stride = record_bytes + 2;
        self.decode(encoded, stride * most_records)?;
        let len = u16::try_from(record_bytes).ok()?.to_le_bytes();
        let are_whole = self.decoded.len().is_multiple_of(stride) && !self.decoded.is_empty();
        let are_alike = self.decoded.chunks(stride).all(|record| record.starts_with(&len));
        (are_whole && are_alike).then_some(self.decoded.len() / stride)
    }

    fn decode(&mut self, encoded: &[u8], most_bytes: usize) -> Option<()> {
        self.decoded.clear();
        let mut rest = encoded;
        while !rest.is_empty() {
            let (value, after) = varint(rest)?;
            rest = after;
            let is_run = value & 1 == 1;
            let len = usize::try_from(if is_run { value >> 2 } else { value >> 1 }).ok()?;
            if len > most_bytes - self.decoded.len() {
                return None;
            }
            if is_run {
                let byte = if value & 2 == 2 { 255 } else { 0 };
                self.decoded.resize(self.decoded.len() + len, byte);
            } else {
                let (bytes, after) = rest.split_at_checked(len)?;
                self.decoded.extend_from_slice(bytes);
                rest = after;
            }
        }
        Some(())
    }
}

fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0;
    for (at, byte) in bytes.iter().take(MAX_VARINT_BYTES).enumerate() {
        value |= u64::from(byte & 127) << (7 * at);
        if byte & 128 == 0 {
            return Some((value, bytes.get(at + 1..)?));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two inputs of three bytes: a length, then 0 0 0; a length, then 255 255 7.
    const TWO: &[u8] = &[1 << 1, 3, 4 << 2 | 1, 1 << 1, 3, 1 << 2 | 1, 2 << 2 | 3, 1 << 1, 7];

    #[test]
    fn whole_inputs_of_the_right_size_are_counted() {
        let mut runs = Runs::default();
        assert_eq!(runs.count(TWO, 3, 2), Some(2));
        assert_eq!(runs.decoded, [3, 0, 0, 0, 0, 3, 0, 255, 255, 7]);
        assert_eq!(runs.count(TWO, 3, 1), None, "more than allowed");
        assert_eq!(runs.count(TWO, 4, 2), None, "of another size");
        assert_eq!(runs.count(TWO, 8, 2), None, "the length says 3");
        assert_eq!(runs.count(&[], 3, 2), None);
        for len in 0..TWO.len() {
            assert_eq!(runs.count(&TWO[..len], 3, 2).filter(|count| *count > 1), None, "cut to {len}");
        }
    }

    #[test]
    fn what_makes_ggrs_panic_or_allocate_is_refused() {
        let mut runs = Runs::default();
        // A varint that does not end; one that is far too long; a run of a terabyte; bytes that are not there.
        for hostile in [&[0x80][..], &[0xFF; 12], &[0x81, 0x80, 0x80, 0x80, 0x7F], &[0xFE, 0x01, 1, 2]] {
            assert_eq!(runs.count(hostile, 3, 129), None, "{hostile:?}");
            assert!(runs.decoded.capacity() < 4_096);
        }
    }

    #[test]
    fn any_bytes_are_decoded_within_bounds() {
        let (mut runs, mut rng) = (Runs::default(), snapback_core::Rng::new(1, 0));
        for _ in 0..20_000 {
            let bytes: Vec<u8> = (0..rng.below(40)).map(|_| rng.next_u32() as u8).collect();
            let _ = runs.count(&bytes, 3, 16);
            assert!(runs.decoded.len() <= 5 * 16);
        }
    }
}
