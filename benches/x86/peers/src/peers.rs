//! The peers: what each crate calls the operator, with the arguments that come nearest to it.

use std::{cell::RefCell, rc::Rc};

use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer, images::Image as Pixels};
use image::{GrayImage, ImageBuffer, Luma};
use imageproc::{contrast, filter, gradients, morphology};
use kornia_image::{Image, ImageSize};
use kornia_imgproc::{color, filter as kornia, morphology as shapes, padding::PaddingMode};
use libblur::{
    BlurImage, BlurImageMut, ConvolutionMode, EdgeMode, EdgeMode2D, FastBlurChannels, GaussianBlurParams,
    ThreadingPolicy,
};

/// A peer's operator.
pub struct Peer {
    pub operator: &'static str,
    pub name: &'static str,
    pub channels: usize,
    pub prepare: fn(&[u8], usize, usize, usize) -> Option<Prepared>,
}

/// A peer with its images.
pub struct Prepared {
    pub run: Box<dyn FnMut()>,
    result: Box<dyn Fn() -> Vec<u8>>,
}

impl Prepared {
    pub fn result(&self) -> Vec<u8> {
        (self.result)()
    }
}

const fn gray(
    operator: &'static str,
    name: &'static str,
    prepare: fn(&[u8], usize, usize, usize) -> Option<Prepared>,
) -> Peer {
    Peer { operator, name, channels: 1, prepare }
}

pub const PEERS: &[Peer] = &[
    gray("gaussian3x3_rounded", "libblur", |s, w, h, t| blur(s, w, h, t, 3)),
    gray("gaussian5x5_rounded", "libblur", |s, w, h, t| blur(s, w, h, t, 5)),
    gray("gaussian3x3_rounded", "kornia-imgproc", |s, w, h, t| {
        with_kornia::<1>(s, w, h, t, |src, dst| kornia::gaussian_blur_u8(src, dst, (3, 3), (0.8, 0.8)).is_ok())
    }),
    gray("box3x3_rounded", "kornia-imgproc", |s, w, h, t| {
        with_kornia::<1>(s, w, h, t, |src, dst| kornia::box_blur_u8(src, dst, (3, 3)).is_ok())
    }),
    gray("median3x3", "kornia-imgproc", |s, w, h, t| {
        with_kornia::<1>(s, w, h, t, |src, dst| kornia::median_blur(src, dst, 3).is_ok())
    }),
    gray("erode3x3", "kornia-imgproc", |s, w, h, t| {
        let mask = shapes::box_kernel(3);
        with_kornia::<1>(s, w, h, t, move |a, b| shapes::erode(a, b, &mask, PaddingMode::Replicate, [0]).is_ok())
    }),
    Peer {
        operator: "rgb_to_gray_15_bits",
        name: "kornia-imgproc",
        channels: 3,
        prepare: |s, w, h, t| with_kornia::<3>(s, w, h, t, |src, dst| color::gray_from_rgb_u8(src, dst).is_ok()),
    },
    gray("gaussian3x3_rounded", "imageproc", |s, w, h, t| {
        with_imageproc(s, w, h, t, |src| filter::separable_filter_equal(src, &[0.25f32, 0.5, 0.25]))
    }),
    gray("box3x3_rounded", "imageproc", |s, w, h, t| with_imageproc(s, w, h, t, |src| filter::box_filter(src, 1, 1))),
    gray("sobel_x", "imageproc", |s, w, h, t| with_imageproc(s, w, h, t, gradients::horizontal_sobel)),
    gray("median3x3", "imageproc", |s, w, h, t| with_imageproc(s, w, h, t, |src| filter::median_filter(src, 1, 1))),
    gray("erode3x3", "imageproc", |s, w, h, t| {
        let mask = morphology::Mask::square(1);
        with_imageproc(s, w, h, t, move |src| morphology::grayscale_erode(src, &mask))
    }),
    gray("threshold", "imageproc", |s, w, h, t| {
        with_imageproc(s, w, h, t, |src| contrast::threshold(src, 127, contrast::ThresholdType::Binary))
    }),
    gray("half_box2x2", "fast_image_resize", half),
];

