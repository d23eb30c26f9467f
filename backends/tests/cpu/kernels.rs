//! Kernels made by hand: one for each operation and type, and what the shapes of memory ask for.

use proc_macro2::Span;
use windrow_dsl::arithmetic::{bits, is_signed, unsigned};
use windrow_dsl::ir::*;

/// A kernel to run: its arguments' values beside it.
#[derive(Clone)]
pub struct Subject {
    pub name: String,
    pub kernel: Kernel,
    pub uniforms: Vec<Constant>,
    /// Inputs of 8 bits count through all pairs.
    pub pairs: bool,
    /// Vectors and rows; the cost model's where there is none.
    pub block: Option<Block>,
}

pub const INTEGERS: [Type; 6] = [Type::U8, Type::I8, Type::U16, Type::I16, Type::U32, Type::I32];
pub const TYPES: [Type; 7] = [Type::U8, Type::I8, Type::U16, Type::I16, Type::U32, Type::I32, Type::F32];

/// A body in the making.
pub struct Make {
    nodes: Vec<Node>,
    kernel: Kernel,
    uniforms: Vec<Constant>,
}

impl Make {
    pub fn new() -> Self {
        Self { nodes: Vec::new(), kernel: empty(), uniforms: Vec::new() }
    }

    pub fn op(&mut self, op: Op, ty: Type) -> ValueId {
        self.nodes.push(Node { op, ty, guard: None, name: None, span: Span::call_site() });
        ValueId(self.nodes.len() as u32 - 1)
    }

    pub fn ty(&self, id: ValueId) -> Type {
        self.nodes[id.0 as usize].ty
    }

    /// A new input, and its element.
    pub fn input(&mut self, ty: Type) -> ValueId {
        let input = self.image(ty, 1, (1, 1), Neighbourhood::default());
        self.tap(input, 0, 0, 0)
    }

    pub fn image(&mut self, ty: Type, channels: u32, stride: (u32, u32), neighbourhood: Neighbourhood) -> InputId {
        let index = self.kernel.inputs.len() as u32;
        self.kernel.inputs.push(Input {
            name: ["a", "b", "c", "d"][index as usize].to_owned(),
            ty,
            channels,
            neighbourhood,
            stride,
            inout: None,
            is_neighbourhood: neighbourhood != Neighbourhood::default(),
            span: Span::call_site(),
        });
        InputId(index)
    }

    pub fn tap(&mut self, input: InputId, channel: u32, dx: i32, dy: i32) -> ValueId {
        let ty = self.kernel.inputs[input.0 as usize].ty;
        self.op(Op::Input { input, channel, dx, dy }, ty)
    }

    pub fn uniform(&mut self, ty: Type, value: i64) -> ValueId {
        let constant = if ty == Type::F32 { Constant::Float(value as u32) } else { Constant::Int(value) };
        let uniform = UniformId(self.kernel.uniforms.len() as u32);
        self.kernel.uniforms.push(Uniform {
            name: ["level", "scale", "shift", "bias"][uniform.0 as usize].to_owned(),
            ty,
            is_usize: false,
            dims: Vec::new(),
            bounds: None,
            sum_of_magnitudes: None,
            span: Span::call_site(),
        });
        self.uniforms.push(constant);
        self.op(Op::Uniform { uniform, index: 0 }, ty)
    }

    pub fn table(&mut self, ty: Type, length: u32) -> TableId {
        self.kernel.tables.push(Table { name: "lut".to_owned(), ty, length, span: Span::call_site() });
        TableId(self.kernel.tables.len() as u32 - 1)
    }

    pub fn constant(&mut self, ty: Type, value: i64) -> ValueId {
        let constant = if ty == Type::F32 { Constant::Float(value as u32) } else { Constant::Int(value) };
        self.op(Op::Constant(constant), ty)
    }

    pub fn binary(&mut self, op: BinaryOp, a: ValueId, b: ValueId) -> ValueId {
        let ty = match op {
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => Type::Bool,
            BinaryOp::AbsDiff => unsigned(self.ty(a)),
            _ => self.ty(a),
        };
        self.op(Op::Binary(op, a, b), ty)
    }

    pub fn unary(&mut self, op: UnaryOp, a: ValueId) -> ValueId {
        let ty = match op {
            UnaryOp::UnsignedAbs => unsigned(self.ty(a)),
            UnaryOp::CountOnes | UnaryOp::LeadingZeros | UnaryOp::TrailingZeros | UnaryOp::ToBits => Type::U32,
            UnaryOp::IsNan => Type::Bool,
            UnaryOp::FromBits => Type::F32,
            _ => self.ty(a),
        };
        self.op(Op::Unary(op, a), ty)
    }

    pub fn cast(&mut self, mode: CastMode, ty: Type, a: ValueId) -> ValueId {
        if self.ty(a) == ty { a } else { self.op(Op::Cast(mode, a), ty) }
    }

    pub fn select(&mut self, condition: ValueId, then: ValueId, otherwise: ValueId) -> ValueId {
        self.op(Op::Select { condition, then, otherwise }, self.ty(then))
    }

