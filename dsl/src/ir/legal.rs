//! Which operations there are on which types: one table, an operation a row, with a column for each family of targets.
//!
//! The language offers what every family computes ([`Support::everywhere`]). Inference refuses the rest at the author's
//! token and names the families that lack it; [`super::verify`](super::verify()) holds every pass to the same table.

use super::Overflow::{self, Never, Saturate, Wrap};
use super::{BinaryOp, CastMode, Type, Types, UnaryOp};

/// Targets that compute alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Plain Rust.
    Scalar,
    /// Vectors: NEON, SSE4.1, AVX2 and AVX-512.
    Vectors,
    /// OpenCL C 1.2.
    OpenCl,
}

impl Family {
    /// Every family.
    pub const ALL: [Self; 3] = [Self::Scalar, Self::Vectors, Self::OpenCl];

    /// Its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scalar => "plain Rust",
            Self::Vectors => "vector targets",
            Self::OpenCl => "OpenCL",
        }
    }
}

/// The types for which each family has an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Support {
    rust: Types,
    vectors: Types,
    opencl: Types,
}

impl Support {
    /// The same types on every family.
    pub const fn all(types: Types) -> Self {
        Self { rust: types, vectors: types, opencl: types }
    }

    /// The same, and more types where values are computed one by one: in plain Rust and OpenCL C.
    const fn and_one_by_one(self, types: Types) -> Self {
        Self { rust: self.rust.and(types), opencl: self.opencl.and(types), ..self }
    }

    /// The types of a family.
    pub const fn of(self, family: Family) -> Types {
        match family {
            Family::Scalar => self.rust,
            Family::Vectors => self.vectors,
            Family::OpenCl => self.opencl,
        }
    }

    /// Whether every family has the operation for a type: the language has it then.
    pub const fn everywhere(self, ty: Type) -> bool {
        self.rust.contains(ty) && self.vectors.contains(ty) && self.opencl.contains(ty)
    }

    /// The families that lack the operation for a type, in words: `vector targets and OpenCL`; none where all have it.
    pub fn lacked_by(self, ty: Type) -> Option<String> {
        let names: Vec<&str> = self.lacking(ty).map(Family::name).collect();
        let (last, first) = names.split_last()?;
        Some(if first.is_empty() { (*last).to_owned() } else { format!("{} and {last}", first.join(", ")) })
    }

    /// The families that lack the operation for a type.
    fn lacking(self, ty: Type) -> impl Iterator<Item = Family> {
        Family::ALL.into_iter().filter(move |&family| !self.of(family).contains(ty))
    }
}

/// Integers of 64 bits.
const LONG: Types = Types::of(&[Type::U64, Type::I64]);
/// Floats of 64 bits.
const DOUBLE: Types = Types::of(&[Type::F64]);
const INTEGERS: Types = Types::INTEGERS.and(LONG);
const FLOATS: Types = Types::FLOATS.and(DOUBLE);
const NUMBERS: Types = INTEGERS.and(FLOATS);
const TRUTHS_AND_INTEGERS: Types = Types::BOOL.and(INTEGERS);
const VALUES: Types = Types::BOOL.and(NUMBERS);

/// Types of elements.
pub const ELEMENTS: Support = Support::all(NUMBERS.and(Types::HALVES));
/// Types of elements that are read around the current one: beyond an edge a word of 32 bits may stand for them.
pub const NEIGHBOURS: Support = Support::all(Types::NUMBERS.and(Types::HALVES));
/// Types of uniforms: a word of 32 bits holds each.
pub const UNIFORMS: Support = Support::all(Types::NUMBERS);

/// Whether values of kernels have a type: that of elements, or of truth.
pub fn is_value(ty: Type) -> bool {
    ELEMENTS.everywhere(ty) || ty == Type::BOOL
}

/// The greatest integer that a type of values has.
pub fn greatest() -> i128 {
    let integers = Type::ALL.iter().filter(|ty| ty.is_integer() && is_value(**ty));
    integers.map(|ty| ty.limits().1).max().unwrap_or(0)
}

/// The row of an operation on one value, by the operand's type.
pub fn unary_row(op: UnaryOp) -> Support {
    use UnaryOp::*;
    match op {
        Not => Support::all(TRUTHS_AND_INTEGERS),
        Neg(overflow) | Abs(overflow) => with_mode(overflow),
        Signum => Support::all(INTEGERS),
        CountOnes | LeadingZeros | TrailingZeros => Support::all(Types::INTEGERS).and_one_by_one(LONG),
        UnsignedAbs | Isqrt => Support::all(Types::INTEGERS),
        Sqrt | Floor | Ceil | Trunc | RoundTiesEven | IsNan => Support::all(FLOATS),
        ToBits | ToHalf => Support::all(Types::FLOATS),
        FromBits | FromHalf => Support::all(Types::of(&[Type::U32])),
    }
}

