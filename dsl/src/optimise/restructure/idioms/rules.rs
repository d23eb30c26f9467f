//! The rules: what authors write for what machines have an instruction for. One row a spelling.
//!
//! A row holds for all integers that its conditions admit, whatever the widths around it: `narrow`
//! chooses those afterwards. Every row is proved in `super::proofs`: for all bytes by trying them, for all 16-bit
//! values by a decision procedure.

use super::pattern::{Condition, Pattern};
use crate::ir::Overflow::{Never, Saturate, Wrap};
use crate::ir::{BinaryOp, CastMode, Op, Type, UnaryOp};

/// A spelling, and the operation that it is.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// What it finds, in words.
    pub name: &'static str,
    /// What the author wrote.
    pub from: &'static Pattern,
    /// What it is.
    pub to: &'static Pattern,
    /// All of this must be known.
    pub when: &'static [Condition],
}

const fn rule(name: &'static str, from: &'static Pattern, to: &'static Pattern, when: &'static [Condition]) -> Rule {
    Rule { name, from, to, when }
}

use BinaryOp::*;
use Condition::{AtLeast, Complement, Exceeds, Half, Holds, NotBelow, Ordered, Saved, SumIsWider, Varies};
use Pattern::{Binary, In, Int, Saturated, Select, Unary};

const U8: Type = Type::U8;
const I8: Type = Type::I8;
const U16: Type = Type::U16;
const I16: Type = Type::I16;
const I32: Type = Type::I32;

const X: &Pattern = &Pattern::Value(0);
const Y: &Pattern = &Pattern::Value(1);
const C: &Pattern = &Pattern::Constant(2);
const N: &Pattern = &Pattern::Constant(3);
const T: &Pattern = &Pattern::Truth(4);

const SUM: &Pattern = &Binary(Add(Never), X, Y);
const DIFFERENCE: &Pattern = &Binary(Sub(Never), X, Y);
/// In the two arms of a choice, only one of the differences is asked for; the other may wrap.
const FORWARD: &Pattern = &Binary(Sub(Wrap), X, Y);
const BACKWARD: &Pattern = &Binary(Sub(Wrap), Y, X);
const LEAST: &Pattern = &Binary(Min, X, Y);
const GREATEST: &Pattern = &Binary(Max, X, Y);
const ABOVE: &Pattern = &Binary(Gt, X, Y);
const AT_LEAST: &Pattern = &Binary(Ge, X, Y);
const BELOW: &Pattern = &Binary(Lt, X, Y);
const AT_MOST: &Pattern = &Binary(Le, X, Y);
const BELOW_C: &Pattern = &Binary(Lt, X, C);
const ABOVE_N: &Pattern = &Binary(Gt, X, N);
const DISTANCE: &Pattern = &Binary(AbsDiff, X, Y);
const EXCESS: &Pattern = &Binary(Sub(Saturate), X, Y);
const DEFICIT: &Pattern = &Binary(Sub(Saturate), Y, X);
const LESS_16: &Pattern = &Pattern::Less(3, 16);
const MAGNITUDE: &Pattern = &Unary(UnaryOp::UnsignedAbs, X);
const ZERO: &Pattern = &Int(0);
const ONE: &Pattern = &Int(1);
/// A constant's bits where a condition holds.
const BITS: &Pattern = &Select(T, C, ZERO);
const BITS_ELSE: &Pattern = &Select(&Pattern::Opposite(4), C, ZERO);
const OTHER_BITS: &Pattern = &Binary(And, X, N);

const BYTES: &[Condition] = &[Holds(U8, 0), Holds(U8, 1)];
const WORDS: &[Condition] = &[Holds(U16, 0), Holds(U16, 1)];
const SIGNED_BYTES: &[Condition] = &[Holds(I8, 0), Holds(I8, 1)];
const SIGNED_WORDS: &[Condition] = &[Holds(I16, 0), Holds(I16, 1)];