/// fast_image_resize to half the width and height, by the mean of what lies under each element.
fn half(source: &[u8], width: usize, height: usize, threads: usize) -> Option<Prepared> {
    let (w, h) = (width as u32, height as u32);
    let src = Pixels::from_vec_u8(w, h, source.to_vec(), PixelType::U8).ok()?;
    let out = Rc::new(RefCell::new(Pixels::new(w / 2, h / 2, PixelType::U8)));
    let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Box));
    let (pool, mut resizer, target) = (pool(threads), Resizer::new(), out.clone());
    let run = move || {
        let target: &mut Pixels<'_> = &mut target.borrow_mut();
        let _ = match &pool {
            Some(pool) => pool.install(|| resizer.resize(&src, target, &options)),
            None => resizer.resize(&src, target, &options),
        };
    };
    Some(Prepared { run: Box::new(run), result: Box::new(move || out.borrow().buffer().to_vec()) })
}

/// libblur's Gaussian in fixed point, of this kernel size.
fn blur(source: &[u8], width: usize, height: usize, threads: usize, size: u32) -> Option<Prepared> {
    let source = source.to_vec();
    let out = Rc::new(RefCell::new(vec![0u8; source.len()]));
    let threading = if threads == 1 { ThreadingPolicy::Single } else { ThreadingPolicy::Adaptive };
    let sigma = 0.3 * ((f64::from(size) - 1.0) * 0.5 - 1.0) + 0.8;
    let target = out.clone();
    let (w, h) = (width as u32, height as u32);
    let run = move || {
        let src = BlurImage::borrow(&source, w, h, FastBlurChannels::Plane);
        let mut bytes = target.borrow_mut();
        let mut dst = BlurImageMut::borrow(&mut bytes, w, h, FastBlurChannels::Plane);
        let params = GaussianBlurParams::new(size, sigma);
        let edges = EdgeMode2D::new(EdgeMode::Reflect101);
        let _ = libblur::gaussian_blur(&src, &mut dst, params, edges, threading, ConvolutionMode::FixedPoint);
    };
    Some(Prepared { run: Box::new(run), result: Box::new(move || out.borrow().clone()) })
}

/// A pool of so many threads. One thread is the caller's, whose processor time is what is looked at; once it belongs to such a
/// pool there is none more to make, and the crates run in that one.
fn pool(threads: usize) -> Option<rayon::ThreadPool> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    if threads == 1 { pool.use_current_thread() } else { pool }.build().ok()
}

/// kornia's images own their elements.
fn with_kornia<const C: usize>(
    source: &[u8],
    width: usize,
    height: usize,
    threads: usize,
    run: impl Fn(&Image<u8, C>, &mut Image<u8, 1>) -> bool + Send + Sync + 'static,
) -> Option<Prepared> {
    let size = ImageSize { width, height };
    let src = Image::<u8, C>::new(size, source.to_vec()).ok()?;
    let dst = Rc::new(RefCell::new(Image::<u8, 1>::from_size_val(size, 0).ok()?));
    let (pool, target) = (pool(threads), dst.clone());
    let run = move || {
        let target: &mut Image<u8, 1> = &mut target.borrow_mut();
        let _ = match &pool {
            Some(pool) => pool.install(|| run(&src, target)),
            None => run(&src, target),
        };
    };
    Some(Prepared { run: Box::new(run), result: Box::new(move || dst.borrow().as_slice().to_vec()) })
}

/// imageproc's functions make a new image each time, on one thread.
fn with_imageproc<T>(
    source: &[u8],
    width: usize,
    height: usize,
    threads: usize,
    run: impl Fn(&GrayImage) -> ImageBuffer<Luma<T>, Vec<T>> + 'static,
) -> Option<Prepared>
where
    T: image::Primitive + 'static,
    Luma<T>: image::Pixel<Subpixel = T>,
{
    if threads > 1 {
        return None;
    }
    let src = GrayImage::from_raw(width as u32, height as u32, source.to_vec())?;
    let out = Rc::new(RefCell::new(None));
    let target = out.clone();
    let result = move || {
        let held = out.borrow();
        let elements: &[T] =
            held.as_ref().map_or(&[], |image: &ImageBuffer<Luma<T>, Vec<T>>| image.as_raw().as_slice());
        // SAFETY: elements are plain numbers; their bytes are read.
        unsafe { std::slice::from_raw_parts(elements.as_ptr().cast::<u8>(), size_of_val(elements)) }.to_vec()
    };
    Some(Prepared { run: Box::new(move || *target.borrow_mut() = Some(run(&src))), result: Box::new(result) })
}
