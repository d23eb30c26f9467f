//! The kernels that are run: one for each operation and type, and what the shapes of memory ask for.

use crate::make::{ELEMENTS, INTEGERS, Make, Subject, TYPES};
use windrow_dsl::ir::Overflow::{Never, Saturate, Wrap};
use windrow_dsl::ir::*;

/// Whether a type has operations.
type Has<'a> = &'a dyn Fn(Type) -> bool;

/// Every operation on one value, for every type that has it.
pub fn unary() -> Vec<Subject> {
    use UnaryOp::*;
    let mut all = Vec::new();
    let signed = |ty: Type| ty.is_signed();
    let rows: [(&[UnaryOp], Has<'_>); 4] = [
        (&[Neg(Never), Abs(Never), Abs(Wrap), UnsignedAbs, Neg(Saturate), Abs(Saturate), Signum], &signed),
        (&[Neg(Wrap), Not, CountOnes, LeadingZeros, TrailingZeros, FromBits, FromHalf], &Type::is_integer),
        (&[Isqrt], &|ty| !ty.is_signed()),
        (&[Neg(Never), Abs(Never), Sqrt, Floor, Ceil, Trunc, RoundTiesEven, IsNan, ToBits, ToHalf], &Type::is_float),
    ];
    for (ops, has) in rows {
        let types = ELEMENTS.into_iter().filter(|&ty| has(ty));
        for (ty, &op) in types.flat_map(|ty| ops.iter().map(move |op| (ty, op))) {
            if legal::unary(op, ty).is_none() {
                continue;
            }
            let mut m = Make::new();
            let a = m.input(ty);
            let value = m.unary(op, a);
            let mut subject = m.finish(format!("{op:?} {ty:?}"), value);
            subject.pairs = ty.bits() == 8;
            all.push(subject);
        }
    }
    all
}

const BINARY: [BinaryOp; 31] = {
    use BinaryOp::*;
    [
        Add(Never),
        Sub(Never),
        Mul(Never),
        Div,
        Rem,
        Shl(Never),
        Shr,
        And,
        Or,
        Xor,
        Min,
        Max,
        AbsDiff,
        Add(Wrap),
        Sub(Wrap),
        Mul(Wrap),
        Add(Saturate),
        Sub(Saturate),
        Mul(Saturate),
        HalvingAdd,
        RoundingHalvingAdd,
        MulHigh,
        RoundingShr,
        Shl(Wrap),
        Eq,
        Ne,
        Lt,
        Le,
        Gt,
        Ge,
        Xor,
    ]
};

const FLOAT: [BinaryOp; 12] = {
    use BinaryOp::*;
    [Add(Never), Sub(Never), Mul(Never), Div, Min, Max, Eq, Ne, Lt, Le, Gt, Ge]
};

fn is_shift(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Shl(_) | BinaryOp::Shr | BinaryOp::RoundingShr)
}

/// Every operation on two values: of two elements, an element and a constant, an element and a uniform.
pub fn binary() -> Vec<Subject> {
    let mut all = Vec::new();
    for ty in ELEMENTS {
        let ops: &[BinaryOp] = if ty.is_float() { &FLOAT } else { &BINARY };
        for &op in ops.iter().filter(|&&op| legal::binary(op, ty).is_some()) {
            all.push(of_elements(op, ty));
            for value in constants(op, ty) {
                let mut m = Make::new();
                let a = m.input(ty);
                let right = if is_shift(op) { Type::U32 } else { ty };
                let c = m.constant(right, value);
                let result = m.binary(op, a, c);
                all.push(m.finish(format!("{op:?} {ty:?} {value}"), result));
                // A word differs from a constant where it is decomposed or made quiet.
                let is_special = is_shift(op) || matches!(op, BinaryOp::Div | BinaryOp::Rem) || ty.is_float();
                if !is_special || !is_shift(op) && !legal::UNIFORMS.everywhere(ty) {
                    continue;
                }
                let mut m = Make::new();
                let a = m.input(ty);
                let c = m.uniform(right, value);
                let result = m.binary(op, a, c);
                all.push(m.finish(format!("{op:?} {ty:?} uniform {value}"), result));
            }
        }
    }
    all
}

/// Those of two elements alone.
pub fn elements() -> Vec<Subject> {
    let floats = FLOAT.iter().map(|&op| (op, Type::F32));
    let integers = INTEGERS.iter().flat_map(|&ty| BINARY.iter().map(move |&op| (op, ty)));
    let integers = integers.filter(|&(op, ty)| legal::binary(op, ty).is_some());
    integers.chain(floats).map(|(op, ty)| of_elements(op, ty)).collect()
}

