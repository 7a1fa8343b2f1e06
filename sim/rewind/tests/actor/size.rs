//! What an actor's past takes of a snapshot.

use snapback_core::snapshot::check_budget;
use snapback_core::{RollbackConfig, SimState, StateLayout};
use snapback_rewind::ActorRewind;
use snapback_rewind::actor::{AnimationRewind, AnimationSample, Sample};

#[test]
fn sizes_are_stated_and_the_same_everywhere() {
    assert_eq!((size_of::<Sample>(), size_of::<AnimationSample>()), (128, 40));
    let sizes = [1, 16, 32, 47, 62].map(|samples| 160 + 128 * samples);
    let found = [
        ActorRewind::<1>::size_bytes(),
        ActorRewind::<16>::size_bytes(),
        ActorRewind::<32>::size_bytes(),
        ActorRewind::<47>::size_bytes(),
        ActorRewind::<62>::size_bytes(),
    ];
    assert_eq!(found, sizes);
    assert_eq!(AnimationRewind::<32>::size_bytes(), 48 + 40 * 32);
    assert_eq!(StateLayout::of::<ActorRewind>().size_bytes(), 4_256);
}

#[test]
fn the_table_of_the_documentation_is_true() {
    let page = include_str!("../../src/actor/mod.rs");
    let grouped = |bytes: usize| format!("{},{:03}", bytes / 1_000, bytes % 1_000);
    let row = |samples, rewind: usize, animation: usize| format!("| {samples} | {} | {} |", grouped(rewind), grouped(rewind + animation));
    for row in [
        row(16, ActorRewind::<16>::size_bytes(), AnimationRewind::<16>::size_bytes()),
        row(32, ActorRewind::<32>::size_bytes(), AnimationRewind::<32>::size_bytes()),
        row(47, ActorRewind::<47>::size_bytes(), AnimationRewind::<47>::size_bytes()),
    ] {
        assert!(page.contains(&row), "{row}");
    }
}

#[test]
fn it_counts_in_the_budget_of_a_fighter() {
    let budget_bytes = RollbackConfig::default().snapshot_budget_bytes_per_fighter as usize;
    let fits = |bytes: usize| check_budget(2 * bytes, 2, budget_bytes).is_ok();
    assert!(fits(ActorRewind::<62>::size_bytes()));
    assert!(!fits(ActorRewind::<63>::size_bytes()));
    assert!(fits(ActorRewind::<47>::size_bytes() + AnimationRewind::<47>::size_bytes()));
    assert!(!fits(ActorRewind::<48>::size_bytes() + AnimationRewind::<48>::size_bytes()));
}

#[test]
fn every_byte_has_a_name_and_a_range_where_it_needs_one() {
    assert!(ActorRewind::<3>::LAYOUT.is_gapless() && ActorRewind::<3>::LAYOUT.has_ranges());
    let rewind = crate::recorded::<2>(5);
    let dump = StateLayout::of::<ActorRewind<2>>().dump(bytemuck::bytes_of(&rewind)).to_string();
    let names: Vec<&str> = dump.lines().filter_map(|line| line.split(" = ").next()).collect();
    let shown = names.iter().filter(|name| !name.starts_with("samples[1]") && !name.starts_with("present") && !name.contains("velocity"));
    insta::assert_snapshot!(shown.copied().collect::<Vec<_>>().join("\n"), @"
    head.time_us
    head.cursor_us
    head.carry
    head.rewinding
    head.reserved[0]
    head.reserved[1]
    head.reserved[2]
    head.reserved[3]
    head.reserved[4]
    samples[0].position.x
    samples[0].position.y
    samples[0].position.z
    samples[0].rotation.x
    samples[0].rotation.y
    samples[0].rotation.z
    samples[0].rotation.w
    samples[0].time_us
    samples[0].since_last_us
    samples[0].mode
    latest
    len
    ");
}
