//! [`run`]: one input on one target.

use crate::memory::peak_bytes;
use crate::targets::Target;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What came of an input that did no harm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ran {
    /// How many datagrams, texts or files it held.
    pub datagrams: u64,
    /// The most bytes that were held at once, beyond what was held before.
    pub peak_bytes: usize,
}

/// Gives one input to one target.
///
/// # Panics
/// If the target does, or if it held more memory than it may.
pub fn run(target: &Target, input: &[u8]) -> Ran {
    let (peak_bytes, datagrams) = peak_bytes(|| (target.entry)(input));
    let most = target.most_bytes;
    assert!(peak_bytes <= most, "{peak_bytes} bytes were held at once; {} may hold {most}", target.name);
    Ran { datagrams, peak_bytes }
}

/// The same, but a panic is an error with its text.
///
/// # Errors
/// What the target panicked with.
pub fn try_run(target: &Target, input: &[u8]) -> Result<Ran, String> {
    catch_unwind(AssertUnwindSafe(|| run(target, input))).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic without a text".to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Case;
    use crate::fuzz::Fuzzer;

    /// Holds as many bytes as the input is long; fails on one that begins with 9.
    const PLANTED: Target = Target {
        name: "planted",
        about: "",
        entry: |input| {
            assert_ne!(input.first(), Some(&9), "planted");
            drop(std::hint::black_box(input.to_vec()));
            1
        },
        most_bytes: 1_000,
        seeds: || vec![("nothing".to_owned(), Case::default())],
    };

    #[test]
    fn a_panic_and_too_much_memory_are_noticed_and_counted() {
        assert_eq!(try_run(&PLANTED, &[0; 1_000]), Ok(Ran { datagrams: 1, peak_bytes: 1_000 }));
        assert_eq!(try_run(&PLANTED, &[0; 1_001]).unwrap_err(), "1001 bytes were held at once; planted may hold 1000");
        assert!(try_run(&PLANTED, &[9]).unwrap_err().contains("planted"));
        let mut fuzzer = Fuzzer::new(&PLANTED, vec![vec![0, 0, 0], vec![9, 0, 0]], 1);
        for _ in 0..2 {
            let input = fuzzer.next_input();
            // Counted below.
            let _ = fuzzer.run(&input);
        }
        assert_eq!((fuzzer.tally().inputs, fuzzer.tally().datagrams, fuzzer.tally().panics), (2, 1, 1));
    }
}