    /// The kernel that writes these values as the channels of one pixel.
    pub fn pixel(mut self, name: impl Into<String>, values: &[ValueId]) -> Subject {
        let values: Vec<ValueId> = values
            .iter()
            .map(
                |&value| if self.ty(value) == Type::Bool { self.cast(CastMode::Value, Type::U8, value) } else { value },
            )
            .collect();
        let ty = self.ty(values[0]);
        self.kernel.outputs.push(Output { name: "out".to_owned(), ty, channels: values.len() as u32, optional: false });
        let store = |(channel, &value): (usize, &ValueId)| Store {
            output: OutputId(0),
            channel: channel as u32,
            dx: 0,
            dy: 0,
            value,
        };
        let stores = values.iter().enumerate().map(store).collect();
        let body = Body { choice: Vec::new(), nodes: self.nodes, guards: Vec::new(), obligations: Vec::new(), stores };
        self.kernel.bodies.push(body);
        Subject { name: name.into(), kernel: self.kernel, uniforms: self.uniforms, pairs: false, block: None }
    }

    pub fn finish(self, name: impl Into<String>, value: ValueId) -> Subject {
        self.pixel(name, &[value])
    }
}

fn empty() -> Kernel {
    Kernel {
        name: "kernel".to_owned(),
        function: "kernel".to_owned(),
        type_parameter: None,
        docs: Vec::new(),
        parameters: Vec::new(),
        inputs: Vec::new(),
        uniforms: Vec::new(),
        tables: Vec::new(),
        variants: Vec::new(),
        outputs: Vec::new(),
        step: Block { x: 16, y: 1 },
        schedule: Schedule::default(),
        borders: Vec::new(),
        requires: Vec::new(),
        fast: false,
        deny_scalar: false,
        bodies: Vec::new(),
        span: Span::call_site(),
    }
}

/// Every operation on one value, for every type that has it.
pub fn unary() -> Vec<Subject> {
    use UnaryOp::*;
    let mut all = Vec::new();
    let signed: &[Type] = &[Type::I8, Type::I16, Type::I32];
    let plain: &[Type] = &[Type::U8, Type::U16, Type::U32];
    let rows: [(&[UnaryOp], &[Type]); 6] = [
        (&[Neg, Abs, WrappingAbs, UnsignedAbs, SaturatingNeg, SaturatingAbs, Signum], signed),
        (&[WrappingNeg, Not, CountOnes, LeadingZeros, TrailingZeros], &INTEGERS),
        (&[Isqrt], plain),
        (&[Neg, Abs, Sqrt, Floor, Ceil, Trunc, RoundTiesEven, IsNan, ToBits], &[Type::F32]),
        (&[FromBits], &[Type::U32]),
        (&[], &[]),
    ];
    for (ops, types) in rows {
        for (&op, &ty) in ops.iter().flat_map(|op| types.iter().map(move |ty| (op, ty))) {
            let mut m = Make::new();
            let a = m.input(ty);
            let value = m.unary(op, a);
            let mut subject = m.finish(format!("{op:?} {ty:?}"), value);
            subject.pairs = bits(ty) == 8;
            all.push(subject);
        }
    }
    all
}

const BINARY: [BinaryOp; 31] = {
    use BinaryOp::*;
    [
        Add,
        Sub,
        Mul,
        Div,
        Rem,
        Shl,
        Shr,
        And,
        Or,
        Xor,
        Min,
        Max,
        AbsDiff,
        WrappingAdd,
        WrappingSub,
        WrappingMul,
        SaturatingAdd,
        SaturatingSub,
        SaturatingMul,
        HalvingAdd,
        RoundingHalvingAdd,
        MulHigh,
        RoundingShr,
        WrappingShl,
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
    [Add, Sub, Mul, Div, Min, Max, Eq, Ne, Lt, Le, Gt, Ge]
};

fn is_shift(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Shl | BinaryOp::Shr | BinaryOp::RoundingShr | BinaryOp::WrappingShl)
}

