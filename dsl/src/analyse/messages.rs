//! What an author reads where a proof fails: the demand, the interval found, an input that breaks it, the ways out.
//!
//! Every way out is code that, put in the place of the author's, is accepted; a way that would not be is not offered.

use std::collections::BTreeMap;

use super::analysis::Analysis;
use super::counterexample::{self, CounterExample};
use super::names::Names;
use super::obligation::{Failure, Place, Rule};
use super::operands::operands;
use super::range::{Interval, limits};
use crate::arithmetic::is_signed;
use crate::diagnostic::Diagnostic;
use crate::dump::type_name;
use crate::ir::{BinaryOp, Bound, Constant, Demand, Op, Type, UnaryOp, Uniform, ValueId};
use proc_macro2::Span;

/// Nodes that the searches of one body may evaluate.
const SEARCH_WORK: usize = 500_000;
/// Mistakes that are shown: whoever has more will compile again.
const MAX_MISTAKES: usize = 100;
/// Inputs that an example lists one by one.
const MAX_LISTED: usize = 6;

/// The failures of a body as diagnostics, in the order of the source, one for each place and rule.
pub(super) fn diagnostics(analysis: &Analysis<'_>) -> Vec<Diagnostic> {
    let nowhere = format!("{:?}", Span::call_site());
    // A loop's copies of one expression are one mistake; only tokens without a place are told apart by their node.
    let mut mistakes: BTreeMap<(String, Rule), (&Failure, Interval)> = BTreeMap::new();
    for failure in &analysis.failures {
        let place = format!("{:?}", span_of(analysis, failure.place));
        let place = if place == nowhere { format!("{:?}", failure.place) } else { place };
        let (_, ideal) = mistakes.entry((place, failure.rule)).or_insert((failure, failure.ideal));
        *ideal = ideal.hull(failure.ideal);
    }
    let mut mistakes: Vec<(&Failure, Interval)> = mistakes.into_values().collect();
    mistakes.sort_by_key(|(failure, _)| {
        let start = span_of(analysis, failure.place).start();
        (start.line, start.column, failure.place)
    });
    mistakes.truncate(MAX_MISTAKES);
    let mut work = SEARCH_WORK;
    let names = Names { kernel: analysis.kernel, body: analysis.body };
    let write = |(failure, ideal)| Writer { analysis, failure, names, ideal }.diagnostic(&mut work);
    mistakes.into_iter().map(write).collect()
}

struct Writer<'a, 'b> {
    analysis: &'a Analysis<'b>,
    failure: &'a Failure,
    names: Names<'a>,
    /// What the value could be, over all copies of the expression.
    ideal: Interval,
}

impl Writer<'_, '_> {
    fn span(&self) -> Span {
        span_of(self.analysis, self.failure.place)
    }

    fn diagnostic(&self, work: &mut usize) -> Diagnostic {
        let example = counterexample::find(self.analysis, self.failure, work);
        let diagnostic = Diagnostic::at(self.span(), self.message(example.is_some()), self.help());
        let diagnostic = diagnostic.note(self.interval_note());
        match example {
            Some(example) => diagnostic.note(self.example_note(&example)),
            None => diagnostic.note("no input that breaks it was found: the proof could not exclude one"),
        }
    }

    /// The author's expression, quoted.
    fn expression(&self) -> String {
        let text = match self.failure.place {
            Place::Node(id) => self.names.operation(id),
            Place::Demand(index) => match self.analysis.body.obligations[index].demand {
                Demand::Index { index, .. } => self.names.of(index),
                Demand::ClampBounds { lo, hi } => self.bounds_text(lo, hi),
            },
        };
        text.map_or_else(|| String::from("this"), |text| format!("`{text}`"))
    }

    fn bounds_text(&self, lo: ValueId, hi: ValueId) -> Option<String> {
        Some(format!("clamp({}, {})", self.names.of(lo)?, self.names.of(hi)?))
    }

    fn ty(&self) -> Type {
        match self.failure.place {
            Place::Node(id) => self.analysis.body.node(id).ty,
            Place::Demand(index) => match self.analysis.body.obligations[index].demand {
                Demand::Index { index: value, .. } | Demand::ClampBounds { lo: value, .. } => {
                    self.analysis.body.node(value).ty
                }
            },
        }
    }

