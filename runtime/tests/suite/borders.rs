//! A border for each image, images that are broadcast, and valid regions handed from kernel to kernel.

use crate::common::{
    AbsDiff, EVERY_BORDER, NO_OPENCL, Weighted, around, input, load, output, request, weighted_sum, wide,
};
use proptest::prelude::*;
use windrow_runtime::{
    Border, BorderMode, Borders, InvalidConfiguration, Kernel, KernelCode, KernelSpec, Neighbourhood, Rect, Serial,
    Shape, Tensor, TensorInfo, Tier, ValidRegion, View, ViewMut,
    code::{Body, Rows},
    configure,
    data_layout::DataLayout,
    infer,
    spec::NeighbourhoodSpec,
    validate::{self, Request},
};

const LEFT: NeighbourhoodSpec = around(-2, 1, -1, 0);
const RIGHT: NeighbourhoodSpec = around(-1, 3, 0, 2);

/// Weighted sums of two images around each element, added.
enum Both {}

static BOTH: KernelSpec = crate::common::kernel(
    "both",
    &[
        input("a", windrow_runtime::ElementType::U8, 1, LEFT, (1, 1), None),
        input("b", windrow_runtime::ElementType::U8, 1, RIGHT, (1, 1), None),
    ],
    &[output("out", windrow_runtime::ElementType::I32, false)],
    (4, 2),
    &BorderMode::ALL,
);

// SAFETY: the code takes these views.
unsafe impl Kernel for Both {
    // SAFETY: the bodies compute this kernel, and touch what their rows lend them for these reads.
    const CODE: &'static KernelCode = &unsafe {
        KernelCode::new(
            &BOTH,
            &[Body::new(Tier::Scalar, 0, (4, 2), &[LEFT, RIGHT], true, both)],
            crate::common::derive_nothing,
            |point| {
                let (a, b): (Neighbourhood<'_, u8>, Neighbourhood<'_, u8>) =
                    (point.neighbourhood(0), point.neighbourhood(1));
                let sums = (weighted_sum(LEFT, |dx, dy| a.at(dx, dy)), weighted_sum(RIGHT, |dx, dy| b.at(dx, dy)));
                point.write(0, sums.0 - 3 * sums.1);
            },
            &NO_OPENCL,
        )
    };
    type Inputs<'a> = (View<'a, u8>, View<'a, u8>);
    type Outputs<'a> = ViewMut<'a, i32>;
}

unsafe fn both(rows: &Rows<'_>) {
    // Two rows of output read three rows of `a` and four of `b`.
    assert_eq!(rows.inputs.len(), 3 + 4);
    // SAFETY: the taps are those of `Reads`.
    unsafe {
        wide::<i32, 4, 2>(rows, |x, row| {
            let tap = |first: usize, top: i32, dx: i32, dy: i32| {
                load::<u8>(rows, first + (row as i32 + dy - top) as usize, x as isize + dx as isize)
            };
            let a = weighted_sum(LEFT, |dx, dy| tap(0, LEFT.top, dx, dy));
            a - 3 * weighted_sum(RIGHT, |dx, dy| tap(3, RIGHT.top, dx, dy))
        });
    }
}

fn noise(seed: usize, extents: [usize; 3]) -> Tensor<u8> {
    Tensor::from_fn(extents, |at| crate::common::noise_at(seed, at)).unwrap()
}

#[test]
fn each_image_has_its_own_border() {
    for size in [(1, 1), (3, 2), (7, 5), (19, 6)] {
        let (a, b) = (noise(1, [1, size.1, size.0]), noise(2, [1, size.1, size.0]));
        let before = (a.to_vec(), b.to_vec());
        for (first, second) in EVERY_BORDER.iter().flat_map(|first| EVERY_BORDER.map(|second| (*first, second))) {
            let out = TensorInfo::of::<i32>(&[size.1, size.0]).unwrap();
            let configured = configure::<Both>(&Request {
                inputs: &[a.info(), b.info()],
                outputs: &[Some(&out)],
                words: &[],
                choice: &[],
                border: Borders::each(&[first, second]),
            })
            .unwrap();
            let [mut found, mut expect] = [(); 2].map(|()| Tensor::<i32>::new([size.1, size.0]).unwrap());
            configured.run(&Serial, (a.view(), b.view()), found.view_mut()).unwrap();
            configured.run_reference((a.view(), b.view()), expect.view_mut()).unwrap();
            assert_eq!(found.to_vec(), expect.to_vec(), "{first} and {second} at {size:?}");
            // An undefined border leaves out what that image's neighbourhood asks for, and no more.
            let whole = Rect::new(0, 0, size.0, size.1);
            let inside = |around: NeighbourhoodSpec| {
                let (x1, y1) = (size.0 as i32 - around.right.max(0), size.1 as i32 - around.bottom.max(0));
                Rect::new(-around.left as usize, -around.top as usize, x1.max(0) as usize, y1.max(0) as usize)
            };
            let left = if first == Border::Undefined { inside(LEFT) } else { whole };
            let right = if second == Border::Undefined { inside(RIGHT) } else { whole };
            assert_eq!(configured.valid_region().plane(), left.intersect(&right), "{first} and {second} at {size:?}");
        }
        assert_eq!((a.to_vec(), b.to_vec()), before, "an input is never written");
    }
}

