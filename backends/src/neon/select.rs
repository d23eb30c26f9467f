//! From legal IR to instructions: each value becomes the vectors that hold a step's lanes of it.
//!
//! A value is first offered to [`super::fuse`], whose rows cover several nodes; then to the one-instruction rows of
//! [`super::table`]; what is left is a short [`super::sequence`]. A truth value is a mask, kept in every width in which
//! someone asked for it.

use super::program::{Arg, Call, Lane, Program, Source, VectorId, vectors_of};
use super::table::{self, Reads};
use super::{fuse, masks, memory::Memory};
use crate::namer::wanted;
use crate::rows::{derived_word, literal, read_word, uniform_word};
use std::collections::BTreeMap;
use windrow_dsl::arithmetic::{bits, is_signed};
use windrow_dsl::dump::type_name;
use windrow_dsl::ir::{Axis, BinaryOp, Body, CastMode, Constant, Kernel, Node, Op, Type, UnaryOp, ValueId};

/// Where a value of the IR is.
#[derive(Clone, Debug)]
pub enum Value {
    /// In vectors of its own type, in the order of the lanes.
    Vectors(Vec<VectorId>),
    /// In masks, by width.
    Masks(BTreeMap<u32, Vec<VectorId>>),
    /// A scalar expression, the same for all lanes and steps.
    Word(String),
}

/// A selection in progress.
pub struct Select<'a> {
    /// The kernel.
    pub kernel: &'a Kernel,
    /// The legal, jammed body.
    pub body: &'a Body,
    /// Elements in the vectors of one value.
    pub lanes: u32,
    /// What has been selected.
    pub program: Program,
    /// How inputs are read.
    pub memory: Memory<'a>,
    /// Where each value of the body is.
    pub values: Vec<Value>,
    /// The name of the value that is being selected.
    name: String,
}

impl<'a> Select<'a> {
    /// Selects all values of a body.
    pub fn all(kernel: &'a Kernel, body: &'a Body, lanes: u32, memory: Memory<'a>) -> Self {
        let mut select = Select {
            kernel,
            body,
            lanes,
            program: Program::default(),
            memory,
            values: Vec::new(),
            name: String::new(),
        };
        for node in &body.nodes {
            select.name = wanted(kernel, node);
            let value = select.node(node);
            select.name_parts(&value);
            select.values.push(value);
        }
        select
    }

    /// Numbers the vectors of a value that fills several: `sum_0`, `sum_1`.
    fn name_parts(&mut self, value: &Value) {
        let parts: Vec<&VectorId> = match value {
            Value::Vectors(vectors) => vectors.iter().collect(),
            Value::Masks(known) => known.values().flatten().collect(),
            Value::Word(_) => return,
        };
        for (place, &&id) in parts.iter().enumerate().filter(|_| parts.len() > 1) {
            if self.program.vectors[id.0 as usize].1 == self.name {
                self.program.name(id, format!("{}_{place}", self.name));
            }
        }
    }

    /// The vectors of a value that is no truth value.
    pub fn vectors(&mut self, id: ValueId) -> Vec<VectorId> {
        let ty = self.body.node(id).ty;
        match &self.values[id.0 as usize] {
            Value::Vectors(vectors) => vectors.clone(),
            Value::Word(_) => vec![self.splat(id, Lane::of(ty)); vectors_of(ty, self.lanes)],
            // A truth value is asked for by `masks`.
            Value::Masks(_) => Vec::new(),
        }
    }

    /// The scalar expression of a value, where it is one.
    pub fn word(&self, id: ValueId) -> Option<&str> {
        match &self.values[id.0 as usize] {
            Value::Word(text) => Some(text),
            Value::Vectors(_) | Value::Masks(_) => None,
        }
    }

