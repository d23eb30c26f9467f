//! Builds kernels straight in the IR, for tests that need every operation rather than an author's function.

use proc_macro2::Span;
use windrow_backends::opencl::{self, OpenClText};
use windrow_dsl::{
    ir::*,
    optimise::{Builder as Values, Derive, Prepared, remove_dead},
};

/// The program of a kernel as it stands: nothing folded, nothing shared but by the jam.
pub fn emit_raw(kernel: &Kernel) -> OpenClText {
    let derive = Derive { body: Values::default().into_body(vec![], vec![]), words: vec![] };
    let bodies = kernel.bodies.iter().map(remove_dead).collect();
    let subsets = vec![(1 << kernel.outputs.len()) - 1];
    let text = opencl::emit(kernel, &Prepared::new(subsets, bodies, derive));
    super::syntax::check(&kernel.name, &text.source);
    assert!(text.refused.is_empty(), "{}: {:?}", kernel.name, text.refused);
    text
}

/// A kernel under construction, of one body.
pub struct Builder {
    pub kernel: Kernel,
}

impl Builder {
    pub fn new(name: &str) -> Self {
        let body = Body {
            choice: vec![],
            nodes: vec![],
            guards: vec![],
            obligations: vec![],
            measured: vec![],
            stores: vec![],
        };
        let kernel = Kernel {
            name: name.to_owned(),
            function: name.to_owned(),
            type_parameter: None,
            docs: vec![],
            parameters: vec![],
            inputs: vec![],
            uniforms: vec![],
            tables: vec![],
            variants: vec![],
            outputs: vec![],
            step: Block { x: 16, y: 1 },
            schedule: Schedule::default(),
            borders: vec![BorderMode::Undefined],
            requires: vec![],
            extents: Vec::new(),
            window: None,
            fast: false,
            deny_scalar: false,
            bodies: vec![body],
            facts: Vec::new(),
            span: Span::call_site(),
        };
        Self { kernel }
    }

    pub fn schedule(mut self, blocks: &[(u32, u32)]) -> Self {
        self.kernel.schedule.opencl = blocks.iter().map(|&(x, y)| Block { x, y }).collect();
        self
    }

    pub fn input(&mut self, name: &str, ty: Type, channels: u32) -> InputId {
        let id = InputId(self.kernel.inputs.len() as u32);
        self.kernel.parameters.push(Parameter::Input(id));
        self.kernel.inputs.push(Input {
            name: name.to_owned(),
            element: ty,
            ty,
            channels,
            neighbourhood: Neighbourhood::default(),
            place: std::rc::Rc::new(image_place((1, 1))),
            inout: None,
            is_neighbourhood: false,
            is_whole: false,
            rank: None,
            span: Span::call_site(),
        });
        id
    }

    pub fn neighbourhood(&mut self, name: &str, ty: Type, channels: u32, x: (i32, i32), y: (i32, i32)) -> InputId {
        let id = self.input(name, ty, channels);
        let input = &mut self.kernel.inputs[id.0 as usize];
        input.is_neighbourhood = true;
        input.neighbourhood = Neighbourhood { left: x.0, right: x.1, top: y.0, bottom: y.1 };
        id
    }

    pub fn uniform(&mut self, name: &str, ty: Type, dims: &[u32]) -> UniformId {
        let id = UniformId(self.kernel.uniforms.len() as u32);
        self.kernel.parameters.push(Parameter::Uniform(id));
        self.kernel.uniforms.push(Uniform {
            name: name.to_owned(),
            ty,
            is_usize: false,
            dims: dims.to_vec(),
            bounds: None,
            sum_of_magnitudes: None,
            span: Span::call_site(),
        });
        id
    }

    pub fn table(&mut self, name: &str, ty: Type, length: u32) -> TableId {
        let id = TableId(self.kernel.tables.len() as u32);
        self.kernel.parameters.push(Parameter::Table(id));
        self.kernel.tables.push(Table { name: name.to_owned(), element: ty, ty, length, span: Span::call_site() });
        id
    }

