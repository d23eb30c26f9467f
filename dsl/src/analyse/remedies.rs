//! The ways out of a failed proof, as code: put in the place of the author's, each is accepted.

use super::chain;
use super::demand::{DemandId, Rule};
use super::messages::Writer;
use crate::ir::Overflow::{Never, Saturate, Wrap};
use crate::ir::range::{Interval, limits};
use crate::ir::{BinaryOp, Constant, Demand, Op, Type, UnaryOp, ValueId, legal};

impl Writer<'_, '_> {
    /// All ways out, joined to one help text.
    pub(super) fn remedies(&self) -> String {
        let ways = match self.failure.place {
            DemandId::Node(id) => self.node_ways(&self.analysis.body.node(id).op),
            DemandId::Demand(index) => match self.analysis.body.obligations[index].demand {
                Demand::Index { index, .. } => self.index_ways(index, None),
                Demand::Inside { index, extent } => self.inside_ways(index, extent),
                Demand::ClampBounds { lo, hi } => self.clamp_ways(lo, hi),
            },
        };
        match ways.split_last() {
            None => String::from("give the operands a wider type, or say `wrapping_` or `saturating_`"),
            Some((only, [])) => only.clone(),
            Some((last, others)) => format!("{}, or {last}", others.join(", ")),
        }
    }

    fn node_ways(&self, op: &Op) -> Vec<String> {
        match (self.failure.rule, op) {
            (Rule::Divisor, Op::Binary(op, a, b)) => self.divisor_ways(*op, *a, *b),
            (Rule::Quotient, Op::Binary(op, a, b)) => self.quotient_ways(*op, *a, *b),
            (Rule::ShiftAmount, Op::Binary(op, a, n)) => self.amount_ways(*op, *a, *n),
            (_, Op::Binary(op, a, b)) => self.overflow_ways(*op, *a, *b),
            (_, Op::Unary(op, x)) => self.magnitude_ways(*op, *x),
            (_, Op::Cast(_, x)) => self.cast_ways(*x),
            (_, Op::Lookup { table, index }) => {
                let table = self.analysis.kernel.tables.get(table.0 as usize);
                self.index_ways(*index, table.map(|table| table.name.as_str()))
            }
            (
                _,
                Op::Constant(_)
                | Op::Load(_)
                | Op::Uniform { .. }
                | Op::Coordinate { .. }
                | Op::Extent { .. }
                | Op::Stride { .. }
                | Op::Plane { .. }
                | Op::Gather { .. }
                | Op::Fetch { .. }
                | Op::Contiguous { .. }
                | Op::Across { .. }
                | Op::Local { .. }
                | Op::Derived { .. }
                | Op::MulAdd(..)
                | Op::Select { .. }
                | Op::Turn { .. }
                | Op::Carried { .. }
                | Op::Advance { .. }
                | Op::Outcome { .. },
            ) => Vec::new(),
        }
    }

    fn overflow_ways(&self, op: BinaryOp, a: ValueId, b: ValueId) -> Vec<String> {
        if let Some(sum) = self.reduction() {
            return self.reduction_ways(&sum);
        }
        let mut ways = Vec::new();
        match self.ends_at_zero(op) {
            true => ways.extend(self.overflow_calls(op, a, b).into_iter().chain(self.widening(op, a, b))),
            false => ways.extend(self.widening(op, a, b).into_iter().chain(self.overflow_calls(op, a, b))),
        }
        ways.extend(self.halving(op, a, b));
        ways.extend(self.bounded_float(op, a, b));
        ways.extend(self.weight_bounds(op, a, b));
        ways.extend(self.operand_bounds(op, a, b));
        if op == BinaryOp::Sub(Never) {
            ways.extend(self.requirement(b, a));
        }
        ways
    }

