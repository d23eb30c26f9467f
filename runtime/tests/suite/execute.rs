//! Every width, height, border and layout: a run equals the definition, and touches nothing else.

use crate::common::*;
use windrow_runtime::{
    Border, Configured, Kernel, Padding, Scalar, Serial, Tensor, View, ViewMut, configure, spec, validate::Request,
};

/// Around each plane of the outputs: none of it may change.
const CANARY: Padding = Padding { left: 3, right: 5, top: 2, bottom: 1 };

fn image<const D: usize>(seed: usize, extents: [usize; D]) -> Tensor<u8> {
    // Padding keeps the row stride above the width, and the padding's bytes differ from the elements.
    let mut tensor = Tensor::with_padding(extents, Padding { left: 2, right: 1, top: 1, bottom: 2 }).unwrap();
    for (index, byte) in tensor.storage_mut().iter_mut().enumerate() {
        *byte = noise(seed, index, 0, 0);
    }
    tensor
}

fn canvas<T: windrow_runtime::Element, const D: usize>(extents: [usize; D], fill: T) -> Tensor<T> {
    let mut tensor = Tensor::with_padding(extents, CANARY).unwrap();
    tensor.storage_mut().fill(fill);
    tensor
}

/// Runs a unary kernel on the processor and by its reference, and compares whole allocations.
fn check_unary<K>(border: Border, src: &Tensor<u8>, shape: [usize; 4])
where
    K: for<'a> Kernel<Inputs<'a> = View<'a, u8>, Outputs<'a> = ViewMut<'a, i32>>,
{
    let (mut out, mut expect) = (canvas(shape, -1), canvas(shape, -1));
    let configured = configured::<K>(border, src, &out);
    configured.run(&Serial, src.view(), out.view_mut()).unwrap();
    configured.run_reference(src.view(), expect.view_mut()).unwrap();
    assert_eq!(out.storage(), expect.storage(), "{border:?} {}", src.shape());
}

fn configured<K: Kernel>(border: Border, src: &Tensor<u8>, out: &Tensor<i32>) -> Configured<K> {
    configure::<K>(&request(&[src.info()], &[Some(out.info())], border)).unwrap()
}

fn check_kind<const L: u32, const R: u32, const KIND: usize>() {
    let (around, stride) = KINDS[KIND];
    let border = (around.left.abs().max(around.right) + around.top.abs().max(around.bottom)) as usize;
    let heights = [1, 2, 3, R as usize, R as usize + 1, 2 * R as usize + 1, 9];
    // Under Miri, enough to reach every part of the driver.
    let (widths, heights) = if cfg!(miri) { (3 * L as usize + 1, &heights[4..5]) } else { (1, &heights[..]) };
    // Between two edges of a vector each, the images' own rows are used from three vectors on.
    for width in (widths..=4 * L as usize + border + 1).step_by(if cfg!(miri) { L as usize } else { 1 }) {
        for &height in heights {
            let src = image(width * 31 + height, [height, width * stride.0 as usize - width % 2 % stride.0 as usize]);
            let out = src.shape();
            let shape = [1, 1, out.height().div_ceil(stride.1 as usize), out.width().div_ceil(stride.0 as usize)];
            for border in EVERY_BORDER {
                check_unary::<Weighted<L, R, KIND>>(border, &src, shape);
            }
        }
    }
}

#[test]
fn a_square_neighbourhood_reads_its_borders() {
    check_kind::<1, 1, 0>();
    check_kind::<4, 1, 0>();
    check_kind::<8, 4, 0>();
    check_kind::<5, 3, 0>();
}

#[test]
fn a_lopsided_neighbourhood_reads_its_borders() {
    check_kind::<1, 1, 1>();
    check_kind::<8, 4, 1>();
    check_kind::<8, 1, 2>();
    check_kind::<4, 2, 2>();
}

#[test]
fn a_neighbourhood_beside_the_element_reads_its_borders() {
    check_kind::<4, 2, 5>();
    check_kind::<1, 1, 5>();
    check_kind::<4, 2, 6>();
}

#[test]
fn strided_inputs_read_their_borders() {
    check_kind::<1, 1, 3>();
    check_kind::<8, 4, 3>();
    check_kind::<4, 1, 4>();
    check_kind::<8, 3, 4>();
    check_kind::<4, 2, 7>();
}

