//! Results that are certain, and a proof of them for who was not there.
//!
//! A result exists on a confirmed frame only. [`ResultFeed`] turns confirmed frames into results, each once, the
//! same on every peer. [`Evidence`] digests all inputs of the match as it goes. At the end every peer signs the same
//! [`MatchStatement`] with its identity, and [`SignedResult`] holds all signatures. Whoever has that
//! and a recording of the inputs plays the match again, with [`attest`], and needs no packet of it.
//!
//! ```
//! # use bytemuck::{Pod, Zeroable};
//! # use snapback::*;
//! # use snapback::state::pod;
//! use snapback::results::{ResultCount, ResultFeed, ResultSource};
//!
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
//! /// Every hundred points are a lap.
//! impl ResultSource for Race {
//!     type Result = u32;
//!     fn results(snapshot: &[u8]) -> Option<ResultCount<u32>> {
//!         let points: u64 = bytemuck::try_pod_read_unaligned(snapshot).ok()?;
//!         let count = u32::try_from(points / 100).ok()?;
//!         Some(ResultCount { count, newest: (count > 0).then_some(count) })
//!     }
//!     fn write_result(lap: &u32, out: &mut Vec<u8>) {
//!         out.extend(lap.to_le_bytes());
//!     }
//! }
//!
//! let mut session = RollbackSession::new(Race(0), SessionSettings::new(7, 1, PlayerSet::first(1)))?;
//! let mut results = ResultFeed::<Race>::new(Frame::ZERO);
//! let mut laps = Vec::new();
//! for _ in 0..60 {
//!     session.tick(&[LocalInput::new(PlayerHandle::new(0), 5)], &[])?;
//!     while let Some(frame) = session.confirmed(results.next_frame()) {
//!         laps.extend(results.take(&frame)?);
//!     }
//! }
//! assert_eq!(laps.iter().map(|lap| (lap.frame.number(), lap.result)).collect::<Vec<_>>(), [(19, 1), (39, 2), (59, 3)]);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! | file | what it holds |
//! |---|---|
//! | `source` | [`ResultSource`], what a simulation says of its results |
//! | `feed` | [`ResultFeed`] |
//! | `evidence` | [`Evidence`] and [`InputDigest`] |
//! | `statement` | [`MatchStatement`], its bytes, and how two differ |
//! | `signed` | [`SignedResult`] |
//! | `exchange` | [`ResultExchange`], what the peers send each other |
//! | `attest` | [`attest`], the match played again |

#[cfg(all(feature = "dtls", feature = "golden"))]
mod attest;
#[cfg(feature = "dtls")]
mod evidence;
#[cfg(feature = "dtls")]
mod exchange;
mod feed;
#[cfg(feature = "dtls")]
mod signed;
mod source;
#[cfg(feature = "dtls")]
mod statement;

#[cfg(all(feature = "dtls", feature = "golden"))]
pub use attest::{AttestError, Attested, attest};
#[cfg(feature = "dtls")]
pub use evidence::{Evidence, EvidenceError, InputDigest};
#[cfg(feature = "dtls")]
pub use exchange::{ExchangeError, HeardError, ResultExchange};
pub use feed::{MatchResult, ResultError, ResultFeed};
#[cfg(feature = "dtls")]
pub use signed::{SignedResult, SignedResultError};
pub use source::{ResultCount, ResultSource};
#[cfg(feature = "dtls")]
pub use statement::{MAX_RESULT_BYTES, MAX_STATEMENT_BYTES, MatchStatement, StatementDifference, StatementError};
