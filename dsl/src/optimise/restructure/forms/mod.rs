//! Normal forms: what a body's sums, minima, maxima and ranks over taps are, whatever the author wrote, and the ways to
//! compute them.
//!
//! [`forms`] gives the candidates, the body as written first. A [`Style`] is a way through two dimensions; which one is
//! cheapest depends on the target and on the schedule, so `choose` decides. Only integers, whose sums are sums modulo 2ⁿ and
//! so may be regrouped, and whose minima and maxima are a lattice; never floats.

mod fold;
mod grid;
mod network;
mod rank;
mod sum;
mod survey;
mod terms;
#[cfg(test)]
mod tests;
mod write;
mod writer;

use crate::ir::loops::has_loops;
use crate::ir::{Body, Kernel, ValueId, check};
use crate::optimise::{Builder, in_demand_order, remove_dead};
use survey::{Plan, Survey};
use writer::{Asked, FormWriter, Style, WindowOrder};

/// One way to compute a body.
#[derive(Clone, Debug)]
pub struct Form {
    /// How `explain` calls it.
    pub name: &'static str,
    /// The body of a block's first row, second row and so on, again and again. All give the same values; they group
    /// them so that neighbouring rows share more.
    pub phases: Vec<Body>,
}

const fn style(order: WindowOrder, pairs: bool) -> Style {
    Style { order, pairs }
}

#[rustfmt::skip]
const STYLES: [(Style, &str); 4] = [
    (style(WindowOrder::Rows,    false), "rows first"),
    (style(WindowOrder::Rows,    true),  "rows first, pairs of rows"),
    (style(WindowOrder::Columns, false), "columns first"),
    (style(WindowOrder::Direct,  false), "by coefficient"),
];

/// Rows of a block that may differ in how they group what they share.
const PHASES: usize = 2;

/// The body as written, and in each style in which it differs.
pub fn forms(kernel: &Kernel, body: &Body) -> Vec<Form> {
    let written = Form { name: "as written", phases: vec![remove_dead(body)] };
    if has_loops(&body.nodes) {
        return vec![written];
    }
    let survey = Survey::of(kernel, body);
    let mut forms = vec![written];
    if survey.is_empty() {
        return forms;
    }
    let mut asked = Asked::default();
    for (style, name) in STYLES {
        // The style before differs from it in nothing else.
        if style.pairs && !asked.pairs.get() {
            continue;
        }
        asked = Asked::default();
        let mut phases = vec![rewrite(body, &survey, style, 0, &asked)];
        if asked.phase.get() {
            phases.extend((1..PHASES).map(|phase| rewrite(body, &survey, style, phase, &asked)));
        }
        if phases.windows(2).all(|pair| are_equal(&pair[0], &pair[1])) {
            phases.truncate(1);
        }
        phases.iter().for_each(|phase| check(kernel, phase, name));
        let is_known = |form: &Form| {
            form.phases.len() == phases.len() && form.phases.iter().zip(&phases).all(|(a, b)| are_equal(a, b))
        };
        if !forms.iter().any(is_known) {
            forms.push(Form { name, phases });
        }
    }
    forms
}

/// The body with its sums, minima and maxima row by row, then across rows: the form that suits most targets on which
/// rows of a block share what they compute.
pub fn separate(kernel: &Kernel, body: &Body) -> Body {
    if has_loops(&body.nodes) {
        return remove_dead(body);
    }
    let survey = Survey::of(kernel, body);
    if survey.is_empty() { remove_dead(body) } else { rewrite(body, &survey, STYLES[0].0, 0, &Asked::default()) }
}

/// The body with each plan of the survey carried out.
fn rewrite(body: &Body, survey: &Survey, style: Style, phase: usize, asked: &Asked) -> Body {
    let mut builder = Builder::with_capacity(body.nodes.len());
    let ids = body.rewrite(|value, op| {
        let index = value.id.0 as usize;
        if !survey.wanted[index] {
            // Nothing that is written asks for it.
            return ValueId(0);
        }
        let mut writer = FormWriter { builder: &mut builder, value, style, phase, asked };
        let written = match &survey.plans[index] {
            Some(Plan::Sum(terms)) => sum::write(&mut writer, terms),
            Some(Plan::Fold(fold)) => fold::write(&mut writer, fold),
            Some(Plan::Rank(rank)) => rank::write(&mut writer, rank),
            None => builder.push(value.with(op)),
        };
        builder.adopt_name(written, value.node.name.clone());
        written
    });
    in_demand_order(&builder.finish(body, &ids))
}

/// Whether two bodies compute the same in the same order.
fn are_equal(a: &Body, b: &Body) -> bool {
    a.nodes.len() == b.nodes.len()
        && a.nodes.iter().zip(&b.nodes).all(|(a, b)| a.op == b.op && a.ty == b.ty)
        && a.stores.iter().zip(&b.stores).all(|(a, b)| a.value == b.value)
}
