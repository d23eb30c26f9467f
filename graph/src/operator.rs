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
    /// The root of the mean of a window's squares, which what lies outside the image is no part of: TVM's `nn.l2_pool2d`.
    L2Pool(Window),
    /// `ReduceMean` and its like, `GlobalAveragePool` and `GlobalMaxPool`.
    Reduction {
        /// What is made of the elements.
        by: Reduction,
        /// Dimensions that become one element, from the end where they are negative; of `None` all, and of an image's pooling rows and columns.
        axes: Axes,
        /// Whether their extents are 1 in the result, instead of gone.
        keeps: bool,
    },
    /// `BatchNormalization`, as it is once trained.
    BatchNormalization {
        /// What is added to the variance.
        epsilon: f32,
    },
    /// `LayerNormalization`: of all dimensions from one on.
    LayerNormalization {
        /// The first of them; from the end where it is negative.
        axis: i64,
        /// What is added to the variance.
        epsilon: f32,
    },
    /// `LRN`: x / (bias + alpha / size · Σ x²)^beta, over the channels around.
    LocalResponseNormalization {
        /// Channels of a sum.
        size: usize,
        /// The factor of the mean square.
        alpha: f32,
        /// The power.
        beta: f32,
        /// What is added to the mean square.
        bias: f32,
    },
    /// A function of each element.
    Function(Function),
    /// A function of two elements: `Sub`, `Div`, `Pow`, `PRelu`, and `Min` and `Max` of any number.
    Pair(Pair),
    /// `MatMul`: planes of matrices, or rows of any number by one matrix.
    Matrices,
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
    /// `Slice`: some elements along some dimensions.
    Slice(Vec<Cut>),
    /// One of the outputs of `Split`.
    Part {
        /// The dimension; from the end where it is negative.
        axis: i64,
        /// Which of its elements.
        of: PartOf,
    },
    /// `Pad` with a number.
    Pad {
        /// Elements before each dimension, and then behind each.
        pads: Vec<usize>,
        /// The number.
        value: f32,
    },
    /// Integers of 8 bits from floats: TFLite's `QUANTIZE`, ONNX' `QuantizeLinear`.
    Quantize {
        /// Whether halves go to the even number, and not away from zero.
        to_even: bool,
    },
    /// Floats from integers of 8 bits: TFLite's `DEQUANTIZE`, ONNX' `DequantizeLinear`.
    Dequantize,
    /// Floats from a constant of integers, scale · (integer − zero): ONNX' `DequantizeLinear` of weights. Scales and zeros are constants, one for
    /// all or one for each element of a dimension, and are read behind the integers; so is a further factor of the scales.
    Scale {
        /// The dimension; from the end where it is negative.
        axis: i64,
    },
    /// `Identity`, and `Dropout`, which does nothing once a network is trained.
    Identity,
    /// Anything else: why it is none of the above.
    Other(String),
}

/// What a reduction makes of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// Their sum.
    Sum,
    /// Their mean.
    Mean,
    /// The greatest.
    Greatest,
    /// The least.
    Least,
}

/// The dimensions of a reduction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Axes {
    /// All of them.
    All,
    /// The rows and the columns of an image.
    OfImage,
    /// These; from the end where they are negative.
    These(Vec<i64>),
}

/// A function of one element, with what its attributes say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Function {
    /// |x|.
    Abs,
    /// −x.
    Neg,
    /// e^x.
    Exp,
    /// ln x.
    Log,
    /// √x.
    Sqrt,
    /// 1 / x.
    Reciprocal,
    /// The error function.
    Erf,
    /// The greatest whole number that is no greater.
    Floor,
    /// The least whole number that is no less.
    Ceil,
    /// The nearest whole number, of two the even one.
    Round,
    /// 1 / (1 + e^−x).
    Sigmoid,
    /// The hyperbolic tangent.
    Tanh,
    /// ln(1 + e^x).
    Softplus,
    /// x / (1 + |x|).
    Softsign,
    /// x · tanh(ln(1 + e^x)).
    Mish,
    /// x · min(max(x / 6 + 1/2, 0), 1).
    HardSwish,
    /// x · (1 + erf(x / √2)) / 2.
    Gelu,
    /// `Gelu` by `tanh`.
    GeluTanh,
    /// x where it is not negative, slope · x elsewhere.
    LeakyRelu {
        /// The slope.
        slope: f32,
    },
    /// min(max(alpha · x + beta, 0), 1).
    HardSigmoid {
        /// The slope.
        alpha: f32,
        /// The value at 0.
        beta: f32,
    },
    /// x where it is not negative, alpha · (e^x − 1) elsewhere.
    Elu {
        /// What it goes to, negated.
        alpha: f32,
    },
    /// gamma · `Elu`.
    Selu {
        /// As `Elu` has it.
        alpha: f32,
        /// The factor.
        gamma: f32,
    },
    /// x where it is not negative, alpha · (e^(x / alpha) − 1) elsewhere.
    Celu {
        /// What it goes to, negated.
        alpha: f32,
    },
    /// x / (1 + e^(−alpha · x)).
    Swish {
        /// The factor of the exponent.
        alpha: f32,
    },
}

/// A function of two elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pair {
    /// a − b.
    Subtract,
    /// a / b.
    Divide,
    /// a to the power of b.
    Power,
    /// a where it is not negative, a · b elsewhere.
    Prelu,
    /// The lesser.
    Minimum,
    /// The greater.
    Maximum,
}

/// Elements along a dimension, from one on to before another; places below 0 are counted from the end, and what lies outside is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The dimension; from the end where it is negative.
    pub axis: i64,
    /// The first element.
    pub start: i64,
    /// Behind the last one.
    pub end: i64,
    /// Elements from one to the next.
    pub step: usize,
}

/// Elements along a dimension that is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartOf {
    /// So many from one on, of so many together.
    These {
        /// The first.
        start: usize,
        /// How many.
        extent: usize,
        /// How many all parts have.
        all: usize,
    },
    /// One of so many parts, of which the last may be smaller.
    Equal {
        /// Which one.
        index: usize,
        /// How many there are.
        count: usize,
    },
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
