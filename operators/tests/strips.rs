//! Products whose strips are packed, against the authors' functions: the bits are the same on each tier and any number of threads,
//! wherever strips end, and however the tensors lie.

use std::error::Error;
use windrow::code::Kernel;
use windrow::schedule::{DynKernel, schedule, schedule_with_scratch, scratch_bytes};
use windrow::{Configured, Rayon, RunError, Serial, Tensor, Tier, View};
use windrow_operators::{conv2d, conv2d_bytes, dense_bytes, matrix_product, matrix_product_bytes};

type Outcome = Result<(), Box<dyn Error>>;

/// Numbers that repeat in no power of two.
fn numbers(extents: [usize; 2], factor: usize) -> Tensor<f32> {
    let number = |i: usize| (i * factor % 251) as f32 / 16.0 - 7.3;
    Tensor::from_fn(extents, |[y, x]| number(y * extents[1] + x)).unwrap()
}

/// Whether the bodies of vectors pack something: the plain one has no blocks.
fn packs<K: Kernel>(kernel: &Configured<K>, bound: &dyn DynKernel) -> bool {
    bound.scratch_per_thread() > 0 || kernel.tier() == Tier::Scalar
}

/// Runs a product on all tiers and several threads, and compares it with the author's function.
fn check(a: View<'_, f32>, b: View<'_, f32>, extents: [usize; 2]) -> Outcome {
    let mut expected = Tensor::<f32>::new(extents)?;
    let info = *expected.info();
    let configure = || matrix_product::configure(a.info(), b.info(), &info);
    configure()?.run_reference((a, b), &mut expected)?;
    let expected = expected.to_vec();
    let mut found = Tensor::<f32>::new(extents)?;
    for tier in configure()?.tiers() {
        let kernel = configure()?.with_tier(tier)?;
        for threads in [1, 2, 3] {
            let scheduler = Rayon::new().with_grain(64);
            scheduler.set_num_threads(threads);
            found.storage_mut().fill(f32::NAN);
            kernel.run(&scheduler, (a, b), &mut found)?;
            let differs =
                found.to_vec().iter().zip(&expected).position(|(own, expected)| own.to_bits() != expected.to_bits());
            assert_eq!(differs, None, "{tier:?}, {threads} threads, {extents:?}");
        }
    }
    Ok(())
}

#[test]
fn products_are_the_authors_wherever_strips_end() -> Outcome {
    // Columns of whole strips, of some more, of fewer than two, and of as few as no vector has; sums of few and of many terms.
    for [rows, columns, inner] in [
        [64, 128, 260],
        [67, 129, 300],
        [70, 161, 271],
        [130, 97, 512],
        [131, 33, 1100],
        [64, 1000, 40],
        [65, 9, 4000],
        [9, 700, 130],
    ] {
        let (a, b) = (numbers([rows, inner], 7), numbers([inner, columns], 5));
        check(a.view(), b.view(), [rows, columns])?;
    }
    Ok(())
}

#[test]
fn tensors_may_lie_in_any_way() -> Outcome {
    let (rows, columns, inner) = (72, 140, 261);
    let a = numbers([rows, inner], 7);
    let transposed = numbers([columns, inner], 5);
    check(a.view(), transposed.view().permute([1, 0])?, [rows, columns])?;
    let b = numbers([inner, columns], 5);
    check(a.view(), b.view().flip(1)?, [rows, columns])?;
    check(a.view(), b.view().flip(0)?, [rows, columns])?;
    let every_second = numbers([inner, 2 * columns], 5);
    check(a.view(), every_second.view().step(1, 2)?, [rows, columns])?;
    let row = numbers([1, columns], 5);
    check(a.view(), row.view().broadcast_to([inner, columns])?, [rows, columns])?;
    // An output with more columns than there are: they have those of the last one.
    check(a.view(), b.view(), [rows, columns + 70])?;
    Ok(())
}

#[test]
fn planes_have_strips_of_their_own() -> Outcome {
    let (planes, rows, columns, inner) = (3, 70, 131, 270);
    let of = |extents: [usize; 3], factor: usize| {
        Tensor::from_fn(extents, |[n, y, x]| ((n * 97 + y * 31 + x * factor) % 127) as f32 / 8.0 - 6.1)
    };
    let (a, b) = (of([planes, rows, inner], 7)?, of([planes, inner, columns], 5)?);
    let (mut found, mut expected) =
        (Tensor::<f32>::new([planes, rows, columns])?, Tensor::<f32>::new([planes, rows, columns])?);
    let kernel = matrix_product::configure(a.info(), b.info(), found.info())?;
    kernel.run_reference((&a, &b), &mut expected)?;
    for tier in kernel.tiers() {
        found.storage_mut().fill(0.0);
        let kernel = matrix_product::configure(a.info(), b.info(), found.info())?.with_tier(tier)?;
        kernel.run(&Serial, (&a, &b), &mut found)?;
        assert!(found.to_vec() == expected.to_vec(), "{tier:?}");
    }
    Ok(())
}

