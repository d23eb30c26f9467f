//! Every operation × type × number of lanes, on vectors, and with an operand that is a uniform or a constant.

use super::{
    device::{self, Call, Plane},
    images::{self, Here, Image, Random},
    kernels::Builder,
};
use windrow_dsl::ir::Overflow::{Never, Saturate, Wrap};
use windrow_dsl::ir::legal::Family;
use windrow_dsl::{interpret, ir::*};
use windrow_reference::border;

const ALL: [Type; 10] =
    [Type::U8, Type::I8, Type::U16, Type::I16, Type::U32, Type::I32, Type::F32, Type::U64, Type::I64, Type::F64];

/// Outputs of one kernel: the size of OpenCL's argument list is limited.
const GROUP: usize = 10;

/// The blocks that operations are tested in: one element, and vectors.
fn blocks(right: Right) -> Vec<(u32, u32)> {
    match (is_full(), right) {
        (true, _) => vec![(1, 1), (2, 1), (4, 1), (8, 1), (16, 1)],
        (false, Right::Element) => vec![(1, 1), (4, 1)],
        (false, Right::Uniform | Right::Constant) => vec![(4, 1)],
    }
}

fn is_full() -> bool {
    std::env::var("WINDROW_TEST").is_ok_and(|mode| mode == "full")
}

/// What an operation is applied to.
struct Operands {
    a: ValueId,
    b: ValueId,
    c: ValueId,
    /// A shift amount.
    n: ValueId,
    /// `b` where `a` may be divided by it, 1 elsewhere.
    divisor: ValueId,
}

/// How the right operands come.
#[derive(Clone, Copy, Debug)]
enum Right {
    Element,
    Uniform,
    Constant,
}

/// One value of each operand, some constants of the type among them.
fn operands(kernel: &mut Builder, ty: Type, right: Right) -> Operands {
    kernel.push(Op::Constant(Constant::Bool(false)), Type::BOOL);
    let a = kernel.input("a", ty, 1);
    let inputs = [kernel.input("b", ty, 1), kernel.input("c", ty, 1), kernel.input("n", Type::U32, 1)];
    let uniforms = [kernel.uniform("ub", ty, &[]), kernel.uniform("uc", ty, &[]), kernel.uniform("un", Type::U32, &[])];
    let a = kernel.tap(a, 0, 0, 0);
    let types = [ty, ty, Type::U32];
    let constants = match ty {
        Type::F32 => [Constant::Float((-2.5f32).to_bits()), Constant::Float(0.1f32.to_bits()), Constant::Int(3)],
        Type::F64 => [Constant::Double((-2.5f64).to_bits()), Constant::Double(0.1f64.to_bits()), Constant::Int(3)],
        _ if ty.is_signed() => [Constant::Int(-7), Constant::Int(3), Constant::Int(3)],
        _ => [Constant::Int(7), Constant::Int(3), Constant::Int(3)],
    };
    let [b, c, n] = std::array::from_fn(|i| match right {
        Right::Element => kernel.tap(inputs[i], 0, 0, 0),
        Right::Uniform => kernel.push(Op::Uniform { uniform: uniforms[i], index: 0 }, types[i]),
        Right::Constant => kernel.push(Op::Constant(constants[i]), types[i]),
    });
    let divisor = if ty.is_float() { b } else { harmless(kernel, ty, a, b) };
    Operands { a, b, c, n, divisor }
}

/// `b`, or 1 where Rust's `a / b` would panic.
fn harmless(kernel: &mut Builder, ty: Type, a: ValueId, b: ValueId) -> ValueId {
    let (lo, _) = ty.limits();
    let [zero, one, least] = [0, 1, lo].map(|value| kernel.int(value, ty));
    let is_zero = kernel.push(Op::Binary(BinaryOp::Eq, b, zero), Type::BOOL);
    let mut harmful = is_zero;
    if lo < 0 {
        let minus_one = kernel.int(-1, ty);
        let is_least = kernel.push(Op::Binary(BinaryOp::Eq, a, least), Type::BOOL);
        let is_minus_one = kernel.push(Op::Binary(BinaryOp::Eq, b, minus_one), Type::BOOL);
        let overflows = kernel.push(Op::Binary(BinaryOp::And, is_least, is_minus_one), Type::BOOL);
        harmful = kernel.push(Op::Binary(BinaryOp::Or, is_zero, overflows), Type::BOOL);
    }
    kernel.push(Op::Select { condition: harmful, then: one, otherwise: b }, ty)
}

