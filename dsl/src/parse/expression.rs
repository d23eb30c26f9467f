//! Expressions: what a kernel may compute, and a way out for everything else that Rust can say.

use super::{Parser, guard, span};
use crate::ir::{Type, legal};
use crate::messages::{self, Located, Message, Tokens};
use crate::syntax::*;
use proc_macro2::Span;
use quote::ToTokens;

/// The most arms of a `match`.
const MAX_ARMS: usize = 64;

impl Parser {
    /// One level down; `None` where the code is nested too deeply, which is said once.
    pub(super) fn descend(&mut self, span: Span) -> Option<()> {
        if self.depth < super::MAX_DEPTH {
            self.depth += 1;
            return Some(());
        }
        if !self.too_deep {
            self.too_deep = true;
            self.report(guard::too_deep(span));
        }
        None
    }

    /// Reads an expression.
    pub(super) fn expr(&mut self, source: &syn::Expr) -> Expr {
        let place = span::of_expr(source);
        let Some(()) = self.descend(place.0) else { return self.make(ExprKind::Underscore, place) };
        let kind = self.kind(source).unwrap_or(ExprKind::Underscore);
        self.depth -= 1;
        self.make(kind, place)
    }

    fn boxed(&mut self, source: &syn::Expr) -> Box<Expr> {
        Box::new(self.expr(source))
    }

    fn exprs<P>(&mut self, sources: &syn::punctuated::Punctuated<syn::Expr, P>) -> Vec<Expr> {
        sources.iter().map(|source| self.expr(source)).collect()
    }

    fn kind(&mut self, source: &syn::Expr) -> Option<ExprKind> {
        match source {
            syn::Expr::Lit(literal) => self.literal(&literal.lit),
            syn::Expr::Path(path) => self.path(path),
            syn::Expr::Paren(paren) => Some(ExprKind::Paren(self.boxed(&paren.expr))),
            syn::Expr::Group(group) => Some(ExprKind::Paren(self.boxed(&group.expr))),
            syn::Expr::Unary(unary) => self.unary(unary),
            syn::Expr::Binary(binary) => self.binary(binary),
            syn::Expr::Assign(assign) => Some(ExprKind::Assign(self.boxed(&assign.left), self.boxed(&assign.right))),
            syn::Expr::Infer(_) => Some(ExprKind::Underscore),
            syn::Expr::Cast(cast) => {
                let value = self.boxed(&cast.expr);
                Some(ExprKind::Cast(value, cast.as_token.span, self.ty(&cast.ty)))
            }
            syn::Expr::If(choice) => self.choice(choice),
            syn::Expr::Match(choice) => self.choice_of_arms(choice),
            syn::Expr::Block(block) => {
                self.refuse_label(block.label.as_ref());
                Some(ExprKind::Block(self.block(&block.block)))
            }
            syn::Expr::ForLoop(turns) => self.for_loop(turns),
            syn::Expr::Call(call) if let Some(name) = exchange(call) => {
                let help = "assign both at once: `(a, b) = (b, a)`";
                self.report(messages::UNKNOWN_FUNCTION.at(name, &[&name.to_string(), help]));
                None
            }
            syn::Expr::Call(call) => Some(ExprKind::Call(self.boxed(&call.func), self.exprs(&call.args))),
            syn::Expr::MethodCall(call) => self.method(call),
            syn::Expr::Index(index) => Some(ExprKind::Index(self.boxed(&index.expr), self.boxed(&index.index))),
            syn::Expr::Field(field) => Some(ExprKind::Field(self.boxed(&field.base), field.member.clone())),
            syn::Expr::Array(array) => Some(ExprKind::Array(self.exprs(&array.elems))),
            syn::Expr::Repeat(repeat) => Some(ExprKind::Repeat(self.boxed(&repeat.expr), repeat.len.clone())),
            syn::Expr::Tuple(tuple) => Some(ExprKind::Tuple(self.exprs(&tuple.elems))),
            syn::Expr::Range(range) => Some(ExprKind::Range {
                start: range.start.as_ref().map(|value| self.boxed(value)),
                end: range.end.as_ref().map(|value| self.boxed(value)),
                limits: range.limits,
            }),
            syn::Expr::Closure(closure) => self.closure(closure),
            refused => self.refused(refused),
        }
    }

