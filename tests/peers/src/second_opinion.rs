//! Rewind queries, frozen and moving, asked of parry3d in `f32` too, and what explains an answer of it that is
//! not the exact one.
//!
//! An answer is *explained* if it is right for somebody who knows every radius only within
//! [`Margin`]: no target that is surely hit comes surely earlier, and what it names may be hit
//! then. What is outside of that is a fault, of one of the two; if parry3d's own distance at the
//! exact time of impact contradicts its cast, it is parry3d's.

#![allow(clippy::float_arithmetic, reason = "parry3d computes in f32, which is the point")]

use parry3d::math::{Pose as Stand, Vector};
use parry3d::query::{self, ShapeCastOptions};
use parry3d::shape::{Ball, Capsule};
use snapback_rewind_tests::reference::impact::{self, ONE};
use snapback_rewind_tests::reference::pose::Pose;
use snapback_rewind_tests::reference::units::Units;
use snapback_rewind_tests::scene::Cast;

const UNITS_PER_METRE: f32 = 16_384.0;

/// A target of a cast: which hitbox, and how it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    /// Which hitbox.
    pub hitbox: usize,
    /// How it stands, at first.
    pub pose: Pose,
    /// How it moves meanwhile.
    pub by: Units,
}

/// What a cast meets first, if anything.
pub type Answer = Option<(usize, u32)>;

/// How exactly `f32` knows when a cast meets a target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Margin {
    /// Of the target's radius, in units.
    pub radius: i64,
    /// Of the time of impact, in 2^30ths.
    pub n: u32,
}

impl Margin {
    /// Two roundings of the squared distance from the cast's start to the target, of which the squared
    /// reach is taken: at 2 m nothing, at 100 m some millimetres, at 600 m decimetres. Of a capsule,
    /// which it searches (GJK) to about a thousandth, two thousandths of its size. Besides, a fifth of a
    /// millimetre, a millionth of the way, and four millionths of the time.
    #[must_use]
    pub fn of(cast: &Cast, target: &Target) -> Self {
        let squared = |it: Units| it.iter().map(|it| it * it).sum::<i64>();
        let rounding = squared(to_target(cast, target)) >> 22;
        let reach = (target.pose.radius + i64::from(cast.radius)).max(1);
        let axis = squared(target.pose.half_axis).isqrt();
        let search = if axis == 0 { 0 } else { (reach + axis) / 500 };
        Self { radius: 3 + search + squared(by(cast, target)).isqrt() / 1_000_000 + rounding / (2 * reach), n: 1 << 12 }
    }
}

/// What explains an answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// The same target, at about the same time, or the same nothing.
    Same,
    /// It touches so little that the margin decides whether it is hit.
    Grazing,
    /// Two are hit within the margin of each other.
    NearTie,
    /// The same target, at a time that is within four times the margin: it stops searching early.
    Inexact,
    /// Its cast contradicts its own distance: it passes through what it says is in the way, or stops
    /// where it says nothing is.
    Contradiction,
    /// Nothing.
    Unexplained,
}

/// How the sphere moves as seen from the target.
fn by(cast: &Cast, target: &Target) -> Units {
    std::array::from_fn(|axis| i64::from(cast.to[axis]) - i64::from(cast.from[axis]) - target.by[axis])
}

fn metres(units: Units) -> Vector {
    let [x, y, z] = units.map(|it| it as f32 / UNITS_PER_METRE);
    Vector::new(x, y, z)
}

/// From the start of the cast to the target. Subtracted in integers, so that parry3d is not
/// judged by how far from the origin the scene is.
fn to_target(cast: &Cast, target: &Target) -> Units {
    std::array::from_fn(|axis| target.pose.centre[axis] - i64::from(cast.from[axis]))
}

fn exact(cast: &Cast, target: &Target, margin: i64) -> Option<u32> {
    let from = to_target(cast, target).map(|it| -it);
    let reach = target.pose.radius + i64::from(cast.radius) + margin;
    if reach < 0 {
        return None;
    }
    impact::with_segment(from, by(cast, target), target.pose.half_axis, reach)
}

/// What the exact reference meets first.
#[must_use]
pub fn exactly(cast: &Cast, targets: &[Target]) -> Answer {
    let hits = targets.iter().filter_map(|target| Some((exact(cast, target, 0)?, target.hitbox)));
    hits.min().map(|(n, hitbox)| (hitbox, n))
}

struct InFloats {
    ball: Ball,
    capsule: Capsule,
    stand: Stand,
    way: Vector,
}

impl InFloats {
    fn of(cast: &Cast, target: &Target) -> Self {
        let half_axis = metres(target.pose.half_axis);
        let stand = metres(to_target(cast, target));
        Self {
            ball: Ball::new(f32::from(cast.radius) / UNITS_PER_METRE),
            capsule: Capsule::new(-half_axis, half_axis, target.pose.radius as f32 / UNITS_PER_METRE),
            stand: Stand::translation(stand.x, stand.y, stand.z),
            way: metres(by(cast, target)),
        }
    }

