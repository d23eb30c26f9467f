//! A [`Builder`] that knows what each of its values can be, for the passes that rest on proved ranges.
//!
//! What the analysis proved about a value of the author's is [learned](Ranged::learn); what a pass adds is worked out
//! from its operands.

use crate::analyse::node_range;
use crate::ir::Range;
use crate::ir::{Body, CastMode, Constant, Name, Node, Op, Store, Type, ValueId};
use crate::optimise::Builder;

/// Values under construction, and the range of each.
#[derive(Debug)]
pub struct Ranged {
    builder: Builder,
    ranges: Vec<Range>,
    /// Whether no value is known to be less than what was proved.
    is_as_proved: bool,
}

impl Ranged {
    /// Makes room for about `count` values.
    pub fn with_capacity(count: usize) -> Self {
        Self { builder: Builder::with_capacity(count), ranges: Vec::with_capacity(count), is_as_proved: true }
    }

    /// The node of `id`.
    pub fn node(&self, id: ValueId) -> &Node {
        self.builder.node(id)
    }

    /// The type of `id`.
    pub fn ty(&self, id: ValueId) -> Type {
        self.node(id).ty
    }

    /// The integers that a value can be; `None` for floats and truth values.
    pub fn interval(&self, id: ValueId) -> Option<(i128, i128)> {
        self.ranges[id.0 as usize].as_int()
    }

    /// The range of a value.
    pub fn range(&self, id: ValueId) -> Range {
        self.ranges[id.0 as usize]
    }

    /// Whether every value of `id` is one of `ty`.
    pub fn fits(&self, id: ValueId, ty: Type) -> bool {
        self.range(id).fits(ty)
    }

    /// The integer that a value is, where there is only one.
    pub fn integer(&self, id: ValueId) -> Option<i128> {
        self.interval(id).filter(|(lo, hi)| lo == hi).map(|(value, _)| value)
    }

    /// Adds a node; what it can be follows from its operands.
    pub fn push(&mut self, node: Node) -> ValueId {
        let id = self.builder.push(node);
        self.work_out();
        id
    }

    /// What the values can be whose range is not known yet.
    fn work_out(&mut self) {
        for index in self.ranges.len()..self.builder.nodes().len() {
            let node = &self.builder.nodes()[index];
            let (get, ty) = (|id: ValueId| self.ranges[id.0 as usize], |id: ValueId| self.builder.node(id).ty);
            self.ranges.push(node_range(node, &get, &ty));
        }
    }

    /// Adds a node of which this was proved. It is what its operands say and more, where what they say is what they were
    /// proved to be: then nothing is worked out.
    pub fn push_known(&mut self, node: Node, range: Range) -> ValueId {
        let count = self.builder.count();
        let (changes, is_as_proved) = (self.builder.changes(), self.is_as_proved);
        if !is_as_proved {
            let id = self.push(node);
            self.learn(id, range);
            return id;
        }
        let id = self.builder.push(node);
        if self.builder.count() == count + 1 && self.builder.changes() == changes {
            self.ranges.push(range);
            return id;
        }
        self.work_out();
        self.learn(id, range);
        id
    }

    /// Adds what `op` computes, where it stands in the author's text as `like` does.
    pub fn op(&mut self, op: Op, ty: Type, like: ValueId) -> ValueId {
        let span = self.node(like).span;
        self.push(Node { op, ty, guard: None, name: None, span })
    }

    /// Adds an integer constant.
    pub fn int(&mut self, value: i128, ty: Type, like: ValueId) -> ValueId {
        self.op(Op::Constant(Constant::Int(value)), ty, like)
    }

    /// A value in another integer type: converted with its value where it fits, by its low bits elsewhere.
    pub fn convert(&mut self, id: ValueId, ty: Type) -> ValueId {
        if self.ty(id) == ty {
            return id;
        }
        let mode = if self.fits(id, ty) { CastMode::Value } else { CastMode::Wrapping };
        self.op(Op::Cast(mode, id), ty, id)
    }

    /// Whether all nodes were kept as they were asked for.
    pub fn is_stable(&self) -> bool {
        self.builder.changes() == 0
    }

    /// What was proved about a value.
    pub fn learn(&mut self, id: ValueId, range: Range) {
        let own = &mut self.ranges[id.0 as usize];
        *own = own.meet(range).unwrap_or(*own);
        self.is_as_proved &= *own == range;
    }

    /// Gives a value the author's name, where it has none.
    pub fn adopt_name(&mut self, id: ValueId, name: Option<Name>) {
        self.builder.adopt_name(id, name);
    }

    /// The value before conversions that keep it.
    pub fn source(&self, mut id: ValueId) -> ValueId {
        while let Op::Cast(_, inner) = self.node(id).op
            && self.ty(inner).is_integer()
            && self.fits(inner, self.ty(id))
        {
            id = inner;
        }
        id
    }

    /// The body that stores what `body` stores, by where its values went, and what its values can be.
    pub fn finish(self, body: &Body, ids: &[ValueId]) -> (Body, Vec<Range>) {
        let stores: Vec<Store> =
            body.stores.iter().map(|store| Store { value: ids[store.value.0 as usize], ..store.clone() }).collect();
        (self.builder.into_body(body.choice.clone(), stores), self.ranges)
    }
}