/// The row of an operation on two values, by the operands' type; of a shift, by the left one's.
pub fn binary_row(op: BinaryOp) -> Support {
    use BinaryOp::*;
    match op {
        // A product that saturates takes twice the width.
        Mul(Saturate) => Support::all(Types::INTEGERS),
        Add(overflow) | Sub(overflow) | Mul(overflow) => with_mode(overflow),
        Shl(Saturate) => Support::all(Types::NONE),
        Shl(_) | Shr => Support::all(INTEGERS),
        Min | Max => Support::all(NUMBERS),
        Eq | Ne | Lt | Le | Gt | Ge => Support::all(VALUES),
        And | Or | Xor => Support::all(TRUTHS_AND_INTEGERS),
        Div => Support::all(Types::NUMBERS.and(DOUBLE)).and_one_by_one(LONG),
        Rem | HalvingAdd | RoundingHalvingAdd | MulHigh | RoundingShr => {
            Support::all(Types::INTEGERS).and_one_by_one(LONG)
        }
        AbsDiff => Support::all(Types::INTEGERS),
    }
}

/// The row of an operation with modes: floats have no overflow.
fn with_mode(overflow: Overflow) -> Support {
    match overflow {
        Never => Support::all(NUMBERS),
        Wrap => Support::all(INTEGERS),
        Saturate => Support::all(Types::INTEGERS).and_one_by_one(LONG),
    }
}

/// The row of a conversion to a type, by the type that is converted. Every target has these conversions, the language not
/// all of them.
pub fn cast_row(mode: CastMode, to: Type) -> Support {
    let short = Types::NUMBERS.and(DOUBLE);
    let integers = |truths: Types| if LONG.contains(to) { truths.and(INTEGERS) } else { truths.and(LONG).and(short) };
    match mode {
        CastMode::Value if to == Type::BOOL => Support::all(Types::BOOL),
        CastMode::Value if FLOATS.contains(to) => Support::all(Types::BOOL.and(short)),
        CastMode::Value if INTEGERS.contains(to) => Support::all(integers(Types::BOOL)),
        CastMode::Wrapping if INTEGERS.contains(to) => Support::all(INTEGERS),
        CastMode::Saturating if FLOATS.contains(to) => Support::all(short),
        CastMode::Saturating if INTEGERS.contains(to) => Support::all(integers(Types::NONE)),
        CastMode::Value | CastMode::Wrapping | CastMode::Saturating => Support::all(Types::NONE),
    }
}

/// The type of a result on an operand of type `ty`; none where the language has no such operation.
pub fn unary(op: UnaryOp, ty: Type) -> Option<Type> {
    unary_row(op).everywhere(ty).then(|| result_of_unary(op, ty))
}

/// The same of what a family computes.
pub fn unary_on(family: Family, op: UnaryOp, ty: Type) -> Option<Type> {
    unary_row(op).of(family).contains(ty).then(|| result_of_unary(op, ty))
}

fn result_of_unary(op: UnaryOp, ty: Type) -> Type {
    use UnaryOp::*;
    match op {
        UnsignedAbs => ty.unsigned(),
        CountOnes | LeadingZeros | TrailingZeros | ToBits | ToHalf => Type::U32,
        IsNan => Type::BOOL,
        FromBits | FromHalf => Type::F32,
        Neg(_) | Not | Abs(_) | Signum | Sqrt | Isqrt | Floor | Ceil | Trunc | RoundTiesEven => ty,
    }
}

/// The type of a result on operands of type `ty`; none where the language has no such operation.
pub fn binary(op: BinaryOp, ty: Type) -> Option<Type> {
    binary_row(op).everywhere(ty).then(|| op.result(ty))
}

/// The same of what a family computes.
pub fn binary_on(family: Family, op: BinaryOp, ty: Type) -> Option<Type> {
    binary_row(op).of(family).contains(ty).then(|| op.result(ty))
}

/// Whether values of type `from` can be converted to `to`.
pub fn cast(mode: CastMode, from: Type, to: Type) -> bool {
    cast_row(mode, to).everywhere(from)
}

