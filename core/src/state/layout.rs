//! Layouts: names, offsets, ranges and sections of the fields of a state.

use super::{InvalidState, SimState};

/// A value that is encoded as a whole, little-endian.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    /// One byte, unsigned.
    U8,
    /// Two bytes, unsigned.
    U16,
    /// Four bytes, unsigned.
    U32,
    /// Eight bytes, unsigned.
    U64,
    /// One byte, signed.
    I8,
    /// Two bytes, signed.
    I16,
    /// Four bytes, signed.
    I32,
    /// Eight bytes, signed.
    I64,
    /// Eight bytes, signed, 16 of the bits after the point.
    Fx,
    /// Four bytes, the hash of a name.
    NameHash,
}

impl Scalar {
    /// How many bytes it takes: 1, 2, 4 or 8.
    #[must_use]
    pub const fn size_bytes(self) -> usize {
        match self {
            Self::U8 | Self::I8 => 1,
            Self::U16 | Self::I16 => 2,
            Self::U32 | Self::I32 | Self::NameHash => 4,
            Self::U64 | Self::I64 | Self::Fx => 8,
        }
    }

    /// Everything that it can hold.
    ///
    /// ```
    /// use snapback_core::state::{Range, Scalar};
    /// assert_eq!(Scalar::I8.range(), Range { min: -128, max: 127 });
    /// ```
    #[must_use]
    pub const fn range(self) -> Range {
        let bits = self.size_bytes() * 8;
        if self.is_signed() {
            Range { min: -(1 << (bits - 1)), max: (1 << (bits - 1)) - 1 }
        } else {
            Range { min: 0, max: (1 << bits) - 1 }
        }
    }

    /// The number that stands for it in fingerprints and files. Frozen: never renumbered.
    #[must_use]
    pub const fn tag(self) -> u8 {
        match self {
            Self::U8 => 0,
            Self::U16 => 1,
            Self::U32 => 2,
            Self::U64 => 3,
            Self::I8 => 4,
            Self::I16 => 5,
            Self::I32 => 6,
            Self::I64 => 7,
            Self::Fx => 8,
            Self::NameHash => 9,
        }
    }

    /// The scalar that `tag` stands for; `None` if there is none.
    #[must_use]
    pub const fn from_tag(tag: u8) -> Option<Self> {
        Some(match tag {
            0 => Self::U8,
            1 => Self::U16,
            2 => Self::U32,
            3 => Self::U64,
            4 => Self::I8,
            5 => Self::I16,
            6 => Self::I32,
            7 => Self::I64,
            8 => Self::Fx,
            9 => Self::NameHash,
            _ => return None,
        })
    }

    pub(super) const fn is_signed(self) -> bool {
        matches!(self, Self::I8 | Self::I16 | Self::I32 | Self::I64 | Self::Fx)
    }
}

/// The values that a field may have, both ends included, in the field's own units (raw bits for
/// [`Scalar::Fx`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// The least.
    pub min: i128,
    /// The greatest.
    pub max: i128,
}

/// A named part of a struct.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// Its name in the source.
    pub name: &'static str,
    /// Where it starts in the struct.
    pub offset_bytes: usize,
    /// What it is.
    pub layout: &'static TypeLayout,
    /// The section that it and everything inside it belongs to, unless a field inside says another.
    pub section: Option<&'static str>,
    /// The range of every scalar in it.
    pub range: Option<Range>,
}

/// What a type consists of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeKind {
    /// One value.
    Scalar(Scalar),
    /// `len` elements, one after another.
    Array {
        /// How many.
        len: usize,
        /// Of what.
        element: &'static TypeLayout,
    },
    /// Fields in the order of memory, without gaps.
    Struct {
        /// The fields.
        fields: &'static [Field],
    },
}

/// Where every field of a type lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TypeLayout {
    /// The type's name, for people: no hash and no comparison of peers reads it.
    pub name: &'static str,
    /// Its size; there is no padding.
    pub size_bytes: usize,
    /// What it consists of.
    pub kind: TypeKind,
    // Known when compiling, so that validation skips what has nothing to validate.
    has_ranges: bool,
}

impl TypeLayout {
    /// The layout of one value.
    #[must_use]
    pub const fn scalar(name: &'static str, scalar: Scalar) -> Self {
        Self { name, size_bytes: scalar.size_bytes(), kind: TypeKind::Scalar(scalar), has_ranges: false }
    }

    /// The layout of `len` elements, one after another.
    #[must_use]
    pub const fn array(element: &'static Self, len: usize) -> Self {
        Self {
            name: "array",
            size_bytes: element.size_bytes.saturating_mul(len),
            kind: TypeKind::Array { len, element },
            has_ranges: element.has_ranges,
        }
    }

