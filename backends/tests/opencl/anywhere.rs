//! Inputs that are read anywhere: every type, number of channels, schedule, and sizes of images that are smaller and larger than
//! the output.

use super::{
    device::{self, Call, Plane},
    images::{self, CANARY, Here, Image, Random},
};
use windrow_backends::opencl::{self, EntryPoint, OpenClText};
use windrow_dsl::{compile_file, interpret, ir::*, optimise::prepare};
use windrow_reference::border::BorderMode;

const SCHEDULES: &str = "schedule(opencl(4, 4), opencl(1, 1), opencl(6, 2), opencl(16, 1))";

/// What is outside images with a constant border.
const CONSTANT: Constant = Constant::Int(77);

/// Outputs, and images that are read: one is a single element, others are narrower, wider, or larger.
const SIZES: [[(usize, usize); 2]; 7] = [
    [(1, 1), (1, 1)],
    [(17, 9), (1, 1)],
    [(17, 9), (3, 2)],
    [(16, 8), (40, 3)],
    [(5, 7), (37, 21)],
    [(40, 10), (1, 25)],
    [(33, 4), (33, 4)],
];

/// A kernel, its program, and the values of its inputs.
pub struct Case {
    kernel: Kernel,
    pub text: OpenClText,
    /// An element of an input, from random bits.
    pub value: fn(&Input, &mut Random) -> Constant,
}

/// Where a run computes what.
struct Run<'a> {
    entry: &'a EntryPoint,
    images: Vec<Image>,
    size: (usize, usize),
    window: [i32; 4],
    border: BorderMode,
}

impl Case {
    fn new(function: &str) -> Self {
        Self::with(SCHEDULES, function)
    }

    /// A kernel with these options.
    pub fn with(options: &str, function: &str) -> Self {
        let compiled = compile_file(&format!("#[kernel({options})]\n{function}"));
        assert!(compiled.errors.is_empty(), "{function}: {:?}", compiled.errors);
        let kernel = compiled.kernels[0].kernel.clone();
        let text = opencl::emit(&kernel, &prepare(&kernel));
        super::syntax::check(&kernel.name, &text.source);
        Self { kernel, text, value: |input, random| random.value(input.ty) }
    }

    fn run(&self) {
        self.run_at(&SIZES);
    }

    /// Compares all entries at these sizes.
    pub fn run_at(&self, sizes: &[[(usize, usize); 2]]) {
        let built = device::build(&self.text.source);
        for entry in &self.text.entries {
            for &[size, read] in sizes {
                let mut random = Random((size.0 * 100 + read.1) as u64);
                let image = |input: &Input| {
                    let (width, height) = if input.is_whole { read } else { size };
                    let mut value = |_| (self.value)(input, &mut random);
                    Image::from_fn(input.ty, width, height, input.channels as usize, &mut value)
                };
                let images: Vec<Image> = self.kernel.inputs.iter().map(image).collect();
                let (width, height) = (size.0 as i32, size.1 as i32);
                let part = [width / 3, height / 2, width - width / 4, height];
                for window in [[0, 0, width, height], part] {
                    for &border in self.borders() {
                        self.compare(&built, &Run { entry, images: images.clone(), size, window, border });
                    }
                }
            }
        }
    }

    /// Those of the images whose neighbourhoods are read.
    fn borders(&self) -> &'static [BorderMode] {
        match self.kernel.inputs.iter().any(Input::reads_around) {
            true => &[BorderMode::Constant, BorderMode::Replicate],
            false => &[BorderMode::Undefined],
        }
    }

    fn compare(&self, built: &device::Built, run: &Run<'_>) {
        let (kernel, (width, height)) = (&self.kernel, run.size);
        let blank = |output: &Output| images::blank(output.ty, width, height, output.channels as usize);
        let mut outputs: Vec<Plane> = kernel.outputs.iter().map(blank).collect();
        let planes: Vec<Plane> = run.images.iter().map(Image::plane).collect();
        let constant = |input: &Input| input.reads_around().then(|| images::word(CONSTANT));
        let inputs: Vec<_> = planes.iter().zip(kernel.inputs.iter().map(constant)).collect();
        let has_border = kernel.inputs.iter().any(Input::reads_around);
        let call = Call {
            entry: &run.entry.name,
            block: run.entry.block,
            group: run.entry.group,
            inputs: &inputs,
            tables: &[],
            words: &[],
            window: run.window,
            border: has_border.then_some(run.border as i32),
        };
        if !built.run(&call, &mut outputs) {
            return;
        }
        let mut expected = outputs.clone();
        expected.iter_mut().for_each(|plane| plane.bytes.fill(CANARY));
        let [x0, y0, x1, y1] = run.window;
        for (x, y) in (y0..y1).flat_map(|y| (x0..x1).map(move |x| (x, y))) {
            self.expect(run, (x, y), &outputs, &mut expected);
        }
        for (found, expected) in outputs.iter().zip(&expected) {
            assert!(found.bytes == expected.bytes, "{} {:?}: writes past the window", run.entry.name, run.size);
        }
    }

    /// Compares an element with the interpreter's, and notes it.
    fn expect(&self, run: &Run<'_>, (x, y): (i32, i32), outputs: &[Plane], expected: &mut [Plane]) {
        let body = &self.kernel.bodies[run.entry.index as usize];
        let (constants, border) = (vec![CONSTANT; run.images.len()], run.border);
        let here = Here { images: &run.images, constants: &constants, uniforms: &[], tables: &[], border, x, y };
        let values = interpret::stores(body, &here).expect("no panic");
        for (store, value) in body.stores.iter().zip(values) {
            let (number, output) = (store.to.tensor.0 as usize, &self.kernel.outputs[store.to.tensor.0 as usize]);
            let index = x as usize * output.channels as usize + store.to.channel as usize;
            let found = images::element(&outputs[number], output.ty, index, y as usize);
            assert!(
                images::same(found, value),
                "{} {:?}: {found:?}, not {value:?}, at ({x}, {y}) of {}\n{}",
                run.entry.name,
                run.size,
                output.name,
                super::syntax::kept(&run.entry.name, &self.text.source)
            );
            images::put(&mut expected[number], output.ty, index, y as usize, found);
        }
    }
}

