//! Runs over views of any strides, compared with dense copies: bottom-up images, flipped rows, columns side by side, channels of
//! larger pixels, elements that repeat; on threads, in parts, and in place.

use crate::common::{AbsDiff, Accumulate, EVERY_BORDER, Weighted, noise, request};
use windrow_runtime::{
    Border, InvalidConfiguration, InvalidTensor, Rayon, RunError, Scheduler, Serial, Tensor, TensorInfo, View, ViewMut,
    configure,
};

/// Ways in which an image may lie, each as its strides in elements from the extents `[height, width]`.
const WAYS: [fn(isize, isize) -> [isize; 2]; 9] = [
    |_, w| [w, 1],
    |_, w| [-w, 1],
    |_, w| [w, -1],
    |_, w| [-w - 3, -1],
    |_, w| [3 * w + 2, 3],
    |_, w| [-2 * w, -2],
    |h, _| [1, h],
    |h, _| [-1, -h - 1],
    |_, w| [2 * w, 2],
];

/// Ways of images that are read only.
const REPEATED: [fn(isize, isize) -> [isize; 2]; 4] = [|_, _| [0, 1], |_, _| [1, 0], |_, _| [0, -1], |_, _| [0, 0]];

/// Memory for an image of bytes that lies so, and its strides.
fn memory(way: fn(isize, isize) -> [isize; 2], [height, width]: [usize; 2], seed: usize) -> (Vec<u8>, [isize; 2]) {
    let strides = way(height as isize, width as isize);
    let info = TensorInfo::with_strides(windrow_runtime::ElementType::U8, 1, &[height, width], &strides).unwrap();
    ((0..info.size_in_bytes()).map(|at| noise(seed, at, 0, 0)).collect(), strides)
}

fn schedulers() -> Vec<Box<dyn Scheduler>> {
    vec![Box::new(Serial), Box::new(Rayon::new())]
}

#[test]
fn a_neighbourhood_is_read_wherever_its_elements_lie() {
    let borders = if cfg!(miri) { &EVERY_BORDER[2..3] } else { &EVERY_BORDER[..] };
    let sizes: &[[usize; 2]] = if cfg!(miri) { &[[3, 9]] } else { &[[1, 1], [3, 9], [40, 70], [7, 300]] };
    for (&way, &border) in WAYS.iter().chain(&REPEATED).flat_map(|way| borders.iter().map(move |b| (way, b))) {
        for &extents in sizes {
            let (bytes, strides) = memory(way, extents, 5);
            let src = View::<u8>::with_strides(&bytes, &extents, &strides).unwrap();
            let dense = Tensor::from_vec(src.to_vec(), extents).unwrap();
            let mut expect = Tensor::<i32>::new(extents).unwrap();
            let info = *expect.info();
            let kernel = configure::<Weighted<8, 2, 0>>(&request(&[dense.info()], &[Some(&info)], border)).unwrap();
            kernel.run(&Serial, &dense, &mut expect).unwrap();
            for scheduler in schedulers() {
                let mut out = Tensor::<i32>::new(extents).unwrap();
                kernel.run(&*scheduler, src, &mut out).unwrap();
                assert_eq!(out.to_vec(), expect.to_vec(), "{extents:?} {strides:?} {border:?}");
            }
            let mut out = Tensor::<i32>::new(extents).unwrap();
            kernel.run_reference(src, &mut out).unwrap();
            assert_eq!(out.to_vec(), expect.to_vec(), "reference {extents:?} {strides:?} {border:?}");
        }
    }
}

#[test]
fn results_go_wherever_the_output_lies_and_nowhere_else() {
    let sizes: &[[usize; 2]] = if cfg!(miri) { &[[3, 9]] } else { &[[1, 1], [3, 9], [40, 70], [5, 1], [1, 600]] };
    for &extents in sizes {
        let [height, width] = extents;
        let a = Tensor::from_fn(extents, |[y, x]| noise(1, x, y, 0)).unwrap();
        let b = Tensor::from_fn(extents, |[y, x]| noise(2, x, y, 0)).unwrap();
        let kernel = configure::<AbsDiff<16, 2>>(&request(
            &[a.info(), b.info()],
            &[Some(&TensorInfo::of::<u8>(&extents).unwrap())],
            Border::Undefined,
        ))
        .unwrap();
        for way in WAYS {
            for scheduler in schedulers() {
                let (mut bytes, strides) = memory(way, extents, 7);
                let before = bytes.clone();
                let out = ViewMut::<u8>::with_strides(&mut bytes, &extents, &strides).unwrap();
                kernel.run(&*scheduler, (&a, &b), out).unwrap();
                let found = View::<u8>::with_strides(&bytes, &extents, &strides).unwrap();
                let expect: Vec<u8> = a.to_vec().iter().zip(b.to_vec()).map(|(a, b)| a.abs_diff(b)).collect();
                assert_eq!(found.to_vec(), expect, "{extents:?} {strides:?}");
                let mut holes = bytes.clone();
                let mut old = ViewMut::<u8>::with_strides(&mut holes, &extents, &strides).unwrap();
                let earlier = View::<u8>::with_strides(&before, &extents, &strides).unwrap();
                for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
                    assert!(old.set([y, x], earlier.get([y, x]).unwrap()));
                }
                assert_eq!(holes, before, "what lies between is not touched: {extents:?} {strides:?}");
            }
        }
    }
}

