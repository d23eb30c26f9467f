//! From legal IR to instructions: each value becomes the vectors that hold a step's lanes of it.
//!
//! This is the part that no instruction set does otherwise: words, splats, names, and which [`Target`] function is asked
//! for a node. A truth value is a mask, kept in every width in which someone asked for it ([`super::masks`]).

use super::lockstep::has_scalars;
use super::program::{Arg, Call, Lane, Origin, Program, Source, VectorId};
pub use super::selection::Select;
use super::{
    Target, masks,
    selection::{Memory, Ranges},
    turns,
    value::Value,
};
use crate::rows::{derived_word, literal, read_word, tap_of, uniform_word};
use crate::scalar::number_of_view;
use crate::value_name::wanted;
use std::cell::OnceCell;
use std::rc::Rc;
use windrow_dsl::diagnostic::Diagnostic;
use windrow_dsl::ir::Overflow::{Never, Wrap};
use windrow_dsl::ir::Range;
use windrow_dsl::ir::{
    Access, AxisId, BinaryOp, Body, CastMode, InputId, Kernel, Node, Op, TableId, Type, UnaryOp, ValueId, along,
};
use windrow_dsl::optimise::{Nest, last_rows, ranges_of_copies};

/// Values that wait for one another: more would ask for too much of the stack.
const MOST_WAITING: u32 = 40;

impl<'a, T: Target> Select<'a, T> {
    /// Selects all values of a body.
    pub fn all(
        target: T,
        kernel: &'a Kernel,
        body: &'a Body,
        nest: &Nest,
        memory: Memory<'a>,
        ranges: Ranges<'a>,
    ) -> Self {
        let mut select = Select {
            target,
            kernel,
            body,
            lanes: nest.lanes(),
            program: Program::new(nest),
            memory,
            values: Vec::with_capacity(body.nodes.len()),
            integers: Vec::new(),
            splats: vec![None; body.nodes.len()],
            interleaved: Vec::new(),
            along: if has_scalars(body) { along(&body.nodes) } else { Vec::new() },
            open: Vec::new(),
            spans: turns::spans(body),
            current: ValueId(0),
            name: "".into(),
            refused: Vec::new(),
            ranges,
            users: OnceCell::new(),
        };
        select.program.reserve(body.nodes.len());
        let rows = if target.machine().orders_sums(body) { last_rows(&body.nodes) } else { Vec::new() };
        for (index, node) in body.nodes.iter().enumerate() {
            select.program.begin(index);
            if index > 0 && rows.get(index).is_some_and(|row| rows[index - 1].is_some() && *row > rows[index - 1]) {
                select.program.fence();
            }
            let id = ValueId(index as u32);
            let value = select.may_wait(id, node).map_or_else(|| select.value(id), Value::Waiting);
            select.values.push(value);
        }
        select.program.begin(body.nodes.len());
        select
    }

    fn value(&mut self, id: ValueId) -> Value {
        let node = self.body.node(id);
        (self.current, self.name) = (id, wanted(self.kernel, node));
        if node.op.is_of_loop() {
            return self.of_loop(id);
        }
        if let Op::Across { op, value } = node.op {
            return self.across(node, op, value);
        }
        if self.is_uniform(id) && !node.op.is_word() {
            return self.scalar(id);
        }
        let value = self.node(node);
        self.name_parts(&value);
        value
    }

    /// Selects a value that waited, in its own place.
    fn select_late(&mut self, id: ValueId) {
        let (current, name) = (self.current, self.name());
        let place = self.program.begin(id.0 as usize);
        self.values[id.0 as usize] = self.value(id);
        (self.current, self.name) = (current, name);
        self.program.begin(place);
    }

    /// Whether a value may turn out to be unused, as instructions of its users take it in: how many values then
    /// wait for one another.
    fn may_wait(&self, id: ValueId, node: &Node) -> Option<u32> {
        use BinaryOp::*;
        if node.ty.is_float() || node.ty == Type::BOOL || self.is_uniform(id) {
            return None;
        }
        let operands = match node.op {
            Op::Unary(UnaryOp::ToHalf, a) => [a, a],
            Op::Cast(_, a) if self.body.node(a).ty.is_integer() => [a, a],
            Op::Binary(Mul(Never | Wrap) | AbsDiff | Shr | RoundingShr, a, b) => [a, b],
            Op::Binary(op, a, b) if op.is_sum() && self.target.joins_sums() => {
                let is_part = |user| matches!(self.body.node(user).op, Op::Binary(op, ..) if op.is_sum());
                self.only_user(id).filter(|&user| is_part(user))?;
                [a, b]
            }
            _ => return None,
        };
        let mut waiting = 1;
        for operand in operands {
            match self.values[operand.0 as usize] {
                Value::Waiting(others) => waiting = waiting.max(others + 1),
                Value::Vector(_) | Value::Vectors(_) | Value::Masks(_) | Value::Word(_) | Value::Scalar(_) => {}
            }
        }
        let is_word = operands.iter().all(|&operand| self.word(operand).is_some());
        (waiting <= MOST_WAITING && !is_word).then_some(waiting)
    }

