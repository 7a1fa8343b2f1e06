//! What is state without a derive: the scalars, and arrays of states.

use super::{Scalar, SimState, TypeLayout};

macro_rules! scalars {
    ($($type:ty => $scalar:ident),* $(,)?) => {$(
        impl SimState for $type {
            const LAYOUT: TypeLayout = TypeLayout::scalar(stringify!($scalar), Scalar::$scalar);
        }
    )*};
}

scalars! {
    u8 => U8,
    u16 => U16,
    u32 => U32,
    u64 => U64,
    i8 => I8,
    i16 => I16,
    i32 => I32,
    i64 => I64,
    crate::Fx => Fx,
    crate::NameHash => NameHash,
}

impl<T: SimState, const N: usize> SimState for [T; N] {
    const LAYOUT: TypeLayout = TypeLayout::array(const { &T::LAYOUT }, N);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_layout_has_the_size_of_its_type() {
        fn check<S: SimState>() {
            assert_eq!(S::LAYOUT.size_bytes, size_of::<S>());
        }
        check::<u8>();
        check::<u16>();
        check::<u32>();
        check::<u64>();
        check::<i8>();
        check::<i16>();
        check::<i32>();
        check::<i64>();
        check::<crate::Fx>();
        check::<crate::NameHash>();
        check::<crate::Rng>();
        check::<[[u16; 3]; 5]>();
        check::<[u64; 0]>();
    }
}
