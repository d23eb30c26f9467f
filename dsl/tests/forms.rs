//! Every form of the language means what Rust says it means: each function here is compiled twice, by rustc and by
//! windrow, and both are evaluated on the same elements.

#![allow(clippy::all, unused_variables, unused_mut, unused_assignments, unused_parens, dead_code, unreachable_patterns)]

use windrow_dsl::interpret::{self, Arguments};
use windrow_dsl::ir::{Access, AxisId, Constant, Kernel, TableId, Tap, UniformId};
use windrow_reference::traits::*;

/// A scalar of the language, as the interpreter sees it.
trait Element: Copy + PartialEq + std::fmt::Debug {
    /// A value made from 32 random bits, extremes often.
    fn sample(bits: u32) -> Self;
    fn constant(self) -> Constant;
}

macro_rules! integer_elements {
    ($($ty:ident),*) => {$(
        impl Element for $ty {
            fn sample(bits: u32) -> Self {
                match bits % 11 {
                    0 => <$ty>::MAX,
                    1 => <$ty>::MIN,
                    2 => 0,
                    3 => 1,
                    _ => (bits >> 4) as $ty,
                }
            }
            fn constant(self) -> Constant {
                Constant::Int(self as i128)
            }
        }
    )*};
}

integer_elements!(u8, i8, u16, i16, u32, i32);

impl Element for f32 {
    fn sample(bits: u32) -> Self {
        match bits % 11 {
            0 => f32::INFINITY,
            1 => f32::NEG_INFINITY,
            2 => -0.0,
            3 => f32::NAN,
            4..8 => (bits as i32 / 1000) as f32 / 16.0,
            _ => f32::from_bits(bits),
        }
    }
    fn constant(self) -> Constant {
        Constant::Float(self.to_bits())
    }
}

/// Random numbers: a linear congruence is enough.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 32) as u32
    }
}

/// An image without end whose elements follow from the coordinate.
#[derive(Clone, Copy)]
struct Neighbourhood<T> {
    seed: u32,
    element: std::marker::PhantomData<T>,
}

impl<T: Element> Neighbourhood<T> {
    fn new(seed: u32) -> Self {
        Self { seed, element: std::marker::PhantomData }
    }
    fn at(&self, dx: i32, dy: i32) -> T {
        T::sample(tap(self.seed, dx, dy))
    }
    fn window<const W: usize, const H: usize>(&self) -> [[T; W]; H] {
        std::array::from_fn(|y| std::array::from_fn(|x| self.at(x as i32 - W as i32 / 2, y as i32 - H as i32 / 2)))
    }
}

fn tap(seed: u32, dx: i32, dy: i32) -> u32 {
    let mut random = Random(u64::from(seed) << 20 ^ ((dx as u64) << 8) ^ dy as u64);
    random.next();
    random.next()
}

/// A kernel's arguments, drawn at random.
trait Argument: Sized {
    fn draw(random: &mut Random) -> (Self, Drawn);
}

enum Drawn {
    Scalars(Vec<Constant>),
    Image(u32, fn(u32) -> Constant),
}

impl<T: Element> Argument for T {
    fn draw(random: &mut Random) -> (Self, Drawn) {
        let value = T::sample(random.next());
        (value, Drawn::Scalars(vec![value.constant()]))
    }
}

impl<T: Element, const N: usize> Argument for [T; N] {
    fn draw(random: &mut Random) -> (Self, Drawn) {
        let values: [T; N] = std::array::from_fn(|_| T::sample(random.next()));
        (values, Drawn::Scalars(values.iter().map(|value| value.constant()).collect()))
    }
}

impl<T: Element> Argument for Neighbourhood<T> {
    fn draw(random: &mut Random) -> (Self, Drawn) {
        let seed = random.next() & 0xffff;
        (Neighbourhood::new(seed), Drawn::Image(seed, |bits| T::sample(bits).constant()))
    }
}

/// What a kernel returns, flat.
trait Results {
    fn flat(self) -> Vec<Constant>;
}

impl<T: Element> Results for T {
    fn flat(self) -> Vec<Constant> {
        vec![self.constant()]
    }
}

impl<T: Element, const N: usize> Results for [T; N] {
    fn flat(self) -> Vec<Constant> {
        self.iter().map(|value| value.constant()).collect()
    }
}

