//! State for people: what it holds, and where two states differ.

use super::layout::{Scalar, StateLayout};
use super::order::Order;
use super::value::Value;
use core::fmt;
use core::ops::ControlFlow;

/// One scalar that differs between two states.
///
/// ```
/// use snapback_core::StateLayout;
/// let layout = StateLayout::with_tail::<u8, u8>("meter", 2);
/// let first = layout.first_difference(&[0, 1, 2], &[0, 1, 3]);
/// assert_eq!(first.map(|it| it.to_string()).as_deref(), Some("meter[1]: 2 (0x02) against 3 (0x03)"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldDifference {
    /// Where, such as `fighter[1].position[0]`.
    pub path: String,
    /// Where in the snapshot, in bytes from its start.
    pub offset_bytes: usize,
    /// What the first state has there.
    pub left: Value,
    /// What the second state has there.
    pub right: Value,
}

impl fmt::Display for FieldDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} against {}", self.path, self.left, self.right)
    }
}

impl StateLayout {
    /// Every scalar that differs between two states (as in memory), in the order of memory.
    ///
    /// States of different lengths have one difference, called `length`.
    #[must_use]
    pub fn differences(&self, left: &[u8], right: &[u8]) -> Vec<FieldDifference> {
        let mut differences = Vec::new();
        let _: ControlFlow<()> = self.each_difference(left, right, |difference| {
            differences.push(difference);
            ControlFlow::Continue(())
        });
        differences
    }

    /// The first of [`differences`](Self::differences); none if the states are equal.
    #[must_use]
    pub fn first_difference(&self, left: &[u8], right: &[u8]) -> Option<FieldDifference> {
        self.each_difference(left, right, ControlFlow::Break).break_value()
    }

    /// The state (as in memory) as text: one line `path = value` for every scalar.
    ///
    /// ```
    /// use snapback_core::{Rng, StateLayout};
    /// let dump = StateLayout::of::<[u8; 2]>().dump(&[1, 2]).to_string();
    /// assert_eq!(dump, "[0] = 1 (0x01)\n[1] = 2 (0x02)");
    /// ```
    pub fn dump<'a>(&self, bytes: &'a [u8]) -> impl fmt::Display + use<'a> {
        Dump { layout: self.or_opaque(bytes.len()), bytes }
    }

    fn each_difference<B>(&self, left: &[u8], right: &[u8], mut found: impl FnMut(FieldDifference) -> ControlFlow<B>) -> ControlFlow<B> {
        if left.len() != right.len() {
            let length = |bytes: &[u8]| Value::from_bits(Scalar::U64, bytes.len() as u64);
            return found(FieldDifference {
                path: "length".to_owned(),
                offset_bytes: left.len().min(right.len()),
                left: length(left),
                right: length(right),
            });
        }
        if left == right {
            return ControlFlow::Continue(());
        }
        self.or_opaque(left.len()).walk(|leaf| {
            let values = (leaf.value(left, Order::NATIVE), leaf.value(right, Order::NATIVE));
            let (Some(left), Some(right)) = values else { return ControlFlow::Continue(()) };
            if left == right {
                return ControlFlow::Continue(());
            }
            let path = leaf.place.path.to_string();
            found(FieldDifference { path, offset_bytes: leaf.place.offset_bytes, left, right })
        })
    }
}

struct Dump<'a> {
    layout: StateLayout,
    bytes: &'a [u8],
}

impl fmt::Display for Dump<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        let written = self.layout.walk(|leaf| {
            let Some(value) = leaf.value(self.bytes, Order::NATIVE) else {
                return ControlFlow::Continue(());
            };
            let line = write!(f, "{separator}{} = {value}", leaf.place.path);
            separator = "\n";
            match line {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => ControlFlow::Break(error),
            }
        });
        written.break_value().map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_that_is_one_scalar_has_a_name_too() {
        assert_eq!(StateLayout::of::<u8>().dump(&[3]).to_string(), "value = 3 (0x03)");
    }

    #[test]
    fn bytes_of_a_wrong_length_are_shown_as_bytes() {
        let layout = StateLayout::of::<u32>();
        assert_eq!(layout.dump(&[1, 2]).to_string(), "byte[0] = 1 (0x01)\nbyte[1] = 2 (0x02)");
        let first = layout.first_difference(&[1, 2], &[1, 3]).unwrap();
        assert_eq!(first.to_string(), "byte[1]: 2 (0x02) against 3 (0x03)");
        let lengths = layout.differences(&[0; 4], &[0; 3]);
        assert_eq!(lengths.len(), 1);
        insta::assert_snapshot!(
            lengths.first().unwrap(),
            @"length: 4 (0x0000000000000004) against 3 (0x0000000000000003)"
        );
    }

    #[test]
    fn equal_states_have_no_difference() {
        let layout = StateLayout::of::<u32>();
        assert_eq!(layout.differences(&[1, 2, 3, 4], &[1, 2, 3, 4]), []);
        assert_eq!(layout.first_difference(&[], &[]), None);
    }
}
