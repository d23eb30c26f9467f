//! The pixels of `image` and the arrays of `ndarray`, read and written in place.

use image::{GenericImageView, GrayImage, ImageBuffer, Luma, Rgb, RgbImage, flat::SampleLayout};
use ndarray::{Array2, Array3, ArrayD, s};
use windrow::{Border, InvalidTensor, Serial, Tensor, TensorInfo, View, ViewMut};
use windrow_operators::{gaussian3x3, rgb_to_gray};

#[test]
fn an_operator_reads_and_writes_images_in_place() {
    let photo: RgbImage = ImageBuffer::from_fn(37, 9, |x, y| Rgb([x as u8, y as u8, (x * y) as u8]));
    let mut luma = GrayImage::new(37, 9);
    let address = luma.as_ptr();
    let (src, out) =
        (windrow::interop::image::view(&photo).unwrap(), windrow::interop::image::view_mut(&mut luma).unwrap());
    assert_eq!((src.any().as_ptr(), out.view().any().as_ptr()), (photo.as_ptr(), address));
    rgb_to_gray::configure(src.info(), out.info()).unwrap().run(&Serial, src, out).unwrap();
    let whole = luma.as_raw().clone();
    // The same on arrays of rows, columns and channels.
    let array = Array3::from_shape_vec((9, 37, 3), photo.into_raw()).unwrap();
    let mut result = Array2::<u8>::zeros((9, 37));
    let src = windrow::interop::ndarray::pixels::<u8, 3>(array.view()).unwrap();
    let out = windrow::interop::ndarray::view_mut(result.view_mut()).unwrap();
    rgb_to_gray::configure(src.info(), out.info()).unwrap().run(&Serial, src, out).unwrap();
    assert_eq!(result.into_raw_vec_and_offset().0, whole);
}

#[test]
fn crops_are_read_and_written_where_they_lie() {
    let mut array = Array2::from_shape_fn((12, 40), |(y, x)| (x * 7 + y * 31) as u8);
    let before = array.clone();
    let info = TensorInfo::of::<u8>(&[7, 33]).unwrap();
    let expect = {
        let crop = Tensor::from_fn([7, 33], |[y, x]| before[[y + 2, x + 4]]).unwrap();
        let mut out = Tensor::<u8>::new([7, 33]).unwrap();
        let configured = gaussian3x3::configure(&info, &info, Border::Replicate).unwrap();
        configured.run(&Serial, crop.view(), out.view_mut()).unwrap();
        out.to_vec()
    };
    let source = array.clone();
    let src = windrow::interop::ndarray::view(source.slice(s![2..9, 4..37])).unwrap();
    let out = windrow::interop::ndarray::view_mut(array.slice_mut(s![2..9, 4..37])).unwrap();
    gaussian3x3::configure(&info, &info, Border::Replicate).unwrap().run(&Serial, src, out).unwrap();
    for ((y, x), found) in array.indexed_iter() {
        let inside = (2..9).contains(&y) && (4..37).contains(&x);
        let expect = if inside { expect[(y - 2) * 33 + x - 4] } else { before[[y, x]] };
        assert_eq!(*found, expect, "({x}, {y})");
    }
}

/// Transposed, from the bottom up, from right to left, every second element, repeated: as a dense copy, to the bit.
#[test]
fn arrays_of_any_strides_are_read_and_written_where_they_lie() {
    let source = Array2::from_shape_fn((23, 90), |(y, x)| (y * 31 + x * x * 7) as u8);
    let row = source.slice(s![4..5, ..]);
    let views = [
        source.t(),
        source.slice(s![..;-1, ..]),
        source.slice(s![.., ..;-1]),
        source.slice(s![..;-2, ..;3]),
        row.broadcast((23, 90)).unwrap(),
    ];
    for view in views {
        let dense = view.as_standard_layout().to_owned();
        let expect = gaussian3x3::apply(&dense, Border::Replicate).unwrap();
        assert_eq!(gaussian3x3::apply(view, Border::Replicate).unwrap(), expect);
        // Into every second element from the end on, of every second row; the others stay.
        let (height, width) = dense.dim();
        let mut out = Array2::from_elem((2 * height, 2 * width), 77);
        gaussian3x3::apply_into(view, out.slice_mut(s![..;-2, ..;-2]), Border::Replicate).unwrap();
        assert_eq!(out.slice(s![..;-2, ..;-2]), expect);
        assert_eq!(
            out.iter().filter(|&&byte| byte == 77).count() - expect.iter().filter(|&&b| b == 77).count(),
            3 * height * width
        );
        let again = windrow::interop::ndarray::view(view).unwrap();
        assert_eq!(windrow::interop::ndarray::array(again).unwrap(), view.into_dyn());
    }
}

