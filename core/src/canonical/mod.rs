//! Canonical input: what a pad says, brought down to what the game can tell apart, where it is sampled.
//!
//! A remote player's input is predicted, and whatever differs from the prediction costs a rollback, even
//! if the game would have done the same with both. So what makes no difference is taken away before an
//! input is used at home *and* before it is sent: then every peer simulates the same canonical input.
//! Canonicalising later, inside the step, would not help: the session compares inputs, not what a game
//! makes of them. What it is worth on human inputs stands in `session/docs/prediction.md`.
//!
//! | type | what it takes away |
//! |---|---|
//! | [`AxisQuantiser`] | small movements and the chatter of a stick |
//! | [`TriggerButton`] | how far a trigger is pressed |
//! | [`ButtonMap`] | which of several equivalent buttons it was, and buttons that do nothing |
//! | [`PadCanonicaliser`] | all of these, for a pad with two sticks and two triggers |
//!
//! All of it is optional: nothing in this library calls it. Each is a state machine for one pad that is
//! fed once a frame, in integers, and allocates nothing. Its state is no state of the match: what it says
//! becomes an input, and inputs are never made again.
//!
//! ```
//! use snapback_core::canonical::{AxisSettings, ButtonMap, PadCanonicaliser, PadSettings, RawPad, TriggerSettings};
//!
//! const JUMP: u32 = 1 << 10;
//! const GUARD: u32 = 1 << 6;
//! // Axes from -80 to 80, triggers from 0 to 140.
//! let stick = AxisSettings { step: 8, dead_zone: 4, hysteresis: 2, range: 80 };
//! let trigger = TriggerSettings { press: 43, release: 30 };
//! let mut pad = PadCanonicaliser::new(PadSettings {
//!     sticks: [stick; 2],
//!     triggers: [trigger; 2],
//!     trigger_buttons: [GUARD; 2],
//!     buttons: ButtonMap { kept: 0x0310, merged: &[(0x0C00, JUMP), (0x0060, GUARD)] },
//! })?;
//! let held = pad.sample(&RawPad { buttons: 0x0900, sticks: [[57, -1], [0, 0]], triggers: [0, 50] });
//! assert_eq!((held.buttons, held.sticks), (0x0100 | JUMP | GUARD, [[56, 0], [0, 0]]));
//! // The thumb trembles, the finger slackens: the same input, and nobody rolls back.
//! let trembling = pad.sample(&RawPad { buttons: 0x0900, sticks: [[61, 2], [0, -3]], triggers: [3, 35] });
//! assert_eq!(trembling, held);
//! # Ok::<(), snapback_core::canonical::InvalidPad>(())
//! ```

mod axis;
mod buttons;
mod error;
mod pad;
mod trigger;

pub use axis::{AxisQuantiser, AxisSettings};
pub use buttons::ButtonMap;
pub use error::InvalidPad;
pub use pad::{CanonicalPad, PadCanonicaliser, PadSettings, RawPad};
pub use trigger::{TriggerButton, TriggerSettings};
