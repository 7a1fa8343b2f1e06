//! [`crc32`]: the checksum of packets and states, quick for short ones too.
//!
//! `crc32fast` is made for long inputs: before each it finds out what the processor can do, and what is
//! shorter than 128 bytes it takes by table all the same. Most packets and many states are shorter, and
//! some come several times a frame.

/// From this length on the processor's own instructions are quicker.
const LONG_BYTES: usize = 128;

/// The polynomial of IEEE 802.3, lowest power first.
const POLYNOMIAL: u32 = 0xEDB8_8320;

/// Entry b of table n is the remainder of byte b with n bytes of zeros behind it.
static TABLES: [[u32; 256]; 16] = tables();

const fn tables() -> [[u32; 256]; 16] {
    let mut tables = [[0; 256]; 16];
    let mut byte = 0;
    while byte < 256 {
        let (mut rest, mut bit) = (byte as u32, 0);
        while bit < 8 {
            rest = if rest & 1 == 1 { rest >> 1 ^ POLYNOMIAL } else { rest >> 1 };
            bit += 1;
        }
        tables[0][byte] = rest;
        byte += 1;
    }
    let mut n = 1;
    while n < 16 {
        let mut byte = 0;
        while byte < 256 {
            let before = tables[n - 1][byte];
            tables[n][byte] = before >> 8 ^ tables[0][(before & 0xFF) as usize];
            byte += 1;
        }
        n += 1;
    }
    tables
}

/// CRC-32 (IEEE) of `bytes`, continued from the checksum of what stands before them; from 0 if nothing does.
///
/// ```
/// use snapback_core::crc32;
/// assert_eq!(crc32(0, b"123456789"), 0xCBF4_3926);
/// assert_eq!(crc32(crc32(0, b"1234"), b"56789"), 0xCBF4_3926);
/// ```
#[must_use]
#[inline]
pub fn crc32(before: u32, bytes: &[u8]) -> u32 {
    if bytes.len() >= LONG_BYTES { long(before, bytes) } else { short(before, bytes) }
}

fn long(before: u32, bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(before);
    hasher.update(bytes);
    hasher.finalize()
}

#[inline]
fn short(before: u32, bytes: &[u8]) -> u32 {
    let (blocks, rest) = bytes.as_chunks::<16>();
    let mut state = blocks.iter().fold(!before, step);
    let (blocks, rest) = rest.as_chunks::<8>();
    state = blocks.iter().fold(state, step);
    let (blocks, rest) = rest.as_chunks::<4>();
    state = blocks.iter().fold(state, step);
    !rest.iter().fold(state, |state, byte| state >> 8 ^ TABLES[0][usize::from(state as u8 ^ byte)])
}

/// All bytes of a block at once: no table waits for another. From the end, so that only the last four of
/// them wait for the block before.
#[inline]
fn step<const BYTES: usize>(state: u32, block: &[u8; BYTES]) -> u32 {
    let head = state.to_le_bytes();
    let mut next = 0;
    for (at, byte) in block.iter().enumerate().rev() {
        let byte = byte ^ head.get(at).copied().unwrap_or(0);
        next ^= TABLES[BYTES - 1 - at][usize::from(byte)];
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn every_length_and_beginning_is_as_crc32fast_says() {
        let mut rng = Rng::new(1, 1);
        let bytes: Vec<u8> = (0..300).map(|_| rng.next_u32() as u8).collect();
        for len in 0..bytes.len() {
            for before in [0, 1, u32::MAX, rng.next_u32()] {
                let mut hasher = crc32fast::Hasher::new_with_initial(before);
                hasher.update(&bytes[..len]);
                assert_eq!(crc32(before, &bytes[..len]), hasher.finalize(), "{len} bytes after {before:08x}");
            }
        }
    }
}
