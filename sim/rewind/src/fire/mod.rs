//! Fire requests: what a client may say about a shot, and what the server makes of it.
//!
//! A client sends a [`FireRequest`]: which shot it is, where it is aimed, when it was fired, and how
//! far behind its player saw others. Never from where: the server knows where the muzzle is. The
//! server keeps a [`FireGate`], which has a [`FireClock`] for each shooter and turns requests into
//! [`AcceptedFire`]s or refusals:
//!
//! | what a client claims | what happens |
//! |---|---|
//! | a sequence that came before | refused: one projectile per sequence |
//! | a sequence below the window of 64, or over 1,024 ahead | refused |
//! | a fire time after now | [`FireClamp::Future`] |
//! | a fire time before now minus the greatest rewind | [`FireClamp::Old`] |
//! | a lag that jumped up | [`FireClamp::Unsteady`] |
//! | a fire time before that of an earlier sequence | [`FireClamp::BeforeEarlier`] |
//! | a late one with a fire time after that of a later sequence | [`FireClamp::AfterLater`] |
//! | a late one that no time is left for | [`FireClamp::Overtaken`] |
//! | a view delay over the limit | [`FireClamp::LongViewDelay`] |
//! | a view delay that jumped up | [`FireClamp::UnsteadyViewDelay`] |
//!
//! What a [`FireClamp`] does, bring the number within bounds or refuse the shot, is [`FirePolicy`].
//! Everything is counted, by reason, in [`FireCounters`].
//!
//! # Lag that jumps
//!
//! Somebody with a switch in the cable could choose, shot by shot, whether others stand where they
//! are or where they were. So a lag counts up to the least lag of late plus an
//! [`allowance`](Steadiness::allowance_us), 80 ms, and that least lag follows what is claimed down at
//! once but up by 50 ms a second at most. Who switches between 0 and 240 ms therefore
//! gets 80 ms at most, what an honest player at 0 ms has on a bad network; who truly has 240 ms
//! gets them. As long as all lags of a shooter are within the allowance of each other, nothing is
//! clamped, in whatever order the requests arrive.
//!
//! # Orders of arrival
//!
//! Two shots that arrive at about the same time give the same two projectiles on the same paths in either order, if their
//! lags are within the allowance of lag (80 ms) of each other and their view delays within that of view delay (50 ms).
//! Beyond that the order counts: what the first one said about lag or view delay clamps the second. One projectile per
//! sequence it is in any case.
//!
//! # Sequences
//!
//! The first sequence of a shooter may be any; count up by one from 0 or 1, so that there is room. They never
//! wrap: after `u32::MAX` every request is a duplicate or too old. A shooter who fires ten times a second
//! is there after 13 years; one who starts near the end has to be [removed](FireGate::remove) and
//! [admitted](FireGate::admit) again, on both sides, to begin anew.
//!
//! ```
//! use snapback_core::Quat;
//! use snapback_rewind::ActorId;
//! use snapback_rewind::fire::{FireGate, FirePolicy, FireRefusal, FireRequest};
//! let mut gate = FireGate::new(FirePolicy::default(), 4)?;
//! let (anna, now_us) = (ActorId(1), 1_000_000);
//! let fire = |gate: &mut FireGate, sequence| {
//!     let request = FireRequest::new(sequence, Quat::IDENTITY, now_us, 0).unwrap();
//!     gate.accept(now_us, anna, &request).map(|fire| fire.sequence)
//! };
//! gate.admit(anna, None, now_us)?;
//! assert_eq!(fire(&mut gate, u32::MAX), Ok(u32::MAX));
//! assert_eq!(fire(&mut gate, 0), Err(FireRefusal::SequenceTooOld { sequence: 0, highest: u32::MAX }));
//! gate.remove(anna);
//! gate.admit(anna, None, now_us)?;
//! assert_eq!(fire(&mut gate, 0), Ok(0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Not here
//!
//! How often somebody may fire, with what, and whether they are alive is the game's rule. Ask it
//! before the gate, or after: a shot that the game does not fire costs nothing but its sequence.

mod accepted;
mod clock;
mod counters;
mod gate;
mod policy;
mod request;
mod steady;
mod times;
mod wire;

pub use accepted::AcceptedFire;
pub use clock::{FireClock, FireRefusal, WINDOW};
pub use counters::FireCounters;
pub use gate::{AdmitError, FireGate};
pub use policy::{FireClamp, FirePolicy, OnClamp};
pub use request::{FireField, FireFields, FireRequest, FireRequestError};
pub use steady::Steadiness;
pub use times::{ProjectileRecords, ProjectileTimes, QueryOrder, TimesError, Unseen};
pub use wire::{FIRE_REQUEST_BYTES, presence};
