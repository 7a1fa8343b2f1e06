//! [`ActorRewind`]: records an actor, plays it backwards, and lets it go on from there.

use bytemuck::{Pod, Zeroable};
use core::fmt;
use snapback_core::state::TypeLayout;
use snapback_core::{InvalidState, SimState};

use super::track::Track;
use super::{Body, Physics, RewindEvent, RewindRules, RewindState, Sample, SampleTime};

#[derive(Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable, SimState)]
#[repr(C)]
struct Head {
    /// Recorded time since the start.
    time_us: u64,
    /// Where a rewind is; zero if there is none.
    cursor_us: u64,
    /// What is left of a microsecond, in parts of the speed's denominator.
    carry: u16,
    #[sim(range = 0..=1)]
    rewinding: u8,
    #[sim(range = 0..=0)]
    reserved: [u8; 5],
}

/// The last `N` samples of an actor, and how far it is rewound. State: embed it in the state of the
/// game, beside what it is about.
///
/// Each tick call [`record`](Self::record), or between [`begin`](Self::begin) and
/// [`resume`](Self::resume) [`step_back`](Self::step_back). It takes
/// [`size_bytes`](Self::size_bytes) of the fighter's budget, on every machine. Zeroed, it is
/// [`new`](Self::new).
///
/// No bits make a function panic or loop. What a layout can say of them it says as ranges;
/// [`validate`](Self::validate) says the rest.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(transparent)]
pub struct ActorRewind<const N: usize = 32> {
    track: Track<Head, Sample, N>,
}

impl<const N: usize> SimState for ActorRewind<N> {
    const LAYOUT: TypeLayout = Track::<Head, Sample, N>::LAYOUT.renamed("ActorRewind");
}

/// Where a rewind is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rewound {
    /// Where the actor is put, and what drives its animation. Velocities are those of the time, so they
    /// point forwards.
    pub body: Body,
    /// The recorded time that is shown, in microseconds since the start.
    pub time_us: u64,
    /// How far that is before the beginning of the rewind.
    pub back_us: u64,
    /// Whether it is the oldest sample: further back it does not go.
    pub is_oldest: bool,
}

/// How the actor goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Resumed {
    /// What the actor has from now on: transform, velocities, mode and movement input.
    pub body: Body,
    /// The recorded time, which goes on from here.
    pub time_us: u64,
    /// How many samples were undone.
    pub dropped: usize,
}

/// Why a call did nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RewindRefused {
    /// There is no sample to go back to.
    Empty,
    /// A rewind is on.
    AlreadyRewinding,
    /// No rewind is on.
    NotRewinding,
}

impl fmt::Display for RewindRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "there is nothing to go back to: record the actor first",
            Self::AlreadyRewinding => "the actor is rewinding: resume first",
            Self::NotRewinding => "the actor is not rewinding: begin first",
        })
    }
}

impl std::error::Error for RewindRefused {}

impl<const N: usize> ActorRewind<N> {
    /// Without a sample.
    #[must_use]
    pub fn new() -> Self {
        Self::zeroed()
    }

    /// What it takes of a snapshot: 160 bytes and 128 a sample.
    ///
    /// ```
    /// use snapback_rewind::ActorRewind;
    /// assert_eq!(ActorRewind::<32>::size_bytes(), 160 + 32 * 128);
    /// ```
    #[must_use]
    pub const fn size_bytes() -> usize {
        size_of::<Self>()
    }

    /// Most samples.
    #[must_use]
    pub const fn capacity() -> usize {
        N
    }

    /// A tick of `step_us` has passed and `body` is what the actor is now. Takes a sample at once if there is
    /// none, else if the last one is at least an interval old; the oldest is dropped if the ring is full.
    /// The sample's time if one was taken. Does nothing while rewinding.
    pub fn record(&mut self, rules: &RewindRules, step_us: u32, body: &Body) -> Option<SampleTime> {
        if self.state() == RewindState::Rewinding {
            return None;
        }
        let time_us = self.time_us().saturating_add(step_us.into());
        self.track.head.time_us = time_us;
        let since_us = self.since_last_us();
        if !self.is_empty() && since_us < u64::from(rules.interval_us()) {
            return None;
        }
        let at = SampleTime { time_us, since_last_us: u32::try_from(since_us).unwrap_or(u32::MAX) };
        self.track.push(Sample::new(at, body));
        Some(at)
    }

    /// Turns time round. `body` is what the actor is now, from where it is moved to the newest sample
    /// first; if a sample was taken this tick, that is what it is. From here on its
    /// [`physics`](Self::physics) is off.
    ///
    /// # Errors
    /// [`RewindRefused::Empty`] or [`RewindRefused::AlreadyRewinding`]; nothing changes.
    pub fn begin(&mut self, body: &Body) -> Result<Rewound, RewindRefused> {
        let after = self.state().after(RewindEvent::Began).ok_or(RewindRefused::AlreadyRewinding)?;
        if self.is_empty() {
            return Err(RewindRefused::Empty);
        }
        let time_us = self.time_us();
        let since_last_us = u32::try_from(self.since_last_us()).unwrap_or(u32::MAX);
        self.track.set_present(Sample::new(SampleTime { time_us, since_last_us }, body));
        self.track.head.cursor_us = time_us;
        self.track.head.carry = 0;
        self.set_state(after);
        self.shown()
    }

