//! The types that an author may write.

use super::Parser;
use crate::messages::{self, Tokens, nearest};
use crate::parse::expression::scalar_type;
use crate::syntax::*;
use std::borrow::Cow;

impl Parser {
    /// Reads a type.
    pub(super) fn ty(&mut self, source: &syn::Type) -> TypeExpr {
        let kind = match source {
            // What its arguments are is no mistake of its own.
            syn::Type::Path(path) if path.path.segments.last().is_some_and(is_image_of) => None,
            syn::Type::Path(path) if path.qself.is_none() => self.path_type(path),
            syn::Type::Array(array) => {
                Some(TypeKind::Array(Box::new(self.ty(&array.elem)), Box::new(array.len.clone())))
            }
            syn::Type::Tuple(tuple) => Some(TypeKind::Tuple(tuple.elems.iter().map(|ty| self.ty(ty)).collect())),
            syn::Type::Paren(paren) => return TypeExpr { kind: self.ty(&paren.elem).kind, source: source.clone() },
            syn::Type::Group(group) => return TypeExpr { kind: self.ty(&group.elem).kind, source: source.clone() },
            syn::Type::Infer(_) => Some(TypeKind::Infer),
            syn::Type::Reference(_) | syn::Type::Ptr(_) => {
                let refused = messages::REFERENCE.at(Tokens(source), &[]);
                self.report(match instead_of(source) {
                    Some(help) => refused.helped(help),
                    None => refused,
                });
                return TypeExpr { kind: TypeKind::Infer, source: source.clone() };
            }
            _ => None,
        };
        let kind = kind.unwrap_or_else(|| {
            let refused = messages::TYPE_FORM.at(Tokens(source), &[]);
            self.report(match generic_meant(source) {
                Some(known) => refused.helped(format!("did you mean `{known}`?")),
                None if is_list(source) => refused.helped(INSTEAD_OF_LIST),
                None if is_option(source) => refused.helped(INSTEAD_OF_OPTION),
                None => match instead_of_image(source) {
                    Some(help) => refused.helped(help),
                    None => refused,
                },
            });
            TypeKind::Infer
        });
        TypeExpr { kind, source: source.clone() }
    }

    /// `u8`, `Neighbourhood<u8>`, `View<u8>`, `View<u8, 4>`, `At<2>`, `windrow::Table<u8, 256>`.
    fn path_type(&mut self, path: &syn::TypePath) -> Option<TypeKind> {
        let last = path.path.segments.last()?;
        let arguments = match &last.arguments {
            syn::PathArguments::None if path.path.segments.len() == 1 => {
                return Some(TypeKind::Name(last.ident.clone()));
            }
            syn::PathArguments::None => return Some(TypeKind::Name(last.ident.clone())),
            syn::PathArguments::AngleBracketed(arguments) => arguments,
            syn::PathArguments::Parenthesized(_) => return None,
        };
        let is_lifetime = |argument: &&syn::GenericArgument| matches!(argument, syn::GenericArgument::Lifetime(_));
        let mut arguments = arguments.args.iter().filter(|argument| !is_lifetime(argument));
        let first = arguments.next()?;
        if last.ident == "At" && arguments.next().is_none() {
            return Some(TypeKind::At(Box::new(constant_argument(first)?)));
        }
        let element = match first {
            syn::GenericArgument::Type(ty) => Box::new(self.ty(ty)),
            _ => return None,
        };
        match (last.ident.to_string().as_str(), arguments.next(), arguments.next()) {
            ("Neighbourhood", None, None) => Some(TypeKind::Neighbourhood(element)),
            ("View", None, None) => Some(TypeKind::View(element, None)),
            ("View", Some(rank), None) => Some(TypeKind::View(element, Some(Box::new(constant_argument(rank)?)))),
            ("Table", Some(length), None) => Some(TypeKind::Table(element, Box::new(constant_argument(length)?))),
            _ => None,
        }
    }
}

/// The type with arguments whose name is nearest to the one that is written.
fn generic_meant(source: &syn::Type) -> Option<&'static str> {
    let syn::Type::Path(path) = source else { return None };
    let name = path.path.segments.last()?.ident.to_string();
    let forms = [("Neighbourhood", "Neighbourhood<T>"), ("View", "View<T>"), ("Table", "Table<T, N>"), ("At", "At<2>")];
    let known = nearest(&name, forms.map(|(known, _)| known)).filter(|known| *known != name)?;
    forms.into_iter().find(|(own, _)| *own == known).map(|(_, form)| form)
}

