//! Which operations there are on which types, and what they give: the one table of operations and types.

use super::Overflow::{self, Never, Saturate};
use super::{BinaryOp, CastMode, Type, UnaryOp};

/// The type of a result on an operand of type `ty`; none where the operation has no such form.
pub fn unary(op: UnaryOp, ty: Type) -> Option<Type> {
    use UnaryOp::*;
    let is_legal = match op {
        Not => !ty.is_float(),
        Neg(overflow) | Abs(overflow) => is_legal_with(overflow, ty),
        UnsignedAbs | Signum | CountOnes | LeadingZeros | TrailingZeros => ty.is_integer(),
        Isqrt => ty.is_integer(),
        Sqrt | Floor | Ceil | Trunc | RoundTiesEven | IsNan | ToBits => ty.is_float(),
        FromBits => ty == Type::U32,
    };
    let result = match op {
        UnsignedAbs => ty.unsigned(),
        CountOnes | LeadingZeros | TrailingZeros | ToBits => Type::U32,
        IsNan => Type::Bool,
        FromBits => Type::F32,
        Neg(_) | Not | Abs(_) | Signum | Sqrt | Isqrt | Floor | Ceil | Trunc | RoundTiesEven => ty,
    };
    is_legal.then_some(result)
}

/// The type of a result on operands of type `ty`; none where the operation has no such form.
pub fn binary(op: BinaryOp, ty: Type) -> Option<Type> {
    use BinaryOp::*;
    let is_number = ty != Type::Bool;
    let is_legal = match op {
        Add(overflow) | Sub(overflow) | Mul(overflow) => is_legal_with(overflow, ty),
        Shl(overflow) => ty.is_integer() && overflow != Saturate,
        Div | Min | Max => is_number,
        Eq | Ne | Lt | Le | Gt | Ge => true,
        And | Or | Xor => !ty.is_float(),
        Rem | Shr | AbsDiff | HalvingAdd | RoundingHalvingAdd | MulHigh | RoundingShr => ty.is_integer(),
    };
    is_legal.then(|| op.result(ty))
}

/// Whether an operation with modes has this one on a type: floats have no overflow.
fn is_legal_with(overflow: Overflow, ty: Type) -> bool {
    ty.is_integer() || ty.is_float() && overflow == Never
}

/// Whether values of type `from` can be converted to `to`: every target has these conversions, the language not all of them.
pub fn cast(mode: CastMode, from: Type, to: Type) -> bool {
    match mode {
        CastMode::Value => to != Type::Bool || from == to,
        CastMode::Wrapping => from.is_integer() && to.is_integer(),
        CastMode::Saturating => from != Type::Bool && to != Type::Bool,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtins::{Lowering, METHODS};
    use crate::ir::Overflow::Wrap;
    use crate::operators::OPERATORS;

    const TYPES: [Type; 8] = [Type::Bool, Type::U8, Type::I8, Type::U16, Type::I16, Type::U32, Type::I32, Type::F32];

    /// Whether an operation is in the table for a type; of other lowerings nothing is asked.
    fn is_legal(lowering: Lowering, ty: Type) -> bool {
        match lowering {
            Lowering::Unary(op) => unary(op, ty).is_some(),
            Lowering::Binary(op) => binary(op, ty).is_some(),
            Lowering::MulAdd | Lowering::RotateLeft | Lowering::Clamp | Lowering::Cast(_) => true,
        }
    }

    #[test]
    fn authors_are_offered_what_the_table_holds() {
        for ty in TYPES {
            for method in METHODS.iter().filter(|method| method.receivers.contain(ty)) {
                assert!(is_legal(method.lowering, ty), "{} of {ty:?}", method.name);
            }
            for operator in OPERATORS.iter().filter(|operator| operator.class.receivers().contain(ty)) {
                assert!(is_legal(operator.lowering, ty), "{} of {ty:?}", operator.symbol);
            }
        }
    }

    #[test]
    fn floats_do_not_wrap_and_shifts_do_not_saturate() {
        for ty in TYPES {
            assert_eq!(binary(BinaryOp::Add(Wrap), ty).is_some(), ty.is_integer());
            assert_eq!(unary(UnaryOp::Abs(Saturate), ty).is_some(), ty.is_integer());
            assert_eq!(binary(BinaryOp::Shl(Saturate), ty), None);
        }
    }
}
