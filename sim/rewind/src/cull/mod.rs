//! Who can have been hit at all: boxes of the past against the path of a shot, before anybody is
//! rewound.
//!
//! The host records the bounds of each component at every tick in a [`BoundsHistory`]. When a shot
//! wants to rewind, a [`Culler`] puts all that a component was from the start of the rewind to now
//! into one box, its [`Composite`], and a [`CullFilter`] says whose is worth a rewind. The default
//! one culls: it keeps those whose box the path touches.
//!
//! It never leaves out what could be hit in the history of hitboxes: between two ticks a component is on
//! its way from one box to the other, so whatever the path touches at any time of the window it touches in the
//! composite. A hitbox that is not sampled at every tick is shown on its way from one *sample* to the next, or
//! held at one, which is not where it truly was: its composite takes in all ticks that are as near to the window
//! as such samples can be. Where a part of that is forgotten, the component is kept. One that is
//! [retired](BoundsHistory::retire) stays as long as it can be hit.
//!
//! ```
//! use snapback_rewind::{ActorId, Cadence, ComponentId, Point};
//! use snapback_rewind::cull::{Aabb, BoundsConfig, BoundsHistory, CullByPath, Culler, PendingRewind, Sweep, Window};
//!
//! let config = BoundsConfig::default();
//! let mut history = BoundsHistory::new(config).unwrap();
//! let body = |x| Aabb::around(Point { x, y: 0, z: 0 }, [8_000; 3]);
//! let shooter = history.register(0, ActorId(1), ComponentId(0), Cadence::EveryServerTick, body(0)).unwrap();
//! let walker = history.register(0, ActorId(2), ComponentId(0), Cadence::EveryServerTick, body(100_000)).unwrap();
//! history.record(16_667, shooter, body(0)).unwrap();
//! history.record(16_667, walker, body(120_000)).unwrap();
//!
//! // He is past the line now, and was on it a tick ago.
//! let line = Sweep::line(Point { x: 95_000, y: 0, z: -90_000 }, Point { x: 95_000, y: 0, z: 90_000 }).unwrap();
//! let pending = PendingRewind { window: Window::new(0, 16_667), instigator: Some(ActorId(1)), path: &[line] };
//! let (mut culler, mut kept) = (Culler::new(config), Vec::new());
//! let tally = culler.cull(&history, &pending, &mut CullByPath, &mut kept);
//! assert_eq!(kept, [walker]);
//! assert_eq!(tally.instigator, 1);
//! ```

mod aabb;
mod bounds;
mod composite;
mod debug;
mod filter;
mod pass;
mod sweep;
mod touch;

pub use aabb::{Aabb, InvertedBox};
pub use bounds::{BoundsConfig, BoundsError, BoundsHistory, BoundsId, MAX_COMPONENTS};
pub use composite::{COMPOSITE_MARGIN_UNITS, Composite, Window};
pub use debug::{Colour, CullMark, Verdict};
pub use filter::{CullByPath, CullFilter, KeepAll};
pub use pass::{CullPass, CullTally, Culler, PendingRewind, PotentialTarget};
pub use sweep::{MAX_SWEEP_UNITS, MAX_VOLUME_UNITS, Sweep, SweepError, Volume};
