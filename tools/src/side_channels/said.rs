//! [`Said`]: what a peer says of its confirmed results on the channel MatchState.
//!
//! Little-endian, a byte for the kind first:
//!
//! | kind | bytes after it |
//! |---|---|
//! | 1, a round | frame 8, state hash 4, match 4, round 4, winner 1, end 1, match winner 1 |
//! | 2, the end | frame 8, state hash 4, digest 4, rounds 4 |
//!
//! A winner is 0 for none, 1 for a draw, 2 to 5 for the teams; an end 0 for a knock-out, 1 for a double
//! one, 2 for time over, 3 for a surrender.

use crate::results::RoundLine;
use core::fmt;
use snapback::peer::FinalState;
use snapback::sim::{MAX_TEAMS, RoundEnd, RoundResult, Winner};
use snapback::{Frame, StateHash};

const ROUND: u8 = 1;
const END: u8 = 2;

/// What a peer says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Said {
    /// In the state after this frame a round has been decided.
    Round { frame: Frame, state_hash: StateHash, result: RoundResult },
    /// This is the last frame, and so many rounds were decided.
    End { state: FinalState, rounds: u32 },
}

impl Said {
    /// The frame that it is about.
    pub(crate) fn frame(&self) -> Frame {
        match self {
            Self::Round { frame, .. } => *frame,
            Self::End { state, .. } => state.frame,
        }
    }

    pub(crate) fn write(&self) -> Vec<u8> {
        let mut message = Vec::with_capacity(32);
        match self {
            Self::Round { frame, state_hash, result } => {
                message.push(ROUND);
                message.extend(frame.number().to_le_bytes());
                message.extend(state_hash.bits().to_le_bytes());
                message.extend(result.match_number.to_le_bytes());
                message.extend(result.round_number.to_le_bytes());
                let end = match result.end {
                    RoundEnd::KnockOut => 0,
                    RoundEnd::DoubleKnockOut => 1,
                    RoundEnd::TimeOver => 2,
                    RoundEnd::Surrender => 3,
                };
                message.extend([winner_byte(Some(result.winner)), end, winner_byte(result.match_winner)]);
            }
            Self::End { state, rounds } => {
                message.push(END);
                message.extend(state.frame.number().to_le_bytes());
                message.extend(state.state_hash.bits().to_le_bytes());
                message.extend(state.digest.to_le_bytes());
                message.extend(rounds.to_le_bytes());
            }
        }
        message
    }

    /// None if it is nothing that a peer of this version says.
    pub(crate) fn read(message: &[u8]) -> Option<Self> {
        let (kind, rest) = message.split_first()?;
        let (frame, rest) = rest.split_first_chunk()?;
        let (state_hash, rest) = rest.split_first_chunk()?;
        let frame = Frame::new(i64::from_le_bytes(*frame));
        if frame < Frame::ZERO {
            return None;
        }
        let state_hash = StateHash::from_bits(u32::from_le_bytes(*state_hash));
        let (first, rest) = rest.split_first_chunk().map(|(bytes, rest)| (u32::from_le_bytes(*bytes), rest))?;
        let (second, rest) = rest.split_first_chunk().map(|(bytes, rest)| (u32::from_le_bytes(*bytes), rest))?;
        match (*kind, rest) {
            (ROUND, &[winner, end, match_winner]) => {
                let end = match end {
                    0 => RoundEnd::KnockOut,
                    1 => RoundEnd::DoubleKnockOut,
                    2 => RoundEnd::TimeOver,
                    3 => RoundEnd::Surrender,
                    _ => return None,
                };
                let (winner, match_winner) = (winner_of(winner)??, winner_of(match_winner)?);
                let result = RoundResult { match_number: first, round_number: second, winner, end, match_winner };
                Some(Self::Round { frame, state_hash, result })
            }
            (END, &[]) => Some(Self::End { state: FinalState { frame, state_hash, digest: first }, rounds: second }),
            _ => None,
        }
    }
}

fn winner_byte(winner: Option<Winner>) -> u8 {
    match winner {
        None => 0,
        Some(Winner::Draw) => 1,
        Some(Winner::Team(team)) => 2 + team,
    }
}

fn winner_of(byte: u8) -> Option<Option<Winner>> {
    match byte {
        0 => Some(None),
        1 => Some(Some(Winner::Draw)),
        byte => byte.checked_sub(2).filter(|team| usize::from(*team) < MAX_TEAMS).map(|team| Some(Winner::Team(team))),
    }
}

/// For people.
impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Round { frame, state_hash, result } => {
                let RoundLine { match_number, round_number, winner, end, match_winner } = RoundLine::from(*result);
                let decided = match_winner.map_or_else(String::new, |winner| format!(", the match: {winner}"));
                write!(
                    f,
                    "match {match_number} round {round_number} decided at frame {frame} ({winner} by {end}{decided}, hash {state_hash})"
                )
            }
            Self::End { state: FinalState { frame, state_hash, digest }, rounds } => {
                write!(f, "the end at frame {frame} (hash {state_hash}, digest {digest:08x}, rounds {rounds})")
            }
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(crate) fn round(frame: i64, round_number: u32) -> Said {
        let result = RoundResult {
            match_number: 1,
            round_number,
            winner: Winner::Team(1),
            end: RoundEnd::TimeOver,
            match_winner: Some(Winner::Draw),
        };
        Said::Round { frame: Frame::new(frame), state_hash: StateHash::from_bits(0xABCD), result }
    }

    pub(crate) fn end(frame: i64, rounds: u32) -> Said {
        Said::End { state: FinalState { frame: Frame::new(frame), state_hash: StateHash::from_bits(5), digest: 6 }, rounds }
    }

    #[test]
    fn it_reads_what_it_writes_and_nothing_else() {
        for said in [round(77, 3), end(i64::MAX, u32::MAX)] {
            let message = said.write();
            assert_eq!(Said::read(&message), Some(said));
            assert_eq!(Said::read(&[&message[..], &[0]].concat()), None);
            for len in 0..message.len() {
                assert_eq!(Said::read(&message[..len]), None);
            }
            // What reads is written again as it was.
            for at in 0..message.len() {
                for bit in 0..8 {
                    let mut changed = message.clone();
                    changed[at] ^= 1 << bit;
                    if let Some(said) = Said::read(&changed) {
                        assert_eq!(said.write(), changed);
                    }
                }
            }
        }
        for (from_end, byte) in [(3, 0), (3, 6), (2, 4), (1, 6)] {
            let mut message = round(77, 3).write();
            let at = message.len() - from_end;
            message[at] = byte;
            assert_eq!(Said::read(&message), None, "{from_end}");
        }
        assert_eq!(Said::read(&round(-1, 1).write()), None);
    }

    #[test]
    fn the_bytes_are_stable() {
        let shown = |said: Said| said.write().iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        assert_eq!(shown(round(77, 3)), "014d00000000000000cdab00000100000003000000030201");
        assert_eq!(shown(end(77, 3)), "024d00000000000000050000000600000003000000");
    }
}
