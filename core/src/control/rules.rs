//! [`ControlRules`]: what a game allows.

/// Longest [`delay_frames`](ControlRules::delay_frames).
pub const MAX_DELAY_FRAMES: u8 = 60;

/// What a game allows its players. It decides what a step does and is no state: the same for everybody, so
/// it belongs into [`config_hash`](crate::Simulation::config_hash).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ControlRules {
    /// How many frames after the one it rides in a command takes effect, 0 to [`MAX_DELAY_FRAMES`]; more
    /// count as that. If it is no less than every peer's prediction window, nobody has played the frame
    /// before the command is there, and no pause is ever seen to begin and be taken back. Default 8.
    pub delay_frames: u8,
    /// How often each player may pause in a match. Default 3.
    pub pauses_per_player: u8,
    /// How many frames all pauses of a player may last together. Default 10,800: three minutes.
    pub pause_frames_per_player: u16,
}

impl Default for ControlRules {
    fn default() -> Self {
        Self { delay_frames: 8, pauses_per_player: 3, pause_frames_per_player: 10_800 }
    }
}