impl<A: Results, B: Results> Results for (A, B) {
    fn flat(self) -> Vec<Constant> {
        [self.0.flat(), self.1.flat()].concat()
    }
}

/// Drawn arguments behind the interpreter's questions.
struct Sampler(Vec<Drawn>);

impl Arguments for Sampler {
    fn element(&self, access: &Access) -> Constant {
        let Tap { input, channel, dx, dy } = access.tap().expect("an element of an image");
        match &self.0[input.0 as usize] {
            Drawn::Scalars(values) => values[channel as usize],
            Drawn::Image(seed, element) => element(tap(*seed, dx, dy)),
        }
    }
    fn uniform(&self, _: UniformId, _: u32) -> Constant {
        Constant::Int(0)
    }
    fn derived(&self, _: u32) -> Constant {
        Constant::Int(0)
    }
    fn table(&self, _: TableId, _: i128) -> Option<Constant> {
        None
    }
    fn coordinate(&self, axis: AxisId) -> i32 {
        if axis == AxisId::X { 5 } else { 7 }
    }
}

fn kernel_of(source: &str) -> Kernel {
    let mut compiled = windrow_dsl::compile_file(source);
    let errors: Vec<String> = compiled.errors.iter().map(|error| error.text()).collect();
    assert!(errors.is_empty(), "{source}\n{}", errors.join("\n"));
    compiled.kernels.remove(0).kernel
}

fn is_nan(value: &Constant) -> bool {
    matches!(value, Constant::Float(bits) if f32::from_bits(*bits).is_nan())
}

