//! [`Shard`]: which part of the replays this machine checks.

use core::fmt;
use core::str::FromStr;

/// The part `number` of `count`, from 1: as it is written, `2/4`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    number: u32,
    count: u32,
}

/// What of the environment says which part it is: the index, from 0, then how many there are.
const SOURCES: [[&str; 2]; 2] = [["JOB_COMPLETION_INDEX", "JOB_COMPLETIONS"], ["AWS_BATCH_JOB_ARRAY_INDEX", "AWS_BATCH_JOB_ARRAY_SIZE"]];

impl Shard {
    /// Everything.
    pub const WHOLE: Self = Self { number: 1, count: 1 };

    /// A part.
    ///
    /// # Errors
    /// If there is none with this number.
    pub fn new(number: u32, count: u32) -> Result<Self, String> {
        if (1..=count).contains(&number) {
            Ok(Self { number, count })
        } else {
            Err(format!("there is no shard {number} of {count}; the first is 1/{count}"))
        }
    }

    /// Which part it is, from 1.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.number
    }

    /// How many parts there are.
    #[must_use]
    pub const fn count(self) -> u32 {
        self.count
    }

    /// The part that the environment gives this machine: the index of a Kubernetes indexed job or of
    /// an array job of AWS Batch. `count` is how many there are, if it is given: Kubernetes says only
    /// the index. `None` if there is no index.
    ///
    /// # Errors
    /// If the index is no number, or if it is not known how many there are.
    pub fn from_environment(variable: impl Fn(&str) -> Option<String>, count: Option<u32>) -> Result<Option<Self>, String> {
        for [index_name, count_name] in SOURCES {
            let Some(index) = variable(index_name).filter(|text| !text.is_empty()) else { continue };
            let number =
                |name: &str, text: &str| text.parse::<u32>().map_err(|_| format!("{name} is \"{text}\", which is no whole number"));
            let index = number(index_name, &index)?;
            let count = match (count, variable(count_name).filter(|text| !text.is_empty())) {
                (Some(count), _) => count,
                (None, Some(text)) => number(count_name, &text)?,
                (None, None) => return Err(format!("{index_name} is {index}, but not of how many: add --shards N, or set {count_name}")),
            };
            let too_large = || format!("{index_name} is {index}, which is none of {count} shards counted from 0");
            return index.checked_add(1).and_then(|number| Self::new(number, count).ok()).map(Some).ok_or_else(too_large);
        }
        Ok(None)
    }

    /// Whether the replay at this place of all, by name, is one of this part.
    #[must_use]
    pub const fn has(self, at: usize) -> bool {
        // In turn, so that parts are about equally large if neighbours are.
        at % self.count as usize == self.number as usize - 1
    }

    /// What it checks of all.
    #[must_use]
    pub fn of<T: Clone>(self, all: &[T]) -> Vec<T> {
        all.iter().enumerate().filter(|(at, _)| self.has(*at)).map(|(_, one)| one.clone()).collect()
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(number, count)| Some((number.parse().ok()?, count.parse().ok()?)));
        let (number, count) = numbers.ok_or_else(|| "write which shard of how many, from 1, such as 2/4".to_owned())?;
        Self::new(number, count)
    }
}
