//! What images that are read anywhere must be, and what a run refuses.

use super::*;
use crate::common::request;
use windrow_runtime::{
    Border, InvalidConfiguration, Padding, Rect, RunError, Serial, Shape, Tensor, TensorInfo, ValidRegion, configure,
    data_layout::DataLayout, infer,
};

fn info<T: Element>(extents: &[usize]) -> TensorInfo {
    TensorInfo::of::<T>(extents).unwrap()
}

fn shape(extents: &[usize]) -> Shape {
    Shape::new(extents).unwrap()
}

fn turned_of(src: &TensorInfo, out: &TensorInfo) -> Result<(), InvalidConfiguration> {
    configure::<Turned<4, 1>>(&request(&[src], &[Some(out)], Border::Undefined)).map(drop)
}

#[test]
fn only_other_images_give_the_outputs_shape() {
    let src = info::<u8>(&[5, 6]);
    let error = infer(&TURNED, &[&src], BorderMode::Undefined).unwrap_err();
    assert_eq!(error, InvalidConfiguration::NoShape { kernel: "turned" });
    assert!(error.to_string().contains("`turned`"));
    let (photo, map, column) = (info::<[u8; 3]>(&[50, 60]), info::<[i16; 2]>(&[7, 8]), info::<u16>(&[9, 1]));
    let inferred = infer(&REMAPPED, &[&photo, &map, &column], BorderMode::Undefined).unwrap();
    assert_eq!((inferred.shape(), inferred.output(0)), (shape(&[7, 8]), Some(info::<i32>(&[7, 8]))));
    let out = info::<i32>(&[5, 6]);
    let found = configure::<Remapped<4, 1>>(&request(&[&photo, &map, &column], &[Some(&out)], Border::Undefined));
    let expected = InvalidConfiguration::Shape { argument: "out", found: shape(&[5, 6]), expected: shape(&[7, 8]) };
    assert_eq!(found.map(drop), Err(expected));
}

#[test]
fn types_and_elements_are_checked_as_of_any_image() {
    let out = info::<u8>(&[3, 3]);
    let error = |src: &TensorInfo| turned_of(src, &out).unwrap_err();
    assert!(matches!(error(&info::<i8>(&[5, 6])), InvalidConfiguration::ElementType { argument: "src", .. }));
    assert!(matches!(error(&info::<[u8; 2]>(&[5, 6])), InvalidConfiguration::Channels { argument: "src", .. }));
    assert!(matches!(error(&info::<u8>(&[5, 0])), InvalidConfiguration::Empty { argument: "src", .. }));
}

#[test]
fn planes_are_the_outputs_or_there_is_one() {
    let out = info::<u8>(&[2, 3, 4, 5]);
    // Shapes are compared by their extents: a missing dimension is one of extent 1.
    for extents in [&[][..], &[9], &[7, 9], &[1, 7, 9], &[1, 1, 1, 1, 7, 9], &[2, 3, 1, 9], &[1, 2, 3, 7, 9]] {
        assert_eq!(turned_of(&info::<u8>(extents), &out), Ok(()), "{extents:?}");
    }
    for extents in [&[3, 7, 9][..], &[2, 7, 9], &[1, 3, 7, 9], &[2, 1, 7, 9], &[3, 2, 7, 9], &[2, 2, 3, 7, 9]] {
        let expected = InvalidConfiguration::Planes { argument: "src", found: shape(extents), expected: out.shape() };
        assert_eq!(turned_of(&info::<u8>(extents), &out), Err(expected));
        let text = expected.to_string();
        assert!(text.contains("`src`") && text.contains("2×3×4×5"), "{text}");
    }
    assert!(turned_of(&info::<u8>(&[2, 7, 9]), &info::<u8>(&[4, 5])).is_err());
}

#[test]
fn dimensions_mean_the_same_where_there_are_planes() {
    let with = |extents: &[usize], layout| info::<u8>(extents).with_data_layout(layout);
    let out = with(&[1, 4, 5, 6], DataLayout::Nhwc);
    assert_eq!(turned_of(&with(&[7, 8], DataLayout::Nchw), &out), Ok(()));
    assert_eq!(turned_of(&with(&[1, 4, 7, 8], DataLayout::Nhwc), &out), Ok(()));
    let expected =
        InvalidConfiguration::DataLayout { argument: "out", found: DataLayout::Nhwc, expected: DataLayout::Nchw };
    assert_eq!(turned_of(&with(&[1, 4, 7, 8], DataLayout::Nchw), &out), Err(expected));
    // The outputs' layout is that of the images that shape them.
    let (photo, column) = (info::<[u8; 3]>(&[50, 60]), info::<u16>(&[9, 1]));
    let map = info::<[i16; 2]>(&[1, 4, 7, 8]).with_data_layout(DataLayout::Nhwc);
    let inferred = infer(&REMAPPED, &[&photo, &map, &column], BorderMode::Undefined).unwrap();
    assert_eq!(inferred.output(0).map(|info| info.data_layout()), Some(DataLayout::Nhwc));
}

