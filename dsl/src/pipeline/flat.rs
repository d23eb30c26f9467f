//! Calls and computed values in the arguments of calls, as statements of their own, in the order in which they are evaluated.

use quote::format_ident;
use syn::{Expr, Stmt, UnOp, parse_quote};

use super::body::{kernel_call, may_leave};

/// What the names of values in a call's arguments begin with.
pub(super) const ARGUMENT: &str = "windrow_argument_";

/// The statements of a body, with what is computed in the arguments of a kernel's call, and in `Ok(..)` at the end, in a `let` before.
pub(super) fn flat(statements: &[Stmt]) -> Vec<Stmt> {
    let mut flat = Flat { done: Vec::new(), count: 0 };
    for statement in statements {
        let mut statement = statement.clone();
        flat.statement(&mut statement);
        flat.done.push(statement);
    }
    flat.done
}

/// Whether an expression can be evaluated later, or once for two: names, numbers, and arithmetic on them.
pub(super) fn is_simple(expression: &Expr) -> bool {
    match expression {
        Expr::Lit(_) | Expr::Path(_) => true,
        Expr::Reference(reference) => reference.mutability.is_none() && is_simple(&reference.expr),
        Expr::Field(field) => is_simple(&field.base),
        Expr::Paren(paren) => is_simple(&paren.expr),
        Expr::Cast(cast) => is_simple(&cast.expr),
        Expr::Unary(unary) => is_simple(&unary.expr),
        Expr::Binary(binary) => is_simple(&binary.left) && is_simple(&binary.right),
        Expr::Array(array) => array.elems.iter().all(is_simple),
        Expr::Repeat(repeat) => is_simple(&repeat.expr) && is_simple(&repeat.len),
        Expr::Tuple(tuple) => tuple.elems.iter().all(is_simple),
        _ => false,
    }
}

struct Flat {
    done: Vec<Stmt>,
    count: usize,
}

impl Flat {
    fn statement(&mut self, statement: &mut Stmt) {
        match statement {
            Stmt::Local(local) => {
                if let Some(init) = local.init.as_mut().filter(|init| init.diverge.is_none())
                    && let Expr::Try(tried) = &mut *init.expr
                {
                    self.arguments(&mut tried.expr);
                }
            }
            Stmt::Expr(expression, None) => match expression {
                Expr::Call(call) if matches!(&*call.func, Expr::Path(path) if path.path.is_ident("Ok")) => {
                    if let [Expr::Tuple(results)] = call.args.iter_mut().collect::<Vec<_>>().as_mut_slice() {
                        self.all(results.elems.iter_mut());
                    } else {
                        self.all(call.args.iter_mut());
                    }
                }
                _ => self.arguments(expression),
            },
            Stmt::Expr(_, Some(_)) | Stmt::Item(_) | Stmt::Macro(_) => {}
        }
    }

    /// The arguments of a kernel's call; nothing of other calls.
    fn arguments(&mut self, expression: &mut Expr) {
        if kernel_call(expression).is_some()
            && let Expr::Call(call) = expression
        {
            self.all(call.args.iter_mut());
        }
    }

    /// Up to the first that has to stay where it is: what comes behind it is evaluated after it.
    fn all<'e>(&mut self, expressions: impl Iterator<Item = &'e mut Expr>) {
        for expression in expressions {
            if !is_simple(expression) && !self.named(expression) {
                break;
            }
        }
    }

    /// Puts a name in the place of a call of a kernel, or of a value that borrows nothing which ends with the statement.
    fn named(&mut self, expression: &mut Expr) -> bool {
        match expression {
            Expr::Reference(reference) if reference.mutability.is_none() => return self.named(&mut reference.expr),
            Expr::Paren(paren) => return self.named(&mut paren.expr),
            Expr::Try(tried) if kernel_call(&tried.expr).is_some() => self.arguments(&mut tried.expr),
            _ if is_owned(expression) => {}
            _ => return false,
        }
        let name = format_ident!("{ARGUMENT}{}", self.count);
        self.count += 1;
        self.done.push(parse_quote!(let #name = #expression;));
        *expression = parse_quote!(#name);
        true
    }
}

/// `Border::constant(3)`, and whatever becomes a number: values without a borrow of their own arguments.
fn is_owned(expression: &Expr) -> bool {
    let plain = |argument: &Expr| is_simple(argument) && !matches!(argument, Expr::Reference(_));
    match expression {
        Expr::Call(call) => matches!(&*call.func, Expr::Path(_)) && call.args.iter().all(plain),
        Expr::Cast(cast) => !may_leave(&cast.expr),
        Expr::Unary(unary) => matches!(unary.op, UnOp::Neg(_) | UnOp::Not(_)) && is_owned(&unary.expr),
        _ => false,
    }
}
