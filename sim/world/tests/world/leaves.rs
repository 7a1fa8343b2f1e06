//! Every scalar of a state with its place, section and range, by a walk of its own over the layout.

use snapback_core::state::{Range, Scalar, TypeKind, TypeLayout};
use snapback_core::{Rng, SimState};
use snapback_sim::{Fighter, WorldHeader};

/// One scalar.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    pub(crate) path: String,
    pub(crate) section: Option<&'static str>,
    pub(crate) offset_bytes: usize,
    pub(crate) range: Range,
    pub(crate) scalar: Scalar,
}

impl Leaf {
    pub(crate) fn get(&self, bytes: &[u8]) -> i128 {
        let size = self.scalar.size_bytes();
        let mut raw = [0; 16];
        raw[..size].copy_from_slice(&bytes[self.offset_bytes..self.offset_bytes + size]);
        in_order_of_memory(&mut raw[..size]);
        let bits = u128::from_le_bytes(raw);
        let is_negative = self.scalar.range().min < 0 && bits >> (8 * size - 1) & 1 == 1;
        if is_negative { bits as i128 - (1 << (8 * size)) } else { bits as i128 }
    }

    pub(crate) fn set(&self, bytes: &mut [u8], value: i128) {
        let size = self.scalar.size_bytes();
        let place = &mut bytes[self.offset_bytes..self.offset_bytes + size];
        place.copy_from_slice(&value.to_le_bytes()[..size]);
        in_order_of_memory(place);
    }

    /// Within the range; its ends and small numbers more often than chance.
    pub(crate) fn random(&self, rng: &mut Rng) -> i128 {
        let Range { min, max } = self.range;
        let drawn = i128::from(rng.next_u32()) << 32 | i128::from(rng.next_u32());
        let value = match rng.below(6) {
            0 => min,
            1 => max,
            2 => drawn % 4,
            3 => drawn % 1_000,
            4 => (drawn >> rng.below(60)) - (1 << 20),
            _ => min + drawn % (max - min + 1),
        };
        value.clamp(min, max)
    }
}

/// The scalars of a world of `fighters`.
pub(crate) fn leaves(fighters: usize) -> Vec<Leaf> {
    let mut found = Vec::new();
    let (header, fighter) = (<WorldHeader as SimState>::LAYOUT, <Fighter as SimState>::LAYOUT);
    walk(&header, "", 0, None, None, &mut found);
    for seat in 0..fighters {
        let offset = header.size_bytes + seat * fighter.size_bytes;
        walk(&fighter, &format!("fighter[{seat}]"), offset, None, None, &mut found);
    }
    found
}

fn walk(layout: &TypeLayout, path: &str, at: usize, section: Option<&'static str>, range: Option<Range>, found: &mut Vec<Leaf>) {
    match layout.kind {
        TypeKind::Scalar(scalar) => {
            found.push(Leaf { path: path.to_owned(), section, offset_bytes: at, range: range.unwrap_or(scalar.range()), scalar });
        }
        TypeKind::Array { len, element } => {
            for index in 0..len {
                walk(element, &format!("{path}[{index}]"), at + index * element.size_bytes, section, range, found);
            }
        }
        TypeKind::Struct { fields } => {
            for field in fields {
                let dot = if path.is_empty() { "" } else { "." };
                let path = format!("{path}{dot}{}", field.name);
                walk(field.layout, &path, at + field.offset_bytes, field.section.or(section), field.range.or(range), found);
            }
        }
    }
}

/// Little-endian bytes as this machine has them in memory, and back.
fn in_order_of_memory(bytes: &mut [u8]) {
    if cfg!(target_endian = "big") {
        bytes.reverse();
    }
}