    /// Numbers the vectors of a value that fills several: `sum_0`, `sum_1`.
    fn name_parts(&mut self, value: &Value) {
        match value {
            Value::Vectors(vectors) => self.number(vectors),
            Value::Masks(known) => {
                let masks: Vec<VectorId> = known.values().flatten().copied().collect();
                self.number(&masks);
            }
            Value::Vector(_) | Value::Word(_) | Value::Scalar(_) | Value::Waiting(_) => {}
        }
    }

    fn number(&mut self, parts: &[VectorId]) {
        if parts.len() < 2 {
            return;
        }
        for (place, part) in parts.iter().enumerate() {
            let vector = &mut self.program.vectors[part.0 as usize];
            if vector.part.is_none() && vector.name == self.name {
                vector.part = Some(place);
            }
        }
    }

    /// The vectors of a value that is not a truth value.
    pub fn vectors(&mut self, id: ValueId) -> Vec<VectorId> {
        let ty = self.body.node(id).ty;
        if let Value::Waiting(_) = self.values[id.0 as usize] {
            self.select_late(id);
        }
        match &self.values[id.0 as usize] {
            Value::Vector(one) => vec![*one],
            Value::Vectors(vectors) => vectors.clone(),
            Value::Word(_) => vec![self.splat(id, Lane::of(ty)); self.count(ty)],
            Value::Scalar(made) => {
                let made = *made;
                vec![self.splat_scalar(id, made); self.count(ty)]
            }
            // A truth value is asked for by `masks`.
            Value::Masks(_) | Value::Waiting(_) => Vec::new(),
        }
    }

    /// The vectors of two values that fill one each and aren't truth values: without lists of them, as most values do.
    pub fn singles(&mut self, a: ValueId, b: ValueId) -> Option<[VectorId; 2]> {
        Some([self.single(a)?, self.single(b)?])
    }

    fn single(&mut self, id: ValueId) -> Option<VectorId> {
        if let Value::Waiting(_) = self.values[id.0 as usize] {
            self.select_late(id);
        }
        match &self.values.as_slice()[id.0 as usize] {
            Value::Vector(one) => Some(*one),
            Value::Vectors(vectors) => match *vectors.as_slice() {
                [one] => Some(one),
                _ => None,
            },
            Value::Word(_) => {
                let ty = self.body.node(id).ty;
                if self.count(ty) == 1 { Some(self.splat(id, Lane::of(ty))) } else { None }
            }
            Value::Scalar(made) => {
                let (made, ty) = (*made, self.body.node(id).ty);
                if self.count(ty) == 1 { Some(self.splat_scalar(id, made)) } else { None }
            }
            Value::Masks(_) | Value::Waiting(_) => None,
        }
    }

    /// What a value can be.
    pub fn range(&self, id: ValueId) -> Range {
        match &self.ranges {
            Ranges::OfBlock(known) => known.get_or_init(|| ranges_of_copies(self.kernel, self.body))[id.0 as usize],
            Ranges::OfElement(element, origins) => element.range(self.kernel, origins[id.0 as usize]),
        }
    }

    /// The scalar expression of a value, where it is one.
    pub fn word(&self, id: ValueId) -> Option<&str> {
        match &self.values[id.0 as usize] {
            Value::Word(text) => Some(text),
            Value::Vector(_) | Value::Vectors(_) | Value::Masks(_) | Value::Scalar(_) | Value::Waiting(_) => None,
        }
    }

    /// Whether a value is the same for all lanes: a word of the run, or a scalar that is computed from some.
    pub fn is_scalar(&self, id: ValueId) -> bool {
        matches!(self.values[id.0 as usize], Value::Word(_) | Value::Scalar(_))
    }

    /// Where a value is.
    pub fn place(&self, id: ValueId) -> &Value {
        &self.values[id.0 as usize]
    }

    /// Adds a call for the value that is being selected.
    pub fn call(&mut self, lane: Lane, call: Call) -> VectorId {
        self.program.call(lane, &self.name, call)
    }

