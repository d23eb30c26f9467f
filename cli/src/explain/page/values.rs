//! What is known of the values at each place of the source, for one choice of variants.

use super::places::{Place, Places, Position, position};
use serde::Serialize;
use std::collections::{BTreeMap, HashSet};
use windrow_dsl::analyse;
use windrow_dsl::ir::{Body, CastMode, Constant, Facts, Kernel, Op, Range, Type, ValueId};
use windrow_dsl::optimise::lanes;

/// Names of values that are listed.
const MOST_NAMES: usize = 12;

/// What is known of the values at a place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Value {
    /// The place, by its number.
    pub place: usize,
    /// Their type.
    #[serde(rename = "type")]
    pub ty: &'static str,
    /// What they can be.
    pub range: String,
    /// The place where they are computed, where it is one: of a binding, its expression; of a call, what the callee ends with.
    pub stands: Option<usize>,
    /// How many there are: a loop or a closure has many.
    pub count: usize,
    /// What the author calls them.
    pub names: Vec<String>,
    /// Where their range comes from, in words.
    pub reason: &'static str,
    /// What they are computed from.
    pub from: Vec<Operand>,
    /// What was proved of them.
    pub proofs: Vec<String>,
    /// The types of the lanes that they are computed in; none for what is the same for a whole run.
    pub lanes: Vec<&'static str>,
}

/// A value that others are computed from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Operand {
    /// What the author calls it; empty where it has no name, and `place` says what it is.
    pub text: String,
    /// Where it stands.
    pub place: Option<usize>,
    /// What it can be.
    pub range: String,
}

/// The values of a body, by place; places without any are left out.
pub fn values(kernel: &Kernel, body: &Body, facts: &Facts, places: &Places) -> Vec<Value> {
    let finder = Finder::of(kernel, body, facts, places);
    let known = places.list().iter().enumerate().filter_map(|(index, place)| finder.value(index, place));
    known.collect()
}

struct Finder<'a> {
    body: &'a Body,
    facts: &'a Facts,
    places: &'a Places,
    of_token: BTreeMap<Position, Vec<ValueId>>,
    lanes: BTreeMap<Position, Vec<&'static str>>,
    proofs: BTreeMap<Position, Vec<String>>,
    users: Vec<Vec<ValueId>>,
}

impl<'a> Finder<'a> {
    fn of(kernel: &'a Kernel, body: &'a Body, facts: &'a Facts, places: &'a Places) -> Self {
        let mut of_token: BTreeMap<Position, Vec<ValueId>> = BTreeMap::new();
        let mut users = vec![Vec::new(); body.nodes.len()];
        for (id, node) in (0..).map(ValueId).zip(&body.nodes) {
            node.op.for_operands(|operand| users[operand.0 as usize].push(id));
            if !matches!(node.op, Op::Constant(_)) {
                of_token.entry(position(node.span)).or_default().push(id);
            }
        }
        let mut of_lanes: BTreeMap<Position, Vec<&'static str>> = BTreeMap::new();
        for (token, ty) in lanes(kernel, body) {
            let known = of_lanes.entry(position(token)).or_default();
            if !known.contains(&ty.name()) {
                known.push(ty.name());
            }
        }
        let mut proofs: BTreeMap<Position, Vec<String>> = BTreeMap::new();
        for proved in analyse::proofs(kernel, body) {
            let mut tokens: Vec<Position> = proved.tokens.into_iter().map(position).collect();
            tokens.sort_unstable();
            tokens.dedup();
            tokens.iter().for_each(|token| proofs.entry(*token).or_default().push(proved.text.clone()));
        }
        Self { body, facts, places, of_token, lanes: of_lanes, proofs, users }
    }

    fn value(&self, index: usize, place: &Place) -> Option<Value> {
        let ids = self.ids(place);
        let first = self.body.node(*ids.first()?);
        let mut names: Vec<String> = Vec::new();
        for name in ids.iter().filter_map(|id| self.body.node(*id).name.as_deref()) {
            if names.len() < MOST_NAMES && !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        let (reason, from) = self.reason(&ids);
        Some(Value {
            place: index,
            ty: first.ty.name(),
            range: self.hull(&ids).to_string(),
            count: ids.len(),
            names,
            reason,
            from,
            proofs: place.tokens.iter().filter_map(|token| self.proofs.get(token)).flatten().cloned().collect(),
            lanes: self.lanes_of(&ids),
            stands: self.stands(&ids),
        })
    }

    /// The place where all of these are computed.
    fn stands(&self, ids: &[ValueId]) -> Option<usize> {
        let mut places = ids.iter().map(|id| self.places.of_token(position(self.body.node(*id).span)));
        let first = places.next()??;
        places.all(|place| place == Some(first)).then_some(first)
    }

    /// The lanes of values, each once.
    fn lanes_of(&self, ids: &[ValueId]) -> Vec<&'static str> {
        let mut found: Vec<&'static str> = Vec::new();
        for lane in ids.iter().filter_map(|id| self.lanes.get(&position(self.body.node(*id).span))).flatten() {
            if !found.contains(lane) {
                found.push(lane);
            }
        }
        found
    }

