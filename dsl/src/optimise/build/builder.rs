//! Builds a body value by value: each new value is folded, simplified and numbered before it is kept.
//!
//! All passes write through it, so no pass has to clean up after another. Two values are one where their operations
//! are equal up to the order of commutative operands, and up to the proof: where a checked and a wrapping form of one
//! sum meet, the checked form stays, as it says more.

use super::{fold, simplify};
use crate::ir::{BinaryOp, Body, CastMode, Constant, Name, Node, Numbers, Op, Range, Store, Type, ValueId};
use proc_macro2::Span;

/// Values for which room is made at most.
const MOST_EXPECTED: usize = 1 << 12;

/// A body under construction.
#[derive(Debug, Default)]
pub struct Builder {
    nodes: Vec<Node>,
    numbers: Numbers,
    /// Operations that were not kept as they were asked for.
    changes: usize,
}

impl Builder {
    /// Starts a body of about `count` values; room is made for as many as most bodies have at most.
    pub fn with_capacity(count: usize) -> Self {
        let count = count.min(MOST_EXPECTED);
        Self { nodes: Vec::with_capacity(count), numbers: Numbers::with_capacity(count), changes: 0 }
    }

    /// The node of `id`.
    pub fn node(&self, id: ValueId) -> &Node {
        &self.nodes.as_slice()[id.0 as usize]
    }

    /// All nodes so far.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The constant that `id` is, if it is one.
    pub fn constant(&self, id: ValueId) -> Option<Constant> {
        match self.node(id).op {
            Op::Constant(constant) => Some(constant),
            _ => None,
        }
    }

    /// Whether `id` is a constant.
    pub(super) fn is_constant(&self, id: ValueId) -> bool {
        matches!(self.node(id).op, Op::Constant(_))
    }

    /// Adds what `op` computes, as a value of type `ty`, where it stands in the author's text as `like` does.
    pub fn op(&mut self, op: Op, ty: Type, like: &Node) -> ValueId {
        self.push(Node { op, ty, guard: None, name: None, span: like.span })
    }

    /// Adds an integer constant.
    pub fn int(&mut self, value: i128, ty: Type) -> ValueId {
        let op = Op::Constant(Constant::Int(value));
        self.push(Node { op, ty, guard: None, name: None, span: Span::call_site() })
    }

    /// Adds a binary operation on values of the type of `left`; the result has that type too.
    pub fn binary(&mut self, op: BinaryOp, left: ValueId, right: ValueId) -> ValueId {
        let Node { ty, span, .. } = *self.node(left);
        self.push(Node { op: Op::Binary(op, left, right), ty, guard: None, name: None, span })
    }

    /// Adds a conversion.
    pub fn cast(&mut self, mode: CastMode, ty: Type, operand: ValueId) -> ValueId {
        let span = self.node(operand).span;
        self.push(Node { op: Op::Cast(mode, operand), ty, guard: None, name: None, span })
    }

    /// Adds a node whose operands are values of this builder: an existing value where one computes the same.
    pub fn push(&mut self, mut node: Node) -> ValueId {
        if let Op::Binary(op, a, b) = node.op
            && self.is_constant(a)
            && op.commutes()
            && !self.is_constant(b)
        {
            node.op = Op::Binary(op, b, a);
            self.changes += 1;
        }
        if let Some(constant) = fold::fold(self, &node) {
            node.op = Op::Constant(constant);
            self.changes += 1;
        }
        match simplify::simplify(self, &node) {
            simplify::Simplified::Value(id) => {
                self.changes += 1;
                self.adopt_name(id, node.name);
                id
            }
            simplify::Simplified::Op(op) => {
                self.changes += 1;
                node.op = op;
                self.push(node)
            }
            simplify::Simplified::Kept => self.number(node),
        }
    }

    /// Copies the values of `body`, each operation passed through `change` after its operands were renamed; where
    /// each value went.
    pub fn extend(&mut self, body: &Body, mut change: impl FnMut(Op) -> Op) -> Vec<ValueId> {
        body.rewrite(|value, op| self.push(value.with(change(op))))
    }

    /// The body that stores what `body` stores, by where its values went.
    pub fn finish(self, body: &Body, ids: &[ValueId]) -> Body {
        let stores =
            body.stores.iter().map(|store| Store { value: ids[store.value.0 as usize], ..store.clone() }).collect();
        self.into_body(body.choice.clone(), stores)
    }

