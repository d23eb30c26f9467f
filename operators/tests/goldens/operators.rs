//! Which operator computes which operation of the archive: one row each.

use windrow::{
    Border, Configured, InvalidConfiguration, Kernel, Scalar, Tensor, TensorInfo, View, ViewMut,
    prelude::{Overflow, Rank},
};
use windrow_operators::*;

use crate::sample::{Image, Outcome, Sample};

/// An operation of the archive, and an operator that computes it.
pub struct Row {
    /// Without border and size.
    pub operation: &'static str,
    /// The operator, with what distinguishes two ways of calling it.
    pub operator: &'static str,
    /// Computes a sample.
    pub compute: fn(&Sample<'_>) -> Outcome,
}

macro_rules! rows {
    ($($operation:literal, $operator:literal, $compute:expr;)*) => {
        &[$(Row { operation: $operation, operator: $operator, compute: $compute }),*]
    };
}

const U8: [&str; 2] = ["in0", "in1"];
const I16: [&str; 2] = ["s16a", "s16b"];
const MIXED: [&str; 2] = ["in0", "s16a"];
const WRAP: Overflow = Overflow::Wrap;
const SATURATE: Overflow = Overflow::Saturate;

/// Every operator that the archive judges.
#[rustfmt::skip]
pub const ROWS: &[Row] = rows! {
    "absdiff_u8",                "abs_diff",             |s| s.zip(U8, abs_diff::configure);
    "absdiff_s16",               "abs_diff_i16",         |s| s.zip(I16, abs_diff_i16::configure);
    "add_u8u8u8_wrap",           "add",                  |s| s.zip(U8, |a, b, out| add::configure(a, b, WRAP, out));
    "add_u8u8u8_sat",            "add",                  |s| s.zip(U8, |a, b, out| add::configure(a, b, SATURATE, out));
    "add_u8u8s16_sat",           "add_widening",         |s| s.zip(U8, add_widening::configure);
    "add_u8s16s16_sat",          "add_mixed",            |s| s.zip(MIXED, |a, b, out| add_mixed::configure(a, b, SATURATE, out));
    "add_s16s16s16_wrap",        "add_i16",              |s| s.zip(I16, |a, b, out| add_i16::configure(a, b, WRAP, out));
    "add_s16s16s16_sat",         "add_i16",              |s| s.zip(I16, |a, b, out| add_i16::configure(a, b, SATURATE, out));
    "sub_u8u8u8_wrap",           "subtract",             |s| s.zip(U8, |a, b, out| subtract::configure(a, b, WRAP, out));
    "sub_u8u8u8_sat",            "subtract",             |s| s.zip(U8, |a, b, out| subtract::configure(a, b, SATURATE, out));
    "sub_u8u8s16",               "subtract_widening",    |s| s.zip(U8, subtract_widening::configure);
    "sub_s16s16s16_sat",         "subtract_i16",         |s| s.zip(I16, |a, b, out| subtract_i16::configure(a, b, SATURATE, out));
    "mul_u8u8u8_s1_sat",         "multiply",             |s| s.zip(U8, |a, b, out| multiply::configure(a, b, 0, SATURATE, out));
    "mul_u8u8s16_s2m4_wrap",     "multiply_widening",    |s| s.zip(U8, |a, b, out| multiply_widening::configure(a, b, 4, WRAP, out));
    "mul_s16s16s16_s2m15_sat",   "multiply_i16",         |s| s.zip(I16, |a, b, out| multiply_i16::configure(a, b, 15, SATURATE, out));
    "magnitude",                 "magnitude",            |s| s.zip(I16, magnitude::configure);
    "phase",                     "phase",                |s| s.zip(I16, phase::configure);
    "and",                       "bitwise_and",          |s| s.zip(U8, bitwise_and::configure);
    "or",                        "bitwise_or",           |s| s.zip(U8, bitwise_or::configure);
    "xor",                       "bitwise_xor",          |s| s.zip(U8, bitwise_xor::configure);
    "not",                       "bitwise_not",          |s| s.filter(|x, out, _| bitwise_not::configure(x, out));
    "threshold_bin127",          "threshold",            |s| s.filter(|x, out, _| threshold::configure(x, 127, 255, 0, out));
    "threshold_range50_180",     "threshold_range",      |s| s.filter(|x, out, _| threshold_range::configure(x, 50, 180, 255, 0, out));
    "cvt_u8_s16_sh3",            "convert_up",           |s| s.filter(|x, out, _| convert_up::configure(x, 3, out));
    "cvt_s16_u8_sh4_sat",        "convert_down",         |s| s.map(&s.input("s16a")?, |x, out, _| convert_down::configure(x, 4, SATURATE, out));
    "cvt_s16_u8_sh4_wrap",       "convert_down",         |s| s.map(&s.input("s16a")?, |x, out, _| convert_down::configure(x, 4, WRAP, out));
    "lut_sq",                    "table_lookup",         look_up;
    "wavg_0p3",                  "weighted_average",     |s| s.zip(U8, |a, b, out| weighted_average::configure(a, b, 0.3, out));
    "accumulate",                "accumulate",           |s| s.accumulate("s16a", accumulate::configure);
    "accweighted_0p25",          "accumulate_weighted",  |s| s.accumulate("in1", |x, acc| accumulate_weighted::configure(x, 0.25, acc));
    "accsquare_sh2",             "accumulate_squared",   |s| s.accumulate("accsq_in", |x, acc| accumulate_squared::configure(x, 2, acc));
    "gaussian3x3",               "gaussian3x3",          |s| s.filter(gaussian3x3::configure);
    "box3x3",                    "box3x3",               |s| s.filter(box3x3::configure);
    "median3x3",                 "median3x3",            |s| s.filter(median3x3::configure);
    "erode3x3",                  "erode3x3",             |s| s.filter(erode3x3::configure);
    "dilate3x3",                 "dilate3x3",            |s| s.filter(dilate3x3::configure);
    "median3x3",                 "non_linear_box3",      |s| s.filter(|x, out, border| non_linear_box3::configure(x, Rank::Median, out, border));
    "erode3x3",                  "non_linear_box3",      |s| s.filter(|x, out, border| non_linear_box3::configure(x, Rank::Min, out, border));
    "dilate3x3",                 "non_linear_box3",      |s| s.filter(|x, out, border| non_linear_box3::configure(x, Rank::Max, out, border));
    "nonlinear_cross5_min",      "non_linear_cross5",    |s| s.filter(|x, out, border| non_linear_cross5::configure(x, Rank::Min, out, border));
    "nonlinear_cross5_med",      "non_linear_cross5",    |s| s.filter(|x, out, border| non_linear_cross5::configure(x, Rank::Median, out, border));
    "nonlinear_cross5_max",      "non_linear_cross5",    |s| s.filter(|x, out, border| non_linear_cross5::configure(x, Rank::Max, out, border));
    "sobel_x",                   "sobel3x3, dx alone",   |s| sobel(s, [true, false]);
    "sobel_y",                   "sobel3x3, dy alone",   |s| sobel(s, [false, true]);
    "sobel_x",                   "sobel3x3, both",       |s| sobel_both(s, 0);
    "sobel_y",                   "sobel3x3, both",       |s| sobel_both(s, 1);
    "convolve3x3_u8",            "convolve3x3<u8>",      |s| s.filter(|x, out, border| convolve3x3::<u8>::configure(x, ramp(), 4, out, border));
    "convolve3x3_s16",           "convolve3x3<i16>",     |s| s.filter(|x, out, border| convolve3x3::<i16>::configure(x, ramp(), 4, out, border));
    "convolve7x3_u8",            "convolve7x3<u8>",      |s| s.filter(|x, out, border| convolve7x3::<u8>::configure(x, ramp(), 4, out, border));
    "convolve7x3_s16",           "convolve7x3<i16>",     |s| s.filter(|x, out, border| convolve7x3::<i16>::configure(x, ramp(), 4, out, border));
    "convolve5x5_u8",            "convolve5x5<u8>",      |s| s.filter(|x, out, border| convolve5x5::<u8>::configure(x, binomial(), 256, out, border));
    "convolve5x5_s16",           "convolve5x5<i16>",     |s| s.filter(|x, out, border| convolve5x5::<i16>::configure(x, binomial(), 256, out, border));
    "convolve5x5_u8",            "gaussian5x5",          |s| s.filter(gaussian5x5::configure);
    "extract_uyvy_y",            "channel_extract2",     |s| s.map(&s.input("uyvy")?, |p, out, _| channel_extract2::configure(p, 1, out));
    "extract_uyvy_u",            "channel_extract4",     |s| s.map(&s.input("uyvy")?, |p, out, _| channel_extract4::configure(p, 0, out));
    "extract_uyvy_v",            "channel_extract4",     |s| s.map(&s.input("uyvy")?, |p, out, _| channel_extract4::configure(p, 2, out));
    "extract_yuyv_y",            "channel_extract2",     |s| s.map(&s.input("yuyv")?, |p, out, _| channel_extract2::configure(p, 0, out));
    "extract_yuyv_u",            "channel_extract4",     |s| s.map(&s.input("yuyv")?, |p, out, _| channel_extract4::configure(p, 1, out));
    "extract_yuyv_v",            "channel_extract4",     |s| s.map(&s.input("yuyv")?, |p, out, _| channel_extract4::configure(p, 3, out));
    "extract_nv12_u",            "channel_extract2",     |s| chroma(s, "nv12", 0);
    "extract_nv12_v",            "channel_extract2",     |s| chroma(s, "nv12", 1);
    "extract_nv21_u",            "channel_extract2",     |s| chroma(s, "nv21", 1);
    "extract_nv21_v",            "channel_extract2",     |s| chroma(s, "nv21", 0);
    "nv122iyuv",                 "channel_extract2",     |s| Ok([s.luma("nv12")?, chroma(s, "nv12", 0)?, chroma(s, "nv12", 1)?].concat());
    "nv212iyuv",                 "channel_extract2",     |s| Ok([s.luma("nv21")?, chroma(s, "nv21", 1)?, chroma(s, "nv21", 0)?].concat());
    "rgb2rgbx",                  "channel_extract, channel_combine4", add_channel;
    "rgb2rgbx",                  "rgb_to_rgbx",          |s| s.map(&s.input("rgb")?, |p, out, _| rgb_to_rgbx::configure(p, out));
    "nv122rgb",                  "double_elements, yuv_to_rgb", |s| in_colour(s, s.luma("nv12")?, [chroma(s, "nv12", 0)?, chroma(s, "nv12", 1)?]);
    "nv212rgb",                  "double_elements, yuv_to_rgb", |s| in_colour(s, s.luma("nv21")?, [chroma(s, "nv21", 1)?, chroma(s, "nv21", 0)?]);
    "iyuv2rgb",                  "double_elements, yuv_to_rgb", |s| in_colour(s, s.luma("iyuv")?, s.planes("iyuv")?);
    "uyvy2rgb",                  "unpack_uyvy, yuv_to_rgb", |s| unpacked(s, "uyvy", unpack_uyvy::configure);
    "yuyv2rgb",                  "unpack_yuyv, yuv_to_rgb", |s| unpacked(s, "yuyv", unpack_yuyv::configure);
    "warpaffine_nn",             "warp_nearest, warp_nearest_replicate, warp_nearest_onto", |s| warp(s, false);
    "integral",                  "integral_image",       |s| s.filter(|x, out, _| integral_image::configure(x, out));
    "eqhist",                    "histogram, equalization, table_lookup", equalized;
    "warpaffine_bl",             "warp_bilinear, warp_bilinear_replicate, warp_bilinear_onto", |s| warp(s, true);
};

/// Rows of coefficients of which the j-th is (7j mod 11) − 4.
fn ramp<const W: usize, const H: usize>() -> [[i16; W]; H] {
    std::array::from_fn(|row| std::array::from_fn(|column| ((row * W + column) * 7 % 11) as i16 - 4))
}

/// [1 4 6 4 1]ᵀ[1 4 6 4 1].
fn binomial() -> [[i16; 5]; 5] {
    const K: [i16; 5] = [1, 4, 6, 4, 1];
    K.map(|row| K.map(|column| row * column))
}

fn look_up(s: &Sample<'_>) -> Outcome {
    let input = s.input::<u8>("in0")?;
    let squares: [u8; 256] = std::array::from_fn(|k| ((k * k) >> 8) as u8);
    let mut output = s.output::<u8>(input.extents());
    let configured = table_lookup::configure(&input.info()?, &output.info()?)?;
    s.run(configured, (input.view()?, &squares), output.view_mut()?)?;
    Ok(output.bytes())
}

/// One gradient, the other left out.
fn sobel(s: &Sample<'_>, [x, y]: [bool; 2]) -> Outcome {
    let input = s.input::<u8>("in0")?;
    let mut output = s.output::<i16>(input.extents());
    let info = output.info()?;
    let configured = sobel3x3::configure(&input.info()?, x.then_some(&info), y.then_some(&info), s.border)?;
    let gradient = Some(output.view_mut()?);
    s.run(configured, input.view()?, if x { (gradient, None) } else { (None, gradient) })?;
    Ok(output.bytes())
}

/// Gradient `which` of both.
fn sobel_both(s: &Sample<'_>, which: usize) -> Outcome {
    let input = s.input::<u8>("in0")?;
    let mut outputs: [Image<i16>; 2] = [s.output(input.extents()), s.output(input.extents())];
    let info = outputs[0].info()?;
    let configured = sobel3x3::configure(&input.info()?, Some(&info), Some(&info), s.border)?;
    let [dx, dy] = &mut outputs;
    s.run(configured, input.view()?, (Some(dx.view_mut()?), Some(dy.view_mut()?)))?;
    Ok(outputs[which].bytes())
}

fn chroma(s: &Sample<'_>, image: &str, channel: usize) -> Outcome {
    s.map(&s.chroma(image)?, |p, out, _| channel_extract2::configure(p, channel, out))
}

/// RGB of luma and of chroma of half its size.
fn in_colour(s: &Sample<'_>, luma: Vec<u8>, chroma: [Vec<u8>; 2]) -> Outcome {
    let [height, width] = s.input::<[u8; 3]>("rgb")?.extents();
    let mut full = [vec![0u8; height * width], vec![0u8; height * width]];
    for (half, full) in chroma.iter().zip(&mut full) {
        let half = Image::<u8>::from_bytes(half, [height / 2, width / 2]);
        let (even, odd) = ViewMut::from_slice(full, [height, width])?.regroup::<[u8; 2]>()?.alternate_rows()?;
        let configured = double_elements::<u8>::configure(&half.info()?, even.info(), odd.info())?;
        s.run(configured, half.view()?, (even, odd))?;
    }
    let [u, v] = full;
    to_rgb(s, [luma, u, v], [height, width])
}

fn to_rgb(s: &Sample<'_>, planes: [Vec<u8>; 3], extents: [usize; 2]) -> Outcome {
    let [y, u, v] = planes.map(|plane| Image::<u8>::from_bytes(&plane, extents));
    let mut output = s.output::<[u8; 3]>(extents);
    let configured = yuv_to_rgb::configure(&y.info()?, &u.info()?, &v.info()?, ColourSpace::Bt709, &output.info()?)?;
    s.run(configured, (y.view()?, u.view()?, v.view()?), output.view_mut()?)?;
    Ok(output.bytes())
}

/// RGB of groups of two elements.
fn unpacked<K>(
    s: &Sample<'_>,
    image: &str,
    configure: impl Fn(
        &TensorInfo,
        &TensorInfo,
        Option<&TensorInfo>,
        Option<&TensorInfo>,
    ) -> Result<Configured<K>, InvalidConfiguration>,
) -> Outcome
where
    K: for<'v> Kernel<
            Inputs<'v> = View<'v, [u8; 4]>,
            Outputs<'v> = (ViewMut<'v, [u8; 2]>, Option<ViewMut<'v, [u8; 2]>>, Option<ViewMut<'v, [u8; 2]>>),
        >,
{
    let groups = s.input::<[u8; 4]>(image)?;
    let [height, pairs] = groups.extents();
    let mut planes: [Image<[u8; 2]>; 3] = std::array::from_fn(|_| s.output([height, pairs]));
    let info = planes[0].info()?;
    let configured = configure(&groups.info()?, &info, Some(&info), Some(&info))?;
    let [y, u, v] = &mut planes;
    s.run(configured, groups.view()?, (y.view_mut()?, Some(u.view_mut()?), Some(v.view_mut()?)))?;
    to_rgb(s, planes.map(|plane| plane.bytes()), [height, 2 * pairs])
}

