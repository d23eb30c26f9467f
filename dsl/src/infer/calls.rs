//! Calls: functions, closures, and methods of every kind of value.

use super::types::{Callable, Kind, Shape, Ty};
use super::{Infer, LateCheck, Signature};
use crate::builtins::{self, Argument, Method, Origin, ResultType};
use crate::ir::Type;
use crate::messages::{self, Place, nearest};
use crate::syntax::*;
use syn::Ident;

/// The methods of iterators, and of arrays where they iterate.
const ITERATOR_METHODS: [&str; 9] = ["zip", "enumerate", "rev", "skip", "take", "step_by", "map", "fold", "into_iter"];

impl Infer<'_> {
    pub(super) fn call(&mut self, expr: &Expr, callee: &Expr, arguments: &[Expr], hint: Option<&Ty>) -> Ty {
        let found = match &callee.kind {
            ExprKind::Path(path) if path.len() == 1 && self.is_unknown_function(&path[0]) => {
                return self.unknown_function(&path[0], arguments);
            }
            _ => self.expr(callee, None),
        };
        let found = self.unifier.shallow(&found);
        match self.signature(&found, hint) {
            Some(signature) => {
                let name = callee_name(callee);
                self.arguments(expr, &name, &signature.parameters, arguments);
                if let Ty::Function(Callable::From(to)) = found
                    && let Some(value) = arguments.first()
                {
                    let from = self.types.of(value).clone();
                    self.late(value, LateCheck::From(from, to));
                }
                signature.result
            }
            None => {
                for argument in arguments {
                    self.expr(argument, None);
                }
                match found {
                    Ty::Error => Ty::Error,
                    Ty::Var(_) => self.unknown_use(callee, "( )"),
                    other => {
                        let found = self.show(&other);
                        self.wrong(messages::NOT_CALLABLE.at(callee, &[&found]))
                    }
                }
            }
        }
    }

    fn is_unknown_function(&self, name: &Ident) -> bool {
        matches!(self.find(&name.to_string()), super::names::Found::Nothing) && name != "x" && name != "y"
    }

    fn unknown_function(&mut self, name: &Ident, arguments: &[Expr]) -> Ty {
        for argument in arguments {
            self.expr(argument, None);
        }
        let word = name.to_string();
        let functions: Vec<String> = self
            .unit
            .items
            .iter()
            .filter(|item| matches!(item.kind, ItemKind::Function(_)))
            .map(|i| i.name.to_string())
            .collect();
        let locals = self.scopes.iter().flat_map(|scope| scope.names.iter().map(|(name, _)| name.as_str()));
        let help = match nearest(&word, functions.iter().map(String::as_str).chain(locals)) {
            Some(known) => format!("did you mean `{known}`?"),
            None => match builtins::method(&word) {
                Some(_) => format!("write it as a method: `a.{word}(..)`"),
                None => "define it: a nested `fn`, a closure, or a function of the `#[kernels] mod`".to_owned(),
            },
        };
        self.wrong(messages::UNKNOWN_FUNCTION.at(name, &[&word, &help]))
    }

    /// What a value takes and gives when it is called.
    fn signature(&mut self, callee: &Ty, hint: Option<&Ty>) -> Option<Signature> {
        match callee {
            Ty::Closure(id) => self.types.closures.get(id).cloned(),
            Ty::Function(Callable::Item(id)) => self.types.functions.get(id).cloned(),
            Ty::Function(Callable::Coordinate(_)) => {
                Some(Signature { parameters: Vec::new(), result: Ty::Scalar(Type::I32) })
            }
            Ty::Function(Callable::FromBits) => {
                Some(Signature { parameters: vec![Ty::Scalar(Type::U32)], result: Ty::Scalar(Type::F32) })
            }
            Ty::Function(Callable::From(to)) => {
                Some(Signature { parameters: vec![self.fresh()], result: Ty::Scalar(*to) })
            }
            Ty::Function(Callable::Method(name, ty)) => {
                let method = builtins::method(name)?;
                let own = Ty::Scalar(*ty);
                let mut parameters = vec![own.clone()];
                parameters.extend(method.arguments.iter().map(|argument| argument_type(*argument, &own)));
                let result = self.method_result(method, &own, hint);
                Some(Signature { parameters, result })
            }
            Ty::Scalar(_)
            | Ty::Usize
            | Ty::Array(..)
            | Ty::Tuple(_)
            | Ty::Enum(_)
            | Ty::Neighbourhood(_)
            | Ty::Table(..)
            | Ty::Iterator(_)
            | Ty::Var(_)
            | Ty::Error => None,
        }
    }

    /// Infers the arguments of a call, and counts them.
    fn arguments(&mut self, place: impl Place, name: &str, expected: &[Ty], found: &[Expr]) {
        if expected.len() != found.len() {
            let count = |n: usize| if n == 1 { "1 argument".to_owned() } else { format!("{n} arguments") };
            self.report(messages::ARGUMENTS.at(place, &[name, &count(expected.len()), &found.len().to_string()]));
        }
        for (position, argument) in found.iter().enumerate() {
            match expected.get(position) {
                Some(ty) => self.against(argument, ty),
                None => {
                    self.expr(argument, None);
                }
            }
        }
    }

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
                self.expr(argument, None);
            }
            return Ty::Error;
        }
        match (&found, self.unifier.shape(&found)) {
            (Ty::Neighbourhood(pixel), _) => self.neighbourhood_method(expr, pixel, name, turbofish, arguments),
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

    fn unknown_method<'k>(&mut self, name: &Ident, ty: &Ty, known: impl Iterator<Item = &'k str>) -> Ty {
        let (word, found) = (name.to_string(), self.show(ty));
        let known: Vec<&str> = known.collect();
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
            _ => {
                let ty = Ty::Neighbourhood(Box::new(pixel.clone()));
                self.unknown_method(name, &ty, ["at", "window"].into_iter())
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

    /// The methods of ranges, arrays and what is made of them.
    fn iterator_method(&mut self, expr: &Expr, receiver: &Ty, name: &Ident, arguments: &[Expr]) -> Ty {
        let (item, length) = match receiver {
            Ty::Array(element, n) => ((**element).clone(), Some(*n)),
            Ty::Iterator(item) => ((**item).clone(), None),
            _ => return Ty::Error,
        };
        let word = name.to_string();
        match (word.as_str(), length) {
            ("into_iter", _) => {
                self.arguments(name, "into_iter", &[], arguments);
                Ty::Iterator(Box::new(item))
            }
            ("len", Some(_)) => {
                self.arguments(name, "len", &[], arguments);
                Ty::Usize
            }
            ("map", length) => {
                let Some(function) = self.one_argument(name, arguments) else { return Ty::Error };
                let result = self.function_argument(function, &[item]);
                match length {
                    Some(n) => self.sized(expr, Ty::Array(Box::new(result), n)),
                    None => Ty::Iterator(Box::new(result)),
                }
            }
            ("fold", None) => self.fold(name, item, arguments),
            ("zip", None) => {
                let Some(other) = self.one_argument(name, arguments) else { return Ty::Error };
                let other_ty = self.expr(other, None);
                let other_item = self.item_type(other, &other_ty);
                Ty::Iterator(Box::new(Ty::Tuple(vec![item, other_item])))
            }
            ("enumerate", None) => {
                self.arguments(name, "enumerate", &[], arguments);
                Ty::Iterator(Box::new(Ty::Tuple(vec![Ty::Usize, item])))
            }
            ("rev", None) => {
                self.arguments(name, "rev", &[], arguments);
                Ty::Iterator(Box::new(item))
            }
            ("skip" | "take" | "step_by", None) => {
                self.arguments(name, &word, &[Ty::Usize], arguments);
                Ty::Iterator(Box::new(item))
            }
            (known, Some(_)) if ITERATOR_METHODS.contains(&known) || known == "iter" => {
                let (found, help) = (self.show(receiver), format!("write `.into_iter().{known}(..)`"));
                let help =
                    if known == "iter" { "write `.into_iter()`: there are no references".to_owned() } else { help };
                self.wrong(messages::UNKNOWN_METHOD.at(name, &[&word, &found, &help]))
            }
            (_, Some(_)) => self.unknown_method(name, receiver, ["map", "into_iter", "len"].into_iter()),
            (_, None) => {
                let help = match nearest(&word, ITERATOR_METHODS) {
                    Some(known) => format!("did you mean `{known}`?"),
                    None => format!(
                        "the methods are {}; sums and products are `fold` or a `for` loop",
                        ITERATOR_METHODS.join(", ")
                    ),
                };
                for argument in arguments {
                    self.skip_closure(argument);
                }
                self.wrong(messages::ITERATOR_METHOD.at(name, &[&word, &help]))
            }
        }
    }

    /// Infers what isn't a closure: a closure of unknown use would cause further mistakes.
    fn skip_closure(&mut self, argument: &Expr) {
        if !matches!(argument.kind, ExprKind::Closure(_)) {
            self.expr(argument, None);
        }
    }

    fn fold(&mut self, name: &Ident, item: Ty, arguments: &[Expr]) -> Ty {
        let [start, function] = arguments else {
            return self.wrong(messages::ARGUMENTS.at(name, &["fold", "2 arguments", &arguments.len().to_string()]));
        };
        let total = self.expr(start, None);
        let result = self.function_argument(function, &[total.clone(), item]);
        self.same(function, &total, &result);
        total
    }

    fn one_argument<'e>(&mut self, name: &Ident, arguments: &'e [Expr]) -> Option<&'e Expr> {
        match arguments {
            [argument] => Some(argument),
            _ => {
                let count = arguments.len().to_string();
                self.report(messages::ARGUMENTS.at(name, &[&name.to_string(), "1 argument", &count]));
                None
            }
        }
    }

    /// A closure or a function's name, called with these types; what it gives.
    fn function_argument(&mut self, function: &Expr, parameters: &[Ty]) -> Ty {
        let found = match &function.kind {
            ExprKind::Closure(closure) => {
                let ty = self.closure(function, closure, parameters);
                self.types.expressions[function.id.0 as usize] = ty.clone();
                ty
            }
            _ => self.expr(function, None),
        };
        let found = self.unifier.shallow(&found);
        let Some(signature) = self.signature(&found, None) else {
            if found == Ty::Error {
                return Ty::Error;
            }
            let found = self.show(&found);
            return self.wrong(messages::NOT_CALLABLE.at(function, &[&found]));
        };
        if signature.parameters.len() != parameters.len() {
            let (takes, given) = (signature.parameters.len().to_string(), parameters.len());
            let given = if given == 1 { "1 argument".to_owned() } else { format!("{given} arguments") };
            return self.wrong(messages::ARGUMENTS.at(function, &["this method's function", &given, &takes]));
        }
        for (takes, given) in signature.parameters.iter().zip(parameters) {
            self.same(function, given, takes);
        }
        if let Ty::Function(Callable::From(to)) = found {
            self.late(function, LateCheck::From(parameters[0].clone(), to));
        }
        signature.result
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
                self.late(expr, LateCheck::Target(method, to.clone()));
                to
            }
            (_, []) => {
                let result = self.method_result(method, ty, hint);
                if method.result == ResultType::Target {
                    self.late(expr, LateCheck::Target(method, result.clone()));
                }
                result
            }
            (_, _) => self.wrong(messages::GENERIC_PATH.at(name, &[])),
        }
    }

    /// Whether a type, as far as it is known, has a method.
    fn has_method(&self, ty: &Ty, method: &Method) -> bool {
        match self.unifier.shallow(ty) {
            Ty::Scalar(ty) => method.receivers.contain(ty),
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
        let (word, found, types) = (name.to_string(), self.show(ty), method.receivers.words());
        let message = if types == "f32" { messages::METHOD_FLOAT_ONLY } else { messages::METHOD_TYPE };
        self.wrong(message.at(name, &[&word, &found, types]))
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

    fn method_result(&mut self, method: &Method, ty: &Ty, hint: Option<&Ty>) -> Ty {
        match method.result {
            ResultType::Same => ty.clone(),
            ResultType::Unsigned => match self.unifier.shallow(ty) {
                Ty::Scalar(ty) => Ty::Scalar(crate::arithmetic::unsigned(ty)),
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

fn argument_type(argument: Argument, receiver: &Ty) -> Ty {
    match argument {
        Argument::Same => receiver.clone(),
        Argument::Bits => Ty::Scalar(Type::U32),
    }
}

/// What a message calls the thing that is called.
fn callee_name(callee: &Expr) -> String {
    match &callee.kind {
        ExprKind::Path(path) => path.iter().map(ToString::to_string).collect::<Vec<_>>().join("::"),
        _ => "this closure".to_owned(),
    }
}
