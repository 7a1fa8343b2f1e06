//! The corpus gives the recorded bits by the program that every target runs.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use snapback_golden_digest::{Line, List};
use std::path::Path;
use std::sync::Arc;

#[test]
fn every_replay_of_the_corpus_is_the_same() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus");
    let mut paths: Vec<_> = corpus.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "snbk"));
    paths.sort();
    let (data, mut list) = (Arc::default(), List::default());
    for path in paths {
        let line = Line::of(&path.file_name().unwrap().to_string_lossy(), std::fs::read(&path).unwrap(), &data);
        list.add(&line);
        assert_eq!(list.code(), 0, "{line}");
    }
    assert_eq!(list.code(), 0, "{list}");
}
