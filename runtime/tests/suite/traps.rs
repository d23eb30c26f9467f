//! Faults of other libraries that windows, regions and padding are known for, each held off by name.

use crate::common::{AbsDiff, Weighted, request};
use proptest::prelude::*;
use windrow_runtime::{
    Border, BorderMode, Dimension, InvalidWindow, Kernel, Padding, Parts, Rect, Serial, Shape, Tensor, TensorInfo,
    ThreadInfo, ValidRegion, ViewMut, Window, configure, infer,
};

/// Collapsing a window that was split along the first of its dimensions gives every part elements of the others.
#[test]
fn collapse_overlap() {
    let whole = Window::covering([0; 6], [8, 6, 4, 3, 1, 1], (1, 1));
    for part in whole.parts(2, 3) {
        assert!(matches!(part.collapse(&whole, 2, 3), Err(InvalidWindow::Collapse { dimension: 2, .. })), "{part}");
    }
    // Collapsed first and split then, the parts have each element once.
    let collapsed = whole.collapse(&whole, 2, 3).unwrap();
    let planes: Vec<usize> =
        collapsed.parts(2, 5).flat_map(|part| part.dimension(2).start()..part.dimension(2).end()).collect();
    assert_eq!(planes, (0..12).collect::<Vec<_>>());
    // A start, a step, and an outer dimension that is a part count as well.
    let step = whole.with_dimension(2, Dimension::new(0, 4, 2).unwrap()).unwrap();
    let outer = whole.split(3, 0, 3).unwrap();
    assert!(step.collapse(&step, 2, 3).is_err() && outer.collapse(&whole, 2, 3).is_err());
}

/// A kernel that is cut along x and goes through all of x on every thread computes everything as often as there are threads.
#[test]
fn dim_x_split() {
    let (width, height) = (4096, 3);
    let a = Tensor::from_fn([height, width], |[y, x]| (x * 3 + y) as u8).unwrap();
    let b = Tensor::from_fn([height, width], |[y, x]| (x + 9 * y) as u8).unwrap();
    let mut out = Tensor::<u8>::new([height, width]).unwrap();
    let infos = [a.info(), b.info()];
    let info = *out.info();
    let configured = configure::<AbsDiff<16, 1>>(&request(&infos, &[Some(&info)], Border::Undefined)).unwrap();
    // Each part, run alone, changes its own columns and no others.
    for part in configured.window().parts(0, 4) {
        out.storage_mut().fill(0xee);
        configured.run_window(&Serial, (a.view(), b.view()), out.view_mut(), &part).unwrap();
        let (start, end) = (part.dimension(0).start(), part.dimension(0).end());
        for (index, &found) in out.storage().iter().enumerate() {
            let (x, y) = (index % width, index / width);
            let expect = ((x * 3 + y) as u8).abs_diff((x + 9 * y) as u8);
            assert_eq!(found, if start <= x && x < end { expect } else { 0xee }, "({x}, {y})");
        }
    }
    // And the scheduler's own parts of it share no element and leave none out.
    let mut bound = configured.bind((a.view(), b.view()), out.view_mut()).unwrap();
    let parts = Parts::new(&mut bound, 4);
    let mut elements = 0;
    while let Some(part) = parts.next() {
        let window = *part.window();
        elements += (0..2).map(|d| window.dimension(d).end() - window.dimension(d).start()).product::<usize>();
        part.run(&mut ThreadInfo::default()).unwrap();
    }
    assert_eq!(elements, width * height);
}

proptest! {
    /// The lesser of two sizes is not the size of what two shifted regions share.
    #[test]
    fn min_of_sizes_intersection(a in (0usize..9, 0usize..9), b in (0usize..9, 0usize..9)) {
        let region = |(start, extent): (usize, usize)| ValidRegion::from_ranges(&[const { 0..0 }; 6].map(|_| start..start + extent)).unwrap();
        let both = region(a).intersect(&region(b));
        for at in 0..20 {
            let inside = |(start, extent): (usize, usize)| start <= at && at < start + extent;
            prop_assert_eq!(both.contains(&[at; 6]), inside(a) && inside(b), "{}", at);
        }
    }
}

