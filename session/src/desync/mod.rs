//! A desync that is named: noticed within a second, and told with frame, field and both values.
//!
//! Every peer tells every other one, each
//! [`check_interval_frames`](snapback_core::RollbackConfig::check_interval_frames) confirmed frames, the hash
//! of its state and a rolling digest of every player's inputs. The other compares them with its own. If they
//! differ, the match ends on both sides with [`Outcome::Desynced`](crate::Outcome::Desynced) or
//! [`Outcome::InputsDiffer`](crate::Outcome::InputsDiffer), and
//! [`Peer::inquiry`](crate::Peer::inquiry) gives a [`DesyncInquiry`] by which the two find out where.
//!
//! | file | what it holds |
//! |---|---|
//! | `history` | what this peer computed for its confirmed frames |
//! | `comparison` | what another told, compared with it; whether it tells anything |
//! | `evidence` | what is left of the frames in dispute |
//! | `inquiry`, `state` | the exchange, and its table |
//! | `message`, `parts` | its bytes; a state cut into sections |
//! | `report` | what comes out |
//! | `bundle` | the report and two recordings in a folder (feature `golden`) |
//!
#![doc = include_str!("../../docs/desync.md")]

#[cfg(feature = "golden")]
mod bundle;
pub(crate) mod comparison;
pub(crate) mod evidence;
pub(crate) mod history;
mod inquiry;
mod message;
mod parts;
mod report;
mod state;

#[cfg(feature = "golden")]
pub use bundle::{BundleError, BundleFile, OURS, THEIRS, bundle};
pub use inquiry::{DesyncInquiry, InquiryError};
pub use message::MAX_INQUIRY_BYTES;
pub use report::{DesyncReport, FieldReport, InputsReport};
pub use state::{INQUIRY, InquiryEvent, InquiryState};
