//! What is made of the photograph: every operator is one line that configures it and lends it its planes.

use std::error::Error;

use image::RgbImage;
use windrow::{
    Border, Configured, Element, InvalidConfiguration, InvalidTensor, Kernel, TensorInfo, View, ViewMut,
    prelude::Overflow,
};
use windrow_operators::*;

use crate::{
    bench::Bench,
    kernels::{relief, salt_and_pepper},
    sheet::Plate,
};

/// How many operators [`develop`] measures.
pub const OPERATORS: u64 = 20;

type Result<T> = std::result::Result<T, Box<dyn Error>>;
type Configuration<K> = std::result::Result<Configured<K>, InvalidConfiguration>;

/// An image in memory.
#[derive(Clone, PartialEq)]
struct Plane<T> {
    elements: Vec<T>,
    extents: [usize; 2],
}

impl<T: Element> Plane<T> {
    fn new(extents: [usize; 2]) -> Self {
        Plane { elements: vec![T::default(); extents[0] * extents[1]], extents }
    }

    fn view(&self) -> std::result::Result<View<'_, T>, InvalidTensor> {
        View::from_slice(&self.elements, self.extents)
    }

    fn view_mut(&mut self) -> std::result::Result<ViewMut<'_, T>, InvalidTensor> {
        ViewMut::from_slice(&mut self.elements, self.extents)
    }

    fn info(&self) -> std::result::Result<TensorInfo, InvalidTensor> {
        Ok(*self.view()?.info())
    }
}

/// Runs the operators over the photograph; gives the pictures worth looking at.
pub fn develop(photograph: &RgbImage, bench: &mut Bench) -> Result<Vec<Plate>> {
    let border = Border::Replicate;
    let rgb = from_picture(photograph);
    let gray = map(bench, "rgb_to_gray", &rgb, rgb_to_gray::configure)?;
    let softened = map(bench, "gaussian3x3", &gray, |src, out| gaussian3x3::configure(src, out, border))?;
    let blurred = map(bench, "gaussian5x5", &gray, |src, out| gaussian5x5::configure(src, out, border))?;
    let noisy = map(bench, "salt_and_pepper", &gray, salt_and_pepper::configure)?;
    let cleaned = map(bench, "median3x3", &noisy, |src, out| median3x3::configure(src, out, border))?;
    let [dx, dy] = gradients(bench, &gray, border)?;
    let slope = map(bench, "relief", &dx, relief::configure)?;
    let steepness = zip(bench, "magnitude", (&dx, &dy), magnitude::configure)?;
    let saturate = Overflow::Saturate;
    let outline = map(bench, "convert_down", &steepness, |x, out| convert_down::configure(x, 1, saturate, out))?;
    let edges = map(bench, "threshold", &outline, |x, out| threshold::configure(x, 72, 255, 0, out))?;
    let thick = map(bench, "dilate3x3", &edges, |src, out| dilate3x3::configure(src, out, border))?;
    let closed = map(bench, "erode3x3", &thick, |src, out| erode3x3::configure(src, out, border))?;
    const SHARPEN: [[i16; 3]; 3] = [[0, -1, 0], [-1, 5, -1], [0, -1, 0]];
    let sharp =
        map(bench, "convolve3x3", &gray, |src, out| convolve3x3::<u8>::configure(src, SHARPEN, 1, out, border))?;
    let detail = zip(bench, "abs_diff", (&gray, &blurred), abs_diff::configure)?;
    let brighter = brightened(detail);
    let unsharp = unsharp_mask(bench, &gray, &blurred)?;
    let half = half_scale(bench, &gray, border)?;
    let toned = tone(bench, &gray)?;
    let plates = [
        ("gray: rgb_to_gray", &gray),
        ("gaussian3x3", &softened),
        ("gaussian5x5", &blurred),
        ("salt_and_pepper (own kernel)", &noisy),
        ("median3x3 of the noise", &cleaned),
        ("sobel3x3, dx", &slope),
        ("magnitude of (dx, dy)", &outline),
        ("threshold of magnitude", &edges),
        ("dilate3x3 of threshold", &thick),
        ("erode3x3 of dilate3x3", &closed),
        ("convolve3x3: sharpen", &sharp),
        ("abs_diff of gray and blur, brightened", &brighter),
        ("unsharp mask: add_mixed", &unsharp),
        ("half_scale_gaussian5x5", &half),
    ];
    let first = Plate { name: "the photograph", picture: photograph.clone() };
    let last = Plate { name: "toned: channel_combine", picture: picture(&toned, |pixel| pixel) };
    let gray = plates.into_iter().map(|(name, plane)| Plate { name, picture: picture(plane, |p| [p; 3]) });
    Ok(std::iter::once(first).chain(gray).chain([last]).collect())
}

/// One plane to another of its shape.
fn map<K, A: Element, O: Element>(
    bench: &mut Bench,
    operator: &'static str,
    input: &Plane<A>,
    configure: impl FnOnce(&TensorInfo, &TensorInfo) -> Configuration<K>,
) -> Result<Plane<O>>
where
    K: for<'v> Kernel<Inputs<'v> = View<'v, A>, Outputs<'v> = ViewMut<'v, O>>,
{
    let output = Plane::new(input.extents);
    let configured = configure(&input.info()?, &output.info()?)?;
    bench.measure(operator, configured, output, |kernel, out| kernel.run(input.view()?, out.view_mut()?))
}

