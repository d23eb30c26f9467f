//! Whole kernels at every size, border, schedule, choice and subset: the window's elements are the interpreter's, and
//! nothing else is written.

use super::{
    device::{self, Call, Plane},
    images::{self, CANARY, Here, Image, Random},
    kernels::{Builder, emit_raw},
};
use windrow_backends::opencl::{self, EntryPoint, OpenClText};
use windrow_dsl::ir::Overflow::{Never, Saturate, Wrap};
use windrow_dsl::{interpret, ir::*, optimise};
use windrow_reference::border::BorderMode as Mode;

/// Awkward sizes: smaller than a block, one more than a vector, …
const SIZES: [(usize, usize); 10] =
    [(1, 1), (2, 1), (1, 5), (3, 2), (5, 7), (8, 8), (16, 4), (17, 9), (35, 6), (40, 10)];

/// Blocks that are wide, tall, single, and no power of two.
const BLOCKS: [(u32, u32); 4] = [(4, 4), (1, 1), (6, 2), (16, 1)];

/// A kernel's program and what one run of it needs beside images.
struct Case {
    kernel: Kernel,
    text: OpenClText,
    bodies: Vec<Body>,
    uniforms: Vec<Vec<Constant>>,
    tables: Vec<Vec<Constant>>,
}

impl Case {
    fn new(kernel: Kernel) -> Self {
        let text = emit_raw(&kernel);
        Self { bodies: kernel.bodies.clone(), kernel, text, uniforms: vec![], tables: vec![] }
    }

    /// Every entry, at every size and border.
    fn run(&self) {
        let built = device::build(&self.text.source);
        let borders = self.kernel.inputs.iter().any(|input| input.neighbourhood != Neighbourhood::default());
        for entry in &self.text.entries {
            for (width, height) in SIZES {
                for border in Mode::ALL.into_iter().filter(|mode| borders || *mode == Mode::Undefined) {
                    self.run_entry(&built, entry, width, height, border);
                }
            }
        }
    }

    fn run_entry(&self, built: &device::Built, entry: &EntryPoint, width: usize, height: usize, border: Mode) {
        let kernel = &self.kernel;
        let body = &self.bodies[entry.index as usize];
        let mut random = Random((width * 100 + height) as u64);
        let images: Vec<Image> = kernel
            .inputs
            .iter()
            .map(|input| {
                let (sx, sy) = (input.stride().0 as usize, input.stride().1 as usize);
                let channels = input.channels as usize;
                Image::from_fn(input.ty, width * sx, height * sy, channels, |_| random.value(input.ty))
            })
            .collect();
        let constants: Vec<Constant> = kernel.inputs.iter().map(|input| random.value(input.ty)).collect();
        let window = window(kernel, width as i32, height as i32, border);
        let mut outputs: Vec<Plane> = kernel
            .outputs
            .iter()
            .map(|output| images::blank(output.ty, width, height, output.channels as usize))
            .collect();
        let planes: Vec<Plane> = images.iter().map(Image::plane).collect();
        let has_border = |input: &Input| input.neighbourhood != Neighbourhood::default();
        let inputs: Vec<_> = (kernel.inputs.iter().zip(&planes).zip(&constants))
            .map(|((input, plane), &constant)| (plane, has_border(input).then(|| images::word(constant))))
            .collect();
        let call = Call {
            entry: &entry.name,
            block: entry.block,
            group: entry.group,
            inputs: &inputs,
            tables: &self.tables.iter().zip(&kernel.tables).map(|(table, of)| bytes(table, of.ty)).collect::<Vec<_>>(),
            words: &self.uniforms.iter().flatten().map(|&value| images::word(value)).collect::<Vec<_>>(),
            window,
            border: kernel.inputs.iter().any(has_border).then_some(border as i32),
        };
        if !built.run(&call, &mut outputs) {
            return;
        }
        let mut expected = outputs.clone();
        for plane in &mut expected {
            plane.bytes.fill(CANARY);
        }
        for y in window[1]..window[3] {
            for x in window[0]..window[2] {
                let (uniforms, tables) = (&self.uniforms, &self.tables);
                let here = Here { images: &images, constants: &constants, uniforms, tables, border, x, y };
                let values = interpret::stores(body, &here).expect("no panic");
                for (store, value) in body.stores.iter().zip(values) {
                    let output = &kernel.outputs[store.to.tensor.0 as usize];
                    let index = x as usize * output.channels as usize + store.to.channel as usize;
                    let found = images::element(&outputs[store.to.tensor.0 as usize], output.ty, index, y as usize);
                    assert!(
                        images::same(found, value),
                        "{} {width}x{height} {border}: {found:?}, not {value:?}, at ({x}, {y}) of {}\n{}",
                        entry.name,
                        output.name,
                        super::syntax::kept(&entry.name, &self.text.source)
                    );
                    images::put(&mut expected[store.to.tensor.0 as usize], output.ty, index, y as usize, found);
                }
            }
        }
        for (found, expected) in outputs.iter().zip(&expected) {
            assert!(found.bytes == expected.bytes, "{} {width}x{height} {border}: writes past the window", entry.name);
        }
    }
}

