//! What can be wrong with a configuration or a run, each naming the argument, what was found, and the rule.

pub(crate) mod any;

use crate::{
    border::BorderMode,
    data_layout::DataLayout,
    dtype::DType,
    element::{ElementType, Scalar},
    info::{InvalidTensor, Shape},
    quantization::Quantization,
    schedule::error::ScheduleError,
    tier::InvalidTier,
    tiling::tile_error::TileError,
    window::InvalidWindow,
};

/// Why a kernel can't be configured with these arguments.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidConfiguration {
    /// Too few or too many images to read.
    #[error("the number of images that `{kernel}` reads is {expected}, found {found}")]
    InputCount {
        /// The kernel.
        kernel: &'static str,
        /// Images given.
        found: usize,
        /// Images that it reads.
        expected: usize,
    },
    /// Too few or too many images to write.
    #[error("the number of images that `{kernel}` writes is {expected}, found {found}")]
    OutputCount {
        /// The kernel.
        kernel: &'static str,
        /// Images given, those left out included.
        found: usize,
        /// Images that it writes.
        expected: usize,
    },
    /// Another element type.
    #[error("`{argument}` holds {found}, expected {expected}")]
    ElementType {
        /// The argument.
        argument: &'static str,
        /// The type that it holds.
        found: DType,
        /// The type that the kernel declares.
        expected: DType,
    },
    /// Another number of channels.
    #[error("`{argument}` has {found} channels, expected {expected}")]
    Channels {
        /// The argument.
        argument: &'static str,
        /// Its channels.
        found: u32,
        /// The channels that the kernel declares.
        expected: u32,
    },
    /// An image of quantized integers: the kernel would compute with the integers, and lose what they mean.
    #[error(
        "`{argument}` is quantized ({found}), which the kernel does not read: give it without, and say what the output means"
    )]
    Quantization {
        /// The argument.
        argument: &'static str,
        /// Its scale and offset.
        found: Quantization,
    },
    /// An image without elements.
    #[error("`{argument}` is empty: its shape is {shape}")]
    Empty {
        /// The argument.
        argument: &'static str,
        /// Its shape.
        shape: Shape,
    },
    /// Shapes that do not fit together.
    #[error("`{argument}` has the shape {found}, expected {expected}")]
    Shape {
        /// The argument.
        argument: &'static str,
        /// Its shape.
        found: Shape,
        /// The shape that it must have.
        expected: Shape,
    },
    /// An input read at a stride whose shape does not fit.
    #[error(
        "`{argument}` has the shape {found}; read at a stride of {}×{} it gives {gives}, expected {expected}",
        stride.0,
        stride.1
    )]
    StridedShape {
        /// The argument.
        argument: &'static str,
        /// Its shape.
        found: Shape,
        /// Its stride, (x, y).
        stride: (u32, u32),
        /// The output's shape that follows from it.
        gives: Shape,
        /// The output's shape.
        expected: Shape,
    },
    /// Nothing that the kernel reads says how large its output is: the caller makes it.
    #[error(
        "nothing that `{kernel}` reads says how large its output is: write into a tensor of that size, by `apply_into`"
    )]
    NoShape {
        /// The kernel.
        kernel: &'static str,
    },
    /// Two extents of one name that differ.
    #[error("the extent `{name}` of `{argument}` is {found}, that of `{other}` {expected}")]
    Extent {
        /// The argument.
        argument: &'static str,
        /// The extent's name.
        name: &'static str,
        /// The argument's extent.
        found: usize,
        /// The first argument with this name.
        other: &'static str,
        /// Its extent.
        expected: usize,
    },
    /// A tensor that is longer than a kernel with a window can count.
    #[error("`{argument}` has {found} elements along dimension {dimension}, at most {greatest} may be")]
    Long {
        /// The argument.
        argument: &'static str,
        /// The dimension, outermost first.
        dimension: usize,
        /// Its extent.
        found: usize,
        /// The greatest that there may be.
        greatest: usize,
    },
    /// A window that gives the outputs no elements along a dimension, or too many.
    #[error(
        "`{kernel}`: the output would have {found} elements along dimension {dimension}, it can have 1 to {greatest}"
    )]
    WindowExtent {
        /// The kernel.
        kernel: &'static str,
        /// The dimension, outermost first.
        dimension: usize,
        /// The extent that the window gives.
        found: i64,
        /// The greatest that there may be.
        greatest: usize,
    },
    /// A window whose extents can't be computed: a divisor is not positive, or a number does not fit.
    #[error("`{kernel}`: an extent of the output can't be computed from {left} and {right}")]
    WindowNumber {
        /// The kernel.
        kernel: &'static str,
        /// The left operand.
        left: i64,
        /// The right one.
        right: i64,
    },
    /// The outputs' extents depend on uniforms, which are not given.
    #[error("`{kernel}`: the extents of the output depend on uniforms, which must be given")]
    NoWindow {
        /// The kernel.
        kernel: &'static str,
    },
    /// An image that is read anywhere whose planes are not those of the outputs.
    #[error(
        "`{argument}` has the shape {found}: it has one plane for all, or the planes of the outputs, whose shape is {expected}"
    )]
    Planes {
        /// The argument.
        argument: &'static str,
        /// Its shape.
        found: Shape,
        /// The outputs' shape.
        expected: Shape,
    },
    /// A tensor that has not as many dimensions as the kernel reads.
    #[error("`{argument}` has the shape {found}: the kernel reads a tensor of rank {expected}")]
    Rank {
        /// The argument.
        argument: &'static str,
        /// Its shape.
        found: Shape,
        /// The number of dimensions that it must have.
        expected: usize,
    },
    /// An image that is read anywhere, of which some elements have no meaning.
    #[error(
        "`{argument}` is read anywhere, and must be valid everywhere: of the {extent} elements along dimension {dimension}, those from {start} to before {end} are"
    )]
    PartlyValid {
        /// The argument.
        argument: &'static str,
        /// The dimension, counted from the outermost.
        dimension: usize,
        /// The first valid element along it.
        start: usize,
        /// Behind the last.
        end: usize,
        /// Elements that there are.
        extent: usize,
    },
    /// An image that is read anywhere with elements too far apart.
    #[error("`{argument}` is read anywhere: what a run reads of it may span {greatest} bytes, found {found}")]
    Span {
        /// The argument.
        argument: &'static str,
        /// Bytes from the lowest to behind the highest of the plane, or of the tensor.
        found: usize,
        /// Bytes that it may span.
        greatest: usize,
    },
    /// An output that may not be left out.
    #[error("the output `{argument}` may not be left out")]
    MissingOutput {
        /// The output.
        argument: &'static str,
    },
    /// Every output is left out.
    #[error("every output of `{kernel}` is left out")]
    NoOutput {
        /// The kernel.
        kernel: &'static str,
    },
    /// An output that no memory can hold.
    #[error("`{argument}`: {error}")]
    Tensor {
        /// The argument.
        argument: &'static str,
        /// Why not.
        error: InvalidTensor,
    },
    /// A border mode that the kernel does not offer.
    #[error("`{kernel}` does not offer the border mode {found}, it offers {}", Modes(offered))]
    BorderNotOffered {
        /// The kernel.
        kernel: &'static str,
        /// The mode asked for.
        found: BorderMode,
        /// The modes that it offers.
        offered: &'static [BorderMode],
    },
    /// Too few or too many borders.
    #[error("`{kernel}` has a border for each image that it reads: expected {expected}, found {found}")]
    BorderCount {
        /// The kernel.
        kernel: &'static str,
        /// Borders given.
        found: usize,
        /// Images that it reads, `#[inout]` ones included.
        expected: usize,
    },
    /// An image whose dimensions mean something else than the others'.
    #[error("`{argument}` has the layout {found}, expected {expected}")]
    DataLayout {
        /// The argument.
        argument: &'static str,
        /// Its data layout.
        found: DataLayout,
        /// The data layout of the images before it.
        expected: DataLayout,
    },
    /// An image whose rows a kernel over tiles can't have as slices.
    #[error("elements of a row of `{argument}` must be {expected} bytes apart, found {found}")]
    RowStride {
        /// The image.
        argument: &'static str,
        /// The bytes from one element to the next.
        found: isize,
        /// The size of an element.
        expected: usize,
    },
    /// An output some of whose elements share bytes.
    #[error(
        "the output `{argument}` overlaps itself: its dimension {dimension} has a stride of {found} bytes, what lies inside it takes {least}"
    )]
    OverlapsItself {
        /// The output.
        argument: &'static str,
        /// The dimension, counted from the outermost.
        dimension: usize,
        /// Its stride in bytes: 0 repeats one element.
        found: isize,
        /// The least magnitude under which nothing overlaps.
        least: usize,
    },
    /// A border constant that the input's type lacks.
    #[error("`{argument}` holds {expected}, which cannot represent the border constant {found:#}")]
    BorderConstant {
        /// The input.
        argument: &'static str,
        /// The constant.
        found: Scalar,
        /// The input's element type.
        expected: ElementType,
    },
    /// Too few or too many words of uniforms.
    #[error("the uniforms of `{kernel}` take {expected} words, found {found}")]
    Words {
        /// The kernel.
        kernel: &'static str,
        /// Words given.
        found: usize,
        /// Words that it takes.
        expected: usize,
    },
    /// More words than a configuration holds.
    #[error(
        "the uniforms of `{kernel}`, with what is derived from them, take {found} words, the greatest number is {greatest}"
    )]
    TooManyWords {
        /// The kernel.
        kernel: &'static str,
        /// Words that it takes.
        found: usize,
        /// Words that there is room for.
        greatest: usize,
    },
    /// A uniform outside its declared bounds.
    #[error("`{argument}` is {found:#}, expected {least:#} to {greatest:#}")]
    OutOfBounds {
        /// The uniform.
        argument: &'static str,
        /// The offending scalar.
        found: Scalar,
        /// The least value declared.
        least: Scalar,
        /// The greatest value declared.
        greatest: Scalar,
    },
    /// An array whose magnitudes are too large together.
    #[error("the magnitudes of `{argument}` sum to {found}, expected at most {greatest}")]
    SumOfMagnitudes {
        /// The uniform.
        argument: &'static str,
        /// Their sum.
        found: f64,
        /// The greatest sum declared.
        greatest: u64,
    },
    /// A relation between uniforms that does not hold.
    #[error("`{kernel}` requires {text}, found {left:#} and {right:#}")]
    Requirement {
        /// The kernel.
        kernel: &'static str,
        /// The relation, as the author wrote it.
        text: &'static str,
        /// The value of its left side.
        left: Scalar,
        /// The value of its right side.
        right: Scalar,
    },
    /// Too few or too many choices of variants.
    #[error("`{kernel}` has {expected} variants to choose, found {found}")]
    ChoiceCount {
        /// The kernel.
        kernel: &'static str,
        /// Choices given.
        found: usize,
        /// Variants that it has.
        expected: usize,
    },
    /// A choice that a variant lacks.
    #[error("`{argument}` has {values} values, found the one numbered {found}")]
    Choice {
        /// The variant.
        argument: &'static str,
        /// The number chosen.
        found: u32,
        /// How many values it has.
        values: usize,
    },
    /// More arguments than a run holds.
    #[error("`{kernel}` has {found} images or tables of one kind, the greatest number is 8")]
    TooManyArguments {
        /// The kernel.
        kernel: &'static str,
        /// Their number.
        found: usize,
    },
    /// No body's edges fit the scratch that a run has.
    #[error("no body of `{kernel}` fits a run's scratch of {available} bytes")]
    Scratch {
        /// The kernel.
        kernel: &'static str,
        /// Bytes that a run has.
        available: usize,
    },
    /// The tier asked for can't be used.
    #[error(transparent)]
    Tier(#[from] InvalidTier),
}

