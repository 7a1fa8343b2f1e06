//! [`Boxes`]: the bounds of everybody at every tick, and whom a shot's way could have met at all.

use super::why::Leg;
use crate::cull::{Aabb, BoundsConfig, BoundsHistory, BoundsId, Composite, CullByPath, Culler, PendingRewind, Sweep, Verdict, Window};
use crate::{ActorId, Cadence, ComponentId, HitboxFrame, Point};

/// What culling makes of one hitbox.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Culled {
    /// Two corners of the box around all places where it was from the earliest target time until the server took the shot,
    /// and 100 ms before and after that if it is not sampled at every tick; nothing if a part of that time is forgotten.
    pub bounds: Option<(Point, Point)>,
    /// Whether it would be rewound, and if not, why.
    pub verdict: Verdict,
}

#[derive(Debug)]
pub(super) struct Boxes {
    history: BoundsHistory,
    ids: Vec<Option<BoundsId>>,
}

impl Boxes {
    pub(super) fn new(hitboxes: usize, max_rewind_us: u64, tick_us: u64) -> Self {
        let config = BoundsConfig::covering(hitboxes.max(1) as u32, max_rewind_us as u32, tick_us as u32);
        let history = BoundsHistory::new(config).unwrap_or_else(|_| unreachable!("the numbers were read within range"));
        Self { history, ids: vec![None; hitboxes] }
    }

    /// The hitbox at `place` of the file is here at this tick.
    pub(super) fn record(&mut self, place: usize, cadence: Cadence, frame: &HitboxFrame) {
        let radius_units = crate::units::units(frame.radius).unwrap_or(0).unsigned_abs();
        let bounds = Aabb::around(frame.centre, frame.half_axis.map(|half| half.unsigned_abs() + radius_units));
        match self.ids[place] {
            // Ticks go forward.
            Some(id) => _ = self.history.record(frame.time_us, id, bounds),
            None => {
                let component = ComponentId(place as u64);
                self.ids[place] = self.history.register(frame.time_us, frame.actor, component, cadence, bounds).ok();
            }
        }
    }

    /// Whom the way could have met from `from_us` to `now_us`; nothing for who was not there.
    pub(super) fn cull(&self, shooter: ActorId, legs: &[Leg], radius_units: i32, from_us: u64, now_us: u64) -> Vec<Option<Culled>> {
        let path: Vec<Sweep> = legs.iter().filter_map(|leg| Sweep::ball(leg.from, leg.to, radius_units.unsigned_abs()).ok()).collect();
        let pending = PendingRewind { window: Window::new(from_us, now_us), instigator: Some(shooter), path: &path };
        let (mut culler, mut kept) = (Culler::new(self.history.config()), Vec::new());
        culler.cull(&self.history, &pending, &mut CullByPath, &mut kept);
        let mut all = vec![None; self.ids.len()];
        for mark in culler.marks() {
            let bounds = match mark.target.bounds {
                Composite::Known(bounds) => Some((bounds.min(), bounds.max())),
                Composite::Unknown => None,
            };
            if let Some(place) = self.ids.iter().position(|id| *id == Some(mark.target.id)) {
                all[place] = Some(Culled { bounds, verdict: mark.verdict });
            }
        }
        all
    }
}
