//! The proof as text, for the command line's `explain`: values, obligations, neighbourhoods.

use super::analysis::{Analysis, analyse};
use super::demand::{DemandId, How, Mode, Proof, Rule};
use super::messages::expression_key;
use super::names::Names;
use super::{Facts, Range};
use crate::ir::Overflow::Never;
use crate::ir::{BinaryOp, Body, CastMode, Demand, Input, Kernel, Neighbourhood, Op, ValueId};
use proc_macro2::Span;

/// What is read around an element, each value's and each output's type and proved interval, and how each obligation was
/// proved.
///
/// `facts` are those that [`super::prove`] gave for this body. What an unrolled loop repeats stands once, with all
/// that its copies can be; casts to a type that holds all of the operand's are left out.
pub fn explain(kernel: &Kernel, body: &Body, facts: &Facts) -> String {
    let analysis = analyse(kernel, body, Mode::Prove);
    let mut lines = vec![format!("kernel {}{}", kernel.name, choice_text(kernel, body))];
    lines.extend(kernel.inputs.iter().map(|input| {
        let channels = if input.channels == 1 { String::new() } else { format!(" × {}", input.channels) };
        format!("  reads {}: {}{channels}, {}", input.name, input.element.name(), reads_text(input))
    }));
    lines.extend(outputs(kernel, body, facts).into_iter().map(|line| format!("  writes {line}")));
    let section = |name: &str, content: Vec<String>| {
        let title = (!content.is_empty()).then(|| format!("  {name}"));
        title.into_iter().chain(content.into_iter().map(|line| format!("    {line}"))).collect::<Vec<_>>()
    };
    lines.extend(section("values", values(&analysis, facts)));
    lines.extend(section("proofs", found_proofs(&analysis).into_iter().map(|proved| proved.text).collect()));
    lines.push(String::new());
    lines.join("\n")
}

fn outputs(kernel: &Kernel, body: &Body, facts: &Facts) -> Vec<String> {
    let lines = body.stores.iter().filter_map(|store| {
        let output = kernel.outputs.get(store.to.tensor.0 as usize)?;
        let channel = if output.channels == 1 { String::new() } else { format!("[{}]", store.to.channel) };
        let range = facts.ranges.get(store.value.0 as usize)?;
        Some(format!("{}{channel}: {} in {range}", output.name, output.element.name()))
    });
    lines.collect()
}

fn choice_text(kernel: &Kernel, body: &Body) -> String {
    let chosen = kernel.variants.iter().zip(&body.choice).map(|(variant, choice)| {
        let value = variant.values.get(*choice as usize).map_or("?", String::as_str);
        format!("{} = {value}", variant.name)
    });
    let chosen: Vec<String> = chosen.collect();
    if chosen.is_empty() { String::new() } else { format!(" ({})", chosen.join(", ")) }
}

/// What is read of an input.
fn reads_text(input: &Input) -> String {
    let Neighbourhood { left, right, top, bottom } = input.neighbourhood;
    match input.neighbourhood {
        _ if input.is_whole => String::from("anywhere"),
        own if own == Neighbourhood::default() => String::from("the element itself"),
        _ => format!("x = {left}..={right}, y = {top}..={bottom}"),
    }
}

/// Every non-constant value, in order. What reads an input or a uniform stands under its parameter, and what an
/// unrolled loop or a closure repeats on one line, with all that its copies can be; casts that only widen are left out.
fn values(analysis: &Analysis<'_>, facts: &Facts) -> Vec<String> {
    let mut found: Vec<(String, Value)> = Vec::new();
    for (index, range) in facts.ranges.iter().enumerate() {
        let id = ValueId(index as u32);
        let Some((key, name)) = value_name(analysis, id) else { continue };
        let ty = analysis.body.node(id).ty.name();
        let key = format!("{ty} {key}");
        let reads_alike = |value: &Value| value.name == name && value.ty == ty && !name.contains('…');
        match found.iter_mut().find(|(own, value)| *own == key || reads_alike(value)) {
            Some((_, value)) => (value.range, value.count) = (value.range.hull(*range), value.count + 1),
            None => found.push((key, Value { name, ty, range: *range, count: 1 })),
        }
    }
    found.into_iter().map(|(_, value)| value.line()).collect()
}

