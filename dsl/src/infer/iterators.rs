//! Methods of ranges, arrays and what is made of them.

use super::types::{Callable, Reduction, Ty};
use super::{Infer, LateCheck};
use crate::messages::{self, nearest};
use crate::syntax::*;
use quote::ToTokens;
use syn::Ident;

/// The methods of iterators, and of arrays where they iterate.
const ITERATOR_METHODS: [&str; 9] = ["zip", "enumerate", "rev", "skip", "take", "step_by", "map", "fold", "into_iter"];

impl Infer<'_> {
    /// The methods of ranges, arrays and what is made of them.
    pub(super) fn iterator_method(&mut self, expr: &Expr, receiver: &Ty, name: &Ident, arguments: &[Expr]) -> Ty {
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
                let help = match (reduction(&word, expr), nearest(&word, ITERATOR_METHODS)) {
                    (Some(help), _) => help,
                    (None, Some(known)) => format!("did you mean `{known}`?"),
                    (None, None) => format!(
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
    pub(super) fn skip_closure(&mut self, argument: &Expr) {
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
    pub(super) fn function_argument(&mut self, function: &Expr, parameters: &[Ty]) -> Ty {
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
            return self
                .wrong(messages::NOT_CALLABLE.at(function, &[&found]).helped("give it a closure or a function"));
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
}

/// The functions of ranges that stand for methods of Rust's iterators.
const REDUCTIONS: [(&str, Reduction); 3] =
    [("sum", Reduction::Sum), ("min", Reduction::Least), ("max", Reduction::Greatest)];

/// What to write for `(0..n).map(|i| ..).sum()`; nothing for what is not made of a range, or of no values by a closure.
fn reduction(word: &str, expr: &Expr) -> Option<String> {
    let (_, reduction) = REDUCTIONS.into_iter().find(|(method, _)| *method == word)?;
    let ExprKind::Method { receiver, .. } = &expr.kind else { return None };
    let mut first = &**receiver;
    while let ExprKind::Paren(inner) | ExprKind::Method { receiver: inner, .. } = &first.kind {
        first = inner;
    }
    let ExprKind::Range { start: Some(start), end: Some(end), limits } = &first.kind else { return None };
    let (start, end, dots) = (word_of(start), word_of(end), limits.to_token_stream());
    Some(format!("write `{}({start}{dots}{end}, |i| ..)`, with the term for each `i`", reduction.name()))
}

/// A name or a number as it is written, else `..`.
fn word_of(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Literal(Literal { value: LiteralValue::Int(value), .. }) => value.to_string(),
        ExprKind::Path(path) if path.len() == 1 => path[0].to_string(),
        ExprKind::Paren(inner) => word_of(inner),
        _ => String::from("(..)"),
    }
}
