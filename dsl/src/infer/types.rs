//! The types that inference works with, and their unification.

use crate::ir::{AxisId, Type};
use crate::syntax::{ExprId, ItemId};

/// A type, perhaps not known yet.
#[derive(Clone, Debug, PartialEq)]
pub enum Ty {
    /// An element's type, or bool.
    Scalar(Type),
    /// `usize`.
    Usize,
    /// `[T; N]`.
    Array(Box<Ty>, u64),
    /// `(A, B)`; `()` is empty.
    Tuple(Vec<Ty>),
    /// A closed enum, by its place in [`super::Types::enums`].
    Enum(usize),
    /// The closure of this expression.
    Closure(ExprId),
    /// A function's name.
    Function(Callable),
    /// `Neighbourhood<T>`.
    Neighbourhood(Box<Ty>),
    /// `View<T>`, a plane; with a number, `View<T, N>`: a tensor of so many dimensions.
    View(Box<Ty>, Option<u32>),
    /// `Option<T>`: what `get` of a view gives.
    Option(Box<Ty>),
    /// `Table<T, N>`.
    Table(Type, u32),
    /// A range or another iterator, with the type of its items.
    Iterator(Box<Ty>),
    /// Not known yet.
    Var(usize),
    /// Wrong, and already reported.
    Error,
}

/// What a path names that can be called.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Callable {
    /// A helper function.
    Item(ItemId),
    /// `x` and `y` of the prelude.
    Coordinate(AxisId),
    /// `u8::min`: a method of the builtin table, by its name, on a type.
    Method(&'static str, Type),
    /// `u16::from`.
    From(Type),
    /// `f32::from_bits`.
    FromBits,
    /// `sum`, `least`, `greatest` and `argmax` of the prelude.
    Reduction(Reduction),
}

/// What is made of the values of a closure over a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    Sum,
    Least,
    Greatest,
    /// Where the first greatest one is.
    Argmax,
}

impl Reduction {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Sum, Self::Least, Self::Greatest, Self::Argmax];

    /// The function's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sum => "sum",
            Self::Least => "least",
            Self::Greatest => "greatest",
            Self::Argmax => "argmax",
        }
    }

    /// The one of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|own| own.name() == name)
    }
}

impl Ty {
    /// `()`.
    pub const UNIT: Ty = Ty::Tuple(Vec::new());
    /// `bool`.
    pub const BOOL: Ty = Ty::Scalar(Type::BOOL);

    /// The type of a place in a view: an index for each dimension.
    pub fn place(rank: Option<u32>) -> Ty {
        Ty::Array(Box::new(Ty::Scalar(Type::I32)), rank.unwrap_or(AxisId::COUNT).into())
    }

    /// The IR's type of a scalar.
    pub fn scalar(&self) -> Option<Type> {
        match self {
            Ty::Scalar(ty) => Some(*ty),
            Ty::Usize => Some(Type::U32),
            Ty::Array(..)
            | Ty::Tuple(_)
            | Ty::Enum(_)
            | Ty::Closure(_)
            | Ty::Function(_)
            | Ty::Neighbourhood(_)
            | Ty::View(..)
            | Ty::Option(_)
            | Ty::Table(..)
            | Ty::Iterator(_)
            | Ty::Var(_)
            | Ty::Error => None,
        }
    }
}

impl Ty {
    /// The types that stand inside a type.
    pub fn parts(&self) -> &[Ty] {
        match self {
            Ty::Array(part, _)
            | Ty::Neighbourhood(part)
            | Ty::View(part, _)
            | Ty::Option(part)
            | Ty::Iterator(part) => std::slice::from_ref(part),
            Ty::Tuple(parts) => parts,
            Ty::Scalar(_)
            | Ty::Usize
            | Ty::Enum(_)
            | Ty::Closure(_)
            | Ty::Function(_)
            | Ty::Table(..)
            | Ty::Var(_)
            | Ty::Error => &[],
        }
    }
}

/// What an unknown type may become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Anything.
    General,
    /// An integer: a literal without suffix.
    Integer,
    /// A float: a literal without suffix.
    Float,
}

/// What a type is, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// An integer of a known type, `usize`, or of a type not known yet.
    Integer,
    /// A float.
    Float,
    /// A truth value.
    Bool,
    /// Something else.
    Other,
    /// Not known at all.
    Unknown,
}

/// The unknown types and what has been found out about them.
#[derive(Default)]
pub struct Unifier {
    variables: Vec<(Kind, Option<Ty>)>,
}

impl Unifier {
    /// A new unknown.
    pub fn fresh(&mut self, kind: Kind) -> Ty {
        self.variables.push((kind, None));
        Ty::Var(self.variables.len() - 1)
    }

    /// How many unknowns there are.
    pub fn count(&self) -> usize {
        self.variables.len()
    }

    /// The type as far as it is known, at the top.
    pub fn shallow(&self, ty: &Ty) -> Ty {
        let mut ty = ty;
        while let Ty::Var(v) = ty
            && let Some(known) = &self.variables[*v].1
        {
            ty = known;
        }
        ty.clone()
    }

