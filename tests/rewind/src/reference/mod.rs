//! The slow and obvious answers. Each file follows one section of the motion model and keeps no
//! index, no ring and no bound that could be wrong in the same way as an engine's.
//!
//! | module | what it holds |
//! |---|---|
//! | [`units`] | quantising, fractions, `lerp`, the half axis |
//! | [`pose`] | what a hitbox is at a tick, and between two |
//! | [`track`] | one hitbox over time: cadences, gaps, holding, retirement |
//! | [`lookup`] | one hitbox at one time, or the reason why not |
//! | [`admit`] | the filter |
//! | [`impact`] | the exact time of impact, by integers of 256 bits |
//! | [`history`] | all hitboxes; frozen and moving queries |
//! | [`catch_up`] | a shot stepped from its fire time to now |

pub mod admit;
pub mod catch_up;
pub mod history;
pub mod impact;
pub mod lookup;
pub mod pose;
pub mod track;
pub mod units;

pub use history::Reference;
