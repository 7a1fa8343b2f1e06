//! [`GoldenReplay`]: a replay file that was read and holds what it promises.

use crate::format::chunk::Chunk;
use crate::format::packed::unpack;
use crate::format::reading::{ChunkPlace, Contents, SnapshotPlace};
use crate::format::{Acceptance, FieldTables, ReplayFileError, ReplayMeta, Summary};
use snapback_core::codec::read_input;
use snapback_core::{Command, Frame, InputStatus, PlayerInput, SimInput, StateHash};

/// A recorded match: its inputs, and the state hash after every frame.
///
/// Reading checks every checksum and what the blocks say of each other. Inputs, traces and
/// snapshots stay packed, so memory is that of the file; what they hold is checked whenever one of
/// them is read, or by [`check`](Self::check).
#[derive(Clone, PartialEq, Debug)]
pub struct GoldenReplay {
    bytes: Vec<u8>,
    contents: Contents,
}

/// One recorded frame: what everybody pressed, and the hash that came of it.
#[derive(Clone, PartialEq, Debug)]
pub struct RawFrame {
    /// The frame.
    pub frame: Frame,
    /// The canonical bytes of each player's input.
    pub inputs: Vec<Vec<u8>>,
    /// Each player's command.
    pub commands: Vec<Command>,
    /// The hash of the state after the frame.
    pub hash: StateHash,
}

/// The frames of one block, with typed inputs.
#[derive(Clone, Debug)]
pub struct FrameBlock<I> {
    players: usize,
    inputs: Vec<PlayerInput<I>>,
    /// As they stand in the file.
    hashes: Vec<u8>,
}

impl<I: SimInput> FrameBlock<I> {
    /// Nothing yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { players: 1, inputs: Vec::new(), hashes: Vec::new() }
    }

    /// Each frame's inputs, by player, and its hash.
    pub fn frames(&self) -> impl Iterator<Item = (&[PlayerInput<I>], StateHash)> {
        self.inputs.chunks_exact(self.players.max(1)).zip(self.hashes.as_chunks::<4>().0.iter().map(stored_hash))
    }

    /// The hashes of the first `count` frames, little-endian.
    pub(crate) fn hash_bytes(&self, count: usize) -> &[u8] {
        self.hashes.get(..4 * count).unwrap_or(&self.hashes)
    }

    /// The inputs, by player, and the hash of the frame at `index` of the block.
    pub(crate) fn frame(&self, index: usize) -> Option<(&[PlayerInput<I>], StateHash)> {
        let start = index.checked_mul(self.players)?;
        Some((self.inputs.get(start..)?.get(..self.players)?, stored_hash(self.hashes.as_chunks::<4>().0.get(index)?)))
    }
}

impl<I: SimInput> Default for FrameBlock<I> {
    fn default() -> Self {
        Self::new()
    }
}

impl GoldenReplay {
    /// Reads a whole file.
    ///
    /// # Errors
    /// If the bytes are not a replay from its beginning to its end block.
    pub fn read(bytes: impl Into<Vec<u8>>) -> Result<Self, ReplayFileError> {
        let bytes = bytes.into();
        let offset_bytes = bytes.len();
        let (replay, damage) = Self::open(bytes)?;
        if let Some(damage) = damage {
            return Err(damage);
        }
        if !replay.is_complete() {
            return Err(ReplayFileError::Truncated { offset_bytes, frames: replay.contents.frames });
        }
        match offset_bytes - replay.bytes.len() {
            0 => Ok(replay),
            more => Err(invalid("last", replay.bytes.len(), format!("{more} bytes follow the end of the replay"))),
        }
    }

    /// Reads a file that may have been cut off or damaged, as by a crash or a loss of power:
    /// everything up to its last whole block. The rest of the bytes is let go. Such a replay is not
    /// [complete](Self::is_complete), unless the end block is there and only what is behind it is not
    /// whole.
    ///
    /// # Errors
    /// If not even the beginning is there, or a whole block holds what no replay holds.
    pub fn recover(bytes: impl Into<Vec<u8>>) -> Result<Self, ReplayFileError> {
        Ok(Self::open(bytes.into())?.0)
    }

