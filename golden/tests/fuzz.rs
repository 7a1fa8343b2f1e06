//! Seeded mutations of good files: bytes at random, and blocks, fields, traces and snapshots with
//! every checksum set right again. `SNAPBACK_FUZZ_RUNS` sets how many, `SNAPBACK_FUZZ_SEED` replays
//! one. This loop is the fuzzer of the format: it needs nothing but `cargo test`.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use miniz_oxide::inflate::decompress_to_vec;
use snapback_core::Rng;
use snapback_golden::format::Acceptance;
use support::blocks::{BlockFile, kind, packed};
use support::exercise::exercise;
use support::{crossing, settings};

const RUNS: u64 = 12_000;

/// Says how to see a failure again, whatever fails.
struct Seed(u64);

impl Drop for Seed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("replay it: SNAPBACK_FUZZ_SEED={} cargo test -p snapback-golden --all-features --test fuzz", self.0);
        }
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name}={text} is no number")))
}

fn pick(rng: &mut Rng, len: usize) -> usize {
    rng.below(u32::try_from(len.max(1)).unwrap()) as usize
}

fn mutate_bytes(bytes: &mut Vec<u8>, rng: &mut Rng) {
    const INTERESTING: [u32; 10] = [0, 1, 2, 60, 61, 127, 255, 0x7FFF_FFFF, 0x8000_0000, u32::MAX];
    for _ in 0..=rng.below(3) {
        let at = pick(rng, bytes.len());
        match rng.below(8) {
            0..=2 => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << rng.below(8)),
            3 => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte = INTERESTING[rng.below(10) as usize] as u8),
            4 => {
                let value = INTERESTING[rng.below(10) as usize].to_le_bytes();
                bytes.iter_mut().skip(at).zip(value).for_each(|(byte, value)| *byte = value);
            }
            5 => bytes.truncate(at),
            6 => {
                let added: Vec<u8> = (0..rng.below(40)).map(|_| rng.next_u32() as u8).collect();
                bytes.splice(at..at, added);
            }
            _ => {
                let end = (at + pick(rng, 40)).min(bytes.len());
                let copied = bytes[at.min(end)..end].to_vec();
                let to = pick(rng, bytes.len() + 1);
                bytes.splice(to..to, copied);
            }
        }
    }
}

/// Mutates what is inside the packed bytes that begin at `at`.
fn mutate_packed(payload: &mut Vec<u8>, at: usize, rng: &mut Rng) {
    let Some(mut bytes) = payload.get(at + 4..).and_then(|deflated| decompress_to_vec(deflated).ok()) else { return };
    mutate_bytes(&mut bytes, rng);
    let promised = if rng.below(8) == 0 { rng.next_u32() as usize } else { bytes.len() };
    payload.truncate(at);
    payload.extend(packed(promised, &bytes));
}

fn mutate_blocks(file: &mut BlockFile, rng: &mut Rng) {
    let at = pick(rng, file.blocks.len());
    let to = pick(rng, file.blocks.len());
    match rng.below(12) {
        0 => drop(file.blocks.remove(at)),
        1 => file.blocks.insert(to, file.blocks[at].clone()),
        2 => file.blocks.swap(at, to),
        3 => file.blocks[at].0 = rng.below(9) as u8,
        4 => file.blocks[at].1 = file.blocks[to].1.clone(),
        _ => {
            let (kind, payload) = &mut file.blocks[at];
            let inside = rng.below(3) > 0;
            match *kind {
                kind::FIELDS if inside => mutate_packed(payload, 0, rng),
                kind::SNAPSHOT if inside => mutate_packed(payload, 8, rng),
                kind::FRAMES if inside && payload.len() > 6 && payload[1] == 1 => {
                    let inputs = u32::from_le_bytes(payload[2..6].try_into().unwrap()) as usize;
                    mutate_packed(payload, 6 + inputs + 4 * usize::from(payload[0]), rng);
                }
                _ => mutate_bytes(payload, rng),
            }
        }
    }
}

#[test]
fn no_mutation_does_harm() {
    let acceptance = Acceptance { reason: "calm".into(), simulation_version: 1, config_hash: 2, first_frame: 3, replaced_digest: 4 };
    let mut bases = vec![
        crossing(settings(true), 70, std::slice::from_ref(&acceptance)),
        crossing(settings(false), 630, &[acceptance]),
        crossing(settings(true), 3, &[]),
    ];
    #[cfg(feature = "sign")]
    bases.push(snapback_golden::sign::sign(&bases[0], &[5; 32]).unwrap());
    bases.shrink_to_fit();
    let seeds = match number("SNAPBACK_FUZZ_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("SNAPBACK_FUZZ_RUNS").unwrap_or(RUNS),
    };
    let (mut refused, mut played) = (0u64, 0u64);
    for seed in seeds {
        let told = Seed(seed);
        let mut rng = Rng::new(seed, 17);
        let base = &bases[pick(&mut rng, bases.len())];
        let is_sealed = rng.below(4) > 0;
        let mutated = if is_sealed {
            let mut file = BlockFile::parse(base);
            (0..=rng.below(2)).for_each(|_| mutate_blocks(&mut file, &mut rng));
            file.sealed()
        } else {
            let mut bytes = base.clone();
            mutate_bytes(&mut bytes, &mut rng);
            bytes
        };
        match exercise(&mutated, &mut rng) {
            Err(_) => refused += 1,
            Ok(()) => {
                assert!(is_sealed || mutated == *base, "an unsealed change was not noticed");
                played += 1;
            }
        }
        drop(told);
    }
    println!("{refused} refused, {played} played");
    assert!(refused + played < RUNS || (refused > RUNS / 2 && played > RUNS / 100), "the mutations all come to the same");
}
