//! Validation: are these bytes a state that the simulation could have captured?

use super::error::InvalidState;
use super::layout::{Range, Scalar, StateLayout, TypeKind, TypeLayout};
use super::order::Order;
use super::value::Value;
use super::walk::{Place, walk_parts, walk_type};
use core::ops::ControlFlow;

impl StateLayout {
    /// Whether `bytes` (as in memory) have the right length and every field is in its range.
    ///
    /// This is for bytes from a file or a network; a rewind restores its own snapshots without it. A
    /// state without ranges costs one comparison of lengths, and no field outside the ranged ones is
    /// looked at. Success allocates nothing.
    ///
    /// ```
    /// use snapback_core::{InvalidState, StateLayout};
    /// let layout = StateLayout::of::<u32>();
    /// assert_eq!(layout.validate(&[0; 4]), Ok(()));
    /// assert_eq!(layout.validate(&[0; 3]), Err(InvalidState::WrongLength { expected: 4, found: 3 }));
    /// ```
    ///
    /// # Errors
    /// [`InvalidState::WrongLength`], or [`InvalidState::OutOfRange`] for the first field that is.
    pub fn validate(&self, bytes: &[u8]) -> Result<(), InvalidState> {
        self.check_length(bytes.len())?;
        if !self.head.has_ranges() && !self.tail.is_some_and(|tail| tail.element.has_ranges()) {
            return Ok(());
        }
        let found = self.walk_blocks(|layout, place| check_ranges(layout, place, bytes));
        match found {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(error) => Err(error),
        }
    }
}

fn check_ranges(layout: &TypeLayout, place: Place<'_>, bytes: &[u8]) -> ControlFlow<InvalidState> {
    if place.range.is_none() && !layout.has_ranges() {
        return ControlFlow::Continue(());
    }
    let (scalar, len) = match layout.kind {
        TypeKind::Scalar(scalar) => (scalar, 1),
        TypeKind::Array { len, element: TypeLayout { kind: TypeKind::Scalar(scalar), .. } } => (*scalar, len),
        _ => return walk_parts(layout, place, |part, place| check_ranges(part, place, bytes)),
    };
    let Some(range) = place.range else { return ControlFlow::Continue(()) };
    let run = bytes.get(place.offset_bytes..).and_then(|after| after.get(..scalar.size_bytes().saturating_mul(len)));
    if run.is_none_or(|run| all_within(scalar, run, range)) {
        return ControlFlow::Continue(());
    }
    // Something in this run is outside: only now is it worth a walk to name it.
    walk_type(layout, place, &mut |leaf| match leaf.value(bytes, Order::NATIVE) {
        Some(value) if !contains(range, value.number()) => ControlFlow::Break(InvalidState::OutOfRange {
            path: leaf.place.path.to_string(),
            value,
            min: Value::nearest(scalar, range.min),
            max: Value::nearest(scalar, range.max),
        }),
        _ => ControlFlow::Continue(()),
    })
}

/// Whether every scalar of a run in memory is in `range`: a loop over one type, because a walk
/// costs ten times as much.
fn all_within(scalar: Scalar, run: &[u8], range: Range) -> bool {
    match scalar {
        Scalar::U8 => all_of::<u8>(run, range),
        Scalar::U16 => all_of::<u16>(run, range),
        Scalar::U32 | Scalar::NameHash => all_of::<u32>(run, range),
        Scalar::U64 => all_of::<u64>(run, range),
        Scalar::I8 => all_of::<i8>(run, range),
        Scalar::I16 => all_of::<i16>(run, range),
        Scalar::I32 => all_of::<i32>(run, range),
        Scalar::I64 | Scalar::Fx => all_of::<i64>(run, range),
    }
}

fn all_of<T: bytemuck::Pod + Into<i128>>(run: &[u8], range: Range) -> bool {
    run.chunks_exact(size_of::<T>()).all(|raw| {
        // A snapshot is a slice of bytes, which need not be aligned.
        bytemuck::try_pod_read_unaligned::<T>(raw).is_ok_and(|it| contains(range, it.into()))
    })
}

const fn contains(range: Range, number: i128) -> bool {
    range.min <= number && number <= range.max
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Field;

    // A layout written by hand may give one range to all that is in a struct.
    const BYTE: TypeLayout = TypeLayout::scalar("U8", Scalar::U8);
    const LOW: Option<Range> = Some(Range { min: 0, max: 9 });
    const PLAIN: Field = Field { name: "plain", offset_bytes: 0, layout: &BYTE, section: None, range: None };
    const OWN: Field = Field { name: "own", offset_bytes: 1, range: Some(Range { min: 20, max: 29 }), ..PLAIN };
    const INNER: TypeLayout = TypeLayout::structure("Inner", 2, &[PLAIN, OWN]);
    const OUTER: TypeLayout = TypeLayout::structure("Outer", 2, &[Field { name: "inner", layout: &INNER, range: LOW, ..PLAIN }]);

    #[test]
    fn the_fast_loop_and_the_named_value_agree_for_every_scalar() {
        use Scalar::{Fx, I8, I16, I32, I64, NameHash, U8, U16, U32, U64};
        for scalar in [U8, U16, U32, U64, I8, I16, I32, I64, Fx, NameHash] {
            for low in [scalar.range().min, 0, 100, scalar.range().max] {
                let value = Value::nearest(scalar, low);
                let raw = value.bits().to_le_bytes();
                let mut raw = raw.get(..scalar.size_bytes()).unwrap().to_vec();
                if Order::NATIVE == Order::Big {
                    raw.reverse();
                }
                let within = |min, max| all_within(scalar, &raw, Range { min, max });
                assert!(within(low, low), "{scalar:?} {low}");
                assert!(!within(low + 1, i128::MAX), "{scalar:?} {low}");
                assert!(!within(i128::MIN, low - 1), "{scalar:?} {low}");
            }
        }
    }

    #[test]
    fn a_field_inherits_a_range_unless_it_has_its_own() {
        let layout = StateLayout { head: &OUTER, tail: None };
        assert_eq!(layout.validate(&[9, 20]), Ok(()));
        for (bytes, expected) in [([10, 20], "inner.plain"), ([9, 9], "inner.own")] {
            let error = layout.validate(&bytes).unwrap_err();
            assert!(error.to_string().starts_with(expected), "{error}");
        }
    }
}
