//! How large the state is, and what it is divided into.

use crate::leaves::leaves;
use crate::rig::Rig;
use snapback_core::state::StateLayout;
use snapback_core::{Rng, Simulation, snapshot::check_budget};
use snapback_sim::{Fighter, MAX_FIGHTERS, WorldHeader};

#[test]
fn a_state_is_small_and_fighters_who_are_not_there_cost_nothing() {
    let (header, fighter) = (size_of::<WorldHeader>(), size_of::<Fighter>());
    assert_eq!((header, fighter), (176, 472));
    for players in 2..=MAX_FIGHTERS {
        let size_bytes = Rig::mixed(1, players).world.layout().size_bytes();
        assert_eq!(size_bytes, header + players * fighter);
        println!("{players} fighters: {size_bytes} bytes");
        assert!(check_budget(size_bytes, players, 8_192).is_ok());
        assert!(check_budget(size_bytes, players, 600).is_ok());
    }
    assert!(header + 2 * fighter <= 3 * 1_024);
}

/// A world that is made too big is refused, with both numbers.
#[test]
fn a_world_too_big_for_its_budget_is_refused() {
    for players in 2..=MAX_FIGHTERS {
        let fighter = size_of::<[Fighter; 18]>();
        let layout = StateLayout::with_tail::<WorldHeader, [Fighter; 18]>("fighter", players);
        let error = check_budget(layout.size_bytes(), players, 8_192).unwrap_err();
        assert_eq!(error.bytes_per_fighter, (176 + players * fighter).div_ceil(players));
        let text = error.to_string();
        assert!(text.contains(&error.bytes_per_fighter.to_string()) && text.contains("8192"), "{text}");
    }
}

#[test]
fn the_state_has_named_sections() {
    let sections = Rig::new(1, 2).world.layout().sections();
    let expected = "clock hitstop rng rounds results control motion vitals action animation hitboxes heat abilities status attributes juggle rage \
                    ki_charge power_crush stance hold frame_input input_buffer projectiles identity";
    assert_eq!(sections.join(" "), expected);
}

/// What each section takes: printed, and all bytes belong to one.
#[test]
fn every_byte_belongs_to_a_section() {
    let layout = Rig::new(1, 2).world.layout();
    let all = leaves(2);
    assert!(all.iter().all(|leaf| leaf.section.is_some()));
    for section in layout.sections() {
        let of_section = all.iter().filter(|leaf| leaf.section == Some(section));
        println!("{section}: {} bytes of {}", of_section.map(|l| l.scalar.size_bytes()).sum::<usize>(), layout.size_bytes());
    }
}

/// Capture, change, restore: for every scalar of every section, on its own.
#[test]
fn every_section_comes_back_exactly_and_has_its_own_hash() {
    let mut rig = Rig::mixed(3, 3);
    let layout = rig.world.layout();
    let original = rig.snapshot();
    let mut rng = Rng::new(1, 1);
    let hashes: Vec<_> = layout.sections().iter().map(|section| layout.section_hash(section, &original)).collect();
    let mut changed_sections = std::collections::BTreeSet::new();
    for leaf in leaves(3) {
        let mut changed = original.clone();
        let before = leaf.get(&original);
        let Some(value) = (0..200).map(|_| leaf.random(&mut rng)).find(|value| *value != before) else {
            assert_eq!(leaf.range.min, leaf.range.max, "{}", leaf.path);
            continue;
        };
        leaf.set(&mut changed, value);
        rig.take(&changed).unwrap();
        assert_eq!(layout.first_difference(&changed, &rig.snapshot()), None);
        assert_eq!(layout.first_difference(&original, &changed).unwrap().path, leaf.path);
        for (section, before) in layout.sections().into_iter().zip(&hashes) {
            let is_changed = layout.section_hash(section, &changed) != *before;
            assert_eq!(is_changed, Some(section) == leaf.section, "{} in {section}", leaf.path);
        }
        changed_sections.extend(leaf.section);
        rig.take(&original).unwrap();
        assert_eq!(rig.snapshot(), original);
    }
    assert_eq!(changed_sections.len(), layout.sections().len());
}
