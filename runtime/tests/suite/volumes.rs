//! Tensors of more than two dimensions are their planes: all of them, each once, whole or in parts.

use crate::common::*;
use windrow_runtime::{
    Border, Configured, Dimension, Padding, Rect, Serial, Shape, Tensor, ValidRegion, Window, configure,
};

type Kernel = Weighted<4, 2, 0>;

/// No two extents of the planes' dimensions alike, none of them 1.
const EXTENTS: [usize; 6] = [2, 4, 3, 2, 3, 6];
/// Fewer elements, for every part of every dimension.
const SMALL: [usize; 6] = [3, 2, 2, 3, 3, 5];

fn image(extents: [usize; 6]) -> Tensor<u8> {
    Tensor::from_fn(extents, |at| noise_at(3, at)).unwrap()
}

fn canvas(extents: [usize; 6]) -> Tensor<i32> {
    let mut tensor = Tensor::with_padding(extents, Padding { left: 1, right: 2, top: 1, bottom: 1 }).unwrap();
    tensor.storage_mut().fill(-1);
    tensor
}

fn configured(src: &Tensor<u8>, out: &Tensor<i32>, border: Border) -> Configured<Kernel> {
    configure::<Kernel>(&request(&[src.info()], &[Some(out.info())], border)).unwrap()
}

/// Every coordinate of `extents`, in some order.
fn coordinates(extents: [usize; 6]) -> impl Iterator<Item = [usize; 6]> {
    (0..extents.iter().product()).map(move |mut number: usize| {
        extents.map(|extent| {
            let at = number % extent;
            number /= extent;
            at
        })
    })
}

/// The sum by its definition, under a replicated border.
fn defined(src: &Tensor<u8>, [planes @ .., y, x]: [usize; 6]) -> i32 {
    let inside = |at: usize, offset: i32, extent: usize| (at as i32 + offset).clamp(0, extent as i32 - 1) as usize;
    let (width, height) = (src.shape().width(), src.shape().height());
    weighted_sum(KINDS[0].0, |dx, dy| {
        let [a, b, c, d] = planes;
        src.view().get([a, b, c, d, inside(y, dy, height), inside(x, dx, width)]).unwrap()
    })
}

#[test]
fn every_plane_of_six_dimensions_is_computed() {
    let extents = if cfg!(miri) { SMALL } else { EXTENTS };
    let src = image(extents);
    let (mut out, mut reference) = (canvas(extents), canvas(extents));
    let configured = configured(&src, &out, Border::Replicate);
    configured.run(&Serial, src.view(), out.view_mut()).unwrap();
    configured.run_reference(src.view(), reference.view_mut()).unwrap();
    for at in coordinates(extents) {
        let expect = Some(defined(&src, at));
        assert_eq!((out.view().get(at), reference.view().get(at)), (expect, expect), "{at:?}");
    }
    assert_eq!(out.storage(), reference.storage());
}

#[test]
fn a_part_of_any_dimension_writes_its_own_elements_only() {
    let src = image(SMALL);
    for border in [Border::Replicate, Border::Undefined] {
        let mut whole = canvas(SMALL);
        let configured = configured(&src, &whole, border);
        configured.run(&Serial, src.view(), whole.view_mut()).unwrap();
        for split in 0..6 {
            for part in configured.window().parts(split, usize::MAX) {
                let mut alone = canvas(SMALL);
                configured.run_window(&Serial, src.view(), alone.view_mut(), &part).unwrap();
                let extent = part.dimension(split);
                for at in coordinates(SMALL) {
                    let holds = (extent.start()..extent.end()).contains(&at[5 - split]);
                    let expect = if holds { whole.view().get(at) } else { Some(-1) };
                    assert_eq!(alone.view().get(at), expect, "{border:?}: {extent:?} of dimension {split}, {at:?}");
                }
            }
        }
    }
}

/// A part in all dimensions at once, neither the first nor the last of any.
#[test]
fn a_part_in_the_middle_is_computed_alone() {
    let extents = [3, 3, 3, 3, 6, 12];
    let src = image(extents);
    let (mut alone, mut whole) = (canvas(extents), canvas(extents));
    let configured = configured(&src, &whole, Border::Wrap);
    configured.run(&Serial, src.view(), whole.view_mut()).unwrap();
    let middle = [(4, 8, 4), (2, 4, 2), (1, 2, 1), (1, 2, 1), (1, 3, 1), (1, 2, 1)];
    let part = Window::new(&middle.map(|(start, end, step)| Dimension::new(start, end, step).unwrap())).unwrap();
    configured.run_window(&Serial, src.view(), alone.view_mut(), &part).unwrap();
    for at in coordinates(extents) {
        let holds = at.iter().rev().zip(middle).all(|(at, (start, end, _))| (start..end).contains(at));
        let expect = if holds { whole.view().get(at) } else { Some(-1) };
        assert_eq!(alone.view().get(at), expect, "{at:?}");
    }
}

#[test]
fn a_valid_region_has_six_dimensions() {
    let region = ValidRegion::new(Rect::new(1, 1, 5, 4), Shape::new(&[2, 4, 3, 2, 5, 6]).unwrap());
    let held = coordinates([3, 5, 4, 3, 6, 7]).filter(|at| region.contains(at)).count();
    assert_eq!(held, 4 * 3 * 2 * 3 * 4 * 2);
    assert!(region.contains(&[1, 3, 2, 1, 3, 4]));
    for dimension in 0..6 {
        let mut beyond = [1, 3, 2, 1, 3, 4];
        beyond[dimension] += 1;
        assert!(!region.contains(&beyond), "{beyond:?}");
    }
    assert!(!region.contains(&[0, 0, 0, 0, 0, 1, 1]));
    for dimension in 0..6 {
        let mut ranges: Vec<_> = region.ranges().collect();
        ranges[dimension].end = ranges[dimension].start;
        let empty = ValidRegion::from_ranges(&ranges).unwrap();
        assert!(empty.is_empty() && !region.is_empty(), "dimension {dimension}");
    }
}
