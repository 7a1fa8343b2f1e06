//! [`ReplayMeta`]: which match of which game a replay is.

use super::{MAX_STATE_BYTES, text};
use serde::{Deserialize, Serialize};
use snapback_core::Frame;
use snapback_core::limits::{LAST_FRAME, MAX_INPUT_BYTES, MAX_PLAYERS};

/// Where a recording comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Source {
    /// A session over a network recorded the frames that it confirmed.
    Live,
    /// Inputs were made up and stepped straight.
    Generated,
}

/// Who recorded, and with what.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Provenance {
    /// Where the recording comes from.
    pub source: Source,
    /// The build that recorded, such as `snapback 0.1.0 release`.
    pub build: String,
    /// The machine, such as `x86_64 linux`.
    pub platform: String,
    /// Anything else, such as what the replay is there to show.
    pub note: String,
}

impl Provenance {
    /// A recording by this build on this machine.
    #[must_use]
    pub fn here(source: Source, note: &str) -> Self {
        let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
        Self {
            source,
            build: format!("snapback {} {profile}", env!("CARGO_PKG_VERSION")),
            platform: format!("{} {}", std::env::consts::ARCH, std::env::consts::OS),
            note: note.to_owned(),
        }
    }
}

/// Which match of which game a replay is: what must agree before it can be played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ReplayMeta {
    /// The name of the simulation.
    pub simulation: String,
    /// Its version.
    pub simulation_version: u32,
    /// The hash over its data.
    pub config_hash: u32,
    /// The fingerprint of the layout of its state.
    pub layout_fingerprint: u32,
    /// What decides everything that varies.
    pub seed: u64,
    /// How many players there are, 1 to 8.
    pub players: u8,
    /// The first frame that is stepped.
    pub first_frame: i64,
    /// Frames a second.
    pub frame_hz: u16,
    /// Bytes of one input.
    pub input_bytes: u8,
    /// Bytes of a state.
    pub state_bytes: u32,
    /// Whether the state after every frame is there too, and not only its hash.
    pub has_trace: bool,
    /// How the game must be set up beyond all that: its own text, such as who fights as whom.
    pub setup: String,
    /// Who recorded, and with what.
    pub provenance: Provenance,
}

impl ReplayMeta {
    pub(crate) fn check(&self) -> Result<(), String> {
        let Self { players, first_frame, input_bytes, state_bytes, frame_hz, .. } = *self;
        if !(1..=MAX_PLAYERS).contains(&usize::from(players)) {
            return Err(format!("{players} players; from 1 to {MAX_PLAYERS} are possible"));
        }
        if !(1..=MAX_INPUT_BYTES).contains(&usize::from(input_bytes)) {
            return Err(format!("inputs of {input_bytes} bytes; from 1 to {MAX_INPUT_BYTES} are possible"));
        }
        if state_bytes as usize > MAX_STATE_BYTES {
            return Err(format!("states of {state_bytes} bytes; at most {MAX_STATE_BYTES} are possible"));
        }
        if !(0..=LAST_FRAME).contains(&first_frame) {
            return Err(format!("the first frame is {first_frame}; from 0 to {LAST_FRAME} are possible"));
        }
        if frame_hz == 0 {
            return Err("0 frames a second".to_owned());
        }
        let provenance = &self.provenance;
        text::check("simulation's name", &self.simulation)?;
        text::check("setup", &self.setup)?;
        text::check("build", &provenance.build)?;
        text::check("platform", &provenance.platform)?;
        text::check("note", &provenance.note)
    }

    /// The first frame that is stepped.
    #[must_use]
    pub const fn first_frame(&self) -> Frame {
        Frame::new(self.first_frame)
    }
}
