//! [`FrameInput`]: what was pressed in the frames of a packet, and a picture of what it acknowledges.

use super::Context;
use super::walk::Walk;
use snapback_core::Command;
use snapback_core::codec::{BitReader, decode_run};
use snapback_core::limits::{MAX_INPUT_BYTES, MAX_PLAYERS};

/// What one player pressed in one frame.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FrameInput {
    /// Which of the sender's players, counted from 0 in seat order.
    pub player: usize,
    /// The frame, the low 16 bits.
    pub frame: u16,
    /// The input.
    pub input: Vec<u8>,
    /// Whether it differs from the one before it in the packet; the first is compared with neutral.
    pub is_changed: bool,
    /// What the player tells all peers beside it, or none.
    pub command: Command,
}

/// The first frame of a window.
pub(super) fn first_of(newest: u16, count: u8) -> u16 {
    newest.wrapping_sub(u16::from(count)).wrapping_add(1)
}

/// The 32 packets before the acknowledged one, oldest first.
pub(super) fn ack_picture(ack: u16, bits: u32) -> [String; 2] {
    let mark = |n: u32| if bits >> n & 1 == 1 { '#' } else { '.' };
    let groups: Vec<String> = (0..4).map(|group| (0..8).map(|n| mark(31 - 8 * group - n)).collect()).collect();
    let oldest = ack.wrapping_sub(32);
    [
        format!("received: {} #", groups.join(" ")),
        format!("          packets {oldest} to {}, and {ack}; # has come, . has not", ack.wrapping_sub(1)),
    ]
}

/// Decodes the inputs of a packet.
pub(super) fn frames(walk: &mut Walk<'_>, encoded: &[u8], newest: u16, count: u8, context: &Context) {
    let input_bytes = context.input_bytes.clamp(1, MAX_INPUT_BYTES);
    let player_count = context.player_count.clamp(1, MAX_PLAYERS);
    let decode = || {
        let mut reader = BitReader::new(encoded);
        let mut frames = Vec::new();
        for player in 0..player_count {
            let mut before = vec![0; input_bytes];
            decode_run(&mut reader, input_bytes, usize::from(count), |index, input, command| {
                let frame = first_of(newest, count).wrapping_add(index as u16);
                frames.push(FrameInput { player, frame, input: input.to_vec(), is_changed: input != before, command });
                before.copy_from_slice(input);
            })?;
        }
        reader.finish().map(|()| frames)
    };
    match decode() {
        Ok(frames) => walk.frames = frames,
        Err(error) => walk.notes.push(format!(
            "The inputs do not decode as those of {player_count} players with {input_bytes} bytes each: {error}. \
             Another size or number of players may fit."
        )),
    }
}
