//! A small fighting world for two to four fighters, on [`snapback_core::Simulation`].
//!
//! Fighters walk, jump, crouch, guard and hit each other with moves that are data. Seats 0 and 2
//! are team 0, seats 1 and 3 are team 1. A match is won by rounds; after a pause the next match
//! begins in the same simulation, so a session never runs out of fight.
//!
//! ```
//! use snapback_core::{Effects, Frame, FrameInputs, InputStatus, PlayerInput, Simulation};
//! use snapback_sim::{PadInput, World, WorldData};
//!
//! let mut world = World::new(WorldData::default());
//! world.reset(7, 2)?;
//! let mut players = [PlayerInput::<PadInput>::neutral(InputStatus::Confirmed); 2];
//! players[0].input = PadInput::new(PadInput::RIGHT | PadInput::LIGHT);
//! let mut effects = Effects::with_capacity(16);
//! for frame in 0..90 {
//!     world.step(Frame::new(frame), &FrameInputs::new(&players), &mut effects);
//! }
//! assert!(world.view().fighters()[0].x() > -world.view().fighters()[1].x());
//! # Ok::<(), snapback_core::ResetError>(())
//! ```
//!
//! | module | what it holds |
//! |---|---|
//! | [`world`] | [`World`], the simulation |
//! | [`pad`] | [`PadInput`], what a player presses |
//! | [`data`] | [`WorldData`], the frame data and its errors |
//! | [`header`], [`fighter`] | the state, section by section |
//! | [`view`] | [`WorldView`], the state read back from captured bytes |
//! | [`result`] | [`RoundResult`], who won |
//! | [`picture`] | [`Picture`], what is drawn between two frames |
//! | [`cues`] | the names of the effects |

pub mod cues;
pub mod data;
pub mod fighter;
pub mod header;
pub mod pad;
pub mod picture;
pub mod result;
mod step;
pub mod view;
pub mod world;

pub use data::{DataError, WorldData};
pub use fighter::{Act, Fighter};
pub use header::{Phase, WorldHeader};
pub use pad::PadInput;
pub use picture::{FighterPicture, Picture};
pub use result::{Results, RoundEnd, RoundResult, Winner};
pub use view::WorldView;
pub use world::World;

/// Most fighters in one world.
pub const MAX_FIGHTERS: usize = 4;

/// Fewest fighters in one world.
pub const MIN_FIGHTERS: usize = 2;

/// The team that fights from seat `seat`: 0 for even seats, 1 for odd ones.
#[must_use]
pub const fn team_of(seat: usize) -> u8 {
    (seat % 2) as u8
}
