//! One text for one set of values: what peers compare by its hash. `table!` writes the lines of
//! every struct.

use super::table::{Name, Span};
use core::fmt::{Display, Write};
use snapback_core::Fx;

pub(super) struct Lines(pub(super) String);

impl Lines {
    pub(super) fn line(&mut self, name: &str, value: impl Display) {
        // Writing to a text cannot fail.
        let _ = writeln!(self.0, "{name}={value}");
    }
}

/// What has one text for each value.
pub(super) trait Canonical {
    fn write(&self, out: &mut Lines, name: &str);
}

macro_rules! by_display {
    ($($type:ty),*) => {$(
        impl Canonical for $type {
            fn write(&self, out: &mut Lines, name: &str) {
                out.line(name, self);
            }
        }
    )*};
}

by_display!(u8, u16, u32, u64, i16, i32, bool);

/// For an enum without fields: its number.
macro_rules! by_number {
    ($($type:ty),* $(,)?) => {$(
        impl crate::data::canonical::Canonical for $type {
            fn write(&self, out: &mut crate::data::canonical::Lines, name: &str) {
                out.line(name, *self as u8);
            }
        }
    )*};
}
pub(super) use by_number;

impl Canonical for Fx {
    fn write(&self, out: &mut Lines, name: &str) {
        out.line(name, self.to_bits());
    }
}

impl Canonical for Name {
    fn write(&self, out: &mut Lines, name: &str) {
        out.line(name, format_args!("{:08x}:{}", self.hash.bits(), self.text.escape_default()));
    }
}

impl Canonical for Span {
    fn write(&self, out: &mut Lines, name: &str) {
        out.line(name, format_args!("{}-{}", self.from, self.until));
    }
}

impl<T: Canonical> Canonical for Option<T> {
    fn write(&self, out: &mut Lines, name: &str) {
        self.as_slice().write(out, name);
    }
}

impl<T: Canonical> Canonical for Vec<T> {
    fn write(&self, out: &mut Lines, name: &str) {
        self.as_slice().write(out, name);
    }
}

impl<T: Canonical> Canonical for [T] {
    fn write(&self, out: &mut Lines, name: &str) {
        out.line(name, self.len());
        for value in self {
            value.write(out, name);
        }
    }
}
