//! [`Path`]: whether a player without encryption receives where a packet of it seems to come from.
//!
//! It travels where laminar's packets do. Theirs begin with another byte, and none is shorter: a question
//! is never longer than what it asks about.

/// A question, or its answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Path {
    pub(super) is_answer: bool,
    /// What the answer repeats.
    pub(super) token: u32,
}

const QUESTION: u8 = 1;
const ANSWER: u8 = 2;

impl Path {
    pub(super) const BYTES: usize = 5;

    pub(super) fn write(self) -> [u8; Self::BYTES] {
        let [a, b, c, d] = self.token.to_le_bytes();
        [if self.is_answer { ANSWER } else { QUESTION }, a, b, c, d]
    }

    pub(super) fn read(payload: &[u8]) -> Option<Self> {
        let [kind, token @ ..] = *payload.first_chunk::<{ Self::BYTES }>().filter(|path| path.len() == payload.len())?;
        let is_answer = match kind {
            QUESTION => false,
            ANSWER => true,
            _ => return None,
        };
        Some(Self { is_answer, token: u32::from_le_bytes(token) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_round_trips_and_nothing_else_is_one() {
        for path in [Path { is_answer: false, token: 0x0403_0201 }, Path { is_answer: true, token: u32::MAX }] {
            let bytes = path.write();
            assert_eq!(Path::read(&bytes), Some(path));
            assert_eq!(Path::read(&bytes[..4]), None);
            assert_eq!(Path::read(&[&bytes[..], &[0]].concat()), None);
        }
        assert_eq!(Path { is_answer: false, token: 0x0403_0201 }.write(), [1, 1, 2, 3, 4]);
        let others = (0..=u8::MAX).filter(|kind| Path::read(&[*kind, 0, 0, 0, 0]).is_some());
        assert_eq!(others.collect::<Vec<_>>(), [1, 2], "laminar's first byte is another");
    }
}
