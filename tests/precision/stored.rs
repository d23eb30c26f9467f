//! What is stored in halves and computed in floats equals the reference on rounded inputs, rounded.

use crate::{
    Rounded, contexts, floats,
    kernels::{
        above, accumulate, add, affine, convolve5x5, gaussian3x3, half_scale_bilinear, leaky_relu, luma, mean3x3,
        multiply, quotient_and_root, sobel3x3, widen,
    },
};
use half::f16;
use windrow::{
    Border, Tensor,
    opencl::{OpenClKernel, Precision},
};
use windrow_operators::{bounded_relu, pack_channels, relu, unpack_channels};

/// Runs `kernel` in every schedule on `inputs`, stored in halves: equal to the reference on the rounded inputs, rounded.
macro_rules! equal {
    ($kernel:expr, [$($input:ident),+], [$($output:ident: $ty:ty),+], $extents:expr) => {{
        let configured = $kernel;
        let mut expected = ($(Tensor::<$ty>::new($extents).unwrap()),+,);
        {
            $(let $input = $input.rounded();)+
            let ($($output),+,) = &mut expected;
            configured.run_reference(($($input.view()),+), ($($output.view_mut()),+)).unwrap();
        }
        let expected = { let ($($output),+,) = &expected; [$($output.rounded().bits()),+] };
        for context in contexts() {
            let mut kernel =
                OpenClKernel::with_precision(&context, configured.clone(), Precision::F16Storage).unwrap();
            assert_eq!(kernel.effective_precision().effective, Some(Precision::F16Storage));
            for schedule in 0..kernel.schedules().count() {
                kernel.set_schedule(schedule).unwrap();
                $(let mut $output = Tensor::<$ty>::new($extents).unwrap();)+
                kernel.run(($($input.view()),+), ($($output.view_mut()),+)).unwrap();
                for (found, expected) in [$($output.bits()),+].iter().zip(&expected) {
                    let wrong = found.iter().zip(expected).position(|(found, expected)| found != expected);
                    let values = wrong.map(|k| [f32::from_bits(found[k]), f32::from_bits(expected[k])]);
                    assert_eq!(wrong, None, "{values:?}, schedule {schedule}, {}", stringify!($kernel));
                }
            }
        }
    }};
}

const SIZES: [[usize; 2]; 3] = [[18, 64], [11, 37], [2, 3]];

#[test]
fn operators_of_elements_equal_the_rounded_reference() {
    for size in SIZES {
        let [a, b, c, d] = [1, 2, 3, 4].map(|seed| floats(seed, size));
        let info = a.info();
        equal!(relu::configure(info, info).unwrap(), [a], [out: f32], size);
        equal!(bounded_relu::configure(info, 6.0, info).unwrap(), [a], [out: f32], size);
        equal!(leaky_relu::configure(info, 0.1, info).unwrap(), [a], [out: f32], size);
        equal!(affine::configure(info, 1.3, -0.7, info).unwrap(), [a], [out: f32], size);
        equal!(add::configure(info, info, info).unwrap(), [a, b], [out: f32], size);
        equal!(multiply::configure(info, info, info).unwrap(), [a, b], [out: f32], size);
        equal!(quotient_and_root::configure(info, info, info, info).unwrap(), [a, b], [q: f32, r: f32], size);
        let packed = Tensor::<[f32; 4]>::new(size).unwrap();
        let unpack = unpack_channels::configure(packed.info(), info, Some(info), Some(info), Some(info)).unwrap();
        let pack = pack_channels::configure(info, info, info, info, packed.info()).unwrap();
        for context in contexts() {
            let precision = Precision::F16Storage;
            let mut there = packed.clone();
            let kernel = OpenClKernel::with_precision(&context, pack.clone(), precision).unwrap();
            kernel.run((a.view(), b.view(), c.view(), d.view()), there.view_mut()).unwrap();
            let mut back = [(); 4].map(|()| Tensor::<f32>::new(size).unwrap());
            let [p, q, r, s] = &mut back;
            let kernel = OpenClKernel::with_precision(&context, unpack.clone(), precision).unwrap();
            kernel
                .run(there.view(), (p.view_mut(), Some(q.view_mut()), Some(r.view_mut()), Some(s.view_mut())))
                .unwrap();
            assert_eq!(back.map(|plane| plane.bits()), [&a, &b, &c, &d].map(|plane| plane.rounded().bits()));
        }
    }
}

