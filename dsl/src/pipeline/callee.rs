//! What a pipeline needs to know of a kernel that it calls: its function, and what each parameter is.

use proc_macro2::TokenStream;
use syn::{FnArg, Ident, ItemFn, Pat, PathArguments, Type, parse_quote};

use crate::parse;

/// The options that say nothing of a kernel's meaning, those that a fused kernel finds for itself, and those that it takes over.
const OPTIONS: [&str; 4] = ["step", "neighbourhood", "output", "window"];

/// The scalar types, whose elements are images.
const SCALARS: [&str; 7] = ["u8", "i8", "u16", "i16", "u32", "i32", "f32"];

/// A kernel that can be part of another.
pub struct Callee {
    /// Its function, whose parameters have no attributes. The coordinates of the element's place come first, each a number.
    pub(super) function: ItemFn,
    /// The names of these coordinates.
    pub(super) place: Vec<Ident>,
    pub(super) parameters: Vec<CalleeParameter>,
    /// How many images it computes.
    pub(super) outputs: usize,
    /// The option that names them: `output(dx, dy)`.
    pub(super) output_names: Option<syn::Meta>,
    /// What `window(..)` holds.
    pub(super) window: Option<TokenStream>,
}

/// A parameter of a kernel.
pub(super) struct CalleeParameter {
    pub name: Ident,
    pub ty: Type,
    pub role: Role,
    /// Its attributes, but for `#[shape(..)]`.
    pub attributes: Vec<syn::Attribute>,
    /// The names that `#[shape(..)]` gives its extents.
    pub shape: Vec<Ident>,
}

/// What a parameter of a kernel is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The element of an image at the element's own place.
    Element,
    /// The elements around it.
    Neighbourhood,
    /// An image that is read anywhere.
    View,
    /// A value that all elements share.
    Uniform,
    Table,
}

impl Callee {
    /// Reads what `#[kernel(attribute)] item` is; `None` where it can't be part of another kernel.
    pub fn read(attribute: TokenStream, item: TokenStream) -> Option<Callee> {
        let mut function: ItemFn = syn::parse2(item).ok()?;
        let options = plain_options(attribute)?;
        let (mut place, mut parameters) = (Vec::new(), Vec::new());
        for argument in std::mem::take(&mut function.sig.inputs) {
            let FnArg::Typed(mut typed) = argument else { return None };
            let mut attributes = std::mem::take(&mut typed.attrs);
            match &*typed.pat {
                Pat::Ident(pattern) => {
                    let role = role(&typed.ty, &attributes)?;
                    let shape = shape(&mut attributes)?;
                    let (name, ty) = (pattern.ident.clone(), (*typed.ty).clone());
                    parameters.push(CalleeParameter { name, ty, role, attributes, shape });
                    function.sig.inputs.push(FnArg::Typed(typed));
                }
                Pat::Slice(pattern) if place.is_empty() && is_place(&typed.ty) => {
                    place = pattern.elems.iter().enumerate().map(coordinate).collect::<Option<_>>()?;
                }
                _ => return None,
            }
        }
        for name in place.iter().rev() {
            function.sig.inputs.insert(0, parse_quote!(#name: i32));
        }
        function.attrs.clear();
        let syn::ReturnType::Type(_, output) = &function.sig.output else { return None };
        let outputs = if let Type::Tuple(several) = &**output { several.elems.len() } else { 1 };
        let option = |name: &str| options.iter().find(|option| option.path().is_ident(name));
        let window = match option("window") {
            Some(syn::Meta::List(list)) => Some(list.tokens.clone()),
            Some(_) => return None,
            None => None,
        };
        Some(Callee { place, parameters, outputs, output_names: option("output").cloned(), window, function })
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

/// The names in `#[shape(..)]`, which is taken away; `None` where there is more than names.
fn shape(attributes: &mut Vec<syn::Attribute>) -> Option<Vec<Ident>> {
    let Some(index) = attributes.iter().position(|attribute| parse::is_attribute(attribute, "shape")) else {
        return Some(Vec::new());
    };
    let names = syn::punctuated::Punctuated::<Ident, syn::Token![,]>::parse_terminated;
    let names = attributes.remove(index).parse_args_with(names).ok()?;
    Some(names.into_iter().collect())
}

/// Whether a type is `At<N>`.
fn is_place(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|segment| segment.ident == "At"))
}

/// The name of a coordinate, which may have none.
fn coordinate((index, pattern): (usize, &Pat)) -> Option<Ident> {
    match pattern {
        Pat::Wild(_) => Some(quote::format_ident!("place_{index}")),
        Pat::Ident(name) if name.by_ref.is_none() && name.mutability.is_none() && name.subpat.is_none() => {
            Some(name.ident.clone())
        }
        _ => None,
    }
}

/// `None` for what can't be part of another kernel: a variant, an image that is written in place.
fn role(ty: &Type, attributes: &[syn::Attribute]) -> Option<Role> {
    let has = |name: &str| attributes.iter().any(|attribute| parse::is_attribute(attribute, name));
    if ["variant", "inout"].into_iter().any(has) {
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
        ("View", PathArguments::AngleBracketed(_)) => Some(Role::View),
        ("Table", PathArguments::AngleBracketed(_)) if !has("stride") => Some(Role::Table),
        // One that is read with a stride is not read at the element's own place.
        (scalar, PathArguments::None) if SCALARS.contains(&scalar) && !has("stride") => Some(Role::Element),
        _ => None,
    }
}
