//! Bytes of four rows of a whole input, one below the other, that a dot product takes in turn: a run that has packed the input has them in
//! that order, and a loop loads them instead of bringing them beside each other.

use super::Target;
use super::program::{QuadSums, RowQuads, VectorId};
use super::selection::Select;
use super::turns::column;
use super::value::Value;
use std::collections::BTreeSet;
use windrow_dsl::ir::{AxisId, BinaryOp, Body, InputId, Kernel, Op, ValueId};

/// Rows that are taken at once.
const TOGETHER: usize = 4;

impl<T: Target> Select<'_, T> {
    /// Notes that these vectors are the quads of four values, where they are bytes of four rows that may be packed so.
    pub(super) fn note_quads(&mut self, values: &[ValueId], made: &[VectorId]) {
        let machine = self.target.machine();
        let is_vector = self.lanes == machine.bits() / 8 && made.len() == TOGETHER;
        let is_known = self.program.quads.iter().any(|known| known.made == made);
        let Some((input, _)) = four_rows(self.kernel, self.body, values).filter(|_| is_vector && !is_known) else {
            return;
        };
        let first = self.vectors(values[0]);
        if let [bytes] = first.as_slice()
            && let Some(pointer) = self.program.pointer_of(*bytes)
        {
            self.program.quads.push(RowQuads { input, pointer, made: made.to_vec(), sums: None });
        }
    }

    /// Notes that all bytes of these quads, those of four values, are added to sums, where a loop adds those of all its rows so.
    pub(super) fn note_sums(
        &mut self,
        (values, made): (&[ValueId], &[VectorId]),
        before: &[VectorId],
        after: &[VectorId],
    ) {
        let row = four_rows(self.kernel, self.body, values).map(|(_, row)| row);
        let Some((turn, plane)) = row.and_then(|row| Some((row.turn(self.body)?, row.plane))) else { return };
        let Value::Scalar(turn) = *self.place(turn) else { return };
        let plane = plane.map(|plane| self.operand(plane));
        let quads = self.program.quads.iter_mut().find(|known| known.made == made);
        quads.into_iter().for_each(|quads| {
            let [before, after] = [before, after].map(<[_]>::to_vec);
            quads.sums = Some(QuadSums { turn, plane: plane.clone(), before, after });
        });
    }
}

/// The input of which four values are rows one below the other, the first a multiple of four, and that row: the elements of a step.
fn four_rows(kernel: &Kernel, body: &Body, values: &[ValueId]) -> Option<(InputId, Row)> {
    let [first, others @ ..] = values else { return None };
    let (input, at, row) = row_of(kernel, body, *first)?;
    let is_multiple = |(term, _): &(ValueId, bool)| match body.node(*term).op {
        Op::Binary(BinaryOp::Shl(_), _, by) => body.node(by).op.integer().is_some_and(|by| by >= 2),
        _ => false,
    };
    let follows = |(value, further): (&ValueId, i64)| {
        let expected = Row { offset: row.offset + further, ..row.clone() };
        row_of(kernel, body, *value) == Some((input, at, expected))
    };
    let are_rows = others.len() + 1 == TOGETHER && others.iter().zip(1..).all(follows);
    let is_first = row.offset % TOGETHER as i64 == 0 && row.terms.iter().all(is_multiple);
    (are_rows && is_first).then_some((input, row))
}

/// A row of a whole input: of a plane, and what its number is a sum of.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    plane: Option<ValueId>,
    terms: Vec<(ValueId, bool)>,
    offset: i64,
}

impl Row {
    /// The loop from 0 on whose turns begin with this row each, that of the first turn the first one.
    fn turn(&self, body: &Body) -> Option<ValueId> {
        let &[(term, true)] = self.terms.as_slice() else { return None };
        let Op::Binary(BinaryOp::Shl(_), turn, by) = body.node(term).op else { return None };
        let Op::Turn { start, .. } = body.node(turn).op else { return None };
        let is_whole =
            self.offset == 0 && [(by, 2), (start, 0)].iter().all(|(id, n)| body.node(*id).op.integer() == Some(*n));
        is_whole.then_some(turn)
    }
}

