//! What a ball meets of the active proxies.

use super::{ProxyKey, ProxyPool};
use crate::narrow;
use crate::{ActorId, HitboxFrame, HitboxId, RewindCounters, Segment, Toi, units};
use snapback_core::Vec3;

/// A proxy that was met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProxyHit {
    /// The proxy, for [`ProxyPool::frame`].
    pub proxy: ProxyKey,
    /// The hitbox that it stands for.
    pub hitbox: HitboxId,
    /// Whose that is.
    pub actor: ActorId,
    /// When on the way.
    pub at: Toi,
    /// From the nearest point of the axis to the middle of the ball, in units; zero if the middle of
    /// the ball is on the axis.
    pub offset: [i32; 3],
}

impl ProxyHit {
    /// Away from the target, of length one; nothing if the ball's middle was on its axis.
    #[must_use]
    pub fn normal(&self) -> Option<Vec3> {
        let [x, y, z] = self.offset.map(units::fx);
        Vec3::new(x, y, z).normalise()
    }
}

impl ProxyPool {
    /// The proxy that a ball meets first; of several at once, the one of the smallest hitbox index.
    /// The answer of [`RewindHistory::sweep`](crate::RewindHistory::sweep) at the time that the proxies
    /// are of, if they are the candidates for this way.
    pub fn sweep(&self, way: &Segment, counters: &mut RewindCounters) -> Option<ProxyHit> {
        let mut first: Option<ProxyHit> = None;
        for (key, frame) in self.active() {
            let hit = meet(key, frame, way, counters);
            first = match (first, hit) {
                (Some(first), Some(hit)) => Some(if order(&hit) < order(&first) { hit } else { first }),
                (first, hit) => first.or(hit),
            };
        }
        first
    }

    /// Every proxy that a ball meets on its way, once, in the order in which it meets them, into
    /// `out`, which is emptied first. A way without a length is an overlap test.
    pub fn sweep_all(&self, way: &Segment, out: &mut Vec<ProxyHit>, counters: &mut RewindCounters) {
        out.clear();
        out.extend(self.active().filter_map(|(key, frame)| meet(key, frame, way, counters)));
        out.sort_unstable_by_key(order);
    }
}

fn order(hit: &ProxyHit) -> (Toi, u32) {
    (hit.at, hit.hitbox.index())
}

fn meet(proxy: ProxyKey, frame: &HitboxFrame, way: &Segment, counters: &mut RewindCounters) -> Option<ProxyHit> {
    let (from, to, centre) = (way.from().to_array(), way.to().to_array(), frame.centre.to_array());
    let m = [0, 1, 2].map(|axis| i64::from(from[axis]) - i64::from(centre[axis]));
    let d = [0, 1, 2].map(|axis| i64::from(to[axis]) - i64::from(from[axis]));
    let e = frame.half_axis.map(i64::from);
    let radius = frame.radius_units() + i64::from(way.radius_units());
    if !narrow::is_near(m, d, radius + narrow::ceil_length(e)) {
        counters.reject(crate::Rejection::Apart);
        return None;
    }
    counters.sweeps += 1;
    let n = narrow::capsule(m, d, e, radius)?;
    let offset = narrow::offset(m, d, e, n);
    Some(ProxyHit { proxy, hitbox: frame.hitbox, actor: frame.actor, at: Toi(n as u32), offset })
}
