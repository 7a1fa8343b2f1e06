//! The walk over every scalar of a state, in the order of memory, without allocation.

use super::layout::{Range, Scalar, StateLayout, TypeKind, TypeLayout};
use super::order::Order;
use super::value::Value;
use core::fmt;
use core::ops::ControlFlow;

/// Where a scalar is, as a list on the stack of the walk: text is only made of it on demand.
#[derive(Clone, Copy)]
pub(super) enum Path<'a> {
    Root,
    Field { parent: &'a Self, name: &'static str },
    Element { parent: &'a Self, index: usize },
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Root => Ok(()),
            Self::Field { parent: Self::Root, name } => f.write_str(name),
            Self::Field { parent, name } => write!(f, "{parent}.{name}"),
            Self::Element { parent, index } => write!(f, "{parent}[{index}]"),
        }
    }
}

/// What a field inherits from what it lies in.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) path: &'a Path<'a>,
    pub(super) offset_bytes: usize,
    pub(super) section: Option<&'static str>,
    pub(super) range: Option<Range>,
}

impl<'a> Place<'a> {
    pub(super) fn root(path: &'a Path<'a>, offset_bytes: usize) -> Self {
        Self { path, offset_bytes, section: None, range: None }
    }
}

/// One scalar of a state.
pub(super) struct Leaf<'a> {
    pub(super) scalar: Scalar,
    pub(super) place: Place<'a>,
}

impl Leaf<'_> {
    /// Its part of `bytes`; none if a layout written by hand points outside.
    pub(super) fn raw<'b>(&self, bytes: &'b [u8]) -> Option<&'b [u8]> {
        bytes.get(self.place.offset_bytes..)?.get(..self.scalar.size_bytes())
    }

    pub(super) fn value(&self, bytes: &[u8], order: Order) -> Option<Value> {
        Some(Value::from_bits(self.scalar, order.load(self.raw(bytes)?)?))
    }
}

impl StateLayout {
    /// Visits the head and the tail as whole types, in this order.
    pub(super) fn walk_blocks<B>(&self, mut visit: impl FnMut(&'static TypeLayout, Place<'_>) -> ControlFlow<B>) -> ControlFlow<B> {
        // A state that is one scalar has no field to take a name from.
        let alone = Path::Field { parent: &Path::Root, name: "value" };
        let head = if let TypeKind::Scalar(_) = self.head.kind { alone } else { Path::Root };
        visit(self.head, Place::root(&head, 0))?;
        let Some(tail) = self.tail else { return ControlFlow::Continue(()) };
        let parent = &Path::Field { parent: &Path::Root, name: tail.name };
        for index in 0..tail.count {
            let offset = tail.element.size_bytes.saturating_mul(index);
            let offset = self.head.size_bytes.saturating_add(offset);
            visit(tail.element, Place::root(&Path::Element { parent, index }, offset))?;
        }
        ControlFlow::Continue(())
    }

    /// Visits every scalar, in the order of memory.
    pub(super) fn walk<B>(&self, mut visit: impl FnMut(&Leaf<'_>) -> ControlFlow<B>) -> ControlFlow<B> {
        self.walk_blocks(|layout, place| walk_type(layout, place, &mut visit))
    }
}

/// Visits every scalar inside a type.
pub(super) fn walk_type<B>(layout: &TypeLayout, place: Place<'_>, visit: &mut impl FnMut(&Leaf<'_>) -> ControlFlow<B>) -> ControlFlow<B> {
    if let TypeKind::Scalar(scalar) = layout.kind {
        return visit(&Leaf { scalar, place });
    }
    walk_parts(layout, place, |part, place| walk_type(part, place, visit))
}

/// Visits the elements or fields of a type, but nothing inside them.
pub(super) fn walk_parts<B>(
    layout: &TypeLayout,
    place: Place<'_>,
    mut visit: impl FnMut(&'static TypeLayout, Place<'_>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let parent = place.path;
    match layout.kind {
        TypeKind::Scalar(_) => {}
        TypeKind::Array { len, element } => {
            for index in 0..len {
                let offset = element.size_bytes.saturating_mul(index);
                let offset_bytes = place.offset_bytes.saturating_add(offset);
                let path = &Path::Element { parent, index };
                visit(element, Place { path, offset_bytes, ..place })?;
            }
        }
        TypeKind::Struct { fields } => {
            for field in fields {
                let place = Place {
                    path: &Path::Field { parent, name: field.name },
                    offset_bytes: place.offset_bytes.saturating_add(field.offset_bytes),
                    section: field.section.or(place.section),
                    range: field.range.or(place.range),
                };
                visit(field.layout, place)?;
            }
        }
    }
    ControlFlow::Continue(())
}
