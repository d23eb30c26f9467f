use super::*;
use proc_macro2::Span;
use windrow_dsl::ir::*;

fn gaussian() -> Kernel {
    let mut nodes = Vec::new();
    let mut push = |op, ty, name: Option<&str>| {
        nodes.push(Node { op, ty, guard: None, name: name.map(str::to_owned), span: Span::call_site() });
        ValueId(nodes.len() as u32 - 1)
    };
    let two = push(Op::Constant(Constant::Int(2)), Type::U16, None);
    let four = push(Op::Constant(Constant::Int(4)), Type::U32, None);
    let mut columns = Vec::new();
    for dx in -1..=1 {
        let mut taps = Vec::new();
        for dy in -1..=1 {
            let tap = push(Op::Input { input: InputId(0), channel: 0, dx, dy }, Type::U8, None);
            taps.push(push(Op::Cast(CastMode::Value, tap), Type::U16, None));
        }
        let twice = push(Op::Binary(BinaryOp::Mul, two, taps[1]), Type::U16, None);
        let sum = push(Op::Binary(BinaryOp::Add, taps[0], twice), Type::U16, None);
        columns.push(push(Op::Binary(BinaryOp::Add, sum, taps[2]), Type::U16, Some("column")));
    }
    let twice = push(Op::Binary(BinaryOp::Mul, two, columns[1]), Type::U16, None);
    let sum = push(Op::Binary(BinaryOp::Add, columns[0], twice), Type::U16, None);
    let sum = push(Op::Binary(BinaryOp::Add, sum, columns[2]), Type::U16, Some("sum"));
    let shifted = push(Op::Binary(BinaryOp::Shr, sum, four), Type::U16, None);
    let out = push(Op::Cast(CastMode::Value, shifted), Type::U8, None);
    let body = Body {
        choice: vec![],
        nodes,
        guards: vec![],
        obligations: vec![],
        stores: vec![Store { output: OutputId(0), channel: 0, dx: 0, dy: 0, value: out }],
    };
    Kernel {
        name: "gaussian3x3".into(),
        function: "gaussian3x3".into(),
        type_parameter: None,
        docs: vec![" 3×3 Gaussian blur.".into()],
        parameters: vec![Parameter::Input(InputId(0))],
        inputs: vec![Input {
            name: "src".into(),
            ty: Type::U8,
            channels: 1,
            neighbourhood: Neighbourhood { left: -1, right: 1, top: -1, bottom: 1 },
            stride: (1, 1),
            inout: None,
            is_neighbourhood: true,
            span: Span::call_site(),
        }],
        uniforms: vec![],
        tables: vec![],
        variants: vec![],
        outputs: vec![Output { name: "out".into(), ty: Type::U8, channels: 1, optional: false }],
        step: Block { x: 16, y: 4 },
        schedule: Schedule::default(),
        borders: vec![BorderMode::Replicate],
        requires: vec![],
        fast: false,
        deny_scalar: false,
        bodies: vec![body],
        span: Span::call_site(),
    }
}

#[test]
fn gaussian_text() {
    let kernel = gaussian();
    let text = emit(&kernel, &[Program { index: 0, choice: &[], body: &kernel.bodies[0] }], false, None);
    std::fs::write("/tmp/gaussian3x3.cl", &text.source).unwrap();
}