#[test]
fn every_type_is_read_beside_the_element() {
    for ty in ["u8", "i8", "u16", "i16", "u32", "i32", "f32"] {
        let otherwise = if ty == "f32" { "-1.5" } else { "7" };
        Case::new(&format!(
            "pub fn beside_{ty}([y, x]: At<2>, src: View<{ty}>) -> {ty} {{
                src.get([2 * y - 3, x + 1]).unwrap_or({otherwise})
            }}"
        ))
        .run();
    }
}

#[test]
fn channels_share_their_place() {
    for (ty, channels) in [("u8", 2), ("u8", 3), ("u8", 4), ("u16", 3), ("f32", 2), ("i32", 3)] {
        let zero = if ty == "f32" { "0.0" } else { "0" };
        let mut case = Case::new(&format!(
            "pub fn turned_{ty}_{channels}([y, x]: At<2>, src: View<[{ty}; {channels}]>) -> [{ty}; {channels}] {{
                let [height, width] = src.extents();
                src.get([(height - 1 - x).max(0), (width - 1).min(y)]).unwrap_or([{zero}; {channels}])
            }}"
        ));
        // What a NaN holds may change on the way, and nothing says how.
        case.value = |input, random| match random.value(input.ty) {
            Constant::Float(bits) if f32::from_bits(bits).is_nan() => Constant::Float(0),
            value => value,
        };
        case.run();
        let addresses = case.text.source.matches(" src_at = ").count();
        assert_eq!(addresses, case.text.entries.len(), "{}", case.text.source);
    }
}

/// Places that another image says: all of them are computed, inside and far outside.
#[test]
fn places_come_from_another_image() {
    let mut case = Case::new(
        "pub fn remap(map: [f32; 2], src: View<f32>) -> (f32, u8) {
            let place = [map[0] as i32, map[1] as i32];
            (src.get(place).unwrap_or(-1.0), if src.get(place).is_some() { 255 } else { 0 })
        }",
    );
    case.value = |input, random| match (random.next() % 8, input.is_whole) {
        (_, true) => Constant::Float((random.next() as i16 as f32).to_bits()),
        (0, false) => random.value(Type::F32),
        (_, false) => Constant::Float(((random.next() % 48) as f32 - 4.0).to_bits()),
    };
    case.run();
    let mut of_integers = Case::new(
        "pub fn remap_integers(map: [i16; 2], src: View<u16>, other: View<[u8; 2]>) -> u16 {
            let place = [map[0] as i32, map[1] as i32];
            src.get(place).unwrap_or(1).wrapping_add(other.get(place).map_or(9, |[a, b]| a.wrapping_mul(b) as u16))
        }",
    );
    of_integers.value = |input, random| match (random.next() % 8, input.is_whole) {
        (1.., false) => Constant::Int(i128::from(random.next() % 48) - 4),
        (_, _) => random.value(input.ty),
    };
    of_integers.run();
}

/// At an edge, the one has rows that are found through the border, and the other is read as everywhere.
#[test]
fn neighbourhoods_are_read_beside() {
    Case::new(
        "pub fn beside([y, x]: At<2>, around: Neighbourhood<u8>, src: View<u8>, by: [u8; 2]) -> u8 {
            let [height, width] = src.extents();
            let (dy, dx) = ((by[0] % 8) as i32, (by[1] % 32) as i32);
            let found = src.get([(y + dy - 4).min(height - 1), (x + dx - 16).min(width - 1)]).unwrap_or(around.at(0, 0));
            found.abs_diff(around.at(-1, 1)).max(around.at(2, -1))
        }",
    )
    .run();
}

