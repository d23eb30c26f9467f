//! The driver: from a checked kernel to [`Prepared`], pass by pass.

use super::build::builder::{carried, numbered};
use super::normalise::{alike, arms, contract, derive, guards, subsets};
use super::restructure::idioms;
use super::restructure::narrow::{self, Narrowed};
use super::{Derive, Forms, clamp_indices, without_dead};
use crate::analyse::proved_ranges;
use crate::ir::{Body, Kernel, Range, check};
use std::cell::OnceCell;
use std::rc::Rc;

/// A kernel's bodies, ready for an emitter.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The subsets of outputs as masks (bit k: output k is written), all outputs first, then by decreasing mask.
    pub subsets: Vec<u32>,
    /// One body for each choice of variants and subset: `bodies[choice * subsets.len() + subset]`.
    pub bodies: Vec<Body>,
    /// What is computed once for the whole run.
    pub derive: Derive,
    /// The forms of each body, once some target has asked for them.
    forms: Vec<OnceCell<Rc<Forms>>>,
    /// The contracted bodies, once some target has asked for them.
    fused: OnceCell<Rc<Prepared>>,
}

impl Prepared {
    /// These bodies.
    pub fn new(subsets: Vec<u32>, bodies: Vec<Body>, derive: Derive) -> Self {
        let forms = vec![OnceCell::new(); bodies.len()];
        Self { subsets, bodies, derive, forms, fused: OnceCell::new() }
    }

    /// The same bodies for a target that multiplies and adds with one rounding: contracted, where the author said
    /// `fast`.
    pub fn for_fused(&self, kernel: &Kernel) -> &Self {
        if !kernel.fast {
            return self;
        }
        self.fused.get_or_init(|| {
            let bodies: Vec<Body> = self.bodies.iter().map(contract).collect();
            bodies.iter().for_each(|body| check(kernel, body, "contraction"));
            Rc::new(Self::new(self.subsets.clone(), bodies, self.derive.clone()))
        })
    }

    /// The forms of the body `index`: the same for all targets.
    pub fn forms(&self, kernel: &Kernel, index: usize) -> &Forms {
        self.forms[index].get_or_init(|| Rc::new(Forms::of(kernel, &self.bodies[index])))
    }
}

/// Optimises every body of a kernel as far as that does not depend on the target.
pub fn prepare(kernel: &Kernel) -> Prepared {
    let subsets = subsets(kernel);
    let mut hoist = derive::Hoist::default();
    let mut bodies = Vec::with_capacity(kernel.bodies.len() * subsets.len());
    for (index, body) in kernel.bodies.iter().enumerate() {
        let harmless = guards::make_harmless(body);
        check(kernel, &harmless.body, "guards");
        let known = kernel.facts.get(index).map_or(Vec::new(), |facts| harmless.carried(body, facts));
        for &subset in &subsets {
            let mut ranges = known.clone();
            let mut written = without_dead(subsets::keep(&harmless.body, subset), &mut ranges);
            if !harmless.is_stable {
                let (numbered, ids) = numbered(&written);
                ranges = carried(&ranges, &ids, numbered.nodes.len());
                written = without_dead(numbered, &mut ranges);
            }
            check(kernel, &written, "numbers");
            let (joined, mut ranges) = alike::joined(written, ranges);
            let written = without_dead(joined, &mut ranges);
            check(kernel, &written, "choices");
            let (narrow, is_stable) = narrow_lanes(kernel, &written, ranges);
            let narrow = clamp_indices(kernel, narrow);
            check(kernel, &narrow, "indices");
            let narrow = if kernel.fast { contract::reciprocals(&narrow) } else { narrow };
            check(kernel, &narrow, "reciprocals");
            let hoisted = hoist.hoist(kernel, without_dead(narrow, &mut Vec::new()), is_stable);
            check(kernel, &hoisted, "derived words");
            let turned = without_dead(arms::turned(hoisted), &mut Vec::new());
            check(kernel, &turned, "arms");
            bodies.push(turned);
        }
    }
    let derive = hoist.finish();
    check(kernel, &derive.body, "derived words");
    Prepared::new(subsets, bodies, derive)
}

/// The body in terms of idioms and in the narrowest lanes, by what was proved about its values: `known`, or found once more
/// where something is not. And whether numbering it once more would change nothing, as long as nothing else does.
fn narrow_lanes(kernel: &Kernel, body: &Body, known: Vec<Option<Range>>) -> (Body, bool) {
    let all: Option<Vec<Range>> = known.iter().copied().collect();
    let all = all.filter(|ranges| ranges.len() == body.nodes.len());
    let ranges = all.unwrap_or_else(|| proved_ranges(kernel, body, &known).ranges);
    let found = idioms::idioms(body, &ranges);
    check(kernel, &found.body, "idioms");
    match narrow::is_narrow(&found.body) {
        true => (found.body, found.is_stable && !kernel.fast && kernel.tables.is_empty()),
        false => {
            let narrowed = Narrowed::of(&found.body, &found.ranges).body();
            check(kernel, &narrowed, "lanes");
            (narrowed, false)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{BinaryOp, Op};
    use crate::optimise::testing::lines;

    /// What was proved is what would be found once more: of bodies that stay, that are simplified, and that have branches.
    #[test]
    fn what_was_proved_is_carried() {
        let sources = [
            "#[kernel] fn f(a: u8, b: u8) -> u8 { a.min(b).max(a / 2) }",
            "#[kernel] fn f(a: u8, b: u8) -> u8 { let sum = 0 + a as i32 * 3 + b as i32; (sum / 4) as u8 }",
            "#[kernel] fn f(a: u8, #[uniform(1..=9)] by: u8) -> (u8, u8) { let less = a / by; (less, a - less) }",
            "#[kernel] fn f(a: u8, b: u8) -> u8 { if a > b { a - b } else { (a as u16 + b as u16 >> 1) as u8 } }",
            "#[kernel] fn f(a: u8, t: Table<'_, u8, 99>) -> u8 { t[(a / 3) as usize] / 2 }",
        ];
        for source in sources {
            let compiled = crate::compile_file(source);
            let [kernel] = compiled.kernels.as_slice() else { panic!("{source}: {:?}", compiled.errors) };
            let alone = Kernel { facts: Vec::new(), ..kernel.kernel.clone() };
            let [carried, found] = [&kernel.kernel, &alone].map(|kernel| prepare(kernel).bodies);
            let text = |bodies: &[Body]| bodies.iter().map(lines).collect::<Vec<_>>();
            assert_eq!(text(&carried), text(&found), "{source}");
        }
    }

    /// A coordinate is below the extent that its window has from a tensor: no element is looked for outside there.
    #[test]
    fn what_a_window_says_decides_comparisons() {
        let source = "#[kernel(window(h + pad, w))]
            fn f([y, x]: At<2>, #[shape(h, w)] a: View<u8, 2>, #[uniform(0..=9)] pad: i32) -> u8 {
                a.get([y - pad, x]).unwrap_or(0)
            }";
        let compiled = crate::compile_file(source);
        let [kernel] = compiled.kernels.as_slice() else { panic!("{:?}", compiled.errors) };
        let body = &prepare(&kernel.kernel).bodies[0];
        let compared: Vec<BinaryOp> = body
            .nodes
            .iter()
            .filter_map(|node| match node.op {
                Op::Binary(op, ..) if op.comparison().is_some() => Some(op),
                _ => None,
            })
            .collect();
        assert_eq!(compared, [BinaryOp::Ge], "{:#?}", lines(body));
    }
}
