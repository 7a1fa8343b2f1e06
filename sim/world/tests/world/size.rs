//! How large the state is.

use crate::rig::Rig;
use snapback_core::{Simulation, snapshot::check_budget};
use snapback_sim::{Fighter, WorldHeader};

#[test]
fn a_state_is_small_and_fighters_who_are_not_there_cost_nothing() {
    let sizes: Vec<usize> = (2..=4).map(|players| Rig::new(1, players).world.layout().size_bytes()).collect();
    assert_eq!((size_of::<WorldHeader>(), size_of::<Fighter>()), (88, 96));
    assert_eq!(sizes, [88 + 2 * 96, 88 + 3 * 96, 88 + 4 * 96]);
    for (players, size_bytes) in (2..=4).zip(sizes) {
        println!("{players} fighters: {size_bytes} bytes");
        assert!(check_budget(size_bytes, players, 512).is_ok());
    }
}

#[test]
fn the_state_has_named_sections() {
    let sections = Rig::new(1, 2).world.layout().sections();
    assert_eq!(sections, ["clock", "rng", "rounds", "results", "motion", "vitals", "action", "input_buffer", "identity"]);
}