    /// The values of a place: those of its token, or of its name in the same function.
    fn ids(&self, place: &Place) -> Vec<ValueId> {
        let of_tokens: Vec<ValueId> =
            place.tokens.iter().filter_map(|token| self.of_token.get(token)).flatten().copied().collect();
        if !of_tokens.is_empty() {
            return self.results(&of_tokens);
        }
        let Some(name) = &place.name else { return Vec::new() };
        let (start, end) = place.function;
        let is_there = |id: &ValueId| (start..end).contains(&position(self.body.node(*id).span));
        let is_called = |id: &ValueId| self.body.node(*id).name.as_deref().is_some_and(|own| is_part(own, name));
        let ids = (0..self.body.nodes.len()).map(|index| ValueId(index as u32));
        ids.filter(|id| is_called(id) && is_there(id) && !matches!(self.body.node(*id).op, Op::Constant(_))).collect()
    }

    /// What an expression gives. One of several steps, as `clamp` and the elementary functions are, gives what is used outside.
    fn results(&self, ids: &[ValueId]) -> Vec<ValueId> {
        let first = self.body.node(ids[0]);
        let shape = |op: &Op| op.map_operands(|_| ValueId(0));
        let is_like = |id: &ValueId| match (&self.body.node(*id).op, &first.op) {
            (Op::Load(_), Op::Load(_)) => true,
            (own, first) => shape(own) == shape(first),
        };
        if ids.iter().all(is_like) {
            return ids.to_vec();
        }
        let own: HashSet<ValueId> = ids.iter().copied().collect();
        let is_result = |id: &&ValueId| !self.users[id.0 as usize].iter().any(|user| own.contains(user));
        let results: Vec<ValueId> = ids.iter().filter(is_result).copied().collect();
        if results.is_empty() { ids.to_vec() } else { results }
    }

    fn range(&self, id: ValueId) -> Range {
        self.facts.ranges.get(id.0 as usize).copied().unwrap_or(Range::of_type(self.body.node(id).ty))
    }

    fn hull(&self, ids: &[ValueId]) -> Range {
        let ranges = ids.iter().map(|id| self.range(*id));
        ranges.reduce(Range::hull).unwrap_or(Range::of_type(Type::BOOL))
    }

    /// Where a range comes from, and the operands that it was computed from.
    fn reason(&self, ids: &[ValueId]) -> (&'static str, Vec<Operand>) {
        let first = self.body.node(ids[0]);
        if ids.iter().any(|id| self.body.measured.iter().any(|measured| measured.value == *id)) {
            return ("measured for every argument of the function", Vec::new());
        }
        let all = self.hull(ids) == Range::of_type(first.ty);
        let reason = match first.op {
            Op::Load(_) | Op::Gather { .. } | Op::Fetch { .. } => "an element of an image may be anything of its type",
            Op::Lookup { .. } => "an entry of a table may be anything of its type",
            Op::Uniform { .. } if all => "an argument may be anything of its type",
            Op::Uniform { .. } => "its declaration, which is checked when the kernel is configured",
            Op::Coordinate { .. } => "a place in the output",
            Op::Extent { .. } | Op::Stride { .. } => "the extent of an image",
            Op::Select { .. } => "one of the two that are chosen between, by a condition:",
            Op::Cast(CastMode::Value, _) => "the value of",
            Op::Cast(..) => "cut to its type from",
            _ => "computed from",
        };
        (reason, self.operands(ids))
    }

    /// The operands at each position, over all values of a place.
    fn operands(&self, ids: &[ValueId]) -> Vec<Operand> {
        let lists: Vec<Vec<ValueId>> =
            ids.iter().map(|id| self.body.node(*id).op.operands().into_iter().collect()).collect();
        let count = lists.iter().map(Vec::len).min().unwrap_or(0);
        (0..count).map(|position| self.operand(&lists.iter().map(|list| list[position]).collect::<Vec<_>>())).collect()
    }

    fn operand(&self, ids: &[ValueId]) -> Operand {
        let node = self.body.node(ids[0]);
        let range = self.hull(ids).to_string();
        if ids.iter().all(|id| matches!(self.body.node(*id).op, Op::Constant(_))) {
            return Operand { text: constant(&node.op, &range), place: None, range };
        }
        let place = self.stands(ids);
        let is_same = |id: &ValueId| self.body.node(*id).name.as_deref() == node.name.as_deref();
        let text = match (&node.name, place) {
            (Some(name), _) if ids.iter().all(is_same) => name.to_string(),
            (_, Some(_)) => String::new(),
            (_, None) => String::from("several values"),
        };
        Operand { text, place, range }
    }
}

