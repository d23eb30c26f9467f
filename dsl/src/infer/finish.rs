//! The end of inference: what had to wait until every type was known.

use super::types::{Shape, Ty};
use super::{Infer, Late, LateCheck, Types};
use crate::builtins::{self, Lowering};
use crate::diagnostic::Diagnostic;
use crate::ir::{CastMode, Kind, Type, legal};
use crate::messages;
use crate::syntax::*;
use proc_macro2::Span;

impl Infer<'_> {
    /// Makes the late checks, and writes down the final types.
    pub(super) fn finish(mut self) -> Result<Types, Vec<Diagnostic>> {
        for late in std::mem::take(&mut self.late) {
            self.late_check(late);
        }
        if self.errors.is_empty() {
            self.unknown_locals();
        }
        self.errors.finish()?;
        let resolve = |ty: &mut Ty| *ty = self.unifier.resolve(ty);
        let mut types = self.types;
        types.expressions.iter_mut().for_each(resolve);
        types.locals.iter_mut().for_each(resolve);
        types.items.values_mut().chain(types.terms.values_mut()).for_each(resolve);
        types.parameters.iter_mut().for_each(resolve);
        types.output.iter_mut().for_each(resolve);
        for signature in types.closures.values_mut().chain(types.functions.values_mut()) {
            signature.parameters.iter_mut().for_each(resolve);
            resolve(&mut signature.result);
        }
        Ok(types)
    }

    fn late_check(&mut self, late: Late) {
        let place = late.place;
        match late.check {
            LateCheck::Cast(from, to) => self.check_cast(place, &from, &to),
            LateCheck::From(from, to) => self.check_from(place, &from, to),
            LateCheck::Operator(symbol, class, ty) => {
                self.check_operator(place, &symbol, class, &ty);
            }
            LateCheck::Literal { value, negative, text, ty } => self.check_literal(place, value, negative, &text, &ty),
            LateCheck::Method(method, ty) => self.check_method(place, method, &ty),
            LateCheck::Target(method, from, to) => self.check_target(place, method, &from, &to),
            LateCheck::Term(name, ty) => {
                let is_number = match self.unifier.shallow(&ty) {
                    Ty::Scalar(ty) => ty.is_integer() || ty == Type::F32,
                    Ty::Var(_) | Ty::Error => true,
                    _ => false,
                };
                if !is_number {
                    let found = self.show(&ty);
                    self.report(messages::REDUCTION_TERM.at(place, &[name, &found]));
                }
            }
            LateCheck::Index(ty) => self.check_index(place, &ty),
            LateCheck::Arms(ty, covers) => {
                if !self.covered(&ty, &covers) {
                    self.report(messages::NOT_EXHAUSTIVE.at(place, &[]));
                }
            }
        }
    }

    fn check_cast(&mut self, place: (Span, Span), from: &Ty, to: &Ty) {
        let (from, to) = (self.unifier.shallow(from), self.unifier.shallow(to));
        let help = match (&from, &to) {
            (Ty::Error, _) | (_, Ty::Error) => return,
            (Ty::Scalar(Type::BOOL), Ty::Scalar(Type::F32 | Type::F64)) => {
                "convert to an integer first: `.. as u8 as f32`"
            }
            (Ty::Scalar(Type::BOOL), Ty::Scalar(_) | Ty::Usize) => return,
            (Ty::Scalar(_) | Ty::Usize, Ty::Scalar(Type::BOOL)) => "compare it: `.. != 0`",
            (Ty::Scalar(own), Ty::Scalar(to)) if own.is_half() || to.is_half() => {
                return self.check_cast_of_half(place, *own, *to);
            }
            (Ty::Scalar(own), Ty::Scalar(to)) if !legal::cast(CastMode::Value, *own, *to) => match own.kind() {
                Kind::Unsigned => {
                    "go by way of a type of 32 bits, which must hold the value: `.. as u32`, or `.saturating_cast::<u32>()`"
                }
                _ => {
                    "go by way of a type of 32 bits, which must hold the value: `.. as i32`, or `.saturating_cast::<i32>()`"
                }
            },
            (Ty::Scalar(_) | Ty::Usize, Ty::Scalar(_) | Ty::Usize) => return,
            (Ty::Var(_), _) if self.unifier.shape(&from) == Shape::Unknown => {
                "write the type where the value comes from: `|v: u8|`"
            }
            (Ty::Var(_), _) => "write the literal's type behind it",
            (_, _) => "convert each part by itself",
        };
        let words = (self.show(&from), self.show(&to));
        self.report(messages::CAST.at(place, &[&words.0, &words.1, help]));
    }

    /// A conversion from a half, or to one, by `as`, which Rust has not, or by a method.
    fn check_cast_of_half(&mut self, place: (Span, Span), from: Type, to: Type) {
        let help = match legal::converts(CastMode::Value, from, to) {
            true => format!("Rust has no `as` for it: write `(..).cast::<{}>()`", to.name()),
            false if from.is_half() => format!("go by way of f32: `(..).cast::<f32>() as {}`", to.name()),
            false => format!("go by way of f32: `(.. as f32).cast::<{}>()`", to.name()),
        };
        self.report(messages::CAST.at(place, &[from.name(), to.name(), &help]));
    }

    fn check_from(&mut self, place: (Span, Span), from: &Ty, to: Type) {
        let good = match self.unifier.shallow(from) {
            Ty::Scalar(from) => builtins::from_is_lossless(from, to),
            Ty::Error => true,
            _ => false,
        };
        if !good {
            let found = self.show(from);
            self.report(messages::FROM.at(place, &[to.name(), &found]));
        }
    }

    fn check_literal(&mut self, place: (Span, Span), value: LiteralValue, negative: bool, text: &str, ty: &Ty) {
        let LiteralValue::Int(value) = value else { return };
        let (lo, hi) = match self.unifier.shallow(ty) {
            Ty::Scalar(Type::F32 | Type::F64) | Ty::Error | Ty::Var(_) => return,
            // The operator itself is refused.
            Ty::Scalar(ty) if negative && !ty.is_signed() => return,
            Ty::Scalar(ty) => ty.limits(),
            _ => (0, i128::from(u32::MAX)),
        };
        let value = if negative { -value } else { value };
        if !(lo..=hi).contains(&value) {
            let sign = if negative { "-" } else { "" };
            let (text, ty, range) = (format!("{sign}{text}"), self.show(ty), format!("{lo} ..= {hi}"));
            self.report(messages::LITERAL_RANGE.at(place, &[&text, &ty, &range]));
        }
    }

    fn check_method(&mut self, place: (Span, Span), method: &builtins::Method, ty: &Ty) {
        let good = match self.unifier.shallow(ty) {
            Ty::Scalar(ty) => method.receivers.contain(ty) && method.lowering.lacked_by(ty).is_none(),
            Ty::Usize => method.receivers.usize,
            _ => true,
        };
        if !good {
            let found = self.show(ty);
            self.report(
                messages::METHOD_TYPE.at(place, &[method.name, &found]).helped(super::methods::other_type(method, ty)),
            );
        }
    }

    fn check_target(&mut self, place: (Span, Span), method: &builtins::Method, from: &Ty, to: &Ty) {
        let mode = match method.lowering {
            Lowering::Cast(mode) => mode,
            _ => CastMode::Value,
        };
        if let (Ty::Scalar(from), Ty::Scalar(to)) = (self.unifier.shallow(from), self.unifier.shallow(to))
            && (from.is_half() || to.is_half())
            && !legal::converts(mode, from, to)
        {
            if mode == CastMode::Value {
                return self.check_cast_of_half(place, from, to);
            }
            let help = "a half is converted to f32, and from it, by `.cast()`, which rounds to nearest";
            return self.report(messages::CAST.at(place, &[from.name(), to.name(), help]));
        }
        match self.unifier.shallow(to) {
            Ty::Error => {}
            Ty::Scalar(Type::BOOL) => {
                self.report(messages::CAST.at(place, &["a number", "bool", "compare it: `.. != 0`"]));
            }
            Ty::Scalar(Type::F32 | Type::F64) if method.name == "wrapping_cast" => {
                self.report(messages::CAST.at(place, &["an integer", "f32", "write `.. as f32`"]));
            }
            Ty::Scalar(_) => {}
            Ty::Var(_) => self.report(messages::RESULT_UNKNOWN.at(place, &[method.name])),
            other => {
                let found = self.show(&other);
                self.report(messages::CAST.at(place, &["a number", &found, "convert each part by itself"]));
            }
        }
    }

    fn check_index(&mut self, place: (Span, Span), ty: &Ty) {
        if self.unifier.shape(ty) != Shape::Integer && self.unifier.shallow(ty) != Ty::Error {
            let found = self.show(ty);
            self.report(messages::TABLE_INDEX.at(place, &[&found]));
        }
    }

    /// Bindings whose types nothing decides.
    fn unknown_locals(&mut self) {
        for (index, ty) in self.types.locals.clone().iter().enumerate() {
            if contains_unknown(&self.unifier.resolve(ty)) {
                let name = self.unit.local(LocalId(index as u32));
                self.report(messages::TYPE_UNKNOWN.at(name, &[&name.to_string()]));
            }
        }
    }
}

fn contains_unknown(ty: &Ty) -> bool {
    matches!(ty, Ty::Var(_)) || ty.parts().iter().any(contains_unknown)
}
