//! [`MatchStatement`]: what peers sign at the end of a match.

use super::evidence::{Evidence, InputDigest};
use super::feed::ResultFeed;
use super::source::ResultSource;
use core::fmt;
use snapback_core::limits::{LAST_FRAME, MAX_INPUT_BYTES, MAX_PLAYERS};
use snapback_core::{Frame, Simulation, StateHash};
use snapback_transport::credentials::IdentityKey;

/// Most bytes of a [`result`](MatchStatement::result).
pub const MAX_RESULT_BYTES: usize = 512;

/// Most bytes of a [`simulation`](MatchStatement::simulation)'s name.
const MAX_NAME_BYTES: usize = 64;

/// Most bytes of a statement.
pub const MAX_STATEMENT_BYTES: usize = FIXED_BYTES + 32 * MAX_PLAYERS + MAX_NAME_BYTES + MAX_RESULT_BYTES;

const MAGIC: &[u8; 4] = b"SNBM";
const VERSION: u8 = 1;

/// Everything whose length does not vary: see [`MatchStatement::to_bytes`].
const FIXED_BYTES: usize = 4 + 1 + 8 + 8 + 4 + 4 + 4 + 1 + 1 + 8 + 8 + 32 + 4 + 1 + 2;

/// What was played, by whom, and what came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchStatement {
    /// The match, as its ticket names it.
    pub match_id: u64,
    /// The seed of the match.
    pub seed: u64,
    /// The name of the simulation, at most 64 bytes.
    pub simulation: String,
    /// Its version.
    pub simulation_version: u32,
    /// The hash over its data.
    pub config_hash: u32,
    /// The fingerprint of the layout of its state.
    pub layout_fingerprint: u32,
    /// Bytes of an input, 1 to 64.
    pub input_bytes: u8,
    /// Who plays each seat, 1 to 8; the same key for several seats of one peer.
    pub players: Vec<IdentityKey>,
    /// The first frame, from 0.
    pub first_frame: Frame,
    /// The last frame, not before the first.
    pub last_frame: Frame,
    /// All inputs and commands.
    pub input_digest: InputDigest,
    /// The hash of the state after the last frame.
    pub final_state: StateHash,
    /// What was decided, as [`ResultFeed::to_bytes`] has it; at most [`MAX_RESULT_BYTES`].
    pub result: Vec<u8>,
}

/// Why there is no statement, or bytes are none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StatementError {
    /// The bytes are no statement of this version.
    NoStatement,
    /// They end too early, or more follow.
    WrongLength,
    /// A value is impossible.
    Invalid {
        /// Which.
        field: &'static str,
    },
    /// Results and evidence are not of the same frames.
    OtherFrames {
        /// The last frame of the evidence.
        evidence: Frame,
        /// The last frame of the results.
        results: Frame,
    },
}

impl fmt::Display for StatementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoStatement => f.write_str("this is no statement of a match, or one of another version"),
            Self::WrongLength => f.write_str("the statement is cut off, or something follows it"),
            Self::Invalid { field } => write!(f, "the statement is impossible: look at its {field}"),
            Self::OtherFrames { evidence, results } => {
                write!(
                    f,
                    "the inputs are known up to frame {evidence} and the results up to frame {results}; give both every confirmed frame"
                )
            }
        }
    }
}

impl core::error::Error for StatementError {}

/// The first thing in which two statements differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StatementDifference {
    /// What.
    pub field: &'static str,
    /// What the first says.
    pub ours: String,
    /// What the second says.
    pub theirs: String,
}

impl fmt::Display for StatementDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { field, ours, theirs } = self;
        write!(f, "the {field} is {ours} here and {theirs} there")
    }
}

impl MatchStatement {
    /// What this peer has to say of a match that is over. `players` has the identity of every seat.
    ///
    /// # Errors
    /// If a value is impossible, or results and evidence are not of the same frames.
    pub fn new<S: ResultSource>(
        match_id: u64,
        seed: u64,
        simulation: &S,
        players: Vec<IdentityKey>,
        evidence: &Evidence,
        results: &ResultFeed<S>,
    ) -> Result<Self, StatementError> {
        if evidence.last_frame() != results.next_frame().previous() {
            return Err(StatementError::OtherFrames { evidence: evidence.last_frame(), results: results.next_frame().previous() });
        }
        if players.len() != usize::from(evidence.player_count()) {
            return Err(StatementError::Invalid { field: "players" });
        }
        let (id, layout) = (Simulation::id(simulation), simulation.layout());
        let statement = Self {
            match_id,
            seed,
            simulation: id.name.to_owned(),
            simulation_version: id.version,
            config_hash: simulation.config_hash(),
            layout_fingerprint: layout.fingerprint(),
            input_bytes: evidence.input_bytes(),
            players,
            first_frame: evidence.first_frame(),
            last_frame: evidence.last_frame(),
            input_digest: evidence.digest(),
            final_state: evidence.state_hash(),
            result: results.to_bytes(),
        };
        statement.check()?;
        Ok(statement)
    }

