//! [`PendingCommand`]: what was said and has not taken effect.

use super::command::{ControlCommand, LAST_KIND};
use super::feed::LAST_FEED;
use super::rules::MAX_DELAY_FRAMES;
use bytemuck::{Pod, Zeroable};
use snapback_derive::SimState;

/// How many commands of one player can wait at a time; what comes on top is ignored.
pub const PENDING_PER_PLAYER: usize = 2;

/// A command that waits, or none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct PendingCommand {
    /// The kind of the command; 0 for none.
    #[sim(range = 0..=LAST_KIND)]
    kind: u8,
    #[sim(range = 0..=LAST_FEED)]
    detail: u8,
    #[sim(range = 0..=MAX_DELAY_FRAMES)]
    frames_left: u8,
}

/// The commands of one player, the oldest first.
pub(super) type Queue = [PendingCommand; PENDING_PER_PLAYER];

/// Appends a command; one too many is left out.
pub(super) fn push(queue: &mut Queue, command: ControlCommand, delay_frames: u8) {
    if let Some(free) = queue.iter_mut().find(|pending| pending.kind == 0) {
        let (kind, detail) = command.parts();
        *free = PendingCommand { kind, detail, frames_left: delay_frames.min(MAX_DELAY_FRAMES) };
    }
}

/// The oldest command, if its time has come.
pub(super) fn take_due(queue: &mut Queue) -> Option<ControlCommand> {
    let [first, ..] = *queue;
    if first.kind == 0 || first.frames_left > 0 {
        return None;
    }
    queue.rotate_left(1);
    if let Some(last) = queue.last_mut() {
        *last = PendingCommand::zeroed();
    }
    // A state from a file may hold what no command is.
    ControlCommand::from_parts(first.kind, first.detail)
}

/// A frame has passed.
pub(super) fn count_down(queue: &mut Queue) {
    for pending in queue {
        pending.frames_left = pending.frames_left.saturating_sub(1);
    }
}
