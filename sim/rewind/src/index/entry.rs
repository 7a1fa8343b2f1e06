//! [`Entry`]: a hitbox between two ticks, as small as a search can use it.

use crate::history::{TickPose, flags, presence};
use crate::motion;
use crate::narrow::V;
use bytemuck::{Pod, Zeroable};

/// What a search reads of everyone near its way: half a cache line. Of a body, the ball around all its
/// hitboxes.
#[derive(Clone, Copy, Default, Debug, Pod, Zeroable)]
#[repr(C, align(32))]
pub(super) struct Entry {
    /// Centre at the earlier tick.
    pub c: [i32; 3],
    /// Whose it is; of a body, where its hitboxes begin.
    pub place: u32,
    /// And from there to the later tick.
    pub dc: [i16; 3],
    /// The radius of the ball around it, at both ticks and between them.
    pub reach: u16,
    /// Radius at the earlier tick; of a body, how many hitboxes it has.
    pub radius: u16,
    /// And from there to the later tick; of a body, the bits of [`flat_reach`](Self::flat_reach).
    pub d_radius: i16,
    /// Low four: the flags of a pose at the earlier tick, next four: at the later one, then [`bits`].
    pub bits: u16,
    /// How much too great it is for the grid: 0 fits, and each step is twice as much.
    pub excess: u16,
}

/// What only capsules have: half axes at both ticks.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Axes {
    pub from: [i16; 3],
    pub to: [i16; 3],
}

/// Bits of [`Entry::bits`] above those of the flags.
pub(super) mod bits {
    /// Shift of the flags at the later tick.
    pub(crate) const LATER: u32 = 4;
    /// After its newest sample: stands, until its tolerance is over.
    pub(crate) const HELD: u16 = 1 << 8;
    /// Stands between the ticks and is elsewhere at the later one.
    pub(crate) const STAYS: u16 = 1 << 9;
    /// Is there at the earlier tick only.
    pub(crate) const STARTS: u16 = 1 << 10;
    /// Its numbers do not fit: ask the rows.
    pub(crate) const WIDE: u16 = 1 << 11;
    /// Several hitboxes of one actor.
    pub(crate) const BODY: u16 = 1 << 12;
    /// What not every time meets.
    pub(crate) const SOMETIMES: u16 = HELD | STAYS | STARTS;
}

/// How far a capsule's cap can be beyond its half height: its axis is rounded twice, and its rotation
/// may be longer than one by 2^-11.
const REACH_SLACK: u32 = 20;

const FITTING_BITS: u32 = 16;
/// What reaches no further than this, 4 m, fits the grid.
pub(super) const FITTING: i32 = 1 << FITTING_BITS;

/// What a hitbox does between two ticks; nothing if it is not there at the earlier one.
#[inline(always)]
pub(super) fn kind(from: &TickPose, to: &TickPose, is_gap: bool) -> Option<u16> {
    if from.presence == presence::ABSENT {
        return None;
    }
    Some(if to.presence == presence::HELD {
        bits::HELD
    } else if to.presence == presence::ABSENT || is_gap {
        bits::STARTS
    } else if motion::is_continuous(from, to) {
        0
    } else {
        bits::STAYS
    })
}

/// Whether the later tick finds it where the space between the ticks does not lead.
#[inline(always)]
pub(super) fn arrives(kind: Option<u16>, to: &TickPose) -> bool {
    to.presence != presence::ABSENT && !matches!(kind, Some(0 | bits::HELD))
}

