//! The frame of a block: kind, length, checksum.

use super::{FORMAT_VERSION, MAGIC, ReplayFileError};
use core::ops::Range;

/// What a block holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum BlockKind {
    Meta = 1,
    Fields = 2,
    Frames = 3,
    Snapshot = 4,
    Acceptance = 5,
    End = 6,
    Signature = 7,
}

impl BlockKind {
    const ALL: [Self; 7] = [Self::Meta, Self::Fields, Self::Frames, Self::Snapshot, Self::Acceptance, Self::End, Self::Signature];

    fn from_byte(byte: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| *kind as u8 == byte)
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Meta => "meta",
            Self::Fields => "fields",
            Self::Frames => "frames",
            Self::Snapshot => "snapshot",
            Self::Acceptance => "acceptance",
            Self::End => "end",
            Self::Signature => "signature",
        }
    }
}

pub(crate) const PREAMBLE_BYTES: usize = 8;
pub(crate) const HEADER_BYTES: usize = 12;

pub(crate) fn preamble() -> [u8; PREAMBLE_BYTES] {
    let [m, a, g, i] = MAGIC;
    let [low, high] = FORMAT_VERSION.to_le_bytes();
    [m, a, g, i, low, high, 0, 0]
}

/// Appends a block. `number` counts the blocks of the file from 0.
pub(crate) fn write(number: u32, kind: BlockKind, payload: &[u8], out: &mut Vec<u8>) {
    let len = u32::try_from(payload.len()).unwrap_or(u32::MAX);
    out.extend_from_slice(&[kind as u8, 0, 0, 0]);
    out.extend_from_slice(&len.to_le_bytes());
    out.extend_from_slice(&checksum(number, kind as u8, len, payload).to_le_bytes());
    out.extend_from_slice(payload);
}

fn checksum(number: u32, kind: u8, len: u32, payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&number.to_le_bytes());
    hasher.update(&[kind]);
    hasher.update(&len.to_le_bytes());
    hasher.update(payload);
    hasher.finalize()
}

/// A block whose checksum is right.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block<'a> {
    pub(crate) kind: BlockKind,
    pub(crate) offset_bytes: usize,
    pub(crate) payload: &'a [u8],
}

impl Block<'_> {
    pub(crate) fn place(&self) -> Place {
        // A payload is as long as its header's u32 says.
        Place { offset_bytes: self.offset_bytes, payload_bytes: self.payload.len() as u32 }
    }

    pub(crate) fn invalid(&self, reason: impl Into<String>) -> ReplayFileError {
        ReplayFileError::Invalid { offset_bytes: self.offset_bytes, block: self.kind.name(), reason: reason.into() }
    }
}

/// Where a block is. Small: a hostile file is little else than blocks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Place {
    pub(crate) offset_bytes: usize,
    payload_bytes: u32,
}

impl Place {
    pub(crate) const fn payload(self) -> Range<usize> {
        let start = self.offset_bytes + HEADER_BYTES;
        start..start + self.payload_bytes as usize
    }
}

/// The blocks of a file, one after another.
#[derive(Clone, Debug)]
pub(crate) struct Blocks<'a> {
    bytes: &'a [u8],
    offset_bytes: usize,
    number: u32,
}

impl<'a> Blocks<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Result<Self, ReplayFileError> {
        let Some((preamble, _)) = bytes.split_first_chunk::<PREAMBLE_BYTES>() else {
            return Err(ReplayFileError::NotAReplay);
        };
        let [m, a, g, i, low, high, reserved @ ..] = *preamble;
        if [m, a, g, i] != MAGIC {
            return Err(ReplayFileError::NotAReplay);
        }
        let version = u16::from_le_bytes([low, high]);
        if version != FORMAT_VERSION {
            return Err(ReplayFileError::UnsupportedVersion { version });
        }
        if reserved != [0, 0] {
            return Err(ReplayFileError::Corrupt { offset_bytes: 0, block: "opening" });
        }
        Ok(Self { bytes, offset_bytes: PREAMBLE_BYTES, number: 0 })
    }

    pub(crate) fn offset_bytes(&self) -> usize {
        self.offset_bytes
    }

    /// The number of the next block.
    #[cfg(feature = "sign")]
    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    /// The next block; `None` if the bytes end before it does.
    pub(crate) fn next(&mut self) -> Result<Option<Block<'a>>, ReplayFileError> {
        let offset_bytes = self.offset_bytes;
        let rest = self.bytes.get(offset_bytes..).unwrap_or_default();
        let Some((header, after)) = rest.split_first_chunk::<HEADER_BYTES>() else {
            return Ok(None);
        };
        let [kind, r0, r1, r2, l0, l1, l2, l3, crc @ ..] = *header;
        let len = u32::from_le_bytes([l0, l1, l2, l3]);
        let Some(known) = BlockKind::from_byte(kind).filter(|_| [r0, r1, r2] == [0; 3]) else {
            return Err(ReplayFileError::Corrupt { offset_bytes, block: "unknown" });
        };
        let Some(payload) = after.get(..len as usize) else {
            return Ok(None);
        };
        if checksum(self.number, kind, len, payload) != u32::from_le_bytes(crc) {
            return Err(ReplayFileError::Corrupt { offset_bytes, block: known.name() });
        }
        self.offset_bytes = offset_bytes + HEADER_BYTES + payload.len();
        self.number = self.number.saturating_add(1);
        Ok(Some(Block { kind: known, offset_bytes, payload }))
    }
}
