//! [`Contents`]: the blocks of a file, in the only order in which they may stand.

use super::acceptance::Digest;
use super::block::{Block, BlockKind, Blocks};
use super::chunk::Chunk;
use super::packed::unpack;
use super::{Acceptance, FieldTables, ReplayFileError, ReplayMeta, Summary};
use core::ops::Range;
use serde::de::DeserializeOwned;
use snapback_core::Frame;
use snapback_core::limits::LAST_FRAME;

/// The most bytes that the names of fields unpack to.
const MAX_FIELDS_BYTES: usize = 8 << 20;

/// The most acceptances that a replay remembers.
const MAX_ACCEPTANCES: usize = 1_024;

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ChunkPlace {
    /// How many frames come before it.
    pub(crate) first: u64,
    pub(crate) count: usize,
    pub(crate) payload: Range<usize>,
    pub(crate) offset_bytes: usize,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct SnapshotPlace {
    pub(crate) frame: Frame,
    pub(crate) payload: Range<usize>,
    pub(crate) offset_bytes: usize,
}

/// Where a signature is, and so what it signs: all bytes before `offset_bytes`.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct SignaturePlace {
    pub(crate) offset_bytes: usize,
    pub(crate) payload: Range<usize>,
}

/// What a file holds, and where.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Contents {
    pub(crate) meta: ReplayMeta,
    pub(crate) fields: FieldTables,
    pub(crate) chunks: Vec<ChunkPlace>,
    pub(crate) snapshots: Vec<SnapshotPlace>,
    pub(crate) acceptances: Vec<Acceptance>,
    pub(crate) summary: Option<Summary>,
    pub(crate) signature: Option<SignaturePlace>,
    pub(crate) frames: u64,
    pub(crate) digest: u32,
    /// Where the last whole block ends.
    pub(crate) whole_bytes: usize,
}

impl Contents {
    /// Reads up to the last whole block.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, ReplayFileError> {
        let mut blocks = Blocks::new(bytes)?;
        let meta = read_meta(&first(&mut blocks, BlockKind::Meta)?)?;
        let fields = read_fields(&first(&mut blocks, BlockKind::Fields)?, &meta)?;
        let mut contents = Self {
            meta,
            fields,
            chunks: Vec::new(),
            snapshots: Vec::new(),
            acceptances: Vec::new(),
            summary: None,
            signature: None,
            frames: 0,
            digest: 0,
            whole_bytes: 0,
        };
        let start = first(&mut blocks, BlockKind::Snapshot)?;
        contents.take_snapshot(&start)?;
        contents.whole_bytes = blocks.offset_bytes();
        let (mut latest, mut digest) = (BlockKind::Frames, Digest::default());
        while let Some(block) = blocks.next()? {
            if !may_follow(block.kind, latest) {
                return Err(block.invalid(format!("it stands after the {} block", latest.name())));
            }
            latest = block.kind;
            match block.kind {
                BlockKind::Frames => contents.take_frames(&block, &mut digest)?,
                BlockKind::Snapshot => contents.take_snapshot(&block)?,
                BlockKind::Acceptance => contents.take_acceptance(&block)?,
                BlockKind::End => contents.take_end(&block, digest.value())?,
                BlockKind::Signature => {
                    contents.signature = Some(SignaturePlace { offset_bytes: block.offset_bytes, payload: block.payload_range() });
                }
                BlockKind::Meta | BlockKind::Fields => {}
            }
            contents.whole_bytes = blocks.offset_bytes();
        }
        contents.digest = digest.value();
        if contents.summary.is_some() && contents.whole_bytes != bytes.len() {
            let reason = format!("{} bytes follow the end of the replay", bytes.len() - contents.whole_bytes);
            return Err(ReplayFileError::Invalid { offset_bytes: contents.whole_bytes, block: "last", reason });
        }
        Ok(contents)
    }

    fn take_frames(&mut self, block: &Block<'_>, digest: &mut Digest) -> Result<(), ReplayFileError> {
        let chunk = Chunk::parse(block.payload, &self.meta).map_err(|reason| block.invalid(reason))?;
        digest.add_all(chunk.hash_bytes());
        let place = ChunkPlace { first: self.frames, count: chunk.count, payload: block.payload_range(), offset_bytes: block.offset_bytes };
        self.chunks.push(place);
        self.frames += chunk.count as u64;
        if self.last_frame().number() > LAST_FRAME {
            return Err(block.invalid(format!("its last frame is {}; none is after {LAST_FRAME}", self.last_frame())));
        }
        Ok(())
    }

    fn last_frame(&self) -> Frame {
        // At most as many frames as the file has bytes.
        Frame::new(self.meta.first_frame.saturating_sub(1).saturating_add_unsigned(self.frames))
    }

    fn take_snapshot(&mut self, block: &Block<'_>) -> Result<(), ReplayFileError> {
        let Some((number, _)) = block.payload.split_first_chunk::<8>() else {
            return Err(block.invalid("it is too short"));
        };
        let frame = Frame::new(i64::from_le_bytes(*number));
        if frame != self.last_frame() {
            return Err(block.invalid(format!("it is of frame {frame} and stands after frame {}", self.last_frame())));
        }
        if self.snapshots.last().is_some_and(|before| before.frame == frame) {
            return Err(block.invalid(format!("there are two snapshots of frame {frame}")));
        }
        let Range { start, end } = block.payload_range();
        self.snapshots.push(SnapshotPlace { frame, payload: start + 8..end, offset_bytes: block.offset_bytes });
        Ok(())
    }

    fn take_acceptance(&mut self, block: &Block<'_>) -> Result<(), ReplayFileError> {
        let acceptance: Acceptance = decoded(block)?;
        acceptance.check().map_err(|reason| block.invalid(reason))?;
        if self.acceptances.len() >= MAX_ACCEPTANCES {
            return Err(block.invalid(format!("there are more than {MAX_ACCEPTANCES} acceptances")));
        }
        self.acceptances.push(acceptance);
        Ok(())
    }

    fn take_end(&mut self, block: &Block<'_>, digest: u32) -> Result<(), ReplayFileError> {
        let summary: Summary = decoded(block)?;
        if (summary.frames, summary.digest) != (self.frames, digest) {
            let reason = format!(
                "it promises {} frames with the digest {:08x}; there are {} with {digest:08x}",
                summary.frames, summary.digest, self.frames
            );
            return Err(block.invalid(reason));
        }
        self.summary = Some(summary);
        Ok(())
    }
}

