//! [`AnimationRewind`]: what drives an actor's animation during a rewind, if the game wants more than its
//! body gives.

use bytemuck::{Pod, Zeroable};
use core::fmt;
use snapback_core::state::TypeLayout;
use snapback_core::{Fx, InvalidState, SimState, Vec3};

use super::track::{Moment, Track};
use super::{MovementMode, SampleTime};

/// What drives an animation.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug)]
pub struct AnimationPose {
    /// The velocity of the movement, in units a second.
    pub velocity: Vec3,
    /// How the actor moves.
    pub mode: MovementMode,
}

/// An [`AnimationPose`] at a time: 40 bytes of state.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct AnimationSample {
    velocity: Vec3,
    time_us: u64,
    since_last_us: u32,
    mode: MovementMode,
}

impl AnimationSample {
    fn new(at: SampleTime, pose: AnimationPose) -> Self {
        Self { velocity: pose.velocity, time_us: at.time_us, since_last_us: at.since_last_us, mode: pose.mode }
    }

    /// What drove the animation.
    #[must_use]
    pub const fn pose(&self) -> AnimationPose {
        AnimationPose { velocity: self.velocity, mode: self.mode }
    }

    /// When.
    #[must_use]
    pub const fn time(&self) -> SampleTime {
        SampleTime { time_us: self.time_us, since_last_us: self.since_last_us }
    }
}

impl Moment for AnimationSample {
    fn time(&self) -> SampleTime {
        self.time()
    }

    fn between(&self, later: &Self, t: Fx, at: SampleTime) -> Self {
        Self::new(at, AnimationPose { velocity: self.velocity.lerp(later.velocity, t), mode: self.mode })
    }
}

/// The optional second ring: velocity and mode of the movement at each sample of an
/// [`ActorRewind`](super::ActorRewind), on whose times it follows.
///
/// ```
/// use snapback_core::{Fx, Vec3};
/// use snapback_rewind::actor::{ActorRewind, AnimationPose, AnimationRewind, Body, MovementMode, RewindRules};
///
/// let (rules, body) = (RewindRules::default(), Body::default());
/// let (mut rewind, mut animation) = (ActorRewind::<8>::new(), AnimationRewind::<8>::new());
/// let running = |speed| AnimationPose { velocity: Vec3::from_ints(speed, 0, 0), mode: MovementMode(1) };
/// for tick in 0..13 {
///     if let Some(at) = rewind.record(&rules, 50_000, &body) {
///         animation.record(at, running(10 * tick));
///     }
/// }
/// let shown = rewind.begin(&body).unwrap();
/// animation.begin(shown.time_us, running(120));
/// let shown = rewind.step_back(&rules, 150_000).unwrap();
/// assert_eq!(animation.at(shown.time_us), Some(running(90)));
/// let resumed = rewind.resume().unwrap();
/// assert_eq!(animation.resume(resumed.time_us), resumed.dropped);
/// ```
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(transparent)]
pub struct AnimationRewind<const N: usize = 32> {
    track: Track<[u8; 0], AnimationSample, N>,
}

impl<const N: usize> SimState for AnimationRewind<N> {
    const LAYOUT: TypeLayout = Track::<[u8; 0], AnimationSample, N>::LAYOUT.renamed("AnimationRewind");
}

impl<const N: usize> AnimationRewind<N> {
    /// Without a sample.
    #[must_use]
    pub fn new() -> Self {
        Self::zeroed()
    }

    /// What it takes of a snapshot: 48 bytes and 40 a sample.
    ///
    /// ```
    /// use snapback_rewind::actor::AnimationRewind;
    /// assert_eq!(AnimationRewind::<32>::size_bytes(), 48 + 32 * 40);
    /// ```
    #[must_use]
    pub const fn size_bytes() -> usize {
        size_of::<Self>()
    }

    /// The actor was sampled at this time. The oldest sample is dropped if the ring is full.
    pub fn record(&mut self, at: SampleTime, pose: AnimationPose) {
        self.track.push(AnimationSample::new(at, pose));
    }

    /// The rewind begins at `now_us` of recorded time, with `pose`.
    pub fn begin(&mut self, now_us: u64, pose: AnimationPose) {
        let last_us = self.track.newest().map_or(0, |newest| newest.time_us);
        let since_last_us = u32::try_from(now_us.saturating_sub(last_us)).unwrap_or(u32::MAX);
        self.track.set_present(AnimationSample::new(SampleTime { time_us: now_us, since_last_us }, pose));
    }

    /// What drives the animation while the rewind shows `time_us`: a sample exactly, or what is between two;
    /// before the oldest it is that one. None if nothing was recorded.
    #[must_use]
    pub fn at(&self, time_us: u64) -> Option<AnimationPose> {
        self.track.at(time_us).map(|sample| sample.pose())
    }

    /// The rewind has ended at `time_us`: what was later is forgotten. How many samples those were.
    pub fn resume(&mut self, time_us: u64) -> usize {
        self.track.forget_after(time_us)
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Self::new();
    }

    /// How many samples there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.track.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All samples, the oldest first.
    pub fn samples(&self) -> impl DoubleEndedIterator<Item = AnimationSample> + '_ {
        self.track.oldest_first()
    }

    /// Whether recording up to `now_us` can have led here; after the ranges of the layout.
    ///
    /// # Errors
    /// [`InvalidState::Custom`] if times are not in order.
    pub fn validate(&self, now_us: u64) -> Result<(), InvalidState> {
        self.track.validate(now_us)
    }
}

impl<const N: usize> Default for AnimationRewind<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> fmt::Debug for AnimationRewind<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnimationRewind").field("len", &self.len()).finish_non_exhaustive()
    }
}
