//! Random matches: all characters, all numbers of players and teams, pads that no pad could send.
//!
//! `SNAPBACK_CASES_PERCENT=3400 cargo test --release -p snapback-sim --test world random_matches` plays
//! 10,200, and a third as many mirrored; without it a few hundred are played.

use crate::cases::cases;
use crate::rig::{DEFAULT_DATA, Mashers, Rig};
use snapback_core::{EffectId, Rng, Simulation};
use snapback_sim::{MAX_FIGHTERS, PadInput};
use std::sync::Arc;

/// How many matches are usually played.
pub(crate) const USUAL_MATCHES: u32 = 300;

/// Frames of one match.
const FRAMES: usize = 400;

fn roster(rng: &mut Rng) -> Vec<(&'static str, u8)> {
    let players = 2 + rng.below(MAX_FIGHTERS as u32 - 1) as usize;
    let teams = 2 + rng.below(3);
    let seat = |at: usize, rng: &mut Rng| {
        // The first two are always enemies, so that every roster can be played.
        let team = if at < 2 { at as u32 } else { rng.below(teams) };
        (["duelist", "warden"][rng.below(2) as usize], team as u8)
    };
    (0..players).map(|at| seat(at, rng)).collect()
}

/// A state, and what was pressed and raised in the frames after it.
struct Sample {
    from: usize,
    start: Vec<u8>,
    pads: Vec<[u16; MAX_FIGHTERS]>,
    effects: Vec<Vec<EffectId>>,
}

/// Who the effects of the last frame are, in an order of their own: no two are the same.
fn identities(rig: &Rig) -> Vec<EffectId> {
    let mut ids: Vec<EffectId> = rig.effects().iter().map(|effect| effect.id).collect();
    ids.sort_unstable();
    assert!(ids.windows(2).all(|pair| pair[0] != pair[1]), "{ids:?}");
    ids
}

/// One match: nothing panics, every state is valid, and at every frame of a sample a restored state
/// has the same future.
fn play(seed: u64) -> u32 {
    let mut rng = Rng::new(seed, 5);
    let seats = roster(&mut rng);
    let players = seats.len();
    let mut rig = Rig::with_roster(Arc::clone(&DEFAULT_DATA), &seats, seed, players);
    let mut other = Rig::with_roster(Arc::clone(&DEFAULT_DATA), &seats, seed, players);
    rig.skip_to(snapback_sim::Phase::Fight);
    let mut mashers = Mashers::new(seed);
    let layout = rig.world.layout();
    let mut sample: Option<Sample> = None;
    for frame in 0..FRAMES {
        let mut pads = mashers.next(rig.fighters());
        if rng.below(10) == 0 {
            pads[rng.below(players as u32) as usize] = u16::MAX;
        }
        if frame % 50 == 10 {
            sample = Some(Sample { from: frame, start: rig.snapshot(), pads: Vec::new(), effects: Vec::new() });
        }
        rig.step(&pads);
        if let Some(taken) = &mut sample {
            taken.pads.push(pads);
            taken.effects.push(identities(&rig));
            if taken.pads.len() == 8 {
                layout.validate(&rig.snapshot()).unwrap();
                other.world.restore(&taken.start).unwrap();
                assert_eq!(other.snapshot(), taken.start);
                for (pads, effects) in taken.pads.iter().zip(&taken.effects) {
                    other.step(pads);
                    assert_eq!(&identities(&other), effects, "resimulation raises the same effects");
                }
                let difference = layout.first_difference(&rig.snapshot(), &other.snapshot());
                assert_eq!(difference, None, "seed {seed}, from frame {}", taken.from);
                sample = None;
            }
        }
    }
    // A few hits at least, or it was no fight.
    rig.fighters().iter().map(|f| f.abilities.activations).sum()
}

#[test]
fn random_matches_of_everybody_commute_with_capture_and_restore() {
    let matches = u64::from(cases(USUAL_MATCHES));
    let moves: u64 = (0..matches).map(|seed| u64::from(play(seed))).sum();
    assert!(moves > matches * 20, "{moves} moves in {matches} matches");
    assert_eq!(PadInput::new(u16::MAX).cleaned().direction(), 0);
}

/// The same bytes in debug and release, and on every machine: a vector that both compare.
#[test]
fn stored_hashes_of_random_matches() {
    let mut hashes = Vec::new();
    for players in 2..=MAX_FIGHTERS {
        let mut rig = Rig::mixed(99, players);
        let mut mashers = Mashers::new(players as u64);
        for _ in 0..1_500 {
            let pads = mashers.next(rig.fighters());
            rig.step(&pads);
        }
        hashes.push(format!("{:08x}", rig.hash().bits()));
    }
    // Changes only together with the version in `World::id`.
    insta::assert_snapshot!(hashes.join(" "), @"441872b1 7629ba70 0cd25e93 e056fd8d 4d084628 2d510215 c324ef9b");
}