struct Value {
    name: String,
    ty: &'static str,
    range: Range,
    count: usize,
}

impl Value {
    fn line(&self) -> String {
        let copies = if self.count == 1 { String::new() } else { format!(" ({} values)", self.count) };
        format!("{}: {} in {}{copies}", self.name, self.ty, self.range)
    }
}

/// By what a value is known, and what it is called.
fn value_name(analysis: &Analysis<'_>, id: ValueId) -> Option<(String, String)> {
    let Analysis { kernel, body, .. } = *analysis;
    let node = body.node(id);
    let name = match (node.op.clone(), &node.name) {
        (Op::Constant(_) | Op::Derived { .. }, _) => return None,
        (Op::Load(access), _) => kernel.inputs.get(access.tensor.0 as usize)?.name.clone(),
        (Op::Uniform { uniform, .. }, _) => kernel.uniforms.get(uniform.0 as usize)?.name.clone(),
        (_, Some(name)) => name.to_string(),
        (Op::Cast(CastMode::Value, x), None) if Range::of_type(body.node(x).ty).fits(node.ty) => return None,
        (_, None) => {
            let names = Names::new(kernel, body);
            let text = match node.op {
                Op::Select { condition, .. } => {
                    let condition = names.of(condition).unwrap_or_else(|| "…".to_owned());
                    format!("if {condition} {{ … }} else {{ … }}")
                }
                // What a loop hands on, and its like: no reader knows it.
                _ => Some(names.outline(id)).filter(|text| text != "…")?,
            };
            return Some((expression_key(analysis, DemandId::Node(id)), text));
        }
    };
    Some((name.clone(), name))
}

/// A line of [`explain`] about what a body demands.
#[derive(Clone, Debug)]
pub struct Proved {
    /// The author's tokens that demand it: an expression may stand at several places.
    pub tokens: Vec<Span>,
    /// What was proved, and how.
    pub text: String,
}

/// How each obligation of `body` was proved, each with the tokens that demand it.
pub fn proofs(kernel: &Kernel, body: &Body) -> Vec<Proved> {
    found_proofs(&analyse(kernel, body, Mode::Prove))
}

/// One line for each expression, rule and means; a loop's copies of an expression are counted.
fn found_proofs(analysis: &Analysis<'_>) -> Vec<Proved> {
    let mut found: Vec<(String, Proof, Vec<Span>)> = Vec::new();
    for proof in analysis.proofs.iter().filter(|proof| !is_plain(analysis, proof)) {
        let key = format!("{} {:?} {:?}", expression_key(analysis, proof.place), proof.rule, proof.how);
        match found.iter_mut().find(|(own, ..)| *own == key) {
            Some((_, all, tokens)) => {
                // Of a sum in a loop, the first copy adds to a constant: the others say more.
                let text = if starts_with_constant(analysis, all) { *proof } else { *all };
                *all = Proof { found: all.found.hull(proof.found), ..text };
                tokens.push(token(analysis, proof));
            }
            None => found.push((key, *proof, vec![token(analysis, proof)])),
        }
    }
    let proved = |(_, proof, tokens): (String, Proof, Vec<Span>)| {
        let text = match tokens.len() {
            1 => proof_text(analysis, &proof),
            count => format!("{} ({count} times)", proof_text(analysis, &proof)),
        };
        Proved { tokens, text }
    };
    found.into_iter().map(proved).collect()
}

/// The author's token that demands it.
fn token(analysis: &Analysis<'_>, proof: &Proof) -> Span {
    match proof.place {
        DemandId::Node(id) => analysis.body.node(id).span,
        DemandId::Demand(index) => analysis.body.obligations[index].span,
    }
}

fn starts_with_constant(analysis: &Analysis<'_>, proof: &Proof) -> bool {
    let DemandId::Node(id) = proof.place else { return false };
    match analysis.body.node(id).op {
        Op::Binary(BinaryOp::Add(Never), first, _) => matches!(analysis.body.node(first).op, Op::Constant(_)),
        _ => false,
    }
}

