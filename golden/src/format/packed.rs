//! Packed bytes: their length and deflate. Unpacking is bounded before it begins.

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;

/// Of ten levels the one after which smaller costs much more time.
const LEVEL: u8 = 6;

/// Appends `bytes`, packed.
pub(crate) fn pack(bytes: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(&u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_le_bytes());
    out.extend_from_slice(&compress_to_vec(bytes, LEVEL));
}

/// The bytes that were packed, if there are at most `limit_bytes`.
pub(crate) fn unpack(packed: &[u8], limit_bytes: usize) -> Result<Vec<u8>, String> {
    let Some((len, deflated)) = packed.split_first_chunk::<4>() else {
        return Err("packed bytes without a length".to_owned());
    };
    let len = u32::from_le_bytes(*len) as usize;
    if len > limit_bytes {
        return Err(format!("{len} bytes are packed; at most {limit_bytes} are possible"));
    }
    match decompress_to_vec_with_limit(deflated, len) {
        Ok(bytes) if bytes.len() == len => Ok(bytes),
        Ok(bytes) => Err(format!("{} bytes were packed and {len} promised", bytes.len())),
        Err(error) => Err(format!("they do not unpack ({:?})", error.status)),
    }
}