    /// Whether it is a difference of unsigned values that is used as it is. Who wants it below 0 too adds to it, or makes it signed.
    fn ends_at_zero(&self, op: BinaryOp) -> bool {
        let DemandId::Node(difference) = self.failure.place else { return false };
        let goes_on = self.analysis.body.nodes.iter().any(|node| match node.op {
            Op::Cast(_, of) => of == difference && (node.ty.is_signed() || node.ty.is_float()),
            Op::Binary(_, a, b) => chain::is_sum(&node.op) && (a == difference || b == difference),
            _ => false,
        });
        op == BinaryOp::Sub(Never) && !self.ty().is_signed() && !goes_on
    }

    fn overflow_calls(&self, op: BinaryOp, a: ValueId, b: ValueId) -> Option<String> {
        let is_given =
            |value: ValueId| matches!(self.analysis.body.node(value).op, Op::Uniform { .. } | Op::Constant(_));
        let methods: &[(&str, BinaryOp)] = match op {
            BinaryOp::Add(Never) => {
                &[("wrapping_add", BinaryOp::Add(Wrap)), ("saturating_add", BinaryOp::Add(Saturate))]
            }
            BinaryOp::Sub(Never) if self.ends_at_zero(op) && !is_given(a) && !is_given(b) => &[
                ("saturating_sub", BinaryOp::Sub(Saturate)),
                ("abs_diff", BinaryOp::AbsDiff),
                ("wrapping_sub", BinaryOp::Sub(Wrap)),
            ],
            BinaryOp::Sub(Never) if self.ends_at_zero(op) => {
                &[("saturating_sub", BinaryOp::Sub(Saturate)), ("wrapping_sub", BinaryOp::Sub(Wrap))]
            }
            BinaryOp::Sub(Never) => {
                &[("wrapping_sub", BinaryOp::Sub(Wrap)), ("saturating_sub", BinaryOp::Sub(Saturate))]
            }
            BinaryOp::Mul(Never) => {
                &[("wrapping_mul", BinaryOp::Mul(Wrap)), ("saturating_mul", BinaryOp::Mul(Saturate))]
            }
            BinaryOp::Shl(Never) => &[("wrapping_shl", BinaryOp::Shl(Wrap))],
            _ => return None,
        };
        // Some the language does not have for 64 bits.
        let methods = methods.iter().filter(|(_, op)| legal::binary(*op, self.ty()).is_some());
        let (receiver, argument) = (self.names.receiver(a)?, self.names.of(b)?);
        let calls: Vec<String> = methods.map(|(method, _)| format!("`{receiver}.{method}({argument})`")).collect();
        Some(format!("say what should happen: {}", calls.join(" or ")))
    }

    /// `a.halving_add(b)`, where all that is made of a sum is its half.
    fn halving(&self, op: BinaryOp, a: ValueId, b: ValueId) -> Option<String> {
        let DemandId::Node(sum) = self.failure.place else { return None };
        let nodes = &self.analysis.body.nodes;
        let is =
            |value: ValueId, number: i128| self.analysis.body.node(value).op == Op::Constant(Constant::Int(number));
        let halves = |value: ValueId| {
            nodes.iter().any(|node| match node.op {
                Op::Binary(BinaryOp::Div, whole, two) => whole == value && is(two, 2),
                Op::Binary(BinaryOp::Shr, whole, one) => whole == value && is(one, 1),
                _ => false,
            })
        };
        let rounded = |value: ValueId| {
            let is_next =
                |op: &Op| matches!(*op, Op::Binary(BinaryOp::Add(Never), whole, one) if whole == value && is(one, 1));
            nodes.iter().position(|node| is_next(&node.op)).is_some_and(|next| halves(ValueId(next as u32)))
        };
        let method = match op {
            BinaryOp::Add(Never) if halves(sum) => "halving_add",
            BinaryOp::Add(Never) if rounded(sum) => "rounding_halving_add",
            _ => return None,
        };
        Some(format!("take the half at once: `{}.{method}({})`", self.names.receiver(a)?, self.names.of(b)?))
    }

