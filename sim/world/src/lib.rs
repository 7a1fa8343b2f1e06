//! A deterministic fighting world for two to eight fighters in up to four teams, on
//! [`snapback_core::Simulation`].
//!
//! Fighters walk, dash, jump, step into the depth, guard, throw and hit each other with moves that
//! are data: normals, specials with motion inputs, supers, armour, projectiles, Heat, Rage, stances.
//! A match is won by rounds; after a pause the next match begins in the same simulation, so a
//! session never runs out of fight.
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
//! # What a mirrored match is
//! Exchange left and right on every pad, and each seat of an even team with the seat in the same
//! place of the odd team next to it, and everything is exchanged and nothing else: x becomes -x, left
//! becomes right; height and depth stay what they are. No seat and no side is favoured.
//!
//! | module | what it holds |
//! |---|---|
//! | [`world`] | [`World`], the simulation |
//! | [`roster`] | [`Roster`], who fights as whom |
//! | [`pad`] | [`PadInput`], what a player presses |
//! | [`data`] | [`WorldData`], the frame data and its errors |
//! | [`header`], [`fighter`] | the state, section by section |
//! | [`view`] | [`WorldView`], the state read back from captured bytes |
//! | [`result`] | [`RoundResult`], who won |
//! | [`picture`] | [`Picture`], what is drawn between two frames |
//! | [`cues`] | the names of the effects |
//! | [`sizes`] | how much of a state each section is |

pub mod cues;
pub mod data;
pub mod fighter;
pub mod header;
pub mod pad;
pub mod picture;
pub mod result;
pub mod roster;
pub mod sizes;
mod step;
pub mod view;
pub mod world;

pub use data::{DataError, DataFile, Mechanic, WorldData};
pub use fighter::{Act, Fighter};
pub use header::{Phase, WorldHeader};
pub use pad::PadInput;
pub use picture::{FighterPicture, Picture, ProjectilePicture};
pub use result::{Results, RoundEnd, RoundResult, Winner};
pub use roster::{Roster, RosterError, Seat};
pub use view::WorldView;
pub use world::World;

/// Most fighters in one world.
pub const MAX_FIGHTERS: usize = 8;

/// Fewest fighters in one world.
pub const MIN_FIGHTERS: usize = 2;

/// Most teams in one world.
pub const MAX_TEAMS: usize = 4;

/// The team that fights from seat `seat` of the [standard roster](Roster::standard): 0 for even
/// seats, 1 for odd ones.
#[must_use]
pub const fn team_of(seat: usize) -> u8 {
    (seat % 2) as u8
}
