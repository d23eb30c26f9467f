//! A pipeline's signature: images, values, and the images that it returns.

use proc_macro2::TokenStream;
use syn::{FnArg, GenericArgument, Ident, ItemFn, Pat, PathArguments, ReturnType, Type, visit_mut::VisitMut};

use crate::{
    diagnostic::Diagnostic,
    messages::{self, Located, Tokens},
    parse,
};

/// A parameter of a pipeline.
pub enum Parameter {
    /// `&Tensor<T>`: an image that it reads.
    Image(Ident, Box<ImageType>),
    /// Anything else, handed on as it is.
    Value(Ident, Box<Value>),
}

/// A value that a pipeline hands on.
pub struct Value {
    /// Its type.
    pub ty: Type,
    /// The values that it may have: `#[uniform(0..=7)]`.
    pub range: Option<syn::Expr>,
}

impl Parameter {
    /// Returns its name.
    pub fn name(&self) -> &Ident {
        match self {
            Parameter::Image(name, _) | Parameter::Value(name, _) => name,
        }
    }
}

/// The type of an image.
pub struct ImageType {
    /// The type of its elements.
    pub element: Type,
    /// Its number of dimensions, where the type says it.
    pub rank: Option<GenericArgument>,
}

/// Reads the signature, and takes windrow's attributes from it.
pub(super) fn read(function: &mut ItemFn, found: &mut Vec<Diagnostic>) -> (Vec<Parameter>, Vec<ImageType>) {
    check_modifiers(function, found);
    let mut parameters = Vec::new();
    for argument in &mut function.sig.inputs {
        match argument {
            FnArg::Receiver(receiver) => {
                found.push(messages::PIPELINE_PARAMETER.at(Tokens(&*receiver), &[]));
            }
            FnArg::Typed(typed) => {
                let range = range(&typed.attrs, found);
                typed.attrs.retain(|attribute| !parse::is_attribute(attribute, "uniform"));
                match parameter(typed, range) {
                    Some(parameter) => parameters.push(parameter),
                    None => found.push(messages::PIPELINE_PARAMETER.at(Tokens(&*typed), &[])),
                }
            }
        }
    }
    if found.is_empty() && !parameters.iter().any(|parameter| matches!(parameter, Parameter::Image(..))) {
        found.push(messages::PIPELINE_NO_IMAGE.at(&function.sig.ident, &[]));
    }
    let outputs = outputs(&function.sig.output);
    if outputs.is_none() {
        let place = match &function.sig.output {
            ReturnType::Type(_, ty) => Tokens(&**ty).place(),
            ReturnType::Default => (&function.sig.ident).place(),
        };
        found.push(messages::PIPELINE_RESULT.at(place, &[]));
    }
    (parameters, outputs.unwrap_or_default())
}

fn check_modifiers(function: &ItemFn, found: &mut Vec<Diagnostic>) {
    let signature = &function.sig;
    if let Some(keyword) = &signature.asyncness {
        found.push(messages::PIPELINE_MODIFIER.at(Tokens(keyword), &["async"]));
    }
    if let Some(abi) = &signature.abi {
        found.push(messages::PIPELINE_MODIFIER.at(Tokens(abi), &["extern"]));
    }
    if let syn::Safety::Unsafe(keyword) = &signature.safety {
        found.push(messages::PIPELINE_MODIFIER.at(Tokens(keyword), &["unsafe"]));
    }
    if !signature.generics.params.is_empty() {
        found.push(messages::PIPELINE_MODIFIER.at(Tokens(&signature.generics), &["generic"]));
    }
}

/// The range of `#[uniform(range)]`; a bare `#[uniform]` has none, as a kernel's.
fn range(attributes: &[syn::Attribute], found: &mut Vec<Diagnostic>) -> Option<syn::Expr> {
    let attribute = attributes.iter().find(|attribute| parse::is_attribute(attribute, "uniform"))?;
    if matches!(attribute.meta, syn::Meta::Path(_)) {
        return None;
    }
    match attribute.parse_args::<syn::Expr>() {
        Ok(range @ syn::Expr::Range(_)) => Some(range),
        _ => {
            found.push(messages::PIPELINE_UNIFORM.at(Tokens(attribute), &[]));
            None
        }
    }
}

/// `None` for a parameter without a name, and an image that is not `&Tensor<T>`.
fn parameter(typed: &syn::PatType, range: Option<syn::Expr>) -> Option<Parameter> {
    let Pat::Ident(pattern) = &*typed.pat else { return None };
    let name = pattern.ident.clone();
    match &*typed.ty {
        Type::Reference(reference) if tensor(&reference.elem).is_some() => {
            let image = tensor(&reference.elem).filter(|_| reference.mutability.is_none() && range.is_none())?;
            Some(Parameter::Image(name, Box::new(image)))
        }
        ty if tensor(ty).is_some() => None,
        ty => Some(Parameter::Value(name, Box::new(Value { ty: ty.clone(), range }))),
    }
}

/// The images of `Result<Tensor<T>, _>`, or of a tuple in the place of the tensor.
fn outputs(output: &ReturnType) -> Option<Vec<ImageType>> {
    let ReturnType::Type(_, ty) = output else { return None };
    let Type::Path(path) = &**ty else { return None };
    let last = path.path.segments.last().filter(|segment| segment.ident == "Result")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first()? {
        GenericArgument::Type(Type::Tuple(several)) if !several.elems.is_empty() => {
            several.elems.iter().map(tensor).collect()
        }
        GenericArgument::Type(one) => Some(vec![tensor(one)?]),
        _ => None,
    }
}

/// What `Tensor<T, N>` says.
fn tensor(ty: &Type) -> Option<ImageType> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|segment| segment.ident == "Tensor")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    let mut arguments = arguments.args.iter();
    let Some(GenericArgument::Type(element)) = arguments.next() else { return None };
    Some(ImageType { element: element.clone(), rank: arguments.next().cloned() })
}

/// Puts `windrow`'s traced tensors in the place of the tensors of a signature; `rank` is told what stands for a tensor's rank, and
/// returns what stands for the traced one's.
pub fn trace(signature: &mut syn::Signature, rank: &dyn Fn(Option<&GenericArgument>) -> TokenStream) {
    struct Tensors<'r>(&'r dyn Fn(Option<&GenericArgument>) -> TokenStream);
    impl VisitMut for Tensors<'_> {
        fn visit_type_path_mut(&mut self, ty: &mut syn::TypePath) {
            syn::visit_mut::visit_type_path_mut(self, ty);
            if let Some(ImageType { element, rank }) = tensor(&Type::Path(ty.clone())) {
                let rank = (self.0)(rank.as_ref());
                ty.path = syn::parse_quote!(::windrow::__rt::TracedTensor<#element, #rank>);
            }
        }
    }
    Tensors(rank).visit_signature_mut(signature);
}