    /// The finished body.
    pub fn into_body(self, choice: Vec<u32>, stores: Vec<Store>) -> Body {
        Body::plain(choice, self.nodes, stores)
    }

    /// Adds a node without folding or simplifying it: for a pass whose forms another pass's algebra would undo.
    pub fn push_as_is(&mut self, node: Node) -> ValueId {
        self.number(node)
    }

    fn number(&mut self, node: Node) -> ValueId {
        let id = match node.op {
            Op::Binary(op, a, b) if b.0 < a.0 && op.commutes() => self.numbers.of_binary(op.wrapping(), b, a, node.ty),
            Op::Binary(op, a, b) => self.numbers.of_binary(op.wrapping(), a, b, node.ty),
            Op::Load(_) => self.numbers.of(&node.op, node.ty),
            _ => self.numbers.of(&node.op.wrapping(), node.ty),
        };
        if id.0 as usize == self.nodes.len() {
            self.nodes.push(node);
            return id;
        }
        self.adopt_name(id, node.name);
        let kept = &mut self.nodes.as_mut_slice()[id.0 as usize].op;
        if node.op.is_checked() && *kept != node.op {
            *kept = node.op;
            self.changes += 1;
        }
        id
    }

    /// How many values there are.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// How many operations were folded, simplified or mirrored instead of being kept as they were asked for.
    pub(in crate::optimise) fn changes(&self) -> usize {
        self.changes
    }

    /// Puts `suffix` behind the names of the values from `first` on; what is read is named by its place anyway.
    pub fn rename_from(&mut self, first: usize, suffix: &str) {
        if suffix.is_empty() {
            return;
        }
        for node in self.nodes.iter_mut().skip(first).filter(|node| !matches!(node.op, Op::Load(_))) {
            if let Some(name) = &mut node.name {
                *name = name.with(suffix);
            }
        }
    }

    /// Gives a value the author's name, where it has none.
    pub fn adopt_name(&mut self, id: ValueId, name: Option<Name>) {
        let kept = &mut self.nodes.as_mut_slice()[id.0 as usize];
        if kept.name.is_none() && !matches!(kept.op, Op::Constant(_)) {
            kept.name = name;
        }
    }
}

/// Folds constants, cleans up the algebra and numbers the values of a body.
pub fn number(body: &Body) -> Body {
    numbered(body).0
}

/// The same, and where each value went.
pub(in crate::optimise) fn numbered(body: &Body) -> (Body, Vec<ValueId>) {
    let mut builder = Builder::with_capacity(body.nodes.len());
    let ids = builder.extend(body, |op| op);
    (builder.finish(body, &ids), ids)
}

/// What is known about values for the values that they became, now `count` of them.
pub(in crate::optimise) fn carried(known: &[Option<Range>], ids: &[ValueId], count: usize) -> Vec<Option<Range>> {
    let mut carried: Vec<Option<Range>> = vec![None; count];
    for (known, id) in known.iter().zip(ids) {
        let own = &mut carried[id.0 as usize];
        *own = match (*own, *known) {
            (Some(own), Some(known)) => own.meet(known),
            (own, known) => own.or(known),
        };
    }
    carried
}

#[cfg(test)]
mod tests {
    use super::number;
    use crate::ir::Overflow::{Never, Wrap};
    use crate::ir::{BinaryOp, Op, Type};
    use crate::optimise::testing::{lines, u8_body};

    #[test]
    fn equal_values_are_one() {
        let body = u8_body(|b, x, y| {
            let sum = b.raw(Op::Binary(BinaryOp::Add(Wrap), x, y), Type::U8);
            let again = b.raw(Op::Binary(BinaryOp::Add(Wrap), y, x), Type::U8);
            b.raw(Op::Binary(BinaryOp::Max, sum, again), Type::U8)
        });
        assert_eq!(lines(&number(&body)), ["a.0[0, 0]", "b.0[0, 0]", "WrappingAdd v0 v1"]);
    }

    #[test]
    fn the_checked_form_of_a_sum_stays() {
        let body = u8_body(|b, x, y| {
            let wrapped = b.raw(Op::Binary(BinaryOp::Add(Wrap), x, y), Type::U8);
            let checked = b.raw(Op::Binary(BinaryOp::Add(Never), x, y), Type::U8);
            b.raw(Op::Binary(BinaryOp::AbsDiff, wrapped, checked), Type::U8)
        });
        let numbered = number(&body);
        assert_eq!(lines(&numbered)[2..], ["Add v0 v1", "0"]);
    }
}
