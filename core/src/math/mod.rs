//! Angles, trigonometry, roots, vectors and quaternions, in integers only.
//!
//! | | resolution | error at most |
//! |---|---|---|
//! | [`Angle`] | 2^-32 turn (8.4e-8 degrees) | none: addition wraps |
//! | [`Angle::sin`], [`Angle::cos`] | [`Fx`](crate::Fx) | 0.5001 [`Fx::DELTA`](crate::Fx::DELTA) |
//! | [`Angle::atan2`] | 2^-32 turn | 2^-32 turn |
//! | [`Fx::sqrt`](crate::Fx::sqrt), lengths, distances | `Fx` | 0.5 `DELTA`: the nearest |
//! | dot, cross, squares, [`Fx::lerp`](crate::Fx::lerp) | `Fx` | 0.5 `DELTA`: the nearest |
//! | [`Vec2::normalise`], [`Vec3::normalise`] | `Fx` | 0.501 `DELTA` a component |
//! | [`Vec2::rotate`] | `Fx` | 0.5 `DELTA` + length · 2^-31 a component |
//! | [`Quat::normalise`], [`Quat::nlerp`] | 2^-30 | 2 · 2^-30 a component |
//! | [`Quat::slerp`] | 2^-30 | 3 · 2^-30 a component |
//! | [`Quat::from_axis_angle`] | 2^-30 | 4 · 2^-30 a component |
//! | [`Quat::rotate`] | `Fx` | 0.5 `DELTA` + length · 2^-27 a component |
//!
//! Every function is total: it takes all bits that its arguments can have, panics on none, and
//! gives the same bits on every machine and in every profile. What does not fit saturates, as in
//! [`Fx`](crate::Fx).
//!
//! Rounding is symmetric about zero, so mirrored arguments give exactly mirrored results. The one
//! number without a mirror image is [`Fx::MIN`](crate::Fx::MIN), whose negation saturates.
//!
//! Tables are computed while compiling, from their series, in integers of 128 bits.

mod angle;
mod arctangent;
mod blend;
mod direction;
mod lanes;
mod lerp;
mod quat;
mod root;
mod round;
mod series;
mod sine;
mod vec2;
mod vec3;

#[cfg(test)]
mod tests;

pub use angle::Angle;
pub use quat::Quat;
pub use vec2::Vec2;
pub use vec3::Vec3;
