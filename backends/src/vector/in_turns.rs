//! An element's body with loops at run time, of which the blocks of all sizes are copies.

use super::across::across;
use super::decompose;
use super::lockstep::lockstep;
use super::machine::Machine;
use super::turns_together::{multiplies_lanes, takes_bytes, turns_together};
use crate::bounded::without_bounds_of_turns;
use std::cell::OnceCell;
use windrow_dsl::analyse::ranges;
use windrow_dsl::ir::{Body, Kernel, Range, ValueId, check_vector};

/// An element's body with loops at run time in terms of a target, whose turns all lanes take together.
#[derive(Debug)]
pub struct InTurns {
    body: Body,
    ranges: OnceCell<Vec<Range>>,
}

impl InTurns {
    /// Of a body in lockstep, whose steps have this many lanes.
    pub fn new(machine: &Machine, kernel: &Kernel, body: Body, lanes: u32) -> Self {
        let body = without_bounds_of_turns(kernel, &across(machine, kernel, body, lanes));
        check_vector(&body, "the bounds of turns");
        let body = turns_together(machine, body);
        Self { body: decompose::needed(machine, kernel, &body), ranges: OnceCell::new() }
    }

    /// The body.
    pub fn body(&self) -> &Body {
        &self.body
    }

    /// What a value of an element can be, wherever the element stands.
    pub fn range(&self, kernel: &Kernel, id: ValueId) -> Range {
        self.ranges.get_or_init(|| ranges(kernel, &self.body).ranges)[id.0 as usize]
    }
}

/// Whether a body adds products of bytes that a machine multiplies by one instruction.
pub fn adds_products_of_bytes(machine: &Machine, kernel: &Kernel, body: &Body) -> bool {
    let adds =
        |body: Body| multiplies_lanes(machine, &body) || takes_bytes(machine, &without_bounds_of_turns(kernel, &body));
    machine.byte_factor.is_some() && lockstep(kernel, body).is_some_and(adds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::x86::avx512::MACHINE;
    use windrow_dsl::optimise::prepare;

    #[test]
    fn products_of_bytes_are_found_with_and_without_loops() {
        let of = |turns: &str, term: &str| {
            let compiled = windrow_dsl::compile_file(&format!(
                "#[kernel] fn f([y, x]: At<2>, a: View<i8>, b: View<i8>) -> i32 {{
                    let [height, width] = b.extents();
                    let mut sum = 0i32;
                    for k in 0..{turns} {{ sum = sum.wrapping_add({term}); }}
                    sum
                }}"
            ));
            assert!(compiled.errors.is_empty(), "{term}: {}", compiled.errors[0].text());
            let kernel = &compiled.kernels[0].kernel;
            adds_products_of_bytes(&MACHINE, kernel, &prepare(kernel).bodies[0])
        };
        let [same, own] = ["a.get([y, k])", "a.get([y + k, x])"].map(|read| format!("{read}.unwrap_or(0)"));
        let [weight, unsigned] = ["b.get([k, x]).unwrap_or(0) as i32", "wrapping_cast::<u8>() ^ 128"];
        assert!(of("height", &format!("{same} as i32 * {weight}")));
        assert!(of("3", &format!("({own}.{unsigned}) as i32 * {weight}")));
        // Two signed ones of each lane, and what isn't a product.
        assert!(!of("3", &format!("{own} as i32 * {weight}")));
        assert!(!of("height", &format!("{same} as i32 + {weight}")));
    }
}
