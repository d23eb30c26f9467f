//! What an author reads where a proof fails: the demand, the interval found, an input that breaks it, the ways out.
//!
//! Every way out is code that, put in the place of the author's, is accepted; a way that would not be is not offered.

use std::collections::BTreeMap;

use super::analysis::Analysis;
use super::chain::Chains;
use super::counterexample::{self, CounterExample};
use super::demand::{DemandId, Failure, Rule};
use super::names::Names;
use crate::diagnostic::Diagnostic;
use crate::ir::Overflow::Never;
use crate::ir::range::{Interval, limits};
use crate::ir::{BinaryOp, Constant, Demand, Op, Type, UnaryOp, ValueId};
use proc_macro2::Span;

/// Nodes that the searches of one body may evaluate.
const SEARCH_WORK: usize = 500_000;
/// Mistakes that are shown: an author who has more will compile again.
const MAX_MISTAKES: usize = 100;
/// Inputs that an example lists one by one.
const MAX_LISTED: usize = 6;

/// The failures of a body as diagnostics, in the order of the source, one for each place and rule.
pub(super) fn diagnostics(analysis: &Analysis<'_>) -> Vec<Diagnostic> {
    // A loop's copies of one expression are one mistake.
    let mut mistakes: BTreeMap<(String, Rule), Mistake<'_>> = BTreeMap::new();
    let chains = Chains::new(analysis);
    let is_told = |failure: &&Failure| chains.is_told(failure) || is_amount_of_failure(analysis, failure);
    for failure in analysis.failures.iter().filter(|failure| !is_told(failure)) {
        let place = expression_key(analysis, failure.place);
        let first = Mistake { failure, ideal: failure.ideal, copies: 0 };
        let mistake = mistakes.entry((place, failure.rule)).or_insert(first);
        mistake.ideal = mistake.ideal.hull(failure.ideal);
        mistake.copies += 1;
    }
    let mut mistakes: Vec<Mistake<'_>> = mistakes.into_values().collect();
    mistakes.sort_by_key(|mistake| {
        let start = span_of(analysis, mistake.failure.place).start();
        (start.line, start.column, mistake.failure.place)
    });
    mistakes.truncate(MAX_MISTAKES);
    let mut work = SEARCH_WORK;
    let names = Names::new(analysis.kernel, analysis.body);
    let impossible = analysis.impossible_requirements().map(|require| {
        let help = "widen the uniforms' bounds, or take the requirement out: with it, no call is valid";
        Diagnostic::at(require.span, format!("`{}` can never hold within the declared bounds", require.text), help)
    });
    let write = |Mistake { failure, ideal, copies }: Mistake<'_>| {
        let names = if failure.rule == Rule::ArrayIndex { names.of_indices() } else { names };
        Writer { analysis, failure, names, chains: &chains, ideal, is_repeated: copies > 1 }.diagnostic(&mut work)
    };
    impossible.chain(mistakes.into_iter().filter_map(write)).collect()
}

/// Whether a value is converted only to be the amount of a shift that fails too: its message tells both.
fn is_amount_of_failure(analysis: &Analysis<'_>, failure: &Failure) -> bool {
    let (Rule::Cast, DemandId::Node(cast)) = (failure.rule, failure.place) else { return false };
    analysis.failures.iter().filter(|other| other.rule == Rule::ShiftAmount).any(|other| match other.place {
        DemandId::Node(id) => matches!(analysis.body.node(id).op, Op::Binary(_, _, amount) if amount == cast),
        DemandId::Demand(_) => false,
    })
}

/// The failures of one place.
struct Mistake<'a> {
    failure: &'a Failure,
    ideal: Interval,
    copies: usize,
}

/// Writes one mistake.
pub(super) struct Writer<'a, 'b> {
    pub(super) analysis: &'a Analysis<'b>,
    pub(super) failure: &'a Failure,
    pub(super) names: Names<'a>,
    pub(super) chains: &'a Chains,
    /// What the value could be, over all copies of the expression.
    pub(super) ideal: Interval,
    /// Whether a loop made copies of the expression: its text is then one of them.
    pub(super) is_repeated: bool,
}

impl Writer<'_, '_> {
    fn span(&self) -> Span {
        span_of(self.analysis, self.failure.place)
    }

