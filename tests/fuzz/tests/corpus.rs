//! Every target over its stored corpus, and a bounded number of mutations by a seed.
//! `SNAPBACK_FUZZ_SEED` sets another.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use snapback_fuzz::fuzz::Fuzzer;
use snapback_fuzz::{Case, TARGETS, corpus, run, targets};

/// Mutations of a target: its share of a few seconds.
fn mutations(target: &str) -> u64 {
    match target {
        "handshake" | "sealed" | "hub" => 60,
        "replay" | "scenario" | "peer" | "channel" | "exchange" => 150,
        _ => 1_500,
    }
}

fn check(name: &str) {
    let target = targets::find(name).unwrap();
    let stored = corpus::load(target).unwrap();
    assert!(stored.iter().any(|(name, _)| name.starts_with("seed-")), "{name} has no corpus; run the runner with --make-seeds");
    for (file, input) in &stored {
        println!("{name}/{file}");
        run(target, input);
    }
    let seed = std::env::var("SNAPBACK_FUZZ_SEED").map_or(1, |text| text.parse().unwrap());
    let count = stored.len() as u64;
    let mut fuzzer = Fuzzer::new(target, stored.into_iter().map(|(_, input)| input).collect(), seed);
    for number in 0..count + mutations(name) {
        let input = fuzzer.next_input();
        if let Err(failure) = fuzzer.run(&input) {
            let again = format!("cargo run --release -p snapback-fuzz -- {name} --seed {seed} --inputs {}", number + 1);
            panic!("input {number}: {}\nreplay it: {again}", failure.text);
        }
    }
    let tally = fuzzer.tally();
    println!("{name}: {} datagrams, {} bytes held at most", tally.datagrams, tally.peak_bytes);
    assert!(tally.datagrams >= tally.inputs / 2, "the inputs hold hardly a datagram");
}

macro_rules! each {
    ($($name:ident)*) => { $(
        #[test]
        fn $name() {
            check(stringify!($name));
        }
    )* };
}

each!(packets codec parity ticket trace replay handshake endpoint peer sealed channel exchange hub fire scenario);

/// A target without a test here, or a corpus that grows without bound, would go unnoticed.
#[test]
fn the_table_is_whole_and_the_corpus_small() {
    let tested = [
        "packets",
        "codec",
        "parity",
        "ticket",
        "trace",
        "replay",
        "handshake",
        "endpoint",
        "peer",
        "sealed",
        "channel",
        "exchange",
        "hub",
        "fire",
        "scenario",
    ];
    assert_eq!(TARGETS.iter().map(|target| target.name).collect::<Vec<_>>(), tested);
    let mut bytes = 0;
    for target in TARGETS {
        for (name, input) in corpus::load(target).unwrap() {
            assert_eq!(Case::read(&input).to_bytes(), input, "{}/{name} has bytes that nobody looks at", target.name);
            bytes += input.len();
        }
    }
    assert!(bytes < 300_000, "{bytes} bytes of corpus");
}