/// Writes border modes with commas.
struct Modes<'a>(&'a [BorderMode]);

impl core::fmt::Display for Modes<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.0.iter().enumerate().try_for_each(|(index, mode)| {
            let separator = if index == 0 { "" } else { ", " };
            write!(f, "{separator}{mode}")
        })
    }
}

/// Why a run was refused or stopped.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The arguments don't fit the kernel.
    #[error(transparent)]
    Arguments(#[from] InvalidConfiguration),
    /// A shape that differs from the one configured.
    #[error("`{argument}` has the shape {found}, it was configured with {expected}")]
    Shape {
        /// The argument.
        argument: &'static str,
        /// Its shape.
        found: Shape,
        /// The shape configured.
        expected: Shape,
    },
    /// An output given that was left out when configuring, or the other way round.
    #[error("the output `{argument}` is {}, the kernel was configured the other way", if *.given { "given" } else { "left out" })]
    OutputPresence {
        /// The output.
        argument: &'static str,
        /// Whether it is given now.
        given: bool,
    },
    /// A table of another type or length.
    #[error("`{argument}` has {found} entries of {found_element}, expected {expected} of {expected_element}")]
    Table {
        /// The table.
        argument: &'static str,
        /// Its entries.
        found: usize,
        /// Their type.
        found_element: ElementType,
        /// The entries declared.
        expected: u32,
        /// Their declared type.
        expected_element: ElementType,
    },
    /// Too few or too many tables.
    #[error("the number of tables that `{kernel}` looks up is {expected}, found {found}")]
    TableCount {
        /// The kernel.
        kernel: &'static str,
        /// Tables given.
        found: usize,
        /// Tables that it looks up.
        expected: usize,
    },
    /// An output in memory that an input or another output also uses.
    #[error("the output `{output}` shares memory with `{other}`")]
    Overlap {
        /// The output.
        output: &'static str,
        /// The other argument.
        other: &'static str,
    },
    /// A window that isn't a sub-window of the configured one.
    #[error(transparent)]
    Window(#[from] InvalidWindow),
    /// A window cut in a dimension in which the kernel can't be cut.
    #[error("the kernel's window can't be cut in dimension {dimension}")]
    Uncuttable {
        /// The dimension.
        dimension: usize,
    },
    /// Too little scratch, or scratch at an odd address.
    #[error("the run needs {expected} bytes of scratch at a multiple of 64, found {found}")]
    Scratch {
        /// Bytes given.
        found: usize,
        /// Bytes needed.
        expected: usize,
    },
    /// A tile of a kernel written by hand was not computed.
    #[error("a tile of `{kernel}`: {error}")]
    Tile {
        /// The kernel.
        kernel: &'static str,
        /// Why not.
        error: TileError,
    },
    /// A kernel written by hand gave up.
    #[error("a part failed: {reason}")]
    Kernel {
        /// Its own words.
        reason: &'static str,
    },
    /// The scheduler failed.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// The scheduler came back before every part had been run.
    #[error("the scheduler ran {done} of {parts} parts")]
    Unfinished {
        /// Parts that were run.
        done: usize,
        /// Parts that there are.
        parts: usize,
    },
}
