//! Tensors beyond their shape: padding, memory of the host's, crops, collapsed dimensions, valid regions.

use crate::common::{AbsDiff, request};
use proptest::prelude::*;
use windrow_runtime::{
    AnyView, Border, ElementType, InvalidTensor, Padding, Rect, RunError, Serial, Shape, Tensor, TensorInfo,
    ValidRegion, View, ViewMut, configure,
    data_layout::{Axis, DataLayout},
};

fn u8s(extents: &[usize]) -> TensorInfo {
    TensorInfo::new(ElementType::U8, 1, extents).unwrap()
}

#[test]
fn padding_only_grows_and_moves_the_first_element() {
    let info = u8s(&[3, 4, 10]).extend_padding(Padding { left: 2, right: 6, top: 1, bottom: 0 }).unwrap();
    assert_eq!((info.row_stride(), info.inner_stride(2), info.first_element(), info.buffer_size()), (18, 90, 20, 270));
    let more = info.extend_padding(Padding { left: 1, right: 8, top: 0, bottom: 2 }).unwrap();
    assert_eq!(more.padding(), Padding { left: 2, right: 8, top: 1, bottom: 2 });
    assert_eq!(more.with_padding(Padding::default()).unwrap(), u8s(&[3, 4, 10]));
    assert_eq!(Padding::automatic(), Padding { left: 4, right: 36, top: 4, bottom: 4 });
    let strided = TensorInfo::with_strides(ElementType::U8, 1, &[4, 10], &[17, 1]).unwrap();
    assert_eq!(
        strided.with_padding(Padding::uniform(1)),
        Err(InvalidTensor::Strided { dimension: 0, found: 17, expected: 10 })
    );
    assert!(u8s(&[4, 10]).with_padding(Padding { right: usize::MAX, ..Padding::default() }).is_err());
    let crop = info.region(&[1, 3], &[2, 4]).unwrap().1;
    assert_eq!((crop.padding(), crop.first_element()), (Padding::default(), 20 + 18 + 3));
}

#[test]
fn a_tensor_is_allocated_as_its_metadata_say() {
    let info = TensorInfo::of::<i16>(&[4, 5]).unwrap().with_padding(Padding::automatic()).unwrap();
    let tensor = Tensor::<i16>::with_info(info).unwrap();
    assert_eq!((tensor.storage().len(), tensor.info().padding()), ((4 + 5 + 36) * 12, Padding::automatic()));
    assert!(Tensor::<u16>::with_info(info).is_err(), "of another type");
    let odd = TensorInfo::with_strides(ElementType::U8, 3, &[4, 5], &[17, 3]).unwrap();
    assert!(Tensor::<[u8; 3]>::with_info(odd).is_err(), "rows between elements of the vector");
}

#[test]
fn memory_of_the_hosts_is_imported_where_size_alignment_and_strides_fit() {
    let mut words = [0u32; 40];
    let length = size_of_val(&words);
    let info = TensorInfo::of::<i16>(&[5, 6]).unwrap().with_first_element(10).unwrap();
    // SAFETY: the words live as long as the views, and nobody writes them meanwhile.
    let import = |offset: usize, length: usize, info| unsafe {
        AnyView::import(words.as_ptr().cast::<u8>().add(offset), length, info)
    };
    assert!(import(0, 70, info).is_ok());
    assert_eq!(import(0, 69, info).unwrap_err(), InvalidTensor::TooShort { found: 69, expected: 70 });
    assert_eq!(import(1, 70, info).unwrap_err(), InvalidTensor::Misaligned { found: 1, alignment: 2 });
    assert!(import(2, length - 2, info).is_ok());
    assert_eq!(info.with_first_element(3), Err(InvalidTensor::Misaligned { found: 1, alignment: 2 }));
    // SAFETY: the null pointer is refused.
    let null = unsafe { AnyView::import(core::ptr::null(), 70, info) };
    assert_eq!(null.unwrap_err(), InvalidTensor::Null { expected: 70 });
    let overlapping = TensorInfo::with_strides(ElementType::I16, 1, &[5, 6], &[10, 2]).unwrap();
    assert!(import(0, 70, overlapping).is_ok(), "repeated elements may be read");
    let back = TensorInfo::with_strides(ElementType::I16, 1, &[5, 6], &[-12, 2]).unwrap();
    assert_eq!(back.with_first_element(46), Err(InvalidTensor::BeforeMemory { found: 46, least: 48 }));
    assert!(import(0, 60, back).is_ok());
    let short = back.with_first_element(50).unwrap();
    assert_eq!(import(0, 61, short).unwrap_err(), InvalidTensor::TooShort { found: 61, expected: 62 });

    let bytes: &mut [u8] = bytes_of(&mut words);
    let refused = ViewMut::<i16>::import(bytes, overlapping).unwrap_err();
    assert_eq!(refused, InvalidTensor::Overlap { dimension: 0, found: 10, least: 12 });
    let mut view = ViewMut::<i16>::import(bytes, info).unwrap();
    assert!(view.set([0, 0], -2));
    assert_eq!((words[2] >> 16, words[2] & 0xffff), (0xfffe, 0));
}

fn bytes_of(words: &mut [u32]) -> &mut [u8] {
    // SAFETY: words are bytes.
    unsafe { core::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), size_of_val(words)) }
}

#[test]
fn a_data_layout_names_the_dimensions() {
    let info = u8s(&[2, 3, 5, 7]);
    let extents =
        |info: &TensorInfo| [Axis::Width, Axis::Height, Axis::Channel, Axis::Batch].map(|axis| info.extent(axis));
    assert_eq!(extents(&info), [7, 5, 3, 2]);
    assert_eq!(extents(&info.with_data_layout(DataLayout::Nhwc)), [5, 3, 7, 2]);
}

