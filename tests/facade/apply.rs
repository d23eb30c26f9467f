//! One call for a whole run: what it takes, what it gives, and what it says where the arguments don't fit.

use image::{GrayImage, ImageBuffer, Luma, Rgb, RgbImage};
use ndarray::{Array1, Array2, Array3};
use windrow::{Error, InvalidConfiguration, RunError, Serial, apply, prelude::*};
use windrow_operators::{
    accumulate, accumulate_squared, add, add_widening, convolve3x3, gaussian3x3, half_scale_gaussian5x5, rgb_to_gray,
    sobel3x3, table_lookup, unpack_channels,
};

fn photo() -> Tensor<u8> {
    Tensor::from_fn([23, 37], |[y, x]| (x * 31 + y * 17 + x * y) as u8).unwrap()
}

fn gray() -> GrayImage {
    GrayImage::from_raw(37, 23, photo().to_vec()).unwrap()
}

/// The blurred photo, in the steps that `apply` saves.
fn blurred() -> Vec<u8> {
    let (photo, mut blurred) = (photo(), Tensor::<u8>::new([23, 37]).unwrap());
    let kernel = gaussian3x3::configure(photo.info(), blurred.info(), Border::Replicate).unwrap();
    kernel.run(&Serial, photo.view(), blurred.view_mut()).unwrap();
    blurred.to_vec()
}

#[test]
fn a_tensor_gives_a_tensor() {
    let result: Tensor<u8> = gaussian3x3::apply(&photo(), Border::Replicate).unwrap();
    assert_eq!(result.to_vec(), blurred());
}

#[test]
fn a_view_gives_a_tensor() {
    let photo = photo();
    let of_view: Tensor<u8> = gaussian3x3::apply(photo.view(), Border::Replicate).unwrap();
    let of_crop = gaussian3x3::apply(photo.view().region([2, 3], [9, 20]).unwrap(), Border::Undefined).unwrap();
    assert_eq!(of_view.to_vec(), blurred());
    assert_eq!(of_crop.view().get([4, 7]).unwrap(), blurred()[37 * (4 + 2) + 7 + 3]);
}

#[test]
fn a_buffer_gives_a_buffer_of_the_outputs_pixel() {
    let result: GrayImage = gaussian3x3::apply(&gray(), Border::Replicate).unwrap();
    assert_eq!(result.into_raw(), blurred());
    let colours = RgbImage::from_fn(5, 4, |x, y| Rgb([(x * 50) as u8, (y * 60) as u8, 9]));
    let luma: GrayImage = rgb_to_gray::apply(&colours).unwrap();
    assert_eq!(luma.get_pixel(4, 3), &Luma([((54 * 200 + 183 * 180 + 19 * 9) >> 8) as u8]));
    let (dx, dy): (ImageBuffer<Luma<i16>, Vec<i16>>, _) = sobel3x3::apply(&gray(), Border::Wrap).unwrap();
    assert_eq!(dx.dimensions(), dy.dimensions());
}

#[test]
fn an_array_gives_an_array_of_as_many_axes() {
    let array = Array2::from_shape_vec((23, 37), photo().to_vec()).unwrap();
    let result: Array2<u8> = gaussian3x3::apply(&array, Border::Replicate).unwrap();
    assert_eq!(result.into_raw_vec_and_offset().0, blurred());
    let half: Array2<u8> = half_scale_gaussian5x5::apply(array.view(), Border::Replicate).unwrap();
    assert_eq!(half.dim(), (12, 19));
    let pixels = Array3::from_elem((2, 3, 4), [1u8, 2, 3]);
    assert_eq!(rgb_to_gray::apply(&pixels).unwrap().dim(), (2, 3, 4));
}

#[test]
fn an_array_holds_no_more_axes_than_its_type() {
    let (row, square) = (Array1::from_elem(4, 1u8), Tensor::<u8>::new([4, 4]).unwrap());
    let error = add_widening::apply(&row, &square).unwrap_err();
    assert_eq!(error.to_string(), "an `Array` can't hold an image of 4×4: it has as many axes as the first image");
    let stack = Tensor::<u8>::new([2, 4, 4]).unwrap();
    let error = add_widening::apply(&GrayImage::new(4, 4), &stack).unwrap_err();
    assert!(matches!(error, Error::Container { container: "an `ImageBuffer`", .. }), "{error}");
}

#[test]
fn images_of_several_kinds_are_given_together() {
    let (a, b) = (photo(), gray());
    let sum: Tensor<u8> = add::apply(&a, &b, Overflow::Saturate).unwrap();
    let other: GrayImage = add::apply(&b, a.view(), Overflow::Saturate).unwrap();
    let expected: Vec<u8> = a.to_vec().iter().map(|&v| v.saturating_add(v)).collect();
    assert_eq!((sum.to_vec(), other.into_raw()), (expected.clone(), expected));
}

