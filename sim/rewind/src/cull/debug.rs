//! [`CullMark`]: what became of each target, for a page that draws it.

use core::fmt;

use super::PotentialTarget;

/// What became of a target.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Verdict {
    /// The filter did not look at it.
    Left,
    /// It belongs to who shot.
    Instigator,
    /// It was in the list before.
    AlreadyListed,
    /// The path does not touch its box.
    BoxMissed,
    /// The path touches its box, but not what is in it.
    ComplexMissed,
    /// It is rewound.
    Kept,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Left => "not looked at",
            Self::Instigator => "who shot",
            Self::AlreadyListed => "in the list before",
            Self::BoxMissed => "box not hit",
            Self::ComplexMissed => "box hit, collision not",
            Self::Kept => "hit",
        })
    }
}

/// In which colour a target is drawn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Colour {
    /// The instigator, who is ignored.
    Black,
    /// A potential target. Its collision is drawn too.
    Orange,
}

/// How one target of a cull is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CullMark {
    /// Which target, with its composite box.
    pub target: PotentialTarget,
    /// Its colour.
    pub colour: Colour,
    /// Whether the collision in the box is drawn with it.
    pub shows_collision: bool,
    /// What became of it.
    pub verdict: Verdict,
    /// Whether the complex collision was needed.
    pub was_complex_tested: bool,
}
