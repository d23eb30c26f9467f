//! Bodies of cells against the bodies that they are made of, element by element, on random images.

use super::packer::{Swar, swar};
use windrow_dsl::arithmetic;
use windrow_dsl::compile_file;
use windrow_dsl::interpret::{Arguments, stores};
use windrow_dsl::ir::*;
use windrow_dsl::optimise::{forms, prepare};

/// Images of this size, indexed modulo it.
const SIDE: i32 = 32;

struct Images {
    types: Vec<Type>,
    seed: u64,
}

impl Images {
    /// An element, from its place alone; extremes are frequent.
    fn element(&self, input: InputId, x: i32, y: i32) -> i128 {
        let place = (i128::from(input.0) * 64 + i128::from(x + SIDE)) * 64 + i128::from(y + SIDE);
        let mut hash = (place as u64 ^ self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 29;
        hash = hash.wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let ty = self.types[input.0 as usize];
        let (lo, hi) = ty.limits();
        match hash >> 61 {
            0 => lo,
            1 => hi,
            _ => arithmetic::wrap((hash >> 20) as i128, ty),
        }
    }
}

/// The images seen from an element.
struct At<'a>(&'a Images, i32);

impl Arguments for At<'_> {
    fn element(&self, access: &Access) -> Constant {
        let Tap { input, dx, dy, .. } = access.tap().unwrap();
        Constant::Int(self.0.element(input, self.1 + dx, dy))
    }
    fn uniform(&self, _: UniformId, _: u32) -> Constant {
        Constant::Int(77)
    }
    fn derived(&self, _: u32) -> Constant {
        Constant::Int(0)
    }
    fn table(&self, _: TableId, _: i128) -> Option<Constant> {
        None
    }
    fn coordinate(&self, _: AxisId) -> i32 {
        0
    }
}

/// `count` elements from the `first` on as one word.
fn word(ty: Type, elements: impl Iterator<Item = i128>) -> u32 {
    let bits = ty.bits();
    elements.enumerate().fold(0, |word, (place, value)| {
        let pattern = arithmetic::wrap(value, ty.unsigned()) as u32;
        word | pattern << (place as u32 * bits)
    })
}

/// What a body of a cell writes: words, in the order of its stores. Minima and maxima are those of halves.
fn words(swar: &Swar, images: &Images) -> Vec<u32> {
    let mut values: Vec<Constant> = Vec::new();
    for node in &swar.body.nodes {
        let of = |id: ValueId| values[id.0 as usize];
        let value = match node.op {
            Op::Load(ref access) => {
                let Tap { input, channel, dx, dy } = access.tap().unwrap();
                let ty = images.types[input.0 as usize];
                let count = 32 / ty.bits() as i32;
                let first = dx * swar.cell as i32 + channel as i32 * count;
                let elements = (0..count).map(|place| images.element(input, first + place, dy));
                Constant::Int(i128::from(word(ty, elements)))
            }
            Op::Binary(op @ (BinaryOp::Min | BinaryOp::Max), a, b) if node.ty == Type::U32 => halves(op, of(a), of(b)),
            Op::Constant(value) => value,
            Op::Uniform { .. } => Constant::Int(77),
            Op::Unary(op, a) => arithmetic::unary(op, node.ty, of(a)).unwrap(),
            Op::Binary(op, a, b) => {
                arithmetic::binary(op, swar.body.node(a).ty, of(a), of(b)).unwrap_or_else(|| panic!("{op:?}"))
            }
            Op::Select { condition, then, otherwise } => {
                if of(condition) == Constant::Bool(true) {
                    of(then)
                } else {
                    of(otherwise)
                }
            }
            Op::Cast(mode, a) => arithmetic::cast(mode, node.ty, of(a)).unwrap(),
            Op::Coordinate { .. } | Op::Lookup { .. } | Op::Derived { .. } | Op::MulAdd(..) => unreachable!(),
            Op::Extent { .. } | Op::Stride { .. } | Op::Plane { .. } | Op::Gather { .. } => unreachable!(),
            Op::Fetch { .. } | Op::Contiguous { .. } | Op::Across { .. } | Op::Local { .. } => unreachable!(),
            Op::Turn { .. } | Op::Carried { .. } | Op::Advance { .. } | Op::Outcome { .. } => unreachable!(),
        };
        values.push(value);
    }
    let word = |store: &Store| match values[store.value.0 as usize] {
        Constant::Int(word) => word as u32,
        other => panic!("{other:?} is no word"),
    };
    swar.body.stores.iter().map(word).collect()
}

fn halves(op: BinaryOp, a: Constant, b: Constant) -> Constant {
    let (Constant::Int(a), Constant::Int(b)) = (a, b) else { panic!("{a:?}, {b:?}") };
    let half = |shift: u32| {
        let (a, b) = (a >> shift & 0xffff, b >> shift & 0xffff);
        assert!(a < 0x8000 && b < 0x8000, "{a} and {b} cannot be compared");
        (if op == BinaryOp::Min { a.min(b) } else { a.max(b) }) << shift
    };
    Constant::Int(half(0) | half(16))
}

fn kernel(signature: &str, body: &str) -> Kernel {
    let mut compiled = compile_file(&format!("#[kernel] pub fn k({signature} {{ {body} }}"));
    assert!(compiled.errors.is_empty(), "{body}: {:?}", compiled.errors.iter().map(|e| &e.message).collect::<Vec<_>>());
    compiled.kernels.remove(0).kernel
}