#[test]
fn an_output_may_be_an_input_wherever_both_lie() {
    let extents = if cfg!(miri) { [3, 19] } else { [11, 77] };
    for way in WAYS {
        for scheduler in schedulers() {
            let (bytes, strides) = memory(way, extents, 3);
            let start = View::<u8>::with_strides(&bytes, &extents, &strides).unwrap();
            // Elements of two bytes lie twice as far apart.
            let strides: Vec<isize> = strides.iter().map(|stride| 2 * stride).collect();
            let mut sums = vec![0i16; bytes.len()];
            let mut acc = ViewMut::<i16>::with_strides(&mut sums, &extents, &strides).unwrap();
            for (y, x) in (0..extents[0]).flat_map(|y| (0..extents[1]).map(move |x| (y, x))) {
                assert!(acc.set([y, x], 1000 + i16::from(start.get([y, x]).unwrap())));
            }
            let info = *acc.info();
            let kernel = configure::<Accumulate<8, 2>>(&request(&[start.info()], &[Some(&info)], Border::Undefined));
            kernel.unwrap().run(&*scheduler, start, acc.reborrow()).unwrap();
            let expect: Vec<i16> = start.to_vec().iter().map(|&byte| 1000 + 2 * i16::from(byte)).collect();
            assert_eq!(acc.view().to_vec(), expect, "{strides:?}");
        }
    }
}

#[test]
fn planes_may_lie_in_any_order() {
    let extents = [3, 5, 33];
    let volume = Tensor::from_fn(extents, |[z, y, x]| noise(9, x, y, z)).unwrap();
    let views = [
        volume.view().flip(0).unwrap(),
        volume.view().flip(1).unwrap().flip(2).unwrap(),
        volume.view().region([1, 0, 0], [1, 5, 33]).unwrap().broadcast_to([3, 5, 33]).unwrap(),
        volume.view().permute([0, 1, 2]).unwrap(),
    ];
    for view in views {
        let dense = Tensor::from_vec(view.to_vec(), extents).unwrap();
        let (mut found, mut expect) = (Tensor::<u8>::new(extents).unwrap(), Tensor::<u8>::new(extents).unwrap());
        let info = *found.info();
        let kernel = configure::<AbsDiff<16, 1>>(&request(&[&info, &info], &[Some(&info)], Border::Undefined)).unwrap();
        kernel.run(&Serial, (&dense, &volume), &mut expect).unwrap();
        kernel.run(&Rayon::new(), (view, volume.view()), found.view_mut().flip(0).unwrap()).unwrap();
        assert_eq!(found.view().flip(0).unwrap().to_vec(), expect.to_vec());
    }
}

#[test]
fn an_output_that_shares_memory_in_another_order_is_refused() {
    let image = Tensor::from_fn([6, 20], |[y, x]| noise(4, x, y, 0)).unwrap();
    let mut bytes = image.to_vec();
    let base = core::ptr::NonNull::new(bytes.as_mut_ptr()).unwrap();
    let info = *image.info();
    let upside_down = TensorInfo::with_strides(windrow_runtime::ElementType::U8, 1, &[6, 20], &[-20, 1]).unwrap();
    let kernel = configure::<AbsDiff<4, 1>>(&request(&[&info, &info], &[Some(&info)], Border::Undefined)).unwrap();
    // SAFETY: the views live as long as the bytes; the run that would write what it reads otherwise is refused.
    let (flipped, out) = unsafe {
        (View::<u8>::from_raw(base.add(100), upside_down).unwrap(), ViewMut::<u8>::from_raw(base, info).unwrap())
    };
    let refused = kernel.run(&Serial, (flipped, image.view()), out);
    assert_eq!(refused, Err(RunError::Overlap { output: "out", other: "a" }));
    let row = TensorInfo::with_strides(windrow_runtime::ElementType::U8, 1, &[6, 20], &[0, 1]).unwrap();
    // SAFETY: the row lies in the bytes.
    let refused = unsafe { ViewMut::<u8>::from_raw(base, row) }.unwrap_err();
    assert_eq!(refused, InvalidTensor::Overlap { dimension: 0, found: 0, least: 1 });
    let refused = configure::<AbsDiff<4, 1>>(&request(&[&info, &info], &[Some(&row)], Border::Undefined)).unwrap_err();
    let (dimension, found, least) = (0, 0, 1);
    assert_eq!(refused, InvalidConfiguration::OverlapsItself { argument: "out", dimension, found, least });
}
