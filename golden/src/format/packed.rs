//! Packed bytes: their length and deflate. Unpacking is bounded before it begins.

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};

/// Of ten levels the one after which smaller costs much more time.
const LEVEL: u8 = 6;

/// Appends `bytes`, packed.
pub(crate) fn pack(bytes: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(&u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_le_bytes());
    out.extend_from_slice(&compress_to_vec(bytes, LEVEL));
}

/// Deflate makes nothing smaller than this.
const BEST_RATIO: usize = 1_032;

/// The bytes that were packed, if there are at most `limit_bytes`.
///
/// Memory is what is promised, and nothing can be promised that the packed bytes cannot hold.
pub(crate) fn unpack(packed: &[u8], limit_bytes: usize) -> Result<Vec<u8>, String> {
    let Some((len, deflated)) = packed.split_first_chunk::<4>() else {
        return Err("packed bytes without a length".to_owned());
    };
    let len = u32::from_le_bytes(*len) as usize;
    if len > limit_bytes {
        return Err(format!("{len} bytes are packed; at most {limit_bytes} are possible"));
    }
    if len.div_ceil(BEST_RATIO) > deflated.len() {
        return Err(format!("{len} bytes are promised and cannot be packed into {}", deflated.len()));
    }
    let mut bytes = vec![0; len];
    let mut state = Box::<DecompressorOxide>::default();
    let (status, consumed, written) = decompress(&mut state, deflated, &mut bytes, 0, TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF);
    match status {
        TINFLStatus::Done if consumed != deflated.len() => Err(format!("{} bytes follow the packed ones", deflated.len() - consumed)),
        TINFLStatus::Done if written == len => Ok(bytes),
        TINFLStatus::Done => Err(format!("{written} bytes were packed and {len} promised")),
        TINFLStatus::HasMoreOutput => Err(format!("more bytes were packed than the {len} promised")),
        status => Err(format!("they do not unpack ({status:?})")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        pack(bytes, &mut out);
        out
    }

    #[test]
    fn bytes_of_every_length_survive() {
        for len in [0, 1, 2, 3, 100, 4_096, 65_535, 65_536, 100_000, 4 << 20] {
            for bytes in [vec![0; len], (0..len).map(|at| (at * at / 7) as u8).collect::<Vec<u8>>()] {
                assert_eq!(unpack(&packed(&bytes), len), Ok(bytes));
            }
        }
    }

    #[test]
    fn another_length_and_bytes_behind_are_refused() {
        let whole = packed(&[7; 5_000]);
        let with_length = |len: u32| [&len.to_le_bytes(), &whole[4..]].concat();
        assert_eq!(unpack(&with_length(5_001), 1 << 20).unwrap_err(), "5000 bytes were packed and 5001 promised");
        assert_eq!(unpack(&with_length(4_999), 1 << 20).unwrap_err(), "more bytes were packed than the 4999 promised");
        assert_eq!(unpack(&whole, 4_999).unwrap_err(), "5000 bytes are packed; at most 4999 are possible");
        assert!(unpack(&with_length(1 << 20), 1 << 20).unwrap_err().contains("cannot be packed into"));
        assert_eq!(unpack(&[&whole[..], &[0]].concat(), 5_000).unwrap_err(), "1 bytes follow the packed ones");
        assert!(unpack(&whole[..whole.len() - 1], 5_000).is_err());
        assert!(unpack(&whole[..3], 5_000).is_err());
    }
}