/// An operation on two elements; a divisor is never one on which Rust would panic.
pub fn of_elements(op: BinaryOp, ty: Type) -> Subject {
    let mut m = Make::new();
    let (a, mut b) = (m.input(ty), m.input(ty));
    if is_shift(op) {
        let wide = m.cast(CastMode::Wrapping, Type::U32, b);
        let mask = m.constant(Type::U32, i128::from(ty.bits()) - 1);
        b = m.binary(BinaryOp::And, wide, mask);
    } else if !ty.is_float() && matches!(op, BinaryOp::Div | BinaryOp::Rem) {
        for harmful in [0, -1] {
            if harmful < 0 && !ty.is_signed() {
                continue;
            }
            let (harmful, three) = (m.constant(ty, harmful), m.constant(ty, 3));
            let is_harmful = m.binary(BinaryOp::Eq, b, harmful);
            b = m.select(is_harmful, three, b);
        }
    }
    let value = m.binary(op, a, b);
    let mut subject = m.finish(format!("{op:?} {ty:?}"), value);
    subject.pairs = ty.bits() == 8;
    subject
}

fn constants(op: BinaryOp, ty: Type) -> Vec<i128> {
    let width = i128::from(ty.bits());
    if ty.is_float() {
        let floats = [0.0f32, -0.0, 1.0, -1.5, 0.25, 3.0, f32::INFINITY];
        let bits = |float: f32| if ty == Type::F64 { f64::from(float).to_bits() } else { float.to_bits().into() };
        return floats.into_iter().map(|float| bits(float).into()).collect();
    }
    if is_shift(op) {
        return vec![0, 1, width / 2, width - 1];
    }
    if matches!(op, BinaryOp::Div | BinaryOp::Rem) {
        let plain = [1, 2, 3, 7, 10, 64, 100, 255, 641, 32767, 65537].into_iter();
        return plain.filter(|&c| windrow_dsl::arithmetic::fits(c, ty)).chain(ty.is_signed().then_some(-5)).collect();
    }
    if op == BinaryOp::MulHigh {
        let all = [0, 5, 100, -3, -128, 7282, -32768, 65534, 1 << 30, i128::from(i32::MIN)];
        return all.into_iter().filter(|&c| windrow_dsl::arithmetic::fits(c, ty)).collect();
    }
    if matches!(op, BinaryOp::Add(Never) | BinaryOp::Mul(Never) | BinaryOp::Min | BinaryOp::Lt | BinaryOp::AbsDiff) {
        return if ty.is_signed() { vec![0, 5, -3] } else { vec![0, 5, 100] };
    }
    Vec::new()
}

/// Every conversion in every mode.
pub fn casts() -> Vec<Subject> {
    let mut all = Vec::new();
    for mode in [CastMode::Value, CastMode::Wrapping, CastMode::Saturating] {
        for from in ELEMENTS {
            for to in ELEMENTS {
                if from == to || !legal::cast(mode, from, to) {
                    continue;
                }
                let mut m = Make::new();
                let mut a = m.input(from);
                if mode == CastMode::Value && from.is_integer() && to.is_integer() {
                    a = within(&mut m, a, to);
                }
                let value = m.cast(mode, to, a);
                all.push(m.finish(format!("{mode:?} {from:?} to {to:?}"), value));
            }
        }
    }
    all
}

/// A value brought into the range of a type, as a proof would have found it.
fn within(m: &mut Make, a: ValueId, to: Type) -> ValueId {
    let from = m.ty(a);
    let ((lo, hi), (least, most)) = (from.limits(), to.limits());
    let (lo, hi) = (m.constant(from, lo.max(least)), m.constant(from, hi.min(most)));
    let raised = m.binary(BinaryOp::Max, a, lo);
    m.binary(BinaryOp::Min, raised, hi)
}

/// Sides of a choice: no bits, all bits, or an element's.
const SAME_BITS: [(Option<i128>, Option<i128>); 6] =
    [(Some(0), Some(-1)), (Some(-1), Some(0)), (None, Some(0)), (Some(0), None), (Some(-1), None), (None, Some(-1))];

