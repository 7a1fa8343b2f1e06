//! The table of targets.

pub mod channel;
pub mod codec;
pub mod duel;
pub mod endpoint;
pub mod exchange;
pub mod fire;
pub mod handshake;
pub mod hub;
pub mod packets;
pub mod parity;
pub mod peer;
pub mod replay;
mod rogue;
pub mod scenario;
pub mod ticket;
pub mod trace;

use crate::case::Case;

/// Something that reads bytes of strangers.
pub struct Target {
    /// Its name: of its folder in the corpus, and on the command line.
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// Gives it an input; says how many datagrams, texts or files that held.
    pub entry: fn(&[u8]) -> u64,
    /// The most bytes that one input may make it hold at once, the input itself included.
    pub most_bytes: usize,
    /// Inputs that honest runs give, with a name each.
    pub seeds: fn() -> Vec<(String, Case)>,
}

const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;

/// Every target.
pub const TARGETS: &[Target] = &[
    Target {
        name: "packets",
        about: "every packet type, in the clear with right and wrong checksums, and under AEAD",
        entry: packets::fuzz,
        most_bytes: 512 * KIB,
        seeds: packets::seeds,
    },
    Target { name: "codec", about: "encoded inputs of every size", entry: codec::fuzz, most_bytes: 512 * KIB, seeds: codec::seeds },
    Target {
        name: "parity",
        about: "parity packets and the recovery of what they protect",
        entry: parity::fuzz,
        most_bytes: 512 * KIB,
        seeds: parity::seeds,
    },
    Target { name: "ticket", about: "match tickets", entry: ticket::fuzz, most_bytes: 512 * KIB, seeds: ticket::seeds },
    Target { name: "trace", about: "recorded round trips", entry: trace::fuzz, most_bytes: 4 * MIB, seeds: trace::seeds },
    Target {
        name: "replay",
        about: "golden replays whose checksums are right: read, recover, verify, play",
        entry: replay::fuzz,
        most_bytes: 128 * MIB,
        seeds: replay::seeds,
    },
    Target {
        name: "handshake",
        about: "both ends of an encrypted handshake, which must complete afterwards",
        entry: handshake::fuzz,
        most_bytes: 4 * MIB,
        seeds: handshake::seeds,
    },
    Target {
        name: "endpoint",
        about: "a connection while playing, and a peer who knows its keys",
        entry: endpoint::fuzz,
        most_bytes: 512 * KIB,
        seeds: endpoint::seeds,
    },
    Target {
        name: "peer",
        about: "a whole plaintext peer, from the first Hello to the last Bye",
        entry: peer::fuzz_plaintext,
        most_bytes: 4 * MIB,
        seeds: peer::seeds,
    },
    Target {
        name: "sealed",
        about: "a whole encrypted peer, and a malicious one with a ticket",
        entry: peer::fuzz_encrypted,
        most_bytes: 8 * MIB,
        seeds: peer::seeds,
    },
    Target {
        name: "channel",
        about: "a connection of channels, and a peer who knows its keys",
        entry: channel::fuzz,
        most_bytes: 12 * MIB,
        seeds: channel::seeds,
    },
    Target {
        name: "exchange",
        about: "honest messages over a way that does everything but forge",
        entry: exchange::fuzz,
        most_bytes: 8 * MIB,
        seeds: exchange::seeds,
    },
    Target {
        name: "hub",
        about: "all channels of a match, with strangers and a malicious player",
        entry: hub::fuzz,
        most_bytes: 32 * MIB,
        seeds: hub::seeds,
    },
    Target {
        name: "fire",
        about: "fire requests of clients, and the gate that believes their times within bounds",
        entry: fire::fuzz,
        most_bytes: 512 * KIB,
        seeds: fire::seeds,
    },
    Target {
        name: "scenario",
        about: "scenario files of lag compensation: read, play",
        entry: scenario::fuzz,
        most_bytes: 64 * MIB,
        seeds: scenario::seeds,
    },
];

/// The target of a name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}