#[test]
fn weights_of_a_convolution_are_packed_once_for_all_rows() -> Outcome {
    let (side, channels, outputs) = (9, 40, 100);
    let number = |i: usize| (i * 7 % 11) as f32 / 4.0 - 1.1;
    let src = Tensor::from_fn([2, side, side, channels], |[n, y, x, c]| number(n * 31 + y * 17 + x * 5 + c))?;
    let weights = Tensor::from_fn([3, 3, channels, outputs], |[r, s, c, k]| number(r * 13 + s * 29 + c * 3 + k * 7))?;
    let bias = Tensor::from_fn([outputs], |[k]| number(k))?;
    let (mut found, mut expected) =
        (Tensor::<f32>::new([2, side, side, outputs])?, Tensor::<f32>::new([2, side, side, outputs])?);
    let info = *found.info();
    let configure = || conv2d::configure(src.info(), weights.info(), bias.info(), [1; 2], [1; 2], [1; 4], &info);
    let kernel = configure()?;
    kernel.run_reference((&src, &weights, &bias), &mut expected)?;
    for tier in kernel.tiers() {
        for threads in [1, 2] {
            let scheduler = Rayon::new().with_grain(64);
            scheduler.set_num_threads(threads);
            found.storage_mut().fill(f32::NAN);
            let kernel = configure()?.with_tier(tier)?;
            assert!(packs(&kernel, &kernel.bind((&src, &weights, &bias), &mut found)?), "{tier:?}");
            for kernel in [kernel.clone(), kernel.with_constant(1, weights.view())?] {
                found.storage_mut().fill(f32::NAN);
                kernel.run(&scheduler, (&src, &weights, &bias), &mut found)?;
                assert!(found.to_vec() == expected.to_vec(), "{tier:?}, {threads} threads");
            }
        }
    }
    Ok(())
}

#[test]
fn products_of_bytes_are_the_authors() -> Outcome {
    let byte = |i: usize| (i * 37 % 256) as u8 as i8;
    let a = Tensor::from_fn([70, 2000], |[y, x]| byte(y * 2000 + x))?;
    let b = Tensor::from_fn([2000, 90], |[y, x]| byte(y * 90 + x + 5))?;
    let (mut found, mut expected) = (Tensor::<i32>::new([70, 90])?, Tensor::<i32>::new([70, 90])?);
    let kernel = matrix_product_bytes::<i8>::configure(a.info(), b.info(), found.info())?;
    kernel.run_reference((&a, &b), &mut expected)?;
    for tier in kernel.tiers() {
        let kernel = matrix_product_bytes::<i8>::configure(a.info(), b.info(), found.info())?.with_tier(tier)?;
        kernel.run(&Serial, (&a, &b), &mut found)?;
        assert!(found.to_vec() == expected.to_vec(), "{tier:?}");
    }
    Ok(())
}

/// Whether a tier's bodies multiply bytes by fours.
fn multiplies_by_fours(tier: Tier) -> bool {
    matches!(tier, Tier::Avx512 | Tier::DotProd)
}

