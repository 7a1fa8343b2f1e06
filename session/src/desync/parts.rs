//! [`Parts`]: a state cut into its sections, so that two sides find out where it differs without telling it
//! all.

use core::ops::Range;
use snapback_core::StateLayout;

/// The sections of a layout, and what has none as one more.
pub(super) struct Parts {
    names: Vec<&'static str>,
    /// Which part, and where it lies in the canonical bytes, in order.
    places: Vec<(usize, Range<usize>)>,
}

/// What fields without a section are called.
const REST: &str = "(no section)";

impl Parts {
    pub(super) fn of(layout: &StateLayout) -> Self {
        let mut names = layout.sections();
        names.push(REST);
        let mut places: Vec<(usize, Range<usize>)> = Vec::new();
        for field in layout.fields() {
            let part = names.iter().position(|name| field.section == Some(*name)).unwrap_or(names.len() - 1);
            let place = field.offset_bytes..field.offset_bytes + field.scalar.size_bytes();
            match places.last_mut() {
                Some((last, before)) if *last == part && before.end == place.start => before.end = place.end,
                _ => places.push((part, place)),
            }
        }
        Self { names, places }
    }

    pub(super) fn name(&self, part: usize) -> &'static str {
        self.names.get(part).unwrap_or(&REST)
    }

    /// The hash of each part of a state in its canonical bytes.
    pub(super) fn hashes(&self, canonical: &[u8]) -> Vec<u32> {
        let mut hashers = vec![crc32fast::Hasher::new(); self.names.len()];
        for (part, place) in &self.places {
            if let (Some(hasher), Some(bytes)) = (hashers.get_mut(*part), canonical.get(place.clone())) {
                hasher.update(bytes);
            }
        }
        hashers.into_iter().map(crc32fast::Hasher::finalize).collect()
    }

    /// The bytes of some parts, one after the other as they lie in the state.
    pub(super) fn values(&self, parts: &[usize], canonical: &[u8]) -> Vec<u8> {
        let places = self.places.iter().filter(|(part, _)| parts.contains(part));
        places.filter_map(|(_, place)| canonical.get(place.clone())).flatten().copied().collect()
    }

    /// Puts such bytes in their places. They are as many as [`values`](Self::values) gives.
    pub(super) fn put(&self, parts: &[usize], values: &[u8], canonical: &mut [u8]) {
        let mut rest = values;
        for (_, place) in self.places.iter().filter(|(part, _)| parts.contains(part)) {
            let (Some(to), Some((from, after))) = (canonical.get_mut(place.clone()), rest.split_at_checked(place.len())) else { return };
            to.copy_from_slice(from);
            rest = after;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytemuck::{Pod, Zeroable};
    use snapback_core::SimState;

    #[derive(Clone, Copy, Pod, Zeroable, SimState)]
    #[repr(C)]
    struct State {
        plain: u16,
        #[sim(section = "air")]
        jumps: u16,
        #[sim(section = "ground")]
        steps: [u16; 2],
        #[sim(section = "air")]
        fall: u32,
        tail: u32,
    }

    #[test]
    fn every_byte_is_in_one_part_and_comes_back_to_its_place() {
        let parts = Parts::of(&StateLayout::of::<State>());
        let state: Vec<u8> = (0..16).collect();
        let values: Vec<Vec<u8>> = (0..3).map(|part| parts.values(&[part], &state)).collect();
        assert_eq!(values, [vec![2, 3, 8, 9, 10, 11], vec![4, 5, 6, 7], vec![0, 1, 12, 13, 14, 15]]);
        assert_eq!((parts.name(0), parts.name(2)), ("air", REST));
        let hashes = parts.hashes(&state);
        for at in 0..16 {
            let mut other = state.clone();
            other[at] ^= 0x80;
            let theirs = parts.hashes(&other);
            let differing: Vec<usize> = (0..3).filter(|part| hashes[*part] != theirs[*part]).collect();
            assert_eq!(differing.len(), 1, "byte {at}");
            let mut put = state.clone();
            parts.put(&differing, &parts.values(&differing, &other), &mut put);
            assert_eq!(put, other, "byte {at}");
        }
    }
}