/// Two planes to one.
fn zip<K, A: Element, B: Element, O: Element>(
    bench: &mut Bench,
    operator: &'static str,
    (a, b): (&Plane<A>, &Plane<B>),
    configure: impl FnOnce(&TensorInfo, &TensorInfo, &TensorInfo) -> Configuration<K>,
) -> Result<Plane<O>>
where
    K: for<'v> Kernel<Inputs<'v> = (View<'v, A>, View<'v, B>), Outputs<'v> = ViewMut<'v, O>>,
{
    let output = Plane::new(a.extents);
    let configured = configure(&a.info()?, &b.info()?, &output.info()?)?;
    bench.measure(operator, configured, output, |kernel, out| kernel.run((a.view()?, b.view()?), out.view_mut()?))
}

/// Both outputs of one kernel.
fn gradients(bench: &mut Bench, gray: &Plane<u8>, border: Border) -> Result<[Plane<i16>; 2]> {
    let output = Plane::<i16>::new(gray.extents);
    let info = output.info()?;
    let configured = sobel3x3::configure(&gray.info()?, Some(&info), Some(&info), border)?;
    bench.measure("sobel3x3", configured, [output.clone(), output], |kernel, [dx, dy]| {
        kernel.run(gray.view()?, (Some(dx.view_mut()?), Some(dy.view_mut()?)))
    })
}

/// gray + (gray − blurred), saturated.
fn unsharp_mask(bench: &mut Bench, gray: &Plane<u8>, blurred: &Plane<u8>) -> Result<Plane<u8>> {
    let detail = zip(bench, "subtract_widening", (gray, blurred), subtract_widening::configure)?;
    let sum: Plane<i16> =
        zip(bench, "add_mixed", (gray, &detail), |a, b, out| add_mixed::configure(a, b, Overflow::Saturate, out))?;
    let clamp = |&x: &i16| x.clamp(0, 255) as u8;
    Ok(Plane { elements: sum.elements.iter().map(clamp).collect(), extents: sum.extents })
}

/// The plane with all values multiplied alike, so that one in a hundred is white: small differences can be seen.
fn brightened(plane: Plane<u8>) -> Plane<u8> {
    let mut sorted = plane.elements.clone();
    sorted.sort_unstable();
    let white = sorted.get(sorted.len() * 99 / 100).map_or(255, |&value| u32::from(value.max(1)));
    let brighter = |&value: &u8| (u32::from(value) * 255 / white).min(255) as u8;
    Plane { elements: plane.elements.iter().map(brighter).collect(), extents: plane.extents }
}

/// The output is smaller than the input: its shape is the kernel's to say.
fn half_scale(bench: &mut Bench, gray: &Plane<u8>, border: Border) -> Result<Plane<u8>> {
    let shape = half_scale_gaussian5x5::infer(&gray.info()?, border)?.shape();
    let output = Plane::new([shape.height(), shape.width()]);
    let configured = half_scale_gaussian5x5::configure(&gray.info()?, &output.info()?, border)?;
    bench.measure("half_scale_gaussian5x5", configured, output, |kernel, out| kernel.run(gray.view()?, out.view_mut()?))
}

/// Warm lights and cool shadows: a curve each for red and blue.
fn tone(bench: &mut Bench, gray: &Plane<u8>) -> Result<Plane<[u8; 3]>> {
    let curve = |exponent: f32| std::array::from_fn(|k| (255.0 * (k as f32 / 255.0).powf(exponent)).round() as u8);
    let red = look_up(bench, "table_lookup (red)", gray, &curve(0.75))?;
    let blue = look_up(bench, "table_lookup (blue)", gray, &curve(1.3))?;
    let output = Plane::new(gray.extents);
    let info = gray.info()?;
    let configured = channel_combine::configure(&info, &info, &info, &output.info()?)?;
    bench.measure("channel_combine", configured, output, |kernel, out| {
        kernel.run((red.view()?, gray.view()?, blue.view()?), out.view_mut()?)
    })
}

fn look_up(bench: &mut Bench, operator: &'static str, plane: &Plane<u8>, table: &[u8; 256]) -> Result<Plane<u8>> {
    let output = Plane::new(plane.extents);
    let configured = table_lookup::configure(&plane.info()?, &output.info()?)?;
    bench.measure(operator, configured, output, |kernel, out| kernel.run((plane.view()?, table), out.view_mut()?))
}

fn from_picture(picture: &RgbImage) -> Plane<[u8; 3]> {
    let extents = [picture.height() as usize, picture.width() as usize];
    Plane { elements: picture.pixels().map(|pixel| pixel.0).collect(), extents }
}

fn picture<T: Element>(plane: &Plane<T>, colour: impl Fn(T) -> [u8; 3]) -> RgbImage {
    let [height, width] = plane.extents;
    RgbImage::from_fn(width as u32, height as u32, |x, y| {
        image::Rgb(colour(plane.elements[y as usize * width + x as usize]))
    })
}