/// The operations of a type, each with the type of its result.
fn operations(ty: Type, o: &Operands) -> Vec<(Op, Type)> {
    let mut all = Vec::new();
    let unsigned = ty.unsigned();
    let signed = ty.is_signed();
    let binary = |op, to| (Op::Binary(op, o.a, o.b), to);
    let shift = |op| (Op::Binary(op, o.a, o.n), ty);
    let unary = |op, to| (Op::Unary(op, o.a), to);
    all.push((Op::Binary(BinaryOp::Div, o.a, o.divisor), ty));
    for op in [BinaryOp::Add(Never), BinaryOp::Sub(Never), BinaryOp::Mul(Never), BinaryOp::Min, BinaryOp::Max] {
        all.push(binary(op, ty));
        all.push((Op::Binary(op, o.b, o.a), ty));
    }
    if ty.is_float() {
        use UnaryOp::{Abs, Ceil, Floor, Neg, RoundTiesEven, Sqrt, Trunc};
        all.extend([Neg(Never), Abs(Never), Sqrt, Floor, Ceil, Trunc, RoundTiesEven].map(|op| unary(op, ty)));
        all.push(unary(UnaryOp::ToBits, Type::U32));
        all.push(unary(UnaryOp::ToHalf, Type::U32));
        if ty == Type::F32 {
            all.push((Op::MulAdd(o.a, o.b, o.c), ty));
        }
    } else {
        use BinaryOp::*;
        all.push(binary(AbsDiff, unsigned));
        all.push((Op::Binary(Rem, o.a, o.divisor), ty));
        all.extend([And, Or, Xor, Add(Wrap), Sub(Wrap), Mul(Wrap)].map(|op| binary(op, ty)));
        all.extend([Add(Saturate), Sub(Saturate), Mul(Saturate)].map(|op| binary(op, ty)));
        all.extend([HalvingAdd, RoundingHalvingAdd, MulHigh].map(|op| binary(op, ty)));
        all.extend([Shl(Never), Shr, RoundingShr, Shl(Wrap)].map(shift));
        all.push(unary(UnaryOp::Not, ty));
        all.push(unary(UnaryOp::CountOnes, Type::U32));
        all.push(unary(UnaryOp::LeadingZeros, Type::U32));
        all.push(unary(UnaryOp::TrailingZeros, Type::U32));
    }
    if signed {
        use UnaryOp::*;
        all.extend(
            [Neg(Never), Abs(Never), Neg(Wrap), Abs(Wrap), Neg(Saturate), Abs(Saturate), Signum]
                .map(|op| unary(op, ty)),
        );
        all.push(unary(UnsignedAbs, unsigned));
    } else if !ty.is_float() {
        all.push(unary(UnaryOp::Isqrt, ty));
    }
    if ty == Type::U32 {
        all.push(unary(UnaryOp::FromBits, Type::F32));
        all.push(unary(UnaryOp::FromHalf, Type::F32));
    }
    for to in ALL {
        for mode in [CastMode::Value, CastMode::Saturating, CastMode::Wrapping] {
            if mode != CastMode::Wrapping || (ty.is_integer() && to.is_integer()) {
                all.push((Op::Cast(mode, o.a), to));
            }
        }
    }
    all.retain(|(op, to)| match *op {
        Op::Unary(op, _) => legal::unary_on(Family::OpenCl, op, ty).is_some(),
        Op::Binary(op, ..) => legal::binary_on(Family::OpenCl, op, ty).is_some(),
        Op::Cast(mode, _) => legal::cast(mode, ty, *to),
        _ => true,
    });
    all
}

