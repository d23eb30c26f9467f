//! Computing in halves, on OpenCL devices that have `cl_khr_fp16`: each operation gives the half that is nearest to its exact
//! result. Silent where no device computes in halves; else it prints which one did.

use crate::{
    kernels::{accumulate, add, affine, convolve5x5, gaussian3x3, leaky_relu, mean3x3, multiply, quotient_and_root},
    open,
};
use half::f16;
use std::ops::{Add, Div, Mul, Neg, Sub};
use windrow::{
    Border, Tensor,
    opencl::{BuildError, Device, EffectivePrecision, FloatFormat, Numerics, OpenClError, OpenClKernel, Precision},
    prelude::*,
};

/// Operations that the other kernels lack.
#[kernel(output(fused, difference, least, greatest, floor, nearest))]
pub fn operations(a: f32, b: f32) -> (f32, f32, f32, f32, f32, f32) {
    (a.mul_add(b, a), a - b, a.min(b), a.max(b), a.floor(), a.round_ties_even())
}

/// To integers and back.
#[kernel(output(byte, word, back))]
pub fn converted(a: f32, n: u16) -> (u8, i32, f32) {
    (a as u8, a as i32, n as f32)
}

/// A half, and whether a denormal has gone into it: a device may have taken that for zero.
#[derive(Clone, Copy, Debug)]
struct Half {
    value: f16,
    met_denormal: bool,
}

impl Half {
    fn of(value: f16) -> Self {
        Self { value, met_denormal: value.classify() == std::num::FpCategory::Subnormal }
    }

    /// A float of the host's, as it reaches the device.
    fn from_f32(float: f32) -> Self {
        Self::of(f16::from_f32(float))
    }

    fn from_operands<const N: usize>(value: f16, operands: [Self; N]) -> Self {
        let of = Self::of(value);
        Self { met_denormal: of.met_denormal || operands.iter().any(|half| half.met_denormal), ..of }
    }

    /// An operation whose result as a float, rounded once more, is the nearest half: a float has more than twice its bits.
    fn by(self, other: Self, operation: fn(f32, f32) -> f32) -> Self {
        let float = operation(self.value.to_f32(), other.value.to_f32());
        Self::from_operands(f16::from_f32(float), [self, other])
    }

    fn map(self, operation: fn(f32) -> f32) -> Self {
        Self::from_operands(f16::from_f32(operation(self.value.to_f32())), [self])
    }

    /// `self · b + c`. The product is exact as a double; the sum is rounded to an odd float, and so can be rounded again.
    fn mul_add(self, b: Self, c: Self) -> Self {
        let (product, addend) = (self.value.to_f64() * b.value.to_f64(), c.value.to_f64());
        let sum = product + addend;
        let back = sum - product;
        let near = sum as f32;
        let lost = sum - f64::from(near) + ((product - (sum - back)) + (addend - back));
        let odd = match lost != 0.0 && near.is_finite() && near.to_bits() & 1 == 0 {
            true if (lost > 0.0) == (near > 0.0) => f32::from_bits(near.to_bits() + 1),
            true => f32::from_bits(near.to_bits() - 1),
            false => near,
        };
        Self::from_operands(f16::from_f32(odd), [self, b, c])
    }

    /// The bits of a float on the host; those of NaNs are all the same.
    fn bits(self) -> u32 {
        bits(self.value.to_f32())
    }
}

macro_rules! operators {
    ($($operator:ident $method:ident),*) => {$(
        impl $operator for Half {
            type Output = Self;

            fn $method(self, other: Self) -> Self {
                self.by(other, $operator::$method)
            }
        }
    )*};
}

operators! { Add add, Sub sub, Mul mul, Div div }

impl Neg for Half {
    type Output = Self;

    fn neg(self) -> Self {
        self.map(|float| -float)
    }
}

fn bits(float: f32) -> u32 {
    if float.is_nan() { u32::MAX } else { float.to_bits() }
}

