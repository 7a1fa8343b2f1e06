//! [`Recorder`]: writes a replay while the match is played.

use crate::format::acceptance::Digest;
use crate::format::block::{self, BlockKind};
use crate::format::chunk::ChunkBuilder;
use crate::format::packed::pack;
use crate::format::reading::{MAX_ACCEPTANCES, MAX_FIELDS_BYTES};
use crate::format::{
    Acceptance, FieldTable, FieldTables, MAX_STATE_BYTES, Provenance, ReplayMeta, SNAPSHOT_INTERVAL_FRAMES, Source, Summary,
};
use core::fmt;
use core::marker::PhantomData;
use snapback_core::codec::write_input;
use snapback_core::limits::LAST_FRAME;
use snapback_core::{
    Command, Effects, Frame, FrameInputs, InputStatus, PlayerInput, SideEffectPolicy, SimInput, Simulation, StateHash, StateLayout,
};
use std::io::{self, Write};

/// What a recording needs to be told.
#[derive(Clone, PartialEq, Debug)]
pub struct RecordSettings {
    /// The seed of the match.
    pub seed: u64,
    /// How many players there are.
    pub players: usize,
    /// The first frame that is stepped.
    pub first_frame: Frame,
    /// Frames a second.
    pub frame_hz: u16,
    /// Whether the state after every frame is kept, and not only its hash: then a divergence names
    /// the field, and not only the frame. It makes a file about three times as large.
    pub trace: bool,
    /// How the game must be set up, in the game's own words.
    pub setup: String,
    /// Who records.
    pub provenance: Provenance,
}

impl RecordSettings {
    /// For inputs that were made up: from frame 0, at 60 frames a second, with a trace.
    #[must_use]
    pub fn generated(seed: u64, players: usize) -> Self {
        let provenance = Provenance::here(Source::Generated, "");
        Self { seed, players, first_frame: Frame::ZERO, frame_hz: 60, trace: true, setup: String::new(), provenance }
    }

    /// For a match that a session plays: from frame 0, at 60 frames a second, without a trace.
    #[must_use]
    pub fn live(seed: u64, players: usize) -> Self {
        let provenance = Provenance::here(Source::Live, "");
        Self { trace: false, provenance, ..Self::generated(seed, players) }
    }
}

/// Steps `simulation` straight through the inputs of each frame, by player, and records it.
///
/// # Errors
/// If the match cannot be recorded.
pub fn record<S: Simulation>(
    simulation: &mut S,
    settings: RecordSettings,
    inputs: impl IntoIterator<Item = Vec<S::Input>>,
) -> Result<Vec<u8>, RecordError> {
    let (seed, players, mut frame) = (settings.seed, settings.players, settings.first_frame);
    simulation.reset(seed, players).map_err(|error| RecordError::WrongShape { reason: error.to_string() })?;
    let mut recorder = Recorder::new(Vec::new(), simulation, settings)?;
    let mut snapshot = vec![0; simulation.layout().size_bytes()];
    let mut effects = Effects::with_capacity(0);
    for inputs in inputs {
        let confirmed = |input| PlayerInput { input, command: Command::NONE, status: InputStatus::Confirmed };
        let inputs: Vec<_> = inputs.into_iter().map(confirmed).collect();
        effects.begin(frame, SideEffectPolicy::TelemetryOnly);
        simulation.step(frame, &FrameInputs::new(&inputs), &mut effects);
        simulation.capture(&mut snapshot);
        recorder.record(frame, &inputs, simulation.hash(seed, frame, &snapshot), &snapshot)?;
        frame = frame.next();
    }
    recorder.finish()
}

/// Why a frame was not recorded.
#[derive(Debug)]
pub enum RecordError {
    /// It is not the next frame.
    OutOfOrder {
        /// The frame that was given.
        given: Frame,
        /// The frame that is next.
        next: Frame,
    },
    /// It is not of the match that the recording began with.
    WrongShape {
        /// What is wrong with it.
        reason: String,
    },
    /// The file cannot be written.
    Io(io::Error),
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfOrder { given, next } => {
                write!(f, "frame {given} was recorded while frame {next} is next; record every frame once, in order")
            }
            Self::WrongShape { reason } => write!(f, "this cannot be recorded: {reason}"),
            Self::Io(error) => write!(f, "the recording cannot be written: {error}"),
        }
    }
}