    /// `None` where nothing shows that more is wrong than an operand, which has its own message.
    fn diagnostic(&self, work: &mut usize) -> Option<Diagnostic> {
        let example = counterexample::find(self.analysis, self.failure, work);
        if example.is_none() && self.chains.is_follower(self.failure) {
            return None;
        }
        let diagnostic = Diagnostic::at(self.span(), self.message(example.is_some()), self.remedies());
        let diagnostic = diagnostic.note(self.interval_note());
        Some(match example {
            Some(example) => diagnostic.note(self.example_note(&example)),
            None if self.analysis.kernel.fast => diagnostic.note(
                "no input was found that does as the function is written; but `fast` lets a target round a product or a quotient otherwise",
            ),
            None => diagnostic.note("no input was found that does; what is known about the values does not exclude it"),
        })
    }

    /// The author's expression, quoted.
    fn expression(&self) -> String {
        let text = match self.failure.place {
            DemandId::Node(id) => match self.reduction() {
                Some(sum) => Some(self.reduction_text(&sum)),
                None => Some(self.names.outline(id)),
            },
            DemandId::Demand(index) => match self.analysis.body.obligations[index].demand {
                Demand::Index { index, .. } | Demand::Inside { index, .. } => self.names.of(index),
                Demand::ClampBounds { lo, hi } => self.bounds_text(lo, hi),
            },
        };
        text.map_or_else(|| String::from("this"), |text| format!("`{text}`"))
    }

    fn bounds_text(&self, lo: ValueId, hi: ValueId) -> Option<String> {
        Some(format!("clamp({}, {})", self.names.of(lo)?, self.names.of(hi)?))
    }

    pub(super) fn ty(&self) -> Type {
        match self.failure.place {
            DemandId::Node(id) => self.analysis.body.node(id).ty,
            DemandId::Demand(index) => match self.analysis.body.obligations[index].demand {
                Demand::Index { index: value, .. }
                | Demand::Inside { index: value, .. }
                | Demand::ClampBounds { lo: value, .. } => self.analysis.body.node(value).ty,
            },
        }
    }

    fn message(&self, broken: bool) -> String {
        let (expression, ty) = (self.expression(), self.ty().name());
        let does = match self.failure.rule {
            Rule::Overflow | Rule::Magnitude => format!("overflow {ty}"),
            Rule::Cast => String::from("change the value"),
            Rule::Divisor => String::from("divide by zero"),
            Rule::Quotient => format!("overflow {ty}: the least {ty} divided by -1"),
            Rule::ShiftAmount => format!("shift by the width of {ty} or more"),
            Rule::TableIndex => String::from("index past the end of the table"),
            Rule::ArrayIndex => String::from("index past the end of the array"),
            Rule::Inside => String::from("lie outside the image"),
            Rule::ClampBounds => String::from("meet a lower bound above the upper one"),
        };
        if broken {
            format!("{expression} can {does}")
        } else {
            format!("cannot prove that {expression} does not {does}")
        }
    }

    fn interval_note(&self) -> String {
        let (found, allowed) = (self.failure.found, self.failure.allowed);
        let ty = self.ty().name();
        match self.failure.rule {
            Rule::Overflow => match self.reduction() {
                Some(sum) => self.reduction_note(&sum),
                None => format!("it lies in {found}; {ty} holds {allowed}"),
            },
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
            Rule::Inside => self.inside_note(),
            Rule::ClampBounds => self.bounds_note(),
        }
    }

    /// What is known of a row or a column, and of the extent where that is what it may reach.
    fn inside_note(&self) -> String {
        let DemandId::Demand(at) = self.failure.place else { return String::new() };
        let Demand::Inside { index, extent } = self.analysis.body.obligations[at].demand else { return String::new() };
        let own = format!("{} lies in {}", self.expression(), self.analysis.interval_of(index, self.failure.context));
        match (self.failure.allowed.lo, self.names.of(extent)) {
            (0, _) | (_, None) => own,
            (_, Some(extent)) => format!("{own}; nothing says that it is below `{extent}`"),
        }
    }

    fn bounds_note(&self) -> String {
        let DemandId::Demand(index) = self.failure.place else { return String::new() };
        let Demand::ClampBounds { lo, hi } = self.analysis.body.obligations[index].demand else { return String::new() };
        let text = |value: ValueId| {
            let name = self.names.of(value).map_or_else(|| String::from("it"), |name| format!("`{name}`"));
            format!("{name} lies in {}", self.analysis.range_of(value, self.failure.context))
        };
        format!("{}, {}", text(lo), text(hi))
    }