/// Truth values between operands of different widths.
pub fn truths() -> Vec<Subject> {
    let mut all = Vec::new();
    for compared in ELEMENTS {
        for chosen in ELEMENTS {
            let mut m = Make::new();
            let (a, b, c) = (m.input(compared), m.input(compared), m.input(chosen));
            let less = m.binary(BinaryOp::Lt, a, b);
            let d = m.constant(chosen, 3);
            let value = m.select(less, c, d);
            all.push(m.finish(format!("select {compared:?} {chosen:?}"), value));
        }
        for (then, otherwise) in SAME_BITS {
            let name = format!("select by {compared:?} of {then:?} and {otherwise:?}");
            let mut m = Make::new();
            let (a, b, c) = (m.input(compared), m.input(compared), m.input(Type::I16));
            // Many are equal.
            let b = m.binary(BinaryOp::Max, a, b);
            let less = m.binary(BinaryOp::Lt, a, b);
            let [then, otherwise] = [then, otherwise].map(|side| side.map_or(c, |bits| m.constant(Type::I16, bits)));
            let value = m.select(less, then, otherwise);
            all.push(m.finish(name, value));
        }
        let mut m = Make::new();
        let (a, b) = (m.input(compared), m.input(compared));
        let less = m.binary(BinaryOp::Le, a, b);
        let float = if compared == Type::F64 { Type::F64 } else { Type::F32 };
        let value = m.cast(CastMode::Value, float, less);
        all.push(m.finish(format!("truth of {compared:?} as {float:?}"), value));
    }
    for op in [
        BinaryOp::And,
        BinaryOp::Or,
        BinaryOp::Xor,
        BinaryOp::Eq,
        BinaryOp::Ne,
        BinaryOp::Lt,
        BinaryOp::Le,
        BinaryOp::Gt,
        BinaryOp::Ge,
    ] {
        let mut m = Make::new();
        let (a, b, level) = (m.input(Type::U8), m.input(Type::I32), m.uniform(Type::U8, 128));
        let zero = m.constant(Type::I32, 0);
        let (p, q) = (m.binary(BinaryOp::Lt, a, level), m.binary(BinaryOp::Gt, b, zero));
        let both = m.binary(op, p, q);
        let not = m.unary(UnaryOp::Not, both);
        let nested = m.select(not, p, q);
        let (both, nested) = (m.cast(CastMode::Value, Type::U16, both), m.cast(CastMode::Value, Type::U16, nested));
        all.push(m.pixel(format!("{op:?} of truths"), &[both, nested]));
    }
    all
}

/// Multiply-add, tables, coordinates, uniforms computed once.
pub fn others() -> Vec<Subject> {
    let mut all = Vec::new();
    let mut m = Make::new();
    let (a, b, c) = (m.input(Type::F32), m.input(Type::F32), m.input(Type::F32));
    let value = m.op(Op::MulAdd(a, b, c), Type::F32);
    all.push(m.finish("mul_add", value));
    for op in [BinaryOp::Min, BinaryOp::Max] {
        let mut m = Make::new();
        let (a, b, c) = (m.input(Type::F32), m.input(Type::F32), m.uniform(Type::F32, 0x3f00_0000));
        let sum = m.binary(BinaryOp::Add(Never), a, b);
        let (first, second) = (m.binary(op, sum, c), m.binary(op, a, sum));
        let value = m.binary(op, first, second);
        all.push(m.finish(format!("{op:?} chain"), value));
    }
    for (entry, length, index) in [
        (Type::U8, 256, Type::U8),
        (Type::I8, 256, Type::U8),
        (Type::U8, 16, Type::U8),
        (Type::U8, 100, Type::U16),
        (Type::U8, 200, Type::I32),
        (Type::I8, 130, Type::I8),
        (Type::U8, 1000, Type::U16),
        (Type::U16, 256, Type::U8),
        (Type::I16, 65536, Type::U16),
        (Type::F32, 100, Type::I16),
        (Type::U32, 37, Type::U32),
        (Type::F64, 70, Type::U8),
    ] {
        let mut m = Make::new();
        let a = m.input(index);
        let table = m.table(entry, length);
        let value = m.op(Op::Lookup { table, index: a }, entry);
        all.push(m.finish(format!("table of {length} {entry:?} by {index:?}"), value));
    }
    for ty in [Type::U8, Type::I32] {
        let mut m = Make::new();
        let a = m.input(ty);
        let x = m.op(Op::Coordinate { axis: AxisId::X, offset: 0 }, Type::I32);
        let y = m.op(Op::Coordinate { axis: AxisId::Y, offset: 0 }, Type::I32);
        let three = m.constant(Type::I32, 3);
        let y = m.binary(BinaryOp::Mul(Wrap), y, three);
        let sum = m.binary(BinaryOp::Add(Wrap), x, y);
        let sum = m.cast(CastMode::Wrapping, ty, sum);
        let value = m.binary(BinaryOp::Xor, a, sum);
        all.push(m.finish(format!("coordinates {ty:?}"), value));
    }
    let mut m = Make::new();
    let (a, level, bias) = (m.input(Type::U8), m.uniform(Type::U8, 200), m.uniform(Type::U8, 30));
    let sum = m.binary(BinaryOp::Add(Saturate), level, bias);
    let is_high = m.binary(BinaryOp::Gt, level, bias);
    let difference = m.binary(BinaryOp::AbsDiff, a, sum);
    let value = m.select(is_high, difference, a);
    all.push(m.finish("derived words", value));
    all
}