/// What can be computed under an undefined border is computed, whatever padding there is, and the valid region says how much.
#[test]
fn silent_border_shrink() {
    let src = Tensor::from_fn([9, 21], |[y, x]| (x * 7 + y * 5) as u8).unwrap();
    let info = TensorInfo::of::<i32>(&[9, 21]).unwrap();
    let mut results = Vec::new();
    for padding in [Padding::default(), Padding::uniform(1), Padding::automatic()] {
        let mut out = Tensor::<i32>::with_padding([9, 21], padding).unwrap();
        out.storage_mut().fill(-1);
        let outputs = [Some(out.info())];
        let configured = configure::<Weighted<8, 2, 0>>(&request(&[src.info()], &outputs, Border::Undefined)).unwrap();
        assert_eq!(configured.valid_region().plane(), Rect::new(1, 1, 20, 8));
        configured.run(&Serial, src.view(), out.view_mut()).unwrap();
        for y in 0..9 {
            for x in 0..21 {
                let valid = configured.valid_region().contains(&[y, x]);
                assert_eq!(out.view().get([y, x]) != Some(-1), valid, "({x}, {y})");
            }
        }
        results.push(out.to_vec());
    }
    results.windows(2).for_each(|pair| assert_eq!(pair[0], pair[1]));
    let inferred = infer(Weighted::<8, 2, 0>::CODE.spec(), &[src.info()], BorderMode::Undefined).unwrap();
    assert_eq!((inferred.shape(), inferred.output(0).map(|out| out.shape())), (info.shape(), Some(info.shape())));
}

/// More parts than iterations are refused, not empty.
#[test]
fn empty_splits() {
    let window = Window::covering([0; 6], [640, 5, 1, 1, 1, 1], (16, 2));
    assert!(window.split(1, 0, 4).is_err() && window.split(1, 2, 3).is_ok());
    assert_eq!(window.parts(1, 64).len(), 3);
    assert!(window.parts(1, 64).all(|part| !part.is_empty()));
    let nothing = Window::covering([0; 6], [0, 5, 1, 1, 1, 1], (16, 2));
    assert_eq!((nothing.is_empty(), nothing.parts(0, 4).len(), nothing.slices(0).len()), (true, 0, 0));
}

/// Padding is never written, in the first plane or in any other, and never read as if it meant something.
#[test]
fn padding_of_other_planes() {
    let padding = Padding { left: 3, right: 5, top: 2, bottom: 1 };
    let extents = [2, 3, 4, 13];
    let mut expect = None;
    for garbage in [0u8, 0x55, 0xff] {
        let fill = |tensor: &mut Tensor<u8>, seed: usize| {
            tensor.storage_mut().fill(garbage);
            for (z, n) in (0..3).flat_map(|z| (0..2).map(move |n| (z, n))) {
                let mut plane = plane(tensor.view_mut(), z, n);
                for y in 0..4 {
                    let row = plane.row_mut(y).unwrap();
                    row.iter_mut()
                        .enumerate()
                        .for_each(|(x, value)| *value = crate::common::noise(seed, x, y, 3 * n + z));
                }
            }
        };
        let mut images = [1, 2, 3].map(|seed| {
            let mut tensor = Tensor::<u8>::with_padding(extents, padding).unwrap();
            fill(&mut tensor, seed);
            tensor
        });
        let [a, b, out] = &mut images;
        let (a_before, b_before) = (a.storage().to_vec(), b.storage().to_vec());
        let infos = [a.info(), b.info()];
        let info = *out.info();
        let configured = configure::<AbsDiff<16, 2>>(&request(&infos, &[Some(&info)], Border::Undefined)).unwrap();
        configured.run(&Serial, (a.view(), b.view()), out.view_mut()).unwrap();
        assert_eq!((a.storage(), b.storage()), (&a_before[..], &b_before[..]), "an input is never written");
        let elements = out.to_vec();
        let kept = out.storage().iter().filter(|byte| **byte == garbage).count();
        let padded = out.storage().len() - elements.len();
        assert!(kept >= padded, "{kept} of {padded} bytes of padding are left");
        for (z, n) in (0..3).flat_map(|z| (0..2).map(move |n| (z, n))) {
            plane(out.view_mut(), z, n).row_mut(0).unwrap();
            let mut plane = plane(out.view_mut(), z, n);
            (0..4).for_each(|y| plane.row_mut(y).unwrap().fill(garbage));
        }
        assert!(out.storage().iter().all(|byte| *byte == garbage), "padding was written");
        assert_eq!(*expect.get_or_insert(elements.clone()), elements, "the result depends on padding");
    }
}

fn plane(tensor: ViewMut<'_, u8>, z: usize, n: usize) -> ViewMut<'_, u8> {
    let shape: Shape = tensor.info().shape();
    tensor.region([n, z, 0, 0], [1, 1, shape.height(), shape.width()]).unwrap()
}
