//! What a pipeline needs to know of a kernel that it calls: its function, and what each parameter is.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{FnArg, Ident, ItemFn, Pat, PathArguments, Type, parse_quote};

use super::tokens::{renamed, text};
use crate::parse;

/// The options that say nothing of a kernel's meaning, those that a fused kernel finds for itself, and those that it takes over.
const OPTIONS: [&str; 6] = ["step", "schedule", "neighbourhood", "output", "window", "types"];

/// The enums of the language, whose values any kernel can name.
const ENUMS: [&str; 2] = ["Overflow", "Rounding"];

/// The scalar types, whose elements are images.
const SCALARS: [&str; 7] = ["u8", "i8", "u16", "i16", "u32", "i32", "f32"];

/// A kernel that can be part of another.
#[derive(Clone)]
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
    /// The name in `types(T = u8, f32)`, and the types that it may be.
    pub(super) types: Option<(Ident, Vec<Ident>)>,
    /// The type that it is here.
    pub(super) instance: Option<Ident>,
}

/// A parameter of a kernel.
#[derive(Clone)]
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
    /// A value of an enum of the language.
    Variant,
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
        let tokens = |name: &str| match option(name) {
            Some(syn::Meta::List(list)) => Some(Some(list.tokens.clone())),
            Some(_) => None,
            None => Some(None),
        };
        let window = tokens("window")?;
        let types = match tokens("types")? {
            Some(types) => Some(syn::parse::Parser::parse2(types_option, types).ok()?),
            None => None,
        };
        if types.is_none() && parameters.iter().any(|parameter| !parameter.is_known()) {
            return None;
        }
        let output_names = option("output").cloned();
        Some(Callee { place, parameters, outputs, output_names, window, types, instance: None, function })
    }

    /// Whether a call is given a border behind the parameters.
    pub(super) fn has_border(&self) -> bool {
        self.parameters.iter().any(|parameter| parameter.role == Role::Neighbourhood)
    }
}

impl CalleeParameter {
    /// Whether the type of its elements is known, or of itself.
    fn is_known(&self) -> bool {
        self.role != Role::Element
            || matches!(self.element(), Some(name) if SCALARS.iter().any(|scalar| name == scalar))
    }

    /// The type of an image's elements, or of their channels.
    fn element(&self) -> Option<&Ident> {
        let last = match &self.ty {
            Type::Array(array) => &*array.elem,
            other => other,
        };
        let Type::Path(path) = last else { return None };
        let segment = path.path.segments.last()?;
        match &segment.arguments {
            PathArguments::None => Some(&segment.ident),
            PathArguments::AngleBracketed(arguments) => match arguments.args.first()? {
                syn::GenericArgument::Type(Type::Path(path)) => path.path.get_ident(),
                _ => None,
            },
            PathArguments::Parenthesized(_) => None,
        }
    }
}

impl Callee {
    /// Returns the copy of a kernel with `types` that is called with a type, or else given images of such elements, by what each
    /// parameter is given; the kernel itself where there is one for all.
    pub(super) fn copy(&self, called: Option<&Type>, element: &dyn Fn(usize) -> Option<Type>) -> Option<Callee> {
        let Some((name, types)) = &self.types else { return called.is_none().then(|| self.clone()) };
        let is_meant = |parameter: &CalleeParameter| {
            matches!(parameter.role, Role::Element | Role::Neighbourhood | Role::View)
                && !matches!(parameter.ty, Type::Array(_))
                && parameter.element() == Some(name)
        };
        let given = match called {
            Some(ty) => ty.clone(),
            None => element(self.parameters.iter().position(is_meant)?)?,
        };
        let given = types.iter().find(|ty| text(&given) == ty.to_string())?;
        let rename = |own: &Ident| (own == name).then(|| given.clone());
        let mut copy = Callee { types: None, instance: Some(given.clone()), ..self.clone() };
        copy.function = syn::parse2(renamed(copy.function.to_token_stream(), &rename)).ok()?;
        for parameter in &mut copy.parameters {
            parameter.ty = syn::parse2(renamed(parameter.ty.to_token_stream(), &rename)).ok()?;
            for attribute in &mut parameter.attributes {
                if let syn::Meta::List(list) = &mut attribute.meta {
                    list.tokens = renamed(std::mem::take(&mut list.tokens), &rename);
                }
            }
        }
        copy.parameters.iter().all(CalleeParameter::is_known).then_some(copy)
    }

    /// The types of the elements of the images that it computes.
    pub(super) fn elements(&self) -> Vec<Type> {
        match &self.function.sig.output {
            syn::ReturnType::Type(_, ty) => match &**ty {
                Type::Tuple(several) => several.elems.iter().cloned().collect(),
                one => vec![one.clone()],
            },
            syn::ReturnType::Default => Vec::new(),
        }
    }
}

/// What `types(..)` holds.
fn types_option(input: syn::parse::ParseStream<'_>) -> syn::Result<(Ident, Vec<Ident>)> {
    let name = input.parse()?;
    input.parse::<syn::Token![=]>()?;
    let types = syn::punctuated::Punctuated::<Ident, syn::Token![,]>::parse_terminated(input)?;
    Ok((name, types.into_iter().collect()))
}

/// The value of an enum of the language that an expression is, as a kernel names it: `Overflow::Wrap`.
pub(super) fn enum_value(expression: &syn::Expr) -> Option<TokenStream> {
    let syn::Expr::Path(path) = expression else { return None };
    let segments: Vec<&Ident> = path.path.segments.iter().map(|segment| &segment.ident).collect();
    let [.., name, value] = segments.as_slice() else { return None };
    ENUMS.iter().any(|own| *name == own).then(|| quote::quote!(#name::#value))
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

/// `None` for what can't be part of another kernel: an image that is written in place, an enum of the author's.
fn role(ty: &Type, attributes: &[syn::Attribute]) -> Option<Role> {
    let has = |name: &str| attributes.iter().any(|attribute| parse::is_attribute(attribute, name));
    if has("inout") {
        return None;
    }
    if has("variant") {
        let is_known = matches!(ty, Type::Path(path)
            if path.path.segments.last().is_some_and(|last| ENUMS.iter().any(|name| last.ident == name)));
        return is_known.then_some(Role::Variant);
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
        (_, PathArguments::None) if !has("stride") => Some(Role::Element),
        _ => None,
    }
}
