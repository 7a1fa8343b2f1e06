//! An actor's own past, played backwards: the whole of "rewind time" as a part of the game's state.
//!
//! An [`ActorRewind`] takes a [`Sample`] of its actor at a fixed interval, in a ring of constant size.
//! While it rewinds, the host switches physics off and puts the actor where it says; afterwards the host
//! gives the actor the velocities and the movement mode that it had then, and what was undone is
//! forgotten.
//!
//! It is state like any other: plain bytes that a rollback captures and restores, in the middle of a
//! rewind too. It has a stated size and counts in the budget of a fighter.
//!
//! | samples | [`ActorRewind`], bytes | with [`AnimationRewind`], bytes | history at 100 ms |
//! |---|---|---|---|
//! | 16 | 2,208 | 2,896 | 1.5 s |
//! | 32 | 4,256 | 5,584 | 3.1 s |
//! | 47 | 6,176 | 8,104 | 4.6 s |
//! | 62 | 8,096 | | 6.1 s |
//!
//! ```
//! use snapback_core::Vec3;
//! use snapback_rewind::actor::{ActorRewind, Body, Physics, RewindRules, RewindSpeed};
//!
//! // Ten samples a second, and back at twice the speed.
//! let rules = RewindRules::new(100_000, RewindSpeed::new(2, 1).unwrap()).unwrap();
//! let mut rewind = ActorRewind::<32>::new();
//! let mut body = Body::default();
//! for metre in 1..=10 {
//!     body.position = Vec3::from_ints(100 * metre, 0, 0);
//!     rewind.record(&rules, 50_000, &body);
//! }
//! rewind.begin(&body).unwrap();
//! assert_eq!(rewind.physics(), Physics::Off);
//! let shown = rewind.step_back(&rules, 100_000).unwrap();
//! assert_eq!(shown.body.position, Vec3::from_ints(600, 0, 0));
//! let resumed = rewind.resume().unwrap();
//! assert_eq!((resumed.body, rewind.physics()), (shown.body, Physics::On));
//! ```

mod animation;
mod body;
mod rewind;
mod rules;
mod states;
mod track;

pub use animation::{AnimationPose, AnimationRewind, AnimationSample};
pub use body::{Body, MovementMode, Sample, SampleTime};
pub use rewind::{ActorRewind, Resumed, RewindRefused, Rewound};
pub use rules::{InvalidRules, RewindRules, RewindSpeed};
pub use states::{Physics, REWIND_STATES, RewindEvent, RewindState};
