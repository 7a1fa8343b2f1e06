//! [`Contents`]: the blocks of a file, in the only order in which they may stand.

use super::acceptance::Digest;
use super::block::{Block, BlockKind, Blocks, Place};
use super::chunk::Chunk;
use super::packed::unpack;
use super::{Acceptance, FieldTables, ReplayFileError, ReplayMeta, SNAPSHOT_INTERVAL_FRAMES, Summary};
use serde::de::DeserializeOwned;
use snapback_core::Frame;
use snapback_core::limits::LAST_FRAME;

/// The most bytes that the names of fields unpack to.
pub(crate) const MAX_FIELDS_BYTES: usize = 8 << 20;

/// The most acceptances that a replay remembers.
pub(crate) const MAX_ACCEPTANCES: usize = 1_024;

/// How many bytes a signature block holds: a key and a signature.
pub(crate) const SIGNATURE_BYTES: usize = 32 + 64;

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct ChunkPlace {
    /// How many frames come before it.
    pub(crate) first: u64,
    pub(crate) block: Place,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct SnapshotPlace {
    pub(crate) frame: Frame,
    pub(crate) block: Place,
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
    /// Where a signature is, and so what it signs: all bytes before it.
    pub(crate) signature: Option<Place>,
    pub(crate) frames: u64,
    pub(crate) digest: u32,
    /// Where the last whole block ends.
    pub(crate) whole_bytes: usize,
}

impl Contents {
    /// Reads up to the last whole block, and says what is wrong with the one after it.
    pub(crate) fn read(bytes: &[u8]) -> Result<(Self, Option<ReplayFileError>), ReplayFileError> {
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
        let damage = loop {
            let block = match blocks.next() {
                Ok(Some(block)) => block,
                Ok(None) => break None,
                Err(damage) => break Some(damage),
            };
            if !may_follow(block.kind, latest) {
                return Err(block.invalid(format!("it stands after the {} block", latest.name())));
            }
            latest = block.kind;
            match block.kind {
                BlockKind::Frames => contents.take_frames(&block, &mut digest)?,
                BlockKind::Snapshot => contents.take_snapshot(&block)?,
                BlockKind::Acceptance => contents.take_acceptance(&block)?,
                BlockKind::End => contents.take_end(&block, digest.value())?,
                BlockKind::Signature => contents.take_signature(&block)?,
                BlockKind::Meta | BlockKind::Fields => {}
            }
            contents.whole_bytes = blocks.offset_bytes();
        };
        contents.digest = digest.value();
        Ok((contents, damage))
    }

    fn take_frames(&mut self, block: &Block<'_>, digest: &mut Digest) -> Result<(), ReplayFileError> {
        let chunk = Chunk::parse(block.payload, &self.meta).map_err(|reason| block.invalid(reason))?;
        digest.add_all(chunk.hash_bytes());
        let since_snapshot = self.snapshots.last().map_or(0, |snapshot| self.last_frame() - snapshot.frame);
        if since_snapshot >= SNAPSHOT_INTERVAL_FRAMES as i64 {
            return Err(block.invalid(format!("{since_snapshot} frames come before it without a snapshot")));
        }
        self.chunks.push(ChunkPlace { first: self.frames, block: block.place() });
        self.frames += chunk.count as u64;
        if self.last_frame().number() > LAST_FRAME {
            return Err(block.invalid(format!("its last frame is {}; none is after {LAST_FRAME}", self.last_frame())));
        }
        Ok(())
    }

    /// The last frame; the one before the first if there are none.
    pub(crate) fn last_frame(&self) -> Frame {
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
        self.snapshots.push(SnapshotPlace { frame, block: block.place() });
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

    fn take_signature(&mut self, block: &Block<'_>) -> Result<(), ReplayFileError> {
        if block.payload.len() != SIGNATURE_BYTES {
            return Err(block.invalid(format!("it has {} bytes and not {SIGNATURE_BYTES}", block.payload.len())));
        }
        self.signature = Some(block.place());
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