    pub fn push(&mut self, op: Op, ty: Type) -> ValueId {
        self.named(op, ty, None)
    }

    pub fn named(&mut self, op: Op, ty: Type, name: Option<&str>) -> ValueId {
        let nodes = &mut self.kernel.bodies[0].nodes;
        nodes.push(Node { op, ty, guard: None, name: name.map(Into::into), span: Span::call_site() });
        ValueId(nodes.len() as u32 - 1)
    }

    pub fn tap(&mut self, input: InputId, channel: u32, dx: i32, dy: i32) -> ValueId {
        let ty = self.kernel.inputs[input.0 as usize].ty;
        self.push(
            Op::Load(Access::beside(
                input,
                channel,
                &self.kernel.inputs[input.0 as usize].place,
                &[dy.into(), dx.into()],
            )),
            ty,
        )
    }

    pub fn int(&mut self, value: i128, ty: Type) -> ValueId {
        self.push(Op::Constant(Constant::Int(value)), ty)
    }

    /// A binary operation whose result has the operands' type.
    pub fn binary(&mut self, op: BinaryOp, a: ValueId, b: ValueId) -> ValueId {
        let ty = self.kernel.bodies[0].node(a).ty;
        self.push(Op::Binary(op, a, b), ty)
    }

    pub fn cast(&mut self, mode: CastMode, value: ValueId, ty: Type) -> ValueId {
        self.push(Op::Cast(mode, value), ty)
    }

    /// Adds an output of `values.len()` channels.
    pub fn output(&mut self, name: &str, values: &[ValueId]) {
        let id = OutputId(self.kernel.outputs.len() as u32);
        let ty = self.kernel.bodies[0].node(values[0]).ty;
        let output = Output { name: name.to_owned(), element: ty, ty, channels: values.len() as u32, optional: false };
        self.kernel.outputs.push(output);
        for (channel, &value) in values.iter().enumerate() {
            self.kernel.bodies[0].stores.push(Store::new(id, channel as u32, value));
        }
    }
}

/// What C leaves to its implementations is not in the text: a signed value that does not fit, and the integer of a NaN.
#[test]
fn conversions_are_defined_by_the_text() {
    let text = |source: &str| {
        let compiled = windrow_dsl::compile_file(source);
        assert!(compiled.errors.is_empty(), "{}", compiled.errors[0].message);
        let kernel = &compiled.kernels[0].kernel;
        opencl::emit(kernel, &windrow_dsl::optimise::prepare(kernel)).source
    };
    let cases = [
        ("#[kernel(schedule(opencl(4, 1)))] fn k(x: i32) -> i8 { x.wrapping_cast() }", "as_char4(convert_uchar4("),
        ("#[kernel(schedule(opencl(1, 1)))] fn k(x: i32) -> i8 { x.wrapping_cast() }", "as_char((uchar)"),
        ("#[kernel(schedule(opencl(1, 1)))] fn k(x: i8, y: i8) -> i8 { x.wrapping_add(y) }", "as_char((uchar)("),
        ("#[kernel(schedule(opencl(4, 1)))] fn k(x: f32) -> i32 { x as i32 }", " : (real4)0)"),
        ("#[kernel(schedule(opencl(4, 1)))] fn k(x: f32) -> u8 { x as u8 }", " > (real4)0 ? "),
        ("#[kernel(schedule(opencl(4, 1)))] fn k(x: u8) -> i16 { (x as f32 * 1.5) as i16 }", "convert_short4_sat("),
    ];
    for (source, expected) in cases {
        let text = text(source);
        assert!(text.contains(expected), "{source}: no {expected} in\n{text}");
    }
    // A product of numbers is a number.
    assert!(!text(cases[5].0).contains(" : (real4)0)"));
}
