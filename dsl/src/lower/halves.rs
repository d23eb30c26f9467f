//! Conversions of halves, whose values are their bits: those of binary16 are operations, those of bfloat16 the upper half of a
//! binary32's bits.

use super::Lower;
use super::value::Scalar;
use crate::ir::Overflow::Wrap;
use crate::ir::{BinaryOp, CastMode, Type, UnaryOp};
use proc_macro2::Span;

/// The bits of a binary32 below those of a bfloat16.
const LOWER: i128 = 16;

impl Lower<'_> {
    /// A half as `f32`, or an `f32` as the nearest half, ties to the even one.
    pub(super) fn cast_half(&mut self, to: Type, value: Scalar, span: Span) -> Scalar {
        match (value.ty, to) {
            (Type::F16, _) => {
                let bits = self.bits_of_half(value, span);
                self.unary_op(UnaryOp::FromHalf, Type::F32, bits, span)
            }
            (Type::BF16, _) => {
                let bits = self.bits_of_half(value, span);
                let bits = self.binary_op(BinaryOp::Shl(Wrap), bits, Scalar::int(Type::U32, LOWER), span);
                self.unary_op(UnaryOp::FromBits, Type::F32, bits, span)
            }
            (_, Type::F16) => {
                let bits = self.unary_op(UnaryOp::ToHalf, Type::U32, value, span);
                self.half_of_bits(to, bits, span)
            }
            (_, _) => {
                let bits = self.rounded_to_brain(value, span);
                self.half_of_bits(to, bits, span)
            }
        }
    }

    /// The bits of a half as a u32.
    fn bits_of_half(&mut self, value: Scalar, span: Span) -> Scalar {
        self.cast(CastMode::Value, Type::U32, Scalar { ty: Type::U16, ..value }, span)
    }

    /// The half of type `ty` whose bits are the lower half of a u32.
    fn half_of_bits(&mut self, ty: Type, bits: Scalar, span: Span) -> Scalar {
        Scalar { ty, ..self.cast(CastMode::Wrapping, Type::U16, bits, span) }
    }

    /// The upper half of a binary32's bits, as a u32: what is left out rounds it, to the even one where it is a half; a NaN stays
    /// one.
    fn rounded_to_brain(&mut self, value: Scalar, span: Span) -> Scalar {
        let word = |bits| Scalar::int(Type::U32, bits);
        let bits = self.unary_op(UnaryOp::ToBits, Type::U32, value, span);
        let upper = self.binary_op(BinaryOp::Shr, bits, word(LOWER), span);
        let odd = self.binary_op(BinaryOp::And, upper, word(1), span);
        let raised = self.binary_op(BinaryOp::Add(Wrap), bits, word((1 << (LOWER - 1)) - 1), span);
        let raised = self.binary_op(BinaryOp::Add(Wrap), raised, odd, span);
        let rounded = self.binary_op(BinaryOp::Shr, raised, word(LOWER), span);
        // The first bit of the fraction: a payload may lie in the lower half alone.
        let quiet = self.binary_op(BinaryOp::Or, upper, word(1 << 6), span);
        let is_nan = self.unary_op(UnaryOp::IsNan, Type::BOOL, value, span);
        match is_nan.as_bool() {
            Some(true) => quiet,
            Some(false) => rounded,
            None => {
                let is_nan = self.materialise(is_nan, span);
                self.select_scalar(is_nan, quiet, rounded, span)
            }
        }
    }
}
