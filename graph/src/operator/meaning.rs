//! What a node computes.

use super::{
    Axes, Comparison, Cut, Extremum, Function, Later, Logic, Number, Padding, Pair, PartOf, Places, Reduction,
    Resizing, Type, Update, Window,
};
use crate::custom::Custom;

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
    /// `ConvTranspose` of two dimensions.
    TransposedConvolution {
        /// Where windows lie in what is written.
        window: Window,
        /// Parts that the channels are cut into.
        groups: usize,
        /// Rows and columns more, at the end.
        extra: [usize; 2],
        /// The rows and columns that are written, where they are said.
        extents: Option<[usize; 2]>,
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
    /// `LpPool`: the root of the sum of a window's magnitudes to a power, of which what lies outside the image is no part.
    NormPool {
        /// Where windows lie.
        window: Window,
        /// The power, and which root it is.
        power: u32,
    },
    /// `ReduceMean` and its like, `GlobalAveragePool` and `GlobalMaxPool`.
    Reduction {
        /// What is made of the elements.
        by: Reduction,
        /// Dimensions that become one element, from the end where they are negative; of `None` all, and of an image's pooling rows and columns.
        axes: Axes,
        /// Whether their extents are 1 in the result, instead of gone.
        keeps: bool,
    },
    /// `ArgMax` and `ArgMin`: where the first of the greatest or the least elements is.
    Place {
        /// Which elements.
        of: Extremum,
        /// The dimension; from the end where it is negative.
        axis: i64,
        /// Whether its extent is 1 in the result, instead of gone.
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
    /// `InstanceNormalization`: of all elements of a channel.
    InstanceNormalization {
        /// What is added to the variance.
        epsilon: f32,
    },
    /// `GroupNormalization`: of all elements of some channels that follow each other.
    GroupNormalization {
        /// How many groups of channels there are.
        groups: usize,
        /// What is added to the variance.
        epsilon: f32,
        /// Whether there is a scale and a bias for each group, as before version 21, and not for each channel.
        is_scaled_by_group: bool,
    },
    /// `MeanVarianceNormalization`: of all elements of some dimensions, without a scale.
    MeanVarianceNormalization {
        /// The dimensions; from the end where they are negative.
        axes: Vec<i64>,
    },
    /// `LpNormalization`: x / √Σ x² along a dimension.
    LengthNormalization {
        /// The dimension; from the end where it is negative.
        axis: i64,
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
    /// `Equal`, `Greater` and their like: 1 where it holds.
    Compare(Comparison),
    /// `And`, `Or`, `Xor`.
    Logic(Logic),
    /// `Not`.
    Not,
    /// `Where`: the second input where the first is true, the third elsewhere.
    Select,
    /// `Cast`.
    Cast(Type),
    /// Integers of 8 bits with a sign from such without one, 128 less.
    Signed,
    /// Integers of 8 bits without a sign from such with one, 128 more.
    Unsigned,
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
    /// `Softmax`, and `LogSoftmax`.
    Softmax {
        /// The dimension; from the end where it is negative.
        axis: i64,
        /// Whether all dimensions from there on are one, as before version 13.
        joins: bool,
        /// Whether the logarithms of the shares are written.
        is_logarithm: bool,
    },
    /// `Hardmax`: 1 for the first of the greatest elements, 0 for all others.
    Hardmax {
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
    /// `Expand`: repeated to the extents that the second input says, by the rule of NumPy.
    Expand,
    /// `Tile`: as many copies along each dimension.
    Tile(Vec<usize>),
    /// `Gather`: the elements along a dimension whose numbers the second input holds.
    Gather {
        /// The dimension; from the end where it is negative.
        axis: i64,
    },
    /// `GatherElements` and `GatherND`: what lies at the places that the second input holds.
    GatherAt(Places),
    /// `ScatterElements` and `ScatterND`: the first input with the third one's elements at the places that the second holds, which are known
    /// before the network runs.
    ScatterAt {
        /// What the places are of.
        places: Places,
        /// What is made of an element and the one that comes there.
        update: Update,
    },
    /// `Trilu`: 0 below or above a diagonal of each matrix.
    Triangle {
        /// Whether what lies above it is kept.
        is_upper: bool,
        /// How many columns the diagonal lies behind the main one.
        diagonal: i64,
    },
    /// `OneHot`: along a new dimension, one value at the place that an element says and another elsewhere.
    OneHot {
        /// The new dimension; from the end where it is negative.
        axis: i64,
        /// Its extent.
        depth: usize,
    },
    /// `DepthToSpace`: channels as squares of elements.
    DepthToSpace {
        /// The rows and columns of a square.
        block: usize,
        /// Whether the squares of one channel follow each other, as in mode `CRD`.
        is_by_channel: bool,
    },
    /// `SpaceToDepth`: squares of elements as channels.
    SpaceToDepth {
        /// The rows and columns of a square.
        block: usize,
        /// Whether the squares of one channel follow each other, as in mode `CRD`.
        is_by_channel: bool,
    },
    /// `Resize`, and `Upsample`.
    Resize(Resizing),
    /// `Pad`.
    Pad {
        /// Elements before each dimension, and then behind each: as many are taken away where the number is negative.
        pads: Vec<i64>,
        /// The dimensions that the pads are of, from the end where they are negative; of `None` all.
        axes: Option<Vec<i64>>,
        /// What the elements are.
        with: Padding,
    },
    /// Integers of 8 bits from floats: TFLite's `QUANTIZE`, ONNX' `QuantizeLinear`.
    Quantize {
        /// Whether halves go to the even number, and not away from zero.
        to_even: bool,
    },
    /// Floats from integers of 8 bits: TFLite's `DEQUANTIZE`, ONNX' `DequantizeLinear`.
    Dequantize,
    /// The scale of integers of 8 bits by the least and the greatest of the floats that they are to stand for, as `DynamicQuantizeLinear`
    /// has it.
    DynamicScale,
    /// The integer that stands for 0, by the least of the floats and the scale.
    DynamicZero,
    /// Integers of 8 bits from floats, by a scale and a zero that are tensors of one element.
    QuantizeBy,
    /// `MatMulInteger`: sums of integers of 32 bits, of two tensors of integers of 8 bits, behind which their zeros are.
    IntegerMatrices,
    /// `ConvInteger`: likewise.
    IntegerConvolution {
        /// Where windows lie.
        window: Window,
        /// Parts that the channels are cut into.
        groups: usize,
    },
    /// Floats from a constant of integers, scale · (integer − zero): ONNX' `DequantizeLinear` of weights. Scales and zeros are constants, one for
    /// all or one for each element of a dimension, and are read behind the integers; so is a further factor of the scales.
    Scale {
        /// The dimension; from the end where it is negative.
        axis: i64,
    },
    /// `Shape`: the extents of some dimensions as integers, from one on to before another.
    Shape {
        /// The first; from the end where it is negative.
        start: i64,
        /// Behind the last one.
        end: i64,
    },
    /// `Size`: how many elements there are, as an integer.
    Size,
    /// `ConstantOfShape`: one number, as many times as the extents say that the input holds.
    Fill(Number),
    /// `Range`: numbers from the first input on to before the second, as far apart as the third says.
    Range,
    /// An operator of a user's own.
    Custom(Custom),
    /// A node whose numbers other nodes compute.
    Later(Later),
    /// `Identity`, and `Dropout`, which does nothing once a network is trained.
    Identity,
    /// Anything else: why it is none of the above.
    Other(String),
}