/// Comparisons, and what can be made of truth values: selects, logic, casts.
fn conditions(kernel: &mut Builder, ty: Type, o: &Operands) -> Vec<ValueId> {
    use BinaryOp::*;
    let mut all = Vec::new();
    let wide = kernel.input("w", Type::I32, 1);
    let wide = kernel.tap(wide, 0, 0, 0);
    let zero = kernel.int(0, Type::I32);
    let positive = kernel.push(Op::Binary(Gt, wide, zero), Type::BOOL);
    for op in [Eq, Ne, Lt, Le, Gt, Ge] {
        let test = kernel.push(Op::Binary(op, o.a, o.b), Type::BOOL);
        all.push(kernel.push(Op::Select { condition: test, then: o.a, otherwise: o.c }, ty));
        // Masks of different widths meet.
        let both = kernel.push(Op::Binary(op, test, positive), Type::BOOL);
        all.push(kernel.cast(CastMode::Value, both, Type::U8));
        all.push(kernel.push(Op::Select { condition: both, then: wide, otherwise: zero }, Type::I32));
    }
    let less = kernel.push(Op::Binary(Lt, o.b, o.c), Type::BOOL);
    for op in [And, Or, Xor] {
        let both = kernel.push(Op::Binary(op, positive, less), Type::BOOL);
        let not = kernel.push(Op::Unary(UnaryOp::Not, both), Type::BOOL);
        let chosen = kernel.push(Op::Select { condition: less, then: not, otherwise: positive }, Type::BOOL);
        all.push(kernel.push(Op::Select { condition: chosen, then: o.c, otherwise: o.a }, ty));
        all.push(kernel.cast(CastMode::Value, not, Type::I16));
    }
    if Types::SIGNED.contains(ty) {
        // Magnitudes that only the unsigned type holds, used on at once: a built-in that overflowed would show.
        let (unsigned, (_, most)) = (ty.unsigned(), ty.limits());
        let most = kernel.int(most, unsigned);
        for op in [Op::Unary(UnaryOp::UnsignedAbs, o.a), Op::Binary(AbsDiff, o.a, o.b)] {
            let magnitude = kernel.push(op, unsigned);
            let beyond = kernel.push(Op::Binary(Gt, magnitude, most), Type::BOOL);
            all.push(kernel.cast(CastMode::Value, beyond, Type::U8));
        }
    }
    if ty.is_float() {
        let nan = kernel.push(Op::Unary(UnaryOp::IsNan, o.a), Type::BOOL);
        all.push(kernel.cast(CastMode::Value, nan, Type::U32));
    }
    all
}

/// Rust would panic on some of these elements; a guard that never holds says that the results are unused. Its condition is the
/// body's first value.
fn guard_all(body: &mut Body) {
    body.guards.push(Guard { parent: None, condition: ValueId(0), polarity: true });
    for node in &mut body.nodes {
        node.guard = Some(GuardId(0));
    }
}

fn values_of(ty: Type, count: usize, seed: u64) -> Image {
    let mut random = Random(seed);
    Image::from_fn(ty, count, 1, 1, |_| random.value(ty))
}

/// All pairs of bytes, or random values with many extremes.
fn left_and_right(ty: Type, right: Right) -> [Image; 2] {
    if ty.bits() == 8 && matches!(right, Right::Element) {
        let (lo, _) = ty.limits();
        let of = |value: usize| Constant::Int(lo + value as i128);
        return [Image::from_fn(ty, 65_536, 1, 1, |i| of(i >> 8)), Image::from_fn(ty, 65_536, 1, 1, |i| of(i & 255))];
    }
    [values_of(ty, 4_000, 1), values_of(ty, 4_000, 2)]
}

/// Runs the kernel's values, a few outputs at a time, in every block.
fn check(mut kernel: Kernel, right: Right, values: &[ValueId], images: &[Image], uniforms: &[Vec<Constant>]) {
    let mut body = kernel.bodies[0].clone();
    guard_all(&mut body);
    let expected: Vec<_> = (0..images[0].width as i32)
        .map(|x| {
            let border = border::BorderMode::Undefined;
            let here = Here { images, constants: &[], uniforms, tables: &[], border, x, y: 0 };
            interpret::values(&body, &here).expect("nothing is looked at")
        })
        .collect();
    for block in blocks(right) {
        kernel.schedule.opencl = vec![Block { x: block.0, y: block.1 }];
        for (group, values) in values.chunks(GROUP).enumerate() {
            let mut builder = Builder { kernel: kernel.clone() };
            builder.kernel.name = format!("{}_{group}_by_{}", kernel.name, block.0);
            for (index, &value) in values.iter().enumerate() {
                builder.output(&format!("out{index}"), &[value]);
            }
            run(&builder.kernel, right, values, images, uniforms, &expected);
        }
    }
}

