//! Refusing types that cannot be state, with what to write instead.
//!
//! Everything else that is not state fails on the trait bound, which names the type too. These are
//! the ones that people reach for first, and only the macro knows what they meant.

use syn::{Error, Result, Type};

pub(crate) fn impossible_state(ty: &Type) -> Result<()> {
    match ty {
        Type::Array(array) => impossible_state(&array.elem),
        Type::Paren(inner) => impossible_state(&inner.elem),
        Type::Group(inner) => impossible_state(&inner.elem),
        Type::Path(path) => match path.path.get_ident().and_then(|it| advice(&it.to_string())) {
            Some(advice) => Err(Error::new_spanned(ty, advice)),
            None => Ok(()),
        },
        _ => Ok(()),
    }
}

fn advice(name: &str) -> Option<&'static str> {
    Some(match name {
        "bool" => "most bytes are no `bool`: store a `u8` and write `#[sim(bool)]`",
        "char" => "most numbers are no `char`: store a `u32`",
        "f32" | "f64" => "floats differ between machines: store an `Fx`",
        "usize" | "isize" => "its size differs between machines: store a `u32`, `u64` or `i64`",
        "u128" | "i128" => "there is no scalar of 128 bits: store `[u64; 2]`",
        _ => return None,
    })
}