    fn message(&self, broken: bool) -> String {
        let (expression, ty) = (self.expression(), type_name(self.ty()));
        let can = if broken { "can" } else { "is not proved not to" };
        match self.failure.rule {
            Rule::Overflow | Rule::Magnitude => format!("{expression} {can} overflow {ty}"),
            Rule::Cast => format!("{expression} {can} change the value"),
            Rule::Divisor => format!("{expression} {can} divide by zero"),
            Rule::Quotient => format!("{expression} {can} overflow {ty}: the least {ty} divided by -1"),
            Rule::ShiftAmount => format!("{expression} {can} shift by the width of {ty} or more"),
            Rule::TableIndex => format!("{expression} {can} index past the end of the table"),
            Rule::ArrayIndex => format!("the index {expression} {can} reach past the end of the array"),
            Rule::ClampBounds => format!("{expression} {can} meet a lower bound above the upper one"),
        }
    }

    fn interval_note(&self) -> String {
        let (found, allowed) = (self.failure.found, self.failure.allowed);
        let ty = type_name(self.ty());
        match self.failure.rule {
            Rule::Overflow => format!("it lies in {found}; {ty} holds {allowed}"),
            Rule::Magnitude => {
                let holds = limits(self.ty()).unwrap_or(allowed);
                format!("{} lies in {}; {ty} holds {holds}", self.operand_text(0), self.operand_interval(0))
            }
            Rule::Cast => format!("{} lies in {found}; {ty} holds {allowed}", self.operand_text(0)),
            Rule::Divisor => format!("{} lies in {found}", self.operand_text(1)),
            Rule::Quotient => {
                format!(
                    "{} lies in {found}, {} in {}",
                    self.operand_text(0),
                    self.operand_text(1),
                    self.operand_interval(1)
                )
            }
            Rule::ShiftAmount => {
                format!("{} lies in {found}; {ty} can be shifted by {allowed}", self.operand_text(1))
            }
            Rule::TableIndex => {
                format!("{} lies in {found}; the table has the indices {allowed}", self.operand_text(0))
            }
            Rule::ArrayIndex => format!("{} lies in {found}; the array has the indices {allowed}", self.expression()),
            Rule::ClampBounds => self.bounds_note(),
        }
    }

    fn bounds_note(&self) -> String {
        let Place::Demand(index) = self.failure.place else { return String::new() };
        let Demand::ClampBounds { lo, hi } = self.analysis.body.obligations[index].demand else { return String::new() };
        let text = |value: ValueId| {
            let name = self.names.of(value).map_or_else(|| String::from("it"), |name| format!("`{name}`"));
            format!("{name} lies in {}", self.analysis.range_of(value, self.failure.context))
        };
        format!("{}, {}", text(lo), text(hi))
    }

    fn operand(&self, at: usize) -> Option<ValueId> {
        match self.failure.place {
            Place::Node(id) => operands(&self.analysis.body.node(id).op).nth(at),
            Place::Demand(_) => None,
        }
    }

    fn operand_text(&self, at: usize) -> String {
        let name = self.operand(at).and_then(|operand| self.names.of(operand));
        name.map_or_else(|| String::from("the operand"), |name| format!("`{name}`"))
    }

    fn operand_interval(&self, at: usize) -> Interval {
        self.operand(at).map_or(self.failure.found, |operand| self.analysis.interval_of(operand, self.failure.context))
    }

    /// `a = 255, b = 1 gives 256`.
    fn example_note(&self, example: &CounterExample) -> String {
        let inputs = self.inputs(example);
        let gives = match (self.failure.rule, example.gives) {
            (Rule::Overflow | Rule::Magnitude, Some(value)) if self.is_abs() => format!("gives {}", -value),
            (Rule::Overflow | Rule::Magnitude, Some(value)) => format!("gives {value}"),
            (Rule::Cast, Some(value)) => format!("gives {value}"),
            (Rule::Divisor, _) => String::from("divides by 0"),
            (Rule::Quotient, Some(value)) => format!("divides {value} by -1"),
            (Rule::ShiftAmount, Some(value)) => format!("shifts by {value}"),
            (Rule::TableIndex | Rule::ArrayIndex, Some(value)) => format!("reads index {value}"),
            (Rule::ClampBounds, _) => String::from("has no value between the bounds"),
            (_, None) => String::from("breaks it"),
        };
        if inputs.is_empty() { format!("it always {gives}") } else { format!("{inputs} {gives}") }
    }

    fn is_abs(&self) -> bool {
        let Place::Node(id) = self.failure.place else { return false };
        matches!(self.analysis.body.node(id).op, Op::Unary(UnaryOp::Abs, _))
    }

