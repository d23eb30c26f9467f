//! Calls with a row pointer more than the little memory of runs without a tile has room for.

use crate::common::*;
use windrow_runtime::{
    Border, BorderMode, ElementType, Kernel, KernelCode, KernelSpec, Serial, Tensor, Tier, View, ViewMut,
    code::{Body, Rows},
    configure,
    spec::ArgumentSpec,
};

/// Rows of each image a call: of six that are read and one that is written 49.
const ROWS: u32 = 7;

/// The sum of six images.
enum Sum {}

static SUM: KernelSpec = kernel(
    "sum",
    &[image("a"), image("b"), image("c"), image("d"), image("e"), image("f")],
    &[output("out", ElementType::U8, false)],
    (1, 1),
    &[BorderMode::Undefined],
);

const fn image(name: &'static str) -> ArgumentSpec {
    input(name, ElementType::U8, 1, around(0, 0, 0, 0), (1, 1), None)
}

// SAFETY: the code takes these views.
unsafe impl Kernel for Sum {
    // SAFETY: the bodies compute this kernel, and touch what their rows lend them for these reads.
    const CODE: &'static KernelCode = &unsafe {
        KernelCode::new(
            &SUM,
            &[Body::new(Tier::Scalar, 0, (8, ROWS), &[around(0, 0, 0, 0); 6], true, sum)],
            derive_nothing,
            |_| {},
            &NO_OPENCL,
        )
    };
    type Inputs<'a> = (View<'a, u8>, View<'a, u8>, View<'a, u8>, View<'a, u8>, View<'a, u8>, View<'a, u8>);
    type Outputs<'a> = ViewMut<'a, u8>;
}

unsafe fn sum(rows: &Rows<'_>) {
    let of_image = ROWS as usize;
    // SAFETY: the element itself.
    unsafe {
        wide::<u8, 8, ROWS>(rows, |x, row| {
            let values = (0..6).map(|image| load::<u8>(rows, image * of_image + row, x as isize));
            values.fold(0, u8::wrapping_add)
        });
    }
}

#[test]
fn calls_of_many_rows_are_whole() {
    for extents in [[7, 16], [14, 16], [17, 21]] {
        let images: [Tensor<u8>; 6] =
            std::array::from_fn(|image| Tensor::from_fn(extents, |[y, x]| noise(image, x, y, 0)).unwrap());
        let mut out = Tensor::from_fn(extents, |_| 0u8).unwrap();
        let infos = images.each_ref().map(Tensor::info);
        let configured = configure::<Sum>(&request(&infos, &[Some(out.info())], Border::Undefined)).unwrap();
        let [a, b, c, d, e, f] = images.each_ref().map(Tensor::view);
        configured.run(&Serial, (a, b, c, d, e, f), out.view_mut()).unwrap();
        for (x, y) in (0..extents[0]).flat_map(|y| (0..extents[1]).map(move |x| (x, y))) {
            let expected = (0..6).map(|image| noise(image, x, y, 0)).fold(0, u8::wrapping_add);
            assert_eq!(out.view().get([y, x]), Some(expected), "({x}, {y}) of {extents:?}");
        }
    }
}