/// Defines a test: the function as rustc compiles it against the function as windrow lowers it.
macro_rules! form {
    ($(#[$doc:meta])* fn $name:ident($($argument:tt: $ty:ty),*) -> $result:ty $body:block) => {
        $(#[$doc])*
        #[test]
        fn $name() {
            fn author($($argument: $ty),*) -> $result $body
            let source = concat!(
                "#[kernel] fn kernel(", stringify!($($argument: $ty),*), ") -> ", stringify!($result), stringify!($body)
            );
            let kernel = kernel_of(source);
            let mut random = Random(1);
            for _ in 0..500 {
                let mut drawn = Vec::new();
                let expected = author($({
                    let (value, constants) = <$ty as Argument>::draw(&mut random);
                    drawn.push(constants);
                    value
                }),*).flat();
                let found = interpret::stores(&kernel.bodies[0], &Sampler(drawn)).expect("no panic");
                for (found, expected) in found.iter().zip(&expected) {
                    assert!(found == expected || (is_nan(found) && is_nan(expected)), "{found:?} {expected:?}");
                }
                assert_eq!(found.len(), expected.len());
            }
        }
    };
}

form! { fn if_else_chooses(a: u8, b: u8) -> u8 { if a > b { a - b } else if a == 3 { 7 } else { b - a } } }
form! { fn and_or_short_circuit(a: u8, b: u8) -> u8 { if b != 0 && a / b > 2 || a == 9 { 1 } else { 0 } } }
form! { fn match_on_numbers(a: u8) -> u8 { match a { 0 => 9, 1 | 2 => 8, 3..=50 => 7, 51..100 => 6, u8::MAX => 5, n if n % 2 == 0 => n, _ => 4 } } }
form! { fn match_covers_by_ranges(a: u8) -> u8 { match a { 0..=99 => 1, 100..=199 => 2, 200..=255 => 3 } } }
form! { fn match_on_negative_numbers(a: i8) -> i8 { match a { -128 => 1, -5..=-1 => 2, _ => 3 } } }
form! { fn match_on_tuples(a: u8, b: u8) -> u8 { match (a > 100, b) { (true, 0..=100) => 1, (true, _) => 2, (false, n) => n } } }
form! { fn match_on_bool(a: u8, b: u8) -> u8 { match a < b { true => a, false => b } } }
form! { fn match_on_constants(a: u8) -> u8 { const FOUR: u8 = 4; match a { FOUR => 1, _ => 0 } } }
form! { fn branches_assign(a: u8, b: u8) -> u8 { let mut s = 1; let mut t = 2; if a > b { s = a; } else { t = b; } s ^ t } }
form! { fn branches_initialise(a: u8, b: u8) -> u8 { let v; if a > b { v = 3u8; } else { v = 4; } v } }
form! { fn branches_change_arrays(a: u8, b: u8) -> u8 { let mut v = [a, b, 0]; if a > b { v[2] = a; } v[2] | v[0] } }
form! { fn right_side_assigns(a: u8, b: u8) -> u8 { let mut n = 0; if a > 9 && { n = b; b > 5 } { n ^ 1 } else { n } } }
form! { fn shadowing(a: u8) -> u8 { let a = a as u16 + 1; let a = a / 2; { let a = 3u8; } a as u8 } }
form! { fn blocks_have_values(a: u8) -> u8 { let v = { let w = a / 2; w + 1 }; v } }
form! { fn for_over_ranges(a: u8) -> i32 { let mut s = 0; for i in -3..4 { s += i * a as i32; } for i in 0..=5 { s -= i; } s } }
form! { fn for_over_nested_ranges(a: u8) -> i32 { let mut s = 0; for i in 0..4 { for j in i..4 { s += i * j * a as i32; } } s } }
form! { fn for_over_arrays(a: u8, b: u8) -> u16 { let mut s = 0; for v in [a, b, a] { s += v as u16; } s } }
form! { fn zip_pairs(a: u8) -> u16 { let mut s = 0; for (i, w) in (0..9).zip([1, 2, 3]) { s += (i + w) * a as u16; } s } }
form! { fn enumerate_counts(a: u8, b: u8) -> u32 { let mut s = 0; for (i, v) in [a, b].into_iter().enumerate() { s += v as u32 * (i as u32 + 1); } s } }
form! { fn rev_skip_take_step(a: u8) -> i32 { let mut s = 0; for i in (0..20).rev().skip(2).take(9).step_by(3) { s = s * 3 % 1000 + i; } s ^ a as i32 } }
form! { fn rev_of_compound_iterators(a: u8) -> u32 { let mut s = 0; for (i, v) in [3u32, 1, 4, 1, 5, 9, 2].into_iter().enumerate().skip(1).rev() { s = (s * 7 + v + i as u32) % 10007; } s + a as u32 } }
form! { fn rev_of_step(a: u8) -> u32 { let mut s = 0; for v in (0u32..11).step_by(4).rev() { s = s * 16 + v; } s ^ a as u32 } }
form! { fn map_of_iterators(a: u8) -> u32 { let mut s = 0; for v in (0..5).map(|i| i * i).rev() { s = s * 3 + v; } s + a as u32 } }
form! { fn map_of_arrays(a: u8, b: u8) -> u16 { let [p, q] = [a, b].map(|v| v as u16 * 2); p + q } }
form! { fn map_by_name(a: u8, b: u8) -> u16 { let [p, q] = [a, b].map(u16::from); p + q } }
form! { fn fold_sums(a: u8, b: u8) -> u16 { [a, b, 7].into_iter().fold(0, |s, v| s + v as u16) } }
form! { fn fold_by_name(a: u8, b: u8) -> u8 { [a, b, 7].into_iter().fold(255, u8::min) } }
form! { fn fold_of_floats(a: f32, b: f32) -> f32 { [a, b].into_iter().fold(f32::NEG_INFINITY, f32::max) } }
form! { fn casts_to_what_is_said(a: i16) -> f32 { a.cast::<f32>() + a.cast::<i32>() as f32 } }
form! { fn fold_of_pairs(a: u8, b: u8) -> u32 { [a, b].into_iter().zip([3, 5]).fold(1, |s, (v, w)| s + v as u32 * w) } }
form! { fn arrays_of_arrays(a: u8, b: u8) -> u16 { const K: [[u16; 2]; 2] = [[1, 2], [3, 4]]; let mut s = 0; for (row, v) in K.into_iter().zip([a, b]) { for w in row { s += w * v as u16; } } s } }
form! { fn array_length(a: u8) -> u8 { let v = [a; 5]; v[v.len() - 1] / v.len() as u8 } }
form! { fn run_time_index(a: u8, b: u8) -> u8 { let v = [a, b, 1, 2]; v[(a & 3) as usize] } }
form! { fn run_time_store(a: u8, b: u8) -> u8 { let mut v = [a, b, 1, 2]; v[(b & 3) as usize] = 77; v[(a & 3) as usize] } }
form! { fn run_time_store_in_rows(a: u8, b: u8) -> u8 { let mut v = [[a, b], [1, 2]]; v[(b & 1) as usize][1] = 77; v[0][1] ^ v[1][1] } }
form! { fn tuples(a: u8, b: u8) -> u8 { let t = (a, (b, 3)); let (p, (q, r)) = t; (t.0 ^ (t.1).1) | (p & q & r) } }
form! { fn tuple_assignment(a: u8, b: u8) -> u8 { let mut v = [a, b]; (v[0], v[1]) = (v[1].min(9), v[0].max(3)); let (mut p, mut q) = (v[0], v[1]); (p, _) = (q, p); [q, p] = [p, q]; p ^ q } }
form! { fn tuple_parts_assign(a: u8, b: u8) -> u8 { let mut t = (a, b); t.0 = 3; t.1 ^= t.0; t.1 } }
form! { fn closures(a: u8, b: u8) -> u8 { let f = |v| v & 15; let g = |p: u8, q: u8| -> u8 { f(p) + f(q) }; g(a, b) } }
form! { fn closures_capture(a: u8, b: u8) -> u8 { let f = |v: u8| v ^ b; f(f(a)) & f(3) } }
form! { fn closures_change(a: u8, b: u8) -> u16 { let mut s = 0; let mut add = |v| s += v; add(a as u16); add(b as u16); s } }
form! { fn closures_see_the_binding(a: u8) -> u8 { let k = 3; let f = |v: u8| v & k; let k = 9; f(a) ^ k } }
form! { fn closures_take_tuples(a: u8, b: u8) -> u8 { let f = |(p, q): (u8, u8)| p & q; f((a, b)) } }
form! { fn nested_items(a: u8) -> u16 { const N: usize = 2 * K + 1; const K: usize = 1; fn twice(v: u16) -> u16 { v * 2 } fn four(v: u16) -> u16 { twice(twice(v)) } let w = [a; N]; four(w[N - 1] as u16) } }
form! { fn type_aliases(a: u8) -> u16 { type Wide = u16; let v: Wide = a as Wide; v + 1 } }
form! { fn constant_functions(a: u8) -> u8 { const fn half(v: u8) -> u8 { v / 2 } const H: u8 = half(200); a.min(H) } }
form! { fn compound_assignment(a: u8, b: u8) -> i32 { let mut s = a as i32; s += 3; s -= b as i32; s *= 5; s /= 3; s %= 100; s <<= 2; s >>= 1; s |= 1; s &= 0xff; s ^= 5; s } }
form! { fn bit_operations(a: u8, b: u8) -> u8 { (a & b) | (a ^ !b) } }
form! { fn bool_operations(a: u8, b: u8) -> u8 { let p = a > 9; let q = b > 9; ((p & q) | (p ^ !q)) as u8 } }
form! { fn bool_comparisons(a: u8, b: u8) -> u8 { ((a > 9) == (b > 9)) as u8 } }
form! { fn shifts(a: u8, b: u8) -> u32 { ((a as u32) << (b & 7)) + (a >> (b & 7) as u32) as u32 + (a as u32 >> 3u16) } }
form! { fn arithmetic_shift(a: i8) -> i8 { a >> 2 } }
form! { fn division_truncates(a: i8) -> i8 { a / 3 - a % 3 } }
form! { fn negation(a: i8) -> i16 { -(a as i16) } }
form! { fn extrema(a: i16, b: i16) -> i16 { a.min(b).max(-300).clamp(-200, 3000) } }
form! { fn abs_family(a: i16, b: i16) -> u16 { a.abs_diff(b) ^ a.unsigned_abs() ^ (a as i32).abs() as u16 } }
form! { fn saturating_family(a: i16, b: i16) -> i16 { a.saturating_add(b) ^ a.saturating_sub(b) ^ a.saturating_mul(b) ^ a.saturating_neg() ^ b.saturating_abs() } }
form! { fn wrapping_family(a: i16, b: i16) -> i16 { a.wrapping_add(b) ^ a.wrapping_sub(b) ^ a.wrapping_mul(b) ^ a.wrapping_neg() ^ b.wrapping_abs() ^ a.wrapping_shl(19) } }
form! { fn rotations(a: i16, b: u8) -> i32 { a.rotate_left(3) as i32 ^ a.rotate_left(b as u32) as i32 ^ b.rotate_left(8) as i32 } }
form! { fn bit_counts(a: i16) -> u32 { a.count_ones() + a.leading_zeros() * 100 + a.trailing_zeros() * 10000 } }
form! { fn signs(a: i8) -> i8 { a.signum() } }
form! { fn roots(a: u16, b: u32) -> u32 { a.isqrt() as u32 ^ b.isqrt() } }
form! { fn halves(a: i8, b: i8) -> i8 { a.halving_add(b) ^ a.rounding_halving_add(b) ^ a.mul_high(b) ^ a.rounding_shr(3) } }
form! { fn casts(a: i16) -> u8 { let p: u8 = a.saturating_cast(); let q: u8 = a.wrapping_cast(); p ^ q ^ a.saturating_cast::<u8>() } }
form! { fn float_arithmetic(a: f32, b: f32) -> f32 { (a + b) * (a - 2.0) / -b } }
form! { fn float_rounding(a: f32) -> f32 { a.floor() + a.ceil() * 2.0 + a.trunc() * 4.0 + a.round_ties_even() } }
form! { fn float_functions(a: f32, b: f32) -> f32 { a.abs().sqrt().mul_add(b, 1.5) } }
form! { fn float_bits(a: f32) -> u32 { a.to_bits() ^ f32::from_bits(7).to_bits() } }
form! { fn float_to_integers(a: f32) -> i32 { (a as u8 as i32) ^ (a as i16 as i32) ^ (a as i32) } }
form! { fn integers_to_float(a: i32, b: u8) -> f32 { a as f32 + b as f32 + f32::from(b) } }
form! { fn float_comparisons(a: f32, b: f32) -> u8 { (a < b) as u8 + (a <= b) as u8 * 2 + (a == b) as u8 * 4 + (a != b) as u8 * 8 + a.is_nan() as u8 * 16 } }
form! { fn float_constants(a: f32) -> f32 { a * core::f32::consts::PI + f32::MAX - f32::EPSILON } }
form! { fn integer_constants(a: u8) -> u32 { u16::MAX as u32 + u8::BITS + a as u32 + i8::MIN.unsigned_abs() as u32 } }
form! { fn conversions_from(a: u8) -> i32 { i32::from(a) + i32::from(a > 3) + u16::from(a) as i32 } }
form! { fn paths_as_functions(a: u8, b: u8) -> u8 { u8::min(a, b) ^ u8::abs_diff(a, b) ^ u8::saturating_add(a, b) } }
form! { fn literals(a: u8) -> i32 { 0xff + 0b11 + 0o17 + 1_000 + b'a' as i32 - 1i32 + a as i32 } }
form! { fn literals_fall_back_to_i32(a: u8) -> i32 { let v = 5; let w = v * 2; w + a as i32 } }
form! { fn literals_take_their_neighbours_type(a: u8) -> u16 { let mut s = 0; s += a as u16; s + 1 } }
form! { fn pixels([r, g, b]: [u8; 3]) -> [u8; 3] { [b, r / 2, g.max(b)] } }
form! { fn pixel_as_array(p: [u8; 4]) -> u16 { let mut s = 0; for v in p { s += v as u16; } s } }
form! { fn several_outputs(a: i16, b: i16) -> (i16, [i16; 2]) { (a.min(b), [b, a]) } }
form! { fn taps(src: Neighbourhood<u8>) -> u16 { src.at(-1, 0) as u16 + 2 * src.at(0, 3) as u16 } }
form! { fn windows(src: Neighbourhood<u8>) -> u16 { let w = src.window::<3, 2>(); w[0][0] as u16 + 2 * w[1][2] as u16 } }
form! { fn windows_in_loops(src: Neighbourhood<i16>) -> i32 { let mut s = 0; for (row, k) in src.window::<3, 3>().into_iter().zip([[1, 2, 1], [0, 0, 0], [-1, -2, -1]]) { for (p, c) in row.into_iter().zip(k) { s += p as i32 * c; } } s } }
form! { fn neighbourhoods_are_passed(src: Neighbourhood<u8>) -> u8 { let f = |s: Neighbourhood<u8>, dx: i32| s.at(dx, 1); f(src, 1).max(f(src, -1)) } }
form! { fn two_neighbourhoods(a: Neighbourhood<u8>, b: Neighbourhood<u8>) -> u8 { a.at(1, 0).abs_diff(b.at(0, 1)) } }
