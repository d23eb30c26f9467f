//! NEON's intrinsics by name: a base and the suffix of the lanes that it reads.

use super::Neon;
use super::table::{self, Reads, UnaryRow};
use crate::vector::program::{Arg, Call, Intrinsic, Lane, VectorId};
use crate::vector::select::Select;
use crate::vector::value::Value;
use std::rc::Rc;
use windrow_dsl::ir::{AxisId, BinaryOp, CastMode, Node, Type, UnaryOp, ValueId};

/// The address of four ascending integers.
const STEPS: &str = "[0, 1, 2, 3].as_ptr()";

/// A call of `base` with the lanes' suffix.
pub fn call(base: &'static str, lane: Lane, args: Vec<Arg>) -> Call {
    call_of(base, "", lane, args)
}

/// The same for a variant of `base`: `_high`, `_n`.
pub fn call_of(base: &'static str, variant: &'static str, lane: Lane, args: Vec<Arg>) -> Call {
    Call::new(Intrinsic::new([base, variant, "_", suffix(lane)]), args)
}

/// How intrinsics name lanes.
pub fn suffix(lane: Lane) -> &'static str {
    lane.ty().neon()
}

/// The name of the structure that `vld3q` and its kin give.
pub fn structure(lane: Lane, count: u32) -> String {
    let name = match (lane.is_float(), lane.is_signed()) {
        (true, _) => "float",
        (false, true) => "int",
        (false, false) => "uint",
    };
    format!("{name}{}x{}x{count}_t", lane.bits(), 128 / lane.bits())
}

/// The lanes that a row's intrinsic reads values of a type as.
pub fn read_by(row: &UnaryRow, ty: Type) -> Lane {
    match row.reads {
        Reads::Same => Lane::of(ty),
        Reads::Signed => Lane::of(ty).signed(),
    }
}