/// The edges of 32 rows are staged together, those of 128 side by side: images that end there, just before and just behind.
#[test]
#[cfg_attr(miri, ignore = "long")]
fn edges_are_staged_in_strips() {
    for height in (30..=36).chain(63..=66).chain(127..=132) {
        for border in EVERY_BORDER {
            check_unary::<Weighted<16, 4, 1>>(border, &image(height, [height, 37]), [1, 1, height, 37]);
            check_unary::<Weighted<12, 3, 3>>(border, &image(height, [2 * height, 60]), [1, 1, height, 30]);
            check_unary::<Weighted<8, 1, 0>>(border, &image(height, [height, 29]), [1, 1, height, 29]);
            check_unary::<Weighted<4, 4, 1>>(border, &image(height, [height, 19]), [1, 1, height, 19]);
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "long")]
fn rows_longer_than_a_tile_are_staged_in_pieces() {
    for width in [4_000, 9_001] {
        let src = image(width, [3, width]);
        for border in EVERY_BORDER {
            check_unary::<Weighted<8, 4, 0>>(border, &src, [1, 1, 3, width]);
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "long")]
fn volumes_are_planes() {
    for shape in [[1, 3, 4, 9], [3, 2, 5, 17], [2, 4, 1, 1]] {
        let src = image(5, shape);
        for border in EVERY_BORDER {
            check_unary::<Weighted<8, 4, 0>>(border, &src, shape);
        }
    }
}

/// The gaussian's own loop, without anything of the runtime: the reference that `run_reference` is compared with.
#[test]
fn the_reference_itself_equals_a_loop() {
    let src = image(1, [7, 13]);
    let pixels = src.to_vec();
    let around = KINDS[0].0;
    for border in EVERY_BORDER {
        let mut out = canvas([7, 13], -1);
        configured::<Weighted<1, 1, 0>>(border, &src, &out).run_reference(src.view(), out.view_mut()).unwrap();
        let found = out.to_vec();
        for (y, x) in (0..7i32).flat_map(|y| (0..13i32).map(move |x| (y, x))) {
            let inside = (1..12).contains(&x) && (1..6).contains(&y);
            let outside = |i: i32, n: i32| match border {
                Border::Undefined | Border::Constant(_) => None,
                Border::Replicate => Some(i.clamp(0, n - 1)),
                Border::Reflect => Some(if i < 0 { -1 - i } else { 2 * n - 1 - i }),
                Border::Reflect101 => Some(if i < 0 { -i } else { 2 * n - 2 - i }),
                Border::Wrap => Some(i.rem_euclid(n)),
            };
            let index = |i: i32, n: i32| if (0..n).contains(&i) { Some(i) } else { outside(i, n) };
            let expect = weighted_sum(around, |dx, dy| match (index(x + dx, 13), index(y + dy, 7)) {
                (Some(x), Some(y)) => pixels[(y * 13 + x) as usize],
                _ => 77,
            });
            let expect = if border == Border::Undefined && !inside { -1 } else { expect };
            assert_eq!(found[(y * 13 + x) as usize], expect, "{border:?} at ({x}, {y})");
        }
    }
}

fn check_abs_diff<const L: u32, const R: u32>() {
    for width in 1..=2 * L as usize + 1 {
        for height in (1..=2 * R as usize + 1).step_by(if cfg!(miri) { 3 } else { 1 }) {
            let (a, b) = (image(1, [height, width]), image(2, [height, width]));
            let mut out = canvas([height, width], 99u8);
            let configured =
                configure::<AbsDiff<L, R>>(&request(&[a.info(), b.info()], &[Some(out.info())], Border::Undefined))
                    .unwrap();
            configured.run(&Serial, (a.view(), b.view()), out.view_mut()).unwrap();
            let expect: Vec<u8> = a.to_vec().iter().zip(b.to_vec()).map(|(a, b)| a.abs_diff(b)).collect();
            assert_eq!(out.to_vec(), expect, "{width}×{height}");
            let canaries = out.storage().len() - width * height;
            out.view_mut().region([0, 0], [height, width]).unwrap();
            for y in 0..height {
                out.view_mut().row_mut(y).unwrap().fill(99);
            }
            assert!(out.storage().iter().all(|&byte| byte == 99), "one of {canaries} canaries is dead");
        }
    }
}

#[test]
fn pixel_wise_kernels_fill_every_width() {
    check_abs_diff::<1, 1>();
    check_abs_diff::<8, 1>();
    check_abs_diff::<8, 4>();
    check_abs_diff::<16, 2>();
}

fn check_accumulate<const L: u32, const R: u32>() {
    for width in 1..=2 * L as usize + 1 {
        for height in (1..=2 * R as usize + 1).step_by(if cfg!(miri) { 3 } else { 1 }) {
            let x = image(3, [height, width]);
            let mut acc = canvas([height, width], 500i16);
            let configured =
                configure::<Accumulate<L, R>>(&request(&[x.info()], &[Some(acc.info())], Border::Undefined)).unwrap();
            configured.run(&Serial, x.view(), acc.view_mut()).unwrap();
            configured.run(&Serial, x.view(), acc.view_mut()).unwrap();
            let expect: Vec<i16> = x.to_vec().iter().map(|&x| 500 + 2 * i16::from(x)).collect();
            assert_eq!(acc.to_vec(), expect, "{width}×{height}");
        }
    }
}

#[test]
fn in_place_kernels_compute_each_element_once() {
    check_accumulate::<1, 1>();
    check_accumulate::<8, 1>();
    check_accumulate::<8, 4>();
    // Rows of odd lengths before rows of 16 bits: a tile keeps each row aligned.
    check_accumulate::<5, 1>();
}

#[test]
fn optional_outputs_uniforms_and_coordinates_arrive() {
    let src = image(8, [9, 21]);
    for border in EVERY_BORDER {
        for (dx, dy) in [(true, true), (true, false), (false, true)] {
            let mut found = [canvas([9, 21], 0i32), canvas([9, 21], 0)];
            let mut expect = found.clone();
            let info = *found[0].info();
            let request = Request {
                inputs: &[src.info()],
                outputs: &[dx.then_some(&info), dy.then_some(&info)],
                words: &[-3i32 as u32],
                choice: &[],
                border: border.into(),
            };
            let configured = configure::<Differences<8, 2>>(&request).unwrap();
            let [a, b] = &mut found;
            configured.run(&Serial, src.view(), (dx.then(|| a.view_mut()), dy.then(|| b.view_mut()))).unwrap();
            let [a, b] = &mut expect;
            configured.run_reference(src.view(), (dx.then(|| a.view_mut()), dy.then(|| b.view_mut()))).unwrap();
            for (found, expect) in found.iter().zip(&expect) {
                assert_eq!(found.storage(), expect.storage(), "{border:?} {dx} {dy}");
            }
        }
    }
}

#[test]
fn pixels_and_tables_arrive() {
    let table: [i16; 256] = core::array::from_fn(|i| (i * i) as i16);
    for width in 1..20 {
        let pixels = Tensor::from_fn([3, width], |[y, x]| [0, 1, 2].map(|c| noise(c, x, y, 0))).unwrap();
        let mut out = canvas([3, width], -1i16);
        let configured =
            configure::<LookUp<8>>(&request(&[pixels.info()], &[Some(out.info())], Border::Undefined)).unwrap();
        configured.run(&Serial, (pixels.view(), &table), out.view_mut()).unwrap();
        let expect: Vec<i16> = pixels.to_vec().iter().map(|pixel| table[usize::from(pixel[1])]).collect();
        assert_eq!(out.to_vec(), expect);
    }
}

#[test]
fn regions_of_interest_know_nothing_of_their_surroundings() {
    let whole = image(9, [20, 40]);
    let around = spec::NeighbourhoodSpec { left: -1, right: 1, top: -1, bottom: 1 };
    assert_eq!(KINDS[0].0, around);
    let src = whole.view().region([5, 7], [11, 19]).unwrap();
    for border in EVERY_BORDER {
        let (mut inner, mut outer) = (canvas([11, 19], -1), canvas([20, 40], -1));
        let alone = Tensor::from_fn([11, 19], |[y, x]| src.get([y, x]).unwrap()).unwrap();
        let info = *inner.info();
        let configured = configure::<Weighted<8, 4, 0>>(&request(&[src.info()], &[Some(&info)], border)).unwrap();
        configured.run(&Serial, alone.view(), inner.view_mut()).unwrap();
        let target = outer.view_mut().region([2, 3], [11, 19]).unwrap();
        configured.run(&Serial, src, target).unwrap();
        let outer = outer.view();
        for (x, y) in (0..40).flat_map(|x| (0..20).map(move |y| (x, y))) {
            let inside = (3..22).contains(&x) && (2..13).contains(&y);
            let expect = if inside { inner.view().get([y - 2, x - 3]) } else { Some(-1) };
            assert_eq!(outer.get([y, x]), expect, "{border:?} at ({x}, {y})");
        }
    }
}

#[test]
fn a_border_constant_is_written_in_the_inputs_type() {
    let src = image(4, [5, 5]);
    let mut wide = canvas([5, 5], -1);
    let info = *wide.info();
    let with = |value: Scalar| {
        configure::<Weighted<4, 2, 0>>(&request(&[src.info()], &[Some(&info)], Border::Constant(value)))
    };
    with(Scalar::I32(77)).unwrap().run(&Serial, src.view(), wide.view_mut()).unwrap();
    let by_i32 = wide.to_vec();
    with(Scalar::U8(77)).unwrap().run(&Serial, src.view(), wide.view_mut()).unwrap();
    assert_eq!(wide.to_vec(), by_i32);
    assert!(with(Scalar::I32(256)).is_err());
    assert!(with(Scalar::F32(1.0)).is_err());
}