/// Pixels and strides of every kind that memory is read in.
pub fn memory() -> Vec<Subject> {
    let mut all = Vec::new();
    let around = Neighbourhood { left: -1, right: 1, top: -1, bottom: 1 };
    for ty in [Type::U8, Type::I16, Type::F32, Type::U64, Type::I64, Type::F64] {
        for channels in 1..=4 {
            for stride in 1..=5 {
                for neighbourhood in [Neighbourhood::default(), around] {
                    let mut m = Make::new();
                    let image = m.image(ty, channels, (stride, stride.min(2)), neighbourhood);
                    let mut value = m.tap(image, 0, neighbourhood.left, neighbourhood.top);
                    for channel in 0..channels {
                        for (dx, dy) in [(0, 0), (neighbourhood.right, neighbourhood.bottom), (0, neighbourhood.top)] {
                            let tap = m.tap(image, channel, dx, dy);
                            let op = if ty.is_float() { BinaryOp::Add(Never) } else { BinaryOp::Add(Wrap) };
                            value = m.binary(op, value, tap);
                        }
                    }
                    let name = format!("{channels} channels of {ty:?} at stride {stride}, {}", neighbourhood.right);
                    let mut subject = m.finish(name, value);
                    if stride < 3 {
                        subject.block = Some(Block { x: 2, y: 2 });
                    }
                    all.push(subject);
                }
            }
        }
        for channels in 2..=4 {
            let mut m = Make::new();
            let image = m.image(ty, channels, (1, 1), Neighbourhood::default());
            let values: Vec<ValueId> = (0..channels).rev().map(|channel| m.tap(image, channel, 0, 0)).collect();
            all.push(m.pixel(format!("{channels} channels of {ty:?} reversed"), &values));
        }
    }
    all
}

/// A kernel of each elementary function, and two of several.
pub fn functions() -> Vec<Subject> {
    let source = "
        #[kernel] pub fn exp(x: f32) -> f32 { x.exp() }
        #[kernel] pub fn exp2(x: f32) -> f32 { x.exp2() }
        #[kernel] pub fn ln(x: f32) -> f32 { x.ln() }
        #[kernel] pub fn log2(x: f32) -> f32 { x.log2() }
        #[kernel] pub fn tanh(x: f32) -> f32 { x.tanh() }
        #[kernel] pub fn sigmoid(x: f32) -> f32 { x.sigmoid() }
        #[kernel] pub fn erf(x: f32) -> f32 { x.erf() }
        #[kernel] pub fn sin(x: f32) -> f32 { x.sin() }
        #[kernel] pub fn cos(x: f32) -> f32 { x.cos() }
        #[kernel] pub fn atan(x: f32) -> f32 { x.atan() }
        #[kernel] pub fn rsqrt(x: f32) -> f32 { x.rsqrt() }
        #[kernel] pub fn atan2(y: f32, x: f32) -> f32 { y.atan2(x) }
        #[kernel] pub fn powf(x: f32, y: f32) -> f32 { x.powf(y) }
        #[kernel] pub fn numbers(x: f32, y: f32) -> f32 { if !x.is_nan() && !y.is_nan() { x } else { 0.5 } }
        #[kernel] pub fn turn(x: f32, y: f32, #[uniform] angle: f32) -> f32 { x * angle.cos() + y * angle.sin() }
        #[kernel] pub fn byte(x: f32) -> u8 { (x.sigmoid() * 255.0) as i32 as u8 }";
    let compiled = windrow_dsl::compile_file(source);
    assert!(compiled.errors.is_empty(), "{}", compiled.errors[0].text());
    let subject = |kernel: Kernel| {
        let uniforms = kernel.uniforms.iter().map(|_| Constant::Float(0x3f00_0000)).collect();
        Subject { name: kernel.name.clone(), kernel, uniforms, pairs: false, block: None }
    };
    compiled.kernels.into_iter().map(|kernel| subject(kernel.kernel)).collect()
}

