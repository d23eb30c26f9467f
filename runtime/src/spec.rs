//! What a kernel says about itself: data that the macro writes and everything else reads.
//!
//! `validate`, `configure`, the schedulers, the tests and the documentation are ordinary code over these tables; the
//! generated part of a kernel holds no logic of its own.

use crate::element::{ElementType, Scalar};
use windrow_reference::border::BorderMode;

/// The signature and the limits of one kernel.
#[derive(Debug)]
pub struct KernelSpec {
    /// The kernel's name, `relu_f32` for a copy made by `types`.
    pub name: &'static str,
    /// The author's doc comment.
    pub docs: &'static str,
    /// Where it is written: `module_path!()`.
    pub module: &'static str,
    /// The arguments in the author's order.
    pub arguments: &'static [ArgumentSpec],
    /// What is written.
    pub outputs: &'static [OutputSpec],
    /// OpenVX's tile block: the grain in which windows are cut. It never changes a result.
    pub step: (u32, u32),
    /// The border modes offered; a kernel without neighbourhood offers `Undefined` alone.
    pub borders: &'static [BorderMode],
    /// Relations between uniforms, checked by `validate`.
    pub requires: &'static [RequireSpec],
    /// The number of 32-bit words of all uniforms, in argument order, and of what is derived from them.
    pub words: WordCount,
    /// The number of bodies a tier has: the product of the variants' values and of the output subsets.
    pub bodies: u32,
    /// The author said `fast`: floats may be contracted, so that targets may differ by roundings.
    pub fast: bool,
    /// Whether bodies or reference compute with floats: they do so in the default float environment.
    pub floats: bool,
    /// Whether a result depends on where its element lies: the body asks for the coordinate.
    pub coordinates: bool,
}

impl KernelSpec {
    /// The least neighbourhood that holds those of all images read: one for all, as OpenVX asks for it.
    pub fn input_neighbourhood(&self) -> Neighbourhood {
        let mut all = Neighbourhood::default();
        for argument in self.arguments {
            let ArgumentKind::Input(InputSpec { neighbourhood, .. }) = &argument.kind else { continue };
            let Neighbourhood { left, right, top, bottom } = *neighbourhood;
            let (left, right) = (all.left.min(left), all.right.max(right));
            all = Neighbourhood { left, right, top: all.top.min(top), bottom: all.bottom.max(bottom) };
        }
        all
    }

    /// The block in which windows are cut, the same for every output.
    pub const fn output_tile_block(&self) -> (u32, u32) {
        self.step
    }
}

/// The layout of the words that hold a run's uniforms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordCount {
    /// One word a scalar: the value, zero- or sign-extended, or the bits of an `f32`.
    pub uniforms: u32,
    /// Words computed once by `configure` from the others (a divisor's multiplier); they follow.
    pub derived: u32,
}

/// One argument of a kernel.
#[derive(Debug)]
pub struct ArgumentSpec {
    /// The author's name.
    pub name: &'static str,
    /// What it is.
    pub kind: ArgumentKind,
}

/// The kinds of argument.
#[derive(Debug)]
pub enum ArgumentKind {
    /// An image.
    Input(InputSpec),
    /// A value that is the same for the whole run.
    Uniform(UniformSpec),
    /// A look-up table.
    Table {
        /// The type of an entry.
        element: ElementType,
        /// The number of entries.
        length: u32,
    },
    /// A choice made in `configure`.
    Variant {
        /// The enum's name.
        enum_name: &'static str,
        /// Its values, in order.
        values: &'static [&'static str],
    },
}

impl KernelSpec {
    /// The images that the kernel reads, `#[inout]` ones included, in argument order: each with its name.
    pub fn images(&'static self) -> impl Iterator<Item = (&'static str, &'static InputSpec)> {
        self.arguments.iter().filter_map(|argument| match &argument.kind {
            ArgumentKind::Input(input) => Some((argument.name, input)),
            ArgumentKind::Uniform(_) | ArgumentKind::Table { .. } | ArgumentKind::Variant { .. } => None,
        })
    }

    /// The images that are among a run's inputs: all but the `#[inout]` ones.
    pub fn read_images(&'static self) -> impl Iterator<Item = (&'static str, &'static InputSpec)> {
        self.images().filter(|(_, input)| input.inout.is_none())
    }

