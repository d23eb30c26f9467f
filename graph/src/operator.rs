//! What nodes compute, with every attribute that ONNX leaves out filled in: one meaning, whatever the version of the file.

/// What a node computes.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Operator {
    /// `Conv` of two dimensions.
    Convolution {
        /// Where windows lie.
        window: Window,
        /// Parts that the channels are cut into.
        groups: usize,
    },
    /// `Gemm`: alpha · a · b + beta · c.
    Product {
        /// The factor of the product.
        alpha: f32,
        /// The factor of what is added.
        beta: f32,
        /// Whether each of the matrices is transposed.
        transposed: [bool; 2],
    },
    /// `MaxPool`.
    MaxPool(Window),
    /// `AveragePool`.
    AveragePool {
        /// Where windows lie.
        window: Window,
        /// Whether zeros around the image count.
        counts_pads: bool,
    },
    /// `GlobalAveragePool`.
    GlobalAveragePool,
    /// `BatchNormalization`, as it is once trained.
    BatchNormalization {
        /// What is added to the variance.
        epsilon: f32,
    },
    /// `Relu`.
    Relu,
    /// `Clip`, between two bounds that are known.
    Clip {
        /// The least.
        lower: f32,
        /// The greatest.
        upper: f32,
    },
    /// `Add`, and `Sum` of any number.
    Add,
    /// `Mul`.
    Multiply,
    /// `Concat`.
    Concatenate {
        /// The dimension; from the end where it is negative.
        axis: i64,
    },
    /// `Softmax`.
    Softmax {
        /// The dimension; from the end where it is negative.
        axis: i64,
        /// Whether all dimensions from there on are one, as before version 13.
        joins: bool,
    },
    /// `Reshape`: as the second input says.
    Reshape {
        /// Whether an extent of 0 is one of 0, instead of the input's.
        keeps_zeros: bool,
    },
    /// `Flatten`: what lies before a dimension, and from there on.
    Flatten {
        /// The dimension; from the end where it is negative.
        axis: i64,
    },
    /// `Squeeze`; of `None`, every extent of 1 goes.
    Squeeze(Option<Vec<i64>>),
    /// `Unsqueeze`.
    Unsqueeze(Vec<i64>),
    /// `Transpose`; of `None`, the order is turned around.
    Transpose(Option<Vec<i64>>),
    /// `Identity`, and `Dropout`, which does nothing once a network is trained.
    Identity,
    /// Anything else: why it is none of the above.
    Other(String),
}

/// Windows of rows and columns over an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// Rows and columns; `None` where the weights say it.
    pub size: Option<[usize; 2]>,
    /// Elements from one window to the next.
    pub stride: [usize; 2],
    /// Elements from one of a window to its next.
    pub dilation: [usize; 2],
    /// What is around the image.
    pub pads: Pads,
    /// Whether a last window counts that begins inside the image and its first pads, and ends outside.
    pub is_ceiled: bool,
}

/// What is around an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pads {
    /// As many rows above, columns on the left, rows below, and columns on the right.
    Explicit([usize; 4]),
    /// As many that there are as many windows as steps fit: `SAME_UPPER`, and with `before` `SAME_LOWER`.
    Same {
        /// Whether one that can't be halved goes before the image.
        before: bool,
    },
}