    pub(super) fn operand(&self, at: usize) -> Option<ValueId> {
        match self.failure.place {
            DemandId::Node(id) => self.analysis.body.node(id).op.operands().get(at).copied(),
            DemandId::Demand(_) => None,
        }
    }

    fn operand_text(&self, at: usize) -> String {
        let operand = match self.failure.place {
            DemandId::Node(id) => match self.analysis.body.node(id).op {
                Op::Binary(BinaryOp::Shl(Never) | BinaryOp::Shr, _, amount) if at == 1 => {
                    Some(self.names.amount(amount))
                }
                _ => self.operand(at),
            },
            DemandId::Demand(_) => None,
        };
        let name = operand.and_then(|operand| self.names.of(operand));
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
            (Rule::Inside, _) => String::from("lies outside"),
            (Rule::ClampBounds, _) => String::from("has no value between the bounds"),
            (_, None) => String::from("breaks it"),
        };
        if inputs.is_empty() { format!("it always {gives}") } else { format!("{inputs} {gives}") }
    }

    fn is_abs(&self) -> bool {
        let DemandId::Node(id) = self.failure.place else { return false };
        matches!(self.analysis.body.node(id).op, Op::Unary(UnaryOp::Abs(Never), _))
    }

    /// The inputs of an example; a long list is shortened to what is not zero, or to one value for all.
    fn inputs(&self, example: &CounterExample) -> String {
        let is_zero = |value: Constant| {
            matches!(value, Constant::Int(0) | Constant::Float(0) | Constant::Double(0) | Constant::Bool(false))
        };
        let list = |leaves: &[(ValueId, Constant)]| {
            let each = leaves
                .iter()
                .filter_map(|(leaf, value)| Some(format!("{} = {}", self.names.of(*leaf)?, constant_text(*value))));
            each.collect::<Vec<_>>().join(", ")
        };
        // A look-up that reads outside its table has no value.
        let failing = |leaf: ValueId| self.failure.place == DemandId::Node(leaf);
        let leaves: Vec<_> = example.leaves.iter().copied().filter(|(leaf, _)| !failing(*leaf)).collect();
        if leaves.len() <= MAX_LISTED {
            return list(&leaves);
        }
        let nonzero: Vec<_> = leaves.iter().copied().filter(|(_, value)| !is_zero(*value)).collect();
        if nonzero.len() <= MAX_LISTED {
            return format!("{}, everything else 0", list(&nonzero));
        }
        let more = nonzero.len() - MAX_LISTED;
        format!("{} and {more} more like these", list(&nonzero[..MAX_LISTED]))
    }
}

pub(super) fn span_of(analysis: &Analysis<'_>, place: DemandId) -> Span {
    match place {
        DemandId::Node(id) => analysis.body.node(id).span,
        DemandId::Demand(index) => analysis.body.obligations[index].span,
    }
}

/// The same for the copies that a loop or a closure makes of one expression. Expressions that start at one token differ
/// in their operation or in where their last operand stands; tokens without a place are told apart by their node.
pub(super) fn expression_key(analysis: &Analysis<'_>, place: DemandId) -> String {
    let span = format!("{:?}", span_of(analysis, place));
    match place {
        _ if span == format!("{:?}", Span::call_site()) => format!("{place:?}"),
        DemandId::Demand(_) => span,
        DemandId::Node(id) => {
            let op = &analysis.body.node(id).op;
            let kind = match op {
                Op::Binary(op, ..) => op.to_string(),
                Op::Unary(op, _) => op.to_string(),
                Op::Cast(mode, _) => format!("{mode:?} {:?}", analysis.body.node(id).ty),
                Op::Constant(_)
                | Op::Load(_)
                | Op::Uniform { .. }
                | Op::Coordinate { .. }
                | Op::Lookup { .. }
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
                | Op::Outcome { .. } => String::new(),
            };
            let last = op.operands().last().map(|&operand| analysis.body.node(operand).span);
            format!("{span} {kind} {last:?}")
        }
    }
}

fn constant_text(value: Constant) -> String {
    match value {
        Constant::Int(value) => value.to_string(),
        Constant::Bool(truth) => truth.to_string(),
        Constant::Float(bits) => format!("{:?}", f32::from_bits(bits)),
        Constant::Double(bits) => format!("{:?}", f64::from_bits(bits)),
    }
}
