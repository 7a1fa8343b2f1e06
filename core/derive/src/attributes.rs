//! Reading `#[sim(...)]` and `#[repr(...)]`.

use proc_macro2::Span;
use syn::meta::ParseNestedMeta;
use syn::spanned::Spanned;
use syn::{Attribute, Error, Expr, ExprRange, LitStr, Path, RangeLimits, Result, parse_quote};

/// What `#[sim(...)]` says on the struct.
pub(crate) struct Container {
    pub(crate) krate: Path,
    pub(crate) section: Option<LitStr>,
}

impl Container {
    pub(crate) fn read(attributes: &[Attribute]) -> Result<Self> {
        let (mut krate, mut section) = (None, None);
        each(attributes, |meta| {
            if meta.path.is_ident("crate") {
                set(&mut krate, meta, |meta| meta.value()?.parse::<LitStr>()?.parse())
            } else if meta.path.is_ident("section") {
                set(&mut section, meta, read_section)
            } else {
                Err(meta.error("on a struct, `sim` takes `section = \"name\"` or `crate = \"path\"`"))
            }
        })?;
        Ok(Self { krate: krate.unwrap_or_else(|| parse_quote!(::snapback_core)), section })
    }
}

/// Both ends of a range, both included.
pub(crate) struct Ends {
    pub(crate) min: Expr,
    pub(crate) max: Expr,
    /// Where an error about the range is shown.
    pub(crate) span: Span,
}

/// What `#[sim(...)]` says on a field.
pub(crate) struct Field {
    pub(crate) section: Option<LitStr>,
    pub(crate) range: Option<Ends>,
}

impl Field {
    pub(crate) fn read(attributes: &[Attribute]) -> Result<Self> {
        let (mut section, mut range) = (None, None);
        each(attributes, |meta| {
            if meta.path.is_ident("section") {
                set(&mut section, meta, read_section)
            } else if meta.path.is_ident("range") {
                set(&mut range, meta, |meta| read_range(meta.value()?.parse()?))
            } else if meta.path.is_ident("bool") {
                set(&mut range, meta, |meta| {
                    let span = meta.path.span();
                    Ok(Ends { min: parse_quote!(0), max: parse_quote!(1), span })
                })
            } else {
                Err(meta.error("on a field, `sim` takes `section = \"name\"`, `range = min..=max` or `bool`"))
            }
        })?;
        Ok(Self { section, range })
    }
}

/// Whether the compiler is told to keep the fields where the source has them.
pub(crate) fn has_fixed_layout(attributes: &[Attribute]) -> Result<bool> {
    let mut fixed = false;
    for attribute in attributes.iter().filter(|it| it.path().is_ident("repr")) {
        attribute.parse_nested_meta(|meta| {
            fixed |= meta.path.is_ident("C") || meta.path.is_ident("transparent");
            // `align(8)` and `packed(2)` have arguments; padding is refused where it matters.
            if meta.input.peek(syn::token::Paren) {
                let arguments;
                syn::parenthesized!(arguments in meta.input);
                arguments.parse::<proc_macro2::TokenStream>()?;
            }
            Ok(())
        })?;
    }
    Ok(fixed)
}

fn each(attributes: &[Attribute], mut read: impl FnMut(&ParseNestedMeta<'_>) -> Result<()>) -> Result<()> {
    for attribute in attributes.iter().filter(|it| it.path().is_ident("sim")) {
        attribute.parse_nested_meta(|meta| read(&meta))?;
    }
    Ok(())
}

fn set<T>(slot: &mut Option<T>, meta: &ParseNestedMeta<'_>, read: impl FnOnce(&ParseNestedMeta<'_>) -> Result<T>) -> Result<()> {
    if slot.replace(read(meta)?).is_some() {
        return Err(meta.error("said twice: keep one (`bool` is the range `0..=1`)"));
    }
    Ok(())
}

fn read_section(meta: &ParseNestedMeta<'_>) -> Result<LitStr> {
    let section: LitStr = meta.value()?.parse()?;
    if section.value().is_empty() {
        return Err(Error::new(section.span(), "a section needs a name; leave it out for none"));
    }
    Ok(section)
}

fn read_range(range: Expr) -> Result<Ends> {
    let span = range.span();
    match range {
        Expr::Range(ExprRange { start: Some(min), end: Some(max), limits: RangeLimits::Closed(_), .. }) => {
            Ok(Ends { min: *min, max: *max, span })
        }
        other => Err(Error::new_spanned(other, "a range names both ends and includes them: `range = min..=max`")),
    }
}
