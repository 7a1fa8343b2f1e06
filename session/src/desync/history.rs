//! [`CheckHistory`]: what this peer computed for the frames that it has confirmed, as far back as a check can
//! reach.

use snapback_core::codec::write_input;
use snapback_core::{Frame, PlayerInput, SimInput, StateHash, crc32};
use snapback_transport::packet::InputDigests;

/// How many frames are remembered: as far back as a connection takes a check.
pub(crate) const HISTORY_FRAMES: usize = 1_024;

/// What was computed for one confirmed frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Record {
    /// The hash of the state after it.
    pub(crate) state_hash: StateHash,
    /// Of all hashes up to and with it.
    pub(crate) states_digest: u32,
    /// What everybody pressed up to and with it.
    pub(crate) input_digests: InputDigests,
}

/// The newest confirmed frames, in a ring that is allocated once.
pub(crate) struct CheckHistory {
    ring: Vec<Record>,
    first: Frame,
    next: Frame,
    digests: InputDigests,
}

impl CheckHistory {
    /// Nothing is confirmed yet of a match that begins with `first`.
    pub(crate) fn new(player_count: usize, first: Frame) -> Self {
        let digests = InputDigests::new(player_count);
        let nothing = Record { state_hash: StateHash::from_bits(0), states_digest: 0, input_digests: digests };
        Self { ring: vec![nothing; HISTORY_FRAMES], first, next: first, digests }
    }

    /// Notes the next confirmed frame; `states_digest` is over the hashes of all of them.
    pub(crate) fn push<I: SimInput>(&mut self, state_hash: StateHash, states_digest: u32, inputs: &[PlayerInput<I>]) {
        for (digest, pressed) in self.digests.as_mut_slice().iter_mut().zip(inputs) {
            *digest = rolled(*digest, pressed);
        }
        let slot = self.next.slot(HISTORY_FRAMES);
        if let Some(record) = self.ring.get_mut(slot) {
            *record = Record { state_hash, states_digest, input_digests: self.digests };
        }
        self.next = self.next.next();
    }

    /// The newest frame; the one before the first if there is none.
    pub(crate) fn newest(&self) -> Frame {
        self.next.previous()
    }

    /// The oldest frame that is remembered.
    pub(crate) fn oldest(&self) -> Frame {
        self.first.max(self.next - HISTORY_FRAMES as i64)
    }

    /// What was computed for `frame`, while it is remembered.
    pub(crate) fn get(&self, frame: Frame) -> Option<&Record> {
        if frame < self.oldest() || frame >= self.next {
            return None;
        }
        self.ring.get(frame.slot(HISTORY_FRAMES))
    }
}

/// The digest once more is pressed.
fn rolled<I: SimInput>(digest: u32, pressed: &PlayerInput<I>) -> u32 {
    // Of the input's own type, because a buffer for inputs of any size takes longer to clear than all the rest.
    let mut canonical = I::zeroed();
    write_input(&pressed.input, bytemuck::bytes_of_mut(&mut canonical));
    let command = bytemuck::bytes_of(&pressed.command);
    // Inputs are all of one size, and a kind of 0 has no payload: nothing else has the same bytes.
    let command_bytes = if pressed.command.is_none() { 1 } else { command.len() };
    crc32(crc32(digest, bytemuck::bytes_of(&canonical)), &command[..command_bytes])
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapback_core::{Command, InputStatus};

    fn pressed(input: u16, command: Command) -> PlayerInput<u16> {
        PlayerInput { input, command, status: InputStatus::Confirmed }
    }

    #[test]
    fn frames_are_remembered_as_far_back_as_there_is_room() {
        let first = Frame::new(65_530);
        let mut history = CheckHistory::new(1, first);
        assert_eq!((history.newest(), history.get(first)), (first.previous(), None));
        for n in 0..3_000 {
            history.push(StateHash::from_bits(n), 0, &[pressed(n as u16, Command::NONE)]);
            let newest = first + i64::from(n);
            assert_eq!(history.newest(), newest);
            let oldest = first.max(newest - 1_023);
            assert_eq!(history.oldest(), oldest);
            for (frame, known) in [(newest, true), (newest.next(), false), (oldest, true), (oldest.previous(), false)] {
                let hash = history.get(frame).map(|record| record.state_hash.bits());
                assert_eq!(hash, known.then_some((frame - first) as u32));
            }
        }
    }

    #[test]
    fn a_digest_is_that_of_one_player_and_covers_inputs_commands_and_their_order() {
        let digest = |frames: &[(u16, Command)]| {
            let mut history = CheckHistory::new(2, Frame::ZERO);
            for (input, command) in frames {
                history.push(StateHash::from_bits(0), 0, &[pressed(*input, *command), pressed(9, Command::NONE)]);
            }
            let record = history.get(history.newest()).unwrap();
            [record.input_digests.as_slice()[0], record.input_digests.as_slice()[1]]
        };
        let none = Command::NONE;
        let plain = digest(&[(1, none), (2, none)]);
        assert_eq!(plain[0], crc32fast::hash(&[1, 0, 0, 2, 0, 0]));
        let taunt = |payload: &[u8]| Command::new(64, payload).unwrap();
        for other in [
            digest(&[(2, none), (1, none)]),
            digest(&[(1, none), (3, none)]),
            digest(&[(1, taunt(&[])), (2, none)]),
            digest(&[(1, taunt(&[1])), (2, none)]),
            digest(&[(1, none), (2, taunt(&[]))]),
        ] {
            assert_ne!(other[0], plain[0]);
            assert_eq!(other[1], plain[1]);
        }
    }
}