    /// A word in all lanes, converted to them; made before the loop.
    pub fn splat(&mut self, id: ValueId, lane: Lane) -> VectorId {
        let node = self.body.node(id);
        let text = self.word(id).unwrap_or_default().to_owned();
        let scalar = scalar_name(lane);
        let text = match node.op {
            Op::Constant(Constant::Int(value)) => value.to_string(),
            _ if type_name(node.ty) == scalar => text,
            _ => format!("{text} as {scalar}"),
        };
        let name =
            if let Op::Constant(constant) = node.op { constant_name(constant) } else { wanted(self.kernel, node) };
        self.splat_text(&text, lane, &name)
    }

    /// An integer constant in all lanes, its value hidden from the compiler.
    pub fn splat_hidden(&mut self, id: ValueId, lane: Lane) -> VectorId {
        let Op::Constant(constant @ Constant::Int(value)) = self.body.node(id).op else { return self.splat(id, lane) };
        let args = vec![Arg::Opaque(format!("{value}{}", scalar_name(lane)))];
        self.program.call_before(lane, &constant_name(constant), Call::new("vdupq_n", lane, args))
    }

    /// A scalar expression of the lanes' type in all of them.
    pub fn splat_text(&mut self, text: &str, lane: Lane, name: &str) -> VectorId {
        self.program.call_before(lane, name, Call::new("vdupq_n", lane, vec![Arg::Text(text.to_owned())]))
    }

    /// An integer constant in all lanes.
    pub fn splat_int(&mut self, value: i64, lane: Lane) -> VectorId {
        self.splat_text(&value.to_string(), lane, &constant_name(Constant::Int(value)))
    }

    /// One instruction of two vectors read as `lane`, that gives lanes of that width.
    pub fn pack(&mut self, base: &str, pair: &[VectorId], lane: Lane, name: &str) -> VectorId {
        let args = vec![Arg::Whole(pair[0], lane), Arg::Whole(pair[pair.len() - 1], lane)];
        self.program.call(lane, name, Call::new(base, lane, args))
    }

    /// Both halves of a vector, read as `lane` and widened.
    pub fn widen(&mut self, vector: VectorId, lane: Lane, name: &str) -> [VectorId; 2] {
        let low = Call::new("vmovl", lane, vec![Arg::Low(vector, lane)]);
        let high = Call::new("vmovl_high", lane, vec![Arg::Whole(vector, lane)]);
        [self.program.call(lane.wide(), name, low), self.program.call(lane.wide(), name, high)]
    }

    /// The name of the value that is being selected.
    pub fn name(&self) -> String {
        self.name.clone()
    }

    /// `base` on each group of vectors at the same place.
    pub fn each(&mut self, base: &str, lane: Lane, result: Lane, operands: &[Vec<VectorId>]) -> Vec<VectorId> {
        let name = self.name();
        let count = operands.first().map_or(0, Vec::len);
        (0..count)
            .map(|place| {
                let args = operands.iter().map(|vectors| Arg::Whole(vectors[place], lane)).collect();
                self.program.call(result, &name, Call::new(base, lane, args))
            })
            .collect()
    }

    /// `base` with a constant on each vector.
    pub fn each_with(&mut self, base: &str, lane: Lane, immediate: u32, operands: &[Vec<VectorId>]) -> Vec<VectorId> {
        let name = self.name();
        let count = operands.first().map_or(0, Vec::len);
        (0..count)
            .map(|place| {
                let args = operands.iter().map(|vectors| Arg::Whole(vectors[place], lane)).collect();
                self.program.call(lane, &name, Call::new(base, lane, args).with(immediate))
            })
            .collect()
    }

