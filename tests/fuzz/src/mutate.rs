//! Inputs made from others by a seed.

use crate::case::{Case, MAX_CASE_BYTES, MAX_STEPS, Step};
use snapback_core::Rng;

/// Numbers at which fields change their meaning.
const INTERESTING: [u64; 24] = [
    0,
    1,
    2,
    3,
    4,
    7,
    8,
    9,
    15,
    16,
    31,
    32,
    64,
    127,
    128,
    255,
    1_023,
    1_024,
    0x7FFF,
    0xFFFF,
    0x7FFF_FFFF,
    0xFFFF_FFFF,
    0x7FFF_FFFF_FFFF_FFFF,
    u64::MAX,
];

fn pick(rng: &mut Rng, len: usize) -> usize {
    rng.below(u32::try_from(len.max(1)).unwrap_or(u32::MAX)) as usize
}

/// A new input from the corpus. Never longer than what a case looks at.
#[must_use]
pub fn mutated(corpus: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let empty = Vec::new();
    let base = corpus.get(pick(rng, corpus.len())).unwrap_or(&empty);
    let mut out = if rng.below(16) == 0 {
        let mut bytes = base.clone();
        (0..=rng.below(8)).for_each(|_| mutate_bytes(&mut bytes, rng));
        bytes
    } else {
        let mut case = Case::read(base);
        let rounds = 1 << rng.below(6);
        (0..rounds).for_each(|_| mutate_case(&mut case, corpus, rng));
        case.steps.truncate(MAX_STEPS);
        case.to_bytes()
    };
    out.truncate(MAX_CASE_BYTES);
    out
}

fn mutate_case(case: &mut Case, corpus: &[Vec<u8>], rng: &mut Rng) {
    let len = case.steps.len();
    let at = pick(rng, len);
    match rng.below(20) {
        0 if len > 1 => drop(case.steps.remove(at)),
        1 if len > 0 => {
            let to = pick(rng, len + 1);
            let copy = case.steps[at].clone();
            case.steps.insert(to, copy);
        }
        2 if len > 0 => case.steps.swap(at, pick(rng, len)),
        3 => case.steps.truncate(at.max(1)),
        4 => splice(case, corpus, rng),
        5 if len > 0 => case.steps[at].action = rng.next_u32() as u8,
        6 if len > 0 => case.steps[at].action ^= 1 << rng.below(8),
        7 => {
            let bytes: Vec<u8> = (0..rng.below(64)).map(|_| rng.next_u32() as u8).collect();
            case.steps.insert(at.min(len), Step::new(rng.next_u32() as u8, bytes));
        }
        // The same again, each time with another change.
        8 if len > 0 => {
            for _ in 0..rng.below(16) {
                let mut copy = case.steps[at].clone();
                mutate_bytes(&mut copy.bytes, rng);
                case.steps.insert(at, copy);
            }
        }
        _ if len > 0 => mutate_bytes(&mut case.steps[at].bytes, rng),
        _ => case.steps.push(Step::new(rng.next_u32() as u8, Vec::new())),
    }
}

/// Steps of another input, whole or as bytes of a step.
fn splice(case: &mut Case, corpus: &[Vec<u8>], rng: &mut Rng) {
    let Some(other) = corpus.get(pick(rng, corpus.len())) else { return };
    let other = Case::read(other).steps;
    if other.is_empty() {
        return;
    }
    let start = pick(rng, other.len());
    let end = (start + 1 + pick(rng, 8)).min(other.len());
    let at = pick(rng, case.steps.len() + 1);
    if rng.below(3) == 0
        && let Some(step) = case.steps.get_mut(at)
    {
        let bytes = &other[start].bytes;
        let cut = pick(rng, bytes.len() + 1);
        step.bytes.truncate(cut);
        step.bytes.extend_from_slice(&bytes[cut..]);
        return;
    }
    case.steps.splice(at..at, other[start..end].iter().cloned());
}

fn mutate_bytes(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let at = pick(rng, bytes.len());
    match rng.below(12) {
        0..=3 => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << rng.below(8)),
        4 => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte = rng.next_u32() as u8),
        5 => {
            let value = INTERESTING[pick(rng, INTERESTING.len())].to_le_bytes();
            bytes.iter_mut().skip(at).zip(value).take(1 << rng.below(4)).for_each(|(byte, value)| *byte = value);
        }
        // A counter or a length that is off by a little.
        6 => {
            let by = (rng.below(9) as u16).wrapping_sub(4);
            if let Some(field) = bytes.get_mut(at..).and_then(<[u8]>::first_chunk_mut::<2>) {
                *field = u16::from_le_bytes(*field).wrapping_add(by).to_le_bytes();
            }
        }
        7 => {
            let by = (rng.below(9) as u8).wrapping_sub(4);
            bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte = byte.wrapping_add(by));
        }
        8 => bytes.truncate(at),
        9 => {
            let many = 1 << rng.below(8);
            let added: Vec<u8> = (0..rng.below(many)).map(|_| rng.next_u32() as u8).collect();
            bytes.splice(at..at, added);
        }
        10 => {
            let end = (at + 1 + pick(rng, 16)).min(bytes.len());
            bytes.drain(at.min(end)..end);
        }
        _ => {
            let end = (at + 1 + pick(rng, 40)).min(bytes.len());
            let copied = bytes[at.min(end)..end].to_vec();
            let to = pick(rng, bytes.len() + 1);
            bytes.splice(to..to, copied);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_decides_and_nothing_grows_without_bound() {
        let corpus = vec![Case { steps: (0..9).map(|n| Step::new(n, vec![n; 40])).collect() }.to_bytes()];
        let all = |seed| (0..500).map(|n| mutated(&corpus, &mut Rng::new(seed, n))).collect::<Vec<_>>();
        let (one, again, other) = (all(1), all(1), all(2));
        assert_eq!(one, again);
        assert_ne!(one, other);
        assert!(one.iter().filter(|input| **input != corpus[0]).count() > 450);
        let mut grown = corpus;
        for n in 0..2_000 {
            let next = mutated(&grown, &mut Rng::new(3, n));
            assert!(next.len() <= MAX_CASE_BYTES);
            grown[0] = next;
        }
    }
}