    /// The name of the value that is being selected.
    pub fn name(&self) -> Rc<str> {
        Rc::clone(&self.name)
    }

    /// Vectors that hold a step's lanes of a type.
    pub fn count(&self, ty: Type) -> usize {
        self.target.machine().vectors_of(ty, self.lanes)
    }

    /// `call` on each group of vectors at the same place.
    pub fn each_call(
        &mut self,
        result: Lane,
        operands: &[Vec<VectorId>],
        call: impl Fn(Vec<VectorId>) -> Call,
    ) -> Vec<VectorId> {
        let count = operands.first().map_or(0, Vec::len);
        let mut results = Vec::with_capacity(count);
        for place in 0..count {
            let mut at = Vec::with_capacity(operands.len());
            for vectors in operands {
                at.push(vectors[place]);
            }
            results.push(self.call(result, call(at)));
        }
        results
    }

    fn node(&mut self, node: &Node) -> Value {
        match node.op {
            Op::Constant(constant) => Value::Word(literal(constant, node.ty)),
            Op::Uniform { uniform, index } => {
                Value::Word(read_word("rows.words", uniform_word(self.kernel, uniform, index), node.ty))
            }
            Op::Derived { index, .. } => {
                Value::Word(read_word("rows.words", derived_word(self.kernel, index), node.ty))
            }
            Op::Cast(mode, a) => self.cast(node, mode, a),
            Op::Load(ref access) => Value::Vectors(self.load(access)),
            Op::Coordinate { axis, offset } => Value::Vectors(self.coordinate(axis, offset)),
            Op::Lookup { table, index } => match self.word(index).map(str::to_owned) {
                Some(index) => Value::Vectors(self.invariant_entry(node, table, index)),
                None => Value::Vectors(T::lookup(self, table, index)),
            },
            Op::Extent { input, dimension } => self.of_view(input, "extents", dimension),
            Op::Stride { input, dimension } => self.of_view(input, "strides", dimension),
            Op::Fetch { input, channel, offset } => Value::Vectors(self.fetch(node.ty, input, channel, offset)),
            Op::Contiguous { .. } => Value::Vectors(self.contiguous(self.current)),
            // The decomposition has made them sums and a fetch.
            Op::Plane { .. } | Op::Gather { .. } => Value::Vectors(Vec::new()),
            // They are not computed from their operands alone.
            Op::Turn { .. }
            | Op::Carried { .. }
            | Op::Advance { .. }
            | Op::Outcome { .. }
            | Op::Across { .. }
            | Op::Local { .. } => Value::Vectors(Vec::new()),
            Op::Unary(UnaryOp::Not, a) if node.ty == Type::BOOL => self.not_mask(a),
            Op::Unary(UnaryOp::IsNan, a) => masks::of(self.body.node(a).ty.bits(), T::is_nan(self, a)),
            Op::Unary(op, a) => Value::Vectors(T::unary(self, op, a)),
            Op::Binary(op, a, b) if self.body.node(a).ty == Type::BOOL => self.combine_masks(op, a, b),
            Op::Binary(op, a, b) if node.ty == Type::BOOL => self.compare(op, a, b),
            Op::Binary(op, a, b) => T::binary(self, node, op, a, b),
            Op::MulAdd(a, b, c) => Value::Vectors(T::mul_add(self, a, b, c)),
            Op::Select { condition, then, otherwise } => self.choose(node.ty, condition, then, otherwise),
        }
    }

    /// Records that there are no instructions for an operation on values of a type: its body is refused, and what stands
    /// for the result is never seen.
    pub fn refuse(&mut self, operation: &str, ty: Type, operand: VectorId) -> VectorId {
        let (span, machine) = (self.body.node(self.current).span, self.target.machine().name);
        let message = format!("{machine} has no instructions for `{operation}` of {}", ty.name());
        let help = "report this kernel as a fault of windrow";
        self.refused.push(Diagnostic::at(span, message, help));
        operand
    }

    /// A table's entry at an index that is the same for all steps. The index is a constant below the table's length, or a
    /// word whose type is bounded by it: any other was bounded by an operation, which makes vectors.
    fn invariant_entry(&mut self, node: &Node, table: TableId, index: String) -> Vec<VectorId> {
        let (lane, name) = (Lane::of(node.ty), self.name());
        let entry = Arg::Entry { table, index, scalar: lane.scalar() };
        let entry = self.program.call_named(lane, &name, self.target.splat(lane, entry));
        vec![entry; self.count(node.ty)]
    }

