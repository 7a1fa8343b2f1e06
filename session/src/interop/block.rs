//! [`InputBlock`]: an input and its command, as ggrs carries them.

use bytemuck::{Pod, Zeroable};
use core::fmt;
use core::marker::PhantomData;
use serde::de::{Error, SeqAccess, Visitor};
use serde::ser::SerializeTuple;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use snapback_core::limits::MAX_INPUT_BYTES;
use snapback_core::{Command, SimInput, StateLayout};

const COMMAND_BYTES: usize = size_of::<Command>();

/// An input and the command that rides in it: the input type of a ggrs session. Always
/// [`BYTES`](Self::BYTES) long, little-endian.
///
/// ggrs knows nothing of commands, so they are a part of every input, 8 bytes for each player and frame. On the
/// wire that is mostly nothing: ggrs sends each input as its difference to the one before and folds runs of
/// zeros, and there is a command in hardly any frame. What comes from another peer is checked here: a
/// block whose input or command could not be one is refused, and ggrs drops its packet.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct InputBlock<I> {
    /// What was pressed.
    pub input: I,
    /// The command for all peers, usually [`Command::NONE`].
    pub command: Command,
}

impl<I: SimInput> InputBlock<I> {
    /// How long one is.
    pub const BYTES: usize = size_of::<I>() + COMMAND_BYTES;

    /// An input without a command.
    #[must_use]
    pub fn new(input: I) -> Self {
        Self { input, command: Command::NONE }
    }
}

impl<I: SimInput> Default for InputBlock<I> {
    fn default() -> Self {
        Self::new(I::zeroed())
    }
}

impl<I: SimInput> Serialize for InputBlock<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::Error;
        let mut input = [0; MAX_INPUT_BYTES];
        let input = input.get_mut(..size_of::<I>()).ok_or_else(|| S::Error::custom("the input is too large"))?;
        StateLayout::of::<I>().encode(bytemuck::bytes_of(&self.input), input).map_err(S::Error::custom)?;
        let mut tuple = serializer.serialize_tuple(Self::BYTES)?;
        for byte in input.iter().chain(bytemuck::bytes_of(&self.command)) {
            tuple.serialize_element(byte)?;
        }
        tuple.end()
    }
}

impl<'de, I: SimInput> Deserialize<'de> for InputBlock<I> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_tuple(Self::BYTES, BlockVisitor(PhantomData))
    }
}

struct BlockVisitor<I>(PhantomData<I>);

impl<'de, I: SimInput> Visitor<'de> for BlockVisitor<I> {
    type Value = InputBlock<I>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an input and a command of {} bytes", InputBlock::<I>::BYTES)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Self::Value, A::Error> {
        let mut canonical = [0; MAX_INPUT_BYTES];
        let canonical = canonical.get_mut(..size_of::<I>()).ok_or_else(|| A::Error::custom("the input is too large"))?;
        let mut command = [0; COMMAND_BYTES];
        for byte in canonical.iter_mut().chain(&mut command) {
            *byte = sequence.next_element()?.ok_or_else(|| A::Error::custom("the input is cut off"))?;
        }
        let (layout, mut input) = (StateLayout::of::<I>(), I::zeroed());
        layout.decode(canonical, bytemuck::bytes_of_mut(&mut input)).map_err(A::Error::custom)?;
        layout.validate(bytemuck::bytes_of(&input)).map_err(A::Error::custom)?;
        let [kind, payload @ ..] = command;
        let command = Command::new(kind, &payload).ok_or_else(|| A::Error::custom("no command has a payload and no kind"))?;
        Ok(InputBlock { input, command })
    }
}

/// Predicts what Snapback's [`RepeatLast`](crate::RepeatLast) predicts: the last input again, and never a
/// command. (ggrs's own `PredictRepeatLast` would repeat a pause in every frame that is missing.)
#[derive(Debug)]
pub struct RepeatInput;

impl<I: Pod> ggrs::InputPredictor<InputBlock<I>> for RepeatInput {
    fn predict(previous: InputBlock<I>) -> InputBlock<I> {
        InputBlock { command: Command::zeroed(), ..previous }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytemuck::Zeroable;
    use ggrs::InputPredictor;
    use snapback_core::SimState;

    #[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable, SimState)]
    #[repr(C)]
    struct Stick {
        buttons: u16,
        #[sim(range = -80..=80)]
        x: i8,
        #[sim(range = -80..=80)]
        y: i8,
    }

    fn block(x: i8, command: Command) -> InputBlock<Stick> {
        InputBlock { input: Stick { buttons: 0x1234, x, y: -1 }, command }
    }

    #[test]
    fn a_block_is_its_bytes_and_comes_back() {
        let command = Command::new(64, &[7, 8]).unwrap();
        let bytes = postcard::to_allocvec(&block(80, command)).unwrap();
        assert_eq!(bytes, [0x34, 0x12, 80, 255, 64, 7, 8, 0, 0, 0, 0, 0]);
        assert_eq!(bytes.len(), InputBlock::<Stick>::BYTES);
        assert_eq!(postcard::from_bytes(&bytes), Ok(block(80, command)));
        for len in 0..bytes.len() {
            assert!(postcard::from_bytes::<InputBlock<Stick>>(&bytes[..len]).is_err());
        }
    }

    #[test]
    fn what_cannot_be_an_input_or_a_command_is_refused() {
        let read = |bytes: [u8; 12]| postcard::from_bytes::<InputBlock<Stick>>(&bytes);
        assert!(read([0, 0, 80, 0, 0, 0, 0, 0, 0, 0, 0, 0]).is_ok());
        assert!(read([0, 0, 81, 0, 0, 0, 0, 0, 0, 0, 0, 0]).is_err());
        assert!(read([0, 0, 80, 0, 0, 0, 0, 0, 0, 0, 0, 1]).is_err());
    }

    #[test]
    fn a_command_is_never_predicted() {
        let pressed = block(3, Command::new(64, &[1]).unwrap());
        assert_eq!(RepeatInput::predict(pressed), block(3, Command::NONE));
    }
}
