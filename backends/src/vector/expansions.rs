//! What an operation is in terms of others, where a machine lacks it: one row an operation and the types that it holds for.
//!
//! Rows of [`Stage::Body`] are for what no vector machine has: [`super::decompose`] writes them into a body. Those of
//! [`Stage::Instructions`] are for what some machines have: a target whose own table has no instruction for an operation
//! follows the row, vector by vector. Every row is proved below: for all operands of 8 bits, and for a sample of wider ones
//! that holds the edges of their types. What a row cannot say stays with its target: sequences of instructions that are no
//! operation of the language (byte shuffles, products of every second lane), and what depends on a constant's value.

use std::fmt;
use windrow_dsl::ir::Overflow::{Never, Saturate, Wrap};
use windrow_dsl::ir::{BinaryOp, CastMode, Type, Types, UnaryOp};

/// A tree of operations over the operands of one.
#[derive(Clone, Copy, Debug)]
pub enum Tree {
    /// The operand, or the first of two.
    X,
    /// The second operand.
    Y,
    /// The value that [`Tree::Let`] names.
    Z,
    /// An integer, in the type around it; as the right operand of a shift, an amount.
    Int(i128),
    /// The least value of the operation's type.
    Least,
    /// The greatest value of the operation's type.
    Greatest,
    /// An operation on one value.
    Unary(UnaryOp, &'static Tree),
    /// An operation on two values, the first of which is computed first.
    Binary(BinaryOp, &'static Tree, &'static Tree),
    /// The tree computed in the unsigned type of the same width, on the same bits.
    Unsigned(&'static Tree),
    /// All bits where a comparison holds, none elsewhere.
    Compare(BinaryOp, &'static Tree, &'static Tree),
    /// The second value where the first has all bits, the third where it has none.
    Choose(&'static Tree, &'static Tree, &'static Tree),
    /// The product of the lower halves of two values, as unsigned numbers.
    LowProduct(&'static Tree, &'static Tree),
    /// The second value where the first is negative, else the third.
    BySign(&'static Tree, &'static Tree, &'static Tree),
    /// A conversion.
    Cast(CastMode, Type, &'static Tree),
    /// A conversion of a value to the operation's type, which has it.
    Back(&'static Tree),
    /// The second tree, in which `Z` is the first.
    Let(&'static Tree, &'static Tree),
}

/// An operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// On one value.
    Unary(UnaryOp),
    /// On two values.
    Binary(BinaryOp),
}

impl fmt::Display for Operation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unary(op) => op.fmt(out),
            Self::Binary(op) => op.fmt(out),
        }
    }
}

/// Where a row is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// In every body, before instructions are chosen.
    Body,
    /// Where a machine has no instruction.
    Instructions,
}

/// What an operation on values of some types is.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The operation; what never overflows is what wraps.
    pub of: Operation,
    /// The operands' types.
    pub types: Types,
    /// Where the row is followed.
    pub stage: Stage,
    /// What the operation is; modulo the width of its result.
    pub to: &'static Tree,
}

const fn row(of: Operation, types: Types, stage: Stage, to: &'static Tree) -> Row {
    Row { of, types, stage, to }
}

use BinaryOp::{Add, And, Div, Eq, Gt, Max, Min, Mul, Or, Shl, Shr, Sub, Xor};
use Operation::{Binary as On2, Unary as On1};
use Stage::{Body, Instructions};
use Tree::{
    Back, Binary, BySign, Cast, Choose, Compare, Greatest, Int, Least, Let, LowProduct, Unary, Unsigned, X, Y, Z,
};

const BYTES: Types = Types::of(&[Type::U8, Type::I8]);
const NARROW: Types = BYTES.and(Types::of(&[Type::U16, Type::I16]));
const WORDS: Types = U32.and(I32);
const U32: Types = Types::of(&[Type::U32]);
const I32: Types = Types::of(&[Type::I32]);
const LONG: Types = U64.and(I64);
const U64: Types = Types::of(&[Type::U64]);
const I64: Types = Types::of(&[Type::I64]);
const INTEGERS: Types = Types::INTEGERS;
const SIGNED: Types = Types::SIGNED;
const UNSIGNED: Types = Types::UNSIGNED;

