//! [`Body`]: what is remembered of an actor at one time, and [`Sample`], how it is stored.

use bytemuck::{Pod, Zeroable};
use snapback_core::{Fx, Quat, SimState, Vec3};

use super::track::Moment;

/// How an actor moves, such as walking or falling. The numbers are the game's.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Pod, Zeroable, SimState)]
#[repr(transparent)]
pub struct MovementMode(pub u32);

/// An actor's transform and how it moves.
///
/// There is no scale: nothing that moves changes it. A game in which actors grow keeps their size in a
/// state of its own.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug)]
pub struct Body {
    /// Where it is, in the game's units.
    pub position: Vec3,
    /// How it is turned.
    pub rotation: Quat,
    /// The velocity of its physics, in units a second.
    pub linear_velocity: Vec3,
    /// How it turns: radians a second about each axis.
    pub angular_velocity: Vec3,
    /// The velocity that its movement input asks for, in units a second. It drives the animation.
    pub input_velocity: Vec3,
    /// How it moves.
    pub mode: MovementMode,
}

/// When a sample was taken.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SampleTime {
    /// Recorded time since the start, in microseconds.
    pub time_us: u64,
    /// Since the sample before; of the first one, since the start. Ends at `u32::MAX`: 71 minutes.
    pub since_last_us: u32,
}

/// A [`Body`] at a time: 128 bytes of state.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct Sample {
    position: Vec3,
    linear_velocity: Vec3,
    angular_velocity: Vec3,
    input_velocity: Vec3,
    rotation: Quat,
    time_us: u64,
    since_last_us: u32,
    mode: MovementMode,
}

impl Sample {
    pub(super) fn new(at: SampleTime, body: &Body) -> Self {
        let Body { position, rotation, linear_velocity, angular_velocity, input_velocity, mode } = *body;
        let SampleTime { time_us, since_last_us } = at;
        Self { position, linear_velocity, angular_velocity, input_velocity, rotation, time_us, since_last_us, mode }
    }

    /// What was there.
    #[must_use]
    pub fn body(&self) -> Body {
        let Self { position, linear_velocity, angular_velocity, input_velocity, rotation, mode, .. } = *self;
        Body { position, rotation, linear_velocity, angular_velocity, input_velocity, mode }
    }

    /// When.
    #[must_use]
    pub const fn time(&self) -> SampleTime {
        SampleTime { time_us: self.time_us, since_last_us: self.since_last_us }
    }
}

impl Moment for Sample {
    fn time(&self) -> SampleTime {
        self.time()
    }

    /// Vectors in a straight line, the rotation along its arc; the mode is the earlier one until the
    /// later sample is reached.
    fn between(&self, later: &Self, t: Fx, at: SampleTime) -> Self {
        Self {
            position: self.position.lerp(later.position, t),
            linear_velocity: self.linear_velocity.lerp(later.linear_velocity, t),
            angular_velocity: self.angular_velocity.lerp(later.angular_velocity, t),
            input_velocity: self.input_velocity.lerp(later.input_velocity, t),
            rotation: self.rotation.slerp(later.rotation, t),
            time_us: at.time_us,
            since_last_us: at.since_last_us,
            mode: self.mode,
        }
    }
}
