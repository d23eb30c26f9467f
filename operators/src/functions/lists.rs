//! Lists of places: the elements of an image that are not 0, and those that equal its extremes.
//!
//! A list is as long as its caller says. Behind what was found are places of [−1, −1]; how many there are is an output of its own, which
//! tells a list that is too short.

use windrow::{
    TensorInfo,
    chain::{ChainBuilder, Composite, Executor, FunctionError, Value},
    tensor::DType,
};

use super::composite_function;
use crate::{Comparison, as_strided, compare, count_nonzero, cumulative_sum_i32, min_max, nonzero_places};

/// What is found of an image's elements.
pub(super) struct Found {
    /// The places [row, column], row by row: `[i32; 2]`.
    pub places: Value,
    /// The elements there.
    pub elements: Value,
    /// How many there are in the image: one `i32`.
    pub count: Value,
}

/// Adds the stages that list the elements of an image `[h, w]` of u8 or f32 that are not 0. `origin` is added to each place.
pub(super) fn list_nonzero(
    chain: &mut ChainBuilder,
    image: Value,
    capacity: usize,
    origin: [i32; 2],
) -> Result<Found, FunctionError> {
    let info = chain.info(image)?;
    let length = info.height() * info.width().div_ceil(64);
    let counts = TensorInfo::of::<i32>(&[info.height(), info.width().div_ceil(64)])?;
    let (column, row) = (TensorInfo::of::<i32>(&[1, length, 1])?, TensorInfo::of::<i32>(&[length])?);
    let places = TensorInfo::of::<[i32; 2]>(&[capacity])?;
    let is_float = info.dtype() == DType::F32;
    let [counted] = match is_float {
        true => chain.add(&count_nonzero::<f32>::configure(&info, &counts)?, &[image])?,
        false => chain.add(&count_nonzero::<u8>::configure(&info, &counts)?, &[image])?,
    };
    let counted = chain.reshape(counted, &[1, length, 1])?;
    let [sums] = chain.add(&cumulative_sum_i32::configure(&column, 1, &column)?, &[counted])?;
    let sums = chain.reshape(sums, &[length])?;
    let [places, elements] = if is_float {
        let elements = TensorInfo::of::<f32>(&[capacity])?;
        let list = nonzero_places::<f32>::configure(&info, &row, origin, &places, Some(&elements))?;
        chain.add(&list, &[image, sums])?
    } else {
        let elements = TensorInfo::of::<u8>(&[capacity])?;
        let list = nonzero_places::<u8>::configure(&info, &row, origin, &places, Some(&elements))?;
        chain.add(&list, &[image, sums])?
    };
    // A tensor of that many elements was made above.
    let last = i32::try_from(length - 1).unwrap_or(i32::MAX);
    let last = as_strided::<i32>::configure(&row, last, [0; 4], &TensorInfo::of::<i32>(&[1])?)?;
    let [count] = chain.add(&last, &[sums])?;
    Ok(Found { places, elements, count })
}

/// The places of the elements that are not 0, row by row (ONNX `NonZero`, NumPy `argwhere`).
///
/// It writes the places [row, column] as `[i32; 2]`, and how many such elements the image has as one `i32`. A place of a list that is
/// longer is [−1, −1].
#[derive(Debug)]
pub struct NonZero(Composite);

composite_function!(NonZero);

impl NonZero {
    /// For images `[h, w]` of u8 or f32 like `image`, and a list of `capacity` places.
    ///
    /// # Errors
    /// A [`FunctionError`] for another type or rank, and a capacity of 0.
    pub fn configure(image: &TensorInfo, capacity: usize, executor: &dyn Executor) -> Result<NonZero, FunctionError> {
        let mut chain = ChainBuilder::new();
        let image = chain.input(*image);
        let found = list_nonzero(&mut chain, image, capacity, [0, 0])?;
        chain.output(found.places)?;
        chain.output(found.count)?;
        Ok(NonZero(chain.compose(executor)?))
    }
}

/// The least and the greatest element of an image, how many there are of each, and where (OpenVX `vxMinMaxLoc`, ACL `NEMinMaxLocation`).
///
/// It writes six outputs: the two elements, of the image's type; the two counts, `u32`; and two lists of places [row, column], row by
/// row, as `[i32; 2]`. A place of a list that is longer is [−1, −1].
#[derive(Debug)]
pub struct MinMaxLoc(Composite);

composite_function!(MinMaxLoc);

impl MinMaxLoc {
    /// For images `[h, w]` of u8 or i16 like `image`, and lists of `capacity` places.
    ///
    /// # Errors
    /// A [`FunctionError`] for another type or rank, and a capacity of 0.
    pub fn configure(image: &TensorInfo, capacity: usize, executor: &dyn Executor) -> Result<MinMaxLoc, FunctionError> {
        let mut chain = ChainBuilder::new();
        let (src, mask) = (chain.input(*image), TensorInfo::of::<u8>(&image.shape().extents())?);
        let [u, i] = [TensorInfo::of::<u32>(&[1])?, TensorInfo::of::<i32>(&[1])?];
        let (extremes, masks): (Vec<Value>, [Value; 2]);
        if image.dtype() == DType::I16 {
            let one = TensorInfo::of::<i16>(&[1])?;
            extremes = chain.stage(&min_max::<i16>::configure(image, &one, &one, &u, &u, &i, &i)?, &[src])?;
            let equal = compare::<i16>::configure(image, &one, Comparison::Equal, 255, &mask)?;
            masks =
                [chain.add(&equal, &[src, extremes[0]])?, chain.add(&equal, &[src, extremes[1]])?].map(|[mask]| mask);
        } else {
            let one = TensorInfo::of::<u8>(&[1])?;
            extremes = chain.stage(&min_max::<u8>::configure(image, &one, &one, &u, &u, &i, &i)?, &[src])?;
            let equal = compare::<u8>::configure(image, &one, Comparison::Equal, 255, &mask)?;
            masks =
                [chain.add(&equal, &[src, extremes[0]])?, chain.add(&equal, &[src, extremes[1]])?].map(|[mask]| mask);
        }
        extremes.iter().take(4).try_for_each(|&extreme| chain.output(extreme))?;
        for mask in masks {
            let found = list_nonzero(&mut chain, mask, capacity, [0, 0])?;
            chain.output(found.places)?;
        }
        Ok(MinMaxLoc(chain.compose(executor)?))
    }
}
