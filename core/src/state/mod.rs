//! [`SimState`]: state as one flat block of bytes whose fields have names.
//!
//! A [`TypeLayout`] says where every field lies. Everything that must treat state the same on
//! every machine reads it: the hash, the canonical encoding, the dump, the difference. On a
//! little-endian machine the canonical bytes are the bytes in memory.

mod describe;
mod encode;
mod error;
mod fields;
mod fingerprint;
mod hash;
mod impls;
mod layout;
mod order;
pub mod pod;
mod validate;
mod value;
mod walk;

pub use describe::FieldDifference;
pub use error::InvalidState;
pub use fields::FieldPlace;
pub use hash::StateHash;
pub use layout::{Field, Range, Scalar, StateLayout, TypeKind, TypeLayout};
pub use snapback_derive::SimState;
pub use value::Value;

/// State, or a part of it: plain bytes without padding, whose fields are described.
///
/// Derive it, on a `#[repr(C)]` struct that is also `Pod`. Integers, [`Fx`](crate::Fx),
/// [`NameHash`](crate::NameHash), [`Rng`](crate::Rng) and arrays of states are states already.
/// There is no `usize`, no `bool`, no float and no enum: store a `u8` and give its range.
///
/// ```
/// use bytemuck::{Pod, Zeroable};
/// use snapback_core::{Fx, SimState, StateLayout};
///
/// #[derive(Clone, Copy, Pod, Zeroable, SimState)]
/// #[repr(C)]
/// struct Fighter {
///     position: [Fx; 2],
///     #[sim(range = 0..=1000)]
///     health: i32,
///     #[sim(section = "air", range = 0..=3)]
///     jumps: u8,
///     reserved: [u8; 3],
/// }
/// assert_eq!(StateLayout::of::<Fighter>().size_bytes(), 24);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not simulation state",
    label = "has no layout",
    note = "integers of 8 to 64 bits, `Fx`, `NameHash`, `Rng` and arrays of states are state; \
            for a struct, add `#[derive(SimState)]` and `#[repr(C)]`"
)]
pub trait SimState: bytemuck::Pod {
    /// Where every field lies.
    const LAYOUT: TypeLayout;
}