/// A cast to a type that holds every value of the operand's.
fn is_plain(analysis: &Analysis<'_>, proof: &Proof) -> bool {
    let DemandId::Node(id) = proof.place else { return false };
    match analysis.body.node(id).op {
        Op::Cast(_, x) => Range::of_type(analysis.body.node(x).ty).fits(analysis.body.node(id).ty),
        _ => false,
    }
}

fn proof_text(analysis: &Analysis<'_>, proof: &Proof) -> String {
    let names = Names::new(analysis.kernel, analysis.body);
    let (text, ty) = match proof.place {
        DemandId::Node(id) => (Some(names.outline(id)), analysis.body.node(id).ty),
        DemandId::Demand(index) => match analysis.body.obligations[index].demand {
            Demand::Index { index, .. } | Demand::Inside { index, .. } => {
                (names.of(index).or_else(|| Some(names.outline(index))), analysis.body.node(index).ty)
            }
            Demand::ClampBounds { lo, hi } => {
                let text = names.of(lo).zip(names.of(hi)).map(|(lo, hi)| format!("clamp({lo}, {hi})"));
                (text, analysis.body.node(lo).ty)
            }
        },
    };
    let text = text.unwrap_or_else(|| String::from("…"));
    let (found, ty) = (proof.found, ty.name());
    let what = match proof.rule {
        Rule::Overflow | Rule::Magnitude => format!("`{text}` fits {ty}: {found}"),
        Rule::Cast => format!("`{text}` keeps the value: {found}"),
        Rule::Divisor => format!("`{text}` does not divide by zero: {found}"),
        Rule::Quotient => format!("`{text}` is not the least {ty} by -1"),
        Rule::ShiftAmount => format!("`{text}` shifts by {found}"),
        Rule::TableIndex | Rule::ArrayIndex => format!("`{text}` is inside: {found}"),
        Rule::Inside if found.lo >= 0 => format!("`{text}` is not below 0: {found}"),
        Rule::Inside => format!("`{text}` is below {}", extent(analysis, &names, proof)),
        Rule::ClampBounds => format!("`{text}` has ordered bounds"),
    };
    let how = match proof.how {
        How::Interval => "by intervals",
        How::Path => "by the path condition",
        How::Polynomial => "as a polynomial",
        How::Order => "by order",
        How::Unreachable => "never reached",
    };
    let declared = if uses_declared(analysis, proof) { " and declared bounds" } else { "" };
    format!("{what}, {how}{declared}")
}

/// The extent that an index must be below, as an author writes it: the name of a variable that holds it says not whose it is.
fn extent(analysis: &Analysis<'_>, names: &Names<'_>, proof: &Proof) -> String {
    let DemandId::Demand(index) = proof.place else { return "the extent".to_owned() };
    match analysis.body.obligations[index].demand {
        Demand::Inside { extent, .. } => match (&analysis.body.node(extent).op, names.of(extent)) {
            (Op::Extent { input, dimension }, _) => {
                let name = analysis.kernel.inputs.get(input.0 as usize).map_or("input", |input| input.name.as_str());
                format!("`{name}.extents()[{dimension}]`")
            }
            (_, Some(text)) => format!("`{text}`"),
            (_, None) => "the extent".to_owned(),
        },
        Demand::Index { .. } | Demand::ClampBounds { .. } => "the extent".to_owned(),
    }
}

/// Whether a declaration of a uniform is near what the proof is about.
fn uses_declared(analysis: &Analysis<'_>, proof: &Proof) -> bool {
    let mut open: Vec<(ValueId, u32)> = match proof.place {
        DemandId::Node(id) => vec![(id, 4)],
        DemandId::Demand(index) => match analysis.body.obligations[index].demand {
            Demand::Index { index, .. } => vec![(index, 4)],
            Demand::Inside { index, extent } => vec![(index, 4), (extent, 4)],
            Demand::ClampBounds { lo, hi } => vec![(lo, 4), (hi, 4)],
        },
    };
    while let Some((id, depth)) = open.pop() {
        let op = &analysis.body.node(id).op;
        if let Op::Uniform { .. } = op
            && analysis.ranges[id.0 as usize] != Range::of_type(analysis.body.node(id).ty)
        {
            return true;
        }
        if depth > 0 {
            open.extend(op.operands().into_iter().map(|operand| (operand, depth - 1)));
        }
    }
    false
}