    fn check(&self) -> Result<(), StatementError> {
        let invalid = |field| Err(StatementError::Invalid { field });
        if !(1..=MAX_PLAYERS).contains(&self.players.len()) {
            return invalid("players");
        }
        if !(1..=MAX_INPUT_BYTES).contains(&usize::from(self.input_bytes)) {
            return invalid("bytes of an input");
        }
        if self.first_frame < Frame::ZERO || self.first_frame > self.last_frame {
            return invalid("first frame");
        }
        if self.last_frame.number() > LAST_FRAME {
            return invalid("last frame");
        }
        if self.simulation.len() > MAX_NAME_BYTES || self.simulation.chars().any(char::is_control) {
            return invalid("simulation's name");
        }
        if self.result.len() > MAX_RESULT_BYTES {
            return invalid("result");
        }
        Ok(())
    }

    /// The bytes that are signed: for one statement always the same.
    ///
    /// Little-endian: `SNBM`, version 1, match 8, seed 8, version of the simulation 4, config hash 4, fingerprint
    /// of the layout 4, bytes of an input 1, players 1, their keys 32 each, first frame 8, last frame 8, digest of the inputs
    /// 32, hash of the last state 4, bytes of the simulation's name 1, the name, bytes of the result 2, the result.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(MAX_STATEMENT_BYTES);
        out.extend(MAGIC);
        out.push(VERSION);
        out.extend(self.match_id.to_le_bytes());
        out.extend(self.seed.to_le_bytes());
        for number in [self.simulation_version, self.config_hash, self.layout_fingerprint] {
            out.extend(number.to_le_bytes());
        }
        out.extend([self.input_bytes, self.players.len().min(MAX_PLAYERS) as u8]);
        self.players.iter().take(MAX_PLAYERS).for_each(|key| out.extend(key.0));
        out.extend(self.first_frame.number().to_le_bytes());
        out.extend(self.last_frame.number().to_le_bytes());
        out.extend(self.input_digest.0);
        out.extend(self.final_state.bits().to_le_bytes());
        let name = self.simulation.as_bytes();
        out.push(name.len().min(MAX_NAME_BYTES) as u8);
        out.extend(name.iter().take(MAX_NAME_BYTES));
        out.extend((self.result.len().min(MAX_RESULT_BYTES) as u16).to_le_bytes());
        out.extend(self.result.iter().take(MAX_RESULT_BYTES));
        out
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote, and nothing else: every statement has one form.
    ///
    /// # Errors
    /// If the bytes are none.
    pub fn read(bytes: &[u8]) -> Result<Self, StatementError> {
        let mut rest = bytes;
        if take(&mut rest)? != *MAGIC || take(&mut rest)? != [VERSION] {
            return Err(StatementError::NoStatement);
        }
        let match_id = u64::from_le_bytes(take(&mut rest)?);
        let seed = u64::from_le_bytes(take(&mut rest)?);
        let simulation_version = u32::from_le_bytes(take(&mut rest)?);
        let config_hash = u32::from_le_bytes(take(&mut rest)?);
        let layout_fingerprint = u32::from_le_bytes(take(&mut rest)?);
        let [input_bytes, count] = take(&mut rest)?;
        if usize::from(count) > MAX_PLAYERS {
            return Err(StatementError::Invalid { field: "players" });
        }
        let players = (0..count).map(|_| take(&mut rest).map(IdentityKey)).collect::<Result<_, _>>()?;
        let first_frame = Frame::new(i64::from_le_bytes(take(&mut rest)?));
        let last_frame = Frame::new(i64::from_le_bytes(take(&mut rest)?));
        let input_digest = InputDigest(take(&mut rest)?);
        let final_state = StateHash::from_bits(u32::from_le_bytes(take(&mut rest)?));
        let [name_bytes] = take(&mut rest)?;
        let name = split(&mut rest, name_bytes.into())?;
        let simulation = core::str::from_utf8(name).map_err(|_| StatementError::Invalid { field: "simulation's name" })?.to_owned();
        let result_bytes = u16::from_le_bytes(take(&mut rest)?);
        if usize::from(result_bytes) > MAX_RESULT_BYTES {
            return Err(StatementError::Invalid { field: "result" });
        }
        let result = split(&mut rest, result_bytes.into())?.to_vec();
        if !rest.is_empty() {
            return Err(StatementError::WrongLength);
        }
        let statement = Self {
            match_id,
            seed,
            simulation,
            simulation_version,
            config_hash,
            layout_fingerprint,
            input_bytes,
            players,
            first_frame,
            last_frame,
            input_digest,
            final_state,
            result,
        };
        statement.check()?;
        Ok(statement)
    }