fn bytes(table: &[Constant], ty: Type) -> Vec<u8> {
    table.iter().flat_map(|&entry| images::word(entry).to_le_bytes()[..images::bytes_of(ty)].to_vec()).collect()
}

/// The whole image, or what an undefined border leaves of it; then less at each side where it is large.
fn window(kernel: &Kernel, width: i32, height: i32, border: Mode) -> [i32; 4] {
    let mut window = [0, 0, width, height];
    if border == Mode::Undefined {
        for input in &kernel.inputs {
            let n = input.neighbourhood;
            let (sx, sy) = (input.stride().0 as i32, input.stride().1 as i32);
            window[0] = window[0].max((-n.left + sx - 1) / sx);
            window[1] = window[1].max((-n.top + sy - 1) / sy);
            window[2] = window[2].min((width * sx - n.right + sx - 1) / sx);
            window[3] = window[3].min((height * sy - n.bottom + sy - 1) / sy);
        }
    } else if width > 8 {
        window = [2, 1, width - 1, height - 1];
    }
    window
}

/// Σ weight · tap over a neighbourhood, each tap with a weight of its own.
fn weighted(kernel: &mut Builder, input: InputId, x: (i32, i32), y: (i32, i32)) -> ValueId {
    let mut sum = kernel.int(0, Type::U32);
    let mut weight = 1;
    for dy in y.0..=y.1 {
        for dx in x.0..=x.1 {
            let tap = kernel.tap(input, 0, dx, dy);
            let wide = kernel.cast(CastMode::Wrapping, tap, Type::U32);
            let factor = kernel.int(weight, Type::U32);
            let term = kernel.binary(BinaryOp::Mul(Wrap), wide, factor);
            sum = kernel.binary(BinaryOp::Add(Wrap), sum, term);
            weight = weight * 3 + 2;
        }
    }
    sum
}

#[test]
fn every_tap_finds_its_border() {
    for ty in [Type::U8, Type::I16, Type::U32] {
        let mut kernel = Builder::new(&format!("taps_{ty:?}").to_lowercase()).schedule(&BLOCKS);
        let (x, y) = ((-2, 1), (-1, 2));
        let src = kernel.neighbourhood("src", ty, 1, x, y);
        let sum = weighted(&mut kernel, src, x, y);
        kernel.output("out", &[sum]);
        Case::new(kernel.kernel).run();
    }
}

#[test]
fn one_sided_and_flat_neighbourhoods_work() {
    for (name, x, y) in [("right", (1, 3), (0, 0)), ("below", (0, 0), (2, 4)), ("far", (-7, -7), (-5, -5))] {
        let mut kernel = Builder::new(name).schedule(&BLOCKS[..2]);
        let src = kernel.neighbourhood("src", Type::U16, 1, x, y);
        let sum = weighted(&mut kernel, src, x, y);
        kernel.output("out", &[sum]);
        Case::new(kernel.kernel).run();
    }
}