    /// `then` where the mask is set, `otherwise` elsewhere.
    pub fn bit_select(
        &mut self,
        lane: Lane,
        masks: &[VectorId],
        then: &[VectorId],
        otherwise: &[VectorId],
    ) -> Vec<VectorId> {
        let name = self.name();
        let sides = then.iter().zip(otherwise);
        masks
            .iter()
            .zip(sides)
            .map(|(&mask, (&then, &otherwise))| {
                self.program.call(lane, &name, self.target.choose(lane, mask, then, otherwise))
            })
            .collect()
    }

    fn cast(&mut self, node: &Node, mode: CastMode, a: ValueId) -> Value {
        let from = self.body.node(a).ty;
        if let Some(word) = self.word(a)
            && from != Type::BOOL
        {
            return Value::Word(format!("({word}) as {}", node.ty.name()));
        }
        if from == Type::BOOL {
            return Value::Vectors(self.zero_or_one(node.ty, a));
        }
        Value::Vectors(T::cast(self, node, mode, a))
    }

    fn coordinate(&mut self, axis: AxisId, offset: i32) -> Vec<VectorId> {
        let offset = i64::from(offset);
        match axis {
            AxisId::X | AxisId::LANE => T::columns(self, axis, offset),
            _ => {
                let row = self.target.splat(Lane::I32, Arg::Coordinate(axis, offset));
                let row = self.call(Lane::I32, row);
                vec![row; self.count(Type::I32)]
            }
        }
    }

    /// A number of a whole input, the same for the whole run.
    fn of_view(&mut self, input: InputId, field: &str, dimension: u32) -> Value {
        let view = format!("rows.views[{}]", self.kernel.whole_index(input));
        let text = number_of_view(&view, field, self.kernel.inputs[input.0 as usize].dimensions(), dimension);
        let number = self.target.splat(Lane::I32, Arg::Text(text));
        let number = self.call(Lane::I32, number);
        Value::Vectors(vec![number; self.count(Type::I32)])
    }

    /// The elements of a whole input at these offsets.
    fn fetch(&mut self, ty: Type, input: InputId, channel: u32, offset: ValueId) -> Vec<VectorId> {
        let (indices, entry_lane) = (self.vectors(offset), Lane::of(ty));
        let lanes = vec![entry_lane; self.count(ty)];
        let from = Origin::View { input, channel };
        self.source(&lanes, Source::Gather { from, indices, index_lane: Lane::I32, entry_lane })
    }

    fn load(&mut self, access: &Access) -> Vec<VectorId> {
        let name = self.name();
        self.memory.load(self.target, &mut self.program, self.lanes, tap_of(access), &name)
    }

    /// Adds a source that is not a call.
    pub fn source(&mut self, lanes: &[Lane], source: Source) -> Vec<VectorId> {
        let name = self.name();
        self.program.source(lanes, &name, source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neon::Neon;
    use crate::x86::X86;
    use windrow_dsl::ir::{Block, Neighbourhood};

    /// What a target refuses of a body that no pass has decomposed: a remainder of bytes, which no instruction set has.
    fn refused<T: Target>(target: T) -> Vec<Diagnostic> {
        let compiled = windrow_dsl::compile_file("#[kernel] fn k(a: u8, b: u8) -> u8 { a ^ b }");
        let kernel = &compiled.kernels[0].kernel;
        let mut body = kernel.bodies[0].clone();
        for node in &mut body.nodes {
            if let Op::Binary(op, ..) = &mut node.op {
                *op = BinaryOp::Rem;
            }
        }
        let lanes = target.machine().bits() / 8;
        let memory = Memory::new(kernel, vec![Neighbourhood::default(); 2], lanes);
        let nest = Nest::block(lanes, Block { x: 1, y: 1 }).within(AxisId::X, None);
        Select::all(target, kernel, &body, &nest, memory, Ranges::OfBlock(OnceCell::new())).refused
    }

    #[test]
    fn an_operation_without_instructions_is_refused() {
        let x86 = [X86::Sse41, X86::Avx2, X86::Vnni, X86::Avx512];
        for (found, name) in
            [(refused(Neon::Base), "NEON")].into_iter().chain(x86.map(|tier| (refused(tier), tier.machine().name)))
        {
            let messages: Vec<&str> = found.iter().map(|diagnostic| diagnostic.message.as_str()).collect();
            assert_eq!(messages, [format!("{name} has no instructions for `Rem` of u8")]);
        }
    }
}