/// Holds every form of a kernel's body against the element's own.
fn check(signature: &str, body: &str) {
    let kernel = kernel(signature, body);
    let prepared = prepare(&kernel);
    let types: Vec<Type> = kernel.inputs.iter().map(|input| input.ty).collect();
    for body_of_element in &prepared.bodies {
        for phase in forms(&kernel, body_of_element).iter().flat_map(|form| &form.phases) {
            let swar = swar(&kernel, phase).unwrap_or_else(|| panic!("{body} has no pairs"));
            for seed in 0..40 {
                let images = Images { types: types.clone(), seed };
                let element = |x: i32| stores(body_of_element, &At(&images, x)).unwrap()[0];
                let ty = kernel.outputs[body_of_element.stores[0].to.tensor.0 as usize].ty;
                let count = 32 / ty.bits() as i32;
                let expected: Vec<u32> = (0..swar.cell as i32 / count)
                    .map(|part| {
                        let values = (0..count).map(|place| match element(part * count + place) {
                            Constant::Int(value) => value,
                            other => panic!("{other:?}"),
                        });
                        word(ty, values)
                    })
                    .collect();
                assert_eq!(words(&swar, &images), expected, "{body}, seed {seed}");
            }
        }
    }
}

#[test]
fn sums_of_bytes() {
    let columns = "let c = |dx| src.at(dx, -1) as u16 + 2 * src.at(dx, 0) as u16 + src.at(dx, 1) as u16;";
    check("src: Neighbourhood<u8>) -> u8", &format!("{columns} ((c(-1) + 2 * c(0) + c(1)) >> 4) as u8"));
    let rounded = "((c(-1) + 2 * c(0) + c(1) + 8) / 16) as u8";
    check("src: Neighbourhood<u8>) -> u8", &format!("{columns} {rounded}"));
    check("src: Neighbourhood<u8>) -> u8", &format!("{columns} ((c(-1) + c(0) + c(1)) / 12) as u8"));
    check("src: Neighbourhood<i8>) -> i8", "((src.at(-2, 0) as i16 + src.at(2, 0) as i16) >> 1) as i8");
}

#[test]
fn differences_have_signs() {
    let p = "let p = |x: i32, y: i32| src.at(x, y) as i16;";
    let x = "p(1, -1) - p(-1, -1) + 2 * (p(1, 0) - p(-1, 0)) + p(1, 1) - p(-1, 1)";
    check("src: Neighbourhood<u8>) -> i16", &format!("{p} {x}"));
    check("src: Neighbourhood<u8>) -> u8", &format!("{p} ({x}).unsigned_abs().min(255) as u8"));
    check("src: Neighbourhood<u8>) -> u8", &format!("{p} ((4 * p(0, 0) - p(1, 0) - p(0, 1)) >> 2).saturating_cast()"));
}

#[test]
fn minima_and_medians() {
    check("src: Neighbourhood<u8>) -> u8", "src.at(-1, 0).min(src.at(0, 0)).min(src.at(1, 0)).min(src.at(0, 1))");
    let middle = "let med3 = |a: u8, b: u8, c: u8| a.min(b).max(a.max(b).min(c));";
    check("src: Neighbourhood<u8>) -> u8", &format!("{middle} med3(src.at(-1, 0), src.at(0, 0), src.at(1, 0))"));
    check("a: i8, b: i8) -> i8", "a.max(b)");
}

#[test]
fn elements_alone() {
    check("a: u8, b: u8) -> u8", "a.abs_diff(b)");
    check("a: u8, b: u8) -> u8", "a.saturating_add(b)");
    check("a: u8, b: u8) -> u8", "a.saturating_sub(b)");
    check("a: u8, b: u8) -> u8", "a.wrapping_add(b)");
    check("a: u8, b: u8) -> u8", "a.wrapping_sub(b) >> 1");
    check("a: u8, b: u8) -> u8", "if a > b { a - b } else { b - a }");
    check("a: u8, b: u8) -> u8", "(!a & b) | (a ^ 15)");
    check("a: i8, b: i8) -> i16", "a as i16 * 3 - b as i16");
    check("a: u8, b: u8) -> u8", "a % 7 + b / 7");
    check("a: u8, #[uniform] level: u8) -> u8", "if a >= level { 200 } else { a }");
    check("a: u8, #[uniform] level: u8) -> u16", "a as u16 * level as u16");
}

#[test]
fn halves_of_16_bits() {
    check("src: Neighbourhood<i16>) -> u8", "(src.at(-1, 0) & 255).wrapping_cast()");
    check("a: u16, b: u16) -> u16", "a & b");
    check("src: Neighbourhood<u16>) -> u16", "(src.at(-1, 0) >> 2) + (src.at(1, 0) >> 2)");
    check("src: Neighbourhood<i16>) -> i16", "(src.at(-1, 0) >> 1) - (src.at(0, 0) >> 3)");
}

#[test]
fn what_does_not_fit_has_no_pairs() {
    let wide = [
        ("a: u16, b: u16) -> u16", "a.wrapping_mul(b)"),
        ("a: u16, b: u16) -> u16", "a.saturating_add(b)"),
        ("a: f32, b: f32) -> f32", "a + b"),
        ("[r, g, b]: [u8; 3]) -> u8", "r.max(g).max(b)"),
        ("a: u8, t: Table<u8, 256>) -> u8", "t[a]"),
    ];
    for (signature, body) in wide {
        let kernel = kernel(signature, body);
        assert!(swar(&kernel, &prepare(&kernel).bodies[0]).is_none(), "{body}");
    }
}