/// Whether a value's name is a binding's or that of a part of it: `pixel_2`.
fn is_part(own: &str, name: &str) -> bool {
    match own.strip_prefix(name) {
        Some("") => true,
        Some(rest) => rest.strip_prefix('_').is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit())),
        None => false,
    }
}

fn constant(op: &Op, range: &str) -> String {
    match op {
        Op::Constant(Constant::Float(bits)) => format!("{:?}", f32::from_bits(*bits)),
        _ => range.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is known at a part of a source's kernel.
    fn at(source: &str, text: &str) -> Option<Value> {
        let places = Places::of(source);
        let compiled = windrow_dsl::compile_file(source);
        let kernel = &compiled.kernels.first().unwrap_or_else(|| panic!("{:?}", compiled.errors)).kernel;
        let lines: Vec<&str> = source.lines().collect();
        let is_there = |value: &Value| {
            let ((line, start), (_, end)) = places.list()[value.place].region;
            lines[line - 1].get(start..end) == Some(text)
        };
        values(kernel, &kernel.bodies[0], &kernel.facts[0], &places).into_iter().find(is_there)
    }

    const BLUR: &str = "#[kernel]\nfn k(src: Neighbourhood<u8>, #[uniform(1..=3)] by: u8) -> u8 {\n    let row = |dy| src.at(-1, dy) as u16 + 2 * src.at(1, dy) as u16;\n    let sum = row(0) + row(1);\n    let mut all = sum / 6;\n    all = all / by as u16;\n    all as u8\n}\n";

    #[test]
    fn a_value_has_its_range_its_proof_and_where_it_is_from() {
        let sum = at(BLUR, "row(0) + row(1)").unwrap();
        assert_eq!((sum.ty, sum.range.as_str(), sum.count), ("u16", "0..=1530", 1));
        assert_eq!(sum.names, ["sum"]);
        assert!(sum.proofs[0].contains("fits u16: 0..=1530, by intervals"), "{:?}", sum.proofs);
        assert_eq!(sum.from.iter().map(|own| own.range.as_str()).collect::<Vec<_>>(), ["0..=765", "0..=765"]);
        assert_eq!(sum.lanes, ["i16"]);
    }

    #[test]
    fn copies_of_an_expression_are_one_place() {
        let twice = at(BLUR, "2 * src.at(1, dy) as u16").unwrap();
        assert_eq!((twice.count, twice.range.as_str()), (2, "0..=510"));
        assert_eq!(twice.from[0].text, "2");
    }

    #[test]
    fn a_range_holds_all_copies() {
        let source = "#[kernel]\nfn k(a: u8, b: u8) -> u16 {\n    let f = |x: u16| x + 3;\n    f(a as u16) + f(f(b as u16)) + f(a as u16 / 2)\n}\n";
        let sum = at(source, "x + 3").unwrap();
        assert_eq!((sum.range.as_str(), sum.count, sum.from[0].range.as_str()), ("3..=261", 4, "0..=258"));
        assert_eq!(sum.from[0].text, "several values");
    }

    #[test]
    fn bindings_calls_and_uses_lead_to_the_expression() {
        let (sum, named, call) = (at(BLUR, "row(0) + row(1)"), at(BLUR, "sum"), at(BLUR, "row(1)"));
        assert_eq!(named.unwrap().stands, Some(sum.unwrap().place));
        let call = call.unwrap();
        assert_eq!((call.range.as_str(), call.count), ("0..=765", 1));
        assert_ne!(call.stands, Some(call.place));
        // One that is assigned again has all values of its name.
        assert_eq!(at(BLUR, "all").unwrap().range, "0..=255");
    }

    #[test]
    fn what_is_read_and_what_is_declared_says_so() {
        let read = at(BLUR, "src.at(1, dy)").unwrap();
        assert_eq!((read.ty, read.count, read.lanes.as_slice()), ("u8", 2, ["u8"].as_slice()));
        assert!(read.reason.contains("element of an image") && read.from.is_empty());
        let by = at(BLUR, "by").unwrap();
        assert!(by.range == "1..=3" && by.reason.contains("declaration") && by.lanes.is_empty(), "{by:?}");
        assert!(at(BLUR, "|dy| src.at(-1, dy) as u16 + 2 * src.at(1, dy) as u16").is_none());
    }

    #[test]
    fn of_several_steps_the_last_counts() {
        let source = "#[kernel]\nfn k(a: f32) -> f32 {\n    (a.sin() + 2.0).clamp(1.5, 2.5)\n}\n";
        let sine = at(source, "a.sin()").unwrap();
        assert_eq!((sine.range.as_str(), sine.count), ("-1.0..=1.0 or NaN", 1));
        assert!(sine.reason.contains("measured"));
        let clamped = at(source, "(a.sin() + 2.0).clamp(1.5, 2.5)").unwrap();
        assert!(clamped.count == 1 && clamped.range.starts_with("1.5..=2.5"), "{clamped:?}");
    }
}