    /// The first thing in which another statement differs; `None` if it says the same.
    #[must_use]
    pub fn difference(&self, theirs: &Self) -> Option<StatementDifference> {
        let rows = self.rows().into_iter().zip(theirs.rows());
        rows.into_iter().find(|((_, ours), (_, theirs))| ours != theirs).map(|((field, ours), (_, theirs))| StatementDifference {
            field,
            ours,
            theirs,
        })
    }

    /// What it says, for people: each field and its value.
    #[must_use]
    pub fn rows(&self) -> Vec<(&'static str, String)> {
        let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        vec![
            ("match", format!("{:016x}", self.match_id)),
            ("seed", self.seed.to_string()),
            ("simulation", self.simulation.clone()),
            ("simulation's version", self.simulation_version.to_string()),
            ("config hash", format!("{:08x}", self.config_hash)),
            ("state layout", format!("{:08x}", self.layout_fingerprint)),
            ("bytes of an input", self.input_bytes.to_string()),
            ("players", self.players.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")),
            ("first frame", self.first_frame.to_string()),
            ("last frame", self.last_frame.to_string()),
            ("digest of the inputs", self.input_digest.to_string()),
            ("last state's hash", self.final_state.to_string()),
            ("result", hex(&self.result)),
        ]
    }
}

fn take<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], StatementError> {
    let (bytes, after) = rest.split_first_chunk().ok_or(StatementError::WrongLength)?;
    *rest = after;
    Ok(*bytes)
}

fn split<'a>(rest: &mut &'a [u8], len: usize) -> Result<&'a [u8], StatementError> {
    let (bytes, after) = rest.split_at_checked(len).ok_or(StatementError::WrongLength)?;
    *rest = after;
    Ok(bytes)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::results) fn statement(players: Vec<IdentityKey>) -> MatchStatement {
        MatchStatement {
            match_id: 0x0102_0304_0506_0708,
            seed: 9,
            simulation: "race".to_owned(),
            simulation_version: 2,
            config_hash: 3,
            layout_fingerprint: 4,
            input_bytes: 2,
            players,
            first_frame: Frame::ZERO,
            last_frame: Frame::new(600),
            input_digest: InputDigest([7; 32]),
            final_state: StateHash::from_bits(8),
            result: vec![1, 0, 0, 0],
        }
    }

    #[test]
    fn the_bytes_stay() {
        let bytes = statement(vec![IdentityKey([1; 32]), IdentityKey([2; 32])]).to_bytes();
        let shown: Vec<String> = bytes.chunks(32).map(|line| line.iter().map(|byte| format!("{byte:02x}")).collect()).collect();
        insta::assert_snapshot!(shown.join("\n"), @"
        534e424d01080706050403020109000000000000000200000003000000040000
        0002020101010101010101010101010101010101010101010101010101010101
        0101010202020202020202020202020202020202020202020202020202020202
        0202020000000000000000580200000000000007070707070707070707070707
        0707070707070707070707070707070707070708000000047261636504000100
        0000
        ");
    }

    #[test]
    fn it_reads_what_it_writes_and_nothing_else() {
        let statement = statement(vec![IdentityKey([1; 32]), IdentityKey([2; 32])]);
        let bytes = statement.to_bytes();
        assert_eq!(MatchStatement::read(&bytes), Ok(statement.clone()));
        for len in 0..bytes.len() {
            assert!(MatchStatement::read(&bytes[..len]).is_err(), "{len}");
        }
        assert_eq!(MatchStatement::read(&[&bytes[..], &[0]].concat()), Err(StatementError::WrongLength));
        let mut read = 0;
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[at] ^= 1 << bit;
                if let Ok(other) = MatchStatement::read(&changed) {
                    assert_eq!(other.to_bytes(), changed);
                    assert!(statement.difference(&other).is_some(), "byte {at}");
                    read += 1;
                }
            }
        }
        assert!(read > 1_000, "{read}");
    }

    #[test]
    fn the_largest_has_room() {
        let largest = MatchStatement {
            simulation: "x".repeat(MAX_NAME_BYTES),
            result: vec![0; MAX_RESULT_BYTES],
            ..statement(vec![IdentityKey([1; 32]); MAX_PLAYERS])
        };
        assert_eq!(largest.to_bytes().len(), MAX_STATEMENT_BYTES);
        assert_eq!(MatchStatement::read(&largest.to_bytes()), Ok(largest));
    }
}
