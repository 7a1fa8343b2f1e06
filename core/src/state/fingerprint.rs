//! The fingerprint of a layout: peers whose layouts differ find out before the first frame.

use super::layout::{Range, StateLayout, TypeKind, TypeLayout};

impl StateLayout {
    /// CRC-32 (IEEE) over names, offsets, kinds, ranges and sections of all fields, and the name of
    /// the tail.
    ///
    /// It leaves out the names of types, which may change, and the number of elements in the tail:
    /// that is the number of players, which peers compare on its own with a clearer message. So all
    /// [`opaque`](Self::opaque) layouts have the same fingerprint.
    ///
    /// ```
    /// use snapback_core::StateLayout;
    /// let fingerprint = StateLayout::of::<[u16; 2]>().fingerprint();
    /// assert_ne!(fingerprint, StateLayout::of::<[i16; 2]>().fingerprint());
    /// ```
    #[must_use]
    pub fn fingerprint(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        add_type(&mut hasher, self.head);
        match self.tail {
            None => hasher.update(&[0]),
            Some(tail) => {
                hasher.update(&[1]);
                add_text(&mut hasher, tail.name);
                add_type(&mut hasher, tail.element);
            }
        }
        hasher.finalize()
    }
}

fn add_type(hasher: &mut crc32fast::Hasher, layout: &TypeLayout) {
    match layout.kind {
        TypeKind::Scalar(scalar) => hasher.update(&[0, scalar.tag()]),
        TypeKind::Array { len, element } => {
            hasher.update(&[1]);
            add_size(hasher, len);
            add_type(hasher, element);
        }
        TypeKind::Struct { fields } => {
            hasher.update(&[2]);
            add_size(hasher, fields.len());
            for field in fields {
                add_text(hasher, field.name);
                add_size(hasher, field.offset_bytes);
                add_option(hasher, field.section, add_text);
                add_option(hasher, field.range, |hasher, Range { min, max }| {
                    hasher.update(&min.to_le_bytes());
                    hasher.update(&max.to_le_bytes());
                });
                add_type(hasher, field.layout);
            }
        }
    }
}

fn add_size(hasher: &mut crc32fast::Hasher, size: usize) {
    hasher.update(&(size as u64).to_le_bytes());
}

/// With its length, so that no two lists of texts run together to the same bytes.
fn add_text(hasher: &mut crc32fast::Hasher, text: &str) {
    add_size(hasher, text.len());
    hasher.update(text.as_bytes());
}

fn add_option<T>(hasher: &mut crc32fast::Hasher, option: Option<T>, add: impl FnOnce(&mut crc32fast::Hasher, T)) {
    match option {
        None => hasher.update(&[0]),
        Some(value) => {
            hasher.update(&[1]);
            add(hasher, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::state::{Field, Range, Scalar, StateLayout, TypeLayout};

    const U16: TypeLayout = TypeLayout::scalar("U16", Scalar::U16);
    const I16: TypeLayout = TypeLayout::scalar("I16", Scalar::I16);
    const BASE: Field = Field { name: "meter", offset_bytes: 0, layout: &U16, section: None, range: None };

    fn fingerprint(field: Field) -> u32 {
        let fields: &'static [Field] = Box::leak(Box::new([field]));
        let head = Box::leak(Box::new(TypeLayout::structure("Fighter", 2, fields)));
        StateLayout { head, tail: None }.fingerprint()
    }

    #[test]
    fn everything_that_peers_must_share_changes_it() {
        let mut seen = vec![fingerprint(BASE)];
        for field in [
            Field { name: "super", ..BASE },
            Field { offset_bytes: 2, ..BASE },
            Field { layout: &I16, ..BASE },
            Field { section: Some("combat"), ..BASE },
            Field { range: Some(Range { min: 0, max: 9 }), ..BASE },
            Field { range: Some(Range { min: 0, max: 8 }), ..BASE },
        ] {
            seen.push(fingerprint(field));
        }
        seen.push(StateLayout::with_tail::<u8, u8>("a", 1).fingerprint());
        seen.push(StateLayout::with_tail::<u8, u8>("b", 1).fingerprint());
        seen.push(StateLayout::of::<u8>().fingerprint());
        let mut distinct = seen.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), seen.len());
    }

    #[test]
    fn names_of_types_and_the_number_of_players_do_not() {
        let renamed = Box::leak(Box::new(U16.renamed("Meter")));
        assert_eq!(fingerprint(Field { layout: renamed, ..BASE }), fingerprint(BASE));
        assert_eq!(
            StateLayout::with_tail::<u8, u16>("fighter", 2).fingerprint(),
            StateLayout::with_tail::<u8, u16>("fighter", 4).fingerprint(),
        );
    }

    #[test]
    fn stored_vector() {
        // Computed apart from this code, from the description above. Builds of other machines and
        // times compare it: it never changes.
        assert_eq!(fingerprint(BASE), 0x5f61_e1ff);
    }
}
