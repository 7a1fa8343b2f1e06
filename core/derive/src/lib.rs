//! The derive macro of `snapback_core::SimState`.

mod attributes;
mod expand;
mod refuse;

/// Describes where every field of a struct lies, so that its bytes can be hashed, encoded, dumped
/// and compared the same way on every machine.
///
/// The struct is `#[repr(C)]` or `#[repr(transparent)]`, has no generic parameters, and is
/// `bytemuck::Pod`. Its fields have names; a newtype with one field is accepted too and is described
/// as what it wraps. No unsafe code is generated.
///
/// | attribute | on | meaning |
/// |---|---|---|
/// | `#[sim(section = "movement")]` | a field | the section of the field and what is inside it |
/// | `#[sim(section = "movement")]` | the struct | the section of every field that names none |
/// | `#[sim(range = 0..=1000)]` | a field | what validating a snapshot accepts, both ends included; on an array, for every scalar in it; the ends are constant expressions, and raw bits for an `Fx` |
/// | `#[sim(bool)]` | a field | the same as `range = 0..=1` |
/// | `#[sim(crate = "path")]` | the struct | where `snapback_core` is, if not at `::snapback_core` |
///
/// ```
/// use bytemuck::{Pod, Zeroable};
/// use snapback_core::{Fx, Rng, SimState, StateLayout};
///
/// const MAX_HEALTH: i32 = 1_000;
///
/// #[derive(Clone, Copy, Pod, Zeroable, SimState)]
/// #[repr(transparent)]
/// struct Meter(u16);
///
/// #[derive(Clone, Copy, Pod, Zeroable, SimState)]
/// #[repr(C)]
/// #[sim(section = "combat")]
/// struct Fighter {
///     #[sim(section = "movement")]
///     position: [Fx; 2],
///     #[sim(range = -MAX_HEALTH..=MAX_HEALTH)]
///     health: i32,
///     meter: Meter,
///     #[sim(bool)]
///     airborne: u8,
///     reserved: u8,
/// }
///
/// #[derive(Clone, Copy, Pod, Zeroable, SimState)]
/// #[repr(C)]
/// struct Match {
///     rng: Rng,
///     fighter: [Fighter; 2],
/// }
///
/// let layout = StateLayout::of::<Match>();
/// assert_eq!(layout.sections(), ["movement", "combat"]);
/// let mut state = Match::zeroed();
/// state.fighter[1].airborne = 2;
/// assert_eq!(
///     layout.validate(bytemuck::bytes_of(&state)).unwrap_err().to_string(),
///     "fighter[1].airborne is 2 (0x02), and must be from 0 to 1"
/// );
/// ```
///
/// # What does not compile
///
/// A struct whose layout the compiler chooses (add `#[repr(C)]`):
/// ```compile_fail
/// #[derive(Clone, Copy, snapback_core::SimState)]
/// struct Fighter { health: i32 }
/// unsafe impl bytemuck::Zeroable for Fighter {}
/// unsafe impl bytemuck::Pod for Fighter {}
/// ```
/// An enum, because most of its bit patterns would be undefined (store a `u8`, give its range):
/// ```compile_fail
/// #[derive(Clone, Copy, snapback_core::SimState)]
/// #[repr(u8)]
/// enum Stance { Standing, Crouching }
/// ```
/// A `bool`, for the same reason (`u8` with `#[sim(bool)]`):
/// ```compile_fail
/// #[derive(Clone, Copy, snapback_core::SimState)]
/// #[repr(C)]
/// struct Fighter { airborne: bool }
/// unsafe impl bytemuck::Zeroable for Fighter {}
/// unsafe impl bytemuck::Pod for Fighter {}
/// ```
/// A float, whose results differ between machines (`Fx`):
/// ```compile_fail
/// #[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable, snapback_core::SimState)]
/// #[repr(C)]
/// struct Fighter { x: f32 }
/// ```
/// A range on a struct, whose fields have ranges of their own:
/// ```compile_fail
/// #[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable, snapback_core::SimState)]
/// #[repr(C)]
/// struct Match { #[sim(range = 0..=3)] rng: snapback_core::Rng }
/// ```
/// A range that the field cannot hold, or that holds nothing:
/// ```compile_fail
/// #[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable, snapback_core::SimState)]
/// #[repr(C)]
/// struct Fighter { #[sim(range = 0..=256)] jumps: u8 }
/// ```
/// A gap that nothing describes:
/// ```compile_fail
/// #[derive(Clone, Copy, snapback_core::SimState)]
/// #[repr(C)]
/// struct Fighter { jumps: u8, health: i32 }
/// unsafe impl bytemuck::Zeroable for Fighter {}
/// unsafe impl bytemuck::Pod for Fighter {}
/// ```
#[proc_macro_derive(SimState, attributes(sim))]
pub fn derive_sim_state(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    expand::sim_state(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}