/// Every operation on two values: of two elements, an element and a constant, an element and a uniform.
pub fn binary() -> Vec<Subject> {
    let mut all = Vec::new();
    for ty in TYPES {
        let ops: &[BinaryOp] = if ty == Type::F32 { &FLOAT } else { &BINARY };
        for &op in ops {
            all.push(of_elements(op, ty));
            for value in constants(op, ty) {
                let mut m = Make::new();
                let a = m.input(ty);
                let right = if is_shift(op) { Type::U32 } else { ty };
                let c = m.constant(right, value);
                let result = m.binary(op, a, c);
                all.push(m.finish(format!("{op:?} {ty:?} {value}"), result));
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
    integers.chain(floats).map(|(op, ty)| of_elements(op, ty)).collect()
}

fn of_elements(op: BinaryOp, ty: Type) -> Subject {
    let mut m = Make::new();
    let (a, mut b) = (m.input(ty), m.input(ty));
    if is_shift(op) {
        let wide = m.cast(CastMode::Wrapping, Type::U32, b);
        let mask = m.constant(Type::U32, i64::from(bits(ty)) - 1);
        b = m.binary(BinaryOp::And, wide, mask);
    } else if ty != Type::F32 && matches!(op, BinaryOp::Div | BinaryOp::Rem) {
        for harmful in [0, -1] {
            if harmful < 0 && !is_signed(ty) {
                continue;
            }
            let (harmful, three) = (m.constant(ty, harmful), m.constant(ty, 3));
            let is_harmful = m.binary(BinaryOp::Eq, b, harmful);
            b = m.select(is_harmful, three, b);
        }
    }
    let value = m.binary(op, a, b);
    let mut subject = m.finish(format!("{op:?} {ty:?}"), value);
    subject.pairs = bits(ty) == 8;
    subject
}

fn constants(op: BinaryOp, ty: Type) -> Vec<i64> {
    let width = i64::from(bits(ty));
    if ty == Type::F32 {
        let floats = [0.0f32, -0.0, 1.0, -1.5, 0.25, 3.0, f32::INFINITY];
        return floats.iter().map(|float| i64::from(float.to_bits())).collect();
    }
    if is_shift(op) {
        return vec![0, 1, width / 2, width - 1];
    }
    if matches!(op, BinaryOp::Div | BinaryOp::Rem) {
        let plain = [1, 2, 3, 7, 10, 64, 100, 255, 641, 32767, 65537].into_iter();
        return plain.filter(|&c| windrow_dsl::arithmetic::fits(c, ty)).chain(is_signed(ty).then_some(-5)).collect();
    }
    if matches!(
        op,
        BinaryOp::Add | BinaryOp::Mul | BinaryOp::Min | BinaryOp::Lt | BinaryOp::MulHigh | BinaryOp::AbsDiff
    ) {
        return if is_signed(ty) { vec![0, 5, -3] } else { vec![0, 5, 100] };
    }
    Vec::new()
}

/// Every conversion in every mode.
pub fn casts() -> Vec<Subject> {
    let mut all = Vec::new();
    for mode in [CastMode::Value, CastMode::Wrapping, CastMode::Saturating] {
        for from in TYPES {
            for to in TYPES {
                if from == to || mode == CastMode::Wrapping && (from == Type::F32 || to == Type::F32) {
                    continue;
                }
                let mut m = Make::new();
                let a = m.input(from);
                let value = m.cast(mode, to, a);
                all.push(m.finish(format!("{mode:?} {from:?} to {to:?}"), value));
            }
        }
    }
    all
}

/// Truth values between operands of different widths.
pub fn truths() -> Vec<Subject> {
    let mut all = Vec::new();
    for compared in TYPES {
        for chosen in TYPES {
            let mut m = Make::new();
            let (a, b, c) = (m.input(compared), m.input(compared), m.input(chosen));
            let less = m.binary(BinaryOp::Lt, a, b);
            let d = m.constant(chosen, 3);
            let value = m.select(less, c, d);
            all.push(m.finish(format!("select {compared:?} {chosen:?}"), value));
        }
        let mut m = Make::new();
        let (a, b) = (m.input(compared), m.input(compared));
        let less = m.binary(BinaryOp::Le, a, b);
        let value = m.cast(CastMode::Value, Type::F32, less);
        all.push(m.finish(format!("truth of {compared:?} as f32"), value));
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
        let (a, b, level) = (m.input(Type::U8), m.input(Type::I32), m.uniform(Type::U8, 77));
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
        let sum = m.binary(BinaryOp::Add, a, b);
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
        let x = m.op(Op::Coordinate { axis: Axis::X, offset: 0 }, Type::I32);
        let y = m.op(Op::Coordinate { axis: Axis::Y, offset: 0 }, Type::I32);
        let three = m.constant(Type::I32, 3);
        let y = m.binary(BinaryOp::WrappingMul, y, three);
        let sum = m.binary(BinaryOp::WrappingAdd, x, y);
        let sum = m.cast(CastMode::Wrapping, ty, sum);
        let value = m.binary(BinaryOp::Xor, a, sum);
        all.push(m.finish(format!("coordinates {ty:?}"), value));
    }
    let mut m = Make::new();
    let (a, level, bias) = (m.input(Type::U8), m.uniform(Type::U8, 200), m.uniform(Type::U8, 30));
    let sum = m.binary(BinaryOp::SaturatingAdd, level, bias);
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
    for ty in [Type::U8, Type::I16, Type::F32] {
        for channels in 1..=4 {
            for stride in 1..=5 {
                for neighbourhood in [Neighbourhood::default(), around] {
                    let mut m = Make::new();
                    let image = m.image(ty, channels, (stride, stride.min(2)), neighbourhood);
                    let mut value = m.tap(image, 0, neighbourhood.left, neighbourhood.top);
                    for channel in 0..channels {
                        for (dx, dy) in [(0, 0), (neighbourhood.right, neighbourhood.bottom), (0, neighbourhood.top)] {
                            let tap = m.tap(image, channel, dx, dy);
                            let op = if ty == Type::F32 { BinaryOp::Add } else { BinaryOp::WrappingAdd };
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