#[test]
fn all_elements_are_valid() {
    let region = |rect: Rect| ValidRegion::new(rect, shape(&[5, 6]));
    let part = |rect| info::<u8>(&[5, 6]).with_valid_region(region(rect)).unwrap();
    let out = info::<u8>(&[3, 3]);
    assert_eq!(turned_of(&part(Rect::new(0, 0, 6, 5)), &out), Ok(()));
    let columns = InvalidConfiguration::PartlyValid { argument: "src", dimension: 1, start: 1, end: 6, extent: 6 };
    assert_eq!(turned_of(&part(Rect::new(1, 0, 6, 5)), &out), Err(columns));
    let rows = InvalidConfiguration::PartlyValid { argument: "src", dimension: 0, start: 0, end: 4, extent: 5 };
    assert_eq!(turned_of(&part(Rect::new(0, 0, 6, 4)), &out), Err(rows));
    assert!(rows.to_string().contains("`src`") && rows.to_string().contains("from 0 to before 4"), "{rows}");
    // So must those of a run be.
    let kernel =
        configure::<Turned<4, 1>>(&request(&[&info::<u8>(&[5, 6])], &[Some(&out)], Border::Undefined)).unwrap();
    let (mut src, mut to) = (Tensor::<u8>::new([5, 6]).unwrap(), Tensor::<u8>::new([3, 3]).unwrap());
    src.set_valid_region(region(Rect::new(0, 0, 6, 4))).unwrap();
    assert_eq!(kernel.run(&Serial, &src, &mut to), Err(RunError::Arguments(rows)));
    src.set_valid_region(region(Rect::new(0, 0, 6, 5))).unwrap();
    assert_eq!(kernel.run(&Serial, &src, &mut to), Ok(()));
}

#[test]
fn outputs_are_valid_where_the_other_images_say() {
    let sides = info::<u8>(&[8, 9]);
    let sides = sides.with_valid_region(ValidRegion::new(Rect::new(2, 1, 8, 7), sides.shape())).unwrap();
    let (src, acc) = (info::<i32>(&[2, 2]), info::<i32>(&[8, 9]));
    let kernel = configure::<Gathered<4, 1>>(&request(&[&sides, &src], &[Some(&acc)], Border::Undefined)).unwrap();
    assert_eq!(kernel.valid_region().plane(), Rect::new(3, 1, 7, 7));
    assert_eq!(kernel.wanted_input_padding(2), Some(Padding::default()));
    let manual = kernel.with_manual_padding(&[&sides, &src], &[Some(&acc)]).unwrap();
    // The steps read nothing beyond `sides`, and `src` has no say in it.
    assert_eq!(manual.valid_region().plane(), Rect::new(3, 1, 7, 7));
}

const GREATEST: usize = i32::MAX as usize;

#[test]
fn a_plane_is_within_reach_of_an_offset() {
    let out = info::<u8>(&[3, 3]);
    let spread = |extents: [usize; 2], strides: [isize; 2]| {
        let src = TensorInfo::with_strides(ElementType::U8, 1, &extents, &strides).unwrap();
        turned_of(&src, &out)
    };
    let far = |found| Err(InvalidConfiguration::Span { argument: "src", found, greatest: GREATEST });
    assert_eq!(spread([2, 1], [GREATEST as isize - 1, 1]), Ok(()));
    assert_eq!(spread([2, 1], [GREATEST as isize, 1]), far(GREATEST + 1));
    assert_eq!(spread([2, 2], [1 - GREATEST as isize, 1]), far(GREATEST + 1));
    assert_eq!(spread([3, 2], [1 << 30, -1]), far((1 << 31) + 2));
    assert_eq!(spread([1, 3], [1 << 40, 7]), Ok(()));
    assert_eq!(spread([1 << 20, 1 << 20], [0, 0]), Ok(()));
    let error = spread([2, 1], [GREATEST as isize, 1]).unwrap_err().to_string();
    assert!(error.contains("`src`") && error.contains("2147483648") && error.contains("2147483647"), "{error}");
    // Planes may lie as far apart as they like.
    let planes = TensorInfo::with_strides(ElementType::U8, 1, &[2, 4, 5], &[1 << 40, 5, 1]).unwrap();
    assert_eq!(turned_of(&planes, &info::<u8>(&[2, 3, 3])), Ok(()));
}

