//! Calls of functions and closures.

use super::types::{Callable, Reduction, Ty};
use super::{Infer, LateCheck, Signature};
use crate::builtins;
use crate::ir::Type;
use crate::messages::{self, Located, nearest};
use crate::syntax::*;
use syn::Ident;

impl Infer<'_> {
    pub(super) fn call(&mut self, expr: &Expr, callee: &Expr, arguments: &[Expr], hint: Option<&Ty>) -> Ty {
        let found = match &callee.kind {
            ExprKind::Path(path) if path.len() == 1 && self.is_unknown_function(&path[0]) => {
                return self.unknown_function(&path[0], arguments);
            }
            _ => self.expr(callee, None),
        };
        let found = self.unifier.shallow(&found);
        if let Ty::Function(Callable::Reduction(reduction)) = found {
            return self.reduction(expr, reduction, arguments);
        }
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
                        let help = match &other {
                            Ty::Neighbourhood(_) => "read an element beside the current one by `.at(dx, dy)`",
                            Ty::Table(..) => "read an entry by `[index]`",
                            _ => "call a closure, a function or a method",
                        };
                        self.wrong(messages::NOT_CALLABLE.at(callee, &[&found]).helped(help))
                    }
                }
            }
        }
    }

    /// `sum(range, |i| term)`: a number of the terms' type, or one of the range.
    fn reduction(&mut self, expr: &Expr, reduction: Reduction, arguments: &[Expr]) -> Ty {
        let [range, term] = arguments else {
            arguments.iter().for_each(|argument| self.skip_closure(argument));
            let count = arguments.len().to_string();
            return self.wrong(messages::ARGUMENTS.at(expr, &[reduction.name(), "2 arguments", &count]));
        };
        let items = self.expr(range, None);
        let item = match self.unifier.shallow(&items) {
            Ty::Iterator(item) if matches!(range.kind, ExprKind::Range { .. }) => *item,
            Ty::Error => Ty::Error,
            other => {
                let found = self.show(&other);
                self.wrong(messages::REDUCTION_RANGE.at(range, &[reduction.name(), &found]))
            }
        };
        let found = self.function_argument(term, std::slice::from_ref(&item));
        self.late(term, LateCheck::Term(reduction.name(), found.clone()));
        if reduction != Reduction::Argmax {
            return found;
        }
        self.types.terms.insert(expr.id, found);
        item
    }

    fn is_unknown_function(&self, name: &Ident) -> bool {
        let is_of_prelude = name == "x" || name == "y" || Reduction::named(&name.to_string()).is_some();
        matches!(self.find(&name.to_string()), super::names::Found::Nothing) && !is_of_prelude
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
                None if matches!(word.as_str(), "width" | "height") => {
                    "a kernel doesn't know the image's size: pass what it needs of it as a `#[uniform]`".to_owned()
                }
                None if word.starts_with("get_global") => "the coordinate is `x()` and `y()`".to_owned(),
                None => format!(
                    "a kernel doesn't see what stands around it: mark `fn {word}` with `#[helper]` and name it in `#[kernel(uses({word}))]`, \
                     or define it inside, as `fn` or as a closure"
                ),
            },
        };
        self.wrong(messages::UNKNOWN_FUNCTION.at(name, &[&word, &help]))
    }

    /// What a value takes and gives when it is called.
    pub(super) fn signature(&mut self, callee: &Ty, hint: Option<&Ty>) -> Option<Signature> {
        match callee {
            Ty::Closure(id) => self.types.closures.get(id).cloned(),
            Ty::Function(Callable::Item(id)) => self.types.functions.get(id).cloned(),
            Ty::Function(Callable::Coordinate(_)) => {
                Some(Signature { parameters: Vec::new(), result: Ty::Scalar(Type::I32) })
            }
            Ty::Function(Callable::FromBits) => {
                Some(Signature { parameters: vec![Ty::Scalar(Type::U32)], result: Ty::Scalar(Type::F32) })
            }
            // Its arguments are inferred by themselves.
            Ty::Function(Callable::Reduction(_)) => None,
            Ty::Function(Callable::From(to)) => {
                Some(Signature { parameters: vec![self.fresh()], result: Ty::Scalar(*to) })
            }
            Ty::Function(Callable::Method(name, ty)) => {
                let method = builtins::method(name)?;
                let own = Ty::Scalar(*ty);
                let mut parameters = vec![own.clone()];
                parameters
                    .extend(method.arguments.iter().map(|argument| super::methods::argument_type(*argument, &own)));
                let result = self.method_result(method, &own, hint);
                Some(Signature { parameters, result })
            }
            Ty::Scalar(_)
            | Ty::Usize
            | Ty::Array(..)
            | Ty::Tuple(_)
            | Ty::Enum(_)
            | Ty::Neighbourhood(_)
            | Ty::View(..)
            | Ty::Option(_)
            | Ty::Table(..)
            | Ty::Iterator(_)
            | Ty::Var(_)
            | Ty::Error => None,
        }
    }

    /// Infers the arguments of a call, and counts them.
    pub(super) fn arguments(&mut self, place: impl Located, name: &str, expected: &[Ty], found: &[Expr]) {
        if expected.len() != found.len() {
            let count = |n: usize| if n == 1 { "1 argument".to_owned() } else { format!("{n} arguments") };
            self.report(messages::ARGUMENTS.at(place, &[name, &count(expected.len()), &found.len().to_string()]));
            // Which of them is missing or too many isn't known: no type can be asked of any.
            for argument in found {
                self.expr(argument, None);
            }
            return;
        }
        for (argument, ty) in found.iter().zip(expected) {
            self.against(argument, ty);
        }
    }
}

/// What a message calls the thing that is called.
fn callee_name(callee: &Expr) -> String {
    match &callee.kind {
        ExprKind::Path(path) => path.iter().map(ToString::to_string).collect::<Vec<_>>().join("::"),
        _ => "this closure".to_owned(),
    }
}