    fn node(&mut self, node: &Node) -> Value {
        match node.op {
            Op::Constant(constant) => Value::Word(literal(constant, node.ty)),
            Op::Uniform { uniform, index } => {
                Value::Word(read_word("rows.words", uniform_word(self.kernel, uniform, index), node.ty))
            }
            Op::Derived { index } => Value::Word(read_word("rows.words", derived_word(self.kernel, index), node.ty)),
            Op::Cast(mode, a) => self.cast(node, mode, a),
            Op::Input { .. } => Value::Vectors(self.input(node)),
            Op::Coordinate { axis, offset } => Value::Vectors(self.coordinate(axis, offset)),
            Op::Lookup { table, index } => Value::Vectors(self.lookup(table, index)),
            Op::Unary(UnaryOp::Not, a) if node.ty == Type::Bool => self.not_mask(a),
            Op::Unary(UnaryOp::IsNan, a) => {
                let a = self.vectors(a);
                let ordered = self.each("vceqq", Lane::F32, Lane::U32, &[a.clone(), a]);
                masks::of(32, self.each("vmvnq", Lane::U32, Lane::U32, &[ordered]))
            }
            Op::Unary(op, a) => Value::Vectors(self.unary(op, a)),
            Op::Binary(op, a, b) if self.body.node(a).ty == Type::Bool => self.combine_masks(op, a, b),
            Op::Binary(op, a, b) if node.ty == Type::Bool => self.compare(op, a, b),
            Op::Binary(op, a, b) => match fuse::binary(self, node, op, a, b) {
                Some(vectors) => Value::Vectors(vectors),
                None => Value::Vectors(self.binary(op, a, b)),
            },
            Op::MulAdd(a, b, c) => {
                let operands = [self.vectors(c), self.vectors(a), self.vectors(b)];
                Value::Vectors(self.each("vfmaq", Lane::F32, Lane::F32, &operands))
            }
            Op::Select { condition, then, otherwise } => self.choose(node.ty, condition, then, otherwise),
        }
    }

    fn unary(&mut self, op: UnaryOp, a: ValueId) -> Vec<VectorId> {
        let ty = self.body.node(a).ty;
        let Some(row) = table::unary_row(op, ty) else { return self.unary_sequence(op, a) };
        let lane = match row.reads {
            Reads::Same => Lane::of(ty),
            Reads::Signed => Lane::of(ty).signed(),
        };
        let a = self.vectors(a);
        self.each(row.intrinsic, lane, lane, &[a])
    }

