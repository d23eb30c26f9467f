//! Ways out of a failed proof that bound an operand: by what is declared of uniforms, and of floats before they are converted.

use super::integers;
use super::messages::Writer;
use super::monomial::Monomial;
use crate::ir::Overflow::Never;
use crate::ir::range::{Interval, limits};
use crate::ir::{BinaryOp, Bound, CastMode, Op, Uniform, ValueId};

impl Writer<'_, '_> {
    /// `require(a <= b)`, where both are uniforms.
    pub(super) fn requirement(&self, a: ValueId, b: ValueId) -> Option<String> {
        let scalar = |value: ValueId| self.names.uniform(value).filter(|uniform| uniform.dims.is_empty());
        let (a, b) = (scalar(a)?, scalar(b)?);
        (a.name != b.name).then(|| format!("add `require({} <= {})` to `#[kernel(..)]`", a.name, b.name))
    }

    /// Bounds under which the operation fits, where an operand is a uniform and the other leaves room for it.
    pub(super) fn operand_bounds(&self, op: BinaryOp, a: ValueId, b: ValueId) -> Option<String> {
        let limits = limits(self.ty())?;
        let (left, right) = (self.operand_ideal(a), self.operand_ideal(b));
        let at_right = |own: Interval| integers::binary(op, self.ty(), left, own, false);
        let at_left = |own: Interval| integers::binary(op, self.ty(), own, right, false);
        let result: &dyn Fn(Interval) -> Interval = match (self.names.uniform(b), self.names.uniform(a)) {
            (Some(_), None) => &at_right,
            (None, Some(_)) => &at_left,
            (Some(_), Some(_)) | (None, None) => return None,
        };
        let (value, own) = if self.names.uniform(b).is_some() { (b, right) } else { (a, left) };
        let fits = |own: Interval| limits.contains(&result(own));
        let start = 0.clamp(own.lo, own.hi);
        if !fits(Interval::point(start)) {
            return None;
        }
        let hi = furthest(start, own.hi, |hi| fits(Interval { lo: start, hi }));
        let lo = furthest(start, own.lo, |lo| fits(Interval { lo, hi }));
        if lo == hi { None } else { self.uniform_bounds(value, Interval { lo, hi }) }
    }

    /// `#[uniform(sum_of_magnitudes <= 128)] k: [i16; 9]`, where the result is a weighted sum with an array's scalars.
    pub(super) fn weight_bounds(&self, op: BinaryOp, a: ValueId, b: ValueId) -> Option<String> {
        let limits = limits(self.ty())?;
        let of = |value: ValueId| self.analysis.polynomial_of(value, self.failure.context);
        let polynomial = match op {
            BinaryOp::Add(Never) => of(a).add(&of(b)),
            BinaryOp::Sub(Never) => of(a).sub(&of(b)),
            BinaryOp::Mul(Never) => of(a).mul(&of(b)),
            _ => None,
        }?;
        let weight = |monomial: &Monomial| {
            monomial.atoms().find_map(|atom| match self.analysis.body.node(atom).op {
                Op::Uniform { uniform, .. } => Some((uniform, atom)),
                _ => None,
            })
        };
        let (uniform, _) = weight(&polynomial.terms().first()?.0)?;
        let range = |atom: ValueId| self.analysis.interval_of(atom, self.failure.context);
        let mut most = 1;
        for (monomial, coefficient) in polynomial.terms() {
            let (own, atom) = weight(monomial)?;
            let cofactor = monomial.without(&Monomial::atom(atom))?.interval(&range);
            let product = integers::multiply(cofactor, Interval::point(*coefficient), false);
            most = integers::magnitude(product).hi.max(most);
            if own != uniform {
                return None;
            }
        }
        let own = self.analysis.kernel.uniforms.get(uniform.0 as usize).filter(|own| !own.dims.is_empty())?;
        let bound = limits.hi / most;
        let text = format!("#[uniform(sum_of_magnitudes <= {bound})] {}: {}", own.name, declared_type(own));
        (bound > 1 && own.bounds.is_none() && own.sum_of_magnitudes.is_none())
            .then(|| format!("bound the weights: `{text}`"))
    }

    /// `(v * scale).clamp(-1e9, 1e9) as i32`, where an operand is a float that was converted, which may be any number of its type.
    pub(super) fn bounded_float(&self, op: BinaryOp, a: ValueId, b: ValueId) -> Option<String> {
        let limits = limits(self.ty())?;
        let float = |value: ValueId| match self.analysis.body.node(value).op {
            Op::Cast(CastMode::Value, float) if self.analysis.body.node(float).ty.is_float() => Some(float),
            _ => None,
        };
        let (left, right) = (self.operand_ideal(a), self.operand_ideal(b));
        let (low, signed) = if self.ty().is_signed() { ("-1e", true) } else { ("0.0", false) };
        let bounded =
            |power: u32| Interval { lo: if signed { -(10i128.pow(power)) } else { 0 }, hi: 10i128.pow(power) };
        let sides = (float(a), float(b));
        let fits = |power: &u32| {
            let side = |float: Option<ValueId>, own| if float.is_some() { bounded(*power) } else { own };
            limits.contains(&integers::binary(op, self.ty(), side(sides.0, left), side(sides.1, right), false))
        };
        let power = (1..=9).rev().find(fits).filter(|_| sides != (None, None))?;
        let low = if signed { format!("{low}{power}") } else { low.to_owned() };
        let code = |float: ValueId| {
            let receiver = self.names.receiver(float)?;
            Some(format!("`{receiver}.clamp({low}, 1e{power}) as {}`", self.ty().name()))
        };
        match sides {
            (Some(left), Some(right)) if left != right => {
                Some(format!("bound the floats before they are converted: {} and {}", code(left)?, code(right)?))
            }
            (Some(float), _) | (None, Some(float)) => {
                Some(format!("bound the float before it is converted: {}", code(float)?))
            }
            (None, None) => None,
        }
    }

    /// `#[uniform(1..=32767)] scale: i32`, where the value is a uniform: its own bounds, cut to `allowed`.
    pub(super) fn uniform_bounds(&self, value: ValueId, allowed: Interval) -> Option<String> {
        let uniform = self.names.uniform(value)?;
        let own = match uniform.bounds {
            Some((Bound::Int(lo), Bound::Int(hi))) => Interval::new(lo, hi),
            Some(_) | None => limits(uniform.ty)?,
        };
        let Interval { lo, hi } = own.meet(allowed)?;
        Some(format!("give it bounds: `#[uniform({lo}..={hi})] {}: {}`", uniform.name, declared_type(uniform)))
    }
}

/// The type of a uniform as the author wrote it.
fn declared_type(uniform: &Uniform) -> String {
    let scalar = if uniform.is_usize { "usize" } else { uniform.ty.name() };
    uniform.dims.iter().rev().fold(String::from(scalar), |inner, dim| format!("[{inner}; {dim}]"))
}

/// How far from `start` towards `end` something holds, by bisection; it holds at `start`.
fn furthest(start: i128, end: i128, holds: impl Fn(i128) -> bool) -> i128 {
    if holds(end) {
        return end;
    }
    let (mut good, mut bad) = (start, end);
    while good.abs_diff(bad) > 1 {
        let middle = good + (bad - good) / 2;
        if holds(middle) { good = middle } else { bad = middle }
    }
    good
}
