//! The types of everything, as rustc would find them: unification over a closed set.
//!
//! Runs once for each kernel (and each type of `types`). What it accepts and rustc does not, or types otherwise, the
//! witness shows: rustc checks a copy of the function with the types found here written in. Order matters as in rustc: a
//! method is looked up when it is met, so its receiver must be known by then; conversions are checked last.

mod blocks;
mod calls;
mod constants;
mod cover;
mod expressions;
mod finish;
mod instead;
mod iterators;
mod methods;
mod mismatch;
mod names;
mod operators;
mod patterns;
pub mod types;
mod views;
mod written;

use crate::builtins::{self, Method};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::{Constant, Type};
use crate::messages;
use crate::syntax::*;
use proc_macro2::Span;
use std::collections::{BTreeMap, BTreeSet};
use types::{Callable, Kind, Ty, Unifier};
use windrow_reference::limits::MAX_CHANNELS;

/// What a path names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Resolution {
    /// A variable or a parameter.
    Local(LocalId),
    /// A `const` item.
    Constant(ItemId),
    /// A constant of the library: `u8::MAX`.
    Known(Constant, Type),
    /// The value of an enum: which one.
    EnumValue(u32),
    /// Something to call.
    Callable(Callable),
}

/// A closed enum: its name and its values.
#[derive(Clone, Debug)]
pub struct Enum {
    /// The name.
    pub name: String,
    /// The values in order of declaration.
    pub values: Vec<String>,
}

/// What inference found out about a kernel and what it shares.
#[derive(Default)]
pub struct Types {
    /// The type of each expression.
    pub expressions: Vec<Ty>,
    /// The type of each binding.
    pub locals: Vec<Ty>,
    /// What each path names.
    pub resolutions: ByExpr<Resolution>,
    /// The row of the builtin table that a method of a scalar is.
    pub methods: ByExpr<&'static Method>,
    /// Names in patterns that are constants, not bindings.
    pub constants: BTreeMap<LocalId, Resolution>,
    /// The length of each `[a; n]`.
    pub lengths: BTreeMap<ExprId, u64>,
    /// The size of each `window::<W, H>()`.
    pub windows: BTreeMap<ExprId, (u64, u64)>,
    /// The parameters and the result of each closure.
    pub closures: BTreeMap<ExprId, Signature>,
    /// What the terms of each `argmax` are.
    pub terms: BTreeMap<ExprId, Ty>,
    /// The parameters and the result of each function.
    pub functions: BTreeMap<ItemId, Signature>,
    /// The type of each constant.
    pub items: BTreeMap<ItemId, Ty>,
    /// The closed enums: the prelude's, then the author's.
    pub enums: Vec<Enum>,
    /// The kernel's parameters.
    pub parameters: Vec<Ty>,
    /// What the kernel returns.
    pub output: Option<Ty>,
}

/// What is known of expressions of a kind: lowering asks for it in every turn of a loop.
pub struct ByExpr<T>(Vec<Option<T>>);

impl<T> Default for ByExpr<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Clone> ByExpr<T> {
    /// What is known of an expression.
    pub fn get(&self, expr: ExprId) -> Option<&T> {
        self.0.get(expr.0 as usize)?.as_ref()
    }

    fn insert(&mut self, expr: ExprId, known: T) {
        let place = expr.0 as usize;
        if place >= self.0.len() {
            self.0.resize(place + 1, None);
        }
        self.0[place] = Some(known);
    }
}

impl Types {
    /// The type of an expression.
    pub fn of(&self, expr: &Expr) -> &Ty {
        self.expressions.get(expr.id.0 as usize).unwrap_or(&Ty::Error)
    }
}

/// Parameters and result.
#[derive(Clone, Debug)]
pub struct Signature {
    /// The parameters.
    pub parameters: Vec<Ty>,
    /// The result.
    pub result: Ty,
}

/// Finds the types of a kernel, and of every item that kernels share.
pub fn infer(unit: &Unit, kernel: &KernelItem, copy: Option<(&str, Type)>) -> Result<Types, Vec<Diagnostic>> {
    let mut infer = Infer::new(unit, kernel, copy);
    infer.shared();
    infer.kernel(kernel);
    infer.finish()
}

/// Names that are visible.
struct Scope {
    names: Vec<(String, LocalId)>,
    items: Vec<ItemId>,
    /// A nested `fn` or `const`: the variables outside aren't visible inside.
    barrier: bool,
}

/// Inference in progress.
struct Infer<'a> {
    unit: &'a Unit,
    copy: Option<(&'a str, Type)>,
    kernel: &'a KernelItem,
    types: Types,
    unifier: Unifier,
    errors: Diagnostics,
    scopes: Vec<Scope>,
    /// Operators whose operands aren't known yet.
    pending: Vec<operators::Pending>,
    /// What can only be checked when all types are known.
    late: Vec<Late>,
    /// Where the loop over nested items stands: constants whose value is being looked at.
    lengths_in_progress: Vec<ItemId>,
    /// Names of types that are not there, and have been told.
    unknown_types: BTreeSet<String>,
}

/// A check that waits for all types to be known.
struct Late {
    place: (Span, Span),
    check: LateCheck,
}

