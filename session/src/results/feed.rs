//! [`ResultFeed`]: confirmed frames in, results out, each once.

use super::source::{ResultCount, ResultSource};
use crate::rollback::ConfirmedFrame;
use core::fmt;
use snapback_core::Frame;

/// A result and the frame that decided it: final, and the same on every peer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MatchResult<R> {
    /// In the state after this frame it is decided.
    pub frame: Frame,
    /// The how manieth it is, from 1.
    pub number: u32,
    /// What was decided.
    pub result: R,
}

/// Why a frame gives no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultError {
    /// It is not the next frame.
    OutOfOrder {
        /// The frame that was given.
        given: Frame,
        /// The frame that is next.
        next: Frame,
    },
    /// Its state is none of this simulation.
    NoState {
        /// The frame.
        frame: Frame,
    },
    /// The simulation counts otherwise than by one.
    Miscounted {
        /// The frame.
        frame: Frame,
        /// The count before it.
        before: u32,
        /// The count after it.
        after: u32,
    },
}

impl fmt::Display for ResultError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfOrder { given, next } => {
                write!(f, "frame {given} was given while frame {next} is next; give every confirmed frame once, in order")
            }
            Self::NoState { frame } => write!(f, "the state after frame {frame} is none of this simulation"),
            Self::Miscounted { frame, before, after } => {
                write!(f, "at frame {frame} the results go from {before} to {after}; a frame may bring one and take none back")
            }
        }
    }
}

impl core::error::Error for ResultError {}

/// Turns confirmed frames into results. Each confirmed frame must be given, once and in order; frames that
/// are not confirmed never: what they show may be taken back.
#[derive(Clone, Debug)]
pub struct ResultFeed<S: ResultSource> {
    next: Frame,
    count: u32,
    newest: Option<MatchResult<S::Result>>,
}

impl<S: ResultSource> ResultFeed<S> {
    /// Nothing is decided before the first frame.
    #[must_use]
    pub const fn new(first_frame: Frame) -> Self {
        Self { next: first_frame, count: 0, newest: None }
    }

    /// What the frame decides, if anything.
    ///
    /// # Errors
    /// If it is not the next frame, or no frame of such a simulation; nothing has changed then.
    pub fn take(&mut self, frame: &ConfirmedFrame<'_, S::Input>) -> Result<Option<MatchResult<S::Result>>, ResultError> {
        self.look(frame.frame, frame.snapshot)
    }

    /// The same for a state from elsewhere, such as a replay.
    ///
    /// # Errors
    /// As [`take`](Self::take).
    pub fn look(&mut self, frame: Frame, snapshot: &[u8]) -> Result<Option<MatchResult<S::Result>>, ResultError> {
        if frame != self.next {
            return Err(ResultError::OutOfOrder { given: frame, next: self.next });
        }
        let ResultCount { count, newest } = S::results(snapshot).ok_or(ResultError::NoState { frame })?;
        let decided = match (count.checked_sub(self.count), newest) {
            (Some(0), _) => None,
            (Some(1), Some(result)) => Some(MatchResult { frame, number: count, result }),
            _ => return Err(ResultError::Miscounted { frame, before: self.count, after: count }),
        };
        self.next = frame.next();
        self.count = count;
        self.newest = decided.clone().or_else(|| self.newest.take());
        Ok(decided)
    }

    /// The frame that must be given next.
    #[must_use]
    pub const fn next_frame(&self) -> Frame {
        self.next
    }

    /// How many results there were.
    #[must_use]
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// The newest result.
    #[must_use]
    pub const fn newest(&self) -> Option<&MatchResult<S::Result>> {
        self.newest.as_ref()
    }

    /// How it stands, as bytes: the count, and of the newest result the frame and what was decided. All
    /// little-endian. Those before it follow from the inputs.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.count.to_le_bytes().to_vec();
        if let Some(newest) = &self.newest {
            bytes.extend(newest.frame.number().to_le_bytes());
            S::write_result(&newest.result, &mut bytes);
        }
        bytes
    }
}
