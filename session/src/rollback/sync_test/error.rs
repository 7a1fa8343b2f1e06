//! [`SyncTestError`]: what a sync test finds.

use super::super::error::SessionError;
use super::trace::TraceDifference;
use core::fmt;
use snapback_core::state::FieldDifference;
use snapback_core::{Divergence, Frame};

/// What a sync test found.
#[derive(Clone, PartialEq, Debug)]
pub enum SyncTestError {
    /// A frame played again gave another state.
    Diverged(Divergence),
    /// [`capture`](snapback_core::Simulation::capture) leaves bytes as it finds them: two captures of one
    /// state into buffers of other contents differ.
    NotWritten {
        /// The frame after which the state was captured.
        frame: Frame,
        /// The first field that was not written, such as `fighter[1].meter`; `byte 12` if the layout has no
        /// name for it.
        field: String,
        /// Where it stands, in bytes from the start of the snapshot.
        offset_bytes: usize,
    },
    /// Two captures of one state in a row differ, into equal buffers.
    Unstable {
        /// The frame after which the state was captured.
        frame: Frame,
        /// The first field that differs; none if the layout does not describe it.
        field: Option<FieldDifference>,
    },
    /// A state that was restored is captured as another.
    NotRestored {
        /// The frame after which the state was captured.
        frame: Frame,
        /// The first field that differs, what was restored first; none if the layout does not describe it.
        field: Option<FieldDifference>,
    },
    /// Another process made something else of the same inputs.
    OtherProcess(TraceDifference),
    /// The session cannot run.
    Session(SessionError),
}

impl fmt::Display for SyncTestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Diverged(divergence) => {
                write!(f, "played again, {divergence}; the step reads something that capture leaves out, or that is not state")
            }
            Self::NotWritten { frame, field, offset_bytes } => write!(
                f,
                "capture after frame {frame} does not write {field} at byte {offset_bytes}: it keeps what was in the buffer; have capture \
                 write every byte, unused ones as zeros"
            ),
            Self::Unstable { frame, field } => {
                write!(f, "two captures in a row after frame {frame} differ")?;
                first_field(f, field.as_ref())?;
                f.write_str("; have capture write what is state and nothing else: no counter, no address, no time")
            }
            Self::NotRestored { frame, field } => {
                write!(f, "the state after frame {frame} is captured as another once it was restored")?;
                first_field(f, field.as_ref())?;
                f.write_str("; have restore take back every field that capture writes")
            }
            Self::OtherProcess(difference) => {
                write!(f, "{difference}; look for addresses, environment, locale, time and the order of hash maps in what the step reads")
            }
            Self::Session(error) => error.fmt(f),
        }
    }
}

fn first_field(f: &mut fmt::Formatter<'_>, field: Option<&FieldDifference>) -> fmt::Result {
    match field {
        Some(field) => write!(f, "; first field {field}"),
        None => f.write_str(" in bytes that the layout does not describe"),
    }
}

impl std::error::Error for SyncTestError {}