    /// The inputs of an example; a long list is shortened to what is not zero, or to one value for all.
    fn inputs(&self, example: &CounterExample) -> String {
        let is_zero = |value: Constant| matches!(value, Constant::Int(0) | Constant::Float(0) | Constant::Bool(false));
        let list = |leaves: &[(ValueId, Constant)]| {
            let each = leaves
                .iter()
                .filter_map(|(leaf, value)| Some(format!("{} = {}", self.names.of(*leaf)?, constant_text(*value))));
            each.collect::<Vec<_>>().join(", ")
        };
        if example.leaves.len() <= MAX_LISTED {
            return list(&example.leaves);
        }
        let nonzero: Vec<_> = example.leaves.iter().copied().filter(|(_, value)| !is_zero(*value)).collect();
        if nonzero.len() <= MAX_LISTED {
            return format!("{}, everything else 0", list(&nonzero));
        }
        let more = nonzero.len() - MAX_LISTED;
        format!("{} and {more} more like these", list(&nonzero[..MAX_LISTED]))
    }

    fn help(&self) -> String {
        let ways = match self.failure.rule {
            Rule::Overflow => self.overflow_ways(),
            Rule::Magnitude => self.magnitude_ways(),
            Rule::Cast => self.cast_ways(),
            Rule::Divisor => self.divisor_ways(),
            Rule::Quotient => self.quotient_ways(),
            Rule::ShiftAmount => self.amount_ways(),
            Rule::TableIndex => self.index_ways(self.operand(0)),
            Rule::ArrayIndex => match self.failure.place {
                Place::Demand(index) => match self.analysis.body.obligations[index].demand {
                    Demand::Index { index, .. } => self.index_ways(Some(index)),
                    Demand::ClampBounds { .. } => Vec::new(),
                },
                Place::Node(_) => Vec::new(),
            },
            Rule::ClampBounds => self.clamp_ways(),
        };
        match ways.split_last() {
            None => String::from("give the operands a wider type, or say `wrapping_` or `saturating_`"),
            Some((only, [])) => only.clone(),
            Some((last, others)) => format!("{}, or {last}", others.join(", ")),
        }
    }

    fn overflow_ways(&self) -> Vec<String> {
        let Place::Node(id) = self.failure.place else { return Vec::new() };
        let Op::Binary(op, a, b) = self.analysis.body.node(id).op else { return Vec::new() };
        let mut ways = Vec::new();
        ways.extend(self.widening(op, a, b));
        let methods: &[&str] = match op {
            BinaryOp::Add => &["wrapping_add", "saturating_add"],
            BinaryOp::Sub => &["wrapping_sub", "saturating_sub"],
            BinaryOp::Mul => &["wrapping_mul", "saturating_mul"],
            BinaryOp::Shl => &["wrapping_shl"],
            _ => &[],
        };
        if let (Some(receiver), Some(argument)) = (self.names.receiver(a), self.names.of(b)) {
            let calls: Vec<String> =
                methods.iter().map(|method| format!("`{receiver}.{method}({argument})`")).collect();
            ways.push(format!("say what should happen: {}", calls.join(" or ")));
        }
        if op == BinaryOp::Sub {
            ways.extend(self.requirement(b, a));
        }
        ways
    }

    /// `widen the operands`, where a type holds them and the result.
    fn widening(&self, op: BinaryOp, a: ValueId, b: ValueId) -> Option<String> {
        let symbol = match op {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Shl => "<<",
            _ => return None,
        };
        let shifted = op == BinaryOp::Shl;
        let of = |value: ValueId| self.operand_ideal(value);
        let needed = if shifted { self.ideal.hull(of(a)) } else { self.ideal.hull(of(a)).hull(of(b)) };
        let ty = wider(self.ty(), needed)?;
        let right = if shifted { self.names.operand(b)? } else { self.names.widened(b, ty)? };
        let left = self.names.widened(a, ty)?;
        // `x as u16 << 4` does not parse.
        let left = if shifted { format!("({left})") } else { left };
        Some(format!("widen the operands: `{left} {symbol} {right}`"))
    }

    fn operand_ideal(&self, value: ValueId) -> Interval {
        let known = self.analysis.interval_of(value, self.failure.context);
        self.analysis.ideals.get(&value).map_or(known, |ideal| ideal.hull(known))
    }

