//! [`Evidence`]: all inputs and commands of a match as one digest.

use crate::rollback::ConfirmedFrame;
use core::fmt;
use snapback_core::codec::write_input;
use snapback_core::limits::{MAX_COMMAND_BYTES, MAX_INPUT_BYTES};
use snapback_core::{Command, Frame, SimInput, StateHash};

/// BLAKE3 over all inputs and commands of a match.
///
/// What is digested, little-endian: the text `snapback inputs 1`, players 1, bytes of an input 1; then for
/// each frame its number 8, and for each player the canonical bytes of the input, the kind of the command 1 and its
/// payload 7.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct InputDigest(pub [u8; 32]);

impl fmt::Display for InputDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for InputDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "InputDigest({self})")
    }
}

const PURPOSE: &[u8] = b"snapback inputs 1";

/// Why a frame is no evidence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EvidenceError {
    /// It is not the next frame.
    OutOfOrder {
        /// The frame that was given.
        given: Frame,
        /// The frame that is next.
        next: Frame,
    },
    /// It is of another match.
    WrongShape {
        /// The frame.
        frame: Frame,
    },
}

impl fmt::Display for EvidenceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfOrder { given, next } => {
                write!(f, "frame {given} was given while frame {next} is next; give every confirmed frame once, in order")
            }
            Self::WrongShape { frame } => write!(f, "frame {frame} has other players or inputs than the match"),
        }
    }
}

impl core::error::Error for EvidenceError {}

/// Digests the confirmed frames of a match, one after another. It allocates nothing.
#[derive(Clone, Debug)]
pub struct Evidence {
    hasher: blake3::Hasher,
    player_count: u8,
    input_bytes: u8,
    first_frame: Frame,
    next: Frame,
    state_hash: StateHash,
}

impl Evidence {
    /// For a match of so many players, whose inputs have so many bytes.
    #[must_use]
    pub fn new(player_count: u8, input_bytes: u8, first_frame: Frame) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(PURPOSE);
        hasher.update(&[player_count, input_bytes]);
        Self { hasher, player_count, input_bytes, first_frame, next: first_frame, state_hash: StateHash::from_bits(0) }
    }

    /// Takes a confirmed frame.
    ///
    /// # Errors
    /// If it is not the next one, or of another match; nothing has changed then.
    pub fn take<I: SimInput>(&mut self, frame: &ConfirmedFrame<'_, I>) -> Result<(), EvidenceError> {
        let inputs = || {
            frame.inputs.iter().map(|player| {
                let mut bytes = [0; MAX_INPUT_BYTES];
                if let Some(bytes) = bytes.get_mut(..size_of::<I>()) {
                    write_input(&player.input, bytes);
                }
                (bytes, player.command)
            })
        };
        self.check(frame.frame, frame.inputs.iter().map(|_| size_of::<I>()))?;
        let len = size_of::<I>();
        self.begin(frame.frame, frame.state_hash);
        inputs().for_each(|(bytes, command)| self.add(bytes.get(..len).unwrap_or_default(), &command));
        Ok(())
    }

    /// Takes a frame as canonical bytes, as a replay has it.
    ///
    /// # Errors
    /// As [`take`](Self::take).
    pub fn take_raw<B: AsRef<[u8]>>(
        &mut self,
        frame: Frame,
        inputs: &[B],
        commands: &[Command],
        state_hash: StateHash,
    ) -> Result<(), EvidenceError> {
        if inputs.len() != commands.len() {
            return Err(EvidenceError::WrongShape { frame });
        }
        self.check(frame, inputs.iter().map(|input| input.as_ref().len()))?;
        self.begin(frame, state_hash);
        inputs.iter().zip(commands).for_each(|(input, command)| self.add(input.as_ref(), command));
        Ok(())
    }

    fn check(&self, frame: Frame, lens: impl ExactSizeIterator<Item = usize>) -> Result<(), EvidenceError> {
        if frame != self.next {
            return Err(EvidenceError::OutOfOrder { given: frame, next: self.next });
        }
        let is_whole = lens.len() == usize::from(self.player_count);
        if is_whole && lens.into_iter().all(|len| len == usize::from(self.input_bytes)) {
            return Ok(());
        }
        Err(EvidenceError::WrongShape { frame })
    }

    fn begin(&mut self, frame: Frame, state_hash: StateHash) {
        self.hasher.update(&frame.number().to_le_bytes());
        self.next = frame.next();
        self.state_hash = state_hash;
    }

    fn add(&mut self, input: &[u8], command: &Command) {
        self.hasher.update(input);
        let mut bytes = [0; 1 + MAX_COMMAND_BYTES];
        for (to, from) in bytes.iter_mut().zip([command.kind()].iter().chain(command.payload())) {
            *to = *from;
        }
        self.hasher.update(&bytes);
    }

    /// The digest up to here.
    #[must_use]
    pub fn digest(&self) -> InputDigest {
        InputDigest(*self.hasher.finalize().as_bytes())
    }

    /// The first frame of the match.
    #[must_use]
    pub const fn first_frame(&self) -> Frame {
        self.first_frame
    }

    /// The last frame that was taken; the one before the first if there was none.
    #[must_use]
    pub const fn last_frame(&self) -> Frame {
        self.next.previous()
    }

    /// The hash of the state after it; 0 if there was none.
    #[must_use]
    pub const fn state_hash(&self) -> StateHash {
        self.state_hash
    }

    /// How many players there are.
    #[must_use]
    pub const fn player_count(&self) -> u8 {
        self.player_count
    }

    /// How many bytes an input has.
    #[must_use]
    pub const fn input_bytes(&self) -> u8 {
        self.input_bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is digested, written out by hand.
    #[test]
    fn the_digest_is_over_the_bytes_that_the_docs_say() {
        let mut evidence = Evidence::new(2, 2, Frame::new(5));
        let commands = [Command::NONE, Command::new(4, &[3]).unwrap()];
        evidence.take_raw(Frame::new(5), &[[1, 2], [3, 4]], &commands, StateHash::from_bits(9)).unwrap();
        let mut bytes = b"snapback inputs 1\x02\x02\x05\0\0\0\0\0\0\0".to_vec();
        bytes.extend([1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 3, 4, 4, 3, 0, 0, 0, 0, 0, 0]);
        assert_eq!(evidence.digest().0, *blake3::hash(&bytes).as_bytes());
        insta::assert_snapshot!(evidence.digest(), @"23538a111a166391c9c39d2697e5ea934426804deb389294206c45b193da51df");
        let wrong = EvidenceError::WrongShape { frame: Frame::new(6) };
        assert_eq!(evidence.take_raw(Frame::new(6), &[[1]; 2], &commands, StateHash::from_bits(0)), Err(wrong));
        assert_eq!(evidence.take_raw(Frame::new(6), &[[1, 2]; 3], &[Command::NONE; 3], StateHash::from_bits(0)), Err(wrong));
        let gap = EvidenceError::OutOfOrder { given: Frame::new(7), next: Frame::new(6) };
        assert_eq!(evidence.take_raw(Frame::new(7), &[[1, 2]; 2], &commands, StateHash::from_bits(0)), Err(gap));
    }
}