    /// Every form that has no place in the language, with its way out.
    fn refused(&mut self, source: &syn::Expr) -> Option<ExprKind> {
        let mut at = |message: Message, place: (Span, Span), words: &[&str]| self.report(message.at(place, words));
        match source {
            syn::Expr::While(e) => at(messages::WHILE, Tokens(&e.while_token).place(), &[]),
            syn::Expr::Loop(e) => at(messages::LOOP, Tokens(&e.loop_token).place(), &[]),
            syn::Expr::Return(e) => at(messages::RETURN, Tokens(&e.return_token).place(), &[]),
            syn::Expr::Break(e) => at(messages::BREAK, Tokens(&e.break_token).place(), &["break"]),
            syn::Expr::Continue(e) => at(messages::BREAK, Tokens(&e.continue_token).place(), &["continue"]),
            syn::Expr::Try(e) => at(messages::TRY, Tokens(&e.question_token).place(), &[]),
            syn::Expr::Reference(e) => at(messages::REFERENCE, Tokens(&e.and_token).place(), &[]),
            syn::Expr::RawAddr(e) => at(messages::REFERENCE, Tokens(&e.and_token).place(), &[]),
            syn::Expr::Macro(e) => self.refused_macro(&e.mac),
            syn::Expr::Unsafe(e) => at(messages::UNSAFE, Tokens(&e.unsafe_token).place(), &[]),
            syn::Expr::Async(e) => at(messages::ASYNC, Tokens(&e.async_token).place(), &["async"]),
            syn::Expr::Await(e) => at(messages::ASYNC, Tokens(&e.await_token).place(), &["await"]),
            syn::Expr::Const(e) => at(messages::ASYNC, Tokens(&e.const_token).place(), &["const { .. }"]),
            syn::Expr::Struct(e) => at(messages::STRUCT, Tokens(&e.path).place(), &[]),
            syn::Expr::Let(e) => at(messages::LET_CONDITION, Tokens(&e.let_token).place(), &[]),
            other => at(messages::UNSUPPORTED, Tokens(other).place(), &[]),
        }
        self.inside_refused(source);
        None
    }

    /// No macro has a place in a kernel; what its purpose needs instead.
    pub(super) fn refused_macro(&mut self, mac: &syn::Macro) {
        let name = mac.path.to_token_stream().to_string();
        let refused = messages::MACRO.at(Tokens(&mac.path), &[&name]);
        self.report(match name.as_str() {
            "vec" => refused.helped("write an array: `[a, b, c]` or `[0; 9]`"),
            "matches" => refused.helped("write a `match` whose arms are `true` and `false`"),
            "assert" | "assert_eq" | "assert_ne" | "debug_assert" | "debug_assert_eq" | "debug_assert_ne" => {
                refused.helped("remove it: what may go wrong is proved; a uniform's bounds are `#[uniform(1..=8)]`")
            }
            "panic" | "unreachable" | "todo" | "unimplemented" => {
                refused.helped("compute a value on every path: a kernel can't panic")
            }
            "print" | "println" | "eprint" | "eprintln" | "dbg" => {
                refused.helped("remove it; to see values, call the function from a test: it is plain Rust")
            }
            _ => refused,
        });
    }

    /// Looks for further mistakes inside a refused form.
    fn inside_refused(&mut self, source: &syn::Expr) {
        let (value, block) = match source {
            syn::Expr::While(e) => (Some(&*e.cond), Some(&e.body)),
            syn::Expr::Loop(e) => (None, Some(&e.body)),
            syn::Expr::Unsafe(e) => (None, Some(&e.block)),
            syn::Expr::Return(e) => (e.expr.as_deref(), None),
            syn::Expr::Try(e) => (Some(&*e.expr), None),
            syn::Expr::Reference(e) => (Some(&*e.expr), None),
            _ => (None, None),
        };
        if let Some(value) = value {
            self.expr(value);
        }
        if let Some(block) = block {
            self.block(block);
        }
    }

    fn path(&mut self, path: &syn::ExprPath) -> Option<ExprKind> {
        if path.qself.is_some() || path.path.leading_colon.is_some() {
            self.report(messages::PATH_FORM.at(Tokens(path), &[]));
            return None;
        }
        for segment in &path.path.segments {
            if !matches!(segment.arguments, syn::PathArguments::None) {
                self.report(messages::GENERIC_PATH.at(Tokens(&segment.arguments), &[]));
                return None;
            }
        }
        Some(ExprKind::Path(path.path.segments.iter().map(|segment| segment.ident.clone()).collect()))
    }

