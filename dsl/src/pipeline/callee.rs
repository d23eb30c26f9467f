//! What a pipeline needs to know of a kernel that it calls: its function, and what each parameter is.

use proc_macro2::TokenStream;
use syn::{FnArg, Ident, ItemFn, Pat, PathArguments, Type};

use crate::parse;

/// The options that say nothing of a kernel's meaning, and those that a fused kernel finds for itself.
const OPTIONS: [&str; 3] = ["step", "neighbourhood", "output"];

/// The scalar types, whose elements are images.
const SCALARS: [&str; 7] = ["u8", "i8", "u16", "i16", "u32", "i32", "f32"];

/// A kernel that can be part of another.
pub struct Callee {
    /// Its function, whose parameters have no attributes.
    pub(super) function: ItemFn,
    pub(super) parameters: Vec<CalleeParameter>,
    /// How many images it computes.
    pub(super) outputs: usize,
    /// The option that names them: `output(dx, dy)`.
    pub(super) output_names: Option<syn::Meta>,
}

/// A parameter of a kernel.
pub(super) struct CalleeParameter {
    pub name: Ident,
    pub ty: Type,
    pub role: Role,
    /// Its attributes.
    pub attributes: Vec<syn::Attribute>,
}

/// What a parameter of a kernel is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The element of an image at the element's own place.
    Element,
    /// The elements around it.
    Neighbourhood,
    /// A value that all elements share.
    Uniform,
    Table,
}

impl Callee {
    /// Reads what `#[kernel(attribute)] item` is; `None` where it can't be part of another kernel.
    pub fn read(attribute: TokenStream, item: TokenStream) -> Option<Callee> {
        let mut function: ItemFn = syn::parse2(item).ok()?;
        let options = plain_options(attribute)?;
        let mut parameters = Vec::new();
        for argument in &mut function.sig.inputs {
            let FnArg::Typed(typed) = argument else { return None };
            let Pat::Ident(pattern) = &*typed.pat else { return None };
            let attributes = std::mem::take(&mut typed.attrs);
            let role = role(&typed.ty, &attributes)?;
            parameters.push(CalleeParameter { name: pattern.ident.clone(), ty: (*typed.ty).clone(), role, attributes });
        }
        function.attrs.clear();
        let syn::ReturnType::Type(_, output) = &function.sig.output else { return None };
        let outputs = if let Type::Tuple(several) = &**output { several.elems.len() } else { 1 };
        let output_names = options.into_iter().find(|option| option.path().is_ident("output"));
        Some(Callee { function, parameters, outputs, output_names })
    }

    /// Whether a call is given a border behind the parameters.
    pub(super) fn has_border(&self) -> bool {
        self.parameters.iter().any(|parameter| parameter.role == Role::Neighbourhood)
    }
}

/// A kernel's options, where a fused kernel may leave all of them out.
fn plain_options(attribute: TokenStream) -> Option<Vec<syn::Meta>> {
    let parser = syn::punctuated::Punctuated::<syn::Meta, syn::Token![,]>::parse_terminated;
    let options = syn::parse::Parser::parse2(parser, attribute).ok()?;
    let is_plain = |option: &syn::Meta| OPTIONS.iter().any(|plain| option.path().is_ident(plain));
    // `output(dx?)` is one that a caller may leave out, as a call of `apply` never does.
    options.iter().all(is_plain).then(|| options.into_iter().collect())
}

/// `None` for what can't be part of another kernel: a place, an image that is read anywhere, a variant, one that is written in place.
fn role(ty: &Type, attributes: &[syn::Attribute]) -> Option<Role> {
    let has = |name: &str| attributes.iter().any(|attribute| parse::is_attribute(attribute, name));
    if ["variant", "inout", "shape"].into_iter().any(has) {
        return None;
    }
    if has("uniform") {
        return Some(Role::Uniform);
    }
    let last = match ty {
        Type::Array(array) => &*array.elem,
        other => other,
    };
    let Type::Path(path) = last else { return None };
    let segment = path.path.segments.last()?;
    let name = segment.ident.to_string();
    match (name.as_str(), &segment.arguments) {
        ("Neighbourhood", PathArguments::AngleBracketed(_)) => Some(Role::Neighbourhood),
        ("Table", PathArguments::AngleBracketed(_)) if !has("stride") => Some(Role::Table),
        // One that is read with a stride is not read at the element's own place.
        (scalar, PathArguments::None) if SCALARS.contains(&scalar) && !has("stride") => Some(Role::Element),
        _ => None,
    }
}