/// Whether a block of this kind may stand after one of the other.
fn may_follow(kind: BlockKind, latest: BlockKind) -> bool {
    use BlockKind as K;
    match latest {
        K::Meta | K::Fields => false,
        K::Frames | K::Snapshot => matches!(kind, K::Frames | K::Snapshot | K::Acceptance | K::End),
        K::Acceptance => matches!(kind, K::Acceptance | K::End),
        K::End => kind == K::Signature,
        K::Signature => false,
    }
}

fn first<'a>(blocks: &mut Blocks<'a>, kind: BlockKind) -> Result<Block<'a>, ReplayFileError> {
    let Some(block) = blocks.next()? else {
        return Err(ReplayFileError::Truncated { offset_bytes: blocks.offset_bytes(), frames: 0 });
    };
    if block.kind == kind { Ok(block) } else { Err(block.invalid(format!("the {} block must stand here", kind.name()))) }
}

fn read_meta(block: &Block<'_>) -> Result<ReplayMeta, ReplayFileError> {
    let meta: ReplayMeta = decoded(block)?;
    meta.check().map_err(|reason| block.invalid(reason))?;
    Ok(meta)
}

fn read_fields(block: &Block<'_>, meta: &ReplayMeta) -> Result<FieldTables, ReplayFileError> {
    let bytes = unpack(block.payload, MAX_FIELDS_BYTES).map_err(|reason| block.invalid(reason))?;
    let fields: FieldTables = from_postcard(&bytes).map_err(|reason| block.invalid(reason))?;
    fields.check(meta.state_bytes as usize, meta.input_bytes.into()).map_err(|reason| block.invalid(reason))?;
    Ok(fields)
}

fn decoded<T: DeserializeOwned>(block: &Block<'_>) -> Result<T, ReplayFileError> {
    from_postcard(block.payload).map_err(|reason| block.invalid(reason))
}

fn from_postcard<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    match postcard::take_from_bytes(bytes) {
        Ok((value, [])) => Ok(value),
        Ok((_, rest)) => Err(format!("{} bytes are left over", rest.len())),
        Err(error) => Err(format!("it does not decode ({error})")),
    }
}