const NOT_X: &Tree = &Unary(UnaryOp::Not, &X);
const NOT_Y: &Tree = &Unary(UnaryOp::Not, &Y);
const BOTH: &Tree = &Binary(And, &X, &Y);
const EITHER: &Tree = &Binary(Or, &X, &Y);
const DIFFER: &Tree = &Binary(Xor, &X, &Y);
const HALF_OF_ONE: &Tree = &Binary(Shr, DIFFER, &Int(1));
const MEAN_UP: &Tree = &Binary(BinaryOp::RoundingHalvingAdd, &X, &Y);
/// With their sign bits inverted, signed values have the order and the distances of unsigned ones.
const SIGN_X: &Tree = &Binary(Xor, &X, &Least);
const SIGN_Y: &Tree = &Binary(Xor, &Y, &Least);
const FLOAT_X: &Tree = &Cast(CastMode::Value, Type::F32, &X);
const FLOAT_Y: &Tree = &Cast(CastMode::Value, Type::F32, &Y);
const FLOAT_ROOT: &Tree = &Unary(UnaryOp::Sqrt, FLOAT_X);
/// The greatest value where X is not negative, the least where it is.
const BOUND: &Tree = &Binary(Xor, &Binary(Shr, &X, &Int(31)), &Greatest);
const X_ABOVE: &Tree = &Compare(Gt, &X, &Y);
/// The products of each value's lower half with the other's upper one.
const CROSS: &Tree = &Binary(Add(Wrap), &LowProduct(&X, UPPER_Y), &LowProduct(&Y, UPPER_X));
const UPPER_X: &Tree = &Unsigned(&Binary(Shr, &X, &Int(32)));
const UPPER_Y: &Tree = &Unsigned(&Binary(Shr, &Y, &Int(32)));
const X_CHANGED: &Tree = &Binary(Xor, &X, &Z);
const Y_CHANGED: &Tree = &Binary(Xor, &Y, &Z);

/// The rows; of two that are followed, the first.
#[rustfmt::skip]
pub const ROWS: &[Row] = &[
    // What no vector machine has.
    row(On1(UnaryOp::Signum), SIGNED.and(I64), Body, &Binary(Min, &Binary(Max, &X, &Int(-1)), &Int(1))),
    row(On2(BinaryOp::Rem), INTEGERS, Body, &Binary(Sub(Wrap), &X, &Binary(Mul(Wrap), &Binary(Div, &X, &Y), &Y))),
    // Both are exact in f32, and the quotient errs by less than its distance from the next integer.
    row(On2(Div), NARROW, Body, &Back(&Binary(Div, FLOAT_X, FLOAT_Y))),
    // A root of fewer than 24 bits is exact after truncation.
    row(On1(UnaryOp::Isqrt), Types::of(&[Type::U8, Type::U16]), Body, &Back(FLOAT_ROOT)),
    // A u32 may be rounded up on the way to f32, so its root may be one too great, and a − root² is negative then as a
    // signed integer. (65536² wraps to 0, which leaves an a of more than 2³¹.) It is never too small: the root of n²
    // rounded down to f32 still rounds to n.
    row(On1(UnaryOp::Isqrt), U32, Body, &Let(&Cast(CastMode::Value, Type::I32, FLOAT_ROOT), &Cast(CastMode::Wrapping, Type::U32,
        &Binary(Add(Wrap), &Z, &Binary(Shr, &Binary(Sub(Wrap), &Cast(CastMode::Wrapping, Type::I32, &X), &Binary(Mul(Wrap), &Z, &Z)), &Int(31)))))),
    // Truth values have an order: false is below true.
    row(On2(BinaryOp::Lt), Types::BOOL, Body, &Binary(And, NOT_X, &Y)),
    row(On2(BinaryOp::Le), Types::BOOL, Body, &Binary(Or,  NOT_X, &Y)),
    row(On2(Gt), Types::BOOL, Body, &Binary(And, &X, NOT_Y)),
    row(On2(BinaryOp::Ge), Types::BOOL, Body, &Binary(Or,  &X, NOT_Y)),
    row(On2(BinaryOp::Ne), Types::BOOL, Body, DIFFER),
    row(On2(Eq), Types::BOOL, Body, &Binary(Xor, &X, NOT_Y)),

    // What some lack.
    row(On1(UnaryOp::Neg(Wrap)), INTEGERS.and(LONG), Instructions, &Binary(Sub(Wrap), &Int(0), &X)),
    row(On1(UnaryOp::Neg(Saturate)), UNSIGNED, Instructions, &Int(0)),
    row(On1(UnaryOp::Neg(Saturate)), Types::of(&[Type::I8, Type::I16]), Instructions, &Binary(Sub(Saturate), &Int(0), &X)),
    // The least stays as it is: its mask, −1, makes it the greatest.
    row(On1(UnaryOp::Neg(Saturate)), I32, Instructions, &Binary(Add(Wrap), &Binary(Sub(Wrap), &Int(0), &X), &Compare(Eq, &X, &Least))),
    // Unsigned values are their own magnitude; the least signed one's is one more than the greatest.
    row(On1(UnaryOp::Abs(Wrap)), UNSIGNED.and(U64), Instructions, &X),
    row(On1(UnaryOp::UnsignedAbs), UNSIGNED, Instructions, &X),
    row(On1(UnaryOp::Abs(Saturate)), UNSIGNED, Instructions, &X),
    row(On1(UnaryOp::Abs(Saturate)), SIGNED, Instructions, &Let(&Unary(UnaryOp::Abs(Wrap), &X), &Unsigned(&Binary(Min, &Z, &Greatest)))),
    // The bits below the lowest that is set.
    row(On1(UnaryOp::TrailingZeros), INTEGERS, Instructions, &Unary(UnaryOp::CountOnes, &Binary(And, NOT_X, &Binary(Add(Wrap), &X, &Int(-1))))),
    row(On2(BinaryOp::AbsDiff), INTEGERS, Instructions, &Let(&Binary(Min, &X, &Y), &Binary(Sub(Wrap), &Binary(Max, &X, &Y), &Z))),
    // The mean rounded up, less what was rounded; or what both have, and half of what one has.
    row(On2(BinaryOp::HalvingAdd), BYTES, Instructions, &Binary(Sub(Wrap), MEAN_UP, &Binary(And, DIFFER, &Int(1)))),
    row(On2(BinaryOp::HalvingAdd), Types::of(&[Type::U16, Type::I16]).and(WORDS), Instructions, &Binary(Add(Wrap), BOTH, HALF_OF_ONE)),
    row(On2(BinaryOp::RoundingHalvingAdd), WORDS, Instructions, &Binary(Sub(Wrap), EITHER, HALF_OF_ONE)),
    row(On2(BinaryOp::RoundingHalvingAdd), Types::of(&[Type::I8, Type::I16]), Instructions, &Binary(Xor, &Unsigned(&Binary(BinaryOp::RoundingHalvingAdd, SIGN_X, SIGN_Y)), &Least)),
    row(On2(Min), LONG, Instructions, &Choose(X_ABOVE, &Y, &X)),
    row(On2(Max), LONG, Instructions, &Choose(X_ABOVE, &X, &Y)),
    // A negative value less one, inverted.
    row(On1(UnaryOp::Abs(Wrap)), I64, Instructions, &Let(&Compare(Gt, &Int(0), &X), &Binary(Sub(Wrap), &Binary(Xor, &X, &Z), &Z))),
    // The product of the upper halves leaves the type.
    row(On2(Mul(Wrap)), LONG, Instructions, &Let(CROSS, &Binary(Add(Wrap), &LowProduct(&X, &Y), &Binary(Shl(Wrap), &Z, &Int(32))))),
    // What Y may add at most is what X lacks.
    row(On2(Add(Saturate)), U32, Instructions, &Binary(Add(Wrap), &X, &Binary(Min, NOT_X, &Y))),
    row(On2(Sub(Saturate)), U32, Instructions, &Binary(Sub(Wrap), &Binary(Max, &X, &Y), &Y)),
    // It overflowed where the result's sign differs from X's, and Y's does so too; of a difference, Y's differs from X's.
    row(On2(Add(Saturate)), I32, Instructions, &Let(&Binary(Add(Wrap), &X, &Y), &BySign(&Binary(And, X_CHANGED, Y_CHANGED), BOUND, &Z))),
    row(On2(Sub(Saturate)), I32, Instructions, &Let(&Binary(Sub(Wrap), &X, &Y), &BySign(&Binary(And, X_CHANGED, &Binary(Xor, &Y, &X)), BOUND, &Z))),
];

