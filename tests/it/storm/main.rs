//! Peers of every shape over every network: what fits no datagram, outages, lost starts, late quits,
//! forged packets. Each match is small, so that there can be many of them.
//!
//! Random matches follow from a seed. `SNAPBACK_STORM_SEEDS=3000` plays that many of each kind, and
//! `SNAPBACK_STORM_SEEDS=17..18` just the one that failed.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod contract;
mod datagrams;
mod endings;
mod forgeries;
mod game;
mod grid;
mod net;
mod node;
mod outages;
mod seed;
mod seeds;
mod starts;
mod storms;