    fn is_sphere(&self) -> bool {
        self.capsule.segment.a == self.capsule.segment.b
    }

    fn cast(&self) -> Option<f32> {
        let options = ShapeCastOptions { compute_impact_geometry_on_penetration: false, ..ShapeCastOptions::with_max_time_of_impact(1.0) };
        let start = Stand::IDENTITY;
        let ball = Ball::new(self.capsule.radius);
        let target: &dyn parry3d::shape::Shape = if self.is_sphere() { &ball } else { &self.capsule };
        if self.way == Vector::ZERO {
            // It casts nothing that does not move.
            return (self.distance(0.0) <= 0.0).then_some(0.0);
        }
        let hit = query::cast_shapes(&start, self.way, &self.ball, &self.stand, Vector::ZERO, target, options);
        hit.expect("balls and capsules are supported").map(|hit| hit.time_of_impact)
    }

    fn distance(&self, part: f32) -> f32 {
        let at = self.way * part;
        let ball = Stand::translation(at.x, at.y, at.z);
        query::distance(&ball, &self.ball, &self.stand, &self.capsule).expect("balls and capsules are supported").distance
    }
}

/// What parry3d meets first.
#[must_use]
pub fn by_parry(cast: &Cast, targets: &[Target]) -> Answer {
    let hits = targets.iter().filter_map(|target| Some((InFloats::of(cast, target).cast()?, target.hitbox)));
    let (part, hitbox) = hits.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))?;
    Some((hitbox, (part * ONE as f32) as u32))
}

/// What explains `answer`.
#[must_use]
pub fn judge(cast: &Cast, targets: &[Target], answer: Answer) -> Verdict {
    let exact_answer = exactly(cast, targets);
    let verdict = judge_within(cast, targets, answer, exact_answer, 1);
    let is_same = answer.is_some() && answer.map(|(hitbox, _)| hitbox) == exact_answer.map(|(hitbox, _)| hitbox);
    if is_same && verdict >= Verdict::Contradiction && judge_within(cast, targets, answer, exact_answer, 4) == Verdict::Same {
        return Verdict::Inexact;
    }
    verdict
}

fn judge_within(cast: &Cast, targets: &[Target], answer: Answer, exact_answer: Answer, margins: i64) -> Verdict {
    // From when on each may be hit, and from when on it surely is.
    let spans: Vec<_> = targets
        .iter()
        .map(|target| {
            let margin = Margin::of(cast, target);
            let [first, last] = [margin.radius, -margin.radius].map(|it| it * margins).map(|radius| exact(cast, target, radius));
            (target.hitbox, first.map(|n| n.saturating_sub(margin.n)), last.map(|n| n + margin.n))
        })
        .collect();
    let may_be = |hitbox: usize, n: u32| {
        let its = spans.iter().find(|(it, ..)| *it == hitbox);
        its.is_some_and(|(_, first, last)| first.is_some_and(|first| first <= n) && last.is_none_or(|last| n <= last))
    };
    let is_nothing_surely_before = |n: u32| spans.iter().all(|(_, _, last)| last.is_none_or(|last| n <= last));
    let is_sound = match answer {
        None => spans.iter().all(|(_, _, last)| last.is_none()),
        Some((hitbox, n)) => may_be(hitbox, n) && is_nothing_surely_before(n),
    };
    if !is_sound {
        return if contradicts_itself(cast, targets, answer, exact_answer) { Verdict::Contradiction } else { Verdict::Unexplained };
    }
    match (answer, exact_answer) {
        (None, None) => Verdict::Same,
        (Some((hitbox, _)), Some((exact, _))) if hitbox == exact => Verdict::Same,
        (Some(_), Some((exact, _))) if spans.iter().any(|(hitbox, _, last)| *hitbox == exact && last.is_some()) => Verdict::NearTie,
        _ => Verdict::Grazing,
    }
}

/// Whether parry3d's own distance takes the side of the exact answer: what it passed through is in
/// the way there, or where it stopped there is nothing.
fn contradicts_itself(cast: &Cast, targets: &[Target], answer: Answer, exact: Answer) -> bool {
    // Of its own distance at a time, how much is more than the margin: nothing if it is in the way.
    let beyond = |(hitbox, n): (usize, u32)| {
        let target = targets.iter().find(|target| target.hitbox == hitbox)?;
        let near = Margin::of(cast, target).radius as f32 / UNITS_PER_METRE;
        Some(InFloats::of(cast, target).distance(n as f32 / ONE as f32) - near)
    };
    let is_later = answer.is_none_or(|(_, n)| exact.is_some_and(|(_, first)| first < n));
    let passed_through = is_later && exact.and_then(beyond).is_some_and(|beyond| beyond <= 0.0);
    let stopped_at_nothing = answer.and_then(beyond).is_some_and(|beyond| beyond > 0.0);
    passed_through || stopped_at_nothing
}