/// x' = 0.9 x − 0.15 y + 1.5, y' = 0.2 x + 1.1 y − 2. What is undefined outside is left.
fn warp(s: &Sample<'_>, bilinear: bool) -> Outcome {
    // The C model truncates the place of the nearest element, which is nearest to half an element less.
    let less = if bilinear { 0.0 } else { 0.5 };
    let matrix = [[0.9, -0.15, 1.5 - less], [0.2, 1.1, -2.0 - less], [0.0, 0.0, 1.0]];
    let src = s.input::<u8>("in0")?;
    let mut out = s.output::<u8>(src.extents());
    let (from, to) = (src.info()?, out.info()?);
    match s.border {
        Border::Undefined if bilinear => {
            s.run(warp_bilinear_onto::configure(&from, &to, matrix, 0.0)?, src.view()?, out.view_mut()?)?;
        }
        Border::Undefined => {
            s.run(warp_nearest_onto::configure(&from, &to, matrix)?, src.view()?, out.view_mut()?)?;
        }
        Border::Constant(Scalar::U8(constant)) if bilinear => {
            s.run(warp_bilinear::configure(&from, matrix, constant, 0.0, &to)?, src.view()?, out.view_mut()?)?;
        }
        Border::Constant(Scalar::U8(constant)) => {
            s.run(warp_nearest::configure(&from, matrix, constant, &to)?, src.view()?, out.view_mut()?)?;
        }
        _ if bilinear => {
            s.run(warp_bilinear_replicate::configure(&from, matrix, 0.0, &to)?, src.view()?, out.view_mut()?)?;
        }
        _ => {
            s.run(warp_nearest_replicate::configure(&from, matrix, &to)?, src.view()?, out.view_mut()?)?;
        }
    }
    Ok(out.bytes())
}

