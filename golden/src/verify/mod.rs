//! [`verify`]: plays a replay and compares the hash of every frame.

mod compatible;
mod divergence;

pub use compatible::{Change, PlayError};
pub use divergence::{Evidence, InputLine, ReplayDivergence};

pub(crate) use compatible::start;

use crate::format::ReplayMeta;
use crate::format::acceptance::Digest;
use crate::{FrameBlock, GoldenReplay};
use snapback_core::{Effects, Frame, FrameInputs, PlayerInput, SideEffectPolicy, Simulation, StateHash};

/// What came of playing a replay.
#[derive(Clone, PartialEq, Debug)]
pub struct Verified {
    /// How many frames gave the recorded hash.
    pub frames: u64,
    /// CRC-32 over the hashes that were computed.
    pub digest: u32,
    /// What is different about the game since the recording.
    pub changes: Vec<Change>,
    /// What came of it.
    pub verdict: Verdict,
}

/// Whether a replay still gives the same bits.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// Every hash is the recorded one.
    Same,
    /// A frame is not what was recorded.
    Diverged(Box<ReplayDivergence>),
    /// The same inputs gave one state and then another one, in this process: the simulation is not
    /// deterministic, and no result of it can be trusted.
    Unstable {
        /// The frame.
        frame: Frame,
        /// What it gave first.
        first: StateHash,
        /// What it gave then.
        second: StateHash,
    },
}

impl Verified {
    /// Whether every hash is the recorded one.
    #[must_use]
    pub const fn is_same(&self) -> bool {
        matches!(self.verdict, Verdict::Same)
    }
}

/// Plays `replay` on the simulation that `make` makes of its meta block.
///
/// Frames are stepped straight, up to the first whose hash is not the recorded one. Only then is
/// the match played a second time, up to that frame: to name the field, and to see whether it
/// comes to the same state again.
///
/// # Errors
/// If the replay cannot be played at all. A divergence is not an error but a verdict.
///
/// ```
/// # use snapback_core::*;
/// # use snapback_core::state::pod;
/// # struct Race(u64);
/// # impl Simulation for Race {
/// #     type Input = u8;
/// #     fn id(&self) -> SimulationId { SimulationId { name: "race", version: 1 } }
/// #     fn layout(&self) -> StateLayout { StateLayout::of::<u64>() }
/// #     fn reset(&mut self, _: u64, _: usize) -> Result<(), ResetError> { self.0 = 0; Ok(()) }
/// #     fn step(&mut self, _: Frame, inputs: &FrameInputs<'_, u8>, _: &mut Effects) {
/// #         self.0 = self.0.wrapping_add(inputs.input(PlayerHandle::new(0)).into());
/// #     }
/// #     fn capture(&self, out: &mut [u8]) { pod::capture(&self.0, out) }
/// #     fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> { pod::restore(&mut self.0, snapshot) }
/// # }
/// use snapback_golden::{GoldenReplay, RecordSettings, record, verify};
///
/// let settings = RecordSettings::generated(7, 1);
/// let file = record(&mut Race(0), settings, (0..600u32).map(|frame| vec![(frame / 10) as u8])).unwrap();
/// let replay = GoldenReplay::read(file).unwrap();
/// let verified = verify(&replay, |_| Ok(Race(0))).unwrap();
/// assert!(verified.is_same());
/// assert_eq!(verified.frames, 600);
/// ```
pub fn verify<S: Simulation>(replay: &GoldenReplay, mut make: impl FnMut(&ReplayMeta) -> Result<S, String>) -> Result<Verified, PlayError> {
    let mut run = Run::new(replay, &mut make)?;
    let changes = core::mem::take(&mut run.changes);
    let mut digest = Digest::default();
    let mut frames = 0;
    let mut wrong = run.differs_at_the_start()?;
    let mut block = FrameBlock::new();
    let mut number = 0;
    while wrong.is_none() && replay.read_block(number, &mut block)? {
        number += 1;
        let mut same = 0;
        for (inputs, expected) in block.frames() {
            let hash = run.step(inputs);
            if hash != expected {
                wrong = Some((run.frame, hash));
                break;
            }
            same += 1;
        }
        frames += same as u64;
        // What was computed is what was recorded, up to the first that is not.
        digest.add_all(block.hash_bytes(same));
        wrong.iter().for_each(|(_, hash)| digest.add(*hash));
    }
    let verdict = match wrong {
        None => Verdict::Same,
        Some((frame, first)) => divergence::explain(replay, &mut make, frame, first)?,
    };
    Ok(Verified { frames, digest: digest.value(), changes, verdict })
}

/// A match that is being played from a replay.
pub(crate) struct Run<S> {
    pub(crate) simulation: S,
    pub(crate) changes: Vec<Change>,
    pub(crate) snapshot: Vec<u8>,
    /// The last frame that was stepped.
    pub(crate) frame: Frame,
    pub(crate) seed: u64,
    effects: Effects,
    start: Option<(Frame, Vec<u8>)>,
}

impl<S: Simulation> Run<S> {
    pub(crate) fn new(replay: &GoldenReplay, make: &mut impl FnMut(&ReplayMeta) -> Result<S, String>) -> Result<Self, PlayError> {
        let mut simulation = make(replay.meta()).map_err(|reason| PlayError::Setup { reason })?;
        let changes = start(replay, &mut simulation)?;
        let mut snapshot = vec![0; simulation.layout().size_bytes()];
        simulation.capture(&mut snapshot);
        let first_frame = replay.meta().first_frame();
        let start = Some(replay.snapshot_before(first_frame.previous())?);
        let seed = replay.meta().seed;
        Ok(Self { simulation, changes, snapshot, frame: first_frame.previous(), seed, effects: Effects::with_capacity(0), start })
    }

    /// Whether the state before the first frame is another one than was recorded.
    fn differs_at_the_start(&mut self) -> Result<Option<(Frame, StateHash)>, PlayError> {
        let Some((_, recorded)) = self.start.take() else { return Ok(None) };
        let same = self.canonical() == recorded;
        Ok((!same).then(|| (self.frame, self.hash())))
    }

    /// The state as canonical bytes.
    pub(crate) fn canonical(&self) -> Vec<u8> {
        let mut canonical = vec![0; self.snapshot.len()];
        // The lengths are the same, so this cannot fail.
        let _ = self.simulation.layout().encode(&self.snapshot, &mut canonical);
        canonical
    }

    pub(crate) fn hash(&self) -> StateHash {
        self.simulation.hash(self.seed, self.frame, &self.snapshot)
    }

    #[inline]
    pub(crate) fn step(&mut self, inputs: &[PlayerInput<S::Input>]) -> StateHash {
        self.frame = self.frame.next();
        self.effects.begin(self.frame, SideEffectPolicy::TelemetryOnly);
        self.simulation.step(self.frame, &FrameInputs::new(inputs), &mut self.effects);
        self.simulation.capture(&mut self.snapshot);
        self.simulation.hash(self.seed, self.frame, &self.snapshot)
    }
}