impl std::error::Error for RecordError {}

impl From<io::Error> for RecordError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Writes confirmed frames, one after another.
///
/// A second of frames is written and flushed at a time, so a crash loses at most a second, and what
/// is left can be [recovered](crate::GoldenReplay::recover). Writing allocates; give it frames
/// outside of the tick if that matters.
#[derive(Debug)]
pub struct Recorder<I: SimInput, W: Write> {
    out: W,
    meta: ReplayMeta,
    layout: StateLayout,
    chunk: ChunkBuilder,
    next: Frame,
    blocks: u32,
    since_snapshot: usize,
    summary: Summary,
    digest: Digest,
    payload: Vec<u8>,
    canonical: Vec<u8>,
    input: PhantomData<I>,
}

impl<I: SimInput, W: Write> Recorder<I, W> {
    /// Begins a recording of `simulation`, which has been reset for the match and not stepped yet.
    ///
    /// # Errors
    /// If the match cannot be recorded, or the file not be written.
    pub fn new<S: Simulation<Input = I>>(out: W, simulation: &S, settings: RecordSettings) -> Result<Self, RecordError> {
        let layout = simulation.layout();
        let id = simulation.id();
        let wrong = |reason| RecordError::WrongShape { reason };
        let state_bytes = layout.size_bytes();
        if state_bytes > MAX_STATE_BYTES {
            return Err(wrong(format!("a state has {state_bytes} bytes; at most {MAX_STATE_BYTES} are possible")));
        }
        let meta = ReplayMeta {
            simulation: id.name.to_owned(),
            simulation_version: id.version,
            config_hash: simulation.config_hash(),
            layout_fingerprint: layout.fingerprint(),
            seed: settings.seed,
            players: u8::try_from(settings.players).unwrap_or(u8::MAX),
            first_frame: settings.first_frame.number(),
            frame_hz: settings.frame_hz,
            input_bytes: u8::try_from(size_of::<I>()).unwrap_or(u8::MAX),
            state_bytes: u32::try_from(state_bytes).unwrap_or(u32::MAX),
            has_trace: settings.trace,
            setup: settings.setup,
            provenance: settings.provenance,
        };
        meta.check().map_err(wrong)?;
        let mut snapshot = vec![0; state_bytes];
        simulation.capture(&mut snapshot);
        let mut canonical = vec![0; state_bytes];
        let _ = layout.encode(&snapshot, &mut canonical);
        let mut recorder = Self {
            out,
            chunk: ChunkBuilder::new(&meta, &canonical),
            next: settings.first_frame,
            meta,
            layout,
            blocks: 0,
            since_snapshot: 0,
            summary: Summary::default(),
            digest: Digest::default(),
            payload: Vec::new(),
            canonical,
            input: PhantomData,
        };
        recorder.begin()?;
        Ok(recorder)
    }

    fn begin(&mut self) -> Result<(), RecordError> {
        self.out.write_all(&block::preamble())?;
        let meta = to_postcard(&self.meta)?;
        self.write(BlockKind::Meta, &meta)?;
        let fields = FieldTables { state: FieldTable::of(&self.layout), input: FieldTable::of(&StateLayout::of::<I>()) };
        fields.check(self.meta.state_bytes as usize, self.meta.input_bytes.into()).map_err(|reason| RecordError::WrongShape { reason })?;
        let names = to_postcard(&fields)?;
        if names.len() > MAX_FIELDS_BYTES {
            let reason = format!("the names of the fields have {} bytes; at most {MAX_FIELDS_BYTES} are possible", names.len());
            return Err(RecordError::WrongShape { reason });
        }
        let mut packed = Vec::new();
        pack(&names, &mut packed);
        self.write(BlockKind::Fields, &packed)?;
        self.write_snapshot()?;
        Ok(self.out.flush()?)
    }