#[test]
fn operators_of_neighbourhoods_equal_the_rounded_reference() {
    let k = std::array::from_fn(|y| std::array::from_fn(|x| (x as f32 - 1.7) * 0.11 + y as f32 * 0.05));
    for border in [Border::Replicate, Border::Constant(0.1f32.into()), Border::Reflect101] {
        for size in SIZES {
            let a = floats(5, size);
            let info = a.info();
            equal!(mean3x3::configure(info, info, border).unwrap(), [a], [out: f32], size);
            equal!(gaussian3x3::configure(info, info, border).unwrap(), [a], [out: f32], size);
            equal!(sobel3x3::configure(info, info, info, border).unwrap(), [a], [dx: f32, dy: f32], size);
            equal!(convolve5x5::configure(info, k, info, border).unwrap(), [a], [out: f32], size);
            let half = [size[0].div_ceil(2), size[1].div_ceil(2)];
            let out = Tensor::<f32>::new(half).unwrap();
            equal!(half_scale_bilinear::configure(info, out.info(), border).unwrap(), [a], [out: f32], half);
        }
    }
}

#[test]
fn integers_beside_floats_stay_as_they_are() {
    for size in SIZES {
        let a = floats(6, size);
        let bytes = Tensor::<u8>::from_fn(size, |[y, x]| (x * 31 + y * 57) as u8).unwrap();
        let configured = above::configure(a.info(), 0.3, bytes.info(), a.info()).unwrap();
        equal!(configured, [a], [above: u8, excess: f32], size);
        equal!(widen::configure(bytes.info(), 0.3, a.info()).unwrap(), [bytes], [out: f32], size);
        let pixels = Tensor::<[f32; 3]>::from_fn(size, |[y, x]| [x as f32 * 0.37, y as f32 * 1.9, 3.3]).unwrap();
        let halves = Tensor::<[f32; 3]>::from_fn(size, |[y, x]| {
            [x as f32 * 0.37, y as f32 * 1.9, 3.3].map(|float| f16::from_f32(float).to_f32())
        });
        let configured = luma::configure(pixels.info(), a.info()).unwrap();
        let [mut expected, mut found] = [(); 2].map(|()| Tensor::<f32>::new(size).unwrap());
        configured.run_reference(halves.unwrap().view(), expected.view_mut()).unwrap();
        for context in contexts() {
            let precision = Precision::F16Storage;
            let kernel = OpenClKernel::with_precision(&context, configured.clone(), precision).unwrap();
            kernel.run(pixels.view(), found.view_mut()).unwrap();
            assert_eq!(found.bits(), expected.rounded().bits());
        }
    }
}

#[test]
fn images_in_place_and_images_that_repeat_lie_in_halves_too() {
    let size = [9, 37];
    for context in contexts() {
        let (start, x) = (floats(7, size).rounded(), floats(8, size));
        let configured = accumulate::configure(start.info(), x.info()).unwrap();
        let kernel = OpenClKernel::with_precision(&context, configured.clone(), Precision::F16Storage).unwrap();
        let (mut found, mut expected) = (start.clone(), start.clone());
        kernel.run(x.view(), found.view_mut()).unwrap();
        configured.run_reference(x.rounded().view(), expected.view_mut()).unwrap();
        assert_eq!(found.bits(), expected.rounded().bits());
        for small in [[1, 37], [9, 1], [1, 1]] {
            let (a, b) = (floats(9, size), floats(10, small));
            let configured = add::configure(a.info(), b.info(), a.info()).unwrap();
            let kernel = OpenClKernel::with_precision(&context, configured.clone(), Precision::F16Storage).unwrap();
            configured.run_reference((a.rounded().view(), b.rounded().view()), expected.view_mut()).unwrap();
            for _ in 0..2 {
                kernel.run((a.view(), b.view()), found.view_mut()).unwrap();
                assert_eq!(found.bits(), expected.rounded().bits(), "{small:?}");
            }
        }
    }
}