#[test]
fn floats_keep_their_order() {
    let mut kernel = Builder::new("blur_f32").schedule(&BLOCKS);
    let src = kernel.neighbourhood("src", Type::F32, 1, (-1, 1), (-1, 1));
    let mut sum = kernel.push(Op::Constant(Constant::Float(0)), Type::F32);
    for dy in -1..=1 {
        for dx in -1..=1 {
            let weight = 0.1 * (3 * dy + dx + 5) as f32;
            let weight = kernel.push(Op::Constant(Constant::Float(weight.to_bits())), Type::F32);
            let tap = kernel.tap(src, 0, dx, dy);
            let product = kernel.binary(BinaryOp::Mul(Never), weight, tap);
            sum = kernel.binary(BinaryOp::Add(Never), sum, product);
        }
    }
    kernel.output("out", &[sum]);
    Case::new(kernel.kernel).run();
}

#[test]
fn strided_inputs_stand_beside_others() {
    let mut kernel = Builder::new("half_scale").schedule(&BLOCKS);
    let src = kernel.neighbourhood("src", Type::U8, 1, (-1, 2), (-2, 1));
    kernel.kernel.inputs[0].place = std::rc::Rc::new(image_place((2, 2)));
    let beside = kernel.input("beside", Type::U16, 1);
    let sum = weighted(&mut kernel, src, (-1, 2), (-2, 1));
    let beside = kernel.tap(beside, 0, 0, 0);
    let beside = kernel.cast(CastMode::Value, beside, Type::U32);
    let sum = kernel.binary(BinaryOp::Add(Wrap), sum, beside);
    kernel.output("out", &[sum]);
    Case::new(kernel.kernel).run();
}

#[test]
fn pixels_are_interleaved() {
    let mut kernel = Builder::new("channels").schedule(&BLOCKS);
    let src = kernel.neighbourhood("src", Type::U8, 3, (-1, 1), (0, 1));
    let [r, g, b] = [(0, -1, 0), (1, 1, 1), (2, 0, 1)].map(|(c, dx, dy)| kernel.tap(src, c, dx, dy));
    let mean = kernel.binary(BinaryOp::HalvingAdd, r, b);
    kernel.output("out", &[b, g, r, mean]);
    let wide = kernel.cast(CastMode::Value, g, Type::I16);
    kernel.output("wide", &[wide, wide]);
    Case::new(kernel.kernel).run();
}

#[test]
fn coordinates_are_the_outputs() {
    let mut kernel = Builder::new("coordinates").schedule(&BLOCKS);
    let a = kernel.input("x", Type::I32, 1);
    let a = kernel.tap(a, 0, 0, 0);
    let x = kernel.push(Op::Coordinate { axis: AxisId::X, offset: 0 }, Type::I32);
    let y = kernel.push(Op::Coordinate { axis: AxisId::Y, offset: 0 }, Type::I32);
    let thousand = kernel.int(1000, Type::I32);
    let rows = kernel.binary(BinaryOp::Mul(Wrap), y, thousand);
    let place = kernel.binary(BinaryOp::Add(Wrap), x, rows);
    let sum = kernel.binary(BinaryOp::Add(Wrap), place, a);
    kernel.output("out", &[sum]);
    kernel.output("row", &[y]);
    Case::new(kernel.kernel).run();
}

#[test]
fn tables_are_looked_up() {
    for (name, ty, length) in [("bytes", Type::U8, 256), ("shorts", Type::I16, 65_536)] {
        let mut kernel = Builder::new(name).schedule(&BLOCKS);
        let a = kernel.input("a", ty, 1);
        let lut = kernel.table("lut", ty, length);
        let mut index = kernel.tap(a, 0, 0, 0);
        if ty == Type::I16 {
            let wide = kernel.cast(CastMode::Value, index, Type::I32);
            let half = kernel.int(32_768, Type::I32);
            index = kernel.binary(BinaryOp::Add(Never), wide, half);
        }
        let entry = kernel.push(Op::Lookup { table: lut, index }, ty);
        kernel.output("out", &[entry]);
        let mut case = Case::new(kernel.kernel);
        let mut random = Random(9);
        case.tables = vec![(0..length).map(|_| random.value(ty)).collect()];
        case.run();
    }
}