    /// `require(a <= b)`, where both are uniforms.
    fn requirement(&self, a: ValueId, b: ValueId) -> Option<String> {
        let scalar = |value: ValueId| self.names.uniform(value).filter(|uniform| uniform.dims.is_empty());
        let (a, b) = (scalar(a)?, scalar(b)?);
        (a.name != b.name).then(|| format!("add `require({} <= {})` to `#[kernel(..)]`", a.name, b.name))
    }

    fn magnitude_ways(&self) -> Vec<String> {
        let Place::Node(id) = self.failure.place else { return Vec::new() };
        let (Op::Unary(op, x), ty) = (&self.analysis.body.node(id).op, self.ty()) else { return Vec::new() };
        let Some(name) = self.names.receiver(*x) else { return Vec::new() };
        let mut ways = Vec::new();
        let wide = wider(ty, self.operand_ideal(*x).hull(Interval::point(-self.operand_ideal(*x).lo)));
        let (suffix, others): (&str, &[&str]) = match op {
            UnaryOp::Abs => ("abs", &["unsigned_abs", "saturating_abs", "wrapping_abs"]),
            _ => ("neg", &["saturating_neg", "wrapping_neg"]),
        };
        if let Some(text) = wide.and_then(|wide| self.names.widened(*x, wide)) {
            ways.push(match suffix {
                "abs" => format!("widen the operand: `({text}).abs()`"),
                _ => format!("widen the operand: `-({text})`"),
            });
        }
        let calls: Vec<String> = others.iter().map(|method| format!("`{name}.{method}()`")).collect();
        ways.push(format!("say what should happen: {}", calls.join(" or ")));
        ways
    }

    fn cast_ways(&self) -> Vec<String> {
        let Some(name) = self.operand(0).and_then(|x| self.names.receiver(x)) else { return Vec::new() };
        let (found, allowed, ty) = (self.failure.found, self.failure.allowed, type_name(self.ty()));
        let call = match (found.lo < allowed.lo, found.hi > allowed.hi) {
            (true, true) => format!("clamp({}, {})", allowed.lo, allowed.hi),
            (true, false) => format!("max({})", allowed.lo),
            (false, _) => format!("min({})", allowed.hi),
        };
        let source = self.operand(0).and_then(|x| limits(self.analysis.body.node(x).ty));
        // The bounds must be literals of the operand's type.
        let fits = source.is_some_and(|source| {
            (found.lo >= allowed.lo || source.holds(allowed.lo)) && (found.hi <= allowed.hi || source.holds(allowed.hi))
        });
        let mut ways = vec![format!("say what should happen: `{name}.saturating_cast()` or `{name}.wrapping_cast()`")];
        if fits {
            ways.push(format!("bring it into range first: `{name}.{call} as {ty}`"));
        }
        ways
    }

    fn divisor_ways(&self) -> Vec<String> {
        let (Some(a), Some(b)) = (self.operand(0), self.operand(1)) else { return Vec::new() };
        let mut ways = Vec::new();
        let most = limits(self.ty()).map_or(i128::MAX, |limits| limits.hi);
        ways.extend(self.uniform_bounds(b, Interval { lo: 1, hi: most }));
        let symbol = self.division_symbol();
        if let (Some(a), Some(receiver)) = (self.names.operand(a), self.names.receiver(b)) {
            ways.push(format!("keep zero out: `{a} {symbol} {receiver}.max(1)`"));
        }
        ways
    }