    /// Records a frame whose inputs are all confirmed: what the players pressed, and the hash and
    /// the snapshot of the state after it.
    ///
    /// # Errors
    /// If it is not the next frame, or the file cannot be written.
    pub fn record(&mut self, frame: Frame, inputs: &[PlayerInput<I>], hash: StateHash, snapshot: &[u8]) -> Result<(), RecordError> {
        if frame != self.next {
            return Err(RecordError::OutOfOrder { given: frame, next: self.next });
        }
        if frame.number() > LAST_FRAME {
            // The file could not be read again.
            return Err(RecordError::WrongShape { reason: format!("frame {frame} is after the last that there can be, {LAST_FRAME}") });
        }
        if inputs.len() != usize::from(self.meta.players) {
            let reason = format!("frame {frame} has {} players; the match has {}", inputs.len(), self.meta.players);
            return Err(RecordError::WrongShape { reason });
        }
        self.layout.encode(snapshot, &mut self.canonical).map_err(|error| RecordError::WrongShape { reason: error.to_string() })?;
        let input = |player: usize, out: &mut [u8]| {
            let Some(pressed) = inputs.get(player) else { return Command::NONE };
            write_input(&pressed.input, out);
            pressed.command
        };
        self.chunk.push(input, hash, &self.canonical);
        self.digest.add(hash);
        self.summary.frames += 1;
        self.since_snapshot += 1;
        self.next = frame.next();
        if self.chunk.is_full() {
            self.write_chunk()?;
            if self.since_snapshot >= SNAPSHOT_INTERVAL_FRAMES {
                self.write_snapshot()?;
            }
            self.out.flush()?;
        }
        Ok(())
    }

    /// Keeps the state after the last frame, although the file has no trace: then a difference in that very
    /// frame is told field by field.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn keep_state(&mut self) -> Result<(), RecordError> {
        if self.since_snapshot == 0 {
            return Ok(());
        }
        if !self.chunk.is_empty() {
            self.write_chunk()?;
        }
        self.write_snapshot()
    }

    /// The frame that must be recorded next.
    pub fn next_frame(&self) -> Frame {
        self.next
    }

    /// Notes how many rollbacks the session has been through, and how deep the deepest was.
    pub fn note_rollbacks(&mut self, rollbacks: u64, max_rollback_frames: u32) {
        self.summary.rollbacks = rollbacks;
        self.summary.max_rollback_frames = max_rollback_frames;
    }

    /// Ends the recording.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(self) -> Result<W, RecordError> {
        self.finish_accepted(&[])
    }

    /// Ends a recording that takes the place of another, with the changes that were accepted.
    ///
    /// # Errors
    /// If an acceptance is not one, or the file cannot be written.
    pub fn finish_accepted(mut self, acceptances: &[Acceptance]) -> Result<W, RecordError> {
        if !self.chunk.is_empty() {
            self.write_chunk()?;
        }
        if acceptances.len() > MAX_ACCEPTANCES {
            let reason = format!("there are {} acceptances; at most {MAX_ACCEPTANCES} are possible", acceptances.len());
            return Err(RecordError::WrongShape { reason });
        }
        for acceptance in acceptances {
            acceptance.check().map_err(|reason| RecordError::WrongShape { reason })?;
            let payload = to_postcard(acceptance)?;
            self.write(BlockKind::Acceptance, &payload)?;
        }
        let summary = to_postcard(&Summary { digest: self.digest.value(), ..self.summary })?;
        self.write(BlockKind::End, &summary)?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn write_chunk(&mut self) -> Result<(), RecordError> {
        let mut payload = core::mem::take(&mut self.payload);
        payload.clear();
        self.chunk.finish(&mut payload);
        let written = self.write(BlockKind::Frames, &payload);
        self.payload = payload;
        written
    }

    fn write_snapshot(&mut self) -> Result<(), RecordError> {
        self.since_snapshot = 0;
        let mut payload = self.next.previous().number().to_le_bytes().to_vec();
        pack(self.chunk.state(), &mut payload);
        self.write(BlockKind::Snapshot, &payload)
    }

    fn write(&mut self, kind: BlockKind, payload: &[u8]) -> Result<(), RecordError> {
        let mut bytes = Vec::with_capacity(payload.len() + 12);
        block::write(self.blocks, kind, payload, &mut bytes);
        self.blocks = self.blocks.saturating_add(1);
        Ok(self.out.write_all(&bytes)?)
    }
}

pub(crate) fn to_postcard<T: serde::Serialize>(value: &T) -> Result<Vec<u8>, RecordError> {
    postcard::to_allocvec(value).map_err(|error| RecordError::WrongShape { reason: error.to_string() })
}
