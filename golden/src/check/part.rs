//! [`Part`]: what one machine found of a check that several share, as lines of JSON; and [`merge`].

use super::case::Case;
use super::file::open;
use super::find::FoundReplay;
use super::report::Report;
use super::shard::Shard;
use core::fmt;
use serde::{Deserialize, Serialize};
use std::io::{Read, Seek, SeekFrom};

/// The version of the file.
const VERSION: u32 = 1;

/// How much of the end of a replay says which one it is: its last block has the digest of all hashes.
const TAIL_BYTES: u64 = 64;

/// The first line of a part.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Header {
    snapback_golden_part: u32,
    /// Which part, from 1.
    shard: u32,
    /// How many parts there are.
    shards: u32,
    /// How many replays there are in all parts together.
    total: usize,
    /// How many lines follow.
    replays: usize,
    /// Over the names, sizes and ends of all replays, of all parts.
    corpus: String,
}

/// What one machine found.
#[derive(Clone, PartialEq, Debug)]
pub struct Part {
    header: Header,
    cases: Vec<Case>,
}

/// Why parts do not make a whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MergeError {
    /// No parts were given.
    Nothing,
    /// A file is not a whole part.
    Damaged {
        /// The file.
        file: String,
        /// What is wrong.
        reason: String,
    },
    /// Parts are not of one check.
    Contradiction {
        /// The file that does not fit to those before it.
        file: String,
        /// What is different.
        reason: String,
    },
    /// Some parts are not there.
    Missing {
        /// Which, from 1.
        shards: Vec<u32>,
        /// How many there should be.
        count: u32,
    },
}

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("no parts were given; give the files that `verify --out` wrote"),
            Self::Damaged { file, reason } => write!(f, "{file} is not a whole part: {reason}; run that shard again"),
            Self::Contradiction { file, reason } => {
                write!(f, "{file} is not of the same check as the files before it: {reason}; run all shards with one build on one corpus")
            }
            Self::Missing { shards, count } => {
                let shards: Vec<String> = shards.iter().map(ToString::to_string).collect();
                write!(f, "of {count} shards these are missing: {}; run them and merge again", shards.join(", "))
            }
        }
    }
}

impl std::error::Error for MergeError {}

impl Part {
    /// What `shard` found of `all`, in their order.
    #[must_use]
    pub fn new(shard: Shard, all: &[FoundReplay], cases: Vec<Case>) -> Self {
        let header = Header {
            snapback_golden_part: VERSION,
            shard: shard.number(),
            shards: shard.count(),
            total: all.len(),
            replays: cases.len(),
            corpus: format!("{:08x}", corpus_digest(all)),
        };
        Self { header, cases }
    }

    /// The file: the header, then a line for every replay.
    #[must_use]
    pub fn lines(&self) -> String {
        // Texts and numbers always can be written.
        let mut out = serde_json::to_string(&self.header).unwrap_or_default();
        out.push('\n');
        for case in &self.cases {
            out.push_str(&serde_json::to_string(case).unwrap_or_default());
            out.push('\n');
        }
        out
    }

    /// Reads a file; `file` is its name, for errors.
    ///
    /// # Errors
    /// If it is not a whole part.
    pub fn read(file: &str, text: &str) -> Result<Self, MergeError> {
        let damaged = |reason: String| MergeError::Damaged { file: file.to_owned(), reason };
        let mut lines = text.lines();
        let header = lines.next().ok_or_else(|| damaged("it is empty".to_owned()))?;
        let header: Header = serde_json::from_str(header).map_err(|error| damaged(format!("line 1: {error}")))?;
        if header.snapback_golden_part != VERSION {
            return Err(damaged(format!("it has version {}, and this build reads {VERSION}", header.snapback_golden_part)));
        }
        Shard::new(header.shard, header.shards).map_err(damaged)?;
        let case = |(at, line): (usize, &str)| serde_json::from_str(line).map_err(|error| damaged(format!("line {}: {error}", at + 2)));
        let cases: Vec<Case> = lines.enumerate().map(case).collect::<Result<_, _>>()?;
        if cases.len() != header.replays {
            return Err(damaged(format!("it promises {} replays and has {}", header.replays, cases.len())));
        }
        Ok(Self { header, cases })
    }
}

/// Puts parts together, in any order. The same part may be there twice, as after a retry.
///
/// # Errors
/// If a part is missing, or if parts are not of the same check.
pub fn merge(parts: &[(String, Part)]) -> Result<Report, MergeError> {
    let Some((_, first)) = parts.first() else { return Err(MergeError::Nothing) };
    let Header { shards, total, ref corpus, .. } = first.header;
    let mut known: std::collections::BTreeMap<u32, &Part> = std::collections::BTreeMap::new();
    for (file, part) in parts {
        let contradiction = |reason: String| Err(MergeError::Contradiction { file: file.clone(), reason });
        let header = &part.header;
        if header.shards != shards {
            return contradiction(format!("it is one of {} shards, not of {shards}", header.shards));
        }
        if header.total != total || header.corpus != *corpus {
            return contradiction(format!(
                "its corpus has {} replays with the digest {}, not {total} with {corpus}",
                header.total, header.corpus
            ));
        }
        if known.insert(header.shard, part).is_some_and(|before| before != part) {
            return contradiction(format!("shard {} is there with another result", header.shard));
        }
    }
    // Who promises a billion shards gets no list of a billion.
    let missing: Vec<u32> = (1..=shards).filter(|shard| !known.contains_key(shard)).take(64).collect();
    if !missing.is_empty() {
        return Err(MergeError::Missing { shards: missing, count: shards });
    }
    let mut cases: Vec<Case> = known.values().flat_map(|part| part.cases.iter().cloned()).collect();
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    if cases.len() != total || cases.windows(2).any(|pair| matches!(pair, [a, b] if a.name == b.name)) {
        let file = parts.last().map_or_else(String::new, |(file, _)| file.clone());
        let reason = format!("the shards have {} replays together, of {total}", cases.len());
        return Err(MergeError::Contradiction { file, reason });
    }
    Ok(Report { cases })
}

/// A number that two machines with the same replays have in common. It reads little of each file: a
/// machine with one shard of many would read all of them otherwise.
fn corpus_digest(all: &[FoundReplay]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for replay in all {
        hasher.update(replay.name.as_bytes());
        hasher.update(&[0]);
        let mut tail = Vec::new();
        // What cannot be read is reported by the shard that it belongs to.
        let read = open(&replay.path).and_then(|mut file| {
            let len = file.metadata()?.len();
            file.seek(SeekFrom::Start(len.saturating_sub(TAIL_BYTES)))?;
            file.take(TAIL_BYTES).read_to_end(&mut tail)?;
            Ok(len)
        });
        hasher.update(&read.unwrap_or(u64::MAX).to_le_bytes());
        hasher.update(&tail);
    }
    hasher.finalize()
}