/// Devices that compute in halves, rounding to the nearest, with infinities and NaNs.
fn devices() -> Vec<Device> {
    let rounds = |device: &Device| device.half.is_some_and(|half| half.rounds_to_nearest && half.infinities_and_nans);
    let (with, without): (Vec<Device>, Vec<Device>) = crate::devices().into_iter().partition(rounds);
    without.iter().for_each(|device| eprintln!("not run: {device} does not compute in halves"));
    with.iter().for_each(|device| eprintln!("in halves: {device}"));
    with
}

/// What was found, element by element, against what each element should be.
fn compare(device: &Device, what: &str, found: &[u32], expected: impl Iterator<Item = Half>) {
    let keeps_denormals = device.half.is_some_and(|half| half.denormals);
    let mut compared = 0;
    for (place, (&found, expected)) in found.iter().zip(expected).enumerate() {
        if keeps_denormals || !expected.met_denormal {
            let values = [f32::from_bits(found), expected.value.to_f32()];
            assert_eq!(found, expected.bits(), "{what}, element {place}: {values:?} (found, expected) on {device}");
            compared += 1;
        }
    }
    assert!(2 * compared > found.len(), "{what}: of {} elements only {compared} meet no denormal", found.len());
}

/// Runs a kernel of floats in every schedule: each output as the functions of an element's index say.
macro_rules! computed {
    ($kernel:expr, $inputs:expr, [$($output:ident: $expected:expr),+], $extents:expr) => {{
        let configured = $kernel;
        for device in devices() {
            let mut kernel = OpenClKernel::new(&open(&device, Numerics::Relaxed, Precision::F16), configured.clone()).unwrap();
            let precision = EffectivePrecision { requested: Precision::F16, effective: Some(Precision::F16) };
            assert_eq!((kernel.effective_precision(), kernel.format()), (precision, FloatFormat::F16));
            for schedule in 0..kernel.schedules().count() {
                kernel.set_schedule(schedule).unwrap();
                $(let mut $output = Tensor::<f32>::new($extents).unwrap();)+
                kernel.run($inputs, ($($output.view_mut()),+)).unwrap();
                let count = $extents[0] * $extents[1];
                $({
                    let found: Vec<u32> = $output.to_vec().into_iter().map(bits).collect();
                    let expected = $expected;
                    let what = format!("{} of {}, schedule {schedule}", stringify!($output), stringify!($kernel));
                    compare(&device, &what, &found, (0..count).map(|place| expected(place)));
                })+
            }
        }
    }};
}

/// Bits that look random.
fn noise(place: usize, seed: u32) -> u32 {
    let mixed = (place as u32).wrapping_mul(0x9e37_79b9) ^ seed.wrapping_mul(0x85eb_ca6b);
    let mixed = (mixed ^ mixed >> 16).wrapping_mul(0xc2b2_ae35);
    mixed ^ mixed >> 13
}

/// How often an image holds all halves.
const TIMES: usize = 8;
const ALL: [usize; 2] = [256 * TIMES, 256];

/// An image of halves in some order.
fn halves(order: impl Fn(usize) -> u16) -> Tensor<f32> {
    Tensor::from_fn(ALL, |[y, x]| f16::from_bits(order(256 * y + x)).to_f32()).unwrap()
}

/// Every half, again and again.
fn every() -> Tensor<f32> {
    halves(|place| place as u16)
}

/// Another half for each of them, such that quotients, sums and products are of all sizes.
fn others(seed: u32) -> Tensor<f32> {
    halves(|place| {
        let noise = noise(place, seed);
        // Every second one is of about the same size, where sums cancel and quotients are near one.
        if noise & 1 << 16 == 0 { (place as u16 & 0x7c00) ^ (noise as u16 & 0x83ff) } else { noise as u16 }
    })
}

fn elements(image: &Tensor<f32>) -> Vec<Half> {
    image.to_vec().into_iter().map(Half::from_f32).collect()
}

