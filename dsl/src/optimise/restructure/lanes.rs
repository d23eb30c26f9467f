//! The lanes and idioms of a body as text, for the command line's `explain`: what narrowing rests on and what it chose.

use super::idioms;
use super::narrow::Narrowed;
use crate::analyse::proved_ranges;
use crate::ir::Range;
use crate::ir::{Body, Constant, Kernel, Op, Type, ValueId};
use crate::optimise::normalise::derive::uniform_values;
use crate::optimise::normalise::guards;
use crate::optimise::{number, remove_dead};
use proc_macro2::Span;

/// The named values that are computed in other lanes than their type's, and the idioms that were found.
///
/// ```
/// let source = "#[kernel] fn mean(a: u8, b: u8) -> u8 { let sum = a as i32 + b as i32; (sum.min(300) / 2) as u8 }";
/// let kernel = &windrow_dsl::compile_file(source).kernels[0].kernel;
/// let text = windrow_dsl::optimise::explain_lanes(kernel, &kernel.bodies[0]);
/// assert_eq!(text, "  lanes\n    sum: i32 in 0..=510, computed in i16\n");
/// ```
pub fn explain_lanes(kernel: &Kernel, body: &Body) -> String {
    let body = numbered(body);
    let proved = proved_ranges(kernel, &body, &[]);
    let found = idioms::idioms(&body, &proved.ranges);
    let narrowed = Narrowed::of(&found.body, &found.ranges);
    let words = uniform_values(&body);
    let mut lines: Vec<Line> = Vec::new();
    for (index, node) in body.nodes.iter().enumerate() {
        let is_read = matches!(node.op, Op::Load(_) | Op::Constant(Constant::Int(_)));
        let Some(name) = node.name.as_deref().filter(|_| !is_read && !words[index]) else { continue };
        let lane = narrowed.lane(found.ids[index]);
        let line = Line { name, declared: node.ty, range: proved.ranges[index], lane, count: 1 };
        match lines.iter_mut().find(|own| own.is_like(&line)) {
            Some(own) => (own.range, own.count) = (own.range.hull(line.range), own.count + 1),
            None => lines.push(line),
        }
    }
    let mut applied: Vec<String> = found.applied.iter().map(|&(rule, id)| applied_text(&body, rule, id)).collect();
    applied.dedup();
    let cut = |line: &Line<'_>| line.range.as_int().is_some() && !line.range.fits(line.lane);
    let other = lines.iter().filter(|line| line.lane != line.declared || cut(line));
    section("lanes", other.map(Line::text).collect()) + &section("idioms", applied)
}

/// The type of the lanes that each value of a body is computed in, with the author's token of the value. Values that are the
/// same for a whole run are in none.
///
/// ```
/// let source = "#[kernel] fn mean(a: u8, b: u8) -> u8 { let sum = a as i32 + b as i32; (sum.min(300) / 2) as u8 }";
/// let kernel = &windrow_dsl::compile_file(source).kernels[0].kernel;
/// let lanes = windrow_dsl::optimise::lanes(kernel, &kernel.bodies[0]);
/// let of = |word: &str| lanes.iter().find(|(token, _)| token.start().column == source.find(word).unwrap()).unwrap().1.name();
/// assert_eq!([of("+ b"), of("min("), of("a: u8")], ["i16", "i16", "u8"]);
/// ```
pub fn lanes(kernel: &Kernel, body: &Body) -> Vec<(Span, Type)> {
    let body = numbered(body);
    let found = idioms::idioms(&body, &proved_ranges(kernel, &body, &[]).ranges);
    let narrowed = Narrowed::of(&found.body, &found.ranges);
    let words = uniform_values(&body);
    let values = body.nodes.iter().zip(words).zip(&found.ids).filter(|((_, is_word), _)| !is_word);
    values.map(|((node, _), id)| (node.span, narrowed.lane(*id))).collect()
}

/// The values that are read, each once.
fn numbered(body: &Body) -> Body {
    remove_dead(&number(&remove_dead(&guards::make_harmless(body).body)))
}

fn section(title: &str, lines: Vec<String>) -> String {
    let title = (!lines.is_empty()).then(|| format!("  {title}\n"));
    title.into_iter().chain(lines.into_iter().map(|line| format!("    {line}\n"))).collect()
}

fn applied_text(body: &Body, rule: &str, id: ValueId) -> String {
    match &body.node(id).name {
        Some(name) => format!("{name}: {rule}"),
        None => rule.to_owned(),
    }
}

struct Line<'a> {
    name: &'a str,
    declared: Type,
    range: Range,
    lane: Type,
    count: usize,
}

impl Line<'_> {
    fn is_like(&self, other: &Self) -> bool {
        (self.name, self.declared, self.lane) == (other.name, other.declared, other.lane)
    }

    fn text(&self) -> String {
        let Line { name, declared, range, lane, count } = self;
        let count = if *count == 1 { String::new() } else { format!(" ({count} values)") };
        let lane = match range.as_int() {
            Some(_) if !range.fits(*lane) => format!("its low bits in {}", (*lane).name()),
            _ => format!("computed in {}", (*lane).name()),
        };
        format!("{name}: {} in {range}, {lane}{count}", (*declared).name())
    }
}