    /// The type as far as it is known, all through.
    pub fn resolve(&self, ty: &Ty) -> Ty {
        match self.shallow(ty) {
            Ty::Array(element, n) => Ty::Array(Box::new(self.resolve(&element)), n),
            Ty::Tuple(parts) => Ty::Tuple(parts.iter().map(|part| self.resolve(part)).collect()),
            Ty::Neighbourhood(pixel) => Ty::Neighbourhood(Box::new(self.resolve(&pixel))),
            Ty::View(pixel, rank) => Ty::View(Box::new(self.resolve(&pixel)), rank),
            Ty::Option(inner) => Ty::Option(Box::new(self.resolve(&inner))),
            Ty::Iterator(item) => Ty::Iterator(Box::new(self.resolve(&item))),
            known @ (Ty::Scalar(_)
            | Ty::Usize
            | Ty::Enum(_)
            | Ty::Closure(_)
            | Ty::Function(_)
            | Ty::Table(..)
            | Ty::Var(_)
            | Ty::Error) => known,
        }
    }

    /// What a type is, as far as it is known.
    pub fn shape(&self, ty: &Ty) -> Shape {
        match self.shallow(ty) {
            Ty::Scalar(Type::BOOL) => Shape::Bool,
            Ty::Scalar(ty) if ty.is_float() => Shape::Float,
            Ty::Scalar(_) | Ty::Usize => Shape::Integer,
            Ty::Var(v) => match self.variables[v].0 {
                Kind::General => Shape::Unknown,
                Kind::Integer => Shape::Integer,
                Kind::Float => Shape::Float,
            },
            Ty::Array(..)
            | Ty::Tuple(_)
            | Ty::Enum(_)
            | Ty::Closure(_)
            | Ty::Function(_)
            | Ty::Neighbourhood(_)
            | Ty::View(..)
            | Ty::Option(_)
            | Ty::Table(..)
            | Ty::Iterator(_)
            | Ty::Error => Shape::Other,
        }
    }

    /// Makes two types one; false where they can't be.
    pub fn unify(&mut self, a: &Ty, b: &Ty) -> bool {
        match (self.shallow(a), self.shallow(b)) {
            // What is made one with a mistake is one: it is reported once.
            (Ty::Error, Ty::Var(v)) | (Ty::Var(v), Ty::Error) => {
                self.variables[v].1 = Some(Ty::Error);
                true
            }
            (Ty::Error, _) | (_, Ty::Error) => true,
            (Ty::Var(v), Ty::Var(w)) if v == w => true,
            (Ty::Var(v), Ty::Var(w)) => self.join(v, w),
            (Ty::Var(v), known) | (known, Ty::Var(v)) => self.assign(v, known),
            (Ty::Array(a, n), Ty::Array(b, m)) => n == m && self.unify(&a, &b),
            (Ty::Tuple(a), Ty::Tuple(b)) => a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| self.unify(a, b)),
            (Ty::View(a, n), Ty::View(b, m)) => n == m && self.unify(&a, &b),
            (Ty::Neighbourhood(a), Ty::Neighbourhood(b))
            | (Ty::Option(a), Ty::Option(b))
            | (Ty::Iterator(a), Ty::Iterator(b)) => self.unify(&a, &b),
            (a, b) => a == b,
        }
    }

    fn join(&mut self, v: usize, w: usize) -> bool {
        match (self.variables[v].0, self.variables[w].0) {
            (Kind::General, _) => self.variables[v].1 = Some(Ty::Var(w)),
            (_, Kind::General) => self.variables[w].1 = Some(Ty::Var(v)),
            (a, b) if a == b => self.variables[v].1 = Some(Ty::Var(w)),
            (Kind::Integer | Kind::Float, _) => return false,
        }
        true
    }

    fn assign(&mut self, v: usize, known: Ty) -> bool {
        let allowed = match self.variables[v].0 {
            Kind::General => !self.occurs(v, &known),
            Kind::Integer => known == Ty::Usize || matches!(known, Ty::Scalar(ty) if ty.is_integer()),
            Kind::Float => matches!(known, Ty::Scalar(Type::F32 | Type::F64)),
        };
        if allowed {
            self.variables[v].1 = Some(known);
        }
        allowed
    }

    /// Whether the unknown is a part of the type.
    fn occurs(&self, v: usize, ty: &Ty) -> bool {
        match self.shallow(ty) {
            Ty::Var(w) => v == w,
            known => known.parts().iter().any(|part| self.occurs(v, part)),
        }
    }

    /// Literals that nothing decides are i32 and f64, as in Rust; from the unknown `first` on.
    pub fn fall_back(&mut self, first: usize) {
        for (kind, known) in &mut self.variables[first..] {
            match kind {
                Kind::Integer if known.is_none() => *known = Some(Ty::Scalar(Type::I32)),
                Kind::Float if known.is_none() => *known = Some(Ty::Scalar(Type::F64)),
                Kind::General | Kind::Integer | Kind::Float => {}
            }
        }
    }
}

/// Whether a value of this type can be negative.
pub fn is_signed(ty: Type) -> bool {
    ty.is_signed() || matches!(ty, Type::F32 | Type::F64)
}
