//! The slow and obvious answers. Each file follows one section of the motion model and keeps no
//! index, no ring and no bound that could be wrong in the same way as an engine's.
//!
//! | module | what it holds |
//! |---|---|
//! | [`units`] | quantising, fractions, `lerp`, the half axis |
//! | [`pose`] | what a hitbox is at a tick, and between two |
//! | [`cadence`] | when a hitbox is due |
//! | [`track`] | one hitbox over time: cadences, gaps, holding, retirement |
//! | [`lookup`] | one hitbox at one time, or the reason why not |
//! | [`frames`] | all of a hitbox at one time, and everybody |
//! | [`admit`] | the filter |
//! | [`impact`] | the exact time of impact, by integers of 256 bits |
//! | [`history`] | all hitboxes; frozen and moving queries |
//! | [`walls`] | what the present world is in the way of, and the normals there |
//! | [`flight`] | a projectile, step by step, from its fire time to now and beyond |

pub mod admit;
pub mod cadence;
pub mod flight;
pub mod frames;
pub mod history;
pub mod impact;
pub mod lookup;
pub mod pose;
pub mod track;
pub mod units;
pub mod walls;

pub use history::Reference;