    /// The tables, in argument order: each with its name, the type of its entries, and their number.
    pub fn tables(&'static self) -> impl Iterator<Item = (&'static str, ElementType, u32)> {
        self.arguments.iter().filter_map(|argument| match argument.kind {
            ArgumentKind::Table { element, length } => Some((argument.name, element, length)),
            ArgumentKind::Input(_) | ArgumentKind::Uniform(_) | ArgumentKind::Variant { .. } => None,
        })
    }

    /// The uniforms, in argument order: each with its name.
    pub fn uniforms(&'static self) -> impl Iterator<Item = (&'static str, &'static UniformSpec)> {
        self.arguments.iter().filter_map(|argument| match &argument.kind {
            ArgumentKind::Uniform(uniform) => Some((argument.name, uniform)),
            ArgumentKind::Input(_) | ArgumentKind::Table { .. } | ArgumentKind::Variant { .. } => None,
        })
    }

    /// The variants, in argument order: each with its name and the names of its values.
    pub fn variants(&'static self) -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
        self.arguments.iter().filter_map(|argument| match argument.kind {
            ArgumentKind::Variant { values, .. } => Some((argument.name, values)),
            ArgumentKind::Input(_) | ArgumentKind::Table { .. } | ArgumentKind::Uniform(_) => None,
        })
    }
}

impl InputSpec {
    /// Whether nothing but the element itself is read: then one element may stand for many, and the output for the input.
    pub fn is_element_wise(&self) -> bool {
        self.neighbourhood == Neighbourhood::default() && self.stride == (1, 1) && self.inout.is_none()
    }
}

/// An image argument.
#[derive(Debug)]
pub struct InputSpec {
    /// The type of a channel.
    pub element: ElementType,
    /// Channels of an interleaved pixel.
    pub channels: u32,
    /// What is read around an element.
    pub neighbourhood: Neighbourhood,
    /// Input elements for one output element, (x, y).
    pub stride: (u32, u32),
    /// The output that it also is.
    pub inout: Option<u32>,
}

/// What is read around an element: inclusive offsets, so 3×3 is −1, 1, −1, 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Neighbourhood {
    /// The least x offset.
    pub left: i32,
    /// The greatest x offset.
    pub right: i32,
    /// The least y offset.
    pub top: i32,
    /// The greatest y offset.
    pub bottom: i32,
}

/// As an author writes it: `x = -1..=1, y = -1..=1`.
impl core::fmt::Display for Neighbourhood {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "x = {}..={}, y = {}..={}", self.left, self.right, self.top, self.bottom)
    }
}

/// A uniform argument.
#[derive(Debug)]
pub struct UniformSpec {
    /// The type of its scalars.
    pub element: ElementType,
    /// Array dimensions, outermost first; empty for a scalar.
    pub dims: &'static [u32],
    /// Inclusive bounds of every scalar.
    pub bounds: Option<(Scalar, Scalar)>,
    /// A bound on the sum of magnitudes of an array.
    pub sum_of_magnitudes: Option<u64>,
    /// The first of its words.
    pub word: u32,
}

/// A relation between two uniforms, or a uniform and a constant.
#[derive(Debug)]
pub struct RequireSpec {
    /// As the author wrote it.
    pub text: &'static str,
    /// The left side.
    pub left: RequireTerm,
    /// The comparison.
    pub relation: Relation,
    /// The right side.
    pub right: RequireTerm,
}

/// A side of a relation.
#[derive(Debug)]
pub enum RequireTerm {
    /// The scalar uniform of this name.
    Uniform(&'static str),
    /// A constant.
    Constant(Scalar),
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `==`
    Equal,
    /// `>=`
    GreaterEqual,
    /// `>`
    Greater,
}

/// One output of a kernel.
#[derive(Debug)]
pub struct OutputSpec {
    /// The author's name; `out` for a single unnamed one.
    pub name: &'static str,
    /// The type of a channel.
    pub element: ElementType,
    /// Channels of an interleaved pixel.
    pub channels: u32,
    /// Whether the caller may leave it out.
    pub optional: bool,
}