#[test]
fn uniform_arrays_are_words() {
    let mut kernel = Builder::new("convolve").schedule(&BLOCKS[..2]);
    let src = kernel.neighbourhood("src", Type::U8, 1, (-1, 1), (0, 0));
    let offset = kernel.uniform("offset", Type::F32, &[]);
    let k = kernel.uniform("k", Type::I16, &[1, 3]);
    let mut sum = kernel.int(0, Type::I32);
    for (index, dx) in (0..3).zip(-1..=1) {
        let tap = kernel.tap(src, 0, dx, 0);
        let tap = kernel.cast(CastMode::Value, tap, Type::I32);
        let weight = kernel.push(Op::Uniform { uniform: k, index }, Type::I16);
        let weight = kernel.cast(CastMode::Value, weight, Type::I32);
        let product = kernel.binary(BinaryOp::Mul(Never), weight, tap);
        sum = kernel.binary(BinaryOp::Add(Never), sum, product);
    }
    let sum = kernel.cast(CastMode::Value, sum, Type::F32);
    let offset = kernel.push(Op::Uniform { uniform: offset, index: 0 }, Type::F32);
    let sum = kernel.binary(BinaryOp::Add(Never), sum, offset);
    kernel.output("out", &[sum]);
    let mut case = Case::new(kernel.kernel);
    case.uniforms = vec![vec![Constant::Float(0.25f32.to_bits())], [-3, 32_767, -32_768].map(Constant::Int).to_vec()];
    case.run();
}

/// Two variants and an optional output; what a choice changes is the operation.
fn choices() -> Kernel {
    let mut kernel = Builder::new("choose").schedule(&[(4, 1), (8, 2)]);
    let [a, b] = ["a", "b"].map(|name| kernel.input(name, Type::U8, 1));
    let [a, b] = [a, b].map(|input| kernel.tap(input, 0, 0, 0));
    let sum = kernel.binary(BinaryOp::Add(Wrap), a, b);
    let less = kernel.binary(BinaryOp::Min, a, b);
    kernel.output("sum", &[sum]);
    kernel.output("less", &[less]);
    kernel.kernel.outputs[1].optional = true;
    let mut kernel = kernel.kernel;
    let (name, enum_name) = ("policy".to_owned(), "Overflow".to_owned());
    let values = vec!["Wrap".to_owned(), "SaturateBoth".to_owned()];
    kernel.variants = vec![Variant { name, enum_name, values, span: kernel.span }];
    kernel.parameters.push(Parameter::Variant(0));
    let mut saturate = kernel.bodies[0].clone();
    kernel.bodies[0].choice = vec![0];
    saturate.choice = vec![1];
    saturate.nodes[sum.0 as usize].op = Op::Binary(BinaryOp::Add(Saturate), a, b);
    kernel.bodies.push(saturate);
    kernel
}

#[test]
fn each_choice_subset_and_block_is_an_entry() {
    let kernel = choices();
    let prepared = optimise::prepare(&kernel);
    let text = opencl::emit(&kernel, &prepared);
    super::syntax::check("choose", &text.source);
    let names: Vec<_> = text.entries.iter().map(|entry| (entry.name.as_str(), entry.index, entry.block)).collect();
    assert_eq!(
        names,
        [
            ("choose__wrap", 0, (4, 1)),
            ("choose__wrap_8x2", 0, (8, 2)),
            ("choose__wrap_pairs_16x4", 0, (16, 4)),
            ("choose__wrap__sum", 1, (4, 1)),
            ("choose__wrap__sum_8x2", 1, (8, 2)),
            ("choose__wrap__sum_pairs_16x4", 1, (16, 4)),
            ("choose__saturate_both", 2, (4, 1)),
            ("choose__saturate_both_8x2", 2, (8, 2)),
            ("choose__saturate_both_pairs_16x4", 2, (16, 4)),
            ("choose__saturate_both__sum", 3, (4, 1)),
            ("choose__saturate_both__sum_8x2", 3, (8, 2)),
            ("choose__saturate_both__sum_pairs_16x4", 3, (16, 4)),
        ]
    );
    Case { bodies: prepared.bodies, kernel, text, uniforms: vec![], tables: vec![] }.run();
}
