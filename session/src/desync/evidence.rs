//! [`Evidence`]: what a peer still has of the frames that are in dispute, taken out of its session.

use super::history::Record;
use super::message::Hashes;
use snapback_core::{Command, Frame, PlayerSet, StateLayout};

/// What a player pressed in a frame: the canonical bytes, and the command.
pub(crate) type PressedBytes = (Vec<u8>, Command);

/// What a peer still has of the frames since the last verified one.
pub(crate) struct Evidence {
    pub(crate) simulation: &'static str,
    pub(crate) simulation_version: u32,
    pub(crate) layout: StateLayout,
    pub(crate) seed: u64,
    #[cfg_attr(not(feature = "golden"), expect(dead_code, reason = "only a recording begins with it"))]
    pub(crate) first_frame: Frame,
    pub(crate) here: PlayerSet,
    pub(crate) there: PlayerSet,
    /// The last frame on which both are known to agree.
    pub(crate) verified: Frame,
    /// The frame whose check, or whose goodbye, found the desync.
    pub(crate) found_at: Frame,
    /// Consecutive, from this frame on.
    pub(crate) first: Frame,
    pub(crate) records: Vec<Record>,
    /// The states after the newest of those frames, as they are in memory, by frame.
    pub(crate) states: Vec<(Frame, Vec<u8>)>,
    /// What was pressed in the frames of those states, by player: canonical bytes and command.
    pub(crate) inputs: Vec<(Frame, Vec<PressedBytes>)>,
}

impl Evidence {
    pub(super) fn hashes(&self) -> Hashes {
        let frame = |record: &Record| {
            let mut inputs = crc32fast::Hasher::new();
            record.input_digests.as_slice().iter().for_each(|digest| inputs.update(&digest.to_le_bytes()));
            [record.state_hash.bits(), inputs.finalize()]
        };
        Hashes {
            first: self.first,
            frames: self.records.iter().map(frame).collect(),
            states_first: self.states.first().map_or(self.first, |(frame, _)| *frame),
            state_count: self.states.len() as u16,
        }
    }

    /// The state after `frame` as it is in memory.
    pub(super) fn state(&self, frame: Frame) -> Option<&[u8]> {
        self.states.iter().find(|(of, _)| *of == frame).map(|(_, state)| state.as_slice())
    }

    /// The same in its canonical bytes.
    pub(super) fn canonical(&self, frame: Frame) -> Option<Vec<u8>> {
        let state = self.state(frame)?;
        let mut canonical = vec![0; state.len()];
        self.layout.encode(state, &mut canonical).ok()?;
        Some(canonical)
    }
}