/// Products with constant weights, which are packed by fours where bodies multiply so: of any number of rows of weights, those that are
/// left over too, of columns that end in the middle of a vector, and of elements of both signs with a zero point.
#[test]
fn constant_bytes_are_packed_by_fours() -> Outcome {
    let byte = |i: usize| (i * 37 % 256) as u8;
    for [rows, columns, inner] in
        [[1, 64, 4], [9, 65, 31], [6, 128, 34], [13, 33, 129], [23, 16, 70], [8, 200, 17], [5, 7, 12], [30, 48, 3]]
    {
        let weights = Tensor::from_fn([inner, columns], |[c, k]| byte(c * columns + k + 5) as i8)?;
        let bias = Tensor::from_fn([columns], |[k]| k as i32 * 1_000_003)?;
        let signed = Tensor::from_fn([rows, inner], |[n, c]| byte(n * inner + 3 * c) as i8)?;
        let unsigned = Tensor::from_fn([rows, inner], |[n, c]| byte(n * inner + 3 * c))?;
        let (mut found, mut expected) = (Tensor::<i32>::new([rows, columns])?, Tensor::<i32>::new([rows, columns])?);
        let info = *found.info();
        macro_rules! check {
            ($($ty:ident $src:ident $zeros:expr;)*) => {$(
                for zero in $zeros {
                    let configure = || dense_bytes::<$ty>::configure($src.info(), weights.info(), bias.info(), zero, &info);
                    configure()?.run_reference((&$src, &weights, &bias), &mut expected)?;
                    for tier in configure()?.tiers() {
                        let kernel = configure()?.with_tier(tier)?.with_constant(1, weights.view())?;
                        let has_quads = kernel.constant_bytes() >= 2 * inner * columns;
                        // Fewer rows are computed one by one, and fewer columns than a step's have no strip.
                        let has_block = rows >= 8 && columns >= 64;
                        assert!(has_quads || !has_block || !multiplies_by_fours(tier), "{tier:?}: {rows} × {columns}");
                        found.storage_mut().fill(-1);
                        kernel.run(&Serial, (&$src, &weights, &bias), &mut found)?;
                        let name = stringify!($ty);
                        assert!(found.to_vec() == expected.to_vec(), "{tier:?}, {name} − {zero}: {rows} × {columns} × {inner}");
                    }
                }
            )*};
        }
        check! {
            i8 signed [0, -128, 77];
            u8 unsigned [0, 255, 77];
        }
    }
    Ok(())
}

/// Weights of several planes, some of whose elements lie outside the image, with elements that do not lie side by side too.
#[test]
fn weights_of_bytes_are_packed_by_fours_in_each_plane() -> Outcome {
    let byte = |i: usize| (i * 37 % 256) as u8 as i8;
    for (channels, outputs) in [(8, 64), (11, 100), (4, 32), (3, 70)] {
        let src = Tensor::from_fn([2, 7, 6, channels], |[n, y, x, c]| byte(n * 31 + y * 17 + x * 5 + 7 * c))?;
        let apart =
            Tensor::from_fn([2, 7, 6, 2 * channels], |[n, y, x, c]| byte(n * 31 + y * 17 + x * 5 + 7 * (c / 2)))?;
        let weights = Tensor::from_fn([3, 2, channels, outputs], |[r, s, c, k]| byte(r * 13 + s * 29 + c * 3 + k * 7))?;
        let bias = Tensor::from_fn([outputs], |[k]| k as i32 - 9)?;
        let mut expected = Tensor::<i32>::new([2, 7, 7, outputs])?;
        let mut found = Tensor::<i32>::new([2, 7, 7, outputs])?;
        let info = *found.info();
        let configure = |of: View<'_, i8>| {
            conv2d_bytes::<i8>::configure(of.info(), weights.info(), bias.info(), [1; 2], [1; 2], [1; 4], -3, &info)
        };
        configure(src.view())?.run_reference((&src, &weights, &bias), &mut expected)?;
        for (own, view) in [("side by side", src.view()), ("apart", apart.view().step(3, 2)?)] {
            for tier in configure(view)?.tiers() {
                let kernel = configure(view)?.with_tier(tier)?.with_constant(1, weights.view())?;
                for threads in [1, 3] {
                    let scheduler = Rayon::new().with_grain(64);
                    scheduler.set_num_threads(threads);
                    found.storage_mut().fill(-1);
                    kernel.run(&scheduler, (view, weights.view(), bias.view()), &mut found)?;
                    assert!(found.to_vec() == expected.to_vec(), "{tier:?}, {own}, {channels} × {outputs}");
                }
            }
        }
    }
    Ok(())
}

/// A product of which `b` is a constant, on all tiers: of all rows, and of parts of the window.
fn check_constant(rows: usize, columns: usize, inner: usize) -> Outcome {
    let (a, b) = (numbers([rows, inner], 7), numbers([inner, columns], 5));
    let (mut expected, mut found) = (Tensor::<f32>::new([rows, columns])?, Tensor::<f32>::new([rows, columns])?);
    let info = *found.info();
    let configure = || matrix_product::configure(a.info(), b.info(), &info);
    configure()?.run_reference((&a, &b), &mut expected)?;
    for tier in configure()?.tiers() {
        let kernel = configure()?.with_tier(tier)?.with_constant(1, b.view())?;
        assert_eq!(kernel.bind((&a, &b), &mut found)?.scratch_per_thread(), 0);
        for threads in [1, 3] {
            let scheduler = Rayon::new().with_grain(64);
            scheduler.set_num_threads(threads);
            found.storage_mut().fill(f32::NAN);
            kernel.run(&scheduler, (&a, &b), &mut found)?;
            assert!(found.to_vec() == expected.to_vec(), "{tier:?}, {threads} threads, {rows} × {columns} × {inner}");
        }
        for dimension in [0, 1] {
            found.storage_mut().fill(f32::NAN);
            for part in kernel.window().parts(dimension, 3) {
                kernel.run_window(&Serial, (&a, &b), &mut found, &part)?;
            }
            assert!(found.to_vec() == expected.to_vec(), "{tier:?} in parts of dimension {dimension}");
        }
    }
    Ok(())
}