#[test]
#[cfg_attr(miri, ignore = "takes two gigabytes of memory, of which others touch two pages")]
fn a_run_looks_at_the_strides_that_it_is_given() {
    let out = info::<u8>(&[2, 2]);
    let kernel =
        configure::<Turned<4, 1>>(&request(&[&info::<u8>(&[2, 2])], &[Some(&out)], Border::Undefined)).unwrap();
    let mut bytes = vec![0u8; GREATEST + 1];
    (bytes[0], bytes[1], bytes[GREATEST - 2], bytes[GREATEST - 1], bytes[GREATEST]) = (1, 2, 3, 4, 5);
    for up in [1, -1] {
        let mut to = Tensor::<u8>::new([2, 2]).unwrap();
        let view = |stride: isize| View::<u8>::with_strides(&bytes, &[2, 2], &[up * stride, 1]).unwrap();
        let (near, far) = (view(GREATEST as isize - 2), view(GREATEST as isize - 1));
        kernel.run(&Serial, near, &mut to).unwrap();
        let expect = [[0, 0], [0, 1], [1, 0], [1, 1]].map(|at| near.get(turned_place(at)).unwrap_or(7));
        assert_eq!(to.to_vec(), expect);
        let error = InvalidConfiguration::Span { argument: "src", found: GREATEST + 1, greatest: GREATEST };
        assert_eq!(kernel.run(&Serial, far, &mut to), Err(RunError::Arguments(error)));
        assert!(kernel.bind(far, &mut to).is_err() && kernel.run_reference(far, &mut to).is_err());
    }
}

#[test]
fn a_run_looks_at_shapes_and_types() {
    let out = info::<u8>(&[2, 2]);
    let kernel =
        configure::<Turned<4, 1>>(&request(&[&info::<u8>(&[4, 5])], &[Some(&out)], Border::Undefined)).unwrap();
    let (src, mut to) = (Tensor::<u8>::new([5, 4]).unwrap(), Tensor::<u8>::new([2, 2]).unwrap());
    let expected = RunError::Shape { argument: "src", found: shape(&[5, 4]), expected: shape(&[4, 5]) };
    assert_eq!(kernel.run(&Serial, &src, &mut to), Err(expected));
}

#[test]
fn it_shares_no_memory_with_an_output() {
    let square = info::<u8>(&[4, 4]);
    let kernel = configure::<Turned<4, 1>>(&request(&[&square], &[Some(&square)], Border::Undefined)).unwrap();
    let mut bytes = [0u8; 40];
    let base = core::ptr::NonNull::from(&mut bytes).cast::<u8>();
    // SAFETY: the array has the elements, and a run on shared ones is refused before it touches any.
    let at = |first: usize| unsafe {
        let first = base.add(first);
        (View::<u8>::from_raw(first, square).unwrap(), ViewMut::<u8>::from_raw(first, square).unwrap())
    };
    let overlap = |output, other| Err(RunError::Overlap { output, other });
    assert_eq!(kernel.run(&Serial, at(0).0, at(0).1), overlap("out", "src"));
    assert_eq!(kernel.run(&Serial, at(0).0, at(15).1), overlap("out", "src"));
    assert_eq!(kernel.run(&Serial, at(0).0, at(16).1), Ok(()));
}

#[test]
fn it_shares_no_memory_with_an_image_that_is_computed_in_place() {
    let (sides, acc) = (Tensor::<u8>::new([4, 4]).unwrap(), info::<i32>(&[4, 4]));
    let src = info::<i32>(&[2, 2]);
    let kernel =
        configure::<Gathered<4, 1>>(&request(&[sides.info(), &src], &[Some(&acc)], Border::Replicate)).unwrap();
    let mut memory = [0i32; 24];
    let base = core::ptr::NonNull::from(&mut memory).cast::<i32>();
    // SAFETY: as above.
    let at = |first: usize| unsafe {
        let src = View::<i32>::from_raw(base.add(first).cast(), src).unwrap();
        (src, ViewMut::<i32>::from_raw(base.cast(), acc).unwrap())
    };
    for first in [0, 7, 15] {
        let (src, acc) = at(first);
        let found = kernel.run(&Serial, (sides.view(), src), acc);
        assert_eq!(found, Err(RunError::Overlap { output: "acc", other: "src" }), "{first}");
    }
    let (src, acc) = at(16);
    assert_eq!(kernel.run(&Serial, (sides.view(), src), acc), Ok(()));
}
