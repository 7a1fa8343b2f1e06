//! [`Sight`]: the present world as what stands in the way of an explosion.

use snapback_core::Vec3;

use super::{LiveFilter, LiveWorld};
use crate::area::LineOfSight;

/// A world, and what of it stands in the way.
///
/// ```
/// use snapback_core::Vec3;
/// use snapback_rewind::area::LineOfSight;
/// use snapback_rewind::live::{KindSet, LiveFilter, Scene, Sight};
/// let walls = LiveFilter { kinds: KindSet::WORLD, ..LiveFilter::default() };
/// assert!(Sight { live: &Scene::new(0), filter: walls }.is_clear(Vec3::ZERO, Vec3::X));
/// ```
#[derive(Debug)]
pub struct Sight<'a, L: ?Sized> {
    /// The present world.
    pub live: &'a L,
    /// What of it stands in the way.
    pub filter: LiveFilter,
}

impl<L: LiveWorld + ?Sized> LineOfSight for Sight<'_, L> {
    fn is_clear(&self, from: Vec3, to: Vec3) -> bool {
        self.live.line_of_sight(from, to, &self.filter)
    }
}