#[test]
fn a_channel_is_written_where_it_lies() {
    let photo = Tensor::<[u8; 3]>::from_fn([19, 70], |[y, x]| [(x * y) as u8, (x + y) as u8, (3 * x) as u8]).unwrap();
    let mut out = photo.clone();
    let green = photo.view().channel(1).unwrap();
    let expect = gaussian3x3::apply(green, Border::Reflect101).unwrap();
    gaussian3x3::apply_into(green, out.view_mut().channel(2).unwrap(), Border::Reflect101).unwrap();
    for (y, x) in (0..19).flat_map(|y| (0..70).map(move |x| (y, x))) {
        let [red, green, _] = photo.view().get([y, x]).unwrap();
        assert_eq!(out.view().get([y, x]), Some([red, green, expect.view().get([y, x]).unwrap()]));
    }
    let part = GrayImage::from_fn(40, 30, |x, y| Luma([(x * 5 + y) as u8]));
    let part = GenericImageView::view(&part, 3, 5, 30, 20);
    let view = windrow::interop::image::view_sub_image(&part).unwrap();
    let dense = part.to_image();
    let blurred = gaussian3x3::apply(&dense, Border::Replicate).unwrap();
    assert_eq!(gaussian3x3::apply(view, Border::Replicate).unwrap().to_vec(), blurred.into_raw());
}

#[test]
fn an_output_that_repeats_elements_is_refused_by_name() {
    let row = TensorInfo::with_strides(windrow::ElementType::U8, 1, &[6, 5], &[0, 1]).unwrap();
    let mut bytes = [0u8; 40];
    let refused = ViewMut::<u8>::with_strides(&mut bytes, &[6, 5], &[0, 1]).unwrap_err();
    assert_eq!(refused, InvalidTensor::Overlap { dimension: 0, found: 0, least: 1 });
    assert!(ViewMut::<u8>::with_strides(&mut bytes, &[6, 5], &[4, 1]).is_err());
    assert!(Tensor::<u8>::with_info(row).is_err());
    let image = TensorInfo::of::<u8>(&[6, 5]).unwrap();
    let refused = gaussian3x3::configure(&image, &row, Border::Replicate).unwrap_err();
    assert!(
        refused.to_string().contains("the output `out` overlaps itself: its dimension 0 has a stride of 0 bytes"),
        "{refused}"
    );
    assert!(gaussian3x3::configure(&row, &image, Border::Replicate).is_ok());
}

#[test]
fn what_cannot_be_a_view_is_refused() {
    let deep = ArrayD::<u8>::zeros(vec![1; 7]);
    assert!(matches!(windrow::interop::ndarray::view(deep.view()), Err(InvalidTensor::TooManyDimensions { found: 7 })));
    let planar = Array3::<u8>::zeros((3, 6, 5));
    assert!(windrow::interop::ndarray::pixels::<u8, 3>(planar.view()).is_err());
    assert!(windrow::interop::ndarray::pixels::<u8, 3>(planar.view().permuted_axes([1, 2, 0])).is_err());
    let layout =
        SampleLayout { channels: 3, channel_stride: 1, width: 4, width_stride: 3, height: 2, height_stride: 16 };
    let samples: Vec<u16> = (0..30).collect();
    let view = windrow::interop::image::view_samples::<[u16; 3]>(&samples, layout).unwrap();
    assert_eq!(view.get([1, 3]), Some([25, 26, 27]));
    assert!(windrow::interop::image::view_samples::<[u16; 3]>(&samples[..27], layout).is_err());
    assert!(windrow::interop::image::view_samples::<u16>(&samples, layout).is_err());
    assert!(
        windrow::interop::image::view_samples::<[u16; 3]>(&samples, SampleLayout { channel_stride: 5, ..layout })
            .is_err()
    );
}

#[test]
fn views_are_images_and_arrays() {
    let tensor = Tensor::from_fn([4, 6], |[y, x]| (10 * y + x) as u8).unwrap();
    let picture = windrow::interop::image::buffer::<Luma<u8>>(tensor.view()).unwrap();
    assert_eq!((picture.dimensions(), picture.as_raw().as_ptr()), ((6, 4), tensor.storage().as_ptr()));
    let crop = tensor.view().region([1, 1], [2, 4]).unwrap();
    assert!(windrow::interop::image::buffer::<Luma<u8>>(crop).is_none(), "rows lie apart");
    let pixels = windrow::interop::image::Pixels::<Luma<u8>>::new(crop).unwrap();
    assert_eq!((pixels.dimensions(), pixels.get_pixel(3, 1)), ((4, 2), Luma([24])));
    assert_eq!(image::imageops::flip_horizontal(&pixels).into_raw(), [14, 13, 12, 11, 24, 23, 22, 21]);
    let mut bytes = [[0u8; 3]; 12];
    let view = ViewMut::from_slice(&mut bytes, [2, 2, 3]).unwrap();
    let mut array = windrow::interop::ndarray::array_mut(view).unwrap();
    assert_eq!(array.shape(), [2, 2, 3]);
    array[[1, 0, 2]] = [1, 2, 3];
    assert_eq!(bytes[8], [1, 2, 3]);
    let odd = [0u8; 40];
    let odd = View::<[u8; 3]>::with_strides(&odd, &[2, 3], &[16, 3]).unwrap();
    assert!(windrow::interop::ndarray::array(odd).is_none(), "rows start between elements");
    assert_eq!(
        windrow::interop::ndarray::array(crop).unwrap().iter().copied().collect::<Vec<_>>(),
        [11, 12, 13, 14, 21, 22, 23, 24]
    );
}