/// The counts of all values, the table that they make, and what it says.
fn equalized(s: &Sample<'_>) -> Outcome {
    let src = s.input::<u8>("in0")?;
    let (mut counts, mut table) = (Tensor::<u32>::new([256])?, Tensor::<u8>::new([256])?);
    let counted = histogram::configure(&src.info()?, 256, 0, 256, counts.info())?;
    s.run(counted, src.view()?, counts.view_mut())?;
    s.run(equalization::configure(counts.info(), table.info())?, counts.view(), table.view_mut())?;
    let table: [u8; 256] = table.to_vec().try_into().map_err(|_| "a table of 256 bytes")?;
    let mut out = s.output::<u8>(src.extents());
    s.run(table_lookup::configure(&src.info()?, &out.info()?)?, (src.view()?, &table), out.view_mut()?)?;
    Ok(out.bytes())
}

/// RGB to RGBX: three channels taken apart, and put together with a plane of 255.
fn add_channel(s: &Sample<'_>) -> Outcome {
    let rgb = s.input::<[u8; 3]>("rgb")?;
    let extents = rgb.extents();
    let plane = |channel| -> Result<Image<u8>, Box<dyn std::error::Error>> {
        let bytes = s.map(&rgb, |p, out, _| channel_extract::configure(p, channel, out))?;
        Ok(Image::from_bytes(&bytes, extents))
    };
    let (r, g, b) = (plane(0)?, plane(1)?, plane(2)?);
    let x = Image::from_bytes(&vec![255; extents[0] * extents[1]], extents);
    let mut output = s.output::<[u8; 4]>(extents);
    let info = r.info()?;
    let configured = channel_combine4::configure(&info, &info, &info, &info, &output.info()?)?;
    s.run(configured, (r.view()?, g.view()?, b.view()?, x.view()?), output.view_mut()?)?;
    Ok(output.bytes())
}