enum LateCheck {
    /// `as` between these types.
    Cast(Ty, Ty),
    /// `to::from(value)`.
    From(Ty, Type),
    /// An operator on operands of this type.
    Operator(String, crate::operators::Class, Ty),
    /// A literal that must fit.
    Literal { value: LiteralValue, negative: bool, text: String, ty: Ty },
    /// A method whose receiver was an integer of a type not known yet.
    Method(&'static Method, Ty),
    /// A term of a reduction, of this type.
    Term(&'static str, Ty),
    /// A conversion by a method, from this type to that.
    Target(&'static Method, Ty, Ty),
    /// The index of a table.
    Index(Ty),
    /// A `match` over values of this type: whether the arms cover it.
    Arms(Ty, Vec<cover::Cover>),
}

impl<'a> Infer<'a> {
    fn new(unit: &'a Unit, kernel: &'a KernelItem, copy: Option<(&'a str, Type)>) -> Self {
        let known = builtins::ENUMS.iter().map(|(name, values)| Enum {
            name: (*name).to_owned(),
            values: values.iter().map(|value| (*value).to_owned()).collect(),
        });
        let types = Types {
            expressions: vec![Ty::Error; unit.expressions as usize],
            locals: vec![Ty::Error; unit.locals.len()],
            enums: known.collect(),
            ..Types::default()
        };
        Self {
            unit,
            copy,
            kernel,
            types,
            unifier: Unifier::default(),
            errors: Diagnostics::default(),
            scopes: vec![Scope { names: Vec::new(), items: unit.shared.clone(), barrier: true }],
            pending: Vec::new(),
            late: Vec::new(),
            lengths_in_progress: Vec::new(),
            unknown_types: BTreeSet::new(),
        }
    }

    fn shared(&mut self) {
        self.declare_items(&self.unit.shared);
    }

    fn kernel(&mut self, kernel: &KernelItem) {
        let parameters: Vec<Ty> = kernel.parameters.iter().map(|parameter| self.parameter(parameter)).collect();
        let output = self.result(&kernel.output);
        self.scopes.push(Scope { names: Vec::new(), items: Vec::new(), barrier: true });
        for (parameter, ty) in kernel.parameters.iter().zip(&parameters) {
            self.bind(&parameter.pattern, ty);
        }
        self.body(|infer| infer.block_against(&kernel.body, &output));
        self.scopes.pop();
        self.types.parameters = parameters;
        self.types.output = Some(output);
    }

    /// The type of a kernel's result. One that no image holds is refused at its own place, before the body is held against it.
    fn result(&mut self, written: &TypeExpr) -> Ty {
        let refused = match self.written(written) {
            Ty::Array(element, length) if matches!(*element, Ty::Scalar(_)) && length > MAX_CHANNELS as u64 => {
                messages::CHANNELS.at(written, &[&length.to_string()])
            }
            ty @ (Ty::Table(..) | Ty::View(..) | Ty::Neighbourhood(_)) => {
                messages::OUTPUT_TYPE.at(written, &[&self.show(&ty)]).helped(messages::RESULT_OF_SEVERAL)
            }
            other => return other,
        };
        self.wrong(refused)
    }

    /// A body of its own: its literals fall back when it ends.
    fn body(&mut self, body: impl FnOnce(&mut Self)) {
        let outside = std::mem::take(&mut self.pending);
        let first = self.unifier.count();
        body(self);
        self.resolve_pending();
        self.unifier.fall_back(first);
        self.resolve_pending();
        self.pending = outside;
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.errors.report(diagnostic);
    }

    /// Reports, and goes on with a type that causes no further mistakes.
    fn wrong(&mut self, diagnostic: Diagnostic) -> Ty {
        self.report(diagnostic);
        Ty::Error
    }

    fn fresh(&mut self) -> Ty {
        self.unifier.fresh(Kind::General)
    }

    /// The author's name of a type.
    fn show(&self, ty: &Ty) -> String {
        self.types.show(&self.unifier.resolve(ty), &self.unifier)
    }
}

impl Types {
    /// The author's name of a type.
    pub fn show(&self, ty: &Ty, unifier: &Unifier) -> String {
        match ty {
            Ty::Scalar(ty) => (*ty).name().to_owned(),
            Ty::Usize => "usize".to_owned(),
            Ty::Array(element, n) => format!("[{}; {n}]", self.show(element, unifier)),
            Ty::Tuple(parts) if parts.len() == 1 => format!("({},)", self.show(&parts[0], unifier)),
            Ty::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.show(part, unifier)).collect();
                format!("({})", parts.join(", "))
            }
            Ty::Enum(which) => self.enums[*which].name.clone(),
            Ty::Closure(_) => "a closure".to_owned(),
            Ty::Function(_) => "a function".to_owned(),
            Ty::Neighbourhood(pixel) => format!("Neighbourhood<{}>", self.show(pixel, unifier)),
            Ty::View(pixel, None) => format!("View<{}>", self.show(pixel, unifier)),
            Ty::View(pixel, Some(rank)) => format!("View<{}, {rank}>", self.show(pixel, unifier)),
            Ty::Option(inner) => format!("Option<{}>", self.show(inner, unifier)),
            Ty::Table(ty, n) => format!("Table<{}, {n}>", (*ty).name()),
            Ty::Iterator(item) => format!("an iterator over {}", self.show(item, unifier)),
            Ty::Var(_) => match unifier.shape(ty) {
                types::Shape::Integer => "integer".to_owned(),
                types::Shape::Float => Type::F32.name().to_owned(),
                types::Shape::Bool | types::Shape::Other | types::Shape::Unknown => "_".to_owned(),
            },
            Ty::Error => "_".to_owned(),
        }
    }
}
