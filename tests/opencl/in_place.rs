//! Kernels of several outputs, one of which lies where an input does that the others are computed from too: a work-item loads
//! all of its block before it stores any of it.

use crate::case::{contexts, image, read};
use windrow::{
    Border, RunError, Tensor,
    opencl::{DeviceImage, OpenClError, OpenClKernel},
    prelude::*,
};

/// The output in place comes first, and the other one needs what it overwrites. In words of pairs, too.
#[kernel(types(T = u8, u16), output(sum, before), schedule(opencl(4, 8), opencl(16, 1)))]
pub fn update(#[inout] sum: T, src: Neighbourhood<T>) -> (T, T) {
    let around = src.at(0, -1).max(src.at(0, 1)).min(src.at(1, 0));
    (sum.max(around), sum.min(src.at(0, 0)))
}

/// The same of elements alone, in floats, with a block that the emitter chooses.
#[kernel(output(sum, before, both))]
pub fn blend(#[inout] sum: f32, x: f32) -> (f32, f32, f32) {
    (0.5 * (sum + x), sum, sum * x)
}

/// Two of them in place.
#[kernel(output(low, high), schedule(opencl(8, 4), opencl(1, 1)))]
pub fn order(#[inout] low: u8, #[inout] high: u8) -> (u8, u8) {
    (low.min(high), low.max(high))
}

const SIZES: [[usize; 2]; 3] = [[24, 64], [11, 37], [2, 3]];

/// Runs a kernel in every schedule, its outputs in place of copies: what the author's function gives.
macro_rules! equal {
    ($configured:expr, ($($input:expr),*), [$($output:ident),+]) => {
        for context in contexts() {
            let configured = $configured;
            let expected = {
                $(let mut $output = $output.clone();)+
                configured.run_reference(($($input.view()),*), ($($output.view_mut()),+)).unwrap();
                [$($output.to_vec()),+]
            };
            let mut kernel = OpenClKernel::new(&context, configured).unwrap();
            for schedule in 0..kernel.schedules().count() {
                kernel.set_schedule(schedule).unwrap();
                $(let mut $output = $output.clone();)+
                kernel.run(($($input.view()),*), ($($output.view_mut()),+)).unwrap();
                let (x, y) = kernel.schedules().nth(schedule).unwrap();
                assert_eq!([$($output.to_vec()),+], expected, "schedule {schedule}, {x}×{y}, on {}", context.device());
            }
        }
    };
}

#[test]
fn what_another_output_needs_is_read_before_it_is_overwritten() {
    for size in SIZES {
        let [sum, src] = [image(1, size), image(2, size)];
        let (info, before, high) = (sum.info(), sum.clone(), src.clone());
        equal!(update::<u8>::configure(src.info(), info, info, Border::Replicate).unwrap(), (src), [sum, before]);
        equal!(order::configure(info, info).unwrap(), (), [sum, high]);
        let words = |seed| Tensor::<u16>::from_fn(size, |[y, x]| (x * 3_001 + y * 17_077 + seed) as u16).unwrap();
        let [sum, src, before] = [1, 2, 3].map(words);
        let info = sum.info();
        equal!(update::<u16>::configure(info, info, info, Border::Wrap).unwrap(), (src), [sum, before]);
        let floats = |seed| Tensor::<f32>::from_fn(size, |[y, x]| (x * 31 + y * 57) as f32 * 0.37 - seed).unwrap();
        let [sum, x, before, both] = [1.0, 2.0, 3.0, 4.0].map(floats);
        let info = sum.info();
        equal!(blend::configure(info, info, info, info).unwrap(), (x), [sum, before, both]);
    }
}

#[test]
fn an_output_in_the_place_of_another_image_is_refused() {
    for context in contexts() {
        let (old, around) = (image(1, [6, 40]), image(2, [6, 40]));
        let configured = update::<u8>::configure(around.info(), old.info(), old.info(), Border::Replicate).unwrap();
        let kernel = OpenClKernel::new(&context, configured).unwrap();
        let [place, other, around] =
            [&old, &old, &around].map(|image| DeviceImage::upload(&context, &image.view().any()).unwrap());
        let run = |outputs: [&DeviceImage; 2]| {
            kernel.run_on(std::slice::from_ref(&around), &[], &outputs.map(|image| Some(image.clone())))
        };
        for outputs in [[&place, &place], [&place, &around], [&around, &other]] {
            let refused = run(outputs);
            assert!(matches!(refused, Err(OpenClError::Run(RunError::Overlap { .. }))), "{refused:?}");
        }
        run([&place, &other]).unwrap();
        assert_eq!(read(&other).len(), 240);
    }
}