/// minimumNumber.
fn least(a: f32, b: f32) -> f32 {
    match (a.is_nan(), b.is_nan()) {
        (true, _) => b,
        (false, true) => a,
        (false, false) if a == b => {
            if a.is_sign_negative() {
                a
            } else {
                b
            }
        }
        (false, false) => a.min(b),
    }
}

#[test]
fn operations_give_the_nearest_halves() {
    let (a, b) = (every(), others(0));
    let (info, left, right) = (a.info(), elements(&a), elements(&b));
    let of = |operation: fn(Half, Half) -> Half| {
        let (left, right) = (&left, &right);
        move |place: usize| operation(left[place], right[place])
    };
    let both = || (a.view(), b.view());
    computed!(add::configure(info, info, info).unwrap(), both(), [sum: of(|a, b| a + b)], ALL);
    computed!(multiply::configure(info, info, info).unwrap(), both(), [product: of(|a, b| a * b)], ALL);
    let configured = quotient_and_root::configure(info, info, info, info).unwrap();
    let root = of(|a, _| a.map(|float| float.abs().sqrt()));
    computed!(configured, both(), [quotient: of(|a, b| a / b), squared: root], ALL);
    let configured = operations::configure(info, info, info, info, info, info, info, info).unwrap();
    computed!(configured, both(), [
        fused: of(|a, b| a.mul_add(b, a)),
        difference: of(|a, b| a - b),
        lesser: of(|a, b| a.by(b, least)),
        greater: of(|a, b| a.by(b, |a, b| -least(-a, -b))),
        floor: of(|a, _| a.map(f32::floor)),
        nearest: of(|a, _| a.map(f32::round_ties_even))
    ], ALL);
}

#[test]
fn uniforms_are_rounded_once_and_sums_of_products_twice() {
    let a = every();
    let (info, left) = (a.info(), elements(&a));
    let [scale, offset, slope] = [1.3, -0.7, 0.1].map(Half::from_f32);
    let scaled = |place: usize| scale * left[place] + offset;
    computed!(affine::configure(info, 1.3, -0.7, info).unwrap(), a.view(), [out: scaled], ALL);
    let leaked = |place: usize| {
        let x = left[place];
        if x.value < f16::ZERO { slope * x } else { x }
    };
    computed!(leaky_relu::configure(info, 0.1, info).unwrap(), a.view(), [out: leaked], ALL);
}

#[test]
fn integers_saturate_and_come_back_as_the_nearest_halves() {
    let a = every();
    let n = Tensor::<u16>::from_fn(ALL, |[y, x]| (256 * y + x) as u16).unwrap();
    let bytes = Tensor::<u8>::new(ALL).unwrap();
    let words = Tensor::<i32>::new(ALL).unwrap();
    let configured = converted::configure(a.info(), n.info(), bytes.info(), words.info(), a.info()).unwrap();
    for device in devices() {
        let kernel = OpenClKernel::new(&open(&device, Numerics::Relaxed, Precision::F16), configured.clone()).unwrap();
        let (mut byte, mut word, mut back) = (bytes.clone(), words.clone(), a.clone());
        kernel.run((a.view(), n.view()), (byte.view_mut(), word.view_mut(), back.view_mut())).unwrap();
        let expected: Vec<u8> = a.to_vec().into_iter().map(|float| float as u8).collect();
        assert!(byte.to_vec() == expected, "bytes on {device}");
        let expected: Vec<i32> = a.to_vec().into_iter().map(|float| float as i32).collect();
        assert!(word.to_vec() == expected, "words on {device}");
        let found: Vec<u32> = back.to_vec().into_iter().map(bits).collect();
        compare(&device, "back", &found, n.to_vec().into_iter().map(|n| Half::from_f32(f32::from(n))));
    }
}