    /// `widen the operands`, where a type holds them and the result.
    fn widening(&self, op: BinaryOp, a: ValueId, b: ValueId) -> Option<String> {
        if let Some(whole) = self.chain_widening() {
            return Some(whole);
        }
        let (left, right) = (self.operand_ideal(a), self.operand_ideal(b));
        let needed = if op == BinaryOp::Shl(Never) { self.ideal.hull(left) } else { self.ideal.hull(left).hull(right) };
        let ty = wider(self.ty(), needed)?;
        let name = self.analysis.body.node(a).name.as_ref();
        match name.filter(|name| self.is_repeated && op == BinaryOp::Add(Never) && !name.contains(['(', '[', '.'])) {
            // A sum in a loop: its name stands for all of its values.
            Some(name) => {
                let article = if ty.is_signed() { "an" } else { "a" };
                let (ty, term) = (ty.name(), self.names.widened_text(b, ty)?);
                Some(format!("widen the sum: make `{name}` {article} {ty} and add `{term}`"))
            }
            None => Some(format!("widen the operands: `{}`", self.names.widened_operation(op, a, b, ty)?)),
        }
    }

    pub(super) fn operand_ideal(&self, value: ValueId) -> Interval {
        let known = self.analysis.interval_of(value, self.failure.context);
        self.analysis.ideals.get(&value).map_or(known, |ideal| ideal.hull(known))
    }

    fn magnitude_ways(&self, op: UnaryOp, x: ValueId) -> Vec<String> {
        let Some(name) = self.names.receiver(x) else { return Vec::new() };
        let mut ways = Vec::new();
        let own = self.operand_ideal(x);
        let wide = wider(self.ty(), own.hull(Interval::point(-own.lo)));
        let wide = wide.and_then(|ty| self.names.widened_receiver(x, ty));
        let others: &[&str] = match op {
            UnaryOp::Abs(Never) => &["unsigned_abs", "saturating_abs", "wrapping_abs"],
            _ => &["saturating_neg", "wrapping_neg"],
        };
        ways.extend(wide.map(|wide| match op {
            UnaryOp::Abs(Never) => format!("widen the operand: `{wide}.abs()`"),
            _ => format!("widen the operand: `-{wide}`"),
        }));
        let calls: Vec<String> = others.iter().map(|method| format!("`{name}.{method}()`")).collect();
        ways.push(format!("say what should happen: {}", calls.join(" or ")));
        ways
    }

    fn cast_ways(&self, x: ValueId) -> Vec<String> {
        let name = self.names.receiver(x).unwrap_or_else(|| String::from("(..)"));
        let (found, allowed, ty) = (self.failure.found, self.failure.allowed, self.ty().name());
        let call = match (found.lo < allowed.lo, found.hi > allowed.hi) {
            (true, true) => format!("clamp({}, {})", allowed.lo, allowed.hi),
            (true, false) => format!("max({})", allowed.lo),
            (false, _) => format!("min({})", allowed.hi),
        };
        // The bounds must be literals of the operand's type.
        let writable = limits(self.analysis.body.node(x).ty).is_some_and(|own| {
            (found.lo >= allowed.lo || own.holds(allowed.lo)) && (found.hi <= allowed.hi || own.holds(allowed.hi))
        });
        let mut ways = vec![format!("say what should happen: `{name}.saturating_cast()` or `{name}.wrapping_cast()`")];
        if writable {
            ways.push(format!("bring it into range first: `{name}.{call} as {ty}`"));
        }
        ways
    }

    fn divisor_ways(&self, op: BinaryOp, a: ValueId, b: ValueId) -> Vec<String> {
        let mut ways = Vec::new();
        ways.extend(self.uniform_bounds(b, self.positive()));
        ways.extend(self.at_least_one(op, a, b).map(|code| format!("keep zero out: `{code}`")));
        ways
    }

