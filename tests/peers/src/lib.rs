//! Snapback measured beside the netcode that a user would pick instead: two peers of each in one
//! process, with the same game, the same inputs and the same delay between them.
//!
//! | module | what it holds |
//! |---|---|
//! | [`channels`] | reliable messages, beside those of laminar and of renet |
//! | [`counting_alloc`] | the allocator, which counts |
//! | [`delay_line`] | one direction of a link: a delay, loss by seed, memory that is allocated once |
//! | [`link`] | both directions on one virtual clock |
//! | [`wire`] | what went over a link, IP and UDP headers included |
//! | [`pad`] | what the players press |
//! | [`tiny_game`] | a game whose step and snapshot cost next to nothing |
//! | [`ours`] | two `snapback::Peer`s |
//! | [`theirs`] | two ggrs sessions |
//! | [`fortress`] | two sessions of its fork, fortress-rollback |
//! | [`block_game`] | a game whose state is as large as one likes |
//! | [`sync_tests`] | sync tests of all three, and the work that none can do without |
//! | [`security`] | credentials of our two peers |
//! | [`over_sockets`] | our two peers over real sockets |
//! | [`second_opinion`] | frozen rewind queries, asked of parry3d too, and what explains its answer |
//! | [`proxy`] | what is between those sockets: a delay, and a count |
//!
//! What is alike on both sides: the game, the pads, the link (it lends its own memory to write a
//! datagram into and to read one from), the prediction window (8, the default of both), no input
//! delay. What is not alike: ggrs compares no checksums (its default), where Snapback hashes every
//! frame; and the benchmark runs ggrs faster than its wall clock, so that its five quality reports a
//! second are almost never due. Both favour ggrs. Its messages are serialized as its own UDP socket
//! does it.
//!
//! Time and allocations are compared in plaintext, because ggrs knows no other: they are the session's
//! own cost. What encryption costs beside them is measured in the transport's benchmark, and bytes on
//! the wire are ours encrypted against ggrs's in the clear.

#![allow(clippy::expect_used, clippy::panic, reason = "a comparison that cannot run has nothing better to do than to stop")]

pub mod block_game;
pub mod channels;
pub mod counting_alloc;
pub mod delay_line;
pub mod fortress;
pub mod link;
pub mod ours;
pub mod over_sockets;
pub mod pad;
pub mod proxy;
pub mod second_opinion;
pub mod security;
pub mod sync_tests;
pub mod theirs;
pub mod tiny_game;
pub mod wire;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// Where the two peers are. Nothing is bound there: a link carries the datagrams.
pub const ADDRESSES: [SocketAddr; 2] =
    [SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 7001), SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 7002)];

/// When tick `tick` is due at 60 Hz.
#[must_use]
pub fn tick_us(tick: u64) -> u64 {
    tick * 1_000_000 / 60
}

/// The code of the page for who comes from ggrs: it compiles, and runs.
#[cfg(doctest)]
#[doc = include_str!("../../../session/docs/from-ggrs.md")]
pub struct FromGgrs;