impl Select<'_, Neon> {
    /// An operation on one value: its row, or a sequence.
    pub fn unary(&mut self, op: UnaryOp, a: ValueId) -> Vec<VectorId> {
        let ty = self.body.node(a).ty;
        let Some(row) = table::unary_row(op, ty) else { return self.unary_sequence(op, a) };
        let lane = read_by(row, ty);
        let a = self.vectors(a);
        self.each(row.intrinsic, lane, lane, &[a])
    }

    /// An operation on two values: its row, or a sequence.
    pub fn binary(&mut self, op: BinaryOp, a: ValueId, b: ValueId) -> Value {
        let ty = self.body.node(a).ty;
        let Some(row) = table::binary_row(op, ty) else { return Value::Vectors(self.binary_sequence(op, a, b)) };
        let lane = Lane::of(ty);
        if let Some([a, b]) = self.singles(a, b) {
            let args = vec![Arg::Whole(a, lane), Arg::Whole(b, lane)];
            return Value::Vector(self.call(lane, call(row.intrinsic, lane, args)));
        }
        let operands = [self.vectors(a), self.vectors(b)];
        Value::Vectors(self.each(row.intrinsic, lane, lane, &operands))
    }

    /// `base` on each group of vectors at the same place.
    pub fn each(&mut self, base: &'static str, lane: Lane, result: Lane, operands: &[Vec<VectorId>]) -> Vec<VectorId> {
        self.each_call(result, operands, |ids| call(base, lane, whole(&ids, lane)))
    }

    /// `base` with a constant, `_n`, on each vector.
    pub fn each_with(
        &mut self,
        base: &'static str,
        lane: Lane,
        immediate: u32,
        operands: &[Vec<VectorId>],
    ) -> Vec<VectorId> {
        self.each_call(lane, operands, |ids| call_of(base, "_n", lane, whole(&ids, lane)).with(immediate))
    }

    /// One instruction of two vectors read as `lane`, that gives lanes of that width.
    pub fn pack(&mut self, base: &'static str, pair: &[VectorId], lane: Lane, name: &Rc<str>) -> VectorId {
        let args = vec![Arg::Whole(pair[0], lane), Arg::Whole(pair[pair.len() - 1], lane)];
        self.program.call(lane, name, call(base, lane, args))
    }

    /// Both halves of a vector, read as `lane` and widened.
    pub fn widen(&mut self, vector: VectorId, lane: Lane, name: &Rc<str>) -> [VectorId; 2] {
        let low = call("vmovl", lane, vec![Arg::Low(vector, lane)]);
        let high = call_of("vmovl", "_high", lane, vec![Arg::Whole(vector, lane)]);
        [self.program.call(lane.wide(), name, low), self.program.call(lane.wide(), name, high)]
    }

    /// A conversion that no row of [`super::fuse`] covers.
    pub fn convert(&mut self, node: &Node, mode: CastMode, a: ValueId) -> Vec<VectorId> {
        let from = self.body.node(a).ty;
        let (from_lane, to) = (Lane::of(from), Lane::of(node.ty));
        let vectors = self.vectors(a);
        match (from, node.ty) {
            (Type::F64, _) => self.narrow_doubles(node.ty, &vectors),
            (_, Type::F64) => self.doubles(from, &vectors),
            (Type::F32, _) => {
                let (vectors, names) = match self.rounded(a) {
                    Some(float) => (self.vectors(float), ["vcvtnq_u32", "vcvtnq_s32"]),
                    None => (vectors, ["vcvtq_u32", "vcvtq_s32"]),
                };
                self.each(names[usize::from(node.ty.is_signed())], from_lane, to, &[vectors])
            }
            (_, Type::F32) => self.each("vcvtq_f32", from_lane, to, &[vectors]),
            _ => match node.ty.bits().cmp(&from.bits()) {
                std::cmp::Ordering::Equal => vectors,
                std::cmp::Ordering::Greater => {
                    let name = self.name();
                    vectors.iter().flat_map(|&vector| self.widen(vector, from_lane, &name)).collect()
                }
                std::cmp::Ordering::Less => self.narrow(mode, from_lane, to, &vectors),
            },
        }
    }

    /// Pairs of vectors narrowed to one.
    pub fn narrow(&mut self, mode: CastMode, from: Lane, to: Lane, vectors: &[VectorId]) -> Vec<VectorId> {
        let name = self.name();
        vectors
            .chunks(2)
            .map(|pair| match mode {
                CastMode::Value | CastMode::Wrapping => self.pack("vuzp1q", pair, to, &name),
                CastMode::Saturating => {
                    let base = if from.is_signed() && !to.is_signed() { "vqmovun" } else { "vqmovn" };
                    let low = call(base, from, vec![Arg::Whole(pair[0], from)]);
                    let args = vec![Arg::Call(Box::new(low)), Arg::Whole(pair[1], from)];
                    self.program.call(to, &name, call_of(base, "_high", from, args))
                }
            })
            .collect()
    }

    /// The coordinates along the row.
    pub fn ascending(&mut self, axis: AxisId, first: i64) -> Vec<VectorId> {
        let name = self.name();
        let steps = Call::new("vld1q_s32", vec![Arg::Text(STEPS.to_owned())]);
        let steps = self.program.call_named(Lane::I32, "steps", steps);
        (0..self.count(Type::I32))
            .map(|place| {
                let start = Arg::Call(Box::new(call(
                    "vdupq_n",
                    Lane::I32,
                    vec![Arg::coordinate(axis, first + 4 * place as i64)],
                )));
                let args = vec![start, Arg::Whole(steps, Lane::I32)];
                self.program.call(Lane::I32, &name, call("vaddq", Lane::I32, args))
            })
            .collect()
    }
}

fn whole(ids: &[VectorId], lane: Lane) -> Vec<Arg> {
    ids.iter().map(|&id| Arg::Whole(id, lane)).collect()
}