    fn quotient_ways(&self, op: BinaryOp, a: ValueId, b: ValueId) -> Vec<String> {
        let mut ways = Vec::new();
        let reach = self.operand_ideal(a).hull(self.operand_ideal(b));
        let wide = wider(self.ty(), reach.hull(Interval::point(-reach.lo)));
        let wide = wide.and_then(|ty| self.names.widened_operation(op, a, b, ty));
        ways.extend(wide.map(|code| format!("widen the operands: `{code}`")));
        ways.extend(self.uniform_bounds(b, self.positive()));
        ways.extend(self.at_least_one(op, a, b).map(|code| format!("keep the divisor positive: `{code}`")));
        ways
    }

    fn positive(&self) -> Interval {
        Interval { lo: 1, hi: limits(self.ty()).map_or(i128::MAX, |limits| limits.hi) }
    }

    /// `a / b.max(1)`
    fn at_least_one(&self, op: BinaryOp, a: ValueId, b: ValueId) -> Option<String> {
        self.names.with_right(op, a, &format!("{}.max(1)", self.names.receiver(b)?))
    }

    fn amount_ways(&self, op: BinaryOp, a: ValueId, n: ValueId) -> Vec<String> {
        let most = self.failure.allowed.hi;
        let n = if matches!(op, BinaryOp::Shl(Never) | BinaryOp::Shr) { self.names.amount(n) } else { n };
        let mut ways = Vec::new();
        ways.extend(self.uniform_bounds(n, self.failure.allowed));
        let limited = self.names.receiver(n).map(|receiver| format!("{receiver}.min({most})"));
        let code = limited.and_then(|limited| self.names.with_right(op, a, &limited));
        ways.extend(code.map(|code| format!("limit the amount: `{code}`")));
        ways
    }

    fn index_ways(&self, index: ValueId, table: Option<&str>) -> Vec<String> {
        let (found, allowed) = (self.failure.found, self.failure.allowed);
        let mut ways = Vec::new();
        ways.extend(self.uniform_bounds(index, allowed));
        if let Some(name) = self.names.receiver(index) {
            let limited = match found.lo < allowed.lo {
                true => format!("{name}.clamp({}, {})", allowed.lo, allowed.hi),
                false => format!("{name}.min({})", allowed.hi),
            };
            ways.push(match table {
                Some(table) => format!("limit the index: `{table}[{limited}]`"),
                None => format!("limit the index: `{limited}`"),
            });
        }
        ways
    }

    fn inside_ways(&self, index: ValueId, extent: ValueId) -> Vec<String> {
        let mut ways = Vec::new();
        if let (Some(index), Some(extent)) = (self.names.receiver(index), self.names.of(extent)) {
            ways.push(match self.failure.allowed.lo {
                0 => format!("take the nearest inside: `{index}.clamp(0, {extent} - 1)`"),
                _ => format!("take the nearest inside: `{index}.min({extent} - 1)`"),
            });
        }
        ways.push(String::from("say what is outside: `.get([..]).unwrap_or(0)` instead of `[[..]]`"));
        ways
    }

    fn clamp_ways(&self, lo: ValueId, hi: ValueId) -> Vec<String> {
        let is_constant = |value: ValueId| matches!(self.analysis.body.node(value).op, Op::Constant(_));
        let mut ways = Vec::new();
        ways.extend(self.requirement(lo, hi));
        if let (Some(low), Some(high)) = (self.names.of(lo), self.names.of(hi)) {
            ways.push(match is_constant(lo) && is_constant(hi) {
                true => format!("write the lower bound first: `.clamp({high}, {low})`"),
                false => format!("write `.max({low}).min({high})`, which takes bounds in any order"),
            });
        }
        ways
    }
}

/// The narrowest type that holds `needed`, wider than `ty`, with the same sign where there is a choice.
pub(super) fn wider(ty: Type, needed: Interval) -> Option<Type> {
    let order = if ty.is_signed() {
        [Type::I16, Type::U16, Type::I32, Type::U32]
    } else {
        [Type::U16, Type::I16, Type::U32, Type::I32]
    };
    order.into_iter().filter(|wide| *wide != ty).find(|wide| limits(*wide).is_some_and(|l| l.contains(&needed)))
}