#[test]
fn borders_must_fit_the_images() {
    let (bytes, out) = (TensorInfo::of::<u8>(&[5, 9]).unwrap(), TensorInfo::of::<i32>(&[5, 9]).unwrap());
    let with = |border| {
        let request = Request { inputs: &[&bytes, &bytes], outputs: &[Some(&out)], words: &[], choice: &[], border };
        validate::validate(&BOTH, &request).map(drop)
    };
    let (replicate, found) = (Border::Replicate, 3);
    let expected = 2;
    assert_eq!(
        with(Borders::each(&[replicate; 3])),
        Err(InvalidConfiguration::BorderCount { kernel: "both", found, expected })
    );
    let error = with(Borders::each(&[replicate, Border::constant(-1i16)])).unwrap_err();
    assert_eq!(error.to_string(), "`b` holds u8, which cannot represent the border constant -1");
    assert_eq!(with(Borders::each(&[Border::constant(255i16), Border::Wrap])), Ok(()));
}

proptest! {
    #[test]
    fn an_image_of_extent_1_stands_for_all(
        extents in (1usize..37, 1usize..6, 1usize..4),
        held in any::<[bool; 6]>(),
    ) {
        let extents = [extents.2, extents.1, extents.0];
        // Each image is broadcast where the other isn't.
        let of = |own: [bool; 3], other: [bool; 3]| {
            core::array::from_fn(|d| if own[d] && !other[d] { 1 } else { extents[d] })
        };
        let (first, second) = ([held[0], held[1], held[2]], [held[3], held[4], held[5]]);
        let (a, b) = (noise(3, of(first, second)), noise(4, of(second, first)));
        let out_info = TensorInfo::of::<u8>(&extents).unwrap();
        let expect = Tensor::from_fn(extents, |[z, y, x]| {
            let at = |image: &Tensor<u8>| {
                let inside = image.info().shape();
                let inside = inside.extents();
                image.view().get([z.min(inside[0] - 1), y.min(inside[1] - 1), x.min(inside[2] - 1)]).unwrap()
            };
            at(&a).abs_diff(at(&b))
        }).unwrap();
        let configured = configure::<AbsDiff<8, 2>>(&request(&[a.info(), b.info()], &[Some(&out_info)], Border::Undefined)).unwrap();
        let mut out = Tensor::<u8>::new(extents).unwrap();
        for part in configured.window().parts(1, 2) {
            configured.run_window(&Serial, (a.view(), b.view()), out.view_mut(), &part).unwrap();
        }
        prop_assert_eq!(out.to_vec(), expect.to_vec());
        let mut reference = Tensor::<u8>::new(extents).unwrap();
        configured.run_reference((a.view(), b.view()), reference.view_mut()).unwrap();
        prop_assert_eq!(reference.to_vec(), expect.to_vec());
    }

    #[test]
    fn valid_regions_go_from_kernel_to_kernel(
        size in (1usize..24, 1usize..12),
        cut in (0usize..3, 0usize..3, 0usize..3, 0usize..3),
        modes in prop::collection::vec(0usize..6, 1..4),
    ) {
        // What each kernel of a chain reads must have been valid: found element by element.
        let shape = Shape::new(&[size.1, size.0]).unwrap();
        let plane = Rect::new(cut.0, cut.1, size.0.saturating_sub(cut.2), size.1.saturating_sub(cut.3));
        prop_assume!(!plane.is_empty());
        let mut info = TensorInfo::of::<u8>(&[size.1, size.0]).unwrap()
            .with_valid_region(ValidRegion::new(plane, shape)).unwrap();
        let mut valid: Vec<bool> = (0..size.0 * size.1).map(|at| plane.contains(at % size.0, at / size.0)).collect();
        let spec = Weighted::<4, 1, 0>::CODE.spec();
        for mode in modes {
            let mode = BorderMode::ALL[mode];
            let inferred = infer(spec, &[&info], mode).unwrap();
            let reads_valid = |x: usize, y: usize| (-1..=1).all(|dy| (-1..=1).all(|dx| {
                let column = mode.map(x as isize + dx, size.0);
                match column.zip(mode.map(y as isize + dy, size.1)) {
                    Some((x, y)) => valid[y * size.0 + x],
                    None => mode == BorderMode::Constant,
                }
            }));
            let next: Vec<bool> = (0..size.0 * size.1).map(|at| reads_valid(at % size.0, at / size.0)).collect();
            let found = inferred.valid_region();
            for (at, next) in next.iter().enumerate() {
                let claimed = found.contains(&[at / size.0, at % size.0]);
                prop_assert!(*next || !claimed, "{} under {} claims {}", info, mode, at);
                // Where the image's ends stay valid or nothing stands for what is outside, the region is all there is.
                if mode == BorderMode::Undefined {
                    prop_assert_eq!(*next, claimed, "{} under {} misses {}", info, mode, at);
                }
            }
            valid = (0..size.0 * size.1).map(|at| found.contains(&[at / size.0, at % size.0])).collect();
            info = TensorInfo::of::<u8>(&[size.1, size.0]).unwrap().with_valid_region(found).unwrap();
        }
    }
}

