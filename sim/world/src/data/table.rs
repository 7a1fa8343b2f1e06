//! `table!`: one list of fields makes the struct, the reader and the canonical text, so that no
//! field can be read and left out of the hash, or the other way round.

use super::DataError;
use super::read::Node;
use snapback_core::{Fx, NameHash};

macro_rules! table {
    ($(#[$doc:meta])* struct $name:ident { $( $(#[$field_doc:meta])* $field:ident : $type:ty = $reader:expr ),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub(crate) struct $name { $( $(#[$field_doc])* pub(crate) $field: $type, )* }

        impl $name {
            pub(in crate::data) fn read(mut node: crate::data::read::Node<'_>) -> Result<Self, crate::data::DataError> {
                $( let $field: $type = ($reader)(&mut node, crate::data::table::plain(stringify!($field)))?; )*
                node.finish()?;
                Ok(Self { $( $field, )* })
            }
        }

        impl crate::data::canonical::Canonical for $name {
            fn write(&self, out: &mut crate::data::canonical::Lines, name: &str) {
                out.line(name, "{");
                $( self.$field.write(out, crate::data::table::plain(stringify!($field))); )*
                out.line(name, "}");
            }
        }
    };
}
pub(super) use table;

/// A name, and the hash that the state knows it by.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) hash: NameHash,
}

impl Name {
    pub(crate) fn new(text: &str) -> Self {
        Self { text: text.to_owned(), hash: NameHash::of(text) }
    }

    pub(crate) fn is_none(&self) -> bool {
        self.text.is_empty()
    }
}

/// Frames of a move, both ends included; frame 0 is the one in which it begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Span {
    pub(crate) from: u16,
    pub(crate) until: u16,
}

impl Span {
    pub(crate) const ALWAYS: Self = Self { from: 0, until: u16::MAX };
    pub(crate) const NEVER: Self = Self { from: 1, until: 0 };

    pub(crate) const fn has(self, frame: u16) -> bool {
        self.from <= frame && frame <= self.until
    }
}

type Field = &'static str;
type Read<T> = Result<T, DataError>;

/// A whole number whose range fits its type.
pub(super) fn whole<T: TryFrom<i64>>(min: i64, max: i64) -> impl for<'a> Fn(&mut Node<'a>, Field) -> Read<T> {
    move |node, field| {
        let value = node.whole(field, min, max)?;
        T::try_from(value).map_err(|_| node.error(field, format!("is {value}"), "give a smaller number"))
    }
}

pub(super) fn decimal(min: i32, max: i32) -> impl for<'a> Fn(&mut Node<'a>, Field) -> Read<Fx> {
    move |node, field| node.decimal(field, min, max)
}

pub(super) fn truth() -> impl for<'a> Fn(&mut Node<'a>, Field) -> Read<bool> {
    |node, field| node.truth(field)
}

pub(super) fn choice<T: Copy>(choices: &'static [(&'static str, T)]) -> impl for<'a> Fn(&mut Node<'a>, Field) -> Read<T> {
    move |node, field| node.choice(field, choices)
}

pub(super) fn any_name() -> impl for<'a> Fn(&mut Node<'a>, Field) -> Read<Name> {
    |node, field| node.text(field).map(Name::new)
}

/// The name of the table itself: errors in it say it from here on.
pub(super) fn own_name(kind: &'static str) -> impl for<'a> Fn(&mut Node<'a>, Field) -> Read<Name> {
    move |node, field| {
        let name = node.text(field)?;
        node.rename(kind, name);
        Ok(Name::new(name))
    }
}

pub(super) fn names(max: usize) -> impl for<'a> Fn(&mut Node<'a>, Field) -> Read<Vec<Name>> {
    move |node, field| Ok(node.texts(field, max)?.into_iter().map(Name::new).collect())
}

/// Frames such as `"5-7"`, or `"5"` for one.
pub(super) fn span() -> impl for<'a> Fn(&mut Node<'a>, Field) -> Read<Span> {
    |node, field| {
        let text = node.text(field)?;
        let (from, until) = text.split_once('-').unwrap_or((text, text));
        match (from.trim().parse(), until.trim().parse()) {
            (Ok(from), Ok(until)) if from <= until && until <= 600 => Ok(Span { from, until }),
            _ => Err(node.error(field, format!("is \"{text}\""), "give frames from 0 to 600, such as \"5-7\" or \"5\"")),
        }
    }
}

/// One or several of `choices` with a plus between them, such as `"light+heavy"`, as bits.
pub(super) fn sum(choices: &'static [(&'static str, u16)]) -> impl for<'a> Fn(&mut Node<'a>, Field) -> Read<u16> {
    move |node, field| {
        let text = node.text(field)?;
        let mut bits = 0;
        for part in text.split('+') {
            let Some((_, bit)) = choices.iter().find(|(name, _)| *name == part.trim()) else {
                let known: Vec<String> = choices.iter().map(|(name, _)| format!("\"{name}\"")).collect();
                let action = format!("give one of {}, or several with + between them", known.join(", "));
                return Err(node.error(field, format!("is \"{text}\""), action));
            };
            bits |= bit;
        }
        Ok(bits)
    }
}

/// `reader`, or `default` if the field is left out.
pub(super) fn or<T: Clone>(
    default: T,
    reader: impl for<'a> Fn(&mut Node<'a>, Field) -> Read<T>,
) -> impl for<'a> Fn(&mut Node<'a>, Field) -> Read<T> {
    move |node, field| if node.has(field) { reader(node, field) } else { Ok(default.clone()) }
}

/// A table, or nothing if it is left out.
pub(super) fn maybe<T>(read: impl for<'a> Fn(Node<'a>) -> Read<T>) -> impl for<'a> Fn(&mut Node<'a>, Field) -> Read<Option<T>> {
    move |node, field| if node.has(field) { node.table(field).and_then(&read).map(Some) } else { Ok(None) }
}

pub(super) fn one<T>(read: impl for<'a> Fn(Node<'a>) -> Read<T>) -> impl for<'a> Fn(&mut Node<'a>, Field) -> Read<T> {
    move |node, field| node.table(field).and_then(&read)
}

pub(super) fn list<T>(
    min: usize,
    max: usize,
    read: impl for<'a> Fn(Node<'a>) -> Read<T>,
) -> impl for<'a> Fn(&mut Node<'a>, Field) -> Read<Vec<T>> {
    move |node, field| node.tables(field, min, max)?.into_iter().map(&read).collect()
}

/// The name of a field in the text: a raw identifier such as `r#move` without its mark.
pub(super) const fn plain(field: &'static str) -> &'static str {
    match field.as_bytes() {
        [b'r', b'#', ..] => field.split_at(2).1,
        _ => field,
    }
}
