//! The one encoder of inputs: packets and replay files share it, and its format is frozen.
//!
//! A *run* is one player's inputs for consecutive frames. Each sample is coded against the one
//! before it, the first against neutral (all zeros), so a run needs nothing but itself. Bits fill
//! bytes from the low end. A sample is one of:
//!
//! | bits, first to last | meaning |
//! |---|---|
//! | `0` | the same input as before |
//! | `1 0`, then `position`, `more`, … | these bits flipped; positions ascend; `more` is 1 while another follows |
//! | `1 1 00`, then 8 bits a byte | the whole input |
//! | `1 1 10`, then `byte`, 8 bits, `more`, … | these bytes changed, by exclusive or; places ascend |
//! | `1 1 01`, then 8, 3 and 8 bits a byte | a [`Command`] (kind, length, payload); the sample itself follows |
//! | `1 1 11` | reserved |
//!
//! (The two-bit numbers are written low bit first: `10` is 1, `01` is 2.) A position takes
//! ceil(log2(8 × bytes)) bits, a place ceil(log2(bytes)). The encoder takes the shortest form, so
//! a sample never takes more than [`worst_sample_bits`]. Commands are never carried over to the
//! next sample. The bits that fill the last byte are zero.
//!
//! ```
//! use snapback_core::codec::{BitReader, BitWriter, decode_run, encode_run};
//! use snapback_core::Command;
//!
//! // Eight frames of a two-byte input: right, right and punch, then released.
//! let held: [[u8; 2]; 8] = [[8, 0], [8, 0], [8, 0], [24, 0], [24, 0], [0, 0], [0, 0], [0, 0]];
//! let mut bytes = [0; 64];
//! let mut writer = BitWriter::new(&mut bytes);
//! encode_run(&mut writer, 2, held.len(), |n, out| {
//!     out.copy_from_slice(&held[n]);
//!     Command::NONE
//! });
//! let len = writer.finish().unwrap();
//! assert_eq!(len, 4);
//!
//! let mut reader = BitReader::new(&bytes[..len]);
//! decode_run(&mut reader, 2, held.len(), |n, input, command| {
//!     assert_eq!((input, command), (&held[n][..], Command::NONE));
//! }).unwrap();
//! reader.finish().unwrap();
//! ```

mod bits;
mod input;
mod log;
mod run;
#[cfg(test)]
mod tests;

pub use bits::{BitReader, BitWriter, BufferFull};
pub use input::{read_input, write_input};
pub use log::RunLog;
pub use run::{DecodeError, decode_run, decode_spans, encode_run, worst_run_bytes, worst_sample_bits};

#[cfg(doc)]
use crate::Command;
