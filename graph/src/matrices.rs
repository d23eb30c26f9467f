//! Products of matrices, plane by plane.

use crate::{
    call::Call,
    fold::Layer,
    lower::{Lowering, Refusal, refused},
    rows,
    slot::Slot,
    sums::Sums,
    weights::{channels, permuted},
};

/// Rows of any number by one matrix, or planes of both.
pub(crate) fn matrices(lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<(), Refusal> {
    let src = lowering.input(layer, 0)?;
    let other = lowering.input(layer, 1)?;
    if other.extents.len() != 2 {
        return planes(lowering, layer, &src, &other);
    }
    let (rank, inner) = (src.extents.len(), src.extents.last().copied().unwrap_or(1));
    let rows = src.extents.iter().product::<usize>() / inner;
    let weights = permuted(lowering, layer, 1, &[0, 1], None)?;
    let columns = weights.extents[1];
    let bias = channels(lowering, layer, None, columns, 1.0, None)?;
    let order: Vec<usize> = (0..rank).collect();
    let src = lowering.reshaped(layer, &src, &[rows, inner]);
    rows::written(lowering, layer, &order, &[rows, columns], src, |lowering, src, out| {
        Sums { src, weights, bias, added: None, out }.product(lowering, layer)
    })
}

/// Each plane by that of the other tensor, of which there are as many or one. A tensor of one dimension is a row on the left and a column
/// on the right.
fn planes(lowering: &mut Lowering<'_>, layer: &Layer<'_>, src: &Slot, other: &Slot) -> Result<(), Refusal> {
    let row = src.of_rank(2);
    let column = if other.extents.len() == 1 { other.of_rank(2).permuted(&[1, 0]) } else { other.clone() };
    let ([.., rows, inner], [.., columns]) = (&row.extents[..], &column.extents[..]) else {
        return refused("it has no matrices");
    };
    let extents = lowering.analysis.extents(layer.output);
    let own = [src, other].iter().filter(|slot| slot.extents.len() > 1).count();
    let planes = extents[..extents.len() - own].to_vec();
    let of = |rows: usize, columns: usize| [&planes[..], &[rows, columns]].concat();
    let reads = vec![row.spread(&of(*rows, *inner)), column.spread(&of(*inner, *columns))];
    let (out, whole) = (lowering.destination(layer.output, &reads)?, of(*rows, *columns));
    if let Some(out) = out.reshaped(&whole) {
        return lowering.compute(layer, Call::matrix_product {}, reads, out);
    }
    let to = lowering.memory(out.element, &whole);
    lowering.compute(layer, Call::matrix_product {}, reads, to.clone())?;
    lowering.copy(layer, to.like(&out.extents), out);
    Ok(())
}
