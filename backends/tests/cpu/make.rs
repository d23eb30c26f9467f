//! Kernels made by hand, node by node.

use proc_macro2::Span;
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
/// Every type of elements.
pub const ELEMENTS: [Type; 10] =
    [Type::U8, Type::I8, Type::U16, Type::I16, Type::U32, Type::I32, Type::F32, Type::U64, Type::I64, Type::F64];
/// Those that have every operation of their kind.
pub const TYPES: [Type; 7] = [Type::U8, Type::I8, Type::U16, Type::I16, Type::U32, Type::I32, Type::F32];

/// A constant of a type: an integer, or a float by its bits.
pub fn constant(ty: Type, value: i128) -> Constant {
    match ty {
        Type::F32 => Constant::Float(value as u32),
        Type::F64 => Constant::Double(value as u64),
        _ => Constant::Int(value),
    }
}

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
            element: ty,
            ty,
            channels,
            neighbourhood,
            place: std::rc::Rc::new(image_place(stride)),
            inout: None,
            is_neighbourhood: neighbourhood != Neighbourhood::default(),
            is_whole: false,
            rank: None,
            span: Span::call_site(),
        });
        InputId(index)
    }

    pub fn tap(&mut self, input: InputId, channel: u32, dx: i32, dy: i32) -> ValueId {
        let ty = self.kernel.inputs[input.0 as usize].ty;
        self.op(
            Op::Load(Access::beside(
                input,
                channel,
                &self.kernel.inputs[input.0 as usize].place,
                &[dy.into(), dx.into()],
            )),
            ty,
        )
    }

    pub fn uniform(&mut self, ty: Type, value: i128) -> ValueId {
        let constant = constant(ty, value);
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
        self.kernel.tables.push(Table { name: "lut".to_owned(), element: ty, ty, length, span: Span::call_site() });
        TableId(self.kernel.tables.len() as u32 - 1)
    }

    pub fn constant(&mut self, ty: Type, value: i128) -> ValueId {
        self.op(Op::Constant(constant(ty, value)), ty)
    }

    pub fn binary(&mut self, op: BinaryOp, a: ValueId, b: ValueId) -> ValueId {
        let ty = match op {
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => Type::BOOL,
            BinaryOp::AbsDiff => self.ty(a).unsigned(),
            _ => self.ty(a),
        };
        self.op(Op::Binary(op, a, b), ty)
    }

    pub fn unary(&mut self, op: UnaryOp, a: ValueId) -> ValueId {
        let ty = match op {
            UnaryOp::UnsignedAbs => self.ty(a).unsigned(),
            UnaryOp::CountOnes | UnaryOp::LeadingZeros | UnaryOp::TrailingZeros | UnaryOp::ToBits | UnaryOp::ToHalf => {
                Type::U32
            }
            UnaryOp::IsNan => Type::BOOL,
            UnaryOp::FromBits | UnaryOp::FromHalf => Type::F32,
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
                |&value| if self.ty(value) == Type::BOOL { self.cast(CastMode::Value, Type::U8, value) } else { value },
            )
            .collect();
        let ty = self.ty(values[0]);
        self.kernel.outputs.push(Output {
            name: "out".to_owned(),
            element: ty,
            ty,
            channels: values.len() as u32,
            optional: false,
        });
        let store = |(channel, &value): (usize, &ValueId)| Store::new(OutputId(0), channel as u32, value);
        let stores = values.iter().enumerate().map(store).collect();
        let body = Body {
            choice: Vec::new(),
            nodes: self.nodes,
            guards: Vec::new(),
            obligations: Vec::new(),
            measured: Vec::new(),
            stores,
        };
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
        extents: Vec::new(),
        window: None,
        fast: false,
        deny_scalar: false,
        bodies: Vec::new(),
        facts: Vec::new(),
        span: Span::call_site(),
    }
}
