//! SWAR, SIMD within a register: two 16-bit values of a body share one 32-bit word.
//!
//! For machines that compute on 32-bit scalars alone. Images are read and written as words; a **cell** is the least run
//! of elements that fills whole words: 4 bytes, or 2 elements of 16 bits where no image holds bytes. A **pair** is the
//! word of two elements of one cell: 0 and 2 in its even pair and 1 and 3 in its odd one, or 0 and 1 of 16-bit elements.
//! [`swar`] gives the body that computes a cell; an emitter puts as many cells side by side as it likes.
//!
//! A pair holds Σ (vᵢ + bias)·2^16ᵢ modulo 2³². That sum is linear: additions, subtractions and products with a constant
//! need no masks, whatever their signs and however far they go between. Where a pair meets anything else, each half must
//! lie in 0..=65535, which is proved from intervals; the bias moves it there. A body with a value that cannot be proved
//! to fit has no such form.

mod arithmetic;
mod images;
mod operations;
mod pair;
#[cfg(test)]
mod tests;

use super::{Builder, remove_dead};
use crate::analyse::ranges;
use crate::ir::{BinaryOp, Body, Kernel, Name, Node, Op, Range, Store, Type, ValueId, check_values};
use images::Taps;
use pair::Value;
use std::cell::OnceCell;

/// The body that computes a cell.
///
/// Its values are words. `Op::Load` reads a word: its column counts cells, and its channel is the word within the cell; a
/// [`Store`] writes one likewise. `Min` and `Max` of two pairs are meant half by half, each half at most 32767.
#[derive(Clone, Debug)]
pub struct Swar {
    /// The body.
    pub body: Body,
    /// Elements of a cell, along the row.
    pub cell: u32,
}

/// The body of a cell; `None` where some value does not fit a half, or no operation on pairs computes it.
pub fn swar(kernel: &Kernel, body: &Body) -> Option<Swar> {
    let columns = columns(kernel, body)?;
    if operations::has_none(body) {
        return None;
    }
    let mut packer = Packer {
        kernel,
        body,
        ranges: OnceCell::new(),
        selects: body.nodes.iter().all(|node| is_selection(&node.op)),
        columns,
        taps: Taps::default(),
        builder: Builder::with_capacity(4 * body.nodes.len()),
    };
    let values: Vec<Vec<Value>> = (0..columns).map(|column| packer.column(column)).collect::<Option<_>>()?;
    let mut stores = Vec::new();
    for store in &body.stores {
        let pairs: Vec<Value> = values.iter().map(|column| column[store.value.0 as usize]).collect();
        for (channel, value) in packer.words(store, &pairs)?.into_iter().enumerate() {
            stores.push(Store { channel: channel as u32, value, ..store.clone() });
        }
    }
    let body = packer.builder.into_body(body.choice.clone(), stores);
    let body = remove_dead(&body);
    check_values(&body, "packing");
    Some(Swar { body, cell: 2 * columns.unsigned_abs() })
}

/// How many pairs a cell has: two where some image holds bytes, one where all hold 16-bit elements; `None` where the
/// images are neither, or not read element by element.
fn columns(kernel: &Kernel, body: &Body) -> Option<i32> {
    let mut types = Vec::new();
    for node in &body.nodes {
        if let Op::Load(access) = &node.op {
            let input = &kernel.inputs[access.tensor.0 as usize];
            if input.channels != 1 || input.stride() != (1, 1) {
                return None;
            }
            types.push(input.ty);
        }
    }
    if types.is_empty() {
        return None;
    }
    for store in &body.stores {
        let output = &kernel.outputs[store.output.0 as usize];
        if output.channels != 1 {
            return None;
        }
        types.push(output.ty);
    }
    let narrow = |&ty: &Type| matches!(ty, Type::U8 | Type::I8 | Type::U16 | Type::I16);
    let has_bytes = types.iter().any(|&ty| ty.bits() == 8);
    types.iter().all(narrow).then_some(if has_bytes { 2 } else { 1 })
}

/// Whether the value is one of the elements that a body reads.
fn is_selection(op: &Op) -> bool {
    matches!(op, Op::Load(_) | Op::Binary(BinaryOp::Min | BinaryOp::Max, ..))
}

/// Writes the body of a cell, column by column.
struct Packer<'a> {
    kernel: &'a Kernel,
    body: &'a Body,
    /// Found once an operation asks for one.
    ranges: OnceCell<Vec<Range>>,
    /// Whether all values are elements that were read: nothing more is known of them.
    selects: bool,
    columns: i32,
    taps: Taps,
    builder: Builder,
}

impl Packer<'_> {
    /// The values of one column's pair, aligned with the body's nodes.
    fn column(&mut self, column: i32) -> Option<Vec<Value>> {
        let mut values = Vec::with_capacity(self.body.nodes.len());
        for (index, node) in self.body.nodes.iter().enumerate() {
            let value = self.value(&values, ValueId(index as u32), node, column)?;
            if let (Value::Pair(pair), Some(name)) = (value, &node.name)
                && self.builder.node(pair.word).name.is_none()
            {
                let name = self.name(name, column);
                self.builder.adopt_name(pair.word, Some(name));
            }
            values.push(value);
        }
        Some(values)
    }

    fn range(&self, id: ValueId) -> Range {
        self.ranges.get_or_init(|| ranges(self.kernel, self.body).ranges)[id.0 as usize]
    }

    fn name(&self, name: &Name, column: i32) -> Name {
        match (self.columns, column) {
            (1, _) => name.clone(),
            (_, 0) => name.with("_even"),
            (_, _) => name.with("_odd"),
        }
    }

    /// A word computed from words.
    fn word(&mut self, op: Op, like: &Node) -> ValueId {
        self.builder.op(op, Type::U32, like)
    }
}