/// Whether an author may convert values of type `from` to `to` by a method: as [`cast`], and a half to `f32` and back.
pub fn converts(mode: CastMode, from: Type, to: Type) -> bool {
    let is_half = |half: Type, float: Type| half.is_half() && Types::FLOATS.contains(float);
    from == to || cast(mode, from, to) || mode == CastMode::Value && (is_half(from, to) || is_half(to, from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtins::METHODS;
    use crate::operators::OPERATORS;

    /// Types that kernels compute with.
    fn values() -> impl Iterator<Item = Type> {
        Type::ALL.iter().copied().filter(|&ty| is_value(ty))
    }

    #[test]
    fn authors_are_offered_what_the_table_holds() {
        for ty in values().filter(|ty| Types::NUMBERS.and(Types::BOOL).contains(*ty)) {
            for method in METHODS.iter().filter(|method| method.receivers.contain(ty)) {
                assert!(method.lowering.lacked_by(ty).is_none(), "{} of {ty:?}", method.name);
            }
            for operator in OPERATORS.iter().filter(|operator| operator.class.receivers().contain(ty)) {
                assert!(operator.lowering.lacked_by(ty).is_none(), "{} of {ty:?}", operator.symbol);
            }
        }
    }

    #[test]
    fn floats_do_not_wrap_and_shifts_do_not_saturate() {
        for ty in values() {
            assert_eq!(binary(BinaryOp::Add(Wrap), ty).is_some(), ty.is_integer());
            assert_eq!(unary(UnaryOp::Abs(Saturate), ty).is_some(), Types::INTEGERS.contains(ty));
            assert_eq!(binary(BinaryOp::Shl(Saturate), ty), None);
        }
    }

    /// The message and the help of a kernel's one mistake.
    fn mistake(kernel: &str) -> [String; 2] {
        let compiled = crate::compile_file(kernel);
        let [error] = compiled.errors.as_slice() else { panic!("{} mistakes in {kernel}", compiled.errors.len()) };
        [error.message.clone(), error.help.clone()]
    }

    #[test]
    fn what_a_family_lacks_is_refused_where_it_is_written() {
        for (body, message, help) in [
            (
                "a / b",
                "`/` has no meaning for `i64` here",
                "vector targets lack it for i64; convert first: `(.. as i32)`",
            ),
            ("a.saturating_add(b)", "there is no method `saturating_add` on `i64`", "vector targets lack it for i64"),
            ("a.count_ones() as i64", "there is no method `count_ones` on `i64`", "(.. as i32).count_ones()"),
            ("a as f32 as i32 as i64", "`i64` can't be converted to `f32` by `as`", "`.. as i32`"),
        ] {
            let found = mistake(&format!("#[kernel] fn f(a: i64, b: i64) -> i64 {{ {body} }}"));
            assert!(found[0] == message && found[1].contains(help), "{body}: {found:?}");
        }
        let [message, help] = mistake("#[kernel] fn f(a: i64, #[uniform] k: i64) -> i64 { a ^ k }");
        assert!(message.contains("i64") && help.contains("a word of 32 bits"), "{message}: {help}");
        let [message, help] = mistake("#[kernel] fn f(src: Neighbourhood<i64>) -> i64 { src.at(1, 0) }");
        assert!(message.contains("Neighbourhood<i64>") && help.contains("single elements"), "{message}: {help}");
    }

    /// A remedy is a method that the type has, and a type that holds as much.
    #[test]
    fn what_is_offered_for_64_bits_is_there() {
        for (kernel, offered, lacking) in [
            ("fn f(a: u64, b: u64) -> u64 { a * b }", "a.wrapping_mul(b)", "saturating_mul"),
            ("fn f(a: i64, b: i64) -> i64 { a + b }", "a.wrapping_add(b)", "saturating_add"),
            ("fn f(a: u64, b: u64) -> u64 { a - b }", "a.wrapping_sub(b)", "abs_diff"),
            ("fn f(a: u64, b: u64) -> u64 { a / b }", "(.. as u32)", "i32"),
            ("fn f(a: u64) -> f32 { a as f32 }", ".saturating_cast::<u32>()", "i32"),
            ("fn f(a: u64) -> u64 { sum(0..4, |_| a) }", "adds by `wrapping_add`", "saturating_add"),
        ] {
            let [_, help] = mistake(&format!("#[kernel] {kernel}"));
            assert!(help.contains(offered) && !help.contains(lacking), "{kernel}: {help}");
        }
    }

    #[test]
    fn a_product_beyond_128_bits_has_no_end() {
        let compiled = crate::compile_file("#[kernel] fn f(a: u64, b: u64) -> u64 { a * b }");
        let notes = compiled.errors[0].notes.join(" ");
        assert!(notes.contains("it lies in 0..; u64 holds 0..=18446744073709551615"), "{notes}");
    }

    #[test]
    fn what_vectors_lack_is_named() {
        assert_eq!(binary_row(BinaryOp::Div).lacked_by(Type::I64).as_deref(), Some("vector targets"));
        assert_eq!(binary_row(BinaryOp::Add(Wrap)).lacked_by(Type::I64), None);
        let families = binary_row(BinaryOp::AbsDiff).lacked_by(Type::I64);
        assert_eq!(families.as_deref(), Some("plain Rust, vector targets and OpenCL"));
        assert!(cast(CastMode::Saturating, Type::I64, Type::U8) && !cast(CastMode::Value, Type::F32, Type::I64));
    }
}
