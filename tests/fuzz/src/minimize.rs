//! A smaller input that fails the same way.

use crate::case::Case;

/// Takes steps and bytes away as long as the rest still fails.
#[must_use]
pub fn minimized(input: &[u8], mut fails: impl FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut case = Case::read(input);
    if !fails(&case.to_bytes()) {
        return input.to_vec();
    }
    let mut chunk = case.steps.len().div_ceil(2).max(1);
    loop {
        let mut at = 0;
        while at < case.steps.len() {
            let mut smaller = case.clone();
            smaller.steps.drain(at..(at + chunk).min(smaller.steps.len()));
            if fails(&smaller.to_bytes()) { case = smaller } else { at += chunk }
        }
        if chunk == 1 {
            break;
        }
        chunk = chunk.div_ceil(2);
    }
    for at in 0..case.steps.len() {
        shrink_bytes(&mut case, at, &mut fails);
    }
    case.to_bytes()
}

fn shrink_bytes(case: &mut Case, at: usize, fails: &mut impl FnMut(&[u8]) -> bool) {
    let mut chunk = case.steps[at].bytes.len();
    while chunk > 0 {
        let mut start = 0;
        while start < case.steps[at].bytes.len() {
            let mut smaller = case.clone();
            let bytes = &mut smaller.steps[at].bytes;
            bytes.drain(start..(start + chunk).min(bytes.len()));
            if fails(&smaller.to_bytes()) { *case = smaller } else { start += chunk }
        }
        chunk /= 2;
    }
    for byte in 0..case.steps[at].bytes.len() {
        let mut plainer = case.clone();
        plainer.steps[at].bytes[byte] = 0;
        if plainer != *case && fails(&plainer.to_bytes()) {
            *case = plainer;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Step;

    #[test]
    fn what_matters_is_left() {
        let mut case = Case { steps: (0..20).map(|n| Step::new(n, vec![n; 30])).collect() };
        case.steps[13].bytes[7] = 99;
        let fails = |input: &[u8]| Case::read(input).steps.iter().any(|step| step.action == 13 && step.bytes.contains(&99));
        assert_eq!(Case::read(&minimized(&case.to_bytes(), fails)).steps, [Step::new(13, [99])]);
    }
}
