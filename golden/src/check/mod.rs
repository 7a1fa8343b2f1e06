//! The check (feature `corpus`): every replay of a folder verified on all cores, a report of it, and
//! what becomes of the replays that changed. It works for any [`Simulation`](snapback_core::Simulation).
//!
//! ```no_run
//! # use snapback_core::*;
//! # use snapback_core::state::pod;
//! # struct Race(u64);
//! # impl Simulation for Race {
//! #     type Input = u8;
//! #     fn id(&self) -> SimulationId { SimulationId { name: "race", version: 1 } }
//! #     fn layout(&self) -> StateLayout { StateLayout::of::<u64>() }
//! #     fn reset(&mut self, _: u64, _: usize) -> Result<(), ResetError> { self.0 = 0; Ok(()) }
//! #     fn step(&mut self, _: Frame, inputs: &FrameInputs<'_, u8>, _: &mut Effects) {
//! #         self.0 = self.0.wrapping_add(inputs.input(PlayerHandle::new(0)).into());
//! #     }
//! #     fn capture(&self, out: &mut [u8]) { pod::capture(&self.0, out) }
//! #     fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> { pod::restore(&mut self.0, snapshot) }
//! # }
//! use snapback_golden::check::{CheckSettings, PendingPlace, Report, check, find, in_ci};
//!
//! let replays = find("replays".as_ref())?;
//! let pending = if in_ci() { PendingPlace::Nowhere } else { PendingPlace::Beside };
//! let checked = check(&replays, &CheckSettings { pending, ..CheckSettings::default() }, |_| Ok(Race(0)), |_| {});
//! let report = Report::of(&checked, "my-game verify {file}");
//! println!("{}", report.human(false));
//! std::process::exit(report.exit_code().into());
//! # #[allow(unreachable_code)]
//! # Ok::<(), snapback_golden::check::FindError>(())
//! ```

mod accept;
mod atomic;
mod bisect;
mod case;
mod ci;
mod cores;
mod diff;
mod file;
mod find;
mod part;
mod pending;
mod report;
mod run;
mod shard;

pub use accept::{AcceptError, Accepted, accept, reject};
pub use atomic::write_atomically;
pub use bisect::{PartedBy, Parting, bisect};
#[cfg(feature = "harness")]
pub(crate) use case::quoted;
pub use case::{Case, CaseOutcome, ChangeCase, DivergenceCase, FieldCase, InputCase, PendingCase, ValueCase};
pub use ci::{in_ci, is_ci};
pub use cores::on_all_cores;
pub use diff::{Diff, Difference, HashChange, HashChanges, InputChange, InputChanges, diff};
pub use file::{read_file, read_file_or_pipe};
pub use find::{EXTENSION, FindError, FoundReplay, find};
pub use part::{MergeError, Part, merge};
pub use pending::{ChoiceError, PENDING_EXTENSION, PendingChange, PendingPlace, PendingState};
pub use report::Report;
pub use run::{CheckSettings, Checked, Outcome, check, check_one};
pub use shard::Shard;