    /// The layout of a struct of `size_bytes`, whose `fields` are in the order of memory.
    ///
    /// The derive macro calls this and refuses gaps; whoever calls it by hand asserts
    /// [`is_gapless`](Self::is_gapless).
    #[must_use]
    pub const fn structure(name: &'static str, size_bytes: usize, fields: &'static [Field]) -> Self {
        let mut has_ranges = false;
        let mut rest = fields;
        while let [field, after @ ..] = rest {
            has_ranges |= field.range.is_some() || field.layout.has_ranges;
            rest = after;
        }
        Self { name, size_bytes, kind: TypeKind::Struct { fields }, has_ranges }
    }

    /// The same layout under another name, for a newtype.
    #[must_use]
    pub const fn renamed(self, name: &'static str) -> Self {
        Self { name, ..self }
    }

    /// Whether a field somewhere inside has a range.
    #[must_use]
    pub const fn has_ranges(&self) -> bool {
        self.has_ranges
    }

    /// Whether the fields cover all of the bytes, each once and in the order of memory.
    #[must_use]
    pub const fn is_gapless(&self) -> bool {
        let TypeKind::Struct { fields } = self.kind else { return true };
        let mut end = 0;
        let mut rest = fields;
        while let [field, after @ ..] = rest {
            if field.offset_bytes != end {
                return false;
            }
            end += field.layout.size_bytes;
            rest = after;
        }
        end == self.size_bytes
    }

    /// The scalar that this is, or that this is an array of (of any depth); none for a struct.
    ///
    /// Only what has one can have a range.
    #[must_use]
    pub const fn innermost_scalar(&self) -> Option<Scalar> {
        match self.kind {
            TypeKind::Scalar(scalar) => Some(scalar),
            TypeKind::Array { element, .. } => element.innermost_scalar(),
            TypeKind::Struct { .. } => None,
        }
    }

    /// Whether `range` holds at least one value, and none that
    /// [`innermost_scalar`](Self::innermost_scalar) cannot hold.
    #[must_use]
    pub const fn can_hold(&self, range: Range) -> bool {
        let Some(scalar) = self.innermost_scalar() else { return false };
        let all = scalar.range();
        all.min <= range.min && range.min <= range.max && range.max <= all.max
    }
}

/// What a snapshot consists of: one block, and optionally a number of equal blocks after it that
/// is known only at run time (fighters that are really there).
///
/// Bytes of another length than [`size_bytes`](Self::size_bytes) have no known fields. What can
/// refuse them does ([`validate`](Self::validate), [`encode`](Self::encode),
/// [`decode`](Self::decode)); what only looks at them ([`hash`](Self::hash), [`dump`](Self::dump),
/// [`differences`](Self::differences)) treats them as [`opaque`](Self::opaque). Nothing panics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StateLayout {
    pub(super) head: &'static TypeLayout,
    pub(super) tail: Option<Tail>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Tail {
    pub(super) name: &'static str,
    pub(super) element: &'static TypeLayout,
    pub(super) count: usize,
}

impl StateLayout {
    /// The layout of a state that is one `S`.
    ///
    /// ```
    /// use snapback_core::{Rng, StateLayout};
    /// const LAYOUT: StateLayout = StateLayout::of::<Rng>();
    /// assert_eq!(LAYOUT.size_bytes(), 24);
    /// ```
    #[must_use]
    pub const fn of<S: SimState>() -> Self {
        Self { head: const { &S::LAYOUT }, tail: None }
    }

    /// The layout of one `H` followed by `count` elements `E`, called `name[0]`, `name[1]`, ...
    ///
    /// ```
    /// use snapback_core::{Fx, Rng, StateLayout};
    /// let layout = StateLayout::with_tail::<Rng, [Fx; 2]>("position", 3);
    /// assert_eq!(layout.size_bytes(), 24 + 3 * 16);
    /// ```
    #[must_use]
    pub const fn with_tail<H: SimState, E: SimState>(name: &'static str, count: usize) -> Self {
        Self { head: const { &H::LAYOUT }, tail: Some(Tail { name, element: const { &E::LAYOUT }, count }) }
    }

    /// The layout of `len_bytes` bytes that only the simulation understands; it writes them the same
    /// on every machine, and a difference is named `byte[i]`.
    ///
    /// ```
    /// use snapback_core::StateLayout;
    /// assert_eq!(StateLayout::opaque(100).size_bytes(), 100);
    /// ```
    #[must_use]
    pub const fn opaque(len_bytes: usize) -> Self {
        Self::with_tail::<[u8; 0], u8>("byte", len_bytes)
    }