/// The rows. Of two that match, the first is taken; what it gives is looked at again.
#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    // Constants stand last in a sum, so that the rows below find them.
    rule("sum of a sum and a constant",   &Binary(Add(Never), &Binary(Add(Never), X, C), Y),           &Binary(Add(Never), SUM, C),          &[Varies(1)]),
    rule("sum and a constant, less",      &Binary(Sub(Never), &Binary(Add(Never), X, C), Y),           &Binary(Add(Never), DIFFERENCE, C),   &[Varies(1)]),

    // The lesser and the greater.
    rule("the lesser by choice",          &Select(BELOW,    X, Y),                       LEAST,                         &[]),
    rule("the lesser by choice",          &Select(AT_MOST,  X, Y),                       LEAST,                         &[]),
    rule("the greater by choice",         &Select(ABOVE,    X, Y),                       GREATEST,                      &[]),
    rule("the greater by choice",         &Select(AT_LEAST, X, Y),                       GREATEST,                      &[]),

    rule("bounds by choice",              &Select(BELOW_C,  C, &Binary(Min, X, N)),      &Binary(Max, &Binary(Min, X, N), C), &[Ordered(2, 3)]),
    rule("bounds by choice",              &Select(ABOVE_N,  N, &Binary(Max, X, C)),      &Binary(Max, &Binary(Min, X, N), C), &[Ordered(2, 3)]),

    // Absolute differences.
    rule("distance by abs",               &Unary(UnaryOp::Abs(Never),         DIFFERENCE),      DISTANCE,                      &[]),
    rule("distance by unsigned_abs",      &Unary(UnaryOp::UnsignedAbs, DIFFERENCE),      DISTANCE,                      &[]),
    rule("distance by choice",            &Select(ABOVE,    FORWARD,  BACKWARD),         DISTANCE,                      &[]),
    rule("distance by choice",            &Select(AT_LEAST, FORWARD,  BACKWARD),         DISTANCE,                      &[]),
    rule("distance by choice",            &Select(BELOW,    BACKWARD, FORWARD),          DISTANCE,                      &[]),
    rule("distance by choice",            &Select(AT_MOST,  BACKWARD, FORWARD),          DISTANCE,                      &[]),
    rule("distance of the extremes",      &Binary(Sub(Never), GREATEST, LEAST),                 DISTANCE,                      &[]),
    rule("distance by the greater",       &Binary(Max, DIFFERENCE, &Binary(Sub(Never), Y, X)),  DISTANCE,                      &[]),
    rule("distance of two excesses",      &Binary(Or,  EXCESS, DEFICIT),                 DISTANCE,                      WORDS),
    rule("distance of two excesses",      &Binary(Add(Never), EXCESS, DEFICIT),                 DISTANCE,                      WORDS),
    rule("distance of two excesses",      &Binary(Max, EXCESS, DEFICIT),                 DISTANCE,                      WORDS),

    // Sums and differences that stop at the ends of a type.
    rule("sum up to 255",                 &Binary(Min, SUM, &Int(255)),                  &In(U8,  &Binary(Add(Saturate), X, Y)), BYTES),
    rule("sum up to 65535",               &Binary(Min, SUM, &Int(65535)),                &In(U16, &Binary(Add(Saturate), X, Y)), WORDS),
    rule("sum within i8",                 &Binary(Max, &Binary(Min, SUM, &Int(127)), &Int(-128)),     &In(I8,  &Binary(Add(Saturate), X, Y)), SIGNED_BYTES),
    rule("sum within i8",                 &Binary(Min, &Binary(Max, SUM, &Int(-128)), &Int(127)),     &In(I8,  &Binary(Add(Saturate), X, Y)), SIGNED_BYTES),
    rule("sum within i16",                &Binary(Max, &Binary(Min, SUM, &Int(32767)), &Int(-32768)), &In(I16, &Binary(Add(Saturate), X, Y)), SIGNED_WORDS),
    rule("sum within i16",                &Binary(Min, &Binary(Max, SUM, &Int(-32768)), &Int(32767)), &In(I16, &Binary(Add(Saturate), X, Y)), SIGNED_WORDS),
    rule("sum, saturated",                &Saturated(U8,  SUM),                          &In(U8,  &Binary(Add(Saturate), X, Y)), BYTES),
    rule("sum, saturated",                &Saturated(U16, SUM),                          &In(U16, &Binary(Add(Saturate), X, Y)), WORDS),
    rule("sum, saturated",                &Saturated(I8,  SUM),                          &In(I8,  &Binary(Add(Saturate), X, Y)), SIGNED_BYTES),
    rule("sum, saturated",                &Saturated(I16, SUM),                          &In(I16, &Binary(Add(Saturate), X, Y)), SIGNED_WORDS),
    rule("sum up to what is left of 255", &Binary(Add(Never), &Binary(Min, X, &Binary(Sub(Never), &Int(255), Y)), Y), &In(U8, &Binary(Add(Saturate), X, Y)), BYTES),
    rule("difference within i8",          &Binary(Max, &Binary(Min, DIFFERENCE, &Int(127)), &Int(-128)),     &In(I8,  EXCESS), SIGNED_BYTES),
    rule("difference within i8",          &Binary(Min, &Binary(Max, DIFFERENCE, &Int(-128)), &Int(127)),     &In(I8,  EXCESS), SIGNED_BYTES),
    rule("difference within i16",         &Binary(Max, &Binary(Min, DIFFERENCE, &Int(32767)), &Int(-32768)), &In(I16, EXCESS), SIGNED_WORDS),
    rule("difference within i16",         &Binary(Min, &Binary(Max, DIFFERENCE, &Int(-32768)), &Int(32767)), &In(I16, EXCESS), SIGNED_WORDS),
    rule("difference, saturated",         &Saturated(I8,  DIFFERENCE),                   &In(I8,  EXCESS),              SIGNED_BYTES),
    rule("difference, saturated",         &Saturated(I16, DIFFERENCE),                   &In(I16, EXCESS),              SIGNED_WORDS),
    rule("difference, saturated",         &Saturated(U8,  DIFFERENCE),                   &In(U8,  EXCESS),              BYTES),
    rule("difference, saturated",         &Saturated(U16, DIFFERENCE),                   &In(U16, EXCESS),              WORDS),
    rule("excess over zero",              &Binary(Max, DIFFERENCE, ZERO),                &In(U8,  EXCESS),              BYTES),
    rule("excess over zero",              &Binary(Max, DIFFERENCE, ZERO),                &In(U16, EXCESS),              WORDS),
    rule("excess by choice",              &Select(ABOVE,    FORWARD, ZERO),              &In(U8,  EXCESS),              BYTES),
    rule("excess by choice",              &Select(AT_LEAST, FORWARD, ZERO),              &In(U8,  EXCESS),              BYTES),
    rule("excess by choice",              &Select(BELOW,    ZERO, FORWARD),              &In(U8,  EXCESS),              BYTES),
    rule("excess by choice",              &Select(AT_MOST,  ZERO, FORWARD),              &In(U8,  EXCESS),              BYTES),
    rule("excess by choice",              &Select(ABOVE,    FORWARD, ZERO),              &In(U16, EXCESS),              WORDS),
    rule("excess by choice",              &Select(AT_LEAST, FORWARD, ZERO),              &In(U16, EXCESS),              WORDS),
    rule("excess by choice",              &Select(BELOW,    ZERO, FORWARD),              &In(U16, EXCESS),              WORDS),
    rule("excess by choice",              &Select(AT_MOST,  ZERO, FORWARD),              &In(U16, EXCESS),              WORDS),
    rule("excess over the lesser",        &Binary(Sub(Never), X, LEAST),                        &In(U8,  EXCESS),              BYTES),
    rule("excess over the lesser",        &Binary(Sub(Never), X, LEAST),                        &In(U16, EXCESS),              WORDS),
    rule("excess of the greater",         &Binary(Sub(Never), GREATEST, Y),                     &In(U8,  EXCESS),              BYTES),
    rule("excess of the greater",         &Binary(Sub(Never), GREATEST, Y),                     &In(U16, EXCESS),              WORDS),

    // A condition's own bits: nothing is computed of the value where it doesn't hold.
    rule("bits by choice",                &Select(T, &Binary(Or,  X, C), X),             &Binary(Or,  X, BITS),         &[Saved]),
    rule("bits by choice",                &Select(T, &Binary(Xor, X, C), X),             &Binary(Xor, X, BITS),         &[Saved]),
    rule("bits by choice",                &Select(T, &Binary(Or,  X, C), OTHER_BITS),    &Binary(Or,  OTHER_BITS, BITS), &[Saved, Complement(2, 3)]),
    rule("bits by choice",                &Select(T, X, &Binary(Or,  X, C)),             &Binary(Or,  X, BITS_ELSE),    &[Saved]),
    rule("bits by choice",                &Select(T, X, &Binary(Xor, X, C)),             &Binary(Xor, X, BITS_ELSE),    &[Saved]),
    rule("bits by choice",                &Select(T, OTHER_BITS, &Binary(Or,  X, C)),    &Binary(Or,  OTHER_BITS, BITS_ELSE), &[Saved, Complement(2, 3)]),

    // Narrowing that stops at the ends of a type.
    rule("clamp to u8",                   &Binary(Min, &Binary(Max, X, ZERO), &Int(255)),             &Saturated(U8,  X), &[Exceeds(U8,  0)]),
    rule("clamp to u8",                   &Binary(Max, &Binary(Min, X, &Int(255)), ZERO),             &Saturated(U8,  X), &[Exceeds(U8,  0)]),
    rule("clamp to u16",                  &Binary(Min, &Binary(Max, X, ZERO), &Int(65535)),           &Saturated(U16, X), &[Exceeds(U16, 0)]),
    rule("clamp to u16",                  &Binary(Max, &Binary(Min, X, &Int(65535)), ZERO),           &Saturated(U16, X), &[Exceeds(U16, 0)]),
    rule("clamp to i8",                   &Binary(Min, &Binary(Max, X, &Int(-128)), &Int(127)),       &Saturated(I8,  X), &[Exceeds(I8,  0)]),
    rule("clamp to i8",                   &Binary(Max, &Binary(Min, X, &Int(127)), &Int(-128)),       &Saturated(I8,  X), &[Exceeds(I8,  0)]),
    rule("clamp to i16",                  &Binary(Min, &Binary(Max, X, &Int(-32768)), &Int(32767)),   &Saturated(I16, X), &[Exceeds(I16, 0)]),
    rule("clamp to i16",                  &Binary(Max, &Binary(Min, X, &Int(32767)), &Int(-32768)),   &Saturated(I16, X), &[Exceeds(I16, 0)]),
    rule("at most 255",                   &Binary(Min, X, &Int(255)),                                 &Saturated(U8,  X), &[Exceeds(U8,  0), NotBelow(U8,  0)]),
    rule("at most 65535",                 &Binary(Min, X, &Int(65535)),                               &Saturated(U16, X), &[Exceeds(U16, 0), NotBelow(U16, 0)]),
    rule("at most 127",                   &Binary(Min, X, &Int(127)),                                 &Saturated(I8,  X), &[Exceeds(I8,  0), NotBelow(I8,  0)]),
    rule("at most 32767",                 &Binary(Min, X, &Int(32767)),                               &Saturated(I16, X), &[Exceeds(I16, 0), NotBelow(I16, 0)]),

    // Means.
    rule("rounded mean",                  &Binary(Shr, &Binary(Add(Never), SUM, ONE), ONE),     &Binary(RoundingHalvingAdd, X, Y), &[SumIsWider(0, 1)]),
    rule("rounded mean",                  &Binary(RoundingShr, SUM, ONE),                &Binary(RoundingHalvingAdd, X, Y), &[SumIsWider(0, 1)]),
    rule("rounded mean by bits",          &Binary(Sub(Wrap), &Binary(Or, X, Y), &Binary(Shr, &Binary(Xor, X, Y), ONE)),  &Binary(RoundingHalvingAdd, X, Y), &[]),
    rule("mean",                          &Binary(Shr, SUM, ONE),                        &Binary(HalvingAdd, X, Y),     &[SumIsWider(0, 1)]),
    rule("mean by bits",                  &Binary(Add(Wrap), &Binary(And, X, Y), &Binary(Shr, &Binary(Xor, X, Y), ONE)), &Binary(HalvingAdd, X, Y),         &[]),
    rule("rounded shift",                 &Binary(Shr, &Binary(Add(Never), X, C), N),           &Binary(RoundingShr, X, N),    &[Half(2, 3)]),

    // A sign does not matter to a square.
    rule("square of a magnitude",         &Binary(Mul(Never), MAGNITUDE, MAGNITUDE),            &In(I32, &Binary(Mul(Never), X, X)),  &[Holds(I16, 0)]),

    // The upper half of a product.
    rule("upper half of a product",       &Binary(Shr, &Binary(Mul(Never), X, Y), &Int(16)),    &In(I16, &Binary(MulHigh, X, Y)), SIGNED_WORDS),
    rule("upper half of a product",       &Binary(Shr, &Binary(Mul(Never), X, Y), &Int(16)),    &In(U16, &Binary(MulHigh, X, Y)), WORDS),
    rule("more than the upper half",      &Binary(Shr, &Binary(Mul(Never), X, Y), N),           &Binary(Shr, &In(I16, &Binary(MulHigh, X, Y)), LESS_16), &[Holds(I16, 0), Holds(I16, 1), AtLeast(3, 17)]),
    rule("more than the upper half",      &Binary(Shr, &Binary(Mul(Never), X, Y), N),           &Binary(Shr, &In(U16, &Binary(MulHigh, X, Y)), LESS_16), &[Holds(U16, 0), Holds(U16, 1), AtLeast(3, 17)]),
];

