//! How much of a state each of its sections is.

use crate::fighter::Fighter;
use crate::header::WorldHeader;
use snapback_core::SimState;
use snapback_core::state::{TypeKind, TypeLayout};

/// One section of the state of a world.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SectionSize {
    /// Its name.
    pub name: &'static str,
    /// Its bytes in the part that belongs to no fighter.
    pub world_bytes: usize,
    /// Its bytes in each fighter.
    pub fighter_bytes: usize,
}

/// The sections, in the order of memory. They add up to the whole state.
///
/// ```
/// use snapback_core::Simulation;
/// use snapback_sim::{World, WorldData, sizes};
/// let total: usize = sizes::sections().iter().map(|s| s.world_bytes + 2 * s.fighter_bytes).sum();
/// assert_eq!(total, World::new(WorldData::default()).layout().size_bytes());
/// ```
#[must_use]
pub fn sections() -> Vec<SectionSize> {
    let mut found = Vec::new();
    add(&WorldHeader::LAYOUT, "", &mut found, |section| &mut section.world_bytes);
    add(&Fighter::LAYOUT, "", &mut found, |section| &mut section.fighter_bytes);
    found
}

fn add(layout: &TypeLayout, section: &'static str, found: &mut Vec<SectionSize>, bytes: fn(&mut SectionSize) -> &mut usize) {
    match layout.kind {
        TypeKind::Scalar(_) => {
            let at = found.iter().position(|known| known.name == section).unwrap_or_else(|| {
                found.push(SectionSize { name: section, world_bytes: 0, fighter_bytes: 0 });
                found.len() - 1
            });
            *bytes(&mut found[at]) += layout.size_bytes;
        }
        TypeKind::Array { len, element } => (0..len).for_each(|_| add(element, section, found, bytes)),
        TypeKind::Struct { fields } => {
            for field in fields {
                add(field.layout, field.section.unwrap_or(section), found, bytes);
            }
        }
    }
}
