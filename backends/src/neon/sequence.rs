//! Operations that take a few instructions: those that no single row of [`super::table`] covers.

use super::Neon;
use super::instructions::{call, call_of};
use crate::vector::expansions::Operation;
use crate::vector::program::{Arg, Lane, Origin, Source, VectorId};
use crate::vector::select::Select;
use windrow_dsl::ir::Overflow::{Never, Saturate, Wrap};
use windrow_dsl::ir::{BinaryOp, Constant, Op, TableId, Type, UnaryOp, ValueId};

impl Select<'_, Neon> {
    /// An operation on one value that has no row for its type.
    pub fn unary_sequence(&mut self, op: UnaryOp, a: ValueId) -> Vec<VectorId> {
        if op == UnaryOp::FromHalf {
            return self.floats_of_halves(a);
        }
        let lane = Lane::of(self.body.node(a).ty);
        let vectors = self.vectors(a);
        match op {
            UnaryOp::FromBits | UnaryOp::ToBits => vectors,
            UnaryOp::ToHalf => self.halves_of_floats(vectors),
            // Bits are inverted in lanes of any width.
            UnaryOp::Not => self.each("vmvnq", Lane::U32, Lane::U32, &[vectors]),
            UnaryOp::CountOnes => self.count_ones(lane, vectors),
            UnaryOp::TrailingZeros => {
                let reversed = self.reverse_bits(lane, vectors);
                self.each("vclzq", lane.unsigned(), lane.unsigned(), &[reversed])
            }
            // Unsigned values are their own magnitude.
            UnaryOp::Abs(_) | UnaryOp::UnsignedAbs if !lane.is_signed() && !lane.is_float() => vectors,
            UnaryOp::Neg(Saturate) if !lane.is_signed() => {
                let zero = self.splat_int(0, lane);
                let zeros = vec![zero; vectors.len()];
                self.each("vqsubq", lane, lane, &[zeros, vectors])
            }
            // The others have rows, here or in terms of others, or were decomposed.
            UnaryOp::Abs(_)
            | UnaryOp::UnsignedAbs
            | UnaryOp::Neg(_)
            | UnaryOp::Signum
            | UnaryOp::Sqrt
            | UnaryOp::Isqrt
            | UnaryOp::LeadingZeros
            | UnaryOp::Floor
            | UnaryOp::Ceil
            | UnaryOp::Trunc
            | UnaryOp::RoundTiesEven
            | UnaryOp::FromHalf
            | UnaryOp::IsNan => self.by_row(Operation::Unary(op), a, None),
        }
    }

    /// Bits set in each lane: counted in bytes, then added pair by pair.
    fn count_ones(&mut self, lane: Lane, vectors: Vec<VectorId>) -> Vec<VectorId> {
        let mut counts = self.each("vcntq", Lane::U8, Lane::U8, &[vectors]);
        let mut width = 8;
        while width < lane.bits() {
            counts = self.each("vpaddlq", Lane::mask(width), Lane::mask(width * 2), &[counts]);
            width *= 2;
        }
        counts
    }

    /// The bits of each lane in reverse: those of its bytes, and its bytes.
    fn reverse_bits(&mut self, lane: Lane, vectors: Vec<VectorId>) -> Vec<VectorId> {
        let bytes = self.each("vrbitq", Lane::U8, Lane::U8, &[vectors]);
        match lane.bits() {
            16 => self.each("vrev16q", Lane::U8, Lane::U8, &[bytes]),
            32 => self.each("vrev32q", Lane::U8, Lane::U8, &[bytes]),
            _ => bytes,
        }
    }

    /// An operation on two values that has no row for its type.
    pub fn binary_sequence(&mut self, op: BinaryOp, a: ValueId, b: ValueId) -> Vec<VectorId> {
        let lane = Lane::of(self.body.node(a).ty);
        let (is_float, is_word) = (lane.is_float(), matches!(lane, Lane::U32 | Lane::I32));
        match op {
            BinaryOp::Shl(_) | BinaryOp::Shr | BinaryOp::RoundingShr if !is_float => self.shift(op, a, b),
            BinaryOp::Min | BinaryOp::Max if is_float => self.order_floats(op, a, b),
            BinaryOp::MulHigh if !is_float => match self.doubled_product(a, b) {
                Some(vectors) => vectors,
                None => self.wide_product(a, b, Product::High),
            },
            BinaryOp::Mul(Saturate) if !is_float => self.wide_product(a, b, Product::Saturated),
            BinaryOp::Div if is_word => self.divide_words(a, b),
            // The others have rows, here or in terms of others, or were decomposed.
            BinaryOp::Add(_)
            | BinaryOp::Sub(_)
            | BinaryOp::Mul(_)
            | BinaryOp::MulHigh
            | BinaryOp::Div
            | BinaryOp::Min
            | BinaryOp::Max
            | BinaryOp::Shl(_)
            | BinaryOp::Shr
            | BinaryOp::RoundingShr
            | BinaryOp::Rem
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::AbsDiff
            | BinaryOp::HalvingAdd
            | BinaryOp::RoundingHalvingAdd
            | BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge => self.by_row(Operation::Binary(op), a, Some(b)),
        }
    }

    /// An operation by its row of [`crate::vector::expansions`], a vector at a time; refused where it has none.
    fn by_row(&mut self, operation: Operation, a: ValueId, b: Option<ValueId>) -> Vec<VectorId> {
        let ty = self.body.node(a).ty;
        let left = self.vectors(a);
        let right = b.map_or_else(|| left.clone(), |b| self.vectors(b));
        let pairs = left.into_iter().zip(right);
        let results = pairs.map(|(a, b)| match self.expanded(operation, ty, [a, b, a]) {
            Some(result) => result,
            None => self.refuse(&operation.to_string(), ty, a),
        });
        results.collect()
    }

    fn shift(&mut self, op: BinaryOp, a: ValueId, amount: ValueId) -> Vec<VectorId> {
        let lane = Lane::of(self.body.node(a).ty);
        let vectors = self.vectors(a);
        if let Op::Constant(Constant::Int(n)) = self.body.node(amount).op {
            let n = if op == BinaryOp::Shl(Wrap) { n & (i128::from(lane.bits()) - 1) } else { n };
            let base = match op {
                BinaryOp::Shr => "vshrq",
                BinaryOp::RoundingShr => "vrshrq",
                _ => "vshlq",
            };
            // An amount out of range belongs to a side that is not taken.
            return match u32::try_from(n) {
                Ok(n) if (1..lane.bits()).contains(&n) => self.each_with(base, lane, n, &[vectors]),
                _ => vectors,
            };
        }
        let base = if op == BinaryOp::RoundingShr { "vrshlq" } else { "vshlq" };
        let is_right = matches!(op, BinaryOp::Shr | BinaryOp::RoundingShr);
        let amounts = self.amounts(lane, op, amount, is_right, vectors.len());
        let name = self.name();
        vectors
            .into_iter()
            .zip(amounts)
            .map(|(vector, amount)| {
                let args = vec![Arg::Whole(vector, lane), Arg::Whole(amount, lane.signed())];
                self.program.call(lane, &name, call(base, lane, args))
            })
            .collect()
    }

    /// Shift amounts as NEON wants them: signed, to the left.
    fn amounts(&mut self, lane: Lane, op: BinaryOp, amount: ValueId, is_right: bool, count: usize) -> Vec<VectorId> {
        let signed = lane.signed();
        if let Some(word) = self.word(amount) {
            let mask = if op == BinaryOp::Shl(Wrap) { format!(" & {}", lane.bits() - 1) } else { String::new() };
            let amount_text = format!("({word}{mask}) as {}", signed.scalar());
            let text = if is_right { format!("-({amount_text})") } else { amount_text };
            let name = crate::value_name::wanted(self.kernel, self.body.node(amount));
            return vec![self.splat_text(&text, signed, &name); count];
        }
        let amounts = self.vectors(amount);
        if is_right { self.each("vnegq", signed, signed, &[amounts]) } else { amounts }
    }

    /// minimumNumber and maximumNumber. The instructions for them turn a signalling NaN into a quiet one instead of
    /// ignoring it, so where one may come in, the other operand is taken by comparison.
    fn order_floats(&mut self, op: BinaryOp, a: ValueId, b: ValueId) -> Vec<VectorId> {
        let lane = Lane::of(self.body.node(a).ty);
        let base = if op == BinaryOp::Min { "vminnmq" } else { "vmaxnmq" };
        if let Op::Constant(constant) = self.body.node(b).op
            && self.may_signal(a)
            && let Some(number) = constant.as_float().filter(|number| !number.is_nan())
        {
            let (x, y) = (self.vectors(a), self.opaque(b));
            let y = vec![y; x.len()];
            let order = order_before_constant(op, number.is_sign_negative());
            let masks = self.each(order, lane, lane.unsigned(), &[x.clone(), y.clone()]);
            return self.bit_select(lane, &masks, &x, &y);
        }
        let (x, y) = (self.quiet_vectors(a), self.quiet_vectors(b));
        let mut result = self.each(base, lane, lane, &[x.clone(), y.clone()]);
        for (id, own, other) in [(a, &x, &y), (b, &y, &x)] {
            if self.word(id).is_none() && self.may_signal(id) {
                let is_number = self.each("vceqq", lane, lane.unsigned(), &[own.clone(), own.clone()]);
                result = self.bit_select(lane, &is_number, &result, other);
            }
        }
        result
    }

    /// A float constant in all lanes, its value hidden: a comparison with a constant that is known not to be NaN
    /// would become the very instruction that [`Self::order_floats`] avoids.
    fn opaque(&mut self, id: ValueId) -> VectorId {
        let text = self.word(id).unwrap_or_default().to_owned();
        let name = crate::value_name::wanted(self.kernel, self.body.node(id));
        let lane = Lane::of(self.body.node(id).ty);
        self.program.call_named(lane, &name, call("vdupq_n", lane, vec![Arg::Opaque(text)]))
    }

    /// The vectors of a float; a word that may be a signalling NaN is made quiet before the loop.
    fn quiet_vectors(&mut self, id: ValueId) -> Vec<VectorId> {
        let Some(word) = self.word(id).map(str::to_owned).filter(|_| self.may_signal(id)) else {
            return self.vectors(id);
        };
        let name = crate::value_name::wanted(self.kernel, self.body.node(id));
        let text = format!("::windrow::__rt::scalar::min({word}, {word})");
        let ty = self.body.node(id).ty;
        vec![self.splat_text(&text, Lane::of(ty), &name); self.count(ty)]
    }

    /// Whether a float is certainly no NaN.
    fn is_number(&self, id: ValueId) -> bool {
        match self.body.node(id).op {
            Op::Constant(constant) => constant.as_float().is_some_and(|number| !number.is_nan()),
            Op::Binary(BinaryOp::Min | BinaryOp::Max, a, b) => self.is_number(a) || self.is_number(b),
            Op::Cast(_, a) if self.body.node(a).ty.is_float() => self.is_number(a),
            Op::Cast(..) => true,
            _ => false,
        }
    }

    /// Whether a float may be a signalling NaN: arithmetic gives only quiet ones.
    fn may_signal(&self, id: ValueId) -> bool {
        match self.body.node(id).op {
            Op::Constant(constant) if constant.as_float().is_some() => constant.as_float().is_some_and(f64::is_nan),
            Op::Binary(BinaryOp::Min | BinaryOp::Max, a, b) => {
                !self.is_number(id) && (self.may_signal(a) || self.may_signal(b))
            }
            Op::Binary(..) | Op::MulAdd(..) | Op::Cast(..) => false,
            Op::Unary(op, a) => match op {
                UnaryOp::Neg(Never) | UnaryOp::Abs(Never) => self.may_signal(a),
                UnaryOp::Sqrt | UnaryOp::Floor | UnaryOp::Ceil | UnaryOp::Trunc | UnaryOp::RoundTiesEven => false,
                _ => true,
            },
            Op::Select { then, otherwise, .. } => self.may_signal(then) || self.may_signal(otherwise),
            Op::Constant(_)
            | Op::Load(_)
            | Op::Uniform { .. }
            | Op::Coordinate { .. }
            | Op::Lookup { .. }
            | Op::Extent { .. }
            | Op::Stride { .. }
            | Op::Plane { .. }
            | Op::Gather { .. }
            | Op::Fetch { .. }
            | Op::Contiguous { .. }
            | Op::Across { .. }
            | Op::Local { .. }
            | Op::Derived { .. }
            | Op::Turn { .. }
            | Op::Carried { .. }
            | Op::Advance { .. }
            | Op::Outcome { .. } => true,
        }
    }

    /// The upper half of twice the product with half an even constant; it saturates only where both are the least.
    fn doubled_product(&mut self, a: ValueId, b: ValueId) -> Option<Vec<VectorId>> {
        let lane = Lane::of(self.body.node(a).ty);
        let factor = self.constant(b).filter(|factor| factor % 2 == 0)?;
        if !matches!(lane, Lane::I16 | Lane::I32) {
            return None;
        }
        let half = self.splat_int(factor / 2, lane);
        let vectors = self.vectors(a);
        let halves = vec![half; vectors.len()];
        Some(self.each("vqdmulhq", lane, lane, &[vectors, halves]))
    }

    /// A product of twice the width, brought back.
    fn wide_product(&mut self, a: ValueId, b: ValueId, product: Product) -> Vec<VectorId> {
        let lane = Lane::of(self.body.node(a).ty);
        let (wide, name) = (lane.wide(), self.name());
        let (x, y) = (self.vectors(a), self.vectors(b));
        x.into_iter()
            .zip(y)
            .map(|(x, y)| {
                let low = call("vmull", lane, vec![Arg::Low(x, lane), Arg::Low(y, lane)]);
                let high = call_of("vmull", "_high", lane, vec![Arg::Whole(x, lane), Arg::Whole(y, lane)]);
                let pair = [self.program.call(wide, &name, low), self.program.call(wide, &name, high)];
                match product {
                    Product::High => self.pack("vuzp2q", &pair, lane, &name),
                    Product::Saturated => {
                        let low = call("vqmovn", wide, vec![Arg::Whole(pair[0], wide)]);
                        let args = vec![Arg::Call(Box::new(low)), Arg::Whole(pair[1], wide)];
                        self.program.call(lane, &name, call_of("vqmovn", "_high", wide, args))
                    }
                }
            })
            .collect()
    }

    /// 32-bit integers divided as f64: both are exact, and the quotient errs by less than its distance from the next
    /// integer. A divisor of zero saturates, and MIN / −1 wraps.
    fn divide_words(&mut self, a: ValueId, b: ValueId) -> Vec<VectorId> {
        let lane = Lane::of(self.body.node(a).ty);
        let (x, y) = (self.vectors(a), self.vectors(b));
        let name = self.name();
        let wide = lane.wide();
        let back = if lane.is_signed() { "vcvtq_s64" } else { "vcvtq_u64" };
        x.into_iter()
            .zip(y)
            .map(|(x, y)| {
                let (x, y) = (self.widen(x, lane, &name), self.widen(y, lane, &name));
                let halves = [0, 1].map(|half| {
                    let float = |vector| Arg::Call(Box::new(call("vcvtq_f64", wide, vec![Arg::Whole(vector, wide)])));
                    let quotient = call("vdivq", Lane::F64, vec![float(x[half]), float(y[half])]);
                    let integer = call(back, Lane::F64, vec![Arg::Call(Box::new(quotient))]);
                    self.program.call(wide, &name, integer)
                });
                self.pack("vuzp1q", &halves, lane, &name)
            })
            .collect()
    }

    /// Entries of a table: by table instructions where an index is a byte and so is an entry, else one by one.
    pub fn entries(&mut self, table: TableId, index: ValueId) -> Vec<VectorId> {
        let argument = &self.kernel.tables[table.0 as usize];
        let index_type = self.body.node(index).ty;
        let (entry, length) = (Lane::of(argument.ty), argument.length);
        let indices = self.vectors(index);
        if argument.ty.bits() == 8 && length <= 256 && index_type == Type::U8 {
            return indices.into_iter().map(|index| self.lookup_bytes(table, entry, length, index)).collect();
        }
        let lanes = vec![entry; self.count(argument.ty)];
        let from = Origin::Table(table);
        self.source(&lanes, Source::Gather { from, indices, index_lane: Lane::of(index_type), entry_lane: entry })
    }

    /// 64 entries an instruction; an index beyond them leaves the lane as it is.
    fn lookup_bytes(&mut self, table: TableId, entry: Lane, length: u32, index: VectorId) -> VectorId {
        let name = self.name();
        let first = vec![Arg::Table(table, 0), Arg::Whole(index, Lane::U8)];
        let mut found = self.program.call(entry, &name, call("vqtbl4q", entry, first));
        for part in 1..length.div_ceil(64) {
            let start = self.splat_int(i128::from(part * 64), Lane::U8);
            let args = vec![Arg::Whole(index, Lane::U8), Arg::Whole(start, Lane::U8)];
            let moved = self.program.call(Lane::U8, &name, call("vsubq", Lane::U8, args));
            let args = vec![Arg::Whole(found, entry), Arg::Table(table, part), Arg::Whole(moved, Lane::U8)];
            found = self.program.call(entry, &name, call("vqtbx4q", entry, args));
        }
        found
    }
}

/// Which part of a wide product is wanted.
#[derive(Clone, Copy)]
enum Product {
    High,
    Saturated,
}

/// The comparison of x with a constant under which x is the lesser (the greater): zeros of both signs compare equal, so
/// the constant's own sign decides whether x is taken then. A NaN compares false, which takes the constant.
fn order_before_constant(op: BinaryOp, is_negative: bool) -> &'static str {
    match (op, is_negative) {
        (BinaryOp::Min, true) => "vcltq",
        (BinaryOp::Min, false) => "vcleq",
        (_, true) => "vcgeq",
        (_, false) => "vcgtq",
    }
}