    fn binary(&mut self, op: BinaryOp, a: ValueId, b: ValueId) -> Vec<VectorId> {
        let ty = self.body.node(a).ty;
        let Some(row) = table::binary_row(op, ty) else { return self.binary_sequence(op, a, b) };
        let operands = [self.vectors(a), self.vectors(b)];
        self.each(row.intrinsic, Lane::of(ty), Lane::of(ty), &operands)
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
                let args = [Arg::Whole(mask, lane.unsigned()), Arg::Whole(then, lane), Arg::Whole(otherwise, lane)];
                self.program.call(lane, &name, Call::new("vbslq", lane, args.to_vec()))
            })
            .collect()
    }

    fn cast(&mut self, node: &Node, mode: CastMode, a: ValueId) -> Value {
        let from = self.body.node(a).ty;
        if let Some(word) = self.word(a)
            && from != Type::Bool
        {
            return Value::Word(format!("({word}) as {}", type_name(node.ty)));
        }
        if from == Type::Bool {
            return Value::Vectors(self.zero_or_one(node.ty, a));
        }
        if let Some(vectors) = fuse::cast(self, node, mode, a) {
            return Value::Vectors(vectors);
        }
        let (from_lane, to) = (Lane::of(from), Lane::of(node.ty));
        let vectors = self.vectors(a);
        Value::Vectors(match (from, node.ty) {
            (Type::F32, _) => {
                self.each(if is_signed(node.ty) { "vcvtq_s32" } else { "vcvtq_u32" }, from_lane, to, &[vectors])
            }
            (_, Type::F32) => self.each("vcvtq_f32", from_lane, to, &[vectors]),
            _ => match bits(node.ty).cmp(&bits(from)) {
                std::cmp::Ordering::Equal => vectors,
                std::cmp::Ordering::Greater => {
                    let name = self.name();
                    vectors.iter().flat_map(|&vector| self.widen(vector, from_lane, &name)).collect()
                }
                std::cmp::Ordering::Less => self.narrow(mode, from_lane, to, &vectors),
            },
        })
    }

    /// Pairs of vectors narrowed to one.
    pub fn narrow(&mut self, mode: CastMode, from: Lane, to: Lane, vectors: &[VectorId]) -> Vec<VectorId> {
        let name = self.name();
        vectors
            .chunks(2)
            .map(|pair| match mode {
                CastMode::Value | CastMode::Wrapping => self.pack("vuzp1q", pair, to, &name),
                CastMode::Saturating => {
                    let (low, high) = match (from.is_signed(), to.is_signed()) {
                        (true, false) => ("vqmovun", "vqmovun_high"),
                        _ => ("vqmovn", "vqmovn_high"),
                    };
                    let low = Call::new(low, from, vec![Arg::Whole(pair[0], from)]);
                    let args = vec![Arg::Call(Box::new(low)), Arg::Whole(pair[1], from)];
                    self.program.call(to, &name, Call::new(high, from, args))
                }
            })
            .collect()
    }

    fn coordinate(&mut self, axis: Axis, offset: i32) -> Vec<VectorId> {
        let name = self.name();
        let count = vectors_of(Type::I32, self.lanes);
        if axis == Axis::Y {
            let text = crate::rows::plus("rows.y", i64::from(offset));
            return vec![self.splat_text(&text, Lane::I32, &name); count];
        }
        let steps =
            Call { intrinsic: "vld1q_s32".to_owned(), immediate: None, args: vec![Arg::Text(STEPS.to_owned())] };
        let steps = self.program.call_before(Lane::I32, "steps", steps);
        (0..count)
            .map(|place| {
                let start = crate::rows::plus("rows.x + x as i32", i64::from(offset) + 4 * place as i64);
                let start = Arg::Call(Box::new(Call::new("vdupq_n", Lane::I32, vec![Arg::Text(start)])));
                let args = vec![start, Arg::Whole(steps, Lane::I32)];
                self.program.call(Lane::I32, &name, Call::new("vaddq", Lane::I32, args))
            })
            .collect()
    }

    fn input(&mut self, node: &Node) -> Vec<VectorId> {
        let Op::Input { input, channel, dx, dy } = node.op else { return Vec::new() };
        let name = self.name();
        self.memory.load(&mut self.program, self.lanes, (input, channel, dx, dy), &name)
    }

    /// Adds a source that is no call.
    pub fn source(&mut self, lanes: &[Lane], source: Source) -> Vec<VectorId> {
        let name = self.name();
        self.program.source(lanes, &name, source, false)
    }
}

/// The address of four ascending integers.
const STEPS: &str = "[0, 1, 2, 3].as_ptr()";

/// The Rust type of a lane.
pub fn scalar_name(lane: Lane) -> &'static str {
    match lane {
        Lane::U8 => "u8",
        Lane::I8 => "i8",
        Lane::U16 => "u16",
        Lane::I16 => "i16",
        Lane::U32 => "u32",
        Lane::I32 => "i32",
        Lane::F32 => "f32",
        Lane::U64 => "u64",
        Lane::I64 => "i64",
        Lane::F64 => "f64",
    }
}

/// `n_5`, `n_m1`, `n_0p5`, `yes`.
fn constant_name(constant: Constant) -> String {
    let digits = match constant {
        Constant::Bool(value) => return if value { "yes".to_owned() } else { "no".to_owned() },
        Constant::Int(value) => value.to_string(),
        Constant::Float(bits) => format!("{:?}", f32::from_bits(bits)),
    };
    let plain: String = digits.replace('-', "m").replace('.', "p").replace("pm", "p");
    format!("n_{plain}")
}
