//! The body of a cell: values of its elements packed into pairs.

use super::images::Taps;
use super::pair::Value;
use std::cell::OnceCell;
use windrow_dsl::analyse::ranges;
use windrow_dsl::ir::{BinaryOp, Body, Constant, Kernel, Name, Node, Op, Range, Store, Type, ValueId, check_values};
use windrow_dsl::optimise::{Builder, remove_dead};

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
    if has_none(body) {
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
            let mut to = store.to.clone();
            to.channel = channel as u32;
            stores.push(Store { to, value });
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
        let output = &kernel.outputs[store.to.tensor.0 as usize];
        if output.channels != 1 {
            return None;
        }
        types.push(output.ty);
    }
    let narrow = |&ty: &Type| matches!(ty, Type::U8 | Type::I8 | Type::U16 | Type::I16);
    let has_bytes = types.iter().any(|&ty| ty.bits() == 8);
    types.iter().all(narrow).then_some(if has_bytes { 2 } else { 1 })
}

/// Whether pairs cannot compute some value of a body whatever the values are: seen at a glance, before others are computed
/// for nothing.
fn has_none(body: &Body) -> bool {
    let is_amount = |id: ValueId| matches!(body.node(id).op, Op::Constant(Constant::Int(by)) if (0..16).contains(&by));
    let mut varies = vec![false; body.nodes.len()];
    for (index, node) in body.nodes.iter().enumerate() {
        let mut own = matches!(node.op, Op::Load(_));
        node.op.for_operands(|id| own |= varies[id.0 as usize]);
        varies[index] = own;
        let has_pair = match node.op {
            Op::Coordinate { .. } | Op::Lookup { .. } | Op::MulAdd(..) => false,
            Op::Extent { .. } | Op::Stride { .. } | Op::Plane { .. } | Op::Gather { .. } => false,
            Op::Fetch { .. } | Op::Contiguous { .. } | Op::Across { .. } | Op::Local { .. } => false,
            Op::Turn { .. } | Op::Carried { .. } | Op::Advance { .. } | Op::Outcome { .. } => false,
            Op::Binary(BinaryOp::Shl(_) | BinaryOp::Shr | BinaryOp::RoundingShr, _, by) => !own || is_amount(by),
            Op::Constant(_) | Op::Load(_) | Op::Uniform { .. } | Op::Derived { .. } => true,
            Op::Unary(..) | Op::Binary(..) | Op::Select { .. } | Op::Cast(..) => {
                !own || !node.ty.is_float() && node.ty.bits() <= 32
            }
        };
        if !has_pair {
            return true;
        }
    }
    false
}

fn is_selection(op: &Op) -> bool {
    matches!(op, Op::Load(_) | Op::Binary(BinaryOp::Min | BinaryOp::Max, ..))
}

/// Writes the body of a cell, column by column.
pub(super) struct Packer<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) body: &'a Body,
    /// Found once an operation asks for one.
    pub(super) ranges: OnceCell<Vec<Range>>,
    /// Whether all values are elements that were read: nothing more is known of them.
    pub(super) selects: bool,
    pub(super) columns: i32,
    pub(super) taps: Taps,
    pub(super) builder: Builder,
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

    pub(super) fn range(&self, id: ValueId) -> Range {
        self.ranges.get_or_init(|| ranges(self.kernel, self.body).ranges)[id.0 as usize]
    }

    pub(super) fn name(&self, name: &Name, column: i32) -> Name {
        match (self.columns, column) {
            (1, _) => name.clone(),
            (_, 0) => name.with("_even"),
            (_, _) => name.with("_odd"),
        }
    }

    /// A word computed from words.
    pub(super) fn word(&mut self, op: Op, like: &Node) -> ValueId {
        self.builder.op(op, Type::U32, like)
    }
}