fn run(
    kernel: &Kernel,
    right: Right,
    values: &[ValueId],
    images: &[Image],
    uniforms: &[Vec<Constant>],
    expected: &[Vec<Option<Constant>>],
) {
    let text = super::kernels::emit_raw(kernel);
    let planes: Vec<Plane> = images.iter().map(Image::plane).collect();
    let inputs: Vec<_> = planes.iter().map(|plane| (plane, None)).collect();
    let words: Vec<u32> = uniforms.iter().flatten().map(|&value| images::word(value)).collect();
    let width = images[0].width;
    let mut outputs: Vec<Plane> = kernel.outputs.iter().map(|output| images::blank(output.ty, width, 1, 1)).collect();
    let call = Call {
        entry: &text.entries[0].name,
        block: text.entries[0].block,
        group: None,
        inputs: &inputs,
        tables: &[],
        words: &words,
        window: [0, 0, width as i32, 1],
        border: None,
    };
    // A driver has the most to decide where it knows an operand.
    let is_optimised = is_full() || matches!(right, Right::Constant);
    let build = if is_optimised { device::build } else { device::build_unoptimised };
    if !build(&text.source).run(&call, &mut outputs) {
        return;
    }
    for (x, expected) in expected.iter().enumerate() {
        for (&value, (plane, output)) in values.iter().zip(outputs.iter().zip(&kernel.outputs)) {
            let Some(wanted) = expected[value.0 as usize] else { continue };
            let found = images::element(plane, output.ty, x, 0);
            let op = &kernel.bodies[0].node(value).op;
            let is_same = images::same(found, wanted)
                || matches!(op, Op::Unary(UnaryOp::ToHalf, _)) && both_are_nan(found, wanted);
            assert!(
                is_same,
                "{}: {op:?} gives {found:?}, not {wanted:?}; operands {:?}\n{}",
                kernel.name,
                operand_values(op, expected),
                super::syntax::kept(&kernel.name, &text.source)
            );
        }
    }
}

fn operand_values(op: &Op, values: &[Option<Constant>]) -> Vec<Option<Constant>> {
    op.operands().iter().map(|id| values[id.0 as usize]).collect()
}

/// Runs every operation of a type with its right operands in one form.
fn check_type(ty: Type, right: Right) {
    let mut kernel = Builder::new(&format!("{ty:?}_{right:?}").to_lowercase());
    let o = operands(&mut kernel, ty, right);
    let mut values: Vec<ValueId> = Vec::new();
    for (op, to) in operations(ty, &o) {
        values.push(kernel.push(op, to));
    }
    values.extend(conditions(&mut kernel, ty, &o));
    let [a, b] = left_and_right(ty, right);
    let count = a.width;
    let width = ty.bits() as u64;
    let mut random = Random(3);
    let amounts = Image::from_fn(Type::U32, count, 1, 1, |_| Constant::Int((random.next() % width) as i128));
    let images = [a, b, values_of(ty, count, 4), amounts, values_of(Type::I32, count, 5)];
    let mut random = Random(6);
    for _ in 0..2 {
        let amount = Constant::Int((random.next() % width) as i128);
        let uniforms = [vec![random.value(ty)], vec![random.value(ty)], vec![amount]];
        check(kernel.kernel.clone(), right, &values, &images, &uniforms);
        if !matches!(right, Right::Uniform) {
            break;
        }
    }
}

macro_rules! operations {
    ($($name:ident: $ty:ident, $right:ident;)*) => {$(
        #[test]
        fn $name() {
            check_type(Type::$ty, Right::$right);
        }
    )*};
}

operations! {
    u8_operations: U8, Element;
    i8_operations: I8, Element;
    u16_operations: U16, Element;
    i16_operations: I16, Element;
    u32_operations: U32, Element;
    i32_operations: I32, Element;
    f32_operations: F32, Element;
    u64_operations: U64, Element;
    i64_operations: I64, Element;
    f64_operations: F64, Element;
    u8_with_uniforms: U8, Uniform;
    i16_with_uniforms: I16, Uniform;
    i32_with_uniforms: I32, Uniform;
    f32_with_uniforms: F32, Uniform;
    u8_with_constants: U8, Constant;
    i8_with_constants: I8, Constant;
    u16_with_constants: U16, Constant;
    i16_with_constants: I16, Constant;
    u32_with_constants: U32, Constant;
    i32_with_constants: I32, Constant;
    f32_with_constants: F32, Constant;
    u64_with_constants: U64, Constant;
    i64_with_constants: I64, Constant;
    f64_with_constants: F64, Constant;
}

/// Whether these are the bits of binary16s that are no numbers: their payload is the device's.
fn both_are_nan(found: Constant, wanted: Constant) -> bool {
    [found, wanted].iter().all(|bits| matches!(bits, Constant::Int(bits) if bits & 0x7fff > 0x7c00))
}