#[test]
fn uniforms_variants_and_the_border_follow_in_the_authors_order() {
    let identity = [[0, 0, 0], [0, 2, 0], [0, 0, 0]];
    let same = convolve3x3::<u8>::apply(&photo(), identity, 2, Border::Replicate).unwrap();
    assert_eq!(same.to_vec(), photo().to_vec());
    let wrong = convolve3x3::<u8>::apply(&photo(), identity, 0, Border::Replicate).unwrap_err();
    assert_eq!(wrong.to_string(), "`scale` is 0, expected 1 to 32768");
}

#[test]
fn a_table_is_a_slice_of_the_right_length() {
    let squares: Vec<u8> = (0..=255u8).map(|x| x.wrapping_mul(x)).collect();
    let result = table_lookup::apply(&photo(), &squares).unwrap();
    assert_eq!(result.to_vec(), photo().to_vec().iter().map(|&x| x.wrapping_mul(x)).collect::<Vec<_>>());
    let error = table_lookup::apply(&photo(), &squares[..255]).unwrap_err();
    assert!(matches!(error, Error::Run(RunError::Table { argument: "lut", found: 255, expected: 256, .. })), "{error}");
}

#[test]
fn an_image_that_is_read_and_written_is_borrowed_exclusively() {
    let mut sum = Tensor::<i16>::new([23, 37]).unwrap();
    accumulate::apply(&photo(), &mut sum).unwrap();
    accumulate::apply(&gray(), sum.view_mut()).unwrap();
    accumulate_squared::apply(&photo(), 15, &mut sum).unwrap();
    let expected = |&v: &u8| 2 * i16::from(v) + ((u32::from(v) * u32::from(v)) >> 15) as i16;
    assert_eq!(sum.to_vec(), photo().to_vec().iter().map(expected).collect::<Vec<_>>());
}

#[test]
fn outputs_of_the_caller_are_written_and_may_be_left_out() {
    let (mut dx, mut dy) = (Tensor::<i16>::new([23, 37]).unwrap(), Tensor::<i16>::new([23, 37]).unwrap());
    sobel3x3::apply_into(&photo(), Some(&mut dx), Some(&mut dy), Border::Reflect).unwrap();
    let (both_dx, both_dy) = sobel3x3::apply(&photo(), Border::Reflect).unwrap();
    assert_eq!((dx.to_vec(), dy.to_vec()), (both_dx.to_vec(), both_dy.to_vec()));
    let mut alone = ImageBuffer::<Luma<i16>, Vec<i16>>::new(37, 23);
    sobel3x3::apply_into(&photo(), None, Some(&mut alone), Border::Reflect).unwrap();
    assert_eq!(alone.into_raw(), dy.to_vec());
    let mut planes = Tensor::<f32>::new([3, 1, 2]).unwrap();
    let (a, rest) = planes.view_mut().split_at(0, 1).unwrap();
    let (b, c) = rest.split_at(0, 1).unwrap();
    let pixels = Tensor::from_vec(vec![[1f32, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]], [1, 2]).unwrap();
    unpack_channels::apply_into(&pixels, a, Some(b), Some(c), None).unwrap();
    assert_eq!(planes.to_vec(), [1.0, 5.0, 2.0, 6.0, 3.0, 7.0]);
    let none = sobel3x3::apply_into(&photo(), None::<&mut Tensor<i16>>, None, Border::Wrap).unwrap_err();
    assert!(matches!(none, Error::Configuration(InvalidConfiguration::NoOutput { .. })), "{none}");
}

#[test]
fn tensors_note_which_elements_are_valid() {
    let result = gaussian3x3::apply(&photo(), Border::Undefined).unwrap();
    let valid = result.info().valid_region();
    assert_eq!(valid.ranges().collect::<Vec<_>>(), [1..22, 1..36]);
    let mut into = Tensor::<u8>::new([23, 37]).unwrap();
    gaussian3x3::apply_into(&photo(), &mut into, Border::Undefined).unwrap();
    assert_eq!(into.info().valid_region(), valid);
    let twice = gaussian3x3::apply(&result, Border::Undefined).unwrap().info().valid_region();
    assert_eq!(twice.ranges().collect::<Vec<_>>(), [2..21, 2..35]);
}

#[test]
fn shapes_that_differ_are_refused_by_name() {
    let error = add_widening::apply(&photo(), &GrayImage::new(36, 23)).unwrap_err();
    assert_eq!(error.to_string(), "`b` has the shape 23×36, expected 23×37");
    let mut small = Tensor::<u8>::new([22, 37]).unwrap();
    let error = gaussian3x3::apply_into(&photo(), &mut small, Border::Replicate).unwrap_err();
    assert!(matches!(error, Error::Configuration(InvalidConfiguration::Shape { argument: "out", .. })), "{error}");
}

#[test]
fn tensors_are_given_to_run_as_they_are() {
    let (photo, mut blurred_photo) = (photo(), Tensor::<u8>::new([23, 37]).unwrap());
    let kernel = gaussian3x3::configure(photo.info(), blurred_photo.info(), Border::Replicate).unwrap();
    kernel.run(&Serial, &photo, &mut blurred_photo).unwrap();
    assert_eq!(blurred_photo.to_vec(), blurred());
    let mut sum = Tensor::<i16>::new([23, 37]).unwrap();
    let kernel = add_widening::configure(photo.info(), photo.info(), sum.info()).unwrap();
    kernel.run(&Serial, (&photo, photo.view()), &mut sum).unwrap();
    assert_eq!(View::from(&sum).get([0, 1]), Some(2 * 31));
}