#[test]
fn constants_are_packed_for_any_number_of_rows() -> Outcome {
    for [rows, columns, inner] in [[1, 100, 50], [9, 65, 300], [40, 128, 64], [70, 33, 129], [23, 5, 70], [8, 1040, 17]]
    {
        check_constant(rows, columns, inner)?;
    }
    Ok(())
}

#[test]
fn a_constant_fits_its_argument() -> Outcome {
    let (a, b) = (numbers([20, 30], 7), numbers([30, 40], 5));
    let mut out = Tensor::<f32>::new([20, 40])?;
    let kernel = matrix_product::configure(a.info(), b.info(), out.info())?;
    let refused = kernel.clone().with_constant(1, a.view());
    assert!(matches!(refused, Err(RunError::Shape { argument: "b", .. })), "{refused:?}");
    let bytes = Tensor::<u8>::new([30, 40])?;
    assert!(kernel.clone().with_constant(1, bytes.view()).is_err());
    let refused = kernel.clone().with_constant(2, b.view());
    let expected = "`matrix_product` reads 2 images, found 3";
    assert!(refused.as_ref().is_err_and(|error| error.to_string().contains("2")), "{refused:?}: {expected}");
    // One that is no strip changes nothing, and one that is given again takes the place of the one before.
    let kernel =
        kernel.with_constant(0, a.view())?.with_constant(1, numbers([30, 40], 3).view())?.with_constant(1, b.view())?;
    let mut expected = Tensor::<f32>::new([20, 40])?;
    kernel.run_reference((&a, &b), &mut expected)?;
    kernel.run(&Serial, (&a, &b), &mut out)?;
    assert!(out.to_vec() == expected.to_vec());
    Ok(())
}

#[test]
fn small_products_take_no_scratch() -> Outcome {
    let scratch = |rows: usize, columns: usize, inner: usize| -> Result<usize, Box<dyn Error>> {
        let (a, b) = (Tensor::<f32>::new([rows, inner])?, Tensor::<f32>::new([inner, columns])?);
        let mut out = Tensor::<f32>::new([rows, columns])?;
        let kernel = matrix_product::configure(a.info(), b.info(), out.info())?;
        Ok(kernel.bind((&a, &b), &mut out)?.scratch_per_thread())
    };
    // Few rows, a matrix that the second cache holds, and one that has no strip: its columns are fewer than a step's.
    assert_eq!((scratch(8, 512, 512)?, scratch(512, 100, 100)?, scratch(512, 4, 100_000)?), (0, 0, 0));
    let square = Tensor::<f32>::new([64, 64])?;
    if matrix_product::configure(square.info(), square.info(), square.info())?.tier() != Tier::Scalar {
        assert!(scratch(512, 512, 512)? > 0);
        // However long the sums are, a group of strips has a bounded size.
        assert!(scratch(512, 512, 3_000)? <= 1 << 20);
        assert_eq!(scratch(512, 512, 300_000)?, 0);
    }
    Ok(())
}

#[test]
fn a_host_gives_the_scratch() -> Outcome {
    let (a, b) = (numbers([64, 300], 7), numbers([300, 128], 5));
    let mut expected = Tensor::<f32>::new([64, 128])?;
    let kernel = matrix_product::configure(a.info(), b.info(), expected.info())?;
    kernel.run_reference((&a, &b), &mut expected)?;
    let mut found = Tensor::<f32>::new([64, 128])?;
    let mut bound = kernel.bind((&a, &b), &mut found)?;
    let window = bound.window();
    let needed = scratch_bytes(&Serial, &bound);
    if needed > 0 {
        let refused = schedule_with_scratch(&Serial, &mut bound, &window, &mut vec![0; needed / 2]);
        assert!(matches!(refused, Err(RunError::Scratch { found, .. }) if found == needed / 2), "{refused:?}");
    }
    schedule_with_scratch(&Serial, &mut bound, &window, &mut vec![0; needed])?;
    assert!(found.to_vec() == expected.to_vec());
    found.storage_mut().fill(0.0);
    schedule(&Serial, &mut kernel.bind((&a, &b), &mut found)?)?;
    assert!(found.to_vec() == expected.to_vec());
    Ok(())
}