/// Whether a hitbox that is there at both ticks, and not held, goes from one to the other without a jump, is not faster than 2 m in
/// a tick and not taller than 2 m each way: so nothing of it is too great. Without a branch, as nearly everyone is.
#[inline(always)]
pub(super) fn is_steady(from: &TickPose, to: &TickPose) -> bool {
    // From 0 to 2^16 - 1 if a step has 16 bits.
    let step = |axis: usize| to.c[axis].wrapping_sub(from.c[axis]).wrapping_add(1 << 15) as u32;
    let tall = (from.half_height + REACH_SLACK) | (to.half_height + REACH_SLACK);
    let (steps, differs) = (step(0) | step(1) | step(2), from.epoch ^ to.epoch);
    let is_another = u32::from((from.flags ^ to.flags) & flags::CAPSULE);
    // Absent is 0 and becomes 255; at the later tick, who is held has 2.
    let absent = u32::from(from.presence.wrapping_sub(presence::SAMPLED) >> 7 | to.presence.wrapping_sub(presence::SAMPLED) >> 1);
    ((steps >> 16) | (tall >> 15) | differs | is_another | absent) == 0
}

impl Entry {
    /// The entry of a steady hitbox.
    #[inline(always)]
    pub(super) fn steady(place: u32, from: &TickPose, to: &TickPose) -> Self {
        Self {
            c: from.c,
            dc: [0, 1, 2].map(|axis| to.c[axis].wrapping_sub(from.c[axis]) as i16),
            reach: (from.half_height.max(to.half_height) + REACH_SLACK) as u16,
            place,
            radius: from.radius,
            d_radius: to.radius.wrapping_sub(from.radius) as i16,
            bits: u16::from(from.flags) | u16::from(to.flags) << bits::LATER,
            excess: 0,
        }
    }

    /// An entry, and how far it can be from its centre at the earlier tick, on any axis.
    #[inline(always)]
    pub(super) fn new(place: u32, from: &TickPose, to: &TickPose, kind: u16) -> (Self, i32) {
        let end = if kind == 0 { to } else { from };
        let later_flags = if kind == bits::STARTS { from.flags } else { to.flags };
        let step = [0, 1, 2].map(|axis| end.c[axis] - from.c[axis]);
        let d_radius = i32::from(end.radius) - i32::from(from.radius);
        let reach = from.half_height.max(end.half_height) + REACH_SLACK;
        let farthest = step[0].abs().max(step[1].abs()).max(step[2].abs());
        let extent = farthest + reach as i32;
        let is_wide = farthest > i32::from(i16::MAX) || reach > u32::from(u16::MAX) || d_radius.abs() > i32::from(i16::MAX);
        let entry = Self {
            c: from.c,
            dc: step.map(|part| part as i16),
            reach: reach as u16,
            place,
            radius: from.radius,
            d_radius: d_radius as i16,
            bits: u16::from(from.flags) | u16::from(later_flags) << bits::LATER | kind | if is_wide { bits::WIDE } else { 0 },
            excess: excess(extent),
        };
        (entry, extent)
    }

    /// Of a body: the radius of its circle in the plane of x and z, not over `reach`.
    #[inline(always)]
    pub(super) const fn flat_reach(&self) -> u16 {
        self.d_radius as u16
    }

    /// Where its centre is at fraction `s`.
    #[inline(always)]
    pub(super) fn at(&self, axis: usize, s: i64) -> i64 {
        step(i64::from(self.c[axis]), i64::from(self.dc[axis]), s)
    }
}

impl Axes {
    /// The half axis at fraction `s`.
    #[inline(always)]
    pub(super) fn at(&self, s: i64) -> V {
        [0, 1, 2].map(|axis| motion::lerp(self.from[axis].into(), self.to[axis].into(), s))
    }
}

/// [`motion::lerp`], of a start and a step.
#[inline(always)]
pub(super) fn step(from: i64, by: i64, s: i64) -> i64 {
    from + ((by * s + motion::ONE / 2) >> 16)
}

/// See [`Entry::excess`].
#[inline(always)]
pub(super) fn excess(extent: i32) -> u16 {
    if extent <= FITTING { 0 } else { (i32::BITS - ((extent - 1) >> FITTING_BITS).leading_zeros()) as u16 }
}
