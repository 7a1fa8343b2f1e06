//! From a struct to its `impl SimState`.

use crate::attributes::{Container, Ends, Field, has_fixed_layout};
use crate::refuse;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Fields, LitStr, Member, Path, Result};

pub(crate) fn sim_state(input: &DeriveInput) -> Result<TokenStream> {
    let fields = fields_of(input)?;
    let container = Container::read(&input.attrs)?;
    if let Some(parameter) = input.generics.params.first() {
        return Err(Error::new_spanned(parameter, "a state has one layout: derive `SimState` on a struct without generic parameters"));
    }
    if !has_fixed_layout(&input.attrs)? {
        return Err(Error::new_spanned(
            &input.ident,
            "the compiler may reorder these fields: add `#[repr(C)]` \
             (or `#[repr(transparent)]` to a newtype)",
        ));
    }
    for field in fields {
        refuse::impossible_state(&field.ty)?;
    }
    let layout = layout_of(input, fields, &container)?;
    let (ident, krate) = (&input.ident, &container.krate);
    Ok(quote! {
        #[automatically_derived]
        impl #krate::state::SimState for #ident {
            // The casts of range ends are of whatever type the ends have.
            #[allow(clippy::cast_lossless, clippy::unnecessary_cast)]
            const LAYOUT: #krate::state::TypeLayout = #layout;
        }

        // The compiler evaluates the constant of a trait only where it is used: use it.
        const _: #krate::state::TypeLayout = <#ident as #krate::state::SimState>::LAYOUT;
    })
}

fn fields_of(input: &DeriveInput) -> Result<&Fields> {
    match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Unnamed(fields) if fields.unnamed.len() != 1 => {
                Err(Error::new_spanned(fields, "dumps and differences name fields: use named fields (or one, as a newtype)"))
            }
            fields => Ok(fields),
        },
        Data::Enum(data) => Err(Error::new_spanned(
            data.enum_token,
            "most bytes are no valid enum: store a `u8` and give its range, \
             `#[sim(range = 0..=3)]`",
        )),
        Data::Union(data) => Err(Error::new_spanned(data.union_token, "the bytes of a union have no names: store a struct")),
    }
}

fn layout_of(input: &DeriveInput, fields: &Fields, container: &Container) -> Result<TokenStream> {
    let krate = &container.krate;
    let name = LitStr::new(&input.ident.unraw().to_string(), input.ident.span());
    let attributes = fields.iter().map(|field| Field::read(&field.attrs)).collect::<Result<Vec<_>>>()?;

    let plain = |field: &Field| field.section.is_none() && field.range.is_none();
    let layout = if let (Fields::Unnamed(newtype), None, true) = (fields, &container.section, attributes.iter().all(plain)) {
        // A newtype that says nothing of its own reads like what it wraps: `meter`, not `meter.0`.
        let inner = newtype.unnamed.iter().map(|field| &field.ty);
        quote!(#(<#inner as #krate::state::SimState>::LAYOUT)*.renamed(#name))
    } else {
        let described = fields
            .iter()
            .zip(fields.members())
            .zip(&attributes)
            .map(|((field, member), attributes)| describe(field, &member, attributes, container));
        quote! {
            #krate::state::TypeLayout::structure(
                #name,
                ::core::mem::size_of::<Self>(),
                const { &[#(#described),*] },
            )
        }
    };
    Ok(quote_spanned! {input.ident.span()=>{
        let layout = #layout;
        ::core::assert!(
            layout.size_bytes == ::core::mem::size_of::<Self>() && layout.is_gapless(),
            "the struct has padding: fill every gap with a field such as `reserved: [u8; 3]`",
        );
        layout
    }})
}

fn describe(field: &syn::Field, member: &Member, attributes: &Field, container: &Container) -> TokenStream {
    let (krate, ty) = (&container.krate, &field.ty);
    let name = match member {
        Member::Named(ident) => ident.unraw().to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    };
    let section = option(attributes.section.as_ref().or(container.section.as_ref()));
    let range = option(attributes.range.as_ref().map(|ends| range_of(field, ends, krate)));
    // Spanned, so that a field that is no state is marked and not the derive.
    let layout = quote_spanned!(ty.span()=> <#ty as #krate::state::SimState>::LAYOUT);
    quote! {
        #krate::state::Field {
            name: #name,
            offset_bytes: ::core::mem::offset_of!(Self, #member),
            layout: &#layout,
            section: #section,
            range: #range,
        }
    }
}

fn range_of(field: &syn::Field, ends: &Ends, krate: &Path) -> TokenStream {
    let (Ends { min, max, span }, ty) = (ends, &field.ty);
    quote_spanned! {*span=>
        const {
            let range = #krate::state::Range { min: (#min) as i128, max: (#max) as i128 };
            let layout = <#ty as #krate::state::SimState>::LAYOUT;
            ::core::assert!(
                layout.innermost_scalar().is_some(),
                "a range needs a scalar or an array of scalars: put it on the fields of the struct",
            );
            ::core::assert!(
                layout.can_hold(range),
                "the range is empty, or the type of the field cannot hold all of it",
            );
            range
        }
    }
}

fn option<T: quote::ToTokens>(value: Option<T>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}

#[cfg(test)]
mod tests {
    fn error_of(source: &str) -> String {
        let input = syn::parse_str(source).expect("the source is a struct or an enum");
        super::sim_state(&input).expect_err("the source cannot be state").to_string()
    }

    #[test]
    fn an_error_says_what_to_write_instead() {
        for (source, expected) in [
            ("struct A { a: u8 }", "add `#[repr(C)]`"),
            ("#[repr(align(4))] struct A { a: u8 }", "add `#[repr(C)]`"),
            ("#[repr(u8)] enum A { B }", "store a `u8` and give its range"),
            ("#[repr(C)] union A { a: u8 }", "store a struct"),
            ("#[repr(C)] struct A(u8, u8);", "use named fields"),
            ("#[repr(C)] struct A<T> { a: T }", "without generic parameters"),
            ("#[repr(C)] struct A { a: bool }", "`#[sim(bool)]`"),
            ("#[repr(C)] struct A { a: [[f32; 2]; 2] }", "store an `Fx`"),
            ("#[repr(C)] struct A { a: usize }", "store a `u32`"),
            ("#[repr(C)] struct A { #[sim(range = 0..3)] a: u8 }", "includes them"),
            ("#[repr(C)] struct A { #[sim(range = 0..)] a: u8 }", "names both ends"),
            ("#[repr(C)] struct A { #[sim(bool, range = 0..=3)] a: u8 }", "said twice"),
            ("#[repr(C)] struct A { #[sim(section = \"\")] a: u8 }", "needs a name"),
            ("#[repr(C)] struct A { #[sim(max = 3)] a: u8 }", "on a field"),
            ("#[repr(C)] #[sim(range = 0..=3)] struct A { a: u8 }", "on a struct"),
        ] {
            let found = error_of(source);
            assert!(found.contains(expected), "{source}: {found}");
        }
    }

    #[test]
    fn the_path_of_the_crate_can_be_given() {
        let input = syn::parse_str("#[repr(C)] #[sim(crate = \"a::b\")] struct A { a: u8 }");
        let expanded = super::sim_state(&input.expect("a struct")).expect("a state").to_string();
        assert!(expanded.contains("a :: b :: state :: SimState"));
        assert!(!expanded.contains("snapback_core"));
    }
}
