//! Scenario files of lag compensation. A step is one file; an odd action also plays what reads.

use crate::case::{Case, Step};
use snapback_rewind::scenario::Scenario;

/// See the module.
#[must_use]
pub fn fuzz(input: &[u8]) -> u64 {
    let steps = Case::read(input).steps;
    for step in &steps {
        let text = String::from_utf8_lossy(&step.bytes);
        match Scenario::read("fuzzed.toml", &text) {
            Ok(scenario) => {
                if step.action & 1 == 1 {
                    assert_eq!(scenario.play().outcome.hash(), scenario.play().outcome.hash());
                }
            }
            Err(error) => {
                let error = error.to_string();
                assert!(error.len() < 600 && !error.contains('\n'), "{error}");
            }
        }
    }
    steps.len() as u64
}

/// Scenarios that come with the crate.
#[must_use]
pub fn seeds() -> Vec<(String, Case)> {
    let one = |name: &str, text: &str| (name.to_owned(), Case { steps: vec![Step::new(1, text)] });
    vec![
        one("crouch", include_str!("../../../../sim/rewind/scenarios/crouch.toml")),
        one("teleport", include_str!("../../../../sim/rewind/scenarios/teleport.toml")),
        one("wall", include_str!("../../../../sim/rewind/scenarios/wall.toml")),
    ]
}
