//! Boxes: relative to the feet, as if the fighter looked right.

use super::DataError;
use super::canonical::{Canonical, Lines};
use super::read::Node;
use super::table::{Span, decimal, list, one, or, span, table, whole};
use snapback_core::Fx;

const MAX_LENGTH: i32 = 1_000;
const MAX_BOXES: usize = 8;
/// Half of how deep a box is that does not say it.
const DEPTH: Fx = Fx::from_int(25);

table! {
    struct BodyBox {
        back: Fx = decimal(-MAX_LENGTH, MAX_LENGTH),
        front: Fx = decimal(-MAX_LENGTH, MAX_LENGTH),
        bottom: Fx = decimal(-MAX_LENGTH, MAX_LENGTH),
        top: Fx = decimal(-MAX_LENGTH, MAX_LENGTH),
        /// How far it reaches into the depth and out of it.
        depth: Fx = or(DEPTH, decimal(1, MAX_LENGTH)),
    }
}

table! {
    struct MoveBox {
        /// The frames of the move in which it is there; for a hit box all active ones, for other
        /// boxes all frames.
        frames: Span = or(Span::ALWAYS, span()),
        /// Which hit of the move it belongs to: each hit reaches an enemy once.
        hit: u8 = or(1, whole(1, 15)),
        back: Fx = decimal(-MAX_LENGTH, MAX_LENGTH),
        front: Fx = decimal(-MAX_LENGTH, MAX_LENGTH),
        bottom: Fx = decimal(-MAX_LENGTH, MAX_LENGTH),
        top: Fx = decimal(-MAX_LENGTH, MAX_LENGTH),
        depth: Fx = or(DEPTH, decimal(1, MAX_LENGTH)),
    }
}

impl MoveBox {
    pub(crate) const fn body(&self) -> BodyBox {
        BodyBox { back: self.back, front: self.front, bottom: self.bottom, top: self.top, depth: self.depth }
    }
}

/// One of something for each way a body can be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ByPosture<T> {
    pub(crate) standing: T,
    pub(crate) crouching: T,
    pub(crate) air: T,
}

impl ByPosture<BodyBox> {
    pub(super) fn read(mut node: Node<'_>) -> Result<Self, DataError> {
        let read = one(BodyBox::read);
        let (standing, crouching, air) = (read(&mut node, "standing")?, read(&mut node, "crouching")?, read(&mut node, "air")?);
        node.finish()?;
        Ok(Self { standing, crouching, air })
    }
}

/// Several boxes for each way a body can be.
pub(crate) type ByPostures = ByPosture<Vec<BodyBox>>;

impl ByPostures {
    pub(super) fn read(mut node: Node<'_>) -> Result<Self, DataError> {
        let read = list(1, MAX_BOXES, BodyBox::read);
        let (standing, crouching, air) = (read(&mut node, "standing")?, read(&mut node, "crouching")?, read(&mut node, "air")?);
        node.finish()?;
        Ok(Self { standing, crouching, air })
    }
}

impl<T: Canonical> Canonical for ByPosture<T> {
    fn write(&self, out: &mut Lines, name: &str) {
        out.line(name, "by posture");
        self.standing.write(out, "standing");
        self.crouching.write(out, "crouching");
        self.air.write(out, "air");
    }
}

/// The boxes of a move.
pub(super) fn move_boxes(node: &mut Node<'_>, field: &'static str) -> Result<Vec<MoveBox>, DataError> {
    list(0, MAX_BOXES, MoveBox::read)(node, field)
}
