//! [`WorldData`]: frame data, which decides what a step does but is no state.
//!
//! The text is TOML; `data/fighters.toml` of this crate is the default and says what each field
//! means. A decimal stands in quotes: no float comes near the world.

mod canonical;
mod error;
mod parse;
mod read;
mod validate;

pub use error::DataError;
use snapback_core::{Fx, NameHash};

/// The frame data that is compiled in.
const DEFAULT_TEXT: &str = include_str!("../../data/fighters.toml");

/// Everything outside the state that decides what a step does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorldData {
    pub(crate) stage: StageData,
    pub(crate) rules: RulesData,
    /// Never empty.
    pub(crate) characters: Vec<CharacterData>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct StageData {
    pub(crate) half_width: Fx,
    pub(crate) start_near: Fx,
    pub(crate) start_far: Fx,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RulesData {
    pub(crate) round_frames: u32,
    pub(crate) intro_frames: u32,
    pub(crate) round_end_frames: u32,
    pub(crate) match_end_frames: u32,
    pub(crate) rounds_to_win: u8,
    pub(crate) max_rounds: u32,
    pub(crate) buffer_frames: u8,
}

/// Relative to the feet, as if the fighter looked right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BoxData {
    pub(crate) back: Fx,
    pub(crate) front: Fx,
    pub(crate) bottom: Fx,
    pub(crate) top: Fx,
}

/// One of something for each way a body can be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ByPosture<T> {
    pub(crate) standing: T,
    pub(crate) crouching: T,
    pub(crate) air: T,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CharacterData {
    pub(crate) name: String,
    pub(crate) health: i32,
    pub(crate) meter_max: i32,
    pub(crate) walk_forward: Fx,
    pub(crate) walk_back: Fx,
    pub(crate) jump_start_frames: u16,
    pub(crate) jump_up: Fx,
    pub(crate) jump_forward: Fx,
    pub(crate) jump_back: Fx,
    pub(crate) gravity: Fx,
    pub(crate) landing_frames: u16,
    pub(crate) down_frames: u16,
    pub(crate) friction: Fx,
    pub(crate) push_box: ByPosture<BoxData>,
    pub(crate) hurt_boxes: ByPosture<Vec<BoxData>>,
    pub(crate) moves: Vec<MoveData>,
}

/// From which posture a move begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MovePosture {
    Standing,
    Crouching,
    Any,
}

/// Which guard stops a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Guard {
    Any,
    Standing,
    Crouching,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MoveData {
    pub(crate) name: String,
    pub(crate) button: u16,
    pub(crate) posture: MovePosture,
    pub(crate) guard: Guard,
    pub(crate) startup_frames: u16,
    pub(crate) active_frames: u16,
    pub(crate) recovery_frames: u16,
    pub(crate) damage: i32,
    pub(crate) block_damage: i32,
    pub(crate) hitstun_frames: u16,
    pub(crate) blockstun_frames: u16,
    pub(crate) hit_pushback: Fx,
    pub(crate) block_pushback: Fx,
    pub(crate) launch_up: Fx,
    pub(crate) meter_on_hit: i32,
    pub(crate) meter_on_block: i32,
    pub(crate) hit_boxes: Vec<BoxData>,
    pub(crate) hurt_boxes: Vec<BoxData>,
    pub(crate) cues: MoveCues,
}

/// The names of a move's effects, hashed when it is loaded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MoveCues {
    pub(crate) swing: NameHash,
    pub(crate) hit: NameHash,
    pub(crate) block: NameHash,
}

impl MoveData {
    /// Whether the move can hit `elapsed_frames` after it began.
    pub(crate) fn is_active(&self, elapsed_frames: u16) -> bool {
        elapsed_frames >= self.startup_frames && elapsed_frames < self.startup_frames.saturating_add(self.active_frames)
    }

    pub(crate) fn total_frames(&self) -> u16 {
        self.startup_frames.saturating_add(self.active_frames).saturating_add(self.recovery_frames)
    }
}

impl WorldData {
    /// Reads frame data from `text`. `file_name` only tells errors apart.
    ///
    /// # Errors
    /// Names the file, the place, the field, and what to write there.
    ///
    /// ```
    /// use snapback_sim::WorldData;
    /// let error = WorldData::parse("mine.toml", "[stage]\nhalf_width = 420.5").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "mine.toml: stage: half_width is the float 420.5; write it in quotes, such as \"420.5\""
    /// );
    /// ```
    pub fn parse(file_name: &str, text: &str) -> Result<Self, DataError> {
        let data = parse::world(file_name, text)?;
        validate::world(file_name, &data)?;
        Ok(data)
    }

    /// The text of the default frame data, to start one's own from.
    #[must_use]
    pub const fn default_text() -> &'static str {
        DEFAULT_TEXT
    }

    /// The names of the characters, in the order of their numbers.
    pub fn character_names(&self) -> impl Iterator<Item = &str> {
        self.characters.iter().map(|c| c.name.as_str())
    }

    /// A hash over every value, in a set order: how the text is laid out does not matter.
    #[must_use]
    pub fn hash(&self) -> u32 {
        NameHash::of(&canonical::text(self)).bits()
    }

    /// A number that no character has means the first one, so that every state can be stepped.
    pub(crate) fn character(&self, index: u8) -> Option<&CharacterData> {
        self.characters.get(usize::from(index)).or_else(|| self.characters.first())
    }
}

impl Default for WorldData {
    /// The frame data that is compiled in.
    #[allow(clippy::panic, reason = "the text is part of this crate and parsed by its tests")]
    fn default() -> Self {
        Self::parse("fighters.toml", DEFAULT_TEXT).unwrap_or_else(|error| panic!("{error}"))
    }
}