#[test]
fn a_chain_of_undefined_borders_shrinks_by_each_neighbourhood() {
    let spec = Weighted::<4, 1, 0>::CODE.spec();
    let image = TensorInfo::of::<u8>(&[9, 12]).unwrap();
    let first = infer(spec, &[&image], BorderMode::Undefined).unwrap().output(0).unwrap();
    assert_eq!(first.valid_region().plane(), Rect::new(1, 1, 11, 8));
    let bytes = image.with_valid_region(first.valid_region()).unwrap();
    let second = infer(spec, &[&bytes], BorderMode::Undefined).unwrap();
    assert_eq!(second.valid_region().plane(), Rect::new(2, 2, 10, 7));
    // A replicated edge needs a valid edge.
    let edge = infer(spec, &[&bytes], BorderMode::Replicate).unwrap();
    assert_eq!(edge.valid_region().plane(), Rect::new(2, 2, 10, 7));
    assert_eq!(infer(spec, &[&image], BorderMode::Replicate).unwrap().valid_region().plane(), Rect::new(0, 0, 12, 9));
}

#[test]
fn images_that_cannot_stand_for_others_are_refused() {
    let of = |extents: &[usize]| TensorInfo::of::<u8>(extents).unwrap();
    let (one, row, image) = (of(&[1, 1]), of(&[1, 9]), of(&[5, 9]));
    // A neighbourhood has no single element.
    let error = infer(&BOTH, &[&image, &row], BorderMode::Wrap).unwrap_err();
    assert_eq!(error.to_string(), "`b` has the shape 1×9, expected 5×9");
    let spec = AbsDiff::<8, 1>::CODE.spec();
    assert_eq!(infer(spec, &[&one, &image], BorderMode::Undefined).unwrap().shape(), image.shape());
    let error = infer(spec, &[&of(&[5, 8]), &image], BorderMode::Undefined).unwrap_err();
    assert_eq!(error.to_string(), "`b` has the shape 5×9, expected 5×8");
    // An output is never broadcast.
    let (inputs, outputs) = ([&image, &row], [Some(&row)]);
    let error = validate::validate(spec, &request(&inputs, &outputs, Border::Undefined)).unwrap_err();
    assert_eq!(error.to_string(), "`out` has the shape 1×9, expected 5×9");
    let nhwc = image.with_data_layout(DataLayout::Nhwc);
    let (inputs, outputs) = ([&image, &nhwc], [Some(&image)]);
    let error = validate::validate(spec, &request(&inputs, &outputs, Border::Undefined)).unwrap_err();
    assert_eq!(error.to_string(), "`b` has the layout NHWC, expected NCHW");
}
