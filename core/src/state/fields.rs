//! [`FieldPlace`]: the scalars of a state as a list, for files and tools that outlive the program.

use super::layout::{Range, Scalar, StateLayout};
use core::ops::ControlFlow;

/// One scalar of a state: where it is and what it is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldPlace {
    /// Its path, such as `fighter[1].position[0]`.
    pub path: String,
    /// Where it lies, in bytes from the start: in memory and in the canonical encoding alike.
    pub offset_bytes: usize,
    /// What it is.
    pub scalar: Scalar,
    /// The section that it belongs to.
    pub section: Option<&'static str>,
    /// The values that it may have, if fewer than the scalar can hold.
    pub range: Option<Range>,
}

impl StateLayout {
    /// Every scalar of the state, in the order of memory.
    ///
    /// ```
    /// use snapback_core::{StateLayout, state::Scalar};
    /// let fields = StateLayout::with_tail::<u32, u16>("meter", 2).fields();
    /// assert_eq!(fields.len(), 3);
    /// assert_eq!((fields[2].path.as_str(), fields[2].offset_bytes, fields[2].scalar), ("meter[1]", 6, Scalar::U16));
    /// ```
    #[must_use]
    pub fn fields(&self) -> Vec<FieldPlace> {
        let mut fields = Vec::new();
        let _: ControlFlow<()> = self.walk(|leaf| {
            let place = leaf.place;
            fields.push(FieldPlace {
                path: place.path.to_string(),
                offset_bytes: place.offset_bytes,
                scalar: leaf.scalar,
                section: place.section,
                range: place.range,
            });
            ControlFlow::Continue(())
        });
        fields
    }
}
