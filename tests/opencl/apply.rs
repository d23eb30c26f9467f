//! `k::apply` on tensors that lie on a device gives what it gives on the processor.

use crate::case::contexts;
use std::fmt::Debug;
use windrow::{
    Border, Element, Error, RunError, Tensor, ValidRegion,
    opencl::{DeviceTensor, Gpu, MapAccess},
};
use windrow_operators::{
    accumulate_squared, accumulate_weighted, add_widening, convolve3x3, gaussian3x3, half_scale_gaussian5x5, sobel3x3,
    table_lookup,
};

fn photo(seed: usize) -> Tensor<u8> {
    Tensor::from_fn([23, 37], |[y, x]| (x * 31 + y * 17 + x * y + seed) as u8).unwrap()
}

/// The elements where they are valid, and which these are.
fn valid<T: Element + PartialEq + Debug>(tensor: &Tensor<T>) -> (ValidRegion, Vec<Option<T>>) {
    let region = tensor.info().valid_region();
    let (rows, columns) = (0..tensor.info().height(), tensor.info().width());
    let at = |y: usize, x: usize| region.contains(&[y, x]).then(|| tensor.view().get([y, x]).unwrap());
    (region, rows.flat_map(|y| (0..columns).map(move |x| (y, x))).map(|(y, x)| at(y, x)).collect())
}

#[test]
fn one_image_gives_one() {
    for context in contexts() {
        let (gpu, photo) = (Gpu::new(&context), photo(0));
        let on_gpu = gpu.upload(&photo).unwrap();
        for border in [Border::Replicate, Border::Undefined, Border::Reflect101] {
            let blurred: DeviceTensor<u8> = gaussian3x3::apply(&on_gpu, border).unwrap();
            let expected = gaussian3x3::apply(&photo, border).unwrap();
            assert_eq!(valid(&blurred.download().unwrap()), valid(&expected), "{border}");
            // What is undefined stays so through the next kernel.
            let (half, expected) = (
                half_scale_gaussian5x5::apply(&blurred, Border::Undefined).unwrap(),
                half_scale_gaussian5x5::apply(&expected, Border::Undefined).unwrap(),
            );
            assert_eq!(valid(&half.download().unwrap()), valid(&expected), "{border}");
        }
    }
}

#[test]
fn several_inputs_and_several_outputs() {
    for context in contexts() {
        let gpu = Gpu::new(&context);
        let (a, b) = (photo(0), Tensor::from_fn([1, 37], |[_, x]| (3 * x) as u8).unwrap());
        let [on_gpu, row] = [&a, &b].map(|tensor| gpu.upload(tensor).unwrap());
        // One row stands for all.
        let sum: Tensor<i16> = add_widening::apply(&on_gpu, &row).unwrap().download().unwrap();
        assert_eq!(sum.to_vec(), add_widening::apply(&a, &b).unwrap().to_vec());
        let (dx, dy) = sobel3x3::apply(&on_gpu, Border::Replicate).unwrap();
        let (x, y) = sobel3x3::apply(&a, Border::Replicate).unwrap();
        assert_eq!((dx.download().unwrap().to_vec(), dy.download().unwrap().to_vec()), (x.to_vec(), y.to_vec()));
        // An output that is left out, and one that is the caller's.
        let mut only = gpu.tensor::<i16, 2>([23, 37]).unwrap();
        sobel3x3::apply_into(&on_gpu, None, Some(&mut only), Border::Replicate).unwrap();
        assert_eq!(only.download().unwrap().to_vec(), y.to_vec());
    }
}

#[test]
fn tables_uniforms_and_images_changed_in_place() {
    for context in contexts() {
        let (gpu, photo) = (Gpu::new(&context), photo(5));
        let on_gpu = gpu.upload(&photo).unwrap();
        let table: Vec<u8> = (0..=255).rev().collect();
        let negative = table_lookup::apply(&on_gpu, &table).unwrap().download().unwrap();
        assert_eq!(negative.to_vec(), table_lookup::apply(&photo, &table).unwrap().to_vec());
        let refused = table_lookup::apply(&on_gpu, &table[1..]).unwrap_err();
        assert!(matches!(refused, Error::Run(RunError::Table { found: 255, expected: 256, .. })), "{refused}");
        let (matrix, scale) = ([[1, 2, 1], [0, 0, 0], [-1, -2, -1]], 4);
        let edges = convolve3x3::<u8>::apply(&on_gpu, matrix, scale, Border::Replicate).unwrap();
        let expected = convolve3x3::<u8>::apply(&photo, matrix, scale, Border::Replicate).unwrap();
        assert_eq!(edges.download().unwrap().to_vec(), expected.to_vec());
        let mut sum = Tensor::<i16>::from_fn([23, 37], |[y, x]| (y * x) as i16).unwrap();
        let mut on_device = gpu.upload(&sum).unwrap();
        for _ in 0..2 {
            accumulate_squared::apply(&on_gpu, 3, &mut on_device).unwrap();
            accumulate_squared::apply(&photo, 3, &mut sum).unwrap();
        }
        assert_eq!(on_device.download().unwrap().to_vec(), sum.to_vec());
        let mut mean = Tensor::<u8>::new([23, 37]).unwrap();
        let mut on_device = gpu.upload(&mean).unwrap();
        accumulate_weighted::apply(&on_gpu, 0.25, &mut on_device).unwrap();
        accumulate_weighted::apply(&photo, 0.25, &mut mean).unwrap();
        assert_eq!(on_device.download().unwrap().to_vec(), mean.to_vec());
    }
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    for context in contexts() {
        let gpu = Gpu::new(&context);
        let on_gpu = gpu.upload(&photo(0)).unwrap();
        let small = gpu.upload(&Tensor::<u8>::new([4, 5]).unwrap()).unwrap();
        let refused = add_widening::apply(&on_gpu, &small).unwrap_err();
        assert!(matches!(refused, Error::Configuration(_)), "{refused}");
        // The clone is the same memory.
        let mut same = on_gpu.clone();
        let refused = gaussian3x3::apply_into(&on_gpu, &mut same, Border::Replicate).unwrap_err();
        assert!(refused.to_string().contains("share"), "{refused}");
        let mapped = on_gpu.map(MapAccess::Write).unwrap();
        let refused = gaussian3x3::apply(&on_gpu, Border::Replicate).unwrap_err();
        assert!(refused.to_string().contains("mapped"), "{refused}");
        drop(mapped);
    }
}
