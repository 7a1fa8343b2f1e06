//! A whole peer that is lied to between its ticks, by somebody with all keys of the connection.
//!
//! With the first action, bit 7 makes the victim the joiner and bit 6 adds a third player who never
//! comes.

use crate::case::{Case, Step};
use crate::targets::duel::{Cut, Duel, Shape, honest_address};
use crate::targets::packets;
use snapback::PlayerSet;
use snapback::transport::packet::{BarrierState, ConnectionKey, Pairing, RosterEntry, SeedPart, SeedSecret, Sync};
use snapback_transport::credentials::{Fingerprint, SeatSecret};
use std::net::SocketAddr;

/// Frames, as many as the first byte says.
const ADVANCE: u8 = 0;
/// Frames in which the victim hears nothing.
const DEAF: u8 = 1;
/// Frames in which the victim is not heard.
const MUTE: u8 = 2;
/// A datagram from the honest one's address.
const DATAGRAM: u8 = 3;
/// A packet with the keys of the connection.
const LIE: u8 = 4;
/// Inputs like the newest honest ones: what to add to the sequence, where to begin, the changes.
const FORGE: u8 = 5;
/// A greeting in the clear, from where the first byte says.
const GREET: u8 = 6;
/// An honest datagram once more; the third byte says from where.
const REPEAT: u8 = 7;
/// A datagram from elsewhere.
const STRANGER: u8 = 8;
/// Milliseconds in which nobody does anything.
const WAIT: u8 = 9;
/// The victim's program ends the match.
const LEAVE: u8 = 10;

const JOINER: u8 = 0x80;
const THREE: u8 = 0x40;

/// Frames of one case.
const MAX_FRAMES: u32 = 1_200;

/// A plaintext victim.
#[must_use]
pub fn fuzz_plaintext(input: &[u8]) -> u64 {
    fuzz(input, false)
}

/// An encrypted victim.
#[must_use]
pub fn fuzz_encrypted(input: &[u8]) -> u64 {
    fuzz(input, true)
}

fn elsewhere(n: u8) -> SocketAddr {
    SocketAddr::from(([10, 0, 1, n], 9))
}

fn fuzz(input: &[u8], is_encrypted: bool) -> u64 {
    let case = Case::read(input);
    let first = case.steps.first().map_or(0, |step| step.action);
    let player_count = if first & THREE == 0 { 2 } else { 3 };
    let mut duel = Duel::new(Shape { is_encrypted, is_joiner: first & JOINER != 0, player_count });
    let mut frames = 0;
    for Step { action, bytes } in &case.steps {
        let first = bytes.first().copied().unwrap_or(0);
        match action & 0x0F {
            way @ (ADVANCE | DEAF | MUTE) => {
                let cut = [Cut::None, Cut::ToVictim, Cut::FromVictim][usize::from(way)];
                for _ in 0..first.clamp(1, 100) {
                    frames += 1;
                    if frames > MAX_FRAMES {
                        break;
                    }
                    duel.tick(cut);
                }
            }
            DATAGRAM => duel.give(honest_address(), bytes),
            LIE => duel.lie(bytes),
            FORGE => {
                if let Some((&[sequence, offset], mask)) = bytes.split_first_chunk::<2>() {
                    duel.forge(sequence as i8, offset.into(), mask);
                }
            }
            GREET => {
                let from = if first == 0 { honest_address() } else { elsewhere(first) };
                duel.greet(from, bytes.get(1..).unwrap_or_default());
            }
            REPEAT => {
                if let Some(&[low, high, from]) = bytes.first_chunk::<3>() {
                    let from = if from == 0 { honest_address() } else { elsewhere(from) };
                    duel.repeat(u16::from_le_bytes([low, high]).into(), from);
                }
            }
            STRANGER => duel.give(elsewhere(first), bytes.get(1..).unwrap_or_default()),
            WAIT => duel.wait(1_000 * u64::from(bytes.first_chunk::<2>().map_or(0, |chunk| u16::from_le_bytes(*chunk)))),
            LEAVE => duel.leave(),
            _ => {}
        }
    }
    duel.settle(Cut::None);
    duel.datagrams
}

/// Lies in every phase of a match, and rosters that name everybody.
#[must_use]
pub fn seeds() -> Vec<(String, Case)> {
    let packets = packets::seeds();
    let bodies = &packets.iter().find(|(name, _)| name == "aead").expect("packets has one").1.steps;
    let mut seeds = Vec::new();
    for (name, side) in [("host", 0), ("joiner", JOINER)] {
        for (phase, frames) in [("greeting", 1), ("barrier", 6), ("playing", 60)] {
            let mut steps = vec![Step::new(ADVANCE | side, [frames])];
            for body in bodies {
                steps.push(Step::new(LIE, body.bytes.clone()));
                steps.push(Step::new(GREET, [&[0][..], &body.bytes].concat()));
                steps.push(Step::new(ADVANCE, [1]));
                steps.push(Step::new(FORGE, [1, 7, 1]));
            }
            steps.push(Step::new(DEAF, [20]));
            steps.push(Step::new(MUTE, [20]));
            steps.push(Step::new(REPEAT, [9, 0, 0]));
            steps.push(Step::new(STRANGER, [3, 1, 2, 3]));
            steps.push(Step::new(ADVANCE, [90]));
            seeds.push((format!("{name}-{phase}"), Case { steps }));
        }
        let forged = (0..40u8).flat_map(|n| [Step::new(FORGE, [n % 3, n % 20, 1 << (n % 8)]), Step::new(ADVANCE, [1])]);
        let steps = [Step::new(ADVANCE | side, [60])].into_iter().chain(forged).collect();
        seeds.push((format!("{name}-forged"), Case { steps }));
        let steps = vec![Step::new(ADVANCE | side, [100]), Step::new(WAIT, [200, 0]), Step::new(LEAVE, []), Step::new(ADVANCE, [100])];
        seeds.push((format!("{name}-leaves"), Case { steps }));
        let steps = [100; 6].map(|frames| Step::new(ADVANCE, [frames])).to_vec();
        let mut whole = Case { steps };
        whole.steps[0].action |= side;
        seeds.push((format!("{name}-whole"), whole));
    }
    seeds.push(("joiner-rosters".to_owned(), rosters(|_| 1)));
    seeds.push(("joiner-strange-rosters".to_owned(), rosters(|n| 1 | n << 3)));
    seeds
}

/// A malicious host that names another peer at another address each time.
fn rosters(first: fn(u8) -> u8) -> Case {
    let mut steps = vec![Step::new(ADVANCE | JOINER | THREE, [10])];
    for n in 0..24u8 {
        let entry = |bits, address: Option<SocketAddr>| RosterEntry {
            players: PlayerSet::from_bits(bits),
            address,
            instance: n.into(),
            pairing: Some(Pairing { fingerprint: Fingerprint([n; 32]), secret: SeatSecret([n; 32]) }),
        };
        let roster = vec![entry(first(n), Some(elsewhere(n))), entry(2, None), entry(4, Some(elsewhere(100 + n)))];
        let sync = Sync {
            state: BarrierState::Ready,
            sent_us: 1_000_000 + u32::from(n),
            echo: None,
            start_in_us: 0,
            seed: SeedPart::new(&SeedSecret::fixed(7), 5, PlayerSet::from_bits(2), 0, false),
            roster,
        };
        let mut out = [0; 1_200];
        let len = sync.write(ConnectionKey::AEAD, &mut out);
        steps.push(Step::new(LIE, &out[..len]));
        steps.push(Step::new(ADVANCE, [1]));
    }
    Case { steps }
}