    /// A tick of `step_us` has passed: goes back by that, times the speed, and not further than to
    /// the oldest sample. A sample's time gives exactly that sample; between two of them vectors are
    /// interpolated in a straight line, the rotation along its arc, and the mode is the earlier one.
    ///
    /// # Errors
    /// [`RewindRefused::NotRewinding`]; nothing changes.
    pub fn step_back(&mut self, rules: &RewindRules, step_us: u32) -> Result<Rewound, RewindRefused> {
        if self.state() == RewindState::Recording {
            return Err(RewindRefused::NotRewinding);
        }
        let (back_us, carry) = rules.speed().back(step_us, self.track.head.carry);
        self.track.head.cursor_us = self.cursor_us().saturating_sub(back_us);
        self.track.head.carry = carry;
        // Not before the oldest.
        self.track.head.cursor_us = self.cursor_us();
        self.shown()
    }

    /// What the rewind shows.
    ///
    /// # Errors
    /// [`RewindRefused::NotRewinding`].
    pub fn shown(&self) -> Result<Rewound, RewindRefused> {
        if self.state() == RewindState::Recording {
            return Err(RewindRefused::NotRewinding);
        }
        let time_us = self.cursor_us();
        let body = self.track.at(time_us).unwrap_or_else(|| self.track.present()).body();
        let is_oldest = self.oldest().is_none_or(|oldest| time_us <= oldest.time().time_us);
        Ok(Rewound { body, time_us, back_us: self.time_us().saturating_sub(time_us), is_oldest })
    }

    /// The actor goes on from where it is: with the velocities, the mode and the movement input of
    /// that time. What was later is forgotten, and recorded time goes on from there, so that the next
    /// sample comes an interval after the last one that is left.
    ///
    /// # Errors
    /// [`RewindRefused::NotRewinding`]; nothing changes.
    pub fn resume(&mut self) -> Result<Resumed, RewindRefused> {
        let after = self.state().after(RewindEvent::Resumed).ok_or(RewindRefused::NotRewinding)?;
        let Rewound { body, time_us, .. } = self.shown()?;
        let dropped = self.track.forget_after(time_us);
        self.track.head = Head { time_us, ..Head::zeroed() };
        self.set_state(after);
        Ok(Resumed { body, time_us, dropped })
    }

    /// Forgets everything: another life begins.
    pub fn clear(&mut self) {
        if self.state().after(RewindEvent::Cleared).is_some() {
            *self = Self::new();
        }
    }

    /// Whether it records or rewinds.
    #[must_use]
    pub fn state(&self) -> RewindState {
        if self.track.head.rewinding == 1 { RewindState::Rewinding } else { RewindState::Recording }
    }

    /// What the host does with the actor's physics.
    #[must_use]
    pub fn physics(&self) -> Physics {
        self.state().physics()
    }

    /// Recorded time since the start, in microseconds. It stands still during a rewind, and goes back when
    /// that is over.
    #[must_use]
    pub fn time_us(&self) -> u64 {
        self.track.head.time_us
    }

    /// How long ago the newest sample was taken; without one, the time since the start.
    #[must_use]
    pub fn since_last_us(&self) -> u64 {
        self.time_us().saturating_sub(self.newest().map_or(0, |newest| newest.time().time_us))
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

    /// The place of the newest sample in the ring, from 0 to `N - 1`.
    #[must_use]
    pub fn latest_index(&self) -> Option<usize> {
        self.track.latest_index()
    }

    /// The newest sample.
    #[must_use]
    pub fn newest(&self) -> Option<Sample> {
        self.track.newest()
    }

    /// The oldest sample.
    #[must_use]
    pub fn oldest(&self) -> Option<Sample> {
        self.track.oldest()
    }

    /// All samples, the oldest first.
    pub fn samples(&self) -> impl DoubleEndedIterator<Item = Sample> + '_ {
        self.track.oldest_first()
    }

    /// Whether recording and rewinding can have led here. It comes after the ranges of the layout
    /// ([`StateLayout::validate`](snapback_core::StateLayout::validate)), for state from a file or a network.
    ///
    /// # Errors
    /// [`InvalidState::Custom`] with what does not fit together.
    pub fn validate(&self) -> Result<(), InvalidState> {
        let custom = |reason: &str| Err(InvalidState::Custom { reason: reason.to_owned() });
        let Head { time_us, cursor_us, carry, rewinding, reserved } = self.track.head;
        if rewinding > 1 || reserved != [0; 5] {
            return custom("a rewind that is neither on nor off");
        }
        self.track.validate(time_us)?;
        let is_fresh = (cursor_us, carry, self.track.present()) == (0, 0, Sample::zeroed());
        if rewinding == 0 && !is_fresh {
            return custom("a rewind that is off and has a place");
        }
        if rewinding == 1 && (self.is_empty() || cursor_us != self.cursor_us() || self.track.present().time().time_us != time_us) {
            return custom("a rewind outside of what was recorded");
        }
        Ok(())
    }

    /// Where the rewind is, brought into what was recorded.
    fn cursor_us(&self) -> u64 {
        let oldest_us = self.oldest().map_or(0, |oldest| oldest.time().time_us);
        self.track.head.cursor_us.max(oldest_us).min(self.time_us())
    }

    fn set_state(&mut self, state: RewindState) {
        self.track.head.rewinding = u8::from(state == RewindState::Rewinding);
    }
}

impl<const N: usize> Default for ActorRewind<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> PartialEq for ActorRewind<N> {
    fn eq(&self, other: &Self) -> bool {
        bytemuck::bytes_of(self) == bytemuck::bytes_of(other)
    }
}

impl<const N: usize> Eq for ActorRewind<N> {}

impl<const N: usize> fmt::Debug for ActorRewind<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ActorRewind")
            .field("state", &self.state())
            .field("time_us", &self.time_us())
            .field("cursor_us", &self.cursor_us())
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}
