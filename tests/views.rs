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
    let info = TensorInfo::of::<u8>(&[33, 7]).unwrap();
    let expect = {
        let crop = Tensor::from_fn([33, 7], |x, y, _| before[[y + 2, x + 4]]).unwrap();
        let mut out = Tensor::<u8>::new([33, 7]).unwrap();
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

#[test]
fn what_cannot_be_a_view_is_refused() {
    let array = Array2::<i16>::zeros((6, 5));
    assert!(matches!(
        windrow::interop::ndarray::view(array.t()),
        Err(InvalidTensor::RowStride { found: 10, expected: 2 })
    ));
    let backwards = array.slice(s![..;-1, ..]);
    assert!(matches!(
        windrow::interop::ndarray::view(backwards),
        Err(InvalidTensor::Backwards { dimension: 1, found: -5 })
    ));
    let repeated = Array2::<i16>::zeros((1, 5));
    let repeated = repeated.broadcast((6, 5)).unwrap();
    assert!(matches!(
        windrow::interop::ndarray::view(repeated),
        Err(InvalidTensor::StrideTooSmall { dimension: 1, .. })
    ));
    let deep = ArrayD::<u8>::zeros(vec![1; 7]);
    assert!(matches!(windrow::interop::ndarray::view(deep.view()), Err(InvalidTensor::TooManyDimensions { found: 7 })));
    let planar = Array3::<u8>::zeros((3, 6, 5));
    assert!(windrow::interop::ndarray::pixels::<u8, 3>(planar.view()).is_err());
    assert!(windrow::interop::ndarray::pixels::<u8, 3>(planar.view().permuted_axes([1, 2, 0])).is_err());
    let layout =
        SampleLayout { channels: 3, channel_stride: 1, width: 4, width_stride: 3, height: 2, height_stride: 16 };
    let samples: Vec<u16> = (0..30).collect();
    let view = windrow::interop::image::view_samples::<[u16; 3]>(&samples, layout).unwrap();
    assert_eq!(view.get([3, 1]), Some([25, 26, 27]));
    assert!(windrow::interop::image::view_samples::<[u16; 3]>(&samples[..27], layout).is_err());
    assert!(windrow::interop::image::view_samples::<u16>(&samples, layout).is_err());
    assert!(
        windrow::interop::image::view_samples::<[u16; 3]>(&samples, SampleLayout { channel_stride: 5, ..layout })
            .is_err()
    );
}

#[test]
fn views_are_images_and_arrays() {
    let tensor = Tensor::from_fn([6, 4], |x, y, _| (10 * y + x) as u8).unwrap();
    let picture = windrow::interop::image::buffer::<Luma<u8>>(tensor.view()).unwrap();
    assert_eq!((picture.dimensions(), picture.as_raw().as_ptr()), ((6, 4), tensor.storage().as_ptr()));
    let crop = tensor.view().region([1, 1], [4, 2]).unwrap();
    assert!(windrow::interop::image::buffer::<Luma<u8>>(crop).is_none(), "rows lie apart");
    let pixels = windrow::interop::image::Pixels::<Luma<u8>>::new(crop).unwrap();
    assert_eq!((pixels.dimensions(), pixels.get_pixel(3, 1)), ((4, 2), Luma([24])));
    assert_eq!(image::imageops::flip_horizontal(&pixels).into_raw(), [14, 13, 12, 11, 24, 23, 22, 21]);
    let mut bytes = [[0u8; 3]; 12];
    let view = ViewMut::from_slice(&mut bytes, [3, 2, 2]).unwrap();
    let mut array = windrow::interop::ndarray::array_mut(view).unwrap();
    assert_eq!(array.shape(), [2, 2, 3]);
    array[[1, 0, 2]] = [1, 2, 3];
    assert_eq!(bytes[8], [1, 2, 3]);
    let odd = [0u8; 40];
    let odd = View::<[u8; 3]>::with_strides(&odd, &[3, 2], &[3, 16]).unwrap();
    assert!(windrow::interop::ndarray::array(odd).is_none(), "rows start between elements");
    assert_eq!(
        windrow::interop::ndarray::array(crop).unwrap().iter().copied().collect::<Vec<_>>(),
        [11, 12, 13, 14, 21, 22, 23, 24]
    );
}