/// The rules that an operation on values of these kinds ([`kinds_of`]) may be the root of, in their order.
pub fn at_root(op: &Op, [x, y]: [u64; 2]) -> impl Iterator<Item = &'static Rule> {
    let mut next = match *op {
        Op::Binary(op, ..) => BY_ROOT.first[of_binary(op)],
        Op::Unary(..) => BY_ROOT.first[UNARY],
        Op::Select { .. } => BY_ROOT.first[SELECT],
        Op::Cast(CastMode::Saturating, _) => BY_ROOT.first[SATURATED],
        _ => NONE,
    };
    std::iter::from_fn(move || {
        while next != NONE {
            let (rule, [a, b]) = (next, BY_ROOT.below[next]);
            next = BY_ROOT.next[rule];
            if x & a != 0 && y & b != 0 || x & b != 0 && y & a != 0 {
                return Some(&RULES[rule]);
            }
        }
        None
    })
}

/// What a value that is not an operand may be.
pub const ANY: u64 = u64::MAX;

/// What a value is, as one bit for its operation and one for an integer that is known.
pub fn kinds_of(op: &Op, is_known: bool) -> u64 {
    let own = match *op {
        Op::Binary(op, ..) => 1 << of_binary(op),
        Op::Unary(..) => 1 << UNARY,
        Op::Select { .. } => 1 << SELECT,
        Op::Cast(CastMode::Saturating, _) => 1 << SATURATED,
        _ => 1 << OTHER,
    };
    if is_known { own | 1 << KNOWN } else { own }
}