/// The element of a row-major image `dx`, `dy` beside another; outside it the nearest.
fn beside(image: &[Half], extents: [usize; 2], place: usize, dx: i32, dy: i32) -> Half {
    let clamped = |at: usize, by: i32, length: usize| (at as i32 + by).clamp(0, length as i32 - 1) as usize;
    let [height, width] = extents;
    image[clamped(place / width, dy, height) * width + clamped(place % width, dx, width)]
}

#[test]
fn neighbourhoods_are_summed_in_the_order_of_the_text() {
    let k: [[f32; 5]; 5] = std::array::from_fn(|y| std::array::from_fn(|x| (x as f32 - 1.7) * 0.11 + y as f32 * 0.05));
    let extents = [18, 61];
    let a = Tensor::from_fn(extents, |[y, x]| {
        let noise = noise(64 * y + x, 5);
        f16::from_f32((noise >> 8) as f32 / (1 << 18) as f32 - 32.0).to_f32()
    });
    let a = a.unwrap();
    let (info, image) = (a.info(), elements(&a));
    let at = |place: usize| {
        let image = &image;
        move |dx, dy| beside(image, extents, place, dx, dy)
    };
    let number = Half::from_f32;
    let gaussian = |place: usize| {
        let row = |dy| at(place)(-1, dy) + number(2.0) * at(place)(0, dy) + at(place)(1, dy);
        (row(-1) + number(2.0) * row(0) + row(1)) * number(0.0625)
    };
    computed!(gaussian3x3::configure(info, info, Border::Replicate).unwrap(), a.view(), [out: gaussian], extents);
    let mean = |place: usize| {
        let offsets = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
        offsets.fold(number(0.0), |sum, (dx, dy)| sum + at(place)(dx, dy)) / number(9.0)
    };
    computed!(mean3x3::configure(info, info, Border::Replicate).unwrap(), a.view(), [out: mean], extents);
    let convolved = |place: usize| {
        let taps = (0..5).flat_map(|y| (0..5).map(move |x| (x, y)));
        taps.fold(number(0.0), |sum, (x, y)| sum + number(k[y][x]) * at(place)(2 - x as i32, 2 - y as i32))
    };
    computed!(convolve5x5::configure(info, k, info, Border::Replicate).unwrap(), a.view(), [out: convolved], extents);
}

#[test]
fn images_in_place_are_halves() {
    let (start, x) = (others(3), others(4));
    let configured = accumulate::configure(start.info(), x.info()).unwrap();
    let (sums, others) = (elements(&start), elements(&x));
    for device in devices() {
        let kernel = OpenClKernel::new(&open(&device, Numerics::Relaxed, Precision::F16), configured.clone()).unwrap();
        let mut out = start.clone();
        kernel.run(x.view(), out.view_mut()).unwrap();
        let found: Vec<u32> = out.to_vec().into_iter().map(bits).collect();
        compare(&device, "accumulate", &found, sums.iter().zip(&others).map(|(sum, x)| *sum + *x));
    }
}

/// What a device's halves don't keep is an error in strict mode, and a report in the other.
#[test]
fn what_halves_do_not_keep_is_refused_or_reported() {
    let a = every();
    let configured = quotient_and_root::configure(a.info(), a.info(), a.info(), a.info()).unwrap();
    for device in devices() {
        let kept = device.half.unwrap();
        let kernel = OpenClKernel::new(&open(&device, Numerics::Relaxed, Precision::F16), configured.clone()).unwrap();
        let numerics = kernel.effective_numerics();
        let expected: &[&str] = if kept.denormals { &[] } else { &["denormals"] };
        assert_eq!(numerics.lacks(), expected);
        eprintln!("{device}: {} ({numerics:?})", kernel.effective_precision());
        match OpenClKernel::new(&open(&device, Numerics::Strict, Precision::F16), configured.clone()) {
            Ok(_) => assert!(kept.denormals),
            Err(OpenClError::Build(BuildError::Inexact { lacks, .. })) => assert_eq!(lacks, expected),
            Err(error) => panic!("{error}"),
        }
    }
}