    fn unary(&mut self, unary: &syn::ExprUnary) -> Option<ExprKind> {
        if let syn::UnOp::Deref(star) = &unary.op {
            if !self.has_references {
                self.report(messages::DEREFERENCE.at(Tokens(star), &[]));
            }
            return None;
        }
        Some(ExprKind::Unary(unary.op, self.boxed(&unary.expr)))
    }

    fn binary(&mut self, binary: &syn::ExprBinary) -> Option<ExprKind> {
        let left = self.boxed(&binary.left);
        let right = self.boxed(&binary.right);
        Some(match is_assigning(&binary.op) {
            true => ExprKind::AssignOp(left, binary.op, right),
            false => ExprKind::Binary(left, binary.op, right),
        })
    }

    fn choice(&mut self, choice: &syn::ExprIf) -> Option<ExprKind> {
        if let syn::Expr::Let(condition) = &*choice.cond {
            return Some(self.choice_by_pattern(choice, condition));
        }
        let condition = self.boxed(&choice.cond);
        let then = self.block(&choice.then_branch);
        let otherwise = choice.else_branch.as_ref().map(|(_, value)| self.boxed(value));
        Some(ExprKind::If { condition, then, otherwise })
    }

    /// `if let pattern = value { .. } else { .. }`: a `match` of two arms.
    fn choice_by_pattern(&mut self, choice: &syn::ExprIf, condition: &syn::ExprLet) -> ExprKind {
        let value = self.boxed(&condition.expr);
        let pattern = self.pattern(&condition.pat);
        let braces = choice.then_branch.brace_token.span;
        let place = (braces.open(), braces.close());
        let then = ExprKind::Block(self.block(&choice.then_branch));
        let then = Arm { pattern, guard: None, body: self.make(then, place) };
        let body = match &choice.else_branch {
            Some((_, otherwise)) => self.expr(otherwise),
            None => self.make(ExprKind::Tuple(Vec::new()), place),
        };
        let pattern = Pattern { kind: PatternKind::Wild, start: place.1, end: place.1 };
        ExprKind::Match(value, vec![then, Arm { pattern, guard: None, body }])
    }

    fn choice_of_arms(&mut self, choice: &syn::ExprMatch) -> Option<ExprKind> {
        let value = self.boxed(&choice.expr);
        if choice.arms.len() > MAX_ARMS {
            let words = (choice.arms.len().to_string(), MAX_ARMS.to_string());
            let place = choice.match_token.span;
            self.report(messages::TOO_MANY_ITEMS.at(place, &[&words.0, "arms", &words.1]));
            return None;
        }
        let arms = choice.arms.iter().map(|arm| {
            self.refuse_attributes(&arm.attrs);
            let (pattern, guard) = match &arm.pat {
                syn::Pat::Guard(guarded) => (&*guarded.pat, Some(&*guarded.guard)),
                pattern => (pattern, None),
            };
            let pattern = self.pattern(pattern);
            Arm { pattern, guard: guard.map(|guard| self.expr(guard)), body: self.expr(&arm.body) }
        });
        let arms = arms.collect();
        Some(ExprKind::Match(value, arms))
    }

    fn for_loop(&mut self, turns: &syn::ExprForLoop) -> Option<ExprKind> {
        self.refuse_label(turns.label.as_ref());
        let items = self.boxed(&turns.expr);
        let pattern = self.pattern(&turns.pat);
        let body = self.block(&turns.body);
        Some(ExprKind::For { pattern, items, body })
    }

    fn refuse_label(&mut self, label: Option<&syn::Label>) {
        if let Some(label) = label {
            self.report(messages::LABEL.at(Tokens(label), &[]));
        }
    }

    fn method(&mut self, call: &syn::ExprMethodCall) -> Option<ExprKind> {
        let receiver = self.boxed(&call.receiver);
        let mut turbofish = Vec::new();
        for argument in call.turbofish.iter().flat_map(|fish| &fish.args) {
            match argument {
                syn::GenericArgument::Type(ty) => turbofish.push(Generic::Type(Box::new(self.ty(ty)))),
                other => match super::types::constant_argument(other) {
                    Some(value) => turbofish.push(Generic::Constant(Box::new(value))),
                    None => self.report(messages::GENERIC_PATH.at(Tokens(other), &[])),
                },
            }
        }
        let arguments = self.exprs(&call.args);
        Some(ExprKind::Method { receiver, name: call.method.clone(), turbofish, arguments })
    }

