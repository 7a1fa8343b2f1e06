//! The messages of an inquiry, as bytes for a reliable channel.
//!
//! | at | bytes | field |
//! |---|---|---|
//! | 0 | 4 | `SBDI` |
//! | 4 | 1 | version, 1 |
//! | 5 | 1 | kind: 1 hashes, 2 sections, 3 values |
//!
//! Every number is little-endian. Nothing that comes is believed before it is read to its end.

use super::inquiry::InquiryError;
use snapback_core::Frame;

/// No message is larger.
pub const MAX_INQUIRY_BYTES: usize = 64 << 10;

/// The values that one message carries.
pub(super) const CHUNK_BYTES: usize = 32 << 10;

const MAGIC: &[u8; 4] = b"SBDI";
const VERSION: u8 = 1;
const HASHES: u8 = 1;
const SECTIONS: u8 = 2;
const VALUES: u8 = 3;

/// What a side computed, frame by frame.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Hashes {
    /// The first frame of them.
    pub(super) first: Frame,
    /// By frame: the hash of the state, and of the digests of all inputs.
    pub(super) frames: Vec<[u32; 2]>,
    /// The first frame whose state is still there.
    pub(super) states_first: Frame,
    /// How many states there are, one a frame.
    pub(super) state_count: u16,
}

impl Hashes {
    pub(super) fn last(&self) -> Frame {
        self.first + (self.frames.len() as i64 - 1)
    }

    pub(super) fn of(&self, frame: Frame) -> Option<[u32; 2]> {
        self.frames.get(usize::try_from(frame - self.first).ok()?).copied()
    }

    pub(super) fn states_last(&self) -> Frame {
        self.states_first + (i64::from(self.state_count) - 1)
    }

    fn is_possible(&self) -> bool {
        let is_in = |frame: Frame| frame >= self.first && frame <= self.last();
        self.state_count == 0 || (is_in(self.states_first) && is_in(self.states_last()))
    }
}

/// A message that has been read to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Message {
    Hashes(Hashes),
    Sections { frame: Frame, hashes: Vec<u32> },
    Values { frame: Frame, total: u32, offset: u32, bytes: Vec<u8> },
}

impl Message {
    pub(super) fn write(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.push(VERSION);
        match self {
            Self::Hashes(hashes) => {
                out.push(HASHES);
                out.extend(hashes.first.number().to_le_bytes());
                out.extend((hashes.frames.len() as u16).to_le_bytes());
                out.extend(hashes.states_first.number().to_le_bytes());
                out.extend(hashes.state_count.to_le_bytes());
                out.extend(hashes.frames.iter().flatten().flat_map(|value| value.to_le_bytes()));
            }
            Self::Sections { frame, hashes } => {
                out.push(SECTIONS);
                out.extend(frame.number().to_le_bytes());
                out.extend(hashes.iter().flat_map(|hash| hash.to_le_bytes()));
            }
            Self::Values { frame, total, offset, bytes } => {
                out.push(VALUES);
                out.extend(frame.number().to_le_bytes());
                out.extend(total.to_le_bytes());
                out.extend(offset.to_le_bytes());
                out.extend(bytes);
            }
        }
        out
    }

    /// Reads a message that nobody has checked. It takes no more memory than the message has.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, InquiryError> {
        if bytes.len() > MAX_INQUIRY_BYTES {
            return Err(InquiryError::TooLong { len_bytes: bytes.len() });
        }
        let mut rest = bytes;
        if take(&mut rest)? != *MAGIC {
            return Err(InquiryError::NotOne);
        }
        let [version, kind] = take(&mut rest)?;
        if version != VERSION {
            return Err(InquiryError::Version { theirs: version });
        }
        let frame = Frame::new(i64::from_le_bytes(take(&mut rest)?));
        match kind {
            HASHES => {
                let count = u16::from_le_bytes(take(&mut rest)?);
                let states_first = Frame::new(i64::from_le_bytes(take(&mut rest)?));
                let state_count = u16::from_le_bytes(take(&mut rest)?);
                let (pairs, left) = rest.as_chunks::<8>();
                if !left.is_empty() || pairs.len() != usize::from(count) {
                    return Err(InquiryError::NotOne);
                }
                let frames = pairs
                    .iter()
                    .map(|[a, b, c, d, e, f, g, h]| [u32::from_le_bytes([*a, *b, *c, *d]), u32::from_le_bytes([*e, *f, *g, *h])]);
                let hashes = Hashes { first: frame, frames: frames.collect(), states_first, state_count };
                if hashes.is_possible() { Ok(Self::Hashes(hashes)) } else { Err(InquiryError::NotOne) }
            }
            SECTIONS => match rest.as_chunks::<4>() {
                (hashes, []) => Ok(Self::Sections { frame, hashes: hashes.iter().map(|hash| u32::from_le_bytes(*hash)).collect() }),
                _ => Err(InquiryError::NotOne),
            },
            VALUES => {
                let total = u32::from_le_bytes(take(&mut rest)?);
                let offset = u32::from_le_bytes(take(&mut rest)?);
                Ok(Self::Values { frame, total, offset, bytes: rest.to_vec() })
            }
            _ => Err(InquiryError::NotOne),
        }
    }

    /// Whether these bytes begin as a message of an inquiry does.
    pub(super) fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }
}

fn take<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], InquiryError> {
    let (first, after) = rest.split_first_chunk::<N>().ok_or(InquiryError::NotOne)?;
    *rest = after;
    Ok(*first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_round_trip_and_cut_ones_are_none() {
        let hashes = Hashes { first: Frame::new(-1), frames: vec![[1, 2], [3, 4], [5, 6]], states_first: Frame::new(0), state_count: 2 };
        let messages = [
            Message::Hashes(hashes.clone()),
            Message::Sections { frame: Frame::new(7), hashes: vec![8, 9] },
            Message::Values { frame: Frame::new(7), total: 3, offset: 0, bytes: vec![1, 2, 3] },
        ];
        for message in messages {
            let bytes = message.write();
            assert!(Message::is_one(&bytes));
            assert_eq!(Message::read(&bytes), Ok(message.clone()));
            for cut in 0..bytes.len() {
                assert_ne!(Message::read(&bytes[..cut]).as_ref(), Ok(&message), "{cut}");
            }
        }
        for (states_first, state_count) in [(-2, 1), (0, 3), (2, 1), (i64::MIN, u16::MAX), (i64::MAX, u16::MAX)] {
            let lie = Hashes { states_first: Frame::new(states_first), state_count, ..hashes.clone() };
            assert_eq!(Message::read(&Message::Hashes(lie).write()), Err(InquiryError::NotOne));
        }
        assert_eq!(Message::read(&vec![0; MAX_INQUIRY_BYTES + 1]), Err(InquiryError::TooLong { len_bytes: MAX_INQUIRY_BYTES + 1 }));
    }
}
