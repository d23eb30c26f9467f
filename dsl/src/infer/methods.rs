//! Methods of scalars and of neighbourhoods.

use super::instead::instead;
use super::types::{Kind, Shape, Ty};
use super::{Infer, LateCheck};
use crate::builtins::{self, Argument, Method, Origin, ResultType};
use crate::ir::{self, Type};
use crate::messages::{self, nearest};
use crate::syntax::*;
use syn::Ident;

impl Infer<'_> {
    pub(super) fn method(
        &mut self,
        expr: &Expr,
        receiver: &Expr,
        name: &Ident,
        turbofish: &[Generic],
        arguments: &[Expr],
        hint: Option<&Ty>,
    ) -> Ty {
        let found = self.expr(receiver, None);
        if self.unifier.shape(&found) == Shape::Unknown {
            self.resolve_pending();
        }
        let found = self.unifier.shallow(&found);
        if matches!(found, Ty::Error) {
            for argument in arguments {
                self.skip_closure(argument);
            }
            return Ty::Error;
        }
        match (&found, self.unifier.shape(&found)) {
            (Ty::Neighbourhood(pixel), _) => self.neighbourhood_method(expr, pixel, name, turbofish, arguments),
            (Ty::View(pixel, rank), _) => self.view_method(pixel, *rank, name, arguments),
            (Ty::Option(value), _) => self.option_method(value, name, arguments),
            (Ty::Array(..) | Ty::Iterator(_), _) => self.iterator_method(expr, &found, name, arguments),
            (_, Shape::Unknown) => {
                self.wrong(messages::RECEIVER_UNKNOWN.at((receiver.start, receiver.end), &[&name.to_string()]))
            }
            (_, Shape::Integer | Shape::Float) => {
                self.scalar_method(expr, receiver, &found, name, turbofish, arguments, hint)
            }
            (_, Shape::Bool | Shape::Other) => self.unknown_method(name, &found, std::iter::empty()),
        }
    }

    pub(super) fn unknown_method<'k>(&mut self, name: &Ident, ty: &Ty, known: impl Iterator<Item = &'k str>) -> Ty {
        let (word, found) = (name.to_string(), self.show(ty));
        let known: Vec<&str> = known.collect();
        if let Some(help) = instead(&word) {
            return self.wrong(messages::UNKNOWN_METHOD.at(name, &[&word, &found]).helped(help));
        }
        let help = match nearest(&word, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.is_empty() => format!("`{found}` has no methods here"),
            None if known.len() <= 12 => format!("its methods are {}", known.join(", ")),
            None => "the language reference lists the methods; arithmetic is `+ - * / % & | ^ << >>`".to_owned(),
        };
        self.wrong(messages::UNKNOWN_METHOD.at(name, &[&word, &found, &help]))
    }

    fn neighbourhood_method(
        &mut self,
        expr: &Expr,
        pixel: &Ty,
        name: &Ident,
        fish: &[Generic],
        arguments: &[Expr],
    ) -> Ty {
        match name.to_string().as_str() {
            "at" => {
                let offset = Ty::Scalar(Type::I32);
                self.arguments(name, "at", &[offset.clone(), offset], arguments);
                pixel.clone()
            }
            "window" => {
                self.arguments(name, "window", &[], arguments);
                let sizes: Vec<Option<u64>> = fish.iter().map(|generic| self.window_size(generic)).collect();
                match sizes[..] {
                    [Some(w), Some(h)] if (1..=511).contains(&w) && (1..=511).contains(&h) => {
                        self.types.windows.insert(expr.id, (w, h));
                        let row = Ty::Array(Box::new(pixel.clone()), w);
                        self.sized(name, Ty::Array(Box::new(row), h))
                    }
                    _ => self.wrong(messages::WINDOW_SIZE.at(name, &[])),
                }
            }
            word => {
                self.skip_arguments(arguments);
                let ty = Ty::Neighbourhood(Box::new(pixel.clone()));
                match word {
                    "get" | "extents" => {
                        let help = "an element at a constant offset is `src.at(dx, dy)`; what is read at a computed place, `src.get([y, x])`, is a `src: View<u8>`";
                        let found = self.show(&ty);
                        self.wrong(messages::UNKNOWN_METHOD.at(name, &[word, &found]).helped(help))
                    }
                    _ => self.unknown_method(name, &ty, ["at", "window"].into_iter()),
                }
            }
        }
    }

    fn window_size(&mut self, generic: &Generic) -> Option<u64> {
        match generic {
            Generic::Constant(value) => self.length(value),
            Generic::Type(ty) => match &ty.kind {
                TypeKind::Name(name) => {
                    let path: syn::ExprPath = syn::parse_quote!(#name);
                    self.length(&syn::Expr::Path(path))
                }
                _ => None,
            },
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn scalar_method(
        &mut self,
        expr: &Expr,
        receiver: &Expr,
        ty: &Ty,
        name: &Ident,
        turbofish: &[Generic],
        arguments: &[Expr],
        hint: Option<&Ty>,
    ) -> Ty {
        let word = name.to_string();
        let Some(method) = builtins::method(&word) else {
            let known = builtins::METHODS.iter().filter(|method| self.has_method(ty, method)).map(|method| method.name);
            let known: Vec<&str> = known.collect();
            for argument in arguments {
                self.skip_closure(argument);
            }
            return self.unknown_method(name, ty, known.into_iter());
        };
        if !self.has_method(ty, method) {
            return self.method_of_other_type(name, method, ty, arguments);
        }
        self.types.methods.insert(expr.id, method);
        if let (Ty::Var(_), Origin::Inherent) | (Ty::Var(_), Origin::Trait) = (ty, method.origin)
            && (method.origin == Origin::Inherent || self.unifier.shape(ty) == Shape::Float)
        {
            self.ambiguous_receiver(receiver, ty, &word);
        }
        let parameters: Vec<Ty> = method.arguments.iter().map(|argument| argument_type(*argument, ty)).collect();
        self.arguments(name, &word, &parameters, arguments);
        if matches!(ty, Ty::Var(_)) {
            self.late(name, LateCheck::Method(method, ty.clone()));
        }
        match (method.result, turbofish) {
            (ResultType::Target, [Generic::Type(written)]) => {
                let to = self.written(written);
                self.late(expr, LateCheck::Target(method, ty.clone(), to.clone()));
                to
            }
            (_, []) => {
                let result = self.method_result(method, ty, hint);
                if method.result == ResultType::Target {
                    self.late(expr, LateCheck::Target(method, ty.clone(), result.clone()));
                }
                result
            }
            (_, _) => self.wrong(messages::GENERIC_PATH.at(name, &[])),
        }
    }

    /// Whether a type, as far as it is known, has a method.
    fn has_method(&self, ty: &Ty, method: &Method) -> bool {
        match self.unifier.shallow(ty) {
            Ty::Scalar(ty) => method.receivers.contain(ty) && method.lowering.lacked_by(ty).is_none(),
            Ty::Usize => method.receivers.usize,
            Ty::Var(_) => match self.unifier.shape(ty) {
                Shape::Integer => method.receivers.unsigned || method.receivers.signed,
                Shape::Float => method.receivers.float,
                Shape::Bool | Shape::Other | Shape::Unknown => false,
            },
            _ => false,
        }
    }

    fn method_of_other_type(&mut self, name: &Ident, method: &Method, ty: &Ty, arguments: &[Expr]) -> Ty {
        for argument in arguments {
            self.skip_closure(argument);
        }
        let (word, found) = (name.to_string(), self.show(ty));
        if !method.receivers.unsigned && !method.receivers.signed && !matches!(ty, Ty::Scalar(own) if own.is_half()) {
            return self.wrong(messages::METHOD_FLOAT_ONLY.at(name, &[&word, &found]));
        }
        let help = other_type(method, ty);
        self.wrong(messages::METHOD_TYPE.at(name, &[&word, &found]).helped(help))
    }

    /// rustc does not look up a method on a literal whose type isn't known (E0689).
    fn ambiguous_receiver(&mut self, receiver: &Expr, ty: &Ty, word: &str) {
        let text = match &receiver.kind {
            ExprKind::Literal(literal) => {
                let suffix = if self.unifier.shape(ty) == Shape::Float { "f32" } else { "u8" };
                format!("{}_{suffix}", quote::ToTokens::to_token_stream(&literal.token))
            }
            _ => "let v: u8".to_owned(),
        };
        self.report(messages::RECEIVER_AMBIGUOUS.at(receiver, &[word, &text]));
    }

    pub(super) fn method_result(&mut self, method: &Method, ty: &Ty, hint: Option<&Ty>) -> Ty {
        match method.result {
            ResultType::Same => ty.clone(),
            ResultType::Unsigned => match self.unifier.shallow(ty) {
                Ty::Scalar(ty) => Ty::Scalar(ty.unsigned()),
                other => other,
            },
            ResultType::Fixed(ty) => Ty::Scalar(ty),
            ResultType::Target => match hint.map(|hint| self.unifier.shallow(hint)) {
                Some(hint @ (Ty::Scalar(_) | Ty::Var(_))) => hint,
                _ => self.unifier.fresh(Kind::General),
            },
        }
    }
}

/// How to come by a method that a type lacks.
pub(super) fn other_type(method: &Method, ty: &Ty) -> String {
    let (word, types) = (method.name, builtins::types_in_words(method.receivers, method.lowering));
    let arguments = if method.arguments.is_empty() { "" } else { ".." };
    let is_unsigned = matches!(ty, Ty::Scalar(ty) if ty.kind() == ir::Kind::Unsigned);
    if let Ty::Scalar(own) = ty
        && !own.is_half()
        && method.receivers.contain(*own)
        && let Some(families) = method.lowering.lacked_by(*own)
    {
        let narrow = Type::of(own.kind(), 32).unwrap_or(Type::I32).name();
        return format!("{families} lack it for {}; convert first: `(.. as {narrow}).{word}({arguments})`", own.name());
    }
    match (word, ty) {
        (_, Ty::Scalar(own)) if own.is_half() => half_is_stored(own, &format!("{word}({arguments})")),
        ("abs", _) if is_unsigned => {
            "it is no less than 0 already; the magnitude of a difference is `a.abs_diff(b)`".to_owned()
        }
        (_, Ty::Scalar(Type::F32)) => {
            format!("{word} is a method of {types}; convert first: `(.. as i32).{word}({arguments})`")
        }
        (_, Ty::Scalar(own)) if is_unsigned => {
            let wide = if (*own).bits() == 8 { "i16" } else { "i32" };
            format!("{word} is a method of {types}; convert first: `(.. as {wide}).{word}({arguments})`")
        }
        (_, _) => {
            let own = if method.receivers.signed { "i32" } else { "u32" };
            format!("{word} is a method of {types}; convert first: `(.. as {own}).{word}({arguments})`")
        }
    }
}

/// How to compute with a half.
pub(super) fn half_is_stored(half: &Type, method: &str) -> String {
    let method = if method.is_empty() { String::new() } else { format!(".{method}") };
    format!(
        "`{}` is a type of memory: compute in f32, `(..).cast::<f32>(){method}`, and convert the result back",
        half.name()
    )
}

/// The type of a builtin's argument.
pub(super) fn argument_type(argument: Argument, receiver: &Ty) -> Ty {
    match argument {
        Argument::Same => receiver.clone(),
        Argument::Bits => Ty::Scalar(Type::U32),
    }
}