    fn open(mut bytes: Vec<u8>) -> Result<(Self, Option<ReplayFileError>), ReplayFileError> {
        let (contents, damage) = Contents::read(&bytes)?;
        bytes.truncate(contents.whole_bytes);
        Ok((Self { bytes, contents }, damage))
    }

    /// Whether the end block is there.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.contents.summary.is_some()
    }

    /// The file.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many bytes there are up to the end of the last whole block: all, unless it was cut off.
    #[must_use]
    pub const fn whole_bytes(&self) -> usize {
        self.contents.whole_bytes
    }

    /// Which match of which game it is.
    #[must_use]
    pub const fn meta(&self) -> &ReplayMeta {
        &self.contents.meta
    }

    /// What the bytes of its states and inputs are called.
    #[must_use]
    pub const fn fields(&self) -> &FieldTables {
        &self.contents.fields
    }

    /// How the recording ended; `None` if it was cut off.
    #[must_use]
    pub const fn summary(&self) -> Option<Summary> {
        self.contents.summary
    }

    /// The changes that were accepted, the oldest first.
    #[must_use]
    pub fn acceptances(&self) -> &[Acceptance] {
        &self.contents.acceptances
    }

    /// CRC-32 over the state hashes of all frames: one number for the whole replay.
    #[must_use]
    pub const fn digest(&self) -> u32 {
        self.contents.digest
    }

    /// How many frames there are.
    #[must_use]
    pub const fn frame_count(&self) -> u64 {
        self.contents.frames
    }

    /// The last frame; the one before the first if there are none.
    #[must_use]
    pub fn last_frame(&self) -> Frame {
        self.contents.last_frame()
    }

    /// Whether it carries a signature. Whether that holds is another question.
    #[must_use]
    pub const fn is_signed(&self) -> bool {
        self.contents().signature.is_some()
    }

    pub(crate) const fn contents(&self) -> &Contents {
        &self.contents
    }

    /// How many blocks of frames there are.
    #[must_use]
    pub fn block_count(&self) -> usize {
        self.contents.chunks.len()
    }

    /// The first frame of a block of frames; `None` beyond the last block.
    #[must_use]
    pub fn block_start(&self, block: usize) -> Option<Frame> {
        self.contents.chunks.get(block).map(|place| self.frame_at(place.first))
    }

    /// The block that `frame` is in.
    #[must_use]
    pub fn block_of(&self, frame: Frame) -> Option<usize> {
        let index = self.index_of(frame)?;
        self.contents.chunks.partition_point(|place| place.first <= index).checked_sub(1)
    }

    /// The hash of the state after `frame`; `None` for a frame that is not there.
    #[must_use]
    pub fn hash(&self, frame: Frame) -> Option<StateHash> {
        let index = self.index_of(frame)?;
        let place = self.contents.chunks.get(self.block_of(frame)?)?;
        let chunk = self.chunk(place).ok()?;
        Some(chunk.hash(usize::try_from(index - place.first).ok()?))
    }

    /// Reads a block of frames into `out`; `false` beyond the last block.
    ///
    /// # Errors
    /// If the inputs are not what they should be.
    #[inline]
    pub fn read_block<I: SimInput>(&self, block: usize, out: &mut FrameBlock<I>) -> Result<bool, ReplayFileError> {
        let Some(place) = self.contents.chunks.get(block) else { return Ok(false) };
        let chunk = self.chunk(place)?;
        let players = usize::from(self.meta().players);
        out.players = players;
        // What is there from before is written over, every input of it.
        out.inputs.resize(players * chunk.count, PlayerInput::neutral(InputStatus::Confirmed));
        let mut refused = None;
        let read = chunk.read_spans(self.meta(), |player, span, bytes, command| match read_input(bytes) {
            Ok(input) => {
                let held = PlayerInput { input, command: Command::NONE, status: InputStatus::Confirmed };
                let slots = out.inputs.get_mut(span.start * players + player..).unwrap_or_default();
                slots.iter_mut().step_by(players).take(span.len()).for_each(|slot| *slot = held);
                if let Some(first) = slots.first_mut() {
                    first.command = command;
                }
            }
            Err(error) => refused = refused.take().or(Some((player, span.start, error))),
        });
        let problem = match (read, refused) {
            (Err(reason), _) => Some(reason),
            (Ok(()), Some((player, index, error))) => {
                Some(format!("player {player} at frame {}: {error}", self.frame_at(place.first + index as u64)))
            }
            (Ok(()), None) => None,
        };
        if let Some(reason) = problem {
            *out = FrameBlock::new();
            return Err(invalid("frames", place.block.offset_bytes, reason));
        }
        out.hashes.clear();
        out.hashes.extend_from_slice(chunk.hash_bytes());
        Ok(true)
    }

    /// The frames of a block as bytes; none beyond the last block.
    ///
    /// # Errors
    /// If the block is not what it should be.
    pub fn raw_block(&self, block: usize) -> Result<Vec<RawFrame>, ReplayFileError> {
        let Some(place) = self.contents.chunks.get(block) else { return Ok(Vec::new()) };
        let chunk = self.chunk(place)?;
        let frame = |index| RawFrame {
            frame: self.frame_at(place.first + index as u64),
            inputs: Vec::new(),
            commands: Vec::new(),
            hash: chunk.hash(index),
        };
        let mut frames: Vec<RawFrame> = (0..chunk.count).map(frame).collect();
        chunk
            .read_inputs(self.meta(), |_, index, bytes, command| {
                if let Some(raw) = frames.get_mut(index) {
                    raw.inputs.push(bytes.to_vec());
                    raw.commands.push(command);
                }
            })
            .map_err(|reason| invalid("frames", place.block.offset_bytes, reason))?;
        Ok(frames)
    }

    /// One frame as bytes; `None` for a frame that is not there.
    ///
    /// # Errors
    /// If the block that it is in is not what it should be.
    pub fn raw_frame(&self, frame: Frame) -> Result<Option<RawFrame>, ReplayFileError> {
        let (Some(block), Some(at)) = (self.block_of(frame), self.index_of(frame)) else { return Ok(None) };
        let Some(place) = self.contents.chunks.get(block) else { return Ok(None) };
        let chunk = self.chunk(place)?;
        let at = usize::try_from(at - place.first).unwrap_or(usize::MAX);
        let mut raw = RawFrame { frame, inputs: Vec::new(), commands: Vec::new(), hash: chunk.hash(at) };
        chunk
            .read_inputs(self.meta(), |_, index, bytes, command| {
                if index == at {
                    raw.inputs.push(bytes.to_vec());
                    raw.commands.push(command);
                }
            })
            .map_err(|reason| invalid("frames", place.block.offset_bytes, reason))?;
        Ok(Some(raw))
    }

    /// The newest snapshot at or before `frame`, as canonical bytes. There always is one: the state
    /// before the first frame.
    ///
    /// # Errors
    /// If the snapshot is not what it should be.
    pub fn snapshot_before(&self, frame: Frame) -> Result<(Frame, Vec<u8>), ReplayFileError> {
        let at = self.contents.snapshots.partition_point(|place| place.frame <= frame).saturating_sub(1);
        let Some(place) = self.contents.snapshots.get(at) else {
            return Err(invalid("snapshot", 0, "there is none".to_owned()));
        };
        Ok((place.frame, self.unpacked(place)?))
    }

    /// The frame of the newest snapshot at or before `frame`.
    pub(crate) fn snapshot_frame_before(&self, frame: Frame) -> Frame {
        let at = self.contents.snapshots.partition_point(|place| place.frame <= frame).saturating_sub(1);
        self.contents.snapshots.get(at).map_or(self.frame_at(0).previous(), |place| place.frame)
    }

    /// The frames after which there are snapshots.
    pub fn snapshot_frames(&self) -> impl Iterator<Item = Frame> {
        self.contents.snapshots.iter().map(|place| place.frame)
    }

    /// The canonical state after `frame`: from the trace, or if `frame` has a snapshot; else `None`.
    ///
    /// # Errors
    /// If the blocks on the way are not what they should be.
    pub fn state(&self, frame: Frame) -> Result<Option<Vec<u8>>, ReplayFileError> {
        if frame < self.frame_at(0).previous() || frame > self.last_frame() {
            return Ok(None);
        }
        let (from, mut state) = self.snapshot_before(frame)?;
        if from == frame {
            return Ok(Some(state));
        }
        let (Some(first), Some(last)) = (self.block_of(from.next()), self.block_of(frame)) else { return Ok(None) };
        let mut found = None;
        for place in self.contents.chunks.get(first..=last).unwrap_or_default() {
            let is_there = self
                .chunk(place)?
                .read_trace(&mut state, |index, state| {
                    if self.frame_at(place.first + index as u64) == frame {
                        found = Some(state.to_vec());
                    }
                })
                .map_err(|reason| invalid("frames", place.block.offset_bytes, reason))?;
            if !is_there {
                return Ok(None);
            }
        }
        Ok(found)
    }

    /// Whether there is a frame to be played.
    ///
    /// # Errors
    /// If there is none: whoever plays such a replay has proved nothing.
    pub fn check_not_empty(&self) -> Result<(), ReplayFileError> {
        let reason = || "there are no frames, which proves nothing; record it anew or delete it".to_owned();
        if self.frame_count() == 0 { Err(invalid("end", self.whole_bytes(), reason())) } else { Ok(()) }
    }

    /// Reads everything once: inputs, traces and snapshots.
    ///
    /// # Errors
    /// The first thing that is not what it should be.
    pub fn check(&self) -> Result<(), ReplayFileError> {
        let mut state = self.snapshot_before(Frame::new(i64::MIN))?.1;
        for place in &self.contents.chunks {
            let chunk = self.chunk(place)?;
            let problem = |reason| invalid("frames", place.block.offset_bytes, reason);
            chunk.read_inputs(self.meta(), |_, _, _, _| {}).map_err(problem)?;
            chunk.read_trace(&mut state, |_, _| {}).map_err(problem)?;
            let end = self.frame_at(place.first + chunk.count as u64).previous();
            if let Ok(at) = self.contents.snapshots.binary_search_by_key(&end, |place| place.frame)
                && let Some(place) = self.contents.snapshots.get(at)
            {
                let snapshot = self.unpacked(place)?;
                if self.meta().has_trace && snapshot != state {
                    return Err(invalid("snapshot", place.block.offset_bytes, "it is not the state that the trace comes to".to_owned()));
                }
            }
        }
        Ok(())
    }

    fn unpacked(&self, place: &SnapshotPlace) -> Result<Vec<u8>, ReplayFileError> {
        let size_bytes = self.meta().state_bytes as usize;
        let packed = self.bytes.get(place.block.payload()).and_then(|payload| payload.get(8..)).unwrap_or_default();
        let problem = |reason| invalid("snapshot", place.block.offset_bytes, reason);
        let state = unpack(packed, size_bytes).map_err(problem)?;
        if state.len() == size_bytes {
            return Ok(state);
        }
        Err(problem(format!("it has {} bytes; a state has {size_bytes}", state.len())))
    }

    fn chunk(&self, place: &ChunkPlace) -> Result<Chunk<'_>, ReplayFileError> {
        let payload = self.bytes.get(place.block.payload()).unwrap_or_default();
        Chunk::parse(payload, self.meta()).map_err(|reason| invalid("frames", place.block.offset_bytes, reason))
    }

    fn frame_at(&self, index: u64) -> Frame {
        Frame::new(self.contents.meta.first_frame.saturating_add_unsigned(index))
    }

    /// The how manieth frame it is, from 0.
    fn index_of(&self, frame: Frame) -> Option<u64> {
        let index = u64::try_from(frame.number().checked_sub(self.contents.meta.first_frame)?).ok()?;
        (index < self.contents.frames).then_some(index)
    }
}

fn stored_hash(raw: &[u8; 4]) -> StateHash {
    StateHash::from_bits(u32::from_le_bytes(*raw))
}

fn invalid(block: &'static str, offset_bytes: usize, reason: String) -> ReplayFileError {
    ReplayFileError::Invalid { offset_bytes, block, reason }
}