/// The elements of a step in a row: the input, the first column and the last one of the input, and the row.
fn row_of(kernel: &Kernel, body: &Body, value: ValueId) -> Option<(InputId, [ValueId; 2], Row)> {
    let Op::Contiguous { input, row, first, last, .. } = body.node(value).op else { return None };
    if !matches!(body.node(first).op, Op::Coordinate { axis: AxisId::STEP, offset: 0 }) {
        return None;
    }
    let rows = kernel.inputs[input.0 as usize].dimensions().checked_sub(2)?;
    // Bytes from row to row.
    let is_stride = |id: ValueId| body.node(id).op == Op::Stride { input, dimension: rows };
    let index = |id: ValueId| match body.node(id).op {
        Op::Binary(BinaryOp::Mul(_), index, stride) if is_stride(stride) => Some(index),
        Op::Binary(BinaryOp::Mul(_), stride, index) if is_stride(stride) => Some(index),
        _ => None,
    };
    let (plane, index) = match (index(row), &body.node(row).op) {
        (Some(index), _) => (None, index),
        (None, &Op::Binary(BinaryOp::Add(_), a, b)) => match (index(a), index(b)) {
            (None, Some(index)) => (Some(a), index),
            (Some(index), None) => (Some(b), index),
            _ => return None,
        },
        _ => return None,
    };
    // Of what is added, no part is a row's.
    let is_plane = plane.is_none_or(|plane| !reads(body, plane, &is_stride));
    let (terms, offset) = column(body, index);
    is_plane.then_some((input, [first, last], Row { plane, terms, offset }))
}

/// Whether a value is computed from one of these.
fn reads(body: &Body, value: ValueId, is_one: &impl Fn(ValueId) -> bool) -> bool {
    let (mut waiting, mut seen) = (vec![value], BTreeSet::new());
    while let Some(id) = waiting.pop() {
        if is_one(id) {
            return true;
        }
        if seen.insert(id) {
            body.node(id).op.for_operands(|operand| waiting.push(operand));
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use crate::targets::CPU;
    use windrow_dsl::optimise::prepare;

    /// How often the body of a target that sums such products loads quads, and whether the runtime is told.
    fn of(target: &str, first: i32, weight: &str) -> (usize, u32) {
        let compiled = windrow_dsl::compile_file(&format!(
            "#[kernel(window(n, k))] fn f(
                [n, k]: At<2>, #[shape(n, c)] src: View<i8, 2>, #[shape(c, k)] weights: View<i8, 2>,
                #[shape(p, c, k)] planes: View<i8, 3>, #[shape(c, p, k)] across: View<i8, 3>, #[uniform(0..=9)] r: i32,
            ) -> i32 {{
                let [_, channels] = src.extents();
                let mut sum = 0i32;
                for c in {first}..channels {{ sum = sum.wrapping_add(src[[n, c]] as i32 * {weight} as i32); }}
                sum
            }}"
        ));
        assert!(compiled.errors.is_empty(), "{weight}: {}", compiled.errors[0].text());
        let (kernel, target) = (&compiled.kernels[0].kernel, CPU.iter().find(|own| own.name == target).unwrap());
        let body = (target.emit)(kernel, &prepare(kernel), 0, "f", None).unwrap();
        (body.text.matches(".quads_at::<").count(), body.quads)
    }

    #[test]
    fn rows_below_each_other_are_loaded_by_fours() {
        for target in ["dotprod", "avx512", "vnni"] {
            for first in [0, 4] {
                // Four turns together, and one by one, where four turns' elements of a row are loaded at once.
                let loads = if target == "dotprod" && first == 0 { 4 + 1 } else { 1 };
                assert_eq!(of(target, first, "weights[[c, k]]"), (loads, 0b10), "{target} from {first} on");
                let of_plane = of(target, first, "planes[[r.min(planes.extents()[0] - 1), c, k]]");
                assert_eq!(of_plane, (loads, 0b100), "{target} from {first} on");
            }
        }
        // Without dot products there is nothing to load by fours.
        assert_eq!(of("avx2", 0, "weights[[c, k]]"), (0, 0));
    }

    #[test]
    fn other_rows_are_brought_beside_each_other() {
        for (first, weight) in [
            // Rows from another one on than a multiple of four, every second one, those of an element's own, and the other way.
            (1, "weights[[c, k]]"),
            (0, "weights.get([c + 2, k]).unwrap_or(0)"),
            (0, "weights.get([c + r, k]).unwrap_or(0)"),
            (0, "weights.get([2 * c, k]).unwrap_or(0)"),
            (0, "weights.get([r - c, k]).unwrap_or(0)"),
            (0, "weights.get([c + n, k]).unwrap_or(0)"),
            (0, "weights.get([c, k + 1]).unwrap_or(0)"),
            (0, "across[[c, 0, k]]"),
            (0, "across[[c, r.min(planes.extents()[0] - 1), k]]"),
            (0, "weights[[(c + r).min(channels - 1), k]]"),
            (0, "weights[[channels - 1 - c, k]]"),
        ] {
            assert_eq!(of("vnni", first, weight), (0, 0), "{weight} from {first} on");
        }
    }
}