/// What is the same along a row, in a column, or everywhere is read once.
#[test]
fn places_need_not_vary() {
    Case::new(
        "pub fn profiles([y, x]: At<2>, src: View<u8>, by: u8) -> (u8, u8, u8) {
            let [height, width] = src.extents();
            let row = src.get([y, 0]).unwrap_or(1);
            let column = src.get([height - 1, x]).unwrap_or(2);
            let corner = src.get([height - 1, width - 1]).unwrap_or(3);
            (row.wrapping_add(by), column.wrapping_add(by), corner.wrapping_add(by))
        }",
    )
    .run();
    Case::new("pub fn area([y, x]: At<2>, src: View<u8>) -> i32 { let [h, w] = src.extents(); (h - y).min(w - x) }")
        .run();
}

#[test]
fn images_are_enlarged_between_their_elements() {
    Case::new(
        "pub fn enlarged([y, x]: At<2>, src: View<[u8; 3]>) -> [u8; 3] {
            let [height, width] = src.extents();
            let ([top, left], [down, right]) = ([y / 2, x / 2], [(y % 2) as u16, (x % 2) as u16]);
            let at = |dy: i32, dx: i32| {
                let place = [(top + dy).min(height - 1), (left + dx).min(width - 1)];
                src.get(place).unwrap_or([0; 3])
            };
            let (a, b, c, d) = (at(0, 0), at(0, 1), at(1, 0), at(1, 1));
            [0, 1, 2].map(|k| {
                let upper = (2 - right) * a[k] as u16 + right * b[k] as u16;
                let lower = (2 - right) * c[k] as u16 + right * d[k] as u16;
                (((2 - down) * upper + down * lower + 2) >> 2) as u8
            })
        }",
    )
    .run();
}

#[test]
fn names_that_a_program_uses_itself_are_free_to_authors() {
    Case::new(
        "pub fn named([y, x]: At<2>, src: View<u8>, src_stride: u8, src_width: u8) -> u8 {
            let src_at = src.get([x, y]).unwrap_or(src_stride);
            let src_height = src.get([y, x]).unwrap_or(src_width);
            src_at.abs_diff(src_height)
        }",
    )
    .run();
}

/// Each work-item has turns of its own: their number may differ from element to element.
#[test]
fn ends_of_loops_are_computed() {
    Case::new(
        "pub fn around([y, x]: At<2>, src: View<u8>, by: u8) -> (u32, u8) {
            let radius = (by & 3) as i32;
            let (mut sum, mut any) = (0u32, false);
            for row in y - radius..=y + radius {
                for column in x - radius..=x {
                    any = any || src.get([row, column]).is_none();
                    sum = sum.wrapping_add(src.get([row, column]).map_or(1, |element| element as u32));
                }
            }
            (sum, any as u8)
        }",
    )
    .run();
    let mut of_floats = Case::new(
        "pub fn product([y, x]: At<2>, a: View<f32>, b: View<f32>) -> f32 {
            let [height, inner] = a.extents();
            let [rows, columns] = b.extents();
            let mut sum = 0.0;
            for k in 0..inner.min(rows) {
                sum = a[[y.min(height - 1), k]].mul_add(b[[k, x.min(columns - 1)]], sum);
            }
            sum
        }",
    );
    of_floats.value = |_, random| Constant::Float((random.next() as i16 as f32).to_bits());
    of_floats.run();
    // A sum of floats in lanes, one of integers, and the least.
    let mut reduced = Case::new(
        "pub fn reduced([y, x]: At<2>, a: View<f32>, b: View<f32>) -> (f32, i32, f32) {
            let [height, inner] = a.extents();
            let [rows, columns] = b.extents();
            let term = |k: i32| a[[y.min(height - 1), k % inner]] * b[[k.min(rows - 1), x.min(columns - 1)]];
            let near = sum(y - 1..y + 2, |row| a.get([row, x]).is_some() as i32);
            (sum(0..inner + 40, term), near, least(0..inner, |i| a.get([y, i]).unwrap_or(0.5)))
        }",
    );
    reduced.value = of_floats.value;
    reduced.run();
    Case::new(
        "pub fn turns(n: u8, level: i16) -> (u32, i16) {
            let (mut a, mut b, mut least) = (0u32, 1u32, level);
            for i in 0..n / 2 {
                (a, b) = (b, a.wrapping_add(b));
                least = least.min(i as i16 - 40);
            }
            (a, least)
        }",
    )
    .run();
}
