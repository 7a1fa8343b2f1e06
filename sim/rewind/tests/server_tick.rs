//! The example of a whole server tick does what it says.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "../examples/server_tick.rs"]
mod example;

#[test]
fn a_whole_server_tick_happens_in_its_order() {
    assert_eq!(
        example::play().unwrap(),
        [
            "200 ms: of 3 others, Bert and Cleo could be met",
            "200 ms: Anna's bullet catches up 10 ticks",
            "200 ms: it damages Bert at 176 ms, where Bert was at 106 ms",
            "210 ms: a request of Anna is refused: shot 1 was accepted before",
            "240 ms: of 3 others, nobody could be met",
            "240 ms: Anna's rocket catches up 2 ticks",
            "250 ms: a request of Anna is refused: the fire request is 9 bytes long, and must be 33",
            "720 ms: it met the wall at 715 ms",
            // Cleo is behind the wall.
            "720 ms: its blast takes 30 of 100 from Bert",
        ]
    );
}
