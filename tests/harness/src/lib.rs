//! Matches that run without a network: a virtual clock, links, a cluster of peers, and a judge.
//!
//! | module | what it holds |
//! |---|---|
//! | [`cluster`] | [`Cluster`]: peers and links on one virtual clock |
//! | [`judge`] | [`Judge`]: compares every confirmed frame with the other peers' and with a straight replay |
//! | [`pilot`] | [`Pilot`]: who presses the buttons |
//! | [`holds`] | inputs with the hold lengths of people |
//! | [`bot`] | a pilot for the fighting world that looks at it |
//! | [`recorded`] | recorded human inputs, `.fg` files |
//! | [`plan`] | a match with every condition drawn from one seed |
//! | [`soak`] | matches under every fault that a network and a machine have, one from each seed |
//!
//! What the judge verifies: that all peers confirm the same inputs and the same state for every
//! frame, and that this state is what the inputs give without any rollback. What it does not: that
//! the inputs are the ones the pilots pressed (a test with a script compares those itself).

pub mod bot;
pub mod cluster;
pub mod holds;
pub mod judge;
pub mod pilot;
pub mod plan;
pub mod recorded;
pub mod soak;

pub use cluster::{Cluster, ClusterSettings};
pub use judge::{Fault, Judge};
pub use pilot::Pilot;