    /// How long a snapshot is, in memory and in its canonical encoding alike. Saturates.
    #[must_use]
    pub const fn size_bytes(&self) -> usize {
        match self.tail {
            None => self.head.size_bytes,
            Some(Tail { element, count, .. }) => self.head.size_bytes.saturating_add(element.size_bytes.saturating_mul(count)),
        }
    }

    /// The names of all sections, each once, in the order in which they first appear.
    ///
    /// ```
    /// use snapback_core::{Rng, StateLayout};
    /// assert!(StateLayout::of::<Rng>().sections().is_empty());
    /// ```
    #[must_use]
    pub fn sections(&self) -> Vec<&'static str> {
        let mut sections = Vec::new();
        collect_sections(self.head, &mut sections);
        if let Some(tail) = self.tail {
            collect_sections(tail.element, &mut sections);
        }
        sections
    }

    pub(super) const fn check_length(&self, found: usize) -> Result<(), InvalidState> {
        let expected = self.size_bytes();
        if found == expected { Ok(()) } else { Err(InvalidState::WrongLength { expected, found }) }
    }

    /// What `len_bytes` bytes are looked at as: this layout if it fits, else bytes without fields.
    pub(super) const fn or_opaque(&self, len_bytes: usize) -> Self {
        if len_bytes == self.size_bytes() { *self } else { Self::opaque(len_bytes) }
    }
}

fn collect_sections(layout: &TypeLayout, sections: &mut Vec<&'static str>) {
    match layout.kind {
        TypeKind::Scalar(_) => {}
        TypeKind::Array { element, .. } => collect_sections(element, sections),
        TypeKind::Struct { fields } => {
            for field in fields {
                if let Some(section) = field.section
                    && !sections.contains(&section)
                {
                    sections.push(section);
                }
                collect_sections(field.layout, sections);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTE: TypeLayout = TypeLayout::scalar("u8", Scalar::U8);

    const fn byte_at(offset_bytes: usize) -> Field {
        Field { name: "byte", offset_bytes, layout: &BYTE, section: None, range: None }
    }

    #[test]
    fn scalar_ranges_are_those_of_the_types() {
        let range = |min, max| Range { min, max };
        assert_eq!(Scalar::U8.range(), range(0, u8::MAX.into()));
        assert_eq!(Scalar::U64.range(), range(0, u64::MAX.into()));
        assert_eq!(Scalar::I16.range(), range(i16::MIN.into(), i16::MAX.into()));
        assert_eq!(Scalar::Fx.range(), range(i64::MIN.into(), i64::MAX.into()));
        assert_eq!(Scalar::NameHash.range(), range(0, u32::MAX.into()));
    }

    #[test]
    fn a_tag_stands_for_one_scalar() {
        let known: Vec<Scalar> = (0..=u8::MAX).filter_map(Scalar::from_tag).collect();
        assert_eq!(known.len(), 10);
        assert!(known.iter().zip(0..).all(|(scalar, tag)| scalar.tag() == tag));
    }

    #[test]
    fn gaps_overlaps_and_missing_ends_are_seen() {
        const WHOLE: &[Field] = &[byte_at(0), byte_at(1)];
        const GAP: &[Field] = &[byte_at(0), byte_at(2)];
        const OVERLAP: &[Field] = &[byte_at(0), byte_at(0)];
        assert!(TypeLayout::structure("whole", 2, WHOLE).is_gapless());
        assert!(!TypeLayout::structure("short", 3, WHOLE).is_gapless());
        assert!(!TypeLayout::structure("gap", 3, GAP).is_gapless());
        assert!(!TypeLayout::structure("overlap", 2, OVERLAP).is_gapless());
    }

    #[test]
    fn a_range_must_be_one_that_the_scalar_can_hold() {
        assert!(BYTE.can_hold(Range { min: 0, max: 255 }));
        assert!(!BYTE.can_hold(Range { min: 0, max: 256 }));
        assert!(!BYTE.can_hold(Range { min: -1, max: 3 }));
        assert!(!BYTE.can_hold(Range { min: 4, max: 3 }));
        const NONE: &[Field] = &[];
        assert!(!TypeLayout::structure("empty", 0, NONE).can_hold(Range { min: 0, max: 0 }));
    }

    #[test]
    fn a_tail_that_cannot_exist_saturates_and_refuses_every_length() {
        let layout = StateLayout::with_tail::<u64, u64>("word", usize::MAX);
        assert_eq!(layout.size_bytes(), usize::MAX);
        assert!(layout.check_length(0).is_err());
    }
}
