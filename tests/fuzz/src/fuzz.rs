//! Many inputs on one target: first the corpus as it is, then mutations of it by a seed.

use crate::mutate::mutated;
use crate::run::try_run;
use crate::targets::Target;
use snapback_core::Rng;

/// What came of all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Tally {
    /// How many inputs were run.
    pub inputs: u64,
    /// How many datagrams, texts or files they held.
    pub datagrams: u64,
    /// The most bytes that one of them held at once.
    pub peak_bytes: usize,
    /// How many failed.
    pub panics: u64,
}

/// An input that failed.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What it panicked with.
    pub text: String,
    /// The input.
    pub input: Vec<u8>,
}

/// One run over a target.
pub struct Fuzzer<'a> {
    target: &'a Target,
    corpus: Vec<Vec<u8>>,
    seed: u64,
    next: u64,
    tally: Tally,
}

impl<'a> Fuzzer<'a> {
    /// Over this corpus, or the target's own seeds if it is empty.
    #[must_use]
    pub fn new(target: &'a Target, mut corpus: Vec<Vec<u8>>, seed: u64) -> Self {
        if corpus.is_empty() {
            corpus = (target.seeds)().into_iter().map(|(_, case)| case.to_bytes()).collect();
        }
        Self { target, corpus, seed, next: 0, tally: Tally::default() }
    }

    /// The next input.
    #[must_use]
    pub fn next_input(&mut self) -> Vec<u8> {
        let number = self.next;
        self.next += 1;
        match usize::try_from(number).ok().and_then(|number| self.corpus.get(number)) {
            Some(stored) => stored.clone(),
            None => mutated(&self.corpus, &mut Rng::new(self.seed, number)),
        }
    }

    /// Runs an input.
    ///
    /// # Errors
    /// If it failed.
    pub fn run(&mut self, input: &[u8]) -> Result<(), Failure> {
        self.tally.inputs += 1;
        match try_run(self.target, input) {
            Ok(ran) => {
                self.tally.datagrams += ran.datagrams;
                self.tally.peak_bytes = self.tally.peak_bytes.max(ran.peak_bytes);
                Ok(())
            }
            Err(text) => {
                self.tally.panics += 1;
                Err(Failure { text, input: input.to_vec() })
            }
        }
    }

    /// What came of all so far.
    #[must_use]
    pub fn tally(&self) -> &Tally {
        &self.tally
    }
}