    fn closure(&mut self, closure: &syn::ExprClosure) -> Option<ExprKind> {
        if let Some(capture) = &closure.capture {
            self.report(messages::MOVE.at(Tokens(capture), &[]));
        }
        if let Some(keyword) = &closure.asyncness {
            self.report(messages::ASYNC.at(Tokens(keyword), &["async"]));
        }
        if let Some(keyword) = &closure.constness {
            self.report(messages::ASYNC.at(Tokens(keyword), &["const"]));
        }
        let parameters = closure.inputs.iter().map(|input| match input {
            syn::Pat::Type(typed) => (self.pattern(&typed.pat), Some(self.ty(&typed.ty))),
            pattern => (self.pattern(pattern), None),
        });
        let parameters = parameters.collect();
        let output = match &closure.output {
            syn::ReturnType::Default => None,
            syn::ReturnType::Type(_, ty) => Some(self.ty(ty)),
        };
        let body = self.boxed(&closure.body);
        Some(ExprKind::Closure(Closure { parameters, output, body }))
    }

    fn literal(&mut self, token: &syn::Lit) -> Option<ExprKind> {
        match literal(token) {
            Ok(literal) => Some(ExprKind::Literal(literal)),
            Err(diagnostic) => {
                self.report(diagnostic);
                None
            }
        }
    }
}

/// Whether an operator assigns.
fn is_assigning(op: &syn::BinOp) -> bool {
    use syn::BinOp::*;
    matches!(
        op,
        AddAssign(_)
            | SubAssign(_)
            | MulAssign(_)
            | DivAssign(_)
            | RemAssign(_)
            | BitXorAssign(_)
            | BitAndAssign(_)
            | BitOrAssign(_)
            | ShlAssign(_)
            | ShrAssign(_)
    )
}

/// Reads a literal.
pub(super) fn literal(token: &syn::Lit) -> Result<Literal, crate::diagnostic::Diagnostic> {
    let (value, suffix) = match token {
        syn::Lit::Bool(truth) => (LiteralValue::Bool(truth.value), ""),
        syn::Lit::Int(int) if matches!(int.suffix(), "f32" | "f64") => (float_value(int.base10_digits()), int.suffix()),
        syn::Lit::Int(int) => match int.base10_parse::<i128>() {
            Ok(value) if value <= legal::greatest() => (LiteralValue::Int(value), int.suffix()),
            Ok(_) | Err(_) => {
                let (text, most) = (int.to_string(), format!("at most {}", legal::greatest()));
                return Err(messages::LITERAL_RANGE.at(token.span(), &[&text, "any type of the language", &most]));
            }
        },
        syn::Lit::Float(float) => (float_value(float.base10_digits()), float.suffix()),
        syn::Lit::Byte(byte) => (LiteralValue::Int(byte.value() as i128), "u8"),
        _ => return Err(messages::LITERAL.at(token.span(), &[])),
    };
    let suffix = match suffix {
        "" => None,
        "usize" => Some(Suffix::Usize),
        name => match scalar_type(name).filter(|ty| !ty.is_half()) {
            Some(ty) => Some(Suffix::Type(ty)),
            None => return Err(messages::LITERAL_TYPE.at(token.span(), &[name])),
        },
    };
    Ok(Literal { value, suffix, token: token.clone() })
}

/// The value of digits as a float of either type: each is rounded once.
fn float_value(digits: &str) -> LiteralValue {
    let (single, double) = (digits.parse().unwrap_or(f32::INFINITY), digits.parse().unwrap_or(f64::INFINITY));
    LiteralValue::Float { single, double }
}

/// The type of values that a name says: one that kernels compute with.
pub(crate) fn scalar_type(name: &str) -> Option<Type> {
    Type::named(name).filter(|&ty| legal::is_value(ty))
}

/// The name of a call that exchanges two variables by their references: `mem::swap(&mut a, &mut b)`.
fn exchange(call: &syn::ExprCall) -> Option<&syn::Ident> {
    let syn::Expr::Path(function) = &*call.func else { return None };
    let name = &function.path.segments.last()?.ident;
    let takes_two = call.args.len() == 2 && call.args.iter().all(|one| matches!(one, syn::Expr::Reference(_)));
    (name == "swap" && takes_two).then_some(name)
}