/// The kernels of elements of 64 bits, as an author writes them: the facade's tests run them on this machine alone.
pub fn long() -> Vec<Subject> {
    let compiled = windrow_dsl::compile_file(include_str!("../../../tests/facade/long.rs"));
    let kernels = compiled.kernels.into_iter().map(|kernel| kernel.kernel);
    let subject = |kernel: Kernel| {
        let uniforms = kernel.uniforms.iter().map(|_| Constant::Int(13)).collect();
        Subject { name: kernel.name.clone(), kernel, uniforms, pairs: false, block: None }
    };
    kernels.map(subject).collect()
}

/// Inputs that are read anywhere, of every type that may be: at places of the element's own, and at those that others say,
/// inside and outside.
pub fn whole() -> Vec<Subject> {
    let mut source = String::new();
    for ty in TYPES.map(Type::name) {
        source.push_str(&format!(
            "#[kernel] pub fn far_{ty}(src: View<{ty}>, row: i8, column: i8) -> {ty} {{
                 src.get([row as i32 % 9 - 2, column as i32 % 10 - 1]).unwrap_or(9 as {ty}) }}
             #[kernel] pub fn turned_{ty}([y, x]: At<2>, src: View<[{ty}; 2]>) -> [{ty}; 2] {{
                 src.get([x, y]).map_or([1 as {ty}; 2], |[a, b]| [b, a]) }}",
        ));
    }
    source.push_str(
        "#[kernel] pub fn clamped([y, x]: At<2>, a: View<u8>, b: View<[i16; 3]>, c: u8) -> (i32, u8) {
             let [height, width] = a.extents();
             let near = |dy: i32, dx: i32| a.get([(y + dy).clamp(0, height - 1), (x + dx).min(width - 1)]).unwrap_or(c);
             let [_, green, _] = b.get([c as i32 / 50, c as i32 % 7]).unwrap_or([0; 3]);
             let sum = near(-1, 0) as i32 + near(1, 1) as i32 - green as i32;
             (sum, if let Some(own) = a.get([y, x]) { own / 2 } else { 255 }) }
         #[kernel] pub fn words(a: View<f32>, #[uniform] row: f32, c: f32) -> f32 {
             let [height, width] = a.extents();
             let fixed = a.get([row as i32, height - 3]).unwrap_or(0.5);
             if a.get([c as i32, width - 1]).is_none() { fixed } else { c * (height / 2 + width / 2) as f32 } }
         #[kernel] pub fn volume([n, z, y, x]: At<4>, src: View<[u8; 2], 4>, far: View<i16, 6>, c: i8) -> (i16, [u8; 2]) {
             let [batch, depth, height, width] = src.extents();
             let own = src.get([n, z, x, y]).map_or([3, 7], |[a, b]| [b, a]);
             let near = src[[n.min(batch - 1), (z + 1).clamp(0, depth - 1), y.min(height - 1), x.min(width - 1)]];
             let place = [c as i32 & 1, 0, n, c as i32 % 4, y - 1, x % 9];
             (far.get(place).unwrap_or(-5), [own[0] ^ near[1], own[1].wrapping_add(near[0])]) }
         #[kernel] pub fn along([x]: At<1>, bias: View<f32, 1>, row: View<i32, 1>, c: u8) -> (f32, i32) {
             let [length] = bias.extents();
             let [width] = row.extents();
             (bias[[x.min(length - 1)]], row.get([c as i32 % 9 - 1]).unwrap_or(width)) }
         #[kernel] pub fn outer([f, e, d, c, b, a]: At<6>, src: i32) -> i32 {
             (src & 1023) + a % 7 + b % 11 * 3 + c % 10 * 5 + d % 10 * 7 + e % 10 * 11 + f % 10 * 13 }",
    );
    let compiled = windrow_dsl::compile_file(&source);
    assert!(compiled.errors.is_empty(), "{}", compiled.errors[0].text());
    let subject = |kernel: Kernel| {
        let uniforms = kernel.uniforms.iter().map(|_| Constant::Float(0x4000_0000)).collect();
        Subject { name: kernel.name.clone(), kernel, uniforms, pairs: false, block: None }
    };
    compiled.kernels.into_iter().map(|kernel| subject(kernel.kernel)).collect()
}