#[test]
fn a_valid_region_lies_inside_and_follows_crops() {
    let region = ValidRegion::new(Rect::new(2, 1, 9, 4), Shape::new(&[5, 10]).unwrap());
    let info = u8s(&[5, 10]).with_valid_region(region).unwrap();
    let crop = info.region(&[2, 1], &[3, 6]).unwrap().1;
    assert_eq!(crop.valid_region().plane(), Rect::new(1, 0, 6, 2));
    let (dimension, start, end, extent) = (1, 2, 9, 8);
    assert_eq!(
        u8s(&[5, 8]).with_valid_region(region),
        Err(InvalidTensor::ValidRegion { dimension, start, end, extent })
    );
    let mut image = Tensor::<u8>::new([5, 10]).unwrap();
    image.set_valid_region(region).unwrap();
    assert_eq!(image.view().info().valid_region(), region);
}

#[test]
fn collapsed_dimensions_lie_in_one_piece() {
    let info = TensorInfo::new(ElementType::I16, 1, &[3, 4, 5, 6]).unwrap();
    let flat = info.collapse(0, 3).unwrap();
    assert_eq!((flat.shape().extents(), flat.size_in_bytes()), (Shape::new(&[1, 1, 1, 360]).unwrap().extents(), 720));
    let planes = info.collapse(0, 1).unwrap();
    assert_eq!(planes.shape().extents(), [1, 12, 5, 6]);
    assert_eq!(planes.offset(&[7, 0, 0]), info.offset(&[1, 3, 0, 0]));
    let padded = info.with_padding(Padding { right: 1, ..Padding::default() }).unwrap();
    assert_eq!(padded.collapse(2, 3), Err(InvalidTensor::Gap { dimension: 2, found: 14, expected: 12 }));
    assert!(padded.collapse(0, 2).is_ok());
    assert!(info.collapse(3, 2).is_err() && info.collapse(0, 6).is_err());
}

proptest! {
    #[test]
    fn halves_of_an_image_may_be_read_and_written(width in 1usize..40, height in 1usize..6, seed in any::<u8>()) {
        // The columns interleave in memory: spans overlap, elements don't.
        let mut memory: Vec<u8> = (0..3 * width * height).map(|at| (at as u8).wrapping_mul(37) ^ seed).collect();
        let before = memory.clone();
        let base = core::ptr::NonNull::new(memory.as_mut_ptr()).unwrap();
        let info = TensorInfo::with_strides(ElementType::U8, 1, &[height, width], &[3 * width as isize, 1]).unwrap();
        // SAFETY: the thirds share no element, and live as long as `memory`.
        let third = |index: usize| unsafe { View::<u8>::from_raw(base.add(index * width), info).unwrap() };
        // SAFETY: as above.
        let out = unsafe { ViewMut::<u8>::from_raw(base.add(2 * width), info).unwrap() };
        let inputs = [third(0), third(1)];
        let configured = configure::<AbsDiff<16, 1>>(&request(
            &[inputs[0].info(), inputs[1].info()], &[Some(out.info())], Border::Undefined,
        )).unwrap();
        configured.run(&Serial, (inputs[0], inputs[1]), out).unwrap();
        for (y, row) in memory.chunks(3 * width).enumerate() {
            for x in 0..width {
                let (a, b) = (before[3 * width * y + x], before[3 * width * y + width + x]);
                prop_assert_eq!((row[x], row[width + x], row[2 * width + x]), (a, b, a.abs_diff(b)));
            }
        }
    }
}

#[test]
fn columns_that_are_shared_are_refused() {
    let mut memory = [0u8; 60];
    let base = core::ptr::NonNull::new(memory.as_mut_ptr()).unwrap();
    let info = TensorInfo::with_strides(ElementType::U8, 1, &[3, 11], &[20, 1]).unwrap();
    // SAFETY: the views live as long as `memory`; the run that would write what it reads is refused.
    let (a, out) =
        unsafe { (View::<u8>::from_raw(base, info).unwrap(), ViewMut::from_raw(base.add(10), info).unwrap()) };
    let configured = configure::<AbsDiff<4, 1>>(&request(&[&info, &info], &[Some(&info)], Border::Undefined)).unwrap();
    assert_eq!(configured.run(&Serial, (a, a), out), Err(RunError::Overlap { output: "out", other: "a" }));
}

#[test]
fn a_run_takes_tensors_of_any_rank_and_of_one() {
    let (a, b) = (
        Tensor::from_fn([3, 7], |[y, x]| (10 * y + x) as u8).unwrap(),
        Tensor::from_fn([3, 7], |[y, x]| (x * y) as u8).unwrap(),
    );
    let (ranked, mut out): (Tensor<u8, 2>, Tensor<u8, 2>) =
        (a.clone().into_rank().unwrap(), Tensor::<u8>::new([3, 7]).unwrap().into_rank().unwrap());
    let configured =
        configure::<AbsDiff<4, 1>>(&request(&[ranked.info(), b.info()], &[Some(out.info())], Border::Undefined))
            .unwrap();
    configured.run(&Serial, (&ranked, &b), &mut out).unwrap();
    let [height, width] = out.shape();
    let expect = (0..height).flat_map(|y| (0..width).map(move |x| ((10 * y + x) as u8).abs_diff((x * y) as u8)));
    assert_eq!(out.to_vec(), expect.collect::<Vec<_>>());
}
