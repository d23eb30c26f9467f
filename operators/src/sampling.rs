//! Where the elements of a scaled image lie, in the terms of those that define it.

/// What two images of different size have in common along a dimension.
///
/// ```
/// use windrow::Tensor;
/// use windrow_operators::{sampling::Sampling, scale_nearest};
///
/// let small = Tensor::from_vec(vec![1u8, 2], [1, 2])?;
/// let mut large = Tensor::<u8>::new([1, 6])?;
/// let [rows, columns] = [Sampling::Centres.along(1, 1), Sampling::Centres.along(2, 6)];
/// scale_nearest::<u8>::apply_into(&small, rows, columns, &mut large)?;
/// assert_eq!(large.to_vec(), [1, 1, 1, 2, 2, 2]);
/// # Ok::<(), windrow::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sampling {
    /// The outer edges: element i covers i to i + 1, and its centre is at i + ½. OpenVX, OpenCV, ACL's `CENTER`, ONNX'
    /// `half_pixel`.
    Centres,
    /// The centre of the first element, and the ratio of the extents. ACL's `TOP_LEFT`, ONNX' `asymmetric`.
    First,
    /// The centres of the first and of the last element. ONNX' `align_corners`.
    Ends,
}

impl Sampling {
    /// Returns [scale, offset] for images with these numbers of elements along a dimension: element i lies at i · scale + offset.
    pub fn along(self, input: usize, output: usize) -> [f32; 2] {
        let [from, to] = [input, output].map(|extent| extent as f64);
        let [scale, offset] = match self {
            Sampling::Centres => [from / to, from / to / 2.0 - 0.5],
            Sampling::First => [from / to, 0.0],
            Sampling::Ends if output > 1 => [(from - 1.0) / (to - 1.0), 0.0],
            Sampling::Ends => [0.0, 0.0],
        };
        [scale as f32, offset as f32]
    }
}
