//! The frames block: inputs, hashes and traces of up to a second.

use super::packed;
use super::{MAX_CHUNK_FRAMES, ReplayMeta, chunk_frames};
use core::ops::Range;
use snapback_core::codec::{BitReader, BitWriter, decode_spans, encode_run, worst_run_bytes};
use snapback_core::{Command, StateHash};

const TRACED: u8 = 1;

/// Collects the frames of one block.
#[derive(Debug)]
pub(crate) struct ChunkBuilder {
    players: usize,
    input_bytes: usize,
    capacity: usize,
    has_trace: bool,
    /// Canonical inputs and commands, by frame, then by player.
    inputs: Vec<u8>,
    commands: Vec<Command>,
    hashes: Vec<StateHash>,
    /// Changes of the state, by frame.
    changes: Vec<u8>,
    state: Vec<u8>,
}

impl ChunkBuilder {
    /// `state` is the canonical state before the first frame.
    pub(crate) fn new(meta: &ReplayMeta, state: &[u8]) -> Self {
        Self {
            players: meta.players.into(),
            input_bytes: meta.input_bytes.into(),
            capacity: chunk_frames(state.len()),
            has_trace: meta.has_trace,
            inputs: Vec::new(),
            commands: Vec::new(),
            hashes: Vec::new(),
            changes: Vec::new(),
            state: state.to_vec(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    pub(crate) fn is_full(&self) -> bool {
        self.hashes.len() >= self.capacity
    }

    /// The canonical state after the newest frame.
    pub(crate) fn state(&self) -> &[u8] {
        &self.state
    }

    /// Adds a frame: for each player the command, and the canonical input through `input`.
    pub(crate) fn push(&mut self, mut input: impl FnMut(usize, &mut [u8]) -> Command, hash: StateHash, state: &[u8]) {
        for player in 0..self.players {
            let start = self.inputs.len();
            self.inputs.resize(start + self.input_bytes, 0);
            let command = input(player, self.inputs.get_mut(start..).unwrap_or_default());
            self.commands.push(command);
        }
        self.hashes.push(hash);
        if self.has_trace {
            self.changes.extend(state.iter().zip(&self.state).map(|(now, before)| now ^ before));
        }
        self.state.copy_from_slice(state);
    }

    /// Appends the block's payload and begins the next block.
    pub(crate) fn finish(&mut self, out: &mut Vec<u8>) {
        let count = self.hashes.len();
        let mut inputs = vec![0; self.players * worst_run_bytes(self.input_bytes, count) + 8];
        let mut writer = BitWriter::new(&mut inputs);
        for player in 0..self.players {
            encode_run(&mut writer, self.input_bytes, count, |index, bytes| {
                let at = index * self.players + player;
                let from = self.inputs.get(at * self.input_bytes..).and_then(|rest| rest.get(..self.input_bytes));
                bytes.copy_from_slice(from.unwrap_or(&[0; 64][..bytes.len()]));
                self.commands.get(at).copied().unwrap_or_default()
            });
        }
        // The buffer is as large as the worst case, so this always fits.
        let len = writer.finish().unwrap_or(0);
        out.extend_from_slice(&[u8::try_from(count).unwrap_or(u8::MAX), if self.has_trace { TRACED } else { 0 }]);
        out.extend_from_slice(&u32::try_from(len).unwrap_or(u32::MAX).to_le_bytes());
        out.extend_from_slice(inputs.get(..len).unwrap_or_default());
        self.hashes.iter().for_each(|hash| out.extend_from_slice(&hash.bits().to_le_bytes()));
        if self.has_trace {
            packed::pack(&transposed(&self.changes, count, self.state.len()), out);
        }
        self.inputs.clear();
        self.commands.clear();
        self.hashes.clear();
        self.changes.clear();
    }
}

/// A table of `rows` rows, given row by row, column by column.
fn transposed(table: &[u8], rows: usize, columns: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(table.len());
    for column in 0..columns {
        out.extend((0..rows).filter_map(|row| table.get(row * columns + column)));
    }
    out
}

/// The parts of a frames block that is framed right. What they hold is checked when it is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chunk<'a> {
    pub(crate) count: usize,
    inputs: &'a [u8],
    hashes: &'a [u8],
    trace: Option<&'a [u8]>,
}

impl<'a> Chunk<'a> {
    pub(crate) fn parse(payload: &'a [u8], meta: &ReplayMeta) -> Result<Self, String> {
        let short = || "it is too short".to_owned();
        let (head, rest) = payload.split_first_chunk::<6>().ok_or_else(short)?;
        let [count, flags, l0, l1, l2, l3] = *head;
        let most = chunk_frames(meta.state_bytes as usize).min(MAX_CHUNK_FRAMES);
        let count = usize::from(count);
        if count == 0 || count > most {
            return Err(format!("it has {count} frames; from 1 to {most} are possible"));
        }
        if flags != if meta.has_trace { TRACED } else { 0 } {
            return Err(format!("its flags are {flags:#04x}, which the meta block does not announce"));
        }
        let (inputs, rest) = rest.split_at_checked(u32::from_le_bytes([l0, l1, l2, l3]) as usize).ok_or_else(short)?;
        let (hashes, rest) = rest.split_at_checked(4 * count).ok_or_else(short)?;
        if !meta.has_trace && !rest.is_empty() {
            return Err(format!("{} bytes follow the hashes", rest.len()));
        }
        Ok(Self { count, inputs, hashes, trace: meta.has_trace.then_some(rest) })
    }

    /// The hash after the frame at `index`; 0 beyond the end.
    #[inline]
    pub(crate) fn hash(&self, index: usize) -> StateHash {
        let raw = self.hashes.as_chunks::<4>().0.get(index);
        StateHash::from_bits(raw.map_or(0, |raw| u32::from_le_bytes(*raw)))
    }

    /// The hashes of all frames as they stand.
    pub(crate) fn hash_bytes(&self) -> &'a [u8] {
        self.hashes
    }

    /// Shows every input: player, index of the frame, canonical bytes, command.
    pub(crate) fn read_inputs(&self, meta: &ReplayMeta, mut visit: impl FnMut(usize, usize, &[u8], Command)) -> Result<(), String> {
        self.read_spans(meta, |player, span, bytes, command| {
            for index in span.clone() {
                visit(player, index, bytes, if index == span.start { command } else { Command::NONE });
            }
        })
    }

    /// The same, but shows an input that is held for several frames once; the command is that of the
    /// first of them.
    #[inline]
    pub(crate) fn read_spans(&self, meta: &ReplayMeta, mut visit: impl FnMut(usize, Range<usize>, &[u8], Command)) -> Result<(), String> {
        let mut reader = BitReader::new(self.inputs);
        for player in 0..usize::from(meta.players) {
            decode_spans(&mut reader, meta.input_bytes.into(), self.count, |span, bytes, command| visit(player, span, bytes, command))
                .map_err(|error| error.to_string())?;
        }
        reader.finish().map_err(|error| error.to_string())
    }

    /// Shows the state after every frame, from the `state` before the first. `false` without a trace.
    pub(crate) fn read_trace(&self, state: &mut [u8], mut visit: impl FnMut(usize, &[u8])) -> Result<bool, String> {
        let Some(trace) = self.trace else { return Ok(false) };
        let limit_bytes = self.count * state.len();
        let changes = packed::unpack(trace, limit_bytes)?;
        if changes.len() != limit_bytes {
            return Err(format!("the trace has {} bytes; {limit_bytes} are needed", changes.len()));
        }
        for index in 0..self.count {
            for (byte, change) in state.iter_mut().zip(changes.iter().skip(index).step_by(self.count)) {
                *byte ^= change;
            }
            visit(index, state);
        }
        Ok(true)
    }
}