/// A space as another crate would write one: a device that stores what it is told, and fills what it is to compute.
mod device {
    use std::{
        cell::{Cell, RefCell},
        rc::Rc,
    };
    use windrow::{
        Configured, Element, Error, InvalidTensor, Kernel, TensorInfo,
        apply::{Allocate, Arguments, Readable, Source, Space, Writable},
        chain::ChainBuilder,
    };

    thread_local!(pub static RUNS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) });

    pub struct Device;

    pub struct DeviceTensor<T> {
        pub info: TensorInfo,
        pub fill: Rc<Cell<u8>>,
        pub element: std::marker::PhantomData<T>,
    }

    impl Space for Device {
        type Read<'a> = Rc<Cell<u8>>;
        type Write<'a> = Rc<Cell<u8>>;

        fn run<K: Kernel>(kernel: &Configured<K>, arguments: Arguments<'_, '_, Self>) -> Result<(), Error> {
            let fills: Result<Vec<u8>, Error> = arguments.inputs.iter().map(|input| Ok(input.read()?.get())).collect();
            let fills = fills?;
            for output in arguments.outputs.iter_mut() {
                if let Some(fill) = output.write()? {
                    fill.set(fills.iter().sum());
                }
            }
            RUNS.with_borrow_mut(|runs| runs.push(format!("{} {}", K::CODE.spec().name, kernel.shape())));
            Ok(())
        }

        fn run_chain(chain: ChainBuilder, _: Arguments<'_, '_, Self>) -> Result<(), Error> {
            RUNS.with_borrow_mut(|runs| runs.extend(chain.stage_names().map(String::from)));
            Ok(())
        }
    }

    impl<T: Element> Readable for &DeviceTensor<T> {
        type Space = Device;
        fn info(&self) -> Result<TensorInfo, InvalidTensor> {
            Ok(self.info)
        }
        fn read(&self) -> Result<Rc<Cell<u8>>, Error> {
            Ok(self.fill.clone())
        }
    }

    impl<T: Element> Writable for DeviceTensor<T> {
        type Space = Device;
        fn info(&self) -> Result<Option<TensorInfo>, InvalidTensor> {
            Ok(Some(self.info))
        }
        fn write(&mut self) -> Result<Option<Rc<Cell<u8>>>, Error> {
            Ok(Some(self.fill.clone()))
        }
    }

    impl<T: Element> Source<T> for &DeviceTensor<T> {}

    impl<T: Element, U: Element> Allocate<U> for &DeviceTensor<T> {
        type Image = DeviceTensor<U>;
        fn allocate(&self, info: &TensorInfo) -> Result<DeviceTensor<U>, Error> {
            Ok(DeviceTensor { info: *info, fill: Rc::default(), element: std::marker::PhantomData })
        }
    }
}

#[test]
fn a_space_of_another_crate_runs_its_own_images() {
    let upload = |fill| device::DeviceTensor::<u8> {
        info: TensorInfo::of::<u8>(&[5, 7]).unwrap(),
        fill: std::rc::Rc::new(std::cell::Cell::new(fill)),
        element: std::marker::PhantomData,
    };
    let sum: device::DeviceTensor<i16> = add_widening::apply(&upload(3), &upload(4)).unwrap();
    let half = half_scale_gaussian5x5::apply(&upload(9), Border::Wrap).unwrap();
    assert_eq!((sum.fill.get(), half.fill.get(), half.info.width()), (7, 9, 4));
    device::RUNS.with_borrow(|runs| assert_eq!(*runs, ["add_widening 5×7", "half_scale_gaussian5x5 3×4"]));
}

#[test]
fn every_error_converts_into_one() {
    fn fails() -> Result<(), Error> {
        let _ = View::from_slice(&[1u8], [2, 1])?;
        Ok(())
    }
    assert!(matches!(fails(), Err(Error::Tensor(_))));
    let other = Error::other(std::io::Error::other("the device is gone"));
    assert_eq!(other.to_string(), "the device is gone");
    fn is_whole<T: Send + Sync + 'static>() {}
    is_whole::<Error>();
    let _ = apply::Host;
}

/// Its parameter has the name that the output would have.
#[kernel]
pub fn at_least(output: u8, #[uniform] least: u8) -> u8 {
    output.max(least)
}

#[test]
fn a_parameter_may_be_called_output() {
    let (photo, mut out) = (photo(), Tensor::<u8>::new([23, 37]).unwrap());
    at_least::apply_into(&photo, 9, &mut out).unwrap();
    assert_eq!(out.to_vec(), at_least::apply(&photo, 9).unwrap().to_vec());
    assert!(at_least::configure(photo.info(), 9, out.info()).is_ok());
}