/// What an author means by many values.
const INSTEAD_OF_LIST: &str = "a kernel sees one element of an image: take `a: u8`, or `src: Neighbourhood<u8>` for those around it \
     too; a lookup table is `Table<u8, 256>`, what is read at computed places `View<u8, 1>`, and a few values that all elements \
     share are `#[uniform] w: [u8; 3]`";

/// What an author means by an element that may be missing.
const INSTEAD_OF_OPTION: &str = "every element has a value: say which it is where there is none, as `src.get([y, x]).unwrap_or(0)` does, \
     or return beside it whether there is one: `-> (u8, u8)`";

/// `Option<u8>`.
fn is_option(source: &syn::Type) -> bool {
    matches!(source, syn::Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Option"))
}

/// `Vec<u8>`, `[u8]`.
fn is_list(source: &syn::Type) -> bool {
    match source {
        syn::Type::Path(path) => path.path.segments.last().is_some_and(|last| last.ident == "Vec"),
        syn::Type::Slice(_) => true,
        _ => false,
    }
}

/// What an author means by a reference.
fn instead_of(source: &syn::Type) -> Option<Cow<'static, str>> {
    let (inner, is_mutable) = match source {
        syn::Type::Reference(reference) => (&*reference.elem, reference.mutability.is_some()),
        syn::Type::Ptr(pointer) => (&*pointer.elem, matches!(pointer.mutability, syn::PointerMutability::Mut(_))),
        _ => return None,
    };
    let help = match (inner, is_mutable) {
        (syn::Type::Slice(_) | syn::Type::Array(_), false) => INSTEAD_OF_LIST,
        (list, false) if is_list(list) => INSTEAD_OF_LIST,
        (syn::Type::Path(path), _) if path.path.is_ident("str") => {
            "a kernel has no text: make each word a value of a closed enum, `#[variant] mode: Mode`, or a number, `#[uniform] mode: i32`"
        }
        (_, true) => {
            "what is written is what the function returns; an image that is read and written is `#[inout] a: u8`"
        }
        (image, false) => return instead_of_image(image).map(Cow::Owned),
    };
    Some(Cow::Borrowed(help))
}

/// The names of images in Rust's libraries, which a kernel's caller has.
const IMAGES: [&str; 12] = [
    "Tensor",
    "Image",
    "ImageBuffer",
    "GrayImage",
    "RgbImage",
    "RgbaImage",
    "DynamicImage",
    "Array2",
    "Array3",
    "ArrayView2",
    "ArrayView3",
    "Mat",
];

/// Whether a name is that of a caller's images.
pub fn is_image(name: &str) -> bool {
    IMAGES.contains(&name)
}

/// `Tensor<u8>`, `ImageBuffer<Luma<u8>, Vec<u8>>`.
fn is_image_of(segment: &syn::PathSegment) -> bool {
    !segment.arguments.is_none() && is_image(&segment.ident.to_string())
}

/// What an author means by a whole image; `None` for any other type.
fn instead_of_image(source: &syn::Type) -> Option<String> {
    let syn::Type::Path(path) = source else { return None };
    let last = path.path.segments.last().filter(|last| is_image(&last.ident.to_string()))?;
    let element = match &last.arguments {
        syn::PathArguments::AngleBracketed(own) => own.args.iter().find_map(|argument| match argument {
            syn::GenericArgument::Type(syn::Type::Path(ty)) => ty.path.get_ident().map(ToString::to_string),
            _ => None,
        }),
        syn::PathArguments::None | syn::PathArguments::Parenthesized(_) => None,
    };
    Some(instead_of_images_of(element.as_deref().filter(|element| scalar_type(element).is_some()).unwrap_or("u8")))
}

/// How a kernel takes images of these elements.
pub fn instead_of_images_of(element: &str) -> String {
    format!(
        "a kernel computes one element, and its caller has the images: take the element, `a: {element}`, those around it too, \
         `src: Neighbourhood<{element}>`, or what is read at computed places, `src: View<{element}>`"
    )
}

/// A constant among generic arguments; a bare name reads as a type there.
pub(super) fn constant_argument(argument: &syn::GenericArgument) -> Option<syn::Expr> {
    match argument {
        syn::GenericArgument::Const(value) => Some(value.clone()),
        syn::GenericArgument::Type(syn::Type::Path(path)) => Some(syn::Expr::Path(syn::ExprPath {
            attrs: Vec::new(),
            qself: path.qself.clone(),
            path: path.path.clone(),
        })),
        _ => None,
    }
}