    fn division_symbol(&self) -> &'static str {
        let Place::Node(id) = self.failure.place else { return "/" };
        match self.analysis.body.node(id).op {
            Op::Binary(BinaryOp::Rem, ..) => "%",
            _ => "/",
        }
    }

    fn quotient_ways(&self) -> Vec<String> {
        let (Some(a), Some(b)) = (self.operand(0), self.operand(1)) else { return Vec::new() };
        let mut ways = Vec::new();
        let symbol = self.division_symbol();
        let reach = self.operand_ideal(a).hull(self.operand_ideal(b));
        let reach = reach.hull(Interval::point(-reach.lo));
        if let Some(ty) = wider(self.ty(), reach)
            && let (Some(a), Some(b)) = (self.names.widened(a, ty), self.names.widened(b, ty))
        {
            ways.push(format!("widen the operands: `{a} {symbol} ({b})`"));
        }
        let most = limits(self.ty()).map_or(i128::MAX, |limits| limits.hi);
        ways.extend(self.uniform_bounds(b, Interval { lo: 1, hi: most }));
        if let (Some(a), Some(receiver)) = (self.names.operand(a), self.names.receiver(b)) {
            ways.push(format!("keep the divisor positive: `{a} {symbol} {receiver}.max(1)`"));
        }
        ways
    }

    fn amount_ways(&self) -> Vec<String> {
        let (Some(a), Some(n)) = (self.operand(0), self.operand(1)) else { return Vec::new() };
        let mut ways = Vec::new();
        let most = self.failure.allowed.hi;
        ways.extend(self.uniform_bounds(n, Interval { lo: 0, hi: most }));
        let Place::Node(id) = self.failure.place else { return ways };
        if let (Some(a), Some(receiver)) = (self.names.operand(a), self.names.receiver(n)) {
            let limited = format!("{receiver}.min({most})");
            ways.push(match self.analysis.body.node(id).op {
                Op::Binary(BinaryOp::Shl, ..) => format!("limit the amount: `{a} << {limited}`"),
                Op::Binary(BinaryOp::RoundingShr, ..) => format!("limit the amount: `{a}.rounding_shr({limited})`"),
                _ => format!("limit the amount: `{a} >> {limited}`"),
            });
        }
        ways
    }

    fn index_ways(&self, index: Option<ValueId>) -> Vec<String> {
        let Some(index) = index else { return Vec::new() };
        let (found, allowed) = (self.failure.found, self.failure.allowed);
        let mut ways = Vec::new();
        ways.extend(self.uniform_bounds(index, allowed));
        if let Some(name) = self.names.receiver(index) {
            ways.push(match found.lo < 0 {
                true => format!("limit the index: `{name}.clamp({}, {})`", allowed.lo, allowed.hi),
                false => format!("limit the index: `{name}.min({})`", allowed.hi),
            });
        }
        ways
    }

    fn clamp_ways(&self) -> Vec<String> {
        let Place::Demand(index) = self.failure.place else { return Vec::new() };
        let Demand::ClampBounds { lo, hi } = self.analysis.body.obligations[index].demand else { return Vec::new() };
        let mut ways = Vec::new();
        ways.extend(self.requirement(lo, hi));
        if let (Some(lo), Some(hi)) = (self.names.of(lo), self.names.of(hi)) {
            ways.push(format!("write `.max({lo}).min({hi})`, which takes bounds in any order"));
        }
        ways
    }

    /// `#[uniform(1..=32767)] scale: i32`, where the value is a uniform: its own bounds, cut to `allowed`.
    fn uniform_bounds(&self, value: ValueId, allowed: Interval) -> Option<String> {
        let uniform = self.names.uniform(value)?;
        let own = match uniform.bounds {
            Some((Bound::Int(lo), Bound::Int(hi))) => Interval::new(lo.into(), hi.into()),
            Some(_) | None => limits(uniform.ty)?,
        };
        let bounds = own.meet(allowed)?;
        Some(format!(
            "give it bounds: `#[uniform({}..={})] {}: {}`",
            bounds.lo,
            bounds.hi,
            uniform.name,
            declared_type(uniform)
        ))
    }
}

fn span_of(analysis: &Analysis<'_>, place: Place) -> Span {
    match place {
        Place::Node(id) => analysis.body.node(id).span,
        Place::Demand(index) => analysis.body.obligations[index].span,
    }
}

/// The type of a uniform as the author wrote it.
fn declared_type(uniform: &Uniform) -> String {
    let scalar = if uniform.is_usize { "usize" } else { type_name(uniform.ty) };
    uniform.dims.iter().rev().fold(String::from(scalar), |inner, dim| format!("[{inner}; {dim}]"))
}

/// The narrowest type that holds `needed`, wider than `ty`, with the same sign where there is a choice.
fn wider(ty: Type, needed: Interval) -> Option<Type> {
    let order = if is_signed(ty) {
        [Type::I16, Type::U16, Type::I32, Type::U32]
    } else {
        [Type::U16, Type::I16, Type::U32, Type::I32]
    };
    order.into_iter().filter(|wide| *wide != ty).find(|wide| limits(*wide).is_some_and(|l| l.contains(&needed)))
}

fn constant_text(value: Constant) -> String {
    match value {
        Constant::Int(value) => value.to_string(),
        Constant::Bool(truth) => truth.to_string(),
        Constant::Float(bits) => format!("{:?}", f32::from_bits(bits)),
    }
}
