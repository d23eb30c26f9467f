//! From a checked kernel to bodies that an emitter can print: the passes that do not depend on a target.
//!
//! [`prepare`] gives one body for each choice of variants and each subset of outputs, without guards, dead code,
//! repeated values or anything that is the same for the whole run; the last becomes the [`Derive`] program. What the
//! author spelled out becomes the operation that machines have (`idioms`), in the narrowest lanes (`narrow`): both rest
//! on proved ranges. [`jam`] then copies a body over the block of a schedule. No pass reassociates floats.

mod builder;
mod choices;
mod choose;
mod contract;
mod copies;
mod dead;
mod derive;
mod divide;
mod fold;
mod forms;
mod graph;
mod guards;
mod idioms;
mod jam;
mod lanes;
mod narrow;
mod numbers;
mod order;
#[cfg(test)]
mod property;
mod quick;
mod ranged;
mod rows;
mod simplify;
mod subsets;
mod swar;
#[cfg(test)]
mod testing;

pub(crate) use builder::operands;
pub use builder::{Builder, commutes, for_operands, map_operands};
pub use choose::{Candidate, Choice, Price, Target, choose};
pub use contract::contract;
pub use copies::ranges_of_copies;
pub use dead::remove_dead;
pub use derive::{Derive, Formula, Part, Word};
pub use divide::{Magic, magic, quotient, quotient_of_constant};
pub use forms::{Form, forms, separate};
pub use graph::Graph;
pub use guards::clamp_indices;
pub use jam::{count_in_rows, jam, jam_phases};
pub use lanes::explain_lanes;
pub use numbers::Numbers;
pub use order::{has_long_sums, in_demand_order, in_row_order, last_rows, sums_over_rows};
pub use quick::{QuickHasher, QuickMap, QuickTable, hash_of};
pub use rows::Forms;
pub use subsets::subsets;
pub use swar::{Swar, swar};

use crate::analyse::proved_ranges;
use crate::ir::{Body, Kernel};
use order::row_order;
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
            let bodies = self.bodies.iter().map(contract).collect();
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
    for body in &kernel.bodies {
        let (harmless, is_stable) = guards::make_harmless(body);
        for &subset in &subsets {
            let written = subsets::keep(&harmless, subset);
            let written = remove_dead(&written);
            let numbered = if is_stable { written } else { remove_dead(&number(&written)) };
            let narrow = clamp_indices(kernel, narrow_lanes(kernel, &numbered));
            let narrow = if kernel.fast { contract::reciprocals(&narrow) } else { narrow };
            let hoisted = hoist.hoist(kernel, &remove_dead(&narrow));
            bodies.push(remove_dead(&choices::turned(hoisted)));
        }
    }
    Prepared::new(subsets, bodies, hoist.finish())
}

/// The body in terms of idioms and in the narrowest lanes, by what was proved about its values.
fn narrow_lanes(kernel: &Kernel, body: &Body) -> Body {
    let proved = proved_ranges(kernel, body);
    let found = idioms::idioms(body, &proved.ranges);
    narrow::narrow(found.body, &found.ranges)
}

/// Folds constants, cleans up the algebra and numbers the values of a body.
pub fn number(body: &Body) -> Body {
    let mut builder = Builder::with_capacity(body.nodes.len());
    let ids = builder.extend(body, |op| op);
    builder.finish(body, &ids)
}