/// The kinds of values that a pattern may be.
const fn kinds(pattern: &Pattern) -> u64 {
    match *pattern {
        Binary(op, ..) => 1 << of_binary(op),
        Unary(..) => 1 << UNARY,
        Select(..) => 1 << SELECT,
        Saturated(..) => 1 << SATURATED,
        Int(_) | Pattern::Constant(_) => 1 << KNOWN,
        Pattern::Value(_) | Pattern::Truth(_) | Pattern::Opposite(_) | Pattern::Less(..) | In(..) => ANY,
    }
}

/// Rules chained by their roots: most values are asked about few of them.
struct Chains {
    first: [usize; ROOTS],
    next: [usize; RULES.len()],
    /// The kinds of values that may be the operands.
    below: [[u64; 2]; RULES.len()],
}

static BY_ROOT: Chains = chains();

/// No rule.
const NONE: usize = usize::MAX;

// Roots that are not operations on two values come after those that are.
const UNARY: usize = 2 * BinaryOp::KINDS;
const SELECT: usize = UNARY + 1;
const SATURATED: usize = SELECT + 1;
const ROOTS: usize = SATURATED + 1;
// What is not a root.
const OTHER: usize = ROOTS;
const KNOWN: usize = ROOTS + 1;

const fn chains() -> Chains {
    let mut chains = Chains { first: [NONE; ROOTS], next: [NONE; RULES.len()], below: [[ANY; 2]; RULES.len()] };
    let mut rule = RULES.len();
    while rule > 0 {
        rule -= 1;
        let root = match *RULES[rule].from {
            Binary(op, x, y) => {
                chains.below[rule] = [kinds(x), kinds(y)];
                of_binary(op)
            }
            Unary(..) => UNARY,
            Select(..) => SELECT,
            Saturated(..) => SATURATED,
            Pattern::Value(_)
            | Pattern::Constant(_)
            | Pattern::Truth(_)
            | Pattern::Opposite(_)
            | Int(_)
            | Pattern::Less(..)
            | In(..) => {
                panic!("a rule's root is an operation")
            }
        };
        chains.next[rule] = chains.first[root];
        chains.first[root] = rule;
    }
    chains
}

/// One root for the operations that a rule may mean by one name: a sum that may wrap and one that doesn't, a comparison
/// and the one that says the same with its sides exchanged.
const fn of_binary(op: BinaryOp) -> usize {
    match op {
        Gt => Lt.kind(),
        Ge => Le.kind(),
        _ => match op.overflow() {
            Some(Saturate) => BinaryOp::KINDS + op.kind(),
            _ => op.kind(),
        },
    }
}