/// What an operation on values of a type is in terms of others, at a stage.
pub fn of(operation: Operation, ty: Type, stage: Stage) -> Option<&'static Tree> {
    let operation = match operation {
        On1(op) if op.overflow() == Some(Never) => On1(op.with(Wrap)),
        On2(op) if op.overflow() == Some(Never) => On2(op.with(Wrap)),
        other => other,
    };
    let row = ROWS.iter().find(|row| row.stage == stage && row.of == operation && row.types.contains(ty))?;
    Some(row.to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use windrow_dsl::arithmetic::{binary, cast, unary, wrap};
    use windrow_dsl::ir::Constant;

    /// The value of a tree, and its type.
    fn value(tree: &Tree, of: Type, ty: Type, letters: [(Constant, Type); 3]) -> (Constant, Type) {
        let at = |tree: &Tree| value(tree, of, ty, letters);
        let moved = |(constant, own): (Constant, Type)| match constant {
            // In a tree of unsigned values, operands are the same bits.
            Constant::Int(bits) if own.bits() == ty.bits() => (Constant::Int(wrap(bits, ty)), ty),
            _ => (constant, own),
        };
        let integer = |(constant, _): (Constant, Type)| match constant {
            Constant::Int(value) => value,
            other => panic!("{other:?} is not an integer"),
        };
        match *tree {
            X => moved(letters[0]),
            Y => moved(letters[1]),
            Z if letters[2].1 == of => moved(letters[2]),
            Z => letters[2],
            Int(value) => (Constant::Int(wrap(value, ty)), ty),
            Least => (Constant::Int(wrap(of.limits().0, ty)), ty),
            Greatest => (Constant::Int(wrap(of.limits().1, ty)), ty),
            Unary(op, a) => {
                let (a, own) = at(a);
                let ty = if op == UnaryOp::CountOnes { own.unsigned() } else { own };
                (unary(op, own, a).unwrap(), ty)
            }
            Binary(op @ (Shr | Shl(_)), a, Int(by)) => {
                let (a, own) = at(a);
                (binary(op, own, a, Constant::Int(*by)).unwrap(), own)
            }
            Binary(op, a, b) => {
                let ((a, own), (b, other)) = (at(a), at(b));
                assert_eq!(own, other, "{tree:?}");
                (binary(op, own, a, b).unwrap(), own)
            }
            Unsigned(a) => moved(value(a, of, ty.unsigned(), letters)),
            Compare(op, a, b) => {
                let holds = binary(op, ty, at(a).0, at(b).0) == Some(Constant::Bool(true));
                (Constant::Int(wrap(-i128::from(holds), ty)), ty)
            }
            Choose(mask, a, b) => match integer(at(mask)) {
                0 => at(b),
                mask => {
                    assert_eq!(wrap(mask, ty.unsigned()), ty.unsigned().limits().1);
                    at(a)
                }
            },
            LowProduct(a, b) => {
                let low = |tree| integer(at(tree)) & ((1 << (ty.bits() / 2)) - 1);
                (Constant::Int(wrap(low(a) * low(b), ty)), ty)
            }
            BySign(condition, a, b) => {
                let is_negative = integer(at(condition)) >> (ty.bits() - 1) & 1 == 1;
                at(if is_negative { a } else { b })
            }
            Cast(mode, to, a) => (cast(mode, to, at(a).0).unwrap(), to),
            Back(a) => (cast(CastMode::Value, of, at(a).0).unwrap(), of),
            Let(bound, then) => {
                let bound = at(bound);
                value(then, of, ty, [letters[0], letters[1], bound])
            }
        }
    }

    /// All values of 8 bits and of truth; of wider types the edges, powers of two and their neighbours, and a sample.
    fn operands(ty: Type) -> Vec<Constant> {
        let (least, greatest) = ty.limits();
        match ty {
            Type::BOOL => return [false, true].map(Constant::Bool).to_vec(),
            Type::U8 | Type::I8 => return (least..=greatest).map(Constant::Int).collect(),
            _ => {}
        }
        let powers = (0..ty.bits()).flat_map(|bit| [-1, 0, 1].map(|by| (1i128 << bit) + by));
        let mut list: Vec<i128> = powers.flat_map(|value| [value, -value]).chain([least, greatest]).collect();
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        for _ in 0..200 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            list.push(wrap((state >> 20) as i128, ty));
        }
        list.retain(|value| (least..=greatest).contains(value));
        list.sort_unstable();
        list.dedup();
        list.into_iter().map(Constant::Int).collect()
    }

    /// What the operation gives, where it has a result; as bits of its width.
    fn same(row: &Row, ty: Type, expected: Option<Constant>, operands: [(Constant, Type); 2]) -> bool {
        let Some(expected) = expected else { return false };
        let found = value(row.to, ty, ty, [operands[0], operands[1], operands[0]]).0;
        let bits = |constant: Constant| match constant {
            Constant::Int(value) => Constant::Int(wrap(value, ty.unsigned())),
            other => other,
        };
        assert_eq!(bits(found), bits(expected), "{:?} of {operands:?}", row.of);
        true
    }

    #[test]
    fn every_row_is_the_operation() {
        for row in ROWS {
            for ty in row.types.members() {
                let all = operands(ty);
                let mut proved = 0;
                for &a in &all {
                    match row.of {
                        On1(op) => proved += usize::from(same(row, ty, unary(op, ty, a), [(a, ty), (a, ty)])),
                        On2(op) => {
                            for &b in &all {
                                proved += usize::from(same(row, ty, binary(op, ty, a, b), [(a, ty), (b, ty)]));
                            }
                        }
                    }
                }
                // Divisors of 0, and the least by −1, have no result; roots of negative values have none.
                let pairs = if let On1(_) = row.of { all.len() } else { all.len() * all.len() };
                assert!(proved + 2 * all.len() >= pairs && proved > 0, "{:?} of {}: {proved}", row.of, ty.name());
            }
        }
    }

    #[test]
    fn no_row_hides_another() {
        for (place, row) in ROWS.iter().enumerate() {
            let is_hidden = |other: &Row| {
                other.of == row.of && other.stage == row.stage && other.types.members().any(|ty| row.types.contains(ty))
            };
            assert!(!ROWS[..place].iter().any(is_hidden), "{:?}", row.of);
        }
    }
}
