//! Padding is never needed: operators on exact-size buffers give the same bits as on padded ones, whatever stands in there.

use windrow::{Border, Configured, InvalidConfiguration, Kernel, Padding, Serial, Tensor, TensorInfo, View, ViewMut};
use windrow_operators::{abs_diff, dilate3x3, gaussian3x3, gaussian5x5, half_scale_gaussian3x3, median3x3};

const BORDERS: [Border; 6] = [
    Border::Undefined,
    Border::Constant(windrow::Scalar::U8(201)),
    Border::Replicate,
    Border::Reflect,
    Border::Reflect101,
    Border::Wrap,
];

const WAYS: [Padding; 4] = [
    Padding { left: 0, right: 0, top: 0, bottom: 0 },
    Padding::uniform(1),
    Padding { left: 5, right: 3, top: 0, bottom: 2 },
    Padding::automatic(),
];

/// An image with `padding` full of `garbage` around it.
fn image(size: [usize; 2], padding: Padding, garbage: u8) -> Tensor<u8> {
    let mut image = Tensor::<u8>::with_padding(size, padding).unwrap();
    image.storage_mut().fill(garbage);
    for y in 0..size[0] {
        let mut view = image.view_mut();
        let row = view.row_mut(y).unwrap();
        row.iter_mut().enumerate().for_each(|(x, value)| *value = (x * 83 + y * 29 + x * y) as u8);
    }
    image
}

/// Runs one way after the other; every result must be that on exact buffers, and padding untouched.
fn check<K>(
    size: [usize; 2],
    out_size: [usize; 2],
    configure: impl Fn(&TensorInfo, &TensorInfo, Border) -> Result<Configured<K>, InvalidConfiguration>,
) where
    K: for<'a> Kernel<Inputs<'a> = View<'a, u8>, Outputs<'a> = ViewMut<'a, u8>>,
{
    for border in BORDERS {
        let mut expect = None;
        for (padding, garbage) in WAYS.into_iter().flat_map(|padding| [(padding, 0x00), (padding, 0xb7)]) {
            let src = image(size, padding, garbage);
            let before = src.storage().to_vec();
            let mut out = Tensor::<u8>::with_padding(out_size, padding).unwrap();
            out.storage_mut().fill(garbage);
            // What stays untouched is to be the same in every way.
            (0..out_size[0]).for_each(|y| out.view_mut().row_mut(y).unwrap().fill(0x5a));
            configure(src.info(), out.info(), border).unwrap().run(&Serial, src.view(), out.view_mut()).unwrap();
            assert_eq!(src.storage(), before, "an input is never written");
            let elements = out.to_vec();
            (0..out_size[0]).for_each(|y| out.view_mut().row_mut(y).unwrap().fill(garbage));
            assert!(out.storage().iter().all(|byte| *byte == garbage), "padding was written");
            let name = K::CODE.spec().name;
            assert_eq!(*expect.get_or_insert_with(|| elements.clone()), elements, "{name} {border} with {padding:?}");
        }
    }
}

#[test]
fn operators_need_no_padding() {
    for size in [[1, 1], [2, 3], [5, 17], [9, 70]] {
        let half = size.map(|extent: usize| extent.div_ceil(2));
        check::<gaussian3x3>(size, size, gaussian3x3::configure);
        check::<gaussian5x5>(size, size, gaussian5x5::configure);
        check::<median3x3>(size, size, median3x3::configure);
        check::<dilate3x3>(size, size, dilate3x3::configure);
        check::<half_scale_gaussian3x3>(size, half, half_scale_gaussian3x3::configure);
    }
}

#[test]
fn padding_of_each_image_is_its_own() {
    let size = [9, 70];
    let mut expect = None;
    for (a, b, out) in WAYS.iter().flat_map(|a| WAYS.iter().map(move |b| (*a, *b, WAYS[3]))) {
        let (a, b) = (image(size, a, 1), image(size, b, 2));
        let mut out = Tensor::<u8>::with_padding(size, out).unwrap();
        let configured = abs_diff::configure(a.info(), b.info(), out.info()).unwrap();
        configured.run(&Serial, (a.view(), b.view()), out.view_mut()).unwrap();
        assert_eq!(*expect.get_or_insert(out.to_vec()), out.to_vec());
    }
}
